-- SPDX-License-Identifier: MIT
-- differential.lua -- what the tests share that compare a module with the library that it stands in for: finding that
-- library, comparing what calls do, random values and texts.
--
-- Nothing here says what may differ: that is in each test.

local T = require "support"
local lu, random, jit = T.lu, T.random, rawget(_G, "jit")

local D = {}

-- ---- the library ---------------------------------------------------------------------------------------------

-- The first table that a file `name` on the path gives and that `accept` takes. Files are loaded by `load`.
function D.find_on(path, name, accept, load)
  for place in path:gmatch "[^;]+" do
    local chunk = (load or loadfile)((place:gsub("?", name)))
    local ok, module = pcall(chunk or error)
    if ok and type(module) == "table" and accept(module) then return module end
  end
end

-- The same of the file that the environment variable names, if it is set: then no other will do.
function D.find_file(variable, path, name, accept, load)
  local file = os.getenv(variable)
  if not file then return D.find_on(path, name, accept, load) end
  local module = assert((load or loadfile)(file))()
  assert(accept(module), variable .. " names another library")
  return module
end

-- A library in C: of the object that the variable names, or as `require` finds it; else nil and why there is none.
function D.find_object(variable, name)
  local object = os.getenv(variable)
  if not object then
    local ok, module = pcall(require, name)
    return ok and module or nil, module
  end
  local open, why = package.loadlib(object, "luaopen_" .. name)
  return open and open(), why
end

-- A setUp that skips where there is no library.
function D.needs(real, name, hint)
  return function()
    if not real then lu.skip(("SKIPPED: no %s to compare with (%s)"):format(name, hint)) end
  end
end

-- ---- comparing -----------------------------------------------------------------------------------------------

-- A value that is no table, with its subtype.
function D.leaf(v)
  if v == 0 then return "0" end -- "-0": an integer there, -0.0 here
  if type(v) == "string" then return ("%q"):format(v) end
  return T.math_type(v) == "float" and ("float %.17g"):format(v) or tostring(v)
end

