-- SPDX-License-Identifier: MIT
-- goals.lua -- compares the results of pick/run.lua with the goals: `lua bench/pick/goals.lua FILE.csv`.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local results, records = require "report.results", require "report.records"
local get, say = records.get, results.say

local LARGE = { "twitter", "citm_catalog", "people", "catalogue" } -- the documents of the goals
local READ = { twitter = 24, citm_catalog = 24, people = 35, catalogue = 35 } -- test = read, times lua-cjson

-- The ratio of the medians of two entrants: how many times as long `a` takes.
local function share(case, task, a, b)
  local one, other = get(case, task, a, "ns_median"), get(case, task, b, "ns_median")
  return one and other and one / other
end

-- One value of each document, and its limit. sign 1: at least the limit; -1: at most.
local function each(run, keys, what, value, limit, sign)
  local list, misses = {}, 0
  for _, key in ipairs(keys) do
    local wanted, v = type(limit) == "table" and limit[key] or limit, run.cases[key] and value(run.cases[key])
    if v then
      list[#list + 1] = ("%s %.2f (%s %g)"):format(key, v, sign > 0 and "at least" or "at most", wanted)
      if sign * v < sign * wanted then misses = misses + 1 end
    end
  end
  if #list == 0 then return say(nil, "%s: not measured", what) end
  say(misses == 0, "%s: %s", what, table.concat(list, ", "))
end

local function ratio_of(task, entrant) return function(case) return get(case, task, entrant, "ratio") end end
local function share_of(task, a, b) return function(case) return share(case, task, a, b) end end

local function report(run)
  print(("pick, %s, %s, layout %s, commit %s"):format(run.title, run.facts.runtime_version, run.facts.layout,
    run.facts.commit))
  records.say_exact(run, function() return false end)
  local large = { keys = {}, cases = run.cases }
  for _, key in ipairs(LARGE) do if run.cases[key] then table.insert(large.keys, key) end end
  local mean, _, _, count = results.mean(large, ratio_of("fields", "pick"))
  if mean then say(mean >= 20, "pick, mean of %d: %.1f times lua-cjson (goal 20)", count, mean) end
  each(run, LARGE, "pick, times lua-cjson", ratio_of("fields", "pick"), 13, 1)
  each(run, LARGE, "pick, time in units of simdjson DOM", share_of("fields", "pick", "simdjson DOM (C++)"), 1, -1)
  each(run, LARGE, "pick, test = read, times lua-cjson", ratio_of("fields", "pick, test = read"), READ, 1)
  each(run, LARGE, "pick, test = read, time in units of simdjson On Demand",
    share_of("fields", "pick, test = read", "simdjson On Demand (C++)"), 1.3, -1)
  each(run, { "record" }, "pick, time in units of decode", share_of("fields", "pick", "fleece.decode"), 0.6, -1)
  each(run, { "chat" }, "decode, time in units of pick", share_of("fields", "fleece.decode", "pick"), 1.3, 1)
  each(run, run.keys, "lazy, time in units of decode", share_of("fields", "fleece.lazy", "fleece.decode"), 1, -1)
  each(run, { "chat" }, "edit, times lua-cjson", ratio_of("edit", "edit"), 20, 1)
  each(run, { "chat" }, "edit, time in units of pick and a copy",
    share_of("edit", "edit", "pick, copy of the text"), 2, -1)
end

for _, run in ipairs(records.read(arg[1], "pick")) do report(run) end
