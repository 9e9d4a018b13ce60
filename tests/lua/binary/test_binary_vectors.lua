-- SPDX-License-Identifier: MIT
-- test_binary_vectors.lua -- the module compared with output of the format's reference implementation, from
-- $FLEECE_DATA/fleece/vectors.json. Without the file the tests are skipped, and test_binary.lua has documents of our
-- own for the same rules. `differences` lists intended differences and their reasons.
-- runs: in one layout

local T = require "support"
local B = require "binary"
local lu, fleece = T.lu, T.fleece

TestBinaryVectors = {}

local differences = require "vector_differences"

local vectors

local function group(name)
  if vectors == nil then
    local text = B.data_file "fleece/vectors.json"
    vectors = text and fleece.decode(text) or false
  end
  if not vectors then lu.skip "no data: set FLEECE_DATA" end
  return vectors[name] or lu.fail("no such vectors: " .. name)
end

local function raw(case, name)
  return case[name .. "_hex"] and B.unhex(case[name .. "_hex"]) or B.unbase64(case[name .. "_b64"])
end

local function stripped(s) return s:match "^[ \t\r\n]*(.-)[ \t\r\n]*$" end

-- JSON has no undefined: in a dict the pair is absent (as in a look-up), elsewhere it is null.
local function without_undefined(s)
  s = s:gsub('([{,])"?[%w_]+"?:undefined', "%1"):gsub("([{,]),+", "%1"):gsub(",}", "}")
  return (s:gsub("undefined", "null"))
end

local compatible = { mode = "compatible" }

function TestBinaryVectors:test_encode_json()
  local passes = { invalid_utf8 = "pass" }
  for _, case in ipairs(group "encode_json") do
    local json, bytes = B.text_of(case, "json"), raw(case, "fleece")
    if not differences.encode_json_lax[json] then
      for _, codec in ipairs(B.codecs) do
        T.same(B.hex(codec.from_json(json, compatible)), B.hex(bytes), case.id)
        local ok, message = codec.check(bytes)
        if ok ~= true then lu.fail(case.id .. ": " .. message) end
        local wanted = case.tojson_same and stripped(json) or B.text_of(case, "tojson")
        if wanted == nil then -- a long text, which the vectors omit; compared with sorted names
          local sorted = { sort_keys = true }
          T.same(fleece.encode(fleece.decode(codec.to_json(bytes)), sorted), fleece.encode(fleece.decode(json), sorted),
            case.id)
        elseif wanted:find "^%[%-?inf%]$" then
          T.raises_with("number", codec.to_json, bytes)
          T.same(codec.to_json(bytes, { invalid_numbers = "literal" }), (wanted:gsub("inf", "Infinity")), case.id)
        else
          T.same(codec.to_json(bytes, passes), B.our_text(wanted), case.id)
        end
      end
    end
  end
end

function TestBinaryVectors:test_encode_json_errors()
  for _, case in ipairs(group "encode_json_errors") do
    for _, codec in ipairs(B.codecs) do
      if differences.encode_json_errors[case.json] then
        T.same(codec.to_json(codec.from_json(case.json, compatible)), stripped(case.json), case.id)
      else
        T.raises_with("line ", codec.from_json, case.json, compatible)
        local bytes, message, position = T.safe.from_json(case.json, compatible)
        lu.assertEquals({ bytes, type(message), type(position.byte) }, { nil, "string", "number" })
      end
    end
  end
end

function TestBinaryVectors:test_encode_json_lax()
  for _, case in ipairs(group "encode_json_lax") do
    local ours = differences.encode_json_lax[case.json]
    for _, mode in ipairs { "compact", "compatible" } do
      local bytes = T.safe.from_json(case.json, { mode = mode })
      if not ours[1] then
        T.same(bytes, nil, case.id)
      elseif mode == "compatible" then T.same(B.hex(bytes), ours[1], case.id) end
    end
  end
end

-- There is no test for encode_json_nounique: equal strings are always shared. (lazy shares only names, but its bytes
-- are not visible.)

