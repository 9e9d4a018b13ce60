-- SPDX-License-Identifier: MIT
-- test_json_patch.lua -- fleece.json_patch: JSON Patch. Cases are from RFC 6902, its appendix A first. If the suite of
-- json-patch-tests is in $FLEECE_DATA/standards/json-patch.json, its cases are tested, too.

local T = require "support"
local lu, fleece, safe, same, each = T.lu, T.fleece, T.safe, T.same, T.each
local null = fleece.null

TestJsonPatch = {}

local SORTED = { sort_keys = true }
local CASES = { -- document, operations, result; or false and a part of the message
  { '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux"}]', '{"foo":"bar","baz":"qux"}' }, -- A.1
  { '{"foo":["bar","baz"]}', '[{"op":"add","path":"/foo/1","value":"qux"}]', '{"foo":["bar","qux","baz"]}' },
  { '{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}' },
  { '{"foo":["bar","qux","baz"]}', '[{"op":"remove","path":"/foo/1"}]', '{"foo":["bar","baz"]}' },
  { '{"baz":"qux","foo":"bar"}', '[{"op":"replace","path":"/baz","value":"boo"}]', '{"baz":"boo","foo":"bar"}' },
  { '{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}',
    '[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]',
    '{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}' },
  { '{"foo":["all","grass","cows","eat"]}', '[{"op":"move","from":"/foo/1","path":"/foo/3"}]',
    '{"foo":["all","cows","eat","grass"]}' },
  { '{"baz":"qux","foo":["a",2,"c"]}',
    '[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]',
    '{"baz":"qux","foo":["a",2,"c"]}' },
  { '{"baz":"qux"}', '[{"op":"test","path":"/baz","value":"bar"}]', false,
    "operation 1 (test '/baz'): the value is a different one" },
  { '{"foo":"bar"}', '[{"op":"add","path":"/child","value":{"grandchild":{}}}]',
    '{"foo":"bar","child":{"grandchild":{}}}' },
  { '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux","xyz":123}]', '{"foo":"bar","baz":"qux"}' },
  { '{"foo":"bar"}', '[{"op":"add","path":"/baz/bat","value":"qux"}]', false,
    "operation 1 (add '/baz/bat'): there is no such member at step 1, 'baz'" },
  { '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":10}]', '{"/":9,"~1":10}' }, -- A.14
  { '{"/":9,"~1":10}', '[{"op":"test","path":"/~01","value":"10"}]', false, "operation 1 (test '/~01')" },
  { '{"foo":["bar"]}', '[{"op":"add","path":"/foo/-","value":["abc","def"]}]', '{"foo":["bar",["abc","def"]]}' }, -- A.16
  -- section 4: the target of each operation
  { '{"a":1}', '[{"op":"add","path":"","value":[2]}]', "[2]" },
  { '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}' },
  { '{"a":1}', '[{"op":"add","path":"/a","value":2}]', '{"a":2}' },
  { "[1,2]", '[{"op":"add","path":"/2","value":3}]', "[1,2,3]" },
  { "[1,2]", '[{"op":"add","path":"/0","value":0}]', "[0,1,2]" },
  { "[1,2]", '[{"op":"add","path":"/3","value":3}]', false, "operation 1 (add '/3'): there is no such item" },
  { "[1,2]", '[{"op":"add","path":"/01","value":3}]', false, "an array needs an index" },
  { "[1,2]", '[{"op":"add","path":"/a","value":3}]', false, "an array needs an index" },
  { "[1,2]", '[{"op":"replace","path":"/2","value":3}]', false, "operation 1 (replace '/2'): there is no such item" },
  { "[1,2]", '[{"op":"replace","path":"/-","value":3}]', false, "operation 1 (replace '/-'): there is no such item" },
  { "[1,2]", '[{"op":"remove","path":"/-"}]', false, "there is no such item" },
  { "[1,2]", '[{"op":"test","path":"/-","value":2}]', false, "there is no such item" },
  { "[[1],2]", '[{"op":"add","path":"/1/0","value":3}]', false, "no array or object is there at step 2, '0'" },
  { '{"a":1}', '[{"op":"replace","path":"/b","value":3}]', false, "operation 1 (replace '/b'): there is no such member" },
  { '{"a":1}', '[{"op":"remove","path":"/b"}]', false, "operation 1 (remove '/b'): there is no such member" },
  { '{"a":1}', '[{"op":"remove","path":""}]', false, "operation 1 (remove ''): the whole value cannot be removed" },
  { '{"a":{"b":1}}', '[{"op":"move","from":"/a","path":"/a/b"}]', false,
    "operation 1 (move '/a/b'): a value cannot be moved into itself" },
  { '{"a":{"b":1}}', '[{"op":"move","from":"","path":"/a"}]', false, "moved into itself" },
  { '{"a":{"b":1}}', '[{"op":"move","from":"/a","path":"/a"}]', '{"a":{"b":1}}' },
  { '{"a":{"b":1}}', '[{"op":"move","from":"/c","path":"/c"}]', false, "operation 1 (move from '/c')" },
  { '{"a":{"b":1}}', '[{"op":"move","from":"/a/b","path":"/a"}]', '{"a":1}' },
  { '{"a":{"b":1}}', '[{"op":"move","from":"/a/b","path":""}]', "1" },
  { '{"a":{"b":1},"ab":2}', '[{"op":"move","from":"/a","path":"/ab"}]', '{"ab":{"b":1}}' },
  { '{"a":{"b":1}}', '[{"op":"copy","from":"","path":"/c"}]', '{"a":{"b":1},"c":{"a":{"b":1}}}' },
  { '{"a":{"b":1}}', '[{"op":"copy","from":"/a","path":"/a/c"},{"op":"copy","from":"/a","path":"/a/c/d"}]',
    '{"a":{"b":1,"c":{"b":1,"d":{"b":1,"c":{"b":1}}}}}' },
  { "[1,2]", '[{"op":"copy","from":"/0","path":"/-"}]', "[1,2,1]" },
  { "[1,2]", '[{"op":"move","from":"/0","path":"/-"}]', "[2,1]" },
  { "[1,2]", '[{"op":"move","from":"/1","path":"/0"}]', "[2,1]" },
  { "[1,2]", '[{"op":"copy","from":"/-","path":"/0"}]', false, "operation 1 (copy from '/-'): there is no such item" },
  { '{"":1,"a":{"":{"":2}}}', '[{"op":"remove","path":"/"},{"op":"replace","path":"/a//","value":3}]', '{"a":{"":{"":3}}}' },
  { '{"a":[1]}', '[{"op":"remove","path":"/a/0"}]', '{"a":[]}' },
  { '{"a":{"b":1}}', '[{"op":"remove","path":"/a/b"}]', '{"a":{}}' },
  { '{"a":{"b":1}}', '[{"op":"remove","path":"/a/b"},{"op":"add","path":"/a/0","value":1}]', '{"a":{"0":1}}' },
  { '{"a":[1]}', '[{"op":"remove","path":"/a/0"},{"op":"add","path":"/a/b","value":1}]', false,
    "operation 2 (add '/a/b'): an array needs an index" },
  { "{}", "[]", "{}" },
  -- each sees the result of those before it
  { '{"a":[1,2,3]}', '[{"op":"copy","from":"/a","path":"/b"},{"op":"remove","path":"/a/0"},{"op":"add","path":"/b/-","value":4}]',
    '{"a":[2,3],"b":[1,2,3,4]}' },
  { '{"a":[1]}', '[{"op":"add","path":"/a/-","value":{"x":[]}},{"op":"copy","from":"/a/1","path":"/c"},' ..
    '{"op":"add","path":"/a/1/x/-","value":5},{"op":"add","path":"/c/y","value":6}]', '{"a":[1,{"x":[5]}],"c":{"x":[],"y":6}}' },
  { '{"a":{"x":{"y":1}}}', '[{"op":"add","path":"/a/x/z","value":2},{"op":"copy","from":"/a/x","path":"/b"},' ..
    '{"op":"remove","path":"/a/x/y"},{"op":"move","from":"/b","path":"/a/b"},{"op":"remove","path":"/a/b/z"}]',
    '{"a":{"x":{"z":2},"b":{"y":1}}}' },
  { '{"a":{"b":1}}', '[{"op":"remove","path":"/a/b"},{"op":"test","path":"/a","value":{}}]', '{"a":{}}' },
  { "[]", '[{"op":"add","path":"/-","value":1},{"op":"add","path":"/-","value":2},{"op":"add","path":"/1","value":3},' ..
    '{"op":"remove","path":"/0"}]', "[3,2]" },
  -- section 4.6: what is equal
  { "[1]", '[{"op":"test","path":"","value":[1.0]}]', "[1]" },
  { "[100]", '[{"op":"test","path":"/0","value":1e2}]', "[100]" },
  { "[0]", '[{"op":"test","path":"/0","value":-0.0}]', "[0]" },
  { '[{"a":1,"b":[null,"x"]}]', '[{"op":"test","path":"/0","value":{"b":[null,"\\u0078"],"a":1}}]', '[{"a":1,"b":[null,"x"]}]' },
  { '[{"a":1}]', '[{"op":"test","path":"/0","value":{"a":1,"b":2}}]', false, "operation 1" },
  { '[{"a":1}]', '[{"op":"test","path":"/0","value":{"b":1}}]', false, "operation 1" },
  { "[[1,2]]", '[{"op":"test","path":"/0","value":[2,1]}]', false, "operation 1" },
  { "[[]]", '[{"op":"test","path":"/0","value":{}}]', false, "operation 1" },
  { "[null]", '[{"op":"test","path":"/0","value":false}]', false, "operation 1" },
  { "[null]", '[{"op":"test","path":"/0","value":null}]', "[null]" },
  { '["1"]', '[{"op":"test","path":"/0","value":1}]', false, "operation 1" },
  -- what is no operation
  { "{}", "{}", false, "a list of operations expected" },
  { "{}", "[1]", false, "operation 1: an operation is an object" },
  { "{}", '[{"path":"/a"}]', false, "operation 1 ('/a'): it has no \"op\"" },
  { "{}", '[{"op":"spam","path":"/a"}]', false, "operation 1 ('/a'): \"op\" must be" },
  { "{}", '[{"op":1,"path":"/a"}]', false, "\"op\" must be" },
  { "{}", '[{"op":"add","value":1}]', false, "operation 1 (add): it has no \"path\"" },
  { "{}", '[{"op":"add","path":1,"value":1}]', false, "operation 1 (add): \"path\" is not a JSON pointer" },
  { "{}", '[{"op":"add","path":"a","value":1}]', false, "operation 1 (add 'a'): \"path\" is not a JSON pointer" },
  { "{}", '[{"op":"add","path":"#/a","value":1}]', false, "\"path\" is not a JSON pointer" },
  { "{}", '[{"op":"add","path":"/~2","value":1}]', false, "\"path\" is not a JSON pointer" },
  { "{}", '[{"op":"add","path":"/~","value":1}]', false, "\"path\" is not a JSON pointer" },
  { "{}", '[{"op":"add","path":"/a"}]', false, "operation 1 (add '/a'): it has no \"value\"" },
  { "{}", '[{"op":"copy","path":"/a"}]', false, "operation 1 (copy '/a'): it has no \"from\"" },
  { "{}", '[{"op":"copy","path":"/a","from":"b"}]', false, "\"from\" is not a JSON pointer" },
  { "{}", '[{"op":"add","path":"/a","value":1,"op":"test"}]', false, "duplicate name" },
}

