/* SPDX-License-Identifier: MIT
** state.h -- what the files of compile/ share: memory, errors, strings that are kept once, hash tables, texts.
** Must hold: arrays are blocks of the caller and move when they grow: nothing keeps a pointer into one while something
** is added to it. Functions that return an int return false after an error, which is in c->error; those that return a
** number return SCHEMA_NONE. */
#pragma once

#include "../hash.h"
#include "compile.h"

/* ------------------------------------------------------------------------------------- errors */

/* Notes the first error. Returns 0. The place is in the source; SCHEMA_NONE: in none. */
FL_PRIVATE_NOINLINE int schema_refuse(struct schema_compiler *c, uint32_t source, uint32_t place,
                                      enum schema_keyword keyword, const char *message);

/* The same with a detail, for which the message has %s. */
FL_PRIVATE_NOINLINE int schema_refuse_with(struct schema_compiler *c, uint32_t source, uint32_t place,
                                           enum schema_keyword keyword, const char *message, const char *detail,
                                           size_t n);
FL_PRIVATE_NOINLINE int schema_refuse_size(struct schema_compiler *c, const char *message);

/* Too many strings have the same hash: someone made them so. */
FL_PRIVATE_NOINLINE int schema_refuse_hash(struct schema_compiler *c);

/* Returns NULL. */
FL_PRIVATE_NOINLINE void *schema_no_memory(struct schema_compiler *c);

/* ------------------------------------------------------------------------------------- memory */

/* Gives an array of `count` elements room for `more`. NULL: no memory. */
FL_PRIVATE void *schema_grow(struct schema_compiler *c, enum schema_block block, void *array, uint32_t count,
                             size_t more, size_t size);

