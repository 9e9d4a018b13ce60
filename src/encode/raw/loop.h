/* SPDX-License-Identifier: MIT
** loop.h -- template: the loop of the raw encoder, included by body.h and walk.h once or twice per layout.
** Must hold: no lua_* call anywhere below; whatever it cannot decide is ENCODE_REDO.
** Parameters, undefined at the end: ENCODE_BODY, the name of the instance; ENCODE_TARGET, the CPU it needs;
** ENCODE_PUT_STRING, ENCODE_PUT_DOUBLE and ENCODE_PUT_ROUNDED, its variants of json_put_string, json_write_double
** and json_write_rounded. */

/* Writes the table at `root`. All other arguments are constants of the instance. A styled one reads its options from
** out->style and its rules from the policy. The others know only the arguments: the escaping, the form of numbers, what
** happens to keys that are not strings, and `shaped`, the function that opens tables (NULL: encode_open), which is an
** argument of a styled one. The walk is one loop: `next` picks the next value of the innermost container and writes its
** key, then the value is written; `open` enters a table, `close` returns from it. */
FL_INLINE ENCODE_TARGET enum encode_result ENCODE_BODY(struct encode_state *c, const char *root, int escape_constant,
                                                       int styled, enum encode_numbers numbers,
                                                       enum encode_keys keys_constant, LAY(encode_shaped) shaped) {
  struct json_out *out = &c->out;
  const struct json_style *style = out->style;
  const int escape = styled ? (int)style->escape : escape_constant;
  const enum encode_keys keys = styled ? c->policy->rules->keys : keys_constant;
  const LAY(encode_shaped) shape = styled && c->policy->shape ? c->policy->shape->open : shaped;
  const int lines = styled && style->indent_length != 0;
  const int item_lines = lines && !style->items_on_one_line;
  const size_t max_depth = style->max_depth;
  char *w = out->buffer.begin + c->start;
  const char *t = root, *base = NULL;
  size_t depth = 0, i = 0, n = 0;
  enum encode_kind kind = ENCODE_ITEMS;
  struct lay_value v;
  /* Finds cycles by Brent's method ("An improved Monte Carlo factorization algorithm", 1980): a new table is compared
  ** only with the open one at the last power of two of the depth. Every cycle meets it sooner or later. */
  const char *tortoise = NULL;
  size_t tortoise_depth = 0;
  FL_ASSERT(out->buffer.begin && c->policy->rules);
  c->has_classes = 0;
  c->list_length = 0;

#define ROOM(bytes)                    \
  do {                                 \
    w = json_reserve(out, w, (bytes)); \
    if (FL_UNLIKELY(!w)) goto fail;    \
  } while (0)

open : {
  struct encode_opened f;
  struct encode_frame *frame;
  enum encode_result opened;
  if (FL_UNLIKELY(t == tortoise || depth >= max_depth)) {
    if (FL_LIKELY(t != NULL) || !LAY(encode_may_resume_)(c)) goto redo;
    /* without a root the walk continues after a pause */
    depth = c->paused;
    tortoise_depth = LAY(encode_tortoise_depth)(depth);
    tortoise = c->frames[tortoise_depth - 1].table;
    frame = &c->frames[depth - 1];
    kind = frame->kind, base = frame->base, i = frame->i, n = frame->n;
    goto next;
  }
  opened = shape ? shape(c, t, &f) : LAY(encode_open)(c, t, &f, styled, LAY(encode_list_));
  if (FL_UNLIKELY(opened != ENCODE_DONE)) {
    c->finish = w;
    return opened == ENCODE_REDO ? LAY(encode_stop_)(c, depth) : opened;
  }
  if (FL_UNLIKELY(f.empty)) {
    if (FL_UNLIKELY(f.empty == ENCODE_IS_NULL)) {
      memcpy(w, "null,", 5);
      w += 5;
    } else if (lines && style->break_empty_objects && f.kind == ENCODE_NODES) {
      *w++ = '{';
      if (!(w = json_write_line(out, w, depth))) goto fail;
      memcpy(w, "},", 2);
      w += 2;
    } else {
      memcpy(w, f.kind == ENCODE_NODES || f.kind == ENCODE_LIST_OBJECT ? "{}," : "[],", 3);
      w += 3;
    }
    if (depth == 0) goto done;
    goto next;
  }
  FL_ASSERT(f.i <= f.n);
  if (FL_UNLIKELY(!encode_need_frames(c, depth + 1))) return ENCODE_MEMORY;
  frame = &c->frames[depth++];
  if (depth == 2 * tortoise_depth || depth == 1) tortoise = t, tortoise_depth = depth;
  frame->table = t;
  frame->kind = kind = f.kind;
  frame->base = base = f.base;
  frame->n = n = f.n;
  frame->list_start = i = f.i;
  *w++ = kind == ENCODE_ITEMS || kind == ENCODE_LIST_ARRAY ? '[' : '{';
}

next:
  if (FL_UNLIKELY(w > out->buffer.end)) ROOM(0);
  if (kind == ENCODE_ITEMS) {
    if (i == n) goto close;
    v = LAY(array_item)(base, i++);
    if (styled) {
      if (FL_UNLIKELY(style->skip_unsupported) && !LAY(encode_supported)(v)) goto next;
      if (item_lines && !(w = json_write_line(out, w, depth))) goto fail;
    }
  } else {
    struct lay_value key;
    if (FL_LIKELY(kind == ENCODE_NODES)) {
      const char *node;
      do {
        if (i == n) goto close;
        node = base + i;
        i += LAY(node_bytes);
      } while (LAY(node_is_nil)(node));
      key = LAY(node_key)(node);
      v = LAY(node_value)(node);
      if (keys != ENCODE_KEYS_NUMBERS && FL_UNLIKELY(!LAY(is_string)(key))) {
        /* an index 1 makes the table an array */
        if (keys != ENCODE_KEYS_SKIPPED || LAY(encode_index)(key) == 1) goto redo;
        goto next;
      }
    } else {
      if (i == n) {
        if (FL_UNLIKELY(c->more && depth == 1)) return LAY(encode_pause_pairs_)(c, w);
        goto close;
      }
      key = c->list[i].key;
      v = c->list[i++].value;
    }
    if (styled) {
      if (FL_UNLIKELY(style->skip_unsupported) &&
          (kind != ENCODE_LIST_ARRAY ? LAY(encode_skips_)(style, key, v) : !LAY(encode_supported)(v)))
        goto next;
      if ((kind == ENCODE_LIST_ARRAY ? item_lines : lines) && !(w = json_write_line(out, w, depth))) goto fail;
    }
    if (FL_LIKELY(kind != ENCODE_LIST_ARRAY)) {
      if (FL_LIKELY(LAY(is_string)(key))) {
        size_t length;
        const char *s = LAY(string)(key, &length);
        w = styled ? json_write_string_and(out, w, s, length, escape, ':')
                   : ENCODE_PUT_STRING(out, w, s, length, escape, ':');
      } else {
        w = LAY(encode_number_key_)(c, w, key);
      }
      if (FL_UNLIKELY(!w)) goto fail;
      if (lines && !style->no_space) *w++ = ' ';
    }
  }

  /* By frequency in the documents of the benchmark: strings 40 to 70 %, then numbers, then tables. */
  if (FL_LIKELY(LAY(is_string)(v))) {
    size_t length;
    const char *s = LAY(string)(v, &length);
    w = styled ? json_write_string_and(out, w, s, length, escape, ',')
               : ENCODE_PUT_STRING(out, w, s, length, escape, ',');
    if (FL_UNLIKELY(!w)) goto fail;
    goto next;
  }
  if (LAY(is_integer)(v) && (LAY(has_integers) || numbers == ENCODE_NUM_SHORTEST || numbers == ENCODE_NUM_ECMA)) {
    w = styled ? json_write_integer_styled(out, w, LAY(integer)(v)) : num_write_i64(w, LAY(integer)(v));
    if (styled && FL_UNLIKELY(!w)) goto fail;
    *w++ = ',';
    goto next;
  }
  if (LAY(is_float)(v) || LAY(is_integer)(v)) {
    w = numbers == ENCODE_NUM_STYLED    ? json_write_double_styled(out, w, LAY(number)(v))
        : numbers == ENCODE_NUM_ROUNDED ? ENCODE_PUT_ROUNDED(out, w, LAY(number)(v))
        : numbers == ENCODE_NUM_ECMA    ? json_write_ecma(out, w, LAY(number)(v))
                                        : ENCODE_PUT_DOUBLE(out, w, LAY(number)(v));
    if (FL_UNLIKELY(!w)) goto fail;
    *w++ = ',';
    goto next;
  }
  if (LAY(is_table)(v)) {
    if (FL_LIKELY(depth > 0)) c->frames[depth - 1].i = i;
    LAY(encode_fetch_next)(kind, base, i, n);
    t = LAY(pointer)(v);
    goto open;
  }
  if (LAY(is_true)(v)) {
    memcpy(w, "true,", 5);
    w += 5;
  } else if (LAY(is_false)(v)) {
    memcpy(w, "false,", 6);
    w += 6;
  } else if (LAY(is_nil)(v) || (LAY(is_light)(v) && v.bits == c->null_word)) {
    memcpy(w, "null,", 5); /* nil: a hole in a list */
    w += 5;
  } else {
    c->finish = w;
    w = LAY(encode_other_)(c, w, v);
    if (!w) {
      c->frames[depth - 1].i = i;
      return LAY(encode_stop_)(c, style->skip_unsupported ? 0 : depth);
    }
    *w++ = ',';
  }
  goto next;

close:
  if (FL_LIKELY(w[-1] == ',')) {
    w--;
    if ((kind == ENCODE_ITEMS || kind == ENCODE_LIST_ARRAY ? item_lines : lines) &&
        !(w = json_write_line(out, w, depth - 1)))
      goto fail;
  }
  *w++ = kind == ENCODE_ITEMS || kind == ENCODE_LIST_ARRAY ? ']' : '}';
  *w++ = ',';
  {
    struct encode_frame *frame = &c->frames[--depth];
    FL_ASSERT(frame->table && frame->kind == kind && frame->n == n);
    if (kind >= ENCODE_LIST_ARRAY) c->list_length = frame->list_start;
    if (depth == 0) goto done;
    if (depth < tortoise_depth) tortoise_depth /= 2, tortoise = c->frames[tortoise_depth - 1].table;
    frame--;
    kind = frame->kind, base = frame->base, i = frame->i, n = frame->n;
  }
  goto next;

done:
  c->finish = w - 1;
  return ENCODE_DONE;

redo:
  c->finish = w;
  return ENCODE_REDO;

fail:
  c->finish = NULL;
  if (out->error == FL_ERROR_SINK) return LAY(encode_pause_)(c, depth, i);
  return out->error == FL_ERROR_MEMORY ? ENCODE_MEMORY : ENCODE_REDO;
#undef ROOM
}

#undef ENCODE_BODY
#undef ENCODE_PUT_STRING
#undef ENCODE_TARGET
#undef ENCODE_PUT_DOUBLE
#undef ENCODE_PUT_ROUNDED
