# SPDX-License-Identifier: MIT
# worker.py -- decodes and encodes a text for run.py: python3 worker.py LIBRARY FILE
import importlib
import sys
import time

name, path = sys.argv[1:]
if name == "msgspec":
    import msgspec
    version, decode, encode = msgspec.__version__, msgspec.json.decode, msgspec.json.encode
else:
    library = importlib.import_module(name)
    version, decode = getattr(library, "__version__", "%d.%d.%d" % sys.version_info[:3]), library.loads
    if name == "json":
        def encode(v): return library.dumps(v, ensure_ascii=False, separators=(",", ":"))
    elif name == "orjson":
        encode = library.dumps
    else:
        def encode(v): return library.dumps(v, ensure_ascii=False)
with open(path, "rb") as f:
    data = f.read()
value = decode(data)
work = {"decode": lambda: decode(data), "encode": lambda: encode(value)}
print(version, flush=True)
for line in sys.stdin:
    what, seconds = line.split()
    run, count, began = work[what], 0, time.process_time()
    while True:
        run()
        count += 1
        passed = time.process_time() - began
        if passed >= float(seconds):
            break
    print(count, passed, len(data), flush=True)
