-- SPDX-License-Identifier: MIT
-- table.lua -- writes the results of the binary format as Markdown.
--
--   lua bench/binary/table.lua FILE.csv              to standard output
--   lua bench/binary/table.lua FILE.csv docs/about/benchmarks.md    between the marker lines of that file

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../?.lua;" .. package.path
local records, markdown = require "report.records", require "report.markdown"
local get, line, ruler = records.get, markdown.line, markdown.ruler

local BEGIN, END = "<!-- binary benchmark: begin -->", "<!-- binary benchmark: end -->"
local SHOWN = "lua5.4" -- the runtime of tables that have room for only one

local function number(v, form) return v and (form or "%.0f"):format(v) or "–" end

local function times(v) return v and (v < 9.95 and "%.1f×" or "%.0f×"):format(v) or "–" end

local function rates(run)
  local head = { run.title, "JSON, bytes", "compact", "compatible", "from_json, MB/s", "compatible, MB/s", "yyjson, MB/s",
                 "lua-cjson, MB/s", "check, GB/s", "to_json, MB/s" }
  local out = { line(head), ruler(#head) }
  for _, key in ipairs(run.keys) do
    local c = run.cases[key]
    local check = get(c, "check", "check", "mb_s")
    out[#out + 1] = line { run.names[key], number(get(c, "size", "compact", "json_bytes")),
      number(records.percent(c, "compact"), "%.1f %%"), number(records.percent(c, "compatible"), "%.1f %%"),
      number(get(c, "from_json", "compact", "mb_s")), number(get(c, "from_json", "compatible", "mb_s")),
      number(get(c, "from_json", "yyjson (C)", "mb_s")), number(get(c, "from_json", "lua-cjson decode", "mb_s")),
      number(check and check / 1000, "%.1f"), number(get(c, "to_json", "to_json", "mb_s")) }
  end
  return table.concat(out) .. "\n"
end

-- One column for each interpreter and ratio; empty columns are left out.
local COLUMNS = {
  { "lazy + 3 fields", "lazy", "lazy + three fields" }, { "unpack", "unpack", "unpack" }, { "pack", "pack", "pack compact" },
}

local function ratios(list, shown)
  local columns, head = {}, { "times faster than" }
  for _, column in ipairs(COLUMNS) do
    if shown.cases[shown.keys[1]][column[2]] then
      for _, run in ipairs(list) do
        columns[#columns + 1] = { run, column }
        local base = get(shown.cases[shown.keys[1]], column[2], column[3], "base")
        head[#head + 1] = ("%s, %s (%s)"):format(column[1], run.title, base)
      end
    end
  end
  local out = { line(head), ruler(#head) }
  for _, key in ipairs(shown.keys) do
    local cells = { shown.names[key] }
    for _, c in ipairs(columns) do
      cells[#cells + 1] = times(get(c[1].cases[key] or {}, c[2][2], c[2][3], "ratio"))
    end
    out[#out + 1] = line(cells)
  end
  return table.concat(out) .. "\n"
end

local LOOK_UPS = { "C", "path(view)", "doc.root[123].name", "view:get(123, 'name')", "view:pointer('/122/name')" }

local function look_ups(list, shown)
  local head = { "ns" }
  for _, run in ipairs(list) do head[#head + 1] = run.title end
  local out = { line(head), ruler(#head) }
  local function row(title, task, name)
    local cells = { title }
    for _, run in ipairs(list) do
      local v = get(run.cases.people or {}, task, name, "ns_median")
      cells[#cells + 1] = number(v, v and v < 99.95 and "%.1f" or "%.0f")
    end
    out[#out + 1] = line(cells)
  end
  if not shown.cases.people then return "" end
  for _, name in ipairs(LOOK_UPS) do row(name == "C" and "in C, `read.h`" or ("`%s`"):format(name), "look_up", name) end
  row("`cjson.decode(text)[123].name`", "look_up", "lua-cjson decode")
  row("`fleece.open(bytes, {trusted = true})`", "check", "open, trusted")
  return table.concat(out) .. "\n"
end

local function source(list)
  local f, versions = list[1].facts, {}
  for i, run in ipairs(list) do versions[i] = run.facts.runtime_version end
  local c = list[1].cases[list[1].keys[1]]
  return ("%s, %s, %s; commit %s, %s; %s; lua-cjson %s, yyjson %s.\n"):format(f.cpu, f.kernel, f.compiler:gsub("^cc ", "gcc "),
    f.commit, f.date:sub(1, 10), table.concat(versions, ", "), get(c, "from_json", "lua-cjson decode", "version") or "?",
    get(c, "from_json", "yyjson (C)", "version") or "?")
end

local list = records.read(arg[1], "binary")
local shown = list[1]
for _, run in ipairs(list) do if run.name == SHOWN then shown = run end end
local text = rates(shown) .. ratios(list, shown) .. "The name of the 123rd of the 1000 people:\n\n" ..
  look_ups(list, shown) .. source(list)
if arg[2] then markdown.replace(arg[2], BEGIN, END, text) else io.write(text) end
