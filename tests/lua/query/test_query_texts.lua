-- SPDX-License-Identifier: MIT
-- test_query_texts.lua -- a query over a text finds what it finds in the table that decode makes of it, without that
-- table, in the order of the text.

local T = require "support"
local fleece, same = T.fleece, T.same

TestQueryTexts = {}

local function sorted(value) return fleece.encode(value, { sort_keys = true }) end
local function found(path, text, options) return sorted(fleece.query(path, options)(text)) end

-- Members come in the order of the text; of equal names the last counts, wherever it stands.
function TestQueryTexts:test_members()
  T.each({
    { "$.*", '{"z":1,"a":2,"m":3}', "[1,2,3]" },
    { "$..x", '{"b":{"x":1},"x":2,"a":[{"x":3}]}', "[2,1,3]" },
    { "$.a", '{"a":1,"b":2,"a":3}', "[3]" },
    { "$.a.b", '{"a":{"b":1},"a":{"c":2}}', "[]" },
    { "$..c", '{"a":{"c":1},"a":{"c":2}}', "[2]" },
    { "$[?@.a==2]", '[{"a":1,"a":2},{"a":2,"a":1}]', '[{"a":2}]' },
    { "$[?length(@)==1]", '[{"a":1,"a":2}]', '[{"a":2}]' },
    { "$['']", '{"":7}', "[7]" },
    { [=[$["a\u0000b",'é','"']]=], [[{"a\u0000b":1,"\u00e9":2,"\"":3}]], "[1,2,3]" },
    { "$['ab']", [[{"a\u0062":1}]], "[1]" },
    { "$.é", [[{"\u00e9":[1,{}]}]], "[[1,{}]]" },
  }, function(case)
    local path, text, wanted = T.unpack(case)
    same(found(path, text), wanted, path .. " of " .. text)
  end)
end

-- Objects with the names of one before them, or with other names: twice the same, with escapes, short, long, none.
function TestQueryTexts:test_alike_objects()
  local long, longer = ("n"):rep(8), ("n"):rep(23)
  local first = ('{"a":1,"%s":{"a":2},"%s":3,"":4}'):format(long, longer)
  T.each({
    first, '{"a":5}', '{"a":6,"a":7}', ('{"a":8,"%s":9,"%s":10}'):format(long, long), ('{"a":11,"%s":{},"%s":[]}'):format(long, longer .. "x"),
    ('{"a":12,"%s":13,"%s":14,"":15,"":16}'):format(long, longer), ('{"a":17,"%s":18,"%s":19,"":20,"a":21}'):format(long, longer),
    '{"\\u0061":22}', '{"\\u0061":23,"a":24}', '{"a":25,"\\u0061":26}', '{"ab":27,"a":28}', "{}", '{"a":{"a":{"a":29}}}',
  }, function(other)
    for _, text in ipairs { "[" .. first .. "," .. other .. "]", "[" .. first .. "," .. other .. "," .. other .. "," .. first .. "]" } do
      for _, path in ipairs { "$..a", "$[*].*", "$..*.a", "$[?@.*].a" } do
        T.equal(sorted(fleece.query(path, { order = true })(text)),
          sorted(fleece.query(path, { order = true })(fleece.decode(text, { order = true }))), path .. " of " .. text)
      end
    end
  end)
end

