-- SPDX-License-Identifier: MIT
-- test_canonical.lua -- canonical = "jcs": RFC 8785, from tables, texts, documents and views.

local T = require "support"
local R = require "random_text"
local fleece, same, random, error_of = T.fleece, T.same, T.random, T.error_of

TestCanonical = {}

local jcs = { canonical = "jcs" }

local function fails(message, ...) T.contains(error_of(...), message) end

-- The canonical form of a text by every way that leads to it; all must agree.
local function canonical(text)
  local wanted = fleece.format(text, jcs)
  same(T.encode(fleece.decode(text), jcs), wanted, "tables")
  same(fleece.to_json(fleece.from_json(text), jcs), wanted, "binary")
  local keys = fleece.keys()
  local bytes = fleece.from_json(text, { keys = keys })
  same(fleece.to_json(bytes, { canonical = "jcs", keys = keys }), wanted, "shared keys")
  same(T.encode(fleece.open(fleece.from_json(text)), jcs), wanted, "a document")
  same(T.encode(fleece.decode(text, { order = true }), jcs), wanted, "tables with an order")
  same(T.encode(fleece.decode(text, { numbers = "exact" }), jcs), wanted, "numbers with their digits")
  same(fleece.format(wanted, jcs), wanted, "the canonical form of the canonical form")
  return wanted
end

-- The samples of RFC 8785, sections 3.2.2 and 3.2.3 (the last with a second control character).
function TestCanonical:test_samples_of_the_standard()
  same(canonical [[{
    "numbers": [333333333.33333329, 1E30, 4.50,
                2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }]], [[{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],]] ..
    [["string":"€$\u000f\nA'B\"\\\\\"/"}]])
  same(canonical [[{
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  }]], '{"\\r":"Carriage Return","1":"One","\194\128":"Control","ö":"Latin Small Letter O With Diaeresis",' ..
    '"€":"Euro Sign","😀":"Emoji: Grinning Face","\239\172\179":"Hebrew Letter Dalet With Dagesh"}')
end

-- RFC 8785, appendix B: the text of a double, and its canonical form.
local numbers = {
  { "0", "0" }, { "-0.0", "0" }, { "4.9406564584124654e-324", "5e-324" }, { "-4.9406564584124654e-324", "-5e-324" },
  { "1.7976931348623157e+308", "1.7976931348623157e+308" }, { "-1.7976931348623157e+308", "-1.7976931348623157e+308" },
  { "9007199254740992.0", "9007199254740992" }, { "-9007199254740992.0", "-9007199254740992" },
  { "2.9514790517935283e+20", "295147905179352830000" }, { "9.9999999999999974e+22", "9.999999999999997e+22" },
  { "9.9999999999999992e+22", "1e+23" }, { "1.0000000000000001e+23", "1.0000000000000001e+23" },
  { "9.9999999999999974e+20", "999999999999999700000" }, { "9.9999999999999987e+20", "999999999999999900000" },
  { "1.0e+21", "1e+21" }, { "9.9999999999999974e-07", "9.999999999999997e-7" },
  { "9.9999999999999995e-07", "0.000001" },
  { "333333333.33333319", "333333333.3333332" }, { "333333333.33333325", "333333333.33333325" },
  { "333333333.33333331", "333333333.3333333" }, { "333333333.33333337", "333333333.3333334" },
  { "333333333.33333343", "333333333.33333343" }, { "-3.3333333333333333e-06", "-0.0000033333333333333333" },
  { "1424953923781206.25", "1424953923781206.2" },
  -- the borders of the notations (ECMA-262, Number::toString)
  { "123456789012345680000.0", "123456789012345680000" }, { "1e20", "100000000000000000000" }, { "12e20", "1.2e+21" },
  { "0.00000123", "0.00000123" }, { "1.5e-7", "1.5e-7" }, { "1e-7", "1e-7" }, { "-1e-6", "-0.000001" },
  { "100", "100" }, { "1.0", "1" }, { "0.5", "0.5" }, { "1e2", "100" }, { "-1.50E+1", "-15" },
}

