-- SPDX-License-Identifier: MIT
-- test_exact_numbers.lua -- decode's option numbers = "exact": numbers that keep the digits of their text. Their order is
-- compared with that of padded digits, and of exact digits that the C library prints.

local T = require "support"
local lu, fleece, random, pick = T.lu, T.fleece, T.random, T.pick

local exact = { numbers = "exact" }
local function number(text) return fleece.decode(text, exact) end

-- An exact number with this value: a text that encode would not write.
local function spelled(text)
  local n = number(text)
  if type(n) == "number" then n = number(text .. (text:find "[.]" and "0" or ".0")) end
  T.same(type(n), "userdata", text)
  return n
end

TestExactNumbers = {}

local KEPT = { "1.0", "1e2", "1E2", "1.10", "12345678901234567890", "0.1000", "0.0", "-0.0", "0e0", "-1.50", "1e+2",
  "1e400", "-1e999999999", "1e-999999999", "18446744073709551616", "100000000000000000000000", "9223372036854775808",
  "-9223372036854775809", "0.1000000000000000055511151231257827", "1e-5", "123456789012345678901234567890.5" }
local PLAIN = { "0", "-0", "1", "-1", "12345", "9007199254740991", "0.1", "-2.25", "1.5", "0.001", "123456.789" }

function TestExactNumbers:test_which()
  for _, codec in ipairs { fleece, T.api, T.safe, fleece.new { order = true } } do
    for _, text in ipairs(PLAIN) do
      local n = codec.decode(text, exact)
      T.same(type(n), "number", text)
      T.same(n, fleece.decode(text), text)
    end
    for _, text in ipairs(KEPT) do
      local n = codec.decode("[" .. text .. "]", exact)[1]
      T.same(type(n), "userdata", text)
      T.same(tostring(n), text)
    end
  end
  T.each_pair({ -- is it exact as a double?
    ["9007199254740993"] = false,
    ["9007199254740994"] = true,
    ["9223372036854775807"] = false,
    ["-9223372036854775808"] = true,
    ["1152921504606846976"] = true,
    ["1000000000000000000"] = true,
  }, function(text, is_exact)
    T.same(type(number(text)), (T.integers or is_exact) and "number" or "userdata", text)
    T.same(T.encode { number(text) }, "[" .. text .. "]")
  end)
end

