-- SPDX-License-Identifier: MIT
-- test_edit.lua -- fleece.edit: a text with some values changed. Expected texts are written by hand, come from the model
-- in support/edit_model.lua, or from decode, the same change of the value, and decode of the result. Values are written
-- by both walks.

local T = require "support"
local model = require "edit_model"
local R = require "random_text"
local lu, fleece, safe, same, random = T.lu, T.fleece, T.safe, T.same, T.random
local null = fleece.null

TestEdit = {}

-- edit with the whole text tested, with only the way tested, and over the public API: all agree.
local function edit(text, changes, options)
  local result = fleece.edit(text, changes, options)
  same(fleece.edit(text, changes, T.merged(options, { test = "read" })), result, "test = 'read'")
  same(T.api.edit(text, changes, options), result, "API walk")
  for name, codec in pairs(T.other_cpus) do same(codec.edit(text, changes, options), result, name) end
  same(safe.edit(text, changes, options), result, "safe")
  return result
end

-- Cases { text, result, change ... }, with these options.
local function check(cases, options)
  T.each(cases, function(case)
    local changes = {}
    for i = 3, #case do changes[i - 2] = case[i] end
    same(edit(case[1], changes, options), case[2])
  end)
end

-- ---- each operation -----------------------------------------------------------------------------------------------

function TestEdit:test_set()
  check {
    { '{"a":1.0,"b":2}', '{"a":7,"b":2}', { "set", "/a", 7 } },
    { '{"a":1.0,"b":2}', '{"a":1.0,"b":[true,null]}', { "set", "b", { true, null } } },
    { '{"a":1.0}', '{"a":1.0,"b":"x"}', { "set", "b", "x" } },
    { "{}", '{"":0}', { "set", "/", 0 } },
    { "[1,2]", "[1,9]", { "set", "/1", 9 } },
    { "[1,2]", "[1,2,9]", { "set", "/2", 9 } },
    { "[1,2]", "[1,2,9]", { "set", "/-", 9 } },
    { "[1,2]", "[1,9]", { "set", "[-1]", 9 } },
    { "[1,2]", "[9,2]", { "set", "[-2]", 9 } },
    { ' [1,{"a":[1, 2]}]\n', ' [1,{"a":[1, {"x":"y"}]}]\n', { "set", "[1].a[1]", { x = "y" } } },
    { " [1] \n", " 2 \n", { "set", "", 2 } },
    { "true", "[]", { "set", "", {} } },
    { "[1]", "[2,3]", { "set", "", {} }, { "append", "", 2 }, { "append", "$", 3 } },
    { '{"a":"x"}', '{"a":false}', { "set", fleece.path "a", false } },
    { '{"a/b":{"~":1}}', '{"a/b":{"~":2}}', { "set", "/a~1b/~0", 2 } },
    { '{"a.b":1}', '{"a.b":2}', { "set", "a\\.b", 2 } },
    { '{"\\u0061":1,"\\"":2}', '{"\\u0061":3,"\\"":4}', { "set", "a", 3 }, { "set", '/"', 4 } },
    { '{"a\\\\b":1}', '{"a\\\\b":1,"a\\b":2}', { "set", "/a\b", 2 } },
    { '{"a":1e400,"b":-0.00}', '{"a":1e400,"b":0}', { "set", "b", 0 } },
    { '{"1":1}', '{"1":2}', { "set", "/1", 2 } },
  }
end

function TestEdit:test_insert()
  check {
    { "[1,2]", "[9,1,2]", { "insert", "/0", 9 } },
    { "[1,2]", "[1,9,2]", { "insert", "[1]", 9 } },
    { "[1,2]", "[1,9,2]", { "insert", "[-1]", 9 } },
    { "[1,2]", "[1,2,9]", { "insert", "/2", 9 } },
    { "[]", "[9]", { "insert", "/-", 9 } },
    { "[ ]", "[9]", { "insert", "[0]", 9 } },
    { '{"a":1}', '{"a":1,"b":9}', { "insert", "b", 9 } },
    { "[]", "[1,2,3]", { "insert", "/0", 3 }, { "insert", "/0", 1 }, { "insert", "/1", 2 } },
  }
end

function TestEdit:test_append()
  check {
    { "[]", "[1]", { "append", "", 1 } },
    { '{"a":[1]}', '{"a":[1,2,3]}', { "append", "a", 2 }, { "append", "/a", 3 } },
    { "[[[]]]", "[[[null]]]", { "append", "/0/0", null } },
  }
end

