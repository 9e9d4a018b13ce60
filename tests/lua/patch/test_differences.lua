-- SPDX-License-Identifier: MIT
-- test_differences.lua -- what holds for json_diff, merge_diff and diff alike, for objects and arrays of up to 5,000
-- members with repeating shapes: the difference of a value to itself is empty, applying one gives the second value, and
-- none is longer than that value with what its form needs around it. Tables are read by both walks.
-- runs: in one layout

local T = require "support"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestDifferences = {}

local SORTED = { sort_keys = true }
local function canonical(text) return fleece.encode(fleece.decode(text), SORTED) end

-- Member i. Most shapes repeat, as the entities of a game do.
local MEMBERS = {
  function() return fleece.object {} end,
  function(i) return { a = i } end,
  function(i) return { x = i % 7, y = { i % 3 } } end,
  function(i) return { hp = 100, pos = { x = i, y = i % 5 }, tags = fleece.array {} } end,
  function(i) return { { i % 2 }, fleece.object {} } end,
  function(i) return { n = i / 8, big = 2^40 + i, s = "name " .. i % 10 } end,
  function(i) return { a = { b = { c = { d = i % 4, e = true } } } } end,
  function(i) return i end,
  function(i) return i % 10 * 65536 end,
  function(i) return ("x"):rep(i % 30) end,
}

local NAMES = {
  function(i) return "k" .. i end,
  function(i) return ("%08d"):format(i) end,
  function(i) return "a name that is rather long and has an end of its own: " .. i end,
  function(i) return 'q"\n/~' .. i end,
}

-- A value with n members of this shape; an array if there is no name.
local function build(n, member, name)
  local t = name and fleece.object {} or fleece.array {}
  for i = 1, n do t[name and name(i) or i] = member(i) end
  return t
end

