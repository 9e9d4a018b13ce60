# SPDX-License-Identifier: MIT
"""A slow model of the Fleece binary format: encoder (compatible mode, exact bytes), strict checker, reader, copying
and amending. Written from the format's specification only, as the oracle for tests of other code.

    encode(json_text)            bytes           decode(bytes)      value (see fleece_values)
    Encoder().uint(5) ... end()  bytes           validate(bytes)    Verdict
"""
import struct

from fleece_json import parse_json
from fleece_read import LONG_COUNT, Document, Verdict, decode, validate
from fleece_values import PARENT, UNDEFINED, Bad, Data, Float32, SharedKeys, UInt, key_order, merge

__all__ = ["Bad", "Document", "Encoder", "REMOVED", "SharedKeys", "Verdict", "amend", "copied", "decode", "encode",
           "load_shared_keys", "shared_keys_state", "validate"]

FLT_MAX = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
NARROW_REACH = 32766  # bytes that a narrow pointer can go back
POOL_REACH = 32734  # bytes that a pointer to a pooled string may go back: 32 less
REMOVED = object()


class _Open:
    """A collection during writing. An item is the bytes of an inline value, or the position that it points to."""

    def __init__(self, kind):
        self.kind, self.items, self.keys, self.wide, self.key_next = kind, [], [], False, kind == "dict"


