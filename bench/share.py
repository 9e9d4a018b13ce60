#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""share.py -- how much of a call is our work, and how much is that of Lua and the C library (tables, strings, memory)?

    bench/share.py LUA DIRECTORY_OF_fleece.so FILE.json ...

Counts instructions per call with valgrind's callgrind, by the object that they belong to. What Lua does to make the same
tables is a floor that no reader can go below. One row for each document and function; the last column is the floor of
unpack in units of decode: Lua's part of unpack over all of decode."""

import os
import re
import subprocess
import sys
import tempfile

WORK = """
package.cpath = arg[1] .. "/?.so;" .. package.cpath
local fleece = require "fleece"
local file = assert(io.open(arg[2], "rb"))
local text = file:read "*a"
file:close()
local value, trusted, fast = fleece.decode(text), fleece.new { trusted = true }, fleece.new { mode = "fast" }
local bytes = fast.pack(value)
local work = ({
  decode = function() return fleece.decode(text) end,
  unpack = function() return trusted.unpack(bytes) end,
  encode = function() return fleece.encode(value) end,
  pack = function() return fast.pack(value) end,
})[arg[3]]
for _ = 1, tonumber(arg[4]) do work() end
"""


def instructions(command, work, calls):
    """Instructions of a run: a dict from the name of an object file to its count."""
    with tempfile.TemporaryDirectory() as folder:
        script, out = os.path.join(folder, "work.lua"), os.path.join(folder, "out")
        with open(script, "w", encoding="utf-8") as f:
            f.write(WORK)
        subprocess.run(["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + out, command[0], script]
                       + command[1:] + [work, str(calls)], check=True, stdout=subprocess.DEVNULL)
        names, counts, current, of_call = {}, {}, None, False
        with open(out, encoding="utf-8") as lines:
            for line in lines:
                named = re.match(r"(c?)ob=\((\d+)\)(?: (.*))?", line)
                if named:
                    if named.group(3):
                        names[named.group(2)] = os.path.basename(named.group(3))
                    if not named.group(1):
                        current = named.group(2)
                elif line.startswith("calls="):
                    of_call = True  # the next line has what the callee cost
                elif line[0] in "+-*0123456789":
                    if not of_call:
                        name = names[current]
                        counts[name] = counts.get(name, 0) + int(line.split()[1])
                    of_call = False
        return counts


def per_call(command, work, calls):
    """Instructions of one call: (ours, those of others)."""
    few, many = instructions(command, work, 2), instructions(command, work, 2 + calls)
    each = {name: (count - few.get(name, 0)) / calls for name, count in many.items()}
    ours = sum(count for name, count in each.items() if name.startswith("fleece"))
    return ours, sum(each.values()) - ours


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    print(f"{'':24s} {'':8s} {'instructions':>13s} {'ours':>13s} {'others':>13s} {'of decode':>10s} {'floor':>6s}")
    for path in sys.argv[3:]:
        command = [sys.argv[1], sys.argv[2], path]
        calls = 3 if os.path.getsize(path) > 10000 else 2000
        decode = None
        for work in ("decode", "unpack", "encode", "pack"):
            ours, others = per_call(command, work, calls)
            decode = decode or ours + others
            end = f" {(ours + others) / decode:10.2f} {others / decode:6.2f}" if work == "unpack" else ""
            print(f"{os.path.basename(path):24s} {work:8s} {ours + others:13.0f} {ours:13.0f} {others:13.0f}{end}", flush=True)


main()
