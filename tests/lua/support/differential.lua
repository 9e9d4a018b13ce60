-- SPDX-License-Identifier: MIT
-- differential.lua -- helpers for the tests that compare a module with the library that it replaces: finding that
-- library, comparing the results of calls, random values and texts.
--
-- The allowed differences are listed in each test.

local T = require "support"
local lu, random, jit = T.lu, T.random, rawget(_G, "jit")

local D = {}

-- ---- the library ---------------------------------------------------------------------------------------------

-- Loads each file `name` on the path with `load`; returns the first table that `accept` accepts.
function D.find_on(path, name, accept, load)
  for place in path:gmatch "[^;]+" do
    local chunk = (load or loadfile)((place:gsub("?", name)))
    local ok, module = pcall(chunk or error)
    if ok and type(module) == "table" and accept(module) then return module end
  end
end

-- The same; if the environment variable is set, only the file that it names is tried.
function D.find_file(variable, path, name, accept, load)
  local file = os.getenv(variable)
  if not file then return D.find_on(path, name, accept, load) end
  local module = assert((load or loadfile)(file))()
  assert(accept(module), variable .. " names another library")
  return module
end

-- A library in C: from the object file that the variable names, or as `require` finds it. If there is none, nil and the
-- reason.
function D.find_object(variable, name)
  local object = os.getenv(variable)
  if not object then
    local ok, module = pcall(require, name)
    return ok and module or nil, module
  end
  local open, why = package.loadlib(object, "luaopen_" .. name)
  return open and open(), why
end

-- A setUp that skips the tests if the library is missing. `package` is Debian's that has it, if there is one.
function D.needs(real, name, hint, package)
  local why = package and T.no_package or "not packaged"
  return function()
    if not real then lu.skip(("%s: no %s to compare with (%s)"):format(why, name, hint)) end
  end
end

-- ---- comparing -----------------------------------------------------------------------------------------------

-- The text of a value that is not a table, with the subtype of a number.
function D.leaf(v)
  if v == 0 then return "0" end -- "-0": an integer in the other library, -0.0 here
  if type(v) == "string" then return ("%q"):format(v) end
  return T.math_type(v) == "float" and ("float %.17g"):format(v) or tostring(v)
end

-- A value as text. leaf(v) may return the text of a value, or nil for the usual one; mark(t) describes what matters
-- about a table apart from its fields.
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

-- A message without its beginning, as far as one of the patterns matches it: the position in the library's source.
function D.without_places(message, patterns)
  for _, pattern in ipairs(patterns) do message = message:gsub("^" .. pattern, "") end
  return message
end

-- Makes compare(what, f, g, ...), which calls Fleece's function and the other library's; they must do the same.
-- The rules are functions:
--   describe(v, seen)    a result as text, by default D.describe; `seen` is one table for all results of a call
--   clean(message)       the part of an error message (raised, or returned after nil) that is compared; by default all
--   known(got, wanted)   true if this difference is allowed
-- got and wanted are texts: "true" or "false", then the results.
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

-- Patterns of texts that libraries read in different ways, for `known`.
D.SURROGATE_PAIR = "\\u[dD][89abAB]%x%x\\u[dD][c-fC-F]"
D.WIDE_HEXADECIMAL = "0[xX]" .. ("%x"):rep(16) -- the integer wraps around
D.LONG_EXPONENT = jit and "[eE][%+%-]?%d%d%d%d%d" or nil -- LuaJIT reads at most four digits of an exponent

-- Makes known(text): true if one of the patterns matches. A pattern may be nil or false.
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
-- true if it compared.
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

-- One of the first n items; once in `odds` calls one of all items.
function D.mostly(list, n, odds) return list[random(1, odds) > 1 and random(1, n) or random(1, #list)] end

-- A value that JSON does not have.
function D.unsupported() return D.pick { print, coroutine.create(function() end), io.stdout } end

-- A string of up to n pieces: a third of them from odd(), the others one character, repeated.
function D.bytes(n, odd)
  local s = {}
  for i = 1, random(0, n) do s[i] = random(1, 3) == 1 and odd() or string.char(random(32, 126)):rep(random(1, 9)) end
  return table.concat(s)
end

-- One random byte, repeated.
function D.any_byte() return string.char(random(0, 255)):rep(random(1, 9)) end

-- A number; 1 instead of a number whose tie LuaJIT's %.14g does not round to even, as C's does.
function D.rounded(n, encode)
  if jit and n == n and n > -1 / 0 and n < 1 / 0 and ("%.14g"):format(n) ~= encode(n) then return 1 end
  return n
end

-- A number; one of 12 * `odds` is infinite or NaN.
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

-- Makes value(depth), which returns a pair of equal values, one for each library, with that library's own marks:
--   bytes(), number()        a string, a number
--   odds                     one value in so many is one that JSON does not have
--   marks()                  a mark of one library and the same mark of the other
--   list(set), object(set)   sets unusual fields of a list or an object: set(key, value of the one, of the other)
--   finish(s, t)             finishes the two tables
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

-- Makes text(depth), which returns a text with a value:
--   number(), string()   the text of a number, of a string
--   words                a list; by default those of JSON
--   name(depth)          the text before a colon
--   space()              the text between tokens
--   before()             the text before a value; by default space()
--   comma()              the text between elements, chosen for each container; by default ","
--   flips                one member in so many has no name, or one item has one
--   trailing             one container in so many has a comma after its last element
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

-- Calls f(s, damaged) with n random texts, each unchanged and damaged.
function D.each_text(n, text, pieces, f)
  for _ = 1, n do
    local s = text(1)
    f(s, false)
    f(T.damaged(s, pieces), true)
  end
end

return D
