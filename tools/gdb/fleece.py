# SPDX-License-Identifier: MIT
"""fleece.py -- shows raw Lua values while you debug Fleece. Load it in gdb:  source tools/gdb/fleece.py

  fleece EXPRESSION [ENTRIES]    a Lua value, table or string, as Fleece's layouts read it. EXPRESSION is a
                                 struct lay_value, the address of a table or string, or a lua_State *
  fleece-slot ADDRESS            the value in the slot at ADDRESS
  fleece-stack L [VALUES]        the values of the running function on the Lua stack
  print $fleece(EXPRESSION)      the same as `fleece`, on one line, for use in conditions and display
  print VARIABLE                 shows the meaning of struct lay_value, json_scan, json_string, buffer and
                                 encode_frame; print/r shows their fields
  set fleece-layout lua51        sets the layout; "auto" detects it

Only Fleece needs debug information (cc -g), the interpreter does not: offsets come from Fleece's struct lay_facts,
key offsets and tags from src/layout/. A command reads a bounded amount of memory and ends, even if the memory is
corrupt.
"""

import os
import re
import struct

import gdb
import gdb.printing

LAYOUTS = ("luajit", "lua51", "lua52", "lua53", "lua54", "lua55")
ENTRIES = 10  # shown entries of a table
INNER = 4  # shown entries of a table inside it
LOOK = 1024  # slots of a table that are read
STRING = 80  # shown bytes of a string
AROUND = 30  # shown bytes of text on each side of a position
STACK = 20  # shown values of a stack
SOURCES = os.path.join(os.path.realpath(__file__).rsplit(os.sep, 3)[0], "src", "layout")


class Unreadable(Exception):
    """The memory is not mapped, or its content is impossible for the expected type."""


def read(address, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(address, size))
    except (gdb.MemoryError, OverflowError):
        raise Unreadable("no memory at 0x%x" % address) from None


def load(address, form):
    return struct.unpack("<" + form, read(address, struct.calcsize("<" + form)))[0]


