-- SPDX-License-Identifier: MIT
-- edit_model.lua -- fleece.edit as a slow, simple model: the whole text as a tree of strings, for strict JSON.
--
-- A value is { text = "..." }, or { open = "[", items = { ... }, inside = white space if it is empty }. An item is
-- { before, name, colon, value, after }: strings around a value.

local M = {}

-- ---- the text as a tree, and back ---------------------------------------------------------------------------------

local read_value

-- The position after the string at `at`.
local function after_string(s, at)
  local p = at + 1
  while s:sub(p, p) ~= '"' do p = p + (s:sub(p, p) == "\\" and 2 or 1) end
  return p + 1
end

local function read_item(s, at, is_object)
  local item = { name = "", colon = "" }
  item.before, at = s:match("^([ \t\r\n]*)()", at)
  if is_object then
    local last = after_string(s, at)
    item.name = s:sub(at, last - 1)
    item.colon, at = s:match("^([ \t\r\n]*:[ \t\r\n]*)()", last)
  end
  item.value, at = read_value(s, at)
  item.after, at = s:match("^([ \t\r\n]*)()", at)
  return item, at
end

read_value = function(s, at)
  local c = s:sub(at, at)
  if c == '"' then
    local last = after_string(s, at)
    return { text = s:sub(at, last - 1) }, last
  elseif c ~= "[" and c ~= "{" then
    local text, last = s:match("^([%w+.-]+)()", at)
    return { text = text }, last
  end
  local value = { open = c, items = {} }
  local inside, last = s:match("^([ \t\r\n]*)[%]}]()", at + 1)
  if inside then
    value.inside = inside
    return value, last
  end
  repeat
    value.items[#value.items + 1], at = read_item(s, at + 1, c == "{")
  until s:sub(at, at) ~= ","
  return value, at + 1
end

local function read(text)
  local before, at = text:match "^([ \t\r\n]*)()"
  local root = { before = before, name = "", colon = "" }
  root.value, at = read_value(text, at)
  root.after = text:sub(at)
  return root
end

local function write(item)
  local value, text = item.value, nil
  if value.text then text = value.text
  elseif #value.items == 0 then text = value.open .. value.inside
  else
    local parts = {}
    for i, inner in ipairs(value.items) do parts[i] = write(inner) end
    text = value.open .. table.concat(parts, ",")
  end
  if value.open then text = text .. (value.open == "[" and "]" or "}") end
  return item.before .. item.name .. item.colon .. text .. item.after
end

-- ---- the style of new items ---------------------------------------------------------------------------------------

local function is_blank(s) return s:find "[ \t\r\n]$" ~= nil end

-- What stands before an item that comes after others; `way` are the items around its container, the innermost last.
local function style_before(way, container, like)
  if #container.items > 1 or like.before ~= "" then return like.before end
  local outer = way[#way]
  if container.open == "{" then return is_blank(like.colon) and " " or "" end
  if #way < 2 then return "" end
  if outer.name ~= "" then return is_blank(outer.colon) and " " or "" end
  return is_blank(outer.before) and " " or ""
end

local function style_colon(way, container)
  if #container.items > 0 then return container.items[#container.items].colon end
  for i = #way, 1, -1 do
    if way[i].colon ~= "" then return way[i].colon end
  end
  return ":"
end

-- The line end and indentation with which s ends.
local function line(s) return s:match "(\r?\n[ \t]*)$" or s:match "(\r[ \t]*)$" or "" end
local function indentation(s) return (s:gsub("[\r\n]", "")) end

local function style_inside(way)
  if #way < 2 then return "", "" end
  local inner, outer = line(way[#way].before), #way > 2 and line(way[#way - 1].before) or nil
  if inner == "" or outer == "" then return "", "" end
  local a, b = indentation(inner), indentation(outer or "")
  if #a <= #b or a:sub(1, #b) ~= b then return "", "" end
  return inner .. a:sub(#b + 1), inner
end

local function add_last(way, container, name, value)
  local item = { name = name, colon = container.open == "{" and style_colon(way, container) or "", value = value }
  local last = container.items[#container.items]
  if last then
    item.before, item.after, last.after = style_before(way, container, last), last.after, ""
  else item.before, item.after = style_inside(way) end
  container.items[#container.items + 1] = item
end

local function add_before(way, container, at, value)
  local next_one = container.items[at]
  local item = { name = "", colon = "", value = value, after = "", before = next_one.before }
  if at == 1 then
    next_one.before = style_before(way, container, container.items[2] or next_one)
  end
  table.insert(container.items, at, item)
end

local function remove(container, at)
  local item = table.remove(container.items, at)
  local n = #container.items
  if n == 0 then container.inside = ""
  elseif at == 1 then container.items[1].before = item.before
  elseif at > n then container.items[n].after = item.after end
end

-- ---- changes ------------------------------------------------------------------------------------------------------

-- The number of the item that a step (a name, or an index from 0) leads to; nil: there is none, or several; and whether
-- one may be added at the end.
local function find(container, step, decode)
  if container.open == "{" then
    local found, several
    for i, item in ipairs(container.items) do
      if decode(item.name) == step then found, several = i, found end
    end
    if several then return nil, false end
    return found, type(step) == "string" and not found
  end
  if type(step) ~= "number" then return end
  if step < 0 then step = step + #container.items end
  if step >= 0 and step < #container.items then return step + 1 end
  return nil, step == #container.items
end

-- The text after one change, or nil: it is an error. `steps` is the path as a list of names and indices; `value` is
-- text, `decode` decodes a name.
function M.edit(text, operation, steps, value, decode)
  local root = read(text)
  local way = { root }
  local fresh = value and read(value).value
  for i = 1, operation == "append" and #steps or #steps - 1 do
    local container = way[#way].value
    local at = container.open and find(container, steps[i], decode)
    if not at then return nil end
    way[#way + 1] = container.items[at]
  end
  local container, step = way[#way].value, steps[#steps]
  if operation == "append" then
    if container.open ~= "[" then return nil end
    add_last(way, container, "", fresh)
  elseif #steps == 0 then
    if operation ~= "set" then return nil end
    root.value = fresh
  else
    if not container.open then return nil end
    local at, can_add = find(container, step, decode)
    if operation == "remove" then
      if not at then return nil end
      remove(container, at)
    elseif not at then
      if not can_add then return nil end
      add_last(way, container, container.open == "{" and M.encode_name(step) or "", fresh)
    elseif operation == "set" then container.items[at].value = fresh
    elseif container.open == "{" then return nil
    else add_before(way, container, at, fresh) end
  end
  return write(root)
end

-- For names of printable ASCII and UTF-8.
function M.encode_name(name) return '"' .. name:gsub('["\\]', "\\%0") .. '"' end

return M
