-- SPDX-License-Identifier: MIT
-- yyjson.lua -- lua-yyjson, C; it tells no version.
local yyjson, why = require("find").require "yyjson"
if not yyjson then return nil, why end
return { name = "lua-yyjson", version = yyjson._VERSION, encode = yyjson.encode, null = yyjson.NULL }
