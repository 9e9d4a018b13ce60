/* SPDX-License-Identifier: MIT
** texts.h -- values of a JSON text where they stand: a form of value.h.
** Must hold: the text is valid and stays. A node is the number of a place. Places are in the order of the text; each
** knows the one after its value, so contents are skipped in one step. A duplicate name ends the walk with
** VALUE_ERROR_REDO where it matters which one counts. No word raises, unless allocating memory does. */
#pragma once

#include "../json/grammar/scan.h"
#include "value.h"

/* A value. Offsets of strings and names are in the text, or, beyond its length, in `bytes`. */
struct value_place {
  uint32_t begin;             /* offset of its first byte in the text */
  uint32_t next;              /* the place after its contents; while it is read, the place of its container */
  uint32_t name, name_length; /* for a member */
  uint32_t bytes;             /* of a string: its bytes; else index of its first child in `children` + 1, or 0 */
  uint32_t n;                 /* length of a string, number of items or members */
};

struct value_texts {
  struct value_walk walk;
  const char *text;
  uint32_t length;
  struct value_place *places;
  size_t count, room;
  char *bytes; /* strings and names with escapes, unescaped, one after the other */
  size_t bytes_count, bytes_room;
  uint32_t *children; /* items of arrays in order, members of objects sorted by name */
  size_t children_count, children_room;
};

/* What a text may contain beyond RFC 8259; other forms of numbers and other quotes are not supported. */
enum { VALUE_TEXTS_GRAMMAR = JSON_BOM | JSON_COMMENTS | JSON_TRAILING_COMMAS };

/* Reads the value at p. *j must be set except its scratch, and k->walk, too. any_size: accept numbers beyond double.
** Returns the byte after it, or NULL if it is invalid, or not readable as this form. */
FL_PRIVATE const char *value_texts_scan(struct value_texts *k, struct json_scan *j, const char *p, int any_size);

enum {
  VALUE_TEXTS_FEW = 32,  /* members of an object whose names are compared without a list */
  VALUE_TEXTS_LOOKS = 16 /* names that are looked for among more members one by one; then they are sorted */
};

/* Two kinds of `bytes` of an object without a list: few members with different names; many, among which bytes -
** VALUE_TEXTS_LOOKED names were looked for, whose names may not be different. */
#define VALUE_TEXTS_NO_LIST UINT32_MAX
#define VALUE_TEXTS_LOOKED (UINT32_MAX - 1 - VALUE_TEXTS_LOOKS)

/* Returns whether the names of an object with few members are all different. */
FL_PRIVATE int value_texts_names_differ(struct value_texts *k, uint32_t place);

/* Lists the children of a place in order, for words that need that. Returns 0 after an error. */
FL_PRIVATE int value_texts_find_items(struct value_texts *k, uint32_t place);
FL_PRIVATE int value_texts_sort_members(struct value_texts *k, uint32_t place);

/* Before a name is looked for among many members without a list: counts, or makes one. Returns 0 after an error. */
FL_PRIVATE_NOINLINE int value_texts_look_(struct value_texts *k, uint32_t place);

#define VALUE(name) value_texts_##name
typedef struct value_texts value_texts_form;
typedef uint32_t value_texts_node;

typedef struct {
  uint32_t at, next, left; /* last child found, next child, and number of children from that on */
} value_texts_cursor;

FL_INLINE char value_texts_first(const struct value_texts *k, uint32_t v) { return k->text[k->places[v].begin]; }

FL_INLINE int value_texts_is_collection(struct value_texts *k, uint32_t v) {
  return (value_texts_first(k, v) | 0x20) == '{'; /* '[' is 0x5b, '{' 0x7b */
}

FL_INLINE const char *value_texts_bytes(const struct value_texts *k, uint32_t at) {
  return at < k->length ? k->text + at : k->bytes + (at - k->length);
}

FL_INLINE enum value_type value_texts_scalar(const struct value_texts *k, uint32_t v) {
  const char c = value_texts_first(k, v);
  if (c == '"') return VALUE_STRING;
  return c == '-' || (c >= '0' && c <= '9') ? VALUE_NUMBER : VALUE_NOTHING;
}

FL_FUNC void value_texts_read(struct value_texts *k, uint32_t v, struct value *to) {
  const struct value_place *place = &k->places[v];
  const char *const p = k->text + place->begin;
  struct num_value number;
  switch (*p) {
  case 'n': to->type = VALUE_NULL; return;
  case 'f': to->type = VALUE_FALSE; return;
  case 't': to->type = VALUE_TRUE; return;
  case '[':
    to->type = VALUE_ARRAY;
    to->n = place->n;
    return;
  case '{': to->type = VALUE_OBJECT; return;
  case '"':
    to->type = VALUE_STRING;
    to->s = value_texts_bytes(k, place->bytes);
    to->n = place->n;
    return;
  default:
    to->type = VALUE_NUMBER;
    to->number = num_any_of(p, (size_t)(num_read(p, k->text + k->length, &number) - p), &number);
  }
}

