# SPDX-License-Identifier: MIT
"""worker.py -- as worker.lua, for jsonschema-rs with Python's json: worker.py FOLDER SECONDS."""
import json
import sys
import time

import jsonschema_rs

MOST = 400000
folder, seconds = sys.argv[1], float(sys.argv[2])
texts, size = [], 0
with open(folder + "/instances.jsonl", encoding="utf-8") as lines:
    for line in lines:
        texts.append(line)
        size += len(line.encode()) - 1
        if size > MOST:
            break
values = [json.loads(text) for text in texts]
with open(folder + "/schema.json", encoding="utf-8") as file:
    schema = file.read()
is_valid = jsonschema_rs.validator_for(json.loads(schema)).is_valid
best = {"jsonschema-rs text": 1e9, "jsonschema-rs value": 1e9}
copies = -(-100000 // len(schema))
for _ in range(3):
    start = time.process_time()
    for _ in range(copies):
        jsonschema_rs.validator_for(json.loads(schema))
    took = (time.process_time() - start) * size / copies / len(schema.encode())
    best["jsonschema-rs make"] = min(best.get("jsonschema-rs make", 1e9), took)
stop = time.process_time() + seconds
while time.process_time() < stop:
    start = time.process_time()
    for text in texts:
        is_valid(json.loads(text))
    middle = time.process_time()
    for value in values:
        is_valid(value)
    end = time.process_time()
    best["jsonschema-rs text"] = min(best["jsonschema-rs text"], middle - start)
    best["jsonschema-rs value"] = min(best["jsonschema-rs value"], end - middle)
for name, took in best.items():
    print("%s\t%.3f" % (name, took / size * 1e9))
