# SPDX-License-Identifier: MIT
"""Writes random cases with the model's results, for tests of other code.

    python3 tests/model/generate.py SEED COUNT DIR

DIR/encode.jsonl, COUNT lines: {"json": text, "fleece_hex": its document in compatible mode, "tojson": the
document's JSON text, "issues": [...]}; up to 2,048 bytes also nounique_hex (without pooled strings) and
shared_hex with state_hex (with a new list of shared keys, and the list's saved state after it).
DIR/validate.jsonl, COUNT lines: {"hex": bytes, "valid": the strict verdict, "why": the reason for refusing,
"json": the JSON text if accepted, "issues": [...], "unclear": [...], "depth": levels of containers}.
json_hex and tojson_hex replace json and tojson if the text is not UTF-8; json is missing if it would exceed 65,536
bytes (a small document with shared values may have a huge text).

issues lists properties of an accepted document that other readers may treat differently: bad_utf8, duplicate_key,
int_key (there is no list of shared keys, so the code itself is printed), non_finite (printed as inf and nan, which are
not JSON), non_minimal, parent_key, reserved_bits, root_pointer_chain, undefined, unsorted_keys. unclear lists open
questions of the specification on which this verdict or text depends; a test should skip such lines or decide the
question.

The same SEED and COUNT give the same files. Dicts of more than 16 pairs have no duplicate keys, whose order would be
unspecified.
"""
import json
import os
import random
import struct
import sys

from fleece_format import (FLT_MAX, REMOVED, Bad, Encoder, SharedKeys, amend, copied, decode, encode,
                           shared_keys_state, validate)
from fleece_json import to_json
from fleece_values import UNDEFINED, Data, Dict, Float32, Int, UInt

