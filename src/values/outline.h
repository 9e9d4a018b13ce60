/* SPDX-License-Identifier: MIT
** outline.h -- values of a JSON text by its outline, of which queries look only at what they reach: a form of value.h.
** Must hold: the text is valid and stays. A node is the number of an entry of json/index/outline.h. Duplicate names end
** the walk with VALUE_ERROR_REDO where it matters which one counts. No word raises, unless allocating memory does. */
#pragma once

#include "../json/grammar/scan.h"
#include "../json/index/outline.h"
#include "value.h"

/* A string with escapes. */
struct value_outline_string {
  uint32_t entry, at, length; /* its contents are in `bytes` at `at` */
};

/* A member of a long object, in the order of these hashes, then of the names. */
struct value_outline_member {
  uint32_t hash, entry; /* the entry of its name */
};

enum { VALUE_OUTLINE_SHAPES = 8 };

struct value_outline {
  struct value_walk walk;
  struct json_outline is;
  uint32_t length;
  uint32_t counted, children;           /* an array or object, and how many children it has */
  uint32_t clear[VALUE_OUTLINE_SHAPES]; /* containers + 1 whose names were checked last, by their first name */
  struct value_outline_string *strings; /* all with escapes, once the contents of one are needed; else NULL */
  uint32_t string_count;
  char *bytes;
  uint32_t *lists; /* of arrays: their length, then their items; of long objects: their members */
  size_t lists_count, lists_room;
  int unique; /* a member that is looked for must be there once, or the walk ends with VALUE_ERROR_REDO */
};

/* What a text may contain beyond RFC 8259; other forms of numbers and other quotes are not supported. */
enum { VALUE_OUTLINE_GRAMMAR = JSON_BOM | JSON_COMMENTS | JSON_TRAILING_COMMAS };

/* Makes the outline of the text's value at p. *j must be set except its scratch, and k->walk, too. any_size: accept
** numbers beyond double. Returns the byte after it, or of white space after it; or NULL if it is invalid, or not
** readable as this form: with strings that are repaired. */
FL_PRIVATE const char *value_outline_scan(struct value_outline *k, struct json_scan *j, const char *p, int any_size,
                                          unsigned cpu);

enum {
  VALUE_OUTLINE_FEW = 32,  /* members of an object without a list */
  VALUE_OUTLINE_LOOKS = 16 /* names that are looked for among more members one by one; then they are sorted */
};

/* Bits of `begin` of a container: no name occurs twice in it; and in none of those around it. */
#define VALUE_OUTLINE_CLEAR UINT32_C(0x80000000)
#define VALUE_OUTLINE_CLEAR_UP UINT32_C(0x40000000)

/* `notes` of an array: index of its list in `lists` + 1, or 0. Of an object the same; beyond this: names were looked
** for, as many as it is beyond this. */
#define VALUE_OUTLINE_LOOKED (UINT32_MAX - VALUE_OUTLINE_LOOKS)

/* Lists the items of an array. Returns 0 if out of memory. */
FL_PRIVATE_NOINLINE int value_outline_list_items_(struct value_outline *k, struct json_outline_container *of);

/* Returns whether no name occurs twice in the object, with its bit set; if not, the walk has ended. */
FL_PRIVATE_NOINLINE int value_outline_check_names_(struct value_outline *k, struct json_outline_container *of);

/* Returns whether in the containers around this one no name occurs twice. */
FL_PRIVATE int value_outline_is_clear_up(struct value_outline *k, uint32_t container);

/* Finds a member by a list, which is made after many looks. Returns -1 if there is none yet. */
FL_PRIVATE_NOINLINE int value_outline_find_sorted_(struct value_outline *k, struct json_outline_container *of,
                                                   const char *s, size_t n, uint32_t *child);

/* Finds the contents of the string or name with escapes at the entry. Returns 0 if out of memory. */
FL_PRIVATE_NOINLINE int value_outline_unescape_(struct value_outline *k, uint32_t entry, const char **s, size_t *n);

/* Returns whether the name with escapes at p is s[0..n). */
FL_PRIVATE_NOINLINE int value_outline_means_(const struct value_outline *k, const char *p, const char *s, size_t n);

#define VALUE(name) value_outline_##name
typedef struct value_outline value_outline_form;
typedef uint32_t value_outline_node;

typedef struct {
  uint32_t at, next, index; /* last child found; entry of the next one or of its name; how many were found */
  uint32_t end, is_object;
} value_outline_cursor;

FL_INLINE int value_outline_is_collection(struct value_outline *k, uint32_t v) {
  return (k->is.entries[v] & JSON_OUTLINE_CONTAINER) != 0;
}

FL_INLINE struct json_outline_container *value_outline_container(const struct value_outline *k, uint32_t v) {
  return &k->is.containers[k->is.entries[v] & ~JSON_OUTLINE_CONTAINER];
}

