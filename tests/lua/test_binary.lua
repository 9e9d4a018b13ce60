-- SPDX-License-Identifier: MIT
-- test_binary.lua -- JSON to binary and back, check, shared keys: our own bytes and the reason for each. The rules are
-- those of the format (sections are of its specification); documents are in test_binary_documents.lua, views in
-- test_binary_views.lua.

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece
local bytes = B.bytes

TestBinary = {}

local compatible = { mode = "compatible" }

local function hex_of(json, options) return B.hex(fleece.from_json(json, options)) end

---------------------------------------------------------------------------------------------- from_json

-- Section 21, and what section 2 says of each kind. In compatible mode the bytes are prescribed.
local examples = {
  { "[]", "6000" }, { "{}", "7000" }, { "null", "3000" }, { "true", "3800" }, { "false", "3400" }, { '""', "4000" },
  { '"a"', "4161" }, { "0", "0000" }, { "-1", "0fff" }, { "2047", "07ff" }, { "-2048", "0800" },
  { "[null]", "6001 3000 8002" }, { '{"f":42}', "7001 4166 002a 8003" },
  { '["a","hello","a","hello"]', "4568656c6c6f 6004 4161 8005 4161 8007 8005" },
  { "[2048]", "190008 00 6001 8003 8002" }, { "[-2049]", "11fff7 00 6001 8003 8002" },
  { "[65536]", "1a000001 6001 8003 8002" }, { "[1.5]", "24000000c03f 6001 8004 8002" },
  { "[0.1]", "28009a9999999999b93f 6001 8006 8002" },
  { '["abcdefghijklmno"]', "4f0f6162636465666768696a6b6c6d6e6f 00 6001 800a 8002" },
  { "[[1],[2,3]]", "6001 0001 6002 0002 0003 6002 8006 8005 8003" },
  { '{"b":1,"a":"xy"}', "427879 00 7002 4161 8004 4162 0001 8005" },
  { '{"a":{"a":1},"list":[10,"ten"]}',
    "7001 4161 0001 446c697374 00 4374656e 6002 000a 8004 7002 4161 800d 800b 8007 8005" },
  { "[18446744073709551616]", "24000000805f 6001 8004 8002" },
  { "18446744073709551615", "1fffffffffffffffff 00 8005" }, { "-9223372036854775808", "170000000000000080 00 8005" },
  { " 3000 ", "19b80b 00 8002" }, { "40000", "19409c 00 8002" }, { "-40000", "12c063ff 8002" },
  { "-0.0", "240000000080 8003" }, { '"\\u0000x"', "420078 00 8002" },
}

function TestBinary:test_compatible_examples()
  for _, example in ipairs(examples) do
    for _, codec in ipairs(B.codecs) do
      T.same(B.hex(codec.from_json(example[1], compatible)), (example[2]:gsub(" ", "")), example[1])
      T.same(codec.check(bytes(example[2])), true, example[1])
    end
  end
end

-- What compact documents hold is the same; they are documents too.
function TestBinary:test_compact_means_the_same()
  for _, example in ipairs(examples) do
    local compact = fleece.from_json(example[1])
    T.same(fleece.check(compact), true, example[1])
    T.same(fleece.to_json(compact), fleece.to_json(bytes(example[2])), example[1])
  end
end

