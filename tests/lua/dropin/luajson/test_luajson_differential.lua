-- SPDX-License-Identifier: MIT
-- test_luajson_differential.lua -- fleece.luajson compared with LuaJSON: random values, texts, damaged texts, options.
--
-- LuaJSON (Debian: lua-json, lua-lpeg) is found on LUA_PATH; FLEECE_LUAJSON names another folder that has json.lua.
-- Only the differences that docs/luajson.md lists are allowed here.
-- runs: in one layout

local T = require "support"
local D = require "differential"
local random, pick, jit = T.random, D.pick, rawget(_G, "jit")
local ours = require "fleece.luajson"

local NAMES = { "json", "json.decode", "json.encode", "json.util", "json.decode.util", "json.decode.state",
  "json.decode.composite", "json.decode.number", "json.decode.others", "json.decode.strings", "json.encode.array",
  "json.encode.calls", "json.encode.number", "json.encode.object", "json.encode.others", "json.encode.output",
  "json.encode.output_utility", "json.encode.strings" }

local outputs -- LuaJSON's json.encode.output

-- Loads LuaJSON without leaving it in package.loaded, because other modules are called json too.
local function find()
  local path, loaded, global = package.path, {}, rawget(_G, "json")
  -- it is plain Lua, so one copy is for all versions
  package.path = path .. ";/usr/share/lua/5.3/?.lua;/usr/share/lua/5.1/?.lua"
  if os.getenv "FLEECE_LUAJSON" then package.path = os.getenv "FLEECE_LUAJSON" .. "/?.lua" end
  for _, name in ipairs(NAMES) do loaded[name], package.loaded[name] = package.loaded[name], nil end
  local found = D.find_on(package.path, "json",
    function(module) return type(module.encode) == "table" and module ~= ours end)
  outputs = package.loaded["json.encode.output"]
  for _, name in ipairs(NAMES) do package.loaded[name] = loaded[name] end
  package.path = path
  rawset(_G, "json", global)
  return found
end

local real = find()

TestLuaJsonDifferential = {}
local skip_without = D.needs(real, "LuaJSON with LPeg", "Debian: lua-json, lua-lpeg", true)

-- These tests run without LuaJIT's compiler: with Debian 12's (of 2022), LuaJSON's loops over some tables did not end.
function TestLuaJsonDifferential:tearDown() if T.compiled then jit.on() end end
function TestLuaJsonDifferential:setUp()
  if jit then jit.off() end
  skip_without()
end

local function leaf(v)
  if v == ours.util.null or v == real.util.null then return "null" end
  if v == ours.util.undefined or v == real.util.undefined then return "undefined" end
  return v ~= v and "nan" or nil
end

local function describe(v) return D.describe(v, leaf, function(t) return getmetatable(t) and "array" or "" end) end

-- LuaJSON's encoders of tables are chunks loaded from strings, and positions in messages look like that.
local function clean(message)
  return D.without_places(message, { "[^\n]-json[%w_/]*%.lua:%d+: ", '%[string "[^\n]*"%]:%d+: ' })
end

local compare = D.comparer { describe = describe, clean = clean }

-- Fleece refuses texts that LuaJSON accepts: with the wrong closing bracket, two colons, a name without a value, no
-- value, a value directly before a bracket. A comma or bracket outside of a container is a different error.
local REFUSED = { ["Brackets do not match"] = true, ["Key set when one already in slot"] = true,
  ["Missing key value"] = true, ["No value present"] = true, ["Value set when one already in slot"] = true,
    ["Comma outside of an object or array"] = true }

local compare_damaged = D.comparer { describe = describe, clean = clean, known = function(got)
  return REFUSED[got:match '^false | "(.*)"$' or got:match '^true | nil | "(.*)"$']
end }

-- ---- values: pairs, with each library's own marks ------------------------------------------------------------

-- Not "n": as a name that is the number of items, which is tested with suitable numbers.
local function bytes() return (D.bytes(6, D.any_byte):gsub("^n$", "m")) end
local function number() return D.rounded(D.number(20), ours.encode) end

local META = {
  function() return { __pairs = function(t) return next, t end } end,
  function() return { __pairs = function() return next, { 5, 6 } end } end,
  function() return { __pairs = function() error("raised", 0) end } end,
  function()
    local n = random(0, 2)
    return { __len = function() return n end }
  end,
  function() return { __is_luajson_array = pick { true, false, "perhaps" } } end,
  function() return setmetatable({}, { __index = { __is_luajson_array = true } }) end,
  function() return { __index = { "i", "j", n = random(0, 2) } } end,
  function() return { __index = function(_, k) return k == "n" and 2 or k end } end,
}

