-- SPDX-License-Identifier: MIT
-- run.lua -- runs the tests: lua tests/lua/run.lua [test_values.lua test_numbers ...] [luaunit options]
-- Without names every test_*.lua beside this file runs. The module is found as any other (LUA_CPATH).
-- `-p random -p long_run` runs the random tests and the long ones (with FLEECE_TEST_LONG=1) alone.
-- Exit status: 0 when all pass, 1 when anything fails.
-- Variables of the environment (FLEECE_TEST_ROUNDS, FLEECE_TEST_SEED, FLEECE_TEST_LONG): see support.lua.

local here = arg[0]:match("^(.*)[/\\][^/\\]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local lu = require "luaunit"

-- The names of all test files beside this one, sorted. Lua cannot list a folder, so the shell does.
local function all()
  local windows = package.config:sub(1, 1) == "\\"
  local pipe = assert(io.popen(windows and ('dir /b "%s"'):format(here) or ("ls '%s'"):format(here:gsub("'", "'\\''"))))
  local names = {}
  for line in pipe:lines() do names[#names + 1] = line:match "^(test_[%w_]+)%.lua%s*$" end
  pipe:close()
  assert(#names > 0, "no test_*.lua in " .. here)
  table.sort(names)
  return names
end

local names, options = {}, {}
for _, argument in ipairs(arg) do
  if argument:sub(1, 1) == "-" or #options > 0 then
    options[#options + 1] = argument
  else
    names[#names + 1] = argument:match("([^/\\]+)$"):gsub("%.lua$", "")
  end
end
if #names == 0 then names = all() end

for _, name in ipairs(names) do
  assert(loadfile(here .. "/" .. name .. ".lua"))(name)
end

if #options == 0 then options = { "-o", "text" } end
local failed = lu.LuaUnit.run((table.unpack or unpack)(options))
os.exit(failed == 0 and 0 or 1)
