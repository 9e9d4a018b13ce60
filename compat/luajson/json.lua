-- SPDX-License-Identifier: MIT
-- json.lua -- put this folder on LUA_PATH and `require "json"` finds Fleece as LuaJSON. See docs/luajson.md.
local json = require "fleece.luajson"
_G.json = json -- as LuaJSON does
return json
