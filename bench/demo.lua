-- SPDX-License-Identifier: MIT
-- demo.lua -- one real document, encoded: `lua bench/demo.lua [FILE.json]`. Takes a few seconds.
-- Without a file: twitter.json of $FLEECE_DATA if that is there, else 1000 generated people.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local measure, vary, verify, find = require "measure", require "vary", require "verify", require "find"
local new_random = require "random"

local function commas(n)
  local text = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local function document()
  local data = os.getenv("FLEECE_DATA")
  local path = arg[1] or data and data .. "/json/twitter.json"
  local f = path and io.open(path, "rb")
  if f then
    f:close()
    if verify.decoder() then
      local case = dofile(here .. "/cases/documents.lua").of(path)
      local task = case.build()
      if task then return task, case.name end
    end
  end
  if arg[1] then error("cannot use " .. arg[1], 0) end
  return { doc = require "people"(new_random(1), 1000) }, "1000 generated people"
end

local fleece, why = find.module("fleece", function(m) return m.encode and m.info end)
if not fleece then
  io.stderr:write("fleece is not built yet: run 'make' first.\n", tostring(why), "\n")
  os.exit(1)
end
local cjson = find.require "cjson"
local info = fleece.info()
local task, name = document()

measure.dress(task, fleece.null)
local text = fleece.encode(task.doc)
print(("Fleece %s on %s reads Lua's tables through layout %q, scans text with %s."):format(info.version,
  info.lua, info.layout, info.simd))
print(("\nfleece.encode(document)   -- %s, %s bytes of JSON:\n"):format(name, commas(#text)))
print(text:sub(1, 300):gsub("[\128-\255]*$", "") .. " ...\n")

local entrants = { { name = "fleece", encode = fleece.encode, null = fleece.null } }
if cjson then
  entrants[2] = { name = "lua-cjson " .. cjson._VERSION, encode = cjson.encode, null = cjson.null }
end
local rounds = 15
local how = { seconds = 0.02, rounds = rounds, least = 5, budget = 1, random = new_random(2) }
vary.prepare(task, new_random(3))
measure.rounds(task, entrants, how)
local ratio
for _, entrant in ipairs(entrants) do
  local times, ratios = measure.compare(entrant, entrants[2], rounds)
  ratio = ratio or ratios
  print(("%-16s %9.1f microseconds per call, %5.0f MB/s"):format(entrant.name, times.median / 1000,
    #text / times.median * 1000))
end
if ratio then
  print(("\nFleece is %.1f times as fast as lua-cjson (middle half of %d rounds: %.1f to %.1f)."):format(
    ratio.median, ratio.n, ratio.q1, ratio.q3))
else
  print("\nlua-cjson is not installed for this Lua, so there is nothing to compare with.")
end
