#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""num_scale (scale.h) is exact for every double that the writers pass to it, and for every decimal of the reader.

num_scale computes floor and stickiness of x*(T+1) / 2^(128+s) instead of x*t / 2^(128+s), where t is the exact
power and T = floor(t). As 0 < x*(T+1) - x*t <= x < 2^64, it can be wrong only if x*(T+1) mod 2^(128+s) is below
2^64 while x*t is not a multiple of 2^(128+s). Multiples always give such a small remainder; so if the number of x
with a small remainder equals the number of multiples, no x is wrong. Both are counted here, by floor_sum and by
divisibility, for each class of inputs: an arithmetic progression of x, one e, one p.
"""
import itertools
import re

from common import P_MAX, P_MIN, Result, count_below, log10_34pow2, log10_pow2, log2_pow10, powers, source

r = Result("scaling")
T = powers()


def multiples(n, first, step, g):
    """The number of 0 <= i < n for which first + step*i is a multiple of the integer g."""
    return count_below(n, step, first, g, 1)


def exact(n, first, step, e, p):
    """The number of x in the progression for which 4 * x * 2^e * 10^p is an integer."""
    two = -(e + p + 2)
    g = (5 ** -p if p < 0 else 1) * (1 << two if two > 0 else 1)
    return multiples(n, first, step, g)


def check(n, first, step, e, p, what):
    s = -(e + log2_pow10(p) + 3)
    r.claim(0 <= s <= 63 and P_MIN <= p <= P_MAX, "range", what)
    r.claim(0 < first and first + step * (n - 1) < 1 << 64, "x", what)
    a = T[p] + 1
    m = 1 << (128 + s)
    r.claim(count_below(n, step * a, first * a, m, 1 << 64) == exact(n, first, step, e, p), "count", what)


def groups():
    """Significands by exponent: (e, ulp, number of c, first c), x = c << ulp with bit 63 set."""
    for be in range(1, 2047):
        yield be, be - 1086, 11, 1 << 52, 1 << 52
    for z in range(12, 64):
        yield 0, -1074 - z, z, 1 << (63 - z), 1 << (63 - z)


def floats():
    """The same for doubles that are floats of 32 bits."""
    for be in range(1023 - 126, 1023 + 128):
        yield be, be - 1086, 40, 1 << 23, 1 << 23
    for below in range(1, 24):
        yield 1023 - 126 - below, 1023 - 126 - below - 1086, 40 + below, 1 << (23 - below), 1 << (23 - below)


def scaled(x, e, p):
    """x * 2^e * 10^p as a quotient of integers."""
    a, b = (10 ** p, 1) if p >= 0 else (1, 10 ** -p)
    return (x * a << e, b) if e >= 0 else (x * a, b << -e)


classes = 0
for be, e, z, n, c in itertools.chain(groups(), floats()):
    first, step, half = c << z, 1 << z, 1 << (z - 1)
    # Fixed precision, and its claim 10^(N-1) <= scaled < 2 * 10^N.
    for digits in range(1, 18):
        p = digits - 1 - log10_pow2(e + 63)
        check(n, first, step, e, p, ("precision", digits, be, z))
        a, b = scaled(first, e, p)
        r.claim(a >= 10 ** (digits - 1) * b and 2 * a <= 2 * 10 ** digits * b, "digits", digits, be, z)
        classes += 1
    # Shortest, plain kernel: both ends of the interval and the value itself.
    p = -log10_pow2(e + z)
    for x in (first - half, first, first + half):
        check(n, x, step, e, p, ("shortest", x - first, be, z))
        classes += 1
    # Powers of two: the interval below is half as wide.
    if be > 1:
        p = -log10_34pow2(e + z)
        for x in (first - half // 2, first, first + half):
            check(1, x, 1, e, p, ("power of two", x - first, be))
            classes += 1

# Reading, num_decimal_bits_ in decimal.c: w has b bits, is shifted up to bit 63 and multiplied by 10^p.
for p in range(-342, 309):
    for b in range(1, 65):
        e = min(1074, 53 - b - log2_pow10(p))
        s = -(e - (64 - b) + log2_pow10(p) + 3)
        if s > 63:  # read as zero: below half of the smallest double
            r.claim(p < 0 and (1 << b + 1075) <= 10 ** -p, "zero", p, b)
        else:
            check(1 << (b - 1), 1 << 63, 1 << (64 - b), e - (64 - b), p, ("read", p, b))
            # 53 or 54 bits before the point, so that halving once is enough; fewer only for subnormal numbers.
            a, n = scaled(1, e, p)
            r.claim((a << b) <= n << 54 and (e == 1074 or a << b - 1 >= n << 52), "bits", p, b)
        classes += 1
# Clinger's operation: both operands are exact, and it rounds only once.
r.claim(10 ** 15 < 2 ** 53 and 5 ** 22 < 2 ** 53, "exact operation")
# Comparing with the middle of two doubles: 20 or more digits D * 10^p with h * 2^f, h < 2^54, which differ by a factor
# of about 2 at most. Digits below 10^min(f, 0) are not compared; the others, and the shifted numbers, fit.
limbs = int(re.search(r"NUM_LIMBS = (\d+)", source("decimal.c")).group(1))
most = int(re.search(r"NUM_DIGITS = (\d+)", source("decimal.c")).group(1))
for ten in range(-342, 309):  # exponent of the 19th digit
    for digits in (20, most // 2, most, 10 * most):
        f = max(log2_pow10(ten) + 58, -1022) - 54  # the smallest f, because D >= 10^18 * 10^p
        below = max(0, min(f, 0) - (ten + 19 - digits))  # digits that are not compared
        p, kept = ten + 19 - digits + below, digits - below
        a = (10 ** kept).bit_length() + (5 ** max(p, 0)).bit_length()
        b = 54 + (5 ** max(-p, 0)).bit_length()
        r.claim(kept <= most, "digits", ten, digits)
        r.claim(max(a + max(p - f, 0), b + max(f + 8 - p, 0)) <= 64 * (limbs - 1), "limbs", ten, digits)
# Beyond the table: 2^64 * 10^-343 rounds to zero, 1 * 10^309 to infinity.
r.claim(1 << (64 + 1075) < 10 ** 343 and 10 ** 309 > 1 << 1024, "ends of the table")

r.end("%d classes of inputs" % classes)
