/* SPDX-License-Identifier: MIT
** strict.c -- what the option `strict` refuses: keywords that are not known, parts that no value can satisfy, required
** members that `properties` does not know. */
#include "unit.h"

static int schema_is_custom(const struct schema_settings *settings, struct schema_text name) {
  uint32_t i;
  for (i = 0; i < settings->custom_count; i++)
    if (settings->customs[i].n == name.n && memcmp(settings->customs[i].s, name.s, name.n) == 0) return 1;
  return 0;
}

/* Keywords that the draft does not have; a name that begins with x- may be anything. */
static int schema_check_names_strictly(struct schema_part *p) {
  const struct value_texts *k = schema_texts(p->c, p->source);
  uint32_t i, child;
  SCHEMA_EACH(k, p->place, i, child) {
    const struct schema_text name = schema_name_at(p->c, p->source, child);
    const enum schema_keyword keyword = schema_keyword_named(name.s, name.n);
    if (keyword && schema_keyword_row(keyword)->drafts & p->draft) continue;
    if ((name.n > 2 && name.s[0] == 'x' && name.s[1] == '-') || schema_is_custom(p->c->settings, name)) continue;
    if (p->place == 0 && schema_text_is(name, "openapi")) continue;
    return schema_refuse_with(p->c, p->source, child, keyword, "the keyword %s is not known in this draft", name.s,
                              name.n);
  }
  return 1;
}

/* A least that is above its most. */
static int schema_check_range(struct schema_part *p, enum schema_keyword least, enum schema_keyword most) {
  struct value a, b;
  if (!p->found[least] || !p->found[most]) return 1;
  value_texts_read(schema_texts(p->c, p->source), p->found[least], &a);
  value_texts_read(schema_texts(p->c, p->source), p->found[most], &b);
  if (a.type != VALUE_NUMBER || b.type != VALUE_NUMBER || num_compare(&a.number, &b.number) <= 0) return 1;
  return schema_refuse_with(p->c, p->source, p->found[least], least, "nothing is valid: %s is above the upper bound",
                            schema_keyword_row(least)->name, schema_keyword_row(least)->length);
}

static int schema_check_required(struct schema_part *p) {
  struct value_texts *k = schema_texts(p->c, p->source);
  const uint32_t required = p->found[SCHEMA_KEYWORD_REQUIRED], properties = p->found[SCHEMA_KEYWORD_PROPERTIES];
  uint32_t i, child, property;
  if (!required || !properties || p->found[SCHEMA_KEYWORD_PATTERN_PROPERTIES]) return 1;
  SCHEMA_EACH(k, required, i, child) {
    const struct schema_text name = schema_string_at(p->c, p->source, child);
    if (!value_texts_find_member(k, properties, name.s, name.n, &property))
      return schema_refuse_with(p->c, p->source, child, SCHEMA_KEYWORD_REQUIRED, "properties has no member %s", name.s,
                                name.n);
  }
  return 1;
}

FL_PRIVATE int schema_check_strictly(struct schema_part *p) {
  static const uint8_t ranges[][2] = {
      {SCHEMA_KEYWORD_MINIMUM, SCHEMA_KEYWORD_MAXIMUM},
      {SCHEMA_KEYWORD_MIN_LENGTH, SCHEMA_KEYWORD_MAX_LENGTH},
      {SCHEMA_KEYWORD_MIN_ITEMS, SCHEMA_KEYWORD_MAX_ITEMS},
      {SCHEMA_KEYWORD_MIN_PROPERTIES, SCHEMA_KEYWORD_MAX_PROPERTIES},
      {SCHEMA_KEYWORD_MIN_CONTAINS, SCHEMA_KEYWORD_MAX_CONTAINS},
  };
  size_t i;
  for (i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (!schema_check_range(p, (enum schema_keyword)ranges[i][0], (enum schema_keyword)ranges[i][1])) return 0;
  if (p->types == 0)
    return schema_refuse_part(p, p->place, SCHEMA_KEYWORD_NONE, "nothing is valid: its keywords allow no common type");
  return schema_check_required(p) && schema_check_names_strictly(p);
}
