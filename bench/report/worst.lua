-- SPDX-License-Identifier: MIT
-- worst.lua -- the mean of each function, and the three workloads on which it does worst: times faster than lua-cjson
-- and lua-rapidjson.
--
--   lua bench/report/worst.lua FILE.csv                            as Markdown, to standard output
--   lua bench/report/worst.lua FILE.csv docs/about/benchmarks.md   the same, between the marker lines of that file
--   lua bench/report/worst.lua FILE.csv README.md lua5.4           of one interpreter

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../?.lua;" .. package.path
local results, records, markdown = require "report.results", require "report.records", require "report.markdown"

local SHOWN = 3
local path, page, runtime = arg[1], arg[2], arg[3]

local function ratios(c) return c.fleece and c.fleece.ratio, results.times(c.fleece, c["lua-rapidjson"]) end

-- Functions: title, task, and what returns the ratios to both rivals.
local FUNCTIONS = {
  { "encode", "encode", ratios },
  { "decode", "decode", ratios },
  { "pick", "pick", function(c) return records.get(c, "fields", "pick", "ratio") end },
  { "edit", "pick", function(c) return records.get(c, "edit", "edit", "ratio") end },
}

local function ratio(v) return (v < 9.95 and "%.1f×" or "%.0f×"):format(v) end

-- The mean and the least three as two cells; which: 1 or 2, of the values that `values` returns.
local function cells(run, values, which)
  local function value(case) return (select(which, values(case))) end
  local list, mean = {}, results.mean(run, value)
  if not mean then return "–", "–" end
  for _, key in ipairs(run.keys) do
    local v = value(run.cases[key])
    if v then list[#list + 1] = { v, run.names[key] } end
  end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  local least = {}
  for i = 1, math.min(SHOWN, #list) do least[i] = markdown.code(list[i][2]) .. " " .. ratio(list[i][1]) end
  return "**" .. ratio(mean) .. "**", table.concat(least, ", ")
end

local out = { markdown.line { "", "× lua-cjson, mean", "least", "× lua-rapidjson, mean", "least" },
              "|---|--:|---|--:|---|\n" }
for _, it in ipairs(FUNCTIONS) do
  local title, task, values = it[1], it[2], it[3]
  for _, run in ipairs(task == "pick" and records.read(path, task) or results.read(path, task)) do
    if not runtime or run.name == runtime then
      local mean, least = cells(run, values, 1)
      local other, least_of_other = cells(run, values, 2)
      if mean ~= "–" then
        out[#out + 1] = markdown.line { ("`%s`, %s"):format(title, run.title), mean, least, other, least_of_other }
      end
    end
  end
end
local text = table.concat(out)
if page then markdown.replace(page, "<!-- worst: begin -->", "<!-- worst: end -->", text) else io.write(text) end
