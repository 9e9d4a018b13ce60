-- SPDX-License-Identifier: MIT
-- tarantool.lua -- require "fleece.tarantool": a codec for Tarantool's own values, and documents as fields of tuples. See
-- docs/tarantool.md.
-- Must hold: what a server does not have (datetime and varbinary before 2.10 and 3.0) is looked for once, when this is loaded.

local ffi = require "ffi"
local fleece, safe = require "fleece", require "fleece.safe"
local pcall, type, tostring, tonumber, pairs, ipairs = pcall, type, tostring, tonumber, pairs, ipairs

-- Returns the module `name` of the server, or nil.
local function optional(name)
  local found, module = pcall(require, name)
  return found and module or nil
end

local varbinary, datetime = optional "varbinary", optional "datetime"

-- Types whose values are written as the text that tostring returns, as Tarantool's json does.
local texts = { ffi.typeof(require("decimal").new(0)), ffi.typeof(require("uuid").new()) }
if datetime then
  texts[3] = ffi.typeof(datetime.new())
  texts[4] = ffi.typeof(datetime.interval.new())
end

local function index(value, name) return value[name] end

-- Returns true and what is written for a value of the server (a tuple, an error, a number of C), or false.
local function replacement(value)
  local kind = type(value)
  if kind ~= "cdata" and kind ~= "userdata" then return false end
  if kind == "cdata" then
    for _, is in ipairs(texts) do
      if ffi.istype(is, value) then return true, tostring(value) end
    end
    if varbinary and varbinary.is(value) then return true, fleece.data(tostring(value)) end
  end
  local found, serialize = pcall(index, value, "__serialize")
  if found and serialize then return true, serialize(value) end
  -- Fleece writes integers of 64 bits itself, but not as keys, or where the option integers refuses them: that stays an error.
  if kind == "userdata" or ffi.istype("int64_t", value) or ffi.istype("uint64_t", value) then return false end
  if ffi.istype("bool", value) then return true, value == ffi.new("bool", true) end
  local number = tonumber(value)
  return number ~= nil, number
end

-- Returns a handler that asks `others` about what it does not know.
local function handler(others)
  return function(value, path, message)
    local is_known, result = replacement(value)
    if is_known then return result end
    if others then return others(value, path, message) end
  end
end

-- Tarantool's msgpack, json and yaml see these marks: {} that was decoded is stored as a map.
fleece.object_mt.__serialize = "map"
fleece.array_mt.__serialize = "seq"

-- Returns a codec of `library` with the options of this module, and others that come first.
local function codec_of(library, options)
  local all = { null = box.NULL, big_numbers = "int64", metamethods = "serialize", sparse = "null" }
  for name, value in pairs(options or {}) do all[name] = value end
  all.on_error = handler(all.on_error)
  local codec = library.new(all)
  codec.new = function(more) return codec_of(library, more) end
  codec.field_type = varbinary and "varbinary" or "string"
  codec.to_field = varbinary and varbinary.new or tostring
  codec.from_field = tostring
  return codec
end

local codec = codec_of(fleece)
codec.safe = codec_of(safe)
return codec
