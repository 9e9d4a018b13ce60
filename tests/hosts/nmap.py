# SPDX-License-Identifier: MIT
# nmap.py -- Fleece in Nmap's scripting engine (Lua 5.3), without scanning a host: the guide's script, and use.lua.

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, same, write

host = Unpacked("nmap", "usr/bin/nmap")
ENV = dict(cpath_of(module_for("lua5.3")), NMAPDIR=host.root + "/usr/share/nmap")
file = write("order.json", '{"id": "a/7", "prices": [2.5, 0.1]}')
code, out, err = host.run("--script", write("show.nse", named_block("docs/hosts.md", "nmap")),
                          "--script-args", "json.file=" + file, env=ENV)
lines = sorted(line.strip("|_ ") for line in out.splitlines() if line.startswith("|"))
same("the guide's script shows the file", (code, lines), (0, ["0.1", "2.5", "id: a/7", "prices:", "show:"]))
verdict = write("verdict", "")
host.run("--script", write("use.nse", """
    categories = { "safe" }
    prerule = function() return true end
    action = function()
      local file = io.open(%r, "w")
      file:write(dofile %r)
      file:close()
    end""" % (verdict, USE)), env=ENV)
with open(verdict, encoding="utf-8") as f:
    check_use("nmap", f.read(), "lua5.3")
check("nmap reported no failed scripts", "ERROR" not in out + err, out + err)
finish()
