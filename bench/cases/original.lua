-- SPDX-License-Identifier: MIT
-- original.lua -- the four tables of the 2011 fleece-lite benchmarks: 1000 elements, words of 1 to 20 letters.

local ELEMENTS = 1000
local RING = 4096 -- a word comes back only after so many calls, when the older result is long collected

local function ring(random)
  local words = {}
  for i = 1, RING do words[i] = random.word(11, 11) end
  return words
end

return {
  {
    name = "t[i]=i", key = "integers",
    build = function()
      local t = {}
      for i = 1, ELEMENTS do t[i] = i end
      return { doc = t, at = t, key = ELEMENTS }
    end,
  },
  {
    name = "t['x'..i]=i", key = "keys",
    build = function()
      local t = {}
      for i = 1, ELEMENTS do t["x" .. i] = i end
      return { doc = t, at = t, key = "x500" }
    end,
  },
  {
    name = "t[i]=randstr", key = "words",
    build = function(random)
      local t = {}
      for i = 1, ELEMENTS do t[i] = random.word(1, 20) end
      return { doc = t, at = t, key = 500, ring = ring(random) }
    end,
  },
  {
    name = "t[randstr]=randstr", key = "word-keys",
    build = function(random)
      local t, count, key = {}, 0, nil
      while count < ELEMENTS do -- equal words are drawn again: 1000 different keys
        key = random.word(1, 20)
        if t[key] == nil then t[key], count = random.word(1, 20), count + 1 end
      end
      return { doc = t, at = t, key = key, ring = ring(random) }
    end,
  },
}
