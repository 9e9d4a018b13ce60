-- SPDX-License-Identifier: MIT
-- test_writer.lua -- fleece.writer: the concatenated pieces are equal to the result of fleece.encode, whatever their
-- size; changing the value between two pieces is safe. Both walks are tested.
-- runs: in one layout

local T = require "support"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestWriter = {}

local constant, some = T.constant, T.between(1, 40)

-- With pieces of any size, the writer gives the same text as encode.
local function agrees_with_encode(value, options)
  local wanted, message = T.safe.encode(value, options)
  for _, codec in ipairs(T.safe_codecs) do
    for _, size in ipairs { constant(1), constant(7), some, constant(1e6) } do
      local got, message2 = T.writer_text(codec, value, options, size)
      if wanted then same(got or message2, wanted) else same(message2, message) end
    end
  end
end

local function random_value(depth)
  local kind = random(1, depth > 0 and 10 or 5)
  if kind == 1 then return ({ true, false, fleece.null })[random(1, 3)] end
  if kind == 2 then return random(-100, 100000) end
  if kind == 3 then return T.random_double() end
  if kind <= 5 then return ("text\n\"é"):rep(random(0, 5)) end
  local t, n = {}, random(0, random(1, 10) == 1 and 60 or 6)
  if kind <= 7 then
    for i = 1, n do t[i] = random_value(depth - 1) end
  elseif kind <= 9 then
    for _ = 1, n do t["k" .. random(1, 200)] = random_value(depth - 1) end
  else
    for _ = 1, n do t[random(1, 2) == 1 and random(1, 20) or "k" .. random(1, 20)] = random_value(depth - 1) end
  end
  return t
end

local styles = {
  {},
  { indent = 2 },
  { sort_keys = true },
  { key_order = { "k1", "k2", "k30" } },
  { ascii = true, escape_slash = true },
  { precision = 5 },
  { empty_table = "object", indent = "\t", sort_keys = true },
  { sparse = "null", sparse_ratio = 5 },
  { sparse = "error" },
  { skip_unsupported = true },
}

