-- SPDX-License-Identifier: MIT
-- find.lua -- finds a module by its name and by its functions: several rivals share the names "cjson", "json" and
-- "fleece".

local find = {}

local function readable(path)
  local f = io.open(path, "rb")
  if f then f:close() end
  return f ~= nil
end

-- Returns all files that `require` could load for `name`, best first.
local function candidates(templates, name)
  local list, seen = {}, {}
  local file = name:gsub("%.", "/")
  for template in templates:gmatch("[^;]+") do
    local path = template:gsub("%?", (file:gsub("%%", "%%%%")))
    if not seen[path] and readable(path) then
      seen[path] = true
      list[#list + 1] = path
    end
  end
  return list
end

-- Runs `opener` for module `name`, and hides a module of that name that was loaded before: luaL_register of Lua 5.1
-- would add functions to the other module's table.
local function open(opener, name)
  local loaded, global = package.loaded[name], rawget(_G, name)
  package.loaded[name] = nil
  rawset(_G, name, nil)
  local ok, module = pcall(opener, name)
  if ok and type(module) ~= "table" then module = package.loaded[name] or rawget(_G, name) end
  package.loaded[name] = loaded
  rawset(_G, name, global)
  return ok and module or nil, not ok and module or nil
end

-- Returns the first module called `name`, in C or in Lua, that `accept` accepts; or nil and the reason.
function find.module(name, accept)
  local reason = "not found"
  local function try(opener, path, why)
    local module
    if opener then module, why = open(opener, name) end
    if type(module) == "table" and accept(module) then return module, path end
    reason = why or reason
  end
  local symbol = "luaopen_" .. name:gsub("%.", "_")
  for _, path in ipairs(candidates(package.cpath, name)) do
    local opener, why = package.loadlib(path, symbol)
    local module, where = try(opener, path, why)
    if module then return module, where end
  end
  for _, path in ipairs(candidates(package.path, name)) do
    local module, where = try(loadfile(path), path)
    if module then return module, where end
  end
  return nil, reason
end

-- A stand-in that is a Lua file of the repository, over the Fleece that is found; or nil and the reason. The third result is
-- the version.
function find.stand_in(name)
  local fleece, path = find.module("fleece", function(m) return m.encode and m.json and m.info end)
  if not fleece then return nil, path end
  local loaded, kept, safe = package.loaded, package.loaded.fleece, package.loaded["fleece.safe"]
  loaded.fleece, loaded["fleece.safe"] = fleece, package.loadlib(path, "luaopen_fleece_safe")()
  local search = package.path
  package.path = "lua/?.lua;" .. search
  local ok, module = pcall(require, name)
  package.path, loaded.fleece, loaded["fleece.safe"] = search, kept, safe
  return ok and module or nil, not ok and module or nil, fleece._VERSION
end

-- `require` that returns nil and the reason instead of raising.
function find.require(name)
  local ok, module = pcall(require, name)
  if ok then return module end
  return nil, (tostring(module):match("^[^\n]*"))
end

return find
