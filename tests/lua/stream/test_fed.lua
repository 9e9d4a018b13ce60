-- SPDX-License-Identifier: MIT
-- test_fed.lua -- readers of events and documents without a source: the same results as with one, wherever pieces end.
-- runs: in one layout

local T = require "support"
local fleece, same = T.fleece, T.same

TestFed = {}

local function text_of(...)
  local parts = T.pack(...)
  for i = 1, parts.n do parts[i] = type(parts[i]) == "table" and fleece.encode(parts[i], { sort_keys = true }) or tostring(parts[i]) end
  return table.concat(parts, " ")
end

-- All results of a reader that is fed with the pieces, and then its status.
local function fed(reader, pieces)
  local results = {}
  local function drain() for a, b, c, d, e in reader do results[#results + 1] = text_of(a, b, c, d, e) end end
  for _, piece in ipairs(pieces) do
    same(reader:feed(piece), reader)
    drain()
  end
  reader:finish()
  drain()
  return results, reader:status()
end

local function iterated(iterator)
  local results = {}
  for a, b, c, d, e in iterator do results[#results + 1] = text_of(a, b, c, d, e) end
  return results
end

local function cut(text, size)
  local pieces = {}
  for i = 1, #text, size do pieces[#pieces + 1] = text:sub(i, i + size - 1) end
  return pieces
end

-- Texts, and the status at their end.
local events = {
  { 'data: {"a":1}\n\nid: 7\nevent: x\ndata: 2\n\nretry: 5\r\ndata: 3\ndata:  \n\n', "complete" },
  { "data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", "done" },
  { "data: 1\n\ndata: 2\n", "cut" }, { "data: 1\n\ndata: 2", "cut" }, { "data: 1\n\nda", "cut" }, { "data: 1\n\n: comment", "complete" },
  { "\239\187\191data: 1\r\n\r\n\r\n", "complete" }, { "", "complete" }, { "data\n\ndata: null\n\n", "complete" },
}
local documents = { '{"a":1}\n[2]', "1 2 3", ' "x" "y"\n\n{"b":[{}]} ', "", "  ", "\239\187\191[1]", "\30[1]\n\30[2]\n", '"\\"" "\\\\"', "true null false" }

function TestFed:test_events()
  local options = { done = "[DONE]" }
  for _, case in ipairs(events) do
    local wanted = iterated(fleece.events(case[1], options))
    for _, size in ipairs { 1, 2, 3, 7, 1000 } do
      for _, library in ipairs { fleece, T.safe } do
        local results, status = fed(library.events(options), cut(case[1], size))
        T.equal(results, wanted, case[1])
        same(status, case[2], case[1])
      end
    end
  end
end

function TestFed:test_documents()
  for _, text in ipairs(documents) do
    for _, options in ipairs { { bom = true }, { bom = true, comments = true }, { bom = true, json5 = true } } do
      local source = options.comments and text .. " /* c */\n// line\n" or text
      local wanted = iterated(fleece.documents(source, options))
      for _, size in ipairs { 1, 2, 3, 7, 1000 } do
        local results, status = fed(fleece.documents(options), cut(source, size))
        T.equal(results, wanted, source)
        same(status, "complete", source)
      end
    end
  end
end

local wholes = {
  '{"a": [1, {"b": "x\\n"}, []], "c": 2.50}', "[1,2,[3,[4]],{}]", '[ "long string here", -12.5e3 , true,false,null ]', "[]", "{}", "7", '"\195\169"',
  '{"rows":[{"a":1},"x",[2,3],44 ],"rest":[5]}', "[1]",
}
local spaced = { "[1,/* a comment that is long */2 // line\n,3]/**/", "/*x*/[/**/{/*y*/'a':1,}/* * */,+2]//end", '{"rows":[/*1*/1/*2*/,/* 3 */2/**/]}' }

-- Tokens, and the items of a list.
function TestFed:test_tokens_and_items()
  local function each(list, options)
    for _, text in ipairs(list) do
      for _, call in ipairs { { "tokens" }, { "items", "" }, { "items", "/rows" } } do
        local name, pointer = call[1], call[2]
        local fine, wanted = pcall(function()
          return iterated(pointer and fleece.items(text, pointer, options) or fleece.tokens(text, options))
        end)
        for _, size in ipairs { 1, 2, 3, 7, 1000 } do
          for _, library in ipairs { fleece, T.safe } do
            local reader = pointer and library.items(options, pointer) or not pointer and library.tokens(options)
            local ok, results, status = pcall(fed, reader, cut(text, size))
            same(ok, fine, text)
            if ok then T.equal(results, wanted, text) end
            same(ok and status or reader:status(), ok and "complete" or "failed", text)
          end
        end
      end
    end
  end
  each(wholes, {})
  each(wholes, { comments = true })
  each(spaced, { json5 = true })
  each({ "[1,x]", "[1", "{", '{"a" 1}', "[1]]", "", "[1,2", '{"rows":[1' }, {})
  each({ "[1/*", "[1,/*x*/y]", "/*" }, { comments = true })
  each(wholes, { max_bytes = 12 })
  local reader = T.safe.tokens()
  same(reader:feed "[1, ":next(), "array")
  same(reader:next(), "number")
  same(reader:next(), nil)
  same(reader:status(), "open")
  local kind, _, failure = reader:feed("x]"):next()
  same(kind, nil)
  T.equal(failure, { kind = "syntax", byte = 5, line = 1, column = 5 })
  T.raises_with("'closed' has no effect without a source", fleece.tokens, { closed = true })
  T.raises_with("'closed' has no effect without a source", fleece.events, { closed = true })
  T.raises_with("'closed' has no effect without a source", fleece.items, { closed = true }, "/a")
  same(fleece.new({ closed = true }).documents():feed "1 ":next(), 1, "of a codec it is for readers with a source")
end

-- The error of a text is the same as without feeding, and what was read before it counts.
function TestFed:test_errors()
  for _, text in ipairs { "[1] [2", "[1] x", "1 [1,]", '"\1"', "[1]]", '{"a":1,}', "\239\187\191[1]", "[[[1]]]" } do
    local options = { max_depth = 2 }
    local _, wanted = pcall(iterated, fleece.documents(text, options))
    for _, size in ipairs { 1, 2, 1000 } do
      local reader = fleece.documents(options)
      local fine, message = pcall(fed, reader, cut(text, size))
      same(fine, false, text)
      local function words(said) return (tostring(said):gsub(" near .*", ""):gsub("^%S+:%d+: ", "")) end
      same(words(message), words(wanted), text)
      same(reader:status(), "failed")
      same(reader:next(), nil)
    end
  end
  local reader = T.safe.events()
  reader:feed "data: 1\n\ndata: x\n\n"
  same(reader:next(), 1)
  local value, message = reader:next()
  same(value, nil)
  T.contains(message, "in the data of event 2 (message)")
  same(reader:status(), "failed")
end

function TestFed:test_arguments()
  T.bad_argument(1, "a string, a file or a function expected, got nil", "events", nil)
  T.bad_argument(1, "a string, a file or a function expected, got table", "documents", {}, {})
  T.raises_with("no_option", fleece.events, { no_option = 1 })
  local reader = fleece.documents()
  T.raises_with("string expected", reader.feed, reader)
  T.raises_with("string expected", reader.feed, reader, {})
  same(reader:feed "":status(), "open")
  same(reader:finish():status(), "open")
  same(reader:next(), nil)
  same(reader:status(), "complete")
  T.raises_with("attempt to feed a finished reader", reader.feed, reader, "1")
end

-- Pieces may be fed before they are read, and a loop may end before its end.
function TestFed:test_later()
  local reader = fleece.documents()
  for i = 1, 100 do reader:feed(i .. " ") end
  local sum = 0
  for n in reader do
    sum = sum + n
    if n == 50 then break end
  end
  for n in reader:feed "1000\n" do sum = sum + n end
  same(sum, 5050 + 1000)
end

function TestFed:test_time_is_linear()
  for name, text in pairs { events = 'data: {"x":"%s"}\n\n', documents = '{"x":"%s"}\n', items = '[{"x":"%s"}]' } do
    T.linear(function(n)
      local all, reader, found = text:format(("y"):rep(n)), fleece[name](), 0
      local start = os.clock()
      for i = 1, #all, 16 do
        for value in reader:feed(all:sub(i, i + 15)) do found = found + #value.x end
      end
      same(found, n)
      return os.clock() - start
    end, 100000, 1000000, 30)
  end
end
