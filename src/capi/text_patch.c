/* SPDX-License-Identifier: MIT
** text_patch.c -- JSON Patch and JSON Merge Patch of texts: applied, and found.
** Must hold: as text_edit.h and patch/texts.h. */
#include "../patch/texts.h"
#include "text_edit.h"

/* Prepares s[0..n) for capi_patch_read. `t` must stay as long as its value. Returns the status. */
static int capi_patch_open(struct capi_text_edit *f, struct capi_text *t, const char *s, size_t n,
                           struct patch_text *text) {
  fleece_options o = f->o;
  o.flags &= FLEECE_TERMINATED | FLEECE_BOM;
  if (!capi_text_begin(t, s, n, &o, f->e.cpu, &f->room, f->error)) return FLEECE_ERROR_ARGUMENT;
  if (!capi_text_terminate(t)) return capi_no_memory(f->error);
  capi_text_set_scan(t);
  t->scan.grammar = 0; /* the mark is skipped here */
  text->begin = capi_text_first(t);
  text->end = t->end;
  text->of_lua = 0;
  return text->begin ? FLEECE_OK : capi_text_fail(t, f->error);
}

/* Reads a value of strict JSON without duplicate names, with the memory of the edit. other: as for patch_read_text.
** Returns the status. */
static int capi_patch_read(struct capi_text_edit *f, struct capi_text *t, const struct patch_text *text,
                           struct patch_value *other, struct patch_value **value) {
  f->e.scan = t->scan;
  *value = patch_read_text(&f->e, text->begin, text->end, 0, other);
  if (*value) return FLEECE_OK;
  if (f->e.error == JSON_EDIT_MEMORY) return capi_no_memory(f->error);
  t->scan = f->e.scan;
  return capi_text_fail(t, f->error);
}

static int capi_patch_fail(struct capi_text_edit *f, int status, const char *message, const struct capi_text *in,
                           const char *at) {
  capi_error(f->error, status, message, FLEECE_NOWHERE);
  capi_set_place(f->error, in->begin, in->end, at);
  return status;
}

/* Begins a call with a text and a patch for it. Returns the status. */
static int capi_patch_begin(struct capi_text_edit *f, struct capi_text *t, const char *patch, size_t n,
                            struct patch_value **value) {
  struct patch_text in;
  int status = capi_patch_open(f, t, patch, n, &in);
  if (status == FLEECE_OK) status = capi_patch_read(f, t, &in, NULL, value);
  if (status == FLEECE_ERROR_JSON && f->error) f->error->status = FLEECE_ERROR_VALUE;
  if (status != FLEECE_OK) return status == FLEECE_ERROR_JSON ? FLEECE_ERROR_VALUE : status;
  f->text.flags &= ~(uint32_t)FLEECE_PARTIAL;
  if (!capi_text_terminate(&f->text)) return capi_no_memory(f->error); /* for values that are tested */
  return capi_edit_read(f);
}

/* Applies one operation. Returns the status. */
static int capi_patch_apply(struct capi_text_edit *f, const struct capi_text *t, const struct patch_value *v,
                            size_t *copies) {
  struct patch_operation o;
  const struct patch_pointer *at;
  enum patch_error error = patch_read_operation(&f->e, v, &o);
  if (error == PATCH_ERROR_EDIT) return capi_edit_refused(f);
  if (error)
    return capi_set_kind(f->error, capi_patch_fail(f, FLEECE_ERROR_VALUE, patch_message(error), t, v->begin),
                         patch_kind(error));
  error = patch_apply(&f->e, &o, copies, &at);
  switch (error) {
  case PATCH_OK: return FLEECE_OK;
  case PATCH_ERROR_EDIT: return capi_edit_refused(f);
  default: break;
  }
  const int status = error == PATCH_ERROR_COPIES ? FLEECE_ERROR_LIMIT : FLEECE_ERROR_INVALID;
  capi_error(f->error, status, patch_message(error), FLEECE_NOWHERE);
  return capi_set_kind(f->error, status, patch_kind(error));
}

/* Ends the call. A text whose containers were moved is tested again, because its depth is not known. */
static int capi_patch_end(struct capi_text_edit *f, int status, fleece_bytes *out) {
  char *end = status == FLEECE_OK ? capi_edit_result(f) : NULL;
  if (end && f->e.is_unsure && (end = buf_reserve(&f->out.buffer, end, 1))) {
    const char *const begin = f->out.buffer.begin;
    struct json_slice value;
    fleece_options o = f->o;
    o.flags |= FLEECE_TERMINATED;
    *end = 0;
    if (!capi_text_begin(&f->text, begin, (size_t)(end - begin), &o, f->e.cpu, &f->room, f->error))
      status = FLEECE_ERROR_ARGUMENT;
    else status = capi_text_whole(&f->text, JSON_PICK_ANY_SIZE, &value, f->error);
    if (status != FLEECE_OK && f->error) f->error->offset = FLEECE_NOWHERE, f->error->line = f->error->column = 0;
  }
  return capi_edit_end(f, status, out, end);
}

