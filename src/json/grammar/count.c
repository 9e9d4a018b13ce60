/* SPDX-License-Identifier: MIT
** count.c -- counts the remaining items of an array, and all values of a text. */
#include "scan.h"

/* Returns the byte after the string whose opening quote is at p, or the end. */
static const char *json_count_string(const char *p, const char *end) {
  const char quote = *p++;
  while (p < end && *p != quote) p += 1 + (*p == '\\');
  return p < end ? p + 1 : end;
}

#if !defined(FLEECE_SIMD_SWAR)
/* Finds the bytes other than commas that matter: brackets, quotes, and the slash, which may begin a comment. */
FL_INLINE text_v json_vmarks(text_v v) {
  const text_v brackets = text_vor(text_vor(text_vis(v, '['), text_vis(v, ']')),
                                   text_vor(text_vis(v, '{'), text_vis(v, '}')));
  return text_vor(brackets, text_vor(text_vis(v, '"'), text_vor(text_vis(v, '\''), text_vis(v, '/'))));
}
#endif

struct json_count {
  const char *p;
  size_t items, depth;
};

/* Returns the byte after the comment at p and the following white space. NULL if the grammar has no comments, or it
** does not end. */
static const char *json_count_comment(const struct json_scan *scan, const char *p, const char *end) {
  struct json_scan j = *scan; /* a copy, because errors are only reported when the text is read */
  const char *q;
  j.end = end;
  return (q = json_lenient_space(&j, p)) == p ? NULL : q;
}

/* Handles a byte that matters. Returns 1 at the bracket that ends the array, or, with items = 0, if the text is
** invalid. */
FL_INLINE int json_count_byte(struct json_count *c, const struct json_scan *j, const char *end) {
  const char *p;
  switch (*c->p) {
  case ',': c->items += c->depth == 0; break;
  case '[':
  case '{': c->depth++; break;
  case ']':
  case '}':
    if (c->depth-- == 0) return 1;
    break;
  case '\'':
    if (!(j->grammar & JSON_JSON5)) return c->items = 0, 1;
    /* fall through */
  case '"': c->p = json_count_string(c->p, end); return 0;
  case '/':
    if (!(p = json_count_comment(j, c->p, end))) return c->items = 0, 1;
    c->p = p;
    return 0;
  default: break;
  }
  c->p++;
  return 0;
}

FL_PRIVATE size_t json_count_items(const struct json_scan *j, const char *p, const char *end, const char **stop) {
  struct json_count c;
  c.p = p, c.items = 1, c.depth = 0;
  while (c.p < end) {
#if !defined(FLEECE_SIMD_SWAR)
    if (end - c.p >= 32) {
      const text_v a = text_vload(c.p), b = text_vload(c.p + 16);
      uint64_t commas = text_vmask32(text_vis(a, ','), text_vis(b, ','));
      uint64_t others = text_vmask32(json_vmarks(a), json_vmarks(b));
      uint64_t mine = c.depth == 0 ? commas : 0;
      if (others == 0) {
        c.items += fl_count_bits(mine);
        c.p += 32;
        continue;
      }
      /* count the commas before the bracket, then handle it */
      c.items += fl_count_bits(mine & (others - 1) & ~others);
      c.p += fl_trailing_zeros(others);
    }
#endif
    if (json_count_byte(&c, j, end)) {
      *stop = c.p;
      return c.items;
    }
  }
  *stop = end;
  return 0;
}

/* Returns the byte after a number or word. */
static const char *json_count_word(const char *p, const char *end) {
  do p++;
  while (p < end && !json_is_blank(*p) && !strchr("[]{},:\"'/", *p));
  return p;
}

/* A name counts as the token that it is, until its colon: so the count is right at commas and brackets. */
FL_PRIVATE const char *json_find_excess(struct json_scan *j, const char *p, uint64_t most, int several) {
  const char *last = p;
  uint64_t count = 0, depth = 0;
  while ((p = json_read_space(j, p)) != NULL && p < j->end) {
    const char ch = *p;
    if (ch == ':' && count > 0) count--;
    if (count > most) return last;
    if (ch == ']' || ch == '}') {
      if (depth <= 1 && !several) return NULL;
      if (depth > 0) depth--;
    } else if (ch == '[' || ch == '{') {
      if (++count > most) return p;
      depth++;
    } else if (ch != ',' && ch != ':') {
      last = p;
      p = ch == '"' || ch == '\'' ? json_count_string(p, j->end) : json_count_word(p, j->end);
      count++;
      if (depth == 0 && !several) return count > most ? last : NULL;
      continue;
    }
    p++;
  }
  return p && several && count > most ? last : NULL;
}
