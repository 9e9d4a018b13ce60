/* SPDX-License-Identifier: MIT */
#include "scan.h"

FL_PRIVATE_NOINLINE const char *json_scan_space_(struct json_scan *j, const char *p) {
  for (;;) {
    if (*p == '\n' || *p == '\r') p++;
#if !defined(FLEECE_SIMD_SWAR)
    while (j->end - p >= 32) {
      uint64_t blanks = text_vmask32(text_vis(text_vload(p), ' '), text_vis(text_vload(p + 16), ' '));
      if (blanks != 0xffffffffu) {
        p += fl_trailing_zeros(~blanks);
        break;
      }
      p += 32;
    }
#endif
    p = json_skip_blanks(p);
    if (FL_LIKELY(!(j->grammar & JSON_WIDE_SPACE))) return p;
    {
      const char *q = json_lenient_space(j, p);
      if (!q || q == p) return q;
      p = q;
    }
  }
}

/* Copies up to the next quote, backslash or control byte, in blocks: up to 31 bytes after those may be overwritten. */
FL_INLINE char *json_copy_plain(const struct json_scan *j, char *w, const char **at) {
  const char *p = *at;
#if !defined(FLEECE_SIMD_SWAR)
  while (FL_LIKELY(j->end - p >= 32) || text_is_readable(p, 32)) {
    text_v a = text_vload(p), b = text_vload(p + 16);
    uint64_t stop = text_vmask32(text_vhits(a, TEXT_QUOTE | TEXT_CONTROL), text_vhits(b, TEXT_QUOTE | TEXT_CONTROL));
    text_vstore(w, a);
    text_vstore(w + 16, b);
    if (FL_LIKELY(stop != 0)) {
      *at = p + fl_trailing_zeros(stop);
      return w + fl_trailing_zeros(stop);
    }
    p += 32;
    w += 32;
  }
#endif
  (void)j;
  while ((unsigned char)*p >= 0x20 && *p != '"' && *p != '\\') *w++ = *p++;
  *at = p;
  return w;
}

FL_PRIVATE_NOINLINE const char *json_unescape_(struct json_scan *j, const char *p, const char *q, uint64_t high,
                                               struct json_string *out) {
  const char *close = q;
  char *w, c;
  do { close = json_scan_plain(j, close + 2, &high); } while (*close == '\\' && close[1] != 0);
  if (*close != '"') return json_lenient_string(j, p, out);
  if (high && j->utf8(p, (size_t)(close - p)) != (size_t)(close - p)) return json_lenient_string(j, p, out);
  if (!(w = json_scratch(j, (size_t)(close - p)))) return NULL;
  memcpy(w, p, (size_t)(q - p));
  w += q - p;
  while (q != close) {
    if (*q != '\\') {
      w = json_copy_plain(j, w, &q);
    } else if (FL_LIKELY((c = json_short_escape(q[1])) != 0)) {
      *w++ = c;
      q += 2;
    } else if (q[1] != 'u') {
      return json_lenient_string(j, p, out);
    } else if (!(w = json_unescape_unicode(j, w, &q))) {
      return NULL;
    }
  }
  json_set_scratch_string(j, w, out);
  return close + 1;
}
