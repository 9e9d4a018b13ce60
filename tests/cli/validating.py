# SPDX-License-Identifier: MIT
# validating.py -- the command validate: where failures are, what other files a schema may read, exit codes. Expected
# results come from docs/cli.md, RFC 3986 (references) and the keywords' clauses in JSON Schema 2020-12.

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, check, environment, finish, ROOT, run, same, there, write  # noqa: E402

os.makedirs("v/a/b")
os.chdir("v")

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string", "maxLength": 3},
                                           "d": {"format": "date"}}, "required": ["n"]}
write("s.json", json.dumps(SCHEMA))
write("good.json", '{"n": 1.0}')
write("bad.json", '{"s": "abcd",\n\n  "n": "x"}')


def validate(*args, stdin=b""):
    return run(["validate", *args], stdin)


# ---- verdicts and places -------------------------------------------------------------------------------------

same("valid", validate("-s", "s.json", "good.json"), (0, "", ""))
same("--verbose", validate("-s", "s.json", "good.json", "-v"), (0, "good.json: fine\n", ""))
code, out, said = validate("--schema", "s.json", "bad.json")
same("the first failure", (code, out.count("\n"), said), (1, 1, ""))
check("its place", out.startswith("bad.json:1:7: at /s: "), out)
code, out, said = validate("--schema", "s.json", "--all", "bad.json", "good.json")
same("all failures", (code, [line.split(" at ")[0] for line in out.splitlines()]), (1, ["bad.json:1:7:", "bad.json:3:8:"]))
same("--quiet", validate("-q", "-s", "s.json", "bad.json"), (1, "", ""))
same("standard input", validate("-s", "s.json", stdin=b'{"n": 1}'), (0, "", ""))
same("the schema from standard input", validate("-s", "-", "bad.json", stdin=b"false")[0], 1)
same("both", validate("-s", "-", stdin=b"true"), (2, "", "fleece: standard input can be read only once\n"))
code, out, said = validate("-s", "s.json", "-o", "out", "bad.json")
same("-o", (code, out, said, open("out").read()[:13]), (1, "", "", "bad.json:1:7:"))
code, out, _ = validate("-s", "s.json", "-e", "json", "-a", "bad.json")
rows = [json.loads(line) for line in out.splitlines()]
same("failures as JSON", [(r["file"], r["line"], r["column"], r["byte"], r["instance"], r["keyword"], r["schema"]) for r in rows],
     [("bad.json", 1, 7, 7, "/s", "maxLength", "/properties/s/maxLength"),
      ("bad.json", 3, 8, 23, "/n", "type", "/properties/n/type")])
same("absolute", rows[0]["absolute"], "s.json#/properties/s/maxLength")
write("any.json", '{"anyOf": [{"type": "string"}, {"minimum": 5}]}')
row = json.loads(validate("-s", "any.json", "-e", "json", stdin=b" 4")[1])
same("causes", [(c["keyword"], c["schema"], c["line"], c["column"]) for c in row["causes"]],
     [("type", "/anyOf/0/type", 1, 2), ("minimum", "/anyOf/1/minimum", 1, 2)])
write("both.json", '{"type": "object", "anyOf": [{"type": "object"}, {"type": "object", "minProperties": 1}]}')
code, out, _ = validate("-s", "both.json", "-a", stdin=b"[]")
same("what two keywords say of a value is said once", (code, out), (1, "standard input:1:1: expected an object, found an array of 0 items\n"))
same("but listed twice as JSON", validate("-s", "both.json", "-a", "-e", "json", stdin=b"[]")[1].count("\n"), 2)
check("--hide-values", "abcd" not in validate("-s", "s.json", "-a", "--hide-values", "bad.json")[1])
check("values are shown", '"x"' in validate("-s", "s.json", "-a", "bad.json")[1])
same("format is a note", validate("-s", "s.json", stdin=b'{"n":1,"d":"no"}')[0], 0)
same("--formats", validate("-s", "s.json", "--formats", stdin=b'{"n":1,"d":"no"}')[0], 1)
run(["pack", "bad.json", "-o", "bad.fleece"])
code, out, _ = validate("-s", "s.json", "-a", "bad.fleece")
same("a document", (code, sorted(line.split(": ")[0:2] for line in out.splitlines())), (1, [["bad.fleece", "at /n"], ["bad.fleece", "at /s"]]))
same("options of the grammar", validate("-s", "s.json", "--comments", stdin=b'{"n": 1} // one')[0], 0)

# ---- drafts --------------------------------------------------------------------------------------------------

