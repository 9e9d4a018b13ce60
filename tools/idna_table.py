#!/usr/bin/env python3
"""idna_table.py -- writes src/schema/formats/idna_table.h: the characters that labels of host names may have.

Usage: pip install idna==3.20; tools/idna_table.py >src/schema/formats/idna_table.h. The derived property values of RFC 5892, the
joining types and scripts are the package's, Bidi_Class and General_Category those of this Python: a character is in the
table if both know it."""
import sys
import unicodedata

from idna import idnadata
from idna.intranges import intranges_contain

from tables import lines, run_bytes, runs

# In the order of enum idna_direction.
DIRECTIONS = {"L": 1, "R": 2, "AL": 2, "AN": 3, "EN": 4, "NSM": 5, "ES": 6, "CS": 6, "ET": 6, "ON": 6, "BN": 6}
MARKS_EVERY = 64


def is_in(ranges, c):
    return intranges_contain(c, ranges)


def kind(c):
    """The bits of struct idna_kind in host_names.c; 0: the character is not allowed."""
    char = chr(c)
    classes = idnadata.codepoint_classes
    if not any(is_in(classes[name], c) for name in ("PVALID", "CONTEXTJ", "CONTEXTO")):
        return 0
    if unicodedata.category(char) == "Cn":
        return 0
    bits = DIRECTIONS.get(unicodedata.bidirectional(char), 0)
    if bits == 0:
        return 0
    if unicodedata.category(char).startswith("M"):
        bits |= 8
    if unicodedata.combining(char) == 9:  # virama
        bits |= 16
    joining = idnadata.joining_types
    if is_in(joining["L"], c) or is_in(joining["D"], c):
        bits |= 32
    if is_in(joining["R"], c) or is_in(joining["D"], c):
        bits |= 64
    if is_in(joining["T"], c):
        bits |= 128
    scripts = idnadata.scripts
    for number, names in enumerate((("Greek",), ("Hebrew",), ("Hiragana", "Katakana", "Han")), 1):
        if any(is_in(scripts[name], c) for name in names):
            bits |= number << 8
    return bits


def main():
    result = list(runs(kind))[:-1]
    kinds = list(dict.fromkeys([0] + [bits for bits, _ in result]))
    assert len(kinds) <= 32
    data, marks, at = [], [], 0
    for number, (bits, length) in enumerate(result):
        if number % MARKS_EVERY == 0:
            marks.append((at, len(data)))
        at += length
        data.extend(run_bytes(kinds.index(bits), length))
    sys.stdout.write("""/* SPDX-License-Identifier: MIT
** idna_table.h -- the characters that labels of host names may have (RFC 5892, Unicode %s), by tools/idna_table.py.
** Must hold: host_names.c alone includes it; a run is length * 32 + the number of its kind in base 128, the lowest
** digit first; all digits but the last have bit 7. After the last run no character is allowed. */
#pragma once

#include <stdint.h>

/* clang-format off */
static const uint16_t idna_kinds[] = {
%s
};

/* The first character of each %dth run, and where the run is. */
static const struct {
  uint32_t first, at;
} idna_marks[] = {
%s
};

static const unsigned char idna_runs[] = {
%s
};
/* clang-format on */
""" % (unicodedata.unidata_version, "\n".join(lines(kinds)), MARKS_EVERY,
       "\n".join("    {%d, %d}," % mark for mark in marks), "\n".join(lines(data))))


main()
