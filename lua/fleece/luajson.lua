-- SPDX-License-Identifier: MIT
-- luajson.lua -- require "fleece.luajson": the functions of LuaJSON 1.3.4, over those of Fleece; json.util is here, the
-- rest in the folder luajson. See docs/luajson.md.
-- Must hold: globals are read once, because a program may replace them.

local array_mt = require("fleece").array_mt
local itself = require("fleece.stand_in").itself
local error, getmetatable, pairs, pcall, print = error, getmetatable, pairs, pcall, print
local select, setmetatable = select, setmetatable
local tonumber, tostring, rawset, type, format = tonumber, tostring, rawset, type, string.format

local util = { null = itself(), undefined = itself() }

local function need_table(value, number, name)
  if type(value) ~= "table" then
    local got = value == nil and "no value" or type(value)
    error(format("bad argument #%d to '%s' (table expected, got %s)", number, name, got), 3)
  end
end

-- ---- marks -------------------------------------------------------------------------------------------------

-- The mark of arrays is that of fleece.array. Like setmetatable, this refuses protected metatables.
function util.InitArray(t)
  need_table(t, 1, "InitArray")
  local ok, message = pcall(setmetatable, t, array_mt)
  if not ok then error(message, 0) end
  return t
end

-- Is the value an array? nil: its keys decide.
function util.IsArray(value)
  if type(value) ~= "table" then return false end
  local meta = getmetatable(value)
  if meta == array_mt then return true end
  local says = type(meta) == "table" and meta.__is_luajson_array
  if says then return says end
  if #value == 0 then return false end
  return nil
end

local call_mt = {}

function util.buildCall(...)
  if select("#", ...) == 0 then error("bad argument #1 to 'buildCall' (value expected)", 2) end
  return setmetatable({ name = (...), parameters = { n = select("#", ...) - 1, select(2, ...) } }, call_mt)
end

local function is_call(value) return type(value) == "table" and getmetatable(value) == call_mt end
util.isCall = is_call

-- Returns the name and the parameters of a call; nothing for another value.
function util.decodeCall(value) if is_call(value) then return value.name, value.parameters end end

-- ---- tables ------------------------------------------------------------------------------------------------

-- The table, with the fields of the others; nil and false among them are left out.
local function merge(t, ...)
  for i = 1, select("#", ...) do
    local from = select(i, ...)
    need_table(t, 1, "merge")
    if from then
      need_table(from, i + 1, "merge")
      for key, value in pairs(from) do t[key] = value end
    end
  end
  return t
end
util.merge = merge

function util.clone(t)
  need_table(t, 1, "clone")
  return merge({}, t)
end

-- Merges the three into options[name].
function util.doOptionMerge(options, nested, name, defaults, mode)
  need_table(options, 1, "doOptionMerge")
  if nested then
    defaults, mode = defaults and defaults[name], mode and mode[name]
  end
  options[name] = merge({}, defaults, mode, options[name])
end

-- A key that tonumber accepts becomes a number.
local function set_number(t, key, value)
  need_table(t, 1, "setObjectKeyForceNumber")
  return rawset(t, tonumber(key) or key, value)
end

local function show(parsed, key, value, space)
  if type(value) ~= "table" then
    if type(value) == "string" then value = "[[" .. value .. "]]" end
    print(space .. tostring(key) .. "=" .. tostring(value))
  elseif parsed[value] ~= nil then
    print(space .. tostring(key) .. "= <" .. tostring(parsed[value]) .. ">")
  else
    parsed[value] = key
    print(space .. tostring(key) .. "= {")
    for k, v in pairs(value) do show(parsed, k, v, space .. " ") end
  end
end

-- Prints the value for people to read.
function util.printValue(value, name) show({}, name, value, "") end

-- ---- the module --------------------------------------------------------------------------------------------

return {
  _VERSION = "1.3.4",
  _DESCRIPTION = "LuaJSON : customizable JSON decoder/encoder",
  util = util,
  encode = require "fleece.luajson.encode"(util),
  decode = require "fleece.luajson.decode"(util, set_number),
}
