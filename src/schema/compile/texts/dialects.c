/* SPDX-License-Identifier: MIT
** dialects.c -- finds the draft and the vocabularies of a $schema.
** Must hold: a metaschema is read as plain JSON; only its $vocabulary and $schema matter here. */
#include "../state.h"

enum { SCHEMA_MOST_METASCHEMAS = 8 }; /* limit for chains of metaschemas */

/* Returns the vocabulary with this URI, SCHEMA_VOCABULARIES if unknown; sets *also to the vocabularies it includes. */
static unsigned schema_vocabulary_of(struct schema_text uri, unsigned *also) {
  static const char *const names[][2] = {{"vocab/core", NULL},        {"vocab/applicator", NULL},
                                         {"vocab/unevaluated", NULL}, {"vocab/validation", NULL},
                                         {"vocab/meta-data", NULL},   {"vocab/format", "vocab/format-annotation"},
                                         {"vocab/content", NULL},     {"vocab/format-assertion", NULL}};
  unsigned i;
  *also = 0;
  if (uri.n < 30 || (memcmp(uri.s, "https://json-schema.org/draft/", 30) != 0)) return SCHEMA_VOCABULARIES;
  for (i = 0; i < SCHEMA_VOCABULARIES; i++) {
    const char *rest = uri.s + 30;
    const struct schema_text name = {rest + 8, uri.n > 38 ? uri.n - 38 : 0};
    if (name.n == 0 || (memcmp(rest, "2019-09/", 8) != 0 && memcmp(rest, "2020-12/", 8) != 0)) continue;
    if (!schema_text_is(name, names[i][0]) && !(names[i][1] && schema_text_is(name, names[i][1]))) continue;
    if (i == SCHEMA_APPLICATOR && rest[3] == '9') *also = 1u << SCHEMA_UNEVALUATED;
    if (i == SCHEMA_FORMAT_ASSERTION) *also = 1u << SCHEMA_FORMATS;
    return i;
  }
  return SCHEMA_VOCABULARIES;
}

/* Returns the set of vocabularies that a $vocabulary lists; 0 after an error. */
static unsigned schema_read_vocabularies(struct schema_compiler *c, uint32_t source, uint32_t place) {
  struct value_texts *k = schema_texts(c, source);
  unsigned set = 1u << SCHEMA_CORE;
  uint32_t i, child;
  if (schema_first(c, source, place) != '{')
    return (unsigned)schema_refuse(c, source, place, SCHEMA_KEYWORD_VOCABULARY, "$vocabulary must be an object");
  SCHEMA_EACH(k, place, i, child) {
    const struct schema_text uri = schema_name_at(c, source, child);
    unsigned also;
    const unsigned vocabulary = schema_vocabulary_of(uri, &also);
    /* 2019-09, section 7.2: formats are tested where the vocabulary is required */
    if (vocabulary == SCHEMA_FORMATS && uri.s[33] == '9' && schema_first(c, source, child) == 't')
      set |= 1u << SCHEMA_FORMAT_ASSERTION;
    if (vocabulary < SCHEMA_VOCABULARIES) set |= 1u << vocabulary | also;
    else if (schema_first(c, source, child) == 't')
      return (unsigned)schema_refuse_with(c, source, child, SCHEMA_KEYWORD_VOCABULARY,
                                          "the vocabulary %s is required, but not known", uri.s, uri.n);
  }
  return set;
}

static uint32_t schema_dialect_of(enum schema_draft draft, unsigned vocabularies) {
  return (uint32_t)draft | (uint32_t)vocabularies << 8;
}

FL_PRIVATE uint32_t schema_dialect(struct schema_compiler *c, uint32_t source, uint32_t place) {
  const uint32_t at_source = source, at = place;
  const struct schema_text told = schema_first(c, source, place) == '"' ? schema_string_at(c, source, place)
                                                                        : (struct schema_text){NULL, 0};
  unsigned vocabularies = 0;
  uint32_t first = SCHEMA_NONE, found[SCHEMA_KEYWORDS];
  int hops;
  for (hops = 0; hops < SCHEMA_MOST_METASCHEMAS; hops++) {
    enum schema_draft draft = c->settings->draft;
    uint32_t uri = SCHEMA_NONE;
    if (place != SCHEMA_NONE) {
      struct schema_text text;
      if (schema_first(c, source, place) != '"')
        return (void)schema_refuse(c, source, place, SCHEMA_KEYWORD_SCHEMA, "$schema must be a string"), SCHEMA_NONE;
      text = schema_string_at(c, source, place);
      draft = schema_draft_of(text);
      if (draft == SCHEMA_DRAFTS) {
        if ((uri = schema_keep(c, text.s, schema_without_fragment(text.s, text.n))) == SCHEMA_NONE) return SCHEMA_NONE;
        if (c->strings[uri].dialect && hops == 0) return c->strings[uri].dialect;
      }
    }
    if (uri == SCHEMA_NONE) { /* a draft that is known */
      const uint32_t dialect = schema_dialect_of(draft, vocabularies ? vocabularies : SCHEMA_ALL_VOCABULARIES);
      if (first != SCHEMA_NONE) c->strings[first].dialect = dialect;
      return dialect;
    }
    if (first == SCHEMA_NONE) first = uri;
    source = schema_open_source(c, uri, SCHEMA_FROM_GIVEN | SCHEMA_FROM_LOADER);
    if (source == SCHEMA_NONE) break;
    place = SCHEMA_NONE;
    if (schema_first(c, source, 0) != '{') continue;
    schema_find_keywords(c, source, 0, found);
    if (found[SCHEMA_KEYWORD_SCHEMA]) place = found[SCHEMA_KEYWORD_SCHEMA];
    if (hops == 0 && found[SCHEMA_KEYWORD_VOCABULARY] &&
        !(vocabularies = schema_read_vocabularies(c, source, found[SCHEMA_KEYWORD_VOCABULARY])))
      return SCHEMA_NONE;
  }
  (void)schema_refuse_with(c, at_source, at, SCHEMA_KEYWORD_SCHEMA, "the metaschema %s is not known", told.s, told.n);
  return SCHEMA_NONE;
}
