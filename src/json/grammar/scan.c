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

FL_PRIVATE_NOINLINE const char *json_read_space(struct json_scan *j, const char *p) { return json_skip_space(j, p); }

FL_PRIVATE_NOINLINE const char *json_read_string(struct json_scan *j, const char *p, struct json_string *out) {
  return json_scan_string(j, p, out);
}

FL_PRIVATE_NOINLINE const char *json_unescape_(struct json_scan *j, const char *p, const char *q, uint64_t high,
                                               struct json_string *out) {
  const char *close = text_string_end(q, j->end, &high);
  char *w;
  if (*close != '"') return json_lenient_string(j, p, out);
  if (high && j->utf8(p, (size_t)(close - p)) != (size_t)(close - p)) return json_lenient_string(j, p, out);
  if (!(w = json_scratch(j, (size_t)(close - p)))) return NULL;
  memcpy(w, p, (size_t)(q - p));
  w += q - p;
  while ((w = text_unescape(w, &q, close, j->end)), q != close) {
    if (q[1] != 'u') return json_lenient_string(j, p, out);
    if (!(w = json_unescape_unicode(j, w, &q))) return NULL;
  }
  json_set_scratch_string(j, w, out);
  return close + 1;
}
