/* SPDX-License-Identifier: MIT
** Text is read in blocks of 64 bytes, as masks (blocks.h), and what is between two escapes is copied in vectors
** (runs.h). Runs of escapes have separate loops without copies. */
#include "unescape.h"
#include "runs.h"
#if defined(FLEECE_SIMD_SSE2)
#include "x86/unescape.h"
#else
/* See x86/unescape.h. */
enum { TEXT_PAIR = 4 };
FL_INLINE int text_read_run(const char *p, const char *close, uint64_t *units) {
  (void)p, (void)close, (void)units;
  return 0;
}
FL_INLINE char *text_put_units(char *w, uint64_t units, int n) {
  (void)units, (void)n;
  return w;
}
FL_INLINE int text_may_be_two(const char *p) {
  (void)p;
  return 0;
}
#endif

/* Finds quotes and control characters that are not the second byte of an escape. */
FL_INLINE uint64_t text_string_stops(const text_chunk *b, uint64_t backslashes, uint64_t starts) {
  return TEXT_BLOCK(stops)(b) & ~backslashes & ~(starts << 1);
}

/* Returns the bits below the lowest set bit, or all if none is set. */
FL_INLINE uint64_t text_bits_before(uint64_t x) { return (x - 1) & ~x; }

FL_PRIVATE const char *text_string_end(const char *p, const char *end, uint64_t *high) {
#if !defined(FLEECE_SIMD_SWAR)
  uint64_t quotes = 1; /* in the previous block; then this one probably has some, too */
#endif
  while (text_may_read(p, end, TEXT_BLOCK_BYTES)) {
    const text_chunk b = TEXT_BLOCK(load)(p);
    uint64_t backslashes, starts, stops;
#if !defined(FLEECE_SIMD_SWAR)
    if (!quotes && !text_vany_ends(b.v[0], b.v[1], b.v[2], b.v[3]) && fl_load16(p + 62) != fl_load16("\\\\")) {
      *high |= (unsigned)text_vanyhigh(text_vor(text_vor(b.v[0], b.v[1]), text_vor(b.v[2], b.v[3])));
      p += TEXT_BLOCK_BYTES + (p[TEXT_BLOCK_BYTES - 1] == '\\'); /* the first byte of an escape */
      if (p >= end) return end;
      continue;
    }
#endif
    backslashes = TEXT_BLOCK(is)(&b, '\\');
    starts = text_escape_starts(backslashes);
    stops = text_string_stops(&b, backslashes, starts);
#if !defined(FLEECE_SIMD_SWAR)
    quotes = TEXT_BLOCK(stops)(&b) & ~backslashes;
#endif
    *high |= TEXT_BLOCK(high)(&b) & text_bits_before(stops);
    if (stops) {
      p += fl_trailing_zeros(stops);
      return p < end ? p : end;
    }
    p += TEXT_BLOCK_BYTES + (starts >> 63);
    if (p >= end) return end;
  }
  return text_string_end_bytes(p, end, high);
}

FL_PRIVATE_NOINLINE const char *text_check_escapes(const char *p, const char *end, uint64_t *high) {
  while (text_may_read(p, end, TEXT_BLOCK_BYTES)) {
    const text_chunk b = TEXT_BLOCK(load)(p);
    const uint64_t backslashes = TEXT_BLOCK(is)(&b, '\\');
    uint64_t starts = text_escape_starts(backslashes);
    const uint64_t stops = text_string_stops(&b, backslashes, starts);
    const char *r = p;
    *high |= TEXT_BLOCK(high)(&b) & text_bits_before(stops);
    starts &= text_bits_before(stops);
    while (starts) {
      uint64_t units;
      r = p + fl_trailing_zeros(starts);
      if (FL_UNLIKELY(r + 1 >= end)) return r;
      if (FL_LIKELY(text_short_escape(r[1]))) {
        r += 2;
        starts &= starts - 1;
        continue;
      }
      if (r[1] != 'u') return r;
      do {
        const int n = text_read_run(r, end, &units);
        if (n == 3) r += 18; /* a branch can be predicted; a sum would have to be waited for */
        else if (n == TEXT_PAIR) r += 12;
        else if (FL_UNLIKELY(text_read_unit(&r, end) < 0)) return r;
      } while (r - p < TEXT_BLOCK_BYTES - 1 && text_is_unit(r));
      starts &= r - p < TEXT_BLOCK_BYTES ? ~(uint64_t)0 << (r - p) : 0;
    }
    if (stops) {
      p += fl_trailing_zeros(stops);
      return p < end ? p : end;
    }
    p = r < p + TEXT_BLOCK_BYTES ? p + TEXT_BLOCK_BYTES : r;
    if (p >= end) return end;
  }
  return text_check_escapes_bytes(p, end, high);
}

