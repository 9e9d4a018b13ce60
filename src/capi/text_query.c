/* SPDX-License-Identifier: MIT
** text_query.c -- JSONPath queries of texts: compiled once; what they find is passed to the caller one by one.
** Must hold: a query does not change, so threads may share it. All memory of a call is in its room. */
#include "../query/program.h"
#include "../values/outline.h"
#include "text.h"

#define VALUE(name) value_outline_##name
#define QUERY(name) capi_queried_##name
#define QUERY_IN_ORDER
#include "../query/evaluate_template.h"

enum {
  CAPI_QUERY_ROOM = 4096, /* bytes on the C stack for a call */
  CAPI_QUERY_STEPS = 50000000,
  CAPI_QUERY_FLAGS = FLEECE_TERMINATED | FLEECE_COMMENTS | FLEECE_TRAILING_COMMAS | FLEECE_BOM | FLEECE_PATHS
};

struct fleece_query {
  fleece_options o;
  fleece_allocator memory;
  size_t bytes; /* size of this block, including the program */
  unsigned cpu;
  struct query_program *program;
};

static int capi_query_wrong(const struct query_compiler *c, fleece_error *error) {
  const size_t at = c->at ? (size_t)(c->at - c->begin) : FLEECE_NOWHERE;
  return capi_error(error, FLEECE_ERROR_PATH, c->error, at);
}

/* Compiles with the memory of the room. NULL after an error. */
static fleece_query *capi_query_new(struct capi_room *room, const char *s, size_t n, const fleece_options *o,
                                    fleece_error *error) {
  const fleece_allocator memory = capi_memory(o->allocator);
  const size_t most = n < QUERY_LONGEST ? n : 0;
  struct query_compiler c;
  char *copy = (char *)capi_room_take(room, n + 1);
  void *arrays = copy ? capi_room_take(room, query_compiler_memory(most)) : NULL;
  size_t size, head = (sizeof(fleece_query) + 15) / 16 * 16;
  if (!arrays) return capi_no_memory(error), NULL;
  memcpy(copy, s, n);
  copy[n] = 0;
  if (!query_compile(&c, arrays, copy, n) || !(size = query_measure(&c))) return capi_query_wrong(&c, error), NULL;
  fleece_query *q = (fleece_query *)capi_new(&memory, head + size, error);
  if (!q) return NULL;
  q->o = *o;
  q->o.allocator = NULL;
  q->memory = memory;
  q->bytes = head + size;
  q->cpu = text_cpu();
  q->program = query_finish(&c, (char *)q + head);
  return q;
}

fleece_query *fleece_query_new(const char *query, size_t n, const fleece_options *options, fleece_error *error) {
  int64_t first[CAPI_QUERY_ROOM / sizeof(int64_t)];
  struct capi_room room;
  fleece_options o;
  if (!capi_options(options, &o, error)) return NULL;
  if (o.flags & ~(uint32_t)CAPI_QUERY_FLAGS)
    return capi_bad_argument(error, "an option that queries do not have"), NULL;
  if (!query && n > 0) return capi_bad_argument(error, "there is no query"), NULL;
  if (!o.max_values) o.max_values = CAPI_QUERY_STEPS;
  capi_room_begin(&room, first, sizeof first, NULL, o.allocator);
  fleece_query *q = capi_query_new(&room, query ? query : "", n, &o, error);
  if (q) capi_ok(error);
  capi_room_end(&room);
  return q;
}

void fleece_query_free(fleece_query *q) {
  if (!q) return;
  const fleece_allocator memory = q->memory;
  capi_free(&memory, q, q->bytes);
}

struct capi_query_call {
  const fleece_query *query;
  struct capi_room room;
  struct capi_text text;
  struct json_pick pick; /* finds the ends of values in texts with comments; memory: NULL if the text has none */
  fleece_query_found found;
  void *ud;
  int was_stopped;
  void *blocks[QUERY_BLOCKS];
  int64_t first[CAPI_QUERY_ROOM / sizeof(int64_t)];
};

/* The run's value_memory. What a block leaves behind is not used again: together no more than its last size. */
static void *capi_query_memory(void *owner, unsigned block, size_t n, size_t used) {
  struct capi_query_call *c = (struct capi_query_call *)owner;
  void *to = capi_room_take(&c->room, n);
  if (!to) return NULL;
  if (used) memcpy(to, c->blocks[block], used);
  return c->blocks[block] = to;
}

static const struct json_goal capi_whole_value; /* a goal without steps */

/* Returns the end of the value at p, or NULL if out of memory. */
static const char *capi_query_end(struct capi_query_call *c, const char *p) {
  struct json_slice found;
  if (!c->pick.memory) return json_after_value(p, c->text.end, c->query->cpu, NULL);
  c->pick.scan = c->text.scan;
  c->pick.found = &found;
  return json_pick(&c->pick, p);
}

