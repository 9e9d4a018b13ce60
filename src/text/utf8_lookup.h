/* SPDX-License-Identifier: MIT
** utf8_lookup.h -- UTF-8 validation by table look-up: the tables, and an instance for each size of vectors.
** Must hold: an instance runs only on CPUs that have its instructions.
**
** After Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021). Every error in two
** neighbouring bytes can be seen in three of their nibbles: the high and the low one of the first byte, the high one of
** the second. Each of three tables says, for a nibble, which errors are possible with it; there is an error where all
** three agree. Two bytes do not show whether a third or fourth byte must continue a character: where one is due, "two
** continuations in a row" is required, not an error. */
#pragma once

#include "page_read.h"

#if defined(FLEECE_SIMD_NEON)
#include <arm_neon.h>
#elif FLEECE_WIDE
#include <immintrin.h>
#else
#include <tmmintrin.h>
#endif

/* The errors, one bit each. F_OVER4 stands for two errors that cannot occur in the same pair. */
#define F_SHORT 0x01u /* a lead byte, then no continuation */
#define F_LONG 0x02u  /* ASCII, then a continuation */
#define F_OVER3 0x04u /* e0 80..9f: fits in 2 bytes */
#define F_LARGE 0x08u /* f4 90..bf, f5..ff 90..bf: above U+10FFFF */
#define F_SURR 0x10u  /* ed a0..bf: a surrogate */
#define F_OVER2 0x20u /* c0 c1: fits in 1 byte */
#define F_OVER4 0x40u /* f0 80..8f: fits in 3 bytes; f5..ff 80..8f: above U+10FFFF */
#define F_TWO 0x80u   /* two continuations: an error unless a third or fourth byte is due */
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
/* The greatest values that the last three bytes of a vector may have if no continuation is due in the next one: the end
** of this array. */
#define ROW 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
static const uint8_t text_utf8_closed[64] = {ROW, ROW, ROW, 255, 255, 255, 255,  255,  255, 255,
                                             255, 255, 255, 255, 255, 255, 0xef, 0xdf, 0xbf};
/* A mask that keeps n bytes and clears those after them begins at 32 - n. */
static const uint8_t text_utf8_first_n[64] = {ROW, ROW};
#undef ROW

#define TEXT_U_BYTES 16
#include "utf8_template.h"
#if FLEECE_WIDE
#define TEXT_U_BYTES 32
#include "utf8_template.h"
#endif
#if FLEECE_WIDEST
#define TEXT_U_BYTES 64
#include "utf8_template.h"
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
