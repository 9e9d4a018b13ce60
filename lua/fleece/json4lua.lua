-- SPDX-License-Identifier: MIT
-- json4lua.lua -- require "fleece.json4lua": the functions of JSON4Lua 1.0.1, over those of Fleece. See docs/json4lua.md.
-- Must hold: fleece.encode and fleece.decode_prefix do all for which their results are JSON4Lua's. The rest is done here by
-- its rules, without recursion. Globals are read once: a program may replace them.

local fleece = require "fleece"
local decode_prefix, safe_decode = require("fleece.safe").decode_prefix, require("fleece.safe").decode
local encode, array_mt, object_mt, fleece_null = fleece.encode, fleece.array_mt, fleece.object_mt, fleece.null
local fleece_pairs, plain_next = fleece.pairs, (fleece.pairs {})
local error, getmetatable, next, pairs, tostring, type = error, getmetatable, next, pairs, tostring, type
local byte, find, format, gsub, match, sub, upper = string.byte, string.find, string.format, string.gsub, string.match, string.sub, string.upper
local concat, math_type = table.concat, math.type or function() return "float" end

local json = {}
function json.null() return json.null end
local null = json.null
json.EMPTY_ARRAY, json.EMPTY_OBJECT = fleece.array {}, fleece.object {}

-- ---- encode ------------------------------------------------------------------------------------------------

local fifteen = tostring(1 / 3) == "0.3333333333333333" -- Lua 5.5 writes 15 digits, or 17 where these are not exact
local options = {
  escape_slash = true, invalid_utf8 = "pass", float_integers = math.type and true, precision = fifteen and 15 or 14,
  max_depth = 10000000, sparse = "error", on_error = function(value) if value == null then return fleece_null end end,
}

-- Does fleece.encode write the finite number as tostring does? It rounds no whole number up to 2^53.
local function is_plain_number(x)
  if x % 1 == 0 then return x > -1e14 and x < 1e14 or math_type(x) == "integer" or x >= 1e16 or x <= -1e16 end
  return not fifteen or format("%.15g", x) + 0 == x
end

local function is_number(value) return value - value == 0 end -- neither NaN nor an infinity

-- Does fleece.encode write the value as JSON4Lua does? It follows an order that a table has from fleece.decode.
local function is_plain(value, depth)
  local kind = type(value)
  if kind == "string" or kind == "boolean" then return true end
  if kind == "number" then return is_number(value) and is_plain_number(value) end
  if kind ~= "table" then return value == null or value == fleece_null end
  if depth > 150 or getmetatable(value) ~= nil or fleece_pairs(value) ~= plain_next then return false end
  local length, count = #value, 0
  for key, item in next, value do
    if length == 0 then
      if type(key) ~= "string" or key == "n" then return false end
    elseif type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > length then
      return false
    end
    if not is_plain(item, depth + 1) then return false end
    count = count + 1
  end
  return length == 0 or count == length
end

local function number_text(x)
  if not is_number(x) then error("encode attempt to encode NaN or an infinity", 0) end
  return is_plain_number(x) and encode(x, options) or (gsub(tostring(x), "[^%de+-]+", ".")) -- whatever the locale
end

local function is_encodable(value)
  local kind = type(value)
  return kind == "string" or kind == "boolean" or kind == "number" or kind == "table" or value == null or value == fleece_null
end

local function key_text(key)
  local kind = type(key)
  if kind == "number" or kind == "boolean" then key = tostring(key)
  elseif kind ~= "string" then error("encode attempt to encode a " .. kind .. " as a name", 0) end
  return encode(key, options)
end

-- Returns a level for the table: it is an array up to the highest index, or the list of an object's names and values.
local function open(t, outer)
  local level, list, n, highest = { t = t, outer = outer, i = 0 }, {}, 0, 0
  local is_array = getmetatable(t) ~= object_mt
  for key, value in pairs(t) do
    local known = is_encodable(value)
    if known and is_encodable(key) then
      list[n + 1], list[n + 2] = key, value
      n = n + 2
    end
    if type(key) == "number" and key >= 1 and key % 1 == 0 then
      is_array = is_array and known
      if key > highest then highest = key end
    elseif key == "n" then
      is_array = is_array and value ~= false and value == value
    elseif known then
      is_array = false
    end
  end
  if is_array and highest >= 2147483647 then error("encode attempt to encode an array that is too long", 0) end
  level.list, level.n = not is_array and list, is_array and highest or n / 2
  return level
end

local function write(value)
  local parts, n, is_open, level = {}, 0, {}, nil
  local function put(text)
    n = n + 1
    parts[n] = text
  end
  local function put_value(v)
    local kind = type(v)
    if kind == "table" then
      if is_open[v] then error("encode attempt to encode a circular reference", 0) end
      is_open[v] = true
      level = open(v, level)
      return put(level.list and "{" or "[")
    end
    if kind == "number" then return put(number_text(v)) end
    if kind ~= "nil" and not is_encodable(v) then
      error("encode attempt to encode unsupported type " .. kind .. ":" .. tostring(v), 0)
    end
    return put(encode(v, options))
  end
  put_value(value)
  while level do
    local i, list = level.i + 1, level.list
    level.i = i
    if i > level.n then
      put(list and "}" or "]")
      is_open[level.t], level = nil, level.outer
    else
      if i > 1 then put "," end
      if list then
        put(key_text(list[2 * i - 1]))
        put ":"
        put_value(list[2 * i])
      else
        put_value(level.t[i])
      end
    end
  end
  return concat(parts)
end

local function upper_digits(letter, digits) if letter == "u" then return "\\u" .. upper(digits) end end

