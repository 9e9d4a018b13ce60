-- SPDX-License-Identifier: MIT
-- test_format.lua -- fleece.format and fleece.format_stream: the same text in another layout. Expected results come
-- from decode and encode, which have oracles of their own, and from texts written by hand; pieces must not change them.
-- runs: in one layout

local T = require "support"
local lu, fleece, safe = T.lu, T.fleece, T.safe
local format = fleece.format

TestFormat = {}

function TestFormat:test_plain()
  local cases = {
    {
      text = ' {"b" : [1.0, 1e400,{},[ ] ,"\\u00e9\\/é"] ,\n"a":null,"b":true} ',
      plain = '{"b":[1.0,1e400,{},[],"\\u00e9\\/é"],"a":null,"b":true}',
    },
    { text = "\t-0.00E+0\r\n", plain = "-0.00E+0" },
    { text = '"\\ud83d\\ude00 \\n"', plain = '"\\ud83d\\ude00 \\n"' },
    { text = "123456789012345678901234567890", plain = "123456789012345678901234567890" },
    { text = "[[],[[]],{}]", plain = "[[],[[]],{}]" },
    { text = "false", plain = "false" },
  }
  T.each(cases, function(case) T.same(format(case.text), case.plain) end)
end

function TestFormat:test_indent()
  local text = '{"b":[1.0,{},[],"x"],"a":{"c":[[]]},"d":[{"e":1}]}'
  local wanted = [[
{
  "b": [
    1.0,
    {},
    [],
    "x"
  ],
  "a": {
    "c": [
      []
    ]
  },
  "d": [
    {
      "e": 1
    }
  ]
}]]
  T.same(format(text, { indent = 2 }), wanted)
  T.same(format(text, { indent = "\t" }), (wanted:gsub("  ", "\t")))
  T.same(format(wanted), text)
  T.same(format("[]", { indent = 2 }), "[]")
  T.same(format("1", { indent = 2 }), "1")
  -- The layout is the same as encode's.
  local deep = ("[1,{\"a\":"):rep(20) .. "null" .. ("}]"):rep(20)
  for _, indent in ipairs { 1, 7, 16, "\t" } do
    T.same(format(deep, { indent = indent }), fleece.encode(fleece.decode(deep), { indent = indent }))
  end
end

