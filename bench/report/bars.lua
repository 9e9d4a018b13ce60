-- SPDX-License-Identifier: MIT
-- bars.lua -- pictures of how many times as fast as lua-cjson Fleece is, and others. Plain SVG that fits a phone.
--
--   lua bench/report/bars.lua FILE.csv >docs/about/speed.svg   the picture of README.md: geometric means
--                                                over all workloads on Lua 5.4, of Fleece and the fastest libraries
--   lua bench/report/bars.lua FILE.csv RUNTIME   each workload: Fleece, the best other; for the site (site/hooks.py)

local here = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = here .. "/../?.lua;" .. package.path
local results = require "report.results"

local SHOWN = 5 -- libraries, with Fleece and lua-cjson
local WIDTH, LEFT, RIGHT, ROW, BAR = 480, 116, 56, 26, 18 -- pixels
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

local function bar(y, height, length, colour)
  return ('<rect x="%d" y="%g" width="%.1f" height="%g" rx="2" fill="%s"/>\n'):format(LEFT, y, length, height, colour)
end

local function times(v) return (v < 9.95 and v ~= 1 and "%.1f×" or "%.0f×"):format(v) end

-- Both return the place of the next panel.
local function means(run, title, top, out)
  local list = ranking(run)
  local scale = (WIDTH - LEFT - RIGHT) / list[1].mean
  out[#out + 1] = text(12, top, 15, TEXT, title, ' font-weight="bold"')
  for i, it in ipairs(list) do
    local y, long = top + 12 + (i - 1) * ROW, it.mean * scale
    local ours = it.name == "fleece"
    local weight = ours and ' font-weight="bold"' or ""
    out[#out + 1] = text(LEFT - 8, y + 14, 14, TEXT, ours and "Fleece" or it.name, ' text-anchor="end"' .. weight)
    out[#out + 1] = bar(y, BAR, long, ours and OURS or GREY)
    out[#out + 1] = text(("%.1f"):format(LEFT + long + 6) + 0, y + 14, 14, TEXT, times(it.mean), weight)
  end
  return top + 12 + #list * ROW + 30
end

local function workloads(run, title, top, out)
  local most = 0
  for _, key in ipairs(run.keys) do most = math.max(most, run.cases[key].fleece.ratio) end
  local scale = (WIDTH - LEFT - RIGHT) / most
  out[#out + 1] = text(12, top, 15, TEXT, title, ' font-weight="bold"')
  for i, key in ipairs(run.keys) do
    local y, ours, other = top + 14 + (i - 1) * 32, run.cases[key].fleece.ratio, results.best_other(run.cases[key])
    out[#out + 1] = text(LEFT - 8, y + 17, 12.5, TEXT, run.names[key], ' text-anchor="end"')
    out[#out + 1] = bar(y, 13, ours * scale, OURS)
    out[#out + 1] = text(("%.1f"):format(LEFT + ours * scale + 6) + 0, y + 11.5, 13, TEXT, times(ours), ' font-weight="bold"')
    if other and other.ratio then
      out[#out + 1] = bar(y + 14, 10, other.ratio * scale, GREY)
      out[#out + 1] = text(("%.1f"):format(LEFT + other.ratio * scale + 6) + 0, y + 23.5, 11, FAINT,
        times(other.ratio) .. " " .. other.entrant)
    end
  end
  return top + 14 + #run.keys * 32 + 30
end

local runtime, panel, runs = arg[2] or "lua5.4", arg[2] and workloads or means, {}
if arg[2] then LEFT = 132 end
for _, direction in ipairs { "encode", "decode" } do
  for _, run in ipairs(results.read(arg[1], direction)) do
    if run.name == runtime then runs[direction] = run end
  end
end
local facts, out = runs.encode.facts, {}
local y = panel(runs.encode, ("Lua to JSON, %d workloads"):format(#runs.encode.keys), 28, out)
y = panel(runs.decode, ("JSON to Lua, %d workloads"):format(#runs.decode.keys), y, out)
out[#out + 1] = text(12, y - 8, 12, FAINT, ("Times as fast as lua-cjson %s%s. Longer is better."):format(
  runs.encode.cases[runs.encode.keys[1]]["lua-cjson"].version, arg[2] and "; grey: the best other library" or ", geometric mean"))
y = y + 16
out[#out + 1] = text(12, y - 8, 12, FAINT, ("%s, %s, %s; make bench repeats it."):format(facts.runtime_version, facts.cpu,
  facts.date:sub(1, 10)))
io.write(('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" ' ..
  'font-family="sans-serif" role="img">\n'):format(WIDTH, y + 4, WIDTH, y + 4),
  '<title>How many times as fast as lua-cjson</title>\n',
  ('<rect width="%d" height="%d" rx="6" fill="#ffffff"/>\n'):format(WIDTH, y + 4), table.concat(out), "</svg>\n")
