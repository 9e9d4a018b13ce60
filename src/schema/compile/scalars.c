/* SPDX-License-Identifier: MIT
** scalars.c -- keywords about types, numbers, strings and numbers of children. */
#include "../formats/formats.h"
#include "unit.h"

/* ------------------------------------------------------------------------------------- type */

static unsigned schema_type_named(struct schema_text name) {
  static const char *const names[] = {"null", "boolean", "integer", "number", "string", "array", "object"};
  static const uint8_t types[] = {SCHEMA_NULL,   SCHEMA_BOOLEAN, SCHEMA_INTEGER, SCHEMA_NUMBER | SCHEMA_INTEGER,
                                  SCHEMA_STRING, SCHEMA_ARRAY,   SCHEMA_OBJECT};
  unsigned i;
  for (i = 0; i < sizeof types; i++)
    if (schema_text_is(name, names[i])) return types[i];
  return 0;
}

/* Adds the type named at a place to *types. */
static int schema_read_type(struct schema_part *p, uint32_t place, unsigned *types) {
  const int is_lenient = p->c->settings->is_lenient;
  struct schema_text name;
  unsigned type;
  if (schema_first_of(p, place) != '"')
    return is_lenient || schema_refuse_part(p, place, SCHEMA_KEYWORD_TYPE, "a type must be a string");
  name = schema_string_at(p->c, p->source, place);
  type = schema_type_named(name);
  if (!type)
    return is_lenient ||
           schema_refuse_with(p->c, p->source, place, SCHEMA_KEYWORD_TYPE,
                              "the type %s is not known: null, boolean, integer, number, string, array or object",
                              name.s, name.n);
  if ((type & *types) == type && type != SCHEMA_INTEGER && !is_lenient)
    return schema_refuse_with(p->c, p->source, place, SCHEMA_KEYWORD_TYPE, "the type %s is there twice", name.s,
                              name.n);
  *types |= type;
  return 1;
}

FL_PRIVATE int schema_put_types(struct schema_part *p) {
  const struct value_texts *k = schema_texts(p->c, p->source);
  const uint32_t place = p->found[SCHEMA_KEYWORD_TYPE], nullable = p->found[SCHEMA_KEYWORD_NULLABLE];
  unsigned types = 0;
  uint32_t i, child;
  if (nullable && schema_first_of(p, nullable) != 't' && schema_first_of(p, nullable) != 'f')
    return schema_refuse_part(p, nullable, SCHEMA_KEYWORD_NULLABLE, "nullable must be a boolean");
  if (!place) return 1;
  if (schema_first_of(p, place) != '[') {
    if (!schema_read_type(p, place, &types)) return 0;
  } else {
    if ((k->places[place].n == 0 && !p->c->settings->is_lenient) || p->draft & SCHEMA_IN_OPENAPI_30)
      return schema_refuse_part(p, place, SCHEMA_KEYWORD_TYPE,
                                k->places[place].n ? "type must be a string" : "type must not be an empty array");
    SCHEMA_EACH(k, place, i, child)
    if (!schema_read_type(p, child, &types)) return 0;
  }
  if (nullable && schema_first_of(p, nullable) == 't') types |= SCHEMA_NULL;
  p->types &= (uint8_t)types;
  if (types == SCHEMA_ANY_TYPE) return 1;
  return schema_put_op(p, SCHEMA_OP_TYPE, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_TYPE, types,
                       p->draft & SCHEMA_IN_4 && (types & (SCHEMA_NUMBER | SCHEMA_INTEGER)) == SCHEMA_INTEGER, 0);
}

/* ------------------------------------------------------------------------------------- numbers */

static int schema_put_limit(struct schema_part *p, enum schema_keyword keyword, enum schema_op_code code,
                            enum schema_keyword says) {
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  uint32_t literal;
  if (!schema_begins_number(schema_first_of(p, p->found[keyword])))
    return schema_refuse_with(p->c, p->source, p->found[keyword], keyword, "%s must be a number", row->name,
                              row->length);
  literal = schema_add_literal(p, p->found[keyword]);
  if (literal == SCHEMA_NONE) return 0;
  if (code == SCHEMA_OP_MULTIPLE_OF) {
    struct num_any number = p->c->to.literals[literal].number;
    number.text = p->c->to.bytes + p->c->to.literals[literal].at;
    number.n = p->c->to.literals[literal].length;
    if (!num_is_divisor(&number))
      return schema_refuse_part(p, p->found[keyword], keyword,
                                "multipleOf must be a number above 0, with at most 19 digits");
  }
  return schema_put_op(p, code, SCHEMA_NUMBER, says, literal, 0, 0);
}

