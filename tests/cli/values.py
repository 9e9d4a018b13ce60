# SPDX-License-Identifier: MIT
# values.py -- get with wildcards, set, del, and --keep-going of bin/fleece. Expected results come from Python's json and
# docs/cli.md.

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, ROOT, check, finish, read, run, same, write  # noqa: E402

write("bad.json", '{"a": 1,\n "b": tru}\n')
write("doc.json", "[1]")
run(["pack", "doc.json", "-o", "doc.fleece"])

# ---- get: wildcards ------------------------------------------------------------------------------------------

MEMBERS = ['[{"b":[1,2.50]},{"b":[]},7,{"c":{"x":[3]}},{"b":["]","\\""]}]', '{"*":2}']
write("wild.json", '{"a": [{"b": [1, 2.50]}, {"b": []}, 7, {"c": {"x": [ 3 ]}}, {"b": ["]", "\\""]}], "*": {"*": 1, "*": 2}, "o": {}}')
for path, wanted in (("a[*].b", ["[1,2.50]", "[]", '["]","\\""]']), ("a[*].b[*]", ["1", "2.50", '"]"', '"\\""']),
                     ("a[*].b[-1]", ["2.50", '"\\""']), ("a[*].c.*[0]", ["3"]), ("a[0].*", ["[1,2.50]"]),
                     ("\\*.*", ["1", "2"]), (".\\*.\\*", ["2"]), ("/*/*", ["2"]), ("$.o", ["{}"]), ("*[2]", ["7"]),
                     ("*.*", ["1", "2"]), ("a[*].c.x", ["[3]"]),
                     # JSONPaths; of two equal names the last counts
                     ("$.a[*].b", ["[1,2.50]", "[]", '["]","\\""]']), ("$['*'].*", ["2"]), ("$[?@.nothing || @.*]", MEMBERS)):
    same("get %s" % path, run(["get", "wild.json", path]), (0, "".join(w + "\n" for w in wanted), ""))
for path in ("o.*", "o[*]", "a.*", "*[9]", "a[*].b.*", "a[2][*]", "[*]", "a[*].b[*].*", "x.*.y", "/a/[*]"):
    same("get %s: nothing is there" % path, run(["get", "wild.json", path]), (1, "", ""))
for path in ("a[*", "a[*]]", "a[*]b", "a[**]"):
    same("get %s: not a path" % path, run(["get", "wild.json", path]), (2, "", "fleece: not a path: %s\n" % path))
# $ is a letter, unless it is the root; members come in the order of the text
write("ref.json", '{"$schema": "s", "z": {"$ref": 1, "k": 2, "c": 3, "$": 4}, "$": 5}')
for path, wanted in (("$schema", ['"s"']), ("z.$ref", ["1"]), ("$.z.*", ["1", "2", "3", "4"]), ("\\$", ["5"]), ("z.$", ["4"]),
                     ("$.z['$','c']", ["4", "3"]), ("$..[?@ > 1]", ["5", "2", "3", "4"])):
    same("get %s" % path, run(["get", "ref.json", path]), (0, "".join(w + "\n" for w in wanted), ""))
same("set $schema", run(["set", "ref.json", "$schema", "1", "z.$ref", "0"]),
     (0, '{"$schema": 1, "z": {"$ref": 0, "k": 2, "c": 3, "$": 4}, "$": 5}', ""))
same("del $schema", run(["del", "ref.json", "$schema", "z", "\\$"]), (0, "{}", ""))
same("get: several paths, in their order", run(["get", "wild.json", "a[2]", "a[*].b[0]", "o", "a[0].b[1]"]),
     (0, '7\n1\n"]"\n{}\n2.50\n', ""))

