-- SPDX-License-Identifier: MIT
-- fleece_rapidjson.lua -- this library as lua-rapidjson: its numbers, a metatable for each table.
local find = require "measure.find"
local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, path end
local open, why = package.loadlib(path, "luaopen_fleece_rapidjson")
if not open then return nil, why end
local rapidjson = open()
return { name = "fleece as rapidjson", version = fleece._VERSION, encode = rapidjson.encode, decode = rapidjson.decode,
         null = rapidjson.null }
