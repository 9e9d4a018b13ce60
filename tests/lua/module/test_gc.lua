-- SPDX-License-Identifier: MIT
-- test_gc.lua -- memory in use after large results, after errors, and after codecs and raws are dropped; with both walks.
-- runs: in one layout

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
  for _, codec in ipairs(T.codecs) do assert_small(most(codec.encode), 40 * 1024) end
  assert_small(most(function(v) return fleece.format(fleece.encode(v)) end), 40 * 1024)
end

-- A stopped collector stays stopped.
function TestGc:test_stopped_collector()
  for _, codec in ipairs(T.codecs) do
    local t, s = {}, ("0123456789"):rep(10)
    for i = 1, 10000 do t[i] = s end
    collectgarbage()
    collectgarbage "stop"
    local weak = setmetatable({ {} }, { __mode = "v" })
    for i = 1, 20 do
      t[1] = ("x"):rep(i)
      codec.encode(t)
    end
    local garbage = weak[1]
    collectgarbage "restart"
    lu.assertIsTable(garbage)
  end
end

function TestGc:test_after_a_big_string()
  local s = ("\1"):rep(5000000)
  for _, codec in ipairs(T.codecs) do
    local before = T.memory()
    same(#codec.encode(s), 30000002)
    assert_small(T.memory() - before, 1024)
  end
end

function TestGc:test_after_deep_nesting()
  local t = {}
  for _ = 1, 200000 do t = { t } end
  for _, codec in ipairs(T.codecs) do
    local before = T.memory()
    same(codec.size(t), 400002)
    same(#codec.json(t), 400002)
    assert_small(T.memory() - before, 1024)
  end
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
      for k, codec in ipairs(T.codecs) do
        pcall(codec.encode, value)
        pcall(codec.json, value, "E4")
        pcall(codec.size, value)
        pcall(codec.encode, cycle)
        pcall(codec.encode, { value[1], hook })
        pcall(codec.encode, {}, { unknown = 1 })
        pcall(codec.write, function() error "sink" end, value)
        T.safe_codecs[k].encode(value)
      end
      pcall(fleece.raw, "[1,")
      pcall(fleece.new, { indent = "x" })
    end
  end)
end

function TestGc:test_after_big_errors()
  local value, s = {}, ("0123456789"):rep(10)
  for i = 1, 100000 do value[i] = s end
  value[100001] = print
  T.leaves_less(1024, function()
    for _ = 1, 3 do
      for _, codec in ipairs(T.codecs) do pcall(codec.encode, value) end
    end
  end)
end

function TestGc:test_codecs_and_raws_are_collected()
  T.leaves_less(200, function()
    for i = 1, 4000 do
      local layout = i % 2 == 0 and "auto" or "api"
      local codec = fleece.new { precision = i % 17 + 1, key_order = { "a", "b" .. i }, indent = "  ", layout = layout }
      codec.encode { 1 }
      fleece.encode { fleece.raw('["' .. ("x"):rep(500) .. '"]') }
    end
  end)
end

function TestGc:test_many_calls()
  local t = { a = 1, b = { "x", "y" }, c = setmetatable({}, { __tojson = function() return "1" end }) }
  T.leaves_less(200, function()
    for i = 1, 10000 do
      local codec = T.codecs[i % #T.codecs + 1]
      codec.encode(t)
      codec.encode({ i }, { sort_keys = true })
      codec.json { "n" .. i }
      codec.write(function() end, t)
    end
  end)
end

function TestGc:test_dead_coroutines()
  for _, codec in ipairs(T.codecs) do
    T.leaves_less(300, function()
      for _ = 1, 500 do
        coroutine.wrap(function()
          codec.encode { 1, { 2 } }
          coroutine.yield()
        end)()
        pcall(coroutine.wrap(function() codec.encode { print } end))
      end
    end)
  end
end

function TestGc:test_values_are_not_kept_alive()
  local weak = setmetatable({}, { __mode = "k" })
  local function run()
    local t = { {}, { x = {} } }
    weak[t], weak[t[1]], weak[t[2].x] = true, true, true
    for i, codec in ipairs(T.codecs) do
      codec.encode(t)
      codec.json(t)
      pcall(codec.encode, { t, print })
      T.safe_codecs[i].encode { t, setmetatable({}, { __tojson = function() error "x" end }) }
      codec.write(function() end, t)
    end
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
      for _, codec in ipairs(T.codecs) do same(codec.encode(t), expected) end
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
      T.finalizer(function() T.codecs[round % #T.codecs + 1].encode { round } end)
      for _, codec in ipairs(T.codecs) do same(codec.encode(t), expected) end
      t[round] = { round, "s" .. round }
    end
  end)
  collectgarbage "incremental"
  if not ok then error(message, 0) end
end
