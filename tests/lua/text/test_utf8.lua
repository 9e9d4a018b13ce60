-- SPDX-License-Identifier: MIT
-- test_utf8.lua -- ill-formed UTF-8: where it is found and what each policy does with it, by both walks.
-- runs: in one layout

local T = require "support"
local lu, fleece, same, model = T.lu, T.fleece, T.same, T.model

TestUtf8 = {}

-- Every kind of ill-formed sequence; each must be an error in every place.
local bad = {
  "\128", "\191", -- a lone continuation byte
  "\192\128", "\193\191", -- overlong, two bytes
  "\224\128\128", "\224\159\191", -- overlong, three bytes
  "\240\128\128\128", "\240\143\191\191", -- overlong, four bytes
  "\237\160\128", "\237\175\191", "\237\176\128", "\237\191\191", -- surrogates
  "\244\144\128\128", "\245\128\128\128", "\247\191\191\191", -- above U+10FFFF
  "\248\136\128\128\128", "\252\132\128\128\128\128", "\254", "\255", -- never in UTF-8
  "\194", "\223", "\224\160", "\239\191", "\240\144\128", "\244\143\191", "\226", "\240\159", "\240", -- truncated
  -- interrupted by the next character
  "\194\194\128", "\226\130\195\164", "\240\159\152\226\130\172", "\226\40\161", "\195\40",
  "\237\160\189\237\184\128", -- a surrogate pair, three bytes each
}

function TestUtf8:test_error()
  for _, c in ipairs(bad) do
    for _, before in ipairs { 0, 1, 2, 7, 8, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 100, 1000 } do
      local s = ("a"):rep(before) .. c
      local at = model.utf8_error(s)
      T.rejects({ name = s }, "invalid UTF-8 at .name (byte " .. at .. ")")
      T.rejects({ s .. "tail of the string, long enough" }, "invalid UTF-8 at [1] (byte " .. at .. ")")
    end
  end
end

function TestUtf8:test_error_after_valid_text()
  for n = 1, 20 do
    local good = ("\226\130\172\195\164\240\159\152\128"):rep(n)
    T.rejects(good .. "\255", "invalid UTF-8 at the root (byte " .. #good + 1 .. ")")
    T.rejects(good .. "\226\130" .. good, "invalid UTF-8 at the root (byte " .. #good + 1 .. ")")
  end
end

function TestUtf8:test_error_far_inside()
  for _, n in ipairs { 4095, 4096, 8190, 8191, 8192, 8193, 65535, 100000 } do
    local s = ("a"):rep(n) .. "\128"
    T.rejects(s, "invalid UTF-8 at the root (byte " .. n + 1 .. ")")
    T.rejects(("\195\164"):rep(n) .. "\195", "invalid UTF-8 at the root (byte " .. 2 * n + 1 .. ")")
  end
end

function TestUtf8:test_error_in_a_key()
  for _, codec in ipairs(T.codecs) do
    T.raises_with("invalid UTF-8", codec.encode, { a = { ["k\255"] = 1 } })
    T.raises_with("invalid UTF-8", codec.encode, { ["\237\160\128"] = 1 })
  end
end

function TestUtf8:test_valid_string_before_an_invalid_one()
  T.rejects({ "good", "\195\164", "\255" }, "invalid UTF-8 at [3] (byte 1)")
  T.rejects({ "good", "\195\164", { x = "ab\255" } }, "invalid UTF-8 at [3].x (byte 3)")
end

local policies = { "replace", "escape", "pass" }

function TestUtf8:test_policies()
  for _, policy in ipairs(policies) do
    for _, ascii in ipairs { false, true } do
      for _, c in ipairs(bad) do
        local options = { invalid_utf8 = policy, ascii = ascii }
        T.escapes_by_model(c, options)
        T.escapes_by_model("a" .. c .. "b\195\164\"" .. c, options)
        T.escapes_by_model(("x"):rep(30) .. c .. ("\240\159\152\128"):rep(5), options)
      end
    end
  end
end

function TestUtf8:test_examples()
  same(T.encode("a\255b", { invalid_utf8 = "replace" }), '"a\239\191\189b"')
  same(T.encode("a\255b", { invalid_utf8 = "replace", ascii = true }), '"a\\ufffdb"')
  same(T.encode("a\255b", { invalid_utf8 = "escape" }), '"a\\u00ffb"')
  same(T.encode("a\255b", { invalid_utf8 = "pass" }), '"a\255b"')
  same(T.encode("a\255b", { invalid_utf8 = "pass", ascii = true }), '"a\\u00ffb"')
  -- Unicode 3.9, table 3-11: maximal subparts, one replacement each
  same(T.encode("a\241\128\128\225\128\194b\128c\128\191d", { invalid_utf8 = "replace" }),
    '"a' .. ("\239\191\189"):rep(3) .. "b\239\191\189c" .. ("\239\191\189"):rep(2) .. 'd"')
end

function TestUtf8:test_replaced_text_is_valid()
  for _, c in ipairs(bad) do
    for _, policy in ipairs { "replace", "escape" } do
      lu.assertIsString(model.decode(T.encode(("\"ab" .. c):rep(50), { invalid_utf8 = policy })))
    end
  end
end

function TestUtf8:test_long_strings_with_policies()
  for shift = 0, 4 do
    for _, policy in ipairs(policies) do
      local s = ("a"):rep(shift) .. ("\240\159\152\128\255\226\130"):rep(3000)
      T.escapes_by_model(s, { invalid_utf8 = policy })
    end
  end
end

function TestUtf8:test_every_two_bytes()
  for first = 128, 255 do
    local parts = {}
    for second = 0, 255 do parts[#parts + 1] = string.char(first, second) .. "." end
    local s = table.concat(parts)
    T.escapes_by_model(s, { invalid_utf8 = "replace" })
    for second = 0, 255, 5 do
      local pair = string.char(first, second)
      for _, codec in ipairs(T.safe_codecs) do same(codec.encode(pair) ~= nil, model.utf8_error(pair) == nil) end
    end
  end
end

function TestUtf8:test_random_three_and_four_bytes()
  T.random_rounds(1000, function()
    local s = {}
    for i = 1, T.random(3, 8) do
      s[i] = string.char(T.random(0, 3) == 0 and T.random(0, 255) or T.random(0x80, 0xF5))
    end
    s = table.concat(s)
    for _, codec in ipairs(T.safe_codecs) do same(codec.encode(s) ~= nil, model.utf8_error(s) == nil) end
    T.escapes_by_model(s, { invalid_utf8 = "replace" })
    T.escapes_by_model(s, { invalid_utf8 = "escape", ascii = true })
  end)
end
