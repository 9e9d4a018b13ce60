# SPDX-License-Identifier: MIT
# inputs.py -- what bin/fleece reads: every command gives the same for a file, a pipe with a name, a pipe of the shell,
# standard input as - and as /dev/stdin; files of /proc; empty input; texts that are no JSON. Expected results are those
# of plain files, RFC 8259 and docs/cli.md.

import gzip
import os
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, ROOT, check, finish, read, run, same, write  # noqa: E402

os.mkdir("inputs")
os.chdir("inputs")
write("a.json", '{"a": [1, {"b": "two"}], "c": null}')
write("b.json", '{"a": [1, {"b": "three"}], "c": null}')
write("large.json", '{"a": [1, {"b": "two"}], "c": "' + "x" * 300000 + '"}')
write("log.ndjson", '{"a": 1}\n{"a": 2}\n' * 3000)
run(["pack", "a.json", "-o", "a.fleece"])
run(["pack", "large.json", "-o", "large.fleece"])
run(["pack", "--frame", "a.json", "-o", "framed.fleece"])
run(["pack", "--keys", "names", "a.json", "-o", "short.fleece"])
run(["diff", "a.json", "b.json", "-o", "delta.json"])
run(["diff", "--json", "a.json", "b.json", "-o", "patch.json"])


def feed(path, name):
    """Writes the bytes into the pipe `name`, once, as soon as somebody reads it."""
    def work():
        try:
            with open(name, "wb") as f:
                f.write(read(path))
        except OSError:
            pass
    thread = threading.Thread(target=work, daemon=True)
    thread.start()


def one_way(way, args, path):
    """Runs the program with the file `path` in place of @, in that way."""
    at = args.index("@")
    names = {"-": "-", "/dev/stdin": "/dev/stdin", "fifo": "fifo", "shell": "/dev/fd/9", "/dev/stdin, a file": "/dev/stdin",
             "-, a file": "-"}
    line = args[:at] + [names[way]] + args[at + 1:]
    if way == "fifo":
        if os.path.exists("fifo"):
            os.remove("fifo")
        os.mkfifo("fifo")
        feed(path, "fifo")
    stdin = open(path, "rb") if "a file" in way else subprocess.PIPE
    extra = {"input": read(path)} if way in ("-", "/dev/stdin") else {"stdin": subprocess.DEVNULL}
    if "a file" in way:
        extra = {"stdin": stdin}
    command = FLEECE + line
    if way == "shell":  # as <(cat FILE) of bash
        command = ["sh", "-c", 'cat "$0" | { exec 9<&0 </dev/null; exec "$@"; }', path] + command
    r = subprocess.run(command, capture_output=True, env=ENV, timeout=60, **extra)
    return r.returncode, r.stdout, r.stderr.decode().replace(
        {"-": "standard input", "-, a file": "standard input"}.get(way, names[way]), "INPUT")


COMMANDS = [(command, path) for path in ("a.json", "large.json", "a.fleece", "large.fleece", "framed.fleece")
            for command in (["check", "--quiet", "@"], ["get", "@", "a[1].b"], ["get", "@", "$..b"], ["get", "@", "a[*]"],
                            ["stat", "@"], ["dump", "@"], ["diff", "@", "b.json"], ["diff", "b.json", "@"])]
COMMANDS += [(command, path) for path in ("a.json", "large.json")
             for command in (["fmt", "@"], ["min", "@"], ["min", "--canonical", "@"], ["set", "@", "c", "5"], ["del", "@", "c"],
                             ["get", "--json5", "@", "a"], ["patch", "@", "delta.json"], ["patch", "--json", "@", "patch.json"],
                             ["diff", "--json", "@", "b.json"], ["diff", "--merge", "b.json", "@"], ["pack", "--force", "@"])]
COMMANDS += [(command, path) for path in ("a.fleece", "large.fleece", "framed.fleece")
             for command in (["unpack", "@"], ["unpack", "--lines", "@"], ["get", "--binary", "@", "a"], ["check", "--binary", "@"],
                             ["patch", "--force", "@", "delta.json"])]
COMMANDS += [(command, "log.ndjson") for command in
             (["get", "--lines", "@", "a"], ["check", "--lines", "@"], ["fmt", "@"], ["set", "--lines", "@", "a", "3"],
              ["stat", "--lines", "@"], ["pack", "--lines", "--force", "@"], ["check", "--keep-going", "@"])]
