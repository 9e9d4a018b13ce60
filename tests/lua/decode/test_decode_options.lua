-- SPDX-License-Identifier: MIT
-- test_decode_options.lua -- each option of decode: what it changes and what it refuses.

local T = require "support"
local D = require "decoding"
local lu, fleece, same = T.lu, T.fleece, T.same

TestDecodeOptions = {}

local bad_values = {
  arrays = { 1, "x", true, "marked|plain" },
  objects = { 1, "x", true, "marked|plain", "" },
  big_numbers = { 1, "strings", true },
  duplicates = { 1, "all" },
  comments = { 1, "x" },
  trailing_commas = { 0 },
  json5 = { "yes" },
  invalid_numbers = { true, "nan" },
  invalid_utf8 = { true, "ignore" },
  max_depth = { 0, -1, 1.5, "x", 1e9 },
  max_bytes = { 0, -1, 0.5, "x" },
  numeric_keys = { 1 },
  bom = { 1 },
  layout = { 1, "raw" },
}

function TestDecodeOptions:test_bad_values()
  for name, values in pairs(bad_values) do
    for _, value in ipairs(values) do
      T.bad_argument(2, "option '" .. name .. "' must be", "decode", "1", { [name] = value })
      T.bad_argument(1, "option '" .. name .. "' must be", "new", { [name] = value })
      T.bad_argument(3, "option '" .. name .. "' must be", "decode_prefix", "1", 1, { [name] = value })
    end
  end
end

-- A codec's options may be for encode and decode; a call accepts only options that have an effect there.
function TestDecodeOptions:test_one_table_for_both()
  local options = { indent = 2, sort_keys = true, comments = true, big_numbers = "string", max_depth = 5 }
  T.bad_argument(2, "has no effect here", "encode", { 1 }, options)
  T.bad_argument(2, "has no effect here", "decode", "1 // x", options)
  local codec = fleece.new(options)
  same(codec.encode { 1 }, "[\n  1\n]")
  same(codec.decode "/* x */ 2", 2)
  D.refuses("1 // x", "text after the value", 1, 3, 3)
end

function TestDecodeOptions:test_codec_keeps_its_values()
  local null, mt = {}, {}
  local codec = fleece.new { null = null, arrays = mt }
  local again = codec.new { objects = mt }
  collectgarbage()
  for _, c in ipairs { codec, again } do
    local value = c.decode '[null,{"a":null}]'
    same(value[1], null)
    same(value[2].a, null)
    same(getmetatable(value), mt)
    same(getmetatable(value[2]), c == again and mt or nil)
    same(c.decode("[null]", { null = false })[1], false)
    same(c.decode("[null]", { null = fleece.null })[1], fleece.null)
    same(c.decode("null"), null)
  end
end

function TestDecodeOptions:test_null()
  D.decodes("[null,1,null]", { false, 1, false }, { null = false })
  D.decodes("null", "NULL", { null = "NULL" })
  D.decodes('{"a":null,"b":[null]}', { a = 7, b = { 7 } }, { null = 7 })
  D.decodes('{"a":null,"b":1,"c":{"d":null}}', { b = 1, c = {} }, { null = "nil" })
  for _, layout in ipairs { "auto", "api" } do
    local value = fleece.decode("[1,null,3]", { null = "nil", layout = layout })
    lu.assertEquals({ value[1], value[3] }, { 1, 3 })
    same(value[2], nil)
    same(select("#", fleece.decode("null", { null = "nil", layout = layout })), 1)
    same(fleece.decode("null", { null = "nil", layout = layout }), nil)
    for _ = 1, 5 do -- a known shape with members missing or added
      local list = fleece.decode('[{"a":1,"b":2},{"a":null,"b":2},{"a":1,"b":null},{"a":null,"b":null},{"a":3,"b":4}]',
        { null = "nil", layout = layout })
      lu.assertEquals(list, { { a = 1, b = 2 }, { b = 2 }, { a = 1 }, {}, { a = 3, b = 4 } })
      list[2].a, list[4].z = 5, 6
      lu.assertEquals(list[2], { a = 5, b = 2 })
      lu.assertEquals(list[4], { z = 6 })
    end
  end
end

