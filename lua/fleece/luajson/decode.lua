-- SPDX-License-Identifier: MIT
-- decode.lua -- json.decode of fleece.luajson.
-- Must hold: fleece.decode reads the texts that mean the same to LuaJSON by the rules. Others are read here token by
-- token, without recursion. Globals are read once.

local stand_in, O, tokens = require "fleece.stand_in", require "fleece.luajson.options", require "fleece.luajson.tokens"
local safe_decode = require("fleece.safe").decode
local error, next, pcall, rawget, rawset, select = error, next, pcall, rawget, rawset, select
local setmetatable, tostring, type, loaded = setmetatable, tostring, type, package.loaded
local raw_length = rawget(_G, "rawlen") or function(t) return #t end
local find, format, gsub = string.find, string.format, string.gsub
local unpack = table.unpack or unpack
local skip, read = tokens.skip, tokens.read

-- The boolean options: group, name, the rule's name, value by default, value in strict mode.
local FLAGS = {
  { "", "unicodeWhitespace", "unicodeWhitespace", true, true },
  { "", "initialObject", "initialObject", false, true },
  { "", "nothrow", "nothrow", false, false },
  { "array", "allowEmptyElement", "array_empty", false, false },
  { "array", "trailingComma", "array_comma", true, false },
  { "object", "allowEmptyElement", "object_empty", false, false },
  { "object", "trailingComma", "object_comma", true, false },
  { "object", "number", "number_keys", true, false },
  { "object", "identifier", "identifier", true, false },
  { "calls", "allowUndefined", "allowUndefinedCalls", false, false },
  { "calls", "allowEmptyElement", "call_empty", false, false },
  { "calls", "trailingComma", "call_comma", true, true },
  { "number", "nan", "nan", true, false },
  { "number", "inf", "inf", true, false },
  { "number", "frac", "frac", true, true },
  { "number", "exp", "exp", true, true },
  { "number", "hex", "hex", false, false },
  { "others", "allowUndefined", "allowUndefined", true, false },
  { "strings", "strict_quotes", "strict_quotes", false, true },
}

local usual_escapes, strict_escapes, strict_bad = "bfnrtv/\\\"xu'z", "bfnrtv/\\\"u", "\b\f\n\r\t\v"

-- ---- rules -------------------------------------------------------------------------------------------------

-- A function of text and position for a function, or for a value that LPeg makes a pattern of, if the program has
-- loaded it; or nil. A function is used as by lpeg.P; a pattern gives its first capture, or the text that it matches.
local function matcher(value, is_name)
  local lpeg = rawget(loaded, "lpeg")
  if is_name then
    if not lpeg or lpeg.type(value) ~= "pattern" then return nil end
  elseif type(value) == "function" then
    return function(text, place)
      local after, result = value(text, place)
      return after == true and place or after, result or ""
    end
  elseif not lpeg then
    return nil
  end
  local pattern = is_name and value * "(" / function(name) return name end or lpeg.Cs(value)
  local match, places = lpeg.match, pattern * lpeg.Cp()
  return function(text, place)
    local result, after = match(places, text, place)
    return after, result
  end
end

local function escape_matcher(option, value)
  local found = matcher(value)
  if not found then error(format("option '%s' is a %s, but LPeg is not loaded", option, type(value)), 0) end
  return found
end

local function set_of(characters)
  local set = {}
  gsub(characters, ".", function(c) set[c] = true end)
  return set
end

-- The patterns for the next byte of a string that is not plain. A backslash begins an escape, even if it is a bad
-- character.
local function stops_for(bad)
  bad = gsub(bad, "[^%w]", "%%%0")
  bad = gsub(bad, "%%?%z", "%%z")
  return { ['"'] = '["\\' .. bad .. "]", ["'"] = "['\\" .. bad .. "]" }
end

local function read_strings(r, options)
  local bad = O.get(options, "strings", "badChars", "")
  if type(bad) == "number" then bad = tostring(bad) end
  if type(bad) ~= "string" then error("option 'strings.badChars' must be a string", 0) end
  r.bad, r.stops = bad, stops_for(bad)
  local check = O.get(options, "strings", "escapeCheck", usual_escapes)
  r.escapes = type(check) == "string" and set_of(check) or nil
  r.check = not r.escapes and check and escape_matcher("strings.escapeCheck", check) or nil
  local unicode = O.get(options, "strings", "decodeUnicode")
  if unicode ~= nil and type(unicode) ~= "function" then
    error("option 'strings.decodeUnicode' must be a function", 0)
  end
  r.decodeUnicode = unicode
  local more = O.get(options, "strings", "additionalEscapes")
  r.more = more and escape_matcher("strings.additionalEscapes", more) or nil
end

