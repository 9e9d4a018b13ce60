# SPDX-License-Identifier: MIT
# apache.py -- Fleece in Apache's mod_lua (Lua 5.3) with many threads on a loopback port: the guide's service, and
# use.lua.

import os

from common import (USE, Server, Unpacked, ask, check, check_orders, check_use, finish, free_port, module_for,
                    named_block, work, write)

host = Unpacked("apache", "usr/sbin/apache2", "-v")
module = module_for("lua5.3")
port = free_port()
rules = named_block("docs/hosts.md", "apache.conf")
for guides, ours in (("/usr/local/lib/lua/5.3", os.path.dirname(module)),
                     ("/etc/apache2/order.lua", write("order.lua", named_block("docs/hosts.md", "apache")))):
    check("the guide's rules have " + guides, guides in rules, rules)
    rules = rules.replace(guides, ours)
use = write("use.lua", "function handle(r)\n  r:puts(dofile %r)\n  return apache2.OK\nend" % USE)
modules = "".join("LoadModule %s_module %s/usr/lib/apache2/modules/mod_%s.so\n" % (m, host.root, m)
                  for m in ("mpm_event", "authz_core", "lua"))
# Apache looks up the user for its child processes even if it does not run as root.
config = write("apache.conf", """
ServerRoot %s
ServerName localhost
Listen 127.0.0.1:%d
%sPidFile %s/pid
ErrorLog /dev/stderr
User #%d
Group #%d
%sLuaMapHandler /use %s
""" % (work, port, modules, work, os.getuid() or 65534, os.getgid() or 65534, rules, use))
with Server([host.program, "-X", "-f", config], port, host.env) as server:
    check_use("apache", ask(port, "/use")[2], "lua5.3")
    check_orders("apache", port)
    status = ask(port, "/order", b'["' + b"x" * (1 << 20) + b'"]')[0]
    check("apache: a body of more than 1 MB is not read", status == 400, status)
    check("apache still runs", server.alive(), server.said())
check("apache ends without an error", server.process.returncode == 0, server.said())
finish()
