-- SPDX-License-Identifier: MIT
-- fleece_cjson.lua -- this library as lua-cjson: 14 digits, \/ and \u007f, any bytes in strings.
local find = require "measure.find"
local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, path end
local open, why = package.loadlib(path, "luaopen_fleece_cjson")
if not open then return nil, why end
local cjson = open()
return { name = "fleece as cjson", version = fleece._VERSION, encode = cjson.encode, decode = cjson.decode,
         null = cjson.null }
