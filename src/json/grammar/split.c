/* SPDX-License-Identifier: MIT */
#include "split.h"

/* A byte between documents that may belong to JSON5 white space; else it begins an invalid document. */
static void json_split_odd(struct json_split *s, char c) {
  FL_ASSERT(s->odds < sizeof s->odd);
  s->odd[s->odds++] = c;
  s->kind = SPLIT_ODD;
  if (json5_space(s->odd, s->odd + s->odds)) s->kind = SPLIT_NOTHING;
  else if (s->odds == sizeof s->odd) s->kind = SPLIT_WORD;
  if (s->kind != SPLIT_ODD) s->odds = 0;
}

/* A byte outside strings and comments. Returns 1 if the document ends after it, 2 if before it, else 0. */
FL_INLINE int json_split_text(struct json_split *s, char c, int json5, int comments) {
  if (json5 && ((unsigned char)c >= 0x80 || c == '\v' || c == '\f')) {
    if (s->kind <= SPLIT_ODD) json_split_odd(s, c);
    return s->kind == SPLIT_WORD ? 2 : 0;
  }
  if (s->kind == SPLIT_ODD) s->kind = SPLIT_WORD;
  if (s->in_list && c == ',' && s->kind == SPLIT_WORD) return 2;
  if (json_split_is_space(c) && !(s->in_list && c == 0x1e)) return s->kind == SPLIT_WORD ? 2 : 0;
  if (c == '/' && comments) {
    s->in = SPLIT_SLASH;
    return 0;
  }
  if (c == '"' || (c == '\'' && json5)) {
    if (s->kind == SPLIT_WORD) return 2;
    if (s->kind == SPLIT_NOTHING) s->kind = SPLIT_QUOTED;
    s->in = SPLIT_STRING;
    s->quote = c;
  } else if (c == '[' || c == '{') {
    if (s->kind == SPLIT_WORD) return 2;
    s->kind = SPLIT_NESTED;
    s->depth++;
  } else if (c == ']' || c == '}') {
    if (s->kind == SPLIT_WORD) return 2;
    if (s->kind == SPLIT_NOTHING) s->kind = SPLIT_WORD; /* invalid; the document ends here */
    if (s->kind == SPLIT_WORD || --s->depth == 0) return 1;
  } else if (s->kind == SPLIT_NOTHING) {
    s->kind = SPLIT_WORD;
  }
  return 0;
}

/* Counts a byte of a comment. Returns whether a comment before a document is now too long. */
FL_INLINE int json_split_comment(struct json_split *s) {
  return ++s->comment > s->most && s->most && s->kind == SPLIT_NOTHING;
}

/* Ends the document at p, after the first byte of a comment that is too long. */
FL_INLINE const char *json_split_long(struct json_split *s, const char *p) {
  s->kind = SPLIT_LONG;
  return p;
}

FL_PRIVATE const char *json_split(struct json_split *s, const char *p, const char *end, int json5, int comments) {
  const char *piece = p;
  for (; p < end; p++) {
    const char c = *p;
    switch (s->in) {
    case SPLIT_SLASH:
      s->in = c == '/' ? SPLIT_LINE : c == '*' ? SPLIT_COMMENT : SPLIT_TEXT;
      if (s->in != SPLIT_TEXT && s->kind == SPLIT_WORD) return p - 1;
      s->matched = 0;
      s->comment = 1;
      if (s->in != SPLIT_TEXT && json_split_comment(s)) return json_split_long(s, p);
      if (s->in != SPLIT_TEXT) break;
      if (s->kind == SPLIT_NOTHING) s->kind = SPLIT_WORD; /* a slash that begins no comment */
      /* fall through */
    case SPLIT_TEXT: {
      const int nothing = s->kind == SPLIT_NOTHING, ends = json_split_text(s, c, json5, comments);
      if (nothing && (s->kind != SPLIT_NOTHING || s->in == SPLIT_SLASH)) s->start = s->fed + (size_t)(p - piece);
      if (ends) return p + (ends == 1);
      break;
    }
    case SPLIT_STRING:
      if (c == '\\') s->in = SPLIT_ESCAPE;
      if (c != s->quote) break;
      s->in = SPLIT_TEXT;
      if (s->kind == SPLIT_QUOTED) return p + 1;
      break;
    case SPLIT_ESCAPE: s->in = SPLIT_STRING; break;
    case SPLIT_LINE:
      if (c == '\n' || c == '\r' || (json5 && json5_ends_line(&s->matched, c))) s->in = SPLIT_TEXT;
      else if (json_split_comment(s)) return json_split_long(s, p);
      break;
    case SPLIT_COMMENT:
    case SPLIT_STAR:
      if (json_split_comment(s)) return json_split_long(s, p);
      s->in = c == '*' ? SPLIT_STAR : c == '/' && s->in == SPLIT_STAR ? SPLIT_TEXT : SPLIT_COMMENT;
      break;
    }
  }
  s->fed += (size_t)(end - piece);
  return NULL;
}
