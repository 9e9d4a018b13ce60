-- SPDX-License-Identifier: MIT
-- test_one_line.lua -- the option one_line: whatever is in a value, its text has no line break.
-- What a text without white space is comes from fleece.format, which is tested by itself.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestOneLine = {}

local ONE_LINE = { one_line = true }

-- Texts with line breaks, and the same in one line.
local texts = {
  { "{\n}", "{}" }, { "\n1", "1" }, { "1\n", "1" }, { "\r\ntrue\r", "true" }, { "[1,\n2]", "[1,2]" }, { "[1\r,\t2 ]", "[1,2]" },
  { '{\n  "a": [\n    1.50,\n    -0\n  ],\n  "a": null\n}\n', '{"a":[1.50,-0],"a":null}' },
  { '[\n" a\\n\\r b ", "\\\\", "\\"", "\\\\\\" ,", "" , "\\u000a"]', '[" a\\n\\r b ","\\\\","\\"","\\\\\\" ,","","\\u000a"]' },
  { '{"\\\\" :\n{"\\"" : "é 字 \226\128\168"}}', '{"\\\\":{"\\"":"é 字 \226\128\168"}}' },
}
-- A text without a line break stays as it is.
local lines = { "[1, 2]", ' {"a": 1}', '"\\n"', '[ "a\\r" , 1 ]\t' }

-- Each way in which encode writes the text of somebody else, as a value of the array that encode is given.
local ways = {
  raw = function(text) return fleece.raw(text) end,
  hook = function(text) return setmetatable({}, { __tojson = function() return text end }) end,
  buffer = function(text)
    return setmetatable({}, { __tojson = function(_, state)
      for piece in text:gmatch "." do
        state.bufferlen = state.bufferlen + 1
        state.buffer[state.bufferlen] = piece
      end
      return true
    end })
  end,
  lazy = function(text) return fleece.lazy(text) end,
  settled = function(text)
    local view = fleece.lazy(text)
    for _ in fleece.pairs(view) do end
    return view
  end,
}
local is_lazy = { lazy = true, settled = true }

function TestOneLine:test_all_ways()
  for name, way in pairs(ways) do
    T.each(texts, function(case)
      local text, line = case[1], case[2]
      if is_lazy[name] and not line:find "^[%[{]" then return end
      same(fleece.format(text), line)
      same(T.encode({ way(text) }, ONE_LINE), "[" .. line .. "]")
      same(T.encode({ a = way(text) }, ONE_LINE), '{"a":' .. line .. "}")
      same(T.encode(way(text), ONE_LINE), line)
      lu.assertStrContains(T.encode({ way(text) }), is_lazy[name] and text:match "^%s*(.-)%s*$" or text)
    end)
    for _, text in ipairs(lines) do
      if not is_lazy[name] then same(T.encode({ way(text) }, ONE_LINE), "[" .. text .. "]") end
    end
  end
end

function TestOneLine:test_views()
  local text = '{"k":\n[1,  2,\n{"z":\r3}],  "q" : "\\n"}'
  local doc = fleece.lazy(text)
  same(T.encode({ doc, doc.k, doc.k[3] }, ONE_LINE), '[{"k":[1,2,{"z":3}],"q":"\\n"},[1,2,{"z":3}],{"z":3}]')
  local changed = fleece.lazy(text):mutable()
  same(T.encode({ changed }, ONE_LINE), '[{"k":[1,2,{"z":3}],"q":"\\n"}]')
  changed.k[1] = "a\nb"
  changed.s = 1
  same(fleece.encode({ changed }, ONE_LINE), '[{"k":["a\\nb",2,{"z":3}],"q":"\\n","s":1}]')
  lu.assertStrContains(fleece.encode(changed), "\n")
end

function TestOneLine:test_json5_is_read_as_a_document()
  local view = fleece.lazy("{a: // to the end of the line\n [1, /* more\n lines */ 'x\\\ny',],}", { json5 = true })
  same(T.encode({ view }, ONE_LINE), '[{"a":[1,"xy"]}]')
  lu.assertErrorMsgContains("not valid JSON", fleece.raw, "[1, // one\n2]")
  local hook = setmetatable({}, { __tojson = function() return "[1, // one\n2]" end })
  lu.assertErrorMsgContains("invalid JSON", fleece.encode, { hook }, ONE_LINE)
