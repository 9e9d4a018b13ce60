-- SPDX-License-Identifier: MIT
-- test_safe.lua -- functions of fleece.safe return what Lua raises at its own limits. Memory that ends: c/module/alloc_safe.c.
local lu = require "luaunit"
local fleece = require "fleece"
local safe = require "fleece.safe"
local T = require "support"

TestSafe = {}

-- Calls f on a stack that is full to the last frame, and once at each level above it.
local function with_less_stack(f)
  local locals = {}
  for i = 1, 190 do locals[i] = "l" .. i end
  local down
  local make = (loadstring or load)("local f, down = ... return function() local " .. table.concat(locals, ",") ..
                                    " f() down()() end")
  function down() return make(f, down) end
  pcall(down())
end

function TestSafe:test_a_full_stack()
  if _VERSION == "Lua 5.1" and not jit then lu.skip "this Lua: the limit of its stack is one of each function" end
  local deep = ("["):rep(100) .. ("]"):rep(100)
  local doc = fleece.from_json(deep)
  for name, call in pairs {
    encode = function() return safe.encode({ 1 }, { layout = "api" }) end, -- needs the most
    decode = function() return safe.decode(deep, { layout = "api" }) end,
    to_json = function() return safe.to_json(doc) end,
  } do
    local returned, raised
    with_less_stack(function()
      local ok, value, message = pcall(call)
      if not ok then raised = value end
      if ok and value == nil then returned = message end
    end)
    T.contains(raised or "stack overflow", "stack overflow", name) -- Lua refuses to call anything
    if returned or name == "encode" then T.same(returned, "stack overflow", name) end
  end
end

-- Errors of arguments are raised with the place of the caller, as without the guard.
function TestSafe:test_arguments_raise_with_their_place()
  for name, call in pairs {
    decode = function() return (safe.decode(nil)) end,
    encode = function() return (safe.encode(1, { none = 1 })) end,
    pick = function() return (safe.pick({})) end,
    save = function() return (safe.save "/x") end,
    get = function() return (safe.get(1)) end,
    documents = function() return (safe.documents(1, { none = 1 })) end,
    feed = function() return (safe.parser():feed {}) end,
    step = function() return (safe.parser():step "x") end,
    string = function() return (safe.encoder():string {}) end,
    boolean = function() return (safe.builder():boolean(1)) end,
    next = function() return (safe.writer({}):next(0)) end,
  } do
    local message = T.error_of(call)
    T.contains(message, "test_safe.lua:", name)
    T.contains(message, "to '" .. name .. "'", name)
  end
  -- The arguments of a method count from the one after the object.
  for name, object in pairs { feed = "parser", string = "encoder", key = "builder", next = "writer" } do
    local of = { fleece[object](object == "writer" and 1 or nil), safe[object](object == "writer" and 1 or nil) }
    T.same(T.error_of(function() of[2][name](of[2], print) end), T.error_of(function() of[1][name](of[1], print) end), name)
    T.contains(T.error_of(function() of[2][name](of[1], print) end), "to '" .. name .. "'", name)
  end
end

-- A misuse is raised with the place of the caller.
function TestSafe:test_misuse_of_objects()
  local parser, builder = safe.parser():feed "[1]", safe.builder():array():close()
  parser:finish()
  builder:finish()
  T.contains(T.error_of(function() return (parser:feed "1") end), "test_safe.lua:")
  T.contains(T.error_of(function() return (builder:null()) end), "test_safe.lua:")
end

-- What an encoder refuses is returned, and the encoder goes on.
function TestSafe:test_an_encoder_returns_its_errors()
  local e = safe.encoder():dict()
  T.fails("a value in a dict needs a key", e.null, e)
  T.fails("a value in a dict needs a key", e.value, e, safe.data "x")
  T.fails("a value in a dict needs a key", e.json, e, "1")
  T.fails("a collection is still open", e.finish, e)
  T.fails("the open collection is of the other kind", e.close_array, e)
  T.same(fleece.to_json(e:key("a"):integer(1):close():finish()), '{"a":1}')
  local value, message, byte = e:json "[1,x]"
  lu.assertNil(value)
  T.equal({ message, byte.byte }, { "expected a value at line 1, column 4, byte 4 near '[1,x]'", 4 })
  T.same(fleece.to_json(e:reset():json("[1]"):finish()), "[1]")
end

-- Results of more than 2 GB: each byte 1 of a string becomes six in JSON, and each byte that is not UTF-8 three. A run
-- takes some of the cases, 4 s each, another run others; FLEECE_TEST_ROUNDS=20 takes all.
function TestSafe:test_long_run_of_a_string_at_its_limit()
  T.only_long()
  if not jit then lu.skip "this Lua: its strings have no limit" end
  local replaced = safe.new { invalid_utf8 = "replace" }
  local function control() return ("\1"):rep(360000000) end
  local function wrong() return '"' .. ("\255"):rep(720000000) .. '"' end
  local function document() return (safe.encoder():string(control()):finish()) end
  local cases = {
    { "encode", function() return safe.encode { control() } end },
    { "encode over the API", function() return safe.encode({ control() }, { layout = "api" }) end },
    { "json", function() return safe.json({ control() }, "E4") end },
    { "writer", function() return safe.writer(control()):next() end },
    { "path", function() return safe.path(control()) end },
    { "decode", function() return replaced.decode(wrong()) end },
    { "decode over the API", function() return replaced.decode(wrong(), { layout = "api" }) end },
    { "pick", function() return replaced.pick ""(wrong()) end },
    { "parser", function()
      local parser, message = replaced.parser():feed(wrong())
      if not parser then return nil, message end
      return parser:finish()
    end },
    { "tokens", function() return replaced.tokens(wrong()):next() end },
    { "documents", function() return replaced.documents(wrong()):next() end },
    { "query", function() return replaced.query "$"(wrong()) end },
    { "format", function() return replaced.format(wrong()) end },
    { "edit", function() return safe.edit("{}", { { "set", "a", control() } }) end },
    { "merge_patch", function() return safe.merge_patch("{}", { a = control() }) end },
    { "json_patch", function() return safe.json_patch("{}", { { op = "add", path = "/a", value = control() } }) end },
    { "merge_diff", function() return replaced.merge_diff("{}", wrong()) end },
    { "to_json", function() return safe.to_json(document()) end },
    { "from_json", function() return replaced.from_json(wrong()) end },
    { "pack", function() return safe.pack { ("a"):rep(720000000), ("b"):rep(720000000), ("c"):rep(720000000) } end },
  }
  T.tell_seeds()
  for i = 1, math.min(T.rounds(1), #cases) do
    local case = cases[(T.seed + i) % #cases + 1]
    local name, call = case[1], case[2]
    collectgarbage()
    collectgarbage()
    local done, value, message = pcall(call)
    lu.assertTrue(done, name .. ": " .. tostring(value):sub(1, 200))
    lu.assertTrue(not value, name) -- never shown: it has gigabytes
    message = tostring(message):sub(1, 200)
    lu.assertTrue(message == "not enough memory" or message:find("length overflow", 1, true) ~= nil or
                    message:find("longer than 2 GB", 1, true) ~= nil, name .. ": " .. message)
  end
end