/* Returns the first byte of the value or name at an entry. */
FL_INLINE const char *value_outline_text(const struct value_outline *k, uint32_t v) {
  const uint32_t entry = k->is.entries[v];
  const uint32_t at = entry & JSON_OUTLINE_CONTAINER ? value_outline_container(k, v)->begin : entry;
  return k->is.text + (at & JSON_OUTLINE_OFFSET);
}

FL_INLINE char value_outline_first(const struct value_outline *k, uint32_t v) { return *value_outline_text(k, v); }

FL_INLINE int value_outline_is_object(const struct value_outline *k, const struct json_outline_container *of) {
  return k->is.text[of->begin & JSON_OUTLINE_OFFSET] == '{';
}

/* Returns the entry after a value. */
FL_INLINE uint32_t value_outline_after(const struct value_outline *k, uint32_t v) {
  return k->is.entries[v] & JSON_OUTLINE_CONTAINER ? value_outline_container(k, v)->end : v + 1;
}

/* Finds the contents of a string or name. Returns 0 if out of memory. */
FL_INLINE int value_outline_string(struct value_outline *k, uint32_t entry, const char **s, size_t *n) {
  const char *const begin = *s = value_outline_text(k, entry) + 1, *const end = k->is.text + k->length;
  const uint64_t ones = UINT64_C(0x0101010101010101);
  const char *p = begin;
  if (FL_UNLIKELY(k->is.entries[entry] & JSON_OUTLINE_ESCAPES)) return value_outline_unescape_(k, entry, s, n);
  for (; !FLEECE_BIG_ENDIAN && end - p >= 8; p += 8) {
    const uint64_t x = fl_load64(p) ^ ones * '"', zeros = (x - ones) & ~x & ones << 7;
    if (zeros) return *n = (size_t)(p - begin) + fl_trailing_zeros(zeros) / 8, 1;
  }
  while (*p != '"') p++;
  *n = (size_t)(p - begin);
  return 1;
}

/* Of an array n is only 0 if it is empty; `length` counts. */
FL_FUNC void value_outline_read(struct value_outline *k, uint32_t v, struct value *to) {
  const char *const p = value_outline_text(k, v);
  struct num_value number;
  switch (*p) {
  case 'n': to->type = VALUE_NULL; return;
  case 'f': to->type = VALUE_FALSE; return;
  case 't': to->type = VALUE_TRUE; return;
  case '[':
    to->type = VALUE_ARRAY;
    to->n = value_outline_container(k, v)->end - v - 1;
    return;
  case '{': to->type = VALUE_OBJECT; return;
  case '"':
    to->type = VALUE_STRING;
    if (!value_outline_string(k, v, &to->s, &to->n)) to->type = VALUE_NOTHING;
    return;
  default:
    to->type = VALUE_NUMBER;
    to->number = num_any_of(p, (size_t)(num_read(p, k->is.text + k->length, &number) - p), &number);
  }
}

/* Returns whether the name at an entry is s[0..n). */
FL_INLINE int value_outline_is_name(const struct value_outline *k, uint32_t entry, const char *s, size_t n) {
  const uint32_t offset = k->is.entries[entry];
  const char *const p = k->is.text + (offset & JSON_OUTLINE_OFFSET) + 1;
  if (FL_UNLIKELY(offset & JSON_OUTLINE_ESCAPES)) return value_outline_means_(k, p, s, n);
  if (n >= k->length - offset - 1 || p[n] != '"' || (n && *p != *s) || memcmp(p, s, n) != 0) return 0;
  return n == 0 || !memchr(s, '"', n); /* a shorter name and what follows it */
}

/* Of equal names the last counts. */
FL_FUNC int value_outline_find_member(struct value_outline *k, uint32_t v, const char *s, size_t n, uint32_t *child) {
  uint32_t at, found = 0, count = 0;
  if (value_outline_first(k, v) != '{') return 0;
  struct json_outline_container *const of = value_outline_container(k, v);
  if (FL_UNLIKELY(of->notes)) {
    const int is_found = value_outline_find_sorted_(k, of, s, n, child);
    if (is_found >= 0) return is_found;
  }
  for (at = v + 1; at < of->end; at = value_outline_after(k, at + 1), count++) {
    if (!value_outline_is_name(k, at, s, n)) continue;
    if (FL_UNLIKELY(found && k->unique)) return value_fail(&k->walk, VALUE_ERROR_REDO);
    found = at + 1;
  }
  if (FL_UNLIKELY(of->end - v > 2 * VALUE_OUTLINE_FEW) && !of->notes) of->notes = VALUE_OUTLINE_LOOKED + 1;
  k->counted = v;
  k->children = count;
  *child = found;
  return found != 0;
}

FL_FUNC int value_outline_member(struct value_outline *k, uint32_t v, const struct value_name *name, uint32_t *child) {
  return value_outline_find_member(k, v, k->walk.names + name->at, name->length, child);
}

