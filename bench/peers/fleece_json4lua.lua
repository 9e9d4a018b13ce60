-- SPDX-License-Identifier: MIT
-- fleece_json4lua.lua -- this library as JSON4Lua: numbers as by tostring, null is nil.
local json, why, version = require("measure.find").stand_in "fleece.json4lua"
if not json then return nil, why end
return { name = "fleece as JSON4Lua", version = version, encode = json.encode, decode = json.decode, null = json.null }
