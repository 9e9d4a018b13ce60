-- SPDX-License-Identifier: MIT
-- tarantool_codec.lua -- fleece.tarantool against Tarantool's own json and msgpack. Run by tarantool.py; prints what is wrong.

local ffi, fio, json, msgpack = require "ffi", require "fio", require "json", require "msgpack"
local decimal, uuid = require "decimal", require "uuid"
local fleece = require "fleece.tarantool"

local wrong = {}
local function same(name, got, wanted)
  if got ~= wanted then wrong[#wrong + 1] = ("%s: %s instead of %s"):format(name, tostring(got), tostring(wanted)) end
end
local function fails(name, wanted, run, ...)
  local _, message = pcall(run, ...)
  if not tostring(message):find(wanted, 1, true) then same(name, message, wanted) end
end
local function with(what, t) return setmetatable(t or {}, { __serialize = what }) end
local function returning(value) return with(function() return value end) end

-- encode, and the document that pack makes, have the text of Tarantool's json.
local values = {
  decimal = decimal.new "1.50", uuid = uuid.fromstr "4f71972a-b42d-48e5-b033-620d587a71df",
  error = box.error.new { reason = "no", code = 5 },
  tuple = box.tuple.new { 1, { a = {} }, {} }, ["a tuple in a list"] = { box.tuple.new { { x = box.tuple.new { 2 } } } },
  ["null and nil"] = { a = box.NULL }, int64 = { 1LL, -5LL, 18446744073709551615ULL },
  int32 = ffi.new("int32_t", 7), int8 = { ffi.new("int8_t", -7) }, double = ffi.new("double", 7.5), float = { ffi.new("float", 0.5) },
  yes = ffi.new("bool", true), no = { ffi.new("bool", false) },
  map = with "map", mapping = with("mapping", { 1, 2 }), seq = { with "seq", with("sequence", { 1, nil, 3 }), with "array" },
  ["holes are filled"] = { 1, nil, nil, 4 }, ["as far as msgpack does"] = { [1] = 1, [100] = 2 },
  ["function"] = returning(5), ["function with tables"] = { returning { 1, with "map" }, returning(with "map"), returning(returning "x") },
  ["function with nil"] = { returning(nil) }, ["function with a tuple"] = { returning(box.tuple.new { 1 }) },
  ["function with a decimal"] = { returning(decimal.new "0.1") },
  ["what json decodes"] = json.decode '{"o":{},"a":[],"n":{"o":{}}}',
  ["what msgpack decodes"] = msgpack.decode(msgpack.encode { with "map", {}, { a = with "map" } }),
}
for name, value in pairs(values) do
  local text = json.decode(json.encode(value)) -- the order of members
  same(name, json.encode(json.decode(fleece.encode(value))), json.encode(text))
  same(name .. ", packed", json.encode(json.decode(fleece.to_json(fleece.pack(value)))), json.encode(text))
end

-- What is decoded is stored as it was written.
local text = '{"o":{},"a":[],"list":[{},[],{"in":{}}],"id":18446744073709551615,"none":null}'
local stored = box.tuple.new { 1, fleece.decode(text) }
same("a map stays one", json.encode(stored[2].o), "{}")
same("a list stays one", json.encode(stored[2].a), "[]")
same("and within others", json.encode(stored[2].list), '[{},[],{"in":{}}]')
same("a large integer", stored[2].id, 18446744073709551615ULL)
same("null", stored[2].none == nil and fleece.encode { stored[2].none }, "[null]")
same("there and back", fleece.encode(stored[2], { sort_keys = true }), fleece.format(text, { sort_keys = true }))
same("from a document", json.encode(box.tuple.new { fleece.unpack(fleece.from_json(text)).o }), "[{}]")
same("marks of ours", json.encode { fleece.object(), fleece.array() }, "[{},[]]")

-- What has no text is an error with its place.
fails("a function", "cannot encode a function at .a", fleece.encode, { a = print })
fails("a struct", "cannot encode a cdata at .a", fleece.encode, { a = ffi.new "struct { int x; }" })
fails("a pointer", "cannot encode a cdata at [1]", fleece.encode, { ffi.cast("void *", 5) })
fails("an integer as key", "cannot encode a cdata key", fleece.encode, { [18446744073709551615ULL] = 1 })
fails("an unsafe integer", "integer is beyond 2^53 - 1 at [1]", fleece.encode, { 18446744073709551615ULL }, { integers = "safe" })
fails("no number", "number is NaN at [1]", fleece.encode, { 0 / 0 })
fails("no word", "__serialize is neither a function nor a known word", fleece.encode, with "list")
fails("a list with names", "array has a key that is not an index", fleece.encode, with("seq", { a = 1 }))
local endless
endless = with(function() return endless end) -- the server's own json crashes
fails("without end", "__serialize returns tables with __serialize without end", fleece.encode, { endless })

-- Codecs with more options.
local other = fleece.new { sort_keys = true, null = "nil", on_error = function(value) return type(value) end }
same("options", other.encode { b = 1ULL, a = print, c = decimal.new "2" }, '{"a":"function","b":1,"c":"2"}')
same("its null", other.decode("[null]")[1], nil)
same("a new one has not its options", fleece.new().decode("[null]")[1] == nil and other.new().encode { box.NULL }, "[null]")
same("errors as values", select("#", fleece.safe.decode "[1"), 3)
same("null of safe", fleece.safe.encode(fleece.safe.decode "[null]"), "[null]")

-- Fields of tuples.
local bytes = fleece.pack { a = "b" }
same("field type", fleece.field_type, pcall(require, "varbinary") and "varbinary" or "string")
same("field", fleece.from_field(box.tuple.new { fleece.to_field(bytes) }[1]), bytes)

-- Files of fio, which are cdata.
local path = fio.pathjoin(fio.cwd(), "list.json")
local file, list = fio.open(path, { "O_CREAT", "O_WRONLY", "O_TRUNC" }, tonumber("600", 8)), {}
for i = 1, 100000 do list[i] = i end
same("write", fleece.write(file, list), true)
file:close()
same("was written", #fleece.decode_file(path), 100000)
fails("a closed file", "Bad file descriptor", fleece.write, file, { 1 })
fails("no file", "a file, a function or an object with a put or write method expected, got cdata", fleece.write, ffi.new "struct { int y; }", 1)
file = fio.open(path, { "O_RDONLY" })
for value in fleece.documents(function() return file:read(4096) end) do same("read", #value, 100000) end
file:close()

os.remove(path)

-- What newer servers have, by stand-ins where this server has neither.
if pcall(require, "varbinary") and pcall(require, "datetime") then
  local datetime = require "datetime"
  local times = { datetime.new { year = 2024, month = 2, nsec = 5000000 }, datetime.interval.new { year = 1, day = -2 } }
  same("varbinary", fleece.encode { fleece.to_field "\1\2" }, '["AQI="]')
  same("varbinary in a document", tostring(fleece.unpack(fleece.pack { fleece.to_field "\0\255" })[1]), "\0\255")
  same("times", fleece.encode(times), json.encode(times))
elseif not pcall(require, "varbinary") and not pcall(require, "datetime") then
  ffi.cdef "struct stand_in_bytes { char at[8]; int n; }; struct stand_in_time { int seconds; }; struct stand_in_interval { int seconds; };"
  local binary = ffi.metatype("struct stand_in_bytes", { __tostring = function(self) return ffi.string(self.at, self.n) end })
  local time = ffi.metatype("struct stand_in_time", { __tostring = function() return "1970-01-01T00:00:00Z" end })
  local interval = ffi.metatype("struct stand_in_interval", { __tostring = function() return "+1 days" end })
  package.preload.varbinary = function()
    return { is = function(value) return ffi.istype(binary, value) end, new = function(text) return binary(text, #text) end }
  end
  package.preload.datetime = function() return { new = time, interval = { new = interval } } end
  package.loaded["fleece.tarantool"] = nil
  local newer = require "fleece.tarantool"
  same("type of a field", newer.field_type, "varbinary")
  same("varbinary", newer.encode { newer.to_field "\1\2" }, '["AQI="]')
  same("bytes of varbinary", newer.from_field(newer.to_field "\1\0\2"), "\1\0\2")
  same("varbinary in a document", tostring(newer.unpack(newer.pack { newer.to_field "\0\255" })[1]), "\0\255")
  same("times", newer.encode { time(), interval() }, '["1970-01-01T00:00:00Z","+1 days"]')
end

-- Views have the same values as decode, and take them.
local text = '{"id":9007199254740993,"large":18446744073709551615,"none":null}'
for name, view in pairs { document = fleece.open(fleece.from_json(text)), text = fleece.lazy(text) } do
  same("id of a " .. name, tostring(view.id), "9007199254740993LL")
  same("large of a " .. name, tostring(view.large), "18446744073709551615ULL")
  same("null of a " .. name, type(view.none) .. tostring(view.none == box.NULL), "cdatatrue")
end
local bytes = fleece.from_json(text)
bytes = bytes .. fleece.open(bytes):amend(function(m)
  m.copy, m.none, m.decimal, m.list = m.id, box.NULL, decimal.new "1.50", { box.NULL, m.none }
end)
same("amended", fleece.to_json(bytes), '{"copy":9007199254740993,"decimal":"1.50","id":9007199254740993,'
  .. '"large":18446744073709551615,"list":[null,null],"none":null}')

print(#wrong == 0 and "fine" or table.concat(wrong, "\n"))
os.exit(#wrong == 0 and 0 or 1)
