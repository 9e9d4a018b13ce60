-- SPDX-License-Identifier: MIT
-- test_hooks.lua -- metamethods that control how a value is encoded, on_error, skip_unsupported.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestHooks = {}

function TestHooks:test_tojson_returns_text()
  local h = T.hooked(function() return '"hook"' end, { 1, 2, 3 })
  same(T.encode(h), '"hook"')
  same(T.encode { 1, h, { a = h } }, '[1,"hook",{"a":"hook"}]')
  same(T.encode({ h }, { indent = 1 }):gsub("%s", ""), '["hook"]')
  same(T.encode(T.hooked(function() return "null" end, { 1, 2, 3 })), "null")
  same(T.encode(T.hooked(function() return "12.50" end, { 1, 2, 3 })), "12.50")
  same(T.encode(T.hooked(function() return '{"a" : [1, 2]}' end, { 1, 2, 3 })), '{"a" : [1, 2]}')
end

function TestHooks:test_tojson_gets_self_and_state()
  local seen, state_type, h
  h = T.hooked(function(self, state, ...)
    seen, state_type = self, type(state)
    same(select("#", ...), 0)
    return "1"
  end, { 1, 2, 3 })
  fleece.encode { h }
  same(seen, h)
  same(state_type, "table")
end

function TestHooks:test_tojson_fills_the_buffer() -- dkjson's second form of __tojson
  local h = T.hooked(function(self, state)
    local n = state.bufferlen
    same(T.math_type(n) ~= nil, true)
    state.buffer[n + 1] = '{"n":'
    state.buffer[n + 2] = tostring(#self)
    state.buffer[n + 3] = "}"
    state.bufferlen = n + 3
    return true
  end, { 1, 2, 3 })
  same(T.encode(h), '{"n":3}')
  same(T.encode { h, h, 1 }, '[{"n":3},{"n":3},1]')
  same(T.encode { a = { h } }, '{"a":[{"n":3}]}')
end

function TestHooks:test_tojson_refuses()
  local h = T.hooked(function() return nil, "no such thing" end, { 1, 2, 3 })
  for _, codec in ipairs(T.codecs) do
    local message = T.error_of(codec.encode, { a = { h } })
    T.contains(message, "no such thing")
    T.contains(message, ".a[1]")
  end
  T.fails_with("no such thing", T.safe.encode, { h })
  T.raises_with(".x", fleece.encode, { x = T.hooked(function() end, { 1, 2, 3 }) })
  T.raises_with(".x", fleece.encode, { x = T.hooked(function() return false end, { 1, 2, 3 }) })
end

function TestHooks:test_tojson_returns_nonsense()
  for _, text in ipairs { "", "{", "nul", "1 2", "[1,]", '"\n"', "NaN", '"\255"', "\0", "1\0", "}" } do
    local h = T.hooked(function() return text end, { 1, 2, 3 })
    for _, codec in ipairs(T.codecs) do
      T.raises_with(".x", codec.encode, { x = h })
    end
  end
  for _, value in ipairs { {}, print } do
    lu.assertError(fleece.encode, { x = T.hooked(function() return value end, { 1, 2, 3 }) })
  end
end

function TestHooks:test_tojson_buffer_with_nonsense()
  for _, piece in ipairs { "{", "", "1,", {}, false } do
    local h = T.hooked(function(_, state)
      state.bufferlen = state.bufferlen + 1
      state.buffer[state.bufferlen] = piece
      return true
    end, { 1, 2, 3 })
    lu.assertError(fleece.encode, { x = h })
  end
  for _, n in ipairs { -5, 1e9, "x", false } do
    local h = T.hooked(function(_, state)
      state.bufferlen = n
      return true
    end, { 1, 2, 3 })
    lu.assertError(fleece.encode, { x = h })
  end
  lu.assertError(fleece.encode, { x = T.hooked(function(_, state)
    state.buffer = nil
    return true
  end, { 1, 2, 3 }) })
  lu.assertError(fleece.encode, { x = T.hooked(function() return true end, { 1, 2, 3 }) })
end

function TestHooks:test_tojson_raises()
  local h = T.hooked(function() error "boom" end, { 1, 2, 3 })
  T.raises_with("boom", fleece.encode, { h })
  T.raises_with("boom", T.api.encode, { h })
  T.raises_with("boom", fleece.write, function() end, { h })
  T.raises_with("nil", fleece.encode, { T.hooked(function()
    local x = nil
    return x.y
  end, { 1, 2, 3 }) })
  local object = {}
  local got = T.error_of(fleece.encode, { T.hooked(function() error(object) end, { 1, 2, 3 }) })
  if got ~= object then lu.assertIsString(got) end -- an error value is either passed on or turned into a message
  for _ = 1, 200 do
    pcall(fleece.encode, { ("x"):rep(1000), h })
    same(fleece.encode { 1 }, "[1]")
  end
end

function TestHooks:test_tojson_on_userdata()
  if not (rawget(_G, "newproxy") or debug.setmetatable) then lu.skip "this Lua: no way to a userdata with a metatable here" end
  local newproxy, proxy = rawget(_G, "newproxy"), nil
  if newproxy then
    proxy = newproxy(true)
    getmetatable(proxy).__tojson = function() return '"user"' end
    same(T.encode { proxy, a = proxy }:gsub('"user"', "U"):len(), ('{"1":U,"a":U}'):len())
    same(T.encode(proxy), '"user"')
  else
    local mt = getmetatable(io.stdout)
    mt.__tojson = function() return '"user"' end
    local ok, text = pcall(T.encode, { io.stdout })
    mt.__tojson = nil
    same(ok and text, '["user"]')
    T.rejects({ io.stdout }, "cannot encode a userdata at [1]")
  end
end

function TestHooks:test_tojson_calls_encode()
  local h = setmetatable({}, { __tojson = function() return fleece.encode { a = { "nested", ("x"):rep(100) } } end })
  local expected = '{"a":["nested","' .. ("x"):rep(100) .. '"]}'
  same(T.encode { "before", h, "after" }, '["before",' .. expected .. ',"after"]')
  local t, parts = {}, {}
  for i = 1, 300 do
    t[i] = i % 3 == 0 and h or { "text " .. i }
    parts[i] = i % 3 == 0 and expected or '["text ' .. i .. '"]'
  end
  same(T.encode(t), "[" .. table.concat(parts, ",") .. "]")
end

function TestHooks:test_tojson_nested_in_tojson()
  local function nest(n)
    return setmetatable({}, { __tojson = function() return n == 0 and "0" or fleece.encode { nest(n - 1) } end })
  end
  same(T.encode(nest(20)), ("["):rep(20) .. "0" .. ("]"):rep(20))
end

function TestHooks:test_tojson_as_field_of_a_class()
  local class = { __tojson = function(self) return '"' .. self.name .. '"' end }
  class.__index = class
  same(T.encode { setmetatable({ name = "n" }, class) }, '["n"]')
  -- metamethods are read by rawget, as in Lua
  local inherited = setmetatable({ name = "n" }, setmetatable({}, { __index = class }))
  same(T.encode { inherited }, '[{"name":"n"}]')
end

function TestHooks:test_metatables_without_hooks_change_nothing()
  local mt = { __index = function() error "asked" end, __newindex = error, __call = error, __tostring = error,
    __name = "x", __metatable = false }
  same(T.encode_by_model { setmetatable({ 1, 2 }, mt), setmetatable({ a = 1 }, mt), setmetatable({}, mt) },
    '[[1,2],{"a":1},[]]')
end

function TestHooks:test_jsontype()
  local array, object = { __jsontype = "array" }, { __jsontype = "object" }
  same(T.encode { setmetatable({}, array), setmetatable({}, object) }, "[[],{}]")
  same(T.encode(setmetatable({ 1, 2 }, array)), "[1,2]")
  same(T.encode(setmetatable({ 1, 2 }, object)), '{"1":1,"2":2}')
  same(T.encode(setmetatable({ a = 1 }, object)), '{"a":1}')
  same(T.encode(setmetatable({ 1, 2 }, { __jsontype = "unknown" })), "[1,2]")
  T.raises_with("array has a key that is not an index at .x", fleece.encode, { x = setmetatable({ 1, a = 2 }, array) })
end

function TestHooks:test_pairs()
  local function list(t, order)
    return setmetatable({ hidden = 1 }, { __pairs = function()
      local i = 0
      return function()
        i = i + 1
        if order[i] ~= nil then return order[i], t[order[i]] end
      end
    end })
  end
  same(T.encode(list({ b = 1, a = 2, c = 3 }, { "c", "a", "b" })), '{"c":3,"a":2,"b":1}')
  same(T.encode(list({ 10, 20, 30 }, { 1, 2, 3 })), "[10,20,30]")
  same(T.encode { x = list({ a = { 1 } }, { "a" }) }, '{"x":{"a":[1]}}')
  same(T.encode(list({ b = 1, a = 2 }, { "b", "a" }), { sort_keys = true }), '{"a":2,"b":1}')
  local node = T.model.decode(T.encode(list({}, {})))
  same(node.n, 0)
  lu.assertError(fleece.encode, { x = list({ [true] = 1 }, { true }) })
  T.raises_with("cannot encode a function at .x.a", fleece.encode, { x = list({ a = print }, { "a" }) })
  T.raises_with("boom", fleece.encode, { setmetatable({}, { __pairs = function() error "boom" end }) })
end

-- If __pairs gives an index twice, the table becomes an object with both members, as it does for a name.
function TestHooks:test_pairs_with_a_key_twice()
  local function list(...)
    local pairs_of = { ... }
    return setmetatable({}, { __pairs = function()
      local i = -1
      return function()
        i = i + 2
        return pairs_of[i], pairs_of[i + 1]
      end
    end })
  end
  same(T.encode({ (list("a", 1, "a", 2)) }), '[{"a":1,"a":2}]')
  for _, codec in ipairs(T.codecs) do
    same(codec.encode(list(1, "a", 1, "b")), '{"1":"a","1":"b"}')
    same(codec.encode(list(2, "a", 2, "b"), { sparse = "error" }), '{"2":"a","2":"b"}')
    same(codec.encode(list(2, "b", 1, "a", 2, "c"), { sort_keys = true }), '{"1":"a","2":"b","2":"c"}')
    same(codec.encode(list(2, "b", 1, "a")), '["a","b"]')
    same(codec.encode(list(1, "a", 9007199254740992, "b"), { sparse = "object" }), '{"1":"a","9007199254740992":"b"}')
    T.raises_ending("number is NaN at [1]", codec.encode, { list(0 / 0, 1) })
    T.raises_ending("number is infinite at [1]", codec.encode, { list(-1 / 0, 1) })
    local words = { invalid_numbers = "literal", sort_keys = true }
    same(codec.encode(list(0 / 0, 1, 1 / 0, 2, -1 / 0, 3, "J", 4, "a", 5), words),
      '{"-Infinity":3,"Infinity":2,"J":4,"NaN":1,"a":5}')
    same(codec.encode({ [1 / 0] = 1, a = 2, B = 3, [-1 / 0] = 4, [1.5] = 5 }, words),
      '{"-Infinity":4,"1.5":5,"B":3,"Infinity":1,"a":2}')
  end
end

function TestHooks:test_pairs_passes_state_and_first()
  -- The three values of the generic for: iterator, state, initial control value.
  local proxy = setmetatable({}, { __pairs = function(self) return next, { x = 1 }, nil, self end })
  same(T.encode(proxy), '{"x":1}')
end

function TestHooks:test_len_and_index()
  local function proxy(n)
    return setmetatable({}, { __len = function() return n end, __index = function(_, i) return i * 10 end })
  end
  same(T.encode(proxy(3)), "[10,20,30]")
  same(T.encode(proxy(0)), "[]")
  same(T.encode { a = proxy(1) }, '{"a":[10]}')
  same(T.encode(setmetatable({ 1, nil, 3 }, { __len = function() return 3 end })), "[1,null,3]")
  same(T.encode(setmetatable({}, { __len = function() return 2 end, __index = { "x", "y" } })), '["x","y"]')
  for _, wrong in ipairs { -1, 0.5, "x", {}, 0 / 0, 1 / 0 } do
    lu.assertError(fleece.encode, { proxy(wrong) })
  end
  lu.assertError(fleece.encode, { proxy(nil) })
  T.raises_with("boom", fleece.encode, { setmetatable({}, { __len = function() error "boom" end }) })
  local inner = setmetatable({}, { __len = function() return 1 end, __index = function() error "bang" end })
  T.raises_with("bang", fleece.encode, { inner })
end

-- __len must not leave out members: with other keys than indexes the table is an object, as without __len, and an index
-- beyond the length is an error. The hook is not asked in the first case.
function TestHooks:test_len_leaves_nothing_out()
  local class = { __len = function(self) return #self.items end }
  class.__index = class
  local box = setmetatable({ owner = "Ann", items = { 1, 2 } }, class)
  local sorted = { sort_keys = true }
  same(T.encode(box, sorted), '{"items":[1,2],"owner":"Ann"}')
  same(T.encode({ { box } }, sorted), '[[{"items":[1,2],"owner":"Ann"}]]')
  same(T.encode(setmetatable({ 7, name = "x" }, { __len = function() error "asked" end }), sorted), '{"1":7,"name":"x"}')
  same(T.encode(setmetatable({ [0] = 7 }, { __len = function() return 0 end })), '{"0":7}')
  same(T.encode(setmetatable({ x = 1 }, { __len = function() return 1 end, __jsonorder = { "x" } })), '{"x":1}')
  same(T.encode(setmetatable({ 1, 2 }, { __len = function() return 2 end })), "[1,2]")
  T.rejects({ setmetatable({ 1, 2, 3 }, { __len = function() return 2 end }) },
    "__len returned less than the highest index at [1]")
  T.rejects(setmetatable({ [true] = 1 }, { __len = function() return 0 end }), "cannot encode a boolean key at the root")
  for _, codec in ipairs(T.codecs) do
    same(fleece.to_json(codec.pack(box)), '{"items":[1,2],"owner":"Ann"}')
    same(fleece.to_json(codec.pack(box, { mode = "fast" })), '{"items":[1,2],"owner":"Ann"}')
    same(codec.encode(setmetatable({ 1, 2, 3 }, { __len = function() return 2 end }), { on_error = T.constant "X" }), '"X"')
  end
end

function TestHooks:test_precedence()
  local mt = {
    __tojson = function() return "1" end,
    __jsontype = "object",
    __len = function() return 1 end,
    __pairs = function() return next, { p = 1 } end,
  }
  same(T.encode(setmetatable({ 7 }, mt)), "1")
  mt.__tojson = nil
  same(T.encode(setmetatable({ 7 }, mt)):sub(1, 1), "{")
  mt.__jsontype = nil
  same(T.encode(setmetatable({ 7 }, mt)), '{"p":1}')
  mt.__pairs = nil
  same(T.encode(setmetatable({ 7 }, mt)), "[7]")
end

function TestHooks:test_metamethods_off()
  local off = { metamethods = false }
  local mt = { __tojson = error, __pairs = error, __len = error, __index = error }
  same(T.encode({ setmetatable({ 1, 2 }, mt), setmetatable({ a = 1 }, mt) }, off), '[[1,2],{"a":1}]')
  same(T.encode({ fleece.array {}, fleece.null, fleece.raw "1" }, off):gsub("{}", "[]"), "[[],null,1]")
end

function TestHooks:test_on_error()
  local calls = {}
  local options = { on_error = function(value, path, message)
    calls[#calls + 1] = { value, path, message }
    return "replaced"
  end }
  same(fleece.encode({ x = print }, options), '{"x":"replaced"}')
  same(#calls, 1)
  same(calls[1][1], print)
  same(calls[1][2], ".x")
  T.contains(calls[1][3], "cannot encode a function")
  same(T.encode({ 1, print, 0 / 0, "\255" }, options), '[1,"replaced","replaced","replaced"]')
  same(T.encode(print, options), '"replaced"')
  same(T.encode({ print }, { on_error = function() return { a = { 1 } } end }), '[{"a":[1]}]')
  same(T.encode({ print }, { on_error = function() return nil end }), "[null]")
  T.rejects({ print }, "cannot encode a function at [1]", { on_error = function() end })
  lu.assertError(fleece.encode, { print }, { on_error = function() return print end })
  T.raises_with("boom", fleece.encode, { print }, { on_error = function() error "boom" end })
  local t = {}
  t.self = t
  same(T.encode(t, { on_error = function() return "again" end }), '{"self":"again"}')
end

function TestHooks:test_on_error_that_encodes()
  local options = { on_error = function(_, path) return fleece.encode { path } end }
  same(T.encode({ a = { print, print } }, options), '{"a":["[\\".a[1]\\"]","[\\".a[2]\\"]"]}')
end
