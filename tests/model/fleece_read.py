# SPDX-License-Identifier: MIT
"""Reading Fleece documents: positions, the strict checker, the values. Part of the model, see fleece_format."""
import struct

from fleece_values import PARENT, UNDEFINED, Bad, Data, Dict, Float32, Int, UInt, key_order

LONG_COUNT = 2047  # from this count on, a varint with the rest follows the header


# ---- positions

def varint(buf, at):
    """(value, position after it). Up to 10 bytes and 32 bits; longer forms than necessary are allowed."""
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
    """The bytes of its extern base, if any, then those of the document; positions count from the start of the base."""

    def __init__(self, data, base=b""):
        self.buf, self.lo = bytes(base) + bytes(data), len(base)
        self.chains = {}     # wide pointer in a chain -> (value, last pointer)
        self.unclear = set()  # open questions of the specification that concern this document

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
            offset = (bits & 0x7fff) * 2  # before the flag existed, the bit was part of the offset
            self.unclear.add("legacy_pointer")
        if offset == 0:
            raise Bad("pointer to itself")
        if at - offset < lowest:
            raise Bad("pointer before the start")
        return at - offset

    def resolve(self, at, wide):
        """(position of the value, position of the last pointer). Linear, even if chains are used many times."""
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
            unsigned = b[at] & 8 != 0
            return (UInt if unsigned else Int)(int.from_bytes(raw, "little", signed=not unsigned))
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
    """valid; why not; issues: what other readers may refuse; unclear: questions that the specification leaves open;
    depth: number of containers on the longest path, including parents."""

    def __init__(self):
        self.valid, self.why, self.issues, self.unclear, self.depth = False, "", set(), set(), 0

    def __bool__(self):
        return self.valid


class Checker:
    """Accepts what section 8 accepts, without what "ours MUST in addition" refuses; its work is linear in the size.

    Where the specification is ambiguous, `lenient` chooses the meaning that accepts more."""

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
        """Like value(), for the target of a pointer. Items of distinct collections together must fit the document."""
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
        """Collects issues that are no reason to refuse."""
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
        """A target ends before the collection that points to it, so sorting by end gives a bottom-up order."""
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
