# SPDX-License-Identifier: MIT
# program.py -- helpers for the tests of bin/fleece: a Lua that runs it, a temporary folder, which is the current one,
# and running the program on pipes and terminals.

import atexit
import fcntl
import os
import pty
import resource
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

SHELLS = os.environ.get("FLEECE_TEST_SHELLS") == "1"  # common.py removes such variables
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hosts"))
from common import ROOT, check, finish, same, skip, skip_all  # noqa: E402,F401

RUNTIMES = ["lua5.4", "lua5.1", "lua5.2", "lua5.3", "lua5.5", "luajit"]


def environment(runtime):
    """The interpreter, and an environment in which it finds the module and argparse; None if something is missing."""
    lua = subprocess.run([ROOT + "/tools/where.sh", "lua", runtime], capture_output=True, text=True).stdout.strip()
    if not lua or not os.path.exists("%s/build/%s/fleece.so" % (ROOT, runtime)):
        return None
    lua = os.path.join(ROOT, lua) if "/" in lua else lua
    env = dict(os.environ, LUA_CPATH="%s/build/%s/?.so;;" % (ROOT, runtime), TERM="xterm", LC_ALL="C.UTF-8")
    # argparse is plain Lua, so a copy for any version is fine.
    env["LUA_PATH"] = ROOT + "/lua/?.lua;;" + "".join(
        ";/usr/share/lua/%s/?.lua;/usr/local/share/lua/%s/?.lua" % (v, v) for v in ("5.1", "5.2", "5.3", "5.4"))
    env.pop("NO_COLOR", None)
    if subprocess.run([lua, "-e", "require 'argparse'"], env=env, capture_output=True).returncode != 0:
        return None
    return lua, env


work = tempfile.mkdtemp()
wanted = os.environ.get("ONLY_RUNTIME", "")
there = [r for r in RUNTIMES if (not wanted or r == wanted) and environment(r)]
if not there:
    skip_all("not installed: no Lua with the module and argparse (Debian: lua-argparse)")
LUA, ENV = environment(there[0])
FLEECE = [LUA, ROOT + "/bin/fleece"]
atexit.register(shutil.rmtree, work, True)
os.mkdir(work + "/bin")
with open(work + "/bin/fleece", "w") as f:
    f.write('#!/bin/sh\nexec "%s" "%s/bin/fleece" "$@"\n' % (LUA, ROOT))
os.chmod(work + "/bin/fleece", 0o755)
ENV["PATH"] = work + "/bin:" + os.environ["PATH"]
os.mkdir(work + "/files")
os.chdir(work + "/files")


def run(args, stdin=b"", limit=None, **more):
    """Runs the program; returns its exit code, output and messages."""
    def before():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    # Python copies its own process if it has a function to call, and that takes as long as the program.
    r = subprocess.run(FLEECE + args, input=stdin, capture_output=True, env=ENV, timeout=60,
                       preexec_fn=before if limit else None, **more)
    return r.returncode, r.stdout.decode(errors="replace"), r.stderr.decode(errors="replace")


def write(name, text):
    with open(name, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())


def read(name):
    with open(name, "rb") as f:
        return f.read()


def on_terminal(args, stdin=None, streams=(1, 2), slowly=None, env=None):
    """Runs the program with these streams on a terminal; returns its exit code and what the terminal shows."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    pipes = {s: slave for s in streams}
    p = subprocess.Popen(FLEECE + args, stdin=stdin or subprocess.DEVNULL, env=dict(ENV, **(env or {})),
                         stdout=pipes.get(1, subprocess.DEVNULL), stderr=pipes.get(2, subprocess.PIPE))
    if slowly:
        slowly(p)
    # The other end stays open: when the last program closes it, Linux may drop what was not read.
    seen, ended = b"", False
    while True:
        if select.select([master], [], [], 0.02)[0]:
            seen += os.read(master, 65536)
        elif ended:
            break
        else:
            ended = p.poll() is not None
    os.close(slave)
    os.close(master)
    return p.returncode, seen.decode(errors="replace").replace("\r\n", "\n")
