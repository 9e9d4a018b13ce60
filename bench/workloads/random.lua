-- SPDX-License-Identifier: MIT
-- random.lua -- random numbers that are the same on every Lua: the minimal standard generator of Park and Miller
-- (CACM 31, 1988). Its products stay below 2^46, so they are exact in doubles and in 64-bit integers.

local LETTERS = "abcdefghijklmnopqrstuvwxyz"

return function(seed)
  local state = seed or 20110220
  local random = {}

  local function step()
    state = state * 16807 % 2147483647
    return state
  end

  -- Uniform in [0, 1), with all 53 bits of the significand random.
  function random.real()
    local high, low = math.floor(step() / 16), math.floor(step() / 32)
    return (high % 134217728 * 67108864 + low % 67108864) / 9007199254740992
  end

  function random.int(low, high) return low + math.floor(random.real() * (high - low + 1)) end
  function random.pick(list) return list[random.int(1, #list)] end
  function random.chance(one_in) return random.int(1, one_in) == 1 end

  function random.letter()
    local i = random.int(1, 26)
    return LETTERS:sub(i, i)
  end

  -- A word of lower-case letters with a length between `low` and `high`.
  function random.word(low, high)
    local letters = {}
    for i = 1, random.int(low, high) do letters[i] = random.letter() end
    return table.concat(letters)
  end

  for _ = 1, 10 do step() end -- because a small seed gives small first numbers
  return random
end