function TestFormat:test_sort_keys()
  local sorted = { sort_keys = true }
  T.same(format('{"b":1,"a":{"z":1,"y":[{"d":1,"c":2}]},"":0}', sorted), '{"":0,"a":{"y":[{"c":2,"d":1}],"z":1},"b":1}')
  -- equal names stay in their order
  T.same(format('{"a":1,"b":2,"a":3,"aa":4,"a":5}', sorted), '{"a":1,"a":3,"a":5,"aa":4,"b":2}')
  -- Names are sorted by their decoded bytes: B (42), a (61), é (c3 a9), U+FFFD (ef bf bd), U+10000 (f0 90 80 80).
  T.same(format('{"\\ud800\\udc00":1,"\\ufffd":2,"é":3,"\\u0061":4,"B":5,"\\n":6}', sorted),
    '{"\\n":6,"B":5,"\\u0061":4,"é":3,"\\ufffd":2,"\\ud800\\udc00":1}')
  T.same(format('{"ab":1,"\\u0061":2,"a\\u0062c":3}', sorted), '{"\\u0061":2,"ab":1,"a\\u0062c":3}')
  T.same(format('{"b":[{}],"a":{"d":0,"c":1}}', { sort_keys = true, indent = 1 }),
    '{\n "a": {\n  "c": 1,\n  "d": 0\n },\n "b": [\n  {}\n ]\n}')
  local members, names = {}, {}
  for i = 1, 3000 do members[i] = ('"%d":%d'):format(i * 7919 % 3001, i) end
  for name in format("{" .. table.concat(members, ",") .. "}", sorted):gmatch '"(%d+)":' do names[#names + 1] = name end
  lu.assertEquals(#names, 3000)
  for i = 2, #names do lu.assertTrue(names[i - 1] < names[i], names[i]) end
end

function TestFormat:test_colors()
  T.same(format('{"a":["b",1,true,null,{}]}', { colors = true }), '{\27[34;1m"a"\27[0m:[\27[32m"b"\27[0m,' ..
    '\27[36m1\27[0m,\27[33mtrue\27[0m,\27[90mnull\27[0m,{}]}')
  local text = '{"b":[1,{"x":[]}],"a":"q\\"","aa":[[],0.5]}'
  for _, options in ipairs { {}, { indent = 3 }, { sort_keys = true }, { indent = 1, sort_keys = true } } do
    local plain = format(text, options)
    options.colors = true
    T.same(format(text, options):gsub("\27%[[%d;]*m", ""), plain)
  end
end

function TestFormat:test_lines()
  local lines = { lines = true }
  T.same(format(' 1 2\n[3]\r\n{"a":1}{}"x""y"4 [5]\30"z"true\n', lines),
    '1\n2\n[3]\n{"a":1}\n{}\n"x"\n"y"\n4\n[5]\n"z"\ntrue\n')
  T.same(format(" \n", lines), "")
  T.same(format("", lines), "")
  T.raises_ending("text after the value at line 1, column 3, byte 3 near '1 2'", format, "1 2")
  T.raises_ending("empty text at line 1, column 1, byte 1", format, "")
  for _, text in ipairs { "1,2", "truefalse", "1true", "[1]]", "nulll", "12-3" } do T.error_of(format, text, lines) end
end

-- Members that are already sorted are not moved, also not at each level of a deep text.
function TestFormat:test_sorted_is_not_moved()
  local text = ("x"):rep(1e6)
  T.linear(function(depth)
    local nested = ('{"a":1,"b":'):rep(depth) .. '"' .. text .. '"' .. ("}"):rep(depth)
    local start = os.clock()
    T.same(format(nested, { sort_keys = true }), nested)
    return os.clock() - start
  end, 1, 900, 20)
end

-- Only JSON5 has hexadecimal numbers: in other grammars the text has a 0 with unexpected text after it.
function TestFormat:test_hexadecimal()
  for _, text in ipairs { "[0x1ffffffffffffffff0]", "0Xfffffffffffffffffffff", "-0xfffffffffffffffff0", "[0x1f]" } do
    for _, option in ipairs { "trailing_commas", "comments", "bom" } do
      T.same(select(2, safe.format(text, { [option] = true })), select(2, safe.decode(text, { [option] = true })), text)
    end
  end
end

-- Lenient input becomes strict JSON with the same values and all digits.
function TestFormat:test_lenient()
  local json5 = { json5 = true }
  local cases = {
    {
      text = "{a:.5,'b':+5.,c:-.5e+3,\"d\":0xFFffFFffFFffFFff,}",
      plain = '{"a":0.5,"b":5.0,"c":-0.5e+3,"d":18446744073709551615}',
    },
    {
      text = "[-0x10,+0,-0,-12.50E-07,+123456789012345678901234567890,.123456789012345678901]",
      plain = "[-16,0,-0,-12.50E-07,123456789012345678901234567890,0.123456789012345678901]",
    },
    { text = "'a\"b\\'\\\n\\x41\\0\\v'", plain = '"a\\"b\'A\\u0000\\u000b"' },
    { text = '"a\\u0041\\/"', plain = '"a\\u0041\\/"' },
    { text = "/* 1 */ [1, // 2\n] //", plain = "[1]" },
    { text = "\239\187\191 {\"x\":true}", plain = '{"x":true}' },
  }
  T.each(cases, function(case) T.same(format(case.text, json5), case.plain) end)
  T.raises_with("number not exact at line 1, column 4", format, "[1,0x10000000000000000]", json5)
  T.raises_with("invalid number at line 1, column 2", format, "[NaN]", json5)
  T.same(format("[NaN,-Infinity]", { invalid_numbers = "null" }), "[null,null]")
  T.same(format("[NaN,-Infinity]", { invalid_numbers = "literal" }), "[NaN,-Infinity]")
  T.same(format('["\255","\\ud800"]', { invalid_utf8 = "replace" }), '["\239\191\189","\239\191\189"]')
  T.same(format('["\255"]', { invalid_utf8 = "pass" }), '["\255"]')
  T.same(format("[1,]", { trailing_commas = true, indent = 1 }), "[\n 1\n]")
  T.same(format("{x:1,b:2}", { json5 = true, sort_keys = true }), '{"b":2,"x":1}')
end

-- format gives the same errors as decode, with the same message and position, but accepts numbers of any size.
local function same_verdict(text, options)
  local value, message, position = safe.decode(text, options)
  local again, message2, position2 = safe.format(text, options)
  if value == nil then
    if message:find "^number too large" then return end
    T.same(again, nil, text)
    T.same(message2, message, text)
    T.equal(position2, position, text)
  else
    lu.assertIsString(again, text)
    T.same(fleece.encode(fleece.decode(again), { sort_keys = true }), fleece.encode(value, { sort_keys = true }), text)
  end
end

local TEXTS = { '{"a":[1,-2.5e3,true,false,null,"x\\u00e9\\n\\ud83d\\ude00é"],"b":{"":{}}, "c" : [ ] }', "-0.5",
  '"\240\159\152\128"' }

function TestFormat:test_wrong_texts()
  local bytes = { "", "x", '"', "\\", "\0", "\31", "\128", "0", "-", ".", "e", "[", "}", ",", ":", " ", "\n", "\195",
    "\\ud800" }
  for _, text in ipairs(TEXTS) do
    for at = 1, #text do
      same_verdict(text:sub(1, at - 1))
      for _, byte in ipairs(bytes) do same_verdict(text:sub(1, at - 1) .. byte .. text:sub(at + 1)) end
    end
  end
  for _, text in ipairs { "01", "1.", "1e", "-", "1e+", "-a", "00", "-01", "1.e5", "0x1", "+1", ".5" } do
    same_verdict(text)
    same_verdict("[" .. text .. "]")
  end
  T.raises_ending("nesting too deep at line 1, column 1001, byte 1001 near '" .. ("["):rep(25) ..
    "' (max_depth allows more)", format, ("["):rep(1001))
  T.same(format(("["):rep(5000) .. ("]"):rep(5000), { max_depth = 5000 }), ("["):rep(5000) .. ("]"):rep(5000))
  T.raises_with("text too long", format, "[1]", { max_bytes = 2 })
end

-- ------------------------------------------------------------------------------------- streams

-- A source: the text in pieces of n bytes, then empty strings, which also mean the end.
local function pieces_of(text, n)
  local next_piece = T.pieces(text, n)
  return function() return next_piece() or "" end
end

local function stream(text, n, options)
  local sink, result = T.collector()
  local documents, message, position = safe.format_stream(pieces_of(text, n), sink, options)
  return documents and result(), message, position
end

-- A number stays what decode makes of it, an integer or a float: "5." is a float, so it is not written as 5, and a float
-- that Lua rounds does not become an integer that it keeps exactly.
function TestFormat:test_kinds_of_json5_numbers()
  local json5 = { json5 = true }
  local cases = { ["5."] = "5.0", ["0."] = "0.0", ["-0."] = "-0.0", ["5.e3"] = "5.0e3", ["5.E-3"] = "5.0E-3",
    ["99999999999999999."] = "99999999999999999.0", [".5"] = "0.5", [".0"] = "0.0", [".5e1"] = "0.5e1",
    ["5.50"] = "5.50", ["5e3"] = "5e3", ["5"] = "5", ["99999999999999999"] = "99999999999999999", ["0x1F"] = "31",
    ["0x0"] = "0" }
  local function same_number(a, b, what)
    lu.assertEquals(a, b, what)
    if math.type then T.same(math.type(a), math.type(b), what) end
    if a == 0 then T.same(1 / a, 1 / b, what) end
  end
  for text, plain in pairs(cases) do
    for sign, kept in pairs { [""] = "", ["+"] = "", ["-"] = "-" } do
      if not (text:sub(1, 1) == "-" and sign ~= "") then
        local number = sign .. text
        local value = fleece.decode(number, json5)
        T.same(format(number, json5), kept .. plain, number)
        T.same(format("{a:[" .. number .. "]}", { json5 = true, sort_keys = true, indent = 1 }),
          '{\n "a": [\n  ' .. kept .. plain .. "\n ]\n}", number)
        T.same((stream(number, 1, json5)), kept .. plain, number)
        same_number(fleece.decode(kept .. plain), value, number)
        same_number(fleece.lazy("[" .. number .. "]", json5)[1], value, number)
        same_number(fleece.unpack(fleece.from_json(number, json5)), value, number)
        same_number(fleece.decode(fleece.to_json(fleece.from_json(number, json5))), value, number)
        local edited = fleece.edit("{a:" .. number .. "}", { { "set", "b", 1 } }, json5)
        same_number(fleece.decode(edited, json5).a, value, number)
        local patched = fleece.new(json5).json_patch("{a:" .. number .. "}", '[{"op":"move","from":"/a","path":"/c"}]')
        same_number(fleece.decode(patched, json5).c, value, number)
      end
    end
  end
end

local STREAM = '{"b" : [1.0, 1e400,{},[] ,"\\u00e9é"], "a":null ,"b":true} 12 [true,\n"x"] -3.5e+7 ' ..
  '"é\\ud83d\\ude00" \30 ' ..
  '[[[[{"q":[1,2,{"c":1,"b":[]}]}]]]] 0 false "" {}'

function TestFormat:test_pieces()
  for _, options in ipairs {
    { lines = true },
    { lines = true, indent = 2 },
    { lines = true, sort_keys = true },
    { lines = true, sort_keys = true, colors = true, indent = 1 },
  } do
    local wanted = format(STREAM, options)
    for n = 1, #STREAM + 1 do T.same((stream(STREAM, n, options)), wanted, "pieces of " .. n) end
  end
  local json5 = "\239\187\191/* c */ {a:.5,/* d */'b\\x41':+5.,c:-Infinity,\"d\":0x1F} // e\n[NaN,/*\n*/'\\u00e9',]"
  local options = { lines = true, json5 = true, invalid_numbers = "literal" }
  for n = 1, #json5 do T.same((stream(json5, n, options)), format(json5, options), "JSON5, pieces of " .. n) end
end

-- What may follow a number or word is the same as for documents, in each grammar and in pieces of any size.
function TestFormat:test_apart()
  for _, text in ipairs { "1-2", "null1", "truefalse", "1x", "1/2", "1 /2", "1'a'", "'a'1", "'a'null/**/2", "1/**/2",
    "1//\n2", "1/*", "1/", "1\194\1602", "1\226\128\1682", "[1]\194\160\30[2]", "1\0302", "0x1f 2", "1\v2" } do
    for _, grammar in ipairs { "lines", "comments", "json5" } do
      local o, documents, message = { lines = true, [grammar] = true }, {}, nil
      local next_value = T.nexts(safe.documents(text, grammar ~= "lines" and { [grammar] = true } or nil))
      repeat
        local value, err = next_value()
        documents[#documents + 1] = value ~= nil and fleece.encode(value) .. "\n" or nil
        message = value == nil and err or nil
      until value == nil
      local wanted = not message and table.concat(documents) or nil
      local found, message2 = safe.format(text, o)
      T.same(found, wanted, text .. " " .. grammar)
      T.same(message2, message, text .. " " .. grammar)
      found, message2 = safe.from_json(text, o)
      wanted = wanted and "[" .. wanted:sub(1, -2):gsub("\n", ",") .. "]"
      T.same(found and fleece.to_json(found), wanted, "from_json of " .. text .. " " .. grammar)
      T.same(message2, message, "from_json of " .. text .. " " .. grammar)
      wanted = wanted and table.concat(documents)
      for n = 1, 4 do
        found, message2 = stream(text, n, o)
        T.same(found or nil, wanted, text .. " " .. grammar)
        if message then
          T.same((message2:gsub(" near .*", "")), (message:gsub(" near .*", "")), text .. " " .. grammar)
        end
      end
    end
  end
  for _, text in ipairs { "1\194", "1\226\128", "1\226\1282" } do
    for n = 1, 4 do
      T.contains(select(2, stream(text, n, { lines = true, json5 = true })),
        "text after the value at line 1, column 2, byte 2")
    end
  end
end

function TestFormat:test_wrong_pieces()
  for _, text in ipairs { "[1,\n2,\n\"é\",nul]", '{"a":1,\r\n"a"}', "[1] 2 [3", "1 2 x", '"\\u12', "[1.", "[\"é\255\"]",
    "-", "\239\187\191[]", '["\\ud800"]', "[1]]", "1,2", "1\n2,", ("[1,"):rep(400) .. "}" .. ("2"):rep(100) } do
    local _, message, position = safe.format(text, { lines = true })
    lu.assertIsString(message, text)
    for n = 1, math.min(#text, 40) do
      local none, message2, position2 = stream(text, n, { lines = true })
      T.same(none, nil, text)
      T.same(message2:gsub(" near .*", ""), (message:gsub(" near .*", "")), text .. " in pieces of " .. n)
      -- The excerpt is the same, as far as the text had been read.
      local near, near2 = message:match " near '(.*)'", message2:match " near '(.*)'"
      local shown = math.min(#near, #near2)
      T.same(near2:sub(1, shown), near:sub(1, shown), text)
      T.equal(position2.byte, position.byte)
    end
  end
end

-- An error is reported at once, not at the end of the text.
function TestFormat:test_error_comes_early()
  local calls = 0
  local function source()
    calls = calls + 1
    return calls == 1 and "[1,}" or (" "):rep(100)
  end
  T.same((safe.format_stream(source, nil, { lines = true })), nil)
  lu.assertTrue(calls <= 3, calls)
end

-- A document is written as soon as the piece that contains its end is read.
function TestFormat:test_reading_along()
  local n, size = 0, 0
  fleece.format_stream(function()
    lu.assertEquals(size, 4 * n)
    n = n + 1
    return n <= 5 and "[ 1]\n" or nil
  end, function(p) size = size + #p end, { lines = true })
  lu.assertEquals(size, 0 + 5 * #"[1]\n")
end

-- The same with a long string, number or comment, which is not scanned again with each piece.
function TestFormat:test_reading_along_with_long_tokens()
  local texts = { '["' .. ("z\\n"):rep(40000) .. '"]', "[1" .. ("0"):rep(70000) .. "]",
    "[/*" .. ("*"):rep(90000) .. "/ 'a" .. ("\\'"):rep(30000) .. "']" }
  for i, text in ipairs(texts) do
    local options = { lines = true, json5 = i == 3 }
    local wanted, given, size, at = #format(text, options), 0, 0, 1
    local documents = fleece.format_stream(function()
      lu.assertEquals(size, given * wanted)
      if given == 3 then return nil end
      local piece = text:sub(at, at + 999)
      at = at + 1000
      if at > #text then given, at, piece = given + 1, 1, piece .. "\n" end
      return piece
    end, function(p) size = size + #p end, options)
    lu.assertEquals(documents, 3)
  end
end

-- Random lenient texts, valid or not, give the same result in pieces as at once.
function TestFormat:test_random_wide_pieces()
  local gaps = { " ", "/**/", "/* / * */", "//\n", "// ' \" [\r", "\226\128\168", "\194\160", "\v", "" }
  local words = { "1", "-Infinity", "+.5e1", "0x1F", "'a\"\\\n\\x41'", '"b\'"', "[", "]", "{", "}", ",", ":", "a$:",
    "\\u0061\\u0062:", "é_1:", "null", "[1,2,]", "{a:1,'b':[],}", "/", "@", "NaN" }
  T.random_rounds(400, function()
    local list, options = {}, T.random(1, 3) > 1 and { json5 = true } or { comments = true }
    options.lines = true
    for i = 1, T.random(1, 12) do
      local gap = T.pick(gaps):rep(T.random(1, 5) == 1 and 3 or 1)
      list[i] = (T.random(1, 3) == 1 and T.pick(words) or T.pick { "[1]", "{a:1}", "2", '{"b":' .. gap .. "[]}" }) ..
        gap
    end
    local text = table.concat(list)
    local wanted, message, position = safe.format(text, options)
    local n = T.random(1, 5)
    local got, message2, position2 = stream(text, n, options)
    if wanted then return T.same(got, wanted, ("%q in pieces of %d"):format(text, n)) end
    lu.assertNil(got)
    -- An incomplete line may be reported at its end or in the next line, depending on how much of both is in memory.
    if position.byte ~= position2.byte and (message:find "^unexpected end" or message2:find "^unexpected end") then return end
    T.same((message2:gsub(" near .*", "")), (message:gsub(" near .*", "")), ("%q in pieces of %d"):format(text, n))
    lu.assertEquals(position2.byte, position.byte)
  end)
end

-- Pieces may end inside the beginning of a comment, or inside a white space character, after the document.
function TestFormat:test_pieces_after_the_document()
  local source = "1/* c *///d\n\194\160\239\187\191"
  for size = 1, #source do
    local at, list = 0, {}
    local function piece()
      at = at + size
      if at - size < #source then return source:sub(at - size + 1, at) end
    end
    lu.assertEquals(fleece.format_stream(piece, function(s) list[#list + 1] = s end, { json5 = true }), 1)
    lu.assertEquals(table.concat(list), "1")
  end
end

function TestFormat:test_random_pieces()
  local function word()
    local kind = T.random(1, 9)
    if kind == 1 then return "[" .. (" "):rep(T.random(0, 3)) .. "1,2 ]" end
    if kind == 2 then return ('"%s"'):format(("é\\n\\u00e9x"):rep(T.random(0, 300))) end
    if kind == 3 then return ("[%s0]"):format(("{\"k\":[1.5,\"v\"]},"):rep(T.random(0, 500))) end
    if kind == 4 then return ("["):rep(T.random(1, 300)) .. "@" end
    return ({ "1", "-2.50", "true", "null", '{"a":{"b":[]}}' })[kind - 4]
  end
  T.random_rounds(40, function()
    local words = {}
    for i = 1, T.random(1, 60) do
      local w = word()
      local opened = w:match "^(%[+)@"
      words[i] = opened and opened .. ("]"):rep(#opened) or w
    end
    local text = table.concat(words, "\n")
    local options = { lines = true, indent = T.random(0, 1) * 2, sort_keys = T.random(0, 1) == 1 }
    T.same((stream(text, T.random(1, 5000), options)), format(text, options))
  end)
end

-- Only one token and one piece are kept in memory: a document of 40 MB needs less than 2 MB.
function TestFormat:test_bounded_memory()
  local item = '{"name":"' .. ("x"):rep(80) .. '","list":[1,2,3]}'
  local piece = (item .. ","):rep(500)
  local n, most, size, before = 0, 0, 0, T.memory()
  local documents = fleece.format_stream(function()
    n = n + 1
    if n % 50 == 0 then most = math.max(most, T.memory()) end
    if n == 1 then return "[" end
    return n <= 800 and piece or n == 801 and item .. "]" or nil
  end, function(p) size = size + #p end)
  lu.assertEquals(documents, 1)
  lu.assertEquals(size, 799 * #piece + #item + 2)
  lu.assertTrue(most - before < 2000, most - before)
end

-- A long string is not scanned from its beginning again with every piece.
function TestFormat:test_long_string()
  local piece = ("y"):rep(4096)
  lu.assertEquals(T.soon(5, function()
    local n, size = 0, 0
    fleece.format_stream(function()
      n = n + 1
      if n == 1 then return '"' end
      return n <= 4000 and piece or n == 4001 and '"' or nil
    end, function(p) size = size + #p end)
    return size
  end), 3999 * 4096 + 2)
end

function TestFormat:test_sinks_and_sources()
  local file = io.tmpfile()
  lu.assertEquals(fleece.format_stream("[1, 2] [3]", file, { lines = true }), 2)
  file:seek "set"
  lu.assertEquals(file:read "*a", "[1,2]\n[3]\n")
  file:seek "set"
  local sink, result = T.collector()
  lu.assertEquals(fleece.format_stream(file, sink, { lines = true }), 2)
  lu.assertEquals(result(), "[1,2]\n[3]\n")
  file:close()
  lu.assertEquals(fleece.format_stream("[1] [2] 3", nil, { lines = true }), 3)
  T.raises_with("text after the value", fleece.format_stream, "[1] [2]")

  local big = ("[1] "):rep(100000)
  T.fails("no room", safe.format_stream, big, function() return nil, "no room" end, { lines = true })
  T.raises_ending("thrown", fleece.format_stream, big, function() error("thrown", 0) end, { lines = true })
  T.raises_ending("source", fleece.format_stream, function() error("source", 0) end)
  T.raises_with("the source of format_stream returned a number", fleece.format_stream, function() return 1 end)
  T.raises_with("closed file", fleece.format_stream, pieces_of(big, 10000), file, { lines = true })
  local closing = io.tmpfile()
  T.raises_with("closed file", fleece.format_stream, function() if closing then
    closing:close()
    closing = nil
  end
  return "1 " end,
    closing, { lines = true })
  T.raises_with("a string, a file or a function expected", fleece.format_stream, {})
  T.raises_with("a file, a function", fleece.format_stream, "1", 5)
end

-- Sources and sinks may use the module.
function TestFormat:test_nested()
  local n = 0
  local sink, result = T.collector()
  fleece.format_stream(function()
    n = n + 1
    fleece.encode { ("z"):rep(5000) }
    return n <= 50 and ('["a", %s]'):format(fleece.format('[ "' .. ("b"):rep(3000) .. '" ]', { sort_keys = true })) or
      nil
  end, function(p)
    fleece.format("[1, 2]", { indent = 2 })
    return sink(p)
  end, { lines = true, sort_keys = true })
  T.same(result(), ('["a",["' .. ("b"):rep(3000) .. '"]]\n'):rep(50))
end

function TestFormat:test_collector()
  local text = ('{"b":1,"a":{"d":["x\\n"],"c":2}}'):rep(40)
  local wanted = format(text, { lines = true, sort_keys = true })
  T.with_busy_collector(20, 2, function()
    T.same(format(text, { lines = true, sort_keys = true }), wanted)
    T.same((stream(text, 100, { lines = true, sort_keys = true })), wanted)
  end)
end

function TestFormat:test_arguments()
  T.bad_argument(1, "string expected", "format")
  T.bad_argument(2, "table expected", "format", "1", 5)
  T.bad_argument(2, "unknown option 'colour'", "format", "1", { colour = true })
  T.bad_argument(2, "option 'lines' must be true or false", "format", "1", { lines = 1 })
  lu.assertEquals(fleece.new({ indent = 1 }).format "[1]", "[\n 1\n]")
  local codec = fleece.new { lines = true, colors = true } -- for all functions
  lu.assertEquals(codec.encode { 1 }, "[1]")
  lu.assertEquals(#codec.decode "[1]", 1)
end
