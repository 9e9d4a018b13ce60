# SPDX-License-Identifier: MIT
# replacing.py -- files that cannot be replaced: mount points, folders that cannot be written, files that another process
# has locked. The old file stays, and the message says what it is. Expected results come from rename(2) and docs/files.md.

import fcntl
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, LUA, ROOT, finish, read, run, same, skip, write  # noqa: E402

os.mkdir("replacing")
os.chdir("replacing")
write("calls.lua", """
local fleece = require "fleece.safe"
for _, f in ipairs {
  function(path) return fleece.write_file(path, { 2 }, { wait = 0 }) end,
  function(path) return fleece.save(path, { 2 }, { wait = 0 }) end,
  function(path) return fleece.compact(path, { wait = 0 }) end,
} do print((select(2, f(arg[1])))) end
""")


def calls(path):
    return subprocess.run([LUA, "calls.lua", path], env=ENV, capture_output=True, text=True, timeout=60).stdout.splitlines()


run(["pack", "-", "-o", "doc"], b"[1]")
before = read("doc")
write("doc.lock", "")
with open("doc.lock") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    why = "another writer has locked it: 'doc.lock' is taken, after 0 ms"
    same("a file that another process has locked", calls("doc"), ["cannot %s 'doc': %s" % (w, why) for w in ("write", "write", "compact")])
    same("it stays", (read("doc"), sorted(os.listdir("."))), (before, ["calls.lua", "doc", "doc.lock"]))
os.remove("doc.lock")

in_place = " (in_place = true writes the file itself)"
os.mkdir("disk")
mounted = []


def mount(*args):
    fine = os.getuid() == 0 and subprocess.run(["mount", *args], capture_output=True).returncode == 0
    if fine:
        mounted.append(args[-1])
    return fine


try:
    write("here", before)
    if mount("--bind", "doc", "here"):
        why = "it is a mount point, so no new file can replace it; mount its folder instead"
        same("a mount point", calls("here"), ["cannot %s 'here': %s%s" % (w, why, hint) for w, hint in
                                              (("write", in_place), ("write", ""), ("compact", ""))])
        same("a mount point and -o", run(["min", "doc", "--binary", "-o", "here"])[0], 2)
        same("the words of -o", run(["fmt", "-", "-o", "here"], b"[2]"), (2, "", "fleece: here: %s\n" % why))
        same("pack --frame", run(["pack", "--frame", "-", "-o", "here"], b"[2]"), (2, "", "fleece: here: %s\n" % why))
        same("a mount point in place", subprocess.run([LUA, "-e", """
            local fleece = require "fleece"
            print(fleece.write_file("here", { 2 }, { in_place = true }), pcall(fleece.save, "here", { 2 }, { in_place = true }))
        """], env=ENV, capture_output=True, text=True).stdout.split("\t")[:2], ["true", "false"])
        same("its bytes", (read("here"), read("doc"), sorted(os.listdir("."))), (b"[2]", b"[2]", ["calls.lua", "disk", "doc", "here"]))
        write("here", before)
        same("the mounted file stays", (read("here"), sorted(os.listdir("."))), (before, ["calls.lua", "disk", "doc", "here"]))
    else:
        skip("a mount point", "this system: only root can mount one")
    if mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", "disk"):
        write("disk/doc", before)
        subprocess.run(["mount", "-o", "remount,ro", "disk"], check=True)
        why = "no file can be made in its folder 'disk/': Read-only file system"
        same("a folder that cannot be written", calls("disk/doc"),
             ["cannot %s 'disk/doc': %s" % (w, why) for w in ("write", "write", "compact")])
        write("here", before)
        same("a file that can be written in such a folder", mount("--bind", "here", "disk/doc") and calls("disk/doc"),
             ["cannot %s 'disk/doc': %s%s" % (w, why, hint) for w, hint in (("write", in_place), ("write", ""), ("compact", ""))])
        same("the command names the folder", run(["fmt", "-", "-o", "disk/new"], b"[2]"), (2, "", "fleece: disk/new: %s\n" % why))
    else:
        skip("a folder that cannot be written", "this system: only root can mount one")
finally:
    for path in reversed(mounted):
        subprocess.run(["umount", path])

# Where memory ends, too, the message names the file; read into memory, and mapped.
write("large", "")
os.truncate("large", 400 << 20)
r = subprocess.run([LUA, "-e", """
    print(select(2, pcall(require "fleece".open_file, "large", { map = false })))
    print((select(2, require "fleece.safe".open_file("large", { map = false }))))
    print((select(2, require "fleece.safe".open_file("large"))))
"""], env=ENV, capture_output=True, text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20)))
same("a file that memory cannot hold", (r.stdout.splitlines(), r.stderr),
     (["cannot open 'large': not enough memory"] * 2 + ["cannot open 'large': Cannot allocate memory"], ""))
os.remove("large")

# What is no plain file has no new file to get: a device, a pipe, a folder, standard input.
os.mkfifo("fifo")
for path in ("/dev/null", "fifo", "disk", "/dev/stdin"):
    same("compact of " + path, run(["compact", path], before), (2, "", "fleece: %s: it must be a plain file\n" % path))
same("compact of -", run(["compact", "-"], before), (2, "", "fleece: compact: the name of a plain file expected, not standard input\n"))
os.remove("fifo")

# A hard link: the name gets a new file, and other names keep the old one.
write("one", "[1]")
os.link("one", "two")
same("a hard link", (run(["min", "-", "-o", "one"], b"[2]")[0], read("one"), read("two")), (0, b"[2]\n", b"[1]"))

os.chdir(ROOT)
finish()
