-- SPDX-License-Identifier: MIT
-- run.lua -- runs the tests: lua tests/lua/run.lua [test_values tests/lua/decode/test_decode.lua ...] [luaunit options]
-- A test file is given by its path or by its name alone; without any, all test_*.lua below this folder run. The module
-- is found like any other (LUA_CPATH).
-- `-p random -p long_run` selects the random tests and the long ones; FLEECE_TEST_LONG=1 must be set for these.
-- In a build without some parts (FLEECE_PARTS) a test that asks for one of them counts as skipped.
-- Exit status: 0 when all pass, 1 when anything fails.
-- Environment variables (FLEECE_TEST_ROUNDS, FLEECE_TEST_SEED, FLEECE_TEST_LONG): see support/support.lua.

local here = arg[0]:match "^(.*)[/\\][^/\\]*$" or "."
package.path = here .. "/support/?.lua;" .. package.path

local lu = require "luaunit"

-- The sorted names of all test files below this folder, and their paths by name. Lua cannot list a folder, so the shell
-- does.
local function all()
  local windows = package.config:sub(1, 1) == "\\"
  local pipe = assert(io.popen(windows and ('dir /b /s "%s\\test_*.lua"'):format((here:gsub("/", "\\")))
    or ("find '%s' -name 'test_*.lua'"):format((here:gsub("'", "'\\''")))))
  local names, paths = {}, {}
  for line in pipe:lines() do
    local path, name = line:match "^(.*[/\\](test_[%w_]+)%.lua)%s*$"
    if name then names[#names + 1], paths[name] = name, path end
  end
  pipe:close()
  assert(#names > 0, "no test_*.lua below " .. here)
  table.sort(names)
  return names, paths
end

-- The part that was left out of this build, if the message of an error says so.
local function left_out(message)
  local part = tostring(message):match "built without (%l+) %(FLEECE_PARTS%)"
  return part and not (" " .. require("fleece").info().parts .. " "):find(" " .. part .. " ", 1, true) and part
end

local files, options = {}, {}
for _, argument in ipairs(arg) do
  if argument:sub(1, 1) == "-" or #options > 0 then
    options[#options + 1] = argument
  else
    files[#files + 1] = argument
  end
end

local names, paths -- read from the disk only if a file is not given by its path
if #files == 0 then
  names, paths = all()
  files = names
end
for _, file in ipairs(files) do
  local path = file
  if not file:find "[/\\]" then
    if not paths then names, paths = all() end
    local name = file:gsub("%.lua$", "")
    path = assert(paths[name], "no test file has the name " .. name)
  end
  local loaded, problem = pcall(assert(loadfile(path)), path:match "([^/\\]+)%.lua$")
  if not loaded and not left_out(problem) then error(problem, 0) end
end

if #options == 0 then options = { "-o", "text" } end
if (os.getenv "FLEECE_TEST_LONG" or "") == "" then
  options[#options + 1], options[#options + 2] = "-x", "long_run"
end
local runner = lu.LuaUnit.new()
local protected_call = runner.protectedCall
function runner.protectedCall(...)
  local result = protected_call(...)
  local part = left_out(result.msg)
  return part and { status = "SKIP", msg = "this build: without " .. part } or result
end
local failed = runner:runSuite((table.unpack or unpack)(options))
for _, test in ipairs(runner.result.skippedTests) do print("SKIPPED: " .. tostring(test.msg)) end
os.exit(failed == 0 and 0 or 1)
