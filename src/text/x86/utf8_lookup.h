/* SPDX-License-Identifier: MIT
** utf8_lookup.h -- UTF-8 validation by table lookup: the tables, and an instance for each size of vector words.
** May call: utf8_template.h.  Must hold: an instance runs only where its words' instructions exist.
**
** After Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021). Every fault of
** two neighbouring bytes shows in three of their nibbles: the high and the low one of the first byte, the
** high one of the second. Each of three tables says, per nibble, which faults it does not rule out; a fault
** is real where all three agree. What two bytes cannot show is whether a third or fourth byte must
** continue: there, "two continuations in a row" is no fault but a duty. */
#ifndef FLEECE_TEXT_X86_UTF8_LOOKUP_H
#define FLEECE_TEXT_X86_UTF8_LOOKUP_H

#include "../page_read.h"

#if defined(FLEECE_SIMD_NEON)
#include <arm_neon.h>
#elif FLEECE_WIDE
#include <immintrin.h>
#else
#include <tmmintrin.h>
#endif

/* The faults, one bit each. F_OVER4 serves two faults that no byte pair can share. */
#define F_SHORT 0x01u /* a lead byte, then no continuation */
#define F_LONG 0x02u  /* ASCII, then a continuation */
#define F_OVER3 0x04u /* e0 80..9f: fits in 2 bytes */
#define F_LARGE 0x08u /* f4 90..bf, f5..ff 90..bf: above U+10FFFF */
#define F_SURR 0x10u  /* ed a0..bf: a surrogate */
#define F_OVER2 0x20u /* c0 c1: fits in 1 byte */
#define F_OVER4 0x40u /* f0 80..8f: fits in 3 bytes; f5..ff 80..8f: above U+10FFFF */
#define F_TWO 0x80u   /* two continuations: a fault unless a third or fourth byte is due */
#define F_ANY_LOW (F_SHORT | F_LONG | F_TWO)
#define F_CONT (F_LONG | F_OVER2 | F_TWO)

/* clang-format off */
static const uint8_t text_utf8_first_high[16] = {
  F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_LONG, F_TWO, F_TWO, F_TWO, F_TWO,
  F_SHORT | F_OVER2, F_SHORT, F_SHORT | F_OVER3 | F_SURR, F_SHORT | F_LARGE | F_OVER4
};
static const uint8_t text_utf8_first_low[16] = {
  F_ANY_LOW | F_OVER2 | F_OVER3 | F_OVER4, F_ANY_LOW | F_OVER2, F_ANY_LOW, F_ANY_LOW, F_ANY_LOW | F_LARGE,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4 | F_SURR,
  F_ANY_LOW | F_LARGE | F_OVER4, F_ANY_LOW | F_LARGE | F_OVER4
};
static const uint8_t text_utf8_second_high[16] = {
  F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT, F_SHORT,
  F_CONT | F_OVER3 | F_OVER4, F_CONT | F_OVER3 | F_LARGE, F_CONT | F_SURR | F_LARGE, F_CONT | F_SURR | F_LARGE,
  F_SHORT, F_SHORT, F_SHORT, F_SHORT
};
/* clang-format on */
/* What the last three bytes of a word may be at most, for nothing to be due in the next: its end. */
#define ROW 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
static const uint8_t text_utf8_closed[64] = {ROW, ROW, ROW, 255, 255, 255, 255,  255,  255, 255,
                                             255, 255, 255, 255, 255, 255, 0xef, 0xdf, 0xbf};
/* From 32 - n on: n bytes that let through, and as many as a word has that do not. */
static const uint8_t text_utf8_first_n[64] = {ROW, ROW};
#undef ROW

#define TEXT_U_BYTES 16
#include "../utf8_template.h"
#if FLEECE_WIDE
#define TEXT_U_BYTES 32
#include "../utf8_template.h"
#endif
#if FLEECE_WIDEST
#define TEXT_U_BYTES 64
#include "../utf8_template.h"
#endif

#undef F_SHORT
#undef F_LONG
#undef F_OVER3
#undef F_LARGE
#undef F_SURR
#undef F_OVER2
#undef F_OVER4
#undef F_TWO
#undef F_ANY_LOW
#undef F_CONT

#endif
