-- SPDX-License-Identifier: MIT
-- test_edit_limits.lua -- what edit and patches of texts make can be read by the same codec: depth, names that are not UTF-8.

local T = require "support"
local lu, fleece, safe, same = T.lu, T.fleece, T.safe, T.same

TestEditLimits = {}

-- `n` arrays in each other.
local function nested(n) return ("["):rep(n) .. ("]"):rep(n) end

-- { what, result or false, codec function, text, changes }: false is an error of the change. Read with max_depth = 3.
local function each_depth(cases)
  for _, layout in ipairs { "auto", "api" } do
    local options = { max_depth = 3, comments = true, layout = layout }
    T.each(cases, function(case)
      local made, message = safe.new(options)[case[1]](case[3], case[4])
      if case[2] then
        same(made, case[2], message)
        lu.assertNotNil(safe.decode(made, { max_depth = 3, comments = true }))
      else
        same(made, nil)
        T.contains(message, "nesting too deep")
        T.contains(message, "(max_depth allows more)")
        if case[5] then T.contains(message, case[5]) end
      end
    end)
  end
end

function TestEditLimits:test_depth_of_changes()
  local raw = fleece.raw
  each_depth {
    { "edit", '{"a":{"b":[1]}}', '{"a":{"b":1}}', { { "set", "a.b", { 1 } } } },
    { "edit", false, '{"a":{"b":1}}', { { "set", "a.b", { { 1 } } } }, "change 1 (set 'a.b')" },
    { "edit", false, '{"a":{"b":[]}}', { { "append", "a.b", {} } }, "change 1 (append 'a.b')" },
    { "edit", '{"a":{"b":[ "[[" ]}}', '{"a":{"b":[]}}', { { "set", "a.b", raw '[ "[[" ]' } } },
    { "edit", false, "[[0]]", { { "insert", "[0][0]", raw " [[]]" } }, "change 1" },
    { "edit", false, "[]", { { "append", "", { {} } }, { "append", "[0][0]", {} } }, "change 2" },
    { "edit", "[[{}]]", "[]", { { "append", "", { {} } }, { "set", "[0][0]", fleece.object {} } } },
    { "edit", "[[]]", "1", { { "set", "", raw "[[]]" } } },
    { "edit", false, "1", { { "set", "", raw "[[[[]]]]" } }, "change 1" },
    { "merge_patch", '{"a":{"b":[1]}}', '{"a":{"b":{}}}', { a = { b = { 1 } } } },
    { "merge_patch", false, '{"a":{"b":{}}}', { a = { b = { raw "[]" } } } },
    { "json_patch", '{"a":[[]],"b":1}', '{"a":[1],"b":1}', { { op = "replace", path = "/a/0", value = fleece.array {} } } },
    { "json_patch", false, '{"a":[[1]],"b":1}', { { op = "add", path = "/a/0/0", value = fleece.array {} } }, "operation 1" },
    { "json_patch", '{"a":{"b":[]},"d":{"c":[]}}', '{"a":{"b":[]},"d":{}}', '[{"op":"copy","from":"/a/b","path":"/d/c"}]' },
    { "json_patch", false, '{"a":{"b":[]},"d":{}}', '[{"op":"copy","from":"/a","path":"/d/c"}]', "operation 1" },
    -- what moves is looked at after all operations
    { "json_patch", '{"c":{"b":[]}}', '{"a":{"b":[]}}', '[{"op":"move","from":"/a","path":"/c"}]' },
    { "json_patch", false, '{"a":{"b":[]},"d":{}} // x', '[{"op":"move","from":"/a","path":"/d/c"}]', "the result: " },
    { "json_patch", '{"d":{"c":{}}}', '{"a":{"b":[]},"d":{}}', '[{"op":"move","from":"/a","path":"/d/c"},{"op":"remove","path":"/d/c/b"}]' },
    { "json_patch", false, '{"a":{"b":0},"d":{}}',
      '[{"op":"add","path":"/a/b","value":[]},{"op":"move","from":"/a","path":"/d/c"},{"op":"test","path":"/d/c/b","value":[]}]', "the result: " },
    { "json_patch", '{"a":{},"b":[[]]}', '{"a":{"b":[]}}', '[{"op":"move","from":"/a/b","path":"/b"},{"op":"add","path":"/b/0","value":[]}]' },
  }
end

-- The text itself is as deep as it may be, at the limit of every codec.
function TestEditLimits:test_depth_at_the_limit()
  for _, limit in ipairs { 1000, 1023, 1024, 1025, 1026, 5000 } do
    local options = { max_depth = limit }
    local text = '{"a":"' .. ("x"):rep(100) .. '"}'
    local big = fleece.new(options)
    local function deep(n) return big.decode(nested(n)) end
    same(big.edit(text, { { "set", "a", deep(limit - 1) } }), '{"a":' .. nested(limit - 1) .. "}")
    T.raises_with("change 1 (set 'a'): nesting too deep", big.edit, text, { { "set", "a", deep(limit) } })
    local json5 = fleece.new { max_depth = limit, json5 = true }
    same(json5.edit("{a:1}", { { "set", "a", deep(limit - 1) } }), "{a:" .. nested(limit - 1) .. "}")
    local wide = "{a:[" .. ("'['/*[*/,"):rep(2 * limit) .. "],b:{}}"
    T.contains(json5.json_patch(wide, '[{"op":"copy","from":"/a","path":"/b/c"}]'), ',b:{"c":[')
  end
