-- SPDX-License-Identifier: MIT
-- compiled.lua -- the C helpers of benchmarks, compiled for the Lua that uses them.

local compiled = {}

-- Returns the first line that a command prints.
function compiled.said(command)
  local pipe = assert(io.popen(command))
  local line = pipe:read "*l"
  pipe:close()
  return line or error("nothing was printed by " .. command, 0)
end

-- Compiles bench/c/NAME.c for the Lua whose object is in the folder, and runs luaopen_NAME. nil: it does not compile.
function compiled.open(name, folder)
  local object = os.tmpname()
  local command = ("%s -std=c99 -O2 -fPIC -shared -I%s -o %s bench/c/%s.c"):format(os.getenv "CC" or "cc",
    compiled.said("tools/where.sh include " .. folder:match "[^/]+$"), object, name)
  local done = os.execute(command)
  local opened = (done == true or done == 0) and package.loadlib(object, "luaopen_" .. name)()
  os.remove(object)
  return opened or nil
end

return compiled
