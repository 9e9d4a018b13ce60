/* SPDX-License-Identifier: MIT
** lua_to_json.h -- template: the raw walk, Lua tables to JSON text, pasted once per layout.
** May call: base, json, and the layout's inline readers.
** Must hold: no lua_* call anywhere below; on any doubt the walk returns WALK_REDO.
**
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: lua_to_json_instances.h. */
#include "walk.h"

#define LAY(name) FL_PASTE(LAYOUT, name)

#include "lua_to_json_rare.h"

/* What a table turned out to be, before anything of it is written. */
struct LAY(walk_opened) {
  enum walk_kind kind;
  const char *base;
  size_t i, n;
  int empty;
};

/* The common tables: a dense array part alone, or string keys alone. The rest is walk_list_. */
FL_INLINE enum walk_result LAY(walk_open)(struct walk *c, const char *t, struct LAY(walk_opened) *f, int styled) {
  const struct json_style *style = c->out.style;
  const char *array = LAY(array)(t), *nodes = LAY(nodes)(t), *mt = LAY(metatable)(t);
  size_t size = LAY(array_size)(t), node_count = LAY(node_count)(t);
  size_t dense = 0, rest, node = 0;
  enum walk_mark mark = WALK_PLAIN;
  if (FL_UNLIKELY(mt != NULL)) {
    mark = LAY(walk_mark_)(c, mt);
    if (mark == WALK_HOOK) return WALK_REDO;
  }
  while (dense < size && !LAY(array_is_nil)(array, dense)) dense++;
  for (rest = dense; rest < size && LAY(array_is_nil)(array, rest);) rest++;
  while (node < node_count && LAY(node_is_nil)(nodes + node * LAY(node_bytes))) node++;
  f->empty = 0;
  if (FL_LIKELY(rest == size && !LAY(has_key0)(t))) {
    if (node == node_count && dense > 0 && FL_LIKELY(mark != WALK_OBJECT)) {
      f->kind = WALK_ITEMS, f->base = array, f->i = 0, f->n = dense;
      return WALK_DONE;
    }
    if (node == node_count && dense == 0) {
      int object = mark == WALK_OBJECT || (mark == WALK_PLAIN && style->empty_object);
      f->kind = object ? WALK_NODES : WALK_ITEMS, f->empty = 1;
      return WALK_DONE;
    }
    if (dense == 0 && (mark == WALK_PLAIN || mark == WALK_OBJECT) && !(styled && style->sort_keys) &&
        (mark == WALK_OBJECT || LAY(is_string)(LAY(node_key)(nodes + node * LAY(node_bytes))))) {
      f->kind = WALK_NODES, f->base = nodes, f->i = node, f->n = node_count;
      return WALK_DONE;
    }
  }
  return LAY(walk_list_)(c, t, mark, &f->kind, &f->i, &f->n);
}

