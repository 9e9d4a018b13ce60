/* SPDX-License-Identifier: MIT
** blocks.h -- template: the vectors of blocks_template.h on arm64, of 16 bytes.
** Must hold: the template undefines the names, but not TEXT_TARGET_. text/x86/blocks.h says what they are. */
#include "vector.h"

#define TEXT_TARGET_16
#define text_b_vector uint8x16_t
#define text_b_load(p) vld1q_u8((const uint8_t *)(const void *)(p))
#define text_b_all(c) vdupq_n_u8((uint8_t)(c))
#define text_b_or(a, b) vorrq_u8(a, b)
#define text_b_equal(a, b) vceqq_u8(a, b)
#define text_b_is_control(a) vcltq_u8(a, vdupq_n_u8(0x20))
#define text_b_is_high(a) vcltzq_s8(vreinterpretq_s8_u8(a))
#define text_b_either(a, b) text_b_or(a, b)
#define text_b_mask(v, test) (text_vmask32(test(v[0]), test(v[1])) | text_vmask32(test(v[2]), test(v[3])) << 32)
#define text_b_count(x) fl_count_bits(x)
