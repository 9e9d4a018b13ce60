-- SPDX-License-Identifier: MIT
-- fleece.lua -- for programs written for the 2011 extension, which use the global that `require "fleece"` set: put
-- compat/2011 first on LUA_PATH. See docs/guide/json-2011.md.

-- Finds the C module as require does. The empty path prevents that this file is found again.
local path, open, from = package.path, nil, nil
package.path = ""
local ok, message = pcall(function(name)
  for _, search in ipairs(package.searchers or package.loaders) do
    open, from = search(name)
    if type(open) == "function" then return end
  end
  error("module '" .. name .. "' is not on LUA_CPATH", 0)
end, "fleece")
package.path = path
if not ok then error(message, 0) end

local fleece = open("fleece", from)
function fleece.hello() print "Hello LuaJSON World!" end
rawset(_G, "fleece", fleece) -- rawset, because a program may forbid new globals
return fleece
