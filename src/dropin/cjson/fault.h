/* SPDX-License-Identifier: MIT
** fault.h -- what lua-cjson says of a text that is not JSON: the tokens again, as it names them, for the
** message.
** May call: json/grammar/lenient.h.
** Must hold: runs only after a scan has failed, and finds what failed there; *end is 0. */
#ifndef FLEECE_DROPIN_CJSON_FAULT_H
#define FLEECE_DROPIN_CJSON_FAULT_H

#include "lenient.h"

struct cjson_fault {
  const char *expected, *found; /* NULL: nested too deep */
  const char *at;
};

struct cjson_reader {
  const char *p, *end;
  unsigned grammar;
  const char *at; /* where the last token begins, or is wrong */
};

/* The tokens, by the names in messages. */
static const char cjson_object[] = "T_OBJ_BEGIN", cjson_object_end[] = "T_OBJ_END", cjson_array[] = "T_ARR_BEGIN",
                  cjson_array_end[] = "T_ARR_END", cjson_string[] = "T_STRING", cjson_number[] = "T_NUMBER",
                  cjson_integer[] = "T_INTEGER", cjson_boolean[] = "T_BOOLEAN", cjson_null[] = "T_NULL",
                  cjson_colon[] = "T_COLON", cjson_comma[] = "T_COMMA", cjson_end[] = "T_END",
                  cjson_invalid[] = "invalid token";

/* Past white space and comments; NULL: a comment has no end. */
FL_FUNC const char *cjson_skip(struct cjson_reader *r) {
  const char *p = r->p;
  for (;;) {
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    if (!(r->grammar & JSON_COMMENTS) || *p != '/' || (p[1] != '/' && p[1] != '*')) return p;
    if (p[1] == '/') {
      while (p < r->end && *p != '\n') p++;
    } else {
      for (p += 2; *p != '*' || p[1] != '/'; p++)
        if (p == r->end) return NULL;
      p += 2;
    }
  }
}

/* A \u escape at p: how many bytes it has, with its other half; 0: it is invalid. */
FL_FUNC unsigned cjson_unicode_bytes(const char *p, const char *end) {
  int unit = json_check_hex(p + 2, end);
  if (unit < 0 || (unit & 0xfc00) == 0xdc00) return 0;
  if ((unit & 0xfc00) != 0xd800) return 6;
  if (p[6] != '\\' || p[7] != 'u') return 0;
  return (json_check_hex(p + 8, end) & ~0x3ff) == 0xdc00 ? 12 : 0;
}

FL_FUNC const char *cjson_next_string(struct cjson_reader *r) {
  const char *p = r->p + 1;
  while (*p != '"') {
    unsigned n = *p != '\\' ? 1 : json_short_escape(p[1]) ? 2 : p[1] == 'u' ? cjson_unicode_bytes(p, r->end) : 0;
    if (*p == 0 || n == 0) {
      r->at = p;
      return *p == 0 ? "unexpected end of string" : p[1] == 'u' ? "invalid unicode escape code" : "invalid escape code";
    }
    p += n;
  }
  r->p = p + 1;
  return cjson_string;
}

/* A number: an integer by its form if no more than digits stand behind a sign. */
FL_FUNC const char *cjson_next_number(struct cjson_reader *r) {
  enum json_cjson_kind kind;
  double d;
  const char *p = r->p, *behind = json_cjson_number(p, r->grammar, &kind, &d);
  if (!behind) return "invalid number";
  r->p = behind;
  p = json_digits(p + (*p == '-' || *p == '+'));
  return kind == JSON_CJSON_DECIMAL && p == behind && (*p | 0x20) != 'e' && *p != 'x' ? cjson_integer : cjson_number;
}

/* The name of the next token, or what is wrong with it. */
FL_FUNC const char *cjson_next(struct cjson_reader *r) {
  /* clang-format off */
  static const struct { char byte; const char *name; } single[] = {
      {'{', cjson_object}, {'}', cjson_object_end}, {'[', cjson_array}, {']', cjson_array_end},
      {':', cjson_colon},  {',', cjson_comma}};
  /* clang-format on */
  static const struct {
    const char *text, *name;
  } words[] = {{"true", cjson_boolean}, {"false", cjson_boolean}, {"null", cjson_null}};
  const char *p = cjson_skip(r);
  size_t i;
  r->at = r->p = p ? p : r->end;
  if (!p) return "unclosed multi-line comment";
  if (*p == 0) return cjson_end;
  for (i = 0; i < sizeof single / sizeof *single; i++) {
    if (*p != single[i].byte) continue;
    r->p = p + 1;
    return single[i].name;
  }
  if (*p == '"') return cjson_next_string(r);
  if (*p == '-' || (*p >= '0' && *p <= '9')) return cjson_next_number(r);
  for (i = 0; i < sizeof words / sizeof *words; i++) {
    if (!json_starts(p, r->end, words[i].text)) continue;
    r->p = p + strlen(words[i].text);
    return words[i].name;
  }
  if ((r->grammar & JSON_CJSON_NUMBERS) && (*p == '+' || json_is_inf_or_nan(p))) return cjson_next_number(r);
  return cjson_invalid;
}

FL_FUNC int cjson_is_scalar(const char *token) {
  return token == cjson_string || token == cjson_number || token == cjson_integer || token == cjson_boolean ||
         token == cjson_null;
}

/* Finds the fault of [p, end). `kinds` has a bit for each of max_depth + 1 levels. False: there is none. */
FL_FUNC int cjson_find_fault(const char *p, const char *end, unsigned grammar, uint32_t max_depth, unsigned char *kinds,
                             struct cjson_fault *fault) {
  enum { VALUE, ITEM_OR_END, NAME, NAME_OR_END, COLON, NEXT } state = VALUE;
  static const char *const expected[] = {"value", "value", "object key string", "object key string", "colon"};
  struct cjson_reader r;
  size_t depth = 0;
  int in_array = 0;
  r.p = p, r.end = end, r.grammar = grammar;
  for (;;) {
    const char *token = cjson_next(&r), *close = in_array ? cjson_array_end : cjson_object_end;
    fault->found = token, fault->at = r.at;
    fault->expected = state != NEXT ? expected[state]
                      : !depth      ? "the end"
                      : in_array    ? "comma or array end"
                                    : "comma or object end";
    if (state == NEXT && !depth) return token != cjson_end;
    if (token == close && depth && (state == NEXT || state == ITEM_OR_END || state == NAME_OR_END)) {
      depth--;
      in_array = kinds[depth / 8] >> depth % 8 & 1;
      state = NEXT;
    } else if (state == NEXT && token == cjson_comma) {
      state = in_array ? VALUE : NAME;
    } else if ((state == NAME || state == NAME_OR_END) && token == cjson_string) {
      state = COLON;
    } else if (state == COLON && token == cjson_colon) {
      state = VALUE;
    } else if (state > ITEM_OR_END) {
      return 1;
    } else if (token == cjson_object || token == cjson_array) {
      if (depth == max_depth) {
        fault->expected = NULL;
        return 1;
      }
      kinds[depth / 8] = (unsigned char)((kinds[depth / 8] & ~(1u << depth % 8)) | (unsigned)in_array << depth % 8);
      depth++;
      in_array = token == cjson_array;
      state = in_array ? ITEM_OR_END : NAME_OR_END;
    } else if (cjson_is_scalar(token)) {
      state = NEXT;
    } else {
      return 1;
    }
  }
}

#endif
