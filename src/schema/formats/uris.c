/* SPDX-License-Identifier: MIT
** uris.c -- RFC 3986, RFC 3987, RFC 6570; and pointers, which are parts of them. */
#include "../../text/utf8.h"
#include "formats.h"

/* Sets of characters that may be unencoded, as bits. */
enum schema_uri_set {
  SCHEMA_URI_DIGIT = 1,
  SCHEMA_URI_ALPHA = 2,
  SCHEMA_URI_MARK = 4,      /* - . _ ~ */
  SCHEMA_URI_DELIM = 8,     /* sub-delims */
  SCHEMA_URI_COLON = 16,    /* : */
  SCHEMA_URI_AT = 32,       /* @ */
  SCHEMA_URI_SLASH = 64,    /* / */
  SCHEMA_URI_QUERY = 128,   /* ? */
  SCHEMA_URI_PRIVATE = 256, /* RFC 3987: iprivate */
  SCHEMA_URI_USER = SCHEMA_URI_DIGIT | SCHEMA_URI_ALPHA | SCHEMA_URI_MARK | SCHEMA_URI_DELIM | SCHEMA_URI_COLON,
  SCHEMA_URI_NAME = SCHEMA_URI_DIGIT | SCHEMA_URI_ALPHA | SCHEMA_URI_MARK | SCHEMA_URI_DELIM,
  SCHEMA_URI_PATH = SCHEMA_URI_USER | SCHEMA_URI_AT | SCHEMA_URI_SLASH,
  SCHEMA_URI_FRAGMENT = SCHEMA_URI_PATH | SCHEMA_URI_QUERY
};

static unsigned schema_uri_class(char c) {
  if (c >= '0' && c <= '9') return SCHEMA_URI_DIGIT;
  if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') return SCHEMA_URI_ALPHA;
  switch (c) {
  case '-':
  case '.':
  case '_':
  case '~': return SCHEMA_URI_MARK;
  case '!':
  case '$':
  case '&':
  case '\'':
  case '(':
  case ')':
  case '*':
  case '+':
  case ',':
  case ';':
  case '=': return SCHEMA_URI_DELIM;
  case ':': return SCHEMA_URI_COLON;
  case '@': return SCHEMA_URI_AT;
  case '/': return SCHEMA_URI_SLASH;
  case '?': return SCHEMA_URI_QUERY;
  default: return 0;
  }
}

/* RFC 3987, section 2.2: ucschar; with SCHEMA_URI_PRIVATE also iprivate. */
static int schema_is_iri_character(uint32_t c, unsigned set) {
  if (c >= 0xe000 && c <= 0xf8ff) return (set & SCHEMA_URI_PRIVATE) != 0;
  if (c >= 0xf0000) return (set & SCHEMA_URI_PRIVATE) && (c & 0xfffe) != 0xfffe;
  return c >= 0xa0 && !(c >= 0xfdd0 && c <= 0xfdef) && !(c >= 0xfff0 && c <= 0xffff) && (c & 0xfffe) != 0xfffe &&
         !(c >= 0xe0000 && c < 0xe1000);
}

/* Skips characters of the set and percent-encoded ones. Returns the first other byte. */
static const char *schema_skip_uri(const char *s, const char *end, unsigned set, int international) {
  while (s < end) {
    uint32_t c;
    int length;
    if (schema_uri_class(*s) & set) {
      s++;
    } else if (*s == '%' && end - s > 2 && schema_is_hex_digit(s[1]) && schema_is_hex_digit(s[2])) {
      s += 3;
    } else {
      if (!international || (unsigned char)*s < 0x80) return s;
      length = text_utf8_next(s, (size_t)(end - s), &c);
      if (length <= 0 || !schema_is_iri_character(c, set)) return s;
      s += length;
    }
  }
  return s;
}

/* Returns whether it is the inside of an IP-literal: an IPv6 address or IPvFuture. */
static int schema_is_ip_literal(const char *s, const char *end) {
  const char *dot;
  if (s == end || (*s | 0x20) != 'v') return schema_is_ipv6(s, (size_t)(end - s));
  for (dot = ++s; dot < end && schema_is_hex_digit(*dot);) dot++;
  if (dot == s || dot == end || *dot != '.' || dot + 1 == end) return 0;
  for (s = dot + 1; s < end && (schema_uri_class(*s) & SCHEMA_URI_USER);) s++;
  return s == end;
}

/* [ userinfo "@" ] host [ ":" port ] */
static int schema_is_authority(const char *s, const char *end, int international) {
  const char *at = (const char *)memchr(s, '@', (size_t)(end - s)), *close;
  if (at) {
    if (schema_skip_uri(s, at, SCHEMA_URI_USER, international) != at) return 0;
    s = at + 1;
  }
  if (s < end && *s == '[') {
    close = (const char *)memchr(s, ']', (size_t)(end - s));
    if (!close || !schema_is_ip_literal(s + 1, close)) return 0;
    s = close + 1;
  } else {
    s = schema_skip_uri(s, end, SCHEMA_URI_NAME, international);
  }
  if (s < end && *s++ != ':') return 0;
  while (s < end && *s >= '0' && *s <= '9') s++;
  return s == end;
}

