-- SPDX-License-Identifier: MIT
-- decode.lua -- json.decode of LuaJSON; see ../json.lua and docs/luajson.md.
return require("fleece.luajson").decode
