-- SPDX-License-Identifier: MIT
-- test_decode_lenient.lua -- comments, trailing commas, NaN, JSON5: allowed by options, errors without them.

local T = require "support"
local D = require "decoding"
local fleece, same = T.fleece, T.same

TestDecodeLenient = {}

local function only_with(option, text, wanted, value)
  D.decodes(text, wanted, { [option] = value == nil and true or value })
  D.refuses_alike(text)
end

function TestDecodeLenient:test_comments()
  for _, text in ipairs { "// a\n[1,2]", "[1,2]// a", "[1,2]//", "/**/[1,2]", "[/* ] */1,2]", "[1/**/,2]", "[1,//]\n2]",
    "[1,2/***/]", "[1,2]/* \" ' [ { // */", "/* a */ // b\r[1,2] /* c */", "[1,2 // [[[\n]", "/*/ */[1,2]",
    "[1,/* * / */2]" } do
    only_with("comments", text, { 1, 2 })
  end
  only_with("comments", '{/*a*/"x"/*b*/:/*c*/1/*d*/,/*e*/"y":2}', { x = 1, y = 2 })
  D.decodes('["// no comment","/* nor this */"]', { "// no comment", "/* nor this */" }, { comments = true })
  D.refuses("[1] /* x", "unterminated comment", 1, 5, 5, { comments = true })
  D.refuses("/*/", "unterminated comment", 1, 1, 1, { comments = true })
  D.refuses("[1] / x", "text after the value", 1, 5, 5, { comments = true })
  D.refuses("/", "expected a value", 1, 1, 1, { comments = true })
  D.refuses("// x", "empty text", 1, 5, 5, { comments = true })
  D.refuses("# x\n1", "expected a value", 1, 1, 1, { comments = true })
  D.refuses("[1,]", "expected a value", 1, 4, 4, { comments = true })
end

function TestDecodeLenient:test_trailing_commas()
  only_with("trailing_commas", "[1,]", { 1 })
  only_with("trailing_commas", '{"a":1,}', { a = 1 })
  only_with("trailing_commas", '[[1,],{"a":[],},]', { { 1 }, { a = {} } })
  only_with("trailing_commas", "[1 , ]", { 1 })
  for _, text in ipairs { "[,]", "{,}", "[1,,]", '{"a":1,,}', "[,1]", "1,", "[1],", '{"a":,}', "[1,}", '{"a":1,]' } do
    for _, o in ipairs { { trailing_commas = true }, { json5 = true } } do
      same(T.safe.decode(text, o), nil, text)
    end
    D.refuses_alike(text)
  end
end

function TestDecodeLenient:test_nan()
  for _, layout in ipairs { "auto", "api" } do
    local list = fleece.decode("[NaN,Infinity,-Infinity,1]", { invalid_numbers = "literal", layout = layout })
    same(list[1] ~= list[1], true)
    same(list[2], math.huge)
    same(list[3], -math.huge)
    same(list[4], 1)
    list = fleece.decode("[NaN,Infinity,-Infinity,1]", { invalid_numbers = "null", layout = layout })
    for i = 1, 3 do same(list[i], fleece.null) end
    for _, text in ipairs { "-NaN", "+NaN", "+Infinity", "nan", "inf", "Inf", "infinity", "NaNx", "Infinit" } do
      same(T.safe.decode("[" .. text .. "]", { invalid_numbers = "literal", layout = layout }), nil, text)
    end
    -- its bits must not look like a tagged value of LuaJIT
    list = { fleece.decode("[-NaN]", { json5 = true, layout = layout })[1] }
    same(type(list[1]), "number")
    same(list[1] ~= list[1], true)
  end
  for _, text in ipairs { "NaN", "Infinity", "-Infinity" } do D.refuses_alike("[" .. text .. "]") end
  D.refuses("[-Infinity]", "invalid number", 1, 3, 3, { comments = true })
end

