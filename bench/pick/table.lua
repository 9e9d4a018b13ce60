-- SPDX-License-Identifier: MIT
-- table.lua -- writes the results of pick/run.lua as Markdown: how many times faster than lua-cjson.
--
--   lua bench/pick/table.lua FILE.csv

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local records, markdown = require "report.records", require "report.markdown"
local get, line, ruler = records.get, markdown.line, markdown.ruler

-- For each task its title and its entrants.
local TASKS = {
  { "fields", "fields, × lua-cjson's decode", { "pick", "pick, test = read", "fleece.lazy", "fleece.decode",
    "format_stream to nil", "yyjson (C)", "simdjson DOM (C++)", "simdjson On Demand (C++)" } },
  { "edit", "edit, × lua-cjson's decode and encode", { "edit", "edit, test = read", "pick, copy of the text",
    "fleece.decode, encode" } },
}

local function times(v) return v and (v < 9.95 and "%.2f" or "%.1f"):format(v) or "–" end

-- A row for each entrant, a column for each document that has the task; empty rows are left out.
local function ratios(run, task, title, entrants)
  local keys, head = {}, { run.title .. ", " .. title }
  for _, key in ipairs(run.keys) do
    if run.cases[key][task] then
      keys[#keys + 1], head[#head + 1] = key, run.names[key]
    end
  end
  if #keys == 0 then return "" end
  local out = { line(head), ruler(#head) }
  for _, name in ipairs(entrants) do
    local cells, some = { name }, false
    for i, key in ipairs(keys) do
      local ratio = get(run.cases[key], task, name, "ratio")
      cells[i + 1], some = times(ratio), some or ratio ~= nil
    end
    if some then out[#out + 1] = line(cells) end
  end
  return table.concat(out) .. "\n"
end

for _, run in ipairs(records.read(arg[1], "pick")) do
  for _, task in ipairs(TASKS) do io.write(ratios(run, task[1], task[2], task[3])) end
  print(("%s, layout %s, %s, commit %s\n"):format(run.facts.runtime_version, run.facts.layout, run.facts.cpu,
    run.facts.commit))
end
