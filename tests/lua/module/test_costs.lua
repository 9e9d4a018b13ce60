-- SPDX-License-Identifier: MIT
-- test_costs.lua -- each function and method has its cost in docs/performance.md, "What each function costs", and keeps it:
-- with an input that is doubled four times it takes at most six times what is linear, 96 times as long. What is measured is
-- 10 to 45; a quadratic time would be 256 times as long.
-- runs: in one Lua

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestCosts = {}

local FEW, FACTOR = 500, 16
local MOST = { ["O(1)"] = 8, ["O(n)"] = 6 * FACTOR, ["O(n log n)"] = 6 * FACTOR }

local function list(n)
  local t = {}
  for i = 1, n do t[i] = { id = i, name = "name " .. i, list = { i % 7, i / 8, true } } end
  return t
end

local function object(n)
  local t = {}
  for i = 1, n do t["name " .. i] = { i } end
  return t
end

local function text(n) return fleece.encode(list(n)) end
local function objects(n) return fleece.encode(object(n)) end
local function bytes(n) return fleece.pack(list(n)) end

-- A source that gives the text in pieces.
local function source(s, piece)
  local at = 1
  return function()
    local part = s:sub(at, at + piece - 1)
    at = at + piece
    if part ~= "" then return part end
  end
end

local function nothing() return true end

local function each(...)
  for _ in ... do end
end

local function lines(n)
  local t = {}
  for i = 1, n do t[i] = '{"id":' .. i .. "}\n" end
  return table.concat(t)
end

local path = os.tmpname()

-- Changes at many places of a text or table: set, remove, append.
local function changes(n)
  local t = {}
  for i = 1, n do t[i] = { "set", ("/%d/name"):format(i), i } end
  for i = 1, n do t[n + i] = { "append", ("/%d/list"):format(i), i } end
  for i = 1, n do t[2 * n + i] = { "remove", ("/%d/id"):format(i) } end
  return t
end

local function operations(n)
  local t = {}
  for i = 1, n do t[i] = { op = "replace", path = ("/%d/name"):format(i - 1), value = i } end
  for i = 1, n do t[n + i] = { op = "remove", path = "/0" } end
  for i = 1, n do t[2 * n + i] = { op = "add", path = "/-", value = i } end
  return t
end

