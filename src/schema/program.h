/* SPDX-License-Identifier: MIT
** program.h -- compiled JSON Schemas: what compile/ writes, run/ follows and face/ reports from.
** Must hold: a program is arrays in one block of memory and does not change, so threads may share it. Parts name each
** other by their numbers, so circles of references are circles of numbers. Dynamic references were resolved when it was
** compiled: a schema that can be reached with different dynamic scopes has a unit for each.
**
** A unit is one schema: the operations from its first one on, up to SCHEMA_OP_END, in the order in which they are best
** tried: what is cheap first, what calls other units later, unevaluatedItems and unevaluatedProperties last. */
#pragma once

#include "../regex/regex.h"
#include "../values/value.h"
#include "keywords.h"

#define SCHEMA_NONE UINT32_MAX

/* What a value is, as bits. A number is SCHEMA_NUMBER, and SCHEMA_INTEGER too if its value is whole. */
enum schema_types {
  SCHEMA_NULL = 1,
  SCHEMA_BOOLEAN = 2,
  SCHEMA_INTEGER = 4,
  SCHEMA_NUMBER = 8,
  SCHEMA_STRING = 16,
  SCHEMA_ARRAY = 32,
  SCHEMA_OBJECT = 64,
  SCHEMA_ANY_TYPE = 127
};

/* Units that every program has. */
enum { SCHEMA_UNIT_TRUE, SCHEMA_UNIT_FALSE, SCHEMA_UNITS };

enum schema_op_code {
  SCHEMA_OP_END,
  SCHEMA_OP_FALSE,   /* nothing is valid */
  SCHEMA_OP_TYPE,    /* a: a set of schema_types; b: 1 in draft 4, where 3.0 is no integer */
  SCHEMA_OP_CONST,   /* a: a literal that is a scalar */
  SCHEMA_OP_ENUM,    /* a, b: the first of the literals, all scalars, and their number; c: slots by hash, or NONE */
  SCHEMA_OP_MINIMUM, /* a: a literal; likewise the next four */
  SCHEMA_OP_EXCLUSIVE_MINIMUM,
  SCHEMA_OP_MAXIMUM,
  SCHEMA_OP_EXCLUSIVE_MAXIMUM,
  SCHEMA_OP_MULTIPLE_OF,
  SCHEMA_OP_MIN_LENGTH, /* a: characters; 32 bits are more than any string has; likewise below */
  SCHEMA_OP_MAX_LENGTH,
  SCHEMA_OP_PATTERN, /* a: a regex */
  SCHEMA_OP_FORMAT,  /* a: a schema_format; or, with b = 1, the number of a check that the user gave */
  SCHEMA_OP_CONTENT, /* a, b: is it base64, is it JSON? (contentEncoding, contentMediaType, where asserted) */
  SCHEMA_OP_MIN_ITEMS,
  SCHEMA_OP_MAX_ITEMS,
  SCHEMA_OP_MIN_PROPERTIES,
  SCHEMA_OP_MAX_PROPERTIES,
  SCHEMA_OP_REQUIRED,           /* a, b: the first of the names, and their number; where there is no SCHEMA_OP_OBJECT */
  SCHEMA_OP_DEPENDENT_REQUIRED, /* a: the name that requires; b, c: the first of the names, and their number */
  SCHEMA_OP_OBJECT,             /* a: a schema_object */
  /* a, b: the first in the list of units, and their number, of the first items; c: the unit of all others, NONE: they
  ** are not looked at and not evaluated. With both, the keyword is that of c: see schema_keyword_of_item. */
  SCHEMA_OP_ITEMS,
  SCHEMA_OP_UNIQUE_ITEMS, /* a: 1: a failure has the place of the second of the equal items */
  SCHEMA_OP_CONTAINS,     /* a: a schema_contains */
  /* a: a unit for the same value: $ref, each schema of allOf. is_branch: only that it failed is reported, as for the
  ** keyword const, whose unit is what the value has to equal. */
  SCHEMA_OP_CALL,
  /* a, b: the first in the list of units, and their number; c: the name of the discriminator's property, plus 1; also
  ** enum with arrays or objects */
  SCHEMA_OP_ANY_OF,
  SCHEMA_OP_ONE_OF,
  SCHEMA_OP_NOT,               /* a: a unit */
  SCHEMA_OP_IF,                /* a: a unit; b, c: the units if it is valid and if not, or SCHEMA_UNIT_TRUE */
  SCHEMA_OP_DEPENDENT_SCHEMA,  /* a: a name; b: a unit for the same object if it has a member of that name */
  SCHEMA_OP_UNEVALUATED_ITEMS, /* a: a unit */
  SCHEMA_OP_UNEVALUATED_PROPERTIES,
  SCHEMA_OP_CUSTOM /* a: the number of a keyword that the user gave; b: the source with its value */
};

struct schema_op {
  uint8_t code;
  uint8_t types;     /* the types of values that it is about; others are valid */
  uint8_t keyword;   /* a schema_keyword: whose failure it is */
  uint8_t is_branch; /* failures within the units that it calls are not failures of the whole: anyOf, not, if ... */
  uint32_t a, b, c;
  uint32_t place; /* of the keyword's value, among the source's places */
};