function TestEdit:test_remove()
  check {
    { "[1,2,3]", "[2,3]", { "remove", "/0" } },
    { "[1,2,3]", "[1,3]", { "remove", "/1" } },
    { "[1,2,3]", "[1,2]", { "remove", "[-1]" } },
    { "[1]", "[]", { "remove", "/0" } },
    { " { } ", " {} ", { "set", "a", 1 }, { "remove", "a" } },
    { '{"a":1,"b":{"c":2}}', '{"b":{}}', { "remove", "b.c" }, { "remove", "a" } },
    { "[1,2,3]", "[]", { "remove", "/0" }, { "remove", "/0" }, { "remove", "/0" } },
  }
end

-- Where pick finds nothing, nothing happens: the text stays byte for byte, and later changes are made.
function TestEdit:test_discard()
  check {
    { "[1,2,3]", "[1,3]", { "discard", "/1" } },
    { "[1,2,3]", "[1,2]", { "discard", "[-1]" } },
    { '{"a":1,"b":{"c":2}}', '{"b":{}}', { "discard", "b.c" }, { "discard", "a" }, { "discard", "b.c" } },
    { '{"a":[{"b":1}]}', '{"a":[{}]}', { "discard", "a[1].b" }, { "discard", "/a/0/b" }, { "discard", "/a/0/b/c" } },
    { '{"a":1,"x":[]}', '{"x":[2]}', { "discard", "a" }, { "discard", "y" }, { "append", "x", 2 } },
  }
  for _, text in ipairs { "{}", "[]", "null", "7", '"a"', ' { "b" : [ 1.50 , { "a" : 2 } ] , "c" : null , "\\u0062c": "" } \n' } do
    for _, path in ipairs { "a", "/a/b", "c.d", "b.a", "b[2]", "b[-3]", "/b/-", "/b/01", "[0]", "[-1][0]", "b[0].x", "b[1].b", "bc.a" } do
      check { { text, text, { "discard", path } } }
    end
  end
  -- a name twice on the path, and a text that is wrong, are errors: whoever removes secrets must not pass them on
  for text, words in pairs {
    ['{"a":1,"a":2}'] = "several members", ['{"b":{"a":1,"\\u0061":2}}'] = "several members", ['{"a":1,}'] = "expected a string",
    ["{'a':1}"] = "expected a string", [""] = "empty text", ['{"a":1'] = "unexpected end", ['{"a":1}}'] = "after the value",
  } do
    T.fails_with(words, safe.edit, text, { { "discard", "a" }, { "discard", "b.a" } })
  end
  T.raises_with("change 1 (discard ''): the whole text", fleece.edit, "{}", { { "discard", "" } })
end

function TestEdit:test_a_change_sees_those_before_it()
  check {
    { "{}", '{"a":{"b":[1,{"c":2}]}}', { "set", "a", {} }, { "set", "", fleece.raw "{}" },
      { "set", "a", fleece.object {} }, { "insert", "a.b", {} }, { "append", "a.b", 1 }, { "append", "a.b", { c = 2 } } },
    { '{"a":[0]}', '{"a":[0,[5]]}', { "append", "a", { 1, 2, 3 } }, { "remove", "a[1][0]" }, { "remove", "a[1][-1]" },
      { "set", "a[1][0]", 5 } },
    { "[1,2,3,4]", "[4]", { "remove", "/0" }, { "remove", "/0" }, { "remove", "/0" } },
  }
  same(fleece.edit(" [1 ] ", {}), " [1 ] ")
end

-- ---- style --------------------------------------------------------------------------------------------------------

local INDENTED = [[
{
  "name": "x",
  "list": [
    1,
    2
  ],
  "empty": {},
  "none": [],
  "short": [1, 2]
}
]]

