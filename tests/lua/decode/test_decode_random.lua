-- SPDX-License-Identifier: MIT
-- test_decode_random.lua -- random texts and damaged ones: both decoders and the oracle must agree, and encoded values
-- must be decoded again. FLEECE_TEST_ROUNDS, FLEECE_TEST_SEED: see support.lua.

local T = require "support"
local D = require "decoding"
local R = require "random_text"
local lu, fleece, same, random, rounds, model = T.lu, T.fleece, T.same, T.random, T.random_rounds, T.model

TestDecodeRandom = {}

local PIECES = { '"', "\\", ",", ":", "[", "]", "{", "}", "0", "-", ".", "e", " ", "\n", "\0", "\128", "\237\160\128",
  "é", "null", "\\u", "/", "'", "1e999" }

local function random_text(depth) return R.text(depth, 40) end

-- Does the oracle's value contain an infinite number, which is an error in decode? "unknown" if LuaJIT's tonumber
-- cannot read one because of its large exponent: the number may be infinite or zero.
local function infinite(node)
  if type(node) ~= "table" then return false end
  if node.t == "number" then
    local number = tonumber(node.text)
    if not number then return "unknown" end
    return math.abs(number) == math.huge
  end
  for i = 1, node.n or 0 do
    local found = infinite(node.t == "array" and node[i] or node.t == "object" and node.values[i])
    if found then return found end
  end
  return false
end

function TestDecodeRandom:test_random_documents()
  rounds(1500, function()
    local s = random_text(random(0, 4))
    D.decode_by_model(s, "seed " .. T.seed .. ": " .. s:sub(1, 300))
  end)
end

function TestDecodeRandom:test_random_mutated()
  rounds(4000, function()
    local s = R.mutated(random_text(random(1, 3)), PIECES)
    local ok, node = pcall(model.decode, s)
    local beyond = ok and infinite(node)
    if beyond == "unknown" then
      same(pcall(fleece.decode, s), (pcall(T.api.decode, s)))
    elseif ok and not beyond then
      D.decode_by_model(s, "seed " .. T.seed .. ": " .. s:sub(1, 300))
    else
      D.refuses_alike(s)
    end
  end)
end

function TestDecodeRandom:test_random_cut_anywhere()
  rounds(10, function()
    local s = "[" .. random_text(4) .. "]"
    for n = 0, math.min(#s - 1, 3000) do D.refuses_alike(s:sub(1, n)) end
  end)
end

-- A lenient codec reads strict texts with the same result.
function TestDecodeRandom:test_random_lenient_reads_strict()
  local lenient = fleece.new { json5 = true, invalid_utf8 = "replace" }
  rounds(500, function()
    local s = random_text(random(0, 3))
    local difference = D.differs(lenient.decode(s), model.decode(s))
    if difference then lu.fail(s .. "\n" .. difference) end
  end)
  rounds(3000, function() -- damaged texts: both decoders must agree
    local s = R.mutated(random_text(random(1, 3)), PIECES)
    local options = { json5 = true, invalid_utf8 = "pass", duplicates = "error", numeric_keys = true, null = "nil" }
    local a, message, position = T.safe.decode(s, options)
    options.layout = "api"
    local b, message2, position2 = T.safe.decode(s, options)
    same(message, message2)
    T.equal(position, position2)
    if a == a then lu.assertEquals(a, b) end
  end)
end

-- For the tests that decode(encode(x)) is x, and that encode(decode(s)) has the value of s.
local function random_value(depth)
  local kind = random(1, depth > 0 and 10 or 7)
  if kind == 1 then return random(1, 2) == 1 end
  if kind == 2 then return fleece.null end
  if kind == 3 then return random(-1000000, 1000000) end
  if kind == 4 then return random(-1000000, 1000000) / 2 ^ random(1, 60) end
  if kind == 5 then return (random(1, 1000000) + 0.5) * 10 ^ random(-300, 290) end
  if kind <= 7 then
    local s = {}
    for i = 1, random(0, random(1, 5) == 1 and 60 or 8) do
      s[i] = ({ "a", "é", "\n", '"', "\\", "\0", "😀", "/", "\127", "z" })[random(1, 10)]
    end
    return table.concat(s)
  end
  local t, n = {}, random(0, 6)
  if kind == 8 then
    for i = 1, n do t[i] = random_value(depth - 1) end
    return t
  end
  for _ = 1, n do t["k" .. random(1, 9)] = random_value(depth - 1) end
  return next(t) and t or fleece.object()
end

-- Are two values equal, including marks and the signs of zeros?
local function comes_back_as(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b and (type(a) ~= "number" or 1 / a == 1 / b or a ~= 0)
  end
  for k, v in pairs(a) do if not comes_back_as(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return next(a) ~= nil or (getmetatable(a) == fleece.object_mt) == (getmetatable(b) == fleece.object_mt)
end

function TestDecodeRandom:test_random_round_trip()
  rounds(2000, function()
    local x = random_value(4)
    local s = fleece.encode(x)
    for _, codec in ipairs(T.codecs) do
      local back = codec.decode(s)
      if not comes_back_as(x, back) then lu.fail("seed " .. T.seed .. ": " .. s) end
    end
  end)
  rounds(500, function()
    local s = random_text(3)
    local node = model.decode(s)
    local again = fleece.encode(fleece.decode(s))
    local difference = D.differs(fleece.decode(again), node)
    if difference and not difference:find "number" then lu.fail(s .. "\n" .. again .. "\n" .. difference) end
    if difference then -- an integral float comes back as an integer: the values are equal
      local sorted = fleece.new { sort_keys = true }
      same(sorted.encode(fleece.decode(again)), sorted.encode(fleece.decode(s)))
    end
  end)
  if T.integers then
    for _, i in ipairs { math.maxinteger, math.mininteger, 9007199254740992, 9007199254740993 } do
      same(fleece.decode(fleece.encode(i)), i)
    end
  end
end