-- Checks a case in all ways: tables, texts, documents and views as value and as operations.
local function check(document, operations, expected, message)
  local value, list = fleece.decode(document), fleece.decode(operations)
  local before, packed = fleece.encode(value, SORTED), fleece.pack(value)
  local unique = operations:find '"op":.*"op":"test"}%]$' == nil -- a table has each name once
  local function result(codec, v, ops)
    if expected then return codec.json_patch(v, ops) end
    T.raises_with(message, codec.json_patch, v, ops)
    T.fails_with(message, codec == T.api and T.safe_api.json_patch or safe.json_patch, v, ops)
  end
  for _, codec in ipairs(T.codecs) do
    for _, ops in ipairs { list, operations, fleece.open(fleece.pack(list)), fleece.lazy(operations) } do
      if unique or type(ops) == "string" then
        local text = result(codec, document, ops)
        if expected then same(text, expected, "text") end
        for _, v in ipairs { value, fleece.open(packed), fleece.lazy(document) } do
          local got = result(codec, v, ops)
          if expected then same(fleece.encode(got, SORTED), fleece.encode(fleece.decode(expected), SORTED), "value") end
        end
      end
    end
  end
  same(fleece.encode(value, SORTED), before, "the argument")
  same(fleece.encode(list, SORTED), fleece.encode(fleece.decode(operations), SORTED), "the operations")
