/* SPDX-License-Identifier: MIT
** space.c -- the white space around items: what a new one gets, and what stays of a removed one.
** May call: base, json.
** Must hold: as space.h. */
#include "space.h"

enum { JSON_EDIT_COPIED = 1024 }; /* the longest white space that is copied */

/* Does a line end begin at p? Where that is doubtful (U+2028), no. */
FL_INLINE int json_edit_is_line_end(char c) { return c == '\n' || c == '\r'; }

/* Texts without comments have no slash in their white space. */
FL_PRIVATE int json_edit_has_comment(const struct json_edit *e, struct json_slice s) {
  return (e->grammar & JSON_WIDE_SPACE) && memchr(s.begin, '/', json_slice_length(s)) != NULL;
}

/* The byte after the comment at p; *line: the end of its line ends it. */
static const char *json_edit_after_comment(const struct json_edit *e, const char *p, const char *end, int *line) {
  const char *q = p + 2;
  *line = p[1] == '/';
  if (!*line) return json_comment_close(q, end);
  for (; q < end && !json_edit_is_line_end(*q); q++)
    if ((e->grammar & JSON_JSON5) && (json_starts(q, end, "\xe2\x80\xa8") || json_starts(q, end, "\xe2\x80\xa9")))
      break;
  return q;
}

/* The end of the last comment, or the beginning; *line as above. */
static const char *json_edit_last_comment(const struct json_edit *e, struct json_slice s, int *line) {
  const char *p = s.begin, *last = s.begin;
  *line = 0;
  if (!json_edit_has_comment(e, s)) return last;
  while (p < s.end) {
    if (*p++ != '/') continue;
    last = p = json_edit_after_comment(e, p - 1, s.end, line);
    FL_ASSERT(p && p <= s.end);
  }
  return last;
}

FL_PRIVATE struct json_slice json_edit_comments(const struct json_edit *e, struct json_slice s) {
  int line;
  return json_slice_of(s.begin, json_edit_last_comment(e, s, &line));
}

FL_PRIVATE struct json_slice json_edit_blanks(const struct json_edit *e, struct json_slice s) {
  int line;
  return json_slice_of(json_edit_last_comment(e, s, &line), s.end);
}

FL_PRIVATE struct json_slice json_edit_line_comment(const struct json_edit *e, struct json_slice s) {
  const char *p = s.begin, *last = s.begin;
  int line;
  if (!json_edit_has_comment(e, s)) return json_slice_of(last, last);
  while (p < s.end && !json_edit_is_line_end(*p)) {
    if (*p == '/') last = p = json_edit_after_comment(e, p, s.end, &line);
    else p++;
  }
  return json_slice_of(s.begin, p < s.end ? last : s.begin);
}

FL_PRIVATE int json_edit_starts_line(struct json_slice s) { return s.begin < s.end && json_edit_is_line_end(*s.begin); }

FL_PRIVATE int json_edit_join(struct json_edit *e, struct json_slice a, struct json_slice b, struct json_slice *out) {
  const size_t n = json_slice_length(a), m = json_slice_length(b);
  int line, open;
  char *w;
  open = n > 0 && json_edit_last_comment(e, a, &line) == a.end && line && !json_edit_starts_line(b);
  *out = b;
  if (n == 0) return 1;
  if (!(w = (char *)json_edit_memory(e, n + m + 1))) return 0;
  memcpy(w, a.begin, n);
  w[n] = '\n';
  memcpy(w + n + open, b.begin, m);
  *out = json_slice_of(w, w + n + (size_t)open + m);
  return 1;
}

FL_PRIVATE struct json_slice json_edit_last_line(struct json_slice s) {
  const char *p = s.end;
  while (p > s.begin && !json_edit_is_line_end(p[-1])) p--;
  if (p == s.begin) return json_slice_none();
  p--;
  if (*p == '\n' && p > s.begin && p[-1] == '\r') p--;
  return json_slice_of(p, s.end);
}

/* ------------------------------------------------------------------------------------- style */

static struct json_slice json_edit_short(struct json_slice s) {
  return json_slice_length(s) <= JSON_EDIT_COPIED ? s : json_slice_none();
}

FL_INLINE struct json_slice json_edit_literal(const char *s) { return json_slice_of(s, s + strlen(s)); }

FL_INLINE int json_edit_ends_blank(struct json_slice s) { return s.end > s.begin && json_is_blank(s.end[-1]); }

