#!/usr/bin/env python3
"""unicode_categories.py -- writes src/regex/categories_table.h: the general category of every character of Unicode.

Usage: tools/unicode_categories.py >src/regex/categories_table.h; the version of Unicode is that of this Python."""
import sys
import unicodedata

from tables import lines, run_bytes, runs

NAMES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Zs Zl Zp Sm Sc Sk So Cc Cf Co Cn Cs".split()


def encode():
    for category, length in runs(lambda c: NAMES.index(unicodedata.category(chr(c)))):
        yield from run_bytes(category, length)


sys.stdout.write("""/* SPDX-License-Identifier: MIT
** categories_table.h -- general categories of Unicode %s as runs of characters, by tools/unicode_categories.py.
** Must hold: compile.c alone includes it; a run is length * 32 + category in base 128, the lowest digit first; all
** digits but the last have bit 7. The categories are those of REGEX_CATEGORIES, in that order. */
#pragma once

/* clang-format off */
#define REGEX_CATEGORIES "%s"

static const unsigned char regex_category_runs[] = {
%s
};
/* clang-format on */
""" % (unicodedata.unidata_version, "".join(NAMES), "\n".join(lines(encode())).rstrip(",")))
