-- SPDX-License-Identifier: MIT
-- verify.lua -- what a rival's text is worth: decoded again and compared with the document.

local find = require "find"
local verify = {}
local NULL = {}

-- A decoder of JSON text whose null becomes `null`; keeps no metatables. nil when none is installed.
function verify.decoder(prefer_exact_integers)
  local dkjson = find.require "dkjson"
  local cjson = find.module("cjson", function(m) return type(m.decode) == "function" end)
  if dkjson and (prefer_exact_integers or not cjson) then
    return function(text, null)
      local value, _, message = dkjson.decode(text, 1, null, nil, nil)
      if message then error(message, 0) end
      return value
    end, "dkjson"
  end
  if cjson then
    return function(text) return (cjson.decode(text)) end, "lua-cjson"
  end
end

-- Largest relative difference between the numbers of two trees; nil when anything else differs.
local function distance(a, b, null)
  if type(a) == "number" and type(b) == "number" then
    if a == b or a + 0.0 == b + 0.0 then return 0 end
    return math.abs(a - b) / math.max(math.abs(a), math.abs(b))
  end
  if a == b or (a == null and (b == NULL or type(b) == "userdata")) then return 0 end
  if type(a) ~= "table" or type(b) ~= "table" then return nil end
  local worst, count = 0, 0
  for k, v in pairs(a) do
    local other = b[k]
    if other == nil then other = b[tostring(k)] end
    local d = distance(v, other, null)
    if not d then return nil end
    worst, count = math.max(worst, d), count + 1
  end
  for _ in pairs(b) do count = count - 1 end
  return count == 0 and worst or nil
end

-- exact, "N digits" (numbers were rounded), differs, or invalid JSON
function verify.verdict(text, doc, null)
  local decode = verify.decoder()
  if not decode then return "unchecked" end
  local ok, value = pcall(decode, text, NULL)
  if not ok then return "invalid JSON" end
  local d = distance(doc, value, null)
  if not d then return "differs" end
  if d == 0 then return "exact" end
  return ("%d digits"):format(math.max(0, math.floor(-math.log(d) / math.log(10) + 0.301)))
end

return verify