function TestDecodeOptions:test_metatables()
  local a, o = { __index = { kind = "array" } }, { __index = { kind = "object" } }
  for _, layout in ipairs { "auto", "api" } do
    local value = fleece.decode('[[],{},[1],{"x":[]}]', { arrays = a, objects = o, layout = layout })
    same(getmetatable(value), a)
    for i, mt in ipairs { a, o, a, o } do same(getmetatable(value[i]), mt) end
    same(getmetatable(value[4].x), a)
    same(value[2].kind, "object")
    for i = 1, 3 do -- the second and third object of a shape use other code paths
      local list = fleece.decode('[{"p":1,"q":2},{"p":1,"q":2},{"p":1,"q":2}]', { objects = o, layout = layout })
      same(getmetatable(list[i]), o)
      same(getmetatable(list), nil)
    end
    same(getmetatable(fleece.decode("{}", { objects = false, layout = layout })), fleece.object_mt)
    same(fleece.encode(fleece.decode("[]", { arrays = fleece.array_mt }), { empty_table = "object" }), "[]")
  end
end

-- "marked": every object stays one when it is emptied or its keys are numbers, every array one when it has holes.
-- "plain": no table has a metatable, as if another library had decoded it.
function TestDecodeOptions:test_marked_and_plain()
  local text = '{"a":[1,2,3],"e":{},"n":{"1":1},"o":{"p":1}}'
  local cases = {
    { { objects = "marked" }, '{"a":[1,2,3],"e":{},"n":{"1":1},"o":{}}' },
    { { objects = "marked", arrays = "marked" }, '{"a":[1,null,3],"e":{},"n":{"1":1},"o":{}}', true },
    { { objects = "plain" }, '{"a":[1,2,3],"e":[],"n":[1],"o":[]}' },
    { { objects = "plain", arrays = "plain" }, '{"a":[1,2,3],"e":[],"n":[1],"o":[]}' },
    { { objects = false }, '{"a":[1,2,3],"e":{},"n":[1],"o":[]}' },
    { { objects = "plain", order = true }, '{"a":[1,2,3],"e":{},"n":{"1":1},"o":{}}' },
  }
  local function check(t, case, what)
    t.o.p = nil
    if case[3] then t.a[2] = nil end
    same(T.encode(t, { sort_keys = true }), case[2], what)
  end
  for i, case in ipairs(cases) do
    local options = T.merged(case[1], { numeric_keys = true })
    local other = T.merged({ objects = i % 2 == 0 and "marked" or {}, arrays = {} }, { numeric_keys = true })
    for _, codec in ipairs { fleece, fleece.new(other) } do
      options.arrays = options.arrays or codec ~= fleece and "plain" or nil
      for _, layout in ipairs { "auto", "api" } do
        options.layout = layout
        for _ = 1, 3 do check(codec.decode(text, options), case, i) end
        check((codec.pick("/0", options)("[" .. text .. "]")), case, i)
        if not options.order then check(codec.unpack(fleece.from_json(text), options), case, i) end
      end
      check((codec.decode(text:sub(1, -2), T.merged(options, { partial = true }))), case, i)
      local parser = codec.parser(options)
      parser:feed(text)
      if not options.order then same(T.encode((parser:peek()).e, { empty_table = "array" }), case[2]:match('"e":(..)')) end
      check(parser:finish(), case, i)
    end
  end
  local parser = fleece.parser { objects = "plain" }
  parser:feed '{"a":{'
  same(getmetatable((parser:peek()).a), nil)
  same(getmetatable((parser:peek())), nil)
  parser:feed '"b":1}}'
  same(getmetatable(parser:finish().a), nil)
  same(getmetatable(fleece.decode('{"a":1}', { objects = "marked" })), fleece.object_mt)
  same(getmetatable(fleece.decode("[1]", { arrays = "marked" })), fleece.array_mt)
  local codec = fleece.new { objects = "marked" }
  local merged = codec.merge_patch({}, '{"x":{"b":1,"c":null}}')
  merged.x.b = nil
  same(T.encode(merged), '{"x":{}}')
end

