/* SPDX-License-Identifier: MIT
** outline.c -- outlines by the grammar's scanner, for texts that vectors do not read; names that occur twice, long
** arrays and objects, strings with escapes.
** Must hold: as outline.h. */
#include "outline.h"

#include "../json/index/quoted.h"
#include "../json/index/steps.h"
#include "../text/unescape.h"

/* A sink of the scanner. */
struct value_outliner {
  struct value_outline *k;
  struct json_scan *scan;
  int any_size;
  const char *close; /* the closing bracket read last */
};

/* Lends the scan a scratch. */
static char *value_outline_scratch(void *owner, size_t n) {
  struct value_outline *k = (struct value_outline *)owner;
  return k->bytes = (char *)value_reserve(&k->walk, VALUE_BLOCK_BYTES, n, 0);
}

/* Makes an array of elements of `size` bytes larger. Returns 0 if out of memory. */
static int value_outline_enlarge(struct value_outline *k, unsigned block, void **things, uint32_t *room, uint32_t used,
                                 size_t size) {
  const uint32_t more = *room + *room / 2 + 2 * JSON_OUTLINE_MORE;
  void *larger = value_reserve(&k->walk, block, more * size, used * size);
  if (!larger) return 0;
  *things = larger;
  *room = more;
  return 1;
}

static int value_outline_grow(struct json_outline *o) {
  struct value_outline *k = (struct value_outline *)(void *)((char *)o - offsetof(struct value_outline, is));
  void *entries = o->entries, *containers = o->containers;
  if (o->room - o->count < JSON_OUTLINE_MORE &&
      !value_outline_enlarge(k, VALUE_BLOCK_PLACES, &entries, &o->room, o->count, sizeof *o->entries))
    return 0;
  o->entries = (uint32_t *)entries;
  if (o->container_room - o->container_count < JSON_OUTLINE_MORE &&
      !value_outline_enlarge(k, VALUE_BLOCK_TABLES, &containers, &o->container_room, o->container_count,
                             sizeof *o->containers))
    return 0;
  o->containers = (struct json_outline_container *)containers;
  return 1;
}

/* Adds a token. Returns 0 if out of memory. */
FL_INLINE int value_outliner_add(struct value_outliner *r, const char *p, uint32_t bits) {
  struct json_outline *o = &r->k->is;
  if (FL_UNLIKELY(!json_outline_has_room(o)) && !value_outline_grow(o)) return 0;
  o->entries[o->count++] = (uint32_t)(p - o->text) | bits;
  return 1;
}

/* The events of json/grammar/scan_template.h. */
FL_INLINE int value_outliner_null(struct value_outliner *r) { return value_outliner_add(r, r->scan->at, 0); }

FL_INLINE int value_outliner_boolean(struct value_outliner *r, int b) { return (void)b, value_outliner_null(r); }

/* A number with an exponent, or with very many digits, may be beyond double. */
FL_INLINE int value_outliner_number(struct value_outliner *r, const char *text, size_t n,
                                    const struct num_value *span) {
  struct num_value v;
  if (span->kind != NUM_INTEGER) return 0; /* of another grammar */
  if (FL_UNLIKELY(!r->any_size && (n > DBL_MAX_10_EXP || span->i))) {
    (void)num_read(text, text + n, &v);
    if (v.kind == NUM_HUGE) return 0;
  }
  return value_outliner_null(r);
}

FL_INLINE int value_outliner_string(struct value_outliner *r, const char *s, size_t n) {
  (void)n;
  return value_outliner_add(r, r->scan->at, s == r->scan->at + 1 ? 0 : JSON_OUTLINE_ESCAPES);
}

FL_INLINE int value_outliner_name(struct value_outliner *r, struct json_string name, const char *p, int plain) {
  (void)name;
  return value_outliner_add(r, p, plain ? 0 : JSON_OUTLINE_ESCAPES);
}

FL_INLINE void value_outliner_open(struct value_outliner *r, enum scan_container kind) {
  struct json_outline *o = &r->k->is;
  (void)kind;
  if (value_outliner_null(r)) json_outline_bracket(o, o->count - 1, (uint32_t)(r->scan->at - o->text), 1);
}

FL_INLINE enum scan_container value_outliner_close(struct value_outliner *r, enum scan_container kind) {
  struct json_outline *o = &r->k->is;
  const int is_root = o->up == 0;
  (void)kind;
  if (FL_UNLIKELY(r->k->walk.error) || (!json_outline_has_room(o) && !value_outline_grow(o))) return SCAN_STOP;
  json_outline_bracket(o, o->count, (uint32_t)(r->close - o->text), 0);
  if (is_root) return SCAN_ROOT;
  return value_outline_is_object(r->k, &o->containers[o->up]) ? SCAN_OBJECT : SCAN_ARRAY;
}

