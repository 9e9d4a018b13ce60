/* SPDX-License-Identifier: MIT
** schema.c -- JSON Schema over texts: a schema compiled once, verdicts, failures.
** Must hold: a schema does not change, so threads may share it. All memory is in numbered blocks, as the engine
** requests it, which are freed when a call ends; what the program needs stays with the schema. */
#include "../schema/compile/state.h"
#include "../schema/run/report.h"
#include "../values/texts.h"
#include "text.h"

#define SCHEMA_TEXTS capi_checked
#define SCHEMA_REPORTS 1
#include "../schema/run/texts_template.h"

FL_INLINE uint64_t capi_checked_at(struct capi_checked_run_of *k, uint32_t node) {
  return k->values.places[node].begin;
}

static int capi_checked_test_custom(struct capi_checked_run_of *k, const struct schema_op *op, uint32_t node) {
  return (void)k, (void)op, (void)node, 1; /* there are no user's keywords */
}

struct capi_piece {
  void *at;
  size_t size; /* 0 if not allocated */
};

/* Blocks by their numbers. */
struct capi_pieces {
  fleece_allocator memory;
  struct capi_piece *pieces;
  size_t count, room; /* room: 0 if the list is not allocated */
};

static void capi_pieces_begin(struct capi_pieces *p, const fleece_allocator *memory, struct capi_piece *first,
                              size_t count) {
  p->memory = *memory;
  p->pieces = first;
  p->count = count;
  p->room = 0;
  if (count) memset(first, 0, count * sizeof *first);
}

static void capi_pieces_free(struct capi_pieces *p, size_t to) {
  for (size_t i = 0; i < to && i < p->count; i++) {
    if (p->pieces[i].size) capi_free(&p->memory, p->pieces[i].at, p->pieces[i].size);
    p->pieces[i].at = NULL;
    p->pieces[i].size = 0;
  }
}

static void capi_pieces_end(struct capi_pieces *p) {
  capi_pieces_free(p, p->count);
  if (p->room) capi_free(&p->memory, p->pieces, p->room * sizeof *p->pieces);
}

/* Makes the list longer than `number`. Returns 0 if out of memory. */
static int capi_pieces_need(struct capi_pieces *p, size_t number) {
  const size_t room = 2 * number + 64;
  struct capi_piece *pieces;
  if (number >= p->room) {
    pieces = (struct capi_piece *)p->memory.alloc(p->memory.ud, p->room ? p->pieces : NULL, p->room * sizeof *pieces,
                                                  room * sizeof *pieces);
    if (!pieces) return 0;
    p->pieces = pieces;
    p->room = room;
  }
  memset(p->pieces + p->count, 0, (number + 1 - p->count) * sizeof *p->pieces);
  p->count = number + 1;
  return 1;
}

/* The engine's value_memory. */
static void *capi_pieces_take(void *owner, unsigned block, size_t n, size_t used) {
  struct capi_pieces *p = (struct capi_pieces *)owner;
  if (block >= p->count && !capi_pieces_need(p, block)) return NULL;
  struct capi_piece *piece = &p->pieces[block];
  void *to = p->memory.alloc(p->memory.ud, piece->size ? piece->at : NULL, piece->size, n ? n : 1);
  if (!to) return NULL;
  if (!piece->size && used) memcpy(to, piece->at, used);
  piece->at = to;
  piece->size = n ? n : 1;
  return to;
}

/* Copies `before` and s[0..n), with a 0 after them, into the next block. NULL if out of memory. */
static char *capi_pieces_copy(struct capi_pieces *p, const char *before, const char *s, size_t n) {
  const size_t more = strlen(before);
  char *to = n < SIZE_MAX / 2 ? (char *)capi_pieces_take(p, (unsigned)p->count, more + n + 1, 0) : NULL;
  if (!to) return NULL;
  memcpy(to, before, more);
  if (n) memcpy(to + more, s, n);
  to[more + n] = 0;
  return to;
}

struct fleece_schema {
  fleece_allocator memory;
  size_t bytes; /* size of this block, including the program */
  fleece_options reading;
  uint64_t max_steps;
  uint32_t flags;
  unsigned cpu;
  struct schema_program *program;
  struct capi_pieces kept, texts; /* kept: blocks of the program; texts: copies of schemas */
};