function TestBinaryVectors:test_encode_sharedkeys()
  for i, case in ipairs(group "encode_sharedkeys") do
    for _, codec in ipairs(B.codecs) do
      local keys = codec.keys()
      for _, name in ipairs(case.preload) do keys:add(name) end
      local bytes = codec.from_json(case.json, { mode = "compatible", keys = keys })
      T.same(B.hex(bytes), B.hex(raw(case, "fleece")), i .. ": bytes")
      T.same(B.hex(keys:save()), B.hex(raw(case, "state")), i .. ": state")
      for _, list in ipairs { keys, codec.keys(raw(case, "state")) } do
        T.same(codec.to_json(bytes, { keys = list }), case.tojson, i)
        T.same(codec.to_json(bytes, { keys = list, canonical = true }), case.tojson_canonical, i)
      end
      local root_view = codec.open(bytes, { keys = keys }).root
      for name, value in fleece.pairs(codec.open(codec.from_json(case.json)).root) do
        local got = fleece.get(root_view, name)
        if type(value) == "userdata" then
          T.same(codec.to_json(got, { canonical = true }), codec.to_json(value, { canonical = true }), name)
        else T.same(got, value, name) end
      end
    end
  end
end

-- The operations of meta.ops as methods. Doubles and floats are made from their bits.
local function float_of(hex)
  local bits = tonumber(hex, 16)
  local negative, exponent, m = bits >= 2147483648, math.floor(bits / 8388608) % 256, bits % 8388608
  if exponent == 255 then return m > 0 and 0 / 0 or negative and -1 / 0 or 1 / 0 end
  local v = exponent == 0 and m * T.power[-149] or (8388608 + m) * T.power[exponent - 150]
  return negative and -v or v
end
local function double_of(hex)
  local high, low = tonumber(hex:sub(1, 8), 16), tonumber(hex:sub(9), 16)
  local negative, exponent, m = high >= 2147483648, math.floor(high / 1048576) % 2048,
    high % 1048576 * 4294967296.0 + low
  if exponent == 2047 then return m > 0 and 0 / 0 or negative and -1 / 0 or 1 / 0 end
  return T.double(negative, exponent, math.floor(m / 67108864), m % 67108864)
end
local methods = {
  ["["] = function(e) return e:array() end,
  ["]"] = function(e) return e:close_array() end,
  ["{"] = function(e) return e:dict() end,
  ["}"] = function(e) return e:close_dict() end,
  k = function(e, x) return e:key(B.unhex(x)) end,
  s = function(e, x) return e:string(B.unhex(x)) end,
  b = function(e, x) return e:data(B.unhex(x)) end,
  i = function(e, x) return e:integer(x) end,
  u = function(e, x) return e:unsigned(x) end,
  f = function(e, x) return e:float(float_of(x)) end,
  d = function(e, x) return e:double(double_of(x)) end,
  n = function(e) return e:null() end,
  t = function(e) return e:boolean(true) end,
  F = function(e) return e:boolean(false) end,
  U = function(e) return e:undefined() end,
}

local function run(e, ops)
  for _, op in ipairs(ops) do T.same(methods[op:sub(1, 1)](e, op:sub(2)), e, "a method returns the encoder") end
  return e:finish()
end

local types = { [-1] = "nil", [0] = "null", "boolean", "number", "string", "data", "array", "dict" }

function TestBinaryVectors:test_encode_ops()
  for i, case in ipairs(group "encode_ops") do
    local want = case.convert
    methods.D = function(e, ms) return e:string(fleece.date(tonumber(ms))) end
    for _, codec in ipairs(B.codecs) do
      T.same(B.hex(run(codec.encoder(compatible), case.ops)), B.hex(raw(case, "fleece")), i)
      local doc = codec.open(raw(case, "fleece"))
      local v = doc.root
      local kind = fleece.type(v)
      T.same((kind:gsub("^integer$", "number"):gsub("^float$", "number")), types[want.type], i .. ": type")
      if type(v) == "number" then
        if T.integers then -- in Lua, an unsigned integer beyond int64 is a float
          T.same(kind == "integer", want.is_integer and not (want.is_unsigned and want.as_int:sub(1, 1) == "-"), i)
        end
        if not (want.as_double == "inf" or want.as_double == "-inf") then
          T.same(v + 0.0 == tonumber(want.as_double), true, i .. ": " .. want.as_double)
        end
      end
      if case.tojson:find("inf", 1, true) then
        T.raises_with("number", codec.to_json, doc)
      else T.same(codec.to_json(doc), B.our_text(without_undefined(case.tojson)), i) end
    end
  end
