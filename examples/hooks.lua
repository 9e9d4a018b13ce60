-- Objects that define how they are encoded. Run: LUA_CPATH="build/lua5.4/?.so" lua5.4 examples/hooks.lua
local fleece = require "fleece"

local Point = {}
Point.__index = Point
Point.__tojson = function(self) return ("[%d,%d]"):format(self.x, self.y) end

local shape = {
  name = "triangle",
  corners = { setmetatable({ x = 0, y = 0 }, Point), setmetatable({ x = 4, y = 0 }, Point) },
  tags = fleece.array(),
  extra = fleece.object(),
}
print(fleece.encode(shape, { indent = 2, sort_keys = true }))
