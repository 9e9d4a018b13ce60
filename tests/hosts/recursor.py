# SPDX-License-Identifier: MIT
# recursor.py -- Fleece in PowerDNS Recursor (LuaJIT) on a loopback port, which asks no other server: the guide's
# script, and use.lua.

from common import USE, Server, Unpacked, check, check_use, cpath_of, finish, free_port, module_for, named_block, \
    read, resolve, same, work, write

host = Unpacked("recursor", "usr/sbin/pdns_recursor")
ENV = dict(host.env, **cpath_of(module_for("luajit")))
port = free_port()
rules = named_block("docs/hosts.md", "recursor")
check("the guide's script names the file", "/etc/powerdns/hosts.json" in rules, rules)
hosts = write("hosts.json", '{"a.example.": "192.0.2.7", "b.example.": "192.0.2.8"}')
verdict = write("verdict", "")
script = write("script.lua", """
local file = io.open(%r, "w")
file:write(dofile %r)
file:close()
%s""" % (verdict, USE, rules.replace("/etc/powerdns/hosts.json", hosts)))
with Server([host.program, "--config-dir=" + work, "--socket-dir=" + work, "--local-address=127.0.0.1",
             "--local-port=%d" % port, "--lua-dns-script=" + script, "--daemon=no", "--threads=1",
             "--security-poll-suffix=", "--hint-file=no", "--forward-zones=.=127.0.0.1:1", "--dnssec=off"],
            port, ENV) as server:
    for name, wanted in (("a.example", (0, "192.0.2.7")), ("b.example", (0, "192.0.2.8")), ("c.example", (2, None))):
        same("the guide's script answers " + name, resolve(port, name), wanted)
    check_use("recursor", read(verdict), "luajit")  # the thread that loads the script has answered by now
    check("recursor still runs", server.alive(), server.said())
finish()
