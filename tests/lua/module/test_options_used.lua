-- SPDX-License-Identifier: MIT
-- test_options_used.lua -- each function with each option: the option changes a result, or it is refused. None is
-- accepted and ignored.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestOptionsUsed = {}

-- ---- what a call gave, as text -----------------------------------------------------------------------------------

local marks = { [fleece.array_mt] = "array", [fleece.object_mt] = "object" }

local ordered = true -- do results keep an order? The order of `pairs` differs between equal tables of LuaJIT.
local repeated = true -- are a document's bytes a function of its value? In the fast mode they are not (docs/binary.md).

-- `written`: a text that encode has written has v.
local function dump(v, depth, written)
  if depth > 20 then return "..." end
  if type(v) == "table" then
    local parts = { tostring(marks[getmetatable(v) or 0] or getmetatable(v) and "other") }
    local fine, text = written, ""
    if not written then
      fine, text = pcall(fleece.encode, v, { invalid_utf8 = "pass", invalid_numbers = "literal", sort_keys = not ordered })
    end
    for _, key in ipairs(T.ordered_keys(v)) do
      local name = (ordered or depth > 0) and dump(key, depth + 1) .. "=" or ""
      parts[#parts + 1] = name .. dump(rawget(v, key), depth + 1, fine)
    end
    if not ordered and depth == 0 and #v > 0 then -- a query's results, in the order of `pairs` if it needs tables
      table.sort(parts)
      return table.concat(parts, ",")
    end
    return "{" .. table.concat(parts, ",") .. "}" .. (fine and text or "")
  end
  if type(v) == "userdata" and v ~= fleece.null then
    local fine, text = pcall(fleece.encode, v)
    local root, bytes = pcall(function() return v.bytes end)
    return (fine and text or tostring(v):gsub("0x%x+", "")) .. (root and type(bytes) == "string" and bytes or "")
  end
  if type(v) == "string" and not repeated and pcall(fleece.check, v) then return dump(fleece.decode(fleece.to_json(v)), depth) end
  return type(v) .. tostring(T.math_type(v)) .. (type(v) == "number" and ("%.17g"):format(v) or tostring(v):gsub("0x%x+", ""))
end

-- What is called with a value of the kind that a function returned, so that lazy results are looked at.
local function results_of(...)
  local parts = {}
  for i = 1, select("#", ...) do parts[i] = dump((select(i, ...)), 0) end
  return table.concat(parts, ";")
end

local function outcome(f, sample, options)
  local parts = {}
  parts[1] = select(2, pcall(function() return results_of(f(sample, options)) end))
  return tostring(parts[1])
end

-- ---- options -----------------------------------------------------------------------------------------------------

local metatable = { __index = {} }
local keys = fleece.keys()

-- For each option the tables that may have an effect; `base` is what they are compared with.
local options = {
  indent = { { indent = 2 } }, width = { { indent = 2, width = 70 }, base = { indent = 2 } }, sort_keys = { { sort_keys = true }, { sort_keys = true, keys = keys } },
  key_order = { { key_order = { "m", "z" } }, { key_order = { "z", "m" } } }, canonical = { { canonical = "jcs" }, { canonical = true } }, lines = { { lines = true } },
  colors = { { colors = true } }, escape_slash = { { escape_slash = true } }, ascii = { { ascii = true } }, html = { { html = true } }, one_line = { { one_line = true } },
  invalid_utf8 = { { invalid_utf8 = "replace" }, { invalid_utf8 = "data" } }, empty_table = { { empty_table = "object" } },
  sparse = { { sparse = "null" }, { sparse = "error" } }, sparse_ratio = { { sparse = "null", sparse_ratio = 1000 }, base = { sparse = "null" } },
  metamethods = { { metamethods = false }, { metamethods = "serialize" } }, skip_unsupported = { { skip_unsupported = true } },
  on_error = { { on_error = function() return "instead" end }, { on_error = print, lines = true, base = { lines = true } } }, null = { { null = false }, { null = "nil" }, { null = io.stdout } }, arrays = { { arrays = metatable } },
  objects = { { objects = metatable } }, numeric_keys = { { numeric_keys = true } }, order = { { order = true } }, precision = { { precision = 3 } },
  decimals = { { decimals = 2 } }, float32 = { { float32 = true } }, integers = { { integers = "safe" } },
  float_integers = { { float_integers = true } }, invalid_numbers = { { invalid_numbers = "null" }, { invalid_numbers = "literal" } },
  big_numbers = { { big_numbers = "string" }, { big_numbers = "error" } }, numbers = { { numbers = "exact" } }, comments = { { comments = true } },
  trailing_commas = { { trailing_commas = true } }, json5 = { { json5 = true } }, bom = { { bom = true } },
  duplicates = { { duplicates = "first" }, { duplicates = "error" }, { duplicates = "last" } }, partial = { { partial = true } },
  unfinished = { { partial = true, unfinished = true }, base = { partial = true } }, max_bytes = { { max_bytes = 3 } }, max_depth = { { max_depth = 1 } },
  max_values = { { max_values = 1 } }, max_steps = { { max_steps = 1 } }, digits = { { digits = false } }, done = { { done = "[DONE]" } },
  closed = { { closed = true } }, raw = { { raw = true } }, test = { { test = "read" }, { test = true } },
  mode = { { mode = "compatible" }, { mode = "fast" } }, keys = { { keys = keys } }, check_utf8 = { { check_utf8 = true } },
  draft = { { draft = "4" } }, formats = { { formats = true } }, contents = { { contents = true } }, skip = { { skip = { "minimum" } } },
  keywords = { { keywords = { even = function() return false end } } }, schemas = { { schemas = { ["https://example.com/s"] = "true" } } },
  load = { { load = function() return "true" end } }, at = { { at = "/a" } }, strict = { { strict = true } }, empty = { { empty = "array" } },
  values = { { values = false } }, max_errors = { { max_errors = 1 } },
  base = { { base = fleece.from_json "[1]" } }, extern = { { extern = true } }, reuse_strings = { { reuse_strings = true } }, path = { { path = "a" } },
  pointer = { { pointer = "/a" } }, frame = { { frame = "required" } }, verify = { { verify = false } }, recover = { { recover = true } },
}

-- Options that a codec cannot have: schema alone takes them.
local of_schema = { draft = true, formats = true, contents = true, skip = true, keywords = true, schemas = true, load = true, at = true, strict = true,
  empty = true, values = true, max_errors = true }

-- Options that are about how, not what: results are the same by definition.
local how = { layout = true, trusted = true, sync = true, wait = true, in_place = true, map = true }

-- ---- functions and what they are called with ---------------------------------------------------------------------

local texts = {
  '{"z":1,"m":[1.5,2,null],"a":{"k":"</é","1":1},"b":{},"c":1,"d":2,"e":3,"f":4,"g":5}', '{"a":1,"a":2}', '[{"a":1,"a":2}]', "[1,2,3,4,5,6,7,8]", "// c\n[1]", "[1,]",
  "{a:'x',}", "\239\187\191[1]", "[NaN]", '["\255"]', "[[[[1]]]]", "[12345678901234567890,1.50,1e400]", "[12345678901234567890]", '[{"z":1,"y":2,"x":3,"w":4,"v":5,"u":6,"t":7,"s":8,"r":9}]', '{"1":[1],"2":2}', "[1]\n[2]",
  '{"a":[1,"xy', '[1,"xy"', "[1] x", "[1,2,x]", "null", "[null]", '{"a":"b/c"}', "1.23456789", '{"b":1,"a":{"d":1,"c":2}}', '[{"aa":1,"bb":2},{"aa":3}]',
}
-- A schema and a text.
local schemas = {
  '{"type":"integer"}\n1.0', '{"format":"date"}\n"x"', '{"contentMediaType":"application/json"}\n"x"', '{"even":1}\n1', '{"minimum":2}\n1',
  '{"$ref":"https://example.com/s"}\n1', '{"a":{"type":"string"}}\n1', '{"minimum":2,"multipleOf":2}\n1', '{"type":"object"}\n{}',
}
for _, text in ipairs(texts) do schemas[#schemas + 1] = "true\n" .. text end
local hidden = setmetatable({ 1 }, { __jsontype = "object" })
local values = {
  { z = 1, m = { 1.5, 2 }, a = { k = "</é" }, b = {}, c = 1, d = 2, e = 3, f = 4, g = 5 }, { [1] = 1, [40] = 2 }, { print }, { "\255" }, { 0 / 0 },
  { 1.23456789, 2 ^ 20 }, { { { 1 } } }, { hidden }, {}, { [1] = 1, [3] = 3 }, { 12345, "long enough to be shared", "long enough to be shared" },
  { a = 1, ["a\255"] = 2 }, { { aa = 1, bb = 2 }, { aa = 3, bb = 4 } }, { 1.0, 3, 2 ^ 53 }, { ["é"] = "/" }, { fleece.raw "[\n1]" }, { io.stdout },
}

local function collect(iterator)
  local found = {}
  for a, b, c, d, e in iterator do found[#found + 1] = results_of(a, b, c, d, e) end
  return table.concat(found, "\n")
end

-- What an iterator gives before its error counts, too.
local function loop(iterator)
  local found = {}
  local fine, message = pcall(function() for a, b, c, d, e in iterator do found[#found + 1] = results_of(a, b, c, d, e) end end)
  return table.concat(found, "\n"), fine, message
end
-- What views return: the value, or the scalars in it.
local function is_view(value) return fleece.type(value) == "array" or fleece.type(value) == "dict" end
local function scalars(value)
  if not is_view(value) then return value end
  local found = {}
  for each, at in value:walk() do
    if not is_view(each) then found[#found + 1] = at .. "=" .. tostring(each) end
  end
  return table.concat(found, "\n")
end
local function closing(text)
  local sent
  return function()
    if sent then return nil, "closed" end
    sent = true
    return text
  end
end
local function with_sink(f)
  local sink, result = T.collector()
  local results = f(sink)
  return results, result()
end
local function bytes_of(text) return fleece.from_json(text, { invalid_utf8 = "pass", lines = true }) end
local documents, odd = {}, { "\0", "xx", fleece.from_json "[1]" .. "\0\0" }
for _, text in ipairs(texts) do
  local fine, bytes = pcall(fleece.from_json, text)
  if fine then documents[#documents + 1] = bytes end
end
for _, value in ipairs(values) do
  local fine, bytes = pcall(fleece.pack, value, { invalid_utf8 = "pass" })
  if not fine then fine, bytes = pcall(fleece.pack, value) end
  if fine then documents[#documents + 1] = bytes end
end
documents[#documents + 1] = fleece.from_json('{"a":1,"a":2}', { mode = "compatible" }) -- has both
for _, bytes in ipairs(odd) do documents[#documents + 1] = bytes end
keys:add "name"
keys:add "a"
documents[#documents + 1] = fleece.pack({ name = { 1 }, a = 2 }, { keys = keys }) -- in the order of the codes
documents[#documents + 1] = fleece.from_json('["\255"]', { invalid_utf8 = "pass" })
documents[#documents + 1] = fleece.pack({ 0.1 }):gsub("\154\153\153\153\153\153\185%?", (("\0"):rep(6) .. "\248\127")) -- NaN

local streams = {}
for i, text in ipairs(texts) do streams[i] = text end
for _, text in ipairs { "data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", 'data: {"a":[1,"x\n\n', "data: x\n\n" } do streams[#streams + 1] = text end
for _, text in ipairs(texts) do streams[#streams + 1] = "data: " .. text:gsub("\n", "\ndata: ") .. "\n\n" end

-- ---- files -------------------------------------------------------------------------------------------------------

local path = T.temporary_name()
local function file_of(bytes)
  T.write_file(path, bytes)
  return path
end
local function written()
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

-- Files of documents: with a frame, with amendments, cut, with a wrong checksum, without a frame, of names of `keys`.
local files = { documents[1], documents[2], documents[#documents - 2], documents[#documents - 1], fleece.from_json("[12345678901234567890]") }
fleece.save(path, { a = { 1, "a short text" }, b = { 2 } })
files[#files + 1] = written()
fleece.open_file(path):append(function(m) m.a[1], m.c = "changed", "a short text" end)
files[#files + 1] = written()
files[#files + 1] = written():sub(1, -3)
files[#files + 1] = written():gsub("changed", "Changed")
fleece.save(path, { name = { { { { 1 } } } } }, { keys = keys })
files[#files + 1] = written()
fleece.save(path, { { 1, 2, 3 }, { 1, 2, 3 } }, { mode = "fast" })
files[#files + 1] = written()
os.remove(path)

-- What a call did with a file, and what is in it then.
local function with_file(bytes, f, o)
  file_of(bytes)
  local results = results_of(f(path, o))
  return results, written()
end

-- ---- the calls ---------------------------------------------------------------------------------------------------

local F = fleece -- or a codec

local amended = fleece.open(fleece.pack { a = { 1, "a short text" }, b = { 2 } })
local changes = {
  function(m) m.a[1] = 2 end, function(m) m.c = "a short text" end,
  function(m) m.a[1] = fleece.decode "[[[[1]]]]" end, function(m) m.b = nil end,
}

local functions = {
  encode = { values, function(v, o) return F.encode(v, o) end },
  write = { values, function(v, o) return with_sink(function(sink) return F.write(sink, v, o) end) end },
  writer = { values, function(v, o) return collect(F.writer(v, o)) end },
  builder = { values, function(v, o)
    local b = F.builder(nil, o):object()
    return b:key "a":value(v):key "a":null():close():finish()
  end },
  decode = { texts, function(t, o) return F.decode(t, o) end },
  decode_prefix = { texts, function(t, o) return F.decode_prefix(t, 1, o) end },
  parser = { texts, function(t, o) return F.parser(o):feed(t):finish() end },
  documents = { texts, function(t, o) return loop(F.documents(closing(t), o)) end },
  items = { texts, function(t, o) return loop(F.items(closing(t), "", o)) end },
  tokens = { texts, function(t, o) return loop(F.tokens(closing(t), o)) end },
  events = { streams, function(t, o) return loop(F.events(closing(t), o)) end },
  format = { texts, function(t, o) return F.format(t, o) end },
  format_stream = { texts, function(t, o) return with_sink(function(sink) return F.format_stream(t, sink, o) end) end, texts,
    function(t, o) return with_sink(function(sink) return F.format_stream(closing(t), sink, o) end) end },
  pick = { texts, function(t, o) return F.pick("a", "", o or {})(t) end },
  query = { texts, function(t, o) return F.query("$..*", o)(t) end },
  schema = { schemas, function(t, o)
    local s = F.schema(t:match "^(.-)\n", o)
    local text = t:match "\n(.*)$"
    local value, message, failure = s:decode(text) -- the members of a failure have no order
    return value, message, failure and failure.instance, #s:errors(text), (s {})
  end },
  ["s:decode"] = { texts, function(t, o) return (F.schema "true"):decode(t, o) end },
  edit = { values, function(v, o) return F.edit('{"b": [1, {"y": [1]}],\n "q": 1}', { { "set", "q", v }, { "remove", "b" } }, o) end, texts,
    function(t, o) return F.edit(t, { { "set", "", 1 } }, o) end },
  from_json = { texts, function(t, o) return F.from_json(t, o) end },
  lazy = { texts, function(t, o)
    local value = F.lazy(t, o)
    if not is_view(value) then return value end
    return F.encode(value), F.pack(value), scalars(value)
  end },
  to_json = { documents, function(d, o) return F.to_json(d, o) end },
  pack = { values, function(v, o) return F.pack(v, o) end },
  unpack = { documents, function(d, o) return F.unpack(d, o) end },
  open = { documents, function(d, o) return F.encode(F.open(d, o)), scalars(F.open(d, o).root) end },
  check = { documents, function(d, o) return F.check(d, o) end },
  json_diff = { texts, function(t, o) return F.json_diff(t, "[1,3]", o) end },
  diff = { documents, function(d, o) return F.diff(d, F.from_json "[1,3]", o) end },
  patch = { texts, function(t, o) return F.patch(F.from_json '{"a":1}', t, o) end, documents,
    function(d, o) return F.patch(d, "[]", o) end },
  dump = { documents, function(d, o) return F.dump(d, o) end },
  decode_file = { texts, function(t, o) return F.decode_file(file_of(t), o) end },
  write_file = { values, function(v, o) return F.write_file(path, v, o), written() end, texts,
    function(t, o) return F.write_file(path, t, T.merged(o or {}, { raw = true })), written() end },
  save = { values, function(v, o) return F.save(path, v, o), written() end, documents,
    function(d, o) return F.save(path, d, o), written() end },
  open_file = { files, function(d, o) return with_file(d, function(...)
    local document, message, left = F.open_file(...)
    return F.encode(document), scalars(document.root), message, left
  end, o) end },
  compact = { files, function(d, o) return with_file(d, F.compact, o) end },
  encoder = { texts, function(t, o) return F.encoder(o):array():json(t):string "name":string "name":string "\255":close():finish() end, texts,
    function(t, o) return F.encoder(o):json('{"name":[1],"a":{}}'):finish() end, texts,
    function(_, o) return F.encoder(o):array():array():array():close():close():close():finish() end },
  ["doc:amend"] = { changes, function(f, o) return amended:amend(f, o) end },
  ["doc:append"] = { changes, function(f, o)
    fleece.save(path, amended)
    F.open_file(path):append(f, o)
    return written()
  end },
  ["view:totable"] = { documents, function(d, o) return F.open(d).root:totable(o) end },
  ["m:totable"] = { documents, function(d, o) return F.open(d).root:mutable():totable(o) end },
  ["view:walk"] = { documents, function(d, o) return loop(F.open(d).root:walk(nil, o)) end },
  ["parser:peek"] = { texts, function(t, o) return F.parser():feed(t):peek(o) end },
  -- Theirs are those of a codec.
  json_patch = { texts, function(t, o) return F.json_patch(t, '[{"op":"test","path":"","value":[1]}]', o) end },
  merge_patch = { texts, function(t, o) return F.merge_patch(t, '{"z":1}', o) end },
  merge_diff = { texts, function(t, o) return F.merge_diff(t, '{"z":1}', o) end },
}

-- Accepted, and without effect for a reason.
local for_bytes = { check_utf8 = true, keys = true, max_depth = true } -- those of `unpack` that concern bytes
local reasons = { ["view:totable"] = for_bytes, ["m:totable"] = for_bytes }

-- Is the option refused, by its name or with all of these values?
local function is_refused(f, sample, set)
  for _, with in ipairs(set) do
    local fine, message = pcall(f, sample, with)
    if fine or not tostring(message):find "options? [a'%w]" then return false end
  end
  return true
end

-- Does an option of the set change the outcome of `name`, as `try` calls it? `plain` keeps outcomes without options, for
-- the next set; a difference counts if a new one has it, too.
local function has_effect_by(name, set, try, plain)
  local f = functions[name]
  for i = 1, #f, 2 do
    for k, sample in ipairs(f[i]) do
      local at = not set.base and not ordered and name .. i .. " " .. k
      local before = at and plain[at] or try(f[i + 1], sample, set.base)
      if at then plain[at] = before end
      for _, with in ipairs(set) do
        local after = try(f[i + 1], sample, with)
        if after ~= before and not (at and after == try(f[i + 1], sample)) then return true end
      end
    end
  end
  return false
end

local function set_of(option, name)
  if option ~= "sort_keys" then return options[option] end
  local set = options.sort_keys
  return name == "to_json" and { set[2], base = { keys = keys } } or { set[1] }
end

for name, f in pairs(functions) do
  TestOptionsUsed["test_" .. name:gsub(":", "_")] = function()
    local ignored, plain = {}, {}
    for option in pairs(options) do
      local set = set_of(option, name)
      ordered = option == "order"
      if not is_refused(f[2], f[1][1], set) and not has_effect_by(name, set, outcome, plain) and not (reasons[name] or {})[option] then
        ignored[#ignored + 1] = option
      end
    end
    ordered = true
    os.remove(path)
    table.sort(ignored)
    lu.assertEquals(table.concat(ignored, " "), "")
  end
end

-- An option of a codec changes what one of its functions gives, or `new` refuses it.
function TestOptionsUsed:test_new()
  local ignored, plain = {}, {}
  for option, set in pairs(options) do
    local found = false
    ordered = option == "order"
    for name in pairs(functions) do
      found = found or has_effect_by(name, set, function(f, sample, with)
        local fine, codec = pcall(fleece.new, with)
        if not fine then return false end
        F = codec
        local result = outcome(f, sample)
        F = fleece
        return result
      end, plain)
    end
    if not found and not is_refused(function(_, with) return fleece.new(with) end, 1, set) then ignored[#ignored + 1] = option end
  end
  ordered = true
  os.remove(path)
  table.sort(ignored)
  lu.assertEquals(table.concat(ignored, " "), "")
end

-- Each option of a function may stand in new, and means the same there. Methods of documents and parsers have no codec.
function TestOptionsUsed:test_new_means_the_same()
  for name, f in pairs(functions) do
    for option, set in pairs(name:find ":" and {} or options) do
      for _, with in ipairs(set) do
        local function each(try)
          local found = {}
          for i = 1, #f, 2 do for k, sample in ipairs(f[i]) do found[k + 1000 * i] = try(f[i + 1], sample) end end
          return found
        end
        -- each call with `keys` adds names to them (test_binary.lua); these of a codec limit texts that are read, too
        local limits_texts = option == "max_bytes" or option == "max_values"
        local of_encode = option == "on_error" and name == "events" -- that of a codec is for what it writes
        if option ~= "keys" and not limits_texts and not of_encode and not of_schema[option] and not is_refused(f[2], f[1][1], { with }) then
          local function by_call(g, sample) return outcome(g, sample, with) end
          ordered, repeated = option == "order", with.mode ~= "fast"
          local fine, codec = pcall(fleece.new, with)
          lu.assertTrue(fine or with.invalid_utf8 == "data", tostring(codec)) -- "data" has a meaning for documents alone
          local wanted, found
          for _ = 1, 2 do -- again if `pack` did not remember the names yet
            wanted = each(by_call)
            F = fine and codec or fleece
            found = each(fine and outcome or by_call)
            F = fleece
            if T.is_equal(found, wanted) then break end
          end
          ordered, repeated = true, true
          for i, result in pairs(wanted) do T.same(found[i], result, name .. " with " .. option) end
        end
      end
    end
  end
  os.remove(path)
end

-- The functions and methods are complete: those with options in the documents.
function TestOptionsUsed:test_functions_are_all()
  local count = 0
  for _, name in ipairs { "docs/reference/functions.md", "docs/binary.md", "docs/files.md", "docs/unfinished.md", "docs/guide/streams.md" } do
    local file = io.open(name)
    if not file then lu.skip "no checkout: docs/reference/functions.md is not here; run from the top of the repository" end
    for found in file:read("*a"):gmatch "`?(%l+[.:][%l_]+)%([^()\n]*%[[^()\n]*options%]+%)" do
      local call = found:gsub("^fleece%.", "")
      count = count + 1
      lu.assertTrue(functions[call] ~= nil or TestOptionsUsed["test_" .. call] ~= nil, "no case for " .. call)
    end
    file:close()
  end
  lu.assertTrue(count > 40)
end

-- The list of options is complete: those of the reference.
function TestOptionsUsed:test_options_are_all()
  local file = io.open "docs/reference/options.md"
  if not file then lu.skip "docs/reference/options.md is not here: run from the top of the repository" end
  for line in file:lines() do
    local name = line:match "^### ([%w_]+)$"
    if name and not options[name] and not how[name] then lu.fail("no case for the option " .. name) end
  end
  file:close()
end
