-- SPDX-License-Identifier: MIT
-- small.lua -- five entries, 500,000 calls: the cost of a call.

local function entries()
  return { entry1 = 123, entry2 = 456.789, entry3 = "string", entry4 = { "a", "b", "c", "d", "e", "..." } }
end

return {
  {
    name = "five entries", key = "small", decode = true, calls = 500000,
    build = function()
      local t = entries()
      t.entry5 = entries()
      local function slot(at) return { at = at, key = "entry1", value = at.entry1 } end
      return { doc = t, fast = slot(t), slow = slot(t.entry5) }
    end,
  },
}