# Rows: one array a document, whatever is missing.
ROWS = b'{"a": 9007199254740993, "s": [ 1, "x  y" ]}\n{"s": null}\n{}\n'
WANTED = '[9007199254740993,null,[1,"x  y"]]\n[null,null,null]\n[null,null,null]\n'
for more in [], ["--json5"], ["--keep-going"], ["--unbuffered"]:
    same("get --row %s" % more, run(["get", "--row", "--lines"] + more + ["-", "a", "b", "/s"], ROWS), (0, WANTED, ""))
same("get --row, one path", run(["get", "--row", "--lines", "-", "a"], ROWS), (0, "[9007199254740993]\n[null]\n[null]\n", ""))
same("get --row of a text", run(["get", "--row", "-", "b[1]", "a", "b"], b'{"b": [ 1.50 ]}'), (0, "[null,null,[1.50]]\n", ""))
same("get --row, indented", run(["get", "--row", "-i", "1", "-", "b", "a"], b'{"b": 2}'), (0, "[\n 2,\n null\n]\n", ""))
same("get --row, nothing is there", run(["get", "--row", "-", "a", "b"], b"{}"), (1, "[null,null]\n", ""))
for words in ["--raw", "a"], ["a[*]"], ["$.a"]:
    same("get --row %s" % words, run(["get", "--row", "-"] + words, b"{}")[:2], (2, ""))
same("get, wildcards of lines", run(["get", "--lines", "-", "a[*]", "b"], b'{"b":0,"a":[1, 2]}\n{}\n{"a":[]}\n{"a":["x"]}'),
     (0, '1\n2\n0\n"x"\n', ""))
same("get, wildcards of JSON5", run(["get", "--json5", "a[*]"], b"{a: [.5, /* ] */ {b: 'x'},]}"), (0, '0.5\n{"b":"x"}\n', ""))
run(["pack", "wild.json", "-o", "wild.fleece"])
same("get --row of a document", run(["get", "--row", "wild.fleece", "o", "/nothing"]), (0, "[{},null]\n", ""))
same("get, wildcards of a document", run(["get", "wild.fleece", "a[*].b[*]"]), (0, '1\n2.5\n"]"\n"\\""\n', ""))
# numbers of a document keep their digits in any Lua; a name may have every character
write("kinds.json", r'''{"a": [9007199254740993, 1.5, 18446744073709551615, -0.0, 5.0, null, "s", {"b": 9007199254740993, "y": 5.0}],
 "it's \"/~x\\\n\u0001\u00e9": {"y": 7.0}}''')
run(["pack", "kinds.json", "-o", "kinds.fleece"])
for path, wanted in (("$.a[*]", ["9007199254740993", "1.5", "18446744073709551615", "-0.0", "5.0", "null", '"s"', '{"b":9007199254740993,"y":5.0}']),
                     ("$[?@.y == 7].y", ["7.0"]), ("$..b", ["9007199254740993"]), ("$[?length(@) == 1]", ['{"y":7.0}']), ("$.x", [])):
    same("get %s of a document" % path, run(["get", "kinds.fleece", path]), (0 if wanted else 1, "".join(w + "\n" for w in wanted), ""))
write("wide.json", json.dumps([{"k": i, "v": [i] * (i % 7)} for i in range(50000)]))
run(["pack", "wide.json", "-o", "wide.fleece"])
same("get, a query of many items of a document", run(["get", "wide.fleece", "$[*].k"]), (0, "".join("%d\n" % i for i in range(50000)), ""))
same("get, a wildcard of many items", run(["get", "wide.json", "[*].k"]), (0, "".join("%d\n" % i for i in range(50000)), ""))
long = {"s": ["x" * 50] * 100000}
write("long.json", json.dumps({"long": long, "n": 1}, indent=1))
same("get of a long value", run(["get", "long.json", "long", "n"]), (0, json.dumps(long, separators=(",", ":")) + "\n1\n", ""))
same("get of a long value, indented", run(["get", "-i", "1", "long.json", "long"])[1], json.dumps(long, indent=1) + "\n")
same("get of a long value of standard input", run(["get", "long.n", "-"])[0], 2)

