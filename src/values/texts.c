/* SPDX-License-Identifier: MIT */
#include "texts.h"

/* A sink of the scanner. */
struct value_reader {
  struct value_texts *k;
  struct json_scan *scan;
  uint32_t up; /* the container being read, or VALUE_ROOT */
  uint32_t name, name_length;
  int any_size;
};

#define VALUE_ROOT UINT32_MAX
enum { VALUE_LONGEST_TEXT = INT32_MAX };

/* Lends the scan the free part of `bytes` as scratch, so that an unescaped string is already in its final place. */
static char *value_reader_grow(void *owner, size_t n) {
  struct value_texts *k = (struct value_texts *)owner;
  const size_t room = 2 * (k->bytes_count + n);
  char *bytes = (char *)value_reserve(&k->walk, VALUE_BLOCK_BYTES, room, k->bytes_count);
  if (!bytes) return NULL;
  k->bytes = bytes;
  k->bytes_room = room;
  return bytes + k->bytes_count;
}

/* Returns where the bytes read last are: in the text, or in the scratch, which is kept. */
FL_INLINE uint32_t value_reader_keep(struct value_reader *r, const char *s, size_t n) {
  struct value_texts *k = r->k;
  if (FL_LIKELY((uintptr_t)s - (uintptr_t)k->text <= k->length)) return (uint32_t)(s - k->text);
  const uint32_t at = k->length + (uint32_t)k->bytes_count;
  k->bytes_count += n;
  r->scan->scratch = k->bytes + k->bytes_count;
  r->scan->room = k->bytes_room - k->bytes_count;
  if (k->bytes_count > VALUE_LONGEST_TEXT) (void)value_fail(&k->walk, VALUE_ERROR_REDO);
  return at;
}

/* Adds the value that begins at scan.at. Returns 0 after an error. */
FL_INLINE int value_reader_add(struct value_reader *r, uint32_t bytes, uint32_t n) {
  struct value_texts *k = r->k;
  void *places = k->places;
  if (FL_UNLIKELY(k->count == k->room)) {
    if (!value_grow(&k->walk, VALUE_BLOCK_PLACES, &places, &k->room, k->count, sizeof *k->places)) return 0;
    k->places = (struct value_place *)places;
  }
  if (r->up != VALUE_ROOT) k->places[r->up].n++;
  struct value_place *place = &k->places[k->count++];
  place->begin = (uint32_t)(r->scan->at - k->text);
  place->next = (uint32_t)k->count;
  place->name = r->name;
  place->name_length = r->name_length;
  place->bytes = bytes;
  place->n = n;
  return !k->walk.error;
}

/* The events of json/grammar/scan_template.h. */
FL_INLINE int value_reader_null(struct value_reader *r) { return value_reader_add(r, 0, 0); }

FL_INLINE int value_reader_boolean(struct value_reader *r, int b) { return (void)b, value_reader_null(r); }

/* A number with an exponent, or with very many digits, may be beyond double. */
FL_INLINE int value_reader_number(struct value_reader *r, const char *text, size_t n, const struct num_value *span) {
  struct num_value v;
  if (span->kind != NUM_INTEGER) return 0; /* of another grammar */
  if (FL_UNLIKELY(!r->any_size && (n > DBL_MAX_10_EXP || span->i))) {
    (void)num_read(text, text + n, &v);
    if (v.kind == NUM_HUGE) return 0;
  }
  return value_reader_null(r);
}

FL_INLINE int value_reader_string(struct value_reader *r, const char *s, size_t n) {
  return value_reader_add(r, value_reader_keep(r, s, n), (uint32_t)n);
}

FL_INLINE int value_reader_name(struct value_reader *r, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  r->name = value_reader_keep(r, name.s, name.n);
  r->name_length = (uint32_t)name.n;
  return 1;
}

FL_INLINE void value_reader_open(struct value_reader *r, enum scan_container kind) {
  (void)kind;
  if (!value_reader_add(r, 0, 0)) return;
  r->k->places[r->k->count - 1].next = r->up;
  r->up = (uint32_t)r->k->count - 1;
}

FL_INLINE enum scan_container value_reader_close(struct value_reader *r, enum scan_container kind) {
  struct value_texts *k = r->k;
  const uint32_t at = r->up;
  (void)kind;
  if (FL_UNLIKELY(k->walk.error)) return SCAN_STOP;
  struct value_place *place = &k->places[at];
  r->up = place->next;
  place->next = (uint32_t)k->count;
  if (r->up == VALUE_ROOT) return SCAN_ROOT;
  return value_texts_first(k, r->up) == '[' ? SCAN_ARRAY : SCAN_OBJECT;
}

#define SCAN_NAME value_reader_scan
#define SCAN_SINK struct value_reader
#define SCAN_NUMBER json_span_number
#define SCAN(event) value_reader_##event
#include "../json/grammar/scan_template.h"

