/* SPDX-License-Identifier: MIT */
#include "value.h"

#include "../json/grammar/scan.h"
#include "../json/tokens/tokens.h"
#include "../number/compare.h"
#include "../number/integer.h"
#include "../number/parse.h"
#include "../number/scale.h"
#include "../number/shortest.h"

/* A sink of the scanner. */
struct patch_reader {
  struct json_scan scan; /* first, for patch_scan_string */
  struct json_edit *e;
  struct patch_value *root;
  struct patch_value *up, *last; /* the container being read, and the previous value in it */
  const char *token_end;         /* of the string read last */
  struct json_slice name;
  size_t name_size;             /* length of its text */
  struct patch_value **sorting; /* room for twice so many members: */
  size_t room;
  uint8_t of_lua;
  struct patch_value *other; /* see patch_read_text; `same` of an open container is the next one to compare there, */
                             /* and `hash` how many were read since one was found */
  const char *differs;       /* the bytes up to here are those `shift` bytes further in the other text, this one not */
  uintptr_t shift;
};

FL_PRIVATE void patch_match(struct patch_value *a, struct patch_value *b) {
  struct patch_value *x = a->least, *y = b->least;
  for (struct patch_value *v = x; v; v = v->after) v->match = NULL; /* patch_expand may have set it */
  while (x && y) {
    const int order = patch_compare_names(x, y);
    if (order == 0) x->match = y, y->match = x;
    if (order <= 0) x = x->after;
    if (order >= 0) y = y->after;
  }
}

#define MERGE_NAME patch_merge_members
#define MERGE_TYPE struct patch_value *
#define MERGE_CONTEXT const void *
#define MERGE_IS_AFTER(context, a, b) ((void)(context), patch_compare_names(*(a), *(b)) > 0)
#include "../base/merge_template.h"

static int patch_no_memory(struct patch_reader *k) {
  return json_scan_error(&k->scan, JSON_CHECK_MEMORY, k->scan.end) != NULL;
}

/* Returns what a string means: in the text, or copied to the memory. */
static const char *patch_keep(struct patch_reader *k, const char *s, size_t n) {
  struct json_slice copy;
  if (s >= k->scan.begin && s < k->scan.end) return s;
  return json_edit_keep(k->e, s, n, &copy) ? copy.begin : ((void)patch_no_memory(k), (const char *)NULL);
}

/* Adds a value. NULL after an error, maybe an earlier one. */
static struct patch_value *patch_add(struct patch_reader *k, enum patch_kind kind, const char *begin, const char *end) {
  struct patch_value *v;
  if (k->scan.error) return NULL;
  if (!(v = (struct patch_value *)json_edit_memory(k->e, sizeof *v)))
    return (void)patch_no_memory(k), (struct patch_value *)NULL;
  memset(v, 0, sizeof *v);
  v->kind = kind;
  v->of_lua = k->of_lua;
  v->begin = begin;
  v->end = end;
  v->up = k->up;
  v->size = patch_is_container(v) ? 2 : (size_t)(end - begin);
  if (!k->up) {
    k->root = v;
  } else {
    struct patch_value *up = k->up;
    if (up->kind == PATCH_OBJECT) {
      v->name = k->name.begin, v->name_length = json_slice_length(k->name);
      up->size += k->name_size + 1;
    }
    if (k->last) k->last->next = k->last->after = v;
    else up->is.first = up->least = v;
    up->size += up->n > 0;
    if (!patch_is_container(v)) up->size += v->size;
    up->n++;
  }
  k->last = v;
  return v;
}

/* Returns the byte after the word or number at p. */
static const char *patch_after_word(const char *p) {
  while (json_is_letter(*p) || json_is_digit(*p) || *p == '-' || *p == '+' || *p == '.') p++;
  return p;
}

/* The events of json/grammar/scan_template.h, which calls them by the macro SCAN below. */
FL_INLINE int patch_on_null(struct patch_reader *k) {
  return patch_add(k, PATCH_NULL, k->scan.at, patch_after_word(k->scan.at)) != NULL;
}

FL_INLINE int patch_on_boolean(struct patch_reader *k, int b) {
  return patch_add(k, b ? PATCH_TRUE : PATCH_FALSE, k->scan.at, k->scan.at + (b ? 4 : 5)) != NULL;
}

