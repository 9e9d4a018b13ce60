# SPDX-License-Identifier: MIT
# haproxy.py -- Fleece in HAProxy on a loopback port: the examples, the guide, invalid bodies, HAProxy's limits.

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time

from common import (BAD_BODIES, NO_ORDERS, REFUSED, ROOT, Client, Models, Server, ask, check, check_console,
                    check_guide, check_models, find_haproxy, finish, free_port, message, named_block, read, same, skip, token,
                    work, write)

haproxy, about, lua, module = find_haproxy()
runtime = "lua" + lua
print("# " + about.splitlines()[0])
print("# Lua " + lua)

GUIDE, EXAMPLES = "docs/haproxy.md", "examples/haproxy"
CPATH = "lua-prepend-path %s/?.so cpath" % os.path.dirname(module)
DEFAULTS = """
defaults
    mode http
    timeout client 20s
    timeout connect 5s
    timeout server 20s
"""
LISTENER = "frontend f\n    bind 127.0.0.1:${PORT}\n"


def start(config, settings="", env=None):
    """Starts HAProxy with a configuration, after settings that depend on this machine."""
    port = free_port()
    before = write("before.cfg", "global\n%s\n" % settings)
    command = [haproxy, "-db", "-f", before, "-f", write("main.cfg", config)]
    return Server(command, port, dict(env or {}, PORT=str(port)))


