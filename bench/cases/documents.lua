-- SPDX-License-Identifier: MIT
-- documents.lua -- every *.json in $FLEECE_DATA/json, turned into Lua tables by a decoder on the path.

local verify = require "verify"

local function read(path)
  local f = io.open(path, "rb")
  local text = f and f:read("*a")
  if f then f:close() end
  return text
end

-- Collects the slots that hold null, and finds the leaf to vary: the middle one of the integers, or else of
-- the doubles. Keys are visited in order, so that every Lua varies the same leaf.
local function survey(doc, null)
  local nulls, integers, doubles = {}, {}, {}
  local function visit(t)
    local keys = {}
    for k in pairs(t) do keys[#keys + 1] = k end
    table.sort(keys, function(a, b)
      if type(a) == type(b) then return a < b end
      return type(a) == "number"
    end)
    for _, k in ipairs(keys) do
      local v = t[k]
      if v == null then
        nulls[#nulls + 1] = { t, k }
      elseif type(v) == "table" then
        visit(v)
      elseif type(v) == "number" then
        local list = v == math.floor(v) and integers or doubles
        list[#list + 1] = { t, k }
      end
    end
  end
  visit(doc)
  local list = #integers >= #doubles and integers or doubles
  return nulls, list[math.ceil(#list / 2)], list == doubles
end

local function case(path)
  local name = path:match("([^/]+)%.json$")
  return {
    name = name .. ".json", key = name,
    build = function(random)
      local decode, decoder = verify.decoder(true)
      if not decode then return nil, "no decoder on the path" end
      local null = decoder == "lua-cjson" and require "cjson".null or {}
      local doc = decode(assert(read(path)), null)
      local nulls, leaf, doubles = survey(doc, null)
      if not leaf then return nil, "no number in it to vary" end
      local ring
      if doubles then
        ring = {}
        for i = 1, 4096 do ring[i] = leaf[1][leaf[2]] + random.int(1, 999999) / 1000000 end
      end
      return { doc = doc, at = leaf[1], key = leaf[2], nulls = nulls, ring = ring }
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
