# SPDX-License-Identifier: MIT
# nginx.py -- Fleece in nginx on a loopback port: the example, the guide, null, cjson, sockets, memory. nginx comes from
# tools/hosts.sh, which only unpacks it: installing its Lua module would remove LuaJIT.

import glob
import http.server
import json
import os
import re
import socket
import subprocess
import threading

from common import (NO_ORDERS, REFUSED, ROOT, Client, Models, Server, Unpacked, ask, check, check_console, check_guide,
                    check_models, finish, free_port, message, module_for, named_block, read, same, skip, work, write)

host = Unpacked("nginx", "usr/sbin/nginx", "-v")
module = module_for("luajit")
place, nginx, ENV = host.root, host.program, host.env
RESTY = place + "/usr/share/lua/5.1/?.lua;"
GUIDE, EXAMPLES = "docs/nginx.md", "examples/nginx"


def here(config, port):
    """A configuration with the unpacked modules, on this port."""
    return config.replace("/usr/lib/nginx/modules", place + "/usr/lib/nginx/modules").replace(":8080", ":%d" % port)


def start(config, *folders, cpath=None):
    port = free_port()
    env = dict(ENV, LUA_CPATH="%s;;" % (cpath or os.path.dirname(module) + "/?.so"),
               LUA_PATH="".join(f + "/?.lua;" for f in folders) + RESTY + ";")
    os.makedirs(work + "/prefix", exist_ok=True)
    command = [nginx, "-e", "stderr", "-p", work + "/prefix", "-c", write("nginx.conf", here(config, port))]
    return Server(command, port, env)


def own(init="", locations="", workers=1):
    """The example's configuration with the test services at /NAME."""
    config = read(EXAMPLES + "/nginx.conf").replace("worker_processes 2", "worker_processes %d" % workers)
    routes = "".join('location = /%s { content_by_lua_block { require("nginx").%s() } }\n' % (s, s)
                     for s in ("info", "echo", "cjson", "which", "yields"))
    config = config.replace('        require "order"\n        require "llm"\n', init + '        require "nginx"\n')
    return re.sub(r"        location = /order \{.*?\n        \}\n", lambda _: routes + locations, config, flags=re.S)


def check_end(name, server):
    """After a server was stopped: no worker has crashed, even during the stop."""
    said = server.said()
    check(name + ": the workers ended in peace", server.process.returncode == 0 and "exited on signal" not in said,
          "%s %s" % (server.process.returncode, said))


TESTS = os.path.join(ROOT, "tests/hosts")


