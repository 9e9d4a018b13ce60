/* SPDX-License-Identifier: MIT
** program.h -- compiled JSON Schemas: compile/ writes them, run/ executes them, face/ reports from them.
** Must hold: a program is one block of memory with arrays, and immutable, so threads may share it. Its parts refer to
** each other by number, so circular references are circular numbers. Dynamic references are resolved at compile time: a
** schema reachable with different dynamic scopes has a unit for each.
** A unit is one schema: its operations up to SCHEMA_OP_END, in the best order to test them: cheap ones first, calls of
** other units later, unevaluatedItems and unevaluatedProperties last. */
#pragma once

#include <string.h>
#include "../regex/table.h"
#include "../values/value.h"
#include "hash.h"
#include "keywords.h"

#define SCHEMA_NONE UINT32_MAX

/* Types as bits. A number has SCHEMA_NUMBER, and SCHEMA_INTEGER too if it is whole. */
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
  SCHEMA_OP_FALSE,   /* never valid */
  SCHEMA_OP_TYPE,    /* a: a set of schema_types; b: 1 for integers of draft 4, where 3.0 is none */
  SCHEMA_OP_CONST,   /* a: a literal that is a scalar */
  SCHEMA_OP_ENUM,    /* a, b: first literal and number of literals, all scalars; c: slots by hash, or NONE */
  SCHEMA_OP_MINIMUM, /* a: a literal; so for the next four */
  SCHEMA_OP_EXCLUSIVE_MINIMUM,
  SCHEMA_OP_MAXIMUM,
  SCHEMA_OP_EXCLUSIVE_MAXIMUM,
  SCHEMA_OP_MULTIPLE_OF,
  SCHEMA_OP_MIN_LENGTH, /* a: characters, 32 bits are enough for any string; so below */
  SCHEMA_OP_MAX_LENGTH,
  SCHEMA_OP_PATTERN, /* a: a regex */
  SCHEMA_OP_FORMAT,  /* a: a schema_format; with b = 1, the number of the user's check */
  SCHEMA_OP_CONTENT, /* a, b: must it be base64, must it be JSON (contentEncoding, contentMediaType) */
  SCHEMA_OP_MIN_ITEMS,
  SCHEMA_OP_MAX_ITEMS,
  SCHEMA_OP_MIN_PROPERTIES,
  SCHEMA_OP_MAX_PROPERTIES,
  SCHEMA_OP_REQUIRED, /* a, b: first name and number of names; only without a SCHEMA_OP_OBJECT; c: if settled, bits */
  SCHEMA_OP_DEPENDENT_REQUIRED, /* a: the name that requires others; b, c: first of these names and their number */
  SCHEMA_OP_OBJECT,             /* a: a schema_object; c: the unit, if members settle operations of it, else 0 */
  /* a, b: index in the list of units, and number, of the units of the first items; c: the unit of all other items, NONE
  ** if they are neither checked nor evaluated. If both exist, the keyword is c's: see schema_keyword_of_item. */
  SCHEMA_OP_ITEMS,
  SCHEMA_OP_UNIQUE_ITEMS, /* a: 1 if a failure has the place of the second equal item */
  SCHEMA_OP_CONTAINS,     /* a: a schema_contains */
  /* a: a unit for the same value: $ref, each schema of allOf. is_branch: report only that it failed, as for the keyword
  ** const, whose unit is the constant. */
  SCHEMA_OP_CALL,
  /* a, b: first index in the list of units and their number; c: the discriminator's property name + 1. Also for an enum
  ** with arrays or objects. After the units come SCHEMA_NONE and the number of a schema_choice + 1, or 0. */
  SCHEMA_OP_ANY_OF,
  SCHEMA_OP_ONE_OF,
  SCHEMA_OP_NOT,               /* a: a unit */
  SCHEMA_OP_IF,                /* a: a unit; b, c: the units if it is valid or not, by default SCHEMA_UNIT_TRUE */
  SCHEMA_OP_DEPENDENT_SCHEMA,  /* a: a name; b: a unit for the object if it has a member of that name */
  SCHEMA_OP_UNEVALUATED_ITEMS, /* a: a unit */
  SCHEMA_OP_UNEVALUATED_PROPERTIES,
  SCHEMA_OP_CUSTOM /* a: the number of the user's keyword; b: the source with its value */
};