write("old.json", '{"minimum": 3, "exclusiveMinimum": true}')  # a boolean in draft 4 alone
same("--draft 4", validate("-s", "old.json", "--draft", "4", stdin=b"3")[0], 1)
same("a keyword of another draft", validate("-s", "old.json", stdin=b"3")[0], 2)
write("api.json", '{"openapi": "3.1.0", "components": {"schemas": {"Pet": {"type": "string"}}}}')
same("--at", validate("-s", "api.json", "--at", "/components/schemas/Pet", stdin=b"1")[0], 1)
same("--at leads nowhere", validate("-s", "api.json", "--at", "/nothing", stdin=b"1")[0], 2)
write("odd.json", '{"minimun": 3}')
same("an unknown keyword", validate("-s", "odd.json", stdin=b"1")[0], 0)
same("--strict", validate("-s", "odd.json", "--strict", stdin=b"1")[0], 2)
META = "https://json-schema.org/draft/2020-12/schema"
same("schemas are tested", [validate("-s", META, f)[0] for f in ("s.json", "old.json")], [0, 1])

# ---- trouble -------------------------------------------------------------------------------------------------

write("broken.json", '{"n":\n 1')
write("wrong.json", '{\n "type": "strin"}')
for args, words in [
    ([], "validate: --schema FILE expected"), (["-s", "nowhere"], "nowhere: No such file or directory"),
    (["-s", "broken.json"], "broken.json:2:3: unexpected end"), (["-s", "wrong.json"], "wrong.json:2:10: not a JSON Schema: at /type"),
    (["-s", "s.json", "broken.json"], "broken.json:2:3: unexpected end"), (["-s", "s.json", "nowhere"], "nowhere: No such"),
    (["-s", "s.json", "."], ".: Is a directory"), (["-s", "s.json", "-e", "xml"], "must be one of"),
    (["-s", "https://example.com/s"], "nothing is read from the network"),
]:
    code, out, said = validate(*args, stdin=b"{}")
    check("validate %s" % " ".join(args), code == 2 and out == "" and words in said and "traceback" not in said, (code, out, said))
code, out, said = validate("-s", "s.json", "broken.json", "bad.json", "nowhere", "good.json", "-v")
same("the other files are tested", (code, out.splitlines()[0][:13], out.splitlines()[1], said.count("\n")), (2, "bad.json:1:7:", "good.json: fine", 2))
check("two documents", "(--lines reads several" in validate("-s", "s.json", stdin=b'{"n":1}\n{"n":1}')[2])
same("a full disk", validate("-s", "s.json", "bad.json", "-o", "/dev/full")[0], 2)
same("max_depth", [validate("-s", "s.json", *more, stdin=b"[" * 1500 + b"]" * 1500)[0] for more in ([], ["--max-depth", "2000"])], [2, 1])

# ---- lines ---------------------------------------------------------------------------------------------------

LINES = b'{"n":1}\n{"n":true}\n\n{"n":\n{"s":1,"n":2}'
same("--lines", validate("-s", "s.json", "--lines", stdin=b'{"n":1}\n\n  \n{"n": 2}\n'), (0, "", ""))
code, out, said = validate("-s", "s.json", "--lines", stdin=LINES)
same("a line that is not JSON ends it", (code, out.count("\n"), "standard input:4:6: unexpected end" in said), (2, 1, True))
code, out, said = validate("-s", "s.json", "--keep-going", stdin=LINES)
same("--keep-going", (code, [x.split(" at ")[0] for x in out.splitlines()]), (1, ["standard input:2:6:", "standard input:5:6:"]))
check("the bad line", "standard input:4:6: " in said and said.endswith("1 bad line skipped\n"), said)
write("l.ndjson", LINES[:20])
same("a file with the name of one", validate("-s", "s.json", "l.ndjson")[1][:13], "l.ndjson:2:6:")
row = json.loads(validate("-s", "s.json", "-e", "json", "l.ndjson")[1])
same("JSON of lines", (row["line"], row["column"], "byte" in row), (2, 6, False))
p = subprocess.Popen(FLEECE + ["validate", "-s", "s.json", "--lines", "--unbuffered"], env=ENV, stdin=subprocess.PIPE,
                     stdout=subprocess.PIPE)
p.stdin.write(b"1\n")
p.stdin.flush()
check("at once", p.stdout.readline().startswith(b"standard input:1:1: "))
p.stdin.close()
same("its status", p.wait(), 1)

# ---- references ----------------------------------------------------------------------------------------------

