-- SPDX-License-Identifier: MIT
-- encode.lua -- json.encode of fleece.luajson.
-- Must hold: fleece.encode writes what it writes as LuaJSON does, if no option has an effect on that. The rest is
-- written here by its rules, without recursion but for an `output`. Globals are read once.

local fleece, stand_in, O = require "fleece", require "fleece.stand_in", require "fleece.luajson.options"
local fleece_encode, fleece_null, array_mt = fleece.encode, fleece.null, fleece.array_mt
local error, getmetatable, next, pairs, select = error, getmetatable, next, pairs, select
local setmetatable, tonumber, tostring, type = setmetatable, tonumber, tostring, type
local char, floor, format, gsub, sub = string.char, math.floor, string.format, string.gsub, string.sub
local concat = table.concat

-- ---- strings -----------------------------------------------------------------------------------------------

local usual_set = '\\"/%z\1-\031'

-- The escapes that option `encodeSet` may ask for.
local escapes, x_escapes = {}, {}
for i = 0, 255 do
  local c = char(i)
  if i < 32 or i > 127 then
    escapes[c], x_escapes[c] = format("\\u%04X", i), format("\\x%02X", i)
  end
end
local letters = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", ["\b"] = "b", ["\f"] = "f", ["\n"] = "n", ["\r"] = "r",
  ["\t"] = "t" }
for c, letter in next, letters do
  escapes[c], x_escapes[c] = "\\" .. letter, "\\" .. letter
end
x_escapes["\v"] = "\\v" -- only with xEncode, which is not JSON anyway

-- Is the text one set of a Lua pattern, without its brackets?
local function is_set(set)
  local i = sub(set, 1, 1) == "^" and 2 or 1
  repeat i = i + (sub(set, i, i) == "%" and 2 or 1) until i > #set or sub(set, i, i) == "]"
  return i > #set
end

-- The function that writes strings by the options of `strings`; nil: the usual one.
local function string_writer(options)
  local processor = O.get(options, "strings", "processor")
  local x = O.get(options, "strings", "xEncode")
  local set = O.get(options, "strings", "encodeSet", usual_set)
  local more = O.get(options, "strings", "encodeSetAppend") or ""
  for name, value in next, { encodeSet = set, encodeSetAppend = more } do
    if type(value) ~= "string" and type(value) ~= "number" then
      error("option 'strings." .. name .. "' must be a string", 0)
    end
  end
  set = set .. more
  if not (x or processor) and set == usual_set then return nil end
  if not is_set(set) then error("option 'strings.encodeSet' must be one set of characters", 0) end
  local pattern, map = "[" .. set .. "]", x and x_escapes or escapes
  gsub("", pattern, map) -- raises if it is no pattern
  if processor then
    return function(s) return '"' .. processor(gsub(s, pattern, map)) .. '"' end
  end
  return function(s) return '"' .. gsub(s, pattern, map) .. '"' end
end

-- ---- settings ----------------------------------------------------------------------------------------------

local function usual_settings(util)
  local s = { nan = true, inf = true, allow_undefined = true, null = util.null, undefined = util.undefined,
    booleans = { [true] = "true", [false] = "false" } }
  s.options = stand_in.options(s.null, "object")
  return s
end

-- The words that booleans are: LuaJSON does nothing else with them if null or undefined is one.
local function read_booleans(s)
  local null_is, undefined_is = type(s.null) == "boolean", type(s.undefined) == "boolean"
  if not null_is and s.undefined ~= true then return s.booleans end
  local booleans = {}
  if undefined_is then booleans[s.undefined] = "undefined" end
  if null_is then booleans[s.null] = "null" end
  return booleans
end

local function read_settings(util, is_array, options)
  local s = usual_settings(util)
  O.group(options, "calls") -- both have no options, but are tables
  O.group(options, "object")
  s.initial_object = O.get(options, "", "initialObject")
  s.output = O.get(options, "", "output") or nil
  s.pre_process = O.get(options, "", "preProcess") or nil
  local own = O.get(options, "array", "isArray")
  if own ~= is_array then s.is_array = own end
  s.write_string = string_writer(options)
  s.nan = O.get(options, "number", "nan", true)
  s.inf = O.get(options, "number", "inf", true)
  s.allow_undefined = O.get(options, "others", "allowUndefined", true)
  s.null = O.get(options, "others", "null", s.null)
  s.undefined = O.get(options, "others", "undefined", s.undefined)
  s.booleans = read_booleans(s)
  s.special = s.output or s.pre_process or s.is_array ~= nil or s.write_string or type(s.null) ~= "function" or
    type(s.undefined) ~= "function"
  s.options = stand_in.options(s.null, "object")
  return s
end

-- ---- values ------------------------------------------------------------------------------------------------

local function fail(message) error(message, 0) end

