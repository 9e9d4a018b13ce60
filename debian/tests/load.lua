-- load.lua -- dh-lua asks this of the module in Lua, and in programs in C that link it, statically too.
local fleece = require "fleece"
assert(fleece.encode(fleece.decode '[1, {"a": [2.5, null]}]') == '[1,{"a":[2.5,null]}]')