enum {
  CAPI_SCHEMA_FLAGS = FLEECE_SCHEMA_FORMATS | FLEECE_SCHEMA_CONTENTS | FLEECE_SCHEMA_STRICT | FLEECE_SCHEMA_HIDE_VALUES,
  CAPI_SCHEMA_READING = FLEECE_TERMINATED | FLEECE_COMMENTS | FLEECE_TRAILING_COMMAS | FLEECE_BOM,
  CAPI_SCHEMA_STEPS = 100000000
};

struct capi_schema_maker {
  const fleece_schema_options *o;
  struct capi_pieces blocks, texts;
  int lacks_memory; /* for the copy of a schema that was found */
};

static void *capi_schema_memory(void *owner, unsigned block, size_t n, size_t used) {
  return capi_pieces_take(&((struct capi_schema_maker *)owner)->blocks, block, n, used);
}

/* schema_settings.find */
static int capi_schema_find(void *owner, const char *uri, size_t n, unsigned from, struct schema_text *text) {
  struct capi_schema_maker *m = (struct capi_schema_maker *)owner;
  fleece_text found = {NULL, 0};
  if (!(from & SCHEMA_FROM_LOADER) || !m->o->find(m->o->ud, uri, n, &found) || !found.at) return 0;
  text->s = capi_pieces_copy(&m->texts, "", found.at, found.size);
  text->n = found.size;
  if (!text->s) m->lacks_memory = 1;
  return text->s != NULL;
}

/* Reads the options. Returns 0 with *error set if one is invalid. */
static int capi_schema_read_options(const fleece_schema_options *from, fleece_schema_options *o,
                                    fleece_options *reading, fleece_error *error) {
  memset(o, 0, sizeof *o);
  memset(reading, 0, sizeof *reading);
  if (from) *o = *from;
  if (o->flags & ~(uint32_t)CAPI_SCHEMA_FLAGS || o->reading & ~(uint32_t)CAPI_SCHEMA_READING || o->reserved[0])
    return capi_bad_argument(error, "unknown option"), 0;
  if (o->draft < 0 || o->draft > FLEECE_DRAFT_OPENAPI_30) return capi_bad_argument(error, "unknown draft"), 0;
  reading->flags = o->reading;
  reading->max_depth = o->max_depth;
  if (!capi_options(reading, reading, error)) return 0;
  if (!o->max_steps) o->max_steps = CAPI_SCHEMA_STEPS;
  return 1;
}

static char *capi_need_scratch(fleece_bytes *scratch, size_t n) {
  const fleece_allocator memory = capi_memory(&scratch->allocator);
  if (n <= scratch->room) return scratch->data;
  char *data = (char *)memory.alloc(memory.ud, scratch->data, scratch->room, n);
  if (!data) return NULL;
  scratch->data = data;
  scratch->room = n;
  return data;
}

/* Writes at most n bytes of the message about an invalid schema. Returns its full length. */
static size_t capi_schema_words(const struct schema_compiler *c, const char *pointer, size_t length, char *to,
                                size_t n) {
  const struct schema_error *e = &c->error;
  const char *detail = strchr(e->message, '%');
  const struct schema_text parts[] = {{"at ", length ? 3 : 0},
                                      {pointer, length},
                                      {": ", length ? 2 : 0},
                                      {e->message, detail ? (size_t)(detail - e->message) : strlen(e->message)},
                                      {e->detail.s, !detail || !e->detail.s ? 0
                                                    : e->detail.n > 200     ? 200
                                                                            : e->detail.n},
                                      {detail ? detail + 2 : "", detail ? strlen(detail + 2) : 0}};
  size_t i, at = 0;
  for (i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].n && at + parts[i].n <= n) memcpy(to + at, parts[i].s, parts[i].n);
    at += parts[i].n;
  }
  return at;
}

