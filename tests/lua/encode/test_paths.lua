-- SPDX-License-Identifier: MIT
-- test_paths.lua -- the paths in error messages; cycles, depth.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestPaths = {}

function TestPaths:test_paths()
  local f = print
  for path, value in pairs {
    ["the root"] = f,
    [".a"] = { a = f },
    ["[1]"] = { f },
    ["[3]"] = { 1, 2, f },
    [".players[3].inventory"] = { players = { 1, 2, { inventory = f } } },
    [".a.b.c"] = { a = { b = { c = f } } },
    ["[1][1][1]"] = { { { f } } },
    [".a_b1._x"] = { a_b1 = { _x = f } },
    ['["a b"]'] = { ["a b"] = f },
    ['[""]'] = { [""] = f },
    ['["1a"]'] = { ["1a"] = f },
    ['["a-b"].c'] = { ["a-b"] = { c = f } },
    ["[0]"] = { [0] = f },
    ["[-1]"] = { [-1] = f },
    ["[1.5]"] = { [1.5] = f },
    ["[10]"] = { [10] = f },
    ["[1].x[2]"] = { { x = { 0, f } } },
  } do
    T.rejects(value, "cannot encode a function at " .. path)
    T.rejects_json(value, "cannot encode a function at " .. path)
    T.rejects_json(value, "cannot encode a function at " .. path, "E4")
  end
end

function TestPaths:test_string_key_that_looks_like_an_index()
  T.rejects({ ["3"] = print }, 'cannot encode a function at ["3"]')
end

function TestPaths:test_every_kind_of_error_has_a_path()
  T.each({
    { value = { a = { coroutine.create(function() end) } }, message = "cannot encode a thread at .a[1]" },
    { value = { a = { { [false] = 1 } } }, message = "cannot encode a boolean key at .a[1]" },
    { value = { a = { 0 / 0 } }, message = "number is NaN at .a[1]" },
    { value = { a = { -1 / 0 } }, message = "number is infinite at .a[1]" },
    { value = { a = { "abcd\255" } }, message = "invalid UTF-8 at .a[1] (byte 5)" },
    { value = { a = { { 1, nil, 3 } } }, options = { sparse = "error" }, message = "array has holes at .a[1]" },
  }, function(case)
    T.rejects(case.value, case.message, case.options)
  end)
end

function TestPaths:test_the_first_error_is_reported()
  T.rejects({ 1, { 2, print }, print }, "cannot encode a function at [2][2]")
end

function TestPaths:test_paths_after_many_values()
  local t = {}
  for i = 1, 5000 do t[i] = { i, name = "n" .. i } end
  t[4999].x = { y = print }
  T.rejects(t, "cannot encode a function at [4999].x.y")
  local u = {}
  for i = 1, 1000 do u["k" .. i] = ("x"):rep(50) end
  u.bad = { print }
  T.rejects(u, "cannot encode a function at .bad[1]")
end

function TestPaths:test_direct_cycle()
  local t = {}
  t.self = t
  T.rejects(t, "table contains itself at .self")
  T.rejects_json(t, "table contains itself at .self")
  local u = {}
  u[1] = u
  T.rejects(u, "table contains itself at [1]")
  T.rejects({ a = u }, "table contains itself at .a[1]")
end

local function cycle_error(value, options)
  for _, codec in ipairs(T.codecs) do
    T.raises_with("table contains itself at ", codec.encode, value, options)
    T.raises_with("table contains itself at ", codec.json, value)
    T.raises_with("table contains itself at ", codec.size, value)
    T.raises_with("table contains itself at ", codec.write, function() end, value, options)
  end
end

function TestPaths:test_indirect_cycles()
  for length = 1, 70 do -- cycles longer and shorter than each power of two that the search uses
    for lead = 0, 3 do
      local first = {}
      local last = first
      for _ = 2, length do
        local new = {}
        last[1] = new
        last = new
      end
      last[1] = first
      local root = first
      for _ = 1, lead do root = { root } end
      cycle_error(root)
    end
  end
end

function TestPaths:test_long_cycles()
  for _, length in ipairs { 255, 256, 257, 900 } do
    local first = {}
    local last = first
    for i = 2, length do
      local new = { name = "x", i }
      last.next = new
      last = new
    end
    last.next = first
    cycle_error(first, { max_depth = 100000 })
  end
end

function TestPaths:test_cycle_through_an_object_with_text()
  -- The text that is written before a cycle is found must stay small.
  local t = { ("x"):rep(1000) }
  t[2] = t
  cycle_error(t)
  local a, b = { big = ("y"):rep(10000) }, {}
  a.b, b.a = b, a
  cycle_error(a)
  cycle_error(b)
end

function TestPaths:test_cycle_found_before_depth()
  local t = {}
  t[1] = t
  T.raises_with("table contains itself at ", fleece.encode, t, { max_depth = 10000000 })
  T.raises_with("table contains itself at ", T.api.encode, t, { max_depth = 10000000 })
end

