-- SPDX-License-Identifier: MIT
-- test_arguments.lua -- programmer errors: wrong arguments, unknown options, wrong values of options.

local T = require "support"
local fleece, same = T.fleece, T.same

TestArguments = {}

function TestArguments:test_exact_text()
  -- If the function is called by its name, the message is the same in every Lua.
  local message = T.error_of(function()
    local text = fleece.encode({}, { indnt = 2 })
    return text
  end)
  T.ends(message, "bad argument #2 to 'encode' (unknown option 'indnt'; did you mean 'indent'?)")
  T.contains(message, "test_arguments.lua:")
end

function TestArguments:test_no_value()
  for _, name in ipairs { "encode", "json", "size" } do T.bad_argument(1, "", name) end
  T.bad_argument(2, "", "write", function() end)
  T.raises_with("bad argument #", fleece.write)
end

function TestArguments:test_options_must_be_a_table()
  for _, wrong in ipairs { 1, "x", true, print } do
    T.bad_argument(2, "table expected", "encode", {}, wrong)
    T.bad_argument(3, "table expected", "write", function() end, {}, wrong)
    T.bad_argument(1, "table expected", "new", wrong)
  end
  same(fleece.encode(1, nil), "1")
end

function TestArguments:test_unknown_options()
  for _, name in ipairs { "indnt", "Indent", "sort", "", "nul", "x y", ("long"):rep(100) } do
    T.bad_argument(2, "unknown option '" .. name:sub(1, 40), "encode", {}, { [name] = 1 })
    T.bad_argument(1, "unknown option '" .. name:sub(1, 40), "new", { [name] = 1 })
    T.bad_argument(3, "unknown option '" .. name:sub(1, 40), "write", function() end, {}, { [name] = 1 })
  end
  -- names are compared with all their bytes
  for _, name in ipairs { "indent\0", "mode\0x", "max_depth\0", "keys\0", "\0" } do
    for _, call in ipairs { "encode", "decode", "pack", "open", "to_json" } do
      T.bad_argument(2, "unknown option", call, call == "open" and fleece.pack { 1 } or "[1]", { [name] = 1 })
    end
  end
  T.bad_argument(2, "", "encode", {}, { 1 })
  T.bad_argument(2, "", "encode", {}, { [true] = 1 })
  T.bad_argument(2, "unknown option 'x'", "encode", {}, { x = false })
end

-- The most similar option is suggested, if one is similar enough.
function TestArguments:test_suggestions()
  for name, meant in pairs {
    Indent = "indent", indnet = "indent", sort_key = "sort_keys", ["sort-keys"] = "sort_keys", sparce = "sparse",
    max_dept = "max_depth", empty_tables = "empty_table", acsii = "ascii", hmtl = "html", precison = "precision",
  } do
    local message = T.error_of(fleece.encode, {}, { [name] = 1 })
    T.ends(message, "(unknown option '" .. name .. "'; did you mean '" .. meant .. "'?)")
  end
  for name, meant in pairs { comment = "comments", nul = "null", trailing_comma = "trailing_commas", JSON5 = "json5" } do
    T.bad_argument(2, "unknown option '" .. name .. "'; did you mean '" .. meant .. "'?", "decode", "1", { [name] = 1 })
  end
  T.bad_argument(1, "unknown option 'modee'; did you mean 'mode'?", "new", { modee = 1 })
  T.bad_argument(2, "unknown option 'colours'; did you mean 'colors'?", "format", "1", { colours = 1 })
  T.bad_argument(2, "unknown option 'trustd'; did you mean 'trusted'?", "open", "3000", { trustd = 1 })
  for _, name in ipairs { "x", "colors of lines", "q", "xyz", ("indent"):rep(4) } do
    T.ends(T.error_of(fleece.encode, {}, { [name] = 1 }), "(unknown option '" .. name .. "')")
  end
end

