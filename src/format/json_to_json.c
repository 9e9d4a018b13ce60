/* SPDX-License-Identifier: MIT
** Members are sorted by name, by moving their finished texts. The order is that of the names' bytes as UTF-8,
** without escapes, in canonical JSON that of UTF-16; members with the same name keep their order. Each member's text
** ends with its comma, so the texts can be moved unchanged. */
#include "json_to_json.h"
#include "../encode/names.h"
#include "../json/events.h"

/* Reserves room for `need` members and keeps the first `keep`. */
static int reformat_reserve_members(struct json_to_json *k, struct reformat_member **array, size_t *room, size_t need,
                                    enum reformat_memory what, size_t keep) {
  size_t wider = *room ? *room : 64;
  if (need <= *room) return 1;
  while (wider < need) wider *= 2;
  struct reformat_member *block = (struct reformat_member *)k->memory(k->owner, what, wider * sizeof *block);
  if (!block) return json_fail(k->out, FL_ERROR_MEMORY) != NULL;
  if (keep) memcpy(block, *array, keep * sizeof *block);
  *array = block;
  *room = wider;
  return 1;
}

static struct reformat_member *reformat_add_member(struct json_to_json *k) {
  if (!reformat_reserve_members(k, &k->members, &k->member_room, k->member_count + 1, REFORMAT_MEMBERS,
                                k->member_count))
    return NULL;
  return &k->members[k->member_count++];
}

static int reformat_begin_object(struct json_to_json *k) {
  struct reformat_member *m = reformat_add_member(k);
  if (!m) return 0;
  m->at = k->first;
  k->first = k->member_count;
  return 1;
}

static int reformat_begin_member(struct json_to_json *k, const char *w) {
  struct reformat_member *m = reformat_add_member(k);
  if (!m) return 0;
  m->from = (size_t)(k->named - k->scan.begin);
  m->at = (size_t)(w - k->out->buffer.begin);
  return 1;
}

static void reformat_name_member(struct json_to_json *k, const char *name, size_t n) {
  struct reformat_member *m = &k->members[k->member_count - 1];
  FL_ASSERT(k->member_count > k->first);
  m->name = (size_t)(name - k->out->buffer.begin);
  m->n = n;
}

/* Returns the next character of a name with escapes; the name was checked when it was read. */
static uint32_t reformat_next_character(const char **at, const char *end) {
  const char *p = *at;
  uint32_t c, low;
  if (*p != '\\') {
    const int n = text_utf8_next(p, (size_t)(end - p), &c);
    *at = p + (n > 0 ? n : 1);
    return n > 0 ? c : (unsigned char)*p;
  }
  *at = p + 2;
  if (p[1] != 'u') return (unsigned char)text_short_escape(p[1]);
  c = (uint32_t)json_check_hex(p + 2, end);
  *at = p + 6;
  if ((c & 0xfc00) != 0xd800 || end - p < 12) return c;
  low = (uint32_t)json_check_hex(p + 8, end);
  *at = p + 12;
  return 0x10000u + ((c & 0x3ff) << 10) + (low & 0x3ff);
}

/* Returns the rank of a code point in the order of UTF-16: the surrogates come before U+E000. */
FL_INLINE uint32_t reformat_utf16_rank(uint32_t c) { return c - 0xe000 < 0x2000 ? c + 0x110000 : c; }

/* Code points are in the order of their bytes in UTF-8. */
static int reformat_compare_names(const struct json_to_json *k, const struct reformat_member *a,
                                  const struct reformat_member *b) {
  const char *text = k->out->buffer.begin;
  const int canonical = k->out->style->canonical;
  const char *p = text + a->name, *q = text + b->name, *p_end = p + a->n, *q_end = q + b->n;
  if (!memchr(p, '\\', a->n) && !memchr(q, '\\', b->n)) return encode_compare_names(canonical, p, a->n, q, b->n);
  while (p < p_end && q < q_end) {
    const uint32_t c = reformat_next_character(&p, p_end), d = reformat_next_character(&q, q_end);
    if (c != d && canonical) return reformat_utf16_rank(c) < reformat_utf16_rank(d) ? -1 : 1;
    if (c != d) return c < d ? -1 : 1;
  }
  return (p < p_end) - (q < q_end);
}

