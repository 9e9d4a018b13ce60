# SPDX-License-Identifier: MIT
# cli.py -- the program bin/fleece from its users' view: the examples of docs/cli.md, pipes, terminals, inputs larger
# than the memory limit. Expected results come from Python's json, POSIX and docs/cli.md.
#
#   cli.py            all tests except those that need zsh, fish and mandoc; with FLEECE_TEST_SHELLS=1 also those
#   cli.py --shells   only those

import concurrent.futures
import glob
import json
import os
import pty
import random
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, ROOT, SHELLS, check, environment, finish, on_terminal, read, run, same, skip, there, write  # noqa: E402


# ---- shells --------------------------------------------------------------------------------------------------

INDENTS, COLORS, SHELL_NAMES = ["0", "1", "16", "2", "3", "4", "8", "tab"], ["always", "auto", "never"], ["bash", "fish", "zsh"]
# What the user has typed, and the completions of its last word.
COMPLETED = [("completion ", SHELL_NAMES), ("fmt --indent=", INDENTS), ("fmt --indent ", INDENTS), ("get -i ", INDENTS),
             ("min --color=", COLORS), ("min --color ", COLORS), ("fmt --indent=t", ["tab"]), ("completion f", ["fish"]),
             ("help va", ["validate"]), ("so", ["sort"]), ("sort --rev", ["--reverse"]), ("-q sort --th", ["--then"]),
             ("validate --draft=op", ["openapi-3.0", "openapi-3.1"]), ("get -r --invalid-numbers ", ["error", "literal", "null"])]


def in_bash():
    """bash splits a line at blanks and at each "="."""
    write("completion", run(["completion", "bash"])[1])
    for typed, wanted in COMPLETED:
        words = ["fleece"] + re.findall(r"=|[^ =]+", typed) + ([""] if typed.endswith(" ") else [])
        r = subprocess.run(["bash", "-c", 'source ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fleece\n'
                            'printf "%s\\n" "${COMPREPLY[@]}"', "bash"] + words, capture_output=True, text=True)
        same("bash completes %s" % typed, (sorted(r.stdout.split()), r.stderr), (wanted, ""))


def completed_by_fish(typed):
    r = subprocess.run(["fish", "--no-config", "-c", "source ./completion; complete -C $argv[1]", "fleece " + typed],
                       capture_output=True, text=True, env=dict(ENV, HOME=os.getcwd()))
    return sorted(re.sub("^--[a-z]+=", "", line.split("\t")[0]) for line in r.stdout.splitlines())


def completed_by_zsh(typed, wanted):
    """Types the text and two tabs, and reads until the completions appear."""
    master, slave = pty.openpty()
    p = subprocess.Popen(["zsh", "-f", "-i"], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                         env=dict(ENV, TERM="dumb", PS1="%% "))
    os.close(slave)

    def say(text, until):
        os.write(master, text.encode())
        seen, end = b"", time.monotonic() + 20
        while not re.search(until, seen) and time.monotonic() < end:
            if select.select([master], [], [], 0.1)[0]:
                seen += os.read(master, 65536)
        return seen.decode(errors="replace")
    say("autoload -Uz compinit; compinit -D -u; setopt noautomenu; LISTMAX=1000; source ./completion; "
        "compdef _fleece fleece; echo rea''dy\n", b"ready\r\n")
    wanted = r"\s+".join(wanted) + r"\s"
    seen = say("fleece " + typed + "\t\t", wanted.encode())
    p.kill()
    p.wait()
    os.close(master)
    return re.search(wanted, seen) is not None, seen


def in_other_shells():
    """The tests that need zsh, fish and mandoc."""
    if shutil.which("mandoc"):
        r = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", ROOT + "/man/fleece.1"], capture_output=True, text=True)
        same("mandoc accepts the manual page", r.stdout, "")
    else:
        skip("mandoc accepts the manual page", "not installed: mandoc")
    for shell in ("bash", "zsh", "fish"):
        if not shutil.which(shell):
            skip("%s completes" % shell, "not installed: " + shell)
            continue
        write("completion", run(["completion", shell])[1])
        r = subprocess.run([shell, "-n", "completion"], capture_output=True, text=True)
        same("%s accepts the completion script" % shell, (r.returncode, r.stderr), (0, ""))
        for typed, wanted in COMPLETED:
            if shell == "fish":
                same("fish completes %s" % typed, completed_by_fish(typed), wanted)
            elif shell == "zsh" and typed[-1] in " =":
                check("zsh completes %s" % typed, *completed_by_zsh(typed, wanted))


if sys.argv[1:] == ["--shells"]:
    in_other_shells()
    os.chdir(ROOT)
    finish()

# ---- the examples --------------------------------------------------------------------------------------------

def examples(page):
    """The commands of a page, their output, and their exit codes."""
    text = open(page).read()
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        command, printed = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, printed
                command, printed = line[2:], []
            elif line.startswith("> "):
                command += "\n" + line[2:]
            else:
                printed.append(line)
        yield command, printed


