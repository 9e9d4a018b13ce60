-- SPDX-License-Identifier: MIT
-- test_write.lua -- fleece.write: file handles, functions, objects with write, LuaJIT's string.buffer.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestWrite = {}

-- A small value with some megabytes of text.
local function big()
  local t, s = {}, ("text "):rep(20)
  for i = 1, 60000 do t[i] = i % 3 == 0 and i or i % 3 == 1 and s or { s, i / 8 } end
  return t
end

local values = { false, 1, "x", {}, { 1, 2, 3 }, { a = { b = "c" } }, ("y"):rep(3000000), ("\n"):rep(100000),
  { ("z"):rep(8192), ("z"):rep(70000), 1 } }

-- Writes the value with both walks, one after the other; returns all text.
local function written_twice(value, options)
  return T.file_text(function(file)
    same(fleece.write(file, value, options), true)
    same(T.api.write(file, value, options), true)
  end)
end

function TestWrite:test_file()
  for _, value in ipairs(values) do
    local text = fleece.encode(value)
    same(written_twice(value), text .. text)
  end
  local value = big()
  local text = fleece.encode(value)
  same(written_twice(value), text .. text)
end

function TestWrite:test_file_with_options()
  local value = { b = { 1, {} }, a = "\195\164/" }
  local options = { indent = 2, sort_keys = true, ascii = true, escape_slash = true }
  local text = fleece.encode(value, options)
  same(written_twice(value, options), text .. text)
end

function TestWrite:test_file_between_other_writes()
  local f = assert(io.tmpfile())
  f:write "before "
  fleece.write(f, { 1, 2 })
  f:write " after"
  f:seek "set"
  same(f:read "*a", "before [1,2] after")
  f:close()
end

function TestWrite:test_closed_file()
  local f = assert(io.tmpfile())
  f:close()
  lu.assertError(fleece.write, f, { 1 })
  lu.assertError(T.api.write, f, big())
  same(fleece.encode { 1 }, "[1]")
end

-- The C library soon reuses the memory of a closed FILE.
function TestWrite:test_file_that_a_hook_closes()
  for _, codec in ipairs(T.codecs) do
    for _, rest in ipairs { 1, big() } do
      local file, other = assert(io.tmpfile()), nil
      local value = setmetatable({}, { __tojson = function()
        file:close()
        other = assert(io.tmpfile())
        return "1"
      end })
      T.raises_ending("attempt to use a closed file", codec.write, file, { value, rest })
      other:seek "set"
      same(other:read "*a", "")
      other:close()
      file = assert(io.tmpfile())
      T.raises_ending("attempt to use a closed file", codec.write, file, { rest, print }, { on_error = function()
        file:close()
        return 1
      end })
    end
  end
  local file = assert(io.tmpfile())
  T.fails("attempt to use a closed file", T.safe.write, file, { setmetatable({}, { __tojson = function()
    file:close()
    return "1"
  end }) })
end

function TestWrite:test_file_that_a_finalizer_closes()
  local text = fleece.encode(values[5])
  local calls = {
    function(f) return fleece.write(f, values[5]) end,
    function(f) return fleece.format_stream(text, f) end,
    function(f) return fleece.format_stream(f, nil) end,
    function(f) return fleece.documents(f)() end,
  }
  for _, call in ipairs(calls) do
    T.with_busy_collector(100, 20, function()
      local f, closed, going = assert(io.tmpfile()), false, false
      f:write(text)
      f:seek "set"
      for _ = 1, 5 do
        T.finalizer(function()
          if going and not closed then closed = f:close() end
        end)
      end
      going = true
      local ok, message = pcall(call, f)
      going = false
      if not ok then
        T.contains(message, "attempt to use a closed file")
        same(closed, true)
      end
      if not closed then f:close() end
    end)
  end
end

function TestWrite:test_file_that_cannot_be_written()
  local full = io.open("/dev/full", "w")
  if not full then lu.skip "this system: no /dev/full here" end
  local value = big()
  local ok, message = pcall(fleece.write, full, value)
  same(ok, false)
  lu.assertIsString(message)
  local result
  result, message = T.safe.write(full, value)
  same(result, nil)
  lu.assertIsString(message)
  pcall(full.close, full)
end

function TestWrite:test_function()
  for _, codec in ipairs(T.codecs) do
    for _, value in ipairs(values) do
      local sink, result = T.collector()
      same(codec.write(sink, value), true)
      same(result(), codec.encode(value))
    end
  end
end

