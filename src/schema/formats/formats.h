/* SPDX-License-Identifier: MIT
** formats.h -- the formats of JSON Schema: their names, and is a string of one?
** Must hold: no memory but the C stack, and linear time. */
#pragma once

#include "../../base/def.h"

enum schema_format {
  SCHEMA_FORMAT_NONE, /* not known */
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
  SCHEMA_FORMATS_END
};

/* The format with this name, such as "date-time". */
FL_PRIVATE enum schema_format schema_format_named(const char *s, size_t n);
