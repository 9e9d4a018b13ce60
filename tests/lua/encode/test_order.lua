-- SPDX-License-Identifier: MIT
-- test_order.lua -- sort_keys, key_order, __jsonorder and the order of next.

local T = require "support"
local fleece, same = T.fleece, T.same

TestOrder = {}

local sorted = { sort_keys = true }

function TestOrder:test_default_is_the_order_of_next()
  for n = 1, 60 do
    local t = {}
    for i = 1, n do
      t["k" .. i * 7919] = i
      t[i * 1.5] = i
    end
    same(T.encode(t), T.model.encode(t))
    for i = 1, n, 3 do t["k" .. i * 7919] = nil end
    same(T.encode(t), T.model.encode(t))
  end
end

function TestOrder:test_sort_strings()
  same(T.encode({ b = 1, a = 2, c = 3 }, sorted), '{"a":2,"b":1,"c":3}')
  same(T.encode({ aa = 1, a = 2, [""] = 3, ab = 4, B = 5 }, sorted), '{"":3,"B":5,"a":2,"aa":1,"ab":4}')
  same(T.encode({ { b = { d = 1, c = 2 }, a = 1 } }, sorted), '[{"a":1,"b":{"c":2,"d":1}}]')
end

-- U+FFFD is before U+10000 as bytes, and after it as the UTF-16 of RFC 8785, however much is equal before them.
function TestOrder:test_names_that_differ_late()
  for n = 0, 20 do
    local low, high = ("a"):rep(n) .. "\239\191\189", ("a"):rep(n) .. "\240\144\128\128"
    local t = { [low] = 1, [high] = 2 }
    same(T.encode(t, sorted), ('{"%s":1,"%s":2}'):format(low, high))
    same(T.encode(t, { canonical = "jcs" }), ('{"%s":2,"%s":1}'):format(high, low))
  end
end

function TestOrder:test_sort_is_by_bytes()
  same(T.encode({ ["\195\164"] = 1, z = 2, ["\127"] = 3, a = 4, ["\240\159\152\128"] = 5, ["\239\191\191"] = 6 },
    sorted), '{"a":4,"z":2,"\127":3,"\195\164":1,"\239\191\191":6,"\240\159\152\128":5}')
  same(T.encode({ ["a\0b"] = 1, ["a\0a"] = 2, a = 3, ["a\0"] = 4 }, sorted),
    '{"a":3,"a\\u0000":4,"a\\u0000a":2,"a\\u0000b":1}')
  same(T.encode({ ["a\""] = 1, ["a!"] = 2, ["a#"] = 3 }, sorted), '{"a!":2,"a\\"":1,"a#":3}')
end

function TestOrder:test_sort_many()
  for _, n in ipairs { 1, 2, 3, 10, 100, 3000 } do
    local t, keys = {}, {}
    for i = 1, n do
      local key = ("%x"):format(T.random(1, 2147483646)) .. i
      t[key], keys[i] = i, key
    end
    table.sort(keys)
    local parts = {}
    for i, key in ipairs(keys) do parts[i] = '"' .. key .. '":' .. t[key] end
    same(T.encode_by_model(t, sorted), "{" .. table.concat(parts, ",") .. "}")
  end
end