/* Describes what is wrong with a schema. Returns 0 if out of memory. */
static int capi_schema_fill(const struct schema_compiler *c, fleece_failure *failure, fleece_bytes *scratch) {
  const struct schema_error *e = &c->error;
  const int is_placed = e->kind == SCHEMA_ERROR_SCHEMA && e->source < c->to.source_count;
  const struct value_texts *texts = is_placed ? &c->to.sources[e->source]->texts : NULL;
  const size_t length = texts ? schema_write_pointer(texts, 0, e->place, 0, NULL, 0) : 0;
  const size_t words = capi_schema_words(c, NULL, length, NULL, 0);
  char *w = capi_need_scratch(scratch, length + words + 2);
  if (!w) return 0;
  failure->keyword = e->keyword ? schema_keyword_row(e->keyword)->name : "";
  failure->instance = failure->absolute = "";
  failure->schema = w;
  failure->schema_size = length;
  if (length) (void)schema_write_pointer(texts, 0, e->place, 0, w, length);
  w[length] = 0;
  failure->message = w + length + 1;
  failure->message_size = words;
  (void)capi_schema_words(c, w, length, w + length + 1, words);
  w[length + 1 + words] = 0;
  scratch->size = length + words + 2;
  return 1;
}

/* Reports why the text gives no schema. */
static void capi_schema_refuse(const struct schema_compiler *c, const char *text, size_t n, fleece_failure *failure,
                               fleece_bytes *scratch, fleece_error *error) {
  const struct schema_error *e = &c->error;
  const char *message = strchr(e->message, '%') ? "not a JSON Schema" : e->message;
  const int status = e->kind == SCHEMA_ERROR_TEXT    ? FLEECE_ERROR_JSON
                     : e->kind == SCHEMA_ERROR_LIMIT ? FLEECE_ERROR_LIMIT
                                                     : FLEECE_ERROR_SCHEMA;
  struct json_where where = {0, 0, NULL, NULL};
  size_t at = FLEECE_NOWHERE;
  if (e->kind == SCHEMA_ERROR_MEMORY || (failure && !capi_schema_fill(c, failure, scratch))) {
    if (failure) memset(failure, 0, sizeof *failure);
    (void)capi_no_memory(error);
    return;
  }
  if (e->source == 0 && e->byte <= n) {
    at = e->byte;
    json_where(text, text + n, text + at, &where);
  }
  if (failure) failure->offset = at, failure->line = where.line, failure->column = where.column;
  if (!error) return;
  (void)capi_error(error, status, message, at);
  error->line = where.line;
  error->column = where.column;
}

/* Returns the schema in a separate block. NULL if out of memory. */
static fleece_schema *capi_schema_new(struct schema_compiler *c, const struct capi_schema_maker *m,
                                      const fleece_options *reading, unsigned cpu, fleece_error *error) {
  const size_t bytes = (sizeof(fleece_schema) + 15) / 16 * 16 + c->size;
  fleece_schema *s = (fleece_schema *)capi_new(&m->blocks.memory, bytes, error);
  if (!s) return NULL;
  s->memory = m->blocks.memory;
  s->bytes = bytes;
  s->reading = *reading;
  s->max_steps = m->o->max_steps;
  s->flags = m->o->flags;
  s->cpu = cpu;
  s->program = schema_finish(c, (char *)s + bytes - c->size);
  s->kept = m->blocks;
  s->texts = m->texts;
  capi_pieces_free(&s->kept, SCHEMA_BLOCK_KEPT);
  return s;
}

/* By their numbers in the header. */
static const uint8_t capi_drafts[] = {SCHEMA_DRAFT_2020,      SCHEMA_DRAFT_2019, SCHEMA_DRAFT_7,
                                      SCHEMA_DRAFT_6,         SCHEMA_DRAFT_4,    SCHEMA_DRAFT_OPENAPI_31,
                                      SCHEMA_DRAFT_OPENAPI_30};
FL_STATIC_ASSERT(sizeof capi_drafts == FLEECE_DRAFT_OPENAPI_30 + 1, each_draft_has_its_number);

/* Sets the settings of the compiler. Returns 0 if out of memory. */
static int capi_schema_settle(struct capi_schema_maker *m, struct schema_settings *to, uint32_t max_depth,
                              unsigned cpu) {
  const fleece_schema_options *o = m->o;
  memset(to, 0, sizeof *to);
  to->memory = capi_schema_memory;
  to->owner = m;
  to->utf8 = text_utf8_pick(cpu);
  to->find = o->find ? capi_schema_find : NULL;
  to->draft = (enum schema_draft)capi_drafts[o->draft];
  to->max_depth = max_depth;
  to->asserts_formats = (o->flags & FLEECE_SCHEMA_FORMATS) != 0;
  to->asserts_contents = (o->flags & FLEECE_SCHEMA_CONTENTS) != 0;
  to->is_strict = (o->flags & FLEECE_SCHEMA_STRICT) != 0;
  if (o->uri) {
    to->uri.n = strlen(o->uri);
    to->uri.s = capi_pieces_copy(&m->texts, "", o->uri, to->uri.n);
  }
  if (o->at) {
    to->at.s = capi_pieces_copy(&m->texts, *o->at == '/' ? "#" : "", o->at, strlen(o->at));
    to->at.n = to->at.s ? strlen(to->at.s) : 0;
  }
  return (!o->uri || to->uri.s) && (!o->at || to->at.s);
}

