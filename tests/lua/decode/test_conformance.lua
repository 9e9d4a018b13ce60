-- SPDX-License-Identifier: MIT
-- test_conformance.lua -- JSONTestSuite: valid texts are read, invalid ones are refused; where the result is open, it
-- is listed here with the reason. The files are in $FLEECE_DATA/jsontestsuite; without them the test is skipped, and
-- test_decode.lua has texts of our own for the same rules.

local T = require "support"
local lu = T.lu

TestConformance = {}

-- RFC 8259 leaves these open ("i_" files). Fleece refuses them if data would be lost or if they are not valid Unicode.
local range = "section 9 allows limits of the range: it rounds to infinity, which cannot be encoded"
local tiny = "the nearest double is zero"
local whole = "the nearest double; big_numbers keeps the digits"
local utf8 = "section 8.1: a text is UTF-8; invalid_utf8 reads it"
local half = "section 8.2: half of a surrogate pair is not a character; invalid_utf8 reads it"
local open_files = {
  number_double_huge_neg_exp = { true, tiny },
  number_huge_exp = { false, range },
  number_neg_int_huge_exp = { false, range },
  number_pos_double_huge_exp = { false, range },
  number_real_neg_overflow = { false, range },
  number_real_pos_overflow = { false, range },
  number_real_underflow = { true, tiny },
  number_too_big_neg_int = { true, whole },
  number_too_big_pos_int = { true, whole },
  number_very_big_negative_int = { true, whole },
  object_key_lone_2nd_surrogate = { false, half },
  string_1st_surrogate_but_2nd_missing = { false, half },
  string_1st_valid_surrogate_2nd_invalid = { false, half },
  ["string_UTF-16LE_with_BOM"] = { false, utf8 },
  ["string_UTF-8_invalid_sequence"] = { false, utf8 },
  ["string_UTF8_surrogate_U+D800"] = { false, utf8 },
  string_incomplete_surrogate_and_escape_valid = { false, half },
  string_incomplete_surrogate_pair = { false, half },
  string_incomplete_surrogates_escape_valid = { false, half },
  string_invalid_lonely_surrogate = { false, half },
  string_invalid_surrogate = { false, half },
  ["string_invalid_utf-8"] = { false, utf8 },
  ["string_inverted_surrogates_U+1D11E"] = { false, half },
  string_iso_latin_1 = { false, utf8 },
  string_lone_second_surrogate = { false, half },
  string_lone_utf8_continuation_byte = { false, utf8 },
  string_not_in_unicode_range = { false, utf8 },
  string_overlong_sequence_2_bytes = { false, utf8 },
  string_overlong_sequence_6_bytes = { false, utf8 },
  string_overlong_sequence_6_bytes_null = { false, utf8 },
  ["string_truncated-utf-8"] = { false, utf8 },
  string_utf16BE_no_BOM = { false, utf8 },
  string_utf16LE_no_BOM = { false, utf8 },
  structure_500_nested_arrays = { true, "max_depth is 1000" },
  ["structure_UTF-8_BOM_empty_object"] = { false, "section 8.1: no byte order mark; the option bom reads it" },
}

local function quoted(s) return "'" .. s:gsub("'", "'\\''") .. "'" end

local function folder()
  for _, data in ipairs { os.getenv "FLEECE_DATA" or "../shared/data", "../shared/data" } do
    local file = io.open(data .. "/jsontestsuite/y_array_empty.json", "rb")
    if file then
      file:close()
      return data .. "/jsontestsuite"
    end
  end
end

function TestConformance:test_suite()
  local where = folder()
  if not where then lu.skip "no data: set FLEECE_DATA" end
  local list = io.popen("ls " .. quoted(where))
  local counts = { y = 0, n = 0, i = 0 }
  for name in list:lines() do
    local kind, test = name:match "^([yni])_(.*)%.json$"
    if kind then
      local file = assert(io.open(where .. "/" .. name, "rb"))
      local text = file:read "*a"
      file:close()
      local wanted = kind == "y"
      if kind == "i" then wanted = (open_files[test] or lu.fail("not decided: " .. name))[1] end
      for _, codec in ipairs(T.safe_codecs) do
        local value, message = codec.decode(text)
        if (message == nil) ~= wanted then lu.fail(name .. ": " .. tostring(message or value)) end
      end
      counts[kind] = counts[kind] + 1
    end
  end
  list:close()
  lu.assertEquals(counts, { y = 95, n = 188, i = 35 })
end

-- With the right options, the open ones are read, except those in UTF-16.
function TestConformance:test_options_allow_open_cases()
  local where = folder()
  if not where then lu.skip "no data: set FLEECE_DATA" end
  for test, choice in pairs(open_files) do
    if choice[2] == utf8 and not test:find "utf16" and not test:find "UTF%-16" or choice[2] == half or
      test:find "BOM_empty" then
      local file = assert(io.open(where .. "/i_" .. test .. ".json", "rb"))
      local text = file:read "*a"
      file:close()
      for _, policy in ipairs { "replace", "escape", "pass" } do
        local value, message = T.safe.decode(text, { invalid_utf8 = policy, bom = true })
        if value == nil then lu.fail(test .. ": " .. message) end
      end
    end
  end
end
