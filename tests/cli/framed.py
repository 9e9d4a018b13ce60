# SPDX-License-Identifier: MIT
# framed.py -- files with frames, in the program: what it writes is read by the model (tests/model); damaged files, and
# what a full disk leaves of an append. Expected results come from docs/format.md and docs/cli.md.

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, ROOT, check, finish, read, run, same, skip, write  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "tests", "model"))
import fleece_format  # noqa: E402
import fleece_frames  # noqa: E402
from fleece_values import equal  # noqa: E402

os.mkdir("framed")
os.chdir("framed")
write("in.json", '{"name":"Ann","list":[1,2,{"x":"some text"}]}')
same("pack --frame", run(["pack", "--frame", "--mode", "compatible", "in.json", "-o", "a.fleece"]), (0, "", ""))
body = fleece_format.encode(b'{"name":"Ann","list":[1,2,{"x":"some text"}]}')
same("the model writes the same file", read("a.fleece"), fleece_frames.frame(body) + body)
same("no lock is left", sorted(os.listdir(".")), ["a.fleece", "in.json"])
same("check", run(["check", "a.fleece"]), (0, "", ""))
same("unpack", run(["unpack", "a.fleece"]), (0, '{"list":[1,2,{"x":"some text"}],"name":"Ann"}\n', ""))
check("stat", "Fleece with a frame" in run(["stat", "a.fleece"])[1] and "amendments       0" in run(["stat", "a.fleece"])[1])
same("dump", run(["dump", "a.fleece"])[0], 0)
same("pack --frame to standard output", run(["pack", "--frame", "in.json"]), (2, "", "fleece: --frame needs -o FILE\n"))
same("pack --frame --keys", run(["pack", "--frame", "--keys", "names", "in.json", "-o", "k.fleece"]), (0, "", ""))
same("the names are in the file", run(["get", "k.fleece", "name"]), (0, '"Ann"\n', ""))

# The reader of the model, which knows no frames, reads the file and the amended file.
change = b"\x41\x78\x00\x07"  # "x": 7
amended = read("a.fleece")
root = len(body) - 2 - 2 * (((body[-2] << 8) | body[-1]) & 0x3fff)  # of the first document, in its body
pointer = (48 + len(body) - root + 4) // 2
tail = b"\x70\x02\x08\x00" + bytes([0x80 | pointer >> 8, pointer & 255]) + change + b"\x80\x05"
amended += fleece_frames.frame(tail, before=amended) + tail
write("b.fleece", amended)
same("an amendment of the model", run(["unpack", "b.fleece"]),
     (0, '{"list":[1,2,{"x":"some text"}],"name":"Ann","x":7}\n', ""))
for bytes_, what in ((amended, "the file"), (amended[48:], "what is after its first frame")):
    check("who knows no frames reads " + what, fleece_format.validate(bytes_).valid and
          equal(fleece_format.decode(bytes_), fleece_format.decode(
              fleece_format.encode(b'{"list":[1,2,{"x":"some text"}],"name":"Ann","x":7}'))))
same("stat counts amendments", "amendments       1" in run(["stat", "b.fleece"])[1], True)

first = 48 + len(body)
for n in range(first + 1, len(amended), 9):
    write("cut.fleece", amended[:n])
    why = "the file is cut off: its frame promises more bytes at byte %d" % (n + 1)
    same("check of %d bytes" % n, run(["check", "cut.fleece"]), (1, "", "fleece: cut.fleece: %s\n" % why))
    same("the model sees it", fleece_frames.parts(amended[:n]), ([first], "cut"))
    same("recover of %d bytes" % n, run(["recover", "cut.fleece"]),
         (0, "", "fleece: cut.fleece: %d bytes at the end were left out: %s\n" % (n - first, why)))
    same("recovered", run(["unpack", "cut.fleece"]), run(["unpack", "a.fleece"]))
    same("recovered, to the model", fleece_frames.parts(read("cut.fleece"))[1], "fine")

# Standard input is tested as a file is.
for command, wanted in (["check"], ""), (["unpack"], run(["unpack", "b.fleece"])[1]), (["get", "x"], "7\n"):
    same("standard input: " + command[0], run(command, amended), (0, wanted, ""))
    changed = amended[:60] + bytes([amended[60] ^ 1]) + amended[61:]
    for bytes_, why in ((amended[:-1], "the file is cut off: its frame promises more bytes at byte %d" % len(amended)),
                        (changed, "the document was changed: its checksum differs at byte 49")):
        same("standard input: %s of a damaged file" % command[0], run(command, bytes_)[1:],
             ("", "fleece: standard input: %s\n" % why))