end

function TestJsonPatch:test_rfc_6902()
  each(CASES, function(case) check(T.unpack(case, 1, 4)) end)
end

function TestJsonPatch:test_suite()
  local folder = os.getenv "FLEECE_DATA"
  local file = folder and io.open(folder .. "/standards/json-patch.json", "rb")
  if not file then lu.skip "no data: set FLEECE_DATA" end
  local cases = fleece.decode(file:read "*a")
  file:close()
  each(cases, function(case)
    if case.disabled then return end
    local document, operations = fleece.encode(case.doc), fleece.encode(case.patch)
    local as_value = type(case.doc) == "string" and fleece.raw(document) or case.doc
    for _, way in ipairs { { document, operations }, { document, case.patch }, { as_value, case.patch }, { as_value, operations } } do
      local ok, got = pcall(fleece.json_patch, way[1], way[2])
      lu.assertEquals(ok, case.expected ~= nil, got)
      if ok then
        if type(way[1]) == "string" then got = fleece.decode(got) end
        same(fleece.encode(got, SORTED), fleece.encode(case.expected, SORTED))
      end
    end
  end)
end

-- ---- tables -------------------------------------------------------------------------------------------------------

function TestJsonPatch:test_parts_are_shared()
  local value = { a = { b = { 1, 2 }, c = {} }, d = { e = {} }, f = { { x = 1 }, { x = 2 } } }
  local added = { y = { 1 } }
  local result = fleece.json_patch(value, {
    { op = "replace", path = "/f/1/x", value = 3 }, { op = "add", path = "/a/z", value = added },
  })
  lu.assertEquals(result, { a = { b = { 1, 2 }, c = {}, z = added }, d = { e = {} }, f = { { x = 1 }, { x = 3 } } })
  lu.assertEquals(value, { a = { b = { 1, 2 }, c = {} }, d = { e = {} }, f = { { x = 1 }, { x = 2 } } })
  lu.assertIs(result.d, value.d)
  lu.assertIs(result.a.b, value.a.b)
  lu.assertIs(result.f[1], value.f[1])
  lu.assertIs(result.a.z, added)
  lu.assertIs(fleece.json_patch(value, {}), value)
  lu.assertIs(fleece.json_patch(value, { { op = "test", path = "/d/e", value = {} } }), value)
  -- what came with an operation is copied before it is changed
  fleece.json_patch(value, { { op = "add", path = "/z", value = added }, { op = "add", path = "/z/y/0", value = 2 } })
  lu.assertEquals(added, { y = { 1 } })
