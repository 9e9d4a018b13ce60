-- SPDX-License-Identifier: MIT
-- run_use.lua -- `lua tests/hosts/run_use.lua` runs use.lua where there is no LuaUnit and no shell. Exit status: 1 if
-- there are errors.
local verdict = dofile((arg[0]:match "^(.*)[/\\]" or ".") .. "/use.lua")
print(verdict)
os.exit(verdict:find('"wrong":[]', 1, true) and 0 or 1)