function TestPaths:test_depth()
  local t = {}
  for _ = 2, 1000 do t = { t } end
  same(T.encode(t), ("["):rep(1000) .. ("]"):rep(1000))
  local deeper = { t }
  for _, codec in ipairs(T.codecs) do
    T.raises_with("nesting deeper than 1000 levels at [1][1]", codec.encode, deeper)
  end
  same(T.encode(deeper, { max_depth = 1001 }), ("["):rep(1001) .. ("]"):rep(1001))
  T.rejects({ a = { b = { c = 1 } } }, "nesting deeper than 2 levels at .a.b", { max_depth = 2 })
  T.rejects({ a = { b = {} } }, "nesting deeper than 2 levels at .a.b", { max_depth = 2 })
  same(T.encode({ a = { b = 1 } }, { max_depth = 2 }), '{"a":{"b":1}}')
end

function TestPaths:test_long_paths_are_cut()
  local t = print
  for i = 1, 900 do t = { ["level" .. i] = t } end
  for _, codec in ipairs(T.codecs) do
    local message = T.error_of(codec.encode, t)
    T.contains(message, "cannot encode a function at .level900.level899")
    T.contains(message, "...")
    T.ends(message, ".level1")
    lu.assertTrue(#message < 2000)
  end
end

function TestPaths:test_long_keys_are_cut()
  for _, codec in ipairs(T.codecs) do
    local message = T.error_of(codec.encode, { [("k"):rep(100000)] = print })
    T.contains(message, "cannot encode a function at ")
    lu.assertTrue(#message < 2000)
  end
end

function TestPaths:test_strange_keys_in_paths()
  -- Every key gives an error message, and the module keeps working.
  for _, key in ipairs { "\0", "a\0b", "\255\254", '"', "\\", "\n", "%s%n%d", "é", ("\1"):rep(300) } do
    for _, codec in ipairs(T.codecs) do
      T.raises_with("cannot encode a function at ", codec.encode, { [key] = print }, { invalid_utf8 = "pass" })
      same(codec.encode { 1 }, "[1]")
    end
  end
end

function TestPaths:test_deep_error_in_json()
  local t = print
  for _ = 1, 20000 do t = { t } end
  for _, codec in ipairs { fleece } do
    local message = T.error_of(codec.json, t)
    T.contains(message, "cannot encode a function at [1][1]")
    lu.assertTrue(#message < 2000)
  end
end

-- A value inside a document that JSON does not have: the path goes on into the document.
function TestPaths:test_documents()
  local huge = math.huge
  local function open(value) return fleece.open(fleece.pack(value)) end
  T.each({
    { { a = { 1, { b = huge } } }, ".a[2].b" }, { { huge }, "[1]" }, { { { {}, { -huge } } }, "[1][2][1]" },
    { { ["a b"] = { huge } }, '["a b"][1]' }, { { [""] = huge }, '[""]' }, { { ["$a"] = huge }, '["$a"]' },
    { { [("k"):rep(70)] = huge }, '["' .. ("k"):rep(64) .. '"]' }, { huge, "the root" },
  }, function(case)
    local doc, message = open(case[1]), "number is infinite at " .. case[2]
    local inside = case[2] == "the root" and "" or case[2]
    for _, codec in ipairs(T.codecs) do
      T.raises(message, codec.encode, doc)
      T.raises("number is infinite at .x[1]" .. inside, codec.encode, { x = { doc } })
      T.raises(message, codec.encode, doc, { sort_keys = true })
      T.same(codec.encode({ doc }, { invalid_numbers = "null" }):match "null", "null")
    end
    T.fails(message, T.safe.encode, doc)
    T.raises(inside == "" and "number is infinite" or message, fleece.to_json, doc)
    if type(case[1]) == "table" then T.raises(message, fleece.encode, doc:mutable()) end
    local given
    fleece.encode({ x = { doc } }, { on_error = function(_, path) given = path return 0 end })
    T.same(given, ".x[1]" .. inside)
  end)
  local doc = open { { { 1 }, { huge } }, "x" }
  T.raises("number is infinite at [1][2][1]", fleece.encode, doc)
  T.raises("number is infinite at [2][1]", fleece.encode, doc.root[1])
  T.raises("number is infinite at [1]", fleece.to_json, doc, { pointer = "/0/1" })
  local deep = huge
  for _ = 1, 500 do deep = { deep } end
  local message = T.error_of(fleece.encode, open(deep))
  T.contains(message, "number is infinite at [1][1][1]")
  T.ends(message, "[1]...")
  lu.assertTrue(#message < 300)
  -- the next error has its own path
  T.raises("cannot encode a function at [2]", fleece.encode, { open { 1 }, print })
  T.raises("number is infinite at [2]", fleece.encode, { open { 1 }, huge })
end

function TestPaths:test_names_are_escaped()
  T.raises('cannot encode a function at ["c\\"d\\010]\\127\\\\"]', fleece.encode, { ['c"d\n]\127\\'] = print })
  T.raises('cannot encode a function at ["' .. ("\\000"):rep(64) .. '..."]', fleece.encode, { [("\0"):rep(99)] = print })
end
