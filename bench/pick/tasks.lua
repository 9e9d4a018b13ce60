-- SPDX-License-Identifier: MIT
-- tasks.lua -- the tasks of the benchmark of fields: each returns a group of entrants (../measure/groups.lua), or nil
-- and the reason if something is missing, nil alone if it does not apply.

local find, verify, decoding = require "measure.find", require "measure.verify", require "measure.decoding"
local places = require "pick.places"
local tasks = {}
tasks.NAMES = { "fields", "edit" }

local cjson = find.module("cjson", function(m) return type(m.decode) == "function" end)
local floor = find.module("floor", function(m) return m.viewer end)
local VALUE = "small-2026-11" -- what edit writes

-- Returns a document: `texts`, the same text with other strings; `text`, the first of them; `ways`, the keys to its
-- fields.
function tasks.document(case, random)
  local task = decoding.task(case, random)
  local doc = { texts = task.texts, text = task.text, edit = case.edit, ways = {} }
  for i, share in ipairs(case.last and { 1 } or { 0.25, 0.5, 0.75 }) do
    doc.ways[i] = places.at(doc.text, math.floor(#doc.text * share))
  end
  return doc
end

-- Returns a loop that calls f with the next text each time.
local function over(inputs, f)
  local count = #inputs
  return function(from, to)
    for c = from, to do f(inputs[c % count + 1]) end
  end
end

local function pointers(doc)
  local list = {}
  for i, keys in ipairs(doc.ways) do list[i] = places.pointer(keys) end
  return list
end

-- Returns a function that reads the fields of a table or view.
local function reader(doc)
  local codes = {}
  for i, keys in ipairs(doc.ways) do codes[i] = places.code("v", keys) end
  return (loadstring or load)("local v = ... return " .. table.concat(codes, ", ")) -- luacheck: ignore
end

-- What simdjson_time prints for these values.
local function hex_of(values)
  local words = {}
  for i, value in ipairs(values) do
    local number = type(value) == "number"
    words[i] = value == verify.NULL and "null" or number and ("%.17g"):format(value) or tostring(value)
  end
  return (table.concat(words, "\n"):gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

local function same(a, b) return a == b and "exact" or "differs" end

local function in_c(doc, wanted)
  local function simdjson(verb, name)
    return { program = "simdjson", verb = verb, bytes = doc.text, size = #doc.text, name = name, rest = pointers(doc),
             verify = function(c) return same(c.hex, hex_of(wanted)) end }
  end
  return { { program = "yyjson", verb = "read", bytes = doc.text, name = "yyjson (C)" },
           simdjson("dom", "simdjson DOM (C++)"), simdjson("ondemand", "simdjson On Demand (C++)") }
end

-- The fields at a quarter, half and three quarters of the text (of a chat body: the last one).
function tasks.fields(fleece, doc)
  if not cjson then return nil, "no lua-cjson" end
  local fields, unpack = reader(doc), table.unpack or unpack -- luacheck: ignore
  local wanted = { fields(verify.decoder(true)(doc.text, verify.NULL)) }
  local list = pointers(doc)
  local function options(test)
    list[#doc.ways + 1] = { test = test }
    return unpack(list)
  end
  local function entrant(name, version, read)
    return { name = name, version = version, bytes = #doc.text, run = over(doc.texts, read),
      verify = function() return verify.value({ read(doc.text) }, wanted, cjson.null) end }
  end
  local function indexed(decode) return function(text) return fields(decode(text)) end end
  local format_stream = fleece.format_stream
  local group = { task = "fields", base = "lua-cjson decode", c = in_c(doc, wanted),
    entrant("pick", fleece._VERSION, fleece.pick(options "all")),
    entrant("pick, test = read", fleece._VERSION, fleece.pick(options "read")),
    entrant("fleece.lazy", fleece._VERSION, indexed(fleece.lazy)),
    entrant("fleece.decode", fleece._VERSION, indexed(fleece.decode)),
    entrant("lua-cjson decode", cjson._VERSION, indexed(cjson.decode)),
    { name = "format_stream to nil", version = fleece._VERSION, bytes = #doc.text,
      run = over(doc.texts, function(text) return format_stream(text, nil) end),
      verify = function() return same(format_stream(doc.text, nil), 1) end } }
  if floor then
    local view = floor.viewer(wanted)
    group[#group + 1] = { name = "a view that reads nothing", bytes = #doc.text, verify = function() return "floor" end,
      run = over(doc.texts, function(text)
        local v = view(text)
        for i = 1, #wanted do local _ = v[i] end
      end) }
  end
  return group
end

-- Replaces a field. A program that only reads it and copies the text does nearly the least that this can cost.
function tasks.edit(fleece, doc)
  if not doc.edit then return nil end
  if not cjson then return nil, "no lua-cjson" end
  local pointer, edit = places.pointer(doc.ways[1]), fleece.edit
  local code = ("local v, x = ... %s = x"):format(places.code("v", doc.ways[1]))
  local assign = (loadstring or load)(code) -- luacheck: ignore
  local wanted = verify.decoder(true)(doc.text, verify.NULL)
  assign(wanted, VALUE)
  local function entrant(name, version, change)
    return { name = name, version = version, bytes = #doc.text, run = over(doc.texts, change),
      verify = function() return verify.text(change(doc.text), wanted, verify.NULL) end }
  end
  local function with_tables(library)
    return function(text)
      local value = library.decode(text)
      assign(value, VALUE)
      return library.encode(value)
    end
  end
  local set, read = { { "set", pointer, VALUE } }, { test = "read" }
  local group = { task = "edit", base = "lua-cjson decode, encode",
    entrant("edit", fleece._VERSION, function(text) return edit(text, set) end),
    entrant("edit, test = read", fleece._VERSION, function(text) return edit(text, set, read) end),
    entrant("fleece.decode, encode", fleece._VERSION, with_tables(fleece)),
    entrant("lua-cjson decode, encode", cjson._VERSION, with_tables(cjson)) }
  if floor then
    local pick, copy = fleece.pick(pointer), floor.copier(doc.text)
    group[#group + 1] = { name = "pick, copy of the text", bytes = #doc.text, verify = function() return "exact" end,
      run = over(doc.texts, function(text)
        pick(text)
        return copy()
      end) }
  end
  return group
end

return tasks