local function undefined_word(s)
  return s.allow_undefined and "undefined" or fail "Invalid value: Unsupported 'Undefined' parameter"
end

-- The word that the value is, or nil. Of strings and numbers none is, because LuaJSON handles these types first.
local function word_of(s, value)
  local kind = type(value)
  if kind == type(s.null) and value == s.null then return "null" end
  if kind == type(s.undefined) and value == s.undefined then return undefined_word(s) end
end

-- The text of a value that is no table.
local function scalar(s, value)
  local kind = type(value)
  if kind == "string" then return (s.write_string or stand_in.string)(value) end
  if kind == "number" then
    if value ~= value then return s.nan and "NaN" or fail "Invalid number: NaN not enabled" end
    if value - value ~= 0 then
      if not s.inf then fail "Invalid number: Infinity not enabled" end
      return value > 0 and "Infinity" or "-Infinity"
    end
    return stand_in.number(value)
  end
  if kind == "nil" then return "null" end
  if kind == "boolean" then
    local word = s.booleans[value]
    if not word then fail "Failed to encode value, encoders for boolean deny encoding" end
    return word == "undefined" and undefined_word(s) or word
  end
  local word = word_of(s, value)
  if word then return word end
  if value == fleece_null then return "null" end
  fail("Failed to encode value, " .. ((kind == "function" or kind == type(s.null) or kind == type(s.undefined)) and
    "encoders for " .. kind .. " deny encoding" or "unhandled type: " .. kind))
end

local function pre_process(s, value, is_key)
  local other = s.pre_process(value, is_key)
  if other == nil then return value end
  return other
end

local function key_text(s, key)
  local kind = type(key)
  if kind ~= "string" then
    if kind ~= "number" and kind ~= "boolean" then fail("Invalid object index type: " .. kind) end
    key = tostring(key)
  end
  if s.pre_process then
    key = pre_process(s, key, true)
    if type(key) == "table" then fail "Invalid object index type: table" end
  end
  return scalar(s, key)
end

-- ---- tables ------------------------------------------------------------------------------------------------

-- true or false; nil: its keys decide.
local function says_is_array(s, t)
  if s.is_array ~= nil then
    local says = s.is_array and s.is_array(t)
    if s.is_array and type(says) == "boolean" then return says end
    return nil
  end
  local meta = getmetatable(t)
  if meta == array_mt then return true end
  local says = type(meta) == "table" and meta.__is_luajson_array
  if says and says ~= true then return nil end
  return says or false
end

local function has_only_indexes(list, n, length)
  for i = 1, n, 2 do
    local key = list[i]
    if type(key) ~= "number" or key < 1 or key > length or key % 1 ~= 0 then return false end
  end
  return true
end

-- The field n: the number of items that an array says it has; nil: none.
local function field_n(t)
  local n = t.n
  if not n then return nil end
  n = tonumber(n)
  if not n then fail "the field 'n' of an array must be a number" end
  if n >= 2147483647 then fail "Invalid array length" end
  return n >= 1 and floor(n) or 0
end

-- Returns a level for the table: an array of n items, or the list of an object's names and values.
local function open(s, t, outer)
  local is_array, length, list, n = says_is_array(s, t), #t, nil, 0
  if is_array == false and length > 0 and s.is_array == nil then is_array = nil end
  if is_array == nil then
    local count = t.n
    is_array = type(count) == "number" and count >= 1 and count % 1 == 0 or nil
  end
  if not is_array then
    list = {}
    for key, value in pairs(t) do
      list[n + 1], list[n + 2] = key, value
      n = n + 2
    end
    if is_array == nil and has_only_indexes(list, n, length) then is_array = true end
  end
  if not is_array then return { t = t, outer = outer, i = 0, list = list, n = n / 2, open = "{", close = "}" } end
  return { t = t, outer = outer, i = 0, n = field_n(t) or length, open = "[", close = "]" }
end

