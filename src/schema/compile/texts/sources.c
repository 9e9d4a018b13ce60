/* SPDX-License-Identifier: MIT
** sources.c -- texts of schemas: indexed, and found by URI. The metaschemas of the standard are built in. */
#include "metaschemas_table.h"
#include "../state.h"

static const struct schema_known_draft {
  const char *uri; /* after http:// or https:// */
  enum schema_draft draft;
} schema_known_drafts[] = {{"json-schema.org/draft/2020-12/schema", SCHEMA_DRAFT_2020},
                           {"json-schema.org/draft/2019-09/schema", SCHEMA_DRAFT_2019},
                           {"json-schema.org/draft-07/schema", SCHEMA_DRAFT_7},
                           {"json-schema.org/draft-06/schema", SCHEMA_DRAFT_6},
                           {"json-schema.org/draft-04/schema", SCHEMA_DRAFT_4},
                           {"spec.openapis.org/oas/3.1/dialect/base", SCHEMA_DRAFT_OPENAPI_31}};

FL_PRIVATE enum schema_draft schema_draft_of(struct schema_text uri) {
  size_t i;
  if (uri.n > 0 && uri.s[uri.n - 1] == '#') uri.n--;
  if (uri.n < 8 || memcmp(uri.s, "http", 4) != 0) return SCHEMA_DRAFTS;
  i = uri.s[4] == 's' ? 8 : 7;
  if (memcmp(uri.s + i - 3, "://", 3) != 0) return SCHEMA_DRAFTS;
  uri.s += i;
  uri.n -= i;
  for (i = 0; i < sizeof schema_known_drafts / sizeof *schema_known_drafts; i++)
    if (schema_text_is(uri, schema_known_drafts[i].uri)) return schema_known_drafts[i].draft;
  return SCHEMA_DRAFTS;
}

/* Allocates the memory of a source's places: blocks of the compiler's owner, numbered after all others. */
static void *schema_source_memory(void *owner, unsigned block, size_t n, size_t used) {
  const struct schema_source *source = (const struct schema_source *)owner;
  const struct schema_settings *settings = source->compiler->settings;
  const unsigned which = block == VALUE_BLOCK_PLACES ? 1 : block == VALUE_BLOCK_BYTES ? 2 : 3;
  return settings->memory(settings->owner, SCHEMA_BLOCK_KEPT + SCHEMA_BLOCKS_OF_SOURCE * source->number + which, n,
                          used);
}

static struct schema_source *schema_new_source(struct schema_compiler *c) {
  const struct schema_settings *settings = c->settings;
  const uint32_t n = c->to.source_count;
  struct schema_source *source;
  if (n >= UINT16_MAX) return (void)schema_refuse_size(c, "too many schemas"), (struct schema_source *)NULL;
  /* NOLINTNEXTLINE(bugprone-sizeof-expression): its elements are pointers */
  if (!SCHEMA_GROW(c, SOURCES, c->to.sources, n, 1)) return NULL;
  source = (struct schema_source *)settings->memory(settings->owner, SCHEMA_BLOCK_KEPT + SCHEMA_BLOCKS_OF_SOURCE * n,
                                                    sizeof *source, 0);
  if (!source) return (void)schema_no_memory(c), (struct schema_source *)NULL;
  memset(source, 0, sizeof *source);
  source->compiler = c;
  source->number = n;
  source->texts.walk.memory = schema_source_memory;
  source->texts.walk.owner = source;
  source->texts.walk.left = UINT64_MAX;
  source->texts.walk.max_depth = settings->max_depth;
  c->to.sources[c->to.source_count++] = source;
  return source;
}

static int schema_refuse_text(struct schema_compiler *c, const struct schema_source *source, const char *message,
                              size_t byte) {
  if (source->texts.walk.error == VALUE_ERROR_MEMORY) return schema_no_memory(c) != NULL;
  if (c->error.kind) return 0;
  (void)schema_refuse(c, source->number, SCHEMA_NONE, SCHEMA_KEYWORD_NONE, message);
  c->error.kind = SCHEMA_ERROR_TEXT;
  c->error.byte = byte;
  return 0;
}

/* Reports that the object at a place has a duplicate name. */
static int schema_refuse_names(struct schema_compiler *c, struct schema_source *source, uint32_t place) {
  struct value_texts *k = &source->texts;
  const uint32_t *members;
  uint32_t i;
  k->walk.error = VALUE_OK;
  if (!value_texts_sort_members(k, place) && k->walk.error != VALUE_ERROR_REDO)
    return schema_refuse_text(c, source, "", 0);
  members = k->children + k->children_count; /* needed sorted only for the test */
  for (i = 1; i < k->places[place].n; i++) {
    const struct schema_text a = schema_name_at(c, source->number, members[i - 1]);
    const struct schema_text b = schema_name_at(c, source->number, members[i]);
    if (a.n == b.n && memcmp(a.s, b.s, a.n) == 0)
      return schema_refuse_with(c, source->number, members[i], SCHEMA_KEYWORD_NONE, "the name %s occurs twice", b.s,
                                b.n);
  }
  return 1;
}

