-- SPDX-License-Identifier: MIT
-- simdjson.lua -- lua-simdjson, C++; older versions cannot encode.
local simdjson, why = require("measure.find").require "simdjson"
if not simdjson then return nil, why end
return { name = "lua-simdjson", version = simdjson._VERSION, encode = simdjson.encode, decode = simdjson.parse,
         null = simdjson.null }
