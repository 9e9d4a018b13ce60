-- SPDX-License-Identifier: MIT
-- goals.lua -- compares the results of the binary format with the goals: `lua bench/binary/goals.lua FILE.csv`.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local results, records = require "report.results", require "report.records"
local get, percent, say = records.get, records.percent, results.say

local LARGE = 60000 -- bytes of text above which lazy has a goal
local LOOK_UPS = { { "C", 25 }, { "path(view)", 100 }, { "doc.root[123].name", 250 }, { "view:get(123, 'name')" },
                   { "view:pointer('/122/name')" } }

-- One value with an upper limit.
local function at_most(what, unit, value, limit)
  if value then say(value <= limit, "%s: %.1f %s (goal at most %g)", what, value, unit, limit) end
end

local function at_least(what, unit, value, limit)
  if value then say(value >= limit, "%s: %.1f %s (goal at least %g)", what, value, unit, limit) end
end

-- Compares each document's value with the limit, and shows the geometric mean. sign 1: at least the limit; -1: at most.
local function each(run, what, value, limit, sign)
  local mean, _, _, count = results.mean(run, value)
  if not mean then say(nil, "%s: not measured", what) return end
  local list, misses = {}, 0
  for _, key in ipairs(run.keys) do
    local v = value(run.cases[key])
    if v then
      list[#list + 1] = ("%s %.2f"):format(key, v)
      if sign * v < sign * limit then misses = misses + 1 end
    end
  end
  say(misses == 0, "%s: %.2f in the mean of %d (goal %s %g each): %s", what, mean, count,
    sign > 0 and "at least" or "at most", limit, table.concat(list, ", "))
end

local function sizes(run)
  for _, goal in ipairs { { "people", 78 }, { "twitter", 40 }, { "citm_catalog", 15 } } do
    at_most("compact size of " .. goal[1], "% of the text", percent(run.cases[goal[1]] or {}, "compact"), goal[2])
  end
end

local function look_ups(run, people)
  for _, goal in ipairs(LOOK_UPS) do
    local name, limit = goal[1], goal[2]
    local ns, ratio = get(people, "look_up", name, "ns_median"), get(people, "look_up", name, "ratio")
    if ns then
      say(ratio >= 1000 and (not limit or ns < limit), "look-up by %s: %.1f ns%s, %.0f times lua-cjson decode (goal 1000)",
        name, ns, limit and (" (goal %d)"):format(limit) or "", ratio)
    end
  end
  if not people.look_up then say(nil, "look-up: not measured") end
end

local function report(run)
  local people = run.cases.people or {}
  print(("binary, %s, %s, layout %s, commit %s"):format(run.title, run.facts.runtime_version, run.facts.layout,
    run.facts.commit))
  records.say_exact(run, function(task, name) return task == "size" or name:find "cjson" end)
  sizes(run)
  at_least("people, JSON to compact", "MB/s", get(people, "from_json", "compact", "mb_s"), 700)
  at_least("people, JSON to compatible", "MB/s", get(people, "from_json", "compatible", "mb_s"), 700)
  for _, mode in ipairs { "compact", "compatible" } do
    each(run, "JSON to " .. mode .. ", time in units of yyjson's parse",
      function(c) return get(c, "from_json", mode, "ratio") and 1 / get(c, "from_json", mode, "ratio") end, 2.5, -1)
  end
  local mean = results.mean(run, function(c)
    local rate = get(c, "check", "check", "mb_s")
    return rate and rate / 1000
  end)
  at_least("check, mean of all documents", "GB/s", mean, 2.2)
  for _, name in ipairs { "open, trusted codec", "open, trusted" } do
    each(run, name .. ", ns", function(c) return get(c, "check", name, "ns_median") end, 100, -1)
  end
  look_ups(run, people)
  each(run, "lazy + three fields, times lua-cjson decode + fields", function(c)
    local row = c.lazy and c.lazy["lazy + three fields"]
    return row and row.json_bytes > LARGE and row.ratio or nil
  end, 4, 1)
  each(run, "unpack, times decode", function(c) return get(c, "unpack", "unpack", "ratio") end, 1, 1)
  each(run, "pack, times encode", function(c) return get(c, "pack", "pack compact", "ratio") end, 1, 1)
  each(run, "pack fast, time in units of encode",
    function(c) return get(c, "pack", "pack fast", "ratio") and 1 / get(c, "pack", "pack fast", "ratio") end, 1.5, -1)
  each(run, "unpack of trusted bytes, time in units of decode", function(c)
    return get(c, "unpack", "unpack, trusted", "ratio") and 1 / get(c, "unpack", "unpack, trusted", "ratio")
  end, 0.75, -1)
  for _, rival in ipairs { "string.buffer", "string.buffer, dict", "lua-cmsgpack" } do
    for _, task in ipairs { { "pack", "pack fast" }, { "unpack", "unpack, trusted" } } do
      each(run, task[2] .. ", times " .. rival, function(c)
        local ours, theirs = get(c, task[1], task[2], "ns_median"), get(c, task[1], rival, "ns_median")
        return ours and theirs and theirs / ours
      end, 1, 1)
    end
  end
end

for _, run in ipairs(records.read(arg[1], "binary")) do report(run) end
