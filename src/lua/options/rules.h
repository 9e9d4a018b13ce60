/* SPDX-License-Identifier: MIT
** rules.h -- how Lua tables become JSON: what the owner of the options decides, apart from the form of the text.
** Must hold: plain data; rules are constants, a policy belongs to its options. */
#pragma once

#include "../../base/def.h"

/* What a metatable says about its tables. */
enum table_class {
  ENCODE_PLAIN, /* nothing */
  ENCODE_ARRAY,
  ENCODE_OBJECT,
  ENCODE_LENGTH_ARRAY, /* an array with the length of the length operator */
  ENCODE_EMPTY_ARRAY,  /* an array if it is empty */
  ENCODE_EMPTY_OBJECT, /* an object if it is empty */
  ENCODE_NULL,         /* null */
  ENCODE_HOOK          /* a function decides, which only the public-API encoder can call */
};

/* A metatable that has a field with this name and value is of the class `is`. */
struct encode_field_rule {
  const char *name;
  size_t length;     /* of the name */
  const char *value; /* this string; "" for any string; NULL for any value */
  enum table_class is;
};
#define ENCODE_FIELD(name, value, is) \
  { name, sizeof name - 1, value, is }
#define ENCODE_NO_MORE_FIELDS \
  { NULL, 0, NULL, ENCODE_PLAIN }

/* Keys that are not strings: a number's text is the name; the pair is left out; it is an error. The raw encoder
** supports the first two; values with other keys are left to the public-API encoder. */
enum encode_keys { ENCODE_KEYS_NUMBERS, ENCODE_KEYS_SKIPPED, ENCODE_KEYS_REFUSED };

/* Which hooks the public-API encoder calls: none; __len; all that encode_own_fields names. A policy with its own ops
** has its own hooks. */
enum encode_hooks { ENCODE_HOOKS_NONE, ENCODE_HOOKS_LENGTH, ENCODE_HOOKS_ALL };

/* The message of an error: ours with the path to the value; the same, but errors of Lua or a hook are raised again
** unchanged; none, because the owner of the options words it. */
enum encode_errors { ENCODE_ERRORS_WITH_PATH, ENCODE_ERRORS_RETHROWN, ENCODE_ERRORS_BARE };

struct encode_rules {
  const struct encode_field_rule *fields; /* the first match counts */
  unsigned char known[ENCODE_HOOK];       /* what a known metatable of each class means here */
  enum encode_keys keys;
  enum encode_hooks hooks;
  enum encode_errors errors;
  unsigned inherits_fields : 1;      /* a metatable may inherit fields through its own metatable's __index */
  unsigned finds_new_metatables : 1; /* one without fields may belong to a library loaded since the last look */
  unsigned boxed_integers : 1;       /* LuaJIT's 64-bit integers are written */
  unsigned index_fills_holes : 1;    /* an __index may supply items missing in an array */
  unsigned empty_array_is_any : 1;   /* ENCODE_EMPTY_ARRAY makes every table an array */
  unsigned keeps_order : 1;          /* use what encode/order.h remembers */
  unsigned serializes : 1;           /* __serialize counts, which may be a function that returns what is written */
  unsigned any_length : 1;           /* the result of __len is cut to an integer from 0 on; else it must be one */
};

/* Instances of the raw encoder: with all options; for the policy's shape; with rounded numbers; with shortest
** numbers. */
enum encode_speed { ENCODE_STYLED, ENCODE_SHAPED, ENCODE_ROUNDED, ENCODE_FASTEST };

struct encode_ranks;

struct encode_policy {
  const struct encode_rules *rules;
  const struct encode_shape *shape; /* of the raw encoder, for the proven layout; or NULL */
  const struct api_ops *ops;        /* of the public-API encoder; or NULL */
  /* The option null: for raw walks, a Lua table whose item 1 is the value, or NULL; for the others, where that value
  ** is, and its type. */
  const char *null;
  const void *null_at;
  int null_type;
  /* of the option key_order, for raw walks; NULL without the option, or if they cannot use it */
  const struct encode_ranks *ranks;
};

#define ENCODE_OWN_FIELDS                                                                                     \
  ENCODE_FIELD("__tojson", NULL, ENCODE_HOOK), ENCODE_FIELD("__pairs", NULL, ENCODE_HOOK),                    \
      ENCODE_FIELD("__len", NULL, ENCODE_HOOK), ENCODE_FIELD("__jsonorder", NULL, ENCODE_HOOK),               \
      ENCODE_FIELD("__jsontype", "array", ENCODE_ARRAY), ENCODE_FIELD("__jsontype", "object", ENCODE_OBJECT), \
      ENCODE_FIELD("__jsontype", NULL, ENCODE_HOOK)
static const struct encode_field_rule encode_own_fields[] = {ENCODE_OWN_FIELDS, ENCODE_NO_MORE_FIELDS};
static const struct encode_field_rule encode_serialize_fields[] = {
    ENCODE_OWN_FIELDS,
    ENCODE_FIELD("__serialize", "map", ENCODE_OBJECT),
    ENCODE_FIELD("__serialize", "mapping", ENCODE_OBJECT),
    ENCODE_FIELD("__serialize", "seq", ENCODE_ARRAY),
    ENCODE_FIELD("__serialize", "sequence", ENCODE_ARRAY),
    ENCODE_FIELD("__serialize", "array", ENCODE_ARRAY),
    ENCODE_FIELD("__serialize", NULL, ENCODE_HOOK),
    ENCODE_NO_MORE_FIELDS,
};
static const struct encode_field_rule encode_no_fields[] = {ENCODE_NO_MORE_FIELDS};

/* Known metatables of these classes mean what their names say; an array with a length means `length`. */
#define ENCODE_KNOWN_TYPES(length)                                                                \
  [ENCODE_ARRAY] = ENCODE_ARRAY, [ENCODE_OBJECT] = ENCODE_OBJECT, [ENCODE_LENGTH_ARRAY] = length, \
  [ENCODE_EMPTY_ARRAY] = ENCODE_EMPTY_ARRAY

/* Fleece's own functions, and the same with the option metamethods: "serialize", false. Tables that stand for null have
** a __tojson. A table marked by its length alone might have other members, too, so it counts like our own mark, which
** requires that all members are items. */
#define ENCODE_OWN_RULES                                                                               \
  .known = {ENCODE_KNOWN_TYPES(ENCODE_ARRAY), [ENCODE_NULL] = ENCODE_HOOK}, .hooks = ENCODE_HOOKS_ALL, \
  .finds_new_metatables = 1, .boxed_integers = 1, .keeps_order = 1
static const struct encode_rules encode_own_rules = {.fields = encode_own_fields, ENCODE_OWN_RULES};
static const struct encode_rules encode_serialize_rules = {
    .fields = encode_serialize_fields, ENCODE_OWN_RULES, .serializes = 1};
static const struct encode_rules encode_plain_rules = {
    .fields = encode_no_fields,
    .known = {ENCODE_KNOWN_TYPES(ENCODE_ARRAY)},
    .boxed_integers = 1,
    .keeps_order = 1,
};
