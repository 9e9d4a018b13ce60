-- SPDX-License-Identifier: MIT
-- test_query_numbers.lua -- numbers are compared by their exact values in queries, patches and differences, whatever
-- form they have: a text, a table, a document, exact numbers, integers of LuaJIT's FFI.

local T = require "support"
local fleece, same = T.fleece, T.same

TestQueryNumbers = {}

-- Numbers in ascending order; those of a line are equal. `double`: a double holds the value; `kept`: only where digits
-- are kept; `huge`: only exact numbers hold it.
local ORDER = {
  { "-1e401", huge = true },
  { "-1e400", huge = true },
  { "-9223372036854775809", kept = true },
  { "-9223372036854775808", double = true },
  { "-9007199254740993" },
  { "-9007199254740992", double = true },
  { "-1.5", "-15e-1", double = true },
  { "-1", "-1.0", double = true },
  { "0", "-0", "0.0", "0e9", double = true },
  { "0.1", "0.10", "1e-1", double = true },
  { "0.12345678901234567890", huge = true },
  { "0.12345678901234567891", huge = true },
  { "1", "1.0", "1e0", double = true },
  { "1.5", double = true },
  { "9007199254740992", "9007199254740992.0", double = true },
  { "9007199254740993" },
  { "1152921504606846976", double = true },
  { "1152921504606846977" },
  { "9223372036854775807" },
  { "9223372036854775808", double = true },
  { "9223372036854775809" },
  { "18446744073709551614" },
  { "18446744073709551615" },
  { "18446744073709551616", double = true },
  { "18446744073709551617", kept = true },
  { "1e300", double = true },
  { "1e400", "10e399", huge = true },
  { "1e401", huge = true },
}

-- The forms that hold a number, in an array.
local function forms_of(line, text)
  local array = "[" .. text .. "]"
  local forms = { exact = fleece.decode(array, { numbers = "exact" }) }
  forms.by_api = fleece.decode(array, { numbers = "exact", layout = "api" })
  if line.huge then return forms end
  forms.text = array
  if line.kept then return forms end
  forms.document = fleece.open(fleece.from_json(array))
  forms.lazy = fleece.lazy(array)
  local value = fleece.decode(text)
  if line.double or T.integers and T.math_type(value) == "integer" then forms.table = { value } end
  if T.jit and text:find "^%-?%d+$" and text ~= "-0" and #text <= 20 and text ~= "18446744073709551616" then
    forms.cdata = { load("return " .. text .. (text:find "^%-" and "LL" or "ULL"))() }
  end
  return forms
end

-- Has the form only doubles for what is no integer of it? They stand for all texts that are read as them.
local function rounds(form) return form == "table" or form == "document" or form == "lazy" or form == "cdata" end

function TestQueryNumbers:test_order()
  for i, a in ipairs(ORDER) do
    for _, literal in ipairs(a) do
      local equal, less = fleece.query("$[?@ == " .. literal .. "]"), fleece.query("$[?@ < " .. literal .. "]")
      for j, b in ipairs(ORDER) do
        for _, text in ipairs(b) do
          for form, value in pairs(forms_of(b, text)) do
            if not ((a.kept or a.huge) and (rounds(form) or b.double)) then
              same(#equal(value), i == j and 1 or 0, text .. " == " .. literal .. " of a " .. form)
              same(#less(value), j < i and 1 or 0, text .. " < " .. literal .. " of a " .. form)
            end
          end
        end
      end
    end
  end
end

function TestQueryNumbers:test_patches_and_differences()
  for i, a in ipairs(ORDER) do
    for j, b in ipairs(ORDER) do
      local x, y = forms_of(a, a[#a]), forms_of(b, b[1])
      if math.abs(i - j) < 3 and not (a.kept or a.huge or b.kept or b.huge) then
        for _, form in ipairs { "exact", "text", "document", "table", "cdata" } do
          if x[form] and y[form] then
            local what = a[#a] .. " and " .. b[1] .. " of a " .. form
            local patch = { { op = "test", path = "", value = type(y[form]) == "string" and fleece.raw(y[form]) or y[form] } }
            same((pcall(fleece.json_patch, x[form], patch)), i == j, "test: " .. what)
            local empty = fleece.json_diff(x[form], y[form])
            same(type(empty) == "string" and empty == "[]" or #empty == 0, i == j, "json_diff: " .. what)
          end
        end
      end
    end
  end
end

-- Integers that a text holds and this Lua does not are compared exactly, and come out as decode gives them.
function TestQueryNumbers:test_results_of_texts()
  local text = '{"a":[18446744073709551615,18446744073709551616],"b":{"c":18446744073709551615},"d":[1.5,2]}'
  for _, layout in ipairs { "auto", "api" } do
    local options = { layout = layout }
    local all = fleece.query("$..*", options)(text)
    for _, value in ipairs(all) do same(type(value) == "table" or type(value), type(value) == "table" or "number") end
    same(fleece.query("$.a[?@ == 18446744073709551615]", options)(text)[1], fleece.decode "18446744073709551615")
    same(#fleece.query("$.a[?@ == 18446744073709551615]", options)(text), 1)
    same(fleece.query("$.b[?@ == $.a[0]]", options):paths(text)[1], "$['b']['c']")
    same(fleece.query("$", options)(text)[1].b.c, fleece.decode "18446744073709551615")
    same(fleece.query("$", options) "18446744073709551615"[1], fleece.decode "18446744073709551615")
    same(fleece.encode(fleece.query("$.a", options)(text)[1]), fleece.encode(fleece.decode(text).a))
  end
  same(type(fleece.query("$[0]", { big_numbers = "string" }) "[18446744073709551615]"[1]), "string")
  T.raises_with("number not exact", fleece.query("$[0]", { big_numbers = "error" }), "[18446744073709551615]")
  T.raises_with("number too large", fleece.query "$[0]", "[1e400]")
end

function TestQueryNumbers:test_integers_of_the_ffi()
  if not T.jit then T.lu.skip "this Lua: only LuaJIT has them" end
  local list = load "return { 7LL, 3ULL, 5, 9007199254740993LL, 18446744073709551615ULL, -1LL }" ()
  local found = fleece.query "$[?@>5]"(list)
  same(#found, 3)
  same(found[1], list[1])
  same(#fleece.query "$[?@>5]"(load "return {7LL, 3ULL}" ()), 1)
  same(#fleece.query "$[?@==9007199254740993]"(list), 1)
  same(#fleece.query "$[?@==$[3]]"(list), 1)
  same(#fleece.query "$[?@==18446744073709551615]"(list), 1)
  same(#fleece.query "$[?@[0]==$.x[0]]" { x = { list[1] }, y = { list[1] }, z = { 7 }, w = { 8 } }, 3)
  local struct = require("ffi").typeof "struct { int a; }"
  same(#fleece.query "$[?@==1]" { struct(1), 1 }, 1) -- other cdata is no value of JSON
end
