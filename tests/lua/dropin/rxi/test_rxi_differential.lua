-- SPDX-License-Identifier: MIT
-- test_rxi_differential.lua -- fleece.rxi compared with json.lua: random values, texts, damaged texts.
--
-- No distribution has a package of json.lua 0.1.2: FLEECE_RXI names its file, or it is on LUA_PATH as json.lua. Only
-- the differences that docs/json.md lists are allowed here.

local T = require "support"
local D = require "differential"
local random, pick, jit = T.random, D.pick, rawget(_G, "jit")
local ours = require "fleece.rxi"

local real = D.find_file("FLEECE_RXI", package.path, "json",
  function(module) return module ~= ours and module._version == "0.1.2" end)

TestRxiDifferential = { setUp = D.needs(real, "json.lua of rxi's", "FLEECE_RXI names its file") }

local compare = D.comparer {
  describe = function(v) return D.describe(v, nil, function(t) return tostring(getmetatable(t)) end) end,
  clean = function(message) return D.without_places(message, { "[^\n]-json[%w_]*%.lua:%d+: " }) end,
  known = function(_, wanted) return wanted:find "stack overflow" end,
}

-- ---- values ------------------------------------------------------------------------------------------------

local function bytes() return D.bytes(6, D.any_byte) end
local function number() return D.rounded(D.number(30), ours.encode) end

local META = {
  function() return { __jsontype = "object", __tojson = print, __index = { x = 1 } } end,
  function() return { __pairs = function(t) return next, t end } end,
  function() return { __pairs = function() return function(_, k) if not k then return "only", 1 end end end } end,
  function() return { __pairs = function() return next, { 5, 6 } end } end,
  function() return { __pairs = function() error("raised", 0) end } end,
  function()
    local n = random(1, 2)
    return { __len = function() return n end }
  end,
  function() return { __metatable = "hidden" } end,
}

-- An array with a hole whose # is equal to its number of items: json.lua loses the items after the hole.
local function holes_hide(t)
  local n = 0
  if t[1] == nil then return false end
  for k in next, t do
    if type(k) ~= "number" then return false end
    n = n + 1
  end
  if n ~= #t then return false end
  for i = 1, n do if rawget(t, i) == nil then return true end end
  return false
end

local function value(depth)
  local kind = random(1, 24)
  if kind <= 6 then return bytes() end
  if kind <= 11 then return number() end
  if kind == 12 then return random(1, 2) == 1 end
  if kind == 13 and random(1, 12) == 1 then return D.unsupported() end
  if depth > 6 or kind <= 15 then return "leaf" end
  local t = {}
  if kind <= 19 then
    for i = 1, random(0, 6) do t[i] = value(depth + 1) end
    if random(1, 40) == 1 then t[random(1, 9)] = nil end
    if random(1, 40) == 1 then t[pick { 0, -1, 1.5, 9, "x", true, 2.0 ^ 60 }] = 1 end
  else
    for _ = 1, random(0, 6) do t[bytes()] = value(depth + 1) end
    if random(1, 40) == 1 then t[pick { 0, 1, 2, 1.5, true }] = 1 end
  end
  if random(1, 40) == 1 then t[next(t) == nil and 1 or type(next(t)) == "string" and "t" or 1] = t end
  if random(1, 30) == 1 then setmetatable(t, pick(META)()) end
  if holes_hide(t) then
    debug.setmetatable(t, nil) -- even if it is protected
    t[1] = nil
  end
  return t
end

function TestRxiDifferential:test_random_encode()
  T.random_rounds(300, function() compare("encode", ours.encode, real.encode, value(1)) end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0E-2", "123456789", "9007199254740993", "1e300", "1E-320",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400", "1.", "-.5", "007", "-00.50", "1.e3",
  "1e", "1e+", "-", "--1", "1-2", "1.5.2", ".", "0x10", "0x1p4", "-0x.8", "0x", "1x", "+1", "1e5e5",
  "99999999999999999999999", "1e5.5", "-e5", "1:2", "1\"2\"" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', '"\\ud83d\\ude00"', '"\240\159\152\128"', '"tab\there"', '"\255\254"',
  '"\\ud800"', '"\\udc00\\ud800"', '"\\ud800x\\u0041"', '"\\x"', '"\\u12"', '"\\u12g4"', '"\\u12"34"', '"\\"',
  '"\\ud83d\\ude0"', '"\\u0000"', '"\127"', '"long enough for two blocks of a vector unit, \\"quoted\\""', '"\\q\\9"' }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n" }

local text = D.texts {
  number = function() return D.mostly(NUMBERS, 13, 8) end,
  string = function() return D.mostly(STRINGS, 7, 8) end,
  name = function() return '"k' .. random(1, 5) .. '"' end,
  space = function() return pick(SPACES) end,
  trailing = 10,
}

local BYTES = { "", "", '"', "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", "+", ".", "e", "x", "t", "n", "/", "*",
  " ", "\n", "\127", "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", "0x", ",}", "null:", "\1" }

-- A high surrogate before the escape of another character; hexadecimal integers that wrap around; exponents of five
-- digits in LuaJIT.
local is_known = D.known("\\u[dD][89abAB]%x%x\\u[^dD]", "\\u[dD][89abAB]%x%x\\u[dD][^c-fC-F]", D.WIDE_HEXADECIMAL,
  jit and "[eEpP][%+%-]?%d%d%d%d%d")

local compare_decode = D.decode_comparer(compare, ours, real or {}, is_known)

function TestRxiDifferential:test_random_decode()
  T.random_rounds(200, function() D.each_text(1, text, BYTES, function(s) compare_decode(s) end) end)
end

function TestRxiDifferential:test_decode_odd_pieces()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES }, compare_decode)
end

function TestRxiDifferential:test_decode_arguments()
  for _, argument in ipairs { 5, true, {}, print } do compare("decode", ours.decode, real.decode, argument) end
  compare("decode", ours.decode, real.decode)
  compare("encode", ours.encode, real.encode)
end
