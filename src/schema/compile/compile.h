/* SPDX-License-Identifier: MIT
** compile.h -- compiles JSON Schemas to programs: the interface for faces.
** Must hold: all memory is asked of the caller, in numbered blocks that the caller owns: it and `find` may raise at any
** time. Nothing is recursive. The time is about linear in the texts plus the units, whose number has a limit. The texts
** of schemas are JSON (encode a table first) with a 0 after them; they, and the blocks from SCHEMA_BLOCK_KEPT on, stay
** as long as the program does: places of failures are found in them.
**
**   struct schema_compiler c;
**   struct schema_settings settings = {0};             (set what is marked with *)
**   if (!schema_compile(&c, &settings, text, n)) ...c.error
**   program = schema_finish(&c, block of c.size bytes) (then blocks below SCHEMA_BLOCK_KEPT may go) */
#pragma once

#include "../../values/texts.h"
#include "../keywords.h"
#include "../program.h"

struct schema_text {
  const char *s;
  size_t n;
};

/* One text of schemas: a document. */
struct schema_source {
  struct value_texts texts;
  struct schema_compiler *compiler; /* while it is compiled */
  uint32_t number;
  uint32_t
      *resources; /* of each place that is a schema: the number of its resource, plus 1; 0: not known as a schema */
};

enum schema_error_kind {
  SCHEMA_ERROR_NONE,
  SCHEMA_ERROR_MEMORY,
  SCHEMA_ERROR_TEXT,   /* a text is not JSON, or larger than 2 GB: `byte` says where */
  SCHEMA_ERROR_SCHEMA, /* it is no schema: `place` says where */
  SCHEMA_ERROR_LIMIT   /* it is too large */
};

struct schema_error {
  enum schema_error_kind kind;
  const char *message;       /* with %s where the detail stands, if there is one */
  struct schema_text detail; /* valid as long as the blocks are; s is NULL: none */
  uint32_t source;           /* where it is, and the place in it */
  uint32_t place;
  size_t byte; /* in the source's text */
  enum schema_keyword keyword;
};

struct schema_settings {
  value_memory memory; /* * */
  void *owner;         /* * of memory, and of find */
  text_utf8_fn utf8;   /* * */
  /* Sets *text to the schema with this URI, which has no fragment. False: there is none. NULL: there are no others.
  ** It is not called for the metaschemas, which are built in. */
  int (*find)(void *owner, const char *uri, size_t n, struct schema_text *text);
  enum schema_draft draft; /* * where $schema does not say one, */
  uint8_t asks_openapi;    /* nor, with this flag, the `openapi` of an OpenAPI document */
  uint32_t max_depth;      /* * of the texts */
  uint32_t max_units;      /* 0: as many as the texts may need: schema_budget */
  struct schema_text uri;  /* where the schema comes from: references are relative to it */
  struct schema_text
      at; /* a reference to the schema to begin with, such as #/components/schemas/Pet; s is NULL: root */
  uint8_t asserts_formats;                     /* test `format`, also where the vocabulary does not ask for it */
  uint8_t asserts_contents;                    /* test contentEncoding and contentMediaType */
  uint8_t is_strict;                           /* refuse what is likely to be a mistake */
  uint8_t is_lenient;                          /* ignore what is wrong: see below */
  const uint8_t *skip;                         /* SCHEMA_KEYWORDS flags: keywords that are ignored; NULL: none */
  const struct schema_text *customs, *formats; /* names of the user's keywords and formats; their numbers are in ops */
  uint32_t custom_count, format_count;
};

/* is_lenient, for draft 4: a schema that is no object is true, $schema and id are not read, and a keyword whose value
** is wrong, or a reference that leads nowhere, counts as if it was not there; of a list of names or types only the
** wrong ones. Patterns must be right. A required member is no additional one, and may be missing if its schema has a
** default that is a string, not the empty one. A failure in allOf or dependencies is one of that keyword, and one of
** uniqueItems has the place of the second of the equal items. */

enum { SCHEMA_MOST_ELEMENTS = 128 * 1024 * 1024 }; /* of one array of a program */