end

function TestJsonPatch:test_marks_and_metatables()
  local mt = { __jsontype = "object" }
  local value = { o = fleece.object {}, a = fleece.array {}, m = setmetatable({}, mt), l = { 1 }, s = { x = 1 } }
  local result = fleece.json_patch(value, {
    { op = "add", path = "/o/0", value = 1 }, { op = "add", path = "/a/0", value = 1 }, { op = "add", path = "/m/0", value = 1 },
    { op = "remove", path = "/l/0" }, { op = "remove", path = "/s/x" },
  })
  same(fleece.encode(result, SORTED), '{"a":[1],"l":[],"m":{"0":1},"o":{"0":1},"s":{}}')
  lu.assertIs(getmetatable(result.m), mt)
  lu.assertIs(getmetatable(result.o), fleece.object_mt)
  T.raises("operation 1 (add '/x'): an array needs an index; an empty table is an array, " ..
    "fleece.object {} is an object", fleece.json_patch, {}, { { op = "add", path = "/x", value = 1 } })
  lu.assertEquals(fleece.json_patch(fleece.object {}, { { op = "add", path = "/x", value = 1 } }), { x = 1 })
  lu.assertEquals(fleece.new { empty_table = "object" }.json_patch({}, { { op = "add", path = "/x", value = 1 } }), { x = 1 })
