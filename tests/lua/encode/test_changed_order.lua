-- SPDX-License-Identifier: MIT
-- test_changed_order.lua -- tables that decode's option order has made and that were changed then: their members, however
-- they are written, are those of a model, which keeps a list of names as docs/lossless.md says.

local T = require "support"
local lu, fleece, random, pick = T.lu, T.fleece, T.random, T.pick

local LONG = "a name of more than forty bytes, which is no short string of Lua "
local NAMES = { "a", "b", "c", "id", "name", "é", "", "10", "9", LONG, LONG .. "too" }
for i = 1, 30 do NAMES[#NAMES + 1] = "n" .. i end

-- A table and its model: names in the order that is remembered.
local Model = {}
Model.__index = Model

local function new_model(count)
  local self = setmetatable({ names = {} }, Model)
  local parts, seen = {}, {}
  for _ = 1, count do
    local name = pick(NAMES)
    if not seen[name] then
      seen[name] = true
      self.names[#self.names + 1] = name
      parts[#parts + 1] = fleece.encode(name) .. ":" .. #parts
    end
  end
  self.text = "{" .. table.concat(parts, ",") .. "}"
  return self
end

-- What a look brings up to date: names that are gone are forgotten, new ones are sorted and go last.
function Model:look()
  local names, known, new = {}, {}, {}
  for _, name in ipairs(self.names) do
    known[name] = true
    if self.t[name] ~= nil then names[#names + 1] = name end
  end
  for name in next, self.t do
    if not known[name] then new[#new + 1] = name end
  end
  table.sort(new, function(a, b) return tostring(a) < tostring(b) end)
  for _, name in ipairs(new) do names[#names + 1] = name end
  self.names = names
end

function Model:json()
  local parts = {}
  for i, name in ipairs(self.names) do
    parts[i] = fleece.encode(tostring(name)) .. ":" .. fleece.encode(self.t[name])
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

function Model:change()
  local t, names = self.t, self.names
  for _ = 1, random(0, 3) do
    local what = random(1, 8)
    if what == 1 then t[pick(NAMES)] = random(1, 9)
    elseif what == 2 and #names > 0 then t[pick(names)] = nil
    elseif what == 3 and #names > 0 then t[pick(names)] = "new"
    elseif what == 4 and #names > 0 then -- the same name, which may be another string
      local name = pick(names)
      if type(name) == "string" then
        t[name] = nil
        t[(name .. "!"):sub(1, -2)] = 0
      end
    elseif what == 5 then for i = 1, random(1, 20) do t["n" .. i] = i end
    elseif what == 6 then for name in next, t do if random(1, 3) == 1 then t[name] = nil end end
    elseif what == 7 and random(1, 4) == 1 then t[random(100, 120)] = true
    elseif what == 8 then t.child = fleece.decode('{"z":1,"y":2}', { order = true })
    end
  end
end

-- Ways to look at a list of tables; each returns the text, or a text with it.
local WAYS = {
  function(list) return fleece.encode(list) end,
  function(list) return T.api.encode(list) end,
  function(list) return fleece.encode(list, { ascii = false, precision = 17 }) end,
  function(list) return (fleece.json(list)) end,
  function(list) return fleece.size(list) and fleece.json(list) end,
  function(list) return T.writer_text(fleece, list, nil, T.between(1, 50)) end,
  function(list)
    local sink, result = T.collector()
    fleece.write(sink, list)
    return result()
  end,
  function(list) -- beside a value that needs the public API
    local text = fleece.encode { T.hooked(function() return '"hook"' end), list, T.hooked(function() return "1" end) }
    return text:match '^%["hook",(.*),1%]$'
  end,
  function(list)
    for _, t in ipairs(list) do
      for _ in fleece.pairs(t) do end
    end
    return fleece.encode(list)
  end,
}

TestChangedOrder = {}

local function rounds(options, n)
  T.random_rounds(n, function()
    local models, list = {}, {}
    for i = 1, random(1, 12) do
      models[i] = i > 1 and random(1, 3) == 1 and models[i - 1].text == models[1].text and new_model(0) or new_model(random(0, 9))
      if i > 1 and random(1, 2) == 1 then
        models[i] = setmetatable({ text = models[1].text, names = {} }, Model)
        for k, name in ipairs(models[1].names) do models[i].names[k] = name end
      end
      models[i].t = fleece.decode(models[i].text, options)
    end
    for i, model in ipairs(models) do list[i] = model.t end
    for _ = 1, random(1, 8) do
      local parts = {}
      for _, model in ipairs(models) do model:change() end
      for i, model in ipairs(models) do
        model:look()
        parts[i] = model:json()
      end
      T.same(pick(WAYS)(list), "[" .. table.concat(parts, ",") .. "]")
      if random(1, 20) == 1 then collectgarbage() end
    end
  end)
end

function TestChangedOrder:test_random_changes() rounds({ order = true }, 300) end

function TestChangedOrder:test_random_changes_with_metatables()
  rounds({ order = true, objects = { __jsontype = "object" } }, 100)
  rounds({ order = true, objects = {} }, 100)
end

-- Every way gives tables the same order, and the next look finds it, by both roads.
function TestChangedOrder:test_the_next_look()
  for _, first in ipairs(WAYS) do
    for _, second in ipairs(WAYS) do
      local list = { fleece.decode('{"z":1,"y":2,"x":3}', { order = true }) }
      list[1].y, list[1].b, list[1].a = nil, 5, 4
      lu.assertEquals(first(list), '[{"z":1,"x":3,"a":4,"b":5}]')
      list[1].y, list[1].z = 2, nil
      list[1].z = 0
      lu.assertEquals(second(list), '[{"z":0,"x":3,"a":4,"b":5,"y":2}]')
      list[1].z = nil
      lu.assertEquals(second(list), '[{"x":3,"a":4,"b":5,"y":2}]')
    end
  end
end

-- The same table twice, and tables in tables.
function TestChangedOrder:test_shared_tables()
  local t = fleece.decode('{"b":{"d":1,"c":2},"a":1}', { order = true })
  t.b.x, t.b.d, t.e = 1, nil, t.b
  T.same(T.encode { t, t.b, t }, '[{"b":{"c":2,"x":1},"a":1,"e":{"c":2,"x":1}},{"c":2,"x":1},{"b":{"c":2,"x":1},"a":1,"e":{"c":2,"x":1}}]')
end

function TestChangedOrder:test_many_members()
  local parts, t = {}, nil
  for i = 1, 200 do parts[i] = ('"m%d":%d'):format(i * 7 % 200, i) end
  t = fleece.decode("{" .. table.concat(parts, ",") .. "}", { order = true })
  t["m" .. 50 * 7 % 200] = nil
  table.remove(parts, 50)
  for i = 200, 210 do
    t["z" .. i] = i
    parts[#parts + 1] = ('"z%d":%d'):format(i, i)
  end
  for _ = 1, 2 do T.same(T.encode(t), "{" .. table.concat(parts, ",") .. "}") end
end

-- More kinds of changes than lists are recent.
function TestChangedOrder:test_many_changes()
  local list, parts = {}, {}
  for round = 1, 3 do
    for i = 1, 700 do
      list[i] = fleece.decode('{"b":1,"a":2}', { order = true })
      list[i]["x" .. i * round] = i
      parts[i] = ('{"b":1,"a":2,"x%d":%d}'):format(i * round, i)
    end
    for _ = 1, 2 do T.same(T.encode(list), "[" .. table.concat(parts, ",") .. "]") end
  end
end

-- With options that have another order, or none, nothing is brought up to date where there was no look at the order.
function TestChangedOrder:test_other_options()
  local t = fleece.decode('{"d":1,"b":2,"c":3}', { order = true })
  t.a, t.b = 0, nil
  T.same(T.encode(t, { sort_keys = true }), '{"a":0,"c":3,"d":1}')
  T.same(T.encode(t, { indent = 1 }), '{\n "d": 1,\n "c": 3,\n "a": 0\n}')
  t.b = 2
  T.same(T.encode(t, { key_order = { "b", "zz" } }), '{"b":2,"d":1,"c":3,"a":0}')
  t.d = nil
  T.same(T.encode(t, { width = 80, indent = 1 }), '{"c": 3, "a": 0, "b": 2}')
  t.d = 1
  T.same(T.encode(t, { ascii = true }), '{"c":3,"a":0,"b":2,"d":1}')
end

-- An error ends the call, by either road; what was looked at by then does not matter for what is written later.
function TestChangedOrder:test_errors()
  local list = fleece.decode('[{"b":1,"a":2},{"b":1,"a":2}]', { order = true })
  list[1].c, list[2].c = 3, print
  T.rejects(list, "cannot encode a function at [2].c")
  list[2].c = nil
  T.same(T.encode(list), '[{"b":1,"a":2,"c":3},{"b":1,"a":2}]')
end

-- Finalizers that change, decode and encode while lists are made.
function TestChangedOrder:test_finalizers()
  local count = 0
  local function again()
    count = count + 1
    local t = fleece.decode('{"f":1,"b":2}', { order = true })
    t["x" .. count % 300] = 1
    T.same(fleece.encode { t, t }, ('[{"f":1,"b":2,"x%d":1},{"f":1,"b":2,"x%d":1}]'):format(count % 300, count % 300))
    if count < 2000 then T.finalizer(again) end
  end
  for _ = 1, 5 do T.finalizer(again) end
  for i = 1, 1500 do
    local t = fleece.decode('{"z":{"q":1},"y":2}', { order = true })
    t.z["w" .. i % 400], t["v" .. i % 290] = 1, 2
    T.same(fleece.encode(t), ('{"z":{"q":1,"w%d":1},"y":2,"v%d":2}'):format(i % 400, i % 290))
  end
  count = 2000
  T.memory()
end

function TestChangedOrder:test_busy_collector()
  T.with_busy_collector(40, 3, function(round)
    local list = fleece.decode("[" .. ('{"b":1,"a":2},'):rep(20) .. "0]", { order = true })
    for i = 1, 20 do list[i]["k" .. (round + i) % 7] = i end
    local text = T.encode(list)
    for i = 1, 20 do lu.assertStrContains(text, ('{"b":1,"a":2,"k%d":%d}'):format((round + i) % 7, i)) end
  end)
end

