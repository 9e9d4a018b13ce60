# SPDX-License-Identifier: MIT
"""JSON text (bytes) to values and back, number text, and the JSON5 filter.

Numbers have the types that the binary format distinguishes: UInt without a minus, Int with one, float with '.', 'e'
or 'E' or beyond 64 bits. Duplicate keys are kept. The grammar is strict RFC 8259, with any value at top level.
"""
import base64
import re
import struct
from fractions import Fraction

from fleece_values import Bad, Data, Dict, Float32, Int, UInt, UNDEFINED

_SPACE = re.compile(rb"[ \t\n\r]*")
_STRING = re.compile(rb'"((?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(rb"\\(u[0-9a-fA-F]{4}|.)", re.S)
_SIMPLE = {b'"': b'"', b"\\": b"\\", b"/": b"/", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_WORDS = ((b"null", None), (b"true", True), (b"false", False))


# ---- text to values

def unescape(raw):
    out, at, high = [], 0, None
    for m in _ESCAPE.finditer(raw):
        if high is not None and m.start() != at:
            raise Bad("lone surrogate")
        out.append(raw[at:m.start()])
        at, what = m.end(), m.group(1)
        unit = int(what[1:], 16) if len(what) == 5 else None
        if high is not None:
            if unit is None or not 0xdc00 <= unit <= 0xdfff:
                raise Bad("lone surrogate")
            out.append(chr(0x10000 + ((high - 0xd800) << 10) + unit - 0xdc00).encode())
            high = None
        elif unit is None:
            out.append(_SIMPLE[what])
        elif 0xd800 <= unit <= 0xdbff:
            high = unit
        elif 0xdc00 <= unit <= 0xdfff:
            raise Bad("lone surrogate")
        else:
            out.append(chr(unit).encode())
    if high is not None:
        raise Bad("lone surrogate")
    out.append(raw[at:])
    return b"".join(out)


def number(text, fraction):
    if not fraction and len(text) <= 20:
        n = int(text)
        if -2 ** 63 <= n < 2 ** 64:
            return Int(n) if text.startswith(b"-") else UInt(n)
    return float(text)


def parse_json(data, limit=None):
    """limit=100 allows, like the reference, 100 levels of containers with content, and one more empty container."""
    at, stack, key = 0, [], None

    def space():
        nonlocal at
        at = _SPACE.match(data, at).end()

    def string():
        nonlocal at
        m = _STRING.match(data, at)
        if not m:
            raise Bad("string expected at %d" % at)
        at = m.end()
        return unescape(m.group(0)[1:-1])

    def name():
        nonlocal at
        text = string()
        space()
        if data[at:at + 1] != b":":
            raise Bad("colon expected at %d" % at)
        at += 1
        space()
        return text

    space()
    while True:
        c = data[at:at + 1]  # a value must start here
        if c in (b"[", b"{") and c:
            at += 1
            space()
            value, end = ([], b"]") if c == b"[" else (Dict(), b"}")
            if limit is not None and len(stack) > limit:
                raise Bad("too deep")
            if data[at:at + 1] != end:
                if limit is not None and len(stack) >= limit:
                    raise Bad("too deep")
                stack.append((value, key))
                if c == b"{":
                    key = name()
                continue
            at += 1
        elif c == b'"':
            value = string()
        else:
            for word, value in _WORDS:
                if data.startswith(word, at):
                    at += len(word)
                    break
            else:
                m = _NUMBER.match(data, at)
                if not m:
                    raise Bad("value expected at %d" % at)
                at = m.end()
                value = number(m.group(0), m.group(1) or m.group(2))
        while True:  # a value is complete
            space()
            if not stack:
                if at != len(data):
                    raise Bad("text after the value at %d" % at)
                return value
            top, outer = stack[-1]
            is_list = isinstance(top, list)
            top.append(value) if is_list else top.own.append((key, value))
            c = data[at:at + 1]
            at += 1
            if c == b",":
                space()
                key = None if is_list else name()
                break
            if c != (b"]" if is_list else b"}"):
                raise Bad("comma or end expected at %d" % (at - 1))
            value, key = stack.pop()


# ---- values to text

def _shortest32(bits):
    """(digits, exponent E) of the shortest decimal 0.DIGITS x 10^E that reads back as this positive float."""
    mantissa, exponent = bits & 0x7fffff, bits >> 23
    m = mantissa | 0x800000 if exponent else mantissa
    unit = Fraction(2) ** (max(exponent, 1) - 150)
    value = m * unit
    above = value + unit / 2
    below = value - (unit / 4 if mantissa == 0 and exponent > 1 else unit / 2)
    ends = m % 2 == 0  # a tie is rounded to even when it is read

    def reads_back(x):
        return below < x < above or ends and x in (below, above)

    e = 0
    while value >= Fraction(10) ** e:
        e += 1
    while value < Fraction(10) ** (e - 1):
        e -= 1
    for n in range(1, 10):
        scale = Fraction(10) ** (e - n)
        floor = value // scale
        good = [d for d in (floor, floor + 1) if d > 0 and reads_back(d * scale)]
        if good:
            d = min(good, key=lambda d: (abs(d * scale - value), d % 2))
            text = str(d)
            return text.rstrip("0"), e + len(text) - n
    raise AssertionError("nine digits tell every float")


def _shortest64(value):
    mantissa, exponent = ("%r" % value if "e" in "%r" % value else "%re0" % value).split("e")
    whole, _, part = mantissa.partition(".")
    digits = (whole + part).lstrip("0")
    e = len(whole) + int(exponent) if whole != "0" else int(exponent) - (len(part) - len(part.lstrip("0")))
    return digits.rstrip("0"), e


def float_text(value):
    x, single = float(value), isinstance(value, Float32)
    if x != x:
        return "nan"
    sign = "-" if struct.pack(">d", x)[0] & 0x80 else ""
    x = abs(x)
    if x == float("inf"):
        return sign + "inf"
    if x == 0:
        return sign + "0.0"
    digits, e = _shortest32(struct.unpack("<I", struct.pack("<f", x))[0]) if single else _shortest64(x)
    if e < -3 or x > (2.0 ** 24 if single else 2.0 ** 53):
        rest = "." + digits[1:] if len(digits) > 1 else ""
        return "%s%s%se%s%02d" % (sign, digits[0], rest, "-" if e - 1 < 0 else "+", abs(e - 1))
    if e <= 0:
        return sign + "0." + "0" * -e + digits
    return sign + digits[:e].ljust(e, "0") + "." + (digits[e:] or "0")


_QUOTED = re.compile(rb'["\\\x00-\x1f\x7f]')
_SHORT = {b'"': b'\\"', b"\\": b"\\\\", b"\n": b"\\n", b"\r": b"\\r", b"\t": b"\\t"}
_BARE_KEY = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]*\Z")


def quote(text):
    return b'"' + _QUOTED.sub(lambda m: _SHORT.get(m.group(0)) or b"\\u%04x" % m.group(0)[0], text) + b'"'


def _scalar(v):
    if v is None:
        return b"null"
    if v is UNDEFINED:
        return b"undefined"
    if v is True or v is False:
        return b"true" if v else b"false"
    if isinstance(v, int):
        return b"%d" % v
    if isinstance(v, float):
        return float_text(v).encode()
    if isinstance(v, Data):
        return quote(base64.b64encode(v))
    return quote(v)


def _key(k, json5):
    if isinstance(k, int):
        return b"%d" % k
    return k if json5 and _BARE_KEY.match(k) else quote(k)


def to_json(value, canonical=False, json5=False, room=None):
    """room: raise Bad if the text would be longer than this (a small document may have a huge text)."""
    out, size, stack = [], 0, []

    def put(piece):
        nonlocal size
        out.append(piece)
        size += len(piece)
        if room is not None and size > room:
            raise Bad("the text is too long")

    while True:
        if isinstance(value, list):
            put(b"[")
            stack.append((iter([(None, v) for v in value]), b"]", len(out)))
        elif isinstance(value, Dict):
            pairs = value.items()
            if canonical:
                pairs.sort(key=lambda p: b"%d" % p[0] if isinstance(p[0], int) else p[0])
            put(b"{")
            stack.append((iter(pairs), b"}", len(out)))
        else:
            put(_scalar(value))
        while stack:
            pairs, close, first = stack[-1]
            pair = next(pairs, None)
            if pair is not None:
                break
            put(close)
            stack.pop()
        else:
            return b"".join(out)
        if len(out) != first:
            put(b",")
        if close == b"}":
            put(_key(pair[0], json5) + b":")
        value = pair[1]


# ---- JSON5 to JSON: a filter that keeps numbers and escapes; the JSON parser checks them

_BLANK = re.compile(rb"(?:[ \t\n\r]|//[^\n]*|/\*.*?\*/)*", re.S)
_BARE = re.compile(rb"[A-Za-z_$][A-Za-z0-9_]*")
_DIGITS = re.compile(rb"[0-9.]*(?:[eE][+-]?[0-9]*)?")


def json5_to_json(text):
    at, out = 0, []

    def blank():
        nonlocal at
        at = _BLANK.match(text, at).end()
        if text[at:at + 1] == b"/":
            raise Bad("comment")
        return text[at:at + 1]

    def string(mark):
        nonlocal at
        at += 1
        out.append(b'"')
        while True:
            c = text[at:at + 1]
            at += 1
            if c == b"":
                raise Bad("unterminated string")
            if c == mark:
                out.append(b'"')
                return
            if c == b"\\":
                c = text[at:at + 1]
                at += 1
                out.append(b"" if c == b"\n" else c if c == b"'" else b"\\" + c)
            else:
                out.append(b'\\"' if c == b'"' else c)

    def key():
        nonlocal at
        c = blank()
        if c in (b'"', b"'") and c:
            string(c)
        else:
            m = _BARE.match(text, at)
            if not m:
                raise Bad("key")
            at = m.end()
            out.append(b'"' + m.group(0) + b'"')
        if blank() != b":":
            raise Bad("colon")
        at += 1
        out.append(b":")

    def value():
        nonlocal at
        c = blank()
        if c == b"[" or c == b"{":
            end = b"]" if c == b"[" else b"}"
            at += 1
            out.append(c)
            more = False
            while blank() != end:
                if more:
                    out.append(b",")
                if c == b"{":
                    key()
                value()
                more = True
                if blank() == b",":
                    at += 1
                elif blank() != end:
                    raise Bad("comma")
            at += 1
            out.append(end)
        elif c in (b'"', b"'") and c:
            string(c)
        elif c and c in b"+-.0123456789":
            if c == b"+":
                at += 1
            elif c == b"-":
                at += 1
                out.append(c)
            if c != b"-" and text[at:at + 1] == b".":
                out.append(b"0")
            m = _DIGITS.match(text, at)
            at = m.end()
            out.append(m.group(0))
        else:
            for word, _ in _WORDS:
                if text.startswith(word, at):
                    at += len(word)
                    out.append(word)
                    return
            raise Bad("value")

    value()
    if blank() != b"":
        raise Bad("text after the value")
    return b"".join(out)
