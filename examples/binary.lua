-- SPDX-License-Identifier: MIT
-- binary.lua -- converts a JSON file to binary and looks something up in it:
--   lua examples/binary.lua [FILE.json [KEY_PATH]]     such as people.json '[122].name'; without FILE: a generated text

local fleece = require "fleece"

local text
if arg[1] then
  local file = assert(io.open(arg[1], "rb"))
  text = file:read("*a")
  file:close()
else
  local people = {}
  for i = 1, 1000 do people[i] = { name = "Person " .. i, tags = { "one", "two" }, active = i % 3 == 0 } end
  text = fleece.encode(people)
end

local bytes = fleece.from_json(text)
print(("%d bytes of JSON, %d of binary (%.1f %%)"):format(#text, #bytes, 100 * #bytes / #text))

local path = os.tmpname()
local file = assert(io.open(path, "wb"))
assert(file:write(bytes))
assert(file:close())

local doc = fleece.open_file(path) -- mapped into memory, and checked
local wanted = fleece.path(arg[2] or (arg[1] and "." or "[122].name"))
print(tostring(wanted), fleece.encode { wanted(doc) })

-- Prints the first values that are not collections, with their paths.
local count = 0
for value, way in doc:walk() do
  if fleece.type(value) ~= "array" and fleece.type(value) ~= "dict" then
    count = count + 1
    if count <= 5 then print(way, value) end
  end
end
print(count .. " scalars")

doc:close()
os.remove(path)
