-- SPDX-License-Identifier: MIT
-- test_decode_order.lua -- decode's option order: members stay in the order of the text. The expected texts are those of
-- fleece.format, which makes no tables, and texts written by hand.

local T = require "support"
local lu, fleece, random, pick = T.lu, T.fleece, T.random, T.pick

local ordered = { order = true }
local lossless = { order = true, numbers = "exact" }

-- The ways to an ordered value: name, and a function from a text.
local WAYS = {
  { "decode", function(text, options) return fleece.decode(text, options) end },
  { "api", function(text, options) return T.api.decode(text, options) end },
  { "safe", function(text, options) return T.safe.decode(text, options) end },
  { "codec", function(text, options) return fleece.new(options).decode(text) end },
  { "decode_prefix", function(text, options) return (fleece.decode_prefix(text .. " 1", 1, options)) end },
  { "documents", function(text, options) return (fleece.documents(T.pieces(text, 7), options)()) end },
  { "items", function(text, options) return (fleece.items(T.pieces("[" .. text .. "]", 5), "", options)()) end },
  { "pick", function(text, options) return fleece.pick("", options)(text) end },
  {
    "pick read",
    function(text, options)
      return (fleece.pick("a[1]", T.merged(options, { test = "read" }))('{"a":[0,' .. text .. "]}"))
    end,
  },
  {
    "parser",
    function(text, options)
      local parser = fleece.parser(options)
      for piece in T.pieces(text, T.between(1, 20)) do
        parser:feed(piece)
        if random(1, 2) == 1 then parser:step(random(1, 30)) end
      end
      return parser:finish()
    end,
  },
  {
    "decode_file",
    function(text, options)
      local value
      T.with_file(text, function(path) value = fleece.decode_file(path, options) end)
      return value
    end,
  },
}

-- A random text without duplicate names, and with the escapes that encode writes.
local LETTERS = { "a", "b", "c", "id", "name", "long name of more than forty bytes, which is not interned ", "é", "\\n",
  '\\"', "7", "" }
local SCALARS = { "true", "false", "null", '"text"', '"\\u0000é"', "1", "-5", "0.5", "1.0", "1e2", "1.10", "-0", "-0.0",
  "12345678901234567890", "9007199254740993", "0.1000", "1E+5", "1e999999999", '""' }

