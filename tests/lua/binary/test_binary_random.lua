-- SPDX-License-Identifier: MIT
-- test_binary_random.lua -- JSON to binary and back: the documents of $FLEECE_DATA, random texts in both modes, damaged
-- bytes. Expected values come from decode, which test_decode*.lua compare with the oracle. Tables are read and made by
-- both walks.
-- runs: in one layout

local T = require "support"
local B = require "binary"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestBinaryRandom = {}

local compatible = { mode = "compatible" }
local sorted = { sort_keys = true, max_depth = 100000 }

-- A canonical text: equal for texts with equal values.
local function meaning(text) return fleece.encode(fleece.decode(text), sorted) end

-- A table of the pairs of a view; `get` and the index must agree with it.
local function seen_through(view)
  local kind = fleece.type(view)
  if kind ~= "array" and kind ~= "dict" then return view end
  local out = kind == "dict" and fleece.object {} or {}
  for key, value in fleece.pairs(view) do
    out[key] = seen_through(value)
    if type(value) ~= "userdata" then same(view:get(key), value, key) end
  end
  if kind == "array" then same(#out, #view) end
  return out
end

-- The text survives as a document in each mode. A compact one may be longer only by a few pointers that became wide.
local function there_and_back(text, what)
  local wanted = meaning(text)
  local sizes = {}
  for _, options in ipairs { {}, compatible } do
    local bytes = fleece.from_json(text, options)
    same(T.api.from_json(text, options), bytes, what)
    same(fleece.check(bytes, { check_utf8 = true }), true, what)
    same(meaning(fleece.to_json(bytes)), wanted, what)
    same(meaning(fleece.to_json(bytes, { canonical = true, indent = 1 })), wanted, what)
    same(fleece.to_json(fleece.from_json(fleece.to_json(bytes), options)), fleece.to_json(bytes), what)
    local doc = fleece.open(bytes)
    same(fleece.encode(seen_through(doc.root), sorted), wanted, what)
    same(fleece.encode(doc.root, sorted), fleece.encode(fleece.lazy(text), sorted), what)
    for _, codec in ipairs(T.codecs) do same(codec.encode(codec.unpack(bytes), sorted), wanted, what) end
    sizes[#sizes + 1] = #bytes
  end
  lu.assertTrue(sizes[1] <= sizes[2] * 1.05 + 64,
    (what or text:sub(1, 200)) .. ": compact " .. sizes[1] .. ", compatible " .. sizes[2])
end

function TestBinaryRandom:test_documents()
  local found = 0
  for _, name in ipairs { "apache_builds", "citm_catalog", "github_events", "instruments", "twitter", "canada" } do
    local text = B.data_file("json/" .. name .. ".json")
    if text then
      found = found + 1
      there_and_back(text, name)
      local root = fleece.lazy(text)
      for _, path, pointer in root:walk(function(_, at) return #at < 12 end) do
        lu.assertIsString(path)
        lu.assertNotNil(root:pointer(pointer))
      end
    end
  end
  if found == 0 then lu.skip "no data: set FLEECE_DATA" end
end

local words = { "", "a", "id", "name", "value", "caf\\u00e9", "\195\169\226\130\172", "fourteen bytes",
  "fifteen bytes..", "sixteen bytes...", "a string that is longer than those that are shared", "\\n\\\"",
  "\240\159\152\128" }
local numbers = { "0", "-1", "2047", "2048", "-2048", "-2049", "65536", "4294967296", "9007199254740993",
  "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.5", "-0.1", "1e300", "5e-324", "1.5e10",
  "3.0", "-0.0" }

local function text(depth)
  local kind = random(1, depth > 0 and 10 or 6)
  if kind <= 2 then return numbers[random(1, #numbers)] end
  if kind == 3 then return tostring(random(-100000, 100000)) end
  if kind <= 5 then return '"' .. words[random(1, #words)] .. '"' end
  if kind == 6 then return ({ "null", "true", "false", "[]", "{}" })[random(1, 5)] end
  local parts, names = {}, {}
  for i = 1, random(0, 8) do
    if kind <= 8 then
      parts[i] = text(depth - 1)
    else
      local name = words[random(1, #words)]
      if not names[name] then
        names[name] = true
        parts[#parts + 1] = '"' .. name .. '":' .. text(depth - 1)
      end
    end
  end
  return kind <= 8 and "[" .. table.concat(parts, ",") .. "]" or "{" .. table.concat(parts, ",") .. "}"
end

function TestBinaryRandom:test_random_texts()
  T.random_rounds(40, function() there_and_back(text(5)) end)
end

-- Texts with many equal parts, near and far, in documents that are larger than the reach of narrow pointers.
function TestBinaryRandom:test_random_sharing()
  T.random_rounds(10, function()
    local pieces, parts = {}, {}
    for i = 1, 6 do pieces[i] = text(3) end
    for i = 1, random(1, 60) do
      parts[i] = pieces[random(1, 6)]
      if random(1, 12) == 1 then parts[i] = '"' .. ("x"):rep(random(1, 20000)) .. '"' end
    end
    there_and_back("[" .. table.concat(parts, ",") .. "]")
  end)
end

-- Damaged documents are refused, or every function can read them completely.
function TestBinaryRandom:test_random_damaged()
  local accepted, refused = 0, 0
  T.random_rounds(400, function()
    local bytes = fleece.from_json(text(4), random(1, 2) == 1 and compatible or nil)
    for _ = 1, random(1, 3) do
      local at = random(1, #bytes)
      local new = ({ string.char(random(0, 255)), "\8\0", "\112\1", "\128\1", "\60\0",
        string.char(128, random(1, 40)) })[random(1, 6)]
      bytes = (bytes:sub(1, at - 1) .. new .. bytes:sub(at + (random(1, 5) > 1 and #new or 0)))
    end
    bytes = bytes:sub(1, #bytes - #bytes % 2)
    local ok, message, position = fleece.check(bytes)
    same((pcall(fleece.open, bytes)), ok == true)
    for _, codec in ipairs(T.codecs) do same((pcall(codec.unpack, bytes)) or ok == true, ok == true) end
    if not ok then
      refused = refused + 1
      lu.assertIsString(message)
      lu.assertTrue(position.byte == nil or position.byte >= 1 and position.byte <= #bytes + 1)
      return
    end
    accepted = accepted + 1
    local doc = fleece.open(bytes)
    local n = 0
    for value, _, pointer in doc:walk() do
      doc:pointer(pointer)
      local kind = fleece.type(value)
      if kind == "array" or kind == "dict" then
        for key in fleece.pairs(value) do value:get(key) end
      end
      n = n + 1
      if n == 1000 then break end
    end
    pcall(fleece.to_json, doc)
    local readable, json = pcall(fleece.to_json, doc, { invalid_utf8 = "replace", invalid_numbers = "null" })
    if readable then fleece.decode(json, { max_depth = 10000 }) else T.contains(json, "code") end
    local copied, copy = pcall(function() return fleece.encoder():value(doc):finish() end)
    if copied then same(fleece.check(copy), true) end
    pcall(fleece.diff, doc, "\112\0")
  end, 200)
  lu.assertTrue(accepted > 10 and refused > 10, accepted .. " " .. refused)
end

-- Random bytes, like the beginnings of wrong files.
function TestBinaryRandom:test_random_noise()
  T.random_rounds(1000, function()
    local noise = {}
    for i = 1, 2 * random(1, 20) do noise[i] = string.char(random(0, 255)) end
    noise = table.concat(noise)
    if fleece.check(noise) then pcall(fleece.to_json, noise) end
    pcall(fleece.dump, noise)
  end)
end