enum schema_unit_flags {
  SCHEMA_UNIT_LEAF = 1,   /* it calls no other unit, and none of its operations looks at children */
  SCHEMA_UNIT_TRACKS = 2, /* it has unevaluatedItems or unevaluatedProperties */
  SCHEMA_UNIT_SHARED = 4  /* several operations call it, or it calls itself: results are worth remembering */
};

struct schema_unit {
  uint32_t first;    /* of its operations */
  uint32_t decider;  /* for a verdict: the first operation that `types` do not decide */
  uint32_t stand_in; /* for a verdict: itself, or the unit that it does nothing but call ($ref) */
  uint32_t
      size; /* how many units one value may meet in it, those of its own operations too; at least SCHEMA_SMALL + 1: it
                        is not small: there are more, one of them calls itself, or needs what was evaluated */
  uint32_t place;    /* of the schema, among the source's places */
  uint32_t resource; /* whose URI is the base of its location */
  uint16_t source;   /* which text it is in */
  uint8_t flags;
  uint8_t types; /* which types of values can be valid */
};

/* A name, in the program's bytes. Walks of tables look it up by its number. */
struct schema_property {
  struct value_name name;
  uint32_t hash;     /* schema_hash of the name */
  uint32_t unit;     /* SCHEMA_NONE: there is none, but it is required */
  uint32_t required; /* its number among the required names, from 1; 0: it is not required */
  uint32_t place;    /* of the name's schema, or of the name in `required` */
  uint32_t initial;  /* the place of its `default`; SCHEMA_NONE: it has none */
};

/* properties, patternProperties, additionalProperties, propertyNames, required, in one visit of the members. */
struct schema_object {
  uint32_t first, count; /* its properties */
  uint32_t slots, mask;  /* the first of mask + 1 slots (a property's number from `first` on, plus 1; 0: free), open
                                 addressing by hash & mask; count <= SCHEMA_FEW: none, NONE */
  uint32_t patterns, pattern_count; /* the first of its schema_patterns */
  uint32_t additional;              /* the unit for all other members; SCHEMA_NONE: they are not looked at */
  uint32_t names;                   /* the unit for names; SCHEMA_NONE */
  uint32_t required;                /* how many names are required */
  uint32_t place_of_required, place_of_additional, place_of_names;
  uint8_t needs_all; /* every member must be looked at, not only the properties: for patterns, `additional`, `names` */
};

enum { SCHEMA_FEW = 8, SCHEMA_SMALL = 128, SCHEMA_HEIGHT = 16 };

struct schema_pattern {
  uint32_t regex, unit, place;
};

struct schema_contains {
  uint32_t unit, least, most, place_of_least, place_of_most; /* most: SCHEMA_NONE without maxContains */
  uint8_t evaluates;                                         /* 2020-12: items that are valid count as evaluated */
};

/* A scalar of a schema. Strings are among the program's bytes; texts of numbers too. */
struct schema_literal {
  uint8_t type; /* a value_type */
  struct num_any number;
  uint32_t at, length; /* of a string */
  uint32_t hash;       /* schema_hash of a string; of a number of its double */
};

struct schema_regex {
  size_t at;             /* its place in the block of the program, in bytes */
  uint32_t text, length; /* the expression, among the bytes */
  uint8_t
      is_prefix; /* it is ^ and plain characters: they are the n bytes at `text` + 1 after which anything may follow */
};

/* A schema with a URI of its own. */
struct schema_resource {
  uint32_t uri, uri_length; /* among the bytes */
  uint32_t source, place;
  uint32_t parent;             /* the resource that it stands in; SCHEMA_NONE: it is a whole text */
  uint32_t dynamic;            /* the first of its dynamic anchors; SCHEMA_NONE */
  uint8_t draft, vocabularies; /* a schema_draft; a bit for each schema_vocabulary */
};

struct schema_source; /* compile/compile.h */

struct schema_program {
  struct schema_source **sources; /* texts with their places, which are not in this block */
  struct schema_resource *resources;
  struct schema_unit *units;
  struct schema_op *ops;
  struct schema_object *objects;
  struct schema_property *properties;
  struct schema_pattern *patterns;
  struct schema_contains *contains;
  struct schema_literal *literals;
  struct schema_regex *regexes;
  uint32_t *numbers;        /* lists of units and names, and slots of hash tables */
  struct value_name *names; /* the n-th has `number` n: each name once */
  char *bytes;
  uint32_t source_count, resource_count, unit_count, op_count, object_count, property_count, pattern_count,
      contains_count, literal_count, regex_count, number_count, name_count, byte_count;
  uint32_t root;   /* the unit to begin with */
  uint32_t tracks; /* some unit tracks: what was evaluated has to be known */
  size_t scratch;  /* bytes that the regular expressions need for a search */
};

/* The keyword of item i of an operation ITEMS. */
FL_INLINE enum schema_keyword schema_keyword_of_item(const struct schema_op *op, uint64_t i) {
  if (i >= op->b || op->keyword == SCHEMA_KEYWORD_PREFIX_ITEMS) return (enum schema_keyword)op->keyword;
  return op->keyword == SCHEMA_KEYWORD_ITEMS && op->c != SCHEMA_NONE ? SCHEMA_KEYWORD_PREFIX_ITEMS
                                                                     : SCHEMA_KEYWORD_ITEMS;
}