-- Decimals of 15 to 19 digits: those that encode writes are plain.
function TestExactNumbers:test_long_decimals()
  T.random_rounds(300, function()
    local whole, parts = ("%.0f"):format(random(0, 10 ^ random(0, 9))), {}
    for i = 1, 50 do
      local digits = ("%.0f%09d"):format(random(1, 10 ^ random(5, 9)), random(0, 999999999))
      parts[i] = (random(1, 2) == 1 and "-" or "") .. whole .. "." .. digits:sub(1, math.max(1, random(15, 19) - #whole))
    end
    local list = fleece.decode("[" .. table.concat(parts, ",") .. "]", exact)
    for i, text in ipairs(parts) do
      T.same(type(list[i]), fleece.encode(fleece.decode(text)) == text and "number" or "userdata", text)
      T.same(fleece.encode(list[i]), text)
    end
  end)
end

-- What encode writes for a double is plain, any other spelling is not.
function TestExactNumbers:test_random_doubles()
  T.random_rounds(3000, function()
    local d = T.random_double()
    local text = fleece.encode(d)
    T.same(T.encode { number(text) }, "[" .. text .. "]")
    local long = ("%.17e"):format(d)
    T.same(tostring(number(long)), long)
    T.same(number(long):number(), tonumber(long))
  end)
end

-- A number is plain exactly where encode writes its text: around the limits of what is told without writing it.
function TestExactNumbers:test_random_decimals()
  T.random_rounds(5000, function()
    local text = random(1, 2) == 1 and "-" or ""
    text = text .. (random(1, 3) == 1 and "0" or tostring(random(1, 9)))
    if text:sub(-1) ~= "0" then
      for _ = 1, random(0, 17) do text = text .. random(0, 9) end
    end
    if random(1, 5) > 1 then
      text = text .. "." .. ("0"):rep(random(1, 3) == 1 and random(1, 7) or 0)
      for _ = 1, random(1, 16) do text = text .. random(0, 9) end
    end
    if random(1, 6) == 1 then text = text .. pick { "e", "E" } .. pick { "", "-", "+" } .. random(0, 25) end
    local plain = fleece.decode("[" .. text .. "]", { big_numbers = "double" })[1]
    local kept = fleece.decode("[" .. text .. (" "):rep(random(0, 20)) .. "]", exact)[1]
    T.same(type(kept), fleece.encode(plain) == text and "number" or "userdata", text)
    T.same(tostring(type(kept) == "number" and text or kept), text)
    if type(kept) == "number" then T.same(kept, plain, text) end
  end)
end

function TestExactNumbers:test_written_as_they_came()
  local text = "[" .. table.concat(KEPT, ",") .. "]"
  T.same(T.encode(number(text)), text)
  T.same(T.encode(number(text), { metamethods = false, skip_unsupported = true }), text)
  T.same(T.json(number(text)), text)
  T.same(T.encode { a = number "1.0" }, '{"a":1.0}')
  T.same(T.encode(number "1.0"), "1.0")
  T.same(T.encode(number "1.0", { precision = 3, float_integers = true, indent = 2 }), "1.0")
  T.same(T.writer_text(fleece, number(text), nil, 10), text)
  local sink, result = T.collector()
  fleece.write(sink, number "1e2")
  T.same(result(), "1e2")
  local raw = fleece.new(exact)
  T.same(raw.encode(raw.decode(text)), text)
end

function TestExactNumbers:test_number()
  local cases = { { "1e2", 100.0 }, { "1.10", 1.1 }, { "-0.0", -0.0 }, { "1e400", math.huge }, { "-1e400", -math.huge },
    { "1e-999999999", 0.0 }, { "12345678901234567890", 12345678901234567890 }, { "18446744073709551616", 2 ^ 64 } }
  T.each(cases, function(case)
    T.same(spelled(case[1]):number(), case[2] + 0.0)
    T.same(fleece.tonumber(spelled(case[1])), case[2] + 0.0)
  end)
  T.same(1 / number("-0.0"):number(), -math.huge)
  for _, codec in ipairs { fleece, T.safe, fleece.new {} } do
    T.same(codec.tonumber(7), 7)
    T.same(codec.tonumber(0.5), 0.5)
    T.same(codec.tonumber "7", nil)
    T.same(codec.tonumber(nil), nil)
    T.same(codec.tonumber(fleece.null), nil)
    T.same(codec.tonumber(number "2.50"), 2.5)
  end
  T.raises_with("bad argument #1 to 'tonumber'", fleece.tonumber)
  T.raises_with("exact number expected", number("1.0").number, 5)
  T.same(tonumber(number "1.0"), nil)
  T.same(fleece.type(number "1.0"), "number")
  T.same(getmetatable(number "1.0"), "fleece.number")
end

-- ---- comparing ---------------------------------------------------------------------------------------------------

local function assert_order(a, b, order)
  local what = tostring(a):sub(1, 60) .. " and " .. tostring(b):sub(1, 60)
  T.same(a == b, order == 0, what .. " ==")
  T.same(a ~= b, order ~= 0, what .. " ~=")
  T.same(a < b, order < 0, what .. " <")
  T.same(a <= b, order <= 0, what .. " <=")
  T.same(a > b, order > 0, what .. " >")
  T.same(a >= b, order >= 0, what .. " >=")
end

-- Each row has numbers of the same value; the rows are sorted.
local ROWS = {
  { "-1e" .. ("9"):rep(40), "-10e" .. ("9"):rep(39) .. "8" },
  { "-1e999999999", "-0.01e1000000001" },
  { "-1.01", "-101e-2" },
  { "-1.0", "-1e0", "-0.1e1", "-10e-1", "-1.000e-0" },
  { "-1e-999999999" },
  { "-1e-" .. ("9"):rep(40) },
  { "0.0", "-0.0", "0e0", "0e999999999", "-0.000e-" .. ("9"):rep(40), "0e" .. ("9"):rep(40) },
  { "1e-" .. ("9"):rep(41), "0.1e-" .. ("9"):rep(40) .. "8" },
  { "1e-" .. ("9"):rep(40), "0.1e-" .. ("9"):rep(39) .. "8" },
  { "1e-999999999", "1000e-1000000002", "0.001e-999999996" },
  { "0.10", "1e-1", "0.01e1", "1E-1" },
  { "0.1000000000000000055511151231257827" },
  { "1.0", "1e0", "1e-0", "1e+00000000000000000000000000", "0.00001e5", "100000e-5" },
  { "1.0000000000000000000000000000000000000000001" },
  { "12345678901234567890", "1234567890123456789e1", "1.2345678901234567890e19" },
  { "12345678901234567891" },
  { "99999999999999999999.99" },
  { "1e20", "100000000000000000000.0", "0.1e21" },
  { "1e999999998" },
  { "1e999999999", "10e999999998", "0.0001e1000000003", "1e0000000999999999" },
  { "1.1e999999999" },
  { "1e9223372036854775807", "10e9223372036854775806" },
  { "1e9223372036854775808", "1000e9223372036854775805" },
  { "1e18446744073709551616" },
  { "1e" .. ("9"):rep(39) },
  { "1e1" .. ("0"):rep(39), "1e0001" .. ("0"):rep(39), "10e" .. ("9"):rep(39) },
  { "1e" .. ("9"):rep(40), "0.1e1" .. ("0"):rep(40), "0.001e1" .. ("0"):rep(39) .. "2" },
}

function TestExactNumbers:test_order()
  for i, row in ipairs(ROWS) do
    for j, other in ipairs(ROWS) do
      for _, a in ipairs(row) do
        for _, b in ipairs(other) do assert_order(spelled(a), spelled(b), i - j) end
      end
    end
  end
end

-- The value digits * 10^exponent, spelled with a point and an exponent somewhere.
local function random_spelling(digits, exponent)
  local zeros = random(0, 3)
  digits = ("0"):rep(random(0, 3)) .. digits .. ("0"):rep(zeros)
  local place = random(1, #digits)
  local whole, fraction = digits:sub(1, place):gsub("^0+(%d)", "%1"), digits:sub(place + 1)
  return ("%s%se%d"):format(whole, fraction ~= "" and "." .. fraction or "", exponent - zeros + #fraction)
end

function TestExactNumbers:test_random_order()
  T.random_rounds(1500, function()
    -- Two integers of up to 30 digits, padded to the same length, are ordered as their texts are.
    local values, numbers = {}, {}
    for k = 1, 2 do
      local digits = {}
      for i = 1, random(1, 30) do digits[i] = random(0, 9) end
      if k == 2 and random(1, 2) == 1 then digits = { values[1]:match "^0*(%d+)$" } end
      digits = table.concat(digits)
      values[k] = ("0"):rep(40 - #digits) .. digits
      numbers[k] = number(random_spelling(digits, 1000000))
    end
    assert_order(numbers[1], numbers[2], values[1] == values[2] and 0 or values[1] < values[2] and -1 or 1)
  end)
end

-- From 5.2 on Lua asks the metamethods of < and <= for a number and a userdata too; == never.
function TestExactNumbers:test_plain_numbers()
  if T.jit or T.version == "Lua 5.1" then
    lu.assertFalse((pcall(function() return number "1.0" < 2 end)))
    return
  end
  T.random_rounds(500, function()
    local d = (random(0, 2147483646) * 2097152.0 + random(0, 2097151)) * T.power[random(-90, 20)] * pick { 1, -1 }
    local text = ("%.99f"):format(d) -- exact: a double has as many decimals as binary places
    local same, more = number(text), number(text .. "1")
    T.same(same < d, false)
    T.same(same > d, false)
    T.same(same <= d and same >= d and d <= same and d >= same, true)
    T.same(d < 0 and more < d or d >= 0 and more > d, true)
    T.same(d < 0 and d > more or d >= 0 and d < more, true)
  end)
  T.same(number "1e400" < math.huge, true)
  T.same(number "-1e400" > -math.huge, true)
  T.same(number "1.0" < 0 / 0 or number "1.0" >= 0 / 0, false)
  T.same(number "9223372036854775807.5" > 9223372036854775807, math.type ~= nil) -- 5.2 has 2^63 there
  T.same(number "1.0" == 1, false)
  T.raises_with("attempt to compare", function() return number "1.0" < "2" end)
  T.raises_with("attempt to compare", function() return {} < number "1.0" end)
end

function TestExactNumbers:test_hostile_lengths()
  local long = ("9"):rep(1000000)
  T.soon(2, function()
    local a, b = number(long .. ".0"), number(long .. ".1")
    assert_order(a, b, -1)
    assert_order(number("1e" .. long), number("1e" .. long .. "0"), -1)
    assert_order(number("1e-" .. long), number("10e-" .. long), -1)
    assert_order(number("0." .. ("0"):rep(1000000) .. "1"), number "1e-1000001", 0)
    T.same(#fleece.encode { a, b }, 2 * 1000002 + 3)
    T.same(b:number(), math.huge)
  end)
end

-- ---- with other options ------------------------------------------------------------------------------------------

function TestExactNumbers:test_json5()
  local json5 = { numbers = "exact", json5 = true }
  local cases = { { "+1.50", "1.50" }, { "-0.10", "-0.10" }, { "0.10", "0.10" }, { "-1e2", "-1e2" }, { ".50", "0.50" },
    { "5.", "5.0" }, { "0x10", "16" }, { "+12345678901234567890", "12345678901234567890" }, { "1.0", "1.0" },
    { "-.12345678901234567890", "-0.12345678901234567890" }, { "+99999999999999999.", "99999999999999999.0" },
    { "-5.e3", "-5.0e3" }, { ".5e999", "0.5e999" }, { "-7.E400", "-7.0E400" }, { "+.5", "0.5" }, { "-0x0", "-0" } }
  T.each(cases, function(case)
    T.same(T.encode(fleece.decode(case[1], json5)), case[2])
    T.same(T.encode(fleece.decode("{x:[1.25," .. case[1] .. ",2.50]}", json5)), '{"x":[1.25,' .. case[2] .. ",2.50]}")
    T.same(fleece.format(case[1], { json5 = true }), case[2]) -- the same digits
  end)
  T.same(fleece.decode("-Infinity", json5), -math.huge)
  T.raises_with("number not exact at line 1, column 2", fleece.decode, "[0x123456789abcdef012]", json5)
end

function TestExactNumbers:test_big_numbers()
  local both = { numbers = "exact", big_numbers = "string" }
  T.same(type(fleece.decode("12345678901234567890", both)), "userdata")
  T.same(type(fleece.new({ big_numbers = "error" }).decode("12345678901234567890", exact)), "userdata")
  T.same(fleece.new(exact).decode("12345678901234567890", { numbers = "lua", big_numbers = "string" }),
    "12345678901234567890")
end

function TestExactNumbers:test_binary()
  local value = number '{"a":[1.0,1e2,12345678901234567890]}'
  T.same(fleece.to_json(fleece.pack(value)), fleece.to_json(fleece.from_json '{"a":[1.0,1e2,12345678901234567890]}'))
end

function TestExactNumbers:test_pieces()
  local text = "[1.0,[12345678901234567890,1e2],1.50]"
  for size = 1, 9 do
    local parser = fleece.parser(exact)
    for piece in T.pieces(text, size) do parser:feed(piece):step(3) end
    T.same(T.encode(parser:finish()), text)
    T.same(T.encode((fleece.documents(T.pieces(text, size), exact)())), text)
    local items = {}
    for item in fleece.items(T.pieces(text, size), "", exact) do items[#items + 1] = item end
    T.same(T.encode(items), text)
  end
end

function TestExactNumbers:test_options()
  T.bad_argument(2, "option 'numbers' must be one of \"lua\", \"exact\"", "decode", "1", { numbers = "exactly" })
  T.bad_argument(2, "option 'numbers' has no effect here", "from_json", "1", exact)
  T.raises_with("invalid number", fleece.decode, "[1.]", exact)
  T.fails_with("invalid number at line 1, column 3", T.safe.decode, "[01]", exact)
end
