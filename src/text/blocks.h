/* SPDX-License-Identifier: MIT
** blocks.h -- 64 bytes of text as masks of 64 bits, for each size of vectors; 8 stands for words, which every CPU has.
** Must hold: a size exists if the compiler supports it. Whether the CPU does is in cpu.h. */
#pragma once

#include "../base/def.h"
#if defined(FLEECE_SIMD_SSE2)
#include <immintrin.h>
#endif

#define TEXT_B_BYTES 8
#include "blocks_template.h"
#if defined(FLEECE_SIMD_SSE2) || defined(FLEECE_SIMD_NEON)
#define TEXT_B_BYTES 16
#include "blocks_template.h"
#define TEXT_LEAST_VECTOR 16 /* bytes of the vectors that every CPU of this kind has */
#else
#define TEXT_LEAST_VECTOR 8
#endif
#if FLEECE_WIDE
#define TEXT_B_BYTES 32
#include "blocks_template.h"
#endif
#if FLEECE_WIDEST
#define TEXT_B_BYTES 64
#include "blocks_template.h"
#endif
