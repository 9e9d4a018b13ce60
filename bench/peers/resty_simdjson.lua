-- SPDX-License-Identifier: MIT
-- resty_simdjson.lua -- lua-resty-simdjson's decoder, LuaJIT only (its encoder needs OpenResty's tables).
-- Outside nginx it gets substitutes for the two things that it needs from there.
if type(jit) ~= "table" then return nil, "for LuaJIT only" end
local find, ffi = require "measure.find", require "ffi"
local message = ffi.new "char *[1]"
package.preload["resty.core.base"] = package.preload["resty.core.base"]
  or function() return { get_errmsg_ptr = function() return message end } end
local outside = rawget(_G, "ngx")
rawset(_G, "ngx", outside or { null = newproxy(), sleep = function() end })
local decoder, why = find.require "resty.simdjson.decoder"
local null = rawget(_G, "ngx").null
rawset(_G, "ngx", outside)
if not decoder then return nil, why end
local state = decoder.new(false)
return { name = "lua-resty-simdjson", null = null, decode = function(text) return state:process(text) end }
