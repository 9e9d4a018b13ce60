-- SPDX-License-Identifier: MIT
-- test_deep.lua -- nesting: every depth with strings of every length (as in the tests of 2011), 10,102 levels, a
-- million levels, by each walk.
-- runs: in one layout

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestDeep = {}

local function arrays(depth)
  local t = {}
  for _ = 2, depth do t = { t } end
  return t, ("["):rep(depth) .. ("]"):rep(depth)
end

local function objects(depth)
  local t = {}
  for _ = 2, depth do t = { a = t } end
  return t, ('{"a":'):rep(depth - 1) .. "[]" .. ("}"):rep(depth - 1)
end

local function mixed(depth)
  local t, open, close = {}, {}, {}
  for i = 2, depth do
    t = i % 2 == 0 and { i, t, "x" } or { [i] = t }
  end
  for i = depth, 2, -1 do
    open[#open + 1] = i % 2 == 0 and "[" .. i .. "," or '{"' .. i .. '":'
    close[#close + 1] = i % 2 == 0 and ',"x"]' or "}"
  end
  local back = {}
  for i = #close, 1, -1 do back[#back + 1] = close[i] end
  return t, table.concat(open) .. "[]" .. table.concat(back)
end

-- json, size and encode by the default walk, or that of a codec.
local function one_walk(value, expected, depth, codec)
  codec = codec or fleece
  same(codec.json(value), expected)
  same(codec.size(value), #expected)
  same(codec.encode(value, { max_depth = depth }), expected)
end

local function everywhere(value, expected, depth, codec)
  codec = codec or fleece
  one_walk(value, expected, depth, codec)
  local sink, result = T.collector()
  codec.write(sink, value, { max_depth = depth })
  same(result(), expected)
end

function TestDeep:test_every_depth()
  for depth = 1, 200 do
    for _, make in ipairs { arrays, objects, mixed } do
      local t, expected = make(depth)
      same(T.json(t), expected)
      same(T.encode(t), expected)
    end
  end
end

function TestDeep:test_depth_by_length()
  -- From the tests of 2011: every depth with strings of growing length, so that buffers and stacks grow together.
  for depth = 1, 40 do
    for length = 0, 120, 3 do
      local s = ("s"):rep(length)
      local t, expected = s, '"' .. s .. '"'
      for level = 1, depth do
        if level % 3 == 0 then
          t, expected = { k = t }, '{"k":' .. expected .. "}"
        else
          t, expected = { s, t }, '["' .. s .. '",' .. expected .. "]"
        end
      end
      for _, codec in ipairs(T.codecs) do
        same(codec.json(t), expected)
        same(codec.size(t), #expected)
        same(codec.encode(t), expected)
      end
    end
  end
end

function TestDeep:test_10102_levels()
  for _, make in ipairs { arrays, objects, mixed } do
    local t, expected = make(10102)
    for _, codec in ipairs(T.codecs) do everywhere(t, expected, 10102, codec) end
  end
end

function TestDeep:test_10102_levels_with_options()
  local t, expected = arrays(10102)
  same(fleece.encode(t, { max_depth = 20000, sort_keys = true, ascii = true }), expected)
  same(T.api.encode(t, { max_depth = 20000, sort_keys = true, ascii = true }), expected)
  t, expected = arrays(1500)
  local text = fleece.encode(t, { max_depth = 20000, indent = 1 })
  same((text:gsub("%s", "")), expected)
  same(T.api.encode(t, { max_depth = 20000, indent = 1 }), text)
end

function TestDeep:test_10102_levels_with_strings()
  local t, s = {}, ("\n"):rep(100)
  for _ = 2, 10102 do t = { s, t } end
  local expected = ('["' .. ("\\n"):rep(100) .. '",'):rep(10101) .. "[]" .. ("]"):rep(10101)
  same(fleece.encode(t, { max_depth = 10102 }), expected)
  same(T.api.encode(t, { max_depth = 10102 }), expected)
end

function TestDeep:test_a_million_levels()
  if os.getenv "FLEECE_LAYOUT" == "api" then T.only_long() end
  for _, make in ipairs { arrays, objects } do
    local t, expected = make(1000000)
    one_walk(t, expected, 1000000)
    t = nil
    collectgarbage()
  end
end

function TestDeep:test_100000_levels()
  for _, make in ipairs { arrays, objects } do
    local t, expected = make(100000)
    for _, codec in ipairs(T.codecs) do everywhere(t, expected, 100000, codec) end
  end
end

-- Also write and errors, which use the API walk and take ten times as long.
function TestDeep:test_long_run_of_a_million_levels()
  for _, make in ipairs { arrays, objects } do
    local t, expected = make(1000000)
    everywhere(t, expected, 1000000)
    t = nil
    collectgarbage()
  end
  local t = arrays(1000001)
  T.raises_with("nesting deeper than 1000000 levels at ", fleece.json, t)
  T.raises_with("nesting deeper than 1000000 levels at ", fleece.size, t)
end

function TestDeep:test_long_run_of_a_million_levels_by_api()
  -- The API walk keeps open tables on the Lua stack; if that is full, there must be an error, not a crash.
  local t, expected = arrays(1000000)
  local ok, text = pcall(T.api.encode, t, { max_depth = 1000000 })
  if ok then same(text, expected) else lu.assertIsString(text) end
  same(T.api.encode { 1 }, "[1]")
end

function TestDeep:test_depth_limits()
  local t = arrays(100000)
  T.raises_with("nesting deeper than 1000 levels at ", fleece.encode, t)
  T.raises_with("nesting deeper than 99999 levels at ", fleece.encode, t, { max_depth = 99999 })
  T.raises_with("nesting deeper than 1000 levels at ", T.api.encode, t)
  T.raises_with("nesting deeper than 99999 levels at ", T.api.encode, t, { max_depth = 99999 })
end

function TestDeep:test_deep_and_shallow_in_turn()
  local deep, expected = arrays(5000)
  for _, codec in ipairs(T.codecs) do
    for _ = 1, 20 do
      same(codec.json(deep), expected)
      same(codec.json { 1 }, "[1]")
      same(codec.json { deep, deep }, "[" .. expected .. "," .. expected .. "]")
    end
  end
end

function TestDeep:test_wide_then_deep()
  local t = {}
  for i = 1, 10000 do t[i] = i end
  local chain, expected = arrays(3000)
  t[10001] = chain
  same(T.json(t), "[" .. table.concat(t, ",", 1, 10000) .. "," .. expected .. "]")
end

function TestDeep:test_inside_a_small_coroutine()
  local t, expected = arrays(10102)
  local text = coroutine.wrap(function() return fleece.json(t) end)()
  same(text, expected)
  text = coroutine.wrap(function() return T.api.json(t) end)()
  same(text, expected)
end

-- Tables with as many pairs as their length says that are not arrays: writing each level again when its nil is found
-- would take 2^60 steps.
function TestDeep:test_misleading_lengths()
  local function nest(depth, inner)
    for _ = 1, depth do inner = { inner, nil, 1, x = 1 } end
    return inner
  end
  local text = T.api.encode(nest(60, 0))
  same(#text, #fleece.encode(nest(60, 0)))
  local back, depth = fleece.decode(text), 0
  while back ~= 0 do
    same(back["3"], 1)
    same(back.x, 1)
    back, depth = back["1"], depth + 1
  end
  same(depth, 60)
  local asked = 0
  T.api.encode(nest(3, print), { on_error = function()
    asked = asked + 1
    return 0
  end })
  same(asked, 1)
end
