/* SPDX-License-Identifier: MIT
** utf8.h -- the vectors of utf8_template.h on arm64: TEXT_U_BYTES is 16.
** Must hold: the template undefines the names at its end. text/x86/utf8.h says what they are. */

#define TEXT_U_TARGET
#define text_u uint8x16_t
#define text_u_load(p) vld1q_u8((const uint8_t *)(const void *)(p))
#define text_u_table(p) text_u_load(p)
#define text_u_all(c) vdupq_n_u8((uint8_t)(c))
#define text_u_and(a, b) vandq_u8(a, b)
#define text_u_or(a, b) vorrq_u8(a, b)
#define text_u_xor(a, b) veorq_u8(a, b)
#define text_u_over(a, b) vqsubq_u8(a, b)
#define text_u_high_nibble(a) vshrq_n_u8(a, 4)
#define text_u_lookup(table, a) vqtbl1q_u8(table, a)
#define text_u_back(a, b, k) vextq_u8(b, a, 16 - (k))
#define text_u_any(a) (vmaxvq_u8(a) != 0)
#define text_u_anyhigh(a) (vmaxvq_u8(a) >= 0x80)
