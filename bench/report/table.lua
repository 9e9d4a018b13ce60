-- SPDX-License-Identifier: MIT
-- table.lua -- writes results as Markdown.
--
--   lua bench/report/table.lua FILE.csv             the short tables, to standard output
--   lua bench/report/table.lua FILE.csv docs/about/benchmarks.md   the same, between the two marker lines of that file
--   lua bench/report/table.lua --full FILE.csv      for each direction one table per interpreter with every rival

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local results, markdown = require "report.results", require "report.markdown"
local line, ruler, code = markdown.line, markdown.ruler, markdown.code

local BEGIN, END = "<!-- benchmark: begin -->", "<!-- benchmark: end -->"
local RIVALS_OF = "lua5.4" -- the short table shows the rivals of this runtime

local function ns(row)
  local v = row and row.ns_element
  if not v then return "–" end
  return (v < 99.95 and "%.1f" or "%.0f"):format(v)
end

local function ratio(v) return (v < 9.95 and "%.1f×" or "%.0f×"):format(v) end

local function ours(row)
  if not (row and row.ns_element) then return "–" end
  return row.ratio and ("%s (%s)"):format(ns(row), ratio(row.ratio)) or ns(row)
end

-- The line that describes the machine, commit and versions; `list` has the runs of both directions.
local function source(list)
  local f = list[1].facts
  local versions, rivals, seen = {}, {}, {}
  for _, run in ipairs(list) do
    local version = run.facts.runtime_version
    if not seen[version] then versions[#versions + 1], seen[version] = version, true end
    for _, case in pairs(run.cases) do
      for _, name in ipairs(run.rivals) do
        local row = case[name]
        if row and row.version ~= "" and not seen[name] and not name:match("^fleece a") then
          seen[name] = true
          rivals[#rivals + 1] = name .. " " .. row.version
        end
      end
    end
  end
  table.sort(rivals)
  return ("%s, %s, %s; commit %s, %s; %s. %s. Collector %s, samples of whole cycles of it.\n"):format(f.cpu,
    f.kernel, f.compiler:gsub("^cc ", "gcc "), f.commit, f.date:sub(1, 10), table.concat(versions, ", "),
    table.concat(rivals, ", "), f.collector)
end

local function short(direction, list)
  if #list == 0 then return "" end
  local reference, with_floor = list[1], direction == "decode"
  for _, run in ipairs(list) do if run.name == RIVALS_OF then reference = run end end
  local head = { direction .. ", ns per element" }
  for _, run in ipairs(list) do head[#head + 1] = "fleece, " .. run.title end
  head[#head + 1] = "lua-cjson, " .. reference.title
  head[#head + 1] = "best other, " .. reference.title
  head[#head + 1] = with_floor and "floor, " .. reference.title or nil
  head[#head + 1] = "yyjson in C"
  local out = { line(head), ruler(#head) }
  for _, key in ipairs(reference.keys) do
    local cells = { code(reference.names[key]) }
    for _, run in ipairs(list) do cells[#cells + 1] = ours((run.cases[key] or {}).fleece) end
    local case = reference.cases[key]
    local other = results.best_other(case)
    cells[#cells + 1] = ns(case["lua-cjson"])
    cells[#cells + 1] = other and ("%s (%s)"):format(ns(other), other.entrant) or "–"
    cells[#cells + 1] = with_floor and ns(case.floor) or nil
    cells[#cells + 1] = ns(case["yyjson (C)"])
    out[#out + 1] = line(cells)
  end
  local cells = { "geometric mean" }
  for _, run in ipairs(list) do
    local mean = results.mean(run, function(c) return c.fleece and c.fleece.ratio end)
    cells[#cells + 1] = mean and ("**%s**"):format(ratio(mean)) or "–"
  end
  cells[#cells + 1] = "1×"
  while #cells < #head do cells[#cells + 1] = "" end
  out[#out + 1] = line(cells)
  return table.concat(out) .. "\n"
end

local function full(direction, list)
  local out = {}
  for _, run in ipairs(list) do
    out[#out + 1] = ("### %s, %s (%s)\n\n"):format(direction, run.title, run.facts.runtime_version)
    local head = { "times faster than lua-cjson" }
    for _, name in ipairs(run.rivals) do if name ~= "lua-cjson" then head[#head + 1] = name end end
    out[#out + 1] = line(head) .. ruler(#head)
    for _, key in ipairs(run.keys) do
      local cells = { code(run.names[key]) }
      for i = 2, #head do
        local row = run.cases[key][head[i]]
        local v = row and row.ratio
        local mark = row and row.verdict ~= "exact" and row.verdict ~= "unchecked" and "*" or ""
        cells[i] = v and ("%." .. (v < 0.995 and 2 or v < 9.95 and 1 or 0) .. "f%s"):format(v, mark) or "–"
      end
      out[#out + 1] = line(cells)
    end
    out[#out + 1] = "\n"
  end
  return table.concat(out)
end

-- The tables of both directions, and the notes.
local function tables(path, make, note)
  local out, all = {}, {}
  for _, direction in ipairs { "encode", "decode" } do
    local list = results.read(path, direction)
    out[#out + 1] = make(direction, list)
    for _, run in ipairs(list) do all[#all + 1] = run end
  end
  return table.concat(out) .. note .. source(all)
end

if arg[1] == "--full" then
  io.write(tables(arg[2], full, "`*`: not the same values (rounded numbers, missing escapes, no null).\n\n"))
else
  local text = tables(arg[1], short, "In brackets: times faster than lua-cjson in the same process. ")
  if arg[2] then markdown.replace(arg[2], BEGIN, END, text) else io.write(text) end
end
