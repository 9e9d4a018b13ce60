-- SPDX-License-Identifier: MIT
-- test_query_steps.lua -- max_steps counts the same for tables, texts and documents, and what begins with $ in a test is
-- evaluated, and its length is counted, once.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestQuerySteps = {}

-- The smallest max_steps with which the query runs.
local function least(text, value, layout)
  local low, high = 1, 2^24
  while low < high do
    local middle = math.floor((low + high) / 2)
    if pcall(fleece.query(text, { max_steps = middle, layout = layout }), value) then high = middle else low = middle + 1 end
  end
  return low
end

local function list(n, item)
  local t = {}
  for i = 1, n do t[i] = item and item(i) or i % 10 end
  return t
end

local VALUE = {
  list = list(2000),
  names = { a = 1, b = 2, c = 3 },
  text = ("x"):rep(1000),
  items = list(300, function(i) return { n = i, l = list(i % 5 + 1) } end),
  none = fleece.array {},
}
for i = 1, 1000 do VALUE.names["name " .. i] = i end

-- What a query costs: each child that is looked at is a step, and so is each name or index that is followed.
function TestQuerySteps:test_forms()
  local text = fleece.encode(VALUE)
  local lazy, open = fleece.lazy(text), fleece.open(fleece.pack(VALUE))
  T.each({
    { "$.list", 1 },
    { "$.list[0]", 2 },
    { "$.list[-1]", 2 },
    { "$.list[" .. ("0,"):rep(99) .. "0]", 101 },
    { "$.list[" .. ("-1,"):rep(99) .. "-1]", 101 },
    { "$.list[10:20]", 11 },
    { "$.list[::-100]", 21 },
    { "$.list[*]", 2001 },
    { "$.none[*]", 1 },
    { "$.names[*]", 1004 },
    { "$..n" },
    { "$..[0]" },
    { "$..[0, 1, -1]" },
    { "$[?length(@) > 2]" },
    { "$.items[?length($.list) == 2000]", 1 + 300 + 1 },
    { "$.items[?length($) == 5]", 1 + 300 + 5 - 1 + 1 },
    { "$.items[?length($.names) > 2]", 1 + 300 + 1 + 1003 },
    { "$.items[?length($.text) > 2]", 1 + 300 + 1 + math.floor(1000 / 32) },
    { "$.items[?length($.names.a) > 2]" },
    { "$.items[?length(value($.items[*])) > 2]" },
    { "$.items[?length(@.l) > 2].l[1]" },
    { "$.items[?count($.list[*]) > 2]", 1 + 300 + 1 + 2000 },
    { "$.items[?@.n == $.list[1000]]", 1 + 300 + 300 + 2 },
    { "$.list[?@ < length($.list) && @ > 4]" },
  }, function(case)
    local steps = least(case[1], VALUE)
    if case[2] then same(steps, case[2]) end
    same(least(case[1], VALUE, "api"), steps, "api")
    same(least(case[1], text), steps, "text")
    same(least(case[1], lazy), steps, "lazy")
    same(least(case[1], open), steps, "open")
  end)
end

-- A path costs a few steps, wherever the item stands.
function TestQuerySteps:test_paths()
  local value = list(20000, function(i) return { n = i } end)
  local text = fleece.encode(value)
  local query = fleece.query("$[*].n", { max_steps = 3 * 20000 })
  for _, form in ipairs { value, text, (fleece.open(fleece.pack(value))) } do
    T.equal(query:paths(form)[20000], "$[19999]['n']")
    local last
    for _, path in query:each(form) do last = path end
    T.equal(last, "$[19999]['n']")
  end
end

-- A list with holes, which no raw walk decides, and one whose items are among the nodes of its table.
function TestQuerySteps:test_unusual_tables()
  local text, options = "$[" .. ("1,"):rep(99) .. "1]", { max_steps = 100 }
  local holes, scattered = list(500), {}
  holes[499] = nil
  for i = 500, 1, -1 do scattered[i] = i end
  same(#fleece.query(text, options)(scattered), 100)
  same(#fleece.new({ sparse = "null" }).query(text, options)(holes), 100)
end

-- n items, each of which asks for something of a list, object or text that is as long.
function TestQuerySteps:test_time_is_linear()
  for _, text in ipairs {
    "$.items[?length($.list) > 2]",
    "$.items[?length($.names) > 2]",
    "$.items[?length($.text) > 2]",
    "$.items[?@ == $.list]",
    "$.items[?@ == $.list[1]]",
  } do
    for _, layout in ipairs { "auto", "api" } do
      local query = fleece.query(text, { layout = layout })
      T.linear(function(n)
        local value = { list = list(n), items = list(n), names = {}, text = ("x"):rep(n) }
        for i = 1, n do value.names["n" .. i] = true end
        local start = os.clock()
        query(value)
        return os.clock() - start
      end, 1000, 10000, 40)
    end
  end
  local query = fleece.query("$[" .. ("0,"):rep(10000) .. "0]")
  T.linear(function(n)
    local value = list(n)
    local start = os.clock()
    lu.assertEquals(#query(value), 10001)
    return os.clock() - start
  end, 1000, 100000, 40)
end
