-- SPDX-License-Identifier: MIT
-- test_luajson_differential.lua -- fleece.luajson against the real LuaJSON: random values, texts, damaged texts, options.
--
-- The real one (Debian: lua-json, lua-lpeg) is found on LUA_PATH; FLEECE_LUAJSON names another folder that has json.lua.
-- docs/luajson.md lists the differences that are allowed here, and no others.

local T = require "support"
local lu, random, jit = T.lu, T.random, rawget(_G, "jit")
local ours = require "fleece.luajson"

local NAMES = { "json", "json.decode", "json.encode", "json.util", "json.decode.util", "json.decode.state", "json.decode.composite",
  "json.decode.number", "json.decode.others", "json.decode.strings", "json.encode.array", "json.encode.calls", "json.encode.number",
  "json.encode.object", "json.encode.others", "json.encode.output", "json.encode.output_utility", "json.encode.strings" }

-- Other modules are called json too: it is loaded aside.
local function find()
  local path, loaded, global = package.path, {}, rawget(_G, "json")
  if os.getenv "FLEECE_LUAJSON" then package.path = os.getenv "FLEECE_LUAJSON" .. "/?.lua" end
  for _, name in ipairs(NAMES) do loaded[name], package.loaded[name] = package.loaded[name], nil end
  local found
  for folder in package.path:gmatch "[^;]+" do
    local chunk = loadfile((folder:gsub("?", "json")))
    local ok, module = pcall(chunk or error)
    if ok and type(module) == "table" and type(module.encode) == "table" and module ~= ours then found = found or module end
  end
  for _, name in ipairs(NAMES) do package.loaded[name] = loaded[name] end
  package.path = path
  rawset(_G, "json", global)
  return found
end

local real = find()

TestLuaJsonDifferential = {}

-- LuaJIT interprets: Debian 12's, of 2022, compiled LuaJSON's loops over some tables so that they did not end.
function TestLuaJsonDifferential:tearDown() if jit then jit.on() end end
function TestLuaJsonDifferential:setUp()
  if jit then jit.off() end
  if not real then lu.skip "SKIPPED: no LuaJSON with LPeg to compare with (Debian: lua-json, lua-lpeg)" end
end

