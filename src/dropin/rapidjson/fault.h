/* SPDX-License-Identifier: MIT
** fault.h -- what RapidJSON says of a text that is not JSON, and where: the text again, in its order.
** May call: json/grammar/scan.h, number/.
** Must hold: runs only after a scan has failed, and finds what failed there; *end is 0. */
#ifndef FLEECE_DROPIN_RAPIDJSON_FAULT_H
#define FLEECE_DROPIN_RAPIDJSON_FAULT_H

#include "../../json/grammar/scan.h"

/* RapidJSON's parse errors (rapidjson/error/en.h). */
#define RJ_FAULTS(X)                                                  \
  X(NONE, "")                                                         \
  X(EMPTY, "The document is empty.")                                  \
  X(AFTER, "The document root must not be followed by other values.") \
  X(VALUE, "Invalid value.")                                          \
  X(NAME, "Missing a name for object member.")                        \
  X(COLON, "Missing a colon after a name of object member.")          \
  X(OBJECT, "Missing a comma or '}' after an object member.")         \
  X(ARRAY, "Missing a comma or ']' after an array element.")          \
  X(HEX, "Incorrect hex digit after \\u escape in string.")           \
  X(SURROGATE, "The surrogate pair in string is invalid.")            \
  X(ESCAPE, "Invalid escape character in string.")                    \
  X(QUOTE, "Missing a closing quotation mark in string.")             \
  X(ENCODING, "Invalid encoding in string.")                          \
  X(BIG, "Number too big to be stored in double.")                    \
  X(FRACTION, "Miss fraction part in number.")                        \
  X(EXPONENT, "Miss exponent in number.")                             \
  X(STOPPED, "Terminate parsing due to Handler error.")

enum rj_fault_kind {
#define X(name, text) RJ_##name,
  RJ_FAULTS(X)
#undef X
};

struct rj_fault {
  enum rj_fault_kind kind;
  const char *at;
};

FL_FUNC const char *rj_fault_text(enum rj_fault_kind kind) {
  static const char *const texts[] = {
#define X(name, text) text,
      RJ_FAULTS(X)
#undef X
  };
  return texts[kind];
}

/* Each reader answers the byte behind what it reads, or NULL with the fault. */
FL_FUNC const char *rj_fail(struct rj_fault *f, enum rj_fault_kind kind, const char *at) {
  f->kind = kind;
  f->at = at;
  return NULL;
}

FL_FUNC const char *rj_space(const char *p) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  return p;
}

/* At the backslash of a \u escape. */
FL_FUNC const char *rj_unicode(const char *p, const char *end, struct rj_fault *f) {
  int unit = json_check_hex(p + 2, end);
  if (unit < 0) return rj_fail(f, RJ_HEX, p);
  if ((unit & 0xfc00) != 0xd800) return p + 6;
  if (p[6] != '\\' || p[7] != 'u') return rj_fail(f, RJ_SURROGATE, p);
  unit = json_check_hex(p + 8, end);
  if (unit < 0) return rj_fail(f, RJ_HEX, p);
  return (unit & 0xfc00) == 0xdc00 ? p + 12 : rj_fail(f, RJ_SURROGATE, p);
}

/* At an opening quote. */
FL_FUNC const char *rj_string(const char *p, const char *end, struct rj_fault *f) {
  p++;
  while (*p != '"') {
    if ((unsigned char)*p < 0x20) return rj_fail(f, *p ? RJ_ENCODING : RJ_QUOTE, p);
    if (*p != '\\') p++;
    else if (json_short_escape(p[1])) p += 2;
    else if (p[1] != 'u') return rj_fail(f, RJ_ESCAPE, p);
    else if (!(p = rj_unicode(p, end, f))) return NULL;
  }
  return p + 1;
}

FL_FUNC const char *rj_digits(const char *p) {
  while (*p >= '0' && *p <= '9') p++;
  return p;
}

FL_FUNC const char *rj_number(const char *begin, const char *end, struct rj_fault *f) {
  const char *p = begin + (*begin == '-'), *q;
  struct num_value v;
  if (!(*p >= '0' && *p <= '9')) return rj_fail(f, RJ_VALUE, p);
  p = *p == '0' ? p + 1 : rj_digits(p);
  if (*p == '.') {
    if ((q = rj_digits(p + 1)) == p + 1) return rj_fail(f, RJ_FRACTION, q);
    p = q;
  }
  if ((*p | 0x20) == 'e') {
    p += 1 + (p[1] == '+' || p[1] == '-');
    if ((q = rj_digits(p)) == p) return rj_fail(f, RJ_EXPONENT, p);
    p = q;
  }
  (void)num_parse(begin, end, &v);
  return v.kind == NUM_HUGE ? rj_fail(f, RJ_BIG, begin) : p;
}

/* A value that is no container. */
FL_FUNC const char *rj_scalar(const char *p, const char *end, struct rj_fault *f) {
  const char *word = *p == 'n' ? "null" : *p == 't' ? "true" : "false";
  if (*p == '"') return rj_string(p, end, f);
  if (*p != *word) return rj_number(p, end, f);
  for (; *word; word++, p++)
    if (*p != *word) return rj_fail(f, RJ_VALUE, p);
  return p;
}

/* At a name: where its value begins. */
FL_FUNC const char *rj_name(const char *p, const char *end, struct rj_fault *f) {
  if (*p != '"') return rj_fail(f, RJ_NAME, p);
  if (!(p = rj_string(p, end, f))) return NULL;
  p = rj_space(p);
  return *p == ':' ? rj_space(p + 1) : rj_fail(f, RJ_COLON, p);
}

/* Finds the fault of [p, end). `kinds` has a bit for each of max_depth + 1 levels: is it an array? False: there is
** none. */
FL_FUNC int rj_find_fault(const char *p, const char *end, uint32_t max_depth, unsigned char *kinds,
                          struct rj_fault *f) {
  size_t depth = 0;
  int in_array = 0;
  f->kind = RJ_NONE;
  p = rj_space(p);
  if (*p == 0) return rj_fail(f, RJ_EMPTY, p) == NULL;

value:
  if (*p == '{' || *p == '[') {
    if (depth == max_depth) return rj_fail(f, RJ_STOPPED, p + 1) == NULL;
    kinds[depth / 8] = (unsigned char)((kinds[depth / 8] & ~(1u << depth % 8)) | (unsigned)in_array << depth % 8);
    depth++;
    in_array = *p == '[';
    p = rj_space(p + 1);
    if (*p == (in_array ? ']' : '}')) goto close;
    if (in_array) goto value;
    goto name;
  }
  if (!(p = rj_scalar(p, end, f))) return 1;

next:
  p = rj_space(p);
  if (!depth) return p != end && rj_fail(f, RJ_AFTER, p) == NULL;
  if (*p == ',') {
    p = rj_space(p + 1);
    if (in_array) goto value;
    goto name;
  }
  if (*p != (in_array ? ']' : '}')) return rj_fail(f, in_array ? RJ_ARRAY : RJ_OBJECT, p) == NULL;

close:
  p++;
  depth--;
  in_array = kinds[depth / 8] >> depth % 8 & 1;
  goto next;

name:
  if (!(p = rj_name(p, end, f))) return 1;
  goto value;
}

#endif
