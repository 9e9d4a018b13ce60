-- SPDX-License-Identifier: MIT
-- use.lua -- runs in every host: does Fleece load there, read and write correctly, and leak no memory?
-- Returns JSON text: "wrong" lists results that differ from RFC 8259 or the manual, "checks" is the number of checks.
local fleece = require "fleece"
local safe = require "fleece.safe"
local wrong, checks = {}, 0

local function same(name, got, wanted)
  checks = checks + 1
  if got ~= wanted then wrong[#wrong + 1] = ("%s: %s instead of %s"):format(name, tostring(got), tostring(wanted)) end
end

local EURO = "\226\130\172"
same("values", fleece.encode { 1, 2.5, EURO, true, fleece.null, {} }, '[1,2.5,"' .. EURO .. '",true,null,[]]')
same("object", fleece.encode { ["a\n"] = fleece.object() }, '{"a\\n":{}}')
same("options", fleece.encode({ b = 1, a = 2 }, { sort_keys = true }), '{"a":2,"b":1}')
-- Also where the host has set the CPU to treat subnormal numbers as zeros, as VLC does.
same("doubles", fleece.encode { 0.1, 1e300, tonumber "5e-324" }, "[0.1,1e+300,5e-324]")
same("0.1", fleece.decode("[0.1]")[1], 0.1)
same("escapes", fleece.decode('{"a":[1,{"b":"\\u20ac"}]}').a[2].b, EURO)
same("null", fleece.decode("[null]")[1], fleece.null)
same("unexpected end", (select(2, safe.decode("[1,"))):match "^unexpected end at line 1, column 4" ~= nil, true)
same("too deep", (select(2, safe.decode(("["):rep(5000)))):match "^nesting too deep" ~= nil, true)
same("function", select(2, safe.encode { a = { print } }), "cannot encode a function at .a[1]")
same("a raised error", (pcall(fleece.decode, "[1,]")), false)
same("cjson", require("fleece.cjson").encode { "a/b" }, '["a\\/b"]')
same("dkjson", require("fleece.dkjson").decode("[1]")[1], 1)

local pieces, total = {}, 0
fleece.write(function(piece)
  pieces[#pieces + 1] = piece
  return true
end, { ("x"):rep(100000) })
same("write", table.concat(pieces), '["' .. ("x"):rep(100000) .. '"]')
for value in fleece.documents '{"n":1}\n{"n":2}' do total = total + value.n end
same("documents", total, 3)
same("in a coroutine", coroutine.wrap(function() return fleece.encode(fleece.decode "[{},[]]") end)(), "[{},[]]")

local text = '{"people":[{"name":"Ann"},{"name":"Bob","age":42}]}'
local doc = fleece.open(fleece.from_json(text))
same("pointer", doc:pointer "/people/1/age", 42)
same("view", doc.root.people[2].name, "Bob")
same("lazy", fleece.lazy(text).people[2].age, 42)
same("to_json", fleece.to_json(doc), '{"people":[{"name":"Ann"},{"age":42,"name":"Bob"}]}')
same("pack", fleece.unpack(fleece.pack { 1, { x = "y" } })[2].x, "y")

same("query", fleece.encode(fleece.query "$.people[?@.age > 40].name"(fleece.decode(text))), '["Bob"]')
same("query of a text", fleece.query "$..[?match(@.name, 'A.*')].name"(text)[1], "Ann")
same("json_patch", fleece.json_patch(text, '[{"op":"remove","path":"/people/0"}]'), '{"people":[{"name":"Bob","age":42}]}')
same("json_diff", fleece.encode(fleece.json_diff({ 1, 2, 3 }, { 1, 3 }), { sort_keys = true }), '[{"op":"remove","path":"/1"}]')
same("merge_patch", fleece.merge_patch('{"a":1,"b":2}', '{"a":null}'), '{"b":2}')
same("partial", fleece.encode((fleece.decode('[1,{"a":"b', { partial = true, unfinished = true }))), '[1,{"a":"b"}]')
same("peek", fleece.parser():feed('{"a":[1,'):peek().a[1], 1)
for value in fleece.events 'data: {"n":\r\ndata: 5}\r\n\r\n' do total = total + value.n end
same("events", total, 8)
local built = fleece.builder()
for kind, value, _, digits in fleece.tokens '{"a":[1.50,null,true,"x"]}' do
  if kind == "object" or kind == "array" then built[kind](built)
  elseif kind == "end" then built:close()
  elseif kind == "null" then built:null()
  else built[kind](built, value, digits) end
end
same("tokens and builder", built:finish(), '{"a":[1.50,null,true,"x"]}')
same("width", fleece.encode({ { 1, 2 }, { 3 } }, { indent = 1, width = 10 }), "[\n [1, 2],\n [3]\n]")
same("canonical", fleece.format('{"b": 1e0, "a": 1E30}', { canonical = "jcs" }), '{"a":1e+30,"b":1}')

-- Many round trips, often enough for a JIT compiler to run; memory must not grow.
local records = {}
for i = 1, 1000 do
  records[i] = { id = i, name = "n" .. i, list = { i, i / 8, i % 2 == 0 }, inner = { text = ('"\n'):rep(i % 20) } }
end
local function again()
  local back, faults = fleece.decode(fleece.encode(records)), 0
  for i = 1, #records do
    local a, b = records[i], back[i]
    if a.id ~= b.id or a.name ~= b.name or a.inner.text ~= b.inner.text or #b.list ~= 3 or a.list[2] ~= b.list[2]
      or a.list[3] ~= b.list[3] then faults = faults + 1 end
  end
  return faults
end
local function memory()
  collectgarbage()
  collectgarbage()
  return collectgarbage "count"
end
local faults = again()
local before = memory()
for _ = 1, 100 do faults = faults + again() end
same("records that came back changed", faults, 0)
local growth = memory() - before
same("KB that 100 rounds kept", growth < 500 and "few" or growth, "few")

return fleece.encode {
  lua = rawget(_G, "jit") and jit.version or _VERSION, -- rawget, because some hosts raise errors for unknown globals
  info = fleece.info(), checks = checks, wrong = fleece.array(wrong),
}
