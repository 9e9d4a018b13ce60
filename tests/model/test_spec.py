# SPDX-License-Identifier: MIT
"""Tests the model: the examples of the format's specification, comparison with Python's json, and each strict rule
with a document made for it. Prints TAP. Needs no data."""
import json
import os
import struct
import sys
import tempfile

import generate
from fleece_format import Encoder, amend, decode, encode, validate
from fleece_json import float_text, parse_json, to_json
from fleece_paths import MISSING, apply_delta, format_date, make_delta, parse_date, pointer_rfc6901
from fleece_values import Bad, Dict, Float32, equal

TESTS = []


def test(f):
    TESTS.append(f)
    return f


def same(got, want, what=""):
    if got != want:
        raise AssertionError("%s: got %.300r, want %.300r" % (what, got, want))


def h(text):
    return bytes.fromhex(text)


EXAMPLES = """
[]                          6000
[null]                      6001 3000 8002
{"f":42}                    7001 4166 002a 8003
["a","hello","a","hello"]   4568656c6c6f 6004 4161 8005 4161 8007 8005
[2048]                      190008 00 6001 8003 8002
[-2049]                     11fff7 00 6001 8003 8002
[65536]                     1a000001 6001 8003 8002
[1.5]                       24000000c03f 6001 8004 8002
[0.1]                       28009a9999999999b93f 6001 8006 8002
["abcdefghijklmno"]         4f0f6162636465666768696a6b6c6d6e6f 00 6001 800a 8002
[[1],[2,3]]                 6001 0001 6002 0002 0003 6002 8006 8005 8003
{"b":1,"a":"xy"}            427879 00 7002 4161 8004 4162 0001 8005
{"a":1,"a":2}               7002 4161 0001 4161 0002 8005
{"foo":123}                 43666f6f 7001 8003 007b 8003
[18446744073709551616]      24000000805f 6001 8004 8002
3000                        19b80b 00 8002
{"a":{"a":1},"list":[10,"ten"]} \
7001 4161 0001 446c697374 00 4374656e 6002 000a 8004 7002 4161 800d 800b 8007 8005
"""


@test
def worked_examples():
    for line in EXAMPLES.strip().split("\n"):
        text, want = line.split(None, 1)
        same(encode(text.encode()).hex(), want.replace(" ", ""), text)


@test
def reach_of_narrow_pointers():
    def end_of(filler):
        return encode(b'["hi","%s"]' % (b"x" * filler))
    same(end_of(32756)[-8:].hex(), "6002bfffbffe8003")
    for n in (32757, 32758):
        same(end_of(n)[-12:].hex(), "68028000400080004000" + "8005")
    same(encode(b"[" + b",".join([b"1"] * 16382) + b"]")[-6:].hex(), "800040008002")


@test
def wide_items_by_position():
    # "hi" is at position 0 and occurs again as the last of 23 items; the items start after the header.
    outcomes = set()
    for filler in range(32690, 32722):
        data = encode(b'["hi","%s",%s,"hi"]' % (b"x" * filler, b",".join([b"7"] * 20)))
        first = 4 + (4 + filler + 1) // 2 * 2 + 2
        same(data.count(b"\x42hi"), 1)
        wide = first + 2 * 22 > 32766
        same(data[first - 2:first].hex(), "6817" if wide else "6017", "first item at %d" % first)
        outcomes.add(wide)
    same(outcomes, {True, False})


@test
def reach_of_the_pool():
    for filler in range(32700, 32760):
        data = encode(b'["hi","%s",["hi"]]' % (b"x" * filler))
        # The filler has 1 byte, 3 of length and its text; "hi" with its padding has 4; the inner "hi" would be next.
        distance = 4 + (4 + filler + 1) // 2 * 2
        same(data.count(b"\x42hi"), 1 if distance <= 32734 else 2, "at %d" % distance)


VERDICTS = """
accept 3000 : a lone value
accept 4161 : a lone string
refuse 4261 : a lone string past its end
refuse 6001 : a lone array that has items
refuse 8001 : a pointer and nothing else
refuse 30003000 : no pointer at the end
refuse 60008002 : pointer before the start
refuse 60008000 : pointer of offset 0
refuse 4361 8001 : root in the trailer
refuse 7001 3800 0001 8003 : key true
refuse 7001 1005 0001 8003 : key an integer that is not small
refuse 7001 5161 0001 8003 : key data
refuse 7001 6000 0001 8003 : key an array
refuse 7001 0fff 0001 8003 : key -1
accept 7001 0000 0001 8003 : key 0
accept 7001 07ff 0001 8003 : key 2047
refuse 7001 0800 0005 8003 : parent a number
refuse 6001 0001 7001 0800 8004 8003 : parent an array
accept 7001 4161 0001 7001 0800 8005 8003 : parent a dict
refuse 4fffffffffff0f00 8004 : length over 32 bits
refuse 4fffffffffffffffffff0200 8006 : length over 64 bits
accept 4f80808080808080808000 00 8006 : length 0 in ten bytes
refuse 4f8080808080808080808000 8006 : eleven bytes
refuse 67ff88888888888888888888888888888008 : bad count
accept 6801 43616263 8003 : three letters in a wide slot
accept 6801 12443322 8003 : three data bytes in a wide slot
refuse 6801 13443322 8003 : four do not fit
refuse 6001 4261 8002 : two letters in a narrow slot
accept 6801 60010005 8003 : an array in a wide slot
refuse 6801 60020005 8003 : two items do not fit
accept 6808 60010001 60010002 60010003 60010004 60010005 60010006 60010007 60010008 8011 : inline arrays do not overlap
accept 4161 80000001 8002 : a chain at the root
refuse 4161 4361 80000001 8002 : a chain at the root that overlaps the root
refuse 6001 8001 8002 : an array in itself
accept 6003 0001 0002 8002 8004 : an item that points to another item
"""


