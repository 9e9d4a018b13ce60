-- SPDX-License-Identifier: MIT
-- test_binary_limits.lua -- what a document needs, and how much may be made of one: shared keys, max_values, max_bytes.

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece

TestBinaryLimits = {}

-- A file with these bytes while f(path) runs.
local function with_file(bytes, f)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  local ok, message = pcall(f, path)
  os.remove(path)
  if not ok then error(message, 0) end
end

-- ------------------------------------------------------------------------------------- shared keys

local needs = "the document needs its shared keys"

-- Opened without its keys a document would have no members, and nobody would know.
function TestBinaryLimits:test_keys_are_missed()
  local keys = fleece.keys()
  local bytes = fleece.from_json('{"a name":1,"list":[{"name":"Ann"}],"x":2}', { keys = keys })
  B.refused(bytes, needs)
  B.refused(bytes, needs, { check_utf8 = true })
  T.same(fleece.check(bytes, { keys = keys }), true)
  for _, codec in ipairs { fleece, T.api } do
    for _, name in ipairs { "open", "unpack", "to_json" } do
      T.contains(T.raises(codec[name], bytes), needs .. " at byte ")
    end
    T.contains(T.raises(codec.diff, bytes, bytes), needs)
    T.contains(T.raises(codec.patch, bytes, "{}"), needs)
  end
  local message = select(2, T.safe.open(bytes))
  T.contains(message, needs .. " at byte ")
  with_file(bytes, function(path)
    T.contains(T.raises(fleece.open_file, path), needs)
    T.contains(T.raises(fleece.open_file, path, { map = false }), needs)
    T.same(fleece.open_file(path, { keys = keys }).root.list[1].name, "Ann")
    lu.assertNotNil(fleece.open_file(path, { keys = false }))
  end)
  B.refused(B.bytes "7002 4161 0001 0005 0002 8005", "not in order") -- what is wrong without keys too comes first
end

-- keys = false: whoever reads wants the codes.
function TestBinaryLimits:test_keys_are_not_wanted()
  local keys = fleece.keys()
  local bytes = fleece.from_json('{"a name":1,"x":2}', { keys = keys })
  T.same(fleece.check(bytes, { keys = false }), true)
  local names = {}
  for name, value in fleece.pairs(fleece.open(bytes, { keys = false }).root) do names[name] = value end
  lu.assertEquals(names, { [0] = 2, ["a name"] = 1 })
  T.contains(T.raises(fleece.unpack, bytes, { keys = false }), needs)
  T.contains(T.raises(fleece.to_json, bytes, { keys = false }), needs)
  T.same(fleece.from_json('{"x":2}', { keys = false }), fleece.from_json '{"x":2}')
  T.same(fleece.pack({ x = 2 }, { keys = false }), fleece.pack { x = 2 })
  T.bad_argument(2, "option 'keys'", "open", bytes, { keys = true })
  T.bad_argument(1, "given to each call", "new", { keys = false })
end

-- An amendment has the keys of its base.
function TestBinaryLimits:test_keys_of_a_base()
  local keys = fleece.keys()
  local base = fleece.open(fleece.from_json('{"name":"Ann","age":1}', { keys = keys }), { keys = keys })
  local change = base:amend(function(m) m.age = 2 end, { extern = true })
  T.same(fleece.open(change, { base = base }).root.age, 2)
  T.same(fleece.unpack(change, { base = base }).name, "Ann")
  T.same(fleece.check(change, { base = base }), true)
  T.same(fleece.to_json(change, { base = base, canonical = true }), '{"age":2,"name":"Ann"}')
end
