-- SPDX-License-Identifier: MIT
-- states.lua -- what a Lua state with Fleece costs: memory that it keeps, needs meanwhile, and time.
--
--   lua5.4 bench/settings/states.lua build/lua5.4
--
-- Prints a Markdown table. bench/c/states.c does the work; it contains the whole Lua, which the module then uses.

local folder = assert(arg[1], "use: states.lua FOLDER, with fleece.so in it")
local runtime = folder:match "[^/]+$"

package.path = "bench/?.lua;" .. package.path
local said = require("measure.compiled").said

local include, library = said("tools/where.sh include " .. runtime), said("tools/where.sh lib " .. runtime)
local program = os.tmpname()
local compile = "%s -std=gnu99 -O2 -I%s -rdynamic -o %s bench/c/states.c -Wl,--whole-archive %s -Wl,--no-whole-archive -lm -ldl && %s %s/fleece.so"
local done = os.execute(compile:format(os.getenv "CC" or "cc", include, program, library, program, folder))
os.remove(program)
if done ~= true and done ~= 0 then os.exit(1) end
