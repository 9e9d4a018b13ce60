-- SPDX-License-Identifier: MIT
-- test_number_forms.lua -- decimals, float32 and integers = "safe", in each function that takes them; by both walks.
-- runs: in one layout

local T = require "support"
local fleece, same = T.fleece, T.same

TestNumberForms = {}

local has_integers = math.type ~= nil
local zero = 0.0
local minus_zero = -zero -- at run time, because some compilers fold -0.0 into 0

-- The model of decimals is C's printf, through string.format; a zero has no sign. LuaJIT's own rounds ties up, and
-- a newer one writes other digits for 1e-300, so these are apart.
local function fixed(v, n)
  return (string.format("%." .. n .. "f", v):gsub("^%-(0%.?0*)$", "%1"))
end

function TestNumberForms:test_ties()
  same(T.encode({ 0.5, 1.5, 2.5, -2.5, 0.125, 0.375, 1e15 + 0.5 }, { decimals = 0 }), "[0,2,2,-2,0,0,1000000000000000]")
  same(T.encode({ 0.125, 0.375, -0.125, 0.0625 }, { decimals = 2 }), "[0.12,0.38,-0.12,0.06]")
  same(T.encode({ 0.0625, 0.1875 }, { decimals = 3 }), "[0.062,0.188]")
end

function TestNumberForms:test_tiny()
  for n, zero in pairs { [0] = "0", [2] = "0.00", [17] = "0.00000000000000000" } do
    same(T.encode({ 1e-300, -1e-300, 4.9e-324 }, { decimals = n }), "[" .. zero .. "," .. zero .. "," .. zero .. "]")
  end
end

function TestNumberForms:test_decimals()
  local list = { 1.005, -0.004, -0.005, 99.995, 1 / 3, 1e14 + 0.3, 0.1, -123.456, 4.35, 2 ^ -50 + 2 ^ -60 }
  for n = 0, 17 do
    local expected = {}
    for i, v in ipairs(list) do expected[i] = fixed(v, n) end
    same(T.encode(list, { decimals = n }), "[" .. table.concat(expected, ",") .. "]")
  end
end

-- The texts are arithmetic: no float from 2^63 on has a fraction, and integers are not floats.
function TestNumberForms:test_whole_numbers()
  local float = 2.0
  same(T.encode({ 7, float }, { decimals = 2 }), has_integers and "[7,2.00]" or "[7,2]")
  same(T.encode({ float }, { decimals = 2, float_integers = true }), "[2.00]")
  same(T.encode({ 1e21, -1e300 }, { decimals = 2 }), "[1e+21,-1e+300]")
  same(T.encode({ 2 ^ 63 }, { decimals = 2 }), "[9223372036854775808]")
  same(T.encode({ minus_zero }, { decimals = 2 }), has_integers and "[0.00]" or "[0]")
  same(T.encode({ [0.5] = 0.5 }, { decimals = 2 }), '{"0.5":0.50}')
end

function TestNumberForms:test_float32()
  for text, expected in pairs { ["0.10000000149011612"] = "0.1", ["0.1"] = "0.1", ["0.3333333333333333"] = "0.33333334",
    ["3.4028234663852886e38"] = "3.4028235e+38", ["1.401298464324817e-45"] = "1e-45", ["1e-46"] = "0", ["-1e-46"] = "-0",
    ["16777216.3"] = "16777216", ["1e300"] = "1e+300", ["-0.5"] = "-0.5", ["8388607.5"] = "8388607.5" } do
    same(T.encode({ tonumber(text) }, { float32 = true }), "[" .. expected .. "]", text)
    same(fleece.format("[" .. text .. "]", { float32 = true }), "[" .. expected .. "]", text)
  end
  same(T.encode({ 16777217 }, { float32 = true }), "[16777217]")
end

