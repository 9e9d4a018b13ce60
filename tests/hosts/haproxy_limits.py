# SPDX-License-Identifier: MIT
# haproxy_limits.py -- as many of the worst bodies as the example's services take, and more, all at once: HAProxy goes on.

import os
import re
import threading

from common import ROOT, Client, Server, ask, check, find_haproxy, finish, free_port, message, read, same, write

haproxy, _, _, module = find_haproxy()
EXAMPLES = "examples/haproxy"


def start(config, env):
    before = write("before.cfg", "global\n    lua-prepend-path %s/?.so cpath\n    nbthread 2\n" % os.path.dirname(module))
    port = free_port()
    return Server([haproxy, "-db", "-f", before, "-f", write("limits.cfg", config)], port, dict(env, PORT=str(port)))


def main():
    """All clients have the worst body at the limit of a service, and send its last byte at once. HAProxy must go on: its
    limits keep it away from tune.lua.maxmem, where it would abort."""
    config = read(EXAMPLES + "/haproxy.cfg")
    maxmem = int(re.search(r"tune.lua.maxmem (\d+)", config).group(1)) * 1000000
    services = {}
    for name, most in re.findall(r"^backend (\w+)_service\n.*be_conn gt (\d+)", config, re.M):
        services[name] = int(most), int(re.search(r"LONGEST = (\d+)", read("%s/%s.lua" % (EXAMPLES, name))).group(1))
    needed = sum(most * longest * 54 for most, longest in services.values()) + 1000 * 16384 * 2
    check("limits: the sum of the guide is below maxmem: %d of %d" % (needed, maxmem), needed < maxmem and
          sorted(services) == ["order", "upload"], services)
    env = {"SCRIPTS": os.path.join(ROOT, EXAMPLES), "JWT_SECRET": "s3cret", "LOG_TO": "127.0.0.1:9"}
    with start(config, env) as server:
        for clients in ({"order": 200}, {"order": 400, "upload": 20}):
            answers, threads = {name: [] for name in clients}, []
            ready = threading.Barrier(sum(clients.values()))

            def send(name):
                head = b'{"items":[' if name == "order" else b"["
                longest = services[name][1]
                body = head + b"[]," * ((longest - len(head) - 4) // 3) + (b"0]}" if name == "order" else b"0]")
                client = Client(server.port)
                client.socket.settimeout(120)
                for wait, part in ((False, message("/" + name, body)[:-1]), (True, body[-1:])):
                    if wait:
                        ready.wait()
                    try:
                        client.socket.sendall(part)
                    except OSError:
                        pass  # refused: the answer has arrived, and the server reads no more
                try:
                    answers[name].append(client.answer()[0])
                except (EOFError, OSError) as problem:
                    answers[name].append(repr(problem))
                client.close()
            for name, count in clients.items():
                threads += [threading.Thread(target=send, args=(name,)) for _ in range(count)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            for name, count in clients.items():
                most, fine = services[name][0], 422 if name == "order" else 200
                seen = {status: answers[name].count(status) for status in set(answers[name])}
                check("limits: %d clients of %s: each is answered" % (count, name), set(seen) <= {fine, 503} and
                      seen.get(fine, 0) >= min(count, most), (seen, server.said()))
        same("limits: the next request is served", ask(server.port, "/order", '{"items":[]}')[0], 200)
        check("limits: no error of Lua was reported", "Lua" not in server.said(), server.said())


main()
finish()
