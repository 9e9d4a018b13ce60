-- SPDX-License-Identifier: MIT
-- test_marks.lua -- the marks null, array, object and raw, and those of lua-cjson.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestMarks = {}

function TestMarks:test_null()
  same(type(fleece.null), "userdata")
  same(T.encode(fleece.null), "null")
  same(T.encode { 1, fleece.null, a = fleece.null }:gsub("null", ""):len(), #'{"1":1,"2":,"a":}')
  same(T.encode { fleece.null, fleece.null }, "[null,null]")
  local ok, cjson = pcall(require, "cjson")
  if ok then same(fleece.null, cjson.null) end
end

function TestMarks:test_array()
  local t = {}
  same(fleece.array(t), t)
  same(getmetatable(t), fleece.array_mt)
  same(T.encode(t), "[]")
  same(T.encode(fleece.array()), "[]")
  same(T.encode(fleece.array { 1, 2 }), "[1,2]")
  same(T.encode(fleece.array(fleece.array { 1 })), "[1]")
  same(T.encode { a = fleece.array {}, b = 1 }:find('"a":[]', 1, true) ~= nil, true)
  same(T.encode(setmetatable({}, fleece.array_mt), { empty_table = "object" }), "[]")
end

function TestMarks:test_array_with_holes()
  same(T.encode(fleece.array { 1, nil, 3 }), "[1,null,3]")
  same(T.encode(fleece.array { nil, nil, 3 }), "[null,null,3]")
  same(T.encode(fleece.array { [10] = 1 }), "[" .. ("null,"):rep(9) .. "1]")
  for _, codec in ipairs(T.codecs) do
    T.raises_with("holes at .x", codec.encode, { x = fleece.array { [1000] = 1 } })
    T.raises_with("holes at .x", codec.encode, { x = fleece.array { 1, [2 ^ 40] = 1 } })
  end
  same(T.encode(fleece.array { [30] = 1 }, { sparse_ratio = 30 }), "[" .. ("null,"):rep(29) .. "1]")
end

function TestMarks:test_array_with_other_keys()
  for _, key in ipairs { "a", 0, -1, 1.5, "1" } do
    T.rejects({ x = fleece.array { 1, 2, [key] = 3 } }, "array has a key that is not an index at .x")
    T.rejects_json({ x = fleece.array { [key] = 3 } }, "array has a key that is not an index at .x")
  end
end

function TestMarks:test_object()
  local t = {}
  same(fleece.object(t), t)
  same(getmetatable(t), fleece.object_mt)
  same(T.encode(t), "{}")
  same(T.encode(fleece.object()), "{}")
  same(T.encode(fleece.object { 1, 2 }), '{"1":1,"2":2}')
  same(T.encode(fleece.object { a = 1 }), '{"a":1}')
  same(T.encode(fleece.object { 1, nil, 3 }, { sparse = "error" }), '{"1":1,"3":3}')
  same(T.encode { fleece.object {}, fleece.object { fleece.object {} } }, '[{},{"1":{}}]')
  same(T.encode(fleece.object {}, { empty_table = "array" }), "{}")
  same(T.encode({ fleece.object {} }, { indent = 1 }), "[\n {}\n]")
end

function TestMarks:test_metatables()
  same(fleece.array_mt.__jsontype, "array")
  same(fleece.object_mt.__jsontype, "object")
  same(fleece.array_mt ~= fleece.object_mt, true)
  same(fleece.new().array_mt, fleece.array_mt)
end

-- LuaJSON's mark is that of fleece.array, so all modules of Fleece know it.
function TestMarks:test_luajson_marks()
  local luajson = require "fleece.luajson"
  same(getmetatable(luajson.util.InitArray {}), fleece.array_mt)
  same(getmetatable(luajson.decode "[[]]"[1]), fleece.array_mt)
  same(T.encode(luajson.util.InitArray {}, { empty_table = "object" }), "[]")
  same(luajson.encode { fleece.array {} }, "[[]]")
end

function TestMarks:test_another_metatable_is_an_error()
  T.raises_with("bad argument #1 to '", fleece.array, setmetatable({}, {}))
  T.raises_with("bad argument #1 to '", fleece.object, setmetatable({}, {}))
  T.raises_with("bad argument #1 to '", fleece.array, setmetatable({}, { __metatable = false }))
end

function TestMarks:test_array_and_object_on_one_table()
  -- The second mark either replaces the first one or is refused, and never mixes with it.
  local t = fleece.array {}
  local ok = pcall(fleece.object, t)
  same(T.encode(t), ok and "{}" or "[]")
end

function TestMarks:test_marks_in_json()
  same(T.json { fleece.array {}, fleece.object {}, fleece.null, fleece.object { 1 } }, '[[],{},null,{"1":1}]')
end

function TestMarks:test_raw()
  for _, text in ipairs { "1", "null", '"x"', '{"a":[1,2,{}]}', "[ 1 , 2 ]", "12345678901234567890", "1E5", '"\\u0041"',
    " true " } do
    local raw = fleece.raw(text)
    same(type(raw), "userdata")
    same(T.encode { raw }, "[" .. text .. "]")
    same(T.encode { a = raw }, '{"a":' .. text .. "}")
    same(T.encode(raw), text)
    same(T.json { raw, raw }, "[" .. text .. "," .. text .. "]")
    same(T.json({ raw }, "E4"), "[" .. text .. "]")
  end
  local long = '["' .. ("x"):rep(100000) .. '"]'
  same(T.encode { fleece.raw(long), 1 }, "[" .. long .. ",1]")
  same(T.encode({ fleece.raw "[1]" }, { indent = 1, ascii = true }), "[\n [1]\n]")
end

function TestMarks:test_raw_refuses()
  for _, text in ipairs { "", " ", "{", "nul", "1 2", "[1,]", "NaN", '"\n"', '"\255"', "\0", "1\0", '{"a" 1}', "'x'",
    "[1]]", "01", "//", '"\\ud800"' } do
    local message = T.error_of(fleece.raw, text)
    T.contains(message, "bad argument #1 to '")
    T.contains(message, "(not valid JSON: ")
    lu.assertNotNil(message:find "at line %d+, column %d+, byte %d+%)$")
  end
  local value, message, byte = T.safe.raw '[1,\n"\195\169", x]'
  T.same(value, nil)
  T.same(message, "not valid JSON: expected a value at line 2, column 6, byte 11") -- columns are characters
  T.equal(byte, { kind = "syntax", byte = 11, line = 2, column = 6 })
end

function TestMarks:test_raw_is_immutable()
  local raw = fleece.raw "[1]"
  lu.assertError(function() raw.text = "x" end)
  lu.assertError(function() raw[1] = "x" end)
  local mt = getmetatable(raw)
  if type(mt) == "table" then -- even then, the text must remain the one that was checked
    pcall(function() mt.__gc = nil end)
    pcall(function() mt.__index = { text = "x" } end)
  end
  same(T.encode { raw }, "[[1]]")
end

function TestMarks:test_raw_deep()
  local deep = ("["):rep(50000) .. ("]"):rep(50000)
  local ok, raw = pcall(fleece.raw, deep)
  if ok then same(fleece.encode { raw }, "[" .. deep .. "]") else T.contains(raw, "bad argument #1") end
end

-- Runs f while package.loaded has a fake of OpenResty's lua-cjson, or of its module of that name alone.
local function with_cjson(cjson, f, name)
  local old, old_safe = package.loaded.cjson, package.loaded["cjson.safe"]
  package.loaded.cjson, package.loaded["cjson.safe"] = nil, nil
  package.loaded[name or "cjson"] = cjson
  local ok, message = pcall(f)
  package.loaded.cjson, package.loaded["cjson.safe"] = old, old_safe
  if not ok then error(message, 0) end
end

function TestMarks:test_cjson_marks()
  local cjson = { array_mt = {}, empty_array_mt = {}, null = fleece.null }
  if debug.upvalueid then cjson.empty_array = debug.upvalueid(function() return T end, 1) end
  local function try()
    same(T.encode(setmetatable({}, cjson.empty_array_mt), { empty_table = "object" }), "[]")
    same(T.encode(setmetatable({}, cjson.array_mt), { empty_table = "object" }), "[]")
    same(T.encode({ x = setmetatable({}, cjson.array_mt) }, { empty_table = "object" }), '{"x":[]}')
    same(T.encode(setmetatable({ 1, 2 }, cjson.array_mt)), "[1,2]")
    same(T.encode(setmetatable({ 1, 2 }, cjson.empty_array_mt)), "[1,2]")
    -- No member is left out: an array by this mark has indexes alone, and its holes are null.
    same(T.encode(setmetatable({ 1, nil, 3 }, cjson.array_mt)), "[1,null,3]")
    T.rejects({ setmetatable({ 1, 2, name = "x" }, cjson.array_mt) }, "array has a key that is not an index at [1]")
    same(#fleece.query("$[0].*")({ setmetatable({ 1, 2 }, cjson.array_mt) }), 2)
    if cjson.empty_array then same(T.encode { cjson.empty_array }, "[[]]") end
  end
  with_cjson(cjson, try)
  with_cjson(cjson, try, "cjson.safe")
end

function TestMarks:test_strange_cjson()
  for _, cjson in ipairs { true, "x", 1, {}, { array_mt = 1, empty_array_mt = "x", empty_array = {} }, print } do
    with_cjson(cjson, function() same(T.encode { {} }, "[[]]") end)
  end
  with_cjson(setmetatable({}, { __index = function() error "asked" end }), function()
    local ok, text = pcall(fleece.encode, { {} })
    if ok then same(text, "[[]]") end
  end)
end
