/* SPDX-License-Identifier: MIT
** references.c -- resolves a reference to a resource, a place in it by a JSON Pointer, or an anchor.
** Must hold: a pointer may lead to a place that is not otherwise a schema. References in it are relative to the last
** resource on the pointer's way. */
#include "../../../json/pointer.h"
#include "../state.h"

/* Opens the schemas that are known by URI until one of them has the resource with this URI inside. */
static uint32_t schema_find_inside(struct schema_compiler *c, uint32_t uri) {
  struct schema_text text;
  while (c->settings->next && !c->error.kind && c->settings->next(c->settings->owner, &text)) {
    const uint32_t other = schema_keep(c, text.s, schema_without_fragment(text.s, text.n));
    if (other == SCHEMA_NONE) return SCHEMA_NONE;
    if (!c->strings[other].source && !c->strings[other].resource) {
      const uint32_t source = schema_open_source(c, other, SCHEMA_FROM_GIVEN);
      if (source == SCHEMA_NONE || !schema_add_source(c, source, other)) return SCHEMA_NONE;
    }
    if (c->strings[uri].resource) return c->strings[uri].resource - 1;
  }
  return SCHEMA_NONE;
}

/* Finds or opens the resource with the URI c->uri[0..n). SCHEMA_NONE without an error: not found. */
static uint32_t schema_find_resource(struct schema_compiler *c, size_t n) {
  uint32_t uri = schema_keep(c, c->uri, n), source;
  if (uri == SCHEMA_NONE) return SCHEMA_NONE;
  if (c->strings[uri].resource) return c->strings[uri].resource - 1;
  source = schema_open_source(c, uri, SCHEMA_FROM_GIVEN);
  if (source == SCHEMA_NONE) {
    const uint32_t inside = schema_find_inside(c, uri);
    if (inside != SCHEMA_NONE || c->error.kind) return inside;
    source = schema_open_source(c, uri, SCHEMA_FROM_LOADER);
  }
  if (source == SCHEMA_NONE || !schema_add_source(c, source, uri)) return SCHEMA_NONE;
  return c->strings[uri].resource - 1;
}

/* Follows a JSON Pointer (a URI fragment without its #) from a resource. Returns 0 without an error if it leads
** nowhere. */
static int schema_follow_pointer(struct schema_compiler *c, const char *p, size_t n, struct schema_target *to) {
  struct value_texts *k = schema_texts(c, to->source);
  const char *const end = p + n;
  char *name;
  if (!SCHEMA_GROW(c, URI, c->uri, 0, n + 1)) return 0;
  while (p < end) {
    const uint32_t place = to->place;
    uint32_t index, resource;
    size_t length;
    for (p++, name = c->uri; p < end && *p != '/';) {
      int byte = *p == '%' ? json_pointer_byte(&p, end, 1) : (unsigned char)*p++;
      if (byte == '~') {
        byte = p < end && *p == '%' ? json_pointer_byte(&p, end, 1) : p < end ? (unsigned char)*p++ : -1;
        byte = byte == '0' ? '~' : byte == '1' ? '/' : -1;
      }
      if (byte < 0) return 0;
      *name++ = (char)byte;
    }
    length = (size_t)(name - c->uri);
    if (value_texts_first(k, place) == '[') {
      index = json_pointer_index(c->uri, length);
      if (index >= k->places[place].n) return 0;
      if (!value_texts_item(k, place, index, &to->place)) return schema_no_memory(c) != NULL;
    } else if (!value_texts_find_member(k, place, c->uri, length, &to->place)) {
      return 0;
    }
    resource = schema_resource_at(c, to->source, to->place);
    if (resource != SCHEMA_NONE) to->resource = resource;
  }
  return 1;
}

FL_PRIVATE int schema_follow_text(struct schema_compiler *c, uint32_t resource, struct schema_text text,
                                  struct schema_target *to) {
  const size_t n = schema_without_fragment(text.s, text.n);
  const char *fragment = text.s + n + 1;
  const size_t length = text.n > n ? text.n - n - 1 : 0;
  if (n > 0) {
    const struct schema_text uri = {text.s, n};
    const size_t resolved = schema_resolve_from(c, resource, uri);
    if (c->error.kind || (resource = schema_find_resource(c, resolved)) == SCHEMA_NONE) return 0;
  }
  to->resource = resource;
  to->source = c->to.resources[resource].source;
  to->place = c->to.resources[resource].place;
  to->anchor = SCHEMA_NONE;
  if (length > 0 && *fragment != '/') {
    to->anchor = schema_find_anchor(c, resource, fragment, length);
    if (to->anchor == SCHEMA_NONE) return 0;
    to->place = c->anchors[to->anchor].place;
    return 1;
  }
  if (!schema_follow_pointer(c, fragment, length, to)) return 0;
  if (schema_resource_at(c, to->source, to->place) != SCHEMA_NONE) return 1;
  if (!schema_look_through(c, to->source, to->place, to->resource)) return 0;
  to->resource = schema_resource_at(c, to->source, to->place); /* it may have an id */
  return 1;
}

FL_PRIVATE int schema_follow(struct schema_compiler *c, uint32_t resource, uint32_t source, uint32_t place,
                             enum schema_keyword keyword, struct schema_target *to) {
  struct schema_text text, uri;
  if (schema_first(c, source, place) != '"')
    return schema_refuse(c, source, place, keyword, "a reference must be a string");
  text = schema_string_at(c, source, place);
  if (schema_follow_text(c, resource, text, to)) return 1;
  uri.s = text.s;
  uri.n = schema_without_fragment(text.s, text.n);
  if (uri.n > 0 && !c->error.kind && (uri.n = schema_resolve_from(c, resource, uri)) > 0) {
    const uint32_t string = schema_keep(c, c->uri, uri.n);
    if (string != SCHEMA_NONE && !c->strings[string].resource)
      return schema_refuse_with(c, source, place, keyword, "the reference leads nowhere: there is no schema %s", c->uri,
                                uri.n);
  }
  return schema_refuse_with(c, source, place, keyword, "the reference %s leads nowhere", text.s, text.n);
}
