/* SPDX-License-Identifier: MIT
** properties.c -- compiles \p{..}: general categories of Unicode, from a table made by tools/unicode_categories.py. */
#include "categories_table.h"
#include "compile.h"

enum { REGEX_CATEGORY_COUNT = (sizeof REGEX_CATEGORIES - 1) / 2 };

/* Reads {L} or {Lu} after \p, as in RFC 9485, section 4.5. Returns the categories it means as bits, or 0, without
** moving p, if there is none. Cs is not among them, because surrogates are no characters. */
static uint32_t regex_take_categories(struct regex_compiler *c) {
  const char *p = c->p;
  const size_t left = (size_t)(c->end - p);
  uint32_t found = 0;
  if (left < 3 || p[0] != '{') return 0;
  for (unsigned i = 0; i < REGEX_CATEGORY_COUNT; i++) {
    const char *name = &REGEX_CATEGORIES[2 * (size_t)i];
    if (memcmp(name, "Cs", 2) == 0 || name[0] != p[1]) continue;
    if (p[2] == '}' || (p[2] == name[1] && left > 3 && p[3] == '}')) found |= UINT32_C(1) << i;
  }
  if (found) c->p += p[2] == '}' ? 3 : 4;
  return found;
}

static int regex_put_categories(struct regex_compiler *c, uint32_t categories, int others) {
  const unsigned char *p = regex_category_runs, *end = p + sizeof regex_category_runs;
  uint32_t from = 0, at = 0;
  int inside = 0; /* whether the characters before `at`, from `from` on, are in the class */
  while (p < end) {
    uint32_t x = 0, shift = 0;
    for (; *p & 128; p++, shift += 7) x |= (*p & 127u) << shift;
    x |= (uint32_t)*p++ << shift;
    const int is_in = (int)(categories >> (x & 31) & 1) != others;
    if (inside && !is_in && !regex_put_range(c, from, at - 1)) return 0;
    if (!inside) from = at;
    inside = is_in;
    at += x >> 5;
  }
  FL_ASSERT(at == 0x110000);
  return !inside || regex_put_range(c, from, at - 1);
}

/* Names of categories in Unicode's PropertyValueAliases.txt, and of properties that are sets of them. A single letter
** means all categories that begin with it. */
static const struct {
  const char *name, *categories;
} regex_property_names[] = {
    {"Letter", "L"},
    {"Cased_Letter", "LuLlLt"},
    {"LC", "LuLlLt"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Other", "C"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Format", "Cf"},
    {"Surrogate", "Cs"},
    {"Private_Use", "Co"},
    {"Unassigned", "Cn"},
    {"Any", "LMNPZSC"},
    {"Assigned", "LMNPZSCcCfCoCs"},
};

/* Returns the categories of a list such as "L", "Lu", "LuLlLt" as bits, or 0 if a word is unknown. */
static uint32_t regex_categories_of(const char *s, const char *end) {
  uint32_t all = 0;
  while (s < end) {
    const int is_pair = end - s > 1 && s[1] >= 'a' && s[1] <= 'z';
    uint32_t found = 0;
    for (unsigned i = 0; i < REGEX_CATEGORY_COUNT; i++) {
      const char *name = &REGEX_CATEGORIES[2 * (size_t)i];
      if (name[0] == s[0] && (!is_pair || name[1] == s[1])) found |= UINT32_C(1) << i;
    }
    if (!found) return 0;
    all |= found;
    s += 1 + is_pair;
  }
  return all;
}

static int regex_is_word_of(const char *word, const char *s, const char *end) {
  return strlen(word) == (size_t)(end - s) && memcmp(word, s, (size_t)(end - s)) == 0;
}

/* ECMA 262, section 22.2.1: UnicodePropertyValueExpression between its braces. */
static uint32_t regex_ecma_categories(const char *s, const char *end) {
  const char *equals = (const char *)memchr(s, '=', (size_t)(end - s));
  if (equals) {
    if (!regex_is_word_of("gc", s, equals) && !regex_is_word_of("General_Category", s, equals)) return 0;
    s = equals + 1;
  }
  for (size_t i = 0; i < sizeof regex_property_names / sizeof *regex_property_names; i++) {
    const char *categories = regex_property_names[i].categories;
    if (regex_is_word_of(regex_property_names[i].name, s, end) && !(equals && *categories == 'A'))
      return regex_categories_of(categories, categories + strlen(categories));
  }
  return end - s <= 2 ? regex_categories_of(s, end) : 0;
}

FL_PRIVATE int regex_put_property(struct regex_compiler *c) {
  const char *at = c->p - 1, *close;
  const int others = *c->p++ == 'P';
  uint32_t categories;
  if (!c->is_ecma) {
    categories = regex_take_categories(c);
    return categories ? regex_put_categories(c, categories, others)
                      : regex_fail(c, at, "unknown category of characters");
  }
  close = (const char *)memchr(c->p, '}', (size_t)(c->end - c->p));
  if (!close || !regex_take(c, '{')) return regex_fail(c, at, "unknown property of characters");
  if (regex_is_word_of("ASCII", c->p, close)) {
    c->p = close + 1;
    return others ? regex_put_range(c, 0x80, 0x10ffff) : regex_put_range(c, 0, 0x7f);
  }
  categories = regex_ecma_categories(c->p, close);
  if (!categories) return regex_fail(c, at, "a property of characters that is not known, or not supported");
  c->p = close + 1;
  return regex_put_categories(c, categories, others);
}
