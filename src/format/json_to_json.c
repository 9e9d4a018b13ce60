/* SPDX-License-Identifier: MIT */
#include "json_to_json.h"

FL_PRIVATE char *reformat_grow_scratch(void *owner, size_t n) {
  struct json_to_json *k = (struct json_to_json *)owner;
  return (char *)k->memory(k->owner, REFORMAT_SCRATCH, n);
}

/* ------------------------------------------------------------------------------------- pieces of text */

/* Copies a piece of the text; n + JSON_TEXT_ROOM bytes are reserved. */
FL_INLINE char *reformat_copy(const struct json_to_json *k, char *w, const char *s, size_t n) {
  FL_ASSERT(s + n <= k->scan.end);
#if !defined(FLEECE_SIMD_SWAR)
  if (FL_LIKELY(n <= 32) && FL_LIKELY(k->scan.end - s >= 32)) {
    text_v a = text_vload(s), b = text_vload(s + 16);
    text_vstore(w, a);
    text_vstore(w + 16, b);
    return w + n;
  }
#endif
  (void)k;
  memcpy(w, s, n);
  return w + n;
}

FL_NOINLINE char *reformat_color_(char *w, enum reformat_kind kind) {
  static const char colors[][REFORMAT_COLOR_ROOM] = {"\033[90m", "\033[33m", "\033[36m", "\033[32m", "\033[34;1m"};
  const size_t n = strlen(colors[kind]);
  memcpy(w, colors[kind], n);
  return w + n;
}

/* Writes what precedes a value or a name if the output has lines or colours, and begins the member if it is sorted. */
FL_NOINLINE char *reformat_put_before_(struct json_to_json *k, char *w, enum reformat_kind kind) {
  if (kind == REFORMAT_NAME && k->sorts && !reformat_begin_member(k, w)) return NULL;
  if (k->out->style->indent_length && (kind == REFORMAT_NAME || k->in_array)) {
    w = json_write_line(k->out, w, k->scan.depth);
    if (!w) return NULL;
  }
  return k->colors && kind != REFORMAT_BRACKET ? reformat_color_(w, kind) : w;
}

/* Writes what follows: a comma after a value, a colon after a name. */
FL_INLINE char *reformat_put_after(const struct json_to_json *k, char *w, enum reformat_kind kind, int fancy) {
  if (fancy && k->colors) {
    memcpy(w, "\033[0m", 4);
    w += 4;
  }
  *w++ = kind == REFORMAT_NAME ? ':' : ',';
  if (fancy && kind == REFORMAT_NAME && k->out->style->indent_length) *w++ = ' ';
  return w;
}

/* Reserves room for n bytes of a value or name and writes what precedes it; NULL: an error. */
FL_INLINE char *reformat_reserve(struct json_to_json *k, size_t n, enum reformat_kind kind, int fancy) {
  char *w = json_reserve(k->out, k->w, n + JSON_TEXT_ROOM);
  if (!fancy || FL_UNLIKELY(!w) || !(w = reformat_put_before_(k, w, kind))) return w;
  return json_reserve(k->out, w, n + JSON_TEXT_ROOM);
}

FL_INLINE int reformat_put_word(struct json_to_json *k, const char *word, size_t n, enum reformat_kind kind,
                                int fancy) {
  char *w = reformat_reserve(k, n, kind, fancy);
  if (FL_UNLIKELY(!w)) return 0;
  memcpy(w, word, n);
  k->w = reformat_put_after(k, w + n, kind, fancy);
  return 1;
}

/* Writes a number in canonical form, from its text s[0..n) in a text that ends at `end`. An error is one at `at`. */
FL_NOINLINE int reformat_put_canonical_number_(struct json_to_json *k, const char *s, size_t n, const char *end,
                                               const char *at) {
  char *w = reformat_reserve(k, NUM_ROOM, REFORMAT_NUMBER, 1);
  enum fl_error error;
  if (!w) return 0;
  w = json_write_canonical_number(k->out, w, s, n, end);
  if (!w) {
    error = k->out->error;
    k->out->error = FL_ERROR_NONE;
    return json_scan_error(&k->scan, error == FL_ERROR_INEXACT ? JSON_CHECK_INEXACT : JSON_CHECK_HUGE, at) != NULL;
  }
  k->w = reformat_put_after(k, w, REFORMAT_NUMBER, 1);
  return 1;
}

