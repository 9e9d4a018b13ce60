-- SPDX-License-Identifier: MIT
-- scale.lua -- what the threads of one HAProxy get done without a client: each has a Lua of its own and does the
-- service's work, JSON in, one member more, JSON out, from the second $BEGIN on for $SECONDS. Prints a line "scale N"
-- per thread, N requests. It yields where HAProxy makes it (tune.lua.forced-yield).
local json = require(os.getenv "JSON")
local decode, encode, now = json.decode, json.encode, os.time
local bodies = {}
for line in io.lines(os.getenv "BODIES") do bodies[#bodies + 1] = line end

core.register_task(function()
  local begin = tonumber(os.getenv "BEGIN")
  local finish = begin + tonumber(os.getenv "SECONDS")
  while now() < begin do core.msleep(1) end
  local served = 0
  repeat
    served = served + 1
    local value = decode(bodies[served % #bodies + 1])
    value.served = served
    encode(value)
  until now() >= finish
  io.stderr:write(("scale %d\n"):format(served))
end)