end

function TestBinaryVectors:test_encode_ops_errors()
  for i, case in ipairs(group "encode_ops_errors") do
    for _, options in ipairs { compatible, { mode = "compact" } } do
      local e = fleece.encoder(options)
      local message = T.error_of(run, e, case.ops)
      lu.assertIsString(message)
      e:reset()
      T.same(B.hex(e:integer(1):finish()), "0001", i .. ": usable again")
    end
  end
end

function TestBinaryVectors:test_number_text()
  for _, case in ipairs(group "number_text") do
    local e = fleece.encoder(compatible)
    if case.type == "double" then e:double(double_of(case.bits)) else e:float(float_of(case.bits)) end
    local bytes = e:finish()
    for _, codec in ipairs(B.codecs) do
      if case.text:find "inf" then
        T.raises_with("number", codec.to_json, bytes)
      else T.same(codec.to_json(bytes), case.text, case.bits) end
    end
  end
end

function TestBinaryVectors:test_tojson()
  for i, case in ipairs(group "tojson") do
    for _, codec in ipairs(B.codecs) do
      for name, options in pairs {
        json = {},
        json5 = { json5 = true },
        canonical = { canonical = true },
        canonical5 = { canonical = true, json5 = true },
      } do
        local ok, got = pcall(codec.to_json, raw(case, "fleece"), options)
        if case[name]:find "inf" then
          T.contains(got, "number")
          T.same(ok, false)
        else T.same(got, B.our_text(without_undefined(B.text_of(case, name))), i .. ": " .. name) end
      end
    end
  end
end

function TestBinaryVectors:test_lookup()
  for i, case in ipairs(group "lookup") do
    for _, codec in ipairs(B.codecs) do
      local values = codec.open(raw(case, "fleece")).root
      for k, name in ipairs(case.keys) do
        local want = case.values[k]
        local got = values[name]
        if want == fleece.null then
          T.same(got, nil, i .. ": " .. name)
        else T.same(got, fleece.decode(want), i .. ": " .. name) end
        T.same(values:get(name), got, name)
      end
    end
  end
end

local function same_text(got, json, what)
  if fleece.type(got) == "array" or fleece.type(got) == "dict" then
    T.same(fleece.to_json(got), json, what)
  else T.same(got, fleece.decode(json), what) end
end

function TestBinaryVectors:test_keypath()
  local case = group "keypath"
  for _, codec in ipairs(B.codecs) do
    local doc = codec.open(raw(case, "fleece"))
    for _, c in ipairs(case.cases) do
      if differences.letters[c.path] then
        T.same(tostring(codec.path(c.path)), c.path, "text")
      elseif c.error or differences.keypath[c.path] then
        T.raises_with("not a key path", codec.path, c.path)
      else
        local path = codec.path(c.path)
        T.same(tostring(path), c.path, "text")
        if c.missing then T.same(path(doc), nil, c.path) else same_text(path(doc), c.json, c.path) end
        local again = c.to_string == "" and "$" or c.to_string
        if c.missing then
          T.same(codec.path(again)(doc), nil, again)
        else same_text(codec.path(again)(doc.root), c.json, again) end
      end
    end
  end
end

