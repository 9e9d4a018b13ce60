# SPDX-License-Identifier: MIT
"""Parts of a value: key paths, both forms of JSON pointers, deep iteration; JSON deltas; dates; conversions."""
import re

from fleece_values import UNDEFINED, Bad, Data, Dict, UInt, equal

MISSING = object()


def member(value, key):
    return value.get(key, MISSING) if isinstance(value, Dict) else MISSING


def element(value, i):
    if not isinstance(value, list):
        return MISSING
    i = i + len(value) if i < 0 else i
    return value[i] if 0 <= i < len(value) else MISSING


# ---- key paths

def parse_path(text):
    """A list of bytes (names) and int (indexes)."""
    if not text:
        raise Bad("empty path")
    steps, at = [], 0
    if text[:1] == b"$":
        at = 1
        if text[1:2] not in (b"", b".", b"["):
            raise Bad("delimiter after $")
    if text[at:at + 1] not in (b".", b"["):
        text = text[:at] + b"." + text[at:]
    while at < len(text):
        c = text[at:at + 1]
        at += 1
        if c == b"[":
            m = re.compile(rb"(-?[0-9]+)(\]|\Z)").match(text, at)
            if not m or not -2 ** 31 <= int(m.group(1)) < 2 ** 31:
                raise Bad("array index")
            steps.append(int(m.group(1)))
            at = m.end()
        elif c == b".":
            name = b""
            while at < len(text) and text[at:at + 1] not in (b".", b"["):
                if text[at:at + 1] == b"\\":
                    at += 1
                    if at == len(text):
                        raise Bad("backslash at the end")
                name += text[at:at + 1]
                at += 1
            if name:
                steps.append(name)
        else:
            raise Bad("path component")
    return steps


def path_text(steps):
    out = b""
    for s in steps:
        if isinstance(s, int):
            out += b"[%d]" % s
        else:
            text = re.sub(rb"([.\[\\])", rb"\\\1", s)
            out += b"." + text if out else b"\\" + text if text.startswith(b"$") else text
    return out


def follow_path(value, steps):
    for s in steps:
        value = element(value, s) if isinstance(s, int) else member(value, s)
        if value is MISSING:
            break
    return value


# ---- JSON pointers

def pointer_reference(value, text):
    """Like the reference: no ~0 and ~1, and a trailing slash is ignored, so that '/' is the root."""
    if not text.startswith(b"/"):
        raise Bad("must start with /")
    rest = text[1:]
    if rest.endswith(b"/"):
        rest = rest[:-1]
    for part in rest.split(b"/") if rest else []:
        if isinstance(value, list):
            if not re.fullmatch(rb"[0-9]+", part):
                raise Bad("array index")
            value = element(value, int(part))
        else:
            value = member(value, part)
        if value is MISSING:
            break
    return value


def pointer_rfc6901(value, text):
    if not text:
        return value
    if not text.startswith(b"/"):
        raise Bad("must start with /")
    if re.search(rb"~(?![01])", text):
        raise Bad("escape")
    for part in text[1:].split(b"/"):
        if isinstance(value, list):
            if part == b"-":
                return MISSING
            if not re.fullmatch(rb"0|[1-9][0-9]*", part):
                raise Bad("array index")
            value = element(value, int(part))
        else:
            value = member(value, part.replace(b"~1", b"/").replace(b"~0", b"~"))
        if value is MISSING:
            break
    return value


# ---- deep iteration

def deep_visits(root):
    """(path text, JSON pointer text, value) of the root, its items in order, then the contents of containers, the last
    container first."""
    visits, waiting = [(b"", b"/", root)], [(b"", b"", root)]
    while waiting:
        path, pointer, value = waiting.pop()
        if isinstance(value, list):
            steps = [(b"[%d]" % i, b"/%d" % i, v) for i, v in enumerate(value)]
        elif isinstance(value, Dict):
            steps = []
            for k, v in value.items():
                k = b"%d" % k if isinstance(k, int) else k
                plain = re.fullmatch(rb"[A-Za-z0-9_]+", k)
                steps.append((b"." + k if plain else b'["' + k + b'"]',
                              b"/" + k.replace(b"~", b"~0").replace(b"/", b"~1"), v))
        else:
            continue
        for p, q, v in steps:
            visits.append((path + p, pointer + q, v))
            if isinstance(v, (list, Dict)):
                waiting.append((path + p, pointer + q, v))
    return visits


