-- SPDX-License-Identifier: MIT
-- test_info.lua -- what fleece.info returns, and that the expected layout is in use.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestInfo = {}

function TestInfo:test_names()
  lu.assertStrMatches(fleece._VERSION, "%d+%.%d+%.%d+") -- which one: tests/check/sources.sh
  same(fleece._VERSION, fleece.info().version)
  same(fleece._NAME, "fleece")
  same(require "fleece", fleece)
end

function TestInfo:test_functions()
  for _, name in ipairs { "json", "size", "encode", "write", "new", "info", "array", "object", "raw" } do
    same(type(fleece[name]), "function", name)
    same(type(T.safe[name]), "function", "safe." .. name)
  end
  for _, name in ipairs { "array_mt", "object_mt" } do same(type(fleece[name]), "table", name) end
  same(type(fleece.null), "userdata")
  for _, name in ipairs { "json", "size", "encode", "write", "new" } do
    same(type(fleece.new()[name]), "function", "new()." .. name)
  end
end

function TestInfo:test_no_globals()
  same(rawget(_G, "fleece"), nil)
end

function TestInfo:test_safe_module()
  local ok, safe = pcall(require, "fleece.safe")
  same(ok, true)
  same(safe.encode { 1 }, "[1]")
  local result, message = safe.encode { print }
  same(result, nil)
  T.ends(message, "cannot encode a function at [1]")
  same(safe.null, fleece.null)
  same(safe.array_mt, fleece.array_mt)
  same(safe.encode(fleece.object {}), "{}")
end

function TestInfo:test_fields()
  local info = fleece.info()
  same(info.version, fleece._VERSION)
  if T.jit then T.contains(info.lua, "LuaJIT 2.") else same(info.lua, _VERSION) end
  lu.assertIsString(info.layout)
  same(info.decode, info.layout) -- in every known Lua, if reading tables is proven, filling them is too
  if info.layout == "api" then T.contains(info.reason, "(") else same(info.reason, nil) end
  local known = { sse2 = true, neon = true, swar = true, avx2 = true, avx512 = true }
  lu.assertTrue(known[info.simd], "simd = " .. tostring(info.simd))
end

-- An operator reads what is wrong in words; the step of the proof stands after them.
function TestInfo:test_reason()
  if os.getenv "FLEECE_LAYOUT" ~= "api" then return end
  same(fleece.info().reason, "the environment asks for it (FLEECE_LAYOUT=api)")
end

function TestInfo:test_info_is_a_copy()
  fleece.info().layout = "changed"
  lu.assertNotEquals(fleece.info().layout, "changed")
end

-- The layout of each Lua version; for a runtime that is built differently, FLEECE_EXPECT_LAYOUT has it.
local expected = {
  ["Lua 5.1"] = "lua5.1",
  ["Lua 5.2"] = "lua5.2",
  ["Lua 5.3"] = "lua5.3",
  ["Lua 5.4"] = "lua5.4",
  ["Lua 5.5"] = "lua5.5",
  LuaJIT = "luajit",
}

function TestInfo:test_layout()
  local info = fleece.info()
  local wanted = os.getenv "FLEECE_EXPECT_LAYOUT" or os.getenv "FLEECE_LAYOUT" == "api" and "api" or expected[T.version]
  same(info.layout, wanted, info.reason and "reason: " .. info.reason)
end

function TestInfo:test_load_again()
  local old, old_safe = package.loaded.fleece, package.loaded["fleece.safe"]
  package.loaded.fleece, package.loaded["fleece.safe"] = nil, nil
  local again = require "fleece"
  package.loaded.fleece, package.loaded["fleece.safe"] = old, old_safe
  same(again.encode { fleece.array {}, fleece.object {}, fleece.null, fleece.raw "1" }, "[[],{},null,1]")
  same(fleece.encode { again.array {}, again.object {}, again.raw "1" }, "[[],{},1]")
  same(again.array_mt, fleece.array_mt)
  same(again.info().layout, fleece.info().layout)
end
