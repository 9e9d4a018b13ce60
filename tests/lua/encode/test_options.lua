-- SPDX-License-Identifier: MIT
-- test_options.lua -- each option of encode, and options of codecs made by fleece.new.
-- Options for texts are in test_strings and test_utf8, for numbers in test_numbers, for order in test_order, for hooks
-- in test_hooks.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestOptions = {}

function TestOptions:test_none()
  same(fleece.encode({ 1 }, nil), "[1]")
  same(T.encode({ 1 }, {}), "[1]")
end

function TestOptions:test_indent()
  local value = { 1, { a = { true } }, {}, "x" }
  local expected = '[\n  1,\n  {\n    "a": [\n      true\n    ]\n  },\n  [],\n  "x"\n]'
  same(T.encode_by_model(value, { indent = 2 }), expected)
  same(T.encode_by_model(value, { indent = "  " }), expected)
  same(T.encode_by_model(value, { indent = "\t" }), (expected:gsub("  ", "\t")))
  same(T.encode_by_model(value, { indent = " \t" }), (expected:gsub("  ", " \t")))
  for n = 1, 16 do
    same(T.encode_by_model(value, { indent = n }), (expected:gsub("  ", (" "):rep(n))))
  end
  same(T.encode_by_model(value, { indent = 0 }), '[1,{"a":[true]},[],"x"]')
  same(T.encode_by_model(value, { indent = "" }), '[1,{"a":[true]},[],"x"]')
  same(T.encode({}, { indent = 2 }), "[]")
  same(T.encode({}, { indent = 2, empty_table = "object" }), "{}")
  same(T.encode({ a = {} }, { indent = 2 }), '{\n  "a": []\n}')
  same(T.encode(1, { indent = 2 }), "1")
end

