-- SPDX-License-Identifier: MIT
-- encode.lua -- json.encode of LuaJSON; see ../json.lua and docs/luajson.md.
return require("fleece.luajson").encode
