/* SPDX-License-Identifier: MIT
** json_to_binary.h -- JSON text to a binary document, without Lua: a sink of the one grammar.
** May call: json/scan.h, binary/encode.h.
** Must hold: the text's *end is readable and 0. Where an encoder fails the scan stops, and its error is the encoder's. */
#ifndef FLEECE_CONVERT_JSON_TO_BINARY_H
#define FLEECE_CONVERT_JSON_TO_BINARY_H

#include "../binary/encode.h"
#include "../json/scan.h"

/* The reference counts 100 containers, and one more that is empty. */
enum { JB_DEPTH_COMPATIBLE = 100 };

struct json_to_binary {
  struct json_scan scan;
  struct bin_encoder *e;
  size_t scratch_room;
  int from_lua; /* the text stands for Lua values: what the reference makes of JSON is not wanted */
  /* What a string that begins with the byte 0xff, which no text holds, stands for: see lua_to_binary.h. NULL: nothing. */
  int (*foreign)(void *owner, struct bin_encoder *e, const char *s, size_t n);
  void *foreign_owner;
};

/* Strings with escapes are put together in memory of the encoder's allocator. */
FL_FUNC char *jb_grow(void *owner, size_t n) {
  struct json_to_binary *k = (struct json_to_binary *)owner;
  const struct buffer *b = &k->e->out;
  char *block = (char *)b->alloc(b->alloc_ud, k->scratch_room ? k->scan.scratch : NULL, k->scratch_room, n);
  if (block) k->scan.scratch = block, k->scratch_room = n;
  return block;
}

FL_INLINE int jb_null(struct json_to_binary *k) { return bin_put_special(k->e, BIN_NULL); }
FL_INLINE int jb_boolean(struct json_to_binary *k, int b) { return bin_put_special(k->e, b ? BIN_TRUE : BIN_FALSE); }

FL_INLINE int jb_integer(struct json_to_binary *k, int64_t i, const char *text, size_t n) {
  (void)text, (void)n;
  return bin_put_integer(k->e, i);
}

/* -0 is an integer for the reference; otherwise it stays what it is. */
FL_INLINE int jb_number(struct json_to_binary *k, double d) {
  if (FL_UNLIKELY(d == 0) && !k->e->compact && !k->from_lua && k->scan.at[0] == '-' && k->scan.at[1] == '0' && k->scan.at[2] != '.' &&
      (k->scan.at[2] | 0x20) != 'e')
    return bin_put_signed(k->e, 0);
  return bin_put_double(k->e, d);
}

/* Beyond int64, or beyond all doubles, which only the reference takes for infinity. */
FL_NOINLINE int jb_big(struct json_to_binary *k, const char *text, size_t n, const struct num_value *v) {
  uint64_t u = 0;
  size_t i;
  if (v->kind == NUM_HUGE && (k->e->compact || k->from_lua)) {
    json_scan_error(&k->scan, JSON_CHECK_HUGE, text);
    return 0;
  }
  for (i = 0; i < n && text[i] >= '0' && text[i] <= '9' && u <= (UINT64_MAX - (uint64_t)(text[i] - '0')) / 10; i++)
    u = 10 * u + (uint64_t)(text[i] - '0');
  return i == n ? bin_put_unsigned(k->e, u) : bin_put_double(k->e, v->d);
}

FL_INLINE int jb_string(struct json_to_binary *k, const char *s, size_t n) {
  if (FL_UNLIKELY(n > 0 && (unsigned char)*s == 0xff) && k->foreign) return k->foreign(k->foreign_owner, k->e, s, n);
  return bin_put_string(k->e, s, n);
}

FL_INLINE const char *jb_guess(struct json_to_binary *k, const char *p) { return (void)k, (void)p, NULL; }
FL_INLINE int jb_name(struct json_to_binary *k, struct json_string name, const char *p, int plain) {
  (void)p, (void)plain;
  return bin_put_key(k->e, name.s, name.n);
}

FL_INLINE void jb_open(struct json_to_binary *k, enum scan_place kind) { (void)bin_begin(k->e, kind == SCAN_OBJECT); }

FL_INLINE enum scan_place jb_close(struct json_to_binary *k) {
  struct bin_encoder *e = k->e;
  if (FL_UNLIKELY(e->error)) return SCAN_STOP;
  if (FL_UNLIKELY(!e->compact && e->depth > JB_DEPTH_COMPATIBLE && e->count > e->open[e->depth - 1].first) && !k->from_lua) {
    json_scan_error(&k->scan, JSON_CHECK_DEPTH, k->scan.at);
    return SCAN_STOP;
  }
  if (FL_UNLIKELY(!bin_end(e))) return SCAN_STOP;
  return e->depth == 0 ? SCAN_ROOT : e->open[e->depth - 1].is_dict ? SCAN_OBJECT : SCAN_ARRAY;
}
FL_INLINE enum scan_place jb_close_array(struct json_to_binary *k) { return jb_close(k); }
FL_INLINE enum scan_place jb_close_object(struct json_to_binary *k) { return jb_close(k); }

#define SCAN_NAME jb_scan
#define SCAN_SINK struct json_to_binary
#define SCAN(event) jb_##event
#include "../json/scan_template.h"

/* Prepares a scan of [begin, end) into the encoder; the caller sets what it wants of k->scan, then calls jb_scan. */
FL_INLINE void jb_init(struct json_to_binary *k, struct bin_encoder *e, const char *begin, const char *end) {
  memset(k, 0, sizeof *k);
  k->e = e;
  k->scan.begin = begin;
  k->scan.end = end;
  k->scan.grow = jb_grow;
  k->scan.owner = k;
}

FL_INLINE void jb_free(struct json_to_binary *k) {
  const struct buffer *b = &k->e->out;
  if (k->scratch_room) b->alloc(b->alloc_ud, k->scan.scratch, k->scratch_room, 0);
  k->scratch_room = k->scan.room = 0;
}

#endif
