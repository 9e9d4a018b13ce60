-- SPDX-License-Identifier: MIT
-- yyjson.lua -- lua-yyjson, C; it has no version field.
local yyjson, why = require("measure.find").require "yyjson"
if not yyjson then return nil, why end
local decode = yyjson.decode
return { name = "lua-yyjson", version = yyjson._VERSION, encode = yyjson.encode, null = yyjson.NULL,
         decode = function(text) return (decode(text, true)) end } -- true: nulls are kept