function TestOptions:test_indent_deep()
  local t, expected = 1, "1"
  local lines = {}
  for level = 1, 60 do
    t = { t }
    lines[level] = ("   "):rep(level - 1) .. "["
  end
  lines[61] = ("   "):rep(60) .. "1"
  for level = 60, 1, -1 do lines[#lines + 1] = ("   "):rep(level - 1) .. "]" end
  same(T.encode_by_model(t, { indent = 3 }), table.concat(lines, "\n"))
  lu.assertEquals(expected, "1")
end

function TestOptions:test_indent_many()
  local t = {}
  for i = 1, 5000 do t[i] = { i } end
  local text = T.encode_by_model(t, { indent = "    " })
  same(text, T.model.encode(t, { indent = "    " }))
end

function TestOptions:test_empty_table()
  for choice, text in pairs { array = "[]", object = "{}" } do
    same(T.encode_by_model({}, { empty_table = choice }), text)
    same(T.encode_by_model({ {}, a = {} }, { empty_table = choice, sort_keys = true }),
      '{"1":' .. text .. ',"a":' .. text .. "}")
  end
  same(T.encode(fleece.array {}, { empty_table = "object" }), "[]")
  same(T.encode(fleece.object {}, { empty_table = "array" }), "{}")
end

function TestOptions:test_sparse_object()
  for _, options in ipairs { {}, { sparse = "object" } } do
    same(T.encode_by_model({ 1, nil, 3 }, options), '{"1":1,"3":3}')
    same(T.encode_by_model({ [1000] = 1 }, options), '{"1000":1}')
  end
end

function TestOptions:test_sparse_null()
  local options = { sparse = "null" }
  same(T.encode({ 1, nil, 3 }, options), "[1,null,3]")
  same(T.encode({ nil, nil, 3 }, options), "[null,null,3]")
  same(T.encode({ [10] = 1 }, options), "[" .. ("null,"):rep(9) .. "1]") -- always for indices up to 10
  same(T.encode({ [11] = 1 }, options), '{"11":1}')
  same(T.encode({ [1000] = 1 }, options), '{"1000":1}')
  local t = {}
  for i = 2, 40, 2 do t[i] = i end -- highest index = twice the count
  same(T.encode(t, options):sub(1, 8), "[null,2,")
  t[41], t[2], t[4] = 41, nil, nil -- 19 elements, highest 41
  same(T.encode(t, options):sub(1, 1), "{")
  same(T.encode({ 1, 2, nil, x = 1 }, options):sub(1, 1), "{")
  same(T.encode({ 1, nil, 3, [0] = 0 }, options):sub(1, 1), "{")
  same(T.encode({ [1] = 1, [2 ^ 31] = 2 }, options):sub(1, 1), "{")
  same(T.encode({ [1] = 1, [2 ^ 53] = 2 }, options):sub(1, 1), "{")
  same(T.encode({ a = { 1, nil, 3 } }, options), '{"a":[1,null,3]}')
end

function TestOptions:test_sparse_ratio()
  same(T.encode({ [11] = 1 }, { sparse = "null", sparse_ratio = 11 }), "[" .. ("null,"):rep(10) .. "1]")
  same(T.encode({ [12] = 1 }, { sparse = "null", sparse_ratio = 11 }), '{"12":1}')
  local t = {}
  for i = 1, 60, 3 do t[i] = i end -- 20 elements, highest 58
  same(T.encode(t, { sparse = "null" }):sub(1, 1), "{")
  same(T.encode(t, { sparse = "null", sparse_ratio = 3 }):sub(1, 15), "[1,null,null,4,")
end

function TestOptions:test_sparse_error()
  T.rejects({ 1, nil, 3 }, "array has holes at the root", { sparse = "error" })
  T.rejects({ a = { [7] = 1 } }, "array has holes at .a", { sparse = "error" })
  for n = 3, 9 do -- a hole at each place
    for hole = 1, n - 1 do
      local list = {}
      for i = 1, n do list[i] = i end
      list[hole] = nil
      T.rejects(list, "array has holes at the root", { sparse = "error" })
    end
  end
  same(T.encode({ 1, 2 }, { sparse = "error" }), "[1,2]")
  same(T.encode({ 1, 2, x = 1 }, { sparse = "error", sort_keys = true }), '{"1":1,"2":2,"x":1}')
end

-- An array keeps its size when it loses items, and its empty slots are passed by vectors of several sizes: what is left
-- at one of them is found, whatever type it has.
function TestOptions:test_array_that_shrank()
  local kinds = { 7, 0.5, false, "x", {}, fleece.null }
  for _, size in ipairs { 32, 40, 61, 127, 150 } do
    local list, place = {}, size
    for i = 1, size do list[i] = i end
    for i = size, 4, -1 do list[i] = nil end
    same(T.encode(list), "[1,2,3]")
    while place > 4 do
      list[place] = kinds[place % #kinds + 1]
      T.rejects(list, "array has holes at the root", { sparse = "error" })
      for _, codec in pairs(T.other_cpus) do
        lu.assertErrorMsgContains("array has holes", codec.encode, list, { sparse = "error" })
      end
      list[place], place = nil, place - 1
    end
    for _, codec in pairs(T.other_cpus) do same(codec.encode(list), "[1,2,3]") end
  end
end

function TestOptions:test_max_depth()
  same(T.encode({}, { max_depth = 1 }), "[]")
  same(T.encode({ { 1 } }, { max_depth = 2 }), "[[1]]")
  same(T.encode("x", { max_depth = 1 }), '"x"')
  for _, codec in ipairs(T.codecs) do
    T.raises_with("nesting deeper than 1 level", codec.encode, { {} }, { max_depth = 1 })
    T.raises_with("nesting deeper than 2 levels at ", codec.encode, { { { 1 } } }, { max_depth = 2 })
  end
end

function TestOptions:test_skip_unsupported()
  local options = { skip_unsupported = true }
  same(T.encode({ a = 1, b = print }, options), '{"a":1}')
  same(T.encode({ b = print }, options), "{}")
  same(T.encode({ a = 1, [true] = 2 }, options), '{"a":1}')
  same(T.encode({ x = { y = { z = coroutine.create(function() end), w = 1 } } }, options), '{"x":{"y":{"w":1}}}')
  local node = T.model.decode(T.encode({ 1, print, 3 }, options))
  same(node.t, "array")
  T.rejects({ 1, 0 / 0 }, "number is NaN at [2]", options)
  same(T.encode({ a = 1, b = print, c = 2 }, { skip_unsupported = true, sort_keys = true, indent = 1 }),
    '{\n "a": 1,\n "c": 2\n}')
  T.rejects({ a = print }, "cannot encode a function at .a", { skip_unsupported = false })
end

function TestOptions:test_new_freezes_options()
  local codec = fleece.new { indent = 2, sort_keys = true }
  same(codec.encode { b = 1, a = 2 }, '{\n  "a": 2,\n  "b": 1\n}')
  same(codec.encode({ b = 1, a = 2 }, { indent = 0 }), '{"a":2,"b":1}')
  same(codec.encode({ b = { 1 } }, { indent = "\t" }), '{\n\t"b": [\n\t\t1\n\t]\n}')
  same(codec.encode { b = 1, a = 2 }, '{\n  "a": 2,\n  "b": 1\n}') -- the call before did not change it
  same(fleece.encode { { 1 } }, "[[1]]") -- nor did any call change fleece itself
  local sink, result = T.collector()
  codec.write(sink, { 1 })
  same(result(), "[\n  1\n]")
end

function TestOptions:test_new_does_not_see_later_changes()
  local options = { empty_table = "object" }
  local codec = fleece.new(options)
  options.empty_table = "array"
  same(codec.encode {}, "{}")
end

function TestOptions:test_new_of_new()
  local first = fleece.new { empty_table = "object", precision = 3 }
  local second = first.new { precision = 5 }
  same(first.encode(1 / 3), "0.333")
  same(second.encode(1 / 3), "0.33333")
  same(fleece.new().encode { 1 }, "[1]")
end

function TestOptions:test_new_is_independent()
  local codecs = {}
  for n = 1, 17 do codecs[n] = fleece.new { precision = n } end
  for n = 1, 17 do same(codecs[n].encode(1 / 3), string.format("%." .. n .. "g", 1 / 3)) end
end

function TestOptions:test_new_safe()
  local codec = T.safe.new { sparse = "error" }
  local text, message = codec.encode { 1, nil, 3 }
  same(text, nil)
  T.ends(message, "array has holes at the root")
  same(codec.encode { 1 }, "[1]")
  lu.assertErrorMsgContains("array has holes", fleece.new { sparse = "error" }.encode, { 1, nil, 3 })
end

function TestOptions:test_safe_returns()
  same(T.safe.encode { 1 }, "[1]")
  same(T.safe.json("a/b", "E4"), '"a\\/b"')
  same(T.safe.size { 1, 2 }, 5)
  same(T.safe.write(function() end, { 1 }), true)
  same(select("#", T.safe.encode { 1 }), 1)
  same(select("#", T.safe.encode { print }), 3)
  same(T.safe.null, fleece.null)
  same(T.safe.array_mt, fleece.array_mt)
  same(T.safe.object_mt, fleece.object_mt)
end

function TestOptions:test_layout()
  same(fleece.encode({ 1 }, { layout = "api" }), "[1]")
  same(fleece.encode({ 1 }, { layout = "auto" }), "[1]")
  same(T.api.encode({ 1 }, { layout = "auto" }), "[1]")
  same(fleece.encode({ 1 }, { layout = "any-cpu" }), "[1]")
  same(fleece.encode({ 1 }, { layout = "avx2" }), "[1]")
end

function TestOptions:test_options_table_with_metatable()
  -- Options are read without metamethods, or an error is raised.
  local options = setmetatable({ indent = 1 }, { __index = function() error "not asked" end })
  local ok, text = pcall(fleece.encode, { 1 }, options)
  if ok then same(text, "[\n 1\n]") end
end