/* Writes the hexadecimal digits at p as a decimal number; beyond 64 bits as their double, like decode. Returns 0 if out
** of memory. */
static int patch_write_hex(struct patch_reader *k, const char *p, int negative, struct json_slice *text) {
  char *w = (char *)json_edit_memory(k->e, NUM_ROOM + 1);
  struct num_value v;
  uint64_t n = 0;
  if (!w) return patch_no_memory(k);
  (void)json5_hex(p, 0, &v);
  while (*p == '0') p++;
  for (; text_hex_digit(*p) >= 0 && n >> 60 == 0; p++) n = n << 4 | (unsigned)text_hex_digit(*p);
  text->begin = w;
  if (negative) *w++ = '-';
  if (text_hex_digit(*p) < 0) w = num_write_u64(w, n);
  else if (v.d <= DBL_MAX) w = num_write_double(w, v.d, 0);
  else *w++ = 'I';
  text->end = w;
  *w = 0;
  return 1;
}

/* Adds a number of any grammar, in a form that num_compare_texts accepts. */
static int patch_add_number(struct patch_reader *k, const char *p) {
  const int negative = *p == '-';
  const char *digits = p + (negative || *p == '+');
  struct json_slice text = json_slice_of(negative ? p : digits, patch_after_word(p));
  if (digits[0] == '0' && (digits[1] | 0x20) == 'x' && !patch_write_hex(k, digits + 2, negative, &text)) return 0;
  return patch_add(k, json_is_letter(text.begin[negative]) ? PATCH_NO_NUMBER : PATCH_NUMBER, text.begin, text.end) !=
         NULL;
}

FL_INLINE int patch_on_number(struct patch_reader *k, const char *text, size_t n, const struct num_value *span) {
  (void)span; /* json_span_number gives no value */
  return k->scan.grammar ? patch_add_number(k, text) : patch_add(k, PATCH_NUMBER, text, text + n) != NULL;
}

FL_INLINE int patch_on_string(struct patch_reader *k, const char *s, size_t n) {
  /* not for 'x', whose token_end is not set */
  const char *const begin = k->scan.at, *const end = k->token_end > begin ? k->token_end : begin;
  struct patch_value *v = patch_add(k, PATCH_STRING, begin, end);
  if (!v || !(v->is.s = patch_keep(k, s, n))) return 0;
  v->n = n;
  return 1;
}

FL_INLINE int patch_on_name(struct patch_reader *k, struct json_string name, const char *p, int plain) {
  const char *s = patch_keep(k, name.s, name.n);
  (void)plain;
  if (!s) return 0;
  k->name_size = (size_t)(k->token_end - p);
  k->name = json_slice_of(s, s + name.n);
  return 1;
}

/* After lack of memory the scan continues to the next event. */
static void patch_on_open(struct patch_reader *k, enum scan_container kind) {
  struct patch_value *v = patch_add(k, kind == SCAN_ARRAY ? PATCH_ARRAY : PATCH_OBJECT, k->scan.at, k->scan.at + 1);
  if (!v) return;
  k->up = v;
  k->last = NULL;
}

/* Returns whether the text at p begins with that of `other`. Nested containers are not compared again up to the first
** difference. */
static int patch_same_text(struct patch_reader *k, const char *p, const struct patch_value *other) {
  const size_t n = (size_t)(other->end - other->begin);
  const uintptr_t shift = (uintptr_t)other->begin - (uintptr_t)p;
  if (n > (size_t)(k->scan.end - p)) return 0;
  if (p < k->differs && shift == k->shift) return p + n <= k->differs;
  const size_t same = patch_common(p, other->begin, n);
  if (same < n && p + same > k->differs) k->differs = p + same, k->shift = shift;
  return same == n;
}

enum {
  PATCH_NEAR = 16,
  PATCH_BEHIND = 4
}; /* values of the other text that one is compared with, and those before it */

