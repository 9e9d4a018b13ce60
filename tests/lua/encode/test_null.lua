-- SPDX-License-Identifier: MIT
-- test_null.lua -- the option null of what writes: a host's value for null is written as null, known by its identity.

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestNull = {}

-- Any userdata serves; hosts have their own, such as vim.NIL.
local null, other = io.stdout, io.stderr
local codec = fleece.new { null = null }

function TestNull.test_what_decode_makes_of_null_is_written_as_null()
  for _, text in ipairs { "null", "[null]", '{"a":null}', '[[null,1],{"a":{"b":[null,null]}}]' } do
    lu.assertEquals(codec.encode(codec.decode(text)), text)
    lu.assertEquals(codec.unpack(codec.pack(codec.decode(text))), codec.decode(text))
  end
  lu.assertEquals(codec.decode "[null]"[1], null)
end

function TestNull.test_every_writer_knows_it()
  local value = { 1, null, { a = null } }
  local text = '[1,null,{"a":null}]'
  lu.assertEquals(fleece.encode(value, { null = null }), text)
  lu.assertEquals(codec.json(value), text)
  lu.assertEquals(codec.size(value), #text)
  local pieces = {}
  codec.write(function(piece) pieces[#pieces + 1] = piece end, value)
  lu.assertEquals(table.concat(pieces), text)
  pieces = {}
  for piece in codec.writer(value) do pieces[#pieces + 1] = piece end
  lu.assertEquals(table.concat(pieces), text)
  for _, options in ipairs { { indent = 2 }, { width = 40, indent = 1 }, { canonical = "jcs" }, { sort_keys = true }, { layout = "api" } } do
    options.null = null
    lu.assertEquals((fleece.encode(value, options):gsub("%s", "")), text)
  end
  lu.assertEquals(fleece.edit("[0]", { { "set", "[0]", value } }, { null = null }), "[" .. text .. "]")
  lu.assertEquals(codec.edit("[0]", { { "set", "[0]", null } }), "[null]")
  lu.assertEquals(fleece.to_json(codec.pack(value)), text)
  lu.assertEquals(fleece.to_json(fleece.pack(value, { null = null, layout = "api" })), text)
end

function TestNull.test_it_is_kept_where_others_are_skipped_or_replaced()
  lu.assertEquals(fleece.encode({ null, other, print }, { null = null, skip_unsupported = true }), "[null]")
  local seen = {}
  local options = { null = null, on_error = function(value) seen[#seen + 1] = value return 0 end }
  lu.assertEquals(fleece.encode({ null, other }, options), "[null,0]")
  lu.assertEquals(seen, { other })
end

function TestNull.test_another_value_is_no_null()
  lu.assertErrorMsgContains("cannot encode a userdata at [1]", codec.encode, { other })
  lu.assertErrorMsgContains("cannot encode a userdata", codec.encode, other)
  lu.assertErrorMsgContains("cannot encode a userdata", fleece.encode, null)
  lu.assertErrorMsgContains("userdata", codec.encode, { [null] = 1 })
  lu.assertEquals(codec.encode { fleece.null }, "[null]")
end

function TestNull.test_a_codec_of_a_codec()
  lu.assertEquals(codec.new { sort_keys = true }.encode { null }, "[null]")
  local second = codec.new { null = other }
  lu.assertEquals(second.encode { other }, "[null]")
  lu.assertErrorMsgContains("cannot encode a userdata", second.encode, { null })
  lu.assertErrorMsgContains("cannot encode a userdata", codec.new { null = "nil" }.encode, { null })
end

function TestNull.test_values_that_are_data_are_only_for_decode()
  for _, value in ipairs { "none", 0, false, true, {} } do
    local c = fleece.new { null = value }
    lu.assertEquals(c.encode { value }, fleece.encode { value })
    lu.assertErrorMsgContains("option 'null' must be userdata or cdata", fleece.encode, {}, { null = value })
  end
end

function TestNull.test_it_lives_as_long_as_what_writes()
  local made = 0
  local function host_null()
    made = made + 1
    return assert(io.tmpfile())
  end
  local w = fleece.writer({ 1, 2 }, { null = host_null() })
  local c = fleece.new { null = host_null() }
  collectgarbage() collectgarbage()
  lu.assertErrorMsgContains("userdata", c.encode, { host_null() })
  local kept = c.decode "null"
  lu.assertEquals(c.encode { kept }, "[null]")
  lu.assertEquals(w(), "[1,2]")
  lu.assertEquals(made, 3)
end

function TestNull.test_many_beside_other_values()
  local list = {}
  for i = 1, 3000 do list[i] = { id = i, target = i % 3 == 0 and null or i, name = "n" .. i } end
  local text = codec.encode(list)
  lu.assertEquals(select(2, text:gsub('"target":null', "")), 1000)
  lu.assertEquals(codec.encode(codec.decode(text)) == text or #codec.encode(codec.decode(text)) == #text, true)
end

function TestNull.test_null_pointers_of_an_ffi()
  local has, ffi = pcall(require, "ffi")
  if not has then lu.skip "this Lua: only LuaJIT has cdata" end
  local c = fleece.new { null = ffi.cast("void *", 0) }
  local foreign = ffi.cast("char *", 0)
  local five, zero = ffi.new("int64_t", 5), ffi.new("uint64_t", 0)
  lu.assertEquals(c.encode { c.decode "null", ffi.cast("void *", 0), foreign, five, zero }, "[null,null,null,5,0]")
  lu.assertErrorMsgContains("cannot encode a cdata at [1]", c.encode, { ffi.cast("void *", 8) })
  lu.assertErrorMsgContains("cannot encode a cdata at [1]", c.encode, { ffi.new "int" })
  lu.assertErrorMsgContains("cannot encode a cdata at [1]", fleece.encode, { ffi.cast("void *", 0) })
  lu.assertEquals(fleece.new { null = ffi.cast("void *", 0), skip_unsupported = true }.encode { foreign, ffi.new "int" }, "[null]")
end