-- Items are reached from either end and by steps, in arrays whose items are nested.
function TestQueryTexts:test_items()
  local items = {}
  for i = 0, 999 do items[#items + 1] = ('{"n":%d,"l":[%d,[%d]]}'):format(i, i, i) end
  local text = "[" .. table.concat(items, " , ") .. "]"
  T.each({
    { "$[0].n", "[0]" },
    { "$[-1].n", "[999]" },
    { "$[500].l[1][0]", "[500]" },
    { "$[1000]", "[]" },
    { "$[-1001]", "[]" },
    { "$[998:].l[-1][0]", "[998,999]" },
    { "$[::-400].n", "[999,599,199]" },
    { "$[5,3,-997,5].n", "[5,3,3,5]" },
    { "$[2:4].l[::-1]", "[[2],2,[3],3]" },
  }, function(case) same(found(case[1], text), case[2], case[1]) end)
end

-- A text of `n` values or so: names come twice, have escapes, or look like what follows a name; blanks anywhere.
local NAMES = { "a", "a", "b", "name", "n\\u0061me", "", ",", ":", "long name of a member", "long name of another one", '\\"', "é" }
local SCALARS = { "1", "-2.5e3", "true", "null", '"a"', '"\\"a\\":"', '"\\\\"', '"\\ud83d\\ude00"', '"' .. ("x"):rep(150) .. '"' }
local random = T.random
local function random_text(n, depth)
  local kind, parts = random(depth > 6 and 3 or 1, 5), {}
  if kind > 2 or n < 2 then return SCALARS[random(#SCALARS)] .. (" "):rep(random(0, 2)) end
  for i = 1, random(0, math.min(n, 60)) do
    local value = random_text(n / 3, depth + 1)
    parts[i] = kind == 1 and value or
               ('"%s"%s:%s'):format(NAMES[random(#NAMES)] .. (random(4) == 1 and i or ""), (" "):rep(random(0, 1)), value)
  end
  return ("[{"):sub(kind, kind) .. table.concat(parts, random(2) == 1 and "," or ",\n") .. ("]}"):sub(kind, kind)
end

-- The results of a query, each as text, without an order.
local function list(query, value)
  local texts = {}
  for i, v in ipairs(query(value)) do texts[i] = sorted(v) end
  table.sort(texts)
  return table.concat(texts, "\n")
end

-- What is found in a text, strict or with comments, with paths or without, is what is found in its table.
function TestQueryTexts:test_random()
  local queries = {}
  for i, text in ipairs {
    "$..a", "$..name", "$..[0]", "$..[-1]", "$..*.a", "$..[?@.a]", "$..[?@.a == 'a']", "$..['a', 'b'].name", "$..[?@ == '\"a\":']",
    "$.a..b", "$.*.*", "$[?@..name]", "$..a..b", "$..['long name of a member']", "$..['', ',', ':']", "$..['\"']", "$..a[1:]",
    "$..[?count(@.*) > 2].a", "$..[?length(@) == 3]", "$..[?@.a == @.b]", "$[?@.a == $..name]",
  } do queries[i] = { fleece.query(text), fleece.query(text, { comments = true }), text } end
  for _ = 1, T.long and 3000 or 150 do
    local text = "[" .. random_text(200, 0) .. "," .. random_text(200, 0) .. "]"
    local value = fleece.decode(text)
    for _, case in ipairs(queries) do
      local query, lenient, name = T.unpack(case)
      local wanted = list(query, value)
      if list(query, text) ~= wanted then same(list(query, text), wanted, name .. " of " .. text) end
      local commented = text .. "/**/"
      if list(lenient, commented) ~= wanted then same(list(lenient, commented), wanted, name .. " of " .. commented) end
      same(#query:paths(text), #query(value), name .. ": paths of " .. text)
    end
  end
end

-- Containers are equal whatever the order of their members, the form of their numbers, and the text of their strings.
function TestQueryTexts:test_equality()
  local like = [[{"a":[1,{"x":"é","y":null}],"b":1e2}]]
  T.each({
    { [[{"b":100.0,"a":[1.0,{"y":null,"x":"\u00e9"}]}]], true },
    { [[{"b":100,"a":[1,{"y":null,"x":"e"}]}]], false },
    { [[{"b":100,"a":[1,{"y":null,"x":"é","z":0}]}]], false },
    { [[{"b":100,"a":[1,{"y":null,"z":"é"}]}]], false },
    { [[{"b":100,"a":[1,{"y":false,"x":"é"}],"a":[1,{"y":null,"x":"é"}]}]], true },
    { [[{"b":100,"a":[1,{"y":null,"x":"é"}],"a":2}]], false },
  }, function(case)
    local text, is_equal = case[1], case[2]
    local both = ('[{"v":%s,"n":1},{"v":%s,"n":2}]'):format(like, text)
    same(found("$[?@.v==$[0].v].n", both), is_equal and "[1,2]" or "[1]", text)
  end)
end

-- Values of JSON become the Lua values that decode gives, with the options of the query.
function TestQueryTexts:test_values()
  local null = {}
  local text = [==[ {"v":[null,true,false,-0,1.50,9007199254740993,123456789012345678901,"a\nb","é",[],{},[null]]} ]==]
  for _, codec in ipairs(T.codecs) do
    for _, options in ipairs {
      {}, { null = null }, { numbers = "exact" }, { order = true }, { big_numbers = "string" },
    } do
      local all = codec.decode(text, options).v
      for i = 1, 12 do
        local value = codec.query(("$.v[%d]"):format(i - 1), options)(text)[1]
        if options.null == null and i == 1 then T.equal(value, null)
        else same(codec.encode(value), codec.encode(all[i]), i) end
      end
    end
  end
  T.equal(fleece.query("$.*", { null = null })('{"a":null}')[1], null)
  T.equal(getmetatable(fleece.query "$.a"('{"a":[]}')[1]), getmetatable(fleece.decode "[]"))
  T.equal(getmetatable(fleece.query "$.a"('{"a":{}}')[1]), getmetatable(fleece.decode "{}"))
end

-- What is read beyond RFC 8259, and where it is refused, is as in decode.
function TestQueryTexts:test_options()
  T.each({
    { "$.a", '{"a":1,/* 2 */"b":[1,],}', { comments = true, trailing_commas = true }, "[1]" },
    { "$.b[0]", "{'a':1,b:[0x10]}", { json5 = true }, "[16]" },
    { "$.a", '\239\187\191{"a":1}', { bom = true }, "[1]" },
    { "$.a", '{"a":"\255"}', { invalid_utf8 = "replace" }, '["\239\191\189"]' },
    { "$['\239\191\189']", '{"\255":1}', { invalid_utf8 = "replace" }, "[1]" },
    { "$[?@>1]", "[1e400,0]", { numbers = "exact" }, "[1e400]" },
    { "$.a", '{"a":1,"a":2}', { duplicates = "first" }, "[1]" },
    { "$[1]", '[{"a":[1]},2]', { max_depth = 3 }, "[2]" },
  }, function(case) same(found(case[1], case[2], case[3]), case[4], case[2]) end)
  T.each({
    { '{"a":1,"b":}' }, { '{"a":1} x' }, { "" }, { " " }, { "[1,]" },
    { '{"a":1e400}' }, { '{"a":"\255"}' }, { '["\\ud800"]' },
    { '{"a":1,"a":2}', { duplicates = "error" } },
    { "[[[1]]]", { max_depth = 2 } }, { "[1,2]", { max_bytes = 4 } },
  }, function(case)
    local text, options = case[1], case[2]
    T.raises(T.error_of(fleece.decode, text, options), fleece.query("$.a", options), text)
  end)
end

-- Values that lie in each other: each is there, and the time is linear in the text.
function TestQueryTexts:test_nested_results()
  same(found("$..[?@]", '{"a":{"b":{"c":1}}}'), '[{"b":{"c":1}},{"c":1},1]')
  same(found("$['a','a']", '{"a":[1]}'), "[[1],[1]]")
  local query = fleece.query("$..a", { max_depth = 2000 })
  local deep = ('{"a":'):rep(2000) .. "1" .. ("}"):rep(2000)
  T.equal(#query(deep), 2000)
  T.equal(#query:paths('{"a":{"a":1}}'), 2)
end

-- Memory stays between calls; a query that a finalizer runs while another one makes its results has its own.
function TestQueryTexts:test_calls_in_calls()
  local query, wrong, calls, is_inside = fleece.query("$[*].a.b"), 0, 0, false
  local function text_of(n)
    local list = {}
    for i = 1, n do list[i] = ('{"a":{"b":"%d of %d"}}'):format(i, n) end
    return "[" .. table.concat(list, ",") .. "]"
  end
  local long, text = text_of(10000), text_of(3000)
  local function finalize()
    calls = calls + (is_inside and 1 or 0)
    if is_inside and calls % 20 == 3 then query(long) end
  end
  local pause, multiplier = T.set_collector("pause", 0), T.set_collector("stepmul", 1000)
  query(long)
  for _ = 1, 20 do
    for _ = 1, 20 do
      if newproxy then getmetatable(newproxy(true)).__gc = finalize
      else setmetatable({}, { __gc = finalize }) end
    end
    is_inside = true
    local results = query(text)
    is_inside = false
    for i = 1, 3000 do wrong = wrong + (results[i] == i .. " of 3000" and 0 or 1) end
  end
  T.set_collector("pause", pause)
  T.set_collector("stepmul", multiplier)
  T.equal(wrong, 0)
end

-- A text of any shape: the same nodes as in its table.
function TestQueryTexts:test_random()
  local function random(n) return T.random(1, n) end
  local function value(depth)
    local kind = random(depth > 4 and 4 or 6)
    if kind == 1 then return ({ "null", "true", "false", '"a"', '"\\u0062"', '""' })[random(6)]
    elseif kind <= 3 then return tostring(random(20) - 10) .. ({ "", ".5", "e1" })[random(3)]
    elseif kind == 4 then return '"' .. ("x"):rep(random(40)) .. '"' end
    local list = {}
    for i = 1, random(kind == 5 and 12 or 30) - 1 do
      local name = ('"%s%d":'):format(({ "a", "bc", "\\u0061" })[random(3)], random(12))
      list[i] = (kind == 6 and name or "") .. value(depth + 1)
    end
    return kind == 5 and "[" .. table.concat(list, ",") .. "]" or "{" .. table.concat(list, ",") .. "}"
  end
  local paths = { "$.*", "$..a1", "$..[1,-1]", "$..[?@.a1]", "$..[?@ == $.a2]", "$..[?length(@) > 3]", "$..[::-2]",
    "$.a1.*", "$[?@ < 3]", "$[*].a1", "$[*][?@.a1 > 2].bc2", "$[0][*][1].a3", "$[*][?@.a1 || length(@.a2) > 1].a1",
    "$[*][?count(@.*) > 2][0]", "$[0][?@ == $[0].a1]", "$[0]['a1','bc1','a2'][*]", "$[*][*][?value(@.*) != 1]",
    "$[*][*][-1].a1.a2", "$[*][?@.a1.a2 < 3 && !@.bc1].a1", "$[0][1:3].a1", "$[0][?length(@) > length($[0].a1)]",
    "$[0]['a1','a1']", "$[0].a1[?match(@.a1, 'x+')].a1", "$" }
  T.random_rounds(200, function()
    local text = "[" .. value(0) .. "]"
    local path = paths[random(#paths)]
    local query = fleece.query(path, { order = true })
    local decoded = fleece.decode(text, { order = true })
    same(sorted(query(text)), sorted(query(decoded)), path .. " of " .. text)
    same(sorted(query:paths(text)), sorted(query:paths(decoded)), path .. " in " .. text)
  end)
end
