#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every table entry, estimate and reciprocal of src/number, over its whole range."""
import re
from fractions import Fraction

from common import P_MAX, P_MIN, Result, log10_34pow2, log10_pow2, log2_pow10, powers, source

r = Result("tables")

# Powers: floor(10^p * 2^k) with 128 bits, and room for the +1 of scale.h.
T = powers()
for p in range(P_MIN, P_MAX + 1):
    x = Fraction(10) ** p
    k = 127 - log2_pow10(p)
    r.claim(T[p] == x * Fraction(2) ** k // 1 and T[p].bit_length() == 128, "power", p)
    r.claim(T[p] >> 64 != 2**64 - 1, "power leaves no room", p)


# Logarithms: y = floor(log_b(x)) means b^y <= x < b^(y+1).
def floor_log(b, x, y):
    return Fraction(b) ** y <= x < Fraction(b) ** (y + 1)


for x in range(-1199, 1200):
    r.claim(floor_log(10, Fraction(2) ** x, log10_pow2(x)), "log10 2^x", x)
for p in range(-399, 400):
    r.claim(floor_log(2, Fraction(10) ** p, log2_pow10(p)), "log2 10^p", p)
for x in range(-1099, 1100):
    r.claim(floor_log(10, Fraction(3, 4) * Fraction(2) ** x, log10_34pow2(x)), "log10 3/4 2^x", x)

# One-product kernel: one ulp lies in [0.1, 1) of the scaled unit, the shift stays within 6..9, half an ulp
# below 2^63, and both p are in the table.
for be in range(1, 2047):
    q = be - 1075
    k = log10_pow2(q)
    p = -k - 1
    sh = q + log2_pow10(p) + 10
    ulp = Fraction(2) ** q * Fraction(10) ** p
    r.claim(Fraction(1, 10) <= ulp < 1, "ulp", be)
    r.claim(6 <= sh <= 9 and P_MIN <= p <= P_MAX, "shift", be)
    r.claim((T[p] >> 64 >> (10 - sh)) + 1 < 2**63, "half", be)
    r.claim(((2**53 - 1) << sh) < 2**64 and (2**53 - 1) * ulp + 1 < 10**16, "significand", be)
    r.claim(2**52 * ulp >= 10**14, "15 digits at least", be)

# Reciprocals of the lane-wise divisions.
text = source("digits.h") + source("integer.h")


def has(*pieces):
    for s in pieces:
        r.claim(s in text, "the source does not contain", s)


has("(t * 109951163) >> 40", "((t * 5243) >> 19)", "((t * 103) >> 10)", "274877907) >> 38", "(a * 656) >> 16")
has("0xd1b71759", "mul_epu32(v, NUM_LANE(c, by10000)), 45)", "0x147b",
    "NUM_LANE(c, by100)), 3)", "0x199a", "2559")
for n in range(100):
    r.claim(n * 103 >> 10 == n // 10 and n * 0x199A >> 16 == n // 10, "tens", n)
for n in range(10000):
    r.claim(n * 5243 >> 19 == n // 100 and (n * 0x147B >> 16) >> 3 == n // 100, "hundreds", n)
for n in range(1000000):
    r.claim(n * 274877907 >> 38 == n // 1000, "thousands", n)
for n in range(400):
    r.claim(n * 656 >> 16 == n // 100, "exponent", n)
# By 10^4 below 10^8: a reciprocal is first wrong directly below a multiple, so multiples and the numbers below are
# enough.
for q in range(10000):
    for n in (q * 10000, q * 10000 + 9999):
        r.claim(n * 109951163 >> 40 == q and n * 0xD1B71759 >> 45 == q, "ten thousands", n)
# Lanes do not overlap: the products stay below the next lane.
r.claim(9999 * 5243 < 2**32 and 99 * 103 < 2**16 and 99999999 * 109951163 < 2**64, "lane overflow")

# Millionths (plain.h): the window is within half a unit in the last place, nothing overflows, i has at most 15 digits,
# and a power of two passes only if it has at most six decimals.
plain = source("plain.h")
for s in ("(uint64_t)1000000 << 44).hi + 976", ">= 1952 || be - 1010 > 41", "shift = (1066 - be) & 63"):
    r.claim(s in plain, "the source does not contain", s)
scale = Fraction(10**6 << 44, 2**64) * 2**11
r.claim(scale == Fraction(10**6, 2**9) and 976 <= scale / 2, "half a unit")
r.claim((2**53 - 1) * scale + 976 < 2**64, "millionths overflow")
for be in range(1010, 1010 + 42):
    shift = 1066 - be
    r.claim(15 <= shift <= 56 and 2**shift > 1952, "millionths shift", be)
    r.claim((int(2**53 * scale) + 976) >> shift < 10**15, "millionths digits", be)
    v = Fraction(2) ** (be - 1023)
    passes = (int(2**52 * scale) + 976) % 2**shift < 1952
    r.claim(passes == (10**6 * v % 1 == 0), "power of two", be)
    r.claim(not passes or (int(2**52 * scale) + 976) >> shift == 10**6 * v, "power of two", be)

# Reading eight digits (parse.h). Marks: bit 7 of a byte that is not a digit; only a byte of 0x8a or more (after the
# XOR, so never ASCII) carries into the next one.
parse = source("parse.h")
for s in ("^ UINT64_C(0x3030303030303030)",
          "((b.t + UINT64_C(0x7676767676767676)) | b.t) & UINT64_C(0x8080808080808080)",
          "t = t * 10 + (t >> 8);", "((t & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +",
          "(t >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >> 32"):
    r.claim(s in parse, "the source does not contain", s)
for c in range(256):
    t = c ^ 0x30
    for carry in (0, 1):
        marked = ((t + carry + 0x76) | t) & 0x80 != 0
        r.claim(marked == (not 0x30 <= c <= 0x39) or (carry and t == 9), "mark", c)
    r.claim(t + 0x76 < 256 or c >= 0x80, "carry", c)
# Values: pairs of digits stay in their bytes; the pairs, from first to last, have weights 10^6, 10^4, 100 and 1 in bits
# 32..63, nothing carries into these bits from below, and higher bits are cut off.
r.claim(9 * 10 + 9 < 256, "pairs")
r.claim(0x000F424000000064 == 10**6 << 32 | 100 and 0x0000271000000001 == 10**4 << 32 | 1, "weights")
r.claim(99 * 100 + 99 < 2**32 and 99999999 < 2**32, "value overflow")

r.end()
