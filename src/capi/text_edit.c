/* SPDX-License-Identifier: MIT
** text_edit.c -- a text with some of its values changed.
** Must hold: as text_edit.h. */
#include "text_edit.h"

#include "../json/edit/names.h"

FL_STATIC_ASSERT((int)FLEECE_SET == (int)JSON_EDIT_SET && (int)FLEECE_INSERT == (int)JSON_EDIT_INSERT &&
                     (int)FLEECE_APPEND == (int)JSON_EDIT_APPEND && (int)FLEECE_REMOVE == (int)JSON_EDIT_REMOVE &&
                     (int)FLEECE_DISCARD == (int)JSON_EDIT_DISCARD,
                 operations_have_the_same_numbers);

static void *capi_edit_alloc(void *owner, size_t n) { return capi_room_take((struct capi_room *)owner, n); }

FL_PRIVATE int capi_edit_begin(struct capi_text_edit *f, const char *text, size_t n, const fleece_options *options,
                               fleece_bytes *out, fleece_bytes *scratch, fleece_error *error) {
  struct json_edit *e = &f->e;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!capi_options(options, &f->o, error) || !capi_style(&f->o, &f->style, error)) return FLEECE_ERROR_ARGUMENT;
  if (scratch == out) return capi_bad_argument(error, "the scratch is the output");
  f->error = error;
  capi_room_begin(&f->room, f->first, sizeof f->first, scratch, &out->allocator);
  if (!capi_text_begin(&f->text, text, n, &f->o, capi_cpu(n), &f->room, error)) return FLEECE_ERROR_ARGUMENT;
  memset(e, 0, sizeof *e);
  e->alloc = capi_edit_alloc;
  e->owner = &f->room;
  e->cpu = f->text.cpu;
  e->free = (char *)capi_room_take(&f->room, CAPI_EDIT_FIRST);
  FL_ASSERT(e->free != NULL); /* it is on the stack */
  e->limit = e->free + CAPI_EDIT_FIRST;
  capi_path_begin(&f->path, &f->room);
  f->path.most_wildcards = JSON_EDIT_WILDCARDS;
  capi_init_out(&f->out, &f->style, n);
  capi_borrow_buffer(out, &f->out.buffer);
  return FLEECE_OK;
}

FL_PRIVATE int capi_edit_read(struct capi_text_edit *f) {
  struct capi_text *t = &f->text;
  struct json_edit *e = &f->e;
  struct json_slice value;
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
  if (!c->value && c->value_size > 0) return capi_bad_argument(f->error, "there is no value");
  if (c->value_size > SIZE_MAX / 4) return capi_no_memory(f->error);
  if (!json_edit_keep(&f->e, c->value ? c->value : "", c->value_size, &copy)) return capi_no_memory(f->error);
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

FL_PRIVATE int capi_edit_refused(struct capi_text_edit *f) {
  const struct json_edit *e = &f->e;
  const int is_in_text = e->at && e->at >= e->begin && e->at < e->end;
  if (e->error == JSON_EDIT_MEMORY) return capi_no_memory(f->error);
  if (e->error == JSON_EDIT_TEXT) {
    const char *at = e->scan.at;
    if (at < f->text.begin || at > f->text.end) at = f->text.end; /* in a value that changes have put together */
    return capi_json_error(f->error, e->scan.error, f->text.begin, f->text.end, at);
  }
  const int status = e->error == JSON_EDIT_DEPTH ? FLEECE_ERROR_LIMIT : FLEECE_ERROR_CHANGE;
  capi_error(f->error, status, json_edit_message(e->error), FLEECE_NOWHERE);
  if (status != FLEECE_ERROR_LIMIT && is_in_text) capi_set_place(f->error, e->begin, e->end, e->at);
  return capi_set_kind(f->error, status, json_edit_kind(e->error));
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
  if (last && last->each && is.operation == JSON_EDIT_INSERT)
    return capi_error(f->error, FLEECE_ERROR_PATH, "a wildcard has no place for an insertion", FLEECE_NOWHERE);
  if (is.operation < JSON_EDIT_REMOVE) status = capi_edit_value(f, c, &is.value);
  if (status == FLEECE_OK && last && last->name && (is.operation == JSON_EDIT_SET || is.operation == JSON_EDIT_INSERT))
    status = capi_edit_name(f, last, &is.name);
  if (status != FLEECE_OK) return status;
  if (f->path.wildcards ? json_edit_apply_each(&f->e, &is) : json_edit_apply(&f->e, &is)) return FLEECE_OK;
  return capi_edit_refused(f);
}

FL_PRIVATE char *capi_edit_result(struct capi_text_edit *f) {
  struct buffer *b = &f->out.buffer;
  size_t n;
  char *w;
  if (!json_edit_length(&f->e, &n) || !(w = buf_reserve(b, b->begin, n))) return NULL;
  return json_edit_write(&f->e, w);
}

FL_PRIVATE int capi_edit_end(struct capi_text_edit *f, int status, fleece_bytes *out, char *end) {
  if (!capi_return_buffer(out, &f->out.buffer, status == FLEECE_OK ? end : NULL) && status == FLEECE_OK)
    status = capi_no_memory(f->error);
  if (status == FLEECE_OK) capi_ok(f->error);
  capi_room_end(&f->room);
  return status;
}

int fleece_text_edit(const char *text, size_t n, const fleece_change *changes, size_t count,
                     const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch, fleece_error *error) {
  struct capi_text_edit f;
  char *end = NULL;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!changes && count > 0) return capi_bad_argument(error, "there are no changes");
  int status = capi_edit_begin(&f, text, n, options, out, scratch, error);
  if (status != FLEECE_OK) return status;
  status = capi_edit_read(&f);
  for (size_t i = 0; status == FLEECE_OK && i < count; i++) {
    status = capi_edit_change(&f, &changes[i]);
    if (status != FLEECE_OK && error) error->index = i;
  }
  if (status == FLEECE_OK) end = capi_edit_result(&f);
  return capi_edit_end(&f, status, out, end);
}
