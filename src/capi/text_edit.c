/* SPDX-License-Identifier: MIT
** text_edit.c -- a text with some of its values changed.
** Must hold: as json/edit/edit.h. The caller's output holds names in the meantime. */
#include "../json/edit/edit.h"
#include "../json/edit/names.h"
#include "documents.h"
#include "text.h"

enum {
  CAPI_EDIT_ROOM = 8192, /* bytes on the C stack for a call, */
  CAPI_EDIT_FIRST = 4096 /* of which the edit itself gets these */
};

FL_STATIC_ASSERT((int)FLEECE_SET == (int)JSON_EDIT_SET && (int)FLEECE_INSERT == (int)JSON_EDIT_INSERT &&
                     (int)FLEECE_APPEND == (int)JSON_EDIT_APPEND && (int)FLEECE_REMOVE == (int)JSON_EDIT_REMOVE &&
                     (int)FLEECE_DISCARD == (int)JSON_EDIT_DISCARD,
                 operations_have_the_same_numbers);

struct capi_text_edit {
  struct capi_room room;
  struct capi_text text;
  struct capi_path path;
  struct json_edit e;
  struct json_style style;
  struct json_out out; /* for names, then for the result */
  fleece_error *error;
};

static void *capi_edit_alloc(void *owner, size_t n) { return capi_room_take((struct capi_room *)owner, n); }

static int capi_edit_begin(struct capi_text_edit *f) {
  struct capi_text *t = &f->text;
  struct json_edit *e = &f->e;
  char *first = (char *)capi_room_take(&f->room, CAPI_EDIT_FIRST);
  struct json_slice value;
  FL_ASSERT(first != NULL); /* it is on the stack */
  e->alloc = capi_edit_alloc;
  e->owner = &f->room;
  e->cpu = t->cpu;
  e->free = first;
  e->limit = first + CAPI_EDIT_FIRST;
  if (!(t->flags & FLEECE_PARTIAL)) {
    capi_text_set_scan(t);
    t->scan.grammar = 0; /* the text was tested to be strict JSON, so read it as that */
    const int status = capi_text_whole(t, JSON_PICK_ANY_SIZE, &value, f->error);
    if (status != FLEECE_OK) return status;
  } else {
    if (!capi_text_terminate(t)) return capi_no_memory(f->error);
    capi_text_set_scan(t);
    if (!(value.begin = capi_text_first(t))) return capi_text_fail(t, f->error);
    e->scan = t->scan;
    e->error = JSON_EDIT_OK;
    if (!(value.end = json_edit_find_end(e, value.begin))) return t->scan = e->scan, capi_text_fail(t, f->error);
  }
  e->scan = t->scan;
  json_edit_begin(e, value.begin, value.end);
  return FLEECE_OK;
}

static int capi_edit_value(struct capi_text_edit *f, const fleece_change *c, struct json_slice *to) {
  struct capi_text t;
  struct json_slice copy;
  fleece_options o = {0};
  o.flags = FLEECE_TERMINATED;
  o.max_depth = f->text.max_depth;
  if (!c->value) return capi_bad_argument(f->error, "there is no value");
  if (c->value_size > SIZE_MAX / 4) return capi_no_memory(f->error);
  if (!json_edit_keep(&f->e, c->value, c->value_size, &copy)) return capi_no_memory(f->error);
  if (!capi_text_begin(&t, copy.begin, c->value_size, &o, f->text.cpu, &f->room, f->error))
    return FLEECE_ERROR_ARGUMENT;
  const int status = capi_text_whole(&t, JSON_PICK_ANY_SIZE, to, f->error);
  if (status != FLEECE_ERROR_JSON) return status;
  if (f->error) f->error->status = FLEECE_ERROR_VALUE;
  return FLEECE_ERROR_VALUE;
}

/* Writes the name of the last step as JSON. Returns the status. */
static int capi_edit_name(struct capi_text_edit *f, const struct json_step *step, struct json_slice *to) {
  struct buffer *b = &f->out.buffer;
  char *end = json_write_string_styled(&f->out, b->begin, step->name, step->n, (int)f->style.escape);
  if (!end) return capi_text_error(f->error, f->out.error == FL_ERROR_UTF8 ? FL_ERROR_KEY_UTF8 : f->out.error);
  return json_edit_keep(&f->e, b->begin, (size_t)(end - b->begin), to) ? FLEECE_OK : capi_no_memory(f->error);
}