class Encoder:
    """With a base, positions count from the end of the base, so those inside the base are negative."""

    def __init__(self, unique=True, shared=None, base=None, reuse=False, extern=False):
        self.out, self.pool, self.open = bytearray(), {}, [_Open("top")]
        self.unique, self.shared, self.extern = unique, shared, extern
        self.base = None if base is None else Document(base)
        if reuse:
            self.pool_strings(self.base.root(), set())

    def pool_strings(self, at, seen):
        doc = self.base
        if at in seen:
            return
        seen.add(at)
        if doc.tag(at) == 4:
            text = doc.scalar(at)
            if 2 <= len(text) <= 15:
                self.pool[text] = at - len(doc.buf)
        elif doc.tag(at) in (6, 7):
            for t in doc.items(at):
                self.pool_strings(t, seen)

    def place(self):
        """The position of the next value."""
        if len(self.out) & 1:
            self.out.append(0)
        return len(self.out)

    def outside(self, raw):
        at = self.place()
        self.out += raw
        self.place()
        return at

    def add(self, item):
        top = self.open[-1]
        if top.kind == "top" and top.items:
            raise Bad("two values at top level")
        if top.key_next:
            raise Bad("value without key")
        top.items.append(item)
        top.key_next = top.kind == "dict"

    # scalars
    def null(self): self.add(b"\x30\x00")
    def boolean(self, v): self.add(b"\x38\x00" if v else b"\x34\x00")
    def undefined(self): self.add(b"\x3c\x00")

    def int(self, v):
        if -2048 <= v <= 2047:
            self.add(self.small(v))
            return
        n = next(n for n in range(1, 9) if -(1 << 8 * n - 1) <= v < 1 << 8 * n - 1)
        self.add(self.outside(bytes([0x10 | n - 1]) + int(v).to_bytes(n, "little", signed=True)))

    def uint(self, v):
        if v <= 2047:
            self.add(self.small(v))
            return
        n = (v.bit_length() + 7) // 8
        self.add(self.outside(bytes([0x18 | n - 1]) + int(v).to_bytes(n, "little")))

    @staticmethod
    def small(v):
        return bytes([v >> 8 & 15, v & 255])

    def double(self, v):
        if v != v:
            raise Bad("NaN")
        if abs(v) <= FLT_MAX and struct.unpack("<f", struct.pack("<f", v))[0] == v:
            self.add(self.outside(b"\x24\x00" + struct.pack("<f", v)))
        else:
            self.add(self.outside(b"\x28\x00" + struct.pack("<d", v)))

    def float(self, v):
        if v != v:
            raise Bad("NaN")
        self.add(self.outside(b"\x20\x00" + struct.pack("<f", v)))

    @staticmethod
    def sized(tag, raw):
        if len(raw) < 15:
            return bytes([tag | len(raw)]) + raw
        head, n = [tag | 15], len(raw)
        while n > 127:
            head.append(n & 127 | 128)
            n >>= 7
        return bytes(head + [n]) + raw

    def bytes_item(self, tag, raw):
        if len(raw) < 2:
            return bytes([tag | len(raw)]) + (raw or b"\0")
        return self.outside(self.sized(tag, raw))

    def string_item(self, raw):
        pooled = self.unique and 2 <= len(raw) <= 15
        if pooled and raw in self.pool:
            if self.open[-1].wide or self.place() - self.pool[raw] <= POOL_REACH:
                return self.pool[raw]
        item = self.bytes_item(0x40, raw)
        if pooled:
            self.pool[raw] = item
        return item

    def check_value(self):
        """Raises Bad if no value is allowed here."""
        top = self.open[-1]
        if top.key_next:
            raise Bad("value without key")

    def string(self, raw):
        self.check_value()
        self.add(self.string_item(raw))

    def data(self, raw):
        self.check_value()
        self.add(self.bytes_item(0x50, raw))

    # collections
    def begin(self, kind):
        self.check_value()
        self.open.append(_Open(kind))

    def key(self, key):
        top = self.open[-1]
        if top.kind != "dict":
            raise Bad("key outside a dict")
        if not top.key_next:
            raise Bad("key after a key")
        code = key if isinstance(key, int) else -1 if self.shared is None else self.shared.code(key)
        top.items.append(self.small(code) if code >= 0 or key == PARENT else self.string_item(key))
        top.keys.append(code if code >= 0 or key == PARENT else key)
        top.key_next = False

    def finish(self, kind):
        top = self.open[-1]
        if top.kind != kind:
            raise Bad("end of the wrong kind")
        if kind == "dict" and not top.key_next:
            raise Bad("key without value")
        self.open.pop()
        items, count = top.items, len(top.keys) if kind == "dict" else len(top.items)
        tag = 0x70 if kind == "dict" else 0x60
        if not items:
            self.add(bytes([tag, 0]))
            return
        if kind == "dict":
            order = sorted(range(count), key=lambda i: key_order(top.keys[i]))
            items = [items[2 * i + half] for i in order for half in (0, 1)]
        at = self.place()
        self.add(at)
        short = min(count, LONG_COUNT)
        self.out += bytes([tag | short >> 8, short & 255])
        if count >= LONG_COUNT:
            n = count - LONG_COUNT
            while n > 127:
                self.out.append(n & 127 | 128)
                n >>= 7
            self.out.append(n)
        first = self.place()
        wide = top.wide or any(isinstance(x, int) and first + 2 * i - x > NARROW_REACH for i, x in enumerate(items))
        if wide:
            self.out[at] |= 8
        for item in items:
            self.out += self.pointer(item, wide) if isinstance(item, int) else item.ljust(4 if wide else 2, b"\0")

    def pointer(self, target, wide):
        units = (len(self.out) - target) // 2
        flag = 1 if self.extern and target < 0 else 0
        if wide:
            return struct.pack(">I", 1 << 31 | flag << 30 | units)
        return struct.pack(">H", 1 << 15 | flag << 14 | units)

    def end(self):
        if len(self.open) != 1:
            raise Bad("unclosed collection")
        items = self.open[0].items
        if items:
            at, item = self.place(), items[0]
            if not isinstance(item, int):
                self.out += item
            elif at - item > NARROW_REACH:
                self.out += self.pointer(item, True) + b"\x80\x02"
            else:
                self.out += self.pointer(item, False)
        return bytes(self.out)

    # whole values
    def value(self, v):
        if v is None:
            self.null()
        elif v is UNDEFINED:
            self.undefined()
        elif isinstance(v, bool):
            self.boolean(v)
        elif isinstance(v, int):
            self.uint(v) if isinstance(v, UInt) else self.int(v)
        elif isinstance(v, float):
            self.float(v) if isinstance(v, Float32) else self.double(v)
        elif isinstance(v, Data):
            self.data(v)
        elif isinstance(v, bytes):
            self.string(v)
        elif isinstance(v, list):
            self.begin("array")
            for x in v:
                self.value(x)
            self.finish("array")
        else:
            self.begin("dict")
            for k, x in v.items():
                self.key(k)
                self.value(x)
            self.finish("dict")

    def copy(self, doc, at, shared=None):
        """Copies a value of another document like the reference: scalars of up to 4 bytes inline, which makes the
        collection wide."""
        tag = doc.tag(at)
        if tag < 4:
            raw = doc.buf[at:doc.end(at)]
            if len(raw) == 2 or len(raw) <= 4 and self.open[-1].kind != "top":
                self.open[-1].wide |= len(raw) > 2
                self.add(raw)
            else:
                self.add(self.outside(raw))
        elif tag == 4:
            self.string(doc.scalar(at))
        elif tag == 5:
            self.data(doc.scalar(at))
        elif tag == 6:
            self.begin("array")
            for t in doc.items(at):
                self.copy(doc, t, shared)
            self.finish("array")
        else:
            self.begin("dict")
            for k, v in all_pairs(doc, at):
                self.key(shared.keys[k] if isinstance(k, int) and shared else k)
                self.copy(doc, v, shared)
            self.finish("dict")

    def reference(self, at):
        """Writes a value of the base: its bytes if it has 2, else a pointer to it."""
        doc = self.base
        if doc.end(at) - at == 2:
            self.add(doc.buf[at:at + 2])
        else:
            self.add(at - len(doc.buf))


