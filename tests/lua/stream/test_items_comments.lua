-- SPDX-License-Identifier: MIT
-- test_items_comments.lua -- fleece.items, documents and decode_prefix with long comments: time, memory, positions, limits.
-- runs: in one layout

local T = require "support"
local D = require "decoding"
local lu, fleece, same = T.lu, T.fleece, T.same
local collect = D.collect_items

TestItemsComments = {}

-- A source that gives `first`, n times `piece`, and `last`.
local function repeated(first, piece, n, last)
  local i = -1
  return function()
    i = i + 1
    return i == 0 and first or i <= n and piece or i == n + 1 and last or nil
  end
end

-- Texts with a long comment: the text before and after its contents, the pointer, and the number of items found.
local long_comments = {
  { '{"x":1 /*', '*/ ,"a":[1,2]}', "/a", 2 }, { "/*", '*/ {"a":[1,2]}', "/a", 2 }, { '{"a":[1,2]}/*', '*/{"a":[3]}', "/a", 3 },
  { '{"a":[1,2 /*', "*/]}", "/a", 2 }, { '{"a":[/*', "*/1,2]}", "/a", 2 }, { '{"a":[1,2,//', "\n3]}", "/a", 3 },
  { "[/* */ //", "\n]", "", 0 }, { '{"x":/*', '*/1,"a":{"b":1}}', "/a", 1 }, { '{"x":1 //', '\n,"a":[1,2]}', "/a", 2 },
}

-- A long comment is not kept in memory and is read only once.
function TestItemsComments:test_long_comments()
  local piece = ("x"):rep(1000)
  for _, case in ipairs(long_comments) do
    T.linear(function(n)
      local start, found, most, asked = os.clock(), 0, 0, 0
      local source = repeated(case[1], piece, n, case[2])
      for _ in fleece.items(function()
        asked = asked + 1
        if asked % 1000 == 0 then most = math.max(most, T.memory()) end
        return source()
      end, case[3], { comments = true }) do found = found + 1 end
      same(found, case[4], case[1])
      lu.assertTrue(most < T.memory() + 1000)
      return os.clock() - start
    end, 200, 4000, 100)
  end
end

-- Positions after a comment that was not kept are right, and so is the start of an unterminated one.
function TestItemsComments:test_positions_after_long_comments()
  for size = 1, 40 do
    local first, second = ("x"):rep(size) .. "\n", ("*"):rep(size)
    local head = '{"x": 1 /*' .. first .. "*/ , /*" .. second
    for _, options in ipairs { { comments = true }, { json5 = true } } do
      for text, message in pairs {
        [head .. '*/"a":[1,x]}'] = "expected a value at line 2, column " .. size + 17 .. ", byte ",
        [head .. '*/"y":0 1}'] = "expected ',' or '}' at line 2, column " .. size + 16 .. ", byte ",
        [head] = "unterminated comment at line 2, column 6, byte " .. size + 17,
        ['[1, /*' .. first .. second] = "unterminated comment at line 1, column 5, byte 5",
        ['[1 /*' .. first .. second] = "unterminated comment at line 1, column 4, byte 4",
        ["/*" .. first .. second] = "unterminated comment at line 1, column 1, byte 1",
      } do
        if not (text:find "x%]" and options.json5) then
          local pointer = text:find "{" and "/a" or ""
          for n = 1, 3 do
            local _, err = collect(fleece, T.pieces(text, n), pointer, options)
            T.contains(err, message)
          end
        end
      end
    end
  end
end

-- max_bytes limits a comment without an end.
function TestItemsComments:test_limit_of_a_comment()
  for _, case in ipairs(long_comments) do
    local asked = 0
    local _, message = collect(fleece, function()
      asked = asked + 1
      return asked == 1 and case[1] or ("x"):rep(10)
    end, case[3], { comments = true, max_bytes = 100 })
    local place = #case[1] - 2 + 101
    T.contains(message, ("text too long at line 1, column %d, byte %d"):format(place, place))
    lu.assertTrue(asked < 13)
  end
  for text, place in pairs { ["1 /*"] = 103, ["//"] = 101 } do
    for _, whole in ipairs { true, false } do
      local first = true
      local next_value = T.nexts(T.safe.documents(whole and text .. ("x"):rep(1000) or function()
        local piece = first and text or ("x"):rep(10)
        first = false
        return piece
      end, { comments = true, max_bytes = 100 }))
      local value, message, byte = next_value()
      if value then value, message, byte = next_value() end
      same(value, nil)
      T.contains(message, "text too long")
      same(byte.byte, place)
    end
  end
