-- SPDX-License-Identifier: MIT
-- rivals.lua -- how many times faster than each rival Fleece is, over all workloads, as Markdown.
--
--   lua bench/rivals.lua FILE.csv [docs/rivals.md]    to standard output, or between the marker lines of that file
--
-- A cell is the geometric mean, over the workloads that both did, of the rival's time per element divided by ours.

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/?.lua;" .. package.path
local results, markdown = require "results", require "markdown"

local RIVALS = { "lua-yyjson", "lua-simdjson", "lua-resty-simdjson", "lua-rapidjson", "openresty cjson", "lua-cjson",
                 "lua-yajl", "lunajson", "rxi json", "dkjson", "LuaJSON", "JSON4Lua", "fleece-lite", "yyjson (C)" }
local RUNTIMES = { "lua5.1", "lua5.4", "luajit" }

local function mean(run, rival)
  local sum, n = 0, 0
  for _, key in ipairs(run.keys) do
    local theirs, ours = run.cases[key][rival], run.cases[key].fleece
    if theirs and theirs.ns_median and ours and ours.ns_median then
      sum, n = sum + math.log(theirs.ns_median / ours.ns_median), n + 1
    end
  end
  if n == 0 then return "–" end
  local v = math.exp(sum / n)
  return ("%." .. (v < 9.95 and 1 or 0) .. "f%s"):format(v, n < #run.keys and (" (%d of %d)"):format(n, #run.keys) or "")
end

local path, columns = arg[1], {}
local head = { "times faster than" }
for _, direction in ipairs { "encode", "decode" } do
  for _, runtime in ipairs(RUNTIMES) do
    for _, run in ipairs(results.read(path, direction)) do
      if run.name == runtime then
        columns[#columns + 1] = run
        head[#head + 1] = direction .. ", " .. run.title
      end
    end
  end
end
local out = { markdown.line(head), markdown.ruler(#head) }
for _, rival in ipairs(RIVALS) do
  local cells = { rival }
  for _, run in ipairs(columns) do cells[#cells + 1] = mean(run, rival) end
  out[#out + 1] = markdown.line(cells)
end
local text = table.concat(out)
if arg[2] then markdown.replace(arg[2], "<!-- rivals: begin -->", "<!-- rivals: end -->", text) else io.write(text) end
