# SPDX-License-Identifier: MIT
# ordering.py -- keys, length, sort, group, --slurp, set --parents and pack --keep-going of bin/fleece, in every Lua. Expected
# results come from Python's json and docs/cli.md.

import functools
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ROOT, check, environment, finish, run, same, there, write  # noqa: E402


def minimal(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def lines_of(values):
    return "".join(minimal(v) + "\n" for v in values)


# ---- sort, group ---------------------------------------------------------------------------------------------

def compare(a, b):
    """The order of docs/cli.md, which is that of jq's manual."""
    def kind(v):
        return 0 if v is None else 2 if v is True else 1 if v is False else {int: 3, float: 3, str: 4, list: 5, dict: 6}[type(v)]
    if kind(a) != kind(b):
        return kind(a) - kind(b)
    if isinstance(a, str):
        a, b = a.encode(), b.encode()
    if isinstance(a, list):
        return next((c for c in map(compare, a, b) if c), len(a) - len(b))
    if isinstance(a, dict):
        names = compare(sorted(a), sorted(b))
        return names or next((c for c in (compare(a[n], b[n]) for n in sorted(a)) if c), 0)
    return 0 if a is None else (a > b) - (a < b)


dice = random.Random(20261130)


def key(depth=2):
    kind = dice.randrange(8 if depth else 6)
    if kind == 7:
        return {dice.choice("ab"): key(depth - 1) for _ in range(dice.randrange(3))}
    if kind == 6:
        return [key(depth - 1) for _ in range(dice.randrange(3))]
    return [None, True, False, dice.randrange(-2, 3), dice.choice([0.5, 1e300, -7]), dice.choice(["", "a", "B", "\u00e9", "a\u0001"])][kind]


items = [dict({"n": i, "o": {"m": dice.randrange(3)}}, **({"k": key()} if dice.random() < 0.9 else {})) for i in range(400)]
write("list.json", json.dumps(items, indent=1, ensure_ascii=False))
write("list.ndjson", lines_of(items))
by_key = functools.cmp_to_key(lambda a, b: compare(a.get("k"), b.get("k")))
by_two = functools.cmp_to_key(lambda a, b: compare(a["o"]["m"], b["o"]["m"]) or compare(a.get("k"), b.get("k")))
groups = []
for item in sorted(items, key=by_key):
    if groups and compare(groups[-1][0].get("k"), item.get("k")) == 0:
        groups[-1].append(item)
    else:
        groups.append([item])
for runtime in there:
    lua, env = environment(runtime)

    def say(args, stdin=b""):
        r = subprocess.run([lua, ROOT + "/bin/fleece"] + args, env=env, input=stdin, capture_output=True, timeout=60)
        return r.returncode, r.stdout.decode(), r.stderr.decode()

    def gives(args, values):
        got = say(args)
        check("%s: %s" % (runtime, " ".join(args)), got[0] == 0 and got[1] == lines_of(values) and got[2] == "", (got[0], got[1][:200], got[2]))
    gives(["sort", "k", "list.json"], [sorted(items, key=by_key)])
    gives(["sort", "/k", "list.ndjson"], sorted(items, key=by_key))
    gives(["sort", "k", "--reverse", "list.ndjson"], sorted(items, key=by_key, reverse=True))
    gives(["sort", "o.m", "--then", "k", "list.ndjson"], sorted(items, key=by_two))
    gives(["sort", "--unique", "k", "list.json"], [[g[0] for g in groups]])
    gives(["group", "k", "list.json"], [groups])
    gives(["group", "k", "list.ndjson"], groups)
    gives(["group", "--count", "o.m", "list.ndjson"], [{"key": m, "count": sum(i["o"]["m"] == m for i in items)} for m in range(3)])
    gives(["keys", "list.json", "[0]", "[1].o"], [list(items[0]), ["m"]])
    same("%s: keys" % runtime, say(["keys"], b'{"b":1,"a":[2],"b":3,"\\u00e9":{}}'), (0, '["b","a","\u00e9"]\n', ""))
    same("%s: length" % runtime, say(["length", "-", "", "a", "b", "c", "d", "e", "nothing"], b'{"a":[1,2],"b":{"x":1,"x":2},"c":"\\u00e9\\ud83d\\ude00z","d":null,"e":7}'),
         (0, "5\n2\n1\n3\nnull\nnull\n", ""))
same("items keep their texts", run(["sort", "a"], b'[{"b":1.50,"a":2e0}, {"b" : 1, "a":12345678901234567890},{"a":-0.0}]'),
     (0, '[{"a":-0.0},{"b":1.50,"a":2e0},{"b":1,"a":12345678901234567890}]\n', ""))
same("--indent", run(["sort", "-i", "1", ""], b"[2,1]"), (0, "[\n 1,\n 2\n]\n", ""))
same("nothing to sort", run(["sort", "a"], b"[]"), (0, "[]\n", ""))
same("no array", run(["sort", "a"], b'[]\n {"a":1}'), (2, "[]\n", "fleece: standard input:2:2: an array expected; --lines takes lines\n"))
same("not a path", run(["sort", "a["], b"[]"), (2, "", "fleece: not a path: a[\n"))
for command, words in (("sort", ["[*].k"]), ("sort", ["k.*"]), ("group", ["k", "--then", "a[*]"])):
    same("%s %s" % (command, words), run([command] + words, b"[]"),
         (2, "", "fleece: %s: a path without wildcards expected, not %s\n" % (command, words[-1])))
TAKEN = " (list.json is taken for the path, which comes before the files)\n"
same("sort FILE without a path", run(["sort", "list.json"], b"{}"), (2, "", "fleece: standard input:1:1: an array expected; --lines takes lines" + TAKEN))
same("group FILE without a path", run(["group", "list.json"]), (2, "", "fleece: group: the input is empty" + TAKEN))
same("a path that is a file, too", run(["sort", "list.json"], b"[]"), (0, "[]\n", ""))
same("lines with errors", run(["sort", "--keep-going", "-q", "a"], b'{"a":2}\nx\n{"a":1}'), (1, '{"a":1}\n{"a":2}\n', ""))
same("a line with an error", run(["group", "--lines", "a"], b'{"a":2}\n{"a":\n'), (2, "", "fleece: standard input:2:6: unexpected end near '{\"a\":'\n"))
same("sort of JSON5", run(["sort", "--json5", "a"], b"[{a: 0x2}, {a: 1,}]"), (0, '[{"a":1},{"a":2}]\n', ""))
same("keys --raw", run(["keys", "--raw", "-", "", "b", "x"], b'{"b":[7],"a\\n":1}'), (0, "b\na\n\n0\n", ""))
same("keys, sorted", run(["keys", "-s"], b'{"b":1,"a":2}'), (0, '["a","b"]\n', ""))
same("keys of lines", run(["keys", "--lines", "-", "a"], b'{"a":{"x":1}}\n{}\n{"a":1}'), (0, '["x"]\nnull\n', ""))
same("keys: nothing is there", run(["keys", "-", "x"], b"{}"), (1, "", ""))
same("keys of a query", run(["keys", "-", "$.*"], b'{"a":{"x":1},"b":[1,2]}'), (0, '["x"]\n[0,1]\n', ""))

# ---- keys and length of values that are simple, and others ---------------------------------------------------

values = [{}, [], {"a": 1}, {"\u00e9 ": {"x": [1]}, "b": []}, [[], {}, "]", 1.5], "", "\u00e9\U0001f600z", 7, None, True,
          {"n%d" % i: i for i in range(32)}, {"n%d" % i: i for i in range(33)}, list(range(300))]
texts = [json.dumps(v, ensure_ascii=False) for v in values] + [
    '{ "a" : [ 1 , {"b":"}"} ] ,\t"c":"\\"" }', '{"a":1,"a":2}', '{"\\u0061":1,"a":2}', '{"\\n":1}', '"\\ud83d\\ude00\\n"', " [ ]\r", " { } ", "[ 1 , 2 ]\r"]
for command in ("keys", "length"):
    wanted = ""
    for text in texts:
        value = json.loads(text)
        if command == "keys":
            value = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else None
        else:
            value = len(value) if isinstance(value, (list, dict, str)) else None
        wanted += minimal(value).replace("\n", "\\n") + "\n"
        same("%s of %r" % (command, text[:30]), run([command, "-"], text.encode()), (0, minimal(value) + "\n", ""))
    same("%s of lines" % command, run([command, "--lines", "-"], "\n".join(texts).encode()), (0, wanted, ""))
    write("wrapped.json", '{"x": %s, "big": [%s]}' % (texts[3], ",".join(["[1, {}]"] * 900000)))
    same("%s in a mapped file" % command, run([command, "wrapped.json", "x", "big[1]", "big"])[1].split("\n")[:2],
         (['["\u00e9 ","b"]', "[0,1]"] if command == "keys" else ["2", "2"]))

# ---- keys and length of documents: where they stand ----------------------------------------------------------

write("doc.json", '{"":5,"l":[1,[2,3],null],"o":{"a":null,"b":1,"\u00e9":[]},"s":"ab\u00e9","z":{}}')
run(["pack", "doc.json", "-o", "doc.fleece"])
for path in ("", "l", "l[1]", "l[0]", "l[2]", "o", "o.a", "/o", "/l/1", "/", "$", "s", "z", "x", "l[*]", "*"):
    for command in (["length"], ["keys"], ["keys", "--raw"], ["keys", "--sort-keys", "--indent", "1"]):
        same("%s of %r in a document" % (command, path), run(command + ["doc.fleece", path]), run(command + ["doc.json", path]))
run(["pack", "-", "-o", "big.fleece"], ("[{%s},%s]" % (",".join('"k%d":{"a":"%s"}' % (i, "x" * 900) for i in range(20000)), "[]," * 99999 + "[]")).encode())
for path, wanted in (("[0]", "20000\n"), ("", "100001\n")):
    same("length of a large document", run(["length", "big.fleece", path], limit=(400 if there[0] == "luajit" else 60) << 20), (0, wanted, ""))

# ---- --slurp -------------------------------------------------------------------------------------------------

write("two", "1 {\"b\": 2.50, \"a\": []}\n")
same("min --slurp", run(["min", "--slurp", "two", "-"], b" [ 3 ]\n\n"), (0, '[1,{"b":2.50,"a":[]},[3]]\n', ""))
same("min --slurp of an empty file first", run(["min", "--slurp", "-", "two"]), (0, '[1,{"b":2.50,"a":[]}]\n', ""))
same("min --slurp --sort-keys", run(["min", "--slurp", "-s", "two"]), (0, '[1,{"a":[],"b":2.50}]\n', ""))
same("fmt --slurp of nothing", run(["fmt", "--slurp"]), (0, "[]\n", ""))
same("fmt --slurp, JSON5", run(["fmt", "--slurp", "--json5"], b"1 [.5,]"), (0, "[\n  1,\n  [\n    0.5\n  ]\n]\n", ""))
same("min --slurp of an error", run(["min", "--slurp"], b"1\n x"), (2, "", "fleece: standard input:2:2: expected a value near ' x'\n"))
same("min --slurp --keep-going", run(["min", "--slurp", "--keep-going"], b"1")[0], 2)

# ---- many lines and items: files that are mapped, keys with long equal beginnings, equal ones that are merged ----

names = ["%s%d" % ("same beginning " * dice.randrange(4), dice.randrange(60000)) for _ in range(150000)]
write("many.ndjson", "".join('{"n": %d, "k": "%s"}\n' % (i, name) for i, name in enumerate(names)))
write("many.json", "[\n%s\n]" % ",\n".join('{"n": %d, "k": "%s"}' % (i, name) for i, name in enumerate(names)))
in_order = sorted(range(len(names)), key=lambda i: names[i].encode())
largest = sorted(range(len(names)), key=lambda i: names[i].encode(), reverse=True)  # equal ones keep their order
counts = {}
for i in in_order:
    counts.setdefault(names[i], []).append(i)


def item(i):
    return '{"n":%d,"k":"%s"}' % (i, names[i])


def as_pipe(name):
    return open(name, "rb").read()


limit = (1000 if there[0] == "luajit" else 110) << 20
for words, wanted in ((["sort", "k"], [item(i) for i in in_order]), (["sort", "--reverse", "k"], [item(i) for i in largest]),
                      (["sort", "--unique", "k"], [item(numbers[0]) for numbers in counts.values()]),
                      (["group", "k"], ["[%s]" % ",".join(map(item, numbers)) for numbers in counts.values()]),
                      (["group", "--count", "k"], ['{"key":"%s","count":%d}' % (name, len(numbers)) for name, numbers in counts.items()])):
    as_lines, as_list = "".join(line + "\n" for line in wanted), "[%s]\n" % ",".join(wanted)
    for source, text, printed in ((["many.ndjson"], b"", as_lines), (["--lines"], as_pipe("many.ndjson"), as_lines),
                                  (["many.json"], b"", as_list), ([], as_pipe("many.json"), as_list)):
        got = run(words + source, text, limit=limit)
        check("%s of many, %s" % (words, source), got == (0, printed, ""), (got[0], got[1][:200], got[2]))
write("big.json", "\n {\"a\": \"%s\"}" % ("x" * 5000000))
same("no array in a large file", run(["sort", "k", "big.json"]), (2, "", "fleece: big.json:2:2: an array expected; --lines takes lines\n"))
same("the place of an error after what decode refuses", run(["sort", "a"], b'[1e400]\n {}'),
     (2, '[1e400]\n', "fleece: standard input:2:2: an array expected; --lines takes lines\n"))
got = run(["group", "--count", "--lines", "k"], b"".join(b'{"k":%d,"text":"%s"}\n' % (i % 100, b"x" * 200) for i in range(300000)), limit=(400 if there[0] == "luajit" else 60) << 20)
check("group --count of 66 MB in constant memory", got[0] == 0 and got[1].count('"count":3000}\n') == 100 and got[2] == "", (got[0], got[1][:200], got[2]))

# ---- numbers that no double can hold -------------------------------------------------------------------------

exact = ["-1e401", "1e-07", "1e-7", "0.1", "0.1000", "0.10000000000000000001", "1", "1.0", "10e-1", "9007199254740992", "9007199254740992.0",
         "9007199254740993", "9007199254740993.0", "12345678901234567890", "12345678901234567890.0", "12345678901234567891", "1e22",
         "10000000000000000000001", "1e400"]
shuffled = exact[:]
dice.shuffle(shuffled)
equal = [["-1e401"], ["1e-07", "1e-7"], ["0.1", "0.1000"], ["0.10000000000000000001"], ["1", "1.0", "10e-1"], ["9007199254740992", "9007199254740992.0"],
         ["9007199254740993", "9007199254740993.0"], ["12345678901234567890", "12345678901234567890.0"], ["12345678901234567891"], ["1e22"],
         ["10000000000000000000001"], ["1e400"]]
for runtime in there:
    lua, env = environment(runtime)
    code, out, said = say(["group", ""], ("[%s]" % ",".join(shuffled)).encode())
    same("%s: numbers are compared exactly" % runtime, ([sorted(g) for g in json.loads(out, parse_int=str, parse_float=str)], said), ([sorted(g) for g in equal], ""))
    got = say(["sort", "--unique", "n"], b'[{"n":3},{"n":2,"big":1e309},{"n":1e400},{"n":2}]')
    same("%s: sort of what no double can hold" % runtime, got, (0, '[{"n":2,"big":1e309},{"n":3},{"n":1e400}]\n', ""))
same("infinities", run(["sort", "--invalid-numbers", "literal", ""], b"[NaN,Infinity,1e400,-Infinity,null,-1e400,1]")[1], "[null,NaN,-Infinity,-1e400,1,1e400,Infinity]\n")
same("keys of such numbers", run(["keys", "-"], b'{"n":1e999,"m":[]}'), (0, '["n","m"]\n', ""))
same("length of such numbers", run(["length", "-"], b"[1e400,2]"), (0, "2\n", ""))

# ---- set --parents -------------------------------------------------------------------------------------------

for text, words, wanted in (
        ("{}", ["a.b.c", "1", "a.b.d", "[2]"], {"a": {"b": {"c": 1, "d": [2]}}}), ("{}", ["x[0].y", "true"], {"x": [{"y": True}]}),
        ("{}", ["/p/-/q", "null", "/r/0", "1"], {"p": [{"q": None}], "r": [1]}), ("{}", ["/a~1b/c~0", "1"], {"a/b": {"c~": 1}}),
        ("{}", ["z['a b'].c", "5", r"q\.b.c", "3"], {"z": {"a b": {"c": 5}}, "q.b": {"c": 3}}), ("{}", ["$.a.b", "1"], {"a": {"b": 1}}),
        ('{"a": null, "b": {"c": []}}', ["a.b", "1", "b.c[0].d", "2"], {"a": {"b": 1}, "b": {"c": [{"d": 2}]}}), ("[]", ["[0].a", "1"], [{"a": 1}]),
        ('{"a": {"x": 1.5}}', ["a.b", "1", "c", "2"], {"a": {"x": 1.5, "b": 1}, "c": 2}), ("7", ["$", "{}"], {})):
    code, out, said = run(["set", "--parents", "-", *words], text.encode())
    same("set --parents %s" % words, (code, json.loads(out or "null"), said), (0, wanted, ""))
same("set --parents keeps other bytes", run(["set", "-p", "a.b.c", "1"], b'{ "z" : 1.50,\n"a" : {} }'), (0, '{ "z" : 1.50,\n"a" : {"b" : {"c":1}} }', ""))
same("set --parents of lines", run(["set", "-p", "--lines", "-", "a.b", "1"], b'{"a":{}}\n\n{}\n'), (0, '{"a":{"b":1}}\n\n{"a":{"b":1}}\n', ""))
same("set --parents --raw", run(["set", "-p", "--raw", "a.b", '"'], b"{}"), (0, '{"a":{"b":"\\""}}', ""))
for text, words, said in (('{"a":5}', "a.b", "no array or object is there at step 2"), ("{}", "a[1].b", "a new array begins with index 0"),
                          ('{"a":', "a.b", "standard input:1:6: unexpected end"), ("{}", "a.*.b", "a path without wildcards")):
    got = run(["set", "-p", words, "1"], text.encode())
    check("set --parents %s: an error" % words, got[:2] == (2, "") and said in got[2], got)
same("set makes no parents", run(["set", "a.b", "1"], b"{}")[:2], (2, ""))

# ---- pack --keep-going ---------------------------------------------------------------------------------------

same("pack --keep-going", run(["pack", "--keep-going", "-o", "good.fleece"], b'{"a":1}\n{"a":\n\n[1e400]\n[2]'),
     (1, "", "fleece: standard input:2:6: unexpected end near '{\"a\":'\nfleece: standard input:4:2: number too large near '[1e400]'\n"
             "fleece: standard input: 2 bad lines skipped\n"))
same("pack --keep-going: the others", run(["unpack", "good.fleece"]), (0, '[{"a":1},[2]]\n', ""))
same("pack --keep-going of good lines", run(["pack", "--keep-going", "--frame", "-q", "-o", "good.fleece"], b"1\n2\n"), (0, "", ""))
same("pack --keep-going: the lines", run(["unpack", "good.fleece"]), (0, "[1,2]\n", ""))

os.chdir(ROOT)
finish()
