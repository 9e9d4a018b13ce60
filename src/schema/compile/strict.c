/* SPDX-License-Identifier: MIT
** strict.c -- what the option `strict` refuses in one schema: unknown keywords, keywords without effect,
** keywords that no value can satisfy, and required members missing in `properties`. strict_units.c compares schemas.
** Must hold: it refuses only what is wrong in any context. A schema that is part of another one (allOf, then) may
** require members that the other one describes. */
#include "unit.h"

/* Refuses keywords that the draft does not have, except names that begin with x-, own keywords and those of `skip`. */
static int schema_check_names_strictly(struct schema_part *p) {
  const struct schema_settings *o = p->c->settings;
  const struct value_texts *k = schema_texts(p->c, p->source);
  uint32_t i, child;
  SCHEMA_EACH(k, p->place, i, child) {
    const struct schema_text name = schema_name_at(p->c, p->source, child);
    const enum schema_keyword keyword = schema_keyword_named(p->c->keywords, name.s, name.n);
    if (keyword && schema_keyword_row(keyword)->drafts & p->draft) continue;
    if (name.n > 2 && name.s[0] == 'x' && name.s[1] == '-') continue;
    if (schema_find_text(o->customs, o->custom_count, name) < o->custom_count) continue;
    if (schema_find_text(o->skipped, o->skipped_count, name) < o->skipped_count) continue;
    if (p->place == 0 && schema_text_is(name, "openapi")) continue;
    return schema_refuse_with(p->c, p->source, child, keyword, "the keyword %s is not known in this draft", name.s,
                              name.n);
  }
  return 1;
}

/* Refuses the keyword; the message has %s for its name. */
static int schema_refuse_keyword(struct schema_part *p, enum schema_keyword keyword, const char *message) {
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  return schema_refuse_with(p->c, p->source, p->found[keyword], keyword, message, row->name, row->length);
}

/* Returns whether the bound is exclusive, by itself or by draft 4's sibling. */
static int schema_is_open(const struct schema_part *p, enum schema_keyword keyword, enum schema_keyword sibling) {
  return keyword == sibling || (p->found[sibling] && schema_first_of(p, p->found[sibling]) == 't');
}

/* Refuses a minimum above its maximum. */
static int schema_check_range(struct schema_part *p, enum schema_keyword least, enum schema_keyword most) {
  const int is_open = schema_is_open(p, least, SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM) ||
                      schema_is_open(p, most, SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM);
  struct value a, b;
  int order;
  if (!p->found[least] || !p->found[most]) return 1;
  value_texts_read(schema_texts(p->c, p->source), p->found[least], &a);
  value_texts_read(schema_texts(p->c, p->source), p->found[most], &b);
  if (a.type != VALUE_NUMBER || b.type != VALUE_NUMBER) return 1;
  order = num_compare(&a.number, &b.number);
  if (order < 0 || (order == 0 && !is_open)) return 1;
  return schema_refuse_keyword(p, least, "nothing is valid: %s is above the upper bound");
}

