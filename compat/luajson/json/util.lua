-- SPDX-License-Identifier: MIT
-- util.lua -- json.util of LuaJSON; see ../json.lua and docs/luajson.md.
return require("fleece.luajson").util
