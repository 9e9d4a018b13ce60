-- SPDX-License-Identifier: MIT
-- run_use.lua -- `lua tests/hosts/run_use.lua`: use.lua where neither LuaUnit nor a shell is at hand. Leaves with 1
-- when anything is wrong.
local verdict = dofile((arg[0]:match "^(.*)[/\\]" or ".") .. "/use.lua")
print(verdict)
os.exit(verdict:find('"wrong":[]', 1, true) and 0 or 1)
