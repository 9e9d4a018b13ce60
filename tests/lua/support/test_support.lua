-- SPDX-License-Identifier: MIT
-- test_support.lua -- random rounds: the same seed gives the same numbers, and a failure shows how to repeat it.
-- runs: in one layout

local T = require "support"
local lu, same = T.lu, T.same

TestSupport = {}

T.tell_seeds() -- before the tests set other seeds

-- The numbers of each round, for a seed of the run. `used(i)` numbers are used in round i.
local function numbers_of(seed, used)
  local list, before = {}, T.seed
  T.seed = seed
  T.random_rounds(10, function(i)
    local round = {}
    for n = 1, used(i) do round[n] = T.random(1, 1000) end
    list[i] = table.concat(round, " ", 1, 3)
  end, 10)
  T.seed = before
  return list
end

local function three() return 3 end

function TestSupport:test_random_seeds()
  local first, again, other = numbers_of(1, three), numbers_of(1, three), numbers_of(2, three)
  same(table.concat(again, ","), table.concat(first, ","))
  local half = math.ceil(#first / 2)
  for i = 1, #first do same(other[i] == first[i], i <= half, "round " .. i) end
end

-- The numbers that a round uses do not change those of the next round, nor those of tests that are not random.
function TestSupport:test_random_rounds_are_apart()
  local first = numbers_of(1, three)
  local again = numbers_of(1, function(i) return 3 + i * 7 % 5 end)
  same(table.concat(again, ","), table.concat(first, ","))
  local seen = {}
  for _, round in ipairs(first) do
    lu.assertNil(seen[round])
    seen[round] = true
  end
  T.random(1, 2)
  local before = T.random_state()
  numbers_of(3, three)
  same(T.random_state(), before)
end

-- The message names the calling file, and the run that it describes fails in the same round.
function TestSupport:test_random_failures()
  local function run()
    local last
    local message = T.error_of(T.random_rounds, 50, function(i)
      last = i .. ": " .. T.random(1, 1000000)
      if i > 40 then error({ msg = "wrong" }) end
    end, 50)
    return message.msg, last
  end
  local before = T.seed
  T.seed = 1234
  local message, round = run()
  T.seed = tonumber(message:match "FLEECE_TEST_SEED=(%d+)")
  local message2, round2 = run()
  T.seed = before
  same(round2, round)
  same(message2, message)
  T.contains(message, "wrong\nround 41 of ")
  local runtime = os.getenv "FLEECE_RUNTIME" or "[%%w.]+"
  local layout = os.getenv "FLEECE_LAYOUT" == "api" and " LAYOUT=api" or ""
  local rounds = os.getenv "FLEECE_TEST_ROUNDS"
  rounds = rounds and " FLEECE_TEST_ROUNDS=" .. rounds or ""
  lu.assertStrMatches(message,
    (".*repeat: make test ONLY=test_support RUNTIME=%s%s FLEECE_TEST_SEED=1234%s"):format(runtime, layout, rounds))
  T.raises_with("as a string\nround 1 of ", T.random_rounds, 1, function() error("as a string", 0) end)
end

function TestSupport:test_ordered_keys()
  same(table.concat(T.ordered_keys { b = 1, a = 2, [1] = 3, [10] = 4, c = 5 }, " "), "1 10 a b c")
end