/* Writes the table at `root`. `escape` and `styled` are constants of the instance: an unstyled walk knows
** no option but the escaping, a styled one reads all from out.style.
** The walk is one loop: `next` picks the next value of the innermost container and writes its key,
** `value` writes it, `open` goes into a table, `close` comes back. */
FL_INLINE enum walk_result LAY(walk_body)(struct walk *c, const char *root, int escape_constant, int styled) {
  struct json_out *out = &c->out;
  const struct json_style *style = out->style;
  const int escape = styled ? (int)style->escape : escape_constant;
  const int lines = styled && style->indent_length != 0;
  const size_t max_depth = style->max_depth;
  char *w = out->buffer.begin;
  const char *t = root, *base = NULL;
  size_t depth = 0, i = 0, n = 0;
  enum walk_kind kind = WALK_ITEMS;
  struct lay_value v;
  /* Cycles, after Brent ("An improved Monte Carlo factorization algorithm", 1980): of the open tables
  ** only the one at the last power of two of the depth is compared; a cycle has to come by. */
  const char *tortoise = NULL;
  size_t tortoise_depth = 0;
  c->judges = 0;
  c->list_length = 0;

#define ROOM(bytes)                            \
  do {                                         \
    w = json_reserve(out, w, (bytes));         \
    if (FL_UNLIKELY(!w)) goto fail;            \
  } while (0)

open: {
  struct LAY(walk_opened) f;
  struct walk_frame *frame;
  enum walk_result opened;
  if (FL_UNLIKELY(t == tortoise || depth >= max_depth)) return WALK_REDO;
  opened = LAY(walk_open)(c, t, &f, styled);
  if (FL_UNLIKELY(opened != WALK_DONE)) return opened;
  ROOM(JSON_TEXT_ROOM);
  if (FL_UNLIKELY(f.empty)) {
    memcpy(w, f.kind == WALK_NODES || f.kind == WALK_LIST_OBJECT ? "{}," : "[],", 3);
    w += 3;
    if (depth == 0) goto done;
    goto next;
  }
  if (FL_UNLIKELY(!walk_need_frames(c, depth + 1))) return WALK_MEMORY;
  frame = &c->frames[depth++];
  if (depth == 2 * tortoise_depth || depth == 1) tortoise = t, tortoise_depth = depth;
  frame->table = t;
  frame->kind = kind = f.kind;
  frame->base = base = f.base;
  frame->n = n = f.n;
  frame->list_start = i = f.i;
  *w++ = kind == WALK_ITEMS || kind == WALK_LIST_ARRAY ? '[' : '{';
}

next:
  if (kind == WALK_ITEMS) {
    if (i == n) goto close;
    v = LAY(array_item)(base, i++);
    if (styled) {
      if (FL_UNLIKELY(style->skip_unsupported) && !LAY(walk_supported)(v)) goto next;
      if (lines && !(w = json_write_line(out, w, depth))) goto fail;
    }
  } else {
    struct lay_value key;
    if (FL_LIKELY(kind == WALK_NODES)) {
      const char *node;
      do {
        if (i == n) goto close;
        node = base + i++ * LAY(node_bytes);
      } while (LAY(node_is_nil)(node));
      key = LAY(node_key)(node);
      v = LAY(node_value)(node);
    } else {
      if (i == n) goto close;
      key = c->list[i].key;
      v = c->list[i++].value;
    }
    if (styled) {
      if (FL_UNLIKELY(style->skip_unsupported) && !LAY(walk_supported)(v)) goto next;
      if (FL_UNLIKELY(style->skip_unsupported) && kind != WALK_LIST_ARRAY && !LAY(walk_is_key)(key)) goto next;
      if (lines && !(w = json_write_line(out, w, depth))) goto fail;
    }
    if (FL_LIKELY(kind != WALK_LIST_ARRAY)) {
      if (FL_LIKELY(LAY(is_string)(key))) {
        size_t length;
        const char *s = LAY(string)(key, &length);
        w = json_write_string(out, w, s, length, escape);
      } else {
        w = LAY(walk_number_key_)(c, w, key);
      }
      if (FL_UNLIKELY(!w)) goto fail;
      *w++ = ':';
      if (lines) *w++ = ' ';
    }
  }

  /* By frequency in the documents of the benchmark: strings 40 to 70 %, then numbers, then tables. */
  if (LAY(is_string)(v)) {
    size_t length;
    const char *s = LAY(string)(v, &length);
    w = json_write_string(out, w, s, length, escape);
    if (FL_UNLIKELY(!w)) goto fail;
    *w++ = ',';
    goto next;
  }
  if (LAY(is_integer)(v) && (LAY(has_integers) || !styled)) {
    ROOM(JSON_NUMBER_ROOM);
    w = num_write_i64(w, LAY(integer)(v));
    *w++ = ',';
    goto next;
  }
  if (LAY(is_float)(v) || LAY(is_integer)(v)) {
    ROOM(JSON_NUMBER_ROOM);
    w = styled ? json_write_double_styled(out, w, LAY(number)(v)) : json_write_double(out, w, LAY(number)(v));
    if (FL_UNLIKELY(!w)) goto fail;
    *w++ = ',';
    goto next;
  }
  if (LAY(is_table)(v)) {
    if (FL_LIKELY(depth > 0)) c->frames[depth - 1].i = i;
    t = LAY(pointer)(v);
    goto open;
  }
  ROOM(JSON_NUMBER_ROOM);
  if (LAY(is_true)(v)) {
    memcpy(w, "true,", 5);
    w += 5;
  } else if (LAY(is_false)(v)) {
    memcpy(w, "false,", 6);
    w += 6;
  } else if (LAY(is_nil)(v) || (LAY(is_light)(v) && v.bits == c->null_word)) {
    memcpy(w, "null,", 5); /* nil: a hole that a list fills */
    w += 5;
  } else {
    w = LAY(walk_other_)(c, w, v);
    if (!w) goto fail;
    *w++ = ',';
  }
  goto next;

close:
  if (FL_LIKELY(w[-1] == ',')) {
    w--;
    if (lines && !(w = json_write_line(out, w, depth - 1))) goto fail;
  }
  ROOM(JSON_TEXT_ROOM);
  *w++ = kind == WALK_ITEMS || kind == WALK_LIST_ARRAY ? ']' : '}';
  *w++ = ',';
  {
    struct walk_frame *frame = &c->frames[--depth];
    if (kind >= WALK_LIST_ARRAY) c->list_length = frame->list_start;
    if (depth == 0) goto done;
    if (depth < tortoise_depth) tortoise_depth /= 2, tortoise = c->frames[tortoise_depth - 1].table;
    frame--;
    kind = frame->kind, base = frame->base, i = frame->i, n = frame->n;
  }
  goto next;

done:
  c->finish = w - 1;
  return WALK_DONE;

fail:
  return out->error == FL_ERROR_MEMORY ? WALK_MEMORY : out->error == FL_ERROR_SINK ? WALK_SINK : WALK_REDO;
#undef ROOM
}

/* The instances: the default texts without a run-time option, and one that knows all. */
FL_NOINLINE enum walk_result LAY(walk)(struct walk *c, const char *root, int plain) {
  if (!plain) return LAY(walk_body)(c, root, 0, 1);
  switch (c->out.style->escape) {
  case JSON_ESCAPE_JSON: return LAY(walk_body)(c, root, JSON_ESCAPE_JSON, 0);
  case JSON_ESCAPE_E0: return LAY(walk_body)(c, root, JSON_ESCAPE_E0, 0);
  case JSON_ESCAPE_E4: return LAY(walk_body)(c, root, JSON_ESCAPE_E4, 0);
  default: return LAY(walk_body)(c, root, 0, 1);
  }
}

#undef LAY
