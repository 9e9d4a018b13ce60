-- SPDX-License-Identifier: MIT
-- fleece.lua -- this library; the variants are the flags of fleece.json.
local find = require "measure.find"
local fleece, why = find.module("fleece", function(m) return m.encode and m.json and m.info end)
if not fleece then return nil, why end

local function with(flag)
  local json = fleece.json
  return function(value) return json(value, flag) end
end

return {
  name = "fleece", version = fleece._VERSION, encode = fleece.encode, decode = fleece.decode,
  null = fleece.null, info = fleece.info(),
  variants = { E0 = with "E0", E1 = with "E1", E2 = with "E2", E3 = with "E3", E4 = with "E4" },
}