write("outer.json", '{"$defs": {"x": {"const": 1}}}')
write("a/main.json", '{"properties": {"below": {"$ref": "b/it.json"}, "beside": {"$ref": "more%20than.json#/$defs/y"}}}')
write("a/more than.json", '{"$defs": {"y": {"const": 2}}}')
write("a/b/it.json", '{"$ref": "../more%20than.json#/$defs/y"}')
same("files beside and below", [validate("-s", "a/main.json", stdin=json.dumps(v).encode())[0] for v in
     ({"below": 2}, {"below": 3}, {"beside": 2}, {"beside": 3})], [0, 1, 0, 1])
os.chdir("a")
same("from their folder", [validate("-s", f, stdin=b'{"below": 3}')[0] for f in ("main.json", "./main.json", "../a/main.json", os.path.abspath("main.json"))],
     [1, 1, 1, 1])
os.chdir("..")
row = json.loads(validate("-s", "a/main.json", "-e", "json", stdin=b'{"below": 3}')[1])
same("the file is named", row["absolute"], "a/more%20than.json#/$defs/y/const")
for ref in ("../outer.json#/$defs/x", "%2e%2e/outer.json#/$defs/x", "b/..%2f..%2fouter.json", os.path.abspath("outer.json"),
            "file://" + os.path.abspath("outer.json"), "//host/outer.json", "..%5couter.json", "b%00/it.json", "", "."):
    write("a/out.json", json.dumps({"properties": {"x": {"$ref": ref}}, "x": 1}))
    code, out, said = validate("-s", "a/out.json", stdin=b'{"x": 1}')
    check("%r reads no file above" % ref, code == (0 if ref == "" else 2), (code, out, said))
write("a/out.json", '{"$ref": "../outer.json#/$defs/x"}')
same("--ref, by its path", [validate("-s", "a/out.json", "--ref", "outer.json", stdin=v)[0] for v in (b"1", b"2")], [0, 1])
same("and another one", validate("-s", "a/out.json", "-r", "good.json", "-r", "./a/../outer.json", stdin=b"2")[0], 1)
write("named.json", '{"$id": "https://example.com/x/named", "const": 1}')
write("by-id.json", '{"$ref": "https://example.com/x/named"}')
same("--ref, by its $id", [validate("-s", "by-id.json", "-r", "named.json", stdin=v)[0] for v in (b"1", b"2")], [0, 1])
check("without it", "--ref" in validate("-s", "by-id.json", stdin=b"1")[2])
write("a/uri.json", '{"$id": "https://example.com/x/y/uri.json", "$ref": "b/plain.json"}')
write("a/b/plain.json", '{"const": 1}')
same("the folder of an $id", [validate("-s", "a/uri.json", stdin=v)[0] for v in (b"1", b"2")], [0, 1])
write("a/uri.json", '{"$id": "https://example.com/x/y/uri.json", "$ref": "../../plain.json"}')
same("not above it", validate("-s", "a/uri.json", stdin=b"1")[0], 2)
write("a/b/plain.json", '{"type": 7}')
write("a/uri.json", '{"$ref": "b/plain.json"}')
check("the file that is wrong", "fleece: a/b/plain.json:1:10: not a JSON Schema: at /type: " in validate("-s", "a/uri.json", stdin=b"1")[2],
      validate("-s", "a/uri.json", stdin=b"1")[2])
write("a/b/plain.json", '{"type":')
check("the file that is not JSON", "fleece: a/b/plain.json:1:9: unexpected end" in validate("-s", "a/uri.json", stdin=b"1")[2])

# ---- what is YAML --------------------------------------------------------------------------------------------

write("s.json", '{"type": "object"}')
write("s.yaml", "# of the service\ntype: object\n")
said = " (this looks like YAML, which is not read: make JSON of it first)\n"
for args in (("-s", "s.json", "s.yaml"), ("-s", "s.yaml", "s.json"), ("-s", "s.json", "--lines", "s.yaml")):
    same("YAML: %s" % " ".join(args), (validate(*args)[0], validate(*args)[2].endswith(said)), (2, True))
write("json.yaml", '{"a": 1}')
same("JSON that is named as YAML", validate("-s", "s.json", "json.yaml")[0], 0)

# ---- every runtime -------------------------------------------------------------------------------------------

for runtime in there:
    lua, env = environment(runtime)
    r = subprocess.run([lua, ROOT + "/bin/fleece", "validate", "-s", "a/main.json", "-a", "-e", "json", "-"], env=env,
                       input=b'{"below":\n 3, "beside": 9007199254740993}', capture_output=True, timeout=60)
    got = [json.loads(line) for line in r.stdout.splitlines()]
    same("%s: failures" % runtime, (r.returncode, [(x["line"], x["column"], x["instance"]) for x in got], r.stderr),
         (1, [(2, 2, "/below"), (2, 15, "/beside")], b""))

os.chdir(ROOT)
finish()
