/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE_NOINLINE int schema_refuse_with(struct schema_compiler *c, uint32_t source, uint32_t place,
                                           enum schema_keyword keyword, const char *message, const char *detail,
                                           size_t n) {
  struct schema_error *e = &c->error;
  if (e->kind) return 0;
  e->kind = SCHEMA_ERROR_SCHEMA;
  e->message = message;
  e->detail.s = detail;
  e->detail.n = n;
  e->source = source;
  e->place = place;
  e->keyword = keyword;
  if (source < c->to.source_count && place < schema_texts(c, source)->count)
    e->byte = schema_texts(c, source)->places[place].begin;
  return 0;
}

FL_PRIVATE_NOINLINE int schema_refuse(struct schema_compiler *c, uint32_t source, uint32_t place,
                                      enum schema_keyword keyword, const char *message) {
  return schema_refuse_with(c, source, place, keyword, message, NULL, 0);
}

FL_PRIVATE_NOINLINE int schema_refuse_size(struct schema_compiler *c, const char *message) {
  if (!c->error.kind) {
    (void)schema_refuse(c, SCHEMA_NONE, SCHEMA_NONE, SCHEMA_KEYWORD_NONE, message);
    c->error.kind = SCHEMA_ERROR_LIMIT;
  }
  return 0;
}

FL_PRIVATE_NOINLINE int schema_refuse_hash(struct schema_compiler *c) {
  return schema_refuse_size(c, "too many strings with the same hash");
}

FL_PRIVATE_NOINLINE void *schema_no_memory(struct schema_compiler *c) {
  if (!schema_refuse_size(c, "not enough memory")) c->error.kind = SCHEMA_ERROR_MEMORY;
  return NULL;
}

FL_PRIVATE void *schema_grow(struct schema_compiler *c, enum schema_block block, void *array, uint32_t count,
                             size_t more, size_t size) {
  const size_t need = count + more;
  size_t room = c->rooms[block];
  FL_ASSERT(block < SCHEMA_BLOCK_INDEXES);
  if (need <= room) return array;
  if (c->error.kind) return NULL;
  if (need > SCHEMA_MOST_ELEMENTS) return (void)schema_refuse_size(c, "the schema is too large"), (void *)NULL;
  room = 2 * need > 16 ? 2 * need : 16;
  array = c->settings->memory(c->settings->owner, block, room * size, count * size);
  if (!array) return schema_no_memory(c);
  c->rooms[block] = room;
  return array;
}

FL_PRIVATE uint32_t schema_index_next(const struct schema_index *index, uint32_t hash, uint32_t *at) {
  if (!index->slots) return SCHEMA_NONE;
  for (;;) {
    const struct schema_index_slot *slot = &index->slots[*at & index->mask];
    if (!slot->element) return SCHEMA_NONE;
    ++*at;
    if (slot->hash == hash) return slot->element - 1;
  }
}

static void schema_index_put(struct schema_index *index, struct schema_index_slot slot, uint32_t *probes) {
  uint32_t i = slot.hash & index->mask;
  for (; index->slots[i].element; i = (i + 1) & index->mask) ++*probes;
  index->slots[i] = slot;
}

/* Doubles the slots; the old ones are moved to the end of the block first. */
static int schema_index_grow(struct schema_compiler *c, enum schema_index_of which) {
  struct schema_index *index = &c->indexes[which];
  const uint32_t old = index->slots ? index->mask + 1 : 0, n = old ? 2 * old : 32;
  const size_t all = ((size_t)n + old) * sizeof *index->slots;
  struct schema_index_slot *slots;
  uint32_t i, probes = 0;
  if (n >= INT32_MAX / 4) return schema_refuse_size(c, "the schema is too large");
  slots = (struct schema_index_slot *)c->settings->memory(c->settings->owner, SCHEMA_BLOCK_INDEXES + (unsigned)which,
                                                          all, old * sizeof *slots);
  if (!slots) return schema_no_memory(c) != NULL;
  if (old) memcpy(slots + n, slots, old * sizeof *slots);
  memset(slots, 0, n * sizeof *slots);
  index->slots = slots;
  index->mask = n - 1;
  for (i = 0; i < old; i++)
    if (slots[n + i].element) schema_index_put(index, slots[n + i], &probes);
  return 1;
}