function TestDecodeOptions:test_big_numbers()
  local big = { "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890" }
  if not T.integers then big[4], big[5] = "9007199254740993", "-9223372036854775807" end
  for _, text in ipairs(big) do
    same(fleece.decode(text), tonumber(text .. ".0"))
    D.decodes("[" .. text .. ",1]", { text, 1 }, { big_numbers = "string" })
    D.refuses("[1," .. text .. "]", "number not exact", 1, 4, 4, { big_numbers = "error" })
  end
  for _, text in ipairs { "9007199254740992", "9007199254740994", "1e300", "0.1", "9223372036854775808.0" } do
    D.decodes("[" .. text .. "]", { fleece.decode(text) }, { big_numbers = "string" })
    D.decodes("[" .. text .. "]", { fleece.decode(text) }, { big_numbers = "error" })
  end
  D.decodes("[1e999,-1e999]", { "1e999", "-1e999" }, { big_numbers = "string" })
  D.refuses("1e999", "number too large", 1, 1, 1, { big_numbers = "error" })
  if not T.jit then
    T.bad_argument(2, "LuaJIT", "decode", "1", { big_numbers = "int64" })
    return
  end
  local ffi = require "ffi"
  for _, layout in ipairs { "auto", "api" } do
    T.each_pair({
      ["9007199254740993"] = "int64_t",
      ["9007199254740994"] = "int64_t", -- exact as a double or not
      ["-9007199254740994"] = "int64_t",
      ["1152921504606846976"] = "int64_t",
      ["-9223372036854775808"] = "int64_t",
      ["9223372036854775808"] = "uint64_t",
      ["-9223372036854775807"] = "int64_t",
      ["9223372036854775807"] = "int64_t",
      ["18446744073709551615"] = "uint64_t",
    }, function(text, type_name)
      local value = fleece.decode("[" .. text .. "]", { big_numbers = "int64", layout = layout })[1]
      same(ffi.istype(type_name, value), true, text)
      same(tostring(value):gsub("U?LL$", ""), text)
      same(fleece.encode(value), text)
    end)
    for _, text in ipairs { "18446744073709551616", "-9223372036854775809", "123", "9007199254740992", "-9007199254740992",
      "9007199254740994.0", "1e18", "1e300" } do
      same(fleece.decode(text, { big_numbers = "int64", layout = layout }), tonumber(text))
      same(type(fleece.decode(text, { big_numbers = "int64", numbers = "exact" })) ~= "cdata", true)
    end
    same(type(fleece.decode("1152921504606846976", { big_numbers = "int64", numbers = "exact", layout = layout })), "number")
    same(tostring(fleece.unpack(fleece.from_json "[1152921504606846976]", { big_numbers = "int64", layout = layout })[1]),
      "1152921504606846976LL")
    same(tostring(fleece.pick("[0]", { big_numbers = "int64" })("[1152921504606846976]")), "1152921504606846976LL")
    T.each_pair({
      ["+9007199254740993"] = "9007199254740993LL",
      ["0x20000000000001"] = "9007199254740993LL",
      ["-0x0020000000000001"] = "-9007199254740993LL",
      ["+18446744073709551615"] = "18446744073709551615ULL",
      ["0XfFfFfFfFfFfFfFfF"] = "18446744073709551615ULL",
      ["0x10000000000000000"] = tostring(2 ^ 64),
      ["-0xFFFFFFFFFFFFFFFF"] = tostring(-2 ^ 64),
    }, function(text, is)
      same(tostring(fleece.decode(text, { big_numbers = "int64", layout = layout, json5 = true })), is, text)
    end)
  end
end