#define SCHEMA_MOST_FLOOR ((int64_t)1 << 60) /* for `low` and `high` */

/* Among the types of an operation: whether an object passes depends only on which members it has. The properties of the
** object that the unit reads have bits for them. */
enum { SCHEMA_OP_SETTLED = 128 };

struct schema_op {
  uint8_t code;
  uint8_t types;         /* types it applies to; values of other types pass */
  uint8_t keyword;       /* a schema_keyword, for failures */
  uint8_t is_branch : 1; /* failures in the units it calls do not fail the whole value: anyOf, not, if ... */
  uint8_t is_later : 2;  /* a container cannot be tested while it is read: 1: in a verdict, 2: while it is decoded */
  uint32_t a, b, c;
  uint32_t place; /* the keyword's value, among the source's places */
};

enum schema_unit_flags {
  SCHEMA_UNIT_LEAF = 1,   /* calls no other unit and looks at no children */
  SCHEMA_UNIT_TRACKS = 2, /* has unevaluatedItems or unevaluatedProperties */
  SCHEMA_UNIT_SHARED = 4, /* called by several operations or by itself: remember its results */
  SCHEMA_UNIT_PLAIN = 8,  /* its `types` decide a verdict */
  SCHEMA_UNIT_CLOSED = 16 /* it tracks, but a verdict does without: see compile/verdict/closed.c */
};

struct schema_unit {
  /* bounds of its numbers, if it tests nothing else about them: of twice a number's floor plus 1 if it has a fraction;
  ** low > high: it does not say */
  int64_t low, high;
  uint32_t first;    /* the first operation */
  uint32_t decider;  /* for a verdict: the first operation that `types` do not decide */
  uint32_t stand_in; /* for a verdict: the unit that it only calls ($ref), else itself */
  /* for a verdict on an array or object: the only operation, also of the only branch; END if there is none;
  ** SCHEMA_NONE: several, or one that is not ITEMS with one unit or OBJECT with at most SCHEMA_BITS required members.
  ** Not counted are MIN_ITEMS and MAX_ITEMS: an array has `least` to `most` items then */
  uint32_t only[2], least, most;
  uint32_t asks;  /* if not 0 and only[1] is NONE: the number of the schema_choice + 1 that says all about an object */
  uint32_t size;  /* units that one value may meet in it; above SCHEMA_SMALL also if it is recursive or tracks */
  uint32_t place; /* the schema, among the source's places */
  uint32_t resource; /* its URI is the base of the unit's location */
  uint16_t source;   /* the text that it is in */
  uint8_t flags;
  uint8_t types;    /* types that can be valid, as it says itself */
  uint8_t possible; /* likewise, with what its branches say: for texts, where empty tables have one type */
  uint8_t sure;     /* types that always are; SCHEMA_NUMBER: all numbers */
};

/* A name, in the program's bytes. Table walks look it up by its number. */
struct schema_property {
  struct value_name name;
  uint32_t hash;        /* schema_hash of the name */
  uint32_t unit;        /* or SCHEMA_NONE: only required */
  uint32_t required;    /* number among the required names, from 1; 0 if not required */
  uint32_t place;       /* of the name's schema, or of the name in `required` */
  uint32_t initial;     /* place of its `default`, or SCHEMA_NONE */
  uint32_t verdict;     /* if is_plain: for a verdict on its member, the unit that checks this, its own stand-in */
  uint32_t place_after; /* for a verdict: where the schema remembers what followed this member */
  uint8_t is_plain;     /* the name is ASCII, looks the same in a text, and no pattern matches it */
  uint8_t bit;          /* its number in sets of members: `required` first; SCHEMA_BITS if it has none */
};

