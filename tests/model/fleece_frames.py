# SPDX-License-Identifier: MIT
"""A slow model of the frames in files of documents and amendments, written from docs/format.md only.

    frame(body [, names, before])   bytes to put before the body; before: the file so far, for an amendment
    parts(file)                     (the ends of the whole parts, "fine", "unfinished", "cut", "damaged" or "none")
"""
import struct

MAGIC = bytes.fromhex("8f465f2c0d0a1a0a")
HEAD = struct.Struct("<8sBBHIQQIII")  # all but the last checksum


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff


def frame(body, names=b"", before=None):
    tail = names + bytes(-len(names) % 16)
    last = 0
    if before is not None:
        at = 0
        for end in parts(before)[0]:
            last, at = struct.unpack("<I", before[at + 44:at + 48])[0], end
    head = HEAD.pack(MAGIC, 1, before is not None, (48 + len(tail)) // 16, len(names), len(body), len(before or b""),
                     last, crc32c(tail), crc32c(body))
    return head + struct.pack("<I", crc32c(head)) + tail


def parts(file):
    ends, at, last = [], 0, 0
    while at < len(file) or not ends:
        head = file[at:at + 48]
        if ends and head[0] == 0:
            return ends, "unfinished"
        if not head or not (head[:8] == MAGIC[:len(head)] or head[:2] == MAGIC[:2] or head[2:8] == MAGIC[2:]):
            return ends, "damaged" if ends else "none"
        if len(head) < 48:
            return ends, "cut"
        _, version, kind, units, names, body, base, before, names_sum, body_sum = HEAD.unpack(head[:44])
        if struct.unpack("<I", head[44:])[0] != crc32c(head[:44]):
            return ends, "damaged"
        if (version, kind, base, before) != (1, int(bool(ends)), at, last) or 16 * units < 48 + names:
            return ends, "damaged"
        start, end = at + 16 * units, at + 16 * units + body
        if end > len(file):
            return ends, "cut"
        if crc32c(file[at + 48:start]) != names_sum or crc32c(file[start:end]) != body_sum:
            return ends, "damaged"
        last, at = struct.unpack("<I", head[44:])[0], end
        ends.append(end)
    return ends, "fine"
