-- SPDX-License-Identifier: MIT
-- test_binary_views.lua -- reading binary in place: index, length, pairs, get, paths, pointers, walk, lazy, data,
-- kinds; what keeps documents alive. The values are equal to those that decode gives for the same text.

local T = require "support"
local B = require "binary"
local lu, fleece, same = T.lu, T.fleece, T.same
local bytes = B.bytes

TestBinaryViews = {}

local function view_of(json, options) return fleece.open(fleece.from_json(json, options)).root end

local sample = '{"a":[1,2.5,"three",null,true,false,[],{}],"b":{"c":{"d":"deep"}},"":"empty","long name of a key":-7}'

function TestBinaryViews:test_index()
  for _, view in ipairs { view_of(sample), view_of(sample, { mode = "compatible" }), fleece.lazy(sample) } do
    local a = view.a
    T.same(a[1], 1)
    T.same(a[2], 2.5)
    T.same(a[3], "three")
    T.same(a[4], fleece.null)
    T.same(a[5], true)
    T.same(a[6], false)
    T.same(#a[7], 0)
    T.same(#a[8], 0)
    T.same(view.b.c.d, "deep")
    T.same(view[""], "empty")
    T.same(view["long name of a key"], -7)
    -- A missing value is nil, for any key.
    for _, key in ipairs { 0, -1, 9, 1.5, 2 ^ 31, 2 ^ 53, 1e300, -1 / 0, 1 / 0, "a", true, {}, print } do
      T.same(a[key], nil)
    end
    T.same(a[0 / 0], nil)
    for _, key in ipairs { 1, "c", "A", "aa", "\0", false } do T.same(view[key], nil) end
    T.same(T.error_of(function() view.a = 1 end):match "a view cannot be changed", "a view cannot be changed")
    T.raises_with("cannot be changed", function() a[1] = 1 end)
  end
end

function TestBinaryViews:test_numbers()
  local view = view_of "[1,1.0,-1,2047,2048,-2049,1e300,0.1,3.0e0]"
  for i, want in ipairs { 1, 1.0, -1, 2047, 2048, -2049, 1e300, 0.1, 3.0 } do T.same(view[i], want, i) end
  T.same(fleece.open(bytes "2000 cdcccc3d 8003").root, 0.1 - 0.1 + 13421773 / 134217728,
    "a float is the double of the same value")
  T.same(fleece.open(bytes "2400 0000003f 8003").root, 0.5)
end

-- A method hides a member of the same name; `get` returns the member.
function TestBinaryViews:test_method_names()
  local names = { "get", "pointer", "walk", "totable", "mutable" }
  for _, name in ipairs(names) do
    local view = view_of('{"' .. name .. '":"member","' .. name .. 'x":1,"' .. name:sub(1, 1) .. '":2}')
    T.same(type(view[name]), "function", name)
    T.same(view:get(name), "member", name)
    T.same(fleece.get(view, name), "member", name)
    T.same(fleece.path(name)(view), "member")
    T.same(view[name .. "x"], 1)
    T.same(view[name:sub(1, 1)], 2)
    local seen = {}
    for k, v in fleece.pairs(view) do seen[k] = v end
    T.same(seen[name], "member")
  end
  for _, name in ipairs { "root", "bytes", "size", "close" } do T.same(view_of('{"' .. name .. '":1}')[name], 1) end
end

function TestBinaryViews:test_len()
  T.same(#view_of "[1,2,3]", 3)
  T.same(#view_of "[]", 0)
  T.same(#view_of '{"a":1,"b":2}', 2)
  T.same(#view_of(sample).a, 8)
  T.same(#fleece.open(bytes "7002 4161 3c00 4162 0001 8005").root, 2) -- section 10: the count includes undefined values
end

local function collect(iterator, state, first)
  local keys, values = {}, {}
  for k, v in iterator, state, first do
    keys[#keys + 1] = k
    values[#values + 1] = v
  end
  return keys, values
end

function TestBinaryViews:test_pairs()
  local view = view_of '{"b":2,"a":1,"c":null}'
  local ways = { fleece.pairs }
  if pairs(setmetatable({}, { __pairs = function() return next, { 1 } end }))({ 1 }) and T.version ~= "Lua 5.1" and
     (T.version ~= "LuaJIT" or T.jit and pcall(pairs, view)) then
    ways[2] = pairs
  end
  for _, way in ipairs(ways) do
    local keys, values = collect(way(view))
    lu.assertEquals(keys, { "a", "b", "c" }) -- in byte order
    lu.assertEquals(values, { 1, 2, fleece.null })
  end
  for _, way in ipairs { fleece.pairs, fleece.ipairs } do
    local keys, values = collect(way(view_of '[5,null,"x"]'))
    lu.assertEquals(keys, { 1, 2, 3 })
    lu.assertEquals(values, { 5, fleece.null, "x" })
    lu.assertEquals({ collect(way(view_of "[]")) }, { {}, {} })
  end
  lu.assertEquals(collect(fleece.ipairs(view)), {}, "a dict has no items")
  -- For other values it is Lua's own function.
  lu.assertEquals({ collect(fleece.ipairs { 7, 8 }) }, { { 1, 2 }, { 7, 8 } })
  lu.assertEquals({ collect(fleece.pairs { x = 1 }) }, { { "x" }, { 1 } })
  T.error_of(fleece.pairs)
  -- An undefined value is absent from a dict, and ends ipairs in an array, as nil does.
  lu.assertEquals(collect(fleece.pairs(fleece.open(bytes "7002 4161 3c00 4162 0001 8005").root)), { "b" })
end

-- An iterator keeps its document alive.
function TestBinaryViews:test_pairs_keep()
  local next_pair, state, key = fleece.pairs(fleece.open(fleece.from_json('{"k1":"' .. ("x"):rep(50000) ..
    '","k2":[1]}')).root)
  collectgarbage()
  collectgarbage()
  local k, v = next_pair(state, key)
  T.same(k, "k1")
  T.same(#v, 50000)
  collectgarbage()
  collectgarbage()
  k, v = next_pair(state, k)
  T.same(v[1], 1)
  T.same(next_pair(state, k), nil)
  T.same(next_pair(state, k), nil, "and once more")
end

function TestBinaryViews:test_views_keep_documents()
  local views = {}
  for i = 1, 50 do views[i] = view_of('{"list":[' .. i .. ',["' .. ("s"):rep(i * 100) .. '"]]}').list[2] end
  collectgarbage()
  collectgarbage()
  for i = 1, 50 do T.same(#views[i][1], i * 100) end
  local path = fleece.path "list[1][0]"
  collectgarbage()
  collectgarbage()
  T.same(path(view_of '{"list":[0,["x"]]}'), "x")
end

function TestBinaryViews:test_get()
  local doc = fleece.open(fleece.from_json(sample))
  T.same(doc:get("a", 3), "three")
  T.same(doc:get("b", "c", "d"), "deep")
  T.same(doc:get("b", "c", "d", "e"), nil)
  T.same(doc:get("x", "y", "z"), nil)
  T.same(doc:get(1), nil)
  T.same(doc:get("a", "3"), nil, "an index is a number")
  T.same(doc:get(nil), nil)
  T.same(fleece.get(doc.root, "a", 1), 1)
  T.same(fleece.type(doc:get()), "dict", "no keys: the value itself")
  T.same(fleece.open(bytes "0005"):get(), 5)
  T.same(fleece.open(bytes "0005"):get "a", nil)
  T.error_of(doc.get, 5, "a")
  T.error_of(doc.root.get)
end

function TestBinaryViews:test_path()
  local doc = fleece.open(fleece.from_json(sample))
  T.each_pair({
    ["a[0]"] = 1,
    ["$.a[2]"] = "three",
    ["a[-6]"] = "three",
    [".b.c.d"] = "deep",
    [".a[2]"] = "three",
  }, function(text, want)
    T.same(fleece.path(text)(doc), want, text)
    T.same(fleece.path(text)(doc.root), want, text)
  end)
  for _, text in ipairs { "a[8]", "a[-9]", "a.x", "b[0]", "x.y[1]", "a[2].x", "a[2][0]", "a[4294967296]" } do
    local ok, path = pcall(fleece.path, text)
    if ok then T.same(path(doc), nil, text) else T.contains(path, "not a key path") end
  end
  T.each_pair({
    [""] = 1,
    ["a["] = 2,
    ["a[]"] = 2,
    ["a[1"] = 2,
    ["a[1]b"] = 2,
    ["a\\"] = 3,
    ["a[1.5]"] = 2,
    ["a."] = 3,
    ["$."] = 3,
    ["a[0]."] = 6,
  }, function(text, at)
    T.raises_with("not a key path: wrong at byte " .. at .. ")", fleece.path, text)
  end)
  T.same(tostring(fleece.path "a[0].b"), "a[0].b")
  local way = fleece.path "a"
  for _, wrong in ipairs { 5, "a", {} } do -- the view is the caller's first argument
    T.raises_with("bad argument #1 to ", function() return 0, way(wrong) end)
  end
  T.raises_with("view or document expected", way)
  local long = ("x"):rep(5000)
  T.same(fleece.path(("y."):rep(3000) .. long)(doc), nil)
  T.same(fleece.path(long)(fleece.open(fleece.from_json('{"' .. long .. '":1}'))), 1)
end

-- The examples of RFC 6901, section 5.
function TestBinaryViews:test_pointer()
  local text = '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}'
  local doc = fleece.open(fleece.from_json(text))
  T.same(fleece.to_json(doc:pointer ""), fleece.to_json(doc))
  T.same(fleece.to_json(doc:pointer "/foo"), '["bar","baz"]')
  T.each_pair({
    ["/foo/0"] = "bar",
    ["/"] = 0,
    ["/a~1b"] = 1,
    ["/c%d"] = 2,
    ["/e^f"] = 3,
    ["/g|h"] = 4,
    ["/i\\j"] = 5,
    ['/k"l'] = 6,
    ["/ "] = 7,
    ["/m~0n"] = 8,
  }, function(pointer, want)
    T.same(doc:pointer(pointer), want, pointer)
    T.same(doc.root:pointer(pointer), want, pointer)
  end)
  for _, pointer in ipairs { "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/1.0", "/foo/0/0", "/x", "/foo/",
    "//", "/foo/18446744073709551616", "/foo/4294967296", "/a/b" } do
    T.same(doc:pointer(pointer), nil, pointer)
  end
  for _, pointer in ipairs { "foo", "#/foo", "/~", "/~2", "/foo/~" } do
    T.raises_with("not a JSON pointer", doc.pointer, doc, pointer)
  end
  local key = ("k"):rep(1000)
  T.same(view_of('{"' .. key .. '":{"/~":1}}'):pointer("/" .. key .. "/~1~0"), 1)
end

function TestBinaryViews:test_walk()
  local visits = {}
  for value, path, pointer in view_of(sample):walk() do
    visits[#visits + 1] = path .. " " .. pointer .. " " .. fleece.type(value)
  end
  -- All members of a collection come before their contents; the last collection comes first (section 15).
  lu.assertEquals(visits, { "  dict", '[""] / string', ".a /a array", ".b /b dict",
    '["long name of a key"] /long name of a key ' .. fleece.type(view_of "[-7]"[1]), ".b.c /b/c dict",
    ".b.c.d /b/c/d string", ".a[0] /a/0 " .. fleece.type(view_of "[1]"[1]), ".a[1] /a/1 float", ".a[2] /a/2 string",
    ".a[3] /a/3 null", ".a[4] /a/4 boolean", ".a[5] /a/5 boolean", ".a[6] /a/6 array", ".a[7] /a/7 dict" })
end

function TestBinaryViews:test_walk_enter()
  local asked, seen = {}, {}
  for _, path in view_of(sample):walk(function(value, path, pointer)
    asked[#asked + 1] = path .. pointer .. fleece.type(value)
    return path ~= ".a"
  end) do seen[#seen + 1] = path end
  lu.assertEquals(asked, { "dict", ".a/aarray", ".b/bdict", ".b.c/b/cdict" })
  lu.assertEquals(seen, { "", '[""]', ".a", ".b", '["long name of a key"]', ".b.c", ".b.c.d" })
  local n = 0
  for _ in view_of(sample):walk(function() return nil end) do n = n + 1 end -- only false skips a collection
  T.same(n, 15)
  T.raises("stop", function() for _ in view_of(sample):walk(function() error("stop", 0) end) do end end)
  T.error_of(view_of(sample).walk, view_of(sample), 5)
  n = 0
  for value in fleece.open(bytes "3c00"):walk() do
    n = n + 1
    T.same(value, fleece.null) -- not nil, which would end the loop
  end
  T.same(n, 1)
  T.same(fleece.open(bytes "0005"):walk()(), 5)
end

function TestBinaryViews:test_walk_deep()
  local text = ("["):rep(900) .. "1" .. ("]"):rep(900)
  local last, longest
  for value, path, pointer in view_of(text):walk() do last, longest = value, #path + #pointer end
  T.same(last, 1)
  T.same(longest, 900 * 5)
end

function TestBinaryViews:test_lazy()
  T.same(fleece.lazy "5", 5)
  T.same(fleece.lazy '"x"', "x")
  T.same(fleece.lazy " null ", fleece.null)
  T.same(fleece.lazy('{"a":[1,2,{"b":"c"}]}').a[3].b, "c")
  T.same(fleece.to_json(fleece.lazy(sample)), fleece.to_json(fleece.from_json(sample)))
  T.same(fleece.lazy("[1,/**/2,]", { comments = true, trailing_commas = true })[2], 2)
  T.raises_with("at line 1", fleece.lazy, "[1,")
  local value, message, position = T.safe.lazy "[nope]"
  T.same(value, nil)
  T.contains(message, "line 1")
  T.same(position.byte, 2)
  -- Encoding gives the text back.
  T.same(fleece.encode(fleece.lazy '{"b":[1,2.5],"a":"\195\169"}'), '{"b":[1,2.5],"a":"\195\169"}')
  T.same(fleece.encode { fleece.lazy "[1]", fleece.lazy "{}" }, "[[1],{}]")
  for i = 1, 100 do
    local big = "[" .. ('"item",'):rep(i * 20) .. i .. "]"
    T.same(fleece.lazy(big)[i * 20 + 1], i)
  end
end

-- Of members with the same name, all functions use the last one.
function TestBinaryViews:test_lazy_takes_the_last()
  local members = {}
  for i = 1, 100 do members[i] = ('"name":%d'):format(i) end
  for _, n in ipairs { 2, 3, 40, 100 } do
    local text = '{"before":[0],' .. table.concat(members, ",", 1, n) .. ',"z":0}'
    for _, codec in ipairs(T.codecs) do
      local view = codec.lazy(text)
      lu.assertEquals({ view.name, view:get "name", view:pointer "/name", fleece.path "name" (view), #view },
        { n, n, n, n, 3 })
      T.same(codec.encode(view), text)
      T.same(codec.encode(view, { sort_keys = true }), ('{"before":[0],"name":%d,"z":0}'):format(n))
      T.same(codec.lazy("[" .. text .. "," .. text .. "]")[2].name, n)
    end
  end
  T.same(#fleece.from_json('{"a":1,"a":2}', { mode = "compatible" }), 2 + 8 + 2, "all of them are written")
end

-- Dicts share a name within the range of a narrow pointer (64 KB): here some are nearer, some farther away, and some
-- names are also values.
function TestBinaryViews:test_lazy_shares_names()
  local names = { ("long "):rep(60), "n", "of fifteen byte", "of sixteen bytes" } -- sorted, like the names of a dict
  local records = {}
  for i = 1, 400 do
    local fields = {}
    for j, name in ipairs(names) do
      if (i + j) % 5 ~= 0 then fields[#fields + 1] = ('"%s":"%s"'):format(name, names[(i * j) % 4 + 1]) end
    end
    records[i] = ("{%s}"):format(table.concat(fields, ","))
    if i % 100 == 0 then records[i] = ('{"%s":"%s"}'):format(names[1], ("x"):rep(300 * i)) end
  end
  local text = "[" .. table.concat(records, ",") .. "]"
  local view = fleece.lazy(text)
  for i = 1, 400 do
    for _, name in ipairs(names) do
      T.same(view[i][name], records[i]:match('"' .. name .. '":"([^"]*)"'), i)
    end
  end
  T.same(fleece.encode(view), text)
end

function TestBinaryViews:test_data()
  local data = fleece.data "\0\255x"
  T.same(tostring(data), "\0\255x")
  T.same(#data, 3)
  T.same(data == fleece.data "\0\255x", true)
  T.same(data == fleece.data "\0\255y", false)
  T.same(tostring(fleece.data ""), "")
  T.same(fleece.type(data), "data")
  local doc = fleece.open(bytes "53 00ff78 8002")
  T.same(doc.root == data, true)
  T.same(fleece.type(doc.root), "data")
  local big = ("\254"):rep(100000)
  local root = fleece.open(fleece.encoder():data(big):finish()).root
  T.same(tostring(root), big)
  T.same(fleece.encode(data), '"AP94"')
end

function TestBinaryViews:test_type()
  local kinds = {}
  for _, v in ipairs { 1.5, "s", true, {}, print, fleece.null, view_of "[1]", view_of "{}", fleece.data "" } do
    kinds[#kinds + 1] = fleece.type(v)
  end
  lu.assertEquals(kinds, { "float", "string", "boolean", "table", "function", "null", "array", "dict", "data" })
  T.same(fleece.type(nil), "nil")
  T.same(fleece.type(5), T.integers and "integer" or fleece.type(5))
  T.same(fleece.type(io.stdout), "userdata")
end

function TestBinaryViews:test_tostring()
  lu.assertStrMatches(tostring(view_of "[1]"), "fleece%.array: .+")
  lu.assertStrMatches(tostring(view_of "{}"), "fleece%.dict: .+")
  lu.assertStrMatches(tostring(fleece.open(bytes "3000")), "fleece%.document: .+")
  T.same(getmetatable(view_of "[1]"), "fleece.view")
  T.same(getmetatable(fleece.open(bytes "3000")), "fleece.document")
end

-- Any other userdata is not accepted as a view.
function TestBinaryViews:test_foreign_userdata()
  local view, doc = view_of "[1]", fleece.open(bytes "3000")
  for _, foreign in ipairs { io.stdout, T.finalizer(function() end), fleece.data "x", fleece.path "a",
    {}, 1, "x" } do
    T.error_of(view.get, foreign, 1)
    T.error_of(view.pointer, foreign, "")
    T.error_of(view.walk, foreign)
    T.error_of(doc.close, foreign)
    T.error_of(fleece.path "a", foreign)
    T.error_of(fleece.keys().save, foreign)
    T.error_of(fleece.encoder().finish, foreign)
  end
end

-- Section 10: a dict has the names of its parents too; undefined hides a name.
function TestBinaryViews:test_parents()
  -- {"a":1,"b":2,"d":4} <- {"b":20,"c":3,"d":undefined}
  local doc = fleece.open(bytes "7003 4161 0001 4162 0002 4164 0004 7004 0800 8009 4162 0014 4163 0003 4164 3c00 8009")
  local view = doc.root
  T.same(fleece.to_json(doc), '{"a":1,"b":20,"c":3}')
  lu.assertEquals({ view.a, view.b, view.c, view.d, view:get "d", #view }, { 1, 20, 3, nil, nil, 3 })
  local keys, values = collect(fleece.pairs(view))
  lu.assertEquals({ keys, values }, { { "a", "b", "c" }, { 1, 20, 3 } })
  T.same(doc:pointer "/a", 1)
  T.same(fleece.path "b" (doc), 20)
  lu.assertEquals(view:totable(), { a = 1, b = 20, c = 3 })
  -- If all names of a parent are hidden, the dict is empty.
  local empty = fleece.open(bytes "7001 4161 0001 7002 0800 8005 4161 3c00 8005")
  T.same(fleece.to_json(empty), "{}")
  T.same(fleece.to_json(empty, { canonical = true, indent = 1 }), "{}")
  T.same(#empty.root, 0)
  T.same(next(empty.root:totable()), nil)
  T.same(collect(fleece.pairs(empty.root))[1], nil)
  T.same(fleece.to_json(bytes "7001 4161 0001 7002 0800 8005 4161 3c00 6002 8006 8007 8003"), "[{},{}]")
end

function TestBinaryViews:test_totable()
  local function same(json)
    lu.assertEquals(view_of(json):totable(), fleece.decode(json))
    lu.assertEquals(fleece.unpack(fleece.from_json(json)), fleece.decode(json))
  end
  same(sample)
  same "[[[[]]]]"
  same '{"a":{"b":{"c":[1,2,3,"x",null,true]}}}'
  T.same(fleece.encode(view_of('{"e":{},"a":[]}'):totable(), { sort_keys = true }), '{"a":[],"e":{}}',
    "an empty dict stays one")
end

-- A codec's options for decoding (null, arrays, objects) do not affect other calls.
function TestBinaryViews:test_codec_with_values()
  local marker = {}
  local codec = fleece.new { null = marker, arrays = { __name = "a" }, objects = { __name = "o" } }
  T.same(codec.to_json(codec.from_json "[1,null]"), "[1,null]")
  T.same(codec.lazy("[1]")[1], 1)
  T.same(codec.unpack(codec.from_json "[1,null]")[2], marker)
  T.same(codec.open(codec.from_json "[7]").root[1], 7)
  T.same(codec.to_json(codec.patch(codec.from_json '{"a":1}', '{"a":2}')), '{"a":2}')
  T.same(codec.decode("[null]")[1], marker)
end

function TestBinaryViews:test_equality()
  local a, b = view_of '{"x":[1,2.5,"s"],"y":{}}', fleece.lazy ' { "y" : {}, "x" : [1, 2.5, "s"] } '
  T.same(a == b, true)
  T.same(a.x == b.x, true)
  T.same(a.x == a.y, false)
  T.same(view_of "[1]" == view_of "[1.0]", true, "numbers are equal by value")
  T.same(view_of "[1]" == view_of "[2]", false)
  T.same(view_of '{"a":1}' == view_of '{"a":1,"b":2}', false)
end

-- to_json of the value at a path or a pointer: scalars too, with all their digits in every Lua.
function TestBinaryViews:test_to_json_at()
  local bytes = fleece.from_json '{"a":[{"n":9007199254740993,"f":1.0},"x","y"],"b/c":null,"u":18446744073709551615}'
  local doc = fleece.open(bytes)
  for _, source in ipairs { bytes, doc, doc.root } do
    T.same(fleece.to_json(source, { path = "a[0].n" }), "9007199254740993")
    T.same(fleece.to_json(source, { path = fleece.path "a[0].f" }), "1.0")
    T.same(fleece.to_json(source, { path = "a[-1]" }), '"y"')
    T.same(fleece.to_json(source, { path = "u" }), "18446744073709551615")
    T.same(fleece.to_json(source, { pointer = "/b~1c" }), "null")
    T.same(fleece.to_json(source, { pointer = "/a/0" }), '{"f":1.0,"n":9007199254740993}')
    T.same(fleece.to_json(source, { path = "a[0]", pointer = "/f" }), "1.0")
    T.same(fleece.to_json(source, { pointer = "" }), fleece.to_json(bytes))
    T.same(fleece.to_json(source, { path = "a[3]" }), nil)
    T.same(fleece.to_json(source, { path = "x", pointer = "/f" }), nil)
    T.same(fleece.to_json(source, { pointer = "/a/x" }), nil)
  end
  T.bad_argument(2, "option 'path' must be a path", "to_json", bytes, { path = 1 })
  T.bad_argument(2, "not a key path: wrong at byte 2", "to_json", bytes, { path = "a[" })
  T.bad_argument(2, "path expected", "to_json", bytes, { path = doc })
  T.bad_argument(2, "not a JSON pointer", "to_json", bytes, { pointer = "x" })
end

-- Levels inside packed documents, views and mutable views count for max_depth, as in encode.
function TestBinaryViews:test_depth_of_packed_views()
  local doc = fleece.open(fleece.pack { { { 1 } } })
  local changed = doc:mutable()
  changed[1][1][2] = 2
  for what, value in pairs { document = doc, view = doc.root, ["mutable view"] = doc:mutable(),
    ["changed view"] = changed } do
    local text = fleece.encode(value)
    same(fleece.to_json(fleece.pack(value, { max_depth = 3 })), text, what)
    same(fleece.to_json(fleece.pack({ { value } }, { max_depth = 5 })), "[[" .. text .. "]]", what)
    for _, codec in ipairs(T.codecs) do
      T.raises_ending("nesting too deep", codec.pack, value, { max_depth = 2 })
      T.raises_ending("nesting too deep", codec.pack, { { value } }, { max_depth = 4 })
    end
  end
  local deep = fleece.open(fleece.from_json(("["):rep(1000) .. "1" .. ("]"):rep(1000)))
  T.raises_ending("nesting too deep", fleece.pack, { deep }) -- such a document could not be opened
  local bytes = fleece.pack({ deep }, { max_depth = 1001 })
  same(fleece.check(bytes, { max_depth = 1001 }), true)
  same(#fleece.pack { doc }, #fleece.pack { doc.root }, "the limit is that of one call")
  same(fleece.check(fleece.encoder():array():value(deep):close():finish()), nil, "an encoder has no limit")
end
