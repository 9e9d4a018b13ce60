/* SPDX-License-Identifier: MIT
** Strict texts are scanned up to a token that fails or touches the end of the piece; that token waits for the next
** piece. Texts with comments or more white space are scanned up to the place that json_safe_end finds, before which
** all is complete. */
#include "parts.h"

enum { PART_WORD_LONGEST = 10 }; /* "-Infinity" has 9 bytes; numbers may be longer */

FL_INLINE int json_is_word_byte(const struct json_part *s, char c) {
  return json_is_number_byte(c) || (s->length < PART_WORD_LONGEST && json_is_letter(c));
}

FL_PRIVATE const char *json_token_end(struct json_part *s, const char *p, const char *end) {
  if (s->in == PART_BEGIN && p < end) {
    s->length = 0;
    switch (*p) {
    case '"':
      s->in = PART_STRING;
      p++;
      break;
    case '\xef': s->in = PART_BOM; break;
    case '-':
    case 't':
    case 'f':
    case 'n':
    case 'N':
    case 'I': s->in = PART_WORD; break;
    default:
      if (!json_is_digit(*p)) return p + 1;
      s->in = PART_WORD;
    }
  }
  for (; p < end; p++) {
    switch (s->in) {
    case PART_STRING:
      if (*p == '"') return p + 1;
      if ((unsigned char)*p < 0x20) return p + 1;
      if (*p == '\\') s->in = PART_ESCAPE;
      break;
    case PART_ESCAPE: s->in = PART_STRING; break;
    case PART_BOM:
      if (++s->length == 3) return p + 1;
      break;
    default:
      if (!json_is_word_byte(s, *p)) return p;
      s->length++;
    }
  }
  return NULL;
}

FL_PRIVATE_NOINLINE int json_is_cut(const struct json_scan *j, const char *token, enum json_expected expected) {
  struct json_part s = {PART_BEGIN, 0, 0, 0};
  FL_ASSERT(token >= j->begin && token <= j->end);
  if (j->whole) return 0;
  if (token == j->end) return 1;
  if (j->grammar & JSON_WIDE_SPACE) return 0;
  switch (expected) {
  case JSON_EXPECT_COLON:
  case JSON_EXPECT_NEXT: return 0;
  case JSON_EXPECT_NAME:
  case JSON_EXPECT_FIRST_NAME:
    if (*token != '"') return 0;
    break;
  default: break;
  }
  return json_token_end(&s, token, j->end) == NULL;
}

FL_PRIVATE const char *json_comment_end(struct json_part *s, const char *p, const char *end, int json5) {
  for (; p < end; p++) {
    const char c = *p;
    if (s->in == PART_LINE) {
      if (c == '\n' || c == '\r' || (json5 && json5_ends_line(&s->matched, c))) s->in = PART_BEGIN;
    } else {
      s->in = c == '*' ? PART_STAR : c == '/' && s->in == PART_STAR ? PART_BEGIN : PART_COMMENT;
    }
    if (s->in == PART_BEGIN) return p + 1;
  }
  return NULL;
}

FL_PRIVATE const char *json_safe_end(struct json_part *s, const char *p, const char *end, int json5) {
  for (; p < end; p++) {
    const char c = *p;
    switch (s->in) {
    case PART_STRING:
      if (c == '\\') s->in = PART_ESCAPE;
      else if (c == s->quote) s->in = PART_BEGIN;
      break;
    case PART_ESCAPE: s->in = PART_STRING; break;
    case PART_LINE:
    case PART_COMMENT:
    case PART_STAR:
      if (!(p = json_comment_end(s, p, end, json5))) return NULL;
      p--;
      break;
    case PART_SLASH:
      s->in = c == '/' ? PART_LINE : c == '*' ? PART_COMMENT : PART_BEGIN;
      s->matched = 0;
      if (s->in != PART_BEGIN) break;
      /* fall through */
    default:
      if (c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}') return p + 1;
      if (c == '/') s->in = PART_SLASH;
      if (c == '"' || (c == '\'' && json5)) s->in = PART_STRING, s->quote = c;
    }
  }
  return NULL;
}