same("recover -o", run(["recover", "-o", "new.fleece", "b.fleece"]), (0, "", ""))
same("its result", run(["get", "new.fleece", "x"])[1], "7\n")
same("compact", run(["compact", "--verbose", "b.fleece"])[0], 0)
same("compacted", (fleece_frames.parts(read("b.fleece")), run(["get", "b.fleece", "x"])[1]),
     (([len(read("b.fleece"))], "fine"), "7\n"))
write("plain.fleece", body)
same("recover of a file without a frame", run(["recover", "plain.fleece"]),
     (2, "", "fleece: plain.fleece: the file has no frame\n"))
same("compact of it", run(["compact", "plain.fleece"])[0], 0)
same("has a frame now", fleece_frames.parts(read("plain.fleece"))[1], "fine")

# A document that is rewritten keeps its frame, its keys and its mode.
write("old.json", '{"name":"Ann","names":[{"name":1},{"name":2}],"n":1}')
write("new.json", '{"name":"Ann","names":[{"name":1},{"name":3}],"n":2,"longer":"x"}')
for name, options in (("framed", ["--keys", "list"]), ("plain-names", [])):
    path = name + ".fleece"
    run(["pack", "--frame", "old.json", "-o", path] + options)
    os.chmod(path, 0o640)
    same(name + ": diff takes the keys of frames", run(["diff", path, "new.json", "-o", "delta.json"])[0::2], (1, ""))
    same(name + ": the same delta", run(["diff", "old.json", "new.json"])[1].encode(), read("delta.json"))
    same(name + ": patch over itself", run(["patch", path, "delta.json", "-o", path]), (0, "", ""))
    same(name + ": its frame", (fleece_frames.parts(read(path))[1], "Fleece with a frame" in run(["stat", path])[1]), ("fine", True))
    same(name + ": its value", run(["unpack", "--canonical", path])[1], '{"longer":"x","n":2,"name":"Ann","names":[{"name":1},{"name":3}]}\n')
    same(name + ": its mode", os.stat(path).st_mode & 0o777, 0o640)
    same(name + ": its names", read(path)[12:16] != bytes(4), bool(options))
    same(name + ": patch to standard output", run(["patch", "--force", path, "delta.json"])[0], 0)
    same(name + ": no lock is left", [n for n in os.listdir(".") if "lock" in n or n.endswith(".tmp")], [])

# A full disk: the old state, no other file; after there is room again, the new one.
APPEND = """
local fleece = require "fleece"
local doc = fleece.open_file "disk/a"
print(pcall(doc.append, doc, function(m) m.big = ("x"):rep(200000) end))
print(fleece.open_file("disk/a").root.n)
print(pcall(fleece.save, "disk/a", { ("x"):rep(200000) }))
print(fleece.open_file("disk/a").root.n)
print(pcall(fleece.compact, "disk/a"))
os.remove "disk/fill"
print((fleece.open_file("disk/a"):append(function(m) m.big, m.n = ("x"):rep(200000), 2 end)).root.n)
print(fleece.open_file("disk/a").root.n)
"""
os.mkdir("disk")
if os.getuid() == 0 and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", "disk"],
                                       capture_output=True).returncode == 0:
    try:
        write("append.lua", APPEND)
        write("disk/fill", b"x" * 200000)
        lua = subprocess.run(["sh", "-c", "command -v lua5.4"], capture_output=True, text=True).stdout.strip()
        write("state.json", '{"n":1}')
        run(["pack", "--frame", "state.json", "-o", "disk/a"])
        got = subprocess.run([lua, "append.lua"], env=ENV, capture_output=True, text=True)
        same("a full disk", (got.stdout.splitlines(), got.stderr, os.listdir("disk")),
             (["false\tcannot append to 'disk/a': No space left on device", "1",
               "false\tcannot write 'disk/a': No space left on device", "1"] +
              got.stdout.splitlines()[4:5] + ["2", "2"], "", ["a"]))
    finally:
        subprocess.run(["umount", "disk"])
else:
    skip("a full disk", "this system: only root can mount one")

run(["pack", "--frame", "-", "-o", "long.fleece"], b'["%s"]' % (b"x" * 9000))
write("short.fleece", read("long.fleece")[:8000])
same("a file with a frame that was cut looks like nothing else", run(["check", "short.fleece"]),
     (1, "", "fleece: short.fleece: the file is cut off: its frame promises more bytes at byte 8001\n"))

os.chdir(ROOT)
finish()
