-- SPDX-License-Identifier: MIT
-- test_random.lua -- random nested tables: raw walk, API walk and model must give the same bytes; then raw and API walk
-- must agree with all combinations of options.

local T = require "support"
local lu, fleece, same, model, random = T.lu, T.fleece, T.same, T.model, T.random

TestRandom = {}

local function random_string()
  local kind = random(1, 8)
  if kind == 1 then return "" end
  if kind == 2 then return ("k" .. random(1, 99)) end
  local n, parts = random(0, 60), {}
  local alphabet = random(1, 4)
  for i = 1, n do
    if alphabet == 1 then
      parts[i] = string.char(random(97, 122))
    elseif alphabet == 2 then
      parts[i] = string.char(random(0, 127))
    elseif alphabet == 3 then
      parts[i] = random(0, 30) == 0 and '"' or string.char(random(32, 126))
    else
      local c = random(0, 40)
      parts[i] = c == 0 and model.utf8_char(random(0x10000, 0x10FFFF)) or c < 3 and
        model.utf8_char(random(0xE000, 0xFFFF))
        or c < 6 and model.utf8_char(random(0x80, 0x7FF)) or c == 6 and "/" or c == 7 and "<" or
          string.char(random(32, 127))
    end
  end
  local s = table.concat(parts)
  -- Long strings repeat their characters, which is faster to make.
  if kind == 3 then s = s:rep(random(2, random(1, 4) == 1 and 150 or 15)) .. ("x"):rep(random(0, 70)) .. s end
  return s
end

local function random_key()
  local kind = random(1, 10)
  if kind <= 6 then return random_string() end
  if kind == 7 then return random(-3, 40) end
  if kind == 8 then return T.random_number() end
  return "x" .. random(1, 1000)
end

local random_value
local budget -- the number of values that may still be added to the tree

local function random_table(depth)
  if depth == 1 then budget = random(1, 400) end
  local t, shape = {}, random(1, 8)
  local n = random(1, 12) == 1 and random(50, 300) or random(0, 12)
  n = math.min(n, budget)
  budget = budget - n
  if shape <= 3 then
    for i = 1, n do t[i] = random_value(depth + 1) end
  elseif shape == 4 then
    for i = n, 1, -1 do t[i] = random_value(depth + 1) end
  elseif shape == 5 then -- holes
    for i = 1, n do if random(0, 5) > 0 then t[i] = random_value(depth + 1) end end
  elseif shape == 6 then -- mixed
    for i = 1, n do t[random(0, 1) == 0 and i or random_key()] = random_value(depth + 1) end
  else
    for _ = 1, n do t[random_key()] = random_value(depth + 1) end
  end
  if random(0, 3) == 0 then -- deletions leave dead keys and unused slots
    for _, k in ipairs(T.ordered_keys(t)) do if random(0, 3) == 0 then t[k] = nil end end
  end
  if random(0, 15) == 0 then for k in pairs(t) do t[k] = nil end end
  return t
end

function random_value(depth)
  local kind = random(1, 10)
  if kind <= 4 and depth < 8 and budget > 0 then return random_table(depth) end
  if kind <= 6 then return T.random_number() end
  if kind <= 9 then return random_string() end
  return random(0, 1) == 1
end

function TestRandom:test_random_default_options()
  T.random_rounds(60, function()
    local value = random_table(1)
    local text = fleece.encode(value)
    same(T.api.encode(value), text, "API walk")
    for name, codec in pairs(T.other_cpus) do same(codec.encode(value), text, "walk for " .. name) end
    same(text, model.encode(value), "model")
    local difference = model.differs(value, model.decode(text))
    if difference then lu.fail(difference) end
  end)
end

function TestRandom:test_random_flags()
  local flags = { "E0", "E1", "E2", "E3", "E4", "E" }
  T.random_rounds(30, function()
    local value, flag = random_table(1), flags[random(1, 6)]
    same(T.json(value, flag), model.encode(value, { flag = flag }), "model " .. flag)
  end)
end

