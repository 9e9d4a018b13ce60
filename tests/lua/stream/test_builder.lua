-- SPDX-License-Identifier: MIT
-- test_builder.lua -- fleece.builder: a JSON text value by value.
-- runs: in one layout

local T = require "support"
local lu, fleece, safe = T.lu, T.fleece, T.safe

TestBuilder = {}

local function sample(b)
  return b:object():key "a":number(1):key "b":array():string "x\n\"":value { 1, 2, { a = true } }:null():boolean(true)
    :boolean(false):number(0.1, "0.10"):number(nil, "1e400"):array():close():object():close():close():key "":null():close()
end

local SAMPLE = '{"a":1,"b":["x\\n\\"",[1,2,{"a":true}],null,true,false,0.10,1e400,[],{}],"":null}'

function TestBuilder:test_text()
  T.same(sample(fleece.builder()):finish(), SAMPLE)
  T.same(fleece.builder():string "x":finish(), '"x"')
  T.same(fleece.builder():array():close_array():finish(), "[]")
  T.same(fleece.builder():object():close_object():finish(), "{}")
  T.same(fleece.builder():value(nil):finish(), "null")
  T.same(fleece.builder():value(fleece.null):finish(), "null")
  T.same(fleece.builder():value { { 1 }, fleece.raw "[1, 2]" }:finish(), "[[1],[1, 2]]")
  T.same(fleece.builder():value(fleece.open(fleece.from_json '{"a":1}')):finish(), '{"a":1}')
end