/* Compiles minimum or maximum; in draft 4 the exclusive keyword beside it is a boolean. */
static int schema_put_bound(struct schema_part *p, enum schema_keyword keyword, enum schema_keyword exclusive,
                            enum schema_op_code code, enum schema_op_code exclusive_code) {
  const uint32_t at = p->found[exclusive];
  const int is_boolean = (p->draft & (SCHEMA_IN_4 | SCHEMA_IN_OPENAPI_30)) != 0;
  int is_exclusive = 0;
  if (at && is_boolean) {
    const struct schema_keyword_row *row = schema_keyword_row(exclusive);
    const char first = schema_first_of(p, at);
    if (first != 't' && first != 'f')
      return schema_refuse_with(p->c, p->source, at, exclusive, "%s must be a boolean in this draft", row->name,
                                row->length);
    is_exclusive = first == 't';
  } else if (at && !schema_put_limit(p, exclusive, exclusive_code, exclusive)) {
    return 0;
  }
  return !p->found[keyword] || schema_put_limit(p, keyword, is_exclusive ? exclusive_code : code, keyword);
}

FL_PRIVATE int schema_put_numbers(struct schema_part *p) {
  return schema_put_bound(p, SCHEMA_KEYWORD_MINIMUM, SCHEMA_KEYWORD_EXCLUSIVE_MINIMUM, SCHEMA_OP_MINIMUM,
                          SCHEMA_OP_EXCLUSIVE_MINIMUM) &&
         schema_put_bound(p, SCHEMA_KEYWORD_MAXIMUM, SCHEMA_KEYWORD_EXCLUSIVE_MAXIMUM, SCHEMA_OP_MAXIMUM,
                          SCHEMA_OP_EXCLUSIVE_MAXIMUM) &&
         (!p->found[SCHEMA_KEYWORD_MULTIPLE_OF] ||
          schema_put_limit(p, SCHEMA_KEYWORD_MULTIPLE_OF, SCHEMA_OP_MULTIPLE_OF, SCHEMA_KEYWORD_MULTIPLE_OF));
}

/* ------------------------------------------------------------------------------------- counts */

/* Compiles a count such as minItems. A minimum of 0 and a maximum beyond all counts need no operation. */
static int schema_put_count(struct schema_part *p, enum schema_keyword keyword, enum schema_op_code code,
                            unsigned types, int is_most) {
  uint32_t n;
  if (!p->found[keyword]) return 1;
  if (!schema_read_count(p, keyword, &n)) return 0;
  return n == (is_most ? UINT32_MAX : 0) || schema_put_op(p, code, types, keyword, n, 0, 0);
}

FL_PRIVATE int schema_put_counts(struct schema_part *p) {
  return schema_put_count(p, SCHEMA_KEYWORD_MIN_ITEMS, SCHEMA_OP_MIN_ITEMS, SCHEMA_ARRAY, 0) &&
         schema_put_count(p, SCHEMA_KEYWORD_MAX_ITEMS, SCHEMA_OP_MAX_ITEMS, SCHEMA_ARRAY, 1) &&
         schema_put_count(p, SCHEMA_KEYWORD_MIN_PROPERTIES, SCHEMA_OP_MIN_PROPERTIES, SCHEMA_OBJECT, 0) &&
         schema_put_count(p, SCHEMA_KEYWORD_MAX_PROPERTIES, SCHEMA_OP_MAX_PROPERTIES, SCHEMA_OBJECT, 1);
}

/* ------------------------------------------------------------------------------------- strings */

/* Returns whether the pattern is ^ followed by plain characters. */
static int schema_is_prefix(struct schema_text text) {
  size_t i;
  if (text.n == 0 || *text.s != '^') return 0;
  for (i = 1; i < text.n; i++)
    if (text.s[i] == 0 || strchr("^$\\.*+?()[]{}|", text.s[i])) return 0;
  return 1;
}

/* Tables make searches faster; further expressions do without. */
enum { SCHEMA_MOST_REGEX_BYTES = 256 * 1024 * 1024, SCHEMA_MOST_TABLE_BYTES = 128 * 1024 };

