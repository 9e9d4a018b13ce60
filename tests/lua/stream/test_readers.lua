-- SPDX-License-Identifier: MIT
-- test_readers.lua -- documents, items, tokens, events, format_stream: errors that a loop cannot overlook, and sources
-- that fail.

local T = require "support"
local lu, fleece, safe, same = T.lu, T.fleece, T.safe, T.same

TestReaders = {}

-- Makers of iterators, each with a text of two values, one whose second value is wrong, and the first results.
local makers = {
  documents = { good = "[1] [2]", bad = "[1] [x]", cut = 5, first = "[1]", second = "[2]" },
  items = { good = "[1, [2]]", bad = "[1, x]", cut = 4, first = "1", second = "[2]" },
  tokens = { good = "[3]", bad = "[x]", cut = 2, first = '"array"', second = '"number"' },
  events = { good = "data: 1\n\ndata: 2\n\n", bad = "data: 1\n\ndata: x\n\n", cut = 12, first = "1", second = "2" },
}

-- A source whose calls return these lists of results; then it may not be called again.
local function source(...)
  local results, i = { ... }, 0
  return function()
    i = i + 1
    if i > #results then error "called after its end" end
    return T.unpack(results[i], 1, 3)
  end
end

-- What a loop over an iterator finds, and the error that it raises.
local function loop(iterator)
  local found = {}
  local fine, message = pcall(function()
    for value in iterator do found[#found + 1] = fleece.encode(value) end
  end)
  return table.concat(found, " "), not fine and message or nil
end

-- An error in the text, at the pointer, in a file: the same in fleece, in fleece.safe and in its codecs.
function TestReaders:test_loops_raise()
  for name, case in pairs(makers) do
    for _, codec in ipairs { fleece, safe, T.safe_api, safe.new { max_depth = 9 } } do
      for _, from in ipairs { case.bad, T.pieces(case.bad, 2), T.open_with(case.bad) } do
        local found, message = loop(codec[name](from))
        same(found, case.first, name)
        T.contains(message, "expected a value at line")
      end
    end
  end
  local found, message = loop(safe.documents '{"n":1}\n{"n":\n{"n":3}')
  same(found, '{"n":1}')
  T.contains(message, "unexpected end at line 2")
  found, message = loop(safe.items('{"users": [1]}', "/typo"))
  same(found, "")
  T.contains(message, "nothing at the pointer")
  local file = assert(io.open "/")
  found, message = loop(safe.documents(file))
  T.contains(message, "cannot read the file: ")
end

-- What io.open returns instead of a file: the error has its message.
function TestReaders:test_a_file_that_was_not_opened()
  for _, name in ipairs { "documents", "items", "tokens", "events", "format_stream" } do
    T.bad_argument(1, "/no/such.json: No such file or directory", name, io.open "/no/such.json")
  end
  T.bad_argument(1, "got nil", "documents", nil)
end

function TestReaders:test_a_pointer_without_its_slash()
end

-- In a Lua function the error has a position, as one of io.lines has.
function TestReaders:test_position()
  local _, message = loop(safe.documents "x")
  T.contains(message, "test_readers.lua:")
end

function TestReaders:test_next()
  for name, case in pairs(makers) do
    local reader = safe[name](case.bad)
    same(fleece.encode((reader:next())), case.first, name)
    local value, message, byte = reader:next()
    same(value, nil)
    T.contains(message, "expected a value at line")
    same(type(byte.byte), "number")
    T.returns({ nil, n = 1 }, reader.next, reader) -- once
    reader = safe[name](case.good)
    same(fleece.encode((reader:next())), case.first)
    same(fleece.encode((reader())), case.second) -- both ways from one place
    while reader:next() do end
    T.returns({ nil, n = 1 }, reader.next, reader)
    reader = safe[name](case.bad)
    reader:next()
    T.raises_with("expected a value at line", reader)
  end
  T.raises_with("inside", safe.documents(function() error "inside" end).next)
  T.raises_with("the source returned a table", safe.documents(function() return {} end).next)
end

-- Tokens come from a portion that was read before: how its first ones were asked for makes no difference to the next.
function TestReaders:test_next_and_loop()
  local reader = safe.tokens "[1, 2, x]"
  reader:next()
  local found, message = loop(reader)
  same(found, '"number" "number"')
  T.contains(message, "expected a value")
end

-- A writer is an iterator too.
function TestReaders:test_writer()
  local function pieces(writer)
    local list = {}
    for piece in writer do list[#list + 1] = piece end
    return table.concat(list)
  end
  local list = {}
  for i = 1, 100000 do list[i] = i end
  for _, codec in ipairs { fleece, safe } do
    same(pieces(codec.writer(list)), fleece.encode(list))
    T.raises_with("cannot encode a function", pieces, codec.writer { 1, print })
  end
  T.fails_with("cannot encode a function", safe.writer({ print }).next, safe.writer { print })
end

-- ---- sources that fail -------------------------------------------------------------------------------------------

-- nil and a message is an error, after what is complete; nil alone is the end.
function TestReaders:test_failing_sources()
  for name, case in pairs(makers) do
    local head, tail = case.good:sub(1, case.cut), case.good:sub(case.cut + 1)
    local both = case.first .. " " .. case.second
    T.each({
      { { { head }, { nil, "timeout" } }, nil, "timeout" },
      { { { head }, { nil, "timeout", tail } }, both, "timeout" },
      { { { head }, { false, "timeout", tail } }, both, "timeout" },
      { { { nil, "timeout", case.good } }, both, "timeout" },
      { { { head }, { nil, "timeout", "" } }, nil, "timeout" },
      { { { head }, { nil, "is a directory", 21 } }, nil, "is a directory" }, -- as file:read
      { { { head }, { tail }, { nil, "closed" } }, both, "closed" },
      { { { nil, "timeout" } }, "", "timeout" },
      { { { nil, "closed" } }, "", "closed" },
    }, function(case_of_source)
      local results, found, message = T.unpack(case_of_source, 1, 3)
      for _, codec in ipairs { fleece, safe } do
        local got, err = loop(codec[name](source(T.unpack(results))))
        if found then same((got:sub(1, #found)), found, name) end
        T.ends(err, message)
      end
      local reader = safe[name](source(T.unpack(results)))
      local value, err
      repeat value, err = reader:next() until value == nil
      same(err, message, name)
      T.returns({ nil, n = 1 }, reader.next, reader)
    end)
    local wrong = { "an error", "object" }
    same(select(2, loop(fleece[name](source { nil, wrong }))), wrong)
    T.raises_with("the source returned a boolean", function() for _ in fleece[name](source { false }) do end end)
  end
end

-- What came before the failure is the same, however it was cut.
function TestReaders:test_failure_at_each_byte()
  for name, case in pairs(makers) do
    for n = 1, #case.good do
      local all = loop(fleece[name](source({ case.good:sub(1, n) }, { nil, "reset" })))
      for cut = 0, n do
        local found, message = loop(fleece[name](source({ case.good:sub(1, cut) .. (cut == 0 and "\n" or "") },
          { nil, "reset", case.good:sub(cut + 1, n) })))
        T.ends(message, "reset")
        same(found, all, name .. " " .. n .. " " .. cut)
      end
    end
  end
end

function TestReaders:test_closed()
  local closed = { closed = true }
  for name, case in pairs(makers) do
    local head, tail = case.good:sub(1, case.cut), case.good:sub(case.cut + 1)
    local function read(options, ...)
      if name == "items" then return loop(fleece.items(source(...), "", options)) end
      return loop(fleece[name](source(...), options))
    end
    local whole = loop(fleece[name](case.good))
    for _, results in ipairs { { { head }, { nil, "closed", tail } }, { { head }, { tail }, { nil, "closed" } },
      { { nil, "closed", case.good } } } do
      local found, message = read(closed, T.unpack(results))
      same(found, whole, name)
      same(message, nil)
      T.ends(select(2, read({ closed = false }, T.unpack(results))), "closed")
    end
    T.ends(select(2, read(closed, { head }, { nil, "timeout" })), "timeout")
    if name ~= "events" then -- what is incomplete is an error, as at any end
      T.contains(select(2, read(closed, { head }, { nil, "closed" })), "unexpected end")
    end
  end
  same((loop(fleece.new(closed).documents(source({ nil, "closed", "[1]" })))), "[1]")
  T.bad_argument(2, "option 'closed' must be true or false", "documents", "", { closed = "closed" })
  T.bad_argument(2, "option 'closed' has no effect here", "decode", "", closed)
  T.bad_argument(2, "option 'closed' has no effect here", "format", "", closed)
end

function TestReaders:test_format_stream()
  local function format(options, ...)
    local sink, result = T.collector()
    local count, message = safe.format_stream(source(...), sink, options)
    return count, message, result()
  end
  local function is(count, message, text, ...) lu.assertEquals(T.pack(format(...)), { count, message, text, n = 3 }) end
  local lines = { lines = true }
  is(nil, "timeout", "[1]\n", lines, { "[1]\n[2" }, { nil, "timeout" })
  is(nil, "timeout", "[1]\n[2]\n", lines, { "[1]\n[2" }, { nil, "timeout", "]\n" })
  is(nil, "closed", "[1]\n[2]\n", lines, { "[1]\n[2" }, { nil, "closed", "]\n" })
  is(2, nil, "[1]\n[2]\n", { lines = true, closed = true }, { "[1]\n[2" }, { nil, "closed", "]\n" })
  is(2, nil, "[1]\n[2]\n", lines, { "[1]\n[2" }, { "]\n" }, {})
  is(nil, "timeout", '["' .. ("x"):rep(100) .. '"]\n', lines, { '["' .. ("x"):rep(90) }, { nil, "timeout", ("x"):rep(10) .. '"]\n' })
  T.raises_with("timeout", fleece.format_stream, source { nil, "timeout" }, nil)
  T.raises_with("the source of format_stream returned a boolean", fleece.format_stream, source { false }, nil)
  T.raises_with("cannot read the file: ", fleece.format_stream, assert(io.open "/"), nil)
end
