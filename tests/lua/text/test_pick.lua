-- SPDX-License-Identifier: MIT
-- test_pick.lua -- fleece.pick: the values that paths lead to in a text. What it gives is compared with a look-up in what
-- decode gives, and its errors with those of decode, which have oracles of their own. Values are made by both decoders.
-- runs: in one layout

local T = require "support"
local R = require "random_text"
local lu, fleece, safe, same, random = T.lu, T.fleece, T.safe, T.same, T.random
local pick = fleece.pick

TestPick = {}

local RAW, READ, API = { raw = true }, { test = "read" }, { layout = "api" }

-- Are these the same value? Numbers of another kind, -0 and other metatables are not.
local function is_same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b and T.math_type(a) == T.math_type(b) and (a ~= 0 or 1 / a == 1 / b)
  end
  if getmetatable(a) ~= getmetatable(b) then return false end
  for key, value in next, a do
    if not is_same(value, rawget(b, key)) then return false end
  end
  for key in next, b do
    if rawget(a, key) == nil then return false end
  end
  return true
end

local function must_be_same(got, wanted, what)
  if not is_same(got, wanted) then
    lu.fail(("%s\ngot %s\nwanted %s"):format(what, lu.prettystr(got):sub(1, 500), lu.prettystr(wanted):sub(1, 500)))
  end
end

