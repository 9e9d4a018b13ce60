# SPDX-License-Identifier: MIT
# haproxy_bodies.py -- bodies that are longer than HAProxy's buffer or than what is taken, and clients that send slowly:
# what docs/haproxy.md says about them.

import json
import os
import socket
import threading
import time

from common import ROOT, Client, Models, Server, ask, check, find_haproxy, finish, free_port, same, write

haproxy, _, _, module = find_haproxy()

CONFIG = """
global
    nbthread 1
    lua-prepend-path %s/?.so cpath
    lua-load %s/examples/haproxy/%%s.lua
defaults
    mode http
    timeout client 20s
    timeout connect 5s
    timeout server 20s
    timeout http-request 1s
frontend f
    bind 127.0.0.1:${PORT}
""" % (os.path.dirname(module), ROOT)


def start(config, **env):
    port = free_port()
    return Server([haproxy, "-db", "-f", write("bodies.cfg", config)], port, dict(env, PORT=str(port)))


def body_of(size):
    one = '{"role":"user","content":"%s"},' % ("word " * 40)
    return '{"model":"chat","messages":[' + one * max(1, size // len(one)) + '{}],"x":1.50}'


def test_rewrite():
    with Models("answers") as models:
        route = "    http-request use-service lua.rewrite\n"
        with start(CONFIG % "rewrite" + route, SERVER="http://127.0.0.1:%d" % models.port) as server:
            client = Client(server.port)
            for size in (100, 20000, 1000000, 3900000):
                text = body_of(size)
                began = time.time()
                status, headers, answer = client.ask("/v1", text)
                print("# rewrite: %d bytes in %.0f ms" % (len(text), 1000 * (time.time() - began)))
                wanted = text.replace('"chat"', '"large-2026-11"')
                check("rewrite: %d bytes arrive with another model" % len(text),
                      (status, headers["content-type"]) == (200, "application/json") and
                      json.loads(answer)["body"] == wanted, (status, answer[:200]))
            text = body_of(100)
            status, _, answer = client.ask("/v1", text, headers=[("cookie", "c=" + 9000 * "x")])
            check("rewrite: a body after long headers", status == 200 and
                  json.loads(answer)["body"] == text.replace('"chat"', '"large-2026-11"'), (status, answer[:200]))
            for text, wanted in (('{"model":', 400), ("[]", 400), ('{"model":1,"model":2}', 400)):
                status, _, answer = client.ask("/v1", text)
                same("rewrite: %s" % text, (status, list(json.loads(answer))), (wanted, ["error"]))
            same("rewrite: GET", client.ask("/v1")[0], 405)
            client.close()
            long = Client(server.port)
            long.socket.sendall(b"POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 5000000\r\n\r\n")
            same("rewrite: a body that is too long", long.answer()[0], 413)
            long.close()
    with start(CONFIG % "rewrite" + route, SERVER="http://127.0.0.1:%d" % free_port()) as server:
        same("rewrite: no server", ask(server.port, "/v1", body_of(100))[0], 503)


def drip(port, seconds, piece):
    """Sends a body in pieces, ten in a second; returns the status of the answer and when it came."""
    client, began = Client(port), time.time()
    client.socket.sendall(b"POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
    client.socket.settimeout(0.1)
    status = None
    while status is None and time.time() - began < seconds:
        try:
            client.socket.sendall(piece)
            first = client.socket.recv(12)
            status = int(first[9:12]) if len(first) == 12 else 0
        except TimeoutError:
            pass
        except OSError as problem:
            status = repr(problem)
    client.socket.close()
    return status, time.time() - began


def test_slow():
    route = "    http-request use-service lua.rewrite\n"
    with start(CONFIG % "rewrite" + route, SLOWEST="1") as server:
        status, passed = drip(server.port, 8, b" " * 2000)
        same("slow: the deadline of a service", (status, passed < 5), (408, True))
    route = "    option http-buffer-request\n    http-request lua.model\n"
    with start(CONFIG % "llm" + route) as server:
        status, passed = drip(server.port, 8, b" ")
        same("slow: timeout http-request, with http-buffer-request", (status, passed < 5), (408, True))


def send_long(port, path, chunked, total, results):
    """Sends a body of `total` bytes; appends the status of the answer, which may arrive before everything is sent."""
    client = Client(port)
    size = "transfer-encoding: chunked" if chunked else "content-length: %d" % total
    client.socket.sendall(("POST %s HTTP/1.1\r\nhost: x\r\n%s\r\n\r\n" % (path, size)).encode())
    piece = b" " * 1000000

    def send():
        try:
            for _ in range(total // len(piece)):
                client.socket.sendall(b"f4240\r\n" + piece + b"\r\n" if chunked else piece)
            if chunked:
                client.socket.sendall(b"0\r\n\r\n")
        except OSError:
            pass  # the answer has arrived, and the server reads no more
    sender = threading.Thread(target=send)
    sender.start()
    try:
        status, headers, body = client.answer()
        results.append((status, headers["content-type"], sorted(json.loads(body))))
    except (EOFError, OSError) as problem:
        results.append(repr(problem))
    client.socket.shutdown(socket.SHUT_RDWR)
    sender.join()
    client.close()


def test_long_bodies():
    """Bodies far beyond the limit are answered with 413 and are not kept in memory, with or without a length."""
    routes = "".join("    http-request use-service lua.%s if { path /%s }\n" % (n, n) for n in ("order", "upload"))
    both = (CONFIG % "order").replace("\ndefaults", "\n    lua-load %s/examples/haproxy/upload.lua\ndefaults" % ROOT)
    both = both.replace("    timeout http-request 1s\n", "")
    with start(both + routes) as server:
        before = server.resident()
        for path in ("/order", "/upload"):
            for chunked in (False, True):
                results = []
                senders = [threading.Thread(target=send_long, args=(server.port, path, chunked, 120000000, results))
                           for _ in range(3)]
                for s in senders:
                    s.start()
                for s in senders:
                    s.join()
                same("long bodies: %s, %s" % (path, "in chunks" if chunked else "with their length"), results,
                     3 * [(413, "application/json", ["error"])])
        if os.path.exists("/proc/self/status"):
            grown = server.peak() - before
            check("long bodies: memory stays below the size of the bodies", grown < 150000, "%d KB more" % grown)


test_rewrite()
test_slow()
test_long_bodies()
finish()
