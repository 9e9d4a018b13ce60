# SPDX-License-Identifier: MIT
# luatex.py -- Fleece in LuaTeX (its own Lua 5.3): use.lua in texlua and in TeX, and the guide's script, without
# a format.

import os

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, read, work, write

host = Unpacked("luatex", "usr/bin/luatex")
module = module_for("lua5.3")
PLAIN = "\\catcode`\\{=1 \\catcode`\\}=2 \\catcode`\\#=6 \n"  # what plain TeX would define
ENV = dict(cpath_of(module), TEXINPUTS=".", CLUAINPUTS=os.path.dirname(module))


def tex(name, text, *options):
    """Returns the log."""
    host.run("--ini", "--interaction=batchmode", *options, write(name, PLAIN + text), env=ENV)
    return read(work + "/" + name.replace(".tex", ".log"))


code, out, err = host.run("--luaonly", write("use.lua", "io.write(dofile %r)" % USE), env=cpath_of(module))
check_use("texlua", out, "lua5.3")
write("verdict", "")
write("in_tex.lua", "local f = assert(io.open('verdict', 'w'))\nf:write(dofile %r)\nf:close()" % USE)
log = tex("use.tex", "\\directlua{dofile('in_tex.lua')}\\end\n", "--shell-escape")
check_use("luatex", read(work + "/verdict") or log, "lua5.3")
write("prices.json", '{"tea": 2.5, "cake": 3}')
write("prices.lua", named_block("docs/hosts.md", "luatex"))
log = tex("guide.tex", "\\def\\prices{\\directlua{dofile('prices.lua')}}\\edef\\x{\\prices}\\message{<\\x>}\\end\n",
          "--shell-escape")
check("the guide's script prints into TeX", "<cake: 3, tea: 2.5>" in log, log)
log = tex("refused.tex", "\\directlua{require'fleece'}\\end\n")
check("without --shell-escape TeX loads no C modules", "fleece' not found" in log, log)
finish()
