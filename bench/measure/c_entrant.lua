-- SPDX-License-Identifier: MIT
-- c_entrant.lua -- runs yyjson in C in its own process: it writes a text from its own document, or reads it.

-- Returns an entrant whose samples are taken between the rounds of `how`. what: "write" or "read".
return function(program, what, text, how)
  local path = os.tmpname()
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
  local entrant = { name = "yyjson (C)", bytes = #text, verdict = "exact", ns = {}, path = path }
  local visits, round = 3, 0
  how.between = function(now, rounds)
    if now % math.max(1, math.floor(rounds / visits)) ~= 0 then return end
    local command = ("'%s' %s '%s' %g %d"):format(program, what, path, how.seconds, math.ceil(rounds / visits))
    local pipe = io.popen(command)
    for line in pipe:lines() do
      local key, value = line:match("^(%S+) (%S+)$")
      if key == "ns" then
        round = round + 1
        entrant.ns[round] = tonumber(value)
      else
        entrant[key] = value
      end
    end
    pipe:close()
  end
  return entrant
end
