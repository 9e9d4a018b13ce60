-- SPDX-License-Identifier: MIT
-- rivals.lua -- Markdown tables over all workloads: how many times faster Fleece is than each rival, and a drop-in
-- module than its original.
--
--   lua bench/report/rivals.lua FILE.csv                   both tables, to standard output
--   lua bench/report/rivals.lua FILE.csv docs/rivals.md    the first, between the marker lines of that file
--
-- A cell is the geometric mean, over the workloads that both completed, of the rival's time per element divided by
-- Fleece's.

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../?.lua;" .. package.path
local results, markdown = require "report.results", require "report.markdown"

local RIVALS = { "lua-yyjson", "lua-simdjson", "lua-resty-simdjson", "lua-rapidjson", "openresty cjson", "lua-cjson",
                 "lua-yajl", "lunajson", "rxi json", "dkjson", "LuaJSON", "JSON4Lua", "fleece-lite", "yyjson (C)" }
local RUNTIMES = { "lua5.1", "lua5.4", "luajit" }

-- One cell, with the number of workloads if some are missing.
local function mean(run, ours, theirs)
  local v, _, _, n = results.mean(run, function(c) return results.times(c[ours], c[theirs]) end)
  if not v then return "–" end
  return ("%." .. (v < 9.95 and 1 or 0) .. "f%s"):format(v, n < #run.keys and (" (%d of %d)"):format(n, #run.keys) or "")
end

local path, columns = arg[1], {}
for _, direction in ipairs { "encode", "decode" } do
  for _, runtime in ipairs(RUNTIMES) do
    for _, run in ipairs(results.read(path, direction)) do
      if run.name == runtime then
        columns[#columns + 1] = { run = run, title = direction .. ", " .. run.title }
      end
    end
  end
end

-- rows: { text of the first cell, Fleece's entrant, the other }. A rival without any result has no line.
local function tabulate(title, rows)
  local head = { title }
  for _, column in ipairs(columns) do head[#head + 1] = column.title end
  local out = { markdown.line(head), markdown.ruler(#head) }
  for _, row in ipairs(rows) do
    local cells, measured = { row[1] }, false
    for _, column in ipairs(columns) do
      cells[#cells + 1] = mean(column.run, row[2], row[3])
      measured = measured or cells[#cells] ~= "–"
    end
    out[#out + 1] = measured and markdown.line(cells) or nil
  end
  return table.concat(out)
end

local rows = {}
for i, rival in ipairs(RIVALS) do rows[i] = { rival, "fleece", rival } end
local text = tabulate("times faster than", rows)
if arg[2] then return markdown.replace(arg[2], "<!-- rivals: begin -->", "<!-- rivals: end -->", text) end
rows = {}
for i, it in ipairs(results.STAND_INS) do rows[i] = { ("`%s`"):format(it.name:gsub(" as (.*)", function(name)
  return "." .. name:lower() end)), it.name, it.of } end
io.write(text, "\n", tabulate("times faster than its original", rows))
