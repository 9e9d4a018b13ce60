-- SPDX-License-Identifier: MIT
-- worker.lua -- prints how long Lua's validators take for the instances of a schema, in ns a byte of text, and how long
-- it takes to make it, in ns a byte of the schema; the best of several rounds in turns:
--   lua worker.lua FOLDER SECONDS
-- FOLDER has schema.json, and instances.jsonl with a text a line. Libraries: fleece; cjson with jsonschema (of api7).
local fleece = require "fleece"
local has_cjson, cjson = pcall(require, "cjson")
local has_jsonschema, jsonschema = pcall(require, "jsonschema")
local folder, seconds = arg[1], tonumber(arg[2])
local clock = os.clock

local function read(name)
  local file = assert(io.open(folder .. "/" .. name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local MOST = 400000 -- bytes of instances that are taken
local texts, tables, bytes = {}, {}, 0
for line in read "instances.jsonl":gmatch "[^\n]+" do
  texts[#texts + 1], tables[#tables + 1] = line, fleece.decode(line)
  bytes = bytes + #line
  if bytes > MOST then break end
end

local tasks = {}
local again = math.max(1, math.floor(MOST / bytes)) -- after a collection the first of these passes reads memory anew
local function add(name, f, values, size)
  local passes = size and 1 or again
  tasks[#tasks + 1] = { name = name, f = f, values = values, size = size or bytes * passes, passes = passes, best = 1 / 0 }
end

local text = read "schema.json"
local schema = fleece.schema(text)
local copies = {}
for i = 1, math.ceil(100000 / #text) do copies[i] = text end
add("fleece make", fleece.schema, copies, #copies * #text)
add("valid text", fleece.raw, texts)
add("fleece text", schema, texts)
add("fleece table", schema, tables)
add("decode", fleece.decode, texts)
add("fleece decode", function(t) return schema:decode(t) end, texts)
-- Its validators are Lua code, which a schema may be too large for; it refuses schemas whose $id is a URI, and does not know
-- $defs and all else that drafts since 2019-09 brought.
local is_made, validator = pcall(function()
  assert(has_cjson and has_jsonschema, "not installed")
  assert(not text:find "draft/20", "a draft that it does not know")
  local one = cjson.decode(text)
  one["$id"], one.id = nil, nil
  return jsonschema.generate_validator(one)
end)
if is_made then
  local values = {}
  for i, t in ipairs(texts) do values[i] = cjson.decode(t) end
  add("api7 text", function(t) return validator(cjson.decode(t)) end, texts)
  add("api7 table", validator, values)
end

local function run(task)
  local f, values = task.f, task.values
  for _ = 1, task.passes do
    for i = 1, #values do f(values[i]) end
  end
end

local is_usable = {}
for _, task in ipairs(tasks) do is_usable[task] = pcall(run, task) end
local stop = clock() + seconds
repeat
  for _, task in ipairs(tasks) do
    if is_usable[task] then
      collectgarbage()
      collectgarbage "stop"
      local from = clock()
      run(task)
      task.best = math.min(task.best, clock() - from)
      collectgarbage "restart"
    end
  end
until clock() > stop
for _, task in ipairs(tasks) do
  if is_usable[task] then print(("%s\t%.3f"):format(task.name, task.best / task.size * 1e9)) end
end
