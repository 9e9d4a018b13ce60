/* SPDX-License-Identifier: MIT
** fault.h -- what rxi's json.lua says of a text that is not JSON: the text again, in its order, for the message.
** May call: json/grammar/lenient.h.
** Must hold: runs only after a scan has failed, and finds what failed there; *end is 0. */
#ifndef FLEECE_DROPIN_RXI_FAULT_H
#define FLEECE_DROPIN_RXI_FAULT_H

#include "lenient.h"

/* The message is `before`, a piece of the text, `after`, and the place, which may lie one behind the end. */
struct rxi_fault {
  const char *before, *after;
  const char *piece;
  size_t n;
  const char *at;
};

FL_FUNC const char *rxi_space(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  return p;
}

/* Notes the fault and answers NULL. */
FL_FUNC const char *rxi_says(struct rxi_fault *f, const char *before, const char *piece, size_t n, const char *after,
                             const char *at) {
  f->before = before, f->piece = piece, f->n = n, f->after = after, f->at = at;
  return NULL;
}

/* Behind the string at p. */
FL_FUNC const char *rxi_string(const char *p, const char *end, struct rxi_fault *f) {
  const char *open = p++;
  for (; p < end && *p != '"'; p++) {
    if ((unsigned char)*p < 0x20) return rxi_says(f, "control character in string", p, 0, "", p);
    if (*p != '\\') continue;
    if (p[1] == 'u') {
      if (json_check_hex(p + 2, end) < 0) return rxi_says(f, "invalid unicode escape in string", p, 0, "", p);
      p += 5;
    } else if (json_short_escape(p[1])) {
      p++;
    } else {
      return rxi_says(f, "invalid escape char '", p + 1, p + 1 < end, "' in string", p);
    }
  }
  return p < end ? p + 1 : rxi_says(f, "expected closing quote for string", p, 0, "", open);
}

/* Behind the number or word at p. */
FL_FUNC const char *rxi_token(const char *p, const char *end, struct rxi_fault *f) {
  static const char *const words[] = {"true", "false", "null"};
  const char *behind = json_rxi_token(p, end);
  const size_t n = (size_t)(behind - p);
  enum json_cjson_kind kind;
  double d;
  int i;
  if (*p == '-' || (*p >= '0' && *p <= '9'))
    return json_rxi_is_number(p, behind, &kind, &d) ? behind : rxi_says(f, "invalid number '", p, n, "'", p);
  for (i = 0; i < 3; i++)
    if (n == strlen(words[i]) && memcmp(p, words[i], n) == 0) return behind;
  return rxi_says(f, "invalid literal '", p, n, "'", p);
}

/* Behind the scalar at p. */
FL_FUNC const char *rxi_scalar(const char *p, const char *end, struct rxi_fault *f) {
  switch (*p) {
  case '"': return rxi_string(p, end, f);
  case '-':
  case '0':
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9':
  case 't':
  case 'f':
  case 'n': return rxi_token(p, end, f);
  default: return rxi_says(f, "unexpected character '", p, p < end, "'", p);
  }
}

/* Finds the fault of [p, end). `kinds` has a bit for each level that can be open. False: there is none. */
FL_FUNC int rxi_find_fault(const char *p, const char *end, unsigned char *kinds, struct rxi_fault *f) {
  size_t depth = 0;
  int in_array = 0;
  p = rxi_space(p);

value:
  if (*p == '{' || *p == '[') {
    kinds[depth / 8] = (unsigned char)((kinds[depth / 8] & ~(1u << depth % 8)) | (unsigned)in_array << depth % 8);
    depth++;
    in_array = *p++ == '[';
    goto item;
  }
  if (!(p = rxi_scalar(p, end, f))) return 1;

next:
  p = rxi_space(p);
  if (!depth) return p < end && !rxi_says(f, "trailing garbage", p, 0, "", p);
  if (*p == (in_array ? ']' : '}')) goto close;
  if (*p++ != ',') return !rxi_says(f, in_array ? "expected ']' or ','" : "expected '}' or ','", p, 0, "", p);

item:
  p = rxi_space(p);
  if (*p == (in_array ? ']' : '}')) goto close;
  if (in_array) goto value;
  if (*p != '"') return !rxi_says(f, "expected string for key", p, 0, "", p);
  if (!(p = rxi_string(p, end, f))) return 1;
  p = rxi_space(p);
  if (*p != ':') return !rxi_says(f, "expected ':' after key", p, 0, "", p);
  p = rxi_space(p + 1);
  goto value;

close:
  p++;
  depth--;
  in_array = kinds[depth / 8] >> depth % 8 & 1;
  goto next;
}

#endif
