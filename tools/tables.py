#!/usr/bin/env python3
"""tables.py -- what the generators of tables share: how numbers and runs of characters are written, and texts packed."""
from collections import Counter

CHARACTERS = 0x110000


def lines(numbers):
    """Lines of at most 120 columns."""
    line = "   "
    for number in numbers:
        word = " %d," % number
        if len(line) + len(word) > 118:
            yield line
            line = "   "
        line += word
    yield line


def runs(kind):
    """Yields (kind, length) of maximal runs of characters of one kind, from U+0000 to U+10FFFF."""
    before, length = kind(0), 0
    for c in range(CHARACTERS):
        now = kind(c)
        if now != before:
            yield before, length
            before, length = now, 0
        length += 1
    yield before, length


def run_bytes(number, length):
    """A run is length * 32 + the number of its kind in base 128, the lowest digit first; all but the last have bit 7."""
    x = length << 5 | number
    while x > 127:
        yield x & 127 | 128
        x >>= 7
    yield x


def pack(texts):
    """Texts of ASCII, in which 128 stands for the most frequent pair of bytes, 129 for the most frequent one then, and
    so on (Gage, "A New Algorithm for Data Compression", 1994). Returns them and the pairs."""
    texts, pairs = [list(text.encode("ascii")) for text in texts], []
    while len(pairs) < 128:
        counts = Counter(pair for text in texts for pair in zip(text, text[1:]))
        pair = max(counts, key=lambda x: (counts[x], x))
        for number, text in enumerate(texts):
            packed = []
            for byte in text:
                if packed and (packed[-1], byte) == pair:
                    packed[-1] = 128 + len(pairs)
                else:
                    packed.append(byte)
            texts[number] = packed
        pairs.append(pair)
    return texts, pairs