/* Returns the container of the other text that corresponds to the new one at p, or NULL: a member of the same name; of
** items one with the same text, or that at its place. */
static struct patch_value *patch_find_other(struct patch_reader *k, const struct patch_value *v, const char *p) {
  struct patch_value *up = v->up, *other, *at_place = NULL;
  if (!up) return k->other;
  for (other = up->same; other && !patch_is_container(other);) other = other->next;
  up->same = other;
  for (uint32_t i = 0; other && i < PATCH_NEAR; other = other->next, i++) {
    if (!patch_is_container(other)) continue;
    if (v->name ? patch_compare_names(other, v) == 0 : patch_same_text(k, p, other)) {
      up->same = other->next;
      up->hash = 0;
      return other;
    }
    if (i == up->hash && !v->name) at_place = other;
  }
  if (up->hash < PATCH_BEHIND) up->hash++;
  else if (up->same) up->same = up->same->next;
  return at_place;
}

/* Takes a container that the other text has, too. */
static const char *patch_on_take(struct patch_reader *k, const char *p) {
  struct patch_value *v = k->up, *other = k->other && !k->scan.error ? patch_find_other(k, v, p) : NULL;
  if (!other || other->kind != v->kind || other->n == 0) return p;
  v->same = other->is.first;
  if (!patch_same_text(k, p, other)) return p;
  v->same = other;
  v->n = other->n;
  v->size = other->size;
  return p + (other->end - other->begin) - 1;
}

FL_PRIVATE int patch_expand(struct json_edit *e, struct patch_value *v) {
  struct patch_value **next = &v->is.first, *y;
  for (struct patch_value *x = v->same->is.first; x; x = x->next, next = &y->next) {
    if (!(y = (struct patch_value *)json_edit_memory(e, sizeof *y))) return 0;
    *y = *x;
    y->up = v;
    y->of_lua = v->of_lua;
    y->same = patch_is_container(x) && x->n > 0 ? x : NULL;
    *next = x->match = y;
  }
  v->least = v->same->least->match;
  for (y = v->is.first; y; y = y->next) y->after = y->after ? y->after->match : NULL;
  v->same = NULL;
  return 1;
}

FL_INLINE void patch_on_ends(struct patch_reader *k, const char *p) {
  if (!k->scan.error) k->up->end = p;
}

/* Returns where the name of a member begins, in strict JSON; `value`: where its value does. */
static const char *patch_find_name(const char *value) {
  const char *p = value, *slash;
  while (*--p != ':') FL_ASSERT(json_is_blank(*p));
  while (*--p != '"') FL_ASSERT(json_is_blank(*p));
  for (;;) {
    while (*--p != '"') continue;
    for (slash = p; slash[-1] == '\\';) slash--;
    if ((p - slash) % 2 == 0) return p;
  }
}

enum { PATCH_FEW = 16 }; /* members that are sorted one by one */

/* Puts a member into the order of names of the few before it. Returns one with the same name, or NULL. */
static const struct patch_value *patch_insert(struct patch_value *object, struct patch_value *v,
                                              struct patch_value **last) {
  struct patch_value **to = &object->least;
  int order;
  if (patch_compare_names(*last, v) < 0) to = &(*last)->after;
  else
    while ((order = patch_compare_names(*to, v)) <= 0) {
      if (order == 0) return *to;
      to = &(*to)->after;
    }
  v->after = *to;
  *to = v;
  if (!v->after) *last = v;
  return NULL;
}

/* Sorts the members by name, if needed; a duplicate name is an error. */
static int patch_sort(struct patch_reader *k, struct patch_value *object) {
  struct patch_value *v, **sorted, *twice = NULL, *last = object->is.first;
  size_t i = 0;
  for (v = last; v && v->next && patch_compare_names(v, v->next) < 0;) v = v->next;
  if (!v || !v->next) return 1;
  if (object->n <= PATCH_FEW) {
    for (v = last->next, last->after = NULL; v && !twice; v = v->next)
      if (patch_insert(object, v, &last)) twice = v;
  } else {
    if (object->n > k->room) {
      if (object->n > SIZE_MAX / 64) return patch_no_memory(k);
      k->room = 2 * object->n;
      k->sorting = (struct patch_value **)json_edit_memory(k->e, 2 * k->room * sizeof(void *));
      if (!k->sorting) return patch_no_memory(k);
    }
    for (v = object->is.first; v; v = v->next) k->sorting[i++] = v;
    sorted = patch_merge_members(NULL, k->sorting, k->sorting + k->room, object->n, 1);
    object->least = sorted[0];
    for (i = 0; i + 1 < object->n; i++) {
      if (patch_compare_names(sorted[i], sorted[i + 1]) == 0 && (!twice || sorted[i + 1]->begin < twice->begin))
        twice = sorted[i + 1];
      sorted[i]->after = sorted[i + 1];
    }
    sorted[i]->after = NULL;
  }
  if (!twice) return 1;
  (void)json_scan_error(&k->scan, JSON_CHECK_DUPLICATE,
                        k->scan.grammar & ~(unsigned)JSON_NAN_LITERALS ? twice->begin : patch_find_name(twice->begin));
  return 0;
}