COMMANDS += [(command, path) for path, command in
             (("names", ["get", "short.fleece", "a[0]", "--keys", "@"]), ("names", ["unpack", "short.fleece", "--keys", "@"]),
              ("names", ["diff", "short.fleece", "short.fleece", "--keys", "@"]), ("names", ["check", "--keys", "@", "short.fleece"]),
              ("names", ["pack", "--force", "a.json", "--keys", "@"]),
              ("delta.json", ["patch", "a.json", "@"]), ("patch.json", ["patch", "--json", "a.json", "@"]),
              ("framed.fleece", ["recover", "--verbose", "@", "-o", "saved"]))]
WAYS = ["-", "/dev/stdin", "fifo", "shell", "/dev/stdin, a file", "-, a file"]
for args, path in COMMANDS:
    wanted = subprocess.run(FLEECE + [path if a == "@" else a for a in args], capture_output=True, env=ENV, timeout=60)
    wanted = wanted.returncode, wanted.stdout, wanted.stderr.decode().replace(path, "INPUT")
    check("fleece %s: %s" % (" ".join(args), path), wanted[0] in (0, 1) and wanted[2] == "", wanted)
    got = [(way, one_way(way, args, path)) for way in WAYS]
    wrong = [it for it in got if it[1] != wanted]
    check("fleece %s: every way to read %s" % (" ".join(args), path), not wrong, wrong[:1])
check("nothing is left", not [name for name in os.listdir(".") if "tmp" in name], os.listdir("."))

# ---- what is read, and how often -------------------------------------------------------------------------------

same("names cannot be added to a pipe", run(["pack", "--force", "b.json", "--keys", "-"], read("names"))[0], 0)
write("other.json", '{"something": 1}')
same("new names cannot be added to a pipe", run(["pack", "--force", "other.json", "--keys", "-"], read("names")),
     (2, "", "fleece: standard input: names cannot be added to what is no plain file\n"))
for args in (["diff", "-", "-"], ["diff", "-", "/dev/stdin"], ["patch", "-", "-"], ["fmt", "-", "-"], ["get", "-", "a", "--keys", "-"],
             ["check", "-", "-"]):
    got = run(args, read("a.json"))
    same("twice: " + " ".join(args), (got[0], got[2]), (2, "fleece: standard input can be read only once\n"))
version = read("/proc/version").decode()
for name in ("-", "/dev/stdin"):
    got = run(["recover", name], read("framed.fleece") + b"rest")
    same("recover %s needs a file to write" % name, (got[0], got[2].split("\n", 1)[1]), (2, "fleece: recover: %s is no plain file: -o FILE expected\n" % {"-": "standard input"}.get(name, name)))
if os.path.exists("/proc/self/mountinfo"):
    write("number", read("/proc/sys/kernel/pid_max"))
    for args in (["get", "@", ""], ["min", "@"], ["check", "@"], ["stat", "@"], ["dump", "@"], ["set", "@", "", "1"],
                 ["diff", "@", "a.json"]):
        wanted = run(["number" if a == "@" else a for a in args])
        same("a file of /proc: %s" % " ".join(args), run(["/proc/sys/kernel/pid_max" if a == "@" else a for a in args]), wanted)
    same("a text of /proc", run(["get", "/proc/version", "a"]),
         (2, "", "fleece: /proc/version:1:1: expected a value near '%s'\n" % version[:16]))

# ---- what is no JSON -------------------------------------------------------------------------------------------

def unicode_hint(form, iconv):
    return " (the text is %s; JSON is UTF-8 (RFC 8259, 8.1); convert with iconv -f %s -t UTF-8)" % (form, iconv)


