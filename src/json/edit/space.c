/* SPDX-License-Identifier: MIT
** space.c -- the white space around items: of a new one, and what is left of a removed one's.
** Must hold: as space.h. */
#include "space.h"

#include "../write/write.h"
#include "lists.h"

enum { JSON_EDIT_COPIED = 1024 }; /* longer white space is not copied */

FL_INLINE struct json_slice json_edit_literal(const char *s) { return json_slice_of(s, s + strlen(s)); }

/* Returns whether a line end surely begins with this byte, so not for U+2028. */
FL_INLINE int json_edit_is_line_end(char c) { return c == '\n' || c == '\r'; }

/* Returns the byte after the comment at p. *line: the comment ends with its line. */
static const char *json_edit_after_comment(const struct json_edit *e, const char *p, const char *end, int *line) {
  const char *q = p + 2;
  *line = p[1] == '/';
  if (!*line) return json_comment_close(q, end);
  for (; q < end && !json_edit_is_line_end(*q); q++)
    if ((e->grammar & JSON_JSON5) && (json_starts(q, end, "\xe2\x80\xa8") || json_starts(q, end, "\xe2\x80\xa9")))
      break;
  return q;
}

static int json_edit_has_line_end(struct json_slice s) {
  const size_t n = json_slice_length(s);
  return memchr(s.begin, '\n', n) || memchr(s.begin, '\r', n);
}

static struct json_edit_comment *json_edit_add_comment(struct json_edit *e, struct json_edit_space *s) {
  struct json_edit_comment *c = (struct json_edit_comment *)json_edit_memory(e, sizeof *c);
  if (!c) return NULL;
  memset(c, 0, sizeof *c);
  if (!s->comments) {
    if (!(s->comments = (struct json_edit_comments *)json_edit_memory(e, sizeof *s->comments))) return NULL;
    memset(s->comments, 0, sizeof *s->comments);
  }
  if (s->comments->last) s->comments->last->next = c;
  else s->comments->first = c;
  return s->comments->last = c;
}

/* In a text without comments no white space has a slash. */
FL_PRIVATE int json_edit_part(struct json_edit *e, struct json_edit_space *s) {
  const char *p, *end = s->blanks.end;
  if (s->is_parted) return 1;
  s->is_parted = 1;
  if (!(e->grammar & JSON_WIDE_SPACE)) return 1;
  while ((p = (const char *)memchr(s->blanks.begin, '/', json_slice_length(s->blanks))) != NULL) {
    struct json_edit_comment *c = json_edit_add_comment(e, s);
    if (!c) return 0;
    c->begins_line = json_edit_has_line_end(json_slice_of(s->blanks.begin, p));
    s->comments->lines += (size_t)c->begins_line;
    p = json_edit_after_comment(e, p, end, &c->ends_line);
    FL_ASSERT(p && p <= end);
    c->text = json_slice_of(s->blanks.begin, p);
    s->blanks.begin = p;
  }
  return 1;
}

/* Returns the first line end of the text, or a line feed if it has none; then values keep theirs. */
static struct json_slice json_edit_line_end(struct json_edit *e) {
  if (e->line_end.begin < e->line_end.end) return e->line_end;
  const char *p = (const char *)memchr(e->begin, '\n', (size_t)(e->end - e->begin));
  const char *cr = (const char *)memchr(e->begin, '\r', (size_t)((p ? p : e->end) - e->begin));
  if (cr) e->line_end = json_slice_of(cr, cr + 1 + (cr + 1 < e->end && cr[1] == '\n'));
  else e->line_end = p ? json_slice_of(p, p + 1) : json_edit_literal("\n");
  return e->line_end;
}

/* Joins a and b, of which at most one is empty. Returns 0 after an error. */
static int json_edit_concat(struct json_edit *e, struct json_slice a, struct json_slice b, struct json_slice *out) {
  const size_t n = json_slice_length(a), m = json_slice_length(b);
  char *w = (char *)json_edit_memory(e, n + m);
  if (!w) return 0;
  memcpy(w, a.begin, n);
  memcpy(w + n, b.begin, m);
  *out = json_slice_of(w, w + n + m);
  return 1;
}

static struct json_slice *json_edit_front(struct json_edit_space *s) {
  return s->comments ? &s->comments->first->text : &s->blanks;
}

static int json_edit_starts_line(struct json_slice s) { return s.begin < s.end && json_edit_is_line_end(*s.begin); }

