-- SPDX-License-Identifier: MIT
-- test_wildcards.lua -- wildcards, quoted names and queries as places: in pick, edit and where they are refused.
-- runs: in one layout

local T = require "support"
local fleece, same = T.fleece, T.same

TestWildcards = {}

local TEXT = '{"people":[{"name":"Ann","tags":["a","b"]},{"age":1},{"name":"Bob","tags":[]},7,{"name":null,"tags":["c"]}],'
  .. '"o":{"x":{"n":1},"y":{"n":[1,2]},"z":3}}'

-- Paths, and what they find in TEXT, by hand.
local found = {
  ["people[*].name"] = '["Ann","Bob",null]',
  ["people[*].tags[*]"] = '["a","b","c"]',
  ["people[*].tags[-1]"] = '["b","c"]',
  ["people[*]"] = '[{"name":"Ann","tags":["a","b"]},{"age":1},{"name":"Bob","tags":[]},7,{"name":null,"tags":["c"]}]',
  ["people[-1].tags[*]"] = '["c"]',
  ["people[1].*"] = "[1]",
  ["o.*"] = '[{"n":1},{"n":[1,2]},3]',
  ["o.*.n"] = "[1,[1,2]]",
  ["o.*.n[*]"] = "[1,2]",
  ["*.x.n"] = "[1]",
  ["$.*.y.n[0]"] = "[1]",
  ["*[*].name"] = '["Ann","Bob",null]',
  ["$['people'][*]['name']"] = '["Ann","Bob",null]',
  ["nope[*]"] = "[]", ["people.*"] = "[]", ["o[*]"] = "[]", ["people[*].name.*"] = "[]", ["people[9][*]"] = "[]",
}

-- The same text in JSON5, with comments, names without quotes and trailing commas.
local LENIENT = "// c\n" .. TEXT:gsub('"(%a+)":', "%1 /*]*/ :"):gsub("%]", " , ]"):gsub("%[ , %]", "[]")

local function found_by(pick, text) return T.encode(pick(text), { sort_keys = true }) end

function TestWildcards:test_pick()
  for path, expected in pairs(found) do
    for _, options in ipairs { {}, { test = "read" }, { layout = "any-cpu" }, { duplicates = "first" }, { duplicates = "error" } } do
      same(found_by(fleece.pick(path, options), TEXT), expected, path)
    end
    for _, options in ipairs { { json5 = true }, { json5 = true, test = "read" } } do
      same(found_by(fleece.pick(path, options), LENIENT), expected, path)
    end
    local raw = fleece.pick(path, { raw = true })(TEXT)
    same("[" .. table.concat(raw, ",") .. "]", expected, path)
  end
end

function TestWildcards:test_several_paths()
  local name, first, tags, none = fleece.pick("people[*].name", "people[0].name", "people[*].tags[*]", "people[0].age")(TEXT)
  same(T.encode { name, first, tags }, '[["Ann","Bob",null],"Ann",["a","b","c"]]')
  same(none, nil)
  local fine, list = T.safe.pick "[*]" "[1,2]"
  same(fine, true)
  same(T.encode(list), "[1,2]")
end

-- The whole text is tested, as without wildcards; with "read" a value that is found.
function TestWildcards:test_wrong_texts()
  local fine, message = T.safe.pick "people[*].name"(TEXT:sub(1, -2))
  same(fine, false)
  T.contains(message, "unexpected end")
  same(found_by(fleece.pick("people[*].name", { test = "read" }), TEXT:sub(1, -2)), found["people[*].name"])
  T.raises_with("expected ','", fleece.pick("a[*]", { test = "read" }), '{"a":[1 2]}')
  T.raises_with("nesting too deep", fleece.pick("a[*]", { max_depth = 3 }), '{"a":[[[1]]]}')
end