-- f(n) returns a function whose time is measured; what it prepares is not. "name, what" is a second case.
local WORK = {
  encode = function(n) local v = list(n) return function() return fleece.encode(v) end end,
  ["encode, sorted"] = function(n) local v = object(n) return function() return fleece.encode(v, { sort_keys = true }) end end,
  ["encode, indented"] = function(n) local v = list(n) return function() return fleece.encode(v, { indent = 2, width = 60 }) end end,
  decode = function(n) local s = text(n) return function() return fleece.decode(s) end end,
  ["decode, in order"] = function(n) local s = objects(n) return function() return fleece.decode(s, { order = true }) end end,
  ["decode, comments"] = function(n) local s = ("/*x*/[1],"):rep(n) return function() return fleece.decode("[" .. s .. "1]", { comments = true }) end end,
  new = function(n) local options = { indent = (" "):rep(n % 7) } return function() return fleece.new(options) end end,
  decode_prefix = function(n) local s = text(n) .. " x" return function() return fleece.decode_prefix(s) end end,
  json = function(n) local s = ("x"):rep(n) .. '"\n' return function() return fleece.json(s) end end,
  size = function(n) local v = list(n) return function() return fleece.size(v) end end,
  write = function(n) local v = list(n) return function() return fleece.write(nothing, v) end end,
  writer = function(n)
    local v = list(n)
    return function()
      local w = fleece.writer(v)
      while w:next(1000) do end
    end
  end,
  parser = function(n)
    local s = text(n)
    return function()
      local p = fleece.parser()
      for piece in source(s, 100) do
        p:feed(piece)
        while p:step() do end
      end
      return p:finish()
    end
  end,
  documents = function(n) local s = lines(n) return function() each(fleece.documents(source(s, 100))) end end,
  items = function(n) local s = text(n) return function() each(fleece.items(source(s, 100))) end end,
  tokens = function(n) local s = text(n) return function() each(fleece.tokens(source(s, 100))) end end,
  builder = function(n)
    return function()
      local b = fleece.builder():array()
      for i = 1, n do b:object():key("id"):value(i):close() end
      return b:close():finish()
    end
  end,
  events = function(n)
    local s = ('data: {"delta":"x"}\n\n'):rep(n)
    return function() each(fleece.events(source(s, 100))) end
  end,
  format_stream = function(n) local s = text(n) return function() return fleece.format_stream(source(s, 100), nothing, { indent = 2 }) end end,
  decode_file = function(n) T.write_file(path, text(n)) return function() return fleece.decode_file(path) end end,
  write_file = function(n) local v = list(n) return function() return fleece.write_file(path, v) end end,
  save = function(n) local v = list(n) return function() return fleece.save(path, v) end end,
  open_file = function(n) fleece.save(path, list(n)) return function() return fleece.open_file(path):close() end end,
  compact = function(n) fleece.save(path, list(n)) return function() return fleece.compact(path) end end,
  pick = function(n) local s, p = text(n), fleece.pick(("/%d/name"):format(n - 1), "/0/id") return function() return p(s) end end,
  query = function(n) local q, v = fleece.query "$..[?@.id > 5 && length($) > 1].name", list(n) return function() return q(v) end end,
  schema = function(n)
    local t = {}
    for i = 1, n do t["p" .. i] = { type = "integer", minimum = i } end
    return function() return fleece.schema { properties = t } end
  end,
  ["schema, definitions"] = function(n)
    local t = {}
    for i = 1, n do t[i] = ('"d%d":{"properties":{"a":{"type":"string"},"next":{"$ref":"#/$defs/d%d"}},"required":["a"]}'):format(i, i % n + 1) end
    local s = '{"$ref":"#/$defs/d1","$defs":{' .. table.concat(t, ",") .. "}}"
    return function() return fleece.schema(s, { strict = true }) end
  end,
  ["schema, branches"] = function(n)
    local t = {}
    for i = 1, n do t[i] = ('{"properties":{"k":{"const":"k%d"}},"required":["k"]}'):format(i) end
    local s = '{"oneOf":[' .. table.concat(t, ",") .. "]}"
    return function() return fleece.schema(s, { strict = true }) end
  end,
  ["schema, a text"] = function(n)
    local s, t = fleece.schema '{"items": {"required": ["name"], "properties": {"id": {"type": "integer"}}}, "uniqueItems": true}', text(n)
    return function() return s(t) end
  end,
  ["query, a text"] = function(n) local q, s = fleece.query "$..name", text(n) return function() return q(s) end end,
  edit = function(n) local s, c = text(n + 1), changes(n) return function() return fleece.edit(s, c) end end,
  ["edit, a name"] = function(n) local s = objects(n) return function() return fleece.edit(s, { { "remove", "name 1" } }) end end,
  json_patch = function(n) local s, o = text(n), operations(n) return function() return fleece.json_patch(s, o) end end,
  ["json_patch, a table"] = function(n) local v, o = list(n), operations(n) return function() return fleece.json_patch(v, o) end end,
  json_diff = function(n) local a, b = text(n), text(n + 1):gsub("7", "8") return function() return fleece.json_diff(a, b) end end,
  ["json_diff, levels"] = function(n)
    local codec, a = fleece.new { max_depth = 2 * n }, ('["a",{"b":'):rep(n)
    local function text(last) return a .. last .. ("}]"):rep(n) end
    return function() return codec.json_diff(text(1), text(2)) end
  end,
  ["json_diff, objects"] = function(n) local a, b = object(n), object(n + 9) return function() return fleece.json_diff(a, b) end end,
  merge_patch = function(n) local s, p = objects(n), object(n) return function() return fleece.merge_patch(s, p) end end,
  ["merge_patch, a table"] = function(n) local v, p = object(n), object(n) return function() return fleece.merge_patch(v, p) end end,
  merge_diff = function(n) local a, b = objects(n), objects(n + 9) return function() return fleece.merge_diff(a, b) end end,
  format = function(n) local s = objects(n) return function() return fleece.format(s, { indent = 2, sort_keys = true }) end end,
  lazy = function(n) local s = text(n) return function() return fleece.lazy(s)[1].id end end,
  array = function(n) local v = list(n) return function() return fleece.array(v) end end,
  object = function(n) local v = object(n) return function() return fleece.object(v) end end,
  raw = function(n) local s = text(n) return function() return fleece.raw(s) end end,
  tonumber = function(n) local s = ("1"):rep(n) return function() return fleece.tonumber(s) end end,
  info = function() return fleece.info end,
  from_json = function(n) local s = text(n) return function() return fleece.from_json(s) end end,
  ["from_json, names"] = function(n) local s = objects(n) return function() return fleece.from_json(s) end end,
  to_json = function(n) local b = bytes(n) return function() return fleece.to_json(b) end end,
  pack = function(n) local v = list(n) return function() return fleece.pack(v) end end,
  ["pack, names"] = function(n) local v = object(n) return function() return fleece.pack(v) end end,
  unpack = function(n) local b = bytes(n) return function() return fleece.unpack(b) end end,
  check = function(n) local b = bytes(n) return function() return fleece.check(b) end end,
  open = function(n) local b = bytes(n) return function() return fleece.open(b).root end end,
  get = function(n) local v = fleece.open(bytes(n)).root return function() return fleece.get(v, n, "name") end end,
  path = function(n) local v, p = fleece.open(bytes(n)).root, fleece.path "[7].name" return function() return p(v) end end,
  pairs = function(n) local v = fleece.open(fleece.pack(object(n))).root return function() for _ in fleece.pairs(v) do end end end,
  ipairs = function(n) local v = fleece.open(bytes(n)).root return function() for _ in fleece.ipairs(v) do end end end,
  type = function(n) local v = fleece.open(bytes(n)).root return function() return fleece.type(v) end end,
  data = function(n) local s = ("x"):rep(n) return function() return fleece.data(s) end end,
  encoder = function(n)
    return function()
      local e = fleece.encoder():dict()
      for i = 1, n do e:key("name " .. i):array():integer(i):close() end
      return e:close():finish()
    end
  end,
  keys = function(n)
    return function()
      local k = fleece.keys()
      for i = 1, math.min(n, 2000) do k:add("n" .. i) end
      return fleece.keys(k:save())
    end
  end,
  diff = function(n) local a, b = bytes(n), fleece.pack { list(n + 1), 1 } return function() return fleece.diff(a, b) end end,
  ["diff, an item less"] = function(n)
    local v = list(n)
    local a = fleece.pack(v)
    table.remove(v, 3)
    local b = fleece.pack(v)
    return function() return fleece.diff(a, b) end
  end,
  patch = function(n)
    local a, v = bytes(n), list(n)
    for i = 1, n, 2 do v[i].name = i end
    local delta = fleece.diff(a, fleece.pack(v))
    return function() return fleece.patch(a, delta) end
  end,
  date = function() return function() return fleece.date "2024-02-29T12:34:56.789+01:00" end end,
  dump = function(n) local b = bytes(n) return function() return fleece.dump(b) end end,
}

