-- SPDX-License-Identifier: MIT
-- scale.lua -- the throughput of HAProxy's threads without a client. Each thread has its own Lua state and does the
-- service's work: decode, add a member, encode, from the time $BEGIN on for $SECONDS. Prints a line "scale N" per
-- thread with the number of requests. It yields only when HAProxy forces it (tune.lua.forced-yield).
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
