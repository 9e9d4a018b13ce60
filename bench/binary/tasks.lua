-- SPDX-License-Identifier: MIT
-- tasks.lua -- the tasks of the binary benchmark: each returns a group of entrants (../measure/groups.lua), or nil and
-- the reason if something is missing, nil alone if it does not apply.

local find, verify, decoding = require "measure.find", require "measure.verify", require "measure.decoding"
local texts = require "workloads.texts"
local tasks = {}
tasks.NAMES = { "from_json", "check", "to_json", "look_up", "lazy", "unpack", "pack" }

local cjson = find.module("cjson", function(m) return type(m.decode) == "function" end)
local cmsgpack = find.module("cmsgpack", function(m) return type(m.unpack) == "function" end)
local _, string_buffer = pcall(require, "string.buffer") -- of LuaJIT

-- The names in a value, for string.buffer's option `dict`.
local function names_in(value, seen, list)
  for key, item in pairs(value) do
    if type(key) == "string" and not seen[key] then
      seen[key] = true
      list[#list + 1] = key
    end
    if type(item) == "table" then names_in(item, seen, list) end
  end
  return list
end

-- Returns other serializers of Lua values: name, version, write(value) -> bytes, read(bytes) -> value. `value` is one
-- of those that they will get.
local function serializers(value)
  local list = {}
  if cmsgpack then
    list[1] = { name = "lua-cmsgpack", version = cmsgpack._VERSION, write = cmsgpack.pack, read = cmsgpack.unpack }
  end
  if type(string_buffer) ~= "table" then return list end
  local version = jit.version -- luacheck: ignore
  list[#list + 1] = { name = "string.buffer", version = version, write = string_buffer.encode,
    read = string_buffer.decode }
  if type(value) ~= "table" then return list end
  local buffer = string_buffer.new { dict = names_in(value, {}, {}) }
  list[#list + 1] = { name = "string.buffer, dict", version = version,
    write = function(v) return buffer:reset():encode(v):get() end,
    read = function(bytes) return buffer:set(bytes):decode() end }
  return list
end

-- The sizes of a document in all forms, as fields of a record.
function tasks.sizes(fleece, doc)
  local list, value = {}, fleece.decode(doc.original)
  for _, mode in ipairs { "compact", "compatible", "fast" } do
    list[#list + 1] = { entrant = "pack " .. mode, version = fleece._VERSION,
                        bytes = #fleece.pack(value, { mode = mode }) }
    list[#list + 1] = { entrant = "pack " .. mode .. ", shared keys", version = fleece._VERSION,
                        bytes = #fleece.pack(value, { mode = mode, keys = fleece.keys() }) }
  end
  for _, one in ipairs(serializers(value)) do
    list[#list + 1] = { entrant = one.name, version = one.version, bytes = #one.write(value) }
  end
  return list
end

-- Returns the text without the white space between its tokens.
function tasks.minify(text)
  local out, at = {}, 1
  while true do
    local open = text:find('"', at, true)
    out[#out + 1] = text:sub(at, (open or 0) - 1):gsub("%s+", "")
    if not open then return table.concat(out) end
    at = texts.end_of_string(text, open) + 1
    out[#out + 1] = text:sub(open, at - 1)
  end
end

-- Returns a document: `original`, its text; `texts`, the same with other strings; `text`, the first of them;
-- `binaries`.
function tasks.document(case, random, fleece)
  local task = decoding.task(case, random)
  local doc = { key = case.key, texts = task.texts, text = task.text, binaries = {} }
  doc.original = case.text and case.text() or doc.text
  for i, text in ipairs(doc.texts) do doc.binaries[i] = fleece.from_json(text) end
  return doc
end

-- ------------------------------------------------------------------------------------- parts of entrants

-- Returns a loop that calls f with the next input each time.
local function over(inputs, f)
  local count = #inputs
  return function(from, to)
    for c = from, to do f(inputs[c % count + 1]) end
  end
end

-- Returns the verdict of a text, compared with the value that an independent decoder reads from the first text.
local function worth_text(doc, text)
  doc.reference = doc.reference or verify.decoder(true)(doc.text, verify.NULL)
  return verify.value(verify.decoder(true)(text, verify.NULL), doc.reference, verify.NULL)
end

local function worth_value(doc, value, null)
  doc.reference = doc.reference or verify.decoder(true)(doc.text, verify.NULL)
  return verify.value(value, doc.reference, null)
end

local function same(a, b) return a == b and "exact" or "differs" end

-- ------------------------------------------------------------------------------------- texts and bytes

function tasks.from_json(fleece, doc)
  local group = { task = "from_json", base = "yyjson (C)",
                  c = { { program = "yyjson", verb = "read", bytes = doc.text, name = "yyjson (C)" } } }
  for _, mode in ipairs { "compact", "compatible" } do
    local from_json = fleece.new({ mode = mode }).from_json
    group[#group + 1] = { name = mode, version = fleece._VERSION, bytes = #doc.text, run = over(doc.texts, from_json),
      verify = function() return worth_text(doc, fleece.to_json(from_json(doc.text))) end }
  end
  group[#group + 1] = { name = "fleece.decode", version = fleece._VERSION, bytes = #doc.text,
    run = over(doc.texts, fleece.decode),
    verify = function() return worth_value(doc, fleece.decode(doc.text), fleece.null) end }
  group[#group + 1] = cjson and { name = "lua-cjson decode", version = cjson._VERSION, bytes = #doc.text,
    run = over(doc.texts, cjson.decode),
    verify = function() return worth_value(doc, cjson.decode(doc.text), cjson.null) end }
  return group
end

-- Checking creates no Lua value, so one document is enough. Opening creates a document object.
function tasks.check(fleece, doc)
  local bytes, check, open, trusted = doc.binaries[1], fleece.check, fleece.open, { trusted = true }
  local utf8, codec_open = { check_utf8 = true }, fleece.new(trusted).open
  return { task = "check",
    { name = "check", bytes = #bytes, version = fleece._VERSION,
      run = function(from, to) for _ = from, to do check(bytes) end end,
      verify = function() return same(check(bytes), true) end },
    { name = "check with UTF-8", bytes = #bytes, version = fleece._VERSION,
      run = function(from, to) for _ = from, to do check(bytes, utf8) end end,
      verify = function() return same(check(bytes, utf8), true) end },
    { name = "open, trusted", version = fleece._VERSION,
      run = function(from, to) for _ = from, to do open(bytes, trusted) end end,
      verify = function() return worth_text(doc, fleece.to_json(open(bytes, trusted))) end },
    { name = "open, trusted codec", version = fleece._VERSION,
      run = function(from, to) for _ = from, to do codec_open(bytes) end end,
      verify = function() return worth_text(doc, fleece.to_json(codec_open(bytes))) end } }
end

function tasks.to_json(fleece, doc)
  local to_json = fleece.new({ mode = "compact" }).to_json
  local trusted = { trusted = true }
  return { task = "to_json",
    { name = "to_json", bytes = #doc.text, version = fleece._VERSION, run = over(doc.binaries, to_json),
      verify = function() return worth_text(doc, to_json(doc.binaries[1])) end },
    { name = "to_json, trusted", bytes = #doc.text, version = fleece._VERSION,
      run = over(doc.binaries, function(bytes) return to_json(bytes, trusted) end),
      verify = function() return worth_text(doc, to_json(doc.binaries[1], trusted)) end } }
end

-- ------------------------------------------------------------------------------------- reading a little

-- Reads the name of the 123rd person in all available ways.
function tasks.look_up(fleece, doc)
  if doc.key ~= "people" then return nil end
  if not cjson then return nil, "no lua-cjson" end
  local document = fleece.open(doc.binaries[1])
  local root, path, decode = document.root, fleece.path "[122].name", cjson.decode
  local wanted = decode(doc.text)[123].name
  local function entrant(name, version, run, get)
    return { name = name, version = version, run = run, verify = function() return same(get(), wanted) end }
  end
  return { task = "look_up", base = "lua-cjson decode",
    c = { { program = "lookup", verb = "123.name", bytes = doc.binaries[1], name = "C", verify = function(c)
      return same(c.hex, (wanted:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end)))
    end } },
    entrant("path(view)", fleece._VERSION, function(from, to)
      for _ = from, to do path(root) end
    end, function() return path(root) end),
    entrant("doc.root[123].name", fleece._VERSION, function(from, to)
      for _ = from, to do local _ = document.root[123].name end
    end, function() return document.root[123].name end),
    entrant("view:get(123, 'name')", fleece._VERSION, function(from, to)
      for _ = from, to do root:get(123, "name") end
    end, function() return root:get(123, "name") end),
    entrant("view:pointer('/122/name')", fleece._VERSION, function(from, to)
      for _ = from, to do root:pointer "/122/name" end
    end, function() return root:pointer "/122/name" end),
    entrant("lua-cjson decode", cjson._VERSION, over(doc.texts, function(text) return decode(text)[123].name end),
      function() return decode(doc.text)[123].name end) }
end

-- Returns Lua code that indexes from `value` down to a scalar: in each array or object (sorted by name) it takes the
-- entry at `share` of the length, or the next one that contains a scalar; nil if there is none.
local function way(value, share)
  if type(value) ~= "table" or value == verify.NULL then return "" end
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys)
  local from = math.floor(#keys * share)
  for i = 0, #keys - 1 do
    local key = keys[1 + (from + i) % #keys]
    local rest = way(value[key], share)
    if rest then return (type(key) == "number" and "[%d]%s" or "[%q]%s"):format(key, rest) end
  end
end

-- Reads three fields, at a quarter, a half and three quarters of the document, by plain indexing in all libraries. (All
-- have the same null.)
function tasks.lazy(fleece, doc)
  if not cjson then return nil, "no lua-cjson" end
  local value, ways = verify.decoder(true)(doc.text, verify.NULL), {}
  for i = 1, 3 do
    local code = way(value, i / 4)
    if code then ways[#ways + 1] = "v" .. code end
  end
  if #ways == 0 then return nil, "no fields" end
  local fields = (loadstring or load)("local v = ... return " .. table.concat(ways, ", ")) -- luacheck: ignore
  local wanted = { fields(value) }
  local function entrant(name, version, read)
    return { name = name, version = version, bytes = #doc.text,
      run = over(doc.texts, function(text) return fields(read(text)) end),
      verify = function() return verify.value({ fields(read(doc.text)) }, wanted, cjson.null) end }
  end
  return { task = "lazy", base = "lua-cjson decode",
    entrant("lazy + three fields", fleece._VERSION, fleece.lazy),
    entrant("fleece.decode", fleece._VERSION, fleece.decode),
    entrant("lua-cjson decode", cjson._VERSION, cjson.decode) }
end

-- ------------------------------------------------------------------------------------- Lua values

function tasks.unpack(fleece, doc)
  if not fleece.unpack then return nil, "this build has no fleece.unpack" end
  local group = { task = "unpack", base = "decode" }
  local function add(name, version, inputs, read, null)
    group[#group + 1] = { name = name, version = version, bytes = #doc.text, run = over(inputs, read),
      verify = function() return worth_value(doc, read(inputs[1]), null) end }
  end
  add("unpack", fleece._VERSION, doc.binaries, fleece.unpack, fleece.null)
  add("unpack, trusted", fleece._VERSION, doc.binaries, fleece.new({ trusted = true }).unpack, fleece.null)
  add("decode", fleece._VERSION, doc.texts, fleece.decode, fleece.null)
  if cjson then add("lua-cjson decode", cjson._VERSION, doc.texts, cjson.decode, cjson.null) end
  for _, one in ipairs(serializers(fleece.decode(doc.text))) do
    local inputs = {}
    for i, text in ipairs(doc.texts) do inputs[i] = one.write(fleece.decode(text)) end
    add(one.name, one.version, inputs, one.read, fleece.null)
  end
  return group
end

-- Each value has other strings, so that each result is different.
function tasks.pack(fleece, doc)
  if not fleece.pack then return nil, "this build has no fleece.pack" end
  local group, values = { task = "pack", base = "encode" }, {}
  for i, text in ipairs(doc.texts) do values[i] = fleece.decode(text) end
  local function add(name, version, write, to_text)
    group[#group + 1] = { name = name, version = version, bytes = #doc.text, run = over(values, write),
      verify = function() return worth_text(doc, to_text(write(values[1]))) end }
  end
  for _, mode in ipairs { "compact", "compatible", "fast" } do
    add("pack " .. mode, fleece._VERSION, fleece.new({ mode = mode }).pack, fleece.to_json)
  end
  add("encode", fleece._VERSION, fleece.encode, tostring)
  if cjson then add("lua-cjson encode", cjson._VERSION, cjson.encode, tostring) end
  for _, one in ipairs(serializers(values[1])) do
    add(one.name, one.version, one.write, function(bytes) return fleece.encode(one.read(bytes)) end)
  end
  return group
end

return tasks
