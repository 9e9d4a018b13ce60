#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py -- JSON Schema: the time to a verdict, in ns a byte of text, for public schemas and instances.

    bench/schema/run.py [--runtimes "lua5.1 lua5.4 luajit"] [--seconds 0.5] [--rounds 3] [FOLDER ...]

Each FOLDER has schema.json, and instances.jsonl with a text a line. Without one, those of the repository
sourcemeta-research/jsonschema-benchmark, which git copies to build/schema-sets. Workers, a process each, take turns; the
result is the best of the rounds. Fleece and, where they are installed, lua-cjson with api7's jsonschema, jsonschema-rs
($PYTHON is the interpreter that has it), Ajv ($NODE_PATH is where it is). "x valid" is the time of Fleece's verdict on
texts by that of testing the same texts for being JSON; "make" is the time to compile the schema from its text, in ns a
byte; the other ratios are times of others by that of Fleece for the same form, texts with their parsers; but "x parse" is
the time that one takes for a text by that of its parser alone, which says what the schema itself asks for, and "api7 bound"
is its time for a text by that of Fleece's test for being JSON, which no verdict that reads the whole text can exceed. The last
rows are the worst of each column, of more than one set."""
import argparse
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SETS, COMMIT = ROOT + "/build/schema-sets", "862e479d7f7e4520adcbe059abec5e27e91800e4"
OTHERS = ("api7", "jsonschema-rs", "Ajv")  # columns of ratios that should be large
SOURCE = "https://github.com/sourcemeta-research/jsonschema-benchmark"


def public_sets():
    if not os.path.isdir(SETS):
        print("copies the schemas of %s to build/schema-sets" % SOURCE, flush=True)
        git = ["git", "-C", SETS]
        subprocess.run(["git", "clone", "-q", "--filter=blob:none", "--no-checkout", SOURCE, SETS], check=True)
        subprocess.run(git + ["sparse-checkout", "set", "schemas"], check=True)
        subprocess.run(git + ["checkout", "-q", COMMIT], check=True)
    return sorted(os.path.dirname(p) for p in glob.glob(SETS + "/schemas/*/instances.jsonl"))


def workers(runtimes):
    """(the name of its column, command, environment) of each worker."""
    for runtime in runtimes:
        lua = subprocess.run([ROOT + "/tools/where.sh", "lua", runtime], capture_output=True, text=True, check=True).stdout.strip()
        path = "%s/build/%s/?.so;%s;" % (ROOT, runtime, os.environ.get("LUA_CPATH", ""))
        yield runtime, [lua, HERE + "/worker.lua"], dict(os.environ, LUA_CPATH=path)
    yield "", [os.environ.get("PYTHON", sys.executable), HERE + "/worker.py"], None
    yield "", ["node", HERE + "/worker.js"], None


def measure(folder, todo, options):
    """The best times of a set, by the names of their columns."""
    best = {}
    for _ in range(options.rounds):
        for name, command, env in todo:
            try:
                done = subprocess.run(command + [folder, str(options.seconds)], env=env, cwd=ROOT, capture_output=True, text=True)
            except OSError:
                continue
            for line in done.stdout.splitlines() if done.returncode == 0 else ():
                task, took = line.split("\t")
                key = (name, task)
                best[key] = min(best.get(key, float("inf")), float(took))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtimes", default="lua5.1 lua5.4 luajit")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("folders", nargs="*")
    options = parser.parse_args()
    todo = list(workers(options.runtimes.split()))
    columns = ("text", "x valid", "table", "s:decode / decode", "api7 text", "api7 bound", "api7 table", "jsonschema-rs", "Ajv", "make",
               "jsonschema-rs make", "jsonschema-rs x parse", "Ajv x parse")
    print("| set | Lua | " + " | ".join(columns) + " |\n|---|---|" + "--:|" * len(columns))

    def row(name, runtime, cells):
        print("| %s | %s | %s |" % (name, runtime, " | ".join("–" if c != c else "%.2f" % c for c in cells)), flush=True)

    rows = {}
    for folder in options.folders or public_sets():
        best = measure(folder, todo, options)
        for runtime in options.runtimes.split():
            def time(task, name=runtime):
                return best.get((name, task), float("nan"))

            def by_parse(name):
                whole = time(name + " text", "")
                return whole / (whole - time(name + " value", ""))
            text, table = time("fleece text"), time("fleece table")
            cells = (text, text / time("valid text"), table, time("fleece decode") / time("decode"), time("api7 text") / text,
                     time("api7 text") / time("valid text"), time("api7 table") / table, time("jsonschema-rs text", "") / text, time("Ajv text", "") / text, time("fleece make"),
                     time("jsonschema-rs make", "") / time("fleece make"), by_parse("jsonschema-rs"), by_parse("Ajv"))
            row(os.path.basename(folder.rstrip("/")), runtime, cells)
            rows.setdefault(runtime, []).append(cells)
    for runtime, all_cells in rows.items():
        if len(all_cells) > 1:
            known = [[c for c in column if c == c] or [float("nan")] for column in zip(*all_cells)]
            row("worst", runtime, [(min if column.startswith(OTHERS) and "parse" not in column else max)(of) for column, of in zip(columns, known)])


main()
