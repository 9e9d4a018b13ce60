# SPDX-License-Identifier: MIT
# uwsgi.py -- Fleece in uWSGI's plugin for Lua (Lua 5.1) on a loopback port: the guide's service, and use.lua.

import signal

from common import (USE, Server, Unpacked, ask, check, check_orders, check_use, cpath_of, finish, free_port,
                    module_for, named_block, write)

host = Unpacked("uwsgi", "usr/bin/uwsgi-core")
module = module_for("lua5.1")
rules = named_block("docs/hosts.md", "uwsgi.conf")
check("the guide's rules name the script", "/etc/uwsgi/order.lua" in rules, rules)


def config(name, script, port):
    text = rules.replace("/etc/uwsgi/order.lua", write(name + ".lua", script)).replace(":8080", "127.0.0.1:%d" % port)
    return write(name + ".ini", text + "die-on-term = true\n")


def serve(name, script):
    port = free_port()
    return Server([host.program, "--plugins-dir", host.root + "/usr/lib/uwsgi/plugins", config(name, script, port)],
                  port, dict(host.env, **cpath_of(module)))


with serve("use", """local verdict = dofile %r
return function()
  return 200, { ["Content-Length"] = #verdict }, coroutine.wrap(function() coroutine.yield(verdict) end)
end""" % USE) as server:
    check_use("uwsgi", ask(server.port, "/")[2] or server.said(), "lua5.1")
with serve("order", named_block("docs/hosts.md", "uwsgi")) as server:
    check_orders("uwsgi", server.port)
    check("uwsgi still runs", server.alive(), server.said())
    code = server.stop(signal.SIGTERM)
check("uwsgi ends without an error", code == 30,  # what it returns for SIGTERM without a master process
      "%d %s" % (code, server.said()))
finish()
