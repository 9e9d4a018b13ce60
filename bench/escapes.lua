-- SPDX-License-Identifier: MIT
-- escapes.lua -- strings with many escapes: how many times faster than lua-cjson, in one process, in turns.
--   lua bench/escapes.lua DIRECTORY_OF_fleece.so [rounds]
-- Columns: decode, and the most it could be: with a string of the same length that has no escapes in place of it, so that
-- what is left is to find its end and to let Lua make the string; testing (format_stream to nothing); pick of a number
-- after the string; decode as a multiple of lua-rapidjson, if that is found; the median of the rounds' ratios. Then
-- encoding of strings that need escapes, and what options cost: the time with the option as a multiple of that without
-- it. For `ascii` also the least it could be: that of a string without escapes as long as the result.
-- Each call gets one of several texts that differ in their first digits: Lua 5.1 and LuaJIT intern all strings.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local fleece = require "fleece"
local cjson = require "cjson"
local found, rapidjson = pcall(require, "rapidjson")
local measure = require "measure.rounds"

local ROUNDS, TEXTS, CALLS = tonumber(arg[2]) or 15, 8, 40

local function time(run, arguments)
  collectgarbage()
  local start = os.clock()
  for i = 1, CALLS do run(arguments[i % TEXTS + 1]) end
  return os.clock() - start
end

-- The median over the rounds of the time of `base` through that of `run`, for each of a list of functions. `others`: the
-- arguments of the functions that have their own.
local function ratios(base, runs, arguments, others)
  local samples, result = {}, {}
  for i in ipairs(runs) do samples[i] = {} end
  for round = 1, ROUNDS do
    for i, run in ipairs(runs) do
      samples[i][round] = time(base, arguments) / time(run, others and others[i] or arguments)
    end
  end
  for i in ipairs(runs) do result[i] = measure.summary(samples[i]).median end
  return result
end

local function variants(make)
  local list = {}
  for i = 1, TEXTS do list[i] = make(tostring(1000 + i)) end
  return list
end

local picker = fleece.pick "n"

print(("%-20s %6s  %8s %8s %8s %8s %12s"):format("decode / lua-cjson", "goal", "decode", "at most", "test", "pick", "/ rapidjson"))
for _, case in ipairs(require "workloads.escaped") do
  local texts = variants(function(digits) return '{"s":"' .. digits .. case.text .. '","n":1}' end)
  assert(fleece.decode(texts[1]).s == cjson.decode(texts[1]).s, case.name)
  local plain = {}
  for i, text in ipairs(texts) do plain[i] = '{"s":"' .. fleece.decode(text).s:gsub('[%c"\\]', "x") .. '","n":1}' end
  local all = ratios(cjson.decode, {
    fleece.decode,
    fleece.decode,
    function(text) return fleece.format_stream(text, nil) end,
    picker,
  }, texts, { [2] = plain })
  local rapid = found and ("%12.2f"):format(ratios(rapidjson.decode, { fleece.decode }, texts)[1]) or ""
  print(("%-20s %6.1f  %8.2f %8.2f %8.2f %8.2f %s"):format(case.name, case.goal, all[1], all[2], all[3], all[4], rapid))
end

local LOG = '2026-11-26T23:10:38.123Z INFO [worker-3] GET /api/v1/items?id=12345: 200 in 12.3 ms, agent "Mozilla/5.0" <x>\n'
local strings = {
  { "quotes", '"' }, { "line ends", "\n" }, { 'a letter and "', 'a"' }, { 'a word and "', 'words"' },
  { "a log", LOG },
  { "Chinese", "字符串里面的每一个字都写成转义序列，数字和标点也在其中。" },
  { "Cyrillic", "Каждая буква этого предложения записана в виде шести знаков. " },
  { "Cyrillic, no blanks", "Каждаябуквапредложенияввидешестизнаков" },
}
local options = { "ascii", "escape_slash", "html" }

print(("\n%-20s %8s %12s  %s"):format("encode", "/ cjson", "/ rapidjson", "cost of ascii, at least; escape_slash, html"))
for _, case in ipairs(strings) do
  local values = variants(function(digits) return { digits .. case[2]:rep(math.floor(16000 / #case[2])) } end)
  assert(fleece.decode(fleece.encode(values[1], { ascii = true }))[1] == values[1][1], case[1])
  local runs = {}
  for i, name in ipairs(options) do
    local option = { [name] = true }
    runs[i] = function(value) return fleece.encode(value, option) end
  end
  local long = {}
  for i, value in ipairs(values) do long[i] = { value[1]:sub(1, 4) .. ("x"):rep(#fleece.encode(value, { ascii = true }) - 8) } end
  runs[4] = fleece.encode
  local costs = ratios(fleece.encode, runs, values, { [4] = long })
  local rapid = found and ("%12.2f"):format(ratios(rapidjson.encode, { fleece.encode }, values)[1]) or ("%12s"):format ""
  print(("%-20s %8.2f %s  %8.2f %8.2f %8.2f %8.2f"):format(case[1], ratios(cjson.encode, { fleece.encode }, values)[1],
    rapid, 1 / costs[1], 1 / costs[4], 1 / costs[2], 1 / costs[3]))
end
