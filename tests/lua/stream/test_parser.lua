-- SPDX-License-Identifier: MIT
-- test_parser.lua -- fleece.parser: with pieces and steps of any size the result must be that of fleece.decode for the
-- whole text: the same value, or the same error at the same position. FLEECE_TEST_ROUNDS: see support.lua. What makes
-- tables is tested with both walks.

local T = require "support"
local R = require "random_text"
local lu, fleece, same, random, rounds = T.lu, T.fleece, T.same, T.random, T.random_rounds

TestParser = {}

-- Adds the text of a value to `parts`, with everything that decoding chooses: subtypes, metatables.
local function spell(value, parts)
  local function add(part) parts[#parts + 1] = part end
  local kind = type(value)
  if kind == "number" then
    return add((T.math_type(value) or "") ..
      (value == 0 and (1 / value < 0 and "-0" or "0") or ("%.17g"):format(value)))
  elseif kind == "string" then
    return add(("%q"):format(value))
  elseif kind ~= "table" then
    return add(kind == "userdata" and "null" or tostring(value))
  end
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) then return a < b end
    return type(a) == "number"
  end)
  add "{"
  for _, key in ipairs(keys) do
    spell(key, parts)
    add "="
    spell(value[key], parts)
    add " "
  end
  local mt = getmetatable(value)
  add(mt and "}!" .. tostring(mt.__jsontype or mt) or "}")
end

local function plain(value)
  local parts = {}
  spell(value, parts)
  return table.concat(parts)
end