/* Copies a number, or a string with its quotes, that is strict JSON in the text. */
FL_INLINE int reformat_put_verbatim(struct json_to_json *k, const char *s, size_t n, enum reformat_kind kind,
                                    int fancy) {
  char *w;
  if (fancy && kind == REFORMAT_NUMBER && FL_UNLIKELY(k->out->style->canonical))
    return reformat_put_canonical_number_(k, s, n, k->scan.end, s);
  w = reformat_reserve(k, n, kind, fancy);
  if (FL_UNLIKELY(!w)) return 0;
  if (fancy && kind == REFORMAT_NAME && k->sorts) reformat_name_member(k, w + 1, n - 2);
  k->w = reformat_put_after(k, reformat_copy(k, w, s, n), kind, fancy);
  return 1;
}

/* Writes a string of a lenient grammar, which is not strict JSON in the text. */
FL_NOINLINE int reformat_put_text_(struct json_to_json *k, const char *s, size_t n, enum reformat_kind kind) {
  char *w = reformat_reserve(k, 0, kind, 1), *begin;
  size_t at;
  if (!w) return 0;
  at = (size_t)(w - k->out->buffer.begin);
  if (!(w = json_write_string(k->out, w, s, n, JSON_ESCAPE_JSON))) return 0;
  begin = k->out->buffer.begin + at;
  if (kind == REFORMAT_NAME && k->sorts) reformat_name_member(k, begin + 1, (size_t)(w - begin) - 2);
  if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return 0;
  k->w = reformat_put_after(k, w, kind, 1);
  return 1;
}

/* Writes a string that is strict JSON in the text with no escape that is not needed. */
FL_NOINLINE int reformat_put_canonical_string_(struct json_to_json *k, const char *s, enum reformat_kind kind) {
  struct json_string meant;
  return json_read_string(&k->scan, s, &meant) && reformat_put_text_(k, meant.s, meant.n, kind);
}

FL_INLINE int reformat_put_string(struct json_to_json *k, const char *s, size_t n, enum reformat_kind kind, int fancy) {
  if (FL_UNLIKELY(!k->strict)) return reformat_put_text_(k, s, n, kind);
  k->strict = 0;
  if (fancy && FL_UNLIKELY(k->out->style->canonical) && memchr(s, '\\', n))
    return reformat_put_canonical_string_(k, s, kind);
  return reformat_put_verbatim(k, s - 1, n + 2, kind, fancy);
}

/* ------------------------------------------------------------------------------------- numbers of JSON5 */

/* Writes the hexadecimal number at p in decimal digits; NULL: it has more than 64 bits. */
static char *reformat_hex(char *w, const char *p) {
  uint64_t u = 0;
  int digit;
  for (p += 2; (digit = json_check_hex_digit(*p)) >= 0; p++) {
    if (u >> 60) return NULL;
    u = u << 4 | (uint64_t)digit;
  }
  return num_write_u64(w, u);
}

/* Writes the number at p, without its sign, in the form of RFC 8259: with a digit on both sides of the point. */
static char *reformat_decimal(char *w, const char *p) {
  const char *q = json_skip_digits(p);
  if (q == p) *w++ = '0';
  memcpy(w, p, (size_t)(q - p));
  w += q - p;
  if (*q == '.') {
    p = q;
    q = json_skip_digits(p + 1);
    if (q > p + 1) {
      memcpy(w, p, (size_t)(q - p));
      w += q - p;
    }
  }
  if ((*q | 0x20) != 'e') return w;
  p = q;
  q = json_skip_digits(p + 1 + (p[1] == '-' || p[1] == '+'));
  memcpy(w, p, (size_t)(q - p));
  return w + (q - p);
}