def run_examples(page, folder):
    """Runs a page's commands in a new folder, and returns how many there are."""
    count = 0
    os.mkdir(folder)
    for command, printed in examples(page):
        r = subprocess.run(["sh", "-c", command], env=ENV, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        got = r.stdout.decode().splitlines() + (["[%d]" % r.returncode] if r.returncode else [])
        same("%s: %s" % (folder, command.splitlines()[0]), got, printed)
        count += 1
    return count


count = run_examples(ROOT + "/docs/cli.md", "examples")
for page in sorted(glob.glob(ROOT + "/docs/*/*.md")):
    run_examples(page, "examples-" + os.path.basename(page))
check("docs/cli.md has an example of every command", count >= 25 and all(
    "\n$ fleece %s " % c in open(ROOT + "/docs/cli.md").read() or "fleece %s\n" % c in open(ROOT + "/docs/cli.md").read()
    for c in ("fmt", "min", "check", "validate", "get", "map", "filter", "keys", "length", "sort", "group", "set", "del", "pack", "unpack", "dump", "stat", "recover", "compact", "diff", "patch")))

# ---- every runtime -------------------------------------------------------------------------------------------

DOCUMENT = '{"id": 9007199254740993, "f": 1.0, "list": [true, null, "\u00e9\\n"], "u": 18446744073709551615}'
write("doc.json", DOCUMENT)
for runtime in there:
    lua, env = environment(runtime)

    def say(*args):
        r = subprocess.run([lua, ROOT + "/bin/fleece"] + list(args), env=env, capture_output=True, timeout=60)
        return r.returncode, r.stdout.decode() + r.stderr.decode()
    same("%s: min" % runtime, say("min", "doc.json"), (0, DOCUMENT.replace('": ', '":').replace(", ", ",") + "\n"))
    same("%s: fmt" % runtime, say("fmt", "-i", "tab", "doc.json", "-o", "out.json"), (0, ""))
    same("%s: what -o wrote" % runtime, read("out.json").decode(),
         json.dumps(json.loads(DOCUMENT), indent="\t", ensure_ascii=False) + "\n")
    same("%s: get" % runtime, say("get", "doc.json", "id", "f", "/u"), (0, "9007199254740993\n1.0\n18446744073709551615\n"))
    same("%s: get, wildcards" % runtime, say("get", "doc.json", "list[*]", "*"),
         (0, 'true\nnull\n"\u00e9\\n"\n9007199254740993\n1.0\n[true,null,"\u00e9\\n"]\n18446744073709551615\n'))
    write("lines.ndjson", '{"a":1}\n{"a":\n\n{"a": "x"}')
    same("%s: get, lines" % runtime, say("get", "--keep-going", "-r", "lines.ndjson", "a"),
         (1, "1\nx\nfleece: lines.ndjson:2:6: unexpected end near '{\"a\":'\nfleece: lines.ndjson: 1 bad line skipped\n"))
    same("%s: set" % runtime, say("set", "doc.json", "f", "2.0", "/list/-", "[ ]"),
         (0, DOCUMENT.replace("1.0", "2.0").replace('\\n"]', '\\n", [ ]]')))
    same("%s: del" % runtime, say("del", "doc.json", "id", "u", "id"),
         (0, DOCUMENT.replace('"id": 9007199254740993, ', "").replace(', "u": 18446744073709551615', "")))
    same("%s: pack" % runtime, say("pack", "doc.json", "-o", "doc.fleece"), (0, ""))
    same("%s: check" % runtime, say("check", "-v", "doc.fleece", "doc.json"), (0, "doc.fleece: fine\ndoc.json: fine\n"))
    same("%s: unpack" % runtime, json.loads(say("unpack", "doc.fleece")[1]), json.loads(DOCUMENT))
    same("%s: stat" % runtime, re.findall(r"^(?:depth|values) +(\d+)", say("stat", "doc.fleece")[1], re.M), ["2", "8"])
    same("%s: a missing file" % runtime, say("fmt", "nowhere.json"), (2, "fleece: nowhere.json: No such file or directory\n"))
    same("%s: a directory" % runtime, say("fmt", "."), (2, "fleece: .: Is a directory\n"))
    for command in (["get", ".", "a"], ["unpack", "."], ["check", "."]):
        same("%s: %s of a directory" % (runtime, command[0]), say(*command), (2, "fleece: .: Is a directory\n"))
    same("%s: wrong text" % runtime, say("check", ROOT + "/README.md")[0], 1)

# ---- arguments, errors, exit codes ---------------------------------------------------------------------------

write("bad.json", '{"a": 1,\n "b": tru}\n')
for args, code, words in [
    ([], 2, "a command is required"), (["frobnicate"], 2, "unknown command"), (["fmt", "--frob"], 2, "unknown option"),
    (["get"], 2, "get: a path expected"), (["get", "doc.json"], 2, "standard input:1:1: empty text"),
    (["fmt", "--indent", "99"], 2, "--indent: a whole number from 0 to 16 or tab expected, not 99"),
    (["get", "doc.json", "a["], 2, "not a path: a["), (["get", "doc.json", "/~"], 2, "not a JSON pointer"),
    (["fmt", "bad.json"], 2, "fleece: bad.json:2:7: expected a value near ' \"b\": t'"),
    (["check", "bad.json"], 1, "fleece: bad.json:2:7: expected a value"), (["check", "bad.json", "nowhere"], 2, "nowhere: No such file"),
    (["get", "bad.json", "a"], 2, "bad.json:2:7"), (["pack", "bad.json"], 2, "bad.json:2:7"),
    (["check", "--binary", "doc.json"], 1, "doc.json: "), (["unpack", "doc.json"], 2, "doc.json: "),
    (["diff", "doc.json", "bad.json"], 2, "bad.json:2:7"), (["patch", "doc.json", "bad.json"], 2, "bad.json:2:7"),
    (["min", "doc.json", "-o", "/nowhere/x"], 2, "/nowhere/x: No such file or directory"),
    (["min", "doc.json", "-o", "/dev/full"], 2, "/dev/full: No space left on device"),
    (["pack", "doc.json", "-o", "."], 2, ".: Is a directory"),
]:
    got = run(args)
    check("fleece %s" % " ".join(args), got[0] == code and words in got[2] and "traceback" not in got[2], got)
same("--quiet check says nothing", run(["check", "-q", "bad.json"]), (1, "", ""))
same("--version", run(["--version"])[:2], (0, "fleece %s\n" % re.search(r'"([\d.]+)"', open(ROOT + "/src/module/version.h").read()).group(1)))
check("--version -v", re.match(r"fleece [\d.]+\n(Lua 5.\d|LuaJIT), integers keep their digits up to (2\^63|2\^53)\n$", run(["--version", "-v"])[1]))
same("empty input has no documents", run(["min"]), (0, "", ""))
same("stat of a number that JSON cannot spell", re.findall(r"^bytes as JSON +(.*)", run(["stat", "--json5"], b"[0xfffffffffffffffffff]")[1], re.M), ["23"])
for text in (b"NaN", b" Infinity\n", b"-Infinity", b"/* c */ NaN"):
    same("%s is text" % text, run(["check", "--comments", "--invalid-numbers", "literal"], text), (0, "", ""))
check("NaN is refused without the option", "standard input:1:1: " in run(["check"], b"NaN")[2])
write("strings.json", json.dumps(["%09d" % i for i in range(1000)]))
run(["pack", "strings.json", "-o", "strings.fleece"])
same("a document that begins with an I", (read("strings.fleece")[:1], run(["check", "strings.fleece"])), (b"I", (0, "", "")))
write("one.json", "1\n")
write("deep.json", b"[" * 1500 + b"]" * 1500 + b"\n")
same("diff --max-depth", run(["diff", "--max-depth", "2000", "one.json", "deep.json", "-o", "delta.json"]), (1, "", ""))
same("patch --max-depth", run(["patch", "--max-depth", "2000", "one.json", "delta.json"]), (0, read("deep.json").decode(), ""))
for depth in ("0", "1.5", "10000001", "abc", "-1"):
    for command in (["min", "one.json"], ["check", "one.json"], ["unpack", "doc.fleece"], ["stat", "doc.json"]):
        same("%s --max-depth %s" % (command[0], depth), run([command[0], "--max-depth=" + depth, command[1]]),
             (2, "", "fleece: --max-depth: a whole number from 1 to 10000000 expected, not %s\n" % depth))
write("deeper.json", b"[" * 250000 + b"]" * 250000)
same("stat of a deep document", re.findall(r"^(?:depth|values) +(.*)",
     run(["stat", "--max-depth", "250000", "deeper.json"])[1], re.M), ["250000", "250000"])
run(["pack", "--max-depth", "2000", "deep.json", "-o", "deep.fleece"])
check("dump limits the depth", "nesting too deep" in run(["dump", "deep.fleece"])[2])
same("dump --max-depth", run(["dump", "--max-depth", "2000", "deep.fleece"])[0::2], (0, ""))
write("shared.json", "[[1,2,3],[1,2,3],[1,2,3]]")
run(["pack", "shared.json", "-o", "shared.fleece"])
for command in (["check"], ["unpack"], ["get", "--raw"], ["dump"], ["stat"]):
    more = ["/0/0"] if command[0] == "get" else []
    got = run([*command, "--max-values", "12", "shared.fleece", *more])
    check("%s --max-values" % command[0], got[0] == (1 if command[0] == "check" else 2) and
          got[2].startswith("fleece: shared.fleece: more values than --max-values allows"), got)
    check("%s --max-values that is enough" % command[0],
          run([*command, "--max-values", "13", "shared.fleece", *more])[0] == 0)
for command, n in ((["unpack", "shared.fleece"], 25), (["unpack", "--lines", "shared.fleece"], 21)):
    said = run([*command, "--max-bytes", str(n - 1)])
    same("%s --max-bytes" % command[1], (said[0], said[2]),
         (2, "fleece: shared.fleece: the text would be longer than --max-bytes allows\n"))
    same("%s --max-bytes that is enough" % command[1], run([*command, "--max-bytes", str(n)])[0], 0)
same("pack of a document", run(["pack", "shared.fleece"]), (2, "", "fleece: shared.fleece: a Fleece document already\n"))
write("two.ndjson", '{"a":1}\n{"a":2}\n')
same("stat of NDJSON", re.findall(r"^(?:depth|values) +(.*)", run(["stat", "two.ndjson"])[1], re.M), ["2", "5"])
deep = run(["diff", "one.json", "deep.json"])
check("diff limits the depth", deep[0] == 2 and "nesting too deep" in deep[2], deep)
write("inf.json", "[Infinity, 1]")
write("bad-utf8.json", b'["\xff"]')
for args in (["--invalid-numbers", "literal", "inf.json"], ["--invalid-utf8", "pass", "bad-utf8.json"],
             ["--keys", "names", "small-keys.json"]):
    write("small-keys.json", '{"name": 1}')
    same("pack %s" % args[0], run(["pack", *args, "-o", args[2] + ".fleece"]), (0, "", ""))
for name, words in (("inf.json", "number is infinite at [1]"), ("bad-utf8.json", "invalid UTF-8 at [1]"),
                    ("small-keys.json", "the document needs its shared keys at byte 3: see --keys")):
    for command in (["unpack", name + ".fleece"], ["get", name + ".fleece", ""]):
        same("%s reports a value that JSON cannot have" % command[0], run(command),
             (2, "", "fleece: %s.fleece: %s\n" % (name, words)))
check("reading does not create a file of keys", run(["get", "--keys", "nowhere", "small-keys.json.fleece", "name"]) ==
      (2, "", "fleece: nowhere: No such file or directory\n") and not os.path.exists("nowhere"))
for name in ("doc.json", "doc.fleece", "."):
    got = run(["unpack", "--keys", name, "small-keys.json.fleece"])
    check("%s is not a file of keys" % name, got[0] == 2 and got[2].startswith("fleece: %s: " % name) and
          "bin/fleece" not in got[2], got)
same("get with keys", run(["get", "--keys", "names", "small-keys.json.fleece", "name"]), (0, "1\n", ""))
for name in ("small-keys.json", "small-keys.json.fleece"):
    said = run(["stat", "--keys", "names", name])[1]
    same("stat of %s with keys" % name, re.findall(r"^members +(.*)", said, re.M), ["1"])
write("new-keys.json", '{"name": 1, "other": [2]}')
without = run(["diff", "small-keys.json.fleece", "new-keys.json"])
same("diff of codes without keys", without,
     (2, "", "fleece: small-keys.json.fleece: the document needs its shared keys at byte 3: see --keys\n"))
KEYS = ["--keys", "names"]
same("diff --keys", run(["diff", *KEYS, "small-keys.json.fleece", "new-keys.json", "-o", "keys-delta.json"]),
     (1, "", ""))
same("the delta of diff --keys", read("keys-delta.json"), b'{"other":[[2]]}\n')
before = read("names")
same("patch --keys of JSON", run(["patch", *KEYS, "small-keys.json", "keys-delta.json"]),
     (0, '{"name":1,"other":[2]}\n', ""))
same("patch of JSON does not change the keys", read("names"), before)
same("patch --keys", run(["patch", *KEYS, "small-keys.json.fleece", "keys-delta.json", "-o", "patched"]), (0, "", ""))
same("patch --keys adds new keys", (read("names") != before, run(["unpack", "--keys", "names", "patched"])),
     (True, (0, '{"name":1,"other":[2]}\n', "")))
same("standard input by its name", run(["diff", "-", "doc.json"], b"[1")[2],
     "fleece: standard input:1:3: unexpected end near '[1'\n")
for args in (["unpack", "doc.json"], ["get", "--binary", "doc.json", "id"], ["stat", "--binary", "doc.json"]):
    check("%s of JSON says that it is JSON" % args[0], run(args)[2].endswith(" (this looks like JSON)\n"))
write("names.json", '{"a-b": {"c": 1}}')
run(["pack", "names.json", "-o", "names.fleece"])
JSON5 = ["unpack", "--json5", "names.fleece"]
same("unpack --json5", run(JSON5), (0, '{"a-b":{c:1}}\n', ""))
same("unpack --json5, indented", run(JSON5 + ["-i", "1"]), (0, '{\n "a-b": {\n  c: 1\n }\n}\n', ""))
same("unpack --json5 in colours", run(JSON5 + ["--color", "always"]), (2, "", "fleece: --json5 has no colours\n"))
# `bench` finds this "json" module: its decode always fails, in the way of safe modules.
write("json.lua", "return { decode = function() return nil, 'no' end, encode = function() return 'null' end }\n")
OUR_ROWS = ["decode", "encode", "from_json", "to_json", "pack", "unpack", "check", "format"]
write("j5.json", "{a: [1, .5,],}\n")
write("deeper.json", b"[" * 1100 + b"]" * 1100)
for args in (["--json5", "j5.json"], ["--max-depth", "1100", "deeper.json"]):
    # A clock that is fast, because bench takes a second for each row.
    env = dict(ENV, LUA_PATH="./?.lua;" + ENV["LUA_PATH"],
               LUA_INIT="local clock = os.clock; os.clock = function() return 100 * clock() end")
    r = subprocess.run(FLEECE + ["bench"] + args, env=env, capture_output=True, text=True, timeout=120)
    rows = re.findall(r"^(\w+) +(\w+) +(.*)$", r.stdout, re.M)
    ours = [work for library, work, speed in rows if library == "fleece" and re.match(r"\d+ MB/s$", speed)]
    same("bench %s" % args[0], (r.returncode, ours), (0, OUR_ROWS))
    same("a library that fails without an error", [row for row in rows if row[0] == "json"], [("json", "decode", "fails")])
same("bench of a text that is not JSON", run(["bench", "j5.json"])[0::2],
     (2, "fleece: j5.json:1:2: expected a string as name near '{a: [1, .5,],}' (--json5 allows it)\n"))
LITERAL = ["--invalid-numbers", "literal"]
write("add.json", '{"1-": [2]}')
same("patch reports infinity too", run(["patch", "inf.json", "add.json"])[0], 2)
same("NaN in, NaN out: get", run(["get", *LITERAL, "inf.json", "[0]", "/1"]), (0, "Infinity\n1\n", ""))
same("literals with --lines, indented", run(["get", *LITERAL, "--lines", "-i", "1", "inf.json", ""]),
     (0, "[\n Infinity,\n 1\n]\n", ""))
same("unpack", run(["unpack", *LITERAL, "inf.json.fleece"]), (0, "[Infinity,1]\n", ""))
same("unpack as null", run(["unpack", "--invalid-numbers", "null", "-q", "inf.json.fleece"]), (0, "[null,1]\n", ""))
same("patch", run(["patch", *LITERAL, "inf.json", "add.json"]), (0, "[Infinity,2]\n", ""))
same("stat", re.findall(r"^bytes as JSON +(.*)", run(["stat", *LITERAL, "inf.json.fleece"])[1], re.M), ["12"])
same("bad UTF-8 in the output", run(["unpack", "--invalid-utf8", "replace", "bad-utf8.json.fleece"]),
     (0, '["\ufffd"]\n', ""))
r = subprocess.run(FLEECE + ["get", "-r", "--invalid-utf8", "pass", "bad-utf8.json", "/0"], env=ENV,
                   capture_output=True)
same("invalid UTF-8 passed on", (r.returncode, r.stdout), (0, b"\xff\n"))
same("check wants a document", run(["check"])[0], 1)
same("NDJSON is not one JSON text", run(["check"], b"1\n2\n")[0], 1)
same("check --lines", run(["check", "--lines"], b"1\n2\n"), (0, "", ""))
with open("/dev/full", "wb") as full:
    r = subprocess.run(FLEECE + ["min", "doc.json"], stdout=full, stderr=subprocess.PIPE, env=ENV)
    check("a full disk is reported", r.returncode == 2 and b"No space left" in r.stderr, r)
bad_line = b'{"n":1}\n' * 200000 + b'{"n":oops}\n'
for command in (["min"], ["check", "--lines"], ["pack", "--lines"], ["get", "--lines", "-", "n"]):
    got = run(command, bad_line)
    check("%s reports the line" % command[0], "standard input:200001:6: expected a value" in got[2] and got[0] in (1, 2), got[2])
same("texts without a line end, and empty lines", run(["get", "--lines", "-", "n"], b'{"n":1}\n\n{"n":2}'), (0, "1\n2\n", ""))

# ---- get: values as they stand in the text -------------------------------------------------------------------

EXACT = '{"z": 1e0, "a": {"y": -0.0, "b": 12345678901234567890123456789, "y": 0.10000}, "n": [1.0, {"q": 1, "c": [ ]}]}'
write("exact.json", EXACT)
for path, wanted in (("a", '{"y":-0.0,"b":12345678901234567890123456789,"y":0.10000}'), ("z", "1e0"), ("a.y", "0.10000"),
                     ("/n/0", "1.0"), ("n[-1]", '{"q":1,"c":[]}'), ("n[-2]", "1.0"), ("/n/1/c", "[]"),
                     ("", EXACT.replace(" ", "")), ("$", EXACT.replace(" ", ""))):
    same("get %r keeps order and digits" % path, run(["get", "exact.json", path]), (0, wanted + "\n", ""))
    same("get %r of standard input" % path, run(["get", path], EXACT.encode()), (0, wanted + "\n", ""))
for path in ("n[2]", "n[-3]", "/n/-1", "/n/01", "/n/-", "a[0]", "n.q", "z.z", "/z/0", "a.x", "y"):
    same("get %s: nothing is there" % path, run(["get", "exact.json", path]), (1, "", ""))
same("get, indented", run(["get", "-i", "2", "a"], EXACT.encode())[1],
     '{\n  "y": -0.0,\n  "b": 12345678901234567890123456789,\n  "y": 0.10000\n}\n')
same("get --lines", run(["get", "--lines", "-", "a", "/b/0"], b'{"b":[1.50],"a":{"d":1,"c":2}}\n{"a":1E5}\n'),
     (0, '{"d":1,"c":2}\n1.50\n1E5\n', ""))
same("get --lines of standard input", run(["get", "--lines", "a"], b'{"a":1.50}\n{"a":2}\n'), (0, "1.50\n2\n", ""))
same("get of JSON5", run(["get", "--json5", "k"], b"{j: 1, /* */ k: {b: .5, a: 0x10, 'x\\ty': +1,},}"),
     (0, '{"b":0.5,"a":16,"x\\ty":1}\n', ""))
same("get of a number beyond 64 bits", run(["get", "--json5", "[0]"], b"[0xfffffffffffffffffff]"),
     (0, "7.555786372591432e+22\n", ""))
same("get reports errors after the value too", run(["get", "a"], b'{"a":1,"b":}'),
     (2, "", "fleece: standard input:1:12: expected a value near '{\"a\":1,\"b\":}'\n"))
same("get --max-depth", run(["get", "--max-depth", "2", "a"], b'{"a":[[1]]}')[0], 2)
code, said = on_terminal(["get", "exact.json"], stdin=open(os.ttyname(pty.openpty()[1])), streams=(2,))
check("get of a file without a path, on a terminal", code == 2 and "exact.json: a path expected" in said, said)

# Compared with Python's json. Names and strings contain brackets, quotes and characters that need escapes.
dice = random.Random(20261124)
NAMES = ["", "a", "b", "c.d", "e/f", "~", '"', "\\", "[", "]}", "\u00e9", "\U0001f600", "\n", "x" * 40]


def some_value(depth):
    kind = dice.randrange(6 if depth else 4)
    if kind == 5:
        return {dice.choice(NAMES): some_value(depth - 1) for _ in range(dice.randrange(5))}
    if kind == 4:
        return [some_value(depth - 1) for _ in range(dice.randrange(5))]
    return [dice.choice(NAMES), dice.randrange(-9, 99), dice.random() < 0.5, None][kind]


def ways_into(value, way=()):
    yield way, value
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from ways_into(item, way + ((key, len(value)),))


def pointer(way):
    return "".join("/" + str(k).replace("~", "~0").replace("/", "~1") for k, _ in way)


def key_path(way):
    steps = [re.sub(r"([.\[\\$])", r"\\\1", k) if isinstance(k, str) else "[%d]" % (k if dice.random() < 0.5 else k - n)
             for k, n in way]
    return "".join(s if s.startswith("[") else "." + s for s in steps) or "."


def minimal(value, ascii):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii)


