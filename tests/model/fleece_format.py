# SPDX-License-Identifier: MIT
"""A slow model of the Fleece binary format: encoder (compatible, byte exact), strict checker, reader, copying
and amending. Written from the format's specification alone, as the oracle of tests of other code.

    encode(json_text)            bytes           decode(bytes)      value (see fleece_values)
    Encoder().uint(5) ... end()  bytes           validate(bytes)    Verdict
"""
import struct

from fleece_json import parse_json
from fleece_values import (PARENT, UNDEFINED, Bad, Data, Dict, Float32, Int, SharedKeys, UInt, key_order, merge)

FLT_MAX = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
NARROW_REACH = 32766  # bytes a narrow pointer can go back
POOL_REACH = 32734    # and how far back a pooled string is still taken: 32 bytes less
LONG_COUNT = 2047
REMOVED = object()


# ---- reading: where things are

def varint(buf, at):
    """(value, position behind it). Up to 10 bytes, up to 32 bits; over-long forms are fine."""
    value = 0
    for i in range(10):
        if at + i >= len(buf):
            raise Bad("varint without end")
        b = buf[at + i]
        if i == 9 and b > 1:
            raise Bad("varint too long")
        value |= (b & 0x7f) << (7 * i)
        if b < 0x80:
            if value > 0xffffffff:
                raise Bad("varint too large")
            return value, at + i + 1
    raise Bad("varint too long")


class Document:
    """The bytes of a document behind the bytes of its extern base, if any; positions count from the base's start."""

    def __init__(self, data, base=b""):
        self.buf, self.lo = bytes(base) + bytes(data), len(base)
        self.chains = {}     # wide pointer in a chain -> (value, last pointer)
        self.unclear = set()  # what the specification leaves open and this document does

    def tag(self, at):
        return self.buf[at] >> 4

    def collection(self, at):
        """(number of items, bytes per item, position of the first)."""
        head = self.buf[at] << 8 | self.buf[at + 1]
        count, first = head & 0x7ff, at + 2
        if count == LONG_COUNT:
            more, first = varint(self.buf, first)
            count, first = count + more, first + (first & 1)
        return count * (2 if self.tag(at) == 7 else 1), 4 if head & 0x800 else 2, first

    def span(self, at):
        """(start, end) of the bytes of a string or data."""
        n, start = self.buf[at] & 15, at + 1
        if n == 15:
            n, start = varint(self.buf, start)
        return start, start + n

    def end(self, at):
        """Where the value at this position ends, by its own size."""
        tag, low = self.buf[at] >> 4, self.buf[at] & 15
        if tag in (0, 3):
            return at + 2
        if tag == 1:
            return at + 2 + (low & 7)
        if tag == 2:
            return at + (10 if low & 8 else 6)
        if tag in (4, 5):
            return max(self.span(at)[1], at + 2)
        count, width, first = self.collection(at)
        return first + count * width

    def hop(self, at, wide):
        """The target of one pointer."""
        size = 4 if wide else 2
        if at + size > len(self.buf):
            raise Bad("pointer past the end")
        bits = int.from_bytes(self.buf[at:at + size], "big")
        flag = 1 << (size * 8 - 2)
        in_base = at < self.lo
        offset, lowest = (bits & (flag - 1)) * 2, 0 if in_base else self.lo
        if bits & flag and self.lo and not in_base:
            if not 0 <= at - offset < self.lo:
                raise Bad("extern pointer outside the base")
            return at - offset
        if bits & flag:
            if wide:
                raise Bad("extern pointer without base")
            offset = (bits & 0x7fff) * 2  # before the flag was invented the bit belonged to the offset
            self.unclear.add("legacy_pointer")
        if offset == 0:
            raise Bad("pointer to itself")
        if at - offset < lowest:
            raise Bad("pointer before the start")
        return at - offset

    def resolve(self, at, wide):
        """(position of the value, position of the last pointer followed). Linear, however often chains are used."""
        target, trail = self.hop(at, wide), []
        while self.buf[target] & 0x80 and target not in self.chains:
            if target + 4 > at:
                self.unclear.add("pointer_overlap")
            trail.append(target)
            at, target = target, self.hop(target, True)
        found = self.chains[target] if self.buf[target] & 0x80 else (target, at)
        for t in trail:
            self.chains[t] = found
        return found

    def slot(self, at, width):
        """The position of the value that an item holds or points to."""
        return self.resolve(at, width == 4)[0] if self.buf[at] & 0x80 else at

    def root(self):
        return self.slot(len(self.buf) - 2, 2)

    def items(self, at):
        count, width, first = self.collection(at)
        return [self.slot(first + i * width, width) for i in range(count)]

    def scalar(self, at):
        b, tag = self.buf, self.tag(at)
        if tag == 0:
            n = (b[at] & 15) << 8 | b[at + 1]
            return Int(n - 4096 if n & 0x800 else n)
        if tag == 1:
            raw = b[at + 1:at + 2 + (b[at] & 7)]
            return UInt(int.from_bytes(raw, "little")) if b[at] & 8 else Int(int.from_bytes(raw, "little", signed=True))
        if tag == 2:
            if b[at] & 8:
                return struct.unpack("<d", b[at + 2:at + 10])[0]
            value = struct.unpack("<f", b[at + 2:at + 6])[0]
            return value if b[at] & 4 else Float32(value)
        if tag == 3:
            return {4: False, 8: True, 12: UNDEFINED}.get(b[at] & 15)
        start, end = self.span(at)
        return b[start:end] if tag == 4 else Data(b[start:end])

    def pairs(self, at):
        """([(key, position of the value)], position of the parent or None) of a checked dict."""
        found = self.items(at)
        pairs = [(self.scalar(k), v) for k, v in zip(found[::2], found[1::2])]
        if pairs and pairs[0][0] == PARENT:
            return pairs[1:], pairs[0][1]
        return pairs, None


