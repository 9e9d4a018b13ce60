/* SPDX-License-Identifier: MIT
** objects.c -- keywords about the members of objects. All keywords that look at every member share one operation. */
#include "unit.h"

FL_PRIVATE int schema_is_plain(struct schema_text name) {
  size_t i;
  for (i = 0; i < name.n; i++)
    if (name.s[i] < ' ' || name.s[i] > '~' || name.s[i] == '"' || name.s[i] == '\\') return 0;
  return 1;
}

/* Sets the name of a property. Returns the name's string number, or SCHEMA_NONE. */
static uint32_t schema_name_property(struct schema_compiler *c, struct schema_property *to, struct schema_text name) {
  const uint32_t number = schema_name(c, name.s, name.n);
  if (number == SCHEMA_NONE) return SCHEMA_NONE;
  to->name = c->to.names[number];
  to->hash = schema_hash_bytes(name.s, name.n);
  to->is_plain = (uint8_t)schema_is_plain(name);
  return schema_find_kept(c, name.s, name.n);
}

/* Adds a property to the object that is being compiled. Returns its number. */
static uint32_t schema_add_property(struct schema_part *p, struct schema_object *object, struct schema_text name,
                                    uint32_t unit, uint32_t place) {
  struct schema_compiler *c = p->c;
  struct schema_property property;
  uint32_t string;
  memset(&property, 0, sizeof property);
  string = schema_name_property(c, &property, name);
  if (string == SCHEMA_NONE || !SCHEMA_GROW(c, PROPERTIES, c->to.properties, c->to.property_count, 1))
    return SCHEMA_NONE;
  property.unit = unit;
  property.place = place;
  property.initial = SCHEMA_NONE;
  c->to.properties[c->to.property_count] = property;
  c->strings[string].property = ++c->to.property_count;
  object->count++;
  return c->to.property_count - 1;
}

/* ------------------------------------------------------------------------------------- properties */

/* Adds the members of `properties`, or those of an object in const or enum, as properties. */
static int schema_put_properties(struct schema_part *p, struct schema_object *object, uint32_t place,
                                 enum schema_keyword keyword) {
  struct value_texts *k = schema_texts(p->c, p->source);
  uint32_t i, child;
  SCHEMA_EACH(k, place, i, child) {
    const uint32_t unit = schema_unit_at(p, child, keyword);
    uint32_t property, initial;
    if (unit == SCHEMA_NONE) return 0;
    property = schema_add_property(p, object, schema_name_at(p->c, p->source, child), unit, child);
    if (property == SCHEMA_NONE) return 0;
    if (keyword == SCHEMA_KEYWORD_CONST) p->c->to.properties[property].required = ++object->required;
    else if (value_texts_find_member(k, child, "default", 7, &initial)) p->c->to.properties[property].initial = initial;
  }
  return 1;
}

/* Returns the string number of a name in `required` or in a dependency, which may occur once in the list. SCHEMA_NONE
** without an error: the name is invalid, but the schema is lenient. */
static uint32_t schema_listed_name(struct schema_part *p, uint32_t place, enum schema_keyword keyword) {
  const int is_lenient = p->c->settings->is_lenient;
  struct schema_text name;
  uint32_t string;
  if (is_lenient && schema_first_of(p, place) != '"') return SCHEMA_NONE;
  if (schema_first_of(p, place) != '"')
    return (void)schema_refuse_part(p, place, keyword, "a name of a member must be a string"), SCHEMA_NONE;
  name = schema_string_at(p->c, p->source, place);
  if ((string = schema_keep(p->c, name.s, name.n)) == SCHEMA_NONE) return SCHEMA_NONE;
  if (p->c->strings[string].stamp == p->c->stamp) {
    if (!is_lenient)
      (void)schema_refuse_with(p->c, p->source, place, keyword, "the name %s is there twice", name.s, name.n);
    return SCHEMA_NONE;
  }
  p->c->strings[string].stamp = p->c->stamp;
  return string;
}

