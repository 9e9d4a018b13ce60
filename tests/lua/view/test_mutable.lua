-- SPDX-License-Identifier: MIT
-- test_mutable.lua -- mutable views and amend, compared with plain tables that get the same changes.

local T = require "support"
local fleece, random, same = T.fleece, T.random, T.same

TestMutable = {}

local NAMES = { "a", "b", "ab", "", "name", "a longer name", "naïve", "0" }
local function random_name() return T.pick(NAMES) end

-- A random value with decode's marks, so that empty arrays and objects are distinct.
local function random_value(depth)
  local kind = random(1, depth > 0 and 9 or 6)
  if kind == 1 then return random(-5, 5000) end
  if kind == 2 then return random(1, 1000) / 8 + 0.0625 end
  if kind == 3 then return random(1, 2) == 1 end
  if kind == 4 then return fleece.null end
  if kind <= 6 then return ("text "):rep(random(0, 4)) .. random(1, 9) end
  local t = kind == 9 and fleece.array() or fleece.object()
  for i = 1, random(0, 5) do t[kind == 9 and i or random_name()] = random_value(depth - 1) end
  return t
end

local function is_array(t) return getmetatable(t) == fleece.array_mt end
local function sorted_text(v) return fleece.encode(v, { sort_keys = true }) end
local function text_of_view(m) return sorted_text(fleece.decode(fleece.encode(m))) end