/* Writes the contents of a run of \uXXXX, with up to seven other bytes between them. Moves *at to what does not belong
** to the run, or to an invalid escape; with `words` also, after other bytes, to what text_unescape_words_wide_ may
** read. */
FL_INLINE char *text_unescape_run(char *w, const char **at, const char *close, const int words) {
  const char *p = *at;
  do {
    uint64_t units;
    const int n = text_read_run(p, close, &units);
    if (FL_LIKELY(n)) {
      w = text_put_units(w, units, n);
      p += n == TEXT_PAIR ? 12 : 6 * n;
    } else {
      const int32_t c = text_read_unit(&p, close);
      if (FL_UNLIKELY(c < 0)) break;
      w = text_put_utf8(w, (uint32_t)c);
    }
    if (*p != '\\') {
      if (close - p < 8) break;
      const uint64_t backslashes = text_b_zeros(text_b_word(p) ^ TEXT_B_EACH('\\')) & TEXT_B_EACH(0x80);
      memcpy(w, p, 8);
      if (!backslashes) break;
      w += fl_trailing_zeros(backslashes) / 8;
      p += fl_trailing_zeros(backslashes) / 8;
      if (words && text_may_be_two(p)) break;
    }
  } while (text_is_unit(p));
  *at = p;
  return w;
}

FL_NOINLINE char *text_unescape_units_(char *w, const char **at, const char *close) {
  return text_unescape_run(w, at, close, 0);
}

#if FLEECE_WIDE
FL_NOINLINE char *text_unescape_units_wide_(char *w, const char **at, const char *close) {
  return text_unescape_run(w, at, close, 1);
}

/* text_unescape_units_ for CPUs with TEXT_CPU_WIDE; the first escape may be a character of two bytes. */
FL_NOINLINE char *text_unescape_words_(char *w, const char **at, const char *close) {
  const char *from;
  do {
    from = *at;
    if (text_may_be_two(from)) w = text_unescape_words_wide_(w, at, close);
    if (*at < close && text_is_unit(*at)) w = text_unescape_units_wide_(w, at, close);
  } while (*at != from && *at < close && text_is_unit(*at));
  return w;
}
#endif

/* Writes the contents from a \uXXXX at *at on, like the functions above. */
FL_INLINE char *text_unescape_units(char *w, const char **at, const char *close, unsigned cpu) {
#if FLEECE_WIDE
  if (cpu & TEXT_CPU_WIDE) {
    if (!text_may_be_two(*at)) w = text_unescape_units_wide_(w, at, close);
    return text_is_unit(*at) && text_may_be_two(*at) ? text_unescape_words_(w, at, close) : w;
  }
#endif
  (void)cpu;
  return text_unescape_units_(w, at, close);
}

/* Writes the contents of eight short escapes at p. Returns 0 if one is not a short escape. */
FL_INLINE int text_unescape_eight(char *w, const char *p) {
  int i, good = 1;
  for (i = 0; i < 8; i++) {
    const char c = text_short_escape(p[2 * i + 1]);
    w[i] = c;
    good &= c != 0;
  }
  return good;
}

FL_PRIVATE char *text_unescape(char *w, const char **at, const char *close, const char *end, unsigned cpu) {
  const char *p = *at;
  while (p < close && text_may_read(p, end, TEXT_BLOCK_READ)) {
    const text_chunk b = TEXT_BLOCK(load)(p);
    const char *r, *last = close - p < TEXT_BLOCK_BYTES ? close : p + TEXT_BLOCK_BYTES;
    uint64_t starts = text_escape_starts(TEXT_BLOCK(is)(&b, '\\'));
#if defined(FLEECE_SIMD_SSE2)
    for (; FL_UNLIKELY((uint32_t)starts == 0x55555555) && last - p >= 32 && text_unescape_sixteen(w, p);
         starts >>= 32) {
      w += 16;
      p += 32;
    }
#endif
    for (; FL_UNLIKELY((starts & 0x5555) == 0x5555) && last - p >= 16 && text_unescape_eight(w, p); starts >>= 16) {
      w += 8;
      p += 16;
    }
    r = p;
    if (r == last) continue;
    if (last - p < TEXT_BLOCK_BYTES) starts &= fl_low_bits((size_t)(last - p));
    while (starts) {
      const char *e = p + fl_trailing_zeros(starts);
      const char c = text_short_escape(e[1]);
      w = text_copy_between(w, r, e);
      *w = c;
      r = e + 2;
      starts &= starts - 1;
      if (FL_LIKELY(c)) {
        w++;
        continue;
      }
      r = e;
      if (r[1] == 'u') w = text_unescape_units(w, &r, close, cpu);
      if (r < close && *r == '\\' && !text_short_escape(r[1])) {
        *at = r;
        return w;
      }
      starts &= r - p < TEXT_BLOCK_BYTES ? ~(uint64_t)0 << (r - p) : 0;
    }
    if (r < last) {
      w = text_copy_between(w, r, last);
      r = last;
    }
    p = r;
  }
  *at = p;
  return text_unescape_bytes(w, at, close);
}