end

-- The same for documents.
function TestItemsComments:test_long_comments_between_documents()
  local piece = ("x"):rep(1000)
  for _, case in ipairs { { "1 /*", "*/ 2" }, { "/*", "*/1 2" }, { "1//", "\n2" } } do
    T.linear(function(n)
      local start, found, most, asked = os.clock(), 0, 0, 0
      local source = repeated(case[1], piece, n, case[2])
      for value in fleece.documents(function()
        asked = asked + 1
        if asked % 1000 == 0 then most = math.max(most, T.memory()) end
        return source()
      end, { comments = true }) do found = found + value end
      same(found, 3)
      lu.assertTrue(most < T.memory() + 1000)
      return os.clock() - start
    end, 200, 4000, 100)
  end
  for n = 1, 7 do
    for message, text in pairs { ["at line 2, column 2, byte 4"] = "1\n /*xxxxx", ["at line 1, column 1, byte 1"] = "/*x\n//" } do
      local next_value = T.nexts(T.safe.documents(T.pieces(text, n), { comments = true }))
      local value, err, place = next_value()
      if value then value, err, place = next_value() end
      same(value, nil)
      T.contains(err, "unterminated comment " .. message)
      same(place.byte, tonumber(message:match "%d+$"))
    end
  end
end

-- Text between a token and a comment is read, wherever a piece ends, and not skipped with the comment.
function TestItemsComments:test_text_before_a_comment()
  for _, text in ipairs {
    '{"y"more//"}', '{"y"more/*"}', '{"y" more /* c */ :1}', '{"y" /* c */ more :1}', '{"y":1 /* c */ more}', '[1 more/* c */]',
    '[1]more/* c */', 'more/* c *//[1]', '{"y" // c\n more :1}', '{"x":1,more/* c */"y":2}', '{"x":1 /* c */,/* d */"y":2}',
  } do
    for _, pointer in ipairs { "", "/y", "/0" } do
      for _, options in ipairs { { comments = true }, { json5 = true } } do
        local found, message = collect(fleece, text, pointer, options)
        for size = 1, #text do
          local found2, message2 = collect(fleece, T.pieces(text, size), pointer, options)
          same(found2, found, text)
          same(message2, message, ("%s %s, pieces of %d"):format(text, pointer, size))
        end
      end
    end
  end
end

-- Looking ahead for the size of a long array stops at the end of the array, even if comments and strings contain
-- brackets.
function TestItemsComments:test_linear_with_comments()
  local ones, dkjson = ("1,"):rep(4100), require "fleece.dkjson"
  local function documents(text, options)
    local n = 0
    for _ in fleece.documents(text, options) do n = n + 1 end
    return n
  end
  local function prefixes(text, options)
    local n, value, position = -1, nil, 1
    repeat value, position, n = nil, select(2, fleece.decode_prefix(text, position, options)), n + 1 until not position
    return n
  end
  local function dkjsons(text)
    local n, value, position = 0, dkjson.decode(text)
    while value do
      n, value, position = n + 1, dkjson.decode(text, position)
    end
    return n
  end
  local hidden = '/*"*/[/*"*/'
  T.each({
    {
      count = documents,
      repeated = hidden .. ones .. '/*"*/1]/*"*/\n',
      tail = hidden .. "1]",
      options = { comments = true },
    },
    {
      count = prefixes,
      repeated = hidden .. ones .. '/*"*/1]/*"*/\n',
      tail = hidden .. "1]",
      options = { comments = true },
    },
    { count = documents, repeated = "[" .. ones .. "1//[\n]", tail = "[]", options = { comments = true } },
    { count = documents, repeated = "[" .. ones .. "'[']\n", tail = "[]", options = { json5 = true } },
    { count = dkjsons, repeated = "[" .. ones .. "/*[*/1]\n", tail = "[]" },
  }, function(case)
    T.linear(function(n)
      local text, start = case.repeated:rep(n) .. case.tail, os.clock()
      same(case.count(text, case.options), n + 1)
      return os.clock() - start
    end, 20, 300, 45)
  end)
end