-- A random inner container of the mutable view and of the model.
local function descend(m, t)
  while random(1, 3) > 1 do
    local keys = {}
    for key, inner in pairs(t) do if type(inner) == "table" then keys[#keys + 1] = key end end
    if #keys == 0 then return m, t end
    table.sort(keys)
    local key = keys[random(1, #keys)]
    m, t = m[key], t[key]
  end
  return m, t
end

-- Makes one random change in both. Returns true if nothing changed, because the removed member was missing.
local function change(m, t)
  m, t = descend(m, t)
  local way, new = random(1, 3), random_value(2)
  if not is_array(t) then
    local key = random_name()
    if way == 1 then new = nil end
    local nothing = new == nil and t[key] == nil
    m[key], t[key] = new, new
    return nothing
  end
  local i = random(1, #t + 1)
  if way == 1 and t[i] ~= nil then
    m[i] = nil
    table.remove(t, i)
  elseif way == 2 then
    m:insert(i, new)
    table.insert(t, i, new)
  else
    m[i], t[i] = new, new
  end
end

-- The model contains the tables that were inserted in the view, so it is copied before the next change.
local function copy(v)
  return type(v) == "table" and
    fleece.decode(fleece.encode(v), { arrays = fleece.array_mt, objects = fleece.object_mt }) or v
end

-- A value that cannot be stored is named by its path in the whole document, wherever it is put in.
function TestMutable:test_errors_have_the_whole_path()
  local doc = fleece.open(fleece.from_json '{"a":{"list":[1,[2],3],"odd name":{}}}')
  local cases = {
    { function(m) m.x = 0 / 0 end, "number is NaN at .x" }, { function(m) m.a.list[3] = 0 / 0 end, "number is NaN at .a.list[3]" },
    { function(m) m.a.list[2][1] = { { y = 0 / 0 } } end, "number is NaN at .a.list[2][1][1].y" },
    { function(m) m.a.list:insert(4, { 0 / 0 }) end, "number is NaN at .a.list[4][1]" },
    { function(m) m.a["odd name"].b = print end, 'cannot encode a function at .a["odd name"].b' },
    { function(m) m.a.list[1] = "x\255" end, "invalid UTF-8 at .a.list[1] (byte 2)" },
    { function(m) m.new = { { y = 1 } } m.new[1].x = 0 / 0 end, "number is NaN at .new[1].x" },
    { function(m)
      local list = m.a.list
      m.a.list = 1
      list[1] = 0 / 0
    end, "number is NaN at ...[1]" },
  }
  for _, case in ipairs(cases) do
    T.raises_ending(case[2], doc.amend, doc, case[1])
    T.raises_ending(case[2], function() case[1](doc.root:mutable()) end)
  end
  local deep = fleece.open(fleece.from_json(("["):rep(40) .. "1" .. ("]"):rep(40)))
  T.raises_ending("number is NaN at ..." .. ("[1]"):rep(16), deep.amend, deep, function(m)
    for _ = 1, 39 do m = m[1] end
    m[1] = 0 / 0
  end)
end

function TestMutable:test_random_as_tables()
  T.random_rounds(60, function()
    local root = fleece.object()
    for _ = 1, random(0, 6) do root[random_name()] = random_value(3) end
    local before = sorted_text(root)
    local model = copy(root)
    local modes = { "compact", "compatible" }
    local doc = fleece.open(fleece.from_json(before, { mode = modes[random(1, 2)] }))
    local options = { reuse_strings = random(1, 2) == 1, extern = random(1, 2) == 1 }
    local change_bytes = doc:amend(function(m)
      same(m:changed(), false)
      local changed = false
      for _ = 1, random(0, 12) do
        if not change(m, model) then changed = true end
        model = copy(model)
        same(m:changed(), changed)
      end
      local after = sorted_text(model)
      same(text_of_view(m), after)
      same(sorted_text(m:totable()), after)
      same(text_of_view(fleece.open(fleece.pack(m)).root), after)
      for key, v in pairs(model) do
        same(type(v) == "table" and text_of_view(m[key]) or m[key], type(v) == "table" and sorted_text(v) or v)
      end
    end, options)
    local whole = options.extern and fleece.open(change_bytes, { base = doc }) or fleece.open(doc.bytes .. change_bytes)
    same(text_of_view(whole.root), sorted_text(model))
    same(text_of_view(doc.root), before, "the document stays as it is")
  end)
end

-- The items of an array as a list of numbers, changed at random, as table.insert and table.remove do it.
function TestMutable:test_random_arrays()
  T.random_rounds(100, function()
    local list = {}
    for i = 1, random(0, 20) do list[i] = i end
    local doc = fleece.open(fleece.pack { list = fleece.array { T.unpack(list) } })
    local m = doc.root:mutable()
    for i = 1, 60 do
      local at = random(1, #list + 1)
      if random(1, 3) == 1 then
        m.list:insert(at, i)
        table.insert(list, at, i)
      elseif at <= #list and random(1, 2) == 1 then
        m.list[at] = nil
        table.remove(list, at)
      else
        m.list[at], list[at] = -i, -i
      end
      same(#m.list, #list)
      T.lu.assertEquals(m.list[at], list[at])
    end
    same(fleece.encode(m.list), fleece.encode(fleece.array(list)))
    same(fleece.encode(fleece.unpack(m).list), fleece.encode(fleece.array(list)))
  end)
end

-- The error of a value that cannot be stored leaves all as it was.
function TestMutable:test_errors_leave_all()
  local doc = fleece.open(fleece.pack { a = { b = 1 }, l = { 1, 2 } })
  local m = doc:mutable()
  local cycle = {}
  cycle.t = cycle
  T.each({
    { "cannot encode a function at .a.b", m.a, "b", print },
    { "cannot encode a function at .a.c.x[1]", m.a, "c", { x = { print } } },
    { "table contains itself at .a.c.t", m.a, "c", cycle },
    { "invalid UTF-8 at .a.b (byte 2)", m.a, "b", "x\255" },
    { "cannot encode a function at .l[2]", m.l, 2, print },
    { "cannot encode a function at .l[3]", m.l, 3, print },
    { "number is NaN at .l[-1]", m.l, -1, 0 / 0 },
  }, function(case)
    T.raises_ending(case[1], function() case[2][case[3]] = case[4] end)
  end)
  T.raises_ending("cannot encode a function at .l[1]", m.l.insert, m.l, 1, print)
  T.raises_ending("cannot encode a function at .x", doc.amend, doc, function(root) root.x = print end)
  same(text_of_view(m), '{"a":{"b":1},"l":[1,2]}')
end

function TestMutable:test_queues_are_linear()
  local ways = {
    function(m, n) for _ = 1, n do m[1] = nil end end,
    function(m, n) for i = n, 1, -1 do m[i] = nil end end,
    function(m, n) for i = 1, n do m:insert(1, i) end end,
    function(m, n) for i = 1, n do m[#m + 1] = i m[1] = nil end end,
  }
  for _, way in ipairs(ways) do
    T.linear(function(n)
      local list = {}
      for i = 1, n do list[i] = i end
      local m = fleece.open(fleece.pack(list)).root:mutable()
      local start = os.clock()
      way(m, n)
      return os.clock() - start
    end, 2000, 40000, 80)
  end
end
