-- SPDX-License-Identifier: MIT
-- test_docs.lua -- what the README shows is what happens: each expression before a --> is run and compared.
-- The text after --> stands for the results, with ", " between them and no position before a message.

local lu = require "luaunit"

TestDocs = {}

local function run(code, env)
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadstring(code)), env)
  else
    chunk = assert(load(code, "=README", "t", env))
  end
  local results = { n = 0 }
  local function keep(...)
    results.n = select("#", ...)
    for i = 1, results.n do results[i] = tostring((select(i, ...))):gsub("^%[?[%w\"= /._-]*%]?:%d+: ", "") end
  end
  keep(chunk())
  return table.concat(results, ", ", 1, results.n)
end

function TestDocs:test_readme()
  local file = io.open("README.md", "r")
  if not file then lu.skip("README.md is not here: run from the top of the repository") end
  local text = file:read("*a")
  file:close()
  local checked, env = 0, setmetatable({}, { __index = _G })
  for block in text:gmatch("```lua\n(.-)```") do
    local expression = ""
    for line in block:gmatch("[^\n]+") do
      local code, wanted = line:match("^(.-)%s*%-%->%s*(.*)$")
      if code then
        lu.assertEquals(run("return " .. (code ~= "" and code or expression), env), wanted)
        checked = checked + 1
      elseif line:match("^local ") then
        run(line:gsub("^local ", ""), env)
      else
        expression = line
      end
    end
  end
  lu.assertTrue(checked >= 9, "the README shows too little")
end
