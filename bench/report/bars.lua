-- SPDX-License-Identifier: MIT
-- bars.lua -- the picture of README.md: how many times as fast as lua-cjson Fleece and the fastest other libraries are,
-- geometric means over the workloads of a CSV. Plain SVG, small enough for a phone.
--
--   lua bench/report/bars.lua FILE.csv [RUNTIME] >docs/about/speed.svg      default: lua5.4

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../?.lua;" .. package.path
local results = require "report.results"

local SHOWN = 5 -- libraries, with Fleece and lua-cjson
local WIDTH, LEFT, RIGHT, ROW, BAR = 480, 116, 56, 26, 18
local GREY, OURS, TEXT, FAINT = "#b0bec5", "#00796b", "#263238", "#607d8b"

local function text(x, y, size, colour, words, more)
  return ('<text x="%g" y="%g" font-size="%g" fill="%s"%s>%s</text>\n'):format(x, y, size, colour, more or "",
    (words:gsub("&", "&amp;"):gsub("<", "&lt;")))
end

-- The libraries with results for every workload, the fastest first; lua-cjson, the unit, is always among them.
local function ranking(run)
  local list = {}
  for _, name in ipairs(run.rivals) do
    local mean, _, _, count = results.mean(run, function(c) return c[name] and c[name].ratio end)
    local counts = name == "fleece" or name == "lua-cjson" or not results.APART[name]
    if mean and count == #run.keys and counts then list[#list + 1] = { name = name, mean = mean } end
  end
  table.sort(list, function(a, b) return a.mean > b.mean end)
  local shown = {}
  for _, it in ipairs(list) do
    if #shown < SHOWN - 1 and it.name ~= "lua-cjson" then shown[#shown + 1] = it end
  end
  shown[#shown + 1] = { name = "lua-cjson", mean = 1 }
  return shown
end

local function panel(run, title, top, out)
  local list = ranking(run)
  local scale = (WIDTH - LEFT - RIGHT) / list[1].mean
  out[#out + 1] = text(12, top, 15, TEXT, title, ' font-weight="bold"')
  for i, it in ipairs(list) do
    local y, long = top + 12 + (i - 1) * ROW, it.mean * scale
    local ours = it.name == "fleece"
    out[#out + 1] = text(LEFT - 8, y + 14, 14, TEXT, ours and "Fleece" or it.name, ' text-anchor="end"' ..
      (ours and ' font-weight="bold"' or ""))
    out[#out + 1] = ('<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>\n'):format(LEFT, y, long, BAR,
      ours and OURS or GREY)
    out[#out + 1] = text(("%.1f"):format(LEFT + long + 6) + 0, y + 14, 14, TEXT,
      (it.mean < 9.95 and it.mean ~= 1 and "%.1f×" or "%.0f×"):format(it.mean), ours and ' font-weight="bold"' or "")
  end
  return top + 12 + #list * ROW + 30
end

local runtime, runs = arg[2] or "lua5.4", {}
for _, direction in ipairs { "encode", "decode" } do
  for _, run in ipairs(results.read(arg[1], direction)) do
    if run.name == runtime then runs[direction] = run end
  end
end
local facts, out = runs.encode.facts, {}
local y = panel(runs.encode, ("Lua to JSON, %d workloads"):format(#runs.encode.keys), 28, out)
y = panel(runs.decode, ("JSON to Lua, %d workloads"):format(#runs.decode.keys), y, out)
out[#out + 1] = text(12, y - 8, 12, FAINT, ("Times as fast as lua-cjson %s, geometric mean; longer is better."):format(
  runs.encode.cases[runs.encode.keys[1]]["lua-cjson"].version))
y = y + 16
out[#out + 1] = text(12, y - 8, 12, FAINT, ("%s, %s, %s; make bench repeats it."):format(facts.runtime_version, facts.cpu,
  facts.date:sub(1, 10)))
io.write(('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" ' ..
  'font-family="sans-serif" role="img">\n'):format(WIDTH, y + 4, WIDTH, y + 4),
  '<title>How many times as fast as lua-cjson</title>\n',
  ('<rect width="%d" height="%d" rx="6" fill="#ffffff"/>\n'):format(WIDTH, y + 4), table.concat(out), "</svg>\n")
