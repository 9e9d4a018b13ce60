/* SPDX-License-Identifier: MIT
** state.h -- what the files of compile/ share: memory, errors, interned strings, hash tables, texts.
** Must hold: arrays are the caller's blocks, which move when they grow, so do not keep pointers into one while adding
** to it. Functions that return int return 0 after an error, which is in c->error; those that return a number return
** SCHEMA_NONE. */
#pragma once

#include "../hash.h"
#include "compile.h"

/* ------------------------------------------------------------------------------------- errors */

/* Stores an error, unless there is one already. Returns 0. `source` is SCHEMA_NONE if no place is at fault. */
FL_PRIVATE_NOINLINE int schema_refuse(struct schema_compiler *c, uint32_t source, uint32_t place,
                                      enum schema_keyword keyword, const char *message);

/* Like schema_refuse, with a detail for the %s of the message. */
FL_PRIVATE_NOINLINE int schema_refuse_with(struct schema_compiler *c, uint32_t source, uint32_t place,
                                           enum schema_keyword keyword, const char *message, const char *detail,
                                           size_t n);
FL_PRIVATE_NOINLINE int schema_refuse_size(struct schema_compiler *c, const char *message);

/* Reports too many equal hashes, which do not happen by chance. */
FL_PRIVATE_NOINLINE int schema_refuse_hash(struct schema_compiler *c);

/* Reports that memory is lacking. Returns NULL. */
FL_PRIVATE_NOINLINE void *schema_no_memory(struct schema_compiler *c);

/* ------------------------------------------------------------------------------------- memory */

/* Makes room for `more` elements in an array of `count`. Returns NULL if out of memory. */
FL_PRIVATE void *schema_grow(struct schema_compiler *c, enum schema_block block, void *array, uint32_t count,
                             size_t more, size_t size);

