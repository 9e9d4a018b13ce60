/* SPDX-License-Identifier: MIT
** pick.c -- finds values in a text of any grammar, byte by byte, and tests the text like decode.
** Must hold: as pick.h. */
#include "pick.h"

FL_PRIVATE_NOINLINE const char *json_pick_scan_(struct json_pick *k, struct json_scan *j, const char *p);

FL_INLINE enum scan_container json_pick_kind(const struct json_pick *k, uint32_t depth) {
  return depth == k->base ? SCAN_ROOT : json_container_at(k->objects, depth);
}

/* Returns the innermost container on the way. */
FL_INLINE struct json_pick_level *json_pick_level(const struct json_pick *k) {
  FL_ASSERT(k->on_path > k->base);
  return &k->levels[k->on_path - k->base - 1];
}

FL_INLINE void json_pick_add(struct json_pick *k, uint32_t goal) {
  FL_ASSERT(k->used < k->count);
  k->active[k->used++] = goal;
  k->pending++;
}

FL_INLINE int json_pick_is_item(const struct json_step *step, const struct json_pick_level *level) {
  if (!step->indexes) return 0;
  if (step->index >= 0) return step->index == level->items;
  return level->length >= 0 && step->index + level->length == level->items;
}

/* Finds the goals of the value that begins now; those of a member are known since its name was read. */
static void json_pick_match(struct json_pick *k) {
  if (k->on_path == k->base) {
    json_pick_add(k, 0);
  } else {
    struct json_pick_level *level = json_pick_level(k);
    if (json_pick_kind(k, k->on_path) == SCAN_ARRAY) {
      const uint32_t used = k->used;
      for (uint32_t i = level->first; i < used; i++) {
        const struct json_goal *g = &k->goals[k->active[i]];
        for (uint32_t c = g->first; c < g->first + g->count; c++)
          if (json_pick_is_item(&k->goals[c].step, level)) json_pick_add(k, c);
      }
    }
    level->items++;
  }
  for (uint32_t i = k->used - k->pending; i < k->used; i++) {
    k->found[k->active[i]].begin = k->scan.at;
    k->found[k->active[i]].end = NULL;
  }
}

FL_NOINLINE int json_pick_scalar_(struct json_pick *k) {
  json_pick_match(k);
  k->ending = k->pending;
  k->pending = 0;
  return 1;
}

FL_INLINE int json_pick_scalar(struct json_pick *k) {
  return FL_LIKELY(k->scan.depth != k->on_path) ? 1 : json_pick_scalar_(k);
}

FL_INLINE int json_pick_null(struct json_pick *k) { return json_pick_scalar(k); }

FL_INLINE int json_pick_boolean(struct json_pick *k, int b) { return (void)b, json_pick_scalar(k); }

FL_INLINE int json_pick_number(struct json_pick *k, const char *text, size_t n, const struct num_value *v) {
  (void)n;
  if (v->kind == NUM_HUGE && !(k->flags & JSON_PICK_ANY_SIZE))
    return json_scan_error(&k->scan, JSON_CHECK_HUGE, text) != NULL;
  return json_pick_scalar(k);
}

FL_INLINE int json_pick_string(struct json_pick *k, const char *s, size_t n) {
  return (void)s, (void)n, json_pick_scalar(k);
}

FL_NOINLINE int json_pick_name_(struct json_pick *k, struct json_string name, const char *p, int plain) {
  const uint32_t used = k->used;
  if (plain && memchr(name.s, '\\', name.n) && !json_read_string(&k->scan, p + 1, &name)) return 0;
  for (uint32_t i = json_pick_level(k)->first; i < used; i++) {
    const struct json_goal *g = &k->goals[k->active[i]];
    uint32_t c = json_first_child(k->goals, g, name.s, name.n);
    for (; c < g->first + g->count; c = json_next_child(k->goals, g, c, name.s, name.n)) {
      if (!k->found[c].begin || !(k->flags & JSON_PICK_FIRST)) json_pick_add(k, c);
    }
  }
  return 1;
}

FL_INLINE int json_pick_name(struct json_pick *k, struct json_string name, const char *p, int plain) {
  return FL_LIKELY(k->scan.depth != k->on_path) ? 1 : json_pick_name_(k, name, p, plain);
}

/* Returns whether a goal in the innermost container counts from its end. */
static int json_pick_counts(const struct json_pick *k) {
  for (uint32_t i = json_pick_level(k)->first; i < k->used; i++) {
    const struct json_goal *g = &k->goals[k->active[i]];
    for (uint32_t c = g->first; c < g->first + g->count; c++)
      if (k->goals[c].step.indexes && k->goals[c].step.index < 0) return 1;
  }
  return 0;
}

