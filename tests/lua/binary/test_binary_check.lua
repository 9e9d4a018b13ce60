-- SPDX-License-Identifier: MIT
-- test_binary_check.lua -- check: which bytes are a valid document, and the position of the error in others. Section
-- numbers are those of the format's specification.
-- runs: in one layout

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece
local bytes = B.bytes

TestBinaryCheck = {}

local compatible = { mode = "compatible" }

function TestBinaryCheck:test_check_rules()
  -- The rules of section 8, and Fleece's own rules ("own").
  B.refused("", "length must be even")
  B.refused("\0", "length must be even")
  B.refused(bytes "6000 30", "length must be even")
  -- rule 1, section 5: no pointer, although there are more than two bytes
  B.refused(bytes "3000 3000", "does not point to a root")
  B.refused(bytes "8000", "pointer out")
  B.refused(bytes "8001", "pointer out")
  B.refused(bytes "3000 8002", "pointer out") -- before the start
  B.refused(bytes "6001 8000 8002", "pointer out") -- offset 0
  B.refused(bytes "6001 8002 8002", "pointer out")
  B.refused(bytes "6002 3000 8002", "past its end") -- one item is missing
  B.refused(bytes "7001 4161 8002", "past its end") -- the value is missing
  B.refused(bytes "4361 8001", "past its end") -- own: the root must end before the trailer
  B.refused(bytes "6801 3000 8002", "past its end") -- a wide item
  B.refused(bytes "4461 6001 8002 8002", "past its end") -- a string ends after the item that points to it
  B.reads(bytes "4361 6001 8002 8002", '["a`\\u0001"]') -- it ends directly before it
  B.refused(bytes "6001 4261 8002", "past its end") -- two bytes do not fit a narrow slot
  B.reads(bytes "6801 42616200 8003", '["ab"]') -- but they fit a wide one
  B.reads(bytes "6801 43616263 8003", '["abc"]')
  B.refused(bytes "6801 44616263 8003", "past its end")
  B.reads(bytes "6801 12ffff7f 8003", "[8388607]") -- integers of up to three bytes
  B.refused(bytes "6801 13ffff7f 8003", "past its end")
  B.reads(bytes "6801 6001 0005 8003", "[[5]]") -- a narrow array of one item
  B.refused(bytes "6801 6002 0005 8003", "past its end")
  B.reads(bytes "6803 60010001 60010002 60010003 8007", "[[1],[2],[3]]")
  B.refused(bytes "1300 8001", "past its end")
  B.refused(bytes "2800 0000 8002", "past its end")
  B.refused(bytes "7001 3000 0001 8003", "neither a string nor a code")
  B.refused(bytes "7001 6000 0001 8003", "neither a string nor a code")
  B.refused(bytes "7001 5161 0001 8003", "neither a string nor a code") -- data cannot be a key
  B.refused(bytes "7001 0fff 0001 8003", "neither a string nor a code") -- -1
  B.refused(bytes "7001 0801 0001 8003", "neither a string nor a code") -- -2047
  B.refused(bytes "7001 0800 0005 8003", "parent is not a dict")
  B.refused(bytes "7001 0800 6000 8003", "parent is not a dict")
  B.reads(bytes "7001 0800 7000 8003", "{}")
  B.refused(bytes "7002 4162 0001 4161 0002 8005", "not in order")
  B.refused(bytes "7002 4161 0001 0005 0002 8005", "not in order") -- codes before strings
  B.reads(bytes "7002 4161 0001 4161 0002 8005", '{"a":1,"a":2}') -- the reference writes duplicate names so
  B.refused(bytes "7002 0005 0001 0800 7000 8005", "neither a string nor a code") -- a parent comes first
end

function TestBinaryCheck:test_check_lengths()
  -- Section 1: varints have up to ten bytes and are below 2^32; longer forms than necessary are allowed.
  B.reads(bytes "4f00 8001", '""')
  B.reads(bytes "4f8000 00 8002", '""')
  B.reads(bytes "4f03616263 00 8003", '"abc"')
  B.reads(bytes "4f8380808080808080 00 616263 00 8007", '"abc"')
  B.refused(bytes "4f80808080808080808080 00 8006", "bad length") -- eleven bytes
  B.refused(bytes "4fffffffffff 0f 00 8004", "bad length") -- above 2^32
  B.refused(bytes "4fffffffff 0f 8003", "past its end")
  B.refused(bytes "4f80 8001", "bad length") -- it ends inside the pointer
  B.refused(bytes "67ff ffffffffff0f 8004", "bad length")
  B.refused(bytes "67ff 0000 8002", "past its end")
  -- A header at the end of a slot: its length would be outside (section 20).
  B.refused(bytes "6001 4fff 8002", "bad length")
  B.refused(bytes "6801 4f03 6162 8003", "past its end")
  B.reads(bytes "6801 4f026162 8003", '["ab"]')
end

