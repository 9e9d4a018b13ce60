-- Writes a long document to a file in pieces. Run: LUA_CPATH="build/lua5.4/?.so" lua5.4 examples/stream.lua [FILE]
local fleece = require "fleece.safe"

local list = {}
for i = 1, 100000 do list[i] = { id = i, name = "item " .. i } end

local pieces, bytes = 0, 0
assert(fleece.write(function(piece) pieces, bytes = pieces + 1, bytes + #piece end, list))
print(("%d bytes in %d pieces"):format(bytes, pieces))

if arg[1] then
  local file = assert(io.open(arg[1], "wb"))
  assert(fleece.write(file, list))
  assert(file:close())
end
