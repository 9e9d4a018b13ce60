# SPDX-License-Identifier: MIT
# common.py -- helpers for the tests in real servers: TAP lines, starting and stopping a server, a small HTTP/1.1
# client, code blocks of the guides. It needs only Python's standard library.

import atexit
import base64
import glob
import hashlib
import hmac
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(ROOT)
for name in [n for n in os.environ if n.startswith(("LUA_PATH", "LUA_CPATH", "LUA_INIT", "FLEECE_"))]:
    del os.environ[name]


# ---- verdicts ------------------------------------------------------------------------------------------------

failures = 0


def check(name, good, seen=""):
    global failures
    print(("ok - " if good else "not ok - ") + name)
    if not good:
        failures += 1
        for line in str(seen)[:4000].splitlines():
            print("#   " + line)
    sys.stdout.flush()


def same(name, got, wanted):
    check(name, got == wanted, "got    %r\nwanted %r" % (got, wanted))


def skip_all(why):
    print("SKIPPED: " + why)
    sys.exit(77)


def skip(name, why):
    print("ok - %s # SKIP %s" % (name, why))


def finish():
    sys.exit(1 if failures else 0)


def module_for(runtime):
    """The path of the object for this Lua; if it is not built, the test ends."""
    if os.environ.get("ONLY_RUNTIME", runtime) not in ("", runtime):
        skip_all("this system: this server has %s, and only %s was asked for" % (runtime, os.environ["ONLY_RUNTIME"]))
    path = os.path.join(ROOT, "build", runtime, "fleece.so")
    if os.path.exists(path):
        return path
    if subprocess.run(["tools/where.sh", "include", runtime], stdout=subprocess.DEVNULL).returncode:
        skip_all("not installed: no headers for " + runtime)
    print("%s was not built" % path)
    sys.exit(1)


def find_haproxy():
    """HAProxy, what it says of itself, the version of its Lua, and the module for that; if one is missing, the test ends."""
    haproxy = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if not haproxy:
        skip_all("not installed: haproxy")
    about = subprocess.run([haproxy, "-vv"], stdout=subprocess.PIPE).stdout.decode()
    lua = re.search(r"Built with Lua version : Lua (5\.\d)", about)
    if not lua:
        skip_all("this system: this haproxy was built without Lua")
    return haproxy, about, lua.group(1), module_for("lua" + lua.group(1))


