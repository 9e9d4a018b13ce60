# SPDX-License-Identifier: MIT
# mpv.py -- Fleece in mpv (Lua 5.2), without video and sound: the guide's script, and use.lua.

import json
import os

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, read, same, work, write

host = Unpacked("mpv", "usr/bin/mpv")
ENV = cpath_of(module_for("lua5.2"))
os.makedirs(work + "/scripts")
write("scripts/state.lua", named_block("docs/hosts.md", "mpv"))
script = write("use.lua", """
    local file = io.open(%r, "w")
    file:write(dofile %r)
    file:close()
    mp.commandv("loadfile", "nowhere.mkv", "append")
    mp.commandv("quit")""" % (work + "/verdict", USE))
code, out, err = host.run("--config-dir=" + work, "--vo=null", "--ao=null", "--idle=yes", "--volume=37.5",
                          "--script=" + script, env=ENV)
same("mpv ends without an error", code, 0)
check_use("mpv", read(work + "/verdict") if os.path.exists(work + "/verdict") else out + err, "lua5.2")
check("the guide's script wrote a file", os.path.exists(work + "/state.json"), out + err)
if os.path.exists(work + "/state.json"):
    state = json.loads(read(work + "/state.json"))
    same("the guide's script: the contents of the file", (state["volume"], [f["filename"] for f in state["playlist"]]),
         (37.5, ["nowhere.mkv"]))
finish()
