# SPDX-License-Identifier: MIT
# packing.py -- pack of large texts: what it writes while it reads, progress, a full disk. Expected bytes are those of
# from_json.

import json
import os
import re
import resource
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, FLEECE, LUA, check, finish, on_terminal, read, run, same, write  # noqa: E402

# A clock that advances one second per call.
CLOCK = "local time, n = os.time, 0; os.time = function() n = n + 1; return time() + n end"

# Strings that occur again far away.
records = [json.dumps({"id": i, "name": "name %x" % (i * 7919), "of": "name %x" % (i // 9 * 7919), "x": i / 8}) for i in range(300000)]
write("many.json", "[" + ",\n".join(records) + "]")
write("many.ndjson", "\n".join(records))
code, seen = on_terminal(["pack", "many.json", "-o", "many.fleece"], streams=(2,), env={"LUA_INIT": CLOCK})
shares = [int(x) for x in re.findall(r"many\.json: +(\d+) %", seen)]
check("pack shows progress", code == 0 and len(shares) > 9 and shares == sorted(shares) and shares[-1] > 90 and
      seen.endswith("\r\x1b[K"), (code, shares))
write("direct.lua", 'local file = io.open("many.json", "rb") io.write(require("fleece").from_json(file:read "*a"))')
direct = subprocess.run([LUA, "direct.lua"], env=ENV, capture_output=True).stdout
check("pack writes what from_json returns", read("many.fleece") == direct)
with open("many.json", "rb") as f:
    check("of a pipe", subprocess.run(FLEECE + ["pack", "-"], stdin=f, env=ENV, capture_output=True).stdout == direct)
same("of lines", (run(["pack", "many.ndjson", "-o", "lines.fleece"]), run(["check", "lines.fleece"])[0]), ((0, "", ""), 0))
same("of lines of a pipe", (run(["pack", "--lines", "-o", "pipe.fleece"], "\n".join(records).encode()),
     read("pipe.fleece") == read("lines.fleece")), ((0, "", ""), True))
same("of good lines", (run(["pack", "--keep-going", "many.ndjson", "-o", "good.fleece"]),
     read("good.fleece") == read("lines.fleece")), ((0, "", ""), True))
same("where addresses are few", (run(["pack", "many.json", "-o", "few.fleece"], limit=400 << 20),
     read("few.fleece") == direct), ((0, "", ""), True))
write("bad.json", read("many.json")[:-20])
same("a text that ends early", (run(["pack", "bad.json", "-o", "bad.fleece"])[0], os.path.exists("bad.fleece")), (2, False))


def no_long_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5 << 20, 5 << 20))


r = subprocess.run(FLEECE + ["pack", "many.json", "-o", "bad.fleece"], env=ENV, capture_output=True, preexec_fn=no_long_files,
                   restore_signals=False)
same("a disk that is full", (r.returncode, r.stderr, os.path.exists("bad.fleece")),
     (2, b"fleece: bad.fleece: File too large\n", False))

finish()