#define MERGE_NAME reformat_merge_members
#define MERGE_TYPE struct reformat_member
#define MERGE_CONTEXT const struct json_to_json *
#define MERGE_IS_AFTER(k, a, b) (reformat_compare_names(k, a, b) > 0)
#include "../base/merge_template.h"

static int reformat_are_sorted(const struct json_to_json *k, const struct reformat_member *members, size_t n) {
  while (n > 1 && reformat_compare_names(k, &members[n - 2], &members[n - 1]) <= 0) n--;
  return n <= 1;
}

/* Canonical JSON: a duplicate name is an error at its second place. The members must be sorted. */
static int reformat_refuse_duplicates(struct json_to_json *k, const struct reformat_member *sorted, size_t n) {
  if (!k->out->style->canonical) return 1;
  for (size_t i = 1; i < n; i++)
    if (reformat_compare_names(k, &sorted[i - 1], &sorted[i]) == 0)
      return json_scan_error(&k->scan, JSON_CHECK_DUPLICATE, k->scan.begin + sorted[i].from) != NULL;
  return 1;
}

/* Sorts the texts of the members, the last of which ends before `w`. Each nested object that is not sorted moves its
** whole text once more. */
static int reformat_move_members(struct json_to_json *k, struct reformat_member *members, size_t n, const char *w) {
  char *const text = k->out->buffer.begin, *to = text + members[0].at;
  const size_t begin = members[0].at, bytes = (size_t)(w - to);
  if (!reformat_reserve_members(k, &k->sorted, &k->sorted_room, n + bytes / sizeof *members + 1, REFORMAT_SORTED, 0))
    return 0;
  for (size_t i = 0; i < n; i++) members[i].bytes = (i + 1 < n ? members[i + 1].at : begin + bytes) - members[i].at;
  const struct reformat_member *sorted = reformat_merge_members(k, members, k->sorted, n, 1);
  if (!reformat_refuse_duplicates(k, sorted, n)) return 0;
  if (sorted != members) memcpy(members, sorted, n * sizeof *members);
  const char *copy = (const char *)memcpy(k->sorted, to, bytes);
  for (size_t i = 0; i < n; i++) {
    memcpy(to, copy + (members[i].at - begin), members[i].bytes);
    to += members[i].bytes;
  }
  return 1;
}

static int reformat_end_object(struct json_to_json *k, const char *w) {
  struct reformat_member *members = k->members + k->first;
  const size_t n = k->member_count - k->first;
  FL_ASSERT(k->first > 0 && k->member_count >= k->first);
  if (!(reformat_are_sorted(k, members, n) ? reformat_refuse_duplicates(k, members, n)
                                           : reformat_move_members(k, members, n, w)))
    return 0;
  k->member_count = k->first - 1;
  k->first = k->members[k->member_count].at;
  return 1;
}

FL_PRIVATE char *reformat_grow_scratch(void *owner, size_t n) {
  struct json_to_json *k = (struct json_to_json *)owner;
  return (char *)k->memory(k->owner, REFORMAT_SCRATCH, n);
}

/* Copies a part of the text; n + JSON_TEXT_ROOM bytes must be reserved. */
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

/* Reserves room for n bytes of a value or name and writes what precedes it. NULL after an error. */
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

