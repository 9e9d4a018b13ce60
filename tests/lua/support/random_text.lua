-- SPDX-License-Identifier: MIT
-- random_text.lua -- random JSON texts, and random damage to them.

local T = require "support"
local random, pick = T.random, T.pick
local R = {}

local NAMES = { "id", "name", "x", "y", "value", "tags", "a rather long name, longer than forty bytes in all", "é", "",
  "a\\n", "\\u0061", "k", "7" }
local STRINGS = { "", "a", "text", "more than sixteen bytes", "é", "€ and 😀", "\\n", "\\\\", '\\"', "\\u20ac",
  "\\ud83d\\ude00", "\\u0000", ("long "):rep(20), ("é"):rep(30), "x\\ty", "//", "[{,:" }
local NUMBERS = { "0", "-0", "1", "-1", "12345", "1.5", "-2.25e-3", "1e10", "9007199254740993", "9223372036854775807",
  "-9223372036854775808", "18446744073709551616", "0.1", "1E5", "123456789.123456789", "5e-324", "4.35",
  "100000000000000000000000" }
local BLANKS = { " ", "\n", "\t", "\r\n    ", "          " }

local function blank() return random(1, 6) == 1 and pick(BLANKS) or "" end

-- A value of at most `depth` levels. One collection in twelve has up to `most` items, the others up to five. If `most`
-- is large, a long collection contains no collections.
function R.text(depth, most)
  local kind = random(1, depth > 0 and 9 or 5)
  if kind == 1 then return pick { "true", "false", "null" } end
  if kind <= 3 then return pick(NUMBERS) end
  if kind <= 5 then return '"' .. pick(STRINGS) .. pick(STRINGS) .. '"' end
  local parts, n = {}, random(0, random(1, 12) == 1 and most or 5)
  local is_array, first = kind <= 7, random(1, 3)
  for i = 1, n do
    local value = R.text(n > 5 and most > 100 and 0 or depth - 1, most)
    if not is_array then
      value = '"' .. (random(1, 4) == 1 and pick(NAMES) or NAMES[(first + i) % #NAMES + 1]) .. '"' .. blank() .. ":" ..
        blank() .. value
    end
    parts[i] = blank() .. value .. blank()
  end
  local body = table.concat(parts, ",")
  return is_array and "[" .. body .. "]" or "{" .. body .. "}"
end

-- Damages s one to three times: removes a byte, replaces it by one of `pieces`, inserts one of them, cuts off the end,
-- or removes or repeats a part.
function R.mutated(s, pieces)
  for _ = 1, random(1, 3) do
    if s == "" then return s end
    local at, what, piece = random(1, #s), random(1, 5), pick(pieces)
    if what == 1 then
      s = s:sub(1, at - 1) .. s:sub(at + 1)
    elseif what == 2 then
      s = s:sub(1, at - 1) .. piece .. s:sub(at)
    elseif what == 3 then
      s = s:sub(1, at - 1) .. piece .. s:sub(at + 1)
    elseif what == 4 then
      s = s:sub(1, at)
    else s = s:sub(1, at) .. s:sub(random(1, #s)) end
  end
  return s
end

return R