# ---- get, check: large files are mapped ----------------------------------------------------------------------

PEAK = 30 << 20


def measured(args):
    """Runs the program; returns its exit code, output, messages, and the most memory that it had, mapped files too."""
    # A small process starts it, because what this one has would count.
    script = ("import resource, subprocess, sys; code = subprocess.call(sys.argv[2:]); "
              "open(sys.argv[1], 'w').write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)); sys.exit(code)")
    r = subprocess.run([sys.executable, "-c", script, "peak"] + FLEECE + args, capture_output=True, env=ENV)
    return r.returncode, r.stdout.decode(), r.stderr.decode(), int(read("peak")) * 1024


items = [{"id": i, "name": "n%d \u00e9" % i, "text": "x" * 300} for i in range(200000)]
whole = json.dumps({"head": {"n": 1}, "list": items, "last": ["end", 2]}, ensure_ascii=False, separators=(",\n", ": "))
write("mapped.json", whole)
for path, out in (("head.n", "1\n"), ("/last", '["end",2]\n'), ("list[-1].id", "199999\n"), ("list[100000].name", '"n100000 \u00e9"\n'),
                  ("list[*].id", "".join("%d\n" % i for i in range(200000))), (".*[0]", None),
                  ("list", json.dumps(items, ensure_ascii=False, separators=(",", ":")) + "\n")):
    got = measured(["get", "mapped.json", path])
    same("get %s of a mapped file" % path, (got[0], got[2]), (0, ""))
    check("get %s of a mapped file: the values" % path, got[1] == (out or json.dumps(items[0], ensure_ascii=False, separators=(",", ":")) + '\n"end"\n'))
    if path != ".*[0]":  # a picker needs the value of a wildcard as a string
        check("get %s of a mapped file: memory" % path, got[3] < PEAK, got[3])
got = measured(["check", "mapped.json"])
same("check of a mapped file", got[:3], (0, "", ""))
check("check of a mapped file: memory", got[3] < PEAK, got[3])
with open("mapped.json", "rb") as f:
    same("get of a mapped standard input", subprocess.run(FLEECE + ["get", "-", "last[1]"], stdin=f, capture_output=True, env=ENV).stdout, b"2\n")
with open("mapped.json", "rb") as f:
    f.seek(len(whole.encode()) - 20)
    f.readline()
    same("get of the rest of a file", subprocess.run(FLEECE + ["get", "-", "x"], stdin=f, capture_output=True, env=ENV).returncode, 2)
lines = [b"[" + b"1," * 3000000 + b"tru]", b'["' + b"a" * 5000000 + b'\xff"]', b"[" + b"1," * 3000000, b"[" + b"1,\n" * 3000000 + b"1] 2"]
for i, text in enumerate(lines):
    write("wrong.json", text)
    for of_file, of_pipe in ((["check", "wrong.json"], ["check"]), (["get", "wrong.json", "/0"], ["get", "-", "/0"])):
        got, wanted = run(of_file), run(of_pipe, text)
        same("%s of a mapped file, error %d" % (of_file[0], i), (got[0], got[2]),
             (wanted[0], wanted[2].replace("standard input", "wrong.json")))
        check("%s of a mapped file, error %d: there is one" % (of_file[0], i), got[0] == (1 if of_file[0] == "check" else 2), got)
for size in (1 << 22, (1 << 22) + 4096):  # the byte after the text is on another page
    write("pages.json", b'["' + b"y" * (size - 4) + b'"]')
    same("get of %d bytes" % size, run(["get", "pages.json", "/0"]), (0, '"' + "y" * (size - 4) + '"\n', ""))
    write("pages.json", b"[" + b" " * (size - 3) + b"1]")
    same("get of %d bytes, a number" % size, run(["get", "pages.json", "[*]"]), (0, "1\n", ""))
    write("pages.json", b"1" + b"0" * (size - 1))
    same("check of %d bytes" % size, run(["check", "pages.json"]), (0, "", ""))

