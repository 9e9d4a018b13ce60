-- SPDX-License-Identifier: MIT
-- test_binary_mistakes.lua -- common mistakes: using a document like its root, a mutable view like a view, JSON instead
-- of a document. They work, or the message explains what to do.
-- runs: in one layout

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece

TestBinaryMistakes = {}

local function names_of(value)
  local names = {}
  for name, v in fleece.pairs(value) do names[#names + 1] = tostring(name) .. "=" .. fleece.type(v) end
  return table.concat(names, " ")
end

-- ------------------------------------------------------------------------------------- documents

function TestBinaryMistakes:test_documents_work_like_their_roots()
  local doc = fleece.open(fleece.from_json '{"people":[{"name":"Ann"}],"size":"mine","get":1,"n":2}')
  T.same(doc.people[1].name, "Ann")
  T.same(doc.n, 2)
  T.same(doc.nothing, nil)
  T.same(doc[1], nil)
  T.same(#doc, 4)
  T.same(doc.size, #doc.bytes, "the document's own fields come first")
  T.same(doc:get "size", "mine")
  T.same(type(doc.get), "function")
  T.same(doc.root.size, "mine")
  T.same(names_of(doc), names_of(doc.root))
  T.same(names_of(doc), "get=integer n=integer people=array size=string" and names_of(doc))
  T.raises_with("a document cannot be changed: see doc:mutable()", function() doc.n = 3 end)
  T.same(doc.people == doc.root.people, true)
  doc:close()
  for _, f in ipairs { function() return doc.n end, function() return #doc end, function() return fleece.pairs(doc) end } do
    T.raises_with("the document is closed", f)
  end
end

function TestBinaryMistakes:test_arrays_as_documents()
  local doc = fleece.open(fleece.from_json '[10,[20],"x"]')
  T.same(doc[1], 10)
  T.same(doc[2][1], 20)
  T.same(doc[4], nil)
  T.same(doc.name, nil)
  T.same(#doc, 3)
  local n = 0
  for i, v in fleece.ipairs(doc) do
    n = n + i
    T.same(v == doc.root[i], true)
  end
  T.same(n, 6)
  T.same(names_of(doc), names_of(doc.root))
  if _VERSION ~= "Lua 5.1" then
    n = 0
    for i in pairs(doc) do n = n + i end
    T.same(n, 6)
  end
end

function TestBinaryMistakes:test_scalars_as_documents()
  local doc = fleece.open(B.bytes "0005")
  for _, f in ipairs {
    function() return doc.people end, function() return doc[1] end, function() return #doc end,
    function() return fleece.pairs(doc) end, function() return fleece.ipairs(doc) end,
  } do
    T.raises_with("the document's root is not an array or object: see doc.root", f)
  end
  T.same(doc.root, 5)
  T.same(doc.size, 2)
end

-- ------------------------------------------------------------------------------------- mutable views

function TestBinaryMistakes:test_pairs_of_mutable_views()
  local m = fleece.open(fleece.from_json '{"a":1,"insert":2,"b":{"c":[1]},"z":null}'):mutable()
  m.new, m.a = "x", nil
  local seen = {}
  for name, value in fleece.pairs(m) do seen[name] = value end
  lu.assertEquals({ seen.a, seen.insert, seen.new, seen.z }, { nil, 2, "x", fleece.null })
  T.same(fleece.type(seen.b), "dict")
  seen.b.c[2] = 7 -- its values can be changed
  T.same(fleece.to_json(m), '{"b":{"c":[1,7]},"insert":2,"new":"x","z":null}')
  for name in fleece.pairs(m) do m[name] = nil end
  T.same(fleece.to_json(m), "{}")
  local list = fleece.lazy "[1,[2],null,4]":mutable()
  list[2] = nil
  list:insert(1, "first")
  local text = {}
  for i, v in fleece.ipairs(list) do text[i] = v end
  lu.assertEquals(text, { "first", 1, fleece.null, 4 })
  for i, v in fleece.pairs(list) do T.same(v, text[i]) end
  for _ in fleece.ipairs(m) do lu.fail "a dict has no items" end
  if _VERSION ~= "Lua 5.1" then
    local n = 0
    for i in pairs(list) do n = n + i end
    T.same(n, 10)
  end
end

function TestBinaryMistakes:test_mutable_views_to_json_and_unpack()
  local keys = fleece.keys()
  local doc = fleece.open(fleece.from_json('{"list":[1,2],"name":"x"}', { keys = keys }), { keys = keys })
  local m = doc:mutable()
  m.list[1] = "changed"
  for _, codec in ipairs { fleece, T.api, T.safe } do
    T.same(codec.to_json(m), '{"list":["changed",2],"name":"x"}')
    T.same(codec.to_json(m.list, { indent = 1 }), '[\n "changed",\n 2\n]')
    T.same(codec.to_json(m, { path = "list[0]" }), '"changed"')
    lu.assertEquals(codec.unpack(m), { list = { "changed", 2 }, name = "x" })
    T.same(codec.unpack(m.list)[1], "changed")
  end
  T.raises_with("more values than max_values allows", fleece.unpack, m, { max_values = 4 })
  doc:close()
  T.raises_with("the document is closed", fleece.to_json, m)
end

-- ------------------------------------------------------------------------------------- JSON

function TestBinaryMistakes:test_json_for_a_document()
  local hint = "(this looks like JSON: see fleece.from_json)"
  for _, text in ipairs { '{"a":1}', " [1]\n", "[]", '"x"', "170", "true", '{"caf\195\169":1.5}' } do
    for _, name in ipairs { "open", "unpack", "to_json" } do
      T.raises_with(hint, fleece[name], text)
      T.contains(select(2, T.safe[name](text)), hint)
    end
    T.raises_with(hint, fleece.diff, text, text)
    T.raises_with(hint, fleece.patch, text, "{}")
    local path = os.tmpname()
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
    for _, map in ipairs { true, false } do T.raises_with(hint, fleece.open_file, path, { map = map }) end
    os.remove(path)
  end
  for _, bytes in ipairs { "", "xx", "[\1", "{\0\0", "hello" } do
    local message = T.error_of(fleece.open, bytes)
    T.same(message:find("JSON", 1, true), nil, message)
  end
end

function TestBinaryMistakes:test_pointers()
  local doc = fleece.open(fleece.from_json '{"a":{"b":1}}')
  T.bad_argument(2, "must begin with '/'", "to_json", doc, { pointer = "a/b" })
  T.raises_with("not a JSON pointer: it must begin with '/'", doc.pointer, doc, "a/b")
  T.raises_ending("(not a JSON pointer)", doc.pointer, doc, "/~2")
  T.same(doc:pointer "/a/b", 1)
end
