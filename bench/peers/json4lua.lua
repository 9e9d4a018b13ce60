-- SPDX-License-Identifier: MIT
-- json4lua.lua -- JSON4Lua, plain Lua, used for comparison in the 2011 benchmarks.
local json, why = require("measure.find").module("json", function(m)
  return type(m.encode) == "function" and type(m.null) == "function" and m.EMPTY_ARRAY
end)
if not json then return nil, why end
return { name = "JSON4Lua", version = "1", encode = json.encode, decode = json.decode,
         decode_limit = 20000, -- its time grows with the square of the size: minutes for a megabyte
         null = json.null }
