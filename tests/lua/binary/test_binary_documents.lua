-- SPDX-License-Identifier: MIT
-- test_binary_documents.lua -- open, open_file, close; documents with a base; what keeps their bytes alive.

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece
local bytes = B.bytes

TestBinaryDocuments = {}

local compatible = { mode = "compatible" }

local with_file = T.with_file

function TestBinaryDocuments:test_open()
  local data = fleece.from_json '{"a":[1,2]}'
  local doc = fleece.open(data)
  T.same(doc.bytes, data)
  T.same(doc.size, #data)
  T.same(doc.root.a[2], 2)
  T.same(doc.nothing, nil)
  T.same(tostring(doc):match "^fleece%.document: ", "fleece.document: ")
  T.same(fleece.open(bytes "3000").root, fleece.null)
  T.same(fleece.open(bytes "0005").root, 5)
  T.same(fleece.open(bytes "3c00").root, nil)
  T.same(fleece.open(data, { trusted = true }).root.a[1], 1)
  B.refused("", "length must be even", { trusted = true, max_depth = 5 })
  T.same(fleece.open(data).root, fleece.open(data).root, "equal by content")
end

-- By default, Linux allows a process 65530 maps (vm.max_map_count), which LuaJIT's own memory uses too. The collector
-- does not know about them.
function TestBinaryDocuments:test_long_run_of_unclosed_files()
  with_file(fleece.pack { a = 1 }, function(path)
    collectgarbage "stop"
    local opened = 0
    local ok, message = pcall(function()
      for i = 1, 70000 do opened = fleece.open_file(path).root.a * i end
    end)
    collectgarbage "restart"
    collectgarbage()
    T.same(opened, 70000, message)
    lu.assertTrue(ok)
  end)
end

function TestBinaryDocuments:test_open_file()
  local data = fleece.from_json('{"a":[1,"two",{"three":3}],"s":"' .. ("x"):rep(70000) .. '"}')
  for _, map in ipairs { true, false } do
    local options = { map = map }
    with_file(data, function(path)
      local doc = fleece.open_file(path, options)
      T.same(doc.bytes, data)
      T.same(doc.size, #data)
      T.same(doc.root.a[3].three, 3)
      doc = nil
      collectgarbage()
      collectgarbage()
      local view = fleece.open_file(path, options).root.a
      collectgarbage()
      collectgarbage()
      T.same(view[2], "two", "the view keeps the file")
    end)
    with_file("", function(path)
      T.raises_with("length must be even and not 0", fleece.open_file, path, options)
      T.fails_with("length must be even and not 0", T.safe.open_file, path, options)
    end)
    with_file("no document", function(path) T.error_of(fleece.open_file, path, options) end)
    for path, reason in pairs { ["."] = "directory", ["/nonexistent/file"] = "No such file" } do
      T.raises_with(reason, fleece.open_file, path, options)
      T.fails_with(reason, T.safe.open_file, path, options)
    end
  end
end

-- The size of a pipe is unknown.
function TestBinaryDocuments:test_open_file_of_a_pipe()
  if package.config:sub(1, 1) == "\\" then lu.skip "this system: pipes have no names there" end
  local data = fleece.from_json('["' .. ("x"):rep(200000) .. '"]')
  with_file(data, function(path)
    local pipe = path .. ".pipe"
    local made = os.execute("mkfifo " .. pipe)
    T.same(made == true or made == 0, true, "mkfifo")
    for _, map in ipairs { true, false } do
      os.execute("cat " .. path .. " > " .. pipe .. " &")
      local ok, doc = pcall(fleece.open_file, pipe, { map = map })
      T.same(ok and doc.bytes == data, true, doc)
    end
    os.remove(pipe)
  end)
end

function TestBinaryDocuments:test_close()
  with_file(fleece.from_json '{"a":[1,{"b":2}],"c":"d"}', function(path)
    for _, doc in ipairs { fleece.open_file(path), fleece.open_file(path, { map = false }),
      fleece.open(fleece.from_json '{"a":[1,{"b":2}],"c":"d"}') } do
      local root, array = doc.root, doc.root.a
      local next_pair, state, key = fleece.pairs(root)
      key = next_pair(state, key)
      T.same(key, "a")
      local next_item, array_state, i = fleece.ipairs(array)
      local walk = doc:walk()
      walk()
      T.same(doc:close(), nil)
      doc:close() -- a second close does nothing
      local closed = "the document is closed"
      for _, f in ipairs {
        function() return doc.root end,
        function() return doc.bytes end,
        function() return doc.size end,
        function() return root.a end,
        function() return array[1] end,
        function() return root:get "a" end,
        function() return doc:get "a" end,
        function() return doc:pointer "/a" end,
        function() return doc:walk() end,
        function() return next_pair(state, key) end,
        function() return next_item(array_state, i) end,
        walk,
        function() return fleece.to_json(doc) end,
        function() return fleece.to_json(array) end,
        function() return fleece.pairs(root) end,
        function() return fleece.ipairs(array) end,
        function() return fleece.path "a" (doc) end,
        function() return fleece.type(root) end,
        function() return fleece.open(bytes "3000", { base = doc }) end,
        function() return root:totable() end,
      } do T.raises_with(closed, f) end
      T.same(tostring(doc), "fleece.document (closed)")
      T.same(tostring(root), "fleece.view (closed)")
    end
  end)
end

-- Extern pointers lead into the base (section 11). The bytes are from the specification.
local base_bytes = bytes("446e616d6500 43426f62 43616765 4474616773 00 436f6e65 4374776f 6002 8005 8004 " ..
  "4461646472 00" ..
  "4463697479 00 455061726973 7001 8007 8005 7006 800d 8005 801b 002a 8022 8020 801d 8017 4178 0001 4179 0002 800d")
local base_text = '{"name":"Bob","age":42,"tags":["one","two"],"addr":{"city":"Paris"},"x":1,"y":2}'

function TestBinaryDocuments:test_base()
  T.same(B.hex(fleece.from_json(base_text, compatible)), B.hex(base_bytes))
  local merged = '{"addr":{"city":"Paris"},"age":43,"name":"Bob","tags":["one","two"],"x":1,"y":2}'
  -- Appended to the base, as one document.
  B.reads(base_bytes .. bytes "43616765 7002 0800 8012 8005 002b 8005", merged)
  B.reads(base_bytes .. bytes "7002 0800 8010 8029 002b 8005", merged)
  B.reads(base_bytes .. bytes "7002 0800 8010 4178 3c00 8005", (merged:gsub(',"x":1', ""):gsub("43", "42")))
  -- In a document of its own.
  local delta = bytes "7002 0800 c010 c029 002b 8005"
  local base = fleece.open(base_bytes)
  B.reads(delta, merged, { base = base })
  local doc = fleece.open(delta, { base = base })
  T.same(doc.root.age, 43)
  T.same(doc.root.name, "Bob")
  T.same(doc.root.addr.city, "Paris")
  T.same(#doc.root, 6)
  T.same(doc:pointer("/tags/1"), "two")
  B.refused(delta, "pointer out")
  B.refused(bytes "7002 0800 c010 ffff 002b 8005", "pointer out", { base = base }) -- before the base
  B.refused(bytes "7002 0800 c002 c029 002b 8005", "pointer out", { base = base }) -- not in it
  T.raises_with("base of another", base.close, base)
  base = nil
  collectgarbage()
  collectgarbage()
  T.same(doc.root.tags[1], "one", "the document keeps its base")
  T.bad_argument(2, "option 'base'", "open", delta, { base = base_bytes })
end

function TestBinaryDocuments:test_base_of_file()
  with_file(base_bytes, function(path)
    local root = fleece.open(bytes "7002 0800 c010 c029 002b 8005", { base = fleece.open_file(path) }).root
    collectgarbage()
    collectgarbage()
    T.same(root.name, "Bob")
  end)
end

-- If everything is collected at once, finalizers run in any order: reading a document in one gives its value or an
-- error.
function TestBinaryDocuments:test_base_in_finalizers()
  with_file(base_bytes, function(path)
    local seen = 0
    local function make()
      local held = {}
      local function read()
        for _, view in ipairs(held) do
          local ok, name = pcall(function() return view.name end)
          if ok then T.same(name, "Bob") else T.contains(name, "closed") end
          seen = seen + 1
        end
      end
      held.older = T.finalizer(read)
      local base = fleece.open_file(path)
      local doc = fleece.open(bytes "7002 0800 c010 c029 002b 8005", { base = base })
      held[1], held[2] = doc.root, base.root
      held.younger = T.finalizer(read)
    end
    for _ = 1, 10 do make() end
    collectgarbage()
    collectgarbage()
    collectgarbage()
    T.same(seen, 40, "both finalizers have run, each time")
  end)
end

-- A base may be closed after all documents that need it.
function TestBinaryDocuments:test_base_is_released()
  local base = fleece.open(base_bytes)
  local delta = bytes "7002 0800 c010 c029 002b 8005"
  local one, two = fleece.open(delta, { base = base }), fleece.open(delta, { base = base })
  T.error_of(fleece.open, "\1", { base = base }) -- a document that could not be opened needs no base
  one:close()
  T.raises_with("base of another", base.close, base)
  two:close()
  base:close()
  T.raises_with("closed", function() return base.root end)
end

-- What amend writes can be read with the same max_depth, which does not count levels in the base that it only points
-- to.
function TestBinaryDocuments:test_amend_depth()
  local deep = T.nested
  local doc = fleece.open(fleece.pack { a = { 1, 2 } })
  local function put(value) return function(m) m.x = value end end
  for _, options in ipairs { {}, { extern = true }, { reuse_strings = true } } do
    local change = doc:amend(put(deep(999, "x")), options)
    local whole = options.extern and fleece.open(change, { base = doc }) or fleece.open(doc.bytes .. change)
    T.same(whole.root.a[2], 2)
    T.raises_with("nesting too deep", doc.amend, doc, put(deep(1000, "x")), options)
    options.max_depth = 3
    T.same(#doc:amend(put(deep(2, 1)), options) > 0, true)
    T.raises_with("nesting too deep", doc.amend, doc, put(deep(3, 1)), options)
    -- The levels around a change deep inside count too.
    local inner = fleece.open(fleece.pack(deep(4, { 1 })))
    T.raises_with("nesting too deep", inner.amend, inner, function(m) m[1][1][1][1][1] = 2 end, options)
    options.max_depth = 5
    T.same(#inner:amend(function(m) m[1][1][1][1][1] = 2 end, options) > 0, true)
  end
  T.same(#fleece.pack { 1 } > 0, true, "the limit is gone")
  T.each({
    { options = { reuse = true }, message = "unknown option 'reuse'" },
    { options = { extern = 1 }, message = "option 'extern' must be true or false" },
    { options = { max_depth = 0 }, message = "option 'max_depth' must be" },
    { options = { "extern" }, message = "options expected, got a list" },
    { options = 1, message = "table expected" },
  }, function(case)
    local message = T.error_of(function() doc:amend(put(1), case.options) end)
    T.contains(message, "bad argument #2 to 'amend'")
    T.contains(message, case.message)
  end)
end

-- Equal bytes with different bases are different values.
function TestBinaryDocuments:test_equal_bytes_with_different_bases()
  local function amended(name, last)
    local base = fleece.open(fleece.pack { name = name, list = { 1, 2, 3, 4, 5, last }, age = 1, x = 1, y = 2 })
    local bytes = base:amend(function(m) m.age = 2 end, { extern = true })
    return fleece.open(bytes, { base = base }), bytes, base
  end
  local bob, bytes, base = amended("Bob", 6)
  local eve, same_bytes = amended("Eve", 7)
  T.same(bytes, same_bytes)
  T.same(bob.root == eve.root, false)
  T.same(fleece.diff(bob, eve), '{"list":{"5":7},"name":"Eve"}')
  T.same(bob.root == fleece.open(bytes, { base = base }).root, true)
  T.same(fleece.diff(bob, fleece.open(bytes, { base = base })), "{}")
end

-- Documents are told apart by the addresses of their bytes. Equal Lua strings may be one object, so one is copied.
function TestBinaryDocuments:test_a_base_with_the_same_bytes()
  local first = fleece.open(("\0"):rep(2000000 - 2) .. "\128\1") -- small integers, of which the last one is the root
  -- an array with a pointer into the base
  local bytes = "\104\1" .. "\192\11\113\177" .. "\96\1" .. "\192\10" .. "\128\2"
  local second = fleece.open(bytes, { base = first })
  local third = fleece.open(bytes, { base = second })
  T.same(third.bytes, bytes)
  for _, f in ipairs { fleece.to_json, fleece.unpack, fleece.dump } do
    T.raises_with("its base is in the same memory", f, bytes, { base = second })
  end
  T.same(select(2, fleece.check(bytes, { base = second })),
    "not a document: its base is in the same memory at byte 1")
  T.same(fleece.to_json(second), "[0]")
  T.same(fleece.to_json(third), "[[0]]")
end

function TestBinaryDocuments:test_dump()
  local keys = fleece.keys()
  keys:add "list"
  keys:add "name"
  local bytes = fleece.from_json('{"list":[1,2],"name":"x","a long na\\"me":true}', { keys = keys })
  local text = fleece.dump(bytes, { keys = keys })
  T.contains(text, '0 "list": -> 000000: array of 2\n')
  T.contains(text, '1 "name": "x"\n')
  T.contains(text, '"a long na.me": true\n')
  T.contains(fleece.dump(bytes), ' 0: -> 000000: array of 2\n') -- only the codes
  T.raises_with("code without a shared key", fleece.dump, bytes, { keys = fleece.keys() })
  T.same(fleece.dump "\0\7", "000000: 00 07                                7\n")
end
