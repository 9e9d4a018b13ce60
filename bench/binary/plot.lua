-- SPDX-License-Identifier: MIT
-- plot.lua -- draws a CSV of binary/run.lua with gnuplot: FILE-RUNTIME.svg, one row per document, megabytes per second.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local records = require "report.records"

-- Task, entrant, title, marker (gnuplot's point type), colour.
local MARKS = {
  { "check", "check", "check (of binary)", 7, "#1b4f72" }, { "from_json", "compact", "from_json", 5, "#2e86c1" },
  { "from_json", "compatible", "from_json, compatible", 4, "#2e86c1" }, { "to_json", "to_json", "to_json", 9, "#27ae60" },
  { "lazy", "lazy + three fields", "lazy + three fields", 11, "#8e44ad" }, { "unpack", "unpack", "unpack", 13, "#b7950b" },
  { "pack", "pack compact", "pack", 15, "#b7950b" }, { "from_json", "yyjson (C)", "yyjson (C) parse", 2, "#000000" },
  { "from_json", "fleece.decode", "fleece.decode", 6, "#e67e22" },
  { "from_json", "lua-cjson decode", "lua-cjson decode", 7, "#c0392b" },
}

local function quote(text) return '"' .. text:gsub('[\\"]', "\\%0") .. '"' end

local function script(run, svg)
  local count, blocks, plots, tics = #run.keys, {}, {}, {}
  for i, key in ipairs(run.keys) do tics[i] = ("%s %d"):format(quote(run.names[key]), count - i + 1) end
  for _, mark in ipairs(MARKS) do
    local lines = {}
    for i, key in ipairs(run.keys) do
      local rate = records.get(run.cases[key], mark[1], mark[2], "mb_s")
      if rate then lines[#lines + 1] = ("%g %g\n"):format(rate, count - i + 1) end
    end
    if #lines > 0 then
      local name = "$mark" .. #blocks
      blocks[#blocks + 1] = ("%s << END\n%sEND\n"):format(name, table.concat(lines))
      plots[#plots + 1] = ('%s using 1:2 with points pt %d ps 0.9 lw 1.4 lc rgb "%s" title "%s"'):format(name, mark[4],
        mark[5], mark[3])
    end
  end
  local f = run.facts
  return table.concat(blocks) .. ([[
set terminal svg size 940,%d font "sans-serif,12" background "#ffffff"
set output %s
set title %s font ",14"
set logscale x
set xrange [20:10000]
set bmargin 8
set xtics nomirror (20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
set xlabel "MB of JSON text (check: of binary) per second (logarithmic)"
set yrange [0.4:%g]
set ytics (%s) scale 0 noenhanced
set grid xtics ytics lc rgb "#dddddd"
set border 1
set key at graph 0.45, screen 0.012 bottom center horizontal maxcols 5 noenhanced samplen 1
plot %s
]]):format(180 + 34 * count, quote(svg), quote(("binary, %s on %s, commit %s, %s"):format(f.runtime_version, f.cpu,
    f.commit, f.date:sub(1, 10))), count + 0.6, table.concat(tics, ", "), table.concat(plots, ", \\\n  "))
end

for _, run in ipairs(records.read(arg[1])) do
  local gnuplot = io.popen("gnuplot 2>&1 || echo 'gnuplot is missing: no plots'", "w")
  gnuplot:write(script(run, arg[1]:gsub("%.csv$", "") .. "-" .. run.name .. ".svg"))
  gnuplot:close()
end
