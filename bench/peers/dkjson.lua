-- SPDX-License-Identifier: MIT
-- dkjson.lua -- dkjson, plain Lua; decodes with LPeg if it is installed.
local dkjson, why = require("measure.find").require "dkjson"
if not dkjson then return nil, why end
local version, with_lpeg = dkjson.version:gsub("^dkjson ", ""), pcall(dkjson.use_lpeg)
local null, decode = dkjson.null, dkjson.decode
return { name = "dkjson", version = version .. (with_lpeg and " (LPeg)" or ""), null = null,
         encode = dkjson.encode, decode = function(text) return decode(text, 1, null) end }
