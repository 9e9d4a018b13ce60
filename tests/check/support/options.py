#!/usr/bin/env python3
"""options.py -- does what documents say about options agree with the table of options, src/lua/options/rows.h?
Prints what differs. Each class of options in types/fleece.lua must have the options of its function, with the same
words; each entry of docs/reference/options.md must name, in its first sentence, the functions that take the option, and
the words; docs/schema.md must have a row for each option that only `schema` takes."""
import re
import sys

PAGE, TYPES, ROWS = "docs/reference/options.md", "types/fleece.lua", "src/lua/options/rows.h"
SCHEMA_PAGE = "docs/schema.md"

# The classes whose names are not those of their functions.
CLASSES = {"Options": "ENCODE", "DecodeOptions": "PREFIX", "ReaderOptions": "ITEMS",
           "PartialOptions": "DECODE", "FileOptions": "OPEN_FILE", "EncoderOptions": "FROM_JSON"}
# What the page calls functions that share their options, and functions that have those of others.
GROUPS = {"encode": "MOD_WRITERS", "decode": "MOD_MAKERS", "grammar": "MOD_READERS"}
ALIKE = {"decode_prefix": "PREFIX", "decode_file": "PREFIX", "encoder": "FROM_JSON", "check": "BYTES"}


def rows(groups):
    """Yields name, words and functions of each row. Fills `groups`: the functions of each group."""
    text = open(ROWS).read()

    def takers(expression):
        found = set(re.findall(r"OF\((\w+)\)", expression))
        for word in re.findall(r"\b[A-Z_]+\b", re.sub(r"OF\(\w+\)", "", expression)):
            found |= groups.get(word, set())
        return found

    for name, expression in re.findall(r"^#define (MOD_\w+) (\(.*\))$", text, re.M):
        groups[name] = takers(expression)
    for block in re.findall(r"^#define (?:.*\\\n)*.*$", text, re.M):
        amends = block.startswith(("#define MOD_AMEND_OPTIONS", "#define MOD_SCHEMA_OPTIONS"))
        for name, rest in re.findall(r'\b(?:X|HINTED)\("(\w+)", *(.*)', re.sub(r"\\\n {12}", "", block)):
            strings = re.match(r'\w+\("([^"]*)"', rest)
            yield name, strings.group(1).split("|") if strings else [], takers(rest) | (set() if amends else {"NEW"})


def main():
    groups = {}
    table = list(rows(groups))
    if len(table) < 70:
        sys.exit("the rows are not found")
    names = {name for name, *_ in table}
    taken = {}
    for name, _, functions in table:
        for function in functions:
            taken.setdefault(function, set()).add(name)

    fields, parents, words_of, refused, current = {}, {}, {}, set(), None
    for line in open(TYPES):
        found = re.match(r"---@class fleece\.(\w+Options|Options)(?:: (.*))?$", line)
        if line.startswith("---@class"):
            current = found and found.group(1)
            if current:
                fields[current] = set()
                parents[current] = re.findall(r"fleece\.(\w+)", found.group(2) or "")
        field = current and re.match(r"---@field (\w+)\?? (\S+)", line)
        if field:
            fields[current].add(field.group(1))
            if field.group(2) == "nil":  # inherited, but not taken
                refused.add((current, field.group(1)))
            words_of[current, field.group(1)] = re.findall(r'"([^"]*)"', field.group(2))

    def all_fields(name):
        found = fields[name].union(*(all_fields(parent) for parent in parents[name]))
        return found - {option for option in found if (name, option) in refused}

    for name in fields:
        function = CLASSES.get(name, re.sub(r"(?<=.)(?=[A-Z])", "_", name[:-len("Options")]).upper())
        if function not in taken:
            if not any(name in above for above in parents.values()):
                print(f"{TYPES}: fleece.{name}: no function has this name")
            continue
        for option in sorted(all_fields(name) ^ taken[function]):
            print(f"{TYPES}: fleece.{name}: {option} is", "missing" if option in taken[function] else "not taken")
    for (name, option), words in words_of.items():
        known = {word for other, words, _ in table if other == option for word in words}
        for word in words:
            if known and word not in known:
                print(f"{TYPES}: fleece.{name}: {option} has no \"{word}\"")

    rows_of_schema = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", open(SCHEMA_PAGE).read(), re.M))
    for name, words, functions in table:
        if functions == {"SCHEMA"}:
            names.discard(name)
            if name not in rows_of_schema or not all(f'"{word}"' in rows_of_schema[name] for word in words):
                print(f"{SCHEMA_PAGE}: {name}, or a word of it, is missing")
    table = [row for row in table if row[2] != {"SCHEMA"}]
    entries = dict(re.findall(r"^### (\w+)\n+((?:(?!^#).*\n)*)", open(PAGE).read(), re.M))
    for name in sorted(names ^ entries.keys()):
        print(f"{PAGE}: {name} is", "missing" if name in names else "no option")
    for name, words, _ in table:
        for word in words:
            if f'"{word}"' not in entries.get(name, ""):
                print(f'{PAGE}: {name}: "{word}" is missing')
    for name, text in entries.items():
        sentence = re.split(r"\.\s", text)[0]
        told = set().union(*(groups[GROUPS[word]] for word in re.findall(r"\*(\w+)\*", sentence)))
        for word in re.findall(r"`(?:\w+:)?(\w+)`", sentence):
            told.add(ALIKE.get(word, word.upper()))
        taken_by = {function for function in taken if name in taken[function]} - {"NEW", "PATCH_TEXT", "CANONICAL_TEXT"}
        for function in sorted((told & taken.keys()) - taken_by):
            print(f"{PAGE}: {name}: {function.lower()} does not take it")
        if not re.search("all functions|and others", sentence, re.I) and taken_by - told:
            print(f"{PAGE}: {name}: {' '.join(sorted(taken_by - told)).lower()} take it, too")


main()