-- Records of which some have a name twice, early, late or after 64 others, decoded in turns with other options, which
-- remember the same records: the values and errors of the decoder over the API, which remembers none.
function TestDecodeOptions:test_duplicates_of_records()
  local NAMES = { "a", "b", "\\u0061", "name", ("n"):rep(40), ("n"):rep(41), "7", "" }
  local function record(depth)
    local members, many = {}, T.random(1, 30) == 1
    for i = 1, many and 70 or T.random(0, 5) do
      local value = depth < 3 and T.random(1, 4) == 1 and record(depth + 1) or tostring(i)
      members[i] = ('"%s":%s'):format(many and i % 69 > 2 and "m" .. i or T.pick(NAMES), value)
    end
    return "{" .. table.concat(members, ",") .. "}"
  end
  local function outcome(decode, text, options)
    local value, message, details = decode(text, options)
    if value == nil then return details.kind .. " " .. tostring(details.byte) .. " " .. message end
    return T.encode(value, { sort_keys = not options.order })
  end
  local function by_pieces(text, options)
    local parser = T.safe.parser(options)
    for at = 1, #text, 7 do
      local fine, message, details = parser:feed(text:sub(at, at + 6))
      if not fine then return nil, message, details end
    end
    return parser:finish()
  end
  T.random_rounds(300, function()
    local records = {}
    for i = 1, T.random(1, 6) do records[i] = i > 1 and T.random(1, 2) == 1 and records[i - 1] or record(1) end
    local text = "[" .. table.concat(records, ",") .. T.pick { "]", "]", "]", "" }
    for _, duplicates in ipairs { "last", "error", "first", "error" } do
      local options = { duplicates = duplicates, order = T.random(1, 2) == 1, null = T.random(1, 2) == 1 and "nil" or nil }
      local found = outcome(T.safe.decode, text, options)
      T.equal(found, outcome(T.safe_api.decode, text, options), duplicates .. " of " .. text)
      T.equal(outcome(by_pieces, text, options):gsub(" near .*", ""), found:gsub(" near .*", ""), duplicates .. " of the pieces of " .. text)
    end
  end)
end

function TestDecodeOptions:test_duplicates()
  local text = '{"a":1,"b":2,"a":3,"c":4,"b":5}'
  for _ = 1, 4 do -- until a shape would be known
    D.decodes(text, { a = 3, b = 5, c = 4 })
    D.decodes(text, { a = 3, b = 5, c = 4 }, { duplicates = "last" })
    D.decodes(text, { a = 1, b = 2, c = 4 }, { duplicates = "first" })
    D.refuses(text, "duplicate name", 1, 14, 14, { duplicates = "error" })
    D.decodes('{"a":{"a":1},"b":[{"a":2}]}', { a = { a = 1 }, b = { { a = 2 } } }, { duplicates = "error" })
    D.refuses('[{"x":1},\n {"y":{"\\u0061":1,"a":2}}]', "duplicate name", 2, 19, 29, { duplicates = "error" })
  end
  D.refuses('{"a":null,"b":1,"a":1}', "duplicate name", 1, 17, 17, { duplicates = "error", null = "nil" })
  D.refuses('{"1":null,"1":null}', "duplicate name", 1, 11, 11,
    { duplicates = "error", null = "nil", numeric_keys = true })
  D.decodes('{"a":null,"b":1}', { b = 1 }, { duplicates = "error", null = "nil" })
  local many = {}
  for i = 1, 300 do many[i] = '"k' .. i % 100 .. '":' .. i end
  local value = fleece.decode("{" .. table.concat(many, ",") .. "}")
  for i = 0, 99 do same(value["k" .. i], i == 0 and 300 or 200 + i) end
end

function TestDecodeOptions:test_numeric_keys()
  local o = { numeric_keys = true }
  D.decodes('{"1":"a","2":"b","-3":"c","1.5":"d","x":"e"}', { "a", "b", [-3] = "c", [1.5] = "d", x = "e" }, o)
  D.decodes('{"01":1,"1.0":2,"+1":3," 1":4,"1e0":5,"-0x":6,"":7,"1 ":8,"0x1":9}',
    { ["01"] = 1, ["1.0"] = 2, ["+1"] = 3, [" 1"] = 4, ["1e0"] = 5, ["-0x"] = 6, [""] = 7, ["1 "] = 8, ["0x1"] = 9 }, o)
  D.decodes('{"1":1}', { ["1"] = 1 })
  local mixed = { [1] = "a", [3] = "b", [0.1] = "c", [-7] = "d", name = "e", [2^40] = "f" }
  lu.assertEquals(fleece.decode(fleece.encode(mixed), o), mixed)
  if T.integers then same(math.type(next(fleece.decode('{"5":1}', o))), "integer") end
end