/* Does this list, or the one it is in, have a blank between its tokens? */
static int json_edit_is_spaced(const struct json_edit *e, const struct json_edit_list *l,
                               const struct json_edit_piece *item) {
  if (l->is_object) return json_edit_ends_blank(item->colon);
  if (!l->above) return 0;
  if (l->above->is_object) return json_edit_ends_blank(l->entry->colon);
  return json_edit_ends_blank(json_edit_blanks(e, l->entry->lead));
}

FL_PRIVATE struct json_slice json_edit_lead_like(const struct json_edit *e, const struct json_edit_list *l,
                                                 const struct json_edit_piece *last, int single) {
  struct json_slice lead = json_edit_blanks(e, last->lead);
  if (single && lead.begin == lead.end && json_edit_is_spaced(e, l, last)) return json_edit_literal(" ");
  return json_edit_short(lead);
}

FL_PRIVATE struct json_slice json_edit_colon_like(const struct json_edit *e, const struct json_edit_list *l,
                                                  const struct json_edit_piece *like) {
  while (!like || like->colon.begin == like->colon.end) {
    like = l->entry;
    l = l->above;
    if (!l) return json_edit_literal(":");
  }
  if (!json_edit_has_comment(e, like->colon) && json_slice_length(like->colon) <= JSON_EDIT_COPIED) return like->colon;
  return json_edit_literal(json_edit_ends_blank(like->colon) ? ": " : ":");
}

/* The line without the line end in front of it. */
static struct json_slice json_edit_indentation(struct json_slice line) {
  while (line.begin < line.end && json_edit_is_line_end(*line.begin)) line.begin++;
  return line;
}

FL_PRIVATE int json_edit_space_inside(struct json_edit *e, const struct json_edit_list *l, struct json_slice *lead,
                                      struct json_slice *tail) {
  struct json_slice line, inside, outside = json_slice_none();
  char *w;
  size_t n, m;
  *lead = *tail = json_slice_none();
  if (!l->above) return 1;
  line = json_edit_last_line(json_edit_blanks(e, l->entry->lead));
  if (l->above->above) outside = json_edit_last_line(json_edit_blanks(e, l->above->entry->lead));
  if (line.begin == line.end || (l->above->above && outside.begin == outside.end)) return 1;
  inside = json_edit_indentation(line);
  outside = json_edit_indentation(outside);
  n = json_slice_length(line);
  m = json_slice_length(outside);
  if (n > JSON_EDIT_COPIED || json_slice_length(inside) <= m || memcmp(inside.begin, outside.begin, m) != 0) return 1;
  inside.begin += m; /* what one level adds */
  m = json_slice_length(inside);
  if (!(w = (char *)json_edit_memory(e, n + m))) return 0;
  memcpy(w, line.begin, n);
  memcpy(w + n, inside.begin, m);
  *lead = json_slice_of(w, w + n + m);
  *tail = line;
  return 1;
}

/* The indentation of the line in which the piece begins. */
static struct json_slice json_edit_indentation_of(const struct json_edit *e, const struct json_edit_list *l,
                                                  const struct json_edit_piece *piece) {
  for (; l; piece = l->entry, l = l->above) {
    const struct json_slice line = json_edit_last_line(json_edit_blanks(e, piece->lead));
    if (line.begin < line.end) return json_edit_indentation(line);
  }
  return json_slice_none();
}

FL_PRIVATE int json_edit_indent(struct json_edit *e, const struct json_edit_list *l,
                                const struct json_edit_piece *piece, struct json_slice *value) {
  const struct json_slice by = json_edit_indentation_of(e, l, piece);
  const size_t n = json_slice_length(by);
  size_t lines = 0;
  const char *p;
  char *w, *begin;
  if (n == 0 || n > JSON_EDIT_COPIED) return 1;
  for (p = value->begin; p < value->end; p++) lines += *p == '\n';
  if (lines == 0) return 1;
  if (lines > SIZE_MAX / 8 / n) return json_edit_fail(e, JSON_EDIT_MEMORY, NULL) != NULL;
  if (!(begin = w = (char *)json_edit_memory(e, json_slice_length(*value) + lines * n + 1))) return 0;
  for (p = value->begin; p < value->end; p++) {
    *w++ = *p;
    if (*p != '\n') continue;
    memcpy(w, by.begin, n);
    w += n;
  }
  *w = 0;
  *value = json_slice_of(begin, w);
  return 1;
}
