/* SPDX-License-Identifier: MIT */
#include "quote.h"
#if FLEECE_WIDEST
#include "x86/quote.h"
#endif

#if !defined(FLEECE_SIMD_SWAR)
FL_PRIVATE_NOINLINE char *text_escape_repair32_(char *w, const char *s, size_t n, uint64_t hits) {
  return text_escape_repair(w, s, n, hits, 32);
}
FL_PRIVATE_NOINLINE char *text_escape_repair64_(char *w, const char *s, size_t n, uint64_t hits) {
  return text_escape_repair(w, s, n, hits, 64);
}

#define TEXT_BLOCKS(name, set)                                                                        \
  FL_PRIVATE_NOINLINE char *text_escape_##name##_(char *w, const char *s, size_t n, unsigned *high) { \
    return text_escape_blocks(w, s, n, high, set, text_escape_repair64_);                             \
  }
TEXT_ESCAPES(TEXT_BLOCKS)
#undef TEXT_BLOCKS
#endif

#if FLEECE_WIDEST
#define TEXT_BLOCKS(name, set)                                                                              \
  FL_PRIVATE_NOINLINE char *text_escape_##name##_widest(char *w, const char *s, size_t n, unsigned *high) { \
    return text_escape_blocks(w, s, n, high, set, text_escape_repair64_widest_);                            \
  }
TEXT_ESCAPES(TEXT_BLOCKS)
#undef TEXT_BLOCKS
#endif