@test
def strict_rules():
    for line in VERDICTS.strip().split("\n"):
        want, rest = line.split(None, 1)
        v = validate(h(rest.split(" : ")[0]))
        same(v.valid, want == "accept", line + " / " + v.why)


@test
def flags_without_base():
    same(validate(h("6000 6001 c001 8002")).why, "pointer before the start", "15 bits")
    data = b"\x60\x00" + b"\x4f\xfe\xff\x01" + b"x" * 32766 + b"\x60\x01"
    at = len(data)
    legacy = data + struct.pack(">H", 0x8000 | at // 2) + b"\x80\x02"
    same((at // 2 > 0x3fff, validate(legacy).valid, to_json(decode(legacy))), (True, True, b"[[]]"))
    same(validate(legacy).unclear, {"legacy_pointer"})
    same(validate(h("6000 6801 c0000002 8003")).valid, False, "wide")


@test
def sum_of_the_items():
    # Headers in the unused halves of wide slots: array i contains the slots after it.
    outcomes = set()
    for n in range(1, 13):
        out = bytearray([0x68, n])
        for i in range(n):
            out += bytes([0, i, 0x68, n - i - 1])
        at = len(out)
        out += bytes([0x60, n + 1])
        for t in [0] + [4 + 4 * i for i in range(n)]:
            out += struct.pack(">H", 0x8000 | (len(out) - t) // 2)
        out += struct.pack(">H", 0x8000 | (len(out) - at) // 2)
        valid = 2 * (n + 1) + 4 * n + sum(4 * (n - i - 1) for i in range(n)) <= len(out)
        v = validate(bytes(out))
        same((v.valid, v.why), (valid, "" if valid else "overlapping collections"), n)
        outcomes.add(valid)
    same(outcomes, {True, False})


@test
def chains_are_linear():
    out, count = bytearray(h("6000 80000001") + h("80000002") * 30000), 5000
    head, at = len(out) - 4, len(out)
    out += h("6fff") + bytes([(count - 2047) & 127 | 128, (count - 2047) >> 7])
    for _ in range(count):
        out += struct.pack(">I", 1 << 31 | (len(out) - head) // 2)
    out += struct.pack(">I", 1 << 31 | (len(out) - at) // 2) + h("8002")
    v = validate(bytes(out))
    same((v.valid, v.why), (True, ""))
    same(to_json(decode(bytes(out)), room=10 ** 6), b"[" + b",".join([b"[]"] * count) + b"]")


@test
def inheritance():
    base = encode(b'{"a":1,"b":2,"c":3,"d":4,"e":5}')
    text = b'{"a":1,"b":2,"c":3,"d":4,"e":5}'
    data, levels = base, []
    for i in range(4):
        data += amend(data, {b"b": parse_json(b"%d" % (10 + i))})
        v = validate(data)
        same((v.valid, v.why), (True, ""))
        levels.append(v.depth)
        same(to_json(decode(data)), text.replace(b'"b":2', b'"b":%d' % (10 + i)))
        same(decode(data).get(b"b"), 10 + i)
        same(decode(data).get(b"zz", MISSING), MISSING)
    same(levels, [2, 3, 1, 2], "two ancestors at most")
    for base, inherits in ((b'{"a":1,"b":2}', False), (b'{"a":1,"b":2,"c":3}', True)):
        data = encode(base)
        data += amend(data, {b"a": None})
        same(validate(data).depth, 2 if inherits else 1, "fewer changes and one than members")


@test
def float_text_of_all_kinds():
    # 33554450 is halfway between two floats and is read as the even one below it.
    same(float_text(Float32(33554448.0)), "3.355445e+07")
    same(float_text(Float32(33554452.0)), "3.3554452e+07")
    # The text must be read as the same float, and no shorter text may be.
    for bits in list(range(1, 70)) + [(e << 23) + d for e in range(1, 255) for d in (0, 1, 0x7fffff)]:
        x = struct.unpack("<f", struct.pack("<I", bits))[0]
        text = float_text(Float32(x))
        same(struct.pack("<f", float(text)), struct.pack("<I", bits), text)
        digits = len(text.split("e")[0].replace(".", "").strip("0"))
        for n in range(digits - 1):
            same(struct.pack("<f", min(float("%.*e" % (n, x)), 3.4e38)) == struct.pack("<I", bits), False, text)


@test
def dates_both_ways():
    for year in list(range(-30, 30)) + [399, 400, 1600, 1899, 1900, 1999, 2000, 2024, 2100, 9999]:
        for day in ("01-01", "02-28", "03-01", "12-31"):
            text = "%s%04d-%sT01:02:03Z" % ("-" if year < 0 else "", abs(year), day)
            if year == 0:
                continue
            same(format_date(parse_date(text)).decode(), text)
    import datetime
    epoch = datetime.datetime(1970, 1, 1)
    for d in range(1, 3652059, 997):
        date = datetime.datetime.fromordinal(d)
        same(parse_date(date.strftime("%%04d-%m-%dT00:00Z") % date.year), (date - epoch).days * 86400000, str(date))


@test
def pointers_of_rfc_6901():
    doc = parse_json(b'{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}')
    v = decode(encoded(doc))
    for pointer, want in (("/foo/0", b'"bar"'), ("/", b"0"), ("/a~1b", b"1"), ("/c%d", b"2"), ("/e^f", b"3"),
                          ("/g|h", b"4"), ("/i\\j", b"5"), ('/k"l', b"6"), ("/ ", b"7"), ("/m~0n", b"8")):
        same(to_json(pointer_rfc6901(v, pointer.encode())), want, pointer)
    same(pointer_rfc6901(v, b"") is v, True)
    same(pointer_rfc6901(v, b"/foo/-") is MISSING, True)
    for bad in (b"foo", b"/foo/01", b"/foo/x", b"/a~2b"):
        try:
            pointer_rfc6901(v, bad)
        except Bad:
            continue
        raise AssertionError(bad)


def encoded(value):
    e = Encoder()
    e.value(value)
    return e.end()


def plain(v):
    """The value in the form of Python's json, with the last of equal keys."""
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, Dict):
        return {k.decode(): plain(x) for k, x in v.items()}
    if isinstance(v, bytes):
        return v.decode()
    return v if v is None or isinstance(v, bool) else int(v) if isinstance(v, int) else float(v)


@test
def against_the_json_of_python():
    maker = generate.Maker("json")
    sys.setrecursionlimit(5000)
    for _ in range(1500):
        text = maker.document()
        tree, theirs = parse_json(text.encode()), json.loads(text, parse_int=as_here)
        same(json.dumps(plain(tree)), json.dumps(theirs), text)
        data = encode(text.encode())
        v, value = validate(data), decode(data)
        same((v.valid, v.why, v.unclear), (True, "", set()))
        if "duplicate_key" not in v.issues:
            same(equal(tree, value), True, text)
            if "non_finite" not in v.issues:
                same(json.loads(to_json(value), parse_int=as_here), theirs, "and back")


def as_here(digits):
    """Integers beyond 64 bits are doubles."""
    n = int(digits) if len(digits) < 30 else 2 ** 64
    return n if -2 ** 63 <= n < 2 ** 64 else float(digits)


@test
def deltas_apply():
    maker = generate.Maker("deltas")
    for _ in range(600):
        old, new = (decode(encode(maker.text(maker.r.choice((2, 6, 15))).encode())) for _ in "12")
        if isinstance(old, Dict) and isinstance(new, Dict):
            new = Dict(old.items() + new.items())
        old, new = (decode(encoded(first_of_equal(v))) for v in (old, new))
        d = make_delta(old, new)
        same(equal(apply_delta(old, decode(encoded(d))), new), True, to_json(d))


def first_of_equal(v):
    if isinstance(v, list):
        return [first_of_equal(x) for x in v]
    if isinstance(v, Dict):
        return Dict((k, first_of_equal(x)) for k, x in dict(reversed(v.items())).items())
    return v


@test
def generated_lines_hold():
    with tempfile.TemporaryDirectory() as d:
        generate.main("7", "400", d)
        for name in ("encode", "validate"):
            with open(os.path.join(d, name + ".jsonl")) as f:
                first = f.read()
            lines = [json.loads(x) for x in first.splitlines()]
            same(len(lines), 400)
            generate.main("7", "400", os.path.join(d, "again"))
            with open(os.path.join(d, "again", name + ".jsonl")) as f:
                same(f.read() == first, True, "the same again")
        accepted = [x for x in lines if x["valid"]]
        same(100 < len(accepted) < 300, True, "%d accepted" % len(accepted))
        for x in accepted:
            data = h(x["hex"])
            if "json" in x and not {"undefined", "int_key", "non_finite", "duplicate_key"} & set(x["issues"]):
                json.loads(x["json"])
            if not {"int_key", "parent_key", "duplicate_key", "unsorted_keys", "non_finite"} & set(x["issues"]):
                value = decode(data)
                same(equal(decode(encoded(value)), value), True, x["hex"])


def main():
    failures = 0
    for i, f in enumerate(TESTS):
        try:
            f()
            print("ok %d - %s" % (i + 1, f.__name__))
        except Exception as e:
            failures += 1
            print("not ok %d - %s\n#   %s: %.600s" % (i + 1, f.__name__, type(e).__name__, str(e).replace("\n", " ")))
    print("1..%d" % len(TESTS))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
