/* SPDX-License-Identifier: MIT
** write.c -- a tree to JSON text. Doubles always have a point or an exponent, so that they are read as doubles again.
** Must hold: no recursion. Memory for deep trees comes from the output's allocator and is released at the end. */
#include "tree.h"

/* An open container: its items still to be written. */
struct tree_frame {
  const struct tree_value *item, *end;
  int is_object;
};

enum { TREE_FRAMES = 48 };

struct tree_writer {
  struct json_out *out;
  struct tree_frame *frames; /* `first`, or memory from the allocator */
  size_t depth, room;
  struct tree_frame first[TREE_FRAMES];
};

static int tree_grow_frames(struct tree_writer *k) {
  const struct buffer *b = &k->out->buffer;
  const size_t bytes = k->room * sizeof *k->frames;
  const int first = k->frames == k->first;
  void *block = b->alloc(b->alloc_ud, first ? NULL : k->frames, first ? 0 : bytes, 2 * bytes);
  if (!block) return json_fail(k->out, FL_ERROR_MEMORY) != NULL;
  if (first) memcpy(block, k->first, bytes);
  k->frames = (struct tree_frame *)block;
  k->room *= 2;
  return 1;
}

static char *tree_write_scalar(struct json_out *out, char *w, const struct tree_value *v) {
  switch (tree_type(v)) {
  case TREE_NULL: memcpy(w, "null", 4); return w + 4;
  case TREE_FALSE: memcpy(w, "false", 5); return w + 5;
  case TREE_TRUE: memcpy(w, "true", 4); return w + 4;
  case TREE_INTEGER: return num_write_i64(w, v->as.i);
  case TREE_UNSIGNED: return num_write_u64(w, v->as.u);
  case TREE_DOUBLE: return num_write_ecma_float(w, v->as.d);
  default: return json_write_string(out, w, tree_bytes(v), tree_length(v), JSON_ESCAPE_UPPER);
  }
}

/* Writes a scalar, or the beginning of a container. */
static char *tree_write_begin(struct tree_writer *k, char *w, const struct tree_value *v) {
  struct tree_frame *f;
  if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return NULL;
  if (tree_type(v) < TREE_ARRAY) return tree_write_scalar(k->out, w, v);
  if (tree_length(v) == 0) {
    memcpy(w, tree_type(v) == TREE_ARRAY ? "[]" : "{}", 2);
    return w + 2;
  }
  if (k->depth == k->room && !tree_grow_frames(k)) return NULL;
  f = &k->frames[k->depth++];
  f->item = tree_items(v);
  f->end = f->item + tree_count(v);
  f->is_object = tree_type(v) == TREE_OBJECT;
  *w++ = f->is_object ? '{' : '[';
  return w;
}

/* Writes the next item of the innermost container, or its end. `lines`: with line breaks and indentation. */
static char *tree_write_next(struct tree_writer *k, char *w, int lines) {
  struct tree_frame *f = &k->frames[k->depth - 1];
  const struct tree_value *v;
  FL_ASSERT(k->depth > 0 && f->item <= f->end);
  if (f->item == f->end) {
    k->depth--;
    if (lines && !(w = json_write_line(k->out, w, k->depth))) return NULL;
    if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return NULL;
    *w++ = f->is_object ? '}' : ']';
    return w;
  }
  if (w[-1] != '{' && w[-1] != '[') *w++ = ',';
  if (lines && !(w = json_write_line(k->out, w, k->depth))) return NULL;
  if (f->is_object) {
    v = f->item++;
    if (!(w = json_write_string(k->out, w, tree_bytes(v), tree_length(v), JSON_ESCAPE_UPPER))) return NULL;
    *w++ = ':';
    if (lines) *w++ = ' ';
  }
  return tree_write_begin(k, w, f->item++);
}

FL_PRIVATE char *tree_write(struct json_out *out, char *w, const struct tree_value *v) {
  struct tree_writer k;
  const int lines = out->style->indent_length != 0;
  k.out = out;
  k.frames = k.first;
  k.depth = 0;
  k.room = TREE_FRAMES;
  w = tree_write_begin(&k, w, v);
  while (w && k.depth > 0) w = tree_write_next(&k, w, lines);
  if (k.frames != k.first) out->buffer.alloc(out->buffer.alloc_ud, k.frames, k.room * sizeof *k.frames, 0);
  return w;
}
