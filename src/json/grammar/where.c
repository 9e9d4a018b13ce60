/* SPDX-License-Identifier: MIT */
#include "where.h"

FL_PRIVATE int json_count_lines(const char *p, const char *end, size_t *lines, size_t *columns) {
  const char *line = p;
  size_t n = 0, inside = 0;
  if (memchr(p, '\r', (size_t)(end - p))) return 0;
#if !defined(FLEECE_SIMD_SWAR)
  for (; end - p >= 32; p += 32) {
    uint64_t ends = text_vmask32(text_vis(text_vload(p), '\n'), text_vis(text_vload(p + 16), '\n'));
    if (!ends) continue;
    n += fl_count_bits(ends);
    line = p + 32;
    while (line[-1] != '\n') line--;
  }
#endif
  for (; p < end; p++)
    if (*p == '\n') n++, line = p + 1;
  p = line;
#if !defined(FLEECE_SIMD_SWAR)
  for (; end - p >= 32; p += 32) {
    size_t i;
    if (text_vhigh32(text_vload(p), text_vload(p + 16)) == 0) continue;
    for (i = 0; i < 32; i++) inside += (size_t)json_is_inside(p[i]);
  }
#endif
  for (; p < end; p++) inside += (size_t)json_is_inside(*p);
  *lines = n;
  *columns = (size_t)(end - line) - inside;
  return 1;
}

FL_PRIVATE void json_where(const char *begin, const char *end, const char *at, struct json_where *out) {
  const char *p, *line = begin;
  out->line = out->column = 1;
  for (p = begin; p < at; p++) {
    if (*p == '\n' || (*p == '\r' && !(p + 1 < end && p[1] == '\n'))) {
      out->line++;
      line = p + 1;
    }
  }
  for (p = line; p < at; p++) out->column += !json_is_inside(*p);
  out->from = at;
  while (out->from > line && at - out->from < JSON_WHERE_BEFORE && json_where_shows(out->from[-1])) out->from--;
  while (out->from < at && json_is_inside(*out->from)) out->from++;
  out->to = at;
  while (out->to < end && out->to - at < JSON_WHERE_AFTER && json_where_shows(*out->to)) out->to++;
  while (out->to > at && out->to < end && json_is_inside(*out->to)) out->to--;
  /* the rest of a character may be in the next piece */
  if (out->to == end) out->to = at + text_cut(at, SIZE_MAX, (size_t)(end - at));
}