def quoted(data):
    """Bytes as an ASCII literal: \\x.. is a byte that is not UTF-8, \\u.... a character."""
    out, plain = [], {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    for c in data.decode("utf-8", "surrogateescape"):
        code = ord(c)
        if 0xDC80 <= code <= 0xDCFF or code < 0x20 or code == 0x7F:
            out.append(plain.get(c) or "\\x%02x" % (code & 0xFF))
        else:
            out.append(plain.get(c, c) if code < 0x7F else ("\\u%04x" if code < 0x10000 else "\\U%08x") % code)
    return '"' + "".join(out) + '"'


def quoted_at(address, length):
    shown = quoted(read(address, min(length, STRING))) if length else '""'
    return shown if length <= STRING else "%s... (%d bytes)" % (shown, length)


# ------------------------------------------------------------------------------------------- layouts


class Layout:
    """The common part of all layouts. A value is a pair: kind and payload."""

    def __init__(self, name, facts):
        self.name = name
        for field in facts.type.fields():
            if field.name != "name":
                setattr(self, field.name, int(facts[field.name]))

    def metatable(self, table):
        return load(table + self.table_metatable, "Q")

    def array_size(self, count):
        """The number of keys, from 1, for which the array part has slots."""
        return count


class Puc(Layout):
    KINDS = ("nil", "boolean", "light", "number", "string", "table", "function", "userdata", "thread")

    def __init__(self, name, facts):
        super().__init__(name, facts)
        with open(os.path.join(SOURCES, name + ".h"), encoding="utf-8") as f:
            facts = dict(re.findall(r"^#define PUC_(\w+) (-?\w+)$", f.read(), re.M))
        number = {key: int(value, 0) for key, value in facts.items() if key != "NAME"}
        self.version, self.tag_form = number["VERSION"], "I" if number["TAG_BYTES"] == 4 else "B"
        self.float_tag, self.integer_tag = number["FLOAT"], number["INTEGER"]
        self.key, self.key_tag = number["KEY"], number["KEY_TAG"]

    def value(self, bits, tag):
        base = tag & 0x0F
        if tag == self.float_tag:
            return "number", struct.unpack("<d", struct.pack("<Q", bits))[0]
        if tag == self.integer_tag:
            return "integer", bits - (1 << 64) if bits >> 63 else bits
        if base == 1 and tag & ~0x10 == 1:
            return ("true" if tag & 0x10 else "false") if self.version >= 504 else \
                ("true" if bits & 0xFFFFFFFF else "false"), 0
        # Numbers have no other tags; collectable values have bit 6 from Lua 5.2 on.
        known = base < len(self.KINDS) and base not in (1, 3) and tag & ~0x7F == 0
        if not known or (base in (4, 5) and bool(tag & 0x40) != (self.version > 501)):
            return "unknown", (tag, bits)
        if base == 4 and self.version >= 503:
            return ("long string" if tag & 0x10 else "string"), bits
        return self.KINDS[base], bits

    def value_at(self, address):
        return self.value(load(address, "Q"), load(address + 8, self.tag_form))

    def object_at(self, address):
        tag = load(address + 8, "B")
        if tag & 0x0F not in (4, 5, 6, 7, 8) or tag & ~0x3F:
            raise Unreadable("no Lua object at 0x%x" % address)
        return self.value(address, tag if self.version == 501 else tag | 0x40)

    def string(self, kind, address):
        if self.version < 503 or kind == "long string":
            length = load(address + 16, "Q")
        else:
            length = load(address + 11, "B")
        if self.version >= 505 and kind == "long string":
            return load(address + self.string_header, "Q"), length
        return address + self.string_header, length

    def items(self, table):
        """The number of slots of the array part, and a function that reads slot i with its key."""
        count, array = load(table + self.table_array_size, "I"), load(table + self.table_array, "Q")
        if self.version == 504 and load(table + 10, "B") & 0x80 and count & (count - 1):
            count = 1 << count.bit_length()
        if self.version >= 505:
            def item(i):
                return self.value(load(array - 8 * (i + 1), "Q"), load(array + 4 + i, "B"))
        else:
            def item(i):
                return self.value_at(array + 16 * i)
        return count, lambda i: (("integer", i + 1), item(i))

    def nodes(self, table):
        nodes, logarithm = load(table + self.table_nodes, "Q"), load(table + self.table_node_count, "B")
        if logarithm > 30:
            raise Unreadable("2^%d nodes" % logarithm)

        def node(i):
            at = nodes + i * self.node_bytes
            return self.value(load(at + self.key, "Q"), load(at + self.key_tag, self.tag_form)), self.value_at(at)
        return 1 << logarithm, node

    def stack(self, state):
        """First and last slot of the running function. src/layout does not have the offset of `base` (lstate.h)."""
        base = load(state + 24, "Q") if self.version == 501 else load(load(state + 32, "Q"), "Q") + self.slot
        return base, load(state + self.stack_top, "Q")


class LuaJit(Layout):
    KINDS = {-1: "nil", -2: "false", -3: "true", -4: "light", -5: "string", -7: "thread", -9: "function",
             -11: "cdata", -12: "table", -13: "userdata"}
    version = 0

    def value_at(self, address):
        return self.word(load(address, "Q"))

    def value(self, bits, _tag):
        return self.word(bits)

    def word(self, bits):
        tag = (bits - (1 << 64) if bits >> 63 else bits) >> 47
        if 0 <= tag or tag < -14:
            return "number", struct.unpack("<d", struct.pack("<Q", bits))[0]
        if tag == -14:
            low = bits & 0xFFFFFFFF
            return "integer", low - (1 << 32) if low >> 31 else low
        return self.KINDS.get(tag, "unknown"), (tag, bits) if tag not in self.KINDS else bits & ((1 << 47) - 1)

    def object_at(self, address):
        kind = self.KINDS.get(~load(address + 9, "B"))
        if kind not in ("string", "thread", "function", "cdata", "table", "userdata"):
            raise Unreadable("no Lua object at 0x%x" % address)
        return kind, address

    def string(self, _kind, address):
        return address + self.string_header, load(address + 20, "I")

    def items(self, table):
        """Slot 0 holds key 0."""
        count, array = load(table + self.table_array_size, "I"), load(table + self.table_array, "Q")
        return count, lambda i: (("integer", i), self.value_at(array + 8 * i))

    def nodes(self, table):
        nodes, mask = load(table + self.table_nodes, "Q"), load(table + self.table_node_count, "I")
        if mask & (mask + 1):
            raise Unreadable("%d nodes" % (mask + 1))
        at = lambda i: nodes + i * self.node_bytes  # noqa: E731
        return mask + 1, lambda i: (self.value_at(at(i) + 8), self.value_at(at(i)))

    def array_size(self, count):
        return count - 1 if count > 0 else count

    def stack(self, state):
        return load(state + 32, "Q"), load(state + self.stack_top, "Q")


def evaluate(expression):
    try:
        return gdb.parse_and_eval(expression)
    except gdb.error:
        return None


def facts_of(name):
    """The layout's struct lay_facts; None if this object does not have it."""
    for symbol in gdb.lookup_static_symbols(name + "_facts"):
        return symbol.value()
    return evaluate(name + "_facts")


def here():
    """The layout in use: that of the parameter, of the running template, or LuaJIT's if this is LuaJIT."""
    wanted = gdb.parameter("fleece-layout")
    found = {}
    for name in LAYOUTS if wanted == "auto" else (wanted,):
        facts = facts_of(name)
        if facts is not None:
            found[name] = facts
    if not found:
        raise gdb.GdbError("no facts of a layout: is Fleece loaded, and built with -g?")
    name, frame, steps = None, None, 0
    if len(found) > 1:
        try:
            frame = gdb.selected_frame()
        except gdb.error:
            pass
    while name is None and frame is not None and steps < 20:
        prefix = (frame.name() or "").split("_")[0]
        name, frame, steps = prefix if prefix in found else None, frame.older(), steps + 1
    if name is None and len(found) > 1:
        name = "luajit" if evaluate("&luaJIT_setmode") is not None else [n for n in found if n != "luajit"][0]
    name = name or next(iter(found))
    return (LuaJit if name == "luajit" else Puc)(name, found[name])


# ------------------------------------------------------------------------------------------- text


class Words:
    """Values as text."""

    def __init__(self, layout):
        self.layout = layout

    def value(self, value, depth=0):
        kind, payload = value
        if kind in ("nil", "true", "false"):
            return kind
        if kind == "integer":
            return str(payload)
        if kind == "number":
            text = repr(payload)
            return text if self.layout.version >= 503 or not text.endswith(".0") else text[:-2]
        if kind == "unknown":
            return "<unknown tag 0x%x, bits 0x%x>" % (payload[0] & 0xFFFFFFFF, payload[1])
        if kind == "light":
            return "light userdata 0x%x" % payload
        try:
            if kind.endswith("string"):
                return quoted_at(*self.layout.string(kind, payload))
            if kind == "table":
                return self.table(payload, depth)
            if kind == "cdata":
                number = load(payload + 10, "H")
                if number in (11, 12):
                    return "cdata 0x%x: %d" % (payload, load(payload + 16, "q" if number == 11 else "Q"))
        except Unreadable as problem:
            return "%s 0x%x <%s>" % (kind, payload, problem)
        return "%s 0x%x" % (kind, payload)

    def key(self, key):
        return "[" + self.value(key, -1) + "]"

    def pairs(self, table, most):
        """The first `most` pairs, their number, and a description of the table."""
        pairs, used, all_seen, sizes, problems = [], 0, True, [], []
        for part in (self.layout.items, self.layout.nodes):
            try:
                count, at = part(table)
                sizes.append(count)
                before, all_seen = used, all_seen and count <= LOOK
                for i in range(min(count, LOOK)):
                    key, value = at(i)
                    if value[0] != "nil":
                        used += 1
                        if used <= most:
                            pairs.append((key, value))
                if part == self.layout.nodes and count == 1 and used == before:
                    sizes[-1] = 0  # the single node that all tables without a hash part share
            except Unreadable as problem:
                if len(sizes) < (1 if part == self.layout.items else 2):
                    sizes.append(-1)
                problems.append(" <%s>" % problem)
        metatable = self.layout.metatable(table)
        head = "table 0x%x: array %s, hash %s, %s%d used%s%s" % (
            table, *[n if n >= 0 else "?" for n in (self.layout.array_size(sizes[0]), sizes[1])],
            "" if all_seen and not problems else "at least ", used,
            ", metatable 0x%x" % metatable if metatable else "", "".join(problems))
        return pairs, used, head

    def table(self, table, depth):
        if depth < 0:
            return "table 0x%x" % table
        pairs, used, head = self.pairs(table, INNER if depth == 0 else 0)
        inside = ["%s = %s" % (self.key(k), self.value(v, -1)) for k, v in pairs]
        if depth > 0 or not inside:
            return head
        return "%s {%s%s}" % (head, ", ".join(inside), ", ..." if used > len(inside) else "")

    def lines(self, value, entries):
        """A value on separate lines; for tables the first entries."""
        if value[0] != "table":
            return [self.value(value)]
        pairs, used, head = self.pairs(value[1], entries)
        out = [head]
        for key, item in pairs:
            out.append("  %s = %s" % (self.key(key), self.value(item)))
        if used > len(pairs):
            out.append("  ... %d more" % (used - len(pairs)))
        return out

    def stack(self, state, most):
        layout = self.layout
        base, top = layout.stack(state)
        count = (top - base) // layout.slot
        if (top - base) % layout.slot or not 0 <= count <= 1000000:
            raise Unreadable("no Lua stack at 0x%x" % state)
        out = ["stack of 0x%x: %d values" % (state, count)]
        if count > most:
            out.append("  ... %d below" % (count - most))
        for index in range(max(1, count - most + 1), count + 1):
            value = layout.value_at(base + (index - 1) * layout.slot)
            out.append("  %d (%d)  %s" % (index, index - 1 - count, self.value(value)))
        return out


def struct_name(type_):
    type_ = type_.strip_typedefs()
    if type_.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF):
        type_ = type_.target().strip_typedefs()
    return type_.unqualified().tag


