-- SPDX-License-Identifier: MIT
-- markdown.lua -- lines of tables, and replacing the text between two marker lines of a file.

local markdown = {}

function markdown.line(cells) return "| " .. table.concat(cells, " | ") .. " |\n" end

function markdown.ruler(count) return "|---" .. ("|--:"):rep(count - 1) .. "|\n" end

-- A workload's name; what looks like code is written as code.
function markdown.code(name) return name:find "[][={\\]" and "`" .. name .. "`" or name end

function markdown.replace(path, first, last, text)
  local f = assert(io.open(path, "rb"))
  local old = f:read("*a")
  f:close()
  local _, from = old:find(first, 1, true)
  local to = from and old:find(last, from, true)
  if not to then error(path .. " lacks the marker lines " .. first .. " and " .. last, 0) end
  f = assert(io.open(path, "wb"))
  f:write(old:sub(1, from), "\n", text, old:sub(to))
  f:close()
end

return markdown
