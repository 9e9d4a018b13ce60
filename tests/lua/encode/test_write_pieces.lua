-- SPDX-License-Identifier: MIT
-- test_write_pieces.lua -- fleece.write to a function: the raw walk pauses while the function runs. The API walk gives the
-- same, and is tested beside it.
-- runs: in one layout

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestWritePieces = {}

-- Writes the value; calls `visit` with the number of the call before each piece is taken. Returns the text.
local function written(codec, value, options, visit)
  local pieces = {}
  codec.write(function(piece)
    pieces[#pieces + 1] = piece
    if visit then visit(#pieces) end
  end, value, options)
  return table.concat(pieces)
end

-- Each walk writes what it encodes.
local function as_encoded(value, options, what)
  for _, codec in ipairs(T.codecs) do
    lu.assertTrue(written(codec, value, options) == codec.encode(value, options), what or "another text")
  end
end

-- A value of many pieces, in tables of all kinds, two of which are open for long.
local function mixed()
  local t = { long = ("\1"):rep(40000), [1] = "one", [2.5] = "number", list = {}, deep = {}, map = {}, empty = {} }
  local at = t.deep
  for i = 1, 600 do
    at[1], at[2], at[3] = ("d"):rep(200), {}, i
    at = at[2]
  end
  for i = 1, 3000 do
    t.list[i] = i % 5 == 0 and { [3] = i, [1] = true } or i % 5 == 1 and { a = i, [i] = "b" } or i % 5 == 2 and { i, {} } or i
    t.map["key " .. i] = i % 3 == 0 and { i / 7, { x = "y" } } or ("v"):rep(i % 100)
    t.map[i * 1.5] = false
  end
  return t
end

function TestWritePieces:test_same_text_as_encode()
  local value = mixed()
  for _, options in ipairs { {}, { indent = 1 }, { sort_keys = true }, { ascii = true }, { precision = 5 },
    { indent = "\t", sort_keys = true }, { skip_unsupported = true }, { escape_slash = true } } do
    options.sparse = "null"
    local text = fleece.encode(value, options)
    for _, codec in ipairs(T.codecs) do
      local got = written(codec, value, options)
      lu.assertTrue(got == text, "another text")
    end
  end
end

-- Where a piece ends, whatever it is that lies there: all lengths of the text before.
function TestWritePieces:test_every_place_of_a_pause()
  local rest = {}
  for i = 1, 400 do rest[i] = { i, "s", { k = i % 2 == 0, { 1.5, {} } }, [5] = i } end
  for n = 32000, 32600, 7 do
    local value = { ("x"):rep(n), rest }
    as_encoded(value, nil, "another text after " .. n)
  end
end

function TestWritePieces:test_long_strings_and_keys()
  for _, n in ipairs { 30000, 65536, 600000, 3000000 } do
    local s = ("l\n"):rep(n / 2)
    local value = { 1, s, { [s] = s, k = { s } }, s, { 2 } }
    as_encoded(value, nil, "another text with " .. n)
  end
end

function TestWritePieces:test_deep()
  local value = {}
  for _ = 1, 900 do value = { value, ("t"):rep(1000) } end
  as_encoded(value)
  for _ = 1, 900 do value = { k = value, t = ("t"):rep(1000) } end
  local options = { max_depth = 3000 }
  as_encoded(value, options)
  for _, codec in ipairs(T.codecs) do
    T.contains(T.error_of(written, codec, value), "nesting deeper than 1000 levels")
  end
end

-- Values that need the public-API walk, late in the text.
function TestWritePieces:test_hooks_late_in_the_text()
  local hook = setmetatable({}, { __tojson = function() return '"hook"' end })
  local proxy = setmetatable({}, { __jsontype = "array" })
  local list = {}
  for i = 1, 20000 do list[i] = i % 4000 == 0 and hook or i % 7000 == 0 and proxy or { i, name = "n" .. i } end
  local value = { list, { more = list }, setmetatable({ 1, { list } }, {}) }
  as_encoded(value)
  lu.assertTrue(fleece.encode(value) == T.api.encode(value))
end

function TestWritePieces:test_errors_late_in_the_text()
  local list = {}
  for i = 1, 20000 do list[i] = { i, name = "n" .. i } end
  for _, codec in ipairs(T.codecs) do
    list[19999] = { deep = { "\255" } }
    T.raises_ending("invalid UTF-8 at .list[19999].deep[1] (byte 1)", codec.write, function() end, { list = list })
    list[19999] = list
    T.raises_ending("table contains itself at .list[19999]", codec.write, function() end, { list = list })
    same(codec.encode { 1 }, "[1]")
  end
end

-- Whatever the function does, the text is JSON or there is an error.
local function holds(value, visit, options)
  for _, codec in ipairs(T.codecs) do
    local ok, text = pcall(written, codec, value(), options, visit)
    if ok then fleece.decode(text, { duplicates = "last" })
    else lu.assertIsString(text) end
    same(codec.encode { 1 }, "[1]")
  end
end

function TestWritePieces:test_function_that_frees_what_is_open()
  for _, codec in ipairs(T.codecs) do
    local root = { { mixed() } }
    local text = fleece.encode(root, { sparse = "null" })
    local got = written(codec, root, { sparse = "null" }, function()
      root[1] = nil
      collectgarbage()
    end)
    lu.assertTrue(got == text, "another text")
  end
end

function TestWritePieces:test_items_that_go_become_null()
  for _, codec in ipairs(T.codecs) do
    local list, item = {}, ("item"):rep(10)
    for i = 1, 200000 do list[i] = item end -- more than any buffer keeps
    local text = written(codec, list, nil, function(n)
      if n == 1 then list[200000] = nil end
    end)
    local read = fleece.decode(text)
    same(#read, 200000)
    same(read[200000], fleece.null)
    same(read[199999], item)
  end
end

function TestWritePieces:test_members_that_go_are_left_out()
  for _, codec in ipairs(T.codecs) do
    local map, keys = {}, {}
    for i = 1, 40000 do map["k" .. i] = ("m"):rep(60) end
    for k in next, map do keys[#keys + 1] = k end
    local text = written(codec, map, nil, function(n)
      if n == 1 then map[keys[40000]] = nil end
    end)
    local read = fleece.decode(text)
    same(read[keys[40000]], nil)
    same(read[keys[39999]], map[keys[39999]])
    same(read[keys[1]], map[keys[1]])
  end
end

function TestWritePieces:test_function_that_changes_open_tables()
  local root
  local function value()
    root = { mixed(), a = { b = mixed() } }
    return root
  end
  local function each(f)
    return function(n)
      local seen = {}
      local function go(t, depth)
        if seen[t] or depth > 4 then return end
        seen[t] = true
        for _, v in pairs(t) do
          if type(v) == "table" then go(v, depth + 1) end
        end
        f(t, n)
      end
      if n % 6 == 1 then go(root, 1) end
      collectgarbage "step"
    end
  end
  local options = { sparse = "null" }
  holds(value, each(function(t) t[#t] = nil end), options)
  holds(value, each(function(t, n)
    for i = 1, n < 10 and 20 or 0 do t["new" .. n .. i] = i end
  end), options)
  holds(value, each(function(t)
    for k in pairs(t) do t[k] = nil end
  end), options)
  holds(value, each(function(t, n) t[#t + 1] = n end), options)
  holds(value, each(function(t) t[1] = print end), options)
  holds(value, each(function(t) t[true] = 1 end), options)
  holds(value, each(function(t) setmetatable(t, { __tojson = function() return "1" end }) end), options)
end

function TestWritePieces:test_weak_tables()
  local function value()
    local weak = setmetatable({}, { __mode = "v" })
    for i = 1, 4000 do weak[i] = { i, { "some text", i } } end
    return { weak, weak }
  end
  holds(value, function() collectgarbage() end)
  T.with_busy_collector(10, 5, function() holds(value, function() end) end)
end

function TestWritePieces:test_function_that_raises_at_each_call()
  local value = mixed()
  for _, codec in ipairs(T.codecs) do
    for stop = 1, 6 do
      local mark = "stop " .. stop
      local got = T.error_of(written, codec, value, { sparse = "null" }, function(n)
        if n == stop then error(mark, 0) end
      end)
      T.contains(got, mark)
    end
    same(codec.encode { 1 }, "[1]")
  end
end

function TestWritePieces:test_function_that_yields()
  for _, codec in ipairs(T.codecs) do
    local value = mixed()
    local co = coroutine.create(function()
      return written(codec, value, { sparse = "null" }, function(n)
        if n == 1 then coroutine.yield() end
      end)
    end)
    same(coroutine.resume(co), false)
    same(codec.encode { 1 }, "[1]")
  end
end

function TestWritePieces:test_function_that_writes()
  for _, codec in ipairs(T.codecs) do
    local value = mixed()
    local text = codec.encode(value, { sparse = "null" })
    local got = written(codec, value, { sparse = "null" }, function(n)
      if n % 10 ~= 1 then return end
      lu.assertTrue(written(codec, value, { sparse = "null" }, function() collectgarbage "step" end) == text)
      lu.assertTrue(codec.encode(value, { sparse = "null" }) == text)
    end)
    lu.assertTrue(got == text, "another text")
  end
end

function TestWritePieces:test_metatables_and_boxes_late_in_the_text()
  local list, plain = {}, setmetatable({ 1, 2 }, {})
  for i = 1, 20000 do list[i] = i > 15000 and plain or { i } end
  as_encoded(list)
  local ok, ffi = pcall(require, "ffi")
  if not ok then return end
  for i = 15000, 20000 do list[i] = ffi.new("int64_t", i) end
  as_encoded(list)
end
