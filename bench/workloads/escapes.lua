-- SPDX-License-Identifier: MIT
-- escapes.lua -- words of 1 to 10 characters, one in N of which needs (or might need) an escape, as in 2011.

local ELEMENTS = 1000

local SPECIAL = { '"', "\\", "\b", "\f", "\r", "\n", "\t", "\1", "<", "\127" }

local function word(random, one_in)
  local letters = {}
  for i = 1, random.int(1, 10) do
    letters[i] = random.chance(one_in) and random.pick(SPECIAL) or random.letter()
  end
  return table.concat(letters)
end

local function case(one_in)
  return {
    name = "escapes 1 in " .. one_in, key = "escapes-" .. one_in, variants = true,
    build = function(random)
      local t = {}
      for i = 1, ELEMENTS do t[i] = word(random, one_in) end
      return { doc = t, make = function(r) return word(r, one_in) end }
    end,
  }
end

return { case(10), case(30), case(100), case(1000) }
