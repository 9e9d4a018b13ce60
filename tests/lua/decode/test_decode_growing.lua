-- SPDX-License-Identifier: MIT
-- test_decode_growing.lua -- what a state remembers of names and shapes grows while a text is decoded, and other
-- decodes may run meanwhile.

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestDecodeGrowing = {}

-- Object i of a text has `width` of `names` names, in an order of its own, twice the same before another begins.
local function members(i, names, width)
  local list, first = {}, math.floor(i / 2) * 7 % names
  for k = 1, width do list[k] = ("n%d"):format((first + k * k) % names) end
  return list
end

local function text_of(from, to, names, width)
  local rows = {}
  for i = from, to do
    local row = {}
    for k, name in ipairs(members(i, names, width)) do row[k] = ('"%s":%d'):format(name, i * 100 + k) end
    rows[#rows + 1] = "{" .. table.concat(row, ",") .. "}"
  end
  return "[" .. table.concat(rows, ",") .. "]"
end

-- Of equal names the last one counts.
local function check(list, from, to, names, width)
  lu.assertEquals(#list, to - from + 1)
  for i = from, to do
    local expected, got = {}, list[i - from + 1]
    for k, name in ipairs(members(i, names, width)) do expected[name] = i * 100 + k end
    for name, value in pairs(expected) do
      if got[name] ~= value then
        lu.fail(("object %d: %s is %s, not %d"):format(i, name, tostring(got[name]), value))
      end
    end
    for name in pairs(got) do
      if not expected[name] then lu.fail(("object %d has %s"):format(i, name)) end
    end
  end
end

-- From few names to more than are remembered.
function TestDecodeGrowing:test_more_and_more_names()
  for _, names in ipairs { 5, 15, 17, 33, 64, 129, 257, 511, 700, 1500 } do
    for _, width in ipairs { 1, 4, 9, 40 } do
      local text = text_of(1, 60, names, width)
      for _ = 1, 3 do check(fleece.decode(text), 1, 60, names, width) end
    end
  end
end

function TestDecodeGrowing:test_nested()
  local depth, text, names = 300, "0", 0
  for i = 1, depth do
    text = ('{"d%d":[%s],"e%d":1}'):format(i, text, i)
    names = names + 2
  end
  for _ = 1, 3 do
    local t = fleece.decode(text)
    for i = depth, 1, -1 do
      lu.assertEquals(t["e" .. i], 1)
      t = t["d" .. i][1]
    end
    lu.assertEquals(t, 0)
  end
end

-- Parsers keep theirs between two steps, and each grows by itself.
function TestDecodeGrowing:test_parsers_take_turns()
  local parsers, texts = {}, {}
  for i = 1, 6 do
    texts[i] = text_of(i, i + 200, 30 * i, 3 + i)
    parsers[i] = fleece.parser()
    parsers[i]:feed(texts[i])
  end
  local more = true
  while more do
    more = false
    for i = 1, 6 do
      if parsers[i]:step(500 + 100 * i) then more = true end
    end
    collectgarbage "step"
  end
  for i = 1, 6 do check(parsers[i]:finish(), i, i + 200, 30 * i, 3 + i) end
end

-- A decode in a finalizer makes the same memory grow while the outer one uses it.
function TestDecodeGrowing:test_finalizers()
  local count, problem = 0, nil
  for round = 1, 40 do
    for i = 1, 20 do
      T.finalizer(function()
        count = count + 1
        local names = 20 + (count * 13) % 600
        local ok, message = pcall(function()
          check(fleece.decode(text_of(count, count + 20, names, 6)), count, count + 20, names, 6)
        end)
        if not ok then problem = message end
      end)
    end
    local text = text_of(round, round + 300, 15 * round, 8)
    check(fleece.decode(text), round, round + 300, 15 * round, 8)
  end
  collectgarbage()
  lu.assertNil(problem)
  lu.assertTrue(count > 0)
end

function TestDecodeGrowing:test_unpack()
  for _, names in ipairs { 10, 40, 300, 900 } do
    local text = text_of(1, 80, names, 7)
    local bytes = fleece.from_json(text, { duplicates = "last" })
    for _ = 1, 2 do check(fleece.unpack(bytes), 1, 80, names, 7) end
  end
end