# ---- checking

class Verdict:
    """valid; why not; issues: what else a reader may dislike; unclear: what the specification does not decide;
    depth: containers on the longest way down, parents included."""

    def __init__(self):
        self.valid, self.why, self.issues, self.unclear, self.depth = False, "", set(), set(), 0

    def __bool__(self):
        return self.valid


class Checker:
    """Accepts what section 8 accepts less what "ours MUST in addition" refuses; work linear in the size.

    Where the text can be read in two ways, `lenient` takes the one that accepts more."""

    def __init__(self, data, base=b"", lenient=False):
        self.doc, self.lenient, self.data = Document(data, base), lenient, data
        self.verdict = Verdict()
        self.verdict.unclear = self.doc.unclear
        self.todo, self.checked, self.counted, self.item_bytes = [], {}, set(), 0
        self.judged = set()

    def run(self):
        v = self.verdict
        try:
            self.document()
            while self.todo:
                self.contents(self.todo.pop())
            v.valid = True
            v.depth = self.depth()
        except Bad as e:
            v.why = str(e)
        return v

    def open_question(self, name, accept):
        self.doc.unclear.add(name)
        if not (accept or self.lenient):
            raise Bad(name)

    def document(self):
        doc, n = self.doc, len(self.doc.buf)
        if len(self.data) < 2 or len(self.data) & 1 or doc.lo & 1:
            raise Bad("length")
        trailer = n - 2
        if not doc.buf[trailer] & 0x80:
            if len(self.data) != 2:
                raise Bad("no root pointer")
            self.value(trailer, n)
            return
        root, last = doc.resolve(trailer, False)
        if last != trailer:
            self.verdict.issues.add("root_pointer_chain")
            if last < doc.end(root) <= trailer:
                self.open_question("root_overlaps_chain", accept=False)
                last = trailer
        self.target(root, last)

    def value(self, at, end):
        """The value at this position must end by `end`; the items of a collection are checked later, once."""
        doc = self.doc
        if doc.end(at) > end:
            raise Bad("value past its end")
        if doc.tag(at) in (6, 7):
            if at not in self.checked:
                self.checked[at] = []
                if doc.collection(at)[0]:
                    self.todo.append(at)
        elif at not in self.judged:
            self.judged.add(at)
            self.judge(at)

    def target(self, at, end):
        """As value, for what a pointer led to. Distinct collections cannot hold more items than there is document."""
        if self.doc.lo and at < self.doc.lo:
            end = min(end, self.doc.lo)
        self.value(at, end)
        if self.doc.tag(at) in (6, 7) and at not in self.counted:
            self.counted.add(at)
            count, width, _ = self.doc.collection(at)
            self.item_bytes += count * width
            if self.item_bytes > len(self.doc.buf):
                raise Bad("overlapping collections")

    def item(self, at, width):
        if not self.doc.buf[at] & 0x80:
            self.value(at, at + width)
            return at
        target, last = self.doc.resolve(at, width == 4)
        if last != at:
            self.doc.unclear.add("pointer_chain_in_item")
        self.target(target, last)
        return target

    def contents(self, at):
        doc = self.doc
        count, width, first = doc.collection(at)
        previous = None
        for i in range(count):
            where = first + i * width
            target = self.item(where, width)
            if doc.tag(target) in (6, 7):
                self.checked[at].append(target)
            if doc.tag(at) == 7:
                if i % 2 == 0:
                    key = self.key(target, target != where, i == 0)
                    if previous is not None:
                        if key_order(key) < key_order(previous):
                            self.verdict.issues.add("unsorted_keys")
                        if key == previous:
                            self.verdict.issues.add("duplicate_key")
                    previous = key
                elif key == PARENT:
                    if doc.tag(target) != 7:
                        raise Bad("parent is no dict")
                    if target == where:
                        self.open_question("parent_inline", accept=True)

    def key(self, at, by_pointer, first):
        tag = self.doc.tag(at)
        if tag not in (0, 4):
            raise Bad("key is neither string nor small integer")
        key = self.doc.scalar(at)
        if tag == 0:
            if key == PARENT:
                self.verdict.issues.add("parent_key")
                if not first:
                    self.open_question("parent_not_first", accept=False)
            elif key < 0:
                raise Bad("negative key")
            else:
                self.verdict.issues.add("int_key")
            if by_pointer:
                self.open_question("int_key_by_pointer", accept=False)
        return key

    def judge(self, at):
        """What no reader needs to refuse."""
        doc, b, issues = self.doc, self.doc.buf, self.verdict.issues
        tag, value = doc.tag(at), doc.scalar(at)
        if tag == 4:
            try:
                value.decode("utf-8")
            except UnicodeDecodeError:
                issues.add("bad_utf8")
        if tag in (4, 5) and b[at] & 15 == 15 and len(value) < 15:
            issues.add("non_minimal")
        if tag == 2 and (value != value or abs(value) == float("inf")):
            issues.add("non_finite")
        if tag == 2 and (b[at] & 3 or b[at + 1]) or tag == 3 and (b[at] & 3 or b[at + 1]):
            issues.add("reserved_bits")
        if value is UNDEFINED:
            issues.add("undefined")

    def depth(self):
        """A target ends before the collection that leads to it, so the order of ends is a bottom-up order."""
        depth = {}
        for at in sorted(self.checked, key=lambda at: (self.doc.end(at), -at)):
            depth[at] = 1 + max([depth[t] for t in self.checked[at]], default=0)
        return max(depth.values(), default=0)


