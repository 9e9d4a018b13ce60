#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schemas.py -- compares verdicts of fleece.schema with those of python-jsonschema, jsonschema-rs and Ajv.

    tests/peers/schemas.py [--pairs 4000] [--seed N]

Half of the pairs of a schema and a value are of draft 2020-12, half of draft 7 (support/generator.py). Fleece's own forms of a
value must agree, too. Where another one disagrees, the schema and the value are cut down as long as it does. That counts as
known if support/known.jsonl has a row for it: of the same validator and draft, whose keywords are all in this schema. A row has
the clause that decides in favour of Fleece, and an example, which is checked first. A fault of Fleece would have to look like
rows of all the others to be taken for known. Errors that another one raises are only counted.
`tools/install.sh peers` installs the validators into build/peers; without them it is skipped."""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__)) + "/support"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, HERE)
from generator import Generator  # pylint: disable=wrong-import-position

KNOWN, PEERS = HERE + "/known.jsonl", ROOT + "/build/peers"
DRAFTS, VALUES, AT_ONCE, MOST_REPORTED = ("2020-12", "7"), 8, 50, 40
BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
IGNORED = ("$schema", "$defs", "definitions", "$anchor")


def text_of(value):
    return json.dumps(value, ensure_ascii=False)


class Validator:
    """A process that answers lines of a draft, a schema and values."""

    def __init__(self, name, command, **env):
        self.name, self.seen = name, collections.Counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                                        env=dict(os.environ, **env), cwd=ROOT)

    def ask(self, questions):
        """The answers: for each question its letters, or the reason why there is no such schema."""
        for draft, schema, values in questions:
            self.process.stdin.write("\t".join([draft, text_of(schema)] + [text_of(v) for v in values]) + "\n")
        self.process.stdin.flush()
        return [self.process.stdout.readline().rstrip("\n") for _ in questions]

    def verdict(self, draft, schema, value):
        """The letter, or the begin of the reason."""
        return self.ask([(draft, schema, [value])])[0][:30]


def find_lua():
    """A Lua and the folder of its object."""
    for folder in ("build", "build/dev"):
        if os.path.exists("%s/%s/lua5.4/fleece.so" % (ROOT, folder)):
            return subprocess.run([ROOT + "/tools/where.sh", "lua", "lua5.4"], capture_output=True, text=True, check=True).stdout.strip(), folder
    sys.exit("schemas.py: build/lua5.4/fleece.so was not built")


def find_validators():
    """Fleece, and the others that are installed."""
    lua, folder = find_lua()
    fleece = Validator("Fleece", [lua, HERE + "/worker.lua"], LUA_CPATH="%s/%s/lua5.4/?.so" % (ROOT, folder), LUA_PATH=ROOT + "/lua/?.lua")
    others, python = [], PEERS + "/bin/python"
    for name, module in (("python-jsonschema", "jsonschema"), ("jsonschema-rs", "jsonschema_rs")):
        if os.path.exists(python) and subprocess.run([python, "-c", "import " + module], capture_output=True, check=False).returncode == 0:
            others.append(Validator(name, [python, HERE + "/worker.py", name]))
    if os.path.isdir(PEERS + "/node_modules/ajv"):
        node = PEERS + "/bin/node"
        others.append(Validator("Ajv", [node if os.path.exists(node) else "node", HERE + "/worker.js"], NODE_PATH=PEERS + "/node_modules"))
    return fleece, others


# ---- what a disagreement is about

def keywords_of(schema, found=None):
    """The keywords in a schema and its sub-schemas, but those that only name schemas."""
    found = set() if found is None else found
    if isinstance(schema, list):
        for one in schema:
            keywords_of(one, found)
    if not isinstance(schema, dict):
        return found
    for name, value in schema.items():
        if name not in IGNORED:
            found.add(name)
        if name in BY_NAME and isinstance(value, dict):
            for one in value.values():
                keywords_of(one, found)
        elif name not in ("const", "enum", "required", "default"):
            keywords_of(value, found)
    return found


# ---- shorter ones

def shorter(x, is_schema):
    """Versions of a value, or of a schema, that lack something."""
    if isinstance(x, dict):
        for name in x:
            if name == "$schema":
                continue
            yield {n: v for n, v in x.items() if n != name}
            if is_schema and isinstance(x[name], dict) and name not in BY_NAME:
                yield {n: True if n == name else v for n, v in x.items()}
            for less in shorter(x[name], is_schema):
                yield {n: less if n == name else v for n, v in x.items()}
    elif isinstance(x, list):
        for i, item in enumerate(x):
            yield x[:i] + x[i + 1:]
            for less in shorter(item, is_schema):
                yield x[:i] + [less] + x[i + 1:]
    elif isinstance(x, str) and not is_schema:
        for i in range(len(x)):
            yield x[:i] + x[i + 1:]


def inner(schema, value):
    """Sub-schemas in place of the schema, for the value or a part of it."""
    kept = {n: schema[n] for n in ("$schema", "$defs", "definitions") if n in schema}
    parts = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    for name, x in schema.items():
        found = x if isinstance(x, list) else list(x.values()) if name in BY_NAME and isinstance(x, dict) else [x]
        for one in found:
            if isinstance(one, dict) and name not in kept and name not in ("const", "enum"):
                for part in [value] + parts:
                    yield dict(one, **kept), part


def candidates(schema, value):
    yield from inner(schema, value)
    for less in shorter(schema, True):
        yield less, value
    for less in shorter(value, False):
        yield schema, less


def cut_down(fleece, other, draft, schema, value):
    """The schema and the value, as short as they can be while the two validators disagree in the same way."""
    wanted = fleece.verdict(draft, schema, value), other.verdict(draft, schema, value)
    found = True
    while found:
        found = next((pair for pair in candidates(schema, value) if other.verdict(draft, *pair) == wanted[1]
                      and fleece.verdict(draft, *pair) == wanted[0]), None)
        schema, value = found or (schema, value)
    return schema, value


# ---- the comparison

class Comparison:
    def __init__(self, fleece, others):
        self.fleece, self.others, self.known, self.new = fleece, others, [], []
        self.failed, self.pairs, self.valid = [], 0, 0

    def read_known(self):
        """Fleece must give the verdicts that the clauses do. Returns the rows on whose examples the others agree."""
        outdated = []
        with open(KNOWN, encoding="utf-8") as f:
            self.known = [json.loads(line) for line in f]
        for row in self.known:
            ask, right = (row["draft"], row["schema"], row["value"]), "01"[row["valid"]]
            if self.fleece.verdict(*ask) != right:
                self.failed.append("the clause says otherwise: " + text_of(row))
            outdated += [row for other in self.others if other.name == row["peer"] and other.verdict(*ask) == right]
        return outdated

    def is_known(self, other, draft, schema):
        found = keywords_of(schema)
        return any(row["peer"] == other.name and row["draft"] == draft and found.issuperset(row["keywords"])
                   for row in self.known)

    def disagree(self, other, draft, schema, value):
        schema, value = cut_down(self.fleece, other, draft, schema, value)
        is_known = self.is_known(other, draft, schema)
        other.seen["known" if is_known else "new"] += 1
        if is_known:
            return
        said = [v.ask([(draft, schema, [value])])[0] for v in (self.fleece, other)]
        row = {"peer": other.name, "draft": draft, "keywords": sorted(keywords_of(schema)), "schema": schema, "value": value}
        self.new.append("%s, %s here: %s" % (said[1], said[0], text_of(row)))

    def compare(self, questions):
        """Asks all validators at the same time, and looks at what differs."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            ours, *theirs = pool.map(lambda v: v.ask(questions), [self.fleece] + self.others)
        for i, (draft, schema, values) in enumerate(questions):
            self.pairs += len(values)
            self.valid += ours[i].count("1")
            if ours[i].startswith("refused") or "x" in ours[i]:
                self.failed.append("Fleece, %s: %s %s" % (ours[i], text_of(schema), text_of(values)))
                continue
            for other, answers in zip(self.others, theirs):
                if answers[i].startswith("refused"):
                    self.disagree(other, draft, schema, values[0])
                    continue
                other.seen["errors"] += answers[i].count("e")
                wrong = [v for v, a, b in zip(values, ours[i], answers[i]) if a != b and b != "e"]
                if wrong:
                    self.disagree(other, draft, schema, wrong[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FLEECE_TEST_SEED") or 46))
    options = parser.parse_args()
    fleece, others = find_validators()
    if not others:
        print("SKIPPED: not packaged: no other validator in build/peers (tools/install.sh peers)")
        sys.exit(77)
    print("1..%d" % (len(others) + 1))
    print("# FLEECE_TEST_SEED=%d" % options.seed, flush=True)
    it, numbers = Comparison(fleece, others), random.Random(options.seed)
    for row in it.read_known():
        print("# agrees by now: " + text_of(row))
    while it.pairs < options.pairs:
        it.compare([(d,) + Generator(numbers, d).pair(VALUES) for d in DRAFTS for _ in range(AT_ONCE // 2)])
    for line in it.failed[:MOST_REPORTED]:
        print("# " + line)
    print("%sok - Fleece's forms of a value agree, on %d pairs, %d of them valid" % ("not " if it.failed else "", it.pairs, it.valid))
    for line in it.new[:MOST_REPORTED]:
        print("# not listed: " + line)
    for other in others:
        print("%sok - %s: of its disagreements %d are known, %d are not; %d errors" % (
            "not " if other.seen["new"] else "", other.name, other.seen["known"], other.seen["new"], other.seen["errors"]))
    sys.exit(1 if it.failed or it.new else 0)


main()
