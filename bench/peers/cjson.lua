-- SPDX-License-Identifier: MIT
-- cjson.lua -- lua-cjson as `require "cjson"` finds it: the base of all ratios (Debian: 2.1.0).
local find = require "measure.find"
local cjson, why = find.require "cjson"
if not cjson then return nil, why end
return { name = "lua-cjson", version = cjson._VERSION, encode = cjson.encode, decode = cjson.decode,
         null = cjson.null }
