rockspec_format = "3.0"
package = "fleece"
version = "scm-1"
source = { url = "git+file://." }
description = {
  summary = "Lua values to JSON, very fast",
  detailed = [[
    Writes JSON by reading Lua's own tables, strings and numbers in place, after proving at load time how
    this Lua lays them out; falls back to the public API of Lua wherever the proof fails.
    For Lua 5.1 to 5.5 and LuaJIT 2.1.]],
  license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.6" }
build = {
  type = "builtin",
  modules = {
    fleece = { sources = { "src/fleece.c" }, incdirs = { "src" } },
  },
}
