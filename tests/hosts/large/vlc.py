# SPDX-License-Identifier: MIT
# vlc.py -- Fleece in VLC (Lua 5.2 in a plugin), without a picture: the guide's interface, and use.lua. VLC does not
# run for root, so this test then runs it for nobody.

import json
import os
import subprocess

from common import USE, Unpacked, check_use, cpath_of, check, finish, module_for, named_block, read, same, work, write

host = Unpacked("vlc", "usr/bin/vlc", None)
module = module_for("lua5.2")
plugins = [where for where, _, files in os.walk(host.root) if "liblua_plugin.so" in files][0]
guide = named_block("docs/hosts.md", "vlc")
check("the guide's script names the file", "/tmp/playlist.json" in guide, guide)
os.makedirs(work + "/vlc/lua/intf")
write("vlc/lua/intf/playlist.lua", guide.replace("/tmp/playlist.json", work + "/playlist.json"))
write("vlc/lua/intf/use.lua", """local file = io.open("%s/verdict", "w")
file:write(dofile %r)
file:close()
vlc.misc.quit()""" % (work, USE))
write("vlc/lua/intf/plain.lua", "vlc.msg.err(select(2, pcall(require, 'fleece')))\nvlc.misc.quit()")
os.chmod(work, 0o777)


def vlc(name, *arguments, **env):
    """Runs it with this interface to its end; returns what it said."""
    own = dict(host.env, HOME=work, XDG_DATA_HOME=work, VLC_PLUGIN_PATH=os.path.dirname(os.path.dirname(plugins)))
    own.update(cpath_of(module), **env)
    command = [host.program, "-I", "luaintf", "--lua-intf", name, "--no-playlist-autostart"]
    done = subprocess.run(command + list(arguments), env=dict(os.environ, **own), cwd=work,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          user=65534 if os.getuid() == 0 else None, timeout=60)
    return done.stdout.decode("utf-8", "replace")


said = vlc("plain")
check("without LD_PRELOAD Lua's functions are not found", "undefined symbol: lua" in said, said)
said = vlc("use", LD_PRELOAD="liblua5.2.so.0")
check_use("vlc", read(work + "/verdict") if os.path.exists(work + "/verdict") else said, "lua5.2")
said = vlc("playlist", "one.ogg", "two.ogg", LD_PRELOAD="liblua5.2.so.0")
check("the guide's script wrote a file", os.path.exists(work + "/playlist.json"), said)
if os.path.exists(work + "/playlist.json"):
    same("the guide's script wrote the names", json.loads(read(work + "/playlist.json")), ["one.ogg", "two.ogg"])
finish()