static enum scan_container patch_on_close(struct patch_reader *k, enum scan_container kind) {
  const int is_taken = k->up && k->up->n > 0 && !k->up->is.first;
  if (k->scan.error || (kind == SCAN_OBJECT && !is_taken && !patch_sort(k, k->up))) return SCAN_STOP;
  if (!is_taken) k->up->same = NULL;
  k->up->hash = 0;
  k->last = k->up;
  k->up = k->up->up;
  if (k->up) k->up->size += k->last->size;
  return !k->up ? SCAN_ROOT : k->up->kind == PATCH_ARRAY ? SCAN_ARRAY : SCAN_OBJECT;
}

FL_INLINE const char *patch_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  p = json_read_string(j, p, out);
  ((struct patch_reader *)(void *)j)->token_end = p;
  return p;
}

#define SCAN_CALLS
#define SCAN_NAME patch_scan
#define SCAN_SINK struct patch_reader
#define SCAN_STRING patch_scan_string
#define SCAN_NUMBER json_span_number
#define SCAN_ENDS
#define SCAN_TAKES
#define SCAN(event) patch_on_##event
#include "../json/grammar/scan_template.h"

static struct patch_value *patch_failed(struct patch_reader *k) {
  struct json_edit *e = k->e;
  e->scan.error = k->scan.error;
  e->scan.at = k->scan.at;
  return (struct patch_value *)json_edit_fail(e, k->scan.error == JSON_CHECK_MEMORY ? JSON_EDIT_MEMORY : JSON_EDIT_TEXT,
                                              k->scan.at);
}

/* Reads one value; sets *after to what follows it. */
static struct patch_value *patch_read_value(struct patch_reader *k, const char **after) {
  const char *p = json_read_space(&k->scan, k->scan.begin);
  if (p && p == k->scan.end) p = json_scan_error(&k->scan, JSON_CHECK_EMPTY, p);
  if (p) p = patch_scan(k, &k->scan, p);
  k->e->scan.scratch = k->scan.scratch; /* it may have grown */
  k->e->scan.room = k->scan.room;
  *after = p;
  return p ? k->root : patch_failed(k);
}

static void patch_begin(struct patch_reader *k, struct json_edit *e, const char *begin, const char *end,
                        unsigned grammar) {
  memset(k, 0, sizeof *k);
  k->scan = e->scan;
  k->scan.begin = begin;
  k->scan.end = end;
  k->scan.grammar = grammar;
  k->scan.error = 0;
  k->scan.depth = 0;
  k->scan.grow = json_edit_grow_scratch;
  k->scan.owner = e;
  k->e = e;
}

FL_PRIVATE struct patch_value *patch_read(struct json_edit *e, const char *p, const char *end, unsigned grammar) {
  struct patch_reader k;
  patch_begin(&k, e, p, end, grammar);
  return patch_read_value(&k, &p);
}

FL_PRIVATE struct patch_value *patch_read_text(struct json_edit *e, const char *begin, const char *end, int of_lua,
                                               struct patch_value *other) {
  struct patch_reader k;
  struct patch_value *v;
  const char *p;
  patch_begin(&k, e, begin, end, e->scan.grammar & JSON_NAN_LITERALS);
  k.of_lua = of_lua != 0;
  k.other = other;
  if (!(v = patch_read_value(&k, &p))) return NULL;
  p = json_read_space(&k.scan, p);
  if (p && p != end) p = json_scan_error(&k.scan, JSON_CHECK_AFTER, p);
  return p ? v : patch_failed(&k);
}

