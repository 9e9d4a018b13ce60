-- SPDX-License-Identifier: MIT
-- json.lua -- put this folder on LUA_PATH and `require "json"` finds Fleece as JSON4Lua. See docs/json4lua.md.
return require "fleece.json4lua"
