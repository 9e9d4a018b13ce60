-- SPDX-License-Identifier: MIT
-- results.lua -- reads one task, encode or decode, into runs, one per runtime: run.cases[key][entrant] = row.

local csv = require "report.csv"
local results = {}

local NUMBERS = { "elements", "numbers", "bytes", "ns_median", "ns_q1", "ns_q3", "ns_element", "mb_s", "ratio",
                  "ratio_q1", "ratio_q3", "rounds" }
results.TITLES = { ["lua5.1"] = "Lua 5.1", ["lua5.2"] = "Lua 5.2", ["lua5.3"] = "Lua 5.3", ["lua5.4"] = "Lua 5.4",
                   ["lua5.5"] = "Lua 5.5", luajit = "LuaJIT" }
-- Entrants that do not count as "another Lua library": Fleece, the base, C without Lua, the floor, and the
-- fleece-lite of 2011, which has its own goal.
results.APART = { fleece = true, ["fleece api"] = true, ["lua-cjson"] = true, ["yyjson (C)"] = true, floor = true,
                  ["fleece-lite"] = true }
-- Fleece's drop-in modules: of which library, and how many times faster they should be in the mean.
results.STAND_INS = {
  { name = "fleece as cjson", of = "lua-cjson", encode = 8, decode = 2.5 },
  { name = "fleece as dkjson", of = "dkjson", encode = 20, decode = 20 },
  { name = "fleece as rapidjson", of = "lua-rapidjson", encode = 1, decode = 1 },
  { name = "fleece as rxi", of = "rxi json", encode = 1, decode = 1 },
  { name = "fleece as LuaJSON", of = "LuaJSON", encode = 1, decode = 1 },
  { name = "fleece as JSON4Lua", of = "JSON4Lua", encode = 1, decode = 1 },
}
for _, stand_in in ipairs(results.STAND_INS) do results.APART[stand_in.name] = true end

local function new_run(row)
  return { name = row.runtime, title = results.TITLES[row.runtime] or row.runtime, facts = row,
           keys = {}, rivals = {}, cases = {}, names = {} }
end

local function add(run, row)
  for _, name in ipairs(NUMBERS) do row[name] = tonumber(row[name]) end
  -- Correct before the measurement and wrong after it (a bug of LuaJIT's compiler): the time is of different work.
  if row.verdict == "later: differs" or row.verdict == "later: invalid JSON" then row.ns_median = nil end
  if not run.cases[row.key] then
    run.cases[row.key] = {}
    run.keys[#run.keys + 1] = row.key
    run.names[row.key] = row.case
  end
  run.cases[row.key][row.entrant] = row
  if not run.rivals[row.entrant] and not row.entrant:match(" E%d$") then
    run.rivals[row.entrant] = true
    run.rivals[#run.rivals + 1] = row.entrant
  end
end

-- Returns a run for each interpreter that has rows of the tasks { [name] = true }, in the order of the file.
function results.runs(path, tasks, make, fill)
  local list, by_name = {}, {}
  for _, row in ipairs((csv.read(path))) do
    if tasks[row.task] then
      local run = by_name[row.runtime]
      if not run then
        run = make(row)
        by_name[row.runtime], list[#list + 1] = run, run
      end
      fill(run, row)
    end
  end
  return list
end

-- The keys and rivals of a run are in the order of the file, without flag variants ("fleece E4").
function results.read(path, direction) return results.runs(path, { [direction] = true }, new_run, add) end

-- Prints whether a goal is reached; nil: there is none.
function results.say(reached, text, ...)
  print(("  %-5s " .. text):format(reached == nil and "-" or reached and "yes" or "NO", ...))
end

-- Returns the row of the fastest Lua library other than Fleece and the base.
function results.best_other(case)
  local best
  for name, row in pairs(case) do
    if not results.APART[name] and not name:match(" E%d$") and row.ns_median
      and (not best or row.ns_median < best.ns_median) then best = row end
  end
  return best
end

-- Returns the geometric mean, the least value and its key, and the count, of value(case) for each case (nil: left out).
function results.mean(run, value)
  local sum, count, least, where = 0, 0, nil, nil
  for _, key in ipairs(run.keys) do
    local v = value(run.cases[key])
    if v then
      sum, count = sum + math.log(v), count + 1
      if not least or v < least then least, where = v, key end
    end
  end
  if count == 0 then return nil end
  return math.exp(sum / count), least, where, count
end

-- How many times faster `a` is than `b`, by medians.
function results.times(a, b)
  return a and b and a.ns_median and b.ns_median and b.ns_median / a.ns_median or nil
end

return results
