-- SPDX-License-Identifier: MIT
-- test_view_values.lua -- what views return for null and for integers that numbers of this Lua do not hold: the options
-- null and big_numbers of open, open_file, lazy and codecs; and what mutable views of such documents take.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestViewValues = {}

local NULL = io.stdout
local LARGE = "18446744073709551615"
-- Not exact as a number of this Lua.
local ODD = T.integers and LARGE or "9007199254740993"
local TEXT = ('{"id":%s,"list":[1,%s,null,{"deep":%s}],"none":null,"beyond":18446744073709551616,"half":0.5}'):format(ODD, LARGE, ODD)
local BEYOND = 18446744073709551616.0

-- Returns views of TEXT: of a document, of a text, of a long one, and of one that was converted.
local function views(codec, options)
  local converted = codec.lazy(TEXT, options)
  lu.assertEquals(#converted, 5)
  return {
    codec.open(codec.from_json(TEXT), options), codec.open(codec.from_json(TEXT), options).root, codec.lazy(TEXT, options),
    codec.lazy(TEXT .. (" "):rep(70000), options), converted, codec.lazy(TEXT .. " \n", options),
    codec.open(codec.from_json(TEXT), options):mutable(),
  }
end

-- The view returns `odd` and `large` for these integers, and `null`.
local function holds(view, odd, large, null)
  local function is(got, wanted) lu.assertEquals(got, wanted) same(type(got), type(wanted)) end
  is(view.id, odd)
  is(view.none, null)
  is(view.list[2], large)
  is(view.list[3], null)
  is(view.list[4].deep, odd)
  is(view.beyond, BEYOND)
  is(view.half, 0.5)
  local found = {}
  for name, value in fleece.pairs(view) do found[name] = value end
  is(found.id, odd)
  is(found.none, null)
  found = {}
  for i, value in fleece.ipairs(view.list) do found[i] = value end
  is(found[2], large)
  is(found[3], null)
  is(#found, 4)
  if type(view) == "userdata" and tostring(view):find "mutable" then return end
  is(fleece.get(view, "list", 2), large)
  is(fleece.path "list[3].deep"(view), odd)
  is(view:pointer "/list/2", null)
  found = {}
  for value, path in view:walk() do found[path] = value end
  is(found[".list[1]"], large)
  is(found[".none"], null)
  is(fleece.query "$.id"(view)[1], odd)
  is(fleece.query "$.list[2]"(view)[1], null)
end

function TestViewValues:test_strings()
  for _, options in ipairs { { null = NULL, big_numbers = "string" }, { null = "none", big_numbers = "string" } } do
    for _, view in ipairs(views(fleece, options)) do holds(view, ODD, LARGE, options.null) end
    for _, view in ipairs(views(fleece.new(options))) do holds(view, ODD, LARGE, options.null) end
    for _, view in ipairs(views(T.safe.new(options))) do holds(view, ODD, LARGE, options.null) end
  end
end

function TestViewValues:test_defaults()
  local codec = fleece.new { null = NULL, big_numbers = "string" }
  local odd = fleece.decode(ODD)
  for _, view in ipairs(views(fleece)) do holds(view, odd, BEYOND, fleece.null) end
  for _, view in ipairs(views(codec, { null = fleece.null, big_numbers = "double" })) do
    holds(view, odd, BEYOND, fleece.null)
  end
  for _, view in ipairs(views(codec, { big_numbers = "double" })) do holds(view, odd, BEYOND, NULL) end
  for _, view in ipairs(views(codec, { null = false })) do holds(view, ODD, LARGE, false) end
  for _, view in ipairs(views(fleece.new { null = "nil" })) do holds(view, odd, BEYOND, fleece.null) end
end

function TestViewValues:test_errors()
  for i, view in ipairs(views(fleece, { big_numbers = "error" })) do
    T.raises_with("number not exact", function() return view.id end)
    T.raises_with("number not exact", function()
      for _ in fleece.ipairs(view.list) do
      end
    end)
    same(view.half, 0.5, i)
    same(view.list[1], 1)
  end
  for _, name in ipairs { "open", "lazy" } do
    T.bad_argument(2, "option 'null'", name, "6000", { null = "nil" })
    T.bad_argument(2, "option 'big_numbers'", name, "6000", { big_numbers = "exact" })
  end
  for _, name in ipairs { "check", "from_json", "to_json", "dump" } do
    T.bad_argument(2, "has no effect here", name, "6000", { null = NULL })
    T.bad_argument(2, "has no effect here", name, "6000", { big_numbers = "string" })
  end
end

function TestViewValues:test_scalars()
  local options = { null = NULL, big_numbers = "string" }
  same(fleece.lazy("null", options), NULL)
  same(fleece.lazy(LARGE, options), LARGE)
  same(fleece.open(fleece.from_json(LARGE), options).root, LARGE)
end

function TestViewValues:test_int64()
  if not rawget(_G, "jit") then
    T.bad_argument(2, "needs LuaJIT", "open", fleece.from_json "1", { big_numbers = "int64" })
    return
  end
  local ffi = require "ffi"
  local odd, large, null = ffi.new("int64_t", 9007199254740992), ffi.new("uint64_t", 0) - 1, ffi.new "void *"
  odd = odd + 1
  local codec = fleece.new { big_numbers = "int64", null = null }
  for _, view in ipairs(views(codec)) do
    same(tostring(view.id), "9007199254740993LL")
    same(tostring(view.list[2]), "18446744073709551615ULL")
    assert(view.id == odd and view.list[2] == large and view.none == null and type(view.none) == "cdata")
    same(view.list[1], 1)
  end
  -- read, modify, write
  local bytes = codec.from_json(TEXT)
  bytes = bytes .. codec.open(bytes):amend(function(m)
    m.copy, m.none2, m.list2 = m.id, null, { null, m.list[2] }
  end)
  same(codec.to_json(bytes, { path = "copy" }), "9007199254740993")
  same(codec.to_json(bytes, { path = "list2" }), "[null,18446744073709551615]")
  assert(codec.open(bytes).none2 == null)
end

-- Mutable views take what pack of the codec takes.
function TestViewValues:test_mutable_views()
  local text = '{"a":null}'
  local function changed(open, codec, change)
    local m = open(codec):mutable()
    change(m)
    return fleece.to_json(m)
  end
  local hook = { __serialize = function() return { 1, 2 } end }
  local opens = {
    function(codec) return codec.open(codec.from_json(text)) end,
    function(codec) return codec.lazy(text) end,
    function(codec)
      local view = codec.lazy(text .. " ")
      same(#view, 1)
      return view
    end,
  }
  for _, library in ipairs { fleece, T.safe } do
    local codec = library.new { null = NULL, metamethods = "serialize", keys = fleece.keys(),
      on_error = function(value) return type(value) end }
    for _, open in ipairs(opens) do
      same(changed(open, codec, function(m)
        m.b, m.c, m.d = NULL, setmetatable({}, hook), print
        same(m.b, NULL)
        same(m.a, NULL)
      end), '{"a":null,"b":null,"c":[1,2],"d":"function"}')
    end
    codec = library.new { metamethods = "serialize" }
    for _, open in ipairs(opens) do
      T.raises_with("cannot encode a function at .x", changed, open, codec, function(m) m.x = print end)
    end
  end
  local m = fleece.open(fleece.from_json(text), { null = NULL }):mutable()
  m.b = { NULL }
  same(fleece.to_json(m), '{"a":null,"b":[null]}')
  m = fleece.open(fleece.from_json(text), { null = false }):mutable()
  m.b = m.a
  same(fleece.to_json(m), '{"a":null,"b":false}')
end

function TestViewValues:test_files()
  local path = os.tmpname()
  local codec = fleece.new { null = NULL, big_numbers = "string" }
  assert(codec.save(path, codec.from_json(TEXT)))
  for _, options in ipairs { { map = false }, { map = true } } do
    local doc = codec.open_file(path, options)
    holds(doc, ODD, LARGE, NULL)
    doc = doc:append(function(m) m.more = NULL end)
    same(doc.more, NULL)
    same(doc.id, ODD)
    doc = doc:append(function(m) m.more = nil end)
    same(doc.id, ODD)
    doc:close()
  end
  os.remove(path)
end

-- The values live as long as the views.
function TestViewValues:test_collection()
  local function open() return fleece.open(fleece.from_json(TEXT), { null = {}, big_numbers = "string" }).list end
  local function lazy() return fleece.lazy(TEXT, { null = {}, big_numbers = "string" }).list end
  for _, make in ipairs { open, lazy } do
    local list = make()
    local null = list[3]
    collectgarbage()
    collectgarbage()
    same(type(null), "table")
    assert(rawequal(list[3], null))
    same(list[2], LARGE)
  end
end
