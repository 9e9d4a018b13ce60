-- SPDX-License-Identifier: MIT
-- test_json_diff.lua -- fleece.json_diff: patch(a, diff(a, b)) is b, and a patch is short. The shortest number of removed
-- and added items comes from the textbook algorithm, which is quadratic.

local T = require "support"
local lu, fleece, safe, same, each, random = T.lu, T.fleece, T.safe, T.same, T.each, T.random
local null = fleece.null

TestJsonDiff = {}

local SORTED = { sort_keys = true }
local function canonical(text) return fleece.encode(fleece.decode(text), SORTED) end

-- json_diff of texts: the patch, as a list. The same of tables, and of views, gives the same.
local function diff(a, b, options)
  local text = fleece.json_diff(a, b, options)
  local as_value = type(fleece.decode(a)) == "string" and fleece.raw(a) or fleece.decode(a)
  local list = fleece.json_diff(as_value, type(fleece.decode(b)) == "string" and fleece.raw(b) or fleece.decode(b), options)
  lu.assertEquals(#list, #fleece.decode(text))
  same(canonical(fleece.json_patch(a, text)), canonical(b))
  same(fleece.encode(fleece.json_patch(as_value, list), SORTED), canonical(b))
  return text
end

function TestJsonDiff:test_small()
  each({
    { "1", "1", "[]" },
    { "1", "1.0", "[]" },
    { '{"a":1,"b":[2,{"c":3}]}', ' { "b" : [2.0, {"\\u0063" : 3e0}], "a" : 1 } ', "[]" },
    { "1", "2", '[{"op":"replace","path":"","value":2}]' },
    { "[]", "{}", '[{"op":"replace","path":"","value":{}}]' },
    { "{}", '{"a":1}', '[{"op":"add","path":"/a","value":1}]' },
    { '{"a":1}', "{}", '[{"op":"remove","path":"/a"}]' },
    { '{"a":1,"long name":"and a value"}', '{"a":2,"long name":"and a value"}', '[{"op":"replace","path":"/a","value":2}]' },
    { '{"a":1,"b":2}', '{"b":2,"a":1}', "[]" },
    { '{"z":1,"y":2,"x":"a text that is long enough to stay"}', '{"c":3,"x":"a text that is long enough to stay","b":4}',
      '[{"op":"remove","path":"/z"},{"op":"remove","path":"/y"},{"op":"add","path":"/c","value":3},{"op":"add","path":"/b","value":4}]',
      { "longer" } },
    { '{"a/b":{"~":[1,"some text to make it long"]}}', '{"a/b":{"~":[2,"some text to make it long"]}}',
      '[{"op":"replace","path":"/a~1b/~0/0","value":2}]' },
    { '{"q\\"\\n\\u0001é":1,"x":"some text to make it long enough for this"}', '{"x":"some text to make it long enough for this"}',
      '[{"op":"remove","path":"/q\\"\\n\\u0001é"}]' },
    { '["some text, and more of it",2,3]', '["some text, and more of it",3]', '[{"op":"remove","path":"/1"}]' },
    { '["some text, and more of it",3]', '["some text, and more of it",2,3]', '[{"op":"add","path":"/1","value":2}]' },
    { '["some text, and more of it"]', '["some text, and more of it",[ 1, "a  b" ]]', '[{"op":"add","path":"/1","value":[1,"a  b"]}]' },
    { '[{"id":1,"v":"a long text for the first one"},{"id":2}]', '[{"id":1,"v":"a long text for the first one"},{"id":3}]',
      '[{"op":"replace","path":"/1/id","value":3}]' },
    { "[1e400]", "[1e401]", '[{"op":"replace","path":"/0","value":1e401}]', { "too large for a table" } },
    { '"a"', '"\\u0061"', "[]" },
    { '"a"', '"b"', '[{"op":"replace","path":"","value":"b"}]' },
    { "null", "[null]", '[{"op":"replace","path":"","value":[null]}]' },
  }, function(case)
    if not case[4] then return same(diff(case[1], case[2]), case[3]) end
    if case[4][1] == "longer" then return lu.assertTrue(#diff(case[1], case[2]) <= #case[3] + #case[2] + 40) end
    same(fleece.json_diff(case[1], case[2]), case[3])
  end)
end

-- The second text has what the first one has elsewhere, so its place there is not where it is compared.
function TestJsonDiff:test_moved()
  local function item(n) return '{"v":"a text that is long enough to stay","w":[{"n":' .. n .. '},{}]}' end
  local a = "[[1]," .. item(1) .. ",[2],[3]," .. item(2) .. "]"
  local b = "[[1]," .. item(2) .. ",[2],[3]," .. item(3) .. "]"
  same(diff(a, b), '[{"op":"replace","path":"/1/w/0/n","value":2},{"op":"replace","path":"/4/w/0/n","value":3}]')
  same(diff('{"a":' .. item(1) .. ',"b":' .. a .. ',"c":[]}', '{"b":' .. b .. ',"c":[],"a":' .. item(1) .. "}"),
       '[{"op":"replace","path":"/b/1/w/0/n","value":2},{"op":"replace","path":"/b/4/w/0/n","value":3}]')
  for _, f in ipairs { fleece.json_diff, fleece.merge_diff } do
    lu.assertErrorMsgContains("second argument: duplicate", f, '{"a":[1]}', '{"a":[1],"b":2,"a":[1]}')
    lu.assertErrorMsgContains("second argument: ", f, '{"a":[1]}', '{"a":[1]]}')
    same(f('{"a":[1.0,{}]}', ' {"a":[1.0,{}]}'), f == fleece.json_diff and "[]" or "{}")
  end
end

function TestJsonDiff:test_tests()
  each({
    { '{"a":1}', '{"b":1}', 2 + 1 },
    { '["a long text that stays where it is",1]', '["a long text that stays where it is",2]',
      '[{"op":"test","path":"/1","value":1},{"op":"replace","path":"/1","value":2}]' },
    { '["a long text that stays where it is, here and there",1]', '["a long text that stays where it is, here and there"]',
      '[{"op":"test","path":"/1","value":1},{"op":"remove","path":"/1"}]' },
  }, function(case)
    local text = diff(case[1], case[2], { test = true })
    if type(case[3]) == "string" then same(text, case[3]) end
    T.raises_with("the value is a different one", fleece.json_patch, '["a long text that stays where it is, here and there",9]', text)
  end)
end

function TestJsonDiff:test_one_of_many()
  local a = {}
  for i = 1, 20000 do a[i] = { id = i, name = "name " .. i } end
  local text = fleece.encode(a)
  local removed = table.remove(a, 10)
  local shorter = fleece.encode(a)
  same(fleece.json_diff(text, shorter), '[{"op":"remove","path":"/9"}]')
  same(fleece.json_diff(shorter, text), '[{"op":"add","path":"/9","value":' .. fleece.encode(removed) .. "}]")
  a[5000].name = "other"
  same(fleece.json_diff(shorter, fleece.encode(a)), '[{"op":"replace","path":"/4999/name","value":"other"}]')
  lu.assertEquals(fleece.json_diff(fleece.decode(text), fleece.decode(shorter)), { { op = "remove", path = "/9" } })
end

-- How many items a longest common subsequence has.
local function common(a, b)
  local row = {}
  for j = 0, #b do row[j] = 0 end
  for i = 1, #a do
    local before = 0
    for j = 1, #b do
      local above = row[j]
      row[j] = a[i] == b[j] and before + 1 or math.max(above, row[j - 1])
      before = above
    end
  end
  return row[#b]
end

-- Long strings, so that replacing the whole array never is shorter.
function TestJsonDiff:test_random_sequences()
  T.random_rounds(300, function()
    local words, a, b = {}, {}, {}
    for i = 1, random(2, 12) do words[i] = ("w" .. i):rep(40) end
    for i = 1, random(0, 40) do a[i] = T.pick(words) end
    for i = 1, #a do b[i] = a[i] end
    for _ = 1, random(0, 10) do
      if random(1, 2) == 1 and #b > 0 then table.remove(b, random(1, #b)) else table.insert(b, random(1, #b + 1), T.pick(words)) end
    end
    local adds, removes, replaces = 0, 0, 0
    for _, o in ipairs(fleece.decode(diff(fleece.encode(fleece.array(a)), fleece.encode(fleece.array(b))))) do
      if o.path == "" then return end
      if o.op == "add" then adds = adds + 1 elseif o.op == "remove" then removes = removes + 1 else replaces = replaces + 1 end
    end
    local kept = common(a, b)
    lu.assertTrue(adds + replaces <= #b - kept, fleece.encode { a, b })
    lu.assertTrue(removes + replaces <= #a - kept)
  end)
end

-- ---- random values ------------------------------------------------------------------------------------------------

local NAMES = { "a", "b", "c", "/", "~", "~1", "", "0", "1", 'q"\\', "\n", "é" }
local STRINGS = { "x", "y", "a/b", "" }

local function value(depth)
  local kind = random(1, depth > 0 and 9 or 6)
  if kind == 1 then return random(1, 5) end
  if kind == 2 then return random(1, 3) / 2 end
  if kind == 3 then return null end
  if kind == 4 then return random(1, 2) == 1 end
  if kind == 5 then return T.pick(STRINGS) end
  if kind == 6 then return random(1, 3) end
  local t = kind == 9 and fleece.object {} or fleece.array {}
  for i = 1, random(0, 6) do t[kind == 9 and T.pick(NAMES) or i] = value(depth - 1) end
  return t
end

local function changed(v, depth)
  if type(v) ~= "table" or random(1, 8) == 1 then return random(1, 3) == 1 and value(2) or v end
  if getmetatable(v) == fleece.array_mt then
    local what, at = random(1, 4), #v > 0 and random(1, #v)
    if what == 1 and at then table.remove(v, at)
    elseif what == 2 then table.insert(v, random(1, #v + 1), value(2))
    elseif at then v[at] = changed(v[at], depth - 1) end
  else
    local what, name = random(1, 4), T.pick(NAMES)
    if what == 1 then v[name] = nil
    elseif what == 2 then v[name] = value(2)
    elseif v[name] ~= nil then v[name] = changed(v[name], depth - 1) end
  end
  return v
end

-- Two values that have much in common.
local function pair()
  local a = value(4)
  local copy = fleece.decode(fleece.encode(a), { arrays = fleece.array_mt, objects = fleece.object_mt })
  local b = random(1, 4) == 1 and value(4) or copy
  for _ = 1, random(0, 4) do b = changed(b, 3) end
  return a, b
end

local function argument(v) return type(v) == "string" and fleece.raw(fleece.encode(v)) or v end

function TestJsonDiff:test_random()
  T.random_rounds(2000, function()
    local a, b = pair()
    local text_a, text_b = fleece.encode(a, { indent = random(1, 3) == 1 and 2 or nil }), fleece.encode(b)
    local wanted, before = fleece.encode(b, SORTED), fleece.encode(a, SORTED)
    local options = { test = random(1, 2) == 1 }
    local list = fleece.json_diff(argument(a), argument(b), options)
    local text = fleece.json_diff(text_a, text_b, options)
    same(fleece.encode(fleece.json_patch(argument(a), list), SORTED), wanted)
    same(canonical(fleece.json_patch(text_a, text)), wanted)
    same(fleece.encode(fleece.json_patch(argument(a), text), SORTED), wanted)
    same(canonical(fleece.json_patch(text_a, list)), wanted)
    same(fleece.encode(a, SORTED), before)
    if wanted == before then same(text, "[]") end
    lu.assertTrue(options.test or #text <= #'[{"op":"replace","path":"","value":}]' + 30 + #text_b)
  end)
end

-- ---- merge --------------------------------------------------------------------------------------------------------

TestMergePatch = {}

local MERGES = { -- RFC 7396, appendix A
  { '{"a":"b"}', '{"a":"c"}', '{"a":"c"}' },
  { '{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}' },
  { '{"a":"b"}', '{"a":null}', "{}" },
  { '{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}' },
  { '{"a":["b"]}', '{"a":"c"}', '{"a":"c"}' },
  { '{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}' },
  { '{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}' },
  { '{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}' },
  { '["a","b"]', '["c","d"]', '["c","d"]' },
  { '{"a":"b"}', '["c"]', '["c"]' },
  { '{"a":"foo"}', "null", "null" },
  { '{"a":"foo"}', '"bar"', '"bar"' },
  { '{"e":null}', '{"a":1}', '{"e":null,"a":1}' },
  { "[1,2]", '{"a":"b","c":null}', '{"a":"b"}' },
  { "{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}' },
  -- section 3, the example; nulls in arrays stay
  { '{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}',
    '{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}',
    '{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}' },
  { '{"a":1}', '{"a":[null,{"b":null}]}', '{"a":[null,{"b":null}]}' },
  { '{"a":[1]}', '{"a":{"b":{"c":null,"d":1,"e":null}}}', '{"a":{"b":{"d":1}}}' },
  { "5", "{}", "{}" },
  { '{"a":1}', "{}", '{"a":1}' },
  { '{"a":1}', "[]", "[]" },
}

function TestMergePatch:test_rfc_7396()
  each(MERGES, function(case)
    local text, patch, expected = T.unpack(case)
    local function as_value(s) return type(fleece.decode(s)) == "string" and fleece.raw(s) or fleece.decode(s) end
    local value, list = as_value(text), as_value(patch)
    local before = fleece.encode(value, SORTED)
    for _, codec in ipairs { fleece, safe, T.api } do
      same(codec.merge_patch(text, patch), expected)
      same(codec.merge_patch(text, list), expected and type(list) == "table" and codec.merge_patch(text, fleece.encode(list)) or expected)
      same(fleece.encode(codec.merge_patch(value, patch), SORTED), canonical(expected))
      same(fleece.encode(codec.merge_patch(value, list), SORTED), canonical(expected))
      if type(value) == "table" and type(list) == "table" then
        same(fleece.encode(codec.merge_patch(fleece.lazy(text), fleece.lazy(patch)), SORTED), canonical(expected))
      end
    end
    same(fleece.encode(value, SORTED), before)
  end)
end

function TestMergePatch:test_untouched()
  local text = '{\n  "b" : 1.00,\n  "a" : { "x": 1e2 }\n}\n'
  same(fleece.merge_patch(text, { a = { x = 5 } }), (text:gsub("1e2", "5")))
  same(fleece.merge_patch(text, { b = null }), '{\n  "a" : { "x": 1e2 }\n}\n')
  local value = { a = { b = {} }, c = { 1 }, d = { e = 1 } }
  local result = fleece.merge_patch(value, { d = { e = null, f = value.c } })
  lu.assertEquals(result, { a = { b = {} }, c = { 1 }, d = { f = { 1 } } })
  lu.assertEquals(value, { a = { b = {} }, c = { 1 }, d = { e = 1 } })
  lu.assertIs(result.a, value.a)
  lu.assertIs(result.c, value.c)
  same(fleece.encode(fleece.merge_patch({ d = { e = 1 } }, { d = { e = null } })), '{"d":{}}')
end

function TestMergePatch:test_null_of_a_codec()
  local none = {}
  local codec = fleece.new { null = none }
  lu.assertEquals(codec.merge_patch({ a = 1, b = 2 }, '{"a":null}'), { b = 2 })
  lu.assertEquals(codec.merge_patch({ a = 1, b = 2 }, { a = none, b = null }), fleece.object {})
end

function TestMergePatch:test_diff()
  each({
    { '{"a":1,"b":2}', '{"a":1,"c":[3]}', '{"b":null,"c":[3]}' },
    { '{"a":{"x":1,"y":[1]}}', '{"a":{"x":1,"y":[2]}}', '{"a":{"y":[2]}}' },
    { '{"a":1}', ' {"a" : 1e0} ', "{}" },
    { '{"a":1}', "[1]", "[1]" },
    { "[1]", '{"a":{}}', '{"a":{}}' },
    { '{"a":[]}', '{"a":{}}', '{"a":{}}' },
    { '{"a":null}', '{"a":null,"b":1}', '{"b":1}' },
    { "[null]", "null", "null" },
    { '{"a":1}', '{"a":[null]}', '{"a":[null]}' },
  }, function(case)
    same(fleece.merge_diff(case[1], case[2]), case[3])
    same(fleece.encode(fleece.merge_diff(fleece.decode(case[1]), fleece.decode(case[2])), SORTED), canonical(case[3]))
  end)
  T.raises("a merge patch cannot set a member to null: 'b'", fleece.merge_diff, '{"a":1}', '{"a":{"b":null}}')
  T.fails("a merge patch cannot set a member to null: 'a'", safe.merge_diff, { a = 1 }, { a = null })
  T.raises_with("first argument: duplicate name", fleece.merge_diff, '{"a":1,"a":2}', "{}")
  T.raises_with("second argument: unexpected end", fleece.json_diff, "{}", "[")
  T.raises_with("second argument: cannot encode", fleece.json_diff, {}, { print })
end

-- Two texts, and their tables, of which some subtrees are the same; nothing if they are not objects.
local function pair_of_objects()
  local a, b = pair()
  local text_a, text_b = fleece.encode(a), fleece.encode(b)
  if text_a:sub(1, 1) ~= "{" or text_b:sub(1, 1) ~= "{" then return end
  local x, y = fleece.decode(text_a), fleece.decode(text_b)
  for name, member in pairs(x) do
    if y[name] ~= nil and fleece.encode(member, SORTED) == fleece.encode(y[name], SORTED) then y[name] = member end
  end
  return text_a, text_b, x, y
end

local function operations(list)
  local lines = {}
  for i, operation in ipairs(list) do lines[i] = fleece.encode(operation, SORTED) end
  table.sort(lines)
  return table.concat(lines, "\n")
end

-- The members that are equal in two tables are left out before texts are made of the rest: that changes no result, but
-- for the order in which the members of an object are named.
function TestMergePatch:test_tables_as_texts()
  local compared = 0
  T.random_rounds(3000, function()
    local text_a, text_b, x, y = pair_of_objects()
    if not x then return end
    compared = compared + 1
    local fine, patch = pcall(fleece.merge_diff, x, y)
    local fine_text, text = pcall(fleece.merge_diff, text_a, text_b)
    same(fine, fine_text)
    if fine then same(fleece.encode(patch, SORTED), canonical(text)) end
    same(operations(fleece.json_diff(x, y)), operations(fleece.decode(fleece.json_diff(text_a, text_b))))
    same(fleece.encode(fleece.json_patch(x, fleece.json_diff(x, y)), SORTED), canonical(text_b))
    same(fleece.encode(x, SORTED), canonical(text_a))
    same(fleece.encode(y, SORTED), canonical(text_b))
  end)
  lu.assertTrue(compared > 100)
end

-- An object whose changes are longer than it is replaced: the parts that differ do not say how long it is.
function TestMergePatch:test_objects_that_are_replaced()
  for changed = 1, 12 do
    local a, b = { o = {}, p = { q = { r = 1 } } }, { o = {}, p = { q = { r = 2 } } }
    for i = 1, 12 do a.o["k" .. i], b.o["k" .. i] = i, i <= changed and -i or i end
    local of_texts = fleece.decode(fleece.json_diff(fleece.encode(a), fleece.encode(b)))
    same(operations(fleece.json_diff(a, b)), operations(of_texts))
    same(operations(fleece.json_diff({ x = a, y = { 1, 2 } }, { x = b, y = { 1, 2 } })),
         (operations(of_texts):gsub('"path":"', '"path":"/x')))
  end
  local a, b = { n = 1 }, { n = 2 }
  for i = 1, 300 do a, b = { ["t" .. i] = a, same = { 1, 2, 3 } }, { ["t" .. i] = b, same = { 1, 2, 3 } } end
  same(#fleece.json_diff(a, b), 1)
end

-- Names that become others when they are written.
function TestMergePatch:test_replaced_names()
  local codec = fleece.new { invalid_utf8 = "replace", sort_keys = true }
  local a, b = { ["\255"] = {} }, { ["\255"] = {} }
  for i = 1, 20 do a["\255"]["k" .. i], b["\255"]["k" .. i] = i, i <= 6 and -i or i end
  local list = codec.json_diff(a, b)
  same(codec.encode(codec.json_patch(codec.decode(codec.encode(a)), list)), codec.encode(b))
  T.raises_with("first argument: ", codec.merge_diff, { ["\255"] = 1, ["\239\191\189"] = 2 }, { ["\239\191\189"] = 2 })
end

function TestMergePatch:test_what_tables_have_in_common()
  local function merge(a, b) return fleece.encode(fleece.merge_diff(a, b), SORTED) end
  local shared = { f = print }
  same(merge({ s = shared, n = 1 }, { s = shared, n = 2 }), '{"n":2}') -- it is not looked at
  T.raises("second argument: cannot encode a function at .s.f", fleece.merge_diff, { n = 1 }, { s = shared })
  local a, b = { e = {}, n = { 1 } }, { e = {}, n = { 1, 2 } }
  same(merge(a, b), '{"n":[1,2]}')
  for _, t in ipairs { a, b, a.e, b.e, a.n, b.n } do same(getmetatable(t), nil) end
  same(merge({ t = { x = 1, y = 2 } }, { t = { x = 1 } }), '{"t":{"y":null}}')
  same(merge({ t = { x = 1 } }, { t = { x = 1, y = 2 } }), '{"t":{"y":2}}')
  same(merge({ t = { x = 1, ["7"] = 1 } }, { t = { x = 1, [7] = 1 } }), "{}")
  same(merge({ t = { x = 1, [7] = 1, [9] = {} } }, { t = { x = 2, [7] = 1, ["9"] = {} } }), '{"t":{"x":2}}')
  same(merge({ t = setmetatable({ x = 1 }, fleece.object_mt) }, { t = { x = 1, y = 1 } }), '{"t":{"y":1}}')
  same(merge({ t = { 1 } }, { t = { x = 1 } }), '{"t":{"x":1}}')
  same(merge({ t = { x = 1 } }, { t = 5 }), '{"t":5}')
  same(merge({ 1, 2 }, { x = 1 }), '{"x":1}')
  same(merge({ n = 1, m = 2 ^ 53 }, { n = 1.0, m = "9007199254740992" }), '{"m":"9007199254740992"}')
  local one, other = { many = {} }, { many = {} } -- more than are compared before members are
  for i = 1, 1000 do one.many["k" .. i], other.many["k" .. i] = { i, x = { i } }, { i, x = { i } } end
  other.many.k500 = { 500, x = { 0 } }
  same(merge(one, other), '{"many":{"k500":{"x":[0]}}}')
  local deep, deeper = { n = 1 }, { n = 2 }
  for _ = 1, 500 do deep, deeper = { t = deep, same = { 1 } }, { t = deeper, same = { 1 } } end
  same(merge(deep, deeper), ('{"t":'):rep(500) .. '{"n":2}' .. ("}"):rep(500))
end

function TestMergePatch:test_random()
  local refused = 0
  T.random_rounds(2000, function()
    local a, b = pair()
    local text_a, text_b, wanted = fleece.encode(a), fleece.encode(b), fleece.encode(b, SORTED)
    local ok, patch = pcall(fleece.merge_diff, argument(a), argument(b))
    local fine, text = pcall(fleece.merge_diff, text_a, text_b)
    same(fine, ok)
    if not ok then
      refused = refused + 1
      T.contains(patch, "a merge patch cannot set a member to null")
      return T.contains(text_b, "null")
    end
    same(fleece.encode(fleece.merge_patch(argument(a), argument(patch)), SORTED), wanted)
    same(canonical(fleece.merge_patch(text_a, text)), wanted)
    same(canonical(fleece.merge_patch(text_a, argument(patch))), wanted)
    same(fleece.encode(fleece.merge_patch(argument(a), text), SORTED), wanted)
  end)
end

-- ---- numbers ------------------------------------------------------------------------------------------------------

TestPatchNumbers = {}

-- All values differ, since 1 and 1.0 are no difference. The first ones are written so by every form that holds them.
local SPELLINGS = { "0", "-1", "0.1", "1e+300", "9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993",
  "1152921504606846976", "9223372036854775807", "9223372036854775809", "-9223372036854775808", "18446744073709551615",
  "18446744073709551616", "1.50", "1e400", "12345678901234567890.5", "0.12345678901234567890" }
local OF_VIEWS, OF_CDATA = 13, { "9007199254740993LL", "-9007199254740993LL", "9223372036854775807LL", "18446744073709551615ULL" }

-- An array of random numbers in one of its forms, and its text.
local function random_numbers()
  local kind, list, texts = random(1, T.jit and 3 or 2), {}, {}
  for i = 1, random(0, 6) do
    if kind == 3 then
      local literal = T.pick(OF_CDATA)
      texts[i], list[i] = literal:match "^%-?%d+", load("return " .. literal)()
    else
      texts[i] = SPELLINGS[random(1, kind == 1 and #SPELLINGS or OF_VIEWS)]
      list[i] = fleece.decode(texts[i], { numbers = "exact" })
    end
  end
  local text = "[" .. table.concat(texts, ",") .. "]"
  return kind == 2 and fleece.open(fleece.from_json(text)) or fleece.array(list), text
end

-- What a difference carries has the digits that encode writes: applied it gives the second value byte for byte.
function TestPatchNumbers:test_random()
  T.random_rounds(2000, function()
    local a, b, text_a, text_b = {}, {}, {}, {}
    for _, name in ipairs { "a", "b", "c" } do
      local v, text = random_numbers()
      a[name], text_a[#text_a + 1] = v, '"' .. name .. '":' .. text
      if random(1, 2) == 1 then v, text = random_numbers() end
      b[name], text_b[#text_b + 1] = v, '"' .. name .. '":' .. text
    end
    text_a, text_b = "{" .. table.concat(text_a, ",") .. "}", "{" .. table.concat(text_b, ",") .. "}"
    same(fleece.encode(b, SORTED), text_b)
    local list, merge = fleece.json_diff(a, b), fleece.merge_diff(a, b)
    same(fleece.encode(fleece.json_patch(a, list), SORTED), text_b)
    same(fleece.encode(fleece.merge_patch(a, merge), SORTED), text_b)
    for _, result in ipairs { fleece.json_patch(text_a, list), fleece.merge_patch(text_a, merge),
      fleece.json_patch(text_a, fleece.json_diff(text_a, text_b)) } do
      same(fleece.format(result, SORTED), text_b)
    end
  end)
end

function TestPatchNumbers:test_examples()
  local function number(text) return fleece.decode(text, { numbers = "exact" }) end
  for _, text in ipairs { "9007199254740993", "18446744073709551615", "123456789012345678901", "1e400", "1.50" } do
    local value = { a = number(text) }
    same(fleece.encode(fleece.json_diff({ a = 1 }, value)[1].value), text)
    same(fleece.encode(fleece.merge_diff({ a = 1 }, value)), '{"a":' .. text .. "}")
    if not text:find "[.e]" then
      local view = fleece.open(fleece.from_json('{"a":' .. text .. "}"))
      if #text < 21 then same(fleece.encode(fleece.json_diff({ a = 1 }, view)[1].value), text) end
    end
  end
  if T.jit then
    local diff = fleece.json_diff({ a = 1 }, { a = load "return 9007199254740993LL" () })
    same(fleece.encode(diff[1].value), "9007199254740993")
  end
end

-- docs/numbers.md: a float equals all texts that are read as it, wherever it is, and an integer or a text only itself.
function TestPatchNumbers:test_a_float_equals_its_texts()
  local function forms(text)
    return { text = text, table = fleece.decode(text), lazy = fleece.lazy(text), view = fleece.open(fleece.from_json(text)) }
  end
  for _, t in ipairs { "0.10000000000000001", "1.00000000000000000001", "18446744073709551617", "5e-325", "1e-400",
    "0.1000000000000000055511151231257827021181583404541015625", "-2.5000000000000000000000000001" } do
    for _, wrap in ipairs { '{"a":[%s]}', '{"a":{"b":%s},"c":1}' } do
      local text = wrap:format(t)
      for name, a in pairs(forms(text)) do
        for other, b in pairs(forms(text)) do
          same(fleece.encode(fleece.json_diff(a, b)), type(a) == "string" and fleece.encode "[]" or "[]", name .. " " .. other .. " " .. t)
          same(fleece.encode(fleece.merge_diff(a, b)), type(a) == "string" and fleece.encode "{}" or "{}", name .. " " .. other .. " " .. t)
        end
        local patch = { { op = "test", path = "", value = fleece.decode(text) } }
        lu.assertEquals(type(fleece.json_patch(a, patch)), type(a) == "string" and "string" or "table")
      end
    end
  end
  for _, pair in ipairs { { "[0.1]", "[0.10000000000000001]" }, { "[9007199254740993]", "[9007199254740992]" } } do
    lu.assertNotEquals(fleece.json_diff(pair[1], pair[2]), "[]")
  end
  if T.integers then lu.assertNotEquals(fleece.json_diff({ 9007199254740993 }, "[9007199254740992]"), {}) end
  lu.assertNotEquals(fleece.json_diff({ 0.5 }, "[0.50000000001]"), {})
end

-- ---- hostile ------------------------------------------------------------------------------------------------------

local function numbers(n, f)
  local t = {}
  for i = 1, n do t[i] = f(i) end
  return fleece.encode(t)
end

function TestJsonDiff:test_time_is_linear()
  each({
    { function(i) return i end, function(i) return -i end },
    { function(i) return i % 7 end, function(i) return i * i % 11 end },
    { function() return random(1, 100000) end, function() return random(1, 100000) end },
    { function() return random(1, 3) end, function() return random(1, 3) end },
    { function(i) return i end, function(i) return i * 7919 % 4001 end },
    { function(i) return { i, i } end, function(i) return { i, i + 1 } end },
    { function(i) return { [tostring(i)] = i } end, function(i) return { [tostring(i + 1)] = { i } } end },
  }, function(case)
    T.linear(function(n)
      local a, b = numbers(n, case[1]), numbers(n, case[2])
      local start = os.clock()
      local text = fleece.json_diff(a, b)
      local took = os.clock() - start
      same(canonical(fleece.json_patch(a, text)), canonical(b))
      return took
    end, 1000, 10000, 40)
  end)
end

function TestJsonDiff:test_deep_and_wide()
  local function nested(n, inner) return ("[1,"):rep(n) .. inner .. ("]"):rep(n) end
  same(fleece.json_diff(nested(900, '"some text that is long"'), nested(900, "2")),
    '[{"op":"replace","path":"' .. ("/1"):rep(900) .. '","value":2}]' )
  T.raises_with("nesting too deep", fleece.json_diff, nested(1001, "1"), "[]")
end

-- n levels, each reached by two paths from the one above.
local function shared(n, innermost)
  for _ = 1, n do innermost = { a = innermost, b = innermost } end
  return innermost
end

-- RFC 7396, and the number of levels.
local function merged(value, patch)
  if type(patch) ~= "table" then return patch, 0 end
  local result, height = {}, 0
  for k, v in pairs(type(value) == "table" and value or {}) do result[k] = v end
  for k, v in pairs(patch) do
    local below = 0
    if v == null then result[k] = nil else result[k], below = merged(result[k], v) end
    height = math.max(height, below)
  end
  return result, height + 1
end

-- Tables that are reached by exponentially many paths are merged once for each value that they meet.
function TestJsonDiff:test_shared_tables_of_a_merge_patch()
  for _, codec in ipairs { fleece, T.api } do
    T.soon(1, function()
      local target, patch = shared(500, { x = 1, y = 1 }), shared(500, { x = null, z = 2 })
      for _, result in ipairs { codec.merge_patch(target, patch), codec.merge_patch({}, patch), codec.merge_patch(target, { a = patch, b = patch }) } do
        local depth, path = 0, result
        while path.a do path, depth = depth % 3 == 0 and path.b or path.a, depth + 1 end
        same(depth >= 500 and path.z == 2 and path.x == nil and true, true)
      end
    end)
    for n = 8, 12 do -- some tables are made before any is shared
      local target, patch = shared(n, { x = 1, y = 1 }), shared(n, { x = null, z = 2 })
      target.b, target.a.a = { a = 1, b = target.b }, false
      patch.a = { a = patch.b, b = { a = shared(n, { x = 3 }), q = patch.a.a } }
      same(fleece.encode(codec.merge_patch(target, patch), SORTED), fleece.encode((merged(target, patch)), SORTED))
    end
  end
  for _ = 1, 40 do -- the depth is that of the deepest path, in whatever order paths are taken
    local list = { { x = 1 } }
    for i = 2, 30 do
      local t = {}
      for j = 1, 5 do t["m" .. j .. random(1, 1000000)] = list[random(math.max(1, i - 4), i - 1)] end
      list[i] = t
    end
    local depths = { 1 }
    for i = 2, 30 do
      depths[i] = 0
      for _, v in pairs(list[i]) do
        for j = 1, i - 1 do if list[j] == v then depths[i] = math.max(depths[i], depths[j] + 1) end end
      end
    end
    local patch, depth = list[30], depths[30]
    same((pcall(fleece.new({ max_depth = depth }).merge_patch, {}, patch)), true)
    T.raises_with("patch: nesting too deep", fleece.new({ max_depth = depth - 1 }).merge_patch, {}, patch)
  end
end

function TestJsonDiff:test_arguments()
  T.raises("bad argument #2 to 'json_diff' (value expected; fleece.null is null)", fleece.json_diff, {})
  T.raises_with("unknown option 'tests'; did you mean 'test'?", fleece.json_diff, {}, {}, { tests = true })
  T.raises_with("bad argument #3 to 'json_diff'", fleece.json_diff, {}, {}, true)
  lu.assertEquals(fleece.json_diff(null, null), {})
  lu.assertEquals(fleece.json_diff(fleece.lazy "[1,2]", "[1,2]"), {})
  same(fleece.json_diff("[1,2]", fleece.lazy "[1,2]"), "[]")
end
