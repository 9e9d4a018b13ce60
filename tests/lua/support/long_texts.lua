-- SPDX-License-Identifier: MIT
-- long_texts.lua -- a program of test_luajit.lua (T.alone): encodes long texts, and prints the least number of page
-- faults that a round of them took, how many pages its texts have, and by how much the process has grown.

local fleece = require "fleece"

-- The numbers of Linux for this process: page faults so far, and its memory now in KB.
local function process()
  local stat, status = io.open "/proc/self/stat", io.open "/proc/self/status"
  local faults = tonumber(stat:read "*a":match "%) %S+ %S+ %S+ %S+ %S+ %S+ %S+ (%d+)")
  local kilobytes = tonumber(status:read "*a":match "VmRSS:%s*(%d+)")
  stat:close()
  status:close()
  return faults, kilobytes
end

local value = { "", ("0123456789abcdef"):rep(40000) }
local function encode(count)
  for i = 1, count do
    value[1] = tostring(i)
    fleece.encode(value)
  end
end

encode(50)
collectgarbage()
local least, _, before = math.huge, process()
for _ = 1, 5 do -- where the system happens to put its mappings apart, a round may need fresh pages
  local faults = process()
  encode(300)
  least = math.min(least, process() - faults)
end
local _, now = process()
print(("%d faults, %d pages, %d KB"):format(least, 300 * 640000 / 4096, now - before))