/* Returns the number of items of the array that has just begun, or -1 if its text is invalid. A second reader reads it
** with one goal without children, so this does not recurse again. */
static int64_t json_pick_length(struct json_pick *k) {
  struct json_pick_level level;
  struct json_slice found;
  uint32_t active;
  struct json_goal whole = {0};
  struct json_pick c = *k;
  c.scan.depth--;
  c.base = c.on_path = c.scan.depth;
  c.goals = &whole, c.count = 1;
  c.flags = JSON_PICK_ANY_SIZE;
  c.found = &found;
  c.levels = &level;
  c.active = &active, c.used = c.pending = c.ending = 0;
  level.items = 0;
  const char *p = json_pick_scan_(&c, &c.scan, k->scan.at);
  k->scan.scratch = c.scan.scratch;
  k->scan.room = c.scan.room;
  return p ? level.items : -1;
}

FL_NOINLINE void json_pick_open_(struct json_pick *k, enum scan_container kind) {
  json_pick_match(k);
  if (k->pending == 0) return;
  k->on_path++;
  struct json_pick_level *level = json_pick_level(k);
  level->items = 0;
  level->length = -1;
  level->first = k->used - k->pending;
  k->pending = 0;
  if (kind == SCAN_ARRAY && json_pick_counts(k)) level->length = json_pick_length(k);
}

FL_INLINE void json_pick_open(struct json_pick *k, enum scan_container kind) {
  const uint32_t depth = k->scan.depth - 1;
  FL_ASSERT(k->on_path <= k->scan.depth && k->scan.depth <= k->scan.max_depth);
  fl_set_bit(k->objects, depth, kind == SCAN_OBJECT);
  if (FL_UNLIKELY(depth == k->on_path)) json_pick_open_(k, kind);
}

FL_INLINE enum scan_container json_pick_close(struct json_pick *k, enum scan_container kind) {
  (void)kind;
  if (k->on_path > k->scan.depth) {
    k->ending = k->used - json_pick_level(k)->first;
    k->on_path = k->scan.depth;
  }
  return json_pick_kind(k, k->scan.depth);
}

/* Returns whether the value before p, in a container, is complete whatever follows. 0 with an error in the scan: it is
** invalid. */
static int json_pick_is_complete(struct json_pick *k, const char *p) {
  const char *q;
  if (json_value_is_closed(p)) return 1;
  if (!(q = json_skip_space(&k->scan, p))) return 0;
  return q != p || *p == ',' || *p == (json_pick_kind(k, k->scan.depth) == SCAN_ARRAY ? ']' : '}');
}

FL_NOINLINE int json_pick_end_(struct json_pick *k, const char *p) {
  for (; k->ending > 0; k->ending--) {
    const uint32_t goal = k->active[--k->used];
    k->found[goal].end = p;
    k->missing -= k->goals[goal].wanted != 0;
  }
  if (!(k->flags & JSON_PICK_STOP) || k->missing > 0 || k->scan.depth == k->base) return 1;
  if (json_pick_is_complete(k, p)) k->stopped = p;
  return !k->stopped && !k->scan.error;
}

FL_INLINE int json_pick_reached(struct json_pick *k, const char *p) {
  return FL_LIKELY(k->ending == 0) ? 1 : json_pick_end_(k, p);
}

FL_INLINE enum scan_container json_pick_resume(const struct json_pick *k) { return (void)k, SCAN_ROOT; }

FL_INLINE const char *json_pick_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  int strict;
  return json_span_string(j, p, out, &strict);
}

#define SCAN_NAME json_pick_scan_
#define SCAN_SINK struct json_pick
#define SCAN_STRING json_pick_scan_string
#define SCAN_CALLS
#define SCAN_RESUMES 1
#define SCAN(event) json_pick_##event
#include "../grammar/scan_template.h"

FL_PRIVATE size_t json_pick_bytes(uint32_t count, uint32_t depth) {
  return count * (sizeof(struct json_pick_level) + sizeof(uint32_t)) + depth / 8 + 1;
}

FL_PRIVATE const char *json_pick(struct json_pick *k, const char *p) {
  FL_ASSERT(!(k->flags & JSON_PICK_STOP) || k->flags & JSON_PICK_FIRST);
  k->levels = (struct json_pick_level *)k->memory;
  k->active = (uint32_t *)(void *)(k->levels + k->count);
  k->objects = (unsigned char *)(k->active + k->count);
  k->used = k->pending = k->ending = k->missing = 0;
  k->base = k->on_path = k->scan.depth = 0;
  k->stopped = NULL;
  k->scan.error = JSON_CHECK_OK;
  for (uint32_t i = 0; i < k->count; i++) {
    k->found[i].begin = k->found[i].end = NULL;
    k->missing += k->goals[i].wanted != 0;
  }
  p = json_pick_scan_(k, &k->scan, p);
  if (!p && !k->stopped) return NULL;
  if (!(k->flags & JSON_PICK_FIRST)) json_drop_replaced(k->goals, k->count, k->found);
  return p ? p : k->stopped;
}
