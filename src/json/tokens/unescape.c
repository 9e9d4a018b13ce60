/* SPDX-License-Identifier: MIT */
#include "unescape.h"

FL_PRIVATE char *json_scratch(struct json_scan *j, size_t n) {
  n += JSON_SCRATCH_MARGIN;
  if (n > j->room) {
    char *block = j->grow(j->owner, n);
    if (!block) return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_MEMORY, j->end);
    j->scratch = block;
    j->room = n;
  }
  return j->scratch;
}

FL_PRIVATE char *json_unescape_unicode(struct json_scan *j, char *w, const char **at) {
  const char *p = *at;
  int c = json_check_hex(p + 2, j->end), low;
  if (c < 0) return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_ESCAPE, p);
  *at = p + 6;
  if (FL_LIKELY((c & 0xf800) != 0xd800)) return json_put_utf8(w, (uint32_t)c);
  low = c < 0xdc00 && p[6] == '\\' && p[7] == 'u' ? json_check_hex(p + 8, j->end) : -1;
  if ((low & ~0x3ff) == 0xdc00) {
    *at = p + 12;
    return json_put_utf8(w, 0x10000u + (((uint32_t)c & 0x3ff) << 10) + ((uint32_t)low & 0x3ff));
  }
  if (j->bad_text == JSON_BAD_ERROR || j->bad_text == JSON_BAD_BYTES || (j->bad_text == JSON_BAD_LOW && c < 0xdc00))
    return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_SURROGATE, p);
  return json_put_utf8(w, j->bad_text >= JSON_BAD_PASS ? (uint32_t)c : 0xfffd);
}
