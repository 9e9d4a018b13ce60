/* SPDX-License-Identifier: MIT
** The method is that of D. Oppen ("Prettyprinting", 1980): tokens wait with the sum of the columns before them, until
** the outermost container among them has ended or is too long. Tokens are found 64 bytes at a time, as masks. */
#include "fold.h"
#include "../../number/parse.h"
#include "../../text/runs.h"

enum {
  FOLD_BYTES = 16, /* bytes that wait for each column: in the worst case a digit with colors, or a UTF-8 character */
  FOLD_STEP = 64,  /* bytes that are read at once */
  FOLD_SPARE = 1024,
  FOLD_PAD = 2 * FOLD_STEP, /* readable bytes after `text` */
  /* Bytes reserved for a token, with what copying overwrites after it. */
  FOLD_ROOM = 2 * FOLD_STEP + JSON_FOLD_LINE
};

/* Twice what may wait, so that moving it to the front is rare. */
static size_t json_fold_room(size_t width) { return 2 * width + FOLD_SPARE / 4; }

static size_t json_fold_text(size_t width) { return 2 * FOLD_BYTES * width + FOLD_SPARE; }

FL_PRIVATE size_t json_fold_bytes(size_t width) {
  FL_ASSERT(width <= JSON_FOLD_WIDEST);
  return json_fold_room(width) * sizeof(struct json_fold_token) + json_fold_text(width) + FOLD_PAD;
}

/* Returns the columns of the indentation. */
FL_INLINE size_t json_fold_indentation(const struct json_fold *f) {
  return (f->out->style->first_level + f->level) * f->out->style->indent_length;
}

FL_PRIVATE void json_fold_begin(struct json_fold *f, struct json_out *out, size_t width, void *block) {
  const struct json_style *style = out->style;
  memset(f, 0, sizeof *f);
  f->out = out;
  f->w = out->buffer.begin;
  f->width = width;
  f->tokens = (struct json_fold_token *)block;
  f->room = json_fold_room(width);
  f->text = (char *)(f->tokens + f->room);
  f->bytes = json_fold_text(width);
  f->origin = json_fold_indentation(f);
  f->line[0] = '\n';
  f->line_bytes = 1;
  for (; style->indent_length && f->line_bytes + style->indent_length <= JSON_FOLD_LINE;
       f->line_bytes += style->indent_length)
    memcpy(f->line + f->line_bytes, style->indent, style->indent_length);
}

/* Begins a line. There is room for a short one, and after it for one more byte. */
FL_INLINE char *json_fold_line(struct json_fold *f, char *w) {
  const size_t n = json_fold_indentation(f);
  if (FL_UNLIKELY(n >= f->line_bytes)) return json_write_line(f->out, w, f->level);
  memcpy(w, f->line, sizeof f->line);
  return w + 1 + n;
}

/* Copies [from, to). Up to 64 bytes after both are touched. */
FL_INLINE char *json_fold_copy(char *w, const char *from, const char *to) {
  if (FL_LIKELY(to - from <= FOLD_STEP)) return text_copy_between(w, from, to);
  memcpy(w, from, (size_t)(to - from));
  return w + (to - from);
}

FL_INLINE int json_fold_opens(char c) { return c == '[' || c == '{'; }

/* Writes the container from `t` to `last` in one line. */
static char *json_fold_put_line(struct json_fold *f, char *w, const struct json_fold_token *t,
                                const struct json_fold_token *last) {
  const char *text = f->text, *from = text + t->at;
  w = json_reserve(f->out, w, last->at - t->at + (size_t)(last - t) + FOLD_ROOM);
  if (!w) return NULL;
  for (; t <= last; t++) {
    const char *at = text + t->at;
    w = json_fold_copy(w, from, at);
    w[0] = *at, w[1] = ' ';
    w += *at & 0x40 ? 1 : 2; /* a bracket, or a comma or colon */
    from = at + 1;
  }
  return w;
}

enum json_fold_form { FOLD_DIVIDED, FOLD_IN_LINE, FOLD_WAITS };

/* Decides how to write the container at `t`; with `all` it cannot wait. */
FL_INLINE enum json_fold_form json_fold_form(const struct json_fold *f, const struct json_fold_token *t, int all) {
  const char *end = f->text + f->used, *at = f->text + t->at;
  const size_t index = (size_t)(t - f->tokens), column = f->origin + t->before;
  if (t->partner <= index) { /* no end so far; if nothing follows, it may be empty */
    if (all || (end > at + 1 && f->origin + f->columns > f->width)) return FOLD_DIVIDED;
    return FOLD_WAITS;
  }
  const struct json_fold_token *close = f->tokens + t->partner;
  const char *after = f->text + close->at + 1;
  if (after - at == 2) return FOLD_IN_LINE;
  if (column + (close->before + 1 - t->before) + (after < end && *after == ',') > f->width) return FOLD_DIVIDED;
  return after < end || all ? FOLD_IN_LINE : FOLD_WAITS;
}