function TestBuilder:test_layout()
  for _, options in ipairs { { indent = 2 }, { indent = "\t" }, { indent = 3, width = 20 }, { indent = 1, width = 200 } } do
    T.same(sample(fleece.builder(nil, options)):finish(), fleece.format(SAMPLE, options))
    T.same(sample(fleece.new(options).builder()):finish(), fleece.format(SAMPLE, options))
    local parts = {}
    T.same(sample(fleece.builder(function(piece) parts[#parts + 1] = piece end, options)):finish(), true)
    T.same(table.concat(parts), fleece.format(SAMPLE, options))
  end
end

-- All the sinks of write; long texts arrive in pieces, while they are built.
function TestBuilder:test_sinks()
  local function fill(b, n)
    b:array()
    for i = 1, n do b:object():key "id":number(i):key "name":string "somebody":close() end
    return b:close()
  end
  for _, options in ipairs { {}, { indent = 2 }, { indent = 2, width = 60 } } do
    local wanted = fill(fleece.builder(nil, options), 5000):finish()
    local parts = {}
    local b = fleece.builder(function(piece) parts[#parts + 1] = piece end, options)
    fill(b, 5000)
    lu.assertTrue(#parts > 3)
    T.same(b:finish(), true)
    T.same(table.concat(parts), wanted)
    parts = {}
    fill(fleece.builder({ write = function(_, piece) parts[#parts + 1] = piece end }, options), 5000):finish()
    T.same(table.concat(parts), wanted)
    local path = os.tmpname()
    local file = assert(io.open(path, "wb"))
    fill(fleece.builder(file, options), 5000):finish()
    file:close()
    file = io.open(path, "rb")
    T.same(file:read "*a", wanted)
    file:close()
    os.remove(path)
  end
end

-- What would be no JSON is refused, and the builder goes on as if nothing had happened.
function TestBuilder:test_order()
  local b = fleece.builder()
  local function refuses(message, method, ...) T.raises_ending(message, b[method], b, ...) end
  refuses("no array or object is open", "close")
  refuses("a key belongs in an object", "key", "a")
  refuses("no value was written", "finish")
  b:object()
  refuses("an object is still open", "finish")
  for method, value in pairs { number = 1, string = "x", boolean = true, null = 0, array = 0, object = 0, value = 1 } do
    refuses("a value in an object needs a key", method, value)
  end
  refuses("an object is open, not an array", "close_array")
  b:key "a"
  refuses("a key needs a value", "key", "b")
  refuses("a key needs a value", "close")
  b:array()
  refuses("an array is open, not an object", "close_object")
  refuses("a key belongs in an object", "key", "b")
  refuses("an array is still open", "finish")
  refuses("number is NaN", "number", 0 / 0)
  refuses("number is infinite", "number", 1 / 0)
  refuses("invalid UTF-8", "string", "\255")
  refuses("cannot encode a function at [1]", "value", { print })
  refuses("bad argument #3 to 'number' (the digits of a JSON number expected)", "number", 1, "01")
  for _, digits in ipairs { "", "1.", "0x1", "1 ", " 1", "-", "+1", "1e", "NaN", "1\0", "[]" } do
    T.raises_with("the digits of a JSON number expected", b.number, b, 1, digits)
  end
  b:close():close()
  for method, value in pairs { number = 1, string = "x", boolean = true, null = 0, array = 0, object = 0, value = 1 } do
    refuses("a text holds one value only", method, value)
  end
  refuses("a key belongs in an object", "key", "a")
  T.same(b:finish(), '{"a":[]}')
  refuses("the builder has finished", "finish")
  refuses("the builder has finished", "null")
end

function TestBuilder:test_arguments()
  local b = fleece.builder():array()
  T.raises_with("string expected, got number", b.string, b, 1)
  T.raises_with("number expected, got string", b.number, b, "1")
  T.raises_with("number expected, got no value", b.number, b)
  T.raises_with("string expected, got number", b.number, b, 1, 1)
  T.raises_with("boolean expected, got nil", b.boolean, b, nil)
  T.raises_with("value expected", b.value, b)
  T.raises_with("builder expected", b.string, {}, "x")
  T.raises_with("string expected, got number", b.key, fleece.builder():object(), 1)
  T.raises_with("a file, a function or an object with a put or write method expected", fleece.builder, 1)
  T.raises_with("option 'canonical' must be false here", fleece.builder, nil, { canonical = "jcs" })
  T.raises_with("option 'width' needs 'indent'", fleece.builder, nil, { width = 10 })
  T.raises_with("unknown option 'foo'", fleece.builder, nil, { foo = 1 })
  T.same(b:close():finish(), "[]")
end

function TestBuilder:test_options()
  local options = { ascii = true, sort_keys = true, invalid_numbers = "null", precision = 3, invalid_utf8 = "replace" }
  local b = fleece.builder(nil, options):array():string "é":number(0 / 0):number(1 / 3):number(1 / 3, "0.3333333333"):string "\255"
  T.same(b:value { b = 2, a = "é" }:close():finish(),
    '["\\u00e9",null,0.333,0.3333333333,"\\ufffd",{"a":"\\u00e9","b":2}]')
  T.same(fleece.builder(nil, { key_order = { "b" } }):value { a = 1, b = 2, c = 3 }:finish():sub(1, 7), '{"b":2,')
  local handled = { on_error = function(_, path) return path end }
  T.same(fleece.builder(nil, handled):array():value { print }:close():finish(), '[["[1]"]]')
  T.same(fleece.new { indent = 1 }.builder():array():null():close():finish(), "[\n null\n]")
end

function TestBuilder:test_duplicates()
  T.same(fleece.builder():object():key "a":null():key "a":null():close():finish(), '{"a":null,"a":null}')
  local b = fleece.builder(nil, { duplicates = "error" }):array():object():key "a":object():key "a":null():close():key "b":null()
  T.raises_ending("duplicate name", b.key, b, "a")
  b:key "c":null():close():object():key "a":null():close():close()
  T.same(b:finish(), '[{"a":{"a":null},"b":null,"c":null},{"a":null}]')
end

function TestBuilder:test_depth()
  local b = fleece.builder(nil, { max_depth = 3 }):array():array()
  T.raises_with("nesting deeper than 1 levels", b.value, b, { { 1 } })
  b:value { 1 }:array()
  T.raises_ending("nesting too deep", b.object, b)
  T.raises_with("nesting deeper than 0 levels", b.value, b, {})
  T.same(b:close():close():close():finish(), "[[[1],[]]]")
  b = fleece.builder(nil, { max_depth = 100000 })
  for _ = 1, 100000 do b:array() end
  for _ = 1, 100000 do b:close() end
  T.same(b:finish(), ("["):rep(100000) .. ("]"):rep(100000))
end

function TestBuilder:test_safe()
  local b = safe.builder():array()
  T.fails("a key belongs in an object", b.key, b, "a")
  T.fails("invalid UTF-8", b.string, b, "\255")
  T.fails("cannot encode a function at [1]", b.value, b, { print })
  T.fails("an array is still open", b.finish, b)
  T.same(b:null():close():finish(), "[null]")
  b = safe.builder(function() return nil, "disk full" end):null()
  T.fails("disk full", b.finish, b)
  T.fails("disk full", b.finish, b) -- it stays
end

-- What a sink says or raises arrives, and the builder has failed.
function TestBuilder:test_failing_sinks()
  local thrown = {}
  local b = fleece.builder(function() error(thrown) end):array()
  T.same(T.error_of(b.string, b, ("x"):rep(100000)), thrown)
  T.same(T.error_of(b.null, b), thrown)
  b = fleece.builder(function() return false, "disk full" end, { indent = 2 }):null()
  T.raises_ending("disk full", b.finish, b)
  T.raises_ending("disk full", b.finish, b)
  -- A sink or a hook cannot use the builder that calls it.
  local inner
  b = fleece.builder(function() inner = select(2, pcall(b.null, b)) end):array()
  b:string(("x"):rep(100000))
  T.contains(inner, "the builder is in use")
  T.same(b:close():finish(), true)
  b = fleece.builder()
  b:value(setmetatable({}, { __tojson = function() inner = select(2, pcall(b.null, b)) return "1" end }))
  T.contains(inner, "the builder is in use")
  T.same(b:finish(), "1")
  T.raises_with("closed file", function()
    local file = io.tmpfile()
    local builder = fleece.builder(file):null()
    file:close()
    builder:finish()
  end)
end

function TestBuilder:test_collected()
  for i = 1, 300 do
    local b = fleece.builder(nil, { indent = 2 }):array():string(("x"):rep(i * 100))
    if i % 3 == 0 then b:close():finish() end
    if i % 50 == 0 then collectgarbage() end
  end
  collectgarbage()
end
