#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""jq.py -- everyday work on lines of JSON: `fleece` against jq. bench/jq.py [MEGABYTES], from the top of the repository.

Prints Markdown: seconds of CPU time of both and the ratio, the best of three in turns; and the memory of both. The last rows have
what `_` itself costs at least: decoding and encoding each line in a loop in Lua, without and with the order of members.
FLEECE_LUA names another Lua."""
import os
import resource
import subprocess
import sys
import tempfile

LUA = os.environ.get("FLEECE_LUA", "lua5.4")
ROUNDS = 3
PAIRS = (  # title, what fleece gets, what jq gets
    ("one field", ["map", "--lines", "_.id"], [".id"]),
    ("select by a field", ["filter", "--lines", "_.user.age > 88"], ["select(.user.age > 88)"]),
    ("a row of fields", ["map", "--lines", "{id = _.id, name = _.user.name}"], ["{id, name: .user.name}"]),
    ("calculate", ["map", "--lines", "_.price * _.count"], [".price * .count"]),
    ("a field that is a list", ["map", "--lines", "_.tags"], [".tags"]),
    ("the whole value", ["map", "--lines", "_"], ["."]),
    ("change the whole value", ["map", "--lines", "_.seen = true return _"], [".seen = true"]),
    ("nothing but new white space", ["min"], ["."]),
    ("the names of members", ["keys", "--lines"], ["keys_unsorted"]),
    ("how many members", ["length", "--lines"], ["length"]),
    ("sort by a string", ["sort", "--lines", "user.name"], ["-s", "sort_by(.user.name)[]"]),
    ("sort, the first of each key", ["sort", "--unique", "--lines", "count"], ["-s", "unique_by(.count)[]"]),
    ("group", ["group", "--lines", "count"], ["-s", "group_by(.count)[]"]),
    ("count", ["group", "--count", "--lines", "count"], ["-s", "group_by(.count)[] | {key: .[0].count, count: length}"]),
)
LOOPS = (
    ("`fleece.decode` and `encode` in a loop", ["loop"], ["."]),
    ("the same with `order = true`", ["loop", "order"], ["."]),
)
LOOP = """
local fleece = require "fleece"
local lines, out = io.lines(arg[1]), io.stdout
out:setvbuf("full", 65536)
local decode = fleece.new({ order = arg[2] ~= nil }).decode
for line in lines do out:write(fleece.encode(decode(line)), "\\n") end
"""


def lines_of(megabytes, file):
    size, i = 0, 0
    while size < megabytes * 1e6:
        line = ('{"id":%d,"user":{"name":"user %d","age":%d,"mail":"u%d@example.org"},"tags":["a","b","c%d"],"price":%d.25,'
                '"count":%d,"text":"%s","ok":%s}\n' % (i, i, i % 90, i, i % 9, i % 1000, i % 7, "lorem ipsum " * (i % 9),
                                                        "true" if i % 3 else "false"))
        file.write(line)
        size += len(line)
        i += 1
    file.flush()


def cpu(command, stdin=None):
    """CPU seconds and the highest memory in MB."""
    with open(os.devnull, "w") as null:
        process = subprocess.Popen(command, stdin=stdin, stdout=null)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit("failed: " + " ".join(command))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    os.environ["LUA_CPATH"] = "build/%s/?.so" % ("luajit" if "jit" in LUA else LUA)
    os.environ["LUA_PATH"] = "lua/?.lua;;"
    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file, tempfile.NamedTemporaryFile("w", suffix=".lua") as loop:
        lines_of(float(sys.argv[1]) if len(sys.argv) > 1 else 100, file)
        loop.write(LOOP)
        loop.flush()
        print("| work | fleece, s | MB | jq, s | MB | times |\n|---|--:|--:|--:|--:|--:|")
        for title, ours, theirs in PAIRS + LOOPS:
            command = [LUA, "bin/fleece", *ours, file.name] if ours[0] != "loop" else [LUA, loop.name, file.name, *ours[1:]]
            best, memory, other, more = 1e9, 0, 1e9, 0
            for _ in range(ROUNDS):
                seconds, megabytes = cpu(command)
                best, memory = min(best, seconds), max(memory, megabytes)
                seconds, megabytes = cpu(["jq", "-c", *theirs, file.name])
                other, more = min(other, seconds), max(more, megabytes)
            print("| %s | %.2f | %.0f | %.2f | %.0f | %.1f |" % (title, best, memory, other, more, other / best), flush=True)
    said = [subprocess.run([*command], capture_output=True, text=True).stdout.split() for command in ([LUA, "-v"], ["jq", "--version"])]
    print("\nversions: %s %s, %s" % (*said[0][:2], said[1][0].replace("-", " ")))


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
