-- SPDX-License-Identifier: MIT
-- options.lua -- what each option costs: the time with it as a multiple of the time without it, in one process, in turns.
--   lua bench/options.lua DIRECTORY_OF_fleece.so [rounds] [a part of an option's name]
-- A row has the median of the rounds' ratios for each document. "record" is an object of eight members, decoded or encoded
-- in each call with options of its own ("codec": the same options, given to fleece.new). The collector works as this Lua
-- sets it. The row "floor" is the least that numbers = "exact" can cost: decoding without it, and a function in C
-- (c/floor.c) that creates as many objects as it keeps numbers. `make bench-options` runs it.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece = require "fleece"
local measure = require "measure.rounds"
local random = require "workloads.random"(47)

local ROUNDS, SECONDS, ONLY = tonumber(arg[2]) or 11, 0.008, arg[3] or ""

local function list(n, item)
  local items = {}
  for i = 1, n do items[i] = item(i) end
  return items
end

local values = {
  { "record", { id = 1234, name = "Ada Adler", mail = "ada@example.com", active = true, score = 12.5, tag = "a", age = 41, town = "Aldwick" } },
  { "people", require "workloads.people"(random, 40) },
  { "tick", require "workloads.game"(random, 60) },
  { "prices", list(2000, function() return random.int(1, 9999) + random.int(0, 99) / 100 end) },
  { "cents", list(2000, function() return (random.int(1, 99999) * 10 + random.int(1, 9)) / 100 end) },
  { "floats", list(1000, function() return (random.real() - 0.5) * 10 ^ random.int(0, 6) end) },
}
local texts = {}
for i, value in ipairs(values) do
  texts[i] = { value[1], fleece.encode(value[2]) }
  if value[1] == "prices" then -- as shops write them: 9.50
    texts[i][2] = texts[i][2]:gsub("%d+%.?%d*", function(digits) return ("%.2f"):format(digits) end)
  end
end
local names = {}
for _, value in ipairs(values) do names[#names + 1] = ("%8s"):format(value[1]) end

local function time(run, argument, calls)
  local start = os.clock()
  for _ = 1, calls do run(argument) end
  return os.clock() - start
end

local function calls_of(run, argument)
  local calls = 1
  while time(run, argument, calls) < SECONDS / 2 do calls = calls * 2 end
  return calls * 2
end

-- The median of the ratios of the time of `run` and that of `base`.
local function cost(base, run, argument, base_argument)
  local base_calls, calls, ratios = calls_of(base, base_argument or argument), calls_of(run, argument), {}
  for round = 1, ROUNDS do
    collectgarbage()
    local first = time(base, base_argument or argument, base_calls) / base_calls
    collectgarbage()
    ratios[round] = time(run, argument, calls) / calls / first
  end
  return measure.summary(ratios).median
end

local function row(name, documents, base, run)
  if not name:find(ONLY, 1, true) then return end
  local line = {}
  for i, document in ipairs(documents) do line[i] = ("%6.2f |"):format(cost(base, run, document[2])) end
  print(("| %-36s | %s"):format("`" .. name .. "`", table.concat(line, " ")))
end

local function shown(options)
  local parts = {}
  for name, value in pairs(options) do
    local text = type(value) == "string" and ('%q'):format(value) or type(value) == "table" and "{...}" or tostring(value)
    parts[#parts + 1] = name .. "=" .. text
  end
  table.sort(parts)
  return table.concat(parts, " "):gsub("=function.*", "")
end

local function head(title)
  print(("\n| %s | %s |\n|---%s|"):format(title, table.concat(names, " | "), ("|--:"):rep(#names)))
end

head "encode"
local null = function() end
local order = { "id", "name", "kind", "type", "mail", "position", "x", "y" }
for _, options in ipairs {
  { empty_table = "object" }, { indent = 2 }, { indent = 2, width = 80 }, { sort_keys = true }, { canonical = "jcs" },
  { key_order = order }, { key_order = order, sort_keys = true }, { precision = 14 }, { float_integers = true },
  { skip_unsupported = true }, { on_error = null }, { one_line = true }, { ascii = true }, { html = true },
  { layout = "any-cpu" }, { layout = "api" },
} do
  local with = pcall(fleece.encode, values[2][2], options) and options
  if with then
    row(shown(options), values, fleece.encode, function(value) return fleece.encode(value, options) end)
  end
end
local codec = fleece.new { key_order = order }
row("codec key_order={...}", values, fleece.encode, codec.encode)
row("write on_error", values, function(v) return fleece.write(null, v) end,
  function(v) return fleece.write(null, v, { on_error = null }) end)

head "decode"
for _, options in ipairs {
  { null = false }, { order = true }, { numbers = "exact" }, { numbers = "exact", order = true },
  { duplicates = "error" }, { duplicates = "first" }, { duplicates = "error", order = true }, { numeric_keys = true },
  { comments = true }, { trailing_commas = true }, { json5 = true }, { arrays = {} }, { layout = "api" },
} do
  row(shown(options), texts, fleece.decode, function(text) return fleece.decode(text, options) end)
end

-- How many numbers exact decoding keeps as objects, and the bytes of such an object: a pointer, a length, the digits.
local function kept_in(value)
  local n, bytes = 0, 0
  if type(value) == "userdata" and value ~= fleece.null then return 1, 24 + #tostring(value) end
  if type(value) ~= "table" then return 0, 0 end
  for _, item in pairs(value) do
    local more, size = kept_in(item)
    n, bytes = n + more, bytes + size
  end
  return n, bytes
end

-- The floor of exact numbers: decoding without the option, and creating as many objects through the API.
local floor = require("measure.compiled").open("floor", arg[1])
if floor then
  local kept, metatable = {}, {}
  for _, text in ipairs(texts) do
    local n, bytes = kept_in(fleece.decode(text[2], { numbers = "exact" }))
    kept[text[2]] = { n, n > 0 and math.floor(bytes / n) or 0 }
  end
  row('numbers="exact", floor', texts, fleece.decode, function(text)
    local of = kept[text]
    floor.objects(of[1], of[2], metatable)
    return fleece.decode(text)
  end)
end

-- A parser that is fed with pieces of so many bytes, against decode of the whole.
for _, size in ipairs { 8, 100, 4096 } do
  local pieces = {}
  for i, text in ipairs(texts) do
    pieces[i] = { text[1], { text = text[2] } }
    for at = 1, #text[2], size do table.insert(pieces[i][2], text[2]:sub(at, at + size - 1)) end
  end
  row("parser, pieces of " .. size .. " bytes", pieces, function(piece) return fleece.decode(piece.text) end, function(piece)
    local parser = fleece.parser()
    for i = 1, #piece do parser:feed(piece[i]) end
    return parser:finish()
  end)
end