function TestCanonical:test_numbers()
  for _, case in ipairs(numbers) do
    same(fleece.format(case[1], jcs), case[2], case[1])
    same(T.encode({ tonumber(case[1]) }, jcs), "[" .. case[2] .. "]", case[1])
  end
end

-- A number without fraction or exponent must be exact as a double; RFC 7493, section 2.2, warns of the others.
function TestCanonical:test_integers_that_a_double_does_not_hold()
  for _, text in ipairs { "9007199254740993", "-9007199254740993", "9223372036854775807", "18446744073709551615",
    "1180591620717411303425", ("9"):rep(308) } do
    fails("number not exact at line 1, column 2, byte 2", fleece.format, "[" .. text .. "]", jcs)
  end
  fails("number too large", fleece.format, ("9"):rep(400), jcs)
  same(fleece.format("[9007199254740994,1180591620717411303424,9007199254740993.0]", jcs),
    "[9007199254740994,1.1805916207174113e+21,9007199254740992]")
  -- what canonical JSON has as an integer stays it, though it is not exact
  same(canonical "[1152921504606846976,295147905179352830000,-1152921504606847000,18446744073709552000]",
    "[1152921504606847000,295147905179352830000,-1152921504606847000,18446744073709552000]")
  local ok, message = pcall(fleece.encode, fleece.decode("[[9007199254740993]]", { numbers = "exact" }), jcs)
  same(ok, false)
  T.contains(message, "integer is not exact as a double at [1][1]")
  if math.type then
    for _, walk in ipairs(T.codecs) do
      fails("integer is not exact as a double at [2]", walk.encode, { 1, math.maxinteger }, jcs)
    end
    same(T.encode({ math.mininteger, 1152921504606846976 }, jcs), "[-9223372036854776000,1152921504606847000]")
  end
  fails("integer is not exact as a double at [1]", fleece.to_json, fleece.from_json "[18446744073709551615]", jcs)
  same(fleece.to_json(fleece.from_json "[18446744073709549568]", jcs), "[18446744073709550000]")
end

-- The code units of a text in UTF-16, as a text whose bytes have their order.
local function units(text)
  return (text:gsub("[%z\1-\127\194-\244][\128-\191]*", function(c)
    local a, b, d, e = c:byte(1, 4)
    if e then
      local point = (a - 240) * 262144 + (b - 128) * 4096 + (d - 128) * 64 + e - 128 - 65536
      local high, low = 0xd800 + math.floor(point / 1024), 0xdc00 + point % 1024
      return string.char(math.floor(high / 256), high % 256, math.floor(low / 256), low % 256)
    end
    local point = d and (a - 224) * 4096 + (b - 128) * 64 + d - 128 or b and (a - 192) * 64 + b - 128 or a
    return string.char(math.floor(point / 256), point % 256)
  end))
end

local characters = { "a", "b", "\127", "\194\128", "é", "€", "\237\159\191", "\238\128\128", "\239\172\179",
  "\239\191\189", "\240\144\128\128", "😀", "\244\143\191\191" }

