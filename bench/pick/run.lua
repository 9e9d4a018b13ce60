-- SPDX-License-Identifier: MIT
-- run.lua -- measures reading and changing a few fields of a text on one interpreter; writes CSV lines. ../run.sh
-- --pick calls it.
--
--   lua bench/pick/run.lua --list pick [--no-data]
--   lua bench/pick/run.lua --only KEY,KEY [--quick] [--runtime NAME] [--out FILE.csv] [--yyjson PROGRAM]
--                          [--simdjson PROGRAM] [--no-data]
-- The first prints the keys of the documents. Each document has its own process (see ../run.lua). Its strings change
-- from call to call, and its names do not (see ../workloads/texts.lua).

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local groups, tasks = require "measure.groups", require "pick.tasks"

local function load_cases(data)
  local cases = {}
  for _, case in ipairs(dofile(here .. "/../workloads/generated.lua")) do
    if case.key == "people" then cases[1] = case end
  end
  for _, case in ipairs(dofile(here .. "/../workloads/bodies.lua")) do cases[#cases + 1] = case end
  local documents = data and dofile(here .. "/../workloads/documents.lua").all(data)
  for _, case in ipairs(documents or {}) do cases[#cases + 1] = case end
  return cases
end

local function run_case(case, random, fleece, o, how, emit)
  groups.run_all(tasks, tasks.document(case, random), fleece, o, how, emit)
end

groups.main { word = "pick", root = here .. "/../..", cases = load_cases, needs = "pick", run_case = run_case }
