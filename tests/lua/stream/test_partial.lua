-- SPDX-License-Identifier: MIT
-- test_partial.lua -- decode with partial = true, and the methods of a parser that look at a text before its end. The
-- expected values come from support/partial_model.lua; FLEECE_TEST_ROUNDS: see support.lua.

local T = require "support"
local R = require "random_text"
local model = require "partial_model"
local lu, fleece, same, rounds, random = T.lu, T.fleece, T.same, T.random_rounds, T.random

TestPartial = {}

local function show(value)
  if value == nil then return "nothing" end
  return fleece.encode(value, { sort_keys = true, invalid_numbers = "literal", invalid_utf8 = "pass", sparse = "null" })
end

local codecs = { raw = T.safe, api = T.safe_api }

-- decode must return this value and state for the text, as JSON; nil: nothing.
local function gives(text, options, json, state)
  for name, codec in pairs(codecs) do
    local value, got = codec.decode(text, T.merged({ partial = true }, options))
    same(show(value), json or "nothing", name .. ": " .. text)
    same(got, state, name .. ": " .. text)
  end
end

-- The text is wrong, at this byte.
local function refuses(text, options, byte)
  for name, codec in pairs(codecs) do
    for _, unfinished in ipairs { false, true } do
      local value, _, at = codec.decode(text, T.merged({ partial = true, unfinished = unfinished }, options))
      same(value, nil, name .. ": " .. text)
      same(at and at.byte, byte, name .. ": " .. text)
    end
  end
end

-- Each beginning of the valid text gives what the model says.
local function each_beginning(text, options, from)
  for n = from or 0, #text do
    local head = text:sub(1, n)
    for _, unfinished in ipairs { false, true } do
      local value, state = model(head, unfinished)
      gives(head, T.merged({ unfinished = unfinished }, options or {}), value ~= nil and show(value) or nil, state)
    end
  end
end

local texts = {
  "1", "-0", " 12.5e3 ", '"text"', "true", "null", "[]", "{}", " [ ] ", "[[[]]]", '{"a":{"b":{}}}', "[1,2,3]",
  '{"a":[1,2,{"b":null,"c":"x\\u00e4y\\ud83d\\ude00"}],"n":-12.5e+3,"t":true,"f":false,"e":{},"z":[[],[[]]]}',
  '["é€😀","\\"\\\\\\/\\b\\f\\n\\r\\t","\\u0000","\\\\ud83d\\\\"]', '[-0.0,1E-2,0.5,10,1e5 , 2]', '{"a":1,"a":2,"a":[{}]}',
  '[{"id":1,"name":"x"},{"id":2,"name":"y"},{"id":3,"name":"z"},{"name":"w","id":4}]', '{"":"","a b":[""," "]}',
  "[\n1,\r\n2,\r3,\n\n\t4 ]\n", '{"a" : { "b" : [ { "c" : "d" } , null ] } , "e" : false }',
}

function TestPartial:test_beginnings()
  for _, text in ipairs(texts) do each_beginning(text) end
end

