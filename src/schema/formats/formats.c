/* SPDX-License-Identifier: MIT */
#include "formats.h"
#include "../hash.h"
#include "../../regex/compile.h"

static const struct {
  const char *name;
  enum schema_format format;
} schema_format_names[] = {
    {"date-time", SCHEMA_FORMAT_DATE_TIME},
    {"date", SCHEMA_FORMAT_DATE},
    {"time", SCHEMA_FORMAT_TIME},
    {"duration", SCHEMA_FORMAT_DURATION},
    {"email", SCHEMA_FORMAT_EMAIL},
    {"idn-email", SCHEMA_FORMAT_IDN_EMAIL},
    {"hostname", SCHEMA_FORMAT_HOSTNAME},
    {"host-name", SCHEMA_FORMAT_HOSTNAME},
    {"idn-hostname", SCHEMA_FORMAT_IDN_HOSTNAME},
    {"ipv4", SCHEMA_FORMAT_IPV4},
    {"ip-address", SCHEMA_FORMAT_IPV4},
    {"ipv6", SCHEMA_FORMAT_IPV6},
    {"uri", SCHEMA_FORMAT_URI},
    {"uri-reference", SCHEMA_FORMAT_URI_REFERENCE},
    {"iri", SCHEMA_FORMAT_IRI},
    {"iri-reference", SCHEMA_FORMAT_IRI_REFERENCE},
    {"uuid", SCHEMA_FORMAT_UUID},
    {"uri-template", SCHEMA_FORMAT_URI_TEMPLATE},
    {"json-pointer", SCHEMA_FORMAT_JSON_POINTER},
    {"relative-json-pointer", SCHEMA_FORMAT_RELATIVE_JSON_POINTER},
    {"regex", SCHEMA_FORMAT_REGEX},
};

FL_PRIVATE enum schema_format schema_openapi_format_named(const char *s, size_t n) {
  static const char names[][8] = {"byte", "int32", "int64", "float", "double"};
  size_t i;
  for (i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == n && memcmp(names[i], s, n) == 0) return (enum schema_format)(SCHEMA_FORMAT_BYTE + i);
  return SCHEMA_FORMAT_NONE;
}

static int schema_is_between(const struct num_any *x, int64_t least, int64_t most) {
  struct num_any bound;
  int order;
  if (!num_is_whole(x)) return 0;
  memset(&bound, 0, sizeof bound);
  bound.form = NUM_IS_INTEGER;
  bound.is.i = least;
  order = num_compare(x, &bound);
  if (order != 0 && order != 1) return 0;
  bound.is.i = most;
  return num_compare(x, &bound) <= 0;
}

FL_PRIVATE int schema_format_check_number(enum schema_format format, const struct num_any *x) {
  const double d = schema_double_of(x);
  switch (format) {
  case SCHEMA_FORMAT_INT32: return schema_is_between(x, INT32_MIN, INT32_MAX);
  case SCHEMA_FORMAT_INT64: return schema_is_between(x, INT64_MIN, INT64_MAX);
  case SCHEMA_FORMAT_FLOAT: return d < 3.4028235677973366e38 && d > -3.4028235677973366e38; /* 2^128 - 2^103 */
  case SCHEMA_FORMAT_DOUBLE: return d - d == 0;
  default: return 1;
  }
}

FL_PRIVATE enum schema_format schema_format_named(const char *s, size_t n) {
  size_t i;
  for (i = 0; i < sizeof schema_format_names / sizeof *schema_format_names; i++)
    if (strlen(schema_format_names[i].name) == n && memcmp(schema_format_names[i].name, s, n) == 0)
      return schema_format_names[i].format;
  return SCHEMA_FORMAT_NONE;
}

/* Returns the value of a base64 digit (RFC 4648, section 4), or 64. */
static unsigned schema_base64_digit(char x) {
  if (x >= 'A' && x <= 'Z') return (unsigned)(x - 'A');
  if (x >= 'a' && x <= 'z') return (unsigned)(x - 'a') + 26;
  if (x >= '0' && x <= '9') return (unsigned)(x - '0') + 52;
  return x == '+' ? 62 : x == '/' ? 63 : 64;
}

FL_PRIVATE size_t schema_from_base64(const char *s, size_t n, char *w) {
  size_t i, end = n, count = 0;
  uint32_t bits = 0;
  if (n % 4) return SIZE_MAX;
  while (end > 0 && n - end < 2 && s[end - 1] == '=') end--;
  for (i = 0; i < end; i++) {
    const unsigned digit = schema_base64_digit(s[i]);
    if (digit == 64) return SIZE_MAX;
    bits = bits << 6 | digit;
    if (i % 4 == 0) continue;
    if (w) w[count] = (char)(bits >> (6 - i % 4 * 2));
    count++;
  }
  return count;
}

static int schema_is_regex(const char *s, size_t n) {
  struct regex_compiler c;
  return regex_compile(&c, NULL, s, n) || c.is_limit || c.is_back_reference;
}

FL_PRIVATE int schema_format_check(enum schema_format format, const char *s, size_t n) {
  switch (format) {
  case SCHEMA_FORMAT_DATE_TIME: return schema_is_date_time(s, n);
  case SCHEMA_FORMAT_DATE: return schema_is_date(s, n);
  case SCHEMA_FORMAT_TIME: return schema_is_time(s, n);
  case SCHEMA_FORMAT_DURATION: return schema_is_duration(s, n);
  case SCHEMA_FORMAT_EMAIL: return schema_is_email(s, n, 0);
  case SCHEMA_FORMAT_IDN_EMAIL: return schema_is_email(s, n, 1);
  case SCHEMA_FORMAT_HOSTNAME: return schema_is_hostname(s, n);
  case SCHEMA_FORMAT_IDN_HOSTNAME: return schema_is_idn_hostname(s, n);
  case SCHEMA_FORMAT_IPV4: return schema_is_ipv4(s, n);
  case SCHEMA_FORMAT_IPV6: return schema_is_ipv6(s, n);
  case SCHEMA_FORMAT_URI: return schema_is_uri(s, n, 0, 0);
  case SCHEMA_FORMAT_URI_REFERENCE: return schema_is_uri(s, n, 1, 0);
  case SCHEMA_FORMAT_IRI: return schema_is_uri(s, n, 0, 1);
  case SCHEMA_FORMAT_IRI_REFERENCE: return schema_is_uri(s, n, 1, 1);
  case SCHEMA_FORMAT_UUID: return schema_is_uuid(s, n);
  case SCHEMA_FORMAT_URI_TEMPLATE: return schema_is_uri_template(s, n);
  case SCHEMA_FORMAT_JSON_POINTER: return schema_is_json_pointer(s, n);
  case SCHEMA_FORMAT_RELATIVE_JSON_POINTER: return schema_is_relative_json_pointer(s, n);
  case SCHEMA_FORMAT_REGEX: return schema_is_regex(s, n);
  case SCHEMA_FORMAT_BYTE: return schema_from_base64(s, n, NULL) != SIZE_MAX;
  default: return 1;
  }
}
