/* SPDX-License-Identifier: MIT
** The method is that of D. Oppen ("Prettyprinting", 1980): tokens wait with the sum of the columns before them, until
** the outermost container among them has ended or is too long. */
#include "fold.h"
#include "../../number/parse.h"

/* Bytes that wait for each column of a line: in the worst case a digit with colors, or a UTF-8 character. */
enum { FOLD_BYTES = 16, FOLD_SPARE = 64 };

/* Twice the entries that may wait, so that moving them to the front is rare. */
static size_t json_fold_entries(size_t width) { return 2 * (width + 8); }

static size_t json_fold_text(size_t width) { return 2 * (FOLD_BYTES * width + FOLD_SPARE); }

FL_PRIVATE size_t json_fold_bytes(size_t width) {
  FL_ASSERT(width <= JSON_FOLD_WIDEST);
  return json_fold_entries(width) * sizeof(struct json_fold_entry) + json_fold_text(width);
}

FL_PRIVATE void json_fold_begin(struct json_fold *f, struct json_out *out, size_t width, void *block) {
  memset(f, 0, sizeof *f);
  f->out = out;
  f->w = out->buffer.begin;
  f->width = width;
  f->entries = (struct json_fold_entry *)block;
  f->room = json_fold_entries(width);
  f->pending = (char *)(f->entries + f->room);
  f->bytes = json_fold_text(width);
  f->column = out->style->first_level * out->style->indent_length;
}

static int json_fold_put(struct json_fold *f, const char *s, size_t n, size_t columns) {
  char *w = json_reserve(f->out, f->w, n);
  if (!w) return 0;
  memcpy(w, s, n);
  f->w = w + n;
  f->column += columns;
  return 1;
}

static int json_fold_line(struct json_fold *f) {
  char *w = json_write_line(f->out, f->w, f->level);
  if (!w) return 0;
  f->w = w;
  f->column = (f->out->style->first_level + f->level) * f->out->style->indent_length;
  return 1;
}

/* Writes a token outside containers that fit in a line. */
static int json_fold_put_apart(struct json_fold *f, enum json_fold_kind kind, char c) {
  switch (kind) {
  case FOLD_COLON: return json_fold_put(f, ": ", 2, 2);
  case FOLD_COMMA: return json_fold_put(f, ",", 1, 1) && json_fold_line(f);
  case FOLD_OPEN:
    if (!json_fold_put(f, &c, 1, 1)) return 0;
    f->level++;
    return json_fold_line(f);
  default:
    if (f->level == 0) return json_fold_put(f, &c, 1, 1); /* not JSON */
    f->level--;
    return json_fold_line(f) && json_fold_put(f, &c, 1, 1);
  }
}

/* Writes all tokens before `end` in one line. */
static int json_fold_put_line(struct json_fold *f, size_t end) {
  int fine = 1;
  for (; fine && f->head < end; f->head++) {
    const struct json_fold_entry *e = &f->entries[f->head];
    switch (e->kind) {
    case FOLD_RUN: fine = json_fold_put(f, f->pending + e->text, e->n, 0); break;
    case FOLD_COLON: fine = json_fold_put(f, ": ", 2, 0); break;
    case FOLD_COMMA: fine = json_fold_put(f, ", ", 2, 0); break;
    default: fine = json_fold_put(f, &e->c, 1, 0);
    }
  }
  return fine;
}

