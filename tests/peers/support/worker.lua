-- SPDX-License-Identifier: MIT
-- worker.lua -- answers as worker.py does, by Fleece. A letter is 1 or 0 if all forms of the value agree: its text, its
-- table by both walks, its document, the list of failures, and decode; else x, and what differs follows.

local fleece = require "fleece"
local exact = { numbers = "exact", arrays = fleece.array_mt }

local function verdicts(s, by_api, text)
  local value = fleece.decode(text, exact)
  local found = { (s(text)), #s:errors(text) == 0, select("#", s:decode(text)) == 1 }
  if type(value) ~= "string" then
    found[#found + 1], found[#found + 2] = s(value), by_api(value)
  end
  if not text:find "%d%d%d%d%d%d%d%d%d%d" and not text:find "%d[eE]" then found[#found + 1] = s(fleece.open(fleece.from_json(text))) end
  return found
end

local function letter(found)
  for i = 2, #found do
    if found[i] ~= found[1] then return "x" end
  end
  return found[1] and "1" or "0"
end

for line in io.lines() do
  local draft, schema, list = line:match "^([^\t]*)\t([^\t]*)\t(.*)$"
  local made, s = pcall(fleece.schema, schema, { draft = draft })
  if made then
    local by_api, letters = fleece.schema(schema, { draft = draft, layout = "api" }), {}
    for text in (list .. "\t"):gmatch "(.-)\t" do
      letters[#letters + 1] = letter(verdicts(s, by_api, text))
    end
    print(table.concat(letters))
  else
    print("refused: " .. tostring(s):gsub("\n", " "))
  end
  io.stdout:flush()
end
