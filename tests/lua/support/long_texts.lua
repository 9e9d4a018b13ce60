-- SPDX-License-Identifier: MIT
-- long_texts.lua -- a program for test_luajit.lua (see T.alone): encodes long texts in rounds. It prints the smallest
-- number of page faults of a round, the number of pages that its texts have, and the growth of the process.

local fleece = require "fleece"

-- From Linux, for this process: its page faults so far, and its memory in KB.
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
for _ = 1, 5 do -- a round may need new pages, depending on where the system places its mappings
  local faults = process()
  encode(300)
  least = math.min(least, process() - faults)
end
local _, now = process()
print(("%d faults, %d pages, %d KB"):format(least, 300 * 640000 / 4096, now - before))