fleece_schema *fleece_schema_compile(const char *text, size_t n, const fleece_schema_options *options,
                                     fleece_failure *failure, fleece_bytes *scratch, fleece_error *error) {
  const unsigned cpu = text_cpu();
  struct capi_schema_maker m;
  struct schema_settings settings;
  struct schema_compiler c;
  fleece_schema_options o;
  fleece_options reading;
  fleece_schema *s = NULL;
  if (failure) memset(failure, 0, sizeof *failure);
  if (!capi_schema_read_options(options, &o, &reading, error)) return NULL;
  if (!text && n > 0) return capi_bad_argument(error, "there is no text"), NULL;
  if (failure && !scratch) return capi_bad_argument(error, "there is no scratch"), NULL;
  if (!text) text = "";
  fleece_allocator memory = capi_memory(o.allocator);
  m.o = &o;
  m.lacks_memory = 0;
  capi_pieces_begin(&m.blocks, &memory, NULL, 0);
  capi_pieces_begin(&m.texts, &memory, NULL, 0);
  const char *copy = capi_pieces_copy(&m.texts, "", text, n);
  if (!copy || !capi_schema_settle(&m, &settings, reading.max_depth, cpu)) (void)capi_no_memory(error);
  else if (!schema_compile(&c, &settings, copy, n)) {
    if (m.lacks_memory) (void)capi_no_memory(error);
    else capi_schema_refuse(&c, text, n, failure, scratch, error);
  } else if ((s = capi_schema_new(&c, &m, &reading, cpu, error)) != NULL) return (void)capi_ok(error), s;
  capi_pieces_end(&m.blocks);
  capi_pieces_end(&m.texts);
  return NULL;
}

void fleece_schema_free(fleece_schema *s) {
  if (!s) return;
  fleece_allocator memory = s->memory;
  capi_pieces_end(&s->kept);
  capi_pieces_end(&s->texts);
  capi_free(&memory, s, s->bytes);
}

enum { CAPI_SCHEMA_PLACES = 64, CAPI_SCHEMA_FRAMES = 8, CAPI_SCHEMA_ROOM = 2048 };

struct capi_schema_check {
  const fleece_schema *schema;
  struct capi_piece first[SCHEMA_BLOCKS];
  struct capi_pieces blocks;
  struct capi_text text;
  struct schema_report report;
  struct value_place places[CAPI_SCHEMA_PLACES]; /* enough for most requests */
  struct capi_checked_frame frames[CAPI_SCHEMA_FRAMES];
  struct capi_checked_run_of run;
};

/* Begins a run; the values may have been read already. */
static void capi_schema_begin(struct capi_schema_check *k) {
  struct value_walk *walk = &k->run.values.walk;
  memset(walk, 0, sizeof *walk);
  walk->memory = capi_pieces_take;
  walk->owner = &k->blocks;
  walk->left = k->schema->max_steps;
  walk->max_depth = k->schema->reading.max_depth;
  walk->is_strict = 1;
  schema_begin_run(&k->run.is, k->schema->program, walk);
  if (!k->blocks.pieces[SCHEMA_BLOCK_FRAMES].size) {
    k->blocks.pieces[SCHEMA_BLOCK_FRAMES].at = k->run.is.frames = k->frames;
    k->run.is.room = CAPI_SCHEMA_FRAMES;
  }
}