/* Writes the tokens that need not wait any more; with `end`, all. Returns 0 if writing failed. */
static int json_fold_settle(struct json_fold *f, int end) {
  while (f->head < f->tail) {
    const struct json_fold_entry *e = &f->entries[f->head];
    const size_t next = e->kind == FOLD_OPEN && e->partner ? e->partner + 1 : f->head + 1;
    const size_t until = next < f->tail ? f->entries[next].before : f->columns;
    if (e->kind == FOLD_RUN) {
      f->head++;
      if (!json_fold_put(f, f->pending + e->text, e->n, until - e->before)) return 0;
    } else if (e->kind == FOLD_OPEN && (e->partner || next < f->tail || !end)) {
      const int comma = e->partner && next < f->tail && f->entries[next].kind == FOLD_COMMA;
      const size_t need = (e->partner ? until : f->columns) - e->before + (size_t)comma;
      const int empty = e->partner == f->head + 1;
      if (!e->partner && next == f->tail) return 1; /* it may be empty */
      if (!empty && (f->column + need > f->width || (f->full && !e->partner))) {
        f->head++;
        if (f->innermost == f->head) f->innermost = 0;
        if (!json_fold_put_apart(f, FOLD_OPEN, e->c)) return 0;
      } else if (e->partner && (empty || end || next < f->tail)) {
        f->column += until - e->before;
        if (!json_fold_put_line(f, next)) return 0;
      } else {
        return 1;
      }
    } else {
      f->head++;
      if (!json_fold_put_apart(f, e->kind, e->c)) return 0;
    }
  }
  f->head = f->tail = f->used = 0;
  FL_ASSERT(f->innermost == 0 || end);
  f->innermost = 0;
  return 1;
}

/* Moves the waiting tokens to the front. */
static void json_fold_compact(struct json_fold *f) {
  const size_t by = f->head;
  size_t text = f->used, i;
  for (i = f->head; i < f->tail; i++) {
    struct json_fold_entry *e = &f->entries[i - by];
    *e = f->entries[i];
    if (e->partner) e->partner -= by;
    e->outer = e->outer > by ? e->outer - by : 0;
    if (e->kind == FOLD_RUN && text > e->text) text = e->text;
  }
  for (i = 0; i < f->tail - by; i++) f->entries[i].text -= f->entries[i].kind == FOLD_RUN ? text : 0;
  memmove(f->pending, f->pending + text, f->used - text);
  f->used -= text;
  f->head = 0;
  f->tail -= by;
  f->innermost = f->innermost > by ? f->innermost - by : 0;
}

/* Adds an entry with this width. There is always room, because waiting tokens take fewer columns than a line, and each
** takes at least one. */
static struct json_fold_entry *json_fold_add(struct json_fold *f, enum json_fold_kind kind, size_t columns) {
  if (f->tail == f->room) json_fold_compact(f);
  FL_ASSERT(f->tail < f->room);
  struct json_fold_entry *e = &f->entries[f->tail++];
  memset(e, 0, sizeof *e);
  e->kind = kind;
  e->before = f->columns;
  f->columns += columns;
  return e;
}

static int json_fold_token(struct json_fold *f, enum json_fold_kind kind, char c) {
  const int waits = f->head < f->tail;
  if (!waits && kind != FOLD_OPEN) return json_fold_put_apart(f, kind, c);
  struct json_fold_entry *e = json_fold_add(f, kind, kind == FOLD_COLON || kind == FOLD_COMMA ? 2 : 1);
  e->c = c;
  if (kind == FOLD_OPEN) {
    e->outer = f->innermost;
    f->innermost = f->tail;
  } else if (kind == FOLD_CLOSE && f->innermost) {
    struct json_fold_entry *open = &f->entries[f->innermost - 1];
    open->partner = f->tail - 1;
    f->innermost = open->outer > f->head ? open->outer : 0; /* containers before the head are written apart */
  }
  return json_fold_settle(f, 0);
}

