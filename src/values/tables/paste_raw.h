/* SPDX-License-Identifier: MIT
** paste_raw.h -- values of Lua tables below the API: raw.h, once for each layout of this build.
** Must hold: for .c files only, and templates that continue with these functions. Compiled separately, each has its own
** copy. */
#pragma once

#include "../../encode/raw/paste_open.h"
#include "../../encode/face/state.h"
#include "../value.h"

/* raw.h cannot call Lua, so what it needs is looked up before the walk. */
struct value_raw {
  struct value_walk walk;
  const char *names;            /* a table with the strings of value_names, from 1 */
  uint64_t null_word;           /* as in struct encode_state */
  int empty_is_object;          /* an empty table counts as an object */
  struct encode_state *classes; /* what metatables mean */
  struct value_table arrays[2]; /* the arrays that were found last; `at` may be NULL */
};

/* What metatables mean: as value_tables_class. */
static const struct encode_field_rule value_raw_fields[] = {
    ENCODE_FIELD("__jsontype", "array", ENCODE_ARRAY),
    ENCODE_FIELD("__jsontype", "object", ENCODE_OBJECT),
    ENCODE_NO_MORE_FIELDS,
};
static const struct encode_rules value_raw_rules = {
    .fields = value_raw_fields,
    .known =
        {ENCODE_KNOWN_TYPES(ENCODE_ARRAY), [ENCODE_EMPTY_OBJECT] = ENCODE_EMPTY_OBJECT, [ENCODE_NULL] = ENCODE_NULL},
    .finds_new_metatables = 1,
};
static const struct encode_policy value_raw_policy = {.rules = &value_raw_rules};

/* Sets all but `walk`, `names` and `arrays`, which must be 0 when a walk begins. After VALUE_ERROR_REDO,
** mod_refresh_marks may help if classes->unknown_metatable. */
FL_FUNC void value_raw_begin(struct value_raw *k, struct encode_state *classes, const struct mod_state *m,
                             const struct json_style *style) {
  k->null_word = m->verdict.null_word;
  k->empty_is_object = style->empty_object;
  k->classes = classes;
  classes->policy = &value_raw_policy;
  classes->marks = &m->encode->marks;
  classes->orders = &m->encode->order;
}

enum { VALUE_MOST_BLOCKS = 14 }; /* blocks of all capabilities */

/* Memory for one walk from Lua's allocator; freed before anything can raise. */
struct value_blocks {
  lua_Alloc alloc;
  void *ud;
  void *block[VALUE_MOST_BLOCKS];
  size_t size[VALUE_MOST_BLOCKS];
};

FL_FUNC void value_blocks_begin(struct value_blocks *b, lua_State *L) {
  memset(b, 0, sizeof *b);
  b->alloc = lua_getallocf(L, &b->ud);
}

/* The walk's value_memory. */
FL_FUNC void *value_blocks_memory(void *owner, unsigned block, size_t n, size_t used) {
  struct value_blocks *b = (struct value_blocks *)owner;
  void *to = b->alloc(b->ud, b->block[block], b->size[block], n);
  FL_ASSERT(used <= b->size[block]), (void)used;
  if (!to) return NULL;
  b->size[block] = n;
  return b->block[block] = to;
}

FL_FUNC void value_blocks_free(struct value_blocks *b) {
  for (size_t i = 0; i < sizeof b->block / sizeof *b->block; i++)
    if (b->block[i]) (void)b->alloc(b->ud, b->block[i], b->size[i], 0);
}

#define PASTE "../values/tables/raw.h"
#include "../../layout/each.h"
