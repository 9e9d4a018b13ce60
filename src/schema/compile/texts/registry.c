/* SPDX-License-Identifier: MIT
** registry.c -- finds the URIs and anchors of schemas by visiting all places where schemas may stand.
** Must hold: each place is visited once. Values elsewhere, as in const or below an unknown keyword, are no schemas
** unless a reference leads there. */
#include "../../../json/pointer.h"
#include "../state.h"

FL_PRIVATE int schema_has_keyword(const struct schema_compiler *c, uint32_t resource, enum schema_keyword keyword) {
  const struct schema_keyword_row *row = schema_keyword_row(keyword);
  const struct schema_resource *r = &c->to.resources[resource];
  if (!(row->drafts & 1u << r->draft) || !(r->vocabularies & 1u << row->vocabulary)) return 0;
  return !(c->settings->skip && c->settings->skip[keyword]);
}

/* ------------------------------------------------------------------------------------- anchors */

FL_PRIVATE uint32_t schema_find_anchor(const struct schema_compiler *c, uint32_t resource, const char *s, size_t n) {
  const uint32_t name = schema_find_kept(c, s, n), hash = schema_hash_pair(resource, name, 0, 0);
  uint32_t at = hash, i;
  if (name == SCHEMA_NONE) return SCHEMA_NONE;
  while ((i = schema_index_next(&c->indexes[SCHEMA_ANCHORS], hash, &at)) != SCHEMA_NONE)
    if (c->anchors[i].resource == resource && c->anchors[i].name == name) return i;
  return SCHEMA_NONE;
}

/* Adds an anchor for the schema at a place. An anchor and a dynamic anchor of one name may be at the same schema
** only. */
static int schema_add_anchor(struct schema_compiler *c, uint32_t resource, uint32_t place, uint32_t told,
                             enum schema_keyword keyword, struct schema_text text) {
  const int is_dynamic = keyword == SCHEMA_KEYWORD_DYNAMIC_ANCHOR || keyword == SCHEMA_KEYWORD_RECURSIVE_ANCHOR;
  const uint32_t source = c->to.resources[resource].source, name = schema_keep(c, text.s, text.n);
  const uint32_t known = schema_find_anchor(c, resource, text.s, text.n);
  uint32_t number = c->anchor_count;
  struct schema_anchor *anchor;
  if (name == SCHEMA_NONE) return 0;
  if (known != SCHEMA_NONE && c->anchors[known].place != place)
    return schema_refuse_with(c, source, told, keyword, "the anchor %s is there twice", text.s, text.n);
  if (known != SCHEMA_NONE) {
    number = known;
    anchor = &c->anchors[known];
  } else {
    if ((anchor = SCHEMA_ADD(c, ANCHORS, c->anchors, c->anchor_count)) == NULL) return 0;
    anchor->resource = resource;
    anchor->name = name;
    anchor->place = place;
    anchor->next = SCHEMA_NONE;
    if (!schema_index_add(c, SCHEMA_ANCHORS, schema_hash_pair(resource, name, 0, 0), number)) return 0;
  }
  if (is_dynamic && !anchor->is_dynamic) {
    anchor->is_dynamic = 1;
    anchor->next = c->to.resources[resource].dynamic;
    c->to.resources[resource].dynamic = number;
  }
  return 1;
}

static int schema_is_anchor(struct schema_text text) {
  size_t i;
  if (text.n == 0 || !(json_is_letter(*text.s) || *text.s == '_')) return 0;
  for (i = 1; i < text.n; i++)
    if (!json_is_unreserved(text.s[i]) && text.s[i] != ':') return 0;
  return 1;
}

