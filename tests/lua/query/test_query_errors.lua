-- SPDX-License-Identifier: MIT
-- test_query_errors.lua -- fleece.query: wrong queries and where they are wrong, limits, and I-Regexps (RFC 9485).
-- runs: in one layout

local T = require "support"
local lu, fleece, safe, same = T.lu, T.fleece, T.safe, T.same
local query = fleece.query

TestQueryErrors = {}

-- Each wrong query, the byte, and a part of the message. The rules are those of RFC 9535, sections 2.1 to 2.5.
local WRONG = {
  { "", 1, "begins with '$'" }, { " $", 1, "begins with '$'" }, { "@.a", 1, "begins with '$'" }, { "$ ", 2, "a segment expected" },
  { "$a", 2, "a segment expected" }, { "$.", 3, "a name or '*' expected" }, { "$. a", 3, "a name or '*' expected" },
  { "$.1", 3, "a name or '*'" }, { "$.a-b", 4, "a segment expected" }, { "$..", 4, "a name or '*'" },
  { "$...a", 4, "a name or '*'" }, { "$[", 2, "'[' without ']'" }, { "$[]", 3, "a selector expected" },
  { "$[1", 2, "'[' without ']'" }, { "$[1,]", 5, "a selector expected" }, { "$[1 2]", 5, "',' or ']' expected" },
  { "$[a]", 3, "a selector expected" }, { "$[01]", 3, "leading 0" }, { "$[-0]", 3, "-0" }, { "$[-]", 4, "a digit" },
  { "$[9007199254740992]", 3, "at most 9007199254740991" }, { "$[1:9007199254740992]", 5, "at most" },
  { "$[1:2:3:4]", 8, "',' or ']' expected" }, { "$[1.0]", 4, "',' or ']'" },
  { "$['a]", 3, "has no end" }, { "$['\\x']", 4, "unknown escape" }, { "$['\\\"']", 4, "unknown escape" },
  { "$['\n']", 4, "control character" }, { "$['\\ud800']", 4, "surrogate" }, { "$['\\udc00']", 4, "surrogate" },
  { "$['\\ud800\\u0061']", 4, "surrogate" }, { "$['\\u00g0']", 4, "hexadecimal" }, { "$['\\U0041']", 4, "unknown escape" },
  { "$['\255']", 4, "UTF-8" }, { "$.\255", 3, "UTF-8" }, { "$[?]", 4, "expected" }, { "$[?@.a", 2, "'[' without ']'" },
  { "$[?true]", 8, "a literal must be compared" }, { "$[?1]", 5, "must be compared" }, { "$[?@.a=1]", 7, "expected" },
  { "$[?'a'=1]", 7, "'=' compares nothing" }, { "$[?@.a===1]", 9, "expected" }, { "$[?@.a & @.b]", 8, "'&&' expected" },
  { "$[?@.a | @.b]", 8, "'||' expected" }, { "$[?(@.a]", 8, "')' or an operator" }, { "$[?!@.a == 1]", 9, "parentheses" },
  { "$[?@..a == 1]", 4, "only names and indices" }, { "$[?@.* == 1]", 4, "only names and indices" },
  { "$[?1 == @[0,1]]", 9, "only names and indices" }, { "$[?@[0:1] == 1]", 4, "only names" }, { "$[?a == 1]", 4, "'@.'" },
  { "$[?@.a == b]", 11, "'@.'" }, { "$[?@.a == 01]", 11, "malformed number" }, { "$[?@.a == 1.]", 11, "malformed" },
  { "$[?@.a == .5]", 11, "expected" }, { "$[?@.a == +1]", 11, "expected" }, { "$[?@.a == TRUE]", 11, "expected" },
  { "$[?@ == [1]]", 9, "expected" }, { "$[?length(@.*) < 3]", 11, "only names and indices" },
  { "$[?length(@)]", 13, "the function's result must be compared" }, { "$[?count(1) == 1]", 10, "a query expected" },
  { "$[?count('a') == 1]", 10, "a query expected" }, { "$[?match(@.a, 'a.*') == true]", 4, "not a logical expression" },
  { "$[?value(@..color)]", 19, "must be compared" }, { "$[?value(1) == 1]", 10, "a query expected" },
  { "$[?foo(@.a)]", 4, "unknown function" }, { "$[?length (@) == 1]", 4, "expected" }, { "$[?length() == 1]", 11, "another argument" },
  { "$[?match(@.a)]", 13, "another argument" }, { "$[?length(@,@) == 1]", 12, "fewer arguments" },
  { "$[?match(@.a,'a','b')]", 17, "fewer arguments" }, { "$[?match(match(@,'a'),'b')]", 10, "not a logical expression" },
  { "$[?count(@.a == 1) == 1]", 14, "')' expected" }, { "$[?((@.a)]", 10, "')' or an operator" }, { "$[?@.a)]", 7, "',' or ']'" },
  { "$['a'", 2, "'[' without ']'" }, { "$.a]", 4, "a segment expected" }, { "$\0", 2, "a segment expected" },
}

