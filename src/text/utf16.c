/* SPDX-License-Identifier: MIT */
#include "utf16.h"

FL_PRIVATE struct text_form text_form_of(const char *text, size_t n) {
  const unsigned char *s = (const unsigned char *)text;
  struct text_form f = {1, 0, 0};
  if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) f.mark = 3;
  if (n < 4) {
    if (n < 2 || f.mark) return f;
    f.unit = 2;
    if (s[0] == 0xfe && s[1] == 0xff) f.big = 1, f.mark = 2;
    else if (s[0] == 0xff && s[1] == 0xfe) f.mark = 2;
    else f.unit = 1;
    return f;
  }
  const unsigned zeros = (unsigned)((s[0] == 0) | (s[1] == 0) << 1 | (s[2] == 0) << 2 | (s[3] == 0) << 3);
  if (memcmp(s, "\0\0\xfe\xff", 4) == 0) f.unit = 4, f.big = 1, f.mark = 4;
  else if (memcmp(s, "\xff\xfe\0\0", 4) == 0) f.unit = 4, f.mark = 4;
  else if (memcmp(s, "\xfe\xff", 2) == 0) f.unit = 2, f.big = 1, f.mark = 2;
  else if (memcmp(s, "\xff\xfe", 2) == 0) f.unit = 2, f.mark = 2;
  else if (zeros == 7) f.unit = 4, f.big = 1;
  else if (zeros == 5) f.unit = 2, f.big = 1;
  else if (zeros == 14) f.unit = 4;
  else if (zeros == 10) f.unit = 2;
  return f;
}

FL_PRIVATE const char *text_foreign_form(const char *text, size_t n, int *mark) {
  static const char *const names[] = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"};
  struct text_form f = text_form_of(text, n);
  const char first = n == 0 ? 0 : f.big ? text[f.unit - 1] : *text;
  *mark = f.mark != 0;
  if (!f.mark && f.unit > 1 && first < ' ' && first != '\n' && first != '\r' && first != '\t') return NULL; /* BSON */
  if (f.unit == 1 && n >= 2 && n % 2 == 0) {
    if (text[0] && !text[1] && text[n - 2] && !text[n - 1]) f.unit = 2;
    else if (!text[0] && text[1] && !text[n - 2] && text[n - 1]) f.unit = 2, f.big = 1;
  }
  return f.unit == 1 ? NULL : names[(f.unit == 4 ? 2u : 0u) + f.big];
}

static uint32_t text_unit(const unsigned char *s, const struct text_form *f) {
  uint32_t c = 0;
  for (unsigned i = 0; i < f->unit; i++) c = c << 8 | s[f->big ? i : f->unit - 1 - i];
  return c;
}

/* Reads the character at *s and moves *s after it. Returns U+FFFD if it is ill-formed. */
static uint32_t text_wide_next(const unsigned char **s, const unsigned char *end, const struct text_form *f) {
  if ((size_t)(end - *s) < f->unit) {
    *s = end;
    return 0xfffd;
  }
  const uint32_t c = text_unit(*s, f);
  *s += f->unit;
  if ((c & ~0x7ffu) != 0xd800) return c <= 0x10ffff ? c : 0xfffd;
  if (f->unit == 4 || c >= 0xdc00 || (size_t)(end - *s) < f->unit) return 0xfffd;
  const uint32_t low = text_unit(*s, f);
  if ((low & ~0x3ffu) != 0xdc00) return 0xfffd;
  *s += f->unit;
  return 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
}

FL_PRIVATE char *text_wide_to_utf8(char *w, const char *text, size_t n, const struct text_form *f) {
  const unsigned char *s = (const unsigned char *)text, *end = s + n;
  FL_ASSERT(f->unit == 2 || f->unit == 4);
  while (s < end) {
    uint32_t c = text_wide_next(&s, end, f);
    if (c < 0x80) {
      *w++ = (char)c;
      continue;
    }
    if (c < 0x800) {
      *w++ = (char)(0xc0 | c >> 6);
    } else {
      if (c < 0x10000) *w++ = (char)(0xe0 | c >> 12);
      else *w++ = (char)(0xf0 | c >> 18), *w++ = (char)(0x80 | (c >> 12 & 0x3f));
      *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    }
    *w++ = (char)(0x80 | (c & 0x3f));
  }
  return w;
}

FL_PRIVATE int text_compare_utf16(const char *a, size_t an, const char *b, size_t bn) {
  const size_t n = an < bn ? an : bn;
  size_t i = 0;
  while (i < n && a[i] == b[i]) i++;
  if (i < n) return (int)text_utf16_rank((unsigned char)a[i]) - (int)text_utf16_rank((unsigned char)b[i]);
  return (an > bn) - (an < bn);
}