/* Inserts the blanks, which have a line end, before s. Returns 0 after an error. */
static int json_edit_prefix(struct json_edit *e, struct json_slice blanks, struct json_edit_space *s) {
  struct json_slice *front = json_edit_front(s);
  if (!json_edit_concat(e, blanks, *front, front)) return 0;
  if (!s->comments || s->comments->first->begins_line) return 1;
  s->comments->first->begins_line = 1;
  s->comments->lines++;
  return 1;
}

FL_PRIVATE int json_edit_put_comments(struct json_edit *e, struct json_edit_comments *comments,
                                      struct json_edit_space *s) {
  if (!comments) return 1;
  if (comments->last->ends_line && !json_edit_starts_line(*json_edit_front(s)) &&
      !json_edit_prefix(e, json_edit_line_end(e), s))
    return 0;
  if (s->comments) {
    comments->last->next = s->comments->first;
    comments->last = s->comments->last;
    comments->lines += s->comments->lines;
  }
  s->comments = comments;
  return 1;
}

FL_PRIVATE struct json_edit_comments *json_edit_take_line(struct json_edit *e, struct json_edit_space *s) {
  struct json_edit_comments *all = s->comments, *line;
  struct json_edit_comment *last;
  if (!all || all->first->begins_line) return NULL;
  if (all->lines == 0) { /* all of them, if the line ends in the blanks */
    if (!json_edit_has_line_end(s->blanks)) return NULL;
    s->comments = NULL;
    return all;
  }
  for (last = all->first; !last->next->begins_line;) last = last->next;
  if (!(line = (struct json_edit_comments *)json_edit_memory(e, sizeof *line))) return NULL;
  line->first = all->first;
  line->last = last;
  line->lines = 0;
  all->first = last->next;
  last->next = NULL;
  return line;
}

/* Returns s from its last line end on, which may be two bytes. Empty if there is none, or the rest is too long. */
static struct json_slice json_edit_last_line(struct json_slice s) {
  const char *const begin = json_slice_length(s) > JSON_EDIT_COPIED ? s.end - JSON_EDIT_COPIED : s.begin, *p = s.end;
  while (p > begin && !json_edit_is_line_end(p[-1])) p--;
  if (p == begin) return json_slice_none();
  p--;
  if (*p == '\n' && p > s.begin && p[-1] == '\r') p--;
  return json_slice_of(p, s.end);
}

FL_PRIVATE int json_edit_begin_line(struct json_edit *e, struct json_slice blanks, struct json_edit_space *s) {
  const struct json_slice line = json_edit_last_line(blanks);
  struct json_slice *front = json_edit_front(s);
  if (line.begin == line.end || line.begin != blanks.begin || json_edit_starts_line(*front)) return 1;
  while (front->begin < front->end && (*front->begin == ' ' || *front->begin == '\t')) front->begin++;
  return json_edit_prefix(e, blanks, s);
}

static struct json_slice json_edit_short(struct json_slice s) {
  return json_slice_length(s) <= JSON_EDIT_COPIED ? s : json_slice_none();
}

FL_INLINE int json_edit_ends_blank(struct json_slice s) { return s.end > s.begin && json_is_blank(s.end[-1]); }

/* Returns whether this list, or its parent, has blanks between its tokens. */
static int json_edit_is_spaced(const struct json_edit_list *l, const struct json_edit_piece *item) {
  if (l->is_object) return json_edit_ends_blank(item->colon);
  if (!l->above) return 0;
  return json_edit_ends_blank(l->above->is_object ? l->entry->colon : l->entry->lead.blanks);
}

FL_PRIVATE int json_edit_lead_like(struct json_edit *e, const struct json_edit_list *l, struct json_edit_piece *last,
                                   int single, struct json_slice *lead) {
  if (!json_edit_part(e, &last->lead) || !json_edit_part(e, &l->entry->lead)) return 0;
  *lead = json_edit_short(last->lead.blanks);
  if (single && last->lead.blanks.begin == last->lead.blanks.end && json_edit_is_spaced(l, last))
    *lead = json_edit_literal(" ");
  return 1;
}

FL_PRIVATE struct json_slice json_edit_colon_like(const struct json_edit *e, const struct json_edit_list *l,
                                                  const struct json_edit_piece *like) {
  while (!like || like->colon.begin == like->colon.end) {
    like = l->entry;
    l = l->above;
    if (!l) return json_edit_literal(":");
  }
  if (json_slice_length(like->colon) <= JSON_EDIT_COPIED &&
      (!(e->grammar & JSON_WIDE_SPACE) || !memchr(like->colon.begin, '/', json_slice_length(like->colon))))
    return like->colon;
  return json_edit_literal(json_edit_ends_blank(like->colon) ? ": " : ":");
}

/* Returns the line without the line end at its beginning. */
static struct json_slice json_edit_indentation(struct json_slice line) {
  while (line.begin < line.end && json_edit_is_line_end(*line.begin)) line.begin++;
  return line;
}

