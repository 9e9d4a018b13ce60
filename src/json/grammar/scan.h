/* SPDX-License-Identifier: MIT
** scan.h -- the pieces of JSON text, read one at a time: white space, strings, literals. RFC 8259.
** May call: base, text, dropin.
** Must hold: a text is [begin, end) and *end is readable and 0, so that a look at the next byte needs no test
** and no loop runs past the end. Nothing is read beyond, except within the page (text/page_read.h). What is rare is
** a function of its own: whatever strict JSON does not know, JSON5 for one, is only tried where strict JSON
** has failed. */
#ifndef FLEECE_JSON_GRAMMAR_SCAN_H
#define FLEECE_JSON_GRAMMAR_SCAN_H

#include "../../number/parse.h"
#include "../../text/quote.h"
#include "check_string.h"

enum json_grammar {
  JSON_COMMENTS = 1,        /* // and /x x/ */
  JSON_TRAILING_COMMAS = 2, /* [1,] and {"a":1,} */
  JSON_JSON5 = 4,           /* all of JSON5 1.0.0; includes the above */
  JSON_NAN_LITERALS = 8,    /* NaN, Infinity, -Infinity are numbers, */
  JSON_NAN_NULL = 32,       /* or null */
  JSON_BOM = 16,            /* a byte order mark before the text */
  JSON_CJSON = 64,          /* what lua-cjson takes: strings of any bytes but 0, numbers like "1." and "-.5"; */
  JSON_CJSON_NUMBERS = 128, /* with it: "0x1f", "007", "+1", "inf", "nan" */
  JSON_LOOSE = 256,         /* strings of any bytes; more is left to dropin/dkjson/grammar.h */
  JSON_RXI_TEXT = 512,      /* strings of any bytes but control characters; numbers like 0x1f, 007, 1. */
  JSON_WIDE_SPACE = JSON_COMMENTS | JSON_JSON5 /* these have more white space */
};

/* What is done with bytes that are not UTF-8, and with surrogates without their other half. LOW: they pass, but for a
** first half. */
enum json_bad_text { JSON_BAD_ERROR, JSON_BAD_REPLACE, JSON_BAD_ESCAPE, JSON_BAD_PASS, JSON_BAD_LOW };

/* What a value lies in. STOP: the sink ends the scan. LOOSE: an array that may have names. */
enum scan_container { SCAN_ROOT, SCAN_ARRAY, SCAN_OBJECT, SCAN_STOP, SCAN_LOOSE_ARRAY, SCAN_CALL };

/* What comes next where a scan stopped: parts.h. */
enum json_expected {
  JSON_EXPECT_VALUE,
  JSON_EXPECT_FIRST_ITEM,
  JSON_EXPECT_NAME,
  JSON_EXPECT_FIRST_NAME,
  JSON_EXPECT_COLON,
  JSON_EXPECT_NEXT
};

struct json_scan {
  const char *begin, *end;
  text_utf8_fn utf8;
  unsigned grammar; /* of enum json_grammar; 0: RFC 8259 */
  enum json_bad_text bad_text;
  uint32_t depth, max_depth; /* containers open; how many may be */
  int error;                 /* of check_errors.h, and where: `at` */
  /* Scans in parts, see parts.h. They lie here because here is room: the sinks' fields stay near. */
  unsigned char whole;        /* no token goes on behind the end */
  unsigned char cut;          /* answer: at `at` begins a token that does */
  unsigned char expected, in; /* where to go on, an enum json_expected, and in what */
  const char *at;             /* of the error; until then, where the value that is read begins */
  /* Room for a string that is not in the text as it stands. `grow` gives at least n bytes, keeping nothing,
  ** or NULL; it may be anything that ends the scan as well. */
  char *scratch;
  size_t room;
  char *(*grow)(void *owner, size_t n);
  void *owner;
  const char *stop; /* scans in parts: a value or name that begins here or behind is another part's */
};

/* A string: in the text or in the scratch. */
struct json_string {
  const char *s;
  size_t n;
};

/* Notes the error and answers NULL. */
FL_INLINE const char *json_scan_error(struct json_scan *j, int error, const char *at) {
  j->error = error;
  j->at = at;
  return NULL;
}

/* Behind a value stands neither a comma nor the end of its container. */
FL_NOINLINE const char *json_scan_separator_error(struct json_scan *j, const char *p, int in_object) {
  return json_scan_error(j, p == j->end ? JSON_CHECK_END : in_object ? JSON_CHECK_OBJECT : JSON_CHECK_ARRAY, p);
}

