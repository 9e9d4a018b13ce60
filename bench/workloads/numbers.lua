-- SPDX-License-Identifier: MIT
-- numbers.lua -- doubles with all digits, and doubles with few digits, such as prices.

local ELEMENTS = 1000

local function case(name, key, number)
  return {
    name = name, key = key, decode = "numbers",
    build = function(random)
      local t = {}
      for i = 1, ELEMENTS do t[i] = number(random) end
      return { doc = t, make = number }
    end,
  }
end

return {
  case("random doubles", "doubles", function(random)
    return (random.real() - 0.5) * 10 ^ random.int(0, 6)
  end),
  case("prices", "prices", function(random)
    return (random.int(1, 9999) * 100 + random.int(1, 99)) / 100
  end),
}