FL_INLINE void value_outliner_ends(struct value_outliner *r, const char *p) { r->close = p - 1; }

#define SCAN_NAME value_outliner_scan
#define SCAN_SINK struct value_outliner
#define SCAN_NUMBER json_span_number
#define SCAN_CALLS
#define SCAN_ENDS
#define SCAN(event) value_outliner_##event
#include "../json/grammar/scan_template.h"

enum { VALUE_OUTLINE_DEPTH = 1024 }; /* containers whose kinds are on the C stack */

/* Makes the outline by vectors. Returns 0 if they do not read the text, or if out of memory. */
static int value_outline_strict(struct value_outline *k, const char *p, const char *end, unsigned cpu) {
  unsigned char room[JSON_CONTAINERS(VALUE_OUTLINE_DEPTH)], *containers = room;
  while (end > p && json_is_blank(end[-1])) end--;
  if (end - p < 2 || (*p | 0x20) != '{' || (end[-1] | 0x20) != '}') return 0;
  if (k->walk.max_depth > VALUE_OUTLINE_DEPTH)
    containers = (unsigned char *)value_outline_scratch(k, JSON_CONTAINERS(k->walk.max_depth));
  return containers && json_make_outline(&k->is, p, end, k->walk.max_depth, containers, cpu);
}

FL_PRIVATE const char *value_outline_scan(struct value_outline *k, struct json_scan *j, const char *p, int any_size,
                                          unsigned cpu) {
  struct json_outline *const o = &k->is;
  struct value_outliner r = {k, j, any_size, NULL};
  const size_t n = (size_t)(j->end - j->begin);
  if (n > JSON_OUTLINE_LONGEST) return NULL;
  FL_ASSERT(!(j->grammar & ~(unsigned)VALUE_OUTLINE_GRAMMAR));
  memset(o, 0, sizeof *o);
  o->text = j->begin;
  o->grow = value_outline_grow;
  k->length = (uint32_t)n;
  k->counted = UINT32_MAX;
  k->strings = NULL;
  memset(k->clear, 0, sizeof k->clear);
  k->lists_count = k->lists_room = 0;
  o->room = (uint32_t)n / 4 + JSON_OUTLINE_MORE;
  o->container_room = (uint32_t)n / 32 + JSON_OUTLINE_MORE;
  o->entries = (uint32_t *)value_reserve(&k->walk, VALUE_BLOCK_PLACES, o->room * sizeof *o->entries, 0);
  o->containers = (struct json_outline_container *)value_reserve(&k->walk, VALUE_BLOCK_TABLES,
                                                                 o->container_room * sizeof *o->containers, 0);
  if (!o->entries || !o->containers) return NULL;
  if (value_outline_strict(k, p, j->end, cpu)) return j->end;
  if (k->walk.error || j->bad_text != JSON_BAD_ERROR) return NULL;
  o->count = o->container_count = o->up = 0;
  j->scratch = NULL;
  j->room = 0;
  j->grow = value_outline_scratch;
  j->owner = k;
  return value_outliner_scan(&r, j, p);
}

/* Makes room for n more words in the lists. NULL if out of memory. */
static uint32_t *value_outline_more_lists(struct value_outline *k, size_t n) {
  const size_t need = k->lists_count + n;
  if (need > k->lists_room) {
    uint32_t *lists = (uint32_t *)value_reserve(&k->walk, VALUE_BLOCK_CHILDREN, 2 * need * sizeof *lists,
                                                k->lists_count * sizeof *lists);
    if (!lists) return NULL;
    k->lists = lists;
    k->lists_room = 2 * need;
  }
  return k->lists + k->lists_count;
}

FL_PRIVATE_NOINLINE int value_outline_list_items_(struct value_outline *k, struct json_outline_container *of) {
  const uint32_t n = (uint32_t)value_outline_count(k, of->at);
  uint32_t *list = value_outline_more_lists(k, (size_t)n + 1);
  if (!list) return 0;
  *list++ = n;
  for (uint32_t at = of->at + 1; at < of->end; at = value_outline_after(k, at)) *list++ = at;
  of->notes = (uint32_t)k->lists_count + 1;
  k->lists_count += (size_t)n + 1;
  return 1;
}

