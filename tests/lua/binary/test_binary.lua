-- SPDX-License-Identifier: MIT
-- test_binary.lua -- JSON to binary and back, shared keys: documents written by hand, with the reason for their bytes.
-- Section numbers are those of the format's specification. Documents are tested in test_binary_documents.lua, views in
-- test_binary_views.lua.

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece
local bytes = B.bytes

TestBinary = {}

local compatible = { mode = "compatible" }

local function hex_of(json, options) return B.hex(fleece.from_json(json, options)) end

---------------------------------------------------------------------------------------------- from_json

-- The examples of section 21, and each kind of section 2. In compatible mode the bytes are prescribed.
local examples = {
  { text = "[]", bytes = "6000" },
  { text = "{}", bytes = "7000" },
  { text = "null", bytes = "3000" },
  { text = "true", bytes = "3800" },
  { text = "false", bytes = "3400" },
  { text = '""', bytes = "4000" },
  { text = '"a"', bytes = "4161" },
  { text = "0", bytes = "0000" },
  { text = "-1", bytes = "0fff" },
  { text = "2047", bytes = "07ff" },
  { text = "-2048", bytes = "0800" },
  { text = "[null]", bytes = "6001 3000 8002" },
  { text = '{"f":42}', bytes = "7001 4166 002a 8003" },
  { text = '["a","hello","a","hello"]', bytes = "4568656c6c6f 6004 4161 8005 4161 8007 8005" },
  { text = "[2048]", bytes = "190008 00 6001 8003 8002" },
  { text = "[-2049]", bytes = "11fff7 00 6001 8003 8002" },
  { text = "[65536]", bytes = "1a000001 6001 8003 8002" },
  { text = "[1.5]", bytes = "24000000c03f 6001 8004 8002" },
  { text = "[0.1]", bytes = "28009a9999999999b93f 6001 8006 8002" },
  { text = '["abcdefghijklmno"]', bytes = "4f0f6162636465666768696a6b6c6d6e6f 00 6001 800a 8002" },
  { text = "[[1],[2,3]]", bytes = "6001 0001 6002 0002 0003 6002 8006 8005 8003" },
  { text = '{"b":1,"a":"xy"}', bytes = "427879 00 7002 4161 8004 4162 0001 8005" },
  {
    text = '{"a":{"a":1},"list":[10,"ten"]}',
    bytes = "7001 4161 0001 446c697374 00 4374656e 6002 000a 8004 7002 4161 800d 800b 8007 8005",
  },
  { text = "[18446744073709551616]", bytes = "24000000805f 6001 8004 8002" },
  { text = "18446744073709551615", bytes = "1fffffffffffffffff 00 8005" },
  { text = "-9223372036854775808", bytes = "170000000000000080 00 8005" },
  { text = " 3000 ", bytes = "19b80b 00 8002" },
  { text = "40000", bytes = "19409c 00 8002" },
  { text = "-40000", bytes = "12c063ff 8002" },
  { text = "-0.0", bytes = "240000000080 8003" },
  { text = '"\\u0000x"', bytes = "420078 00 8002" },
}

function TestBinary:test_compatible_examples()
  T.each(examples, function(example)
    for _, codec in ipairs(B.codecs) do
      T.same(B.hex(codec.from_json(example.text, compatible)), (example.bytes:gsub(" ", "")), example.text)
      T.same(codec.check(bytes(example.bytes)), true, example.text)
    end
  end)
end

-- Compact documents are valid and have the same contents.
function TestBinary:test_compact_means_the_same()
  T.each(examples, function(example)
    local compact = fleece.from_json(example.text)
    T.same(fleece.check(compact), true, example.text)
    T.same(fleece.to_json(compact), fleece.to_json(bytes(example.bytes)), example.text)
  end)
end

