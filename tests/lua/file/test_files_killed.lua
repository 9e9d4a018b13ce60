-- SPDX-License-Identifier: MIT
-- test_files_killed.lua -- a writer that is killed at random moments, with a reader beside it: every state that is read
-- is one that was written, and none is older than one that was read before.
-- runs: in one layout

local T = require "support"
local fleece, lu, same = T.fleece, T.lu, T.same

TestFilesKilled = {}

local is_posix = package.config:sub(1, 1) == "/"

-- Starts the writer; returns its output and the number of its process.
local function start(path, way)
  local pipe = io.popen(("LUA_CPATH='%s' LUA_PATH='%s' sh -c 'echo $$; exec %s \"%s/appending.lua\" \"%s,%s\"' 2>&1"):format(
    package.cpath, package.path, arg[-1] or "lua", T.tests .. "/support", path, way))
  local pid = pipe:read "*l"
  same(pipe:read "*l", "begun")
  return pipe, pid
end

local function check_state(path, last)
  local doc = fleece.open_file(path, { frame = "required" })
  local n = doc.root[1]
  for i = 2, 50 do same(doc.root[i], n, "a third state") end
  if last > n then error(("state %d after %d"):format(n, last)) end
  doc:close()
  return n
end

local function kill_often(way, rounds)
  if not is_posix then return end
  T.with_file("", function(place)
    local folder, list = place .. ".d", {} -- its own: others test the same at the same time
    local path = folder .. "/state"
    os.execute(("mkdir '%s'"):format(folder))
    for i = 1, 50 do list[i] = 0 end
    fleece.save(path, list)
    local last = 0
    for _ = 1, rounds do
      local pipe, pid = start(path, way)
      if way == "save" then last = 0 end
      local least = last
      for _ = 1, T.random(1, 60) do last = check_state(path, way == "save" and 0 or last) end
      for _ = 1, 100000 do -- until it has written something
        if last > least then break end
        last = check_state(path, way == "save" and 0 or last)
      end
      lu.assertTrue(last > least, "nothing was written")
      os.execute("kill -9 " .. pid .. " 2>/dev/null")
      local said = pipe:read "*a"
      pipe:close()
      same(said:find "lua", nil, said)
      last = check_state(path, way == "save" and 0 or last)
    end
    fleece.save(path, { 1 }) -- takes the lock, and removes what the last writer has left
    same(io.open(path .. ".lock"), nil)
    local listing = io.popen(("ls -a '%s'"):format(folder))
    local names = listing:read "*a"
    listing:close()
    same(names:gsub("%s+", " "), ". .. state ", names)
    os.execute(("rm -r '%s'"):format(folder))
  end)
end

function TestFilesKilled:test_random_kills_while_appending() kill_often("append", T.rounds(12)) end

function TestFilesKilled:test_random_kills_while_saving() kill_often("save", T.rounds(8)) end
