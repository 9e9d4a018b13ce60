-- SPDX-License-Identifier: MIT
-- test_items.lua -- items: the values of a list inside a document that is read in pieces, compared with a slow model
-- that has the whole document.

local T = require "support"
local D, R, model = require "decoding", require "random_text", require "model"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random
local collect = D.collect_items

TestItems = {}

-- Ways to read a text; the slow one is used only sometimes.
local function sources(text)
  local list = {
    function() return text end,
    function() return T.pieces(text, 1) end,
    function() return T.pieces(text, T.between(1, 9)) end,
    function() return T.pieces(text, T.between(1, 60)) end,
  }
  if random(1, 10) == 1 then list[#list + 1] = function() return T.open_with(text) end end
  return list
end

-- Each way to read the text must give these items, then an error with this message, or none.
local function yields(case)
  local text = case.text
  for i, source in ipairs(sources(text)) do
    for _, codec in ipairs(T.codecs) do
      local found, err = collect(codec, source(), case.pointer, case.options)
      same(found, case.items, i .. ": " .. text)
      if case.message then
        T.contains(err, case.message)
      elseif err then
        lu.fail(i .. ": " .. text .. ": " .. err)
      end
    end
  end
end

local NOWHERE, NO_LIST = "nothing at the pointer", "no array or object at the pointer"

function TestItems:test_lists()
  T.each({
    { text = "[]", pointer = "", items = "" },
    { text = "{}", pointer = "", items = "" },
    { text = '[1,"two",[3],{"four":5},null,true,-1.5]', pointer = "",
      items = '1@2=1 "two"@4=2 [3]@10=3 {"four":5}@14=4 null@25=5 true@30=6 -1.5@35=7' },
    { text = ' [ 1 , 2\n]\n', pointer = "", items = "1@4=1 2@8=2" },
    { text = '{"a":1,"b\\u0063":[2],"":3}', pointer = "", items = "1@6=.a [2]@18=.bc 3@25=." },
    { text = '{"x":[9],"a":{"b":[1,2]},"y":{"a":{"b":[3]}}}', pointer = "/a/b", items = "1@20=1 2@22=2" },
    { text = '{"a":[[1],{"b":[2,3]},[4]]}', pointer = "/a/1/b", items = "2@17=1 3@19=2" },
    { text = '[[0,1],[2,3],[4,5]]', pointer = "/0", items = "0@3=1 1@5=2" },
    { text = '[[0,1],[2,3],[4,5]]', pointer = "/2", items = "4@15=1 5@17=2" },
    { text = '[7,"x",[],[4]]', pointer = "/3", items = "4@12=1" },
    { text = '{"0":[1],"00":[2]}', pointer = "/00", items = "2@16=1" },
    { text = '{"a/b":{"m~n":[1]},"":[2]}', pointer = "/a~1b/m~0n", items = "1@16=1" },
    { text = '{"a/b":{"m~n":[1]},"":[2]}', pointer = "/", items = "2@24=1" },
    { text = '{"é":[1]}', pointer = "/é", items = "1@8=1" },
    { text = '{"\\u00e9\\ud83d\\ude00":[1]}', pointer = "/é😀", items = "1@24=1" },
    { text = '[[],[{"a":1}],{"a":[[[1]]]}]', pointer = "/2/a/0", items = "[1]@22=1" },
    { text = '{"a":[[1],{"b":[2,3]},[4]]}', pointer = "a[1].b", items = "2@17=1 3@19=2" },
    { text = '{"a.b":{"c]":[1]},"":[2]}', pointer = "$['a.b'][\"c]\"]", items = "1@15=1" },
    { text = '[{"0":[7]},[[8]]]', pointer = "[1][0]", items = "8@14=1" },
    { text = '{"#/a":[1]}', pointer = "#/a", items = "1@9=1" },
    { text = '[1]', pointer = ".", items = "1@2=1" },
  }, yields)
  same(collect(fleece, "[1,2]"), "1@2=1 2@4=2")
  same(collect(fleece, "[1,2]", nil, { null = 1 }), "1@2=1 2@4=2")
end

-- The iteration goes through the list of each document of the source.
function TestItems:test_documents()
  T.each({
    { text = "", pointer = "/a", items = "" },
    { text = " \n\30", pointer = "/a", items = "" },
    { text = '{"a":[1]}{"b":0,"a":[2,3]}\n\n\30{"a":{"q":4}}', pointer = "/a", items = "1@7=1 2@22=1 3@24=2 4@40=.q" },
    { text = '[1][] [2]{"x":3}', pointer = "", items = "1@2=1 2@8=1 3@15=.x" },
    { text = '{"a":[1]} {"b":2}', pointer = "/a", items = "1@7=1",
      message = NOWHERE .. " at line 1, column 18, byte 18" },
    { text = '{"a":[1]}\n17', pointer = "/a", items = "1@7=1", message = NOWHERE .. " at line 2, column 3, byte 13" },
    { text = '{"a":[1]}\n17', pointer = "", items = '[1]@6=.a', message = NO_LIST .. " at line 2, column 1, byte 11" },
    { text = '\239\187\191[1] [2]', pointer = "", items = "1@5=1 2@9=1", options = { bom = true } },
  }, yields)
end

function TestItems:test_nowhere()
  T.each({
    { text = "{}", pointer = "/a" },
    { text = '{"b":[1]}', pointer = "/a" },
    { text = '{"a":{"b":1}}', pointer = "/a/c" },
    { text = "[[1]]", pointer = "/1" },
    { text = "[[1]]", pointer = "a" },
    { text = '{"0":[1]}', pointer = "[0]" },
    { text = "[[1]]", pointer = "/-" },
    { text = "[[1]]", pointer = "/00" },
    { text = "[[1]]", pointer = "/a" },
    { text = "[[1]]", pointer = "/4294967295" },
    { text = '{"a":1}', pointer = "/a/b" },
    { text = '{"a":1,"b":[[7]]}', pointer = "/a/0" },
    { text = '{"a":1,"b":{"b":[7]}}', pointer = "/a/b" },
    { text = '{"a":[1]}', pointer = "/a/0/b" },
    { text = "true", pointer = "/a" },
    { text = '["a",["a"],{"b":{"a":[1]}}]', pointer = "/a" },
    { text = "[{},[1]]", pointer = "/0/0" },
  }, function(case)
    yields { text = case.text, pointer = case.pointer, items = "", message = NOWHERE }
  end)
  T.each({
    { text = "17", pointer = "" },
    { text = '"x"', pointer = "" },
    { text = "null", pointer = "" },
    { text = '{"a":"text"}', pointer = "/a" },
    { text = '{"a":{"b":false}}', pointer = "/a/b" },
    { text = "[1,2.5,3]", pointer = "/1" },
    { text = "[1e999]", pointer = "/0" },
    { text = "[123456789012345678901234567890]", pointer = "/0" },
  }, function(case)
    yields { text = case.text, pointer = case.pointer, items = "", message = NO_LIST }
  end)
end

-- A duplicate name on the pointer's path is an error; elsewhere it is not.
function TestItems:test_duplicate_names()
  T.each({
    { text = '{"a":[1],"a":[2]}', pointer = "/a", items = "1@7=1",
      message = "duplicate name at line 1, column 10, byte 10" },
    { text = '{"a":0,"a":{"b":[2]}}', pointer = "/a/b", items = "",
      message = "duplicate name at line 1, column 8, byte 8" },
    { text = '{"a":{"b":[2]},"\\u0061":0}', pointer = "/a/b", items = "2@12=1",
      message = "duplicate name at line 1, column 16, byte 16" },
    { text = '{"a":{"b":{}},"c":{"b":1,"b":2},"c":3}', pointer = "/a/b", items = "" },
    { text = '{"a":[{"x":1,"x":2}]}', pointer = "/a", items = '{"x":2}@7=1' },
    { text = '{"a":{"x":1,"x":2}}', pointer = "/a", items = "1@11=.x 2@17=.x" },
    { text = '[{"a":[1]},{"a":[2]}]', pointer = "/0/a", items = "1@8=1" },
  }, yields)
end

-- The text before and after the list is checked too.
function TestItems:test_errors()
  T.each({
    { text = '{"x":tru,"a":[1]}', pointer = "/a", items = "",
      message = "expected a value at line 1, column 6, byte 6" },
    { text = '{"x":01,"a":[1]}', pointer = "/a", items = "", message = "invalid number at line 1, column 7, byte 7" },
    { text = '{"x":"\\q","a":[1]}', pointer = "/a", items = "",
      message = "invalid escape at line 1, column 7, byte 7" },
    { text = '{"x":"\255","a":[1]}', pointer = "/a", items = "",
      message = "invalid UTF-8 at line 1, column 7, byte 7" },
    { text = '{"x":"\\ud800","a":[1]}', pointer = "/a", items = "",
      message = "unpaired surrogate at line 1, column 7, byte 7" },
    { text = '{"x":"\1","a":[1]}', pointer = "/a", items = "",
      message = "control character in string at line 1, column 7, byte 7" },
    { text = '{"a":[1,2}', pointer = "/a", items = "1@7=1 2@9=2",
      message = "expected ',' or ']' at line 1, column 10, byte 10" },
    { text = '{"a":[1 2]}', pointer = "/a", items = "1@7=1",
      message = "expected ',' or ']' at line 1, column 9, byte 9" },
    { text = '{"a":[1,,2]}', pointer = "/a", items = "1@7=1",
      message = "expected a value at line 1, column 9, byte 9" },
    { text = '{"a":[,1]}', pointer = "/a", items = "", message = "expected a value at line 1, column 7, byte 7" },
    { text = '{"a":[1,]}', pointer = "/a", items = "1@7=1", message = "expected a value at line 1, column 9, byte 9" },
    { text = '{"a":{"b":1,}}', pointer = "/a", items = "1@11=.b",
      message = "expected a string as name at line 1, column 13, byte 13" },
    { text = '{"a":{"b":}}', pointer = "/a", items = "", message = "expected a value at line 1, column 11, byte 11" },
    { text = '{"a":{"b"}}', pointer = "/a", items = "", message = "expected ':' at line 1, column 10, byte 10" },
    { text = '{"a":{b:1}}', pointer = "/a", items = "",
      message = "expected a string as name at line 1, column 7, byte 7" },
    { text = '{"a":[1],"z":[1}}', pointer = "/a", items = "1@7=1",
      message = "expected ',' or ']' at line 1, column 16, byte 16" },
    { text = '{"a":[1]}}', pointer = "/a", items = "1@7=1",
      message = "expected a value at line 1, column 10, byte 10" },
    { text = '{"a":[1],\n"z":tru', pointer = "/a", items = "1@7=1",
      message = "expected a value at line 2, column 5, byte 15" },
    { text = '{"a":[1', pointer = "/a", items = "1@7=1", message = "unexpected end at line 1, column 8, byte 8" },
    { text = '{"a":[1,', pointer = "/a", items = "1@7=1", message = "unexpected end at line 1, column 9, byte 9" },
    { text = '{"a":[', pointer = "/a", items = "", message = "unexpected end at line 1, column 7, byte 7" },
    { text = '{"a":{"b":', pointer = "/a", items = "", message = "unexpected end at line 1, column 11, byte 11" },
    { text = '{"a":[1],"b":"x', pointer = "/a", items = "1@7=1",
      message = "unexpected end at line 1, column 16, byte 16" },
    { text = '{"a":["x', pointer = "/a", items = "", message = "unexpected end at line 1, column 9, byte 9" },
    { text = '{"a":[1]', pointer = "/a", items = "1@7=1", message = "unexpected end at line 1, column 9, byte 9" },
    { text = '\239\187\191[1]', pointer = "", items = "", message = "byte order mark at line 1, column 1, byte 1" },
    { text = "[1] // x", pointer = "", items = "1@2=1", message = "expected a value at line 1, column 5, byte 5" },
    { text = "[1e999]", pointer = "", items = "", message = "number too large at line 1, column 2, byte 2" },
    { text = "[\30[]]", pointer = "", items = "", message = "expected a value at line 1, column 2, byte 2" },
    { text = "[1\30,[]]", pointer = "", items = "1@2=1", message = "expected ',' or ']' at line 1, column 3, byte 3" },
    { text = "[1,\30 2]", pointer = "", items = "1@2=1", message = "expected a value at line 1, column 4, byte 4" },
  }, yields)
end

function TestItems:test_lenient()
  T.each({
    { text = '// [\n{"x":[], /*"a":[*/ "a" /**/ : /**/ [ /*1*/ 1 /*,*/, // 2\n 3]} // end', pointer = "/a",
      items = "1@49=1 3@64=2", options = { comments = true } },
    { text = "/* */ ", pointer = "/a", items = "", options = { comments = true } },
    { text = "/* */\30//\n\30[1]//[\n\30/**/[2]", pointer = "", items = "1@12=1 2@24=1",
      options = { comments = true } },
    { text = "/* *", pointer = "/a", items = "", message = "unterminated comment", options = { comments = true } },
    { text = "{\"x\":1,\"a\":[1,],}", pointer = "/a", items = "1@13=1", options = { trailing_commas = true } },
    { text = "{x:0x1F,'a\\'b':{q:.5,'r':+1,},}\f\194\160// ", pointer = "/a'b", items = "0.5@19=.q 1@26=.r",
      options = { json5 = true } },
    { text = "{a:[NaN,'\\x41',\"x\"]}", pointer = "/a", items = 'null@5=1 "A"@9=2 "x"@16=3',
      options = { json5 = true, invalid_numbers = "null" } },
    { text = '{"a":["\255"],"b":"\255"}', pointer = "/a", items = '"\239\191\189"@7=1',
      options = { invalid_utf8 = "replace" } },
    { text = '[1,/**/]', pointer = "", items = "1@2=1", message = "expected a value at line 1, column 8, byte 8",
      options = { comments = true } },
    { text = '[/**/]', pointer = "", items = "", options = { comments = true } },
    { text = '{"a":[1]/', pointer = "/a", items = "1@7=1",
      message = "expected ',' or '}' at line 1, column 9, byte 9", options = { comments = true } },
  }, yields)
end

-- ------------------------------------------------------------------------------------- a slow model

local function escaped(name) return (name:gsub("~", "~0"):gsub("/", "~1")) end

-- The i-th value of a list.
local function child(node, i)
  if node.t == "array" then return node[i] end
  return node.values[i]
end

-- A random pointer into the tree, sometimes to a missing value.
local function random_pointer(node)
  local pointer = ""
  while type(node) == "table" and (node.t == "array" or node.t == "object") and node.n > 0 and random(1, 5) > 1 do
    local i = random(1, node.n)
    pointer = pointer .. "/" .. (node.t == "array" and i - 1 or escaped(node.keys[i]))
    node = child(node, i)
  end
  return random(1, 15) == 1 and pointer .. "/x" or pointer
end

-- The node that the pointer leads to, or nil; and whether a name on its path is duplicate.
local function follow(node, pointer)
  local twice = false
  for token in pointer:gmatch "/([^/]*)" do
    local name, found = token:gsub("~1", "/"):gsub("~0", "~"), nil
    if type(node) ~= "table" then return nil, twice end
    if node.t == "array" then
      if token == "0" or token:match "^[1-9]%d*$" then found = node[tonumber(token) + 1] end
    elseif node.t == "object" then
      for i = 1, node.n do
        if node.keys[i] == name then
          twice = twice or found ~= nil
          if found == nil then found = node.values[i] end
        end
      end
    end
    if found == nil then return nil, twice end
    node = found
  end
  return node, twice
end

-- The items at a pointer are equal to the model's.
local function agrees_with_model(text, node, pointer, source, codec, options)
  local wanted, twice = follow(node, pointer)
  local is_list = type(wanted) == "table" and (wanted.t == "array" or wanted.t == "object")
  local n = 0
  local ok, message = pcall(function()
    for value, place, key in codec.items(source, pointer, options) do
      n = n + 1
      if not is_list or n > wanted.n then lu.fail("too much: " .. pointer .. " in " .. text) end
      local item = child(wanted, n)
      local difference = D.differs(value, item)
      if difference then lu.fail(difference .. ": " .. pointer .. " in " .. text) end
      same(key, wanted.t == "array" and n or wanted.keys[n], text)
      lu.assertNil(text:sub(place, place):match "%s")
      difference = D.differs(fleece.decode_prefix(text, place), item)
      if difference then lu.fail("position of " .. pointer .. " in " .. text) end
    end
  end)
  if twice then
    same(ok, false, text)
    if is_list then T.contains(message, "duplicate name") end
  elseif is_list then
    if not ok then lu.fail(message .. ": " .. pointer .. " in " .. text) end
    same(n, wanted.n, text)
  else
    same(ok, false, text)
    T.contains(message, wanted == nil and NOWHERE or NO_LIST)
  end
end

function TestItems:test_random()
  T.random_rounds(30, function()
    local text = R.text(random(1, 5), 30)
    local node = model.decode(text)
    for _ = 1, 3 do
      local pointer = random_pointer(node)
      for _, source in ipairs(sources(text)) do
        agrees_with_model(text, node, pointer, source(), fleece)
        agrees_with_model(text, node, pointer, source(), T.api, { json5 = true })
      end
    end
  end, 200)
end

-- Damaged texts give the same results as with decode, in pieces of any size.
function TestItems:test_random_damaged()
  local inserts = { '"', "\\", ",", ":", "[", "]", "{", "}", "1", "-", ".", "e", "t", "true", " ", "\n", "/", "/*",
    "*/", "//", "'", "\255", "\1", '"a":', "é", "0x", "N", "+", "\30" }
  local options = { nil, { comments = true }, { trailing_commas = true }, { json5 = true },
    { invalid_numbers = "literal" } }
  T.random_rounds(30, function()
    local text = R.text(random(1, 4), 12)
    local pointer = random_pointer(model.decode(text))
    text = R.mutated(text, inserts)
    for i = 1, 5 do
      local all_sources = sources(text)
      local wanted, message = collect(fleece, all_sources[1](), pointer, options[i])
      local decoded, fault = pcall(fleece.decode, text, options[i])
      if not message and not decoded and not fault:find "number too large" and
        fleece.documents(text, options[i])() ~= nil and
          not pcall(function() for _ in fleece.documents(text, options[i]) do end end) then
        lu.fail("accepts " .. text .. ": " .. fault)
      end
      if message and decoded and
        not (message:find(NOWHERE, 1, true) or message:find(NO_LIST, 1, true) or message:find "duplicate name") then
        lu.fail("rejects " .. text .. ": " .. message)
      end
      for k = 2, #all_sources do
        local found, err = collect(fleece, all_sources[k](), pointer, options[i])
        same(found, wanted, text .. " at " .. pointer)
        same(err, message, text .. " at " .. pointer)
      end
    end
  end, 100)
end

-- ------------------------------------------------------------------------------------- limits

function TestItems:test_arguments()
  T.bad_argument(1, "expected", "items", nil)
  T.bad_argument(1, "a string, a file or a function expected", "items", {}, "", {})
  T.bad_argument(2, "not a JSON pointer", "items", {}, "/~")
  T.bad_argument(2, "string expected", "items", "[]", {})
  T.bad_argument(2, "not a key path: wrong at byte 3", "items", "[]", "a..b")
  T.bad_argument(2, "not a key path: wrong at byte 2", "items", "[]", "a[*]")
  T.bad_argument(2, "an index from the end", "items", "[]", "a[-1]")
  T.bad_argument(2, "not a JSON pointer", "items", "[]", "/a~2")
  T.bad_argument(3, "unknown option", "items", "[]", "", { x = 1 })
  T.bad_argument(3, "table expected", "items", "[]", "", 5)
  T.raises_with("returned a number", fleece.items(function() return 5 end))
  T.raises_with("inside", fleece.items(function() error "inside" end))
  local file = io.tmpfile()
  local next_item = fleece.items(file)
  file:close()
  T.raises_with("closed file", next_item)
end

function TestItems:test_options()
  local codec = fleece.new { numeric_keys = true, null = "none" }
  same(collect(codec, '{"l":[{"1":"a"},null]}', "/l"), '["a"]@7=1 "none"@17=2')
  same(collect(fleece, "[null,1]", "", { null = "nil" }), "null@2=1 1@7=2")
  local mt = {}
  for value in fleece.items(T.pieces("[[],[]]", 2), "", { arrays = mt }) do
    collectgarbage()
    same(getmetatable(value), mt)
  end
  T.each({
    { text = '{"a":[[1],[[2]]],"b":[[[]]]}', pointer = "/a", items = "[1]@7=1",
      message = "nesting too deep at line 1, column 12, byte 12", options = { max_depth = 3 } },
    { text = '{"a":[[1]],"b":[[[]]]}', pointer = "/a", items = "[1]@7=1",
      message = "nesting too deep at line 1, column 18, byte 18", options = { max_depth = 3 } },
    { text = "[[[]]]", pointer = "/0/0", items = "", message = "nesting too deep at line 1, column 3, byte 3",
      options = { max_depth = 2 } },
    { text = "[[[[]],1]]", pointer = "", items = "", message = "text too long at line 1, column 4, byte 4",
      options = { max_depth = 3, max_bytes = 2 } },
    { text = "[[[[]],1]]", pointer = "", items = "", message = "nesting too deep at line 1, column 3, byte 3",
      options = { max_depth = 2, max_bytes = 4 } },
    { text = "[1,[2,3],[4,5,6],7]", pointer = "", items = "1@2=1 [2,3]@4=2",
      message = "text too long at line 1, column 15, byte 15", options = { max_bytes = 5 } },
  }, yields)
  T.each({
    { text = '{"x":"much longer than that","a":[1,2]}', pointer = "/a", items = "",
      message = "text too long at line 1, column 11, byte 11", options = { max_bytes = 5 } },
    { text = '{"x":-123.4,"a":[1,2]}', pointer = "/a", items = "", message = "text too long at line 1, column 11, byte 11",
      options = { max_bytes = 5 } },
    { text = '{"x":"\\q too long","a":[1,2]}', pointer = "/a", items = "", message = "invalid escape at line 1, column 7, byte 7",
      options = { max_bytes = 5 } },
  }, yields)
  same(collect(fleece, '{"x":"abc","a":[12345,2]}', "/a", { max_bytes = 5 }), "12345@17=1 2@23=2")
  same(collect(fleece, '{"x":[12345,-1.23,1e+10,false],"a":[1]}', "/a", { max_bytes = 5 }), "1@37=1")
  T.each({ -- the byte that shows that a number is wrong counts, too
    { text = '{"x":123.,"a":[1]}', pointer = "/a", items = "", message = "invalid number at line 1, column 10, byte 10",
      options = { max_bytes = 5 } },
    { text = '{"x":1234.,"a":[1]}', pointer = "/a", items = "", message = "text too long at line 1, column 11, byte 11",
      options = { max_bytes = 5 } },
    { text = '{"x":false,"a":[1]}', pointer = "/a", items = "", message = "text too long at line 1, column 10, byte 10",
      options = { max_bytes = 4 } },
    { text = '{"x":null,"a":[1]}', pointer = "/a", items = "", message = "text too long at line 1, column 9, byte 9",
      options = { max_bytes = 3 } },
    { text = '{"x":"abcd","a":[1]}', pointer = "/a", items = "", message = "text too long at line 1, column 11, byte 11",
      options = { max_bytes = 5 } },
  }, yields)
end

-- max_bytes also limits a token in small pieces, but not the white space and comments between tokens.
function TestItems:test_limit_of_a_token()
  for _, options in ipairs { { max_bytes = 100 }, { max_bytes = 100, comments = true } } do
    local space = (" "):rep(300) .. (options.comments and ("/* twenty bytes of */ "):rep(20) or "") .. ("\n"):rep(300)
    for text, wanted in pairs {
      ["[1]" .. space .. "[2]" .. space] = "1@2=1 2@" .. 5 + #space .. "=1",
      ['{"x":' .. space .. '1,"a":[1,' .. space .. "2]}"] = "1@" .. 13 + #space .. "=1 2@" .. 15 + 2 * #space .. "=2",
    } do
      local pointer = text:find '"a"' and "/a" or ""
      for size = 1, 7 do
        local found, message = collect(fleece, T.pieces(text, size), pointer, options)
        same(message, nil)
        same(found, wanted)
      end
    end
    local _, message = collect(fleece, T.pieces('{"x":"' .. ("y"):rep(1000) .. '","a":[1]}', 7), "/a", options)
    T.contains(message, "text too long at line 1, column 106, byte 106")
  end
end

function TestItems:test_end_is_final()
  for _, text in ipairs { "[1]", "[1,x]", "[1]x", "5" } do
    local next_item = T.nexts(T.safe.items(text))
    if text ~= "5" then same(next_item(), 1) end
    local value, message, place = next_item()
    same(value, nil)
    if text ~= "[1]" then
      same(type(message), "string")
      same(place.byte, text == "5" and 1 or 4)
    end
    for _ = 1, 2 do
      local results = T.pack(next_item())
      lu.assertEquals({ results.n, results[1] }, { 1, nil }, text)
    end
  end
end

-- A source may use the library, and even call the iterator that reads it.
function TestItems:test_source_that_reads()
  local inner, next_item = T.pieces('{"x":[5],"a":["\\u0031",2,{"b":[]}]}', 2), nil
  local found = {}
  next_item = fleece.items(function()
    fleece.decode '{"inside":["the","source"]}'
    for _ in fleece.items('{"\\u0061":[1,"\\u0032"]}', "/a") do end
    same(next_item(), nil)
    return inner()
  end, "/a")
  for value in next_item do found[#found + 1] = fleece.encode(value) end
  same(table.concat(found, " "), '"1" 2 {"b":[]}')
end

-- Only an item and a piece are in memory, not the document.
function TestItems:test_memory_is_bounded()
  local rows, row = 0, '{"id":123456,"values":[1,2,3,4,5,6,7,8,9,10],"text":"' .. ("x"):rep(100) .. '"},'
  local block = row:rep(100)
  collectgarbage()
  collectgarbage()
  local before, most, seen = collectgarbage "count", 0, 0
  local function source()
    rows = rows + 100
    if rows == 100 then return '{"before":[' end
    if rows <= 20000 then return block end
    if rows == 20100 then return '0],"a":[' end
    if rows <= 40000 then return block end
    if rows == 40100 then return '0],"after":[' end
    return rows <= 60000 and block or rows == 60100 and "0]}" or nil
  end
  for value in fleece.items(source, "/a") do
    seen = seen + 1
    if value ~= 0 and value.id ~= 123456 then lu.fail "other value" end
    if seen % 1000 == 0 then
      collectgarbage()
      most = math.max(most, collectgarbage "count" - before)
    end
  end
  same(seen, 19901)
  lu.assertTrue(most < 1000, most .. " KB")
end

-- The time is linear in the length of tokens, items, comments and white space, in pieces of any size.
function TestItems:test_linear()
  local function count(text, pointer, options, size)
    local start, n = os.clock(), 0
    for _ in fleece.items(T.pieces(text, size), pointer, options) do n = n + 1 end
    return os.clock() - start, n
  end
  T.each({
    { head = "[", item = "1,", tail = "1]", pointer = "" },
    { head = "", item = "[1]\n", tail = "[2]", pointer = "" },
    { head = "", item = '{"a":[1]}', tail = "", pointer = "/a" },
  }, function(case)
    for _, options in ipairs { {}, { comments = true }, { json5 = true } } do
      T.linear(function(n) -- all in one piece
        local text = case.head .. case.item:rep(n) .. case.tail
        local time, found = count(text, case.pointer, options, #text)
        lu.assertTrue(found >= n)
        return time
      end, 100, 10000, 500)
    end
  end)
  T.each({
    { head = '{"x":"', item = "y", tail = '","a":[1]}' },
    { head = '{"x":"', item = "\\n", tail = '","a":[1]}' },
    { head = '{"x":', item = "1", tail = ',"a":[1]}' },
    { head = '{"x":', item = "[0],1]", tail = "]", wrong = true },
    { head = '{"x":1', item = " ", tail = ',"a":[1]}' },
    { head = '{"a":["', item = "y", tail = '"]}' },
    { head = '{"a":[1', item = ",1", tail = "]}" },
    { head = '{"a":[1]', item = " ", tail = "}" },
    { head = '{"a":[1', item = " ", tail = "]}" },
    { head = '{"a":[[', item = "[],", tail = "0]]}" },
    { head = '{"x":1/*', item = " ", tail = '*/,"a":[1]}' },
    { head = '{"a":[1]//', item = "x", tail = "\n}" },
    { head = '{"a":[/*', item = "x", tail = "*/1]}" },
    { head = '{"x":"', item = ",", tail = '","a":[1]}' },
  }, function(case)
    if not case.wrong then
      for _, size in ipairs { 3, 1000 } do
        T.linear(function(n)
          local text = case.head .. case.item:rep(n) .. case.tail
          local time, found = count(text, "/a", { comments = true }, size)
          lu.assertTrue(found >= 1)
          if not text:find("/", 1, true) then time = time + count(text, "/a", nil, size) end
          return time
        end, 100, 20000, 1000)
      end
    end
  end)
end

function TestItems:test_abandoned()
  for i = 1, 300 do
    local next_item = fleece.items(T.pieces('{"\\u0061":[1,"' .. ("long"):rep(100) .. '"]}', 50), "/a")
    if i % 2 == 0 then next_item() end
  end
  collectgarbage()
end
