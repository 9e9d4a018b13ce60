-- SPDX-License-Identifier: MIT
-- safe.lua -- as ../cjson.lua, for `require "cjson.safe"`.
return require("fleece.cjson.safe").new()
