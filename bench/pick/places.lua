-- SPDX-License-Identifier: MIT
-- places.lua -- finds scalars at given places of a JSON text, and writes the ways to them as JSON pointers and as Lua
-- code.

local texts, verify = require "workloads.texts", require "measure.verify"
local places = {}

local function name_of(text, open, close)
  local raw = text:sub(open, close)
  return raw:find("\\", 1, true) and verify.decoder()("[" .. raw .. "]")[1] or raw:sub(2, -2)
end

-- Returns the keys that lead to the first scalar at or after the byte `offset`, or to the last one: names, and indices
-- from 0. Nothing else is read than the tokens before it.
function places.at(text, offset)
  local open, at, last = {}, text:find "%S", nil
  while at do
    local c, top, stop = text:sub(at, at), open[#open], at
    if c == "{" then
      open[#open + 1] = {}
    elseif c == "[" then
      open[#open + 1] = { key = 0 }
    elseif c == "}" or c == "]" then
      open[#open] = nil
    elseif c == "," then
      if type(top.key) == "number" then top.key = top.key + 1 end
    elseif c ~= ":" then
      stop = c == '"' and texts.end_of_string(text, at) or text:find("[^%s,%]}]%f[%s,%]}]", at) or #text
      if c == '"' and text:find("^%s*:", stop + 1) then
        top.key = name_of(text, at, stop)
      else
        last = at
        if at >= offset then break end
      end
    end
    at = text:find("%S", stop + 1)
  end
  if not at then return last and places.at(text, last) end
  local keys = {}
  for i, container in ipairs(open) do keys[i] = container.key end
  return keys
end

function places.pointer(keys)
  local parts = {}
  for i, key in ipairs(keys) do parts[i] = "/" .. tostring(key):gsub("~", "~0"):gsub("/", "~1") end
  return table.concat(parts)
end

-- Lua code that indexes `value`, a table that a library made.
function places.code(value, keys)
  local parts = { value }
  for _, key in ipairs(keys) do
    parts[#parts + 1] = type(key) == "number" and ("[%d]"):format(key + 1) or ("[%q]"):format(key)
  end
  return table.concat(parts)
end

return places
