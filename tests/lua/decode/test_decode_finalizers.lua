-- SPDX-License-Identifier: MIT
-- test_decode_finalizers.lua -- decoding while the collector runs, in each of its modes, with finalizers that decode,
-- encode, move the stack or raise errors in the middle of another decode.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestDecodeFinalizers = {}

local function set_collector(pause, stepmul)
  for name, value in pairs { pause = pause, stepmul = stepmul } do
    if T.version == "Lua 5.5" then collectgarbage("param", name, value) else collectgarbage("set" .. name, value) end
  end
end

-- Restores the collector even if f fails. LuaJIT runs without its compiler: with it, releases of 2022 and 2023 (not
-- newer ones) sometimes hung in the collector when a compiled trace of these tests had called it.
local function with_collector(set, f)
  collectgarbage()
  if T.jit then require "jit".off() end
  set()
  local ok, message = pcall(f)
  if T.version == "Lua 5.4" or T.version == "Lua 5.5" then collectgarbage "incremental" end
  set_collector(200, 200)
  if T.jit then require "jit".on() end
  if not ok then error(message, 0) end
end

-- The collector runs at each allocation, finishes a cycle in each step, or hardly runs.
local modes = {
  eager = function() set_collector(0, 400) end,
  whole = function() set_collector(0, 1000000) end,
  lazy = function() set_collector(1000, 100) end,
}
if T.version == "Lua 5.4" or T.version == "Lua 5.5" then
  modes.generational = function() collectgarbage "generational" end
end

-- A value and its text. `seed` makes the names and strings unique.
local function sample(seed)
  local value, parts = {}, {}
  for i = 1, 12 do
    local long = ("long %d/%s "):rep(i % 7 * 5):format(T.unpack((function()
      local a = {}
      for k = 1, 70 do a[k] = k % 2 == 1 and i or seed end
      return a
    end)()))
    local o = {
      id = i,
      name = seed .. i,
      list = { i, { i + 0.5 }, {} },
      flag = i % 2 == 0,
      long = long,
      ["own " .. seed .. i % 5] = "\n" .. long,
    }
    local text = ('{"id":%d,"name":"%s","list":[%d,[%d.5],[]],"flag":%s,"long":"%s","own %s":"\\n%s"}'):format(i,
      seed .. i, i, i, tostring(o.flag), long, seed .. i % 5, long)
    value[i], parts[i] = o, text
  end
  return value, "[" .. table.concat(parts, ",") .. "]"
end

local function assert_equal(got, expected, what)
  if not T.is_equal(got, expected) then lu.fail(what .. ": another value") end
end

