-- SPDX-License-Identifier: MIT
-- goals.lua -- compares the results with the project's goals: `lua bench/report/goals.lua FILE.csv`.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local results = require "report.results"

local say = results.say

-- Names all cases whose value does not fit, because a mean hides them.
local function misses(run, value, fits)
  local list = {}
  for _, key in ipairs(run.keys) do
    local v = value(run.cases[key])
    if v and not fits(v) then list[#list + 1] = ("%s %.2f"):format(key, v) end
  end
  return #list > 0 and "; misses: " .. table.concat(list, ", ") or ""
end

local function at_least(run, what, value, each, mean)
  local average, least, where, count = results.mean(run, value)
  if not average then return end
  local missing = misses(run, value, function(v) return v >= each end)
  local text = ("%.2f in the mean of %d (goal %g), least %.2f on %s (goal %g)%s")
    :format(average, count, mean, least, where, each, missing)
  say(average >= mean and least >= each, "%s: %s", what, text)
end

local function at_most(run, what, value, limit)
  local average, _, _, count = results.mean(run, value)
  if not average then return end
  local missing = misses(run, value, function(v) return v <= limit end)
  say(missing == "", "%s: %.2f in the mean of %d (goal %g each)%s", what, average, count, limit, missing)
end

local times = results.times

-- Are all results exact? (Not checked for the flags E0 to E3, which do not escape all characters.)
local function exact(run)
  local list = {}
  for _, key in ipairs(run.keys) do
    for _, name in ipairs { "fleece", "fleece api", "fleece E4" } do
      local row = run.cases[key][name]
      if row and row.verdict ~= "exact" then list[#list + 1] = ("%s %s (%s)"):format(name, key, row.verdict) end
    end
  end
  say(#list == 0, "results are exact%s", #list > 0 and "; not: " .. table.concat(list, ", ") or "")
end

local function to_cjson(c) return c.fleece and c.fleece.ratio end
local function to_best_other(c) return times(c.fleece, results.best_other(c)) end

-- The floor parses nothing, so for documents that consist of numbers (19 of 20 elements) there is no goal.
local function is_numbers(c) return c.fleece and c.fleece.numbers > 0.95 * c.fleece.elements end
local function to_floor(c) return not is_numbers(c) and times(c.fleece, c.floor) or nil end
local function to_floor_of_numbers(c) return is_numbers(c) and times(c.fleece, c.floor) or nil end

-- Each drop-in must be faster than its original on every workload; the goal applies to the mean.
local function stand_ins(run, direction)
  for _, it in ipairs(results.STAND_INS) do
    at_least(run, ("%s, times %s"):format(it.name:match "as .*", it.of), function(c)
      return times(c[it.name], c[it.of])
    end, 1, it[direction])
  end
end

-- The ratio of an encoder without any cost of its own: only the interpreter's loop and the string.
local function bounds(run)
  local list = {}
  for _, key in ipairs(run.keys) do
    local floor = run.cases[key].floor
    if floor and floor.ratio then list[#list + 1] = ("%s %.1f"):format(key, floor.ratio) end
  end
  if #list > 0 then print("        the string alone, times lua-cjson: " .. table.concat(list, ", ")) end
end

local function encoding(run)
  at_least(run, "times faster than lua-cjson", to_cjson, 7, 12)
  bounds(run)
  at_least(run, "times faster than the best other", to_best_other, 2, 3)
  at_least(run, "times faster than fleece-lite", function(c) return times(c.fleece, c["fleece-lite"]) end, 1, 1)
  at_most(run, "time in units of yyjson (C)", function(c) return times(c["yyjson (C)"], c.fleece) end, 1.5)
  at_most(run, "time of E4 in units of E0, 1 in 100", function(c)
    return c == run.cases["escapes-100"] and times(c["fleece E0"], c["fleece E4"]) or nil
  end, 1.1)
  at_least(run, "API walker, times lua-cjson", function(c)
    return c["fleece api"] and c["fleece api"].ratio
  end, 3, 3)
  stand_ins(run, "encode")
end

local function decoding(run)
  at_least(run, "times faster than lua-cjson", to_cjson, 2, 3)
  at_least(run, "times faster than the best other", to_best_other, 1, 1.3)
  stand_ins(run, "decode")
  at_least(run, "times faster than the floor", to_floor, 1, 1)
  at_least(run, "the same, documents of numbers (no goal)", to_floor_of_numbers, 0, 0)
end

local function report(direction, goals)
  for _, run in ipairs(results.read(arg[1], direction)) do
    print(("%s, %s, %s, layout %s, commit %s"):format(direction, run.title, run.facts.runtime_version,
      run.facts.layout, run.facts.commit))
    exact(run)
    goals(run)
  end
end

report("encode", encoding)
report("decode", decoding)
