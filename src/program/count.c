/* SPDX-License-Identifier: MIT
** count.c -- counter(document): counts the values of a document by type, for the program's stat.
** Must hold: as document/view.h. Lua runs between steps; a step calls it only to allocate. All memory is userdata
** that the closure holds. A value counts once for each visit. No recursion. */
#include "../document/view.h"
#include "program.h"

/* An open collection. A dict with parents also has a bin_pairs in the memory PROGRAM_UP_PAIRS. */
struct program_level {
  struct bin_list list; /* the rest of it */
  uint32_t count;       /* number of all its items or pairs */
  int is_dict;          /* 2 if it has parents */
};

enum {
  PROGRAM_LEVELS = 64,
  PROGRAM_PAIRS = 1,
  PROGRAM_KNOWN = 4096, /* slots for recent keys by their address */
  PROGRAM_STEP = 1 << 16,
  PROGRAM_SHARES = 8 /* levels that the progress is computed from */
};

struct program_count {
  uint64_t values, kinds[BIN_TYPE_DICT + 2], members, distinct; /* kinds: by bin_type + 1 */
  size_t depth, deepest;
  size_t levels, pairs; /* sizes of the arrays */
  size_t merged;        /* open dicts with parents */
  int begun;
  bin_value known[PROGRAM_KNOWN];
};

/* Upvalues of the counter; the names are a table of those counted so far. */
enum { PROGRAM_UP_DOC = 1, PROGRAM_UP_COUNT, PROGRAM_UP_LEVELS, PROGRAM_UP_PAIRS, PROGRAM_UP_NAMES };

/* Doubles the memory that is an upvalue. */
static void *program_grow(lua_State *L, int upvalue, size_t *room, size_t size) {
  const void *old = lua_touserdata(L, lua_upvalueindex(upvalue));
  void *wider = lua_newuserdata(L, 2 * *room * size);
  memcpy(wider, old, *room * size);
  lua_replace(L, lua_upvalueindex(upvalue));
  *room *= 2;
  return wider;
}

/* Counts the key of a member. Returns 0 for a code without a name, which readers skip. */
FL_INLINE int program_count_key(lua_State *L, struct program_count *c, const struct bin_doc *d, bin_value key) {
  bin_value *known = &c->known[(uintptr_t)key / 2 % PROGRAM_KNOWN];
  size_t n;
  if (FL_LIKELY(*known == key)) return 1;
  const char *text = bin_key_text(d, key, &n);
  if (!text) return 0;
  *known = key;
  lua_pushlstring(L, text, n);
  compat_raw_get(L, lua_upvalueindex(PROGRAM_UP_NAMES), -1);
  if (lua_isnil(L, -1)) {
    c->distinct++;
    lua_pushvalue(L, -2);
    lua_pushboolean(L, 1);
    lua_rawset(L, lua_upvalueindex(PROGRAM_UP_NAMES));
  }
  lua_pop(L, 2);
  return 1;
}

FL_INLINE void program_count_value(lua_State *L, struct program_count *c, const struct bin_doc *d, bin_value v) {
  c->values++;
  c->kinds[bin_type_of(v) + 1]++;
  if (!bin_is_collection(v)) return;
  struct program_level *levels = (struct program_level *)lua_touserdata(L, lua_upvalueindex(PROGRAM_UP_LEVELS));
  if (FL_UNLIKELY(c->depth == c->levels))
    levels = (struct program_level *)program_grow(L, PROGRAM_UP_LEVELS, &c->levels, sizeof *levels);
  levels += c->depth++;
  if (c->depth > c->deepest) c->deepest = c->depth;
  levels->list = bin_list_of(v);
  levels->count = levels->list.count;
  levels->is_dict = bin_tag(v) == BIN_TAG_DICT;
  if (FL_UNLIKELY(levels->is_dict && bin_has_parent(&levels->list))) {
    struct bin_pairs *pairs = (struct bin_pairs *)lua_touserdata(L, lua_upvalueindex(PROGRAM_UP_PAIRS));
    if (c->merged == c->pairs) pairs = (struct bin_pairs *)program_grow(L, PROGRAM_UP_PAIRS, &c->pairs, sizeof *pairs);
    bin_pairs_begin(&pairs[c->merged++], d, v);
    levels->is_dict = 2;
  }
}

