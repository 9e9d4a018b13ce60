#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bodies.py -- what it costs HAProxy to replace one field of a body: CPU time and memory of the process, for bodies of
several sizes. Usage: bench/haproxy/bodies.py (build/lua5.3/fleece.so and haproxy must be there; two minutes)

Ways: `passed on` forwards the body, `filter` is examples/haproxy/llm.lua with a buffer that holds the body, `service` is
rewrite.lua. Then: the memory of a request that waits for the rest of its body."""
import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/hosts"))
from common import Client, Server, free_port, module_for, write  # noqa: E402

HAPROXY = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
CONFIG = """
global
    nbthread 1
    maxconn 2000
    tune.bufsize %d
    lua-prepend-path %s/?.so cpath
    lua-load %s/examples/haproxy/%s.lua
defaults
    mode http
    timeout client 60s
    timeout connect 5s
    timeout server 60s
frontend f
    bind 127.0.0.1:${PORT}
%s
"""
BACKEND = "    default_backend b\nbackend b\n    server s %s\n"
FILTER = "    option http-buffer-request\n    filter lua.replace-body\n    http-request lua.model\n"
SERVICE = "    http-request use-service lua.rewrite\n"


class Sink(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        size = self.headers["content-length"]
        while size is None and self.rfile.read(int(self.rfile.readline(), 16) + 2) != b"\r\n":
            pass
        left = int(size or 0)
        while left > 0:
            left -= len(self.rfile.read(min(left, 1000000)))
        self.send_response(200)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def start(bufsize, script, rules, address):
    port = free_port()
    folder = os.path.dirname(module_for("lua5.3"))
    config = write("bodies.cfg", CONFIG % (bufsize, folder, ROOT, script, rules))
    return Server([HAPROXY, "-db", "-f", config], port, {"PORT": str(port), "SERVER": "http://" + address})


def cpu(pid):
    with open("/proc/%d/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def body_of(size):
    one = '{"role":"user","content":"%s"},' % ("word " * 40)
    return ('{"model":"chat","messages":[' + one * max(1, size // len(one)) + '{}],"stream":false}').encode()


def about():
    said = subprocess.run([HAPROXY, "-vv"], stdout=subprocess.PIPE).stdout.decode()
    return "HAProxy %s, Lua %s" % (re.search(r"version (\S+)", said).group(1),
                                   re.search(r"Built with Lua version : Lua (\S+)", said).group(1))


def main():
    sink = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sink)
    sink.daemon_threads, sink.handle_error = True, lambda *_: None
    threading.Thread(target=sink.serve_forever, daemon=True).start()
    address = "127.0.0.1:%d" % sink.server_address[1]
    ways = {"none": ("llm", BACKEND % address), "filter": ("llm", FILTER + BACKEND % address), "service": ("rewrite", SERVICE)}
    print("| body | passed on, ms of CPU | peak, MB | filter, ms | MB | service, ms | MB |\n|---|--:|--:|--:|--:|--:|--:|")
    for size in (2000, 100000, 1000000, 3900000, 16000000):
        body, row = body_of(size), []
        count = max(5, min(400, 100000000 // len(body)))
        for name, (script, rules) in ways.items():
            if name == "service" and size > 4000000:
                row += ["", ""]
                continue
            with start(16384 if name != "filter" else max(16384, size + 20000), script, rules, address) as server:
                client = Client(server.port)
                assert client.ask("/v1", body)[0] == 200, server.said()
                before = cpu(server.process.pid)
                for _ in range(count):
                    client.ask("/v1", body)
                row += ["%.2f" % (1000 * (cpu(server.process.pid) - before) / count), "%.0f" % (server.peak() / 1024)]
        print("| %d KB | %s |" % (size // 1000, " | ".join(row)), flush=True)
    print("\n| a request that waits | KB |\n|---|--:|")
    for name, (script, rules) in (("buffer", ways["filter"]), ("rewrite.lua", ways["service"]), ("upload.lua", (
            "upload", "    http-request use-service lua.upload\n"))):
        with start(16384, script, rules, address) as server:
            before, waiting = server.resident(), []
            for _ in range(500):
                waiting.append(socket.create_connection(("127.0.0.1", server.port)))
                waiting[-1].sendall(b"POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 3000000\r\n\r\n[\"" + b"x" * 10000)
            time.sleep(1.5)
            print("| %s | %.0f |" % (name, (server.resident() - before) / 500), flush=True)
            for client in waiting:
                client.close()
    print("\nversions: " + about())


main()
