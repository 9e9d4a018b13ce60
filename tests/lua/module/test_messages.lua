-- SPDX-License-Identifier: MIT
-- test_messages.lua -- additional information in error messages: the option that allows the text, the file, the line of
-- NDJSON.

local T = require "support"
local fleece = T.fleece

TestMessages = {}

local function pieces(text, size)
  local at = 1
  return function()
    local piece = text:sub(at, at + size - 1)
    at = at + size
    return piece ~= "" and piece or nil
  end
end

local function all(source, options)
  for _ in fleece.documents(source, options) do end
end

-- Calls f(message, in_pieces) for each function that reads one text.
local function readers(text, options, f)
  for _, codec in ipairs(T.codecs) do
    f(T.error_of(codec.decode, text, options))
    f(T.error_of(codec.decode_prefix, text, 1, options))
    f(T.error_of(codec.format, text, options))
    f(T.error_of(codec.format_stream, text, nil, options))
    f(T.error_of(codec.from_json, text, options))
    f(T.error_of(all, text, options))
    local parser = codec.parser(options)
    f(T.error_of(function() return parser:feed(text):finish() end), true)
  end
end

function TestMessages:test_options_that_allow_it()
  for text, message in pairs {
    ["[1,]"] = "expected a value at line 1, column 4, byte 4 near '[1,]' (trailing_commas = true allows it)",
    ["[1, \n\t]"] = "expected a value at line 2, column 2, byte 7 near ']' (trailing_commas = true allows it)",
    ['{"a":1,}'] = "expected a string as name at line 1, column 8, byte 8 near '{\"a\":1,}' (trailing_commas = true allows it)",
    ["/**/1"] = "expected a value at line 1, column 1, byte 1 near '/**/1' (comments = true allows it)",
    ["[1,//\n2]"] = "expected a value at line 1, column 4, byte 4 near '[1,//' (comments = true allows it)",
    ["[1/**/]"] = "expected ',' or ']' at line 1, column 3, byte 3 near '[1/**/]' (comments = true allows it)",
    ['{"a"/**/:1}'] = "expected ':' at line 1, column 5, byte 5 near '{\"a\"/**/:1}' (comments = true allows it)",
    ['{/**/}'] = "expected a string as name at line 1, column 2, byte 2 near '{/**/}' (comments = true allows it)",
    ['{"a":1/**/}'] = "expected ',' or '}' at line 1, column 7, byte 7 near '{\"a\":1/**/}' (comments = true allows it)",
  } do
    readers(text, nil, function(err, in_pieces)
      if not in_pieces then return T.ends(err, message) end
      -- nothing after the wrong byte counts, because it may not be there yet
      local place, before = message:match "^(.*byte %d+) near '(.-/?)[*/]?[^,%[]*'"
      T.contains(err, place)
      T.contains(err, before:sub(1, 3))
      T.same(err:find("(trailing_commas = true allows it)", 1, true) ~= nil, message:find("trailing_commas", 1, true) ~= nil)
    end)
  end
  T.ends(T.error_of(fleece.decode, "1 // x"), "byte 3 near '1 // x' (comments = true allows it)")
  for text, options in pairs {
    ["[,]"] = {}, ["[1,,2]"] = {}, ["[/]"] = {}, ["{,}"] = {}, ["[1,}"] = {}, ["[1,,]"] = { trailing_commas = true },
    ["[1 /**/ 2]"] = { comments = true }, ["[1 /**/ 2] "] = { json5 = true }, ["[/"] = {}, ["[tru//\n]"] = { comments = true },
  } do
    readers(text, options, function(err)
      if err:find "allows it" then T.lu.fail(text .. ": " .. err) end
    end)
  end
end

function TestMessages:test_several_values()
  local text, place = '{"a":1}\n{"a":2}', "text after the value at line 2, column 1, byte 9 near '{\"a\":2}'"
  T.ends(T.error_of(fleece.decode, text), place .. " (fleece.documents reads several values)")
  T.ends(T.error_of(fleece.format, text), place .. " (lines = true reads several values)")
  T.ends(T.error_of(fleece.format_stream, text), place .. " (lines = true reads several values)")
  T.ends(T.error_of(fleece.from_json, text), place .. " (lines = true reads several values)")
  T.ends(T.error_of(fleece.patch, fleece.pack {}, text), place)
  for _, other in ipairs { "1 2", "[1] [2]", "[1]\n]", "[1]\nx" } do
    T.ends(T.error_of(fleece.decode, other), "'" .. other:match "[^\n]*$" .. "'")
  end
end