-- Equal strings, numbers and collections are written once.
function TestBinary:test_compact_shares()
  local long = ("x"):rep(1000)
  local text = '["' .. long .. '","' .. long .. '","' .. long .. '"]'
  lu.assertTrue(#fleece.from_json(text) < 1100)
  lu.assertTrue(#fleece.from_json(text, compatible) > 3000) -- only strings of 2 to 15 bytes are pooled
  lu.assertTrue(#fleece.from_json("[[123456,1.25],[123456,1.25],[123456,1.25],[123456,1.25]]") <
                #fleece.from_json("[[123456,1.25],[123456,1.25],[123456,1.25],[123456,1.25]]", compatible))
end

-- A string beyond a narrow pointer's reach is written again, but a collection is not. Writing a string again must not
-- put a collection out of reach that was just within it. The filler moves the collection across that limit.
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
  for _, text in ipairs { "", " ", "[1,]", "[01]", "[1] 2", "{a:1}", '["\t"]', "[NaN]", "nul", '"\\ud800"', '["a" "b"]',
    "/**/1" } do
    for _, options in ipairs { {}, compatible } do
      for _, codec in ipairs(B.codecs) do T.error_of(codec.from_json, text, options) end
      local value, message, position = T.safe.from_json(text, options)
      lu.assertEquals({ value, type(message), type(position.byte) }, { nil, "string", "number" })
    end
  end
  -- The message is the same as decode's.
  local _, message, position = T.safe.decode("[1, nope]")
  local _, message2, position2 = T.safe.from_json("[1, nope]")
  T.same(message2, message)
  T.equal(position2, position)
end

function TestBinary:test_from_json_leniently()
  T.same(fleece.to_json(fleece.from_json("[1,/*x*/2,]", { comments = true, trailing_commas = true })), "[1,2]")
  T.same(fleece.to_json(fleece.from_json("{a:0x10,'b':+1,}", { json5 = true })), '{"a":16,"b":1}')
end

-- Text is UTF-8 (RFC 8259, section 8.1). The reference does not check that, so compatible mode does not either.
function TestBinary:test_from_json_utf8()
  T.raises_with("UTF-8", fleece.from_json, '["\255"]')
  T.same(B.hex(fleece.from_json('["\255"]', compatible)), "600141ff8002")
  T.raises_with("UTF-8", fleece.to_json, bytes "6001 41ff 8002")
  T.same(fleece.to_json(bytes "6001 41ff 8002", { invalid_utf8 = "replace" }), '["\239\191\189"]')
  T.same(fleece.to_json(bytes "6001 41ff 8002", { invalid_utf8 = "pass" }), '["\255"]')
  T.same(fleece.check(bytes "6001 41ff 8002"), true) -- the format does not require UTF-8
  B.refused(bytes "6001 41ff 8002", "invalid UTF-8", { check_utf8 = true })
  B.refused(bytes "7001 41ff 0000 8003", "invalid UTF-8", { check_utf8 = true }) -- keys are text too
  T.same(fleece.check(bytes "7001 4161 51ff 8003", { check_utf8 = true }), true, "data is not text")
end

-- Section 7: 100 levels, and one more if it is empty; in Fleece's own mode, max_depth.
function TestBinary:test_depth()
  local function nested(n, inner) return ("["):rep(n) .. (inner or "") .. ("]"):rep(n) end
  T.same(fleece.to_json(fleece.from_json(nested(100, "1"), compatible)), nested(100, "1"))
  T.same(fleece.to_json(fleece.from_json(nested(101), compatible)), nested(101))
  T.raises_with("deep", fleece.from_json, nested(101, "1"), compatible)
  T.raises_with("deep", fleece.from_json, nested(102), compatible)
  T.same(fleece.to_json(fleece.from_json(nested(1000))), nested(1000))
  T.raises_with("deep", fleece.from_json, nested(1001))
  T.raises_with("deep", fleece.from_json, nested(3), { max_depth = 2 })
  -- With `lines` there is an array around the documents, which counts as a level.
  T.same(fleece.check(fleece.from_json(nested(999) .. nested(999), { lines = true })), true)
  T.raises_with("nesting too deep at line 1, column 1000", fleece.from_json, nested(1000), { lines = true })
  T.same(fleece.to_json(fleece.from_json("1 2", { lines = true, max_depth = 1 })), "[1,2]")
  T.raises_with("nesting too deep at line 1, column 3", fleece.from_json, "1 []", { lines = true, max_depth = 1 })
  T.raises_with("nesting too deep", fleece.lazy, nested(1000), { lines = true })
  T.same(fleece.to_json(fleece.from_json(nested(30000, "1"), { max_depth = 30000 }), { max_depth = 30000 }),
    nested(30000, "1"))
end

-- max_depth counts the levels of the JSON: also of empty collections, and of shared collections that occur at different
-- levels.
function TestBinary:test_depth_of_what_is_read()
  local function deep(n, inner)
    for _ = 1, n do inner = { inner } end
    return inner
  end
  local low = deep(4, { 1, 2 })
  local cases = {
    { value = {}, levels = 1 },
    { value = { {} }, levels = 2 },
    { value = { a = { b = fleece.object() } }, levels = 3 },
    { value = { {}, { {} } }, levels = 3 },
    { value = { { { {} } }, { 1 } }, levels = 4 },
    { value = { low, deep(3, low) }, levels = 9 },
    { value = { deep(3, low), low }, levels = 9 },
    { value = { low, deep(3, low), { deep(3, low) }, { { { deep(3, low) } } } }, levels = 12 },
    { value = { { {} }, { { { {} } } } }, levels = 5 },
  }
  T.each(cases, function(case)
    local value, levels = case.value, case.levels
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
  end)
  -- Each shared collection adds few levels, but together they are too deep.
  local one = deep(400, { 1, 2 })
  local two = deep(400, one)
  local three = deep(400, two)
  B.refused(fleece.pack({ one, two, three }, { max_depth = 5000 }), "nesting too deep")
  T.same(fleece.check(fleece.pack { one, two }), true)
end

---------------------------------------------------------------------------------------------- to_json

function TestBinary:test_to_json_numbers()
  -- Section 13: a double is written in the form of a double, so that its text gives the same document again.
  T.each_pair({
    ["1.0"] = "2400 0000803f 8003",
    ["0.5"] = "2000 0000003f 8003",
    ["-0.0"] = "2400 00000080 8003",
    ["9007199254740992.0"] = "2800 0000000000004043 8005",
    ["9.007199254740994e+15"] = "2800 0100000000004043 8005",
    ["0.0001"] = "2800 2d431cebe2361a3f 8005",
    ["1e-05"] = "2800 f168e388b5f8e43e 8005",
    ["16777216.0"] = "2000 0000804b 8003",
    ["1.6777218e+07"] = "2000 0100804b 8003",
    ["0.1"] = "2000 cdcccc3d 8003",
    ["3.141592653589793"] = "2800 182d4454fb210940 8005",
    ["18446744073709551615"] = "1fff ffffffffffffff 00 8005",
  }, function(text, binary)
    B.reads(bytes(binary), text)
  end)
  for _, infinite in ipairs { "2800 000000000000f07f 8005", "2000 000080ff 8003" } do
    T.same(fleece.check(bytes(infinite)), true)
    T.raises_with("infinite", fleece.to_json, bytes(infinite))
    T.same(fleece.to_json(bytes(infinite), { invalid_numbers = "null" }), "null")
  end
  T.raises_with("NaN", fleece.to_json, bytes "2800 000000000000f87f 8005")
  T.same(fleece.to_json(bytes "2800 000000000000f87f 8005", { invalid_numbers = "literal" }), "NaN")
end

function TestBinary:test_to_json_kinds()
  B.reads(bytes "53ff00fe 8002", '"/wD+"') -- data: RFC 4648, section 4
  B.reads(bytes "5000", '""')
  B.reads(bytes "51ff", '"/w=="')
  B.reads(bytes "3c00", "null") -- JSON has no undefined
  B.reads(bytes "6002 3c00 0001 8003", "[null,1]")
  B.reads(bytes "7002 4161 3c00 4162 0001 8005", '{"b":1}') -- in a dict it is absent
  B.reads(bytes "7001 4161 3c00 8003", "{}")
  B.reads(bytes "4162 6002 8002 8003 8003", '["b","b"]')
end

function TestBinary:test_to_json_options()
  local text = '{"b":[1,{}],"a":{"$x":null,"1y":[]},"c d":"/\\u007f\195\169<"}'
  local doc = fleece.from_json(text)
  for _, document in ipairs { doc, fleece.open(doc), fleece.open(doc).root, fleece.lazy(text) } do
    T.same(fleece.to_json(document, { canonical = true }),
      '{"a":{"$x":null,"1y":[]},"b":[1,{}],"c d":"/\127\195\169<"}')
    T.same(fleece.to_json(document, { canonical = true, indent = 1 }),
      '{\n "a": {\n  "$x": null,\n  "1y": []\n },\n "b": [\n  1,\n  {}\n ],\n "c d": "/\127\195\169<"\n}')
    T.same(fleece.to_json(document, { canonical = true, json5 = true }),
      '{a:{$x:null,"1y":[]},b:[1,{}],"c d":"/\127\195\169<"}')
    T.same(fleece.to_json(document, { canonical = true, ascii = true, escape_slash = true, html = true }),
      '{"a":{"$x":null,"1y":[]},"b":[1,{}],"c d":"\\/\127\\u00e9\\u003c"}')
  end
  T.same(fleece.to_json(fleece.open(doc):get("b"), { indent = "\t" }), "[\n\t1,\n\t{}\n]")
  T.same(fleece.new { indent = 1 }.to_json(doc):sub(1, 3), "{\n ", "a codec's own")
end

-- Canonical text is sorted by bytes, although dicts are sorted by codes.
function TestBinary:test_canonical_with_shared_keys()
  local keys = fleece.keys()
  local doc = fleece.from_json('{"z":1,"a":{"y":2,"b":3},"long name, not shared":4}', { keys = keys })
  T.same(fleece.to_json(doc, { keys = keys, canonical = true }), '{"a":{"b":3,"y":2},"long name, not shared":4,"z":1}')
  T.same(#keys, 4)
  T.raises_with("a key is a code", fleece.to_json, doc, { keys = false }) -- the names are not known
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
  -- If the list is too short, there is an error. With keys = false, codes remain numbers.
  B.refused(doc, "code without a shared key", { keys = fleece.keys(bytes "6001 4161 8002") })
  local names = {}
  for name, value in fleece.pairs(fleece.open(doc, { keys = false }).root) do names[name] = value end
  lu.assertEquals(names, { [1] = 2, [3] = 1, ["a.b"] = 3 })
  -- A list may grow while a document that uses it is open.
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
  T.raises_with("at byte", fleece.keys, "nonsense")
  T.fails_with("not a document", T.safe.keys, "odd")
  T.bad_argument(1, "", "keys", {})
end

-- The encoder writes the same bytes as from_json.
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
    T.bad_argument(2, "options expected, got a list", name, "6000", { 1 })
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

-- A codec's options may be for any functions; a call accepts only options that have an effect there.
function TestBinary:test_options_of_others()
  local options = {
    mode = "compatible",
    canonical = true,
    indent = 2,
    json5 = true,
    comments = true,
    sort_keys = true,
    check_utf8 = true,
    map = false,
    trusted = false,
    max_depth = 100,
    numeric_keys = true,
    big_numbers = "string",
  }
  local codec = fleece.new(options)
  local doc = codec.from_json "[1,]"
  T.same(doc, bytes "6001 0001 8002")
  T.same(codec.check(doc), true)
  T.same(codec.to_json(codec.open(doc)), "[\n  1\n]")
  for _, name in ipairs { "from_json", "check", "open", "to_json", "pack", "unpack", "lazy", "dump" } do
    T.bad_argument(2, "has no effect here", name, doc, options)
  end
  T.bad_argument(1, "has no effect here", "encoder", options)
  T.same(codec.from_json "[2048,2048]", bytes "190008 00 190008 00 6002 8005 8004 8003")
end

-- A codec's options apply to its binary functions, unless the call has its own.
function TestBinary:test_options_of_codecs()
  local bad_text, bad_order = bytes "41ff 8001", bytes "7002 4162 0001 4161 0002 8005"
  T.same(fleece.check(bad_text), true)
  T.same(fleece.new { check_utf8 = true }.check(bad_text), nil)
  T.same(fleece.new { check_utf8 = true }.check(bad_text, { check_utf8 = false }), true)
  T.same(fleece.check(bad_order), nil)
  local trusting = fleece.new { trusted = true }
  T.same(trusting.open(bad_order).root[1], nil)
  T.same(#trusting.open(bad_order).root, 2)
  T.error_of(trusting.open, bad_order, { trusted = false })
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
  -- values of Lua that a codec keeps
  local sharing = fleece.new { keys = keys, path = "b" }
  T.same(sharing.pack { a = 2, b = 1 }, fleece.pack({ a = 2, b = 1 }, { keys = keys }))
  T.same(sharing.to_json(doc), "1")
  T.same(sharing.to_json(doc, { path = "a" }), "2")
  T.same(sharing.unpack(doc).a, 2)
  T.same(sharing.open(doc).root.b, 1)
  T.same(fleece.new { keys = keys, pointer = "/a" }.new {}.to_json(doc), "2")
  T.same(sharing.from_json('{"c":1}', { keys = false }), fleece.from_json '{"c":1}')
  T.same(sharing.new { keys = false }.from_json '{"c":1}', fleece.from_json '{"c":1}')
  local base = fleece.open(fleece.pack { gold = 10 })
  local change = base:amend(function(m) m.gold = 25 end, { extern = true })
  T.same(fleece.new { base = base }.open(change).root.gold, 25)
  for name, value in pairs { keys = true, base = "x", path = 1, pointer = {} } do
    T.bad_argument(1, "option '" .. name .. "' must be", "new", { [name] = value })
  end
end

-- Big integers are exact in the document and its text, whatever numbers this Lua has.
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