documents = [some_value(5) for _ in range(60)]
wrong = []
for i, document in enumerate(documents):
    ascii = i % 2 == 0
    write("random.json", json.dumps(document, ensure_ascii=ascii, indent=dice.choice([None, 1])))
    ways = list(ways_into(document))
    ways = dice.sample(ways, min(len(ways), 60))
    paths = [pointer(w) if dice.random() < 0.5 or any(k == "" for k, _ in w) else key_path(w) for w, _ in ways]
    got = run(["get", "--", "random.json"] + paths)
    if got != (0, "".join(minimal(v, ascii) + "\n" for _, v in ways), ""):
        wrong.append((document, paths, got))
same("paths into 60 random documents", wrong, [])


def counts_of(value):
    """The counts that `stat` must show."""
    seen = [v for _, v in ways_into(value)]
    kinds = ((dict, "dict"), (list, "array"), (str, "string"), (bool, "boolean"), (int, "number"), (type(None), "null"))
    said = {name: 0 for _, name in kinds}
    for v in seen:
        said[next(name for kind, name in kinds if isinstance(v, kind))] += 1
    said["members"] = sum(len(v) for v in seen if isinstance(v, dict))
    said["distinct names"] = len({n for v in seen if isinstance(v, dict) for n in v})
    said["values"], said["data"] = len(seen), 0
    said["depth"] = max(len(w) + isinstance(v, (dict, list)) for w, v in ways_into(value))
    return said


