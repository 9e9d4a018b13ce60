-- SPDX-License-Identifier: MIT
-- verify.lua -- checks results: a text is decoded again, or a value is used, and compared with the document.

local find = require "measure.find"
local verify = {}
local NULL = {}
verify.NULL = NULL

local function replace(t, from, to)
  for k, v in pairs(t) do
    if v == from then
      t[k] = to
    elseif type(v) == "table" then
      replace(v, from, to)
    end
  end
  return t
end

-- Returns a decoder of JSON arrays and objects that replaces null by `null` and sets no metatables; nil if none is
-- installed.
function verify.decoder(prefer_exact_integers)
  local dkjson = find.require "dkjson"
  local cjson = find.module("cjson", function(m) return type(m.decode) == "function" end)
  if dkjson and (prefer_exact_integers or not cjson) then
    return function(text, null)
      local value, _, message = dkjson.decode(text, 1, null, nil, nil)
      if message then error(message, 0) end
      return value
    end
  end
  if cjson then
    return function(text, null) return replace(cjson.decode(text), cjson.null, null) end
  end
end

-- Returns the largest relative difference between the numbers of two values; nil if anything else differs.
-- same_null(a, b): are a and b the nulls of their values?
local function distance(a, b, same_null)
  if type(a) == "number" and type(b) == "number" then
    if a == b or a + 0.0 == b + 0.0 then return 0 end
    return math.abs(a - b) / math.max(math.abs(a), math.abs(b))
  end
  if a == b or same_null(a, b) then return 0 end
  if type(a) ~= "table" or type(b) ~= "table" then return nil end
  local worst, count = 0, 0
  for k, v in pairs(a) do
    local other = b[k]
    if other == nil then other = b[tostring(k)] end
    local d = distance(v, other, same_null)
    if not d then return nil end
    worst, count = math.max(worst, d), other == nil and count or count + 1
  end
  for _ in pairs(b) do count = count - 1 end
  return count == 0 and worst or nil
end

-- exact, "N digits" (numbers were rounded), or differs
local function in_words(d)
  if not d then return "differs" end
  if d == 0 then return "exact" end
  return ("%d digits"):format(math.max(0, math.floor(-math.log(d) / math.log(10) + 0.301)))
end

-- Returns the verdict of a text, in whose document null is `null`: as in_words, or invalid JSON.
function verify.text(text, doc, null)
  local decode = verify.decoder()
  if not decode then return "unchecked" end
  local ok, value = pcall(decode, text, NULL)
  if not ok then return "invalid JSON" end
  return in_words(distance(doc, value, function(a, b) return a == null and b == NULL end))
end

-- Returns the verdict of a value compared with a reference, in which null is verify.NULL: as in_words, or drops null.
function verify.value(value, reference, null)
  local dropped = false
  local verdict = in_words(distance(reference, value, function(a, b)
    dropped = dropped or a == NULL and b == nil
    return a == NULL and b == null
  end))
  return verdict == "exact" and dropped and "drops null" or verdict
end

return verify
