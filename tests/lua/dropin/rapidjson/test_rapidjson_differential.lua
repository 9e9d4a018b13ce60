-- SPDX-License-Identifier: MIT
-- test_rapidjson_differential.lua -- fleece.rapidjson compared with lua-rapidjson: random values, options, texts,
-- damaged texts, documents.
--
-- lua-rapidjson is found by `require "rapidjson"`, or is the object file that FLEECE_RAPIDJSON names. Only the
-- differences that docs/rapidjson.md lists are allowed here.

local T = require "support"
local D = require "differential"
local lu, random, pick = T.lu, T.random, D.pick
local ours = require "fleece.rapidjson"
local model = require "regex_model"

local found, why = D.find_object("FLEECE_RAPIDJSON", "rapidjson")
local real = type(found) == "table" and found ~= ours and found.null ~= ours.null and found or nil
assert(real or not os.getenv "FLEECE_RAPIDJSON", why)

TestRapidjsonDifferential = { setUp = D.needs(real, "lua-rapidjson", "luarocks install rapidjson") }

-- RapidJSON's doubles may differ by some units in the last place.
local function leaf(v)
  if v == ours.null or v == real.null then return "NULL" end
  if v ~= v then return "nan" end
  return v ~= 0 and T.math_type(v) == "float" and ("float %.14g"):format(v) or nil
end

local function mark(t)
  local mt = getmetatable(t)
  return tostring(mt and mt.__jsontype)
end

