#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py -- decoding and encoding the same documents in several languages: MB per second of text.

    bench/languages/run.py [--seconds 0.3] [--rounds 7] [--text FILE ...] [--table]

Each worker is a process that holds the text and its value. The workers take turns in a new order each round, and the
result is the best round of each. Time is CPU time of the process, so that other work on the machine counts little. The
text has no white space; MB are those of this text, for encoding too. Languages and libraries that are missing are left out: Node.js, PHP, Ruby (json,
oj), Python (json, orjson, msgspec, ujson, rapidjson; $PYTHON is the interpreter that has them), Go, Lua (Fleece,
lua-cjson). Without --text: every *.json in $FLEECE_DATA/json, or else a document that is generated here."""
import argparse
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PYTHON = os.environ.get("PYTHON", sys.executable)


def generated():
    """1000 records with names, numbers, lists and texts."""
    r = random.Random(7)
    words = "river stone early window bread winter garden letter small harbour never music paper cloud".split()
    return [{"id": i, "name": " ".join(r.choice(words).title() for _ in range(2)), "active": r.random() < 0.5,
             "balance": round(r.uniform(0, 4000), 2), "latitude": r.uniform(-90, 90), "age": r.randint(18, 90),
             "about": " ".join(r.choice(words) for _ in range(40)) + ".\r\n", "parent": None,
             "tags": [r.choice(words) for _ in range(7)],
             "friends": [{"id": k, "name": r.choice(words)} for k in range(3)]} for i in range(1000)]


def workers(folder):
    """(name, command) of each language and library that is installed."""
    for runtime in ("luajit", "lua5.4"):
        found = subprocess.run(["tools/where.sh", "lua", runtime], cwd=ROOT, stdout=subprocess.PIPE).stdout.decode().strip()
        title = "LuaJIT" if runtime == "luajit" else "Lua 5.4"
        if found and os.path.exists("%s/build/%s/fleece.so" % (ROOT, runtime)):
            yield title + ", Fleece", ["env", "LUA_CPATH=%s/build/%s/?.so" % (ROOT, runtime), found, HERE + "/worker.lua", "fleece"]
        if found:
            yield title + ", lua-cjson", [found, HERE + "/worker.lua", "cjson"]
    if shutil.which("node"):
        yield "Node.js, JSON", ["node", HERE + "/worker.js"]
    for library in ("json", "orjson", "msgspec", "ujson", "rapidjson"):
        yield "Python, " + library, [PYTHON, HERE + "/worker.py", library]
    if shutil.which("php"):
        yield "PHP, json", ["php", HERE + "/worker.php"]
    if shutil.which("ruby"):
        for library in ("json", "oj"):
            yield "Ruby, " + library, ["ruby", HERE + "/worker.rb", library]
    if shutil.which("go"):
        done = subprocess.run(["go", "build", "-o", folder + "/worker", HERE + "/worker.go"],
                              env=dict(os.environ, GOFLAGS="-mod=mod", GO111MODULE="off", GOCACHE=folder + "/cache"))
        if done.returncode == 0:
            yield "Go, encoding/json", [folder + "/worker"]


class Worker:
    def __init__(self, name, command, path):
        self.name, self.best = name, {}
        self.process = subprocess.Popen(command + [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, universal_newlines=True)
        self.version = self.process.stdout.readline().strip()

    def ask(self, what, seconds):
        """Runs it for a time; returns MB per second."""
        self.process.stdin.write("%s %g\n" % (what, seconds))
        self.process.stdin.flush()
        count, passed, size = self.process.stdout.readline().split()
        rate = float(count) * float(size) / float(passed) / 1e6
        self.best[what] = max(rate, self.best.get(what, 0))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(name, value, options, folder, known):
    path = os.path.join(folder, "text.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f, ensure_ascii=False, separators=(",", ":"))
    running = [Worker(title, command, path) for title, command in known]
    running = [w for w in running if w.version]  # one whose library is missing has ended
    for _ in range(options.rounds):
        random.shuffle(running)
        for what in ("decode", "encode"):
            for worker in running:
                worker.ask(what, options.seconds)
    for worker in running:
        worker.end()
    print("%s, %d bytes" % (name, os.path.getsize(path)))
    for w in sorted(running, key=lambda w: -w.best["decode"]):
        print("  %-22s %-10s decode %6.0f MB/s  encode %6.0f MB/s" % (w.name, w.version, w.best["decode"], w.best["encode"]))
    sys.stdout.flush()
    return {w.name: w for w in running}


def main():
    parser = argparse.ArgumentParser(description="JSON in several languages")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--text", nargs="*")
    parser.add_argument("--table", action="store_true", help="print a table in Markdown, too")
    options = parser.parse_args()
    files = options.text or sorted(glob.glob(os.environ.get("FLEECE_DATA", "") + "/json/*.json"))
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        known = list(workers(folder))
        if not files:
            results["generated"] = measure("generated", generated(), options, folder, known)
        for path in files:
            with open(path, encoding="utf-8") as f:
                results[os.path.basename(path)] = measure(os.path.basename(path), json.load(f), options, folder, known)
    if options.table:
        first = next(iter(results.values()))
        print("\n| MB/s, decode / encode | version | %s |\n|---|---|%s" % (" | ".join(results), "--:|" * len(results)))
        for name in sorted(first, key=lambda n: -first[n].best["decode"]):
            cells = ["%.0f / %.0f" % (r[name].best["decode"], r[name].best["encode"]) if name in r else "–"
                     for r in results.values()]
            print("| %s | %s | %s |" % (name, first[name].version, " | ".join(cells)))


main()
