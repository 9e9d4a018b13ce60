-- SPDX-License-Identifier: MIT
-- fleece_api.lua -- this library with only the public API of Lua, as on an unknown Lua.
local find = require "measure.find"
local fleece, why = find.module("fleece", function(m) return m.encode and m.new and m.info end)
if not fleece then return nil, why end
local codec = fleece.new({ layout = "api" })
return { name = "fleece api", version = fleece._VERSION, encode = codec.encode, decode = codec.decode,
         null = fleece.null }