/* Writes a number in the form that the style says, from its text s[0..n) in a text that ends at `end`. An error is
** reported at `at`. */
FL_NOINLINE int reformat_put_number_again_(struct json_to_json *k, const char *s, size_t n, const char *end,
                                           const char *at) {
  char *w = reformat_reserve(k, NUM_ROOM, REFORMAT_NUMBER, 1);
  if (!w) return 0;
  w = json_write_number_again(k->out, w, s, n, end);
  if (!w) {
    const enum fl_error error = k->out->error;
    k->out->error = FL_ERROR_NONE;
    if (error == FL_ERROR_MEMORY) return k->out->error = error, 0;
    return json_scan_error(&k->scan,
                           error == FL_ERROR_INEXACT  ? JSON_CHECK_INEXACT
                           : error == FL_ERROR_UNSAFE ? JSON_CHECK_UNSAFE
                                                      : JSON_CHECK_HUGE,
                           at) != NULL;
  }
  k->w = reformat_put_after(k, w, REFORMAT_NUMBER, 1);
  return 1;
}

/* Copies a number, or a string with its quotes, that is strict JSON in the text. */
FL_INLINE int reformat_put_verbatim(struct json_to_json *k, const char *s, size_t n, enum reformat_kind kind,
                                    int fancy) {
  if (fancy && kind == REFORMAT_NUMBER && FL_UNLIKELY(json_style_rewrites_numbers(k->out->style)))
    return reformat_put_number_again_(k, s, n, k->scan.end, s);
  char *w = reformat_reserve(k, n, kind, fancy);
  if (FL_UNLIKELY(!w)) return 0;
  if (fancy && kind == REFORMAT_NAME && k->sorts) reformat_name_member(k, w + 1, n - 2);
  k->w = reformat_put_after(k, reformat_copy(k, w, s, n), kind, fancy);
  return 1;
}

/* Writes a string of a lenient grammar, which is not strict JSON in the text. */
FL_NOINLINE int reformat_put_text_(struct json_to_json *k, const char *s, size_t n, enum reformat_kind kind) {
  char *w = reformat_reserve(k, 0, kind, 1), *begin;
  if (!w) return 0;
  const size_t at = (size_t)(w - k->out->buffer.begin);
  if (!(w = json_write_string(k->out, w, s, n, JSON_ESCAPE_JSON))) return 0;
  begin = k->out->buffer.begin + at;
  if (kind == REFORMAT_NAME && k->sorts) reformat_name_member(k, begin + 1, (size_t)(w - begin) - 2);
  if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return 0;
  k->w = reformat_put_after(k, w, kind, 1);
  return 1;
}

/* Writes a string that is strict JSON in the text, without unnecessary escapes. */
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

/* Writes the hexadecimal number at p in decimal digits. NULL if it has more than 64 bits. */
static char *reformat_hex(char *w, const char *p) {
  uint64_t u = 0;
  int digit;
  for (p += 2; (digit = text_hex_digit(*p)) >= 0; p++) {
    if (u >> 60) return NULL;
    u = u << 4 | (uint64_t)digit;
  }
  return num_write_u64(w, u);
}

/* Writes the number at p, without its sign, in the form of RFC 8259: with a digit on both sides of the point. "5." gets
** a 0, because without the point it would be an integer, which readers may keep exactly; 5.0 is a float like 5. is. */
static char *reformat_decimal(char *w, const char *p) {
  const char *q = json_skip_digits(p), *last;
  if (q == p) *w++ = '0';
  memcpy(w, p, (size_t)(q - p));
  w += q - p;
  if (*q == '.') {
    last = json_skip_digits(q + 1);
    memcpy(w, q, (size_t)(last - q));
    w += last - q;
    if (last == q + 1) *w++ = '0';
    q = last;
  }
  if ((*q | 0x20) != 'e') return w;
  last = json_skip_digits(q + 1 + (q[1] == '-' || q[1] == '+'));
  memcpy(w, q, (size_t)(last - q));
  return w + (last - q);
}

