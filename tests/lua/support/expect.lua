-- SPDX-License-Identifier: MIT
-- expect.lua -- the assertions that all tests use; support.lua passes them on (T.same, T.raises, ...).
--
-- Assertions about a call take the expected result, then the function and its arguments. Assertions about a value take
-- the value, then the expected one. `what` names the failed case in the message.

local lu = require "luaunit"

local E = {}

E.pack = table.pack or function(...) return { n = select("#", ...), ... } end
E.unpack = table.unpack or unpack
E.math_type = math.type or function(v) return type(v) == "number" and "float" or nil end

-- ---- values ------------------------------------------------------------------------------------------------------

-- Two values are equal by ==, and numbers have the same subtype: tables are compared by `equal`. The message is short,
-- because results can have megabytes.
function E.same(got, expected, what)
  if got == expected and E.math_type(got) == E.math_type(expected) then return end
  what = what and what .. ": " or ""
  if type(got) ~= "string" or type(expected) ~= "string" then
    local same_words = type(got) == "table" and type(expected) == "table" and " (two tables; T.equal compares what is in them)" or ""
    lu.fail(what .. "expected " .. lu.prettystr(expected) .. ", got " .. lu.prettystr(got) .. same_words)
  end
  local i = 1
  while got:byte(i) == expected:byte(i) do i = i + 1 end
  local from = math.max(1, i - 20)
  lu.fail(string.format("%sfirst difference at byte %d\nexpected (%d bytes) ...%q\n     got (%d bytes) ...%q", what, i,
    #expected, expected:sub(from, i + 60), #got, got:sub(from, i + 60)))
end

-- Two values are equal: tables by their contents, anything else as in `same`.
function E.equal(got, expected, what)
  if type(got) == "table" and type(expected) == "table" then return lu.assertEquals(got, expected, what) end
  E.same(got, expected, what)
end

-- Are two values equal? Metatables are ignored. It builds no message, so it is fast.
function E.is_equal(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for key, value in next, a do
    if not E.is_equal(value, rawget(b, key)) then return false end
  end
  for key in next, b do
    if rawget(a, key) == nil then return false end
  end
  return true
end

-- A message contains this text.
function E.contains(message, text)
  if type(message) ~= "string" or not message:find(text, 1, true) then
    lu.fail("expected a message with \"" .. text .. "\", got " .. lu.prettystr(message))
  end
end

-- A message ends with this text.
function E.ends(message, text)
  if type(message) ~= "string" or message:sub(-#text) ~= text then
    lu.fail("expected the message \"" .. text .. "\", got " .. lu.prettystr(message))
  end
end

-- ---- calls -------------------------------------------------------------------------------------------------------

-- f(...) raises an error; returns it.
function E.error_of(f, ...)
  if f == nil or type(f) == "string" then lu.fail("something to call expected, got " .. lu.prettystr(f)) end
  local ok, message = pcall(f, ...)
  if ok then lu.fail("no error; result " .. lu.prettystr(message):sub(1, 200)) end
  return message
end

-- f(...) raises exactly this. (A C function that is called directly raises its message without a position.)
function E.raises(expected, f, ...) E.same(E.error_of(f, ...), expected) end

-- f(...) raises a message that contains this text.
function E.raises_with(text, f, ...) E.contains(E.error_of(f, ...), text) end

-- f(...) raises a message that ends with this text: the whole message, or all of it after its position.
function E.raises_ending(text, f, ...) E.ends(E.error_of(f, ...), text) end

-- f(...) returns exactly these results: `expected` is T.pack(results), or a list with their count as n.
function E.returns(expected, f, ...) lu.assertEquals(E.pack(f(...)), expected) end

-- f(...) returns nil, exactly this message, and perhaps more.
function E.fails(message, f, ...)
  local result, got = f(...)
  E.same(result, nil)
  E.same(got, message)
end

-- f(...) returns nil, a message that contains this text, and perhaps more.
function E.fails_with(text, f, ...)
  local result, got = f(...)
  E.same(result, nil)
  E.contains(got, text)
end

-- Four assertions for any library whose encode(value, ...) and decode(text, ...) raise their errors.
function E.library(library)
  local L = {}

  -- encode(value, ...) returns this text.
  function L.encodes(value, text, ...) E.same(library.encode(value, ...), text) end

  -- decode(text, ...) returns a value that is equal to this one.
  function L.decodes(text, value, ...) E.equal(library.decode(text, ...), value, text) end

  -- encode(value, ...) raises exactly this.
  function L.rejects(value, message, ...) E.raises(message, library.encode, value, ...) end

  -- decode(text, ...) raises exactly this.
  function L.refuses(text, message, ...) E.same(E.error_of(library.decode, text, ...), message, text) end

  return L
end

-- ---- tables of cases ---------------------------------------------------------------------------------------------

-- Calls check(...); the message of a failure names the case and the line of the test.
local function in_case(name, case, check, ...)
  local arguments = E.pack(...)
  local function tell(message)
    if type(message) ~= "string" then return message end
    local place = debug.traceback("", 2):match "test_[%w_]+%.lua:%d+" or "?"
    local ok, shown = pcall(lu.prettystr, case)
    return ("%s\n(%s, %s: %s)"):format(message, place, name, ok and shown:sub(1, 500) or "?")
  end
  local ok, message = xpcall(function() check(E.unpack(arguments, 1, arguments.n)) end, tell)
  if not ok then error(message, 0) end
end

-- Calls check(case, number) with each case of a list.
function E.each(cases, check)
  for i, case in ipairs(cases) do in_case("case " .. i, case, check, case, i) end
end

-- Calls check(key, value) with each pair of a table.
function E.each_pair(cases, check)
  for key, value in pairs(cases) do in_case("case " .. tostring(key), value, check, key, value) end
end

-- ---- files -------------------------------------------------------------------------------------------------------

function E.write_file(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

function E.read_file(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

-- The path of a new file, in memory if the system has a folder for that: what is synced there waits for no disk.
function E.temporary_name()
  local path = os.tmpname()
  local in_memory = "/dev/shm/" .. path:match "[^/\\]+$"
  if not pcall(E.write_file, in_memory, "") then return path end
  os.remove(path)
  return in_memory
end

-- A new file with these bytes; returns its path.
function E.temporary_file(bytes)
  local path = E.temporary_name()
  E.write_file(path, bytes)
  return path
end

-- Calls f(path) with a new file that has these bytes, and removes it.
function E.with_file(bytes, f)
  local path = E.temporary_file(bytes)
  local ok, message = pcall(f, path)
  os.remove(path)
  if not ok then error(message, 0) end
end

-- An open file without a name that has these bytes; its position is the beginning.
function E.open_with(bytes)
  local file = assert(io.tmpfile())
  file:write(bytes)
  file:seek "set"
  return file
end

return E
