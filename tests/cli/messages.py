# SPDX-License-Identifier: MIT
# messages.py -- what bin/fleece says: hints that name its own options. A hint is right if the command with that option
# succeeds, and no command names an option that it does not have.

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ROOT, check, finish, run, same, write  # noqa: E402

# ---- the option that allows a text ---------------------------------------------------------------------------

TEXTS = {  # what allows them: docs/reference/options.md
    "--trailing-commas": [b"[1,]", b'{"a":1,}'], "--comments": [b"// x\n[1]", b"[1 /* x */]"], "--bom": [b"\xef\xbb\xbf[1]"],
    "--invalid-numbers null": [b"[NaN]", b"[-Infinity]"], "--invalid-utf8 replace": [b'["\xff"]', b'["\\ud800"]'],
    "--json5": [b"{a:1}", b"['a']", b"[+1]", b"[.5]", b"[0x1F]"], "--max-depth": [b"[" * 1001 + b"]" * 1001],
}
write("other.json", "[1]")
write("true.json", "true")
COMMANDS = (["fmt"], ["min"], ["check"], ["validate", "-s", "true.json"], ["get", "[0]"], ["get", "$[0]"], ["set", "--raw", "x", "1"], ["del", "x"], ["pack", "-f"], ["dump"], ["stat"],
            ["diff", "other.json", "-"], ["diff", "--json", "other.json", "-"], ["patch", "--merge", "other.json", "-"], ["bench"])
for option, texts in TEXTS.items():
    for text in texts:
        for command in COMMANDS:
            what = "%s of %s" % (" ".join(command), text[:20])
            code, _, said = run(command, text)
            hint = re.search(r" \((.*)\)\n$", said)
            named = option + (" allows more" if option == "--max-depth" else " allows it")
            same(what, hint and hint.group(1), named)
            check(what + ": fails", code in (1, 2), code)
            if command[0] != "bench":
                code, _, said = run(command[:1] + option.split() + (["2000"] if option == "--max-depth" else []) + command[1:], text)
                check("%s with %s" % (what, option), " allow" not in said and "near" not in said, said)

# A hint that the next byte alone would give is wrong where no option allows what follows.
for text in (b"Not found", b"NULL", b"[Inf]", b"-I", b"[1,Not]", b"/x", b"/* x", b"+x", b"[.x]", b"[0x]", b"{'a", b"'a", b'["\\1"]', b"404 Not Found"):
    for options in ([], ["--comments"], ["--invalid-numbers", "null"], ["--trailing-commas"], ["--json5"]):
        for command in COMMANDS if not options else COMMANDS[:1]:  # all commands ask the same function
            code, _, said = run(command[:1] + options + command[1:], text)
            check("%s of %s: no hint" % (" ".join(command[:1] + options), text), " allow" not in said, said)

# ---- several values ------------------------------------------------------------------------------------------

write("log.json", '{"id": 1}\n{"id": 2}\n')
AFTER = "fleece: log.json:2:1: text after the value near '{\"id\": 2}'"
for command, has_lines in ((["get", "log.json", "id"], True), (["set", "log.json", "id", "3"], True), (["pack", "-f", "log.json"], True), (["stat", "log.json"], True),
                           (["check", "other.json", "log.json"], True), (["diff", "log.json", "other.json"], False), (["diff", "--merge", "log.json", "other.json"], False),
                           (["patch", "--json", "log.json", "other.json"], False), (["dump", "log.json"], False)):
    said = run(command)[2].replace("near '{'", "near '{\"id\": 2}'")  # a file that is read in pieces is quoted up to the error
    same("%s of lines" % command[0], said, AFTER + (" (--lines reads several values)\n" if has_lines else "\n"))
same("get of lines from standard input", run(["get", "id"], b"1\n[2]\n")[2],
     "fleece: standard input:2:1: text after the value near '[2]' (--lines reads several values)\n")

# ---- what is meant -------------------------------------------------------------------------------------------

TAKEN = " (log.json is taken for a path; it is a file: a path expected after it)\n"
for command in ("get", "del"):
    same("%s FILE without a path" % command, run([command, "log.json"]), (2, "", "fleece: standard input:1:1: empty text" + TAKEN))
for patch, said in (("{}", "a list of operations expected"), ("[1]", "operation 1: an operation is an object"),
                    ('[{"op":"add","path":"x","value":1}]', "operation 1 (add 'x'): \"path\" is not a JSON pointer"),
                    ('[{"op":"add","path":"/x"}]', "operation 1 (add '/x'): it has no \"value\"")):
    write("patch.json", patch)
    same("a wrong patch: " + patch, run(["patch", "--json", "other.json", "patch.json"])[2], "fleece: patch.json: %s\n" % said)
write("patch.json", '[{"op":"remove","path":"/9"}]')
check("a patch that does not fit", run(["patch", "--json", "other.json", "patch.json"])[2].startswith("fleece: other.json: operation 1 (remove '/9')"))
run(["pack", "--max-depth", "2000", "-", "-o", "deep.fleece"], b"[" * 1001 + b"]" * 1001)
for command in (["unpack"], ["check"], ["stat"], ["get", "deep.fleece", "[0]"]):
    said = run(command[:1] + (command[1:] or ["deep.fleece"]))[2]
    check("%s of a deep document" % command[0], "nesting too deep at byte" in said and said.endswith(" (--max-depth allows more)\n"), said)
check("--max-values", "more values than --max-values allows" in run(["check", "--max-values", "5", "--max-depth", "2000", "deep.fleece"])[2])
check("--max-bytes", "--max-bytes allows" in run(["unpack", "--max-depth", "2000", "--max-bytes", "5", "deep.fleece"])[2])
same("check -v of standard input", run(["check", "-v"], b"1"), (0, "standard input: fine\n", ""))
write("keyed.json", '{"zeta":1,"alpha":2}')
run(["pack", "--keys", "names", "keyed.json", "-o", "keyed.fleece"])
same("shared keys come in their order", run(["unpack", "--keys", "names", "keyed.fleece"])[1], '{"zeta":1,"alpha":2}\n')
same("--canonical sorts them", run(["unpack", "--canonical", "--keys", "names", "keyed.fleece"])[1], '{"alpha":2,"zeta":1}\n')

os.chdir(ROOT)
finish()
