-- SPDX-License-Identifier: MIT
-- model_tables.lua -- the oracle's rules for tables: a model encoder, and a comparison of a text with a value.
-- It extends model.lua and returns it, so that require "model_tables" gives the whole oracle.

local model = require "model"

local math_type = math.type or function(v) return type(v) == "number" and "float" or nil end

-- "array" and n if the keys are exactly 1..n; else "object" or "empty".
function model.kind(t)
  local count, max = 0, 0
  for k in next, t do
    if type(k) ~= "number" or k < 1 or k ~= math.floor(k) then return "object" end
    count = count + 1
    if k > max then max = k end
  end
  if count == 0 then return "empty" end
  if max == count then return "array", count end
  return "object"
end

-- Keys have their shortest exact text under all options, so that two keys never become one.
local function key_text(k)
  if type(k) == "string" then return k end
  return k == 0 and "0" or model.number(k) -- Lua 5.1 and 5.2 keep the sign of the key -0
end

-- Options: flag (fleece.json), or the options of fleece.encode that call no function: indent (string), sort_keys,
-- escape_slash, ascii, html, invalid_utf8, empty_table, float_integers, precision.
function model.encode(value, o, level)
  o = o or {}
  level = level or 0
  local function quote(s)
    return '"' .. (o.flag and model.escape_flag(s, o.flag) or model.escape(s, o)) .. '"'
  end
  local function wrap(open, items, close)
    if not o.indent or o.indent == "" then return open .. table.concat(items, ",") .. close end
    local inner = "\n" .. o.indent:rep(level + 1)
    return open .. inner .. table.concat(items, "," .. inner) .. "\n" .. o.indent:rep(level) .. close
  end
  local kind = type(value)
  if value == nil then return "null" end
  if kind == "boolean" then return tostring(value) end
  if kind == "number" then return model.number(value, o) end
  if kind == "string" then return quote(value) end
  if kind ~= "table" then error("model: a " .. kind, 0) end
  local shape, n = model.kind(value)
  if shape == "empty" then return o.empty_table == "object" and "{}" or "[]" end
  local items = {}
  if shape == "array" then
    for i = 1, n do items[i] = model.encode(value[i], o, level + 1) end
    return wrap("[", items, "]")
  end
  local keys = {}
  for k in next, value do keys[#keys + 1] = k end
  if o.sort_keys then table.sort(keys, function(a, b) return key_text(a) < key_text(b) end) end
  for i, k in ipairs(keys) do
    local colon = o.indent and o.indent ~= "" and ": " or ":"
    items[i] = quote(key_text(k)) .. colon .. model.encode(value[k], o, level + 1)
  end
  return wrap("{", items, "}")
end

-- Compares a decoded node with the Lua value it came from, by value: the order of members is ignored, numbers are read
-- by tonumber, integers must be exact. Returns nil, or the place of the difference and what it is.
local function differs(value, node)
  local kind = type(value)
  if value == nil then return node ~= model.null and ": not null" or nil end
  if kind == "boolean" or kind == "string" then
    if node ~= value then return ": other " .. kind end
    return nil
  end
  if kind == "number" then
    if type(node) ~= "table" or node.t ~= "number" then return ": not a number" end
    if math_type(value) == "integer" then
      if node.text ~= string.format("%d", value) then return ": integer is not exact: " .. node.text end
    elseif tonumber(node.text) ~= value or (value == 0 and (1 / value < 0) ~= (node.text:sub(1, 1) == "-")) then
      return ": other number: " .. node.text
    end
    return nil
  end
  if kind ~= "table" then return ": a " .. kind .. " cannot be in JSON" end
  local shape, n = model.kind(value)
  if shape == "empty" then
    if type(node) ~= "table" or node.t ~= "array" and node.t ~= "object" or node.n ~= 0 then return ": not empty" end
    return nil
  end
  if type(node) ~= "table" or node.t ~= shape then return ": not an " .. shape end
  if shape == "array" then
    if node.n ~= n then return ": other length" end
    for i = 1, n do
      local difference = differs(value[i], node[i])
      if difference then return "[" .. i .. "]" .. difference end
    end
    return nil
  end
  -- Two keys may have the same text ({[1]=..., ["1"]=...}), so each pair takes one member of the node away.
  local left = {}
  for i = 1, node.n do
    local key = node.keys[i]
    left[key] = left[key] or {}
    table.insert(left[key], node.values[i])
  end
  local count = 0
  for k, v in next, value do
    count = count + 1
    local text = key_text(k)
    local there, found = left[text] or {}, nil
    for i, candidate in ipairs(there) do
      if not differs(v, candidate) then
        found = i
        break
      end
    end
    if not found then return "." .. text .. ": missing or different" end
    table.remove(there, found)
  end
  if count ~= node.n then return ": other number of keys" end
  return nil
end

function model.differs(value, node)
  local difference = differs(value, node)
  return difference and "root" .. difference
end

return model
