-- SPDX-License-Identifier: MIT
-- test_binary_encoder.lua -- fleece.encoder(): the bytes of each kind of value (section 6 of the format), and calls in
-- every wrong order.

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece

TestBinaryEncoder = {}

local compatible = { mode = "compatible" }

local function written(f)
  local e = fleece.encoder(compatible)
  f(e)
  return B.hex(e:finish())
end

-- The encoder calls in f write these bytes.
local function writes(hex, f) T.same(written(f), (hex:gsub(" ", ""))) end

function TestBinaryEncoder:test_scalars()
  writes("3000", function(e) e:null() end)
  writes("3400", function(e) e:boolean(false) end)
  writes("3800", function(e) e:boolean(true) end)
  writes("3c00", function(e) e:undefined() end)
  writes("4000", function(e) e:string "" end)
  writes("426162 00 8002", function(e) e:string "ab" end)
  writes("5000", function(e) e:data "" end)
  writes("5161", function(e) e:data "a" end)
  writes("526162 00 8002", function(e) e:data(fleece.data "ab") end)
  writes("4f0f 616161616161616161616161616161 00 8009", function(e) e:string(("a"):rep(15)) end)
end

-- Integers of 12 bits are small; others have the fewest bytes that keep the sign, or no leading zeros if unsigned.
function TestBinaryEncoder:test_integers()
  T.each_pair({
    ["0"] = { "0000", "0000" },
    ["2047"] = { "07ff", "07ff" },
    ["-2048"] = { "0800" },
    ["-1"] = { "0fff" },
    ["2048"] = { "11000800 8002", "19000800 8002" },
    ["-2049"] = { "11fff700 8002" },
    ["40000"] = { "12409c00 8002", "19409c00 8002" },
    ["8388607"] = { "12ffff7f 8002", "1affff7f 8002" },
    ["8388608"] = { "13000080 0000 8003", "1a000080 8002" },
    ["9223372036854775807"] = { "17ffffffffffffff7f 00 8005", "1fffffffffffffff7f 00 8005" },
    ["-9223372036854775808"] = { "170000000000000080 00 8005" },
    ["18446744073709551615"] = { nil, "1fffffffffffffffff 00 8005" },
  }, function(text, hexes)
    for i, method in ipairs { "integer", "unsigned" } do
      local hex = hexes[i] and (hexes[i]:gsub(" ", ""))
      local e = fleece.encoder(compatible)
      if hex then
        T.same(B.hex(e[method](e, text):finish()), hex, text)
        local number = tonumber(text)
        if #text < 16 or T.integers and T.math_type(number) == "integer" then
          T.same(B.hex(e[method](e, number):finish()), hex, text)
        end
        if #text < 16 then T.same(B.hex(e[method](e, number + 0.0):finish()), hex, text .. ".0") end
      else
        T.raises_with("whole number", e[method], e, text)
      end
    end
  end)
  T.same(B.hex(fleece.encoder(compatible):unsigned(2 ^ 63):finish()), "1f0000000000000080008005")
  local e = fleece.encoder()
  for _, bad in ipairs { "", "-", "1.0", "0x10", " 1", "1 ", "1e3", "--1", "+1", "9223372036854775808",
    "-9223372036854775809", 1.5, 2 ^ 63, -2 ^ 64, 1 / 0, 0 / 0, {}, true, "18446744073709551616" } do
    T.raises_with("whole number", e.integer, e, bad)
    if bad ~= 2 ^ 63 and bad ~= "9223372036854775808" then T.raises_with("whole number", e.unsigned, e, bad) end
  end
  T.error_of(e.integer, e)
  T.raises_with("whole number", e.unsigned, e, -1)
  writes("0000", function(x) x:unsigned("-0") end)
end

