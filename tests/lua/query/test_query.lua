-- SPDX-License-Identifier: MIT
-- test_query.lua -- fleece.query: the example tables of RFC 9535, on tables, texts, views and documents.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same
local query = fleece.query

TestQuery = {}

local SORTED = { sort_keys = true }

-- A value as a text that is the same for equal values.
local function text_of(value)
  if type(value) == "userdata" and fleece.type(value) ~= "userdata" then value = fleece.decode(fleece.encode(value)) end
  return fleece.encode(value, SORTED)
end

local function texts_of(values)
  local list = {}
  for i, value in ipairs(values) do list[i] = text_of(value) end
  return list
end

-- The forms in which a query takes the value of a text.
local function forms_of(text)
  local forms = { table = fleece.decode(text), by_api = T.api.decode(text), text = text, spaced = " " .. text .. "\n" }
  if text:find "^[%[{]" then
    forms.lazy = fleece.lazy(text)
    forms.view = fleece.open(fleece.from_json(text))
    forms.fast = fleece.open(fleece.from_json(text, { mode = "fast" }))
  end
  return forms
end

-- Members have no order; a case with `any` has results in any order.
local function join(list, any)
  if any then table.sort(list) end
  return table.concat(list, " ")
end

-- A case: { query, results as texts, their paths or nil, any = true: in any order }.
local function check(text, cases)
  for _, case in ipairs(cases) do
    local q = query(case[1])
    for form, value in pairs(forms_of(text)) do
      local what = case[1] .. " of a " .. form
      same(join(texts_of(q(value)), case.any), join(texts_of(fleece.decode("[" .. case[2] .. "]")), case.any), what)
      local paths, n = q:paths(value), 0
      if case[3] then same(join({ T.unpack(paths) }, case.any), case[3], what) end
      for found, path in q:each(value) do
        n = n + 1
        same(path, paths[n], what)
        same(join(texts_of(query(path)(value))), text_of(found), what) -- a path leads to its value alone
      end
      same(n, #paths, what)
    end
  end
end

-- RFC 9535, section 1.5, figure 1 and table 2
function TestQuery:test_bookstore()
  local store = [[{"store":{"book":[
    {"category":"reference","author":"Nigel Rees","title":"Sayings of the Century","price":8.95},
    {"category":"fiction","author":"Evelyn Waugh","title":"Sword of Honour","price":12.99},
    {"category":"fiction","author":"Herman Melville","title":"Moby Dick","isbn":"0-553-21311-3","price":8.99},
    {"category":"fiction","author":"J. R. R. Tolkien","title":"The Lord of the Rings","isbn":"0-395-19395-8","price":22.99}
    ],"bicycle":{"color":"red","price":399}}}]]
  local authors = [["Nigel Rees","Evelyn Waugh","Herman Melville","J. R. R. Tolkien"]]
  local all = "$['store']['book'][0] $['store']['book'][1] $['store']['book'][2] $['store']['book'][3]"
  check(store, {
    { "$.store.book[*].author", authors },
    { "$..author", authors },
    { "$.store..price", "8.95,12.99,8.99,22.99,399", any = true },
    { "$..book[2].title", [["Moby Dick"]], "$['store']['book'][2]['title']" },
    { "$..book[2].author", [["Herman Melville"]] },
    { "$..book[2].publisher", "", "" },
    { "$..book[-1].title", [["The Lord of the Rings"]] },
    { "$..book[0,1].title", [["Sayings of the Century","Sword of Honour"]] },
    { "$..book[:2].title", [["Sayings of the Century","Sword of Honour"]] },
    { "$..book[?@.isbn].title", [["Moby Dick","The Lord of the Rings"]] },
    { "$..book[?@.price<10].title", [["Sayings of the Century","Moby Dick"]] },
  })
  same(table.concat(query "$.store.book[*]":paths(store), " "), all)
  same(#query "$..*"(store), 27)
  same(#query "$.store.*"(store), 2)
end

-- sections 2.2.3, 2.3.1.3, 2.3.2.3, 2.3.3.3, 2.3.4.3
function TestQuery:test_selectors()
  check([[{"k":"v"}]], { { "$", [[{"k":"v"}]], "$" } })
  check([[{"o":{"j j":{"k.k":3}},"'":{"@":2}}]], {
    { "$.o['j j']", [[{"k.k":3}]], "$['o']['j j']" },
    { "$.o['j j']['k.k']", "3", "$['o']['j j']['k.k']" },
    { '$.o["j j"]["k.k"]', "3", "$['o']['j j']['k.k']" },
    { '$["\'"]["@"]', "2", '$[\'\\\'\'][\'@\']' },
  })
  check([[{"o":{"j":1,"k":2},"a":[5,3]}]], {
    { "$[*]", [[{"j":1,"k":2},[5,3] ]], "$['a'] $['o']", any = true },
    { "$.o[*]", "1,2", "$['o']['j'] $['o']['k']", any = true },
    { "$.o[*,*]", "1,2,1,2", any = true },
    { "$.a[*]", "5,3", "$['a'][0] $['a'][1]" },
  })
  check([=[["a","b"]]=], { { "$[1]", [["b"]], "$[1]" }, { "$[-2]", [["a"]], "$[0]" }, { "$[2]", "" }, { "$[-3]", "" } })
  check([=[["a","b","c","d","e","f","g"]]=], {
    { "$[1:3]", [["b","c"]], "$[1] $[2]" },
    { "$[5:]", [["f","g"]], "$[5] $[6]" },
    { "$[1:5:2]", [["b","d"]], "$[1] $[3]" },
    { "$[5:1:-2]", [["f","d"]], "$[5] $[3]" },
    { "$[::-1]", [["g","f","e","d","c","b","a"]], "$[6] $[5] $[4] $[3] $[2] $[1] $[0]" },
    { "$[::0]", "", "" },
    { "$[-100:100:9007199254740991]", [["a"]], "$[0]" },
    { "$[100:-100:-9007199254740991]", [["g"]], "$[6]" },
  })
end

-- section 2.3.5.3, table 11
function TestQuery:test_comparisons()
  local text = [[{"obj":{"x":"y"},"arr":[2,3]}]]
  local cases = {
    ["$.absent1 == $.absent2"] = true, ["$.absent1 <= $.absent2"] = true, ["$.absent == 'g'"] = false,
    ["$.absent1 != $.absent2"] = false, ["$.absent != 'g'"] = true, ["1 <= 2"] = true, ["1 > 2"] = false,
    ["13 == '13'"] = false, ["'a' <= 'b'"] = true, ["'a' > 'b'"] = false, ["$.obj == $.arr"] = false,
    ["$.obj != $.arr"] = true, ["$.obj == $.obj"] = true, ["$.obj != $.obj"] = false, ["$.arr == $.arr"] = true,
    ["$.arr != $.arr"] = false, ["$.obj == 17"] = false, ["$.obj != 17"] = true, ["$.obj <= $.arr"] = false,
    ["$.obj < $.arr"] = false, ["$.obj <= $.obj"] = true, ["$.arr <= $.arr"] = true, ["1 <= $.arr"] = false,
    ["1 >= $.arr"] = false, ["1 > $.arr"] = false, ["1 < $.arr"] = false, ["true <= true"] = true,
    ["true > true"] = false,
    -- by section 2.3.5.2.2 too
    ["'ab' > 'a'"] = true, ["'a' < 'ab'"] = true, ["'\\u00e9' > 'z'"] = true, ["1 == 1.0"] = true, ["-0 == 0"] = true,
    ["1e2 == 100"] = true, ["null == null"] = true, ["null <= null"] = true, ["null < null"] = false,
    ["false == null"] = false, ["9007199254740993 > 9007199254740992.0"] = true, ["'\\uD834\\uDD1E' > '\\uFFFF'"] = true,
  }
  for comparison, holds in pairs(cases) do
    check(text, { { "$[?" .. comparison .. "]", holds and [[{"x":"y"},[2,3] ]] or "", any = true } })
    check(text, { { "$[?!(" .. comparison .. ")]", holds and "" or [[{"x":"y"},[2,3] ]], any = true } })
  end
end

-- section 2.3.5.3, table 12
function TestQuery:test_filters()
  check([[{"a":[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],"o":{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}},"e":"f"}]], {
    { "$.a[?@.b == 'kilo']", [[{"b":"kilo"}]], "$['a'][9]" },
    { "$.a[?(@.b == 'kilo')]", [[{"b":"kilo"}]], "$['a'][9]" },
    { "$.a[?@>3.5]", "5,4,6", "$['a'][1] $['a'][4] $['a'][5]" },
    { "$.a[?@.b]", [[{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]], "$['a'][6] $['a'][7] $['a'][8] $['a'][9]" },
    { "$[?@.*]", [=[[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],{"p":1,"q":2,"r":3,"s":5,"t":{"u":6}}]=],
      "$['a'] $['o']", any = true },
    { "$[?@[?@.b]]", [=[[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]]=], "$['a']" },
    { "$.o[?@<3, ?@<3]", "1,2,2,1", any = true },
    { '$.a[?@<2 || @.b == "k"]', [[1,{"b":"k"}]], "$['a'][2] $['a'][7]" },
    { '$.a[?match(@.b, "[jk]")]', [[{"b":"j"},{"b":"k"}]], "$['a'][6] $['a'][7]" },
    { '$.a[?search(@.b, "[jk]")]', [[{"b":"j"},{"b":"k"},{"b":"kilo"}]], "$['a'][6] $['a'][7] $['a'][9]" },
    { "$.o[?@>1 && @<4]", "2,3", any = true },
    { "$.o[?@.u || @.x]", [[{"u":6}]], "$['o']['t']" },
    { "$.a[?@.b == $.x]", "3,5,1,2,4,6", "$['a'][0] $['a'][1] $['a'][2] $['a'][3] $['a'][4] $['a'][5]" },
    { "$.a[?@ == @]", [[3,5,1,2,4,6,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]] },
  })
end

-- For a value without children, whose members and items are nothing, many filters have one answer.
function TestQuery:test_filters_of_scalars()
  local all = [=[1,"b",null,true,{"b":1,"c":2},[5]]=]
  check("[" .. all .. "]", {
    { "$[?@.b]", [[{"b":1,"c":2}]] },
    { "$[?!@.b]", [=[1,"b",null,true,[5]]=] },
    { "$[?@[0]]", "[5]" },
    { "$[?@.b != 1]", [=[1,"b",null,true,[5]]=] },
    { "$[?1 != @.b]", [=[1,"b",null,true,[5]]=] },
    { "$[?!(@.b == 1)]", [=[1,"b",null,true,[5]]=] },
    { "$[?@.b == @.c]", [=[1,"b",null,true,[5]]=] },
    { "$[?@.b >= @.c]", [=[1,"b",null,true,[5]]=] },
    { "$[?@.b <= @.c]", all },
    { "$[?@.b < @.c]", [[{"b":1,"c":2}]] },
    { "$[?@.b > @.c || @.b != @.c]", [[{"b":1,"c":2}]] },
    { "$[?@.b == null || @.c == true]", "" },
    { "$[?@.b == 1 && @.c == 2]", [[{"b":1,"c":2}]] },
    { "$[?@.b == 1 && @ != 1]", [[{"b":1,"c":2}]] },
    { "$[?@.b == 1 || @ == 1]", [[1,{"b":1,"c":2}]] },
    { "$[?!(@.b == 1 || @.c)]", [=[1,"b",null,true,[5]]=] },
    { "$[?@.b != $[0]]", [=[1,"b",null,true,[5]]=] },
    { "$[?@.b == $[9]]", [=[1,"b",null,true,[5]]=] },
    { "$[?length(@.b) == length(@.c)]", all },
    { "$[?match(@.b, 'b')]", "" },
    { "$[?!search(@.b, $[1])]", all },
    { "$[?@..b]", [[{"b":1,"c":2}]] },
    { "$[?@ == 'b' || @]['b']", "1" },
    { "$[*]['b', 'c', 0]", "1,2,5" },
    { "$[?count(@[*]) == 0]", [=[1,"b",null,true]=] },
    { "$[?count($[*].b) == 1]", all },
  })
end

-- sections 2.4.4 to 2.4.9
function TestQuery:test_functions()
  check([=[[{"color":"red"},[1,2,3],"\ud834\udd1e\u00e9",{"a":{"color":"red"},"b":{"color":"blue"}},null,7,{}]]=], {
    { "$[?length(@) < 3]", [[{"color":"red"},"\ud834\udd1e\u00e9",{"a":{"color":"red"},"b":{"color":"blue"}},{}]] },
    { "$[?length(@) == 3]", "[1,2,3]" },
    { "$[?length(@) == length(null)]", "null,7" },
    { "$[?count(@.*) == 1]", [[{"color":"red"}]] },
    { "$[?count(@..*) == 4]", [[{"a":{"color":"red"},"b":{"color":"blue"}}]] },
    { '$[?value(@..color) == "red"]', [[{"color":"red"}]] },
    { "$[?count($[*]) == 7 && @ == 7]", "7" },
    { "$[?length(value($[?@==7])) == length(@.x)]", [=[{"color":"red"},[1,2,3],"\ud834\udd1e\u00e9",{"a":{"color":"red"},"b":{"color":"blue"}},null,7,{}]=] },
  })
  check([=[[{"timezone":"Europe/Berlin"},{"timezone":"XEurope/X"},{"timezone":5},{}]]=], {
    { "$[?match(@.timezone, 'Europe/.*')]", [[{"timezone":"Europe/Berlin"}]] },
    { "$[?search(@.timezone, 'Europe/.*')]", [[{"timezone":"Europe/Berlin"},{"timezone":"XEurope/X"}]] },
    { "$[?!match(@.timezone, 'Europe/.*')]", [[{"timezone":"XEurope/X"},{"timezone":5},{}]] },
  })
end

-- sections 2.5.1.3, 2.5.2.3
function TestQuery:test_segments()
  check([=[["a","b","c","d","e","f","g"]]=], {
    { "$[0, 3]", [["a","d"]], "$[0] $[3]" },
    { "$[0:2, 5]", [["a","b","f"]], "$[0] $[1] $[5]" },
    { "$[0, 0]", [["a","a"]], "$[0] $[0]" },
  })
  check([=[{"o":{"j":1,"k":2},"a":[5,3,[{"j":4},{"k":6}]]}]=], {
    { "$..j", "1,4", "$['a'][2][0]['j'] $['o']['j']", any = true },
    { "$..[0]", [[5,{"j":4}]], "$['a'][0] $['a'][2][0]" },
    { "$..*", [=[{"j":1,"k":2},[5,3,[{"j":4},{"k":6}]],1,2,5,3,[{"j":4},{"k":6}],{"j":4},{"k":6},4,6]=], any = true },
    { "$..o", [[{"j":1,"k":2}]], "$['o']" },
    { "$.o..[*, *]", "1,2,2,1", any = true },
    { "$.a..[0, 1]", [[5,3,{"j":4},{"k":6}]], "$['a'][0] $['a'][1] $['a'][2][0] $['a'][2][1]" },
  })
end

-- sections 2.6.1 and 2.7.2
function TestQuery:test_null_and_normalized_paths()
  check([[{"a":null,"b":[null],"c":[{}],"null":1}]], {
    { "$.a", "null", "$['a']" }, { "$.a[0]", "" }, { "$.a.d", "" }, { "$.b[0]", "null", "$['b'][0]" },
    { "$.b[*]", "null" }, { "$.b[?@]", "null" }, { "$.b[?@==null]", "null" }, { "$.c[?@.d==null]", "" },
    { "$.null", "1", "$['null']" },
  })
  check([[{"a":{"b":[0,1,2]},"\u000b":3,"\b\t\n\f\r\u001f'\\\"\u007f\u2028":4}]], {
    { "$.a", [[{"b":[0,1,2]}]], "$['a']" },
    { "$.a.b[-3]", "0", "$['a']['b'][0]" },
    { "$.a.b[1:2]", "1", "$['a']['b'][1]" },
    { '$["\\u000B"]', "3", '$[\'\\u000b\']' },
    { '$["\\u0061"]', [[{"b":[0,1,2]}]], "$['a']" },
    { '$["\\b\\t\\n\\f\\r\\u001F\'\\\\\\"\\u007f\\u2028"]', "4",
      "$['\\b\\t\\n\\f\\r\\u001f\\'\\\\\"\127\226\128\168']" },
  })
end

-- ---- Lua tables ---------------------------------------------------------------------------------------------------

-- The results of a table are its own values.
function TestQuery:test_results_are_the_values_themselves()
  local f, inner = print, { 1 }
  local root = { a = inner, f = f, s = "[1]" }
  same(query "$.a"(root)[1], inner)
  same(query "$.f"(root)[1], f)
  same(query "$.s"(root)[1], "[1]")
  same(query "$"(root)[1], root)
  same(#query "$..*"(root), 4)
  same(query "$"(5)[1], 5)
  same(query "$"(false)[1], false)
  same(query "$"(fleece.null)[1], fleece.null)
  same(query "$"('"text"')[1], "text")
  same(query "$[?@ == 'x']"(fleece.array { "x", "y" })[1], "x")
end

-- What is an array and what an object is what encode says.
function TestQuery:test_arrays_and_objects()
  same(#query "$[0]" {}, 0)
  same(#query "$[?length(@) == 0]" { a = {}, b = fleece.object {}, c = fleece.array {}, d = { 1 } }, 3)
  same(query "$['1']"(fleece.object { "x" })[1], "x")
  same(query "$[0]"(fleece.object { "x" })[1], nil)
  same(query "$['1']" { "x" }[1], nil)
  same(query "$.x"(fleece.array { 1, x = 2 })[1], nil)
  local sparse = fleece.new { sparse = "null" }
  same(sparse.query "$[1]" { 1, nil, 3 }[1], fleece.null)
  same(#sparse.query "$[?@ == null]" { 1, nil, 3 }, 1)
  same(query "$['3']" { 1, nil, 3 }[1], 3) -- an object, as encode writes it
  same(query "$[0]" { "x", y = 1 }[1], nil) -- both kinds of keys: an object
  same(query "$['1']" { "x", y = 1 }[1], "x")
  same(query "$['1.5']" { [1.5] = "x", y = 1 }[1], "x")
  same(query "$.*":paths { [1.5] = "x" }[1], "$['1.5']")
  same(query "$[0]"(setmetatable({ "x" }, { __jsontype = "object" }))[1], nil)
  same(query "$[0]"(setmetatable({ "x" }, { __jsontype = "array" }))[1], "x")
  local object = fleece.new { empty_table = "object" }
  local lists = { { {} }, { fleece.array() } }
  same(#object.query "$[?@[0] == $[1][0]]"(lists), 1)
  same(#query "$[?@[0] == $[1][0]]"(lists), 2)
  same(#query "$.*" { [true] = 1, x = 2 }, 1)
end

-- Metamethods are not called.
function TestQuery:test_no_metamethods()
  local function no() error "called" end
  local t = setmetatable({ a = setmetatable({ 1, 2 }, { __len = no, __pairs = no, __index = no, __tojson = no, __eq = no }) },
    { __index = no, __pairs = no })
  same(query "$.a[-1]"(t)[1], 2)
  same(#query "$..*"(t), 3)
  same(#query "$[?@ == $.a]"(t), 1)
end

function TestQuery:test_equal_structures()
  local function equal(a, b)
    local by_tables = #query "$[?@.x == $.y.x]" { x = 1, y = { x = b }, z = { x = a } } == 2
    local text = fleece.encode { y = { x = b }, z = { x = a } }
    same(#query "$[?@.x == $.y.x]"(text) == 2, by_tables, text)
    same(#query "$[?@.x == $.y.x]"(fleece.lazy(text)) == 2, by_tables, text)
    return by_tables
  end
  lu.assertTrue(equal({ 1, { a = { 2, fleece.null } } }, { 1.0, { a = { 2, fleece.null } } }))
  lu.assertFalse(equal({ 1, 2 }, { 2, 1 }))
  lu.assertFalse(equal({ 1, 2 }, { 1, 2, 3 }))
  lu.assertFalse(equal({ a = 1 }, { a = 1, b = 2 }))
  lu.assertFalse(equal({ a = 1, c = 2 }, { a = 1, b = 2 }))
  lu.assertFalse(equal({ a = { b = 1 } }, { a = { b = "1" } }))
  lu.assertTrue(equal(fleece.object { "x" }, { ["1"] = "x" }))
  lu.assertFalse(equal(fleece.object { "x" }, { "x" }))
  lu.assertFalse(equal(fleece.object(), fleece.array()))
  local nan = 0 / 0
  same(#query "$[?@ == @]" { nan, { nan } }, 1) -- a value is itself; a number that is not one is not
end

function TestQuery:test_exact_numbers_and_other_nulls()
  local exact = fleece.new { numbers = "exact" }
  same(#exact.query "$[?@ > 1.5]" "[1.50, 1.51, 12345678901234567890123]", 2)
  local null = {}
  local q = fleece.query("$[?@ == null]", { null = null })
  same(q "[1,null]"[1], null)
  same(q { 1, null }[1], null)
  same(q { 1, fleece.null }[1], fleece.null)
  same(#query("$.*", { comments = true }) "[1, /* two */ 2]", 2)
end

-- ---- views and documents --------------------------------------------------------------------------------------------

function TestQuery:test_views()
  local doc = fleece.open(fleece.from_json [[{"people":[{"name":"Ada","age":36},{"name":"Bob","age":50}],"n":18446744073709551615}]])
  local found = query "$.people[?@.age > 40]"(doc)
  same(#found, 1)
  same(found[1].name, "Bob")
  same(fleece.type(found[1]), "dict")
  same(query "$[0].name"(doc.people)[1], "Ada") -- a part
  same(table.concat(query "$[*].name":paths(doc.people), " "), "$[0]['name'] $[1]['name']")
  same(#query "$[?@ > 18446744073709551614]"(doc), 1)
  same(#query "$[?@ > 18446744073709551615]"(doc), 0)
  same(#query "$[?@ == $.n]"(doc), 1)
  local keys = fleece.keys()
  local shared = fleece.open(fleece.pack({ { name = 1 }, { name = 2 } }, { keys = keys }), { keys = keys })
  same(table.concat(query "$[*].name"(shared), " "), "1 2")
  same(table.concat(query "$[*].*":paths(shared), " "), "$[0]['name'] $[1]['name']")
  local file = fleece.open(fleece.pack(fleece.decode "[[1],[2]]"))
  same(#query "$..*"(file), 4)
end

function TestQuery:test_each_may_change_the_value()
  local t = { a = 1, b = 2, c = { 3 } }
  local n = 0
  for _, path in query "$..*":each(t) do
    n = n + 1
    t[path] = n -- what is found was found before
  end
  same(n, 4)
end

function TestQuery:test_queries_as_values()
  local q = query "$.a"
  same(tostring(q), "$.a")
  same(type(q), "userdata")
  local all = {}
  for i = 1, 3 do all[i] = query("$[" .. i - 1 .. "]") end
  same(all[2] { 5, 6, 7 }[1], 6)
  same(q { a = 1 }[1], 1)
  same(fleece.new({}).query "$.a" { a = 1 }[1], 1)
  same(T.safe.query "$.a" { a = 1 }[1], 1)
  local routine = coroutine.wrap(function() for v in query "$[*]":each { 1, 2 } do coroutine.yield(v) end end)
  same(routine() + routine(), 3)
end