class Unpacked:
    """A program of build/hosts/NAME, with the environment that it needs; if it is not there, the test ends.
    `version` is the option to try it with, or None."""

    def __init__(self, name, program, version="--version"):
        self.root = os.path.join(ROOT, "build/hosts", name)
        self.program = os.path.join(self.root, program)
        if not os.path.exists(self.program):
            skip_all("not installed: no %s in build/hosts (tools/hosts.sh %s fetches it from Debian)" % (name, name))
        libraries = glob.glob(self.root + "/**/lib*.so.*", recursive=True)
        self.env = {"LD_LIBRARY_PATH": ":".join(sorted({os.path.dirname(f) for f in libraries})),
                    "PATH": os.path.dirname(self.program) + ":" + os.environ["PATH"]}
        if not version:
            return
        about = subprocess.run([self.program, version], env=dict(os.environ, **self.env), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if about.returncode:
            skip_all("this system: the unpacked %s does not run here" % name)
        print("# " + about.stdout.decode("utf-8", "replace").strip().splitlines()[0])

    def moved(self, old, new, file=None):
        """Writes a copy of the program, or of one of its libraries, that uses the folder `new` instead of `old`; returns its
        path. A name in a binary cannot grow: it is a short link, filled up with slashes."""
        link = tempfile.mktemp(dir="/tmp")
        os.symlink(new, link)
        atexit.register(os.unlink, link)
        with open(file or self.program, "rb") as f:
            data = f.read().replace(old.encode(), link.ljust(len(old), "/").encode())
        path = os.path.join(work, os.path.basename(file or self.program))
        with open(path, "wb") as f:
            f.write(data)
        os.chmod(path, 0o755)
        return path

    def run(self, *arguments, env=None):
        """Runs it to its end; returns (exit code, standard output, standard error)."""
        done = subprocess.run([self.program] + list(arguments), env=dict(os.environ, **dict(self.env, **(env or {}))),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=work,
                              timeout=60)
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def cpath_of(module):
    return {"LUA_CPATH": os.path.dirname(module) + "/?.so;;"}


work = tempfile.mkdtemp(prefix="fleece-hosts-")
os.chmod(work, 0o755)
atexit.register(shutil.rmtree, work, True)


def write(name, text):
    path = os.path.join(work, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- servers -------------------------------------------------------------------------------------------------


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A program that listens on a port; it runs from construction to stop()."""

    running = []

    def __init__(self, command, port, env=None):
        self.port, self.log = port, tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
                                        env=dict(os.environ, **(env or {})))
        Server.running.append(self)
        for _ in range(200):
            if self.process.poll() is not None:
                raise RuntimeError("the server ended at once: " + self.said())
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("no server listens: " + self.said())

    def said(self):
        self.log.seek(0)
        return self.log.read().decode("utf-8", "replace")

    def alive(self):
        return self.process.poll() is None

    def resident(self, pid=None):
        """Kilobytes in memory; Linux only."""
        with open("/proc/%d/status" % (pid or self.process.pid)) as f:
            return int(re.search(r"VmRSS:\s*(\d+)", f.read()).group(1))

    def peak(self):
        """The highest number of kilobytes in memory so far; Linux only."""
        with open("/proc/%d/status" % self.process.pid) as f:
            return int(re.search(r"VmHWM:\s*(\d+)", f.read()).group(1))

    def stop(self, how=signal.SIGTERM):
        if self in Server.running:
            Server.running.remove(self)
        if self.alive():
            self.process.send_signal(how)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


atexit.register(lambda: [s.stop() for s in list(Server.running)])


# ---- a client ------------------------------------------------------------------------------------------------


def message(path, body=None, headers=(), method=None):
    """The bytes of one request."""
    if isinstance(body, str):
        body = body.encode()
    lines = ["%s %s HTTP/1.1" % (method or ("GET" if body is None else "POST"), path), "host: localhost"]
    lines += ["%s: %s" % pair for pair in headers]
    if body is not None:
        lines.append("content-length: %d" % len(body))
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b"")


class Client:
    """A persistent connection; each answer is (status, headers, body)."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input = self.socket.makefile("rb")

    def answer(self):
        first = self.input.readline()
        if not first:
            raise EOFError("the server closed the connection")
        headers = {}
        for line in iter(self.input.readline, b"\r\n"):
            if not line:
                raise EOFError("the answer ends in its headers")
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while True:
                size = int(self.input.readline(), 16)
                body += self.input.read(size)
                self.input.readline()
                if size == 0:
                    break
        else:
            body = self.input.read(int(headers.get("content-length", 0)))
        return int(first.split()[1]), headers, body

    def ask(self, *args, **named):
        self.socket.sendall(message(*args, **named))
        return self.answer()

    def many(self, request, count, at_once=50):
        """Sends one request `count` times, with up to at_once answers pending; returns the set of (status, body)."""
        seen = set()
        for start in range(0, count, at_once):
            n = min(at_once, count - start)
            self.socket.sendall(request * n)
            for _ in range(n):
                status, _, body = self.answer()
                seen.add((status, body))
        return seen

    def close(self):
        self.input.close()
        self.socket.close()


def ask(port, *args, **named):
    """One request on a new connection."""
    client = Client(port)
    try:
        return client.ask(*args, **named)
    finally:
        client.close()


def resolve(port, name):
    """Asks for the A record of a name; returns the response code and the last four bytes, which may be an address."""
    labels = b"".join(bytes([len(p)]) + p.encode() for p in name.split(".")) + b"\0"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.settimeout(10)
        s.sendto(b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + labels + b"\0\1\0\1", ("127.0.0.1", port))
        answer = s.recv(1000)
    return answer[3] & 15, socket.inet_ntoa(answer[-4:]) if answer[7] else None


# ---- a server of language models for the proxies ---------------------------------------------------------------


class Models:
    """Answers with what it received. If the body says "stream": true it sends one event, waits until `seen` is set, and
    sends another: a proxy that keeps the answer back until it is complete never sees the second."""

    def __init__(self, name):
        self.seen, models = threading.Event(), self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                size = self.headers["content-length"]
                body = self.rfile.read(int(size)) if size else b"".join(iter(self.chunk, b""))
                if json.loads(body).get("stream") is True:
                    return self.stream()
                answer = json.dumps({"server": name, "path": self.path, "body": body.decode()}).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def chunk(self):
                chunk = self.rfile.read(int(self.rfile.readline(), 16))
                self.rfile.readline()
                return chunk

            def stream(self):
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                for event in (name, "seen"):
                    self.wfile.write(b"%x\r\ndata: %s\n\n\r\n" % (len(event) + 8, event.encode()))
                    if event == name and not models.seen.wait(10):
                        return  # the connection ends within the answer
                self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # proxies end connections without more ado
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def check_models(name, port, answers, streams):
    """The proxy for language models: changes `model` alone, refuses unclear requests, passes on streams."""
    path = "/v1/chat/completions"
    body = '{ "messages" : [{"role":"user","content":"\\u00e9\\n\u20ac"}], "model": "chat", "seed": 1.50, ' \
        '"x": 12345678901234567890 }'
    client = Client(port)
    for what, text, wanted in (
            ("", body, None), ("long, ", body.replace("\\n", "\\n" * 6000), None),
            ("draft, ", '{"model":"draft","stream":false}', '{"model":"small-2026-11","stream":false}'),
            ("shorter, ", '{"model":"\\u0063hat","a":[]}', '{"model":"large-2026-11","a":[]}')):
        status, _, answer = client.ask(path, text)
        wanted = wanted or text.replace('"chat"', '"large-2026-11"')
        same("%s: %smodel is replaced, the rest stays" % (name, what), (status, json.loads(answer)),
             (200, {"server": "answers", "path": path, "body": wanted}))
    client.socket.sendall(b"POST %s HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n" % path.encode() +
                          b"8\r\n{\"model\"\r\n8\r\n:\"chat\"}\r\n0\r\n\r\n")
    same(name + ": a body in chunks", json.loads(client.answer()[2])["body"], '{"model":"large-2026-11"}')
    wrong = []
    for text, status, reason in (
            (body.replace("1.50", "1e999"), 400, "number too large"), ('{"model":"chat"', 400, "unexpected end"),
            ("", 400, "empty text"),
            (b'{"model":"chat","x":"\xff"}', 400, "invalid UTF-8"), ('{"model":"root"}', 404, "no such model"),
            ('{"model":null}', 404, "no such model"), ("[]", 404, "no such model"), ("7", 404, "no such model"),
            ('{"model":"chat","model":"chat"}', 400, "several members"),
            ('{"model":"chat","stream":false,"stream":true}', 400, "several members"),
            ('{"model":"root","mod\\u0065l":"chat"}', 400, "several members")):
        got, _, answer = client.ask(path, text)
        if got != status or reason not in json.loads(answer).get("error", "") or b" allow" in answer:  # options are not for clients
            wrong.append("%r: %d %r" % (text, got, answer))
    check(name + ": what is not a clear request is refused", not wrong, "\n".join(wrong))
    same(name + ": GET is refused", client.ask(path)[0], 405)
    same(name + ": a compressed body is refused", client.ask(path, "{}", [("content-encoding", "gzip")])[0], 415)
    client.close()
    client = Client(port)
    client.socket.sendall(message(path, '{"model":"chat","stream":true}'))
    client.socket.settimeout(5)
    got = b""
    while b"data: streams\n\n" not in got:
        got += client.socket.recv(4096) or b"data: streams\n\n(the end)"
    streams.seen.set()
    while b"\r\n0\r\n\r\n" not in got:
        got += client.socket.recv(4096) or b"\r\n0\r\n\r\n(the end)"
    check(name + ": a stream is passed on as it comes", b"data: seen" in got and b"(the end)" not in got, got)
    client.close()


# ---- tests for each host -------------------------------------------------------------------------------------

USE = os.path.join(ROOT, "tests/hosts/use.lua")  # returns its results as JSON text


# Valid JSON that is not an order: the examples' service must answer with 422 and an error in JSON.
NO_ORDERS = (
    "null", "7", '"x"', "true", "[]", '{"items":null}', '{"items":[null]}', '{"items":[{"price":"1"}]}',
    '{"items":{"a":{"price":1,"quantity":1}}}', '{"items":{}}', '{"items":[],"id":null}', '{"items":[],"id":[[]]}',
    '{"items":[{"price":1e308,"quantity":1e10}]}',
    '{"items":[{"price":1e308,"quantity":1e10},{"price":-1e308,"quantity":1e10}]}',
)


REFUSED = [  # for the same service: name, request headers, method, expected status
    ("no POST", [], "GET", 405), ("a form", [("content-type", "application/x-www-form-urlencoded")], "POST", 415),
    ("not quite JSON", [("content-type", "application/json5")], "POST", 415),
    ("compressed", [("content-encoding", "gzip")], "POST", 415),
    ("with a charset", [("content-type", "application/json; charset=utf-8")], "POST", 200),
]


def check_use(name, text, layout):
    """Checks the results of use.lua in a host: no errors, and the expected layout."""
    try:
        verdict = json.loads(text)
    except ValueError:
        return check(name + ": use.lua ran", False, text)
    print("# %s, read and written as %s" % (verdict["lua"], verdict["info"]["layout"]))
    check(name + ": use.lua finds no errors", verdict["wrong"] == [] and verdict["checks"] >= 20, text)
    same(name + ": the layout for reading and making tables", (verdict["info"]["layout"], verdict["info"]["decode"]),
         (layout, layout))


def check_orders(name, port):
    """The small service of docs/hosts.md returns a field of a valid body, or Fleece's message for an invalid one."""
    for body, wanted in (('{"id":"a/7","items":[]}', (200, {"id": "a/7"})), (json.dumps({"id": 8, "x": "y" * 200000}),
                         (200, {"id": 8})), (b'["\xff"]', (400, "invalid UTF-8 at line 1, column 3")),
                         ("[" * 5000, (400, "nesting too deep")), (b"", (400, "empty text")),
                         ("7", (422, "an id expected")), ("false", (422, "an id expected")),
                         ('{"id":null}', (422, "an id expected")), ('{"id":1,"id":2}', (400, "duplicate name"))):
        status, headers, text = ask(port, "/order", body)
        value = json.loads(text)
        if status >= 400 and value.get("error", "").startswith(wanted[1]):
            value = wanted[1]
        same("%s: order %r" % (name, body[:20]), (status, headers["content-type"], value),
             (wanted[0], "application/json", wanted[1]))


# ---- guides --------------------------------------------------------------------------------------------------


def blocks(path):
    """The fenced blocks of a guide: (language, name, text). A comment <!-- test: NAME --> before a block names it."""
    found, name, text, language = [], None, None, None
    for line in read(path).splitlines():
        if text is not None:
            if line.startswith("```"):
                found.append((language, name, "".join(text)))
                text = name = None
            else:
                text.append(line + "\n")
        elif line.startswith("```"):
            language, text = line[3:].strip(), []
        elif line.strip():
            match = re.match(r"<!-- test: (\S+) -->", line)
            name = match.group(1) if match else None
    return found


def squeeze(text):
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def check_guide(guide, examples, tested):
    """Each block of configuration or Lua is an excerpt of an example, or has a name that a test uses."""
    sources = [squeeze(read(os.path.join(examples, f))) for f in sorted(os.listdir(examples))]
    known = blocks(guide)
    lost = [text for language, name, text in known if name is None and not any(squeeze(text) in s for s in sources)]
    check("%s: each block is an excerpt of %s or is run" % (guide, examples), not lost, "\n----\n".join(lost))
    names = {name for _, name, _ in known if name}
    same("%s: each named block is run" % guide, sorted(names), sorted(tested))
    check("%s has blocks" % guide, len(known) >= 5, known)


def named_block(guide, wanted):
    for _, name, text in blocks(guide):
        if name == wanted:
            return text
    raise KeyError("%s has no block %s" % (guide, wanted))


def check_console(guide, name, port, documented):
    """Runs the `$ command` lines of a block; the lines below each must be its output."""
    if not shutil.which("curl"):
        return skip("%s: what the guide types" % guide, "not installed: curl")
    commands = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", named_block(guide, name), re.M)
    check("%s: %s shows commands" % (guide, name), len(commands) > 0, name)
    for command, wanted in commands:
        said = subprocess.run(["sh", "-c", command.replace(":%d" % documented, ":%d" % port)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=30).stdout.decode("utf-8", "replace")
        same("%s: %s" % (guide, command), said.strip(), wanted.strip())


# ---- requests ------------------------------------------------------------------------------------------------


def token(claims, secret="s3cret", algorithm="HS256"):
    """A JSON Web Token."""
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")
    text = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
    signed = part(json.dumps({"alg": algorithm, "typ": "JWT"}).encode()) + b"." + part(text)
    sign = hmac.new(secret.encode(), signed, hashlib.sha256).digest() if algorithm != "none" else b""
    return (signed + b"." + part(sign)).decode()


BAD_BODIES = [  # body, Fleece's message
    (b"", "empty text"),
    (b"[1,", "unexpected end at line 1, column 4, byte 4"),
    (b'{"a" 1}', "expected ':' at line 1, column 6"),
    (b'{"a":1} x', "text after the value"),
    (b'["\xff"]', "invalid UTF-8 at line 1, column 3"),
    (b'["\\ud800"]', "unpaired surrogate"),
    (b"[01]", "invalid number"),
    (b"[1e999]", "number too large"),
    (b"\0\0\0", "expected a value"),
    (b"[" * 5000, "nesting too deep"),
    (b'{"id":1,"id":2,"items":[]}', "duplicate name"),
    (b'{"id":18446744073709551616,"items":[]}', "number not exact"),
]