function TestBinaryEncoder:test_floating_point()
  writes("24000000003f 8003", function(e) e:double(0.5) end) -- a float is exact
  writes("28009a9999999999b93f 8005", function(e) e:double(0.1) end)
  writes("20000000003f 8003", function(e) e:float(0.5) end)
  writes("2000cdcccc3d 8003", function(e) e:float(0.1) end)
  writes("24000000803f 8003", function(e) e:double(1) end) -- integral ones remain floating point
  writes("240000000080 8003", function(e) e:double(-0.0) end)
  writes("2800000000000000f07f 8005", function(e) e:double(1 / 0) end)
  writes("20000000 80ff 8003", function(e) e:float(-1 / 0) end)
  writes("20000000 807f 8003", function(e) e:float(1e300) end) -- the nearest float
  local e = fleece.encoder()
  T.raises_with("NaN", e.double, e, 0 / 0)
  T.raises_with("NaN", e.float, e, 0 / 0)
  T.raises_with("NaN", e.value, e, 0 / 0)
  T.error_of(e.double, e, "x")
end

function TestBinaryEncoder:test_collections()
  writes("6000", function(e) e:array():close() end)
  writes("7000", function(e) e:dict():close() end)
  writes("6002 0001 6000 8003", function(e) e:array():integer(1):array():close_array():close_array() end)
  writes("7002 4161 0002 4162 0001 8005", function(e) e:dict():key "b":integer(1):key "a":integer(2):close_dict() end)
  writes("7001 4000 3000 8003", function(e) e:dict():key "":null():close() end)
end

function TestBinaryEncoder:test_value()
  local e = fleece.encoder(compatible)
  e:array():value(1):value("s"):value(true):value(nil):value(fleece.null):value(fleece.data "d"):value(1.5)
  e:value(fleece.open(fleece.from_json '{"k":[1]}')):value(fleece.lazy '["x"]'):close()
  local doc = e:finish()
  T.same(fleece.to_json(doc), '[1,"s",true,null,null,"ZA==",1.5,{"k":[1]},["x"]]')
  for _, bad in ipairs { {}, print, io.stdout, coroutine.create(function() end) } do T.error_of(e.value, e, bad) end
end

-- Each call in a wrong order is an error and does not change the encoder.
function TestBinaryEncoder:test_order()
  local e = fleece.encoder(compatible)
  local function fails(message, method, ...) T.raises_with(message, e[method], e, ...) end
  fails("no value was written", "finish")
  fails("no such collection is open", "close")
  fails("no such collection is open", "close_array")
  fails("a key belongs in a dict", "key", "a")
  e:array()
  fails("still open", "finish")
  fails("other kind", "close_dict")
  fails("a key belongs in a dict", "key", "a")
  e:integer(1):dict()
  fails("needs a key", "integer", 2)
  fails("needs a key", "array")
  fails("needs a key", "value", "x")
  fails("other kind", "close_array")
  e:key "k"
  fails("a key needs a value", "key", "l")
  fails("a key needs a value", "close")
  fails("a key needs a value", "close_dict")
  fails("still open", "finish")
  e:null():close():close()
  fails("one value only", "integer", 1)
  fails("one value only", "array")
  fails("one value only", "string", "x")
  T.same(fleece.to_json(e:finish()), '[1,{"k":null}]')
  fails("no value was written", "finish")
  T.same(B.hex(e:integer(5):finish()), "0005", "and again")
  T.same(B.hex(e:array():integer(1):reset():integer(2):finish()), "0002")
  e:dict():key "x":reset()
  T.same(B.hex(e:integer(3):finish()), "0003", "no key is left")
end

function TestBinaryEncoder:test_arguments()
  local e = fleece.encoder()
  T.error_of(e.boolean, e)
  T.error_of(e.boolean, e, 1)
  T.error_of(e.string, e, {})
  T.error_of(e.data, e, {})
  e:dict()
  T.error_of(e.key, e, {})
  T.error_of(e.key, e)
  T.bad_argument(1, "table expected", "encoder", 5)
  T.bad_argument(1, "unknown option 'nonsense'", "encoder", { nonsense = 1 })
  T.bad_argument(1, "option 'mode'", "encoder", { mode = "small" })
  T.error_of(e.finish)
  T.error_of(e.finish, {})
end