/* Does 0, which is a number of its own to strict JSON, begin a number of lua-cjson's here? */
FL_INLINE int json_is_odd_zero(const char *p) {
  p += *p == '-';
  return *p == '0' && ((unsigned char)(p[1] - '0') < 10 || (p[1] | 0x20) == 'x');
}

/* Four bytes of a literal as fl_load32 reads them. */
FL_INLINE uint32_t json_word(const char *four) { return fl_load32(four); }

/* What strict JSON does not know; in lenient.h and lenient_*.h. Each is called where the strict reader is stuck
** at p, and answers where to go on, or NULL with the error. */
struct json_lenient_value;
FL_NOINLINE int json_is_cut(const struct json_scan *j, const char *token, enum json_expected expected);
FL_NOINLINE const char *json_lenient_space(struct json_scan *j, const char *p);
FL_NOINLINE const char *json_lenient_string(struct json_scan *j, const char *p, struct json_string *out);
FL_NOINLINE const char *json_lenient_name(struct json_scan *j, const char *p, struct json_string *out);
FL_NOINLINE const char *json_lenient_value(struct json_scan *j, const char *p, struct json_lenient_value *out);
FL_NOINLINE const char *json_cjson_value(struct json_scan *j, const char *p, struct json_lenient_value *out);
FL_NOINLINE const char *json_rxi_value(struct json_scan *j, const char *p, struct json_lenient_value *out);

/* ------------------------------------------------------------------------------------- white space */

/* At white space, or at something that only lenient grammars skip: the next byte that is neither. The
** indentation of printed JSON is a line end and many blanks. NULL: an error. */
FL_NOINLINE const char *json_scan_space_(struct json_scan *j, const char *p) {
  for (;;) {
    if (*p == '\n' || *p == '\r') p++;
#if !defined(FLEECE_SIMD_SWAR)
    while (j->end - p >= 32) {
      uint64_t blanks = text_vmask32(text_vis(text_vload(p), ' '), text_vis(text_vload(p + 16), ' '));
      if (blanks != 0xffffffffu) {
        p += text_ctz(~blanks);
        break;
      }
      p += 32;
    }
#endif
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    if (FL_LIKELY(!(j->grammar & JSON_WIDE_SPACE))) return p;
    {
      const char *q = json_lenient_space(j, p);
      if (!q || q == p) return q;
      p = q;
    }
  }
}

/* Past any white space: often none, sometimes one blank. */
FL_INLINE const char *json_skip_space(struct json_scan *j, const char *p) {
  if (FL_LIKELY(!(j->grammar & JSON_WIDE_SPACE))) {
    if (FL_LIKELY((unsigned char)*p > ' ')) return p;
    if (*p == ' ' && (unsigned char)p[1] > ' ') return p + 1;
#if !defined(FLEECE_SIMD_SWAR)
    if (*p == '\n' && FL_LIKELY(j->end - p > 32)) {
      uint64_t blanks = text_vmask32(text_vis(text_vload(p + 1), ' '), text_vis(text_vload(p + 17), ' '));
      const char *q = p + 1 + text_ctz(~blanks);
      if (FL_LIKELY((unsigned char)*q > ' ')) return q;
    }
#endif
  }
  return json_scan_space_(j, p);
}

/* ------------------------------------------------------------------------------------- strings */

/* The first quote, backslash or control byte from p on; the 0 at the end is one. *high becomes non-zero if a
** byte before it is 0x80 or above. */
FL_INLINE const char *json_scan_plain(const struct json_scan *j, const char *p, uint64_t *high) {
#if !defined(FLEECE_SIMD_SWAR)
  while (FL_LIKELY(j->end - p >= 32) || text_near(p, 32)) {
    text_v a = text_vload(p), b = text_vload(p + 16);
    uint64_t stop = text_vmask32(text_vhits(a, TEXT_QUOTE | TEXT_CONTROL), text_vhits(b, TEXT_QUOTE | TEXT_CONTROL));
    uint64_t top = text_vhigh32(a, b);
    if (FL_LIKELY(stop != 0)) {
      *high |= top & (stop - 1) & ~stop;
      return p + text_ctz(stop);
    }
    *high |= top;
    p += 32;
  }
#else
  while (j->end - p >= 8 && text_wplain(fl_load64(p), TEXT_QUOTE | TEXT_CONTROL)) {
    *high |= fl_load64(p) & TEXT_EACH(0x80);
    p += 8;
  }
#endif
  while ((unsigned char)*p >= 0x20 && *p != '"' && *p != '\\') *high |= (unsigned char)*p++ & 0x80;
  return p;
}

