-- SPDX-License-Identifier: MIT
-- bodies.lua -- bodies of requests and a catalogue, of which a program reads a few fields.

local people = require "workloads.people"

local WORDS = {}
for word in ([[the a of and to in that is for with as this we can not one each from where which value table
  result input function line text between number answer question example should would because after]]):gmatch("%a+") do
  WORDS[#WORDS + 1] = word
end

local function sentence(random)
  local words = {}
  for i = 1, random.int(6, 16) do words[i] = random.pick(WORDS) end
  return table.concat(words, " "):gsub("^%l", string.upper) .. "."
end

local function code(random)
  local name = random.word(3, 9)
  return ("```\nlocal %s = require \"%s\"\nif %s.%s then\n\treturn \"%s\"\nend\n```"):format(name, name, name,
    random.word(2, 8), random.word(4, 12))
end

-- Text with line ends, quotes and code, as people and models write it, of about `size` bytes.
local function prose(random, size)
  local parts, total = {}, 0
  while total < size do
    local part = random.chance(6) and code(random) or sentence(random) .. " " .. sentence(random)
    parts[#parts + 1], total = part, total + #part + 2
  end
  return table.concat(parts, "\n\n")
end

local function chat(random)
  local messages = { { role = "system", content = prose(random, 1500) } }
  for i = 2, 41 do
    messages[i] = { role = i % 2 == 0 and "user" or "assistant", content = prose(random, 2050) }
  end
  return { doc = { max_tokens = 1024, messages = messages, model = "large-2026-11" } }
end

local function record(random)
  local person = { id = random.int(0, 999999), name = random.word(16, 16),
                   mail = random.word(12, 12) .. "@mail.example", score = random.int(0, 9999) / 100,
                   active = true, tags = { "red", "new" } }
  return { doc = { request = random.int(1, 200), route = "orders/" .. random.word(12, 12), people = { person } } }
end

-- An object of numbered projects with long descriptions.
local function catalogue(random)
  local projects = {}
  for i = 1, 1500 do
    projects[tostring(i)] = {
      type = "project", name = sentence(random), description = prose(random, 1500),
      sponsor = { type = "organisation", name = random.word(4, 12),
                  url = "https://" .. random.word(4, 12) .. ".example/", contact = people(random, 1)[1].email },
      author = { type = "person", name = random.word(3, 9) .. " " .. random.word(4, 12) },
      year = random.int(2005, 2026), accepted = random.chance(2), rating = random.int(0, 500) / 100,
    }
  end
  return { doc = projects }
end

return {
  { name = "record", key = "record", build = record },
  { name = "chat body", key = "chat", build = chat, last = true, edit = true },
  { name = "catalogue", key = "catalogue", build = catalogue },
}