int fleece_text_json_patch(const char *text, size_t n, const char *patch, size_t patch_size,
                           const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                           fleece_error *error) {
  struct capi_text_edit f;
  struct capi_text t;
  struct patch_value *list;
  int status = capi_edit_begin(&f, text, n, options, out, scratch, error);
  if (status != FLEECE_OK) return status;
  status = capi_patch_begin(&f, &t, patch, patch_size, &list);
  if (status == FLEECE_OK && list->kind != PATCH_ARRAY)
    status = capi_patch_fail(&f, FLEECE_ERROR_VALUE, "a list of operations expected", &t, list->begin);
  if (status != FLEECE_OK) return capi_edit_end(&f, status, out, NULL);
  f.e.patch = t.begin;
  size_t copies = patch_copies(n, f.o.max_bytes), index = 0;
  for (const struct patch_value *v = list->is.first; status == FLEECE_OK && v; v = v->next, index++) {
    status = capi_patch_apply(&f, &t, v, &copies);
    if (status != FLEECE_OK && error) error->index = index;
  }
  return capi_patch_end(&f, status, out);
}

int fleece_text_merge_patch(const char *text, size_t n, const char *patch, size_t patch_size,
                            const fleece_options *options, fleece_bytes *out, fleece_bytes *scratch,
                            fleece_error *error) {
  struct capi_text_edit f;
  struct capi_text t;
  struct patch_value *value;
  const struct patch_value *at;
  int status = capi_edit_begin(&f, text, n, options, out, scratch, error);
  if (status != FLEECE_OK) return status;
  status = capi_patch_begin(&f, &t, patch, patch_size, &value);
  f.e.patch = t.begin;
  if (status == FLEECE_OK && !patch_merge(&f.e, value, &at)) status = capi_edit_refused(&f);
  return capi_patch_end(&f, status, out);
}

/* Begins a call that compares two texts. with_sizes: as for patch_read_parts. Returns the status. */
static int capi_diff_begin(struct capi_text_edit *f, struct capi_text t[2], const char *const texts[2],
                           const size_t sizes[2], const fleece_options *options, fleece_bytes *out,
                           fleece_bytes *scratch, int with_sizes, struct patch_value *v[2], fleece_error *error) {
  struct patch_text in[2];
  int opened[2], status = capi_edit_begin(f, texts[0], sizes[0], options, out, scratch, error);
  if (status != FLEECE_OK) return status;
  for (int i = 0; i < 2; i++) opened[i] = capi_patch_open(f, &t[i], texts[i], sizes[i], &in[i]);
  if (opened[0] == FLEECE_OK && opened[1] == FLEECE_OK) {
    f->e.scan = t[0].scan;
    if (patch_read_parts(&f->e, in, with_sizes, v)) return FLEECE_OK;
  }
  for (int i = 0; i < 2; i++) {
    status = opened[i] == FLEECE_OK ? capi_patch_read(f, &t[i], &in[i], i > 0 ? v[0] : NULL, &v[i]) : opened[i];
    if (status == FLEECE_OK) continue;
    if (error && status != FLEECE_ERROR_MEMORY) error->index = (size_t)i;
    return capi_edit_end(f, status, out, NULL);
  }
  return FLEECE_OK;
}

int fleece_text_json_diff(const char *a, size_t a_size, const char *b, size_t b_size, const fleece_options *options,
                          fleece_bytes *out, fleece_bytes *scratch, fleece_error *error) {
  const char *const texts[2] = {a, b};
  const size_t sizes[2] = {a_size, b_size};
  struct capi_text_edit f;
  struct capi_text t[2];
  struct patch_value *v[2];
  struct patch_diff d;
  char *w = NULL;
  const int is_tested = options && (options->flags & FLEECE_TESTS) != 0;
  int status = capi_diff_begin(&f, t, texts, sizes, options, out, scratch, is_tested ? 2 : 1, v, error);
  if (status != FLEECE_OK) return status;
  d.e = &f.e;
  d.tests = is_tested;
  if (!patch_diff(&d, v[0], v[1])) status = capi_no_memory(error);
  else if ((w = buf_reserve(&f.out.buffer, f.out.buffer.begin, d.changes.size + 2))) w = patch_write(&d, w);
  return capi_edit_end(&f, status, out, w);
}

int fleece_text_merge_diff(const char *a, size_t a_size, const char *b, size_t b_size, const fleece_options *options,
                           fleece_bytes *out, fleece_bytes *scratch, fleece_error *error) {
  const char *const texts[2] = {a, b};
  const size_t sizes[2] = {a_size, b_size};
  struct capi_text_edit f;
  struct capi_text t[2];
  struct patch_value *v[2];
  const struct patch_value *null;
  struct json_slice patch = {NULL, NULL};
  char *w = NULL;
  int status = capi_diff_begin(&f, t, texts, sizes, options, out, scratch, 0, v, error);
  if (status != FLEECE_OK) return status;
  if (patch_merge_diff(&f.e, v[0], v[1], &patch, &null)) {
    const size_t n = json_slice_length(patch);
    if ((w = buf_reserve(&f.out.buffer, f.out.buffer.begin, n))) w = (char *)memcpy(w, patch.begin, n) + n;
  } else if (null) {
    status = capi_patch_fail(&f, FLEECE_ERROR_VALUE, "a merge patch cannot set a member to null", &t[1], null->begin);
    if (error) error->index = 1;
  } else {
    status = capi_no_memory(error);
  }
  return capi_edit_end(&f, status, out, w);
}