end

function TestJsonPatch:test_order_and_digits()
  local lossless = { order = true, numbers = "exact" }
  local value = fleece.decode('{"z":1.00,"b":{"y":1e400,"a":2},"c":3}', lossless)
  local result = fleece.json_patch(value, {
    { op = "remove", path = "/c" }, { op = "add", path = "/b/b", value = 5 },
    { op = "test", path = "/b/y", value = fleece.decode("10e399", lossless) }, { op = "test", path = "/z", value = 1 },
  })
  same(fleece.encode(result), '{"z":1.00,"b":{"y":1e400,"a":2,"b":5}}')
end

function TestJsonPatch:test_number_keys()
  local value = { [10] = "x", [20] = { 1 }, a = 1 }
  local result = fleece.json_patch(value, { { op = "replace", path = "/10", value = "y" }, { op = "add", path = "/20/-", value = 2 } })
  lu.assertEquals(result, { [10] = "y", [20] = { 1, 2 }, a = 1 })
end

function TestJsonPatch:test_what_is_neither_array_nor_object()
  local add = { { op = "add", path = "/0", value = 1 } }
  T.raises_with("no array or object is there", fleece.json_patch, fleece.array { 1, 2, x = 3 }, add)
  T.raises_with("no array or object is there", fleece.json_patch, 5, add)
  T.raises_with("operation 1 (test '/f')", fleece.json_patch, { f = "x" }, { { op = "test", path = "/f", value = {} } })
  T.raises_with("cannot encode a function", fleece.json_patch, { f = { print } }, { { op = "test", path = "/f", value = {} } })
end

-- Values of "test" are compared as tables if that suffices, and as what encode writes.
function TestJsonPatch:test_comparisons_of_tables()
  local function hook(text) return setmetatable({ 1 }, { __tojson = function() return text end }) end
  local deep = {}
  for _ = 1, 300 do deep = { { n = 1, deep } } end
  local shared = { print }
  local different, refused = "the value is a different one", "cannot encode a function"
  for i, case in ipairs {
    { { 1, { a = null } }, { 1.0, { a = null } } }, { { a = 1, b = { 2 } }, { b = { 2 }, a = 1 } }, { deep, fleece.decode(fleece.encode(deep)) },
    { { [1] = 2, x = 1 }, { ["1"] = 2, x = 1 } }, { { ["1.5"] = 2 }, { [1.5] = 2 } }, { fleece.array {}, {} },
    { fleece.object {}, {}, different }, { { 1, 2 }, { 1, 2, 3 }, different }, { { a = 1 }, { a = 1, b = 1 }, different },
    { { a = 1 }, { b = 1 }, different }, { { { 1 } }, { { a = 1 } }, different }, { { "1" }, { 1 }, different },
    { { hook "[1]" }, { { 1 } } }, { { hook "[2]" }, { { 1 } }, different }, { { { 1 } }, { hook "[2]" }, different },
    { { { 2 } }, { hook "[2]" } }, { { 0 / 0 }, { 0 / 0 }, "number is NaN" }, { { 1 / 0 }, { 1 / 0 }, "number is infinite" },
    { { print }, { print }, refused }, { shared, shared, refused },
  } do
    local operations = { { op = "test", path = "", value = case[2] } }
    if case[3] then T.raises_with(case[3], fleece.json_patch, case[1], operations)
    else lu.assertIs(fleece.json_patch(case[1], operations), case[1], "case " .. i) end
  end