-- Makes the list of names, or functions that match them, and what is to be called.
local function read_defs(options)
  local defs, list = O.get(options, "calls", "defs"), {}
  if not defs then return nil end
  if type(defs) ~= "table" then error("option 'calls.defs' must be a table", 0) end
  for name, call in next, defs do
    local known = type(name) == "string" and name or type(name) ~= "string" and matcher(name, true)
    if not known then
      error(format("Invalid functionCalls name: %s not a string or LPEG pattern", tostring(name)), 0)
    end
    if type(call) ~= "boolean" and type(call) ~= "function" then
      error(format("Invalid functionCalls item: %s not a function", tostring(name)), 0)
    end
    list[#list + 1], list[#list + 2] = known, call
  end
  return list[1] and list or nil
end

-- Does JSON mean by the rules what fleece.decode makes of it?
local function is_plain(r)
  if r.set_key or r.more or r.check or r.decodeUnicode or r.defs then return false end
  if not r.frac or not r.exp or r.null == "nil" then return false end
  if find(r.bad, "[\32-\255]") and find(gsub(r.bad, "\\", ""), "[\32-\255]") then return false end
  for letter in next, r.escapes and set_of "\"\\/bfnrtu" or {} do
    if not r.escapes[letter] then return false end
  end
  return true
end

-- Reads the options; without them, the rules are the usual ones.
local function read_rules(util, options)
  local r = {}
  for _, flag in next, FLAGS do
    local value = O.get(options, flag[1], flag[2])
    if value == nil then value = flag[4] end
    r[flag[3]] = value and true or false
  end
  read_strings(r, options)
  r.defs = read_defs(options)
  r.calls = r.allowUndefinedCalls or r.defs ~= nil
  r.null = O.get(options, "others", "null", util.null) or nil
  r.undefined = O.get(options, "others", "undefined", util.undefined) or nil
  local set = O.get(options, "object", "setObjectKey", rawset)
  if type(set) ~= "function" then error("option 'object.setObjectKey' must be a function", 0) end
  r.set_key = set ~= rawset and set or nil
  r.plain = is_plain(r)
  local function plain_options(arrays)
    return { null = r.null == nil and "nil" or r.null, arrays = arrays, objects = "plain", invalid_utf8 = "pass",
      max_depth = stand_in.depth }
  end
  r.marked, r.unmarked = plain_options "marked", plain_options "plain"
  return r
end

-- ---- tables ------------------------------------------------------------------------------------------------

-- An array that ends. If items are nil its length depends on how it is filled: in LuaJSON's order.
local function array_of(init, level)
  local t, n, list = {}, level.n, level.list
  if init then
    t = init(t) or t
    if type(t) ~= "table" then error("table expected, got " .. type(t), 0) end
  end
  for i = 1, n do rawset(t, i, list[i]) end
  if raw_length(t) ~= n then rawset(t, "n", n) end
  return t
end

local function object_of(r, level)
  local t, list, set = {}, level.list, r.set_key or rawset
  for i = 1, level.n, 2 do set(t, list[i], list[i + 1]) end
  return t
end

local function call_of(build_call, level)
  local call = level.call
  if call == true then call = build_call end
  return (call(level.name, unpack(level.list, 1, level.n)))
end

-- ---- the order of tokens -----------------------------------------------------------------------------------

local KINDS = { ["["] = "array", ["]"] = "array", ["{"] = "object", ["}"] = "object", [")"] = "call" }

-- The value of an element is complete; if there is none, it is undefined or null where `empty` allows that. Returns an
-- error.
local function take_value(r, level, empty)
  if not level.has_value then
    if not empty then return "Previous value not set" end
    if r.allowUndefined then level.value = r.undefined else level.value = r.null end
  end
  level.n = level.n + 1
  level.list[level.n] = level.value
  level.has_value, level.has_key, level.has_elements, level.value = false, false, true, nil
end

-- At a comma, or with `closes` at the end of the container. Returns an error.
local function end_element(r, level, closes)
  local kind = level.kind
  if closes and not level.has_value and not level.has_key and not level.has_elements then return nil end
  if kind == "root" then return "Comma outside of an object or array" end
  local nothing = closes and not level.has_value and not level.has_key
  if nothing and r[kind .. "_comma"] then return nil end
  if kind == "object" and not level.has_key then return "Missing key value" end
  local wrong = take_value(r, level, r[kind .. "_empty"])
  return wrong or kind == "object" and level.has_nan and not r.set_key and "table index is NaN" or nil
end

-- The value becomes a key. Returns an error.
local function take_key(r, level)
  local kind = type(level.value)
  if level.kind ~= "object" then return "Cannot set key on array" end
  if not level.has_value then return "Previous value not set" end
  if level.has_key then return "Key set when one already in slot" end
  if kind ~= "string" and not (kind == "number" and r.number_keys) then
    return "As configured, a key must be a " .. (r.number_keys and "number or string" or "string")
  end
  if level.value ~= level.value then level.has_nan = true end
  level.n = level.n + 1
  level.list[level.n] = level.value
  level.has_key, level.has_value, level.value = true, false, nil
end

local function set_value(level, value) level.value, level.has_value = value, true end

-- An error of the order of tokens: the text from the position on is read for errors of tokens, which are reported
-- first.
local function fail_order(r, text, at, message)
  at = skip(r, text, at)
  while at <= #text do
    local _, _, after = read(r, text, at)
    at = skip(r, text, after)
  end
  error({ message = message }, 0)
end

local function scan(r, text, init, build_call)
  local level, is_table = { kind = "root", list = {}, n = 0 }, false -- has a table been read last?
  local at = skip(r, text, 1)
  r.plain_until = 0
  while at <= #text do
    local token, value, after, call = read(r, text, at)
    local wrong
    if token == "mark" then
      local kind = KINDS[value]
      if value == ":" then
        wrong = take_key(r, level)
      elseif value == "," then
        wrong = end_element(r, level, false)
      elseif value == "[" or value == "{" then
        is_table = false
        if level.has_value then wrong = "Value set when one already in slot"
        else level = { kind = kind, outer = level, list = {}, n = 0 } end
      elseif level.kind ~= kind then
        wrong = "Brackets do not match"
      else
        wrong = end_element(r, level, true)
        if not wrong then
          local built
          if kind == "array" then built = array_of(init, level)
          elseif kind == "object" then built = object_of(r, level)
          else built = call_of(build_call, level) end
          level = level.outer
          set_value(level, built)
          is_table = type(built) == "table"
        end
      end
    elseif level.has_value then
      wrong = "Value set when one already in slot"
    elseif token == "call" then
      is_table = false
      if call then level = { kind = "call", outer = level, list = {}, n = 0, name = value, call = call }
      else wrong = format("Function call on '%s' not permitted", tostring(value)) end
    else
      set_value(level, value)
      is_table = type(value) == "table"
      if token == "name" then wrong = take_key(r, level) end
    end
    if wrong then fail_order(r, text, at, wrong) end
    at = skip(r, text, after)
  end
  if r.initialObject and not is_table then error({ message = "Initial value not an object or array" }, 0) end
  if level.kind ~= "root" then error({ message = "Unclosed elements present" }, 0) end
  if not level.has_value then error({ message = "No value present" }, 0) end
  return level.value
end

-- ---- decode ------------------------------------------------------------------------------------------------

local function decode_by(util, own_init, r, text)
  if type(text) == "number" then text = tostring(text) end
  if type(text) ~= "string" then
    local got = text == nil and "no value" or type(text)
    local message = "bad argument #1 to 'decode' (string expected, got " .. got .. ")"
    if r.nothrow then return nil, message end
    error(message, 0)
  end
  local init = rawget(util, "InitArray") -- a program may replace it
  if r.plain and (not init or init == own_init) and (r.null ~= nil or not find(text, "null", 1, true)) then
    local value, message = safe_decode(text, init and r.marked or r.unmarked)
    if (value ~= nil or not message) and (not r.initialObject or type(value) == "table") then return value end
  end
  local ok, value = pcall(scan, r, text, init, r.calls and rawget(util, "buildCall"))
  if ok then return value end
  if type(value) ~= "table" or not value.message then error(value, 0) end
  local message = value.at and tokens.message(value, text) or value.message
  if r.nothrow then return nil, message end
  error(message, 0)
end

local function mode(util, strict)
  local t = {
    others = { null = strict and util.null, undefined = strict and util.undefined },
    object = { setObjectKey = rawset },
    strings = { badChars = strict and strict_bad or "", escapeCheck = strict and strict_escapes or usual_escapes,
      additionalEscapes = false },
  }
  for _, flag in next, FLAGS do
    local group = t
    if flag[1] ~= "" then
      t[flag[1]] = t[flag[1]] or {}
      group = t[flag[1]]
    end
    group[flag[2]] = flag[strict and 5 or 4]
  end
  return t
end

-- Makes json.decode.
return function(util, set_number)
  local own_init, strict = util.InitArray, mode(util, true)
  local words = { null = util.null, undefined = util.undefined }
  local usual = read_rules(words, {})
  local function rules(options, number, name)
    if not options then return usual end
    if options == true then options = strict end
    O.check(options, number, name)
    return read_rules(words, options)
  end
  local json = { strict = strict, simple = mode(util, false), util = { setObjectKeyForceNumber = set_number } }
  function json.decode(text, options) return decode_by(util, own_init, rules(options, 2, "decode"), text) end
  function json.getDecoder(options)
    local r = rules(options, 1, "getDecoder")
    return function(text) return decode_by(util, own_init, r, text) end
  end
  local decode = json.decode
  return setmetatable(json, { __call = function(...)
    if select("#", ...) == 0 then error("bad argument #1 to '__call' (value expected)", 2) end
    return decode(select(2, ...))
  end })
end