/* Counts the next value of the innermost collection, or closes it. */
FL_INLINE void program_count_next(lua_State *L, struct program_count *c, const struct bin_doc *d) {
  struct program_level *level = (struct program_level *)lua_touserdata(L, lua_upvalueindex(PROGRAM_UP_LEVELS)) +
                                (c->depth - 1);
  struct bin_list *l = &level->list;
  bin_value key, v;
  FL_ASSERT(c->depth > 0 && c->depth <= c->levels && c->merged <= c->pairs);
  if (FL_UNLIKELY(level->is_dict == 2)) {
    struct bin_pairs *pairs = (struct bin_pairs *)lua_touserdata(L, lua_upvalueindex(PROGRAM_UP_PAIRS)) +
                              (c->merged - 1);
    if (!bin_next_pair(pairs)) {
      c->depth--, c->merged--;
      return;
    }
    key = pairs->key, v = pairs->value;
  } else if (l->count == 0) {
    c->depth--;
    return;
  } else {
    key = l->first;
    v = bin_item_value(d, key, l->width);
    l->first += l->width;
    l->count--;
    if (level->is_dict) {
      key = v;
      v = bin_item_value(d, l->first, l->width);
      l->first += l->width;
    }
  }
  if (level->is_dict) {
    if (bin_is_undefined(v) || !program_count_key(L, c, d, key)) return;
    c->members++;
  }
  program_count_value(L, c, d, v);
}

static void program_set_count(lua_State *L, const char *name, uint64_t n) {
  lua_pushnumber(L, (lua_Number)n);
  lua_setfield(L, -2, name);
}

/* Returns roughly which fraction of the document was counted, 0 to 1: the counted items of the outermost collection,
** and of its current item the same fraction, and so on. */
static lua_Number program_share(const struct program_count *c, const struct program_level *levels) {
  lua_Number share = 1;
  size_t i = c->depth < PROGRAM_SHARES ? c->depth : PROGRAM_SHARES;
  for (; i > 0; i--) {
    const lua_Number count = levels[i - 1].count, left = levels[i - 1].list.count;
    if (left < count) share = (count - left - 1 + share) / count;
    else share = 0;
  }
  return share;
}

/* The counter: returns the fraction counted so far; at the end nil and the counts. */
static int program_count_step(lua_State *L) {
  static const char *const kinds[] = {"undefined", "null", "boolean", "number", "string", "data", "array", "dict"};
  const struct mod_doc *owner = view_test_doc(L, lua_upvalueindex(PROGRAM_UP_DOC));
  struct program_count *c = (struct program_count *)lua_touserdata(L, lua_upvalueindex(PROGRAM_UP_COUNT));
  uint64_t until = c->values + PROGRAM_STEP;
  lua_settop(L, 0);
  compat_need_stack(L, 8);
  if (!owner->doc.begin) return view_closed_(L);
  struct bin_doc doc = owner->doc;
  view_pin(owner);
  if (!c->begun) {
    c->begun = 1;
    program_count_value(L, c, &doc, doc.root);
  }
  for (; c->depth > 0 && c->values < until; program_count_next(L, c, &doc)) continue;
  view_unpin(owner);
  if (c->depth > 0) {
    lua_pushnumber(
        L, program_share(c, (const struct program_level *)lua_touserdata(L, lua_upvalueindex(PROGRAM_UP_LEVELS))));
    return 1;
  }
  lua_pushnil(L);
  lua_createtable(L, 0, 12);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) program_set_count(L, kinds[i], c->kinds[i]);
  program_set_count(L, "values", c->values);
  program_set_count(L, "depth", c->deepest);
  program_set_count(L, "members", c->members);
  program_set_count(L, "distinct", c->distinct);
  return 2;
}

FL_PRIVATE int program_counter(lua_State *L) {
  if (!view_test_doc(L, 1)) luaL_argerror(L, 1, "document expected");
  lua_settop(L, 1);
  struct program_count *c = (struct program_count *)lua_newuserdata(L, sizeof *c);
  memset(c, 0, sizeof *c);
  c->levels = PROGRAM_LEVELS, c->pairs = PROGRAM_PAIRS;
  lua_newuserdata(L, c->levels * sizeof(struct program_level));
  lua_newuserdata(L, c->pairs * sizeof(struct bin_pairs));
  lua_newtable(L);
  lua_pushcclosure(L, program_count_step, PROGRAM_UP_NAMES);
  return 1;
}
