-- SPDX-License-Identifier: MIT
-- original.lua -- the four tables of the 2011 fleece-lite benchmarks: 1000 elements, words of 1 to 20 letters.

local ELEMENTS = 1000

return {
  {
    name = "t[i]=i", key = "integers", decode = true,
    build = function()
      local t = {}
      for i = 1, ELEMENTS do t[i] = i end
      return { doc = t }
    end,
  },
  {
    name = "t['x'..i]=i", key = "keys",
    build = function()
      local t = {}
      for i = 1, ELEMENTS do t["x" .. i] = i end
      return { doc = t }
    end,
  },
  {
    name = "t[i]=randstr", key = "words", decode = true,
    build = function(random)
      local t = {}
      for i = 1, ELEMENTS do t[i] = random.word(1, 20) end
      return { doc = t }
    end,
  },
  {
    name = "t[randstr]=randstr", key = "word-keys",
    build = function(random)
      local t, count = {}, 0
      while count < ELEMENTS do -- equal words are drawn again: 1000 different keys
        local key = random.word(1, 20)
        if t[key] == nil then t[key], count = random.word(1, 20), count + 1 end
      end
      return { doc = t }
    end,
  },
}