/* Refuses duplicate names, because readers disagree on which one counts. The sorting makes later look-ups fast. */
static int schema_check_names(struct schema_compiler *c, struct schema_source *source) {
  struct value_texts *k = &source->texts;
  uint32_t at;
  for (at = 0; at < k->count; at++) {
    if (value_texts_first(k, at) != '{' || value_texts_is_clear(k, at)) continue;
    if (k->walk.error != VALUE_ERROR_REDO) return schema_refuse_text(c, source, "", 0);
    if (!schema_refuse_names(c, source, at)) return 0;
  }
  return 1;
}

FL_PRIVATE uint32_t schema_read_source(struct schema_compiler *c, const char *s, size_t n) {
  const struct schema_settings *settings = c->settings;
  struct schema_source *source = schema_new_source(c);
  struct json_scan j;
  const char *p;
  size_t size;
  if (!source) return SCHEMA_NONE;
  memset(&j, 0, sizeof j);
  j.begin = s;
  j.end = s + n;
  j.utf8 = settings->utf8;
  j.bad_text = JSON_BAD_ERROR;
  j.max_depth = settings->max_depth;
  p = json_read_space(&j, s);
  if (p && p == j.end) p = json_scan_error(&j, JSON_CHECK_EMPTY, p);
  if (p && (p = value_texts_scan(&source->texts, &j, p, 1)) != NULL) p = json_read_space(&j, p);
  if (p && p != j.end) p = json_scan_error(&j, JSON_CHECK_AFTER, p);
  if (!p) {
    const char *message = j.error ? json_check_message(j.error) : "text too long";
    return (void)schema_refuse_text(c, source, message, j.error ? (size_t)(j.at - s) : 0), SCHEMA_NONE;
  }
  if (!schema_check_names(c, source)) return SCHEMA_NONE;
  size = source->texts.count * sizeof *source->resources;
  source->resources = (uint32_t *)settings->memory(
      settings->owner, SCHEMA_BLOCK_KEPT + SCHEMA_BLOCKS_OF_SOURCE * source->number + 4, size, 0);
  if (!source->resources) return (void)schema_no_memory(c), SCHEMA_NONE;
  memset(source->resources, 0, size);
  c->place_count += source->texts.count;
  return source->number;
}

/* Unpacks the text of a metaschema. */
static void schema_unpack(const struct schema_metaschema *x, char *to) {
  const unsigned char *s = schema_packed + x->at, *end = s + x->packed;
  unsigned char waiting[sizeof schema_pairs / 2 + 1]; /* enough, because a pair consists of earlier pairs */
  size_t n;
  while (s < end) {
    for (waiting[0] = *s++, n = 1; n > 0;) {
      const unsigned char byte = waiting[--n], *pair = schema_pairs + 2 * (byte & 127);
      if (byte < 128) *to++ = (char)byte;
      else waiting[n++] = pair[1], waiting[n++] = pair[0];
    }
  }
  *to = 0;
}

/* Sets *text to the built-in metaschema or vocabulary with this URI. Returns 0 if there is none, or after an error. */
static int schema_find_built_in(struct schema_compiler *c, struct schema_text uri, struct schema_text *text) {
  const struct schema_settings *settings = c->settings;
  const unsigned block = SCHEMA_BLOCK_KEPT + SCHEMA_BLOCKS_OF_SOURCE * c->to.source_count + 5; /* the next source's */
  size_t i;
  for (i = 0; i < sizeof schema_metaschemas / sizeof *schema_metaschemas; i++) {
    const struct schema_metaschema *x = &schema_metaschemas[i];
    char *to;
    if (!schema_text_is(uri, x->uri)) continue;
    if (!(to = (char *)settings->memory(settings->owner, block, x->length + 1u, 0))) return schema_no_memory(c) != NULL;
    schema_unpack(x, to);
    text->s = to;
    text->n = x->length;
    return 1;
  }
  return 0;
}

FL_PRIVATE uint32_t schema_open_source(struct schema_compiler *c, uint32_t uri, unsigned from) {
  const struct schema_settings *settings = c->settings;
  struct schema_text text = {schema_bytes(c, uri), c->strings[uri].length};
  if (c->strings[uri].source) return c->strings[uri].source - 1;
  if (!schema_find_built_in(c, text, &text) &&
      (c->error.kind || !settings->find || !settings->find(settings->owner, text.s, text.n, from, &text)))
    return SCHEMA_NONE;
  c->strings[uri].source = c->to.source_count + 1; /* for errors, too */
  return schema_read_source(c, text.s, text.n);
}