static int schema_check_ranges(struct schema_part *p) {
  static const uint8_t ranges[][2] = {
      {SCHEMA_KEYWORD_MINIMUM, SCHEMA_KEYWORD_MAXIMUM},
      {SCHEMA_KEYWORD_MINIMUM, SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM},
      {SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM, SCHEMA_KEYWORD_MAXIMUM},
      {SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM, SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM},
      {SCHEMA_KEYWORD_MIN_LENGTH, SCHEMA_KEYWORD_MAX_LENGTH},
      {SCHEMA_KEYWORD_MIN_ITEMS, SCHEMA_KEYWORD_MAX_ITEMS},
      {SCHEMA_KEYWORD_MIN_PROPERTIES, SCHEMA_KEYWORD_MAX_PROPERTIES},
      {SCHEMA_KEYWORD_MIN_CONTAINS, SCHEMA_KEYWORD_MAX_CONTAINS},
  };
  size_t i;
  for (i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (!schema_check_range(p, (enum schema_keyword)ranges[i][0], (enum schema_keyword)ranges[i][1])) return 0;
  return 1;
}

/* Refuses keywords about types that cannot occur. */
static int schema_check_types(struct schema_part *p) {
  static const uint8_t groups[][3] = {
      {SCHEMA_KEYWORD_MULTIPLE_OF, SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM, SCHEMA_NUMBER | SCHEMA_INTEGER},
      {SCHEMA_KEYWORD_MAX_LENGTH, SCHEMA_KEYWORD_PATTERN, SCHEMA_STRING},
      {SCHEMA_KEYWORD_MAX_ITEMS, SCHEMA_KEYWORD_MAX_CONTAINS, SCHEMA_ARRAY},
      {SCHEMA_KEYWORD_MAX_PROPERTIES, SCHEMA_KEYWORD_DEPENDENT_REQUIRED, SCHEMA_OBJECT},
      {SCHEMA_KEYWORD_PREFIX_ITEMS, SCHEMA_KEYWORD_CONTAINS, SCHEMA_ARRAY},
      {SCHEMA_KEYWORD_PROPERTIES, SCHEMA_KEYWORD_DEPENDENCIES, SCHEMA_OBJECT},
      {SCHEMA_KEYWORD_UNEVALUATED_ITEMS, SCHEMA_KEYWORD_UNEVALUATED_ITEMS, SCHEMA_ARRAY},
      {SCHEMA_KEYWORD_UNEVALUATED_PROPERTIES, SCHEMA_KEYWORD_UNEVALUATED_PROPERTIES, SCHEMA_OBJECT},
  };
  size_t i;
  int keyword;
  for (i = 0; i < sizeof groups / sizeof *groups; i++)
    for (keyword = groups[i][0]; keyword <= groups[i][1]; keyword++)
      if (p->found[keyword] && !(p->types & groups[i][2]))
        return schema_refuse_keyword(p, (enum schema_keyword)keyword,
                                     "%s says nothing here: no value of its type is allowed");
  return 1;
}

/* Returns the types that `type` allows. */
static unsigned schema_types_named(const struct schema_part *p) {
  const struct schema_op *op = p->c->to.ops + p->first, *const end = p->c->to.ops + p->c->to.op_count;
  while (op < end && op->code != SCHEMA_OP_TYPE) op++;
  return op < end ? op->a : SCHEMA_ANY_TYPE;
}

static size_t schema_length_of_string(const struct value *v) {
  size_t i, n = 0;
  for (i = 0; i < v->n; i++) n += ((unsigned char)v->s[i] & 0xC0) != 0x80;
  return n;
}

/* Returns the bound that excludes the value, or NONE. */
static enum schema_keyword schema_excluding_bound(struct schema_part *p, const struct value *v) {
  static const struct {
    uint8_t keyword, type;
    int8_t sign; /* 1: a lower bound */
    uint8_t exclusive;
  } bounds[] = {
      {SCHEMA_KEYWORD_MINIMUM, VALUE_NUMBER, 1, SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM},
      {SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM, VALUE_NUMBER, 1, SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM},
      {SCHEMA_KEYWORD_MAXIMUM, VALUE_NUMBER, -1, SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM},
      {SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM, VALUE_NUMBER, -1, SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM},
      {SCHEMA_KEYWORD_MIN_LENGTH, VALUE_STRING, 1, SCHEMA_KEYWORD_NONE},
      {SCHEMA_KEYWORD_MAX_LENGTH, VALUE_STRING, -1, SCHEMA_KEYWORD_NONE},
  };
  size_t i;
  for (i = 0; i < sizeof bounds / sizeof *bounds; i++) {
    const enum schema_keyword keyword = (enum schema_keyword)bounds[i].keyword;
    struct value bound;
    int order, is_open = 0;
    if (v->type != bounds[i].type || !p->found[keyword]) continue;
    value_texts_read(schema_texts(p->c, p->source), p->found[keyword], &bound);
    if (bound.type != VALUE_NUMBER) continue; /* draft 4's booleans */
    if (v->type == VALUE_STRING) {
      const double n = (double)schema_length_of_string(v), most = schema_double_of(&bound.number);
      order = (n > most) - (n < most);
    } else {
      order = num_compare(&v->number, &bound.number);
      is_open = schema_is_open(p, keyword, (enum schema_keyword)bounds[i].exclusive);
    }
    if (order * bounds[i].sign < 0 || (order == 0 && is_open)) return keyword;
  }
  return SCHEMA_KEYWORD_NONE;
}

/* Refuses a value of `enum`, `const` or `default` that other keywords exclude. */
static int schema_check_value(struct schema_part *p, enum schema_keyword keyword, uint32_t place) {
  const struct schema_keyword_row *row;
  enum schema_keyword bound;
  struct value v;
  value_texts_read(schema_texts(p->c, p->source), place, &v);
  if (!(schema_types_named(p) & schema_type_of(&v)))
    return schema_refuse_part(p, place, keyword,
                              keyword == SCHEMA_KEYWORD_ENUM ? "type excludes this value of enum" : "type excludes it");
  if ((bound = schema_excluding_bound(p, &v)) == SCHEMA_KEYWORD_NONE) return 1;
  row = schema_keyword_row(bound);
  return schema_refuse_with(p->c, p->source, place, keyword, "%s excludes it", row->name, row->length);
}

static int schema_check_values(struct schema_part *p) {
  static const uint8_t keywords[] = {SCHEMA_KEYWORD_CONST, SCHEMA_KEYWORD_DEFAULT};
  const struct value_texts *k = schema_texts(p->c, p->source);
  uint32_t i, child;
  for (i = 0; i < sizeof keywords; i++) {
    const enum schema_keyword keyword = (enum schema_keyword)keywords[i];
    if (p->found[keyword] && !schema_check_value(p, keyword, p->found[keyword])) return 0;
  }
  if (!p->found[SCHEMA_KEYWORD_ENUM]) return 1;
  SCHEMA_EACH(k, p->found[SCHEMA_KEYWORD_ENUM], i, child)
  if (!schema_check_value(p, SCHEMA_KEYWORD_ENUM, child)) return 0;
  return 1;
}

/* Refuses keywords that have no effect without another one. */
static int schema_check_companions(struct schema_part *p) {
  static const uint8_t pairs[][2] = {
      {SCHEMA_KEYWORD_THEN, SCHEMA_KEYWORD_IF},
      {SCHEMA_KEYWORD_ELSE, SCHEMA_KEYWORD_IF},
      {SCHEMA_KEYWORD_MIN_CONTAINS, SCHEMA_KEYWORD_CONTAINS},
      {SCHEMA_KEYWORD_MAX_CONTAINS, SCHEMA_KEYWORD_CONTAINS},
      {SCHEMA_KEYWORD_ADDITIONAL_ITEMS, SCHEMA_KEYWORD_ITEMS},
      {SCHEMA_KEYWORD_CONTENT_SCHEMA, SCHEMA_KEYWORD_CONTENT_MEDIA_TYPE},
  };
  static const uint8_t bounds[][2] = {{SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM, SCHEMA_KEYWORD_MINIMUM},
                                      {SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM, SCHEMA_KEYWORD_MAXIMUM}};
  size_t i;
  for (i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (p->found[pairs[i][0]] && !p->found[pairs[i][1]])
      return schema_refuse_keyword(p, (enum schema_keyword)pairs[i][0],
                                   "%s says nothing here: the keyword that it continues is missing");
  if (p->found[SCHEMA_KEYWORD_ADDITIONAL_ITEMS] && schema_first_of(p, p->found[SCHEMA_KEYWORD_ITEMS]) != '[')
    return schema_refuse_keyword(p, SCHEMA_KEYWORD_ADDITIONAL_ITEMS, "%s says nothing here: items is about all items");
  if (!(p->draft & (SCHEMA_IN_4 | SCHEMA_IN_OPENAPI_30))) return 1;
  for (i = 0; i < sizeof bounds / sizeof *bounds; i++)
    if (p->found[bounds[i][0]] && !p->found[bounds[i][1]])
      return schema_refuse_keyword(p, (enum schema_keyword)bounds[i][0],
                                   "%s says nothing here: the bound that it is about is missing");
  return 1;
}

/* Refuses keywords beside a $ref that ignores its siblings. */
static int schema_check_siblings(struct schema_part *p) {
  int i;
  for (i = 1; i < SCHEMA_KEYWORDS; i++) {
    const unsigned vocabulary = schema_keyword_row((enum schema_keyword)i)->vocabulary;
    if (p->found[i] && vocabulary >= SCHEMA_APPLICATOR && vocabulary <= SCHEMA_VALIDATION)
      return schema_refuse_keyword(p, (enum schema_keyword)i, "%s does not count beside $ref in this draft");
  }
  return 1;
}

/* Returns whether other schemas may describe the same object. */
static int schema_is_described_elsewhere(const struct schema_part *p) {
  int i;
  for (i = SCHEMA_KEYWORD_DEPENDENT_SCHEMAS; i <= SCHEMA_KEYWORD_NOT; i++)
    if (p->found[i]) return 1;
  return p->is_part || p->found[SCHEMA_KEYWORD_REF] || p->found[SCHEMA_KEYWORD_DYNAMIC_REF] ||
         p->found[SCHEMA_KEYWORD_RECURSIVE_REF];
}

static int schema_check_required(struct schema_part *p) {
  struct value_texts *k = schema_texts(p->c, p->source);
  const uint32_t required = p->found[SCHEMA_KEYWORD_REQUIRED], properties = p->found[SCHEMA_KEYWORD_PROPERTIES];
  const uint32_t others = p->found[SCHEMA_KEYWORD_ADDITIONAL_PROPERTIES];
  const int is_closed = others && schema_first_of(p, others) == 'f';
  uint32_t i, child, property;
  if (!required || p->found[SCHEMA_KEYWORD_PATTERN_PROPERTIES]) return 1;
  SCHEMA_EACH(k, required, i, child) {
    const struct schema_text name = schema_string_at(p->c, p->source, child);
    if (properties && value_texts_find_member(k, properties, name.s, name.n, &property)) {
      if (schema_first_of(p, property) != 'f') continue;
      return schema_refuse_with(p->c, p->source, child, SCHEMA_KEYWORD_REQUIRED,
                                "no object is valid: the member %s must not be there", name.s, name.n);
    }
    if (is_closed || (properties && !schema_is_described_elsewhere(p)))
      return schema_refuse_with(p->c, p->source, child, SCHEMA_KEYWORD_REQUIRED, "properties has no member %s", name.s,
                                name.n);
  }
  return 1;
}

FL_PRIVATE int schema_check_strictly(struct schema_part *p) {
  if (!schema_check_names_strictly(p)) return 0;
  if (p->found[SCHEMA_KEYWORD_REF] && !(p->draft & SCHEMA_FROM_2019)) return schema_check_siblings(p);
  if (p->types == 0)
    return schema_refuse_part(p, p->place, SCHEMA_KEYWORD_NONE, "nothing is valid: its keywords allow no common type");
  return schema_check_ranges(p) && schema_check_types(p) && schema_check_values(p) && schema_check_companions(p) &&
         schema_check_required(p);
}
