# SPDX-License-Identifier: MIT
# love.py -- Fleece in LÖVE (LuaJIT), without a window: the guide's game, with the module in its folder, and use.lua.

import os
import shutil

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, same, work, write

host = Unpacked("love", "usr/bin/love-11.4")
module = module_for("luajit")
SAVED = {"HOME": work, "XDG_DATA_HOME": work}
for name in ("use", "game"):
    os.mkdir(os.path.join(work, name))
    write(name + "/conf.lua", """function love.conf(t)
        t.identity = "%s"
        for _, m in ipairs { "window", "graphics", "audio", "sound", "joystick" } do t.modules[m] = false end
    end""" % name)
write("use/main.lua", "io.stdout:write(dofile %r)\nlove.event.quit()" % USE)
check_use("love", host.run(work + "/use", env=dict(SAVED, **cpath_of(module)))[1], "luajit")
write("game/main.lua", named_block("docs/hosts.md", "love") + """
    function love.update()
        print(state.level)
        love.event.quit()
    end""")
shutil.copy(module, work + "/game")
same("the guide's game begins, and goes on", [host.run(work + "/game", env=SAVED)[:2] for _ in range(2)],
     [(0, "2\n"), (0, "3\n")])
check("its state was saved", os.path.exists(work + "/love/game/state.json"))
finish()