-- What a method is called on, and with.
local function document(n) return fleece.open(bytes(n)) end
local function dict(n) return fleece.open(fleece.pack(object(n))) end
local function fed(n) return fleece.parser():feed(text(n)) end
local function digits(n) return fleece.decode("1." .. ("1"):rep(n), { numbers = "exact" }) end
local function encoding(method, ...)
  local arguments, count = { ... }, select("#", ...)
  return function(n)
    local e = fleece.encoder():array()
    for i = 1, n do e:integer(i % 7) end
    return function() return e[method](e, (table.unpack or unpack)(arguments, 1, count)) end
  end
end
local function closing(method, open)
  return function(n)
    return function()
      local e = fleece.encoder()[open](fleece.encoder())
      for i = 1, n do
        if open == "dict" then e:key("name " .. i) end
        e:integer(i)
      end
      if method == "finish" then e:close() end
      return e[method](e)
    end
  end
end
local function with_keys(f)
  return function(n)
    local k = fleece.keys()
    for i = 1, math.min(n / 4, 2000) do k:add("n" .. i) end
    return f(k)
  end
end

-- The same of methods. Each call is one of the method, unless all calls together have the cost.
local METHODS = {
  ["writer:next"] = WORK.writer,
  ["parser:step"] = WORK.parser,
  ["parser:feed"] = WORK.parser,
  ["parser:finish"] = function(n) local s = text(n) return function() return fleece.parser():feed(s):finish() end end,
  ["parser:peek"] = function(n)
    local s = text(n)
    return function()
      local p = fleece.parser()
      for piece in source(s, 100) do p:feed(piece):peek() end
    end
  end,
  ["parser:tail"] = function(n)
    local s = '["' .. ("x"):rep(10 * n)
    return function()
      local p = fleece.parser()
      for piece in source(s, 100) do p:feed(piece):tail() end
    end
  end,
  ["doc.root"] = function(n) local d = document(n) return function() return d.root end end,
  ["doc.size"] = function(n) local d = document(n) return function() return d.size end end,
  ["doc.bytes"] = function(n) local d = document(n) return function() return d.bytes end end,
  ["doc:get"] = function(n) local d = dict(n) return function() return d:get("name 7", 1) end end,
  ["doc:pointer"] = function(n) local d = dict(n) return function() return d:pointer "/name 7/0" end end,
  ["doc:walk"] = function(n) local d = document(n) return function() each(d:walk()) end end,
  ["doc:totable"] = function(n) local d = document(n) return function() return d:totable() end end,
  ["doc:mutable"] = function(n) local d = document(n) return function() return d:mutable() end end,
  ["doc:amend"] = function(n)
    local d = dict(n)
    return function() return d:amend(function(m) for i = 1, n do m["name " .. i] = i end end) end
  end,
  ["doc:amend, one member of a large document: O(1)"] = function(n)
    local d = fleece.open(fleece.pack { { 1 }, list(n) })
    return function() return d:amend(function(m) m[1][1] = 2 end, { extern = true }) end
  end,
  ["doc:append"] = function(n)
    fleece.save(path, object(n), { sync = "none" })
    local d = fleece.open_file(path)
    return function() d = d:append(function(m) m["name 1"] = 2 end, { sync = "none" }) end
  end,
  ["doc:close"] = function(n) local d = document(n) return function() return d:close() end end,
  ["view.name"] = function(n) local v = dict(n).root return function() return v["name 7"] end end,
  ["view[i]"] = function(n) local v = document(n).root return function() return v[n] end end,
  ["#view"] = function(n) local v = dict(n).root return function() return #v end end,
  ["view == other"] = function(n) local v, w = document(n).root, document(n).root return function() return v == w end end,
  ["view:get"] = WORK.get,
  ["view:pointer"] = function(n) local v = dict(n).root return function() return v:pointer "/name 7/0" end end,
  ["view:walk"] = function(n) local v = dict(n).root return function() each(v:walk()) end end,
  ["view:totable"] = function(n) local v = dict(n).root return function() return v:totable() end end,
  ["view:mutable"] = function(n) local v = dict(n).root return function() return v:mutable() end end,
  ["m.name = value"] = function(n) local m = dict(n).root:mutable() return function() m["name 7"] = 1 end end,
  ["m[i] = value"] = function(n) local m = document(n).root:mutable() return function() m[7] = 1 end end,
  ["m:insert"] = function(n)
    local m = document(n).root:mutable()
    return function()
      m:insert(1, true)
      m[1] = nil
    end
  end,
  ["m:changed"] = function(n) local m = document(n).root:mutable() m[7] = 1 return function() return m:changed() end end,
  ["m:totable"] = function(n) local m = dict(n).root:mutable() m["name 7"] = 1 return function() return m:totable() end end,
  ["encoder:array"] = function(n)
    local e = fleece.encoder():array()
    for i = 1, n do e:integer(i) end
    return function() return e:array():close() end
  end,
  ["encoder:dict"] = function(n)
    local e = fleece.encoder():array()
    for i = 1, n do e:integer(i) end
    return function() return e:dict():close() end
  end,
  ["encoder:key"] = function(n)
    local e, number = fleece.encoder():dict(), 0
    for i = 1, n do e:key("name " .. i):integer(i) end
    return function()
      number = number + 1
      return e:key(number):null()
    end
  end,
  ["encoder:null"] = encoding "null", ["encoder:undefined"] = encoding "undefined", ["encoder:boolean"] = encoding("boolean", true),
  ["encoder:integer"] = encoding("integer", 1), ["encoder:unsigned"] = encoding("unsigned", 1),
  ["encoder:double"] = encoding("double", 0.1), ["encoder:float"] = encoding("float", 0.5),
  ["encoder:close"] = closing("close", "dict"), ["encoder:close_array"] = closing("close_array", "array"),
  ["encoder:close_dict"] = closing("close_dict", "dict"),
  ["encoder:string"] = function(n) local s = ("x"):rep(100 * n) return function() return fleece.encoder():string(s):finish() end end,
  ["encoder:data"] = function(n) local s = ("x"):rep(100 * n) return function() return fleece.encoder():data(s):finish() end end,
  ["encoder:value"] = function(n) local v = dict(n) return function() return fleece.encoder():value(v):finish() end end,
  ["encoder:json"] = function(n) local s = objects(n) return function() return fleece.encoder():json(s):finish() end end,
  ["encoder:finish"] = closing("finish", "array"), ["encoder:reset"] = closing("reset", "array"),
  ["keys:add"] = with_keys(function(k) return function() return k:add "n7" end end),
  ["keys:code"] = with_keys(function(k) return function() return k:code "n7" end end),
  ["keys:name"] = with_keys(function(k) return function() return k:name(7) end end),
  ["#keys"] = with_keys(function(k) return function() return #k end end),
  ["keys:save"] = with_keys(function(k) return function() return k:save() end end),
  ["n:number"] = function(n) local x = digits(n) return function() return x:number() end end,
  ["tostring"] = function(n) local x = digits(n) return function() return tostring(x) end end,
  ["=="] = function(n) local x, y = digits(n), digits(n) return function() return x == y end end,
  ["<"] = function(n) local x, y = digits(n), digits(n) return function() return x < y end end,
  ["<="] = function(n) local x, y = digits(n), digits(n) return function() return x <= y end end,
}

local function read(name)
  local file = assert(io.open(name))
  local page = file:read "*a"
  file:close()
  return page
end

-- The code of the line, without arguments.
local function codes(line, prefix)
  local found = {}
  for code in line:gmatch "`([^`]+)`" do
    for call in (code .. ", "):gmatch "(.-), " do
      local name = call:gsub("%(.*", "")
      if prefix and name:find "^%l[%l_]+$" then name = prefix .. name end
      if not name:find "%)" then found[#found + 1] = name end
    end
  end
  return found
end

-- The tables of the page: name -> formula; and the names of the reference.
local function documented(part, from, pattern)
  local costs, names = {}, {}
  for line in read("docs/performance.md"):match(part):gmatch "[^\n]+" do
    local called, cost = line:match "^| (.-) | `(O%b())`"
    for _, name in ipairs(codes(called or "")) do costs[name] = cost end
  end
  for name, line in read("docs/reference/functions.md"):match(from):gmatch(pattern) do
    if not line then names[#names + 1] = name end
    for _, code in ipairs(line and codes(line, name == "Encoders" and "encoder:") or {}) do names[#names + 1] = code end
  end
  return costs, names
end
local function documented_functions()
  return documented("\n## What each function costs\n(.-)\n###", ".+", "\n### fleece%.([%w_]+)\n")
end
local function documented_methods()
  return documented("\n### What each method costs\n(.+)", "\n## Methods\n.+", "\n### ([^\n]+)\n(.-)%[Details%]")
end

function TestCosts:test_every_function_has_a_cost()
  local costs, names = documented_functions()
  for _, name in ipairs(names) do
    if type(fleece[name]) == "function" or name == "query" then
      lu.assertTrue(MOST[costs[name]] ~= nil, name .. " has no cost in docs/performance.md")
      lu.assertTrue(WORK[name] ~= nil, name .. " has no work here")
    end
  end
  for name in pairs(costs) do lu.assertTrue(fleece[name] ~= nil, name) end
end

function TestCosts:test_every_method_has_a_cost()
  local costs, names = documented_methods()
  lu.assertTrue(#names > 50)
  for _, name in ipairs(names) do
    lu.assertTrue(MOST[costs[name]] ~= nil, name .. " has no cost in docs/performance.md")
    lu.assertTrue(METHODS[name] ~= nil, name .. " has no work here")
  end
end

-- The same of C; what these do is tested as the Lua functions over them.
function TestCosts:test_every_function_of_c_has_a_cost()
  local costs = read("docs/c.md"):match "\n## What it costs\n(.+)"
  local count = 0
  for name in (read "include/fleece.h" .. read "include/fleece-text.h" .. read "include/fleece-lua.h"):gmatch "%f[%w_](fleece_[%l%d_]+)%(" do
    count = count + 1
    T.contains(costs, "`" .. name .. "`")
  end
  lu.assertTrue(count > 80)
end

-- Seconds of a call, long enough to be measured.
local function seconds(f, calls)
  local start = os.clock()
  for _ = 1, calls do f() end
  return (os.clock() - start) / calls
end

local function grow(works, costs)
  for what, work in pairs(works) do
    T.each({ what }, function()
      local cost = what:match ": (O%b())$" or costs[what:match "^[^,]+"]
      local short, long, calls, tries = math.huge, math.huge, 1, 0
      local few = work(FEW)
      while seconds(few, calls) * calls < 2e-3 do calls = 2 * calls end
      for _ = 1, 3 do short = math.min(short, seconds(few, calls)) end
      local many = work(FACTOR * FEW)
      local long_calls = cost == "O(1)" and calls or math.max(1, math.floor(calls / FACTOR))
      repeat
        long, tries = math.min(long, seconds(many, long_calls)), tries + 1
      until long < MOST[cost] * short or tries == 10
      lu.assertTrue(long < MOST[cost] * short, ("%s: %g s, then %g s"):format(what, short, long))
    end)
  end
  os.remove(path)
end

function TestCosts:test_functions() grow(WORK, (documented_functions())) end

function TestCosts:test_methods() grow(METHODS, (documented_methods())) end

-- A query takes at most 50 million steps if `max_steps` does not say another number.
function TestCosts:test_steps_of_a_query()
  local query = fleece.query("$[?@" .. ("[*,*]"):rep(60) .. ".x]")
  T.soon(60, function() T.raises_with("more than 50000000 steps", query, { T.nested(900, 1) }) end)
end
