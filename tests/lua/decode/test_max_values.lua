-- SPDX-License-Identifier: MIT
-- test_max_values.lua -- max_values of functions that read texts: the count is right, and so is what fails.

local T = require "support"
local lu, fleece, safe = T.lu, T.fleece, T.safe
local same = lu.assertEquals

TestMaxValues = {}

local SPACE = { "", "", " ", "\n", "/* 1, [ */", "// 2,\n", "\194\160" }

-- Returns a text and how many values it has.
local function make(depth, lenient)
  local function space() return lenient and SPACE[T.random(1, #SPACE)] or (" "):rep(T.random(0, 1)) end
  local kind = T.random(1, depth > 0 and 7 or 4)
  if kind == 1 then return space() .. tostring(T.random(-9, 99)) .. space(), 1
  elseif kind == 2 then return '"a:,[\\"{"', 1
  elseif kind == 3 then return lenient and "'x\\'],'" or "true", 1
  elseif kind == 4 then return lenient and "+.5" or "-1.5e3", 1 end
  local items, count = {}, 1
  for i = 1, T.random(0, 4) do
    local text, n = make(depth - 1, lenient)
    if kind > 5 then text = (lenient and T.random(1, 2) == 1 and "n%d" or '"n%d"'):format(i) .. space() .. ":" .. text end
    items[i], count = text, count + n
  end
  local inner = space() .. table.concat(items, space() .. ",") .. (lenient and #items > 0 and T.random(1, 2) == 1 and "," or "") .. space()
  return kind > 5 and "{" .. inner .. "}" or "[" .. inner .. "]", count
end

-- `call` succeeds with this option, and fails without one of the values.
local function limited(call, count, what)
  local value, message = call(count)
  lu.assertNotNil(value, what .. ": " .. tostring(message))
  if count == 1 then return end
  local failure
  value, message, failure = call(count - 1)
  same(not value, true, what)
  lu.assertStrContains(message, "too many values", what)
  same(failure and failure.kind, "limit", what)
  same(failure.option, "max_values", what)
end

function TestMaxValues:test_random_texts()
  for _ = 1, 300 do
    local lenient = T.random(1, 2) == 1
    local text, count = make(T.random(0, 4), lenient)
    local function of(name, more)
      return function(n)
        local options = { max_values = n, json5 = lenient or nil }
        for key, value in pairs(more or {}) do options[key] = value end
        return safe[name](text, options)
      end
    end
    limited(of "decode", count, text)
    limited(of("decode", { layout = "api" }), count, text)
    if count > 1 then limited(of("decode", { partial = true }), count, text) end -- a number alone is open
    limited(of "format", count, text)
    limited(of "from_json", count, text)
    limited(function(n) return safe.decode_prefix("7 " .. text, 3, { max_values = n, json5 = lenient or nil }) end, count, text)
    limited(function(n) return safe.query("$..*", { max_values = n, json5 = lenient or nil })(text) end, count, text)
    limited(function(n) return safe.edit(text, { { "set", "", 1 } }, { max_values = n, json5 = lenient or nil }) end, count, text)
    for _, test in ipairs { "all", "read" } do
      limited(function(n)
        local fine, message, failure = safe.pick("", "zz", { max_values = n, json5 = lenient or nil, raw = true, test = test })(text)
        if fine then return true end
        return nil, message, failure
      end, count, text)
    end
    limited(function(n) return safe.schema("true", { max_values = n, json5 = lenient or nil }):decode(text) end, count, text)
    same((fleece.schema('{"minItems":0}', { max_values = count, json5 = lenient or nil })(text)), true)
    same((fleece.schema('{"minItems":0}', { max_values = count, json5 = lenient or nil })(text .. "x")), false)
    if count > 1 then same((fleece.schema('{"minItems":0}', { max_values = count - 1, json5 = lenient or nil })(text)), false) end
  end
end

function TestMaxValues:test_many_documents()
  local texts, most, total = {}, 0, 0
  for i = 1, 40 do
    local text, count = make(3)
    texts[i], most, total = text, math.max(most, count), total + count
  end
  local text = table.concat(texts, "\n")
  local function source(size)
    local at = 1
    return function()
      at = at + size
      return at - size <= #text and text:sub(at - size, at - 1) or nil
    end
  end
  for _, size in ipairs { 1, 7, 100000 } do
    local n = 0
    for _ in fleece.documents(source(size), { max_values = most }) do n = n + 1 end
    same(n, 40)
    local reader = safe.documents(source(size), { max_values = most - 1 })
    local value, message, failure
    repeat value, message, failure = reader:next() until value == nil
    lu.assertStrContains(message, "too many values")
    same(failure.kind, "limit")
  end
  local list = "[" .. table.concat(texts, ",") .. "]"
  local n = 0
  for _ in fleece.items(list, "", { max_values = most }) do n = n + 1 end
  same(n, 40)
  lu.assertErrorMsgContains("too many values", function() for _ in fleece.items(list, "", { max_values = most - 1 }) do n = n + 1 end end)
  lu.assertNotNil(fleece.format(text, { lines = true, max_values = total }))
  same((safe.format(text, { lines = true, max_values = total - 1 })), nil)
  lu.assertNotNil(fleece.from_json(text, { lines = true, max_values = total }))
  same((safe.from_json(text, { lines = true, max_values = total - 1 })), nil)
end

function TestMaxValues:test_events()
  local stream = 'data: [1,2]\n\ndata: [1,[2]]\n\n'
  local n = 0
  for _ in fleece.events(stream, { max_values = 4 }) do n = n + 1 end
  same(n, 2)
  lu.assertErrorMsgContains("too many values", function() for _ in fleece.events(stream, { max_values = 3 }) do n = n + 1 end end)
end

-- docs/about/production.md says how much memory a text of so many values and bytes takes at most.
function TestMaxValues:test_memory()
  local function list(n, make_item, open, close)
    local items = {}
    for i = 1, n do items[i] = make_item(i) end
    return open .. table.concat(items, ",") .. close
  end
  for _, case in ipairs {
    { list(65537, function(i) return ('"%x":1'):format(i) end, "{", "}"), 65538 }, { list(1000, function() return "[]" end, "[", "]"), 1001 },
    { list(20000, function(i) return ('{"%x":{}}'):format(i) end, "[", "]"), 40001 }, { list(4097, function() return "1" end, "[", "]"), 4098 },
    { list(9000, function(i) return ('{"%xa":1,"%xb":1,"%xc":1,"%xd":1,"%xe":1}'):format(i, i, i, i, i) end, "[", "]"), 54001 },
    { '["' .. ("\\n"):rep(300000) .. '"]', 2 }, { ("["):rep(900) .. ("]"):rep(900), 900 },
  } do
    local text, values = case[1], case[2]
    for _, layout in ipairs { "auto", "api" } do
      fleece.decode("[" .. text .. "]", { layout = layout }) -- what decoding remembers is kept
      collectgarbage()
      collectgarbage "stop"
      local before = collectgarbage "count"
      local value = fleece.decode(text, { layout = layout, max_values = values })
      local taken = (collectgarbage "count" - before) * 1024
      collectgarbage "restart"
      lu.assertEquals(type(value), "table")
      lu.assertTrue(taken <= 160 * values + 2 * #text + 65536, ("%d bytes for %d values and %d bytes"):format(taken, values, #text))
    end
  end
end

function TestMaxValues:test_files()
  local path = T.temporary_name()
  T.write_file(path, "[1,[2]]")
  limited(function(n) return safe.decode_file(path, { max_values = n }) end, 4, "file")
  os.remove(path)
  T.bad_argument(1, "option 'max_values' has no effect here", "parser", { max_values = 1 })
end

-- An invalid text is an error in any case.
function TestMaxValues:test_invalid_texts()
  for _, text in ipairs { "", "[", "]", "[1,", '"', '"\\', "{:1}", "::::", "[1]]", "[1] 2", "/", "/*", "[[[[", "{]", "\0", "[\0]", "1,2" } do
    for n = 1, 5 do
      for _, options in ipairs { { max_values = n }, { max_values = n, json5 = true } } do
        same((safe.decode(text, options)), nil)
        same((safe.format(text, options)), nil)
        same((safe.from_json(text, options)), nil)
      end
    end
  end
end

function TestMaxValues:test_byte_order_mark()
  for _, name in ipairs { "decode", "format", "from_json" } do
    limited(function(n) return safe[name]("\239\187\191 [1,2]", { max_values = n, bom = true }) end, 3, name)
  end
end