local function pick(list) return list[random(1, #list)] end

local function describe(v)
  if type(v) ~= "table" then
    if v == ours.util.null or real and v == real.util.null then return "null" end
    if v == ours.util.undefined or real and v == real.util.undefined then return "undefined" end
    if v == 0 then return "0" end -- "-0": an integer there, -0.0 here
    if v ~= v then return "nan" end
    return type(v) == "string" and ("%q"):format(v) or T.math_type(v) == "float" and ("float %.17g"):format(v) or tostring(v)
  end
  local parts = { getmetatable(v) and "array" or "" }
  for k, item in pairs(v) do parts[#parts + 1] = describe(k) .. "=" .. describe(item) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- Messages without their place; LuaJSON's encoders of tables are strings that it loads, and their places look so.
local function message(e)
  return (tostring(e):gsub("^[^\n]-json[%w_/]*%.lua:%d+: ", ""):gsub('^%[string "[^\n]*"%]:%d+: ', ""))
end

local function collect(ok, ...)
  if not ok then return "error " .. message(...) end
  if ... == nil and select("#", ...) == 2 then return "nil, " .. message((select(2, ...))) end
  return select("#", ...) .. " " .. describe((...))
end

-- What LuaJSON takes and is refused here: the wrong closing bracket, two colons, a name without a value, no value, a
-- value right before a bracket; a comma or bracket outside is an error of another name.
local REFUSED = { ["Brackets do not match"] = true, ["Key set when one already in slot"] = true, ["Missing key value"] = true,
  ["No value present"] = true, ["Value set when one already in slot"] = true, ["Comma outside of an object or array"] = true }

local function compare(what, damaged, f, g, ...)
  local got, wanted = collect(pcall(f, ...)), collect(pcall(g, ...))
  if got == wanted then return end
  local refused = got:match "^error (.*)" or got:match "^nil, (.*)"
  if damaged and refused and REFUSED[refused] then return end
  lu.fail(("%s\n  LuaJSON: %q\n  fleece: %q"):format(what, wanted:sub(1, 400), got:sub(1, 400)))
end

-- ---- values: two alike, for each library's own marks ---------------------------------------------------------

local function bytes()
  local s = {}
  for i = 1, random(0, 6) do s[i] = string.char(random(1, 3) == 1 and random(0, 255) or random(32, 126)):rep(random(1, 9)) end
  return table.concat(s)
end

local function number()
  local kind, n = random(1, 12), nil
  if kind <= 3 then n = T.random_double()
  elseif kind <= 6 then n = random(-1000000, 1000000) / 100
  elseif kind == 7 then n = pick { 0, -0.0, 0.1, 1e15, 1e14, 99999999999999.5, 2.0 ^ 53, 1e100, 5e-324, 99999999999999 }
  elseif kind == 8 then n = random(1, 20) == 1 and pick { 1 / 0, -1 / 0, 0 / 0 } or 7
  else n = random(-9, 9) * 10 ^ random(0, 15) end
  -- LuaJIT's own %.14g does not round all ties to even, as C's does.
  if jit and n == n and n > -1 / 0 and n < 1 / 0 and ("%.14g"):format(n) ~= ours.encode(n) then return 1 end
  return n
end

local META = {
  function() return { __pairs = function(t) return next, t end } end,
  function() return { __pairs = function() return next, { 5, 6 } end } end,
  function() return { __pairs = function() error("raised", 0) end } end,
  function() local n = random(0, 2) return { __len = function() return n end } end,
  function() return { __is_luajson_array = pick { true, false, "perhaps" } } end,
  function() return setmetatable({}, { __index = { __is_luajson_array = true } }) end,
  function() return { __index = { "i", "j", n = random(0, 2) } } end,
  function() return { __index = function(_, k) return k == "n" and 2 or k end } end,
}

local both = { {}, {} } -- null and undefined of the two

local function value(depth)
  local kind = random(1, 26)
  if kind <= 6 then local s = bytes() return s, s end
  if kind <= 11 then local n = number() return n, n end
  if kind == 12 then local b = random(1, 2) == 1 return b, b end
  if kind == 13 and random(1, 12) == 1 then local v = pick { print, coroutine.create(function() end), io.stdout } return v, v end
  if kind == 14 then
    local name = random(1, 8) > 1 and "null" or "undefined"
    return both[1][name], both[2][name]
  end
  if depth > 6 or kind <= 16 then return "leaf", "leaf" end
  local s, t = {}, {}
  local function set(k, a, b) s[k], t[k] = a, b end
  if kind <= 20 then
    for i = 1, random(0, 6) do set(i, value(depth + 1)) end
    if random(1, 30) == 1 then set(random(1, 9), nil, nil) end
    if random(1, 30) == 1 then set(pick { 0, -1, 1.5, 9, "x", true, 2.0 ^ 60, "n" }, 1, 1) end
    if random(1, 30) == 1 then local n = pick { 0, 1, 3, 2.5, "2", false } set("n", n, n) end
  else
    for _ = 1, random(0, 6) do set(bytes(), value(depth + 1)) end
    if random(1, 30) == 1 then set(pick { 0, 1, 2, 1.5, true, false, "n" }, 1, 1) end
  end
  if random(1, 60) == 1 then set(1, s, t) end
  if random(1, 100) == 1 then set(setmetatable({}, { __index = {} }), 1, 1) end
  if random(1, 8) == 1 then
    ours.util.InitArray(s)
    real.util.InitArray(t)
  elseif random(1, 24) == 1 then
    local meta = META[random(1, #META)]()
    setmetatable(s, meta)
    setmetatable(t, meta)
  end
  return s, t
end

-- Arrays without a tie to a number: "the field n is no number" has other words there.
local function is_known(text) return text:find "^error [%a ]*'for' limit" or text:find("n' of an array is no number", 1, true) end

local function valid(s) return (s:gsub("\\(.)", function(c) if c == "v" then return "\\u000B" end end)) end

local function encode_both(options, others)
  local f = options == "strict" and function(v) return ours.encode(v, ours.encode.strict) end or
    options and function(v) return ours.encode(v, options) end or ours.encode
  local g = options == "strict" and function(v) return real.encode(v, real.encode.strict) end or
    options and function(v) return real.encode(v, options) end or real.encode
  if others then f, g = ours.encode.getEncoder(options), real.encode.getEncoder(options) end
  local a, b = value(1)
  local got, wanted = collect(pcall(f, a)), collect(pcall(function(v) return valid(g(v)) end, b))
  if got ~= wanted and not (is_known(got) and is_known(wanted)) and not wanted:find "attempt to compare" then
    local at = 1
    while got:byte(at) == wanted:byte(at) do at = at + 1 end
    at = math.max(at - 80, 1)
    lu.fail(("encode\n  LuaJSON: ... %q\n  fleece: ... %q"):format(wanted:sub(at, at + 300), got:sub(at, at + 300)))
  end
end

local function null() end
local function undefined() end

function TestLuaJsonDifferential:test_encode()
  both = { ours.util, real.util }
  T.for_seconds(1, function()
    for _ = 1, 60 do encode_both() end
  end)
end

function TestLuaJsonDifferential:test_encode_options()
  local settings = { "strict", { number = { nan = false } }, { number = { inf = false } }, { others = { allowUndefined = false } },
    { initialObject = true }, { others = { null = null, undefined = undefined } }, {} }
  T.for_seconds(1, function()
    for _, options in ipairs(settings) do
      local own = type(options) == "table" and options.others and options.others.null
      both = own and { options.others, options.others } or { ours.util, real.util }
      for i = 1, 8 do encode_both(options, i > 4 and options ~= "strict") end
    end
  end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0E-2", "123456789", "9007199254740993", "1e300", "1E-320", "9223372036854775807",
  "9223372036854775808", "-9223372036854775808", "1e400", "1.", "-.5", "007", "-00.50", "1.e3", "1e", "1e+", "-", "--1", "1-2", "1.5.2", ".",
  "0x10", "0XfF", "-0x8", "0x", "1x", "+1", "99999999999999999999999", "1e5.5", "NaN", "nan", "Infinity", "-infinity", "-NaN", "Inf" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', '"\240\159\152\128"', "'a'", '"tab\there"', '"\255\254"', '"\\ud800"', '"\\udc00\\ud800"', "'it\\'s'",
  '"\\x41\\xfF"', '"\\v"', '"\\x"', '"\\u12"', '"\\u12g4"', '"\\"', '"\\u0000"', '"\127"', '"line\n\\q"', "'\"'", "\"'\"", '"\\\\"', '"a\bb"',
  '"long enough for two blocks of a vector unit, \\"quoted\\""', '"\\q\\9"', '"\\\n"' }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n\v\f", "// x\n", "/* * / */", "\194\160", "\226\128\137", "\239\187\191", "\225\160\142" }
local WORDS = { "true", "false", "null", "null", "undefined" }

local function space() return pick(SPACES) end

local function key()
  return pick { '"k1"', '"k2"', "'k3'", "k4", "null", "_5", "6", "7.5" } .. space() .. ":"
end

local function text(depth)
  local kind = random(1, 12)
  if kind <= 3 then return NUMBERS[random(1, 8) > 1 and random(1, 13) or random(1, #NUMBERS)] .. space() end
  if kind <= 5 then return STRINGS[random(1, 8) > 1 and random(1, 7) or random(1, #STRINGS)] .. space() end
  if kind == 6 then return pick(WORDS) .. space() end
  if depth > 7 then return "[]" end
  local parts = {}
  for i = 1, random(0, 5) do parts[i] = (kind > 9 and key() or "") .. space() .. text(depth + 1) end
  if random(1, 10) == 1 then parts[#parts + 1] = "" end
  return (kind <= 9 and "[" or "{") .. space() .. table.concat(parts, "," .. space()) .. (kind <= 9 and "]" or "}") .. space()
end

local BYTES = { "", "", '"', "'", "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", "+", ".", "e", "x", "t", "n", "/", "*", " ", "\n", "\127",
  "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", "0x", ",}", "null:", "\1", "a:", "//", "/*", "NaN", ",," }

-- Pairs of surrogates; hexadecimal integers that wrap around; LuaJIT's numbers with five digits in their exponents;
-- \z on Lua 5.1, whose own strings do not have it; a byte 0 in a message of Lua 5.1, and columns of LuaJIT's %q.
local function is_known_text(s)
  return s:lower():find "\\ud[89ab]%x%x\\ud[cdef]" or s:find "0[xX]%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x" or
    jit and s:find "[eE][%+%-]?%d%d%d%d%d" or s:find("\\z", 1, true) or s:find("\0", 1, true) or
    _VERSION == "Lua 5.1" and s:find "\\[xu]?%x*%c"
end

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
  function() return { object = { setObjectKey = function(t, k, v) rawset(t, tostring(k) .. "!", v) end } } end,
  function(json) return { object = { setObjectKey = json.decode.util.setObjectKeyForceNumber } } end,
}

local function compare_decode(s, damaged, mode)
  if is_known_text(s) then return end
  mode = mode or 1
  compare(("mode %d, decode %q"):format(mode, s), damaged, function(s) return ours.decode(s, MODES[mode](ours)) end,
    function(s) return real.decode(s, MODES[mode](real)) end, s)
end

function TestLuaJsonDifferential:test_decode()
  T.for_seconds(1, function()
    for _ = 1, 40 do
      local s = text(1)
      compare_decode(s)
      compare_decode(T.damaged(s, BYTES), true)
    end
  end)
end

function TestLuaJsonDifferential:test_decode_options()
  T.for_seconds(2, function()
    for mode = 2, #MODES do
      local s = text(2)
      compare_decode(s, false, mode)
      compare_decode(T.damaged(s, BYTES), true, mode)
    end
  end)
end

function TestLuaJsonDifferential:test_decode_odd_pieces()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES, WORDS }, function(s)
    compare_decode(s, true)
    compare_decode(s, true, 3)
  end)
end

-- One decoder for many texts, as getDecoder makes it.
function TestLuaJsonDifferential:test_decoders()
  for mode = 1, #MODES do
    local f, g = ours.decode.getDecoder(MODES[mode](ours)), real.decode.getDecoder(MODES[mode](real))
    for _ = 1, 20 do
      local s = text(1)
      if not is_known_text(s) then compare(("decoder %d, %q"):format(mode, s), false, f, g, s) end
    end
  end
end

-- What the tables of options say is what the original's say, but for LPeg's patterns and what takes them.
function TestLuaJsonDifferential:test_tables()
  local function same(got, wanted, path)
    for k, v in pairs(wanted) do
      local name = path .. "." .. tostring(k)
      if type(v) == "table" then same(got[k], v, name)
      elseif type(v) == "boolean" and not name:find "%.calls%." then T.same(got[k], v, name)
      elseif type(v) == "string" and not name:find "_[A-Z]+$" then T.same(got[k], v, name)
      elseif type(v) == "function" and not name:find "decodeUnicode" then T.same(type(got[k]), "function", name) end
    end
  end
  for _, part in ipairs { "strict", "simple" } do same(ours.decode[part], real.decode[part], "decode." .. part) end
  for _, part in ipairs { "strict", "default" } do same(ours.encode[part], real.encode[part], "encode." .. part) end
  same(ours.util, real.util, "util")
  T.same(ours.decode.default, real.decode.default)
end
