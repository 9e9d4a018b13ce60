-- SPDX-License-Identifier: MIT
-- documents.lua -- every *.json in $FLEECE_DATA/json, decoded by a decoder on the path.

local verify = require "measure.verify"

local function read(path)
  local f = io.open(path, "rb")
  local text = f and f:read("*a")
  if f then f:close() end
  return text
end

-- Collects the slots that contain null.
local function slots_of(t, null, list)
  for k, v in pairs(t) do
    if v == null then
      list[#list + 1] = { t, k }
    elseif type(v) == "table" then
      slots_of(v, null, list)
    end
  end
  return list
end

local function case(path)
  local name = path:match("([^/]+)%.json$")
  return {
    name = name .. ".json", key = name,
    text = function() return assert(read(path)) end,
    build = function()
      local decode = verify.decoder(true)
      if not decode then return nil, "no decoder on the path" end
      local doc = decode(assert(read(path)), verify.NULL)
      return { doc = doc, nulls = slots_of(doc, verify.NULL, {}) }
    end,
  }
end

local function all(data)
  local cases = {}
  local list = io.popen("ls '" .. data .. "'/json/*.json 2>/dev/null")
  for path in list:lines() do cases[#cases + 1] = case(path) end
  list:close()
  return cases
end

return { of = case, all = all }
