#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""build.py -- what a build costs: compiles the working tree and a commit, and prints seconds, memory and sizes.

  bench/build.py [--base COMMIT] [--runtime lua5.4]

The base is HEAD by default. For each unit: CPU seconds and the most memory of the compiler (CC, default cc) with -O2; then the seconds of `make
RUNTIME=...` with all cores, and the bytes of the stripped object. The units of both are compiled in turns, one at a time.
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
        archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
    else:
        for name in ("Makefile", "src", "tools", "lua", "tests", "include", "compat"):
            copy = shutil.copytree if os.path.isdir(os.path.join(ROOT, name)) else shutil.copy
            copy(os.path.join(ROOT, name), os.path.join(folder, name))
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", default="HEAD")
    parser.add_argument("--runtime", default="lua5.4")
    options = parser.parse_args()
    os.chdir(ROOT)
    said = subprocess.run(["tools/where.sh", "include", options.runtime], stdout=subprocess.PIPE, text=True, check=True)
    include = os.path.abspath(said.stdout.strip())
    with tempfile.TemporaryDirectory() as scratch:
        sides = [(name, tree(commit, os.path.join(scratch, name))) for name, commit in (("base", options.base), ("new", None))]
        units = [(name, folder, unit) for name, folder in sides
                 for unit in ["fleece.c"] + sorted(os.path.relpath(f, folder + "/src") for f in glob.glob(folder + "/src/parts/*.c"))]
        print("%-6s %-20s %8s %8s" % ("tree", "unit", "CPU s", "MB"))
        for name, folder, unit in sorted(units, key=lambda u: u[2]):
            apart = ["-DFLEECE_APART", "-ffunction-sections", "-fdata-sections"] if "/" in unit else []
            seconds, memory = run([CC, "-std=gnu99", "-O2", "-DNDEBUG", "-fPIC", "-Isrc", "-I" + include, *apart, "-c", "-o",
                                   "/dev/null", "src/" + unit], folder)
            print("%-6s %-20s %8.1f %8.0f" % (name, unit, seconds, memory), flush=True)
        for name, folder in sides:
            start = time.monotonic()
            run(["make", "-s", "-j%d" % (os.cpu_count() or 1), "RUNTIME=" + options.runtime], folder)
            built = os.path.join(folder, "build", options.runtime, "fleece.so")
            subprocess.run(["strip", built], check=True)
            print("%-6s make RUNTIME=%s: %.1f s; stripped: %d bytes" % (name, options.runtime, time.monotonic() - start, os.path.getsize(built)), flush=True)


if __name__ == "__main__":
    main()