function TestDecodeLenient:test_json5_numbers()
  local function gives(text, wanted)
    only_with("json5", "[" .. text .. "]", { wanted })
    if T.integers then same(math.type(fleece.decode(text, { json5 = true })), math.type(wanted), text) end
  end
  T.each({
    { text = "+1", value = 1 },
    { text = "+1.5", value = 1.5 },
    { text = ".5", value = 0.5 },
    { text = "-.5", value = -0.5 },
    { text = "5.", value = 5.0 },
    { text = "-5.", value = -5.0 },
    { text = "5.e2", value = 500.0 },
    { text = ".5e-1", value = 0.05 },
    { text = "+.5E1", value = 5.0 },
    { text = "0x10", value = 16 },
    { text = "0XfF", value = 255 },
    { text = "-0x1f", value = -31 },
    { text = "+0x1F", value = 31 },
    { text = "0x7fffffffffffffff", value = T.integers and math.maxinteger or 2^63 },
    { text = "0x8000000000000000", value = 2.0^63 },
    { text = "0xffffffffffffffffffff", value = 2.0^80 },
    { text = "0x10000000000000000000001", value = 2.0^88 },
    { text = "0x1fffffffffffff", value = 9007199254740991 },
  }, function(case)
    gives(case.text, case.value)
  end)
  same(fleece.decode("0x20000000000001", { json5 = true }), T.integers and 9007199254740993 or 9007199254740992)
  same(1 / fleece.decode("-0x0", { json5 = true }), -math.huge)
  for _, text in ipairs { ".", "+", "-", "0x", "0xg", "1..2", "01", "+01", "1e", ".e1", "--1", "+-1", "0x1.5", "1_0",
    "-.", "+.e1" } do
    same(T.safe.decode("[" .. text .. "]", { json5 = true }), nil, text)
  end
  -- the position is that of the missing or superfluous byte, as in strict JSON
  T.each_pair({
    ["1e"] = 3,
    ["1.e+x"] = 5,
    ["01"] = 2,
    ["-01"] = 3,
    ["."] = 2,
    ["-.e1"] = 3,
    ["+"] = 2,
    ["0xg"] = 3,
    ["-0x"] = 4,
  }, function(text, byte)
    D.refuses(text, "invalid number", 1, byte, byte, { json5 = true })
  end)
  D.refuses("[0x" .. ("f"):rep(300) .. "]", "number too large", 1, 2, 2, { json5 = true })
end

function TestDecodeLenient:test_json5_strings()
  local function gives(text, wanted) only_with("json5", "[" .. text .. "]", { wanted }) end
  T.each({
    { text = "'a'", value = "a" },
    { text = [['a"b']], value = 'a"b' },
    { text = [["a\'b"]], value = "a'b" },
    { text = [['a\'b']], value = "a'b" },
    { text = [["\v\0\x41\xe9"]], value = "\v\0Aé" },
    { text = '"a\\\nb"', value = "ab" },
    { text = '"a\\\r\nb"', value = "ab" },
    { text = '"a\\\rb"', value = "ab" },
    { text = '"a\\\226\128\168b"', value = "ab" },
    { text = [["\a\q\ü"]], value = "aqü" },
    { text = '"tab\there"', value = "tab\there" },
    { text = [['\u0041\ud83d\ude00']], value = "A😀" },
    { text = "''", value = "" },
  }, function(case)
    gives(case.text, case.value)
  end)
  D.decodes('["a\226\128\168b"]', { "a\226\128\168b" }, { json5 = true })
  for _, text in ipairs { "'a", "'a\"", '"a\nb"', '"a\rb"', [["\1"]], [["\9"]], [["\01"]], [["\x4"]], [["\xg0"]],
    [["\u004"]], '"\\' } do
    same(T.safe.decode("[" .. text .. "]", { json5 = true }), nil, text)
  end
  D.refuses([['\ud800']], "unpaired surrogate", 1, 2, 2, { json5 = true })
  D.refuses("['a\128']", "invalid UTF-8", 1, 4, 4, { json5 = true })
end

function TestDecodeLenient:test_json5_names()
  only_with("json5", "{a:1,$b_2:2,_:3,'c d':4,\"e\":5,ünï:6,\\u0061b:7,}",
    { a = 1, ["$b_2"] = 2, _ = 3, ["c d"] = 4, e = 5, ["ünï"] = 6, ab = 7 })
  only_with("json5", "{ a : 1 , null : 2 , true : 3 , NaN:4}", { a = 1, null = 2, ["true"] = 3, NaN = 4 })
  for _, text in ipairs { "{1a:1}", "{a-b:1}", "{a b:1}", "{:1}", "{\\u0020:1}", "{\\u0031a:1}", "{a\\x41:1}",
    "{a\\:1}", "{a:}", "{a}", "{[a]:1}", "{\194\160:1}", "{a\128:1}", "{\\u00a0:1}", "{a\\u2028b:1}", "{\\ud800:1}" } do
    same(T.safe.decode(text, { json5 = true }), nil, text)
  end
end

-- Each text is allowed by its own option (or json5) and by no other.
function TestDecodeLenient:test_each_option_alone()
  local texts = { comments = "[1/**/]", trailing_commas = "[1,]", json5 = "['a']", bom = "\239\187\191[1]" }
  for name, text in pairs(texts) do
    for option in pairs(texts) do
      local o = { [option] = true }
      local read = option == name or (option == "json5" and name ~= "json5")
      same(T.safe.decode(text, o) ~= nil, read, text .. " with " .. option)
      o[option] = false
      same(T.safe.decode(text, o), nil, text)
    end
    for option, value in pairs { invalid_numbers = "literal", invalid_utf8 = "replace", numeric_keys = true,
      null = "nil" } do
      same(T.safe.decode(text, { [option] = value }), nil, text .. " with " .. option)
    end
  end