/* $anchor, $dynamicAnchor, $recursiveAnchor. */
static int schema_read_anchors(struct schema_compiler *c, uint32_t resource, uint32_t source, uint32_t place,
                               const uint32_t *found) {
  static const uint8_t keywords[] = {SCHEMA_KEYWORD_ANCHOR, SCHEMA_KEYWORD_DYNAMIC_ANCHOR};
  const uint32_t recursive = found[SCHEMA_KEYWORD_RECURSIVE_ANCHOR];
  size_t i;
  for (i = 0; i < sizeof keywords; i++) {
    const enum schema_keyword keyword = (enum schema_keyword)keywords[i];
    const uint32_t at = found[keyword];
    struct schema_text text = {NULL, 0};
    if (!at || !schema_has_keyword(c, resource, keyword)) continue;
    if (schema_first(c, source, at) == '"') text = schema_string_at(c, source, at);
    if (!schema_is_anchor(text))
      return schema_refuse(c, source, at, keyword, "an anchor is a letter or _, then letters, digits, '-', '_', '.'");
    if (!schema_add_anchor(c, resource, place, at, keyword, text)) return 0;
  }
  if (!recursive || !schema_has_keyword(c, resource, SCHEMA_KEYWORD_RECURSIVE_ANCHOR)) return 1;
  if (schema_first(c, source, recursive) != 't' && schema_first(c, source, recursive) != 'f')
    return schema_refuse(c, source, recursive, SCHEMA_KEYWORD_RECURSIVE_ANCHOR, "$recursiveAnchor must be a boolean");
  if (schema_first(c, source, recursive) == 'f' || place != c->to.resources[resource].place) return 1;
  return schema_add_anchor(c, resource, place, recursive, SCHEMA_KEYWORD_RECURSIVE_ANCHOR, (struct schema_text){"", 0});
}

/* ------------------------------------------------------------------------------------- resources */

/* Gives the resource a URI. If two schemas in different texts have the same URI, the first one keeps it. */
static int schema_set_uri(struct schema_compiler *c, uint32_t resource, uint32_t uri, uint32_t told) {
  const uint32_t source = c->to.resources[resource].source;
  struct schema_string *string = &c->strings[uri];
  if (!string->resource) string->resource = resource + 1;
  else if (string->resource != resource + 1 && c->to.resources[string->resource - 1].source == source)
    return schema_refuse_with(c, source, told, SCHEMA_KEYWORD_ID, "another schema here has the URI %s",
                              schema_bytes(c, uri), string->length);
  return 1;
}

static uint32_t schema_add_resource(struct schema_compiler *c, uint32_t source, uint32_t place, uint32_t uri,
                                    uint32_t dialect) {
  struct schema_resource *r = SCHEMA_ADD(c, RESOURCES, c->to.resources, c->to.resource_count);
  if (!r) return SCHEMA_NONE;
  r->source = source;
  r->place = place;
  r->uri = c->strings[uri].at;
  r->uri_length = c->strings[uri].length;
  r->dynamic = SCHEMA_NONE;
  r->draft = (uint8_t)dialect;
  r->vocabularies = (uint8_t)(dialect >> 8);
  return c->to.resource_count - 1;
}

FL_PRIVATE size_t schema_resolve_from(struct schema_compiler *c, uint32_t base, struct schema_text text) {
  const struct schema_resource r = c->to.resources[base];
  if (!SCHEMA_GROW(c, URI, c->uri, 0, r.uri_length + text.n + SCHEMA_URI_ROOM)) return 0;
  return schema_resolve_uri(c->to.bytes + r.uri, r.uri_length, text.s, text.n, c->uri);
}

/* Returns the draft of a schema that may be a resource of its own. $schema counts beside an id and at the root of a
** text. */
static uint32_t schema_dialect_at(struct schema_compiler *c, uint32_t source, uint32_t place, uint32_t outer,
                                  const uint32_t *found) {
  const struct schema_resource *r = outer == SCHEMA_NONE ? NULL : &c->to.resources[outer];
  const uint32_t told = found[SCHEMA_KEYWORD_SCHEMA];
  const int has_id = found[SCHEMA_KEYWORD_ID] || found[SCHEMA_KEYWORD_ID_4];
  if (told && (place == 0 || has_id)) return schema_dialect(c, source, told);
  return r ? r->draft | (uint32_t)r->vocabularies << 8 : c->settings->draft | (uint32_t)SCHEMA_ALL_VOCABULARIES << 8;
}

/* Returns the place of the id that counts in this draft; 0 if none. */
static uint32_t schema_id_at(const uint32_t *found, unsigned draft) {
  const unsigned drafts = 1u << draft;
  if (drafts & SCHEMA_IN_OPENAPI_30) return 0;
  if (drafts & ~(unsigned)SCHEMA_FROM_2019 && found[SCHEMA_KEYWORD_REF]) return 0; /* its siblings are ignored */
  return found[drafts & SCHEMA_IN_4 ? SCHEMA_KEYWORD_ID_4 : SCHEMA_KEYWORD_ID];
}

