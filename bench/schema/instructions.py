#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""instructions.py -- JSON Schema: instructions a byte of text, which the load of a machine does not change; needs valgrind.

    bench/schema/instructions.py [--lua lua5.4] [--cpath "build/lua5.4/?.so"] FOLDER ...

FOLDER as for run.py. `valid` tests whether a text is JSON, `verdict` is the schema's. `least` is a verdict that nobody
could beat: validity, and what least.py counts by hand. `again` is what of the verdict goes into reading and evaluating
values once more whose schema one pass cannot decide: branches of which several may fit, items that must differ. `fails` is
how many texts of a hundred the schema refuses: these have a message and a failure made for them, and the last column leaves
them out."""
import argparse
import os
import re
import subprocess
import tempfile

import least

MOST = 60000
AGAIN = ("schema_texts_evaluate", "value_reader_scan")  # with what they call
CODE = """local fleece = require "fleece"
local function read(name) local file = assert(io.open(arg[1] .. name, "rb")) local s = file:read "*a" file:close() return s end
local schema, texts, wanted = fleece.schema(read "/schema.json"), {}, arg[4] .. ","
for line in read "/instances.jsonl":gmatch "[^\\n]+" do
  if wanted:sub(1, 1) == "1" then texts[#texts + 1] = line end
  wanted = wanted:sub(2)
end
local f = arg[2] == "valid" and fleece.raw or schema
if arg[2] == "which" then
  for i = 1, #texts do io.write(schema(texts[i]) and "1" or "0") end
  os.exit(true)
end
collectgarbage "stop"
for _ = 1, tonumber(arg[3]) do
  for i = 1, #texts do f(texts[i]) end
end"""


def run(options, folder, task, passes, wanted, *before):
    command = [*before, options.lua, "-", folder, task, str(passes), wanted]
    env = dict(os.environ, LUA_CPATH=options.cpath + ";;")
    return subprocess.run(command, input=CODE, env=env, capture_output=True, text=True, check=True)


def count(options, folder, task, texts, wanted):
    """Instructions a byte of the wanted texts, and how many of them are in AGAIN."""
    def total(passes):
        with tempfile.NamedTemporaryFile() as file:
            done = run(options, folder, task, passes, wanted, "valgrind", "--tool=callgrind", "--callgrind-out-file=" + file.name)
            rows = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", file.name], capture_output=True, text=True, check=True)
        again = re.findall(r"^ *([\d,]+) .*:(?:%s)\b(?!')" % "|".join(AGAIN), rows.stdout, re.M)
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1)), sum(int(n.replace(",", "")) for n in again)
    size = sum(len(text.encode()) for text, is_wanted in zip(texts, wanted) if is_wanted == "1")
    return [(many - one) / 20 / size for many, one in zip(total(21), total(1))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lua", default="lua5.4")
    parser.add_argument("--cpath", default="build/lua5.4/?.so")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    print("| set | valid | least | verdict | least / valid | verdict / valid | again / valid | fails | passes / valid |\n|---|" + "--:|" * 8)
    for folder in options.folders:
        texts, size = [], 0
        with open(folder + "/instances.jsonl", encoding="utf-8") as file:
            for line in file:
                texts.append(line.rstrip("\n"))
                size += len(texts[-1].encode())
                if size > MOST:
                    break
        every = "1" * len(texts)
        passing = run(options, folder, "which", 0, every).stdout
        (valid, _), (verdict, again) = (count(options, folder, task, texts, every) for task in ("valid", "verdict"))
        with open(folder + "/schema.json", encoding="utf-8") as file:
            floor = valid + least.count(file.read(), texts) / size
        only = verdict / valid
        if passing != every:
            only = count(options, folder, "verdict", texts, passing)[0] / count(options, folder, "valid", texts, passing)[0]
        print("| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %.2f |" % (
            os.path.basename(folder.rstrip("/")), valid, floor, verdict, floor / valid, verdict / valid, again / valid,
            100 * passing.count("0") / len(texts) + 0.5, only), flush=True)


main()
