# SPDX-License-Identifier: MIT
# writing.py -- the output files of bin/fleece: they appear complete or not at all and keep their mode and owner, also
# after a signal, a full disk or a closed stream. Expected results come from POSIX and docs/cli.md.

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, ROOT, check, environment, finish, read, run, same, skip, there, write  # noqa: E402


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


# ---- output files --------------------------------------------------------------------------------------------

os.mkdir("w")
os.chdir("w")
write("old", "as it was")
write("in", "[1] [2")
run(["min", "in", "-o", "old"])
same("a failure leaves the old file", read("old"), b"as it was")
run(["pack", "in", "-o", "new"])
same("a failure leaves no file", sorted(os.listdir(".")), ["in", "old"])
os.symlink("old", "link")
write("in", "[1]")
same("through a link", (run(["min", "in", "-o", "link"])[0], read("old"), os.path.islink("link")), (0, b"[1]\n", True))
same("over its own input", (run(["fmt", "in", "-o", "in"])[0], read("in")), (0, b"[\n  1\n]\n"))
same("to a device", run(["min", "in", "-o", "/dev/stdout"])[1], "[1]\n")
os.symlink("/dev/stderr", "stream")
os.symlink("stream", "stream2")
for name in ("/dev/stdout", "/dev/stderr", "/dev/fd/2", "stream", "stream2"):
    with open("redirected", "wb") as f:
        r = subprocess.run(FLEECE + ["min", "in", "-o", name], env=ENV, stdout=f, stderr=f)
    same("to the plain file that is %s" % name, (r.returncode, read("redirected")), (0, b"[1]\n"))
with open("redirected", "ab") as f:
    r = subprocess.run(FLEECE + ["min", "in", "-o", "/dev/stdout"], env=ENV, stdout=f)
same("appended to the existing content", (r.returncode, read("redirected")), (0, b"[1]\n[1]\n"))
os.symlink("cycle", "cycle")
check("a link to itself", run(["min", "in", "-o", "cycle"])[0] == 2)
os.mkfifo("pipe")
reader = subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE)
same("to a pipe with a name", (run(["min", "in", "-o", "pipe"])[0], reader.communicate()[0]), (0, b"[1]\n"))
odd = "odd'name $x.json"
same("a name with characters special to the shell", (run(["min", "in", "-o", odd])[0], read(odd)), (0, b"[1]\n"))
os.mkdir("folder")
check("a name that ends in a slash", run(["min", "in", "-o", "nothing/"]) ==
      (2, "", "fleece: nothing/: Is a directory\n") and run(["min", "in", "-o", "folder/"])[0] == 2 and
      os.listdir("folder") == [])
same("a name that is too long", run(["min", "in", "-o", "x" * 300])[0::2],
     (2, "fleece: %s: File name too long\n" % ("x" * 300)))
same("a name of 255 bytes", (run(["min", "in", "-o", "x" * 255])[0], read("x" * 255)), (0, b"[1]\n"))
os.remove("x" * 255)

# ---- links ---------------------------------------------------------------------------------------------------

os.mkdir("links")
write("links/victim", "mine")
os.symlink("victim\n", "links/link")  # code that reads lines would take it for "victim"
write("links/victim\n", "old")
same("a link to a name that ends in a line feed", (run(["min", "in", "-o", "links/link"])[0], read("links/victim"),
     read("links/victim\n")), (0, b"mine", b"[1]\n"))
os.symlink("a\nb", "links/link2")
same("a link to a name with a line feed in it, which is not there",
     (run(["min", "in", "-o", "links/link2"])[0], read("links/a\nb")), (0, b"[1]\n"))
os.symlink(os.path.abspath("links/absolute"), "links/1")
os.symlink("../links/1", "folder/2")
os.symlink("folder/2", "3")
same("a chain of links to a missing file creates the last one",
     (run(["min", "in", "-o", "3"])[0], read("links/absolute")), (0, b"[1]\n"))
check("all links remain links", all(os.path.islink(n) for n in ("links/1", "folder/2", "3", "links/link")))
same("the temporary file is in the folder of the target", sorted(os.listdir("folder")), ["2"])
os.symlink("folder", "to-folder")
os.symlink("../in-parent", "folder/up")
same("a link in a folder that is a link", (run(["min", "in", "-o", "to-folder/up"])[0], read("in-parent")), (0, b"[1]\n"))
os.symlink("loop2", "loop1")
os.symlink("loop1", "loop2")
same("links in a circle", run(["min", "in", "-o", "loop1"]),
     (2, "", "fleece: loop1: Too many levels of symbolic links\n"))