#define SCHEMA_GROW(c, block, array, count, more) \
  (((array) = schema_grow(c, SCHEMA_BLOCK_##block, array, count, more, sizeof *(array))) != NULL)

/* Adds a zeroed element to an array. NULL if out of memory. */
#define SCHEMA_ADD(c, block, array, count) \
  (SCHEMA_GROW(c, block, array, count, 1) ? memset(&(array)[(count)++], 0, sizeof *(array)) : NULL)

/* The limit for parts of a program and bindings of scopes. Only dynamic scopes make them more than the texts have
** places. */
FL_INLINE size_t schema_budget(const struct schema_compiler *c) { return 65536 + 64 * c->place_count; }

FL_INLINE uint32_t schema_most_units(const struct schema_compiler *c) {
  return c->settings->max_units ? c->settings->max_units : (uint32_t)schema_budget(c);
}

/* ------------------------------------------------------------------------------------- hash tables */

/* Iterates over the elements with a hash; begin with *at = hash. Returns the next element, or SCHEMA_NONE at the
** end. */
FL_PRIVATE uint32_t schema_index_next(const struct schema_index *index, uint32_t hash, uint32_t *at);

/* Adds an element. Very many nearly equal hashes are an error, because they do not happen by chance. */
FL_PRIVATE int schema_index_add(struct schema_compiler *c, enum schema_index_of which, uint32_t hash, uint32_t element);

FL_INLINE uint32_t schema_hash_pair(uint32_t a, uint32_t b, uint32_t d, uint32_t e) {
  return schema_fold(schema_stir(schema_stir((uint64_t)a << 32 | b, 1), (uint64_t)d << 32 | e));
}

/* longest search in a table */
enum { SCHEMA_LONGEST_PROBE = 512 };

/* ------------------------------------------------------------------------------------- strings */

/* An interned string among the program's bytes, and the numbers + 1 (0: none) of what has this name. */
struct schema_string {
  uint32_t at, length;
  uint32_t name;     /* a name of the program */
  uint32_t resource; /* the resource with this URI */
  uint32_t source;   /* the source found for this URI */
  uint32_t dialect;  /* the dialect of the metaschema with this URI, from schema_dialect */
  uint32_t regex;
  uint32_t property; /* the property added last with this name, maybe another object's */
  uint32_t stamp;    /* stamp of the last list of names it was in */
};

/* Interns a string. Returns its number. */
FL_PRIVATE uint32_t schema_keep(struct schema_compiler *c, const char *s, size_t n);

/* Returns the number of an interned string, or SCHEMA_NONE. */
FL_PRIVATE uint32_t schema_find_kept(const struct schema_compiler *c, const char *s, size_t n);

/* Makes a string a name of the program. Returns the name's number. */
FL_PRIVATE uint32_t schema_name(struct schema_compiler *c, const char *s, size_t n);

FL_INLINE const char *schema_bytes(const struct schema_compiler *c, uint32_t string) {
  return c->to.bytes + c->strings[string].at;
}

/* ------------------------------------------------------------------------------------- texts */

enum { SCHEMA_CHECKED = INT32_MIN }; /* bit in schema_source.resources: the place has a unit */

FL_INLINE struct value_texts *schema_texts(const struct schema_compiler *c, uint32_t source) {
  return &c->to.sources[source]->texts;
}

FL_INLINE char schema_first(const struct schema_compiler *c, uint32_t source, uint32_t place) {
  return value_texts_first(schema_texts(c, source), place);
}

FL_INLINE int schema_begins_number(char first) { return first == '-' || (first >= '0' && first <= '9'); }

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

/* Loops over the children of a place, in the order of the text. */
#define SCHEMA_EACH(k, parent, i, child) \
  for ((i) = 0, (child) = (parent) + 1; (i) < (k)->places[parent].n; (i)++, (child) = (k)->places[child].next)

FL_INLINE int schema_text_is(struct schema_text text, const char *s) {
  return text.n == strlen(s) && memcmp(text.s, s, text.n) == 0;
}

/* Sets found[keyword] to the place of the keyword's value, 0 if it is missing. The schema must be an object. Unknown
** names are skipped. */
FL_PRIVATE void schema_find_keywords(const struct schema_compiler *c, uint32_t source, uint32_t place,
                                     uint32_t found[SCHEMA_KEYWORDS]);

/* ------------------------------------------------------------------------------------- URIs */

/* Resolves a reference against a base (RFC 3986, section 5.2) into `to`, which needs both lengths + SCHEMA_URI_ROOM
** bytes. Returns the result's length. */
FL_PRIVATE size_t schema_resolve_uri(const char *base, size_t base_length, const char *s, size_t n, char *to);

enum { SCHEMA_URI_ROOM = 8 };

/* Returns the length of a URI without its fragment. */
FL_INLINE size_t schema_without_fragment(const char *s, size_t n) {
  const char *hash = n ? (const char *)memchr(s, '#', n) : NULL;
  return hash ? (size_t)(hash - s) : n;
}

/* ------------------------------------------------------------------------------------- sources and resources */

/* Indexes a text as a new source. Returns its number. */
FL_PRIVATE uint32_t schema_read_source(struct schema_compiler *c, const char *s, size_t n);

/* Returns the source with this URI, from the places `from` or built in. SCHEMA_NONE without an error: not found. */
FL_PRIVATE uint32_t schema_open_source(struct schema_compiler *c, uint32_t uri, unsigned from);

/* Returns the draft whose metaschema has this URI, or SCHEMA_DRAFTS. */
FL_PRIVATE enum schema_draft schema_draft_of(struct schema_text uri);

struct schema_anchor {
  uint32_t resource;
  uint32_t name; /* a string number */
  uint32_t place;
  uint32_t next; /* next dynamic anchor of the resource, or SCHEMA_NONE */
  uint8_t is_dynamic;
};

struct schema_step { /* of a walk over schemas */
  uint32_t place, resource;
};

/* What a reference leads to: a schema. */
struct schema_target {
  uint32_t source, place, resource;
  uint32_t anchor; /* the anchor it was found by, or SCHEMA_NONE */
};

/* Makes the root of a source a resource, and registers the URIs and anchors in it. */
FL_PRIVATE int schema_add_source(struct schema_compiler *c, uint32_t source, uint32_t uri);

/* Registers the URIs and anchors of a schema and of its subschemas. */
FL_PRIVATE int schema_look_through(struct schema_compiler *c, uint32_t source, uint32_t place, uint32_t resource);

FL_PRIVATE uint32_t schema_find_anchor(const struct schema_compiler *c, uint32_t resource, const char *s, size_t n);

enum { SCHEMA_ALL_VOCABULARIES = (1 << SCHEMA_FORMAT_ASSERTION) - 1 };

/* Returns the draft (low 8 bits) and vocabularies (from bit 8) that the $schema at a place names, or SCHEMA_NONE after
** an error. */
FL_PRIVATE uint32_t schema_dialect(struct schema_compiler *c, uint32_t source, uint32_t place);

/* Returns whether the resource's draft and vocabularies have the keyword. */
FL_PRIVATE int schema_has_keyword(const struct schema_compiler *c, uint32_t resource, enum schema_keyword keyword);

/* Returns the resource of a place, or SCHEMA_NONE if the place was not registered. */
FL_INLINE uint32_t schema_resource_at(const struct schema_compiler *c, uint32_t source, uint32_t place) {
  return (c->to.sources[source]->resources[place] & ~(uint32_t)SCHEMA_CHECKED) - 1;
}

FL_INLINE unsigned schema_draft_bit(const struct schema_compiler *c, uint32_t resource) {
  return 1u << c->to.resources[resource].draft;
}

/* Resolves a reference without a fragment against a resource's URI into c->uri. Returns its length. */
FL_PRIVATE size_t schema_resolve_from(struct schema_compiler *c, uint32_t base, struct schema_text text);

/* Finds the target of a reference. Returns 0 without an error if it leads nowhere. */
FL_PRIVATE int schema_follow_text(struct schema_compiler *c, uint32_t resource, struct schema_text text,
                                  struct schema_target *to);

/* Finds the target of the reference at a place. */
FL_PRIVATE int schema_follow(struct schema_compiler *c, uint32_t resource, uint32_t source, uint32_t place,
                             enum schema_keyword keyword, struct schema_target *to);

/* ------------------------------------------------------------------------------------- scopes */

/* The schema of each dynamic anchor: a list of anchors sorted by name. Scope 0 is empty. */
struct schema_scope {
  uint32_t first, count;
};

/* Returns the scope after entering a resource. */
struct schema_entry {
  uint32_t scope, resource, to;
};

FL_PRIVATE uint32_t schema_enter(struct schema_compiler *c, uint32_t scope, uint32_t resource);

/* Returns the anchor bound to a name, or SCHEMA_NONE. */
FL_PRIVATE uint32_t schema_bound(const struct schema_compiler *c, uint32_t scope, uint32_t name);
