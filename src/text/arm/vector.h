/* SPDX-License-Identifier: MIT
** vector.h -- vectors of 16 bytes for the string algorithms, on arm64.
** Must hold: little-endian lanes; Advanced SIMD, which every arm64 has. text/x86/vector.h has the
** same functions and says what they do. */
#pragma once

#include "../escape_table.h"
#include <arm_neon.h>

typedef uint8x16_t text_v;

FL_INLINE text_v text_vload(const char *s) { return vld1q_u8((const uint8_t *)s); }
FL_INLINE void text_vstore(char *w, text_v v) { vst1q_u8((uint8_t *)w, v); }
FL_INLINE text_v text_vzero(void) { return vdupq_n_u8(0); }
FL_INLINE text_v text_vor(text_v a, text_v b) { return vorrq_u8(a, b); }
FL_INLINE text_v text_vis(text_v v, char c) { return vceqq_u8(v, vdupq_n_u8((uint8_t)c)); }

/* 0xff in the lanes that are in `set` (a constant). The xor with 2 moves '"' to the control bytes. */
FL_INLINE text_v text_vhits(text_v v, const unsigned set) {
  text_v hit = text_vzero();
  if ((set & TEXT_CONTROL) && (set & TEXT_QUOTE)) {
    hit = vcleq_u8(veorq_u8(v, vdupq_n_u8(2)), vdupq_n_u8(0x20));
  } else if (set & TEXT_CONTROL) {
    hit = vcltq_u8(v, vdupq_n_u8(0x20));
  } else if (set & TEXT_QUOTE) {
    hit = text_vis(v, '"');
  }
  if (set & TEXT_QUOTE) hit = text_vor(hit, text_vis(v, '\\'));
  if (set & TEXT_SLASH) hit = text_vor(hit, text_vis(v, '/'));
  if (set & TEXT_DEL) hit = text_vor(hit, text_vis(v, 127));
  return hit;
}

/* 0xff in the lanes that are in `set` and in those of 128 and above. */
FL_INLINE text_v text_vmarks(text_v v, const unsigned set) {
  return text_vor(text_vhits(v, set), vcltzq_s8(vreinterpretq_s8_u8(v)));
}

/* Returns whether any lane of the four vectors is in `set`. */
FL_INLINE int text_vany4(text_v a, text_v b, text_v c, text_v d, const unsigned set) {
  text_v ab = text_vor(text_vhits(a, set), text_vhits(b, set));
  text_v cd = text_vor(text_vhits(c, set), text_vhits(d, set));
  return vmaxvq_u8(text_vor(ab, cd)) != 0;
}

/* Returns whether any lane of the four vectors is a quote or a control character. */
FL_INLINE int text_vany_ends(text_v a, text_v b, text_v c, text_v d) {
  const text_v two = vdupq_n_u8(2);
  return vminvq_u8(vminq_u8(vminq_u8(veorq_u8(a, two), veorq_u8(b, two)),
                            vminq_u8(veorq_u8(c, two), veorq_u8(d, two)))) <= 0x20;
}

FL_INLINE text_v text_vfill(char c) { return vdupq_n_u8((uint8_t)c); }

/* Returns the letter after the backslash of each lane's two-character escape, or 0. */
FL_INLINE text_v text_vletters(text_v v) {
#define TEXT_VTO(c, letter) vandq_u8(text_vis(v, c), vdupq_n_u8((letter) - (c)))
  const text_v to = text_vor(text_vor(TEXT_VTO('\b', 'b'), TEXT_VTO('\t', 't')),
                             text_vor(text_vor(TEXT_VTO('\n', 'n'), TEXT_VTO('\f', 'f')), TEXT_VTO('\r', 'r')));
  const text_v letters = vaddq_u8(v, to);
  return vandq_u8(letters, vandq_u8(vcgtq_u8(letters, vdupq_n_u8(0x1f)), vcltq_u8(letters, vdupq_n_u8(127))));
#undef TEXT_VTO
}

/* Stores the lanes of a and b alternately, 32 bytes. */
FL_INLINE void text_vstore_pairs(char *w, text_v a, text_v b) {
  vst1q_u8((uint8_t *)w, vzip1q_u8(a, b));
  vst1q_u8((uint8_t *)w + 16, vzip2q_u8(a, b));
}

/* Returns v with TEXT_PURGE_CHAR in the lanes of m. */
FL_INLINE text_v text_vstar(text_v v, text_v m) { return vbslq_u8(m, vdupq_n_u8(TEXT_PURGE_CHAR), v); }

/* One bit per lane of 0xff, the lowest lane first. NEON has no movemask: each lane gets the bit of its position within
** eight, then neighbours are added three times. */
FL_INLINE uint64_t text_vmask32(text_v a, text_v b) {
  static const uint8_t place[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t bit = vld1q_u8(place);
  uint8x16_t sum = vpaddq_u8(vandq_u8(a, bit), vandq_u8(b, bit));
  sum = vpaddq_u8(sum, sum);
  sum = vpaddq_u8(sum, sum);
  return vgetq_lane_u32(vreinterpretq_u32_u8(sum), 0);
}
/* One bit per lane of 0x80 and above. */
FL_INLINE uint64_t text_vhigh32(text_v a, text_v b) {
  return text_vmask32(vcltzq_s8(vreinterpretq_s8_u8(a)), vcltzq_s8(vreinterpretq_s8_u8(b)));
}
FL_INLINE int text_vanyhigh(text_v m) { return vmaxvq_u8(m) >= 0x80; }
