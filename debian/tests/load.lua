-- load.lua -- dh-lua runs this with the module in Lua, and in C programs that link it, also statically.
local fleece = require "fleece"
assert(fleece.encode(fleece.decode '[1, {"a": [2.5, null]}]') == '[1,{"a":[2.5,null]}]')
