-- SPDX-License-Identifier: MIT
-- test_hints.lua -- where a text is refused that an option would allow, the message names the option: always, and only
-- then.

local T = require "support"
local random_text = require "random_text"
local fleece = T.fleece

TestHints = {}

local function all(source, options)
  for _ in fleece.documents(source, options) do end
end

-- Calls f(message, name) for each function that reads a text.
local function readers(text, f)
  local sample = fleece.pack {}
  for _, codec in ipairs { fleece, T.api } do
    for _, name in ipairs { "decode", "decode_prefix", "format", "format_stream", "from_json", "lazy" } do f(T.error_of(codec[name], text), name) end
    f(T.error_of(all, text), "documents")
    f(T.error_of(function() return codec.parser():feed(text):finish() end), "parser")
    f(T.error_of(codec.pick "a", text), "pick")
    f(T.error_of(codec.query "$.a", text), "query")
    f(T.error_of(codec.edit, text, { { "a", 1 } }), "edit")
    f(T.error_of(codec.merge_patch, text, "{}"), "merge_patch")
    f(T.error_of(codec.json_patch, text, "[]"), "json_patch")
    f(T.error_of(codec.patch, sample, text), "patch")
    f(T.error_of(function() return codec.encoder():json(text) end), "encoder")
  end
end

-- What RFC 8259 refuses, and the option that allows it: comments and commas by their names, NaN and Infinity as
-- JavaScript writes them, all else by JSON5's grammar.
local allowed_by = {
  ["trailing_commas = true"] = { "[1,]", '{"a":1,\n}' },
  ["comments = true"] = { "// x\n1", "[1 // x\n]", '{"a" /**/ :1}', "{/*x*/}", '[1/**/]' },
  ["bom = true"] = { "\239\187\191[1]" },
  ['invalid_numbers = "null"'] = { "NaN", "[1,Infinity]", "[-Infinity]", '{"a":NaN}' },
  ['invalid_utf8 = "replace"'] = { '"\255"', '{"\192\128":1}', '["\\ud800"]', '["\\udc00\\ud800"]', '"\237\160\128"', '"caf\233"' },
  ["json5 = true"] = {
    "'a'", "['" .. ("long"):rep(100) .. "']", "{a:1}", "{'a':1}", "{$_:1}", "{\\u0061:1}", "[+1]", "[.5]", "[-.5]", "[5.]", "[5.,1]", "[0x1F]", "[-0X1f]", "[+Infinity]",
    "[+NaN]", "[-NaN]", '["\\x41"]', '["\\v"]', '["\\0"]', "[\"\\'\"]", '["a\\\nb"]', '["a\tb"]', "[1\v]",
  },
}

-- No option allows these.
local refused = {
  "[tru]", "[True]", "[None]", "[undefined]", "[Nan]", "[Inf]", "[01]", "[1e]", "[--1]", "[+]", "[.]", "[0x]", "[12x]", "[5.x]", "[1.2.3]", "{1:2}",
  '{"a" 1}', '["\\1"]', '["\\u12"]', '["\\x4"]', '["a\nb"]', "[1 # x]", "[1 /x]", "['a]", "[,]", "{,}", "[1,,2]", "[1,}", "[1 2]", "[1]]", "[1:2]", "=1", "", "[", '"a',
  ("1"):rep(300) .. "x",
}

function TestHints:test_options_that_allow_it()
  for hint, texts in pairs(allowed_by) do
    T.each(texts, function(text)
      readers(text, function(err, name)
        if name == "parser" then err = err:gsub(" may allow ", " allows ") end -- more of the text is not known yet
        T.ends(err, " (" .. hint .. " allows it)")
      end)
    end)
  end
  T.each(refused, function(text)
    for _, f in ipairs { fleece.decode, fleece.format, fleece.from_json, fleece.pick "a" } do
      local err = T.error_of(f, text)
      T.same(err:find(" allows", 1, true), nil, err)
    end
  end)
  -- the wrong byte could begin what an option allows, but that option is given: something else follows
  for _, case in ipairs {
    { { invalid_numbers = "null" }, "Not", "[Inf]", "[-In]" }, { { comments = true, trailing_commas = true }, "[1 /x", "/" },
    { { json5 = true }, "Not", "[Inf]", "[1 /x", "/", "{/" },
  } do
    for i = 2, #case do
      local err = T.error_of(function() return fleece.parser(case[1]):feed(case[i]):finish() end)
      T.same(err:find(" allow", 1, true), nil, err)
    end
  end
  readers(("["):rep(1001), function(err) T.ends(err, " (max_depth allows more)") end)
end

