# SPDX-License-Identifier: MIT
# tshark.py -- Fleece in Wireshark's program for terminals (Lua 5.2), with a file of packets: the guide's dissector, and
# use.lua.

import glob
import os
import shutil
import struct

from common import USE, Unpacked, check_use, cpath_of, finish, module_for, named_block, read, same, work, write

host = Unpacked("tshark", "usr/bin/tshark")
DATA = work + "/data"  # the package has a link to /etc in place of init.lua
shutil.copytree(host.root + "/etc/wireshark", DATA)
for name in glob.glob(host.root + "/usr/share/wireshark/*.lua"):
    if os.path.exists(name):
        shutil.copy(name, DATA)
host.moved("/usr/share/wireshark", DATA, glob.glob(host.root + "/usr/lib/*/libwsutil.so.??")[0])
ENV = dict(cpath_of(module_for("lua5.2")), LD_LIBRARY_PATH=work + ":" + host.env["LD_LIBRARY_PATH"])
packets = b""
for body in (b'{"id":"a/7"}', b'{"id":8}', b"[", b"\xff"):
    udp = struct.pack(">HHHH", 1234, 9000, 8 + len(body), 0) + body
    ip = struct.pack(">BBHHHBBH4B4B", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, 127, 0, 0, 1, 127, 0, 0, 1) + udp
    packets += struct.pack("<IIII", 1, 0, len(ip), len(ip)) + ip
file = os.path.join(work, "packets.pcap")
with open(file, "wb") as f:
    f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101) + packets)
verdict = write("verdict", "")
use = write("use.lua", "local f = io.open(%r, 'w')\nf:write(dofile %r)\nf:close()" % (verdict, USE))
guide = write("orders.lua", named_block("docs/hosts.md", "tshark"))
code, out, err = host.run("-X", "lua_script:" + use, "-X", "lua_script:" + guide, "-r", file, "-T", "fields",
                          "-e", "_ws.col.Protocol", "-e", "orders.id", env=ENV)
check_use("tshark", read(verdict) or out + err, "lua5.2")
same("the guide's dissector", (code, out), (0, "ORDERS\ta/7\nORDERS\t8\nUDP\t\nUDP\t\n"))
finish()
