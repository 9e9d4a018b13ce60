-- SPDX-License-Identifier: MIT
-- records.lua -- reads what measure/groups.lua wrote into runs, one per interpreter: run.cases[key][task][entrant] = row.

local results = require "report.results"
local records = {}

-- The tasks of each program.
local TASKS = {
  binary = { size = true, from_json = true, check = true, to_json = true, look_up = true, lazy = true, unpack = true,
             pack = true },
  pick = { fields = true, edit = true },
}
local NUMBERS = { "json_bytes", "bytes", "ns_median", "ns_q1", "ns_q3", "mb_s", "ratio", "rounds" }

local function new_run(row)
  return { name = row.runtime, title = results.TITLES[row.runtime] or row.runtime, facts = row,
           keys = {}, names = {}, cases = {} }
end

local function add(run, row)
  for _, name in ipairs(NUMBERS) do row[name] = tonumber(row[name]) end
  local case = run.cases[row.key]
  if not case then
    case = {}
    run.cases[row.key], run.names[row.key], run.keys[#run.keys + 1] = case, row.case, row.key
  end
  case[row.task] = case[row.task] or {}
  case[row.task][row.entrant] = row
end

function records.read(path, program) return results.runs(path, TASKS[program], new_run, add) end

-- Says which results are not exact. `exempt(task, entrant)`: those that need not be.
function records.say_exact(run, exempt)
  local list = {}
  for _, key in ipairs(run.keys) do
    for task, rows in pairs(run.cases[key]) do
      for name, row in pairs(rows) do
        if row.verdict ~= "exact" and not exempt(task, name) then
          list[#list + 1] = ("%s %s %s (%s)"):format(task, name, key, row.verdict)
        end
      end
    end
  end
  results.say(#list == 0, "results are exact%s", #list > 0 and "; not: " .. table.concat(list, ", ") or "")
end

-- One field of a row that may be missing.
function records.get(case, task, entrant, field)
  local row = case[task] and case[task][entrant]
  return row and row[field]
end

function records.percent(case, mode)
  local bytes = records.get(case, "size", mode, "bytes")
  return bytes and 100 * bytes / records.get(case, "size", mode, "json_bytes")
end

return records