-- A value as text. leaf(v) has the text of what is not to be described as usual; mark(t) what counts of a table beside
-- its fields.
function D.describe(v, leaf, mark)
  local special = leaf and leaf(v)
  if special then return special end
  if type(v) ~= "table" then return D.leaf(v) end
  local parts = {}
  for k, item in next, v do
    parts[#parts + 1] = D.describe(k, leaf, mark) .. "=" .. D.describe(item, leaf, mark)
  end
  table.sort(parts)
  return (mark and mark(v) or "") .. "{" .. table.concat(parts, ",") .. "}"
end

-- A message without what the patterns match at its beginning: the places where a library raises.
function D.without_places(message, patterns)
  for _, pattern in ipairs(patterns) do message = message:gsub("^" .. pattern, "") end
  return message
end

-- Makes compare(what, f, g, ...), which calls ours and theirs and demands that they do the same. The rules are
-- functions:   describe(v, seen)    a result as text, D.describe by default; `seen` is a table for all results of one
-- call   clean(message)       the message of an error, or behind a nil, as far as it counts; all by default
--   known(got, wanted)   true if the two may differ so
-- The two are "true" or "false" and the results, as text.
function D.comparer(rules)
  local describe, clean = rules.describe or function(v) return D.describe(v) end, rules.clean
  local function collect(ok, ...)
    local parts, seen, failed = { tostring(ok) }, {}, not ok
    for i = 1, select("#", ...) do
      local v = select(i, ...)
      if clean and failed and type(v) == "string" then v = clean(v) end
      parts[i + 1] = describe(v, seen)
      failed = i == 1 and v == nil
    end
    return table.concat(parts, " | ")
  end
  return function(what, f, g, ...)
    local got, wanted = collect(pcall(f, ...)), collect(pcall(g, ...))
    if got == wanted or rules.known and rules.known(got, wanted) then return end
    T.same(got, wanted, what)
  end
end

-- Texts that libraries are known to read in different ways; patterns for `known`.
D.SURROGATE_PAIR = "\\u[dD][89abAB]%x%x\\u[dD][c-fC-F]"
D.WIDE_HEXADECIMAL = "0[xX]" .. ("%x"):rep(16) -- integers that wrap around
D.LONG_EXPONENT = jit and "[eE][%+%-]?%d%d%d%d%d" or nil -- LuaJIT's own numbers have no more than four digits there

-- Makes known(text): true for a text in which one of the patterns is. A pattern that is nil or false does not count.
function D.known(...)
  local patterns, n = { ... }, select("#", ...)
  return function(text)
    for i = 1, n do
      if patterns[i] and text:find(patterns[i]) then return true end
    end
    return false
  end
end

-- Makes compare_decode(text, ...), which compares decode(text, ...) of the two libraries, unless known(text). Returns
-- whether it did.
function D.decode_comparer(compare, ours, theirs, known)
  return function(text, ...)
    if known(text) then return false end
    local more = { ("decode %q"):format(text) }
    for i = 1, select("#", ...) do more[i + 1] = D.describe((select(i, ...))) end
    compare(table.concat(more, ", "), ours.decode, theirs.decode, text, ...)
    return true
  end
end

-- ---- values --------------------------------------------------------------------------------------------------

D.pick = T.pick

-- One of the first n, but once in `odds` one of all.
function D.mostly(list, n, odds) return list[random(1, odds) > 1 and random(1, n) or random(1, #list)] end

-- A value that has no JSON.
function D.unsupported() return D.pick { print, coroutine.create(function() end), io.stdout } end

-- A string of at most n pieces: a third of them odd ones, the others a character some times.
function D.bytes(n, odd)
  local s = {}
  for i = 1, random(0, n) do s[i] = random(1, 3) == 1 and odd() or string.char(random(32, 126)):rep(random(1, 9)) end
  return table.concat(s)
end

-- Any byte some times.
function D.any_byte() return string.char(random(0, 255)):rep(random(1, 9)) end

-- A number, or 1 where LuaJIT's own %.14g does not round a tie to even, as C's does.
function D.rounded(n, encode)
  if jit and n == n and n > -1 / 0 and n < 1 / 0 and ("%.14g"):format(n) ~= encode(n) then return 1 end
  return n
end

-- A number; one of 12 * `odds` is none that JSON has.
function D.number(odds)
  local kind = random(1, 12)
  if kind <= 3 then return T.random_double() end
  if kind <= 6 then return random(-1000000, 1000000) / 100 end
  if kind == 7 then
    return D.pick { 0, -0.0, 0.1, 1e15, 1e14, 99999999999999.5, 2.0 ^ 53, 1e100, 5e-324, 99999999999999 }
  end
  if kind == 8 and random(1, odds) == 1 then return D.pick { 1 / 0, -1 / 0, 0 / 0 } end
  return random(-9, 9) * 10 ^ random(0, 15)
end

-- Makes value(depth), which gives two values alike, for two libraries with marks of their own:
--   bytes(), number()        a string, a number
--   odds                     once in so many a value that has no JSON where one could be
--   marks()                  the two libraries' own marks
--   list(set), object(set)   sets odd fields of a list or an object: set(key, value of the one, of the other)
--   finish(s, t)             what else becomes of the two tables
function D.twins(o)
  local function twice(v) return v, v end
  local function value(depth)
    local kind = random(1, 26)
    if kind <= 6 then return twice(o.bytes()) end
    if kind <= 11 then return twice(o.number()) end
    if kind == 12 then return twice(random(1, 2) == 1) end
    if kind == 13 and random(1, o.odds) == 1 then return twice(D.unsupported()) end
    if kind == 14 then return o.marks() end
    if depth > 6 or kind <= 16 then return "leaf", "leaf" end
    local s, t = {}, {}
    local function set(k, a, b) s[k], t[k] = a, b end
    if kind <= 20 then
      for i = 1, random(0, 6) do set(i, value(depth + 1)) end
      o.list(set)
    else
      for _ = 1, random(0, 6) do set(o.bytes(), value(depth + 1)) end
      o.object(set)
    end
    o.finish(s, t)
    return s, t
  end
  return value
end

-- ---- texts ---------------------------------------------------------------------------------------------------

-- Makes text(depth), which gives a text with a value:
--   number(), string()   one of those
--   words                a list; those of JSON by default
--   name(depth)          what stands before a colon
--   space()              what stands between
--   before()             what stands before a value; space by default
--   comma()              what stands between elements, chosen for each container; "," by default
--   flips                once in so many a member has no name, or an item has one
--   trailing             once in so many a comma stands behind the last element
function D.texts(o)
  local space, before, words = o.space, o.before or o.space, o.words or { "true", "false", "null", "null" }
  local function text(depth)
    local kind = random(1, 12)
    if kind <= 3 then return o.number() .. space() end
    if kind <= 5 then return o.string() .. space() end
    if kind == 6 then return D.pick(words) .. space() end
    if depth > 7 then return "[]" end
    local is_object, parts = kind > 9, {}
    for i = 1, random(0, 5) do
      local named = is_object
      if o.flips and random(1, o.flips) == 1 then named = not named end
      parts[i] = (named and o.name(depth) .. space() .. ":" or "") .. before() .. text(depth + 1)
    end
    if o.trailing and random(1, o.trailing) == 1 then parts[#parts + 1] = "" end
    local comma = o.comma and o.comma() or ","
    local open, close = is_object and "{" or "[", is_object and "}" or "]"
    return open .. space() .. table.concat(parts, comma .. space()) .. close .. space()
  end
  return text
end

-- Calls f(s, damaged) with n random texts, each as it is and damaged.
function D.each_text(n, text, pieces, f)
  for _ = 1, n do
    local s = text(1)
    f(s, false)
    f(T.damaged(s, pieces), true)
  end
end

return D
