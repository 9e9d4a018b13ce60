-- SPDX-License-Identifier: MIT
-- test_dropin_globals.lua -- what the stand-ins do with the tables that all modules share: they change none of them, but for
-- their own names, and a program may replace or forbid globals after it has loaded them.

local T = require "support"
local lu, same = T.lu, T.same

TestDropinGlobals = {}

-- File of compat/ (nil: none), the module, the names that it sets.
local MODULES = {
  { nil, "fleece.cjson" }, { nil, "fleece.cjson.safe" }, { nil, "fleece.dkjson" }, { nil, "fleece.rapidjson" }, { nil, "fleece.rxi" },
  { nil, "fleece.luajson" }, { nil, "fleece.json4lua" },
  { "compat/cjson.lua", "fleece.cjson" }, { "compat/cjson/safe.lua", "fleece.cjson.safe" }, { "compat/dkjson.lua", "fleece.dkjson" },
  { "compat/rapidjson.lua", "fleece.rapidjson" }, { "compat/json.lua", "fleece.rxi" }, { "compat/json4lua/json.lua", "fleece.json4lua" },
  { "compat/luajson/json.lua", "fleece.luajson", "json" }, { "compat/luajson/json/decode.lua", "fleece.luajson" },
  { "compat/luajson/json/encode.lua", "fleece.luajson" }, { "compat/luajson/json/util.lua", "fleece.luajson" },
  { "compat/luajson/json/encode/output_utility.lua", "fleece.luajson" },
}

local function tables()
  local list = {
    _G = _G, string = string, table = table, math = math, io = io, os = os, package = package, loaded = package.loaded,
    preload = package.preload, coroutine = coroutine, debug = debug, ["metatable of strings"] = getmetatable "",
  }
  list.utf8 = rawget(_G, "utf8")
  return list
end

-- Everything that is in these tables, and their metatables.
local function snapshot()
  local seen = {}
  for name, t in pairs(tables()) do
    local copy = { metatable = debug.getmetatable(t) }
    for k, v in next, t do copy[k] = v end
    seen[name] = copy
  end
  return seen
end

local function load_file(path)
  local file = io.open(path)
  if not file then lu.skip("no checkout: " .. path .. " is not here; run from the top of the repository") end
  file:close()
  return assert(loadfile(path))()
end

-- Encodes and decodes with what a module or one of its parts is.
local function use(module)
  local encode, decode = module.encode, module.decode
  if type(encode) == "table" then encode = encode.encode end
  if type(decode) == "table" then decode = decode.decode end
  if encode then pcall(encode, { 1, { a = "x" }, 1 / 3 }) pcall(encode, print) pcall(encode, "\255") end
  if decode then pcall(decode, '{"a":[1,null,{}]}') pcall(decode, "[1,") end
end

local function each_module(check)
  for _, case in ipairs(MODULES) do
    local file, name = case[1], case[2]
    local kept, global = {}, rawget(_G, "json")
    for loaded, module in pairs(package.loaded) do -- its parts, too, are loaded again
      if loaded == name or loaded == "fleece.stand_in" or loaded:find("fleece.luajson.", 1, true) then kept[loaded] = module end
    end
    for loaded in pairs(kept) do package.loaded[loaded] = nil end
    local ok, message = pcall(check, file or name, function() return file and load_file(file) or require(name) end, name, case[3])
    package.loaded[name] = nil
    for loaded, module in pairs(kept) do package.loaded[loaded] = module end
    rawset(_G, "json", global)
    if not ok then error(message, 0) end
  end
end

function TestDropinGlobals:test_they_change_nothing()
  each_module(function(what, load, name, global)
    local before = snapshot()
    use(load())
    local after = snapshot()
    before.loaded[name], after.loaded[name] = nil, nil
    for module in pairs(after.loaded) do -- one that is a Lua file may load its parts
      if module:find "^fleece%." then before.loaded[module], after.loaded[module] = nil, nil end
    end
    if global then before._G[global], after._G[global] = nil, nil end
    for table_name, old in pairs(before) do
      for k, v in pairs(old) do lu.assertTrue(rawequal(after[table_name][k], v), what .. ": " .. table_name .. "." .. tostring(k)) end
      for k in pairs(after[table_name]) do lu.assertNotNil(old[k], what .. ": " .. table_name .. "." .. tostring(k)) end
    end
  end)
end

-- A program that forbids globals it has not declared: reading one is an error, and so is setting one.
function TestDropinGlobals:test_strict_globals()
  local real = getmetatable(_G)
  each_module(function(what, load, _, global)
    local touched = {}
    setmetatable(_G, {
      __index = function(_, k) touched[#touched + 1] = "reads " .. tostring(k) end,
      __newindex = function(t, k, v) touched[#touched + 1] = "sets " .. tostring(k) rawset(t, k, v) end,
    })
    local ok, message = pcall(function() use(load()) end)
    setmetatable(_G, real)
    lu.assertTrue(ok, message)
    local allowed = { ["sets json"] = global == "json", ["reads loadstring"] = true, ["reads jit"] = true }
    for _, touch in ipairs(touched) do lu.assertTrue(allowed[touch], what .. " " .. touch) end
  end)
end

-- Functions of Lua that a program replaces later are not used.
function TestDropinGlobals:test_globals_that_are_replaced_later()
  local json = require "fleece.luajson"
  local names, kept = { "tonumber", "tostring", "rawset", "type", "pairs", "next" }, {}
  for _, name in ipairs(names) do kept[name] = _G[name] end
  local gsub = string.gsub
  for _, name in ipairs(names) do _G[name] = nil end
  string.gsub = nil -- luacheck: ignore
  local results = { pcall(function()
    local decoded = json.decode('{"1":{"2":3}}', { object = { setObjectKey = json.decode.util.setObjectKeyForceNumber } })
    local calls = kept.tostring(select(2, pcall(json.decode, "1", { calls = { defs = { [true] = print } } })))
    return decoded[1][2], json.encode { "\1", { a = 1 } }, calls, json.encode("a\233", { strings = { encodeSetAppend = "\128-\255", xEncode = true } })
  end) }
  for _, name in ipairs(names) do _G[name] = kept[name] end
  string.gsub = gsub -- luacheck: ignore
  lu.assertTrue(results[1], results[2])
  same(results[2], 3)
  same(results[3], '["\\u0001",{"a":1}]')
  T.contains(results[4], "Invalid functionCalls name: true not a string or LPEG pattern")
  same(results[5], '"a\\xE9"') -- docs/luajson.md
end

function TestDropinGlobals:test_print_value()
  local real, lines = print, {}
  package.loaded["fleece.luajson"], print = nil, function(text) lines[#lines + 1] = text end -- luacheck: ignore
  local json = require "fleece.luajson"
  print = real -- luacheck: ignore
  local t = { 1, a = { "x" } }
  t.loop = t.a
  json.util.printValue(t, "t")
  json.util.printValue("x", "s")
  lu.assertItemsEquals({ lines[1], lines[#lines] }, { "t= {", "s=[[x]]" })
  same(#lines, 6)
end
