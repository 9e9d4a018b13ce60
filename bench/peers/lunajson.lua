-- SPDX-License-Identifier: MIT
-- lunajson.lua -- lunajson, plain Lua; the value for null is an argument.
local lunajson, why = require("measure.find").require "lunajson"
if not lunajson then return nil, why end
local null, encode, decode = function() end, lunajson.encode, lunajson.decode
return { name = "lunajson", version = lunajson._VERSION, null = null,
         encode = function(value) return encode(value, null) end,
         decode = function(text) return decode(text, 1, null) end }
