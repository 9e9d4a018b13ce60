/* SPDX-License-Identifier: MIT
** count.h -- how many items does the rest of an array have? A look ahead for those who want its size at once.
** May call: text/.
** Must hold: the answer is right for JSON and any number for other text; linear, no recursion, stops at `end`. */
#ifndef FLEECE_JSON_COUNT_H
#define FLEECE_JSON_COUNT_H

#include "../text/quote.h"

/* Behind an opening quote: behind the closing one, or the end. */
FL_FUNC const char *json_count_string(const char *p, const char *end) {
  while (p < end && *p != '"') p += 1 + (*p == '\\');
  return p < end ? p + 1 : end;
}

#if !defined(FLEECE_SIMD_SWAR)
FL_INLINE text_v json_vbrackets(text_v v) {
  return text_vor(text_vor(text_vis(v, '['), text_vis(v, ']')), text_vor(text_vis(v, '{'), text_vis(v, '}')));
}
#endif

struct json_count {
  const char *p;
  size_t items, depth;
};

/* One byte that matters; true at the bracket that ends the array. */
FL_INLINE int json_count_byte(struct json_count *c, const char *end) {
  switch (*c->p) {
  case ',': c->items += c->depth == 0; break;
  case '[': case '{': c->depth++; break;
  case ']': case '}':
    if (c->depth-- == 0) return 1;
    break;
  case '"': c->p = json_count_string(c->p + 1, end); return 0;
  default: break;
  }
  c->p++;
  return 0;
}

/* The number of items from the one at p to the end of its array, or of those before `end`. *stop is where the
** look ahead has come to. */
FL_FUNC size_t json_count_items(const char *p, const char *end, const char **stop) {
  struct json_count c;
  c.p = p, c.items = 1, c.depth = 0;
  while (c.p < end) {
#if !defined(FLEECE_SIMD_SWAR)
    if (end - c.p >= 32) {
      const text_v a = text_vload(c.p), b = text_vload(c.p + 16);
      uint64_t commas = text_vmask32(text_vis(a, ','), text_vis(b, ','));
      uint64_t others =
          text_vmask32(text_vor(text_vis(a, '"'), json_vbrackets(a)), text_vor(text_vis(b, '"'), json_vbrackets(b)));
      uint64_t mine = c.depth == 0 ? commas : 0;
      if (others == 0) {
        c.items += text_bits(mine);
        c.p += 32;
        continue;
      }
      /* the commas before it, then it */
      c.items += text_bits(mine & (others - 1) & ~others);
      c.p += text_ctz(others);
    }
#endif
    if (json_count_byte(&c, end)) break;
  }
  *stop = c.p;
  return c.items;
}

#endif
