-- SPDX-License-Identifier: MIT
-- test_binary_limits.lua -- missing shared keys, and limits for what a document may grow to: max_values, max_bytes. unpack
-- makes tables by both walks.
-- runs: in one layout

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece

TestBinaryLimits = {}

-- ------------------------------------------------------------------------------------- shared keys

local needs = "the document needs its shared keys"

-- Opening a document without its keys is an error, because its members would silently be missing.
function TestBinaryLimits:test_missing_keys()
  local keys = fleece.keys()
  local bytes = fleece.from_json('{"a name":1,"list":[{"name":"Ann"}],"x":2}', { keys = keys })
  B.refused(bytes, needs)
  B.refused(bytes, needs, { check_utf8 = true })
  T.same(fleece.check(bytes, { keys = keys }), true)
  for _, codec in ipairs(T.codecs) do
    for _, name in ipairs { "open", "unpack", "to_json" } do
      T.raises_with(needs .. " at byte ", codec[name], bytes)
    end
    T.raises_with(needs, codec.diff, bytes, bytes)
    T.raises_with(needs, codec.patch, bytes, "{}")
  end
  local message = select(2, T.safe.open(bytes))
  T.contains(message, needs .. " at byte ")
  T.with_file(bytes, function(path)
    T.raises_with(needs, fleece.open_file, path)
    T.raises_with(needs, fleece.open_file, path, { map = false })
    T.same(fleece.open_file(path, { keys = keys }).root.list[1].name, "Ann")
    lu.assertNotNil(fleece.open_file(path, { keys = false }))
  end)
  B.refused(B.bytes "7002 4161 0001 0005 0002 8005", "not in order") -- errors that do not depend on keys come first
end

-- keys = false: the reader wants the codes themselves.
function TestBinaryLimits:test_keys_false()
  local keys = fleece.keys()
  local bytes = fleece.from_json('{"a name":1,"x":2}', { keys = keys })
  T.same(fleece.check(bytes, { keys = false }), true)
  local names = {}
  for name, value in fleece.pairs(fleece.open(bytes, { keys = false }).root) do names[name] = value end
  lu.assertEquals(names, { [0] = 2, ["a name"] = 1 })
  T.raises_with(needs, fleece.unpack, bytes, { keys = false })
  T.raises_with(needs, fleece.to_json, bytes, { keys = false })
  T.same(fleece.from_json('{"x":2}', { keys = false }), fleece.from_json '{"x":2}')
  T.same(fleece.pack({ x = 2 }, { keys = false }), fleece.pack { x = 2 })
  T.bad_argument(2, "option 'keys'", "open", bytes, { keys = true })
  T.same(fleece.open(bytes, { keys = false }).bytes, fleece.new { keys = false }.open(bytes).bytes)
end

-- An amendment has the keys of its base.
function TestBinaryLimits:test_keys_of_a_base()
  local keys = fleece.keys()
  local base = fleece.open(fleece.from_json('{"name":"Ann","age":1}', { keys = keys }), { keys = keys })
  local change = base:amend(function(m) m.age = 2 end, { extern = true })
  T.same(fleece.open(change, { base = base }).root.age, 2)
  for _, codec in ipairs(T.codecs) do T.same(codec.unpack(change, { base = base }).name, "Ann") end
  T.same(fleece.check(change, { base = base }), true)
  T.same(fleece.to_json(change, { base = base, canonical = true }), '{"age":2,"name":"Ann"}')
end

-- ------------------------------------------------------------------------------------- max_values, max_bytes

