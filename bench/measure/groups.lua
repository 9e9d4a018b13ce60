-- SPDX-License-Identifier: MIT
-- groups.lua -- measures groups of entrants of one document on one interpreter, and writes CSV lines: the part that
-- ../binary/run.lua and ../pick/run.lua share.
--
-- A group is a list of entrants that take turns. An entrant has a name, run(from, to), which makes the calls number
-- `from` to `to`, verify(), which returns a verdict, and, if megabytes per second are useful, bytes: the size of what
-- is read or written. group.base names the entrant that the others are compared with, group.task the group. group.c
-- lists programs in C: `program`, the option that names it; `verb` and `bytes`, see c_entrant.lua; `rest`, further
-- arguments; `name`; verify(entrant), if its output shows whether the result is right, and then `size` as entrants'
-- bytes.

local measure, c_entrant, find = require "measure.rounds", require "measure.c_entrant", require "measure.find"
local csv, host, new_random = require "report.csv", require "measure.host", require "workloads.random"
local collector = require "measure.collector"

local groups = {}

-- The command line as a table; --quick and --no-data have no value.
function groups.options()
  local o, i = {}, 1
  while arg[i] do
    local name = arg[i]:match("^%-%-(.+)") or error("unknown argument " .. arg[i], 0)
    if name == "quick" or name == "no-data" then
      o[name] = true
    else
      o[name], i = arg[i + 1], i + 1
    end
    i = i + 1
  end
  return o
end

local function f(v, digits) return v and ("%." .. digits .. "f"):format(v) end

-- The programs in C that are there.
local function programs(group, o, how)
  local list = {}
  for _, c in ipairs(group.c or {}) do
    if o[c.program] then
      local entrant = c_entrant(o[c.program], c.verb, c.bytes, how, c.rest)
      entrant.name, entrant.verify, entrant.size = c.name, c.verify, c.size
      list[#list + 1] = entrant
    end
  end
  return list
end

local function row_of(group, entrant, base, bytes, rounds)
  local times, ratios = measure.compare(entrant, base, rounds)
  local size = tonumber(entrant.bytes)
  return times and {
    task = group.task, entrant = entrant.name, version = entrant.version, bytes = size, json_bytes = bytes,
    ns_median = f(times.median, 1), ns_q1 = f(times.q1, 1), ns_q3 = f(times.q3, 1),
    mb_s = size and f(size / times.median * 1000, 1), base = base and group.base, calls = entrant.calls,
    ratio = ratios and f(ratios.median, 3), ratio_q1 = ratios and f(ratios.q1, 3),
    ratio_q3 = ratios and f(ratios.q3, 3), rounds = times.n, verdict = entrant.verdict,
  }
end

-- Measures one group in turns. `bytes`: of the document's text.
function groups.run(group, bytes, o, how, emit)
  how.between = nil
  local compiled = programs(group, o, how)
  for _, entrant in ipairs(group) do
    local ok, verdict = pcall(entrant.verify)
    entrant.verdict = ok and verdict or "error: " .. tostring(verdict):match("^[^\n]*")
  end
  measure.settle()
  measure.rounds({ dress = function() end, run = function(_, entrant, from, to) entrant.run(from, to) end }, group, how)
  local list, base = {}, nil
  for _, entrant in ipairs(group) do list[#list + 1] = entrant end
  for _, entrant in ipairs(compiled) do
    os.remove(entrant.path)
    if entrant.verify then entrant.bytes, entrant.verdict = entrant.size, entrant.verify(entrant) end
    list[#list + 1] = entrant
  end
  for _, entrant in ipairs(list) do if entrant.name == group.base then base = entrant end end
  for _, entrant in ipairs(list) do
    local row = row_of(group, entrant, base, bytes, how.rounds)
    if row then emit(row) end
  end
end

-- Measures the groups that tasks[name](fleece, doc) returns for each of tasks.NAMES. A task returns nil and the reason
-- if something is missing, nil alone if it does not apply.
function groups.run_all(tasks, doc, fleece, o, how, emit)
  for _, name in ipairs(tasks.NAMES) do
    local group, why = tasks[name](fleece, doc)
    if group then
      groups.run(group, #doc.text, o, how, emit)
    elseif why then
      print(("  %s: SKIPPED, %s"):format(name, why))
    end
  end
end

local function samples(quick)
  if quick then return { seconds = 0.002, rounds = 5, least = 1, budget = 0.02, random = new_random(7) } end
  return { seconds = 0.010, rounds = 11, least = 5, budget = 0.3, random = new_random(7) }
end

local function report(row)
  if not row.ns_median then
    local percent = 100 * row.bytes / row.json_bytes
    print(("  %-10s %-24s %d bytes, %.1f %%"):format(row.task, row.entrant, row.bytes, percent))
    return
  end
  print(("  %-10s %-24s %12s ns %9s MB/s  x%-10s %s"):format(row.task, row.entrant, row.ns_median, row.mb_s or "-",
    row.ratio or "-", row.verdict))
end

-- Runs a program: word, its name in the output; root, the repository; cases(data), which returns the documents; needs,
-- a function of fleece; run_case(case, random, fleece, o, how, emit).
function groups.main(program)
  local o = groups.options()
  local cases = program.cases(not o["no-data"] and os.getenv("FLEECE_DATA"))
  if o.list then
    for _, case in ipairs(cases) do print(case.key) end
    return
  end
  local fleece, why = find.module("fleece", function(m) return m.encode and m.info end)
  if not (fleece and fleece[program.needs]) then
    error(("fleece with %s is not built: %s"):format(program.needs, tostring(why)), 0)
  end
  local facts, info = host(program.root, arg[-1] or "lua"), fleece.info()
  facts.runtime, facts.mode = o.runtime or _VERSION, o.quick and "quick" or "full"
  facts.layout, facts.collector = info.layout .. "/" .. info.simd, collector(o.collector)
  local out = o.out and assert(io.open(o.out, "ab"))
  if out and out:seek("end") == 0 then out:write(csv.line()) end
  for _, case in ipairs(cases) do
    if not o.only or ("," .. o.only .. ","):find("," .. case.key .. ",", 1, true) then
      print(("%s, %s %s"):format(facts.runtime, program.word, case.name))
      local random = new_random(case.key:byte() + #case.key)
      program.run_case(case, random, fleece, o, samples(o.quick), function(row)
        row.case, row.key = case.name, case.key
        for name, value in pairs(facts) do row[name] = value end
        report(row)
        if out then out:write(csv.line(row)) end
      end)
    end
  end
  if out then out:close() end
end

return groups
