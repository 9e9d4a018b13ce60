#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The one-product kernel (num_shortest in shortest.h) decides correctly for every regular double.

Let V = c * 2^q * 10^p be the scaled value and h half an ulp of it, both in units of 2^-64 of the scaled unit.
The kernel works on F = floor(y*T / 2^73), for which 0 <= V - F < 1 + 2^-11, and on floor(h). Its decisions
(up, down, tenth) can be wrong only where the fraction f of F is within a few units of a boundary: f = h,
f = 2^64 - h, or one of the ten points where the nearest tenth changes. There are two cases:

* |p| large: enumerate every c whose f is within 4 units of a boundary (floor_sum and bisection) and compare
  the kernel's decisions with exact arithmetic.
  With --list they are printed as the bits of doubles; tests/c/number/test_number.c has a copy of them.
* -23 <= p <= 25: too many c lie exactly on a boundary. There the exact distances are known:
  - p >= 0: V and h are multiples of g/2 = 2^(63+q+p) >= 4, and T is exact, so F = V and floor(h) = h. Adding
    1 to h or 6 to 10*f + 2^63 then cannot pass a boundary that was not reached; a tie of the tenth needs
    f = 1/4 or 3/4 and both are rounded to even (2, 8); an end of the interval is an integer for no c, as
    that would need q + p >= 1, hence an ulp of 1 or more.
  - p < 0: V +- h = (2c +- 1) * h is a fraction with a denominator of at most 4 * 5^23 < 2^56, so it is an
    integer or 2^8 units away from one. If it is an integer, 5 does not divide c, neither V nor h is whole,
    and their fractions add up to 1 or are equal; then floor(V) + floor(h) is one less than the boundary, or
    floor(V) = floor(h) at it, which is what the +1 for even c expects, provided that F = floor(V): that is
    so if the fraction of V is at least 2^-11, which is checked. A tie of the tenth would need
    q <= -p - 2 for an odd c, which is checked not to occur; else V is 2^8 units away from one.
"""
import sys

from common import Result, count_below, log10_pow2, log2_pow10, powers, source

r = Result("kernel")
T = powers()
WINDOW = 4
ONE = 1 << 64

src = source("shortest.h")
for s in ("((uint64_t)1 << 63) + 6 < y.lo", "f == (uint64_t)1 << 62", "(t[0] >> (10 - sh)) + (~bits & 1)",
          "whole = y.hi >> 9", "f = y.hi << 55 | low >> 9", "whole += end < half",
          "d &= (uint64_t)(end < half + half) - 1"):
    r.claim(s in src, "the source does not contain", s)


def kernel(c, t, sh):
    """(whole, tenth) as the C code computes them."""
    big = ((c << sh) * t) >> 64
    whole, f = big >> 73, (big >> 9) % ONE
    half = (t >> 64 >> (10 - sh)) + (1 - c % 2)
    d = (10 * f + (1 << 63) + 6) >> 64
    if f == 1 << 62:
        d = 2
    end = (f + half) % ONE
    whole += end < half
    if end < half + half:
        d = 0
    return whole, d


def exact(c, q, p):
    """(whole, tenth) by the definition, in integers: value = num/den, interval closed for even c."""
    num, den = c, 1
    num, den = (num << q, den) if q >= 0 else (num, den << -q)
    num, den = (num * 10 ** p, den) if p >= 0 else (num, den * 10 ** -p)
    lo, hi, mid, den = num * (2 * c - 1), num * (2 * c + 1), num * 2 * c, den * 2 * c
    whole = hi // den
    if hi % den == 0 and c % 2:
        whole -= 1
    if whole * den > lo or (whole * den == lo and c % 2 == 0):
        return whole, 0
    tenth, rest = divmod(10 * mid, den)
    tenth += 2 * rest > den or (2 * rest == den and tenth % 2)
    return divmod(tenth, 10)


def find(lo, hi, a, m, start, width):
    """Every lo <= c < hi with (a*c - start) mod m < width."""
    stack, found = [(lo, hi)], []
    while stack:
        lo, hi = stack.pop()
        n = count_below(hi - lo, a, a * lo - start, m, width)
        if n == 0:
            continue
        if hi - lo == n:
            found.extend(range(lo, hi))
        else:
            mid = (lo + hi) // 2
            stack += [(lo, mid), (mid, hi)]
    return found


hits = theory = 0
for be in range(1, 2047):
    q = be - 1075
    p = -log10_pow2(q) - 1
    sh = q + log2_pow10(p) + 10
    t = T[p]
    if 0 <= p <= 25:
        r.claim(63 + q + p >= 2 and q + p < 1 and t % 10 ** p == 0 and p <= 55, "exact power", be)
        theory += 1
        continue
    if -23 <= p < 0:
        # Fraction of h: 2^(q-1+64) / 10^-p.
        h_rest, h_den = (1 << (q + 63)) % 10 ** -p, 10 ** -p
        r.claim(h_rest << 11 > h_den and (h_den - h_rest) << 11 > h_den, "fraction of half an ulp", be)
        r.claim(q > -p - 2 and -p - q + 1 <= 2, "denominator", be)
        theory += 1
        continue
    half = t >> 64 >> (10 - sh)
    edges = [half, ONE - half] + [(2 * j + 1) * ONE // 20 for j in range(10)]
    for edge in edges:
        start, width = (edge - WINDOW) << 73, (2 * WINDOW + 1) << 73
        for c in find(1 << 52, 1 << 53, t << sh, 1 << 137, start, width):
            hits += 1
            if "--list" in sys.argv:
                print("0x%016x" % (be << 52 | c - (1 << 52)))
            r.claim(kernel(c, t, sh) == exact(c, q, p), "significand", c, "exponent", q)

# The kernel and the definition also agree on ordinary values of every exponent.
x = 1
for be in range(1, 2047):
    q = be - 1075
    p = -log10_pow2(q) - 1
    for _ in range(4):
        x = (x * 6364136223846793005 + 1442695040888963407) % ONE
        c = (x >> 12) | 1 << 52
        r.claim(kernel(c, T[p], q + log2_pow10(p) + 10) == exact(c, q, p), "sample", c, q)

r.claim(hits > 30, "the enumeration found too few values")
r.end("%d significands near a boundary, %d exponents by the exact argument" % (hits, theory))
