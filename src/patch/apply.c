/* SPDX-License-Identifier: MIT
** apply.c -- the operations of a JSON Patch (RFC 6902): reads them, and applies one to a text.
** Must hold: as texts.h. */
#include "texts.h"

#include "../json/index/steps.h"

FL_PRIVATE const char *patch_message(enum patch_error error) {
  static const char *const messages[] = {"",
#define PATCH_ERROR_WORDS(name, kind, message) message,
                                         PATCH_ERRORS(PATCH_ERROR_WORDS)
#undef PATCH_ERROR_WORDS
  };
  return messages[error];
}

FL_PRIVATE enum fl_kind patch_kind(enum patch_error error) {
  static const unsigned char kinds[] = {FL_KIND_NONE, PATCH_ERRORS(FL_KIND_OF)};
  return (enum fl_kind)kinds[error];
}

FL_PRIVATE int patch_find_word(const char *s, size_t n) {
  for (int i = 0; i <= PATCH_OP_TEST; i++)
    if (strlen(patch_words[i]) == n && memcmp(patch_words[i], s, n) == 0) return i;
  return -1;
}

FL_PRIVATE int patch_moves_inside(const struct patch_operation *o) {
  const struct patch_pointer *path = &o->path, *from = &o->from;
  return from->n < path->n && path->s[from->n] == '/' && memcmp(path->s, from->s, from->n) == 0;
}

/* Reads the pointer in a member of the operation. Returns 0 if it is not one, -1 if out of memory. */
static int patch_read_pointer(struct json_edit *e, const struct patch_value *v, struct patch_pointer *to) {
  const size_t most = json_pointer_tokens(v->is.s, v->n);
  struct json_step *steps;
  if (v->n > JSON_POINTER_LONGEST / 4) return 0;
  if (v->n > 0 && *v->is.s != '/') return 0; /* URI fragments are not accepted */
  steps = (struct json_step *)json_edit_memory(e, most * (sizeof *steps + sizeof(struct json_token)) + v->n + 1);
  if (!steps) return -1;
  to->s = v->is.s;
  to->n = v->n;
  to->steps = steps;
  return json_pointer_steps(v->is.s, v->n, JSON_EDIT_AFTER_LAST, steps, most, &to->count);
}

FL_PRIVATE enum patch_error patch_read_operation(struct json_edit *e, const struct patch_value *v,
                                                 struct patch_operation *o) {
  const struct patch_value *op, *path, *from;
  int word, read;
  memset(o, 0, sizeof *o);
  if (v->kind != PATCH_OBJECT) return PATCH_ERROR_NO_OBJECT;
  if ((path = patch_member(v, "path")) != NULL && path->kind == PATCH_STRING)
    o->path.s = path->is.s, o->path.n = path->n;
  if (!(op = patch_member(v, "op"))) return PATCH_ERROR_NO_OP;
  word = op->kind == PATCH_STRING ? patch_find_word(op->is.s, op->n) : -1;
  if (word < 0) return PATCH_ERROR_UNKNOWN_OP;
  o->is = (enum patch_kind_of_operation)word;
  if (!path) return PATCH_ERROR_NO_PATH;
  if (!o->path.s) return PATCH_ERROR_PATH;
  if ((read = patch_read_pointer(e, path, &o->path)) <= 0) return read < 0 ? PATCH_ERROR_EDIT : PATCH_ERROR_PATH;
  if (patch_has_from(o->is)) {
    if (!(from = patch_member(v, "from"))) return PATCH_ERROR_NO_FROM;
    if (from->kind != PATCH_STRING) return PATCH_ERROR_FROM;
    if ((read = patch_read_pointer(e, from, &o->from)) <= 0) return read < 0 ? PATCH_ERROR_EDIT : PATCH_ERROR_FROM;
    if (o->is == PATCH_OP_MOVE && patch_moves_inside(o)) return PATCH_ERROR_INSIDE;
  }
  if (patch_has_value(o->is) && !(o->value = patch_member(v, "value"))) return PATCH_ERROR_NO_VALUE;
  return PATCH_OK;
}

static enum patch_error patch_test(struct json_edit *e, const struct patch_operation *o) {
  struct json_edit_list *l;
  const struct json_edit_piece *piece = json_edit_find(e, o->path.steps, o->path.count, &l);
  struct json_slice text;
  enum json_edit_origin origin;
  if (!piece || !json_edit_value(e, piece, &text, &origin)) return PATCH_ERROR_EDIT;
  const struct patch_value *v = patch_read(e, text.begin, origin == JSON_EDIT_SOURCE ? e->end : text.end,
                                           origin == JSON_EDIT_NEW ? 0 : e->grammar);
  if (!v) return PATCH_ERROR_EDIT;
  return patch_equal(v, o->value) ? PATCH_OK : PATCH_ERROR_DIFFERENT;
}

/* Makes `c` set the value that `from` leads to, which is removed if it moves. */
static int patch_take(struct json_edit *e, const struct patch_operation *o, struct json_edit_change *c) {
  struct json_edit_list *l;
  struct json_edit_piece *piece = json_edit_find(e, o->from.steps, o->from.count, &l);
  if (!piece) return 0;
  return o->is == PATCH_OP_MOVE ? json_edit_take(e, l, piece, c) : json_edit_value(e, piece, &c->value, &c->origin);
}

FL_PRIVATE enum patch_error patch_apply(struct json_edit *e, const struct patch_operation *o, size_t *copies,
                                        const struct patch_pointer **failed) {
  const struct json_step *last = o->path.count > 0 ? &o->path.steps[o->path.count - 1] : NULL;
  struct json_edit_change c = {0};
  c.steps = o->path.steps;
  c.count = o->path.count;
  *failed = &o->path;
  if (o->is == PATCH_OP_TEST) return patch_test(e, o);
  c.operation = o->is == PATCH_OP_REMOVE    ? JSON_EDIT_REMOVE
                : o->is == PATCH_OP_REPLACE ? JSON_EDIT_REPLACE
                                            : JSON_EDIT_ADD;
  if (patch_has_from(o->is)) {
    *failed = &o->from;
    if (o->is == PATCH_OP_MOVE && o->from.n == o->path.n && memcmp(o->from.s, o->path.s, o->from.n) == 0) {
      struct json_edit_list *l; /* it stays where it is, but must exist */
      return json_edit_find(e, o->from.steps, o->from.count, &l) ? PATCH_OK : PATCH_ERROR_EDIT;
    }
    if (!patch_take(e, o, &c)) return PATCH_ERROR_EDIT;
    if (o->is == PATCH_OP_COPY) {
      const size_t n = (size_t)(c.value.end - c.value.begin);
      if (n > *copies) return PATCH_ERROR_COPIES;
      *copies -= n;
    }
    *failed = &o->path;
  } else if (o->value) {
    if (!json_edit_keep(e, o->value->begin, (size_t)(o->value->end - o->value->begin), &c.value))
      return PATCH_ERROR_EDIT;
    c.indented = 1;
    c.source = o->value->begin;
  }
  if (o->is != PATCH_OP_REMOVE && last && !patch_keep_name(e, last->name, last->n, &c.name)) return PATCH_ERROR_EDIT;
  return json_edit_apply(e, &c) ? PATCH_OK : PATCH_ERROR_EDIT;
}
