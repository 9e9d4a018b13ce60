-- SPDX-License-Identifier: MIT
-- rxi.lua -- rxi's json.lua, plain Lua; it has no null.
local json, why = require("measure.find").module("json", function(m)
  return m._version and type(m.encode) == "function"
end)
if not json then return nil, why end
return { name = "rxi json", version = json._version, encode = json.encode, decode = json.decode }
