-- SPDX-License-Identifier: MIT
-- options.lua -- reading the options of LuaJSON.
-- Must hold: LuaJSON copies tables of options, so inherited fields do not count.

local error, format, rawget, type = error, string.format, rawget, type

local O = {}

-- options[group], or options if group is ""; nil if it is false.
function O.group(options, group)
  local t = group == "" and options or rawget(options, group)
  if not t then return nil end
  if type(t) ~= "table" then error(format("option '%s' must be a table, not a %s", group, type(t)), 0) end
  return t
end

-- options[group][name], or the value that is given.
function O.get(options, group, name, default)
  local t = O.group(options, group)
  local value = t and rawget(t, name)
  if value == nil then return default end
  return value
end

function O.check(options, number, name)
  if type(options) == "table" then return end
  error(format("bad argument #%d to '%s' (table expected, got %s)", number, name, type(options)), 0)
end

return O
