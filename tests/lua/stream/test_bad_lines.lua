-- SPDX-License-Identifier: MIT
-- test_bad_lines.lua -- lines of documents, and on_error of documents and events: what is invalid is passed over.

local T = require "support"
local fleece, same = T.fleece, T.same

TestBadLines = {}

local function cut(text, size)
  local pieces = {}
  for i = 1, #text, size do pieces[#pieces + 1] = text:sub(i, i + size - 1) end
  return pieces
end

-- What a reader gives and what its handler is called with, in order, as one text; by all kinds of sources.
local function each_way(name, text, options, check)
  local log
  local function handler(bad, failure, message)
    log[#log + 1] = ("!%s %s %s:%s:%s"):format(bad, failure.kind, failure.byte, failure.line, failure.column)
    T.contains(message, ("at line %d, column %d, byte %d"):format(failure.line, failure.column, failure.byte))
  end
  local all = T.merged(options, { on_error = handler })
  local function read(reader)
    for value, place in reader do log[#log + 1] = fleece.encode(value) .. (name == "documents" and "@" .. place or "") end
  end
  local function compare(how)
    check(table.concat(log, "\n"), how)
    log = nil
  end
  log = {}
  read(fleece[name](text, all))
  compare "string"
  for _, library in ipairs { fleece, T.safe } do
    for _, size in ipairs { 1, 2, 3, 7, 1000 } do
      local pieces, at = cut(text, size), 0
      log = {}
      read(library[name](function() at = at + 1 return pieces[at] end, all))
      compare("pieces of " .. size)
      log = {}
      local reader = library[name](all)
      for _, piece in ipairs(pieces) do read(reader:feed(piece)) end
      read(reader:finish())
      compare("fed " .. size)
    end
  end
end

local function expect(name, text, options, wanted)
  each_way(name, text, options, function(found, how) same(found, wanted, how .. ": " .. text) end)
end

function TestBadLines:test_lines()
  local lines = { lines = true }
  expect("documents", '{"n":1}\n\n{"n":\n[1] x\r\n"\195\169\n \t{"n":3}\r\n2', lines, table.concat({
    '{"n":1}@1', '!{"n": syntax 15:3:6', "![1] x\r syntax 20:4:5", '!"\195\169 syntax 26:5:3', '{"n":3}@29', "2@38" }, "\n"))
  expect("documents", "", lines, "")
  expect("documents", "\n \n\r\n", lines, "")
  expect("documents", "[\n[\n1", lines, "![ syntax 2:1:2\n![ syntax 4:2:2\n1@5")
  expect("documents", "1 2\n3", lines, "!1 2 syntax 3:1:3\n3@5")
  expect("documents", "\30[1]\n\30[2\n", lines, "[1]@2\n![2 syntax 9:2:4")
  expect("documents", "\239\187\191[1]\n[2]", { lines = true, bom = true }, "[1]@4\n[2]@8")
  expect("documents", "// c\n/* [1]\n*/\n/**/[2,]//x", { lines = true, json5 = true },
    "!/* [1] syntax 6:2:1\n!*/ syntax 13:3:1\n[2]@20")
  expect("documents", "[[1]]\n[1,2]\n[[2]]", { lines = true, max_depth = 1 }, "![[1]] depth 2:1:2\n[1,2]@7\n![[2]] depth 14:3:2")
  expect("documents", "[1,2]\n[1]", { lines = true, max_values = 2 }, "![1,2] limit 4:1:4\n[1]@7")
  expect("documents", "1\n[1,x", lines, "1@1\n![1,x syntax 6:2:4")
end

-- A long line is cut at max_bytes, and its rest is passed over; a carriage return counts.
function TestBadLines:test_long_lines()
  local options = { lines = true, max_bytes = 5 }
  expect("documents", '[1,2,3]\n12345\n"abcdefghijk"\n   [1]\n1234\r\n12345\r\n\n7', options, table.concat({
    "![1,2, length 6:1:6", "12345@9", '!"abcd length 20:3:6', "[1]@32", "1234@36", "!12345 length 47:6:6", "7@50" }, "\n"))
  expect("documents", "[1,2,3", options, "![1,2, length 6:1:6")
end

function TestBadLines:test_events()
  expect("events", 'data: 1\n\nevent: price\ndata: x\n\nid: 4\ndata: [1,\ndata: 2\n\n: c\n\ndata: 3\n\n', {},
    "1\n!x syntax 1:1:1\n![1,\n2 syntax 6:2:2\n3")
  expect("events", "data: 1\n\ndata: 1234567890\ndata: 5\nid: 6\n\ndata: 2\n\nevent: 1234567890\ndata: 3\n\ndata: 4\n\n",
    { max_bytes = 8, raw = true }, '"1"\n!12345678 length 24:3:15\n"2"\n! length 66:9:16\n"4"')
  expect("events", "data: x\n\ndata: [DONE]\n\ndata: y\n\n", { done = "[DONE]" }, "!x syntax 1:1:1")
  expect("events", "data: [1,x\n\ndata: [2\n\n", { partial = true }, "![1,x syntax 4:1:4\n[]")
  local said
  local reader = fleece.events { on_error = function(_, _, message) said = message end }
  same(reader:feed "data: 1\n\ndata: x\n\ndata: 3\n\n":next(), 1)
  same(reader:next(), 3)
  T.ends(said, "near 'x', in the data of event 2 (message)")
  reader = fleece.events { on_error = function() end, max_bytes = 2 }
  same(reader:feed "data: 12345":next(), nil)
  reader:finish()
  same(reader:next(), nil)
  same(reader:status(), "cut")
end

-- Without on_error a bad line is an error as of `decode`, with its place in the stream.
function TestBadLines:test_raised()
  local function read(text, options) for _ in fleece.documents(text, options) do end end
  T.raises_with("unexpected end at line 2, column 6, byte 14 near '{\"n\":'", read, '{"n":1}\n{"n":\n{"n":3}', { lines = true })
  T.raises_with("text after the value at line 1, column 5, byte 5", read, "[1] [2]\n", { lines = true })
  local reader = T.safe.documents("1\n[\n2", { lines = true })
  same(reader:next(), 1)
  local value, message, failure = reader:next()
  same(value, nil)
  T.contains(message, "line 2")
  same(failure.kind, "syntax")
  same(select("#", reader:next()), 1)
end

-- What the handler raises passes through, and the reader goes on after the bad text, as it can within the handler.
function TestBadLines:test_handlers()
  local reader, seen
  for name, text in pairs { documents = "1\nx\n2\ny\n3\n", events = "data: 1\n\ndata: x\n\ndata: 2\n\ndata: y\n\ndata: 3\n\n" } do
    for _, library in ipairs { fleece, T.safe } do
      local function handler(bad)
        if bad == "x" then error({ bad }) end
        seen = bad .. reader:next()
        reader:feed(name == "documents" and "4\n" or "data: 4\n\n")
      end
      reader = library[name] { lines = name == "documents" or nil, on_error = handler }
      reader:feed(text)
      same(reader:next(), 1)
      local fine, thrown = pcall(reader.next, reader)
      same(fine, false)
      same(thrown[1], "x")
      same(reader:next(), 2)
      same(reader:next(), 4)
      same(seen, "y3")
      same(reader:status(), "open")
      reader:finish()
      same(reader:next(), nil)
      same(reader:status(), "complete")
    end
  end
  reader = fleece.documents("x\n1", { lines = true, on_error = function() return 7 end })
  same(reader(), 1)
  T.raises_with("stop", function()
    for _ in fleece.documents(function() error("stop", 0) end, { lines = true, on_error = print }) do end
  end)
  local source = T.safe.documents(function() return nil, "timeout" end, { lines = true, on_error = print })
  same(select(2, source:next()), "timeout")
end

function TestBadLines:test_arguments()
  T.bad_argument(2, "option 'on_error' needs 'lines'", "documents", "", { on_error = print })
  T.bad_argument(2, "option 'on_error' must be a function", "documents", "", { on_error = 1, lines = true })
  T.bad_argument(2, "option 'on_error' must be a function", "events", "", { on_error = {} })
  T.bad_argument(3, "option 'on_error' has no effect here", "items", "", "", { on_error = print })
  T.bad_argument(3, "option 'lines' has no effect here", "items", "", "", { lines = true })
  T.bad_argument(2, "option 'lines' has no effect here", "events", "", { lines = true })
  local codec = fleece.new { on_error = function() return "x" end, lines = true } -- on_error is that of encode
  T.raises_with("expected a value", function() for _ in codec.events "data: x\n\n" do end end)
  T.raises_with("unexpected end at line 1", function() for _ in codec.documents "[\n]" do end end)
end

-- Many bad lines and events take linear time, also in a long string, and memory is that of one.
function TestBadLines:test_costs()
  local texts = { documents = { "[\n", { lines = true } }, events = { "data: 123456\n\n", { max_bytes = 3 } } }
  for name, case in pairs(texts) do
    T.linear(function(n)
      local text, count = case[1]:rep(n), 0
      local options = T.merged(case[2], { on_error = function() count = count + 1 end })
      local start = os.clock()
      same(fleece[name](text, options)(), nil)
      same(count, n)
      return os.clock() - start
    end, 3000, 30000, 30)
  end
  collectgarbage()
  local before, left, most = collectgarbage "count", 2000, 0
  local function source()
    left = left - 1
    if left % 500 == 0 then
      collectgarbage()
      most = math.max(most, collectgarbage "count" - before)
    end
    return left > 0 and ("x"):rep(10000) or nil
  end
  same(fleece.documents(source, { lines = true, max_bytes = 1000, on_error = function() end })(), nil)
  T.lu.assertTrue(most < 200, most .. " KB")
end