/* Writes the number at scan.at, of any grammar. */
FL_NOINLINE int reformat_put_number_(struct json_to_json *k) {
  const char *p = k->scan.at, *q = p + (*p == '-' || *p == '+');
  const int finite = (*q >= '0' && *q <= '9') || *q == '.';
  const char *end = q;
  char *w, *text;
  while (finite &&
         ((unsigned char)(*end - '0') < 10 || *end == '.' || *end == '-' || *end == '+' || (*end | 0x20) == 'e'))
    end++;
  if (!finite && k->out->style->invalid_numbers != JSON_NUMBERS_LITERAL) /* NaN, Infinity */
    return json_scan_error(&k->scan, JSON_CHECK_NUMBER, p) != NULL;
  const size_t n = (size_t)(end - p) + NUM_ROOM;
  if (!(text = w = json_scratch(&k->scan, n))) return 0;
  if (*p == '-') *w++ = '-';
  if (!finite) w = (char *)memcpy(w, *q == 'N' ? "NaN" : "Infinity", *q == 'N' ? 3 : 8) + (*q == 'N' ? 3 : 8);
  else if (k->scan.grammar & JSON_JSON5 && q[0] == '0' && (q[1] | 0x20) == 'x') w = reformat_hex(w, q);
  else w = reformat_decimal(w, q);
  if (!w) return json_scan_error(&k->scan, JSON_CHECK_INEXACT, p) != NULL;
  if (FL_UNLIKELY(json_style_rewrites_numbers(k->out->style)) && finite) {
    *w = 0;
    return reformat_put_number_again_(k, text, (size_t)(w - text), w, p);
  }
  return reformat_put_word(k, text, (size_t)(w - text), REFORMAT_NUMBER, 1);
}

FL_INLINE int reformat_put_open(struct json_to_json *k, enum scan_container kind, int fancy) {
  char *w = json_reserve(k->out, k->w, JSON_TEXT_ROOM);
  FL_ASSERT(k->scan.depth > 0 && k->scan.depth <= k->scan.max_depth);
  if (FL_UNLIKELY(!w)) return 0;
  if (fancy) {
    k->scan.depth--; /* the bracket is indented like a value of the enclosing container */
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

FL_INLINE enum scan_container reformat_container(struct json_to_json *k) {
  const enum scan_container in = json_container_at(k->objects, k->scan.depth);
  k->in_array = in == SCAN_ARRAY;
  return in;
}

FL_INLINE enum scan_container reformat_put_close(struct json_to_json *k, enum scan_container kind, int fancy) {
  char *w = json_reserve(k->out, k->w, JSON_TEXT_ROOM);
  if (FL_UNLIKELY(!w)) return SCAN_STOP;
  if (fancy && k->sorts && kind == SCAN_OBJECT && !reformat_end_object(k, w)) return SCAN_STOP;
  if (FL_LIKELY(w[-1] == ',')) {
    w--;
    if (fancy && k->out->style->indent_length && !(w = json_write_line(k->out, w, k->scan.depth))) return SCAN_STOP;
  }
  *w++ = kind == SCAN_ARRAY ? ']' : '}';
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

/* Returns whether what follows the value before p can change its meaning. A number or word at the end may continue in
** the next piece. After a whole document the last bytes may begin a comment or white space of JSON5. */
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

FL_INLINE const char *reformat_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  return json_span_string(j, p, out, &((struct json_to_json *)j->owner)->strict);
}

/* The sinks' functions, called only by json/grammar/scan_template.h as SCAN(event): reformat_plain_EVENT, and
** reformat_fancy_EVENT with lines, colours or sorting. EVENT is null, boolean, number, string, name, open, close,
** resume or reached. */
#define REFORMAT_SINK(name_of, fancy)                                                                                \
  FL_INLINE int name_of##_null(struct json_to_json *k) {                                                             \
    return reformat_put_word(k, "null", 4, REFORMAT_NULL, fancy);                                                    \
  }                                                                                                                  \
  FL_INLINE int name_of##_boolean(struct json_to_json *k, int b) {                                                   \
    return reformat_put_word(k, b ? "true" : "false", b ? 4 : 5, REFORMAT_BOOLEAN, fancy);                           \
  }                                                                                                                  \
  FL_INLINE int name_of##_number(struct json_to_json *k, const char *text, size_t n, const struct num_value *span) { \
    (void)span;                                                                                                      \
    return FL_LIKELY(!k->scan.grammar) ? reformat_put_verbatim(k, text, n, REFORMAT_NUMBER, fancy)                   \
                                       : reformat_put_number_(k);                                                    \
  }                                                                                                                  \
  FL_INLINE int name_of##_string(struct json_to_json *k, const char *s, size_t n) {                                  \
    return reformat_put_string(k, s, n, REFORMAT_STRING, fancy);                                                     \
  }                                                                                                                  \
  FL_INLINE int name_of##_name(struct json_to_json *k, struct json_string name, const char *p, int plain) {          \
    if (fancy) k->named = p;                                                                                         \
    return (void)plain, reformat_put_string(k, name.s, name.n, REFORMAT_NAME, fancy);                                \
  }                                                                                                                  \
  FL_INLINE void name_of##_open(struct json_to_json *k, enum scan_container kind) {                                  \
    (void)reformat_put_open(k, kind, fancy);                                                                         \
  }                                                                                                                  \
  FL_INLINE enum scan_container name_of##_close(struct json_to_json *k, enum scan_container kind) {                  \
    return reformat_put_close(k, kind, fancy);                                                                       \
  }                                                                                                                  \
  FL_INLINE enum scan_container name_of##_resume(struct json_to_json *k) { return reformat_container(k); }           \
  FL_INLINE int name_of##_reached(struct json_to_json *k, const char *p) { return reformat_set_reached(k, p); }

