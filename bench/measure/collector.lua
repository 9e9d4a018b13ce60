-- SPDX-License-Identifier: MIT
-- collector.lua -- sets the collector's mode, "incremental" if none is given, and returns its name for the results. The
-- program lua of Lua 5.4 and 5.5 begins in generational mode, a state that a host makes (luaL_newstate: HAProxy, games)
-- in incremental mode, so a benchmark that does not set it measures neither by name.
return function(mode)
  mode = mode or "incremental"
  if mode ~= "incremental" and mode ~= "generational" then error("unknown mode of the collector: " .. mode, 0) end
  local version = tonumber(_VERSION:match "%d+%.%d+")
  if version >= 5.4 then
    collectgarbage(mode)
  elseif mode == "generational" then
    error(_VERSION .. " has no generational collector", 0)
  end
  return mode .. ", running"
end