-- Writing value by value gives the same document as from_json.
function TestBinaryEncoder:test_as_from_json()
  local function put(e, v)
    if type(v) == "table" and getmetatable(v) == fleece.object_mt or type(v) == "table" and next(v) ~= nil and
      #v == 0 then
      e:dict()
      local names = {}
      for name in pairs(v) do names[#names + 1] = name end
      table.sort(names)
      for _, name in ipairs(names) do
        e:key(name)
        put(e, v[name])
      end
      e:close()
    elseif type(v) == "table" then
      e:array()
      for _, item in ipairs(v) do put(e, item) end
      e:close()
    else
      e:value(v)
    end
  end
  for _, mode in ipairs { compatible, {} } do
    for _, text in ipairs { '{"a":["x","yy","yy",true,null],"b":{"c":"yy","d":[]}}', '["",["a","bb","bb"],[["bb"]]]',
      "[]", '["' .. ("l"):rep(40000) .. '","hi","hi"]' } do
      local e = fleece.encoder(mode)
      put(e, fleece.decode(text))
      T.same(e:finish(), fleece.from_json(text, mode), text:sub(1, 60))
    end
  end
end

function TestBinaryEncoder:test_large()
  local e = fleece.encoder()
  e:array()
  for i = 1, 30000 do e:dict():key "id":integer(i):key "name":string("name " .. i):close() end
  local doc = e:close():finish()
  local root = fleece.open(doc).root
  T.same(#root, 30000)
  T.same(root[12345].name, "name 12345")
  for _ = 1, 5000 do e:array() end
  for _ = 1, 5000 do e:close() end
  T.same(fleece.check(e:finish(), { max_depth = 5000 }), true)
end

function TestBinaryEncoder:test_tostring()
  lu.assertStrContains(tostring(fleece.encoder()), T.version == "Lua 5.1" and "userdata" or "")
end

-- `json` writes the value of a text, as from_json reads it, at the encoder's position.
function TestBinaryEncoder:test_json()
  local text = '{"a":[1,-2.5,"x\\u00e9",{}],"b":{"a":null},"c":123456789012,"long name of a member":["long name of ' ..
    'a member"]}'
  for _, mode in ipairs { {}, compatible } do
    T.same(fleece.encoder(mode):json(text):finish(), fleece.from_json(text, mode))
    local e = fleece.encoder(mode):array():json(text):dict():key "k":json " [1] ":close():json "true":close()
    T.same(e:finish(), fleece.from_json("[" .. text .. ',{"k":[1]},true]', mode))
  end
  local e = fleece.encoder { json5 = true }
  T.same(fleece.to_json(e:json "{a:1,}":finish()), '{"a":1}')
  T.raises_with("unexpected end at line 1, column 4", e.json, e, "[1,")
  T.raises_with("the text before was wrong: reset the encoder", e.null, e)
  T.same(fleece.to_json(e:reset():json "[1]":finish()), "[1]")
  T.raises_with("a value in a dict needs a key", e.json, e:dict(), "1")
end

-- Big integers in the forms of JSON5.
function TestBinaryEncoder:test_json5_integers()
  local texts = {
    ["+18446744073709551615"] = "18446744073709551615",
    ["0xFFFFFFFFFFFFFFFF"] = "18446744073709551615",
    ["+0Xfffffffffffffc01"] = "18446744073709550593",
    ["0x8000000000000000"] = "9223372036854775808",
    ["0x00000FFFFFFFFFFFFFFFF"] = "18446744073709551615",
    ["+9223372036854775808"] = "9223372036854775808",
    ["-0x8000000000000000"] = "-9223372036854775808",
    ["+9223372036854775807"] = "9223372036854775807",
    ["+18446744073709551616"] = "1.8446744073709552e+19",
    ["0x10000000000000000"] = "1.8446744073709552e+19",
    ["-0x8000000000000001"] = "-9.223372036854775808e+18",
    ["-9223372036854775809"] = "-9.223372036854775808e+18",
  }
  for text, expected in pairs(texts) do
    for _, mode in ipairs { "compact", "compatible" } do
      local doc = fleece.from_json(text, { json5 = true, mode = mode })
      T.same(fleece.to_json(doc), fleece.to_json(fleece.from_json(expected)), text)
      T.same(fleece.encoder({ json5 = true, mode = mode }):json(text):finish(), doc, text)
      T.same(fleece.open(doc).root, fleece.lazy(text, { json5 = true }), text)
    end
    T.same(fleece.to_json(fleece.lazy("[" .. text .. "]", { json5 = true })),
      fleece.to_json(fleece.from_json("[" .. expected .. "]")), text)
  end
end

-- With `lines`, all documents of a text become items of the open array.
function TestBinaryEncoder:test_lines()
  local lines = { lines = true }
  local documents = { '{"name":"Ann","list":[1,2]}', "[]", '"x"', "-1.5", "true", '{"name":"Bob","list":[1,2]}' }
  local text = table.concat(documents, "\n")
  for _, mode in ipairs { "compact", "compatible" } do
    local o = { lines = true, mode = mode }
    local wanted = fleece.from_json("[" .. table.concat(documents, ",") .. "]", { mode = mode })
    T.same(fleece.from_json(text, o), wanted)
    T.same(fleece.from_json(" \30" .. text:gsub("\n", "\n\30") .. "\n\n", o), wanted)
    local e = fleece.encoder(o):array()
    for _, document in ipairs(documents) do e:json(document .. "\n") end
    T.same(fleece.to_json(e:json "\n":json "":close():finish()), fleece.to_json(wanted))
  end
  T.same(fleece.to_json(fleece.from_json("", lines)), "[]")
  T.same(fleece.to_json(fleece.from_json('{}{}[1]"a""b"1[2]', lines)), '[{},{},[1],"a","b",1,[2]]')
  T.raises_with("unexpected end at line 3, column 1", fleece.from_json, "[1]\n[2\n", lines)
  for _, wrong in ipairs { "1,2", "truefalse", "12-3", "[1]]", "1true" } do
    T.error_of(fleece.from_json, wrong, lines)
  end
  T.raises_with("with lines an array must be open", function() fleece.encoder(lines):json "1" end)
  T.raises_with("with lines an array must be open", function() fleece.encoder(lines):dict():key "a":json "1" end)
end

-- The reference counts only the levels of the text, not those around it.
function TestBinaryEncoder:test_depth_of_a_text()
  local compatible = { mode = "compatible" }
  local function nested(n, inner) return ("["):rep(n) .. inner .. ("]"):rep(n) end
  for _, levels in ipairs { 0, 1, 50, 150 } do
    local function put(text)
      local e = fleece.encoder(compatible)
      for _ = 1, levels do e:array() end
      e:json(text)
      for _ = 1, levels do e:close() end
      return fleece.to_json(e:finish())
    end
    for _, text in ipairs { nested(100, "1"), nested(101, "") } do T.same(put(text), nested(levels, text)) end
    for _, text in ipairs { nested(101, "1"), nested(102, "") } do T.raises_with("nesting too deep", put, text) end
  end
  local text, lines = nested(100, "1"), { mode = "compatible", lines = true }
  T.same(fleece.to_json(fleece.from_json(text .. text, lines)), "[" .. text .. "," .. text .. "]")
  T.raises_with("nesting too deep", fleece.from_json, nested(101, "1"), lines)
end

-- No encoder writes NaN (section 6); like all errors in a text, the message has a position.
function TestBinaryEncoder:test_nan_in_texts()
  for text, options in pairs { ["{\n  a: -NaN}"] = { json5 = true },
    ["{\n\"a\": NaN}"] = { invalid_numbers = "literal" } } do
    for _, mode in ipairs { "compact", "compatible" } do
      options.mode = mode
      local result, message, position = T.safe.from_json(text, options)
      T.same(result, nil)
      T.contains(message, "a number cannot be NaN at line 2, column 6, byte 8 near '")
      T.equal(position, { kind = "number", byte = 8, line = 2, column = 6, option = position.option })
      T.same(select(2, T.safe.lazy(text, options)), message)
      T.same(select(2, T.safe.patch(fleece.from_json "{}", text, options)), message)
      T.raises_with(message, fleece.encoder().json, fleece.encoder(options), text)
    end
  end
end