end

-- decode_prefix and documents accept the same texts as decode.
function TestDecodeLenient:test_other_functions()
  local o = { json5 = true, invalid_utf8 = "escape" }
  local text = "// x\n{a:'\255',} /**/ .5 'b'"
  local value, position = fleece.decode_prefix(text, 1, o)
  same(value.a, "ÿ")
  same(position, 14)
  value, position = fleece.decode_prefix(text, position, o)
  same(value, 0.5)
  same(fleece.decode_prefix(text, position, o), "b")
  local seen = {}
  for v, at in fleece.documents(text, o) do
    seen[#seen + 1] = (type(v) == "table" and v.a or tostring(v)) .. "@" .. at
  end
  same(table.concat(seen, " "), "ÿ@6 0.5@20 b@23")
end

-- JSON5's white space between documents is treated like blanks, also next to record separators and by max_bytes; a line
-- comment does not depend on the comment before it.
function TestDecodeLenient:test_documents_of_json5()
  local function all(text, size, max_bytes)
    local at, list = 1 - size, {}
    local next_value = T.nexts(T.safe.documents(size == 0 and text or function()
      at = at + size
      return text:sub(at, at + size - 1)
    end, { json5 = true, max_bytes = max_bytes }))
    while true do
      local value, place = next_value()
      if value == nil then
        list[#list + 1] = place
        return (table.concat(list, " "):gsub(" near .*", ""))
      end
      list[#list + 1] = fleece.encode(value) .. "@" .. place
    end
  end
  local wide = "\v\f\194\160\239\187\191\226\128\168\225\154\128\227\128\128"
  for size = 0, 5 do
    same(all("[1]\194\160\30[2]", size), "[1]@1 [2]@7")
    same(all(wide .. "\30" .. wide .. "[1]" .. wide .. "2" .. wide .. "\30", size, 3), "[1]@34 2@53")
    same(all("\v\v[1,2]", size, 3), "text too long at line 1, column 6, byte 6")
    same(all("// \226\128\n//\168 [\n1\n2", size), "1@13 2@15")
    same(all("[1]\226\128[2]", size), "[1]@1 expected a value at line 1, column 4, byte 4")
    same(all("[1]\226\128", size), "[1]@1 expected a value at line 1, column 4, byte 4")
    same(all("1 \194// x\n2", size), "1@1 expected a value at line 1, column 3, byte 3")
    same(all("1 \255\255\255\255 2", size), "1@1 expected a value at line 1, column 3, byte 3")
  end
end

function TestDecodeLenient:test_json5_space()
  for _, blank in ipairs { "\v", "\f", "\194\160", "\239\187\191", "\226\128\168", "\226\128\169", "\227\128\128",
    "\226\128\131", "// x\226\128\168", "/* \194\160 */" } do
    only_with("json5", blank .. "[" .. blank .. "1" .. blank .. "," .. blank .. "{" .. blank .. '"a"' .. blank .. ":" ..
      blank .. "2" ..
      blank .. "}" .. blank .. "]" .. blank, { 1, { a = 2 } })
  end
end

function TestDecodeLenient:test_json5_document()
  only_with("json5", [[
// A document with all of it
{
  unquoted: 'and you can quote me on that',
  singleQuotes: 'I can use "double quotes" here',
  lineBreaks: "Look, Mom! \
No \\n's!",
  hexadecimal: 0xdecaf,
  leadingDecimalPoint: .8675309, andTrailing: 8675309.,
  positiveSign: +1, /* infinity is one, too */ top: +Infinity,
  trailingComma: 'in objects', andIn: ['arrays',],
  "backwardsCompatible": "with JSON",
}
]], {
  unquoted = "and you can quote me on that",
  singleQuotes = 'I can use "double quotes" here',
  lineBreaks = "Look, Mom! No \\n's!",
  hexadecimal = 0xdecaf,
  leadingDecimalPoint = .8675309,
  andTrailing = 8675309.0,
  positiveSign = 1,
  top = math.huge,
  trailingComma = "in objects",
  andIn = { "arrays" },
  backwardsCompatible = "with JSON",
})
  same(fleece.new { json5 = true }.decode("[1,]", { json5 = true })[1], 1)
  same(T.safe.new { json5 = true }.decode("[1,]", { json5 = false }), nil)
end
