/* SPDX-License-Identifier: MIT
** branches.c -- keywords that call schemas for the same value, and keywords about items. */
#include "unit.h"

/* Returns whether the keyword's value is an array that is not empty; if not, reports the error. */
static int schema_expect_list(struct schema_part *p, enum schema_keyword keyword) {
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  if (!schema_expect(p, keyword, '[')) return 0;
  return schema_texts(p->c, p->source)->places[p->found[keyword]].n > 0 ||
         schema_refuse_with(p->c, p->source, p->found[keyword], keyword, "%s must not be empty", row->name,
                            row->length);
}

/* prefixItems and items; before 2020-12 items and additionalItems. */
static int schema_put_items_op(struct schema_part *p) {
  const uint32_t items = p->found[SCHEMA_KEYWORD_ITEMS];
  const int is_new = (p->draft & SCHEMA_IN_2020) != 0, is_list = items && schema_first_of(p, items) == '[';
  enum schema_keyword list = SCHEMA_KEYWORD_PREFIX_ITEMS, rest = SCHEMA_KEYWORD_ITEMS;
  uint32_t first = 0, n = 0, unit = SCHEMA_NONE;
  if (is_list && (is_new || p->draft & SCHEMA_IN_OPENAPI_30))
    return schema_refuse_part(p, items, SCHEMA_KEYWORD_ITEMS,
                              is_new ? "items must be a schema: prefixItems has a list of them"
                                     : "items must be a schema in this draft");
  if (is_list) list = SCHEMA_KEYWORD_ITEMS, rest = SCHEMA_KEYWORD_ADDITIONAL_ITEMS;
  if (p->found[list] && (is_new || is_list)) {
    if (is_new && !schema_expect_list(p, list)) return 0;
    n = schema_texts(p->c, p->source)->places[p->found[list]].n;
    if (!schema_put_units(p, p->found[list], list, &first)) return 0;
  }
  if (p->found[rest] && (unit = schema_unit_at(p, p->found[rest], rest)) == SCHEMA_NONE) return 0;
  if (n == 0 && unit == SCHEMA_NONE) return 1;
  return schema_put_op(p, SCHEMA_OP_ITEMS, SCHEMA_ARRAY, unit == SCHEMA_NONE ? list : rest, first, n, unit);
}

static int schema_put_contains(struct schema_part *p) {
  struct schema_compiler *c = p->c;
  const uint32_t place = p->found[SCHEMA_KEYWORD_CONTAINS];
  struct schema_contains contains;
  memset(&contains, 0, sizeof contains);
  contains.least = 1;
  contains.most = SCHEMA_NONE;
  contains.place_of_least = p->found[SCHEMA_KEYWORD_MIN_CONTAINS];
  contains.place_of_most = p->found[SCHEMA_KEYWORD_MAX_CONTAINS];
  contains.evaluates = (p->draft & SCHEMA_IN_2020) != 0;
  if (contains.place_of_least && !schema_read_count(p, SCHEMA_KEYWORD_MIN_CONTAINS, &contains.least)) return 0;
  if (contains.place_of_most && !schema_read_count(p, SCHEMA_KEYWORD_MAX_CONTAINS, &contains.most)) return 0;
  if (!place) return 1;
  if (!contains.place_of_least) contains.place_of_least = SCHEMA_NONE;
  if ((contains.unit = schema_unit_at(p, place, SCHEMA_KEYWORD_CONTAINS)) == SCHEMA_NONE) return 0;
  if (contains.least == 0 && contains.most == SCHEMA_NONE && !contains.evaluates) return 1;
  if (!SCHEMA_GROW(c, CONTAINS, c->to.contains, c->to.contains_count, 1)) return 0;
  c->to.contains[c->to.contains_count++] = contains;
  return schema_put_op(p, SCHEMA_OP_CONTAINS, SCHEMA_ARRAY, SCHEMA_KEYWORD_CONTAINS, c->to.contains_count - 1, 0, 0);
}

FL_PRIVATE int schema_put_items(struct schema_part *p) {
  const uint32_t unique = p->found[SCHEMA_KEYWORD_UNIQUE_ITEMS];
  if (unique && schema_first_of(p, unique) != 't' && schema_first_of(p, unique) != 'f')
    return schema_refuse_part(p, unique, SCHEMA_KEYWORD_UNIQUE_ITEMS, "uniqueItems must be a boolean");
  return schema_put_items_op(p) && schema_put_contains(p) &&
         (!unique || schema_first_of(p, unique) == 'f' ||
          schema_put_op(p, SCHEMA_OP_UNIQUE_ITEMS, SCHEMA_ARRAY, SCHEMA_KEYWORD_UNIQUE_ITEMS,
                        p->c->settings->is_lenient, 0, 0));
}

/* Resolves a dynamic reference in the part's scope: sets *to if it leads to a dynamic anchor. */
static void schema_follow_scope(const struct schema_part *p, enum schema_keyword keyword, struct schema_target *to) {
  const struct schema_compiler *c = p->c;
  uint32_t anchor = to->anchor;
  if (keyword == SCHEMA_KEYWORD_RECURSIVE_REF) anchor = schema_find_anchor(c, to->resource, "", 0);
  if (keyword == SCHEMA_KEYWORD_REF || anchor == SCHEMA_NONE || !c->anchors[anchor].is_dynamic) return;
  anchor = schema_bound(c, p->scope, c->anchors[anchor].name);
  if (anchor == SCHEMA_NONE) return;
  to->anchor = anchor;
  to->source = c->to.resources[c->anchors[anchor].resource].source;
  to->place = c->anchors[anchor].place;
  to->resource = c->anchors[anchor].resource;
}