local function random_text(depth)
  local kind = depth > 0 and random(1, 6) or 1
  if kind <= 2 then return pick(SCALARS) end
  local parts, seen = {}, {}
  for i = 1, random(1, 9) == 1 and random(0, 90) or random(0, 6) do
    local name = kind > 3 and pick(LETTERS) .. (random(1, 3) == 1 and i or "")
    if not name then
      parts[#parts + 1] = random_text(depth - 1)
    elseif not seen[name] then
      seen[name] = true
      parts[#parts + 1] = '"' .. name .. '": ' .. random_text(depth - 1)
    end
  end
  return kind == 3 and "[" .. table.concat(parts, " ,") .. "]" or "{" .. table.concat(parts, ", ") .. "}"
end

TestDecodeOrder = {}

function TestDecodeOrder:test_random_texts_are_as_formatted()
  T.random_rounds(300, function()
    local text = random_text(4)
    local plain = fleece.format(text)
    local way = pick(WAYS)
    local value = way[2](text, lossless)
    T.same(T.encode(value), plain, way[1])
    T.same(T.encode(value, { indent = 2 }), fleece.format(text, { indent = 2 }), way[1])
    T.same(T.json(value, "E4"), T.api.json(value, "E4"))
    T.same(T.writer_text(fleece, value, nil, T.between(1, 60)), plain, "writer")
    T.same(T.writer_text(T.api, value, { indent = 1 }, 30), fleece.format(text, { indent = 1 }), "writer")
  end)
end

function TestDecodeOrder:test_ways()
  local text = '{"z":1,"a":{"y":[{"d":1,"c":2}],"b":true},"m":"n"}'
  for _, way in ipairs(WAYS) do T.same(T.encode(way[2](text, ordered)), text, way[1]) end
end

-- Objects that share their names, in both orders, and tables that were not decoded with an order.
function TestDecodeOrder:test_many_objects()
  local parts = {}
  for i = 1, 3000 do
    parts[i] = i % 3 == 0 and ('{"a":%d,"b":%d,"c":%d}'):format(i, i, i) or ('{"c":%d,"b":{},"a":[%d]}'):format(i, i)
  end
  local text = "[" .. table.concat(parts, ",") .. "]"
  local value = fleece.decode(text, ordered)
  T.same(T.encode(value), text)
  T.same(T.encode { value, value }, "[" .. text .. "," .. text .. "]")
  local plain = fleece.decode(text)
  local names = {}
  for name in next, plain[1] do names[#names + 1] = name end
  local first = fleece.encode(plain[1])
  for i = 2, #names do
    lu.assertTrue(first:find('"' .. names[i - 1] .. '"', 1, true) < first:find('"' .. names[i] .. '"', 1, true))
  end
  T.same(T.encode({ plain[1], value[1] }):sub(#first + 3), '{"c":1,"b":{},"a":[1]}]')
end

-- Objects whose names other objects had before, with repeated names and names that are not interned, in a state that
-- has learned them without an order.
function TestDecodeOrder:test_learned_objects()
  local objects = { '{"p":1,"q":2,"r":3}', '{"q":1,"p":2}', '{"p":1,"q":2,"p":3}', '{}', '{"p":{}}', '{"q":1,"q":2}',
    '{"r":[{"p":1,"q":{"q":1,"p":2}}],"' .. ("n"):rep(50) .. '":1,"a":2}' }
  local kept = { objects[1], objects[2], '{"p":3,"q":2}', "{}", objects[5], '{"q":2}', objects[7] }
  for i = 1, 5 do
    for _, object in ipairs(objects) do fleece.decode(object, i % 2 == 0 and ordered or nil) end
  end
  for _ = 1, 200 do
    local parts, expected = {}, {}
    for i = 1, random(1, 80) do
      local which = random(1, #objects)
      parts[i], expected[i] = objects[which], kept[which]
    end
    T.same(T.encode(fleece.decode("[" .. table.concat(parts, ",") .. "]", ordered)),
      "[" .. table.concat(expected, ",") .. "]")
  end
end

-- More names than the decoder remembers at first: it learns them, and grows, inside of a text and between its parts.
function TestDecodeOrder:test_many_names()
  for round = 1, 12 do
    local parts = {}
    for i = 1, 300 do
      parts[#parts + 1] = ('{"n%d":1,"b%d":2.50,"a":3}'):format((i * 7 + round * 13) % (round * 40 + 3), i % 5)
      if i % 3 == 0 then parts[#parts + 1] = '{"z":1,"y":{"x":1,"w":2}}' end
    end
    local text = "[" .. table.concat(parts, ",") .. "]"
    T.same(T.encode(fleece.decode(text, lossless)), text)
    local parser = fleece.parser(lossless)
    for piece in T.pieces(text, 50) do
      parser:feed(piece)
      if random(1, 5) == 1 then collectgarbage() end
    end
    T.same(T.encode(parser:finish()), text)
  end
end

function TestDecodeOrder:test_changed_members()
  local t = fleece.decode('{"d":1,"b":2,"a":3,"c":4}', ordered)
  t.a = "new"
  T.same(T.encode(t), '{"d":1,"b":2,"a":"new","c":4}')
  t.z, t.y, t.aa = 1, 2, 3
  T.same(T.encode(t), '{"d":1,"b":2,"a":"new","c":4,"aa":3,"y":2,"z":1}')
  t.b = nil
  T.same(T.encode(t), '{"d":1,"a":"new","c":4,"aa":3,"y":2,"z":1}')
  t.b = 5
  T.same(T.encode(t), '{"d":1,"a":"new","c":4,"aa":3,"y":2,"z":1,"b":5}')
  t.a2 = 0
  T.same(T.encode(t), '{"d":1,"a":"new","c":4,"aa":3,"y":2,"z":1,"b":5,"a2":0}')
  -- Without a look in between nothing is noticed.
  t.d = nil
  t.d = 6
  T.same(T.encode(t), '{"d":6,"a":"new","c":4,"aa":3,"y":2,"z":1,"b":5,"a2":0}')
  for name in next, t do t[name] = nil end
  T.same(T.encode(t), "{}")
  t.b, t.d, t.a = 1, 2, 3
  T.same(T.encode(t), '{"a":3,"b":1,"d":2}')
end

-- The text says that it is an object, so it stays one, whatever keys are removed, added or numbers. All ways to decode,
-- all ways to write it.
local TO_JSON = {
  encode = T.encode,
  json = function(t) return (T.json(t)) end,
  sorted = function(t) return T.encode(t, { sort_keys = true }) end,
  ["empty_table"] = function(t) return T.encode(t, { empty_table = "array", sparse = "null" }) end,
  writer = function(t) return T.writer_text(fleece, t, nil, 30) end,
  pack = function(t) return fleece.to_json(fleece.pack(t)) end,
  fast = function(t) return fleece.to_json(fleece.pack(t, { mode = "fast" })) end,
  ["pack by the api"] = function(t) return fleece.to_json(T.api.pack(t)) end,
  merge_patch = function(t) return T.encode(fleece.merge_patch(t, '{"q":null}')) end,
  json_patch = function(t)
    return T.encode(fleece.json_patch(t, '[{"op":"add","path":"/z/0","value":1},{"op":"remove","path":"/z/0"}]'))
  end,
}
local SHAPES = {
  { '{"o":{"a":1}}', function(o) o.a = nil end, "{}" },
  { '{"o":{"a":1,"b":2}}', function(o) o.a, o.b = nil, nil end, "{}" },
  { '{"o":{}}', function(o) o[1] = 5 end, '{"1":5}' },
  { '{"o":{"a":1}}', function(o) o.a, o[1], o[2] = nil, 5, 6 end, '{"1":5,"2":6}' },
  { '{"o":{"a":1}}', function(o) o.a, o[1], o[3] = nil, 5, 6 end, '{"1":5,"3":6}' },
  { '{"o":{"1":5}}', function() end, '{"1":5}' },
  { '{"o":{"1":5,"2":6}}', function(o) o[2] = nil end, '{"1":5}' },
  { '{"o":{"1":5}}', function(o) o[1] = nil end, "{}" },
  { '{"o":{"a":1}}', function(o) setmetatable(o, { __index = {} }).a = nil end, "{}" },
  { '{"o":{"a":1}}', function(o) fleece.array(o).a = nil end, "[]" },
  { '{"o":{"1":5}}', function(o) setmetatable(o, { __jsontype = "array" }) end, "[5]" },
}

function TestDecodeOrder:test_objects_stay_objects()
  local options = { order = true, numeric_keys = true }
  for _, way in ipairs(WAYS) do
    for i, shape in ipairs(SHAPES) do
      for name, to_json in pairs(TO_JSON) do
        local t = way[2](shape[1]:sub(1, -2) .. ',"z":[]}', options)
        shape[2](t.o)
        for _ = 1, 2 do T.same(to_json(t), '{"o":' .. shape[3] .. ',"z":[]}', way[1] .. ", " .. i .. ", " .. name) end
      end
    end
  end
end

-- What is an object for queries and patches is what encode writes as one.
function TestDecodeOrder:test_objects_of_patches_and_queries()
  local t = fleece.decode('{"x":{"a":1},"y":{}}', ordered)
  t.x.a = nil
  for _, codec in ipairs(T.codecs) do
    T.same(T.encode(codec.json_patch(t, '[{"op":"add","path":"/x/b","value":1}]')), '{"x":{"b":1},"y":{}}')
    T.same(#codec.query("$[?@.x==@.y]")({ t }), 1)
    T.same(T.encode(codec.json_diff({ x = fleece.object() }, { x = t.x })), "[]")
    local patched = codec.json_patch(fleece.decode('{"x":{"a":1}}', ordered), '[{"op":"remove","path":"/x/a"}]')
    T.same(T.encode(patched), '{"x":{}}')
    patched.x.b = 1
    patched.x.b = nil
    T.same(T.encode(patched), '{"x":{}}')
  end
  -- An object that a merge patch brings is that of the patch.
  t = fleece.merge_patch({}, fleece.decode('{"x":{"b":1,"a":2,"c":null}}', ordered))
  T.same(T.encode(t), '{"x":{"b":1,"a":2}}')
  t.x.a, t.x.b = nil, nil
  T.same(T.encode(t), '{"x":{}}')
end

-- Tables with the same names share a list, which must not change for the others.
function TestDecodeOrder:test_changes_of_one_table()
  local t = fleece.decode('[{"b":1,"a":2},{"b":3,"a":4}]', ordered)
  t[1].b = nil
  t[1].c = 5
  T.same(T.encode(t), '[{"a":2,"c":5},{"b":3,"a":4}]')
  T.same(T.encode(fleece.decode('{"b":1,"a":2}', ordered)), '{"b":1,"a":2}')
end

function TestDecodeOrder:test_empty()
  local t = fleece.decode('{"z":{},"a":[]}', ordered)
  T.same(T.encode(t), '{"z":{},"a":[]}')
  t.z.b, t.z.a, t.z.d, t.z.c = 1, 2, 3, 4
  t.a[1] = t.z
  T.same(T.encode(t), '{"z":{"a":2,"b":1,"c":4,"d":3},"a":[{"a":2,"b":1,"c":4,"d":3}]}')
end

function TestDecodeOrder:test_other_orders_win()
  local text = '{"c":1,"a":2,"b":3,"d":4}'
  local t = fleece.decode(text, ordered)
  T.same(T.encode(t, { sort_keys = true }), '{"a":2,"b":3,"c":1,"d":4}')
  T.same(T.encode(t, { key_order = { "d", "b" } }), '{"d":4,"b":3,"c":1,"a":2}')
  T.same(T.encode(t, { key_order = { "b" }, sort_keys = true }), '{"b":3,"a":2,"c":1,"d":4}')
  T.same(T.encode(t), text)
  setmetatable(t, { __jsonorder = { "b", "a" } })
  T.same(T.encode(t), '{"b":3,"a":2,"c":1,"d":4}')
  T.same(T.encode(t, { metamethods = false }), text)
  setmetatable(t, { __jsontype = "object" })
  T.same(T.encode(t), text)
  setmetatable(t, { __tojson = T.constant '"hook"' })
  T.same(T.encode(t), '"hook"')
end

function TestDecodeOrder:test_duplicates()
  local text = '{"b":1,"a":2,"b":3,"c":4,"a":5}'
  T.same(T.encode(fleece.decode(text, ordered)), '{"b":3,"a":5,"c":4}')
  T.same(T.encode(fleece.decode(text, { order = true, duplicates = "first" })), '{"b":1,"a":2,"c":4}')
  T.raises_with("duplicate name", fleece.decode, text, { order = true, duplicates = "error" })
  T.same(T.encode(fleece.decode('{"b":1,"a":2}', { order = true, duplicates = "error" })), '{"b":1,"a":2}')
  local many = {}
  for i = 1, 200 do many[i] = ('"n%d":%d'):format(i * 7 % 50, i) end
  local value = fleece.decode("{" .. table.concat(many, ",") .. "}", ordered)
  local expected = {}
  for i = 1, 50 do expected[i] = ('"n%d":%d'):format(i * 7 % 50, i + 150) end
  T.same(T.encode(value), "{" .. table.concat(expected, ",") .. "}")
end

function TestDecodeOrder:test_with_other_options()
  T.same(T.encode(fleece.decode('{"b":null,"a":1,"c":null}', { order = true, null = "nil" })), '{"a":1}')
  local t = fleece.decode('{"2":"b","x":1,"1":"a"}', { order = true, numeric_keys = true })
  T.same(t[2], "b")
  T.same(T.encode(t), '{"2":"b","x":1,"1":"a"}')
  T.same(T.encode(fleece.decode('{"2":"b","1":"a"}', { order = true, numeric_keys = true })), '{"2":"b","1":"a"}')
  local mt = {}
  t = fleece.decode('{"b":[1],"a":{}}', { order = true, objects = mt, arrays = fleece.array_mt })
  T.same(getmetatable(t), mt)
  T.same(getmetatable(t.b), fleece.array_mt)
  T.same(T.encode(t), '{"b":[1],"a":{}}')
  T.same(T.encode(fleece.decode("{b: 1, 'a': 2,}", { order = true, json5 = true })), '{"b":1,"a":2}')
  T.same(T.encode(fleece.new(ordered).decode('{"b":1,"a":2}', { order = false }), { sort_keys = true }), '{"a":2,"b":1}')
end

-- fleece.pairs on all codecs.
local function listed(t, f)
  local parts = {}
  for name, value in (f or fleece.pairs)(t) do parts[#parts + 1] = tostring(name) .. "=" .. tostring(value) end
  return table.concat(parts, " ")
end

function TestDecodeOrder:test_pairs()
  local t = fleece.decode('{"c":1,"a":2,"b":false}', ordered)
  T.same(listed(t), "c=1 a=2 b=false")
  T.same(listed(t, T.safe.pairs), "c=1 a=2 b=false")
  T.same(listed(t, fleece.new({}).pairs), "c=1 a=2 b=false")
  t.z, t.y, t.c = 5, 6, nil
  T.same(listed(t), "a=2 b=false y=6 z=5")
  t.c = 7
  T.same(listed(t), "a=2 b=false y=6 z=5 c=7")
  T.same(T.encode(t), '{"a":2,"b":false,"y":6,"z":5,"c":7}')
  -- Members that are removed or changed in the loop.
  local seen = {}
  for name, value in fleece.pairs(t) do
    seen[#seen + 1] = name .. "=" .. tostring(value)
    t[name] = nil
    t.z, t.y = nil, t.y and 8
  end
  T.same(table.concat(seen, " "), "a=2 b=false y=8 c=7")
  T.same(next(t), nil)
  T.same(listed(t), "")
  -- Numbers, as sort_keys sorts them, and keys that are no names.
  t = fleece.decode('{"b":1,"a":2}', ordered)
  t[10], t[9], t["9"], t[true] = 1, 2, 3, 4
  T.same(listed(t), "b=1 a=2 10=1 9=2 9=3 true=4")
  t[true] = nil
  T.same(listed(t), "b=1 a=2 10=1 9=2 9=3")
  T.same(T.encode(t), '{"b":1,"a":2,"10":1,"9":2,"9":3}')
  -- Other values are as before.
  T.same(listed { "x", "y" }, "1=x 2=y")
  T.same(listed(fleece.decode('{"a":1}')), "a=1")
  local hooked = setmetatable(fleece.decode('{"b":1,"a":2}', ordered), { __pairs = function() return next, { h = 1 } end })
  T.same(listed(hooked), listed(hooked, pairs))
end

function TestDecodeOrder:test_keys_that_cannot_be_written()
  local t = fleece.decode('{"b":1,"a":2}', ordered)
  t[true] = 3
  T.rejects(t, "cannot encode a boolean key at the root")
  T.same(T.encode(t, { skip_unsupported = true }), '{"b":1,"a":2}')
end

function TestDecodeOrder:test_write_and_hooks()
  local t = fleece.decode('{"z":[{"b":1,"a":2}],"y":0}', ordered)
  t.hook = T.hooked(function() return fleece.encode(t.z) end)
  T.same(T.encode(t), '{"z":[{"b":1,"a":2}],"y":0,"hook":[{"b":1,"a":2}]}')
  t.bad = print
  T.same(T.encode(t, { on_error = T.constant "?" }), '{"z":[{"b":1,"a":2}],"y":0,"hook":[{"b":1,"a":2}],"bad":"?"}')
end

function TestDecodeOrder:test_binary_has_no_order()
  local t = fleece.decode('{"b":{"d":1,"c":2},"a":1.0}', lossless)
  local sorted = '{"a":1,"b":{"c":2,"d":1}}'
  T.same(fleece.encode(fleece.unpack(fleece.pack(t)), { sort_keys = true }), sorted)
  local codec = fleece.new(lossless)
  local back = codec.unpack(codec.pack { b = 1, a = 18446744073709551616 })
  T.same(type(back.a), "number")
end

function TestDecodeOrder:test_large_and_deep()
  local parts = {}
  for i = 1, 20000 do parts[i] = ('"%d":%d'):format(i * 7919 % 20011, i) end
  local text = "{" .. table.concat(parts, ",") .. "}"
  T.same(T.encode(fleece.decode(text, ordered)), text)
  local deep = ('{"b":1,"a":'):rep(900) .. "{}" .. ("}"):rep(900)
  T.same(T.encode(fleece.decode(deep, ordered)), deep)
end

-- ---- memory ------------------------------------------------------------------------------------------------------

function TestDecodeOrder:test_nothing_is_kept_alive()
  local text = '[{"b":1,"a":[{"d":1,"c":2}]},{"x":{}}]'
  T.leaves_less(100, function()
    for i = 1, 5000 do
      fleece.decode(text, ordered)
      if i % 10 == 0 then fleece.decode(('{"name %d":1,"b":2}'):format(i), ordered) end
    end
  end)
  local weak = setmetatable({}, { __mode = "v" })
  weak[1] = fleece.decode('{"b":{"a":1},"c":1}', ordered)
  weak[2] = weak[1].b
  T.same(T.encode(weak[1]), '{"b":{"a":1},"c":1}')
  T.memory()
  T.same(weak[1], nil)
  T.same(weak[2], nil)
end

-- Slots of dead tables are freed, and those of the others move among them.
function TestDecodeOrder:test_some_stay()
  local kept, count = {}, 0
  for _, most in ipairs { 1, 5, 40, 2000, 300, 3 } do
    for _ = 1, 3000 do
      count = count + 1
      local text = ('{"z%d":1,"b":2,"a":3}'):format(count % 50)
      kept[T.random(1, most)] = { text, fleece.decode(text, ordered) }
      if count % 997 == 0 then collectgarbage() end
    end
    for _, one in pairs(kept) do T.same(T.encode(one[2]), one[1]) end
    for i = most / 2, 2000 do kept[math.floor(i)] = nil end
  end
end

-- A table that lies where a remembered one was has no order.
function TestDecodeOrder:test_addresses_are_used_again()
  for round = 1, 20 do
    local value = fleece.decode("[" .. ('{"c":1,"b":2,"a":3,"%d":4},'):format(round):rep(300) .. "0]", ordered)
    T.same(#value, 301)
    value = nil -- luacheck: ignore
    collectgarbage()
    for _ = 1, 300 do
      local plain, expected = { a = 1, b = 2, c = 3, d = 4 }, {}
      for name, number in next, plain do expected[#expected + 1] = ('"%s":%d'):format(name, number) end
      T.same(fleece.encode(plain), "{" .. table.concat(expected, ",") .. "}")
    end
  end
end

function TestDecodeOrder:test_busy_collector()
  local text = '{"z":[{"b":1,"a":{"y":1,"x":2}},{"long name of more than forty bytes, which is not interned":1,"a":2}],"q":1}'
  local kept = {}
  T.with_busy_collector(60, 3, function(round)
    for _ = 1, 10 do
      local t = fleece.decode(text, ordered)
      t.q, t["new" .. round] = nil, 1
      kept[#kept % 100 + 1] = t
      T.same(T.encode(t), text:sub(1, -8) .. ',"new' .. round .. '":1}')
    end
  end)
end

-- Finalizers that decode, encode and iterate while another call is under way.
function TestDecodeOrder:test_finalizers()
  local text = '{"b":{"z":1,"y":2},"a":[{"d":1,"c":2}],"n":1}'
  local count = 0
  local function again()
    count = count + 1
    local t = fleece.decode(('{"f%d":1,"b":2,"a":3}'):format(count % 97), ordered)
    t.new = 1
    T.same(fleece.encode(t), ('{"f%d":1,"b":2,"a":3,"new":1}'):format(count % 97))
    if count < 3000 then T.finalizer(again) end
  end
  for _ = 1, 5 do T.finalizer(again) end
  for _ = 1, 400 do
    local t = fleece.decode(text, ordered)
    t.x = 1
    T.same(fleece.encode(t), text:sub(1, -2) .. ',"x":1}')
  end
  count = 3000
  T.memory()
end

-- ---- options -----------------------------------------------------------------------------------------------------

function TestDecodeOrder:test_options()
  T.bad_argument(2, "option 'order' must be true or false", "decode", "1", { order = "yes" })
  for _, name in ipairs { "from_json", "format", "lazy" } do
    T.bad_argument(2, "option 'order' has no effect here", name, "1", ordered)
  end
  T.bad_argument(2, "option 'order' has no effect here", "unpack", fleece.pack(1), ordered)
  T.bad_argument(2, "option 'order' has no effect here", "encode", 1, ordered)
end

-- The stand-ins write members as `pairs` gives them, as what they stand in for: what is remembered does not count there.
function TestDecodeOrder:test_no_order_in_stand_ins()
  local members = {}
  for i = 1, 20 do members[i] = ('"n%d":%d'):format(i * 7 % 20, i) end
  local t = fleece.decode("{" .. table.concat(members, ",") .. "}", ordered)
  local expected = {}
  for name in pairs(t) do expected[#expected + 1] = name end
  for _, encode in ipairs { require "fleece.cjson".encode, require "fleece.rxi".encode, require "fleece.json4lua".encode } do
    local got = {}
    for name in encode(t):gmatch '"(n%d+)"' do got[#got + 1] = name end
    lu.assertEquals(got, expected)
  end
end
