# SPDX-License-Identifier: MIT
# neovim.py -- Fleece in Neovim (LuaJIT), without a terminal: the guide's block, and use.lua.

from common import USE, Unpacked, check_use, cpath_of, finish, module_for, named_block, same, write

host = Unpacked("neovim", "usr/bin/nvim")
ENV = dict(cpath_of(module_for("luajit")), VIMRUNTIME=host.root + "/usr/share/nvim/runtime")


def nvim(script):
    return host.run("--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile " + script, "-c", "qa!", env=ENV)


# print writes to stderr.
code, _, said = nvim(write("guide.lua", named_block("docs/hosts.md", "neovim")))
same("the guide's block", (code, said), (0, '[null,{},[3]] {"a": {}, "b": []}'))
check_use("neovim", nvim(write("use.lua", "io.stdout:write(dofile %r)" % USE))[1], "luajit")
finish()