FL_PRIVATE int schema_index_add(struct schema_compiler *c, enum schema_index_of which, uint32_t hash,
                                uint32_t element) {
  struct schema_index *index = &c->indexes[which];
  struct schema_index_slot slot;
  uint32_t probes = 0;
  if (2 * (index->count + 1) > (index->slots ? index->mask + 1 : 0) && !schema_index_grow(c, which)) return 0;
  index->count++;
  slot.hash = hash;
  slot.element = element + 1;
  schema_index_put(index, slot, &probes);
  return probes <= SCHEMA_LONGEST_PROBE || schema_refuse_hash(c);
}

FL_PRIVATE uint32_t schema_find_kept(const struct schema_compiler *c, const char *s, size_t n) {
  const uint32_t hash = schema_hash_bytes(s, n);
  uint32_t at = hash, i;
  while ((i = schema_index_next(&c->indexes[SCHEMA_STRINGS], hash, &at)) != SCHEMA_NONE)
    if (c->strings[i].length == n && (n == 0 || memcmp(schema_bytes(c, i), s, n) == 0)) return i;
  return SCHEMA_NONE;
}

FL_PRIVATE uint32_t schema_keep(struct schema_compiler *c, const char *s, size_t n) {
  uint32_t i = schema_find_kept(c, s, n);
  struct schema_string *string;
  if (i != SCHEMA_NONE) return i;
  if (!SCHEMA_GROW(c, BYTES, c->to.bytes, c->to.byte_count, n + 1)) return SCHEMA_NONE;
  i = c->string_count;
  if ((string = SCHEMA_ADD(c, STRINGS, c->strings, c->string_count)) == NULL) return SCHEMA_NONE;
  string->at = c->to.byte_count;
  string->length = (uint32_t)n;
  if (n) memcpy(c->to.bytes + string->at, s, n);
  c->to.bytes[string->at + n] = 0;
  c->to.byte_count += (uint32_t)n + 1;
  return schema_index_add(c, SCHEMA_STRINGS, schema_hash_bytes(s, n), i) ? i : SCHEMA_NONE;
}

FL_PRIVATE uint32_t schema_name(struct schema_compiler *c, const char *s, size_t n) {
  const uint32_t string = schema_keep(c, s, n);
  struct num_value v = {0, 0, NUM_BAD};
  struct value_name *name;
  const char *kept;
  if (string == SCHEMA_NONE) return SCHEMA_NONE;
  if (c->strings[string].name) return c->strings[string].name - 1;
  if ((name = SCHEMA_ADD(c, NAMES, c->to.names, c->to.name_count)) == NULL) return SCHEMA_NONE;
  kept = schema_bytes(c, string);
  name->at = c->strings[string].at;
  name->length = (uint32_t)n;
  name->number = c->to.name_count - 1;
  name->is_number = n > 0 && schema_begins_number(*kept) && num_read(kept, kept + n, &v) == kept + n &&
                    v.kind != NUM_BAD;
  c->strings[string].name = c->to.name_count;
  return name->number;
}

FL_PRIVATE void schema_find_keywords(const struct schema_compiler *c, uint32_t source, uint32_t place,
                                     uint32_t found[SCHEMA_KEYWORDS]) {
  const struct value_texts *k = schema_texts(c, source);
  uint32_t i, child;
  memset(found, 0, SCHEMA_KEYWORDS * sizeof *found);
  SCHEMA_EACH(k, place, i, child) {
    const struct schema_text name = schema_name_at(c, source, child);
    found[schema_keyword_named(c->keywords, name.s, name.n)] = child;
  }
  found[SCHEMA_KEYWORD_NONE] = 0;
  if (c->settings->is_lenient) found[SCHEMA_KEYWORD_SCHEMA] = found[SCHEMA_KEYWORD_ID_4] = 0;
}