function TestNumberForms:test_safe_integers()
  local safe = { integers = "safe" }
  same(T.encode({ 2 ^ 53 - 1, 1 - 2 ^ 53, 2 ^ 64, 0.5 }, safe), "[9007199254740991,-9007199254740991,1.8446744073709552e+19,0.5]")
  for _, v in ipairs { 2 ^ 53, -2 ^ 53, 2 ^ 63, math.maxinteger or 2 ^ 53, math.mininteger or 2 ^ 53 } do
    T.rejects({ a = { v } }, "integer is beyond 2^53 - 1 at .a[1]", safe)
  end
  local exact = fleece.decode("[12345678901234567890, 9007199254740993, 1.50]", { numbers = "exact" })
  T.rejects(exact, "integer is beyond 2^53 - 1 at [1]", safe)
  same(T.encode({ exact[3] }, safe), "[1.50]")
  if fleece.info().runtime == "luajit" then
    local ffi = require "ffi"
    same(T.encode({ ffi.new("int64_t", 5) }, safe), "[5]")
    T.rejects({ ffi.new("uint64_t", -1) }, "integer is beyond 2^53 - 1 at [1]", safe)
    T.rejects({ ffi.new("int64_t", 2 ^ 60) }, "integer is beyond 2^53 - 1 at [1]", safe)
  end
  -- What counts is the text: with a point or an exponent a reader knows that it is a double.
  same(T.encode({ 2 ^ 53 }, { integers = "safe", float_integers = true }), "[9007199254740992.0]")
  same(T.encode({ 2 ^ 53 }, { integers = "safe", float_integers = true, decimals = 2 }), "[9007199254740992.00]")
  same(T.encode({ 2 ^ 53 - 1 }, { integers = "safe", canonical = "jcs" }), "[9007199254740991]")
  T.rejects({ 1e16 }, "integer is beyond 2^53 - 1 at [1]", { integers = "safe", canonical = "jcs" })
  same(fleece.format("[1e16, 9007199254740993.0]", safe), "[1e16,9007199254740993.0]")
  same(fleece.format("[1e16]", { integers = "safe", decimals = 1 }), "[10000000000000000.0]")
  for _, form in ipairs { { decimals = 0 }, { float32 = true }, { canonical = "jcs" } } do
    form.integers = "safe"
    T.raises_with("integer beyond 2^53 - 1 at line 1, column 2", fleece.format, "[1e16]", form)
  end
  same(fleece.encode({ [2 ^ 53] = 1 }, safe), '{"9007199254740992":1}') -- a name is a string
end

-- A text tells 2.0 from 2; what is beyond doubles keeps its digits.
function TestNumberForms:test_texts()
  local text = "[1.005, 2.0, 2, 1e3, -0.001, 1e400, 12345678901234567890, 9007199254740993]"
  same(fleece.format(text, { decimals = 2 }), "[1.00,2.00,2,1000.00,0.00,1e400,12345678901234567890,9007199254740993]")
  same(fleece.format('{"b":0.5,"a":[.5,+1.5,0x10]}', { decimals = 2, json5 = true, sort_keys = true }), '{"a":[0.50,1.50,16],"b":0.50}')
  local message = "integer beyond 2^53 - 1 at line 2, column 1, byte 5"
  for _, number in ipairs { "9007199254740992", "-9007199254740992", "12345678901234567890" } do
    T.raises_with(message, fleece.format, "[1,\n" .. number .. "]", { integers = "safe" })
  end
  same(fleece.format("[9007199254740991, 1e300]", { integers = "safe" }), "[9007199254740991,1e300]")
  local sink, result = T.collector()
  fleece.format_stream(function() local piece = text; text = nil; return piece end, sink, { decimals = 1 })
  same(result(), "[1.0,2.0,2,1000.0,0.0,1e400,12345678901234567890,9007199254740993]")
end

-- Numbers of a text may be longer than any room that is reserved for a number.
function TestNumberForms:test_long_numbers()
  local zeros = ("0"):rep(100000)
  same(fleece.format("[1." .. zeros .. "]", { decimals = 1 }), "[1.0]")
  same(fleece.format("[1" .. zeros .. "]", { decimals = 1 }), "[1" .. zeros .. "]")
  same(fleece.format("[1" .. zeros .. "e1]", { decimals = 1 }), "[1" .. zeros .. "e1]")
end

function TestNumberForms:test_documents()
  local bytes = fleece.from_json "[0.5, 2, 18446744073709551615]"
  same(fleece.to_json(bytes, { decimals = 2 }), "[0.50,2,18446744073709551615]")
  same(fleece.to_json(bytes, { float32 = true }), "[0.5,2,18446744073709551615]")
  T.raises_with("integer is beyond 2^53 - 1 at [3]", fleece.to_json, bytes, { integers = "safe" })
  same(T.encode(fleece.open(bytes), { decimals = 2 }), "[0.50,2,18446744073709551615]")
  same(T.encode(fleece.lazy "[0.5]", { decimals = 2 }), "[0.50]")
  T.rejects({ fleece.lazy "[9007199254740992]" }, "integer is beyond 2^53 - 1 at [1][1]", { integers = "safe" })
end

function TestNumberForms:test_other_functions()
  local codec = fleece.new { decimals = 2 }
  same(codec.edit('{"a":1}', { { "set", "a", 0.5 } }), '{"a":0.50}')
  same(codec.format "[0.5]", "[0.50]")
  local b = codec.builder()
  b:array():value(0.5):close_array()
  same(b:finish(), "[0.50]")
  local sink, result = T.collector()
  codec.write(sink, { 0.5 })
  same(result(), "[0.50]")
  for pair, message in pairs { decimals = "precision", float32 = "precision" } do
    T.raises_with("option '" .. pair .. "' does not go with '" .. message .. "'", fleece.encode, {}, { [pair] = pair == "float32" or 2, precision = 3 })
  end
  T.raises_with("option 'decimals' does not go with 'float32'", fleece.encode, {}, { decimals = 1, float32 = true })
  T.raises_with("option 'canonical' does not go with 'decimals'", fleece.encode, {}, { decimals = 1, canonical = "jcs" })
end