REFORMAT_SINK(reformat_plain, 0)

REFORMAT_SINK(reformat_fancy, 1)
#undef REFORMAT_SINK

/* Read the value at p and write it: without options that concern white space or names, and with them. They return the
** byte after it, or NULL with an error of the scan or the output. */
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

/* No token is longer (two escapes that make one character are 12 bytes, -Infinity 9) except for strings, comments and
** numbers; these fail with JSON_CHECK_END or JSON_CHECK_COMMENT. */
enum { REFORMAT_LONGEST = 16 };

/* Returns whether the scan may have failed only because the piece ends inside a token. */
static int reformat_may_be_cut(const struct json_to_json *k) {
  const struct json_scan *j = &k->scan;
  return k->more && !k->out->error && j->error != JSON_CHECK_MEMORY && j->error != JSON_CHECK_DEPTH &&
         (j->error == JSON_CHECK_END || j->error == JSON_CHECK_COMMENT || j->end - j->at < REFORMAT_LONGEST);
}

/* Goes back to the last value that ended, or to the beginning of the document, which may really be a comment. */
static const char *reformat_rewind(struct json_to_json *k) {
  k->w = k->out->buffer.begin + k->checkpoint.written;
  k->scan.depth = k->checkpoint.depth;
  k->scan.error = 0;
  k->strict = 0;
  k->member_count = k->checkpoint.members;
  k->first = k->checkpoint.first;
  if (k->scan.depth == 0) k->where = REFORMAT_BETWEEN;
  return k->checkpoint.p;
}

/* Skips white space and the record separators of RFC 7464. */
static const char *reformat_skip_between(struct json_to_json *k, const char *p) {
  while ((p = json_read_space(&k->scan, p)) != NULL && *p == 0x1e && k->lines) p++;
  return p;
}

/* Returns whether the value before p has ended. A number or word must be followed by white space, a bracket or a quote;
** in a lenient grammar also by a comment, other white space or a single quote. */
static int reformat_is_separated(struct json_to_json *k, const char *p) {
  if (p == k->scan.end || json_value_is_closed(p) || json_is_blank(*p)) return 1;
  if (*p == 0x1e || *p == '[' || *p == '{' || *p == '"') return 1;
  if (*p == '\'') return (k->scan.grammar & JSON_JSON5) != 0;
  return json_read_space(&k->scan, p) != p; /* a comment without an end is the next document's error */
}

