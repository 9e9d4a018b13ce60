-- SPDX-License-Identifier: MIT
-- test_expect.lua -- the assertions of expect.lua: each passes when it should, and fails otherwise.
-- runs: in one layout

local T = require "support"
local lu = T.lu

TestExpect = {}

-- check(...) fails the test with a message that contains this text.
local function fails_saying(text, check, ...)
  local ok, message = pcall(check, ...)
  lu.assertFalse(ok, "it should have failed")
  lu.assertStrContains(message, text)
end

local function thrower(message) return function() error(message, 0) end end
local function giver(...)
  local results = T.pack(...)
  return function() return T.unpack(results, 1, results.n) end
end

function TestExpect:test_values()
  T.same("a", "a")
  fails_saying("here: first difference at byte 3", T.same, "abc", "abd", "here")
  fails_saying("expected nil, got false", T.same, false, nil)
  fails_saying("(two tables; T.equal compares what is in them)", T.same, { a = 1 }, { a = 1 })
  T.equal({ 1, { a = "b" } }, { 1, { a = "b" } })
  fails_saying("expected", T.equal, { 1, { a = "b" } }, { 1, { a = "c" } })
  fails_saying("expected 1, got \"1\"", T.equal, "1", 1)
  if T.integers then fails_saying("expected", T.same, 1, 1.0) end
  lu.assertTrue(T.is_equal({ { 1 }, x = "y" }, { { 1 }, x = "y" }))
  for _, other in ipairs { { { 1 } }, { { 1 }, x = "z" }, { { 1 }, x = "y", z = 1 }, { { 2 }, x = "y" }, 5 } do
    lu.assertFalse(T.is_equal({ { 1 }, x = "y" }, other))
  end
  T.contains("a message", "mess")
  fails_saying("a message with \"x.\"", T.contains, "a message", "x.")
  fails_saying("got nil", T.contains, nil, "x")
  T.ends("a message", "sage")
  fails_saying("the message \"mess\"", T.ends, "a message", "mess")
end

function TestExpect:test_errors()
  local object = {}
  T.same(T.error_of(thrower(object)), object)
  fails_saying("no error; result 5", T.error_of, giver(5))
  fails_saying("something to call expected", T.error_of, "a message")
  fails_saying("something to call expected", T.error_of, nil)
  T.raises("why", thrower "why")
  T.raises(object, thrower(object))
  T.raises_with("h", thrower "why")
  T.raises_ending("hy", thrower "why")
  for _, word in ipairs { "raises", "raises_with", "raises_ending" } do
    fails_saying("no error", T[word], "why", giver())
    fails_saying("expected", T[word], "other", thrower "why")
    fails_saying("something to call expected", T[word], "why", "why")
  end
  fails_saying("expected", T.raises, "hy", thrower "why")
  fails_saying("expected", T.raises_ending, "wh", thrower "why")
end

function TestExpect:test_results()
  T.returns({ n = 2, 1, "x" }, giver(1, "x"))
  T.returns(T.pack(nil, nil), giver(nil, nil))
  for _, other in ipairs { giver(1), giver(1, "x", nil), giver(1, "y"), giver() } do
    fails_saying("expected", T.returns, { n = 2, 1, "x" }, other)
  end
  T.fails("why", giver(nil, "why", 3))
  T.fails_with("h", giver(nil, "why", 3))
  for _, word in ipairs { "fails", "fails_with" } do
    fails_saying("expected nil, got 1", T[word], "why", giver(1, "why"))
    fails_saying("expected", T[word], "other", giver(nil, "why"))
  end
  fails_saying("expected", T.fails, "hy", giver(nil, "why"))
end

function TestExpect:test_library()
  local L = T.library {
    encode = function(value, prefix)
      if value == print then error("no text", 0) end
      return (prefix or "") .. tostring(value)
    end,
    decode = function(text, base)
      return tonumber(text, base or 10) or error("no number", 0)
    end,
  }
  L.encodes(5, "5")
  L.encodes(5, "+5", "+")
  L.decodes("11", 3, 2)
  L.rejects(print, "no text")
  L.refuses("x", "no number")
  fails_saying("first difference", L.encodes, 5, "6")
  fails_saying("11: expected 4, got 3", L.decodes, "11", 4, 2)
  fails_saying("no error", L.rejects, 5, "no text")
  fails_saying("first difference", L.rejects, print, "no tex")
  fails_saying("no error", L.refuses, "7", "no number")
  fails_saying("x: first difference", L.refuses, "x", "no numbe")
end

-- Every case is checked, in order, and a failure names its case.
function TestExpect:test_each()
  local seen = {}
  T.each({ "a", { name = "b" }, "c" }, function(case, number) seen[number] = case end)
  lu.assertEquals(seen, { "a", { name = "b" }, "c" })
  local pairs_seen = {}
  T.each_pair({ x = 1, y = false }, function(key, value) pairs_seen[key] = value end)
  lu.assertEquals(pairs_seen, { x = 1, y = false })
  local cases = { { text = "good" }, { text = "bad" } }
  local function check(case) T.same(case.text, "good") end
  fails_saying("first difference at byte 1", T.each, cases, check)
  fails_saying("case 2: {text=\"bad\"})", T.each, cases, check)
  fails_saying("test_expect.lua:", T.each, cases, check)
  fails_saying("case y: 2)", T.each_pair, { y = 2 }, function(_, value) T.same(value, 1) end)
  local object = {}
  local ok, thrown = pcall(T.each, cases, thrower(object))
  lu.assertFalse(ok)
  lu.assertIs(thrown, object)
end

function TestExpect:test_files()
  local path
  T.with_file("a\0b\r\n", function(name)
    path = name
    T.same(T.read_file(name), "a\0b\r\n")
    T.write_file(name, "other")
    T.same(T.read_file(name), "other")
  end)
  T.same(io.open(path), nil)
  T.raises("inside", T.with_file, "", function(name)
    path = name
    error("inside", 0)
  end)
  T.same(io.open(path), nil)
  T.same(T.open_with("text"):read "*a", "text")
  T.same(T.file_text(function(file) file:write "written" end), "written")
end

function TestExpect:test_sources()
  local function all(next_piece)
    local list = {}
    for piece in next_piece do list[#list + 1] = piece end
    return list
  end
  lu.assertEquals(all(T.pieces("abcde", 2)), { "ab", "cd", "e" })
  lu.assertEquals(all(T.pieces("abcde", T.constant(5))), { "abcde" })
  lu.assertEquals(all(T.pieces("", 1)), {})
  lu.assertEquals(table.concat(all(T.pieces("abcde", T.between(1, 3)))), "abcde")
  lu.assertEquals(T.merged({ a = 1, b = 2 }, { b = 3 }), { a = 1, b = 3 })
  lu.assertEquals(T.merged(nil, { b = 3 }), { b = 3 })
  lu.assertEquals(T.nested(2, "x"), { { "x" } })
end