-- RapidJSON's Grisu2 writes too many digits for some doubles: each number must have the same value and not be longer.
local function same_text(got, wanted)
  if got == wanted then return true end
  local rest = wanted .. "\0"
  for piece, digits in (got .. "\0"):gmatch "([^%d]*)([%d%.eE%-]*)" do
    if rest:sub(1, #piece) ~= piece then return false end
    rest = rest:sub(#piece + 1)
    local theirs = rest:match "^[%d%.eE%-]*"
    if tonumber(digits) ~= tonumber(theirs) or #digits > #theirs then return false end
    rest = rest:sub(#theirs + 1)
  end
  return rest == ""
end

local compare = D.comparer {
  describe = function(v) return D.describe(v, leaf, mark) end,
  clean = function(message) return (message:gsub("to '[^']*' ", "to a function ")) end,
  known = function(got, wanted)
    if same_text(got, wanted) then return true end
    -- lua-rapidjson's catch (...) catches LuaJIT's errors.
    return T.jit and wanted == 'false | "error while encoding"' and got:find "^false"
  end,
}

-- ---- values ------------------------------------------------------------------------------------------------

local ODD = { "\0", "\1", "\11", "\14", "\26", "\31", "\127", "\"", "\\", "/", "\n\t\r\b\f", "\194\160", "\226\128\168",
  "\255", "\240\159\152\128", "plain text of more than one vector unit's length, to be sure",
  "the same \27 but with an escape in it, and \"quotes\"" }

local function bytes() return D.bytes(4, function() return pick(ODD) end) end

local function any_number()
  local kind = random(1, 6)
  if kind == 1 then return T.random_double() end
  if kind == 2 then return random(-1000000, 1000000) / 100 end
  if kind == 3 then
    return pick { 0, -0.0, 1e15, 2.0 ^ 53, -2.0 ^ 63, 2.0 ^ 64, 1e20, 1e21, 1e22, 1e-5, 1e-6, 1e-7, 1.5e-6, 1.5e-7,
      1e100, 5e-324, 1.7976931348623157e308, 123456789012345678, 0.1, 1 / 3 }
  end
  if kind == 4 and random(1, 20) == 1 then return pick { 1 / 0, -1 / 0, 0 / 0 } end
  return random(-9, 9) * 10 ^ random(0, 22)
end

local value
local META = {
  function() return { __jsontype = pick { "object", "array", "other", 5, true } } end,
  function() return { __index = { __jsontype = "array" } } end,
  function() return setmetatable({}, { __index = { __jsontype = "array" } }) end,
  function() return setmetatable({}, { __index = function() return "object" end }) end,
  function() return setmetatable({}, { __index = function() error("raised", 0) end }) end,
  function() return { __tojson = print, __pairs = print, __len = print } end,
  function() return {} end,
}

local function keyed(depth)
  local t = {}
  for _ = 1, random(0, 6) do
    local kind = random(1, 12)
    local key = kind <= 6 and "k" .. random(1, 9) or kind <= 9 and bytes():gsub("%z", "") or
      pick { 1, 2, 3, 0, -1, 5, 1.5, true, 2.0 ^ 60 }
    t[key] = value(depth + 1)
  end
  return t
end

function value(depth)
  local kind = random(1, 20)
  if kind <= 4 then return bytes() end
  if kind <= 9 then return any_number() end
  if kind == 10 then return random(1, 2) == 1 end
  if kind == 11 and random(1, 9) == 1 then return D.unsupported() end
  if kind == 12 then return "NULL" end
  if depth > 6 or kind <= 13 then return "leaf" end
  local t = {}
  if kind <= 17 then
    for i = 1, random(0, 6) do t[i] = value(depth + 1) end
    if random(1, 12) == 1 then t[random(1, 12)] = value(depth + 1) end
    if random(1, 12) == 1 then t.name = "beside items" end
  else
    t = keyed(depth)
  end
  if random(1, 10) == 1 then setmetatable(t, pick(META)()) end
  if random(1, 10) == 1 then t = pick { ours.object, ours.array, real.object, real.array }(t) end
  if kind == 20 and random(1, 20) == 1 then t.cycle = t end
  return t
end

-- A copy of the value with a library's own null.
local function with_null(v, null, seen)
  if v == "NULL" then return null end
  if type(v) ~= "table" then return v end
  if seen[v] then return seen[v] end
  local copy = setmetatable({}, getmetatable(v))
  seen[v] = copy
  for k, item in next, v do rawset(copy, k, with_null(item, null, seen)) end
  return copy
end

local function has_null(v, seen)
  if v == "NULL" then return true end
  if type(v) ~= "table" or seen[v] then return false end
  seen[v] = true
  for _, item in next, v do if has_null(item, seen) then return true end end
  return false
end

local function options()
  if random(1, 3) == 1 then return nil end
  return { pretty = random(1, 3) == 1 or nil, sort_keys = random(1, 2) == 1,
    empty_table_as_array = pick { true, false, 0 },
           max_depth = random(1, 4) == 1 and random(-1, 6) or nil, unknown = 1 }
end

-- Both functions get the same table if possible, because a copy may have another order.
local function compare_encode(what, f, g, v, o)
  if has_null(v, {}) then
    o = o or {}
    o.sort_keys = true
    local function run(encode, null)
      local copy = with_null(v, null, {})
      return function() return encode(copy, o) end
    end
    compare(what .. " with null", run(f, ours.null), run(g, real.null))
  else
    compare(what, f, g, v, o)
  end
end

function TestRapidjsonDifferential:test_random_encode()
  T.random_rounds(300, function() compare_encode("encode", ours.encode, real.encode, value(1), options()) end)
end

function TestRapidjsonDifferential:test_encode_arguments()
  for _, v in ipairs { 1, "x", true, print, ours.null } do compare("options", ours.encode, real.encode, {}, v) end
  compare("no value", ours.encode, real.encode)
  compare("nil", ours.encode, real.encode, nil)
  for _, depth in ipairs { "1", "x", 1.0, 0, -5, true } do
    compare("max_depth", ours.encode, real.encode, { {} }, { max_depth = depth })
  end
  local deep = {}
  for _ = 1, 126 do deep = { deep } end
  compare("128 levels", ours.encode, real.encode, { deep })
  compare("129 levels", ours.encode, real.encode, { { deep } })
end

function TestRapidjsonDifferential:test_random_numbers()
  T.random_rounds(3000, function()
    local n = any_number()
    if n ~= 2.0 ^ 63 then compare(("number %.17g"):format(n), ours.encode, real.encode, { n }) end
  end)
end

-- ---- texts -------------------------------------------------------------------------------------------------

local NUMBERS = { "0", "-1", "12.5", "1e5", "-0.0E-2", "123456789", "4294967296", "-2147483649", "9007199254740993",
  "1e300", "1E-320", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
  "18446744073709551615", "18446744073709551616", "1e-400", "1e400", "1.", ".5", "-.5", "007", "1.e3", "1e", "1e+", "-",
  "--1", "1-2", "+1", "0x10", "1e309", "Infinity", "NaN" }
local STRINGS = { '""', '"a"', '"\\n\\u00e9\\/"', '"\\ud83d\\ude00"', '"\240\159\152\128"', '"tab\there"', '"\255\254"',
  '"\\ud800"', '"\\udc00"', '"\\ud800\\u0041"', '"\\ud800\\ud800"', '"\\ud800x"', '"\\x"', '"\\u12"', '"\\u12g4"',
  '"\\"', '"\\ud83d\\ude0"', '"\\u0000"', '"\127"', '"long enough for two blocks of a vector unit, \\"quoted\\""',
  "'a'" }
local SPACES = { "", "", "", "", " ", "\n  ", "\t\r\n", "\v", "/* c */" }

local text = D.texts {
  number = function() return D.mostly(NUMBERS, 18, 8) end,
  string = function() return D.mostly(STRINGS, 5, 8) end,
  words = { "true", "false", "null" },
  name = function() return '"' .. pick { "a", "b", "c", "d/e", "~", "0", "1", "-", "" } .. '"' end,
  space = function() return D.mostly(SPACES, 7, 40) end,
}

local BYTES = { "", "", '"', "\\", "[", "]", "{", "}", ",", ":", "0", "1", "-", "+", ".", "e", "x", "t", "n", "/", " ",
  "\n", "\127", "\1", "\128", "\255", "u", "[[[[", "]]]", '"a":', "true", "null", ",}", "\239\187\191" }

-- RapidJSON refuses zeros with an exponent beyond 308 as too big.
local is_known = D.known("[^%d%.]%-?0[%.0]*[eE]%+?%d%d%d", "^%-?0[%.0]*[eE]%+?%d%d%d")

local compare_text = D.decode_comparer(compare, ours, real or {}, is_known)

-- With decode and with a document.
local function compare_decode(s)
  if not compare_text(s) then return end
  -- RapidJSON skips parts of a byte order mark
  if s:find "^[\239\187\191]" and not s:find "^\239\187\191" then return end
  local function run(module)
    return function()
      local document = module.Document()
      local ok, message = document:parse(s)
      return ok, message, document:get ""
    end
  end
  compare(("parse %q"):format(s), run(ours), run(real))
end

function TestRapidjsonDifferential:test_random_decode()
  T.random_rounds(200, function() D.each_text(1, text, BYTES, compare_decode) end)
end

function TestRapidjsonDifferential:test_decode_odd_pieces()
  T.each_place({ NUMBERS, STRINGS, BYTES, SPACES }, compare_decode)
end

function TestRapidjsonDifferential:test_decode_arguments()
  for _, v in ipairs { 1, true, {}, print } do compare("decode", ours.decode, real.decode, v) end
  compare("decode", ours.decode, real.decode)
  compare("no length", ours.decode, real.decode, real.null)
  compare("an invalid length", ours.decode, real.decode, real.null, "x")
  for _, v in ipairs { 1, "x", true, print } do
    compare("array", ours.array, real.array, v)
    compare("object", ours.object, real.object, v)
  end
end

-- ---- files -------------------------------------------------------------------------------------------------

function TestRapidjsonDifferential:test_files()
  local path = os.tmpname()
  for _ = 1, 60 do
    local s = text(1)
    if not is_known(s) then
      if random(1, 4) == 1 then s = "\239\187\191" .. s end
      T.write_file(path, s)
      -- lua-rapidjson's offsets from load are too large by one.
      local function run(load)
        return function()
          local v, message = load(path)
          return v, message and message:gsub("%d+", "")
        end
      end
      compare(("load %q"):format(s), run(ours.load), run(real.load))
    end
    local v, o = value(1), options()
    local function run(dump)
      return function()
        local results = select("#", dump(v, path, o))
        return results, T.read_file(path)
      end
    end
    if not has_null(v, {}) then compare("dump", run(ours.dump), run(real.dump)) end
  end
  os.remove(path)
  compare("load without a file", ours.load, real.load, "/nonexistent/file")
  compare("load of a folder", function()
    local v, why = ours.load "."
    return v, type(why)
  end,
    function()
      local v, why = real.load "."
      return v, type(why)
    end) -- lua-rapidjson reads it as an empty text
  compare("dump without a folder", ours.dump, real.dump, {}, "/nonexistent/file")
  compare("dump without a name", ours.dump, real.dump, {}, nil, {})
  compare("dump with odd options", ours.dump, real.dump, {}, path, 1)
end

-- ---- documents ---------------------------------------------------------------------------------------------

local function pointer()
  local s = {}
  for i = 1, random(0, 4) do
    s[i] = "/" .. pick { "a", "b", "c", "d~1e", "~0", "0", "1", "2", "3", "7", "00", "-", "", "new", "12x" }
  end
  return (random(1, 6) == 1 and "#" or "") .. table.concat(s)
end

function TestRapidjsonDifferential:test_random_documents()
  T.random_rounds(20, function()
    for _ = 1, 10 do
      local s = text(1)
      if is_known(s) then s = "{}" end
      local a, b = ours.Document(s), real.Document(s)
      for _ = 1, random(1, 12) do
        local p, v = pointer(), value(4)
        if has_null(v, {}) or not pcall(ours.encode, v) then v = "v" end
        compare("set " .. p, function() return a:set(p, v) end, function() return b:set(p, v) end)
        compare("stringify after set " .. p, function() return a:stringify() end, function() return b:stringify() end)
        p = pointer()
        compare("get " .. p, function() return a:get(p, "default") end, function() return b:get(p, "default") end)
        s = random(1, 4) == 1 and T.damaged(text(4), { "[", "}", ",", "x" })
        if s and not is_known(s) then -- an invalid text leaves the document unchanged
          compare(("parse %q"):format(s), function() return a:parse(s) end, function() return b:parse(s) end)
        end
      end
      compare("stringify", function() return a:stringify { pretty = true } end,
        function() return b:stringify { pretty = true } end)
    end
  end)
end

function TestRapidjsonDifferential:test_document_arguments()
  for _, v in ipairs { 1, true, print, io.stdout } do compare("Document", ours.Document, real.Document, v) end
  compare("Document(nil)", ours.Document, real.Document, nil)
  compare("Document of a bad value", ours.Document, real.Document, { print })
  for _, name in ipairs { "get", "set", "stringify" } do
    local function run(module)
      return function(...)
        local document = module.Document "[1]"
        return document[name](document, ...)
      end
    end
    compare(name, run(ours), run(real), name == "stringify" and 1 or {})
    compare(name, run(ours), run(real))
    compare(name, run(ours), run(real), "/0")
    compare(name, run(ours), run(real), "/0", print)
    compare(name .. " of nothing", ours.Document()[name], real.Document()[name], 5, "")
  end
end

-- ---- schemas -----------------------------------------------------------------------------------------------

local schema
local LIMITS = { "0", "1", "2", "-1", "1.5", "3", "9223372036854775808", "-2.5", "1e20" }
local PATTERNS = { "a", "^a", "a$", "^[^b-z]*$", "^(a|b)$", "[a-c]{1,3}", "^\\\\\\\\?[^a]+$", "\195\169", "e.*e",
  "^.{2,}", "[0-9]|-" }
local KEYWORDS = {
  function()
    return '"type":' .. pick { '"object"', '"array"', '"string"', '"integer"', '"number"', '"null"', '"boolean"',
      '["integer","string"]', '"none"', "5" }
  end,
  function() return '"enum":[' .. text(6) .. "," .. text(6) .. ',1,"a",{"a":1,"b":[]}]' end,
  function(d) return '"' .. pick { "allOf", "anyOf", "oneOf" } .. '":[' .. schema(d) .. "," .. schema(d) .. "]" end,
  function(d) return '"not":' .. schema(d) end,
  function(d) return '"properties":{"a":' .. schema(d) .. ',"b":' .. schema(d) .. ',"":{"default":"x"}}' end,
  function() return '"required":' .. pick { '["a"]', '["a","c",5]', '[""]', '"a"' } end,
  function(d) return '"additionalProperties":' .. pick { "true", "false", schema(d) } end,
  function()
    return '"' .. pick { "minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength" } .. '":' ..
      pick { "0", "1", "2", "3", "-1", "1.0" }
  end,
  function(d) return '"dependencies":{"a":' .. pick { '["b"]', '["c","d/e"]', schema(d) } .. "}" end,
  function(d) return '"items":' .. pick { schema(d), "[" .. schema(d) .. "," .. schema(d) .. "]" } end,
  function(d) return '"additionalItems":' .. pick { "true", "false", schema(d) } end,
  function() return '"uniqueItems":' .. pick { "true", "false" } end,
  function() return '"minimum":' .. pick(LIMITS) .. ',"exclusiveMinimum":' .. pick { "true", "false" } end,
  function() return '"maximum":' .. pick(LIMITS) .. ',"exclusiveMaximum":' .. pick { "true", "false" } end,
  function() return '"multipleOf":' .. pick(LIMITS) end,
  function() return '"pattern":"' .. pick(PATTERNS) .. '"' end,
  function(d)
    return '"patternProperties":{"' .. pick(PATTERNS) .. '":' .. schema(d) .. ',"[/~]":' .. schema(d) .. "}"
  end,
  function()
    return '"$ref":"' .. pick { "#/definitions/one", "#/definitions/two~1", "#/definitions/t%77o~1", "#/none",
      "other.json#" } .. '"'
  end,
}

function schema(depth)
  local parts, seen = {}, {}
  for _ = 1, depth > 3 and 0 or random(0, 3) do
    local part = KEYWORDS[random(1, #KEYWORDS)](depth + 1)
    local name = part:match '^"([^"]*)"'
    if not seen[name] and not (name == "$ref" and depth == 0) then parts[#parts + 1] = part end
    seen[name] = true
  end
  if depth == 0 then
    parts[#parts + 1] = '"definitions":{"one":{"type":["integer","array"]},"two/":{"$ref":"#/definitions/one"}}'
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

-- RapidJSON's known errors: hashes of numbers beyond the range of integers depend on the processor; doubles are not
-- exact; an empty array of `items` is not a tuple; a text ends at a zero byte and at invalid UTF-8; `.` matches a
-- newline; the schema of additional members is an alternative to those of patterns; when values are compared, members
-- that equal their name, and pairs of equal members, are ignored. As docs/rapidjson.md says, 1.0 counts as 1, and what
-- stands beside a reference that leads nowhere counts.
local function has_twin(value)
  if type(value) ~= "table" then return false end
  for name, member in pairs(value) do
    if name == member and type(name) == "string" or has_twin(member) then return true end
  end
  return false
end

local function has_name_twice(s)
  local _, message = T.safe.decode(s, { duplicates = "error" })
  return message ~= nil and message:find "duplicate" ~= nil
end

local is_odd = D.known("%de", "%dE", "%d%d%d%d%d%d%d%d%d%d", "%.%d%d", '"items":%[[^{]', "\\u0000", "\255",
  "\\ud[89a-f]", "\\n", '":1%.0[,}]', '"#/none"', '"patternP.*"additionalP[%a]*":{', '"additionalP[%a]*":{.*"patternP')

-- A message may name another one of several failures, and the one in a schema of patternProperties.
function TestRapidjsonDifferential:test_random_schemas()
  local fit, failed, named_another = 0, 0, 0
  local function is_comparable(s)
    return not has_name_twice(s) and not has_twin(ours.decode(s))
  end
  T.random_rounds(20, function()
    for _ = 1, 10 do
      local s
      repeat s = schema(0) until ours.decode(s) and is_comparable(s) and
        not is_odd((s:gsub("%d+e20", ""):gsub("9223372036854775808", "")))
      local kept = real.SchemaDocument(s) -- RapidJSON's validator does not keep it alive
      local a, b = ours.SchemaValidator(ours.SchemaDocument(s)), real.SchemaValidator(kept)
      for _ = 1, 5 do
        local t = text(3)
        if not is_odd(t) and is_comparable(t) then
          local ok, message = a:validate(ours.Document(t))
          if ok then fit = fit + 1 else failed = failed + 1 end
          compare("validate " .. t .. " by " .. s, function() return ok end,
            function() return (b:validate(real.Document(t), kept)) end)
          if message ~= select(2, b:validate(real.Document(t), kept)) then named_another = named_another + 1 end
        end
      end
    end
  end, 20)
  lu.assertTrue(fit > 50 and failed > 50, ("%d fit, %d do not"):format(fit, failed))
  lu.assertTrue(named_another <= failed / 20, ("%d of %d messages are others"):format(named_another, failed))
end

-- Patterns in RapidJSON's syntax, without its errors: an expression that matches the empty text is found only in the
-- empty text unless it is anchored at both ends, and a loop over it crashes.
function TestRapidjsonDifferential:test_random_patterns()
  local fit, failed = 0, 0
  T.random_rounds(20, function()
    for _ = 1, 10 do
      local node = model.expression(true)
      local s = "(" .. node.text .. ")"
      s = node.empty and "^" .. s .. "$" or pick { "", "^" } .. s .. pick { "", "$" }
      s = ours.encode { pattern = s }
      local kept = real.SchemaDocument(s)
      local a, b = ours.SchemaValidator(ours.SchemaDocument(s)), real.SchemaValidator(kept)
      for _ = 1, 4 do
        local _, t = model.text(true)
        t = ours.encode(t)
        if a:validate(ours.Document(t)) then fit = fit + 1 else failed = failed + 1 end
        compare("validate " .. t .. " by " .. s, function() return a:validate(ours.Document(t)) end,
          function() return b:validate(real.Document(t), kept) end)
      end
    end
  end, 20)
  lu.assertTrue(fit > 50 and failed > 50, ("%d fit, %d do not"):format(fit, failed))
end
