#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""definitions.py -- making a schema of 1 to 10 MB of definitions, each of which refers to the one before it: does the time
stay linear? Prints Markdown: seconds of CPU time of fleece.schema on Lua 5.4, of jsonschema-rs (with json.loads), and the
nanoseconds a byte of Fleece. Run it with build/peers/bin/python, from the top of the repository."""
import json
import subprocess
import tempfile
import time

import jsonschema_rs

DEFINITION = ('"T%d":{"type":"object","description":"type number %d of this schema, with a text","required":["id","name"],'
              '"properties":{"id":{"type":"integer","minimum":1},"name":{"type":"string","maxLength":%d},'
              '"next":{"$ref":"#/$defs/T%d"},"kind":{"enum":["a%d","b","c"]},'
              '"list":{"type":"array","items":{"$ref":"#/$defs/T%d"}}}}')
COMPILE = """
package.cpath = "build/lua5.4/?.so;" .. package.cpath
local fleece = require "fleece"
local text = io.open(arg[1], "rb"):read "*a"
local from = os.clock()
local schema = fleece.schema(text)
print(os.clock() - from)
assert(schema '{"id": 1, "name": "x"}' and not schema '{"id": 1, "next": {}}')
"""


def schema_of(megabytes):
    parts, size = [], 0
    while size < megabytes * 1e6:
        i = len(parts) + 1
        parts.append(DEFINITION % (i, i, i % 100 + 1, max(i - 1, 1), i, i % 7 + 1))
        size += len(parts[-1]) + 1
    return '{"$schema":"https://json-schema.org/draft/2020-12/schema","$ref":"#/$defs/T%d","$defs":{%s}}' % (
        len(parts), ",".join(parts))


def main():
    print("| MB | fleece.schema, s | ns a byte | jsonschema-rs, s |\n|--:|--:|--:|--:|")
    for megabytes in (1, 2.5, 5, 10):
        text = schema_of(megabytes)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(text)
            file.flush()
            run = subprocess.run(["lua5.4", "-", file.name], input=COMPILE, capture_output=True, text=True, check=True)
        ours = float(run.stdout)
        begin = time.process_time()
        jsonschema_rs.validator_for(json.loads(text))
        theirs = time.process_time() - begin
        print("| %g | %.3f | %.1f | %.3f |" % (megabytes, ours, ours / len(text) * 1e9, theirs))


if __name__ == "__main__":
    main()