def verdict_of(config):
    """Runs `haproxy -c`; returns its exit code and output."""
    path = write("checked.cfg", config + DEFAULTS + LISTENER)
    done = subprocess.run([haproxy, "-c", "-f", path], env=dict(os.environ, PORT="1"), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode()


def own(load, *services, settings=""):
    """A configuration with the test services at /NAME."""
    routes = ["    http-request use-service lua.%s if { path /%s }\n" % (s, s) for s in services]
    return "global\n    maxconn 200\n    %s\n%s\n    %s %s/tests/hosts/haproxy.lua\n%s%s%s" % (
        CPATH, settings, load, ROOT, DEFAULTS, LISTENER, "".join(routes))


# ---- the examples --------------------------------------------------------------------------------------------


def test_service(name, port):
    client = Client(port)
    body = {"id": "a/7", "items": [{"price": 2.5, "quantity": 4}, {"price": 0.1, "quantity": 1}]}
    status, headers, text = client.ask("/order", json.dumps(body))
    same(name + ": a service answers", (status, headers["content-type"], json.loads(text)),
         (200, "application/json", {"id": "a/7", "count": 5, "total": 10.1}))
    wrong = []
    for bad, wanted in BAD_BODIES:
        status, headers, text = ask(port, "/order", bad)
        if status != 400 or wanted not in json.loads(text).get("error", "") or b" allow" in text:
            wrong.append("%r: %d %r" % (bad[:20], status, text[:200]))
    check(name + ": bad bodies are answered with 400 and Fleece's message", not wrong, "\n".join(wrong))
    wrong = []
    for bad in NO_ORDERS:
        status, headers, text = client.ask("/order", bad)
        if (status, headers["content-type"]) != (422, "application/json") or "error" not in json.loads(text):
            wrong.append("%r: %d %r" % (bad, status, text[:200]))
    check(name + ": valid JSON that is no order is answered with 422", not wrong, "\n".join(wrong))
    got = [(what, client.ask("/order", '{"items":[]}', headers, method)[::2]) for what, headers, method, _ in REFUSED]
    wrong = ["%s: %r" % (what, answer) for (what, answer), (_, _, _, wanted) in zip(got, REFUSED)
             if answer[0] != wanted or ("error" in json.loads(answer[1])) != (wanted != 200)]
    check(name + ": method, type and coding are looked at", not wrong, "\n".join(wrong))
    many = json.dumps({"items": [{"price": 1, "quantity": 2 ** 62}] * 4})
    same(name + ": sums do not wrap around", json.loads(client.ask("/order", many)[2])["count"], 2.0 ** 64)
    same(name + ": the same connection still serves", client.ask("/order", '{"items":[]}')[0], 200)
    client.close()


def test_route(name, port):
    got = [ask(port, "/events", json.dumps({"kind": k, "x": [1] * 50}))[::2]
           for k in ("order", "alarm", "unheard of", 7, None)]
    same(name + ": the body's field chooses the backend", got,
         [(200, b"orders\n"), (200, b"alarms\n")] + 3 * [(200, b"others\n")])
    status, _, text = ask(port, "/events", b'{"kind":order}')
    check(name + ": a body that cannot be read is refused", status == 400 and
          "expected a value at line 1, column 9" in json.loads(text)["error"], (status, text))
    status, _, text = ask(port, "/events", b'"' + 60000 * b"x" + b'"')
    check(name + ": a body beyond HAProxy's buffer is 413", status == 413 and b"buffer" in text, (status, text))
    client = Client(port)
    client.socket.sendall(b"POST /events HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
                          b"7\r\n{\"kind\"\r\n9\r\n:\"alarm\"}\r\n0\r\n\r\n")
    same(name + ": a body in chunks", client.answer()[::2], (200, b"alarms\n"))
    client.close()
    wrong = []
    for body, status, wanted in (
            ('{"kind":"order","kind":"alarm"}', 400, b"duplicate name: kind"),
            ('{"kind":7,"k\\u0069nd":"alarm"}', 400, b"duplicate"),
            ('{"kind":"order","x":[],"kind":"order"}', 200, b"orders"), ('{"kind":"order","kind":7}', 400, b"duplicate"),
            ('{"x":{"kind":"alarm"},"kind":"order"}', 200, b"orders"),
            ('{"k\\u0069nd":"\\u006frder"}', 200, b"orders"),
            ('{"kind":"order"', 400, b"unexpected end"), ('{"kind":"order",,]', 400, b"expected a string as name"),
            ('["kind","order"]', 200, b"others"), ("null", 200, b"others"), ('{"kind":null}', 200, b"others"),
            ('{"kind":["order"]}', 200, b"others"),
            (b'{"kind":"order","x":"\xff"}', 400, b"invalid UTF-8"),
            ('{"kind":"order","x":01}', 400, b"invalid number")):
        got, _, text = ask(port, "/events", body)
        if got != status or wanted not in text or b" allow" in text:
            wrong.append("%r: %d %r" % (body, got, text))
    check(name + ": unclear and invalid bodies are refused, others are not", not wrong, "\n".join(wrong))


def test_claims(name, port):
    now = int(time.time())
    good = {"sub": "ann", "exp": now + 600, "aud": ["web", "api"], "roles": ["reader"]}

    def enter(text):
        return ask(port, "/private", headers=[("authorization", "Bearer " + text)])[0]
    status, _, text = ask(port, "/private", headers=[("authorization", "Bearer " + token(good))])
    same(name + ": a good token enters", (status, text), (200, b"hello ann\n"))
    same(name + ": one audience as a string", enter(token(dict(good, aud="api"))), 200)
    no_exp = {k: v for k, v in good.items() if k != "exp"}
    cases = [  # name, the token, the answer
        ("another secret", token(good, "other"), 401), ("alg none", token(good, algorithm="none"), 401),
        ("alg HS512", token(good, algorithm="HS512"), 401), ("no token", "x", 401), ("empty", "", 401),
        ("expired", token(dict(good, exp=now - 1)), 401), ("no exp", token(no_exp), 401),
        ("exp is text", token(dict(good, exp="2999")), 401), ("not yet", token(dict(good, nbf=now + 600)), 401),
        ("audience", token(dict(good, aud=["web"])), 403), ("no role", token(dict(good, roles=[])), 403),
        ("roles null", token(dict(good, roles=None)), 403), ("sub null", token(dict(good, sub=None)), 401),
        ("claims null", token(b"null"), 401), ("claims bad", token(b"{"), 401),
        ("sub twice", token(json.dumps(good).encode()[:-1] + b',"sub":"root"}'), 401),
    ]
    got = [(what, enter(text), status) for what, text, status in cases]
    wrong = ["%s: %d, not %d" % case for case in got if case[1] != case[2]]
    check(name + ": %d bad tokens stay outside" % len(cases), not wrong, "\n".join(wrong))


def test_stats(name, port, threads):
    status, headers, text = ask(port, "/stats")
    value = json.loads(text)
    same(name + ": statistics", (status, headers["content-type"], sorted(value["backends"])),
         (200, "application/json", ["alarms", "order_service", "orders", "others", "upload_service"]))
    same(name + ": as many threads as there are", value["process"]["Nbthread"], threads)
    same(name + ": numbers are numbers, no server is {}", (type(value["backends"]["orders"]["stats"]["stot"]),
                                                           value["backends"]["orders"]["servers"]), (int, {}))


def log_lines(receiver, count):
    """Log lines whose request has "log" in its query or could not be parsed: `count` of them, and any that follow."""
    values = []
    receiver.settimeout(5)
    try:
        while True:
            for line in receiver.recv(65536).decode("utf-8").splitlines():  # raises an error if it is not UTF-8
                value = json.loads(line)  # raises an error if it is not JSON
                if value["request"] is None or "log" in value["request"].get("query", ""):
                    values.append(value)
            if len(values) >= count:
                receiver.settimeout(0.2)
    except socket.timeout:
        return values


def test_log(name, port, receiver):
    ask(port, "/orders?log=%22", headers=[("user-agent", 'say "hi" \\ \t \xff\xc0')])
    ask(port, "/events?log", b"{")
    ask(port, "/order?log", b'{"items":[]}')
    client = Client(port)
    client.socket.sendall(b"GARBAGE\r\n\r\n")
    client.answer()
    client.close()
    values = log_lines(receiver, 4)
    ask(port, "/orders?log" + "%22" * 2000, headers=[("user-agent", "\xff" * 6000)])
    same(name + ": a long request is still a line of JSON", [v["status"] for v in log_lines(receiver, 1)], [200])
    requests = sorted((v["status"], v["request"]["path"]) for v in values if v["request"])
    same(name + ": one line of JSON for each request", requests,
         [(200, "/order"), (200, "/orders"), (400, "/events")])
    same(name + ": and for one that cannot be read", [v["status"] for v in values if v["request"] is None], [400])
    agent = [v["request"]["agent"] for v in values if v["request"] and v["request"]["path"] == "/orders"]
    same(name + ": what the client sent cannot break the line", agent, ['say "hi" \\ \t \ufffd\ufffd'])


def test_examples(load, threads):
    name = "%s, %d thread%s" % (load, threads, "" if threads == 1 else "s")
    config = read(EXAMPLES + "/haproxy.cfg").replace("lua-load-per-thread", load)
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    env = {"SCRIPTS": os.path.join(ROOT, EXAMPLES), "JWT_SECRET": "s3cret", 
           "LOG_TO": "127.0.0.1:%d" % receiver.getsockname()[1]}
    settings = "    %s\n    nbthread %d" % (CPATH, threads)
    with start(config, settings, env) as server:
        test_service(name, server.port)
        test_route(name, server.port)
        test_claims(name, server.port)
        test_stats(name, server.port, threads)
        test_log(name, server.port, receiver)
        check(name + ": no error of Lua was reported", "Lua" not in server.said(), server.said())
        check(name + ": ends in peace", server.alive() and server.stop(signal.SIGUSR1) == 0, server.said())
    receiver.close()


def test_models(load):
    """The proxy for language models, up to its limit: what fits is right, what does not is refused."""
    path = "/v1/chat/completions"
    with Models("answers") as answers, Models("streams") as streams:
        env = {"SCRIPTS": os.path.join(ROOT, EXAMPLES), "ANSWERS": "127.0.0.1:%d" % answers.port,
               "STREAMS": "127.0.0.1:%d" % streams.port}
        config = read(EXAMPLES + "/llm.cfg").replace("lua-load-per-thread", load)
        with start(config, "    %s\n    nbthread 2" % CPATH, env) as server:
            check_models(load, server.port, answers, streams)
            check(load + ": models: no error of Lua was reported", "Lua" not in server.said(), server.said())
        with start(config.replace("1048576", "65536"), "    " + CPATH, env) as server:
            seen, wrong = set(), []
            for size in list(range(1, 65000, 3251)) + list(range(62000, 67000, 90)):
                text = '{"x":"%s","model":"chat"}' % ("x" * size)
                status, _, answer = ask(server.port, path, text)
                seen.add(status)
                if status not in (200, 413) or status == 200 and json.loads(answer)["body"] != text.replace(
                        '"chat"', '"large-2026-11"'):
                    wrong.append("%d: %d" % (size, status))
            check(load + ": models: bodies up to the buffer are right, others are 413",
                  not wrong and seen == {200, 413}, (seen, wrong))
            same(load + ": models: the next request is served", ask(server.port, path, '{"model":"chat"}')[0], 200)


def test_json_query():
    """What the guide says about json_query in this version."""
    routes = named_block(GUIDE, "json-query") + (
        "    http-request return status 200 content-type text/plain lf-string \"%[var(txn.kind)]\" if { var(txn.kind)"
        " -m found }\n"
        "    http-request return status 204\n")
    with start(DEFAULTS + LISTENER + routes) as server:
        cases = [  # body, the field; None: nothing
            ('{"kind":"order"}', b"order"), ('{"kind":"order"', b"order"), ('{"kind":"order",,]', b"order"),
            ('{"kind":"order","kind":"alarm"}', b"order"), ('{"k\\u0069nd":"order"}', None),
            ('{"kind":"\\u20ac"}', None), ('{"kind":"\\u00e9"}', b"\xe9"),
            ('{"x":%s,"kind":"order"}' % ("[" * 30 + "]" * 30), None),
            ('{"kind":"order","x":"%s"}' % ("x" * 60000), b"order"),
            ('{"x":"%s","kind":"order"}' % ("x" * 60000), None),
            ('{"kind":["order"]}', None), ('{"kind":{}}', None), ('{"kind":7}', b"7")]
        got = [ask(server.port, "/", body)[::2] for body, _ in cases]
        wanted = [(204, b"") if field is None else (200, field) for _, field in cases]
        if about.startswith("HAProxy version 2.6."):
            same("json_query does what the guide says", got, wanted)
        else:
            skip("json_query", "this system: the guide is about 2.6")


# ---- many threads, limits, memory ----------------------------------------------------------------------------


def document(size, seed):
    people = [{"id": seed * 1000 + i, "name": "Zo\u00eb \U0001f600 %d" % i, "price": i / 7,
               "tags": ["a", None, {}, []]} for i in range(max(1, size // 90))]
    return {"seed": seed, "people": people}


def test_threads(load):
    with start(own(load, "info", "echo"), settings="    nbthread 2") as server:
        info = json.loads(ask(server.port, "/info")[2])
        same(load + ": Fleece uses the raw layout", (info["lua"], info["layout"], info["decode"]),
             ("Lua " + lua, runtime, runtime))
        wrong, seen = [], set()

        def drive(seed):
            value = document(90 * 4 ** (seed % 5), seed)
            try:
                client = Client(server.port)
                for _ in range(60):
                    status, _, text = client.ask("/echo", json.dumps(value, ensure_ascii=seed % 2 == 0))
                    if status != 200 or json.loads(text) != value:
                        wrong.append("%d: %d %r" % (seed, status, text[:100]))
                    seen.add(json.loads(client.ask("/info")[2])["thread"])
                client.close()
            except Exception as problem:  # an error must not be lost with its thread
                wrong.append("%d: %r" % (seed, problem))
        drivers = [threading.Thread(target=drive, args=(seed,)) for seed in range(10)]
        for d in drivers:
            d.start()
        for d in drivers:
            d.join()
        check(load + ": 10 clients, 2 threads: each gets back what it sent", not wrong and server.alive(),
              "\n".join(wrong[:10]) + server.said())
        same(load + ": the states that served requests", seen, {1, 2} if load == "lua-load-per-thread" else {0})


def example(name, longest):
    """The path of a copy of an example's script with another limit of bodies."""
    text = read("%s/%s.lua" % (EXAMPLES, name))
    return write(name + ".lua", re.sub(r"LONGEST = \d+", "LONGEST = %d" % longest, text))


def test_maxmem():
    limit = 24
    with start(own("lua-load", "echo"), settings="    nbthread 1\n    tune.lua.maxmem %d" % limit) as server:
        small = json.dumps(document(2000, 1))
        wanted = ask(server.port, "/echo", small)
        before = server.resident()
        huge = b"[" + b",".join([b"[[],{}]"] * 700000) + b"]"  # 5.6 MB of text, more than 100 MB of tables
        outcomes = []
        for _ in range(4):
            try:
                outcomes.append(ask(server.port, "/echo", huge)[0])
            except (EOFError, OSError):
                outcomes.append("closed")
            outcomes.append(ask(server.port, "/echo", small) == wanted)
        same("tune.lua.maxmem: a huge document is an error of its request; the next one is served", outcomes,
             4 * [500, True])
        check("tune.lua.maxmem: HAProxy logs the reason", "memory" in server.said(), server.said())
        # Memory runs out in different places of decode and encode: each time there is an error or the right answer.
        seen, wrong = set(), []
        for n in range(1000, 60000, 1000):
            text = json.dumps([{"id": i, "name": "n%d" % (i * n), "list": [[], i / 7]} for i in range(n)])
            status, _, answer = ask(server.port, "/echo", text)
            seen.add(status)
            if status not in (200, 500) or status == 200 and json.loads(answer) != json.loads(text):
                wrong.append("%d: %d %r" % (n, status, answer[:100]))
        check("tune.lua.maxmem: growing documents are right until they are errors", not wrong and seen == {200, 500},
              "%s\n%s" % (seen, "\n".join(wrong)))
        same("tune.lua.maxmem: the next request is served", ask(server.port, "/echo", small), wanted)
        grown = server.resident() - before
        check("tune.lua.maxmem: memory stays near the limit", grown < (limit + 24) * 1024, "%d KB more" % grown)
    routes = own("lua-load", "echo") + "    http-request use-service lua.upload if { path /upload }\n"
    routes = routes.replace("global\n", "global\n    lua-load %s\n" % example("upload", 32000000), 1)
    with start(routes, settings="    nbthread 1\n    tune.lua.maxmem %d\n    %s" % (limit, CPATH)) as server:
        big = json.dumps(document(900000, 1))
        wanted = ask(server.port, "/echo", big)
        outcomes = [ask(server.port, "/upload", huge)[0]] + [ask(server.port, "/echo", big) == wanted for _ in range(6)]
        same("tune.lua.maxmem: a failed parser frees its memory", (wanted[0], outcomes),
             (200, [500] + 6 * [True]))


def test_growth(load, threads, count=100000):
    """Resident memory after half of the requests and after all of them differs by a few pages at most."""
    config = own(load, "echo", "cjson")
    with start(config, settings="    nbthread %d" % threads) as server:
        requests = [message("/echo", json.dumps(document(180, 3))), message("/echo", b'{"a":[1,2,'),
                    message("/cjson", json.dumps(document(180, 4))), message("/echo", json.dumps(document(6000, 5)))]
        shares = [0.6, 0.2, 0.15, 0.05]
        clients = [Client(server.port) for _ in range(2 * threads)]
        sizes, wrong = [], 0
        for _ in range(4):
            for request, share in zip(requests, shares):
                n = int(count / 4 * share / len(clients))
                for client in clients:
                    wrong += len(client.many(request, n)) != 1
            sizes.append(server.resident())
        same("%s: %d requests, each kind answered alike" % (load, count), wrong, 0)
        check("%s: memory does not grow: %s KB" % (load, sizes), sizes[3] - sizes[1] < 1024 and server.alive(), sizes)
        for client in clients:
            client.close()


# ---- mistakes that the guide warns of ------------------------------------------------------------------------


def fragment(name):
    """A block of the guide with this machine's folders."""
    return named_block(GUIDE, name).replace("/opt/fleece", os.path.dirname(module))


def test_paths():
    asks = write("asks.lua", 'assert(require("fleece").encode { 1 } == "[1]")\n')
    load = "    lua-load %s\n" % asks
    code, said = verdict_of("global\n" + fragment("prepend") + load)
    check("lua-prepend-path with cpath finds the module", code == 0, said)
    code, said = verdict_of("global\n" + load + fragment("prepend"))
    found = "module 'fleece' not found" in said
    if code == 0 and not found:
        skip("lua-prepend-path after lua-load", "this system: this Lua finds an installed Fleece anyway")
    else:
        check("lua-prepend-path after lua-load comes too late", code != 0 and found, said)
    code, said = verdict_of("global\n" + fragment("no-type") + load)
    check("lua-prepend-path without cpath reads the object as a script", code != 0 and
          "error loading module 'fleece' from file '%s'" % module in said, said)
    others = [r for r in ("lua5.4", "lua5.3", "luajit") if r != runtime and os.path.exists("build/%s/fleece.so" % r)]
    if not others:
        return skip("the object of another Lua", "this system: none was built")
    code, said = verdict_of("global\n    lua-prepend-path %s/build/%s/?.so cpath\n" % (ROOT, others[0]) + load)
    check("the object of another Lua is refused with a message", code == 1 and
          "error loading module 'fleece'" in said, said)


def test_relative():
    write("asks.lua", 'require "fleece"\n')
    code, said = verdict_of("global\n    %s\n    lua-load-per-thread asks.lua\n" % CPATH)
    check("a relative path does not begin at the configuration", code != 0 and "cannot open asks.lua" in said, said)


def test_chroot():
    if os.geteuid() != 0:
        return skip("chroot", "this system: only root may")
    cage = os.path.join(work, "cage")
    os.makedirs(cage, exist_ok=True)
    lines = "    %s\n    chroot %s\n" % (CPATH, cage)
    routes = LISTENER + "    http-request use-service lua.encode\n"
    for name, status in (("late", 500), ("early", 200)):
        script = write(name + ".lua", named_block(GUIDE, "chroot-" + name))
        with start("global\n" + lines + "    lua-load %s\n" % script + DEFAULTS + routes) as server:
            got = ask(server.port, "/")
            same("chroot: the module is required %s" % name, got[0], status)
            if status == 200:
                same("chroot: the module works", got[2], b'{"ok":true}')
            else:
                check("chroot: HAProxy logs the reason", "module 'fleece' not found" in server.said(), server.said())


def ask_with_pings(server, path, body):
    """Sends pings during a request; returns its answer, the longest time of a ping in seconds, and the number of pings.
    A request that blocks the thread delays a ping in every try, other work on the machine only in some: so the best
    of three tries counts."""
    ping, best = Client(server.port), None
    for _ in range(3):
        answers, longest, pings = [], 0, 0
        asker = threading.Thread(target=lambda: answers.append(ask(server.port, path, body)))
        asker.start()
        while asker.is_alive():
            begin = time.time()
            if ping.ask("/ping")[2] != b"pong":
                raise AssertionError("a ping got another answer")
            longest = max(longest, time.time() - begin)
            pings += 1
            time.sleep(0.001)
        asker.join()
        if best is None or longest < best[1]:
            best = answers[0], longest, pings
        if longest < 0.5:
            break
    return best


def test_checked():
    """The guide's check against a schema: what passes it, and the answer to what does not."""
    script = write("checked.lua", named_block(GUIDE, "checked"))
    routes = LISTENER + "    option http-buffer-request\n    http-request lua.checked\n" \
        "    http-request return status 200 content-type text/plain string passed\n"
    config = "global\n    nbthread 1\n    %s\n    lua-load %s\n" % (CPATH, script) + DEFAULTS + routes
    with start(config) as server:
        same("checked: a valid body", ask(server.port, "/", b'{"id": 7.0, "items": []}')[::2], (200, b"passed"))
        for body, at, keyword in ((b'{"id": 0}', "/id", "minimum"), (b"{}", "", "required"), (b'{"id": 1', "", ""),
                                  (b'{"id": "\xff"}', "", ""), (b'{"id": 1, "items": [%s]}' % b",".join([b"0"] * 101), "/items", "maxItems")):
            status, headers, text = ask(server.port, "/", body)
            answer = json.loads(text)
            same("checked: %s" % body[:30], (status, headers["content-type"], answer["at"], answer["keyword"], "error" in answer),
                 (400, "application/json", at, keyword, True))
        same("checked: a long body", ask(server.port, "/", b'{"id": 1, "x": "%s"}' % (b"x" * 100000))[0], 413)


def test_slices():
    """The guide's code for many documents lets other requests run in between."""
    script = write("lines.lua", named_block(GUIDE, "slices"))
    routes = LISTENER + "    http-request use-service lua.lines if { path /lines }\n" \
             "    http-request return status 200 content-type text/plain string pong\n"
    config = "global\n    nbthread 1\n    %s\n    lua-load %s\n" % (CPATH, script) + DEFAULTS + routes
    with start(config) as server:
        count = 400000
        body = b"".join(b'{"n":%d,"name":"line"}\n' % i for i in range(count))
        answer, longest, _ = ask_with_pings(server, "/lines", body)
        same("slices: %d documents in one body" % count, json.loads(answer[2]),
             {"count": count, "sum": count * (count - 1) // 2})
        same("an uncaught error is answered with 500", ask(server.port, "/lines", b'{"n":1}\n{"n":\n')[0], 500)
        said = server.said()
        check("HAProxy logs Fleece's message", "unexpected end at line 2, column 1, byte 7" in said, said)
        check("slices: a ping during it never waits half a second", longest < 0.5, longest)
        print("# the longest ping: %.1f ms" % (longest * 1000))


def test_answer():
    """The guide's long answer arrives whole, while its buffers are full."""
    script = write("rows.lua", named_block(GUIDE, "answer"))
    config = "global\n    nbthread 1\n    %s\n    lua-load %s\n" % (CPATH, script) + DEFAULTS + LISTENER + "    http-request use-service lua.rows\n"
    with start(config) as server:
        status, _, text = ask(server.port, "/")
        rows = json.loads(text)
        same("answer: all rows", (status, len(rows), rows[-1]), (200, 100000, {"id": 100000, "name": "row 100000"}))


def test_upload():
    """A body of 28 MB, decoded in steps by the example, with pings on the same thread."""
    routes = LISTENER + "    http-request use-service lua.upload if { path /upload }\n" \
        "    http-request return status 200 content-type text/plain string pong\n"
    config = "global\n    nbthread 1\n    %s\n    lua-load %s\n" % (CPATH, example("upload", 32000000)) + DEFAULTS + routes
    with start(config) as server:
        count = 280000
        body = b"[" + b",".join(b'{"id":%d,"name":"somebody","list":[1,2.5,null],"ok":true,"text":"%s"}' % (i, b"x" * 32)
                                for i in range(count)) + b"]"
        answer, longest, pings = ask_with_pings(server, "/upload", body)
        same("upload: %d bytes in steps" % len(body), (answer[0], json.loads(answer[2])),
             (200, {"items": count}))
        check("upload: a ping during it never waits half a second", longest < 0.5 and pings > 3, (longest, pings))
        print("# the longest of %d pings: %.1f ms" % (pings, longest * 1000))
        status, _, text = ask(server.port, "/upload", body[:-1] + b"\n,x]")
        check("upload: an error at its end is reported with its position", status == 400 and
              "expected a value at line 2, column 2, byte %d" % (len(body) + 2) in json.loads(text)["error"], (status, text))
        same("upload: bodies that are not lists", [ask(server.port, "/upload", body)[0] for body in (b"7", b"null", b"{}", b'{"a":[]}')], [422] * 4)
        same("upload: an empty body", ask(server.port, "/upload", b"")[::2],
             (400, b'{"error":"empty text at line 1, column 1, byte 1"}'))
        same("upload: neither POST nor PUT", ask(server.port, "/upload")[0], 405)


def test_secret():
    """The example does not run without a secret."""
    for secret in (None, ""):
        env = {k: v for k, v in os.environ.items() if k != "JWT_SECRET"}
        env.update({"SCRIPTS": os.path.join(ROOT, EXAMPLES)}, **({} if secret is None else {"JWT_SECRET": secret}))
        before = write("before.cfg", "global\n    %s\n" % CPATH)
        done = subprocess.run([haproxy, "-c", "-f", before, "-f", EXAMPLES + "/haproxy.cfg"], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check("the example refuses the secret %r" % secret, done.returncode != 0 and
              b"JWT_SECRET is not set" in done.stdout, done.stdout.decode())


def test_start():
    """The guide's first steps, unchanged except for folder and port."""
    lines = named_block(GUIDE, "install").replace("lua5.3", runtime).splitlines()
    env = dict(os.environ, PATH=os.environ["PATH"] + ":" + os.path.dirname(haproxy))
    env.pop("MAKEFLAGS", None)
    for line in lines:
        done = subprocess.run(["sh", "-c", line.replace("make install", "make install DESTDIR=" + work)], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check("%s: %s" % (GUIDE, line), done.returncode == 0, done.stdout.decode())
    port = free_port()
    cpath = "%s/usr/local/lib/lua/%s/?.so" % (work, lua)
    command = named_block(GUIDE, "start").replace("haproxy -db", "exec haproxy -db")
    with Server(["sh", "-c", command], port, dict(env, PORT=str(port), LUA_CPATH=cpath)) as server:
        check_console(GUIDE, "try", server.port, 8080)
        # `make install` must replace the file that a server has mapped, and must not overwrite it.
        installed = cpath.replace("?", "fleece")
        before = os.stat(installed).st_ino
        done = subprocess.run(["make", "install", "RUNTIME=" + runtime, "DESTDIR=" + work], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        same("make install replaces the object", (done.returncode, os.stat(installed).st_ino != before), (0, True))
        same("the server with the old object keeps running", ask(port, "/order", '{"items":[]}')[0], 200)


def main():
    check_guide(GUIDE, EXAMPLES, ["install", "start", "try", "prepend", "no-type", "chroot-late", "chroot-early",
                                  "checked", "slices", "answer", "json-query"])
    test_start()
    for load, threads in (("lua-load", 1), ("lua-load", 2), ("lua-load-per-thread", 1), ("lua-load-per-thread", 2)):
        test_examples(load, threads)
    for load in ("lua-load", "lua-load-per-thread"):
        test_threads(load)
        test_models(load)
    test_json_query()
    test_maxmem()
    if os.path.exists("/proc/self/status"):
        test_growth("lua-load-per-thread", 2)
    test_paths()
    test_relative()
    test_chroot()
    test_slices()
    test_answer()
    test_checked()
    test_upload()
    test_secret()
    finish()


main()