/* Returns whether no array or object is in the container. */
FL_INLINE int value_outline_is_flat(const struct value_outline *k, const struct json_outline_container *of) {
  return of + 1 == k->is.containers + k->is.container_count || of[1].at >= of->end;
}

FL_FUNC int value_outline_length(struct value_outline *k, uint32_t v, uint64_t *n) {
  if (value_outline_first(k, v) != '[') return 0;
  struct json_outline_container *const of = value_outline_container(k, v);
  *n = of->end - v - 1;
  if (value_outline_is_flat(k, of)) return 1;
  if (!of->notes && !value_outline_list_items_(k, of)) return 0;
  *n = k->lists[of->notes - 1];
  return 1;
}

/* The length is known already. */
FL_FUNC int value_outline_item(struct value_outline *k, uint32_t v, uint64_t place, uint32_t *child) {
  const uint32_t notes = value_outline_container(k, v)->notes;
  *child = notes ? k->lists[notes + place] : v + 1 + (uint32_t)place;
  return 1;
}

FL_INLINE int value_outline_is_clear(struct value_outline *k, struct json_outline_container *of) {
  if (of->begin & VALUE_OUTLINE_CLEAR || !value_outline_is_object(k, of)) return 1;
  return value_outline_check_names_(k, of);
}

FL_FUNC void value_outline_open(struct value_outline *k, uint32_t v, value_outline_cursor *c) {
  const struct json_outline_container *const of = value_outline_container(k, v);
  c->next = v + 1;
  c->end = of->end;
  c->is_object = (uint32_t)value_outline_is_object(k, of);
  c->index = 0;
}

FL_INLINE int value_outline_next(struct value_outline *k, uint32_t v, value_outline_cursor *c, uint32_t *child) {
  if (c->next == c->end) {
    k->counted = v;
    k->children = c->index;
    return 0;
  }
  *child = c->at = c->next + c->is_object;
  c->next = value_outline_after(k, c->at);
  c->index++;
  return 1;
}

/* Returns the number of children. */
FL_FUNC uint64_t value_outline_count(struct value_outline *k, uint32_t v) {
  const struct json_outline_container *const of = value_outline_container(k, v);
  const uint32_t is_object = (uint32_t)value_outline_is_object(k, of);
  uint64_t n = 0;
  if (k->counted == v) return k->children;
  if (value_outline_is_flat(k, of)) return (of->end - v - 1) >> is_object;
  for (uint32_t at = v + 1; at < of->end; n++) at = value_outline_after(k, at + is_object);
  return n;
}

FL_FUNC uint64_t value_outline_members(struct value_outline *k, uint32_t v) {
  const uint64_t n = value_outline_count(k, v);
  return value_spend(&k->walk, n) && value_outline_is_clear(k, value_outline_container(k, v)) ? n : 0;
}

FL_FUNC const char *value_outline_step(struct value_outline *k, uint32_t v, const value_outline_cursor *c, char *room,
                                       size_t *n) {
  const char *s;
  (void)v, (void)room;
  if (!c->is_object) return *n = c->index - 1, (const char *)NULL;
  return value_outline_string(k, c->at - 1, &s, n) ? s : (*n = 0, "");
}

FL_FUNC int value_outline_settle(struct value_outline *k, uint32_t v, int is_any, int is_below) {
  return (!is_any || value_outline_is_clear(k, value_outline_container(k, v))) &&
         (!is_below || value_outline_is_clear_up(k, k->is.entries[v] & ~JSON_OUTLINE_CONTAINER));
}

/* Moves to the next array or object in `top`, in the order of the text, and pays for the children of this one. Returns
** 0 if there is none. */
FL_FUNC int value_outline_in_order(struct value_outline *k, uint32_t *v, uint32_t top) {
  const struct json_outline_container *const next = value_outline_container(k, *v) + 1;
  if (!value_spend(&k->walk, value_outline_count(k, *v)) || next == k->is.containers + k->is.container_count ||
      next->at >= value_outline_container(k, top)->end)
    return 0;
  *v = next->at;
  return 1;
}

#define VALUE_NO_NODE 0
#include "plain_nodes.h"

FL_FUNC int value_outline_same(struct value_outline *k, uint32_t a, uint32_t b) { return (void)k, a == b; }

FL_FUNC int value_outline_twin(struct value_outline *k, uint32_t v, const value_outline_cursor *c, uint32_t other,
                               uint32_t *child) {
  const char *s;
  size_t n;
  (void)v;
  if (!c->is_object) return value_outline_item(k, other, c->index - 1, child);
  return value_outline_string(k, c->at - 1, &s, &n) && value_outline_find_member(k, other, s, n, child);
}

#define VALUE_EQUAL FL_FUNC
#include "equal_template.h"

#undef VALUE
