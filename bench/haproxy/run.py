#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py -- the same service in HAProxy with Fleece, lua-cjson and dkjson: requests per second, latency, CPU time.

    bench/haproxy/run.py [--seconds 1] [--rounds 5] [--threads 1,2] [--sizes 200,50000] [--fields 200,10000]
                         [--loops 500000] [--only serve,field,scale,loop,ping] [--out FILE.csv [--append]]

One HAProxy per library runs at the same time; wrk sends requests to them in turn, in a new order each round. Results
are the medians, and the ratios of each round. Server and client share the cores, so the ratio of requests is smaller
than that of the work; the CPU time of the server per request does not depend on the client. Bodies differ from
request to request.

"field" reads one field of a body into a variable, by HAProxy's json_query and by Lua, in one HAProxy for each way.

"scale" is the same work without a client: the throughput of all threads of one HAProxy, compared with that of one.
"""

import argparse
import csv
import datetime
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/hosts"))
from common import ROOT, Client, Server, ask, free_port, module_for, read, write  # noqa: E402

LIBRARIES = {"fleece": "fleece", "lua-cjson": "cjson", "dkjson": "dkjson"}
COLUMNS = ["what", "library", "threads", "bytes", "requests_s", "ratio_to_cjson", "ratio_to_dkjson", "latency_p50_us",
           "latency_p99_us", "cpu_us_request", "cpu_us_more", "cpu_ratio_to_cjson", "cpu_ratio_to_dkjson", "encode_ns",
           "decode_ns", "longest_ping_ms", "times_one_thread", "rounds", "date", "commit", "cpu", "cores", "haproxy",
           "lua"]
HERE = ROOT + "/bench/haproxy"
TICK = os.sysconf("SC_CLK_TCK")


def facts():
    about = subprocess.run([haproxy, "-vv"], stdout=subprocess.PIPE).stdout.decode()
    cpu = re.search(r"model name\s*:\s*(.*)", read("/proc/cpuinfo")) if os.path.exists("/proc/cpuinfo") else None
    commit = subprocess.run(["git", "log", "-1", "--format=%h", "--abbrev=10", "--", "src"],
                            stdout=subprocess.PIPE).stdout.decode().strip()
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"date": now.strftime("%Y-%m-%dT%H:%MZ"), "commit": commit or "unknown", "cores": os.cpu_count(),
            "cpu": " ".join(cpu.group(1).split()) if cpu else "unknown",
            "haproxy": re.search(r"version (\S+)", about).group(1),
            "lua": re.search(r"Built with Lua version : Lua (\S+)", about).group(1)}


def body(size, n):
    """A body of about `size` bytes with members, names, numbers and lists, different for each n."""
    r = random.Random(n)

    def person():
        name = "".join(r.choices("abcdefghijklmnopqrstuvwxyz", k=r.randint(5, 20)))
        return {"id": r.randrange(10**6), "name": name,
                "mail": "%06x@example.com" % r.randrange(1 << 24), "score": round(r.random() * 100, 2),
                "active": r.random() < 0.5, "tags": r.choices(["red", "green", "blue", "new"], k=r.randint(1, 3))}
    value = {"request": n, "people": [person()]}
    text = json.dumps(value, separators=(",", ":"))
    while len(text) + 60 < size:
        value["people"] += [person() for _ in range(max(1, (size - len(text)) // 150))]
        text = json.dumps(value, separators=(",", ":"))
    return text


def configuration(threads, script, tuning="maxconn 200"):
    """The configuration of an HAProxy with this many threads and one script, without the rules of its frontend."""
    return """global
    nbthread %d
    %s
    tune.lua.service-timeout 60s
    lua-prepend-path %s/?.so cpath
    lua-load-per-thread %s/%s
defaults
    mode http
    timeout client 60s
    timeout connect 5s
    timeout server 60s
frontend f
    bind 127.0.0.1:${PORT}
""" % (threads, tuning, os.path.dirname(module), HERE, script)


class Entrant:
    """A library; or, for "field", the rule `rule` under this name."""

    def __init__(self, name, threads, rule=None):
        self.name, self.rates, self.costs, self.p50, self.p99 = name, [], [], [], []
        if rule is not None:
            return self.start(configuration(threads, "field.lua") + """
    option http-buffer-request
    %s
    http-request return status 200 content-type text/plain lf-string %%[var(txn.kind)]