/* Writes the number at scan.at, of any grammar. */
FL_NOINLINE int reformat_put_number_(struct json_to_json *k) {
  const char *p = k->scan.at, *q = p + (*p == '-' || *p == '+');
  const int finite = (*q >= '0' && *q <= '9') || *q == '.';
  const char *end = q;
  char *w, *text;
  size_t n;
  while (finite &&
         ((unsigned char)(*end - '0') < 10 || *end == '.' || *end == '-' || *end == '+' || (*end | 0x20) == 'e'))
    end++;
  if (!finite && k->out->style->invalid_numbers != JSON_NUMBERS_LITERAL) /* NaN, Infinity */
    return json_scan_error(&k->scan, JSON_CHECK_NUMBER, p) != NULL;
  n = (size_t)(end - p) + NUM_ROOM;
  if (!(text = w = json_scratch(&k->scan, n))) return 0;
  if (*p == '-') *w++ = '-';
  if (!finite) w = (char *)memcpy(w, *q == 'N' ? "NaN" : "Infinity", *q == 'N' ? 3 : 8) + (*q == 'N' ? 3 : 8);
  else if (k->scan.grammar & JSON_JSON5 && q[0] == '0' && (q[1] | 0x20) == 'x') w = reformat_hex(w, q);
  else w = reformat_decimal(w, q);
  if (!w) return json_scan_error(&k->scan, JSON_CHECK_INEXACT, p) != NULL;
  if (FL_UNLIKELY(k->out->style->canonical)) {
    *w = 0;
    return reformat_put_canonical_number_(k, text, (size_t)(w - text), w, p);
  }
  return reformat_put_word(k, text, (size_t)(w - text), REFORMAT_NUMBER, 1);
}

/* ------------------------------------------------------------------------------------- containers */

FL_INLINE int reformat_put_open(struct json_to_json *k, enum scan_container kind, int fancy) {
  char *w = json_reserve(k->out, k->w, JSON_TEXT_ROOM);
  FL_ASSERT(k->scan.depth > 0 && k->scan.depth <= k->scan.max_depth);
  if (FL_UNLIKELY(!w)) return 0;
  if (fancy) {
    k->scan.depth--; /* the bracket is indented like a value of the container around it */
    w = reformat_put_before_(k, w, REFORMAT_BRACKET);
    k->scan.depth++;
    if (!w || (kind == SCAN_OBJECT && k->sorts && !reformat_begin_object(k))) return 0;
  }
  k->in_array = kind == SCAN_ARRAY;
  fl_set_bit(k->objects, k->scan.depth - 1, kind == SCAN_OBJECT);
  *w++ = kind == SCAN_ARRAY ? '[' : '{';
  k->w = w;
  return 1;
}

/* The kind of the innermost container. */
FL_INLINE enum scan_container reformat_container(struct json_to_json *k) {
  k->in_array = 0;
  if (k->scan.depth == 0) return SCAN_ROOT;
  if (fl_bit(k->objects, k->scan.depth - 1)) return SCAN_OBJECT;
  k->in_array = 1;
  return SCAN_ARRAY;
}

FL_INLINE enum scan_container reformat_put_close(struct json_to_json *k, char bracket, int fancy) {
  char *w = json_reserve(k->out, k->w, JSON_TEXT_ROOM);
  if (FL_UNLIKELY(!w)) return SCAN_STOP;
  if (fancy && k->sorts && bracket == '}' && !reformat_end_object(k, w)) return SCAN_STOP;
  if (FL_LIKELY(w[-1] == ',')) {
    w--;
    if (fancy && k->out->style->indent_length && !(w = json_write_line(k->out, w, k->scan.depth))) return SCAN_STOP;
  }
  *w++ = bracket;
  *w++ = ',';
  k->w = w;
  return reformat_container(k);
}

FL_PRIVATE_NOINLINE int reformat_drain_(struct json_to_json *k, size_t keep) {
  struct buffer *b = &k->out->buffer;
  const size_t n = (size_t)(k->w - b->begin) - keep;
  FL_ASSERT((size_t)(k->w - b->begin) >= keep);
  if (!k->drain(k->drain_ud, b->begin, n)) return json_fail(k->out, FL_ERROR_SINK) != NULL;
  memmove(b->begin, b->begin + n, keep);
  k->w = b->begin + keep;
  return 1;
}

/* Can what follows the value before p change its meaning? A number or word at the end may continue in the next piece.
** After a whole document the last bytes may begin a comment or white space of JSON5. */
static int reformat_is_open(const struct json_to_json *k, const char *p) {
  const size_t n = (size_t)(k->scan.end - p);
  if (json_value_is_closed(p)) return 0;
  return n == 0 || (k->scan.depth == 0 && k->scan.grammar & JSON_WIDE_SPACE &&
                    ((n == 1 && *p == '/') || (n < 3 && (unsigned char)*p >= 0x80)));
}

