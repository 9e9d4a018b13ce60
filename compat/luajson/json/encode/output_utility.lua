-- SPDX-License-Identifier: MIT
-- output_utility.lua -- json.encode.output_utility of LuaJSON: functions for the code that an output's composite gets.
local load = loadstring or load
local kept = setmetatable({}, { __mode = "k" }) -- by owner, which determines how values are written

local function fill(template, values) return (template:gsub("%%([%u_]+)%%", values)) end

-- PUTVALUE(text) in the code becomes put_value with %VALUE%; PUTINNER(condition) becomes put_inner with %WRITE_INNER% and
-- the separator as %INNER_VALUE%. Returns function(composite, ret, encode, state).
local function prepareEncoder(owner, code, separator, put_value, put_inner)
  local functions = kept[owner] or {}
  kept[owner] = functions
  if not functions[code] then
    local body = code:gsub("PUTINNER(%b())", function(condition)
      return separator and put_inner and fill(put_inner, { WRITE_INNER = condition, INNER_VALUE = ("%q"):format(separator) }) or ""
    end)
    body = body:gsub("PUTVALUE(%b())", function(text) return fill(put_value, { VALUE = text }) end)
    functions[code] = assert(load("return function(composite, ret, encode, state)\n" .. body .. "\nend"))()
  end
  return functions[code]
end

return { prepareEncoder = prepareEncoder }
