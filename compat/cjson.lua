-- SPDX-License-Identifier: MIT
-- cjson.lua -- put this folder on LUA_PATH and `require "cjson"` finds Fleece. See docs/cjson.md.
return require("fleece.cjson").new()
