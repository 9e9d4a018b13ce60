-- SPDX-License-Identifier: MIT
-- standards.lua -- JSONPath and JSON Patch beside the modules in Lua that can be had, interleaved, best of many:
--   LUA_PATH="DIRECTORIES_OF_THE_OTHERS/?.lua;;" lua bench/standards.lua DIRECTORY_OF_fleece.so
-- The others are jsonpath (hy05190134/lua-jsonpath on GitHub, needs LPeg) and jsonpatch (diegogub/lua-jsonpatch, needs
-- rxi's json.lua); one that is not found is left out. jsonpatch changes its argument, so it gets a copy each time; a text
-- is decoded and encoded for it by lua-cjson. It has no `remove` that works.
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local has_path, jsonpath = pcall(require, "jsonpath")
local has_patch, jsonpatch = pcall(require, "jsonpatch")
local has_cjson, cjson = pcall(require, "cjson")
local clock = os.clock

-- The least seconds of one call of each, by turns.
local function times(works)
  local best = {}
  for _ = 1, 9 do
    for i, work in ipairs(works) do
      local n, from = 0, clock()
      repeat
        work()
        n = n + 1
      until clock() - from > 0.02
      best[i] = math.min(best[i] or 1 / 0, (clock() - from) / n)
    end
  end
  return best
end

local function row(name, ours, theirs)
  local best = times { ours, theirs }
  print(("%-52s %10.1f us %12.1f us %8.1f"):format(name, best[1] * 1e6, best[2] * 1e6, best[2] / best[1]))
end

local people = {}
for i = 1, 1000 do
  people[i] = { id = i, name = "person " .. i, age = i % 90, tags = { "a", "b", "c" },
                address = { city = i % 10 == 0 and "Paris" or "Rome", zip = 10000 + i } }
end
local store = { people = people, version = 1 }

print(("%-52s %13s %15s %8s"):format("", "fleece", "in Lua", "ratio"))
if has_path then
  for _, path in ipairs { "$.people[*].name", "$..name", "$..tags[0]", "$..*", "$.people[5].name", "$.people[10:900:3].id" } do
    local query = fleece.query(path)
    row("query " .. path, function() return query(store) end, function() return jsonpath.query(store, path) end)
  end
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local to = {}
  for key, item in pairs(value) do to[key] = copy(item) end
  return to
end

local function patches(name, value, operations)
  local text, patch = fleece.encode(value), fleece.encode(operations)
  row("json_patch of a table, " .. name, function() return fleece.json_patch(value, operations) end,
    function() return jsonpatch.apply(copy(value), operations) end)
  if not has_cjson then return end
  row("json_patch of a text, " .. name, function() return fleece.json_patch(text, patch) end, function()
    local decoded = cjson.decode(text)
    jsonpatch.apply(decoded, cjson.decode(patch))
    return cjson.encode(decoded)
  end)
end

if has_patch then
  local users, groups = {}, {}
  for i = 1, 1000 do users["u" .. i] = people[i] end
  for i = 1, 40 do
    groups["g" .. i] = {}
    for j = 1, 25 do groups["g" .. i][j] = people[(i - 1) * 25 + j] end
  end
  patches("1000 members", { users = users }, { { op = "replace", path = "/users/u500/name", value = "x" },
    { op = "add", path = "/users/u7/tags/1", value = "n" }, { op = "replace", path = "/users/u8/age", value = 1 } })
  patches("40 lists of 25", groups, { { op = "replace", path = "/g20/3/name", value = "x" },
    { op = "add", path = "/g7/5/tags/0", value = "n" }, { op = "replace", path = "/g40/1/age", value = 1 } })
end
