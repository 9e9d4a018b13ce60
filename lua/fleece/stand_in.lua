-- SPDX-License-Identifier: MIT
-- stand_in.lua -- what the stand-ins that are Lua files share: values that fleece.encode writes as they do, and numbers
-- as tostring writes them.
-- Must hold: globals are read once, because a program may replace them.

local fleece = require "fleece"
local safe_decode = require("fleece.safe").decode
local encode, array_mt, fleece_null = fleece.encode, fleece.array_mt, fleece.null
local fleece_pairs, plain_next = fleece.pairs, (fleece.pairs {})
local getmetatable, next, pcall, tostring, type = getmetatable, next, pcall, tostring, type
local find, format, gsub, match, upper = string.find, string.format, string.gsub, string.match, string.upper
local math_type = math.type or function() return "float" end

local S = { depth = 10000000, text = { invalid_utf8 = "pass" } }

-- ---- encode ------------------------------------------------------------------------------------------------

local fifteen = tostring(1 / 3) ~= "0.33333333333333" -- Lua 5.5 writes 15 digits, or 17 where these are not exact

-- The options of encode for values that S.is_plain accepts; null is a function.
function S.options(null, empty_table)
  return {
    escape_slash = true, invalid_utf8 = "pass", float_integers = math.type and true, precision = fifteen and 15 or 14,
    max_depth = S.depth, empty_table = empty_table,
    on_error = function(value) if value == null then return fleece_null end end,
  }
end

local options = S.options()

-- Does fleece.encode write the finite number as tostring does? It rounds no whole number up to 2^53.
local function is_plain_number(x)
  if x % 1 == 0 then return x > -1e14 and x < 1e14 or math_type(x) == "integer" or x >= 1e16 or x <= -1e16 end
  return not fifteen or format("%.15g", x) + 0 == x
end

-- Is the value of Lua's simplest types, or tables of them, so that fleece.encode writes it by the rules that all share?
-- Tables are marked as arrays or have no metatable, and no order from fleece.decode, which fleece.encode follows.
local function is_plain(value, null, depth)
  local kind = type(value)
  if kind == "string" or kind == "boolean" then return true end
  if kind == "number" then return value - value == 0 and is_plain_number(value) end
  if kind ~= "table" then return value == null or value == fleece_null end
  local meta = getmetatable(value)
  if depth > 150 or meta ~= nil and meta ~= array_mt then return false end
  local _, step = pcall(fleece_pairs, value) -- it calls the global pairs, which a program may have replaced
  if step ~= plain_next then return false end
  local length, count = #value, 0
  for key, item in next, value do
    if length == 0 then
      if type(key) ~= "string" or meta then return false end
    elseif type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > length then
      return false
    end
    if not is_plain(item, null, depth + 1) then return false end
    count = count + 1
  end
  if length == 0 then return not (count == 1 and value.n ~= nil) end -- a field n alone may be a length
  return count == length
end
S.is_plain = is_plain

-- A finite number, as tostring writes it whatever the locale.
function S.number(x) return is_plain_number(x) and encode(x, options) or (gsub(tostring(x), "[^%de+-]+", ".")) end

local function upper_digits(letter, digits) if letter == "u" then return "\\u" .. upper(digits) end end

-- The text of fleece.encode with \u001F instead of \u001f.
function S.upper(text)
  if not find(text, "\\u00", 1, true) then return text end
  return (gsub(text, "\\(.)(%x?%x?%x?%x?)", upper_digits))
end

function S.string(s) return S.upper(encode(s, options)) end

-- ---- decode ------------------------------------------------------------------------------------------------

-- The number of a decimal text that may begin with zeros or a point, or end with a point; nil: it is none.
function S.decimal(text)
  local sign, whole, point, fraction, exponent = match(text, "^(%-?)(%d*)(%.?)(%d*)(.*)$")
  if whole .. fraction == "" or exponent ~= "" and not find(exponent, "^[eE][+-]?%d+$") then return nil end
  whole = match(whole, "^0*(%d+)$") or "0"
  if point ~= "" then fraction = "." .. (fraction == "" and "0" or fraction) end
  return safe_decode(sign .. whole .. fraction .. exponent) or (sign == "" and 1 or -1) / 0
end

-- A function that returns itself.
function S.itself()
  local function itself() return itself end
  return itself
end

return S