/* Numbers the required properties. Required names without a property get one without a schema. */
static int schema_require(struct schema_part *p, struct schema_object *object) {
  struct schema_compiler *c = p->c;
  const struct value_texts *k = schema_texts(c, p->source);
  const uint32_t place = p->found[SCHEMA_KEYWORD_REQUIRED];
  const int is_lenient = c->settings->is_lenient;
  uint32_t i, child, initial;
  c->stamp++;
  SCHEMA_EACH(k, place, i, child) {
    const uint32_t string = schema_listed_name(p, child, SCHEMA_KEYWORD_REQUIRED);
    uint32_t property;
    if (string == SCHEMA_NONE && c->error.kind) return 0;
    if (string == SCHEMA_NONE) continue;
    property = c->strings[string].property - 1;
    if (property == SCHEMA_NONE || property < object->first) {
      property = schema_add_property(p, object, schema_string_at(c, p->source, child),
                                     is_lenient ? SCHEMA_UNIT_TRUE : SCHEMA_NONE, child);
      if (property == SCHEMA_NONE) return 0;
    } else if (is_lenient && (initial = c->to.properties[property].initial) != SCHEMA_NONE &&
               schema_first_of(p, initial) == '"' && k->places[initial].n > 0) {
      continue;
    }
    c->to.properties[property].required = ++object->required;
  }
  object->place_of_required = place;
  return 1;
}

/* Appends a list of names to c->numbers; sets *first and *n. */
static int schema_put_names(struct schema_part *p, uint32_t place, enum schema_keyword keyword, uint32_t *first,
                            uint32_t *n) {
  struct schema_compiler *c = p->c;
  const struct value_texts *k = schema_texts(c, p->source);
  uint32_t i, child;
  if ((*first = schema_add_numbers(c, k->places[place].n)) == SCHEMA_NONE) return 0;
  c->stamp++;
  *n = 0;
  SCHEMA_EACH(k, place, i, child) {
    const uint32_t string = schema_listed_name(p, child, keyword);
    uint32_t name;
    if (string == SCHEMA_NONE && c->error.kind) return 0;
    if (string == SCHEMA_NONE) continue;
    name = schema_name(c, schema_bytes(c, string), c->strings[string].length);
    if (name == SCHEMA_NONE) return 0;
    c->to.numbers[*first + (*n)++] = name;
  }
  return 1;
}

/* ------------------------------------------------------------------------------------- other members */

static int schema_put_patterns(struct schema_part *p, struct schema_object *object) {
  struct schema_compiler *c = p->c;
  const struct value_texts *k = schema_texts(c, p->source);
  const uint32_t place = p->found[SCHEMA_KEYWORD_PATTERN_PROPERTIES];
  uint32_t i, child;
  object->patterns = c->to.pattern_count;
  if (!place) return 1;
  if (!schema_expect(p, SCHEMA_KEYWORD_PATTERN_PROPERTIES, '{')) return 0;
  SCHEMA_EACH(k, place, i, child) {
    const uint32_t unit = schema_unit_at(p, child, SCHEMA_KEYWORD_PATTERN_PROPERTIES);
    struct schema_pattern pattern;
    if (unit == SCHEMA_NONE) return 0;
    pattern.regex = schema_add_regex(p, child, SCHEMA_KEYWORD_PATTERN_PROPERTIES, schema_name_at(c, p->source, child));
    if (pattern.regex == SCHEMA_NONE || !SCHEMA_GROW(c, PATTERNS, c->to.patterns, c->to.pattern_count, 1)) return 0;
    pattern.unit = unit;
    pattern.place = child;
    c->to.patterns[c->to.pattern_count++] = pattern;
    object->pattern_count++;
  }
  return 1;
}

/* Sets *unit to the unit of a keyword whose value is a schema, or to SCHEMA_NONE if the keyword is missing. */
static int schema_unit_of_keyword(struct schema_part *p, enum schema_keyword keyword, uint32_t *unit, uint32_t *place) {
  *unit = SCHEMA_NONE;
  *place = p->found[keyword];
  return !*place || (*unit = schema_unit_at(p, *place, keyword)) != SCHEMA_NONE;
}