function TestWriter:test_random()
  T.random_rounds(120, function(i) agrees_with_encode(random_value(5), styles[i % #styles + 1]) end)
end

function TestWriter:test_values()
  local function hook() return '"hook"' end
  for _, v in ipairs { 1, "text", true, ("long "):rep(50000), {}, { {} }, { { {} }, {} }, fleece.null, fleece.object(),
    fleece.raw "[1, 2]", { setmetatable({}, { __tojson = hook }), 1, { setmetatable({}, { __tojson = hook }) } },
      setmetatable({ 1, 2 }, { __jsontype = "array" }),
    setmetatable({}, { __pairs = function() return next, { p = 1 } end }),
      setmetatable({ y = { 1 }, x = 2 }, { __jsonorder = { "x", "y" } }),
    setmetatable({}, { __len = function() return 30 end, __index = function(_, i) return { i } end }) } do
    agrees_with_encode(v)
    agrees_with_encode(v, { indent = 1 })
  end
  agrees_with_encode(nil)
  agrees_with_encode({ print })
  agrees_with_encode({ 1, { print, a = print }, print }, { skip_unsupported = true, indent = 1 })
  agrees_with_encode({ a = { print } }, { on_error = function(_, path) return path end })
  agrees_with_encode({ a = { { b = 0 / 0 } } })
  agrees_with_encode({ "\255" })
  local cycle = { 1, { 2 } }
  cycle[2].x = { cycle }
  agrees_with_encode(cycle)
end

-- Tables that are too large for one run of the raw walk, deep ones, and long ones of plain values.
function TestWriter:test_large()
  local records, deep, numbers, map = {}, {}, {}, {}
  for i = 1, 3000 do records[i] = { id = i, name = "name " .. i, list = { i, i / 8, {} } } end
  for i = 1, 950 do deep = { deep, i, k = { i } } end
  for i = 1, 30000 do numbers[i] = i end
  for i = 1, 5000 do map["key " .. i] = i % 3 == 0 and { i } or i end
  local all = { records, deep, numbers, map, { a = records, b = { numbers, ("x"):rep(100000) } } }
  for _, codec in ipairs(T.codecs) do
    for _, size in ipairs { 1000, 20000, 65536 } do
      same(T.writer_text(codec, all, nil, constant(size)), fleece.encode(all))
    end
    same(T.writer_text(codec, all, { indent = 1 }, constant(5000)), fleece.encode(all, { indent = 1 }))
    local count = 0
    same(#T.writer_text(codec, numbers, nil, constant(1000), function() count = count + 1 end), #fleece.encode(numbers))
    lu.assertTrue(count > #fleece.encode(numbers) / 1200, "pieces are longer than was asked for")
  end
end

-- Nested tables with long texts: the work to look at each level is bounded. (Without the bound this took minutes.)
function TestWriter:test_long_in_long()
  local list, s = {}, ("x"):rep(10)
  for _ = 1, 100000 do list = { s, list } end
  local options = { max_depth = 1000000 }
  for _, codec in ipairs(T.codecs) do same(T.writer_text(codec, list, options), codec.encode(list, options)) end
end

-- Whatever the program changes between pieces, the writer gives text or an error, and never runs forever or crashes.
function TestWriter:test_random_changes()
  T.random_rounds(100, function(round)
    local v = random_value(4)
    if type(v) ~= "table" then v = { v } end
    local tables = {}
    local function collect(t)
      if type(t) ~= "table" or tables[t] then return end
      tables[t] = true
      tables[#tables + 1] = t
      for _, key in ipairs(T.ordered_keys(t)) do collect(t[key]) end
    end
    collect(v)
    local function change()
      local t = tables[random(1, #tables)]
      local what = random(1, 7)
      if what == 1 then
        for k in pairs(t) do t[k] = nil end
      elseif what == 2 then
        for i = 1, 40 do t["new" .. i] = i end
      elseif what == 3 then
        for i = 1, 40 do t[i] = tables[random(1, #tables)] end
      elseif what == 4 then
        t[#t] = nil
      elseif what == 5 then
        setmetatable(t, ({ fleece.array_mt, fleece.object_mt, { __tojson = function() return "1" end } })[random(1, 3)])
      elseif what == 6 then
        t.x, t[1] = print, nil
      else collectgarbage() end
    end
    local codec = round % 2 == 0 and T.safe or T.safe_api
    local writer, left = codec.writer(v, styles[round % 5 + 1]), 500
    while left > 0 do
      local ok, piece, message = pcall(writer.next, writer, random(1, 30))
      if ok and piece == nil then
        if message then lu.assertIsString(message) end
        break
      elseif not ok then
        lu.assertIsString(piece)
        break
      end
      left = left - 1
      change()
    end
  end)
end

function TestWriter:test_key_is_gone()
  for _, codec in ipairs(T.codecs) do
    local t = {}
    for i = 1, 200 do t["k" .. i] = ("x"):rep(100) end
    local writer = codec.writer({ a = { t } })
    lu.assertIsString(writer:next(1000))
    for k in pairs(t) do t[k] = nil end
    for i = 1, 1000 do t[i] = i end -- makes Lua allocate new nodes
    for i = 1, 1000 do t[i] = nil end
    t.y = 1
    collectgarbage()
    local ok, message = pcall(writer.next, writer)
    if not ok then -- some Luas need the key, which is gone, to continue
      T.ends(message, "table has changed, and the key it was at is gone, at .a[1]")
      T.raises_ending("table has changed, and the key it was at is gone, at .a[1]", writer.next, writer)
    end
  end
end

function TestWriter:test_collector()
  local records = {}
  for i = 1, 200 do records[i] = { id = i, list = { i, { x = "text " .. i } } } end
  local wanted = fleece.encode(records)
  for _, codec in ipairs(T.codecs) do
    same(T.writer_text(codec, records, nil, constant(300), function() collectgarbage() end), wanted)
    T.with_busy_collector(3, 1, function() same(T.writer_text(codec, records, nil, some), wanted) end)
  end
  T.leaves_less(200, function() -- abandoned writers are collected
    for i = 1, 20 do T.codecs[i % #T.codecs + 1].writer(records):next(100) end
  end)
end

function TestWriter:test_in_use()
  for _, codec in ipairs(T.codecs) do
    local writer, message
    local hooked = setmetatable({}, { __tojson = function()
      message = select(2, pcall(writer.next, writer))
      return codec.encode { 1 }
    end })
    writer = codec.writer { 1, hooked }
    same(writer:next(), "[1,[1]]")
    T.contains(message, "the writer is in use")
    local failing = codec.writer { 1, setmetatable({}, { __tojson = function() error({ 7 }) end }) }
    for _ = 1, 2 do lu.assertEquals(T.error_of(failing.next, failing), { 7 }) end
    local numbers = {}
    for i = 1, 30000 do numbers[i] = i end
    local co = coroutine.wrap(function()
      local w, n = codec.writer(numbers), 0
      while w:next(5000) do
        n = n + 1
        coroutine.yield()
      end
      return n
    end)
    local n
    repeat n = co() until n
    lu.assertTrue(n > 20)
  end
end

-- The end is one nil, not zero values: table.insert(pieces, writer:next()) must not fail.
function TestWriter:test_end_is_nil()
  for _, codec in ipairs(T.codecs) do
    for _, value in ipairs { 1, { 1, 2 }, "text" } do
      local writer = codec.writer(value)
      same(select("#", writer:next()), 1)
      for _ = 1, 2 do
        same(select("#", writer:next()), 1)
        same(writer:next(), nil)
      end
    end
  end
end

function TestWriter:test_arguments()
  for _, codec in ipairs { fleece, T.safe } do
    T.raises_with("bad argument #1", codec.writer)
    T.raises_with("bad argument #2", codec.writer, 1, 1)
    T.raises_with("unknown option 'nonsense'", codec.writer, 1, { nonsense = 1 })
    local writer = codec.writer { 1 }
    T.raises_with("a number of bytes expected", writer.next, writer, 0)
    T.raises_with("writer expected", writer.next, {})
  end
  local codec = fleece.new { indent = 1, key_order = { "b" } }
  same(T.writer_text(codec, { a = 1, b = 2 }), codec.encode { a = 1, b = 2 })
end