-- Uses the decoded tables like any others: they must grow and change.
local function use(t)
  for _, o in ipairs(t) do
    o.added, o.id = { o.id }, nil
    for i = 1, 9 do o["more" .. i] = i end
    o.list[#o.list + 1] = { "new" }
  end
end

local function each_mode(f)
  for name, set in pairs(modes) do with_collector(set, function() f(name) end) end
end

function TestDecodeFinalizers:test_every_mode()
  local samples = {} -- made here, because with the eager collector this would take longer than the rest
  for i = 0, 3 do samples[i] = { sample("m" .. i) } end
  each_mode(function(mode)
    local kept = {}
    for round = 1, 5 do
      local expected, text = T.unpack(samples[round % 4])
      local got = fleece.decode(text)
      assert_equal(got, expected, mode)
      use(got)
      kept[round % 5] = got
      if round % 4 == 0 then collectgarbage() end
      if round % 3 == 0 then collectgarbage "step" end
      assert_equal(T.api.decode(text), expected, mode .. ", API")
    end
    for _, t in pairs(kept) do -- the decoded values survive collections
      same(#t, 12)
      for i, o in ipairs(t) do
        same(o.added[1], i)
        same(o.more9, 9)
        same(o.list[4][1], "new")
      end
    end
  end)
end

-- Runs `action` in one of `every` finalizers that run during fleece.decode; returns how often. It does so at most 50
-- times, because an action may cause some hundred collections.
local function decode_with_finalizers(mode, every, action)
  local inside, hits, calls, running = false, 0, 0, false
  local function finalize()
    if not inside then return end
    if running or hits == 50 then return end
    T.finalizer(finalize) -- another one, for later
    calls = calls + 1
    if calls % every > 0 then return end
    running, hits = true, hits + 1
    local ok, message = pcall(action, hits)
    running = false
    if not ok then
      inside = false -- the collector may run in pcall too
      error(message, 0)
    end
  end
  local failures = {}
  for round = 1, 150 do -- if other tests have filled the heap, a cycle takes many decodes
    if round > 2 and hits > 4 then break end
    local expected, text = sample("f" .. mode .. round)
    local copies = mode == "lazy" and 8 or 4 -- a long cycle needs more
    text = "[" .. text .. ("," .. text):rep(copies - 1) .. "]"
    local waiting = {} -- keeps them until the decode begins
    for i = 1, 20 do waiting[i] = T.finalizer(finalize) end
    local ok, got = pcall(function()
      inside, waiting = true, nil
      local decoded = fleece.decode(text)
      inside = false
      return decoded
    end)
    inside = false
    if ok then for i = 1, copies do assert_equal(got[i], expected, mode) end else failures[#failures + 1] = got end
  end
  return hits, failures
end

local inner_value, inner_text = sample "inner"

function TestDecodeFinalizers:test_finalizers_decode()
  local hits = 0
  each_mode(function(mode)
    local more, failures = decode_with_finalizers(mode, 7, function(n)
      assert_equal(fleece.decode(inner_text), inner_value, "inside")
      local name = "new name " .. mode .. n -- new shapes for the cache, which the outer decode uses too
      same(fleece.decode('[{"' .. name .. '":1},{"' .. name .. '":2}]')[2][name], 2)
      same(T.safe.decode('{"id":1,"name":'), nil)
    end)
    same(#failures, 0)
    hits = hits + more
  end)
  lu.assertTrue(hits > 10, "only " .. hits .. " finalizers ran inside")
end

function TestDecodeFinalizers:test_finalizers_encode_and_move_the_stack()
  local function deep(n, ...)
    if n == 0 then return select("#", ...) end
    return (deep(n - 1, n, ...))
  end
  local hits = 0
  each_mode(function(mode)
    local more, failures = decode_with_finalizers(mode, 7, function(n)
      same(#fleece.encode(inner_value) > 1000, true)
      deep(20 + n * 7 % 100)
    end)
    same(#failures, 0)
    hits = hits + more
  end)
  lu.assertTrue(hits > 10, "only " .. hits .. " finalizers ran inside")
end

-- An error of a finalizer comes out of the decode in 5.1 to 5.3 and in some LuaJITs; elsewhere it is a warning.
function TestDecodeFinalizers:test_finalizers_raise()
  local errors, hits = 0, 0
  each_mode(function(mode)
    local more, failures = decode_with_finalizers(mode, 1, function() error("boom", 0) end)
    for _, message in ipairs(failures) do T.contains(message, "boom") end
    errors, hits = errors + #failures, hits + more
    local expected, text = sample("after " .. mode)
    assert_equal(fleece.decode(text), expected, "after errors")
  end)
  lu.assertTrue(hits > 0, "no finalizer ran inside")
  if T.version == "Lua 5.1" or T.version == "Lua 5.2" or T.version == "Lua 5.3" then
    lu.assertTrue(errors > 0, "no error came out")
  end
end

-- A coroutine's stack starts small, and the collector shrinks stacks whose upper part is unused.
function TestDecodeFinalizers:test_stacks_that_shrink()
  local function deep(n)
    if n == 0 then return 0 end
    return 1 + deep(n - 1)
  end
  each_mode(function(mode)
    for fill = 1, 120, 13 do
      local strings = {}
      for i = 1, 6 do strings[i] = '"' .. ("s"):rep(3000) .. mode .. fill .. i .. '"' end
      local text = "[" .. table.concat(strings, ",") .. (",7"):rep(fill) .. ',{"a":1,"b":2,"' ..
        ("n"):rep(50) .. '":3}]'
      local got = coroutine.wrap(function()
        deep(fill)
        return fleece.decode(text)
      end)()
      same(#got, 7 + fill)
      for i = 7, 6 + fill do same(got[i], 7) end
      same(got[7 + fill][("n"):rep(50)], 3)
    end
  end)
end

function TestDecodeFinalizers:test_duplicates_with_finalizers()
  local function deep(n, ...)
    if n == 0 then return 0 end
    return (deep(n - 1, n, ...))
  end
  each_mode(function()
    for round = 1, 40 do
      T.finalizer(function() deep(150) end)
      local message = T.error_of(fleece.decode, ('["%d",{"a":1,"b":[],"a":2}]'):format(round), { duplicates = "error" })
      T.contains(message, "duplicate name")
    end
  end)
end