FL_PRIVATE int json_edit_space_inside(struct json_edit *e, const struct json_edit_list *l, struct json_slice *lead,
                                      struct json_slice *tail) {
  struct json_slice line, inside, outside = json_slice_none();
  char *w;
  *lead = *tail = json_slice_none();
  if (!l->above) return 1;
  if (!json_edit_part(e, &l->entry->lead) || !json_edit_part(e, &l->above->entry->lead)) return 0;
  line = json_edit_last_line(l->entry->lead.blanks);
  if (l->above->above) outside = json_edit_last_line(l->above->entry->lead.blanks);
  if (line.begin == line.end || (l->above->above && outside.begin == outside.end)) return 1;
  inside = json_edit_indentation(line);
  outside = json_edit_indentation(outside);
  const size_t n = json_slice_length(line);
  size_t m = json_slice_length(outside);
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

/* Finds the line before the piece: a line end and indentation; empty if it begins in the line of another token. */
static int json_edit_line_before(struct json_edit *e, struct json_edit_piece *piece, struct json_slice *line) {
  if (!json_edit_part(e, &piece->lead)) return 0;
  *line = json_edit_last_line(piece->lead.blanks);
  return 1;
}

/* Finds the indentation of the line in which the piece begins: its own, or that of the first item beside it, or of what
** is around them. Returns 0 after an error. */
static int json_edit_indentation_of(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                    struct json_slice *by) {
  struct json_slice line = json_slice_none();
  for (; l && line.begin == line.end; piece = l->entry, l = l->above) {
    if (!json_edit_line_before(e, piece, &line)) return 0;
    if (line.begin < line.end) break;
    struct json_edit_piece *first = json_edit_first_item(e, l);
    if (e->error || (first && !json_edit_line_before(e, first, &line))) return 0;
  }
  *by = json_edit_indentation(line);
  return 1;
}

/* Removes the white space of the value. Returns 0 after an error. */
static int json_edit_join(struct json_edit *e, struct json_slice *value) {
  const size_t n = json_slice_length(*value);
  char *w = (char *)json_edit_memory(e, n + 1), *end;
  if (!w) return 0;
  memcpy(w, value->begin, n);
  end = json_remove_space(w, w + n);
  *end = 0;
  *value = json_slice_of(w, end);
  return 1;
}

/* Returns the indentation of the line of p in e->patch, or NULL. In total linear for values with line ends, because no
** line has two of them before p. */
static struct json_slice json_edit_patch_indentation(const struct json_edit *e, const char *p) {
  const char *begin = p, *end;
  if (!p) return json_slice_none();
  while (begin > e->patch && !json_edit_is_line_end(begin[-1])) begin--;
  for (end = begin; *end == ' ' || *end == '\t'; end++) continue;
  return json_slice_of(begin, end);
}

FL_PRIVATE int json_edit_indent(struct json_edit *e, struct json_edit_list *l, struct json_edit_piece *piece,
                                const char *source) {
  struct json_slice *const value = &piece->value, by, was, line_end;
  size_t lines = 0, n, m;
  char *w, *begin;
  if (!json_edit_has_line_end(*value)) return 1;
  if (e->one_line) return json_edit_join(e, value);
  was = json_edit_patch_indentation(e, source);
  if (!json_edit_indentation_of(e, l, piece, &by)) return 0;
  line_end = json_edit_line_end(e);
  const int keeps = !(line_end.begin >= e->begin && line_end.begin < e->end);
  n = json_slice_length(by);
  m = keeps ? 2 : json_slice_length(line_end);
  for (const char *p = value->begin; p < value->end; p++) lines += (size_t)json_edit_is_line_end(*p);
  if (lines > SIZE_MAX / 8 / (n + m)) return json_edit_fail(e, JSON_EDIT_MEMORY, NULL) != NULL;
  if (!(begin = w = (char *)json_edit_memory(e, json_slice_length(*value) + lines * (n + m) + 1))) return 0;
  for (const char *p = value->begin; p < value->end; p++) {
    const char *from = p;
    if (!json_edit_is_line_end(*p)) {
      *w++ = *p;
      continue;
    }
    p += *p == '\r' && p[1] == '\n';
    if (keeps) line_end = json_slice_of(from, p + 1);
    m = json_slice_length(line_end);
    memcpy(w, line_end.begin, m);
    memcpy(w + m, by.begin, n);
    w += m + n;
    for (const char *q = was.begin; q < was.end && p[1] == *q; q++) p++;
  }
  *w = 0;
  *value = json_slice_of(begin, w);
  return 1;
}