-- plain(a) == plain(b), but faster for large values.
local function alike(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b and T.math_type(a) == T.math_type(b) and (a ~= 0 or 1 / a == 1 / b)
  end
  local left = 0
  for key, value in next, a do
    if not alike(value, rawget(b, key)) then return false end
    left = left + 1
  end
  for _ in next, b do left = left - 1 end
  return left == 0 and getmetatable(a) == getmetatable(b)
end

-- The message without the excerpt and the hint, which show what of the text has come: an excerpt may be empty.
local function bare(message)
  return (message:gsub(" near '.*$", ""):gsub(" %(the text is UTF.*", ""):gsub(" %([^()]* allows? %w+%)$", ""))
end

-- The parser's result: the value as text, or the bare message, and the byte.
local function parse(codec, text, options, size, budget)
  local parser, at = codec.parser(options), 1
  local function failed(message, byte) return nil, bare(message), byte end
  while at <= #text do
    local n = size()
    local fed, message, byte = parser:feed(text:sub(at, at + n - 1))
    if not fed then return failed(message, byte) end
    at = at + n
    local more
    repeat
      more, message, byte = parser:step(budget())
      if more == nil then return failed(message, byte) end
    until not more
  end
  local value
  value, message, byte = parser:finish()
  if message then return failed(message, byte) end
  return plain(value)
end

local constant, between = T.constant, T.between

local ways = {
  { size = constant(1), budget = constant(1) },
  { size = constant(1), budget = constant(1e9) },
  { size = constant(2), budget = constant(3) },
  { size = constant(1e9), budget = constant(1) },
  { size = between(1, 9), budget = between(1, 30) },
  { size = between(1, 60), budget = between(1, 200) },
  { size = constant(1e9), budget = constant(1e9) },
}

-- Pieces and steps do not change the result. `some`: only this way, and those with random sizes.
local function agrees_with_decode(text, options, some)
  local value, message, byte = T.safe.decode(text, options)
  local wanted = message and bare(message) or plain(value)
  for _, codec in ipairs(T.safe_codecs) do
    for i, way in ipairs(ways) do
      if not some or i == some or i >= 5 then
        local got, message2, byte2 = parse(codec, text, options, way.size, way.budget)
        same(got or message2, wanted, ("way %d of %q"):format(i, text:sub(1, 300)))
        same(byte2 and byte2.byte, byte and byte.byte, "byte")
      end
    end
  end
end

local texts = {
  "", " ", "1", "-0", " 12.5e3 ", '"text"', "true", "null", "[]", "{}", " [ ] ", "[[[]]]", '{"a":{"b":{}}}', "[1,2,3]",
  '{"a":[1,2,{"b":null,"c":"x\\u00e4y\\ud83d\\ude00"}],"n":-12.5e3,"t":true,"f":false,"e":{},"z":[[],[[]]]}',
  '["é€😀","\\"\\\\\\/\\b\\f\\n\\r\\t","\\u0000"]', "9007199254740993", "[18446744073709551616,1e308]", '{"a":1,"a":2}',
  '[{"id":1,"name":"x"},{"id":2,"name":"y"},{"id":3,"name":"z"},{"name":"w","id":4}]', "[\n1,\r\n2,\r3,\n\n\t4 ]\n",
  -- invalid
  "[", "[1", "[1,", "[1,]", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', "]", "}", ",", ":", "[1}", '{"a":1]',
  "[,1]", "{,}", "tru", "truex", "nul", "falsey", "nan", "NaN", "Infinity", "-Infinity", "01", "1.", "-", "1e", "1e+",
  "+1", ".5", "1e999", "--1", "1.2.3", '"', '"a', '"\\', '"\\u', '"\\u12', '"\\ud83d"', '"\\ud83d\\u0041"', '"\\x"',
  '"a\nb"', '"\1"', '"\255"', '"\237\160\128"', '"\195', "1 2", "[1] x", "[1]]", '{"a" 1}', "{1:2}", '{"a":1 "b":2}',
  "[1 2]", "\239\187\191[1]", "\239\187", "\239", "[\239\187\191]", "\0", "[\0]", "1\0", "[1,\n2,\n  x]",
  '["\r\n é",\r\n x]', '["é é\n', "[1,\r", "[tr]", "[truefals]", "[1e5x]", "[123456789012345678901234567890x]",
  "[abcdefghijklmnop]",
  -- lenient
  "// c\n[1]", "/* c */ 1", "[1,// c\n2]", "[1/*c*/,/**/2/* * / **/]", "1//", "1/", "/", "[1,/]", "[1 /* ]", "1 // c",
  "{a:1}", "{'a':'b'}", "[1,2,]", "[0x1F,+5,.5,5.,-.5,Infinity,-Infinity,NaN]", "'a\\\nb'",
  "{\\u0061b: 1, $c: 2, é: 3}", "\194\160[\226\128\168 1\239\187\191]", "// x\226\128\168 1", "'it''s'", "[1,,2]",
  "{a:1,}", "/*/ 1 */ 2", "1 /", '"//"', "'\"'", "[1//]\n]", "[\226\128", "/* é \n x */ y", "12/**/", "[12//\n]",
}

local grammars = {
  {},
  { json5 = true },
  { comments = true },
  { trailing_commas = true, invalid_numbers = "literal" },
  { invalid_numbers = "null", bom = true },
  { invalid_utf8 = "replace" },
  { invalid_utf8 = "escape", comments = true },
  { invalid_utf8 = "pass" },
  { duplicates = "error" },
  { duplicates = "first" },
  { null = "nil" },
  { big_numbers = "string", numeric_keys = true },
  { big_numbers = "error" },
  { max_depth = 2 },
  { arrays = { __jsontype = "array" }, objects = { __jsontype = "object" }, null = false },
}

function TestParser:test_texts()
  for _, text in ipairs(texts) do
    for _, options in ipairs(grammars) do agrees_with_decode(text, options) end
  end
end

local changes = { '"', "\\", ",", ":", "[", "]", "{", "}", "0", "-", ".", "e", " ", "\n", "\0", "\128", "\237\160\128",
  "é", "null", "\\u", "/", "'", "1e999", "// c\n", "/* c, */", "//", "/*", "*/", "\226\128\168", "\194\160", "NaN",
  "0x1F", "\r", "\r\n", "a", "+", ",]" }

function TestParser:test_random()
  rounds(30, function(i) agrees_with_decode(R.text(6, 300), grammars[random(1, #grammars)], i % 4 + 1) end)
end

function TestParser:test_random_mutated()
  rounds(100, function(i)
    agrees_with_decode(R.mutated(R.text(3, 300), changes), grammars[random(1, #grammars)], i % 4 + 1)
  end)
end

-- ------------------------------------------------------------------------------------- state between two steps

local function steps(codec, source, options, budget, between_steps)
  local parser = codec.parser(options):feed(source)
  while parser:step(budget) do if between_steps then between_steps() end end
  return parser:finish()
end

-- Long arrays grow while they are read, deep texts and long objects are kept in a table between steps; and both at
-- once.
function TestParser:test_long_and_deep()
  local items, members = {}, {}
  for i = 1, 20000 do items[i] = tostring(i) end
  for i = 1, 3000 do members[i] = ('"k%d":[%d,{"x":%d}]'):format(i, i, i) end
  local flat, map = "[" .. table.concat(items, ",") .. "]", "{" .. table.concat(members, ",") .. "}"
  local deep = ("[1,"):rep(900) .. "2" .. ("]"):rep(900)
  local mixed = '{"a":' .. ("[1,{\"b\":"):rep(300) .. flat .. ("},3]"):rep(300) .. ',"map":' .. map .. "}"
  local late = "[" .. ("[1,"):rep(400) .. "2" .. ("]"):rep(400) .. "," .. flat:sub(2)
  for _, source in ipairs { flat, map, deep, mixed, late,
    "[" .. flat .. "," .. map .. "," .. deep:gsub("%[", "{\"k\":[", 50):gsub("%]", "]}", 50) .. "]" } do
    local wanted, message = T.safe.decode(source)
    for _, codec in ipairs(T.safe_codecs) do
      for _, budget in ipairs { 100, 1000, 30000 } do
        local got, message2 = steps(codec, source, nil, budget)
        if message then
          same(bare(message2), bare(message))
        else
          same(alike(got, wanted), true, source:sub(1, 20) .. " by " .. budget)
        end
      end
    end
  end
end

-- Members of a long object move to its table while it is read: of equal names, which may lie in different steps, the
-- same one counts as in decode, and so does a null that is dropped.
function TestParser:test_long_objects()
  local members, values = {}, { "1", "null", '"text"', "[1,[2]]", '{"a":{"b":null},"c":[]}' }
  for i = 1, 9000 do
    members[i] = ('"%s%d":%s'):format(i % 3 == 0 and "" or "k", i % 4001 == 0 and 7 or i % 6500, values[i % #values + 1])
  end
  local source = '{"before":[0,{' .. table.concat(members, ",") .. '}],"after":{' .. table.concat(members, ",", 1, 50) .. "}}"
  for _, options in ipairs { {}, { null = "nil" }, { duplicates = "first" }, { duplicates = "first", null = "nil" },
    { numeric_keys = true }, { objects = { __jsontype = "object" } }, { json5 = true }, { duplicates = "error" } } do
    local wanted, message, byte = T.safe.decode(source, options)
    for _, codec in ipairs(T.safe_codecs) do
      for _, budget in ipairs { 37, 4000, 70000, 1e9 } do
        local got, message2, byte2 = steps(codec, source, options, budget)
        same(byte2 and byte2.byte, byte and byte.byte, "byte")
        same(message2 and message2:gsub(" near.*$", ""):gsub(" %(the text is UTF.*", ""), message and message:gsub(" near.*$", ""):gsub(" %(the text is UTF.*", ""))
        if wanted then same(alike(got, wanted), true, "by " .. budget) end
      end
    end
  end
end

-- Unfinished values are not collected, and nothing leaks.
function TestParser:test_collector()
  local source = "[" .. ('{"id":1,"list":[1,2,{"name":"some text of mine"}],"map":{"a":{},"b":[]}},'):rep(300) .. "0]"
  local wanted = plain(fleece.decode(source))
  for _, codec in ipairs(T.codecs) do
    same(plain(steps(codec, source, nil, 700, collectgarbage)), wanted)
    T.with_busy_collector(3, 1, function() same(plain(steps(codec, source, nil, 97)), wanted) end)
  end
  T.leaves_less(200, function() -- abandoned parsers are collected
    for _ = 1, 20 do
      fleece.parser():feed(source):step(5000)
      pcall(steps, fleece, source .. "x")
    end
  end)
end

-- Many parsers and decodes at the same time share the cache of names.
function TestParser:test_side_by_side()
  local parsers, wanted = {}, {}
  for i = 1, 20 do
    local source = "[" .. ('{"a%d":1,"b":{"c%d":"x"},"d":[%d]},'):format(i % 7, i, i):rep(40) .. "{}]"
    parsers[i], wanted[i] = T.pick(T.codecs).parser():feed(source), plain(fleece.decode(source))
  end
  local left = 20
  while left > 0 do
    local i = random(1, 20)
    if parsers[i] and not parsers[i]:step(random(1, 300)) then
      same(plain(parsers[i]:finish()), wanted[i])
      parsers[i], left = false, left - 1
    end
    if random(1, 20) == 1 then T.pick(T.codecs).decode('{"a' .. random(1, 2000) .. '":{"new":1}}') end
  end
end

-- Pieces that are joined and longer ones, in any order, with steps between.
function TestParser:test_sizes_of_pieces()
  local source = "[" .. ('{"id":1,"text":"some text of mine, with \\u00e9"},'):rep(1200) .. "0]"
  for _, options in ipairs { {}, { duplicates = "error" }, { comments = true }, { max_bytes = #source } } do
    local expected = fleece.encode(fleece.decode(source, options))
    for _, longest in ipairs { 3, 511, 512, 2047, 2048, 5000 } do
      local parser, at = fleece.parser(options), 1
      while at <= #source do
        local n = random(1, 3) == 1 and longest or random(0, longest)
        parser:feed(source:sub(at, at + n - 1))
        at = at + n
        if random(1, 8) == 1 then parser:step(random(1, 9000)) end
      end
      lu.assertEquals(fleece.encode(parser:finish()), expected)
    end
  end
end

-- A finalizer may feed the parser that is being fed: what it gives is between two pieces.
function TestParser:test_fed_by_finalizers()
  local parser, fed = fleece.parser():feed "[", 0
  local function feed() parser:feed(("1,"):rep(100)); fed = fed + 100 end
  for _ = 1, 3000 do
    T.finalizer(feed)
    parser:feed "1,"
    fed = fed + 1
  end
  collectgarbage()
  collectgarbage()
  same(#parser:feed("0]"):finish(), fed + 1)
end

-- A token in many pieces takes linear time: 40 times as many bytes must not take 400 times as long.
function TestParser:test_linear()
  local function seconds(n)
    local piece, start = ("x"):rep(10), os.clock()
    local parser = fleece.parser():feed '["'
    for _ = 1, n do
      parser:feed(piece)
      parser:step()
    end
    same(#parser:feed('"]'):finish()[1], 10 * n)
    return os.clock() - start
  end
  seconds(1000)
  T.linear(seconds, 2000, 80000, 400)
end

-- The time of a step does not depend on the number of open containers.
function TestParser:test_linear_in_depth()
  local names = {}
  for i = 1, 40 do names[i] = ('"%d":%d,'):format(i, i) end
  for _, head in ipairs { "", "[1,[", "{" .. table.concat(names) .. '"x":' } do
    local function seconds(n)
      local parser, start = fleece.parser { max_depth = 1e6 }, os.clock()
      parser:feed(head)
      for _ = 1, n do
        parser:feed "[[[[["
        parser:step()
      end
      return os.clock() - start
    end
    seconds(100)
    T.linear(seconds, 500, 10000, 80)
  end
end

-- ------------------------------------------------------------------------------------- errors

function TestParser:test_errors_are_final()
  for _, codec in ipairs(T.codecs) do
    local parser = codec.parser():feed "[1,\n2,x"
    local message = T.error_of(parser.step, parser)
    T.contains(message, "expected a value at line 2, column 3, byte 7 near '2,x'")
    for _, again in ipairs { "step", "finish" } do T.raises_ending(message, parser[again], parser) end
    T.raises_ending(message, parser.feed, parser, "]")
  end
  for _, codec in ipairs(T.safe_codecs) do
    local parser = codec.parser():feed "[1,\n2,x"
    for _ = 1, 2 do
      local value, message, byte = parser:step()
      same(value, nil)
      same(message, "expected a value at line 2, column 3, byte 7 near '2,x'")
      same(byte.byte, 7)
    end
  end
end

-- The excerpt in a message ends with the wrong byte, because what follows may be in the next piece.
function TestParser:test_excerpts_are_whole()
  T.each({
    { text = "[1 x\195", shown = "[1 x" },
    { text = "[1 x\226\130", shown = "[1 x" },
    { text = "[1 x\240\159\152", shown = "[1 x" },
    { text = "[1 xé", shown = "[1 x" },
    { text = "[1 €", shown = "[1 " },
    { text = "[1 \195", shown = "[1 " },
  }, function(case)
    T.raises_ending(", byte 4 near '" .. case.shown .. "'", function() fleece.parser():feed(case.text):step() end)
  end)
end

function TestParser:test_limits()
  local parser = T.safe.parser { max_bytes = 10 }
  parser:feed "[1,\n2,"
  lu.assertFalse(parser:step())
  parser:feed "3,"
  local _, message, byte = parser:feed "4,5,6]"
  T.contains(message, "text too long at line 2, column 7, byte 11")
  same(byte.byte, 11)
  same(select(2, parser:finish()), message)
  same(#T.safe.parser({ max_bytes = 10 }):feed("[1,2,"):feed("3,45]"):finish(), 4)
  _, message = T.safe.parser({ max_depth = 3 }):feed("[[["):feed("["):finish()
  T.contains(message, "nesting too deep at line 1, column 4, byte 4")
end

-- "text too long" has the right position, however much has been read before the piece that makes the text too long; it
-- may be the rest of a token.
function TestParser:test_random_limit_of_bytes()
  local parser = T.safe.parser { comments = true, max_bytes = 11 }
  parser:feed "[ /*"
  parser:step()
  parser:feed "*/ 1 , "
  parser:step(1)
  T.contains(select(2, parser:feed "2]"), "text too long at line 1, column 12, byte 12")
  local source = '[ /* a\n*/ 1 , // b\n{"a" : "\195\164//",\n"b": -12.5} /**/,\n\n[true ,/*\n\n*/ null]\n] // end\n'
  rounds(300, function()
    local options = { max_bytes = random(1, #source + 3), comments = random(1, 4) > 1, json5 = random(1, 2) == 1 }
    if not (options.comments or options.json5) then options.comments = true end
    local longest, most = random(1, 12), random(1, 12)
    local value, message, byte = parse(T.safe, source, options, function() return random(1, longest) end,
      function() return random(1, most) end)
    local whole, expected, at = T.safe.decode(source, options)
    if whole then return same(value, plain(whole)) end
    same(message, bare(expected))
    same(byte.byte, at.byte)
  end)
end

-- The error names the position of the second of two equal names, even if its piece has gone.
function TestParser:test_duplicates()
  local parser = T.safe.parser { duplicates = "error" }
  parser:feed '{"a":1,\n "b":2,'
  parser:step()
  parser:feed ' "a":3,'
  parser:step()
  parser:feed '\n"c":4'
  parser:step()
  local _, message, byte = parser:feed("}"):finish()
  T.contains(message, "duplicate name at line 2, column 9, byte 17")
  same(byte.byte, 17)
end

function TestParser:test_arguments()
  for _, codec in ipairs { fleece, T.safe } do
    local parser = codec.parser()
    T.raises_with("bad argument #1", codec.parser, 1)
    T.raises_with("unknown option 'nonsense'", codec.parser, { nonsense = true })
    T.raises_with("string expected", parser.feed, parser)
    T.raises_with("string expected", parser.feed, parser, {})
    T.raises_with("a number of bytes expected", parser.step, parser, 0)
    T.raises_with("a number of bytes expected", parser.step, parser, 0 / 0)
    T.raises_with("parser expected", parser.step, {})
    T.raises_with("parser expected", parser.step, io.stdout)
    same(parser:feed "[1]", parser)
    lu.assertEquals(parser:finish(), { 1 })
    for _, name in ipairs { "step", "finish" } do T.raises_with("the parser has finished", parser[name], parser) end
    T.raises_with("the parser has finished", parser.feed, parser, "x")
  end
  same(fleece.new({ null = "nil" }).parser():feed("null"):finish(), nil)
  same(fleece.new({ null = 7 }).parser():feed("nu"):feed("ll"):finish(), 7)
end

-- Errors are reported by the step that reads them, not at the end of the text.
function TestParser:test_early()
  for _, source in ipairs { "[1 2", "[x", "[01,", "[\"\1", "{1", "] ", "[1]x", "[truxxxxxxxx", "[a", "{a", "[1e5 5" } do
    lu.assertIsNil(T.safe.parser():feed(source):step(), source)
  end
  for _, source in ipairs { "[1", "[1.", "[tr", '["\\ud83d', "{", "[1]", "", "-Infini", "[1 " } do
    lu.assertFalse(T.safe.parser():feed(source):step(), source)
  end
end

-- ------------------------------------------------------------------------------------- reentrant calls

-- A finalizer or a coroutine that runs in the middle of a step must not use the same parser.
function TestParser:test_in_use()
  for _, codec in ipairs(T.codecs) do
    local message
    local parser = codec.parser():feed("[" .. ('{"a":"text %d"},'):rep(20000) .. "0]")
    collectgarbage()
    collectgarbage "stop"
    for _ = 1, 50 do
      T.finalizer(function()
        local ok, why = pcall(parser.step, parser, 10)
        message = message or not ok and why
      end)
    end
    -- A collection begins with the step and is so fast that it ends within the step.
    local before = T.set_collector("stepmul", T.version == "Lua 5.4" and 1000 or 10000)
    collectgarbage "restart"
    parser:step(1e9)
    T.set_collector("stepmul", before)
    same(#parser:finish(), 20001)
    T.contains(message, "the parser is in use")
  end
end

function TestParser:test_coroutines()
  for _, codec in ipairs(T.codecs) do
    local parser = codec.parser()
    local text_ = "[" .. ('{"a":[1,2,3],"b":"text"},'):rep(100) .. "0]"
    local workers = {}
    for i = 1, 3 do
      workers[i] = coroutine.wrap(function()
        while true do
          parser:step(50)
          coroutine.yield()
        end
      end)
    end
    for at = 1, #text_, 40 do
      parser:feed(text_:sub(at, at + 39))
      workers[random(1, 3)]()
    end
    same(plain(parser:finish()), plain(fleece.decode(text_)))
    local yields = 0
    local co = coroutine.wrap(function()
      local p = codec.parser():feed(text_)
      while p:step(100) do
        yields = yields + 1
        coroutine.yield()
      end
      return p:finish()
    end)
    local value
    repeat value = co() until value
    same(plain(value), plain(fleece.decode(text_)))
    lu.assertTrue(yields > 20)
  end
end

-- A step reads about as many bytes as it is told.
function TestParser:test_bounded()
  local source, n = "[" .. ('{"a":[1,2,3],"b":"text"},'):rep(10000) .. "0]", 0
  local parser = fleece.parser():feed(source)
  while parser:step(1000) do n = n + 1 end
  lu.assertTrue(n > #source / 1100 and n <= #source / 1000, n .. " steps for " .. #source)
  parser:finish()
end