static int capi_queried_emit(struct capi_queried_run_of *k, uint32_t node) {
  struct capi_query_call *c = (struct capi_query_call *)k->results;
  const char *p = value_outline_text(&k->values, node), *end = capi_query_end(c, p);
  fleece_text value;
  if (!end) return value_fail(&k->values.walk, VALUE_ERROR_MEMORY);
  value.at = c->text.given + (p - c->text.begin);
  value.size = (size_t)(end - p);
  if (!value_spend(&k->values.walk, value.size / VALUE_BYTES_PER_STEP)) return 0;
  if (c->found(c->ud, value, k->is.wants_paths ? k->is.text : NULL, k->is.wants_paths ? k->is.text_length : 0))
    return 1;
  c->was_stopped = 1;
  return value_fail(&k->values.walk, VALUE_ERROR_REDO);
}

static int capi_query_fail(const struct value_walk *walk, fleece_error *error) {
  const char *message;
  switch (walk->error) {
  case VALUE_ERROR_STEPS: message = "the query needs more than max_values steps"; break;
  case VALUE_ERROR_DEPTH: message = "nested too deep"; break;
  case VALUE_ERROR_REGEX: message = "a regular expression of the text is too large"; break;
  case VALUE_ERROR_REDO:
    return capi_set_kind(error, capi_error(error, FLEECE_ERROR_VALUE, "an object has a name twice", FLEECE_NOWHERE),
                         FL_KIND_DUPLICATE);
  default: return capi_no_memory(error);
  }
  return capi_set_kind(error, capi_error(error, FLEECE_ERROR_LIMIT, message, FLEECE_NOWHERE), value_kind(walk->error));
}

/* Tests and indexes the text. Returns the status. */
static int capi_query_read(struct capi_query_call *c, struct value_outline *values, fleece_error *error) {
  struct capi_text *t = &c->text;
  struct json_scan *j = &t->scan;
  const fleece_query *q = c->query;
  if (!capi_text_terminate(t)) return capi_no_memory(error);
  capi_text_set_scan(t);
  const char *p = capi_text_first(t);
  if (p) p = value_outline_scan(values, j, p, 1, q->cpu);
  if (p) p = json_read_space(j, p);
  if (p && p != t->end) p = json_scan_error(j, JSON_CHECK_AFTER, p);
  if (!p && values->walk.error == VALUE_ERROR_MEMORY) return capi_no_memory(error);
  if (!p && j->error) return capi_text_fail(t, error);
  if (!p) return capi_error(error, FLEECE_ERROR_LIMIT, "the text is too long", FLEECE_NOWHERE);
  capi_text_set_scan(t);
  if (!(j->grammar & ~(unsigned)JSON_BOM)) return FLEECE_OK;
  const size_t n = (size_t)(t->end - t->begin);
  c->pick.memory = capi_room_take(t->room, json_pick_bytes(1, n < t->max_depth ? (uint32_t)n : t->max_depth));
  c->pick.goals = &capi_whole_value;
  c->pick.count = 1;
  c->pick.flags = JSON_PICK_ANY_SIZE;
  return c->pick.memory ? FLEECE_OK : capi_no_memory(error);
}

int fleece_text_query(const fleece_query *q, const char *text, size_t n, fleece_query_found found, void *ud,
                      fleece_bytes *scratch, fleece_error *error) {
  struct capi_query_call c;
  struct capi_queried_run_of k;
  struct value_walk *walk = &k.values.walk;
  if (!found || !q) return capi_bad_argument(error, q ? "there is no function" : "there is no query");
  memset(&c.pick, 0, sizeof c.pick);
  c.query = q;
  c.found = found;
  c.ud = ud;
  c.was_stopped = 0;
  capi_room_begin(&c.room, c.first, sizeof c.first, scratch, &q->memory);
  if (!capi_text_begin(&c.text, text, n, &q->o, q->cpu, &c.room, error)) return FLEECE_ERROR_ARGUMENT;
  memset(&k, 0, sizeof k);
  walk->memory = capi_query_memory;
  walk->owner = &c;
  walk->names = q->program->bytes;
  walk->left = q->o.max_values;
  walk->max_depth = q->o.max_depth;
  k.is.program = q->program;
  k.is.walk = walk;
  k.is.wants_paths = (q->o.flags & FLEECE_PATHS) != 0;
  k.results = &c;
  int status = capi_query_read(&c, &k.values, error);
  if (status == FLEECE_OK && !capi_queried_evaluate(&k) && !c.was_stopped) status = capi_query_fail(walk, error);
  if (status == FLEECE_OK) capi_ok(error);
  capi_room_end(&c.room);
  return status;
}
