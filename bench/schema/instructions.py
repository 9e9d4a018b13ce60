#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""instructions.py -- JSON Schema: instructions a byte of text, which the load of a machine does not change; needs valgrind.

    bench/schema/instructions.py [--lua lua5.4] [--cpath "build/lua5.4/?.so"] FOLDER ...

FOLDER as for run.py. `valid` tests whether a text is JSON, `verdict` is the schema's. `least` is a verdict that nobody could
beat which finds each name and type: validity, and for each member 12 instructions and 3 for each eight bytes of its name
(find the property, compare the name, note what is required, test the type), 6 for each other value, and none for numbers,
patterns, branches or the call."""
import argparse
import json
import os
import re
import subprocess

MOST = 60000
CODE = """local fleece = require "fleece"
local function read(name) local file = assert(io.open(arg[1] .. name, "rb")) local s = file:read "*a" file:close() return s end
local schema, texts = fleece.schema(read "/schema.json"), {}
for line in read "/instances.jsonl":gmatch "[^\\n]+" do
  if #texts < tonumber(arg[4]) then texts[#texts + 1] = line end
end
local f = arg[2] == "valid" and fleece.raw or schema
collectgarbage "stop"
for _ = 1, tonumber(arg[3]) do
  for i = 1, #texts do f(texts[i]) end
end"""


def count(options, folder, task, passes, texts):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", options.lua, "-", folder, task, str(passes), str(texts)]
    env = dict(os.environ, LUA_CPATH=options.cpath + ";;")
    done = subprocess.run(command, input=CODE, env=env, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def least(value):
    """Instructions beyond validity."""
    if isinstance(value, dict):
        return sum(12 + 3 * (len(name.encode()) // 8 + 1) + least(child) for name, child in value.items())
    return sum(6 + least(child) for child in value) if isinstance(value, list) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lua", default="lua5.4")
    parser.add_argument("--cpath", default="build/lua5.4/?.so")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    print("| set | valid | least | verdict | least / valid | verdict / valid |\n|---|--:|--:|--:|--:|--:|")
    for folder in options.folders:
        texts, size = [], 0
        with open(folder + "/instances.jsonl", encoding="utf-8") as file:
            for line in file:
                texts.append(line.rstrip("\n"))
                size += len(texts[-1].encode())
                if size > MOST:
                    break
        valid, verdict = ((count(options, folder, task, 2, len(texts)) - count(options, folder, task, 1, len(texts))) / size
                          for task in ("valid", "verdict"))
        floor = valid + sum(least(json.loads(text)) for text in texts) / size
        cells = (valid, floor, verdict, floor / valid, verdict / valid)
        print("| %s | %s |" % (os.path.basename(folder.rstrip("/")), " | ".join("%.2f" % cell for cell in cells)), flush=True)


main()