-- With options: the paths and the options as arguments.
local function arguments(paths, options)
  local list = { T.unpack(paths, 1, #paths) }
  list[#list + 1] = options
  return T.unpack(list, 1, #list)
end

-- picker(text) by both decoders; each result must be the one of the list, which has null where nothing is.
local NOTHING = {}
local function picks(text, paths, wanted, options)
  for _, o in ipairs { options or {}, T.merged(options, API) } do
    local picker = pick(arguments(paths, o))
    local got = T.pack(picker(text))
    same(got.n, #paths)
    for i = 1, #paths do
      local value = wanted[i]
      if value == NOTHING then value = nil end
      must_be_same(got[i], value, text .. " " .. tostring(paths[i]))
    end
  end
end

function TestPick:test_paths()
  local text = '{"model": "m-1", "stream" :true,"n":null,"list":[10,[20.5,{"x":-1}],"z"],"a/b":{"m~n":"tilde"},' ..
    '"":0,"a.b":1,"0":"zero","é":"e"}'
  local values = {
    { "model", "m-1" }, { "stream", true }, { "n", fleece.null }, { "list[0]", 10 }, { "list[1][0]", 20.5 },
    { "list[1][1].x", -1 }, { "list[-1]", "z" }, { "list[-2][-1].x", -1 }, { "list[-3]", 10 }, { "list[-4]", NOTHING },
    { "list[3]", NOTHING }, { "list[1]", { 20.5, { x = -1 } } }, { "list.x", NOTHING }, { "model.x", NOTHING },
    { "model[0]", NOTHING }, { "[0]", NOTHING }, { "nothing", NOTHING }, { "$.list[0]", 10 }, { "a\\.b", 1 },
    { "0", "zero" }, { "é", "e" }, { "/model", "m-1" }, { "/list/0", 10 }, { "/list/1/1/x", -1 }, { "/list/-1", NOTHING },
    { "/list/-", NOTHING }, { "/list/00", NOTHING }, { "/list/3", NOTHING }, { "/a~1b/m~0n", "tilde" }, { "/", 0 },
    { "/a.b", 1 }, { "/0", "zero" }, { "/list/1", { 20.5, { x = -1 } } }, { "a/b.m~n", "tilde" },
    { fleece.path "list[1][0]", 20.5 }, { fleece.path "list[1]", { 20.5, { x = -1 } } },
  }
  local paths, wanted = {}, {}
  for i, case in ipairs(values) do
    picks(text, { case[1] }, { case[2] })
    picks(text, { case[1] }, { case[2] }, READ)
    paths[i], wanted[i] = case[1], case[2]
  end
  picks(text, paths, wanted)
  picks(text, paths, wanted, READ)
  picks(text, { "", "$", "model", "model" }, { fleece.decode(text), fleece.decode(text), "m-1", "m-1" })
  T.each({ "[]", "{}", '"s"', "1", " true ", "null", "[[]]" }, function(whole)
    picks(whole, { "", ".", "x", "[0]", "/0" },
      { fleece.decode(whole), fleece.decode(whole), NOTHING, whole == "[[]]" and {} or NOTHING,
        whole == "[[]]" and {} or NOTHING })
  end)
end

-- A number in a JSON pointer is an item or a member; in a path it is what its form says.
function TestPick:test_numbers()
  local paths = { "0", "[0]", "/0", "/0/0", "[0][0]", "[-1]" }
  picks('["x"]', paths, { NOTHING, "x", "x", NOTHING, NOTHING, "x" })
  picks('{"0":"x"}', paths, { "x", NOTHING, "x", NOTHING, NOTHING, NOTHING })
  picks('[[1]]', paths, { NOTHING, { 1 }, { 1 }, 1, 1, { 1 } })
  picks('{"0":[1]}', paths, { { 1 }, NOTHING, { 1 }, 1, NOTHING, NOTHING })
  picks('[{"0":1}]', paths, { NOTHING, { ["0"] = 1 }, { ["0"] = 1 }, 1, NOTHING, { ["0"] = 1 } })
  picks("[[1],[2]]", { "[0][0]", "[-2][0]", "[-2][-1]", "/0/0", "[-1][0]", "[1][-1]" }, { 1, 1, 1, 1, 2, 2 })
end

-- Names are equal if they mean the same, however they are written in the text.
function TestPick:test_escaped_names()
  local names = { '"a\\u0062"', '"\\u0061\\u0062"', '"ab"', '"\\u0061b"' }
  for _, name in ipairs(names) do
    picks("{" .. name .. ":[1]}", { "ab", "ab[0]", "/ab/0" }, { { 1 }, 1, 1 })
    picks("{" .. name .. ":[1]}", { "ab", "ab[0]", "/ab/0" }, { { 1 }, 1, 1 }, READ)
    picks('{"x":{' .. name .. ':1,"y":2}}', { "x.ab", "x.y", "x.a" }, { 1, 2, NOTHING })
  end
  picks('{"\\ud83d\\ude00\\n\\/":5}', { "😀\n/", "/😀\n~1" }, { 5, 5 })
  picks('{"\\u0000":5,"\\"":6,"\\\\":7}', { "\0", '"', "\\\\", "/\\" }, { 5, 6, 7, 7 })
  picks('{"a\\u0062c":1,"ab":2}', { "ab", "abc" }, { 2, 1 })
end

function TestPick:test_duplicates()
  local text = '{"a":{"x":1},"b":[1],"a":{"y":[2,3]},"b":5}'
  picks(text, { "a.x", "a.y", "b", "b[0]", "a.y[-1]" }, { NOTHING, { 2, 3 }, 5, NOTHING, 3 })
  for _, o in ipairs { { duplicates = "first" }, READ, { duplicates = "first", test = "read" } } do
    picks(text, { "a.x", "a.y", "b", "b[0]", "a.y[-1]" }, { 1, NOTHING, { 1 }, 1, NOTHING }, o)
  end
  -- Tables that are results follow the option alone.
  picks('{"t":{"x":1,"x":2}}', { "t", "t.x" }, { { x = 2 }, 2 })
  picks('{"t":{"x":1,"x":2}}', { "t", "t.x" }, { { x = 1 }, 1 }, { duplicates = "first" })
  picks('{"t":{"x":1,"x":2}}', { "t", "t.x" }, { { x = 2 }, 1 }, READ)
  -- A duplicate anywhere is an error if it is one of decode.
  T.each({ '{"a":1,"b":{"c":1,"c":2}}', '{"a":1,"a":2}', '[{"a":1,"\\u0061":1}]' }, function(bad)
    local o = { duplicates = "error" }
    same(T.error_of(pick("a", o), bad), T.error_of(fleece.decode, bad, o))
  end)
end

function TestPick:test_raw()
  local text = ' {"a" : [ 1.50, 1E2,{ } ] ,"b":"\\u0041\\/", "n": null,"big":123456789012345678901234567890}'
  local paths = { "a", "a[0]", "a[1]", "a[-1]", "b", "n", "big", "none", "", "b" }
  local wanted = { "[ 1.50, 1E2,{ } ]", "1.50", "1E2", "{ }", '"\\u0041\\/"', "null", "123456789012345678901234567890",
    NOTHING, text:sub(2), '"\\u0041\\/"' }
  picks(text, paths, wanted, RAW)
  picks(text, paths, wanted, { raw = true, test = "read" })
  picks(text, paths, wanted, { raw = true, null = "nil", big_numbers = "string", comments = true })
  picks("[/*1*/ [1,/*2*/] /*3*/]", { "[0]", "" }, { "[1,/*2*/]", "[/*1*/ [1,/*2*/] /*3*/]" }, { raw = true, json5 = true })
end

function TestPick:test_options_of_decode()
  local null, mt, mt2 = {}, {}, {}
  picks('{"n":null,"l":[null]}', { "n", "l" }, { null, { null } }, { null = null })
  picks('{"n":null,"l":[1,null]}', { "n", "l" }, { NOTHING, { 1 } }, { null = "nil" })
  picks('{"l":[1],"o":{}}', { "l", "o" }, { setmetatable({ 1 }, mt), setmetatable({}, mt2) }, { arrays = mt, objects = mt2 })
  picks('{"o":{}}', { "o" }, { setmetatable({}, fleece.object_mt) })
  picks('[12345678901234567890, 1e999]', { "[0]", "[1]" }, { "12345678901234567890", "1e999" }, { big_numbers = "string" })
  picks('{"a":{"1":2}}', { "a", "a.1" }, { { [1] = 2 }, 2 }, { numeric_keys = true })
  picks("[1,Infinity]", { "[1]", "[-2]" }, { math.huge, 1 }, { invalid_numbers = "literal" })
  picks("[1,NaN]", { "[1]", "" }, { fleece.null, { 1, fleece.null } }, { invalid_numbers = "null" })
  picks("\239\187\191[1]", { "[0]" }, { 1 }, { bom = true })
  picks("\239\187\191[1]", { "[0]" }, { 1 }, { bom = true, test = "read" })
  picks('{"\255":"\255"}', { "\239\191\189" }, { "\239\191\189" }, { invalid_utf8 = "replace" })
  picks('{"\255":"\255"}', { "\255" }, { "\255" }, { invalid_utf8 = "pass" })
  picks('{"\255":"\255"}', { "ÿ" }, { "ÿ" }, { invalid_utf8 = "escape" })
  T.each({ {}, READ }, function(more)
    local json5 = T.merged({ json5 = true }, more)
    picks("{a:'b',/*x*/'c':+.5,\"d\":[0x10,1,],$e:-Infinity,}", { "a", "c", "d[0]", "d[-1]", "d[-2]", "d", "\\$e", "d[2]" },
      { "b", 0.5, 16, 1, 16, { 16, 1 }, -math.huge, NOTHING }, json5)
    picks("// one\n[1,//,]\n{\"a\":2}, 3] // end", { "[1].a", "[-1]", "[-3]" }, { 2, 3, 1 }, T.merged({ comments = true }, more))
    picks("[[1,],[],]", { "[-2][-1]", "[-1]", "[-2]" }, { 1, {}, { 1 } }, T.merged({ trailing_commas = true }, more))
  end)
end

-- In fleece.safe the first result tells whether the text is fine.
function TestPick:test_safe()
  for _, codec in ipairs { safe, T.safe_api } do
    T.returns(T.pack(true, 1, nil, fleece.null), codec.pick("a", "b", "c"), '{"a":1,"c":null}')
    T.returns(T.pack(true), function() return (codec.pick("b")("{}")) end)
    local value, message, byte = codec.decode '{"a":1,}'
    same(value, nil)
    T.returns(T.pack(false, message, byte), codec.pick("a", "b"), '{"a":1,}')
    T.raises_with("bad argument #1 to ", codec.pick, 5)
    T.raises_with("string expected", codec.pick("a"), {})
  end
end

function TestPick:test_codec()
  local codec = fleece.new { null = "nil", raw = true, comments = true }
  T.returns(T.pack("null", "[ 1]"), codec.pick("a", "b"), '{"a":null /**/,"b":[ 1]}')
  T.returns(T.pack(nil, 2), codec.pick("a", "b[1]", { raw = false }), '{"a":null,"b":[1,2]}')
  same(codec.new { test = "read" }.pick "[0]" "[[1] x", "[1]")
  T.raises_with("duplicates", fleece.new { duplicates = "error" }.pick, "a", READ)
  T.raises_with("duplicates", fleece.new { duplicates = "error", test = "read" }.pick, "a")
  same(fleece.new { duplicates = "error", test = "read" }.pick("a", { test = "all" })('{"a":1}'), 1)
  T.raises_with("'raw' has no effect here", fleece.decode, "1", RAW)
end

function TestPick:test_arguments()
  T.bad_argument(1, "path expected, got no value", "pick")
  T.bad_argument(1, "path expected, got table", "pick", {})
  T.bad_argument(1, "path expected, got nil", "pick", nil)
  T.bad_argument(2, "path expected, got number", "pick", "a", 5)
  T.bad_argument(2, "path expected, got nil", "pick", "a", nil, "b")
  T.bad_argument(1, "path expected, got ", "pick", fleece.lazy "[]")
  T.bad_argument(2, "not a key path: wrong at byte 2", "pick", "a", "a[b]")
  T.bad_argument(1, "not a JSON pointer", "pick", "/a~2")
  T.bad_argument(1, "not a JSON pointer", "pick", "/~")
  T.bad_argument(3, "unknown option 'tests'; did you mean 'test'?", "pick", "a", "b", { tests = "all" })
  T.bad_argument(2, "option 'test' must be one of \"all\", \"read\"", "pick", "a", { test = "some" })
  T.bad_argument(2, "option 'raw' must be true or false", "pick", "a", { raw = 1 })
  T.bad_argument(2, "option 'duplicates' must be", "pick", "a", { duplicates = "error", test = "read" })
  T.ends(T.error_of(pick "a"), "bad argument #1 to 'picker' (string expected, got no value)")
  same(pick("a", nil)('{"a":1}'), 1)
  same(type(pick "a"), "function")
  same(pick "[0]" (5), nil) -- numbers are texts, as for decode
  same(pick "" (5), 5)
end

-- An error of the text is decode's, wherever it is, whatever is picked.
local function fails_as_decode(text, paths, options)
  local value, message, byte = safe.decode(text, options)
  if message == nil then lu.fail("accepted: " .. text) end
  same(value, nil)
  for _, o in ipairs { options or {}, T.merged(options, API), T.merged(options, RAW) } do
    local got = T.pack(safe.pick(arguments(paths, o))(text))
    if got[1] ~= false or got[2] ~= message or not T.is_equal(got[3], byte) or got.n ~= 3 then
      lu.fail(("%s\ngot %s\nwanted %s at %d"):format(text:sub(1, 300), lu.prettystr(got), message, byte.byte))
    end
  end
  T.ends(message, T.error_of(pick(arguments(paths, options)), text):sub(-#message))
end

function TestPick:test_errors()
  local paths = { "a", "[0]", "[-1]", "a.b[-1]" }
  T.each({ "", "  ", "[", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', "[1,]", '{"a":1,}', "[1 2]", "[1] 2", "[1]]", "nul",
    "[01]", "[1.]", "[-]", "[1e]", '["\1"]', '["\\x"]', '["\\ud800"]', '["\255"]', '{"\255":1}', "\239\187\191[1]", "[1e400]",
    '{"x":{"y":[1,{"z":1e999}]}}', "[/**/1]", "{a:1}", "['a']", "[NaN]", "\0", "[1]\0", '{"a":{"b":[1,2}}', '{"a":{"b":[1,2]}',
    '{"a":{"b":[1,2]},"a":tru}' }, function(text)
    fails_as_decode(text, paths)
    fails_as_decode(text, { "" }, { duplicates = "first" })
  end)
  fails_as_decode("[1] /*", paths, { comments = true })
  fails_as_decode("[1, /*", paths, { comments = true })
  fails_as_decode('[{"a":1,"a":2}]', paths, { duplicates = "error" })
  fails_as_decode("[1,[9223372036854775808]]", paths, { big_numbers = "error" })
  fails_as_decode("[1,[1e400]]", paths, { big_numbers = "error" })
end

function TestPick:test_limits()
  for depth = 1, 6 do
    local text = ("["):rep(depth) .. "1" .. ("]"):rep(depth)
    for most = 1, 6 do
      local o = { max_depth = most }
      local path = ("[0]"):rep(depth)
      for _, more in ipairs { {}, READ, { comments = true }, { comments = true, test = "read" } } do
        local options = T.merged(o, more)
        if depth <= most then
          picks(text, { path, "[0]", "" }, { 1, (fleece.decode(text))[1], fleece.decode(text) }, options)
        else
          T.raises_with("nesting too deep", pick(path, options), text)
          T.raises_with("nesting too deep", pick("", options), text)
        end
      end
      if depth > most then fails_as_decode(text, { path, "[0]", "x" }, o) end
    end
    fails_as_decode(text, { "[0]" }, { max_bytes = #text - 1 })
    T.raises_with("text too long", pick("[0]", { max_bytes = #text - 1, test = "read" }), text)
    same(pick("x", { max_bytes = #text })(text), nil)
  end
end

-- What reading only as far as needed does not see; and what it sees.
function TestPick:test_read()
  local first = pick("[0]", READ)
  T.each({ "[[1,2] x", '["a" x', "[true, nul", "[1,", "[1 x", "[1]]]", "[null,\255" }, function(text)
    same(fleece.encode(first(text)), fleece.encode(fleece.decode(text:match '^%[(%[[^%]]*%])' or text:match '^%[("?%w+"?)')))
  end)
  T.each({ "[", "", "[1x]", "[1x", "[12", "[tru]", "[\"\255\"]", '["\\x"]', "[[1 2]]", "[1.]", "[01]", "[1e999]", "[{\"a\"}]", "[\"a" },
    function(text)
      same(T.error_of(first, text), T.error_of(fleece.decode, text), text)
      local ok, message, byte = safe.pick("[0]", READ)(text)
      local _, wanted, place = safe.decode(text)
      same(ok, false)
      same(message, wanted)
      T.equal(byte, place)
    end)
  local both = pick("b", "a", READ)
  T.returns(T.pack(2, 1), both, '{"a":1,"b":2,,,')
  T.raises_with("expected ", both, '{"a":1,,"b":2}')
  T.returns(T.pack("[1]", '"x"'), pick("a", "b", { raw = true, test = "read" }), '{"a":[1],"b":"x"')
end

-- Many paths, goals and results: more than the stack of C or Lua has in any case.
function TestPick:test_many()
  for _, n in ipairs { 8, 9, 31, 32, 33, 200, 5000 } do
    local paths, wanted, parts = {}, {}, {}
    for i = 1, n do
      paths[i] = i % 3 == 0 and "/list/" .. i - 1 or i % 3 == 1 and "list[" .. i - 1 .. "]" or "list[" .. i - n - 1 .. "]"
      parts[i] = i % 7 == 0 and '"text ' .. i .. '"' or tostring(i)
      wanted[i] = i % 7 == 0 and "text " .. i or i
    end
    local text = '{"list":[' .. table.concat(parts, ",") .. "]}"
    for _, codec in ipairs(T.codecs) do
      local got = T.pack(codec.pick(T.unpack(paths, 1, n))(text))
      same(got.n, n)
      for i = 1, n do same(got[i], wanted[i]) end
    end
    same(select("#", safe.pick(T.unpack(paths, 1, n))(text)), n + 1)
  end
  local long = "a" .. (".a"):rep(300)
  local text = ('{"a":'):rep(301) .. '"x"' .. ("}"):rep(301)
  picks(text, { long, long .. ".a" }, { "x", NOTHING })
end

function TestPick:test_hostile()
  local deep = ("["):rep(200000)
  T.raises_with("nesting too deep", pick "[0][0]", deep)
  T.raises_with("nesting too deep", pick("[0][0]", READ), deep)
  T.raises_with("unexpected end", pick("[0][0]", { max_depth = 1000000 }), deep)
  local closed = deep .. ("]"):rep(200000)
  T.equal(pick("[-1]" .. ("[-1]"):rep(20) .. "[5]", { max_depth = 1000000 })(closed), nil)
  T.equal(pick(("[-1]"):rep(20) .. "[0][0].x", "[0][-1]", { max_depth = 1000000, raw = true })(closed), nil)
  local equal = "{" .. ('"a":{"b":[1]},'):rep(20000) .. '"a":{}}'
  T.returns(T.pack(nil, {}), function(t)
    local b, a = pick("a.b[-1]", "a")(t)
    return b, setmetatable(a, nil)
  end, equal)
  same(pick("a.b[-1]", { duplicates = "first" })(equal), 1)
  local escaped = "{" .. ('"\\u0061":1,'):rep(20000) .. '"\\u0061":2}'
  same(pick "a" (escaped), 2)
  same(pick("name", { comments = true })('{"x":"' .. ("\\u00e9"):rep(50000) .. '", "name" : "' .. ("\\n"):rep(1000) .. '"}'),
    ("\n"):rep(1000))
end

-- Results are tables of their own.
function TestPick:test_results_are_apart()
  local whole, part, again = pick("", "a", "a")('{"a":[1]}')
  lu.assertFalse(whole.a == part)
  lu.assertFalse(part == again)
end

----------------------------------------------------------------------------------------------- random

-- A step as text of a path; nil: paths cannot express it.
local function path_step(step)
  if step.index then return "[" .. step.index .. "]" end
  if step.name == "" then return nil end
  return "." .. step.name:gsub("[%.%[\\%$]", "\\%0")
end

local function path_text(steps)
  local parts = { "$" }
  for i, step in ipairs(steps) do
    parts[i + 1] = path_step(step)
    if not parts[i + 1] then return nil end
  end
  return table.concat(parts)
end

local function pointer_text(steps)
  local parts = {}
  for i, step in ipairs(steps) do
    if step.index and step.index < 0 then return nil end
    parts[i] = "/" .. (step.index or step.name:gsub("~", "~0"):gsub("/", "~1"))
  end
  return table.concat(parts)
end

local function is_array(t) return getmetatable(t) ~= fleece.object_mt and (next(t) == nil or type(next(t)) == "number") end

-- The value that the steps lead to in what decode gave.
local function look_up(value, steps, is_pointer)
  for _, step in ipairs(steps) do
    if type(value) ~= "table" then return nil end
    if is_array(value) then
      local index = step.index or is_pointer and step.name:match "^%d+$" and (step.name == "0" or step.name:sub(1, 1) ~= "0") and
        tonumber(step.name)
      if not index then return nil end
      value = value[index < 0 and #value + index + 1 or index + 1]
    else
      local name = step.name or is_pointer and tostring(step.index)
      if not name then return nil end
      value = value[name]
    end
    if value == nil then return nil end
  end
  return value
end

-- Steps to some value in this one, or to none.
local function random_steps(value)
  local steps = {}
  while type(value) == "table" and random(1, 6) > 1 do
    local step, keys = {}, T.ordered_keys(value)
    if random(1, 12) == 1 or #keys == 0 then
      if random(1, 2) == 1 then step.index = random(-3, 3) else step.name = T.pick { "x", "0", "7", "", "é", "a\n", "none" } end
    elseif is_array(value) then
      step.index = random(1, #value) - 1
      if random(1, 3) == 1 then step.index = step.index - #value end
    else step.name = T.pick(keys) end
    steps[#steps + 1] = step
    value = look_up(value, { step })
  end
  return steps
end

-- Up to `most` paths, and the steps of each.
local function random_paths(value, most)
  local paths, all = {}, {}
  for i = 1, random(1, most) do
    local steps = random_steps(value)
    local text = random(1, 2) == 1 and path_text(steps) or nil
    paths[i] = text or pointer_text(steps) or path_text(steps) or ""
    all[i] = { steps = text and steps or pointer_text(steps) and steps or path_text(steps) and steps or {},
      is_pointer = paths[i] == "" or paths[i]:sub(1, 1) == "/" }
    if text and random(1, 4) == 1 then paths[i] = fleece.path(text) end
  end
  return paths, all
end

local SPACES = { "", " ", "\n  " }

local function compare(text, value, options, most)
  local paths, all = random_paths(value, most)
  local got = T.pack(pick(arguments(paths, options))(text))
  local by_api = T.pack(pick(arguments(paths, T.merged(options, API)))(text))
  same(got.n, #paths)
  same(by_api.n, #paths)
  local raw = T.pack(pick(arguments(paths, T.merged(options, RAW)))(text))
  for i = 1, #paths do
    local what = text:sub(1, 1000) .. "\n" .. tostring(paths[i])
    local wanted = look_up(value, all[i].steps, all[i].is_pointer)
    must_be_same(got[i], wanted, what)
    must_be_same(by_api[i], wanted, what)
    if wanted == nil then
      same(raw[i], nil)
    else
      lu.assertTrue(text:find(raw[i], 1, true) ~= nil)
      must_be_same(fleece.decode(raw[i], options), wanted, what .. " raw")
    end
  end
  return paths, all, raw
end

function TestPick:test_random_values()
  T.random_rounds(600, function()
    local text = T.pick(SPACES) .. R.text(5, 12) .. T.pick(SPACES)
    local options = T.pick { {}, {}, { duplicates = "first" }, { layout = "api" }, { duplicates = "error" }, { comments = true },
      { json5 = true }, { invalid_utf8 = "replace" } }
    local value, message = safe.decode(text, options)
    if message then
      fails_as_decode(text, random_paths(fleece.decode(text, { duplicates = "last", big_numbers = "string" }), 5), options)
    else
      compare(text, value, options, random(1, 10) == 1 and 60 or 5)
    end
  end)
end

-- Without tests the first member counts; else the results are the same.
function TestPick:test_random_read()
  T.random_rounds(300, function()
    local text = R.text(5, 12)
    local options = T.pick { {}, { comments = true }, { layout = "api" } }
    local value, message = safe.decode(text, { duplicates = "first" })
    if message then return end
    local paths, _, raw = compare(text, value, T.merged(options, { duplicates = "first" }), 5)
    local got = T.pack(pick(arguments(paths, T.merged(options, READ)))(text))
    local got_raw = T.pack(pick(arguments(paths, T.merged(options, { raw = true, test = "read" })))(text))
    for i = 1, #paths do
      same(got_raw[i], raw[i], text)
      local wanted
      if raw[i] then wanted = fleece.decode(raw[i]) end
      must_be_same(got[i], wanted, text)
    end
  end)
end

local PIECES = { "[", "]", "{", "}", ",", ":", '"', "\\", "0", "-", ".", "e", "t", "\0", "\255", " ", "\n", "/", "//", "/*", "'",
  "1e999", "null", "\\u0061", "\\ud800" }

-- Any text: what decode refuses is refused in the same words, and what it takes gives what a look-up gives.
function TestPick:test_random_damage()
  T.random_rounds(1500, function()
    local text = R.text(4, 8)
    local value = safe.decode(text)
    text = R.mutated(text, PIECES)
    local options = T.pick { {}, {}, {}, { duplicates = "first" }, { duplicates = "error" }, { big_numbers = "error" },
      { big_numbers = "string" }, { comments = true }, { json5 = true }, { trailing_commas = true }, { invalid_utf8 = "replace" },
      { invalid_utf8 = "pass" }, { invalid_numbers = "literal" }, { bom = true }, { max_depth = 3 }, { max_bytes = 40 } }
    local paths = random_paths(value, 4)
    local result, message = safe.decode(text, options)
    local read = T.pick { READ, { test = "read", raw = true } }
    local got = T.pack(safe.pick(arguments(paths, T.merged(T.merged(options, { duplicates = "last" }), read)))(text))
    if message then
      fails_as_decode(text, paths, options)
      if got[1] == false then same(got.n, 3) end
    else
      compare(text, result, options, 4)
      if got[1] ~= true then lu.fail(text .. "\n" .. lu.prettystr(got)) end
    end
  end)
end

-- A picker's names and items are searched for, not compared one by one: 4,000 paths in an object or array of as many.
function TestPick:test_many_paths_are_linear()
  for _, path in ipairs { "m%d", "m%d.id", "[%d]", "/%d", "[%d].id", "[-%d]" } do
    local is_object = path:find "m"
    T.linear(function(n)
      local value, paths = is_object and {} or fleece.array {}, {}
      for i = 1, n do
        value[is_object and "m" .. 10000 + i or i] = { id = i }
        paths[i] = path:format(is_object and 10000 + i or path:find "-" and n + 1 - i or i - 1)
      end
      local text, pick = fleece.encode(value), fleece.pick(T.unpack(paths))
      local start = os.clock()
      local results = T.pack(pick(text))
      local seconds = os.clock() - start
      for _, i in ipairs { 1, 2, 300, n } do same(type(results[i]) == "table" and results[i].id or results[i], i, path) end
      return seconds
    end, 400, 4000, 40)
  end
end

-- Many names, of kinds whose hashes differ in other bytes, or are equal ("the_same..."): each is found, and nothing else is.
function TestPick:test_many_names()
  local kinds = {
    "%d", "k%d", "name_%05d", "%d_of_many_names", "the_same_beginning_%d_the_same_end", ("x"):rep(70) .. "%d", "k\195\169%d",
  }
  for _, n in ipairs { 7, 8, 9, 64, 65, 300 } do
    for _, kind in ipairs(kinds) do
      local value, others, paths = {}, {}, {}
      for i = 1, n do
        local name = kind:format(1000 + i)
        value[name], paths[i] = i, "/" .. name
        others["a" .. name], others[name .. "1"], others[name:sub(2)] = true, true, true
      end
      for name in pairs(value) do others[name] = nil end
      local picker = fleece.pick(T.unpack(paths))
      local found, nothing = T.pack(picker(fleece.encode(value))), T.pack(picker(fleece.encode(others)))
      for i = 1, n do
        same(found[i], i, paths[i])
        same(nothing[i], nil, paths[i])
      end
    end
  end
end

return TestPick
