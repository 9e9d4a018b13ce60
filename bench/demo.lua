-- SPDX-License-Identifier: MIT
-- demo.lua -- encodes and decodes one real document: `lua bench/demo.lua [FILE.json]`. Takes a few seconds.
-- Without a file it uses twitter.json of $FLEECE_DATA if that exists, else 1000 generated people.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local measure, vary, texts = require "measure.rounds", require "workloads.vary", require "workloads.texts"
local find, new_random = require "measure.find", require "workloads.random"
local ROUNDS = 15

local function commas(n)
  local text = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

-- Returns a document to encode, the text to decode, and a name for both.
local function document(fleece)
  local data = os.getenv("FLEECE_DATA")
  local path = arg[1] or data and data .. "/json/twitter.json"
  local f = path and io.open(path, "rb")
  if f then
    f:close()
    local case = dofile(here .. "/workloads/documents.lua").of(path)
    local task = case.build()
    if task then return task, case.text(), case.name end
  end
  if arg[1] then error("cannot use " .. arg[1], 0) end
  local people = require "workloads.people"(new_random(1), 1000)
  return { doc = people }, fleece.encode(people), "1000 generated people"
end

-- Runs all entrants in turns on the task; prints the time of each, and the ratio.
local function compare(task, size, entrants)
  measure.rounds(task, entrants, { seconds = 0.02, rounds = ROUNDS, least = 5, budget = 1, random = new_random(2) })
  local ratio
  for _, entrant in ipairs(entrants) do
    local times, ratios = measure.compare(entrant, entrants[2], ROUNDS)
    ratio = ratio or ratios
    print(("%-16s %9.1f microseconds per call, %5.0f MB/s"):format(entrant.name, times.median / 1000,
      size / times.median * 1000))
  end
  if ratio then
    print(("Fleece is %.1f times as fast as lua-cjson (middle half of %d rounds: %.1f to %.1f).\n"):format(
      ratio.median, ratio.n, ratio.q1, ratio.q3))
  else
    print("lua-cjson is not installed for this Lua, so there is nothing to compare with.\n")
  end
end

local fleece, why = find.module("fleece", function(m) return m.encode and m.decode and m.info end)
if not fleece then
  io.stderr:write("fleece is not built yet: run 'make' first.\n", tostring(why), "\n")
  os.exit(1)
end
local cjson = find.require "cjson"
local function entrants(verb)
  local list = { { name = "fleece", call = fleece[verb], null = fleece.null } }
  if cjson then list[2] = { name = "lua-cjson " .. cjson._VERSION, call = cjson[verb], null = cjson.null } end
  return list
end

local info = fleece.info()
local task, given, name = document(fleece)
vary.prepare(task, new_random(3))
vary.dress(task, fleece)
local text = fleece.encode(task.doc)
print(("Fleece %s on %s reads Lua's tables through layout %q, scans text with %s."):format(info.version,
  info.lua, info.layout, info.simd))
print(("\nfleece.encode(document)   -- %s, %s bytes of JSON:\n"):format(name, commas(#text)))
print(text:sub(1, 300):gsub("[\128-\255]*$", "") .. " ...\n")
compare(task, #text, entrants "encode")

task, text = nil, nil -- luacheck: ignore (memory that is still in use slows down the collector)
print(("fleece.decode(text)   -- %s, %s bytes, other strings in each call:\n"):format(name, commas(#given)))
compare({ texts = texts.like(given, new_random(4)), dress = texts.dress, run = texts.run }, #given,
  entrants "decode")
