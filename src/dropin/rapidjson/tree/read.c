/* SPDX-License-Identifier: MIT
** read.c -- JSON text to a tree: a sink of the scanner.
** Must hold: as json/grammar/scan.h. Values wait in a second block until their container ends, with offsets into the
** tree's block; then the items are copied there. */
#include "tree.h"

/* Adds a waiting value. NULL with the error set if out of memory. */
FL_INLINE struct tree_value *tree_wait(struct tree_reader *k, enum tree_type type, size_t length) {
  struct tree_value *v;
  if (FL_UNLIKELY(!tree_need(&k->waiting, TREE_VALUE, k->grow, k->scan.owner, TREE_WAITING))) {
    (void)json_scan_error(&k->scan, JSON_CHECK_MEMORY, k->scan.end);
    return NULL;
  }
  v = (struct tree_value *)(void *)tree_take(&k->waiting, TREE_VALUE);
  tree_set_head(v, type, length);
  return v;
}

FL_INLINE int tree_need_bytes(struct tree_reader *k, size_t n) {
  if (FL_LIKELY(tree_need(&k->tree, n, k->grow, k->scan.owner, TREE_BLOCK))) return 1;
  return json_scan_error(&k->scan, JSON_CHECK_MEMORY, k->scan.end) != NULL;
}

/* The events of json/grammar/scan_template.h, which calls them by the macro SCAN below. They return 0 to end the
** scan. */
FL_INLINE int tree_on_null(struct tree_reader *k) { return tree_wait(k, TREE_NULL, 0) != NULL; }

FL_INLINE int tree_on_boolean(struct tree_reader *k, int b) {
  return tree_wait(k, b ? TREE_TRUE : TREE_FALSE, 0) != NULL;
}

FL_INLINE int tree_add_double(struct tree_reader *k, double d) {
  struct tree_value *v = tree_wait(k, TREE_DOUBLE, 0);
  if (v) v->as.d = d;
  return v != NULL;
}

/* Adds an integer beyond int64; a number beyond double is an error. */
static int tree_add_big(struct tree_reader *k, const char *text, size_t n, const struct num_value *number) {
  struct tree_value *v;
  uint64_t u = 0;
  size_t i;
  if (number->kind == NUM_HUGE) return json_scan_error(&k->scan, JSON_CHECK_HUGE, text) != NULL;
  for (i = 0; i < n && text[i] >= '0' && text[i] <= '9' && u <= (UINT64_MAX - (uint64_t)(text[i] - '0')) / 10; i++)
    u = 10 * u + (uint64_t)(text[i] - '0');
  if (i < n) return tree_add_double(k, number->d);
  if ((v = tree_wait(k, TREE_UNSIGNED, 0)) != NULL) v->as.u = u;
  return v != NULL;
}

FL_INLINE int tree_on_number(struct tree_reader *k, const char *text, size_t n, const struct num_value *number) {
  struct tree_value *v;
  if (number->kind == NUM_DOUBLE) return tree_add_double(k, number->d);
  if (number->kind != NUM_INTEGER) return tree_add_big(k, text, n, number);
  if ((v = tree_wait(k, TREE_INTEGER, 0)) != NULL) v->as.i = number->i;
  return v != NULL;
}

FL_INLINE int tree_on_string(struct tree_reader *k, const char *s, size_t n) {
  struct tree_value *v = tree_wait(k, TREE_STRING, n);
  if (!v || !tree_need_bytes(k, n + 8)) return 0;
  v->as.u = k->tree.used;
  if (n) memcpy(k->tree.begin + k->tree.used, s, n);
  k->tree.used += tree_rounded(n);
  return 1;
}

FL_INLINE int tree_on_name(struct tree_reader *k, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  return tree_on_string(k, name.s, name.n);
}

/* If there is no memory for the note the scan continues; then tree_on_close or tree_finish reports the error. */
static void tree_on_open(struct tree_reader *k, enum scan_container kind) {
  struct tree_value *note = tree_wait(k, kind == SCAN_ARRAY ? TREE_ARRAY : TREE_OBJECT, k->open);
  if (note) k->open = (size_t)((char *)note - k->waiting.begin);
}

/* Copies n waiting values to their place in the tree. */
static void tree_place(struct tree_reader *k, struct tree_value *to, const struct tree_value *from, size_t n) {
  for (; n > 0; n--, from++, to++) {
    to->head = from->head;
    if (tree_points(from)) tree_point(to, k->tree.begin + from->as.u);
    else to->as = from->as;
  }
}

/* Returns the kind of container that the note stands for. SIZE_MAX >> TREE_TYPE_BITS: there is none. */
FL_INLINE enum scan_container tree_outside(const struct tree_reader *k, size_t note) {
  if (note == SIZE_MAX >> TREE_TYPE_BITS) return SCAN_ROOT;
  return tree_type((const struct tree_value *)(void *)(k->waiting.begin + note)) == TREE_ARRAY ? SCAN_ARRAY
                                                                                               : SCAN_OBJECT;
}

/* Copies the items of the innermost container to the tree, preceded by their capacity. The note becomes the container's
** value. */
static enum scan_container tree_on_close(struct tree_reader *k, enum scan_container kind) {
  struct tree_value *note;
  size_t n;
  (void)kind;
  if (k->scan.error) return SCAN_STOP;
  FL_ASSERT(k->open + TREE_VALUE <= k->waiting.used);
  n = (k->waiting.used - k->open) / TREE_VALUE - 1;
  if (!tree_need_bytes(k, (n + 1) * TREE_VALUE)) return SCAN_STOP;
  note = (struct tree_value *)(void *)(k->waiting.begin + k->open);
  k->waiting.used = k->open + TREE_VALUE;
  FL_ASSERT(tree_type(note) == TREE_ARRAY || (tree_type(note) == TREE_OBJECT && n % 2 == 0));
  k->open = tree_length(note);
  *(uint64_t *)(void *)tree_take(&k->tree, sizeof(uint64_t)) = n;
  tree_set_head(note, tree_type(note), tree_type(note) == TREE_OBJECT ? n / 2 : n);
  note->as.u = k->tree.used;
  tree_place(k, (struct tree_value *)(void *)tree_take(&k->tree, n * TREE_VALUE), note + 1, n);
  return tree_outside(k, k->open);
}

#define SCAN_CALLS
#define SCAN_NAME tree_scan
#define SCAN_SINK struct tree_reader
#define SCAN(event) tree_on_##event
#include "../../../json/grammar/scan_template.h"

FL_PRIVATE int tree_begin(struct tree_reader *k, tree_grow grow) {
  memset(&k->tree, 0, sizeof k->tree);
  memset(&k->waiting, 0, sizeof k->waiting);
  k->grow = grow;
  k->open = SIZE_MAX >> TREE_TYPE_BITS;
  if (!tree_need(&k->tree, TREE_VALUE, grow, k->scan.owner, TREE_BLOCK)) return 0;
  k->tree.used = TREE_VALUE;
  return 1;
}

FL_PRIVATE int tree_finish(struct tree_reader *k) {
  if (k->scan.error) return 0;
  FL_ASSERT(k->waiting.used == TREE_VALUE && k->open == SIZE_MAX >> TREE_TYPE_BITS);
  tree_place(k, (struct tree_value *)(void *)k->tree.begin, (const struct tree_value *)(void *)k->waiting.begin, 1);
  return 1;
}