def all_pairs(doc, at):
    """(key, position of the value) of a dict, with inherited pairs."""
    line, parent = [], at
    while parent is not None:
        own, parent = doc.pairs(parent)
        line.append(own)
    pairs = line.pop()
    while line:
        pairs = merge(line.pop(), pairs, lambda v: doc.scalar(v) is UNDEFINED if doc.tag(v) == 3 else False)
    return pairs


def encode(text, unique=True, shared=None):
    """JSON text to a document with the same bytes as the reference's; any value is allowed at top level."""
    e = Encoder(unique, shared)
    e.value(parse_json(text, limit=100))
    return e.end()


def copied(data):
    doc, e = Document(data), Encoder()
    e.copy(doc, doc.root())
    return e.end()


def amend(base, changes, reuse=False, extern=False):
    """The delta that changes members of the base's root dict: {key: value or REMOVED}."""
    e = Encoder(base=base, reuse=reuse, extern=extern)
    doc = e.base
    root = doc.root()
    old = dict(all_pairs(doc, root))
    changes = {k: v for k, v in changes.items() if v is not REMOVED or k in old}
    count = len((old.keys() | changes.keys()) - {k for k, v in changes.items() if v is REMOVED})
    ancestors, parent = 0, doc.pairs(root)[1]
    while parent is not None:
        ancestors, parent = ancestors + 1, doc.pairs(parent)[1]
    e.begin("dict")
    if len(changes) + 1 < count and ancestors < 2:
        e.key(PARENT)
        e.reference(root)
        for k in sorted(changes):
            e.key(k)
            e.value(UNDEFINED if changes[k] is REMOVED else changes[k])
    else:
        for k in sorted(old.keys() | changes.keys()):
            if changes.get(k) is REMOVED:
                continue
            e.key(k)
            if k in changes:
                e.value(changes[k])
            else:
                e.reference(old[k])
    e.finish("dict")
    return e.end()


def shared_keys_state(shared):
    e = Encoder()
    e.value(list(shared.keys))
    return e.end()


def load_shared_keys(state):
    return SharedKeys(decode(state))