function TestOrder:test_sort_common_prefixes()
  local t, parts = {}, {}
  for i = 100, 199 do t[("p"):rep(300) .. i] = i end
  for i = 100, 199 do parts[#parts + 1] = '"' .. ("p"):rep(300) .. i .. '":' .. i end
  same(T.encode_by_model(t, sorted), "{" .. table.concat(parts, ",") .. "}")
end

function TestOrder:test_sort_with_numbers()
  local text = T.encode_by_model({ [10] = 1, [9] = 2, x = 3, [-1] = 4, [1.5] = 5 }, sorted)
  -- the order does not depend on the table's history
  same(T.encode_by_model({ x = 3, [1.5] = 5, [-1] = 4, [9] = 2, [10] = 1 }, sorted), text)
  same(T.encode({ [10] = 1, [10.5] = 1 }, sorted), '{"10":1,"10.5":1}')
  same(T.encode_by_model({ [1] = "number", ["1"] = "string" }, sorted),
    T.encode_by_model({ ["1"] = "string", [1] = "number" }, sorted))
end

function TestOrder:test_sort_leaves_arrays()
  same(T.encode({ 3, 1, 2 }, sorted), "[3,1,2]")
end

function TestOrder:test_key_order()
  local value = { b = 1, a = 2, c = 3 }
  same(T.encode(value, { key_order = { "c", "a", "b" } }), '{"c":3,"a":2,"b":1}')
  same(T.encode(value, { key_order = { "c", "missing" }, sort_keys = true }), '{"c":3,"a":2,"b":1}')
  same(T.encode(value, { key_order = {}, sort_keys = true }), '{"a":2,"b":1,"c":3}')
  same(T.encode_by_model(value, { key_order = { "c" } }):sub(1, 7), '{"c":3,')
  same(T.encode({ { b = { y = 1, x = 2 }, a = 1 } }, { key_order = { "b", "x", "y", "a" } }),
    '[{"b":{"x":2,"y":1},"a":1}]')
  same(T.encode({ 1, 2 }, { key_order = { "a" } }), "[1,2]")
  same(T.encode_by_model(value, { key_order = { "c", "c", "a" } }):sub(1, 13), '{"c":3,"a":2,')
  same(T.encode_by_model({ a = 1, [1] = 2 }, { key_order = { "a" } }), '{"a":1,"1":2}')
  -- a number key is found by its text
  same(T.encode({ [10] = 1, [9] = 2, [1.5] = 3, x = 4 }, { key_order = { "x", "9", "1.5", "10" } }),
    '{"x":4,"9":2,"1.5":3,"10":1}')
  same(T.encode(setmetatable({ [2] = 1, a = 2 }, { __jsonorder = { "2" } }), sorted), '{"2":1,"a":2}')
  same(T.encode({ [2] = 1, ["2"] = 2, [3] = 3 }, { key_order = { "3", "2" } }), '{"3":3,"2":1,"2":2}')
  T.rejects({ [true] = 1, x = 2 }, "cannot encode a boolean key at the root", { key_order = { "", "true" } })
end

-- Both walks, with names that Lua has once or more often, numbers, names given twice, more than are sorted by insertion,
-- tables that remember their order, and marks.
function TestOrder:test_key_order_of_both_walks()
  local names = { "", "1", "2.5", "-7", ("long"):rep(11), ("long"):rep(20), 1, 2.5, -7, 1e300, "inf" }
  for i = 1, 40 do names[#names + 1] = "n" .. i end
  local function keys(most)
    local list = {}
    for i = 1, T.random(0, most) do list[i] = tostring(T.pick(names)) end
    return list
  end
  local function object()
    local t = {}
    for _ = 1, T.random(0, 30) do t[T.pick(names)] = T.random(1, 9) end
    if T.random(1, 4) == 1 then
      local pairs_of, at = {}, 0
      for _, name in ipairs(keys(12)) do
        if not pairs_of[name] then pairs_of[name], at = true, at + 1; pairs_of[at] = ("%q:1"):format(name) end
      end
      t = fleece.decode("{" .. table.concat(pairs_of, ",") .. "}", { order = true })
    end
    if T.random(1, 3) == 1 then t = { t, t.n1 and { n2 = 1, n1 = 2 }, a = T.random(1, 2) == 1 and { 1, 2 } or nil } end
    return T.random(1, 9) == 1 and fleece.object(t) or t
  end
  for _ = 1, 300 do
    local order = keys(T.random(1, 2) == 1 and 4 or 50)
    for _ = 1, 5 do
      local value, sorts = object(), T.random(1, 3) == 1
      local options = { key_order = order, sort_keys = sorts, indent = T.random(1, 4) == 1 and 1 or 0 }
      local expected = fleece.encode(value, { key_order = order, sort_keys = sorts, indent = options.indent, layout = "api" })
      same(fleece.encode(value, options), expected)
      local parts = {}
      fleece.write(function(s) parts[#parts + 1] = s end, value, options)
      same(table.concat(parts), expected)
    end
  end
end

-- What is kept of the names of one call is of no effect on another.
function TestOrder:test_key_order_changes()
  local value, order = { a = 1, b = 2, c = 3 }, { "b" }
  local options, json = { key_order = order, sort_keys = true }, fleece.new { key_order = { "c" }, sort_keys = true }
  for _ = 1, 3 do
    order[1] = "b"
    same(fleece.encode(value, options), '{"b":2,"a":1,"c":3}')
    same(json.encode(value), '{"c":3,"a":1,"b":2}')
    order[1] = "c" .. ""
    same(fleece.encode(value, options), '{"c":3,"a":1,"b":2}')
    order[2] = "b"
    same(fleece.encode(value, options), '{"c":3,"b":2,"a":1}')
    same(json.encode(value, { key_order = { "b", "c" } }), '{"b":2,"c":3,"a":1}')
    order[2] = 7
    T.raises("bad argument #2 to 'encode' (option 'key_order' must be a list of strings)", fleece.encode, value, options)
    order[2] = nil
    collectgarbage()
  end
end

-- Names are sorted and compared as they are written: after invalid_utf8 and on_error. Bytes of the key alone decide only
-- between two that have become the same name. Expectations: U+00FF is C3 BF in UTF-8, U+FFFD is EF BF BD.
function TestOrder:test_rewritten_names()
  local bad = { ["\255z"] = 1, b = 2, ["\239\191\189a"] = 3, ["\240\144\128\128"] = 4 }
  local name = { replace = "\239\191\189z", escape = "\\u00ffz" }
  for _ = 1, 5 do
    same(T.encode(bad, { invalid_utf8 = "replace", sort_keys = true }),
      '{"b":2,"\239\191\189a":3,"\239\191\189z":1,"\240\144\128\128":4}')
    same(T.encode(bad, { invalid_utf8 = "escape", sort_keys = true }),
      '{"b":2,"\\u00ffz":1,"\239\191\189a":3,"\240\144\128\128":4}')
    same(T.encode(bad, { invalid_utf8 = "pass", ascii = true, sort_keys = true }),
      '{"b":2,"\\u00ffz":1,"\\ufffda":3,"\\ud800\\udc00":4}')
    same(T.encode(bad, { invalid_utf8 = "pass", sort_keys = true }),
      '{"b":2,"\239\191\189a":3,"\240\144\128\128":4,"\255z":1}')
  end
  for _, how in ipairs { "replace", "escape" } do
    for _, order in ipairs { "\255z", how == "replace" and name.replace or "\195\191z" } do
      same(T.encode({ a = 1, ["\255z"] = 2, b = 3 }, { invalid_utf8 = how, sort_keys = true, key_order = { order } }),
        '{"' .. name[how] .. '":2,"a":1,"b":3}')
    end
  end
  -- The same name three times, and numbers beside it.
  same(T.encode({ ["\254"] = 2, ["\255"] = 3, ["\253"] = 1, [10] = 0, ["10"] = 0.5, x = 0 },
    { invalid_utf8 = "replace", sort_keys = true }),
    '{"10":0,"10":0.5,"x":0,"\239\191\189":1,"\239\191\189":2,"\239\191\189":3}')
end

-- Documents and views are written as tables are, whatever has put their names in order: bytes, codes, amendments.
function TestOrder:test_rewritten_names_of_documents()
  local parts = { "\255", "\254", "\239\191", "\239\191\189", "\195\191", "\240\144\128\128", "a", "\240\144", "\226\130" }
  local function parsed(bytes, options) return fleece.open(bytes, options).root end
  for _ = 1, 100 do
    local t = {}
    for _ = 1, T.random(2, 12) do
      local name = ""
      for _ = 1, T.random(0, 4) do name = name .. T.pick(parts) end
      t[name] = T.random(1, 9)
    end
    local keys = fleece.keys()
    for name in pairs(t) do if T.random(1, 2) == 1 and name ~= "" then pcall(keys.add, keys, name) end end
    local text = fleece.encode(t, { invalid_utf8 = "pass" })
    local bytes = fleece.from_json(text, { invalid_utf8 = "pass" })
    local coded = fleece.from_json(text, { invalid_utf8 = "pass", keys = keys })
    local base = fleece.open(fleece.from_json('{"\255m":0,"b":1}', { invalid_utf8 = "pass" }))
    local amended = fleece.open(base.bytes .. base:amend(function(m)
      m["\255m"], m.b = nil, nil
      for name, value in pairs(t) do m[name] = value end
    end))
    for _, options in ipairs { { invalid_utf8 = "replace" }, { invalid_utf8 = "escape" }, { invalid_utf8 = "pass", ascii = true }, { invalid_utf8 = "pass" } } do
      options.sort_keys = true
      local expected = T.encode(t, options)
      same(fleece.to_json(bytes, options), expected)
      same(fleece.to_json(coded, T.merged(options, { keys = keys })), expected)
      for _, view in ipairs { parsed(bytes), parsed(coded, { keys = keys }), amended.root, parsed(bytes):mutable(), fleece.lazy(text, { invalid_utf8 = "pass" }) } do
        same(T.encode(view, options), expected)
        same(T.encode({ view }, options), "[" .. expected .. "]")
      end
    end
  end
end

function TestOrder:test_replaced_names()
  local asked
  local function rename(value, path, message)
    asked[#asked + 1] = path .. ": " .. message
    if value == true then return "m" end
    if value == false then return 5 end
    if value == 1 / 0 then return "big" end
    return type(value) == "string" and "a" .. #value or nil
  end
  local t = { [true] = 1, [false] = 2, ["\255z"] = 3, c = 4, z = 5, [1 / 0] = 6 }
  for _, codec in ipairs(T.codecs) do
    for options, expected in pairs {
      [{ sort_keys = true }] = '{"5":2,"a2":3,"big":6,"c":4,"m":1,"z":5}',
      [{ canonical = "jcs" }] = '{"5":2,"a2":3,"big":6,"c":4,"m":1,"z":5}',
      [{ sort_keys = true, key_order = { "m", "5" } }] = '{"m":1,"5":2,"a2":3,"big":6,"c":4,"z":5}',
      [{ sort_keys = true, skip_unsupported = true }] = '{"a2":3,"big":6,"c":4,"z":5}',
    } do
      asked, options.on_error = {}, rename
      same(codec.encode({ x = t }, options), '{"x":' .. expected .. "}")
      same(#asked, options.skip_unsupported and 2 or 4)
      for _, text in ipairs(asked) do T.ends(text, " at .x") end
      T.same(T.writer_text(codec, { x = t }, options, 20), '{"x":' .. expected .. "}")
    end
    -- Names that become equal are refused in canonical JSON; others are not.
    local function all_m() return "m" end
    T.raises_ending("two keys have the same name at the root", codec.encode, { [true] = 1, m = 2 },
      { canonical = "jcs", on_error = function(v) if v == true then return "m" end end })
    same(codec.encode({ [true] = 1, [""] = 2 }, { canonical = "jcs", on_error = all_m }), '{"":2,"m":1}')
    same(codec.encode({ [true] = 1, [false] = 1, [""] = 2 }, { canonical = "jcs", skip_unsupported = true }), '{"":2}')
    T.raises_ending("cannot encode a boolean key at the root", codec.encode, { [true] = 1, [false] = 2 },
      { canonical = "jcs" })
    T.raises_ending("cannot encode a boolean key at the root", codec.encode, { [true] = 1, a = 2 },
      { sort_keys = true, on_error = function() end })
    T.raises_ending("mine", codec.encode, { [true] = 1, a = 2 },
      { sort_keys = true, on_error = function() error("mine", 0) end })
    local result, message = T.safe.encode({ [true] = 1, a = 2 }, { sort_keys = true, on_error = function() end })
    same(result, nil)
    T.ends(message, "cannot encode a boolean key at the root")
  end
end

function TestOrder:test_key_order_keeps_everything()
  local t, order = {}, {}
  for i = 1, 200 do t["k" .. i] = i end
  for i = 200, 2, -2 do order[#order + 1] = "k" .. i end
  local text = T.encode_by_model(t, { key_order = order })
  local parts = {}
  for i, key in ipairs(order) do parts[i] = '"' .. key .. '":' .. t[key] end
  same(text:sub(1, #table.concat(parts, ",") + 1), "{" .. table.concat(parts, ","))
end

function TestOrder:test_key_order_later_changes()
  local order = { "b", "a" }
  local codec = fleece.new { key_order = order }
  order[1], order[2] = "a", "b"
  local text = codec.encode { a = 1, b = 2 }
  same(text == '{"a":1,"b":2}' or text == '{"b":2,"a":1}', true)
end

function TestOrder:test_jsonorder()
  local mt = { __jsonorder = { "z", "y", "x" } }
  same(T.encode(setmetatable({ x = 1, y = 2, z = 3 }, mt)), '{"z":3,"y":2,"x":1}')
  same(T.encode(setmetatable({ x = 1, y = 2, a = 4 }, mt), sorted), '{"y":2,"x":1,"a":4}')
  same(T.encode { setmetatable({ x = 1, z = 3 }, mt), { b = { 1 } } }, '[{"z":3,"x":1},{"b":[1]}]')
  same(T.encode(setmetatable({ x = 1, y = 2, z = 3 }, mt), { key_order = { "x", "y", "z" } }), '{"z":3,"y":2,"x":1}')
  local nested = setmetatable({ x = { z = 1 }, z = 1 }, mt)
  same(T.encode_by_model(nested), '{"z":1,"x":{"z":1}}')
end

function TestOrder:test_jsonorder_off()
  local t = setmetatable({ x = 1, y = 2, z = 3 }, { __jsonorder = { "z", "y", "x" } })
  same(T.encode(t, { metamethods = false, sort_keys = true }), '{"x":1,"y":2,"z":3}')
end

function TestOrder:test_jsonorder_with_nonsense()
  for _, order in ipairs { 1, "x", true, { 1, 2 }, { {} }, { "x", false }, {} } do
    local ok, text = pcall(fleece.encode, setmetatable({ x = 1 }, { __jsonorder = order }))
    if ok then same(text, '{"x":1}') end
  end
end

function TestOrder:test_errors_name_the_path_in_sorted_objects()
  T.rejects({ a = { b = print } }, "cannot encode a function at .a.b", sorted)
  T.rejects({ a = { b = print } }, "cannot encode a function at .a.b", { key_order = { "a", "b" } })
  T.rejects({ a = { [true] = 1 } }, "cannot encode a boolean key at .a", sorted)
end
