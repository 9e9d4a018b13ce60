#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""build.py -- what a build costs: compiles the working tree and a commit, and prints seconds, memory and sizes.

  bench/build.py [--base COMMIT] [--runtime lua5.4]

The base is HEAD by default. For each unit: CPU seconds and the most memory of the compiler (CC, default cc; CFLAGS, default
-O2), one at a time. Then the seconds and CPU seconds of `make RUNTIME=...` with all cores, and the bytes of the stripped
object: with everything, and of the core alone, without drop-ins, where the tree has FLEECE_PARTS.
"""
import argparse
import glob
import os
import shutil
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CC = os.environ.get("CC", "cc")
CFLAGS = os.environ.get("CFLAGS", "-O2").split()
os.environ["CCACHE_DISABLE"] = "1"  # `cc` may be ccache


def run(command, folder):
    """Runs a command; its CPU seconds and its most memory in MB."""
    child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit("failed: " + " ".join(command))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def tree(commit, folder):
    """The sources of a commit, or of the working tree, in a folder of their own."""
    os.mkdir(folder)
    if commit:
        with subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE) as archive:
            subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
        if archive.returncode:
            raise SystemExit("there is no commit " + commit)
    else:
        for name in ("Makefile", "src", "tools", "lua", "tests", "include", "compat", "fuzz"):
            copy = shutil.copytree if os.path.isdir(os.path.join(ROOT, name)) else shutil.copy
            copy(os.path.join(ROOT, name), os.path.join(folder, name))
    return folder


def measure_unit(name, folder, unit, include):
    apart = ["-DFLEECE_APART", "-ffunction-sections", "-fdata-sections"] if "/" in unit else []
    seconds, memory = run([CC, "-std=gnu99", *CFLAGS, "-DNDEBUG", "-fPIC", "-Isrc", "-I" + include, *apart, "-c", "-o",
                           "/dev/null", "src/" + unit], folder)
    print("%-6s %-20s %8.1f %8.0f" % (name, unit, seconds, memory), flush=True)


def measure_make(name, folder, runtime, *choice):
    start = time.monotonic()
    seconds, _ = run(["make", "-s", "RUNTIME=" + runtime, *choice], folder)  # it takes all cores itself
    elapsed = time.monotonic() - start
    built = os.path.join(folder, "build", runtime, "fleece.so")
    subprocess.run(["strip", "-o", built + ".stripped", built], check=True)
    print("%-6s make %s: %.1f s, %.1f CPU s; stripped: %d bytes" % (
        name, " ".join(["RUNTIME=" + runtime, *choice]), elapsed, seconds, os.path.getsize(built + ".stripped")), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="HEAD")
    parser.add_argument("--runtime", default="lua5.4")
    options = parser.parse_args()
    said = subprocess.run(["tools/where.sh", "include", options.runtime], stdout=subprocess.PIPE, cwd=ROOT, text=True,
                          check=True)
    include = os.path.join(ROOT, said.stdout.strip())
    with tempfile.TemporaryDirectory() as scratch:
        sides = [(name, tree(commit, os.path.join(scratch, name)))
                 for name, commit in (("base", options.base), ("new", None))]
        print("%-6s %-20s %8s %8s" % ("tree", "unit", "CPU s", "MB"))
        units = {(os.path.relpath(f, folder + "/src"), name, folder) for name, folder in sides
                 for f in [folder + "/src/fleece.c"] + glob.glob(folder + "/src/parts/*.c")}
        for unit, name, folder in sorted(units):
            measure_unit(name, folder, unit, include)
        for name, folder in sides:
            measure_make(name, folder, options.runtime)
        for name, folder in sides:
            if os.path.exists(folder + "/src/lua/parts.h"):
                measure_make(name, folder, options.runtime, "FLEECE_PARTS=core", "FLEECE_DROPINS=none")


if __name__ == "__main__":
    main()
