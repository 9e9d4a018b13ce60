-- SPDX-License-Identifier: MIT
-- test_diff_texts.lua -- json_diff and merge_diff of texts, of which what has the same bytes in both is left out: the
-- result is the same as if it were not. A text in which all strings and numbers are written in another way has nothing
-- that is left out.
-- runs: in one layout

local T = require "support"
local lu, fleece, same, each, random = T.lu, T.fleece, T.same, T.each, T.random

TestDiffTexts = {}

-- The same value with each string and number written in another way.
local function spelled(text)
  local out, at = {}, 1
  while at <= #text do
    local token = text:match('^"[^"\\]*"', at) or text:match("^-?%d[%d.eE+-]*", at) or text:sub(at, at)
    if token == '"' then
      local close = at + 1
      while text:sub(close, close) ~= '"' do close = close + (text:sub(close, close) == "\\" and 2 or 1) end
      token = text:sub(at, close)
    end
    at = at + #token
    if token:sub(1, 1) == '"' then
      local s = fleece.decode(token):gsub("[%z\1-\127]", function(c) return ("\\u%04x"):format(c:byte()) end)
      token = '"' .. s .. '"'
    elseif token:find "%d" then
      token = token .. (token:find "[eE]" and "" or token:find "%." and "e0" or ".0")
    end
    out[#out + 1] = token
  end
  return table.concat(out)
end

-- Returns the text or the message, without the position.
local function call(f, a, b, options)
  local ok, result = pcall(f, a, b, options)
  return ok and result or "error: " .. tostring(result):gsub(" at .*", "")
end

-- All ways to write both texts give the same.
local function check(a, b)
  local texts = { { a, b }, { fleece.format(a, { indent = 2 }), fleece.format(b, { indent = 1 }) } }
  texts[3] = { spelled(a), b }
  texts[4] = { spelled(texts[2][1]), texts[2][2] }
  local list, merge = call(fleece.json_diff, a, b), call(fleece.merge_diff, a, b)
  local tested = call(fleece.json_diff, a, b, { test = true })
  for i = 2, 4 do
    same(call(fleece.json_diff, texts[i][1], texts[i][2]), list)
    same(call(fleece.merge_diff, texts[i][1], texts[i][2]), merge)
    if i == 2 then same(call(fleece.json_diff, texts[i][1], texts[i][2], { test = true }), tested) end
  end
  return list, merge
end

local LONG = '"a text that is long enough, so that nothing around it is replaced"'

function TestDiffTexts:test_left_out()
  each({
    { '{"a":1,"b":%s,"c":{"d":[1,2],"e":1}}', '{"a":1,"b":%s,"c":{"d":[1,2],"e":2}}',
      '[{"op":"replace","path":"/c/e","value":2}]', '{"c":{"e":2}}' },
    { "[1,2,3,4,%s,5,6]", "[1,2,3,4,%s,7,6]", '[{"op":"replace","path":"/5","value":7}]', "[1,2,3,4,%s,7,6]" },
    { "[1,2,3,%s,5,6]", "[1,2,3,%s,6]", '[{"op":"remove","path":"/4"}]', "[1,2,3,%s,6]" },
    { '{"a":[1,2,3,%s,6]}', '{"a":[1,2,3,%s,5,6]}', '[{"op":"add","path":"/a/4","value":5}]', '{"a":[1,2,3,%s,5,6]}' },
    { '[%s,{"a":[1,[2]]}]', '[%s,{"a":[1,[3]]}]', '[{"op":"replace","path":"/1/a/1/0","value":3}]', '[%s,{"a":[1,[3]]}]' },
    { '{"a":1,"b":2,"c":%s}', '{"c":%s,"a":1,"d":4}', '[{"op":"remove","path":"/b"},{"op":"add","path":"/d","value":4}]',
      '{"b":null,"d":4}' },
    { '{"a":%s,"b":{"x":1}}', '{"b":{"x":1},"a":%s}', "[]", "{}" },
    { '{"a":%s,"b":{"x":1}}', '{"a":%s,"b":{"x":1,"y":[]}}', '[{"op":"add","path":"/b/y","value":[]}]', '{"b":{"y":[]}}' },
    { '{"a":%s,"\\u0062":[]}', '{"a":%s,"b":[]}', "[]", "{}" },
    { '{"a":%s,"\\u0062":1,"n":0}', '{"a":%s,"b":2,"n":-0}', '[{"op":"replace","path":"/b","value":2}]', '{"b":2}' },
    { '{"a":%s}', '{"a":%s}', "[]", "{}" },
    { "[]", "[%s]", '[{"op":"add","path":"/0","value":%s}]', "[%s]" },
    { "[%s,12]", "[%s,123]", '[{"op":"replace","path":"/1","value":123}]', "[%s,123]" },
    { "{}", "[]", '[{"op":"replace","path":"","value":[]}]', "[]" },
    { '{"a":null,"b":%s}', '{"b":%s,"a":null}', "[]", "{}" },
  }, function(case)
    for i = 1, 4 do case[i] = case[i]:gsub("%%s", LONG) end
    local list, merge = check(case[1], case[2])
    same(list, case[3])
    same(merge, case[4])
  end)
end

-- Of equal items those at the beginning are kept, however they are written.
function TestDiffTexts:test_equal_items()
  for _, texts in ipairs { { '["a b","a b"]', '["\\u0061 b"]' }, { "[7,1,1.0,2]", "[7,1.0,2]" }, { "[[1],[1.0]]", "[[1.0]]" } } do
    local list = check(texts[1], texts[2])
    same(fleece.decode(list)[1].path, texts[1]:find "7" and "/2" or "/1")
  end
end

function TestDiffTexts:test_duplicates()
  each({
    { '{"a":{"x":1,"x":2},"b":1}', '{"a":{"x":1,"x":2},"b":2}', "first" },
    { '[[{"x":1,"\\u0078":2}],1]', '[[{"x":1,"\\u0078":2}],2]', "first" },
    { '{"a":1,"a":1}', '{"a":1,"a":1}', "first" },
    { '{"a":1,"b":1}', '{"a":1,"b":1,"a":1}', "second" },
    { '{"a":1,"b":[2]}', '{"a":1,"b":[{"c":1,"c":2}]}', "second" },
    { '[3,[{"x":1,"x":2}]]', '[4,[{"x":1,"x":2}]]', "first" },
  }, function(case)
    for _, f in ipairs { fleece.json_diff, fleece.merge_diff } do
      T.raises_with(case[3] .. " argument: duplicate name", f, case[1], case[2])
    end
  end)
end

local NAMES = { "a", "b", "c", "/", "~1", "", "0", 'q"\\', "\n", "é", "a longer name" }
local STRINGS = { "x", "y", "a/b", "", " { } , \" : ", ("long"):rep(20) }

local function value(depth)
  local kind = random(1, depth > 0 and 8 or 5)
  if kind <= 2 then return random(0, 12) end
  if kind == 3 then return T.pick(STRINGS) end
  if kind == 4 then return random(1, 2) == 1 end
  if kind == 5 then return random(1, 3) / 2 end
  local t, n = kind == 6 and fleece.array {} or fleece.object {}, random(1, 10) == 1 and 50 or 6
  for i = 1, random(0, n) do t[kind == 6 and i or n > 6 and "m" .. random(1, 70) or T.pick(NAMES)] = value(depth - 1) end
  return t
end

-- A copy of which about one value of `rarely` differs.
local function changed(v, rarely)
  if random(1, rarely) == 1 then return value(1) end
  if type(v) ~= "table" then return v end
  local is_array = getmetatable(v) == fleece.array_mt
  local t, n = is_array and fleece.array {} or fleece.object {}, 0
  for k, child in pairs(v) do
    local what = random(1, 2 * rarely)
    if what == 1 then n = n + 1 t[is_array and n or T.pick(NAMES)] = value(1) end
    if what ~= 2 then n = n + 1 t[is_array and n or k] = changed(child, rarely) end
  end
  return t
end

function TestDiffTexts:test_random()
  T.random_rounds(800, function()
    local a = value(4)
    local b = changed(a, T.pick { 3, 10, 40 })
    check(fleece.encode(a), fleece.encode(b, { sort_keys = random(1, 4) == 1 }))
  end)
end

-- However deep or long texts are, the time is linear.
function TestDiffTexts:test_long()
  local n = 20000
  local function deep(inner, outer) return ('{"a":1, "b":'):rep(n) .. inner .. (',"c":[' .. outer .. "] }"):rep(n) end
  local codec = fleece.new { max_depth = n + 9 }
  for _, pair in ipairs { { "[1]", "", "[2]", "" }, { "[1]", "", "[2]", "2" }, { "[1]", "1", "[11]", "" } } do
    local a, b = deep(pair[1], pair[2]), deep(pair[3], pair[4])
    same(codec.merge_diff(a, b):sub(1, 10), '{"b":{"b":')
    same(codec.json_diff(codec.json_patch(a, codec.json_diff(a, b)), b), "[]")
  end
  local names, turned = {}, {}
  for i = 1, n do names[i] = '"' .. i .. '":[' .. i .. "]" turned[n + 1 - i] = names[i] end
  turned[7] = '"new":[]'
  local a, b = "{" .. table.concat(names, ",") .. "}", "{" .. table.concat(turned, ",") .. "}"
  same(fleece.merge_diff(a, b), '{"' .. n - 6 .. '":null,"new":[]}')
end