-- An option is named where the function has it, and a value that the function can use: documents hold no NaN.
function TestHints:test_options_of_the_function()
  for _, name in ipairs { "from_json", "lazy" } do T.ends(T.error_of(fleece[name], "[1e400]"), " near '[1e400]'") end
  for _, f in ipairs { fleece.decode, fleece.decode_prefix, all, fleece.pick "0" } do
    T.ends(T.error_of(f, "[1e400]"), " near '[1e400]' (big_numbers = \"string\" allows it)")
  end
  for _, options in ipairs { { json5 = true }, { invalid_numbers = "literal" } } do
    T.ends(T.error_of(fleece.from_json, "[NaN]", options),
      "a number cannot be NaN at line 1, column 2, byte 2 near '[NaN]' (invalid_numbers = \"null\" allows it)")
  end
  for _, text in ipairs { "NaN", "-NaN", "Infinity", "+Infinity" } do
    T.ends(T.error_of(fleece.format, text, { json5 = true }), text .. "' (invalid_numbers = \"null\" allows it)")
  end
  -- canonical JSON has no NaN and no replaced bytes: these options do not go with it
  local canonical = { canonical = "jcs" }
  for text, hint in pairs {
    ["[NaN]"] = "[NaN]'", ['["\255"]'] = "\255\"]'", ["[-Infinity]"] = "[-Infinity]'", ["['a']"] = "['a']' (json5 = true allows it)",
    ["[1,]"] = "[1,]' (trailing_commas = true allows it)", ["[1/**/]"] = "[1/**/]' (comments = true allows it)",
  } do T.ends(T.error_of(fleece.format, text, canonical), hint) end
  -- the reference encoder's limit is not an option
  T.ends(T.error_of(fleece.from_json, ("["):rep(2000), { mode = "compatible", max_depth = 5000 }), "['")
end

-- The texts of patches and differences are strict JSON (docs/patch.md), with a byte order mark if the codec allows it.
function TestHints:test_patches()
  for hint, texts in pairs(allowed_by) do
    local option = hint:match "^[%w_]+"
    local is_allowed = option == "bom" or option == "invalid_utf8"
    T.each(texts, function(text)
      for _, f in ipairs { fleece.json_diff, fleece.merge_diff, fleece.merge_patch, fleece.json_patch } do
        T.same(T.error_of(f, "{}", text):find(hint .. " allows it", 1, true) ~= nil, is_allowed)
      end
    end)
  end
  local codec, mark = fleece.new { bom = true }, "\239\187\191"
  T.same(codec.json_diff(mark .. "[]", mark .. "[1]"), '[{"op":"add","path":"/0","value":1}]')
  T.same(codec.merge_diff(mark .. "{}", mark .. '{"a":1}'), '{"a":1}')
  T.same(codec.merge_patch(mark .. "{}", mark .. '{"a":1}'), mark .. '{"a":1}')
  T.same(codec.json_patch("[]", mark .. '[{"op":"add","path":"/0","value":1}]'), "[1]")
end

-- ---- for any text ------------------------------------------------------------------------------------------------

local values = { trailing_commas = true, comments = true, bom = true, json5 = true, invalid_numbers = "null", invalid_utf8 = "replace" }

-- The option that a message names prevents that error, and where none is named, none makes the text valid. Returns the
-- name.
local function look(text)
  local _, err, byte = T.safe.decode(text)
  if err == nil or err:find "^unexpected end" then return end -- more text would be allowed without options
  local hint = err:match " %(([%w_]+)[^()']*%)$"
  for name, value in pairs(values) do
    local _, other, at = T.safe.decode(text, { [name] = value })
    local is_same = (at and at.byte) == byte.byte and other:match "^%a+ %a+" == err:match "^%a+ %a+"
    if hint == name then T.same(is_same, false, err) end
    if hint == nil then T.same(other ~= nil, true, err .. ": " .. name .. " allows it") end
  end
  return hint
end

function TestHints:test_true_and_complete()
  local named, texts = 0, T.suite_texts()
  for _, list in pairs(allowed_by) do for _, text in ipairs(list) do texts[#texts + 1] = text end end
  for _, text in ipairs(refused) do texts[#texts + 1] = text end
  T.each(texts, function(text) if look(text) then named = named + 1 end end)
  T.same(named > 30, true)
end

local PIECES = { "'", "NaN", "-Infinity", "Infinity", "//", "/*", "*/", ",", "+", ".", "0x", "0", "x", "a", "\\", "\\x41", "\\u00", "\\ud800", "\255", "\t", "\n", "\v", "\194\160",
  "\239\187\191", "[", "]", "{", "}", ":", '"', "1", "e", "-" }

function TestHints:test_true_and_complete_random()
  T.random_rounds(3000, function() look(T.damaged(random_text.text(3, 5), PIECES)) end)
end
