-- SPDX-License-Identifier: MIT
-- small.lua -- five entries, 500,000 calls: what one call costs.

local function entries()
  return { entry1 = 123, entry2 = 456.789, entry3 = "string", entry4 = { "a", "b", "c", "d", "e", "..." } }
end

return {
  {
    name = "five entries", key = "small", calls = 500000,
    build = function()
      local t = entries()
      t.entry5 = entries()
      return { doc = t, at = t, key = "entry1" }
    end,
  },
}
