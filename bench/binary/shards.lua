-- SPDX-License-Identifier: MIT
-- shards.lua -- data of more than 2 GB in several files by key: making them, opening them, and looking up.
--
--   lua5.4 bench/binary/shards.lua build/lua5.4 FOLDER FILES RECORDS_OF_A_FILE       28 2700000: 10.6 GB
package.cpath = assert(arg[4] and arg[1], "shards.lua BUILD FOLDER FILES RECORDS_OF_A_FILE") .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local folder, files, records = arg[2], tonumber(arg[3]), tonumber(arg[4])
local LOOKUPS = 200000

local function path_of(n) return ("%s/%02d.fleece"):format(folder, n) end

local function record(id)
  return ('"%d":{"id":%d,"name":"customer %d","city":"city %d","email":"c%d@example.org","note":"%s","balance":%d.25,"tags":["a%d","b%d"]}')
    :format(id, id, id, id % 1000, id, ("x"):rep(60 + id % 40), id % 100000, id % 97, id % 89)
end

local function measure(title, unit, count, run)
  local from = os.clock()
  run()
  print(("%-50s %8.2f %s"):format(title, (os.clock() - from) / count, unit))
end

local bytes = 0
measure("making the files", "s", 1, function()
  for n = 0, files - 1 do
    local parts = {}
    for i = 1, records do parts[i] = record((i - 1) * files + n) end
    local document = fleece.from_json("{" .. table.concat(parts, ",") .. "}")
    bytes = bytes + #document
    fleece.save(path_of(n), document, { trusted = true })
  end
end)
print(("%d files, %d records, %.1f GB"):format(files, files * records, bytes / 1e9))

for _, options in ipairs { {}, { trusted = true, verify = false } } do
  local documents = {}
  measure(options.trusted and "opening all, trusted" or "opening all, checked", "s", 1, function()
    for n = 0, files - 1 do documents[n] = fleece.open_file(path_of(n), options) end
  end)
  local id = 12345
  local function look_up()
    for _ = 1, LOOKUPS do
      id = (id * 1103515245 + 12345) % 2147483648 % (files * records)
      local found = fleece.get(documents[id % files], tostring(id))
      assert(found.id == id and found.name == "customer " .. ("%d"):format(id))
    end
  end
  measure("a look-up by key, and two fields", "us", LOOKUPS / 1e6, look_up)
end
for line in io.lines "/proc/self/status" do
  if line:find "^RssAnon" then print(line) end
end
