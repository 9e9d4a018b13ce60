# SPDX-License-Identifier: MIT
# lighttpd.py -- Fleece in lighttpd's mod_magnet (Lua 5.4) on a loopback port: the guide's service, and use.lua.

from common import (USE, Server, Unpacked, ask, check, check_orders, check_use, cpath_of, finish, free_port,
                    module_for, named_block, work, write)

host = Unpacked("lighttpd", "usr/sbin/lighttpd", "-v")
module = module_for("lua5.4")
port = free_port()
rules = named_block("docs/hosts.md", "lighttpd.conf")
order = write("order.lua", named_block("docs/hosts.md", "lighttpd"))
check("the guide's rules name the script", "/etc/lighttpd/order.lua" in rules, rules)
use = write("use.lua", "lighty.r.resp_body.set(dofile %r)\nreturn 200" % USE)
config = write("lighttpd.conf", """
    server.port = %d
    server.bind = "127.0.0.1"
    server.document-root = "%s"
    %s
    $HTTP["url"] == "/use" { magnet.attract-raw-url-to = ("%s") }
""" % (port, work, rules.replace("/etc/lighttpd/order.lua", order), use))
command = [host.program, "-D", "-f", config, "-m", host.root + "/usr/lib/lighttpd"]
with Server(command, port, dict(host.env, **cpath_of(module))) as server:
    check_use("lighttpd", ask(port, "/use")[2], "lua5.4")
    check_orders("lighttpd", port)
    status = ask(port, "/order", b'["' + b"x" * (1 << 20) + b'"]')[0]
    check("lighttpd: a body of more than 1 MB", status == 413, status)
    check("lighttpd still runs", server.alive(), server.said())
# It ends by itself, not by a signal; its exit code may be 0 or 1.
check("lighttpd ends without an error", server.process.returncode in (0, 1) and "server stopped" in server.said(),
      server.said())
finish()