static int json_fold_run(struct json_fold *f, const char *s, size_t n, size_t columns) {
  if (f->head < f->tail && n > f->bytes / 2) { /* longer than a line */
    f->full = 1;
    if (!json_fold_settle(f, 0) || !json_fold_settle(f, f->head < f->tail)) return 0;
    f->full = 0;
  }
  if (f->head == f->tail) return json_fold_put(f, s, n, columns);
  if (n > f->bytes - f->used) json_fold_compact(f);
  if (n > f->bytes - f->used) { /* longer than a line, as a string in several pieces */
    f->full = 1;
    if (!json_fold_settle(f, 0) || !json_fold_settle(f, f->head < f->tail)) return 0;
    f->full = 0;
    return json_fold_put(f, s, n, columns);
  }
  struct json_fold_entry *last = &f->entries[f->tail - 1];
  if (last->kind == FOLD_RUN) f->columns += columns;
  else (last = json_fold_add(f, FOLD_RUN, columns))->text = f->used;
  memcpy(f->pending + f->used, s, n);
  f->used += n;
  last->n += n;
  return json_fold_settle(f, 0);
}

/* Marks, by their highest bits, which of eight bytes are `c`, and maybe some after the first of these. */
FL_INLINE uint64_t json_fold_marks(uint64_t bytes, unsigned char c) {
  const uint64_t ones = UINT64_C(0x0101010101010101), x = bytes ^ ones * c;
  return (x - ones) & ~x;
}

/* Skips bytes inside a string that are ASCII and do not end or escape; all of them unless the text ends soon. */
FL_INLINE const char *json_fold_skip(const char *p, const char *end) {
  for (; end - p >= 8; p += 8) {
    const uint64_t x = num_load8(p);
    const uint64_t stops = (x | json_fold_marks(x, '"') | json_fold_marks(x, '\\')) & UINT64_C(0x8080808080808080);
    if (stops) return p + num_first_mark(stops);
  }
  return p;
}

/* Returns the end of a run that begins or continues at p, and counts its columns. */
static const char *json_fold_run_end(struct json_fold *f, const char *p, const char *end, size_t *columns) {
  size_t n = 0;
  for (; p < end; p++) {
    const char *const from = p;
    if (f->in == FOLD_IN_STRING) {
      p = json_fold_skip(p, end);
      n += (size_t)(p - from);
      if (p == end) break;
    }
    const char c = *p;
    switch (f->in) {
    case FOLD_IN_STRING:
      if (c == '"') f->in = FOLD_IN_TEXT;
      else if (c == '\\') f->in = FOLD_IN_ESCAPE;
      break;
    case FOLD_IN_ESCAPE: f->in = FOLD_IN_STRING; break;
    case FOLD_IN_COLOR:
      if (c == 'm') f->in = FOLD_IN_TEXT;
      continue;
    default:
      if (c == '"') f->in = FOLD_IN_STRING;
      if (c == '\033') {
        f->in = FOLD_IN_COLOR;
        continue;
      }
      if ((unsigned char)c <= ' ' || c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}') {
        *columns = n;
        return p;
      }
    }
    n += ((unsigned char)c & 0xc0) != 0x80; /* count only the first byte of a character */
  }
  *columns = n;
  return p;
}

FL_PRIVATE int json_fold_feed(struct json_fold *f, const char *s, size_t n) {
  const char *p = s, *end = s + n;
  int fine = 1;
  while (fine && p < end) {
    size_t columns;
    const char *q = json_fold_run_end(f, p, end, &columns);
    if (q > p) {
      fine = json_fold_run(f, p, (size_t)(q - p), columns);
      p = q;
      continue;
    }
    switch (*p) {
    case '[':
    case '{': fine = json_fold_token(f, FOLD_OPEN, *p); break;
    case ']':
    case '}': fine = json_fold_token(f, FOLD_CLOSE, *p); break;
    case ',': fine = json_fold_token(f, FOLD_COMMA, *p); break;
    case ':': fine = json_fold_token(f, FOLD_COLON, *p); break;
    case '\n':
      if (f->level > 0 || f->innermost) break;
      fine = json_fold_settle(f, 1) && json_fold_line(f);
      break;
    default: break;
    }
    p++;
  }
  return fine;
}

FL_PRIVATE int json_fold_end(struct json_fold *f) { return json_fold_settle(f, 1); }