end

function TestJsonPatch:test_scalars_as_values()
  same(fleece.json_patch(5, { { op = "replace", path = "", value = 6 } }), 6)
  same(fleece.json_patch(null, { { op = "test", path = "", value = null } }), null)
  same(fleece.json_patch(false, '[{"op":"test","path":"","value":false}]'), false)
  same(fleece.json_patch(fleece.raw '"abc"', { { op = "test", path = "", value = "abc" } }), "abc")
  same(fleece.json_patch('"abc"', { { op = "test", path = "", value = "abc" } }), '"abc"')
end

function TestJsonPatch:test_views_in_tables()
  local view = fleece.open(fleece.pack { a = { 1, 2 } })
  local value = { v = view.a, w = view }
  local result = fleece.json_patch(value, { { op = "add", path = "/v/0", value = 0 }, { op = "test", path = "/w", value = { a = { 1, 2 } } } })
  lu.assertEquals(result.v, { 0, 1, 2 })
  lu.assertIs(result.w, view)
end

-- ---- texts --------------------------------------------------------------------------------------------------------

function TestJsonPatch:test_untouched_bytes_stay()
  local text = '{\n  "a" : 1.00,\n  "b": [ 1e2,  "\\u0041" ],\n  "c": {}\n}\n'
  each({
    { { op = "replace", path = "/a", value = 2 }, (text:gsub("1%.00", "2")) },
    { { op = "remove", path = "/b/0" }, (text:gsub("1e2,  ", "")) },
    { { op = "copy", from = "/b/0", path = "/c/x" }, (text:gsub("{}", '{\n    "x": 1e2\n  }')) },
    { { op = "add", path = "/b/-", value = 'q"' }, (text:gsub(' %]', ',  "q\\"" ]')) },
    { { op = "test", path = "/b", value = { 100, "A" } }, text },
  }, function(case) same(fleece.json_patch(text, { case[1] }), case[2]) end)
  local commented = "{ // first\n  \"a\": 1, /* second */ \"b\": [1, /* inside */ 2,],\n}"
  local codec = fleece.new { comments = true, trailing_commas = true }
  same(codec.json_patch(commented, { { op = "replace", path = "/a", value = 2 } }), (commented:gsub("1", "2", 1)))
  same(codec.json_patch(commented, { { op = "test", path = "/b", value = { 1, 2 } } }), commented)
  local copied = codec.json_patch(commented, {
    { op = "copy", from = "/b", path = "/c" }, { op = "replace", path = "/c/0", value = 5 }, { op = "copy", from = "/c", path = "/d" },
    { op = "add", path = "/d/-", value = 6 }, { op = "test", path = "/d", value = { 5, 2, 6 } },
  })
  lu.assertEquals(codec.decode(copied), { a = 1, b = { 1, 2 }, c = { 5, 2 }, d = { 5, 2, 6 } })
end

