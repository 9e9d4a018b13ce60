-- SPDX-License-Identifier: MIT
-- fleece_rxi.lua -- this library as rxi's json.lua: numbers of 14 digits, no null.
local find = require "measure.find"
local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, path end
local open, why = package.loadlib(path, "luaopen_fleece_rxi")
if not open then return nil, why end
local json = open()
return { name = "fleece as rxi", version = fleece._VERSION, encode = json.encode, decode = json.decode }