FL_PRIVATE const char *value_texts_scan(struct value_texts *k, struct json_scan *j, const char *p, int any_size) {
  struct value_reader r = {k, j, VALUE_ROOT, 0, 0, any_size};
  if (j->end - j->begin > VALUE_LONGEST_TEXT) return NULL;
  FL_ASSERT(!(j->grammar & ~(unsigned)VALUE_TEXTS_GRAMMAR));
  k->text = j->begin;
  k->length = (uint32_t)(j->end - j->begin);
  k->count = k->bytes_count = k->children_count = 0;
  j->scratch = k->bytes;
  j->room = k->bytes_room;
  j->grow = value_reader_grow;
  j->owner = k;
  return value_reader_scan(&r, j, p);
}

/* Makes room for n more children in the list, and for a copy of them. NULL if out of memory. */
static uint32_t *value_texts_more_children(struct value_texts *k, uint32_t n) {
  const size_t need = k->children_count + 2 * (size_t)n;
  if (need > k->children_room) {
    uint32_t *children = (uint32_t *)value_reserve(&k->walk, VALUE_BLOCK_CHILDREN, 2 * need * sizeof *children,
                                                   k->children_count * sizeof *children);
    if (!children) return NULL;
    k->children = children;
    k->children_room = 2 * need;
  }
  return k->children + k->children_count;
}

/* Lists the children of the place in the order of the text. NULL if out of memory. */
static uint32_t *value_texts_list(struct value_texts *k, uint32_t v) {
  const uint32_t n = k->places[v].n;
  uint32_t *children = value_texts_more_children(k, n), at = v + 1, i;
  if (!children) return NULL;
  for (i = 0; i < n; i++, at = k->places[at].next) children[i] = at;
  return children;
}

static void value_texts_use_list(struct value_texts *k, uint32_t v) {
  k->places[v].bytes = (uint32_t)k->children_count + 1;
  k->children_count += k->places[v].n;
}

FL_PRIVATE int value_texts_find_items(struct value_texts *k, uint32_t v) {
  if (!value_texts_list(k, v)) return 0;
  value_texts_use_list(k, v);
  return 1;
}

static int value_texts_compare(const struct value_texts *k, uint32_t a, uint32_t b) {
  return value_texts_compare_names(k, a, value_texts_bytes(k, k->places[b].name), k->places[b].name_length);
}

#define MERGE_NAME value_texts_merge
#define MERGE_TYPE uint32_t
#define MERGE_CONTEXT const struct value_texts *
#define MERGE_IS_AFTER(k, a, b) (value_texts_compare(k, *(a), *(b)) > 0)
#include "../base/merge_template.h"

/* Combines length and three bytes of a name; most different names differ in these. */
FL_INLINE uint32_t value_texts_key(const char *name, uint32_t n) {
  if (n == 0) return 0;
  return n << 24 | (uint32_t)(unsigned char)name[0] << 16 | (uint32_t)(unsigned char)name[n / 2] << 8 |
         (unsigned char)name[n - 1];
}

FL_PRIVATE int value_texts_names_differ(struct value_texts *k, uint32_t v) {
  uint8_t slots[2 * VALUE_TEXTS_FEW]; /* by hash: number of the member + 1, or 0 */
  uint32_t members[VALUE_TEXTS_FEW], keys[VALUE_TEXTS_FEW], at = v + 1, n, i;
  FL_ASSERT(k->places[v].n <= VALUE_TEXTS_FEW);
  memset(slots, 0, sizeof slots);
  for (n = 0; n < k->places[v].n; at = k->places[at].next) {
    const struct value_place *x = &k->places[at];
    const char *name = value_texts_bytes(k, x->name);
    const uint32_t key = value_texts_key(name, x->name_length);
    for (i = key * 0x9e3779b1u >> 26; slots[i]; i = (i + 1) % sizeof slots)
      if (keys[slots[i] - 1] == key && value_texts_compare_names(k, members[slots[i] - 1], name, x->name_length) == 0)
        return value_fail(&k->walk, VALUE_ERROR_REDO);
    keys[n] = key;
    members[n++] = at;
    slots[i] = (uint8_t)n;
  }
  k->places[v].bytes = VALUE_TEXTS_NO_LIST;
  return 1;
}

FL_PRIVATE int value_texts_sort_members(struct value_texts *k, uint32_t v) {
  const uint32_t n = k->places[v].n;
  uint32_t *members = value_texts_list(k, v), *sorted, i;
  if (!members) return 0;
  sorted = value_texts_merge(k, members, members + n, n, 1);
  if (sorted != members) memcpy(members, sorted, n * sizeof *members);
  for (i = 1; i < n; i++)
    if (value_texts_compare(k, members[i - 1], members[i]) == 0) return value_fail(&k->walk, VALUE_ERROR_REDO);
  value_texts_use_list(k, v);
  return 1;
}

FL_PRIVATE_NOINLINE int value_texts_look_(struct value_texts *k, uint32_t v) {
  struct value_place *object = &k->places[v];
  if (object->bytes == VALUE_TEXTS_LOOKED + VALUE_TEXTS_LOOKS) return value_texts_sort_members(k, v);
  object->bytes = object->bytes ? object->bytes + 1 : VALUE_TEXTS_LOOKED + 1;
  return 1;
}