function TestWrite:test_function_with_big_values()
  local value = big()
  local text = fleece.encode(value)
  for _, options in ipairs { {}, { indent = 1 }, { ascii = true, html = true }, { precision = 3 },
    { layout = "api" } } do
    local sink, result = T.collector()
    fleece.write(sink, value, options)
    same(result(), fleece.encode(value, options))
  end
  same(#text > 3000000, true)
end

function TestWrite:test_pieces_are_not_empty_and_not_big()
  local count, longest = 0, 0
  fleece.write(function(piece)
    count = count + 1
    lu.assertTrue(#piece > 0)
    longest = math.max(longest, #piece)
  end, { big(), ("x"):rep(1000000) })
  lu.assertTrue(count > 10)
  lu.assertTrue(longest <= 300000, "longest piece " .. longest)
end

function TestWrite:test_memory_stays_bounded()
  -- 20 MB of text from one repeated string. A full collection in the sink shows how much memory is in use.
  local t, s = {}, ("0123456789"):rep(10)
  for i = 1, 200000 do t[i] = s end
  for _, codec in ipairs(T.codecs) do
    codec.write(function() end, t)
    local before, most, bytes, calls = T.memory(), 0, 0, 0
    codec.write(function(piece)
      bytes, calls = bytes + #piece, calls + 1
      if calls % 20 == 1 then
        collectgarbage()
        most = math.max(most, collectgarbage "count")
      end
    end, t)
    same(bytes, 200000 * 103 + 1)
    lu.assertTrue(most - before < 1000, "held " .. most - before .. " KB")
  end
end

function TestWrite:test_sink_errors()
  for _, codec in ipairs(T.codecs) do
    for stop = 1, 5 do
      local n = 0
      local message = T.error_of(codec.write, function()
        n = n + 1
        if n == stop then error("sink is full", 0) end
      end, big())
      T.contains(message, "sink is full")
    end
    T.raises_with("tiny", codec.write, function() error "tiny" end, 1)
    same(codec.encode { 1 }, "[1]")
  end
  local object = {}
  local got = T.error_of(fleece.write, function() error(object) end, { 1 })
  if got ~= object then lu.assertIsString(got) end
end

function TestWrite:test_errors_in_the_value()
  local value = big()
  value[59999] = { x = print }
  for _, codec in ipairs(T.codecs) do
    T.raises_ending("cannot encode a function at [59999].x", codec.write, function() end, value)
  end
  local result, message = T.safe.write(function() end, value)
  same(result, nil)
  T.ends(message, "cannot encode a function at [59999].x")
end

function TestWrite:test_sink_that_changes_the_value()
  for _, codec in ipairs(T.codecs) do
    for mode = 1, 4 do
      local t, calls = { ("a"):rep(1000) }, 0
      for i = 2, 2500 do t[i] = { i, ("b"):rep(100), k = { i } } end
      pcall(codec.write, function()
        calls = calls + 1
        if mode == 1 then
          for k in next, t do t[k] = nil end
        elseif mode == 2 then
          for i = 1, 10000 do t["n" .. i] = i end
        elseif mode == 3 then
          for i = 2, #t do t[i] = nil end
          collectgarbage()
          collectgarbage()
        else
          for i = 2, 2500 do
            if t[i] then
              t[i].k = nil
              t[i] = ("c"):rep(i % 300)
            end
          end
          collectgarbage()
        end
      end, t)
      lu.assertTrue(calls > 0)
      same(codec.encode { 1 }, "[1]")
    end
  end
end

function TestWrite:test_sink_that_encodes()
  local value = { big(), "end" }
  for _, codec in ipairs(T.codecs) do
    local pieces = {}
    codec.write(function(piece)
      pieces[#pieces + 1] = piece
      same(codec.encode { "inner", { 1 } }, '["inner",[1]]')
      local sink, result = T.collector()
      codec.write(sink, { ("i"):rep(5000) })
      same(result(), '["' .. ("i"):rep(5000) .. '"]')
    end, value)
    same(table.concat(pieces), fleece.encode(value))
  end
end

function TestWrite:test_object_with_write()
  local pieces = {}
  local object = { write = function(self, piece)
    self.count = (self.count or 0) + 1
    pieces[#pieces + 1] = piece
    return self
  end }
  same(fleece.write(object, { 1, { "x" } }), true)
  same(table.concat(pieces), '[1,["x"]]')
  lu.assertTrue(object.count >= 1)
  local inherited = setmetatable({}, { __index = object })
  pieces = {}
  fleece.write(inherited, big())
  same(table.concat(pieces), fleece.encode(big()))
  lu.assertError(fleece.write, { write = 1 }, { 1 })
end

function TestWrite:test_object_that_reports_failure() -- it returns nil and a message, like file:write
  local object = { write = function() return nil, "no space" end }
  local ok, message = pcall(fleece.write, object, { 1 })
  same(ok, false)
  T.contains(message, "no space")
  local result
  result, message = T.safe.write(object, { 1 })
  same(result, nil)
  T.contains(message, "no space")
end

function TestWrite:test_cdata()
  local ok, ffi = pcall(require, "ffi")
  if not ok or type(ffi) ~= "table" or not jit then lu.skip "this Lua: no FFI" end
  local pieces = {}
  local sink = ffi.metatype("struct { int unused; }", { __index = {
    write = function(_, piece) pieces[#pieces + 1] = piece return true end,
  } })()
  for _, codec in ipairs(T.codecs) do
    same(codec.write(sink, big()), true)
    same(table.concat(pieces), fleece.encode(big()))
    pieces = {}
    for _, value in ipairs { ffi.new "struct { int x; }", ffi.new("int64_t", 1), ffi.new "struct { int write; }" } do
      T.bad_argument(1, "a file, a function or an object with a put or write method expected, got cdata", "write", value, {})
    end
  end
end

function TestWrite:test_string_buffer()
  local ok, buffer = pcall(require, "string.buffer")
  if not ok then lu.skip "this Lua: no string.buffer" end
  for _, codec in ipairs(T.codecs) do
    local b = buffer.new()
    b:put "<"
    same(codec.write(b, { 1, { a = "x" } }), true)
    b:put ">"
    same(b:tostring(), '<[1,{"a":"x"}]>')
    b:reset()
    codec.write(b, big())
    same(b:tostring(), fleece.encode(big()))
  end
end

function TestWrite:test_write_in_a_coroutine_that_yields()
  local co = coroutine.create(function() return fleece.write(function(piece) coroutine.yield(piece) end, { 1, 2 }) end)
  local ok, piece = coroutine.resume(co)
  if ok and coroutine.status(co) == "suspended" then
    lu.assertIsString(piece)
    repeat ok = coroutine.resume(co) until coroutine.status(co) == "dead"
    same(ok, true)
  end
  same(fleece.encode { 1 }, "[1]")
end
