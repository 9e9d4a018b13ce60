/* SPDX-License-Identifier: MIT
** A field without a colon has an empty value, and one blank after the colon is not part of the value. A byte order
** mark before the stream is dropped; an incomplete one is the beginning of a field without a meaning. */
#include "sse.h"

static const char *const text_sse_names[] = {"data", "event", "id", "retry"};

enum { TEXT_SSE_LONGEST = 6, TEXT_SSE_ALL = (1 << TEXT_SSE_OTHER) - 1 };

static void text_sse_add_to_name(struct text_sse *t, char c) {
  for (int i = 0; i < TEXT_SSE_OTHER; i++)
    if (strlen(text_sse_names[i]) <= t->length || text_sse_names[i][t->length] != c)
      t->matches &= (unsigned char)~(1u << i);
  if (t->length < TEXT_SSE_LONGEST) t->length++;
}

static enum text_sse_kind text_sse_begin_field(struct text_sse *t, enum text_sse_in in) {
  t->field = TEXT_SSE_OTHER;
  for (int i = 0; i < TEXT_SSE_OTHER; i++)
    if (t->matches >> i & 1 && strlen(text_sse_names[i]) == t->length) t->field = (enum text_sse_field)i;
  t->in = in;
  return TEXT_SSE_BEGIN;
}

/* Skips a byte order mark at the beginning. Returns 0 if the piece ends in it. */
static int text_sse_skip_mark(struct text_sse *t, const char **p, const char *end) {
  static const char mark[] = "\xef\xbb\xbf";
  while (t->mark < 3) {
    if (*p == end) return 0;
    if (**p != mark[t->mark]) {
      if (t->mark) t->in = TEXT_SSE_NAME, t->matches = 0;
      t->mark = 3;
      break;
    }
    ++*p;
    t->mark++;
  }
  return 1;
}

FL_INLINE int text_sse_is_end(char c) { return c == '\n' || c == '\r'; }

/* Returns the first line end of [p, end), or `end`. It looks in blocks of growing length: where one of the two
** characters is frequent, the whole text must not be searched for the other one each time. */
static const char *text_sse_line_end(const char *p, const char *end) {
  size_t most = 32, n;
  for (; p < end; p += n, most *= 2) {
    n = (size_t)(end - p) < most ? (size_t)(end - p) : most;
    const char *feed = (const char *)memchr(p, '\n', n);
    const char *cr = (const char *)memchr(p, '\r', feed ? (size_t)(feed - p) : n);
    if (cr) return cr;
    if (feed) return feed;
  }
  return end;
}

static void text_sse_end_line(struct text_sse *t, const char **p) {
  t->cr = **p == '\r';
  ++*p;
  t->in = TEXT_SSE_START;
  t->matches = TEXT_SSE_ALL;
  t->length = 0;
}

FL_PRIVATE enum text_sse_kind text_sse_next(struct text_sse *t, const char **p, const char *end, const char **s,
                                            size_t *n) {
  if (FL_UNLIKELY(t->mark < 3)) {
    if (!t->mark && *p < end) t->matches = TEXT_SSE_ALL;
    if (!text_sse_skip_mark(t, p, end)) return TEXT_SSE_NOTHING;
  }
  while (t->in == TEXT_SSE_LAST || *p < end) {
    switch (t->in) {
    case TEXT_SSE_START:
      if (t->cr && **p == '\n') {
        t->cr = 0;
        ++*p;
        break;
      }
      t->cr = 0;
      if (text_sse_is_end(**p)) {
        text_sse_end_line(t, p);
        return TEXT_SSE_BLANK;
      }
      t->in = **p == ':' ? TEXT_SSE_COMMENT : TEXT_SSE_NAME;
      break;
    case TEXT_SSE_NAME:
      if (text_sse_is_end(**p)) return text_sse_begin_field(t, TEXT_SSE_LAST);
      if (**p == ':') {
        ++*p;
        return text_sse_begin_field(t, TEXT_SSE_COLON);
      }
      text_sse_add_to_name(t, *(*p)++);
      break;
    case TEXT_SSE_COLON:
      *p += **p == ' ';
      t->in = TEXT_SSE_VALUE;
      break;
    case TEXT_SSE_VALUE:
      *s = *p;
      *p = text_sse_line_end(*p, end);
      *n = (size_t)(*p - *s);
      if (*p < end) t->in = TEXT_SSE_LAST;
      if (*n > 0) return TEXT_SSE_PART;
      break;
    case TEXT_SSE_COMMENT:
      *p = text_sse_line_end(*p, end);
      if (*p < end) text_sse_end_line(t, p);
      break;
    case TEXT_SSE_LAST: text_sse_end_line(t, p); return TEXT_SSE_END;
    }
  }
  return TEXT_SSE_NOTHING;
}