""" % rule, "")
        steps = "    http-request use-service lua.steps if { path /steps }\n" if name == "fleece" else ""
        self.start(configuration(threads, "service.lua") + """
    http-request use-service lua.answer if { path /answer }
    http-request use-service lua.read if { path /read }
%s    http-request return status 200 content-type text/plain string pong
""" % steps, LIBRARIES[name])

    def start(self, text, library):
        config, port = write("entrant.cfg", text), free_port()
        self.server = Server([haproxy, "-db", "-f", config], port, {"PORT": str(port), "JSON": library})

    def cpu(self):
        with open("/proc/%d/stat" % self.server.process.pid) as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def load(self, seconds, connections, bodies):
        """One sample. Requests in flight at its end are not counted, so there are few connections and many requests."""
        before = self.cpu()
        said = subprocess.run(["wrk", "-t1", "-c%d" % connections, "-d%ds" % seconds, "-s", HERE + "/wrk.lua",
                               "http://127.0.0.1:%d" % self.server.port], stdout=subprocess.PIPE,
                              env=dict(os.environ, BODIES=bodies)).stdout.decode()
        requests, micros, p50, p99, errors = map(int, re.search(r"^wrk (.*)", said, re.M).group(1).split())
        if errors:
            raise RuntimeError("%s: %d errors\n%s" % (self.name, errors, self.server.said()))
        return requests / micros * 1e6, (self.cpu() - before) / requests * 1e6, p50, p99


def compare(entrants, base, field, lower=False):
    """The median of the ratios of each round."""
    pairs = zip(getattr(entrants, field), getattr(base, field))
    return statistics.median(b / a if lower else a / b for a, b in pairs)


def serve(threads, size, options, emit):
    bodies = [body(size, n) for n in range(200 if size < 1000 else 40)]
    path = write("bodies", "\n".join(bodies) + "\n")
    connections, seconds = (8 * threads, options.seconds) if size < 10000 else (2 * threads, 2 * options.seconds)
    length = round(statistics.mean(map(len, bodies)))
    entrants = {name: Entrant(name, threads) for name in LIBRARIES}
    for e in entrants.values():  # check the answer first
        for text in bodies[:3]:
            status, _, answer = ask(e.server.port, "/answer", text)
            wanted, got = json.loads(text), json.loads(answer)
            got.pop("served")
            if status != 200 or got != wanted:
                raise RuntimeError("%s answers wrongly: %r" % (e.name, answer[:300]))
        e.load(1, connections, path)
    for _ in range(options.rounds):
        for e in random.sample(sorted(entrants.values(), key=lambda e: e.name), len(entrants)):
            rate, cost, p50, p99 = e.load(seconds, connections, path)
            e.rates.append(rate)
            e.costs.append(cost)
            e.p50.append(p50)
            e.p99.append(p99)
    for e in entrants.values():
        e.server.stop()
        row = {"what": "serve", "library": e.name, "threads": threads, "bytes": length, "rounds": options.rounds,
               "requests_s": round(statistics.median(e.rates)), "latency_p50_us": round(statistics.median(e.p50)),
               "latency_p99_us": round(statistics.median(e.p99)),
               "cpu_us_request": round(statistics.median(e.costs), 2)}
        for word, other in (("cjson", "lua-cjson"), ("dkjson", "dkjson")):
            row["ratio_to_" + word] = round(compare(e, entrants[other], "rates"), 3)
            row["cpu_ratio_to_" + word] = round(compare(e, entrants[other], "costs", True), 3)
        print("| %d, %d bytes, %s | %d | %.2f | %.2f | %d | %d | %.1f | %.2f | %.2f |" % (
            threads, length, e.name, row["requests_s"], row["ratio_to_cjson"], row["ratio_to_dkjson"], row["latency_p50_us"],
            row["latency_p99_us"], row["cpu_us_request"], row["cpu_ratio_to_cjson"], row["cpu_ratio_to_dkjson"]), flush=True)
        emit(row)


FIELD = {  # ways to set txn.kind
    "nothing": "http-request set-var(txn.kind) str(order)",
    "the body in Lua": "http-request lua.body",
    "json_query": "http-request set-var(txn.kind) req.body,json_query('$.kind')",
    "fleece.pick": "http-request lua.pick",
    "pick, test = read": "http-request lua.pick_read",
    "fleece.decode": "http-request lua.decode",
    "lua-cjson decode": "http-request lua.cjson",
}


def field(size, options, emit):
    """CPU time per request, and without that of a request that reads nothing. The field is the last of its body."""
    bodies = [body(size, n)[:-1] + ',"kind":"order"}' for n in range(200)]
    path, length = write("bodies", "\n".join(bodies) + "\n"), round(statistics.mean(map(len, bodies)))
    entrants = {name: Entrant(name, 1, rule) for name, rule in FIELD.items()}
    for e in entrants.values():
        answer = ask(e.server.port, "/", bodies[0])
        if answer[0] != 200 or answer[2] != b"order":
            raise RuntimeError("%s answers wrongly: %r\n%s" % (e.name, answer, e.server.said()))
        e.load(1, 8, path)
    for _ in range(options.rounds):
        for e in random.sample(sorted(entrants.values(), key=lambda e: e.name), len(entrants)):
            e.costs.append(e.load(options.seconds, 8, path)[1])
    for e in entrants.values():
        e.server.stop()
        more = statistics.median(a - b for a, b in zip(e.costs, entrants["nothing"].costs))
        row = {"what": "field", "library": e.name, "threads": 1, "bytes": length, "rounds": options.rounds,
               "cpu_us_request": round(statistics.median(e.costs), 2), "cpu_us_more": round(more, 2)}
        print("| %d bytes, %s | %.1f | %.1f |" % (length, e.name, row["cpu_us_request"], more), flush=True)
        emit(row)


def work(name, threads, seconds, bodies):
    """Requests per second of all threads of an HAProxy without a client."""
    config = write("scale.cfg", configuration(threads, "scale.lua", "tune.lua.forced-yield 1000") +
                   "    http-request return status 200\n")
    port, begin = free_port(), int(time.time()) + 2
    server = Server([haproxy, "-db", "-f", config], port, {
        "PORT": str(port), "JSON": LIBRARIES[name], "BODIES": bodies, "BEGIN": str(begin), "SECONDS": str(seconds)})
    time.sleep(begin + seconds - time.time())
    for _ in range(100):
        counts = re.findall(r"scale (\d+)", server.said())
        if len(counts) == threads:
            break
        time.sleep(0.1)
    server.stop()
    if len(counts) != threads:
        raise RuntimeError("%s: %d of %d threads\n%s" % (name, len(counts), threads, server.said()))
    return sum(map(int, counts)) / seconds


def scale(size, options, emit):
    bodies = [body(size, n) for n in range(200 if size < 1000 else 40)]
    path = write("scale-bodies", "\n".join(bodies) + "\n")
    length, counts = round(statistics.mean(map(len, bodies))), [1] + [n for n in options.threads if n > 1]
    ways = [(name, threads) for name in LIBRARIES for threads in counts]
    rates = {way: [] for way in ways}
    for _ in range(options.rounds):
        for way in random.sample(ways, len(ways)):
            rates[way].append(work(way[0], way[1], options.seconds, path))
    for name, threads in ways:
        times = statistics.median(a / b for a, b in zip(rates[name, threads], rates[name, 1]))
        row = {"what": "scale", "library": name, "threads": threads, "bytes": length, "rounds": options.rounds,
               "requests_s": round(statistics.median(rates[name, threads])), "times_one_thread": round(times, 3)}
        for word, other in (("cjson", "lua-cjson"), ("dkjson", "dkjson")):
            ratios = (a / b for a, b in zip(rates[name, threads], rates[other, threads]))
            row["ratio_to_" + word] = round(statistics.median(ratios), 3)
        print("| %d bytes, %s, %d | %d | %.2f | %.2f | %.2f |" % (
            length, name, threads, row["requests_s"], times, row["ratio_to_cjson"], row["ratio_to_dkjson"]), flush=True)
        emit(row)


def loop(options, emit):
    config = write("loop.cfg", "global\n    nbthread 1\n"
                   "    lua-prepend-path %s/?.so cpath\n    lua-load %s/loop.lua\n"
                   "defaults\n    mode http\n    timeout client 1s\n    timeout connect 1s\n    timeout server 1s\n"
                   "frontend f\n    bind 127.0.0.1:1\n" % (os.path.dirname(module), HERE))
    times = {name: [] for name in LIBRARIES}
    rounds = 3
    for _ in range(rounds):
        for name in random.sample(sorted(LIBRARIES), len(LIBRARIES)):
            count = options.loops // 10 if name == "dkjson" else options.loops
            said = subprocess.run([haproxy, "-c", "-f", config], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=dict(os.environ, JSON=LIBRARIES[name], LOOPS=str(count))).stdout.decode()
            found = re.search(r"loop (\S+) (\S+)", said)
            if not found:
                raise RuntimeError(said)
            times[name].append((float(found.group(1)), float(found.group(2))))
    best = {name: [min(t[i] for t in times[name]) for i in (0, 1)] for name in LIBRARIES}
    for name, (out, back) in best.items():
        print("| %s | %.0f | %.1f | %.1f | %.0f | %.1f | %.1f |" % (
            name, out, best["lua-cjson"][0] / out, best["dkjson"][0] / out, back, best["lua-cjson"][1] / back,
            best["dkjson"][1] / back), flush=True)
        emit({"what": "loop", "library": name, "encode_ns": out, "decode_ns": back, "threads": 1, "rounds": rounds})


def ping(options, emit):
    """The slowest of many pings on the single thread while it reads a document of 28 MB."""
    large = body(28 * 1000 * 1000, 1)
    rows, ways = {}, dict({name: "/read" for name in LIBRARIES}, **{"fleece in steps": "/steps"})
    for _ in range(3):
        for name in random.sample(sorted(ways), len(ways)):
            e = Entrant(name.split()[0], 1)
            done = []
            worker = threading.Thread(target=lambda e, done, way: done.append(ask(e.server.port, way, large)[0]),
                                      args=(e, done, ways[name]))
            client, longest = Client(e.server.port), 0
            client.ask("/ping")
            worker.start()
            while worker.is_alive():
                start = time.perf_counter()
                client.ask("/ping")
                longest = max(longest, time.perf_counter() - start)
            worker.join()
            if done != [200]:
                raise RuntimeError("%s: %r %s" % (name, done, e.server.said()))
            e.server.stop()
            rows.setdefault(name, []).append(longest * 1000)
    for name in ways:
        print("| %s, %.0f MB | %.0f |" % (name, len(large) / 1e6, min(rows[name])), flush=True)
        emit({"what": "ping", "library": name, "threads": 1, "bytes": len(large), "rounds": 3,
              "longest_ping_ms": round(min(rows[name]), 1)})


RATIOS = ["times lua-cjson's", "times dkjson's"]
TABLES = {
    "serve": ["threads, body, library", "requests/s", *RATIOS, "p50, us", "p99, us", "CPU a request, us", "lua-cjson's, times",
              "dkjson's, times"],
    "field": ["body, way", "CPU a request, us", "more than nothing, us"],
    "scale": ["body, library, threads", "requests/s", "times one thread's", *RATIOS],
    "loop": ["library", "encode, ns", *RATIOS, "decode, ns", *RATIOS],
    "ping": ["while it reads a document by", "the slowest ping, ms"],
}


def numbers(text):
    return [int(n) for n in text.split(",")]


parser = argparse.ArgumentParser()
parser.add_argument("--seconds", type=int, default=1)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--threads", type=numbers, default=[1, 2])
parser.add_argument("--sizes", type=numbers, default=[200, 50000])
parser.add_argument("--fields", type=numbers, default=[200, 10000])
parser.add_argument("--loops", type=int, default=500000)
parser.add_argument("--only", default="serve,field,scale,loop,ping")
parser.add_argument("--out")
parser.add_argument("--append", action="store_true")
options = parser.parse_args()

haproxy = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
for program in ("haproxy", "wrk") if not haproxy else ("wrk",):
    if not shutil.which(program):
        sys.exit("bench/haproxy: %s is not installed" % program)
known = facts()
module = module_for("lua" + known["lua"][:3])
out = options.out or "build/bench/haproxy.csv"
os.makedirs(os.path.dirname(os.path.abspath(out)), exist_ok=True)
with open(out, "a" if options.append else "w", newline="") as f:
    writer = csv.DictWriter(f, COLUMNS, lineterminator="\n")
    if f.tell() == 0:
        writer.writeheader()

    def emit(row):
        writer.writerow(dict(known, **row))
        f.flush()
    runs = {
        "serve": [(serve, threads, size) for threads in options.threads for size in options.sizes],
        "field": [(field, size) for size in options.fields],
        "scale": [(scale, size) for size in options.sizes],
        "loop": [(loop,)],
        "ping": [(ping,)],
    }
    for name in (name for name in TABLES if name in options.only):
        print("\n| %s |\n|---|%s" % (" | ".join(TABLES[name]), "--:|" * (len(TABLES[name]) - 1)))
        for run, *numbers_of_it in runs[name]:
            run(*numbers_of_it, options, emit)
print("\nversions: HAProxy %s, Lua %s\nresults: %s" % (known["haproxy"], known["lua"], out))
