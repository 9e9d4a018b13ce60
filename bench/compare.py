#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py -- compares the speed of the working tree with that of a commit: builds both objects, times them in turns.

  bench/compare.py [--base COMMIT] [--new COMMIT] [--runtime lua5.4] [--workloads "people small"]
                   [--operations "encode decode"] [--quick] [--seconds N] [--instructions] [--core N]
  make compare BASE=HEAD~1 RUNTIME=lua5.4 WORKLOADS="people small" CC=clang COMPARE_ARGS=--quick

By default the base is HEAD and the new object is the working tree. Objects are kept in build/compare/ by their
sources, compiler and flags (CC, CPPFLAGS, CFLAGS, LDFLAGS of the environment). If FLEECE_DATA is set, it names a
folder with json/*.json; each file is a workload too.

A row shows nanoseconds per call, medians of all samples; new/base below 1 means that the new object is faster. Each
process loads both objects and times them in turns; its ratio is the median of its pairs. The row shows the median of
the processes' ratios, and an interval that contains the true median with 99 % probability, for any distribution
(--quick, five processes: 93 %). A star marks an interval without 1.

Which difference is significant? The same code at another address runs up to 3 % faster or slower (single loops up to
8 %), and every edit moves code. So less than 3 % in one row is noise, with or without a star, unless --instructions
agrees. The geometric mean is accurate to 1 %. On a busy machine (see the load in the heading) intervals are wider and
the run takes longer.

--instructions counts instructions per call with valgrind's callgrind. It does not depend on the load of the machine:
ratios repeat to 0.2 %, those of `decode` and `unpack` in small documents to 2 %, because Lua uses a new seed for its
hashes. But callgrind supports neither caches nor AVX-512, and instructions are not time.
"""

import argparse
import glob
import hashlib
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "compare")
LUA = os.path.join(ROOT, "bench", "compare.lua")
WORKLOADS = ["small", "people", "tick", "words", "doubles", "twitter"]
QUICK = ["small", "tick", "doubles"]
OPERATIONS = ["encode", "json", "json_E4", "decode", "from_json", "to_json", "pack", "unpack"]
CONFIDENCE = 0.99


def give_up(message):
    sys.exit("compare.py: " + message)


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    if done.returncode:
        text = done.stderr.decode(errors="replace").strip() or done.stdout.decode(errors="replace").strip()
        give_up("%s failed:\n%s" % (" ".join(command), text[-2000:]))
    return done.stdout.decode(errors="replace").strip()


def where(what, runtime):
    done = subprocess.run([os.path.join(ROOT, "tools", "where.sh"), what, runtime], stdout=subprocess.PIPE)
    path = done.stdout.decode().strip()
    if done.returncode or not path:
        give_up("%s: no %s found" % (runtime, {"include": "headers", "lua": "interpreter"}[what]))
    return os.path.join(ROOT, path)


# ------------------------------------------------------------------------------------------- objects


class Object:
    """One side: a commit, or the working tree (commit None)."""

    def __init__(self, commit):
        if commit is None:
            self.folder = ROOT
            self.name = "the working tree"
        else:
            full = subprocess.run(["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", commit + "^{commit}"],
                                  stdout=subprocess.PIPE).stdout.decode().strip()
            if not full:
                give_up("no commit " + commit)
            self.name = run(["git", "-C", ROOT, "log", "-1", "--format=%h %s", full])[:70]
            self.folder = os.path.join(WORK, "sources", full)
            if not os.path.isdir(self.folder):
                self.export(full)
        self.path = None

    def export(self, full):
        new = "%s.%d" % (self.folder, os.getpid())
        os.makedirs(new)
        archive = subprocess.Popen(["git", "-C", ROOT, "archive", full, "src"], stdout=subprocess.PIPE)
        run(["tar", "-x", "-C", new], stdin=archive.stdout)
        archive.wait()
        os.rename(new, self.folder)

    def key(self, command):
        digest = hashlib.sha256("\0".join(command).encode())
        sources = os.path.join(self.folder, "src")
        for path in sorted(glob.glob(os.path.join(sources, "**", "*.[ch]"), recursive=True)):
            digest.update(os.path.relpath(path, sources).encode() + b"\0")
            with open(path, "rb") as f:
                digest.update(f.read() + b"\0")
        return digest.hexdigest()[:16]


def build(objects, runtime):
    """Compiles missing objects in parallel, with the flags of the Makefile."""
    words = {name: shlex.split(os.environ.get(name) or default) for name, default in (
        ("CC", "cc"), ("CPPFLAGS", ""), ("CFLAGS", "-O2 -Wall -Wextra"), ("LDFLAGS", ""))}
    shared = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    command = words["CC"] + ["-std=gnu99"] + words["CPPFLAGS"] + words["CFLAGS"] + [
        "-fPIC", "-Isrc", "-DNDEBUG", "-I" + where("include", runtime)] + shared + words["LDFLAGS"]
    if not shutil.which(command[0]):
        give_up(command[0] + " is not installed")
    version = run(words["CC"] + ["--version"]).splitlines()[0]
    jobs = {}
    for side in objects:
        path = os.path.join(WORK, "objects", side.key(command + [version, runtime]), "fleece.so")
        side.path = path
        if os.path.exists(path) or path in jobs:
            continue
        print("compiling %s for %s ..." % (side.name, runtime), file=sys.stderr)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        jobs[path] = side, subprocess.Popen(command + ["-o", path + ".new", "src/fleece.c"], cwd=side.folder,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for path, (side, job) in jobs.items():
        output = job.communicate()[0].decode(errors="replace")
        if job.returncode:
            give_up("%s does not compile:\n%s" % (side.name, output[-2000:]))
        os.rename(path + ".new", path)
    return "%s, %s" % (version, " ".join(words["CPPFLAGS"] + words["CFLAGS"]))


def sizes(path, copy):
    """Returns the bytes of code and constants, and those of the stripped file."""
    text = stripped = None
    try:
        text = int(run(["size", path]).splitlines()[1].split()[0])
        run(["strip", "-o", copy, path])
        stripped = os.path.getsize(copy)
    except (FileNotFoundError, IndexError, ValueError):
        pass
    return text, stripped


# ------------------------------------------------------------------------------------------- samples


def order_interval(values):
    """Returns the median, and the narrowest pair of order statistics that encloses it with CONFIDENCE."""
    values, n = sorted(values), len(values)
    low = 0
    # k: how many values are cut off at each end. P(median outside) = 2 P(Binomial(n, 1/2) <= k).
    for k in range(n // 2):
        if 1 - 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2 ** n >= CONFIDENCE:
            low = k
    return statistics.median(values), values[low], values[n - 1 - low]


class Row:
    """One workload and operation."""

    def __init__(self, workload, operation):
        self.workload, self.operation = workload, operation
        self.base, self.new, self.ratios = [], [], []  # seconds of all pairs; a ratio for each process
        self.note = ""

    def take(self, pairs):
        self.base += [b for b, _ in pairs]
        self.new += [n for _, n in pairs]
        self.ratios.append(statistics.median(n / b for b, n in pairs))


class Comparison:
    def __init__(self, options, objects):
        self.options = options
        self.lua = where("lua", options.runtime)
        # Two files, because the same path is not loaded twice.
        self.folder = os.path.join(WORK, "run-%d" % os.getpid())
        os.makedirs(self.folder)
        self.paths = []
        for side, name in zip(objects, ("base", "new")):
            self.paths.append(os.path.join(self.folder, name + ".so"))
            shutil.copyfile(side.path, self.paths[-1])
        self.data = os.environ.get("FLEECE_DATA")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("LUA_")}
        # Makes glibc keep freed memory: requesting pages from the system takes longer than the measured code.
        self.environment.update(MALLOC_TRIM_THRESHOLD_="4000000000", MALLOC_MMAP_THRESHOLD_="1000000000",
                                MALLOC_TOP_PAD_="67108864")
        self.rows, self.left_out, self.setup = {}, {}, {}

    def command(self, *words):
        return [self.lua, LUA] + [str(word) for word in words]

    def workloads(self):
        known = run(self.command("--list", *[self.data] if self.data else [])).split()
        wanted = self.options.workloads
        for key in wanted or ():
            if key not in known:
                give_up("no workload %s; there are: %s" % (key, " ".join(known)))
        return wanted or [key for key in (QUICK if self.options.quick else WORKLOADS) if key in known]

    def texts(self, key):
        path = os.path.join(self.folder, key + ".texts")
        if not os.path.exists(path):
            run(self.command("--prepare", key, path, self.paths[0], *[self.data] if self.data else []),
                env=self.environment)
        return path

    def row(self, key, operation):
        return self.rows.setdefault((key, operation), Row(key, operation))

    def lines(self, key, command):
        """Yields the lines of a run of compare.lua, except its notes."""
        for line in run(command, env=self.environment).splitlines():
            word, name, rest = (line.split(None, 2) + [""])[:3]
            if word == "left_out":
                self.left_out[key, name] = rest
            elif word == "differs":
                self.row(key, name).note = "results differ"
            else:
                yield word, name, rest

    def measure(self, key, seconds, process):
        """Runs one process. Returns the seconds of its setup."""
        pairs, setup = {}, 0
        for word, name, rest in self.lines(key, self.command(
                "--measure", self.texts(key), *self.paths, ",".join(self.options.operations), seconds, process)):
            if word == "setup":
                setup = float(name)
            else:
                pairs.setdefault(name, []).append(tuple(map(float, rest.split())))
        for name, list_ in pairs.items():
            self.row(key, name).take(list_)
        return setup

    def time(self, keys):
        for key in keys:
            self.texts(key)
        end, processes = time.time() + self.options.seconds, self.options.processes
        left = processes * len(keys)
        for process in range(processes):
            for key in keys:
                share = (end - time.time()) / left
                began = time.time()
                setup = self.measure(key, max(0.4, share - self.setup.get(key, 0.1)), process)
                self.setup[key] = max(setup, 0.02)
                left -= 1
                show_progress("%d of %d processes, %s: %.1f s" % (
                    processes * len(keys) - left, processes * len(keys), key, time.time() - began))
        show_progress("")

    def count(self, keys):
        """Counts instructions per call. callgrind writes a file at each call of clock: see compare.lua."""
        for key in keys:
            show_progress("counting " + key)
            out = os.path.join(self.folder, key + ".callgrind")
            texts = self.texts(key)
            command = ["valgrind", "-q", "--tool=callgrind", "--dump-before=clock", "--callgrind-out-file=" + out]
            counted = [(name, *rest.split()) for word, name, rest in self.lines(key, command + self.command(
                "--count", texts, *self.paths, ",".join(self.options.operations))) if word == "counted"]
            for i, (name, who, calls) in enumerate(counted):
                # The first call of clock is the one that sets `started` in compare.lua.
                with open("%s.%d" % (out, 2 * i + 3), encoding="utf-8", errors="replace") as f:
                    total = next(int(line.split()[1]) for line in f if line.startswith("totals:"))
                getattr(self.row(key, name), who).append(total / int(calls))
        show_progress("")
        for row in self.rows.values():
            row.base, row.new = [min(row.base)], [min(row.new)]  # the other run grew a table of Lua
            row.ratios = [row.new[0] / row.base[0]]


def show_progress(text):
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" + text)
        sys.stderr.flush()


# ------------------------------------------------------------------------------------------- the report


def report(comparison, options):
    rows, counting = list(comparison.rows.values()), options.instructions
    unit, scale = ("instructions", 1) if counting else ("ns", 1e9)
    print("%-14s %-10s %14s %14s  %8s%s" % (
        "workload", "operation", "base " + unit, "new " + unit, "new/base", "" if counting else "  interval"))
    for row in rows:
        median, low, high = order_interval(row.ratios)
        print("%-14s %-10s %14.0f %14.0f  %8.3f%s%s" % (
            row.workload, row.operation, statistics.median(row.base) * scale, statistics.median(row.new) * scale,
            median, "" if counting else "  %.3f .. %.3f%s" % (low, high, "" if low <= 1 <= high else "  *"),
            "  " + row.note if row.note else ""))
    if rows:
        # One mean for each process, so that the interval shows the spread between processes.
        means = [math.exp(statistics.fmean(math.log(r) for r in ratios)) for ratios in zip(*(r.ratios for r in rows))]
        median, low, high = order_interval(means)
        print("%-14s %-10s %14s %14s  %8.3f%s" % (
            "geometric mean", "%d rows" % len(rows), "", "", median,
            "" if counting else "  %.3f .. %.3f%s" % (low, high, "" if low <= 1 <= high else "  *")))
    for (key, name), why in comparison.left_out.items():
        print("%-14s %-10s left out: %s" % (key, name, why))


def report_sizes(comparison):
    both = [sizes(path, path + ".stripped") for path in comparison.paths]
    for i, what in enumerate(("code and constants", "stripped object")):
        base, new = both[0][i], both[1][i]
        if base and new:
            print("%-25s %14d %14d  %8.3f  bytes" % (what, base, new, new / base))
        else:
            print("%-25s unknown: `size` or `strip` is not installed" % what)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS, add_help=True)
    words = str.split
    parser.add_argument("--base", default="HEAD", metavar="COMMIT")
    parser.add_argument("--new", default=None, metavar="COMMIT", help="instead of the working tree")
    parser.add_argument("--runtime", default="lua5.4", help="lua5.1 .. lua5.5, luajit")
    parser.add_argument("--workloads", type=words, help="of: lua bench/compare.lua --list $FLEECE_DATA")
    parser.add_argument("--operations", type=words, default=OPERATIONS, help=" ".join(OPERATIONS))
    parser.add_argument("--quick", action="store_true", help="15 seconds instead of 60, fewer workloads")
    parser.add_argument("--seconds", type=float, help="how long to measure")
    parser.add_argument("--processes", type=int, help="for each workload (9, quick: 5)")
    parser.add_argument("--instructions", action="store_true", help="count with callgrind instead of timing")
    parser.add_argument("--core", type=int, help="the core to run on (the last one)")
    given = parser.parse_args()
    given.seconds = given.seconds or (15 if given.quick else 60)
    given.processes = max(5, given.processes or (5 if given.quick else 9))
    for name in given.operations:
        if name not in OPERATIONS:
            give_up("no operation %s; there are: %s" % (name, " ".join(OPERATIONS)))
    if given.instructions and not shutil.which("valgrind"):
        give_up("--instructions needs valgrind, which is not installed (tools/install.sh valgrind)")
    return given


def main():
    given = options()
    objects = [Object(given.base), Object(given.new)]
    compiler = build(objects, given.runtime)
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {given.core if given.core is not None else allowed[-1]})
    comparison = Comparison(given, objects)
    try:
        keys = comparison.workloads()
        print("base: %s\nnew:  %s" % (objects[0].name, objects[1].name))
        print("%s; %s; load %.1f" % (given.runtime, compiler, os.getloadavg()[0]))
        (comparison.count if given.instructions else comparison.time)(keys)
        report(comparison, given)
        report_sizes(comparison)
    finally:
        shutil.rmtree(comparison.folder, ignore_errors=True)


if __name__ == "__main__":
    main()
