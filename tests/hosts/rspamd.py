# SPDX-License-Identifier: MIT
# rspamd.py -- Fleece in Rspamd (LuaJIT) on a loopback port, without its own rules: the guide's rule, and use.lua.

import json

from common import USE, Server, Unpacked, ask, check, check_use, cpath_of, finish, free_port, module_for, named_block, \
    read, same, work, write

host = Unpacked("rspamd", "usr/bin/rspamd")
ENV = dict(host.env, **cpath_of(module_for("luajit")))
port = free_port()
verdict = write("verdict", "")
rules = write("rules.lua", """%s
local file = io.open(%r, "w")
file:write(dofile %r)
file:close()""" % (named_block("docs/hosts.md", "rspamd"), verdict, USE))
config = write("rspamd.conf", """
options { filters = ""; url_tld = "%s"; dns { nameserver = ["127.0.0.1:1:1"]; } }
logging { type = "console"; level = "error"; }
worker "normal" { bind_socket = "127.0.0.1:%d"; count = 1; }
lua = "%s";
""" % (write("tld", "example\n"), port, rules))
share = host.root + "/usr/share/rspamd"
command = [host.program, "-f", "--insecure", "-c", config, "--var=DBDIR=" + work, "--var=RUNDIR=" + work,
           "--var=SHAREDIR=" + share, "--var=LUALIBDIR=" + share + "/lualib", "--var=PLUGINSDIR=" + share + "/plugins"]
with Server(command, port, ENV) as server:
    check_use("rspamd", read(verdict), "luajit")
    for header, wanted in (('{"id": 7}', None), ("[]", []), ("7", []),
                           ('{"id":', ["unexpected end at line 1, column 7, byte 7 near '{\"id\":'"])):
        answer = json.loads(ask(port, "/checkv2", "From: a@a.example\r\nX-Order: %s\r\n\r\nHello\r\n" % header)[2])
        found = answer.get("symbols", {}).get("BAD_ORDER")
        same("the guide's rule for %s" % header, found and found.get("options", []), wanted)
    check("rspamd still runs", server.alive(), server.said())
finish()