-- From 2047 items on, the count continues in a varint, padded to an even length.
function TestBinaryCheck:test_long_counts()
  for _, n in ipairs { 2046, 2047, 2048, 2047 + 127, 2047 + 128, 20000 } do
    local list = "[" .. ("1,"):rep(n - 1) .. "1]"
    for _, options in ipairs { {}, compatible } do
      local doc = fleece.from_json(list, options)
      B.reads(doc, list)
      local array = fleece.open(doc).root
      T.same(#array, n)
      T.same(array[n], 1)
      T.same(array[n + 1], nil)
      T.same(array[0], nil)
    end
    local pairs_text = {}
    for i = 1, n do pairs_text[i] = string.format('"%06d":%d', i, i) end
    local text = "{" .. table.concat(pairs_text, ",") .. "}"
    for _, options in ipairs { {}, compatible } do
      local doc = fleece.open(fleece.from_json(text, options))
      T.same(fleece.to_json(doc), text)
      T.same(#doc.root, n)
      for _, i in ipairs { 1, 2, math.floor(n / 2), n - 1, n } do T.same(doc.root[string.format("%06d", i)], i) end
      T.same(doc.root["000000"], nil)
      T.same(doc.root[string.format("%06d", n + 1)], nil)
    end
  end
  B.reads(bytes("67ff 00 00" .. (" 0001"):rep(2047) .. " 8801"), "[" .. ("1,"):rep(2046) .. "1]")
end

-- Section 3: narrow pointers reach 32,766 bytes; beyond that, collections and the root pointer are wide. The filler has
-- lengths around that limit.
function TestBinaryCheck:test_reach()
  for filler = 32700, 32800 do
    local text = '["hi","' .. ("x"):rep(filler) .. '"]'
    local doc = fleece.from_json(text, compatible)
    T.same(fleece.to_json(doc), text)
    if filler == 32756 then T.same(B.hex(doc:sub(-8)), "6002bfffbffe8003") end
    if filler == 32757 or filler == 32758 then T.same(B.hex(doc:sub(-12)), "680280004000800040008005") end
    T.same(fleece.to_json(fleece.from_json(text)), text)
  end
  for n = 16370, 16390 do -- the root pointer
    local text = "[" .. ("1,"):rep(n - 1) .. "1]"
    local doc = fleece.from_json(text, compatible)
    T.same(fleece.to_json(doc), text)
    if n == 16382 then T.same(B.hex(doc:sub(-6)), "800040008002") end
    T.same(fleece.open(doc).root[n], 1)
  end
end

-- Before there were extern pointers, narrow ones had 15 bits of offset (section 3).
function TestBinaryCheck:test_old_pointers()
  for _, n in ipairs { 32764, 40000, 65520 } do
    local body = "\65\97\79" .. string.char(n % 128 + 128, math.floor(n / 128) % 128 + 128, math.floor(n / 16384)) ..
      ("x"):rep(n)
    local back = #body / 2 + 1
    local doc = body .. "\96\1" .. string.char(128 + math.floor(back / 256), back % 256) .. "\128\2"
    B.reads(doc, '["a"]')
    T.same(fleece.open(doc).root[1], "a")
  end
end

-- The position of an error is a byte, counted from 1.
function TestBinaryCheck:test_check_position()
  T.each_pair({
    ["4162 6002 0001 8009 8003"] = 7,
    ["7002 4162 0001 4161 0002 8005"] = 7,
    ["6002 0001 4261 8003"] = 5,
  }, function(binary, position)
    local ok, message, at = fleece.check(bytes(binary))
    T.same(ok, nil)
    T.same(at.byte, position, message)
    local doc, message2, at2 = T.safe.open(bytes(binary))
    lu.assertEquals({ doc, message2, at2 }, { nil, message, at })
    doc, message2, at2 = T.safe.to_json(bytes(binary))
    lu.assertEquals({ doc, message2, at2 }, { nil, message, at })
  end)
end

-- The work of check is bounded, however values are shared.
function TestBinaryCheck:test_check_bounds()
  -- Overlapping collections: wide arrays whose slots contain the headers of other arrays.
  local n = 1000
  local slots = {}
  for i = 1, n do slots[i] = string.char(0, 0, 0x63, 0xe8) end -- each slot's second half: an array of 1000 items
  local doc = string.char(0x6b, 0xe8) .. table.concat(slots)
  local items = {}
  for i = 1, 500 do
    local back = (#doc + 2 + 2 * (i - 1) - (4 * i)) / 2
    items[i] = string.char(0x80 + math.floor(back / 256), back % 256)
  end
  doc = doc .. string.char(0x61, 0xf4) .. table.concat(items) ..
    string.char(0x80 + math.floor(1002 / 2 / 256), 1002 / 2 % 256)
  T.same(T.soon(1, fleece.check, doc), nil)
  -- A dict has at most sixteen parents.
  local function chain(parents)
    local out, last = "\112\0", 0 -- {}
    for i = 1, parents do
      local at = #out
      local back = (at + 4 - last) / 2
      out = out .. "\112\2\8\0" .. string.char(0x80, back) .. "\65" .. string.char(96 + i) .. string.char(0, i)
      last = at
    end
    return out .. string.char(0x80, (#out - last) / 2)
  end
  T.same(fleece.check(chain(16)), true)
  T.same(#fleece.open(chain(16)).root, 16)
  B.refused(chain(17), "too many parents")
end

-- Pairs of doubles far from the document's begin are checked in a way of their own, except with check_utf8. Where one byte
-- is another, both say the same.
function TestBinaryCheck:test_points_with_a_wrong_byte()
  local points = {}
  for i = 1, 4000 do points[i] = { i / 7, i / 11 } end
  local document = fleece.pack(points)
  local random = T.random
  local valid = 0
  for _ = 1, 3000 do
    local at = random(#document - 20000, #document)
    local changed = document:sub(1, at - 1) .. string.char(random(0, 255)) .. document:sub(at + 1)
    local fine, message = fleece.check(changed)
    local other, reason = fleece.check(changed, { check_utf8 = true })
    if not (reason or ""):find "UTF" then T.same(message or fine, reason or other, at) end
    if fine then valid = valid + 1 end
  end
  lu.assertTrue(valid > 100 and valid < 2900)
end

-- Dicts with the same keys as a dict before them, which check remembers, are valid only if their own keys are in order.
-- The document begins with the strings "a" to "d"; a key is a pointer to one of them, or the same letter in its slot.
function TestBinaryCheck:test_check_keys_of_two_dicts()
  local STRINGS = "\65a\65b\65c\65d"
  local function dict(at, keys, width)
    local out = string.char(width == 2 and 0x70 or 0x78, #keys)
    for _, key in ipairs(keys) do
      local back = (at + #out - 2 * (key.letter - 1)) / 2
      local slot = key.inside and string.char(65, 96 + key.letter) or string.char(0x80, back)
      if width == 4 then slot = key.inside and slot .. "\0\0" or string.char(0x80, 0, 0, back) end
      out = out .. slot .. ("\0"):rep(width)
    end
    return out
  end
  local function document(first, second, width, swapped)
    local n = 2 + 2 * width * #first
    local out = STRINGS .. dict(8, first, width) .. dict(8 + n, second, width)
    local at = #out
    local to, other = at + 2 - 8, at + 4 - (8 + n)
    if swapped then to, other = to - n, other + n end
    return out .. "\96\2\128" .. string.char(to / 2) .. "\128" .. string.char(other / 2) .. "\128\3"
  end
  local keys = {}
  for letter = 1, 4 do
    keys[#keys + 1] = { letter = letter }
    keys[#keys + 1] = { letter = letter, inside = true }
  end
  local count = 0
  local firsts = { { keys[1], keys[3], keys[7] }, { keys[1], keys[4], keys[5] }, { keys[4], keys[6], keys[8] } }
  for _, first in ipairs(firsts) do
    for i = 0, 511 do
      local second = { keys[i % 8 + 1], keys[math.floor(i / 8) % 8 + 1], keys[math.floor(i / 64) + 1] }
      local good = second[1].letter <= second[2].letter and second[2].letter <= second[3].letter or nil
      for _, width in ipairs { 2, 4 } do
        for _, swapped in ipairs { false, true } do
          T.same(fleece.check(document(first, second, width, swapped)), good, i)
          count = count + 1
        end
      end
    end
  end
  T.same(count, 3 * 512 * 4)
  -- The distance to the string needs 15 bits, whose highest one marks a pointer into the base. Without a base the
  -- pointer is read in the old way, with 15 bits (section *Pointers*).
  local far = "\65a" .. ("\0"):rep(24574) .. bytes "7001 b001 0000" .. ("\0"):rep(10234) .. bytes "7001 c401 0000" ..
    bytes "6002 9404 8005 8003"
  T.same(fleece.check(far), true)
  B.refused(far, "pointer out", { base = fleece.open(bytes "6000") })
  -- The values of the second dict are checked nevertheless: a string of six bytes with space for five, and a parent
  -- that is not a dict.
  T.same(fleece.check(bytes "7001 4161 0000 4561 7001 4161 8003 6002 8008 8005 8003"), true)
  B.refused(bytes "7001 4161 0000 4661 7001 4161 8003 6002 8008 8005 8003", "past its end")
  T.same(fleece.check(bytes "7001 4161 0000 7001 0800 8005 7001 0800 8008 6002 8007 8005 8003"), true)
  B.refused(bytes "7001 4161 0000 7001 0800 8005 7001 0800 0005 6002 8007 8005 8003", "parent is not a dict")
  -- A string that ends early enough for the dict that is checked first, but not for the other dict, which it contains.
  B.refused(bytes "4761 7001 8002 0001 7001 8005 0001 6002 8004 8008 8003", "past its end")
  T.same(fleece.check(bytes "4761 7001 8002 0001 7001 8005 0001 6001 8004 8002"), true)
end
