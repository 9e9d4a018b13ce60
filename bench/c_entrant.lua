-- SPDX-License-Identifier: MIT
-- c_entrant.lua -- yyjson in C writes our text from its own document, in its own process.

-- Answers an entrant whose samples arrive between the rounds that `how` describes; nil without an exact text.
return function(program, able, how)
  local text
  for _, entrant in ipairs(able) do
    if entrant.verdict == "exact" then text = entrant.text break end
  end
  if not text then return nil end
  local path = os.tmpname()
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
  local entrant = { name = "yyjson (C)", bytes = #text, verdict = "exact", ns = {}, path = path }
  local visits, round = 3, 0
  how.between = function(now, rounds)
    if now % math.max(1, math.floor(rounds / visits)) ~= 0 then return end
    local command = ("'%s' '%s' %g %d"):format(program, path, how.seconds, math.ceil(rounds / visits))
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
