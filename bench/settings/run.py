#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py -- what settings outside of Fleece change: allocators, the C library's tunables, the collector; and documents
in nginx's shared dict. For docs/performance.md.

    bench/settings/run.py [--only shell,haproxy,nginx] [--rounds 7] [--seconds 0.5] [--runtimes lua5.1,lua5.4,luajit]
                          [--preload mimalloc=libmimalloc.so.2,jemalloc=libjemalloc.so.2] [--text FILE.json ...]

Every setting is a process of its own, with the incremental collector unless it says otherwise. In each round all of them
run once, in a new random order; results are medians of the ratios of the rounds: above 1 means faster than without the
setting. An allocator that the loader does not find is left out, and named. The hosts need wrk; nginx is that of tools/hosts.sh.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/hosts"))
from common import ROOT, Server, Unpacked, ask, free_port, module_for, write  # noqa: E402

HERE = ROOT + "/bench/settings"
TICK = os.sysconf("SC_CLK_TCK")
COLLECTOR = {
    "pause 400": ("collectgarbage('setpause', 400)", ("lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit")),
    "generational": ("collectgarbage 'generational'", ("lua5.4", "lua5.5")),
}
TUNABLES = {
    "glibc: trim, mmap 64 MB": "glibc.malloc.trim_threshold=67108864:glibc.malloc.mmap_threshold=67108864",
    "glibc: large pages": "glibc.malloc.hugetlb=1",
}


def allocators(text):
    """Those of --preload that the loader finds."""
    found = {}
    for name, library in (item.split("=", 1) for item in text.split(",") if item):
        done = subprocess.run(["true"], env=dict(os.environ, LD_PRELOAD=library), stderr=subprocess.PIPE)
        if done.stderr:
            print("left out: %s (%s is not found)\n" % (name, library))
        else:
            found[name] = library
    return found


def settings(runtime):
    """Name -> environment."""
    list = {"as it is": {}}
    for name, library in preload.items():
        list[name] = {"LD_PRELOAD": library}
    for name, tunables in TUNABLES.items():
        list[name] = {"GLIBC_TUNABLES": tunables}
    for name, (line, runtimes) in COLLECTOR.items():
        if runtime in runtimes:
            list[name] = {"SETTING": line}
    return list


def shell(runtimes, texts):
    names = list(settings(None))[1:] + list(COLLECTOR)
    print("| Lua, work, text | ns/byte | %s |\n|---|--:|%s" % (" | ".join(names), "--:|" * len(names)))
    for runtime in runtimes:
        for text in texts:
            for task in ("decode", "encode", "both"):
                times = shell_times(runtime, text, task)
                base = times["as it is"]
                ratios = ["%.2f" % statistics.median(a / b for a, b in zip(base, times[name])) if name in times else ""
                          for name in names]
                print("| %s, %s, %s | %.2f | %s |" % (runtime, task, os.path.basename(text or "1000 people"),
                                                      statistics.median(base), " | ".join(ratios)), flush=True)


def shell_times(runtime, text, task):
    """Nanoseconds a byte of each round, by setting."""
    directory = os.path.dirname(module_for(runtime))
    ways = settings(runtime)
    times = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name in random.sample(sorted(ways), len(ways)):
            command = [runtime, HERE + "/work.lua", directory, task, str(options.seconds)] + ([text] if text else [])
            said = subprocess.run(command, env=dict(os.environ, **ways[name]), stdout=subprocess.PIPE, check=True)
            times[name].append(float(said.stdout))
    return times


class Entrant:
    """A server under a setting, to which wrk sends requests."""

    def __init__(self, name, command, port, env, cpu_of_children=False):
        self.name, self.children, self.costs, self.rates = name, cpu_of_children, {}, {}
        self.server = Server(command, port, env)

    def cpu(self):
        pids = [self.server.process.pid]
        if self.children:
            pids = map(int, subprocess.run(["ps", "-o", "pid=", "--ppid", str(pids[0])],
                                           stdout=subprocess.PIPE).stdout.split())
        total = 0
        for pid in pids:
            with open("/proc/%d/stat" % pid) as f:
                fields = f.read().rsplit(")", 1)[1].split()
            total += (int(fields[11]) + int(fields[12])) / TICK
        return total

    def load(self, path, body, seconds=1):
        """CPU microseconds per request, and requests per second."""
        script = write("wrk.lua", "wrk.method, wrk.body = %s, %s\n" % (
            ("'POST'", json.dumps(body)) if body else ("'GET'", "nil")))
        before = self.cpu()
        said = subprocess.run(["wrk", "-t1", "-c8", "-d%ds" % seconds, "-s", script,
                               "http://127.0.0.1:%d%s" % (self.server.port, path)], stdout=subprocess.PIPE).stdout.decode()
        if "Non-2xx" in said or "Socket errors" in said:
            raise RuntimeError("%s: %s" % (self.name, said))
        requests = int(re.search(r"(\d+) requests in", said).group(1))
        self.costs.setdefault(path, []).append((self.cpu() - before) / requests * 1e6)
        self.rates.setdefault(path, []).append(requests / seconds)


def people(n):
    return [{"id": i, "name": "Name %d" % i, "email": "user%d@example.com" % i, "active": i % 3 == 0,
             "score": round(i * 1.37, 2), "tags": ["a", "b", "c"],
             "address": {"city": "City %d" % (i % 100), "zip": 10000 + i}} for i in range(n)]


def rounds(entrants, paths, body):
    for warm in [True] + [False] * options.rounds:
        for e, path in random.sample([(e, p) for e in entrants for p in paths], len(entrants) * len(paths)):
            e.load(path, body)
        if warm:
            for e in entrants:
                e.costs, e.rates = {}, {}


