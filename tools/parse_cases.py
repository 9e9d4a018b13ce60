#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate tests/data/parse_number.txt: decimals that are hard to read, with the bits of the nearest double.

    tools/parse_cases.py            print the file
    tools/parse_cases.py --check    compare with tests/data/parse_number.txt, exit 1 if it differs

Uses only exact integers, neither the C library nor floats. The hardest decimal of 17 or 19 digits with exponent p is
the one whose value is closest to the midpoint between two doubles. With w * A / M its distance from a midpoint, the
numbers w for which (w * A) mod M is in a narrow window are counted by floor_sum and found by bisection.
"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "proof"))
from common import count_below  # noqa: E402

LOWEST = -1074  # the exponent of the last place of subnormals
INFINITY = 0x7FF << 52


def quotient(w, p):
    """w * 10^p as a quotient of integers."""
    return (w * 10 ** p, 1) if p >= 0 else (w, 10 ** -p)


def times_2(a, b, e):
    return (a << e, b) if e >= 0 else (a, b << -e)


def log2_floor(a, b):
    k = a.bit_length() - b.bit_length()
    x, y = times_2(a, b, -k)
    return k if x >= y else k - 1


def nearest(w, p):
    """The bits of the double nearest to w * 10^p, ties to even."""
    if w == 0:
        return 0
    a, b = quotient(w, p)
    q = max(log2_floor(a, b) - 52, LOWEST)
    a, b = times_2(a, b, -q)
    m, rest = divmod(a, b)
    m += 2 * rest > b or (2 * rest == b and m & 1)
    bits = m if q == LOWEST else ((q - LOWEST) << 52) + m  # m has its bit 52: it adds one to the exponent
    return min(bits, INFINITY)


def middle(bits):
    """The midpoint above a double as h * 2^e."""
    be, m = bits >> 52, bits & (1 << 52) - 1
    return (2 * (m | 1 << 52) + 1, be + LOWEST - 2) if be else (2 * m + 1, LOWEST - 1)


def close(low, high, p):
    """The w in [low, high), all of one binade, for which w * 10^p is closest to a midpoint."""
    a, b = quotient(low, p)
    q = max(log2_floor(a, b) - 52, LOWEST)
    a, m = times_2(*quotient(1, p), -q)  # w * a / m counts units in the last place
    n = high - low
    delta = m // n or 1
    for _ in range(8):
        first, window = low * a - (m // 2 - delta), min(2 * delta, m)
        if count_below(n, a, first, m, window):
            left, right = 0, n
            while right - left > 1:
                half = (left + right) // 2
                if count_below(half - left, a, first + left * a, m, window):
                    right = half
                else:
                    left = half
            return low + left
        delta *= 2
    return None


def hardest(digits, p):
    """One or two decimals with this many digits; each binade of the range is searched separately."""
    low, high = 10 ** (digits - 1), min(10 ** digits, 1 << 64)
    while low < high:
        a, b = quotient(low, p)
        top = log2_floor(a, b) + 1
        a, b = times_2(*quotient(1, p), -top)
        upto = min(high, -(-b // a))  # where the binade ends
        if upto - low > (high - low) // 3:
            w = close(low, upto, p)
            if w:
                yield w
        low = upto


def expand(h, e):
    """h * 2^e as exact digits and an exponent of ten."""
    return (h << e, 0) if e >= 0 else (h * 5 ** -e, e)


def lay_out(w, p, style):
    """The same decimal written in one of several ways."""
    d = str(w)
    if style == 0:
        return "%se%d" % (d, p)
    if style == 1:
        return "%s.%sE%+d" % (d[0], d[1:] or "0", p + len(d) - 1)
    if -25 < p < 0:
        return d[:p] + "." + d[p:] if len(d) > -p else "0." + d.rjust(-p, "0")
    return "-0.000%se%+04d" % (d, p + len(d) + 3)


def cases():
    # Closest to a midpoint, up to 19 digits: the hard cases of unrounded scaling.
    for p in range(-345, 310):
        for digits in (17, 19):
            for w in hardest(digits, p):
                yield w, p
    # Exact midpoints of 17 to 19 digits, and one unit above and below.
    for k in range(0, 24):
        h = (((1 << 54) - 1) // 5 ** k | 1) - (0 if (((1 << 54) - 1) // 5 ** k) & 1 else 2)
        for w in (h - 1, h, h + 1):
            yield w, k
    for h in ((1 << 53) + 1, (1 << 53) + 3, (1 << 54) - 1, (1 << 54) - 3):
        for e in range(-2, 9):
            w, p = expand(h, e)
            for w in (w - 1, w, w + 1):
                yield w, p
    # Midpoints of up to 767 digits, complete, cut after n digits (below), and with one more digit (above).
    ends = [0, 1, (1 << 52) - 1, 1 << 52, (1 << 52) + 1, (2 << 52) - 1, INFINITY - 2, INFINITY - 1]
    for i, bits in enumerate(ends + [(i * 0x9E3779B97F4A7C15) % INFINITY for i in range(1, 150)]):
        w, p = expand(*middle(bits))
        d = str(w)
        if i < len(ends) + 12:
            yield w, p
            yield w * 10 + 1, p - 1
            yield w - 1, p
        for n in (20, 21, 25, 38 + i):
            if n < len(d):
                yield int(d[:n]), p + len(d) - n
                yield int(d[:n]) + 1, p + len(d) - n
    # Ends of the range, powers of two and of ten with their neighbours.
    yield from ((0, 0), (0, 400), (0, -400), (1, 308), (1, 309), (1, -323), (1, -324), (1, 400), (1, -400))
    yield from ((24703282292062327, -340), (24703282292062328, -340))
    for w in (17976931348623157, 17976931348623158, 17976931348623159):
        yield w, 292
    for k in range(50, 120):
        for w in ((1 << k) - 1, 1 << k, (1 << k) + 1):
            yield w, 0
    for k in range(15, 40):
        for w in (10 ** k - 1, 10 ** k, 10 ** k + 1):
            yield w, 0


def listing():
    lines = ["# parse_number.txt -- bits of the nearest double, decimal.\n",
             "# Hard to read, generated by tools/parse_cases.py; do not edit.\n"]
    for i, (w, p) in enumerate(cases()):
        text = str(w) if p == 0 else lay_out(w, p, i % 3)
        bits = nearest(w, p) | (1 << 63 if text[0] == "-" else 0)
        lines.append("%016x %s\n" % (bits, text))
    return "".join(lines)


def self_test():
    for bits, w, p in ((0x3FF0000000000000, 1, 0), (0x3FB999999999999A, 1, -1), (1, 3, -324), (0, 2, -324),
                       (0x7FEFFFFFFFFFFFFF, 17976931348623157, 292), (INFINITY, 18, 307),
                       (0x4340000000000000, 2 ** 53 + 1, 0), (0x4340000000000002, 2 ** 53 + 3, 0),
                       (0x0010000000000000, 22250738585072014, -324), (0x000FFFFFFFFFFFFF, 22250738585072009, -324)):
        assert nearest(w, p) == bits, (w, p)


def main(argv):
    self_test()
    if argv[1:] == ["--check"]:
        with open(os.path.join(ROOT, "tests", "data", "parse_number.txt")) as f:
            same = f.read() == listing()
        print("parse_number.txt:", "as generated" if same else "DIFFERS from tools/parse_cases.py")
        return 0 if same else 1
    sys.stdout.write(listing())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