function json.encode(value)
  local text = is_plain(value, 0) and encode(value, options) or write(value)
  if not find(text, "\\u00", 1, true) then return text end
  return (gsub(text, "\\(.)(%x?%x?%x?%x?)", upper_digits))
end

-- ---- decode ------------------------------------------------------------------------------------------------

local read = { null = "nil", objects = "plain", invalid_utf8 = "pass", max_depth = 10000000 }

local function fail(...) error(concat { ... }, 0) end

-- The number at the position, which must be one to Lua; and the position after it.
local function read_number(text, at)
  local token = match(text, "^[%d.+eE-]+", at)
  local sign, whole, point, fraction, exponent = match(token, "^(%-?)(%d*)(%.?)(%d*)(.*)$")
  if whole .. fraction == "" or exponent ~= "" and not find(exponent, "^[eE][+-]?%d+$") then
    fail("Failed to scan number in JSON string at position ", at)
  end
  whole = match(whole, "^0*(%d+)$") or "0"
  if point ~= "" then fraction = "." .. (fraction == "" and "0" or fraction) end
  local x = safe_decode(sign .. whole .. fraction .. exponent)
  return x or (sign == "" and 1 or -1) / 0, at + #token
end

-- The string at the position: a backslash before a character without a meaning is dropped.
local function read_string(text, at)
  local quote, place = sub(text, at, at), at + 1
  repeat
    place = find(text, quote == '"' and '["\\]' or "['\\]", place)
    if not place or place > #text then fail("String decoding failed: missing closing quote for string at position ", at) end
    local closes = sub(text, place, place) == quote
    if not closes then place = place + 2 end
  until closes
  local inner = sub(text, at + 1, place - 1)
  inner = gsub(inner, "()\\(.)", function(i, letter)
    if letter == '"' then return "\\u0022" end
    if letter == "u" and not find(inner, "^%x%x%x%x", i + 2) then
      fail("String decoding failed: bad Unicode escape at position ", at + i)
    end
    if not find(letter, "[\\/bfnrtu]") then return letter end
  end)
  inner = gsub(inner, '[^\32-\33\35-\255]', function(c) return format("\\u%04x", byte(c)) end) -- a quote, controls
  return safe_decode('"' .. inner .. '"', read), place + 1
end

-- Skips white space and comments before a value.
local function begin(text, at)
  while true do
    at = find(text, "[^ \n\r\t]", at)
    if not at then fail("Unterminated JSON encoded object found at position in [", text, "]") end
    if not find(text, "^/%*", at) then return at end
    local _, last = find(text, "*/", at + 2, true)
    if not last then fail("Unterminated comment in string at ", at) end
    at = last + 1
  end
end

local function read_scalar(text, at)
  if find(text, "^[\"']", at) then return read_string(text, at) end
  if find(text, "^[%d.+e-]", at) then return read_number(text, at) end
  if find(text, "^null", at) then return nil, at + 4 end
  if find(text, "^true", at) then return true, at + 4 end
  if find(text, "^false", at) then return false, at + 5 end
  fail("Failed to scan constant from string ", text, " at starting position ", at)
end

-- The value belongs to the level, or it is a name: then its colon follows. Returns the position after that.
local function take(level, text, value, at)
  if level.close == "]" then
    level.n = level.n + 1
    level.t[level.n] = value
  elseif level.named then
    level.t[level.name], level.named = value, false
  else
    at = find(text, "[^ \n\r\t]", at)
    if not at then fail "JSON string ended unexpectedly searching for value of key" end
    if byte(text, at) ~= 58 then fail("JSON object key-value assignment mal-formed at ", at) end
    if value == nil then fail("JSON object key is null at ", at) end
    level.name, level.named, at = value, true, at + 1
  end
  return at
end

-- The position of the next value or name of the level; or nil, and the position after its closing bracket.
local function next_value(level, text, at)
  at = find(text, "[^ \n\r\t]", at)
  if level.named then return at or fail "JSON string ended unexpectedly searching for value of key" end
  if at and sub(text, at, at) == level.close then return nil, at + 1 end
  if at and byte(text, at) == 44 then at = find(text, "[^ \n\r\t]", at + 1) end
  return at or fail(level.close == "}" and "JSON string ended unexpectedly while scanning object." or
    "JSON String ended unexpectedly scanning array.")
end

-- The value at the position, by JSON4Lua's rules: commas are optional, any value is a name.
local function read_loose(text, at)
  local level, value, after
  while true do
    at = begin(text, at)
    local bracket = match(text, "^[[{]", at)
    if bracket then
      level, at = { t = {}, outer = level, close = bracket == "{" and "}" or "]", n = 0 }, at + 1
    else
      value, at = read_scalar(text, at)
      if not level then return value, at end
      at = take(level, text, value, at)
    end
    at, after = next_value(level, text, at)
    while not at do
      value, level = level.t, level.outer
      if not level then return value, after end
      at, after = next_value(level, text, take(level, text, value, after))
    end
  end
end

local function wrong(number, what) error(format("bad argument #%d to 'decode' (%s)", number, what), 3) end

function json.decode(text, position)
  if type(text) == "number" then text = tostring(text) end
  if type(text) ~= "string" then wrong(1, "string expected, got " .. (text == nil and "no value" or type(text))) end
  position = position or 1
  if type(position) ~= "number" or position % 1 ~= 0 then wrong(2, "integer expected, got " .. type(position)) end
  if position < 1 then wrong(2, "positions begin with 1") end
  if position > #text + 1 then position = #text + 1 end
  local value, after = decode_prefix(text, position, read)
  if type(after) == "number" and not (type(value) == "number" and find(text, "^[%d.+e-]", after)) then return value, after end
  return read_loose(text, position)
end

return json
