/* SPDX-License-Identifier: MIT
** Strict texts are scanned up to a token that fails or touches the end of the piece; it waits for the next piece. Texts
** with comments or more white space are scanned up to the place found by json_safe_end, before which everything is
** complete. */
#include "scan.h"

FL_PRIVATE_NOINLINE const char *json_scan_space_(struct json_scan *j, const char *p) {
  if (*p == ' ' && json_begins_token(p[1])) return p + 1;
  for (;;) {
    if (*p == '\n' || *p == '\r') p++;
#if !defined(FLEECE_SIMD_SWAR)
    while (j->end - p >= 32) {
      uint64_t blanks = text_vmask32(text_vis(text_vload(p), ' '), text_vis(text_vload(p + 16), ' '));
      if (blanks != 0xffffffffu) {
        p += fl_trailing_zeros(~blanks);
        break;
      }
      p += 32;
    }
#endif
    p = json_skip_blanks(p);
    if (FL_LIKELY(!(j->grammar & JSON_WIDE_SPACE)) || json_begins_token(*p)) return p;
    {
      const char *q = json_lenient_space(j, p);
      if (!q || q == p) return q;
      p = q;
    }
  }
}

FL_PRIVATE_NOINLINE const char *json_read_space(struct json_scan *j, const char *p) { return json_skip_space(j, p); }

FL_PRIVATE_NOINLINE const char *json_read_string(struct json_scan *j, const char *p, struct json_string *out) {
  return json_scan_string(j, p, out);
}

FL_PRIVATE_NOINLINE const char *json_unescape_(struct json_scan *j, const char *p, const char *q, uint64_t high,
                                               struct json_string *out) {
  const char *close = text_string_end(q, j->end, &high);
  const unsigned cpu = text_utf8_cpu(j->utf8);
  char *w;
  if (*close != '"') return json_lenient_string(j, p, out);
  if (high && j->utf8(p, (size_t)(close - p)) != (size_t)(close - p)) return json_lenient_string(j, p, out);
  if (!(w = json_scratch(j, (size_t)(close - p)))) return NULL;
  memcpy(w, p, (size_t)(q - p));
  w += q - p;
  while ((w = text_unescape(w, &q, close, j->end, cpu)), q != close) {
    if (q[1] != 'u') return json_lenient_string(j, p, out);
    if (!(w = json_unescape_unicode(j, w, &q))) return NULL;
  }
  json_set_scratch_string(j, w, out);
  return close + 1;
}

/* The part of a number that was read last. */
enum part_number {
  NUMBER_SIGN,
  NUMBER_ZERO,
  NUMBER_DIGITS,
  NUMBER_POINT,
  NUMBER_FRACTION,
  NUMBER_E,
  NUMBER_E_SIGN,
  NUMBER_EXPONENT
};

static int json_continues_number(struct json_part *s, char c) {
  const unsigned in = s->matched;
  unsigned next;
  if (json_is_digit(c)) {
    if (in == NUMBER_ZERO) return 0;
    next = in == NUMBER_SIGN    ? (c == '0' ? NUMBER_ZERO : NUMBER_DIGITS)
           : in == NUMBER_POINT ? NUMBER_FRACTION
           : in >= NUMBER_E     ? NUMBER_EXPONENT
                                : in;
  } else if (c == '.') {
    if (in != NUMBER_ZERO && in != NUMBER_DIGITS) return 0;
    next = NUMBER_POINT;
  } else if ((c | 0x20) == 'e') {
    if (in == NUMBER_SIGN || in == NUMBER_POINT || in >= NUMBER_E) return 0;
    next = NUMBER_E;
  } else {
    if (in != NUMBER_E || (c != '+' && c != '-')) return 0;
    next = NUMBER_E_SIGN;
  }
  s->matched = (unsigned char)next;
  return 1;
}

/* Returns whether a number may end before c. */
static int json_is_number_end(const struct json_part *s, char c) {
  return s->matched == NUMBER_ZERO
             ? !json_is_digit(c)
             : s->matched == NUMBER_DIGITS || s->matched == NUMBER_FRACTION || s->matched == NUMBER_EXPONENT;
}

/* Returns the word that begins with c, or "". */
static const char *json_word_of(char c) {
  return c == 't' ? "true" : c == 'f' ? "false" : c == 'n' ? "null" : c == 'N' ? "NaN" : c == 'I' ? "Infinity" : "";
}