FL_PRIVATE struct patch_value *patch_read_part(struct json_edit *e, const char *p, const char *end, int of_lua,
                                               struct patch_value *other) {
  struct patch_reader k;
  patch_begin(&k, e, p, end, 0);
  k.of_lua = of_lua != 0;
  k.other = other;
  return patch_read_value(&k, &p);
}

FL_PRIVATE int patch_sort_members(struct json_edit *e, struct patch_value *object) {
  struct patch_reader k;
  patch_begin(&k, e, object->begin, object->end, 0);
  return patch_sort(&k, object) || (patch_failed(&k), 0);
}

FL_PRIVATE int patch_same_scalar(const struct patch_value *a, const struct patch_value *b) {
  const size_t n = (size_t)(a->end - a->begin), m = (size_t)(b->end - b->begin);
  if (a->kind != b->kind) return 0;
  if (a->kind == PATCH_STRING) return a->n == b->n && memcmp(a->is.s, b->is.s, a->n) == 0;
  if (a->kind < PATCH_NO_NUMBER || (n == m && memcmp(a->begin, b->begin, n) == 0)) return 1;
  return a->kind == PATCH_NUMBER && num_compare_texts(a->begin, n, b->begin, m) == 0;
}

/* Returns the number, as exactly as it is known. */
static struct num_any patch_number_of(const struct patch_value *v) {
  const size_t n = (size_t)(v->end - v->begin);
  struct num_value number = {0, 0, NUM_BAD};
  char digits[NUM_ROOM];
  (void)num_read(v->begin, v->end, &number);
  struct num_any x = num_any_of(v->begin, n, &number);
  const double d = number.kind == NUM_INTEGER ? (double)number.i : number.d;
  if (v->of_lua && number.kind != NUM_HUGE &&
      num_compare_texts(v->begin, n, digits, (size_t)(num_write_double(digits, d, 0) - digits)) == 0)
    x.form = NUM_IS_DOUBLE, x.is.d = d;
  return x;
}

FL_PRIVATE int patch_equal_scalars(const struct patch_value *a, const struct patch_value *b) {
  struct num_any x, y;
  if (patch_same_scalar(a, b)) return 1;
  if (a->kind != PATCH_NUMBER || b->kind != PATCH_NUMBER || (!a->of_lua && !b->of_lua)) return 0;
  x = patch_number_of(a), y = patch_number_of(b);
  return (x.form == NUM_IS_TEXT || y.form == NUM_IS_TEXT) && num_compare(&x, &y) == 0;
}

/* Walks both at once, in the order of names. Objects with as many members have different names as soon as one
** differs. */
FL_PRIVATE int patch_equal(const struct patch_value *a, const struct patch_value *b) {
  const struct patch_value *const root = a;
  for (;;) {
    if (!patch_is_container(a)) {
      if (!patch_equal_scalars(a, b)) return 0;
    } else if (a->kind != b->kind || a->n != b->n) {
      return 0;
    } else if (b->same) {
      if (a != b->same && !patch_equal(a, b->same)) return 0; /* a value with `same` is in none */
    } else if (a->n > 0) {
      a = a->least, b = b->least;
      if (a->name && patch_compare_names(a, b) != 0) return 0;
      continue;
    }
    while (a != root && !a->after) a = a->up, b = b->up;
    if (a == root) return 1;
    a = a->after, b = b->after;
    if (a->name && patch_compare_names(a, b) != 0) return 0;
  }
}

FL_PRIVATE const struct patch_value *patch_next(const struct patch_value *root, const struct patch_value *v) {
  for (; v != root; v = v->up)
    if (v->next) return v->next;
  return NULL;
}

FL_PRIVATE struct patch_value *patch_member(const struct patch_value *object, const char *name) {
  const size_t n = strlen(name);
  struct patch_value *v = object->is.first;
  FL_ASSERT(object->kind == PATCH_OBJECT);
  while (v && (v->name_length != n || memcmp(v->name, name, n) != 0)) v = v->next;
  return v;
}
