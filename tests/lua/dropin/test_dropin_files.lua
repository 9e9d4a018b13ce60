-- SPDX-License-Identifier: MIT
-- test_dropin_files.lua -- stand-ins that are Lua files: programs that call their luaopen_ function get them, too, or learn
-- what is missing.

local T = require "support"
local lu, same = T.lu, T.same

TestDropinFiles = {}

local NAMES = { "json4lua", "luajson" }

-- The file that require loads the C module from.
local function object()
  for pattern in package.cpath:gmatch "[^;]+" do
    local path = pattern:gsub("%?", "fleece")
    local file = io.open(path, "rb")
    if file then return file:close() and path end
  end
end

local function opener(name) return assert(package.loadlib(object(), "luaopen_fleece_" .. name)) end

function TestDropinFiles:test_open()
  for _, name in ipairs(NAMES) do
    local module = opener(name)()
    same(type(module), "table", name)
    same(module.encode { 1, "two" }, '[1,"two"]', name)
    lu.assertEquals(module.decode "[1,2]", { 1, 2 })
  end
end

function TestDropinFiles:test_no_file()
  local path, searchers = package.path, package.searchers or package.loaders
  local second = searchers[2]
  for _, name in ipairs(NAMES) do
    local open = opener(name)
    package.path = "/nowhere/?.lua"
    local missing = T.error_of(open)
    package.path, searchers[2] = path, nil
    local closed = T.error_of(open)
    searchers[2] = second
    T.contains(missing, "fleece." .. name .. " is a Lua file of Fleece:")
    T.contains(missing, "no file '/nowhere/fleece/" .. name .. ".lua'")
    T.contains(closed, "fleece." .. name .. " is a Lua file, and the package library is not open")
  end
end
