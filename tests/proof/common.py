# SPDX-License-Identifier: MIT
"""Helpers for the proofs: the constants of src/number, read from the headers, and floor_sum."""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
P_MIN, P_MAX = -343, 341


def source(name):
    with open(os.path.join(ROOT, "src", "number", name)) as f:
        return " ".join(f.read().split())  # line breaks depend on the formatter


def powers():
    """{p: T[p]} as integers, read from powers.h."""
    pairs = re.findall(r"\{0x([0-9a-f]{16}), 0x([0-9a-f]{16})\}", source("powers.h"))
    assert len(pairs) == P_MAX - P_MIN + 1
    return {p: int(h, 16) << 64 | int(l, 16) for p, (h, l) in zip(range(P_MIN, P_MAX + 1), pairs)}


def _constants(name, pattern):
    m = re.search(pattern, source(name))
    assert m, "not found in %s: %s" % (name, pattern)
    return [int(x) for x in m.groups()]


_A = _constants("scale.h", r"num_log10_pow2\(int x\) \{ return \(x \* (\d+)\) >> (\d+); \}")
_B = _constants("scale.h", r"num_log2_pow10\(int p\) \{ return \(p \* (\d+)\) >> (\d+); \}")
_C = _constants("scale.h", r"num_log10_34pow2\(int x\) \{ return \(x \* (\d+) - (\d+)\) >> (\d+); \}")


def log10_pow2(x):
    return (x * _A[0]) >> _A[1]


def log2_pow10(p):
    return (p * _B[0]) >> _B[1]


def log10_34pow2(x):
    return (x * _C[0] - _C[1]) >> _C[2]


def floor_sum(n, m, a, b):
    """Sum of floor((a*i + b) / m) over 0 <= i < n; a and b may be negative."""
    total = 0
    if a < 0 or a >= m:
        q, a = divmod(a, m)
        total += q * (n * (n - 1) // 2)
    if b < 0 or b >= m:
        q, b = divmod(b, m)
        total += q * n
    while n:
        top = a * n + b
        if top < m:
            break
        n, b = divmod(top, m)
        m, a = a, m
        if a >= m:
            q, a = divmod(a, m)
            total += q * (n * (n - 1) // 2)
        if b >= m:
            q, b = divmod(b, m)
            total += q * n
    return total


def count_below(n, a, b, m, w):
    """The number of 0 <= i < n with (a*i + b) mod m < w, for 0 <= w <= m."""
    return floor_sum(n, m, a, b) - floor_sum(n, m, a, b - w)


def self_test():
    cases = [(50, 7, 3, 31, 5), (41, 100, -9, 37, 37), (33, 12, 5, 64, 1), (1, 5, 5, 9, 2), (64, 9, 0, 8, 3)]
    for n, a, b, m, w in cases:
        assert count_below(n, a, b, m, w) == sum((a * i + b) % m < w for i in range(n))


self_test()


class Result:
    """Counts claims; prints the first ones that fail."""

    def __init__(self, title):
        self.title, self.claims, self.failed = title, 0, 0

    def claim(self, ok, *what):
        self.claims += 1
        if not ok:
            self.failed += 1
            if self.failed <= 10:
                print("FAILED:", *what)

    def end(self, note=""):
        print("%s: %d claims, %d failed%s" % (self.title, self.claims, self.failed, note and "; " + note))
        sys.exit(1 if self.failed else 0)
