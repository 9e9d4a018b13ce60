-- SPDX-License-Identifier: MIT
-- test_decode_gc.lua -- decoding while the collector runs and finalizers decode: results stay intact, memory is freed.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestDecodeGc = {}

local function rows_text(seed, n)
  local rows = {}
  for i = 1, n do
    rows[i] = ('{"id":%d,"name":"row %d of %d","tags":["t%d","x\\n%d"],"pos":{"x":%d.5,"y":-%d},"opt%d":null,"e":{},' ..
      '"f":[]}'):format(
      i, i, seed, i % 7, seed, i, seed, i % 3)
  end
  return "[" .. table.concat(rows, ",\n") .. "]"
end

local function check_rows(list, seed, n)
  if #list ~= n then lu.fail("length") end
  for i = 1, n do
    local row = list[i]
    if row.id ~= i or row.name ~= ("row %d of %d"):format(i, seed) or row.tags[1] ~= "t" .. i % 7 or
      row.tags[2] ~= "x\n" .. seed or
      row.pos.x ~= i + 0.5 or row.pos.y ~= -seed or row["opt" .. i % 3] ~= fleece.null or next(row.e) ~= nil or
        next(row.f) ~= nil or
      getmetatable(row.e) ~= fleece.object_mt then
      lu.fail(("row %d of %d"):format(i, seed))
    end
  end
end