function TestEdit:test_indented()
  check {
    { INDENTED, (INDENTED:gsub('"short": %[1, 2%]', '%0,\n  "new": true')), { "set", "new", true } },
    { INDENTED, (INDENTED:gsub("2\n  %]", "2,\n    3\n  ]")), { "append", "list", 3 } },
    { INDENTED, (INDENTED:gsub("1,\n", "0,\n    %0", 1)), { "insert", "list[0]", 0 } },
    { INDENTED, (INDENTED:gsub("    1,\n", "", 1)), { "remove", "list[0]" } },
    { INDENTED, (INDENTED:gsub(",\n    2", "", 1)), { "remove", "list[1]" } },
    { INDENTED, (INDENTED:gsub('  "name": "x",\n', "")), { "remove", "name" } },
    { INDENTED, (INDENTED:gsub(',\n  "short": %[1, 2%]', "")), { "remove", "short" } },
    { INDENTED, (INDENTED:gsub('{}', '{\n    "a": 1,\n    "b": 2\n  }')), { "set", "empty.a", 1 }, { "set", "empty.b", 2 } },
    { INDENTED, (INDENTED:gsub('"none": %[%]', '"none": [\n    1\n  ]')), { "append", "none", 1 } },
    { INDENTED, (INDENTED:gsub('1, 2%]', '1, 2, 3]')), { "append", "short", 3 } },
    { INDENTED, (INDENTED:gsub('1, 2%]', '0, 1, 2]')), { "insert", "short[0]", 0 } },
    { INDENTED, (INDENTED:gsub('%[1, 2%]', '[2]')), { "remove", "short[0]" } },
    { "{\r\n\t\"a\": {}\r\n}", "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t}\r\n}", { "set", "a.b", 1 } },
    { "[\n  1\n]", "[\n  0,\n  1\n]", { "insert", "/0", 0 } },
    { "[\n  1\n]", "[]", { "remove", "/0" } },
  }
end

function TestEdit:test_separators()
  check {
    { '{"a": 1}', '{"a": 1, "b": 2}', { "set", "b", 2 } },
    { '{"a" : 1 , "b" : 2 }', '{"a" : 1 , "b" : 2, "c" : 3 }', { "set", "c", 3 } },
    { '{"a": [1]}', '{"a": [1, 2]}', { "append", "a", 2 } },
    { '{"a":[1]}', '{"a":[1,2]}', { "append", "a", 2 } },
    { "[ 1 ]", "[ 1, 2 ]", { "append", "", 2 } },
    { '{"a": {}}', '{"a": {"b": 1}}', { "set", "a.b", 1 } },
    { "[[1], [2]]", "[[1], [2, 3]]", { "append", "/1", 3 } },
    { "[1, 2]", "[0, 1, 2]", { "insert", "/0", 0 } },
    { "[1]", "[0,1]", { "insert", "/0", 0 } },
    { "[ 1, 2 ]", "[ 2 ]", { "remove", "/0" } },
    { "[ 1, 2 ]", "[ 1 ]", { "remove", "/1" } },
    { "[ 1 ]", "[]", { "remove", "/0" } },
  }
end

function TestEdit:test_options_of_values()
  same(edit("[0]", { { "append", "", { b = 1, a = "é/" } } }, { sort_keys = true, ascii = true, escape_slash = true }),
    '[0,{"a":"\\u00e9\\/","b":1}]')
  same(edit("{}", { { "set", "é/", 0.5 } }, { ascii = true }), '{"\\u00e9/":0.5}')
  same(edit("[0]", { { "set", "/0", 1 / 3 } }, { precision = 3 }), "[0.333]")
  same(edit("[0]", { { "set", "/0", 0 / 0 } }, { invalid_numbers = "null" }), "[null]")
  same(edit("[0]", { { "set", "/0", fleece.raw " [1.50, 2]" } }), "[ [1.50, 2]]")
  same(edit("[0]", { { "set", "/0", fleece.open(fleece.from_json '{"x":[1]}').root.x } }), "[[1]]")
  same(edit("[0]", { { "set", "/0", T.hooked(function() return '"hook"' end) } }), '["hook"]')
  same(edit("[0]", { { "set", "/0", print } }, { on_error = function() return "?" end }), '["?"]')
  same(edit('{\n  "a": 1,\n  "b": [\n    1\n  ]\n}', { { "set", "a", { 1, { 2 } } }, { "append", "b", { x = 1 } } }, { indent = 2 }),
    '{\n  "a": [\n    1,\n    [\n      2\n    ]\n  ],\n  "b": [\n    1,\n    {\n      "x": 1\n    }\n  ]\n}')
  same(edit("[1]", { { "set", "", { 1 } } }, { indent = 2 }), "[\n  1\n]")
end

-- ---- grammars beyond JSON -----------------------------------------------------------------------------------------

