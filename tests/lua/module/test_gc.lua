-- SPDX-License-Identifier: MIT
-- test_gc.lua -- memory in use after large results, after errors, and after codecs and raws are dropped.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestGc = {}

local function assert_small(kilobytes, limit)
  lu.assertTrue(kilobytes < limit, string.format("%.0f KB stay, at most %d KB may", kilobytes, limit))
end

function TestGc:test_after_a_big_result()
  local t, s = {}, ("0123456789"):rep(10)
  for i = 1, 200000 do t[i] = s end
  for _, codec in ipairs(T.codecs) do
    local before = T.memory()
    same(#codec.encode(t), 200000 * 103 + 1)
    assert_small(T.memory() - before, 1024)
    same(#codec.json(t), 200000 * 103 + 1)
    assert_small(T.memory() - before, 1024)
    same(codec.size(t), 200000 * 103 + 1)
    assert_small(T.memory() - before, 1024)
  end
end

-- A program that creates hardly anything but long texts: in Lua 5.1 and LuaJIT the collector would run too rarely and
-- leave nearly all of 130 MB in use. This test makes no full collections.
function TestGc:test_garbage_of_long_results()
  local t = {}
  for i = 1, 10000 do t[i] = { "0123456789012345678901234567890123456789" } end
  local function most(f)
    local kilobytes = 0
    collectgarbage()
    for i = 1, 100 do
      t[5000] = ("x"):rep(i) -- different from the text before, or 5.1 would compare the two
      if #f(t) < 440000 then lu.fail "short" end
      kilobytes = math.max(kilobytes, collectgarbage "count")
    end
    return kilobytes
  end
  assert_small(most(fleece.encode), 40 * 1024)
  assert_small(most(T.api.encode), 40 * 1024)
  assert_small(most(function(v) return fleece.format(fleece.encode(v)) end), 40 * 1024)
end

-- A stopped collector stays stopped.
function TestGc:test_stopped_collector()
  local t, s = {}, ("0123456789"):rep(10)
  for i = 1, 10000 do t[i] = s end
  collectgarbage()
  collectgarbage "stop"
  local weak = setmetatable({ {} }, { __mode = "v" })
  for i = 1, 20 do
    t[1] = ("x"):rep(i)
    fleece.encode(t)
  end
  local garbage = weak[1]
  collectgarbage "restart"
  lu.assertIsTable(garbage)
end

function TestGc:test_after_a_big_string()
  local s = ("\1"):rep(5000000)
  local before = T.memory()
  same(#fleece.encode(s), 30000002)
  assert_small(T.memory() - before, 1024)
end

function TestGc:test_after_deep_nesting()
  local t = {}
  for _ = 1, 200000 do t = { t } end
  local before = T.memory()
  same(fleece.size(t), 400002)
  same(#fleece.json(t), 400002)
  assert_small(T.memory() - before, 1024)
end

function TestGc:test_after_errors()
  local value = {}
  for i = 1, 600 do value[i] = { i, ("text"):rep(20) } end -- more than a buffer of 32 KB
  value[601] = print
  local cycle = { ("x"):rep(1000) }
  cycle[2] = cycle
  local hook = setmetatable({}, { __tojson = function() error "boom" end })
  T.leaves_less(200, function()
    for _ = 1, 100 do
      pcall(fleece.encode, value)
      pcall(T.api.encode, value)
      pcall(fleece.json, value, "E4")
      pcall(fleece.size, value)
      pcall(fleece.encode, cycle)
      pcall(fleece.encode, { value[1], hook })
      pcall(fleece.encode, {}, { unknown = 1 })
      pcall(fleece.write, function() error "sink" end, value)
      pcall(fleece.raw, "[1,")
      pcall(fleece.new, { indent = "x" })
      T.safe.encode(value)
    end
  end)
end

function TestGc:test_after_big_errors()
  local value, s = {}, ("0123456789"):rep(10)
  for i = 1, 100000 do value[i] = s end
  value[100001] = print
  T.leaves_less(1024, function()
    for _ = 1, 3 do
      pcall(fleece.encode, value)
      pcall(T.api.encode, value)
    end
  end)
end

function TestGc:test_codecs_and_raws_are_collected()
  T.leaves_less(200, function()
    for i = 1, 2000 do
      local codec = fleece.new { precision = i % 17 + 1, key_order = { "a", "b" .. i }, indent = "  " }
      codec.encode { 1 }
      fleece.encode { fleece.raw('["' .. ("x"):rep(500) .. '"]') }
    end
  end)
end

function TestGc:test_many_calls()
  local t = { a = 1, b = { "x", "y" }, c = setmetatable({}, { __tojson = function() return "1" end }) }
  T.leaves_less(200, function()
    for i = 1, 5000 do
      fleece.encode(t)
      fleece.encode({ i }, { sort_keys = true })
      fleece.json { "n" .. i }
      fleece.write(function() end, t)
    end
  end)
end

function TestGc:test_dead_coroutines()
  T.leaves_less(300, function()
    for _ = 1, 500 do
      coroutine.wrap(function()
        fleece.encode { 1, { 2 } }
        coroutine.yield()
      end)()
      pcall(coroutine.wrap(function() fleece.encode { print } end))
    end
  end)
end

function TestGc:test_values_are_not_kept_alive()
  local weak = setmetatable({}, { __mode = "k" })
  local function run()
    local t = { {}, { x = {} } }
    weak[t], weak[t[1]], weak[t[2].x] = true, true, true
    fleece.encode(t)
    T.api.encode(t)
    fleece.json(t)
    pcall(fleece.encode, { t, print })
    T.safe.encode { t, setmetatable({}, { __tojson = function() error "x" end }) }
    fleece.write(function() end, t)
  end
  run()
  coroutine.wrap(run)()
  collectgarbage()
  collectgarbage()
  same(next(weak), nil)
end

function TestGc:test_encode_while_the_collector_is_in_each_phase()
  local t = {}
  for i = 1, 300 do t[i] = { i, "s" .. i } end
  local expected = T.model.encode(t)
  collectgarbage "stop"
  local ok, message = pcall(function()
    for _ = 1, 300 do
      collectgarbage("step", 1)
      same(fleece.encode(t), expected)
      local garbage = {}
      for i = 1, 20 do garbage[i] = { "g" .. i } end
    end
  end)
  collectgarbage "restart"
  if not ok then error(message, 0) end
end

function TestGc:test_generational()
  if not (T.version == "Lua 5.4" or T.version == "Lua 5.5") then lu.skip "this Lua: no generational collector" end
  local t = {}
  for i = 1, 300 do t[i] = { i, "s" .. i } end
  local expected = T.model.encode(t)
  collectgarbage "generational"
  local ok, message = pcall(function()
    for round = 1, 300 do
      T.finalizer(function() fleece.encode { round } end)
      same(fleece.encode(t), expected)
      t[round] = { round, "s" .. round }
    end
  end)
  collectgarbage "incremental"
  if not ok then error(message, 0) end
end
