-- SPDX-License-Identifier: MIT
-- test_view_loops.lua -- loops over views: on LuaJIT the iterators are in Lua and get their values in batches. What a loop
-- sees is compared with the tables that decode makes of the same text.

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestViewLoops = {}

local COUNTS = { 0, 1, 2, 5, 15, 16, 17, 31, 63, 64, 65, 79, 80, 81, 143, 144, 145, 300 } -- batches: 16, then 64

local ITEMS = { "null", "true", "1.5", "-7", '"text"', "[]", '{"a":[1]}' }

local function array(n)
  local items = {}
  for i = 1, n do items[i] = ITEMS[i % #ITEMS + 1] end
  return "[" .. table.concat(items, ",") .. "]"
end

local function name(i) return ("name %05d"):format(i) end

local function object(n)
  local members = {}
  for i = 1, n do members[i] = '"' .. name(i) .. '":' .. ITEMS[i % #ITEMS + 1] end
  return "{" .. table.concat(members, ",") .. "}"
end

local function view_of(text, options) return fleece.open(fleece.from_json(text), options).root end

local function plain(value)
  local kind = fleece.type(value)
  return (kind == "array" or kind == "dict") and value:totable() or value
end

local function seen(...)
  local keys, values = {}, {}
  for k, v in ... do
    keys[#keys + 1] = k
    values[#values + 1] = plain(v)
  end
  return keys, values
end

function TestViewLoops:test_arrays()
  for _, n in ipairs(COUNTS) do
    local want, numbers = fleece.decode(array(n)), {}
    for i = 1, n do numbers[i] = i end
    for _, view in ipairs { view_of(array(n)), fleece.lazy(array(n)), view_of(array(n), { null = "none" }) } do
      for _, loop in ipairs { fleece.pairs, fleece.ipairs } do
        local keys, values = seen(loop(view))
        if view:get(7) == "none" then
          for i = 7, n, #ITEMS do values[i] = values[i] == "none" and fleece.null or values[i] end
        end
        lu.assertEquals(keys, numbers)
        lu.assertEquals(values, want)
      end
    end
  end
end

function TestViewLoops:test_dicts()
  for _, n in ipairs(COUNTS) do
    local want = fleece.decode(object(n))
    for _, view in ipairs { view_of(object(n)), fleece.lazy(object(n)) } do
      local keys, values = seen(fleece.pairs(view))
      T.same(#keys, n)
      for i = 1, n do
        T.same(keys[i], name(i)) -- in the order of the names
        lu.assertEquals(values[i], want[name(i)])
      end
      lu.assertEquals({ seen(fleece.ipairs(view)) }, { {}, {} })
    end
  end
end

-- A changed document has what did not change in its base; removed members are undefined there.
function TestViewLoops:test_changed_documents()
  for _, n in ipairs { 5, 40, 200 } do
    local doc = fleece.open(fleece.from_json(object(n)))
    local want = fleece.decode(object(n))
    local changed = fleece.open(doc:amend(function(root)
      for i = 1, n, 3 do
        root[name(i)] = nil
        want[name(i)] = nil
      end
      root[name(n + 1)], want[name(n + 1)] = true, true
    end, { extern = true }), { base = doc })
    local found, last = {}, ""
    for k, v in fleece.pairs(changed.root) do
      lu.assertTrue(k > last, "the order of the names")
      found[k], last = plain(v), k
    end
    lu.assertEquals(found, want)
  end
end

-- What a loop does at its ends: the iterators can be called again, those of an array from any item.
function TestViewLoops:test_calls()
  for _, n in ipairs { 0, 3, 16, 100 } do
    local next_item, state, first = fleece.pairs(view_of(array(n)))
    T.same(first, 0)
    for _, i in ipairs { 0, n - 1, n, n + 1, 50, 2, 98, 15, 16, 17, -1, 2 ^ 53 } do
      T.same((next_item(state, i)), i >= 0 and i < n and i + 1 or nil)
    end
    local next_pair, position = fleece.pairs(view_of(object(n)))
    for i = 1, n do T.same((next_pair(position)), name(i)) end
    T.same(next_pair(position), nil)
    T.same(next_pair(position), nil, "and once more")
  end
end

local function closes_at(view, doc, step)
  local n = 0
  T.raises_with("closed", function()
    for _ in fleece.pairs(view) do
      n = n + 1
      if n == step then doc:close() end
    end
  end)
  T.same(n, step)
end

-- After doc:close() the next step of a loop raises, also if its value has been made before.
function TestViewLoops:test_close()
  for _, n in ipairs { 1, 5, 16, 17, 100 } do
    for _, text in ipairs { array(n), object(n) } do
      for _, step in ipairs { 1, 3, n } do
        if step <= n then
          local doc = fleece.open(fleece.from_json(text))
          closes_at(doc.root, doc, step)
        end
      end
    end
  end
  -- Two loops over one document, and one after it was closed.
  local doc = fleece.open(fleece.from_json '{"a":[1,2,3]}')
  local view = doc.root.a
  for _ in fleece.pairs(doc.root) do closes_at(view, doc, 2) break end
  T.raises_with("closed", fleece.pairs, view)
  -- encode reads the bytes while a hook closes the document.
  doc = fleece.open(fleece.from_json '{"a":[1,2,3]}')
  local n = 0
  T.raises_with("closed", function()
    for _ in fleece.pairs(doc.root.a) do
      n = n + 1
      pcall(fleece.encode, { doc.root, setmetatable({}, { __tojson = function() return doc:close() or "1" end }) })
    end
  end)
  T.same(n, 1)
end

-- Loops inside loops, in coroutines, and loops that end early.
function TestViewLoops:test_nested()
  local view, sum = view_of('{"rows":[' .. ("[1,2,3],"):rep(99) .. "[1,2,3]]}"), 0
  for _, row in fleece.pairs(view.rows) do
    for i, x in fleece.ipairs(row) do
      if i == 3 then break end
      sum = sum + x
    end
  end
  T.same(sum, 300)
  local walk = coroutine.wrap(function()
    for i, row in fleece.pairs(view.rows) do coroutine.yield(i + row[1]) end
  end)
  for i = 1, 100 do T.same(walk(), i + 1) end
end

-- Long strings are not made far ahead.
function TestViewLoops:test_long_strings()
  local text = ("x"):rep(100000)
  local items, names = {}, {}
  for i = 1, 40 do
    items[i] = '"' .. text .. i .. '"'
    names[i] = ('"k%02d":'):format(i) .. items[i]
  end
  for _, view in ipairs { view_of("[" .. table.concat(items, ",") .. "]"),
                          view_of("{" .. table.concat(names, ",") .. "}") } do
    local n = 0
    for _, s in fleece.pairs(view) do
      n = n + 1
      T.same(s, text .. n)
    end
    T.same(n, 40)
    collectgarbage()
    collectgarbage()
    local before, peak = collectgarbage "count", 0
    collectgarbage "stop"
    for _ in fleece.pairs(view) do
      peak = collectgarbage "count" - before
      break
    end
    collectgarbage "restart"
    lu.assertTrue(peak < 500, "at most a batch of 4 KB and a string: " .. peak)
  end
end

-- Whatever a program writes into the table that an iterator gets, it is a wrong loop at most.
function TestViewLoops:test_foreign_state()
  for _, text in ipairs { array(100), object(100) } do
    for _, bad in ipairs { 0, -1, 1e300, "x", true, {}, io.stdout, fleece.data "x", view_of "[1]", view_of '{"a":1}' } do
      for slot = 0, 5 do
        local step, state, i = fleece.pairs(view_of(text))
        for _ = 1, 20 do pcall(function() i = step(state, i) end) end
        if type(state) == "table" then
          state[slot] = bad
          for _ = 1, 100 do pcall(function() i = step(state, i) end) end
          pcall(step, state, 80)
        end
        pcall(step, bad, i)
        pcall(step)
      end
    end
  end
end
