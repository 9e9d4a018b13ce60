#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutate.py -- does a test notice a small change of the code? `make mutate FILES="src/json/edit src/number/parse.[ch]"`

Each word of FILES is a subject: a file, a folder, a pattern, or several with a + between them. MUTANTS changes of each are
drawn (SEED=n for another draw). A changed file is compiled as `make dev` does, in a copy of src/. Then its tests run
(tests.txt), first those that have found most in the least time, until one fails; one that takes four times its time has
failed too. A change that no test notices is printed, as a block for equivalent.txt.

build/mutate/verdicts.json keeps what was found: a change is tried again only if its file was edited or, if no test noticed
it, with the tests that were edited. Changes after which the compiler makes the same code are not counted.
Also read: SAVE=1, writes the table in docs/about/tests.md; JOBS=n; RUNTIME=lua5.4; TEST_SECONDS=8, leaves out slower tests in Lua.
"""
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

import tree_sitter
import tree_sitter_c

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE, PAGE, BUILD = "tests/mutate/", "docs/about/tests.md", ROOT + "/build/mutate/"
PLAIN = BUILD + "plain"  # the tree without a change
STATE, COUNTED = BUILD + "verdicts.json", ("killed", "survived", "equivalent")
RUNTIME = os.environ.get("RUNTIME") or "lua5.4"
SECONDS = float(os.environ.get("TEST_SECONDS") or 8)
CC = os.environ.get("MUTATE_CC") or shutil.which("clang") or "cc"  # clang compiles in 60 % of the time
APART = "build/dev/%s/apart/" % RUNTIME
SWAP = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
        "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "+=": "-=", "-=": "+=",
        "|=": "=", "&=": "=", "^=": "=", "<<=": ">>=", ">>=": "<<=", "*=": "=", "++": "--", "--": "++"}

ASIDE = re.compile(rb'^#include [^\n]*|/\*.*?\*/|\s+', re.M | re.S)  # an edit of these does not change the code


def words(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def shell(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


# ---- the changes ------------------------------------------------------------------------------------------------

class Mutant:
    """A change: `text` in place of a node of the syntax tree."""

    def __init__(self, path, source, node, text):
        self.path, self.start, self.end, self.line = path, node.start_byte, node.end_byte, node.start_point[0] + 1
        self.words = source[source.rfind(b"\n", 0, self.start) + 1:].split(b"\n", 1)[0].decode().strip()
        shown = node  # with what is around it in its line, if it is short
        while shown.end_byte - shown.start_byte < 12 and shown.parent and shown.parent.start_point[0] == shown.parent.end_point[0]:
            shown = shown.parent
        before, after = (re.sub(rb"\s+", b" ", source[shown.start_byte:self.start] + t + source[self.end:shown.end_byte]).decode()
                         for t in (source[self.start:self.end], text))
        same = os.path.commonprefix([before, after])
        start = max(0, len(same) - 30)
        self.change = ("%s -> %s" % (before[start:start + 60], after[start:start + 60])).strip()
        # in parentheses, so that the tree stays as it was
        self.text = b"(" + text + b")" if node.type == "binary_expression" and not text.startswith(b"!(") else text
        before, code = (ASIDE.sub(b"", s) for s in (source[:self.start], source))
        self.key = hashlib.sha1(code + b"%d %d " % (len(before), self.end - self.start) + self.text).hexdigest()[:16]

    def __str__(self):
        return "%s:%d: %s" % (self.path, self.line, self.change)


def changes_of(node, source):
    """The texts that may stand in place of a node of the syntax tree."""
    text, kind, parent = source[node.start_byte:node.end_byte], node.type, node.parent
    operator = node.child_by_field_name("operator")
    if kind in ("binary_expression", "assignment_expression", "update_expression") and operator.type in SWAP:
        yield source[node.start_byte:operator.start_byte] + SWAP[operator.type].encode() + source[operator.end_byte:node.end_byte]
    elif kind == "unary_expression":
        yield text[1:]
    elif kind == "number_literal" and re.fullmatch(rb"(0x[0-9a-fA-F]+|[0-9]+)[uUlL]*", text):
        if text != b"1" or parent.type != "return_statement":  # any number but 0 is true
            yield b"(" + text + b" + 1)"
        if text != b"0":
            yield b"(" + text + b" - 1)"
    elif kind == "char_literal":
        yield b"(" + text + b" + 1)"
    elif kind == "comma_expression":
        yield b"((void)0, " + source[node.child_by_field_name("right").start_byte:node.end_byte] + b")"
    elif kind in ("expression_statement", "break_statement", "continue_statement", "goto_statement") and text != b";":
        yield b";"
    if parent is not None and parent.child_by_field_name("condition") == node and not text.strip(b"( ").startswith(b"!"):
        yield b"(!" + text + b")" if kind == "parenthesized_expression" else b"!(" + text + b")"


def mutants_of(path, parser):
    source = words(path).encode()
    found, todo = [], [parser.parse(source).root_node]
    while todo:
        node = todo.pop()
        if re.match(rb"FL_\w*ASSERT\(|FL_PREFETCH\(|\(void\)\w+[;,]", source[node.start_byte:node.end_byte]):
            continue  # an assertion only says what holds
        if node.type not in ("preproc_def", "preproc_function_def", "array_declarator", "bitfield_clause", "comment"):
            todo.extend(c for c in node.children if node.type not in ("preproc_if", "preproc_elif") or
                        c != node.child_by_field_name("condition"))
        if not node.has_error:
            found.extend(Mutant(path, source, node, text) for text in changes_of(node, source))
    return found


# ---- compiling --------------------------------------------------------------------------------------------------

FLAGS = ["-std=gnu99", "-w", "-fPIC", "-DFLEECE_APART", "-DFLEECE_LUA_VERSION=" + RUNTIME.replace("luajit", "lua5.1")[3:]
         .replace(".", "0"), "-Isrc", "-I" + shell(ROOT + "/tools/where.sh", "include", RUNTIME)]
# What is beyond the end of an array is mostly as good as what is in it; `make asan` would notice.
BOUNDS = ["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]
DEBUG, OPTIMIZED = ["-O0", "-DFLEECE_ASSERT", "-DFLEECE_TEST_SPARSE"] + BOUNDS, ["-O1", "-DNDEBUG"]


def precompile():
    """Clang needs most of its time for the headers of the system."""
    write(BUILD + "system.h", "#include <immintrin.h>\n#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n")
    for flags in (DEBUG, OPTIMIZED) if "clang" in CC else ():
        flags.append("-D_GNU_SOURCE=1")
        out = BUILD + "system%s.pch" % flags[0]
        if not subprocess.run([CC] + FLAGS + flags + ["-x", "c-header", "-o", out, BUILD + "system.h"], check=False).returncode:
            flags += ["-include-pch", out]


def compiled(tree, source, out, flags):
    """Compiles `source` in a copy of the sources; returns a hash of the object, None for an error."""
    if subprocess.run([CC] + FLAGS + flags + ["-c", "-o", out, source], cwd=tree, capture_output=True, check=False).returncode:
        return None
    with open(out, "rb") as f:
        return hashlib.sha1(f.read()).hexdigest()


def link(out, objects, *libraries):
    r = subprocess.run([CC, "-Wl,-S", "-o", out] + objects + list(libraries), capture_output=True, text=True, check=False)
    if r.returncode:
        sys.exit("%s: %s" % (out, r.stderr[-2000:]))


def developed(unit):
    """The development object of a .c file."""
    return APART + unit[4:-2] + ".o"


def all_developed(suffix):
    """The development objects, or other files about them, of the .c files that there are."""
    return sorted(f for f in glob.glob(APART + "**/*" + suffix, recursive=True)
                  if os.path.exists("src/%s.c" % f[len(APART):-len(suffix)]))


def needs(file):
    """What a .c file includes, as the compiler has written it."""
    return {os.path.normpath(w) for w in words(file).split()}


def make_tree(name):
    """A copy of the sources for one worker, and links to all other folders."""
    tree = BUILD + name
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree("src", tree + "/src")
    os.makedirs(tree + "/tmp")
    for other in ("tests", "tools", "fuzz", "lua", "compat", "build", "docs", "bin", "examples", "include"):
        os.symlink(os.path.abspath(other), tree + "/" + other)
    return tree


# ---- running ----------------------------------------------------------------------------------------------------

class Test:
    """A file of tests/lua, a program of tests/c, a fuzz target with its corpus, or a script that prints TAP."""

    def __init__(self, name):
        self.name, self.cpu, self.kills = name, None, 0.0  # its seconds of CPU, if they are known
        self.kind = {"lua": "lua", "sh": "script"}.get(name.rsplit(".", 1)[-1], "c")
        self.source = name if self.kind == "script" else (
            glob.glob("tests/lua/" + name) + glob.glob("tests/c/*/%s.c" % name) + glob.glob(name + ".c"))[0]
        self.stamp = "%s@%d" % (name, os.path.getmtime(self.source))
        self.program = name.replace("/", "_")
        self.command = {"lua": [LUA, "tests/lua/run.lua", self.source, "-f", "-o", "nil"], "script": ["bash", self.source],
                        "c": ["./" + self.program] + ["fuzz/corpus/" + name[5:]] * ("/" in name)}[self.kind]

    def turn(self):
        """Programs that take long, such as one for which each allocation fails, run after the tests in Lua; scripts last."""
        return {"lua": 1, "script": 3}.get(self.kind, 2 if self.cpu and self.cpu > SECONDS else 0)

    def is_left_out(self):
        return self.cpu is not None and (self.cpu < 0 or self.cpu > SECONDS and self.kind == "lua")

    def price(self):
        return (1 if self.cpu is None else self.cpu) / (0.1 + self.kills)

    def compile(self, tree):
        """Compiles a program as it is."""
        self.object = BUILD + self.program + ".o"
        self.hash = compiled(tree, self.source, self.object, DEBUG + ["-MMD", "-MF", self.object + ".d"])
        if not self.hash:
            sys.exit("%s does not compile" % self.source)
        self.needs = needs(self.object + ".d")

    def run(self, tree, limit):
        """Returns whether it has passed, and its seconds of CPU. `limit` is in seconds of CPU, too."""
        env = dict(os.environ, LC_ALL="C", FLEECE_TEST_SEED="1", FLEECE_TEST_ROUNDS="0.3", FLEECE_TEST_COUNT="5000",
                   FLEECE_RUNTIME=RUNTIME, FLEECE_TEST_BUILD="dev", CC=CC, MUTANTS_RUNTIME=RUNTIME, TMPDIR=tree + "/tmp",
                   CMOCKA_TEST_ABORT="1",
                   LUA_CPATH=tree + "/?.so;;", LUA_PATH="tests/lua/support/?.lua;lua/?.lua;lua/?/init.lua;%s;;" % LUA_UNIT)

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with subprocess.Popen(self.command, cwd=tree, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, preexec_fn=limits, start_new_session=True) as p:
            stop = threading.Timer(900 + 200 * limit, os.killpg, (p.pid, 9))  # it waits for something; or the machine is busy
            stop.start()
            said = p.stdout.read()
            _, status, usage = os.wait4(p.pid, 0)
            stop.cancel()
            p.returncode = os.waitstatus_to_exitcode(status)
        self.said = said.decode(errors="replace")[-2000:]
        seconds = usage.ru_utime + usage.ru_stime
        self.is_late = seconds > int(limit) + 1
        return p.returncode == 0 and not re.search(rb"^not ok", said, re.M), seconds


LUA = shell(ROOT + "/tools/where.sh", "lua", RUNTIME)
LUA_UNIT = next((f[:-11] + "?.lua" for root in ("/usr/share", "/usr/local/share", "/opt/homebrew/share")
                 for f in sorted(glob.glob(root + "/lua/5.*/luaunit.lua"))), "")


class Subject:
    """The files of one word of FILES, their tests, and what is compiled and linked for them."""

    def __init__(self, word, state, seed, parser):
        self.word, self.state, self.lock, self.counts, self.left, self.busy = word, state, threading.Lock(), {}, [], 0
        found = [f for w in word.split("+") for f in glob.glob(w + "/**/*.[ch]" if os.path.isdir(w) else w, recursive=True)]
        self.files = sorted(f for f in found if f.endswith((".c", ".h")))
        known = [line.split(":") for line in words(HERE + "tests.txt").splitlines() if line.startswith("src/")]
        row = max((r for r in known if word.startswith(r[0])), key=lambda r: len(r[0]), default=None)
        if not self.files or not row:
            sys.exit("%s: %s" % (word, "tests.txt names no tests for it" if self.files else "no such file"))
        row = row[1].split()
        lua = [f[10:] for n in row if n.endswith(".lua") for f in sorted(glob.glob("tests/lua/" + n, recursive=True))]
        self.tests = [Test(n) for n in row if not n.endswith(".lua") and not n.startswith("src/")] + [Test(n) for n in lua]
        for test in self.tests:
            test.cpu, test.kills = state["tests"].get(test.stamp, (None, 0.0))
        self.mutants = sorted((m for f in self.files for m in mutants_of(f, parser)), key=lambda m: m.key)
        random.Random(seed).shuffle(self.mutants)
        blocks = re.sub("^#.*\n", "", words(HERE + "equivalent.txt"), flags=re.M).split("\n\n")
        self.equivalent = {}
        for path, line, change in ([w.strip() for w in block.strip().splitlines()[:3]] for block in blocks):
            self.equivalent.setdefault((path, line), []).append(".*".join(map(re.escape, change.split("..."))))
        # The .c files to compile again if a file changes: those for the programs, and those that only Lua files test.
        self.near, self.far = {}, {}
        includes = {"src/%s.c" % d[len(APART):-4]: needs(d) for d in all_developed(".o.d")}
        for file in self.files:
            room = "/".join(file.split("/")[:2]) + "/"
            units = [file] if file.endswith(".c") else sorted(u for u in includes if file in includes[u])
            self.near[file] = [u for u in units if u.startswith(room)]
            self.far[file] = [u for u in units if u not in self.near[file] and u.startswith(tuple(n for n in row if n[:4] == "src/"))]

    def prepare(self, tree):
        """Builds what is linked with the changed files, and measures the programs with the code as it is."""
        self.units = {u for f in self.files for u in self.near[f] + self.far[f]}
        self.hashes, self.optimized, self.knows_lua = {}, {}, False
        objects = all_developed(".o")
        if os.path.exists(BUILD + "code.a"):
            os.remove(BUILD + "code.a")
        subprocess.run(["ar", "rcsDP", BUILD + "code.a"] + objects, check=True)
        compiled(tree, "fuzz/drive.c", BUILD + "drive.o", DEBUG)
        for test in self.tests:
            if test.kind == "c":
                test.compile(tree)
                self.link_program(tree, test, test.object, {})
        self.tests = [t for t in self.tests if t.kind == "lua" or self.is_used(t, tree)]

    def prepare_lua(self):
        """The same for tests in Lua, before the first change that no program has noticed."""
        with self.lock:
            if not self.knows_lua:
                self.knows_lua = True
                others = [o for o in all_developed(".o") if o not in map(developed, self.units)]
                subprocess.run(["ld", "-r", "-S", "-o", BUILD + "rest.o"] + others, check=True)
                self.link_module(PLAIN, {})

    def is_used(self, test, tree):
        """Does a test pass, in bearable time, with the code as it is? Found out before its first use."""
        if test.cpu is None:
            passed, seconds = test.run(tree, 60)
            test.cpu = seconds if passed else -1
            self.state["tests"][test.stamp] = [test.cpu, 0]
            if test.is_left_out():
                print("%s is left out: %s" % (test.name, "it fails" if test.cpu < 0 else "%.0f s" % test.cpu), flush=True)
        return not test.is_left_out()

    def link_program(self, tree, test, own, objects):
        """The linker takes what else a program needs from the library of all code."""
        link("%s/%s" % (tree, test.program), [own] + [BUILD + "drive.o"] * ("/" in test.name) + list(objects.values()),
             BUILD + "code.a", "-lcmocka", shell("tools/where.sh", "lib", RUNTIME), "-lm", "-ldl", "-lpthread")

    def link_module(self, tree, objects):
        """The changed objects come first: of a function that several objects have (FL_SHARED) the linker takes the first."""
        same = [developed(u) for u in self.units if u not in objects]
        link(tree + "/fleece.so", list(objects.values()) + same + [BUILD + "rest.o"], "-shared")

    def build(self, tree, units, objects):
        """Compiles units with a change, and adds those to `objects` whose code is another. False: one does not compile."""
        for unit in units:
            out = "%s/tmp/%s.o" % (tree, unit[4:-2].replace("/", "."))
            if unit not in self.hashes:
                self.hashes[unit] = compiled(PLAIN, unit, out, DEBUG)
            got = compiled(tree, unit, out, DEBUG)
            if got != self.hashes[unit]:
                objects[unit] = out
            if not got:
                return False
        return True

    def attempt(self, mutant, tree):
        """The verdict on a change: killed, survived, none (the code is the same), or bad (it does not compile)."""
        verdict = self.state["verdicts"].get(mutant.key, ("", ""))
        passed = set(verdict[1]) if verdict[0] == "survived" else set()
        if verdict[0] and (verdict[0] != "survived" or all(t.stamp in passed or t.is_left_out() for t in self.tests)):
            return verdict
        source = words(tree + "/" + mutant.path)
        write(tree + "/" + mutant.path, (source.encode()[:mutant.start] + mutant.text + source.encode()[mutant.end:]).decode())
        try:
            return self.try_tests(mutant, tree, passed)
        finally:
            write(tree + "/" + mutant.path, source)

    def is_same(self, tree, objects):
        """Whether the compiler makes the same code of all changed files. Asked last, and before scripts, which take long."""
        for unit in objects:
            if unit not in self.optimized:
                self.optimized[unit] = compiled(PLAIN, unit, tree + "/tmp/x.o", OPTIMIZED)
            if compiled(tree, unit, tree + "/tmp/x.o", OPTIMIZED) != self.optimized[unit]:
                return False
        return bool(objects)

    def try_tests(self, mutant, tree, passed):
        objects, linked, asked = {}, False, False
        if not self.build(tree, self.near[mutant.path], objects):
            return "bad", ""
        ran = bool(passed)
        for turn in range(4):
            tests = sorted((t for t in self.tests if t.turn() == turn), key=Test.price)
            if turn == 1 and tests:
                self.prepare_lua()
            for test in tests:
                if test.stamp in passed:
                    continue
                with self.lock:
                    if not self.is_used(test, PLAIN):
                        continue
                same = not objects
                if test.kind == "c":
                    own = test.object
                    if mutant.path in test.needs:
                        own = tree + "/tmp/test.o"
                        same = compiled(tree, test.source, own, DEBUG) == test.hash and same
                    if not same:
                        self.link_program(tree, test, own, objects)
                elif test.kind == "lua" and not linked:
                    linked = self.build(tree, self.far[mutant.path], objects)
                    if not linked:
                        return "bad", ""
                    same = not objects
                    self.link_module(tree, objects)
                if test.kind == "script" and not asked:
                    asked = True
                    if self.is_same(tree, objects):
                        return "none", ""
                fine, ran = same or test.run(tree, 1 + 3 * test.cpu)[0], ran or not same
                with self.lock:
                    test.kills = 0.8 * test.kills + (0 if fine else 1)
                if not fine:
                    if test.is_late:
                        print("%s does not end after %s" % (test.name, mutant), flush=True)
                    return "killed", test.name
                passed.add(test.stamp)
        return ("survived", sorted(passed)) if ran and not self.is_same(tree, objects) else ("none", "")

    def work(self, tree, wanted):
        """One worker: takes changes until enough have been tried."""
        while True:
            with self.lock:
                if not self.mutants or sum(self.counts.get(k, 0) for k in COUNTED) + self.busy >= wanted:
                    return
                mutant, self.busy = self.mutants.pop(), self.busy + 1
            known = self.equivalent.get((mutant.path, mutant.words), ())
            equivalent = any(re.fullmatch(change, mutant.change) for change in known)
            verdict = ("equivalent", "") if equivalent else self.attempt(mutant, tree)
            with self.lock:
                self.busy -= 1
                self.counts[verdict[0]] = self.counts.get(verdict[0], 0) + 1
                if verdict[0] == "survived":
                    self.left.append(mutant)
                    print("no test notices %s" % mutant, flush=True)
                if not equivalent:
                    self.state["verdicts"][mutant.key] = verdict
                    self.state["tests"].update((t.stamp, (t.cpu, t.kills)) for t in self.tests if t.cpu is not None)
                    write(STATE + ".new", json.dumps(self.state))
                    os.replace(STATE + ".new", STATE)

    def run(self, trees, wanted):
        self.prepare(trees[0])
        with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
            for done in [pool.submit(self.work, tree, wanted) for tree in trees]:
                done.result()
        killed, left, equivalent = (self.counts.get(k, 0) for k in COUNTED)
        row = self.word, killed + left + equivalent, killed, equivalent, "%.0f %%" % (100.0 * killed / max(1, killed + left))
        print("%s: %d changes, %d noticed, %d equivalent: %s" % row, flush=True)
        return row


def save_table(table, subjects, seed):
    """Replaces the rows of these subjects in the page. The commit of a row is the last one that changed its files."""
    before, old, after = re.fullmatch(r"(.*\|---.*?\n)((?:\|.*\n)*)(.*)", words(PAGE), re.S).groups()
    lines = {line.split("`")[1]: line for line in old.splitlines()}
    for row, subject in zip(table, subjects):
        lines[row[0]] = "| `%s` | %d | %d | %d | %s | %s | %s | %d |" % (
            *row, time.strftime("%Y-%m-%d"), shell("git", "log", "-1", "--format=%h", "--", *subject.files), seed)
    write(PAGE, before + "".join(lines[k] + "\n" for k in sorted(lines)) + after)


def main():
    os.chdir(ROOT)
    os.makedirs(BUILD, exist_ok=True)
    subjects, wanted = os.environ.get("FILES", "").split() or sys.exit(__doc__), int(os.environ.get("MUTANTS") or 200)
    seed, jobs = int(os.environ.get("SEED") or 1), int(os.environ.get("JOBS") or os.cpu_count() or 2)
    state = json.loads(words(STATE)) if os.path.exists(STATE) else {"verdicts": {}, "tests": {}}
    print("%d changes of each, SEED=%d; %s, compiled by %s" % (wanted, seed, RUNTIME, CC), flush=True)
    precompile()
    make_tree("plain")
    trees = [make_tree("worker%d" % i) for i in range(jobs)]
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
    subjects = [Subject(word, state, seed, parser) for word in subjects]
    table = [subject.run(trees, wanted) for subject in subjects]
    left = [m for s in subjects for m in s.left]
    print("".join("\nline %d\n%s\n  %s\n  %s\n" % (m.line, m.path, m.words, m.change) for m in left))
    for row in (("", "changes", "noticed", "equivalent", ""),) + tuple(table):
        print("%-40s %8s %8s %11s   %s" % row)
    if os.environ.get("SAVE"):
        save_table(table, subjects, seed)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
