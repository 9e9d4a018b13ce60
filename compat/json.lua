-- SPDX-License-Identifier: MIT
-- json.lua -- put this folder on LUA_PATH and `require "json"` finds Fleece as rxi's json.lua. See docs/json.md.
return require "fleece.rxi"
