-- SPDX-License-Identifier: MIT
-- dkjson.lua -- put this folder on LUA_PATH and `require "dkjson"` finds Fleece. See docs/dkjson.md.
return require "fleece.dkjson"