-- Runs f with each of several busy collector settings; after each, restores the default and calls `afterwards`, if
-- given.
local function under_pressure(f, afterwards)
  local modes = {
    function()
      collectgarbage("setpause", 1)
      collectgarbage("setstepmul", 1000000)
    end,
    function()
      collectgarbage("setpause", 100)
      collectgarbage("setstepmul", 100)
    end,
  }
  if T.version == "Lua 5.4" or T.version == "Lua 5.5" then
    modes[#modes + 1] = function() collectgarbage "generational" end
  end
  if T.version == "Lua 5.5" then
    modes[1] = function() collectgarbage("param", "pause", 1) end
    modes[2] = function() end
  end
  local before = (T.version == "Lua 5.4" or T.version == "Lua 5.5") and collectgarbage "incremental" or nil
  for _, mode in ipairs(modes) do
    mode()
    local ok, message = pcall(f)
    if before then collectgarbage "incremental" end
    if T.version == "Lua 5.5" then
      collectgarbage("param", "pause", 250)
    else
      collectgarbage("setpause", 200)
      collectgarbage("setstepmul", 200)
    end
    if not ok then error(message, 0) end
    if afterwards then afterwards() end
  end
  if before == "generational" then collectgarbage "generational" end
end

function TestDecodeGc:test_results_live()
  local texts, sizes, kept = {}, {}, nil
  for seed = 1, 15 do
    sizes[seed] = 20 + seed % 13
    texts[seed] = rows_text(seed, sizes[seed])
  end
  under_pressure(function()
    kept = {}
    for seed = 1, 15 do
      kept[seed] = fleece.decode(texts[seed])
      if seed % 5 == 0 then
        collectgarbage()
        check_rows(kept[seed - 3], seed - 3, sizes[seed - 3])
      end
    end
    collectgarbage()
  end, function()
    for seed = 1, 15 do check_rows(kept[seed], seed, sizes[seed]) end
  end)
end

-- The decoded tables keep their metatables alive.
function TestDecodeGc:test_metatables_live()
  local kept
  under_pressure(function()
    kept = {}
    for seed = 1, 15 do
      kept[seed] = fleece.decode(rows_text(seed, 20),
        { arrays = { __index = { kind = "array " .. seed } }, objects = { __index = { kind = "object " .. seed } } })
      if seed % 5 == 0 then collectgarbage() end
    end
    collectgarbage()
  end, function()
    for seed = 1, 15 do
      same(kept[seed].kind, "array " .. seed)
      for i = 1, 20 do
        same(kept[seed][i].kind, "object " .. seed)
        same(kept[seed][i].tags.kind, "array " .. seed)
        same(kept[seed][i].f.kind, "array " .. seed)
      end
    end
  end)
end

-- __gc (if tables have finalizers) and __mode of a metatable work for each decoded table, of short texts and long ones.
function TestDecodeGc:test_metatables_of_the_collector()
  local has_finalizers = false
  setmetatable({}, { __gc = function() has_finalizers = true end })
  collectgarbage()
  for _, n in ipairs { 1, 4, 40 } do
    local text, finalized = "[" .. ('{"a":[1],"b":[]},'):rep(n) .. '{"a":[2],"b":[]}]', 0
    local mt = { __gc = function() finalized = finalized + 1 end }
    fleece.decode(text, { arrays = mt, objects = mt })
    collectgarbage()
    same(finalized, has_finalizers and 3 * (n + 1) + 1 or 0)
    local weak = fleece.decode(text, { arrays = { __mode = "v" } })
    collectgarbage()
    same(next(weak), nil)
  end
end

-- Calls f(round, make); make() creates garbage whose finalizer runs inside an allocation of a decode.
local function with_finalizers(finalize, f)
  local make
  if newproxy then
    make = function()
      local u = newproxy(true)
      getmetatable(u).__gc = finalize
    end
  else
    make = function() setmetatable({}, { __gc = finalize }) end
  end
  for round = 1, 8 do
    for _ = 1, 50 do make() end
    f(round, make)
  end
  collectgarbage()
end

function TestDecodeGc:test_finalizers_decode_and_encode()
  local ran = 0
  under_pressure(function()
    with_finalizers(function()
      ran = ran + 1
      local inner = fleece.decode(rows_text(1000 + ran % 5, 3))
      check_rows(inner, 1000 + ran % 5, 3)
      fleece.decode(('{"new name %d":{"and %d":1}}'):format(ran, ran))
      fleece.encode(inner)
    end, function(round, make)
      local text = rows_text(round, 40)
      for _ = 1, 5 do make() end
      check_rows(fleece.decode(text), round, 40)
    end)
  end)
  lu.assertTrue(ran > 100)
end

function TestDecodeGc:test_finalizers_that_fail()
  -- Lua 5.1 to 5.3 raise such errors from the allocation: decode then raises it and leaks nothing.
  local armed, ran, threw = false, 0, 0
  local function finalize()
    ran = ran + 1
    if armed then error "from a finalizer" end
  end
  -- Steps 5.1's collector, whatever the size of the heap, until it has begun to call finalizers and has many left.
  local function step_to_finalizers()
    local cycles, before = 0, ran
    while T.version == "Lua 5.1" and ran == before and cycles < 3 do
      if collectgarbage("step", 0) then cycles = cycles + 1 end
    end
  end
  local function decode_all()
    with_finalizers(finalize, function(round, make)
      local text = rows_text(round, 10)
      for _ = 1, 50 do make() end
      step_to_finalizers()
      for _ = 1, 4 do
        make()
        local ok, result = pcall(function()
          armed = true
          local decoded = fleece.decode(text)
          armed = false
          return decoded
        end)
        armed = false
        if not ok then threw = threw + 1 end
        if ok then check_rows(result, round, 10) else T.contains(tostring(result), "finalizer") end
      end
    end)
  end
  under_pressure(decode_all)
  if T.version == "Lua 5.1" then lu.assertTrue(threw > 0) end
  check_rows(fleece.decode(rows_text(5, 40)), 5, 40)
end

function TestDecodeGc:test_finalizers_collect()
  local busy = false
  with_finalizers(function()
    if busy then return end
    busy = true
    collectgarbage()
    busy = false
  end, function(round) check_rows(fleece.decode(rows_text(round, 50)), round, 50) end)
end

function TestDecodeGc:test_debug_hooks_during_decode()
  local count = 0
  debug.sethook(function()
    count = count + 1
    if count % 3 == 0 then collectgarbage "step" end
    if count % 100 == 0 then fleece.decode '{"from":["the","hook"]}' end
  end, "crl", 100)
  local ok, message = pcall(function()
    for seed = 1, 20 do check_rows(fleece.decode(rows_text(seed, 20)), seed, 20) end
  end)
  debug.sethook()
  if not ok then error(message, 0) end
end

function TestDecodeGc:test_coroutines()
  local threads = {}
  for i = 1, 10 do
    threads[i] = coroutine.wrap(function()
      for seed = i, i + 20 do
        check_rows(fleece.decode(rows_text(seed, 12)), seed, 12)
        coroutine.yield(seed)
      end
    end)
  end
  for _ = 1, 20 do
    for i = 1, 10 do threads[i]() end
    collectgarbage "step"
  end
  -- from a nearly empty stack and from a deep one
  local function deep(n)
    if n == 0 then return fleece.decode(rows_text(3, 30)) end
    return (deep(n - 1))
  end
  check_rows(deep(150), 3, 30)
  check_rows(coroutine.wrap(function() return deep(120) end)(), 3, 30)
end

-- More names and shapes than the caches hold: they are dropped and learned again, and memory does not grow.
function TestDecodeGc:test_memory_is_bounded()
  local last = 0
  T.leaves_less(300, function()
    for i = last + 1, last + 9000 do
      local t = fleece.decode(('[{"a%d":1,"b":2},{"a%d":1,"b":2},{"a%d":3,"b%d":4}]'):format(i, i, i, i))
      if t[1]["a" .. i] ~= 1 or t[2].b ~= 2 or t[3]["b" .. i] ~= 4 then lu.fail(i) end
    end
    last = last + 9000
  end)
  -- errors leak nothing
  T.leaves_less(300, function()
    for i = 1, 2000 do T.safe.decode('[{"x' .. i .. '":["' .. ("y"):rep(300) .. '\\n", tru') end
  end)
end

-- In addition to the result, decoding needs no more memory than the size of the text, even if it ends in a long array.
function TestDecodeGc:test_peak()
  local items = {}
  for i = 1, 200000 do items[i] = tostring(i % 1000) end
  local text = "[" .. table.concat(items, ",") .. "]"
  items = nil
  for _ = 1, 8 do collectgarbage() end -- each one halves the string table, which other tests have enlarged
  collectgarbage "stop"
  local before = collectgarbage "count"
  local list = fleece.decode(text)
  local peak = collectgarbage "count" - before
  collectgarbage "restart"
  collectgarbage()
  collectgarbage()
  local result = collectgarbage "count" - before
  same(#list, 200000)
  lu.assertTrue(peak - result <= #text / 1024,
    ("%.0f KB above %.0f KB for %.0f KB of text"):format(peak - result, result, #text / 1024))
end
