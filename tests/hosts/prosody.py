# SPDX-License-Identifier: MIT
# prosody.py -- Fleece in Prosody (Lua 5.4), with the web server alone, on a loopback port: the guide's module,
# and use.lua.

import glob
import os
import shutil

from common import (USE, Server, Unpacked, check, check_orders, check_use, finish, free_port, module_for,
                    named_block, read, skip_all, work, write)

if not shutil.which("lua5.4"):
    skip_all("not installed: lua5.4")
host = Unpacked("prosody", "usr/bin/prosody", None)
module = module_for("lua5.4")
os.environ["LUA_PATH"] = host.root + "/usr/share/lua/5.4/?.lua;;"
os.environ["LUA_CPATH"] = "%s/?.so;%s/?.so;;" % (os.path.dirname(module),
                                                glob.glob(host.root + "/usr/lib/*/lua/5.4")[0])
port = free_port()
write("mod_order.lua", named_block("docs/hosts.md", "prosody"))
verdict = write("verdict", "")
write("mod_use.lua", "local file = io.open(%r, 'w')\nfile:write(dofile %r)\nfile:close()" % (verdict, USE))
config = write("prosody.cfg.lua", """
run_as_root = true
daemonize = false
pidfile = "%(work)s/prosody.pid"
data_path = "%(work)s"
plugin_paths = { "%(work)s" }
modules_enabled = { "http", "order", "use" }
modules_disabled = { "s2s", "c2s", "tls", "offline" }
http_ports = { %(port)d }
http_interfaces = { "127.0.0.1" }
https_ports = {}
http_default_host = "localhost"
http_max_content_size = 1048576
log = "*console"
VirtualHost "localhost"
""" % {"work": work, "port": port})
# The program is a script that names its folders.
script = write("prosody", read(host.program).replace("'/usr/lib/prosody", "'%s/usr/lib/prosody" % host.root))
with Server(["lua5.4", script, "--config", config], port, host.env) as server:
    check_orders("prosody", port)
    check_use("prosody", read(verdict), "lua5.4")  # all modules are loaded before the first answer
    check("prosody still runs", server.alive(), server.said())
finish()