function TestJsonPatch:test_errors_of_texts()
  T.raises_with("expected a value at line 1, column 6, byte 6", fleece.json_patch, '{"a":}', "[]")
  T.raises_with("operations: expected ',' or ']' at line 1, column 4, byte 4", fleece.json_patch, "{}", "[1 2]")
  T.raises_with("operations: unexpected end", fleece.json_patch, {}, "[")
  T.raises_with("operations: cannot encode a function", fleece.json_patch, "{}", { { op = "add", path = "/a", value = print } })
  lu.assertEquals(T.pack(safe.json_patch("[1,]", "[]")).n, 3)
  lu.assertEquals(select(3, safe.json_patch("[1,]", "[]")).byte, 4)
  T.raises_with("several members of this name", fleece.json_patch, '{"a":1,"a":2}', { { op = "remove", path = "/a" } })
  T.raises_with("its value cannot be read: duplicate name", fleece.json_patch, '[{"a":1,"a":2}]', { { op = "test", path = "/0", value = {} } })
  T.raises_with("text too long", fleece.new { max_bytes = 10 }.json_patch, "[12345678901]", "[]")
  T.raises_with("operations: text too long", fleece.new { max_bytes = 10 }.json_patch, "[1]", '[{"op":"remove","path":"/0"}]')
end

function TestJsonPatch:test_arguments()
  T.raises("bad argument #1 to 'json_patch' (value expected; fleece.null is null)", fleece.json_patch)
  T.raises("bad argument #2 to 'json_patch' (value expected; fleece.null is null)", fleece.json_patch, {})
  T.raises_with("bad argument #2 to 'json_patch'", fleece.json_patch, {}, 5)
  T.raises_with("bad argument #2 to 'json_patch'", safe.json_patch, "{}", true)
  T.raises_with("a list of operations expected", fleece.json_patch, {}, { op = "test" })
end

