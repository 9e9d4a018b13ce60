# SPDX-License-Identifier: MIT
# interpreters.py -- Luas that cannot run bin/fleece, and programs that are called lua and do not end.

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, ROOT, RUNTIMES, check, environment, finish, same, work  # noqa: E402


def script(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


# ---- a lua that waits for ever, as Debian's tarantool as /usr/bin/lua does after a script that fails ----------------

hanging = work + "/hanging"
TARANTOOL = 'case $1 in -v) echo "Tarantool 2.6.0"; exit;; esac\nwhile :; do sleep 1; done\n'
script(hanging, "lua", TARANTOOL)
env = dict(os.environ, PATH=hanging + ":/usr/bin:/bin")
for runtime in RUNTIMES + ["none"]:
    done = subprocess.run([ROOT + "/tools/where.sh", "lua", runtime], env=env, capture_output=True, text=True, timeout=20)
    check("where.sh lua %s does not wait for it, nor take it" % runtime, hanging not in done.stdout, done.stdout)
for runtime in RUNTIMES:  # one that is called by the name of the version, too, and asks for input
    script(hanging, runtime, TARANTOOL)
    script(work + "/asking", runtime, "read x\necho Lua 5.4.6\n")
    for folder in (hanging, work + "/asking"):
        done = subprocess.run([ROOT + "/tools/where.sh", "is", runtime, folder + "/" + runtime], timeout=20,
                              stdin=subprocess.PIPE, capture_output=True)
        same("where.sh is %s, of %s" % (runtime, os.path.basename(folder)), done.returncode,
             0 if runtime == "lua5.4" and folder != hanging else 1)
for says, fits in (("Lua 5.1.5  Copyright (C) 1994-2012", "lua5.1"), ("LuaJIT 2.1.0-beta3 -- Copyright", "luajit"), ("Lua 5.5.0  Copy", "lua5.5"),
                   ("Lua 5.10.1  Copyright", None), ("Luau 0.500", None), ("", None)):
    program = script(work + "/says", "lua", "echo '%s' >&2\n" % says)
    got = [r for r in RUNTIMES if subprocess.run([ROOT + "/tools/where.sh", "is", r, program]).returncode == 0]
    same("where.sh is, of %r" % says, got, [fits] if fits else [])

# ---- make install chooses the program's interpreter ------------------------------------------------------------------

there = [r for r in RUNTIMES if environment(r)]
place = {"DESTDIR": work + "/installed", "BINDIR": "/bin", "MANDIR": "/man", "DATADIR": "/share", "LIBDIR": "/lib/5.x", "LUADIR": "/lua/5.x"}
for version in ("5.4", "5.1"):
    done = subprocess.run([ROOT + "/tools/program.sh", "install", version], env=dict(env, **place), capture_output=True, timeout=120)
    with open(work + "/installed/bin/fleece") as f:
        first = f.readline()
    check("program.sh does not wait for %s either" % version, done.returncode == 0 and first.startswith("#!/usr/bin/env lua"), first)

script(work + "/both", "lua5.4", "echo Lua 5.4.6\n")
script(work + "/both", "lua5.1", "echo Lua 5.1.5\n")
place["DESTDIR"] = work + "/twice"
os.makedirs(work + "/twice/lib/5.4")
for versions, wanted, stays in (("5.1", "lua5.1", False), ("5.1 5.4", "lua5.4", False), ("5.1", "lua5.4", True), ("5.4", "lua5.4", False), ("5.1", "lua5.1", False)):
    if stays:
        open(work + "/twice/lib/5.4/fleece.so", "w").close()
    elif os.path.exists(work + "/twice/lib/5.4/fleece.so"):
        os.remove(work + "/twice/lib/5.4/fleece.so")
    done = subprocess.run([ROOT + "/tools/program.sh", "install"] + versions.split(), env=dict(env, PATH=work + "/both:/usr/bin:/bin", **place),
                          capture_output=True, text=True, timeout=120)
    with open(work + "/twice/bin/fleece") as f:
        first = f.readline()
    check("make install for Lua %s: the program runs in %s" % (versions, wanted), first == "#!/usr/bin/env %s\n" % wanted and
          ("stays for Lua 5.4" in done.stdout) == stays, (first, done.stdout, done.stderr))

# ---- bin/fleece without its module -----------------------------------------------------------------------------------


def say(runtime, cpath, lua_path=ROOT + "/lua/?.lua"):
    lua = environment(runtime)[0]
    env = dict(ENV, LUA_CPATH=cpath, LUA_PATH=lua_path)
    for name in list(env):
        if name.startswith(("LUA_PATH_", "LUA_CPATH_", "LUA_INIT")):
            del env[name]
    done = subprocess.run([lua, ROOT + "/bin/fleece", "min"], env=env, input=b"1", capture_output=True, timeout=20)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


NAMES = dict({r: "Lua " + r[3:] for r in RUNTIMES}, luajit="LuaJIT")
for runtime in there:
    own = {"luajit": "5.1"}.get(runtime, runtime[3:])
    other = "5.3" if own == "5.4" else "5.4"
    folder = "%s/%s/%s" % (work, runtime.replace(".", ""), other)
    os.makedirs(folder, exist_ok=True)
    open(folder + "/fleece.so", "w").close()
    same("%s: no module" % runtime, say(runtime, "/nowhere/?.so"),
         (2, "", "fleece: the module fleece is not installed for %s; build it: make install RUNTIME=%s, or set LUA_PATH and LUA_CPATH\n"
          % (NAMES[runtime], runtime)))
    same("%s: a module for another Lua" % runtime, say(runtime, "%s/%s/?.so" % (os.path.dirname(folder), own)),
         (2, "", "fleece: the module fleece is not installed for %s; it is for Lua %s: run lua%s %s/bin/fleece\n"
          % (NAMES[runtime], other, other, ROOT)))
    code, out, said = say(runtime, "%s/README.md" % ROOT)
    check("%s: no object" % runtime, code == 2 and out == "" and said.count("\n") == 1 and
          said.startswith("fleece: the module fleece cannot be loaded in %s: " % NAMES[runtime]), said)
    code, out, said = say(runtime, "%s/build/%s/?.so" % (ROOT, runtime), "/nowhere/?.lua")
    check("%s: no files of the program" % runtime, code == 2 and out == "" and said.count("\n") == 1 and
          said.startswith("fleece: the files of lua/fleece are not installed for %s; " % NAMES[runtime]), said)
    for wrong in there:
        if wrong != runtime and {wrong, runtime} != {"lua5.1", "luajit"}:
            code, out, said = say(runtime, "%s/build/%s/?.so" % (ROOT, wrong))
            check("%s: the object of %s" % (runtime, wrong), code == 2 and out == "" and re.match(
                r"fleece: the module fleece cannot be loaded in %s: [^\n]+\n$" % re.escape(NAMES[runtime]), said), said)

finish()
