-- SPDX-License-Identifier: MIT
-- json4lua.lua -- the same as json.lua in this folder, for programs that call `require "json4lua"`.
return require "fleece.json4lua"