/* Writes the tokens that need not wait any more; with `all`, every one. Returns 0 if writing failed. */
static int json_fold_settle(struct json_fold *f, int all) {
  const char *text = f->text, *from = text + f->from;
  const struct json_fold_token *t = f->tokens + f->head, *const last = f->tokens + f->tail;
  char *w = f->w;
  for (; t < last; t++) {
    const char *at = text + t->at, c = *at;
    w = json_reserve(f->out, w, (size_t)(at - from) + FOLD_ROOM);
    if (!w) return 0;
    w = json_fold_copy(w, from, at);
    from = at;
    if (c == ':') {
      *w++ = ':', *w++ = ' ';
    } else if (c == ',') {
      *w++ = ',';
      w = json_fold_line(f, w);
      f->origin = json_fold_indentation(f) - t->before - 2;
    } else if (json_fold_opens(c)) {
      const enum json_fold_form form = json_fold_form(f, t, all);
      if (form == FOLD_WAITS) break;
      if (form == FOLD_IN_LINE) {
        const struct json_fold_token *close = f->tokens + t->partner;
        w = json_fold_put_line(f, w, t, close);
        if (!w) return 0;
        t = close;
        from = text + t->at + 1;
        continue;
      }
      *w++ = c;
      f->level++;
      w = json_fold_line(f, w);
      f->origin = json_fold_indentation(f) - t->before - 1;
    } else {
      if (c == '\n' || f->level > 0) { /* outside containers a closing bracket would not be JSON */
        f->level -= c != '\n';
        w = json_fold_line(f, w);
        f->origin = json_fold_indentation(f) - t->before;
      }
      if (w && c != '\n') *w++ = c;
    }
    if (!w) return 0;
    from++;
  }
  if (t == last) {
    w = json_reserve(f->out, w, f->used - (size_t)(from - text) + FOLD_ROOM);
    if (!w) return 0;
    w = json_fold_copy(w, from, text + f->used);
    f->from = f->used = f->head = f->tail = f->innermost = 0;
  } else {
    f->head = (size_t)(t - f->tokens);
    f->from = (size_t)(from - text);
  }
  f->w = w;
  return 1;
}

/* Moves what waits to the front. */
static void json_fold_compact(struct json_fold *f) {
  const uint32_t by = (uint32_t)f->head, text = (uint32_t)f->from;
  for (uint32_t i = by; i < f->tail; i++) {
    struct json_fold_token *t = &f->tokens[i - by];
    *t = f->tokens[i];
    if (json_fold_opens(f->text[t->at])) t->partner = t->partner > by ? t->partner - by : 0;
    t->at -= text;
  }
  f->innermost = f->innermost > by ? f->innermost - by : 0;
  memmove(f->text, f->text + text, f->used - text);
  f->used -= text;
  f->tail -= by;
  f->from = f->head = 0;
}

FL_INLINE int json_fold_is_full(const struct json_fold *f) {
  return f->bytes - f->used < FOLD_STEP || f->room - f->tail < FOLD_STEP;
}

/* Makes room for the next step. Waiting tokens take fewer columns than a line, and each takes at least one, so moving
** them leaves room unless there are more colors than this text has. */
FL_NOINLINE int json_fold_make_room_(struct json_fold *f) {
  if (!json_fold_settle(f, 0)) return 0;
  if (json_fold_is_full(f)) json_fold_compact(f);
  return !json_fold_is_full(f) || json_fold_settle(f, 1);
}

/* Notes the bracket at `t`, the next token. */
FL_INLINE void json_fold_bracket(struct json_fold *f, struct json_fold_token *t, char c) {
  const uint32_t index = (uint32_t)(t - f->tokens);
  if (json_fold_opens(c)) {
    t->partner = f->innermost;
    f->innermost = index + 1;
    f->depth++;
    return;
  }
  if (f->innermost) {
    struct json_fold_token *open = &f->tokens[f->innermost - 1];
    f->innermost = open->partner;
    open->partner = index;
  }
  f->depth -= f->depth > 0;
}

