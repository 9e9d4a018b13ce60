-- SPDX-License-Identifier: MIT
-- test_kinds.lua -- the third result of fleece.safe: what kind of error it is, and where.

local T = require "support"
local fleece, safe = T.fleece, T.safe

TestKinds = {}

local function failure(...)
  local result, message, third = ...
  T.same(result, nil)
  T.same(type(message), "string")
  T.same(select("#", ...), 3)
  return third
end

local cycle, deep = {}, {}
cycle.a = { cycle }
for _ = 1, 2000 do deep = { deep } end

-- kind, function, arguments
local cases = {
  { "syntax", safe.decode, "[1,x]" }, { "syntax", safe.decode, "" }, { "syntax", safe.from_json, "{" }, { "syntax", safe.format, "1 2" },
  { "syntax", safe.unpack, "xx" }, { "syntax", safe.open, "xx" }, { "syntax", safe.raw, "x" }, { "syntax", safe.query, "$[" },
  { "syntax", safe.json_patch, "{}", '[{"op":"none"}]' }, { "syntax", safe.json_patch, {}, { a = 1 } },
  { "utf8", safe.decode, '["\255"]' }, { "utf8", safe.decode, [["\ud800"]] }, { "utf8", safe.encode, { "\255" } },
  { "utf8", safe.encode, { ["\255"] = 1 } }, { "number", safe.decode, "[1e999]" }, { "number", safe.encode, { 0 / 0 } },
  { "number", safe.decode, "[123456789012345678901]", { big_numbers = "error" } }, { "number", safe.encode, { 2 ^ 60 }, { integers = "safe" } },
  { "duplicate", safe.decode, '{"a":1,"a":2}', { duplicates = "error" } }, { "duplicate", safe.edit, '{"a":1,"a":2}', { { "remove", "a" } } },
  { "depth", safe.decode, "[[1]]", { max_depth = 1 } }, { "depth", safe.encode, deep }, { "depth", safe.from_json, "[[1]]", { max_depth = 1 } },
  { "length", safe.decode, "[1,2]", { max_bytes = 3 } }, { "length", safe.to_json, fleece.pack { "long" }, { max_bytes = 3 } },
  { "limit", safe.open, fleece.pack { 1, 2, 3 }, { max_values = 2 } }, { "limit", safe.query("$..*", { max_steps = 3 }), { { 1, 2 }, 3, 4, 5 } },
  { "type", safe.encode, { print } }, { "type", safe.encode, { [{}] = 1 } }, { "type", safe.pack, { print } },
  { "type", safe.edit, "[1]", { { "set", "[0]", print } } }, { "type", safe.json_patch, "{}", { { op = "add", path = "/a", value = print } } },
  { "cycle", safe.encode, cycle }, { "change", safe.edit, "{}", { { "remove", "a" } } }, { "change", safe.json_patch, "{}", '[{"op":"remove","path":"/a"}]' },
  { "change", safe.patch, fleece.pack { a = 1 }, '{"b":[]}' }, { "keys", safe.unpack, "\112\1\0\5\0\1\128\3" },
  { "schema", safe.schema, { type = "strin" } }, { "io", safe.decode_file, "/no/such" }, { "io", safe.open_file, "/no/such" },
  { "io", safe.write_file, "/no/such/file", 1 }, { "io", safe.write, function() return nil, "full" end, { 1 } },
  { "hook", safe.encode, setmetatable({}, { __tojson = function() error "no" end }) },
}

function TestKinds:test_kinds()
  for i, case in ipairs(cases) do
    T.same(failure(case[2](T.unpack(case, 3))).kind, case[1], "case " .. i)
  end
end

function TestKinds:test_fields()
  T.equal(failure(safe.decode "[1,\n é x]"), { kind = "syntax", byte = 6, line = 2, column = 2 })
  T.equal(failure(safe.decode("[[1]]", { max_depth = 1 })), { kind = "depth", byte = 2, line = 1, column = 2, option = "max_depth" })
  T.equal(failure(safe.decode "[NaN]"), { kind = "syntax", byte = 2, line = 1, column = 2, option = "invalid_numbers" })
  T.equal(failure(safe.encode { a = { 1, print } }), { kind = "type", path = ".a[2]" })
  T.equal(failure(safe.open "xx"), { kind = "syntax", byte = 1 })
  T.equal(failure(safe.query "$["), { kind = "syntax", byte = 2 })
end

-- Methods, too.
function TestKinds:test_methods()
  T.equal(failure(safe.writer({ 1, print }):next()), { kind = "type", path = "[2]" })
  T.same(failure(safe.parser():feed("[1,x"):step()).kind, "syntax")
  T.same(failure(safe.encoder():key "x").kind, "argument")
  T.same(failure(safe.builder():value(print)).kind, "type")
  T.same(failure(safe.documents("[x"):next()).kind, "syntax")
  T.same(failure(safe.documents(function() return nil, "gone" end):next()).kind, "io")
  local ok, _, why = safe.pick "a" "{"
  T.same(ok, false)
  T.equal(why, { kind = "syntax", byte = 2, line = 1, column = 2 })
  local is_valid, _, wrong = fleece.schema { type = "object" } "[1]"
  T.same(is_valid, false)
  T.same(wrong.kind, "invalid")
  T.same(select(3, fleece.schema { type = "object" } "[1").kind, "syntax")
  T.same(select(3, fleece.check "xx").kind, "syntax")
end

-- A limit of the host, which leaves no memory for a table.
function TestKinds:test_limits_of_the_host()
  local function hook() return hook() .. "" end
  local _, message, why = safe.format_stream(function() return hook() end, nil)
  T.contains(message, "stack overflow")
  T.same(why.kind, "limit")
end

-- Modules in place of other libraries have their results.
function TestKinds:test_stand_ins()
  local cjson = require "fleece.cjson.safe"
  T.same(select("#", cjson.decode "[1"), 2)
  T.same(select("#", cjson.decode {}), 2)
  T.same(select("#", cjson.encode { print }), 2)
end
