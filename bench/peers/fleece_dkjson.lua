-- SPDX-License-Identifier: MIT
-- fleece_dkjson.lua -- this library as dkjson: numbers as by tostring, a metatable for each table.
local find = require "measure.find"
local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, path end
local open, why = package.loadlib(path, "luaopen_fleece_dkjson")
if not open then return nil, why end
local dkjson = open()
local null, decode = dkjson.null, dkjson.decode
return { name = "fleece as dkjson", version = fleece._VERSION, encode = dkjson.encode, null = null,
         decode = function(text) return decode(text, 1, null) end }