-- A name becomes a number only if encode writes the same name for that key: whole keys are integers from 5.3 on, and -0
-- and 0 are one key.
function TestDecodeOptions:test_numeric_keys_keep_their_names()
  local names = { "1e+17", "-0", "0", "72057594037927940.0", "72057594037927936", "100000000000000000", "1e+300",
    "-1e+300", "9007199254740992", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "9223372036854775807.0", "9223372036854775808.0", "9.223372036854775e+18",
    "9.223372036854776e+18", "-9.223372036854776e+18", "18446744073709551615", "1.8446744073709552e+19", "0.5", "-0.0",
    "1e400", "100000000000000002", "5e-324", "0e0" }
  local text = {}
  table.sort(names)
  for i, name in ipairs(names) do text[i] = ('"%s":%d'):format(name, i) end
  text = "{" .. table.concat(text, ",") .. "}"
  for _, layout in ipairs { "auto", "api" } do
    local t = fleece.decode(text, { numeric_keys = true, duplicates = "error", layout = layout })
    same(fleece.encode(t, { sort_keys = true }), text)
    same(t[0.5] ~= nil, true)
    same(t[0], t["0"] or t[0])
    same(t["-0"] ~= nil, true)
    same(t[1e300] ~= nil, true)
  end
end

function TestDecodeOptions:test_limits()
  local function nested(n) return ("["):rep(n) .. ("]"):rep(n) end
  fleece.decode(nested(1000))
  D.refuses(nested(1001), "nesting too deep", 1, 1001, 1001)
  D.decodes("[[1]]", { { 1 } }, { max_depth = 2 })
  D.refuses("[[[1]]]", "nesting too deep", 1, 3, 3, { max_depth = 2 })
  D.refuses('[{"a":{}}]', "nesting too deep", 1, 7, 7, { max_depth = 2 })
  D.decodes("1", 1, { max_depth = 1 })
  D.decodes("[1,2]", { 1, 2 }, { max_bytes = 5 })
  D.refuses("[1,2] ", "text too long", 1, 6, 6, { max_bytes = 5 })
end

function TestDecodeOptions:test_bom()
  D.decodes("\239\187\191[1]", { 1 }, { bom = true })
  D.decodes("[1]", { 1 }, { bom = true })
  D.refuses("\239\187\191", "empty text", 1, 2, 4, { bom = true })
  D.refuses("\239\187\191\239\187\191[1]", "expected a value", 1, 2, 4, { bom = true })
end

function TestDecodeOptions:test_invalid_utf8()
  for _, names in ipairs { false, true } do
    local function gives(s, wanted, policy)
      if names then
        D.decodes('{"' .. s .. '":1}', { [wanted] = 1 }, { invalid_utf8 = policy })
      else D.decodes('["' .. s .. '"]', { wanted }, { invalid_utf8 = policy }) end
    end
    for _ = 1, 3 do
      for _, pad in ipairs { "", ("p"):rep(20), ("p"):rep(40) } do
        gives(pad .. "a\128b", pad .. "a\239\191\189b", "replace")
        gives(pad .. "a\226\130b\255", pad .. "a\239\191\189b\239\191\189", "replace")
        gives(pad .. "\\n\237\160\128", pad .. "\n" .. ("\239\191\189"):rep(3), "replace")
        gives(pad .. "a\128\233", pad .. "a\194\128\195\169", "escape")
        gives(pad .. "a\128\\u00e9\254", pad .. "a\128\195\169\254", "pass")
        gives(pad .. "\\ud800x", pad .. "\239\191\189x", "replace")
        gives(pad .. "\\udfff", pad .. "\239\191\189", "escape")
        gives(pad .. "\\ud800\\udbff", pad .. "\237\160\128\237\175\191", "pass")
        gives(pad .. "\\ud83d\\ude00é", pad .. "😀é", "pass")
      end
      -- a name that another codec has accepted is still an error here
      D.refuses_alike('{"a\128b":1}')
      D.refuses_alike('{"' .. ("p"):rep(20) .. 'a\128\\u00e9\254":1}')
    end
  end
  D.refuses('["\128\\q"]', "invalid escape", 1, 3, 4, { invalid_utf8 = "replace" })
  D.refuses('["\128\n"]', "control character in string", 1, 3, 4, { invalid_utf8 = "pass" })
end
