-- SPDX-License-Identifier: MIT
-- test_patch_roads.lua -- fleece.json_patch has two ways for texts and two for the copies of tables: few paths are found
-- while the text is tested, many are searched one by one; tables of the usual kinds are copied below the API.

local T = require "support"
local lu, fleece, safe, same, random = T.lu, T.fleece, T.safe, T.same, T.random
local null = fleece.null

TestPatchRoads = {}

-- ---- texts --------------------------------------------------------------------------------------------------------

-- The result and message of the patch, which are the same if operations that change nothing follow, too many for the
-- places to be found beforehand.
local function both(text, operations)
  local result, message = safe.json_patch(text, operations)
  local more = {}
  for i, o in ipairs(operations) do more[i] = o end
  for _ = 1, 40 do more[#more + 1] = { op = "move", from = "", path = "" } end
  local other, other_message = safe.json_patch(text, more)
  same(other, result)
  local function without_text(words) return words and (words:gsub(" near '.*", "")) end -- the patches differ
  same(without_text(other_message), without_text(message))
  return result, message
end

local NAMES = { "a", "b", "c", "/", "~", "", "0", "1", 'q"\\', "\\", "\\\\", "\n", "é", ("long"):rep(20) }

-- Only texts have names written in several ways.
local function name_text(name)
  local text = fleece.encode(name)
  if random(1, 3) > 1 then return text end
  return (text:gsub('^"([%w/])', function(c) return ('"\\u%04x'):format(c:byte()) end))
end

local function blanks() return (random(1, 3) == 1 and T.pick { " ", "\n", "\t ", "  \r\n" } or "") end

local function value_text(depth)
  local kind = random(1, depth > 0 and 8 or 4)
  if kind <= 2 then return tostring(random(0, 9)) end
  if kind == 3 then return T.pick { "null", "true", "1.50", "1e2" } end
  if kind == 4 then return name_text(T.pick(NAMES)) end
  local parts, used = {}, {}
  for _ = 1, random(0, 7) do
    local name, item = T.pick(NAMES), blanks() .. value_text(depth - 1) .. blanks()
    if kind <= 6 then
      parts[#parts + 1] = item
    elseif not used[name] or random(1, 20) == 1 then
      used[name] = true
      parts[#parts + 1] = blanks() .. name_text(name) .. blanks() .. ":" .. item
    end
  end
  local inner = #parts == 0 and blanks() or table.concat(parts, ",")
  return kind <= 6 and "[" .. inner .. "]" or "{" .. inner .. "}"
end

-- A path that begins as those of the value.
local function path_in(value)
  local path = ""
  for _ = 1, random(0, 4) do
    local token
    if type(value) == "table" and random(1, 10) > 1 then
      local keys = {}
      for key in pairs(value) do keys[#keys + 1] = key end
      local key = #keys > 0 and T.pick(keys) or T.pick { "x", "-", 1 }
      if type(key) == "string" then
        token, value = key, value[key]
      else
        token = random(1, 6) == 1 and "-" or tostring(key - 1)
        value = value[key]
      end
    else
      token, value = T.pick { "a", "0", "1", "-", "01", "x" }, nil
    end
    path = path .. "/" .. token:gsub("~", "~0"):gsub("/", "~1")
  end
  return path
end

function TestPatchRoads:test_random_texts()
  local fine = 0
  T.random_rounds(600, function()
    local text = blanks() .. value_text(4) .. blanks()
    local value = fleece.decode(text)
    local operations = {}
    for i = 1, random(1, 5) do
      local o = { op = T.pick { "add", "add", "remove", "replace", "replace", "move", "copy", "test" }, path = path_in(value) }
      if o.op == "move" or o.op == "copy" then o.from = path_in(value) end
      if o.op ~= "remove" then o.value = fleece.raw(value_text(1)) end
      operations[i] = o
    end
    fine = fine + (both(text, operations) and 1 or 0)
  end)
  lu.assertTrue(fine > 0, fine)
end

function TestPatchRoads:test_names_that_occur_twice()
  local twice = "there are several members of this name"
  for _, text in ipairs { '{"a":1,"a":2}', '{"a":{"b":1},"b":[],"\\u0061":{"b":2}}', '{"x":{"a":1,"b":' .. ("[1,2],"):rep(400):sub(1, -2) .. ',"a":3}}' } do
    local path = text:find '"x"' and "/x/a" or "/a"
    if fleece.check(text) then
      local result, message = both(text, { { op = "replace", path = path, value = 1 } })
      lu.assertNil(result)
      lu.assertStrContains(message, twice)
    end
  end
  -- merge_patch names the member, and the byte of the object
  local function fails(message, byte, ...) T.returns({ nil, message, { kind = "duplicate", byte = byte }, n = 3 }, safe.merge_patch, ...) end
  fails("member '/a': " .. twice, 1, '{"a":1,"a":2}', { a = fleece.null })
  fails("member '/x/a~1b~0': " .. twice, 6, '{"x":{"a/b~":1,"a/b\\u007e":2}}', '{"x":{"a/b~":{"c":1}}}')
  local name = ("n"):rep(60)
  local deep = ('{"%s":{"%s":{"%s":{"a":1,"a":2}}}}'):format(name, name, name)
  fails("member '.../" .. name .. "/" .. name .. "/a': " .. twice, 193, deep, { [name] = { [name] = { [name] = { a = 1 } } } })
  -- so does json_patch
  local text, missing = '{"b":{"a":1,"a":2},"c":[1]}', { { op = "test", path = "/c/0", value = 1 }, { op = "remove", path = "/c/1" } }
  T.returns({ nil, "operation 1 (remove '/b/a'): " .. twice .. " at step 2, 'a'", { kind = "duplicate", byte = 6 }, n = 3 }, safe.json_patch, text, { { op = "remove", path = "/b/a" } })
  T.returns({ nil, "operation 2 (remove '/c/1'): there is no such item at step 2, '1'", { kind = "change", byte = 24 }, n = 3 }, safe.json_patch, text, missing)
  T.returns({ nil, "operation 2 (remove '/c/1'): there is no such item at step 2, '1'", { kind = "change" }, n = 3 }, safe.json_patch, { c = { 1 } }, missing)
  -- a name that no path takes may be there twice
  same(both('{"a":1,"b":2,"b":3}', { { op = "remove", path = "/a" } }), '{"b":2,"b":3}')
end

-- A patch or compared text with a name twice: the place is that of the second name, as decode says.
function TestPatchRoads:test_places_of_names_that_occur_twice()
  T.each({ '{"a":1,"a":2}', ' { "b":1,"a":1 , "b" : 1,"a":1}', '{"c":{"\\"\\\\":1  , "\\u0022\\\\"\n : {}},"c":1}', '[{"":[],"":[]}]',
    '{"\\\\":{"x":1},"\\u005c":"\\""}' }, function(text)
    local _, message, byte = safe.decode(text, { duplicates = "error" })
    lu.assertNumber(byte.byte)
    for _, call in ipairs { { "json_diff", text, "{}", "first argument: " }, { "merge_diff", "{}", text, "second argument: " },
      { "merge_patch", "{}", text, "patch: " }, { "json_patch", "{}", text, "operations: " } } do
      T.returns({ nil, call[4] .. message, byte, n = 3 }, safe[call[1]], call[2], call[3])
      T.returns({ nil, call[4] .. message, byte, n = 3 }, safe.new({ invalid_numbers = "literal" })[call[1]], call[2], call[3])
    end
  end)
end

function TestPatchRoads:test_items_that_move()
  local items = {}
  for i = 0, 99 do items[i + 1] = ('{"n":%d}'):format(i) end
  local text = "[" .. table.concat(items, ",") .. "]"
  local operations = {
    { op = "remove", path = "/10" }, { op = "test", path = "/10/n", value = 11 }, { op = "add", path = "/3", value = "new" },
    { op = "test", path = "/10/n", value = 9 }, { op = "replace", path = "/98/n", value = "later" },
    { op = "move", from = "/3", path = "/-" }, { op = "remove", path = "/0" }, { op = "replace", path = "/97/n", value = "last" },
  }
  table.remove(items, 11)
  table.insert(items, 4, '"new"')
  items[99] = '{"n":"later"}'
  table.remove(items, 4)
  items[#items + 1] = '"new"'
  table.remove(items, 1)
  items[98] = '{"n":"last"}'
  same(both(text, operations), "[" .. table.concat(items, ",") .. "]")
  operations[#operations + 1] = { op = "test", path = "/99", value = "new" }
  lu.assertStrContains(select(2, both(text, operations)), "operation 9 (test '/99'): there is no such item")
end

-- What was changed is moved as it is now, with its white space, and can be changed, moved, copied and tested again.
function TestPatchRoads:test_changed_values_that_move()
  local text = '{ "a": { "b": [1, 2 ], "c": {} }, "d": [[ "x" ]] }'
  local change, move = { op = "add", path = "/a/b/-", value = 3 }, { op = "move", from = "/a", path = "/e" }
  local moved = '{ "d": [[ "x" ]], "e": { "b": [1, 2, 3 ], "c": {} } }'
  local CASES = {
    { {}, moved },
    { { { op = "add", path = "/e/b/0", value = 0 } }, (moved:gsub("%[1", "[0, 1")) },
    { { { op = "copy", from = "/e/b", path = "/d" } }, (moved:gsub("%[%[.-%]%]", "[1, 2, 3 ]")) },
    { { { op = "move", from = "/e/b", path = "/e" }, { op = "remove", path = "/e/1" } }, '{ "d": [[ "x" ]], "e": [1, 3 ] }' },
    { { { op = "move", from = "/e", path = "" }, { op = "test", path = "/b", value = { 1, 2, 3 } } }, '{ "b": [1, 2, 3 ], "c": {} }' },
    { { { op = "add", path = "/e/c/n", value = { { 7 } } }, { op = "move", from = "/e/c/n/0", path = "/e/c/m" },
        { op = "move", from = "/e/c", path = "/d/0/0" }, { op = "add", path = "/d/0/0/m/0", value = 6 } },
      '{ "d": [[ {"n": [], "m": [6, 7]}, "x" ]], "e": { "b": [1, 2, 3 ] } }' },
    { { { op = "move", from = "/e", path = "/d/0/-" }, { op = "move", from = "/d/0/1/b", path = "/d/-" },
        { op = "move", from = "/d/0", path = "/e" }, { op = "replace", path = "/d/0/2", value = 4 } },
      '{ "d": [[1, 2, 4 ]], "e": [ "x", { "c": {} } ] }' },
  }
  for _, case in ipairs(CASES) do
    local operations = { change, move }
    for _, o in ipairs(case[1]) do operations[#operations + 1] = o end
    same(both(text, operations), case[2])
    local result = fleece.encode(fleece.json_patch(fleece.decode(text), operations), { sort_keys = true })
    same(result, fleece.encode(fleece.decode(case[2]), { sort_keys = true }))
  end
end

function TestPatchRoads:test_long_texts()
  local members = {}
  for i = 1, 3000 do members[i] = ('"m%d": {"a\\"\\\\": [1, 2, {"x":"%s"}]}'):format(i, ("y"):rep(i % 70)) end
  local text = "{" .. table.concat(members, ",\n ") .. "}"
  local result = both(text, { { op = "replace", path = '/m2999/a"\\/2/x', value = 1 }, { op = "remove", path = "/m1" },
    { op = "add", path = "/m4000", value = 2 }, { op = "add", path = "/m1", value = 3 } })
  table.remove(members, 1)
  members[2998] = '"m2999": {"a\\"\\\\": [1, 2, {"x":1}]}'
  members[#members + 1] = '"m4000": 2'
  members[#members + 1] = '"m1": 3'
  same(result, "{" .. table.concat(members, ",\n ") .. "}")
end

-- ---- tables -------------------------------------------------------------------------------------------------------

-- Is the table as it was, and its copy with one more member the same but for that?
local function check_copy(t)
  local before, count = {}, 0
  for key, value in pairs(t) do
    before[key] = value
    count = count + 1
  end
  local copy = fleece.json_patch(t, { { op = "add", path = "/new", value = 1 } })
  for key, value in pairs(t) do lu.assertEquals(before[key], value) end
  lu.assertEquals(getmetatable(copy), getmetatable(t))
  lu.assertEquals(copy.new, 1)
  copy.new = before.new
  local n = 0
  for key, value in pairs(copy) do
    lu.assertTrue(rawequal(before[key], value))
    n = n + 1
  end
  lu.assertEquals(n, count)
  for key, value in pairs(before) do lu.assertTrue(rawequal(copy[key], value)) end
  -- the copy grows and shrinks as any table
  for i = 1, 40 do copy["grow" .. i] = i end
  for key in pairs(before) do copy[key] = nil end
  collectgarbage()
  for i = 1, 40 do lu.assertEquals(copy["grow" .. i], i) end
  for key in pairs(before) do lu.assertNil(copy[key]) end
  for i = 1, 40 do lu.assertNil(t["grow" .. i]) end
  for key, value in pairs(before) do lu.assertTrue(rawequal(t[key], value)) end
end

function TestPatchRoads:test_copies_of_objects()
  for size = 1, 70 do
    local t = {}
    for i = 1, size do t["k" .. i] = i % 7 == 0 and {} or i % 5 == 0 and "s" .. i or i end
    check_copy(t)
    for i = 1, size, 3 do t["k" .. i] = nil end -- keys without a value
    t.other = true
    check_copy(t)
    check_copy(setmetatable(fleece.decode(fleece.encode(t)), { __jsontype = "object" }))
  end
  local long = ("k"):rep(300)
  check_copy { a = 1, [long] = 2, [true] = 3, [1.5] = 4 }
  check_copy { a = 1, [0] = 2, [-1] = 3, b = { 1 } }
  check_copy(setmetatable({ a = 1, [1] = "item", [2] = "item" }, { __jsontype = "object" }))
  check_copy { a = print, b = coroutine.create(function() end), c = io.stdout, d = false, e = null, f = 0.5, g = 2 ^ 53 }
end

function TestPatchRoads:test_copies_of_arrays()
  for size = 0, 40 do
    local t, other = {}, fleece.array {}
    for i = 1, size do
      t[i] = i % 3 == 0 and "s" or i % 3 == 1 and i or { i }
    end
    for i = size, 1, -1 do other[i] = t[i] end -- keys of the hash part
    for _, array in ipairs { t, other } do
      local copy = fleece.json_patch(array, { { op = "add", path = "/-", value = "new" } })
      lu.assertEquals(#array, size)
      lu.assertEquals(#copy, size + 1)
      lu.assertEquals(getmetatable(copy), getmetatable(array))
      for i = 1, size do lu.assertTrue(rawequal(copy[i], array[i])) end
      lu.assertEquals(copy[size + 1], "new")
      copy[size + 2], copy.x = "more", 1
      lu.assertNil(array[size + 1])
      lu.assertNil(array.x)
    end
  end
  for _, t in ipairs { fleece.array { 1, 2, x = 3 }, fleece.array { 1, nil, 3 } } do
    lu.assertNil((safe.json_patch(t, { { op = "add", path = "/0", value = 0 } })))
  end
  same(fleece.encode(fleece.json_patch({ 1, 2, nil }, { { op = "remove", path = "/0" } })), "[2]")
end

function TestPatchRoads:test_copies_while_the_collector_works()
  local values = {}
  for i = 1, 300 do
    local t = {}
    for k = 1, i % 20 + 1 do t["k" .. i .. "_" .. k] = { ("v"):rep(k) } end
    values[i] = fleece.json_patch({ list = { t, t }, t = t }, { { op = "add", path = "/t/x", value = { i } },
      { op = "add", path = "/list/0", value = "s" .. i } })
    if i % 10 == 0 then collectgarbage "step" end
  end
  collectgarbage()
  for i = 1, 300 do
    lu.assertEquals(values[i].t.x[1], i)
    lu.assertEquals(values[i].list[1], "s" .. i)
    for k = 1, i % 20 + 1 do lu.assertEquals(values[i].t["k" .. i .. "_" .. k][1], ("v"):rep(k)) end
  end
end

-- Objects with many members, whose nodes are in another order, free, or have the keys of dead strings.
function TestPatchRoads:test_histories()
  local api = fleece.new { layout = "api" }
  T.random_rounds(60, function()
    local a, b = {}, {}
    for i = 1, random(10, 60) do
      local name = "m" .. i
      a[name] = random(1, 300) == 1 and 0 / 0 or T.pick { i, i / 2, "s" .. i, true, null, { i, { x = i } }, { x = { i }, y = i } }
      b[name] = type(a[name]) == "table" and random(1, 2) == 1 and fleece.decode(fleece.encode(a[name])) or a[name]
    end
    for i = 1, random(0, 200) do
      local t, name = random(1, 2) == 1 and a or b, "m" .. random(1, 80) .. (random(1, 3) == 1 and i or "")
      if random(1, 3) > 1 then t[name] = nil else t[name] = { i } end
      if random(1, 50) == 1 then collectgarbage() end
    end
    if random(1, 20) == 1 then b[random(1, 3)] = 1 end
    for _, f in ipairs { "json_diff", "merge_diff" } do
      local fine, raw = pcall(fleece[f], a, b)
      local works, plain = pcall(api[f], a, b)
      lu.assertEquals(fine, works)
      if fine and f == "merge_diff" then
        lu.assertEquals(fleece.encode(raw, { sort_keys = true }), fleece.encode(plain, { sort_keys = true }))
      elseif fine then
        lu.assertEquals(#raw, #plain)
      end
    end
  end)
end