FL_PRIVATE int schema_put_reference(struct schema_part *p, enum schema_keyword keyword) {
  struct schema_target to;
  uint32_t unit;
  if (!p->found[keyword]) return 1;
  if (p->c->only_checks) return schema_expect(p, keyword, '"');
  if (!schema_follow(p->c, p->resource, p->source, p->found[keyword], keyword, &to)) return 0;
  schema_follow_scope(p, keyword, &to);
  unit = schema_unit_of(p->c, &to, p->scope, keyword);
  if (unit == SCHEMA_NONE) return 0;
  if (unit == SCHEMA_UNIT_FALSE) p->types = 0;
  return unit == SCHEMA_UNIT_TRUE || schema_put_op(p, SCHEMA_OP_CALL, SCHEMA_ANY_TYPE, keyword, unit, 0, 0);
}

static int schema_put_all_of(struct schema_part *p) {
  const struct value_texts *k = schema_texts(p->c, p->source);
  const uint32_t place = p->found[SCHEMA_KEYWORD_ALL_OF];
  uint32_t i, child;
  if (!place) return 1;
  if (!schema_expect_list(p, SCHEMA_KEYWORD_ALL_OF)) return 0;
  SCHEMA_EACH(k, place, i, child) {
    const uint32_t unit = schema_unit_at(p, child, SCHEMA_KEYWORD_ALL_OF);
    if (unit == SCHEMA_NONE) return 0;
    if (unit == SCHEMA_UNIT_FALSE) p->types = 0;
    if (unit != SCHEMA_UNIT_TRUE &&
        !schema_put_op_at(p, SCHEMA_OP_CALL, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_ALL_OF, child, unit, 0, 0))
      return 0;
  }
  return 1;
}

/* Sets *name to the string number of the discriminator's propertyName plus 1, or 0 without a discriminator (OpenAPI). A
** malformed one is ignored, because it only improves messages. Returns 0 after an error. */
static int schema_find_discriminator(struct schema_part *p, uint32_t *name) {
  const uint32_t place = p->found[SCHEMA_KEYWORD_DISCRIMINATOR];
  struct schema_text text;
  uint32_t property;
  *name = 0;
  if (!place || !value_texts_find_member(schema_texts(p->c, p->source), place, "propertyName", 12, &property) ||
      schema_first_of(p, property) != '"')
    return 1;
  text = schema_string_at(p->c, p->source, property);
  return (*name = schema_name(p->c, text.s, text.n) + 1) != 0;
}

static int schema_put_list_of(struct schema_part *p, enum schema_keyword keyword, enum schema_op_code code) {
  uint32_t first, name;
  if (!p->found[keyword]) return 1;
  return schema_expect_list(p, keyword) && schema_put_units(p, p->found[keyword], keyword, &first) &&
         schema_find_discriminator(p, &name) &&
         schema_put_op(p, code, SCHEMA_ANY_TYPE, keyword, first,
                       schema_texts(p->c, p->source)->places[p->found[keyword]].n, name);
}

static int schema_put_not(struct schema_part *p) {
  uint32_t unit;
  if (!p->found[SCHEMA_KEYWORD_NOT]) return 1;
  if ((unit = schema_unit_at(p, p->found[SCHEMA_KEYWORD_NOT], SCHEMA_KEYWORD_NOT)) == SCHEMA_NONE) return 0;
  if (unit == SCHEMA_UNIT_FALSE) return 1;
  return schema_put_op(p, SCHEMA_OP_NOT, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_NOT, unit, 0, 0);
}

/* `then` and `else` have no effect without `if`. */
static int schema_put_if(struct schema_part *p) {
  static const uint8_t keywords[] = {SCHEMA_KEYWORD_IF, SCHEMA_KEYWORD_THEN, SCHEMA_KEYWORD_ELSE};
  uint32_t units[3] = {SCHEMA_UNIT_TRUE, SCHEMA_UNIT_TRUE, SCHEMA_UNIT_TRUE};
  int i;
  if (!p->found[SCHEMA_KEYWORD_IF]) return 1;
  for (i = 0; i < 3; i++) {
    const enum schema_keyword keyword = (enum schema_keyword)keywords[i];
    if (p->found[keyword] && (units[i] = schema_unit_at(p, p->found[keyword], keyword)) == SCHEMA_NONE) return 0;
  }
  return schema_put_op(p, SCHEMA_OP_IF, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_IF, units[0], units[1], units[2]);
}

FL_PRIVATE int schema_put_branches(struct schema_part *p) {
  return schema_put_all_of(p) && schema_put_list_of(p, SCHEMA_KEYWORD_ANY_OF, SCHEMA_OP_ANY_OF) &&
         schema_put_list_of(p, SCHEMA_KEYWORD_ONE_OF, SCHEMA_OP_ONE_OF) && schema_put_not(p) && schema_put_if(p);
}

FL_PRIVATE int schema_put_unevaluated(struct schema_part *p) {
  static const uint8_t keywords[] = {SCHEMA_KEYWORD_UNEVALUATED_ITEMS, SCHEMA_KEYWORD_UNEVALUATED_PROPERTIES};
  int i;
  for (i = 0; i < 2; i++) {
    const enum schema_keyword keyword = (enum schema_keyword)keywords[i];
    uint32_t unit;
    if (!p->found[keyword]) continue;
    if ((unit = schema_unit_at(p, p->found[keyword], keyword)) == SCHEMA_NONE) return 0;
    if (!schema_put_op(p, i ? SCHEMA_OP_UNEVALUATED_PROPERTIES : SCHEMA_OP_UNEVALUATED_ITEMS,
                       i ? SCHEMA_OBJECT : SCHEMA_ARRAY, keyword, unit, 0, 0))
      return 0;
  }
  return 1;
}
