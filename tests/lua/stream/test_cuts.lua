-- SPDX-License-Identifier: MIT
-- test_cuts.lua -- what a reader of pieces returns, its state and its messages depend on the bytes, not on where pieces
-- end: every cut of every text of JSONTestSuite ($FLEECE_DATA/jsontestsuite, if it is there) and of texts of our own.
-- runs: in one Lua

local T = require "support"
local fleece, safe = T.fleece, T.safe

TestCuts = {}

local texts = {
  -- words and numbers that are wrong after a right beginning
  "truex", "[truex", "[1,2,truex]", '{"a":nullx}', "truex ", "12x", "[12x]", "1-", "1-2", "--1", "-x", "[-]", "1.", "[1.]", "[1.x]", "1..2",
  "1.5.2", "1e", "[1e+]", "1e+-2", "1e5e", "01", "-01", "[00]", "1 2", "[1 2]", "[1 true]", "[1\n2]", "nul", "[nul]", "tru\n", "truefalse",
  "true false", "Infinity1", "-Infinityx", "[-Inf]", "[NaN]", "Nax", "+1", "0x1g", "[1,\n1\n,1", '["a",\n4\n,1,',
  -- strings
  '"a"x', '"a" x', '["a\\x4"]', "['a\\x4']", '["\\ud800x"]', '["\\ud800\\u0041"]', '["é\255"]', '["a\1b"]', '["' .. ("é"):rep(30) .. 'x\1"]', '"abc',
  -- brackets, commas, names
  "[1]x", "[1] [2]", "[1 ,, 2]", "{,}", '{"a"', '{"a" 1}', '{"a":', '{"a":1,', '{"a":1,}', "[1, \n\t]", "[1,,", "[1]]", "{a:1 b}", '{"a":1,"a":2}',
  ("["):rep(20) .. ("]"):rep(19) .. "x", '{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":1,"b" 2}',
  -- byte order marks, comments, separators
  "\239", "\239x", "\239\187x", "\239\187\191[1]", "/", "/x", "[1/", "[1,/*", "[1,/*x*/2 3]", '{"a":1 // c\n,"b":tru}', "/*x*/ 1 /*y", "1 //",
  "1 /x", "[1]\194\160x", "1\30 2", "\30", "[1]\30x",
  -- comments in every gap, that end or not, and what only JSON5 has
  '/**/{/***/"a"/* * /*/:/*/*/[/*x*/1/**/,//\n2//\r\n]/*\n*/,"b":{}//}\n}//end', "[1//\r,2]//\r", "[1,//\226\128\168 2\n]", "[/*/]", "[/* * /]",
  '{"a":[1,2,/*]*/],/*}*/}', "{'it\\'s':0xAf,\\u0061b:+.5,$_:-Infinity,n:5.,c:'1\\\n2',}", "['\\x41\\0\\v',\"\\\r\n\"]", "[0x,1]", "[+-1]",
  "{\\u00zz:1}", "{a\\u002d:1}", "['a\nb']", "['\\01']", "[1]/*]\n[2]*/[3]//[4]\n[5]", '{"a":1}//{"a":2}\n{"a":3}/*', "[1\\u00a0]",
  -- lines
  '{"n":1}\n{"n":\n{"n":3}\n', '{"n":1}\r\n{"n":\r\n{"n":3}\r\n', "[1]\n[2]\n[3,\n[4]\n[5]\n", "[1]\n[3,\n[4]\n,5]\nx", "1\n2\n3\nx",
  '{"a":"' .. ("long "):rep(60) .. '",\n{"a":2}\n{"a":3}\n', "data: 1\n\ndata: x\n\n", "data: [1,\ndata: x]\n\n",
}