#define SCHEMA_GROW(c, block, array, count, more) \
  (((array) = schema_grow(c, SCHEMA_BLOCK_##block, array, count, more, sizeof *(array))) != NULL)

/* Adds a zeroed element to an array of the program, or of the compiler. NULL: no memory. */
#define SCHEMA_ADD(c, block, array, count) \
  (SCHEMA_GROW(c, block, array, count, 1) ? memset(&(array)[(count)++], 0, sizeof *(array)) : NULL)

/* Parts of a program and bindings of scopes that a compiler may make: dynamic scopes multiply them, and otherwise the
** texts are as large. */
FL_INLINE size_t schema_budget(const struct schema_compiler *c) { return 65536 + 64 * c->place_count; }

/* ------------------------------------------------------------------------------------- hash tables */

/* A table is asked for the elements with a hash one after the other: begin with *at = hash. Returns the next element,
** or SCHEMA_NONE. */
FL_PRIVATE uint32_t schema_index_next(const struct schema_index *index, uint32_t hash, uint32_t *at);

/* Adds an element. Tables with very many elements of nearly the same hash are an error: someone made them so. */
FL_PRIVATE int schema_index_add(struct schema_compiler *c, enum schema_index_of which, uint32_t hash, uint32_t element);

FL_INLINE uint32_t schema_hash_pair(uint32_t a, uint32_t b, uint32_t d, uint32_t e) {
  return schema_fold(schema_stir(schema_stir((uint64_t)a << 32 | b, 1), (uint64_t)d << 32 | e));
}

/* The most elements that a look-up goes past. */
enum { SCHEMA_LONGEST_PROBE = 512 };

/* ------------------------------------------------------------------------------------- strings */

/* A string among the program's bytes; and what has this name, plus 1: 0 is nothing. */
struct schema_string {
  uint32_t at, length;
  uint32_t name;     /* of the program */
  uint32_t resource; /* with this URI */
  uint32_t source;   /* that was found for this URI */
  uint32_t dialect;  /* of a metaschema with this URI: what schema_dialect returned */
  uint32_t regex;
  uint32_t property; /* the last one of this name: it may be another object's */
  uint32_t stamp;    /* of the last list of names that it was in */
};

/* Returns the number of the string, which is kept if it is new. */
FL_PRIVATE uint32_t schema_keep(struct schema_compiler *c, const char *s, size_t n);

/* Returns its number, or SCHEMA_NONE if it was never kept. */
FL_PRIVATE uint32_t schema_find_kept(const struct schema_compiler *c, const char *s, size_t n);

/* Returns the number of the name in the program. */
FL_PRIVATE uint32_t schema_name(struct schema_compiler *c, const char *s, size_t n);

FL_INLINE const char *schema_bytes(const struct schema_compiler *c, uint32_t string) {
  return c->to.bytes + c->strings[string].at;
}

/* ------------------------------------------------------------------------------------- texts */

enum { SCHEMA_CHECKED = INT32_MIN }; /* in schema_source.resources: there is a unit of it */

FL_INLINE struct value_texts *schema_texts(const struct schema_compiler *c, uint32_t source) {
  return &c->to.sources[source]->texts;
}

FL_INLINE char schema_first(const struct schema_compiler *c, uint32_t source, uint32_t place) {
  return value_texts_first(schema_texts(c, source), place);
}

FL_INLINE int schema_begins_number(char first) { return first == '-' || (first >= '0' && first <= '9'); }

/* The string at a place. */
FL_INLINE struct schema_text schema_string_at(const struct schema_compiler *c, uint32_t source, uint32_t place) {
  const struct value_texts *k = schema_texts(c, source);
  const struct schema_text text = {value_texts_bytes(k, k->places[place].bytes), k->places[place].n};
  return text;
}

FL_INLINE struct schema_text schema_name_at(const struct schema_compiler *c, uint32_t source, uint32_t place) {
  const struct value_texts *k = schema_texts(c, source);
  const struct schema_text text = {value_texts_bytes(k, k->places[place].name), k->places[place].name_length};
  return text;
}

/* The children of a place, in the order of the text. */
#define SCHEMA_EACH(k, parent, i, child) \
  for ((i) = 0, (child) = (parent) + 1; (i) < (k)->places[parent].n; (i)++, (child) = (k)->places[child].next)

FL_INLINE int schema_text_is(struct schema_text text, const char *s) {
  return text.n == strlen(s) && memcmp(text.s, s, text.n) == 0;
}

/* Finds the places of all keywords' values in the schema, which is an object; 0: it has not got it. Names that are
** keywords of no draft are left out. */
FL_PRIVATE void schema_find_keywords(const struct schema_compiler *c, uint32_t source, uint32_t place,
                                     uint32_t found[SCHEMA_KEYWORDS]);

/* ------------------------------------------------------------------------------------- URIs */

/* Resolves a reference against a base (RFC 3986, section 5.2). The result is in `to`, which has room for both and
** SCHEMA_URI_ROOM; returns its length. */
FL_PRIVATE size_t schema_resolve_uri(const char *base, size_t base_length, const char *s, size_t n, char *to);

enum { SCHEMA_URI_ROOM = 8 };

/* The length of a URI without its fragment. */
FL_INLINE size_t schema_without_fragment(const char *s, size_t n) {
  const char *hash = n ? (const char *)memchr(s, '#', n) : NULL;
  return hash ? (size_t)(hash - s) : n;
}

/* ------------------------------------------------------------------------------------- sources and resources */

/* Reads a text as a new source. Returns its number. */
FL_PRIVATE uint32_t schema_read_source(struct schema_compiler *c, const char *s, size_t n);

/* Returns the source for a URI, which `find` or the library itself has; SCHEMA_NONE without an error: there is none. */
FL_PRIVATE uint32_t schema_open_source(struct schema_compiler *c, uint32_t uri);

/* The draft whose metaschema has this URI; SCHEMA_DRAFTS: none. */
FL_PRIVATE enum schema_draft schema_draft_of(struct schema_text uri);

struct schema_anchor {
  uint32_t resource;
  uint32_t name; /* a string */
  uint32_t place;
  uint32_t next; /* the resource's next dynamic one; SCHEMA_NONE */
  uint8_t is_dynamic;
};

struct schema_step { /* of a walk over schemas */
  uint32_t place, resource;
};

/* A schema: what a reference leads to. */
struct schema_target {
  uint32_t source, place, resource;
  uint32_t anchor; /* by which it was found; SCHEMA_NONE: by none */
};

/* Makes the whole text a resource and looks through its schemas. */
FL_PRIVATE int schema_add_source(struct schema_compiler *c, uint32_t source, uint32_t uri);

/* Looks through a schema and those in it for URIs and anchors. */
FL_PRIVATE int schema_look_through(struct schema_compiler *c, uint32_t source, uint32_t place, uint32_t resource);

FL_PRIVATE uint32_t schema_find_anchor(const struct schema_compiler *c, uint32_t resource, const char *s, size_t n);

enum { SCHEMA_ALL_VOCABULARIES = (1 << SCHEMA_FORMAT_ASSERTION) - 1 };

/* The draft of a metaschema, and from bit 8 on its vocabularies, for a $schema at that place. Returns SCHEMA_NONE after
** an error. */
FL_PRIVATE uint32_t schema_dialect(struct schema_compiler *c, uint32_t source, uint32_t place);

/* Does the resource's draft have the keyword, as its vocabularies are? */
FL_PRIVATE int schema_has_keyword(const struct schema_compiler *c, uint32_t resource, enum schema_keyword keyword);

/* The resource of a place that was looked through; SCHEMA_NONE: it was not. */
FL_INLINE uint32_t schema_resource_at(const struct schema_compiler *c, uint32_t source, uint32_t place) {
  return (c->to.sources[source]->resources[place] & ~(uint32_t)SCHEMA_CHECKED) - 1;
}

FL_INLINE unsigned schema_draft_bit(const struct schema_compiler *c, uint32_t resource) {
  return 1u << c->to.resources[resource].draft;
}

/* Resolves a reference without a fragment against a resource's URI, into c->uri. Returns its length. */
FL_PRIVATE size_t schema_resolve_from(struct schema_compiler *c, uint32_t base, struct schema_text text);

/* Finds what a reference leads to. False without an error: it leads nowhere. */
FL_PRIVATE int schema_follow_text(struct schema_compiler *c, uint32_t resource, struct schema_text text,
                                  struct schema_target *to);

/* Finds what the reference at a place leads to. */
FL_PRIVATE int schema_follow(struct schema_compiler *c, uint32_t resource, uint32_t source, uint32_t place,
                             enum schema_keyword keyword, struct schema_target *to);

/* ------------------------------------------------------------------------------------- scopes */

/* Which schema each dynamic anchor means: a list of anchors in the order of their names. 0 is the empty one. */
struct schema_scope {
  uint32_t first, count;
};

/* The scope when a resource is entered. */
struct schema_entry {
  uint32_t scope, resource, to;
};

FL_PRIVATE uint32_t schema_enter(struct schema_compiler *c, uint32_t scope, uint32_t resource);

/* Returns the anchor that a name means; SCHEMA_NONE: none. */
FL_PRIVATE uint32_t schema_bound(const struct schema_compiler *c, uint32_t scope, uint32_t name);
