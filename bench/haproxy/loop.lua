-- SPDX-License-Identifier: MIT
-- loop.lua -- a simple comparison loop, run while HAProxy loads the script: encodes and decodes a small document $LOOPS
-- times. Prints nanoseconds per encode and per decode.
local json = require(os.getenv "JSON")
local count = tonumber(os.getenv "LOOPS")
local document = { id = 1, name = "Ann", price = 12.5, tags = { "new", "blue" }, active = true }
local text = json.encode(document)
assert(json.decode(text).tags[2] == "blue")

local function time(work)
  collectgarbage()
  local start = os.clock()
  for i = 1, count do work(i) end
  return (os.clock() - start) / count * 1e9
end

local out = time(function(i)
  document.id = i
  return json.encode(document)
end)
local texts = {} -- another text each time, so that its strings are not interned already
for i = 1, 1000 do
  document.id, document.name = i, "Ann" .. i
  texts[i] = json.encode(document)
end
local back = time(function(i) return json.decode(texts[i % 1000 + 1]) end)
io.stderr:write(("loop %.1f %.1f\n"):format(out, back))
