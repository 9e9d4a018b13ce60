-- SPDX-License-Identifier: MIT
-- test_flags.lua -- fleece.json and fleece.size with E, E0..E4: exact output for every byte.

local T = require "support"
local fleece, same, model = T.fleece, T.same, T.model

TestFlags = {}

local flags = { "E0", "E1", "E2", "E3", "E4", "E" }

-- The rule of each flag, written by hand for the bytes that it treats.
local by_hand = {
  E0 = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", ["\n"] = "\n", ["\1"] = "\1", ["\127"] = "\127", ["\0"] = "\0" },
  E1 = { ['"'] = "*", ["\\"] = "*", ["/"] = "/", ["\n"] = "\n", ["\1"] = "\1", ["\127"] = "\127", ["\0"] = "\0" },
  E2 = { ['"'] = '\\"', ["\\"] = "\\\\", ["/"] = "/", ["\n"] = "\n", ["\1"] = "\1", ["\127"] = "\127", ["\0"] = "\0" },
  E3 = { ['"'] = '\\"', ["\\"] = "\\\\", ["/"] = "\\/", ["\n"] = "\n", ["\1"] = "\1", ["\127"] = "\127",
    ["\0"] = "\0" },
  E4 = {
    ['"'] = '\\"',
    ["\\"] = "\\\\",
    ["/"] = "\\/",
    ["\n"] = "\\n",
    ["\1"] = "\\u0001",
    ["\127"] = "\\u007f",
    ["\0"] = "\\u0000",
    ["\b"] = "\\b",
    ["\t"] = "\\t",
    ["\f"] = "\\f",
    ["\r"] = "\\r",
    ["\31"] = "\\u001f",
    ["\27"] = "\\u001b",
  },
}
by_hand.E = by_hand.E4

function TestFlags:test_by_hand()
  for flag, list in pairs(by_hand) do
    for raw, escaped in pairs(list) do
      same(T.json(raw, flag), '"' .. escaped .. '"', flag)
    end
  end
end

function TestFlags:test_every_byte()
  for _, flag in ipairs(flags) do
    for b = 0, 255 do
      local c = string.char(b)
      for _, s in ipairs { c, "ab" .. c, c .. "ab", "0123456789abcdef" .. c .. "0123456789abcdef", c:rep(40) } do
        same(T.json(s, flag), '"' .. model.escape_flag(s, flag) .. '"', flag .. " byte " .. b)
        same(T.json({ [s] = { s } }, flag),
          '{"' .. model.escape_flag(s, flag) .. '":["' .. model.escape_flag(s, flag) .. '"]}', flag)
      end
    end
  end
end

