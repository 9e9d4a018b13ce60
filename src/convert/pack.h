/* SPDX-License-Identifier: MIT
** pack.h -- what every walk from Lua values to a binary document shares: its state, which strings are text, which
** doubles count as integers.
** May call: base, text, binary, convert/walk.h.  Must hold: no lua_* call. */
#ifndef FLEECE_CONVERT_PACK_H
#define FLEECE_CONVERT_PACK_H

#include "../binary/encode_known.h"
#include "../text/quote.h"
#include "walk.h"

#define LB_EXACT 9007199254740992.0 /* 2^53: whole doubles up to here are the integers that they look like */

/* The strings of a walk by their addresses: while it lasts, an address means one string. */
enum { LB_KNOWN = 512 };
struct lb_known {
  const char *object;
  uint32_t walk; /* the number of the walk that knows it */
  bin_known item;
};
struct lb_strings {
  uint32_t walk; /* the number of the present one */
  struct lb_known known[LB_KNOWN];
};

struct lua_to_binary {
  struct walk *walk; /* frames, marks, style; its buffer is lent to the encoder */
  struct bin_encoder *e;
  struct lb_strings *strings;
  int data;          /* strings that are no UTF-8 become data; else they are errors */
};

/* Where all numbers are doubles: is this one meant as an integer? Not so -0.0. */
FL_INLINE int lb_is_integer(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return d >= -LB_EXACT && d <= LB_EXACT && (double)(int64_t)d == d && bits != UINT64_C(1) << 63;
}

/* Are all bytes below 128? */
FL_INLINE int lb_is_ascii(const char *s, size_t n) {
  const uint64_t high = UINT64_C(0x8080808080808080);
  uint64_t seen = 0;
  if (n >= 8) {
    size_t i = 0;
#if !defined(FLEECE_SIMD_SWAR)
    uint64_t wide = 0;
    for (; i + 32 <= n; i += 32) wide |= text_vhigh32(text_vload(s + i), text_vload(s + i + 16));
    if (wide) return 0;
#endif
    for (; i + 8 < n; i += 8) seen |= fl_load64(s + i);
    return ((seen | fl_load64(s + n - 8)) & high) == 0;
  }
  if (n >= 4) return ((fl_load32(s) | fl_load32(s + n - 4)) & (uint32_t)high) == 0;
  return n == 0 || (((uint8_t)s[0] | (uint8_t)s[n >> 1] | (uint8_t)s[n - 1]) & 0x80) == 0;
}

/* Begins a walk: nothing is known. */
FL_INLINE void lb_forget(struct lb_strings *t) {
  if (FL_UNLIKELY(++t->walk == 0)) {
    memset(t, 0, sizeof *t);
    t->walk = 1;
  }
}

FL_INLINE struct lb_known *lb_place(struct lb_strings *t, const char *object) {
  return &t->known[((uintptr_t)object >> 4 ^ (uintptr_t)object >> 13) % LB_KNOWN];
}

FL_INLINE int lb_is_text(const struct lua_to_binary *b, const char *s, size_t n) {
  return FL_LIKELY(lb_is_ascii(s, n)) || b->walk->out.utf8(s, n) == n;
}

#endif
