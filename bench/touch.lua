-- SPDX-License-Identifier: MIT
-- touch.lua -- encode beside its lower bound (c/touch.c) and beside yyjson (c/yyjson_time.c), interleaved, best of many:
--   lua bench/touch.lua DIRECTORY_OF_fleece.so DIRECTORY_OF_touch.so PROGRAM_yyjson_time text.json ...
-- The heads of both C files say how to build them. yyjson writes from its own document, whose values lie one after
-- the other in memory; Lua's tables are scattered.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" ..
  assert(arg[2], "the directory of touch.so expected") .. "/?.so"
local encode, touch = require("fleece").encode, require "touch"
local decode, clock = require("fleece").decode, os.clock

local function yyjson(path)
  local program, best = assert(io.popen(arg[3] .. " write '" .. path .. "' 0.03 15")), 1 / 0
  for ns in program:read("*a"):gmatch "ns (%S+)" do best = math.min(best, tonumber(ns)) end
  program:close()
  return best
end

print(("%-24s %12s %14s %14s %14s"):format("", "encode, us", "encode/yyjson", "touch/encode", "touch/yyjson"))
for i = 4, #arg do
  local file = assert(io.open(arg[i], "rb"))
  local text = file:read "*a"
  file:close()
  local value, best, calls = decode(text), { 1 / 0, 1 / 0 }, #text < 1000 and 1000 or 1
  for _ = 1, 15 do
    for j, work in ipairs { encode, touch } do
      local n, from = 0, clock()
      repeat
        for _ = 1, calls do work(value) end
        n = n + calls
      until clock() - from > 0.02
      best[j] = math.min(best[j], (clock() - from) / n * 1e9)
    end
  end
  local other = yyjson(arg[i])
  print(("%-24s %12.2f %14.2f %14.2f %14.2f"):format(arg[i]:match "[^/]+$", best[1] / 1e3, best[1] / other,
    best[2] / best[1], best[2] / other))
end
