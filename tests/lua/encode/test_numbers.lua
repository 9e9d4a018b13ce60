-- SPDX-License-Identifier: MIT
-- test_numbers.lua -- exact integers, shortest doubles, precision as in printf, NaN and infinity, locales; by both walks.
-- runs: in one layout

local T = require "support"
local lu, fleece, same, model = T.lu, T.fleece, T.same, T.model

TestNumbers = {}

-- The value of a text, which is the same by both decoders.
local function decode(text, options)
  local value, other = fleece.decode(text, options), T.api.decode(text, options)
  same(T.encode(other), T.encode(value), text)
  if type(value) ~= "table" then same(other, value, text) end
  return value
end

local inf, nan = math.huge, math.huge - math.huge
local zero = 0.0
local minus_zero = -zero -- at run time, because some compilers fold -0.0 into 0

-- A number is written like the model's.
local function like_model(v)
  same(T.encode_by_model(v), model.number(v))
end

function TestNumbers:test_small_integers()
  for i = -1100, 1100 do same(T.encode_by_model(i), tostring(i)) end
  for e = 0, 15 do
    for d = -2, 2 do
      local v = 10 ^ e + d
      same(T.encode_by_model(v), string.format("%.0f", v))
      same(T.encode_by_model(-v), string.format("%.0f", -v))
    end
  end
end

function TestNumbers:test_powers_of_two()
  for e = 0, 53 do
    for d = -1, 1 do
      local v = 2.0 ^ e + d
      if v <= 2 ^ 53 then same(T.encode_by_model(v), string.format("%.0f", v)) end
    end
  end
  for e = 54, 63 do -- neighbours differ in the last bit of 53
    for d = -1, 1 do like_model((2 ^ 53 + d) * 2 ^ (e - 53)) end
  end
  for e = -1074, 1023 do
    local v = T.power[e]
    like_model(v)
    like_model(-v)
  end
end