/* properties, patternProperties, additionalProperties, propertyNames and required, in one pass over the members. */
struct schema_object {
  uint32_t first, count; /* its properties */
  uint32_t slots, mask;  /* first of mask + 1 slots: a property's index + 1, 0 if free; NONE if count <= SCHEMA_FEW */
  uint32_t patterns, pattern_count; /* its schema_patterns */
  uint32_t additional;              /* the unit for all other members, or SCHEMA_NONE */
  uint32_t names;                   /* the unit for names, or SCHEMA_NONE */
  uint32_t required;                /* how many names are required */
  uint32_t key;                     /* for one pass, see mod_schema_key */
  uint64_t must;                    /* for one pass: the bits of required members */
  uint32_t place_of_required, place_of_additional, place_of_names;
  uint32_t lengths;    /* of names that it may be about, modulo 32, as bits */
  uint32_t asked;      /* the bits of patterns, and of properties that are not required */
  uint32_t has, lacks; /* if an operation on it is settled: bits of members that the object must have, and may not */
  uint8_t needs_all;   /* every member must be visited, for patterns, `additional` or `names` */
  uint8_t is_plain;    /* it has no patterns and no `names` */
};

enum { SCHEMA_FEW = 8, SCHEMA_SMALL = 128, SCHEMA_HEIGHT = 16, SCHEMA_BITS = 63 };

struct schema_pattern {
  uint32_t regex, unit, place;
  uint8_t bit; /* as of a property */
};

struct schema_contains {
  uint32_t unit, least, most, place_of_least, place_of_most; /* most: SCHEMA_NONE without maxContains */
  uint8_t evaluates;                                         /* 2020-12: valid items count as evaluated */
};

/* A table for anyOf or oneOf: which units can be valid for an object, by its member of this name, if that is a scalar.
** A list of units ends with SCHEMA_NONE. by_presence: no unit of `missing` is valid for an object that has the member,
** and there are no slots. A slot has three numbers: schema_hash_value; a list, 0 if it is free; the literal, if it is a
** string and no other has this hash, else SCHEMA_NONE. */
struct schema_choice {
  struct value_name name;
  uint32_t others, missing; /* lists for scalars without a slot, and for objects without the member */
  uint32_t slots, mask;     /* first of mask + 1 slots */
  uint8_t by_presence;
};

/* A scalar of a schema. Strings and the texts of numbers are among the program's bytes. */
struct schema_literal {
  uint8_t type; /* a value_type */
  struct num_any number;
  uint32_t at, length; /* of a string */
  uint32_t hash;       /* schema_hash of the string, or of the number's double */
};

struct schema_regex {
  size_t at, table;      /* offsets of the regex and its table in the program's block; table: 0 without one */
  uint32_t text, length; /* the pattern, among the bytes */
  uint8_t is_prefix;     /* it is ^ and plain characters, the n bytes at `text` + 1: a prefix comparison is enough */
};

/* A schema with its own URI. */
struct schema_resource {
  uint32_t uri, uri_length; /* among the bytes */
  uint32_t source, place;
  uint32_t dynamic;            /* its first dynamic anchor, or SCHEMA_NONE */
  uint8_t draft, vocabularies; /* a schema_draft; a bit set of schema_vocabulary */
};

struct schema_source; /* compile/compile.h */

struct schema_program {
  struct schema_source **sources; /* the indexed texts, which are not in this block */
  struct schema_resource *resources;
  struct schema_unit *units;
  struct schema_op *ops;
  struct schema_object *objects;
  struct schema_property *properties;
  struct schema_pattern *patterns;
  struct schema_contains *contains;
  struct schema_choice *choices;
  struct schema_literal *literals;
  struct schema_regex *regexes;
  uint32_t *numbers;        /* lists of units and names, slots of hash tables */
  struct value_name *names; /* entry n has `number` n; no name occurs twice */
  char *bytes;
  uint32_t source_count, resource_count, unit_count, op_count, object_count, property_count, pattern_count,
      contains_count, choice_count, literal_count, regex_count, number_count, name_count, byte_count;
  uint32_t root;  /* the unit to begin with */
  size_t scratch; /* bytes that a search with the regular expressions needs */
};

/* Returns the keyword of item i of an ITEMS operation. */
FL_INLINE enum schema_keyword schema_keyword_of_item(const struct schema_op *op, uint64_t i) {
  if (i >= op->b || op->keyword == SCHEMA_KEYWORD_PREFIX_ITEMS) return (enum schema_keyword)op->keyword;
  return op->keyword == SCHEMA_KEYWORD_ITEMS && op->c != SCHEMA_NONE ? SCHEMA_KEYWORD_PREFIX_ITEMS
                                                                     : SCHEMA_KEYWORD_ITEMS;
}