function TestQueryErrors:test_wrong_queries()
  for _, case in ipairs(WRONG) do
    local what = ("%q"):format(case[1])
    local nothing, message, byte = safe.query(case[1])
    same(nothing, nil, what)
    T.contains(message, "not a JSONPath query: ")
    if not message:find(case[3], 1, true) then lu.fail(what .. ": " .. message) end
    same(byte.byte, case[2], what .. ": " .. message)
    T.contains(message, " at byte " .. byte.byte)
    T.raises_ending(message, query, case[1])
  end
end

-- Every prefix of a query is a query or has an error within it; and so is every query with one byte changed.
function TestQueryErrors:test_damaged_queries()
  local whole = "$..book[?@.price < 10 && !(match(@.title, 'a[^b]*') || length(@['x\\u0061']) >= 2.5e1)][::-2, 'q', *].n"
  same(#query(whole) { 1 }, 0)
  for i = 0, #whole do
    for _, byte in ipairs { "", "\0", "'", '"', "[", "]", "(", ")", "$", "?", "\255", "0", "-", "\\" } do
      local text = whole:sub(1, i) .. byte .. (byte == "" and "" or whole:sub(i + 2))
      local q, message, at = safe.query(text)
      if not q then
        lu.assertIsString(message)
        lu.assertTrue(at.byte >= 1 and at.byte <= #text + 1)
      end
    end
  end
end

function TestQueryErrors:test_arguments()
  for _, codec in ipairs { fleece, safe } do
    T.raises_with("bad argument #1 to 'query' (string expected", codec.query, {})
    T.raises_with("unknown option 'max_step'", codec.query, "$", { max_step = 1 })
    T.raises_with("max_steps", codec.query, "$", { max_steps = 0 })
    local q = codec.query "$"
    T.raises_with("bad argument #1 to 'query' (table, text or view expected, got nil)", q)
    T.raises_with("(table, text or view expected, got function)", q, print)
    T.raises_with("(table, text or view expected", q, fleece.open(fleece.from_json "[1]"):mutable())
    T.raises_with("(table, text or view expected, got nil)", function() q:paths(nil) end)
    T.raises_with("query expected", q.each, 5, 6)
    T.raises_with("query expected", q.paths)
  end
  T.raises_with("expected ',' or ']'", query "$", "[1 2]")
  local nothing, message, byte = safe.query "$" "[1 2]"
  same(nothing, nil)
  T.contains(message, "byte 4")
  same(byte.byte, 4)
  same(safe.query "$":each "[", nil)
  same(safe.query "$":paths "[", nil)
  T.raises_with("the document is closed", function()
    local doc = fleece.open(fleece.from_json "[1]")
    local q = query "$"
    doc:close()
    q(doc)
  end)
end

-- ---- limits -----------------------------------------------------------------------------------------------------------

function TestQueryErrors:test_nested_queries()
  local function nested(n) return "$[?" .. ("("):rep(n) .. "@" .. (")"):rep(n) .. "]" end
  same(#query(nested(60)) { 1 }, 1)
  same(#query("$" .. ("[?@"):rep(64) .. ("]"):rep(64))(T.nested(65, 1)), 1)
  T.raises_with("nested too deep", query, nested(70))
  T.raises_with("nested too deep", query, nested(20000))
  T.raises_with("nested too deep", query, "$" .. ("[?@"):rep(10000))
  T.raises_with("nested too deep", query, "$[?" .. ("length("):rep(9000))
  T.raises_with("too long", query, "$" .. (".a"):rep(40000))
  same(#query("$" .. (".a"):rep(30000)) { a = 1 }, 0)
  same(#query("$[?" .. ("@.a||"):rep(10000) .. "@]") { 1 }, 1)
  same(#query("$[" .. ("0,"):rep(30000) .. "0]") { 1 }, 30001)
end

function TestQueryErrors:test_steps()
  local deep = T.nested(900, 1)
  local doubling = "$" .. ("[*,*]"):rep(60)
  T.raises_with("more than 1000000 steps; option 'max_steps'", query("$..*..*..*", { max_steps = 1000000 }), deep)
  T.raises_with("more than 1000000 steps", query(doubling, { max_steps = 1000000 }), deep)
  T.raises_with("more than 1000000 steps", query(doubling, { max_steps = 1000000 }), fleece.encode(deep))
  T.raises_with("more than 1000000 steps", query(doubling, { max_steps = 1000000 }), fleece.lazy(fleece.encode(deep)))
  local nothing, message = safe.query(doubling, { max_steps = 1000 })(deep)
  same(nothing, nil)
  T.contains(message, "more than 1000 steps")
  -- a part of a filter that begins with $ is evaluated once
  local many = {}
  for i = 1, 3000 do many[i] = i end
  same(#query("$[?count($..*) == 3000 && @ <= count($[*])]", { max_steps = 50000 })(many), 3000)
  same(#query("$[?@ == $[2999]]", { max_steps = 50000 })(many), 1)
end

function TestQueryErrors:test_deep_and_endless_values()
  local ring = {}
  ring.ring = ring
  T.raises_with("table contains itself at .ring", query "$..x", ring)
  T.raises_with("table contains itself at .ring", query "$[?@..x]", ring)
  same(#query "$.ring.ring.ring"(ring), 1)
  local other = {}
  other.ring = other
  T.raises_with("table contains itself at [1].", query "$[?@.a == @.b]", { { a = ring, b = other } })
  same(#query "$..*"(T.nested(900, 1)), 900)
  T.raises_with("nested deeper than", query "$..*", T.nested(2000, 1))
  same(#query("$..*", { max_depth = 2500 })(T.nested(2000, 1)), 2000)
end

function TestQueryErrors:test_linear()
  local function many(n)
    local list = {}
    for i = 1, n do list[i] = { name = "x" .. i, tags = { i, i + 1 } } end
    return list
  end
  local few, most = many(4000), many(32000) -- neither fits a cache
  for _, text in ipairs { "$..name", "$[?@.tags[1] > 5].name", "$[?match(@.name, 'x[0-9]*5')]", "$[::-2]", "$[*]['name','tags']" } do
    local q = query(text)
    T.linear(function(value)
      local start = os.clock()
      for _ = 1, 2 do q(value) end
      return os.clock() - start
    end, few, most, 30)
  end
end

-- ---- I-Regexp -------------------------------------------------------------------------------------------------------

local function matches(pattern, text, name)
  local by_literal = #query("$[?" .. (name or "match") .. "(@, " .. fleece.encode(pattern) .. ")]") { text } == 1
  local by_value = #query("$.a[?" .. (name or "match") .. "(@, $.p)]") { a = { text }, p = pattern } == 1
  same(by_value, by_literal, pattern)
  return by_literal
end

function TestQueryErrors:test_iregexp()
  local yes = {
    { "", "" }, { "a|b", "b" }, { "(a|b)*c", "ababc" }, { "a{2}", "aa" }, { "a{2,}", "aaaa" }, { "a{1,2}", "a" }, { "a+", "aaa" },
    { "a?b", "b" }, { ".", "\226\128\168" }, { "[a-c]", "b" }, { "[^a-c]", "d" }, { "[-a]", "-" }, { "[a-]", "-" }, { "[^-]", "a" },
    { "\\.\\*\\\\\\-\\^", ".*\\-^" }, { "\\n\\r\\t", "\n\r\t" }, { "[\\]\\[]+", "[]" }, { "\\p{L}+", "a\195\169\208\182" },
    { "\\p{Lu}", "\208\150" }, { "\\P{Lu}", "\208\182" }, { "[\\p{Nd}x]+", "1x\217\163" }, { "[\\P{L}]", "1" }, { "\\p{Sm}", "+" },
    { "\\p{Zs}", " " }, { "\\p{Cn}", "\205\184" }, { "\\p{Co}", "\238\128\128" }, { "[^\\p{L}]", "5" }, { "\\p{So}", "\240\159\152\128" },
    { "a.c", "a\240\144\132\129c" }, { "^a$", "a" }, { "[$^]+", "$^" }, { "-,", "-," }, { "\\{\\}", "{}" },
  }
  for _, case in ipairs(yes) do
    if not matches(case[1], case[2]) then lu.fail(case[1] .. " does not match " .. case[2]) end
  end
  local no = {
    { "a", "ab" }, { "a|b", "ab" }, { ".", "\n" }, { ".", "\r" }, { "[a-c]", "d" }, { "a{2}", "aaa" }, { "\\p{Lu}", "a" }, { "", "a" },
    { "\\P{L}", "a" }, { "\\p{Nd}", "\194\189" }, { "[^a]", "" },
    -- not in the syntax of RFC 9485, section 4
    { "\\d", "1" }, { "\\w", "a" }, { "\\s", " " }, { "(?:a)", "a" }, { "a*?", "a" }, { "a{,2}", "a" }, { "(a", "a" }, { "a)", "a" }, { "[a", "a" },
    { "a**", "a" }, { "*", "" }, { "{", "{" }, { "}", "}" }, { "]", "]" }, { "[]", "" }, { "[b-a]", "a" }, { "\\p{Xx}", "a" }, { "\\pL", "a" }, { "\\p{Cs}", "a" },
    { "\\x41", "A" }, { "\\", "\\" }, { "[\\d]", "1" }, { "\\p{L", "a" }, { "[a-\\p{L}]", "a" }, { "a{2,1}", "a" }, { "\\u0041", "A" }, { "[[a]]", "a" },
  }
  for _, case in ipairs(no) do
    if matches(case[1], case[2]) then lu.fail(case[1] .. " matches " .. case[2]) end
  end
  lu.assertTrue(matches("b", "abc", "search"))
  lu.assertTrue(matches("^b|c$", "abc", "search"))
  lu.assertFalse(matches("^b", "abc", "search"))
end

function TestQueryErrors:test_long_iregexps()
  T.raises_with("too large", query, "$[?match(@, '" .. ("a{1000}"):rep(100) .. "')]")
  T.raises_with("too large", query, "$[?match(@, '" .. ("("):rep(300) .. (")"):rep(300) .. "')]")
  T.raises_with("too large", query "$.a[?match(@, $.p)]", { a = { "a" }, p = ("a{1000}"):rep(100) })
  T.soon(20, function() same(#query "$[?match(@, '(a*)*(a|aa)+(.*)*b')]" { ("a"):rep(100000) }, 0) end)
end
