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
  struct schema_compiler *compiler; /* only while it is compiled */
  uint32_t number;
  uint32_t *resources; /* for each place: 0 if it is not known to be a schema, else its resource's number + 1 */
};

enum schema_error_kind {
  SCHEMA_ERROR_NONE,
  SCHEMA_ERROR_MEMORY,
  SCHEMA_ERROR_TEXT,   /* a text is not JSON, or larger than 2 GB: `byte` says where */
  SCHEMA_ERROR_SCHEMA, /* not a valid schema: `place` says where */
  SCHEMA_ERROR_LIMIT   /* a limit is exceeded */
};

struct schema_error {
  enum schema_error_kind kind;
  const char *message;       /* contains %s if there is a detail */
  struct schema_text detail; /* the detail, or s = NULL; valid as long as the blocks */
  uint32_t source;           /* the source, and the place in it */
  uint32_t place;
  size_t byte; /* in the source's text */
  enum schema_keyword keyword;
};

enum schema_places_of { SCHEMA_FROM_GIVEN = 1, SCHEMA_FROM_LOADER = 2 };

struct schema_settings {
  value_memory memory; /* * */
  void *owner;         /* * of memory, find and next */
  text_utf8_fn utf8;   /* * */
  /* Sets *text to the schema with this URI, which has no fragment, from the places `from`, a set of schema_places_of.
  ** Returns 0 if there is none. NULL if no other schemas exist. Not called for the metaschemas, which are built in. */
  int (*find)(void *owner, const char *uri, size_t n, unsigned from, struct schema_text *text);
  /* Sets *uri to the URI of another schema that SCHEMA_FROM_GIVEN finds, 0 if there are no more; or NULL. Their ids are
  ** looked for before a schema is loaded. */
  int (*next)(void *owner, struct schema_text *uri);
  enum schema_draft draft; /* * the draft of schemas without $schema */
  uint8_t asks_openapi;    /* and, with this flag, without `openapi` (OpenAPI documents) */
  uint32_t max_depth;      /* * of the texts */
  uint32_t max_units;      /* 0: schema_budget computes a limit from the texts */
  struct schema_text uri;  /* the base URI of the schema */
  /* a reference to the schema to begin with, such as #/components/schemas/Pet; s = NULL: the root */
  struct schema_text at;
  uint8_t asserts_formats;                     /* test `format` even if the vocabulary does not require it */
  uint8_t asserts_contents;                    /* test contentEncoding and contentMediaType */
  uint8_t is_strict;                           /* refuse likely mistakes */
  uint8_t is_lenient;                          /* ignore errors, as described below */
  const uint8_t *skip;                         /* SCHEMA_KEYWORDS flags of keywords to ignore, or NULL */
  const struct schema_text *customs, *formats; /* names of the user's; operations have indices of them */
  const struct schema_text *skipped;           /* names that is_strict does not refuse */
  uint32_t custom_count, format_count, skipped_count;
};

/* is_lenient, for draft 4: a schema that is not an object is `true`; $schema and id are ignored. A keyword with an
** invalid value and a reference that leads nowhere are ignored, too; in a list of names or types only the invalid ones.
** Patterns must be valid. A required member is not an additional one, and may be missing if its schema has a default
** that is a non-empty string. A failure in allOf or dependencies is reported for that keyword; one of uniqueItems has
** the place of the second of the equal items. */

enum { SCHEMA_MOST_ELEMENTS = 128 * 1024 * 1024 }; /* elements in one array of a program */

/* Blocks of memory of a compiler. */
enum schema_block {
  SCHEMA_BLOCK_UNITS,
  SCHEMA_BLOCK_OPS,
  SCHEMA_BLOCK_OBJECTS,
  SCHEMA_BLOCK_PROPERTIES,
  SCHEMA_BLOCK_PATTERNS,
  SCHEMA_BLOCK_CONTAINS,
  SCHEMA_BLOCK_CHOICES,
  SCHEMA_BLOCK_LITERALS,
  SCHEMA_BLOCK_REGEXES,
  SCHEMA_BLOCK_NUMBERS,
  SCHEMA_BLOCK_NAMES,
  SCHEMA_BLOCK_BYTES,
  SCHEMA_BLOCK_RESOURCES,
  SCHEMA_BLOCK_SOURCES,
  SCHEMA_BLOCK_STRINGS, /* blocks from here on are not part of programs */
  SCHEMA_BLOCK_ANCHORS,
  SCHEMA_BLOCK_TASKS,
  SCHEMA_BLOCK_BINDINGS,
  SCHEMA_BLOCK_SCOPES,
  SCHEMA_BLOCK_STEPS,
  SCHEMA_BLOCK_ENTRIES,
  SCHEMA_BLOCK_VISITS,
  SCHEMA_BLOCK_URI,
  SCHEMA_BLOCK_INDEXES,                         /* one for each schema_index */
  SCHEMA_BLOCK_KEPT = SCHEMA_BLOCK_INDEXES + 8, /* from here on SCHEMA_BLOCKS_OF_SOURCE blocks for each source */
  SCHEMA_BLOCKS_OF_SOURCE = 6
};

/* A hash table that finds array elements by their keys. */
struct schema_index_slot {
  uint32_t hash, element; /* element: number + 1; 0 if free */
};

struct schema_index {
  struct schema_index_slot *slots; /* mask + 1 slots */
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
  size_t size;                        /* size of the program's block */
  size_t rooms[SCHEMA_BLOCK_INDEXES]; /* allocated elements of each block */
  struct schema_index indexes[SCHEMA_INDEXES];
  struct schema_string *strings; /* each string once: names, URIs, patterns; see state.h */
  struct schema_anchor *anchors;
  struct schema_task *tasks; /* what compiling needs to know about each unit */
  uint32_t *bindings;        /* anchor numbers of all scopes */
  struct schema_scope *scopes;
  struct schema_entry *entries;
  struct schema_step *steps;
  struct schema_visit *visits;
  char *uri;
  uint32_t string_count, anchor_count, binding_count, scope_count, entry_count;
  size_t place_count;  /* of all texts */
  uint32_t stamp;      /* stamp of the list of names read last */
  size_t regex_size;   /* of all regular expressions */
  size_t table_size;   /* of all their tables */
  uint8_t only_checks; /* compiling unreferenced schemas, only for their errors */
  uint8_t keywords[SCHEMA_KEYWORD_SLOTS];
};

/* Compiles the text s[0..n). Sets c->size to the size of the program's block. Returns 0 after an error, which is in
** c->error. */
FL_PRIVATE int schema_compile(struct schema_compiler *c, const struct schema_settings *settings, const char *s,
                              size_t n);

/* Copies the program to `block`: c->size bytes, aligned to 8, which must not move. */
FL_PRIVATE struct schema_program *schema_finish(struct schema_compiler *c, void *block);

/* Writes the JSON Pointer from the place `from` (0: the root) to `place`, at most `room` bytes of it, percent-encoded
** as a URI fragment if `is_fragment`. Returns its full length. */
FL_PRIVATE size_t schema_write_pointer(const struct value_texts *texts, uint32_t from, uint32_t place, int is_fragment,
                                       char *to, size_t room);

/* Writes the absolute URI of a place in a unit, like schema_write_pointer: its resource's URI, # and the pointer from
** there. */
FL_PRIVATE size_t schema_write_location(const struct schema_program *p, const struct schema_unit *unit, uint32_t place,
                                        char *to, size_t room);
