-- SPDX-License-Identifier: MIT
-- test_number_keys.lua -- tables whose keys are numbers, in patches, queries and differences: a member is found by its
-- name as encode writes it, and no result has a name twice.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same
local null = fleece.null

TestNumberKeys = {}

local SORTED = { sort_keys = true }
local function text(value) return fleece.encode(value, SORTED) end

-- Both ways of copying tables.
local function each_codec(f)
  for _, codec in ipairs(T.codecs) do f(codec) end
end

-- The keys of a table, as texts in which "10" and 10 differ.
local function keys(t)
  local list = {}
  for key in pairs(t) do list[#list + 1] = type(key) == "number" and ("%.14g"):format(key) or ("%q"):format(key) end
  table.sort(list)
  return table.concat(list, " ")
end

function TestNumberKeys:test_merge_patch()
  each_codec(function(codec)
    -- value, patch, text of the result, keys of the result
    T.each({
      { { [10] = "a" }, '{"10":"b"}', '{"10":"b"}', "10" },
      { { [10] = "a" }, '{"10":null}', "{}", "" },
      { { [10] = "a" }, '{"30":"b","x":1}', '{"10":"a","30":"b","x":1}', '"x" 10 30' },
      { { [10] = "a" }, '{"010":1,"1e1":2,"10.0":3}', '{"010":1,"10":"a","10.0":3,"1e1":2}', '"010" "10.0" "1e1" 10' },
      { { [10] = "a", x = 1 }, '{"30":"b"}', '{"10":"a","30":"b","x":1}', '"x" 10 30' },
      { { x = 1 }, '{"30":"b"}', '{"30":"b","x":1}', '"30" "x"' },
      { { x = 1 }, { [30] = "b" }, '{"30":"b","x":1}', '"30" "x"' },
      { { ["10"] = "a" }, { [10] = "b" }, '{"10":"b"}', '"10"' },
      { { ["10"] = "a", x = 1 }, { [10] = null }, '{"x":1}', '"x"' },
      { { [1.5] = "a", [-3] = 1 }, '{"1.5":"b","-3":null}', '{"1.5":"b"}', "1.5" },
      { fleece.object {}, { [30] = "b" }, '{"30":"b"}', "30" },
      { 5, { [30] = "b" }, '{"30":"b"}', "30" },
      { { [10] = { [20] = { x = 1 } } }, '{"10":{"20":{"x":null,"y":2},"21":{}}}', '{"10":{"20":{"y":2},"21":{}}}', "10" },
      { { [2] = "b" }, '{"1":"a"}', '{"1":"a","2":"b"}', "1 2" }, -- it stays an object
      { { "a", "b", x = 1 }, '{"x":null}', '{"1":"a","2":"b"}', "1 2" },
      { { "a", nil, "c" }, '{"3":null}', '{"1":"a"}', "1" },
      { { [0] = "a", x = 1 }, '{"-0":"b","0":null}', '{"-0":"b","x":1}', '"-0" "x"' },
    }, function(case)
      local before = text(case[1])
      local result = codec.merge_patch(case[1], case[2])
      same(text(result), case[3])
      same(keys(result), case[4])
      same(text(case[1]), before)
      same(fleece.format(codec.merge_patch(before, case[2]), SORTED), case[3]) -- so does the text
    end)
  end)
end

function TestNumberKeys:test_json_patch()
  each_codec(function(codec)
    local function op(op, path, value, from) return { op = op, path = path, value = value, from = from } end
    T.each({
      { { [10] = "a" }, { op("replace", "/10", "b") }, '{"10":"b"}', "10" },
      { { [10] = "a" }, { op("add", "/10", "b") }, '{"10":"b"}', "10" },
      { { [10] = "a" }, { op("add", "/30", "b"), op("add", "/x", 1), op("add", "/31", 2) }, '{"10":"a","30":"b","31":2,"x":1}', '"x" 10 30 31' },
      { { [10] = "a", x = 1 }, { op("add", "/30", "b") }, '{"10":"a","30":"b","x":1}', '"x" 10 30' },
      { { x = 1 }, { op("add", "/30", "b") }, '{"30":"b","x":1}', '"30" "x"' },
      { { [10] = "a", [20] = "b" }, { op("remove", "/10"), op("move", "/20.5", nil, "/20") }, '{"20.5":"b"}', "20.5" },
      { { [10] = "a" }, { op("remove", "/10"), op("add", "/11", 1) }, '{"11":1}', "11" },
      { { [1.5] = { [-3] = 1 } }, { op("test", "/1.5/-3", 1), op("add", "/1.5/-4", 2), op("test", "/1.5", { ["-3"] = 1, ["-4"] = 2 }) },
        '{"1.5":{"-3":1,"-4":2}}', "1.5" },
      { { [2] = "b" }, { op("add", "/1", "a") }, '{"1":"a","2":"b"}', "1 2" },
      { { [2] = "b" }, { op("add", "/1", "a"), op("add", "/0", "z"), op("remove", "/0") }, '{"1":"a","2":"b"}', "1 2" },
      -- what encode writes as an object is one, whatever its keys are
      { { "a", "b", x = 1 }, { op("add", "/0", "z"), op("replace", "/2", "c") }, '{"0":"z","1":"a","2":"c","x":1}', '"x" 0 1 2' },
      { { "a", nil, "c" }, { op("test", "/3", "c"), op("add", "/0", "z") }, '{"0":"z","1":"a","3":"c"}', "0 1 3" },
      { { "a", "b", x = 1 }, { op("remove", "/x") }, '{"1":"a","2":"b"}', "1 2" },
      { { a = { "b", x = 1 } }, { op("test", "/a/1", "b"), op("copy", "/c", nil, "/a/1") }, '{"a":{"1":"b","x":1},"c":"b"}', '"a" "c"' },
    }, function(case)
      local before = text(case[1])
      local result = codec.json_patch(case[1], case[2])
      same(text(result), case[3])
      same(keys(result), case[4])
      same(text(case[1]), before)
      same(fleece.format(codec.json_patch(before, fleece.encode(case[2])), SORTED), case[3]) -- so does the text
    end)
  end)
  T.raises_with("there is no such member", fleece.json_patch, { "a", x = 1 }, { { op = "remove", path = "/2" } })
end

-- As decode makes keys, so does what is added.
function TestNumberKeys:test_the_option_numeric_keys()
  local codec = fleece.new { numeric_keys = true }
  local value = codec.decode '{"x":{"y":1}}'
  same(keys(codec.json_patch(value, '[{"op":"add","path":"/x/7","value":1}]').x), '"y" 7')
  same(keys(codec.merge_patch(value, { x = { ["7"] = 1 } }).x), '"y" 7')
end

-- Lua 5.1 keeps the sign of a key that is -0, but finds it as 0.
function TestNumberKeys:test_zero()
  each_codec(function(codec)
    local value = {}
    value[-1 * 0.0] = 1
    same(codec.encode(value), '{"0":1}')
    same(codec.query "$['0']"(value)[1], 1)
    T.raises_with("there is no such member", codec.json_patch, { [0] = 1 }, { { op = "remove", path = "/-0" } })
  end)
end

function TestNumberKeys:test_queries()
  local value = { [10] = "a", [1.5] = "b", [-3] = "c", x = "d", [1e300] = "e", ["20"] = "f", [0] = "g" }
  each_codec(function(codec)
    for name, expected in pairs { ["10"] = "a", ["1.5"] = "b", ["-3"] = "c", x = "d", ["1e+300"] = "e", ["20"] = "f" } do
      same(codec.query("$['" .. name .. "']")(value)[1], expected, name)
    end
    for _, name in ipairs { "10.0", "010", "1.50", "1e300", "+10", " 10", "-0" } do
      lu.assertEquals(codec.query("$['" .. name .. "']")(value), {}, name)
    end
    same(#codec.query "$[?@.a==@.b]" { { a = { [10] = 1 }, b = { ["10"] = 1 } }, { a = { ["1.5"] = 1 }, b = { [1.5] = 1 } } }, 2)
  end)
end

-- Differences of tables name members as encode does, and lead to the second value.
function TestNumberKeys:test_differences()
  local a, b = { [10] = { x = 1 }, [20] = 2, k = { "p", nil, "q" } }, { [10] = { x = 2 }, [30] = 2, k = { "p", nil, "r" } }
  same(text(fleece.merge_patch(a, fleece.merge_diff(a, b))), text(b))
  same(text(fleece.json_patch(a, fleece.json_diff(a, b))), text(b))
end
