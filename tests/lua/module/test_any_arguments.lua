-- SPDX-License-Identifier: MIT
-- test_any_arguments.lua -- every function and method, called with arguments of any kind: it gives a result or an
-- error, and everything still works. Interpreters that check their C interface detect more errors (tests/run.py).

local T = require "support"
local fleece, same, random, pick = T.fleece, T.same, T.random, T.pick

TestAnyArguments = {}

local MODULES = { "fleece", "fleece.safe", "fleece.cjson", "fleece.cjson.safe", "fleece.dkjson", "fleece.rxi",
  "fleece.rapidjson", "fleece.luajson", "fleece.json4lua" }

-- These would read or write files with random names, or print.
local LEFT_OUT = { open_file = true, decode_file = true, load = true, dump = true, save = true, printValue = true,
  write_file = true, compact = true }

local function collect(t, path, list, seen, depth)
  if seen[t] or depth > 4 then return end
  seen[t] = true
  for name, v in pairs(t) do
    local place = path .. "." .. tostring(name)
    if type(v) == "function" and not LEFT_OUT[name] then list[#list + 1] = { name = place, call = v } end
    if type(v) == "table" then
      collect(v, place, list, seen, depth + 1)
      local meta = getmetatable(v)
      if type(meta) == "table" then collect(meta, place .. "!", list, seen, depth + 1) end
    end
  end
end

local TEXT = '{"a":[1,2.5,"x",null,true,{"b":[]}],"people":[{"name":"Ann","age":3},{"name":"Bob"}],"s":"' ..
  ("long "):rep(20) .. '"}'
local BYTES = fleece.from_json(TEXT)
local rapidjson = require "fleece.rapidjson"

local function make_objects()
  local doc = fleece.open(BYTES)
  return { doc, doc.root, doc.root.people, fleece.lazy(TEXT), doc.root:mutable(), fleece.parser(),
    fleece.writer { 1, 2, { 3 } }, fleece.encoder(), fleece.keys(), fleece.path "people[0].name", fleece.data "\1\2",
      rapidjson.Document(TEXT),
    rapidjson.SchemaDocument '{"type":"object"}',
      rapidjson.SchemaValidator(rapidjson.SchemaDocument '{"items":{"type":"string"}}'),
    fleece.raw "[1]", fleece.null, fleece.array {}, fleece.object {} }
end
local objects = make_objects()

local functions = {}
for _, name in ipairs(MODULES) do
  local loaded = package.loaded[name]
  package.loaded[name] = nil -- load a second instance, with its own settings
  collect(require(name), name, functions, {}, 0)
  package.loaded[name] = loaded
end
for i, object in ipairs(objects) do
  local meta, list = debug.getmetatable(object), {}
  if type(meta) == "table" then collect(meta, "object " .. i, list, {}, 0) end
  for _, f in ipairs(list) do
    f.object = i
    functions[#functions + 1] = f
  end
end

table.sort(functions, function(a, b) return a.name < b.name end) -- so that the calls depend only on the seed

local cycle = {}
cycle[1] = cycle
local CONSTANTS = { true, false, 0, 1, 3, -1, -7, 0.5, 1 / 0, -1 / 0, 0 / 0, 2 ^ 31, 2 ^ 53, -2 ^ 63, "", TEXT, BYTES,
  "E0", "E4", "E9", "/people/0/name", "people[0].name", "name", "[1,2", "a\0b", "\255", ("x"):rep(300), {}, { 1, 2 },
    { a = 1, [2] = 3 }, cycle,
  function(...) return ... end, function() error "e" end, function() end, coroutine.create(function() end),
  setmetatable({}, { __index = function() return 1 end, __len = function() return 3 end }),
  setmetatable({}, { __tojson = function() return "1" end }),
    setmetatable({}, { __pairs = function() return next, { 1 }, nil end }) }

-- Without "trusted": its results for damaged bytes are undefined (docs/binary.md).
local OPTIONS = { "indent", "sort_keys", "max_depth", "max_bytes", "precision", "null", "arrays", "objects", "layout",
  "mode", "keys", "base", "canonical", "json5", "on_error", "key_order", "duplicates", "numeric_keys", "streamed",
  "lines", "path", "pointer", "exception", "keyorder", "level", "buffer", "pretty", "comments", "invalid_utf8",
  "sparse", "object", "array", "strings", "number", "others", "calls" }

local function argument()
  local kind = random(1, 10)
  if kind == 1 then return nil end
  if kind <= 3 then return pick(objects) end
  if kind == 4 then
    local at = random(1, #BYTES)
    return random(1, 2) == 1 and BYTES:sub(1, at) or BYTES:sub(1, at - 1) .. string.char(random(0, 255)) ..
      BYTES:sub(at + 1)
  end
  if kind == 5 then
    local options = {}
    for _ = 1, random(1, 3) do options[pick(OPTIONS)] = random(1, 4) == 1 and pick(objects) or pick(CONSTANTS) end
    return options
  end
  return pick(CONSTANTS)
end

-- The contents of all shared metatables, which no call may change.
local function shared_marks()
  local cjson, list = require "fleece.cjson", {}
  for i, meta in ipairs { getmetatable(fleece.array {}), getmetatable(fleece.object {}), cjson.array_mt,
    cjson.empty_array_mt, getmetatable(require("fleece.luajson").util.InitArray {}), getmetatable(rapidjson.array()),
      getmetatable(rapidjson.object()) } do
    for name, v in pairs(meta) do list[#list + 1] = i .. "." .. tostring(name) .. "=" .. tostring(v) end
  end
  table.sort(list)
  return table.concat(list, " ")
end

function TestAnyArguments:test_random_calls()
  local marks = shared_marks()
  same(#functions > 150, true)
  T.random_rounds(4000, function()
    if random(1, 200) == 1 then objects = make_objects() end
    local f, arguments, n = pick(functions), {}, random(0, 5)
    for i = 1, n do arguments[i] = argument() end
    if f.object and random(1, 8) > 1 then arguments[1], n = objects[f.object], math.max(n, 1) end
    local run = random(1, 10) == 1 and coroutine.wrap(function(...) return pcall(...) end) or pcall
    local ok, result = run(f.call, T.unpack(arguments, 1, n))
    if ok and type(result) == "function" and random(1, 2) == 1 then pcall(result, argument(), argument()) end
  end)
  same(shared_marks(), marks)
  same(fleece.encode(fleece.decode(TEXT), { sort_keys = true }), fleece.to_json(fleece.open(BYTES).root))
end
