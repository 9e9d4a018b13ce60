-- SPDX-License-Identifier: MIT
-- test_tokens.lua -- fleece.tokens: the tokens of a text. Expected tokens are written by hand; decode tells what is an
-- error, and format what a text becomes that is built from its tokens.
-- runs: in one layout

local T = require "support"
local lu, fleece, safe = T.lu, T.fleece, T.safe

TestTokens = {}

-- A source that gives a text in pieces of this size.
local function pieces(text, size)
  local at = 1 - size
  return function()
    at = at + size
    if at <= #text then return text:sub(at, at + size - 1) end
  end
end

-- All tokens as a text: "kind value depth digits;".
local function list(source, options)
  local parts = {}
  for kind, value, depth, digits in fleece.tokens(source, options) do
    if type(value) == "number" then value = ("%.17g"):format(value) end
    parts[#parts + 1] = ("%s %s %d %s"):format(kind, tostring(value), depth, tostring(digits))
  end
  return table.concat(parts, ";")
end

local function clean(message) return (tostring(message):gsub("^[^:]*:%d+: ", "")) end

-- The text that a builder makes from the tokens of a text.
local function rebuild(source, options, of_builder)
  local b = fleece.builder(nil, of_builder)
  for kind, value, _, digits in fleece.tokens(source, options) do
    if kind == "number" then b:number(value, digits)
    elseif kind == "end" then b:close()
    elseif kind == "key" or kind == "string" or kind == "boolean" then b[kind](b, value)
    else b[kind](b) end
  end
  return b:finish()
end

function TestTokens:test_kinds()
  local text = ' {"a" : [1, 2.50, "x\\n\\u00e9", true, false, null, {}, []], "b" : -0 }\n'
  local wanted = "object nil 0 nil;key a 1 nil;array nil 1 nil;number 1 2 1;number 2.5 2 2.50;string x\n\195\169 2 nil;" ..
    "boolean true 2 nil;boolean false 2 nil;null nil 2 nil;object nil 2 nil;end nil 2 nil;array nil 2 nil;end nil 2 nil;" ..
    "end nil 1 nil;key b 1 nil;number -0 1 -0;end nil 0 nil"
  if fleece.encode(fleece.decode "-0") == "0" then wanted = wanted:gsub("number %-0 ", "number 0 ") end
  T.same(list(text), wanted)
  for size = 1, #text do T.same(list(pieces(text, size)), wanted, size) end
  T.same(list "1", "number 1 0 1")
  T.same(list ' "" ', "string  0 nil")
  T.same(list "[]", "array nil 0 nil;end nil 0 nil")
end

function TestTokens:test_numbers()
  local values = {}
  for _, value in fleece.tokens "[1,-1,1.0,1e2,9007199254740993,123456789012345678901234567890,1e400,-1e400]" do
    values[#values + 1] = { value }
  end
  T.same(values[2][1], fleece.decode "1")
  T.same(values[4][1], fleece.decode "1.0")
  T.same(values[5][1], fleece.decode "1e2")
  T.same(values[6][1], fleece.decode "9007199254740993")
  T.same(values[7][1], 123456789012345678901234567890)
  T.same(values[8][1], nil)
  T.same(list "1e400", "number nil 0 1e400")
  T.same(list("[12,0.5]", { digits = false }), "array nil 0 nil;number 12 1 nil;number 0.5 1 nil;end nil 0 nil")
end

-- A file, also one that is written while it is read, and from its current place.
function TestTokens:test_file()
  local path = os.tmpname()
  T.write_file(path, 'x[1,{"a":"' .. ("long"):rep(50000) .. '"}]')
  local file = assert(io.open(path, "rb"))
  file:seek("set", 1)
  T.same(rebuild(file), '[1,{"a":"' .. ("long"):rep(50000) .. '"}]')
  file:close()
  T.raises_with("closed file", fleece.tokens, file)
  os.remove(path)
end

local texts = {
  "[]", "{}", "[[[[]]]]", '{"":{"":{}}}', "[1,2.0,3e0,-0,0.0]", '"\\"\\\\\\b\\f\\n\\r\\t"', "1e400", "null", "true", "false",
  '{"a":1,"a":2}', '["é","日本","😀","\\u0000","\\u001f"]', '{"\\n":"\\u0001"}', "[1e5,1E5,1e+5,1.5e-7,123456789012345678901]",
  "[" .. ("[1,2],"):rep(2000) .. "null]", "{" .. ('"name":"value",'):rep(1000) .. '"x":{}}', '["' .. ("é\\n"):rep(5000) .. '"]',
  ("["):rep(1000) .. ("]"):rep(1000), ('{"a":'):rep(999) .. "0" .. ("}"):rep(999),
}

function TestTokens:test_builder_equals_format()
  T.each(texts, function(text)
    for _, options in ipairs { {}, { indent = 2 }, { indent = "\t", width = 30 }, { indent = 1, width = 100 } } do
      local wanted = fleece.format(text, options)
      T.same(rebuild(text, nil, options), wanted)
      T.same(rebuild(pieces(text, 1000), nil, options), wanted)
      if #text < 3000 then for size = 1, 17 do T.same(rebuild(pieces(text, size), nil, options), wanted, size) end end
    end
  end)
end

-- What decode refuses is refused at the same place, in pieces too, after the tokens before it.
function TestTokens:test_errors()
  local wrong = {
    "", " ", "[1,2", "[1,]", "{,}", '{"a"}', '{"a":}', '{"a":1,}', "[1 2]", "01", "-", "1.", "1e", "+1", ".5", "tru", "nul", "[true]]",
    "1 2", "[] []", '"\\x"', '"\\ud800"', '"\1"', '"\255"', '{"\255":1}', "[1e]", '{"a" 1}', '{1:2}', "\239\187\191[]", "[\30]", "\30[]",
    ("["):rep(1001), "['x']", "// c\n1", "NaN", '{"a":"x\n"}', '["abc', "]", "}", '{"a":[1,{"b":x}]}',
  }
  T.each(wrong, function(text)
    local message = clean(T.error_of(fleece.decode, text))
    T.same(clean(T.error_of(list, text)), message)
    for _, size in ipairs { 1, 2, 3, 7 } do
      local got = clean(T.error_of(list, pieces(text, size)))
      T.same((got:gsub(" near .*", "")), (message:gsub(" near .*", "")), "in pieces of " .. size)
    end
  end)
  local seen = {}
  T.raises_with("expected a value at line 1, column 6, byte 6", function()
    for kind in fleece.tokens "[1,2,x]" do seen[#seen + 1] = kind end
  end)
  T.same(table.concat(seen, " "), "array number number")
end

function TestTokens:test_safe()
  local next_token = T.nexts(safe.tokens "[1,x]")
  T.same(next_token(), "array")
  T.same(next_token(), "number")
  local kind, message, byte = next_token()
  T.same(kind, nil)
  T.contains(message, "expected a value at line 1, column 4")
  T.equal(byte, { kind = "syntax", byte = 4, line = 1, column = 4 })
  T.same(next_token(), nil) -- it stays at its end
  T.same(select("#", next_token()), 1)
end

-- The options of the grammar, those of fleece.new too.
function TestTokens:test_lenient()
  local json5 = "{a: 'it\\'s', /* x */ \"b\": [+1, 0x10, .5, -Infinity, 10, -2.50, 0,], c: NaN} // end"
  local wanted = "object nil 0 nil;key a 1 nil;string it's 1 nil;key b 1 nil;array nil 1 nil;number 1 2 nil;number 16 2 nil;" ..
    "number 0.5 2 nil;number -inf 2 nil;number 10 2 10;number -2.5 2 -2.50;number 0 2 0;end nil 1 nil;key c 1 nil;" ..
    "number nan 1 nil;end nil 0 nil"
  local function normal(text) return (text:gsub("%-nan", "nan"):gsub("1%.%#INF", "inf"):gsub("%-?1%.%#%a+", "nan")) end
  T.same(normal(list(json5, { json5 = true })), wanted)
  for size = 1, 40 do T.same(normal(list(pieces(json5, size), { json5 = true })), wanted, size) end
  local codec = fleece.new { comments = true, trailing_commas = true, max_depth = 2 }
  local n = 0
  for _ in codec.tokens "[1,/* two */[],]" do n = n + 1 end
  T.same(n, 5)
  T.raises_with("nesting too deep", function() for _ in codec.tokens "[[[]]]" do end end)
  T.same(list('"\255"', { invalid_utf8 = "replace" }), "string \239\191\189 0 nil")
  T.same(list('"\255"', { invalid_utf8 = "pass" }), "string \255 0 nil")
  T.raises_with("text too long at line 1, column 4", list, "[1,2]", { max_bytes = 3 })
  T.raises_with("text too long at line 1, column 4", list, pieces("[1,2]", 1), { max_bytes = 3 })
  T.same(list("[]", { max_bytes = 2 }), "array nil 0 nil;end nil 0 nil")
end

function TestTokens:test_arguments()
  T.raises_with("bad argument #1 to 'tokens' (a string, a file or a function expected, got nil)", fleece.tokens, nil)
  T.raises_with("bad argument #1 to 'tokens' (a string, a file or a function expected, got table)", fleece.tokens, {}, {})
  T.raises_with("option 'indent' has no effect here", fleece.tokens, "1", { indent = 2 })
  T.raises_with("option 'digits' must be true or false", fleece.tokens, "1", { digits = 1 })
  T.raises_with("the source returned a table", list, function() return {} end)
  local thrown = {}
  T.same(T.error_of(list, function() error(thrown) end), thrown)
end

-- Each step of the iterator may be in another coroutine, and other calls may come between.
function TestTokens:test_between()
  local text = '[{"a":"x\\ny"},"\\u00e9",1.25,"x\\ny"]'
  local step, parts = fleece.tokens(pieces(text, 3)), {}
  while true do
    local kind, value = coroutine.wrap(function()
      collectgarbage()
      fleece.decode '["\\n",{"q":1}]'
      return step()
    end)()
    if not kind then break end
    parts[#parts + 1] = kind .. " " .. tostring(value)
  end
  T.same(table.concat(parts, ";"),
    "array nil;object nil;key a;string x\ny;end nil;string \195\169;number 1.25;string x\ny;end nil")
end

-- The same strings again and again, others of the same length, and long ones.
function TestTokens:test_names()
  local parts, wanted = {}, {}
  for i = 1, 3000 do
    local name = ("n"):rep(i % 45) .. (i % 7 == 0 and tostring(i) or "")
    parts[i] = fleece.encode(name)
    wanted[i] = name
  end
  local i = 0
  for kind, value in fleece.tokens("[" .. table.concat(parts, ",") .. "]") do
    if kind == "string" then
      i = i + 1
      T.same(value, wanted[i])
    end
  end
  T.same(i, 3000)
  local names = {}
  for kind, value in fleece.tokens("{" .. table.concat(parts, ":0,") .. ":0}") do
    if kind == "key" then names[#names + 1] = value end
  end
  lu.assertEquals(names, wanted)
end

-- A text of any size: memory does not grow with it, nor time with the length of one token in many pieces.
function TestTokens:test_memory()
  local n, row = 0, ('{"id":12345,"name":"somebody","tags":["a","b"]},'):rep(200)
  local function source()
    n = n + 1
    if n == 1 then return "[" elseif n <= 100 then return row elseif n == 101 then return "0]" end
  end
  collectgarbage()
  collectgarbage()
  local before, most, count = collectgarbage "count", 0, 0
  for _ in fleece.tokens(source) do
    count = count + 1
    if count % 10000 == 0 then
      collectgarbage()
      most = math.max(most, collectgarbage "count")
    end
  end
  T.same(count, 2 + 1 + 99 * 200 * 11)
  lu.assertTrue(most - before < 500, most - before)
  local long = '"' .. ("x"):rep(300000) .. '"'
  local start = os.clock()
  T.same(#list(pieces(long, 3)), #long + #"string  0 nil" - 2)
  lu.assertTrue(os.clock() - start < 20)
end
