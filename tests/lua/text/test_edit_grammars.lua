-- SPDX-License-Identifier: MIT
-- test_edit_grammars.lua -- edit, json_patch and merge_patch of texts beyond RFC 8259: every option of reading, with one
-- change, two and ten, in the same place, in it, beside it. The expected value is decode's, changed as a table.

local T = require "support"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestEditGrammars = {}

local MARKED = { arrays = fleece.array_mt, objects = fleece.object_mt }
local NAMES = { "a", "b", "c", "it's", "$_1", "é", "", 'q"\\', "\n" }

local function is_array(value) return getmetatable(value) == fleece.array_mt end

-- ---- texts --------------------------------------------------------------------------------------------------------

local function quoted(s, quote)
  return quote .. s:gsub('[\\\n' .. quote .. "]", { ["\\"] = "\\\\", ["\n"] = "\\n", [quote] = "\\" .. quote }) .. quote
end

-- For each grammar: its options, blanks, scalars, how a string and a name may be written, and what may follow items.
local strict = {
  options = {}, blanks = { "", "", " ", "\n", "\r\n\t" }, last = { "" },
  scalars = { "1", "-2.50e3", "true", "null", '"x"', '"\\u00e9]"', "[]", "{}" },
  string = function(s) return quoted(s, '"') end,
  name = function(s) return T.pick { quoted(s, '"'), (quoted(s, '"'):gsub('^"(%l)', function(c) return ('"\\u%04x'):format(c:byte()) end)) } end,
}
local function like(base, more) return T.merged(base, more) end
local comments = { "", " ", "\n", "/* } */", "// ]\n", "\r\n  // '\r\n  ", "/*a*//*\"*/" }
local json5 = like(strict, {
  options = { json5 = true }, last = { "", "", ",", " , " },
  blanks = { "", "", " ", "\r\n", "\v\f", "\194\160", "\226\128\168", "/* } */", "// ]\n", "// \226\128\169", "/*'*//*\"*/" },
  scalars = { "0x1F", "-0XffffFFFF", "+1", ".5", "5.", "-.5e1", "'x'", "'\\\n\\x41\\v\"'", "null", "true", "Infinity", "-Infinity" },
  string = function(s) return T.pick { quoted(s, '"'), quoted(s, "'") } end,
  name = function(s)
    if s:find "^[%a$_\128-\255][%w$_\128-\255]*$" then return T.pick { s, s, quoted(s, "'"), (s:gsub("^%l", function(c) return ("\\u%04x"):format(c:byte()) end)) } end
    return T.pick { quoted(s, '"'), quoted(s, "'") }
  end,
})
local GRAMMARS = {
  strict,
  like(strict, { options = { comments = true }, blanks = comments }),
  like(strict, { options = { trailing_commas = true }, last = { "", ",", " ,\n" } }),
  like(strict, { options = { comments = true, trailing_commas = true }, blanks = comments, last = { "", ",", ", // x\n" } }),
  like(strict, { options = { bom = true }, bom = true }),
  like(strict, { options = { invalid_numbers = "literal" }, scalars = { "Infinity", "-Infinity", "1" } }),
  like(strict, { options = { invalid_numbers = "null" }, scalars = { "Infinity", "NaN", "1" } }),
  json5, json5, json5,
  like(json5, { options = { json5 = true, bom = true }, bom = true }),
}
for _, bad in ipairs { "replace", "escape", "pass" } do
  local function with_bad(base)
    return function(s) return (base(s):gsub("^(['\"])é", "%1\255")) end
  end
  for _, base in ipairs { strict, json5 } do
    GRAMMARS[#GRAMMARS + 1] = like(base, { options = T.merged(base.options, { invalid_utf8 = bad }), name = with_bad(base.name) })
  end
end

local function text_of(g, depth)
  local kind = random(1, depth > 0 and 5 or 1)
  if kind == 1 then return random(1, 3) == 1 and g.string(T.pick(NAMES)) or T.pick(g.scalars) end
  local function blank() return T.pick(g.blanks) end
  local parts, used = {}, {}
  for _ = 1, random(0, 6) do
    local name, item = T.pick(NAMES), blank() .. text_of(g, depth - 1) .. blank()
    if kind <= 3 then
      parts[#parts + 1] = item
    elseif not used[name] then
      used[name] = true
      parts[#parts + 1] = blank() .. g.name(name) .. blank() .. ":" .. item
    end
  end
  local inner = #parts == 0 and blank() or table.concat(parts, ",") .. T.pick(g.last)
  return kind <= 3 and "[" .. inner .. "]" or "{" .. inner .. "}"
end

-- ---- changes ------------------------------------------------------------------------------------------------------

-- A random place: steps from the value, names and indices from 0. Half of them are near the place before.
local function place(value, before)
  local steps = {}
  if before and random(1, 2) == 1 then
    for i = 1, #before - random(0, 1) do
      if type(value) ~= "table" then break end
      local step = before[i]
      if (type(step) == "number") ~= is_array(value) then break end
      steps[i] = step
      value = value[type(step) == "number" and step + 1 or step]
    end
  end
  while type(value) == "table" and random(1, 4) > 1 do
    local step = is_array(value) and random(0, #value) or T.pick(NAMES)
    steps[#steps + 1] = step
    value = value[type(step) == "number" and step + 1 or step]
  end
  return steps
end

local function pointer(steps)
  local parts = {}
  for i, step in ipairs(steps) do parts[i] = "/" .. tostring(step):gsub("~", "~0"):gsub("/", "~1") end
  return table.concat(parts)
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local made = setmetatable({}, getmetatable(value))
  for key, item in pairs(value) do made[key] = copy(item) end
  return made
end

-- What the steps lead to: its container and key in that, which may be new. nil: there is none.
local function lookup(root, steps)
  local container, key = root, 1
  for _, step in ipairs(steps) do
    container = container[key]
    if type(container) ~= "table" or (type(step) == "number") ~= is_array(container) then return nil end
    key = type(step) == "number" and step + 1 or step
    if type(step) == "number" and step > #container then return nil end
  end
  return container, key
end

-- Applies a change to root[1], as RFC 6902 says. False: it cannot be applied.
local function apply(root, op, steps, value)
  local container, key = lookup(root, steps)
  if not container or (op ~= "add" and container[key] == nil) then return false end
  if op == "remove" and #steps == 0 then return false end
  if op == "add" and #steps > 0 and is_array(container) then table.insert(container, key, copy(value))
  elseif op == "remove" and is_array(container) then table.remove(container, key)
  else container[key] = op ~= "remove" and copy(value) or nil end
  return true
end

-- A list of `count` changes that succeed, as operations and, if all of them can be, as changes of edit; and the value
-- after them.
local function changes_of(value, count, codec, decode)
  local root, operations, edits, before = { copy(value) }, {}, {}, nil
  for _ = 1, 20 * count do
    local steps, op = place(root[1], before), T.pick { "add", "add", "remove", "replace", "test", "move", "copy" }
    local new, from = decode(text_of(strict, random(0, 2))), nil
    local was, key = lookup(root, steps)
    was = was and was[key]
    local o, is_edit = { op = op, path = pointer(steps) }, nil
    local fine
    if op == "test" then
      fine, o.value = was ~= nil and pcall(codec.encode, was), was
    elseif op == "move" or op == "copy" then
      from = place(root[1], steps)
      local there, at = lookup(root, from)
      local saved, moved = copy(root[1]), there and copy(there[at])
      o.from = pointer(from)
      fine = moved ~= nil and o.path:sub(1, #o.from + 1) ~= o.from .. "/" and not (op == "move" and #from == 0)
      if fine and op == "move" then apply(root, "remove", from) end
      fine = fine and apply(root, "add", steps, moved)
      if not fine then root[1] = saved end
    else
      o.value = op ~= "remove" and new or nil
      local in_array = #steps > 0 and type(steps[#steps]) == "number"
      is_edit = { (op == "add" and in_array and "insert") or (op == "remove" and op) or "set", o.path, o.value }
      fine = apply(root, op, steps, new)
    end
    if fine then
      before = steps
      operations[#operations + 1] = o
      o.value = copy(o.value)
      edits[#edits + 1] = is_edit
      if #operations == count then break end
    end
  end
  return operations, #edits == #operations and edits or nil, root[1]
end

-- RFC 7396, section 2, in which {} takes the place of what is no object.
local function merge(target, patch)
  if type(patch) ~= "table" or is_array(patch) then return patch end
  local result = type(target) == "table" and not is_array(target) and copy(target) or fleece.object {}
  for name, value in pairs(patch) do
    if value == fleece.null then result[name] = nil else result[name] = merge(result[name], value) end
  end
  return result
end

-- ---- tests --------------------------------------------------------------------------------------------------------

function TestEditGrammars:test_random_texts_of_every_grammar()
  T.random_rounds(500, function()
    local g = T.pick(GRAMMARS)
    local options = T.merged(g.options, MARKED)
    local text = (g.bom and T.pick { "\239\187\191", "" } or "") .. T.pick(g.blanks) .. text_of(g, 3) .. T.pick(g.blanks)
    local codec, plain = fleece.new(options), function(s) return fleece.decode(s, MARKED) end
    local value = codec.decode(text)
    for _, count in ipairs { 1, 2, 10 } do
      local operations, edits, expected = changes_of(value, count, codec, plain)
      local function compare(result)
        if not T.is_equal(codec.decode(result), expected) then
          lu.fail(("%s\n%s\ngot %s"):format(text, fleece.encode(operations), result))
        end
      end
      compare(codec.json_patch(text, operations))
      if edits then
        for _, test in ipairs { "all", "read" } do compare(codec.edit(text, edits, { test = test })) end
        compare(fleece.edit(text, edits, g.options))
        compare(T.api.edit(text, edits, g.options))
      end
      local patch = text_of(strict, 3)
      expected, operations = merge(value, plain(patch)), patch
      compare(codec.merge_patch(text, patch))
    end
  end)
end

-- The names that a text of JSON5 has are found whatever was read or written before.
function TestEditGrammars:test_names_after_a_change_inside()
  same(fleece.edit("{a:[1,2]}", { { "set", "a", 1 }, { "set", "a", { 1, 2 } }, { "set", "b", "x" }, { "append", "a", 1 }, { "remove", "a" } },
    { json5 = true }), '{"b":"x"}')
  local operations = { { op = "replace", path = "/a", value = { 1 } }, { op = "add", path = "/b", value = "x" },
    { op = "add", path = "/c", value = 1 }, { op = "add", path = "/a/-", value = 1 }, { op = "remove", path = "/a" } }
  same(fleece.new { json5 = true }.json_patch("{a:[1,2]}", operations), '{"b":"x","c":1}')
end

function TestEditGrammars:test_raw_values_with_blanks()
  same(fleece.edit("{}", { { "set", "a", fleece.raw " [1] " }, { "append", "a", 2 } }), '{"a":[1,2]}')
  same(fleece.edit("{}", { { "set", "a", fleece.raw "\r\n{ }\n" }, { "set", "a.b", 2 } }), '{"a":{"b":2}}')
end

-- "test" compares values by what they mean, in every grammar.
function TestEditGrammars:test_tests()
  local function test(options, text, value, differs)
    local operations = { { op = "test", path = "", value = value } }
    local codec = fleece.new(options)
    if differs then return T.raises_with("the value is a different one", codec.json_patch, text, operations) end
    same(codec.json_patch(text, operations), text)
  end
  local five = { json5 = true }
  T.each({
    { five, "{a:'x','b':\"y\",}", { a = "x", b = "y" } }, { five, "[+1,.5,5.,-.5e1,0x1F,-0X1f,'\\x41',]", { 1, 0.5, 5, -5, 31, -31, "A" } },
    { five, "0x7fffffffffffffff", fleece.raw "9223372036854775807" }, { five, "0xFFFFFFFFFFFFFFFF", fleece.raw "18446744073709551615" },
    { five, "0x0000000000000000ffffffffffffffff", fleece.raw "18446744073709551615" }, { five, "0x20000000000001", fleece.raw "9007199254740993" },
    { five, "0x20000000000001", fleece.raw "9007199254740992", true }, { five, "+1e400", fleece.raw "10e399" }, { five, "0x0", -0.0 },
    { five, "[Infinity]", { 1 }, true }, { five, "'1'", 1, true }, { five, "0x" .. ("f"):rep(300), 1, true },
    { five, "1.00000000000000000000000001", 1 }, -- which is read as 1
    { { invalid_numbers = "literal" }, "[NaN,-Infinity]", { 0 / 0, -math.huge } }, { { invalid_numbers = "literal" }, "-Infinity", math.huge, true },
    { { invalid_numbers = "null" }, "[NaN,null]", { fleece.null, fleece.null } },
    { { invalid_utf8 = "replace" }, '{"\255":"\255"}', { ["\239\191\189"] = "\239\191\189" } },
  }, function(case) test(T.unpack(case, 1, 4)) end)
  T.raises_with("the value is a different one", fleece.new(five).json_patch, "1.00000000000000000000000001",
    '[{"op":"test","path":"","value":1}]') -- texts are compared at any length
end

-- Values that the codec's options allow are compared and written in tables and texts.
function TestEditGrammars:test_numbers_that_json_does_not_have()
  local codec = fleece.new { invalid_numbers = "literal" }
  local add = { { op = "add", path = "/-", value = 0 / 0 } }
  same(codec.json_patch("[1]", add), "[1,NaN]")
  same(codec.merge_patch("{}", { a = { math.huge } }), '{"a":[Infinity]}')
  local infinite = { { op = "test", path = "/a", value = { math.huge } } }
  T.same(codec.encode(codec.json_patch({ a = { math.huge } }, infinite)), '{"a":[Infinity]}')
  T.raises_with("operation 1 (test '/a'): the value is a different one", codec.json_patch, { a = { -math.huge } }, infinite)
end
