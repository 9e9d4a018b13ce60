# SPDX-License-Identifier: MIT
# patches.py -- diff and patch with --json and --merge of bin/fleece. Expected results come from RFC 6902, RFC 7396,
# Python's json and docs/cli.md.

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, ROOT, check, finish, read, run, same, write  # noqa: E402

OLD = '{ "port": 8080, "hosts": ["a", "b"],\n  "ratio": 1.50, "text": "so long that it is not sent again, nor is all the rest" }\n'
write("old.json", OLD)
write("new.json", '{"port": 80, "hosts": ["a", "b", "c"], "ratio": 1.5, "text": "so long that it is not sent again, nor is all the rest"}')
write("same.json", '{"ratio": 15e-1, "hosts": ["a", "b"], "port": 8080.0, "text": "so long that it is not sent again, nor is all the rest"}')

# ---- diff ----------------------------------------------------------------------------------------------------

code, out, said = run(["diff", "--json", "old.json", "new.json"])
check("diff --json", code == 1 and said == "" and sorted(json.loads(out), key=lambda o: o["path"]) == [
    {"op": "add", "path": "/hosts/2", "value": "c"}, {"op": "replace", "path": "/port", "value": 80}], (code, out, said))
code, out, said = run(["diff", "--json", "--test", "old.json", "new.json"])
check("diff --json --test", code == 1 and {"op": "test", "path": "/port", "value": 8080} in json.loads(out), (code, out, said))
code, out, said = run(["diff", "--merge", "old.json", "new.json"])
check("diff --merge", (code, json.loads(out), said) == (1, {"port": 80, "hosts": ["a", "b", "c"]}, ""), (code, out, said))
same("diff --json of equal values", run(["diff", "--json", "old.json", "same.json"]), (0, "[]\n", ""))
same("diff --merge of equal values", run(["diff", "--merge", "old.json", "same.json"]), (0, "{}\n", ""))
write("one.json", "1")
same("diff --merge of a value that becomes an empty object", run(["diff", "--merge", "one.json", "-"], b"{}"), (1, "{}\n", ""))
same("diff --json from standard input", run(["diff", "--json", "-", "one.json"], b"2"),
     (1, '[{"op":"replace","path":"","value":1}]\n', ""))
same("diff --json --indent", run(["diff", "--json", "--indent", "1", "-", "one.json"], b"2")[1],
     '[\n {\n  "op": "replace",\n  "path": "",\n  "value": 1\n }\n]\n')
write("null.json", '{"a": null}')
code, out, said = run(["diff", "--merge", "one.json", "null.json"])
check("diff --merge cannot say null", code == 2 and out == "" and "cannot set a member to null: 'a'" in said, said)

# ---- patch ---------------------------------------------------------------------------------------------------

write("patch.json", '[{"op": "replace", "path": "/port", "value": 80}, {"op": "add", "path": "/hosts/-", "value": "c"}]')
PATCHED = OLD.replace("8080", "80").replace('"b"', '"b", "c"')
same("patch --json keeps all other bytes", run(["patch", "--json", "old.json", "patch.json"]), (0, PATCHED, ""))
same("patch --json - FILE", run(["patch", "--json", "-", "patch.json"], OLD.encode()), (0, PATCHED, ""))
same("patch --json FILE -", run(["patch", "--json", "old.json", "-"], read("patch.json")), (0, PATCHED, ""))
same("patch --merge", run(["patch", "--merge", "old.json", "-"], b'{"hosts": null, "port": 80}'),
     (0, '{ "port": 80,\n  "ratio": 1.50, "text": "so long that it is not sent again, nor is all the rest" }\n', ""))
write("target.json", OLD)
same("patch --json -o", run(["patch", "--json", "target.json", "patch.json", "-o", "target.json"]), (0, "", ""))
same("patch --json -o the file that is read", read("target.json").decode(), PATCHED)
for pair in ("old.json", "new.json"), ("new.json", "old.json"), ("old.json", "one.json"), ("null.json", "old.json"):
    for option in "--json", "--merge":
        run(["diff", option, *pair, "-o", "made.json"])
        code, out, said = run(["patch", option, pair[0], "made.json"])
        check("diff and patch %s of %s, %s" % (option, *pair), code == 0 and json.loads(out) == json.loads(read(pair[1])), said)
same("comments stay", run(["patch", "--json", "--comments", "-", "patch.json"], b'{"port": 1, /* c */ "hosts": []}'),
     (0, '{"port": 80, /* c */ "hosts": ["c"]}', ""))

write("lines.json", '{\n    "q": {\n      "k": 2\n    }}')
write("operations.json", '[\n {"op": "add", "path": "/q", "value": {\n   "k": 2\n }}]')
for option, name in ("--merge", "lines.json"), ("--json", "operations.json"):
    same("patch %s gives values the indentation of their place" % option, run(["patch", option, "-", name], b'{\n  "a": 1\n}\n'),
         (0, '{\n  "a": 1,\n  "q": {\n    "k": 2\n  }\n}\n', ""))

# ---- errors --------------------------------------------------------------------------------------------------

write("bad.json", '{"a": 1,\n "b": tru}\n')
run(["pack", "old.json", "-o", "old.fleece"])
for args, words in [
    (["patch", "--json", "new.json", "-"], "fleece: new.json: operation 2 (remove '/x'): there is no such member"),
    (["patch", "--json", "bad.json", "patch.json"], "fleece: bad.json:2:7: expected a value"),
    (["patch", "--json", "old.json", "bad.json"], "fleece: bad.json:2:7: expected a value"),
    (["patch", "--merge", "old.json", "bad.json"], "fleece: bad.json:2:7: expected a value"),
    (["patch", "--json", "old.json", "old.json"], "a list of operations expected"),
    (["patch", "--json", "old.fleece", "patch.json"], "old.fleece: JSON expected"),
    (["patch", "--json", "--merge", "old.json", "patch.json"], "either --json or --merge"),
    (["patch", "--json", "--keys", "k", "old.json", "patch.json"], "--keys is for deltas"),
    (["patch", "--json", "--indent", "2", "old.json", "patch.json"], "fmt --indent"),
    (["patch", "--json", "old.json", "nowhere"], "nowhere: No such file"), (["patch", "--json", "old.json"], "delta"),
    (["diff", "--json", "old.json", "bad.json"], "fleece: bad.json:2:7: expected a value"),
    (["diff", "--merge", "bad.json", "old.json"], "fleece: bad.json:2:7: expected a value"),
    (["diff", "--test", "old.json", "new.json"], "--test needs --json"),
    (["diff", "--merge", "--test", "old.json", "new.json"], "no tests"),
]:
    code, out, said = run(args, b'[{"op": "remove", "path": "/port"}, {"op": "remove", "path": "/x"}]')
    check("fleece " + " ".join(args), code == 2 and out == "" and words in said, (code, out, said))
with open("/dev/full", "wb") as full:
    r = subprocess.run(FLEECE + ["patch", "--json", "old.json", "patch.json"], stdout=full, stderr=subprocess.PIPE, env=ENV)
check("a full disk is an error", r.returncode == 2 and b"No space left" in r.stderr, r)

os.chdir(ROOT)
finish()
