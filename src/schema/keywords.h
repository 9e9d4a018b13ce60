/* SPDX-License-Identifier: MIT
** keywords.h -- the keywords of JSON Schema: their names, drafts, vocabularies (2019-09 and later), and where their
** values contain schemas. */
#pragma once

#include "../base/def.h"

enum schema_draft {
  SCHEMA_DRAFT_4,
  SCHEMA_DRAFT_6,
  SCHEMA_DRAFT_7,
  SCHEMA_DRAFT_2019,
  SCHEMA_DRAFT_2020,
  SCHEMA_DRAFT_OPENAPI_30, /* a changed draft 4 */
  SCHEMA_DRAFT_OPENAPI_31, /* 2020-12 with the OpenAPI dialect's keywords, which do not affect validity */
  SCHEMA_DRAFTS
};

enum {
  SCHEMA_IN_4 = 1 << SCHEMA_DRAFT_4,
  SCHEMA_IN_6 = 1 << SCHEMA_DRAFT_6,
  SCHEMA_IN_7 = 1 << SCHEMA_DRAFT_7,
  SCHEMA_IN_2019 = 1 << SCHEMA_DRAFT_2019,
  SCHEMA_IN_2020 = 1 << SCHEMA_DRAFT_2020 | 1 << SCHEMA_DRAFT_OPENAPI_31,
  SCHEMA_IN_OPENAPI_30 = 1 << SCHEMA_DRAFT_OPENAPI_30,
  SCHEMA_IN_OPENAPI_31 = 1 << SCHEMA_DRAFT_OPENAPI_31,
  SCHEMA_FROM_2019 = SCHEMA_IN_2019 | SCHEMA_IN_2020,
  SCHEMA_FROM_7 = SCHEMA_IN_7 | SCHEMA_FROM_2019,
  SCHEMA_FROM_6 = SCHEMA_IN_6 | SCHEMA_FROM_7,
  SCHEMA_FROM_4 = SCHEMA_IN_4 | SCHEMA_FROM_6,
  SCHEMA_TO_2019 = SCHEMA_IN_4 | SCHEMA_IN_6 | SCHEMA_IN_7 | SCHEMA_IN_2019,
  SCHEMA_6_AND_7 = SCHEMA_IN_6 | SCHEMA_IN_7,
  SCHEMA_IN_ALL = SCHEMA_FROM_4 | SCHEMA_IN_OPENAPI_30
};

enum schema_vocabulary {
  SCHEMA_CORE,
  SCHEMA_APPLICATOR,
  SCHEMA_UNEVALUATED, /* belongs to the applicators in 2019-09 */
  SCHEMA_VALIDATION,
  SCHEMA_METADATA,
  SCHEMA_FORMATS,
  SCHEMA_CONTENTS,
  SCHEMA_FORMAT_ASSERTION, /* has no keywords; formats must be tested */
  SCHEMA_VOCABULARIES
};

/* Where a keyword's value contains schemas. */
enum schema_holds {
  SCHEMA_HOLDS_NONE,
  SCHEMA_HOLDS_ONE,         /* the value is a schema */
  SCHEMA_HOLDS_LIST,        /* an array of schemas */
  SCHEMA_HOLDS_MEMBERS,     /* an object of schemas */
  SCHEMA_HOLDS_ONE_OR_LIST, /* items before 2020-12 */
  SCHEMA_HOLDS_DEPENDENCIES /* an object of schemas and of arrays of names */
};