/* ------------------------------------------------------------------------------------- the operation */

FL_PRIVATE int schema_hash_properties(struct schema_compiler *c, struct schema_object *object) {
  uint32_t i;
  object->slots = SCHEMA_NONE;
  if (object->count <= SCHEMA_FEW) return 1;
  object->mask = schema_slot_mask(object->count);
  if ((object->slots = schema_add_numbers(c, object->mask + 1)) == SCHEMA_NONE) return 0;
  for (i = 0; i < object->count; i++)
    if (!schema_fill_slots(c, c->to.numbers + object->slots, object->mask, c->to.properties[object->first + i].hash, i))
      return 0;
  return 1;
}

static int schema_add_object(struct schema_part *p, struct schema_object *object, enum schema_keyword keyword,
                             uint32_t place) {
  struct schema_compiler *c = p->c;
  object->needs_all = object->pattern_count > 0 || object->names != SCHEMA_NONE ||
                      (object->additional != SCHEMA_NONE && object->additional != SCHEMA_UNIT_TRUE);
  object->is_plain = object->pattern_count == 0 && object->names == SCHEMA_NONE;
  if (!schema_hash_properties(c, object) || !SCHEMA_GROW(c, OBJECTS, c->to.objects, c->to.object_count, 1)) return 0;
  c->to.objects[c->to.object_count++] = *object;
  return schema_put_op_at(p, SCHEMA_OP_OBJECT, SCHEMA_OBJECT, keyword, place, c->to.object_count - 1, 0, 0);
}

static void schema_begin_object(const struct schema_compiler *c, struct schema_object *object) {
  memset(object, 0, sizeof *object);
  object->first = c->to.property_count;
  object->additional = object->names = SCHEMA_NONE;
}

FL_PRIVATE int schema_put_object(struct schema_part *p) {
  const struct value_texts *k = schema_texts(p->c, p->source);
  const uint32_t properties = p->found[SCHEMA_KEYWORD_PROPERTIES], required = p->found[SCHEMA_KEYWORD_REQUIRED];
  struct schema_object object;
  uint32_t first, n;
  if (required) {
    if (!schema_expect(p, SCHEMA_KEYWORD_REQUIRED, '[')) return 0;
    if (k->places[required].n == 0 && p->draft & (SCHEMA_IN_4 | SCHEMA_IN_OPENAPI_30))
      return schema_refuse_part(p, required, SCHEMA_KEYWORD_REQUIRED, "required must not be empty in this draft");
  }
  if (!properties && !p->found[SCHEMA_KEYWORD_PATTERN_PROPERTIES] && !p->found[SCHEMA_KEYWORD_ADDITIONAL_PROPERTIES] &&
      !p->found[SCHEMA_KEYWORD_PROPERTY_NAMES]) {
    if (!required || k->places[required].n == 0) return 1;
    return schema_put_names(p, required, SCHEMA_KEYWORD_REQUIRED, &first, &n) &&
           schema_put_op(p, SCHEMA_OP_REQUIRED, SCHEMA_OBJECT, SCHEMA_KEYWORD_REQUIRED, first, n, 0);
  }
  schema_begin_object(p->c, &object);
  if (properties && !(schema_expect(p, SCHEMA_KEYWORD_PROPERTIES, '{') &&
                      schema_put_properties(p, &object, properties, SCHEMA_KEYWORD_PROPERTIES)))
    return 0;
  return (!required || schema_require(p, &object)) && schema_put_patterns(p, &object) &&
         schema_unit_of_keyword(p, SCHEMA_KEYWORD_ADDITIONAL_PROPERTIES, &object.additional,
                                &object.place_of_additional) &&
         schema_unit_of_keyword(p, SCHEMA_KEYWORD_PROPERTY_NAMES, &object.names, &object.place_of_names) &&
         schema_add_object(p, &object, SCHEMA_KEYWORD_PROPERTIES, properties ? properties : p->place);
}

