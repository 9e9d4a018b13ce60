-- SPDX-License-Identifier: MIT
-- rivals.lua -- how many times faster than each rival Fleece is, over all workloads, as Markdown; and how many times
-- faster than an original what stands in for it.
--
--   lua bench/report/rivals.lua FILE.csv                   both tables, to standard output
--   lua bench/report/rivals.lua FILE.csv docs/rivals.md    the first, between the marker lines of that file
--
-- A cell is the geometric mean, over the workloads that both did, of the rival's time per element divided by ours.

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../?.lua;" .. package.path
local results, markdown = require "report.results", require "report.markdown"

local RIVALS = { "lua-yyjson", "lua-simdjson", "lua-resty-simdjson", "lua-rapidjson", "openresty cjson", "lua-cjson",
                 "lua-yajl", "lunajson", "rxi json", "dkjson", "LuaJSON", "JSON4Lua", "fleece-lite", "yyjson (C)" }
local RUNTIMES = { "lua5.1", "lua5.4", "luajit" }

-- Over the workloads that both did; how many those are, if not all.
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

-- rows: { what the first cell says, our entrant, the other }. Who was not measured at all has no line.
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
