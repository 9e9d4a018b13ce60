# SPDX-License-Identifier: MIT
# tarantool.py -- Fleece in Tarantool, whose LuaJIT has another layout of states: the guide's block, use.lua, the codec
# fleece.tarantool, and fibers.

import os

from common import ROOT, USE, Unpacked, check_guide, check_use, cpath_of, finish, module_for, named_block, same, write

host = Unpacked("tarantool", "usr/bin/tarantool")
ENV = dict(cpath_of(module_for("luajit")), LUA_PATH=os.path.join(ROOT, "lua/?.lua;;"))
code, out, err = host.run(write("guide.lua", named_block("docs/hosts.md", "tarantool")), env=ENV)
same("the guide's block", (code, out.strip(), err), (0, '[18446744073709551615,null,[1,"a"],"1.50"]', ""))
# Tables are read directly with a 64-bit collector.
collector = host.run(write("abi.lua", "io.write(require('ffi').abi 'gc64' and 'luajit' or 'api') os.exit(0)"), env=ENV)[1]
check_use("tarantool", host.run(write("use.lua", "io.write(dofile %r)" % USE), env=ENV)[1], collector)
GUIDE = "docs/tarantool.md"
check_guide(GUIDE, "examples/tarantool", ["codec", "index", "read", "start", "write"])  # the last three: tarantool_replicas.py
for name, wanted in (("codec", '[18446744073709551615,null,{},"1.50","4f71972a-b42d-48e5-b033-620d587a71df"]'), ("index", "1")):
    code, out, err = host.run(write(name + ".lua", named_block(GUIDE, name) + "os.exit(0)\n"), env=ENV)
    same("%s: %s" % (GUIDE, name), (code, out.strip()), (0, wanted))
for name in ("codec", "fibers"):
    same(name, host.run(os.path.join(ROOT, "tests/hosts/tarantool_%s.lua" % name), env=ENV), (0, "fine\n", ""))
finish()