FL_PRIVATE int schema_put_equal_object(struct schema_part *p) {
  const uint32_t n = schema_texts(p->c, p->source)->places[p->place].n;
  struct schema_object object;
  if (!schema_put_op_at(p, SCHEMA_OP_MAX_PROPERTIES, SCHEMA_OBJECT, SCHEMA_KEYWORD_CONST, p->place, n, 0, 0)) return 0;
  if (n == 0) return 1;
  schema_begin_object(p->c, &object);
  object.place_of_required = p->place;
  return schema_put_properties(p, &object, p->place, SCHEMA_KEYWORD_CONST) &&
         schema_add_object(p, &object, SCHEMA_KEYWORD_CONST, p->place);
}

/* ------------------------------------------------------------------------------------- dependencies */

/* Compiles a dependency that is a list of names. */
static int schema_put_dependent_names(struct schema_part *p, enum schema_keyword keyword, uint32_t child) {
  const struct schema_text text = schema_name_at(p->c, p->source, child);
  uint32_t name, first, n;
  if (schema_first_of(p, child) != '[')
    return schema_refuse_part(p, child, keyword, "a list of names must be an array");
  if (!schema_put_names(p, child, keyword, &first, &n)) return 0;
  if (keyword == SCHEMA_KEYWORD_DEPENDENCIES && n == 0 && p->draft & SCHEMA_IN_4 && !p->c->settings->is_lenient)
    return schema_refuse_part(p, child, keyword, "a list of names must not be empty in this draft");
  name = schema_name(p->c, text.s, text.n);
  return name != SCHEMA_NONE &&
         (n == 0 || schema_put_op_at(p, SCHEMA_OP_DEPENDENT_REQUIRED, SCHEMA_OBJECT, keyword, child, name, first, n));
}

static int schema_put_dependent_schema(struct schema_part *p, enum schema_keyword keyword, uint32_t child) {
  const struct schema_text text = schema_name_at(p->c, p->source, child);
  const uint32_t unit = schema_unit_at(p, child, keyword);
  uint32_t name;
  if (unit == SCHEMA_NONE || unit == SCHEMA_UNIT_TRUE) return unit == SCHEMA_UNIT_TRUE;
  name = schema_name(p->c, text.s, text.n);
  return name != SCHEMA_NONE &&
         schema_put_op_at(p, SCHEMA_OP_DEPENDENT_SCHEMA, SCHEMA_OBJECT, keyword, child, name, unit, 0);
}

/* Compiles dependentRequired or dependentSchemas, and `dependencies`, whose members are lists of names or schemas. */
static int schema_put_dependents(struct schema_part *p, enum schema_keyword own) {
  const struct value_texts *k = schema_texts(p->c, p->source);
  const int is_names = own == SCHEMA_KEYWORD_DEPENDENT_REQUIRED;
  int i;
  for (i = 0; i < 2; i++) {
    const enum schema_keyword keyword = i ? SCHEMA_KEYWORD_DEPENDENCIES : own;
    const uint32_t place = p->found[keyword];
    uint32_t n, child;
    if (!place) continue;
    if (!schema_expect(p, keyword, '{')) return 0;
    SCHEMA_EACH(k, place, n, child) {
      if (i && (schema_first_of(p, child) == '[') != is_names) continue;
      if (!(is_names ? schema_put_dependent_names : schema_put_dependent_schema)(p, keyword, child)) return 0;
    }
  }
  return 1;
}

FL_PRIVATE int schema_put_dependencies(struct schema_part *p) {
  return schema_put_dependents(p, SCHEMA_KEYWORD_DEPENDENT_REQUIRED);
}

FL_PRIVATE int schema_put_dependent_schemas(struct schema_part *p) {
  return schema_put_dependents(p, SCHEMA_KEYWORD_DEPENDENT_SCHEMAS);
}
