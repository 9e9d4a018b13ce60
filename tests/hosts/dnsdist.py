# SPDX-License-Identifier: MIT
# dnsdist.py -- Fleece in dnsdist (LuaJIT) on a loopback port: the guide's configuration, and use.lua.

import socket

from common import USE, Server, Unpacked, check, check_use, cpath_of, finish, free_port, module_for, named_block, \
    read, same, write

host = Unpacked("dnsdist", "usr/bin/dnsdist")
ENV = dict(host.env, **cpath_of(module_for("luajit")))


def resolve(port, name):
    """Asks for the A record of a name; returns the response code and the last four bytes, which may be an address."""
    labels = b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(10)
        s.sendto(b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + labels + b"\0\1\0\1", ("127.0.0.1", port))
        answer = s.recv(1000)
    return answer[3] & 15, socket.inet_ntoa(answer[-4:]) if answer[7] else None


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
