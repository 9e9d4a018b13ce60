/* SPDX-License-Identifier: MIT
** text_pick.c -- paths compiled once, and their values in texts.
** Must hold: a picker does not change, so threads may share it. */
#include "../json/index/quoted.h"
#include "../json/index/steps.h"
#include "text.h"

enum {
  CAPI_PICK_ROOM = 4096,   /* bytes on the C stack for a call: for 32 goals, 1024 levels, and compiling short paths */
  CAPI_PICK_MOST = 1 << 30 /* limit for paths and steps */
};

struct fleece_picker {
  fleece_options o;
  fleece_allocator memory;
  size_t bytes; /* size of this block */
  unsigned cpu;
  int fast; /* untested texts may be read by vectors */
  size_t paths;
  uint32_t count; /* of goals */
  struct json_goal *goals;
  uint32_t *places; /* the goal of each path; its depth: */
  uint32_t *depths;
};

/* The state of compiling paths. */
struct capi_compiler {
  struct capi_room room;
  struct capi_path path;
  struct json_goal_path *paths;
  struct json_goal *goals;
  size_t steps;
  uint32_t count;
};

static int capi_keep_path(struct capi_compiler *c, struct json_goal_path *to) {
  const struct capi_path *p = &c->path;
  size_t i, bytes = 0;
  for (i = 0; i < p->count; i++) bytes += p->steps[i].n;
  struct json_step *steps = (struct json_step *)capi_room_take(&c->room, p->count * sizeof *steps + bytes);
  if (!steps) return 0;
  char *w = (char *)(steps + p->count);
  for (i = 0; i < p->count; i++) {
    steps[i] = p->steps[i];
    w = json_move_name(&steps[i], w);
  }
  to->steps = steps;
  to->count = p->count;
  c->steps += p->count;
  return 1;
}

/* Reads the paths and makes goals of them. Returns the status. */
static int capi_compile(struct capi_compiler *c, const char *const *paths, const size_t *lengths, size_t count,
                        fleece_error *error) {
  int status = FLEECE_OK;
  c->steps = 0;
  capi_path_begin(&c->path, &c->room);
  c->path.most_wildcards = SIZE_MAX; /* to be refused: a path has one value here */
  if (count > CAPI_PICK_MOST) return capi_no_memory(error);
  c->paths = (struct json_goal_path *)capi_room_take(&c->room, count * sizeof *c->paths);
  if (!c->paths) return capi_no_memory(error);
  for (size_t i = 0; i < count; i++) {
    const size_t n = lengths ? lengths[i] : paths[i] ? strlen(paths[i]) : 0;
    if (!paths[i] && !lengths) status = capi_bad_argument(error, "there is no path");
    else status = capi_read_path(&c->path, paths[i], n, 0, error);
    if (status == FLEECE_OK && c->path.wildcards)
      status = capi_error(error, FLEECE_ERROR_PATH, "it has a wildcard: fleece_text_query finds its values",
                          FLEECE_NOWHERE);
    if (status == FLEECE_OK && !capi_keep_path(c, &c->paths[i])) status = capi_no_memory(error);
    if (status != FLEECE_OK) {
      if (error) error->index = i;
      return status;
    }
  }
  if (c->steps > CAPI_PICK_MOST) return capi_no_memory(error);
  c->goals = (struct json_goal *)capi_room_take(&c->room, (c->steps + 1) * sizeof *c->goals);
  if (!c->goals) return capi_no_memory(error);
  c->count = json_build_goals(c->goals, c->paths, (uint32_t)count);
  return FLEECE_OK;
}

/* Returns the picker in a separate block. NULL if out of memory. */
static fleece_picker *capi_new_picker(const struct capi_compiler *c, size_t count, const fleece_options *o,
                                      fleece_error *error) {
  const fleece_allocator memory = capi_memory(o->allocator);
  const size_t slots = c->count > JSON_GOAL_FEW ? JSON_GOAL_SLOTS * (size_t)c->count : 0;
  size_t bytes = sizeof(fleece_picker) + c->count * sizeof *c->goals + (count * 2 + slots) * sizeof(uint32_t), i;
  for (i = 0; i < c->count; i++) bytes += c->goals[i].step.n;
  fleece_picker *p = (fleece_picker *)capi_new(&memory, bytes, error);
  if (!p) return NULL;
  p->o = *o;
  p->o.allocator = NULL;
  p->memory = memory;
  p->bytes = bytes;
  p->cpu = text_cpu();
  p->paths = count;
  p->count = c->count;
  p->goals = (struct json_goal *)(p + 1);
  p->places = (uint32_t *)(void *)(p->goals + p->count);
  p->depths = p->places + count;
  char *w = (char *)(p->depths + count + slots);
  p->fast = !(capi_grammar(o->flags) & ~(unsigned)JSON_BOM) && !(o->flags & FLEECE_REPLACE_UTF8);
  for (i = 0; i < c->count; i++) {
    p->goals[i] = c->goals[i];
    w = json_move_name(&p->goals[i].step, w);
  }
  if (slots) json_hash_goals(p->goals, c->count, p->depths + count);
  for (i = 0; i < count; i++) {
    p->places[i] = c->paths[i].goal;
    p->depths[i] = (uint32_t)c->paths[i].count;
    p->fast &= p->depths[i] <= o->max_depth;
  }
  return p;
}