/* Compares names by length, then by bytes. */
FL_INLINE int value_texts_compare_names(const struct value_texts *k, uint32_t v, const char *s, size_t n) {
  const struct value_place *place = &k->places[v];
  if (place->name_length != n) return place->name_length < n ? -1 : 1;
  return memcmp(value_texts_bytes(k, place->name), s, n);
}

FL_INLINE int value_texts_has_list(const struct value_place *place) { return place->bytes - 1 < VALUE_TEXTS_LOOKED; }

/* Of equal names the last counts. */
FL_FUNC int value_texts_find_member(struct value_texts *k, uint32_t v, const char *s, size_t n, uint32_t *child) {
  const struct value_place *object = &k->places[v];
  uint32_t left = object->n, at = v + 1, found = 0;
  if (value_texts_first(k, v) != '{') return 0;
  if (left > VALUE_TEXTS_FEW && !value_texts_has_list(object) && !value_texts_look_(k, v)) return 0;
  if (value_texts_has_list(object)) {
    const uint32_t *of = k->children + object->bytes - 1;
    while (left > 0) {
      const uint32_t half = left / 2;
      const int order = value_texts_compare_names(k, of[half], s, n);
      if (order == 0) return *child = of[half], 1;
      if (order < 0) of += half + 1, left -= half + 1;
      else left = half;
    }
    return 0;
  }
  for (; left > 0; left--, at = k->places[at].next)
    if (value_texts_compare_names(k, at, s, n) == 0) found = at;
  *child = found;
  return found != 0;
}

FL_FUNC int value_texts_member(struct value_texts *k, uint32_t v, const struct value_name *name, uint32_t *child) {
  return value_texts_find_member(k, v, k->walk.names + name->at, name->length, child);
}

FL_FUNC int value_texts_length(struct value_texts *k, uint32_t v, uint64_t *n) {
  if (value_texts_first(k, v) != '[') return 0;
  *n = k->places[v].n;
  return 1;
}

FL_FUNC int value_texts_item(struct value_texts *k, uint32_t v, uint64_t place, uint32_t *child) {
  *child = v + 1;
  if (place == 0) return 1;
  if (!k->places[v].bytes && !value_texts_find_items(k, v)) return 0;
  *child = k->children[k->places[v].bytes - 1 + place];
  return 1;
}

/* Returns whether the object has no duplicate name. */
FL_INLINE int value_texts_is_clear(struct value_texts *k, uint32_t v) {
  const struct value_place *object = &k->places[v];
  if (object->n < 2 || value_texts_has_list(object) || value_texts_first(k, v) == '[') return 1;
  if (object->n > VALUE_TEXTS_FEW) return value_texts_sort_members(k, v);
  return object->bytes || value_texts_names_differ(k, v);
}

FL_FUNC void value_texts_open(struct value_texts *k, uint32_t v, value_texts_cursor *c) {
  c->next = v + 1;
  c->left = value_texts_is_clear(k, v) ? k->places[v].n : 0;
}

FL_FUNC int value_texts_next(struct value_texts *k, uint32_t v, value_texts_cursor *c, uint32_t *child) {
  (void)v;
  if (c->left == 0) return 0;
  c->left--;
  *child = c->at = c->next;
  c->next = k->places[c->at].next;
  return 1;
}

FL_FUNC uint64_t value_texts_members(struct value_texts *k, uint32_t v) {
  const uint64_t n = k->places[v].n;
  return value_spend(&k->walk, n) && value_texts_is_clear(k, v) ? n : 0;
}

FL_FUNC const char *value_texts_step(struct value_texts *k, uint32_t v, const value_texts_cursor *c, char *room,
                                     size_t *n) {
  (void)room;
  if (value_texts_first(k, v) == '[') return *n = k->places[v].n - c->left - 1, (const char *)NULL;
  *n = k->places[c->at].name_length;
  return value_texts_bytes(k, k->places[c->at].name);
}

#include "plain_nodes.h"

FL_FUNC int value_texts_same(struct value_texts *k, uint32_t a, uint32_t b) { return (void)k, a == b; }

FL_FUNC int value_texts_twin(struct value_texts *k, uint32_t v, const value_texts_cursor *c, uint32_t other,
                             uint32_t *child) {
  const struct value_place *at = &k->places[c->at];
  if (value_texts_first(k, v) == '[') return value_texts_item(k, other, k->places[v].n - c->left - 1, child);
  return value_texts_find_member(k, other, value_texts_bytes(k, at->name), at->name_length, child);
}

#define VALUE_EQUAL FL_FUNC
#include "equal_template.h"

#undef VALUE
