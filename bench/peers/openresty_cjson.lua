-- SPDX-License-Identifier: MIT
-- openresty_cjson.lua -- OpenResty's lua-cjson (four-part version), if it is not the first cjson on the path.
local find = require "measure.find"
local first = find.require "cjson"
local cjson, why = find.module("cjson", function(m)
  return tostring(m._VERSION):match("^%d+%.%d+%.%d+%.%d+") and not (first and first._VERSION == m._VERSION)
end)
if not cjson then return nil, why end
return { name = "openresty cjson", version = cjson._VERSION, encode = cjson.encode, decode = cjson.decode,
         null = cjson.null }