-- In NDJSON, the error is reported in the incomplete line, although the next line could be a part of it.
function TestMessages:test_lines()
  local long = ("x"):rep(200)
  for _, case in ipairs {
    { '{"a":1}\n{"a":\n{"a":3}', "line 2, column 6, byte 14 near '{\"a\":'" },
    { '{"a":1}\n{"a":\n{"a":3}\n{"a":4}\n', "line 2, column 6, byte 14 near '{\"a\":'" },
    { '{"a":1}\r\n{"a":\r\n{"a":3}\r\n', "line 2, column 6, byte 15 near '{\"a\":'" },
    { '[1]\n[2]\n[3,\n[4]\n[5]\n', "line 3, column 4, byte 12 near '[3,'" },
    { '{"a":"' .. long .. '","b":\n{"a":"' .. long .. '"}\n{"a":3}\n', "line 1, column 213, byte 213 near '" .. ("x"):rep(18) .. '","b":\'', true },
  } do
    local function wrong(err) T.ends(err, "unexpected end at " .. case[2]) end
    for _, codec in ipairs(T.codecs) do
      wrong(T.error_of(codec.format, case[1], { lines = true }))
      wrong(T.error_of(codec.from_json, case[1], { lines = true }))
      wrong(T.error_of(codec.format_stream, case[1], nil, { lines = true }))
      wrong(T.error_of(function() for _ in codec.documents(case[1]) do end end))
    end
    for size = 1, case[3] and 0 or 20 do
      wrong(T.error_of(all, pieces(case[1], size)))
      wrong(T.error_of(fleece.format_stream, pieces(case[1], size), nil, { lines = true }))
    end
  end
  -- Pretty-printed text is not taken for NDJSON.
  for text, message in pairs {
    ['{"rows":[\n{"id":1},\n{"id":2}\n],,}'] = "expected a string as name at line 4, column 3",
    ['{"rows":[\n{"id":1}\n],,}'] = "expected a string as name at line 3, column 3",
    ['[\n[1,2],\n[3,4]\n]]'] = "expected a value at line 4, column 2",
    ['{"a":\n{"a":3}\n,,}'] = "expected a string as name at line 3, column 2",
    ['{\n  "a": {\n  }\n'] = "unexpected end at line 4, column 1",
    ['{"a":\n'] = "unexpected end at line 2, column 1",
  } do
    T.contains(T.error_of(all, text), message)
    T.contains(T.error_of(fleece.format, text, { lines = true }), message)
    T.contains(T.error_of(fleece.from_json, text, { lines = true }), message)
  end
end

function TestMessages:test_files()
  local path = os.tmpname()
  local function write(text)
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
  end
  write '{"a":\n tru}'
  local message = path .. ": expected a value at line 2, column 2, byte 8 near ' tru}'"
  for _, codec in ipairs(T.codecs) do
    T.ends(T.error_of(codec.decode_file, path), message)
    T.contains(T.error_of(codec.decode_file, path, { max_bytes = 3 }), path .. ": text too long at line 1, column 4")
  end
  local value, err, place = T.safe.decode_file(path)
  T.same(value, nil)
  T.same(err, message)
  T.equal(place, { kind = "syntax", byte = 8, line = 2, column = 2 })
  write '{"a":1}\n{"a":2}'
  T.ends(T.error_of(fleece.decode_file, path), "(fleece.documents reads several values)")
  -- files that are open in the wrong mode
  local file = io.open(path, "r")
  for _ = 1, 2 do
    value, err = T.safe.write(file, ("x"):rep(100000))
    T.same(value, nil)
    T.same(err, "cannot write to the file: it is not open for writing")
  end
  T.same(select(2, T.safe.format_stream("[1]", file)), err)
  file:close()
  file = io.open(path, "w")
  for _, f in ipairs { T.nexts(T.safe.documents(file)), T.nexts(T.safe.items(file)), function() return T.safe.format_stream(file) end } do
    T.same(select(2, f()), "cannot read the file: it is not open for reading")
  end
  file:close()
  T.bad_argument(1, "attempt to use a closed file", "documents", file)
  for _, name in ipairs { "documents", "items" } do
    file = io.open(path, "r")
    local next_value = fleece[name](file)
    file:close()
    T.ends(T.error_of(next_value), "attempt to use a closed file as the source")
  end
  os.remove(path)
end

