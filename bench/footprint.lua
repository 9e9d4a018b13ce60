-- SPDX-License-Identifier: MIT
-- footprint.lua -- what loading the module costs, and what a result of 20 MB leaves behind.

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

-- Bytes in memory according to Linux; nil elsewhere.
local function resident()
  local f = io.open("/proc/self/status")
  local text = f and f:read("*a") or ""
  if f then f:close() end
  local kilobytes = text:match("VmRSS:%s*(%d+)")
  return kilobytes and tonumber(kilobytes) / 1024
end

if arg[1] == "--load" then -- in a process of its own: only the first load counts
  local start = os.clock()
  require "fleece"
  print(("%.0f"):format((os.clock() - start) * 1e6))
  os.exit(0)
end

local ok, fleece = pcall(require, "fleece")
if not (ok and fleece.encode) then
  print("fleece is not built: no footprint")
  os.exit(0)
end
local times = {}
for i = 1, 15 do
  local child = io.popen(("'%s' '%s' --load"):format(arg[-1], arg[0]))
  times[i] = child:read("*n")
  child:close()
end
local load_time = median(times)
print(("  %-5s loading the module: %d microseconds (goal 200)"):format(load_time < 200 and "yes" or "NO", load_time))

local list = {}
for i = 1, 20000 do list[i] = ("x"):rep(1000) .. i end
local doc = { list }
fleece.encode({ 1 })
local function settle()
  collectgarbage()
  collectgarbage()
  return collectgarbage("count") / 1024, resident()
end
local lua, all = settle()
local size = #fleece.encode(doc)
local lua_after, all_after = settle()
local kept = math.max(lua_after - lua, (all_after or 0) - (all or 0))
print(("  %-5s left after a result of %.1f MB: %.2f MB in Lua, %.2f MB in the process (goal 1)"):format(
  kept <= 1 and "yes" or "NO", size / 1e6, lua_after - lua, (all_after or 0) - (all or 0)))