/* Reads the next n bytes, which are in `text`, one by one, and removes white space. */
FL_NOINLINE void json_fold_read_bytes_(struct json_fold *f, size_t n) {
  char *w = f->text + f->used;
  for (const char *p = w, *end = w + n; p < end; p++) {
    const char c = *w = *p;
    size_t columns = ((unsigned char)c & 0xc0) != 0x80; /* count only the first byte of a character */
    if (f->in_color) {
      f->in_color = c != 'm';
      columns = 0;
    } else if (f->in_string) {
      if (c == '"' && !f->escaped) f->in_string = 0;
      f->escaped = c == '\\' && !f->escaped;
    } else if (c == '"') {
      f->in_string = ~UINT64_C(0);
    } else if (c == '\033') {
      f->in_color = 1;
      columns = 0;
    } else {
      const int is_line = c == '\n' && f->depth == 0, is_bracket = json_fold_opens(c) || c == ']' || c == '}';
      if ((unsigned char)c <= ' ' && !is_line) continue;
      if (is_line || is_bracket || c == ',' || c == ':') {
        struct json_fold_token *t = &f->tokens[f->tail++];
        t->at = (uint32_t)(w - f->text);
        t->before = f->columns;
        if (is_bracket) json_fold_bracket(f, t, c);
        columns = is_line ? 0 : is_bracket ? 1 : 2;
      }
    }
    f->columns += columns;
    w++;
  }
  f->used = (size_t)(w - f->text);
}

/* Returns which of 64 bytes continue a UTF-8 character: their two highest bits are 10. */
FL_NOINLINE uint64_t json_fold_continuations_(const char *p) {
  uint64_t found = 0;
  for (int i = 0; i < FOLD_STEP; i += 8) {
    const uint64_t x = num_load8(p + i), high = x & ~(x << 1) & UINT64_C(0x8080808080808080);
    found |= ((high >> 7) * UINT64_C(0x0102040810204080) >> 56) << i; /* gathers the eight bits */
  }
  return found;
}

/* Reads the next n bytes, 1 to 64. */
FL_INLINE void json_fold_read(struct json_fold *f, const char *s, size_t n) {
  char *const p = f->text + f->used;
  const uint64_t valid = n < FOLD_STEP ? fl_low_bits(n) : ~UINT64_C(0);
  if (n < FOLD_STEP) memcpy(p, s, n);
  else memcpy(p, s, FOLD_STEP);
  const text_chunk b = TEXT_BLOCK(load)(p);
  uint64_t quotes = TEXT_BLOCK(is)(&b, '"') & valid, escaped = 0;
  const uint64_t backslashes = TEXT_BLOCK(is)(&b, '\\') & valid;
  if (FL_UNLIKELY(backslashes | f->escaped)) {
    const uint64_t starts = text_escape_starts(backslashes & ~f->escaped);
    quotes &= ~(starts << 1 | f->escaped);
    escaped = starts >> (n - 1) & 1;
  }
  const uint64_t in_string = TEXT_BLOCK(odd)(quotes) ^ f->in_string, outside = valid & ~(in_string | quotes);
  if (FL_UNLIKELY(((TEXT_BLOCK(controls)(&b) | TEXT_BLOCK(is)(&b, ' ')) & outside) != 0 || f->in_color)) {
    json_fold_read_bytes_(f, n);
    return;
  }
  const text_chunk folded = TEXT_BLOCK(fold)(b);
  uint64_t marks = TEXT_BLOCK(is)(&folded, '{') | TEXT_BLOCK(is)(&folded, '}');
  marks = (marks | TEXT_BLOCK(is)(&b, ',') | TEXT_BLOCK(is)(&b, ':')) & outside;
  const uint64_t others = FL_UNLIKELY(TEXT_BLOCK(high)(&b) & valid) ? json_fold_continuations_(p) & valid : 0;
  struct json_fold_token *t = f->tokens + f->tail;
  const uint32_t used = (uint32_t)f->used;
  size_t columns = f->columns;
  for (; marks; marks &= marks - 1) {
    const unsigned i = fl_trailing_zeros(marks);
    t->at = used + i;
    t->before = columns + i;
    if (FL_UNLIKELY(others != 0)) t->before -= fl_count_bits(others & fl_low_bits(i));
    if (p[i] & 0x40) json_fold_bracket(f, t, p[i]);
    else columns++; /* the blank after it */
    t++;
  }
  f->tail = (size_t)(t - f->tokens);
  f->columns = columns + n - fl_count_bits(others);
  f->used += n;
  f->in_string = (uint64_t)((int64_t)in_string >> 63);
  f->escaped = escaped;
}

FL_PRIVATE int json_fold_feed(struct json_fold *f, const char *s, size_t n) {
  for (; n >= FOLD_STEP; s += FOLD_STEP, n -= FOLD_STEP) {
    if (FL_UNLIKELY(json_fold_is_full(f)) && !json_fold_make_room_(f)) return 0;
    json_fold_read(f, s, FOLD_STEP);
  }
  if (FL_UNLIKELY(json_fold_is_full(f)) && !json_fold_make_room_(f)) return 0;
  if (n > 0) json_fold_read(f, s, n);
  return json_fold_settle(f, 0);
}

FL_PRIVATE int json_fold_end(struct json_fold *f) { return json_fold_settle(f, 1); }
