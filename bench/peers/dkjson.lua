-- SPDX-License-Identifier: MIT
-- dkjson.lua -- dkjson, plain Lua (its LPeg part serves decoding only).
local dkjson, why = require("find").require "dkjson"
if not dkjson then return nil, why end
return { name = "dkjson", plain_lua = true, version = (dkjson.version:gsub("^dkjson ", "")), encode = dkjson.encode,
         null = dkjson.null }