function TestWildcards:test_repeated_names()
  local text = '{"a":[{"b":1,"b":2},{"b":[3],"b":{"c":4}}],"a":[{"b":5,"c":6,"b":7}]}'
  same(found_by(fleece.pick "a[*].b", text), "[7]")
  same(found_by(fleece.pick("a[*].b", { duplicates = "first" }), text), "[1,[3]]")
  same(found_by(fleece.pick "a[*].*", text), "[5,6,7]") -- in the order of the text
end

-- Random texts, against a walk over what `decode` makes of them.
local function random_value(depth)
  local kind = depth > 0 and T.random(1, 4) or 1
  if kind == 2 then
    local list = fleece.array {}
    for i = 1, T.random(0, 4) do list[i] = random_value(depth - 1) end
    return list
  elseif kind == 3 or kind == 4 then
    local object = fleece.object {}
    for _ = 1, T.random(0, 3) do object[T.pick { "a", "b", "c" }] = random_value(depth - 1) end
    return object
  end
  return T.pick { 1, true, "x", "]", '"', fleece.null, 1.5 }
end

local function walk(value, steps, at, result)
  local step = steps[at]
  if step == nil then
    result[#result + 1] = T.encode(value, { sort_keys = true })
  elseif type(value) == "table" then
    local is_array = getmetatable(value) == fleece.array_mt
    if step == "[*]" and is_array then
      for _, item in ipairs(value) do walk(item, steps, at + 1, result) end
    elseif step == ".*" and not is_array then
      for _, name in ipairs { "a", "b", "c" } do
        if value[name] ~= nil then walk(value[name], steps, at + 1, result) end
      end
    elseif type(step) == "number" and is_array then
      local item = value[step < 0 and #value + step + 1 or step + 1]
      if item ~= nil then walk(item, steps, at + 1, result) end
    elseif not is_array and value[step] ~= nil then
      walk(value[step], steps, at + 1, result)
    end
  end
end

function TestWildcards:test_random()
  T.random_rounds(2000, function()
    local value, steps, path, wild = random_value(6), {}, {}, false
    for i = 1, T.random(1, 5) do
      local step = T.pick { "[*]", ".*", "[*]", "a", "b", 0, -1 }
      wild = wild or step == "[*]" or step == ".*"
      steps[i] = step
      path[i] = type(step) == "number" and "[" .. step .. "]" or (step:find "^[%[.]" and step or "." .. step)
    end
    if not wild then steps[#steps + 1], path[#path + 1] = "[*]", "[*]" end
    local text = T.encode(value, { sort_keys = true, indent = T.pick { 0, 1 } })
    local expected = {}
    walk(value, steps, 1, expected)
    path = table.concat(path)
    for _, options in ipairs { { raw = true }, { raw = true, comments = true, test = "read" }, { raw = true, test = "read" } } do
      local got = fleece.pick(path, options)((options.comments and "/**/" or "") .. text)
      for i, part in ipairs(got) do got[i] = fleece.format(part, { sort_keys = true }) end
      T.equal(got, expected, path .. " in " .. text)
    end
  end)
end

function TestWildcards:test_time_is_linear()
  local pick, item = fleece.pick "[*].a[*].b", '{"x":[1,2],"a":[{"b":1},{"b":2}]}'
  T.linear(function(n)
    local text = "[" .. (item .. ","):rep(n - 1) .. item .. "]"
    local start = os.clock()
    same(#pick(text), 2 * n)
    fleece.edit(text, { { "set", "[*].a[*].b", 2 }, { "remove", "[*].x[*]" } })
    return os.clock() - start
  end, 2000, 20000, 30)
end

function TestWildcards:test_edit()
  local text = '{ "a": [ {"b": 1, "c":2}, {"b":{"x":1}} , 7, {"c": [1,2]} ], "n":{"l":0} }'
  for _, case in ipairs {
    { "set", "a[*].b", true, '{ "a": [ {"b": true, "c":2}, {"b":true} , 7, {"c": [1,2], "b": true} ], "n":{"l":0} }' },
    { "remove", "a[*].c", nil, '{ "a": [ {"b": 1}, {"b":{"x":1}} , 7, {} ], "n":{"l":0} }' },
    { "discard", "a[*].c[*]", nil, '{ "a": [ {"b": 1, "c":2}, {"b":{"x":1}} , 7, {"c": []} ], "n":{"l":0} }' },
    { "remove", "a[*]", nil, '{ "a": [], "n":{"l":0} }' },
    { "set", "n.*", 5, '{ "a": [ {"b": 1, "c":2}, {"b":{"x":1}} , 7, {"c": [1,2]} ], "n":{"l":5} }' },
    { "set", "*[*].b.x", 2, '{ "a": [ {"b": 1, "c":2}, {"b":{"x":2}} , 7, {"c": [1,2]} ], "n":{"l":0} }' },
    { "insert", "a[*].c[0]", 0, '{ "a": [ {"b": 1, "c":2}, {"b":{"x":1}} , 7, {"c": [0,1,2]} ], "n":{"l":0} }' },
    { "append", "*", 0, '{ "a": [ {"b": 1, "c":2}, {"b":{"x":1}} , 7, {"c": [1,2]}, 0 ], "n":{"l":0} }', '{ "a": [] }' },
  } do
    if not case[5] then same(fleece.edit(text, { { case[1], case[2], case[3] } }), case[4], case[2]) end
  end
  T.raises_with("change 1 (append '.*'): no array is there", fleece.edit, text, { { "append", ".*", 0 } })
  T.raises_with("there are several members of this name", fleece.edit, '[{"a":1,"a":2}]', { { "set", "[*].a", 1 } })
  T.bad_argument(2, "a path that ends with a wildcard has no place for an insertion", "edit", text, { { "insert", "a[*]", 1 } })
  T.bad_argument(2, "more than 16 wildcards", "edit", text, { { "set", ("[*]"):rep(17), 1 } })
  same(fleece.edit("[1,\n 2, // c\n 3]", { { "remove", "[*]" } }, { comments = true }), "[ // c\n]")
end

-- An edit leaves the other bytes, and a picker finds what it has set.
function TestWildcards:test_edit_and_pick()
  T.random_rounds(1000, function()
    local path = T.pick { "[*]", ".*", "a[*].b", "[*][*]", "*.*", "a.*[*]", "[*].a" }
    local text = T.encode(random_value(4), { sort_keys = true })
    local changed = fleece.edit(text, { { "set", path, "new" } })
    for _, value in ipairs(fleece.pick(path)(changed)) do same(value, "new", path .. " in " .. text) end
    same(fleece.edit(changed, { { "set", path, "new" } }), changed)
    for _, wild in ipairs { "[*]", ".*" } do
      local rest = fleece.edit(text, { { "remove", wild } })
      T.equal(fleece.pick(wild)(rest), {}, text)
    end
  end)
end

function TestWildcards:test_queries_as_places()
  local text = '{ "password":"x", "n":{"password":"y", "l":[1, {"password":{"password":1}}, 3]} }'
  local passwords = fleece.query "$..password"
  same(fleece.edit(text, { { "set", passwords, "***" } }), '{ "password":"***", "n":{"password":"***", "l":[1, {"password":"***"}, 3]} }')
  same(fleece.edit(text, { { "remove", passwords } }), '{ "n":{"l":[1, {}, 3]} }')
  same(fleece.edit(text, { { "remove", fleece.query "$.n.l[?@ != 1]" } }), '{ "password":"x", "n":{"password":"y", "l":[1]} }')
  same(fleece.edit(text, { { "append", fleece.query "$..l", 4 } }), '{ "password":"x", "n":{"password":"y", "l":[1, {"password":{"password":1}}, 3, 4]} }')
  same(fleece.edit(text, { { "set", fleece.query "$..nothing", 1 } }), text)
  -- Each change sees the result of those before it.
  same(fleece.edit("[1]", { { "append", "", 2 }, { "set", fleece.query "$[?@ == 2]", 3 }, { "remove", fleece.query "$[?@ == 3]" } }), "[1]")
  T.bad_argument(2, "path expected", "edit", text, { { "set", io.stdout, 1 } })
  T.bad_argument(2, "path expected", "edit", text, { { "set", print, 1 } })
  T.bad_argument(2, "a query finds no place for an insertion", "edit", text, { { "insert", passwords, 1 } })
  for _, word in ipairs { "set", "remove" } do
    T.raises_with("duplicate name at line 1, column 8", fleece.edit, '{"p":1,"p":2}',
      { { word, fleece.query "$..p", 0 } })
  end
  local steps = fleece.query("$..*..*", { max_steps = 3 })
  T.raises_with("max_steps", fleece.edit, text, { { "set", steps, 1 } })
  local result, message = T.safe.edit(text, { { "set", require("fleece.safe").query("$..*..*", { max_steps = 3 }), 1 } })
  same(result, nil)
  T.contains(message, "max_steps")
end

-- Normalized paths of RFC 9535, section 2.7, as q:paths returns them.
-- A query is read with the options of edit: its names must be there once, its numbers may have any size, and errors are
-- those of edit, whichever module the query is of.
function TestWildcards:test_queries_have_the_options_of_edit()
  for _, query in ipairs { fleece.query, T.safe.query } do
    local function refused(words, text, path, value, options)
      local changes = { { "set", query(path), value == nil and "***" or value } }
      T.raises_with(words, fleece.edit, text, changes, options)
      local result, message, failure = T.safe.edit(text, changes, options)
      same(result, nil)
      T.contains(message, words)
      return failure.kind
    end
    for _, text in ipairs { '{"a":{"password":1},"a":2}', '{"b":[{"a":{"password":1},"a":2}]}', '{"password":1,"password":2}' } do
      same(refused("duplicate name", text, "$..password"), "duplicate")
      same(refused("duplicate name", text, text:find "b" and "$.b[0].a.password" or text:find "a\":" and "$.a.password" or "$.password"),
        "duplicate")
    end
    local many = {}
    for i = 1, 50 do many[i] = '"m' .. i .. '":' .. i end
    refused("duplicate name", '{"a":{"password":1},' .. table.concat(many, ",") .. ',"a":2}', "$.a.password")
    for _, value in ipairs { 0 / 0, print, "\255" } do refused("change 1 (set '$..a')", "[]", "$..a", value) end
    same(refused("nesting too deep", ("["):rep(20) .. ("]"):rep(20), "$..a", 1, { max_depth = 10, test = "read" }), "depth")
    local redact = { { "set", query "$..password", "***" } }
    for text, expected in pairs {
      ['{"n":1e999,"u":{"password":123456789012345678901234567890}}'] = '{"n":1e999,"u":{"password":"***"}}',
      ['{"n":{"x":1,"x":2},"p":[{"password":1}]}'] = '{"n":{"x":1,"x":2},"p":[{"password":"***"}]}',
      [("["):rep(1500) .. '{"password":1}' .. ("]"):rep(1500)] = ("["):rep(1500) .. '{"password":"***"}' .. ("]"):rep(1500),
    } do
      same(T.safe.edit(text, redact, { max_depth = 3000 }), expected)
    end
    same(fleece.edit('{"n":{"x":1,"x":2},"p":{"password":1}}', { { "set", query "$.p.password", 2 } }), '{"n":{"x":1,"x":2},"p":{"password":2}}')
    same(fleece.edit("{a: {password: 'x'}, } // c", redact, { json5 = true }), "{a: {password: \"***\"}, } // c")
    same(fleece.edit('{"password":"\255"}', redact, { invalid_utf8 = "replace" }), '{"password":"***"}')
    same(#fleece.query("$.a"):paths('{"a":1,"a":2}', fleece.null), 1)
  end
end

function TestWildcards:test_quoted_names()
  local text = '{"a.b":[1],"":{"[*]":2},"é\\n":3,"it\'s":4,"q\\"":5,"\\\\":6,"*":7,"😀":8,"\\u000b":9}'
  for path, expected in pairs {
    ["$['a.b'][0]"] = 1, ["['']['[*]']"] = 2, ["['é\\n']"] = 3, ["['\\u00e9\\n']"] = 3, ["['it\\'s']"] = 4, ['["it\'s"]'] = 4, ['[\'q"\']'] = 5,
    ["['\\\\']"] = 6, ["['*']"] = 7, ['["*"]'] = 7, ["\\*"] = 7, ["['\\ud83d\\ude00']"] = 8, ["['\\u000b']"] = 9,
  } do
    same(fleece.pick(path)(text), expected, path)
    same(fleece.to_json(fleece.from_json(text), { path = path }), tostring(expected), path)
  end
  for _, path in ipairs(fleece.query "$..*":paths(text)) do same(fleece.pick(path)(text) ~= nil, true, path) end
  for _, name in ipairs { "a", "'", "\\", "\\'", "a[0]", "']", "\n\"", "\0\31", "~/~1", "é\226\128\168", "['x']", "", "[", "]", "0", "\\u0041", "*" } do
    local value = { [name] = { 0, { b = 1 } } }
    local normalized = fleece.query("$.*[1].b"):paths(value)[1]
    same(fleece.pick(normalized)(fleece.encode(value)), 1, normalized)
  end
  for _, wrong in ipairs { "['a'", "['a]", "['a']b", "[a]", "['\\ud800']", "['\\u12']", "['a\\", "[*", "[*]a", "['a'" } do
    T.bad_argument(1, "not a key path: wrong at byte", "pick", wrong)
  end
end

-- Views and documents: what pick finds in the text of the same document.
function TestWildcards:test_paths_of_documents()
  local doc = fleece.open(fleece.from_json(TEXT))
  local inner = fleece.pack { people = fleece.pick("people", { raw = true })(TEXT), doc.root }
  for path, expected in pairs(found) do
    local find = fleece.path(path)
    same(tostring(find), path)
    for _, from in ipairs { doc, doc.root, fleece.lazy(TEXT), fleece.open(inner).root[2] } do
      same(found_by(find, from), expected, path)
    end
    same(found_by(fleece.pick(find), TEXT), expected, path)
  end
  same(fleece.type(fleece.path "people[*]"(doc)[1]), "dict")
  same(fleece.path "*"(fleece.open(fleece.pack { a = fleece.null }))[1], fleece.null)
  T.random_rounds(1000, function()
    local text = T.encode(random_value(5), { sort_keys = true })
    local path = T.pick { "[*].a", "a[*]", "*.*", "b.*[0].a", "[*][*]", "*[*].*", "$", "[-1][*]" }
    if path == "$" then return end
    same(found_by(fleece.path(path), fleece.open(fleece.from_json(text))), found_by(fleece.pick(path), text), path .. text)
  end)
end

-- What users lost.
function TestWildcards:test_last_items_after_wildcards()
  local function check(text, changes, wanted) same(fleece.edit(text, changes), wanted) end
  check('{"rows":[{"id":1,"s":1},{"id":2,"s":1},{"id":3}]}',
    { { "discard", "rows[*].s" }, { "remove", "rows[1].id" }, { "remove", "rows[-1]" } }, '{"rows":[{"id":1},{}]}')
  check('[{"user": {"pw": 6}},{"id": 2},{"id": 3}]',
    { { "remove", "[*].user.*" }, { "discard", "[0].x" }, { "remove", "[-1]" } }, '[{"user": {}},{"id": 2}]')
  check("null", { { "set", "", { 1, 2 } }, { "set", "[*]", {} }, { "discard", "[2][1]" } }, "[[],[]]")
  check("{}", { { "set", "", { 1, 2 } }, { "set", "[*]", {} }, { "insert", "[-1]", 7 } }, "[[],7,[]]")
  check('{"u": [{"id": 1}, {"id": 2}]}', { { "set", "u[*].id", 9 }, { "set", "u[2]", 3 } }, '{"u": [{"id": 9}, {"id": 9}, 3]}')
  check('["s" , [1 , 4]]', { { "set", "[*][1]", 7 }, { "discard", "[-1].q" } }, '["s" , [1 , 7]]')
end

-- Changes of one call are those of calls for each, byte by byte: what a wildcard went through is found by later ones.
function TestWildcards:test_changes_after_wildcards()
  local random = T.random
  local function document(depth)
    local kind = random(1, depth > 3 and 3 or 7)
    if kind <= 3 then return T.pick { "7", '"s"', "null", "1.50" } end
    local parts, comma = {}, T.pick { ",", " , " }
    for i = 1, random(0, 4) do parts[i] = (kind > 5 and '"' .. ("abcd"):sub(i, i) .. '": ' or "") .. document(depth + 1) end
    return kind <= 5 and "[" .. table.concat(parts, comma) .. "]" or "{" .. table.concat(parts, comma) .. "}"
  end
  local function path()
    local steps = {}
    for i = 1, random(0, 3) do
      local step = T.pick { "[*]", "[*]", "*", "a", "b", "c", "[0]", "[1]", "[-1]" }
      steps[i] = i > 1 and step:sub(1, 1) ~= "[" and "." .. step or step
    end
    return table.concat(steps)
  end
  T.random_rounds(2000, function()
    local text, changes = document(0), {}
    for i = 1, random(2, 4) do
      local operation = T.pick { "set", "set", "append", "insert", "remove", "discard" }
      local value = operation ~= "remove" and operation ~= "discard" and T.pick { 7, "v", fleece.raw "[1,2]", fleece.raw "{}" } or nil
      changes[i] = { operation, path(), value }
    end
    local function edit(from, list) return pcall(fleece.edit, from, list) end
    local fine, got = edit(text, changes)
    local stepwise, wanted = true, text
    for _, change in ipairs(changes) do
      if stepwise then stepwise, wanted = edit(wanted, { change }) end
    end
    same(fine, stepwise, text)
    if fine then same(got, wanted, text) end
  end)
end

-- The steps of other functions are no wildcards, whatever was on the C stack before.
function TestWildcards:test_views()
  local text = '{"a":[{"b":1},{"b":[2,{"c":3}]}],"*":4}'
  for _ = 1, 3 do
    fleece.pick("a[*].b", "*", "a[*].*", "a[1].b[*].c")(text)
    local view = fleece.lazy(text)
    same(view:get("a", 2, "b", 2, "c"), 3)
    same(view.a[1].b, 1)
    same(view["*"], 4)
    same(#view.a, 2)
    same(view:pointer "/a/1/b/0", 2)
    local changed = fleece.lazy(text):mutable()
    changed.a[1].b = 5
    same(fleece.encode(changed), (text:gsub('"b":1', '"b":5')))
  end
end

function TestWildcards:test_elsewhere()
  for _, path in ipairs { "a[*]", "a.*", "*", "[*]" } do
    T.bad_argument(2, "pick, edit and fleece.path take wildcards", "to_json", fleece.pack {}, { path = path })
    T.bad_argument(2, "a path without wildcards expected", "to_json", fleece.pack {}, { path = fleece.path(path) })
  end
  T.bad_argument(1, "more than 16 wildcards", "path", ("[*]"):rep(17))
  T.bad_argument(1, "more than 16 wildcards", "pick", ("[*]"):rep(17))
  same(#fleece.pick(("[*]"):rep(16))(("["):rep(17) .. "]" .. ("]"):rep(16)), 1)
end
