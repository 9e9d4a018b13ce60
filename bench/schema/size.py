#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""size.py -- JSON Schema: the bytes of the part in the object, by what they are for.

    bench/schema/size.py [--runtime lua5.4]

It compiles the part's two units as the object has them, with debug information, and adds up the symbols of each file. A
template's functions count for the form that it is for. Tables that other parts have, too, are left out. `unwind` are the
tables by which LuaJIT raises errors through C (.eh_frame), `words` the messages."""
import argparse
import collections
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNITS = ("schema", "schema_engine")
# The first row whose pattern is in a symbol's name, else in its file.
ROOMS = (
    ("metaschemas", "metaschemas"), ("tables of IDN", "idna"), ("formats", "schema/formats/"),
    ("evaluator of texts", "schema_texts_"), ("evaluator of tables", "mod_schema_raw|(lua5[1-5]|luajit|early)_(schema|value)(?!_fused)"),
    ("reporter of all forms", "schema_any_|value_(any|tables|documents)_"),
    ("one pass, with decoding", "schema_fused_scan|json_to_lua"), ("one pass, verdict", "mod_schema_(verdict|fused)"),
    ("compile: strict", "compile/strict"), ("compile: verdict", "compile/verdict/"), ("compile: references", "compile/texts/"),
    ("compile: the rest", "schema/compile/"), ("run: messages", "run/report"), ("run: the rest", "schema/run/"),
    ("the face", "schema/face/"))


def compile_unit(unit, runtime, to):
    include = subprocess.run([ROOT + "/tools/where.sh", "include", runtime], capture_output=True, text=True, check=True).stdout.strip()
    version = "-DFLEECE_LUA_VERSION=" + runtime.replace("luajit", "lua5.1")[3:].replace(".", "0")
    subprocess.run(["cc", "-std=gnu99", "-O2", "-g", "-fPIC", "-ffunction-sections", "-fdata-sections", "-DNDEBUG", "-DFLEECE_APART", version, "-Isrc",
                    "-I" + include, "-c", "-o", to, "src/parts/%s.c" % unit], cwd=ROOT, check=True)


def room_of(name, file):
    for room, pattern in ROOMS:
        if re.search(pattern, name) or re.search(pattern, file):
            return room
    return "rooms below"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", default="lua5.4")
    options = parser.parse_args()
    total = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for unit in UNITS:
            to = "%s/%s.o" % (folder, unit)
            compile_unit(unit, options.runtime, to)
            for line in subprocess.run(["nm", "-S", "-l", to], capture_output=True, text=True, check=True).stdout.splitlines():
                found = re.match(r"\w+ (\w+) [tTrRdDbB] (\S+)(?:\t(\S+):\d+)?", line)
                if found:
                    name, file = found.group(2), os.path.relpath(os.path.normpath(found.group(3) or ROOT), ROOT)
                    total[room_of(name, file)] += int(found.group(1), 16)
            for line in subprocess.run(["size", "-A", to], capture_output=True, text=True, check=True).stdout.splitlines():
                section = re.match(r"(\.eh_frame|\.rodata\S*\.str\S*)\s+(\d+)", line)
                if section:
                    total["unwind" if section.group(1) == ".eh_frame" else "words"] += int(section.group(2))
    print("| bytes | of what |\n|--:|---|")
    for room, size in total.most_common():
        print("| %d | %s |" % (size, room))
    print("| %d | together |" % sum(total.values()))


main()
