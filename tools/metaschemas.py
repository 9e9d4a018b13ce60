#!/usr/bin/env python3
"""metaschemas.py -- writes src/schema/compile/texts/metaschemas_table.h: the metaschemas of JSON Schema without white space,
`title`, `description` and `$comment`, which say nothing about validity, packed.

Usage: tools/metaschemas.py FOLDER > src/schema/compile/texts/metaschemas_table.h
FOLDER is a copy of https://json-schema.org (draft-07/schema, draft/2020-12/meta/core, ...)."""
import json
import sys

from tables import lines, pack

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


uris, texts = [], []
for draft, vocabularies in DRAFTS:
    for name in ["schema"] + ["meta/" + v for v in vocabularies]:
        with open("%s/%s/%s" % (sys.argv[1], draft, name), encoding="utf-8") as f:
            schema = json.load(f)
        uris.append("%s://json-schema.org/%s/%s" % ("https" if "/" in draft else "http", draft, name))
        assert schema.get("$id", schema.get("id")).rstrip("#") == uris[-1], uris[-1]
        texts.append(json.dumps(without_notes(schema), separators=(",", ":"), ensure_ascii=True))
packed, pairs = pack(texts)
print("""/* SPDX-License-Identifier: MIT
** metaschemas_table.h -- the metaschemas of drafts 4, 6, 7, 2019-09 and 2020-12, by tools/metaschemas.py.
** Must hold: sources.c alone includes it. The byte 128 + i of a packed text stands for pair i. */
#pragma once

#include <stdint.h>

/* clang-format off */
static const unsigned char schema_pairs[] = {
%s
};

static const struct schema_metaschema {
  const char *uri;      /* without a fragment */
  uint16_t at, packed;  /* where its text is, and how long it is there */
  uint16_t length;
} schema_metaschemas[] = {
%s
};

static const unsigned char schema_packed[] = {
%s
};
/* clang-format on */""" % (
    "\n".join(lines(byte for pair in pairs for byte in pair)),
    "\n".join('    {"%s", %d, %d, %d},' % (uri, sum(map(len, packed[:i])), len(packed[i]), len(texts[i]))
              for i, uri in enumerate(uris)),
    "\n".join(lines(byte for text in packed for byte in text))))
