-- SPDX-License-Identifier: MIT
-- test_binary_gc.lua -- the binary functions while the collector runs at every allocation, with finalizers that use the
-- module, close documents or raise errors; coroutines; nothing leaks.

local T = require "support"
local B = require "binary"
local lu, fleece, same = T.lu, T.fleece, T.same

TestBinaryGc = {}

local record = '{"id":%d,"name":"name %d","tags":["a","bb","a longer one than is pooled"],"at":{"x":%d.5,"y":[null,' ..
  'true,{}]}}'
local function records(n)
  local list = {}
  for i = 1, n do list[i] = record:format(i, i, i) end
  return "[" .. table.concat(list, ",") .. "]"
end
local text = records(20)
local compact, compatible = fleece.from_json(text), fleece.from_json(text, { mode = "compatible" })
local plain = fleece.to_json(compact)
local path = fleece.path "[3].at.y[2]"

-- Calls every function once; each result is known.
local function everything()
  same(fleece.from_json(text), compact, "from_json")
  same(fleece.from_json(text, { mode = "compatible" }), compatible, "compatible")
  same(fleece.to_json(compatible), plain, "to_json")
  same(fleece.check(compact), true)
  local doc = fleece.open(compact)
  same(doc.root[7].name, "name 7")
  same(doc.root[20].at.x, 20.5)
  same(doc:pointer "/4/tags/1", "bb")
  same(#fleece.encode(path(doc)), 2)
  local lazy = fleece.lazy(text)
  local n, total = 0, 0
  for i, item in fleece.ipairs(lazy) do
    n = n + 1
    total = total + item.id - i
    for name, value in fleece.pairs(item) do
      total = total + (name == "id" and value == i and 0 or name == "id" and 1 or 0)
    end
  end
  same(n * 1000 + total, 20000)
  n = 0
  for _ in doc:walk() do n = n + 1 end
  same(n, 1 + 20 * 13)
  local e = fleece.encoder()
  e:array()
  for i = 1, 20 do e:dict():key "i":integer(i):key "v":value(lazy[i].at):close() end
  same(fleece.to_json(e:close():finish()):sub(1, 44), '[{"i":1,"v":{"x":1.5,"y":[null,true,{}]}},{"')
  same(fleece.encode(lazy[2].tags:totable()), fleece.encode(lazy[2].tags))
  local keys = fleece.keys()
  same(fleece.to_json(fleece.from_json(text, { keys = keys }), { keys = fleece.keys(keys:save()), canonical = true }),
    fleece.to_json(compact, { canonical = true }))
  same(fleece.patch(fleece.from_json '{"a":[1,2]}', fleece.diff(fleece.lazy '{"a":[1,2]}', fleece.lazy '{"a":[1,3]}')),
    fleece.from_json '{"a":[1,3]}')
  local base = fleece.open(fleece.from_json '{"name":"Bob","age":42}')
  local delta = base:amend(function(m) m.age = 43 end)
  same(fleece.to_json(base.bytes .. delta), '{"age":43,"name":"Bob"}')
end

function TestBinaryGc:test_busy_collector()
  everything()
  T.with_busy_collector(30, 2, everything)
end

-- Finalizers run in the middle of the calls and use all functions themselves.
function TestBinaryGc:test_finalizers_use_the_module()
  local ran, failed, depth = 0, nil, 0
  local function finalize()
    if depth > 0 then return end
    depth = depth + 1
    local ok, message = pcall(everything)
    if not ok then failed = message end
    ran = ran + 1
    depth = depth - 1
  end
  T.with_busy_collector(20, 2, function()
    for _ = 1, 3 do T.finalizer(finalize) end
    everything()
  end)
  collectgarbage()
  collectgarbage()
  if failed then error(failed, 0) end
  lu.assertTrue(ran > 5)
end

-- An error of a finalizer in the middle of a call causes at most an error.
function TestBinaryGc:test_finalizers_raise()
  if T.jit then lu.skip "this Lua: LuaJIT raises them anywhere, also where nothing can catch them" end
  local warn = rawget(_G, "warn")
  if warn then warn "@off" end
  local function one()
    T.finalizer(function() error "raised on purpose" end)
    everything()
  end
  for _ = 1, 200 do pcall(one) end -- objects are created only inside pcall
  repeat until pcall(collectgarbage) and pcall(collectgarbage) -- up to Lua 5.3 it raises each error
  if warn then warn "@on" end
  everything()
end

-- A finalizer that resets an encoder during its `finish`, or adds to it.
function TestBinaryGc:test_finalizers_use_the_same_encoder()
  T.with_busy_collector(200, 20, function()
    local e = fleece.encoder()
    e:array()
    for i = 1, 50 do e:string("a string of some length " .. i) end
    e:close()
    T.finalizer(function() pcall(function() e:array():integer(1):close() end) end)
    T.finalizer(function() pcall(function() e:reset():integer(1) end) end)
    local ok, doc = pcall(e.finish, e)
    if ok then same(fleece.check(doc), true) end
    e:reset()
    same(B.hex(e:integer(7):finish()), "0007")
  end)
end

-- A view in a finalizer still works, or the error says that the document is closed.
function TestBinaryGc:test_views_in_finalizers()
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(compact)
  file:close()
  local seen, wrong = 0, nil
  local function use(view, mutable, next_pair, walk)
    for _, f in ipairs {
      function() return view[3].name == "name 3" or error "other name" end,
      function() return mutable[2].id == 2 or error "other id" end,
      function()
        mutable[1] = nil
        return true
      end,
      function() return next_pair[1](next_pair[2], next_pair[3]) end,
      function() return walk() end,
      function() return fleece.encode { view[1] } end,
      function() return fleece.encode { mutable } end,
      function() return fleece.pack(mutable) end,
    } do
      local ok, message = pcall(f)
      if not ok and not tostring(message):find("closed", 1, true) then wrong = message end
    end
    seen = seen + 1
  end
  local function make(doc)
    local view, held = doc.root, {}
    held.older = T.finalizer(function() use(held.view, held.mutable, held.pairs, held.walk) end)
    held.view, held.mutable = view, doc:mutable()
    held.pairs, held.walk = { fleece.pairs(view) }, view:walk()
    held.more = held.mutable[3]
    held.younger = T.finalizer(function() use(held.view, held.mutable, held.pairs, held.walk) end)
  end
  for _ = 1, 10 do
    make(fleece.open_file(name))
    make(fleece.open_file(name, { map = false }))
    make(fleece.open(compact))
  end
  for _ = 1, 4 do collectgarbage() end
  os.remove(name)
  if wrong then error(wrong, 0) end
  same(seen, 60)
end

-- A hook closes the document while a mutable view sets the hook's value.
function TestBinaryGc:test_hooks_close()
  local doc = fleece.open(fleece.from_json '{"a":[1,2],"b":1}')
  local m = doc:mutable()
  same(fleece.type(m), "dict")
  same(fleece.type(m.a), "array")
  local hooked = setmetatable({}, { __tojson = function()
    doc:close()
    return "1"
  end })
  for _, f in ipairs { function() m.b = hooked end, function() m.a[1] = 5 end, function() return m.a end,
    function() m.c = 1 end, function() return fleece.type(m) end } do
    T.raises_with("closed", f)
  end
  doc = fleece.open(fleece.from_json "[1,2]")
  m = doc:mutable()
  T.raises_with("closed", m.insert, m, 1, hooked)
  doc = fleece.open(fleece.from_json '{"a":1}')
  T.raises_with("closed", doc.amend, doc, function(x)
    x.a = 2
    doc:close()
  end)
  doc = fleece.open(fleece.from_json '{"a":[1],"b":[2]}')
  local n = 0
  T.raises_with("closed", function()
    for _ in doc:walk(function() doc:close() end) do n = n + 1 end
  end)
  doc = fleece.open(fleece.from_json '{"a":[1],"b":[2]}')
  T.raises_with("closed", function()
    for _ in fleece.pairs(doc.root) do doc:close() end
  end)
end

-- Calls inside hooks of encode find the encoder state in use and use another one.
function TestBinaryGc:test_inside_hooks()
  local hooked = setmetatable({}, { __tojson = function()
    everything()
    return fleece.to_json(fleece.from_json "[1,2]")
  end })
  same(fleece.encode { hooked, fleece.lazy "[3]", hooked }, "[[1,2],[3],[1,2]]")
end

function TestBinaryGc:test_coroutines()
  local root = fleece.lazy(text)
  local threads = {}
  for i = 1, 20 do
    threads[i] = coroutine.wrap(function()
      local n = 0
      for _, path_text in root:walk(function()
        coroutine.running()
        return true
      end) do
        n = n + 1
        if n % 50 == 0 then coroutine.yield(path_text) end
      end
      for name in fleece.pairs(root[i]) do coroutine.yield(name) end
      return n
    end)
  end
  local last
  for _ = 1, 10 do
    for i = 1, 20 do last = threads[i]() end
  end
  same(last, 1 + 20 * 13)
  local e = coroutine.wrap(function() return fleece.encoder():array():integer(1) end)()
  collectgarbage()
  same(fleece.to_json(e:close():finish()), "[1]")
end

-- 20 KB are 70 bytes for each call of everything().
function TestBinaryGc:test_no_leaks()
  T.leaves_less(20, function() for _ = 1, 300 do everything() end end)
  T.leaves_less(20, function()
    for _ = 1, 300 do
      pcall(fleece.from_json, text:sub(1, -3))
      pcall(fleece.lazy, text:sub(1, -3))
      pcall(fleece.open, compact:sub(1, -3))
      pcall(fleece.to_json, "x")
      pcall(fleece.patch, compact, "[")
      local e = fleece.encoder():array():string(("x"):rep(1000))
      pcall(e.finish, e)
      for _ in fleece.lazy(text):walk() do break end
    end
  end)
end

-- ------------------------------------------------------------------------------------- closed while it is read

function TestBinaryGc:test_closed_by_finalizers()
  local said = T.alone("finalizing.lua", "close")
  local read, refused = said:match "^(%d+) read, (%d+) refused\n$"
  if not read then lu.fail(said) end
  lu.assertTrue(tonumber(read) > 0 and tonumber(refused) > 0)
end

-- Closed by the sink, without a collection.
function TestBinaryGc:test_closed_by_a_sink()
  local value = {}
  for i = 1, 3000 do value[i] = { name = "name " .. i, text = ("t"):rep(30) .. i } end
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(fleece.pack(value))
  file:close()
  local expected = fleece.encode(value)
  for _, codec in ipairs(T.codecs) do
    local doc, pieces = fleece.open_file(name), {}
    same(codec.write(function(piece)
      doc:close()
      pieces[#pieces + 1] = piece
    end, { doc.root }), true)
    same(#table.concat(pieces), #expected + 2)
    T.raises_with("the document is closed", function() return doc.root end)
  end
  os.remove(name)
end
