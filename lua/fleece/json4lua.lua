-- SPDX-License-Identifier: MIT
-- json4lua.lua -- require "fleece.json4lua": the functions of JSON4Lua 1.0.1, over Fleece's. See docs/json4lua.md.
-- Must hold: fleece.encode and fleece.decode_prefix do all for which their results are JSON4Lua's. The rest is done
-- here by its rules, without recursion. Globals are read once: a program may replace them.

local fleece, stand_in = require "fleece", require "fleece.stand_in"
local decode_prefix, safe_decode = require("fleece.safe").decode_prefix, require("fleece.safe").decode
local encode, object_mt, fleece_null = fleece.encode, fleece.object_mt, fleece.null
local is_plain, number, decimal, text_of = stand_in.is_plain, stand_in.number, stand_in.decimal, stand_in.string
local error, getmetatable, pairs, tostring, type = error, getmetatable, pairs, tostring, type
local byte, find, format, gsub = string.byte, string.find, string.format, string.gsub
local match, sub = string.match, string.sub
local concat = table.concat

local null = stand_in.itself()
local json = { null = null, EMPTY_ARRAY = fleece.array {}, EMPTY_OBJECT = fleece.object {} }

-- ---- encode ------------------------------------------------------------------------------------------------

local options = stand_in.options(null)

local function number_text(x)
  if x - x ~= 0 then error("encode attempt to encode NaN or an infinity", 0) end
  return number(x)
end

local function is_encodable(value)
  local kind = type(value)
  return kind == "string" or kind == "boolean" or kind == "number" or kind == "table" or value == null or
    value == fleece_null
end

local function key_text(key)
  local kind = type(key)
  if kind == "number" or kind == "boolean" then key = tostring(key)
  elseif kind ~= "string" then error("encode attempt to encode a " .. kind .. " as a name", 0) end
  return text_of(key)
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
    return put(kind == "string" and text_of(v) or encode(v, options))
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

function json.encode(value)
  return is_plain(value, null, 0) and stand_in.upper(encode(value, options)) or write(value)
end

-- ---- decode ------------------------------------------------------------------------------------------------

local read = { null = "nil", objects = "plain", invalid_utf8 = "pass", max_depth = stand_in.depth }

local function fail(...) error(concat { ... }, 0) end

-- The number at the position, which must be one to Lua; and the position after it.
local function read_number(text, at)
  local token = match(text, "^[%d.+eE-]+", at)
  local x = decimal(token)
  return x or fail("Failed to scan number in JSON string at position ", at), at + #token
end

-- The string at the position: a backslash before a character without a meaning is dropped.
local function read_string(text, at)
  local quote, place = sub(text, at, at), at + 1
  repeat
    place = find(text, quote == '"' and '["\\]' or "['\\]", place)
    if not place or place > #text then
      fail("String decoding failed: missing closing quote for string at position ", at)
    end
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
  local is_cut = type(value) == "number" and find(text, "^[%d.+e-]", after)
  if type(after) == "number" and not is_cut then return value, after end
  return read_loose(text, position)
end

return json
