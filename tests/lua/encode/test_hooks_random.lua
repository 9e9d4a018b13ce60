-- SPDX-License-Identifier: MIT
-- test_hooks_random.lua -- hooks at random places of random values: the raw walk with the public API in between must give
-- what the public-API walk gives alone: the same text or error, and the same calls in the same order.

local T = require "support"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestHooksRandom = {}

local budget, log, mutates -- values that may still be made; the calls of hooks; hooks change tables
local path -- the tables around the one that is made
local random_value

local function note(what, state) log[#log + 1] = what .. (state and ":" .. state.level or "") end

local function random_text()
  local n = random(0, 30)
  if random(0, 20) == 0 then n = random(30, 300) end -- a long string is another object as a key
  local parts = {}
  for i = 1, n do parts[i] = string.char(random(1, 40) == 1 and 34 or random(97, 122)) end
  return table.concat(parts)
end

-- Changes one of the tables around, as a hook might.
local function change(around)
  local t = around[random(1, #around)]
  local kind = random(1, 6)
  if kind == 1 then for k in next, t do t[k] = "replaced" end
  elseif kind == 2 then t["added" .. random(1, 99)] = random(1, 9)
  elseif kind == 3 then for i = 1, random(1, 9) do t[#t + 1] = i end
  elseif kind == 4 then t[#t] = nil
  elseif kind == 5 then
    local k = next(t)
    if k ~= nil then t[k] = nil end
  else
    collectgarbage()
  end
end

local hooks = {
  function(content, id) return { __tojson = function(_, state) note(id, state) return fleece.encode(content) end } end,
  function(_, id) return { __tojson = function(_, state)
    note(id, state)
    state.buffer[1], state.bufferlen = "[1]", 1
    return true
  end } end,
  function(_, id) return { __pairs = function(t) note(id) return next, t, nil end } end,
  function(content, id) return { __pairs = function(t)
    note(id)
    return function(_, k)
      note(id .. "n")
      return next(content, k)
    end, t
  end } end,
  function(content, id) return { __pairs = function() note(id) return next, content end } end,
  function(content, id) return { __pairs = function() note(id) return next, content end, __jsontype = "object" } end,
  function(_, id) return { __len = function(t) note(id) return rawlen and rawlen(t) or #t end } end,
  function(content, id) return { __len = function() note(id) return 3 end, __index = function(_, k)
    note(id .. tostring(k))
    return k == 2 and content or k
  end } end,
  function() return { __jsonorder = { "k3", "k1" } } end,
  function() return { __jsontype = random(1, 2) == 1 and "array" or "object" } end,
  function() return {} end,
  function(_, id) return { __tojson = function() note(id) error("hook " .. id, 0) end } end,
}

-- Gives the table a random metatable; rarely one whose hook fails.
local function hook(t)
  local around = { T.unpack(path) }
  local content = random(1, 3) == 1 and t or random_value(7)
  if type(content) ~= "table" then content = { content } end
  local mt = hooks[random(1, #hooks - (random(1, 8) == 1 and 0 or 1))](content, "h" .. budget)
  if mutates and mt.__tojson then
    local inner = mt.__tojson
    mt.__tojson = function(self, state)
      change(around)
      return inner(self, state)
    end
  end
  return setmetatable(t, mt)
end

local function random_table(depth)
  local t, shape, n = {}, random(1, 6), random(0, random(1, 8) == 1 and 60 or 8)
  n = math.min(n, budget)
  budget = budget - n
  path[#path + 1] = t
  for i = 1, n do
    local v = random_value(depth + 1)
    if shape <= 2 then t[i] = v
    elseif shape == 3 then t[random(1, 2) == 1 and i or "k" .. i] = v
    elseif shape == 4 then t[n - i + 1] = v
    else t[random(1, 4) == 1 and random_text() or "k" .. random(1, 20)] = v end
  end
  path[#path] = nil
  if depth > 1 and random(1, 6) == 1 then hook(t) end
  return t
end

function random_value(depth)
  local kind = random(1, 20)
  if kind <= 8 and depth < 8 then return random_table(depth) end
  if kind <= 12 then return random(-1000, 1000) end
  if kind == 13 then return random(1, 3) == 1 and fleece.raw "[ 1, 2 ]" or fleece.null end
  if kind == 14 then return random(1, 40) == 1 and print or random(1, 40) == 1 and "\255" or 0.5 end
  return random_text()
end

-- A value of at most `most` tables and values, the same for the same state of the random numbers.
local function make(most, state)
  T.set_random_state(state)
  budget, path = most, {}
  local value = random_table(1)
  if random(1, 10) == 1 then value = { value, T.nested(random(1, 500), value) } end
  if random(1, 30) == 1 then value = setmetatable({ value }, { __pairs = function(t) return next, t end }) end
  return value
end

local ways = {
  encode = function(codec, value, options) return codec.encode(value, options) end,
  write = function(codec, value, options)
    local sink, result = T.collector()
    codec.write(sink, value, options)
    return result()
  end,
  file = function(codec, value, options) return T.file_text(function(file) codec.write(file, value, options) end) end,
  writer = function(codec, value, options)
    local parts = {}
    local writer = codec.writer(value, options)
    for i = 1, 1e6 do
      parts[i] = writer:next()
      if not parts[i] then break end
    end
    return table.concat(parts)
  end,
}
local way_names = { "encode", "encode", "write", "file", "writer" }

local choices = {
  indent = { 2, "\t" },
  sort_keys = { true },
  key_order = { { "k3", "k17", "k1" } },
  ascii = { true },
  empty_table = { "object" },
  invalid_utf8 = { "replace", "pass" },
  max_depth = { 5, 50 },
  skip_unsupported = { true },
  metamethods = { false },
  precision = { 5 },
  one_line = { true },
  width = { 40 },
  sparse = { "null", "error" },
  canonical = { "jcs" },
  on_error = { function(_, where, message)
    note(where .. message)
    return { "replaced" }
  end },
}
local names = {}
for name in pairs(choices) do names[#names + 1] = name end
table.sort(names)

local function random_choice()
  local options = {}
  for _ = 1, math.max(0, random(-2, 3)) do
    local name = names[random(1, #names)]
    options[name] = choices[name][random(1, #choices[name])]
  end
  if options.canonical then options = { canonical = options.canonical, on_error = options.on_error } end
  return options
end

local function outcome(codec, value, options, way)
  log = {}
  local ok, text, message = pcall(ways[way], codec, value, options)
  local all = tostring(ok) .. " " .. tostring(text) .. " " .. tostring(message)
  return (all:gsub("0x%x+", "ADDRESS")), table.concat(log, " ")
end

local function compare(most, with_changes)
  local start, rest = T.random_state(), nil
  mutates = false
  local value = make(most, start)
  local options, way = random_choice(), way_names[random(1, #way_names)]
  local codec = random(1, 4) == 1 and T.safe or fleece
  local reference = codec == fleece and T.api or T.safe_api
  mutates = with_changes
  if with_changes then
    rest = T.random_state()
    value = make(most, start)
    T.set_random_state(rest)
  end
  local text, calls = outcome(codec, value, options, way)
  if with_changes then
    value = make(most, start)
    T.set_random_state(rest)
  end
  local expected, expected_calls = outcome(reference, value, options, way)
  local what = way .. " " .. lu.prettystr(options)
  same(text, expected, what)
  same(calls, expected_calls, "calls, " .. what)
end

function TestHooksRandom:test_random_hooks()
  T.random_rounds(300, function() compare(random(1, 3) == 1 and 2000 or 60) end)
end

-- The tables are made twice in the same way, so that they have the same order: not in LuaJIT.
function TestHooksRandom:test_random_hooks_that_change_tables()
  if T.jit then lu.skip "this Lua: the order of a table depends on addresses" end
  T.random_rounds(200, function() compare(random(1, 3) == 1 and 1000 or 60, true) end)
end
