# SPDX-License-Identifier: MIT
# dnsdist.py -- Fleece in dnsdist (LuaJIT) on a loopback port: the guide's configuration, and use.lua.

from common import USE, Server, Unpacked, check, check_use, cpath_of, finish, free_port, module_for, named_block, \
    read, resolve, same, write

host = Unpacked("dnsdist", "usr/bin/dnsdist")
ENV = dict(host.env, **cpath_of(module_for("luajit")))
port = free_port()
rules = named_block("docs/hosts.md", "dnsdist")
check("the guide's configuration names the file", "/etc/dnsdist/hosts.json" in rules, rules)
hosts = write("hosts.json", '{"a.example.": "192.0.2.7", "b.example.": "192.0.2.8"}')
verdict = write("verdict", "")
config = write("dnsdist.conf", """
setLocal("127.0.0.1:%d")
local file = io.open(%r, "w")
file:write(dofile %r)
file:close()
%s""" % (port, verdict, USE, rules.replace("/etc/dnsdist/hosts.json", hosts)))
with Server([host.program, "-C", config, "--supervised", "--disable-syslog"], port, ENV) as server:
    check_use("dnsdist", read(verdict), "luajit")
    for name, wanted in (("a.example", (0, "192.0.2.7")), ("b.example", (0, "192.0.2.8")), ("c.example", (5, None))):
        same("the guide's configuration answers " + name, resolve(port, name), wanted)
    check("dnsdist still runs", server.alive(), server.said())
finish()