/* Blocks of memory of a compiler. */
enum schema_block {
  SCHEMA_BLOCK_UNITS,
  SCHEMA_BLOCK_OPS,
  SCHEMA_BLOCK_OBJECTS,
  SCHEMA_BLOCK_PROPERTIES,
  SCHEMA_BLOCK_PATTERNS,
  SCHEMA_BLOCK_CONTAINS,
  SCHEMA_BLOCK_LITERALS,
  SCHEMA_BLOCK_REGEXES,
  SCHEMA_BLOCK_NUMBERS,
  SCHEMA_BLOCK_NAMES,
  SCHEMA_BLOCK_BYTES,
  SCHEMA_BLOCK_RESOURCES,
  SCHEMA_BLOCK_SOURCES,
  SCHEMA_BLOCK_STRINGS, /* from here on: not in programs */
  SCHEMA_BLOCK_ANCHORS,
  SCHEMA_BLOCK_TASKS,
  SCHEMA_BLOCK_BINDINGS,
  SCHEMA_BLOCK_SCOPES,
  SCHEMA_BLOCK_STEPS,
  SCHEMA_BLOCK_ENTRIES,
  SCHEMA_BLOCK_VISITS,
  SCHEMA_BLOCK_URI,
  SCHEMA_BLOCK_INDEXES,                         /* one for each schema_index */
  SCHEMA_BLOCK_KEPT = SCHEMA_BLOCK_INDEXES + 8, /* from here on: SCHEMA_BLOCKS_OF_SOURCE for each source */
  SCHEMA_BLOCKS_OF_SOURCE = 6
};

/* A hash table: finds elements of an array by their keys. */
struct schema_index_slot {
  uint32_t hash, element; /* element: plus 1; 0: free */
};

struct schema_index {
  struct schema_index_slot *slots; /* mask + 1 of them */
  uint32_t mask, count;
};

enum schema_index_of {
  SCHEMA_STRINGS,
  SCHEMA_ANCHORS,
  SCHEMA_UNITS_BY_PLACE,
  SCHEMA_SCOPES,
  SCHEMA_ENTRIES,
  SCHEMA_INDEXES
};

struct schema_compiler {
  const struct schema_settings *settings;
  struct schema_program to;
  struct schema_error error;
  size_t size;                        /* of the program's block */
  size_t rooms[SCHEMA_BLOCK_INDEXES]; /* elements for which a block has room */
  struct schema_index indexes[SCHEMA_INDEXES];
  struct schema_string *strings; /* each string once: names, URIs, patterns; see state.h */
  struct schema_anchor *anchors;
  struct schema_task *tasks; /* what is known of each unit besides */
  uint32_t *bindings;        /* of scopes: numbers of anchors */
  struct schema_scope *scopes;
  struct schema_entry *entries;
  struct schema_step *steps;
  struct schema_visit *visits;
  char *uri;
  uint32_t string_count, anchor_count, binding_count, scope_count, entry_count;
  size_t place_count;  /* of all texts */
  uint32_t stamp;      /* of the last list of names */
  size_t regex_size;   /* of all regular expressions */
  uint8_t only_checks; /* schemas that nothing refers to are compiled for their errors */
};

/* Compiles the text s[0..n). False: c->error says why. Else c->size is the size of the program's block. */
FL_PRIVATE int schema_compile(struct schema_compiler *c, const struct schema_settings *settings, const char *s,
                              size_t n);

/* Copies the program to a block of c->size bytes, which is aligned for 8 bytes and does not move. */
FL_PRIVATE struct schema_program *schema_finish(struct schema_compiler *c, void *block);

/* ------------------------------------------------------------------------------------- places in sources */

/* Writes the JSON Pointer that leads from the place `from` of the texts (0: the root) to a place in it, at most `room`
** bytes of it. `is_fragment`: with percent signs as in a URI. Returns its length. */
FL_PRIVATE size_t schema_write_pointer(const struct value_texts *texts, uint32_t from, uint32_t place, int is_fragment,
                                       char *to, size_t room);

/* The same of the absolute URI of a place in a unit: its resource's URI, # and the pointer from there. */
FL_PRIVATE size_t schema_write_location(const struct schema_program *p, const struct schema_unit *unit, uint32_t place,
                                        char *to, size_t room);

/* The byte of the source's text at which the place begins. */
FL_INLINE size_t schema_place_byte(const struct schema_source *source, uint32_t place) {
  return source->texts.places[place].begin;
}
