/* SPDX-License-Identifier: MIT
** quote.h -- copies the bytes of a string and escapes some: the instances, one per set of characters.
** Must hold: w has room for 6n + 64 bytes, n <= TEXT_PIECE_MAX. */
#pragma once

/* Callers cut longer strings (text_cut in general.h), which bounds the room that one call needs. */
#define TEXT_PIECE_MAX 8192u

#include "portable/quote.h"

#if defined(FLEECE_SIMD_SSE2)
#include "x86/vector.h"
#include "quote_template.h"
#elif defined(FLEECE_SIMD_NEON)
#include "arm/vector.h"
#include "quote_template.h"
#endif

/* The instances. json is RFC 8259, del the same and 127; e0 to e4 are the levels E0
** to E4 of the manual's option `flags`. */
#define TEXT_ESCAPES(X)                        \
  X(json, TEXT_QUOTE | TEXT_CONTROL)           \
  X(del, TEXT_QUOTE | TEXT_CONTROL | TEXT_DEL) \
  X(e0, 0u)                                    \
  X(e1, TEXT_QUOTE | TEXT_STAR)                \
  X(e2, TEXT_QUOTE)                            \
  X(e3, TEXT_QUOTE | TEXT_SLASH)               \
  X(e4, TEXT_QUOTE | TEXT_SLASH | TEXT_CONTROL | TEXT_DEL)

/* TEXT_SET_json ...: the sets by name. */
#define TEXT_SET(name, set) TEXT_SET_##name = (int)(set),
enum { TEXT_ESCAPES(TEXT_SET) TEXT_SETS_END };
#undef TEXT_SET

/* char *text_escape_NAME(char *w, const char *s, size_t n, unsigned *high)
** Writes s[0..n) at w, escaped, without quotes; returns the end. *high becomes non-zero if a byte of the string is 0x80
** or above, and keeps its value otherwise. The functions, for each of the seven names:
**   text_escape_NAME           short strings inline, the others by
**   text_escape_NAME_          which also takes long strings, empty ones and those at the end of a page; and
**   text_escape_NAME_widest    for strings of more than 32 bytes on a CPU with TEXT_CPU_WIDEST. */
#if defined(FLEECE_SIMD_SWAR)
#define TEXT_ESCAPE(name, set)                                                         \
  FL_FUNC char *text_escape_##name(char *w, const char *s, size_t n, unsigned *high) { \
    return text_escape_words(w, s, n, high, set);                                      \
  }
#else
#define TEXT_ESCAPE(name, set)                                                                       \
  FL_PRIVATE_NOINLINE char *text_escape_##name##_(char *w, const char *s, size_t n, unsigned *high); \
  FL_INLINE char *text_escape_##name(char *w, const char *s, size_t n, unsigned *high) {             \
    return text_escape_short(w, s, n, high, set, text_escape_##name##_);                             \
  }
#endif

#if FLEECE_WIDEST
#define TEXT_WIDEST(name, set) \
  FL_PRIVATE_NOINLINE char *text_escape_##name##_widest(char *w, const char *s, size_t n, unsigned *high);
TEXT_ESCAPES(TEXT_WIDEST)
#undef TEXT_WIDEST
#endif
TEXT_ESCAPES(TEXT_ESCAPE)

#undef TEXT_ESCAPE
