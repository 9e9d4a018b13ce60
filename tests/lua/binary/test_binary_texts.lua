-- SPDX-License-Identifier: MIT
-- test_binary_texts.lua -- long strings, names and data that are written once and pointed to thousands of times: the
-- work of readers stays proportional to the document's size.

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece

TestBinaryTexts = {}

local function big(n, bytes)
  local s = ""
  for _ = 1, bytes do s, n = string.char(n % 256) .. s, math.floor(n / 256) end
  return s
end

local function varint(n)
  local s = ""
  while n >= 128 do s, n = s .. string.char(n % 128 + 128), math.floor(n / 128) end
  return s .. string.char(n)
end

-- Makes a document bottom-up: strings, data, and collections, whose items are two bytes or the position of a value.
local Made = {}
Made.__index = Made
local function made() return setmetatable({ length = 0 }, Made) end

function Made:put(s)
  local at = self.length
  if #s % 2 == 1 then s = s .. "\0" end
  self[#self + 1], self.length = s, at + #s
  return at
end
function Made:text(tag, n) return self:put(string.char(tag * 16 + 15) .. varint(n) .. ("k"):rep(n)) end

function Made:list(is_dict, items)
  local count = is_dict and #items / 2 or #items
  local head = big((is_dict and 0x7800 or 0x6800) + math.min(count, 2047), 2)
  if count >= 2047 then head = head .. varint(count - 2047) end
  if #head % 2 == 1 then head = head .. "\0" end
  local out, here = { head }, self.length + #head
  for i, item in ipairs(items) do
    if type(item) == "number" then
      out[i + 1] = big(2 ^ 31 + (here + 4 * i - 4 - item) / 2, 4)
    else out[i + 1] = item .. "\0\0" end
  end
  return self:put(table.concat(out))
end

function Made:finish(root)
  self:put(big(2 ^ 31 + (self.length - root) / 2, 4))
  self:put "\128\2"
  return table.concat(self)
end

local function times(n, ...)
  local items, what = {}, { ... }
  for _ = 1, n do
    for i = 1, #what do items[#items + 1] = what[i] end
  end
  return items
end

-- The bytes of a document; f(m) makes it and returns its root.
local function document(f)
  local m = made()
  return m:finish(f(m))
end

local function limit(f, fine, much)
  T.same(fleece.check(document(function(m) return f(m, fine) end)), true)
  B.refused(document(function(m) return f(m, much) end), "values are shared too often")
end

-- A dict without collections is visited several times, or there are several dicts with the same known names.
function TestBinaryTexts:test_names()
  limit(function(m, n)
    local a, b = m:text(4, 60000), m:text(4, 60000)
    local dict = m:list(true, times(3000, a, "\0\1", b, "\0\1"))
    return m:list(false, times(n, dict))
  end, 2, 3)
  limit(function(m, n)
    local key, dicts = m:text(4, 60000), {}
    for i = 1, n do dicts[i] = m:list(true, times(20, key, "\0\1")) end
    return m:list(false, dicts)
  end, 500, 1100)
end

-- Names in the path of an error are escaped as those of encode.
function TestBinaryTexts:test_names_in_paths()
  for name, shown in pairs { ["q\n\"\\"] = [[q\010\"\\]], [("\n"):rep(40)] = ([[\010]]):rep(16), [("é "):rep(30)] = ("é "):rep(21) } do
    local bytes = fleece.from_json(fleece.encode { [name] = { "?" } }:gsub("%?", "\255"), { invalid_utf8 = "pass" })
    T.raises('invalid UTF-8 at ["' .. shown .. '"][1]', fleece.to_json, bytes)
  end
end

function TestBinaryTexts:test_strings_and_data()
  for tag = 4, 5 do
    limit(function(m, n) return m:list(false, times(n, m:text(tag, 60000))) end, 10000, 20000)
    limit(function(m, n)
      local list = m:list(false, times(10, m:text(tag, 60000)))
      return m:list(false, times(n, list))
    end, 1000, 1500)
  end
end

-- Packed documents are accepted: pack writes a long text again from time to time.
function TestBinaryTexts:test_packed()
  local text, list = ("k"):rep(20000), {}
  for i = 1, 10000 do list[i] = { [text] = text } end
  local bytes = fleece.pack(list)
  T.same(fleece.check(bytes), true)
  local _, copies = bytes:gsub("O" .. varint(#text) .. "kkkk", "")
  lu.assertTrue(copies > 3 and copies < 30)
end

-- Long data is unpacked once, however many pointers lead to it.
function TestBinaryTexts:test_unpacked_data()
  local list = fleece.unpack(document(function(m) return m:list(false, times(2000, m:text(5, 60000))) end))
  T.same(tostring(list[1]), ("k"):rep(60000))
  for i = 2, #list do
    if not rawequal(list[i], list[1]) then error("data is there twice: " .. i) end
  end
  local m = made()
  local short, long = m:put("U" .. "12345"), m:put("_" .. varint(300) .. ("k"):rep(300))
  local text = m:put("O" .. varint(300) .. ("k"):rep(300))
  local both = fleece.unpack(m:finish(m:list(false, { short, long, text, long, text })))
  T.same(tostring(both[1]), "12345")
  T.same(type(both[2]), "userdata")
  T.same(both[3], ("k"):rep(300))
  T.same(rawequal(both[2], both[4]), true)
  T.same(both[5], both[3])
end

-- The long names of some parents come after the short names of another, and must not be compared with each of those:
-- that would take minutes.
function TestBinaryTexts:test_parents()
  local m = made()
  local long, again, items = m:text(4, 2000000), m:text(4, 2000000), {}
  for i = 1, 12000 do
    items[2 * i - 1], items[2 * i] = m:put(("Ea%04x"):format(i)), "\0\1" -- names of five bytes, all before "k"
  end
  local dict = m:list(true, items)
  for i = 1, 15 do dict = m:list(true, { "\8\0", dict, i % 2 == 0 and long or again, "\0\1" }) end
  local doc = fleece.open(m:finish(dict))
  T.same(#doc.root, 12001)
end

-- Names that are already sorted are not compared with each other, even if there are codes among them.
function TestBinaryTexts:test_canonical()
  local m, keys = made(), fleece.keys()
  keys:add "y"
  keys:add "a"
  local long, again = m:text(4, 2000000), m:text(4, 2000000)
  local items = times(1500, long, "\60\0", again, "\60\0")
  for code = 1, 0, -1 do
    table.insert(items, 1, big(code, 2))
    table.insert(items, 2, big(code, 2))
  end
  local bytes = m:finish(m:list(true, items))
  T.same(fleece.to_json(bytes, { keys = keys, canonical = true }), '{"a":1,"y":0}')
end