/* X(enumerator, name, drafts, vocabulary, where schemas stand). What draft 4 and OpenAPI 3.0 change in types, numbers
** and names is in the compiler. 2020-12 keeps `definitions` and `dependencies` for compatibility. Those that contain
** schemas stand together. */
/* clang-format off */
#define SCHEMA_KEYWORDS_OF(X) \
  X(SCHEMA, "$schema", FROM_4, CORE, NONE) \
  X(ID, "$id", FROM_6, CORE, NONE) \
  X(ID_4, "id", IN_4, CORE, NONE) \
  X(REF, "$ref", IN_ALL, CORE, NONE) \
  X(ANCHOR, "$anchor", FROM_2019, CORE, NONE) \
  X(DYNAMIC_REF, "$dynamicRef", IN_2020, CORE, NONE) \
  X(DYNAMIC_ANCHOR, "$dynamicAnchor", IN_2020, CORE, NONE) \
  X(RECURSIVE_REF, "$recursiveRef", IN_2019, CORE, NONE) \
  X(RECURSIVE_ANCHOR, "$recursiveAnchor", IN_2019, CORE, NONE) \
  X(VOCABULARY, "$vocabulary", FROM_2019, CORE, NONE) \
  X(COMMENT, "$comment", FROM_7, CORE, NONE) \
  X(TYPE, "type", IN_ALL, VALIDATION, NONE) \
  X(ENUM, "enum", IN_ALL, VALIDATION, NONE) \
  X(CONST, "const", FROM_6, VALIDATION, NONE) \
  X(MULTIPLE_OF, "multipleOf", IN_ALL, VALIDATION, NONE) \
  X(MAXIMUM, "maximum", IN_ALL, VALIDATION, NONE) \
  X(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", IN_ALL, VALIDATION, NONE) \
  X(MINIMUM, "minimum", IN_ALL, VALIDATION, NONE) \
  X(EXCLUSIVE_MINIMUM, "exclusiveMinimum", IN_ALL, VALIDATION, NONE) \
  X(MAX_LENGTH, "maxLength", IN_ALL, VALIDATION, NONE) \
  X(MIN_LENGTH, "minLength", IN_ALL, VALIDATION, NONE) \
  X(PATTERN, "pattern", IN_ALL, VALIDATION, NONE) \
  X(MAX_ITEMS, "maxItems", IN_ALL, VALIDATION, NONE) \
  X(MIN_ITEMS, "minItems", IN_ALL, VALIDATION, NONE) \
  X(UNIQUE_ITEMS, "uniqueItems", IN_ALL, VALIDATION, NONE) \
  X(MAX_CONTAINS, "maxContains", FROM_2019, VALIDATION, NONE) \
  X(MIN_CONTAINS, "minContains", FROM_2019, VALIDATION, NONE) \
  X(MAX_PROPERTIES, "maxProperties", IN_ALL, VALIDATION, NONE) \
  X(MIN_PROPERTIES, "minProperties", IN_ALL, VALIDATION, NONE) \
  X(REQUIRED, "required", IN_ALL, VALIDATION, NONE) \
  X(DEPENDENT_REQUIRED, "dependentRequired", FROM_2019, VALIDATION, NONE) \
  X(DEFS, "$defs", FROM_2019, CORE, MEMBERS) \
  X(DEFINITIONS, "definitions", FROM_4, CORE, MEMBERS) \
  X(PREFIX_ITEMS, "prefixItems", IN_2020, APPLICATOR, LIST) \
  X(ITEMS, "items", IN_ALL, APPLICATOR, ONE_OR_LIST) \
  X(ADDITIONAL_ITEMS, "additionalItems", TO_2019, APPLICATOR, ONE) \
  X(CONTAINS, "contains", FROM_6, APPLICATOR, ONE) \
  X(PROPERTIES, "properties", IN_ALL, APPLICATOR, MEMBERS) \
  X(PATTERN_PROPERTIES, "patternProperties", FROM_4, APPLICATOR, MEMBERS) \
  X(ADDITIONAL_PROPERTIES, "additionalProperties", IN_ALL, APPLICATOR, ONE) \
  X(PROPERTY_NAMES, "propertyNames", FROM_6, APPLICATOR, ONE) \
  X(DEPENDENT_SCHEMAS, "dependentSchemas", FROM_2019, APPLICATOR, MEMBERS) \
  X(DEPENDENCIES, "dependencies", FROM_4, APPLICATOR, DEPENDENCIES) \
  X(IF, "if", FROM_7, APPLICATOR, ONE) \
  X(THEN, "then", FROM_7, APPLICATOR, ONE) \
  X(ELSE, "else", FROM_7, APPLICATOR, ONE) \
  X(ALL_OF, "allOf", IN_ALL, APPLICATOR, LIST) \
  X(ANY_OF, "anyOf", IN_ALL, APPLICATOR, LIST) \
  X(ONE_OF, "oneOf", IN_ALL, APPLICATOR, LIST) \
  X(NOT, "not", IN_ALL, APPLICATOR, ONE) \
  X(UNEVALUATED_ITEMS, "unevaluatedItems", FROM_2019, UNEVALUATED, ONE) \
  X(UNEVALUATED_PROPERTIES, "unevaluatedProperties", FROM_2019, UNEVALUATED, ONE) \
  X(CONTENT_SCHEMA, "contentSchema", FROM_2019, CONTENTS, ONE) \
  X(FORMAT, "format", IN_ALL, FORMATS, NONE) \
  X(CONTENT_ENCODING, "contentEncoding", FROM_7, CONTENTS, NONE) \
  X(CONTENT_MEDIA_TYPE, "contentMediaType", FROM_7, CONTENTS, NONE) \
  X(TITLE, "title", IN_ALL, METADATA, NONE) \
  X(DESCRIPTION, "description", IN_ALL, METADATA, NONE) \
  X(DEFAULT, "default", IN_ALL, METADATA, NONE) \
  X(DEPRECATED, "deprecated", FROM_2019 | SCHEMA_IN_OPENAPI_30, METADATA, NONE) \
  X(READ_ONLY, "readOnly", FROM_7 | SCHEMA_IN_OPENAPI_30, METADATA, NONE) \
  X(WRITE_ONLY, "writeOnly", FROM_7 | SCHEMA_IN_OPENAPI_30, METADATA, NONE) \
  X(EXAMPLES, "examples", FROM_6, METADATA, NONE) \
  X(NULLABLE, "nullable", IN_OPENAPI_30, VALIDATION, NONE) \
  X(DISCRIMINATOR, "discriminator", IN_OPENAPI_30 | SCHEMA_IN_OPENAPI_31, METADATA, NONE) \
  X(XML, "xml", IN_OPENAPI_30 | SCHEMA_IN_OPENAPI_31, METADATA, NONE) \
  X(EXTERNAL_DOCS, "externalDocs", IN_OPENAPI_30 | SCHEMA_IN_OPENAPI_31, METADATA, NONE) \
  X(EXAMPLE, "example", IN_OPENAPI_30 | SCHEMA_IN_OPENAPI_31, METADATA, NONE)
/* clang-format on */

enum schema_keyword {
  SCHEMA_KEYWORD_NONE,
  SCHEMA_KEYWORD_FALSE = SCHEMA_KEYWORD_NONE, /* in a failure: the schema is false */
#define X(keyword, name, drafts, vocabulary, holds) SCHEMA_KEYWORD_##keyword,
  SCHEMA_KEYWORDS_OF(X)
#undef X
      SCHEMA_KEYWORDS,
  SCHEMA_FIRST_HOLDER = SCHEMA_KEYWORD_DEFS,
  SCHEMA_LAST_HOLDER = SCHEMA_KEYWORD_CONTENT_SCHEMA
};

struct schema_keyword_row {
  const char *name;
  uint8_t length;
  uint8_t drafts;     /* bit set of drafts */
  uint8_t vocabulary; /* a schema_vocabulary */
  uint8_t holds;      /* a schema_holds */
};

/* Returns the row of a keyword; that of SCHEMA_KEYWORD_NONE has an empty name. */
FL_PRIVATE const struct schema_keyword_row *schema_keyword_row(enum schema_keyword keyword);

enum { SCHEMA_KEYWORD_SLOTS = 256 };

/* Makes the hash table of all keywords. */
FL_PRIVATE void schema_list_keywords(uint8_t slots[SCHEMA_KEYWORD_SLOTS]);

/* Returns the keyword with this name in any draft, or SCHEMA_KEYWORD_NONE. */
FL_PRIVATE enum schema_keyword schema_keyword_named(const uint8_t slots[SCHEMA_KEYWORD_SLOTS], const char *s, size_t n);
