-- SPDX-License-Identifier: MIT
-- allocations.lua -- the blocks of memory that decode takes from Lua's allocator, against the least possible.
--
--   lua5.4 bench/settings/allocations.lua build/lua5.4
--
-- The least: each table has a block; its array one, in LuaJIT from 16 items on; its members one; each new string one. Of
-- equal strings one is new, but from 5.2 on each string of more than 40 bytes. Names of records are kept from the decode
-- before; those of objects with more than 64 members count as new, though the first 64 are kept, too, so that there may be
-- fewer blocks than the least. Prints a Markdown table; FLEECE_DATA: see record.lua.
local folder = assert(arg[1], "use: allocations.lua FOLDER, with fleece.so in it")

package.cpath = folder .. "/?.so;" .. package.cpath
package.path = "bench/?.lua;" .. package.path
local fleece, count = require "fleece", require("measure.compiled").open("peak", folder) or os.exit(1)

local JIT, INTERNED = jit ~= nil, (jit or _VERSION == "Lua 5.1") and math.huge or 40
local RECORD, NAME, COLOCATED = 64, 40, 15 -- members, bytes and items

local kept = {} -- names

local function least_of(value)
  local blocks, strings = 0, {}
  local function see(text, is_kept)
    if #text > INTERNED then blocks = blocks + 1
    elseif is_kept then kept[text] = true
    else strings[text] = true end
  end
  local function walk(t)
    local names, items = 0, 0
    for key in pairs(t) do
      if type(key) == "string" then names = names + 1 else items = items + 1 end
    end
    blocks = blocks + 1 + (names > 0 and 1 or 0) + (items > (JIT and COLOCATED or 0) and 1 or 0)
    for key, child in pairs(t) do
      if type(key) == "string" then see(key, names <= RECORD and #key <= NAME) end
      if type(child) == "table" then walk(child) elseif type(child) == "string" then see(child) end
    end
  end
  walk(value)
  for text in pairs(strings) do blocks = blocks + (kept[text] and 0 or 1) end
  return blocks
end

local documents = {
  { "`[]`", "[]" },
  { "`{}`", "{}" },
  { "`[1,2,3]`", "[1,2,3]" },
  { "a record of 60 bytes", '{"id":17,"name":"Ada Adler","tags":["admin","staff"],"x":1.5}' },
  { "people", fleece.encode(require "workloads.people"(require "workloads.random"(1), 1000)) },
}
for name in pairs(package.loaded) do -- with the strings that are in them
  if name:find "^workloads" then package.loaded[name] = nil end
end
for _, name in ipairs { "twitter", "citm_catalog", "canada" } do
  local file = io.open((os.getenv "FLEECE_DATA" or "") .. "/json/" .. name .. ".json", "rb")
  if file then documents[#documents + 1] = { name, file:read "*a" }, file:close() end
end

print "| decode of | least | blocks |\n|---|--:|--:|"
for _, document in ipairs(documents) do
  local text = document[2]
  for _ = 1, 4 do fleece.decode(text) end
  local least = least_of(fleece.decode(text))
  for _ = 1, 3 do collectgarbage() end
  collectgarbage "stop"
  local _, _, before = count()
  fleece.decode(text)
  local _, _, after = count()
  collectgarbage "restart"
  print(("| %s | %d | %d |"):format(document[1], least, after - before))
end
os.exit(0) -- without closing the state: the allocator's object may be gone
