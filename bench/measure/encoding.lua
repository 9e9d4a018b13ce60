-- SPDX-License-Identifier: MIT
-- encoding.lua -- the direction "encode": documents that change from call to call, entrants, the floor, verdicts.

local find, vary, verify = require "measure.find", require "workloads.vary", require "measure.verify"
local encoding = { yyjson = "write" }
local FLAGS = { "E0", "E1", "E2", "E3", "E4" }

function encoding.takes(case) return not case.decode_only end

-- Returns the task of a case, for rounds.lua; or nil and the reason.
function encoding.task(case, random)
  local task, why = case.build(random)
  if task then vary.prepare(task, random) end
  return task, why
end

-- Returns the document as a value to compare results with.
function encoding.reference(task) return task.doc end

-- Returns all entrants of a case.
function encoding.entrants(_, case, peers)
  local list = {}
  local function add(peer, name, call)
    list[#list + 1] = { name = name, version = peer.version, null = peer.null, call = call }
  end
  for _, peer in ipairs(peers) do
    if peer.encode then add(peer, peer.name, peer.encode) end
    for _, flag in ipairs(case.variants and peer.variants and FLAGS or {}) do
      if peer.variants[flag] then add(peer, peer.name .. " " .. flag, peer.variants[flag]) end
    end
  end
  return list
end

-- The floor: creates another string of the same length (../c/floor.c), a cost of every function that returns a Lua
-- string. nil if that is not compiled.
function encoding.floor(task)
  local floor = find.module("floor", function(m) return m.copier end)
  local fleece = find.module("fleece", function(m) return m.encode and m.info end)
  if not (floor and fleece) then return nil end
  return { name = "floor", call = floor.copier(fleece.encode(task.doc)) }
end

function encoding.input(task) return task.doc end

-- Returns the size of the text and the verdict of the result; nil if the result is invalid. Keeps one exact text.
function encoding.judge(task, entrant, text)
  if type(text) ~= "string" then return nil end
  if entrant.name == "floor" then return #text, "no walk" end
  local verdict = verify.text(text, task.doc, entrant.null)
  if verdict == "exact" then task.text = task.text or text end
  return #text, verdict
end

return encoding
