-- SPDX-License-Identifier: MIT
-- yajl.lua -- lua-yajl, C.
local yajl, why = require("measure.find").require "yajl"
if not yajl then return nil, why end
return { name = "lua-yajl", version = yajl._VERSION, encode = yajl.to_string, decode = yajl.to_value,
         null = yajl.null }