def stat(name):
    said = dict(re.findall(r"^ *(\w[\w ]*\w) +(\d+)$", run(["stat", name])[1], re.M))
    return {k: int(v) for k, v in said.items() if not k.startswith("bytes")}


documents.append({"name %d" % i: {"n%d" % (i % 700): i} for i in range(3000)})
for value in (documents, 1, [], {}, "x" * 3000, [[]] * 5000):
    write("random.json", json.dumps(value))
    same("stat of a value that begins %.10s" % (value,), stat("random.json"), counts_of(value))
# An array with {"b": 2}, whose parent is {"a": 1}, twice.
write("parents", bytes.fromhex("7001 4161 0001  7002 0800 8005 4162 0002  6002 8006 8007  8003"))
same("stat of dicts with a parent", stat("parents"), counts_of([{"a": 1, "b": 2}] * 2))

# ---- pipes ---------------------------------------------------------------------------------------------------

lines = ["%d" % i for i in range(300000)]
write("many", "\n".join(lines))
r = subprocess.run(["sh", "-c", "fleece min many | head -n 1"], env=ENV, capture_output=True, timeout=20)
same("a reader of only the first line", (r.stdout, r.stderr), (b"0\n", b""))
p = subprocess.Popen(FLEECE + ["min", "many"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV, restore_signals=True)
p.stdout.close()
p.wait()
same("a closed pipe ends it by SIGPIPE, silently", (p.returncode, p.stderr.read()), (-signal.SIGPIPE, b""))
p = subprocess.Popen(FLEECE + ["min", "many"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV, restore_signals=False)
p.stdout.close()
p.wait()
check("if SIGPIPE is ignored, it ends with a message", p.returncode == 2 and b"Broken pipe" in p.stderr.read(), p.returncode)
p = subprocess.Popen(FLEECE + ["min", "--unbuffered"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV)
for text in (b"[ 1]\n", b'{"a" :\n 2}\n'):
    p.stdin.write(text)
    p.stdin.flush()
    seen = b""
    while not seen.endswith(b"\n") and select.select([p.stdout], [], [], 10)[0]:
        seen += os.read(p.stdout.fileno(), 100)
    same("--unbuffered answers at once", seen, text.replace(b" ", b"")[:-1].replace(b"\n", b"") + b"\n")
p.stdin.close()
p.wait()

# ---- terminals -----------------------------------------------------------------------------------------------

write("small.json", '{"a":[1,"b"]}')
COLORED = '{\n  \x1b[34;1m"a"\x1b[0m: [\n    \x1b[36m1\x1b[0m,\n    \x1b[32m"b"\x1b[0m\n  ]\n}\n'
PLAIN = '{\n  "a": [\n    1,\n    "b"\n  ]\n}\n'
same("colours on a terminal", on_terminal(["fmt", "small.json"]), (0, COLORED))
same("no colours with NO_COLOR", on_terminal(["fmt", "small.json"], env={"NO_COLOR": "1"}), (0, PLAIN))
same("no colours on a dumb terminal", on_terminal(["fmt", "small.json"], env={"TERM": "dumb"}), (0, PLAIN))
same("--color never", on_terminal(["fmt", "small.json", "--color", "never"]), (0, PLAIN))
same("no colours in a pipe", run(["fmt", "small.json"]), (0, PLAIN, ""))
same("--color always", run(["fmt", "small.json", "--color", "always"]), (0, COLORED, ""))
same("get writes colours too", on_terminal(["get", "small.json", "a[1]"]), (0, '\x1b[32m"b"\x1b[0m\n'))
run(["pack", "small.json", "-o", "small.fleece"])
same("--json5 writes no colours", on_terminal(["unpack", "--json5", "small.fleece"]), (0, '{a:[1,"b"]}\n'))
code, seen = on_terminal(["pack", "small.json"])
check("binary to a terminal is refused", code == 2 and "--force" in seen and "\0" not in seen, (code, seen))
code, seen = on_terminal(["pack", "--force", "small.json"])
check("binary to a terminal with --force", code == 0 and "\0" in seen or "b" in seen, (code, seen))


def feed(p):
    for _ in range(7):
        p.stdin.write(b"[1, 2, 3]\n" * 50000)
        p.stdin.flush()
        time.sleep(0.5)
    p.stdin.close()


def work_for_seconds(*more):
    return on_terminal(["min", *more], stdin=subprocess.PIPE, streams=(2,), slowly=feed)


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    loud, quiet = pool.submit(work_for_seconds), pool.submit(work_for_seconds, "--quiet")
code, seen = loud.result()
check("long work shows progress and removes it", code == 0 and re.search(r"standard input: .* MB/s", seen) and
      seen.endswith("\r\x1b[K"), (code, seen))
same("--quiet shows no progress", quiet.result(), (0, ""))

# ---- large inputs --------------------------------------------------------------------------------------------

SPACE = 100 << 20  # the limit of the address space: half the size of the input
line = json.dumps({"id": 12345, "name": "x" * 100, "list": [1.5, True, None, {"a": "\u00e9"}]}).encode() + b"\n"
block = line * (1000000 // len(line))


def much(args, begin, middle, end, times):
    """Sends `middle` to the program `times` times, under the limit; returns its exit code, the length and the last
    bytes of the output, and the messages."""
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
    p = subprocess.Popen(FLEECE + args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV, preexec_fn=limited)
    if os.fork() == 0:
        p.stdout.close()
        try:
            p.stdin.write(begin)
            for _ in range(times):
                p.stdin.write(middle)
            p.stdin.write(end)
            p.stdin.close()
        finally:
            os._exit(0)
    p.stdin.close()
    n, last = 0, b""
    while True:
        piece = p.stdout.read(1 << 20)
        if not piece:
            break
        n += len(piece)
        last = (last + piece)[-20:]
    p.wait()
    os.wait()
    return p.returncode, n, last, p.stderr.read()


# A document that is long enough to show progress.
write("mid.json", b"[" + block.replace(b"\n", b",") * 29 + b"0]")
same("pack of 30 MB", run(["pack", "mid.json", "-o", "mid.fleece"])[0::2], (0, ""))
same("stat of 30 MB", run(["stat", "mid.json", "-o", "mid.stat"])[0::2], (0, ""))
# A clock that advances one second per call, so that reading, counting and measuring each show progress.
CLOCK = "local time, n = os.time, 0; os.time = function() n = n + 1; return time() + n end"
code, seen = on_terminal(["stat", "mid.json"], streams=(2,), env={"LUA_INIT": CLOCK})
shares = [int(x) for x in re.findall(r"mid\.json: +(\d+) %", seen)]
check("stat shows progress in all its steps", code == 0 and len(shares) > 20 and
      sum(b < a - 50 for a, b in zip(shares, shares[1:])) == 2 and seen.endswith("\r\x1b[K"), (code, shares))
os.remove("mid.json")

small = json.dumps(json.loads(line), separators=(",", ":")).encode()
n = block.count(b"\n")
if there[0] == "luajit":
    SPACE = 400 << 20  # LuaJIT reserves much more than it uses
same("200 MB of NDJSON in 100 MB", much(["min"], b"", block, b"", 200)[:2], (0, 200 * n * (len(small) + 1)))
array = (block.replace(b"\n", b","))
same("a document of 200 MB in 100 MB", much(["min"], b"[", array, b"0]", 200)[:2], (0, 200 * n * (len(small) + 1) + 4))
same("check of 200 MB", much(["check", "--lines"], b"", block, b"", 200)[:2], (0, 0))
code, size, last, said = much(["pack", "--lines"], b"", block, b"", 200)
check("pack of 200 MB of equal lines", code == 0 and 0 < size < 20 << 20, (code, size, said))
same("a document that does not fit is an error",
     run(["get", "-", "x"], b'["' + b"y" * (80 << 20) + b'"]', limit=SPACE)[0::2], (2, "fleece: not enough memory\n"))

# ---- the manual page and completions -------------------------------------------------------------------------

page = open(ROOT + "/man/fleece.1").read()
options = set()
for c in ("fmt", "min", "check", "validate", "get", "map", "filter", "keys", "length", "sort", "group", "set", "del", "pack", "unpack", "dump", "stat", "recover", "compact", "diff", "patch", "bench"):
    options |= set(re.findall(r"--([a-z][a-z0-9-]+)", run([c, "--help"])[1]))
    check("the manual page has " + c, ".It Cm " + c in page and re.search(r"^\.Cm .*\b%s\b" % c, page, re.M))
same("the manual page has every option", sorted(o for o in options if ("Fl -%s" % o) not in page and o != "help"), [])
os.mkdir("without")
for shell in ("bash", "zsh", "fish"):
    code, script, _ = run(["completion", shell])
    check("completion for " + shell, code == 0 and "unpack" in script and "sort-keys" in script)
    write("without/argparse.lua", "error 'not here'")
    r = subprocess.run(FLEECE + ["completion", shell], env=dict(ENV, LUA_PATH="without/?.lua;" + ENV["LUA_PATH"]), capture_output=True, text=True)
    same("completion for %s without argparse" % shell, (r.returncode, r.stdout, r.stderr), (0, script, ""))

# ---- help, and a file without a command ----------------------------------------------------------------------

write("plain.json", '{"a": 1}')
write("get", '[2]')
same("help is --help", run(["help"]), run(["--help"]))
for c in "fmt", "get", "help":
    same("help " + c, run(["help", c]), run([c, "--help"]))
    same("help -- " + c, run(["help", "--", c]), run([c, "--help"]))
for words in ["help", "nosuch"], ["help", "plain.json"], ["help", "get", "set"], ["plain.jso"]:
    same("%s: an error" % " ".join(words), run(words)[:2], (2, ""))
same("a file alone is one of fmt", run(["plain.json"]), (0, '{\n  "a": 1\n}\n', ""))
same("options after the file", run(["plain.json", "--indent", "0"]), run(["fmt", "plain.json", "--indent", "0"]))
same("several files", run(["plain.json", "./get"]), run(["fmt", "plain.json", "get"]))
same("- is standard input", run(["-"], b"[1]"), run(["fmt"], b"[1]"))
check("a command precedes a file", run(["get"])[0] == 2 and run(["./get"])[1] == "[\n  2\n]\n")

same("completion for an unknown shell", run(["completion", "csh"])[0], 2)
in_bash()
if SHELLS:
    in_other_shells()

os.chdir(ROOT)
finish()