function TestPartial:test_random()
  rounds(30, function()
    local text = R.text(5, 200)
    if fleece.decode(text) == nil then return end
    for _ = 1, 20 do
      local n = random(0, #text)
      each_beginning(text:sub(1, n), nil, n)
    end
  end)
end

-- Every beginning of every valid text of JSONTestSuite (MIT, Nicolas Seriot).
function TestPartial:test_suite()
  local folder
  for _, data in ipairs { os.getenv "FLEECE_DATA" or "../shared/data", "../shared/data" } do
    local file = io.open(data .. "/jsontestsuite/y_array_empty.json", "rb")
    if file then
      file:close()
      folder = data .. "/jsontestsuite"
      break
    end
  end
  if not folder then lu.skip "no data: set FLEECE_DATA" end
  local list, count = io.popen("ls " .. folder), 0
  for name in list:lines() do
    if name:find "^y_" then
      each_beginning(T.read_file(folder .. "/" .. name))
      count = count + 1
    end
  end
  list:close()
  lu.assertTrue(count > 50)
end

function TestPartial:test_rules()
  gives("", {}, nil, "open")
  gives("12", {}, nil, "open") -- it may become 123
  gives("12", { unfinished = true }, "12", "open")
  gives("12 ", {}, "12", "complete")
  gives("[12", {}, "[]", "open")
  gives("[1,2", {}, "[1]", "open")
  gives("[1,2 ", {}, "[1,2]", "open")
  gives("[1,", {}, "[1]", "open")
  gives("[tru", { unfinished = true }, "[]", "open")
  gives("[true", {}, "[true]", "open") -- nothing can follow
  gives('{"a"', {}, "{}", "open")
  gives('{"a":', {}, "{}", "open")
  gives('{"a":1,"b', { unfinished = true }, '{"a":1}', "open") -- a name is no value
  gives("-", { unfinished = true }, nil, "open")
  gives("[-", { unfinished = true }, "[]", "open")
  gives("[1e", { unfinished = true }, "[1]", "open")
  gives("[1e+", { unfinished = true }, "[1]", "open")
  gives("[1.", { unfinished = true }, "[1]", "open")
  gives('["a\\u00e', { unfinished = true }, '["a"]', "open")
  gives('["a\\ud83d', { unfinished = true }, '["a"]', "open")
  gives('["a\\ud83d\\ude0', { unfinished = true }, '["a"]', "open")
  gives('["a\240\159\152', { unfinished = true }, '["a"]', "open")
end

function TestPartial:test_wrong_texts()
  T.each({
    { "[1 2", 4 }, { "[1]]", 4 }, { "x", 1 }, { "[trx", 2 }, { "{1", 2 }, { "[01", 3 }, { "[1.x", 4 }, { "[+", 2 },
    { '["\\x', 3 }, { '["\\u00g', 3 }, { '["\1', 3 }, { '["\255', 3 }, { '["\237\160', 3 }, { '["\\ud83dx', 3 },
    { '["\\ude00', 3 }, { '["\\ud83d\\u0041', 3 }, { '{"a"x', 5 }, { "[1}", 3 }, { "[,", 2 }, { '{"a":1,}', 8 },
    { "[1e999,", 2 }, { "\239\187", 1 }, { "[/", 2 }, { "[\0", 2 }, { "nulx", 1 }, { "[-x", 3 }, { '["\\ude', 3 },
    { "1 2", 3 }, { "[NaN", 2 },
  }, function(case) refuses(case[1], {}, case[2]) end)
end

function TestPartial:test_lenient()
  local json5 = { json5 = true, unfinished = true }
  for _, case in ipairs {
    { "/", nil }, { "/* x", nil }, { "[1, // x", "[1]" }, { "[1, /* x", "[1]" }, { "[1 /", "[1]" }, { "[1/*", "[1]" },
    { "{a", "{}" }, { "{a: 1, b\\u00", '{"a":1}' }, { "{é: 'x", '{"é":"x"}' }, { "{a\195", "{}" }, { "['a\\", '["a"]' },
    { "['a\\x4", '["a"]' }, { "['a\\x41", '["aA"]' }, { "['a\\\n", '["a"]' }, { "[0x", "[0]" }, { "[0x1F", "[31]" },
    { "[+", "[]" }, { "[.", "[]" }, { "[.5", "[0.5]" }, { "[5.", "[5]" }, { "[-Infin", "[]" }, { "[+In", "[]" },
    { "[Infinity", "[Infinity]" }, { "[\226\128", "[]" }, { "[1,\194", "[1]" }, { "[1\226\128\168", "[1]" },
    { "[1,]", "[1]", "complete" }, { "{a:1,}", '{"a":1}', "complete" }, { "[1] /", "[1]", "complete" },
    { "[1] // x", "[1]", "complete" }, { "'it\\'s", "\"it's\"" }, { "\239\187", nil }, { "\239\187\191[1", "[1]" },
  } do
    gives(case[1], json5, case[2], case[3] or "open")
  end
  gives("[0x1F", { json5 = true }, "[]", "open")
  gives("[.5", { json5 = true }, "[]", "open")
  gives("[-5", { json5 = true }, "[]", "open")
  gives("[1 /* x */", { comments = true }, "[1]", "open")
  gives("[Na", { invalid_numbers = "literal" }, "[]", "open")
  gives("[NaN", { invalid_numbers = "literal" }, "[NaN]", "open")
  gives("\239\187", { bom = true }, nil, "open")
  gives('["a\255', { invalid_utf8 = "replace", unfinished = true }, '["a�"]', "open")
  gives('["a\195', { invalid_utf8 = "replace", unfinished = true }, '["a"]', "open")
  gives('["\\ud83d\\ude', { invalid_utf8 = "replace", unfinished = true }, '[""]', "open")
  T.each({ { "[1\195", 3 }, { "{'a'\195", 5 }, { "{a\\x", 3 }, { "[1 x", 4 }, { "[0x1G", 5 }, { "[+x", 3 }, { "[1//\n2", 6 } },
    function(case) refuses(case[1], { json5 = true }, case[2]) end)
end

-- Each beginning of valid texts in each grammar gives something, and the whole text what decode does.
local grammars = {
  { json5 = true }, { comments = true }, { trailing_commas = true, invalid_numbers = "literal" },
  { invalid_numbers = "null", bom = true }, { invalid_utf8 = "replace" }, { invalid_utf8 = "escape", comments = true },
  { invalid_utf8 = "pass" }, { duplicates = "error" }, { duplicates = "first" }, { null = "nil" }, { order = true },
  { numbers = "exact" }, { order = true, numbers = "exact", json5 = true }, { big_numbers = "string", numeric_keys = true },
  { big_numbers = "error" }, { arrays = { __jsontype = "array" }, objects = { __jsontype = "object" }, null = false },
}

local lenient_texts = {
  "// c\n[1]", "/* c */ 1", "[1,// c\n2]", "[1/*c*/,/**/2/* * / **/]", "1 // c", "{a:1}", "{'a':'b'}", "[1,2,]",
  "[0x1F,+5,.5,5.,-.5,Infinity,-Infinity,NaN,+Infinity,-0xA]", "'a\\\nb\\x41\\0\\v\\\226\128\168'", "[\"\\\r\n\", 'é😀\\é']",
  "{\\u0061b: 1, $c: 2, é: 3}", "\194\160[\226\128\168 1\239\187\191]", "\239\187\191[NaN]", '{"a":"\255","b":"\\ud800"}',
  '{"1":[{"2":18446744073709551616}]}', "[123456789012345678901234567890e-15, 1.50, 1e400]", '{"b":1,"a":{"d":1,"c":2}}',
}

function TestPartial:test_grammars()
  for _, options in ipairs(grammars) do
    for _, list in ipairs { texts, lenient_texts } do
      for _, text in ipairs(list) do
        local wanted, wrong = T.safe.decode(text, options)
        for name, codec in pairs(codecs) do
          for _, unfinished in ipairs { false, true } do
            local all = T.merged(options, { partial = true, unfinished = unfinished })
            for n = 0, wrong and -1 or #text do
              local value, state, byte = codec.decode(text:sub(1, n), all)
              same(byte, nil, ("%s: %q"):format(name, text:sub(1, n)))
              if state == "complete" or n == #text and value ~= nil then
                same(show(value), show(wanted), ("%s: %q"):format(name, text:sub(1, n)))
              end
            end
            if not wrong and not text:find "%d$" then same(select(2, codec.decode(text, all)), "complete", text) end
          end
        end
      end
    end
  end
end

function TestPartial:test_options()
  T.raises_with("option 'unfinished' needs 'partial'", fleece.decode, "[1", { unfinished = true })
  T.raises_with("option 'partial' has no effect here", fleece.documents, "[1", { partial = true })
  local codec = fleece.new { partial = true }
  T.returns({ { 1 }, "open", n = 2 }, codec.decode, "[1,")
  T.returns({ { 1 }, n = 1 }, codec.decode, "[1]", { partial = false })
  T.returns({ { 1, "x" }, "open", n = 2 }, codec.decode, '[1,"x', { unfinished = true })
  T.fails_with("text too long", T.safe.decode, "[1,2", { partial = true, max_bytes = 3 })
  T.fails_with("nesting too deep", T.safe.decode, "[[[", { partial = true, max_depth = 2 })
  T.fails_with("duplicate name at line 1, column 8, byte 8", T.safe.decode, '{"a":1,"a":2,"b', { partial = true, duplicates = "error" })
  T.returns({ n = 2, nil, "open" }, T.safe.decode, "", { partial = true })
  T.same(fleece.encode((fleece.decode('{"b":1,"a":{"d":1.50,"c', { partial = true, order = true, numbers = "exact" }))),
    '{"b":1,"a":{"d":1.50}}')
  -- the prefix of a number that Lua's numbers do not hold may become one that they do
  for _, text in ipairs { "[1e999", "[" .. ("1"):rep(400) } do
    T.returns({ {}, "open", n = 2 }, fleece.decode, text, { partial = true, unfinished = true })
  end
end

-- Deep and long texts.
function TestPartial:test_large()
  local open = ("[1,{\"b\":"):rep(400)
  for name, codec in pairs(codecs) do
    local value = codec.decode(open .. '"x', { partial = true, unfinished = true })
    same(show(value), open .. '"x"' .. ("}]"):rep(400), name)
    local items = {}
    for i = 1, 60000 do items[i] = ('{"id":%d,"name":"n%d"}'):format(i, i) end
    value = codec.decode("[" .. table.concat(items, ",") .. ',{"id":0,"na', { partial = true })
    same(#value, 60001, name)
    same(value[60000].name, "n60000", name)
    same(show(value[60001]), '{"id":0}', name)
    local members = {}
    for i = 1, 30000 do members[i] = ('"k%d":%d'):format(i, i) end
    value = codec.decode("{" .. table.concat(members, ",") .. ',"last":', { partial = true })
    same(value.k30000, 30000, name)
    same(value.last, nil, name)
  end
end


-- ------------------------------------------------------------------------------------- parser:peek, parser:tail

TestPeek = {}

local function feed_in_pieces(parser, text, size, each)
  local at = 1
  while at <= #text do
    local n = size()
    parser:feed(text:sub(at, at + n - 1))
    at = at + n
    each(text:sub(1, at - 1))
  end
end

local sizes = { T.constant(1), T.constant(2), T.constant(7), T.between(1, 30) }

-- peek returns what decode with partial = true returns, and always the same table, which is the result.
local function agrees(text, options, some)
  for name, codec in pairs(codecs) do
    for i, size in ipairs(some and { sizes[some] } or sizes) do
      local parser, first = codec.parser(options), nil
      feed_in_pieces(parser, text, size, function(head)
        if random(1, 4) == 1 then
          while parser:step(random(1, 10)) do same(true, true) end
        end
        for _, unfinished in ipairs { false, true, random(1, 2) == 1 } do
          local what = ("%s %d: %q %s"):format(name, i, head, tostring(unfinished))
          local value, state = parser:peek { unfinished = unfinished }
          local wanted, wanted_state = codec.decode(head, T.merged(options or {}, { partial = true, unfinished = unfinished }))
          same(show(value), show(wanted), what)
          same(state, wanted_state, what)
          if type(value) == "table" then
            first = first or value
            same(value, first, what)
          end
        end
      end)
      local value = parser:finish()
      same(show(value), show(codec.decode(text, options)), text)
      if first then same(value, first, text) end
    end
  end
end

function TestPeek:test_texts()
  for _, text in ipairs(texts) do agrees(text) end
end

function TestPeek:test_grammars()
  for _, options in ipairs(grammars) do
    for _, list in ipairs { texts, lenient_texts } do
      for i, text in ipairs(list) do
        local peeks = not options.order and not options.duplicates
        if peeks and T.safe.decode(text, options) ~= nil then agrees(text, options, i % 4 + 1) end
      end
    end
  end
end

function TestPeek:test_random()
  rounds(30, function(i)
    local text = R.text(5, 200)
    if fleece.decode(text) ~= nil then agrees(text, nil, i % 4 + 1) end
  end)
end

-- Each table is there from its first bytes on and stays the same; nulls that are dropped keep their places.
function TestPeek:test_tables()
  for _, codec in ipairs(T.codecs) do
    local parser = codec.parser { null = "nil" }
    local function peek(piece) return (parser:feed(piece):peek()) end
    local root = peek '{"a":[null,{"b":'
    local list, inner = root.a, root.a[2]
    same(list[1], nil)
    same(inner.b, nil)
    same(peek '1,"c":"x' == root, true)
    same(inner.b, 1)
    same(inner.c, nil)
    parser:peek { unfinished = true }
    same(inner.c, "x")
    parser:feed("y"):step() -- what is not finished is taken out again
    same(inner.c, nil)
    peek '"},3,null,5]'
    same(inner.c, "xy")
    same(list[5], 5)
    same(peek ',"a":{' == root, true)
    T.equal(root.a, {})
    same(parser:feed("}}"):finish(), root)
    same(fleece.encode(root), '{"a":{}}')
    same(getmetatable(list), nil)
  end
end

-- An object that could be seen while it was empty is encoded as one, and has no mark once it has members.
function TestPeek:test_marks()
  for _, codec in ipairs(T.codecs) do
    local parser = codec.parser()
    same(fleece.encode((parser:feed('{"a":{'):peek())), '{"a":{}}')
    local a = parser:peek().a
    parser:feed '"b":1'
    parser:feed ",":peek()
    same(getmetatable(a), nil)
    local many = {}
    for i = 1, 100 do many[i] = ('"k%d":1'):format(i) end
    parser:feed('"c":{'):peek()
    parser:feed(table.concat(many, ",")):step()
    parser:feed '},"d":{'
    parser:peek()
    same(getmetatable(a.c), nil)
    same(getmetatable(a.d), fleece.object_mt)
    parser:feed '"x":1}}}'
    same(parser:finish().a, a)
    same(getmetatable(a.d), nil)
  end
end

-- While long and deep texts are read.
function TestPeek:test_large()
  local items, members = {}, {}
  for i = 1, 5000 do items[i] = ('{"id":%d,"name":"n%d","tags":["a",[]]}'):format(i, i) end
  for i = 1, 3000 do members[i] = ('"k%d":[%d,{"x":%d}]'):format(i, i, i) end
  local text = '{"list":[' .. table.concat(items, ",") .. '],"map":{' .. table.concat(members, ",") .. '},"deep":' ..
    ("[1,{\"b\":"):rep(300) .. "2" .. ("},3]"):rep(300) .. "}"
  for _, codec in ipairs(T.codecs) do
    for _, size in ipairs { 1000, 50000 } do
      local parser, root = codec.parser(), nil
      feed_in_pieces(parser, text, T.constant(size), function()
        local value = parser:peek { unfinished = random(1, 2) == 1 }
        root = root or value
        same(value, root)
        if random(1, 4) == 1 then collectgarbage() end
      end)
      same(parser:finish(), root)
      same(T.is_equal(root, codec.decode(text)), true)
    end
  end
end

-- Tables that the collector has visited are written to.
function TestPeek:test_collector()
  local text = '{"a":' .. ('[{"b":"' .. ("x"):rep(50) .. '","c":['):rep(20) .. "1" .. ("]}]"):rep(20) .. "}"
  for _, codec in ipairs(T.codecs) do
    T.with_busy_collector(3, 1, function()
      local parser = codec.parser()
      feed_in_pieces(parser, text, T.between(1, 5), function() parser:peek { unfinished = true } end)
      same(show(parser:finish()), text)
    end)
  end
end

function TestPeek:test_errors()
  for _, options in ipairs { { duplicates = "first" }, { duplicates = "error" }, { order = true } } do
    local parser = fleece.parser(options):feed "[1"
    T.raises_with("cannot show its tables before the end", parser.peek, parser)
    same(parser:feed("]"):finish()[1], 1)
  end
  local parser = fleece.parser():feed "[1,x"
  for _ = 1, 2 do T.raises_with("expected a value at line 1, column 4, byte 4", parser.peek, parser) end
  T.raises_with("expected a value at line 1, column 4, byte 4", parser.tail, parser)
  parser = T.safe.parser():feed "[1,x"
  T.fails_with("expected a value at line 1, column 4, byte 4", parser.peek, parser)
  parser = fleece.parser():feed "[1]"
  parser:finish()
  T.raises_with("the parser has finished", parser.peek, parser)
  T.raises_with("the parser has finished", parser.tail, parser)
  parser = fleece.parser()
  T.raises_with("unknown option 'unfinshed'", parser.peek, parser, { unfinshed = true })
  T.raises_with("option 'unfinished' must be true or false", parser.peek, parser, { unfinished = 1 })
  T.raises_with("table expected", parser.peek, parser, 1)
  T.returns({ nil, "open", n = 2 }, parser.peek, parser)
  T.raises_with("parser expected", parser.peek, {})
  -- a wrong string shows what it has, and is an error when it has ended
  parser:feed '["a\\x'
  T.equal(parser:peek { unfinished = true }, {})
  T.equal(parser:tail(), nil)
  T.raises_with("invalid escape", parser.finish, parser)
end

-- tail gives each string that it has begun to give, byte by byte, up to its end.
function TestPeek:test_tail()
  for _, json5 in ipairs { false, true } do
    for name, codec in pairs(codecs) do
      for _, size in ipairs(sizes) do
        local value = 'some text: "é€😀\\\n/' .. ("x"):rep(300) .. "\0."
        local text = '{"name":"n", "text" : ' .. fleece.encode(value) .. ' ,"more":["' .. ("y\\ud83d\\ude00"):rep(50) .. '"]}'
        local parser, got, all = codec.parser { json5 = json5 }, {}, {}
        feed_in_pieces(parser, text, size, function()
          if random(1, 3) == 1 then parser:peek { unfinished = random(1, 2) == 1 } end
          local piece, ended
          repeat
            piece, ended = parser:tail()
            if piece then got[#got + 1] = piece end
            if ended then all[#all + 1], got = table.concat(got), {} end
          until not ended
        end)
        same(parser:finish().text, value)
        local wanted = value .. "|" .. ("y😀"):rep(50)
        if #all == 3 then wanted = "n|" .. wanted end -- short ones may begin and end between two calls
        same(table.concat(all, "|"), wanted, name)
        same(#got, 0)
      end
    end
  end
end

function TestPeek:test_tail_rules()
  local parser = fleece.parser()
  local function tail(piece) return T.pack(parser:feed(piece):tail()) end
  local none, open = { nil, nil, n = 2 }, function(s) return { s, false, n = 2 } end
  lu.assertEquals(tail "[", none)
  lu.assertEquals(tail '"', open "")
  lu.assertEquals(tail "a\\", open "a")
  lu.assertEquals(tail "", open "")
  lu.assertEquals(tail "n\195", open "\n")
  lu.assertEquals(tail "\169", open "é")
  lu.assertEquals(tail 'b","c', { "b", true, n = 2 })
  lu.assertEquals(tail "", open "c")
  lu.assertEquals(tail '",{"na', { "", true, n = 2 })
  lu.assertEquals(tail "", none) -- a name is no value
  lu.assertEquals(tail 'me":12', none)
  lu.assertEquals(tail '}]', none)
  T.equal(parser:finish(), { "a\néb", "c", { name = 12 } })
  parser = fleece.parser()
  lu.assertEquals(tail '"x', open "x")
  lu.assertEquals(tail 'y"', { "y", true, n = 2 })
  same(parser:finish(), "xy")
end

-- Peeks cost what is new, and tails of a long string too.
function TestPeek:test_linear()
  local function peeks(n)
    local start = os.clock()
    local parser = fleece.parser():feed "["
    for i = 1, n do
      parser:feed(('{"id":%d},'):format(i))
      parser:peek()
    end
    return os.clock() - start
  end
  local function tails(n)
    local start = os.clock()
    local parser = fleece.parser():feed '["'
    for _ = 1, n do
      parser:feed "some bytes"
      same(parser:tail(), "some bytes")
    end
    return os.clock() - start
  end
  for _, seconds in ipairs { peeks, tails } do
    seconds(1000)
    T.linear(seconds, 1000, 20000, 200)
  end
end
