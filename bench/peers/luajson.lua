-- SPDX-License-Identifier: MIT
-- luajson.lua -- LuaJSON (package lua-json), Lua with LPeg.
local find = require "measure.find"
local json, why = find.module("json", function(m) return type(m.encode) == "table" and m.util end)
if not json then return nil, why end
return { name = "LuaJSON", version = json._VERSION, encode = json.encode.encode,
         decode = json.decode.decode, null = json.util.null }
