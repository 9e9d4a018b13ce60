-- SPDX-License-Identifier: MIT
-- use_parts.lua "core query": the functions of these parts work, each other one says that its part was left out.

local chosen = " " .. arg[1] .. " "
local fleece, safe = require "fleece", require "fleece.safe"
assert(fleece.info().parts == arg[1], "info().parts: " .. tostring(fleece.info().parts))

local doc = chosen:find " document " and fleece.open(fleece.from_json '{"a":[1,2]}')
local path = os.tmpname()

local function written(f, value)
  local pieces = {}
  f(value, function(piece) pieces[#pieces + 1] = piece return true end)
  return table.concat(pieces)
end
local function collected(f, ...)
  local all = {}
  for value in f(...) do all[#all + 1] = fleece.encode(value) end
  return table.concat(all, " ")
end
-- Of each function: its part, what it does, and what that gives.
local uses = {
  encode = { "core", function(f) return f { 1, "a" } end, '[1,"a"]' },
  json = { "core", function(f) return f { 1, "a" } end, '[1,"a"]' },
  size = { "core", function(f) return f { 1, 2 } end, 5 },
  write = { "core", function(f) return written(function(value, to) f(to, value) end, { 1, 2 }) end, "[1,2]" },
  new = { "core", function(f) return f({ sort_keys = true }).encode { b = 1, a = 2 } end, '{"a":2,"b":1}' },
  array = { "core", function(f) return fleece.encode(f {}) end, "[]" },
  object = { "core", function(f) return fleece.encode(f {}) end, "{}" },
  raw = { "core", function(f) return fleece.encode { f "[1 ]" } end, "[[1 ]]" },
  info = { "core", function(f) return f().parts end, arg[1] },
  decode = { "core", function(f) return f('{"a":[1,2]}').a[2] end, 2 },
  decode_prefix = { "core", function(f) return f "7 8" end, 7 },
  decode_file = { "core", function(f)
    local file = assert(io.open(path, "w"))
    file:write "[3]"
    file:close()
    return f(path)[1]
  end, 3 },
  documents = { "core", function(f) return collected(f, "1 [2]") end, "1 [2]" },
  items = { "core", function(f) return collected(f, "[3,4]") end, "3 4" },
  tokens = { "core", function(f) return (f "[1]"()) end, "array" },
  events = { "core", function(f) return (f 'data: {"a":1}\n\n'()).a end, 1 },
  pick = { "core", function(f) return f "a[1]" '{"a":[1,2]}' end, 2 },
  pairs = { "core", function(f) return (f { 9 }({ 9 })) end, 1 },
  ipairs = { "core", function(f) return (f { 9 }({ 9 }, 0)) end, 1 },
  tonumber = { "core", function(f) return f(fleece.decode("1.50", { numbers = "exact" })) end, 1.5 },
  format = { "core", function(f) return f "[ 1 ]" end, "[1]" },
  edit = { "core", function(f) return f('{"a":1}', { { "set", "a", 2 } }) end, '{"a":2}' },
  format_stream = { "core", function(f) return written(f, "[ 1 ]") end, "[1]" },
  parser = { "core", function(f)
    local parser = f()
    parser:feed "[1,"
    parser:feed "2]"
    return parser:finish()[2]
  end, 2 },
  writer = { "core", function(f) return f { 5 }() end, "[5]" },
  builder = { "core", function(f) return f():array():number(1):close():finish() end, "[1]" },
  pack = { "document", function(f) return fleece.unpack(f { 1, 2 })[2] end, 2 },
  unpack = { "document", function(f) return f(fleece.pack { a = "b" }).a end, "b" },
  from_json = { "document", function(f) return fleece.to_json(f "[1 ]") end, "[1]" },
  to_json = { "document", function(f) return f(doc) end, '{"a":[1,2]}' },
  check = { "document", function(f) return f(fleece.pack { 1 }) end, true },
  open = { "document", function(f) return f(fleece.pack { 1, 6 }).root[2] end, 6 },
  open_file = { "document", function(f)
    fleece.save(path, { 8 })
    return f(path).root[1]
  end, 8 },
  save = { "document", function(f) return f(path, { 1 }) and fleece.open_file(path).root[1] end, 1 },
  write_file = { "document", function(f)
    f(path, { 4 })
    return fleece.decode_file(path)[1]
  end, 4 },
  compact = { "document", function(f)
    fleece.save(path, { 1 })
    f(path)
    return fleece.open_file(path).root[1]
  end, 1 },
  lazy = { "document", function(f) return f('{"a":[1,2]}').a[2] end, 2 },
  path = { "document", function(f) return f "a[1]"(doc) end, 2 },
  get = { "document", function(f) return f(doc.root, "a", 1) end, 1 },
  type = { "document", function(f) return f(doc.root) end, "dict" },
  data = { "document", function(f) return fleece.unpack(fleece.pack { f "\0\1" })[1] and 1 end, 1 },
  keys = { "document", function(f) return #f() end, 0 },
  encoder = { "document", function(f)
    local encoder = f()
    encoder:value(7)
    return fleece.unpack(encoder:finish())
  end, 7 },
  diff = { "document", function(f) return type(f(fleece.pack { 1 }, fleece.pack { 2 })) end, "string" },
  patch = { "document", function(f)
    local delta = fleece.diff(fleece.pack { 1 }, fleece.pack { 2 })
    return fleece.unpack(f(fleece.pack { 1 }, delta))[1]
  end, 2 },
  date = { "document", function(f) return f(0) end, "1970-01-01T00:00:00Z" },
  dump = { "document", function(f) return type(f(fleece.pack { 1 })) end, "string" },
  query = { "query", function(f) return f "$..b" { a = { b = 3 } }[1] end, 3 },
  json_patch = { "query", function(f) return f("[1]", '[{"op":"add","path":"/1","value":2}]') end, "[1,2]" },
  json_diff = { "query", function(f) return f("[1]", "[2]") end, '[{"op":"replace","path":"/0","value":2}]' },
  merge_patch = { "query", function(f) return f('{"a":1}', '{"a":2}') end, '{"a":2}' },
  schema = { "schema", function(f) return (f '{"type":"array"}' "[1]") end, true },
  merge_diff = { "query", function(f) return f('{"a":1}', '{"a":2}') end, '{"a":2}' },
}

local wrong = {}
local function check(name, library, f)
  local use = uses[name]
  assert(use, name .. " has no example in use_parts.lua")
  local there = chosen:find(" " .. use[1] .. " ", 1, true)
  local fine, result = pcall(there and use[2] or f, f)
  if fine ~= (there ~= nil) or result ~= (there and use[3] or "built without " .. use[1] .. " (FLEECE_PARTS)") then
    wrong[#wrong + 1] = ("%s.%s: %s"):format(library, name, tostring(result))
  end
end
local seen = 0
for name, f in pairs(fleece) do
  if type(f) == "function" then
    seen = seen + 1
    check(name, "fleece", f)
    check(name, "fleece.new()", fleece.new()[name])
    assert(type(safe[name]) == "function")
    if not chosen:find(" " .. uses[name][1] .. " ", 1, true) then check(name, "fleece.safe", safe[name]) end
  end
end
for name in pairs(uses) do assert(type(fleece[name]) == "function", name .. " is not there") end
os.remove(path)
assert(#wrong == 0, table.concat(wrong, "\n"))

-- Values of one part in functions of another.
if doc then
  assert(fleece.encode { doc.root.a, doc } == '[[1,2],{"a":[1,2]}]')
  for _, value in fleece.ipairs(doc.root.a) do seen = seen + value end
  if chosen:find " query " then
    assert(fleece.query "$.a[1]"(doc)[1] == 2)
    assert(fleece.json_diff(doc, { a = { 1 } })[1].op == "remove")
  end
end
local there, problem = pcall(require, "fleece.program")
assert(there == (chosen:find " program " ~= nil), tostring(problem))
assert(there or problem:find("built without program (FLEECE_PARTS)", 1, true), problem)
for _, name in ipairs { "cjson", "dkjson", "rxi", "rapidjson", "luajson", "json4lua" } do
  local module = require("fleece." .. name)
  local value = module.decode "[1,2]"
  assert(module.encode(value) == "[1,2]", name)
end
local rapidjson, has_schema = require "fleece.rapidjson", chosen:find " schema " ~= nil
for _, name in ipairs { "SchemaDocument", "SchemaValidator" } do
  local _, why = pcall(rapidjson[name])
  assert((why == "built without schema (FLEECE_PARTS)") == not has_schema, tostring(why))
end
if has_schema then
  local validator = rapidjson.SchemaValidator(rapidjson.SchemaDocument '{"type":"null"}')
  assert(validator:validate(rapidjson.Document "null") and not validator:validate(rapidjson.Document "1"))
end
