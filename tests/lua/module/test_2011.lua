-- SPDX-License-Identifier: MIT
-- test_2011.lua -- programs of 2011: the samples of that README, unchanged, with compat/2011 on the path.

local lu = require "luaunit"

TestOriginal = {}

-- Runs a program as if in its own process, without loaded modules; returns what it prints.
local function run(program)
  local here = io.open "compat/2011/fleece.lua"
  if not here then lu.skip "no checkout: compat/2011 is not here; run from the top of the repository" end
  here:close()
  local path, print_before, printed = package.path, print, {}
  local loaded, global = package.loaded.fleece, rawget(_G, "fleece")
  package.path = "compat/2011/?.lua;" .. path
  package.loaded.fleece = nil
  rawset(_G, "fleece", nil)
  rawset(_G, "print", function(...)
    local line = {}
    for i = 1, select("#", ...) do line[i] = tostring((select(i, ...))) end
    printed[#printed + 1] = table.concat(line, "\t")
  end)
  local ok, message = pcall(assert((loadstring or load)(program)))
  rawset(_G, "print", print_before)
  local path_after = package.path
  package.path, package.loaded.fleece = path, loaded
  local fleece = rawget(_G, "fleece")
  rawset(_G, "fleece", global)
  lu.assertTrue(ok, message)
  lu.assertEquals(path_after, "compat/2011/?.lua;" .. path)
  return table.concat(printed, "\n"), fleece
end

function TestOriginal:test_sample()
  local printed, fleece = run [[
require("fleece")    
str = fleece.json({"Hello", 2, "Json"})
print(str)
--> ["Hello", 2, "Json"]
]]
  _G.str = nil
  lu.assertEquals(printed, '["Hello",2,"Json"]')
  lu.assertIsTable(fleece)
end

function TestOriginal:test_first_sample()
  run 'require "fleece"  t = {1,2,3}\njson_str = fleece.json(t)'
  lu.assertEquals(_G.json_str, "[1,2,3]")
  _G.t, _G.json_str = nil, nil
end

function TestOriginal:test_flags()
  local printed = run [[
require("fleece")
print(fleece.json("he\\o!"))        --> "he\o!"
print(fleece.json("he\\o!", "E1"))   --> "he*o!"
print(fleece.json("he//o!", "E3"))  --> "he\/\/o!"  
]]
  lu.assertEquals(printed, '"he\\o!"\n"he*o!"\n"he\\/\\/o!"')
end

function TestOriginal:test_hello()
  lu.assertEquals((run 'local fleece = require("fleece")\n\nfleece.hello()\n'), "Hello LuaJSON World!")
end

function TestOriginal:test_global_is_the_module()
  local printed, fleece = run 'local mine = require "fleece"  print(mine == fleece, require "fleece" == mine)'
  lu.assertEquals(printed, "true\ttrue")
  lu.assertEquals(fleece.decode('{"a":[1]}').a[1], 1)
end

function TestOriginal:test_strict_globals()
  local metatable = getmetatable(_G)
  setmetatable(_G, { __newindex = function(_, name) error("global " .. name) end })
  local ok, message = pcall(run, 'require "fleece"  print(fleece.json { true })')
  setmetatable(_G, metatable)
  lu.assertTrue(ok, message)
end

function TestOriginal:test_missing_module()
  local cpath, preload = package.cpath, package.preload.fleece
  package.cpath, package.preload.fleece = "", nil
  local printed = run 'print(pcall(require, "fleece"))  print(fleece)'
  package.cpath, package.preload.fleece = cpath, preload
  lu.assertStrContains(printed, "module 'fleece' is not on LUA_CPATH")
  lu.assertStrContains(printed, "\nnil")
end

-- Without that folder, the module sets no global and has no `hello`.
function TestOriginal:test_not_by_default()
  local fleece = require "fleece"
  lu.assertNil(rawget(_G, "fleece"))
  lu.assertNil(fleece.hello)
end
