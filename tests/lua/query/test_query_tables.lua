-- SPDX-License-Identifier: MIT
-- test_query_tables.lua -- values of tables are found in two ways, below the API of Lua and by it: the same, in one order.
-- runs: in one layout

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestQueryTables = {}

local LONG = ("a long name "):rep(5) -- no Lua interns it

local QUERIES = {
  "$", "$.*", "$..*", "$..a", "$..b", "$..[0]", "$..[-1]", "$..['1']", "$..a.*", "$.*.*", "$..[1:]", "$..[::-1]", "$..*['a','b',0]",
  "$..*..a", "$[?@]", "$..[?@.a]", "$..[?@ == null]", "$..[?@ > 1]", "$..[?@.a == @.b]", "$..[?length(@) == 2]", "$..[?count(@.*) > 1]",
  "$..[?@ == $.a]", "$..[?value(@..a) == 1]", "$..[?@[0] == 1 || @.a != 'x']", "$..[?match(@, 'x.*')]", "$..['" .. LONG .. "']",
  "$..['1.5']", "$..[?@ == true]", "$..[?@ <= $.a]", "$..[?@.b[0]]",
}

local queries, by_api = {}, {}
for i, text in ipairs(QUERIES) do
  queries[i] = fleece.query(text, { max_steps = 200000 })
  by_api[i] = fleece.query(text, { max_steps = 200000, layout = "api" })
end

local class = setmetatable({ method = print }, { __index = { x = 1 } })
local METATABLES = {
  { __jsontype = "array" }, { __jsontype = "object" }, { __jsontype = "other" }, { __jsontype = 5 }, {}, { __mode = "k" },
  { __index = class }, class, setmetatable({}, { __index = { __jsontype = "array" } }), getmetatable(fleece.array()),
  getmetatable(fleece.object()), { [1] = 2, __index = print },
}
local view = fleece.lazy '{"a":[1]}'
local SCALARS = { 0, 1, 2, -1.5, 1e300, 0 / 0, 2 ^ 53, "x", "xyz", "", LONG, "a", true, false, fleece.null, print, view, io.stdout }
local NAMES = { "a", "b", "c", "x", "1", "1.5", "-1", "0", "", LONG, "a\0b", "length", "d", "e", "f", "g", "h", "i", "j" }