function TestEdit:test_comments()
  local list = "[ // list\n  1, // one\n  // two\n  2, /* b */ 3 // three\n]"
  check({
    { list, (list:gsub("3", "4")), { "set", "/2", 4 } },
    { list, (list:gsub("3 // three", "3, // three\n 4")), { "append", "", 4 } },
    { list, (list:gsub("  1,", "  0,\n  1,")), { "insert", "/0", 0 } },
    { list, (list:gsub("  // two", "  9,\n%0")), { "insert", "/1", 9 } },
    { list, (list:gsub("1, // one", "// one")), { "remove", "/0" } },
    { list, (list:gsub("2, /%* b", "/* b")), { "remove", "/1" } },
    { "[/* none */]", "[/* none */1]", { "append", "", 1 } },
    { "[// none\n]", "[// none\n1]", { "append", "", 1 } },
    { "[1 // one\n]", "[ // one\n]", { "remove", "/0" } },
    { "[1,//x\n2]", "[1//x\n]", { "remove", "/1" } },
    { "[1,//x\n2,3]", "[1,//x\n3]", { "remove", "/1" } },
    { '{"a"/*n*/:/*v*/1}', '{"a"/*n*/:/*v*/1,"b":2}', { "set", "b", 2 } },
    { '{"a":/*v*/ 1}', '{"a":/*v*/ 1, "b": 2}', { "set", "b", 2 } },
    { "/* before */ [1] // after", "/* before */ 2 // after", { "set", "", 2 } },
    { "[[1,2/*]*/],//[\n3]", "[[1,2/*]*/],//[\n4]", { "set", "/1", 4 } },
  }, { comments = true })
end

