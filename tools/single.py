#!/usr/bin/env python3
"""single.py -- writes the library as one C file with its headers, into build/single or the folder given: `make single`.

    fleece.c        both C libraries and all modules; with -DFLEECE_NO_LUA libfleece alone, without Lua
    fleece.h        the C interface; fleece-text.h is a part of it
    fleece-lua.h    for hosts that embed Lua

Includes of our own files are replaced by these files as the preprocessor would do it, with their conditions. A file
that is included once only (#pragma once, or a .c) is written at its first place, unless a condition stands around
that place; then it is written at each place, and a guard decides. A template is written each time.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PUBLIC = ("fleece.h", "fleece-text.h", "fleece-lua.h")
NEVER = ("FLEECE_APART",)  # not defined in a build of one file
ALWAYS = ("FLEECE_BUILD",)
ONCE = "#pragma once"
DIRECTIVE = re.compile(r"^\s*#\s*(\w+)\b\s*(.*?)\s*$")

HEAD = """\
/* SPDX-License-Identifier: MIT
** fleece.c -- Fleece %(version)s in one file: add it, fleece.h, fleece-text.h and, for Lua, fleece-lua.h to your
** project.
**
**   with Lua       cc -O2 -DNDEBUG -I/usr/include/lua5.4 -c fleece.c
**   without Lua    cc -O2 -DNDEBUG -DFLEECE_NO_LUA -c fleece.c
**
** As a module that Lua loads: cc -O2 -DNDEBUG -fPIC -shared -I... -o fleece.so fleece.c
**
%(license)s */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#define FLEECE_BUILD
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


class Writer:
    def __init__(self):
        self.out = []
        self.done = {}  # path: it was written where no condition stands around it
        self.inside = []  # the files that are being written
        self.paste = None  # the value of PASTE, which src/layout/each.h includes

    def path_of(self, what, path):
        if what == "PASTE":
            what = self.paste
        name = re.match(r'"(.*)"', what).group(1)
        for folder in (os.path.dirname(path), "src", "include"):  # as -Isrc
            target = os.path.normpath(os.path.join(folder, name))
            if os.path.isfile(os.path.join(ROOT, target)):
                return target
        sys.exit("single.py: %s includes %s, which is not there" % (path, what))

    def include(self, what, path, conditions):
        target = self.path_of(what, path)
        if target.startswith("include/"):
            self.out.append('#include "%s"' % os.path.basename(target))
            return
        lines = read(target).split("\n")
        once = ONCE in lines
        if once or target.endswith(".c"):
            if self.done.get(target) or target in self.inside:
                return
            if target.endswith(".c") and target in self.done:
                sys.exit("single.py: %s is included twice, the first time with a condition" % target)
            self.done[target] = not conditions
        self.out.append("/* -------- %s */" % target)
        guard = "FLEECE_FILE_" + re.sub(r"\W", "_", target).upper()
        if once:
            self.out += ["#ifndef " + guard, "#define " + guard]
        self.inside.append(target)
        self.file(target, [line for line in lines if line != ONCE], conditions)
        self.inside.pop()
        if once:
            self.out.append("#endif")
        self.out.append("/* -------- end of %s, back in %s */" % (target, path))

    def file(self, path, lines, outside):
        stack = []  # for each #if: "kept", or whether the part that follows is taken
        for line in lines:
            m = DIRECTIVE.match(line)
            word, rest = m.groups() if m else ("", "")
            if word in ("if", "ifdef", "ifndef"):
                name = rest.split("/*")[0].strip()
                known = (word == "ifdef") == (name in ALWAYS) if word != "if" and name in NEVER + ALWAYS else "kept"
                stack.append(known)
                if known != "kept":
                    continue
            elif word == "elif" and stack[-1] != "kept":
                sys.exit("single.py: %s: #elif after a condition that is decided here" % path)
            elif word == "else" and stack[-1] != "kept":
                stack[-1] = not stack[-1]
                continue
            elif word == "endif" and stack.pop() != "kept":
                continue
            if False in stack:
                continue
            if word == "define" and rest.startswith("PASTE "):
                self.paste = rest[6:]
            if word == "define" and rest == "FLEECE_BUILD":
                continue
            if word == "include" and not rest.startswith("<"):
                self.include(rest, path, outside + stack.count("kept"))
            else:
                self.out.append(line)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "single")
    version = re.search(r'#define FLEECE_VERSION "(.*)"', read("src/module/version.h")).group(1)
    license = "\n".join(("** " + line).rstrip() for line in read("LICENSE").strip().split("\n"))
    writer = Writer()
    writer.include('"library.c"', "src/fleece.c", 0)
    writer.out.append("#ifndef FLEECE_NO_LUA")
    # The condition stands around all that is written from here on, so that it changes nothing.
    writer.include('"library_lua.c"', "src/fleece.c", 0)
    writer.out.append("#endif")
    os.makedirs(folder, exist_ok=True)
    files = {name: read("include/" + name) for name in PUBLIC}
    files["fleece.c"] = HEAD % {"version": version, "license": license} + "\n".join(writer.out) + "\n"
    for name, text in sorted(files.items()):
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as f:
            f.write(text)
        print(os.path.join(folder, name))


if __name__ == "__main__":
    main()
