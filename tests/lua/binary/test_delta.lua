-- SPDX-License-Identifier: MIT
-- test_delta.lua -- diff and patch in Lua: numbers of 32 bits, options, errors and memory after errors. The form of
-- deltas is tested in test_binary_vectors.lua and tests/c/binary/test_delta.c.
-- runs: in one layout

local T = require "support"
local fleece, random, same = T.fleece, T.random, T.same

TestDelta = {}

local function patched(old, delta, options)
  return fleece.to_json(fleece.patch(fleece.from_json(old), delta, options))
end

-- The error names the place in the value where the delta does not apply, as a path that fleece.path reads.
function TestDelta:test_errors_have_a_path()
  local value = { people = { { name = "Ann" }, { name = "Bob", ["two words"] = { 1, 2 } } } }
  local bytes = fleece.pack(value)
  for _, case in ipairs {
    { delta = '{"people":{"1":{"age":[]}}}', message = "delta deletes a missing value at people[1].age" },
    { delta = '{"people":{"0":{"age":[1,2]}}}', message = "delta replaces a missing value at people[0].age" },
    { delta = '{"people":{"1":{"two words":{"1":{"x":1}}}}}', at = 'people[1]["two words"][1]' },
    { delta = '{"people":{"1-":5}}', message = "rest of an array in a delta is not an array at people[1]" },
    { delta = '{"people":{"1":{"name":["x",0,2]}}}', at = "people[1].name" },
    { delta = '{"none":{"x":1}}', at = " at none" },
    { delta = '{"a\\n\\u0000\\"\\\\é":{"x":1}}', at = [==[ at ["a\010\000\"\\é"]]==] },
    { delta = '{"' .. ("long"):rep(100) .. '":[]}', message = "delta deletes a missing value at ..." },
    { delta = '{"people":{"1":{"' .. ("x"):rep(100) .. '":{},"' .. ("y"):rep(170) .. '":[]}}}', at = " at people[1]" },
  } do
    local message = T.error_of(fleece.patch, bytes, case.delta)
    if case.message then T.ends(message, case.message) else T.contains(message, case.at) end
  end
  T.ends(T.error_of(fleece.patch, bytes, "[1,2,3,4]"), "array of a delta has more than three items") -- at the root
end

function TestDelta:test_duplicate_names()
  same(patched('{"a":1}', '{"a":2,"a":3,"a":4}'), '{"a":4}')
  same(patched('{"a":1,"b":1}', '{"a":[],"b":2,"a":3}'), '{"a":3,"b":2}')
  same(patched("[1,2]", '{"0":5,"0":6,"0":7}'), "[7,2]")
  local members = {}
  for i = 1, 100 do members[i] = ('"a":%d'):format(i) end
  same(patched('{"a":1}', "{" .. table.concat(members, ",") .. "}"), '{"a":100}')
end

-- A 32-bit float is written to the delta with the digits of its double, since patch reads doubles.
function TestDelta:test_random_numbers_of_32_bits()
  local stays = "what stays as it is" -- makes it longer to replace the whole array
  local old, e = fleece.pack { 0, stays }, fleece.encoder()
  local function check(x)
    local new = e:array():float(x):value(stays):close():finish()
    local delta = fleece.diff(old, new)
    local got = fleece.patch(old, delta)
    same(fleece.unpack(got)[1], fleece.unpack(new)[1] + 0.0, delta)
    same(fleece.open(got).root == fleece.open(new).root, true, delta)
    same(fleece.diff(got, new), "{}", delta)
    same(delta:find "[.e]" ~= nil, true, delta)
  end
  for _, x in ipairs { 0.1, 0.5, -1, 0, 3, 16777216, 2491386953728, 1 / 3, 1e-5 } do check(x) end
  T.random_rounds(300, function() check((random(1, 2^24) - 2^23) * 2 ^ random(-60, 60)) end)
  same(fleece.diff(old, e:array():float(0.1):value(stays):close():finish()), '{"0":0.10000000149011612}')
  same(fleece.diff(old, e:array():float(16777218):value(stays):close():finish()), '{"0":16777218.0}')
end

-- Calls that fail keep no reference to a document: closing it frees its bytes.
function TestDelta:test_errors_leave_documents_free()
  local json = '["' .. ("x"):rep(2e6) .. '"]'
  local change = fleece.open(fleece.from_json(json)):amend(function(m) m[1] = 2 end, { extern = true })
  for _, codec in ipairs { fleece, T.safe } do
    for what, fail in pairs {
      ["invalid bytes"] = function(doc) codec.diff(doc, "xx") end,
      ["not bytes"] = function(doc) codec.diff(doc, {}) end,
      ["the first is invalid"] = function(doc) codec.diff("xx", doc) end,
      ["a number without text"] = function(doc) codec.diff(doc, fleece.pack { 1 / 0 }) end,
      ["not a delta"] = function(doc) codec.patch(doc, {}) end,
      ["an invalid text"] = function(doc) codec.patch(doc, "[") end,
      ["a delta that does not fit"] = function(doc)
        codec.patch(doc, '{"a":1}')
        codec.patch(doc, "[1,2,3,4]")
      end,
      ["an invalid document"] = function(doc) codec.patch("xx", doc) end,
      ["a base"] = function(doc) codec.diff(change, "xx", { base = doc }) end,
    } do
      local bytes = fleece.from_json(json)
      -- a new string, because Lua 5.5 counts only strings that it has created itself
      local doc = fleece.open(bytes:sub(1, 2) .. bytes:sub(3))
      bytes = nil
      pcall(fail, doc)
      local held = T.memory()
      doc:close()
      if held - T.memory() < 1900 then T.lu.fail(what .. ": still held") end
    end
  end
end

function TestDelta:test_options()
  local old = fleece.from_json '{"a":1}'
  T.bad_argument(3, "option 'duplicates' must be \"last\" here", "patch", old, '{"a":2}', { duplicates = "first" })
  T.bad_argument(3, "option 'lines' has no effect here", "patch", old, '{"a":2}', { lines = true })
  same(fleece.to_json(fleece.new { lines = true }.patch(old, '{"a":2}')), '{"a":2}') -- a delta is one text
  -- For a codec's options the message does not name an argument.
  local first = fleece.new { duplicates = "first" }
  local words = ": option 'duplicates' must be \"last\" here"
  T.raises_ending("patch" .. words, first.patch, old, "{}")
  T.raises_ending("from_json" .. words, first.from_json, "{}")
  T.raises_ending("lazy" .. words, first.lazy, "{}")
  T.raises_ending("encoder" .. words, first.encoder)
  same(patched('{"a":1}', '{"a":2}', { duplicates = "last", mode = "compatible" }), '{"a":2}')
  same(patched('{"a":1}', "{a:+2,}", { json5 = true }), '{"a":2}')
  T.bad_argument(2, "string expected", "patch", old, {})
  T.bad_argument(1, "bytes, document or view expected", "patch", {}, '{"a":2}')
end
