-- SPDX-License-Identifier: MIT
-- fleece_json4lua.lua -- this library as JSON4Lua: numbers as by tostring, null is nil.
local find = require "measure.find"
local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, path end
local open, why = package.loadlib(path, "luaopen_fleece_json4lua")
if not open then return nil, why end
local json = open()
return { name = "fleece as JSON4Lua", version = fleece._VERSION, encode = json.encode, decode = json.decode, null = json.null }