local function any(t)
  local names = {}
  for k in pairs(t) do names[#names + 1] = k end
  return names[random(1, math.max(1, #names))]
end

-- The second value is text b; its length says how long differences may be. `keeps`: no member of an object is removed.
local function check(a, b, keeps)
  local wanted = canonical(b)
  local list = fleece.json_diff(a, b)
  same(canonical(fleece.json_patch(a, list)), wanted, "json_diff")
  lu.assertTrue(#list <= #b + #'[{"op":"replace","path":"","value":}]', #list .. " bytes of json_diff for " .. #b)
  local tested = fleece.json_diff(a, b, { test = true })
  same(canonical(fleece.json_patch(a, tested)), wanted, "json_diff with tests")
  lu.assertTrue(#tested <= #a + #b + #'[{"op":"test","path":"","value":},{"op":"replace","path":"","value":}]')
  local merge = fleece.merge_diff(a, b)
  same(canonical(fleece.merge_patch(a, merge)), wanted, "merge_diff")
  if keeps then lu.assertTrue(#merge <= #b, #merge .. " bytes of merge_diff for " .. #b) end
  local delta = fleece.diff(fleece.lazy(a), fleece.lazy(b))
  same(canonical(fleece.to_json(fleece.patch(fleece.lazy(a), delta))), wanted, "diff")
  lu.assertTrue(#delta <= #b + 2, #delta .. " bytes of diff for " .. #b)
  return list, merge, delta
end

-- Nothing differs: as texts, tables and documents, with other orders of members. No merge patch but the value itself
-- leaves an array as it is (RFC 7396).
local function check_equal(value)
  local text, sorted = fleece.encode(value), fleece.encode(value, SORTED)
  local spaced = fleece.encode(value, { indent = 1 })
  local is_object = text:sub(1, 1) == "{"
  local forms = { value, fleece.decode(sorted), fleece.lazy(text), fleece.open(fleece.from_json(spaced)) }
  for _, other in ipairs { text, sorted, spaced } do
    same(fleece.json_diff(text, other), "[]")
    same(fleece.json_diff(other, text, { test = true }), "[]")
    same(canonical(fleece.merge_diff(text, other)), is_object and canonical "{}" or sorted)
    same(fleece.diff(fleece.lazy(text), fleece.lazy(other)), "{}")
  end
  for _, codec in ipairs(T.codecs) do
    for _, form in ipairs(forms) do
      lu.assertEquals(codec.json_diff(value, form), {})
      lu.assertEquals(codec.json_diff(form, sorted, { test = true }), {})
      if is_object then lu.assertEquals(codec.merge_diff(form, text), {}) end
    end
  end
end

function TestDifferences:test_equal()
  for _, n in ipairs { 0, 1, 2, 23, 24, 25, 48, 300, 5000 } do
    for m = 1, n > 1000 and 2 or #MEMBERS do
      check_equal(build(n, MEMBERS[m], NAMES[m % #NAMES + 1]))
      if n <= 300 then check_equal({ build(n, MEMBERS[m]), MEMBERS[m](n) }) end
    end
  end
end

-- Integers as doubles differ in their high bits alone. A hash that ignores them puts all of these in one place.
function TestDifferences:test_small_numbers()
  local t = {}
  for i = 1, 48 do t["k" .. i] = { a = i } end
  for _, codec in ipairs(T.codecs) do
    lu.assertEquals(codec.merge_diff(t, t), {})
    same(codec.encode(codec.merge_diff(t, t)), "{}")
  end
end

function TestDifferences:test_random()
  T.random_rounds(40, function()
    local n = ({ random(0, 3), random(0, 60), random(0, 500), random(0, 5000) })[random(1, 4)]
    local member, name = T.pick(MEMBERS), random(1, 3) > 1 and T.pick(NAMES) or nil
    local a, b = build(n, member, name), build(n, member, name)
    local keeps = true
    for _ = 1, random(0, 5) do
      local what, key = random(1, 5), any(b)
      if key == nil then
        break
      elseif what == 1 then
        if name then b[key], keeps = nil, false else table.remove(b, key) end
      elseif what == 2 then
        if name then b["new " .. random(1, 9)] = member(random(1, n)) else table.insert(b, key, member(random(1, n))) end
      elseif what == 3 then
        b[key], keeps = T.pick(MEMBERS)(random(1, n)), false
      elseif what == 4 and type(b[key]) == "table" and not b[key][1] then
        b[key].new = member(random(1, n))
      else
        b[key], keeps = random(1, 1e6), false
      end
    end
    check(fleece.encode(a), fleece.encode(b), keeps)
    if n < 1000 then check(fleece.encode(b), fleece.encode(a)) end
  end)
end

-- Two values that have nothing in common, or only their names: replacing the whole is the shortest.
function TestDifferences:test_nothing_in_common()
  for _, n in ipairs { 1, 2, 5, 100, 2000 } do
    for _, name in ipairs { false, NAMES[1] } do
      name = name or nil
      local long = build(n, function(i) return { "a long item", i, i } end, name)
      local short = build(n, function(i) return { i % 3 } end, name)
      local none = build(0, nil, name)
      check(fleece.encode(long), fleece.encode(short), true)
      check(fleece.encode(short, { indent = 8 }), fleece.encode(long), true)
      check(fleece.encode(long), fleece.encode(none))
      check(fleece.encode(none), fleece.encode(long), true)
    end
  end
end

-- The case of the delta format that says nothing about items that move: all later ones are written, and nothing twice.
-- In a codec that writes empty tables as objects, empty arrays of the result stay arrays.
function TestDifferences:test_empty_arrays()
  for _, library in ipairs { fleece, T.safe } do
    local codec = library.new { empty_table = "object", sort_keys = true }
    local a, b = { x = 1, l = { 1 } }, { x = 1, l = fleece.array {}, o = {}, list = { fleece.array {}, {} } }
    for _, patch in ipairs { codec.merge_patch(a, codec.merge_diff(a, b)), codec.json_patch(a, codec.json_diff(a, b)) } do
      T.same(codec.encode(patch), '{"l":[],"list":[[],{}],"o":{},"x":1}')
    end
    T.same(codec.encode(codec.json_diff(a, a)), "[]")
    T.same(codec.encode(codec.merge_diff(a, a)), "{}")
  end
end

function TestDifferences:test_one_item_less()
  for _, n in ipairs { 20, 2000 } do
    local a, b = build(n, MEMBERS[6]), build(n, MEMBERS[6])
    table.remove(b, 3)
    local list, _, delta = check(fleece.encode(a), fleece.encode(b))
    same(list, '[{"op":"remove","path":"/2"}]')
    lu.assertTrue(#delta < #fleece.encode(b))
    same(delta:sub(1, 7), '{"2-":[')
  end
end
