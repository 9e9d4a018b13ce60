-- SPDX-License-Identifier: MIT
-- simdjson.lua -- lua-simdjson, C++; older versions cannot encode.
local simdjson, why = require("find").require "simdjson"
if not simdjson then return nil, why end
if not simdjson.encode then return nil, "version without encode" end
return { name = "lua-simdjson", version = simdjson._VERSION, encode = simdjson.encode, null = simdjson.null }