# ---- JSON deltas

def apply_text(old, ops):
    if not ops:
        raise Bad("empty text delta")
    out, at, i = b"", 0, 0
    op = re.compile(rb"([0-9]+)(.)", re.S)
    while i < len(ops):
        m = op.match(ops, i)
        if not m:
            raise Bad("text delta")
        n, what, i = int(m.group(1)), m.group(2), m.end()
        if what in (b"=", b"-"):
            if at + n > len(old):
                raise Bad("length in text delta")
            out += old[at:at + n] if what == b"=" else b""
            at += n
        elif what == b"+":
            if ops[i + n:i + n + 1] != b"|":
                raise Bad("delimiter in text delta")
            out += ops[i:i + n]
            i += n + 1
        else:
            raise Bad("op in text delta")
    if at != len(old):
        raise Bad("lengths in text delta")
    return out


def apply_delta(old, delta):
    """The new value; MISSING (also as `old`) means no value."""
    if isinstance(delta, list):
        if len(delta) > 3:
            raise Bad("array count in delta")
        if len(delta) != 1 and old is MISSING:
            raise Bad("nothing to change")
        if not delta:
            return MISSING
        if len(delta) < 3:
            return delta[-1]
        mode = delta[2]
        if mode == 0 and not isinstance(mode, bool):
            return MISSING
        if mode == 2:
            if not isinstance(old, bytes) or isinstance(old, Data) or not isinstance(delta[0], bytes):
                raise Bad("text delta against something else")
            return apply_text(old, delta[0])
        raise Bad("mode in delta")
    if not isinstance(delta, Dict):
        return delta
    if isinstance(old, Dict):
        result, old_pairs, changes = [], old.items(), dict(delta.items())
        names = {k for k, _ in old_pairs}
        for k, v in old_pairs:
            result.append((k, apply_delta(v, changes[k]) if k in changes else v))
        for k, d in changes.items():
            if k not in names:
                result.append((k, apply_delta(MISSING, d)))
        return Dict(sorted(((k, v) for k, v in result if v is not MISSING), key=lambda p: p[0]))
    if isinstance(old, list):
        result = []
        for i in range(len(old) + 1):
            here, rest = delta.get(b"%d" % i, MISSING), delta.get(b"%d-" % i, MISSING)
            if i < len(old) and here is not MISSING:
                v = apply_delta(old[i], here)
                result.append(UNDEFINED if v is MISSING else v)
            elif rest is not MISSING:
                if not isinstance(rest, list):
                    raise Bad("array remainder in delta")
                return result + rest
            elif i < len(old):
                result.append(old[i])
        return result
    if old is MISSING or delta.items():
        raise Bad("object delta against something else")
    return old


def text_delta(old, new):
    """A delta with one change between the common prefix and suffix, in whole characters."""
    def inside(s, i):
        return 0 < i < len(s) and s[i] & 0xc0 == 0x80
    n = 0
    while n < min(len(old), len(new)) and old[n] == new[n]:
        n += 1
    while inside(old, n) or inside(new, n):
        n -= 1
    m = 0
    while m < min(len(old), len(new)) - n and old[-1 - m] == new[-1 - m]:
        m += 1
    while m and inside(old, len(old) - m):
        m -= 1
    cut, put = len(old) - n - m, new[n:len(new) - m]
    return (b"%d=" % n if n else b"") + (b"%d-" % cut if cut else b"") \
        + (b"%d+%s|" % (len(put), put) if put else b"") + (b"%d=" % m if m else b"")