local both = { {}, {} } -- null and undefined of both libraries

local value = D.twins {
  bytes = bytes, number = number, odds = 12,
  marks = function()
    local name = random(1, 8) > 1 and "null" or "undefined"
    return both[1][name], both[2][name]
  end,
  list = function(set)
    if random(1, 30) == 1 then set(random(1, 9), nil, nil) end
    if random(1, 30) == 1 then set(pick { 0, -1, 1.5, 9, "x", true, 2.0 ^ 60, "n" }, 1, 1) end
    if random(1, 30) == 1 then
      local n = pick { 0, 1, 3, 2.5, "2", false }
      set("n", n, n)
    end
  end,
  object = function(set)
    if random(1, 30) == 1 then set(pick { 0, 1, 2, 1.5, true, false, "n" }, 1, 1) end
  end,
  finish = function(s, t)
    if random(1, 60) == 1 then s[1], t[1] = s, t end
    if random(1, 100) == 1 then
      local key = setmetatable({}, { __index = {} })
      s[key], t[key] = 1, 1
    end
    if random(1, 8) == 1 then
      ours.util.InitArray(s)
      real.util.InitArray(t)
    elseif random(1, 24) == 1 then
      local meta = pick(META)()
      setmetatable(s, meta)
      setmetatable(t, meta)
    end
  end,
}

-- "the field n is no number": LuaJSON's message is different.
local function is_known_outcome(text)
  return text:find "^false | \"[%a ]*'for' limit" or text:find("n' of an array is no number", 1, true)
end

local compare_encode = D.comparer { describe = describe, clean = clean, known = function(got, wanted)
  return is_known_outcome(got) and is_known_outcome(wanted) or wanted:find "attempt to compare"
end }

local function valid(s) return (s:gsub("\\(.)", function(c) if c == "v" then return "\\u000B" end end)) end

