# SPDX-License-Identifier: MIT
# tarantool.py -- Fleece in Tarantool, whose LuaJIT has another layout of states: the guide's block, and use.lua.

from common import USE, Unpacked, check_use, cpath_of, finish, module_for, named_block, same, write

host = Unpacked("tarantool", "usr/bin/tarantool")
ENV = cpath_of(module_for("luajit"))
code, out, err = host.run(write("guide.lua", named_block("docs/hosts.md", "tarantool")), env=ENV)
same("the guide's block", (code, out.strip(), err), (0, '[18446744073709551615,null,[1,"a"],"1.50"]', ""))
check_use("tarantool", host.run(write("use.lua", "io.write(dofile %r)" % USE), env=ENV)[1], "api")
finish()