def make_delta(old, new, top=True):
    """The delta from old to new; MISSING for unchanged values below the top."""
    if old is MISSING:
        return new if not top and not isinstance(new, (list, Dict)) else [new]
    if new is MISSING:
        return []
    if equal(old, new):
        return Dict() if top else MISSING
    if isinstance(old, Dict) and isinstance(new, Dict):
        a, b = dict(old.items()), dict(new.items())
        pairs = [(k, make_delta(a.get(k, MISSING), v, False)) for k, v in b.items()]
        pairs += [(k, []) for k in a if k not in b]
        return Dict((k, d) for k, d in pairs if d is not MISSING)
    if isinstance(old, list) and isinstance(new, list) and old and new:
        n = min(len(old), len(new))
        pairs = [(b"%d" % i, make_delta(old[i], new[i], False)) for i in range(n)]
        if len(old) != len(new):
            pairs.append((b"%d-" % n, new[n:]))
        return Dict((k, d) for k, d in pairs if d is not MISSING)
    if type(old) is bytes and type(new) is bytes and len(new) >= 60:
        ops = text_delta(old, new)
        if len(ops) < len(new) - 6 and apply_text(old, ops) == new:
            return [ops, UInt(0), UInt(2)]
    return [new] if top or isinstance(new, (list, Dict)) else new


# ---- dates: milliseconds since 1970 UTC

NO_DATE = -2 ** 63
_DATE = re.compile(r"(-?)(\d{4})-(\d\d)-(\d\d)[T ]+(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?"
                   r"(?:([Zz])|([+-])(\d\d):?(\d\d)) *\Z", re.A)


def days(y, m, d):
    """Days from 1970-01-01 in the proleptic Gregorian calendar; years count from 1 March."""
    y, m = (y - 1, m + 9) if m <= 2 else (y, m - 3)
    return y * 365 + y // 4 - y // 100 + y // 400 + (153 * m + 2) // 5 + d - 719469


def parse_date(text):
    m = _DATE.match(text)
    if not m:
        return NO_DATE
    minus, y, mo, d, h, mi, s, fraction, _, sign, zh, zm = m.groups()
    y, mo, d, h, mi, s = int(minus + y), int(mo), int(d), int(h), int(mi), int(s or 0)
    if not 1 <= mo <= 12 or h > 24 or mi > 59 or s > 59 or sign and (int(zh) > 14 or int(zm) > 59):
        return NO_DATE
    if not 1 <= d <= days(y + mo // 12, mo % 12 + 1, 1) - days(y, mo, 1):
        return NO_DATE
    zone = (int(zh) * 60 + int(zm)) * (-1 if sign == "-" else 1) if sign else 0
    ms = (int(fraction[1:]) * 2000 + 10 ** len(fraction[1:])) // (2 * 10 ** len(fraction[1:])) if fraction else 0
    return (((days(y, mo, d) * 24 + h) * 60 + mi - zone) * 60 + s) * 1000 + ms


def format_date(ms):
    seconds, ms = divmod(ms, 1000)
    day, seconds = divmod(seconds, 86400)
    y = 1970 + day * 400 // 146097
    while days(y + 1, 1, 1) <= day:
        y += 1
    while days(y, 1, 1) > day:
        y -= 1
    mo = max(mo for mo in range(1, 13) if days(y, mo, 1) <= day)
    text = "%s%04d-%02d-%02dT%02d:%02d:%02d" % ("-" if y < 0 else "", abs(y), mo, day - days(y, mo, 1) + 1,
                                               seconds // 3600, seconds // 60 % 60, seconds % 60)
    return (text + (".%03d" % ms if ms else "") + "Z").encode()


# ---- conversions of section 9; a number is true if it is not 0

def type_code(v):
    if v is UNDEFINED:
        return -1
    kinds = ((4, Data), (3, bytes), (1, bool), (2, (int, float)), (5, list), (6, Dict))
    return next((code for code, kind in kinds if isinstance(v, kind)), 0)


def as_int(v):
    if v is True:
        return 1
    if isinstance(v, int):
        return (v + 2 ** 63) % 2 ** 64 - 2 ** 63
    if isinstance(v, float) and abs(v) < 2 ** 63:
        return int(v)
    return 0


def as_double(v):
    return float(v) if isinstance(v, (bool, int, float)) else 0.0


def as_bool(v):
    if v is None or v is UNDEFINED or v is False:
        return False
    return v != 0 if isinstance(v, (int, float)) else True