-- Tables that the patch has made are tested one by one, and copied: what else it has made is left alone.
function TestJsonPatch:test_tests_between_changes_are_linear()
  for _, kind in ipairs { "replace", "copy" } do
    T.linear(function(n)
      local list, value = {}, {}
      for i = 1, n do
        local path = "/" .. i - 1
        value[i] = { x = 1 }
        list[2 * i - 1] = { op = kind, from = path, path = path .. "/x", value = 2 }
        list[2 * i] = { op = "test", path = path, value = { x = kind == "copy" and { x = 1 } or 2 } }
      end
      local start = os.clock()
      local result = fleece.json_patch(value, list)
      local took = os.clock() - start
      same(#result, n)
      return took
    end, 500, 5000, 40)
  end
end

-- What was tested or copied is changed again; what stands around it has items in another order, and emptied objects.
function TestJsonPatch:test_tests_and_copies_of_what_was_changed()
  local value, list = { a = {}, b = { c = { x = 1 } } }, {}
  for i = 1, 50 do value.a[i] = { i } end
  local function add(op, path, v, from) list[#list + 1] = { op = op, path = path, value = v, from = from } end
  add("add", "/a/0", { 0 })
  add("add", "/a/0/0", 9)
  add("test", "/a/0", { 9, 0 })
  add("remove", "/b/c/x")
  add("test", "/b", { c = fleece.object {} })
  add("copy", "/b/d", nil, "/b/c")
  add("add", "/b/c/y", 2)
  add("add", "/b/d/z", 3)
  add("copy", "/e", nil, "/a")
  add("remove", "/a/1")
  add("add", "/e/1/0", 5)
  add("test", "/b", { c = { y = 2 }, d = { z = 3 } })
  local text = fleece.encode(value)
  local result = fleece.json_patch(value, list)
  same(fleece.encode(result, { sort_keys = true }), fleece.format(fleece.json_patch(text, list), { sort_keys = true }))
  same(fleece.encode(value), text)
end

-- ---- cost ---------------------------------------------------------------------------------------------------------

function TestJsonPatch:test_many_operations_are_linear()
  local as_text
  local function seconds(n)
    local list, value = {}, {}
    for i = 1, n do
      list[2 * i - 1] = { op = "add", path = "/" .. (i * 7919 % i), value = i }
      list[2 * i] = { op = "remove", path = "/" .. (i * 104729 % n) }
      value[i] = i
    end
    for i = 1, n do list[#list + 1] = { op = "replace", path = "/" .. i - 1, value = {} } end
    local text = fleece.encode(value)
    local start = os.clock()
    local result = as_text and fleece.json_patch(text, list) or fleece.json_patch(value, list)
    return os.clock() - start, result
  end
  for _, as in ipairs { true, false } do
    as_text = as
    T.linear(function(n) return (seconds(n)) end, 500, 5000, 40)
  end
  as_text = true
  local _, text = seconds(300)
  as_text = false
  local _, value = seconds(300)
  same(fleece.encode(value), text)
end

-- A large value that is changed and moved, again and again, to and fro or ever onward, is not copied each time.
function TestJsonPatch:test_changes_and_moves_are_linear()
  for _, onward in ipairs { false, true } do
    T.linear(function(n)
      local operations = {}
      for i = 1, n do
        local from, path = onward and i - 1 or i % 2, onward and i or (i + 1) % 2
        operations[2 * i - 1] = { op = "move", from = "/" .. (i == 1 and "x" or from), path = "/" .. path }
        operations[2 * i] = { op = "add", path = ("/%d/a/-"):format(path), value = 1 }
      end
      local text = ('{"x":{"a":[%s0]}}'):format(("1,"):rep(100 * n))
      local start = os.clock()
      local result = fleece.json_patch(text, operations)
      local took = os.clock() - start
      same(#result, #text + 2 * n + (onward and #tostring(n) - 1 or 0))
      return took
    end, 300, 3000, 40)
  end
end

-- Copies that double the text each time end at the limit, not with the memory.
function TestJsonPatch:test_copies_are_limited()
  local text, patch = '["' .. ("x"):rep(2 ^ 20) .. '"]', "[" .. ('{"op":"copy","from":"","path":"/-"},'):rep(40):sub(1, -2) .. "]"
  local got, message = safe.json_patch(text, patch)
  same(got, nil)
  lu.assertStrContains(message, "operation 7 (copy from ''): the copies are too long")
end

-- Tables share what is copied, but what would be written counts; max_bytes bounds texts and tables.
function TestJsonPatch:test_copies_of_tables_are_limited()
  local double = { op = "copy", from = "", path = "/-" }
  local list = {}
  for i = 1, 60 do list[i] = double end
  T.raises_with("(copy from ''): the copies are too long", fleece.json_patch, { 1 }, list)
  T.raises_with("(copy from ''): the copies are too long", fleece.json_patch, { ("x"):rep(2 ^ 20) }, list)
  local codec = fleece.new { max_bytes = 10000 }
  for _, value in ipairs { "[1]", fleece.decode "[1]" } do
    T.raises_with("(copy from ''): the copies are too long: more than max_bytes", codec.json_patch, value, list)
    local few = { double, double, double }
    local got = codec.json_patch(value, few)
    same(type(got) == "string" and got or fleece.encode(got), "[1,[1],[1,[1]],[1,[1],[1,[1]]]]")
  end
  -- a value of more than 64 MB may be copied
  local large = { ("x"):rep(2 ^ 20) }
  for i = 2, 70 do large[i] = large[1] end
  same(#fleece.json_patch(large, { double, { op = "copy", from = "/0", path = "/-" } }), 72)
end

function TestJsonPatch:test_deep()
  local text = ("["):rep(990) .. ("]"):rep(990)
  local path = ("/0"):rep(989)
  local list = { { op = "add", path = path .. "/0", value = 1 }, { op = "test", path = path, value = { 1 } }, { op = "copy", from = "/0", path = "/-" } }
  local result = fleece.json_patch(text, list)
  lu.assertEquals(#result, 2 * 990 + 1 + 2 * 989 + 1 + 1)
  same(fleece.encode(fleece.json_patch(fleece.decode(text), list)), result)
end
