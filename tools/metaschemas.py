#!/usr/bin/env python3
"""metaschemas.py -- writes src/schema/compile/metaschemas_table.h: the metaschemas of JSON Schema without white space,
`title`, `description` and `$comment`, which say nothing about validity.

Usage: tools/metaschemas.py FOLDER > src/schema/compile/metaschemas_table.h
FOLDER is a copy of https://json-schema.org (draft-07/schema, draft/2020-12/meta/core, ...)."""
import json
import sys

NOTES = ("title", "description", "$comment")
DRAFTS = [("draft-04", []), ("draft-06", []), ("draft-07", []),
          ("draft/2019-09", ["core", "applicator", "validation", "meta-data", "format", "content"]),
          ("draft/2020-12", ["core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation",
                             "format-assertion", "content"])]


def without_notes(schema):
    """The schema without its annotations: those of schemas, not properties of these names."""
    if isinstance(schema, list):
        return [without_notes(x) for x in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: {key: without_notes(x) for key, x in value.items()} if name in ("properties", "definitions", "$defs")
            else value if name in ("default", "enum", "const") else without_notes(value)
            for name, value in schema.items() if not (name in NOTES and isinstance(value, str))}


def quoted(text):
    """C strings of at most 120 columns."""
    line = ""
    for c in text:
        c = {'"': '\\"', "\\": "\\\\"}.get(c, c)
        if len(line) + len(c) > 112:
            yield '     "%s"' % line
            line = ""
        line += c
    yield '     "%s"' % line


print('''/* SPDX-License-Identifier: MIT
** metaschemas_table.h -- the metaschemas of drafts 4, 6, 7, 2019-09 and 2020-12, by tools/metaschemas.py.
** Must hold: sources.c alone includes it. */
#pragma once

static const struct schema_metaschema {
  const char *uri; /* without a fragment */
  const char *text;
} schema_metaschemas[] = {
/* clang-format off */''')
for draft, vocabularies in DRAFTS:
    for name in ["schema"] + ["meta/" + v for v in vocabularies]:
        with open("%s/%s/%s" % (sys.argv[1], draft, name), encoding="utf-8") as f:
            schema = json.load(f)
        uri = "%s://json-schema.org/%s/%s" % ("https" if "/" in draft else "http", draft, name)
        assert schema.get("$id", schema.get("id")).rstrip("#") == uri, uri
        print('    {"%s",' % uri)
        print("\n".join(quoted(json.dumps(without_notes(schema), separators=(",", ":"), ensure_ascii=True))) + "},")
print("/* clang-format on */\n};")
