-- SPDX-License-Identifier: MIT
-- append.lua -- what an append to a file of records writes, and how long it takes: a flat list against lists of 1,000.
--
--   lua5.4 bench/append.lua build/lua5.4 [RECORDS ...]     default: 10000 100000 1000000
-- Prints markdown: the bytes that the file grows by, and milliseconds of CPU time of `append` and of writing as many bytes
-- to a file of their own with `write_file`. Both sync; the wait for the disk is not in it. The folder is TMPDIR's, or /tmp.
local build = table.remove(arg, 1) or error "usage: append.lua BUILD [RECORDS ...]"
package.cpath = build .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local clock = os.clock

local APPENDS, LENGTH = 20, 1000
local path = (os.getenv "TMPDIR" or "/tmp") .. "/fleece-append.bench"

local function record(i) return { id = i, name = "name " .. i } end

local layouts = {}
function layouts.flat(count)
  local list = {}
  for i = 1, count do list[i] = record(i) end
  return list, function(m, i) m[#m + 1] = record(i) end
end
layouts["lists of 1,000"] = function(count)
  local lists = { {} }
  local function add(m, i)
    if #m[#m] >= LENGTH then m[#m + 1] = {} end
    local last = m[#m]
    last[#last + 1] = record(i)
  end
  for i = 1, count - LENGTH / 2 do add(lists, i) end
  return lists, add
end

local function size_of(name)
  local file = assert(io.open(name, "rb"))
  local size = file:seek "end"
  file:close()
  return size
end

local function median(times)
  table.sort(times)
  return times[math.ceil(#times / 2)]
end

local function time_of(f)
  local times = {}
  for i = 1, APPENDS do
    local begin = clock()
    f(i)
    times[i] = clock() - begin
  end
  return median(times) * 1e3
end

print "| records | layout | bytes of the file | bytes of an append | append, ms | a new file of as many, ms |"
print "|--:|---|--:|--:|--:|--:|"
for _, count in ipairs(#arg > 0 and arg or { 10000, 100000, 1000000 }) do
  for _, name in ipairs { "flat", "lists of 1,000" } do
    local value, add = layouts[name](tonumber(count))
    fleece.save(path, value)
    local doc, before = fleece.open_file(path), size_of(path)
    local taken = time_of(function(i) doc = doc:append(function(m) add(m, count + i) end) end)
    local grown = math.floor((size_of(path) - before) / APPENDS)
    local text = ("x"):rep(grown)
    local alone = time_of(function() fleece.write_file(path .. ".alone", text) end)
    print(("| %d | %s | %d | %d | %.2f | %.2f |"):format(count, name, before, grown, taken, alone))
    os.remove(path)
    os.remove(path .. ".alone")
  end
end
