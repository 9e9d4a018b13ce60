-- SPDX-License-Identifier: MIT
-- run.lua -- the benchmark of one interpreter: every case, every rival that is found, one CSV.
--
--   lua bench/run.lua [--quick] [--runtime NAME] [--out FILE.csv] [--only KEY,KEY] [--rivals NAME,NAME]
--                     [--yyjson PROGRAM] [--no-data]
-- Progress goes to standard output. FLEECE_DATA names a folder with json/*.json (optional).

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local measure, vary, verify = require "measure", require "vary", require "verify"
local csv, host, new_random, c_entrant = require "csv", require "host", require "random", require "c_entrant"

local PEERS = { "fleece", "fleece_api", "cjson", "openresty_cjson", "rapidjson", "simdjson", "yyjson", "yajl",
                "fleece_lite", "dkjson", "lunajson", "rxi", "json4lua", "luajson" }
local CASES = { "original", "escapes", "numbers", "small", "generated" }
local BASE = "lua-cjson"
local COLUMNS = { "runtime", "runtime_version", "case", "key", "elements", "rival", "version", "bytes",
  "ns_median", "ns_q1", "ns_q3", "ns_element", "mb_s", "ratio", "ratio_q1", "ratio_q3", "rounds", "calls",
  "verdict", "mode", "collector", "layout", "date", "commit", "machine", "cores", "cpu", "kernel", "compiler" }
local COLLECTOR = _VERSION == "Lua 5.5" and "generational or incremental as built, running"
  or "incremental (the default), running"

local function options()
  local o, i = {}, 1
  while arg[i] do
    local name = arg[i]:match("^%-%-(.+)")
    if name == "quick" or name == "no-data" then
      o[name] = true
    elseif name then
      o[name], i = arg[i + 1], i + 1
    else
      error("unknown argument " .. arg[i], 0)
    end
    i = i + 1
  end
  return o
end

local function set(list)
  if not list then return nil end
  local s = {}
  for word in list:gmatch("[^,]+") do s[word] = true end
  return s
end

local function load_peers(only)
  local peers = {}
  for _, file in ipairs(PEERS) do
    local ok, peer, why = pcall(dofile, here .. "/peers/" .. file .. ".lua")
    if ok and peer then
      if not only or only[file] or peer.name == BASE then peers[#peers + 1] = peer end
    else
      print(("  %-16s absent: %s"):format(file, (tostring(ok and why or peer):match("^[^\n]*"))))
    end
  end
  return peers
end

local function load_cases(data)
  local cases = {}
  for _, file in ipairs(CASES) do
    for _, case in ipairs(dofile(here .. "/cases/" .. file .. ".lua")) do cases[#cases + 1] = case end
  end
  if data then
    for _, case in ipairs(dofile(here .. "/cases/documents.lua").all(data)) do cases[#cases + 1] = case end
  end
  return cases
end

-- An element is a value that is not a table.
local function elements(value)
  if type(value) ~= "table" then return 1 end
  local n = 0
  for _, v in pairs(value) do n = n + elements(v) end
  return n
end

-- Who takes part: encodes the document once, and says what the text is worth.
local function try(task, name, peer, encode)
  measure.dress(task, peer.null)
  local entrant = { name = name, version = peer.version, null = peer.null, plain_lua = peer.plain_lua,
                    encode = encode }
  local start = os.clock()
  local ok, text, why = pcall(encode, task.doc)
  entrant.first = os.clock() - start
  if ok and type(text) == "string" then
    entrant.text, entrant.bytes = text, #text
    entrant.verdict = verify.verdict(text, task.doc, peer.null)
  else
    entrant.verdict = "error: " .. (tostring(not ok and text or why):match("^[^\n]*"))
  end
  return entrant
end

local function entrants_of(task, case, peers)
  local all, able = {}, {}
  local function add(entrant)
    all[#all + 1] = entrant
    if entrant.bytes then able[#able + 1] = entrant end
  end
  for _, peer in ipairs(peers) do
    add(try(task, peer.name, peer, peer.encode))
    for _, flag in ipairs(case.variants and { "E0", "E1", "E2", "E3", "E4" } or {}) do
      local encode = peer.variants and peer.variants[flag]
      if encode then add(try(task, peer.name .. " " .. flag, peer, encode)) end
    end
  end
  return all, able
end

local function row_of(case, count, entrant, times, ratios, how)
  local bytes = tonumber(entrant.bytes)
  local row = { case = case.name, key = case.key, elements = count, rival = entrant.name,
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
  print(("  %-18s %10s ns/element  %8s MB/s  x%-7s %s"):format(row.rival, row.ns_element or "-", row.mb_s or "-",
    row.ratio and row.ratio:match("^%d+%.%d?%d?") or "-", row.verdict))
end

local function run_case(case, peers, o, how, emit)
  local random = new_random(case.key:byte() + #case.key)
  local task, why = case.build(random)
  if not task then print("skipped: " .. why) return end
  vary.prepare(task, random)
  local count = elements(task.doc)
  local all, able = entrants_of(task, case, peers)
  how.calls = not o.quick and case.calls or nil
  how.between = nil
  local c = o.yyjson and c_entrant(o.yyjson, able, how)
  for _, entrant in ipairs(all) do entrant.text = nil end -- nothing but the document stays in memory
  local compiled, plain = {}, {}
  for _, entrant in ipairs(able) do table.insert(entrant.plain_lua and plain or compiled, entrant) end
  measure.settle()
  measure.rounds(task, compiled, how)
  measure.rounds(task, plain, how)
  if c then
    os.remove(c.path)
    all[#all + 1] = c
  end
  local base
  for _, entrant in ipairs(able) do if entrant.name == BASE then base = entrant end end
  for _, entrant in ipairs(all) do
    local times, ratios
    if entrant.ns then times, ratios = measure.compare(entrant, base, how.rounds) end
    emit(row_of(case, count, entrant, times, ratios, how))
  end
end

local o = options()
local how = o.quick and { seconds = 0.002, rounds = 5, least = 1, budget = 0.02, random = new_random(7) }
  or { seconds = 0.010, rounds = 21, least = 3, budget = 0.6, random = new_random(7) }
local facts = host(here .. "/..", arg[-1] or "lua")
facts.runtime, facts.mode, facts.collector = o.runtime or _VERSION, o.quick and "quick" or "full", COLLECTOR
print(("%s, %s, %s, collector: %s"):format(facts.runtime_version, facts.cpu, facts.kernel, COLLECTOR))

local peers = load_peers(set(o.rivals))
for _, peer in ipairs(peers) do
  if peer.info then facts.layout = peer.info.layout .. "/" .. tostring(peer.info.simd) end
end
local out = o.out and assert(io.open(o.out, "wb"))
if out then out:write(csv.line(COLUMNS)) end
local function emit(row)
  for name, value in pairs(facts) do row[name] = value end
  report(row)
  if out then
    out:write(csv.line(COLUMNS, row))
    out:flush()
  end
end

local only = set(o.only)
for _, case in ipairs(load_cases(not o["no-data"] and os.getenv("FLEECE_DATA"))) do
  if not only or only[case.key] then
    print(("%s, %s"):format(facts.runtime, case.name))
    run_case(case, peers, o, how, emit)
    collectgarbage()
  end
end
if out then out:close() end
