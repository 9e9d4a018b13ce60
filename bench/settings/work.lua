-- SPDX-License-Identifier: MIT
-- work.lua -- one sample of bench/settings/run.py: lua work.lua DIRECTORY_OF_fleece.so TASK SECONDS [text.json]
-- prints the nanoseconds of CPU time per byte of text. SETTING is run first, with the incremental collector.
local directory, task, seconds, path = arg[1], arg[2], tonumber(arg[3]), arg[4]
package.path = arg[0]:match "^(.*)/" .. "/../?.lua;" .. package.path
package.cpath = directory .. "/?.so;" .. package.cpath
require "measure.collector" ()
local run = loadstring or load
assert(run(os.getenv "SETTING" or ""))()
local fleece = require "fleece"

local function people(n)
  local list = {}
  for i = 1, n do
    list[i] = { id = i, name = "Name " .. i, email = "user" .. i .. "@example.com", active = i % 3 == 0, score = i * 1.37,
      tags = { "a", "b", "c" }, address = { city = "City " .. i % 100, zip = 10000 + i } }
  end
  return list
end

local text
if path then
  local file = assert(io.open(path, "rb"))
  text = file:read "*a"
  file:close()
else
  text = fleece.encode(people(1000))
end

local value = fleece.decode(text)
local tasks = {
  decode = function() return fleece.decode(text) end,
  encode = function() return fleece.encode(value) end,
  both = function() return fleece.encode(fleece.decode(text)) end,
}
local work = assert(tasks[task], "decode, encode or both expected")
if task ~= "encode" then value = nil end
for _ = 1, 3 do work() end
local calls, from, now = 0, os.clock()
repeat
  work()
  calls, now = calls + 1, os.clock()
until now - from >= seconds
print((now - from) / calls / #text * 1e9)