FL_PRIVATE uint32_t schema_add_regex(struct schema_part *p, uint32_t place, enum schema_keyword keyword,
                                     struct schema_text text) {
  struct schema_compiler *c = p->c;
  struct regex_compiler r;
  struct schema_regex *regex;
  uint32_t string, room;
  if (!regex_compile(&r, NULL, text.s, text.n)) {
    p->found[keyword] = 0; /* no keyword that may be dropped */
    (void)schema_refuse_with(c, p->source, place, keyword, "invalid regular expression: %s", r.error, strlen(r.error));
    return SCHEMA_NONE;
  }
  if (c->only_checks) return 0;
  if ((string = schema_keep(c, text.s, text.n)) == SCHEMA_NONE) return SCHEMA_NONE;
  if (c->strings[string].regex) return c->strings[string].regex - 1;
  c->regex_size += regex_size(&r.size);
  if (c->regex_size > SCHEMA_MOST_REGEX_BYTES)
    return (void)schema_refuse_size(c, "the regular expressions are too large"), SCHEMA_NONE;
  if ((regex = SCHEMA_ADD(c, REGEXES, c->to.regexes, c->to.regex_count)) == NULL) return SCHEMA_NONE;
  if (regex_scratch_size(&r.size) > c->to.scratch) c->to.scratch = regex_scratch_size(&r.size);
  regex->at = regex_size(&r.size); /* until its place is known */
  regex->text = c->strings[string].at;
  regex->length = (uint32_t)text.n;
  regex->is_prefix = (uint8_t)schema_is_prefix(text);
  if (!regex->is_prefix && (room = regex_table_room(&r.size)) > 0 && c->table_size < SCHEMA_MOST_TABLE_BYTES)
    c->table_size += regex->table = regex_table_size(room);
  return (c->strings[string].regex = c->to.regex_count) - 1;
}

FL_PRIVATE uint32_t schema_find_text(const struct schema_text *list, uint32_t count, struct schema_text name) {
  uint32_t i;
  for (i = 0; i < count; i++)
    if (list[i].n == name.n && memcmp(list[i].s, name.s, name.n) == 0) break;
  return i;
}

static int schema_put_format(struct schema_part *p) {
  const struct schema_settings *settings = p->c->settings;
  const unsigned vocabularies = p->c->to.resources[p->resource].vocabularies;
  struct schema_text name;
  uint32_t i;
  if (!p->found[SCHEMA_KEYWORD_FORMAT]) return 1;
  if (!schema_expect(p, SCHEMA_KEYWORD_FORMAT, '"')) return 0;
  name = schema_string_at(p->c, p->source, p->found[SCHEMA_KEYWORD_FORMAT]);
  i = schema_find_text(settings->formats, settings->format_count, name);
  if (i < settings->format_count)
    return schema_put_op(p, SCHEMA_OP_FORMAT, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_FORMAT, i, 1, 0);
  if (!settings->asserts_formats && !(vocabularies & 1u << SCHEMA_FORMAT_ASSERTION)) return 1;
  if (p->draft & (SCHEMA_IN_OPENAPI_30 | SCHEMA_IN_OPENAPI_31)) {
    i = (uint32_t)schema_openapi_format_named(name.s, name.n);
    if (i != SCHEMA_FORMAT_NONE)
      return schema_put_op(p, SCHEMA_OP_FORMAT, i == SCHEMA_FORMAT_BYTE ? SCHEMA_STRING : SCHEMA_NUMBER,
                           SCHEMA_KEYWORD_FORMAT, i, 0, 0);
  }
  i = (uint32_t)schema_format_named(name.s, name.n);
  if (i != SCHEMA_FORMAT_NONE) return schema_put_op(p, SCHEMA_OP_FORMAT, SCHEMA_STRING, SCHEMA_KEYWORD_FORMAT, i, 0, 0);
  if (!settings->is_strict || p->draft & (SCHEMA_IN_OPENAPI_30 | SCHEMA_IN_OPENAPI_31)) return 1;
  return schema_refuse_with(p->c, p->source, p->found[SCHEMA_KEYWORD_FORMAT], SCHEMA_KEYWORD_FORMAT,
                            "the format %s is not known", name.s, name.n);
}

static int schema_is_json_type(struct schema_text type) {
  size_t n = 0;
  while (n < type.n && type.s[n] != ';' && type.s[n] != ' ') n++;
  return (n == 16 && memcmp(type.s, "application/json", 16) == 0) || (n > 5 && memcmp(type.s + n - 5, "+json", 5) == 0);
}

