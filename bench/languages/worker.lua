-- SPDX-License-Identifier: MIT
-- worker.lua -- decodes and encodes a text for run.py: lua worker.lua MODULE FILE
local name, path = arg[1], arg[2]
local json = require(name)
local file = assert(io.open(path, "rb"))
local text = file:read "*a"
file:close()
local value = json.decode(text)
local work = {
  decode = function() json.decode(text) end,
  encode = function() json.encode(value) end,
}
print(json._VERSION)
io.stdout:flush()
for line in io.lines() do
  local what, seconds = line:match "(%a+) ([%d.]+)"
  local run, count, began = work[what], 0, os.clock()
  repeat
    run()
    count = count + 1
  until os.clock() - began >= tonumber(seconds)
  print(count, os.clock() - began, #text)
  io.stdout:flush()
end