/* Indexes the values of the text. Returns the status. */
static int capi_schema_read(struct capi_schema_check *k, fleece_error *error) {
  struct json_scan *j = &k->text.scan;
  memset(&k->run.values, 0, sizeof k->run.values);
  capi_schema_begin(k);
  k->blocks.pieces[VALUE_BLOCK_PLACES].at = k->run.values.places = k->places;
  k->run.values.room = CAPI_SCHEMA_PLACES;
  if (!capi_text_terminate(&k->text)) return capi_no_memory(error);
  capi_text_set_scan(&k->text);
  const char *p = capi_text_first(&k->text);
  if (p && (p = value_texts_scan(&k->run.values, j, p, 1)) != NULL) p = json_read_space(j, p);
  if (p && p != k->text.end) p = json_scan_error(j, JSON_CHECK_AFTER, p);
  if (p) return FLEECE_OK;
  if (k->run.values.walk.error == VALUE_ERROR_MEMORY) return capi_no_memory(error);
  if (j->error) return capi_text_fail(&k->text, error);
  return capi_set_kind(error, capi_error(error, FLEECE_ERROR_LIMIT, "the text is too long", FLEECE_NOWHERE),
                       FL_KIND_LENGTH);
}

static int capi_schema_fail(const struct capi_schema_check *k, fleece_error *error) {
  const enum value_error what = k->run.values.walk.error;
  const char *message;
  switch (what) {
  case VALUE_ERROR_STEPS: message = "the schema needs more than max_steps steps"; break;
  case VALUE_ERROR_DEPTH: message = "the value is nested too deep"; break;
  case VALUE_ERROR_REGEX: message = "a regular expression is too large"; break;
  case VALUE_ERROR_REDO:
    return capi_set_kind(error, capi_error(error, FLEECE_ERROR_VALUE, "an object has a name twice", FLEECE_NOWHERE),
                         FL_KIND_DUPLICATE);
  default: return capi_no_memory(error);
  }
  return capi_set_kind(error, capi_error(error, FLEECE_ERROR_LIMIT, message, FLEECE_NOWHERE), value_kind(what));
}

static size_t capi_failure_bytes(const struct schema_program *p, const struct schema_failure *x) {
  const struct schema_unit *u = &p->units[x->unit];
  return x->message_length + x->path_length + 4 +
         schema_write_pointer(&p->sources[u->source]->texts, 0, x->place, 0, NULL, 0) +
         schema_write_location(p, u, x->place, NULL, 0);
}

static char *capi_put_string(char *w, const char *s, size_t n, const char **to, size_t *size) {
  if (n) memcpy(w, s, n);
  w[n] = 0;
  *to = w;
  *size = n;
  return w + n + 1;
}

/* A list of failures that is being written: strings at w; causes after the lists that are complete. */
struct capi_failures {
  const struct capi_schema_check *check;
  char *w;
  fleece_failure *end;
  struct schema_line line;
};

/* Begins a list of those failures of a report in [begin, end) that are no causes of each other. For now each has its
** number in the report in place of the number of its causes. Returns how many there are. */
static size_t capi_begin_failures(const struct schema_report *r, size_t begin, size_t end, fleece_failure *list) {
  size_t i, count = 0, at;
  for (i = end; i > begin; i -= 1 + r->failures[i - 1].causes) count++;
  for (i = end, at = count; list && i > begin; i -= 1 + r->failures[i - 1].causes) list[--at].cause_count = i - 1;
  return count;
}

static void capi_fill_failure(struct capi_failures *f, fleece_failure *to) {
  const struct capi_schema_check *k = f->check;
  const struct schema_program *p = k->schema->program;
  const size_t number = to->cause_count;
  const struct schema_failure *x = &k->report.failures[number];
  const struct schema_unit *u = &p->units[x->unit];
  const struct value_texts *texts = &p->sources[u->source]->texts;
  char *w = f->w;
  memset(to, 0, sizeof *to);
  to->keyword = x->keyword == SCHEMA_KEYWORD_FALSE ? "false"
                                                   : schema_keyword_row((enum schema_keyword)x->keyword)->name;
  w = capi_put_string(w, k->report.text + x->message, x->message_length, &to->message, &to->message_size);
  w = capi_put_string(w, k->report.text + x->path, x->path_length, &to->instance, &to->instance_size);
  to->schema = w;
  to->schema_size = schema_write_pointer(texts, 0, x->place, 0, NULL, 0);
  (void)schema_write_pointer(texts, 0, x->place, 0, w, to->schema_size);
  w += to->schema_size;
  *w++ = 0;
  to->absolute = w;
  to->absolute_size = schema_write_location(p, u, x->place, NULL, 0);
  (void)schema_write_location(p, u, x->place, w, to->absolute_size);
  w += to->absolute_size;
  *w++ = 0;
  f->w = w;
  to->cause_count = capi_begin_failures(&k->report, number - x->causes, number, f->end);
  if (to->cause_count) to->causes = f->end;
  f->end += to->cause_count;
  to->offset = FLEECE_NOWHERE;
  if (x->at == UINT64_MAX) return;
  to->offset = (size_t)x->at;
  schema_move_line(&f->line, k->text.given, (size_t)(k->text.end - k->text.begin), to->offset);
  to->line = f->line.line + 1;
  to->column = f->line.column + 1;
}

