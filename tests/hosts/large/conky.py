# SPDX-License-Identifier: MIT
# conky.py -- Fleece in Conky (Lua 5.3), which writes to the terminal: the guide's script, and use.lua.

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, read, same, write

host = Unpacked("conky", "usr/bin/conky")
ENV = cpath_of(module_for("lua5.3"))


def conky(script, text):
    config = write("conky.conf", """conky.config = {
        out_to_x = false, out_to_console = true, total_run_times = 1, update_interval = 0.1, lua_load = %r }
        conky.text = [[%s]]""" % (write("script.lua", script), text))
    return host.run("-c", config, env=ENV)


verdict = write("verdict", "")
conky("""function conky_use()
    local file = io.open(%r, "w")
    file:write(dofile %r)
    file:close()
    return "done"
end""" % (verdict, USE), "${lua use}")
check_use("conky", read(verdict), "lua5.3")
guide = named_block("docs/hosts.md", "conky")
check("the guide's script names the file", "/tmp/weather.json" in guide, guide)
file = write("weather.json", '{"temperature": 21.5}')
code, out, err = conky(guide.replace("/tmp/weather.json", file), "${lua weather temperature} degrees")
same("the guide's script shows a value", (code, out.strip()), (0, "21.5 degrees"))
write("weather.json", '{"temperature"')
code, out, err = conky(guide.replace("/tmp/weather.json", file), "${lua weather temperature}")
check("the guide's script shows an error", "unexpected end at line 1, column 15" in out, out + err)
finish()
