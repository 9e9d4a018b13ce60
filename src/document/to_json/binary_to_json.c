/* SPDX-License-Identifier: MIT */
#include "binary_to_json.h"

#include "../../text/general.h"
#include "../../encode/names.h"

FL_PRIVATE_NOINLINE char *binary_to_json_put_number_kind(char *w, bin_value v, enum binary_to_json_kinds kinds) {
  const double d = bin_double(v), a = d < 0 ? -d : d;
  const int is_float = kinds == BINARY_TO_JSON_KINDS && !bin_is_double(v);
  const uint64_t bits = num_bits(d);
  struct num_decimal decimal;
  if (bits >> 63) *w++ = '-';
  if (a == 0) {
    memcpy(w, "0.0", 3);
    return w + 3;
  }
  if (is_float) decimal = num_shortest_float(num_bits(a));
  else
    decimal = bits << 12 == 0 || (bits >> 52 & 0x7ff) == 0 ? num_shortest_plain_(num_bits(a))
                                                           : num_shortest(num_bits(a));
  if (a > (is_float ? 16777216.0 : 9007199254740992.0)) return num_layout(w, decimal, 1, 0, NUM_END_BARE, 0);
  return num_layout(w, decimal, -4, 17, NUM_END_POINT_ZERO, 0);
}

FL_INLINE char *binary_to_json_put_number(struct binary_to_json *k, char *w, bin_value v) {
  if (FL_LIKELY(bin_is_integer(v))) {
    int is_big;
    const uint64_t n = bin_integer(v, &is_big);
    if (FL_LIKELY(!is_big)) return json_write_integer_styled(k->out, w, (int64_t)n);
    return json_write_unsigned_styled(k->out, w, n);
  }
  if (FL_UNLIKELY(!json_is_finite(bin_double(v)))) return json_write_nonfinite_(k->out, w, bin_double(v));
  return k->kinds ? binary_to_json_put_number_kind(w, v, k->kinds) : json_write_double_styled(k->out, w, bin_double(v));
}

FL_PRIVATE_NOINLINE char *binary_to_json_put_base64(struct json_out *out, char *w, const uint8_t *s, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (!(w = json_reserve(out, w, n / 3 * 4 + 8 + JSON_TEXT_ROOM))) return NULL;
  *w++ = '"';
  for (size_t i = 0; i < n; i += 3) {
    const size_t left = n - i;
    const uint32_t x = (uint32_t)s[i] << 16 | (left > 1 ? (uint32_t)s[i + 1] << 8 : 0) | (left > 2 ? s[i + 2] : 0u);
    *w++ = digits[x >> 18];
    *w++ = digits[x >> 12 & 63];
    *w++ = left > 1 ? digits[x >> 6 & 63] : '=';
    *w++ = left > 2 ? digits[x & 63] : '=';
  }
  *w++ = '"';
  return w;
}

/* Returns whether the name is a JSON5 identifier by the reference's rule: ASCII letters, digits, '_' and '$', not
** beginning with a digit. */
static int binary_to_json_is_bare(const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const char c = s[i];
    const int digit = c >= '0' && c <= '9';
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (digit && i > 0))) return 0;
  }
  return n > 0;
}

FL_INLINE char *binary_to_json_put_key(struct binary_to_json *k, char *w, bin_value key) {
  size_t n;
  const char *s = bin_key_text(k->doc, key, &n);
  if (FL_UNLIKELY(!s)) return json_fail(k->out, FL_ERROR_CODE);
  if (FL_UNLIKELY(k->json5) && binary_to_json_is_bare(s, n)) return json_write_raw(k->out, w, s, n);
  w = json_write_string(k->out, w, s, n, k->escape);
  if (FL_UNLIKELY(!w) && k->out->error == FL_ERROR_UTF8) k->out->error = FL_ERROR_KEY_UTF8;
  return w;
}

static void *binary_to_json_resize(struct binary_to_json *k, void *block, size_t old, size_t bytes) {
  const struct buffer *b = &k->out->buffer;
  void *to = b->alloc(b->alloc_ud, block, old, bytes);
  if (!to && bytes) json_fail(k->out, FL_ERROR_MEMORY);
  return to;
}