LENGTHS = (0, 1, 2, 3, 4, 7, 13, 14, 15, 16, 17, 126, 127, 128, 129)
WORDS = ("id", "name", "type", "x", "y", "", "a", "b", "é", "value", "a_rather_long", "fourteen chars",
         "fifteen chars..", "sixteen chars...", "日本語", "\U0001f600", "tab\tkey", "no/yes", "~", "q\"uote")


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.seen = []

    def chance(self, percent):
        return self.r.random() * 100 < percent

    # ---- JSON text

    def integer(self):
        r = self.r
        k = r.choice((7, 8, 11, 12, 15, 16, 23, 24, 31, 32, 39, 40, 47, 48, 52, 53, 54, 55, 56, 62, 63, 64, 65))
        n = r.choice((2 ** k, 2047, 2048, 2049, r.randrange(2 ** k), r.randrange(100), 10 ** r.randrange(22)))
        n = max(0, n + r.randrange(-2, 3))
        return ("-" if self.chance(45) else "") + str(n)

    def real(self):
        r = self.r
        kind = r.randrange(9)
        if kind == 0:
            x = struct.unpack("<d", struct.pack("<Q", r.getrandbits(64)))[0]
        elif kind == 1:
            x = struct.unpack("<f", struct.pack("<I", r.getrandbits(32)))[0]
        elif kind == 2:
            edge = r.choice((FLT_MAX, 1.0, 2.0 ** 53, 2.0 ** 24, 2.0 ** -126, 2.0 ** -149, 2.0 ** -1022, 0.1, 1e-4,
                             1e-5, 1e23))
            bits = struct.unpack("<Q", struct.pack("<d", edge))
            x = struct.unpack("<d", struct.pack("<Q", bits[0] + r.randrange(-2, 3)))[0]
        elif kind == 3:
            x = r.randrange(-10 ** 6, 10 ** 6) / r.choice((1, 2, 4, 10, 64, 100, 1000))
        elif kind == 4:
            n = self.integer()
            return n + r.choice((".0", "e0", "E+1", "e-1", ".50", "0" * 22 if n.strip("-") != "0" else ".25"))
        elif kind == 5:
            digits = "".join(r.choice("0123456789") for _ in range(r.randrange(1, 40)))
            return "%s%d.%se%+d" % (r.choice(("", "-")), r.randrange(10), digits, r.randrange(-330, 312))
        elif kind == 6:
            return r.choice(("0.0", "-0.0", "-0", "0e9", "1e400", "-1e400", "1e-400", "-1e-400", "5e-324", "2.5e-324",
                             "2.4e-324", "1.7976931348623157e308", "1.7976931348623159e308", "9007199254740993",
                             "9007199254740993.0", "18446744073709551615", "18446744073709551616",
                             "-9223372036854775808", "-9223372036854775809", "1" + "0" * 400, "-1" + "0" * 308))
        elif kind == 7:
            x = float(r.randrange(2 ** r.randrange(1, 70)))
        else:
            x = float("%.*g" % (r.randrange(1, 9), r.random() * 10.0 ** r.randrange(-45, 39)))
        if x != x or abs(x) == float("inf"):
            x = 0.5
        text = repr(x)
        return text.upper() if self.chance(10) else text

    def words(self, n):
        """A string of n bytes of UTF-8."""
        r, out = self.r, ""
        plain = r.random() < 0.6
        while n:
            c = r.choice("abcdefgh XYZ019_-./") if plain else r.choice(
                ("a", "\0", "\x1f", "\x7f", '"', "\\", "/", "\n", "é", "\u07ff", "\u0800", "\uffff", "\U00010000",
                 "\U0010ffff", chr(r.randrange(0x80, 0xd800))))
            if len(c.encode()) <= n:
                out += c
                n -= len(c.encode())
        return out

    def string(self):
        r = self.r
        if self.seen and self.chance(35):
            return r.choice(self.seen)
        s = r.choice(WORDS) if self.chance(30) else self.words(r.choice(LENGTHS) if self.chance(60) else
                                                             r.randrange(20))
        self.seen.append(s)
        return s

    def quoted(self, s):
        r, out = self.r, ['"']
        short = {c: "\\" + e for c, e in zip('"\\/\n\r\t\b\f', '"\\/nrtbf')}
        for c in s:
            must = c in '"\\' or c < " "
            if not must and r.random() > 0.02:
                out.append(c)
            elif c in short and r.random() < 0.7:
                out.append(short[c])
            else:
                units = struct.unpack(">%dH" % (len(c.encode("utf-16-be")) // 2), c.encode("utf-16-be"))
                out.extend("\\u%04x" % u if r.random() < 0.7 else "\\u%04X" % u for u in units)
        return "".join(out) + '"'

    def space(self):
        return "" if self.chance(90) else self.r.choice((" ", "\n", "\t", "\r\n", "  "))

    def listed(self, brackets, parts):
        return brackets[0] + self.space() + ("," + self.space()).join(parts) + self.space() + brackets[1]

    def pair(self, key, value):
        return self.quoted(key) + self.space() + ":" + self.space() + value

    def text(self, room, depth=0):
        """JSON text of about `room` values."""
        r = self.r
        if room <= 1 or depth > 12 or self.chance(5):
            kind = r.randrange(10)
            if kind < 3:
                return self.integer()
            if kind < 5:
                return self.real()
            if kind < 8:
                return self.quoted(self.string())
            return r.choice(("null", "true", "false", "[]", "{}"))
        n = r.randrange(1, min(room, 24) + 1)
        parts = [self.text(room // n, depth + 1) for _ in range(n)]
        if self.chance(50):
            return self.listed("[]", parts)
        keys = [self.string() for _ in parts]
        if n > 16:
            keys = list(dict.fromkeys(keys))
        return self.listed("{}", [self.pair(k, p) for k, p in zip(keys, parts)])

    def deep(self):
        n, out, close = self.r.choice((100, 100, 99, self.r.randrange(1, 100))), "", ""
        for _ in range(n):
            if self.chance(50):
                out, close = out + "[", "]" + close
            else:
                out, close = out + '{"%s":' % self.r.choice("abc"), "}" + close
        return out + self.r.choice(("1", "[]", "{}", '"abc"', "3.25")) + close

    def far(self):
        """A repeated string, and pointers, at about the maximal distance."""
        r = self.r
        s = self.quoted(self.words(r.choice((2, 3, 14, 15))))
        filler = ['"%s"' % ("x" * (32734 - r.randrange(-60, 120) - 20 * r.randrange(3)))]
        if self.chance(30):
            filler += ["%d" % r.randrange(3000, 60000) for _ in range(r.randrange(20))]
        parts = [s] + filler
        for _ in range(r.randrange(1, 4)):
            again = r.choice((s, "[%s]" % s, "[1,%s,%s]" % (s, s), '{%s:%s}' % (s, s), self.text(3)))
            parts.insert(r.randrange(len(parts) + 1), again)
        if self.chance(50):
            return self.listed("[]", parts)
        return self.listed("{}", [self.pair("k%d" % i, p) for i, p in enumerate(parts)])

    def many(self):
        r = self.r
        n = r.choice((2046, 2047, 2048, 2049, 2050, 2047 + 127, 2047 + 128, r.randrange(2000, 2400),
                      r.choice((8100, 8192, 16382, 16383, 18500))))
        item = r.choice((lambda: str(r.randrange(5000)), lambda: "1", lambda: self.quoted("s%d" % r.randrange(50))))
        parts = [item() for _ in range(n)]
        if self.chance(60):
            return self.listed("[]", parts)
        keys = r.sample(range(10 * n), n)
        return self.listed("{}", [self.pair(r.choice(("", "key")) + str(k), p) for k, p in zip(keys, parts)])

    def document(self):
        self.seen = []
        kind = self.r.random() * 100
        if kind < 4:
            return self.deep()
        if kind < 7:
            return self.far()
        if kind < 7.5:
            return self.many()
        if kind < 20:
            return self.listed("[]", [self.integer() if self.chance(50) else self.real() for _ in range(12)])
        if kind < 30:
            return self.listed("[]", [self.quoted(self.words(self.r.choice(LENGTHS))) for _ in range(6)])
        return self.text(self.r.choice((1, 4, 10, 30, 80)))

    # ---- binary documents

    def value(self, room):
        """A value, including kinds that JSON does not have."""
        r = self.r
        if room > 1:
            n = r.randrange(1, min(room, 8) + 1)
            parts = [self.value(room // n) for _ in range(n)]
            return parts if self.chance(50) else Dict((self.string().encode(), p) for p in parts)
        single = struct.unpack("<f", struct.pack("<I", r.getrandbits(32) & 0xbfffffff))[0]
        return r.choice((lambda: Float32(single), lambda: single, lambda: Data(r.randbytes(r.choice(LENGTHS))),
                         lambda: UNDEFINED, lambda: None, lambda: self.chance(50), lambda: r.random(),
                         lambda: Int(min(max(int(self.integer()), -2 ** 63), 2 ** 63 - 1)),
                         lambda: UInt(min(abs(int(self.integer())), 2 ** 64 - 1)),
                         lambda: self.string().encode(), lambda: r.choice(([], Dict()))))()

    def encoded(self, shared=None):
        e = Encoder(self.chance(80), shared)
        e.value(self.value(self.r.choice((1, 3, 8, 20))))
        return e.end()

    def amended(self):
        """A document of a dict, followed by one to three deltas."""
        r = self.r
        e = Encoder()
        e.value(Dict((b"k%d" % i, self.value(r.choice((1, 1, 3)))) for i in range(r.randrange(4, 9))))
        data = e.end()
        for _ in range(r.randrange(1, 4)):
            changes = {b"k%d" % r.randrange(9): REMOVED if self.chance(40) else self.value(1)
                       for _ in range(r.randrange(1, 3))}
            data += amend(data, changes, reuse=self.chance(50))
            if len(data) & 1:
                data += b"\0"
        return data

    def built(self):
        """Values and collections one by one, also in forms that no current encoder writes."""
        r, out, known = self.r, bytearray(), []

        def small():
            return r.choice((b"\x30\0", b"\x34\0", b"\x38\0", b"\x3c\0", b"\x41a", b"\x41b", b"\x40\0", b"\x60\0",
                             b"\x70\0", b"\x50\0", b"\x51\xff", bytes([r.randrange(16), r.randrange(256)]),
                             b"\x10\xff", b"\x18\xff"))

        def inside_wide():
            return r.choice((small().ljust(4, b"\0"), b"\x43abc", b"\x42ab\0", b"\x53abc", b"\x11\0\x80\0",
                             b"\x12\xff\xff\xff", b"\x60\x01" + small(), b"\x4f\x02ab", b"\x4f\x80\0\0"))

        def pointer(width):
            at = r.choice(known[-6:])
            back = (len(out) - at) // 2
            return struct.pack(">I", 1 << 31 | back) if width == 4 else struct.pack(">H", 1 << 15 | back & 0x7fff)

        for _ in range(r.randrange(1, 9)):
            if len(out) & 1:
                out.append(0)
            at = len(out)
            kind = r.randrange(12)
            if kind < 4:
                out += r.choice((b"\x43foo", b"\x42zz", b"\x4f\x8f\x00" + b"p" * 15, b"\x24\0\0\0\xc0\x3f",
                                 b"\x20\0\0\0\xc0\x3f", b"\x28\0" + struct.pack("<d", 0.1), b"\x19\0\x08",
                                 b"\x17" + b"\xff" * 8, b"\x1f" + b"\xff" * 8, b"\x53\0\1\2", b"\x4f\x03xyz",
                                 b"\x2c\0" + struct.pack("<d", 2.0), b"\x10\x05", small()))
            elif kind == 4 and known:
                out += pointer(4)
            else:
                is_dict, wide = self.chance(50), self.chance(40)
                n = r.choice((1, 1, 2, 3, 4))
                out += bytes([0x60 | is_dict << 4 | wide << 3, n])
                if self.chance(3):
                    out[-2:] = bytes([out[-2] | 7, 0xff])
                    out += r.choice((b"\x00\0", b"\x80\0", b"\x80\x80\0\0", b"\xff\0"))
                for i in range(n * (2 if is_dict else 1)):
                    width = 4 if wide else 2
                    if is_dict and i == 0 and known and self.chance(25):
                        out += b"\x08\0".ljust(width, b"\0")
                    elif is_dict and i % 2 == 0 and self.chance(75):
                        key = r.choice((b"\x41a", b"\x41b", b"\x41c", b"\x41d", bytes([0, i]), b"\x40\0", small()))
                        out += key.ljust(width, b"\0")
                    elif known and self.chance(55):
                        out += pointer(width)
                    else:
                        out += inside_wide() if wide else small()
            known.append(at)
        if len(out) & 1:
            out.append(0)
        if self.chance(15):
            out += struct.pack(">I", 1 << 31 | (len(out) - known[-1]) // 2) + b"\x80\x02"
        else:
            out += struct.pack(">H", 1 << 15 | (len(out) - known[-1]) // 2)
        return bytes(out)

    def overlapping(self):
        """A wide array whose slots contain headers of small arrays inside the slots, or of long arrays across them, and
        pointers to these. A small overlap is accepted; the sum of the item bytes decides."""
        r = self.r
        n, inline = r.randrange(1, 12), self.chance(40)
        out = bytearray([0x68, n])
        for i in range(n):
            rest = n - i - 1
            out += b"\x60\x01\x00" + bytes([i]) if inline else \
                bytes([0x00, i, r.choice((0x60, 0x68)) if rest else 0x60, r.randrange(rest + 1)])
        first = len(out)
        targets = [0] + [4 + 4 * i - 2 * inline for i in range(n) if self.chance(60)]
        out += bytes([0x60, len(targets)])
        for t in targets:
            out += struct.pack(">H", 0x8000 | (len(out) - t) // 2)
        return bytes(out) + struct.pack(">H", 0x8000 | (len(out) - first) // 2)

    def old_pointer(self):
        """A narrow pointer with an offset of 15 bits, from before the extern flag, around the limit of 14 bits."""
        n = self.r.choice((32760, 32762, 32764, 32766, 40000, 65520, 65526))
        out = b"\x41a\x4f" + bytes([n & 127 | 128, n >> 7 & 127 | 128, n >> 14]) + b"x" * n + b"\x60\x01"
        return out + struct.pack(">H", 0x8000 | len(out) // 2 & 0x7fff) + b"\x80\x02"

    def lengths(self):
        """Length and count varints of all kinds, in a document that is valid if the varint is."""
        r = self.r
        n = r.choice((0, 1, 2, 3, 14, 15, 16, 127, 128, 200))
        more = r.choice((0, 0, 1, 2, 7, 8, 9))
        coded = bytearray()
        v = n
        while v > 127:
            coded.append(v & 127 | 128)
            v >>= 7
        coded.append(v)
        if more:
            coded[-1] |= 128
            coded += b"\x80" * (max(0, more - len(coded))) + r.choice((b"\0", b"\0", b"\0", b"\1", b"\2", b"\x80"))
        if self.chance(70):
            raw = bytes([r.choice((0x4f, 0x5f))]) + coded + b"s" * n
        else:
            raw = bytes([0x67 | r.choice((0, 8, 16)), 0xff]) + coded
            raw += b"\0" * (len(raw) & 1) + r.choice((b"\x41a\0\0", b"\0\1\0\2")) * (1 + n // 2)
        raw += b"\0" * (len(raw) & 1)
        if self.chance(20) and len(raw) <= 4:
            return b"\x68\x01" + raw.ljust(4, b"\0") + b"\x80\x03"
        return raw + b"\x60\x01" + struct.pack(">H", 0x8000 | (len(raw) + 2) // 2) + b"\x80\x02"

    def mutated(self, data):
        r, b = self.r, bytearray(data)
        for _ in range(r.choice((1, 1, 1, 2, 3))):
            if len(b) < 2:
                break
            at, even = r.randrange(len(b)), r.randrange(len(b) // 2) * 2
            other = r.randrange(len(b) // 2) * 2
            kind = r.randrange(11)
            if kind == 0:
                b[at] ^= 1 << r.randrange(8)
            elif kind == 1:
                b[at] = r.choice((0, 1, 15, 0x10, 0x1f, 0x20, 0x2f, 0x30, 0x3f, 0x40, 0x43, 0x4f, 0x5f, 0x60, 0x61,
                                  0x68, 0x67, 0x70, 0x71, 0x78, 0x7f, 0x80, 0xbf, 0xc0, 0xff, r.randrange(256)))
            elif kind == 2:
                b[even:even + 2] = struct.pack(">H", 0x8000 | r.randrange(1, even // 2 + 2))
            elif kind == 3:
                b[even:even + 4] = struct.pack(">I", 0x80000000 | r.randrange(1, even // 2 + 2))
            elif kind == 4:
                b[-2:] = struct.pack(">H", 0x8000 | r.randrange(1, min(len(b) // 2, 0x7fff) + 1))
            elif kind == 5:
                b[even:even] = r.randbytes(2) if self.chance(50) else b[other:other + 2]
            elif kind == 6:
                del b[even:even + 2]
            elif kind == 7:
                b[even:even + 4] = b[other:other + 4]
            elif kind == 8:
                del b[at:]
            elif kind == 9:
                b[even + 1:even + 2] = bytes([(b[even + 1] + r.choice((-2, -1, 1, 2))) & 255])
            else:
                b[even:even] = r.choice((b"\x4f\xff\xff\xff\xff\x0f", b"\x67\xff\x00\x00", b"\x08\x00", b"\x70\x00",
                                         b"\x80\x01", b"\x80\x00\x00\x02"))
        return bytes(b)

    def binary(self):
        self.seen = []
        kind = self.r.random() * 100
        if kind < 25:
            data = encode(self.text(self.r.choice((1, 3, 8, 25))).encode())
        elif kind < 40:
            data = self.encoded()
        elif kind < 48:
            data = copied(self.encoded())
        elif kind < 58:
            data = self.amended()
        elif kind < 66:
            data = self.encoded(SharedKeys())
        elif kind < 70:
            return self.overlapping()
        elif kind < 74:
            return self.lengths()
        elif kind < 74.2:
            return self.old_pointer()
        else:
            data = self.built()
        return self.mutated(data) if self.chance(65) else data


# ---- the results

def put(line, name, text):
    try:
        line[name] = text.decode()
    except UnicodeDecodeError:
        line[name + "_hex"] = text.hex()


def encode_line(text):
    line, raw = {}, text.encode()
    data = encode(raw)
    put(line, "json", raw)
    line["fleece_hex"] = data.hex()
    put(line, "tojson", to_json(decode(data)))
    line["issues"] = sorted(validate(data).issues)
    if len(data) <= 2048:
        keys = SharedKeys()
        line["nounique_hex"] = encode(raw, unique=False).hex()
        line["shared_hex"] = encode(raw, shared=keys).hex()
        line["state_hex"] = shared_keys_state(keys).hex()
    return line


def open_text(value, issues):
    """The open questions about pairs of dicts with parents that concern this value."""
    found, todo, seen = set(), [value], set()
    while todo:
        v = todo.pop()
        if id(v) in seen or not isinstance(v, (list, Dict)):
            continue
        seen.add(id(v))
        if isinstance(v, list):
            todo.extend(v)
            continue
        todo.extend(x for _, x in v.own)
        if v.parent is not None:
            todo.append(v.parent)
            top = v
            while top.parent is not None:
                top = top.parent
            if any(x is UNDEFINED for _, x in top.own):
                found.add("undefined_in_first_ancestor")
            if issues & {"unsorted_keys", "duplicate_key"}:
                found.add("inheriting_without_order")
    return found


def validate_line(data):
    line, v = {"hex": data.hex()}, validate(data)
    line["valid"] = v.valid
    unclear = set(v.unclear)
    if not v.valid:
        line["why"] = v.why
        other = validate(data, lenient=True)
        unclear = other.unclear if other.valid else set()
    else:
        value = decode(data, verdict=v)
        unclear |= open_text(value, v.issues)
        try:
            put(line, "json", to_json(value, room=65536))
        except Bad:
            pass
        line["depth"] = v.depth
    line["issues"] = sorted(v.issues) if v.valid else []
    line["unclear"] = sorted(unclear)
    return line


def main(seed, count, where):
    os.makedirs(where, exist_ok=True)
    for name, make in (("encode", lambda m: encode_line(m.document())),
                       ("validate", lambda m: validate_line(m.binary()))):
        maker = Maker("%s %s" % (seed, name))
        with open(os.path.join(where, name + ".jsonl"), "w", encoding="ascii") as f:
            for _ in range(int(count)):
                f.write(json.dumps(make(maker)) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
