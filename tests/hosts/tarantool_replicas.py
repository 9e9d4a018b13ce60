# SPDX-License-Identifier: MIT
# tarantool_replicas.py -- the example of docs/tarantool.md on a replica set of three: texts are upgraded, read on a replica,
# changed by deltas; a replica and then the instance that is written to are killed under load, and nothing is lost.

import atexit
import glob
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from common import ROOT, Unpacked, check, cpath_of, finish, module_for, named_block, same

host = Unpacked("tarantool", "usr/bin/tarantool")
# Paths of sockets have to be short.
folder = tempfile.mkdtemp(prefix="fleece-", dir="/tmp")
atexit.register(shutil.rmtree, folder, True)
ENV = dict(os.environ, **host.env, **cpath_of(module_for("luajit")), LUA_PATH=os.path.join(ROOT, "lua/?.lua;;"))
GUIDE, COMMAND = "docs/tarantool.md", "examples/tarantool/instance.lua"


def three_ports():
    """The first of three ports in a row that nobody uses; below those that systems give to connections, because an instance
    that is killed needs its port again."""
    for _ in range(100):
        first, held = random.randrange(20000, 32000), []
        try:
            for i in range(3):
                held.append(socket.socket())
                held[-1].bind(("127.0.0.1", first + i))
            return first
        except OSError:
            continue
        finally:
            for s in held:
                s.close()
    raise RuntimeError("no three ports in a row")


