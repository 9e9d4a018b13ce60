-- SPDX-License-Identifier: MIT
-- decoding.lua -- the direction "decode": texts that change from call to call, entrants, the floor, verdicts.

local find, texts, verify = require "measure.find", require "workloads.texts", require "measure.verify"
local decoding = { yyjson = "read" }
local NUMBERS = 100 -- different documents of numbers, which have no strings to change

function decoding.takes(case) return case.decode or case.text end

-- Sorted, because the order of keys must not depend on the interpreter.
local function writer()
  local fleece, why = find.module("fleece", function(m) return m.encode and m.new end)
  if not fleece then error("fleece is not built: " .. tostring(why), 0) end
  return fleece.new({ sort_keys = true }).encode
end

-- Returns the task of a case, for rounds.lua; or nil and the reason.
function decoding.task(case, random)
  if not verify.decoder() then return nil, "no decoder on the path" end
  local task = { dress = texts.dress, run = texts.run }
  if case.decode == "numbers" then
    local encode = writer()
    task.texts = {}
    for i = 1, NUMBERS do task.texts[i] = encode(case.build(random).doc) end
  else
    task.texts = texts.like(case.text and case.text() or writer()(case.build(random).doc), random)
  end
  task.text = task.texts[1]
  return task
end

-- Returns the document as a value to compare results with.
function decoding.reference(task) return verify.decoder(true)(task.texts[1], verify.NULL) end

-- The floor: creates the same tables from recorded values (../c/floor.c); nil if that is not compiled.
function decoding.floor(task)
  local floor = find.module("floor", function(m) return m.build end)
  if not floor then return nil end
  local decode, inputs = verify.decoder(), {}
  for i, text in ipairs(task.texts) do inputs[i] = floor.add(decode(text, floor.null)) end
  return { name = "floor", null = floor.null, call = floor.build, inputs = inputs }
end

-- Returns all entrants of a case.
function decoding.entrants(task, _, peers)
  local list = {}
  for _, peer in ipairs(peers) do
    if peer.decode and #task.texts[1] <= (peer.decode_limit or math.huge) then
      list[#list + 1] = { name = peer.name, version = peer.version, null = peer.null, call = peer.decode }
    end
  end
  return list
end

function decoding.input(task, entrant) return (entrant.inputs or task.texts)[1] end

-- Returns the size of the text and the verdict of the result; nil if the result is invalid.
function decoding.judge(task, entrant, value)
  if type(value) ~= "table" then return nil end
  return #task.texts[1], verify.value(value, task.reference, entrant.null)
end

return decoding