FL_NOINLINE int binary_to_json_grow_frames_(struct binary_to_json *k) {
  struct binary_to_json_frame *to = (struct binary_to_json_frame *)binary_to_json_resize(k, NULL, 0,
                                                                                         2 * k->room * sizeof *to);
  if (!to) return 0;
  memcpy(to, k->frames, k->room * sizeof *to);
  if (k->frames != k->first_frames) binary_to_json_resize(k, k->frames, k->room * sizeof *to, 0);
  k->frames = to;
  k->room *= 2;
  return 1;
}

static void binary_to_json_free_list(struct binary_to_json *k, struct binary_to_json_frame *f) {
  if (f->list) binary_to_json_resize(k, f->list, f->list_room * sizeof *f->list, 0);
  f->list = NULL;
}

/* A name that is compared in the form in which it is written, one part at a time. */
struct binary_to_json_name {
  const char *s, *end;
  size_t at, n; /* position in the part, and its length */
  char part[16];
};

/* Reads the next character, or the bytes written for it. Returns 0 at the end of the name. */
static int binary_to_json_next_part(struct binary_to_json_name *name, const struct text_style *style) {
  uint32_t cp;
  if (name->at < name->n) return 1;
  if (name->s == name->end) return 0;
  int n = text_utf8_next(name->s, (size_t)(name->end - name->s), &cp);
  if (n < 0) n = -n;
  name->at = 0;
  name->n = (size_t)(text_mend(name->part, name->s, (size_t)n, style) - name->part);
  name->s += n;
  return 1;
}

/* Compares two names as written, where the style replaces invalid UTF-8. */
static int binary_to_json_compare_written(const struct binary_to_json *k, const char *as, size_t an, const char *bs,
                                          size_t bn) {
  const struct text_style *style = &k->out->style->text;
  struct binary_to_json_name x, y;
  x.s = as, x.end = as + an;
  y.s = bs, y.end = bs + bn;
  x.at = x.n = y.at = y.n = 0;
  for (;;) {
    const int more_x = binary_to_json_next_part(&x, style), more_y = binary_to_json_next_part(&y, style);
    int order;
    if (!more_x || !more_y) return more_x - more_y;
    const size_t n = x.n - x.at < y.n - y.at ? x.n - x.at : y.n - y.at;
    if ((order = memcmp(x.part + x.at, y.part + y.at, n)) != 0) return order;
    x.at += n, y.at += n;
  }
}

/* Compares two names. Strings are in order already and not compared, which saves time for long ones. */
static int binary_to_json_compare(const struct binary_to_json *k, const struct binary_to_json_pair *a,
                                  const struct binary_to_json_pair *b) {
  const int canonical = k->out->style->canonical;
  const int in_order = !canonical && bin_tag(a->key) == BIN_TAG_STRING && bin_tag(b->key) == BIN_TAG_STRING;
  size_t an = 0, bn = 0;
  int order;
  const char *as = bin_key_text(k->doc, a->key, &an), *bs = bin_key_text(k->doc, b->key, &bn);
  if (!as || !bs) return 0;
  if (encode_mends(k->out->style) && (order = binary_to_json_compare_written(k, as, an, bs, bn)) != 0) return order;
  if (in_order) return 0;
  return canonical ? text_compare_utf16(as, an, bs, bn) : bin_compare_bytes(as, an, bs, bn);
}

#define MERGE_NAME binary_to_json_merge
#define MERGE_TYPE struct binary_to_json_pair
#define MERGE_CONTEXT const struct binary_to_json *
#define MERGE_IS_AFTER(k, a, b) (binary_to_json_compare(k, a, b) > 0)
#include "../../base/merge_template.h"

static int binary_to_json_reserve_pairs(struct binary_to_json *k, struct binary_to_json_frame *f, size_t need) {
  size_t room = f->list_room ? 2 * f->list_room : 64;
  struct binary_to_json_pair *to;
  if (FL_LIKELY(need <= f->list_room)) return 1;
  if (room < need) room = need;
  to = (struct binary_to_json_pair *)binary_to_json_resize(k, f->list, f->list_room * sizeof *to, room * sizeof *to);
  if (!to) return 0;
  f->list = to;
  f->list_room = room;
  return 1;
}