local function value(depth)
  if depth == 0 or T.random(1, 3) == 1 then return SCALARS[T.random(1, #SCALARS)] end
  local t, kind, n = {}, T.random(1, 10), T.random(0, 6)
  if kind <= 4 then
    for i = 1, n do t[i] = value(depth - 1) end
  elseif kind == 5 then
    for i = n, 1, -1 do t[i] = value(depth - 1) end -- items among the nodes
  elseif kind == 6 then
    for _ = 1, n do t[T.random(-1, 5)] = value(depth - 1) end -- holes, key 0
  end
  if kind >= 6 then
    for _ = 1, n do t[NAMES[T.random(1, #NAMES)]] = value(depth - 1) end
  end
  if kind == 7 then t[true], t[print], t[1.5], t[{}] = 1, 2, value(depth - 1), 4 end
  if kind == 8 then t[NAMES[T.random(1, #NAMES)]] = nil end
  if kind == 9 and n > 0 then t[1] = value(depth - 1) end
  if T.random(1, 8) == 1 then setmetatable(t, METATABLES[T.random(1, #METATABLES)]) end
  return t
end

-- Are the lists the same values? Compares the results of pcall.
local function check(what, ok, got, api_ok, wanted)
  if not ok or not api_ok then return same({ ok, got }, { api_ok, wanted }, what) end
  same(#got, #wanted, what)
  for i = 1, #wanted do
    if not rawequal(got[i], wanted[i]) and got[i] == got[i] then lu.fail(what .. ": result " .. i) end
  end
  same(next(got, #got > 0 and #got or nil), nil, what)
end

function TestQueryTables:test_random_tables()
  T.random_rounds(400, function()
    local root = { a = value(4), b = value(3), value(2) }
    for i, q in ipairs(queries) do
      local ok, got = pcall(q, root)
      check(QUERIES[i], ok, got, pcall(by_api[i], root))
      ok, got = pcall(q.paths, q, root)
      check("the paths of " .. QUERIES[i], ok, got, pcall(q.paths, by_api[i], root))
    end
  end)
end

-- `each` gives the values and the paths.
function TestQueryTables:test_each_finds_the_same()
  T.random_rounds(50, function()
    local root, list = { a = value(4), value(3) }, {}
    for i in ipairs(queries) do
      local ok, got = pcall(by_api[i], root)
      local paths, n = ok and by_api[i]:paths(root), 0
      local each_ok, message = pcall(function()
        for v, path in T.pick { queries, by_api }[i]:each(root) do
          n = n + 1
          list[n] = v
          same(path, paths[n])
        end
      end)
      if ok and each_ok then
        same(#got, n, QUERIES[i])
        for k = 1, n do lu.assertTrue(rawequal(got[k], list[k]) or got[k] ~= got[k]) end
      else same({ ok, got }, { each_ok, message }, QUERIES[i]) end
    end
  end)
end

-- Large objects: members are found by the hash of their names, also after names were removed.
function TestQueryTables:test_members_of_large_objects()
  local all = {}
  for i = 1, 3000 do all["name " .. i] = i end
  for i = 1, 3000, 3 do all["name " .. i] = nil end
  for i = 1, 3000, 7 do all["other " .. i] = -i end
  for i = 1, 3000, 11 do
    local name, several = "name " .. i, "$..['name " .. i .. "', 'other " .. i .. "']"
    same(fleece.query("$['" .. name .. "']")(all)[1], all[name])
    same(fleece.query("$[*]['" .. name .. "']")({ all })[1], all[name])
    same(table.concat(fleece.query(several)({ all }), " "), table.concat(fleece.query(several, { layout = "api" })({ all }), " "))
  end
end

-- The list of results has the size of those of the last call; it never has others in it.
function TestQueryTables:test_lists_of_results()
  for _, codec in ipairs(T.codecs) do
    local q, kept = codec.query "$[*]", {}
    for _, n in ipairs { 0, 1, 7, 8, 9, 1000, 3, 999, 0, 70, 5000, 5001, 2, 1 } do
      local t = fleece.array()
      for i = 1, n do t[i] = { i } end
      local list = q(t)
      same(#list, n)
      for i = 1, n do lu.assertTrue(rawequal(list[i], t[i])) end
      same(next(list, n > 0 and n or nil), nil)
      list[n + 1] = "more" -- it is an ordinary table
      same(#list, n + 1)
      kept[#kept + 1] = list
    end
    T.leaves_less(40, function() -- a list with room for others is not kept
      local small = {}
      for i = 1, 20 do
        q(kept[11])
        small[i] = q { 1 }
      end
    end)
  end
end

-- A collector that is at work at any time, and finalizers that change what is searched.
function TestQueryTables:test_collector_at_work()
  for _, codec in ipairs(T.codecs) do
    local list = {}
    local function fill()
      for i = 1, 200 do list[i] = { name = "n" .. i, tags = { {}, { i } } } end
      for i = 201, #list do list[i] = nil end
    end
    local names, tags = codec.query "$..name", codec.query "$..tags[1]"
    fill()
    T.with_busy_collector(300, 10, function(round)
      local kept = {}
      for i = 1, 5 do
        T.finalizer(function()
          list[T.random(1, 300)] = nil
          list[#list + 1] = { name = "new " .. i, tags = { {}, { round } } }
        end)
        kept[#kept + 1] = names(list)
        for _, path in ipairs(names:paths(list)) do
          if not path:find "^%$%[.+%]%['name'%]$" then lu.fail(path) end
        end
        kept[#kept + 1] = tags(list)
      end
      return kept
    end, function(kept)
      fill()
      for i = 1, #kept, 2 do
        for _, name in ipairs(kept[i]) do same(type(name), "string") end
        for _, tag in ipairs(kept[i + 1]) do same(type(tag[1]), "number") end
      end
    end)
  end
end

-- Limits are errors in both ways; nothing of the call is kept.
function TestQueryTables:test_limits()
  local ring = {}
  ring.ring = ring
  for _, layout in ipairs { "auto", "api" } do
    local options = { layout = layout, max_steps = 5000 }
    T.raises_with("table contains itself at .ring", fleece.query("$..x", options), ring)
    T.raises_with("more than 5000 steps", fleece.query("$..*..*..*", options), T.nested(60, 1))
    T.raises_with("too large", fleece.query("$.a[?match(@, $.p)]", options), { a = { "a" }, p = ("a{1000}"):rep(100) })
  end
  local q = fleece.query("$..*", { max_depth = 50 })
  T.leaves_less(10, function()
    for _ = 1, 100 do pcall(q, ring) end
  end)
end

-- With `order` members come in the order of the text, or that which the table remembers, wherever a query looks at them.
function TestQueryTables:test_order()
  local text = '{"z":{"k":1,"b":[{"y":2,"a":3}]},"m":{"10":4,"9":5,"x":null},"a":{"q":6,"p":{"w":7,"c":8}},"e":{}}'
  local cases = {
    ["$.*.*"] = '[1,[{"y":2,"a":3}],4,5,null,6,{"w":7,"c":8}]',
    ["$..[?@ > 0]"] = "[1,2,3,4,5,6,7,8]",
    ["$.z.b[0].*"] = "[2,3]",
    ["$.*[?@ > 3]"] = "[4,5,6]",
    ["$.a.p['c','w']"] = "[8,7]",
    ["$..[?count(@.*) == 2]"] = '[{"k":1,"b":[{"y":2,"a":3}]},{"q":6,"p":{"w":7,"c":8}},{"y":2,"a":3},{"w":7,"c":8}]',
  }
  T.each_pair(cases, function(path, wanted)
    for _, codec in ipairs(T.codecs) do
      local query = codec.query(path, { order = true })
      local value = codec.decode(text, { order = true })
      same(codec.encode(query(text)), wanted, "a text")
      same(codec.encode(query(value)), wanted, "a table")
      local list, paths = query:paths(text), {}
      for found, at in query:each(value) do
        paths[#paths + 1] = at
        same(codec.encode(codec.query(at)(value)[1]), codec.encode(found))
      end
      T.equal(list, paths)
    end
  end)
  -- names that come later follow, sorted; removed ones are gone; plain tables come as they are
  local query = fleece.query("$.*", { order = true })
  local t = fleece.decode('{"z":1,"b":2,"m":3}', { order = true })
  t.b, t.d, t.c, t[5] = nil, 4, 5, 6
  same(fleece.encode(query(t)), "[1,3,6,5,4]")
  same(fleece.encode(query { a = 1 }), "[1]")
  same(fleece.encode(query { 1, 2 }), "[1,2]")
  same(fleece.encode(query(fleece.lazy '{"z":1,"a":2}')), "[2,1]")
end
