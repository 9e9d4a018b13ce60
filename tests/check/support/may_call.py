#!/usr/bin/env python3
"""may_call.py -- are the "May call" lines of src/ true? Prints one line per complaint. Run by may_call.sh.

The rule. A source's head says "May call: ..." in words. What counts in them are names of rooms, alone or before a
file ("json", "json/grammar/scan.h"; "the layouts", "the layout's" are layout), and two neighbours of the house: "lua_*" and
"stdio". The file's own room and base/ are implied; they may be named, or files of them. Then
  - a room whose functions, macros, types, constants or tables the code uses must be named; so must lua_* where the
    code calls Lua's API, and stdio where it has a FILE;
  - a room that is named must be used: by such a name, or by pasting a template of it. To include a header and use
    nothing of it is no use, except in files that hold nothing but includes;
  - a file that is named must be there: in the folder before it, in the last folder named before it, or in the own room.
A .c whose head has no "May call" shares that of the header of the same name, which then speaks for both.
There is no list of exceptions. A name that two rooms define, such as a template's parameter, says nothing.
`may_call.py --used` prints what each file uses, and by which name.
"""
import glob
import os
import re
import sys

ROOMS = "base number text regex patch query json schema tree binary layout convert module dropin capi".split()
IMPLIED = {"base"}
DEFINES = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
FORGETS = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.M)
INCLUDES = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
KEYWORDS = set("sizeof aligned defined unused visibility noinline if for while switch return".split())
LUA = re.compile(r"\bluaL?_[a-z]\w*\s*\(")
STDIO = re.compile(r"\bFILE\b|\bf(open|close|read|write|seek|tell|flush)\s*\(")


def room_of(path):
    return path.split("/")[1] if path.count("/") > 1 else "top"


def code_of(text):
    """The code without comments, strings and characters; lines stay."""
    piece = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
    keep = re.compile(r'[ \t]*#[ \t]*include')

    def blank(m):
        start = text.rfind("\n", 0, m.start()) + 1
        return m.group(0) if m.group(0)[0] == '"' and keep.match(text, start) else re.sub(r"[^\n]", " ", m.group(0))
    return piece.sub(blank, text)


def top_level(code):
    """What stands outside of braces and of the preprocessor's lines; braces themselves stay."""
    code = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", code, flags=re.M)
    out, depth = [], 0
    for c in code:
        if c == "}":
            depth = max(depth - 1, 0)
        if depth == 0 or c == "\n":
            out.append(c)
        if c == "{":
            depth += 1
    return "".join(out)


def defined(code):
    """The names that a file gives to others; LAY(x) for what is pasted once per layout."""
    names = set(DEFINES.findall(code)) - set(FORGETS.findall(code))
    for body in re.findall(r"\benum\b[^;{}()]*\{([^}]*)\}", code):
        names |= set(re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", re.sub(r"\([^()]*\)", "", body)))
    names |= {"struct " + t for t in re.findall(r"\b(?:struct|union)\s+(\w+)\s*\{", code)}
    names |= {"enum " + t for t in re.findall(r"\benum\s+(\w+)\s*\{", code)}
    top = top_level(code)
    names |= set(re.findall(r"\btypedef\b[^;]*?\b(\w+)\s*;", top))
    for head in re.split(r"[;{}]", top):
        m = re.search(r"\b(?!(?:FL_\w+|LAY|__attribute__|TEXT_\w+)\b)([A-Za-z_]\w*)\s*(?:\(|\[|=|$)", head.strip())
        if m and re.match(r"\s*(FL_|static\b|TEXT_|JL_|LAY_|const\b|int\b|void\b)", head):
            names.add(m.group(1))
        names |= set(re.findall(r"\b(LAY\(\w+\))\s*\(", head)[:1])
    return names - KEYWORDS


def used(code):
    """The names that a file mentions, but for members of structures."""
    names = set(re.findall(r"(?<![\w.>])([A-Za-z_]\w*)\b", re.sub(r"->\s*\w+", " ", code)))
    names |= {k + " " + t for k, t in re.findall(r"\b(struct|enum)\s+(\w+)", code)}
    names |= {"struct " + t for t in re.findall(r"\bunion\s+(\w+)", code)}
    return names | set(re.findall(r"\bLAY\(\w+\)", code))


class Source:
    def __init__(self, path):
        text = open(path, encoding="utf-8").read()
        self.path, self.room = path, room_of(path)
        self.code = code_of(text)
        head = re.search(r"May call:(.*?)Must hold:", text[:text.index("*/")], re.S)
        self.says = re.sub(r"\s*\n\*\*\s*", " ", head.group(1)).strip() if head else None
        self.defines, self.uses = defined(self.code), used(self.code) - set(FORGETS.findall(self.code))
        self.is_pasted = not re.match(r"\s*#\s*ifndef\s+\w+_H\b", self.code)
        self.includes = [os.path.normpath(os.path.join("src" if os.path.exists("src/" + i) else os.path.dirname(path), i))
                         for i in INCLUDES.findall(self.code)]
        self.holds_includes = not re.search(r"[;{]", re.sub(r"^[ \t]*#.*", "", self.code, flags=re.M))

    def said(self):
        says = re.sub(r"\b(layout|capi)('s|s)\b", r"\1", self.says or "")
        rooms = set(re.findall(r"(?<![\w./])(%s)(?!\w|\.[ch]\b)" % "|".join(ROOMS), says))
        return rooms | set(re.findall(r"\blua_\*|\bstdio\b", says))

    def files_that_are_not_there(self):
        last = self.room
        for folder, name in re.findall(r"\b((?:[a-z]\w*/)*)([\w*]+\.[ch])\b", self.says or ""):
            last = folder.strip("/") or last
            if not any(glob.glob("src/" + p, recursive=True) for p in
                       (last + "/**/" + name, self.room + "/**/" + folder + name, name)):
                yield name


def main():
    sources = {p: Source(p) for p in sorted(glob.glob("src/**/*.[ch]", recursive=True))}
    owners = {}
    for s in sources.values():
        for name in s.defines: owners.setdefault(name, set()).add(s.room)
    for s in sources.values():
        if s.says is None: continue  # rooms.sh wants one of all but the include list
        own = sources.get(s.path[:-2] + ".c") if s.path.endswith(".h") else None
        files = [s] + ([own] if own and own.says is None else [])
        why = {}
        for name in sorted(set().union(*(f.uses for f in files))):
            rooms = owners.get(name, set())
            if len(rooms) == 1 and s.room not in rooms: why.setdefault(next(iter(rooms)), []).append(name)
        for f in files:
            for i in f.includes:
                if i in sources and (f.holds_includes or sources[i].is_pasted):
                    why.setdefault(sources[i].room, []).append(i)
        code = "".join(f.code for f in files)
        for what, pattern in (("lua_*", LUA), ("stdio", STDIO)):
            if pattern.search(code): why[what] = [pattern.search(code).group(0).rstrip("( ")]
        for room in (s.room, "top"): why.pop(room, None)
        if "--used" in sys.argv:
            print(s.path, "|", s.says, "|", "; ".join("%s: %s" % (r, " ".join(n[:6])) for r, n in sorted(why.items())))
            continue
        for room in sorted(set(why) - s.said() - IMPLIED):
            print("%s: uses %s (%s) and does not say so" % (s.path, room, ", ".join(why[room][:3])))
        for room in sorted(s.said() - set(why) - {s.room}):
            print("%s: says %s and uses nothing of it" % (s.path, room))
        for name in s.files_that_are_not_there():
            print("%s: says %s, which is not there" % (s.path, name))


main()
