-- SPDX-License-Identifier: MIT
-- rapidjson.lua -- put this folder on LUA_PATH and `require "rapidjson"` finds Fleece. See docs/rapidjson.md.
return require "fleece.rapidjson"
