-- SPDX-License-Identifier: MIT
-- test_binary_sharing.lua -- documents whose values or names are shared so often that reading them would take too long.
-- runs: in one Lua

local T = require "support"
local B = require "binary"
local fleece = T.fleece

TestBinarySharing = {}

-- A text with very many different strings: those far apart are written again, unless they are used often enough. The
-- bytes are the same whatever they are made from. Without sharing a record takes 56 bytes.
function TestBinarySharing:test_strings_that_are_forgotten()
  local function text_of(different, all)
    local list = {}
    for i = 1, all do list[i] = ('{"name":"a string of some length %d"},[%d,"some"]'):format(i % different, i % 1000) end
    return "[" .. table.concat(list, ",") .. "]"
  end
  local function size(different, all)
    local text = text_of(different, all)
    local bytes = fleece.from_json(text)
    T.same(fleece.check(bytes), true)
    T.same(fleece.pack(fleece.decode(text)) == bytes, true)
    T.same(fleece.to_json(bytes) == fleece.to_json(fleece.from_json(text, { mode = "compatible" })), true)
    return #bytes
  end
  local forgotten, kept = size(650000, 700000) / 700000, size(300000, 700000) / 700000
  T.same(forgotten > 55 and kept < 40, true, forgotten .. " " .. kept)
end

-- The default is 1,000,000, or as many values as the document has bytes.
function TestBinarySharing:test_default_of_max_values()
  local function array(n) -- n times the same array of 2 values
    local pieces, k = { "\96\1\0\7", "\104" }, n - 2047 -- n > 2047 + 127
    local count = string.char(0x6f, 0xff, 128 + k % 128, math.floor(k / 128) % 128 + (k >= 16384 and 128 or 0),
      (k >= 16384) and math.floor(k / 16384) or nil)
    if #count % 2 == 1 then count = count .. "\0" end
    pieces[2] = count
    local at = 4 + #count
    for _ = 1, n do
      local back = at / 2
      pieces[#pieces + 1] = string.char(0x80 + math.floor(back / 16777216), math.floor(back / 65536) % 256,
        math.floor(back / 256) % 256, back % 256)
      at = at + 4
    end
    local back = (at - 4) / 2
    pieces[#pieces + 1] = string.char(0x80 + math.floor(back / 16777216), math.floor(back / 65536) % 256,
      math.floor(back / 256) % 256, back % 256) .. "\128\2"
    return table.concat(pieces), 1 + 2 * n
  end
  local bytes, n = array(200000)
  T.same(fleece.check(bytes), true) -- 800,001 values
  bytes, n = array(600000)
  T.same(n < #bytes, true)
  T.same(fleece.check(bytes), true) -- 1,200,001 values in 2.4 MB
  T.same(#fleece.unpack(bytes), 600000)
end

-- A long name counts at each dict, also if another dict has had the same names: readers go through its bytes each time.
-- A name of 1 MB stands for 32,768 values; the limit is 2^24 and 64 for each byte, 87 million here.
function TestBinarySharing:test_long_names_of_equal_dicts()
  local function pointer(from, to)
    local back = (from - to) / 2
    return string.char(0x80 + math.floor(back / 16777216), math.floor(back / 65536) % 256,
      math.floor(back / 256) % 256, back % 256)
  end
  local function dicts(n) -- n > 2047 + 127
    local pieces = { "\79\128\128\64" .. ("k"):rep(2 ^ 20) }
    local first = #pieces[1]
    local at = first
    for _ = 1, n do
      pieces[#pieces + 1] = "\120\1" .. pointer(at + 2, 0) .. "\0\1\0\0"
      at = at + 10
    end
    local array = at
    pieces[#pieces + 1] = string.char(0x6f, 0xff, 128 + (n - 2047) % 128, math.floor((n - 2047) / 128))
    at = at + 4
    for i = 0, n - 1 do
      pieces[#pieces + 1] = pointer(at, first + 10 * i)
      at = at + 4
    end
    return table.concat(pieces) .. pointer(at, array) .. "\128\2"
  end
  T.same(fleece.check(dicts(2500)), true) -- 82 million
  B.refused(dicts(3000), "values are shared too often")
end

-- Any number of equal records, which compact mode shares, is accepted.
function TestBinarySharing:test_equal_records()
  local record = '{"a":1,"b":"two","c":[1,2,[3,4,5,6,7,8]],"d":null,"e":true}'
  for _, n in ipairs { 1000, 20000, 100000, 300000 } do
    local text = "[" .. record .. ("," .. record):rep(n - 1) .. "]"
    local bytes = fleece.from_json(text)
    T.same(fleece.check(bytes), true, n)
    if n == 20000 then T.same(#bytes < #text / 4, true, "records are shared") end
    if n == 300000 then
      T.same(#bytes < #text / 2, true)
      T.same(fleece.to_json(bytes) == text, true)
    end
  end
end
