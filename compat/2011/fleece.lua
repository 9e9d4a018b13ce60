-- SPDX-License-Identifier: MIT
-- fleece.lua -- for programs of 2011, which use the global that `require "fleece"` made: put compat/2011 on LUA_PATH
-- before anything else. docs/manual.md says more.

-- Finds the module in C as require would. An empty path keeps this file from being found again.
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
rawset(_G, "fleece", fleece) -- also where a program forbids new globals
return fleece