-- An option of another function is an error too: it would have no effect.
function TestArguments:test_options_of_other_functions()
  local none = "option '%s' has no effect here"
  local function refuse(number, option, value, name, ...)
    local arguments = T.pack(...)
    arguments[number] = { [option] = value }
    T.bad_argument(number, none:format(option), name, T.unpack(arguments, 1, number))
  end
  for option, value in pairs { trusted = true, lines = true, comments = true, mode = "compact", colors = true } do
    refuse(2, option, value, "encode", {})
    refuse(3, option, value, "write", function() end, {})
    refuse(2, option, value, "writer", {})
  end
  for option, value in pairs { indent = 2, lines = true, colors = false, canonical = true, mode = "compact", key_order = {} } do
    refuse(2, option, value, "decode", "1")
    refuse(3, option, value, "decode_prefix", "1", 1)
    refuse(2, option, value, "decode_file", "/dev/null")
    if option ~= "lines" then refuse(2, option, value, "documents", "1") end
    refuse(3, option, value, "items", "[]", "")
    refuse(2, option, value, "pick", "a")
    refuse(1, option, value, "parser")
  end
  for option, value in pairs { null = "nil", precision = 3, duplicates = "error", trusted = true, layout = "api" } do
    refuse(2, option, value, "format", "1")
    refuse(3, option, value, "format_stream", "1", nil)
  end
  for option, value in pairs { duplicates = "error", trusted = true, lines = true, numeric_keys = true } do
    refuse(3, option, value, "edit", "1", {})
  end
  for option, value in pairs { null = "nil", indent = 2, map = true, canonical = true, big_numbers = "string" } do
    refuse(2, option, value, "from_json", "1")
    refuse(3, option, value, "patch", "3000", "{}")
    refuse(1, option, value, "encoder")
  end
  for option, value in pairs { null = "nil", indent = 2, map = true } do
    if option ~= "null" then refuse(2, option, value, "open", "3000") end
    refuse(3, option, value, "diff", "3000", "3000")
  end
  refuse(2, "precision", 3, "to_json", "3000")
  refuse(2, "comments", true, "unpack", "3000")
  local codec = fleece.new { canonical = true, lines = true, null = "nil", comments = true, indent = 1, map = true, duplicates = "error" }
  same(codec.encode { 1 }, "[\n 1\n]")
  same(codec.decode "/**/1", 1)
end

-- f(g(x)) where g returns two values.
function TestArguments:test_several_results()
  local several = "; if it is a further result of a function, put the call in parentheses)"
  local function two() return "[1]", 3 end
  for _, name in ipairs { "encode", "decode", "format", "pack", "unpack", "from_json", "to_json", "check", "open", "lazy", "writer" } do
    T.ends(T.error_of(fleece[name], two()), "bad argument #2 to '" .. name .. "' (table expected, got number" .. several)
  end
  T.ends(T.error_of(fleece.json, two()), "bad argument #2 to 'json' (invalid flag '3': flags are \"E\" and \"E0\" to \"E4\"" .. several)
  T.ends(T.error_of(fleece.size, {}, "E7"), "bad argument #2 to 'size' (invalid flag 'E7': flags are \"E\" and \"E0\" to \"E4\")")
  T.ends(T.error_of(fleece.new, "x"), "bad argument #1 to 'new' (table expected, got string)")
  T.ends(T.error_of(fleece.write, function() end, two()), "bad argument #3 to 'write' (table expected, got number" .. several)
  T.ends(T.error_of(fleece.decode, "1", "2"), "bad argument #2 to 'decode' (table expected, got string" .. several)
  T.ends(T.error_of(fleece.decode, "1", true), "bad argument #2 to 'decode' (table expected, got boolean)")
end

-- For functions called by pcall, Lua has no name; the error message has it anyway.
function TestArguments:test_names_under_pcall()
  for _, name in ipairs { "encode", "json", "size", "pack" } do
    for _, codec in ipairs { fleece, T.api, T.safe } do
      T.ends(T.error_of(codec[name]), "bad argument #1 to '" .. name .. "' (value expected)")
    end
  end
  for _, name in ipairs { "decode", "decode_prefix", "decode_file", "format", "from_json", "unpack", "check", "open", "open_file", "lazy", "raw", "to_json", "edit" } do
    T.contains(T.error_of(fleece[name], {}), "bad argument #1 to '" .. name .. "' (")
  end
  for _, name in ipairs { "documents", "format_stream", "write" } do
    T.contains(T.error_of(fleece[name], {}, {}), "bad argument #1 to '" .. name .. "' (")
  end
  for _, name in ipairs { "array", "object", "parser", "encoder", "new" } do
    T.ends(T.error_of(fleece[name], 5):gsub(";.*", ")"), "bad argument #1 to '" .. name .. "' (table expected, got number)")
  end
  local parser, writer = fleece.parser(), fleece.writer {}
  T.ends(T.error_of(parser.feed, parser, {}), "bad argument #2 to 'feed' (string expected, got table)")
  T.ends(T.error_of(parser.feed, 1), "bad argument #1 to 'feed' (parser expected, got number)")
  T.ends(T.error_of(parser.step, parser, -1), "bad argument #2 to 'step' (a number of bytes expected)")
  T.ends(T.error_of(parser.finish, writer), "bad argument #1 to 'finish' (parser expected, got " .. ((T.jit or T.version < "Lua 5.3") and "userdata" or "fleece.writer") .. ")")
  T.ends(T.error_of(writer.next, writer, "x"), "bad argument #2 to 'next' (number expected, got string)")
  local doc = fleece.open(fleece.pack { a = { 1, 2 } })
  local mutable, encoder = doc:mutable(), fleece.encoder()
  local whole = "whole number from -2^63 to 2^63 - 1 expected"
  for _, case in ipairs {
    { doc.pointer, doc, {}, message = "bad argument #2 to 'pointer' (string expected, got table)" },
    { doc.root.pointer, doc.root, message = "bad argument #2 to 'pointer' (string expected, got no value)" },
    { doc.root.walk, doc.root, 3, message = "bad argument #2 to 'walk' (function expected, got number)" },
    { doc.amend, doc, 3, message = "bad argument #2 to 'amend' (function expected, got number)" },
    { doc.mutable, 3, message = "bad argument #1 to 'mutable' (view or document expected, got number)" },
    { mutable.a.insert, mutable.a, "x", message = "bad argument #2 to 'insert' (number expected, got string)" },
    { encoder.integer, encoder, 1.5, message = "bad argument #2 to 'integer' (" .. whole .. ")" },
    { fleece.keys().code, 3, message = "bad argument #1 to 'code' (keys expected, got number)" },
  } do
    T.ends(T.error_of(T.unpack(case)), case.message)
  end
  -- a name that Lua finds is kept
  local message = T.error_of(function()
    local enc = fleece.encode
    local text = enc()
    return text
  end)
  T.ends(message, "bad argument #1 to 'enc' (value expected)")