static int schema_put_content(struct schema_part *p) {
  const uint32_t encoding = p->found[SCHEMA_KEYWORD_CONTENT_ENCODING],
                 type = p->found[SCHEMA_KEYWORD_CONTENT_MEDIA_TYPE];
  uint32_t is_base64, is_json;
  if (encoding && !schema_expect(p, SCHEMA_KEYWORD_CONTENT_ENCODING, '"')) return 0;
  if (type && !schema_expect(p, SCHEMA_KEYWORD_CONTENT_MEDIA_TYPE, '"')) return 0;
  if (!p->c->settings->asserts_contents) return 1;
  is_base64 = encoding && schema_text_is(schema_string_at(p->c, p->source, encoding), "base64");
  is_json = type && schema_is_json_type(schema_string_at(p->c, p->source, type));
  if ((encoding && !is_base64) || (!is_base64 && !is_json)) return 1; /* unknown encodings and types are not tested */
  return schema_put_op(p, SCHEMA_OP_CONTENT, SCHEMA_STRING,
                       encoding ? SCHEMA_KEYWORD_CONTENT_ENCODING : SCHEMA_KEYWORD_CONTENT_MEDIA_TYPE, is_base64,
                       is_json, 0);
}

static int schema_put_pattern(struct schema_part *p) {
  const uint32_t place = p->found[SCHEMA_KEYWORD_PATTERN];
  uint32_t regex;
  if (!place) return 1;
  if (!schema_expect(p, SCHEMA_KEYWORD_PATTERN, '"')) return 0;
  regex = schema_add_regex(p, place, SCHEMA_KEYWORD_PATTERN, schema_string_at(p->c, p->source, place));
  return regex != SCHEMA_NONE &&
         schema_put_op(p, SCHEMA_OP_PATTERN, SCHEMA_STRING, SCHEMA_KEYWORD_PATTERN, regex, 0, 0);
}

FL_PRIVATE int schema_put_strings(struct schema_part *p) {
  return schema_put_count(p, SCHEMA_KEYWORD_MIN_LENGTH, SCHEMA_OP_MIN_LENGTH, SCHEMA_STRING, 0) &&
         schema_put_count(p, SCHEMA_KEYWORD_MAX_LENGTH, SCHEMA_OP_MAX_LENGTH, SCHEMA_STRING, 1) &&
         schema_put_pattern(p) && schema_put_format(p) && schema_put_content(p);
}

/* ------------------------------------------------------------------------------------- the user's keywords */

FL_PRIVATE int schema_put_customs(struct schema_part *p) {
  const struct schema_settings *settings = p->c->settings;
  const struct value_texts *k = schema_texts(p->c, p->source);
  uint32_t i, child;
  if (settings->custom_count == 0) return 1;
  SCHEMA_EACH(k, p->place, i, child) {
    const uint32_t custom = schema_find_text(settings->customs, settings->custom_count,
                                             schema_name_at(p->c, p->source, child));
    if (custom < settings->custom_count &&
        !schema_put_op_at(p, SCHEMA_OP_CUSTOM, SCHEMA_ANY_TYPE, SCHEMA_KEYWORD_NONE, child, custom, p->source, 0))
      return 0;
  }
  return 1;
}

/* Sets the range of a unit's numbers. */
static void schema_find_range(const struct schema_compiler *c, struct schema_unit *u) {
  const struct schema_op *op = c->to.ops + u->decider;
  int64_t low = INT64_MIN, high = INT64_MAX;
  u->low = 1, u->high = 0;
  for (; op->code != SCHEMA_OP_END; op++) {
    const struct num_any *bound;
    if (!(op->types & (SCHEMA_NUMBER | SCHEMA_INTEGER))) continue;
    if (op->code < SCHEMA_OP_MINIMUM || op->code > SCHEMA_OP_EXCLUSIVE_MAXIMUM) return;
    bound = &c->to.literals[op->a].number;
    if (bound->form != NUM_IS_INTEGER || bound->is.i > SCHEMA_MOST_FLOOR || bound->is.i < -SCHEMA_MOST_FLOOR) return;
    if (op->code <= SCHEMA_OP_EXCLUSIVE_MINIMUM) {
      const int64_t least = 2 * bound->is.i + (op->code == SCHEMA_OP_EXCLUSIVE_MINIMUM);
      if (low < least) low = least;
    } else {
      const int64_t most = 2 * bound->is.i - (op->code == SCHEMA_OP_EXCLUSIVE_MAXIMUM);
      if (high > most) high = most;
    }
  }
  u->low = low, u->high = high;
}

FL_PRIVATE void schema_find_ranges(struct schema_compiler *c) {
  uint32_t unit;
  for (unit = SCHEMA_UNITS; unit < c->to.unit_count; unit++) schema_find_range(c, &c->to.units[unit]);
}
