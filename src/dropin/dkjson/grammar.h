/* SPDX-License-Identifier: MIT
** grammar.h -- the pieces of the texts that dkjson reads: what stands between values, strings, numbers, words. Other
** readers of texts that are not JSON use them too.
** May call: base, number, json.
** Must hold: nothing is wrong with a string or number but what LOOSE_ERRORS say; a text [begin, end), as in
** json/grammar/scan.h. */
#ifndef FLEECE_DROPIN_DKJSON_GRAMMAR_H
#define FLEECE_DROPIN_DKJSON_GRAMMAR_H

#include "../../json/grammar/json5.h"

/* Error numbers beyond those of json/grammar/check_errors.h. `at` is the value, the opening bracket or quote, or the
** colon. */
/* The kind of an array that may have names. */
#define DROPIN_LOOSE_ARRAY SCAN_OTHER

enum { LOOSE_VALUE = JSON_CHECK_COUNT, LOOSE_END, LOOSE_STRING, LOOSE_ARRAY, LOOSE_OBJECT, LOOSE_NIL };

/* The next byte that is not white space, comment or byte order mark; NULL: there is none. */
FL_FUNC const char *json_loose_space(const struct json_scan *j, const char *p) {
  for (;;) {
    while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
    if (p >= j->end) return NULL;
    if (json_starts(p, j->end, "\xef\xbb\xbf")) {
      p += 3;
    } else if (p[0] == '/' && p[1] == '/') {
      for (p += 2; p < j->end && *p != '\n' && *p != '\r';) p++;
    } else if (p[0] == '/' && p[1] == '*') {
      for (p += 2; p < j->end && !(p[0] == '*' && p[1] == '/');) p++;
      if (p == j->end) return NULL;
      p += 2;
    } else {
      return p;
    }
  }
}

/* The string whose quote is p. A backslash before what is no escape means nothing; before a u without four digits it
** is the error `bad_unicode`, if that is not 0. `unclosed`: the error where the other quote is missing. Behind the
** string, or NULL. */
FL_FUNC const char *json_loose_string(struct json_scan *j, const char *p, int unclosed, int bad_unicode,
                                      struct json_string *out) {
  const char *open = p, *q = p + 1;
  char *w;
  while (q < j->end && *q != *open) q += 1 + (*q == '\\');
  if (q >= j->end) return json_scan_error(j, unclosed, open);
  if (!(w = json_scratch(j, (size_t)(q - p)))) return NULL;
  for (p++; p < q;) {
    if (*p != '\\') {
      *w++ = *p++;
    } else if (p[1] == 'u' && json_check_hex(p + 2, j->end) >= 0) {
      w = json_unescape_unicode(j, w, &p);
    } else if (p[1] == 'u' && bad_unicode) {
      return json_scan_error(j, bad_unicode, p);
    } else {
      const char plain = json_short_escape(p[1]);
      *w++ = plain ? plain : p[1];
      p += 2;
    }
  }
  out->s = j->scratch;
  out->n = (size_t)(w - j->scratch);
  return q + 1;
}

/* A number: what Lua's tonumber takes of -?[0-9.]+[eE]?[+-]?[0-9]*, or nothing. NULL: nothing, or an error. */
FL_FUNC const char *json_loose_number(struct json_scan *j, const char *p, struct num_value *v) {
  const int negative = *p == '-';
  const char *first = p + negative, *last = first, *digits = first;
  while (json_is_digit(*last) || *last == '.') last++;
  if (last == first) return NULL;
  if ((*last | 0x20) == 'e') last++;
  if (*last == '+' || *last == '-') last++;
  while (json_is_digit(*last)) last++;
  digits += *digits == '.';
  if (!json_is_digit(*digits)) return NULL;
  return json_lenient_decimal(j, first, negative, 1, v) == last ? last : NULL;
}

enum json_loose_word { LOOSE_WORD_TRUE, LOOSE_WORD_FALSE, LOOSE_WORD_NULL };

/* A word; NULL: it is none of the three. */
FL_FUNC const char *json_loose_word(const char *p, enum json_loose_word *word) {
  static const char *const words[] = {"true", "false", "null"};
  const char *q = p;
  int i;
  while (json_is_letter(*q) || json_is_digit(*q)) q++;
  for (i = 0; i < 3; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(q - p) != n || memcmp(p, words[i], n) != 0) continue;
    *word = (enum json_loose_word)i;
    return q;
  }
  return NULL;
}

#endif