function TestFlags:test_all_bytes_in_one_string()
  local all = {}
  for b = 0, 255 do all[#all + 1] = string.char(b) end
  local s = table.concat(all)
  for _, flag in ipairs(flags) do
    same(T.json(s, flag), '"' .. model.escape_flag(s, flag) .. '"', flag)
  end
end

function TestFlags:test_default_is_E0()
  local s = '"\\/\n\127'
  same(T.json(s), '"' .. s .. '"')
  same(T.json(s, nil), T.json(s, "E0"))
end

function TestFlags:test_any_bytes_pass()
  for _, s in ipairs { "\255\254", "\237\160\128", "\192\128", "a\0b", ("\128"):rep(100) } do
    for _, flag in ipairs(flags) do
      same(T.json(s, flag), '"' .. model.escape_flag(s, flag) .. '"', flag)
    end
  end
end

function TestFlags:test_lengths_with_escapes()
  -- From the tests of 2011: every length up to and beyond the buffer's size, here with a byte to escape at the end.
  for n = 0, 300 do
    local s = ("x"):rep(n) .. '"'
    for _, flag in ipairs { "E0", "E1", "E4" } do
      same(T.json(s, flag), '"' .. model.escape_flag(s, flag) .. '"', flag)
    end
  end
end

-- E1 to E3 use E4's code as long as no byte needs an escape. So this tests every length that has its own code path,
-- with bytes that each flag escapes or keeps, at both ends and in the middle, in values and in keys.
function TestFlags:test_tables_of_strings()
  local rounded, any_cpu = fleece.new { precision = 14 }, fleece.new { layout = "any-cpu" }
  for n = 1, 70 do
    for _, c in ipairs { '"', "\\", "/", "\n", "\127", "\200", '"/', '\0"' } do
      for at = 1, n, n > 1 and math.max(1, math.floor((n - 1) / 2)) or 1 do
        local s = ("x"):rep(at - 1) .. c .. ("y"):rep(n - at)
        for _, flag in ipairs(flags) do
          local text = '"' .. model.escape_flag(s, flag) .. '"'
          local wanted = '["plain",' .. text .. ',"end",{' .. text .. ":1}]"
          local value = { "plain", s, "end", { [s] = 1 } }
          same(T.json(value, flag), wanted, flag)
          same(rounded.json(value, flag), wanted, flag)
          same(any_cpu.json(value, flag), wanted, flag)
        end
      end
    end
  end
end

-- json uses a codec's options except those for strings: its own flags control strings.
function TestFlags:test_precision_of_a_codec()
  local codec = fleece.new { precision = 14, ascii = true }
  local value = { 0.1 + 0.2, 1 / 3, "ä/", 1234567890.12345678 }
  for _, flag in ipairs(flags) do
    local s = model.escape_flag("ä/", flag)
    same(codec.json(value, flag), '[0.3,0.33333333333333,"' .. s .. '",1234567890.1235]', flag)
    same(codec.size(value, flag), #codec.json(value, flag), flag)
    same(codec.json(1 / 3, flag), "0.33333333333333", flag)
  end
  same(codec.json(value), codec.json(value, "E0"))
  same(fleece.json { 0.1 + 0.2 }, "[0.30000000000000004]")
end

function TestFlags:test_size_of_many_values()
  local values = { 0, -1, 12345, 1.5, -1e300, 5e-324, 1 / 3, 2 ^ 53, 2 ^ 60, "", "abc", ("x"):rep(5000),
    ('"'):rep(5000), { 1, 2, 3 }, { a = 1, b = { c = "d" } }, {}, { {} }, { { { {} } } }, { 1, nil, 3 },
      { [1] = 1, ["1"] = 2 }, true, false }
  for _, flag in ipairs(flags) do
    for _, v in ipairs(values) do T.json(v, flag) end
    T.json(values, flag)
  end
  T.json(nil)
end

function TestFlags:test_numbers_inside()
  same(T.json({ 1, 1.5, 2 ^ 53, 1e100 }, "E4"), "[1,1.5,9007199254740992,1e+100]")
  T.rejects_json({ 0 / 0 }, "number is NaN at [1]")
  T.rejects_json({ a = 1 / 0 }, "number is infinite at .a", "E")
  T.rejects_json({ a = { -1 / 0 } }, "number is infinite at .a[1]", "E2")
end

function TestFlags:test_bad_flags()
  for _, flag in ipairs { "", "E5", "e", "e4", "E10", "E44", "E-1", " E4", "E4 ", "4", "EE", "x", "E\0" } do
    T.bad_argument(2, "", "json", 1, flag)
    T.bad_argument(2, "", "size", 1, flag)
  end
  for _, flag in ipairs { true, {}, print } do
    T.bad_argument(2, "", "json", 1, flag)
    T.bad_argument(2, "", "size", 1, flag)
  end
end

function TestFlags:test_marks_in_json()
  same(T.json(fleece.array {}), "[]")
  same(T.json(fleece.object {}), "{}")
  same(T.json { fleece.null, fleece.raw "[1, 2]" }, "[null,[1, 2]]")
end

function TestFlags:test_depth_default_is_a_million()
  local t = {}
  for _ = 1, 2000 do t = { t } end
  same(T.json(t), ("["):rep(2001) .. ("]"):rep(2001))
end

function TestFlags:test_canonical_sorts_names()
  local codec = fleece.new { canonical = "jcs" }
  for _, flag in ipairs(flags) do
    if flag ~= "E0" then same(codec.json({ b = 1, a = 1, d = 1, c = 1 }, flag), '{"a":1,"b":1,"c":1,"d":1}') end
  end
end
