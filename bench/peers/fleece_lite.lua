-- SPDX-License-Identifier: MIT
-- fleece_lite.lua -- the original of 2011, Lua 5.1 only. Its default E0 escapes nothing, its numbers are short.
if _VERSION ~= "Lua 5.1" or type(jit) == "table" then return nil, "for Lua 5.1 only" end
local fleece, why = require("measure.find").module("fleece", function(m) return m.json and not m.encode end)
if not fleece then return nil, why end
return {
  name = "fleece-lite", version = fleece._VERSION or "2011", encode = fleece.json,
  variants = {
    E0 = function(value) return fleece.json(value, "E0") end,
    E4 = function(value) return fleece.json(value, "E4") end,
  },
}
