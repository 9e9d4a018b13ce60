-- SPDX-License-Identifier: MIT
-- csv.lua -- writes and reads results: comma-separated values (RFC 4180) with a header line. There is one form for all
-- programs, so one file has the results of a day; a column that a task has no use for is empty.

local csv = {}

-- run.sh looks for the task in the second column.
local COLUMNS = { "runtime", "task", "key", "entrant", "case", "version", "elements", "numbers", "json_bytes", "bytes",
  "ns_median", "ns_q1", "ns_q3", "ns_element", "mb_s", "ratio", "ratio_q1", "ratio_q3", "base", "rounds", "calls",
  "verdict", "runtime_version", "mode", "collector", "layout", "date", "commit", "machine", "cores", "cpu", "kernel",
  "compiler" }

local function field(value)
  if value == nil then return "" end
  local text = tostring(value)
  if text:find('[",\r\n]') then text = '"' .. text:gsub('"', '""') .. '"' end
  return text
end

-- Returns one line of text; without a row, the header.
function csv.line(row)
  local fields = {}
  for i, name in ipairs(COLUMNS) do
    if row then fields[i] = field(row[name]) else fields[i] = field(name) end
  end
  return table.concat(fields, ",") .. "\n"
end

local function split(line)
  local fields, at = {}, 1
  while at <= #line + 1 do
    local text, next_at
    if line:sub(at, at) == '"' then
      local stop = at
      repeat
        stop = line:find('"', stop + 1, true)
        local doubled = line:sub(stop + 1, stop + 1) == '"'
        if doubled then stop = stop + 1 end
      until not doubled
      text, next_at = line:sub(at + 1, stop - 1):gsub('""', '"'), stop + 2
    else
      local comma = line:find(",", at, true) or #line + 1
      text, next_at = line:sub(at, comma - 1), comma + 1
    end
    fields[#fields + 1] = text
    at = next_at
  end
  return fields
end

-- Returns the rows of a file as tables by column name; numbers are text. Repeated header lines are skipped.
function csv.read(path)
  local rows, columns = {}, nil
  for line in assert(io.open(path)):lines() do
    local fields = split(line)
    if not columns then
      columns = fields
    elseif fields[1] ~= columns[1] then
      local row = {}
      for i, name in ipairs(columns) do row[name] = fields[i] end
      rows[#rows + 1] = row
    end
  end
  return rows, columns
end

return csv
