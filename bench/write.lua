-- SPDX-License-Identifier: MIT
-- write.lua -- the time of fleece.write to a file and to a function against encode, interleaved, best of many:
--   lua bench/write.lua DIRECTORY_OF_fleece.so [text.json ...]
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local clock = os.clock

local function people(n)
  local list = {}
  for i = 1, n do
    list[i] = { id = i, name = "Name " .. i, email = "user" .. i .. "@example.com", active = i % 3 == 0, score = i * 1.37,
      tags = { "a", "b", "c" }, address = { city = "City " .. i % 100, zip = 10000 + i } }
  end
  return list
end

local function numbers(n)
  local list = {}
  for i = 1, n do list[i] = i * 0.37 end
  return list
end

local documents = { { "200 people", people(200) }, { "20,000 people", people(20000) }, { "100,000 numbers", numbers(100000) } }
for i = 2, #arg do
  local file = assert(io.open(arg[i]))
  documents[#documents + 1] = { arg[i]:match "[^/]+$", fleece.decode(file:read "*a") }
  file:close()
end

local file, bytes = assert(io.open("/dev/null", "w")), 0
local function take(piece) bytes = bytes + #piece end

print(("%-24s %10s %10s %12s %14s"):format("document", "bytes", "encode", "file/encode", "function/file"))
for _, document in ipairs(documents) do
  local value = document[2]
  local tasks = {
    function() fleece.encode(value) end,
    function() fleece.write(file, value) end,
    function() fleece.write(take, value) end,
  }
  local n, best = #fleece.encode(value), { 1 / 0, 1 / 0, 1 / 0 }
  for _ = 1, math.max(5, math.min(1000, math.floor(2e7 / n))) do
    for i, task in ipairs(tasks) do
      local from = clock()
      task()
      best[i] = math.min(best[i], clock() - from)
    end
  end
  print(("%-24s %10d %7.3f ns/B %9.2f %14.2f"):format(document[1], n, best[1] / n * 1e9, best[2] / best[1],
    best[3] / best[2]))
end
