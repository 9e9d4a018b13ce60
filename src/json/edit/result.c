/* SPDX-License-Identifier: MIT
** result.c -- the text after the changes: its length, and its bytes in order.
** Must hold: as edit.h. Both are found by the same walk, without recursion. */
#include "edit.h"

/* The output. Slices that are adjacent in the text are copied together, including commas and brackets between them. */
struct json_edit_sink {
  const struct json_edit *edit;
  char *w; /* NULL: only count */
  size_t n;
  int overflows;
  struct json_slice pending;
};

static void json_edit_flush(struct json_edit_sink *to) {
  const size_t n = json_slice_length(to->pending);
  to->overflows |= n > SIZE_MAX - to->n;
  to->n += n;
  if (!to->w || n == 0) return;
  memcpy(to->w, to->pending.begin, n);
  to->w += n;
}

static void json_edit_emit(struct json_edit_sink *to, struct json_slice s) {
  if (s.begin == s.end) return;
  if (s.begin == to->pending.end && s.begin > to->edit->begin && s.begin < to->edit->end) {
    to->pending.end = s.end;
    return;
  }
  json_edit_flush(to);
  to->pending = s;
}

static void json_edit_emit_byte(struct json_edit_sink *to, const char *c) {
  const char *p = to->pending.end;
  if (p > to->edit->begin && p < to->edit->end && *p == *c) to->pending.end++;
  else json_edit_emit(to, json_slice_of(c, c + 1));
}

static void json_edit_emit_space(struct json_edit_sink *to, const struct json_edit_space *space) {
  const struct json_edit_comment *c = space->comments ? space->comments->first : NULL;
  for (; c; c = c->next) json_edit_emit(to, c->text);
  json_edit_emit(to, space->blanks);
}

/* Writes the value of `start` from beginning to end. */
static void json_edit_emit_value(struct json_edit_sink *to, const struct json_edit_piece *start) {
  const struct json_edit_piece *piece = start;
  const struct json_edit_list *l = NULL;
  for (;;) {
    struct json_edit_node *next = NULL;
    if (piece->list) {
      l = piece->list;
      json_edit_emit_byte(to, l->is_object ? "{" : "[");
      next = json_edit_leftmost(l->pieces);
      piece = NULL;
    } else {
      json_edit_emit(to, piece->value);
      if (piece == start) return;
      json_edit_emit_space(to, &piece->tail);
    }
    /* after a piece, or at the beginning of a list: go to the next piece, or to the ends of lists */
    while (!next) {
      next = piece ? json_edit_next((struct json_edit_node *)(uintptr_t)&piece->node) : NULL;
      if (piece && (next || l->trailing)) json_edit_emit_byte(to, ",");
      if (next) break;
      json_edit_emit_space(to, &l->inner);
      json_edit_emit_byte(to, l->is_object ? "}" : "]");
      piece = l->entry;
      if (piece == start) return;
      l = l->above;
      json_edit_emit_space(to, &piece->tail);
    }
    piece = json_edit_piece_of(next);
    json_edit_emit_space(to, &piece->lead);
    json_edit_emit(to, piece->name);
    json_edit_emit(to, piece->colon);
  }
}

static struct json_edit_sink json_edit_begin_sink(const struct json_edit *e, char *w) {
  struct json_edit_sink to = {0};
  to.edit = e;
  to.w = w;
  return to;
}

static void json_edit_emit_all(struct json_edit_sink *to) {
  json_edit_emit_space(to, &to->edit->root.lead);
  json_edit_emit_value(to, &to->edit->root);
  json_edit_emit_space(to, &to->edit->root.tail);
  json_edit_flush(to);
}

FL_PRIVATE int json_edit_length(const struct json_edit *e, size_t *n) {
  struct json_edit_sink to = json_edit_begin_sink(e, NULL);
  json_edit_emit_all(&to);
  *n = to.n;
  return !to.overflows;
}

FL_PRIVATE char *json_edit_write(const struct json_edit *e, char *w) {
  struct json_edit_sink to = json_edit_begin_sink(e, w);
  json_edit_emit_all(&to);
  return to.w;
}

FL_PRIVATE int json_edit_value(struct json_edit *e, const struct json_edit_piece *piece, struct json_slice *value,
                               enum json_edit_origin *origin) {
  struct json_edit_sink to;
  const char *const begin = piece->value.begin;
  char *text;
  *value = piece->value;
  *origin = JSON_EDIT_SOURCE;
  if (!piece->list && begin >= e->begin && begin < e->end) return 1;
  *origin = piece->is_written ? JSON_EDIT_WRITTEN : JSON_EDIT_NEW;
  if (!piece->list && piece->is_new) return 1;
  to = json_edit_begin_sink(e, NULL); /* of a list, or an item of an inserted text, which has no 0 after it */
  json_edit_emit_value(&to, piece);
  json_edit_flush(&to);
  if (to.overflows || !(text = (char *)json_edit_memory(e, to.n + 1)))
    return json_edit_fail(e, JSON_EDIT_MEMORY, NULL) != NULL;
  *value = json_slice_of(text, text + to.n);
  to = json_edit_begin_sink(e, text);
  json_edit_emit_value(&to, piece);
  json_edit_flush(&to);
  *to.w = 0;
  *origin = JSON_EDIT_WRITTEN;
  return 1;
}