-- Whole doubles of 64 bits, signed or not, and their neighbours that are not. The digits are those of exact arithmetic
-- (Python's int). Written as floats, so that they are floats on every Lua.
local whole_doubles = {
  { 2.0 ^ 53, "9007199254740992" },
  { 2.0 ^ 53 - 1, "9007199254740991" },
  { 2.0 ^ 53 + 2, "9007199254740994" },
  { 1e15, "1000000000000000" },
  { 1e16, "10000000000000000" },
  { 2.0 ^ 56, "72057594037927936" },
  { 1e17, "100000000000000000" },
  { 1e18, "1000000000000000000" },
  { 2.0 ^ 60, "1152921504606846976" },
  { 2.0 ^ 63 - 1024, "9223372036854774784" },
  { -2.0 ^ 63, "-9223372036854775808" },
  { 2.0 ^ 63, "9223372036854775808" },
  { 1e19, "10000000000000000000" },
  { 2.0 ^ 64 - 2048, "18446744073709549568" },
  { -2.0 ^ 63 - 2048, "-9.223372036854778e+18" },
  { 2.0 ^ 64, "1.8446744073709552e+19" },
  { 1e20, "1e+20" },
}

function TestNumbers:test_whole_doubles()
  for _, case in ipairs(whole_doubles) do
    local v, text = case[1], case[2]
    local pointed = text:find "[.e]" and text or text .. ".0"
    same(T.encode_by_model(v), text)
    same(T.json(v), text)
    same(T.encode({ v }, { indent = 1 }), "[\n " .. text .. "\n]")
    same(T.encode(v, { float_integers = true }), pointed)
    same(T.encode { [v] = 1, x = 2 }:find('"' .. text .. '":1', 1, true) ~= nil, true, text)
    same(decode(pointed), v)
    if v > 0 and v < 2 ^ 63 then same(T.encode(-v), "-" .. text) end
  end
end

-- An integer of a text that this Lua holds comes back byte for byte, as value and as name.
function TestNumbers:test_integers_come_back()
  for _, case in ipairs(whole_doubles) do
    local text = case[2]
    if not text:find "[.e]" then
      same(T.encode(decode("[" .. text .. ",-1]")), "[" .. text .. ",-1]")
      for _, options in ipairs { {}, { numbers = "exact" }, { order = true }, { numeric_keys = true }, { json5 = true } } do
        local object = '{"' .. text .. '":' .. text .. "}"
        same(T.encode(decode(object, options)), object)
      end
      local key = next(decode('{"' .. text .. '":1}', { numeric_keys = true }))
      same(key, decode(text))
      same(type(key), "number", text)
    end
  end
  for e = 53, 62 do
    local text = model.number((2 ^ 52 + T.random(0, 2 ^ 31)) * 2 ^ (e - 52))
    same(T.encode { decode(text), decode("-" .. text) }, "[" .. text .. ",-" .. text .. "]")
  end
end

function TestNumbers:test_integer_subtype()
  if not T.integers then lu.skip "this Lua: it has no integer subtype" end
  local list = { math.maxinteger, math.mininteger, math.maxinteger - 1, math.mininteger + 1, math.tointeger(2 ^ 53) + 1,
    -math.tointeger(2 ^ 53) - 1, 0, 1, -1, math.tointeger(2 ^ 62), 4294967295, 4294967296, 2147483648, -2147483648,
    -2147483649 }
  for _, v in ipairs(list) do
    same(T.encode_by_model(v), string.format("%d", v))
    same(T.encode({ [v] = v }, { empty_table = "object", precision = 3 }),
      (v == 1 and "[%s]" or '{"' .. v .. '":%s}'):format(v))
  end
  local v = 1
  for _ = 1, 18 do
    v = v * 10
    for d = -1, 1 do
      same(T.encode_by_model(v + d), string.format("%d", v + d))
      same(T.encode_by_model(-v + d), string.format("%d", -v + d))
    end
  end
end

function TestNumbers:test_random_integers()
  if not T.integers then lu.skip "this Lua: it has no integer subtype" end
  local divide = load "return function(a, b) return a // math.tointeger(b) end" ()
  T.random_rounds(1000, function() -- operators of 5.3 only in strings, because 5.1 reads this file too
    local v = ((T.random(0, 65535) * 65536 + T.random(0, 65535)) * 65536 + T.random(0, 65535)) * 65536 + T.random(0,
      65535)
    v = divide(v, T.power[T.random(0, 62)])
    same(T.encode_by_model(v), string.format("%d", v))
  end)
end

function TestNumbers:test_minus_zero()
  same(T.encode(minus_zero), "-0")
  same(T.encode { minus_zero }, "[-0]")
  same(T.encode(zero), "0")
  same(T.json(minus_zero), "-0")
  same(T.encode(minus_zero, { float_integers = true }), T.math_type(minus_zero) == "float" and "-0.0")
end

function TestNumbers:test_shortest_examples()
  T.each_pair({
    ["0.1"] = 0.1,
    ["0.2"] = 0.2,
    ["0.30000000000000004"] = 0.1 + 0.2,
    ["0.3333333333333333"] = 1 / 3,
    ["123.456"] = 123.456,
    ["1e-06"] = 1e-6,
    ["0.00001"] = 1e-5,
    ["0.000012"] = 1.2e-5,
    ["1.2e-06"] = 1.2e-6,
    ["1e+100"] = 1e100,
    ["1.7976931348623157e+308"] = 1.7976931348623157e308,
    ["2.2250738585072014e-308"] = 2.2250738585072014e-308,
    ["2.225073858507201e-308"] = 2.225073858507201e-308,
    ["5e-324"] = 5e-324,
    ["9.5"] = 9.5,
    ["99.99"] = 99.99,
    ["5.684341886080802e-14"] = 2 ^ -44,
    ["4503599627370495.5"] = 4503599627370495.5,
    ["1.5e+300"] = 1.5e300,
    ["-2.5"] = -2.5,
    ["1.1"] = 1.1,
    ["123456789012345.6"] = 123456789012345.6,
  }, function(text, v)
    same(T.encode_by_model(v), text)
    same(T.json(v), text)
  end)
end

function TestNumbers:test_random_bits()
  T.random_rounds(500, function() like_model(T.random_double()) end)
end

function TestNumbers:test_random_decimals()
  T.random_rounds(300, function()
    local digits = T.random(1, 999999999)
    like_model(tonumber(digits .. "e" .. T.random(-25, 25)))
    like_model(digits / 10 ^ T.random(0, 12))
    like_model(T.random(1, 99999) / 100)
  end)
end

function TestNumbers:test_hard_exponents()
  for e = 0, 2046 do
    like_model(T.double(false, e, 0, 1))
    like_model(T.double(false, e, 67108863, 67108863))
    if e > 0 then like_model(T.double(false, e, 0, 0)) end
  end
  for e = -323, 308 do
    for _, digits in ipairs { "1", "9", "1.2345678", "9.999999999999999", "4.9" } do
      local v = tonumber(digits .. "e" .. e)
      if v < inf then like_model(v) end
    end
  end
end

local function like_printf(v, digits)
  local expected = model.printf_g(v, digits)
  if not T.jit then same(expected, string.format("%." .. digits .. "g", v), "the model") end -- C's printf is exact
  if v == math.floor(v) and math.abs(v) <= 2 ^ 53 then expected = string.format("%.0f", v) end
  same(T.encode(v, { precision = digits }), expected, "precision " .. digits)
  same(T.encode({ -v }, { precision = digits }), "[" .. (expected:match "^%-(.*)" or "-" .. expected) .. "]",
    "precision " .. digits)
end

function TestNumbers:test_precision()
  local list = { 0.1, 1 / 3, 2 / 3, 123.456, 1e-5, 1e-4, 0.00012345, 1e15 + 0.5, 99.9999, 0.9999999, 9.5, 1e100,
    1.5e-300, 5e-324, 1.7976931348623157e308, 2.5, 1.25, 0.125, -7.0625, 1234567.891 }
  for _, v in ipairs { 2.4928209492456508e+245, 1.4315655348576507e-121, 8.9847459159912500e+14 } do
    list[#list + 1] = v
  end
  for digits = 1, 17 do
    for _, v in ipairs(list) do like_printf(v, digits) end
  end
  same(T.encode({ 2.5, 3.5, 0.125 }, { precision = 1 }), "[2,4,0.1]") -- ties go to even
  same(T.encode({ 2.5, 0.125, 0.375 }, { precision = 2 }), "[2.5,0.12,0.38]")
end

function TestNumbers:test_random_precision()
  T.random_rounds(400, function(round) like_printf(T.random_double(), round % 17 + 1) end)
end

-- Whole numbers up to 2^53 keep their digits, whatever their type is.
function TestNumbers:test_precision_of_whole_numbers()
  for digits = 1, 17 do
    for _, v in ipairs { 0.0, 1.0, 10.0, 123456.0, 16777217, 16777217.0, 1e15, 2.0 ^ 53 - 1, 2.0 ^ 53, -4096.0, -2.0 ^ 53 } do
      for _, options in ipairs { { precision = digits }, { precision = digits, indent = 1 } } do
        same(T.encode(v, options), string.format("%.0f", v), "precision " .. digits)
      end
    end
    for _, v in ipairs { 2.0 ^ 53 + 2, 1e17, 1e20, -2.0 ^ 63 } do like_printf(v, digits) end
  end
  same(T.encode({ id = 16777217 }, { precision = 7 }), '{"id":16777217}')
end

function TestNumbers:test_float_integers()
  local options = { float_integers = true }
  same(T.encode(1.5, options), "1.5")
  if T.integers then
    same(T.encode(1.0, options), "1.0")
    same(T.encode(1, options), "1")
    same(T.encode(-3.0, options), "-3.0")
    same(T.encode(2.0 ^ 53, options), "9007199254740992.0")
    same(T.encode({ 1, 1.0 }, options), "[1,1.0]")
    same(T.encode(100.0, { float_integers = true, precision = 5 }), "100.0")
    same(T.encode(1e10, { float_integers = true, precision = 5 }), "10000000000.0")
    same(T.encode(1e20, { float_integers = true, precision = 5 }), "1e+20")
    same(T.encode(0.5, { float_integers = true, precision = 5 }), "0.5")
  end
  same(T.encode(1.0), "1")
end

function TestNumbers:test_invalid_numbers()
  T.each({
    { value = nan, message = "number is NaN", literal = "NaN" },
    { value = -nan, message = "number is NaN", literal = "NaN" },
    { value = inf, message = "number is infinite", literal = "Infinity" },
    { value = -inf, message = "number is infinite", literal = "-Infinity" },
  }, function(case)
    local v, message, literal = case.value, case.message, case.literal
    T.rejects(v, message .. " at the root")
    T.rejects({ x = v }, message .. " at .x")
    T.rejects({ x = v }, message .. " at .x", { invalid_numbers = "error" })
    T.rejects({ x = v }, message .. " at .x", { precision = 5 })
    T.rejects({ 1, 2, { v } }, message .. " at [3][1]")
    same(T.encode({ v, 1 }, { invalid_numbers = "null" }), "[null,1]")
    same(T.encode({ v, 1 }, { invalid_numbers = "literal" }), "[" .. literal .. ",1]")
    same(T.encode({ v, 1.5 }, { invalid_numbers = "literal", precision = 3 }), "[" .. literal .. ",1.5]")
    same(T.encode({ v }, { invalid_numbers = "literal", float_integers = true }), "[" .. literal .. "]")
    T.rejects_json(v, message .. " at the root")
  end)
end

function TestNumbers:test_neighbouring_numbers()
  -- The fast paths for runs of numbers must not change neighbouring values.
  local t, texts = {}, {}
  for i = 1, 500 do
    local kind = T.random(1, 5)
    t[i] = kind == 1 and T.random(0, 99) or kind == 2 and T.random_double() or kind == 3 and -T.random(0, 2147483646)
      or kind == 4 and T.random(1, 9999) / 100 or 2 ^ T.random(0, 62)
    texts[i] = model.encode(t[i])
    same(T.json(t), "[" .. table.concat(texts, ",") .. "]")
  end
  T.encode_by_model(t)
end

function TestNumbers:test_locale()
  local old = os.setlocale(nil, "numeric")
  local set
  for _, name in ipairs { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "German" } do
    set = set or os.setlocale(name, "numeric")
  end
  if not set then lu.skip "this system: no locale with a decimal comma is installed" end
  local text, short = fleece.encode { 1.5, 1e-10 }, fleece.encode({ 2 / 3, 1e100 }, { precision = 5 })
  local api = T.api.encode { 1.5, 1e-10 }
  local read = decode "[0.5,1.2345678901234567890123e-300]"
  os.setlocale(old, "numeric")
  same(read[1], 0.5)
  same(read[2], 1.2345678901234567890123e-300)
  same(text, "[1.5,1e-10]")
  same(api, text)
  same(short, "[0.66667,1e+100]")
end