/* Skips a byte order mark at the beginning of the text. */
static const char *reformat_skip_mark(struct json_to_json *k, const char *p) {
  const size_t n = (size_t)(k->scan.end - p);
  if (n < 3 && k->more && memcmp(p, "\xef\xbb\xbf", n) == 0) return p;
  k->where = REFORMAT_BETWEEN;
  if (n < 3 || memcmp(p, "\xef\xbb\xbf", 3) != 0) return p;
  return k->scan.grammar & JSON_BOM ? p + 3 : json_scan_error(&k->scan, JSON_CHECK_BOM, p);
}

/* Skips to the beginning of the next document. NULL after an error. k->where does not change if there is none yet. */
static const char *reformat_begin_document(struct json_to_json *k, const char *p) {
  const char *q = reformat_skip_between(k, p);
  if (q == k->scan.end) return k->more && (k->scan.grammar & JSON_WIDE_SPACE) ? p : q;
  if (q && k->documents > 0 && !k->lines) q = json_scan_error(&k->scan, JSON_CHECK_AFTER, q);
  if (!q) return reformat_may_be_cut(k) ? p : NULL; /* maybe the beginning of a comment or of wide space */
  k->where = REFORMAT_INSIDE;
  k->document = q;
  return reformat_set_checkpoint(k, q) ? q : NULL;
}

static const char *reformat_end_document(struct json_to_json *k, const char *p) {
  if (!reformat_is_separated(k, p)) return json_scan_error(&k->scan, JSON_CHECK_AFTER, p);
  k->documents++;
  k->where = REFORMAT_BETWEEN;
  if (k->lines) k->w[-1] = '\n';
  else k->w--;
  return reformat_set_checkpoint(k, p) ? p : NULL;
}

FL_PRIVATE const char *reformat_read(struct json_to_json *k, const char *p) {
  const int fancy = k->out->style->indent_length || k->colors || k->sorts || json_style_rewrites_numbers(k->out->style);
  if (k->where == REFORMAT_BEGIN && (!(p = reformat_skip_mark(k, p)) || k->where == REFORMAT_BEGIN)) return p;
  if (k->where == REFORMAT_INSIDE) k->checkpoint.p = p;
  for (;;) {
    if (k->where == REFORMAT_BETWEEN && (!(p = reformat_begin_document(k, p)) || k->where == REFORMAT_BETWEEN)) break;
    const char *q = fancy ? reformat_scan_fancy(k, &k->scan, p) : reformat_scan_plain(k, &k->scan, p);
    if (!q) return reformat_may_be_cut(k) ? reformat_rewind(k) : NULL;
    if (!(p = reformat_end_document(k, q))) return NULL;
  }
  if (p && !k->more && k->documents == 0 && !k->lines) return json_scan_error(&k->scan, JSON_CHECK_EMPTY, p);
  return p;
}

FL_PRIVATE_NOINLINE int reformat_is_right(struct json_to_json *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_events e;
  if (k->where == REFORMAT_BEGIN) return 1;
  if (k->where == REFORMAT_BETWEEN) {
    if (!(p = reformat_skip_between(k, p)) || p == j->end || json_is_cut_space(j, p, j->end)) return 1;
    if (k->documents > 0 && !k->lines) return json_scan_error(j, JSON_CHECK_AFTER, p) != NULL;
  }
  e.scan = *j;
  e.objects = k->objects;
  e.scan.grammar |= JSON_OPEN_END;
  e.scan.whole = 0;
  e.scan.in = j->depth == 0 ? SCAN_ROOT : fl_bit(k->objects, j->depth - 1) ? SCAN_OBJECT : SCAN_ARRAY;
  e.scan.expected = j->depth == 0 ? JSON_EXPECT_VALUE : JSON_EXPECT_NEXT;
  e.scan.at = p;
  do e.scan.stop = e.scan.at + JSON_EVENT_BYTES;
  while (!json_events_scan(&e, e.scan.at) && !e.scan.error && !e.scan.cut);
  return !e.scan.error || json_scan_error(j, e.scan.error, e.scan.at) != NULL;
}