-- Strings, numbers and equal collections are there once.
function TestBinary:test_compact_shares()
  local long = ("x"):rep(1000)
  local text = '["' .. long .. '","' .. long .. '","' .. long .. '"]'
  lu.assertTrue(#fleece.from_json(text) < 1100)
  lu.assertTrue(#fleece.from_json(text, compatible) > 3000) -- only strings of 2 to 15 bytes are pooled
  lu.assertTrue(#fleece.from_json("[[123456,1.25],[123456,1.25],[123456,1.25],[123456,1.25]]") <
                #fleece.from_json("[[123456,1.25],[123456,1.25],[123456,1.25],[123456,1.25]]", compatible))
end

-- A string out of a narrow pointer's reach is written again; that must not take a collection out of reach that was
-- just within it: a collection is not written again. The filler moves it over that border.
function TestBinary:test_compact_writes_again()
    local list, x = "[7,7,7,7,7,7,7,7,7]", ("x"):rep(32000)
    for filler = 31400, 31900, 2 do
        local text = ('["ab","%s",%s,"%s",["ab",0,0,0,0,0,0,%s]]'):format(x:sub(1, 1500), list, x:sub(1, filler), list)
        local document = fleece.from_json(text)
        T.same(fleece.check(document), true, filler)
        T.same(fleece.to_json(document), text, filler)
    end
end

function TestBinary:test_from_json_is_strict()
  for _, text in ipairs { "", " ", "[1,]", "[01]", "[1] 2", "{a:1}", '["\t"]', "[NaN]", "nul", '"\\ud800"', '["a" "b"]', "/**/1" } do
    for _, options in ipairs { {}, compatible } do
      for _, codec in ipairs(B.codecs) do T.raises(codec.from_json, text, options) end
      local value, message, position = T.safe.from_json(text, options)
      lu.assertEquals({ value, type(message), type(position) }, { nil, "string", "number" })
    end
  end
  -- The message is that of decode.
  local _, message, position = T.safe.decode("[1, nope]")
  local _, message2, position2 = T.safe.from_json("[1, nope]")
  T.same(message2, message)
  T.same(position2, position)
end

function TestBinary:test_from_json_leniently()
  T.same(fleece.to_json(fleece.from_json("[1,/*x*/2,]", { comments = true, trailing_commas = true })), "[1,2]")
  T.same(fleece.to_json(fleece.from_json("{a:0x10,'b':+1,}", { json5 = true })), '{"a":16,"b":1}')
end

-- Text is UTF-8 (RFC 8259, section 8.1). The reference does not look, so neither does the mode that writes its bytes.
function TestBinary:test_from_json_utf8()
  T.contains(T.raises(fleece.from_json, '["\255"]'), "UTF-8")
  T.same(B.hex(fleece.from_json('["\255"]', compatible)), "600141ff8002")
  T.contains(T.raises(fleece.to_json, bytes "6001 41ff 8002"), "UTF-8")
  T.same(fleece.to_json(bytes "6001 41ff 8002", { invalid_utf8 = "replace" }), '["\239\191\189"]')
  T.same(fleece.to_json(bytes "6001 41ff 8002", { invalid_utf8 = "pass" }), '["\255"]')
  T.same(fleece.check(bytes "6001 41ff 8002"), true) -- the format does not ask for it
  B.refused(bytes "6001 41ff 8002", "invalid UTF-8", { check_utf8 = true })
  B.refused(bytes "7001 41ff 0000 8003", "invalid UTF-8", { check_utf8 = true }) -- a key is one too
  T.same(fleece.check(bytes "7001 4161 51ff 8003", { check_utf8 = true }), true, "data is no text")
end

-- Section 7: 100 levels, and one more that is empty; ours: max_depth.
function TestBinary:test_depth()
  local function nested(n, inner) return ("["):rep(n) .. (inner or "") .. ("]"):rep(n) end
  T.same(fleece.to_json(fleece.from_json(nested(100, "1"), compatible)), nested(100, "1"))
  T.same(fleece.to_json(fleece.from_json(nested(101), compatible)), nested(101))
  T.contains(T.raises(fleece.from_json, nested(101, "1"), compatible), "deep")
  T.contains(T.raises(fleece.from_json, nested(102), compatible), "deep")
  T.same(fleece.to_json(fleece.from_json(nested(1000))), nested(1000))
  T.contains(T.raises(fleece.from_json, nested(1001)), "deep")
  T.contains(T.raises(fleece.from_json, nested(3), { max_depth = 2 }), "deep")
  -- Lines have an array around them: what is written can be read.
  T.same(fleece.check(fleece.from_json(nested(999) .. nested(999), { lines = true })), true)
  T.contains(T.raises(fleece.from_json, nested(1000), { lines = true }), "nesting too deep at line 1, column 1000")
  T.same(fleece.to_json(fleece.from_json("1 2", { lines = true, max_depth = 1 })), "[1,2]")
  T.contains(T.raises(fleece.from_json, "1 []", { lines = true, max_depth = 1 }), "nesting too deep at line 1, column 3")
  T.contains(T.raises(fleece.lazy, nested(1000), { lines = true }), "nesting too deep")
  T.same(fleece.to_json(fleece.from_json(nested(30000, "1"), { max_depth = 30000 }), { max_depth = 30000 }), nested(30000, "1"))
end

-- The levels that max_depth counts are those of the JSON: of empty collections too, and of collections that are
-- written once and lie in others at different levels.
function TestBinary:test_depth_of_what_is_read()
  local function deep(n, inner) for _ = 1, n do inner = { inner } end return inner end
  local low = deep(4, { 1, 2 })
  local cases = { { {}, 1 }, { { {} }, 2 }, { { a = { b = fleece.object() } }, 3 }, { { {}, { {} } }, 3 }, { { { { {} } }, { 1 } }, 4 },
    { { low, deep(3, low) }, 9 }, { { deep(3, low), low }, 9 }, { { low, deep(3, low), { deep(3, low) }, { { { deep(3, low) } } } }, 12 },
    { { { {} }, { { { {} } } } }, 5 } }
  for _, case in ipairs(cases) do
    local value, levels = case[1], case[2]
    local packed, text = fleece.pack(value), fleece.encode(value)
    for _, b in ipairs { packed, fleece.from_json(text), fleece.from_json(text, compatible) } do
      for depth = math.max(1, levels - 3), levels + 1 do
        local fine, what = depth >= levels, text .. ", " .. depth
        T.same(fleece.check(b, { max_depth = depth }) == true, fine, what)
        T.same(pcall(fleece.open, b, { max_depth = depth }), fine, what)
        T.same(pcall(fleece.unpack, b, { max_depth = depth }), fine, what)
        T.same(pcall(fleece.to_json, b, { max_depth = depth }), fine, what)
        T.same(pcall(fleece.decode, text, { max_depth = depth }), fine, what)
      end
    end
  end
  -- Each link is short enough, the chain of them is not.
  local one = deep(400, { 1, 2 })
  local two = deep(400, one)
  local three = deep(400, two)
  B.refused(fleece.pack({ one, two, three }, { max_depth = 5000 }), "nesting too deep")
  T.same(fleece.check(fleece.pack { one, two }), true)
end

---------------------------------------------------------------------------------------------- to_json

function TestBinary:test_to_json_numbers()
  -- Section 13: a double keeps looking like one, so that reading the text again gives the same document.
  for text, binary in pairs {
    ["1.0"] = "2400 0000803f 8003", ["0.5"] = "2000 0000003f 8003", ["-0.0"] = "2400 00000080 8003",
    ["9007199254740992.0"] = "2800 0000000000004043 8005", ["9.007199254740994e+15"] = "2800 0100000000004043 8005",
    ["0.0001"] = "2800 2d431cebe2361a3f 8005", ["1e-05"] = "2800 f168e388b5f8e43e 8005",
    ["16777216.0"] = "2000 0000804b 8003", ["1.6777218e+07"] = "2000 0100804b 8003",
    ["0.1"] = "2000 cdcccc3d 8003", ["3.141592653589793"] = "2800 182d4454fb210940 8005",
    ["18446744073709551615"] = "1fff ffffffffffffff 00 8005",
  } do B.reads(bytes(binary), text) end
  for _, infinite in ipairs { "2800 000000000000f07f 8005", "2000 000080ff 8003" } do
    T.same(fleece.check(bytes(infinite)), true)
    T.contains(T.raises(fleece.to_json, bytes(infinite)), "infinite")
    T.same(fleece.to_json(bytes(infinite), { invalid_numbers = "null" }), "null")
  end
  T.contains(T.raises(fleece.to_json, bytes "2800 000000000000f87f 8005"), "NaN")
  T.same(fleece.to_json(bytes "2800 000000000000f87f 8005", { invalid_numbers = "literal" }), "NaN")
end

function TestBinary:test_to_json_kinds()
  B.reads(bytes "53ff00fe 8002", '"/wD+"') -- data: RFC 4648, section 4
  B.reads(bytes "5000", '""')
  B.reads(bytes "51ff", '"/w=="')
  B.reads(bytes "3c00", "null") -- undefined is no JSON
  B.reads(bytes "6002 3c00 0001 8003", "[null,1]")
  B.reads(bytes "7002 4161 3c00 4162 0001 8005", '{"b":1}') -- and in a dict it is absent
  B.reads(bytes "7001 4161 3c00 8003", "{}")
  B.reads(bytes "4162 6002 8002 8003 8003", '["b","b"]')
end

function TestBinary:test_to_json_options()
  local text = '{"b":[1,{}],"a":{"$x":null,"1y":[]},"c d":"/\\u007f\195\169<"}'
  local doc = fleece.from_json(text)
  for _, document in ipairs { doc, fleece.open(doc), fleece.open(doc).root, fleece.lazy(text) } do
    T.same(fleece.to_json(document, { canonical = true }), '{"a":{"$x":null,"1y":[]},"b":[1,{}],"c d":"/\127\195\169<"}')
    T.same(fleece.to_json(document, { canonical = true, indent = 1 }),
      '{\n "a": {\n  "$x": null,\n  "1y": []\n },\n "b": [\n  1,\n  {}\n ],\n "c d": "/\127\195\169<"\n}')
    T.same(fleece.to_json(document, { canonical = true, json5 = true }), '{a:{$x:null,"1y":[]},b:[1,{}],"c d":"/\127\195\169<"}')
    T.same(fleece.to_json(document, { canonical = true, ascii = true, escape_slash = true, html = true }),
      '{"a":{"$x":null,"1y":[]},"b":[1,{}],"c d":"\\/\127\\u00e9\\u003c"}')
  end
  T.same(fleece.to_json(fleece.open(doc):get("b"), { indent = "\t" }), "[\n\t1,\n\t{}\n]")
  T.same(fleece.new { indent = 1 }.to_json(doc):sub(1, 3), "{\n ", "a codec's own")
end

-- Canonical: by bytes, also where the document has the order of codes.
function TestBinary:test_canonical_with_shared_keys()
  local keys = fleece.keys()
  local doc = fleece.from_json('{"z":1,"a":{"y":2,"b":3},"long name, not shared":4}', { keys = keys })
  T.same(fleece.to_json(doc, { keys = keys, canonical = true }), '{"a":{"b":3,"y":2},"long name, not shared":4,"z":1}')
  T.same(#keys, 4)
  T.contains(T.raises(fleece.to_json, doc, { keys = false }), "a key is a code") -- nobody knows the names
end

---------------------------------------------------------------------------------------------- check

function TestBinary:test_check_rules()
  -- Section 8, rule by rule; MUST of ours where it says so.
  B.refused("", "length must be even")
  B.refused("\0", "length must be even")
  B.refused(bytes "6000 30", "length must be even")
  B.refused(bytes "3000 3000", "does not lead to a root") -- rule 1, section 5: no pointer, yet more than two bytes
  B.refused(bytes "8000", "pointer out")
  B.refused(bytes "8001", "pointer out")
  B.refused(bytes "3000 8002", "pointer out") -- before the start
  B.refused(bytes "6001 8000 8002", "pointer out") -- offset 0
  B.refused(bytes "6001 8002 8002", "pointer out")
  B.refused(bytes "6002 3000 8002", "past its end") -- one item is missing
  B.refused(bytes "7001 4161 8002", "past its end") -- the value is
  B.refused(bytes "4361 8001", "past its end") -- ours: the root must end before the trailer
  B.refused(bytes "6801 3000 8002", "past its end") -- a wide item
  B.refused(bytes "4461 6001 8002 8002", "past its end") -- a string ends behind the item that leads to it
  B.reads(bytes "4361 6001 8002 8002", '["a`\\u0001"]') -- and right before it
  B.refused(bytes "6001 4261 8002", "past its end") -- two bytes do not fit a narrow slot
  B.reads(bytes "6801 42616200 8003", '["ab"]') -- but a wide one
  B.reads(bytes "6801 43616263 8003", '["abc"]')
  B.refused(bytes "6801 44616263 8003", "past its end")
  B.reads(bytes "6801 12ffff7f 8003", "[8388607]") -- integers to three bytes
  B.refused(bytes "6801 13ffff7f 8003", "past its end")
  B.reads(bytes "6801 6001 0005 8003", "[[5]]") -- a narrow array of one item
  B.refused(bytes "6801 6002 0005 8003", "past its end")
  B.reads(bytes "6803 60010001 60010002 60010003 8007", "[[1],[2],[3]]")
  B.refused(bytes "1300 8001", "past its end")
  B.refused(bytes "2800 0000 8002", "past its end")
  B.refused(bytes "7001 3000 0001 8003", "neither a string nor a code")
  B.refused(bytes "7001 6000 0001 8003", "neither a string nor a code")
  B.refused(bytes "7001 5161 0001 8003", "neither a string nor a code") -- data is no key
  B.refused(bytes "7001 0fff 0001 8003", "neither a string nor a code") -- -1
  B.refused(bytes "7001 0801 0001 8003", "neither a string nor a code") -- -2047
  B.refused(bytes "7001 0800 0005 8003", "parent is not a dict")
  B.refused(bytes "7001 0800 6000 8003", "parent is not a dict")
  B.reads(bytes "7001 0800 7000 8003", "{}")
  B.refused(bytes "7002 4162 0001 4161 0002 8005", "not in order")
  B.refused(bytes "7002 4161 0001 0005 0002 8005", "not in order") -- codes before strings
  B.reads(bytes "7002 4161 0001 4161 0002 8005", '{"a":1,"a":2}') -- as the reference writes twice the same name
  B.refused(bytes "7002 0005 0001 0800 7000 8005", "neither a string nor a code") -- a parent comes first
end

function TestBinary:test_check_lengths()
  -- Section 1: varints of up to ten bytes, below 2^32; longer forms than needed are fine.
  B.reads(bytes "4f00 8001", '""')
  B.reads(bytes "4f8000 00 8002", '""')
  B.reads(bytes "4f03616263 00 8003", '"abc"')
  B.reads(bytes "4f8380808080808080 00 616263 00 8007", '"abc"')
  B.refused(bytes "4f80808080808080808080 00 8006", "bad length") -- eleven bytes
  B.refused(bytes "4fffffffffff 0f 00 8004", "bad length") -- above 2^32
  B.refused(bytes "4fffffffff 0f 8003", "past its end")
  B.refused(bytes "4f80 8001", "bad length") -- it ends in the pointer
  B.refused(bytes "67ff ffffffffff0f 8004", "bad length")
  B.refused(bytes "67ff 0000 8002", "past its end")
  -- A header at the end of an item's slot: its length would be read from behind (section 20).
  B.refused(bytes "6001 4fff 8002", "bad length")
  B.refused(bytes "6801 4f03 6162 8003", "past its end")
  B.reads(bytes "6801 4f026162 8003", '["ab"]')
end

-- 2047 items and more: the count goes on in a varint, padded to even.
function TestBinary:test_long_counts()
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

-- Section 3: narrow pointers reach 32,766 bytes; then collections and the root are wide. Both lengths of a filler around that.
function TestBinary:test_reach()
  for filler = 32700, 32800 do
    local text = '["hi","' .. ("x"):rep(filler) .. '"]'
    local doc = fleece.from_json(text, compatible)
    T.same(fleece.to_json(doc), text)
    if filler == 32756 then T.same(B.hex(doc:sub(-8)), "6002bfffbffe8003") end
    if filler == 32757 or filler == 32758 then T.same(B.hex(doc:sub(-12)), "680280004000800040008005") end
    T.same(fleece.to_json(fleece.from_json(text)), text)
  end
  for n = 16370, 16390 do -- the root itself
    local text = "[" .. ("1,"):rep(n - 1) .. "1]"
    local doc = fleece.from_json(text, compatible)
    T.same(fleece.to_json(doc), text)
    if n == 16382 then T.same(B.hex(doc:sub(-6)), "800040008002") end
    T.same(fleece.open(doc).root[n], 1)
  end
end

-- Before there were extern pointers, narrow ones had 15 bits of offset (section 3).
function TestBinary:test_old_pointers()
  for _, n in ipairs { 32764, 40000, 65520 } do
    local body = "\65\97\79" .. string.char(n % 128 + 128, math.floor(n / 128) % 128 + 128, math.floor(n / 16384)) .. ("x"):rep(n)
    local back = #body / 2 + 1
    local doc = body .. "\96\1" .. string.char(128 + math.floor(back / 256), back % 256) .. "\128\2"
    B.reads(doc, '["a"]')
    T.same(fleece.open(doc).root[1], "a")
  end
end

-- An error is where it is: the byte, counted from 1.
function TestBinary:test_check_position()
  for binary, position in pairs {
    ["4162 6002 0001 8009 8003"] = 7, ["7002 4162 0001 4161 0002 8005"] = 7, ["6002 0001 4261 8003"] = 5,
  } do
    local ok, message, at = fleece.check(bytes(binary))
    T.same(ok, nil)
    T.same(at, position, message)
    local doc, message2, at2 = T.safe.open(bytes(binary))
    lu.assertEquals({ doc, message2, at2 }, { nil, message, position })
    doc, message2, at2 = T.safe.to_json(bytes(binary))
    lu.assertEquals({ doc, message2, at2 }, { nil, message, position })
  end
end

-- Work and results are bounded, however values are shared.
function TestBinary:test_check_bounds()
  -- Overlapping collections: wide arrays whose slots hold the headers of further ones.
  local n = 1000
  local slots = {}
  for i = 1, n do slots[i] = string.char(0, 0, 0x63, 0xe8) end -- each slot's second half: an array of 1000 items
  local doc = string.char(0x6b, 0xe8) .. table.concat(slots)
  local items = {}
  for i = 1, 500 do
    local back = (#doc + 2 + 2 * (i - 1) - (4 * i)) / 2
    items[i] = string.char(0x80 + math.floor(back / 256), back % 256)
  end
  doc = doc .. string.char(0x61, 0xf4) .. table.concat(items) .. string.char(0x80 + math.floor(1002 / 2 / 256), 1002 / 2 % 256)
  T.same(T.soon(1, fleece.check, doc), nil)
  -- Sixteen parents at most.
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

-- Dicts whose keys are the same strings as those of a dict before them: found good only if they are in order, whatever
-- that one was. The four strings "a" to "d" are the document's first; a key is one of them, or the same letter in its
-- slot.
function TestBinary:test_check_keys_of_two_dicts()
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
  -- The distance to the string does not fit: the highest bit of its number is the mark of a pointer into the base. Where
  -- there is none it is read as of old, with 15 bits (section *Pointers*).
  local far = "\65a" .. ("\0"):rep(24574) .. bytes "7001 b001 0000" .. ("\0"):rep(10234) .. bytes "7001 c401 0000" ..
    bytes "6002 9404 8005 8003"
  T.same(fleece.check(far), true)
  B.refused(far, "pointer out", { base = fleece.open(bytes "6000") })
  -- Of the second dict the values are looked at all the same: a string of six bytes where there is room for five, and
  -- what should be a parent.
  T.same(fleece.check(bytes "7001 4161 0000 4561 7001 4161 8003 6002 8008 8005 8003"), true)
  B.refused(bytes "7001 4161 0000 4661 7001 4161 8003 6002 8008 8005 8003", "past its end")
  T.same(fleece.check(bytes "7001 4161 0000 7001 0800 8005 7001 0800 8008 6002 8007 8005 8003"), true)
  B.refused(bytes "7001 4161 0000 7001 0800 8005 7001 0800 0005 6002 8007 8005 8003", "parent is not a dict")
  -- A string that ends in time for the dict that is looked at first, but not for the other one, which lies inside it.
  B.refused(bytes "4761 7001 8002 0001 7001 8005 0001 6002 8004 8008 8003", "past its end")
  T.same(fleece.check(bytes "4761 7001 8002 0001 7001 8005 0001 6001 8004 8002"), true)
end

---------------------------------------------------------------------------------------------- shared keys

function TestBinary:test_keys()
  local keys = fleece.keys()
  T.same(#keys, 0)
  T.same(B.hex(keys:save()), "6000")
  T.same(keys:add "zero", 0)
  T.same(keys:add "a", 1)
  T.same(keys:add "zero", 0)
  T.same(keys:add("seventeen bytes.."), nil) -- section 12
  T.same(keys:add "two words", nil)
  T.same(keys:add "caf\195\169", nil)
  T.same(keys:add "", 2)
  T.same(keys:code "a", 1)
  T.same(keys:code "b", nil)
  T.same(keys:name(0), "zero")
  for _, code in ipairs { 3, -1, 0.5, 1e300 } do T.same(keys:name(code), nil) end
  T.same(#keys, 3)
  local doc = fleece.from_json('{"b":1,"a":2,"a.b":3}', { keys = keys })
  T.same(keys:code "b", 3)
  T.same(fleece.to_json(doc, { keys = keys }), '{"a":2,"b":1,"a.b":3}')
  local again = fleece.keys(keys:save())
  T.same(again:save(), keys:save())
  local root = fleece.open(doc, { keys = again }).root
  lu.assertEquals({ root.a, root.b, root["a.b"], root.c, #root }, { 2, 1, 3, nil, 3 })
  -- A list that is too short: the reader is told. Who wants no list says so: then codes stay numbers.
  B.refused(doc, "code without a shared key", { keys = fleece.keys(bytes "6001 4161 8002") })
  local names = {}
  for name, value in fleece.pairs(fleece.open(doc, { keys = false }).root) do names[name] = value end
  lu.assertEquals(names, { [1] = 2, [3] = 1, ["a.b"] = 3 })
  -- A list may grow while a document of it is open.
  keys:add "later"
  T.same(fleece.open(doc, { keys = keys }).root.later, nil)
end

function TestBinary:test_keys_are_2048()
  local keys = fleece.keys()
  for i = 0, 2047 do T.same(keys:add("k" .. i), i) end
  T.same(keys:add "more", nil)
  T.same(keys:code "k2047", 2047)
  local doc = fleece.from_json('{"k2047":1,"more":2}', { keys = keys })
  T.same(fleece.to_json(doc, { keys = keys }), '{"k2047":1,"more":2}')
  T.same(fleece.keys(keys:save()):name(2047), "k2047")
end

function TestBinary:test_keys_of_bad_state()
  for _, state in ipairs { bytes "0005", bytes "6001 0005 8002", bytes "6002 4161 4161 8003", bytes "7000",
    fleece.from_json '["too long to be a key"]', fleece.from_json '["two words"]' } do
    T.bad_argument(1, "not a saved state", "keys", state)
  end
  T.contains(T.raises(fleece.keys, "nonsense"), "at byte")
  local keys, message = T.safe.keys "odd"
  T.same(keys, nil)
  T.contains(message, "not a document")
  T.bad_argument(1, "", "keys", {})
end

-- Written by the encoder and by from_json alike.
function TestBinary:test_keys_in_encoders()
  local keys = fleece.keys()
  local doc = fleece.encoder { keys = keys, mode = "compatible" }:dict():key "name":integer(1):close():finish()
  T.same(B.hex(doc), "7001000000018003")
  T.same(fleece.to_json(doc, { keys = keys }), '{"name":1}')
end

---------------------------------------------------------------------------------------------- arguments

function TestBinary:test_arguments()
  for _, name in ipairs { "from_json", "open", "check", "open_file", "lazy" } do
    T.bad_argument(1, "string expected", name)
    T.bad_argument(1, "string expected", name, {})
    T.bad_argument(2, "unknown option 'nonsense'", name, "6000", { nonsense = 1 })
    T.bad_argument(2, "table expected", name, "6000", 5)
    T.bad_argument(2, "option names must be strings", name, "6000", { 1 })
    T.bad_argument(2, "option 'max_depth'", name, "6000", { max_depth = 0 })
    T.bad_argument(2, "option 'keys'", name, "6000", { keys = "no" })
  end
  T.bad_argument(1, "expected", "to_json")
  T.bad_argument(1, "expected", "to_json", 5)
  T.bad_argument(1, "expected", "to_json", {})
  T.bad_argument(1, "expected", "to_json", io.stdout)
  T.bad_argument(2, "unknown option 'nonsense'", "to_json", "6000", { nonsense = 1 })
  T.bad_argument(2, "option 'mode'", "from_json", "1", { mode = "small" })
  T.bad_argument(2, "option 'trusted'", "open", "1", { trusted = 1 })
  T.bad_argument(2, "option 'map'", "open_file", "1", { map = "yes" })
  T.bad_argument(2, "option 'check_utf8'", "check", "1", { check_utf8 = "yes" })
  T.bad_argument(2, "option 'duplicates'", "from_json", "1", { duplicates = "error" })
  T.bad_argument(1, "string expected", "data", {})
  T.bad_argument(1, "string expected", "path", {})
  T.bad_argument(1, "not a key path", "path", "a[")
  T.bad_argument(1, "", "type")
  T.bad_argument(1, "", "get", {})
end

-- One table of options may serve all functions, as it does elsewhere.
function TestBinary:test_options_of_others()
  local options = { mode = "compatible", canonical = true, indent = 2, json5 = true, comments = true, sort_keys = true,
    check_utf8 = true, map = false, trusted = false, max_depth = 100, null = false, big_numbers = "string" }
  local doc = fleece.from_json("[1,]", options)
  T.same(doc, bytes "6001 0001 8002")
  T.same(fleece.check(doc, options), true)
  T.same(fleece.to_json(fleece.open(doc, options), options), "[\n  1\n]")
  local codec = fleece.new(options)
  T.same(codec.from_json "[1,]", doc)
  T.same(codec.from_json "[2048,2048]", bytes "190008 00 190008 00 6002 8005 8004 8003")
end

-- What a codec froze holds for its binary functions, unless a call says otherwise.
function TestBinary:test_options_of_codecs()
  local bad_text, bad_order = bytes "41ff 8001", bytes "7002 4162 0001 4161 0002 8005"
  T.same(fleece.check(bad_text), true)
  T.same(fleece.new { check_utf8 = true }.check(bad_text), nil)
  T.same(fleece.new { check_utf8 = true }.check(bad_text, { check_utf8 = false }), true)
  T.same(fleece.check(bad_order), nil)
  local trusting = fleece.new { trusted = true }
  T.same(trusting.open(bad_order).root[1], nil)
  T.same(#trusting.open(bad_order).root, 2)
  T.raises(trusting.open, bad_order, { trusted = false })
  local keys = fleece.keys()
  local doc = fleece.from_json('{"b":1,"a":2}', { keys = keys })
  T.same(fleece.to_json(doc, { keys = keys }), '{"b":1,"a":2}', "in the order of codes")
  T.same(fleece.new { canonical = true }.to_json(doc, { keys = keys }), '{"a":2,"b":1}')
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(doc)
  file:close()
  T.same(fleece.new { map = false }.open_file(path, { keys = keys }).root.a, 2)
  os.remove(path)
  for name, value in pairs { keys = keys, base = fleece.open(doc, { keys = keys }), path = "a", pointer = "/a" } do
    T.bad_argument(1, "given to each call", "new", { [name] = value })
  end
end

-- Big integers: exact in the document and in its text, whatever numbers this Lua has.
function TestBinary:test_big_integers()
  local text = "[9223372036854775807,-9223372036854775808,18446744073709551615,9007199254740993,-9007199254740993]"
  local doc = fleece.from_json(text)
  T.same(fleece.to_json(doc), text)
  local root = fleece.open(doc).root
  if T.integers then
    T.same(root[1], math.maxinteger)
    T.same(root[2], math.mininteger)
    T.same(root[4], 9007199254740993)
  else
    T.same(root[1], 9223372036854775807)
    T.same(root[2], -9223372036854775808)
    T.same(root[4], 9007199254740992)
  end
  T.same(root[3], 18446744073709551616.0, "the nearest double")
end
