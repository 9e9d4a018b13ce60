-- SPDX-License-Identifier: MIT
-- bench.lua -- the command bench.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local fleece = settings.fleece
local EXIT_FINE, fail, located, read_all = files.EXIT_FINE, files.fail, files.located, files.read_all
local grammar, policies = settings.grammar, settings.policies

local commands = {}

-- Calls f for 0.3 s, three times; returns the best time of one call.
local function best_time(f)
  local best = math.huge
  for _ = 1, 3 do
    local calls, start, now = 0, os.clock(), nil
    repeat
      f()
      calls = calls + 1
      now = os.clock()
    until now - start > 0.3
    best = math.min(best, (now - start) / calls)
    collectgarbage()
  end
  return best
end

-- Returns decode and encode of the other installed libraries.
local function rivals()
  local list = {}
  for _, name in ipairs { "cjson", "rapidjson", "simdjson", "dkjson", "lunajson", "json" } do
    local fine, library = pcall(require, name)
    if fine and type(library) == "table" and library._NAME ~= "fleece" then
      list[#list + 1] = { name = name, decode = library.decode or library.parse, encode = library.encode }
    end
  end
  return list
end

-- The others read strict JSON, with their own limits: if they cannot do it they fail, some by returning only nil.
function commands.bench(args)
  local text, name = read_all(args.file)
  local limits = { max_depth = args.max_depth }
  local reading, writing = grammar(args), policies(args, { max_depth = args.max_depth })
  local trusted = policies(args, { trusted = true })
  local function own(work, ...)
    local result, message = work(...)
    if result == nil then fail(located(name, message)) end
    return result
  end
  local value, packed = own(fleece.decode, text, reading), own(fleece.from_json, text, reading)
  local output = files.create()
  local function row(library, work, bytes, f)
    local fine, result = pcall(f)
    fine = fine and result ~= nil
    output:write(fine and ("%-12s %-10s %8.0f MB/s\n"):format(library, work, bytes / 1e6 / best_time(f))
      or ("%-12s %-10s %13s\n"):format(library, work, "fails"))
    output:flush()
    return fine and result or nil
  end
  row("fleece", "decode", #text, function() return fleece.decode(text, reading) end)
  row("fleece", "encode", #text, function() return fleece.encode(value, writing) end)
  for _, its in ipairs(rivals()) do
    local mine = its.decode and row(its.name, "decode", #text, function() return (its.decode(text)) end)
    if its.encode and mine then row(its.name, "encode", #text, function() return (its.encode(mine)) end) end
  end
  row("fleece", "from_json", #text, function() return fleece.from_json(text, reading) end)
  row("fleece", "to_json", #text, function() return fleece.to_json(packed, trusted) end)
  row("fleece", "pack", #text, function() return fleece.pack(value, limits) end)
  row("fleece", "unpack", #text, function() return fleece.unpack(packed, limits) end)
  row("fleece", "check", #packed, function() return fleece.check(packed, limits) end)
  row("fleece", "format", #text, function() return fleece.format(text, reading) end)
  output:finish()
  return EXIT_FINE
end

return commands
