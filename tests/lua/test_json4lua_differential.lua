-- SPDX-License-Identifier: MIT
-- test_json4lua_differential.lua -- fleece.json4lua against the real JSON4Lua: random values, texts, damaged texts.
--
-- No distribution packages it: FLEECE_JSON4LUA names its json.lua, or that lies on LUA_PATH. It decodes numbers on Lua 5.2
-- and later only. docs/json4lua.md lists the differences that are allowed here, and no others.

local T = require "support"
local lu, random = T.lu, T.random
local ours = require "fleece.json4lua"

local function find()
  local names = { os.getenv "FLEECE_JSON4LUA" }
  for folder in package.path:gmatch "[^;]+" do names[#names + 1] = (folder:gsub("?", "json")) end
  for _, name in ipairs(names) do
    local chunk = loadfile(name)
    local ok, module = pcall(chunk or error)
    if ok and type(module) == "table" and module ~= ours and module.EMPTY_ARRAY then return module end
  end
end

local real = find()

TestJson4LuaDifferential = {}

function TestJson4LuaDifferential:setUp()
  if not real then lu.skip "SKIPPED: no JSON4Lua to compare with (FLEECE_JSON4LUA names its file)" end
end

local function pick(list) return list[random(1, #list)] end

local function describe(v)
  if type(v) ~= "table" then
    if v == 0 then return "0" end -- "-0": an integer there, -0.0 here
    return type(v) == "string" and ("%q"):format(v) or T.math_type(v) == "float" and ("float %.17g"):format(v) or tostring(v)
  end
  local parts = {}
  for k, item in pairs(v) do parts[#parts + 1] = describe(k) .. "=" .. describe(item) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- ---- values: two alike, for each library's own null and empty tables -------------------------------------------

local function bytes()
  local s = {}
  for i = 1, random(0, 6) do s[i] = string.char(random(1, 3) == 1 and pick { 8, 9, 10, 12, 13, 128, 255, 127, 34, 92, 47 } or random(32, 126)) end
  return table.concat(s)
end

local function number()
  local n = pick { T.random_double(), random(-1000000, 1000000) / 100, random(-99, 99), 0, 2.0 ^ 53, 1e100, 1e15, random(-9, 9) * 10 ^ random(0, 15) }
  return T.jit and ("%.14g"):format(n) ~= ours.encode(n) and 1 or n
end

local META = {
  function() return { __pairs = function(t) return next, t end } end,
  function() return { __pairs = function() return next, { 5, 6 } end, __index = { 5, 6 } } end,
  function() return { __pairs = function() error("raised", 0) end } end,
  function() return { __len = function() error "not asked" end, __index = { x = 1 } } end,
  function() return { __index = function(_, k) return k end } end,
}

local function value(depth)
  local kind = random(1, 26)
  if kind <= 6 then local s = bytes() return s, s end
  if kind <= 11 then local n = number() return n, n end
  if kind == 12 then local b = random(1, 2) == 1 return b, b end
  if kind == 13 and random(1, 3) == 1 then local v = pick { print, coroutine.create(function() end), io.stdout } return v, v end
  if kind == 14 then
    local name = pick { "null", "null", "EMPTY_ARRAY", "EMPTY_OBJECT" }
    return ours[name], real[name]
  end
  if depth > 6 or kind <= 16 then return "leaf", "leaf" end
  local s, t = {}, {}
  local function set(k, a, b) s[k], t[k] = a, b end
  if kind <= 20 then
    for i = 1, random(0, 6) do set(i, value(depth + 1)) end
    if random(1, 20) == 1 then set(random(1, 9), nil, nil) end
    if random(1, 20) == 1 then local v = pick { 1, print } set(pick { 0, -1, 1.5, 9, 30, "x", true, "n" }, v, v) end
  else
    for _ = 1, random(0, 6) do set(bytes(), value(depth + 1)) end
    if random(1, 20) == 1 then local v = pick { 1, print } set(pick { 0, 1, 2, 1.5, true, false, "n" }, v, v) end
  end
  if random(1, 24) == 1 then
    local meta = META[random(1, #META)]()
    setmetatable(s, meta)
    setmetatable(t, meta)
  end
  return s, t
end

-- Of an unsupported value the type counts; the rest of the message is its address.
local function collect(ok, ...)
  if not ok then
    local message = tostring(...):gsub("^[^\n]-json[%w_]*%.lua:%d+: ", ""):gsub("^(encode attempt to encode unsupported type %a+):.*", "%1")
    return "error " .. message
  end
  return select("#", ...) .. " " .. describe((...)) .. " " .. tostring((select(2, ...)))
end

function TestJson4LuaDifferential:test_encode()
  T.for_seconds(1, function()
    for _ = 1, 60 do
      local a, b = value(1)
      local got, wanted = collect(pcall(ours.encode, a)), collect(pcall(real.encode, b))
      if got ~= wanted then lu.fail(("encode\n  JSON4Lua: %q\n  fleece: %q"):format(wanted:sub(1, 400), got:sub(1, 400))) end
    end
  end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0e-2", "123456789", "9007199254740993", "1e300", "1e-320", "9223372036854775807",
  "9223372036854775808", "1e400", "1.", "-.5", "007", "-00.50", "1.e3", "1e", "1e+", "-", "1.5.2", ".", "+1", "1e5.5", "-e5" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', "'a'", '"\240\159\152\128"', '"tab\there"', '"\255\254"', '"\\ud800"', "'it\\'s'", '"\\q\\9"',
  '"\\"', '"\\u0000"', '"\127"', "'\"'", '"line\n"', '"long enough for two blocks of a vector unit, \\"quoted\\""' }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n" }
local BYTES = { "", "", '"', "'", "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", ".", "e", "x", "t", "n", "/", "*", " ", "\n", "\127", "\128",
  "\255", "u", "[[[[", "]]]", '"a":', "true", "null", ",}", "\1", "/*", "*/", ",,", "/* x */" }

local function space() return pick(SPACES) end

local function text(depth)
  local kind = random(1, 12)
  if kind <= 3 then return NUMBERS[random(1, 8) > 1 and random(1, 12) or random(1, #NUMBERS)] .. space() end
  if kind <= 5 then return STRINGS[random(1, 8) > 1 and random(1, 9) or random(1, #STRINGS)] .. space() end
  if kind == 6 then return pick { "true", "false", "null", "null" } .. space() end
  if depth > 7 then return "[]" end
  local parts = {}
  for i = 1, random(0, 5) do
    parts[i] = (kind > 9 and pick { '"k1"', '"k2"', "'k3'", "4" } .. space() .. ":" or "") .. space() .. pick { "", "", "", "/* x */" } .. text(depth + 1)
  end
  return (kind <= 9 and "[" or "{") .. space() .. table.concat(parts, pick { ",", ",", ",", " " } .. space()) .. (kind <= 9 and "]" or "}") .. space()
end

-- Pairs of surrogates, and white space or a sign in \u; numbers that are sums, words in them, or with E; a
-- comment that a number ends with.
local function is_known(s)
  return s:lower():find "\\ud[89ab]%x%x\\ud[cdef]" or s:find "\\u%x?%x?%x?[^%x]" or s:find "\\u%x?%x?%x?$" or s:find "[%+%-%.e%d][eE]?[%+%-]" or
    s:find "%d[ \n\t\r]*E" or s:find "%.%.+" or s:find "[^a-z%d%.]e" or s:find "[el]e" or s:find "^e" or s:find("-9223372036854775808", 1, true) or not load and s:find "[%d%+%-%.e]"
end

-- The messages that are the same; of the others, that there is one. What ends in a string or a name has Lua's
-- own words there, as has a name that is no string.
local function kind_of(outcome)
  if outcome:find "^error" and not (outcome:find "Failed to scan constant" or outcome:find "ended unexpectedly s?c?a?n?n?i?n?g? ?array" or
    outcome:find "mal%-formed" or outcome:find "Unterminated") then return "an error" end
  return outcome
end

local function compare_decode(s, position)
  if is_known(s:sub(position or 1)) then return end
  local got, wanted = collect(pcall(ours.decode, s, position)), collect(pcall(real.decode, s, position))
  if got == wanted or kind_of(got) == kind_of(wanted) then return end
  if got:find "^error" and wanted:find "^error" and (wanted:find "attempt to" or wanted:find "index is nil") then return end
  if wanted:find "attempt to concatenate" then return end -- a name that is true, false or a table
  lu.fail(("decode %q\n  JSON4Lua: %q\n  fleece: %q"):format(s, wanted:sub(1, 400), got:sub(1, 400)))
end

local function decodes() if _VERSION == "Lua 5.1" then lu.skip "SKIPPED: JSON4Lua does not decode numbers on Lua 5.1" end end

function TestJson4LuaDifferential:test_decode()
  decodes()
  T.for_seconds(1, function()
    for _ = 1, 40 do
      local s = text(1)
      compare_decode(s)
      compare_decode(T.damaged(s, BYTES))
      compare_decode(s, random(1, #s + 1))
    end
  end)
end

function TestJson4LuaDifferential:test_decode_odd_pieces()
  decodes()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES }, compare_decode)
end