fleece_picker *fleece_text_picker_new(const char *const *paths, const size_t *lengths, size_t count,
                                      const fleece_options *options, fleece_error *error) {
  int64_t first[CAPI_PICK_ROOM / sizeof(int64_t)];
  struct capi_compiler c;
  fleece_options o;
  fleece_picker *p = NULL;
  if (!capi_options(options, &o, error)) return NULL;
  if (!paths || !count) return capi_bad_argument(error, "there are no paths"), NULL;
  capi_room_begin(&c.room, first, sizeof first, NULL, o.allocator);
  if (capi_compile(&c, paths, lengths, count, error) == FLEECE_OK) p = capi_new_picker(&c, count, &o, error);
  if (p) capi_ok(error);
  capi_room_end(&c.room);
  return p;
}

void fleece_text_picker_free(fleece_picker *p) {
  if (!p) return;
  fleece_allocator memory = p->memory;
  capi_free(&memory, p, p->bytes);
}

/* Returns whether a value of an untested text is valid, as far as the fast readers know. */
static int capi_pick_is_valid(const fleece_picker *p, const struct json_slice *s, uint32_t depth, const char *end,
                              unsigned char *containers) {
  const int is = json_is_value(s, end, p->o.max_depth - depth, containers, p->cpu, text_utf8_pick(p->cpu));
  struct num_value v;
  uint64_t u;
  if (is >= 0) return is;
  if (json_span_number(s->begin, end, &v) != s->end || v.kind == NUM_BAD) return 0;
  return capi_read_number(s->begin, (size_t)(s->end - s->begin), &v, &u) && v.kind != NUM_HUGE;
}

/* Finds the goals by vectors. Returns 0 if this reader cannot read the text, -1 if out of memory. */
static int capi_pick_locate(const fleece_picker *p, const struct capi_text *t, struct json_slice *found) {
  const int partial = (p->o.flags & FLEECE_PARTIAL) != 0;
  struct json_reading how;
  const unsigned flags = (partial ? 0u : (unsigned)JSON_LOCATE_TEST) |
                         (partial || p->o.flags & FLEECE_FIRST ? (unsigned)JSON_LOCATE_FIRST : 0u);
  const char *s = capi_text_start(t);
  uint32_t max_depth;
  if (partial && !p->fast) return 0;
  struct json_goal_state *states = (struct json_goal_state *)capi_room_take(t->room, p->count * sizeof *states);
  unsigned char *containers = capi_text_containers(t, &max_depth);
  if (!states || !containers) return -1;
  how.flags = flags;
  how.cpu = p->cpu;
  how.max_depth = max_depth;
  how.containers = containers;
  how.release = NULL;
  if (!json_locate(p->goals, p->count, states, found, s, (size_t)(t->end - s), &how)) return 0;
  for (size_t i = 0; partial && i < p->paths; i++) {
    const struct json_slice *f = &found[p->places[i]];
    if (!f->begin) continue;
    if (f->end <= f->begin || !capi_pick_is_valid(p, f, p->depths[i], found->end, containers)) return 0;
  }
  return 1;
}

static int capi_pick_read(const fleece_picker *p, struct capi_text *t, struct json_slice *found, fleece_error *error) {
  const int partial = (p->o.flags & FLEECE_PARTIAL) != 0;
  const unsigned flags = (partial || p->o.flags & FLEECE_FIRST ? (unsigned)JSON_PICK_FIRST : 0u) |
                         (partial ? (unsigned)JSON_PICK_STOP : 0u);
  if (!capi_text_terminate(t)) return capi_no_memory(error);
  if (!capi_text_read(t, p->goals, p->count, flags, found)) return capi_text_fail(t, error);
  return capi_ok(error);
}

int fleece_text_pick(const fleece_picker *p, const char *text, size_t n, fleece_text *found, fleece_bytes *scratch,
                     fleece_error *error) {
  int64_t first[CAPI_PICK_ROOM / sizeof(int64_t)];
  struct capi_room room;
  struct capi_text t;
  int located, status;
  if (!p || !found) return capi_bad_argument(error, p ? "there is no room for results" : "there is no picker");
  memset(found, 0, p->paths * sizeof *found);
  capi_room_begin(&room, first, sizeof first, scratch, &p->memory);
  if (!capi_text_begin(&t, text, n, &p->o, p->cpu, &room, error)) return FLEECE_ERROR_ARGUMENT;
  struct json_slice *slices = (struct json_slice *)capi_room_take(&room, p->count * sizeof *slices);
  located = slices ? capi_pick_locate(p, &t, slices) : -1;
  status = located > 0 ? capi_ok(error) : located < 0 ? capi_no_memory(error) : capi_pick_read(p, &t, slices, error);
  for (size_t i = 0; status == FLEECE_OK && i < p->paths; i++) {
    const struct json_slice *s = &slices[p->places[i]];
    if (!s->begin) continue;
    FL_ASSERT(s->begin >= t.begin && s->end > s->begin && s->end <= t.end);
    found[i].at = t.given + (s->begin - t.begin);
    found[i].size = (size_t)(s->end - s->begin);
  }
  capi_room_end(&room);
  return status;
}
