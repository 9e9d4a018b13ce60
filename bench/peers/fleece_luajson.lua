-- SPDX-License-Identifier: MIT
-- fleece_luajson.lua -- this library as LuaJSON: numbers as by tostring, a function for null, a metatable for each
-- array.
local json, why, version = require("measure.find").stand_in "fleece.luajson"
if not json then return nil, why end
return { name = "fleece as LuaJSON", version = version, encode = json.encode.encode, decode = json.decode.decode,
         null = json.util.null }