/* Where a string that begins behind the quote at p[-1] goes wrong first: the slow reader knows. */
FL_NOINLINE const char *json_string_error_(struct json_scan *j, const char *p) {
  const char *at = p;
  int error = json_check_string(&at, j->end);
  return json_scan_error(j, error ? error : JSON_CHECK_END, at);
}

/* Writes the character as UTF-8; surrogates become three bytes like any other (WTF-8). */
FL_INLINE char *json_put_utf8(char *w, uint32_t c) {
  if (c < 0x80) {
    *w++ = (char)c;
  } else if (c < 0x800) {
    *w++ = (char)(0xc0 | c >> 6);
    *w++ = (char)(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *w++ = (char)(0xe0 | c >> 12);
    *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    *w++ = (char)(0x80 | (c & 0x3f));
  } else {
    *w++ = (char)(0xf0 | c >> 18);
    *w++ = (char)(0x80 | (c >> 12 & 0x3f));
    *w++ = (char)(0x80 | (c >> 6 & 0x3f));
    *w++ = (char)(0x80 | (c & 0x3f));
  }
  return w;
}

/* An escape of four digits, whose backslash is at *at: appends its character. A surrogate needs its other half
** behind it. */
FL_FUNC char *json_unescape_unicode(struct json_scan *j, char *w, const char **at) {
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
  if (j->bad_text == JSON_BAD_ERROR || (j->bad_text == JSON_BAD_LOW && c < 0xdc00))
    return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_SURROGATE, p);
  return json_put_utf8(w, j->bad_text >= JSON_BAD_PASS ? (uint32_t)c : 0xfffd);
}

/* What the escape \c stands for; 0: it is not one of the short ones. */
FL_INLINE char json_short_escape(char c) {
  switch (c) {
  case '"':
  case '\\':
  case '/': return c;
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  default: return 0;
  }
}

/* Copies up to the next quote, backslash or control byte, in blocks: up to 31 bytes behind w are scribbled on. */
FL_INLINE char *json_copy_plain(const struct json_scan *j, char *w, const char **at) {
  const char *p = *at;
  (void)j;
#if !defined(FLEECE_SIMD_SWAR)
  while (FL_LIKELY(j->end - p >= 32) || text_near(p, 32)) {
    text_v a = text_vload(p), b = text_vload(p + 16);
    uint64_t stop = text_vmask32(text_vhits(a, TEXT_QUOTE | TEXT_CONTROL), text_vhits(b, TEXT_QUOTE | TEXT_CONTROL));
    text_vstore(w, a);
    text_vstore(w + 16, b);
    if (FL_LIKELY(stop != 0)) {
      *at = p + text_ctz(stop);
      return w + text_ctz(stop);
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

/* Scratch of at least n bytes and what json_copy_plain may scribble on; NULL: an error. */
FL_FUNC char *json_scratch(struct json_scan *j, size_t n) {
  n += 32;
  if (n > j->room) {
    char *block = j->grow(j->owner, n);
    if (!block) return (char *)(uintptr_t)json_scan_error(j, JSON_CHECK_MEMORY, j->end);
    j->scratch = block;
    j->room = n;
  }
  return j->scratch;
}

/* A string with escapes, from its first byte p; `q` is its first backslash, `high` what was seen before it. Its
** text goes to the scratch: never longer than it was, for an escape of six bytes makes at most three. Returns
** the byte behind its closing quote. */
FL_NOINLINE const char *json_unescape_(struct json_scan *j, const char *p, const char *q, uint64_t high,
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
  out->s = j->scratch;
  out->n = (size_t)(w - j->scratch);
  return close + 1;
}

/* The string whose first byte is p, behind its opening quote: what it means goes to *out. Returns the byte
** behind its closing quote, or NULL. */
FL_INLINE const char *json_scan_string(struct json_scan *j, const char *p, struct json_string *out) {
  uint64_t high = 0;
  const char *q = json_scan_plain(j, p, &high);
  if (FL_LIKELY(*q == '"')) {
    out->s = p;
    out->n = (size_t)(q - p);
    if (FL_UNLIKELY(high) && FL_UNLIKELY(j->utf8(p, out->n) != out->n)) return json_lenient_string(j, p, out);
    return q + 1;
  }
  return *q == '\\' && q[1] != 0 ? json_unescape_(j, p, q, high, out) : json_lenient_string(j, p, out);
}

#include "lenient.h"
#include "parts.h"

#endif
