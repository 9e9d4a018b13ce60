-- SPDX-License-Identifier: MIT
-- rapidjson.lua -- lua-rapidjson, C++.
local rapidjson, why = require("measure.find").require "rapidjson"
if not rapidjson then return nil, why end
return { name = "lua-rapidjson", version = rapidjson._VERSION, encode = rapidjson.encode, decode = rapidjson.decode,
         null = rapidjson.null }