def lines_of(value, entries=ENTRIES):
    words = Words(here())
    name = struct_name(value.type)
    is_pointer = value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR
    try:
        if name == "lua_State":
            return words.stack(int(value), STACK)
        if name == "lay_value":
            value = value.dereference() if is_pointer else value
            return words.lines(words.layout.value(int(value["bits"]), int(value["tag"])), entries)
        return words.lines(words.layout.object_at(int(value)), entries)
    except (Unreadable, gdb.MemoryError) as problem:
        return ["<%s>" % problem]


def one_line(value):
    return "; ".join(line.strip() for line in lines_of(value, INNER))


# ------------------------------------------------------------------------------------------- commands


class LayoutParameter(gdb.Parameter):
    """The layout that Lua values are read with: auto, or one that Fleece was built with."""

    set_doc = "Set the layout that Lua values are read with."
    show_doc = "Show the layout that Lua values are read with."

    def __init__(self):
        super().__init__("fleece-layout", gdb.COMMAND_DATA, gdb.PARAM_ENUM, ("auto",) + LAYOUTS)
        self.value = "auto"

    def get_set_string(self):
        return ""

    def get_show_string(self, shown):
        return "Lua values are read with the layout: " + shown


class Command(gdb.Command):
    """The common part of the commands: an expression and a number."""

    def __init__(self, name, show):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)
        self.name, self.show = name, show

    def invoke(self, argument, from_tty):
        match = re.match(r"(.*?\S)(?:\s+(\d+))?\s*$", argument)
        if not match:
            raise gdb.GdbError("usage: %s EXPRESSION [NUMBER]" % self.name)
        value = gdb.parse_and_eval(match.group(1))
        try:
            lines = self.show(value, *[min(int(n), LOOK) for n in [match.group(2)] if n])
        except Unreadable as problem:
            lines = ["<%s>" % problem]
        gdb.write("\n".join(lines) + "\n")