def validate(data, base=b"", lenient=False):
    return Checker(data, base, lenient).run()


# ---- values

def decode(data, shared=None, base=b"", verdict=None):
    """The value of a document that the checker accepts; shared values become shared Python objects."""
    verdict = verdict or validate(data, base)
    if not verdict:
        raise Bad(verdict.why)
    doc, made, todo = Document(data, base), {}, []

    def make(at):
        if doc.tag(at) not in (6, 7):
            return doc.scalar(at)
        if at not in made:
            made[at] = [] if doc.tag(at) == 6 else Dict(shared=shared)
            todo.append(at)
        return made[at]

    root = make(doc.root())
    while todo:
        at = todo.pop()
        value = made[at]
        if doc.tag(at) == 6:
            value.extend(make(t) for t in doc.items(at))
        else:
            pairs, parent = doc.pairs(at)
            value.own.extend((k, make(v)) for k, v in pairs)
            value.parent = None if parent is None else make(parent)
    return root


# ---- writing

class _Open:
    """A collection being written. An item is the bytes of an inline value, or the position that it points to."""

    def __init__(self, kind):
        self.kind, self.items, self.keys, self.wide, self.key_next = kind, [], [], False, kind == "dict"


class Encoder:
    """With a base, positions count from its end: what the base holds has negative ones."""

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
        """Before bytes are written: may a value stand here?"""
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
        """A value of another document, as the reference copies: scalars to 4 bytes go inline, then all is wide."""
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
        """A value of the base: a pointer to it, unless it takes 2 bytes."""
        doc = self.base
        if doc.end(at) - at == 2:
            self.add(doc.buf[at:at + 2])
        else:
            self.add(at - len(doc.buf))


def all_pairs(doc, at):
    """(key, position of the value) of a dict and what it inherits."""
    line, parent = [], at
    while parent is not None:
        own, parent = doc.pairs(parent)
        line.append(own)
    pairs = line.pop()
    while line:
        pairs = merge(line.pop(), pairs, lambda v: doc.scalar(v) is UNDEFINED if doc.tag(v) == 3 else False)
    return pairs


def encode(text, unique=True, shared=None):
    """JSON text to a document, byte for byte as the reference; any value may stand at top level."""
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