function TestRandom:test_random_write()
  T.random_rounds(30, function()
    local value = random_table(1)
    local sink, result = T.collector()
    fleece.write(sink, value)
    same(result(), fleece.encode(value))
  end)
end

local choices = {
  indent = { 0, 2, "\t", "   " },
  sort_keys = { true, false },
  key_order = { { "k1", "k2", "k3" }, {} },
  escape_slash = { true, false },
  ascii = { true, false },
  html = { true, false },
  empty_table = { "array", "object" },
  sparse = { "object", "null" },
  sparse_ratio = { 1, 2, 5 },
  invalid_numbers = { "null", "literal" },
  invalid_utf8 = { "replace", "escape", "pass" },
  max_depth = { 50, 1000 },
  skip_unsupported = { true, false },
  metamethods = { true, false },
  precision = { 1, 3, 9, 15, 17 },
  float_integers = { true, false },
}
local names = {}
for name in pairs(choices) do names[#names + 1] = name end
table.sort(names)

local function describe(options)
  local parts = {}
  for _, name in ipairs(names) do
    if options[name] ~= nil then parts[#parts + 1] = name .. "=" .. lu.prettystr(options[name]) end
  end
  return table.concat(parts, " ")
end

local function compare(value, options, only_bytes)
  local what = describe(options)
  local ok, text = pcall(fleece.encode, value, options)
  local ok_api, text_api = pcall(T.api.encode, value, options)
  same(ok_api, ok, "API walk " .. what .. ": " .. tostring(text):sub(1, 200) .. " / " ..
    tostring(text_api):sub(1, 200))
  same(text_api, text, "API walk " .. what)
  if only_bytes then return end
  if ok and not options.invalid_numbers and options.invalid_utf8 ~= "pass" then model.decode(text) end
end

function TestRandom:test_each_option_and_each_pair()
  local value = {}
  for i = 1, 6 do value[i] = random_table(1) end
  value[7] = { 1, nil, 3, "\255", "</\195\164>" }
  for i, first in ipairs(names) do
    for _, one in ipairs(choices[first]) do
      compare(value, { [first] = one, invalid_utf8 = first == "invalid_utf8" and one or "replace" })
      for j = i + 1, #names do
        local second = names[j]
        local two = choices[second][random(1, #choices[second])]
        compare(value, { [first] = one, [second] = two }, true)
      end
    end
  end
end

function TestRandom:test_random_options()
  T.random_rounds(60, function()
    local value, options = random_table(1), {}
    if random(0, 3) == 0 then value[#value + 1] = ("\255"):rep(random(1, 30)) .. "x" end
    if random(0, 5) == 0 then value[#value + 1] = random(0, 1) == 0 and 0 / 0 or 1 / 0 end
    if random(0, 9) == 0 then value[#value + 1] = print end
    for _ = 1, random(1, 6) do
      local name = names[random(1, #names)]
      options[name] = choices[name][random(1, #choices[name])]
    end
    compare(value, options)
  end)
end

local modelled = { "indent", "sort_keys", "escape_slash", "ascii", "html", "empty_table", "precision",
  "float_integers" }

function TestRandom:test_random_options_against_the_model()
  T.random_rounds(40, function()
    local value, options, for_model = random_table(1), {}, {}
    for _ = 1, random(1, 4) do
      local name = modelled[random(1, #modelled)]
      if name ~= "precision" or T.integers then options[name] = choices[name][random(1, #choices[name])] end
      for_model[name] = options[name]
    end
    if options.indent == 0 then for_model.indent = "" elseif options.indent == 2 then for_model.indent = "  " end
    -- The model sorts by the text of keys only, so tables with two keys of the same text are left out.
    local text = fleece.encode(value, options)
    if options.sort_keys then
      local difference = not (options.ascii or options.precision) and model.differs(value, model.decode(text))
      if difference then lu.fail(difference .. " " .. describe(options)) end
    else
      same(text, model.encode(value, for_model), "model " .. describe(options))
    end
  end)
end