def test_guide():
    """The guide's first steps, unchanged except for folder and port."""
    for line in named_block(GUIDE, "install").splitlines():
        env = {k: v for k, v in os.environ.items() if k != "MAKEFLAGS"}
        done = subprocess.run(["sh", "-c", line.replace("make install", "make install DESTDIR=" + work)], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check("%s: %s" % (GUIDE, line), done.returncode == 0, done.stdout.decode())
    port = free_port()
    config = write("example.conf", here(read(EXAMPLES + "/nginx.conf"), port))
    command = named_block(GUIDE, "start")
    for guides, ours in (("$PWD/examples/nginx/nginx.conf", config), ("/tmp/fleece-nginx", work + "/try"),
                         ("?.lua;;", "?.lua;" + RESTY + ";"), ("nginx -e", "exec nginx -e")):
        check("%s: start has %s" % (GUIDE, guides), guides in command, command)
        command = command.replace(guides, ours)
    with Server(["sh", "-c", command], port, dict(ENV, LUA_CPATH=work + "/usr/local/lib/lua/5.1/?.so;;")) as server:
        check_console(GUIDE, "try", port, 8080)
        test_service(port)
        errors = [e for e in server.said().splitlines() if "[error]" in e and "too large body: 5000000" not in e]
        check("nginx logged no errors except that of the long body", not errors, "\n".join(errors))
    check_end("the guide's nginx", server)


BAD_BODIES = [  # body, Fleece's message
    (b"", "empty text"),
    (b"[1,", "unexpected end at line 1, column 4, byte 4"),
    (b'["\xff"]', "invalid UTF-8 at line 1, column 3"),
    (b'["\\ud800"]', "unpaired surrogate"),
    (b"[01]", "invalid number"),
    (b"[1e999]", "number too large"),
    (b"\0\0\0", "expected a value"),
    (b'{"id":1,"id":2,"items":[]}', "duplicate name"),
    (b'{"id":9007199254740993,"items":[]}', "number not exact"),
    (b"[" * 5000, "nesting too deep"),
    (b"[" * 200000, "nesting too deep"),  # nginx stores these in a file
    (b" " * 200000, "empty text"),
    (b" " * 200000 + b"x", "expected a value at line 1, column 200001"),
]


def test_service(port):
    client = Client(port)
    items = [{"price": 2.5, "quantity": 4}, {"price": 0.1, "quantity": 1}]
    for name, order in (("a small body", items), ("a body in a file", items * 5000)):
        status, headers, text = client.ask("/order", json.dumps({"id": "a/7", "items": order}))
        value = json.loads(text)
        same("order: " + name, (status, headers["content-type"], value["id"], value["count"]),
             (200, "application/json", "a/7", 5 * len(order) // 2))
    wrong = []
    for bad, wanted in BAD_BODIES:
        status, _, text = client.ask("/order", bad)
        if status != 400 or not json.loads(text).get("error", "").startswith(wanted) or b" allow" in text:
            wrong.append("%r: %d %r" % (bad[:20], status, text[:200]))
    check("order: bad bodies are answered with 400 and Fleece's message, without a path", not wrong, "\n".join(wrong))
    wrong = []
    for bad in NO_ORDERS:
        status, headers, text = client.ask("/order", bad)
        if (status, headers["content-type"]) != (422, "application/json") or "error" not in json.loads(text):
            wrong.append("%r: %d %r" % (bad, status, text[:200]))
    check("order: valid JSON that is not an order is answered with 422", not wrong, "\n".join(wrong))
    got = [(what, client.ask("/order", '{"items":[]}', headers, method)[::2]) for what, headers, method, _ in REFUSED]
    wrong = ["%s: %r" % (what, answer) for (what, answer), (_, _, _, wanted) in zip(got, REFUSED)
             if answer[0] != wanted or ("error" in json.loads(answer[1])) != (wanted != 200)]
    check("order: method, type and encoding are checked", not wrong, "\n".join(wrong))
    # It sends no body: nginx closes after its answer, and with unread data a reset could overtake the answer.
    long = Client(port)
    long.socket.sendall(message("/order", headers=[("content-length", "5000000")], method="POST"))
    status, headers, text = long.answer()
    long.close()
    same("order: a body that is too long", (status, headers["content-type"], list(json.loads(text))),
         (413, "application/json", ["error"]))
    same("order: the same connection still serves", client.ask("/order", '{"items":[]}')[0], 200)
    client.close()


def test_models():
    with Models("answers") as answers, Models("streams") as streams:
        config = read(EXAMPLES + "/nginx.conf").replace(":8081", ":%d" % answers.port)
        config = config.replace(":8082", ":%d" % streams.port)
        with start(config, os.path.join(ROOT, EXAMPLES)) as server:
            check_models("models", server.port, answers, streams)
            long = b'{"model":"chat","x":"' + b"x" * 3000000 + b'"}'
            status, _, text = ask(server.port, "/v1/chat/completions", long)
            same("models: a body of 3 MB", (status, len(json.loads(text)["body"])),
                 (200, len(long) + len("large-2026-11") - len("chat")))
            errors = [e for e in server.said().splitlines() if "[error]" in e]
            check("models: nginx logged no errors", not errors, "\n".join(errors))
        check_end("models", server)


def test_checked():
    """The guide's check against a schema: what passes it, and the answer to what does not."""
    os.makedirs(work + "/checked", exist_ok=True)
    with open(work + "/checked/checked.lua", "w") as f:
        f.write(named_block(GUIDE, "checked"))
    with Models("answers") as behind:
        config = own(locations="""location = /checked {
    client_body_buffer_size 4m;
    access_by_lua_block { require("checked").order() }
    proxy_pass http://127.0.0.1:%d;
}
""" % behind.port)
        with start(config, TESTS, work + "/checked") as server:
            for body in (b'{"id": 7.0,  "items": []}', b'{"id": 9007199254740993}'):
                status, _, text = ask(server.port, "/checked", body)
                same("checked: %s" % body, (status, json.loads(text).get("body")), (200, body.decode()))
            for body, at, keyword in ((b'{"id": 0}', "/id", "minimum"), (b'{"id": "\xc3\xa9"}', "/id", "type"), (b"{}", "", "required"),
                                      (b'{"id": 1, "items": [%s]}' % b",".join([b"0"] * 101), "/items", "maxItems"),
                                      (b'{"id": 1', "", ""), (b'{"id": "\xff"}', "", ""), (b"[" * 2000, "", "")):
                status, headers, text = ask(server.port, "/checked", body)
                answer = json.loads(text)
                same("checked: %s" % body[:30], (status, headers["content-type"], answer["at"], answer["keyword"], "error" in answer),
                     (400, "application/json", at, keyword, True))


def value_of(n):
    return {"n": n, "list": [None, {}, [], 0.1, "\u00e9\u20ac\U0001f600", -1, True], "text": "x" * (n % 3000)}


def test_worker():
    blocks = "".join("location = /%s { content_by_lua_block {\n%s\nngx.say('ok')\n} }\n" % (n, named_block(GUIDE, n))
                     for n in ("null", "buffer"))
    blocks += "location = /parser { content_by_lua_block {\n%s\nngx.say(#decode_in_steps('[' .. ('1,'):rep(300000) .. '1]'))" \
              "\n} }\n" % named_block(GUIDE, "parser")
    with start(own(locations=blocks, workers=2), TESTS) as server:
        info = json.loads(ask(server.port, "/info")[2])
        print("# " + info["jit"])
        same("Fleece uses the raw layout in OpenResty's LuaJIT", (info["layout"], info["decode"]), ("luajit", "luajit"))
        same("fleece.null, fleece.cjson.null and ngx.null are equal", info["null"], True)
        same("the guide's null", ask(server.port, "/null")[::2], (200, b"ok\n"))
        if info["buffer"]:
            same("the guide's string.buffer", ask(server.port, "/buffer")[::2], (200, b'{"ok":true}ok\n'))
        else:
            skip("the guide's string.buffer", "this system: this LuaJIT has none")
        same("the guide's decode in steps", ask(server.port, "/parser")[::2], (200, b"300001\n"))
        status, _, text = ask(server.port, "/yields")
        check("a source that yields is an error, not a crash", status == 200 and text == b"false", (status, text))
        wrong, workers = [], set()

        def drive(seed):
            try:
                client = Client(server.port)
                for n in range(200):
                    value = value_of(seed * 1000 + n)
                    status, _, text = client.ask("/echo", json.dumps(value, ensure_ascii=n % 2 == 0))
                    if status != 200 or json.loads(text) != value:
                        wrong.append("%d: %d %r" % (seed, status, text[:100]))
                workers.add(json.loads(client.ask("/info")[2])["worker"])
                client.close()
            except Exception as problem:  # an error must not be lost with its thread
                wrong.append("%d: %r" % (seed, problem))
        drivers = [threading.Thread(target=drive, args=(seed,)) for seed in range(8)]
        for d in drivers:
            d.start()
        for d in drivers:
            d.join()
        check("8 clients, 2 workers: each gets back what it sent", not wrong, "\n".join(wrong[:5]) + server.said())
        print("# workers that served: %d" % len(workers))
    check_end("two workers", server)


def test_cjson():
    text = json.dumps([value_of(n) for n in range(50)] + ["a/b", 1 / 3, 1e100])
    with start(own(init=named_block(GUIDE, "cjson")), TESTS) as server:
        same("the guide's preload: cjson is Fleece's", ask(server.port, "/which")[2], b"true")
        status, _, ours = ask(server.port, "/cjson", text)
    found = glob.glob("/usr/lib/*/lua/5.1/cjson.so") + glob.glob("/usr/local/lib/lua/5.1/cjson.so")
    if not found:
        return skip("the same bytes as lua-cjson", "not installed: lua-cjson")
    cpath = "%s/?.so;%s/?.so" % (os.path.dirname(module), os.path.dirname(found[0]))
    with start(own(), TESTS, cpath=cpath) as server:
        same("without the preload, cjson is lua-cjson", ask(server.port, "/which")[2], b"false")
        theirs = ask(server.port, "/cjson", text)
        same("the same values as with lua-cjson", (status, json.loads(ours)), (theirs[0], json.loads(theirs[2])))
        same("as many bytes as with lua-cjson", len(ours), len(theirs[2]))


def test_shared_and_filter():
    """The guide's documents in a shared dict, and its filter that changes an answer."""
    config = own(locations="""location = /shared { content_by_lua_block {
%s
assert(not put("bad", "[1,"))
assert(put("all", '{"people":[{"name":"Ann"}]}'))
ngx.print(first_name "all", " ", tostring(first_name "none"))
} }
location /filtered {
    header_filter_by_lua_block { ngx.header.content_length = nil }
    body_filter_by_lua_block {
%s
edit_answer { { "set", "model", "x" } }
    }
    proxy_pass http://127.0.0.1:PORT;
}
""" % (named_block(GUIDE, "shared"), named_block(GUIDE, "filter")))
    config = config.replace("http {\n", "http {\n    lua_shared_dict documents 1m;\n", 1)
    answers = {"/filtered/short": b'{"model": "chat", "n": 1.50}', "/filtered/no": b"not JSON"}
    for name, size in (("many", 200000), ("long", 3000000)):
        answers["/filtered/" + name] = b'{"model": "chat", "x": "%s"}' % (b"x" * size)

    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-length", str(len(answers[self.path])))
            self.end_headers()
            self.wfile.write(answers[self.path])

        def log_message(self, *_):
            pass
    backend = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=backend.serve_forever, daemon=True).start()
    with start(config.replace("127.0.0.1:PORT", "127.0.0.1:%d" % backend.server_address[1]), TESTS) as server:
        same("the guide's shared dict", ask(server.port, "/shared")[::2], (200, b"Ann nil"))
        for path, text in answers.items():
            changed = text if path.endswith(("no", "long")) else text.replace(b'"chat"', b'"x"')
            status, _, got = ask(server.port, path)
            check("the guide's filter: " + path, (status, got) == (200, changed), (status, len(got), got[:100], server.said()))
    backend.shutdown()
    backend.server_close()


def mirror(listener):
    """Sends each line back, a little later and in pieces, until a line "end"."""
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return

        def serve(c):
            with c, c.makefile("rb") as lines:
                for line in lines:
                    if line == b"end\n":
                        break
                    c.sendall(line[:5])
                    c.sendall(line[5:])
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def test_sockets():
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=mirror, args=(listener,), daemon=True).start()
    route = "location = /socket { content_by_lua_block {\n%s\nrequire('nginx').socket(each_line)\n} }\n" % (
        named_block(GUIDE, "socket"))
    route += "location = /lines { content_by_lua_block {\n%s\nrequire('nginx').lines(each_line)\n} }\n" % (
        named_block(GUIDE, "socket"))
    answers = []
    with start(own(locations=route), TESTS) as server:
        def drive(n):
            answers.append(ask(server.port, "/socket?port=%d&who=w%d" % (listener.getsockname()[1], n))[2])
        drivers = [threading.Thread(target=drive, args=(n,)) for n in range(20)]
        for d in drivers:
            d.start()
        for d in drivers:
            d.join()
        for data, wanted in ((b'{"n":1}\n[2]\n', b"true nil 2"), (b"", b"true nil 0"),
                             (b'{"n":1}\n{"n', b"nil the last line is cut off 1"),
                             (b"[1]\n\"" + b"x" * 70000 + b'"\n', b"nil a line is too long 1"),
                             (b'"' + b"x" * 65534 + b'"\n[1]\n', b"true nil 2"),
                             (b'"' + b"x" * 65535 + b'"\n', b"nil a line is too long 0")):
            sender = socket.create_server(("127.0.0.1", 0))
            threading.Thread(target=flood, args=(sender, data), daemon=True).start()
            got = ask(server.port, "/lines?port=%d" % sender.getsockname()[1])[2]
            same("the guide's lines: %r" % data[:12], got, wanted)
            sender.close()
        same("20 requests use cosockets at once and Fleece in between", answers, 20 * [b"[50,1275]"])
    check_end("sockets", server)
    listener.close()


def test_turns():
    """Counts the pings that the worker serves during long work. During work that never yields there are none: a single
    call of decode, and the recipes with ngx.sleep(0)."""
    def slept(name, seconds):
        recipe = named_block(GUIDE, name)
        check("%s: %s sleeps between two steps" % (GUIDE, name), "ngx.sleep(0.001)" in recipe, recipe)
        return recipe.replace("ngx.sleep(0.001)", "ngx.sleep(%s)" % seconds)
    listener = socket.create_server(("127.0.0.1", 0))
    line = b'{"n":1,"text":"%s"}\n' % (b"x" * 200)
    threading.Thread(target=flood, args=(listener, line * 50000), daemon=True).start()
    connect = "local s = ngx.socket.tcp(); assert(s:connect('127.0.0.1', %d))\n" % listener.getsockname()[1]
    works = {"whole": ("", "require('fleece').decode(text)")}
    for kind, seconds in (("turns", "0.001"), ("none", "0")):
        works["parser_" + kind] = (slept("parser", seconds), "decode_in_steps(text)")
        works["writer_" + kind] = (slept("writer", seconds), "print_in_steps(value)")
    works["socket_turns"] = (slept("socket", "0.001"), connect + "assert(each_line(s, function() end))")
    routes = "location = /ping { content_by_lua_block { require('nginx').ping() } }\n" + "".join(
        "location = /%s { content_by_lua_block {\nlocal test = require('nginx')\n%s\n"
        "test.count_pings(function(value, text)\n%s\nend)\n} }\n" % (name, recipe, work) for name, (recipe, work) in works.items())
    with start(own(locations=routes), TESTS) as server:
        for name in works:
            done = []
            asker = threading.Thread(target=lambda: done.append(ask(server.port, "/" + name)))
            asker.start()
            while asker.is_alive():
                ask(server.port, "/ping")
            asker.join()
            found = re.search(rb"pings=(\d+)$", done[0][2]) if done else None
            pings = int(found.group(1)) if found else -1
            print("# pings during %s: %d" % (name, pings))
            if name.endswith("_turns"):
                check("turns: pings are served during " + name, pings >= 10, "%d %s" % (pings, server.said()))
            else:
                check("turns: no pings during %s, so the test works" % name, 0 <= pings <= 3, pings)
    check_end("turns", server)
    listener.close()


def flood(listener, data):
    """Sends all data as fast as possible to the first client."""
    connection, _ = listener.accept()
    with connection:
        connection.sendall(data)


def test_growth(count=100000):
    with start(own(init=named_block(GUIDE, "cjson")), TESTS) as server:
        worker = json.loads(ask(server.port, "/info")[2])["worker"]
        requests = [message("/echo", json.dumps(value_of(180))), message("/echo", b'{"a":[1,2,'),
                    message("/cjson", json.dumps(value_of(181))), message("/echo", json.dumps(value_of(2999)))]
        sizes, wrong = [], 0
        for _ in range(4):
            for request, share in zip(requests, (0.6, 0.2, 0.15, 0.05)):
                left = int(count / 4 * share)
                while left > 0:
                    client, n = Client(server.port), min(left, 1000)  # keepalive_requests
                    wrong += len(client.many(request, n)) != 1
                    client.close()
                    left -= n
            sizes.append(server.resident(worker))
        same("%d requests, each kind answered alike" % count, wrong, 0)
        check("memory does not grow: %s KB" % sizes, sizes[3] - sizes[1] < 1024 and server.alive(), sizes)
    check_end("many requests", server)


check_guide(GUIDE, EXAMPLES, ["install", "start", "try", "null", "cjson", "parser", "writer", "socket", "buffer",
                             "checked", "shared", "filter"])
test_guide()
test_models()
test_worker()
test_cjson()
test_checked()
test_shared_and_filter()
test_sockets()
test_turns()
if os.path.exists("/proc/self/status"):
    test_growth()
finish()
