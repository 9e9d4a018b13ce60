-- SPDX-License-Identifier: MIT
-- record.lua -- runs the benchmarks whose tables stand in the documents, and records what they print.
--
--   lua bench/record.lua [NAME ...]      default: all of TABLES; the objects must be built
--
-- Each prints a Markdown table, a text column as key and numbers. bench/results/NAME.md gets it, with a column for each
-- Lua, and a last line that says how and where it was measured. `make figures` puts it into the page that has
-- <!-- recorded: NAME: begin -->, and check/docs compares. Others write such files, too: `make fuzz SAVE=1`, and what
-- bench/schema prints (schema-times.md, schema-instructions.md), with a line of the same form below it.

local TABLES = {
  { "append", "lua5.4" },
  { "differences", "lua5.1", "lua5.4", "luajit" },
  { "jobs", "lua5.4", "luajit" },
  { "large", "lua5.4", "luajit" },
  { "options", "lua5.4" },
  { "query", "lua5.4", "luajit" },
  { "small", "lua5.4", "luajit" },
}

-- The first line that a command prints.
local function said(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read "*l"
  pipe:close()
  return line or error("nothing was printed by " .. command, 0)
end

local function cells_of(line)
  local cells = {}
  for cell in line:gmatch "|%s*([^|]-)%s*%f[|]" do cells[#cells + 1] = cell end
  return cells
end

-- The tables that a command prints, each a list of rows; the second row is the ruler.
local function tables_of(command)
  local tables, rows = {}, nil
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do
    if line:sub(1, 1) ~= "|" then
      rows = nil
    else
      if not rows then
        rows = {}
        tables[#tables + 1] = rows
      end
      rows[#rows + 1] = cells_of(line)
    end
  end
  assert(pipe:close() and #tables > 0, "failed: " .. command)
  return tables
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

local function record(name, runtimes)
  local script = name == "jobs" and "bench/settings/jobs.lua" or "bench/" .. name .. ".lua"
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
  local out = assert(io.open("bench/results/" .. name .. ".md", "wb"))
  for _, rows in ipairs(all) do
    for _, row in ipairs(rows) do out:write("| ", table.concat(row, " | "), " |\n") end
    out:write "\n"
  end
  out:write(("`lua5.4 %s build/lua5.4`; %s; %s, %s; commit %s, %s.\n"):format(script, table.concat(versions, ", "),
    said "sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null || uname -m", said "nproc" .. " cores",
    said "git rev-parse --short=8 HEAD", said "date -u +%Y-%m-%d"))
  out:close()
  print("bench/results/" .. name .. ".md")
end

local only = {}
for _, name in ipairs(arg) do only[name] = true end
for _, it in ipairs(TABLES) do
  local name = table.remove(it, 1)
  if not arg[1] or only[name] then record(name, it) end
end
