-- SPDX-License-Identifier: MIT
-- test_strings.lua -- strings around each buffer size, every byte, escapes at each position, the text options, by each
-- walk.
-- runs: in one layout

local T = require "support"
local same, model = T.same, T.model

TestStrings = {}

local lengths = {}
for n = 0, 300 do lengths[#lengths + 1] = n end
for _, edge in ipairs { 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072 } do
  for n = edge - 10, edge + 10 do lengths[#lengths + 1] = n end
end
lengths[#lengths + 1] = 1000000

function TestStrings:test_lengths()
  for _, n in ipairs(lengths) do
    local s = ("x"):rep(n)
    same(T.encode(s), '"' .. s .. '"')
    same(T.encode { s, n }, '["' .. s .. '",' .. n .. "]")
    same(T.encode { [s] = s }, '{"' .. s .. '":"' .. s .. '"}')
  end
end

function TestStrings:test_lengths_of_escapes()
  for _, n in ipairs(lengths) do
    local quotes, zeros = ('"'):rep(n), ("\1"):rep(n)
    same(T.encode(quotes), '"' .. ('\\"'):rep(n) .. '"')
    same(T.encode { zeros }, '["' .. ("\\u0001"):rep(n) .. '"]')
  end
end

function TestStrings:test_prefix_before_a_string()
  -- Here a prefix of growing length moves the second string across the end of the buffer.
  for n = 4000, 4200 do
    local t = { ("y"):rep(n), "\n\"tail\"" }
    same(T.encode(t), '["' .. t[1] .. '","\\n\\"tail\\""]')
  end
end

function TestStrings:test_every_byte()
  for b = 0, 127 do
    local c = string.char(b)
    T.escapes_by_model(c)
    T.escapes_by_model(c:rep(17))
    T.escapes_by_model("0123456789abcdef" .. c)
    T.encode_by_model(c .. "\127" .. c)
  end
  same(T.encode "\127", '"\127"')
  same(T.encode "/", '"/"')
  same(T.encode "\b\t\n\f\r\11\0", '"\\b\\t\\n\\f\\r\\u000b\\u0000"')
end

function TestStrings:test_escape_at_each_position()
  for n = 1, 70 do
    for i = 1, n do
      for _, c in ipairs { '"', "\\", "\31", "\n" } do
        T.escapes_by_model(("a"):rep(i - 1) .. c .. ("a"):rep(n - i))
      end
    end
  end
end

function TestStrings:test_two_escapes_at_each_distance()
  for i = 0, 40 do
    for j = 0, 40 do T.escapes_by_model(("a"):rep(i) .. '"' .. ("b"):rep(j) .. "\\") end
  end
end

function TestStrings:test_neighbours_of_the_escaped_bytes()
  -- 32, 33, 35, 91, 93, 127 and the same bytes with the high bit need no escapes.
  for n = 1, 40 do
    local s = (" !#[]\127"):rep(n)
    same(T.encode(s), '"' .. s .. '"')
  end
  -- U+00A2 U+00DC U+00A0 U+00AF: 0x22, 0x5C, 0x20, 0x2F with the high bit
  local high = "\194\162\195\156\194\160\194\175"
  for n = 1, 20 do same(T.encode(high:rep(n)), '"' .. high:rep(n) .. '"') end
end

function TestStrings:test_utf8_passes()
  local samples = { "\194\128", "\223\191", "\224\160\128", "\237\159\191", "\238\128\128", "\239\191\191",
    "\240\144\128\128", "\244\143\191\191", "\226\130\172", "\240\159\152\128", "\227\129\130" }
  for _, c in ipairs(samples) do
    for before = 0, 66 do
      local s = ("a"):rep(before) .. c .. "z"
      same(T.encode(s), '"' .. s .. '"')
    end
    for n = 1, 40 do same(T.encode(c:rep(n)), '"' .. c:rep(n) .. '"') end
    T.encode_by_model(c:rep(3000))
  end
end

function TestStrings:test_ascii()
  same(T.encode("\195\164", { ascii = true }), '"\\u00e4"')
  same(T.encode("\226\130\172", { ascii = true }), '"\\u20ac"')
  same(T.encode("\240\159\152\128", { ascii = true }), '"\\ud83d\\ude00"')
  same(T.encode("\244\143\191\191", { ascii = true }), '"\\udbff\\udfff"')
  same(T.encode({ ["\195\164"] = "a" }, { ascii = true }), '{"\\u00e4":"a"}')
  same(T.encode("\127abc/\n", { ascii = true }), '"\127abc/\\n"')
  for before = 0, 40 do T.escapes_by_model(("a"):rep(before) .. "\240\159\152\128\195\164\"", { ascii = true }) end
  T.escapes_by_model(("\240\159\152\128"):rep(5000), { ascii = true })
  T.encode_by_model(("\195\164\226\130\172"):rep(5000), { ascii = true })
end

function TestStrings:test_html()
  same(T.encode("<a href='x'>&amp;</a>", { html = true }), "\"\\u003ca href='x'\\u003e\\u0026amp;\\u003c/a\\u003e\"")
  same(T.encode("\226\128\168\226\128\169\226\128\167", { html = true }), '"\\u2028\\u2029\226\128\167"')
  for before = 0, 40 do T.escapes_by_model(("a"):rep(before) .. "<\226\128\168>", { html = true }) end
  T.escapes_by_model(("<script>"):rep(3000), { html = true })
end

function TestStrings:test_escape_slash()
  same(T.encode("a/b", { escape_slash = true }), '"a\\/b"')
  same(T.encode({ ["a/b"] = "/" }, { escape_slash = true }), '{"a\\/b":"\\/"}')
  same(T.encode("a/b", { escape_slash = false }), '"a/b"')
  for before = 0, 40 do T.escapes_by_model(("a"):rep(before) .. "/x/", { escape_slash = true }) end
  T.escapes_by_model(("/"):rep(20000), { escape_slash = true })
end

function TestStrings:test_all_together()
  local s = "</\195\164\240\159\152\128\226\128\168\1\"\\&>"
  for mask = 0, 7 do
    local options = { ascii = mask % 2 == 1, html = mask % 4 >= 2, escape_slash = mask >= 4 }
    T.escapes_by_model(s, options)
    T.escapes_by_model(s:rep(2000), options)
    T.encode_by_model({ [s] = s }, options)
  end
end

function TestStrings:test_long_strings_are_cut_between_characters()
  -- Long strings are processed in pieces; no piece may end inside a character or lose a byte.
  for _, c in ipairs { "\195\164", "\226\130\172", "\240\159\152\128" } do
    for shift = 0, 4 do
      local s = ("a"):rep(shift) .. c:rep(13000)
      same(T.encode(s), '"' .. s .. '"')
      T.escapes_by_model(s, { ascii = true })
      T.escapes_by_model(s, { invalid_utf8 = "replace" })
    end
  end
end

function TestStrings:test_strings_with_zeros()
  local s = "a\0b\0\0c"
  same(T.encode(s), '"a\\u0000b\\u0000\\u0000c"')
  T.encode_by_model { [s] = s, [s .. s] = 1 }
end
