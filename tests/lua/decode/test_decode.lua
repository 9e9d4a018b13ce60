-- SPDX-License-Identifier: MIT
-- test_decode.lua -- strict decoding: values, strings, numbers, errors and their positions.

local T = require "support"
local D = require "decoding"
local lu, fleece, same = T.lu, T.fleece, T.same

TestDecode = {}

function TestDecode:test_values()
  for _, text in ipairs { "null", "true", "false", "0", "-1", "1.5", '""', '"x"', "[]", "{}", "[[]]", '{"a":{}}',
    "[1,2]", ' \t\r\n[ 1 , 2 ] \n', '{ "a" : 1 , "b" : [ null , true , false ] }', '[{},[],"",0,null]' } do
    D.decode_by_model(text)
  end
  same(fleece.decode "null", fleece.null)
  same(getmetatable(fleece.decode "{}"), fleece.object_mt)
  same(getmetatable(fleece.decode "[]"), nil)
  same(fleece.encode(fleece.decode '[{},[],{"a":{}}]'), '[{},[],{"a":{}}]')
end

function TestDecode:test_white_space()
  for n = 0, 70 do
    for _, blank in ipairs { " ", "\n", "\t", "\r", "\r\n", " \n", "\n    " } do
      local s = blank:rep(n)
      D.decode_by_model(s .. "[" .. s .. "1" .. s .. "," .. s .. '{' .. s .. '"a"' .. s .. ":" .. s .. "2" .. s ..
        "}" .. s .. "]" .. s)
    end
  end
  for _, c in ipairs { "\v", "\f", "\194\160", "\226\128\168", "\0", "\127" } do D.refuses_alike("[1," .. c .. "2]") end
end

