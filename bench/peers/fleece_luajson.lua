-- SPDX-License-Identifier: MIT
-- fleece_luajson.lua -- this library as LuaJSON: numbers as by tostring, a function for null, a metatable for each
-- array.
local find = require "measure.find"
local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, path end
local open, why = package.loadlib(path, "luaopen_fleece_luajson")
if not open then return nil, why end
local json = open()
return { name = "fleece as LuaJSON", version = fleece._VERSION, encode = json.encode.encode, decode = json.decode.decode,
         null = json.util.null }