end

-- ---- names that are not UTF-8 -------------------------------------------------------------------------------------

-- A name in a path is the one that encode would write: it is found in the text, and never there twice.
function TestEditLimits:test_names()
  local u, latin = "\239\191\189", "\195\191" -- U+FFFD, U+00FF
  T.each({
    { "replace", '{"a' .. u .. '":1}', '{"a' .. u .. '":2}', { "set", "a\255", 2 } },
    { "replace", '{"a\255":1}', '{"a\255":2}', { "set", "a\255", 2 } },
    { "replace", '{"a\255":1}', '{"a\255":2}', { "set", "/a" .. u, 2 } },
    { "replace", "{}", '{"a' .. u .. '":3}', { "set", "a\255", 2 }, { "set", fleece.path "a\254", 3 } },
    { "replace", '{"a' .. u .. '":{"b":1}}', '{"a' .. u .. '":{}}', { "remove", "/a\255/b" } },
    { "replace", '{"a' .. u .. '":[]}', '{"a' .. u .. '":["' .. u .. '"]}', { "append", "a\255", "\255" } },
    { "replace", '{"x":"\255"}', '{"x":"\255","y":1}', { "set", "y", 1 } }, -- bytes that no change touches stay
    { "escape", '{"a' .. latin .. '":1}', '{"a' .. latin .. '":2}', { "set", "a\255", 2 } },
    { "escape", '{"a\255":1}', '{}', { "remove", "a\255" } },
    { "pass", '{"a\255":1}', '{"a\255":2,"a' .. u .. '":3}', { "set", "a\255", 2 }, { "set", "a" .. u, 3 } },
  }, function(case)
    local changes = {}
    for i = 4, #case do changes[i - 3] = case[i] end
    for _, more in ipairs { {}, { test = "read" }, { layout = "api" } } do
      same(fleece.edit(case[2], changes, T.merged(more, { invalid_utf8 = case[1] })), case[3])
    end
  end)
  local twice = fleece.edit("{}", { { "set", "a\255", 1 }, { "set", "a\255", 2 } }, { invalid_utf8 = "pass", ascii = true })
  T.equal(fleece.decode(twice, { duplicates = "error" }), { ["a" .. latin] = 2 })
end

-- Without the option the error is about the path, and nothing of it is in the text.
function TestEditLimits:test_names_refused()
  local message = "the path is not UTF-8"
  T.fails("change 1 (set 'a\255'): " .. message, safe.edit, "{}", { { "set", "a\255", 1 } })
  T.fails("change 1 (append 'b.a\255'): " .. message .. " at step 2, 'a\255'", safe.edit, '{"b":1}', { { "append", "b.a\255", 1 } })
  T.fails("change 1 (remove 'a\255'): there is no such member", safe.edit, "{}", { { "remove", "a\255" } })
  same(safe.edit("{}", { { "discard", "a\255" } }), "{}")
end

-- edit; over the public API and on other CPUs the result is the same.
local function edited(text, changes)
  local result = fleece.edit(text, changes)
  same(T.api.edit(text, changes), result, "API walk")
  for name, codec in pairs(T.other_cpus) do same(codec.edit(text, changes), result, name) end
  return result
end

function TestEditLimits:test_hostile()
  local n = 100000
  -- many equal names, which no change is about
  local text = '{"b":[],' .. ('"a":1,'):rep(n) .. '"c":1}'
  local changes = {}
  for i = 1, 200 do changes[i] = { "append", "b", 1 } end
  same(fleece.edit(text, changes), (text:gsub("%[%]", "[" .. ("1,"):rep(199) .. "1]")))
  changes[201] = { "set", "a", 1 }
  T.raises_with("change 201 (set 'a'): there are several members", fleece.edit, text, changes)
  -- names full of escapes
  text = "{" .. ('"' .. ("\\u0061"):rep(20) .. '":1,'):rep(5000) .. '"z":1}'
  same(fleece.edit(text, { { "set", "z", 2 }, { "remove", "z" }, { "set", "z", 3 }, { "set", "z", 4 } }),
    (text:gsub('"z":1', '"z":4')))
  -- a deep text
  local deep = ("["):rep(500) .. "1" .. ("]"):rep(500)
  same(edited(deep, { { "set", ("/0"):rep(500), 2 } }), (deep:gsub("1", "2")))
  same(edited(deep, { { "append", ("[0]"):rep(499), 2 } }), (deep:gsub("1", "1,2")))
  -- much white space is not copied for each new item
  for _, blanks in ipairs { (" "):rep(1024), (" "):rep(1025) } do -- up to 1024 of them are copied
    same(edited("[1," .. blanks .. "2]", { { "append", "", 3 } }), "[1," .. blanks .. "2," .. (#blanks > 1024 and "" or blanks) .. "3]")
  end
  text = "[1," .. (" "):rep(n) .. "2]"
  changes = {}
  for i = 1, 100 do changes[i] = { "append", "", 3 } end
  lu.assertTrue(#fleece.edit(text, changes) < n + 1000)
  -- a path of many steps
  T.raises_with("there is no such member at step 1", fleece.edit, "{}", { { "set", ("/a"):rep(n), 1 } })
  T.raises_with("no array or object is there at step 1", fleece.edit, "0", { { "set", ("[0]"):rep(n), 1 } })
end