end

function TestOneLine:test_all_functions()
  local raw, line = fleece.raw '[1,\n{"a" : 2}]', '[1,{"a":2}]'
  local sink, result = T.collector()
  fleece.write(sink, { raw, raw }, ONE_LINE)
  same(result(), "[" .. line .. "," .. line .. "]")
  local pieces = {}
  for piece in fleece.writer({ raw, { raw } }, ONE_LINE) do pieces[#pieces + 1] = piece end
  same(table.concat(pieces), "[" .. line .. ",[" .. line .. "]]")
  same(fleece.builder(nil, ONE_LINE):array():value(raw):value { raw }:close():finish(), "[" .. line .. ",[" .. line .. "]]")
  local codec = fleece.new(ONE_LINE)
  same(codec.encode { raw }, "[" .. line .. "]")
  same(codec.json { raw }, "[" .. line .. "]")
  same(codec.size { raw }, #line + 2)
  same(fleece.edit('[0, 0]', { { "set", "/0", raw } }, ONE_LINE), "[" .. line .. ", 0]")
  -- patches, as tables and as texts, whose lines are those of strict JSON
  for _, value in ipairs { raw, "\r\n [1,\n{\"a\"\t: 2}]" } do
    local is_text = type(value) == "string"
    local member = is_text and { b = '{"b":' .. value .. "\n}", c = '{"c":{"d": null,\r"e": "\\n "}}' } or
      { b = { b = value }, c = { c = { d = fleece.null, e = "\n " } } }
    local operations = is_text and '[\n{"op":"replace","path":"/0","value":' .. value .. "}]" or { { op = "replace", path = "/0", value = value } }
    same(codec.merge_patch('{\n"b": 0}', member.b), '{\n"b": ' .. line .. "}")
    same(codec.merge_patch('{"b": 0}', member.c), '{"b": 0, "c": {"e":"\\n "}}')
    same(codec.json_patch("[0, 0]", operations), "[" .. line .. ", 0]")
    same(codec.merge_patch("0", is_text and value or raw), line)
  end
  local path = os.tmpname()
  fleece.write_file(path, { raw }, ONE_LINE)
  local file = assert(io.open(path))
  same(file:read "*a", "[" .. line .. "]")
  file:close()
  os.remove(path)
end

function TestOneLine:test_with_other_options()
  local value = { [2] = fleece.raw "[\n1]", b = "é/<", a = { f = print } }
  same(T.encode(value, { one_line = true, sort_keys = true, ascii = true, html = true, escape_slash = true,
    skip_unsupported = true, precision = 3 }), '{"2":[1],"a":{},"b":"\\u00e9\\/\\u003c"}')
  same(T.encode({ print }, { one_line = true, on_error = function() return fleece.raw "[\n2]" end }), "[[2]]")
  same(T.encode({ fleece.raw "\n1.50\n" }, { one_line = true, indent = 0 }), "[1.50]")
end

function TestOneLine:test_not_with_indent()
  local message = "option 'one_line' does not go with 'indent'"
  lu.assertErrorMsgContains(message, fleece.encode, {}, { one_line = true, indent = 2 })
  lu.assertErrorMsgContains(message, fleece.new, { one_line = true, indent = 2 })
  lu.assertErrorMsgContains(message, fleece.new(ONE_LINE).encode, {}, { indent = "\t" })
  same(fleece.new(ONE_LINE).encode({ fleece.raw "[\n1]" }, { indent = 1, one_line = false }), "[\n [\n1]\n]")
end

-- Long texts, which a sink gets in pieces, and whose last line break is far away.
function TestOneLine:test_long()
  local n = 50000
  local text = "[" .. ('"words, and a blank: \\\\" ,'):rep(n) .. "\n1]"
  local line = "[" .. ('"words, and a blank: \\\\",'):rep(n) .. "1]"
  for _, value in ipairs { fleece.raw(text), (fleece.lazy(text)) } do
    local sink, result = T.collector()
    fleece.write(sink, { value, value }, ONE_LINE)
    same(result(), "[" .. line .. "," .. line .. "]")
    same(T.encode({ value }, ONE_LINE), "[" .. line .. "]")
  end
end