class Instance:
    """An instance of the example; `ask` runs Lua in it."""

    def __init__(self, number, port):
        self.number, self.port, self.process = number, port, None
        atexit.register(self.kill)

    def start(self):
        self.home = os.path.join(folder, str(self.number))
        self.process = subprocess.Popen([host.program, COMMAND, str(self.number), folder, str(self.port)], env=ENV,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def ask(self, code):
        """Runs Lua code; returns the line of YAML that its value is."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(20)
            s.connect(os.path.join(self.home, "control"))
            stream = s.makefile("rb")
            stream.readline(), stream.readline()  # the greeting
            s.sendall(b" ".join(code.encode().split(b"\n")) + b"\n")
            lines = []
            for line in iter(stream.readline, b"...\n"):
                if not line:
                    raise EOFError("the console ended: " + self.log())
                lines.append(line.decode().rstrip())
        return " ".join(line.strip() for line in lines[1:]).replace("- ", "", 1)

    def log(self):
        with open(os.path.join(self.home, "instance.log"), encoding="utf-8", errors="replace") as f:
            return f.read()[-2000:]

    def bytes_of_log(self):
        return sum(os.path.getsize(f) for f in glob.glob(self.home + "/*.xlog"))


def until(what, instance, code, wanted, seconds=20):
    """Asks until the answer is the wanted one."""
    give_up, got = time.time() + seconds, None
    while time.time() < give_up:
        try:
            got = instance.ask(code)
            if got == wanted:
                return True
        except (OSError, EOFError) as e:
            got = repr(e)
        time.sleep(0.05)
    check(what, False, "%s\n%s" % (got, instance.log() if os.path.exists(instance.home) else ""))
    finish()


port = three_ports()
one, two, three = instances = [Instance(i + 1, port) for i in range(3)]
for i in instances:
    i.start()
for i in instances:
    until("instance %d starts" % i.number, i, "return box.info.status == 'running' and box.space.orders ~= nil", "true")
same("the guide starts three", named_block(GUIDE, "start"), "".join("tarantool %s %d &\n" % (COMMAND, i + 1) for i in range(3)))
one.ask(named_block(GUIDE, "write"))
for line in named_block(GUIDE, "read").splitlines():
    code, wanted = line.split("-->")
    until("the guide: " + code, two, code, wanted.strip())
one.ask("box.space.orders:truncate()")

# From texts to documents, while one reads on a replica.
one.ask("""fleece = require 'fleece.tarantool'
  box.schema.space.create('texts', { format = { { 'id', 'unsigned' }, { 'text', 'string' } } }):create_index('id')
  local lines = {} for i = 1, 120 do lines[i] = { sku = 'item ' .. i, price = i * 1.25, count = i % 7, note = 'said ' .. i * i } end
  box.begin() for id = 1, 2000 do box.space.texts:replace { id, fleece.encode { lines = id % 100 == 0 and lines or { lines[id % 120 + 1] },
    customer = { name = 'customer ' .. id, city = id % 3 == 0 and 'Rome' or 'Oslo' }, state = 'new', empty = fleece.object() } } end box.commit()
  box.space.texts:replace { 2001, 'no JSON' }""")
until("the texts are on a replica", two, "return box.space.texts:len()", "2001")
same("a text is read as a document is", two.ask("return orders.get(7, 'customer', 'name')"), "customer 7")
same("texts are upgraded", one.ask("return orders.upgrade(100)"), "2000")
same("what is no JSON stays", one.ask("return box.space.texts:get(2001)[2]"), "no JSON")
until("the documents are on a replica", two, "return box.space.orders:len()", "2000")
same("a field on a replica", two.ask("return orders.get(7, 'customer', 'name')"), "customer 7")
same("an item of a list", two.ask("return orders.get(100, 'lines', 3, 'sku')"), "item 3")
same("nothing there", two.ask("return orders.get(7, 'customer', 'x') == nil and orders.get(9999, 'x') == nil"), "true")
same("the index on a field", two.ask("return #orders.of_city 'Rome'"), "666")
same("an empty object stays one", two.ask("return require('json').encode(require('fleece.tarantool').unpack("
                                          "require('fleece.tarantool').from_field(box.space.orders:get(7)[2])).empty)"), "'{}'")
check("a damaged document is refused", "value runs past its end" in one.ask(
    "return box.space.orders:replace { 3000, require('fleece.tarantool').to_field 'xx' }"))
check("a replica is not written to", "read-only" in two.ask("return orders.put(1, '{}')"))

# A change: the delta alone is logged.
before, size = one.bytes_of_log(), int(one.ask("return #box.space.orders:get(200)[2]"))
one.ask("orders.change(200, function(order) order.state = 'paid' order.lines[3].count = 17 end)")
logged = one.bytes_of_log() - before
check("the log has the delta, %d bytes for a document of %d" % (logged, size), 0 < logged < size / 5)
until("the change is on a replica", three, "return orders.get(200, 'state') .. orders.get(200, 'lines', 3, 'count')", "paid17")
one.ask("orders.change(200, function(order) order.customer.city = 'Bari' end)")
until("a changed field is found", three, "return #orders.of_city 'Bari' .. orders.of_city('Bari')[1]", "'1200'")
one.ask("for i = 1, 500 do orders.change(200, function(order) order.state = 'state ' .. i end) end")
check("documents do not grow without end", int(one.ask("return #box.space.orders:get(200)[2]")) <= 2 * size + 200)

# How long one field takes on a replica, by all three ways. Measured only.
print("# one field of a document of %s bytes, microseconds: %s" % (size, two.ask(
    """local clock, fleece, json, msgpack = require 'clock', require 'fleece.tarantool', require 'json', require 'msgpack'
    local tuple = box.space.orders:get(300) local text = fleece.to_json(fleece.from_field(tuple[2])) local packed = msgpack.encode(json.decode(text))
    local other = box.tuple.new { 1, json.decode(text), text, tuple[2] }
    local function time(f) collectgarbage() local start = clock.proc() for i = 1, 2000 do f() end return
      math.floor((clock.proc() - start) / 2000 * 1e7 + 0.5) / 10 end
    return ('document %s, checked %s, tuple with a map %s, json.decode %s, fleece.pick %s'):format(
      time(function() return fleece.open(fleece.from_field(other[4]), { trusted = true }):get('lines', 60, 'sku') end),
      time(function() return fleece.open(fleece.from_field(other[4])):get('lines', 60, 'sku') end),
      time(function() return other[2].lines[60].sku end), time(function() return json.decode(other[3]).lines[60].sku end),
      time((function() local pick = fleece.pick 'lines[59].sku' return function() return pick(other[3]) end end)()))""")))

# Under load: rows come, change and go without end, each with a number that is told when it is committed.
LOAD = """committed, stop = 0, false require('fiber').create(function() local fiber = require 'fiber' while not stop do
  local n = committed + 1 orders.put(10000 + n, '{"n":' .. n .. ',"state":"new","customer":{"city":"City ' .. n % 50 .. '"}}')
  orders.change(10000 + n, function(order) order.state = 'changed' end) orders.change(n % 2000 + 1, function(order) order.seen = n end)
  if n % 10 == 0 then box.space.orders:delete(10000 + n - 5) end committed = n if n % 20 == 0 then fiber.sleep(0.001) end end end)"""
# A number that depends on each byte of each row.
SUM = """local crc, digest = 0, require 'digest' for _, t in box.space.orders:pairs() do
  crc = digest.crc32(('%s,%d,%s,%s,%s'):format(crc, t[1], t[2], tostring(t[3]), tostring(t[4]))) end return crc"""


def all_equal(what):
    """Whether all three have the rows of the first."""
    signature = one.ask("return box.info.vclock[1]")
    for i in (two, three):
        until("%s: instance %d follows" % (what, i.number), i, "return box.info.vclock[1]", signature)
    same(what, [i.ask(SUM) for i in (two, three)], [one.ask(SUM)] * 2)


one.ask(LOAD)
for _ in range(2):
    time.sleep(0.5)
    two.kill()
    seen = int(one.ask("return committed"))
    time.sleep(1)
    check("the others go on without it", int(one.ask("return committed")) > seen and three.ask("return box.info.ro") == "true")
    two.start()
    until("the killed replica follows again", two, "return box.info.replication[1].upstream.status", "follow")
time.sleep(0.5)
one.ask("stop = true")
time.sleep(0.1)
print("# %s rounds of writes" % one.ask("return committed"))
all_equal("a replica was killed twice, and all three have the same rows")
same("its index as well", two.ask("return #orders.of_city 'City 7'"), one.ask("return #orders.of_city 'City 7'"))

# The instance that is written to is killed: what it has committed is there when it comes back.
one.ask(LOAD)
time.sleep(0.5)
seen = int(one.ask("return committed"))
one.kill()
same("the replicas can be read meanwhile", two.ask("return orders.get(200, 'state')"), "state 500")
one.start()
until("it starts again", one, "return box.info.status", "running")
until("it can be written to", one, "return orders.put(5000, '{}')[1]", "5000")
same("all that was committed is there", one.ask("for n = 1, %d do if n %% 10 ~= 5 and not (orders.get(10000 + n, 'n') == n) then"
                                                " return n end end return 'all'" % seen), "all")
all_equal("and on the replicas")
finish()
