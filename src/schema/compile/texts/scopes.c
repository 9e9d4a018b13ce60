/* SPDX-License-Identifier: MIT
** scopes.c -- finds the schema of each dynamic anchor: the one in the outermost resource on the evaluation path that
** has the anchor (2020-12 Core, section 8.2.3.2).
** Must hold: equal sets of bindings are one scope, so that a schema has one unit for each set. */
#include "../state.h"

static uint32_t schema_anchor_name(const struct schema_compiler *c, const struct schema_scope *s, uint32_t i) {
  return c->anchors[c->bindings[s->first + i]].name;
}

/* Returns the index in the scope's list where the name is, or where it would be inserted. */
static uint32_t schema_scope_place(const struct schema_compiler *c, const struct schema_scope *s, uint32_t name) {
  uint32_t from = 0, to = s->count;
  while (from < to) {
    const uint32_t middle = from + (to - from) / 2;
    if (schema_anchor_name(c, s, middle) < name) from = middle + 1;
    else to = middle;
  }
  return from;
}

FL_PRIVATE uint32_t schema_bound(const struct schema_compiler *c, uint32_t scope, uint32_t name) {
  const struct schema_scope *s = &c->scopes[scope];
  const uint32_t i = schema_scope_place(c, s, name);
  return i < s->count && schema_anchor_name(c, s, i) == name ? c->bindings[s->first + i] : SCHEMA_NONE;
}

/* Makes the bindings at the end of c->bindings a scope; an equal known scope is reused. */
static uint32_t schema_find_scope(struct schema_compiler *c, struct schema_scope is) {
  uint32_t hash = is.count, at, i;
  struct schema_scope *scope;
  for (i = 0; i < is.count; i++) hash = schema_hash_pair(hash, c->bindings[is.first + i], 0, 0);
  at = hash;
  while ((i = schema_index_next(&c->indexes[SCHEMA_SCOPES], hash, &at)) != SCHEMA_NONE)
    if (c->scopes[i].count == is.count &&
        memcmp(c->bindings + c->scopes[i].first, c->bindings + is.first, is.count * sizeof *c->bindings) == 0) {
      c->binding_count = is.first;
      return i;
    }
  if ((scope = SCHEMA_ADD(c, SCOPES, c->scopes, c->scope_count)) == NULL) return SCHEMA_NONE;
  *scope = is;
  return schema_index_add(c, SCHEMA_SCOPES, hash, c->scope_count - 1) ? c->scope_count - 1 : SCHEMA_NONE;
}

#define MERGE_NAME schema_merge_bindings
#define MERGE_TYPE uint32_t
#define MERGE_CONTEXT const struct schema_compiler *
#define MERGE_IS_AFTER(c, a, b) ((c)->anchors[*(a)].name > (c)->anchors[*(b)].name)
#include "../../../base/merge_template.h"

enum { SCHEMA_BINDINGS_PER_PART = 16 };

/* Copies the scope's bindings to the end of c->bindings, and adds those of the resource whose names are not bound
** yet. */
static int schema_bind(struct schema_compiler *c, uint32_t scope, uint32_t resource, struct schema_scope *is) {
  const uint32_t known = c->scopes[scope].count;
  uint32_t anchor, *list, *sorted;
  if (c->binding_count / SCHEMA_BINDINGS_PER_PART > schema_budget(c))
    return schema_refuse_size(c, "the schema has too many dynamic scopes");
  is->first = c->binding_count;
  is->count = known;
  if (!SCHEMA_GROW(c, BINDINGS, c->bindings, c->binding_count, known)) return 0;
  memcpy(c->bindings + is->first, c->bindings + c->scopes[scope].first, known * sizeof *c->bindings);
  for (anchor = c->to.resources[resource].dynamic; anchor != SCHEMA_NONE; anchor = c->anchors[anchor].next) {
    if (schema_bound(c, scope, c->anchors[anchor].name) != SCHEMA_NONE) continue;
    if (!SCHEMA_GROW(c, BINDINGS, c->bindings, is->first + is->count, 1)) return 0;
    c->bindings[is->first + is->count++] = anchor;
  }
  c->binding_count += is->count;
  if (is->count == known) return 1;
  if (!SCHEMA_GROW(c, BINDINGS, c->bindings, c->binding_count, is->count)) return 0;
  list = c->bindings + is->first;
  sorted = schema_merge_bindings(c, list, list + is->count, is->count, 1);
  if (sorted != list) memcpy(list, sorted, is->count * sizeof *list);
  return 1;
}

FL_PRIVATE uint32_t schema_enter(struct schema_compiler *c, uint32_t scope, uint32_t resource) {
  const uint32_t hash = schema_hash_pair(scope, resource, 1, 0);
  uint32_t at = hash, i;
  struct schema_scope is = {0, 0};
  struct schema_entry *entry;
  if (c->to.resources[resource].dynamic == SCHEMA_NONE) return scope;
  while ((i = schema_index_next(&c->indexes[SCHEMA_ENTRIES], hash, &at)) != SCHEMA_NONE)
    if (c->entries[i].scope == scope && c->entries[i].resource == resource) return c->entries[i].to;
  if (!schema_bind(c, scope, resource, &is)) return SCHEMA_NONE;
  i = schema_find_scope(c, is);
  if (i == SCHEMA_NONE || (entry = SCHEMA_ADD(c, ENTRIES, c->entries, c->entry_count)) == NULL) return SCHEMA_NONE;
  entry->scope = scope;
  entry->resource = resource;
  entry->to = i;
  return schema_index_add(c, SCHEMA_ENTRIES, hash, c->entry_count - 1) ? i : SCHEMA_NONE;
}
