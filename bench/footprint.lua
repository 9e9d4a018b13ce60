-- SPDX-License-Identifier: MIT
-- footprint.lua -- memory and load time. `footprint.lua encode`: the time to load the module, and the memory that is
-- still used after a result of 20 MB. `footprint.lua decode`: the peak memory of decode in addition to its result.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

local function settle()
  for _ = 1, 4 do collectgarbage() end -- runs finalizers; each collection halves the string table at most
end

-- Megabytes of this process by Linux's VmRSS (now) or VmHWM (peak); 0 on other systems.
local function resident(what)
  local f = io.open("/proc/self/status")
  local text = f and f:read("*a") or ""
  if f then f:close() end
  return (tonumber(text:match(what .. ":%s*(%d+)")) or 0) / 1024
end

local function say(reached, text, ...)
  print(("  %-5s " .. text):format(reached and "yes" or "NO", ...))
end

local function load_time()
  local times = {}
  for i = 1, 15 do
    local child = io.popen(("'%s' '%s' load"):format(arg[-1], arg[0]))
    times[i] = child:read("*n")
    child:close()
  end
  local time = median(times)
  say(time < 200, "loading the module: %d microseconds (goal 200)", time)
end

local function kept(fleece)
  local list = {}
  for i = 1, 20000 do list[i] = ("x"):rep(1000) .. i end
  local doc = { list }
  fleece.encode({ 1 })
  settle()
  local lua, all = collectgarbage("count") / 1024, resident("VmRSS")
  local size = #fleece.encode(doc)
  settle()
  lua, all = collectgarbage("count") / 1024 - lua, resident("VmRSS") - all
  say(math.max(lua, all) <= 1, "left after a result of %.1f MB: %.2f MB in Lua, %.2f MB in the process (goal 1)",
    size / 1e6, lua, all)
end

local function documents(fleece)
  local data, list = os.getenv("FLEECE_DATA"), {}
  for _, case in ipairs(data and dofile(here .. "/workloads/documents.lua").all(data) or {}) do
    list[#list + 1] = { case.key, case.text() }
  end
  list[#list + 1] = { "people", fleece.encode(require "workloads.people"(require "workloads.random"(1), 1000)) }
  return list
end

-- The peak of Lua's allocations during a call, without those before the call and without the result.
local function excess(count, decode, text)
  settle()
  local before = count()
  local value = decode(text)
  local _, most = count()
  settle()
  local with = count()
  value = nil -- luacheck: ignore
  settle()
  return most - before - (with - count())
end

local function peaks(fleece, count)
  local worst, list = 0, {}
  fleece.decode('{"a":[1]}')
  for i, document in ipairs(documents(fleece)) do
    local share = excess(count, fleece.decode, document[2]) / #document[2]
    worst, list[i] = math.max(worst, share), ("%s %.2f"):format(document[1], share)
  end
  say(worst <= 1, "decoding, most memory over the result, in sizes of the text (goal 1): %s",
    table.concat(list, ", "))
end

local what = arg[1]
if what == "load" then -- in its own process, because only the first load counts
  local start = os.clock()
  require "fleece"
  print(("%.0f"):format((os.clock() - start) * 1e6))
  os.exit(0)
end
local found, count = pcall(require, "peak") -- first, so that every module gets the counting allocator
local ok, fleece = pcall(require, "fleece")
if not (ok and fleece.encode) then
  print("fleece is not built: no footprint")
elseif what ~= "decode" then
  load_time()
  kept(fleece)
elseif found and fleece.decode then
  peaks(fleece, count)
end
os.exit(0) -- the state must not be closed: peak.so would be unloaded before its last use