-- A document of `levels` arrays, each with `width` pointers to the one before, and `leaf` in the innermost one, which
-- is reached width ^ levels times.
local function bomb(levels, width, leaf)
  local items, at = leaf and { leaf } or {}, 0
  local back = leaf and 0x8000 + 1 + #leaf / 2 or 7
  items[#items + 1] = string.char(0x60, 1, math.floor(back / 256), back % 256)
  at = leaf and #leaf or 0
  local here = at + 4
  for _ = 1, levels do
    local start = here
    items[#items + 1] = string.char(0x60, width)
    here = here + 2
    for _ = 1, width do
      back = (here - at) / 2
      items[#items + 1] = string.char(0x80 + math.floor(back / 256), back % 256)
      here = here + 2
    end
    at = start
  end
  back = (here - at) / 2
  return table.concat(items) .. string.char(0x80 + math.floor(back / 256), back % 256)
end

local many, much = "more values than max_values allows", "than max_bytes allows"

-- The number of values of bomb(levels, width).
local function values_of(levels, width)
  local n = 2
  for _ = 1, levels do n = 1 + width * n end
  return n
end

function TestBinaryLimits:test_max_values()
  local small, large = bomb(3, 4), bomb(9, 6) -- 149 values; 22 million in 134 bytes
  T.same(values_of(3, 4), 149)
  T.same(fleece.check(small), true)
  T.same(fleece.check(small, { max_values = 149 }), true)
  B.refused(small, many, { max_values = 148 })
  B.refused(large, many)
  for _, codec in ipairs(T.codecs) do
    for _, name in ipairs { "open", "unpack", "to_json" } do
      T.raises_with(many, codec[name], large)
      T.raises_with(many, codec[name], small, { max_values = 148 })
      lu.assertNotNil(codec[name](small, { max_values = 149 }))
    end
    T.raises_with(many, codec.diff, large, small)
  end
  T.with_file(large, function(path) T.raises_with(many, fleece.open_file, path) end)
  local mine = fleece.new { max_values = 148 } -- a host's own limit
  T.same(mine.check(small), nil)
  T.same(mine.check(small, { max_values = 149 }), true)
  for _, wrong in ipairs { 0, -1, 0.5, "x", 1e300 } do
    T.bad_argument(2, "option 'max_values'", "check", small, { max_values = wrong })
    T.bad_argument(2, "option 'max_bytes'", "to_json", small, { max_bytes = wrong })
  end
end

-- max_values also limits calls with views, whose documents are already checked, or trusted.
function TestBinaryLimits:test_max_values_of_views()
  local bytes = bomb(3, 4)
  for _, options in ipairs { {}, { trusted = true } } do
    local doc = fleece.open(bytes, options)
    T.same(#doc.root:totable(), 4)
    T.same(#doc.root:totable { max_values = 149 }, 4)
    T.raises_with(many, doc.root.totable, doc.root, { max_values = 148 })
    for _, codec in ipairs(T.codecs) do
      T.raises_with(many, codec.unpack, doc.root[1], { max_values = values_of(2, 4) - 1 })
      T.same(#codec.unpack(doc.root[1], { max_values = values_of(2, 4) }), 4)
    end
    T.same(fleece.to_json(doc, { max_values = 149 }), fleece.to_json(doc))
    T.raises_with(many, fleece.to_json, doc, { max_values = 148 })
    local value, message = T.safe.unpack(doc, { max_values = 2 })
    T.same(value, nil)
    T.contains(message, many)
  end
  local base = fleece.open(fleece.from_json "[[1,2,3],4]")
  local change = fleece.open(base:amend(function(m) m[2] = 5 end, { extern = true }), { base = base })
  for _, codec in ipairs(T.codecs) do
    T.raises_with(many, codec.unpack, change.root[1], { max_values = 3 })
    T.same(#codec.unpack(change.root[1], { max_values = 4 }), 3)
  end
  local function enlarge(m) m[2] = { 5, 6, 7 } end
  T.raises_with(many, base.amend, base, enlarge, { max_values = 8 })
  T.same(fleece.to_json(base.bytes .. base:amend(enlarge, { max_values = 9 })), "[[1,2,3],[5,6,7]]")
end

function TestBinaryLimits:test_max_bytes()
  local bytes = fleece.from_json '["abc","abc",{"x":12345678}]'
  local text = fleece.to_json(bytes)
  for _, value in ipairs { bytes, fleece.open(bytes), fleece.open(bytes).root } do
    T.same(fleece.to_json(value, { max_bytes = #text }), text)
    T.raises_with("the text would be longer " .. much, fleece.to_json, value, { max_bytes = #text - 1 })
    for _, codec in ipairs(T.codecs) do
      T.same(codec.unpack(value, { max_bytes = 200 })[3].x, 12345678)
      T.raises_with(much, codec.unpack, value, { max_bytes = 80 })
    end
  end
  local result, message = T.safe.to_json(bytes, { max_bytes = 3 })
  T.same(result, nil)
  T.contains(message, much)
end

-- One long string that many items point to: the default of max_bytes is 64 times the document, or 64 MB.
function TestBinaryLimits:test_long_string_is_shared()
  local s = ("x"):rep(6000)
  local bytes = bomb(5, 7, "\79" .. string.char(128 + 6000 % 128, math.floor(6000 / 128)) .. s .. "\0")
  T.same(fleece.check(bytes), true)
  local message = T.error_of(fleece.to_json, bytes) -- 16807 times, 100 MB
  T.contains(message, "the text would be longer " .. much)
  T.same(#fleece.to_json(bytes, { max_bytes = 2 ^ 28 }) > 16807 * 6000, true)
  for _, codec in ipairs(T.codecs) do T.same(#codec.unpack(bytes)[1][1][1][1][1][1], 6000, "made once") end
  local short = bomb(7, 7, "\79\200\1" .. ("y"):rep(200) .. "\0") -- a string that is created 823543 times
  for _, codec in ipairs(T.codecs) do
    T.raises_with("the result would be larger " .. much, codec.unpack, short, { max_values = 1e7 })
  end
end

-- ------------------------------------------------------------------------------------- walk

function TestBinaryLimits:test_walk_has_max_values()
  local doc = fleece.open(bomb(3, 4))
  local n = 0
  for _ in doc:walk(nil, { max_values = 149 }) do n = n + 1 end
  T.same(n, 149)
  T.raises_with(many, function() for _ in doc:walk(nil, { max_values = 148 }) do end end)
  for _ in doc.root:walk(function() return false end, { max_values = 1 }) do end -- skipped collections do not count
end

-- The path of a walk, read as a key path, leads to the value.
function TestBinaryLimits:test_walk_of_odd_names()
  local names, n = { '"', "\\", 'a"b', "c\\d", "]", "[0]", "*", "x.y", "", "'", "\n", '\\"', ("\\\""):rep(600), "plain" }, 0
  local members = {}
  for i, name in ipairs(names) do members[name] = { i, { [name] = -i } } end
  local root = fleece.open(fleece.pack(members)).root
  for value, path, pointer in root:walk() do
    if type(value) == "number" then
      n = n + 1
      T.same(fleece.path(tostring(path))(root), value, tostring(path))
      T.same(root:pointer(pointer), value)
      T.same(#path, #tostring(path))
    end
  end
  T.same(n, 2 * #names)
end

-- Paths and pointers behave the same whether they are strings or, if long, objects that create their text on demand.
function TestBinaryLimits:test_walk_of_long_names()
  for _, n in ipairs { 1, 490, 990, 1000, 1010, 5000 } do
    local name, odd = ("n"):rep(n), ("~/ "):rep(n)
    local root = fleece.open(fleece.from_json('{"' .. name .. '":[7,{"x":[8],"' .. odd .. '":[9]}],"a":1}')).root
    local paths = {}
    for value, path, pointer in root:walk() do
      if type(value) == "number" then paths[value] = { tostring(path), tostring(pointer) } end
      T.same(#("/" .. path), #path + 1)
      T.same(tostring(path) .. "|", path .. "|")
      if value ~= root then T.same(fleece.encode { root:pointer(pointer) }, fleece.encode { root:pointer(tostring(pointer)) }) end
      T.same(type(path), type(pointer))
      if #path > 4000 then T.same(type(path), "userdata") elseif #pointer < 900 then T.same(type(path), "string") end
    end
    local pointer = "/" .. name .. "/1/" .. odd:gsub("[~/]", { ["~"] = "~0", ["/"] = "~1" }) .. "/0"
    lu.assertEquals(paths, {
      { ".a", "/a" },
      [7] = { "." .. name .. "[0]", "/" .. name .. "/0" },
      [8] = { "." .. name .. "[1].x[0]", "/" .. name .. "/1/x/0" },
      [9] = { "." .. name .. '[1]["' .. odd .. '"][0]', pointer },
    })
  end
end

-- A long name above many values is copied only once. (With strings for all paths this took 30 seconds.)
function TestBinaryLimits:test_walk_is_linear()
  local root = fleece.open(fleece.from_json('{"' .. ("x"):rep(800000) .. '":[' .. ("1,"):rep(399999) .. "1]}")).root
  local start, n, last = os.clock(), 0, nil
  for _, path in root:walk(function(_, path) return path ~= "?" end) do n, last = n + 1, path end
  lu.assertTrue(os.clock() - start < 5)
  T.same(n, 400002)
  T.same(tostring(last):sub(-8), "[399999]")
  local doc = fleece.open(fleece.from_json('{"' .. ("x"):rep(2000) .. '":[1]}'))
  local place
  for _, path in doc:walk() do place = path end
  T.same(place == place, true)
  doc:close()
  T.raises_with("the document is closed", tostring, place)
end