/* Writes the failures that are no causes to the caller's list, in order, and causes to the scratch. Returns 0 if out of
** memory. */
static int capi_list_failures(const struct capi_schema_check *k, fleece_failure *list, size_t *count,
                              fleece_bytes *scratch) {
  const struct schema_report *r = &k->report;
  const size_t roots = capi_begin_failures(r, 0, r->count, list), causes = (r->count - roots) * sizeof *list;
  enum { ALIGNED = sizeof(void *) };
  size_t i, bytes = causes + ALIGNED;
  struct capi_failures f;
  fleece_failure *first;
  FL_ASSERT(roots <= *count);
  for (i = 0; i < r->count; i++) bytes += capi_failure_bytes(k->schema->program, &r->failures[i]);
  if (!capi_need_scratch(scratch, bytes)) return 0;
  scratch->size = bytes;
  *count = roots;
  first = (fleece_failure *)(void *)(scratch->data + (-(uintptr_t)scratch->data & (ALIGNED - 1)));
  memset(&f, 0, sizeof f);
  f.check = k;
  f.end = first;
  f.w = (char *)first + causes;
  for (i = 0; i < roots; i++) capi_fill_failure(&f, &list[i]);
  while (first < f.end) capi_fill_failure(&f, first++); /* each appends its own causes */
  FL_ASSERT(f.w <= scratch->data + bytes);
  return 1;
}

/* Runs the schema once more, to find the failures. Returns the status. */
static int capi_schema_explain(struct capi_schema_check *k, size_t wanted, fleece_error *error) {
  memset(&k->report, 0, sizeof k->report);
  k->report.wanted = wanted;
  k->report.hides_values = (k->schema->flags & FLEECE_SCHEMA_HIDE_VALUES) != 0;
  capi_schema_begin(k);
  k->run.is.report = &k->report;
  (void)capi_checked_evaluate(&k->run, 0);
  return k->run.values.walk.error ? capi_schema_fail(k, error) : FLEECE_ERROR_INVALID;
}

int fleece_schema_check(const fleece_schema *s, const char *text, size_t n, fleece_failure *failures, size_t *count,
                        fleece_bytes *scratch, fleece_error *error) {
  int64_t first[CAPI_SCHEMA_ROOM / sizeof(int64_t)];
  const size_t wanted = failures && count ? *count : 0;
  struct capi_schema_check k;
  struct capi_room room;
  if (count) *count = 0;
  if (!s) return capi_bad_argument(error, "there is no schema");
  if (wanted && !scratch) return capi_bad_argument(error, "there is no scratch");
  k.schema = s;
  capi_pieces_begin(&k.blocks, &s->memory, k.first, SCHEMA_BLOCKS);
  capi_room_begin(&room, first, sizeof first, scratch, &s->memory);
  if (!capi_text_begin(&k.text, text, n, &s->reading, s->cpu, &room, error)) return FLEECE_ERROR_ARGUMENT;
  int status = capi_schema_read(&k, error);
  if (status == FLEECE_OK && !capi_checked_evaluate(&k.run, 0))
    status = k.run.values.walk.error ? capi_schema_fail(&k, error) : FLEECE_ERROR_INVALID;
  if (status == FLEECE_ERROR_INVALID && wanted) status = capi_schema_explain(&k, wanted, error);
  capi_room_end(&room);
  if (status == FLEECE_ERROR_INVALID && wanted) {
    *count = wanted;
    if (!capi_list_failures(&k, failures, count, scratch)) *count = 0, status = capi_no_memory(error);
  }
  if (status == FLEECE_OK) (void)capi_ok(error);
  if (status == FLEECE_ERROR_INVALID) {
    (void)capi_error(error, status, "not valid", count && *count ? failures[0].offset : FLEECE_NOWHERE);
    if (error && count && *count) error->line = failures[0].line, error->column = failures[0].column;
  }
  capi_pieces_end(&k.blocks);
  return status;
}
