-- SPDX-License-Identifier: MIT
-- test_two_copies.lua -- two copies of the object in one Lua state, as when two folders of package.cpath have one, or the
-- host program has linked one in. What one has made the other understands, or refuses with a message that says why.

local T = require "support"
local lu, same = T.lu, T.same
local A = T.fleece

TestTwoCopies = {}

-- A copy of the object under another name, so that the system loads it again.
local B, B_safe
local function second()
  if B then return end
  local path = package.searchpath and package.searchpath("fleece", package.cpath)
  for pattern in package.cpath:gmatch "[^;]+" do -- Lua 5.1
    local name = pattern:gsub("%?", "fleece")
    local file = not path and io.open(name, "rb")
    if file then path = file:close() and name end
  end
  local copy = os.tmpname()
  T.write_file(copy, T.read_file(path))
  B = assert(package.loadlib(copy, "luaopen_fleece"))()
  B_safe = assert(package.loadlib(copy, "luaopen_fleece_safe"))()
  os.remove(copy)
end

function TestTwoCopies:setUp() second() end

local TEXT = '{"a":[1,{"b":"x"}],"n":null}'

-- Calls check(what, value) with each kind of object that the first copy makes, as it is written in JSON.
local function each_object(check)
  local doc = A.open(A.from_json(TEXT))
  check(TEXT, doc)
  check(TEXT, doc.root)
  check('[1,{"b":"x"}]', doc.root.a)
  check(TEXT, A.lazy(TEXT))
  check('{"b":"x"}', A.lazy(TEXT).a[2])
  check(TEXT, doc.root:mutable())
end

function TestTwoCopies:test_they_are_two()
  lu.assertFalse(A == B)
  lu.assertFalse(A.array_mt == B.array_mt)
  same(A.null, B.null)
end

function TestTwoCopies:test_values_that_one_makes_the_other_writes()
  local tables = { A.array(), A.object(), A.array { 1, nil, 3 }, A.object { 1 }, A.null, A.decode "{}", A.decode "[]" }
  local text = '[[],{},[1,null,3],{"1":1},null,{},[]]'
  same(B.encode(tables), text)
  same(B.encode(tables, { layout = "api" }), text)
  same(B.to_json(B.pack(tables)), text)
  same(B.encode { A.raw "[1, 2]" }, "[[1, 2]]")
  same(B.encode(A.decode("[1.50,12345678901234567890123]", { numbers = "exact" })), "[1.50,12345678901234567890123]")
  same(B.encode { A.data "abc" }, A.encode { A.data "abc" })
  local marked = A.decode('{"a":{"b":1},"c":[1]}', { objects = "marked", arrays = "marked" })
  marked.a.b, marked.c[1] = nil, nil
  same(B.encode(marked, { sort_keys = true }), '{"a":{},"c":[]}')
  each_object(function(wanted, value)
    same(A.encode(value), wanted)
    for _, options in ipairs { {}, { layout = "api" } } do
      same(B.encode(value, options), wanted)
      same(B.encode({ x = { value, 1 } }, options), '{"x":[' .. wanted .. ",1]}")
    end
    same(B.to_json(B.pack { value }), "[" .. wanted .. "]")
    local writer = B.writer { value }
    same(writer:next(), "[" .. wanted .. "]")
  end)
end

function TestTwoCopies:test_a_mark_is_a_mark()
  local list, dict = A.array {}, A.object {}
  same(B.array(list), list)
  same(B.object(dict), dict)
  T.raises_with("table has a metatable", B.object, list)
  T.raises_with("table has a metatable", B.array, setmetatable({}, {}))
  local codec = B.new { arrays = A.array_mt, objects = A.object_mt }
  same(A.encode(codec.decode '[{},[]]'), "[{},[]]")
end

function TestTwoCopies:test_what_the_other_cannot_read_it_refuses()
  local keys = A.keys(A.from_json '["a"]')
  each_object(function(wanted, value)
    for _, f in ipairs { B.get, B.open, B.unpack, B.to_json, B.query "$.a", B.dump } do
      T.raises_with("of another copy of Fleece)", f, value)
    end
    T.raises_with("of another copy of Fleece)", B.diff, value, B.from_json "1")
    T.raises_with("of another copy of Fleece)", B.patch, value, "1")
    T.raises_with("expected", B.path "a", value)
    T.raises_with("fleece.keys returned", B.pack, { 1 }, { keys = keys })
    T.raises_with("base", B.open, "xx", { base = value })
    same(B.type(value), "userdata")
    lu.assertFalse(B.lazy(wanted) == value)
    same(A.encode(value), wanted)
  end)
  T.raises_with("this fleece.path is of another copy of Fleece", B.pick, A.path "a")
  T.raises_with("path expected", B.edit, "{}", { { "set", A.path "a", 1 } })
  T.raises_with("this fleece.view is of another copy of Fleece", B_safe.to_json, A.lazy "[]")
  -- no such words about what is its own, or another library's
  for _, value in ipairs { A.open(A.from_json "1"), A.lazy "[]", A.path "a", A.keys(A.from_json '["a"]'), A.data "", io.stdout } do
    lu.assertNil(T.error_of(A.decode, value):find("another copy", 1, true))
  end
end

-- Codecs, readers and parsers of both in turn; each keeps its own caches and buffers.
function TestTwoCopies:test_both_in_turn()
  local text = A.encode(T.fleece.decode('[{"id":1,"name":"x"},{"id":2,"name":"y"}]'))
  for round = 1, 200 do
    local one, two = A.new { sort_keys = true }, B.new { sort_keys = true, order = true }
    local by_a, by_b = A.decode(text), two.decode(text)
    same(two.encode(by_a), one.encode(by_b))
    same(A.unpack(B.pack(by_a))[2].name, "y")
    local parser, other = A.parser(), B.parser()
    for i = 1, #text do
      parser:feed(text:sub(i, i))
      other:feed(text:sub(i, i))
    end
    same(#B.encode(parser:finish()), #A.encode(other:finish()))
    if round % 50 == 0 then collectgarbage() end
  end
end

-- The finalizers of both run at the end, whichever was loaded first.
function TestTwoCopies:test_collected()
  local list = {}
  for i = 1, 50 do list[i] = { A.lazy "[1]", B.lazy "[2]", A.open(A.from_json "{}"), B.open(B.from_json "[]"):mutable() } end
  list = nil
  collectgarbage()
  collectgarbage()
  same(A.encode(B.lazy "[1]"), "[1]")
end