# ---- mode and owner ------------------------------------------------------------------------------------------

os.umask(0o022)
for bits in (0o600, 0o640, 0o444, 0o755, 0o666, 0o4711):
    write("kept", "1")
    os.chmod("kept", bits)
    same("-o keeps mode %o" % bits, (run(["min", "in", "-o", "kept"])[0], "%o" % mode("kept"), read("kept")),
         (0, "%o" % bits, b"[1]\n"))
    os.remove("kept")
for mask, bits in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
    os.umask(mask)
    same("a new file with umask %03o" % mask, (run(["min", "in", "-o", "fresh"])[0], "%o" % mode("fresh")), (0, "%o" % bits))
    os.remove("fresh")
os.umask(0o022)
write("secret.json", '{"a": 1}')
os.chmod("secret.json", 0o600)
same("over itself", (run(["fmt", "secret.json", "-o", "secret.json"])[0], "%o" % mode("secret.json")), (0, "600"))
if os.getuid() == 0:
    write("owned", "1")
    os.chmod("owned", 0o660)
    os.chown("owned", 12345, 23456)
    run(["min", "in", "-o", "owned"])
    about = os.stat("owned")
    same("-o keeps owner and group", (about.st_uid, about.st_gid, "%o" % mode("owned"), read("owned")),
         (12345, 23456, "660", b"[1]\n"))
else:
    skip("-o keeps owner and group", "this system: only root can give files away")


# ---- during writing ------------------------------------------------------------------------------------------

def begin(*args, **more):
    """Starts the program, which writes an unfinished file; returns it and the names of new files in this folder."""
    before = set(os.listdir("."))
    p = subprocess.Popen(FLEECE + ["min", "-", "-o", *args], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, env=ENV, **more)
    p.stdin.write(b"[1]\n" * 200000)
    p.stdin.flush()
    for _ in range(500):
        new = set(os.listdir(".")) - before
        if any(os.path.getsize(n) > 0 for n in new):
            break
        time.sleep(0.01)
    return p, sorted(new)


def end(p):
    try:
        p.stdin.close()
    except BrokenPipeError:
        pass
    code = p.wait(20)
    return code, p.stderr.read().decode()


write("target", "as it was")
os.chmod("target", 0o644)
names = set()
for name in ("target", "not-there", "target", "not-there"):
    p, new = begin(name)
    check("%s: one temporary file, which only its owner can read" % name,
          len(new) == 1 and mode(new[0]) == 0o600 and name not in new, (new, [oct(mode(n)) for n in new]))
    names.update(new)
    same("%s: then the file is complete" % name, (end(p), "%o" % mode(name), len(read(name)), os.path.exists(new[0])),
         ((0, ""), "644", 800000, False))
check("temporary files have different names", len(names) == 4 and all(len(n) >= 32 for n in names), names)
os.remove("not-there")

there_before = sorted(os.listdir("."))
write("target", "as it was")
signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # shells start programs in the background with it ignored
for name, number in sorted((s.name, s) for s in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM,
                                                 signal.SIGQUIT, signal.SIGALRM, signal.SIGXCPU, signal.SIGXFSZ)):
    for target in ("target", "not-there"):
        p, new = begin(target, restore_signals=True)
        p.send_signal(number)
        p.wait(60)  # it ends while it waits for input
        code, said = end(p)
        same("%s on the way to %s" % (name, target),
             (len(new), code, said, read("target"), sorted(os.listdir("."))),
             (1, -number, "", b"as it was", there_before))
for name, number in (("SIGHUP", signal.SIGHUP), ("SIGTERM", signal.SIGTERM)):  # lua itself always handles SIGINT
    p, new = begin("not-there", preexec_fn=lambda: signal.signal(number, signal.SIG_IGN))
    p.send_signal(number)
    same("%s if it is ignored, as under nohup" % name, (len(new), end(p), len(read("not-there"))),
         (1, (0, ""), 800000))
    os.remove("not-there")
for runtime in there:
    lua, env = environment(runtime)
    p = subprocess.Popen([lua, ROOT + "/bin/fleece", "min", "-o", "target"], stdin=subprocess.PIPE, env=env)
    p.stdin.write(b"[1]\n" * 200000)
    p.stdin.flush()
    while sorted(os.listdir(".")) == there_before:
        time.sleep(0.01)
    p.send_signal(signal.SIGINT)
    same("%s: an interruption while it waits for input ends it" % runtime, p.wait(10), -signal.SIGINT)
    p.stdin.close()
