/* SPDX-License-Identifier: MIT */
#include "formats.h"
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

FL_PRIVATE enum schema_format schema_format_named(const char *s, size_t n) {
  size_t i;
  for (i = 0; i < sizeof schema_format_names / sizeof *schema_format_names; i++)
    if (strlen(schema_format_names[i].name) == n && memcmp(schema_format_names[i].name, s, n) == 0)
      return schema_format_names[i].format;
  return SCHEMA_FORMAT_NONE;
}

static int schema_is_regex(const char *s, size_t n) {
  struct regex_compiler c;
  return regex_compile_ecma(&c, NULL, s, n) || c.is_limit || c.is_back_reference;
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
  default: return 1;
  }
}
