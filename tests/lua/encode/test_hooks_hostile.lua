-- SPDX-License-Identifier: MIT
-- test_hooks_hostile.lua -- hooks and finalizers that change the value being encoded, or call encode. The output for a
-- changed table is not defined, but memory must stay safe and the module must keep working.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestHooksHostile = {}

-- Encodes in every way; the result must be valid JSON or an error with a message.
local function survives(make, options)
  for _, codec in ipairs(T.codecs) do
    for _, call in ipairs { "encode", "write" } do
      local ok, text
      if call == "encode" then
        ok, text = pcall(codec.encode, make(), options)
      else
        local sink, result = T.collector()
        ok, text = pcall(codec.write, sink, make(), options)
        if ok then text = result() end
      end
      if ok then T.model.decode(text) else lu.assertIsString(text) end
      same(codec.encode { "still", { well = true } }, '["still",{"well":true}]')
    end
  end
end

function TestHooksHostile:test_hook_changes_its_parent()
  local actions = {
    clear = function(t) for k in next, t do t[k] = nil end end,
    grow = function(t) for i = 1, 500 do t[#t + 1] = i end end,
    add_keys = function(t) for i = 1, 500 do t["k" .. i] = i end end,
    shrink = function(t) for i = #t, 1, -1 do t[i] = nil end end,
    replace = function(t) for k in next, t do t[k] = "replaced" end end,
    collect = function()
      collectgarbage()
      collectgarbage()
    end,
    clear_and_collect = function(t)
      for k in next, t do t[k] = nil end
      collectgarbage()
      for i = 1, 100 do t[i] = {} end
      collectgarbage()
    end,
    metatable = function(t) setmetatable(t, { __tojson = function() return "1" end }) end,
  }
  for _, action in pairs(actions) do
    for _, shape in ipairs { "array", "object", "mixed" } do
      survives(function()
        local t = {}
        local hook = setmetatable({ "h" }, { __tojson = function()
          action(t)
          return '"hook"'
        end })
        for i = 1, 50 do
          if shape ~= "object" then t[i] = i == 20 and hook or { i, "text" .. i } end
          if shape ~= "array" then t["key" .. i] = i == 30 and hook or { i } end
        end
        return { "first", t, "last" }
      end)
    end
  end
end

-- `next` raises an error for a key that is gone. Here it must be like any other error: with a path, returned by
-- fleece.safe, and the buffer is kept for later calls.
function TestHooksHostile:test_hook_removes_the_key_it_is_at()
  local function list_of(way)
    local t = {}
    local function remove()
      for k in pairs(t) do t[k] = nil end
      for i = 1, 1000 do t[i] = i end -- makes Lua allocate new nodes
      for i = 1, 1000 do t[i] = nil end
      t.y = 1
      collectgarbage()
      return '"hook"'
    end
    for i = 1, 200 do t["k" .. i] = way == "hook" and setmetatable({}, { __tojson = remove }) or { {} } end
    return { list = { t } }, remove
  end
  local wanted, met = "table has changed, and the key it was at is gone, at .list[1]", 0
  local function check(expected, ok, message)
    if type(message) == "string" and message:find("gone", 1, true) then
      met = met + 1
      T.ends(message, expected)
      lu.assertTrue(not ok)
    end
  end
  for _, codec in ipairs(T.codecs) do
    check(wanted, pcall(codec.encode, (list_of "hook")))
    check(wanted, pcall(codec.encode, (list_of "hook"), { indent = 2 }))
    local value, remove = list_of "sink"
    check("gone, at [1].list[1]", pcall(codec.write, remove, { value, ("x"):rep(20000) }))
  end
  check(wanted, T.safe.encode((list_of "hook")))
  check(wanted, T.safe_api.encode((list_of "hook")))
  same(T.api.encode { "still", { well = true } }, '["still",{"well":true}]')
  lu.assertTrue(met > 0, "no encode met the missing key")
end

function TestHooksHostile:test_pairs_and_index_change_things()
  survives(function()
    local t
    t = { 1, 2, setmetatable({}, { __pairs = function()
      return function(_, k)
        t[(k or 0) + 10] = {}
        collectgarbage "step"
        if (k or 0) < 20 then return (k or 0) + 1, t end
      end
    end }), 4 }
    return t
  end)
  survives(function()
    local t = {}
    for i = 1, 30 do t[i] = { i } end
    t[15] = setmetatable({}, { __len = function()
      t[16] = nil
      return 5
    end, __index = function(_, i)
      t[i] = nil
      collectgarbage "step"
      return i
    end })
    return t
  end)
end

function TestHooksHostile:test_pairs_with_changing_keys()
  survives(function() -- a __pairs that gives different keys on its second call
    local n = 0
    return { setmetatable({}, { __pairs = function()
      n = n + 1
      local keys, i = n % 2 == 1 and { 1, 2, 3 } or { "a", 1, 2.5 }, 0
      return function()
        i = i + 1
        if keys[i] then return keys[i], i end
      end
    end }) }
  end)
  survives(function() -- the same key 100 times
    local i = 0
    return setmetatable({}, { __pairs = function() return function()
      i = i + 1
      if i < 100 then return 1, i end
    end end })
  end)
end

function TestHooksHostile:test_sort_with_hooks()
  survives(function()
    local t = {}
    for i = 1, 30 do t["k" .. i] = i end
    t.hook = setmetatable({}, { __tojson = function()
      for k in pairs(t) do t[k] = nil end
      collectgarbage()
      return "1"
    end })
    return t
  end, { sort_keys = true })
end

function TestHooksHostile:test_on_error_changes_things()
  local t
  local function make()
    t = {}
    for i = 1, 40 do
      t[i] = { i }
      t["k" .. i] = print
    end
    return t
  end
  survives(make, { on_error = function()
    for k in pairs(t) do t[k] = nil end
    collectgarbage()
    return "x"
  end })
  survives(make, { on_error = function() return t end })
  survives(make, { on_error = function(value) return { value } end })
end

function TestHooksHostile:test_endless_recursion()
  local h
  h = setmetatable({}, { __tojson = function() return fleece.encode(h) end })
  lu.assertError(fleece.encode, h)
  local i = setmetatable({}, {})
  getmetatable(i).__len = function() return 1 end
  getmetatable(i).__index = function() return i end
  lu.assertError(fleece.encode, i)
  local p = {}
  setmetatable(p, { __pairs = function() return next, { x = p } end })
  lu.assertError(fleece.encode, p)
  local fresh = {}
  fresh.__pairs = function() return next, { x = setmetatable({}, fresh) } end
  T.raises_with("nesting deeper than", fleece.encode, setmetatable({}, fresh))
  same(fleece.encode { 1 }, "[1]")
end

function TestHooksHostile:test_finalizers_that_encode()
  -- Any allocation may run a finalizer, which may encode with the same module and the same codec.
  local runs, wrong, inner = 0, 0, { "inside", { ("z"):rep(300), 1.5, { a = false } } }
  local expected_inner = '["inside",["' .. ("z"):rep(300) .. '",1.5,{"a":false}]]'
  local function on_collect()
    runs = runs + 1
    if fleece.encode(inner) ~= expected_inner or fleece.json(inner) ~= expected_inner or
      T.api.encode(inner) ~= expected_inner then
      wrong = wrong + 1
    end
    if runs % 3 == 0 then fleece.write(function() end, inner) end
    if runs % 5 == 0 then pcall(fleece.encode, { print }) end
  end
  local t = {}
  for i = 1, 200 do t[i] = { i, "text " .. i, { x = i } } end
  local expected = T.model.encode(t)
  local hook = setmetatable({}, { __tojson = function()
    T.finalizer(on_collect)
    return '"h"'
  end })
  T.with_busy_collector(400, 20, function()
    for _ = 1, 5 do T.finalizer(on_collect) end
    same(fleece.encode(t), expected)
    same(fleece.json(t), expected)
    same(T.api.encode(t), expected)
    same(fleece.encode { hook, 1, { hook } }, '["h",1,["h"]]')
    local sink, result = T.collector()
    fleece.write(sink, t)
    same(result(), expected)
  end)
  collectgarbage()
  lu.assertTrue(runs > 100)
  same(wrong, 0)
end

function TestHooksHostile:test_finalizers_that_change_the_table()
  T.with_busy_collector(60, 30, function(round)
    local t = {}
    for i = 1, 100 do t[i] = { i, name = "n" .. i } end
    for i = 1, 5 do
      T.finalizer(function() for k = i, 100, 7 do t[k] = round % 2 == 0 and nil or { "new" } end end)
    end
    local text = fleece.encode { t, ("x"):rep(round * 10), t }
    return text, pcall(T.api.encode, { t, t })
  end, function(text, safe, other)
    T.model.decode(text)
    if safe then T.model.decode(other) end
  end)
end

function TestHooksHostile:test_finalizers_at_the_result()
  -- Growing results make the collector run in every place, also when the result is pushed.
  local seen = 0
  local function on_collect() seen = seen + #fleece.json { "finalizer", seen } end
  for n = 1, 300 do
    T.finalizer(on_collect)
    local s = ("r"):rep(n * 97)
    same(fleece.json(s), '"' .. s .. '"')
    same(fleece.encode { s }, '["' .. s .. '"]')
  end
  collectgarbage()
  lu.assertTrue(seen > 0)
end

function TestHooksHostile:test_yield_inside_a_hook()
  local h = setmetatable({}, { __tojson = function()
    coroutine.yield(1)
    return "1"
  end })
  local co = coroutine.create(function() return fleece.encode { h } end)
  local ok, result = coroutine.resume(co)
  if ok and coroutine.status(co) == "suspended" then -- if this Lua and this walk can yield, the encode must finish
    ok, result = coroutine.resume(co)
    same(ok and result, "[1]")
  else
    same(ok, false)
  end
  same(fleece.encode { 1 }, "[1]")
end

function TestHooksHostile:test_coroutine_inside_a_hook()
  local h = setmetatable({}, { __tojson = function()
    return coroutine.wrap(function() coroutine.yield(fleece.encode { "in a coroutine" }) end)()
  end })
  same(T.encode { 1, h, 2 }, '[1,["in a coroutine"],2]')
end

function TestHooksHostile:test_codec_dropped_during_its_call()
  local codec = fleece.new { indent = 1 }
  local encode = codec.encode
  local h = setmetatable({}, { __tojson = function()
    codec, encode = nil, nil
    collectgarbage()
    collectgarbage()
    return "1"
  end })
  same(encode { h }, "[\n 1\n]")
end

function TestHooksHostile:test_finalizers_between_two_walks()
  local said = T.alone("finalizing.lua", "encode")
  local runs = said:match "^(%d+) times\n$"
  if not runs then lu.fail(said) end
  lu.assertTrue(tonumber(runs) > 0)
end