local own = #texts
for _, text in ipairs(T.suite_texts()) do texts[#texts + 1] = text end

local written = { sort_keys = true, invalid_utf8 = "replace", invalid_numbers = "literal" }
local function show(value, ...)
  local shown = { value == nil and "nil" or fleece.encode(value, written) }
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    shown[i + 1] = tostring(type(v) == "table" and v.byte or v)
  end
  return table.concat(shown, "|")
end

-- All that an iterator returns, up to the error or the end.
local function all(reader)
  local found = {}
  repeat
    local results = T.pack(reader:next())
    found[#found + 1] = show(T.unpack(results, 1, results.n))
  until results[1] == nil
  return table.concat(found, "\n")
end

local function format(source, options)
  local sink, result = T.collector()
  local count, message, byte = safe.format_stream(source, sink, options)
  return show(count, message, byte, count and result() or "")
end

-- Feeds the pieces, and calls look(parser) after each; shows the last results.
local function parse(source, options, look)
  local parser, shown = safe.parser(options), nil
  for piece in source do
    if parser:feed(piece) == nil then return show(parser:peek()), parser end
    shown = show(look(parser))
  end
  return shown, parser
end

local readers = {
  documents = function(source, options) return all(safe.documents(source, options)) end,
  items = function(source, options) return all(safe.items(source, "", options)) end,
  ["items at a pointer"] = function(source, options) return all(safe.items(source, "/a", options)) end,
  tokens = function(source, options) return all(safe.tokens(source, options)) end,
  events = function(source, options) return all(safe.events(source, options)) end,
  format_stream = format,
  ["format_stream of lines"] = function(source, options) return format(source, T.merged(options, { lines = true })) end,
  parser = function(source, options)
    local _, parser = parse(source, options, function(parser) while parser:step() do end end)
    return show(parser:finish())
  end,
  peek = function(source, options) return (parse(source, options, function(parser) return parser:peek() end)) end,
  ["peek of what is unfinished"] = function(source, options)
    return (parse(source, options, function(parser) return parser:peek { unfinished = true } end))
  end,
}

local grammars = { {}, { comments = true }, { json5 = true, invalid_numbers = "literal" }, { bom = true, trailing_commas = true, max_depth = 2 } }

-- A source of two pieces.
local function cut(text, at)
  local pieces = { text:sub(1, at), text:sub(at + 1) }
  return function() return table.remove(pieces, 1) end
end

-- The message without what only a whole text can show: what follows the wrong byte, and its encoding.
local function start_of(message)
  return (message:gsub(" near '.*'", ""):gsub(" %(the text is UTF.- %-t UTF%-8%)", ""):gsub(" %([%w._]+ [^()]*%)", ""))
end

-- Each cut in one Lua, each fifth in the others: the grammar is the same in each Lua, and only what it makes differs.
local step = T.version == "Lua 5.4" and 1 or 5

-- A reader gives the same of a text wherever it is cut, and of a string and a file.
local function cut_everywhere(name, read, text, options)
  local whole = read(cut(text, #text), options)
  for at = 1, #text - 1, step do T.same(read(cut(text, at), options), whole, "cut at " .. at) end
  for size = 1, 3 do T.same(read(T.pieces(text, size), options), whole, "pieces of " .. size) end
  if name == "parser" or name:find "peek" then return end
  T.same(start_of(read(text, options)), start_of(whole), "a string")
  T.same(read(T.open_with(text), options), whole, "a file")
end

for name, read in pairs(readers) do
  TestCuts["test_" .. name:gsub(" ", "_")] = function()
    for _, options in ipairs(grammars) do
      T.each(texts, function(text)
        cut_everywhere(name, read, text, options)
      end)
    end
  end
end

-- With limits, too: the first error counts, in the order of the bytes. Items: an error is found when the token is there that
-- has it; these have less than 12 bytes.
local limits = { { max_bytes = 1 }, { max_bytes = 5 }, { max_bytes = 12 }, { max_bytes = 20 }, { max_bytes = 100 }, { max_depth = 1 } }

for name, read in pairs(readers) do
  TestCuts["test_limits_of_" .. name:gsub(" ", "_")] = function()
    for _, grammar in ipairs(grammars) do
      for _, limit in ipairs(limits) do
        local options = T.merged(grammar, limit)
        T.each(name:find "items" and (limit.max_bytes or 12) < 12 and {} or { T.unpack(texts, 1, own) }, function(text)
          cut_everywhere(name, read, text, options)
        end)
      end
    end
  end
end

-- Options that change what values become, with readers that make values.
local of_values = {
  { order = true, numbers = "exact", comments = true }, { duplicates = "error", json5 = true }, { duplicates = "first", comments = true },
  { invalid_utf8 = "replace", comments = true }, { invalid_utf8 = "escape", json5 = true }, { invalid_utf8 = "pass", invalid_numbers = "null" },
  { big_numbers = "error", json5 = true }, { big_numbers = "string", trailing_commas = true }, { null = "nil", numeric_keys = true },
}

for _, name in ipairs { "documents", "items", "items at a pointer", "events" } do
  TestCuts["test_values_of_" .. name:gsub(" ", "_")] = function()
    for _, options in ipairs(of_values) do
      T.each({ T.unpack(texts, 1, own) }, function(text) cut_everywhere(name, readers[name], text, options) end)
    end
  end
end

-- The error of a text that is too long: what its allowed beginning has wrong, as the beginning of a longer text, or else
-- its length.
function TestCuts:test_limits_and_errors()
  for _, grammar in ipairs(grammars) do
    for limit = 1, 20 do
      T.each({ T.unpack(texts, 1, own) }, function(text)
        if #text <= limit or text:byte() == 239 then return end -- which error a cut byte order mark is, more bytes tell
        local _, message, byte = safe.decode(text:sub(1, limit), T.merged(grammar, { partial = true }))
        byte = type(byte) == "table" and byte.byte or nil
        if not byte then message, byte = "text too long at line", limit + 1 end
        local options = T.merged(grammar, { max_bytes = limit })
        for _, found in ipairs {
          { readers.format_stream(text, options) }, { all(safe.tokens(text, options)) }, { readers.parser(T.pieces(text, 3), options) },
        } do
          T.contains(start_of(found[1]), start_of(message))
          T.contains(found[1], "|" .. byte)
        end
      end)
    end
  end
  T.raises_with("expected a string as name at line 1, column 2, byte 2", fleece.documents("{,   1}", { max_bytes = 3 }))
  T.raises_with("text too long at line 1, column 4, byte 4", fleece.documents("[1   ,}", { max_bytes = 3 }))
  T.raises_with("expected a string as name at line 1, column 4, byte 4", fleece.items("[ {,   1}]", "", { max_bytes = 3 }))
  T.raises_with("text too long at line 1, column 4, byte 4", fleece.items("[[1  ,}]", "", { max_bytes = 2 }))
end

-- peek after each piece, as a program that shows an answer while it comes: the state after n bytes is that of these.
function TestCuts:test_peek_after_each_byte()
  local function states(text, options, look)
    local parser, found = safe.parser(options), {}
    for i = 1, #text do
      if parser:feed(text:sub(i, i)) == nil then break end
      found[i] = show(parser:peek(look))
    end
    return found
  end
  local function at_once(text, options, look) return show(safe.parser(options):feed(text):peek(look)) end
  for _, look in ipairs { {}, { unfinished = true } } do
    for _, options in ipairs(grammars) do
      T.each(texts, function(text)
        local found = states(text, options, look)
        for n = 1, math.min(#text, 60) do
          if not found[n] then break end
          T.same(found[n], at_once(text:sub(1, n), options, look), text:sub(1, n))
        end
      end)
    end
  end
  T.returns({ nil, "text after the value at line 1, column 5, byte 5 near 'truex'", { kind = "syntax", byte = 5, line = 1, column = 5 }, n = 3 }, function()
    local parser = safe.parser()
    parser:feed "tr":feed "uex"
    return parser:peek()
  end)
end