/* Like memcmp(a, b, n) == 0, for short names. */
FL_INLINE int schema_is_same(const char *a, const char *b, size_t n) {
  size_t i;
  if (n >= 8) { /* the last eight bytes may overlap those before */
    for (i = 0; i < n - 8; i += 8)
      if (fl_load64(a + i) != fl_load64(b + i)) return 0;
    return fl_load64(a + n - 8) == fl_load64(b + n - 8);
  }
  if (n >= 4) return fl_load32(a) == fl_load32(b) && fl_load32(a + n - 4) == fl_load32(b + n - 4);
  return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

/* Returns whether the string matches a regular expression that is a prefix. */
FL_INLINE int schema_begins_with(const struct schema_program *p, const struct schema_regex *x, const char *s,
                                 size_t n) {
  return n >= x->length - 1 && schema_is_same(s, p->bytes + x->text + 1, x->length - 1);
}

FL_INLINE int schema_is_named_so(const struct schema_program *p, const struct schema_property *x, const char *s,
                                 size_t n) {
  return x->name.length == n && schema_is_same(p->bytes + x->name.at, s, n);
}

/* Returns the property with this name, or NULL. */
FL_INLINE const struct schema_property *schema_seek_property(const struct schema_program *p,
                                                             const struct schema_object *o, const char *s, size_t n) {
  const struct schema_property *const first = p->properties + o->first, *x;
  uint32_t i, hash;
  if (o->slots == SCHEMA_NONE) {
    for (x = first; x < first + o->count; x++)
      if (schema_is_named_so(p, x, s, n)) return x;
    return NULL;
  }
  hash = schema_hash_bytes(s, n);
  for (i = hash & o->mask; p->numbers[o->slots + i]; i = (i + 1) & o->mask) {
    x = first + p->numbers[o->slots + i] - 1;
    if (x->hash == hash && schema_is_named_so(p, x, s, n)) return x;
  }
  return NULL;
}

/* Returns whether a verdict on the unit needs to know which children were evaluated. */
FL_INLINE int schema_tracks(const struct schema_unit *u) {
  return (u->flags & (SCHEMA_UNIT_TRACKS | SCHEMA_UNIT_CLOSED)) == SCHEMA_UNIT_TRACKS;
}

/* Finds the property with this name, trying *hint first. Returns NULL if there is none. Sets *hint to the next
** property. */
FL_PRIVATE const struct schema_property *schema_find_property_(const struct schema_program *p,
                                                               const struct schema_object *o, const char *s, size_t n,
                                                               uint32_t *hint);

FL_INLINE const struct schema_property *schema_find_property(const struct schema_program *p,
                                                             const struct schema_object *o, const char *s, size_t n,
                                                             uint32_t *hint) {
  const struct schema_property *x = &p->properties[o->first + *hint];
  if (FL_LIKELY(*hint < o->count) && FL_LIKELY(schema_is_named_so(p, x, s, n))) return ++*hint, x;
  return schema_find_property_(p, o, s, n, hint);
}

/* Returns whether values of one of these types can pass the unit, in all forms. */
FL_INLINE int schema_takes(const struct schema_program *p, uint32_t unit, unsigned types) {
  return (p->units[p->units[unit].stand_in].types & types) != 0;
}

/* Returns the only unit of anyOf or oneOf that can be valid for a value of this type, SCHEMA_UNIT_TRUE if one of anyOf
** always is, or SCHEMA_NONE if there are several. */
FL_FUNC uint32_t schema_branch_of(const struct schema_program *p, const struct schema_op *op, unsigned type) {
  uint32_t found = SCHEMA_UNIT_FALSE, i;
  for (i = 0; i < op->b; i++) {
    const uint32_t unit = p->units[p->numbers[op->a + i]].stand_in;
    if (p->units[unit].sure & type && op->code == SCHEMA_OP_ANY_OF) return SCHEMA_UNIT_TRUE;
    if (!(p->units[unit].possible & type)) continue;
    if (found != SCHEMA_UNIT_FALSE) found = SCHEMA_NONE;
    else found = unit;
  }
  return found;
}
