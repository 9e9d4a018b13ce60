-- SPDX-License-Identifier: MIT
-- test_decode_repeated.lua -- texts that repeat a few pieces hundreds of times, for all decoders: stack space that the
-- code for one piece does not reserve runs out after many. Interpreters that check their C interface detect this
-- (tests/run.py).

local T = require "support"
local lu, fleece, same, random, pick = T.lu, T.fleece, T.same, T.random, T.pick

TestDecodeRepeated = {}

local rapidjson, luajson = require "fleece.rapidjson", require "fleece.luajson"

local decoders = {
  decode = fleece.decode,
  api = T.api.decode,
  cjson = require("fleece.cjson").decode,
  dkjson = require("fleece.dkjson").decode,
  rxi = require("fleece.rxi").decode,
  json4lua = require("fleece.json4lua").decode,
  rapidjson = rapidjson.decode,
  luajson = luajson.decode,
  luajson_calls = luajson.decode.getDecoder { calls = { defs = { f = function(...) return { ... } end, b = true } } },
  luajson_set = luajson.decode.getDecoder { object = { setObjectKey = function(t, k, v) t[k] = v end } },
  luajson_unicode = luajson.decode.getDecoder { strings = { decodeUnicode = function(a, b) return a .. b end } },
  json5 = function(s) return fleece.decode(s, { json5 = true }) end,
  first = function(s) return fleece.decode(s, { duplicates = "first" }) end,
  prefix = function(s) return (fleece.decode_prefix(s, 1)) end,
  parser = function(s)
    local p = fleece.parser()
    for i = 1, #s, 97 do p:feed(s:sub(i, i + 96)) end
    return p:finish()
  end,
  binary = function(s) return fleece.unpack(fleece.from_json(s)) end,
  lazy = function(s)
    local view = fleece.lazy(s)
    return fleece.type(view) and view.totable and view:totable() or view
  end,
  document = function(s) return rapidjson.Document(s):get "" end,
}

-- Texts that open and close a level, with different names, and with empty tables first, in the middle and last.
local LEVELS = {
  { "[", "]" },
  { '{"a":', "}" },
  { "[[],", "]" },
  { "[{},", "]" },
  { '{"b":[],"a":', "}" },
  { '{"b":{},"c":[],"a":', "}" },
  { '["x",', "]" },
  { "[1,[],", ',[],{},"y"]' },
  { "[[],[],[],[],", "]" },
  { '{"a":', ',"b":[]}' },
  { "[", ",[],[],[]]" },
  { '{"a":[{},', ',[]],"b":1.5}' },
}

-- A canonical text of a value. Empty objects become [], because not all decoders mark them.
local function text_of(value) return (fleece.encode(value, { sort_keys = true }):gsub("{}", "[]")) end

function TestDecodeRepeated:test_random_levels()
  T.random_rounds(30, function()
    local kinds, opening, closing = { pick(LEVELS), pick(LEVELS), pick(LEVELS) }, {}, {}
    local n = random(1, pick { 12, 450 })
    for i = 1, n do
      opening[i] = kinds[i % #kinds + 1][1]
      closing[n + 1 - i] = kinds[i % #kinds + 1][2]
    end
    local s = table.concat(opening) .. pick { "1", "[]", "{}", '"\\u0041"', "-2.5e3" } .. table.concat(closing)
    local expected = text_of(fleece.decode(s))
    for name, decode in pairs(decoders) do
      local text = name == "luajson_unicode" and expected:gsub('"A"', '"0041"') or expected
      same(text_of(decode(s)), text, name .. ": " .. s:sub(1, 200))
    end
  end)
end

local PIECES = {
  "[", "]", "{", "}", '{"a":', '[{"a":', '"', '"\\', "\\u", '"\\ud800', '"\\u0041"', "/*", "//", "*/", "/**/", "//\n",
  " ", "\t\n", "-", "1e", "1", "0.", "0.1e-", "'", "'a", "a", "a:", "a(", "f(", "b(1)", "(", ")", "nul", "null",
  "null,", "NaN", "Infinity", "-Infinity", "undefined", ",", "[,", ":", "\255", "\226\128", "\239\187\191", '"a",',
  '{"a":1,', "[]", "[],", "{},", "{}", '"b":{}', "[[],", "\0", "0x", "+", ".", '\\"', "\"\n", "[1,2],", "true ",
  "12345678901234567890",
}

-- Each text gives a value or an error; the decoder still works after it.
function TestDecodeRepeated:test_random_pieces()
  local function unit()
    local list = {}
    for i = 1, random(1, 4) do list[i] = pick(PIECES) end
    return table.concat(list)
  end
  T.random_rounds(40, function()
    local s = (random(1, 3) == 1 and unit() or "") .. unit():rep(pick { 3, 30, 300 }) ..
      (random(1, 3) == 1 and unit() or "")
    for name, decode in pairs(decoders) do
      local ok, message = pcall(decode, s)
      if not ok then same(type(message), "string", name .. ": " .. s:sub(1, 200)) end
      same(text_of(decode '[{"a":[]},"b"]'), '[{"a":[]},"b"]', name)
    end
  end)
end

-- Many empty arrays. (LuaJSON's reserved no stack space.)
function TestDecodeRepeated:test_many_empty_arrays()
  for name, decode in pairs(decoders) do
    for _, n in ipairs { 50, 400, 5000 } do
      same(#decode("[" .. ("[],"):rep(n) .. "[]]"), n + 1, name)
    end
    local value = decode(("[[],"):rep(400) .. "1" .. ("]"):rep(400))
    for _ = 1, 400 do
      same(#value, 2, name)
      value = value[2]
    end
    same(value, 1, name)
  end
  lu.assertErrorMsgContains("Unclosed elements present", luajson.decode, "[" .. ("[[],"):rep(400))
end