function TestMessages:test_texts_of_another_encoding()
  local hint = " (the text is %s; JSON is UTF-8 (RFC 8259, 8.1); convert with iconv -f %s -t UTF-8)"
  local function wide(text, form, mark)
    local zeros = ("\0"):rep(tonumber(form:match "%d+") / 8 - 1)
    local is_big = form:find "BE"
    local bytes = text:gsub(".", function(c) return is_big and zeros .. c or c .. zeros end)
    local marks = { ["UTF-16LE"] = "\255\254", ["UTF-16BE"] = "\254\255", ["UTF-32LE"] = "\255\254\0\0", ["UTF-32BE"] = "\0\0\254\255" }
    return (mark and marks[form] or "") .. bytes
  end
  for _, form in ipairs { "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE" } do
    for _, mark in ipairs { false, true } do
      local wanted = hint:format(form, mark and form:sub(1, 6) or form)
      for _, plain in ipairs { '{"a":1}', "[1]", ' "x"', "-1", "null", "1 " } do
        local text = wide(plain, form, mark)
        for name, f in pairs {
          decode = fleece.decode, format = fleece.format, from_json = fleece.from_json,
          pick = function(s) local fine, message = fleece.pick("a")(s) return assert(fine, message) end,
          edit = function(s) return fleece.edit(s, { { "set", "a", 1 } }) end,
          query = function(s) return fleece.query("$.a")(s) end,
        } do
          local message = T.error_of(f, text)
          T.same(message and message:sub(-#wanted), wanted, name .. " " .. form .. plain)
        end
      end
    end
  end
  for _, text in ipairs { '{"a":\0 1}', "\0", "\0{}", '"\0abc"', "\255", "\16\0\0\0\16a\0\1\0\0\0\0" } do
    T.same(T.error_of(fleece.decode, text):find("UTF-16", 1, true), nil, text)
  end
  T.ends(T.error_of(fleece.decode, '"\0\45\78"\0'), hint:format("UTF-16LE", "UTF-16LE")) -- a quote, U+4E2D, a quote
  T.ends(T.error_of(fleece.decode, "1\0"), hint:format("UTF-16LE", "UTF-16LE"))
end

-- A table that contains itself is called so, with the path, in every function that writes or merges it.
function TestMessages:test_cycles()
  local c, list, far = { a = {} }, {}, {}
  c.a.b, list[1] = c, list
  local at = far
  for i = 1, 40 do
    at["n" .. i] = i < 40 and {} or far
    at = at["n" .. i]
  end
  local function set(value) return { { op = "add", path = "/y", value = value } } end
  local function test(value) return { { op = "add", path = "/y", value = 1 }, { op = "test", path = "/x", value = value } } end
  local object = { x = { 1 } }
  for _, codec in ipairs(T.safe_codecs) do
    local view = codec.lazy '{"x":1}'
    for _, case in ipairs {
      { "", codec.encode, c }, { "", codec.encode, c, { canonical = "jcs" } }, { "", codec.encode, c, { sort_keys = true } },
      { "", codec.encode, c, { indent = 2, width = 80 } }, { "", codec.json, c }, { "", codec.size, c },
      { "", codec.write, function() end, c }, { "", codec.pack, c }, { "", codec.pack, c, { mode = "fast" } },
      { "", codec.pack, c, { mode = "compatible" } },
      { "change 1 (set 'a'): ", codec.edit, "{}", { { "set", "a", c } } },
      { "change 2 (insert '/0'): ", codec.edit, "[]", { { "append", "", 1 }, { "insert", "/0", c } } },
      { "patch: ", codec.merge_patch, {}, c }, { "patch: ", codec.merge_patch, object, c }, { "patch: ", codec.merge_patch, "{}", c },
      { "patch: ", codec.merge_patch, view, c }, { "patch: ", codec.merge_patch, 1, c },
      { "first argument: ", codec.merge_diff, c, {} }, { "second argument: ", codec.merge_diff, {}, c },
      { "second argument: ", codec.merge_diff, "{}", c }, { "first argument: ", codec.merge_diff, c, view },
      { "first argument: ", codec.json_diff, c, {} }, { "second argument: ", codec.json_diff, "{}", c },
      { "operations: ", codec.json_patch, "{}", set(c), "[1].value" },
      { "operation 2 (test '/x'): value: ", codec.json_patch, object, test(c) },
      { "operation 2 (test '/x'): ", codec.json_patch, { x = c }, test { 1 } },
    } do
      local prefix, f, path = case[1], case[2], type(case[5]) == "string" and case[5] or ""
      local result, message = f(case[3], case[4], type(case[5]) ~= "string" and case[5] or nil)
      T.same(result, nil)
      T.same(message, prefix .. "table contains itself at " .. path .. ".a.b")
    end
    T.same(select(2, codec.merge_patch({}, { m = { ["a b"] = c } })), 'patch: table contains itself at .m["a b"].a.b')
    T.same(select(2, codec.merge_patch({}, far)), "patch: " .. select(2, codec.encode(far)))
    T.same(select(2, codec.new({ max_depth = 5 }).merge_patch({}, far)), "patch: nesting too deep")
    for _, query in ipairs { "$..zz", "$..[?@.zz]" } do
      local q = codec.query(query)
      for _, f in ipairs { q, q.paths, q.each } do
        local given = f == q and { c } or { q, c }
        T.same(select(2, f(given[1], given[2])), "table contains itself at .a.b")
      end
      T.same(select(2, q { m = { { 1, c } } }), "table contains itself at .m[1][2].a.b")
    end
    T.equal(codec.query "$.a.b.a.b.a.n" { a = c }, {})
    local short = codec.new({ max_depth = 5 }).query "$..zz"
    T.same(select(2, short(far)), "the value is nested deeper than 5 levels")
    T.same(select(2, short(T.nested(20, 1))), "the value is nested deeper than 5 levels")
    T.same(codec.merge_patch({ a = 1 }, list), list) -- an array of a patch is taken as it is
  end
end
