-- SPDX-License-Identifier: MIT
-- test_coroutines.lua -- encoding inside, across and between coroutines.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestCoroutines = {}

function TestCoroutines:test_inside()
  for _, codec in ipairs { fleece, T.api, T.safe } do
    local text = coroutine.wrap(function() return codec.encode { 1, { a = "x" } } end)()
    same(text, '[1,{"a":"x"}]')
    same(coroutine.wrap(function() return codec.json({ "/" }, "E4") end)(), '["\\/"]')
    same(coroutine.wrap(function() return codec.size { "/" } end)(), 5)
  end
end

function TestCoroutines:test_first_use_inside()
  local ran = coroutine.wrap(function()
    local codec = fleece.new { indent = 1 }
    coroutine.yield(codec.encode { 1 })
    return codec.encode { 2 }
  end)
  same(ran(), "[\n 1\n]")
  collectgarbage()
  same(ran(), "[\n 2\n]")
end

function TestCoroutines:test_many_in_turn()
  local list = {}
  for i = 1, 50 do
    list[i] = coroutine.wrap(function()
      local t = {}
      for round = 1, 20 do
        t[round] = { i, round, "text" }
        coroutine.yield(fleece.encode(t) == T.model.encode(t))
      end
      return true
    end)
  end
  for _ = 1, 20 do
    for i = 1, 50 do same(list[i](), true) end
  end
end

function TestCoroutines:test_nested()
  local function nest(n)
    if n == 0 then return fleece.encode { "bottom" } end
    return coroutine.wrap(function()
      local before = fleece.encode { n }
      local inner = nest(n - 1)
      return before .. inner
    end)()
  end
  same(nest(50):sub(1, 12), "[50][49][48]")
end

function TestCoroutines:test_full_stack()
  -- Near the limit of the Lua stack, there is the right result or an error, but no crash.
  local function recurse(n)
    if n == 0 then
      local ok, text = pcall(fleece.encode, { 1, { 2 } })
      if ok then same(text, "[1,[2]]") end
      ok, text = pcall(T.api.encode, { 1, { 2 } })
      if ok then same(text, "[1,[2]]") end
      return 0
    end
    return 1 + recurse(n - 1)
  end
  for _, n in ipairs { 10, 1000, 5000, 10000 } do
    coroutine.wrap(function() pcall(recurse, n) end)()
  end
  same(fleece.encode { 1 }, "[1]")
end

function TestCoroutines:test_stack_overflow_at_every_depth()
  -- Recurses and encodes at every level until the stack is full.
  local function overflow()
    local text = fleece.encode { 1, { "x" } }
    local deeper = overflow()
    return text, deeper
  end
  collectgarbage "stop" -- each cycle would scan the whole stack
  local ok = pcall(coroutine.wrap(overflow))
  collectgarbage "restart"
  same(ok, false)
  same(fleece.encode { 1 }, "[1]")
end

function TestCoroutines:test_errors_inside()
  local co = coroutine.create(function() return fleece.encode { a = print } end)
  local ok, message = coroutine.resume(co)
  same(ok, false)
  T.ends(message, "cannot encode a function at .a")
  same(coroutine.status(co), "dead")
  same(fleece.encode { 1 }, "[1]")
end

function TestCoroutines:test_coroutine_dropped_in_the_middle()
  for _ = 1, 200 do
    local co = coroutine.wrap(function()
      local keep = fleece.encode { ("x"):rep(2000) }
      coroutine.yield(#keep)
      return keep
    end)
    same(co(), 2004)
  end
  collectgarbage()
  same(fleece.encode { 1 }, "[1]")
end

function TestCoroutines:test_hook_in_another_coroutine()
  local worker = coroutine.wrap(function(value)
    while true do value = coroutine.yield(fleece.encode(value)) end
  end)
  local h = setmetatable({}, { __tojson = function(self) return worker { "from worker" } end })
  same(T.encode { h, 1, h }, '[["from worker"],1,["from worker"]]')
end

function TestCoroutines:test_iterator_coroutine_as_pairs()
  local p = setmetatable({}, { __pairs = function()
    return coroutine.wrap(function()
      coroutine.yield("a", 1)
      coroutine.yield("b", fleece.raw(fleece.encode { 2 }))
    end)
  end })
  for _, codec in ipairs(T.codecs) do
    same(codec.encode(p), '{"a":1,"b":[2]}')
  end
end

function TestCoroutines:test_values_from_another_coroutine()
  local t = coroutine.wrap(function()
    local made = {}
    for i = 1, 100 do made[i] = { i, "x" .. i } end
    return made
  end)()
  collectgarbage()
  same(T.encode_by_model(t), T.model.encode(t))
end
