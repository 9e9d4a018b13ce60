-- SPDX-License-Identifier: MIT
-- jsonschema.lua -- put this folder on LUA_PATH and `require "jsonschema"` finds Fleece. See docs/jsonschema.md.
return require "fleece.jsonschema"