-- The level for the parameters of a call; its name stands before the parenthesis.
local function open_call(call, outer)
  local name, t = call.name, call.parameters
  if type(name) ~= "string" and type(name) ~= "number" then fail "the name of a call must be a string" end
  if type(t) ~= "table" then fail "the parameters of a call must be a table" end
  return { t = t, outer = outer, i = 0, n = field_n(t) or #t, open = name .. "(", close = ")" }
end

-- The text of a value, of which s.compose, if there is one, writes the tables.
local function write(s, value, is_key)
  local parts, n, is_open, level = {}, 0, {}, nil
  local function put(text)
    n = n + 1
    parts[n] = text
  end
  local function put_value(v, key)
    if s.pre_process then v = pre_process(s, v, key) end
    if type(v) ~= "table" then return put(scalar(s, v)) end
    local inner
    if s.is_call(v) then
      inner = open_call(v, level)
    else
      local word = s.special and word_of(s, v)
      if word then return put(word) end
      inner = open(s, v, level)
    end
    if s.compose then return put(s.compose(inner)) end
    if is_open[inner.t] then fail "Recursive encoding of value" end
    is_open[inner.t], level = true, inner
    return put(inner.open)
  end
  put_value(value, is_key)
  while level do
    local i, list = level.i + 1, level.list
    level.i = i
    if i > level.n then
      put(level.close)
      is_open[level.t], level = nil, level.outer
    else
      if i > 1 then put "," end
      if list then
        put(key_text(s, list[2 * i - 1]))
        put ":"
        put_value(list[2 * i], false)
      else
        put_value(level.t[i], false)
      end
    end
  end
  return n > 1 and concat(parts) or parts[1]
end

-- ---- outputs -----------------------------------------------------------------------------------------------

-- Code that a program's composite completes: PUTINNER(condition), PUTVALUE(text), and what makes a function of it.
local pairs_code = [[
local comma = ''
for key, value in pairs(composite) do
  local kind = type(key)
  if kind ~= 'string' and kind ~= 'number' and kind ~= 'boolean' then
    error('Invalid object index type: ' .. kind, 0)
  end
  local text = comma .. encode(tostring(key), state, true) .. ':'
  comma = ','
  PUTVALUE(text)
  text = encode(value, state) or ''
  PUTVALUE(text)
end
]]
local items_code = [[
for i = 1, composite.n or #composite do
  PUTINNER(i > 1)
  local text = encode(composite[i], state) or ''
  PUTVALUE(text)
end
]]

-- The result of the composite for each table; false: none.
local function composer(composite, state)
  if composite == nil then fail "attempt to call a nil value" end
  return function(level)
    local t, is_call, open_tables = level.t, level.close == ")", state.already_encoded
    local noted = not is_call and type(open_tables) == "table"
    if noted then
      if open_tables[t] then fail "Recursive encoding of value" end
      open_tables[t] = true
    end
    local code, separator = items_code, ","
    if level.list then code, separator = pairs_code, nil end
    local text = composite(code, level.open, level.close, separator, t, state.encode, state)
    if noted then open_tables[t] = nil end
    if text == nil then return false end
    if type(text) ~= "string" and type(text) ~= "number" then fail "output.composite must be a string" end
    return text
  end
end

-- Returns the result of the output for the value, if it has any.
local function write_to(output, s, value)
  local depth, state = 0, { outputEncoder = output, already_encoded = {} }
  local own = setmetatable({ compose = composer(output.composite, state) }, { __index = s })
  function state.encode(v, _, is_key)
    depth = depth + 1
    if depth > 128 then fail "hooks nested too deep" end
    local text = write(own, v, is_key and true or false)
    depth = depth - 1
    if text then return text end
  end
  local text = state.encode(value, state)
  if text == nil then return end
  local simple = output.simple
  return simple and simple(text) or text
end

-- ---- the module --------------------------------------------------------------------------------------------

local function encode_by(s, value)
  if s.initial_object and (type(value) ~= "table" or s.is_call(value)) then
    fail "Invalid arguments: expects a JSON Object or Array at the root"
  end
  if s.output then
    local output = s.output()
    if output then return write_to(output, s, value) end
  elseif not s.special and stand_in.is_plain(value, s.null, 0) then
    return stand_in.upper(fleece_encode(value, s.options))
  end
  return write(s, value, false)
end

-- The options that the defaults are, or those of `strict`.
local function style(util, strict)
  return {
    calls = {}, object = {}, initialObject = strict or nil, number = { nan = not strict, inf = not strict },
    others = { allowUndefined = not strict, null = util.null, undefined = util.undefined },
    array = { isArray = util.IsArray }, strings = { xEncode = false, encodeSet = usual_set },
  }
end

-- Makes json.encode.
return function(util)
  local is_call, is_array = util.isCall, util.IsArray
  local null_and_undefined = { null = util.null, undefined = util.undefined }
  local usual = usual_settings(null_and_undefined)
  usual.is_call = is_call
  local function settings(options, number, name)
    if not options then return usual end
    O.check(options, number, name)
    local s = read_settings(null_and_undefined, is_array, options)
    s.is_call = is_call
    return s
  end
  local json = { default = style(util, false), strict = style(util, true) }
  function json.encode(value, options) return encode_by(settings(options, 2, "encode"), value) end
  function json.getEncoder(options)
    local s = settings(options, 1, "getEncoder")
    return function(value) return encode_by(s, value) end
  end
  local encode = json.encode
  return setmetatable(json, { __call = function(...)
    if select("#", ...) == 0 then error("bad argument #1 to '__call' (value expected)", 2) end
    return encode(select(2, ...))
  end })
end