end

-- Values that each option refuses. The message must contain the name of the option.
local wrong = {
  indent = { -1, 17, 1.5, "x", "  x", true, {}, 0 / 0, 1 / 0 },
  sort_keys = { 1, "yes", {} },
  canonical = { 1, "yes", {} },
  key_order = { 1, "a", true, { 1 }, { "a", 2 }, { true } },
  escape_slash = { 1, "on" },
  ascii = { 1, "on" },
  html = { 0, {} },
  empty_table = { "list", true, 1, "Array" },
  sparse = { "x", true, 1 },
  sparse_ratio = { "x", true, -1 },
  invalid_numbers = { "nan", true, 1 },
  invalid_utf8 = { "x", true, 1 },
  max_depth = { 0, -1, 10000001, 1.5, "x", true, 0 / 0, 1 / 0 },
  skip_unsupported = { 1, "on" },
  on_error = { 1, "x", true, {} },
  metamethods = { 1, "on" },
  precision = { 0, 18, -1, 1.5, "x", true }, decimals = { -1, 18, 1.5, "x", true }, float32 = { 1 }, integers = { "exact", true },
  float_integers = { 1, "on" },
  layout = { "lua5.4", "raw", 1, true },
}

function TestArguments:test_wrong_values()
  for option, values in pairs(wrong) do
    for _, value in ipairs(values) do
      T.bad_argument(2, option, "encode", {}, { [option] = value })
      T.bad_argument(1, option, "new", { [option] = value })
      T.bad_argument(3, option, "write", function() end, {}, { [option] = value })
    end
  end
end

-- Values that each option accepts.
local right = {
  indent = { 0, 1, 16, "", "\t", " \n\r\t", 2.0 },
  sort_keys = { true, false },
  canonical = { "jcs", false },
  key_order = { {}, { "a" }, { "b", "a", "a" } },
  escape_slash = { true, false },
  ascii = { true, false },
  html = { true, false },
  empty_table = { "array", "object" },
  sparse = { "object", "null", "error" },
  sparse_ratio = { 1, 2, 100 },
  invalid_numbers = { "error", "null", "literal" },
  invalid_utf8 = { "error", "replace", "escape", "pass" },
  max_depth = { 1, 1000, 10000000 },
  skip_unsupported = { true, false },
  on_error = { print },
  metamethods = { true, false, "serialize" },
  decimals = { 0, 2, 17 }, float32 = { true, false }, integers = { "any", "safe" },
  precision = { 1, 17 },
  float_integers = { true, false },
  layout = { "auto", "api" },
}

function TestArguments:test_right_values()
  for option, values in pairs(right) do
    for _, value in ipairs(values) do
      same(T.encode("a", { [option] = value }), '"a"', option)
      same(T.encode({ "a" }, { [option] = value }):gsub("%s", ""), '["a"]', option)
      same(fleece.new { [option] = value }.encode "a", '"a"', option)
    end
  end
end

function TestArguments:test_every_option_is_listed_in_both()
  for option in pairs(right) do same(wrong[option] ~= nil, true, option) end
  for option in pairs(wrong) do same(right[option] ~= nil, true, option) end
end

function TestArguments:test_wrong_sinks()
  for _, sink in ipairs { 1, "file", true, {} } do
    T.bad_argument(1, "", "write", sink, {})
  end
  T.bad_argument(1, "", "write", nil, {})
end

function TestArguments:test_wrong_marks()
  for _, wrong_value in ipairs { 1, "x", true, print } do
    for _, name in ipairs { "array", "object" } do
      T.raises_with("bad argument #1 to '", fleece[name], wrong_value)
    end
  end
  for _, wrong_value in ipairs { true, {}, print } do
    T.raises_with("bad argument #1 to '", fleece.raw, wrong_value)
  end
  T.raises_with("bad argument #1 to '", fleece.raw)
end

function TestArguments:test_an_error_changes_nothing()
  for _ = 1, 100 do
    pcall(fleece.encode, {}, { indent = 2, unknown = 1 })
    pcall(fleece.encode, { print })
    pcall(fleece.json, { print }, "E4")
    same(fleece.encode { { 1 } }, "[[1]]")
  end
end
