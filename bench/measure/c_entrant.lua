-- SPDX-License-Identifier: MIT
-- c_entrant.lua -- runs a library in C in its own process: yyjson writes a text from its own document, or reads it;
-- simdjson reads fields of it.

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Returns an entrant whose samples are taken between the rounds of `how`, after those of an earlier one. what: the
-- first argument, such as "write" or "read"; rest: a list of arguments that follow file, seconds and samples.
return function(program, what, text, how, rest)
  local path = os.tmpname()
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
  local entrant = { name = "yyjson (C)", bytes = #text, verdict = "exact", ns = {}, path = path }
  local visits, round, earlier, more = 3, 0, how.between, ""
  for _, argument in ipairs(rest or {}) do more = more .. " " .. quote(argument) end
  how.between = function(now, rounds)
    if earlier then earlier(now, rounds) end
    if now % math.max(1, math.floor(rounds / visits)) ~= 0 then return end
    local command = ("'%s' %s '%s' %g %d%s"):format(program, what, path, how.seconds, math.ceil(rounds / visits), more)
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
