-- SPDX-License-Identifier: MIT
-- test_metamethods.lua -- metamethods and methods of all objects of the module, called directly: with wrong objects,
-- and with objects that are already finalized, as other finalizers may do. Each call must return or raise an error.

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestMetamethods = {}

local text = '{"list":[1,[2,3],{"x":"a text of some length"}],"name":"x","y":null}'

local function file()
  local path = os.tmpname()
  local f = assert(io.open(path, "wb"))
  f:write(fleece.from_json(text))
  f:close()
  local doc = fleece.open_file(path)
  os.remove(path)
  return doc
end

local made = {
  document = function() return fleece.open(fleece.from_json(text)) end,
  mapped = file,
  view = function() return fleece.lazy(text) end,
  mutable = function() return fleece.lazy(text):mutable() end,
  list = function() return fleece.lazy(text):mutable().list end,
  data = function() return fleece.data "bytes" end,
  keys = function() return fleece.keys() end,
  path = function() return fleece.path "list[1]" end,
  encoder = function() return fleece.encoder():dict():key "k" end,
  parser = function() return fleece.parser():feed('{"a":[1,2'), nil end,
  writer = function()
    local list = {}
    for i = 1, 3000 do list[i] = { i, "text " .. i } end
    local writer = fleece.writer { list, list }
    writer:next(100)
    return writer
  end,
  raw = function() return fleece.raw "1" end,
  documents = function() return (fleece.documents "1 2 3") end,
  rapidjson = function() return require "fleece.rapidjson".Document(text) end,
  schema = function()
    local rapidjson = require "fleece.rapidjson"
    return rapidjson.SchemaDocument(rapidjson.Document '{"type":"object"}')
  end,
  validator = function()
    local rapidjson = require "fleece.rapidjson"
    return rapidjson.SchemaValidator(rapidjson.SchemaDocument(rapidjson.Document '{"type":"object"}'))
  end,
}

-- All functions of an object: its metamethods, and the methods that __index gives.
local function functions_of(object)
  local found, mt = {}, getmetatable(object)
  if type(mt) ~= "table" then return found end
  for name, f in pairs(mt) do
    if type(f) == "function" then found[name] = f end
    if name == "__index" and type(f) == "table" then
      for method, g in pairs(f) do found[method] = g end
    end
  end
  for _, name in ipairs { "get", "pointer", "walk", "totable", "mutable", "type", "close", "amend", "bytes", "root",
    "key", "array", "dict", "string", "integer", "double", "json", "value", "finish", "feed", "step", "next", "insert",
    "changed", "save", "parse", "validate", "stringify", "accept", "diagnose", "set" } do
    local ok, f = pcall(function() return object[name] end)
    if ok and type(f) == "function" then found[name] = f end
  end
  if type(object) == "userdata" and tostring(object):find "rapidjson" then found.save = nil end -- save writes a file
  return found
end

local function strangers()
  local list = { 42, "a string", {}, print, io.stdout, true, coroutine.create(function() end) }
  for _, make in pairs(made) do list[#list + 1] = make() end
  return list
end

function TestMetamethods:test_with_anything()
  local others = strangers()
  for kind, make in pairs(made) do
    local object = make()
    for name, f in pairs(functions_of(object)) do
      pcall(f)
      for _, other in ipairs(others) do
        if name ~= "__gc" and name ~= "close" or type(other) ~= "userdata" then
          pcall(f, other)
          pcall(f, other, 1)
          pcall(f, object, other)
          pcall(f, object, 1, other)
        end
      end
      local ok, message = pcall(f, 42)
      if name ~= "__gc" and type(object) == "userdata" then
        lu.assertFalse(ok, kind .. "." .. name)
        lu.assertIsString(message)
      end
    end
  end
  collectgarbage()
end

-- An object may be finalized before others that still use it, so all calls must be safe afterwards.
function TestMetamethods:test_after_the_finalizer()
  for kind, make in pairs(made) do
    local names = functions_of(make())
    if names.__gc then
      for name in pairs(names) do
        local object = make()
        local functions = functions_of(object)
        for _ = 1, 2 do functions.__gc(object) end
        pcall(functions[name], object)
        pcall(functions[name], object, 1)
        pcall(functions[name], object, "name", 2)
        pcall(fleece.encode, { object })
        pcall(fleece.pack, { object })
        collectgarbage()
      end
    end
  end
end

function TestMetamethods:test_of_another_kind()
  for _, make in pairs(made) do
    local gc = functions_of(make()).__gc
    if gc then
      for _, other in ipairs(strangers()) do
        pcall(gc, other)
        pcall(gc, other)
      end
    end
  end
  collectgarbage()
end

function TestMetamethods:test_collected_writer()
  local writer = made.writer()
  getmetatable(writer).__gc(writer)
  T.raises_with("the writer was collected", writer.next, writer)
  T.raises_with("writer expected", getmetatable(writer).__gc, 42)
end
