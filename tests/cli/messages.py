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
COMMANDS = (["fmt"], ["min"], ["check"], ["get", "[0]"], ["get", "$[0]"], ["set", "--raw", "x", "1"], ["del", "x"], ["pack", "-f"], ["dump"], ["stat"],
            ["diff", "other.json", "-"], ["diff", "--json", "other.json", "-"], ["patch", "--merge", "other.json", "-"], ["bench"])
for option, texts in TEXTS.items():
    for text in texts:
        for command in COMMANDS:
            what = "%s of %s" % (" ".join(command), text[:20])
            code, _, said = run(command, text)
            hint = re.search(r" \((.*)\)\n$", said)
            named = option + (" allows more" if option == "--max-depth" else " may allow it" if hint and " may " in hint.group(1) else " allows it")
            same(what, hint and hint.group(1), named)
            check(what + ": fails", code in (1, 2), code)
            if command[0] != "bench":
                code, _, said = run(command[:1] + option.split() + (["2000"] if option == "--max-depth" else []) + command[1:], text)
                check("%s with %s" % (what, option), " allow" not in said and "near" not in said, said)

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

os.chdir(ROOT)
finish()
