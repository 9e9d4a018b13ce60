-- SPDX-License-Identifier: MIT
-- frames.lua -- what a frame before a document costs, interleaved, best of many:
--   lua bench/frames.lua DIRECTORY_OF_fleece.so [megabytes]
-- "checksum": the difference between opening a trusted file with its checksum tested and without that.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local clock = os.clock

local people = {}
for i = 1, (tonumber(arg[2]) or 3) * 12000 do
  people[i] = { id = i, name = "Name " .. i, email = "user" .. i .. "@example.com", tags = { "a", "b", "c" },
    address = { city = "City " .. i % 100, zip = 10000 + i } }
end
local bytes = fleece.pack(people)
local plain, framed = os.tmpname(), os.tmpname()
local file = assert(io.open(plain, "wb"))
file:write(bytes)
file:close()
fleece.save(framed, bytes)

local function open(path, options)
  return function() fleece.open_file(path, options):close() end
end

local tasks = {
  { "check", function() fleece.check(bytes) end },
  { "open_file, no frame", open(plain) },
  { "open_file, frame", open(framed) },
  { "open_file, frame, verify = false", open(framed, { verify = false }) },
  { "open_file, frame, trusted", open(framed, { trusted = true }) },
  { "open_file, frame, trusted, verify = false", open(framed, { trusted = true, verify = false }) },
  { "save, sync = \"none\"", function() fleece.save(framed, bytes, { sync = "none", trusted = true }) end },
}
local best = {}
for _ = 1, 30 do
  for i, task in ipairs(tasks) do
    local from = clock()
    task[2]()
    best[i] = math.min(best[i] or 1 / 0, clock() - from)
  end
end
os.remove(plain)
os.remove(framed)
print(("a document of %.1f MB"):format(#bytes / 1e6))
for i, task in ipairs(tasks) do
  print(("  %-42s %9.3f ms   %5.2f of check"):format(task[1], best[i] * 1e3, best[i] / best[1]))
end
print(("  checksum: %.1f GB/s"):format(#bytes / (best[5] - best[6]) / 1e9))
