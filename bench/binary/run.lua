-- SPDX-License-Identifier: MIT
-- run.lua -- measures the binary format on one interpreter; writes CSV lines. ../run.sh --binary calls it.
--
--   lua bench/binary/run.lua --list binary [--no-data]
--   lua bench/binary/run.lua --only KEY,KEY [--quick] [--runtime NAME] [--out FILE.csv] [--yyjson PROGRAM]
--                            [--lookup PROGRAM] [--no-data]
-- The first prints the keys of the documents. Each document has its own process (see ../run.lua). The same text or
-- document is used repeatedly, so all of it is in the caches. Only strings change from call to call, so that Lua has
-- to create them (see ../workloads/texts.lua).

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local measure, c_entrant, find = require "measure.rounds", require "measure.c_entrant", require "measure.find"
local csv, host = require "report.csv", require "measure.host"
local new_random, tasks = require "workloads.random", require "binary.tasks"

local COLUMNS = { "runtime", "runtime_version", "case", "key", "task", "entrant", "version", "json_bytes", "bytes",
  "ns_median", "ns_q1", "ns_q3", "mb_s", "ratio", "ratio_q1", "ratio_q3", "base", "rounds", "calls", "verdict", "mode",
  "layout", "date", "commit", "machine", "cores", "cpu", "kernel", "compiler" }

local function options()
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

local function load_cases(data)
  local cases = {}
  for _, case in ipairs(dofile(here .. "/../workloads/generated.lua")) do
    if case.key == "people" then cases[1] = case end
  end
  for _, case in ipairs(data and dofile(here .. "/../workloads/documents.lua").all(data) or {}) do
    local text = case.text
    case.text = function() return tasks.minify(text()) end
    cases[#cases + 1] = case
  end
  return cases
end

local function f(v, digits) return v and ("%." .. digits .. "f"):format(v) end

-- Measures one group of entrants in turns.
local function run_group(group, doc, o, how, emit)
  how.between = nil
  local c
  if group.c and o[group.c.program] then
    c = c_entrant(o[group.c.program], group.c.verb, group.c.bytes, how)
    c.name = group.c.name
  end
  for _, entrant in ipairs(group) do
    local ok, verdict = pcall(entrant.verify)
    entrant.verdict = ok and verdict or "error: " .. tostring(verdict):match("^[^\n]*")
  end
  measure.settle()
  measure.rounds({ dress = function() end, run = function(_, entrant, from, to) entrant.run(from, to) end }, group, how)
  local list, base = {}, nil
  for i, entrant in ipairs(group) do
    list[i] = entrant
    if entrant.name == group.base then base = entrant end
  end
  if c then
    os.remove(c.path)
    if group.c.verify then c.bytes, c.verdict = nil, group.c.verify(c) end
    list[#list + 1] = c
    if c.name == group.base then base = c end
  end
  for _, entrant in ipairs(list) do
    local times, ratios = measure.compare(entrant, base, how.rounds)
    if times then
      local bytes = tonumber(entrant.bytes)
      emit { task = group.task, entrant = entrant.name, version = entrant.version, bytes = bytes,
             json_bytes = #doc.text, ns_median = f(times.median, 1), ns_q1 = f(times.q1, 1), ns_q3 = f(times.q3, 1),
             mb_s = bytes and f(bytes / times.median * 1000, 1), base = base and group.base, calls = entrant.calls,
             ratio = ratios and f(ratios.median, 3), ratio_q1 = ratios and f(ratios.q1, 3),
             ratio_q3 = ratios and f(ratios.q3, 3), rounds = times.n, verdict = entrant.verdict }
    end
  end
end

local function run_case(case, fleece, o, how, emit)
  local doc = tasks.document(case, new_random(case.key:byte() + #case.key), fleece)
  for _, mode in ipairs { "compact", "compatible" } do
    local bytes = fleece.from_json(doc.original, { mode = mode })
    emit { task = "size", entrant = mode, version = fleece._VERSION, json_bytes = #doc.original, bytes = #bytes }
  end
  for _, name in ipairs(tasks.NAMES) do
    local group, why = tasks[name](fleece, doc)
    if group then
      run_group(group, doc, o, how, emit)
    elseif why then
      print(("  %s: SKIPPED, %s"):format(name, why))
    end
  end
end

local function samples(quick)
  if quick then return { seconds = 0.002, rounds = 5, least = 1, budget = 0.02, random = new_random(7) } end
  return { seconds = 0.010, rounds = 21, least = 5, budget = 0.6, random = new_random(7) }
end

local function report(row)
  if not row.ns_median then
    print(("  %-10s %-24s %d bytes, %.1f %%"):format(row.task, row.entrant, row.bytes, 100 * row.bytes / row.json_bytes))
    return
  end
  print(("  %-10s %-24s %12s ns %9s MB/s  x%-10s %s"):format(row.task, row.entrant, row.ns_median, row.mb_s or "-",
    row.ratio or "-", row.verdict))
end

local function main(o)
  local cases = load_cases(not o["no-data"] and os.getenv("FLEECE_DATA"))
  if o.list then
    for _, case in ipairs(cases) do print(case.key) end
    return
  end
  local fleece, why = find.module("fleece", function(m) return m.encode and m.info end)
  if not (fleece and fleece.from_json) then error("fleece with binary is not built: " .. tostring(why), 0) end
  local facts, info = host(here .. "/../..", arg[-1] or "lua"), fleece.info()
  facts.runtime, facts.mode = o.runtime or _VERSION, o.quick and "quick" or "full"
  facts.layout = info.layout .. "/" .. info.simd
  local out = o.out and assert(io.open(o.out, "ab"))
  if out and out:seek("end") == 0 then out:write(csv.line(COLUMNS)) end
  for _, case in ipairs(cases) do
    if not o.only or ("," .. o.only .. ","):find("," .. case.key .. ",", 1, true) then
      print(("%s, binary %s"):format(facts.runtime, case.name))
      run_case(case, fleece, o, samples(o.quick), function(row)
        row.case, row.key = case.name, case.key
        for name, value in pairs(facts) do row[name] = value end
        report(row)
        if out then out:write(csv.line(COLUMNS, row)) end
      end)
    end
  end
  if out then out:close() end
end

main(options())
