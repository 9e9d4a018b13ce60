-- SPDX-License-Identifier: MIT
-- test_serialize.lua -- metamethods = "serialize": the field __serialize of metatables, as Tarantool's encoders read it.

local T = require "support"
local fleece, same = T.fleece, T.same

local on = { metamethods = "serialize", sort_keys = true }

local function with(what, t) return setmetatable(t or {}, { __serialize = what }) end
local function returning(value) return with(function() return value end) end

-- Checks encode, write, and the document that pack makes.
local function is(value, wanted)
  same(T.encode(value, on), wanted)
  local pieces = {}
  fleece.write(function(piece) pieces[#pieces + 1] = piece return true end, value, on)
  same(table.concat(pieces), wanted)
  same(fleece.to_json(fleece.pack(value, { metamethods = "serialize" })), wanted)
end

TestSerialize = {}

function TestSerialize:test_words()
  for _, word in ipairs { "map", "mapping" } do
    is(with(word), "{}")
    is(with(word, { 5, 6 }), '{"1":5,"2":6}')
    is({ with(word), { with(word, { a = 1 }) } }, '[{},[{"a":1}]]')
  end
  for _, word in ipairs { "seq", "sequence", "array" } do
    is(with(word), "[]")
    is({ a = with(word, { 5, 6 }) }, '{"a":[5,6]}')
    is(with(word, { 5, nil, 6 }), "[5,null,6]")
    T.raises_with("array has a key that is not an index at .a", fleece.encode, { a = with(word, { 5, x = 1 }) }, on)
  end
  T.raises_with("__serialize is neither a function nor a known word at .a", fleece.encode, { a = with "list" }, on)
  T.raises_with("__serialize is neither a function nor a known word", fleece.encode, with(true), on)
  T.raises_with("__serialize is neither a function nor a known word", fleece.pack, with "list", { metamethods = "serialize" })
end

function TestSerialize:test_functions()
  is(returning(5), "5")
  is({ a = { b = returning "x" }, c = returning(true) }, '{"a":{"b":"x"},"c":true}')
  is({ 1, returning(nil), with(function() end), 2 }, "[1,null,null,2]")
  is(returning { 1, with "map" }, "[1,{}]")
  is({ returning(with "map"), returning(returning(returning "deep")) }, '[{},"deep"]')
  is(with(function(self) return self.n + 1 end, { n = 1 }), "2")
  is(with(setmetatable({}, { __call = function(_, self) return { self.n } end }), { n = 7 }), "[7]")
  is({ x = returning(fleece.raw "1.5") }, '{"x":1.5}')
  is({ returning(T.hooked(function() return '"hook"' end, {})) }, '["hook"]')
  local list = {}
  for i = 1, 500 do list[i] = returning { i, with "map" } end
  same(#T.encode(list, on), #T.encode(list, on))
  same(fleece.decode(T.encode(list, on))[500][1], 500)
end

-- A stronger hook, an older mark, and what another metatable says do not change.
function TestSerialize:test_with_other_fields()
  same(T.encode(setmetatable({}, { __tojson = function() return "1" end, __serialize = error }), on), "1")
  same(T.encode(setmetatable({}, { __jsontype = "array", __serialize = "map" }), on), "[]")
  same(T.encode(setmetatable({}, { __jsontype = "object", __serialize = "seq" }), on), "{}")
  same(T.encode({ fleece.object(), fleece.array() }, on), "[{},[]]")
  local pairs_of = setmetatable({}, { __serialize = "map", __pairs = function() return next, { 3, 4 } end })
  same(T.encode(pairs_of, on), '{"1":3,"2":4}')
end

function TestSerialize:test_ignored_by_default()
  for _, options in ipairs { {}, { metamethods = true }, { metamethods = false } } do
    same(T.encode({ with "map", with(error, { 1 }) }, options), "[[],[1]]")
  end
end

function TestSerialize:test_errors()
  local function fails() error "no money" end
  T.raises_with("no money", fleece.encode, { with(fails) }, on)
  T.fails_with("no money at [1]", T.safe.encode, { with(fails) }, on)
  T.fails_with("cannot encode a function at .a", T.safe.encode, { a = returning(print) }, on)
  T.fails_with("cannot encode a function at .a[1]", T.safe.encode, { a = returning { print } }, on)
  local endless
  endless = with(function() return endless end)
  T.fails_with("__serialize returns tables with __serialize without end at .a", T.safe.encode, { a = endless }, on)
  local deeper
  deeper = with(function() return { deeper } end)
  T.fails_with("nesting deeper than 1000 levels", T.safe.encode, deeper, on)
  local around = {}
  around[1] = returning(around)
  T.fails_with("table contains itself", T.safe.encode, around, on)
end

function TestSerialize:test_the_handler_gets_the_result()
  local asked = {}
  local options = {
    metamethods = "serialize",
    on_error = function(value, path)
      asked[#asked + 1] = type(value) .. path
      return { "instead" }
    end,
  }
  same(T.encode({ a = returning(print) }, options), '{"a":["instead"]}')
  same(table.concat(asked, " "):find("function.a", 1, true), 1)
  same(fleece.to_json(fleece.pack({ returning(print) }, options)), '[["instead"]]')
end

