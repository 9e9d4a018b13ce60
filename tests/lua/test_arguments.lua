-- SPDX-License-Identifier: MIT
-- test_arguments.lua -- programmer errors: wrong arguments, unknown options, wrong values of options.

local T = require "support"
local fleece, same = T.fleece, T.same

TestArguments = {}

function TestArguments:test_exact_text()
  -- Called by name from Lua, the message is the same on every Lua.
  local message = T.error_of(function()
    local text = fleece.encode({}, { indnt = 2 })
    return text
  end)
  T.ends(message, "bad argument #2 to 'encode' (unknown option 'indnt')")
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
  for _, name in ipairs { "indent\0", "mode\0x", "max_depth\0", "keys\0", "\0" } do -- Lua's names have all their bytes
    for _, call in ipairs { "encode", "decode", "pack", "open", "to_json" } do
      T.bad_argument(2, "unknown option", call, call == "open" and fleece.pack { 1 } or "[1]", { [name] = 1 })
    end
  end
  T.bad_argument(2, "", "encode", {}, { 1 })
  T.bad_argument(2, "", "encode", {}, { [true] = 1 })
  T.bad_argument(2, "unknown option 'x'", "encode", {}, { x = false })
end

-- Every option with values that it cannot have. The name of the option must be in the message.
local wrong = {
  indent = { -1, 17, 1.5, "x", "  x", true, {}, 0 / 0, 1 / 0 },
  sort_keys = { 1, "yes", {} },
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
  precision = { 0, 18, -1, 1.5, "x", true },
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

-- Every option with values that it can have.
local right = {
  indent = { 0, 1, 16, "", "\t", " \n\r\t", 2.0 },
  sort_keys = { true, false },
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
  metamethods = { true, false },
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
