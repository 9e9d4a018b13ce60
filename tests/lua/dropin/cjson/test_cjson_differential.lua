-- SPDX-License-Identifier: MIT
-- test_cjson_differential.lua -- fleece.cjson compared with lua-cjson: random values, texts, damaged texts, settings.
--
-- lua-cjson is found by `require "cjson"` (Debian's 2.1.0), or is the file that FLEECE_CJSON names, for example
-- OpenResty's, which has more settings. Only the differences that docs/cjson.md lists are allowed here.

local T = require "support"
local D = require "differential"
local lu, random, pick = T.lu, T.random, D.pick
local ours = require "fleece.cjson"

local real, why = D.find_object("FLEECE_CJSON", "cjson")
package.loaded.cjson = real -- so that fleece.cjson knows its marks
local classic = real and not real.array_mt -- without OpenResty's additions: numbers are doubles, and there are no marks

TestCjsonDifferential = { setUp = D.needs(real, "lua-cjson for this Lua", tostring(why):sub(1, 60), true) }

-- ---- settings ----------------------------------------------------------------------------------------------

local SETTINGS = {
  { name = "encode_sparse_array", values = function() return pick { true, false }, random(0, 3), random(0, 12) end },
  { name = "encode_max_depth", values = function() return random(1, 8) end },
  { name = "decode_max_depth", values = function() return random(1, 8) end },
  {
    name = "encode_number_precision",
    values = function() return random(classic and T.integers and 2 or 1, classic and 14 or 16) end,
  },
  { name = "encode_keep_buffer", values = function() return pick { true, false, "on", "off" } end },
  {
    name = "encode_invalid_numbers",
    values = function() return pick(classic and { false, "null", "off" } or { true, false, "null", "on" }) end,
  },
  { name = "decode_invalid_numbers", values = function() return pick { true, false } end },
  { name = "encode_empty_table_as_object", values = function() return pick { true, false } end },
  { name = "decode_array_with_array_mt", values = function() return pick { true, false } end },
  { name = "encode_escape_forward_slash", values = function() return pick { true, false } end },
  { name = "encode_skip_unsupported_value_types", values = function() return pick { true, false } end },
  { name = "encode_indent", values = function() return pick { "", "  ", "\t" } end },
  { name = "decode_allow_comment", values = function() return pick { true, false } end },
}

-- Two new instances with the same settings, and a text that lists them.
local function instances()
  local a, b, said = ours.new(), real.new(), {}
  for _, setting in ipairs(SETTINGS) do
    local name, values = setting.name, { setting.values() }
    if real[name] and random(1, 3) == 1 then
      local wanted, got = { b[name](T.unpack(values)) }, { a[name](T.unpack(values)) }
      lu.assertEquals(got, wanted, name)
      for i = 1, #values do values[i] = tostring(values[i]) end
      said[#said + 1] = name .. "(" .. table.concat(values, ",") .. ")"
    end
  end
  return a, b, table.concat(said, " "), a.encode_indent() ~= "" and a.encode_skip_unsupported_value_types()
end

-- ---- comparing ---------------------------------------------------------------------------------------------

local THROWN = {}

-- The text of a value; in 2.1.0 all numbers are doubles.
local function leaf(v)
  if v == THROWN then return "thrown" end
  if v ~= v then return "nan" end
  return classic and type(v) == "number" and v ~= 0 and ("%.17g"):format(v) or nil
end

local function mark(t)
  return (getmetatable(t) == ours.array_mt or not classic and getmetatable(t) == real.array_mt) and "array" or ""
end

-- Results must be equal, and error messages too, raised or returned after nil.
local compare = D.comparer {
  describe = function(v) return D.describe(v, leaf, mark) end,
  clean = function(message)
    if not classic then return message end
    return (message:gsub("T_INTEGER", "T_NUMBER"):gsub("NaN or Infinity", "NaN or Inf"))
  end,
}

-- ---- values ------------------------------------------------------------------------------------------------

local function bytes(n)
  local s = {}
  for i = 1, n do s[i] = string.char(random(1, 4) == 1 and random(0, 255) or random(32, 127)) end
  return table.concat(s)
end

local function number()
  local kind = random(1, 6)
  if kind == 1 then return T.random_double() end
  if kind == 2 then return random(-1000000, 1000000) / 100 end
  if kind == 3 then return pick { 0, -0.0, 1 / 0, -1 / 0, 0 / 0, 0.1, 1e15, 1e14, 123456789012.0, 99999999999999.5 } end
  if kind == 4 then return random(-9, 9) + 0.0 end
  -- 2.1.0 also rounds integers.
  return random(-9, 9) * (T.integers and classic and 1 or 10 ^ random(0, 15))
end

local value

local function list(depth)
  local t, holes = {}, random(1, 3) == 1
  for i = 1, random(0, 6) do
    local at = holes and random(1, 14) or i
    t[at] = value(depth + 1)
  end
  return t
end

local KEYS = { function() return bytes(random(0, 5)) end, function() return random(-3, 20) end,
               function() return "k" .. random(1, 9) end, function() return random(1, 50) / 10 end,
               function() return true end }

local function object(depth)
  local t = {}
  for _ = 1, random(0, 6) do
    t[KEYS[random(1, 40) > 1 and random(1, 3) or random(1, #KEYS)]()] = value(depth + 1)
  end
  return t
end

local function metatable()
  local kind = random(1, 8)
  if kind == 1 then return real.array_mt end
  if kind == 2 then return real.empty_array_mt end
  if kind == 3 then return { __index = function(_, k) return type(k) == "number" and k < 9 and k * 2 or nil end } end
  if kind == 4 then return { __len = function() return 3 end } end
  if kind == 5 then return { __len = function() return 2.7 end, __index = function(_, k) return "item " .. k end } end
  if kind == 6 then return { __tojson = function() return "1" end, __jsontype = "array", __pairs = error } end
  return { __len = pick { function() end, function() return -1 end, function() return 0 / 0 end,
                          function() error("from a hook", 0) end, function() error(THROWN) end } }
end

function value(depth)
  local kind = random(1, 20)
  if kind <= 4 then return bytes(random(0, 40)) end
  if kind <= 9 then return number() end
  if kind == 10 then return random(1, 2) == 1 end
  if kind == 11 then return real.null end
  if kind == 12 and random(1, 6) == 1 then return D.unsupported() end
  if kind == 13 and not classic then return real.empty_array end
  if depth > 6 or kind <= 14 then return "leaf" end
  local t = kind <= 17 and list(depth) or object(depth)
  if not classic and random(1, 12) == 1 then setmetatable(t, metatable()) end
  return t
end

function TestCjsonDifferential:test_random_encode()
  T.random_rounds(20, function()
    local a, b, said, indented_skips = instances()
    if indented_skips then return end -- a table whose members are all skipped has one newline less or more
    for _ = 1, 10 do compare("encode, " .. said, a.encode, b.encode, value(1)) end
  end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local STRICT = { "0", "-1", "12.5", "1e5", "-0.0E-2", "123456789", "9007199254740993", "1e300", "1E-320" }
local ODD = { "1.", "-.5", "1.e3", "01", "-007", "0x1F", "-0x.8p3", "0x", "0x1p-1074", "0x1.fffffffffffff8p1023", "inf",
  "-Infinity", "NAN", "-nan", "+1", "+inf", "1e", "1e+", "-", "+", "--1", "1.5.5", "1e999", "-1e999", "00.33", "0e0e0",
  "0x1.8p", "infi", "nanx", "12x", "0x123456789abcdef123", "0x.0000000000000000000001", "0x1p-1075", "0x3p-1075",
  "0x0.00000001p-1050", "1e-400", "tru", "nul", "falsey", "True", "'a'", ".5", "undefined", "-0x", "+0x10", "+-1" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', '"\\ud83d\\ude00"', '"\240\159\152\128"', '"tab\there"', '"\255\254"',
  '"\\ud800"', '"\\udc00\\ud800"', '"\\ud800\\u0041"', '"\\x"', '"\\u12"', '"\\u12g4"',
  '"long enough for two blocks of a vector unit, \\"quoted\\""', '"\1\2\31\127"', '"\\u0000"' }
local SPACES = { "", "", "", " ", "\n  ", "\t\r\n", "  ", "/* c */", "// c\n", "/**/ //\r\n", "/* ", "//" }

local text = D.texts {
  number = function() return pick(random(1, 8) == 1 and ODD or STRICT) end,
  string = function() return D.mostly(STRINGS, 6, 8) end,
  words = { "true", "false", "null" },
  name = function() return '"k' .. random(1, 5) .. '"' end,
  space = function() return D.mostly(SPACES, 7, 30) end,
}

local BYTES = { "", "", "\0", '"', "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", "+", ".", "e", "x", "t", "n", "i",
  "/", "*", " ", "\n", "\127", "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", "0x", "inf" }

-- OpenResty reads 0X as 0 and X, and limits integers to 64 bits; C libraries read "nan(1)".
local is_known = D.known("[nN][aA][nN]%(", not classic and "0X", not classic and ("%d"):rep(19))

function TestCjsonDifferential:test_random_decode()
  T.random_rounds(20, function()
    local a, b, said = instances()
    D.each_text(10, text, BYTES, function(s)
      if not is_known(s) then compare(("decode %q, %s"):format(s, said), a.decode, b.decode, s) end
    end)
  end)
end

-- Each unusual piece by itself and in a container, with each setting that concerns it.
function TestCjsonDifferential:test_decode_odd_pieces()
  local a, b = ours.new(), real.new()
  for _, invalid in ipairs { true, false } do
    a.decode_invalid_numbers(invalid)
    b.decode_invalid_numbers(invalid)
    for _, pieces in ipairs { STRICT, ODD, STRINGS, BYTES } do
      for _, piece in ipairs(pieces) do
        for _, form in ipairs { "%s", " %s ", "[%s]", "[%s,1]", "[1,%s]", '{"a":%s}', "{%s:1}", '{"a"%s1}', "[1%s2]",
          "%s1", "%s %s" } do
          local s = form:gsub("%%s", (piece:gsub("%%", "%%%%")))
          compare(("decode %q, invalid numbers %s"):format(s, tostring(invalid)), a.decode, b.decode, s)
        end
      end
    end
  end
end

-- The safe module returns the same errors.
function TestCjsonDifferential:test_safe()
  local a, b = require "fleece.cjson.safe", not os.getenv "FLEECE_CJSON" and require "cjson.safe"
  if not b then return end
  for _, s in ipairs { "1", "[", "", "nul", '{"a":1}', 12, "[1,2" } do
    compare("safe decode", a.decode, b.decode, s)
  end
  for _, v in ipairs { print, { [{}] = 1 }, { 1, [100] = 2 }, 1 / 0, { {} }, "x" } do
    compare("safe encode", a.encode, b.encode, v)
  end
  for _, wrong in ipairs { {}, true, print } do
    compare("safe decode", a.decode, b.decode, wrong)
  end
end

-- Arguments: values, ranges, error messages.
function TestCjsonDifferential:test_arguments()
  local a, b = ours.new(), real.new()
  local arguments = {
    { nil, nil },
    { 1 },
    { 0 },
    { -1 },
    { 3.0 },
    { "5" },
    { "x" },
    { true },
    { "on" },
    { "off" },
    { "null" },
    { {} },
    { print },
    { 2147483647 },
    { true, 3 },
    { false, 1, 4 },
    { nil, 5 },
    { nil, nil, 6 },
    { true, "x" },
    { true, -1 },
    { 1, 2, 3, 4 },
    { nil, true },
  }
  for _, setting in ipairs(SETTINGS) do
    local name = setting.name
    -- Those two follow OpenResty's ranges and rules.
    for _, values in ipairs(real[name] and not (classic and name == "encode_number_precision") and
      name ~= "encode_indent" and arguments or {}) do
      local n = 0
      for i in pairs(values) do n = math.max(n, i) end
      local got, wanted = { pcall(a[name], T.unpack(values, 1, n)) }, { pcall(b[name], T.unpack(values, 1, n)) }
      lu.assertEquals(got, wanted, name)
    end
  end
  for _, name in ipairs { "encode", "decode" } do
    lu.assertEquals({ pcall(a[name]) }, { pcall(b[name]) })
    lu.assertEquals({ pcall(a[name], 1, 2) }, { pcall(b[name], 1, 2) })
  end
end
