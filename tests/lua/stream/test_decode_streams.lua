-- SPDX-License-Identifier: MIT
-- test_decode_streams.lua -- documents from strings, files, pipes and functions; decode_file.

local T = require "support"
local R = require "random_text"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestDecodeStreams = {}

-- All ways to read a stream; each must give the same list of "value@position".
local function sources(text)
  local list = {
    { name = "string", open = function() return text end },
    { name = "one piece", open = function() return T.pieces(text, math.max(#text, 1)) end },
    { name = "random pieces", open = function() return T.pieces(text, T.between(1, 9)) end },
  }
  for _, n in ipairs { 1, 2, 3, 7 } do
    list[#list + 1] = { name = n .. " bytes", open = function() return T.pieces(text, n) end }
  end
  local name = T.temporary_file(text)
  list[#list + 1] = { name = "file", open = function() return assert(io.open(name, "rb")) end }
  list[#list + 1] = { name = "pipe", open = function() return assert(io.popen("cat " .. name)) end }
  return list, function() os.remove(name) end
end

-- Each way to read the text must give these values, then an error with this message, or none.
local function yields(case)
  local list, clean = sources(case.text)
  for _, codec in ipairs(T.codecs) do
    for _, source in ipairs(list) do
      local found = {}
      local ok, err = pcall(function()
        for value, place in codec.documents(source.open(), case.options) do
          found[#found + 1] = codec.encode(value) .. "@" .. place
        end
      end)
      same(table.concat(found, " "), case.values, source.name)
      if case.message then
        same(ok, false, source.name)
        T.contains(err, case.message)
      elseif not ok then
        lu.fail(source.name .. ": " .. tostring(err))
      end
    end
  end
  clean()
end

function TestDecodeStreams:test_documents()
  T.each({
    { text = "", values = "" },
    { text = " \n\t ", values = "" },
    { text = "1", values = "1@1" },
    { text = "1\n2\n3\n", values = "1@1 2@3 3@5" },
    { text = '{"a":1}\n{"a":2}\r\n\r\n{"a":3}', values = '{"a":1}@1 {"a":2}@9 {"a":3}@20' },
    { text = '{}[]{}"x""y"[1]2 3', values = '{}@1 []@3 {}@5 "x"@7 "y"@10 [1]@13 2@16 3@18' },
    { text = '{"a":"}]\\"{"}[["]"]]', values = '{"a":"}]\\"{"}@1 [["]"]]@14' },
    { text = "true false null -1.5e3", values = "true@1 false@6 null@12 -1500@17" },
    { text = '\30{"a":1}\n\30[2]\n', values = '{"a":1}@2 [2]@11' },
    { text = '"a\\\\" "b\\"c" "\\u00e9"', values = '"a\\\\"@1 "b\\"c"@7 "é"@14' },
    { text = "[1,\n2,\n3]\n[4]", values = "[1,2,3]@1 [4]@11" },
    { text = "null 1", options = { null = "nil" }, values = "null@1 1@6" },
    { text = "[null] 1", options = { null = false }, values = "[false]@1 1@8" },
    { text = "\239\187\191[1] [2]", options = { bom = true }, values = "[1]@4 [2]@8" },
  }, yields)
end

function TestDecodeStreams:test_lenient_documents()
  T.each({
    { text = "1/**/2 3/* x */[4]//", options = { comments = true }, values = "1@1 2@6 3@8 [4]@16" },
    { text = "// [ \n[1] /* ] */ [2, // }\n 3]", options = { comments = true }, values = "[1]@7 [2,3]@19" },
    { text = "\194\160\v1\226\128\168[2]\f \194\160", options = { json5 = true }, values = "1@4 [2]@8" },
    { text = "// x\226\128\168[1] // \226\128\226\128\169[2]", options = { json5 = true }, values = "[1]@8 [2]@20" },
    { text = "\195\169[1]", options = { json5 = true }, values = "",
      message = "expected a value at line 1, column 1, byte 1" },
    { text = "{a:'}\"'} 'x' [1,] .5 +1 // end", options = { json5 = true },
      values = '{"a":"}\\""}@1 "x"@10 [1]@14 0.5@19 1@22' },
  }, yields)
end

function TestDecodeStreams:test_errors()
  T.each({
    { text = "[1]\n[2}\n[3]", values = "[1]@1", message = "expected ',' or ']' at line 2, column 3, byte 7" },
    { text = "1\n2\ntru\n4", values = "1@1 2@3", message = "expected a value at line 3, column 1, byte 5" },
    { text = '["é"]\n["é" x]', values = '["é"]@1', message = "expected ',' or ']' at line 2, column 6, byte 14" },
    { text = "[1]\r\n\r\n[2]\r\n\r\r x", values = "[1]@1 [2]@8",
      message = "expected a value at line 6, column 2, byte 16" },
    { text = "[1] [2", values = "[1]@1", message = "unexpected end at line 1, column 7, byte 7" },
    { text = '[1] "ab', values = "[1]@1", message = "unexpected end at line 1, column 8, byte 8" },
    { text = "truefalse", values = "", message = "text after the value at line 1, column 5, byte 5" },
    { text = "1,2", values = "", message = "text after the value at line 1, column 2, byte 2" },
    { text = "[1],[2]", values = "[1]@1", message = "expected a value at line 1, column 4, byte 4" },
    { text = "1 ] 2", values = "1@1", message = "expected a value at line 1, column 3, byte 3" },
    { text = "\239\187\191[1]", values = "", message = "byte order mark at line 1, column 1, byte 1" },
    { text = "[1] // x", values = "[1]@1", message = "expected a value at line 1, column 5, byte 5" },
    { text = "[1] /* x", options = { comments = true }, values = "[1]@1",
      message = "unterminated comment at line 1, column 5, byte 5" },
    { text = "[1]\n[1,2,3,4,5]", options = { max_bytes = 8 }, values = "[1]@1",
      message = "text too long at line 2, column 9, byte 13" },
    { text = "[1]\n[[2]]", options = { max_depth = 1 }, values = "[1]@1",
      message = "nesting too deep at line 2, column 2, byte 6" },
  }, yields)
end

function TestDecodeStreams:test_end_is_final()
  for _, text in ipairs { "1 2", "1 x" } do
    local next_value = T.nexts(T.safe.documents(text))
    same(next_value(), 1)
    if text == "1 2" then same(next_value(), 2) end
    local value, message, place = next_value()
    same(value, nil)
    if text == "1 x" then
      T.contains(message, "expected a value at line 1, column 3, byte 3")
      lu.assertEquals(place.byte, 3)
    else
      same(message, nil)
    end
    for _ = 1, 3 do same(next_value(), nil) end
  end
end

-- max_bytes gives the same result wherever pieces end: a slash that begins a comment does not belong to the number
-- before it.
function TestDecodeStreams:test_limit_of_bytes()
  local source = "12/* c */ 34 [1]// c\ntrue/**/ 7/\n"
  for limit = 1, 8 do
    local options = { comments = true, max_bytes = limit }
    local function values(from)
      local found, next_value = {}, T.nexts(T.safe.documents(from, options))
      repeat
        local value, message = next_value()
        found[#found + 1] = type(value) == "table" and "table" or tostring(value)
        if value == nil then found[#found + 1] = (tostring(message):gsub(" near .*", ""):gsub(" %([%l_%d]+ [^()]*%)$", "")) end
      until value == nil
      return table.concat(found, " ")
    end
    local expected = values(source)
    for cut = 1, #source - 1 do
      local pieces, i = { source:sub(1, cut), source:sub(cut + 1) }, 0
      same(values(function()
        i = i + 1
        return pieces[i]
      end), expected)
    end
  end
end

-- With max_bytes the end of each document is found before it is decoded, otherwise after it. Both must give the same
-- values, positions and errors, in pieces of any size, whatever the lengths of documents and pieces are.
-- Tables of the same values can have another order: those that are read in parts grow in other steps.
local SORTED = { sort_keys = true }

function TestDecodeStreams:test_random_streams()
  local function collect(source, options)
    local list = {}
    local _, message = pcall(function()
      for value, place in fleece.documents(source, options) do list[#list + 1] = fleece.encode(value, SORTED) .. "@" .. place end
    end)
    return table.concat(list, " "), message and (message:gsub(" near .*", ""):gsub(" %([%l_%d]+ [^()]*%)$", ""))
  end
  local between = { "\n", " ", "", "\r\n", "\30", "/**/", "//\n", "\194\160", "\239\187\191" }
  local inserts = { '"', "\\", ",", ":", "[", "]", "{", "}", "1", "t", "true", " ", "\n", "/*", "'", "\255", "\1", "N" }
  T.random_rounds(40, function()
    local parts = {}
    for _ = 1, random(1, 6) do
      parts[#parts + 1] = R.text(random(0, 4), random(1, 3) == 1 and 60 or 6)
      parts[#parts + 1] = between[random(1, random(1, 2) == 1 and 2 or #between)]
    end
    local text = table.concat(parts)
    if random(1, 2) == 1 then text = R.mutated(text, inserts) end
    for _, options in ipairs { {}, { comments = true }, { json5 = true } } do
      local found, message = collect(text, options)
      for _, size in ipairs { 1, 2, random(3, 40), random(40, 400), #text } do
        local values, err = collect(T.pieces(text, size), options)
        same(values, found, text)
        same(err, message, text)
      end
      options.max_bytes = 1000000
      for _, source in ipairs { text, T.pieces(text, random(1, 400)) } do
        local values, err = collect(source, options)
        same(values, found, text)
        same(err, message, text)
      end
    end
  end, 400)
end

function TestDecodeStreams:test_sources()
  T.bad_argument(1, "a string, a file or a function expected", "documents", 1 == 1)
  T.bad_argument(2, "unknown option", "documents", "1", { x = 1 })
  T.raises_with("returned a number", fleece.documents(function() return 5 end))
  T.raises_with("returned a table", fleece.documents(function() return {} end))
  T.raises_with("inside", fleece.documents(function() error "inside" end))
  same(fleece.documents(function() return "" end)(), nil)
  local file = io.tmpfile()
  local next_value = fleece.documents(file)
  file:close()
  T.raises_with("closed file", next_value)
  -- a source that itself decodes
  local inner = T.pieces("[1] [2]", function() return 2 end)
  local found = {}
  for value in fleece.documents(function()
    fleece.decode '{"inside":["the","source"]}'
    for _ in fleece.documents "1 2 3" do end
    return inner()
  end) do found[#found + 1] = value[1] end
  lu.assertEquals(found, { 1, 2 })
end

function TestDecodeStreams:test_codec_and_options()
  local codec = fleece.new { numeric_keys = true, null = "none" }
  local found = {}
  for value in codec.documents '{"1":"a"} {"2":null}' do found[#found + 1] = value end
  lu.assertEquals(found, { { "a" }, { [2] = "none" } })
  local mt = {}
  for value in codec.documents('[[]]', { arrays = mt }) do
    collectgarbage()
    same(getmetatable(value[1]), mt)
  end
end

function TestDecodeStreams:test_memory_is_bounded()
  local rows, row = 0, '{"id":123456,"name":"somebody","values":[1,2,3,4,5,6,7,8,9,10],"text":"' .. ("x"):rep(100) ..
    '"}\n'
  collectgarbage()
  collectgarbage()
  local before, most, seen = collectgarbage "count", 0, 0
  local block = row:rep(100)
  for value in fleece.documents(function()
    rows = rows + 100
    return rows <= 60000 and block or nil
  end) do
    seen = seen + 1
    if value.id ~= 123456 then lu.fail "other value" end
    if seen % 1000 == 0 then
      collectgarbage()
      most = math.max(most, collectgarbage "count" - before)
    end
  end
  same(seen, 60000)
  lu.assertTrue(most < 1000, most .. " KB")
end

function TestDecodeStreams:test_abandoned()
  for i = 1, 300 do
    local next_value = fleece.documents(T.pieces('[1] [2] "' .. ("long"):rep(100) .. '"', function() return 50 end))
    if i % 2 == 0 then next_value() end
  end
  collectgarbage()
end

function TestDecodeStreams:test_file()
  local name = T.temporary_file('{"a":[1,2,{"b":null}]}')
  for _, codec in ipairs(T.codecs) do same(codec.decode_file(name).a[3].b, fleece.null) end
  same(fleece.decode_file(name, { null = 7 }).a[3].b, 7)
  os.remove(name)
  name = T.temporary_file("[1,\n2,\n")
  T.raises_with("unexpected end at line 3, column 1, byte 8", fleece.decode_file, name)
  lu.assertEquals({ T.safe.decode_file(name) }, { nil, name .. ": unexpected end at line 3, column 1, byte 8",
    { kind = "syntax", byte = 8, line = 3, column = 1 } })
  os.remove(name)
  name = T.temporary_file("")
  T.raises_with("empty text", fleece.decode_file, name)
  os.remove(name)
  T.raises_with("cannot open '" .. name .. "': No such file", fleece.decode_file, name)
  T.fails_with("cannot ", T.safe.decode_file, "/")
  T.bad_argument(1, "string expected", "decode_file")
  T.bad_argument(2, "unknown option", "decode_file", "x", { y = 1 })
  local big = {}
  for i = 1, 60000 do big[i] = i end
  name = T.temporary_file(fleece.encode(big))
  same(#fleece.decode_file(name), 60000)
  os.remove(name)
  if io.open "/dev/stdin" then -- a file whose size is unknown
    name = T.temporary_file(fleece.encode(big))
    local pipe = io.popen(("cat %s | LUA_CPATH='%s' %s -e " ..
      "'io.write(#require([[fleece]]).decode_file([[/dev/stdin]]))'"):format(
      name, package.cpath, arg[-1] or "lua"))
    same(pipe:read "*a", "60000")
    pipe:close()
    os.remove(name)
  end
end

-- A name with a byte 0 is an error: the part before it would be the name of another file, which exists here.
function TestDecodeStreams:test_file_name_with_zero()
  local name = T.temporary_file("[1]")
  same(#fleece.decode_file(name), 1)
  T.bad_argument(1, "a file name with a byte 0 in it", "decode_file", name .. "\0.json")
  T.bad_argument(1, "a file name with a byte 0 in it", "open_file", name .. "\0.json")
  os.remove(name)
end

-- The end, and every call after an error, returns one nil, not zero values.
function TestDecodeStreams:test_end_is_nil()
  for _, text in ipairs { "", " ", "1", "1 \n", "\30[1]\n\30", "x", "[1" } do
    local next = T.nexts(T.safe.documents(text))
    while next() ~= nil do end
    for _ = 1, 2 do
      local results = T.pack(next())
      lu.assertEquals({ results.n, results[1] }, { 1, nil }, text)
    end
  end
end
