-- SPDX-License-Identifier: MIT
-- test_dkjson_differential.lua -- fleece.dkjson compared with dkjson: random values, states, texts, damaged texts.
--
-- dkjson is found by `require "dkjson"` (Debian's 2.6), or is the file that FLEECE_DKJSON names. Only the differences
-- that docs/dkjson.md lists are allowed here.

local T = require "support"
local D = require "differential"
local lu, random, pick, jit = T.lu, T.random, D.pick, rawget(_G, "jit")
local ours = require "fleece.dkjson"

-- Loads dkjson without compiling it: Debian 12's LuaJIT loses items of pairs in a compiled isarray.
local function load_interpreted(file)
  local chunk, why = loadfile(file)
  if chunk and jit then jit.off(chunk, true) end
  return chunk, why
end

-- It is plain Lua, so one copy is for all versions.
local real = D.find_file("FLEECE_DKJSON", package.path .. ";/usr/share/lua/5.4/?.lua;/usr/share/lua/5.1/?.lua",
  "dkjson",
  function(module) return module ~= ours and tostring(module.version):find "^dkjson 2" end, load_interpreted)

TestDkjsonDifferential = { setUp = D.needs(real, "dkjson", "Debian: lua-dkjson", true) }

-- A result as a string: types, subtypes, __jsontype of metatables, and which tables share a metatable.
local function describe(v, null, seen)
  if v == null and null ~= nil then return "NULL" end
  if type(v) ~= "table" then return v ~= v and "nan" or D.leaf(v) end
  local mt = getmetatable(v)
  if mt and not seen[mt] then
    seen.n = (seen.n or 0) + 1
    seen[mt] = seen.n
  end
  local parts = { "meta " .. tostring(mt and seen[mt]) .. tostring(mt and mt.__jsontype) }
  local keys = {}
  for k, item in pairs(v) do keys[#keys + 1] = { describe(k, null, {}) .. "=" .. describe(item, null, {}), k } end
  table.sort(keys, function(a, b) return a[1] < b[1] end)
  for _, k in ipairs(keys) do parts[#parts + 1] = describe(k[2], null, seen) .. "=" .. describe(v[k[2]], null, seen) end
  return "{" .. table.concat(parts, ",") .. "}"
end

local compare = D.comparer {
  describe = function(v, seen) return describe(v, "NULL", seen) end,
  known = function(got, wanted)
    -- dkjson 2.6 (not 2.8) continues after an error in a member of keyorder and then fails for another reason.
    local goes_on = wanted:find "dkjson.lua:%d+: attempt to perform arithmetic on .*nil value" or
      wanted:find("is not supported as a key by JSON", 1, true)
    if goes_on and real.version == "dkjson 2.6" and got:find('false | "', 1, true) then return true end
    -- Fleece looks up the names of keyorder before it writes members, so another of two errors may come first.
    return wanted:find('false | "', 1, true) and
      got:find('false | "[^"]*attempt to perform arithmetic on [^"]*string value')
  end,
}

-- ---- values ------------------------------------------------------------------------------------------------

local ODD = { "\127", "\194\128", "\194\159", "\194\160", "\194\173", "\216\132", "\216\133", "\220\143",
  "\225\158\180", "\225\158\182", "\226\128\139", "\226\128\140", "\226\128\168", "\226\128\175", "\226\128\176",
  "\226\129\160", "\226\129\176", "\239\187\191", "\239\191\176", "\239\191\191", "\239\191\175", "\226", "\194",
  "\239\191", "\226\128", "\0", "\31", "\"", "\\", "/", "\255",
  "plain text of more than one vector unit's length, to be sure", "\228\184\150\231\149\140" }

local function bytes() return D.bytes(6, function() return pick(ODD) end) end

local function number()
  local kind = random(1, 7)
  if kind == 1 then return T.random_double() end
  if kind == 2 then return random(-1000000, 1000000) / 100 end
  if kind == 3 then
    return pick { 0, -0.0, 1 / 0, -1 / 0, 0 / 0, 0.1, 1e15, 1e14, 123456789012.0, 99999999999999.5, 2.0 ^ 53, 2.0 ^ 63,
      1e100, 5e-324, 123456789012345678 }
  end
  if kind == 4 then return random(-9, 9) + 0.0 end
  return random(-9, 9) * 10 ^ random(0, 15)
end

local function rounded(n) return D.rounded(n, ours.encode) end

local value
local KEYS = { bytes, function() return "k" .. random(1, 9) end, function() return random(-3, 20) end,
  function() return "n" end,
               function() return random(1, 50) / 10 end, function() return rounded(2.0 ^ random(50, 80)) end,
               function() return pick { true, 1 / 0 } end }

local function list(depth)
  local t, holes = {}, random(1, 3) == 1
  for i = 1, random(0, 6) do t[holes and random(1, 14) or i] = value(depth + 1) end
  if random(1, 8) == 1 then t.n = pick { 0, 3, 12, 20, 2.0, "x", -1 } end
  if random(1, 30) == 1 then t[random(30, 2000)] = true end
  return t
end

local function object(depth)
  local t = {}
  for _ = 1, random(0, 6) do t[KEYS[random(1, 30) > 1 and random(1, 2) or random(3, #KEYS)]()] = value(depth + 1) end
  if t.n then t.n = pick { 0, 3, 20, "x", -1 } end -- up to that many nulls may follow
  return t
end

local META = {
  function() return { __jsontype = pick { "object", "array", "other" } } end,
  function() return { __jsonorder = { "k3", "k1", 2, "n" } } end,
  function()
    return { __index = function(_, k)
      return type(k) == "number" and k < 9 and k * 2 or k == "k3" and "inherited" or nil
    end }
  end,
  function() return { __index = { __tojson = "not a field of the metatable" } } end,
  function() return setmetatable({}, { __index = { __tojson = function() return "<inherited>" end } }) end,
  function()
    return { __pairs = function(t) return function(_, k) if not k then return "only", 1 end end, t end,
      __metatable = "hidden" }
  end,
  function() return { __pairs = function(t) return next, { 5, 6, 7 } end, __index = function(_, k) return -k end } end,
  function() return { __tojson = function() return pick { "1" } end } end,
  function() return { __tojson = function(_, state)
    state.buffer[state.bufferlen + 1] = "[" .. state.bufferlen % 1 .. "]"
    state.bufferlen = state.bufferlen + 1
    return true
  end } end,
  function() return { __tojson = function() return true end } end,
  function()
    return { __tojson = function(_, state)
      return ours.encode({ 1, { x = 2 } }, { indent = state.indent, level = 3 })
    end }
  end,
  function() return { __tojson = function() return nil, pick { "message" } end } end,
  function() return { __tojson = function() return false end } end,
  function() return { __tojson = function() error("raised", 0) end } end,
}

function value(depth)
  local kind = random(1, 22)
  if kind <= 4 then return bytes() end
  if kind <= 9 then return rounded(number()) end
  if kind == 10 then return random(1, 2) == 1 end
  if kind == 11 and random(1, 4) == 1 then return D.unsupported() end
  if kind == 12 then return setmetatable({}, { __tojson = function() return "null" end }) end
  if depth > 6 or kind <= 14 then return "leaf" end
  local t = kind <= 18 and list(depth) or object(depth)
  if random(1, 12) == 1 then setmetatable(t, pick(META)()) end
  if kind == 22 and random(1, 20) == 1 then t[1] = t end
  return t
end

local HANDLERS = {
  function(reason, _, _, message) return '"' .. reason .. ": " .. message .. '"' end,
  function(reason) if reason == "reference cycle" then return "CYCLE" end end,
  function() return nil, "from the handler" end,
  function(_, _, state)
    state.buffer[state.bufferlen + 1] = "!"
    state.bufferlen = state.bufferlen + 1
    return true
  end,
  function() error("handler raised", 0) end,
  ours.encodeexception,
}

-- Two equal states.
local function states()
  local indent, level = random(1, 2) == 1, random(1, 4) == 1 and random(0, 3) or nil
  local order = random(1, 4) == 1 and { "k5", "k2", "none", 3, "k1" } or nil
  local exception = random(1, 3) == 1 and HANDLERS[random(1, #HANDLERS)] or nil
  local tables, buffer = random(1, 6) == 1, random(1, 6) == 1
  local function state()
    return { indent = indent, level = level, keyorder = order, exception = exception, tables = tables and {} or nil,
             buffer = buffer and { "begun " } or nil, bufferlen = buffer and 1 or nil }
  end
  return state(), state()
end

function TestDkjsonDifferential:test_random_encode()
  T.random_rounds(20, function()
    for _ = 1, 10 do
      local v = value(1)
      compare("encode", ours.encode, real.encode, v)
      local a, b = states()
      local function run(encode, state)
        return function()
          local ok, result = pcall(encode, v, state)
          local text = state.buffer and table.concat(state.buffer)
          -- dkjson leaves values for which the handler was called in state.tables, and the number of strings in the
          -- buffer may differ.
          return ok, result, ok and text, state.buffer ~= nil and ok,
            state.exception or next(state.tables or {}) == nil or not ok
        end
      end
      compare("encode with a state", run(ours.encode, a), run(real.encode, b))
    end
  end)
end

function TestDkjsonDifferential:test_random_quotestring()
  T.random_rounds(1000, function() compare("quotestring", ours.quotestring, real.quotestring, bytes()) end)
end

function TestDkjsonDifferential:test_quotestring()
  for code = 0, 0xffff do -- each character, each pair of bytes
    local s = code < 0x80 and string.char(code) or code < 0x800 and
      string.char(0xc0 + math.floor(code / 64), 0x80 + code % 64) or
      string.char(0xe0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
    if ours.quotestring(s) ~= real.quotestring(s) then lu.fail(("U+%04X"):format(code)) end
    s = string.char(math.floor(code / 256), code % 256)
    if ours.quotestring(s) ~= real.quotestring(s) then lu.fail(("bytes %04X"):format(code)) end
  end
  for _, number in ipairs { 5, 5.0, -0.5, 1e15, 1 / 0 } do
    compare("quotestring", ours.quotestring, real.quotestring, number)
  end
end

function TestDkjsonDifferential:test_addnewline()
  for _, indent in ipairs { true, false } do
    for _, level in ipairs { 0, 1, 5 } do
      for _, length in ipairs { 0, 1, 2 } do
        local function run(f)
          return function()
            local state = { indent = indent, level = level, buffer = { "a", "b" },
              bufferlen = length > 0 and length or nil }
            f(state)
            return state.buffer, state.bufferlen
          end
        end
        compare("addnewline", run(ours.addnewline), run(real.addnewline))
      end
    end
  end
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0E-2", "123456789", "9007199254740993", "1e300", "1E-320",
  "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400", "1.", ".5", "-.5", "007", "-00.50",
  "1.e3", "1e", "1e+", "-", "--1", "1-2", "1.5.2", ".", "0x10", "1x", "+1", "1e5e5", "99999999999999999999999", "1e5.5",
  "-e5" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', '"\\ud83d\\ude00"', '"\240\159\152\128"', '"tab\there"', '"\255\254"',
  '"\\ud800"', '"\\udc00\\ud800"', '"\\ud800\\u0041"', '"\\x"', '"\\u12"', '"\\u12g4"', '"\\u12"34"', '"\\"',
  '"\\ud83d\\ude0"', '"\\u0000"', '"\0"', '"long enough for two blocks of a vector unit, \\"quoted\\""', '"\\q\\9"' }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n", "\v\f", "/* c */", "// c\n", "/**/ //\r", "\239\187\191", "/*",
  "//", "/ ", "/*/" }

local text
text = D.texts {
  number = function() return D.mostly(NUMBERS, 13, 8) end,
  string = function() return D.mostly(STRINGS, 7, 8) end,
  name = function(depth) return random(1, 40) == 1 and text(depth + 1) or '"k' .. random(1, 5) .. '"' end,
  space = function() return D.mostly(SPACES, 7, 20) end,
  comma = function() return random(1, 30) == 1 and pick { " ", ",,", "" } or "," end,
  flips = 40,
}

local BYTES = { "", "", "\0", '"', "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", "+", ".", "e", "x", "t", "n", "/",
  "*", " ", "\n", "\127", "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", "0x", ",}", "null:" }

-- Texts that dkjson reads with tonumber: it accepts white space and signs in the four digits of \u; in 5.1 it stops at
-- a zero byte; in LuaJIT it refuses exponents of five digits.
local is_known = D.known("\\u%x?%x?%x?[%s%+%-%z]", "\\u0[xX]", D.LONG_EXPONENT)

local compare_plain = D.decode_comparer(compare, ours, real or {}, is_known)

-- Sometimes with other arguments too.
local function compare_decode(s)
  if not compare_plain(s) then return end
  local kind = random(1, 6)
  if kind == 1 then compare_plain(s, 1, "NULL") end
  if kind == 2 then compare_plain(s, nil, nil, nil) end -- without metatables
  if kind == 3 then compare_plain(s, nil, false, nil, { __jsontype = "mine" }) end
  if kind == 4 then compare_plain(s, random(-#s - 2, #s + 3)) end
end

function TestDkjsonDifferential:test_random_decode()
  T.random_rounds(200, function() D.each_text(1, text, BYTES, compare_decode) end)
end

function TestDkjsonDifferential:test_decode_odd_pieces()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES }, compare_decode)
end

-- A metatable with __newindex sees the assignments.
function TestDkjsonDifferential:test_newindex()
  local function run(decode)
    return function(s)
      local log = {}
      local mt = { __newindex = function(t, k, v)
        rawset(t, k, v)
        log[t] = (log[t] or "") .. tostring(k) .. "=" .. type(v) .. " "
      end }
      local v = decode(s, 1, nil, mt, mt)
      return v, log[v], v.b and log[v.b]
    end
  end
  for _, s in ipairs { "[]", "[1,2]", '{"a":1,"b":[true]}', '{"a":1,"a":2}' } do
    compare("__newindex " .. s, run(ours.decode), run(real.decode), s)
  end
end