def preloaded(entrants, body):
    """The CPU time of decoding and encoding a body, of servers with other allocators."""
    print("\n| decode and encode %d bytes | CPU a request, us | times as fast |\n|---|--:|--:|" % len(body))
    rounds(entrants, ["/answer"], body)
    base = entrants[0].costs["/answer"]
    for e in entrants:
        ratio = statistics.median(a / b for a, b in zip(base, e.costs["/answer"]))
        print("| %s | %.0f | %.2f |" % (e.name, statistics.median(e.costs["/answer"]), ratio), flush=True)
        e.server.stop()


def haproxy(body):
    about = subprocess.run(["haproxy", "-vv"], stdout=subprocess.PIPE).stdout.decode()
    module = module_for("lua" + re.search(r"Built with Lua version : Lua (\d\.\d)", about).group(1))
    entrants = []
    for name, env in [("as it is", {})] + [(n, {"LD_PRELOAD": p}) for n, p in preload.items()]:
        port = free_port()
        config = write("haproxy-%s.cfg" % name.replace(" ", "-"), """global
    nbthread 1
    lua-prepend-path %s/?.so cpath
    lua-load-per-thread %s/bench/haproxy/service.lua
defaults
    mode http
    timeout client 60s
    timeout connect 5s
    timeout server 60s
frontend f
    bind 127.0.0.1:%d
    http-request use-service lua.answer
""" % (os.path.dirname(module), ROOT, port))
        entrants.append(Entrant(name, ["haproxy", "-db", "-f", config], port, dict(env, JSON="fleece")))
    preloaded(entrants, body)
    print("\nversions: HAProxy " + re.search(r"version (\S+)", about).group(1))


WAYS = {  # of nginx.lua, to read the field of a value in the dict
    "cjson": "JSON, lua-cjson's `decode`",
    "decode": "JSON, `fleece.decode`",
    "pick": "JSON, `fleece.pick`",
    "open": "a document, `fleece.open`",
    "trusted": "a document, `fleece.open` with `trusted`",
}


def nginx(body):
    host = Unpacked("nginx", "usr/sbin/nginx", "-v")
    module = module_for("luajit")
    value = write("value.json", json.dumps({"people": people(160), "last": {"name": "the last one"}},
                                           separators=(",", ":")))

    def start(name, env):
        port, prefix = free_port(), write("prefix-" + name.replace(" ", "-"), "") + ".d"
        os.makedirs(prefix)
        names = (*WAYS, "answer")
        config = write("nginx-%s.conf" % name.replace(" ", "-"), """
load_module %s/usr/lib/nginx/modules/ndk_http_module.so;
load_module %s/usr/lib/nginx/modules/ngx_http_lua_module.so;
daemon off; pid nginx.pid; error_log stderr; worker_processes 1; events {}
env VALUE;
http {
    access_log off; client_body_buffer_size 1m; keepalive_requests 1000000; lua_shared_dict state 10m;
    client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
    init_by_lua_block { require("nginx").fill() }
    server {
        listen 127.0.0.1:%d;
        %s
    }
}
""" % (host.root, host.root, port, "\n        ".join(
            'location = /%s { content_by_lua_block { require("nginx").%s() } }' % (n, n) for n in names)))
        env = dict(host.env, VALUE=value, LUA_CPATH=os.path.dirname(module) + "/?.so;;", LUA_PATH="%s/?.lua;%s/usr/share/lua/5.1/?.lua;;" %
                   (HERE, host.root), **env)
        return Entrant(name, [host.program, "-e", "stderr", "-p", prefix, "-c", config], port, env, True)

    server = start("shared dict", {})
    paths = ["/" + way for way in WAYS]
    for path in paths:
        answer = ask(server.server.port, path, "", method="GET")
        if answer[0] != 200 or answer[2] != b"the last one":
            raise RuntimeError("%s answers %r\n%s" % (path, answer, server.server.said()))
    rounds([server], paths, None)
    print("\n| one field of %d bytes, by | requests/s | CPU a request, us | times as fast |\n|---|--:|--:|--:|" %
          os.path.getsize(value))
    for path in paths:
        ratio = statistics.median(a / b for a, b in zip(server.costs["/cjson"], server.costs[path]))
        print("| %s | %d | %.0f | %.2f |" % (WAYS[path[1:]], statistics.median(server.rates[path]),
                                               statistics.median(server.costs[path]), ratio), flush=True)
    server.server.stop()
    preloaded([start(n, e) for n, e in [("as it is", {})] + [(n, {"LD_PRELOAD": p}) for n, p in preload.items()]], body)
    said = subprocess.run([host.program, "-v"], env=dict(os.environ, **host.env), stderr=subprocess.PIPE).stderr.decode()
    print("\nversions: nginx " + said.strip().rsplit("/", 1)[1])


parser = argparse.ArgumentParser()
parser.add_argument("--only", default="shell,haproxy,nginx")
parser.add_argument("--rounds", type=int, default=7)
parser.add_argument("--seconds", type=float, default=0.5)
parser.add_argument("--runtimes", default="lua5.1,lua5.4,luajit")
parser.add_argument("--preload", default="mimalloc=libmimalloc.so.2,jemalloc=libjemalloc.so.2")
parser.add_argument("--text", nargs="*", default=[])
options = parser.parse_args()
preload = allocators(options.preload)
if "shell" in options.only:
    shell(options.runtimes.split(","), options.text or [None])
    said = [subprocess.run([r, "-v"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
            for r in options.runtimes.split(",")]
    print("\nversions: " + ", ".join(re.match(r"\S+ [\w.-]+", text).group(0) for text in said))
sample = json.dumps({"people": people(200)}, separators=(",", ":"))
if "haproxy" in options.only:
    haproxy(sample)
if "nginx" in options.only:
    nginx(sample)