/* Reads the id of a schema. If that makes a new resource, sets *resource to it. */
static int schema_read_id(struct schema_compiler *c, uint32_t source, uint32_t place, uint32_t dialect, uint32_t told,
                          uint32_t *resource) {
  const enum schema_keyword keyword = (dialect & 0xff) == SCHEMA_DRAFT_4 ? SCHEMA_KEYWORD_ID_4 : SCHEMA_KEYWORD_ID;
  struct schema_text text, fragment;
  uint32_t uri;
  size_t n;
  if (schema_first(c, source, told) != '"') {
    /* in draft 4 "id" may also be an ordinary name, so only a string counts */
    return keyword == SCHEMA_KEYWORD_ID_4 || schema_refuse(c, source, told, keyword, "$id must be a string");
  }
  text = schema_string_at(c, source, told);
  n = schema_without_fragment(text.s, text.n);
  fragment.s = text.s + n + 1;
  fragment.n = text.n > n ? text.n - n - 1 : 0;
  text.n = n;
  if (fragment.n > 0 && 1u << (dialect & 0xff) & SCHEMA_FROM_2019)
    return schema_refuse(c, source, told, keyword, "$id has a fragment: use $anchor");
  if (n > 0) {
    n = schema_resolve_from(c, *resource, text);
    if (c->error.kind) return 0;
    uri = schema_keep(c, c->uri, n);
    if (uri == SCHEMA_NONE) return 0;
    if (place == c->to.resources[*resource].place) { /* the root's id is a second URI of the text */
      c->to.resources[*resource].uri = c->strings[uri].at;
      c->to.resources[*resource].uri_length = c->strings[uri].length;
    } else if ((*resource = schema_add_resource(c, source, place, uri, dialect)) == SCHEMA_NONE) {
      return 0;
    }
    if (!schema_set_uri(c, *resource, uri, told)) return 0;
  }
  return fragment.n == 0 || *fragment.s == '/' || schema_add_anchor(c, *resource, place, told, keyword, fragment);
}

/* ------------------------------------------------------------------------------------- the walk */

static int schema_push_step(struct schema_compiler *c, uint32_t *count, uint32_t place, uint32_t resource) {
  if (!SCHEMA_GROW(c, STEPS, c->steps, *count, 1)) return 0;
  c->steps[*count].place = place;
  c->steps[(*count)++].resource = resource;
  return 1;
}

/* Pushes the subschemas in a keyword's value. */
static int schema_push_held(struct schema_compiler *c, uint32_t *count, uint32_t source, uint32_t place,
                            uint32_t resource, enum schema_holds holds) {
  struct value_texts *k = schema_texts(c, source);
  const char first = value_texts_first(k, place);
  uint32_t i, child;
  if (holds == SCHEMA_HOLDS_ONE || (holds == SCHEMA_HOLDS_ONE_OR_LIST && first != '['))
    return schema_push_step(c, count, place, resource);
  if (first != (holds == SCHEMA_HOLDS_MEMBERS || holds == SCHEMA_HOLDS_DEPENDENCIES ? '{' : '[')) return 1;
  SCHEMA_EACH(k, place, i, child) {
    if (holds == SCHEMA_HOLDS_DEPENDENCIES && value_texts_first(k, child) == '[') continue;
    if (!schema_push_step(c, count, child, resource)) return 0;
  }
  return 1;
}

