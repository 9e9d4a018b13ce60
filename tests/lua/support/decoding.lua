-- SPDX-License-Identifier: MIT
-- decoding.lua -- helpers for the tests of decoding: run both decoders, check errors and their positions, and compare
-- values with what the oracle (model.lua) reads.

local T = require "support"
local fleece, model = T.fleece, T.model

local D = {}

-- The value that the manual gives for the text of a number.
local function number(text)
  if text == "-0" then return -0.0 end
  return tonumber(text)
end

-- nil if `value` is the value of the oracle's `node`, otherwise the place of the difference.
local function differs(value, node)
  if type(node) ~= "table" then return value ~= node and ": other " .. type(node) or nil end
  if node == model.null then return value ~= fleece.null and ": not null" or nil end
  if node.t == "number" then
    local wanted = number(node.text)
    if value ~= wanted or T.math_type(value) ~= T.math_type(wanted) or (value == 0 and 1 / value ~= 1 / wanted) then
      return ": other number, " .. tostring(value) .. " for " .. node.text
    end
    return nil
  end
  if type(value) ~= "table" then return ": not a table" end
  local left = 0
  for _ in next, value do left = left + 1 end
  if node.t == "array" then
    if left ~= node.n then return ": " .. left .. " items for " .. node.n end
    for i = 1, node.n do
      local difference = differs(value[i], node[i])
      if difference then return "[" .. i .. "]" .. difference end
    end
    return getmetatable(value) ~= nil and ": metatable" or nil
  end
  local seen = {}
  for i = node.n, 1, -1 do -- of equal names the last one wins
    local key = node.keys[i]
    if not seen[key] then
      seen[key] = true
      left = left - 1
      local difference = differs(rawget(value, key), node.values[i])
      if difference then return "." .. key .. difference end
    end
  end
  if left ~= 0 then return ": other number of names" end
  if getmetatable(value) ~= (node.n == 0 and fleece.object_mt or nil) then return ": metatable" end
end

function D.differs(value, node)
  local difference = differs(value, node)
  return difference and "root" .. difference
end

-- Decodes with both decoders; each result must equal the oracle's. Returns the value.
function D.decode_by_model(text, what)
  local node = model.decode(text)
  local value = fleece.decode(text)
  for _, got in ipairs { { value }, { T.api.decode(text) } } do
    local difference = D.differs(got[1], node)
    if difference then T.lu.fail((what or text:sub(1, 200)) .. "\n" .. difference) end
  end
  return value
end

local API = { layout = "api" }

-- Both decoders give this value, a tree of plain Lua values.
function D.decodes(text, value, options)
  for _, o in ipairs { options or {}, T.merged(options, API) } do
    local got = fleece.decode(text, o)
    T.lu.assertEquals(got, value, text)
    if type(got) ~= "table" then T.same(got, value, text) end
  end
end

-- Both decoders refuse this text, for this reason and at this position; tests the raised and the returned error.
function D.refuses(text, reason, line, column, byte, options)
  local wanted = string.format("%s at line %d, column %d, byte %d", reason, line, column, byte)
  for _, o in ipairs { options or {}, T.merged(options, API) } do
    local message = T.error_of(fleece.decode, text, o)
    T.contains(message, wanted)
    local value, returned, failure = T.safe.decode(text, o)
    T.same(value, nil, text)
    T.same(message:sub(-#returned), returned)
    T.lu.assertEquals({ failure.byte, failure.line, failure.column }, { byte, line, column }, text)
  end
end

-- Both decoders refuse this text, for the same reason and at the same position.
function D.refuses_alike(text)
  local value, message, position = T.safe.decode(text)
  local value2, message2, position2 = T.safe_api.decode(text)
  if message == nil or message2 == nil then T.lu.fail(("accepted: %q"):format(text:sub(1, 200))) end
  T.same(message2, message)
  T.equal(position2, position)
  T.same(value, nil)
  T.same(value2, nil)
end

-- The results of an iteration of items, as text, and its error. The part of the text that an error quotes is left out:
-- it depends on the pieces.
function D.collect_items(codec, source, pointer, options)
  local found = {}
  local ok, message = pcall(function()
    for value, place, key in codec.items(source, pointer, options) do
      found[#found + 1] = ("%s@%d=%s"):format(codec.encode(value), place, type(key) == "number" and key or "." .. key)
    end
  end)
  -- A text in pieces is quoted up to the wrong byte, and its hint does not know what follows.
  return table.concat(found, " "), not ok and (message:gsub(" near '.*", ""):gsub(" %([%l_%d]+ = .*%)$", "")) or nil
end

return D