same("an interruption leaves no file", (read("target"), sorted(os.listdir("."))), (b"as it was", there_before))
p, new = begin("target")
same("two programs with one target", len(new), 1)
q, also = begin("target")
same("each has its own file", (len(also), end(p)[0], end(q)[0], len(read("target")), sorted(os.listdir("."))),
     (1, 0, 0, 800000, there_before))

# Documents with frames are written by functions of the library, with a lock: a signal leaves neither it nor a file.
os.mkdir("framed")
write("large.json", json.dumps(["%07d and more" % i for i in range(300000)]))
run(["pack", "--frame", "large.json", "-o", "framed/doc"])
framed = read("framed/doc")
for args in (["pack", "--frame", "large.json", "-o", "framed/doc"], ["compact", "framed/doc"], ["pack", "--frame", "large.json", "-o", "framed/new"]):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXFSZ):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))) if number == signal.SIGXFSZ else None
        for _ in range(50):  # on a busy machine it may end before the signal
            write("framed/doc", framed)
            p = subprocess.Popen(FLEECE + args, env=ENV, stderr=subprocess.PIPE, preexec_fn=limit)
            while number != signal.SIGXFSZ and p.poll() is None and not any(n.endswith(".tmp") for n in os.listdir("framed")):
                pass
            if p.poll() is None and number != signal.SIGXFSZ:
                p.send_signal(number)
            code, said = p.wait(20), p.stderr.read()
            if code != 0:
                break
            if os.path.exists("framed/new"):
                os.remove("framed/new")
        same("%s during %s" % (number.name, " ".join(args)), (code, said, read("framed/doc") == framed, os.listdir("framed")),
             (-number, b"", True, ["doc"]))

# A document with a frame from a pipe becomes a temporary file in $TMPDIR, of which nothing is left.
os.mkdir("temporary")
kept = dict(ENV, TMPDIR=os.path.abspath("temporary"))
for what, text, number, expected in (("whole", framed, None, 0), ("damaged", framed[:-9], None, 2), ("killed", framed, signal.SIGTERM, -signal.SIGTERM),
                                     ("too large", framed, signal.SIGXFSZ, -signal.SIGXFSZ)):
    limit = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))) if number == signal.SIGXFSZ else None
    for _ in range(50):
        p = subprocess.Popen(FLEECE + ["stat"], env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
        p.stdin.write(text)
        p.stdin.close()
        while number == signal.SIGTERM and p.poll() is None and not os.listdir("temporary"):
            pass
        if number == signal.SIGTERM:
            p.send_signal(number)
        if p.wait(20) == expected:
            break
    same("a document from a pipe, " + what, (p.returncode, os.listdir("temporary")), (expected, []))
p = subprocess.run(FLEECE + ["stat"], env=dict(ENV, TMPDIR="/not/there"), input=framed, capture_output=True)
same("no folder for temporary files", (p.returncode, p.stderr.startswith(b"fleece: /not/there/fleece-")), (2, True))

# A signal that is handled, without SA_RESTART: what is written to a slow pipe, and read from one, arrives. (getpid is a
# handler that does nothing; only LuaJIT can set one.)
INTERRUPTED = """
local ffi = require "ffi"
ffi.cdef "void *signal(int, void *); int siginterrupt(int, int); int getpid(void);"
ffi.C.signal(%d, ffi.cast("void *", ffi.C.getpid))
ffi.C.siginterrupt(%d, 1)
io.stdout:write "ready\\n"
io.stdout:flush()
arg[0] = table.remove(arg, 1)
dofile(arg[0])
""" % (signal.SIGUSR1, signal.SIGUSR1)


def begin_interrupted(lua, env, *args):
    p = subprocess.Popen([lua, "interrupted.lua", ROOT + "/bin/fleece"] + list(args), env=env, bufsize=0, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdout.read(6)
    return p


if environment("luajit"):
    numbers = "[%d]\n" % 123456 * 80000
    write("numbers", numbers)
    write("interrupted.lua", INTERRUPTED)
    lua, env = environment("luajit")
    p = begin_interrupted(lua, env, "min", "numbers", "-o", "/dev/fd/1")
    got = p.stdout.read(20000)
    while len(got) < 80000 * 9:
        p.send_signal(signal.SIGUSR1)
        time.sleep(0.002)
        piece = p.stdout.read(20000)
        got += piece
        if not piece:
            break
    same("signals while a pipe is full", (p.wait(20), p.stderr.read(), got == read("numbers")), (0, b"", True))
    some = numbers[:900].encode()
    for args, wanted in ((["min"], some), (["min", "--unbuffered"], some), (["min", "--keep-going"], some), (["check", "-v", "--lines"], b"standard input: fine\n"),
                         (["get", "--lines", "[0]"], some.replace(b"[", b"").replace(b"]", b"")), (["set", "--lines", "/0", "123456"], some),
                         (["pack", "--lines"], None)):
        p = begin_interrupted(lua, env, *args)
        for at in range(0, len(some), 30):  # within lines, too
            for _ in range(3):
                time.sleep(0.001)
                if p.poll() is None:
                    p.send_signal(signal.SIGUSR1)
            if p.poll() is None:
                p.stdin.write(some[at:at + 30])
        p.stdin.close()
        got = p.stdout.read()
        same("signals while fleece %s waits for input" % " ".join(args), (p.wait(20), p.stderr.read(), wanted in (None, got)), (0, b"", True))
else:
    skip("signals while a pipe is full", "not installed: LuaJIT")

# ---- lost output ---------------------------------------------------------------------------------------------

write("target", "as it was")
small_disk = "disk"
os.mkdir(small_disk)
if os.getuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small_disk],
                                       capture_output=True).returncode == 0:
    try:
        write("disk/target", "as it was")
        got = run(["min", "-", "-o", "disk/target"], b"[1]\n" * 200000)
        same("a full disk", (got, read("disk/target"), os.listdir(small_disk)),
             ((2, "", "fleece: disk/target: No space left on device\n"), b"as it was", ["target"]))
        write("disk/almost", b"x" * 250000)
        got = run(["pack", "-", "-o", "disk/target"], json.dumps(["%d" % i for i in range(3000)]).encode())
        same("a disk that fills with the last bytes", (got, read("disk/target"), sorted(os.listdir(small_disk))),
             ((2, "", "fleece: disk/target: No space left on device\n"), b"as it was", ["almost", "target"]))
    finally:
        subprocess.run(["umount", small_disk])