/* Lists the pairs of a dict that has parents or must be sorted by name. Duplicate names keep their order. */
FL_NOINLINE int binary_to_json_list_pairs_(struct binary_to_json *k, struct binary_to_json_frame *f, bin_value v) {
  struct bin_pairs pairs;
  bin_pairs_begin(&pairs, k->doc, v);
  while (bin_next_pair(&pairs)) {
    if (!binary_to_json_reserve_pairs(k, f, f->list_count + 1)) return 0;
    f->list[f->list_count].key = pairs.key;
    f->list[f->list_count++].value = pairs.value;
  }
  if (k->out->style->sort_keys && f->list_count > 1) {
    const size_t n = f->list_count;
    if (!binary_to_json_reserve_pairs(k, f, 2 * n)) return 0;
    const struct binary_to_json_pair *sorted = binary_to_json_merge(k, f->list, f->list + n, n, 1);
    if (sorted != f->list) memcpy(f->list, sorted, n * sizeof *sorted);
    for (size_t i = 1; k->out->style->canonical && i < n; i++)
      if (binary_to_json_compare(k, &f->list[i - 1], &f->list[i]) == 0)
        return json_fail(k->out, FL_ERROR_SAME_NAME) != NULL;
  }
  f->item = f->end; /* a dict without pairs has no list */
  return 1;
}

FL_INLINE int binary_to_json_open(struct binary_to_json *k, bin_value v) {
  struct bin_list l = bin_list_of(v);
  FL_ASSERT(k->depth <= k->room);
  if (FL_UNLIKELY(k->depth >= k->max_depth)) return json_fail(k->out, FL_ERROR_DEPTH) != NULL;
  if (FL_UNLIKELY(k->depth == k->room) && !binary_to_json_grow_frames_(k)) return 0;
  struct binary_to_json_frame *f = &k->frames[k->depth++];
  f->is_dict = bin_tag(v) == BIN_TAG_DICT;
  f->width = l.width;
  f->first = f->item = l.first;
  f->end = l.first + ((size_t)l.count << f->is_dict) * l.width;
  f->list = NULL;
  f->list_at = f->list_count = f->list_room = 0;
  if (FL_UNLIKELY(f->is_dict && (bin_has_parent(&l) || k->out->style->canonical ||
                                 (k->out->style->sort_keys && (bin_uses_codes(&l) || encode_mends(k->out->style))))))
    return binary_to_json_list_pairs_(k, f, v);
  return 1;
}

/* Returns the next value of the innermost collection, with its key in a dict, or NULL at the end. Skips undefined
** members. */
FL_INLINE int binary_to_json_next(struct binary_to_json *k, struct binary_to_json_frame *f, bin_value *key,
                                  bin_value *value) {
  FL_ASSERT(f->item <= f->end && f->list_at <= f->list_count && f->list_count <= f->list_room);
  if (FL_LIKELY(!f->list && !f->is_dict)) {
    if (f->item == f->end) return 0;
    *value = bin_item_value(k->doc, f->item, f->width);
    f->item += f->width;
    return 1;
  }
  do {
    if (FL_UNLIKELY(f->list != NULL)) {
      if (f->list_at == f->list_count) return 0;
      *key = f->list[f->list_at].key;
      *value = f->list[f->list_at++].value;
      continue;
    }
    if (f->item == f->end) return 0;
    *key = bin_item_value(k->doc, f->item, f->width);
    *value = bin_item_value(k->doc, f->item + f->width, f->width);
    f->item += 2 * f->width;
  } while (FL_UNLIKELY(bin_is_undefined(*value)));
  return 1;
}

/* Writes a scalar. JSON_TEXT_ROOM bytes must be reserved. */
FL_INLINE char *binary_to_json_put_scalar(struct binary_to_json *k, char *w, bin_value v) {
  size_t n;
  const char *s;
  switch (bin_tag(v)) {
  case BIN_TAG_STRING: s = bin_bytes(v, &n); return json_write_string(k->out, w, s, n, k->escape);
  case BIN_TAG_DATA: s = bin_bytes(v, &n); return binary_to_json_put_base64(k->out, w, (const uint8_t *)s, n);
  case BIN_TAG_SPECIAL:
    if (bin_type_of(v) != BIN_TYPE_BOOLEAN) s = "null", n = 4;
    else if (bin_is_true(v)) s = "true", n = 4;
    else s = "false", n = 5;
    memcpy(w, s, n);
    return w + n;
  default: return binary_to_json_put_number(k, w, v);
  }
}