function TestDecode:test_literals()
  for _, word in ipairs { "true", "false", "null" } do
    for n = 1, #word - 1 do
      D.refuses(word:sub(1, n), "expected a value", 1, 1, 1)
      D.refuses("[" .. word:sub(1, n) .. "]", "expected a value", 1, 2, 2)
      D.refuses("[" .. word:sub(1, n) .. "\0" .. word:sub(n + 1) .. "]", "expected a value", 1, 2, 2)
    end
    D.refuses("[" .. word .. "x]", "expected ',' or ']'", 1, #word + 2, #word + 2)
    D.refuses(word .. "x", "text after the value", 1, #word + 1, #word + 1)
    D.refuses(word:upper(), "expected a value", 1, 1, 1)
  end
end

function TestDecode:test_short_strings_everywhere()
  -- every length up to and beyond the size of a vector, with an escape or a character of 2 to 4 bytes in every place
  for n = 0, 70 do
    local a = ("abcdefghij"):rep(8):sub(1, n)
    D.decode_by_model('"' .. a .. '"')
    D.decode_by_model('["' .. a .. '"]')
    D.decode_by_model('{"' .. a .. '":"' .. a .. '"}')
    for at = 0, n, n > 40 and 7 or 1 do
      for _, c in ipairs { "\\n", "\\\\", '\\"', "\\u00e9", "\\ud83d\\ude00", "é", "€", "😀", "\\/", "\127" } do
        local s = a:sub(1, at) .. c .. a:sub(at + 1)
        D.decode_by_model('["' .. s .. '",{"' .. s .. '":1}]')
      end
    end
  end
end

function TestDecode:test_escapes()
  same(fleece.decode [["\"\\\/\b\f\n\r\t"]], '"\\/\b\f\n\r\t')
  same(fleece.decode [["\u0000\u0001\u001f\u007f\u0080\u07ff\u0800\uffff"]],
    "\0\1\31\127\194\128\223\191\224\160\128\239\191\191")
  same(fleece.decode [["\uD800\uDC00\uDBFF\uDFFF\uABCD\uabcd"]],
    "\240\144\128\128\244\143\191\191\234\175\141\234\175\141")
  for byte = 32, 126 do
    local c = string.char(byte)
    if not c:match '["\\/bfnrtu]' then D.refuses('["' .. "\\" .. c .. '"]', "invalid escape", 1, 3, 3) end
  end
  for _, s in ipairs { "\\u", "\\u1", "\\u12", "\\u123", "\\u123g", "\\ug123", "\\u 123", "\\u+123", "\\U1234", "\\x41",
    "\\0" } do
    D.refuses('"ab' .. s .. '"', "invalid escape", 1, 4, 4)
  end
end

function TestDecode:test_surrogates()
  for _, s in ipairs { "\\ud800", "\\udbff", "\\udc00", "\\udfff", "\\ud800x", "\\ud800\\n", "\\ud800\\u0041",
    "\\ud800\\ud800", "\\udc00\\ud800", "\\ud800\\u" } do
    D.refuses('"ab' .. s .. '"', "unpaired surrogate", 1, 4, 4)
    D.refuses('"' .. ("x"):rep(60) .. s .. '"', "unpaired surrogate", 1, 62, 62)
  end
end

function TestDecode:test_bad_utf8()
  for _, c in ipairs { "\128", "\191", "\192\128", "\193\191", "\224\128\128", "\237\160\128", "\244\144\128\128",
    "\254", "\255", "\194", "\226\130", "\240\159\152" } do
    for _, n in ipairs { 0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 100 } do
      D.refuses('["' .. ("x"):rep(n) .. c .. '"]', "invalid UTF-8", 1, n + 3, n + 3)
      D.refuses('{"' .. ("x"):rep(n) .. c .. '":1}', "invalid UTF-8", 1, n + 3, n + 3)
      D.refuses('["' .. ("x"):rep(n) .. c .. '\\n"]', "invalid UTF-8", 1, n + 3, n + 3)
      D.refuses('["\\n' .. ("x"):rep(n) .. c .. 'xx"]', "invalid UTF-8", 1, n + 5, n + 5)
    end
  end
  D.refuses("\255\254[\0]\0", "expected a value", 1, 1, 1)
end

function TestDecode:test_control_characters()
  for c = 0, 31 do
    for _, n in ipairs { 0, 1, 15, 16, 31, 32, 50 } do
      local s = ("y"):rep(n) .. string.char(c)
      D.refuses('["' .. s .. '"]', "control character in string", 1, n + 3, n + 3)
      D.refuses('["' .. "\\t" .. s .. '"]', "control character in string", 1, n + 5, n + 5)
    end
  end
end

function TestDecode:test_long_strings()
  for _, n in ipairs { 255, 256, 257, 1000, 4095, 4096, 4097, 65536, 1000003 } do
    local s = ("0123456789abcdef"):rep(math.ceil(n / 16)):sub(1, n)
    same(fleece.decode('"' .. s .. '"'), s)
    same(fleece.decode('[1,2,"' .. s .. '\\n' .. s .. '"]')[3], s .. "\n" .. s)
    same(fleece.decode('{"' .. s .. '":1}')[s], 1)
    same(T.api.decode('["' .. s .. '\\u20ac"]')[1], s .. "€")
  end
  local many = ("\\n"):rep(100000)
  same(fleece.decode('"' .. many .. '"'), ("\n"):rep(100000))
  same(fleece.decode('"' .. ("\\\\"):rep(100000) .. '"'), ("\\"):rep(100000))
end

function TestDecode:test_integers()
  for _, text in ipairs { "0", "1", "-1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789",
    "1234567890", "99999999999999", "9007199254740992", "-9007199254740992", "999999999999999999" } do
    D.decode_by_model(text)
    D.decode_by_model("[" .. text .. "," .. text .. "]")
  end
  local edges = { "9223372036854775807", "-9223372036854775808", "9223372036854775806", "1000000000000000000" }
  for _, text in ipairs(edges) do
    local value = fleece.decode(text)
    same(T.math_type(value), T.integers and "integer" or "float")
    same(("%d"):format(T.integers and value or 0), T.integers and text or "0")
  end
  for _, text in ipairs { "9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
    "100000000000000000000", "123456789012345678901234567890" } do
    same(fleece.decode(text), tonumber(text .. ".0"), text)
    same(T.math_type(fleece.decode(text)), "float")
  end
  same(1 / fleece.decode "-0", -1 / 0)
  same(T.math_type(fleece.decode "-0"), "float")
  same(1 / fleece.decode "0", 1 / 0)
end

function TestDecode:test_doubles()
  for _, text in ipairs { "1.5", "-0.1", "0.1", "1e0", "1E+2", "1e-2", "0.0", "-0.0", "0e5", "123.456e7", "1e22",
    "1e23", "1e-22", "4.9e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1.7976931348623157e308",
      "5e-324",
    "0.1000000000000000055511151231257827021181583404541015625", "9007199254740993.0", "9007199254740992.5",
    "1.00000000000000011102230246251565404236316680908203125", -- halfway between 1 and the next double: to even
    "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126",
    "0.000000000000000000000000000000000000000000000000000000000000001e60", "3.141592653589793238462643383279" } do
    D.decode_by_model(text)
    D.decode_by_model("[" .. text .. "]")
    D.decode_by_model('{"a":-' .. text:gsub("^%-", "") .. "}")
  end
  same(fleece.decode "1e-400", 0.0)
  same(1 / fleece.decode "-1e-400", -1 / 0)
  same(fleece.decode("0." .. ("0"):rep(1000000) .. "1e1000001"), 1.0)
  same(fleece.decode("1" .. ("0"):rep(1000000) .. "e-1000000"), 1.0)
  same(fleece.decode("0.5" .. ("0"):rep(100000)), 0.5)
  -- halfway between 2^53 and 2^53+2, with one more digit far to the right
  same(fleece.decode("9007199254740993." .. ("0"):rep(2000) .. "1"), 9007199254740994.0)
  same(fleece.decode("9007199254740993." .. ("0"):rep(2000)), 9007199254740992.0)
end

function TestDecode:test_bad_numbers()
  T.each({
    { text = "-", column = 3 },
    { text = "-a", column = 3 },
    { text = "01", column = 3 },
    { text = "-01", column = 4 },
    { text = "00", column = 3 },
    { text = "1.", column = 4 },
    { text = "1.e5", column = 4 },
    { text = "1e", column = 4 },
    { text = "1e+", column = 5 },
    { text = "1.5e", column = 6 },
    { text = "1.5e-", column = 7 },
    { text = "0.", column = 4 },
    { text = "-.5", column = 3 },
    { text = "1e+-1", column = 5 },
  }, function(case)
    D.refuses("[" .. case.text .. "]", "invalid number", 1, case.column, case.column)
  end)
  T.each({
    { text = "[+1]", reason = "expected a value", line = 1, column = 2, byte = 2 },
    { text = "[.5]", reason = "expected a value", line = 1, column = 2, byte = 2 },
    { text = "[0x10]", reason = "expected ',' or ']'", line = 1, column = 3, byte = 3 },
    { text = "[1_000]", reason = "expected ',' or ']'", line = 1, column = 3, byte = 3 },
    { text = "[NaN]", reason = "expected a value", line = 1, column = 2, byte = 2 },
    { text = "[-Infinity]", reason = "invalid number", line = 1, column = 3, byte = 3 },
  }, function(case)
    D.refuses(case.text, case.reason, case.line, case.column, case.byte)
  end)
  for _, text in ipairs { "1e309", "-1e309", "1e99999999999999999999", "1.7976931348623159e308", ("9"):rep(400) } do
    D.refuses("[0," .. text .. "]", "number too large", 1, 4, 4)
  end
end

function TestDecode:test_places()
  T.each({
    { text = "", reason = "empty text", line = 1, column = 1, byte = 1 },
    { text = " \n ", reason = "empty text", line = 2, column = 2, byte = 4 },
    { text = "[1,\n2,\n x]", reason = "expected a value", line = 3, column = 2, byte = 9 },
    { text = "[1,\r\n2,\r x]", reason = "expected a value", line = 3, column = 2, byte = 10 },
    { text = '["é€😀" x]', reason = "expected ',' or ']'", line = 1, column = 8, byte = 14 },
    { text = "[1", reason = "unexpected end", line = 1, column = 3, byte = 3 },
    { text = "[", reason = "unexpected end", line = 1, column = 2, byte = 2 },
    { text = "[1,", reason = "unexpected end", line = 1, column = 4, byte = 4 },
    { text = "{", reason = "unexpected end", line = 1, column = 2, byte = 2 },
    { text = '{"a"', reason = "unexpected end", line = 1, column = 5, byte = 5 },
    { text = '{"a":', reason = "unexpected end", line = 1, column = 6, byte = 6 },
    { text = '{"a":1', reason = "unexpected end", line = 1, column = 7, byte = 7 },
    { text = '{"a":1,', reason = "unexpected end", line = 1, column = 8, byte = 8 },
    { text = '"abc', reason = "unexpected end", line = 1, column = 5, byte = 5 },
    { text = '"abc\\', reason = "invalid escape", line = 1, column = 5, byte = 5 },
    { text = '{1:2}', reason = "expected a string as name", line = 1, column = 2, byte = 2 },
    { text = '{"a" 1}', reason = "expected ':'", line = 1, column = 6, byte = 6 },
    { text = '{"a":1 "b":2}', reason = "expected ',' or '}'", line = 1, column = 8, byte = 8 },
    { text = '[1 2]', reason = "expected ',' or ']'", line = 1, column = 4, byte = 4 },
    { text = '[1,]', reason = "expected a value", line = 1, column = 4, byte = 4 },
    { text = '[,1]', reason = "expected a value", line = 1, column = 2, byte = 2 },
    { text = '{"a":1,}', reason = "expected a string as name", line = 1, column = 8, byte = 8 },
    { text = '{,}', reason = "expected a string as name", line = 1, column = 2, byte = 2 },
    { text = '[1}', reason = "expected ',' or ']'", line = 1, column = 3, byte = 3 },
    { text = '{"a":1]', reason = "expected ',' or '}'", line = 1, column = 7, byte = 7 },
    { text = '[1]]', reason = "text after the value", line = 1, column = 4, byte = 4 },
    { text = '{} x', reason = "text after the value", line = 1, column = 4, byte = 4 },
    { text = '1 2', reason = "text after the value", line = 1, column = 3, byte = 3 },
    { text = '[1]\0', reason = "text after the value", line = 1, column = 4, byte = 4 },
    { text = '\239\187\191[1]', reason = "byte order mark", line = 1, column = 1, byte = 1 },
    { text = '[1,\239\187\191 2]', reason = "expected a value", line = 1, column = 4, byte = 4 },
  }, function(case)
    D.refuses(case.text, case.reason, case.line, case.column, case.byte)
  end)
end

function TestDecode:test_excerpt()
  T.raises_ending("byte 4 near '[1 2]'", fleece.decode, "[1 2]")
  T.raises_ending("byte 1", fleece.decode, "")
  T.raises_ending("expected a value at line 1, column 1, byte 1", fleece.decode, "\0")
  local line = '["' .. ("0123456789"):rep(10) .. '" x' .. ("y"):rep(100)
  T.raises_ending("near '8901234567890123456789" .. '" xyyyyyyyyyyyyyyy' .. "'", fleece.decode, "[\n" .. line)
  T.raises_ending("near '" .. ("é"):rep(11) .. '" x]' .. "'", fleece.decode, '["' .. ("é"):rep(50) .. '" x]')
  T.raises_ending("near '[1 " .. ("é"):rep(8) .. "'", fleece.decode, '[1 ' .. ("é"):rep(50))
end

function TestDecode:test_arguments()
  T.bad_argument(1, "string expected", "decode")
  T.bad_argument(1, "string expected", "decode", {})
  T.bad_argument(1, "string expected", "decode", nil)
  T.bad_argument(2, "table expected", "decode", "1", 1)
  T.bad_argument(2, "unknown option 'nul'", "decode", "1", { nul = 1 })
  T.bad_argument(2, "", "decode", "1", { 1 })
  T.bad_argument(2, "number expected", "decode_prefix", "1", "x")
  T.bad_argument(2, "outside the text", "decode_prefix", "1", 0)
  T.bad_argument(2, "outside the text", "decode_prefix", "1", 3)
  T.bad_argument(2, "outside the text", "decode_prefix", "1", -1)
end

function TestDecode:test_prefix()
  local text, found, at = ' {"a":1}[2]3 "x"true null ', {}, 1
  repeat
    local value, next_at = fleece.decode_prefix(text, at)
    if next_at then found[#found + 1] = fleece.encode(value) .. "@" .. next_at end
    at = next_at
  until not at
  lu.assertEquals(found, { '{"a":1}@9', "[2]@12", "3@13", '"x"@17', "true@21", "null@26" })
  lu.assertEquals({ fleece.decode_prefix "  " }, {})
  same(select("#", fleece.decode_prefix ""), 2)
  lu.assertEquals({ fleece.decode_prefix("[1] x", 2) }, { 1, 3 })
  lu.assertEquals({ T.safe.decode_prefix("[1] x", 5) },
    { nil, "expected a value at line 1, column 5, byte 5 near '[1] x'", { kind = "syntax", byte = 5, line = 1, column = 5 } })
end

-- max_bytes limits the text from the position on.
function TestDecode:test_prefix_too_long()
  local text = "[1] [2]"
  for position = 1, 4 do
    local value, message, byte = T.safe.decode_prefix(text, position, { max_bytes = 3 })
    same(value, nil)
    T.contains(message, "text too long")
    same(byte.byte, position + 3)
  end
  lu.assertEquals({ fleece.decode_prefix(text, 5, { max_bytes = 3 }) }, { { 2 }, 8 })
  lu.assertEquals({ fleece.decode_prefix(text, 1, { max_bytes = 7 }) }, { { 1 }, 4 })
end
