# SPDX-License-Identifier: MIT
# awesome.py -- Fleece in the window manager Awesome (Lua 5.3) on a display without a screen: the guide's settings, and
# use.lua.

import glob
import os
import subprocess

from common import USE, Unpacked, check, check_use, cpath_of, finish, module_for, named_block, read, same, work, write

screen = Unpacked("xvfb", "usr/bin/Xvfb", None)
with open(screen.program, "rb") as f:  # it runs /usr/bin/xkbcomp; without the folder, the one in PATH
    data = f.read().replace(b"\0/usr/bin\0", b"\0\0usr/bin\0")
server_program = os.path.join(work, "Xvfb")
with open(server_program, "wb") as f:
    f.write(data)
os.chmod(server_program, 0o755)
host = Unpacked("awesome", "usr/bin/awesome", None)
module = module_for("lua5.3")
os.mkdir(work + "/awesome")
config = write("awesome/rc.lua", """
local function note(name, text)
  local file = assert(io.open("%s/" .. name, "w"))
  file:write(text)
  file:close()
end
note("verdict", dofile %r)
do
%s
end
note("gap", tostring(require("beautiful").useless_gap))
awesome.quit()
""" % (work, USE, named_block("docs/hosts.md", "awesome")))
lua = host.root + "/usr/share/lua/5.3/?"
ENV = dict(host.env, LUA_PATH="%s.lua;%s/init.lua;;" % (lua, lua), LUA_CPATH="%s/?.so;%s/?.so;;" % (
    os.path.dirname(module), glob.glob(host.root + "/usr/lib/*/lua/5.3")[0]), XDG_CONFIG_HOME=work, HOME=work,
    GI_TYPELIB_PATH=":".join(glob.glob(host.root + "/usr/lib/*/girepository-1.0")))


def awesome(settings):
    """Runs it to its end; returns what it said."""
    write("awesome/settings.json", settings)
    ours, theirs = os.pipe()
    server = subprocess.Popen([server_program, "-displayfd", str(theirs), "-nolisten", "tcp"], pass_fds=[theirs],
                              env=dict(os.environ, **screen.env), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    os.close(theirs)
    try:
        display = ":" + os.read(ours, 20).decode().strip()
        code, out, err = host.run("-c", config, "--search", host.root + "/usr/share/awesome/lib",
                                  env=dict(ENV, DISPLAY=display))
        return out + err
    finally:
        os.close(ours)
        server.kill()
        server.wait()


said = awesome('{"gap": 7}')
check("awesome ran the configuration", os.path.exists(work + "/gap"), said)
if os.path.exists(work + "/gap"):
    check_use("awesome", read(work + "/verdict"), "lua5.3")
    same("the guide's settings", read(work + "/gap"), "7")
    said = awesome('{"gap": ')
    check("the guide's settings: a damaged file", read(work + "/gap") == "0" and "unexpected end" in said, said)
finish()
