-- SPDX-License-Identifier: MIT
-- test_json4lua_differential.lua -- fleece.json4lua compared with JSON4Lua: random values, texts, damaged texts.
--
-- No distribution has a package of it: FLEECE_JSON4LUA names its json.lua, or that is on LUA_PATH. It decodes numbers
-- only on Lua 5.2 and later. Only the differences that docs/json4lua.md lists are allowed here.

local T = require "support"
local D = require "differential"
local lu, random, pick = T.lu, T.random, D.pick
local ours = require "fleece.json4lua"

local real = D.find_file("FLEECE_JSON4LUA", package.path, "json",
  function(module) return module ~= ours and module.EMPTY_ARRAY end)

TestJson4LuaDifferential = { setUp = D.needs(real, "JSON4Lua", "FLEECE_JSON4LUA names its file") }

-- The message for an unsupported value without the address at its end.
local function clean(message)
  return (D.without_places(message,
    { "[^\n]-json[%w_]*%.lua:%d+: " }):gsub("^(encode attempt to encode unsupported type %a+):.*", "%1"))
end

-- ---- values: pairs, with each library's own null and empty tables ----------------------------------------------

local function bytes()
  local s = {}
  for i = 1, random(0, 6) do
    s[i] = string.char(random(1, 3) == 1 and pick { 8, 9, 10, 12, 13, 128, 255, 127, 34, 92, 47 } or random(32, 126))
  end
  return table.concat(s)
end

local function number()
  local n = pick { T.random_double(), random(-1000000, 1000000) / 100, random(-99, 99), 0, 2.0 ^ 53, 1e100, 1e15,
    random(-9, 9) * 10 ^ random(0, 15) }
  return D.rounded(n, ours.encode)
end

local META = {
  function() return { __pairs = function(t) return next, t end } end,
  function() return { __pairs = function() return next, { 5, 6 } end, __index = { 5, 6 } } end,
  function() return { __pairs = function() error("raised", 0) end } end,
  function() return { __len = function() error "not asked" end, __index = { x = 1 } } end,
  function() return { __index = function(_, k) return k end } end,
}

local value = D.twins {
  bytes = bytes, number = number, odds = 3,
  marks = function()
    local name = pick { "null", "null", "EMPTY_ARRAY", "EMPTY_OBJECT" }
    return ours[name], real[name]
  end,
  list = function(set)
    if random(1, 20) == 1 then set(random(1, 9), nil, nil) end
    if random(1, 20) == 1 then
      local v = pick { 1, print }
      set(pick { 0, -1, 1.5, 9, 30, "x", true, "n" }, v, v)
    end
  end,
  object = function(set)
    if random(1, 20) == 1 then
      local v = pick { 1, print }
      set(pick { 0, 1, 2, 1.5, true, false, "n" }, v, v)
    end
  end,
  finish = function(s, t)
    if random(1, 24) > 1 then return end
    local meta = pick(META)()
    setmetatable(s, meta)
    setmetatable(t, meta)
  end,
}

local compare = D.comparer { clean = clean }

function TestJson4LuaDifferential:test_random_encode()
  T.random_rounds(300, function()
    local a, b = value(1)
    compare("encode", function() return ours.encode(a) end, function() return real.encode(b) end)
  end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0e-2", "123456789", "9007199254740993", "1e300", "1e-320",
  "9223372036854775807", "9223372036854775808", "1e400", "1.", "-.5", "007", "-00.50", "1.e3", "1e", "1e+", "-",
  "1.5.2", ".", "+1", "1e5.5", "-e5" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', "'a'", '"\240\159\152\128"', '"tab\there"', '"\255\254"', '"\\ud800"',
  "'it\\'s'", '"\\q\\9"', '"\\"', '"\\u0000"', '"\127"', "'\"'", '"line\n"',
  '"long enough for two blocks of a vector unit, \\"quoted\\""' }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n" }
local BYTES = { "", "", '"', "'", "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", ".", "e", "x", "t", "n", "/", "*",
  " ", "\n", "\127", "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", ",}", "\1", "/*", "*/", ",,",
  "/* x */" }

local function space() return pick(SPACES) end

local text = D.texts {
  number = function() return D.mostly(NUMBERS, 12, 8) end,
  string = function() return D.mostly(STRINGS, 9, 8) end,
  name = function() return pick { '"k1"', '"k2"', "'k3'", "4" } end,
  space = space,
  before = function() return space() .. pick { "", "", "", "/* x */" } end,
  comma = function() return pick { ",", ",", ",", " " } end,
}

-- Surrogate pairs, and white space or a sign in \u; numbers that are sums, contain words or have an E; a comment
-- directly after a number.
local is_known = D.known(D.SURROGATE_PAIR, "\\u%x?%x?%x?[^%x]", "\\u%x?%x?%x?$", "[%+%-%.e%d][eE]?[%+%-]",
  "%d[ \n\t\r]*E", "%.%.+", "[^a-z%d%.]e", "[el]e", "^e", "%-9223372036854775808", not load and "[%d%+%-%.e]")

-- An outcome; all errors whose messages may differ are "an error". JSON4Lua raises Lua's own errors for a text that
-- ends in a string or a name, and for a name that is not a string.
local function kind_of(outcome)
  if outcome:find "^false" and
    not (outcome:find "Failed to scan constant" or outcome:find "ended unexpectedly s?c?a?n?n?i?n?g? ?array" or
    outcome:find "mal%-formed" or outcome:find "Unterminated") then return "an error" end
  return outcome
end

local compare_texts = D.comparer { clean = clean, known = function(got, wanted)
  if kind_of(got) == kind_of(wanted) then return true end
  if got:find "^false" and wanted:find "^false" and (wanted:find "attempt to" or wanted:find "index is nil") then
    return true
  end
  return wanted:find "attempt to concatenate" -- a name that is true, false or a table
end }

local compare_decode = D.decode_comparer(compare_texts, ours, real or {}, is_known)

-- From a position in the text: the text before it is ignored.
local function compare_decode_from(s, position)
  if is_known(s:sub(position)) then return end
  compare_texts(("decode %q from %d"):format(s, position), ours.decode, real.decode, s, position)
end

local function skip_without_decode()
  if _VERSION == "Lua 5.1" then lu.skip "this Lua: JSON4Lua does not decode numbers on Lua 5.1" end
end

function TestJson4LuaDifferential:test_random_decode()
  skip_without_decode()
  T.random_rounds(200, function()
    D.each_text(1, text, BYTES, function(s, damaged)
      compare_decode(s)
      if not damaged then compare_decode_from(s, random(1, #s + 1)) end
    end)
  end)
end

function TestJson4LuaDifferential:test_decode_odd_pieces()
  skip_without_decode()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES }, compare_decode)
end
