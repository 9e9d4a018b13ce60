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
local groups, tasks = require "measure.groups", require "binary.tasks"

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

local function run_case(case, random, fleece, o, how, emit)
  local doc = tasks.document(case, random, fleece)
  for _, mode in ipairs { "compact", "compatible" } do
    local bytes = fleece.from_json(doc.original, { mode = mode })
    emit { task = "size", entrant = mode, version = fleece._VERSION, json_bytes = #doc.original, bytes = #bytes }
  end
  for _, row in ipairs(tasks.sizes(fleece, doc)) do
    row.task, row.json_bytes = "size", #doc.original
    emit(row)
  end
  groups.run_all(tasks, doc, fleece, o, how, emit)
end

groups.main { word = "binary", root = here .. "/../..", cases = load_cases, needs = "from_json", run_case = run_case }
