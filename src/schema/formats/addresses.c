/* SPDX-License-Identifier: MIT
** addresses.c -- addresses of hosts and of mail. */
#include "formats.h"

/* RFC 3986, section 3.2.2: IPv4address; a leading zero would be octal for some. */
FL_PRIVATE int schema_is_ipv4(const char *s, size_t n) {
  const char *end = s + n;
  int i;
  for (i = 0; i < 4; i++) {
    const char *first = s;
    int x = 0;
    for (; s < end && s - first < 3 && *s >= '0' && *s <= '9'; s++) x = 10 * x + (*s - '0');
    if (s == first || x > 255 || (*first == '0' && s - first > 1)) return 0;
    if (i < 3 && (s == end || *s++ != '.')) return 0;
  }
  return s == end;
}

/* Up to eight groups of four digits; the last two may be an IPv4 address; one run of zeros may be "::". */
FL_PRIVATE int schema_is_ipv6(const char *s, size_t n) {
  const char *end = s + n;
  int groups = 0, is_cut = 0;
  if (n >= 2 && s[0] == ':' && s[1] == ':') is_cut = 1, s += 2;
  while (s < end) {
    const char *first = s;
    while (s < end && schema_is_hex_digit(*s)) s++;
    if (s < end && *s == '.') {
      groups += 2;
      if (!schema_is_ipv4(first, (size_t)(end - first))) return 0;
      break;
    }
    if (s == first || s - first > 4) return 0;
    groups++;
    if (s == end) break;
    if (*s++ != ':') return 0;
    if (s == end) return 0;
    if (*s == ':') {
      if (is_cut++) return 0;
      s++;
    }
  }
  return is_cut ? groups < 8 : groups == 8;
}

enum { SCHEMA_LONGEST_LOCAL = 64 }; /* RFC 5321, section 4.5.3.1.1: octets before the @ */

/* RFC 5322, section 3.2.3: atext; RFC 6532, section 3.2 adds all that is not ASCII. */
static int schema_is_atext(char c, int international) {
  if ((unsigned char)c >= 0x80) return international;
  return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
         (c && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL);
}

/* Skips a quoted-string. Returns its end, or NULL if it is invalid. */
static const char *schema_skip_quoted(const char *s, const char *end, int international) {
  for (s++; s < end && *s != '"'; s++) {
    if (*s == '\\' && ++s == end) return NULL;
    if ((unsigned char)*s < ' ' || *s == 0x7f || ((unsigned char)*s >= 0x80 && !international)) return NULL;
  }
  return s < end ? s + 1 : NULL;
}

/* Dot-string. */
static const char *schema_skip_dotted(const char *s, const char *end, int international) {
  for (;; s++) {
    const char *first = s;
    while (s < end && schema_is_atext(*s, international)) s++;
    if (s == first) return NULL;
    if (s == end || *s != '.') return s;
  }
}

FL_PRIVATE int schema_is_email(const char *s, size_t n, int international) {
  const char *end = s + n, *local = s;
  if (n == 0) return 0;
  s = *s == '"' ? schema_skip_quoted(s, end, international) : schema_skip_dotted(s, end, international);
  if (!s || s == end || *s != '@' || s - local > SCHEMA_LONGEST_LOCAL || ++s == end) return 0;
  n = (size_t)(end - s);
  if (*s != '[') return international ? schema_is_idn_hostname(s, n) : schema_is_hostname(s, n);
  if (end[-1] != ']' || n < 2) return 0;
  s++, n -= 2;
  if (n >= 5 && memcmp(s, "IPv6:", 5) == 0) return schema_is_ipv6(s + 5, n - 5);
  return schema_is_ipv4(s, n);
}
