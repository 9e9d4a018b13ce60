/* SPDX-License-Identifier: MIT */
#include "formats.h"

FL_PRIVATE enum schema_format schema_format_named(const char *s, size_t n) {
  static const char *const names[SCHEMA_FORMATS_END] = {"",
                                                        "date-time",
                                                        "date",
                                                        "time",
                                                        "duration",
                                                        "email",
                                                        "idn-email",
                                                        "hostname",
                                                        "idn-hostname",
                                                        "ipv4",
                                                        "ipv6",
                                                        "uri",
                                                        "uri-reference",
                                                        "iri",
                                                        "iri-reference",
                                                        "uuid",
                                                        "uri-template",
                                                        "json-pointer",
                                                        "relative-json-pointer",
                                                        "regex"};
  int i;
  for (i = 1; i < SCHEMA_FORMATS_END; i++)
    if (strlen(names[i]) == n && memcmp(names[i], s, n) == 0) return (enum schema_format)i;
  return SCHEMA_FORMAT_NONE;
}
