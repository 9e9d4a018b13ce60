# SPDX-License-Identifier: MIT
# expressions.py -- map, filter and get --where of bin/fleece, in every Lua. Expected results come from Python's json and
# docs/cli.md.

import json
import os
import random
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, ROOT, check, environment, finish, on_terminal, read, run, same, there, write  # noqa: E402

# ---- lines: expressions of fields, which are read in rows, and others ----------------------------------------

dice = random.Random(20261129)
SCALARS = [None, True, False, 0, 7, -3, 2.5, "x", "", "a\"b", "\u00e9\n", "\U0001f600"]
records = []
for i in range(3000):
    record = {"id": i}
    for name in ("a", "b c", "user"):
        if dice.random() < 0.8:
            record[name] = dice.choice(SCALARS + [{"name": dice.choice(SCALARS), "n": i}, [1, None, "y"], {}, []])
    records.append(record)


def minimal(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def name_of(record):
    user = record.get("user")
    return user.get("name") if isinstance(user, dict) else None


text = "".join((json.dumps if i % 2 else minimal)(r) + ("\n" if i % 7 else "\r\n\n") for i, r in enumerate(records)).encode()
write("lines.ndjson", text)
MAPS = (  # an expression, and what Python makes of a record: a list of values
    ("_.id", lambda r: [r["id"]]),
    ("_.id * 2, _['id']", lambda r: [r["id"] * 2, r["id"]]),
    ("_.user", lambda r: [r["user"]] if "user" in r else []),
    ('_["b c"]', lambda r: [r["b c"]] if "b c" in r else []),
    ("_.user.name", lambda r: [name_of(r)] if isinstance(r.get("user"), dict) and "name" in r["user"] else []),
    ("_", lambda r: [r]),
    ("_.a == nil", lambda r: ["a" not in r]),
    ("_.a == null, _.a == null", lambda r: 2 * ["a" in r and r["a"] is None]),
    ("{n = _.id, a = 1, ['b c'] = _.id % 2 == 0}", lambda r: [{"n": r["id"], "a": 1, "b c": r["id"] % 2 == 0}]),
    ("{n = _.id, all = _}", lambda r: [{"n": r["id"], "all": r}]),
    ("{{z = _.id, b = {_.id}}}", lambda r: [[{"z": r["id"], "b": [r["id"]]}]]),
    ("{_.user ~= nil and 1 or 2}", lambda r: [[1 if "user" in r else 2]]),
    ("_.user[1]", lambda r: [1] if r.get("user") == [1, None, "y"] else []),
    ("if _.id % 3 == 0 then return _.id end", lambda r: [r["id"]] if r["id"] % 3 == 0 else []),
    ("local user = _.user return type(user)", lambda r: [{dict: "table", list: "table", str: "string", bool: "boolean", int: "number", float: "number",
                                                          type(None): "userdata" if "user" in r else "nil"}[type(r.get("user"))]]),
    ("_.seen = true return _", lambda r: [dict(r, seen=True)]),
    ("_.id -- of the record", lambda r: [r["id"]]),
    ("[[_.id]] .. _.id", lambda r: ["_.id%d" % r["id"]]),
    ("'_.id' .. _.id .. \"\\\"_.id\"", lambda r: ['_.id%d"_.id' % r["id"]]),
    ("map({_.id, _.id}, function(i) return i + 1 end)", lambda r: [[r["id"] + 1] * 2]),
    ("#keys(_)", lambda r: [len(r)]),
)


def truth(value):
    return value is not None and value is not False


FILTERS = (  # null members are missing
    ("_.id > 2990", lambda r: r["id"] > 2990),
    ("_.a", lambda r: truth(r.get("a"))),
    ("not _.a", lambda r: not truth(r.get("a"))),
    ("_.user and _.user.name", lambda r: truth(name_of(r))),
    ("_.a == nil", lambda r: r.get("a") is None),
    ("type(_.a) == 'number' and _.a > 2 and _.id < 2500", lambda r: type(r.get("a")) in (int, float) and r["a"] > 2 and r["id"] < 2500),
    ("type(_.user) == 'table' and #_.user == 3", lambda r: r.get("user") == [1, None, "y"]),
    ("#keys(_) == 2", lambda r: len([1 for v in r.values() if v is not None]) == 2),
    ("_['b c'] == 'x' or _.a == 'x'", lambda r: r.get("b c") == "x" or r.get("a") == "x"),
)
for runtime in there:
    lua, env = environment(runtime)

    def say(args, stdin=b""):
        r = subprocess.run([lua, ROOT + "/bin/fleece"] + args, env=env, input=stdin, capture_output=True, timeout=60)
        return r.returncode, r.stdout.decode(), r.stderr.decode()
    for code, of in MAPS:
        got = say(["map", code, "lines.ndjson"])
        same("%s: map %s" % (runtime, code), (got[0], got[2]), (0, ""))
        check("%s: map %s: the values" % (runtime, code), got[1] == "".join(minimal(v) + "\n" for r in records for v in of(r)), got[1][:300])
    for code, of in FILTERS:
        got = say(["filter", code, "lines.ndjson"])
        same("%s: filter %s" % (runtime, code), (got[0], got[2]), (0, ""))
        check("%s: filter %s: the lines" % (runtime, code), [json.loads(line) for line in got[1].split("\n") if line] ==
              [r for r in records if of(r)], got[1][:300])
    # what the text has stays in it
    same("%s: filter keeps digits and order" % runtime, say(["filter", "_.b"], b' {"b": 1.50, "a": 12345678901234567890,\n "b": 1e0} '),
         (0, '{"b":1.50,"a":12345678901234567890,"b":1e0}\n', ""))
    # names that the expression does not have are sorted
    same("%s: new objects" % runtime, say(["map", "{z = 1, b = {y = 1, a = {x = 1, b = _}}, a = 1}"], b'{"c":1,"b":2}'),
         (0, '{"z":1,"b":{"y":1,"a":{"b":{"c":1,"b":2},"x":1}},"a":1}\n', ""))
    same("%s: sorted" % runtime, say(["map", "local t = {zz = 1} for i = 1, 9 do t['k' .. i] = i end return t"], b"1"),
         (0, '{"zz":1,' + ",".join('"k%d":%d' % (i, i) for i in range(1, 10)) + "}\n", ""))
    # the sandbox
    for name in ("io", "os", "require", "load", "loadstring", "dofile", "loadfile", "debug", "package", "getmetatable", "setmetatable",
                 "getfenv", "setfenv", "collectgarbage", "print", "jit", "ffi", "_G", "_ENV.io", "coroutine", "newproxy", "module", "arg"):
        got = say(["map", name], b"1")
        check("%s: an expression has no %s" % (runtime, name), got[0] == 2 and got[1] == "" and "there is no " in got[2], got)
    for code in ("string.dump", "('x').dump", "string.format == ('x').format and nil"):
        same("%s: %s is nil" % (runtime, code), say(["map", code], b"1"), (0, "", ""))
    same("%s: libraries are copies" % runtime, say(["map", "string.find, string.gsub, table.concat, math.floor = nil return ('abc'):find('c')"], b"1 2"),
         (0, "3\n3\n3\n3\n", ""))
    check("%s: no bytecode" % runtime, say(["map", "\x1bLua"], b"1")[0] == 2)
    same("%s: --unsafe" % runtime, say(["map", "--unsafe", "os.getenv('HOME_OF_NONE') or io.type(io.stdout)"], b"1"), (0, '"file"\n', ""))
    # errors have places
    for code, args, stdin, wanted in (
            ("_.a.b + 1", [], b'\n\n  {"a": 1}', "3:3: attempt to perform arithmetic on"), ("_.a.b + 1", ["--lines"], b'{"a":{"b":1}}\n{}', "2:1: attempt to perform"),
            ("select('#', _) and _ + 1", ["--lines"], b'1\n{}', "2:1: "), ("_", [], b"[1,]", "1:4: expected a value"), ("error('no')", [], b"1 2", "1:1: no\n"),
            ("error{}", [], b"1", "1:1: error of type table"), ("0 / 0", ["--lines"], b"1", "1:1: number is NaN"), ("function() end", [], b"1", "1:1: cannot encode a function"),
            ("_.x .. 'a'", ["--lines"], b'{"x":"a"}\n{"x":null}', "2:1: attempt to concatenate")):
        got = say(["map", code] + args, stdin)
        check("%s: an error of %s" % (runtime, code), got[0] == 2 and got[2].startswith("fleece: standard input:" + wanted), got)

# ---- what is written from the text: the same bytes as by way of Lua values -----------------------------------

STRINGS = ["a", "", "\u00e9", "a\\\\", "\\\"", "\\n\\t\\b\\f\\r", "\\/", "\\u00e9", "\\u0041", "\\u001F\\u0000", "\\ud83d\\ude00", "\u2028\x7f", " ,:{}[] ", "\\\\\\\"]"]
NUMBERS = ["0", "-0", "-0.0", "1", "-12", "1.0", "1.50", "0.5", "1e2", "1E+2", "1e-7", "0.00001", "0.0001", "123456789012345", "1234567890123456", "-9007199254740993",
           "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "123456789012345678901234567890", "1.234567890123456789",
           "12345678901234.5", "123456789012345.5", "0.1e1", "5e-324", "1e-400", "1.7976931348623157e308", "100000000000000000000", "1e15", "1e16", "10.10"]


def odd(depth):
    kind = dice.randrange(8 if depth else 5)
    if kind == 5:
        return "[" + dice.choice([",", " , ", ",\t"]).join(odd(depth - 1) for _ in range(dice.randrange(4))) + dice.choice(["]", " ]"])
    if kind > 5:
        colon = dice.choice([":", " : "])
        return dice.choice(["{", "{ "]) + ",".join('"%s"%s%s' % (dice.choice("abcdefgh" + "k" * 3 + "\u00e9") if dice.random() < .9 else dice.choice(STRINGS), colon, odd(depth - 1))
                                                   for _ in range(dice.randrange(5))) + "}"
    return dice.choice(NUMBERS) if kind < 2 else '"%s"' % "".join(dice.choice(STRINGS) for _ in range(dice.randrange(3))) if kind < 4 else dice.choice(["null", "true", "false"])


lines = [odd(4) for _ in range(1500)] + ["{%s}" % ",".join('"n%d":{"x":%d}' % (i, i) for i in range(n)) for n in (63, 64, 65)] + [
    "[" * n + "]" * n for n in (63, 64, 65)] + ['"%s\\u0041"' % ("x" * n) for n in (8180, 8190, 9000)] + ["", " ", "\r"]
lines += [odd(3) for _ in range(9)] + ["[1e400]", '{"k":"\\ud800"}', '{"k":1e999,"a":2}', "[1", "{\"k\":1} 2", '"\x01"'] * 2 + ["7"] * 20 + ["{"]
write("odd.ndjson", "\n".join(lines))
for runtime in there:
    lua, env = environment(runtime)
    for code in ("_", "_.k", "_[1].k", "_.a.k"):
        direct, through_lua = (subprocess.run([lua, ROOT + "/bin/fleece", "map", "--keep-going", it, "odd.ndjson"], env=env, capture_output=True) for it in (code, "(%s)" % code))
        same("%s: map %s, the status" % (runtime, code), direct.returncode, 1)
        same("%s: map %s, from the text and through Lua" % (runtime, code), direct.stdout.split(b"\n"), through_lua.stdout.split(b"\n"))
        same("%s: map %s, the errors" % (runtime, code), direct.stderr, through_lua.stderr)
        check("%s: map %s, some output" % (runtime, code), direct.stdout.count(b"\n") > 0)

# ---- keep-going ----------------------------------------------------------------------------------------------

rows = [minimal({"n": i, "d": dice.choice([0, 1, 2])}) if dice.random() < 0.95 else dice.choice(["{", "", "[1]", '{"n":"x","d":1}']) for i in range(2000)]
text = "\n".join(rows).encode()
wanted, bad = [], 0
for row in rows:
    if not row:
        continue
    try:
        value = json.loads(row)
    except ValueError:
        bad += 1
        continue
    if isinstance(value, list) or value["n"] == "x" or value["d"] == 0:
        bad += 1
    else:
        wanted += [value["n"], value["n"] / value["d"]]
code, out, said = run(["map", "--keep-going", "_.n, _.n / _.d"], text)
same("--keep-going skips lines without a result", (code, [json.loads(x) for x in out.split()]), (1, [w for w in wanted]))
check("--keep-going counts them", said.endswith("standard input: %d bad lines skipped\n" % bad), said[-200:])
for how in ("local v = _ return v.n, v.n / v.d", "_.n = _.n + 0 return _.n, _.n / _.d"):  # whole values
    got = run(["map", "--keep-going", how], text)
    same("--keep-going: " + how, got[:2] + (got[2].splitlines()[-1],), (code, out, said.splitlines()[-1]))
BROKEN = b'{"a":1}\n{"a":}\n\n{"a":2}\r\n{"a":"x"}\n{"a":3}'
SAYS = "fleece: standard input:2:6: expected a value near '{\"a\":}'\n%sfleece: standard input: %d bad line%s skipped\n"
FAILS = "fleece: standard input:5:1: attempt to add a 'string' with a 'number'\n" if b"5.4" in subprocess.run(FLEECE + ["--version", "-v"], capture_output=True, env=ENV).stdout else None
for how in ("_.a + 1", "local v = _ return v.a + 1"):
    got = run(["map", "--keep-going", how], BROKEN)
    check("results and errors: " + how, got[:2] == (1, "2\n3\n4\n") and (not FAILS or got[2] == SAYS % (FAILS, 2, "s")), got)
    got = run(["map", "--lines", how], BROKEN)
    check("the first error ends it: " + how, got[:2] == (2, "2\n") and got[2].startswith("fleece: standard input:2:6: "), got)
same("each line is processed once", run(["map", "--keep-going", "--arg-json", 'n={"x":0}', "n.x = n.x + 1 return n.x, _.a"], BROKEN),
     (1, '1\n1\n2\n2\n3\n"x"\n4\n3\n', SAYS % ("", 1, "")))
same("a line whose results cannot all be written has none", run(["map", "--keep-going", "--quiet", "_.a, _.a == 2 and map or nil, 0"], BROKEN)[1], '1\n0\n"x"\n0\n3\n0\n')
same("new tables in a document", run(["map", "--lines", "_.b = {z = 1, y = {2, {x = 1, c = 2}}} _.a.k = 4 return _"], b'{"q":1,"a":{"w":1,"j":2}}\n'),
     (0, '{"q":1,"a":{"w":1,"j":2,"k":4},"b":{"z":1,"y":[2,{"x":1,"c":2}]}}\n', ""))
same("documents in new tables", run(["map", "--lines", "{z = _.a, b = {y = _.a.w, _.a}, a = decode '{\"z\":1,\"a\":2}'}"], b'{"q":1,"a":{"w":1,"j":[{"d":1,"b":2}]}}\n'),
     (0, '{"z":{"w":1,"j":[{"d":1,"b":2}]},"a":{"z":1,"a":2},"b":{"y":1,"1":{"w":1,"j":[{"d":1,"b":2}]}}}\n', ""))
check("a circle", run(["map", "--lines", "_.s = {_, {_}} return {x = _}"], b"{}")[2].endswith("table contains itself at .x.s[1]\n"))
check("a table of an error is not one of the program", run(["map", "--lines", "error{message = 'boo'}, _"], b"{}")[2].endswith("error of type table\n"))
same("a name that counts", run(["map", "--lines", "--arg-json", "sum=0", "local n = _.n sum = sum + n return sum"], b'{"n":1}\n{"n":2}\n{"n":3}')[1], "1\n3\n6\n")

# ---- input and output ----------------------------------------------------------------------------------------

write("one.json", '{"b": [1, 2], "a": "x\\ny"}')
write("two.json", '3 {"a": null}\n"z"')
run(["pack", "one.json", "-o", "one.fleece"])
same("several files", run(["map", "_.b[2] or _", "one.json", "two.json", "one.fleece"]), (0, '2\n3\n{"a":null}\n"z"\n2\n', ""))
same("--slurp", run(["map", "--slurp", "#_, _[1].a", "one.json", "two.json"]), (0, '4\n"x\\ny"\n', ""))
same("--slurp of nothing", run(["map", "--slurp", "_"]), (0, "[]\n", ""))
same("--raw --indent", run(["map", "--raw", "-i", "1", "_.a, _.b", "one.json"]), (0, "x\ny\n[\n 1,\n 2\n]\n", ""))
same("--raw", run(["map", "--raw", "_.a, _.b", "one.json"]), (0, "x\ny\n[1,2]\n", ""))
same("--indent", run(["map", "--indent", "1", "{c = _.b}", "one.json"]), (0, '{\n "c": [\n  1,\n  2\n ]\n}\n', ""))
same("--sort-keys", run(["map", "-s", "{c = 1, a = _}", "one.json"]), (0, '{"a":{"a":"x\\ny","b":[1,2]},"c":1}\n', ""))
same("filter --sort-keys", run(["filter", "-s", "true", "one.json"]), (0, '{"a":"x\\ny","b":[1,2]}\n', ""))
same("colours", on_terminal(["map", "{1, 'b'}", "one.json"]), (0, "[\x1b[36m1\x1b[0m,\x1b[32m\"b\"\x1b[0m]\n"))
same("-o", (run(["filter", "_.b", "one.json", "-o", "out.json"]), read("out.json")), ((0, "", ""), b'{"b":[1,2],"a":"x\\ny"}\n'))
same("filter: nothing is found", run(["filter", "_.c", "one.json"]), (1, "", ""))
same("--json5", run(["map", "--json5", "_.b + _.c"], b"{b: .5, /* */ c: 0x10,}"), (0, "16.5\n", ""))
same("--json5, lines", run(["filter", "--json5", "--lines", "_.b"], b"{a: 1}\n{b: 0x2}"), (0, '{"b":2}\n', ""))
same("--arg", run(["map", "--arg", "x=a=b", "--arg-json", 'y={"z":[1,null],"a":2}', "x, y"], b"1"), (0, '"a=b"\n{"z":[1,null],"a":2}\n', ""))
for words in (["--arg", "x"], ["--arg", "1=2"], ["--arg", "end=2"], ["--arg", "_=2"], ["--arg-json", "x=tru"]):
    check("map %s" % words, run(["map", *words, "_"], b"1")[0] == 2)
for code, said in (("_ _", "_ _"), ("return", None), ("x y", "near 'y'"), ("return (", "unexpected symbol")):
    got = run(["map", code], b"1")
    check("not an expression: " + code, got[:2] == ((2 if said else 0), "") and (said or "") in got[2] and "bin/" not in got[2], got)
same("a file before the expression", run(["map", "one.json", "_.a"]),
     (2, "", "fleece: _.a: No such file or directory (one.json is taken for the expression, which comes before the files)\n"))
same("sum", run(["map", "sum(_)"], b"[1,2.5]"), (0, "3.5\n", ""))
same("helpers", run(["map", "{null, {}, object{}, array{}, keys(_), encode(_), decode('[1]'), filter({1, 2, false}, function(i) return i end)}"], b'{"b":1,"a":{}}'),
     (0, '[null,[],{},[],["b","a"],"{\\"b\\":1,\\"a\\":{}}",[1],[1,2]]\n', ""))
same("each", run(["map", "each(_)"], b'[1,{"a":2},"x"]'), (0, '1\n{"a":2}\n"x"\n', ""))
same("a cycle is an error", run(["map", "local t = {} t.t = t return t"], b"1")[:2], (2, ""))
same("get --where", run(["get", "--where", "_.id > 2997", "lines.ndjson", "id"]), (0, "2998\n2999\n", ""))
same("get --where --row", run(["get", "--where", "_.a", "--row", "-", "b", "c"], b'{"a":1,"b":2} {"a":null,"b":3}'), (0, "[2,null]\n", ""))
same("get --where, a query", run(["get", "--where", "#_.b == n", "--arg-json", "n=2", "one.json", "$.b[?@ > 1]"]), (0, "2\n", ""))
same("get --where, no document", run(["get", "--where", "_.c", "one.json", "b"]), (1, "", ""))
same("get --where, JSON5", run(["get", "--where", "_.a > 1", "--json5", "-", "a"], b"{a: 0x1}\n{a: 0x2}"), (0, "2\n", ""))
NULLS = b'{"i":1,"a":null,"l":[1,null]}\n{"i":2}\n{"i":3,"a":"x","l":[null]}\n'
for code, wanted in (("_.a == null", "1\n2\n"), ("_.a ~= null", "3\n"), ("null == _.l[1]", "2\n3\n"), ("local t = _ return t.a == null", "1\n2\n"),
                     ("_.a == x", "1\n2\n"), ("#filter(_.l or {}, function(x) return x == null end) == 1", "1\n3\n"),
                     ("map(_.l or {}, function(x) if x ~= null then return x end end)[1]", "1\n")):
    for more in ([],) if "_.l[1]" in code else ([], ["--unsafe"]):
        same("null in get --where, %s %s" % (code, more), run(["get", "--lines", "--arg-json", "x=null", "--where", code] + more + ["-", "i"], NULLS), (0, wanted, ""))
p = subprocess.Popen(FLEECE + ["map", "--lines", "--unbuffered", "_.a"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV)
p.stdin.write(b'{"a":1}\n')
p.stdin.flush()
same("--unbuffered answers at once", p.stdout.readline(), b"1\n")
p.stdin.close()
p.wait()
for more, text, wanted in (([], b'{"a":1}\n', b"1\n"), (["/dev/stdin"], b'{"a":\n2} {"a":3}\n', b"2\n")):
    p = subprocess.Popen(FLEECE + ["map", "--unbuffered", "_.a"] + more, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENV)
    p.stdin.write(text)
    p.stdin.flush()
    same("--unbuffered without --lines", p.stdout.readline(), wanted)
    p.stdin.close()
    p.wait()
same("--unbuffered, an error", run(["map", "--unbuffered", "_.a + 1"], b'{"a":1}\n{"a":{}}\n{"a":2}'),
     (2, "2\n", "fleece: standard input: attempt to perform arithmetic on a table value (_.a)\n"))
same("--unbuffered, not JSON", run(["filter", "--unbuffered", "_"], b'1\n[x]'), (2, "1\n", "fleece: standard input:2:2: expected a value near '[x'\n"))
COMPARES = "== compares, and return gives a result"
for code, wanted in ((".a", "a field of the value is _.name"), ("f(.a)", "a field of the value is _.name"), ("_.a != 1", "not equal is ~= in Lua"),
                     ("_.a && _.b", "&& is `and` in Lua"), ("_.a || _.b", "|| is `or` in Lua"), ("!_.a", "! is `not` in Lua"),
                     ("_.a = 2", COMPARES), ('_.a == 1 and _["b"] = 2', COMPARES),
                     ("x = 2", COMPARES), ("_.a = 1 _.b = 2", COMPARES), ("local x = _.a", COMPARES)):
    got = run(["filter", code], b"{}")
    check("a hint for " + code, got[0] == 2 and got[2].endswith(" (" + wanted + ")\n"), got)
check("a hint for jq's select", "select of jq is the command filter" in run(["map", "select(_.b == 1)"], b"{}")[2])
same("select", run(["map", "select(2, each(_)), select('#', 1, 2)"], b"[1,2,3]"), (0, "2\n2\n", ""))
check("no hint for a string", not run(["map", "_.a .. '!= && .a' .."], b"{}")[2].endswith(")\n"))
same("statements", run(["map", "_.a = 2 return _"], b'{"a":1}'), (0, '{"a":2}\n', ""))

# ---- no input, lines as strings, no line breaks, the exit status ---------------------------------------------

same("-n", run(["map", "-n", "_ == null, _.a, {a = 1}"], b"x"), (0, 'true\n{"a":1}\n', ""))
same("-n with a file", run(["map", "-n", "1", "lines.ndjson"]), (2, "", "fleece: map: --null-input reads no files\n"))
got = run(["map", "-n", "_ + 1"])
check("-n, an error", got[:2] == (2, "") and got[2].startswith("fleece: attempt to perform arithmetic") and "line" not in got[2], got)
same("-R", run(["map", "-R", "_"], b'a "b"\\\n\n\xc3\xa9\r\nlast'), (0, '"a \\"b\\"\\\\"\n""\n"\u00e9\\r"\n"last"\n', ""))
same("-R of nothing", run(["map", "-R", "_"]), (0, "", ""))
same("-R, methods", run(["map", "-R", "-r", "_:upper(), #_"], b"ab\nc"), (0, "AB\n2\nC\n1\n", ""))
same("-R --slurp", run(["map", "-R", "--slurp", "_", "-"], b"a\nb\n"), (0, '"a\\nb\\n"\n', ""))
same("-R, a bad line", run(["map", "-R", "_"], b"a\n\xff\n")[:2], (2, '"a"\n'))
same("-R --keep-going", run(["map", "-R", "--keep-going", "-q", "_"], b"a\n\xff\nb"), (1, '"a"\n"b"\n', ""))
same("-R --invalid-utf8", run(["map", "-R", "--invalid-utf8", "replace", "_"], b"\xff"), (0, '"\ufffd"\n', ""))
same("-j", run(["map", "-j", "_.a, {1}, _.b", "-"], b'{"a":"x\\n","b":2}{"a":"y"}'), (0, "x\n[1]2y[1]", ""))
same("-j of lines", run(["map", "-j", "--lines", "_", "-"], b'"x"\n1\n'), (0, "x1", ""))
same("-j --indent", run(["map", "-j", "-i", "0", "_"], b'"x" [1]'), (0, "x[1]", ""))
for text, code in ((b"1", 0), (b"false", 1), (b"null", 1), (b"1 null", 1), (b"null 0", 0), (b"", 1)):
    same("-e of %s" % text, run(["map", "-e", "_"], text)[0], code)
    same("-e of the lines %s" % text, run(["map", "-e", "--lines", "_"], text.replace(b" ", b"\n"))[0], code)
same("-e of nil", run(["map", "-e", "_.x"], b"{}"), (1, "", ""))

# ---- constant memory -----------------------------------------------------------------------------------------

LIMIT = (400 if there[0] == "luajit" else 60) << 20
line = minimal({"id": 1, "text": "x" * 200, "user": {"age": 3}}).encode() + b"\n"
for command in (["map", "--lines", "_.user.age"], ["filter", "--lines", "_.user.age > 3"], ["map", "--lines", "#keys(_) - 4"]):
    r = run(command, line * 400000, limit=LIMIT)
    check("%s of 100 MB of lines" % command, r[0] in (0, 1) and r[2] == "", (r[0], r[2]))
MEASURE = "import os, subprocess, sys; p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL); print(os.wait4(p.pid, 0)[2].ru_maxrss)"
write("long.ndjson", (minimal({"id": 1, "o": {"a": [1, 2, {"b": "x" * 100}]}, "text": "x" * 100}).encode() + b"\n") * 100000)
for runtime in there:
    lua, env = environment(runtime)
    r = subprocess.run([sys.executable, "-c", MEASURE, lua, ROOT + "/bin/fleece", "map", "(_)", "long.ndjson"], env=env, capture_output=True)
    check("%s: map of 25 MB of whole values takes little memory" % runtime, int(r.stdout or b"999999") < 40000, r)
check("a member of an error is not a place in this program", not re.search(r"\.lua:\d", "".join(
    run(["map", code], b"{}")[2] for code in ("_.a()", "_ + 1", "#_.a", "_.a .. 1", "each(nil)", "keys(1)", "array(1)", "decode('[')"))))

# ---- what users met ------------------------------------------------------------------------------------------

for code, text, wanted in (
        ('_["a"] = 3 return _.a', '{"a":1}', "3\n"), ('_["a"] = _["a"]+1 return {a=_.a}', '{"a":1}', '{"a":2}\n'),
        ('_.b["c"] = 5 return _.b.c', '{"b":{"c":2}}', "5\n"), ('local b=_["b"] b.c=7 return _.b.c', '{"b":{"c":2}}', "7\n"),
        ('table.insert(_["l"],5) return #_.l', '{"l":[1,2]}', "3\n"), ("_.a, ...", '{"a":1}', '1\n{"a":1}\n'),
        ("object{who = _.u.name}, {_.u, 1}", '{"a":1}', '{}\n{"2":1}\n'), ("tostring(null), map(_.l, tostring)", '{"l":[1,null]}', '"null"\n["1","null"]\n'),
        ("sum(_)", "[9223372036854775807,1]", "9223372036854775808\n"), ("sum(_)", "[-1,2.5]", "1.5\n"), ("_", "\n\n", ""), ("_", "\r\n", "")):
    code, out, said = run(["map", code, "-"], text.encode())
    same("map of %r" % text, (code, out.replace(".0\n", "\n").replace("e+18", ""), said), (0, wanted, "")) if "92233" not in text else check(
        "map sum beyond integers", code == 0 and abs(float(out) - 2.0 ** 63) < 1e4, out)
for code, text, wanted in ((",_.a", '{"a":1}', "unexpected symbol near ','"), ("map(_, tostring)", '{"a":1}', "a list expected, not an object"),
                           ("sum({1, '2'})", "1", "sum: numbers expected, not string"), ("decode('[1,')", "1", "standard input:1:1: decode: unexpected end\n")):
    got = run(["map", code, "-"], text.encode())
    check("map %s: an error" % code, got[:2] == (2, "") and wanted in got[2], got)
same("map writes what came before an error", run(["map", '_ == 4 and error("x") or _', "-"], b"1\n2\n3\n4\n5\n")[:2], (2, "1\n2\n3\n"))
same("map --lines writes what came before a bad line", run(["map", "--lines", "_", "-"], b'1\n2\n{"a"\n3\n')[:2], (2, "1\n2\n"))

os.chdir(ROOT)
finish()