/* Most different names differ in these bytes. */
FL_INLINE uint32_t value_outline_hash(const char *s, size_t n) {
  uint64_t x = 0;
  if (n >= 8) x = fl_load64(s) ^ fl_load64(s + n - 8) * 3;
  else if (n >= 4) x = fl_load32(s) | (uint64_t)fl_load32(s + n - 4) << 32;
  else if (n)
    x = (uint64_t)(unsigned char)s[0] << 16 | (uint64_t)(unsigned char)s[n / 2] << 8 | (unsigned char)s[n - 1];
  return (uint32_t)((x ^ n) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Compares the name at an entry with s[0..n), by lengths and bytes. */
static int value_outline_compare(struct value_outline *k, uint32_t entry, const char *s, size_t n) {
  const char *name;
  size_t length;
  if (!value_outline_string(k, entry, &name, &length)) return 0;
  if (length != n) return length < n ? -1 : 1;
  return n ? memcmp(name, s, n) : 0;
}

static int value_outline_is_after(struct value_outline *k, const struct value_outline_member *a,
                                  const struct value_outline_member *b) {
  const char *s;
  size_t n;
  if (a->hash != b->hash) return a->hash > b->hash;
  return value_outline_string(k, b->entry, &s, &n) && value_outline_compare(k, a->entry, s, n) > 0;
}

#define MERGE_NAME value_outline_merge
#define MERGE_TYPE struct value_outline_member
#define MERGE_CONTEXT struct value_outline *
#define MERGE_IS_AFTER(k, a, b) value_outline_is_after(k, a, b)
#include "../base/merge_template.h"

/* Makes the list of the members of an object. Returns 0 if a name occurs twice, or if out of memory. */
static int value_outline_sort_members(struct value_outline *k, struct json_outline_container *of) {
  const size_t n = (size_t)value_outline_count(k, of->at);
  uint32_t *list = value_outline_more_lists(k, 4 * n + 1);
  const char *s;
  size_t length, i;
  if (!list) return 0;
  *list = (uint32_t)n;
  struct value_outline_member *members = (struct value_outline_member *)(void *)(list + 1), *m = members, *sorted;
  for (uint32_t at = of->at + 1; at < of->end; at = value_outline_after(k, at + 1), m++) {
    if (!value_outline_string(k, at, &s, &length)) return 0;
    m->hash = value_outline_hash(s, length);
    m->entry = at;
  }
  sorted = value_outline_merge(k, members, members + n, n, 1);
  if (k->walk.error) return 0;
  if (sorted != members) memcpy(members, sorted, n * sizeof *members);
  for (i = 1; i < n; i++)
    if (members[i - 1].hash == members[i].hash && !value_outline_is_after(k, &members[i], &members[i - 1]))
      return value_fail(&k->walk, VALUE_ERROR_REDO);
  of->notes = (uint32_t)k->lists_count + 1;
  of->begin |= VALUE_OUTLINE_CLEAR;
  k->lists_count += 2 * n + 1;
  return 1;
}

FL_PRIVATE_NOINLINE int value_outline_find_sorted_(struct value_outline *k, struct json_outline_container *of,
                                                   const char *s, size_t n, uint32_t *child) {
  const struct value_outline_member *m;
  const uint32_t hash = value_outline_hash(s, n);
  if (of->notes > VALUE_OUTLINE_LOOKED) {
    if (of->notes < UINT32_MAX) return of->notes++, -1;
    if (!value_outline_sort_members(k, of)) return 0;
  }
  m = (const struct value_outline_member *)(const void *)(k->lists + of->notes);
  for (uint32_t left = k->lists[of->notes - 1]; left > 0;) {
    const uint32_t half = left / 2;
    const int order = m[half].hash != hash ? (m[half].hash < hash ? -1 : 1)
                                           : value_outline_compare(k, m[half].entry, s, n);
    if (k->walk.error) return 0;
    if (order == 0) return *child = m[half].entry + 1, 1;
    if (order < 0) m += half + 1, left -= half + 1;
    else left = half;
  }
  return 0;
}

/* Returns whether the names at two entries are the same; 0 also if that takes more than a look. */
FL_INLINE int value_outline_is_same_name(const struct value_outline *k, uint32_t a, uint32_t b) {
  const uint32_t at = k->is.entries[a], other = k->is.entries[b], last = at > other ? at : other;
  const uint64_t ones = UINT64_C(0x0101010101010101);
  if (FLEECE_BIG_ENDIAN || last & JSON_OUTLINE_ESCAPES) return 0;
  for (uint32_t i = 1; k->length - last >= i + 8; i += 8) {
    const uint64_t x = fl_load64(k->is.text + at + i), different = x ^ fl_load64(k->is.text + other + i);
    const uint64_t y = x ^ ones * '"', quotes = (y - ones) & ~y & ones << 7;
    if (quotes) return !(different & (quotes ^ (quotes - 1))); /* only up to the first of them */
    if (different) return 0;
  }
  return 0;
}

/* Returns whether the names of an object are the first ones of another, in the same order. */
static int value_outline_is_alike(const struct value_outline *k, const struct json_outline_container *of,
                                  const struct json_outline_container *other) {
  uint32_t a = of->at + 1, b = other->at + 1;
  for (; a < of->end; a = value_outline_after(k, a + 1), b = value_outline_after(k, b + 1))
    if (b >= other->end || !value_outline_is_same_name(k, a, b)) return 0;
  return 1;
}

FL_PRIVATE_NOINLINE int value_outline_check_names_(struct value_outline *k, struct json_outline_container *of) {
  uint8_t slots[2 * VALUE_OUTLINE_FEW]; /* by hash: number of the member + 1, or 0 */
  struct value_outline_member members[VALUE_OUTLINE_FEW];
  uint32_t at = of->at + 1, count = 0, i;
  const char *s;
  size_t n;
  of->begin |= VALUE_OUTLINE_CLEAR; /* or the walk ends */
  if (at == of->end) return 1;
  uint32_t *const like = &k->clear[(unsigned char)value_outline_text(k, at)[1] % VALUE_OUTLINE_SHAPES];
  if (*like && value_outline_is_alike(k, of, &k->is.containers[*like - 1])) return 1;
  memset(slots, 0, sizeof slots);
  for (; at < of->end; at = value_outline_after(k, at + 1)) {
    if (count == VALUE_OUTLINE_FEW) return value_outline_sort_members(k, of);
    if (!value_outline_string(k, at, &s, &n)) return 0;
    const uint32_t hash = value_outline_hash(s, n);
    for (i = hash >> 26; slots[i]; i = (i + 1) % sizeof slots)
      if (members[slots[i] - 1].hash == hash && value_outline_compare(k, members[slots[i] - 1].entry, s, n) == 0)
        return value_fail(&k->walk, VALUE_ERROR_REDO);
    members[count].hash = hash;
    members[count++].entry = at;
    slots[i] = (uint8_t)count;
  }
  *like = (uint32_t)(of - k->is.containers) + 1;
  return 1;
}

FL_PRIVATE int value_outline_is_clear_up(struct value_outline *k, uint32_t container) {
  struct json_outline_container *of = &k->is.containers[container];
  while (of != k->is.containers) {
    of = &k->is.containers[of->up];
    if (of->begin & VALUE_OUTLINE_CLEAR_UP) return 1;
    if (!value_outline_is_clear(k, of)) return 0;
    of->begin |= VALUE_OUTLINE_CLEAR_UP;
  }
  return 1;
}

/* Unescapes all strings. Returns 0 if out of memory. */
static int value_outline_unescape_all(struct value_outline *k, unsigned cpu) {
  const char *const end = k->is.text + k->length;
  struct value_outline_string *to;
  uint32_t count = 0, at = 0, v;
  for (v = 0; v < k->is.count; v++) {
    if (k->is.entries[v] >> 30 != JSON_OUTLINE_ESCAPES >> 30) continue;
    const char *const p = value_outline_text(k, v);
    count++;
    at += (uint32_t)(json_after_string(p, end) - p);
  }
  k->bytes = value_outline_scratch(k, (size_t)at + TEXT_UNESCAPE_MARGIN);
  to = (struct value_outline_string *)value_reserve(&k->walk, VALUE_BLOCK_INDEX, count * sizeof *to, 0);
  if (!k->bytes || !to) return 0;
  k->strings = to;
  k->string_count = count;
  for (v = 0, at = 0; v < k->is.count; v++) {
    if (k->is.entries[v] >> 30 != JSON_OUTLINE_ESCAPES >> 30) continue;
    const char *p = value_outline_text(k, v), *const close = json_after_string(p, end) - 1;
    p++;
    to->entry = v;
    to->at = at;
    at = (uint32_t)(text_unescape(k->bytes + at, &p, close, end, cpu) - k->bytes);
    to->length = at - to->at;
    to++;
  }
  return 1;
}

FL_PRIVATE_NOINLINE int value_outline_unescape_(struct value_outline *k, uint32_t entry, const char **s, size_t *n) {
  uint32_t left = 0, right;
  if (!k->strings && !value_outline_unescape_all(k, 0)) return 0;
  for (right = k->string_count - 1; left < right;) {
    const uint32_t middle = left + (right - left) / 2;
    if (k->strings[middle].entry < entry) left = middle + 1;
    else right = middle;
  }
  *s = k->bytes + k->strings[left].at;
  *n = k->strings[left].length;
  return 1;
}

FL_PRIVATE_NOINLINE int value_outline_means_(const struct value_outline *k, const char *p, const char *s, size_t n) {
  struct json_step step;
  json_set_step(&step, s, n, 0, 0);
  return json_step_is_name(&step, p, (size_t)(json_after_string(p - 1, k->is.text + k->length) - 1 - p));
}