# The file becomes shorter while a long value is written: the program waits for the reader of the pipe.
write("shorter.json", b'{"a":["' + b'zzz","' * (4 << 20) + b'"]}')
p = subprocess.Popen(FLEECE + ["get", "shorter.json", "a"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
p.stdout.read(1000)
os.truncate("shorter.json", 1 << 20)
got = p.communicate()
same("a mapped file becomes shorter", (p.returncode, got[1]), (2, b"fleece: the file has become shorter while it was read\n"))

# ---- --keep-going --------------------------------------------------------------------------------------------

BAD = b'{"n":1, "s":"a\\tb"}\n{"n":oops}\n\n{"n": [1,\n2]}\n \r\n{"n": 3} {"n": 4}\n{"n":[ 5 ]}'
SAID = ("fleece: standard input:2:6: expected a value near '{\"n\":oops}'\n"
        "fleece: standard input:4:10: unexpected end near '{\"n\": [1,'\n"
        "fleece: standard input:5:2: text after the value near '2]}'\n"
        "fleece: standard input:7:10: text after the value near '{\"n\": 3} {\"n\": 4}'\n"
        "fleece: standard input: 4 bad lines skipped\n")
for args, out in ((["get", "n"], "1\n[5]\n"), (["get", "-r", "s"], "a\tb\n"), (["get", "--", "-", "n", "s"], '1\n"a\\tb"\n[5]\n'),
                  (["min"], '{"n":1,"s":"a\\tb"}\n{"n":[5]}\n'), (["check"], ""),
                  (["fmt", "-i", "0", "-s"], None), (["get", "x"], ""), (["get", "n[*]"], "5\n"),
                  (["set", "n", "0"], '{"n":0, "s":"a\\tb"}\n\n \r\n{"n":0}'), (["del", "n"], '{"s":"a\\tb"}\n\n \r\n{}')):
    got = run([args[0], "--keep-going"] + args[1:], BAD)
    check("--keep-going: %s" % " ".join(args), got[0] == 1 and got[2] == SAID and out in (got[1], None), got)
    got = run([args[0], "--keep-going", "-q"] + args[1:], BAD)
    check("--keep-going --quiet: %s" % " ".join(args), (got[0], got[2]) == (1, "") and out in (got[1], None), got)
same("--keep-going without bad lines", run(["min", "--keep-going"], b"[ 1]\n\n2"), (0, "[1]\n2\n", ""))
same("--keep-going, a change that cannot be made", run(["set", "--keep-going", "a.b", "1"], b'{"a":{}}\n{"a":[]}\n'),
     (1, '{"a":{"b":1}}\n', "fleece: standard input:2: change 1 (set 'a.b'): an array needs an index at "
      "step 2, 'b'\nfleece: standard input: 1 bad line skipped\n"))
many = b"".join(b'{"n":%d}\n' % i if i % 1000 else b"{%d\n" % i for i in range(200000))
got = run(["get", "--keep-going", "n"], many)
check("--keep-going: many lines", got[1] == "".join("%d\n" % i for i in range(200000) if i % 1000) and
      re.findall(r":(\d+):", got[2]) == ["%d" % (i + 1) for i in range(0, 200000, 1000)] and
      got[2].endswith("200 bad lines skipped\n"), got[2][-300:])

# ---- set, del ------------------------------------------------------------------------------------------------

KEPT = '\n{ "z" : 1.50,\t"a":[ 1,2 ],"\\u0061b" : "\\/" ,"n":{}}\r\n'
write("kept.json", KEPT)
for args, wanted in ((["z", "2e0"], KEPT.replace("1.50", "2e0")), (["ab", '{"x": [1]}'], KEPT.replace('"\\/"', '{"x": [1]}')),
                     (["a[-1]", "null"], KEPT.replace("1,2", "1,null")), (["/a/0", "[]", "a[0][0]", '"q"'], KEPT.replace("1,2", '["q"],2')),
                     (["n.k", "true"], KEPT.replace("{}", '{"k":true}')), (["-r", "z", '1"\\'], KEPT.replace("1.50", '"1\\"\\\\"')),
                     (["z", "-5"], KEPT.replace("1.50", "-5")), (["z", "-0.5", "a[0]", "-1"], KEPT.replace("1.50", "-0.5").replace("1,2", "-1,2")),
                     (["", "7"], "\n7\r\n"), (["--raw", "z", ""], KEPT.replace("1.50", '""'))):
    options = [a for a in args if a in ("-r", "--raw")]
    pairs = [a for a in args if a not in options]
    for got in (run(["set"] + options + ["kept.json"] + pairs), run(["set"] + options + pairs, KEPT.encode()),
                run(["set"] + options + ["-"] + pairs, KEPT.encode())):
        same("set %s" % args, got, (0, wanted, ""))
for args, wanted in ((["z"], KEPT.replace('"z" : 1.50,\t', "")), (["a[0]", "a[0]"], None), (["n", "no", "/a/9"], KEPT.replace(' ,"n":{}', ""))):
    got = run(["del", "kept.json"] + args)
    check("del %s" % args, got[0] == 0 and got[2] == "" and wanted in (got[1], None), got)
    same("del %s: as values" % args, json.loads(got[1]), {k: v for k, v in {
        "z": 1.5, "a": [] if args[0] == "a[0]" else [1, 2], "ab": "/", "n": {}}.items() if k not in args})
same("del of standard input", run(["del", "z"], b'{"z":1}'), (0, "{}", ""))
same("del of nothing", run(["del", "kept.json", "x", "a[2]"]), (1, KEPT, ""))
same("set of lines", run(["set", "--lines", "a", "1"], b'{"a": 0 }\n\n{}\r\n{"b":2}'), (0, '{"a": 1 }\n\n{"a":1}\r\n{"b":2,"a":1}', ""))
same("del of lines", run(["del", "--lines", "a"], b'{"a": 0 }\n{"b":2}\n'), (0, '{}\n{"b":2}\n', ""))
for option in ("--lines", "--keep-going"):
    same("set " + option + ": a value with line breaks", run(["set", option, "a", '{\n "b": [1,\r\n2]\n}'], b'{}\n{"a":1}\n'),
         (0, '{"a":{"b":[1,2]}}\n' * 2, ""))
WILD = '{"people": [{"n":1 }, {"n": 2,"in":{"n":3}}, 7], "n":4}'
for args, wanted in ((["set", "people[*].n", "0"], WILD.replace("1", "0").replace("2", "0")), (["del", "people[*].n"], '{"people": [{}, {"in":{"n":3}}, 7], "n":4}'),
                     (["set", "$..n", "null"], '{"people": [{"n":null }, {"n": null,"in":{"n":null}}, 7], "n":null}'),
                     (["del", "-", "$..n", "people[-1]"], '{"people": [{}, {"in":{}}]}'), (["set", "$.people[?@.n > 1].n", "9"], WILD.replace("2", "9")),
                     (["set", "$..x", "1"], WILD), (["set", "people[*].in.*", "[]"], WILD.replace("3", "[]"))):
    same("fleece " + " ".join(args), run(args, WILD.encode()), (0, wanted, ""))
same("del of nothing by a query", run(["del", "-", "$..x", "people[*].x"], WILD.encode()), (1, WILD, ""))
same("del of lines by a query", run(["del", "--lines", "$..n"], b'{"n":1}\n{"a":{"n":2}}\n'), (0, '{}\n{"a":{}}\n', ""))
same("set over the file itself", (run(["set", "kept.json", "z", "0", "-o", "kept.json"]), read("kept.json").decode()),
     ((0, "", ""), KEPT.replace("1.50", "0")))
same("set with comments", run(["set", "--comments", "a", "2"], b"// x\n{/* y */ \"a\": 1} // z"), (0, '// x\n{/* y */ "a": 2} // z', ""))
for args, words in ((["set", "kept.json"], "a path and a value expected"), (["set", "kept.json", "a", "{"], "a JSON value expected"),
                    (["set", "kept.json", "q"], "kept.json is a file: a value expected after the path q"),
                    (["set", "kept.json", "a", "1 2"], "a JSON value expected"), (["set", "--parents", "kept.json", "a[*]", "1"], "without wildcards"), (["set", "kept.json", "$..[", "1"], "'[' without ']'"),
                    (["set", "kept.json", "a[", "1"], "not a path: a["), (["set", "kept.json", "q.r", "1"], "no such member at step 1, 'q'"),
                    (["set", "bad.json", "a", "1"], "bad.json:2:7: expected a value"), (["del", "bad.json", "a"], "bad.json:2:7: "),
                    (["set", "doc.fleece", "a", "1"], "JSON expected, not a Fleece document: fleece patch changes one with a delta, such as {\"a\":{\"b\":1}} for a.b"), (["del", "kept.json", ""], "cannot be removed"),
                    (["del", "kept.json", "$..[?"], "not a JSONPath query"), (["del"], "del: a path expected"),
                    (["set", "nowhere", "a", "1"], "nowhere: No such file")):
    got = run(args)
    check("fleece %s" % " ".join(args), got[0] == 2 and got[1] == "" and words in got[2] and "bin/fleece" not in got[2], got)
same("a name that occurs twice", run(["del", "a"], b'{"a":1,"a":2}')[0], 2)

# ---- files that are taken for paths --------------------------------------------------------------------------

write("one.txt", '{"id":1,"two.txt":5,"two":{"txt":6}}\n')
write("lines.txt", '{"id":1}\n{"id":2}\n')
for command in (["get"], ["get", "--row"], ["keys"], ["length"], ["get", "--lines"], ["get", "--json5"]):
    for path in ("lines.txt", os.path.abspath("lines.txt")):
        got = run(command + ["one.txt", path, "id"])
        check("%s of two files" % command, (got[0], got[2]) == (2, "fleece: %s: %s is a file: one file is read, and paths come after it\n" % (command[0], path)), got)
same("a file taken for a path, with -o", run(["get", "one.txt", "lines.txt", "-o", "none"]) + (os.path.exists("none"),),
     (2, "", "fleece: get: lines.txt is a file: one file is read, and paths come after it\n", False))
write("two.txt", "1")
same("a path that is there may be a file, too", run(["get", "one.txt", "two.txt", "id"]), (0, "6\n1\n", ""))
write("two", "1")
same("a name may be a file, too", run(["get", "one.txt", "two", "nothing", "lines"]), (0, '{"txt":6}\n', ""))
write("nothing", "1")
same("a name that is missing may be a file, too", run(["get", "one.txt", "nothing"]), (1, "", ""))
same("nor is it an error of standard input", run(["get", "lines.txt"], b"{}"), (1, "", ""))
same("a folder is no file", run(["get", "one.txt", "/tmp", "id"]), (0, "1\n", ""))

# ---- lines before one that cannot be changed -----------------------------------------------------------------

write("three.ndjson", '{"a":1}\n[2]\n{"a":3}\n')
SAID = "fleece: three.ndjson:2: change 1 (set 'a'): an array needs an index\n"
same("set of lines: those before the error", run(["set", "three.ndjson", "a", "5"]), (2, '{"a":5}\n', SAID))
same("set -o of lines: nothing", run(["set", "three.ndjson", "a", "5", "-o", "none"]) + (os.path.exists("none"),), (2, "", SAID, False))

os.chdir(ROOT)
finish()
