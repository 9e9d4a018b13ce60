/* SPDX-License-Identifier: MIT
** formats.h -- tests whether a string has a format that JSON Schema defines (Validation 2020-12, section 7.3).
** Must hold: the string is UTF-8. Linear time, no memory, no recursion. */
#pragma once

#include "../../number/compare.h"

enum schema_format {
  SCHEMA_FORMAT_NONE, /* an unknown format, which accepts every string */
  SCHEMA_FORMAT_DATE_TIME,
  SCHEMA_FORMAT_DATE,
  SCHEMA_FORMAT_TIME,
  SCHEMA_FORMAT_DURATION,
  SCHEMA_FORMAT_EMAIL,
  SCHEMA_FORMAT_IDN_EMAIL,
  SCHEMA_FORMAT_HOSTNAME,
  SCHEMA_FORMAT_IDN_HOSTNAME,
  SCHEMA_FORMAT_IPV4,
  SCHEMA_FORMAT_IPV6,
  SCHEMA_FORMAT_URI,
  SCHEMA_FORMAT_URI_REFERENCE,
  SCHEMA_FORMAT_IRI,
  SCHEMA_FORMAT_IRI_REFERENCE,
  SCHEMA_FORMAT_UUID,
  SCHEMA_FORMAT_URI_TEMPLATE,
  SCHEMA_FORMAT_JSON_POINTER,
  SCHEMA_FORMAT_RELATIVE_JSON_POINTER,
  SCHEMA_FORMAT_REGEX,
  SCHEMA_FORMAT_BYTE, /* OpenAPI's: base64, and numbers */
  SCHEMA_FORMAT_INT32,
  SCHEMA_FORMAT_INT64,
  SCHEMA_FORMAT_FLOAT,
  SCHEMA_FORMAT_DOUBLE,
  SCHEMA_FORMATS_END
};

/* Returns the format with this name; draft 4 to 6 have other names for some. */
FL_PRIVATE enum schema_format schema_format_named(const char *s, size_t n);

/* Returns the format with this name in OpenAPI. `binary` and `password` are not tested. */
FL_PRIVATE enum schema_format schema_openapi_format_named(const char *s, size_t n);

/* Returns whether the number has an OpenAPI format: as float or double it must be finite. */
FL_PRIVATE int schema_format_check_number(enum schema_format format, const struct num_any *x);

/* Returns whether the string s[0..n) has the format. */
FL_PRIVATE int schema_format_check(enum schema_format format, const char *s, size_t n);

/* Decodes base64 to w, unless w is NULL. Returns the decoded size, or SIZE_MAX if the text is not padded base64. */
FL_PRIVATE size_t schema_from_base64(const char *s, size_t n, char *w);

FL_INLINE int schema_is_hex_digit(char c) { return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }

FL_PRIVATE int schema_is_date_time(const char *s, size_t n); /* RFC 3339, section 5.6 */
FL_PRIVATE int schema_is_date(const char *s, size_t n);
FL_PRIVATE int schema_is_time(const char *s, size_t n);
FL_PRIVATE int schema_is_duration(const char *s, size_t n); /* RFC 3339, appendix A */

/* RFC 5321, section 4.1.2: Mailbox. `international`: RFC 6531. */
FL_PRIVATE int schema_is_email(const char *s, size_t n, int international);
FL_PRIVATE int schema_is_ipv4(const char *s, size_t n); /* RFC 2673, section 3.2 */
FL_PRIVATE int schema_is_ipv6(const char *s, size_t n); /* RFC 4291, section 2.2 */

FL_PRIVATE int schema_is_hostname(const char *s, size_t n);     /* RFC 1123, section 2.1; A-labels: RFC 5890 */
FL_PRIVATE int schema_is_idn_hostname(const char *s, size_t n); /* RFC 5890, section 2.3.2.3 */

/* RFC 3986. `reference`: relative references are allowed. `international`: RFC 3987. */
FL_PRIVATE int schema_is_uri(const char *s, size_t n, int reference, int international);
FL_PRIVATE int schema_is_uri_template(const char *s, size_t n);          /* RFC 6570 */
FL_PRIVATE int schema_is_uuid(const char *s, size_t n);                  /* RFC 4122 */
FL_PRIVATE int schema_is_json_pointer(const char *s, size_t n);          /* RFC 6901 */
FL_PRIVATE int schema_is_relative_json_pointer(const char *s, size_t n); /* draft-bhutton-relative-json-pointer */
