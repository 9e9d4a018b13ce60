-- SPDX-License-Identifier: MIT
-- json4lua.lua -- the same as json.lua beside it, for programs that say `require "json4lua"`.
return require "fleece.json4lua"
