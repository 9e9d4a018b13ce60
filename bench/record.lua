-- SPDX-License-Identifier: MIT
-- record.lua -- runs the benchmarks whose tables stand in the documents, and records what they print.
--
--   lua bench/record.lua [NAME ...]      default: all of TABLES; the objects must be built
--
-- Each prints Markdown tables, a text column as key and numbers. bench/results/NAME.md gets them, with a column for each
-- Lua, and a last line that says how and where it was measured. `make figures` puts it into the page that has
-- <!-- recorded: NAME: begin -->, and check/docs compares. Others write such files, too: `make fuzz SAVE=1`, and what
-- bench/schema prints (schema-times.md, schema-instructions.md), with a line of the same form below it.
-- FLEECE_DATA: a folder with the public texts json/twitter.json, json/canada.json and json/citm_catalog.json.

local TABLES = {
  { "allocations", "lua5.1", "lua5.4", "luajit" },
  { "append", "lua5.4" },
  { "differences", "lua5.1", "lua5.4", "luajit" },
  { "jobs", "lua5.4", "luajit" },
  { "large", "lua5.4", "luajit" },
  { "options", "lua5.4" },
  { "query", "lua5.4", "luajit" },
  { "small", "lua5.4", "luajit" },
  { "states", "lua5.1", "lua5.4", "luajit" },
  { "steps", "lua5.4", "luajit" },
  { "views", "lua5.4", "luajit" },
}

local FOLDERS = { allocations = "settings/", jobs = "settings/", states = "settings/", views = "binary/" }

-- Programs that print a line "versions: ..." as well.
local function public(...) return " $FLEECE_DATA/json/" .. table.concat({ ... }, ".json $FLEECE_DATA/json/") .. ".json" end
local COMMANDS = {
  allocators = "bench/settings/run.py --only shell --rounds 5 --text" .. public("twitter", "citm_catalog"),
  ["binary-sizes"] = "lua5.4 bench/binary/forms.lua build/lua5.4 sizes"
    .. public("twitter", "citm_catalog", "canada", "apache_builds", "github_events"),
  ["haproxy-allocators"] = "bench/settings/run.py --only haproxy",
  ["haproxy-bodies"] = "bench/haproxy/bodies.py",
  ["haproxy-field"] = "bench/haproxy/run.py --only field --rounds 11",
  ["haproxy-ping"] = "bench/haproxy/run.py --only ping",
  ["haproxy-scale"] = "bench/haproxy/run.py --only scale",
  ["haproxy-serve"] = "bench/haproxy/run.py --only serve",
  jq = "bench/jq.py 30",
  ["nginx-dict"] = "bench/settings/run.py --only nginx",
  points = "luajit bench/binary/forms.lua build/luajit times" .. public "canada",
  tarantool = "tarantool bench/tarantool.lua build/luajit" .. public("twitter", "canada", "citm_catalog"),
}

package.path = "bench/?.lua;" .. package.path
local said = require("measure.compiled").said

local function cells_of(line)
  local cells = {}
  for cell in line:gmatch "|%s*([^|]-)%s*%f[|]" do cells[#cells + 1] = cell end
  return cells
end

-- The tables that a command prints, each a list of rows; the second row is the ruler. And the versions that it names.
local function tables_of(command)
  local tables, rows, versions = {}, nil, nil
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do
    if line:sub(1, 1) ~= "|" then
      rows = nil
      versions = line:match "^versions: (.*)" or versions
    else
      if not rows then
        rows = {}
        tables[#tables + 1] = rows
      end
      rows[#rows + 1] = cells_of(line)
    end
  end
  assert(pipe:close() and #tables > 0, "failed: " .. command)
  return tables, versions
end

-- Puts the columns of numbers of `more` behind those of `rows`.
local function append_columns(rows, more)
  for i, row in ipairs(more) do
    for j, cell in ipairs(row) do
      if more[2][j]:sub(-1) == ":" then
        rows[i][#rows[i] + 1] = cell
      elseif rows[i][j] ~= cell then
        error("rows differ: " .. tostring(rows[i][j]) .. ", " .. cell, 0)
      end
    end
  end
end

-- Names the columns of numbers after a Lua: "Lua 5.4, ns".
local function name_columns(rows, title)
  for j, cell in ipairs(rows[1]) do
    if rows[2][j]:sub(-1) == ":" then rows[1][j] = cell == "" and title or title .. ", " .. cell end
  end
  return rows
end

local function write(name, tables, command, versions)
  local out = assert(io.open("bench/results/" .. name .. ".md", "wb"))
  for _, rows in ipairs(tables) do
    for _, row in ipairs(rows) do out:write("| ", table.concat(row, " | "), " |\n") end
    out:write "\n"
  end
  out:write(("`%s`; %s; %s, %s; commit %s, %s.\n"):format(command, versions,
    said "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null || uname -m", said "nproc" .. " cores",
    said "git rev-parse --short=8 HEAD", said "date -u +%Y-%m-%d"))
  out:close()
  print("bench/results/" .. name .. ".md")
end

local function record(name, runtimes)
  local script = ("bench/%s%s.lua"):format(FOLDERS[name] or "", name)
  local all, versions = nil, {}
  for i, runtime in ipairs(runtimes) do
    local lua = said("tools/where.sh lua " .. runtime)
    local title = runtime == "luajit" and "LuaJIT" or "Lua " .. runtime:sub(4)
    versions[i] = said(lua .. " -v 2>&1"):match "^%S+ [%w.%-]+"
    local tables = tables_of(("%s %s build/%s"):format(lua, script, runtime))
    for k, rows in ipairs(tables) do
      if #runtimes > 1 then name_columns(rows, title) end
      if i > 1 then append_columns(all[k], rows) end
    end
    all = all or tables
  end
  write(name, all, ("lua5.4 %s build/lua5.4"):format(script), table.concat(versions, ", "))
end

local only = {}
for _, name in ipairs(arg) do only[name] = true end
for _, it in ipairs(TABLES) do
  local name = table.remove(it, 1)
  if not arg[1] or only[name] then record(name, it) end
end
for name, command in pairs(COMMANDS) do
  if not arg[1] or only[name] then
    local tables, versions = tables_of(command)
    write(name, tables, command, versions)
  end
end