-- Options with functions; made separately for each library, because they may return its null and count their calls.
local FUNCTIONS = {
  function()
    local n = 0
    return { preProcess = function(v)
      n = n + 1
      if type(v) ~= "table" then return n end
    end }
  end,
  function() return { preProcess = function(v, key) if key then return "<" .. v .. ">" end end } end,
  function() return { preProcess = function(_, key) if key then return 1.5 end end } end,
  function(util)
    return { preProcess = function(v)
      if type(v) == "boolean" then return v and util.null or { v = util.undefined } end
    end }
  end,
  function(util)
    return { preProcess = function(v) if type(v) == "number" then return util.buildCall("f", "v", nil, {}) end end }
  end,
  function() return { preProcess = function(v) if type(v) == "string" and #v > 3 then error("raised", 0) end end } end,
  function() return { array = { isArray = function(t) return next(t) == nil or nil end } } end,
  function() return { array = { isArray = function(t) return #t > 1 end } } end,
  function() return { array = { isArray = function() return "perhaps" end } } end,
  function() return { array = { isArray = false } } end,
  function() return { array = { isArray = function(t) if #t == 2 then error("raised", 0) end end } } end,
  function() return { strings = { processor = function(s, n) return valid(s):upper() .. n end } } end,
  function() return { strings = { processor = function(s) if #valid(s) < 4 then return #s end end } } end,
  function() return { strings = { processor = function(s) return s end, xEncode = true } } end,
  function() return { strings = { xEncode = true, encodeSetAppend = "\128-\255" } } end,
  function() return { strings = { encodeSetAppend = "\127-\191" } } end,
  function() return { strings = { encodeSet = "%c\\\"\195" } } end,
  function() return { strings = { encodeSet = "^a-z" } } end,
  function(util) return { others = { null = false, undefined = util.null } } end,
  function(util) return { others = { null = util.null, undefined = true }, number = { inf = false } } end,
  function(util) return { others = { null = "null", undefined = util.undefined } } end,
  function()
    local mark = setmetatable({}, { __eq = function() return true end })
    return { others = { null = mark } }
  end,
  function() return { others = { undefined = io.stdout, allowUndefined = false } } end,
  function() return { output = outputs.getDefault } end, -- LuaJSON's own, for both
  function()
    return { output = outputs.getDefault, preProcess = function(v) if v == true then return "true" end end }
  end,
}

-- The pieces that are written to a file, in order, and the result of encode.
local function written(json, v)
  local pieces = {}
  local file = { write = function(_, s) pieces[#pieces + 1] = valid(s) end }
  local returned = json.encode(v, { output = outputs.getIoWriter(file) })
  return table.concat(pieces, "|"), returned and valid(returned)
end

function TestLuaJsonDifferential:test_random_encode_output()
  both = { ours.util, real.util }
  T.random_rounds(200, function()
    local a, b = value(1)
    compare_encode("output", function() return written(ours, a) end, function() return written(real, b) end)
  end)
end

local function encode_both(options, others)
  local f = options == "strict" and function(v) return ours.encode(v, ours.encode.strict) end or
    options and function(v) return ours.encode(v, options) end or ours.encode
  local g = options == "strict" and function(v) return real.encode(v, real.encode.strict) end or
    options and function(v) return real.encode(v, options) end or real.encode
  if others then f, g = ours.encode.getEncoder(options), real.encode.getEncoder(options) end
  local a, b = value(1)
  compare_encode("encode", function() return f(a) end, function() return valid(g(b)) end)
end

local function null() end
local function undefined() end

function TestLuaJsonDifferential:test_random_encode_functions()
  both = { ours.util, real.util }
  T.random_rounds(10, function()
    for place, options in ipairs(FUNCTIONS) do
      local a, b = value(1)
      local function same(s)
        return options(ours.util).strings and options(ours.util).strings.xEncode and s or valid(s)
      end
      compare_encode("functions " .. place, function() return ours.encode(a, options(ours.util)) end,
        function() return same(real.encode(b, options(real.util))) end)
      compare_encode("encoder " .. place, function() return ours.encode.getEncoder(options(ours.util))(a) end,
        function() return same(real.encode.getEncoder(options(real.util))(b)) end)
    end
  end)
end

function TestLuaJsonDifferential:test_random_encode()
  both = { ours.util, real.util }
  T.random_rounds(300, function() encode_both() end)
end

function TestLuaJsonDifferential:test_random_encode_options()
  local settings = { "strict", { number = { nan = false } }, { number = { inf = false } },
    { others = { allowUndefined = false } }, { initialObject = true },
      { others = { null = null, undefined = undefined } }, {}, { number = false, strings = false, array = false },
    setmetatable({ number = setmetatable({}, { __index = { inf = false } }) }, { __index = { initialObject = true } }) }
  T.random_rounds(10, function()
    for _, options in ipairs(settings) do
      local own = type(options) == "table" and options.others and options.others.null
      both = own and { options.others, options.others } or { ours.util, real.util }
      for i = 1, 8 do encode_both(options, i > 4 and options ~= "strict") end
    end
  end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0E-2", "123456789", "9007199254740993", "1e300", "1E-320",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400", "1.", "-.5", "007", "-00.50", "1.e3",
  "1e", "1e+", "-", "--1", "1-2", "1.5.2", ".", "0x10", "0XfF", "-0x8", "0x", "1x", "+1", "99999999999999999999999",
  "1e5.5", "NaN", "nan", "Infinity", "-infinity", "-NaN", "Inf" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', '"\240\159\152\128"', "'a'", '"tab\there"', '"\255\254"', '"\\ud800"',
  '"\\udc00\\ud800"', "'it\\'s'", '"\\x41\\xfF"', '"\\v"', '"\\x"', '"\\u12"', '"\\u12g4"', '"\\"', '"\\u0000"',
  '"\127"', '"line\n\\q"', "'\"'", "\"'\"", '"\\\\"', '"a\bb"',
  '"long enough for two blocks of a vector unit, \\"quoted\\""', '"\\q\\9"', '"\\\n"' }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n\v\f", "// x\n", "/* * / */", "\194\160", "\226\128\137",
  "\239\187\191", "\225\160\142" }
local WORDS = { "true", "false", "null", "null", "undefined" }

local text = D.texts {
  number = function() return D.mostly(NUMBERS, 13, 8) end,
  string = function() return D.mostly(STRINGS, 7, 8) end,
  words = WORDS,
  name = function() return pick { '"k1"', '"k2"', "'k3'", "k4", "null", "_5", "6", "7.5" } end,
  space = function() return pick(SPACES) end,
  trailing = 10,
}

local BYTES = { "", "", '"', "'", "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", "+", ".", "e", "x", "t", "n", "/",
  "*", " ", "\n", "\127", "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", "0x", ",}", "null:", "\1", "a:",
  "//", "/*", "NaN", ",," }

-- Surrogate pairs; hexadecimal integers that wrap around; exponents of five digits in LuaJIT; \z in Lua 5.1, whose own
-- strings do not have it (\qz if q is consumed); a zero byte in a message of Lua 5.1; columns with LuaJIT's %q.
local is_known_text = D.known(D.SURROGATE_PAIR, D.WIDE_HEXADECIMAL, D.LONG_EXPONENT, "\\z", "\\qz", "%z",
  _VERSION == "Lua 5.1" and "\\[xu]?%x*%c")

local MODES = {
  function() return nil end,
  function() return nil end,
  function() return true end,
  function(json) return json.decode.simple end,
  function(json) return json.decode.strict end,
  function(json) return json.util.merge({}, json.decode.strict, { initialObject = false, number = { nan = true } }) end,
  function() return { number = { hex = true } } end,
  function() return { number = { nan = false } } end,
  function() return { number = { inf = false } } end,
  function() return { number = { frac = false } } end,
  function() return { number = { exp = false } } end,
  function() return { array = { trailingComma = false }, object = { trailingComma = false } } end,
  function() return { array = { allowEmptyElement = true }, object = { allowEmptyElement = true } } end,
  function() return { array = { allowEmptyElement = true, trailingComma = false }, others = { undefined = false } } end,
  function() return { object = { number = false } } end,
  function() return { object = { identifier = false } } end,
  function() return { unicodeWhitespace = false } end,
  function() return { initialObject = true } end,
  function() return { others = { allowUndefined = false } } end,
  function() return { others = { null = false } } end,
  function() return { others = { null = "none", undefined = 5 } } end,
  function() return { strings = { strict_quotes = true } } end,
  function() return { strings = { badChars = "k\1\t" } } end,
  function() return { strings = { escapeCheck = false } } end,
  function() return { nothrow = true } end,
  function()
    return { number = false, others = false, strings = false, array = false, object = false, calls = false }
  end,
  function()
    return setmetatable({ array = setmetatable({}, { __index = { trailingComma = false } }) },
      { __index = { initialObject = true } })
  end,
  function() return { object = { setObjectKey = function(t, k, v) rawset(t, tostring(k) .. "!", v) end } } end,
  function(json) return { object = { setObjectKey = json.decode.util.setObjectKeyForceNumber } } end,
}

local function compare_decode_in_mode(s, damaged, mode)
  if is_known_text(s) then return end
  mode = mode or 1
  local check = damaged and compare_damaged or compare
  check(("mode %d, decode %q"):format(mode, s), function(s) return ours.decode(s, MODES[mode](ours)) end,
    function(s) return real.decode(s, MODES[mode](real)) end, s)
end

function TestLuaJsonDifferential:test_random_decode()
  T.random_rounds(200, function() D.each_text(1, text, BYTES, compare_decode_in_mode) end)
end

function TestLuaJsonDifferential:test_random_decode_options()
  T.random_rounds(8, function()
    for mode = 2, #MODES do
      local s = text(2)
      compare_decode_in_mode(s, false, mode)
      compare_decode_in_mode(T.damaged(s, BYTES), true, mode)
    end
  end)
end

function TestLuaJsonDifferential:test_decode_odd_pieces()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES, WORDS }, function(s)
    compare_decode_in_mode(s, true)
    compare_decode_in_mode(s, true, 3)
  end)
end

-- Calls, and functions and patterns for escapes; made separately for each library and text, because they may count.
local function call_text(depth)
  local parts = {}
  for i = 1, random(0, 3) do
    parts[i] = depth > 0 and random(1, 3) == 1 and call_text(depth - 1) or random(1, 9) > 1 and text(1) or ""
  end
  local call = pick { "f", "g", "h", "a.b", "_x", "xY", "12", "null" } .. "(" ..
    table.concat(parts, pick { ",", " , " }) .. pick { "", "", " ", "," } .. ")"
  return pick { "%s", "[%s]", "[1,%s]", '{"k":%s}', "{k:%s,}", "// x\n%s" }:format((call:gsub("%%", "%%%%")))
end

local ESCAPES = { "\\q", "\\long", "\\n", "\\u0041", "\\u00e9", "\\x41", "\\v", "\\'", "\\\\", '\\"', "\\u12", "\\",
  "plain", "z", "\n", "\200" }
local function escape_text()
  local parts = {}
  for i = 1, random(1, 5) do parts[i] = pick(ESCAPES) end
  local quote = pick { '"', '"', "'" }
  return pick { "%s", "[1,%s]", "{%s:1}" }:gsub("%%s", function() return quote .. table.concat(parts) .. quote end)
end

local function first(_, v) return v end
local function with_lpeg()
  local lpeg = require "lpeg"
  local P, S, C, R = lpeg.P, lpeg.S, lpeg.C, lpeg.R
  local calls = {
    function() return { allowUndefined = true } end,
    function() return { allowUndefined = true, allowEmptyElement = true } end,
    function() return { allowUndefined = true, trailingComma = false, defs = { f = first, ["a.b"] = first } } end,
    function() return { defs = { f = first, g = true, h = false, ["a.b"] = function() end, _x = true } } end,
    function()
      local n = 0
      return { defs = { f = function(name, ...)
        n = n + 1
        return { name, n, select("#", ...), ... }
      end, h = true } }
    end,
    function()
      return { defs = { [C(R "az" ^ 1)] = first, [R "09" ^ 1 / tonumber] = true }, allowEmptyElement = true }
    end,
    function() return { defs = { [P "f"] = true, [C "x" * C(1)] = function(...) return select("#", ...) end } } end,
  }
  local strings = {
    function() return { additionalEscapes = C(1) } end,
    function() return { additionalEscapes = P "long" / "L" + P "q" + "'" } end,
    function() return { additionalEscapes = P "q" * C(1) } end,
    function() return { additionalEscapes = true } end,
    function() return { additionalEscapes = function(s, i) if s:find("^[qn]", i) then return i + 1, i end end } end,
    function() return { escapeCheck = #S "nqu" } end,
    function() return { escapeCheck = P "q" + #S "n'" } end,
    function() return { escapeCheck = C "q" / "Q" } end,
    function() return { escapeCheck = function(s, i) return s:sub(i, i) ~= "n" end, badChars = "z" } end,
    function() return { escapeCheck = function(s, i)
      if s:sub(i, i) == "x" then return true, "X" end
      return i
    end } end,
    function()
      local n = 0
      return { decodeUnicode = function(a, b)
        n = n + 1
        return a .. b .. n
      end }
    end,
    function() return { decodeUnicode = function(a, b) if b ~= "41" then return #a end end, strict_quotes = true } end,
    function() return { badChars = "\\n" } end,
  }
  return calls, strings
end

function TestLuaJsonDifferential:test_random_decode_functions()
  local calls, strings = with_lpeg()
  local function check(group, place, make, s, damaged)
    if is_known_text(s) then return end
    local function run(json)
      local mode = { [group] = make() }
      return function(s) return random(1, 2) == 1 and json.decode(s, mode) or json.decode.getDecoder(mode)(s) end
    end
    (damaged and compare_damaged or compare)(("%s %d, decode %q"):format(group, place, s), run(ours), run(real), s)
  end
  T.random_rounds(8, function()
    for place, make in ipairs(calls) do
      local s = call_text(2)
      check("calls", place, make, s)
      check("calls", place, make, T.damaged(s, BYTES), true)
      check("calls", place, make, T.damaged(s, { "(", ")", "f(", "()", "h(" }), true)
      check("calls", place, make, text(1))
    end
    for place, make in ipairs(strings) do
      local s = escape_text()
      check("strings", place, make, s)
      check("strings", place, make, T.damaged(s, BYTES), true)
      check("strings", place, make, text(1))
    end
  end)
end

-- One decoder from getDecoder for many texts.
function TestLuaJsonDifferential:test_decoders()
  for mode = 1, #MODES do
    local f, g = ours.decode.getDecoder(MODES[mode](ours)), real.decode.getDecoder(MODES[mode](real))
    for _ = 1, 20 do
      local s = text(1)
      if not is_known_text(s) then compare(("decoder %d, %q"):format(mode, s), f, g, s) end
    end
  end
end

-- The tables of options are equal to LuaJSON's, except for LPeg's patterns and the functions that take them.
function TestLuaJsonDifferential:test_tables()
  local function same(got, wanted, path)
    for k, v in pairs(wanted) do
      local name = path .. "." .. tostring(k)
      if type(v) == "table" then
        same(got[k], v, name)
      elseif type(v) == "boolean" and not name:find "%.calls%." then
        T.same(got[k], v, name)
      elseif type(v) == "string" and not name:find "_[A-Z]+$" then
        T.same(got[k], v, name)
      elseif type(v) == "function" and not name:find "decodeUnicode" then T.same(type(got[k]), "function", name) end
    end
  end
  for _, part in ipairs { "strict", "simple" } do same(ours.decode[part], real.decode[part], "decode." .. part) end
  for _, part in ipairs { "strict", "default" } do same(ours.encode[part], real.encode[part], "encode." .. part) end
  same(ours.util, real.util, "util")
  T.same(ours.decode.default, real.decode.default)
end