function TestCanonical:test_names_are_in_the_order_of_utf16()
  for _ = 1, T.rounds(100) do
    local object, names = {}, {}
    for _ = 1, random(1, 40) do
      local name = ""
      for _ = 1, random(0, 12) do name = name .. characters[random(1, random(1, #characters))] end
      if not object[name] then names[#names + 1] = name end
      object[name] = 1
    end
    table.sort(names, function(a, b) return units(a) < units(b) end)
    for i, name in ipairs(names) do names[i] = '"' .. name .. '":1' end
    local wanted = "{" .. table.concat(names, ",") .. "}"
    same(canonical(fleece.encode(object)), wanted)
    same(canonical(fleece.encode(object, { ascii = true })), wanted)
  end
end

function TestCanonical:test_a_name_twice_is_an_error()
  fails("duplicate name at line 2, column 7, byte 16", fleece.format, '{"b":{},\n"a":1,"b":2}', jcs)
  fails("duplicate name at line 1, column 8, byte 9", fleece.format, '{"é":1,"\\u00e9":2}', jcs)
  fails("duplicate name at line 1, column 22, byte 22", fleece.format, '[{"a":1},{"c":{"b":1,"b":2}}]', jcs)
  for _, walk in ipairs(T.codecs) do
    fails("two keys have the same name at [1].x", walk.encode, { { x = { [7] = 1, ["7"] = 2 } } }, jcs)
    fails("two keys have the same name", walk.encode, { a = 1, ["1.5"] = 2, [1.5] = 3 }, jcs)
    fails("two keys have the same name", walk.encode, { ["0"] = 1, [1] = 2, ["1"] = 3 }, jcs)
  end
  same(T.encode({ [7] = 1, ["70"] = 2 }, jcs), '{"7":1,"70":2}')
  local twice = fleece.from_json('{"a":1,"b":2,"a":3}', { mode = "compatible" })
  fails("two keys have the same name", fleece.to_json, twice, jcs)
end

function TestCanonical:test_raw_texts_and_hooks()
  same(T.encode({ fleece.raw "1.50", fleece.raw "null", fleece.null, fleece.array(), fleece.object() }, jcs),
    "[1.5,null,null,[],{}]")
  fails("canonical JSON cannot contain raw text, at [1]", fleece.encode, { fleece.raw '{"b":1,"a":2}' }, jcs)
  fails("canonical JSON cannot contain raw text, at .x", fleece.encode,
    { x = T.hooked(function() return '"a"' end) }, jcs)
  same(T.encode({ T.hooked(function() return "1e2" end) }, jcs), "[100]")
end

function TestCanonical:test_options_that_do_not_go_with_it()
  for option, value in pairs { indent = 1, key_order = { "a" }, precision = 5, escape_slash = true, ascii = true,
    html = true, float_integers = true, invalid_numbers = "null", invalid_utf8 = "replace" } do
    T.bad_argument(2, option, "encode", {}, { canonical = "jcs", [option] = value })
    T.bad_argument(1, option, "new", { canonical = "jcs", [option] = value })
  end
  T.bad_argument(2, "colors", "format", "1", { canonical = "jcs", colors = true })
  T.bad_argument(3, "canonical", "format_stream", function() end, nil, jcs)
  T.bad_argument(2, "canonical", "encode", {}, { canonical = true })
  T.bad_argument(2, "canonical", "format", "1", { canonical = true })
end

function TestCanonical:test_codecs()
  local codec = fleece.new { canonical = "jcs" }
  same(codec.encode { b = 1.50, a = { -0.0 } }, '{"a":[0],"b":1.5}')
  same(codec.format '{"b":1.50,"a":[-0]}', '{"a":[0],"b":1.5}')
  same(codec.to_json(fleece.from_json '{"b":1.50,"a":[-0]}'), '{"a":[0],"b":1.5}')
  same(codec.encode({ 1.5 }, { canonical = false, indent = 1 }), "[\n 1.5\n]")
  same(codec.json({ 1.5 }, "E4"), "[1.5]")
  local _, message = T.safe.encode({ 0 / 0 }, jcs)
  same(message, "number is NaN at [1]")
end

-- The same value has one text, whatever text it had before.
function TestCanonical:test_random()
  for _ = 1, T.rounds(200) do
    local text = R.text(5, 60)
    local ok, wanted = pcall(fleece.format, text, jcs)
    if ok then
      same(canonical(text), wanted)
      same(fleece.format(fleece.format(text, { indent = random(0, 4) }), jcs), wanted)
      same(T.encode(fleece.lazy("[" .. text .. "]"), jcs), "[" .. wanted .. "]")
    else
      same((wanted:find "duplicate name" or wanted:find "not exact") ~= nil, true, wanted)
    end
  end
end
