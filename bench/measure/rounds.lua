-- SPDX-License-Identifier: MIT
-- rounds.lua -- times all entrants in turns on one document, in one process, in random order.
-- A task has `dress(task, entrant)`, called before the entrant's turn, and `run(task, entrant, from, to)`, which
-- makes the calls number `from` to `to`; no number is used twice.
--
-- A sample consists of the calls that take `seconds` of os.clock (CPU time, in steps of a microsecond), repeated
-- until the collector has completed a cycle with default parameters. So each entrant pays for all its
-- garbage, and only for its own. A full collection and one cycle that is not measured precede each sample; afterwards
-- no entrant has to request memory again that the collection returned to the system. If a cycle takes long, ten times
-- the calls are enough.

local measure = {}
local clock = os.clock
local ENOUGH = 10

local counter = 0 -- never reset

local function weak() return setmetatable({ {} }, { __mode = "v" }) end -- is emptied by the next collector cycle

-- Makes calls until a collector cycle has completed; returns seconds and calls.
local function cycle(task, entrant, calls, seconds)
  local seen, first, start, took = weak(), counter, clock(), nil
  repeat
    task.run(task, entrant, counter + 1, counter + calls)
    counter = counter + calls
    took = clock() - start
  until took >= seconds and not seen[1] or took >= ENOUGH * seconds
  return took, counter - first
end

-- A slow entrant needs no cycle before the measured one.
local function sample(task, entrant, calls, seconds)
  task.dress(task, entrant)
  collectgarbage()
  if not entrant.slow then cycle(task, entrant, calls, seconds / 2) end
  return cycle(task, entrant, calls, seconds)
end

-- Libraries in plain Lua leave the interpreter's string table a thousand times larger, and each collection halves it at
-- most. Until it is small again every sweep visits the empty part, which would count for the next entrant.
function measure.settle()
  for _ = 1, 12 do collectgarbage() end
end

-- How many calls take `seconds`? The search is also the warm-up.
local function calibrate(task, entrant, seconds)
  local calls = 1
  task.dress(task, entrant)
  while true do
    collectgarbage()
    local start = clock()
    task.run(task, entrant, counter + 1, counter + calls)
    counter = counter + calls
    local took = clock() - start
    if took >= seconds then return calls, took end
    if took >= seconds / 8 then return math.ceil(calls * seconds / took * 1.05), took end
    calls = calls * 4
  end
end

local function shuffle(list, random)
  for i = #list, 2, -1 do
    local j = random.int(1, i)
    list[i], list[j] = list[j], list[i]
  end
end

function measure.quantile(sorted, q)
  local place = 1 + (#sorted - 1) * q
  local low = math.floor(place)
  local high = math.min(low + 1, #sorted)
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low)
end

function measure.summary(samples)
  if #samples == 0 then return nil end
  local sorted = {}
  for i, v in ipairs(samples) do sorted[i] = v end
  table.sort(sorted)
  local q = measure.quantile
  return { median = q(sorted, 0.5), q1 = q(sorted, 0.25), q3 = q(sorted, 0.75), n = #sorted }
end

-- how: seconds per sample, rounds, least rounds, budget (seconds) for one entrant, calls (least number over all rounds,
-- for entrants that can make it within the budget), random, between (called after each round).
-- entrant.first: seconds of an earlier call; if one round is enough, it is the sample of a slow entrant.
-- Sets entrant.ns (round -> nanoseconds per call) and entrant.calls for every entrant.
function measure.rounds(task, entrants, how)
  local order = {}
  for i, entrant in ipairs(entrants) do
    local calls, took = 1, entrant.first or 0
    if how.least > 1 or took <= how.budget then
      calls, took = calibrate(task, entrant, how.seconds)
    end
    if how.calls and took * how.calls / calls < how.budget * 3 then
      calls = math.max(calls, math.ceil(how.calls / how.rounds))
    end
    entrant.calls, entrant.spent, entrant.ns, entrant.count = calls, 0, {}, 0
    entrant.slow = took / calls >= ENOUGH * how.seconds
    if calls == 1 and took > how.budget then -- too slow to be called again without need
      entrant.ns[1], entrant.spent, entrant.count = took * 1e9, took, 1
    end
    order[i] = entrant
  end
  for round = 1, how.rounds do
    shuffle(order, how.random)
    for _, entrant in ipairs(order) do
      local wanted = entrant.spent < how.budget or entrant.count < how.least
      if wanted and not entrant.ns[round] then
        local took, calls = sample(task, entrant, entrant.calls, how.seconds)
        entrant.ns[round] = took * 1e9 / calls
        entrant.spent, entrant.count = entrant.spent + took, entrant.count + 1
      end
    end
    if how.between then how.between(round, how.rounds) end
  end
end

-- Returns the quartiles of the time of one entrant, and of base/entrant over the rounds in which both were timed.
function measure.compare(entrant, base, rounds)
  local times, ratios = {}, {}
  for round = 1, rounds do
    local ns = entrant.ns[round]
    if ns then
      times[#times + 1] = ns
      local other = base and base.ns[round]
      if other and ns > 0 then ratios[#ratios + 1] = other / ns end
    end
  end
  return measure.summary(times), measure.summary(ratios)
end

return measure