/* Skips a scheme and its colon. Returns s if there is none. */
static const char *schema_skip_scheme(const char *s, const char *end) {
  const char *p = s;
  if (p == end || schema_uri_class(*p) != SCHEMA_URI_ALPHA) return s;
  while (p < end && ((schema_uri_class(*p) & (SCHEMA_URI_ALPHA | SCHEMA_URI_DIGIT)) || (*p && strchr("+-.", *p)))) p++;
  return p < end && *p == ':' ? p + 1 : s;
}

FL_PRIVATE int schema_is_uri(const char *s, size_t n, int reference, int international) {
  const char *end = s + n, *path = schema_skip_scheme(s, end);
  const int has_scheme = path > s;
  int may_have_colon;
  if (!has_scheme && !reference) return 0;
  s = path;
  if (end - s >= 2 && s[0] == '/' && s[1] == '/') {
    for (s += 2, path = s; path < end && !memchr("/?#", *path, 3);) path++;
    if (!schema_is_authority(s, path, international)) return 0;
    s = path;
  }
  may_have_colon = has_scheme || (s < end && *s == '/');
  path = s;
  s = schema_skip_uri(s, end, SCHEMA_URI_PATH & ~(may_have_colon ? 0u : SCHEMA_URI_COLON), international);
  if (!may_have_colon &&
      memchr(path, '/', (size_t)(s - path))) /* without a scheme the first segment must not have a colon */
    s = schema_skip_uri(s, end, SCHEMA_URI_PATH, international);
  if (s < end && *s == '?') s = schema_skip_uri(s + 1, end, SCHEMA_URI_FRAGMENT | SCHEMA_URI_PRIVATE, international);
  if (s < end && *s == '#') s = schema_skip_uri(s + 1, end, SCHEMA_URI_FRAGMENT, international);
  return s == end;
}

/* ------------------------------------------------------------------------------------- templates */

/* RFC 6570, section 2.1: skips literals. Erratum 6937 adds the apostrophe. */
static const char *schema_skip_literals(const char *s, const char *end) {
  while (s < end && *s != '{') {
    uint32_t c;
    const int length = text_utf8_next(s, (size_t)(end - s), &c);
    if (length <= 0) return NULL;
    if (c == '%') {
      if (end - s < 3 || !schema_is_hex_digit(s[1]) || !schema_is_hex_digit(s[2])) return NULL;
    } else if (c < 0x80 ? c <= ' ' || c == 0x7f || strchr("\"<>\\^`|}", (int)c) != NULL
                        : !schema_is_iri_character(c, SCHEMA_URI_PRIVATE)) {
      return NULL;
    }
    s += length;
  }
  return s;
}

/* Section 2.3: skips a varname. */
static const char *schema_skip_variable(const char *s, const char *end) {
  for (;; s++) {
    const char *first = s;
    for (;;) {
      if (s < end && ((schema_uri_class(*s) & (SCHEMA_URI_ALPHA | SCHEMA_URI_DIGIT)) || *s == '_')) s++;
      else if (end - s > 2 && *s == '%' && schema_is_hex_digit(s[1]) && schema_is_hex_digit(s[2])) s += 3;
      else break;
    }
    if (s == first) return NULL;
    if (s == end || *s != '.') return s;
  }
}

/* Section 2.2: skips the rest of an expression after its brace. */
static const char *schema_skip_expression(const char *s, const char *end) {
  if (s < end && *s && strchr("+#./;?&=,!@|", *s)) s++;
  for (;; s++) {
    if (!(s = schema_skip_variable(s, end))) return NULL;
    if (s < end && *s == '*') {
      s++;
    } else if (s < end && *s == ':') { /* section 2.4.1: below 10000, and no leading zero */
      const char *first = ++s;
      while (s < end && s - first < 4 && *s >= '0' && *s <= '9') s++;
      if (s == first || *first == '0') return NULL;
    }
    if (s == end || (*s != ',' && *s != '}')) return NULL;
    if (*s == '}') return s + 1;
  }
}

FL_PRIVATE int schema_is_uri_template(const char *s, size_t n) {
  const char *end = s + n;
  while (s && s < end) s = *s == '{' ? schema_skip_expression(s + 1, end) : schema_skip_literals(s, end);
  return s != NULL;
}

/* ------------------------------------------------------------------------------------- pointers and identifiers */

FL_PRIVATE int schema_is_json_pointer(const char *s, size_t n) {
  const char *end = s + n;
  if (n > 0 && *s != '/') return 0;
  for (; s < end; s++)
    if (*s == '~' && (s + 1 == end || (s[1] != '0' && s[1] != '1'))) return 0;
  return 1;
}

FL_PRIVATE int schema_is_relative_json_pointer(const char *s, size_t n) {
  const char *end = s + n, *first = s;
  while (s < end && *s >= '0' && *s <= '9') s++;
  if (s == first || (*first == '0' && s - first > 1)) return 0;
  if (s < end && (*s == '+' || *s == '-')) { /* index manipulation */
    first = ++s;
    while (s < end && *s >= '0' && *s <= '9') s++;
    if (s == first || *first == '0') return 0;
  }
  if (s < end && *s == '#') return s + 1 == end;
  return schema_is_json_pointer(s, (size_t)(end - s));
}

FL_PRIVATE int schema_is_uuid(const char *s, size_t n) {
  size_t i;
  if (n != 36) return 0;
  for (i = 0; i < n; i++)
    if (i == 8 || i == 13 || i == 18 || i == 23 ? s[i] != '-' : !schema_is_hex_digit(s[i])) return 0;
  return 1;
}
