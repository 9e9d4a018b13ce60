-- SPDX-License-Identifier: MIT
-- test_format_pieces.lua -- fleece.format_stream of long texts in pieces of one byte: the grammar, which is the same in each
-- Lua, keeps its place in any token and gap. Expected results come from format of the whole text.
-- runs: in one Lua

local T = require "support"
local lu, fleece, safe = T.lu, T.fleece, T.safe
local format = fleece.format

TestFormatPieces = {}

local function stream(text, n, options)
  local sink, result = T.collector()
  local documents, message, position = safe.format_stream(T.pieces(text, n), sink, options)
  return documents and result(), message, position
end

-- Long tokens in pieces of one byte; errors in the middle have the right position.
function TestFormatPieces:test_long_tokens_in_small_pieces()
  for _, text in ipairs { '"' .. ("\\u00e9\\n"):rep(10000) .. '"', '{"' .. ("k\\\\"):rep(10000) .. '":1}',
    "[-1." .. ("5"):rep(30000) .. "e7 ]", '["' .. ("é"):rep(10000) .. '"]', "[1," .. (" \n"):rep(150000) .. "2]" } do
    lu.assertEquals((stream(text, 1)), format(text))
  end
  for _, text in ipairs { '"' .. ("x"):rep(3000) .. "\n" .. ("x"):rep(3000) .. '"',
    '"' .. ("x"):rep(3000) .. "\\u12x" .. ("x"):rep(3000) .. '"',
      "[1" .. ("0"):rep(3000) .. "ee" .. ("0"):rep(3000) .. "]",
        '"' .. ("x"):rep(3000) .. "\255" .. ("x"):rep(3000) .. '"' } do
    local _, message, position = safe.format(text)
    local none, message2, position2 = stream(text, 1)
    lu.assertNil(none)
    T.same((message2:gsub(" near .*", "")), (message:gsub(" near .*", "")))
    lu.assertEquals(position2.byte, position.byte)
  end
end

-- Long gaps of comments, and JSON5's names and white space, in pieces of one byte.
function TestFormatPieces:test_long_gaps_in_small_pieces()
  for _, gap in ipairs { "/**/", "//\n", " /* * / */\r// x\r\n\t" } do
    local text = "[1," .. gap:rep(20000) .. "2" .. gap:rep(20000) .. "]"
    lu.assertEquals((stream(text, 1, { comments = true })), "[1,2]")
    local none, message, position = stream("[1" .. gap:rep(100) .. "/?]", 1, { comments = true })
    lu.assertNil(none)
    T.contains(message, "expected")
    lu.assertEquals(position.byte, 3 + 100 * #gap)
  end
  for _, gap in ipairs { "\194\160", "\226\128\168//\226\128\169", "\v\f/**/", "\194\160 " } do
    lu.assertEquals((stream("[1," .. gap:rep(20000) .. "2]", 1, { json5 = true })), "[1,2]")
  end
  for _, name in ipairs { "a_$9", "\\u0061", "é", "éa" } do
    local text = ("{%s:1}"):format(name:rep(20000))
    T.same((stream(text, 1, { json5 = true })), format(text, { json5 = true }))
  end
end

-- With small pieces, unfinished text is scanned again, but not with each piece.
function TestFormatPieces:test_small_pieces_are_linear()
  for _, level in ipairs { { "[", "]" }, { '{"a":', "}", "1" }, { '{"' .. ("name"):rep(50) .. '":[', "]}" }, { "[\n", "]" } } do
    for _, options in ipairs { {}, { comments = true } } do
      options.max_depth = 1000000
      T.linear(function(n)
        local start, text = os.clock(), level[1]:rep(n) .. (level[3] or "") .. level[2]:rep(n)
        local place = 0
        T.same(fleece.format_stream(function()
          place = place + 1
          return place <= #text and text:sub(place, place) or nil
        end, nil, options), 1)
        return os.clock() - start
      end, 100, 10000, 500)
    end
  end
end