static int capi_edit_refused(struct capi_text_edit *f) {
  const struct json_edit *e = &f->e;
  struct json_where where;
  if (e->error == JSON_EDIT_MEMORY) return capi_no_memory(f->error);
  if (e->error == JSON_EDIT_TEXT) {
    f->text.scan.error = e->scan.error;
    f->text.scan.at = e->scan.at;
    return capi_text_fail(&f->text, f->error);
  }
  if (e->error == JSON_EDIT_DEPTH)
    return capi_error(f->error, FLEECE_ERROR_LIMIT, json_edit_message(e->error), FLEECE_NOWHERE);
  capi_error(f->error, FLEECE_ERROR_CHANGE, json_edit_message(e->error), FLEECE_NOWHERE);
  if (!f->error || !e->at || e->at < e->begin || e->at >= e->end) return FLEECE_ERROR_CHANGE;
  json_where(e->begin, e->end, e->at, &where);
  f->error->offset = (size_t)(e->at - e->begin);
  f->error->line = where.line;
  f->error->column = where.column;
  return FLEECE_ERROR_CHANGE;
}

static int capi_edit_change(struct capi_text_edit *f, const fleece_change *c) {
  struct json_edit_change is = {0};
  if (c->operation < FLEECE_SET || c->operation > FLEECE_DISCARD)
    return capi_bad_argument(f->error, "unknown operation");
  int status = capi_read_path(&f->path, c->path, c->path_size, JSON_EDIT_AFTER_LAST, f->error);
  if (status != FLEECE_OK) return status;
  if (f->style.text.invalid != TEXT_INVALID_ERROR &&
      !json_edit_mend_names(&f->e, f->path.steps, f->path.count, &f->style.text))
    return capi_no_memory(f->error);
  is.indented = 1;
  is.operation = (enum json_edit_operation)c->operation;
  is.steps = f->path.steps;
  is.count = f->path.count;
  const struct json_step *last = is.count > 0 ? &is.steps[is.count - 1] : NULL;
  if (is.operation < JSON_EDIT_REMOVE) status = capi_edit_value(f, c, &is.value);
  if (status == FLEECE_OK && last && last->name && (is.operation == JSON_EDIT_SET || is.operation == JSON_EDIT_INSERT))
    status = capi_edit_name(f, last, &is.name);
  if (status != FLEECE_OK) return status;
  return json_edit_apply(&f->e, &is) ? FLEECE_OK : capi_edit_refused(f);
}

/* Writes the text. NULL if out of memory. */
static char *capi_edit_result(struct capi_text_edit *f) {
  struct buffer *b = &f->out.buffer;
  size_t n;
  char *w;
  if (!json_edit_length(&f->e, &n) || !(w = buf_reserve(b, b->begin, n))) return NULL;
  return json_edit_write(&f->e, w);
}

/* Applies all changes. Returns the status, and sets *end to the end of the text. */
static int capi_edit_all(struct capi_text_edit *f, const fleece_change *changes, size_t count, char **end) {
  int status = capi_edit_begin(f);
  *end = NULL;
  for (size_t i = 0; status == FLEECE_OK && i < count; i++) {
    status = capi_edit_change(f, &changes[i]);
    if (status != FLEECE_OK && f->error) f->error->index = i;
  }
  if (status == FLEECE_OK && !(*end = capi_edit_result(f))) status = capi_no_memory(f->error);
  return status;
}

int fleece_text_edit(const char *text, size_t n, const fleece_change *changes, size_t count,
                     const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch, fleece_error *error) {
  int64_t first[CAPI_EDIT_ROOM / sizeof(int64_t)];
  struct capi_text_edit f;
  fleece_options o;
  char *end;
  out->size = 0;
  if (!capi_options(options, &o, error) || !capi_style(&o, &f.style, error)) return FLEECE_ERROR_ARGUMENT;
  if (!changes && count > 0) return capi_bad_argument(error, "there are no changes");
  if (scratch == out) return capi_bad_argument(error, "the scratch is the output");
  f.error = error;
  capi_room_begin(&f.room, first, sizeof first, scratch, &out->allocator);
  if (!capi_text_begin(&f.text, text, n, &o, capi_cpu(n), &f.room, error)) return FLEECE_ERROR_ARGUMENT;
  capi_path_begin(&f.path, &f.room);
  capi_init_out(&f.out, &f.style, n);
  capi_borrow_buffer(out, &f.out.buffer);
  int status = capi_edit_all(&f, changes, count, &end);
  if (!capi_return_buffer(out, &f.out.buffer, end) && status == FLEECE_OK) status = capi_no_memory(error);
  if (status == FLEECE_OK) capi_ok(error);
  capi_room_end(&f.room);
  return status;
}