LIKE = [(form, ('{"a":"x"}\n' * 40).encode(form), unicode_hint(form, form)) for form in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")]
LIKE += [(form + " with a mark", ('\ufeff{"a":1}\n').encode(form), unicode_hint(form, form[:6]))
         for form in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE")]
BSON = b"\x10\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00"  # of bsonspec.org: int32, its name and value, a zero
LIKE += [(name, text, " (this looks like %s)" % words) for name, text, words in (
    ("HTML", "<html>502</html>", "HTML or XML"), ("HTML in lines", "\n\n<!DOCTYPE html>\n<p>", "HTML or XML"),
    ("gzip", gzip.compress(b'{"a":1}'), "gzip data: gzip -dc reads it"),
    ("zstd", b"\x28\xb5\x2f\xfd\x24\x07\x39\x00\x00{", "zstd data: zstd -dc reads it"),
    ("BSON", bytes([len(BSON)]) + BSON[1:], "BSON"), ("MessagePack, an object", b"\x81\xa1a\x01", "MessagePack"),
    ("MessagePack, an array", b"\x93\x01\x02\x03", "MessagePack"), ("CBOR", b"\xa1\x61a\x01", "CBOR"),
    ("YAML", "a: 1\nb: 2\n", "YAML, which is not read: make JSON of it first"),
    ("YAML, nested", "openapi:\n  a: 1\n", "YAML, which is not read: make JSON of it first"),
    ("YAML with its mark", "---\n- 1\n", "YAML, which is not read: make JSON of it first"),
    ("a leading zero byte", b'\0{"a":1}', "a text after a zero byte, or binary data"))]
LIKE += [("words", "Not found", ""), ("more words", "Error: not found\nat a:1", ""), ("a stray zero byte", b'{"a":\0 1}', ""), ("an odd length", b"\xff\xfe\xfd", unicode_hint("UTF-16LE", "UTF-16"))]
for name, text, hint in LIKE:
    write("odd", text)
    for args in (["check", "odd"], ["get", "odd", "a"], ["stat", "odd"], ["set", "odd", "a", "1"], ["fmt", "odd"], ["min", "--canonical", "odd"],
                 ["del", "odd", "a"], ["dump", "odd"], ["diff", "odd", "a.json"], ["diff", "--json", "a.json", "odd"],
                 ["pack", "odd", "--force"]):
        for way in ("odd", "-"):
            got = run([way if a == "odd" else a for a in args], text if isinstance(text, bytes) else text.encode())
            said = got[2].replace("standard input", "odd").replace(" (--invalid-numbers null may allow it)", "")
            check("%s: %s, %s" % (name, " ".join(args), way), got[0] == (1 if args[0] == "check" else 2) and got[1] == "" and
                  said.startswith("fleece: odd:") and said.count("\n") == 1 and said.endswith(hint + "\n") and
                  said.split(":")[2].isdigit() and said.split(":")[3].isdigit(), got)
write("log.jsonl", b'{"a":1}\n{"a":\0}\n{"a":3}\n')
same("a zero byte in a file of lines", run(["check", "log.jsonl"]), (1, "", "fleece: log.jsonl:2:6: expected a value near '{\"a\":'\n"))
same("it is skipped", run(["get", "--keep-going", "log.jsonl", "a"])[:2], (1, "1\n3\n"))
write("log", read("log.jsonl"))
same("the same by --lines", run(["check", "--lines", "log"])[2], "fleece: log:2:6: expected a value near '{\"a\":'\n")
write("cut.fleece", read("a.fleece")[:-3])
write("cut.bin", read("framed.fleece")[:-3])
same("a damaged document by its name", run(["check", "cut.fleece"]),
     (1, "", "fleece: cut.fleece: not a document: its length must be even and not 0 at byte 1\n"))
check("a damaged document by its frame", run(["get", "cut.bin", "a"])[2].startswith("fleece: cut.bin: the file is cut off"))
write("named.fleece", '{"a":1}')
same("JSON that is named as a document", run(["get", "named.fleece", "a"]), (0, "1\n", ""))

# What reads texts alone says so of a document, and what reads it: by its frame, its name, or because it passes the check.
for source, target in (("framed.fleece", "framed.bin"), ("a.fleece", "short.bin"), ("a.fleece", "again.fleece")):
    write(target, read(source))
    for command in (["fmt"], ["min"], ["min", "--canonical"], ["fmt", "--keep-going"]):
        got = run(command + [target])
        check("%s %s" % (" ".join(command), target), got[0] != 0 and got[1] == "" and target + ":1:1: " in got[2] and
              " (this is a Fleece document: fleece unpack makes JSON of it)\n" in got[2], got)
    for command in (["set", target, "a", "1"], ["del", target, "a"]):
        same(" ".join(command), run(command),
             (2, "", "fleece: %s: JSON expected, not a Fleece document: fleece patch changes one with a delta, such as {\"a\":{\"b\":1}} for a.b\n" % target))

# ---- empty -----------------------------------------------------------------------------------------------------

write("empty", "")
for args, status in ((["check", "@"], 1), (["get", "@", "a"], 2), (["set", "@", "a", "1"], 2), (["del", "@", "a"], 2), (["stat", "@"], 2),
                     (["dump", "@"], 2), (["pack", "--force", "@"], 2), (["diff", "@", "a.json"], 2), (["patch", "@", "delta.json"], 2),
                     (["patch", "--json", "@", "patch.json"], 2), (["min", "--canonical", "@"], 0), (["fmt", "@"], 0)):
    for name, said in (("empty", "empty"), ("/dev/null", "/dev/null"), ("-", "standard input")):
        wanted = "" if status == 0 else "fleece: %s:1:1: empty text\n" % said
        same("empty: %s, %s" % (" ".join(args), name), run([name if a == "@" else a for a in args]), (status, "", wanted))
for name, said in (("empty", "empty"), ("-", "standard input")):
    same("empty: unpack, %s" % name, run(["unpack", name]),
         (2, "", "fleece: %s: not a document: its length must be even and not 0 at byte 1\n" % said))

os.chdir(ROOT)
finish()
