-- SPDX-License-Identifier: MIT
-- test_width.lua -- the option `width`: which containers stay on one line. Expected texts are written by hand, or come
-- from a model that measures whole containers. Values are written by both walks.

local T = require "support"
local lu, fleece, safe = T.lu, T.fleece, T.safe

TestWidth = {}

-- The model: writes a value of decode({ order = true }) by the rule, measuring each container as a whole. `used`: columns
-- before the value in its line; `after`: of the comma after it.
local function columns(s) return #s:gsub("[\128-\191]", "") end

local function row(v)
  if type(v) ~= "table" then return fleece.encode(v) end
  local parts, is_object = {}, fleece.encode(v):sub(1, 1) == "{"
  if is_object then
    for name, value in fleece.pairs(v) do parts[#parts + 1] = fleece.encode(name) .. ": " .. row(value) end
  else
    for i, value in ipairs(v) do parts[i] = row(value) end
  end
  return (is_object and "{%s}" or "[%s]"):format(table.concat(parts, ", "):gsub("%%", "%%%%")), is_object, #parts
end

local function model(v, indent, width, depth, used, after)
  local text, is_object, n = row(v)
  if type(v) ~= "table" or n == 0 or used + columns(text) + after <= width then return text end
  local parts, inside = {}, indent:rep(depth + 1)
  local i = 0
  local function add(name, value)
    i = i + 1
    local before = inside .. name
    parts[i] = before .. model(value, indent, width, depth + 1, columns(before), i < n and 1 or 0)
  end
  if is_object then
    for name, value in fleece.pairs(v) do add(fleece.encode(name) .. ": ", value) end
  else
    for _, value in ipairs(v) do add("", value) end
  end
  local open, close = text:sub(1, 1), text:sub(-1)
  return open .. "\n" .. table.concat(parts, ",\n") .. "\n" .. indent:rep(depth) .. close
end

-- All functions that take the option write this text for the value of `text`.
local function all_write(text, options, wanted)
  local value = fleece.decode(text, { order = true, null = fleece.null })
  local function with(more)
    local o = {}
    for k, v in pairs(options) do o[k] = v end
    for k, v in pairs(more) do o[k] = v end
    return o
  end
  T.same(fleece.format(text, options), wanted, "format")
  T.same(fleece.encode(value, options), wanted, "encode")
  T.same(fleece.encode(value, with { layout = "api" }), wanted, "encode, api")
  T.same(fleece.new(options).encode(value), wanted, "new")
  T.same(fleece.new(options).json(value), wanted, "json")
  T.same(fleece.new(options).size(value), #wanted, "size")
  T.same(safe.encode(value, options), wanted, "safe")
  for _, layout in ipairs { "auto", "api" } do
    local pieces = {}
    fleece.write(function(piece) pieces[#pieces + 1] = piece end, value, with { layout = layout })
    T.same(table.concat(pieces), wanted, "write")
    for _, size in ipairs { 1, 50, 100000 } do
      local writer, list = fleece.writer(value, with { layout = layout }), {}
      for piece in function() return writer:next(size) end do
        lu.assertTrue(#piece > 0)
        list[#list + 1] = piece
      end
      T.same(table.concat(list), wanted, "writer")
    end
  end
  for _, step in ipairs { 1, 3, 100000 } do
    local at, pieces = 1 - step, {}
    local n = fleece.format_stream(function()
      at = at + step
      return text:sub(at, at + step - 1)
    end, function(piece) pieces[#pieces + 1] = piece end, options)
    T.same(n, 1)
    T.same(table.concat(pieces), wanted, "format_stream")
  end
  T.same(fleece.format(wanted, options), wanted, "again")
  return value
end

function TestWidth:test_by_hand()
  local text = '{"name":"Ann","list":[1,2,3],"deep":{"a":{"b":[1,[2]]}},"empty":[],"none":{}}'
  all_write(text, { indent = 2, width = 100 },
    '{"name": "Ann", "list": [1, 2, 3], "deep": {"a": {"b": [1, [2]]}}, "empty": [], "none": {}}')
  local lines = [=[
{
  "name": "Ann",
  "list": [1, 2, 3],
  "deep": {"a": {"b": [1, [2]]}},
  "empty": [],
  "none": {}
}]=]
  all_write(text, { indent = 2, width = 33 }, lines)
  all_write(text, { indent = 2, width = 32 },
    (lines:gsub('{"a": {"b": %[1, %[2%]%]}}', '{\n    "a": {"b": [1, [2]]}\n  }')))
  all_write(text, { indent = "\t", width = 32 }, (lines:gsub("  ", "\t")))
  all_write(text, { indent = 2, width = 0 }, fleece.format(text, { indent = 2 }))
  all_write(text, { indent = 2, width = 1 }, fleece.format(text, { indent = 2 }))
end

-- The last column counts, and the comma after a container, but not the brackets around it.
function TestWidth:test_edges()
  all_write("[[1,2],[3]]", { indent = 2, width = 13 }, "[[1, 2], [3]]")
  all_write("[[1,2],[3]]", { indent = 2, width = 12 }, "[\n  [1, 2],\n  [3]\n]")
  all_write("[[1,2],[3]]", { indent = 2, width = 9 }, "[\n  [1, 2],\n  [3]\n]")
  all_write("[[1,2],[3]]", { indent = 2, width = 8 }, "[\n  [\n    1,\n    2\n  ],\n  [3]\n]")
  all_write("[[3],[1,2]]", { indent = 2, width = 8 }, "[\n  [3],\n  [1, 2]\n]")
  all_write('{"a":[1,2],"b":0}', { indent = 2, width = 14 }, '{\n  "a": [1, 2],\n  "b": 0\n}')
  all_write('{"a":[1,2],"b":0}', { indent = 2, width = 13 }, '{\n  "a": [\n    1,\n    2\n  ],\n  "b": 0\n}')
  all_write("[]", { indent = 2, width = 1 }, "[]")
  all_write("[[]]", { indent = 2, width = 3 }, "[\n  []\n]")
  all_write('"a string that is longer than the line"', { indent = 2, width = 5 }, '"a string that is longer than the line"')
  all_write('["a string that is longer than the line",{}]', { indent = 2, width = 5 },
    '[\n  "a string that is longer than the line",\n  {}\n]')
end

-- A character is one column, however many bytes it has, and whatever it looks like.
function TestWidth:test_characters()
  all_write('["äöü","日本"]', { indent = 2, width = 13 }, '["äöü", "日本"]')
  all_write('["äöü","日本"]', { indent = 2, width = 12 }, '[\n  "äöü",\n  "日本"\n]')
  all_write('["\240\159\152\128"]', { indent = 1, width = 5 }, '["\240\159\152\128"]')
  T.same(fleece.format('["\\u00e4"]', { indent = 1, width = 10 }), '["\\u00e4"]')
  T.same(fleece.format('["\\u00e4"]', { indent = 1, width = 9 }), '[\n "\\u00e4"\n]')
  T.same(fleece.format('["[,{:","\\"]"]', { indent = 1, width = 16 }), '["[,{:", "\\"]"]')
end

function TestWidth:test_random()
  local random = T.random
  local function text(depth)
    local kind = random(1, depth > 5 and 4 or 8)
    if kind <= 2 then return ("%d"):format(random(1, 10 ^ random(1, 8))) end
    if kind == 3 then return '"' .. ("é[x"):rep(random(0, 6)) .. '"' end
    if kind == 4 then return "null" end
    local parts = {}
    for i = 1, random(0, 5) do parts[i] = (kind >= 7 and ('"%s%d":'):format(("n"):rep(random(0, 9)), i) or "") .. text(depth + 1) end
    return (kind >= 7 and "{" or "[") .. table.concat(parts, ",") .. (kind >= 7 and "}" or "]")
  end
  T.random_rounds(40, function()
    local one = text(0)
    for _, width in ipairs { 1, random(2, 20), random(20, 60), 80 } do
      local options = { indent = random(1, 3), width = width, max_depth = 1000 }
      local value = fleece.decode(one, { order = true, null = fleece.null })
      all_write(one, options, model(value, (" "):rep(options.indent), width, 0, 0, 0))
    end
  end)
end

function TestWidth:test_documents()
  local text = '{"b":[1,2],"a":{"c":[true]}}'
  local options = { indent = 2, width = 21, sort_keys = true }
  local wanted = '{\n  "a": {"c": [true]},\n  "b": [1, 2]\n}'
  T.same(fleece.to_json(fleece.from_json(text), options), wanted)
  T.same(fleece.encode(fleece.open(fleece.from_json(text)), options), wanted)
  T.same(fleece.encode(fleece.lazy(text), options), wanted)
  T.same(fleece.format(text, options), wanted)
  T.same(fleece.to_json(fleece.from_json "[1,[2]]", { indent = 2, width = 80 }), "[1, [2]]")
end

-- Text that is JSON already is laid out, too.
function TestWidth:test_raw()
  local options = { indent = 2, width = 20 }
  local hooked = setmetatable({}, { __tojson = function() return '{"x" : [1,\n2]}' end })
  T.same(fleece.encode({ fleece.raw ' [1 , 2] ', hooked, { 3 } }, options), '[\n  [1, 2],\n  {"x": [1, 2]},\n  [3]\n]')
end

function TestWidth:test_lines()
  local pieces = {}
  T.same(fleece.format_stream('{"a":[1,2]} [3]\n"x" []', function(s) pieces[#pieces + 1] = s end,
    { indent = 2, width = 12, lines = true }), 4)
  T.same(table.concat(pieces), '{\n  "a": [\n    1,\n    2\n  ]\n}\n[3]\n"x"\n[]\n')
  T.same(fleece.format("[1]\n[2,3]", { indent = 2, width = 12, lines = true }), "[1]\n[2, 3]\n")
  -- A reader of a stream gets each document at once.
  local seen, given = {}, { "[1,[2]]\n", "[3" , "]" }
  fleece.format_stream(function()
    seen[#seen + 1] = table.concat(pieces)
    return table.remove(given, 1)
  end, function(s) pieces[#pieces + 1] = s end, { indent = 2, width = 12, lines = true })
  T.contains(seen[2], "[1, [2]]\n")
end

-- Colours take no column.
function TestWidth:test_colors()
  local text = '{"a":[1,"x",null,true]}'
  local function plain(width)
    return (fleece.format(text, { indent = 2, width = width, colors = true }):gsub("\27%[[%d;]*m", ""))
  end
  for width = 1, 40 do T.same(plain(width), fleece.format(text, { indent = 2, width = width })) end
end

function TestWidth:test_edit()
  T.same(fleece.edit('{"a": 1}', { { "set", "a", { 1, { 2 } } } }, { indent = 2, width = 80 }), '{"a": [1, [2]]}')
end

function TestWidth:test_options()
  T.raises("bad argument #2 to 'encode' (option 'width' needs 'indent')", fleece.encode, {}, { width = 80 })
  T.raises("bad argument #2 to 'format' (option 'width' needs 'indent')", fleece.format, "1", { width = 80 })
  T.raises("bad argument #2 to 'encode' (option 'width' must be a whole number from 0 to 10000)", fleece.encode, {},
    { indent = 2, width = 10001 })
  T.raises("bad argument #2 to 'encode' (option 'width' must be a whole number from 0 to 10000)", fleece.encode, {},
    { indent = 2, width = "80" })
  local codec = fleece.new { indent = 2, width = 80 }
  T.same(codec.encode { { 1 } }, "[[1]]")
  T.same(codec.encode({ { 1 } }, { indent = 0 }), "[[1]]")
  T.same(codec.encode({ { 1 } }, { width = 0 }), "[\n  [\n    1\n  ]\n]")
  T.same(codec.encode({ { 1, 2 } }, { width = 4 }), "[\n  [\n    1,\n    2\n  ]\n]")
  T.same(fleece.encode({ a = { 1 } }, { canonical = "jcs" }), '{"a":[1]}')
end

function TestWidth:test_errors()
  local options = { indent = 2, width = 40 }
  T.raises_with("cannot encode a function at [2]", fleece.encode, { 1, print }, options)
  T.fails_with("cannot encode a function at [2]", safe.encode, { 1, print }, options)
  T.raises_with("expected ',' or ']' at line 1, column 4", fleece.format, "[1 2]", options)
  -- What a sink says or raises arrives.
  local long = {}
  for i = 1, 20000 do long[i] = { i } end
  T.raises_with("disk full", fleece.write, function() return nil, "disk full" end, long, options)
  T.fails("disk full", safe.write, function() return nil, "disk full" end, long, options)
  local thrown = {}
  T.same(T.error_of(fleece.write, function() error(thrown) end, long, options), thrown)
  T.same(T.error_of(fleece.format_stream, fleece.encode(long), function() error(thrown) end, options), thrown)
  T.raises_with("disk full", fleece.format_stream, fleece.encode(long), function() return nil, "disk full" end, options)
end

-- Much text, deep and in long strings; the result is a value, and lines are as long as the width allows.
function TestWidth:test_large()
  local list = {}
  for i = 1, 3000 do list[i] = { id = i, name = ("n"):rep(i % 70), tags = { i, i + 1, { i } } } end
  list[3001] = ("long "):rep(100000)
  local options = { indent = 2, width = 60, sort_keys = true }
  local text = fleece.encode(list, options)
  T.same(fleece.format(text), fleece.encode(list, { sort_keys = true }))
  for line in text:gmatch "[^\n]+" do
    if #line > 60 and not line:find "long" and line:find "[%[{]" then lu.fail(line) end
  end
  local deep = ("["):rep(3000) .. ("]"):rep(3000)
  local folded = fleece.format(deep, { indent = 1, width = 10000, max_depth = 3000 })
  T.same(folded, deep)
  folded = fleece.format(deep, { indent = 1, width = 100, max_depth = 3000 })
  T.same((folded:gsub("%s", "")), deep)
  T.same(folded, (fleece.format(deep, { indent = 1, max_depth = 3000 })))
end
