-- SPDX-License-Identifier: MIT
-- encoding.lua -- what is special about measuring encode: documents change from call to call, results are texts; the
-- floor of making them.

local find, vary, verify = require "measure.find", require "workloads.vary", require "measure.verify"
local encoding = { yyjson = "write" }
local FLAGS = { "E0", "E1", "E2", "E3", "E4" }

function encoding.takes() return true end

-- The task of a case, for rounds.lua; nil and the reason if there is none.
function encoding.task(case, random)
  local task, why = case.build(random)
  if task then vary.prepare(task, random) end
  return task, why
end

-- The document as a tree for comparison.
function encoding.reference(task) return task.doc end

-- Everything that is measured on a case.
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

-- Another string of the same length (../c/floor.c): whoever returns a string of Lua pays for that. nil where it is not
-- compiled.
function encoding.floor(task)
  local floor = find.module("floor", function(m) return m.copier end)
  local fleece = find.module("fleece", function(m) return m.encode and m.info end)
  if not (floor and fleece) then return nil end
  return { name = "floor", call = floor.copier(fleece.encode(task.doc)) }
end

function encoding.input(task) return task.doc end

-- Size of the text and what the result is worth; nil if it is none. Keeps one exact text.
function encoding.judge(task, entrant, text)
  if type(text) ~= "string" then return nil end
  if entrant.name == "floor" then return #text, "no walk" end
  local verdict = verify.text(text, task.doc, entrant.null)
  if verdict == "exact" then task.text = task.text or text end
  return #text, verdict
end

return encoding
