# SPDX-License-Identifier: MIT
# kresd.py -- Fleece in Knot Resolver (LuaJIT) on a loopback port, which asks no other server: the guide's
# configuration, and use.lua.

import glob
import shutil

from common import USE, Server, Unpacked, check, check_use, cpath_of, finish, free_port, module_for, named_block, \
    read, resolve, same, work, write

host = Unpacked("kresd", "usr/sbin/kresd", "-V")
ENV = dict(host.env, **cpath_of(module_for("luajit")))
port = free_port()
rules = named_block("docs/hosts.md", "kresd")
check("the guide's configuration names the file", "/etc/knot-resolver/denied.json" in rules, rules)
names = write("denied.json", '["a.example.", "b.example."]')
verdict = write("verdict", "")
config = write("kresd.conf", """
net.listen("127.0.0.1", %d)
trust_anchors.remove(".")
local file = io.open(%r, "w")
file:write(dofile %r)
file:close()
%s
policy.add(policy.all(policy.REFUSE))""" % (port, verdict, USE, rules.replace("/etc/knot-resolver/denied.json", names)))
own = glob.glob(host.root + "/usr/lib/*/knot-resolver")[0]
shutil.copytree(own, work + "/lib")
write("lib/sandbox.lua", read(own + "/sandbox.lua").replace("/usr/share/dns", host.root + "/usr/share/dns"))
write("lib/postconfig.lua", read(own + "/postconfig.lua").replace("_hint_root_file()", "_hint_root_file(%r)" % (
    host.root + "/usr/share/dns/root.hints")))
program = host.moved(own[len(host.root):], work + "/lib")
with Server([program, "-c", config, "-n", work], port, ENV) as server:
    for name, wanted in (("a.example", 3), ("x.b.example", 3), ("c.example", 5)):
        same("the guide's configuration answers " + name, resolve(port, name)[0], wanted)
    check_use("kresd", read(verdict), "luajit")  # the configuration was read before the first answer
    check("kresd still runs", server.alive(), server.said())
finish()
