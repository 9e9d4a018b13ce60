-- SPDX-License-Identifier: MIT
-- forms.lua -- the modes of pack: how long their documents are, and how long they and LuaJIT's string.buffer take.
--
--   lua bench/binary/forms.lua DIRECTORY sizes FILE.json...      DIRECTORY: of fleece.so
--   luajit bench/binary/forms.lua DIRECTORY times FILE.json...
--
-- Sizes are in % of the text without white space. Times are milliseconds; all take turns; medians. "floor": the creation of
-- the same tables, empty, by Lua's API (c/floor.c); compiled with $CC in a folder of its own.
package.path = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../?.lua;" .. package.path
package.cpath = assert(arg[1], "the directory of fleece.so expected") .. "/?.so;" .. package.cpath
local fleece, measure = require "fleece", require "measure.rounds"

local MODES = { "fast", "compact", "compatible" }
local ROUNDS = 21

local function text_of(path)
  local file = assert(io.open(path, "rb"))
  local text = fleece.format(file:read "*a")
  file:close()
  return text, path:match "([^/]*)%.json$"
end

local function sizes(text, name)
  local value, row = fleece.decode(text), { name }
  for i, mode in ipairs(MODES) do row[i + 1] = ("%.0f"):format(#fleece.pack(value, { mode = mode }) / #text * 100) end
  print("| " .. table.concat(row, " | ") .. " |")
end

-- The medians of the milliseconds of each function.
local function medians(functions)
  local samples = {}
  for round = 1, ROUNDS do
    for k, run in ipairs(functions) do
      collectgarbage()
      local start = os.clock()
      run()
      samples[k] = samples[k] or {}
      samples[k][round] = (os.clock() - start) * 1e3
    end
  end
  for k, list in ipairs(samples) do samples[k] = ("%.2f"):format(measure.summary(list).median) end
  return samples
end

local function load_floor()
  local path, here = os.tmpname(), arg[0]:match "^(.*)/[^/]*$" or "."
  local command = ('"${CC:-cc}" -std=c99 -O2 -fPIC -shared -I"$(%s/../../tools/where.sh include luajit)" -o %s %s/../c/floor.c')
  assert(os.execute(command:format(here, path, here)) == 0, "floor.c does not compile")
  local floor = assert(package.loadlib(path, "luaopen_floor"))()
  os.remove(path)
  return floor
end

local function times(text, name, floor)
  local buffer, value = require "string.buffer", fleece.decode(text)
  local fast, trusted = fleece.new { mode = "fast" }, fleece.new { trusted = true }
  local document, quick, other = fleece.pack(value), fast.pack(value), buffer.encode(value)
  local record = floor.add(value)
  local written = medians { function() fleece.pack(value) end, function() fast.pack(value) end, function() buffer.encode(value) end }
  local function tables() floor.tables(record) end
  local function theirs() buffer.decode(other) end
  local read = medians { function() fleece.unpack(document) end, function() fleece.unpack(quick) end, theirs, tables }
  local unchecked = medians { function() trusted.unpack(document) end, function() trusted.unpack(quick) end, theirs, tables }
  print("| " .. name .. ", written, ms | " .. table.concat(written, " | ") .. " | |")
  print("| " .. name .. ", read, ms | " .. table.concat(read, " | ") .. " |")
  print("| " .. name .. ", read, `trusted`, ms | " .. table.concat(unchecked, " | ") .. " |")
end

if arg[2] == "sizes" then
  print("| | " .. table.concat(MODES, ", % | ") .. ", % |\n|---|--:|--:|--:|")
  for i = 3, #arg do sizes(text_of(arg[i])) end
else
  local floor = load_floor()
  print "| | `pack` | `mode = \"fast\"` | `string.buffer` | floor |\n|---|--:|--:|--:|--:|"
  for i = 3, #arg do
    local text, name = text_of(arg[i])
    times(text, name, floor)
  end
end
print("\nversions: " .. (rawget(_G, "jit") and jit.version or _VERSION))
