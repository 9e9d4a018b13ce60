-- SPDX-License-Identifier: MIT
-- jobs.lua -- the same job done by different functions, interleaved, best of many: lua jobs.lua DIRECTORY_OF_fleece.so
-- prints nanoseconds per byte of JSON text, and the ratio to the first function of each job, as Markdown.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local clock = os.clock

local function person(i)
  return { id = i, name = "Name " .. i, email = "user" .. i .. "@example.com", active = i % 3 == 0, score = i * 1.37,
    tags = { "a", "b", "c" }, address = { city = "City " .. i % 100, zip = 10000 + i } }
end

local people = {}
for i = 1, 1000 do people[i] = person(i) end
local sink = assert(io.open("/dev/null", "w"))
local pick = fleece.pick("[10].name", "[500].address.city", "[900].score")
local pick_read = fleece.pick("[10].name", "[500].address.city", "[900].score", { test = "read" })
local pick_record = fleece.pick("name", "address.city", "score")
local change = { { "set", "[500].address.city", "Rome" } }

local function fields(v) return v[10].name, v[500].address.city, v[900].score end
local function record_fields(v) return v.name, v.address.city, v.score end

local text, record = fleece.encode(people), fleece.encode(person(7))
local lines = text:sub(2, -2):gsub("},{\"", "}\n{\"") .. "\n"
local bytes, document = fleece.pack(people), nil
document = fleece.open(bytes)

local jobs = {
  { "three fields of a large text", #text,
    { "decode", function() fields(fleece.decode(text)) end },
    { "lazy", function() fields(fleece.lazy(text)) end },
    { "pick", function() pick(text) end },
    { "pick, test = \"read\"", function() pick_read(text) end } },
  { "three fields of a record", #record,
    { "decode", function() record_fields(fleece.decode(record)) end },
    { "lazy", function() record_fields(fleece.lazy(record)) end },
    { "pick", function() pick_record(record) end } },
  { "change one field of a large text", #text,
    { "decode, encode", function()
      local v = fleece.decode(text)
      v[500].address.city = "Rome"
      fleece.encode(v)
    end },
    { "lazy, mutable, encode", function()
      local v = fleece.lazy(text):mutable()
      v[500].address.city = "Rome"
      fleece.encode(v)
    end },
    { "edit", function() fleece.edit(text, change) end } },
  { "read it again and again", #text,
    { "decode", function() fields(fleece.decode(text)) end },
    { "open, three fields", function() fields(fleece.open(bytes).root) end },
    { "opened before", function() fields(document.root) end },
    { "unpack", function() fields(fleece.unpack(bytes)) end } },
  { "records, one per line", #lines,
    { "decode each line", function() for line in lines:gmatch "[^\n]+" do fleece.decode(line) end end },
    { "documents", function() for _ in fleece.documents(lines) do end end } },
  { "write a large value to a file", #text,
    { "file:write(encode)", function() sink:write(fleece.encode(people)) end },
    { "write", function() fleece.write(sink, people) end } },
  { "is it valid?", #text,
    { "decode", function() fleece.decode(text) end },
    { "format_stream(text, nil)", function() fleece.format_stream(text, nil) end } },
}

print "| job | way | ns a byte | times as fast |\n|---|---|--:|--:|"
for _, job in ipairs(jobs) do
  local best = {}
  for _ = 1, 15 do
    for i = 3, #job do
      local work, n, from = job[i][2], 0, clock()
      local now
      repeat
        for _ = 1, job[2] < 1000 and 1000 or 1 do work() end
        n, now = n + (job[2] < 1000 and 1000 or 1), clock()
      until now - from > 0.01
      best[i] = math.min(best[i] or 1 / 0, (now - from) / n / job[2] * 1e9)
    end
  end
  for i = 3, #job do
    print(("| %-44s | %-24s | %8.3f | %5.1f |"):format(i == 3 and ("%s, %d bytes"):format(job[1], job[2]) or "", job[i][1],
      best[i], best[3] / best[i]))
  end
end