else:
    skip("a full disk", "this system: only root can mount one")
os.rmdir(small_disk)

write("doc.json", '{"a": [1, 2]}')
run(["pack", "doc.json", "-o", "doc.fleece"])
write("delta.json", '{"a":[3]}')
LOUD = [["check", "-v", "doc.json"], ["check", "--verbose", "doc.fleece", "doc.json"], ["--help"], ["--version"],
        ["fmt", "--help"], ["fmt", "doc.json"], ["min", "doc.json"], ["get", "doc.json", "a"], ["get", "doc.json", "/a/0"],
        ["pack", "--force", "doc.json"], ["unpack", "doc.fleece"], ["dump", "doc.fleece"], ["stat", "doc.json"],
        ["diff", "doc.json", "delta.json"], ["patch", "doc.json", "delta.json"], ["bench", "doc.json"],
        ["completion", "bash"], ["completion", "zsh"], ["completion", "fish"], ["completion", "--help"]]
for args in LOUD:
    if args[0] != "bench":  # bench takes long
        fine = run(args)
        check("fleece %s says something" % " ".join(args), fine[0] in (0, 1) and fine[1] != "", fine)
    with open("/dev/full", "wb") as full:
        r = subprocess.run(FLEECE + args, stdout=full, stderr=subprocess.PIPE, env=ENV)
    same("fleece %s: lost on a full disk" % " ".join(args), (r.returncode, r.stderr),
         (2, b"fleece: standard output: No space left on device\n"))
    r = subprocess.run(["sh", "-c", 'fleece "$@" >&-', "sh"] + args, stderr=subprocess.PIPE, env=ENV)
    same("fleece %s: lost if standard output is closed" % " ".join(args), (r.returncode, r.stderr),
         (2, b"fleece: standard output: Bad file descriptor\n"))
r = subprocess.run(["sh", "-c", "fleece check doc.json >&- && fleece min doc.json -o closed.json >&- 2>&- <&-"], env=ENV)
same("no error without output if standard output is closed", (r.returncode, read("closed.json")), (0, b'{"a":[1,2]}\n'))
r = subprocess.run(["sh", "-c", "fleece pack doc.json --keys names >&-"], env=ENV, stderr=subprocess.PIPE)
check("no file replaces a closed standard output", r.returncode == 2 and
      run(["unpack", "--keys", "names", "doc.fleece"])[0] == 0, (r, read("names")))
r = subprocess.run(["sh", "-c", "fleece min <&-"], env=ENV, capture_output=True)
same("no file replaces a closed standard input", (r.returncode, r.stderr),
     (2, b"fleece: standard input: Bad file descriptor\n"))

os.chdir(ROOT)
finish()