static char *binary_to_json_walk(struct binary_to_json *k, char *w, bin_value v) {
  const int lines = k->out->style->indent_length != 0;
  for (;;) {
    struct binary_to_json_frame *f;
    bin_value key = NULL;
    if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return NULL;
    if (FL_UNLIKELY((size_t)(w - k->out->buffer.begin) > k->max_bytes)) return json_fail(k->out, FL_ERROR_BYTES);
    if (bin_is_collection(v)) {
      if (FL_UNLIKELY(!binary_to_json_open(k, v))) return NULL;
      *w++ = k->frames[k->depth - 1].is_dict ? '{' : '[';
    } else {
      if (FL_UNLIKELY(!(w = binary_to_json_put_scalar(k, w, v)))) return NULL;
      *w++ = ',';
    }
    for (;;) { /* close the collections that end here */
      if (k->depth == 0) return w - 1;
      f = &k->frames[k->depth - 1];
      if (FL_LIKELY(binary_to_json_next(k, f, &key, &v))) break;
      if (w[-1] == ',') {
        w--;
        if (lines && !(w = json_write_line(k->out, w, k->indent + k->depth - 1))) return NULL;
      }
      if (!(w = json_reserve(k->out, w, JSON_TEXT_ROOM))) return NULL;
      *w++ = f->is_dict ? '}' : ']';
      *w++ = ',';
      binary_to_json_free_list(k, f);
      k->depth--;
    }
    if (lines && !(w = json_write_line(k->out, w, k->indent + k->depth))) return NULL;
    if (f->is_dict) {
      if (FL_UNLIKELY(!(w = binary_to_json_put_key(k, w, key)))) return NULL;
      *w++ = ':';
      if (lines) *w++ = ' ';
    }
  }
}

/* Writes one step of the path: .name, ["other"] or [7]. Does not test for room. NULL if the collection was not read. */
static char *binary_to_json_put_step(const struct binary_to_json *k, const struct binary_to_json_frame *f, char *w) {
  enum { LONGEST = 64 };
  char shown[4 * LONGEST], *end;
  bin_value key;
  const char *s;
  size_t n;
  int bare;
  if (f->list ? f->list_at == 0 : f->item == f->first) return NULL;
  if (!f->is_dict) {
    *w++ = '[';
    w = num_write_u64(w, (uint64_t)(f->item - f->first) / f->width);
    *w++ = ']';
    return w;
  }
  key = f->list ? f->list[f->list_at - 1].key : bin_item_value(k->doc, f->item - 2 * f->width, f->width);
  if (!(s = bin_key_text(k->doc, key, &n))) return NULL;
  bare = n <= LONGEST && binary_to_json_is_bare(s, n) && !memchr(s, '$', n);
  if (n > LONGEST) n = text_cut(s, n, LONGEST);
  memcpy(w, bare ? "." : "[\"", 2);
  w += bare ? 1 : 2;
  do end = text_show(shown, s, n);
  while (end - shown > LONGEST && (n = text_cut(s, n, n - 1)) > 0);
  memcpy(w, shown, (size_t)(end - shown));
  w += end - shown;
  memcpy(w, "\"]", 2);
  return bare ? w : w + 2;
}

FL_NOINLINE void binary_to_json_note_path_(struct binary_to_json *k) {
  char *w = k->path;
  for (size_t i = 0; i < k->depth && w; i++) {
    if ((size_t)(w - k->path) > sizeof k->path - 80) {
      memcpy(w, "...", 3);
      k->path_length = (size_t)(w - k->path) + 3;
      return;
    }
    if (!(w = binary_to_json_put_step(k, &k->frames[i], w))) return;
    k->path_length = (size_t)(w - k->path);
  }
}

/* Returns whether one value is the cause, so that its path helps. */
static int binary_to_json_is_of_a_value(enum fl_error error) {
  return error == FL_ERROR_NAN || error == FL_ERROR_INFINITE || error == FL_ERROR_INEXACT || error == FL_ERROR_UNSAFE ||
         error == FL_ERROR_UTF8;
}

FL_PRIVATE char *binary_to_json_write(struct binary_to_json *k, char *w, bin_value v) {
  k->frames = k->first_frames;
  k->depth = 0;
  k->room = BINARY_TO_JSON_FRAMES;
  k->path_length = 0;
  w = binary_to_json_walk(k, w, v);
  if (FL_UNLIKELY(!w) && binary_to_json_is_of_a_value(k->out->error)) binary_to_json_note_path_(k);
  if (w && (size_t)(w - k->out->buffer.begin) > k->max_bytes) w = json_fail(k->out, FL_ERROR_BYTES);
  while (k->depth > 0) binary_to_json_free_list(k, &k->frames[--k->depth]);
  if (k->frames != k->first_frames) binary_to_json_resize(k, k->frames, k->room * sizeof *k->frames, 0);
  return w;
}
