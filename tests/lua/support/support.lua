-- SPDX-License-Identifier: MIT
-- support.lua -- helpers for all test files: encoding with both walks, errors, random numbers, memory, time.
--
-- Environment variables:
--   FLEECE_TEST_ROUNDS=x  random tests run x times their usual rounds (20, or 0.05 under slow checkers); default 1
--   FLEECE_TEST_SEED=n    the second half of each random test starts from n instead of the time; repeats a run
--   FLEECE_TEST_LONG=1    also runs tests that need much time or memory (T.only_long). Their names contain `long_run`;
--                         names of random tests contain `random`.
--   FLEECE_RUNTIME        the name of this Lua, for the command that repeats a failure
--   FLEECE_LAYOUT=api     read by the module, which then uses only the public C API

local lu = require "luaunit"
local fleece = require "fleece"
local model = require "model_tables"

local T = { lu = lu, fleece = fleece, model = model }

T.jit = rawget(_G, "jit") ~= nil
-- LuaJIT up to 2.1.0-beta3 (Debian 12's) swaps the lower halves of two pointers in a compiled loop of pairs
-- (lj_asm.h, ra_destpair; fixed later): about one run of all tests in a hundred crashed. So the tests run interpreted,
-- except those of test_luajit.lua.
T.compiled = T.jit and not rawget(_G, "jit").version:find "beta"
if T.jit and not T.compiled then rawget(_G, "jit").off() end
T.version = T.jit and "LuaJIT" or _VERSION -- "Lua 5.1" ... or "LuaJIT"
T.tests = arg and arg[0]:match "^(.*)[/\\][^/\\]*$" or "." -- the folder of run.lua
-- Why a package of Debian is missing: a Lua that was built here finds none (run.py).
T.no_package = os.getenv "FLEECE_TEST_OWN_LUA" and "this Lua" or "not installed"
T.integers = math.type ~= nil -- this Lua has an integer subtype
for word, f in pairs(require "expect") do T[word] = f end

T.safe = require "fleece.safe"
T.api, T.safe_api = fleece.new { layout = "api" }, T.safe.new { layout = "api" }
-- The raw walk without the instructions that not all CPUs have, and without those that few have.
T.other_cpus = { ["any-cpu"] = fleece.new { layout = "any-cpu" }, avx2 = fleece.new { layout = "avx2" } }
T.codecs, T.safe_codecs = { fleece, T.api }, { T.safe, T.safe_api } -- below the API, and by it
if os.getenv "FLEECE_LAYOUT" == "api" then -- all of them are one
  T.other_cpus, T.codecs, T.safe_codecs = {}, { fleece }, { T.safe }
end

-- A function sink, and a function that returns the text it received.
function T.collector()
  local pieces = {}
  return function(piece)
    lu.assertIsString(piece)
    pieces[#pieces + 1] = piece
  end, function() return table.concat(pieces) end
end

-- A function source that gives the text in pieces of `size` bytes, or of size() bytes each; then nil.
function T.pieces(text, size)
  local at = 1
  return function()
    local from = at
    at = at + (type(size) == "number" and size or size())
    if from <= #text then return text:sub(from, at - 1) end
  end
end

-- A function that always gives this, and one that gives a random number.
function T.constant(value) return function() return value end end
function T.between(low, high) return function() return T.random(low, high) end end

-- The function that a reader of fleece.safe is when its errors are to be returned.
function T.nexts(reader) return function() return reader:next() end end

-- The options of both tables; the second one wins.
function T.merged(options, more)
  local all = {}
  for name, value in pairs(options or {}) do all[name] = value end
  for name, value in pairs(more) do all[name] = value end
  return all
end

-- A table with a __tojson metamethod.
function T.hooked(tojson, content) return setmetatable(content or {}, { __tojson = tojson }) end

-- The value inside n nested arrays.
function T.nested(n, value)
  for _ = 1, n do value = { value } end
  return value
end

-- fleece.encode by both walks and by fleece.write; all must agree.
function T.encode(value, options)
  local text = fleece.encode(value, options)
  if T.codecs[2] then T.same(T.api.encode(value, options), text, "API walk") end
  for name, codec in pairs(T.other_cpus) do T.same(codec.encode(value, options), text, "walk for " .. name) end
  local sink, result = T.collector()
  T.same(fleece.write(sink, value, options), true, "write")
  T.same(result(), text, "write")
  return text
end

-- The text of encode; it must also be valid JSON of the same value, as the oracle reads it.
function T.encode_by_model(value, options)
  local text = T.encode(value, options)
  local difference = model.differs(value, model.decode(text))
  if difference then lu.fail(difference .. "\n" .. text:sub(1, 200)) end
  return text
end

-- fleece.json by both walks, and fleece.size; all must agree.
function T.json(value, flags)
  local text = fleece.json(value, flags)
  if T.codecs[2] then T.same(T.api.json(value, flags), text, "API walk") end
  for name, codec in pairs(T.other_cpus) do T.same(codec.json(value, flags), text, "walk for " .. name) end
  T.same(fleece.size(value, flags), #text, "size")
  if T.codecs[2] then T.same(T.api.size(value, flags), #text, "API walk: size") end
  return text
end

-- A string is escaped like the model's: by itself and inside a table.
function T.escapes_by_model(s, options)
  local text = '"' .. model.escape(s, options) .. '"'
  T.same(T.encode(s, options), text)
  T.same(T.encode({ [s] = s }, options), "{" .. text .. ":" .. text .. "}")
end

-- The text that f(file) writes to a file.
function T.file_text(f)
  local file = T.open_with ""
  f(file)
  file:seek "set"
  local text = file:read "*a"
  file:close()
  return text
end

-- All pieces of a writer, concatenated, or nil and the message. Pieces have `size` bytes, or size(); between(number) is
-- called after each.
function T.writer_text(codec, value, options, size, between)
  local writer, parts = codec.writer(value, options), {}
  while true do
    local piece, message = writer:next(type(size) == "function" and size() or size)
    if message then return nil, message end
    if not piece then
      T.same(writer:next(), nil, "after the end")
      return table.concat(parts)
    end
    if piece == "" then lu.fail "an empty piece" end
    parts[#parts + 1] = piece
    if between then between(#parts) end
  end
end

-- A value that cannot be encoded: the error ends with `message`. fleece raises it, fleece.safe returns it, and both
-- walks and write give the same one.
function T.rejects(value, message, options)
  T.raises_ending(message, fleece.encode, value, options)
  T.raises_ending(message, T.api.encode, value, options)
  T.raises_ending(message, fleece.write, function() end, value, options)
  for _, codec in ipairs(T.safe_codecs) do
    local result, got = codec.encode(value, options)
    T.same(result, nil, "safe")
    T.ends(got, message)
  end
end

-- The same for fleece.json and fleece.size.
function T.rejects_json(value, message, flags)
  for _, name in ipairs { "json", "size" } do
    T.raises_ending(message, fleece[name], value, flags)
    T.raises_ending(message, T.api[name], value, flags)
    local result, got = T.safe[name](value, flags)
    T.same(result, nil, "safe." .. name)
    T.ends(got, message)
  end
end

-- A wrong argument raises an error, under fleece.safe too. `name` is the name of the function.
function T.bad_argument(number, detail, name, ...)
  for _, codec in ipairs { fleece, T.safe } do
    local message = T.error_of(codec[name], ...)
    T.contains(message, "bad argument #" .. number .. " to '")
    T.contains(message, detail)
  end
end

-- Run also the tests that need much time or memory?
T.long = not ({ [""] = true, ["0"] = true })[os.getenv "FLEECE_TEST_LONG" or ""]
function T.only_long() if not T.long then lu.skip "long: FLEECE_TEST_LONG is not set" end end

-- Random numbers that are the same in every Lua (Park and Miller, "Random number generators: good ones are hard to
-- find", 1988, with multiplier 48271). Outside T.random_rounds they are the same in every run.
T.fixed_seed = 20111
T.seed = math.floor(tonumber(os.getenv "FLEECE_TEST_SEED") or os.time())
local state = T.fixed_seed
function T.random_state() return state end
function T.set_random_state(new) state = new end
function T.random(low, high)
  state = state * 48271 % 2147483647
  return low + state % (high - low + 1)
end

-- The keys of a table in an order that does not depend on the state's hash seed.
function T.ordered_keys(t)
  local keys, texts = {}, {}
  for key in pairs(t) do
    keys[#keys + 1] = key
    texts[key] = type(key) .. tostring(key)
  end
  table.sort(keys, function(a, b) return texts[a] < texts[b] end)
  return keys
end

function T.pick(list) return list[T.random(1, #list)] end

local power = {} -- 2^e, exact even where the runtime's pow is not
T.power = power
do
  local v = 1.0
  for e = 0, 1023 do power[e], v = v, v * 2 end
  v = 1.0
  for e = 0, -1074, -1 do power[e], v = v, v / 2 end
end

-- A double from its fields: biased exponent 0..2046, two halves of the mantissa (26 bits each).
function T.double(negative, exponent, high, low)
  local m = high * 67108864.0 + low
  local v = exponent == 0 and m * power[-1074] or (4503599627370496.0 + m) * power[exponent - 1075]
  return negative and -v or v
end

function T.random_double()
  return T.double(T.random(0, 1) == 1, T.random(0, 2046), T.random(0, 67108863), T.random(0, 67108863))
end

-- A random number of any kind that JSON has.
function T.random_number()
  local kind = T.random(1, 7)
  if kind == 1 then return T.random(-20, 20) end
  if kind == 2 then return T.random(0, 2147483646) * (T.random(0, 1) * 2 - 1) end
  if kind == 3 then return T.random_double() end
  if kind == 4 then return T.random(0, 99999) / 100 end
  if kind == 5 then return T.power[T.random(0, 70)] + T.random(-1, 1) end
  if kind == 6 then return T.random(0, 2147483646) * 4194304 + T.random(0, 4194303) end
  return -T.random(0, 1000) / 8
end

-- The number of rounds in this run: n times FLEECE_TEST_ROUNDS, at least one.
local share = tonumber(os.getenv "FLEECE_TEST_ROUNDS") or 1
function T.rounds(n) return math.max(1, math.floor(n * share)) end

-- The command that runs test file `name` again with the same random numbers.
function T.repeat_command(name)
  local runtime = os.getenv "FLEECE_RUNTIME" or T.jit and "luajit" or _VERSION:lower():gsub(" ", "")
  local rounds = os.getenv "FLEECE_TEST_ROUNDS"
  return ("make test ONLY=%s RUNTIME=%s%s FLEECE_TEST_SEED=%d%s"):format(name, runtime,
    os.getenv "FLEECE_LAYOUT" == "api" and " LAYOUT=api" or "", T.seed,
      rounds and " FLEECE_TEST_ROUNDS=" .. rounds or "")
end

-- Prints both seeds, once per process.
local seeds_told
function T.tell_seeds()
  if seeds_told then return end
  io.stdout:write(("\nseeds: %d and %d\n"):format(T.fixed_seed, T.seed))
  io.stdout:flush() -- a crash must not lose them
  seeds_told = true
end

-- Calls body(1) ... body(T.rounds(n)), or up to `least` if that is more. The first half of the rounds starts from the
-- fixed seed, the second half from the seed of this run. A round's numbers depend only on its seed, n and its place in
-- its half, not on what ran before. The message of a failure ends with the command that repeats it.
function T.random_rounds(n, body, least)
  T.tell_seeds()
  local before, rounds, start = state, math.max(T.rounds(n), least or 1), nil
  local half = math.ceil(rounds / 2)
  for i = 1, rounds do
    if i == 1 or i == half + 1 then start = ((i == 1 and T.fixed_seed or T.seed) + n * 1000003) % 2147483646 + 1 end
    start = start * 16807 % 2147483647 -- not T.random's multiplier, so that rounds do not overlap
    state = start
    local ok, message = pcall(body, i)
    if not ok then
      state = before
      local told = ("\nround %d of %d; repeat: "):format(i, rounds) ..
        T.repeat_command(debug.getinfo(body, "S").source:match "([%w_]+)%.lua$")
      if type(message) == "table" and message.msg then
        message.msg = message.msg .. told -- LuaUnit before 3.4
      else message = tostring(message) .. told end
      error(message, 0)
    end
  end
  state = before
end

-- The memory in use, in KB, after full collections (objects with finalizers need a second one).
function T.memory()
  collectgarbage()
  collectgarbage()
  return collectgarbage "count"
end

-- The short texts of JSONTestSuite, if it is there.
function T.suite_texts()
  local texts, folder = {}, (os.getenv "FLEECE_DATA" or "../shared/data") .. "/jsontestsuite/"
  local list = io.popen("ls " .. folder .. " 2>/dev/null")
  for name in list:lines() do
    local text = T.read_file(folder .. name)
    if text ~= "" and #text < 400 then texts[#texts + 1] = text end
  end
  list:close()
  return texts
end

-- The text with one to three places overwritten by one of `pieces`.
function T.damaged(s, pieces)
  for _ = 1, T.random(1, 3) do
    local at = T.random(1, #s + 1)
    s = s:sub(1, at - 1) .. pieces[T.random(1, #pieces)] .. s:sub(at + T.random(0, 1))
  end
  return s
end

-- Calls f with each piece of the lists, by itself and in every place where a text can have one.
function T.each_place(lists, f)
  local forms = { "%s", " %s ", "[%s]", "[%s,1]", "[1,%s]", '{"a":%s}', "{%s:1}", '{"a"%s1}', "[1%s2]", "%s1", "%s %s",
    "[[\n[%s", "[%s %s]" }
  for _, pieces in ipairs(lists) do
    for _, piece in ipairs(pieces) do
      local plain = piece:gsub("%%", "%%%%")
      for _, form in ipairs(forms) do f((form:gsub("%%s", plain))) end
    end
  end
end

-- f leaks less than `limit` KB: after a first run, at least one of four runs must leave less than that in use. Memory
-- such as string tables and compiled traces differs from run to run; a leak does not.
function T.leaves_less(limit, f)
  local least, tries = math.huge, 0
  f()
  repeat
    local before = T.memory()
    f()
    least, tries = math.min(least, T.memory() - before), tries + 1
  until least < limit or tries == 4
  lu.assertTrue(least < limit, ("%.0f KB stay, at most %d KB may"):format(least, limit))
end

-- Runs f when the returned object is collected; uses newproxy if tables have no __gc.
local newproxy = rawget(_G, "newproxy")
function T.finalizer(f)
  if newproxy then
    local proxy = newproxy(true)
    getmetatable(proxy).__gc = f
    return proxy
  end
  return setmetatable({}, { __gc = f })
end

-- Sets "pause" or "stepmul" of the collector; returns the old value.
function T.set_collector(name, value)
  if T.version == "Lua 5.5" then return collectgarbage("param", name, value) end
  return collectgarbage("set" .. name, value)
end

-- Runs a program of this folder in its own process; returns its output.
function T.alone(program, argument)
  local pipe = io.popen(("LUA_CPATH='%s' LUA_PATH='%s' %s '%s/%s' %s 2>&1"):format(package.cpath, package.path,
    arg[-1] or "lua", T.tests .. "/support", program, argument))
  local said = pipe:read "*a"
  pipe:close()
  return said
end

-- seconds(many) may be at most `most` times seconds(few), which counts as one millisecond at least. seconds(n) measures
-- n of something. The shortest time of up to ten tries counts, because other work on the machine and collections of
-- garbage from other tests make single ones longer. Each try measures `few` three times, since that is cheap.
function T.linear(seconds, few, many, most)
  local short, long, tries = math.huge, math.huge, 0
  repeat
    for _ = 1, 3 do short = math.min(short, seconds(few)) end
    long, tries = math.min(long, seconds(many)), tries + 1
  until long < most * math.max(short, 1e-3) or tries == 10
  lu.assertTrue(long < most * math.max(short, 1e-3), ("%g s, then %g s"):format(short, long))
end

-- Returns f(...), which must take at most `seconds` in one of ten tries: other work on the machine makes single ones
-- longer. The limit is at least ten times what f needs; a missing bound would take hundreds of times as long.
function T.soon(seconds, f, ...)
  local took, tries, results = nil, 0, nil
  repeat
    local start = os.clock()
    results, tries = T.pack(f(...)), tries + 1
    took = os.clock() - start
  until took < seconds or tries == 10
    lu.assertTrue(took < seconds, ("%g s"):format(took))
  return T.unpack(results, 1, results.n)
end

-- Calls body(1) ... body(rounds) with a collector that never pauses and works in small steps; then, with the usual
-- settings, afterwards(...) with the results of the body, if given. In Lua 5.4 such a collector makes a full collection
-- at every allocation, so each round meets it in every place that allocates and `least` rounds are enough.
function T.with_busy_collector(rounds, least, body, afterwards)
  local set = T.set_collector
  for round = 1, T.version == "Lua 5.4" and least or rounds do
    local pause, step = set("pause", 50), set("stepmul", 400)
    local results = T.pack(pcall(body, round))
    set("pause", pause)
    set("stepmul", step)
    if not results[1] then error(results[2], 0) end
    if afterwards then afterwards(T.unpack(results, 2, results.n)) end
  end
end

return T