FL_PRIVATE int schema_look_through(struct schema_compiler *c, uint32_t source, uint32_t place, uint32_t resource) {
  uint32_t *const known = c->to.sources[source]->resources;
  uint32_t found[SCHEMA_KEYWORDS], count = 0;
  int i;
  if (!schema_push_step(c, &count, place, resource)) return 0;
  while (count > 0) {
    uint32_t dialect, told;
    place = c->steps[--count].place;
    resource = c->steps[count].resource;
    if (known[place] & ~(uint32_t)SCHEMA_CHECKED) continue;
    if (schema_first(c, source, place) == '{') {
      schema_find_keywords(c, source, place, found);
      if (place > 0) { /* schema_add_source has added the root */
        dialect = schema_dialect_at(c, source, place, resource, found);
        if (dialect == SCHEMA_NONE) return 0;
      } else {
        dialect = c->to.resources[resource].draft | (uint32_t)c->to.resources[resource].vocabularies << 8;
      }
      told = schema_id_at(found, dialect & 0xff);
      if (told && !schema_read_id(c, source, place, dialect, told, &resource)) return 0;
      if (!schema_read_anchors(c, resource, source, place, found)) return 0;
      for (i = SCHEMA_FIRST_HOLDER; i <= SCHEMA_LAST_HOLDER; i++) {
        const enum schema_holds holds = (enum schema_holds)schema_keyword_row((enum schema_keyword)i)->holds;
        if (!found[i] || holds == SCHEMA_HOLDS_NONE || !schema_has_keyword(c, resource, (enum schema_keyword)i))
          continue;
        if (!schema_push_held(c, &count, source, found[i], resource, holds)) return 0;
      }
    }
    known[place] |= resource + 1;
  }
  return 1;
}

/* Returns the dialect of an OpenAPI document; for other texts, `dialect`. */
static uint32_t schema_dialect_of_openapi(struct schema_compiler *c, uint32_t source, uint32_t dialect) {
  struct schema_text version;
  uint32_t at;
  if (schema_first(c, source, 0) != '{' || !value_texts_find_member(schema_texts(c, source), 0, "openapi", 7, &at) ||
      schema_first(c, source, at) != '"')
    return dialect;
  version = schema_string_at(c, source, at);
  if (version.n < 3 || memcmp(version.s, "3.", 2) != 0) return dialect;
  return (uint32_t)(version.s[2] == '0' ? SCHEMA_DRAFT_OPENAPI_30 : SCHEMA_DRAFT_OPENAPI_31) |
         (uint32_t)SCHEMA_ALL_VOCABULARIES << 8;
}

/* Visits the schemas of an OpenAPI document: those of its components. */
static int schema_look_through_openapi(struct schema_compiler *c, uint32_t source, uint32_t resource, int *is_openapi) {
  struct value_texts *k = schema_texts(c, source);
  uint32_t i, child, schemas;
  *is_openapi = value_texts_find_member(k, 0, "openapi", 7, &child);
  if (!*is_openapi || !value_texts_find_member(k, 0, "components", 10, &child) || value_texts_first(k, child) != '{' ||
      !value_texts_find_member(k, child, "schemas", 7, &schemas) || value_texts_first(k, schemas) != '{')
    return 1;
  SCHEMA_EACH(k, schemas, i, child)
  if (!schema_look_through(c, source, child, resource)) return 0;
  return 1;
}

FL_PRIVATE int schema_add_source(struct schema_compiler *c, uint32_t source, uint32_t uri) {
  uint32_t found[SCHEMA_KEYWORDS] = {0}, dialect, resource;
  int is_openapi = 0;
  if (schema_first(c, source, 0) == '{') {
    schema_find_keywords(c, source, 0, found);
    if (!found[SCHEMA_KEYWORD_SCHEMA]) /* OpenAPI's jsonSchemaDialect replaces $schema */
      (void)value_texts_find_member(schema_texts(c, source), 0, "jsonSchemaDialect", 17, &found[SCHEMA_KEYWORD_SCHEMA]);
  }
  dialect = schema_dialect_at(c, source, 0, SCHEMA_NONE, found);
  if (c->settings->asks_openapi && !found[SCHEMA_KEYWORD_SCHEMA] && dialect != SCHEMA_NONE)
    dialect = schema_dialect_of_openapi(c, source, dialect);
  if (dialect == SCHEMA_NONE) return 0;
  resource = schema_add_resource(c, source, 0, uri, dialect);
  if (resource == SCHEMA_NONE) return 0;
  if (!c->strings[uri].resource) c->strings[uri].resource = resource + 1;
  if (schema_first(c, source, 0) == '{' && !schema_look_through_openapi(c, source, resource, &is_openapi)) return 0;
  return is_openapi || schema_look_through(c, source, 0, resource);
}