-- Whatever is changed: comments stay, and the text can be read.
function TestEdit:test_random_comments()
  local blanks = { "", " ", "\n", "// c@\n", " /* c@ */ ", "\n  // c@\n  ", "/* c@ *//* c@ */", "\t" }
  T.random_rounds(400, function()
    local count = 0
    local function blank()
      return (T.pick(blanks):gsub("@", function() count = count + 1 return tostring(count) .. "." end))
    end
    local parts, n, is_object = {}, random(0, 4), random(0, 1) == 1
    for i = 1, n do
      parts[i] = blank() .. (is_object and ('"k%d":'):format(i) or "") .. i .. blank()
    end
    local trailing = n > 0 and random(0, 2) == 0 and "," .. blank() or ""
    local body = n > 0 and table.concat(parts, ",") .. trailing or blank()
    local text = is_object and "{" .. body .. "}" or "[" .. body .. "]"
    local options = { comments = true, trailing_commas = true }
    local value = fleece.decode(text, options)
    for _ = 1, random(1, 5) do
      local kind = random(1, 3)
      if is_object then
        local name = "k" .. random(1, 6)
        if value[name] and kind == 1 then
          text = edit(text, { { "remove", name } }, options)
          value[name] = nil
        else
          text = edit(text, { { "set", name, 77 } }, options)
          value[name] = 77
        end
      elseif #value > 0 and kind == 1 then
        local at = random(1, #value)
        text = edit(text, { { "remove", "/" .. at - 1 } }, options)
        table.remove(value, at)
      else
        local at = random(1, #value + 1)
        text = edit(text, { { "insert", "/" .. at - 1, 88 } }, options)
        table.insert(value, at, 88)
      end
      local got = fleece.decode(text, options)
      if not T.is_equal(got, value) then lu.fail(text) end
      local left = 0
      for _ in text:gmatch "c%d+%." do left = left + 1 end
      lu.assertEquals(left, count, text)
    end
  end)
end

function TestEdit:test_json5()
  check({
    { "{a:1,'b':[1,],}", "{a:\"x\",'b':[1,2,],\"c\":3,}", { "set", "a", "x" }, { "append", "b", 2 }, { "set", "c", 3 } },
    { "{a:1,'b':[1,],}", "{a:1,}", { "remove", "b" } },
    { "[1,]", "[]", { "remove", "/0" } },
    { "[1,2,]", "[1,]", { "remove", "/1" } },
    { "{\\u0061:+.5,'it\\'s':0x1F}", "{\\u0061:1,'it\\'s':2}", { "set", "a", 1 }, { "set", "it's", 2 } },
    { "['a\\\n]',NaN,-Infinity]", "['a\\\n]',NaN,0]", { "set", "/2", 0 } },
    { "[{x:']}'},/*]*/1]", "[{x:']}'},/*]*/2]", { "set", "/1", 2 } },
  }, { json5 = true })
end

function TestEdit:test_bom()
  same(edit("\239\187\191[1]", { { "append", "", 2 } }, { bom = true }), "\239\187\191[1,2]")
  T.raises_with("byte order mark", fleece.edit, "\239\187\191[1]", { { "append", "", 2 } })
end

-- ---- errors -------------------------------------------------------------------------------------------------------

function TestEdit:test_errors()
  local cases = {
    { '{"a":1}', "change 2 (set '/b/c'): there is no such member at step 1, 'b'", { "set", "/a", 2 }, { "set", "/b/c", 1 } },
    { '{"a":1}', "change 1 (remove 'b'): there is no such member", { "remove", "b" } },
    { '{"a":{}}', "change 1 (append 'a'): no array is there", { "append", "a", 1 } },
    { '{"a":1}', "change 1 (append 'a'): no array is there", { "append", "a", 1 } },
    { '{"a":1}', "change 1 (set 'a.b.c'): no array or object is there at step 2, 'b'", { "set", "a.b.c", 1 } },
    { '{"a":1}', "change 1 (insert 'a'): there is such a member already", { "insert", "a", 1 } },
    { '{"a":1,"a":2}', "change 1 (set 'a'): there are several members of this name", { "set", "a", 1 } },
    { '{"a":1,"a":2}', "change 1 (insert 'a'): there are several members of this name", { "insert", "a", 1 } },
    { '{"a":[1]}', "change 1 (set 'a[2]'): there is no such item at step 2, [2]", { "set", "a[2]", 1 } },
    { "[1]", "change 1 (set '[-2]'): there is no such item", { "set", "[-2]", 1 } },
    { "[1]", "change 1 (insert '/2'): there is no such item", { "insert", "/2", 1 } },
    { "[1]", "change 1 (remove '/1'): there is no such item", { "remove", "/1" } },
    { "[1]", "change 1 (remove '/-'): there is no such item", { "remove", "/-" } },
    { "[1]", "change 1 (set 'a'): an array needs an index", { "set", "a", 1 } },
    { "[1]", "change 1 (set '/01'): an array needs an index", { "set", "/01", 1 } },
    { '{"0":1}', "change 1 (set '[0]'): an object needs a name, not an index", { "set", "[0]", 1 } },
    { "[1]", "change 1 (insert ''): the whole text can be set, not inserted or removed", { "insert", "", 1 } },
    { "[1]", "change 1 (remove '$'): the whole text can be set, not inserted or removed", { "remove", "$" } },
    { "[1]", "change 1 (set ''): cannot encode a function at .x", { "set", "", { x = print } } },
    { "{}", "change 1 (set '/a'): invalid UTF-8", { "set", "/a", "\255" } },
  }
  T.each(cases, function(case)
    local changes = {}
    for i = 3, #case do changes[i - 2] = case[i] end
    T.raises_with(case[2], fleece.edit, case[1], changes)
    T.raises_with(case[2], fleece.edit, case[1], changes, { test = "read" })
    T.fails_with(case[2], safe.edit, case[1], changes)
  end)
  T.raises_with("change 1 (remove '" .. ("x"):rep(100) .. "...'): ", fleece.edit, "{}", { { "remove", ("x"):rep(101) } })
  -- the position is that of the container or value
  local _, _, position = safe.edit(' {"a": [1]}', { { "remove", "/a/1" } })
  T.equal(position, { kind = "change", byte = 8 })
end

function TestEdit:test_bad_arguments()
  local function bad(what, changes, ...)
    T.raises_with("bad argument #2 to 'edit' (" .. what, fleece.edit, "[]", changes, ...)
    T.raises_with("bad argument #2 to 'edit' (" .. what, safe.edit, "[]", changes, ...)
  end
  bad("table expected, got nil)")
  bad("change 1: a table { operation, path, value } expected)", { "set", "", 1 })
  bad("change 2: its first item must be \"set\", \"insert\", \"append\", \"remove\" or \"discard\")", { { "append", "", 1 }, { "add", "", 1 } })
  bad("change 1: path expected)", { { "set", 1, 1 } })
  bad("change 1: path expected)", { { "remove" } })
  bad("change 1: not a JSON pointer)", { { "remove", "/~2" } })
  bad("change 1: not a key path: wrong at byte 2)", { { "remove", "a[" } })
  bad("change 1: its value is nil; fleece.null writes null)", { { "set", "" } })
  bad("a list of changes expected, got table)", { op = "remove" })
  T.bad_argument(3, "unknown option 'colours'", "edit", "1", {}, { colours = 1 })
  T.bad_argument(3, "option 'test' must be one of \"all\", \"read\"", "edit", "1", {}, { test = "some" })
  T.bad_argument(3, "option 'duplicates' has no effect here", "edit", "1", {}, { duplicates = "last" })
end

local function message(f, ...) return (T.error_of(f, ...):gsub("^.-:%d+: ", "")) end

function TestEdit:test_wrong_texts()
  for _, text in ipairs { "", " ", "[1", "[1]]", "[1] 2", "{\"a\":1,}", "[01]", "[\"\255\"]", "[\"\\ud800\"]", "nul", "[1,]",
    "{'a':1}", "[1 /**/]", "\239\187\191[]", "[NaN]", "{\"a\" 1}", ("["):rep(1001) .. ("]"):rep(1001) } do
    same(message(fleece.edit, text, { { "set", "", 1 } }), message(fleece.decode, text), text)
    local _, expected, place = safe.decode(text)
    T.returns({ nil, expected, place, n = 3 }, safe.edit, text, { { "set", "", 1 } })
  end
  T.raises_with("text too long", fleece.edit, "[1,2]", {}, { max_bytes = 4 })
  T.raises_with("nesting too deep", fleece.edit, "[[1]]", {}, { max_depth = 1 })
  same(edit('["\255"]', { { "append", "", 1 } }, { invalid_utf8 = "pass" }), '["\255",1]')
  same(edit("[NaN]", { { "append", "", 1 } }, { invalid_numbers = "literal" }), "[NaN,1]")
end

-- With test = "read" only the containers on the way count.
function TestEdit:test_read()
  local read = { test = "read" }
  same(fleece.edit('[["\255",01],{"a":1}]', { { "set", "/1/a", 2 } }, read), '[["\255",01],{"a":2}]')
  T.each({ "", "[1", "[1] 2", "[1]]", "[1,]", "[1 2]", "[1,,2]", "]" }, function(text)
    T.raises_with(" at line 1", fleece.edit, text, { { "append", "", 2 } }, read)
  end)
  T.each({ "{}}", '{"a":1,}', '{"a" 1}', '{"a":}', "{1:2}", '{"a":1 "b":2}', '{"a":1', '{"a:1}', "{", '{"a":1]', '{"a":[}' },
    function(text) T.raises_with(" at line 1", fleece.edit, text, { { "set", "b", 2 } }, read) end)
  T.raises_with("several members", fleece.edit, '{"a":1,"a":2}', { { "set", "a", 1 } }, read)
  -- What is wrong between the items of such a container is told as decode tells it.
  T.each({ "[1]]", "[1],2]", "[1,]", "[1 2]", "[1,,2]", "[1}]", "[1},2]" }, function(text)
    same(message(fleece.edit, text, { { "append", "", 2 } }, read), message(fleece.decode, text), text)
  end)
  T.each({ '{"a":1}}', '{"a":1},"b":2}', '{"a":1,}', '{"a":1 "b":2}', '{"a":1]}', '{"a" 1}', '{"a":}', "{1:2}" }, function(text)
    same(message(fleece.edit, text, { { "set", "b", 2 } }, read), message(fleece.decode, text), text)
  end)
end

function TestEdit:test_new_and_safe()
  local codec = fleece.new { comments = true, sort_keys = true, test = "read" }
  same(codec.edit("[01 /**/]", { { "append", "", { b = 1, a = 2 } } }), '[01, /**/{"a":2,"b":1}]')
  T.raises_with("invalid number", codec.edit, "[01]", {}, { test = "all" })
  T.fails_with("change 1 (remove 'x'): there is no such member", safe.new { comments = true }.edit, "{/**/}", { { "remove", "x" } })
end

-- ---- many changes, large and hostile texts --------------------------------------------------------------------------

function TestEdit:test_large_arrays()
  local n, items, changes = 8000, {}, {}
  for i = 1, n do items[i] = tostring(i) end
  local text = "[" .. table.concat(items, ",") .. "]"
  for i = 1, n do changes[i] = { "remove", i % 2 == 0 and "/0" or "[-1]" } end
  same(fleece.edit(text, changes), "[]")
  for i = 1, n do changes[i] = { "insert", "/0", -i } end
  local result = fleece.decode(fleece.edit(text, changes))
  for i = 1, n do
    if result[i] ~= i - n - 1 or result[n + i] ~= i then lu.fail(i) end
  end
  for i = 1, n do changes[i] = { "set", "/" .. (i * 7919) % n, i } end
  result = fleece.decode(fleece.edit(text, changes))
  for i = 1, n do same(result[(i * 7919) % n + 1], i) end
  for i = 1, n do changes[i] = { "append", "", i } end
  local built = fleece.edit("[]", changes)
  same(built, text)
  -- the same items, taken out and put in at random places
  local list = {}
  for i = 1, n do list[i] = i end
  for i = 1, 2000 do
    local from, to = random(1, #list), random(1, #list - 1)
    changes[2 * i - 1], changes[2 * i] = { "remove", "/" .. from - 1 }, { "insert", "/" .. to - 1, i }
    table.remove(list, from)
    table.insert(list, to, i)
  end
  for i = 4001, n do changes[i] = nil end
  same(fleece.edit(text, changes), "[" .. table.concat(list, ",") .. "]")
end

function TestEdit:test_large_objects()
  local n, members, changes, expected = 20000, {}, {}, {}
  for i = 1, n do members[i] = ('"k%d":%d'):format(i, i) end
  for i = 1, n do
    changes[i] = i % 3 == 0 and { "remove", "k" .. i } or { "set", "/k" .. i, -i }
    if i % 3 > 0 then expected[#expected + 1] = ('"k%d":%d'):format(i, -i) end
  end
  for i = 1, n do
    changes[n + i] = { "insert", "n" .. i, i }
    expected[#expected + 1] = ('"n%d":%d'):format(i, i)
  end
  same(fleece.edit("{" .. table.concat(members, ",") .. "}", changes), "{" .. table.concat(expected, ",") .. "}")
end

-- ---- random documents and changes -----------------------------------------------------------------------------------

local NAMES = { "a", "b", "id", "é", "", "7", "x/y", "~", "q\"" }

-- A random text of one of three styles.
local function random_document(depth, style, indent)
  local kind = random(1, depth > 0 and 8 or 3)
  if kind == 1 then return T.pick { "1", "-2.50e3", "true", "null", "100000000000000000000000" } end
  if kind <= 3 then return T.pick { '"x"', '"\\u00e9\\n"', '"a, [b]: {}"', '"\\"\\\\"' } end
  local parts, used, is_object = {}, {}, kind <= 5
  local space = style == "mixed" and function() return T.pick { "", "", " ", "\n", "\t" } end
  for _ = 1, random(0, 5) do
    local value = random_document(depth - 1, style, indent .. "  ")
    if is_object then
      local name = T.pick(NAMES)
      if used[name] and random(1, 10) > 1 then name = nil end
      if name then
        used[name] = true
        local shown = random(1, 5) == 1 and name == "a" and '"\\u0061"' or model.encode_name(name)
        value = shown .. (space and space() or "") .. ":" .. (space and space() or style == "compact" and "" or " ") .. value
      else value = nil end
    end
    if value then parts[#parts + 1] = space and space() .. value .. space() or value end
  end
  local open, close = is_object and "{" or "[", is_object and "}" or "]"
  if #parts == 0 then return open .. (space and space() or "") .. close end
  if style == "indented" then
    return open .. "\n" .. indent .. "  " .. table.concat(parts, ",\n" .. indent .. "  ") .. "\n" .. indent .. close
  end
  return open .. table.concat(parts, style == "spaced" and ", " or ",") .. close
end

-- A random path as a list of steps: mostly one that leads somewhere.
local function random_steps(value)
  local steps = {}
  while type(value) == "table" and random(1, 5) > 1 do
    local step
    if value[1] ~= nil and random(1, 12) > 1 then step = random(-#value, #value)
    elseif random(1, 8) == 1 then step = random(-1, 2)
    else step = T.pick(NAMES) end
    if type(step) == "string" and next(value) ~= nil and random(1, 3) > 1 then
      for _, name in ipairs(NAMES) do
        if value[name] ~= nil and random(1, 2) == 1 then step = name end
      end
    end
    steps[#steps + 1] = step
    if type(step) == "number" then value = value[step < 0 and #value + step + 1 or step + 1]
    else value = value[step] end
  end
  return steps
end

-- As a JSON pointer, or as a key path where names allow it.
local function path_of(steps)
  local pointer, path, can_point, can_path = {}, {}, true, #steps > 0
  for i, step in ipairs(steps) do
    if type(step) == "number" then
      can_point = can_point and step >= 0
      pointer[i], path[i] = "/" .. step, "[" .. step .. "]"
    else
      can_path = can_path and step ~= ""
      pointer[i] = "/" .. step:gsub("~", "~0"):gsub("/", "~1")
      path[i] = (i > 1 and "." or "") .. step:gsub('[^%w_]', "\\%0"):gsub("\\([\128-\255])", "%1")
    end
  end
  path = table.concat(path)
  if path:sub(1, 1) == "/" then can_path = false end
  if can_path and (random(1, 2) == 1 or not can_point) then
    return random(1, 3) == 1 and fleece.path(path) or path, false
  end
  return can_point and table.concat(pointer) or nil, true
end

-- The value after the change, or nil: it is an error. Only for steps that the model has accepted.
local function changed(value, operation, steps, new)
  if #steps == 0 and operation == "set" then return new end
  local container = value
  local function index(step) return type(step) == "number" and (step < 0 and #container + step or step) + 1 or step end
  for i = 1, operation == "append" and #steps or #steps - 1 do container = container[index(steps[i])] end
  if operation == "append" then table.insert(container, new)
  else
    local at = index(steps[#steps])
    if type(at) == "string" then
      container[at] = operation ~= "remove" and new or nil
    elseif operation == "remove" then table.remove(container, at)
    elseif operation == "insert" then table.insert(container, at, new)
    else container[at] = new end
  end
  return value
end

-- A value of a change: scalars as such, too, for which there is a shorter way.
local function value_of(text)
  local value = fleece.decode(text)
  if random(1, 2) == 1 or type(value) == "table" or value == fleece.null then return fleece.raw(text) end
  return value
end

function TestEdit:test_random_changes()
  local values = { "1", '"new"', "null", "[]", "[1,2]", '{"n":[3]}', "{}" }
  local decode = fleece.decode
  local done, refused = 0, 0
  T.random_rounds(1500, function()
    local style = T.pick { "compact", "spaced", "indented", "mixed" }
    local text = random_document(random(1, 4), style, "")
    if random(1, 4) == 1 then text = "\n" .. text .. " \n" end
    local changes, expected, value = {}, text, decode(text)
    for _ = 1, random(1, 12) do
      local steps, operation, new = random_steps(value), T.pick { "set", "insert", "append", "remove", "discard" }, T.pick(values)
      local removes = operation == "remove" or operation == "discard"
      local path, is_pointer = path_of(steps)
      if path then
        -- "7" and 7 are the same step of a pointer, which the model does not know
        local is_clear = true
        for _, step in ipairs(steps) do
          is_clear = is_clear and not (is_pointer and (type(step) == "number" or step == "7"))
        end
        local by_model = model.edit(expected, removes and "remove" or operation, steps, not removes and new or nil, decode)
        if by_model then
          done = done + 1
          changes[#changes + 1] = { operation, path, not removes and value_of(new) or nil }
          expected = by_model
          value = changed(value, removes and "remove" or operation, steps, decode(new))
          same(edit(text, changes), expected)
          if not T.is_equal(decode(expected), value) then lu.fail(expected) end
        elseif is_clear and operation == "discard" and #steps > 0 then
          local more = { T.unpack(changes) }
          more[#more + 1] = { operation, path }
          local result, message = safe.edit(text, more)
          if result then changes = more else T.contains(message, "several members") end
          if result then same(edit(text, more), expected) end
        elseif is_clear then
          refused = refused + 1
          local bad = { T.unpack(changes) }
          bad[#bad + 1] = { operation, path, fleece.raw(new) }
          T.raises_with(("change %d (%s '"):format(#bad, operation), fleece.edit, text, bad)
          T.raises_with(("change %d (%s '"):format(#bad, operation), fleece.edit, text, bad, { test = "read" })
        end
      end
    end
  end)
  lu.assertTrue(3 * done > refused, done .. " done, " .. refused .. " refused")
end

-- No text crashes it, and what it accepts decode accepts.
function TestEdit:test_random_damaged()
  local pieces = { "[", "]", "{", "}", ",", ":", '"', "\\", "1", "a", " ", "\n", "//", "/*", "'", "\255" }
  T.random_rounds(2000, function()
    local text = R.mutated(R.text(random(1, 3), 30), pieces)
    local changes = { { "append", "", 1 }, { "set", "id", 2 }, { "remove", "/0" }, { "insert", "/1", 3 }, { "set", "/id/x", 4 } }
    for _, options in ipairs { {}, { test = "read" }, { json5 = true }, { json5 = true, test = "read" } } do
      for i = 1, #changes do
        local ok, result = pcall(fleece.edit, text, { changes[i] }, options)
        local fine = pcall(fleece.decode, text, { json5 = options.json5, big_numbers = "string" })
        if ok and not options.test then
          lu.assertTrue(fine, text)
          lu.assertTrue((pcall(fleece.decode, result, { json5 = options.json5, big_numbers = "string" })), result)
        elseif not ok and not fine and not options.test then
          lu.assertStrContains(result, " at line ")
        end
      end
    end
  end)
end