def show_slot(value):
    words = Words(here())
    return words.lines(words.layout.value_at(int(value)), ENTRIES)


def show_stack(value, most=STACK):
    return Words(here()).stack(int(value), most)


class Function(gdb.Function):
    """$fleece(EXPRESSION): a Lua value on one line."""

    def __init__(self):
        super().__init__("fleece")

    def invoke(self, value):
        return one_line(value)


# ------------------------------------------------------------------------------------------- Fleece's structures


def text_around(begin, end, at):
    """The text on both sides of a position, which is marked with ^."""
    before, behind = max(begin, at - AROUND), min(end, at + AROUND)
    return "%s%s ^ %s%s" % ("..." if before > begin else "", quoted(read(before, at - before)),
                            quoted(read(at, behind - at)), "..." if behind < end else "")


def enumerator(sample, number):
    """The name of a number in the enumeration that has the enumerator `sample`."""
    value = evaluate(sample)
    for field in value.type.fields() if value is not None and value.type.code == gdb.TYPE_CODE_ENUM else ():
        if field.enumval == number:
            return field.name
    return str(number)


class Printer:
    def __init__(self, value):
        self.value = value

    def number(self, field):
        return int(self.value[field])

    def to_string(self):
        try:
            return self.words()
        except (Unreadable, gdb.GdbError, gdb.MemoryError) as problem:
            return "<%s>" % problem


