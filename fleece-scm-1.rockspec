rockspec_format = "3.0"
package = "fleece"
version = "scm-1"
source = { url = "git+file://." }
description = {
  summary = "Lua values to JSON, very fast",
  detailed = [[
    JSON and Fleece documents, read and built directly in Lua's memory, whose layout is verified when the
    module is loaded; else by the public API of Lua. For Lua 5.1 to 5.5 and LuaJIT 2.1.
    The program fleece needs the rock argparse, which is optional: luarocks install argparse.]],
  license = "MIT",
}
dependencies = { "lua >= 5.1, < 5.6" }
-- luarocks make CFLAGS="-O2 -fPIC -DFLEECE_PARTS=core+query" builds some parts (docs/packages.md).
build = {
  type = "builtin",
  modules = {
    fleece = { sources = { "src/fleece.c" }, incdirs = { "src" } },
    ["fleece.json4lua"] = "lua/fleece/json4lua.lua",
    ["fleece.jsonschema"] = "lua/fleece/jsonschema.lua",
    ["fleece.luajson"] = "lua/fleece/luajson.lua",
    ["fleece.luajson.decode"] = "lua/fleece/luajson/decode.lua",
    ["fleece.luajson.encode"] = "lua/fleece/luajson/encode.lua",
    ["fleece.luajson.options"] = "lua/fleece/luajson/options.lua",
    ["fleece.luajson.tokens"] = "lua/fleece/luajson/tokens.lua",
    ["fleece.stand_in"] = "lua/fleece/stand_in.lua",
    ["fleece.tarantool"] = "lua/fleece/tarantool.lua",
    -- For the program, which also needs the rock argparse.
    ["fleece.command.arguments"] = "lua/fleece/command/arguments.lua",
    ["fleece.command.bench"] = "lua/fleece/command/bench.lua",
    ["fleece.command.compare"] = "lua/fleece/command/compare.lua",
    ["fleece.command.completion"] = "lua/fleece/command/completion.lua",
    ["fleece.command.convert"] = "lua/fleece/command/convert.lua",
    ["fleece.command.documents"] = "lua/fleece/command/documents.lua",
    ["fleece.command.edit"] = "lua/fleece/command/edit.lua",
    ["fleece.command.expression"] = "lua/fleece/command/expression.lua",
    ["fleece.command.files"] = "lua/fleece/command/files.lua",
    ["fleece.command.get"] = "lua/fleece/command/get.lua",
    ["fleece.command.lines"] = "lua/fleece/command/lines.lua",
    ["fleece.command.map"] = "lua/fleece/command/map.lua",
    ["fleece.command.order"] = "lua/fleece/command/order.lua",
    ["fleece.command.patches"] = "lua/fleece/command/patches.lua",
    ["fleece.command.paths"] = "lua/fleece/command/paths.lua",
    ["fleece.command.queries"] = "lua/fleece/command/queries.lua",
    ["fleece.command.reformat"] = "lua/fleece/command/reformat.lua",
    ["fleece.command.repair"] = "lua/fleece/command/repair.lua",
    ["fleece.command.schemas"] = "lua/fleece/command/schemas.lua",
    ["fleece.command.settings"] = "lua/fleece/command/settings.lua",
    ["fleece.command.texts"] = "lua/fleece/command/texts.lua",
    ["fleece.command.validate"] = "lua/fleece/command/validate.lua",
    -- Found as "cjson", "dkjson", "json", "rapidjson" if share/lua/5.x/fleece/compat is on LUA_PATH.
    ["fleece.compat.dkjson"] = "compat/dkjson.lua",
    ["fleece.compat.json"] = "compat/json.lua",
    ["fleece.compat.jsonschema"] = "compat/jsonschema.lua",
    ["fleece.compat.rapidjson"] = "compat/rapidjson.lua",
    ["fleece.compat.cjson"] = "compat/cjson.lua",
    ["fleece.compat.cjson.safe"] = "compat/cjson/safe.lua",
    ["fleece.compat.2011.fleece"] = "compat/2011/fleece.lua",
    ["fleece.compat.luajson.json"] = "compat/luajson/json.lua",
    ["fleece.compat.luajson.json.decode"] = "compat/luajson/json/decode.lua",
    ["fleece.compat.luajson.json.encode"] = "compat/luajson/json/encode.lua",
    ["fleece.compat.luajson.json.encode.output"] = "compat/luajson/json/encode/output.lua",
    ["fleece.compat.luajson.json.encode.output_utility"] = "compat/luajson/json/encode/output_utility.lua",
    ["fleece.compat.luajson.json.util"] = "compat/luajson/json/util.lua",
    ["fleece.compat.json4lua.json"] = "compat/json4lua/json.lua",
    ["fleece.compat.json4lua.json4lua"] = "compat/json4lua/json4lua.lua",
  },
  install = { bin = { "bin/fleece" } },
}
