-- SPDX-License-Identifier: MIT
-- run.lua -- runs the benchmark on one interpreter in one direction, with every rival that is found; writes CSV lines.
--
--   lua bench/run.lua --list DIRECTION [--no-data]
--   lua bench/run.lua --only KEY,KEY [--direction encode|decode] [--quick] [--runtime NAME] [--rivals NAME,NAME]
--                     [--out FILE.csv] [--yyjson PROGRAM] [--no-data] [--collector incremental|generational]
-- The first prints the keys of the workloads, and the missing rivals to standard error. The second measures, and
-- appends to the file. run.sh calls it with one process for each key, because a workload leaves the heap fragmented
-- for the next one. FLEECE_DATA names a folder with json/*.json (optional).

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local measure, verify, c_entrant = require "measure.rounds", require "measure.verify", require "measure.c_entrant"
local csv, host, new_random = require "report.csv", require "measure.host", require "workloads.random"
local groups = require "measure.groups" -- whose command line is the same
local collector = require "measure.collector"
local DIRECTIONS = { encode = require "measure.encoding", decode = require "measure.decoding" }

local IN_C = { "fleece", "fleece_api", "fleece_cjson", "fleece_dkjson", "fleece_rxi", "fleece_rapidjson",
               "fleece_luajson", "fleece_json4lua", "cjson", "openresty_cjson", "rapidjson", "simdjson", "yyjson",
               "yajl", "resty_simdjson", "fleece_lite" }
local IN_LUA = { "dkjson", "lunajson", "rxi", "json4lua", "luajson" }
local CASES = { "original", "escapes", "numbers", "small", "generated", "hard" }
local BASE = "lua-cjson"

local function set(list)
  if not list then return nil end
  local s = {}
  for word in list:gmatch("[^,]+") do s[word] = true end
  return s
end

-- Names missing libraries in the file `absent`.
local function load_peers(files, only, absent)
  local peers = {}
  for _, file in ipairs(files) do
    local ok, peer, why = pcall(dofile, here .. "/peers/" .. file .. ".lua")
    if ok and peer then
      if not only or only[file] or peer.name == BASE then peers[#peers + 1] = peer end
    elseif absent then
      absent:write(("  %-16s absent: %s\n"):format(file, (tostring(ok and why or peer):match("^[^\n]*"))))
    end
  end
  return peers
end

local function load_cases(direction, data)
  local cases = {}
  local function add(list)
    for _, case in ipairs(list) do if direction.takes(case) then cases[#cases + 1] = case end end
  end
  for _, file in ipairs(CASES) do add(dofile(here .. "/workloads/" .. file .. ".lua")) end
  if data then add(dofile(here .. "/workloads/documents.lua").all(data)) end
  return cases
end

-- Returns the number of elements (values that are not tables), and how many of them are numbers.
local function elements(value)
  if type(value) ~= "table" or value == verify.NULL then return 1, type(value) == "number" and 1 or 0 end
  local count, numbers = 0, 0
  for _, v in pairs(value) do
    local c, n = elements(v)
    count, numbers = count + c, numbers + n
  end
  return count, numbers
end

-- Makes one call; returns the size of the text and the verdict of the result.
local function try(direction, task, entrant)
  task.dress(task, entrant)
  local input = direction.input(task, entrant)
  collectgarbage() -- the garbage of the one before is not its own
  local start = os.clock()
  local ok, result, why = pcall(entrant.call, input)
  entrant.first = os.clock() - start
  local bytes, verdict
  if ok then bytes, verdict = direction.judge(task, entrant, result) end
  return bytes, verdict or "error: " .. tostring(not ok and result or why):match("^[^\n]*")
end

-- After many calls: are results that were exact still exact?
local function try_again(direction, task, entrants)
  task.reference = direction.reference(task)
  for _, entrant in ipairs(entrants) do
    local _, verdict = try(direction, task, entrant)
    if entrant.verdict == "exact" and verdict ~= "exact" then entrant.verdict = "later: " .. verdict end
  end
end

local function row_of(case, count, numbers, entrant, times, ratios)
  local bytes = tonumber(entrant.bytes)
  local row = { case = case.name, key = case.key, elements = count, numbers = numbers, entrant = entrant.name,
                version = entrant.version, verdict = entrant.verdict, bytes = bytes, calls = entrant.calls }
  if times then
    local function f(v, digits) return v and ("%." .. digits .. "f"):format(v) end
    row.ns_median, row.ns_q1, row.ns_q3 = f(times.median, 1), f(times.q1, 1), f(times.q3, 1)
    row.ns_element, row.mb_s = f(times.median / count, 3), f(bytes / times.median * 1000, 1)
    row.rounds = times.n
    if ratios then
      row.ratio, row.ratio_q1, row.ratio_q3 = f(ratios.median, 3), f(ratios.q1, 3), f(ratios.q3, 3)
    end
  end
  return row
end

local function report(row)
  print(("  %-18s %10s ns/element  %8s MB/s  x%-7s %s"):format(row.entrant, row.ns_element or "-", row.mb_s or "-",
    row.ratio and row.ratio:match("^%d+%.%d?%d?") or "-", row.verdict))
end

-- Tries all entrants, and returns those with a result.
local function able(direction, task, entrants)
  local list = {}
  for _, entrant in ipairs(entrants) do
    entrant.bytes, entrant.verdict = try(direction, task, entrant)
    if entrant.bytes then list[#list + 1] = entrant end
  end
  return list
end

local function rounds(task, entrants, how)
  task.reference, task.text = nil, nil -- keeps only what the calls need in memory
  measure.settle()
  measure.rounds(task, entrants, how)
end

-- Libraries in plain Lua are loaded after those in C were timed: their memory would slow down the collector for all.
local function run_case(direction, case, peers, o, how, emit)
  local random = new_random(case.key:byte() + #case.key)
  local task, why = direction.task(case, random)
  if not task then print("skipped: " .. why) return end
  task.reference = direction.reference(task)
  local count, numbers = elements(task.reference)
  local all = direction.entrants(task, case, peers)
  all[#all + 1] = direction.floor(task)
  local compiled, c = able(direction, task, all), nil
  how.calls, how.between = not o.quick and case.calls or nil, nil
  if o.yyjson and task.text then c = c_entrant(o.yyjson, direction.yyjson, task.text, how) end
  rounds(task, compiled, how)
  if c then
    os.remove(c.path)
    all[#all + 1], how.between = c, nil
  end
  try_again(direction, task, compiled)
  if not o.quick then
    local plain = direction.entrants(task, case, load_peers(IN_LUA, set(o.rivals)))
    rounds(task, able(direction, task, plain), how)
    try_again(direction, task, plain)
    for _, entrant in ipairs(plain) do all[#all + 1] = entrant end
  end
  local base
  for _, entrant in ipairs(compiled) do if entrant.name == BASE then base = entrant end end
  for _, entrant in ipairs(all) do
    local times, ratios
    if entrant.ns then times, ratios = measure.compare(entrant, base, how.rounds) end
    emit(row_of(case, count, numbers, entrant, times, ratios))
  end
end

local function samples(quick)
  if quick then return { seconds = 0.002, rounds = 5, least = 1, budget = 0.02, random = new_random(7) } end
  return { seconds = 0.010, rounds = 11, least = 3, budget = 0.3, random = new_random(7) }
end

local function main(o)
  local verb = o.list or o.direction or "encode"
  local direction = DIRECTIONS[verb] or error("no direction " .. verb, 0)
  local cases = load_cases(direction, not o["no-data"] and os.getenv("FLEECE_DATA"))
  local peers = load_peers(IN_C, set(o.rivals), o.list and io.stderr)
  if o.list then
    load_peers(IN_LUA, nil, io.stderr)
    for _, case in ipairs(cases) do print(case.key) end
    return
  end
  local facts = host(here .. "/..", arg[-1] or "lua")
  facts.runtime, facts.task = o.runtime or _VERSION, verb
  facts.mode, facts.collector = o.quick and "quick" or "full", collector(o.collector)
  for _, peer in ipairs(peers) do
    if peer.info then facts.layout = peer.info.layout .. "/" .. tostring(peer.info.simd) end
  end
  local out = o.out and assert(io.open(o.out, "ab"))
  if out and out:seek("end") == 0 then out:write(csv.line()) end
  local function emit(row)
    for name, value in pairs(facts) do row[name] = value end
    report(row)
    if out then out:write(csv.line(row)) end
  end
  local only, how = set(o.only), samples(o.quick)
  for _, case in ipairs(cases) do
    if not only or only[case.key] then
      print(("%s, %s %s"):format(facts.runtime, verb, case.name))
      run_case(direction, case, peers, o, how, emit)
    end
  end
  if out then out:close() end
end

main(groups.options())