function TestBinaryVectors:test_jsonpointer()
  local case = group "jsonpointer"
  local seen = 0
  for _, codec in ipairs(B.codecs) do
    local doc = codec.open(raw(case, "fleece"))
    for _, c in ipairs(case.cases) do
      local ours = differences.jsonpointer[c.pointer]
      if ours then
        seen = seen + 1
        if ours[1] == "root" then
          T.same(codec.to_json(doc:pointer(c.pointer)), codec.to_json(doc), c.pointer)
        else T.same(doc:pointer(c.pointer), nil, c.pointer) end
      elseif c.error then
        T.raises_with("not a JSON pointer", doc.pointer, doc, c.pointer)
      elseif c.missing then
        T.same(doc:pointer(c.pointer), nil, c.pointer)
      else same_text(doc.root:pointer(c.pointer), c.json, c.pointer) end
    end
  end
  T.same(seen, #B.codecs * 7, "all differences are looked at")
end

-- Order and texts are the reference's; but the pointer to the root is "", by RFC 6901.
function TestBinaryVectors:test_deep_iter()
  for i, case in ipairs(group "deep_iter") do
    for _, codec in ipairs(B.codecs) do
      local doc = codec.open(raw(case, "fleece"))
      local n = 0
      for value, path, pointer in doc:walk() do
        n = n + 1
        local want = case.visits[n] or lu.fail(i .. ": too many visits")
        T.same(path, want[1], i)
        T.same(pointer, want[2] == "/" and n == 1 and "" or want[2], i)
        local there = doc:pointer(pointer)
        if type(value) == "userdata" then
          T.same(codec.to_json(there), codec.to_json(value), pointer)
        else T.same(there, value, pointer) end
      end
      T.same(n, #case.visits, i)
    end
  end
end

function TestBinaryVectors:test_json5()
  local seen = 0
  for _, case in ipairs(group "json5") do
    local ours = differences.json5[case["in"]]
    local want = case.out
    if ours then
      seen = seen + 1
      want = ours[1]
    end
    for _, codec in ipairs(B.codecs) do
      if want then
        T.same(codec.to_json(codec.from_json(case["in"], { json5 = true }), { invalid_numbers = "literal" }), want,
          case["in"])
      else T.error_of(codec.from_json, case["in"], { json5 = true }) end
    end
  end
  T.same(seen, 11, "all differences are looked at")
end

function TestBinaryVectors:test_sharedkeys()
  local case = group "sharedkeys"
  for _, codec in ipairs(B.codecs) do
    local keys = codec.keys()
    for i, name in ipairs(case.keys) do
      local code = case.codes[i] >= 0 and case.codes[i] or nil
      T.same(keys:add(name), code, name)
      T.same(keys:code(name), code, name)
      if code then T.same(keys:name(code), name) end
    end
    T.same(B.hex(keys:save()), B.hex(raw(case, "state")), "state")
  end
end

-- Section 22 of the format: with `valid = false` a document must be refused, with true and no issues accepted. With
-- issues we may choose, but reading must be safe. Fleece refuses documents with these issues.
local refused = {
  key_not_string = true,
  parent_not_dict = true,
  root_overlaps_trailer = true,
  bad_length = true,
  bad_count = true,
  bad_int_key = true,
  unsorted_keys = "a search in it would miss names",
}

-- Reads everything in a document.
local function read_all(codec, bytes, options)
  local doc = codec.open(bytes, options)
  local n = 0
  for value, _, pointer in doc:walk() do
    n = n + 1
    local kind = fleece.type(value)
    if kind == "array" or kind == "dict" then
      for k in fleece.pairs(value) do
        if type(k) == "string" then value:get(k) end
      end
      T.same(type(#value), "number")
    end
    doc:pointer(pointer)
    if n > 100000 then break end
  end
  pcall(codec.to_json, doc, { invalid_utf8 = "replace", invalid_numbers = "null" })
  return pcall(codec.to_json, doc, { invalid_utf8 = "pass" })
end

function TestBinaryVectors:test_validate()
  local counts = { [true] = 0, [false] = 0 }
  for _, case in ipairs(group "validate") do
    local bytes = B.unhex(case.hex)
    local must, why = case.valid, case.source
    for _, issue in ipairs(case.issues or {}) do
      if refused[issue] then must = false end
    end
    for _, codec in ipairs(B.codecs) do
      local options = { max_values = 2 ^ 30, keys = false } -- the reference has no such limit and reads codes
      local ok, message = codec.check(bytes, options)
      if (ok == true) ~= must then
        lu.fail(case.id .. " " .. why .. " " .. case.hex:sub(1, 200) .. ": " .. tostring(message or ok))
      end
      T.same((pcall(codec.open, bytes, options)), must, case.id)
      if must then
        local fine, json = read_all(codec, bytes, options)
        local odd = {}
        for _, issue in ipairs(case.issues) do odd[issue] = true end
        if case.tojson_len then
          T.same(#json, case.tojson_len, case.id)
        elseif fine and not odd.int_key and not odd.non_finite then
          T.same(json, B.our_text(without_undefined(B.text_of(case, "tojson"))), case.id)
        elseif not fine then
          T.same(odd.int_key or odd.non_finite, true, case.id .. ": " .. tostring(json))
        end
      end
    end
    counts[must] = counts[must] + 1
  end
  T.same(counts[true] + counts[false], 186)
end

-- A chain of arrays, each with `pointers` pointers to the one before.
local function nest(n, pointers)
  local out, last, length = { B.unhex "60013000" }, 0, 4
  for _ = 1, n do
    local at = length
    local array = { string.char(0x60, pointers) }
    for i = 0, pointers - 1 do
      local back = (at + 2 + 2 * i - last) / 2
      array[#array + 1] = string.char(0x80 + math.floor(back / 256), back % 256)
    end
    out[#out + 1] = table.concat(array)
    length, last = length + 2 + 2 * pointers, at
  end
  local back = (length - last) / 2
  out[#out + 1] = string.char(0x80 + math.floor(back / 256), back % 256)
  return table.concat(out)
end

local hazards = {
  shared_arrays = function(case)
    T.same(B.hex(nest(3, 2)), case.hex_n3, "recipe")
    T.same(B.hex(nest(40, 2)), case.hex_n40, "recipe")
    B.reads(nest(3, 2), "[[[[null],[null]],[[null],[null]]],[[[null],[null]],[[null],[null]]]]")
    T.fails_with("more values than max_values allows", T.soon, 2, fleece.check, nest(40, 2))
    -- another limit applies as well
    T.fails_with("shared too often", T.soon, 2, fleece.check, nest(40, 2), { max_values = 2 ^ 50 })
  end,
  deep_pointers = function(case)
    T.same(B.hex(nest(3, 1)), case.hex_n3, "recipe")
    for _, n in ipairs { 1000, 50000 } do
      local ok, message = T.soon(2, fleece.check, nest(n, 1))
      T.same(ok, nil)
      T.contains(message, "nesting too deep")
      -- Greater depths are possible if allowed, without recursion.
      ok = T.soon(2, fleece.check, nest(n, 1), { max_depth = n + 1 })
      T.same(ok, true)
      local json = T.soon(2, fleece.to_json, nest(n, 1), { max_depth = n + 1 })
      T.same(json, ("["):rep(n + 1) .. "null" .. ("]"):rep(n + 1))
    end
    T.same(fleece.check(nest(999, 1)), true, "a thousand levels")
  end,
  length_reads_past_end = function(case)
    local ok = T.soon(2, fleece.check, B.unhex(case.hex))
    T.same(ok, nil)
  end,
  text_delta_splits_characters = function()
    if not fleece.diff then return end
    local e, accent = "\195\169", "\195\168"
    local old = fleece.from_json('{"t":"' .. e:rep(40) .. '"}')
    local new = fleece.from_json('{"t":"' .. e:rep(20) .. accent .. e:rep(20) .. '"}')
    T.same(fleece.to_json(fleece.patch(old, fleece.diff(old, new))), fleece.to_json(new))
  end,
}

function TestBinaryVectors:test_hazards()
  local seen = 0
  for _, case in ipairs(group "hazards") do
    (hazards[case.name] or lu.fail("unknown hazard " .. case.name))(case)
    seen = seen + 1
  end
  T.same(seen, 4)
end

-- Copies by the encoder's `value` are equal to those of the reference's writeValue.
function TestBinaryVectors:test_copy()
  for i, case in ipairs(group "copy") do
    for _, codec in ipairs(B.codecs) do
      T.same(B.hex(codec.from_json(case.json, compatible)), case.fleece_hex, i)
      for _, value in ipairs { codec.open(raw(case, "fleece")), codec.open(raw(case, "copy")) } do
        local copy = codec.encoder(compatible):value(value):finish()
        T.same(B.hex(copy), case.copy_hex, i)
        T.same(codec.check(copy), true)
        T.same(codec.to_json(copy), codec.to_json(value), i)
      end
    end
  end
end

function TestBinaryVectors:test_dates_utc()
  for _, case in ipairs(group "dates_utc") do
    local ms = fleece.date(case.text)
    if case.ms < -9e18 then
      T.same(ms, nil, case.text) -- not a date
    else
      T.same(ms, case.ms, case.text)
      T.same(fleece.date(fleece.date(ms)), ms, "and back")
    end
  end
end

local function sorted(json) return fleece.to_json(fleece.from_json(json), { canonical = true }) end

function TestBinaryVectors:test_delta()
  for i, case in ipairs(group "delta") do
    for _, codec in ipairs(B.codecs) do
      local old, new = codec.from_json(case.old), codec.from_json(case.new)
      local delta = codec.diff(old, new)
      if case.delta:find(",0,2]", 1, true) then -- any list of operations that gives the new text is correct
        T.same(codec.to_json(codec.patch(old, case.delta), { canonical = true }), sorted(case.new), i)
      elseif #delta >= #case.delta then -- the reference never replaces a whole value to be shorter
        T.same(delta, case.delta, i)
      end
      T.same(codec.to_json(codec.patch(old, delta), { canonical = true }), sorted(case.new), i)
      T.same(codec.diff(codec.open(codec.patch(old, delta)), codec.lazy(case.new)), "{}", i)
    end
  end
end

function TestBinaryVectors:test_delta_apply()
  for i, case in ipairs(group "delta_apply") do
    for _, codec in ipairs(B.codecs) do
      local old = codec.from_json(case.old)
      if case.error then
        T.error_of(codec.patch, old, case.delta)
        local bytes, message = T.safe.patch(old, case.delta)
        T.same(bytes, nil)
        lu.assertIsString(message)
      else
        for _, delta in ipairs { case.delta, codec.open(codec.from_json(case.delta)) } do
          T.same(codec.to_json(codec.patch(old, delta)), without_undefined(case.result), i)
        end
        if case.result == "undefined" then T.same(B.hex(codec.patch(old, case.delta)), "3c00") end
      end
    end
  end
end

function TestBinaryVectors:test_amend()
  for i, case in ipairs(group "amend") do
    for _, codec in ipairs(B.codecs) do
      local base_bytes = raw(case, "base")
      local base = codec.open(base_bytes)
      local delta = base:amend(function(m)
        for _, change in ipairs(case.changes) do
          local value
          if change[1] == "S" then value = fleece.decode(change[3]) end
          m[change[2]] = value
        end
      end, { reuse_strings = case.reuse_strings, extern = case.extern })
      T.same(B.hex(delta), case.delta_hex, i)
      local whole = case.extern and codec.open(delta, { base = base }) or codec.open(base_bytes .. delta)
      T.same(codec.to_json(whole), case.json, i)
    end
  end
end

-- Every group has its test, except encode_json_nounique, since Fleece always shares equal strings.
function TestBinaryVectors:test_all_groups()
  group "meta"
  for name in pairs(vectors) do
    if name ~= "meta" and name ~= "encode_json_nounique" and not TestBinaryVectors["test_" .. name] then
      lu.fail("no test of " .. name)
    end
  end
end
