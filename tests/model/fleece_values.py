# SPDX-License-Identifier: MIT
"""The Python values that stand for Fleece values, and the order and inheritance of dict keys.

    null None            integer Int (signed form) or UInt (unsigned form)     array  list
    boolean bool         double float, and Float32 for the 4-byte type         dict   Dict
    undefined UNDEFINED  string bytes, binary data Data

Written from the format's specification only; slow and simple on purpose, because it is the oracle for other code.
"""


class Bad(Exception):
    """The input breaks a rule; the text names it."""


class Undefined:
    def __repr__(self):
        return "undefined"


UNDEFINED = Undefined()


class Int(int):
    unsigned = False


class UInt(Int):
    unsigned = True


class Float32(float):
    pass


class Data(bytes):
    pass


PARENT = -2048  # the key of the dict that a dict inherits from


def key_order(key):
    """Small integers first, in numeric order; then strings in byte order."""
    return (0, key, b"") if isinstance(key, int) else (1, 0, key)


def merge(own, inherited, hidden):
    """The pairs of a dict with a parent: key order, own pairs first, without those whose value is hidden."""
    result, i, j = [], 0, 0
    while i < len(own) or j < len(inherited):
        if j == len(inherited):
            side = -1
        elif i == len(own):
            side = 1
        else:
            a, b = key_order(own[i][0]), key_order(inherited[j][0])
            side = -1 if a < b else 1 if a > b else 0
        if side == 1:
            result.append(inherited[j])
        elif not hidden(own[i][1]):
            result.append(own[i])
        i += side <= 0
        j += side >= 0
    return result


class Dict:
    """A dict: pairs in stored order (keys are bytes, or int codes of shared keys), duplicates kept; its parent."""

    def __init__(self, pairs=(), parent=None, shared=None):
        self.own, self.parent, self.shared = list(pairs), parent, shared

    def raw(self):
        line, d = [], self
        while d is not None:
            line.append(d.own)
            d = d.parent
        pairs = line.pop()
        while line:
            pairs = merge(line.pop(), pairs, lambda v: v is UNDEFINED)
        return pairs

    def items(self):
        return [(self.text(k), v) for k, v in self.raw()]

    def text(self, key):
        """A shared key as its string; an unknown code remains a number."""
        if isinstance(key, int) and self.shared is not None and key < len(self.shared.keys):
            return self.shared.keys[key]
        return key

    def get(self, key, default=None):
        d = self
        while d is not None:
            value = d._find(key)
            if value is not None:
                return default if value[0] is UNDEFINED else value[0]
            d = d.parent
        return default

    def _find(self, key):
        """Binary search; which of several equal keys it finds is specified by the format."""
        wanted = key
        if self.own and isinstance(self.own[0][0], int) and self.shared is not None and key in self.shared.codes:
            wanted = self.shared.codes[key]
        first, n, wanted = 0, len(self.own), key_order(wanted)
        while n:
            half = n // 2
            probe = key_order(self.own[first + half][0])
            if probe == wanted:
                return (self.own[first + half][1],)
            if probe < wanted:
                first, n = first + half + 1, n - half - 1
            else:
                n = half
        return None


class SharedKeys:
    """The list of key strings that documents refer to by index."""

    ALLOWED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

    def __init__(self, keys=()):
        self.keys, self.codes = [], {}
        for key in keys:
            self.code(key)

    def code(self, key):
        """The key's code; the key is added if that is allowed, else -1."""
        if key not in self.codes:
            if len(self.keys) >= 2048 or len(key) > 16 or not self.ALLOWED.issuperset(key):
                return -1
            self.codes[key] = len(self.keys)
            self.keys.append(key)
        return self.codes[key]


def equal(a, b):
    """Equality by content: integers differ from floats, 0.0 differs from -0.0, the order of dict keys is ignored."""
    def kind(v):
        for i, t in enumerate((bool, int, float, Data, bytes, list, Dict)):
            if isinstance(v, t):
                return i
        return v
    if kind(a) is not kind(b):
        return False
    if isinstance(a, float):
        return repr(float(a)) == repr(float(b))
    if isinstance(a, list):
        return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b))
    if isinstance(a, Dict):
        x, y = ([(k, v) for k, v in sorted(d.items(), key=lambda p: key_order(p[0]))] for d in (a, b))
        return len(x) == len(y) and all(p[0] == q[0] and equal(p[1], q[1]) for p, q in zip(x, y))
    return a == b