FL_INLINE int reformat_set_reached(struct json_to_json *k, const char *p) {
  if (FL_UNLIKELY(k->scan.end - p < 3) && k->more && reformat_is_open(k, p))
    return json_scan_error(&k->scan, JSON_CHECK_END, p) != NULL;
  return reformat_set_checkpoint(k, p);
}

/* ------------------------------------------------------------------------------------- the two sinks */

FL_INLINE const char *reformat_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  return json_span_string(j, p, out, &((struct json_to_json *)j->owner)->strict);
}

/* The sinks' functions, called only by json/grammar/scan_template.h as SCAN(event): reformat_plain_EVENT, and
** reformat_fancy_EVENT with lines, colours or sorting. EVENT is null, boolean, integer, number, big, string, guess,
** name, open, close_array, close_object, resume or reached. */
#define REFORMAT_SINK(name_of, fancy)                                                                             \
  FL_INLINE int name_of##_null(struct json_to_json *k) {                                                          \
    return reformat_put_word(k, "null", 4, REFORMAT_NULL, fancy);                                                 \
  }                                                                                                               \
  FL_INLINE int name_of##_boolean(struct json_to_json *k, int b) {                                                \
    return reformat_put_word(k, b ? "true" : "false", b ? 4 : 5, REFORMAT_BOOLEAN, fancy);                        \
  }                                                                                                               \
  FL_INLINE int name_of##_integer(struct json_to_json *k, int64_t i, const char *text, size_t n) {                \
    (void)i;                                                                                                      \
    return FL_LIKELY(!k->scan.grammar) ? reformat_put_verbatim(k, text, n, REFORMAT_NUMBER, fancy)                \
                                       : reformat_put_number_(k);                                                 \
  }                                                                                                               \
  FL_INLINE int name_of##_number(struct json_to_json *k, double d) { return (void)d, reformat_put_number_(k); }   \
  FL_INLINE int name_of##_big(struct json_to_json *k, const char *text, size_t n, const struct num_value *v) {    \
    return (void)text, (void)n, (void)v, reformat_put_number_(k);                                                 \
  }                                                                                                               \
  FL_INLINE int name_of##_string(struct json_to_json *k, const char *s, size_t n) {                               \
    return reformat_put_string(k, s, n, REFORMAT_STRING, fancy);                                                  \
  }                                                                                                               \
  FL_INLINE const char *name_of##_guess(struct json_to_json *k, const char *p) { return (void)k, (void)p, NULL; } \
  FL_INLINE int name_of##_name(struct json_to_json *k, struct json_string name, const char *p, int plain) {       \
    if (fancy) k->named = p;                                                                                      \
    return (void)plain, reformat_put_string(k, name.s, name.n, REFORMAT_NAME, fancy);                             \
  }                                                                                                               \
  FL_INLINE void name_of##_open(struct json_to_json *k, enum scan_container kind) {                               \
    (void)reformat_put_open(k, kind, fancy);                                                                      \
  }                                                                                                               \
  FL_INLINE enum scan_container name_of##_close_array(struct json_to_json *k) {                                   \
    return reformat_put_close(k, ']', fancy);                                                                     \
  }                                                                                                               \
  FL_INLINE enum scan_container name_of##_close_object(struct json_to_json *k) {                                  \
    return reformat_put_close(k, '}', fancy);                                                                     \
  }                                                                                                               \
  FL_INLINE enum scan_container name_of##_resume(struct json_to_json *k) { return reformat_container(k); }        \
  FL_INLINE int name_of##_reached(struct json_to_json *k, const char *p) { return reformat_set_reached(k, p); }

REFORMAT_SINK(reformat_plain, 0)

REFORMAT_SINK(reformat_fancy, 1)
#undef REFORMAT_SINK

#define SCAN_NAME reformat_scan_plain
#define SCAN_SINK struct json_to_json
#define SCAN_STRING reformat_scan_string
#define SCAN_NUMBER json_span_number
#define SCAN_RESUMES
#define SCAN(event) reformat_plain_##event
#include "../json/grammar/scan_template.h"

#define SCAN_NAME reformat_scan_fancy
#define SCAN_SINK struct json_to_json
#define SCAN_STRING reformat_scan_string
#define SCAN_NUMBER json_span_number
#define SCAN_RESUMES
#define SCAN(event) reformat_fancy_##event
#include "../json/grammar/scan_template.h"
