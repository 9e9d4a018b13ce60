-- SPDX-License-Identifier: MIT
-- plot.lua -- draws a CSV with gnuplot: FILE-RUNTIME.svg (encoding) and FILE-RUNTIME-decode.svg, in the folder of the
-- CSV, one row per workload, lua-cjson = 1.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local results = require "report.results"

-- In the order of the legend: rival, marker (gnuplot's point type), colour. The bars are Fleece.
local MARKS = {
  { "yyjson (C)", 2, "#000000" }, { "floor", 1, "#000000" }, { "fleece api", 4, "#154360" },
  { "fleece as cjson", 8, "#154360" },
  { "fleece-lite", 9, "#1f618d" }, { "lua-rapidjson", 7, "#c0392b" }, { "lua-simdjson", 7, "#e67e22" },
  { "lua-yyjson", 7, "#27ae60" }, { "openresty cjson", 7, "#8e44ad" }, { "lua-yajl", 7, "#b7950b" },
  { "lua-resty-simdjson", 7, "#7f8c8d" }, { "lunajson", 6, "#c0392b" }, { "rxi json", 6, "#e67e22" },
  { "dkjson", 6, "#27ae60" }, { "JSON4Lua", 6, "#8e44ad" }, { "LuaJSON", 6, "#b7950b" },
}

local function quote(text) return '"' .. text:gsub('[\\"]', "\\%0") .. '"' end

-- A data block: one line per workload with a result of `rival`, the first workload at the top.
local function block(run, rival)
  local lines, count = {}, #run.keys
  for i, key in ipairs(run.keys) do
    local row = run.cases[key][rival]
    if row and row.ratio then lines[#lines + 1] = ("%g %g"):format(row.ratio, count - i + 1) end
  end
  return #lines > 0 and table.concat(lines, "\n") .. "\n" or nil
end

local function script(run, svg)
  local count, blocks, plots, tics = #run.keys, {}, {}, {}
  for i, key in ipairs(run.keys) do tics[i] = ("%s %d"):format(quote(run.names[key]), count - i + 1) end
  local function add(rival, style)
    local data = block(run, rival)
    if not data then return end
    local name = "$rival" .. #blocks
    blocks[#blocks + 1] = ("%s << END\n%sEND\n"):format(name, data)
    plots[#plots + 1] = style:gsub("DATA", name)
  end
  add("fleece", [[DATA using (sqrt($1)):2:(1):1:($2-0.36):($2+0.36) with boxxyerror lc rgb "#aed6f1" ]] ..
    [[fs solid 1.0 noborder title "fleece"]])
  -- Fleece's numbers stand in the right margin, where no mark can cover them.
  local numbers = {}
  for i, key in ipairs(run.keys) do
    local ours = run.cases[key].fleece
    if ours and ours.ratio then
      numbers[#numbers + 1] = ('"%s" %d'):format((ours.ratio < 9.95 and "%.1f" or "%.0f"):format(ours.ratio), count - i + 1)
    end
  end
  for _, mark in ipairs(MARKS) do
    add(mark[1], ('DATA using 1:2 with points pt %d ps 0.75 lw 1.4 lc rgb "%s" title "%s"')
      :format(mark[2], mark[3], mark[1]))
  end
  local f, first = run.facts, run.cases[run.keys[1]]["lua-cjson"] or {}
  local scale = {}
  for i, n in ipairs { 50, 20, 10, 5, 2 } do scale[i] = ('"1/%d" 1./%d'):format(n, n) end
  for i, n in ipairs { 1, 2, 5, 10, 20, 50, 100, 200 } do scale[5 + i] = n end
  return table.concat(blocks) .. ([[
set terminal svg size 940,%d font "sans-serif,12" background "#ffffff"
set output %s
set title %s font ",14"
set logscale x
set xrange [0.02:200]
set bmargin 9
set xtics nomirror (%s)
set xlabel "times faster than lua-cjson %s in the same process (logarithmic)"
set yrange [0.4:%g]
set y2range [0.4:%g]
set ytics (%s) scale 0 noenhanced
set y2tics (%s) scale 0 noenhanced textcolor rgb "#1b4f72"
set grid xtics lc rgb "#dddddd"
set border 1
set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb "#666666" lw 1.2 back
set key at graph 0.45, screen 0.012 bottom center horizontal maxcols 5 noenhanced samplen 1
plot %s
]]):format(165 + 27 * count, quote(svg), quote(("%s, %s on %s, commit %s, %s"):format(f.direction or "encode",
    f.runtime_version, f.cpu, f.commit, f.date:sub(1, 10))), table.concat(scale, ", "), first.version or "",
    count + 0.6, count + 0.6, table.concat(tics, ", "), table.concat(numbers, ", "), table.concat(plots, ", \\\n  "))
end

local function draw(direction, ending)
  for _, run in ipairs(results.read(arg[1], direction)) do
    local gnuplot = io.popen("gnuplot 2>&1 || echo 'gnuplot is missing: no plots'", "w")
    gnuplot:write(script(run, arg[1]:gsub("%.csv$", "") .. "-" .. run.name .. ending))
    gnuplot:close()
  end
end

draw("encode", ".svg")
draw("decode", "-decode.svg")
