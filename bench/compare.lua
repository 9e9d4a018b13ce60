-- SPDX-License-Identifier: MIT
-- compare.lua -- run by compare.py: measures two objects of Fleece in one process, on one workload, in turns.
--
--   lua compare.lua --list [DATA]                                    the keys of the workloads
--   lua compare.lua --prepare KEY FILE BASE.so [DATA]                write the texts of a workload to FILE
--   lua compare.lua --measure FILE BASE.so NEW.so OPERATIONS SECONDS PROCESS
--   lua compare.lua --count FILE BASE.so NEW.so OPERATIONS           for callgrind, see count()
-- DATA is a folder with json/*.json. Prints lines that compare.py reads.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local new_random = require "workloads.random"
local clock = os.clock
local started = clock()

local CASES = { "original", "numbers", "small", "generated" }
local NUMBERS = 100 -- different documents of numbers, which have no strings to change
local BATCH = 0.003 -- seconds of calls of one object before the other's turn
local LEAST = 11 -- pairs of batches, at least

local function cases(data)
  local list = {}
  local function add(more)
    for _, case in ipairs(more) do if case.decode or case.text then list[#list + 1] = case end end
  end
  for _, file in ipairs(CASES) do add(dofile(here .. "/workloads/" .. file .. ".lua")) end
  if data then add(dofile(here .. "/workloads/documents.lua").all(data)) end
  return list
end

-- Loading one path twice gives one object, so the two objects must be in different files.
local function load_object(path) return assert(package.loadlib(path, "luaopen_fleece"))() end

-- ------------------------------------------------------------------------------------- texts

local function prepare(key, path, object, data)
  local texts = require "workloads.texts"
  local random, fleece, list = new_random(key:byte() + #key), load_object(object), {}
  for _, case in ipairs(cases(data)) do
    if case.key == key then
      local encode = fleece.new({ sort_keys = true }).encode
      if case.decode == "numbers" then
        for i = 1, NUMBERS do list[i] = encode(case.build(random).doc) end
      else
        list = texts.like(case.text and fleece.format(case.text()) or encode(case.build(random).doc), random)
      end
    end
  end
  assert(#list > 0, "no workload " .. key)
  local f = assert(io.open(path, "wb"))
  for _, text in ipairs(list) do f:write(#text, "\n", text) end
  f:close()
end

local function read_texts(path)
  local f, list = assert(io.open(path, "rb")), {}
  for line in f:lines() do list[#list + 1] = f:read(tonumber(line)) end
  f:close()
  return list
end

-- ------------------------------------------------------------------------------------- operations

-- A loop that calls f with the next input each time.
local function over(inputs, f)
  local count = #inputs
  return function(from, to)
    for c = from, to do f(inputs[c % count + 1]) end
  end
end

-- A loop that encodes one document, with another leaf changed in each call.
local function varied(doc, f)
  local vary = require "workloads.vary"
  local task, entrant = doc.task, { call = f }
  return function(from, to) vary.run(task, entrant, from, to) end
end

-- An encoder that gives equal texts for equal values.
local function text_of(fleece) return fleece.new({ sort_keys = true }).encode end

-- For each operation: the function it needs, its loop, and its result as a string.
local OPERATIONS = {
  encode = function(f, doc) return f.encode, varied(doc, f.encode), function() return f.encode(doc.value) end end,
  json = function(f, doc) return f.json, varied(doc, f.json), function() return f.json(doc.value) end end,
  json_E4 = function(f, doc)
    local function call(value) return f.json(value, "E4") end
    return f.json, varied(doc, call), function() return call(doc.value) end
  end,
  decode = function(f, doc)
    return f.decode, over(doc.texts, f.decode), function() return text_of(f)(f.decode(doc.texts[1])) end
  end,
  from_json = function(f, doc)
    return f.from_json, over(doc.texts, f.from_json), function() return f.from_json(doc.texts[1]) end
  end,
  to_json = function(f, doc)
    local inputs = doc.binaries(f)
    return f.to_json, over(inputs, f.to_json), function() return f.to_json(inputs[1]) end
  end,
  pack = function(f, doc) return f.pack, varied(doc, f.pack), function() return f.pack(doc.value) end end,
  unpack = function(f, doc)
    local inputs = doc.binaries(f)
    return f.unpack, over(inputs, f.unpack), function() return text_of(f)(f.unpack(inputs[1])) end
  end,
}

-- Removes metatables: those of one object have no meaning for the other.
local function bare(value)
  if type(value) == "table" then
    setmetatable(value, nil)
    for _, v in pairs(value) do bare(v) end
  end
  return value
end

-- The document: texts; a value, shared by both objects; binary documents, separate for each object.
local function document(path, base)
  local doc = { texts = read_texts(path) }
  local known = {}
  doc.value = bare(base.decode(doc.texts[1]))
  doc.task = { doc = doc.value }
  require "workloads.vary".prepare(doc.task, new_random(1))
  function doc.binaries(fleece)
    if not known[fleece] then
      known[fleece] = {}
      for i, text in ipairs(doc.texts) do known[fleece][i] = fleece.from_json(text) end
    end
    return known[fleece]
  end
  return doc
end

-- The addresses of memory blocks can change the time by 15 %, and within a page they are similar in each run. So in
-- every second process the new object comes first in everything, and blocks of random size separate what the two
-- allocate.
local padding, random = {}, nil
local function pad() padding[#padding + 1] = ("x"):rep(random.int(100, 8000)) end

local function objects_of(paths, process)
  local objects = { order = process % 2 == 0 and { 2, 1 } or { 1, 2 } }
  random = new_random(process + 1)
  for _, i in ipairs(objects.order) do
    pad()
    objects[i] = load_object(paths[i])
  end
  return objects
end

-- The loops of both objects; nil and the reason if one object does not support the operation.
local function pair(name, objects, doc)
  local loops, results = {}, {}
  for _, i in ipairs(objects.order) do
    local who = i == 1 and "base" or "new"
    local ok, there, loop, result = pcall(OPERATIONS[name] or error("no operation " .. name, 0), objects[i], doc)
    if not ok or not there then return nil, who .. " has no " .. name end
    pad()
    ok, results[i] = pcall(result)
    if not ok then return nil, who .. ": " .. tostring(results[i]) end
    loops[i] = loop
  end
  return loops, results[1] == results[2]
end

-- Calls call(name, loops, count, doc) for each operation that both objects support.
local function each(path, objects, names, call)
  local doc = document(path, objects[1])
  local list = {}
  for name in names:gmatch("[^,]+") do
    pad()
    local loops, same = pair(name, objects, doc)
    if not loops then
      print("left_out", name, (same:gsub("%s+", " ")))
    else
      if not same then print("differs", name) end
      list[#list + 1] = { name = name, loops = loops }
    end
  end
  for _, operation in ipairs(list) do
    collectgarbage()
    collectgarbage()
    call(operation.name, operation.loops, #list, doc)
  end
end

-- ------------------------------------------------------------------------------------- time

local counter = 0 -- call numbers are never reused

local function time(loop, calls)
  local from = counter + 1
  counter = counter + calls
  local start = clock()
  loop(from, from + calls - 1)
  return clock() - start
end

-- With a running collector one batch can take three times as long as the next, so it is stopped during a batch. A full
-- collection and a call that is not timed precede each batch: so all batches begin in the same state, and no string
-- of an earlier call is still interned.
local function collect()
  collectgarbage()
  collectgarbage("stop") -- on Lua 5.1 and LuaJIT a full collection restarts it
end

-- How many calls take BATCH seconds, by the fastest of several tries, because the process may have to wait.
local function calibrate(loops)
  local calls = 1
  while true do
    local took = math.huge
    for try = 1, 6 do
      collect()
      took = math.min(took, time(loops[1 + try % 2], calls))
      if took < BATCH / 4 then break end
    end
    if took >= BATCH / 4 then return math.max(1, math.ceil(calls * BATCH / took)) end
    calls = calls * 4
  end
end

-- Runs batches in pairs, one of each object, in random order. Prints seconds per call of both.
local function measure(path, base, new, names, seconds, process)
  local objects = objects_of({ base, new }, process)
  local ready
  each(path, objects, names, function(name, loops, count)
    ready = ready or clock()
    local calls = calibrate(loops)
    local until_, pairs_ = clock() + (seconds / count), 0
    while pairs_ < LEAST or clock() < until_ do
      local took, first = {}, random.int(1, 2)
      for _, i in ipairs { first, 3 - first } do
        collect()
        time(loops[i], 1)
        took[i] = time(loops[i], calls)
      end
      pairs_ = pairs_ + 1
      print("pair", name, ("%.9g %.9g"):format(took[1] / calls, took[2] / calls))
    end
  end)
  print("setup", ("%.3f"):format((ready or clock()) - started))
end

-- ------------------------------------------------------------------------------------- instructions

-- callgrind starts a new count with each call of the C library's clock. So the counted code is between two calls of
-- os.clock, and every second count belongs to a line printed here. The collector is stopped meanwhile. Both objects
-- have made the same calls before, because the first one would pay for memory that the second reuses.
local function count(path, base, new, names)
  local objects = objects_of({ base, new }, 1)
  each(path, objects, names, function(name, loops, _, doc)
    local calls = math.max(2, math.min(200, math.ceil(200000 / #doc.texts[1])))
    local function counted(i, note)
      collectgarbage()
      collectgarbage("stop")
      note()
      loops[i](1, calls)
      note()
      collectgarbage("restart")
    end
    for _, i in ipairs { 1, 2, 1, 2 } do counted(i, function() end) end
    for _, i in ipairs { 1, 2, 2, 1 } do
      counted(i, clock)
      print("counted", name, (i == 1 and "base " or "new ") .. calls)
    end
  end)
end

local verb, a, b, c, d, e, f = arg[1], arg[2], arg[3], arg[4], arg[5], arg[6], arg[7]
if verb == "--list" then
  for _, case in ipairs(cases(a)) do print(case.key) end
elseif verb == "--prepare" then
  prepare(a, b, c, d)
elseif verb == "--measure" then
  measure(a, b, c, d, tonumber(e), tonumber(f))
elseif verb == "--count" then
  count(a, b, c, d)
else
  error("see the head of compare.lua", 0)
end