static void json_begin_word(struct json_part *s, char c) {
  s->in = PART_WORD;
  s->quote = c;
  s->length = 1;
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
      s->in = PART_NUMBER;
      s->matched = NUMBER_SIGN;
      p++;
      break;
    default:
      if (json_is_digit(*p)) {
        s->in = PART_NUMBER;
        s->matched = *p == '0' ? NUMBER_ZERO : NUMBER_DIGITS;
      } else if (*json_word_of(*p)) {
        json_begin_word(s, *p);
      } else {
        return p + 1;
      }
      p++;
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
    case PART_NUMBER:
      if (s->matched == NUMBER_SIGN && *p == 'I') json_begin_word(s, 'I');
      else if (!json_continues_number(s, *p)) return p + !json_is_number_end(s, *p);
      break;
    default: {
      const char *word = json_word_of(s->quote);
      if (*p != word[s->length++] || !word[s->length]) return p + 1;
    }
    }
  }
  return NULL;
}

/* The scan of a part failed or reached the end at a token where this was expected. Returns whether that is only because
** the token is incomplete, so more input is needed. */
FL_NOINLINE int json_is_cut(const struct json_scan *j, const char *token, enum json_expected expected) {
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

/* Returns whether [p, end) is the incomplete beginning of a UTF-8 character. */
static int json_is_cut_utf8(const char *p, const char *end) {
  const unsigned char c = (unsigned char)*p;
  uint32_t cp;
  return p < end && c >= 0xc2 && c <= 0xf4 && text_utf8_next(p, (size_t)(end - p), &cp) == -(int)(end - p);
}

/* Returns whether [p, end) has only hexadecimal digits. */
static int json_is_hex(const char *p, const char *end) {
  while (p < end && text_hex_digit(*p) >= 0) p++;
  return p == end;
}

/* Returns whether the digits [p, end) after \u, maybe incomplete, can be a surrogate: the low one, or the high one. */
static int json_is_half(const char *p, const char *end, int low) {
  if (end - p > 0 && (*p | 0x20) != 'd') return 0;
  if (end - p > 1 && text_hex_digit(p[1]) >> 2 != (low ? 3 : 2)) return 0;
  return json_is_hex(p, end);
}

/* Returns whether [p, end), which begins with a backslash, is the beginning of an escape of the grammar. `in_name`: in
** a JSON5 name without quotes. */
static int json_is_cut_escape(const struct json_scan *j, const char *p, const char *end, int in_name) {
  const ptrdiff_t n = end - p;
  if (n < 2) return n == 1;
  if (p[1] == 'x') return (j->grammar & JSON_JSON5) && !in_name && n < 4 && json_is_hex(p + 2, end);
  if (p[1] != 'u') return (j->grammar & JSON_JSON5) && !in_name && json_is_cut_utf8(p + 1, end);
  if (n < 6) return json_is_hex(p + 2, end) && (n < 4 || j->bad_text != JSON_BAD_ERROR || !json_is_half(p + 2, end, 1));
  if (!json_is_half(p + 2, p + 6, 0) || n >= 12) return 0;
  return n < 8 ? n == 6 || p[6] == '\\' : p[6] == '\\' && p[7] == 'u' && json_is_half(p + 8, end, 1);
}

FL_PRIVATE int json_is_cut_space(const struct json_scan *j, const char *p, const char *end) {
  if (j->grammar & JSON_COMMENTS && end - p == 1 && *p == '/') return 1;
  return (j->grammar & JSON_JSON5) && json5_is_cut_space(p, end);
}

static int json_is_cut_word(const struct json_scan *j, const char *p, const char *end) {
  const char *const words[] = {"true", "false", "null", "Infinity", "NaN"};
  const int numbers = (j->grammar & (JSON_NAN_LITERALS | JSON_NAN_NULL)) != 0, json5 = (j->grammar & JSON_JSON5) != 0;
  const int sign = *p == '-' || (*p == '+' && json5);
  size_t i, from = sign ? 3 : 0;
  const size_t to = !numbers ? 3 : sign && !json5 ? 4 : 5;
  p += sign;
  for (i = from; i < to; i++)
    if ((size_t)(end - p) < strlen(words[i]) && memcmp(p, words[i], (size_t)(end - p)) == 0) return 1;
  return 0;
}

/* The string or name at `token` is invalid at j->at: returns whether only because the text ends there. */
static int json_is_cut_string(const struct json_scan *j, const char *token) {
  const int in_name = *token != '"' && *token != '\'';
  switch (j->error) {
  case JSON_CHECK_UTF8: return json_is_cut_utf8(j->at, j->end);
  case JSON_CHECK_ESCAPE:
  case JSON_CHECK_SURROGATE: return json_is_cut_escape(j, j->at, j->end, in_name);
  default: return 0;
  }
}

/* Returns whether a JSON5 name that begins or has just ended at p is incomplete there. */
static int json_is_cut_name(const struct json_scan *j, const char *p, enum json_expected expected) {
  const unsigned char before = (unsigned char)p[-1];
  if (!(j->grammar & JSON_JSON5) || !json_is_cut_utf8(p, j->end)) return 0;
  if (expected == JSON_EXPECT_NAME) return 1;
  return expected == JSON_EXPECT_COLON &&
         (json_is_letter(p[-1]) || json_is_digit(p[-1]) || before == '_' || before == '$' || before >= 0x80);
}

/* json_cut_at for a text of which only the beginning is available. Errors are found from left to right, so the text
** before the error is valid. */
static const char *json_unfinished_at(const struct json_scan *j, const char *token, enum json_expected expected) {
  const char *end = j->end;
  switch (j->error) {
  case JSON_CHECK_END: return token;
  case JSON_CHECK_COMMENT: return end;
  case JSON_CHECK_NUMBER: return j->at == end || json_is_cut_word(j, token, end) ? token : NULL;
  case JSON_CHECK_UTF8:
  case JSON_CHECK_ESCAPE:
  case JSON_CHECK_SURROGATE: return json_is_cut_string(j, token) ? token : NULL;
  case JSON_CHECK_VALUE:
    if (json_is_cut_word(j, token, end)) return token;
    break;
  case JSON_CHECK_NAME:
  case JSON_CHECK_COLON:
    if (json_is_cut_name(j, j->at, expected)) return end;
    break;
  case JSON_CHECK_ARRAY:
  case JSON_CHECK_OBJECT: break;
  default: return NULL;
  }
  return json_is_cut_space(j, j->at, end) ? end : NULL;
}

FL_PRIVATE_NOINLINE const char *json_cut_at(const struct json_scan *j, const char *token, enum json_expected expected) {
  if (j->grammar & JSON_OPEN_END) return json_unfinished_at(j, token, expected);
  return json_is_cut(j, token, expected) ? token : NULL;
}

FL_PRIVATE int json_is_open_number(const struct json_scan *j, const char *q) {
  return (j->grammar & JSON_OPEN_END) && (text_hex_digit(q[-1]) >= 0 || q[-1] == '.');
}

/* Returns the length of the escape at p, or 0 if it, or the surrogate that must follow, is incomplete. */
static size_t json_escape_so_far(const char *p, const char *end, int json5) {
  const ptrdiff_t n = end - p;
  uint32_t cp;
  if (n < 2) return 0;
  if (p[1] == 'u') {
    const int unit = json_check_hex(p + 2, end);
    if (n < 6) return 0;
    if ((unit & ~0x3ff) != 0xd800) return 6;
    if (n == 6) return 0;
    if (p[6] != '\\') return 6;
    if (n == 7) return 0;
    if (p[7] != 'u') return 6;
    if (n < 12) return json_is_half(p + 8, end, 1) ? 0 : 6;
    return (json_check_hex(p + 8, end) & ~0x3ff) == 0xdc00 ? 12 : 6;
  }
  if (!json5) return 2;
  if (p[1] == 'x') return n < 4 ? 0 : 4;
  if (p[1] == '\r') return n < 3 ? 0 : p[2] == '\n' ? 3 : 2;
  if (p[1] == '0') return n < 3 ? 0 : 2;
  if ((unsigned char)p[1] < 0x80) return 2;
  if (json_is_cut_utf8(p + 1, end)) return 0;
  const int length = text_utf8_next(p + 1, (size_t)(n - 1), &cp);
  return 1 + (size_t)(length < 0 ? -length : length);
}

FL_PRIVATE const char *json_string_so_far(const char *p, const char *end, int json5) {
  while (p < end) {
    while (end - p > 8 && text_word_is_plain(fl_load64(p), TEXT_QUOTE | TEXT_CONTROL | TEXT_HIGH)) p += 8;
    if (*p == '\\') {
      const size_t n = json_escape_so_far(p, end, json5);
      if (!n) return p;
      p += n;
    } else if ((unsigned char)*p < 0x80) {
      p++;
    } else {
      uint32_t cp;
      const int n = text_utf8_next(p, (size_t)(end - p), &cp);
      if (n < 0 && json_is_cut_utf8(p, end)) return p;
      p += n < 0 ? -n : n;
    }
  }
  return p;
}

FL_PRIVATE const char *json_number_so_far(const char *p, const char *end) {
  const char *digits = p + (*p == '-' || *p == '+');
  const int hex = end - digits >= 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x';
  if (hex && end - digits > 2) return end;
  while (end > p && !json_is_digit(end[-1])) end--;
  return end;
}