class PrintValue(Printer):
    def words(self):
        return one_line(self.value)


class PrintScan(Printer):
    def words(self):
        begin, end, at, error = (self.number(field) for field in ("begin", "end", "at", "error"))
        head = "text of %d bytes, depth %d of %d" % (end - begin, self.number("depth"), self.number("max_depth"))
        if not begin <= end:
            raise Unreadable("a text that ends before it begins")
        if error:
            head += ", error " + enumerator("JSON_CHECK_OK", error)
        if not begin <= at <= end:
            return "%s, `at` is outside the text; %s" % (head, text_around(begin, end, begin))
        return "%s, at offset %d: %s" % (head, at - begin, text_around(begin, end, at))


class PrintString(Printer):
    def words(self):
        return quoted_at(self.number("s"), self.number("n"))


class PrintBuffer(Printer):
    def words(self):
        begin, end = self.number("begin"), self.number("end")
        if begin == 0:
            return "no block"
        return "%d bytes at 0x%x%s%s, begins %s" % (
            end - begin, begin, ", drained" if self.number("drain") else "",
            ", refused" if self.number("refused") else "", quoted(read(begin, max(0, min(AROUND, end - begin)))))


class PrintFrame(Printer):
    def words(self):
        return "%s %d of %d in table 0x%x" % (self.value["kind"], self.number("i"), self.number("n"),
                                              self.number("table"))


def printers():
    all_ = gdb.printing.RegexpCollectionPrettyPrinter("fleece")
    for name, printer in (("lay_value", PrintValue), ("json_scan", PrintScan), ("json_string", PrintString),
                          ("buffer", PrintBuffer), ("encode_frame", PrintFrame)):
        all_.add_printer(name, "^%s$" % name, printer)
    return all_


LayoutParameter()
Function()
Command("fleece", lines_of)
Command("fleece-slot", show_slot)
Command("fleece-stack", show_stack)
gdb.printing.register_pretty_printer(None, printers(), replace=True)
