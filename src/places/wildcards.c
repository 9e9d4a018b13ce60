/* SPDX-License-Identifier: MIT
** wildcards.c -- the values that a path with wildcards leads to: container by container, each of which was tested.
** Must hold: as pick.h. No recursion; a level for each wildcard. A text is read once more for each of them. */
#include "pick.h"

#include "../json/grammar/scan.h"
#include "../json/index/quoted.h"

enum { MOD_PICK_REST = 32, MOD_PICK_REST_MEMORY = 1024 }; /* goals, and bytes for a reader, on the C stack */

/* A container that a wildcard goes through: what is left of it. */
struct mod_pick_each_level {
  const char *p, *end;
};

struct mod_pick_each {
  struct mod_pick_run *r;
  const struct mod_pick_place *place;
  unsigned char *containers; /* memory of the call */
  int table, n;              /* stack index of the results, and how many they are */
  int failed;
  unsigned flags; /* of locate.h */
  int is_strict;  /* the container is valid RFC 8259; else it is valid by the options */
  struct mod_pick_reading reading;
  struct json_goal_state *states; /* for the goals of the longest rest, */
  struct json_slice *found;       /* also */
  struct mod_pick_each_level levels[MOD_PICK_WILDCARDS];
};

static const char *mod_pick_blanks(const char *p) {
  while (json_is_blank(*p)) p++;
  return p;
}

/* Reads the next value of the container, in strict JSON. Returns where the rest leads from it. */
static const struct json_slice *mod_pick_next_strict(struct mod_pick_each *e, struct mod_pick_each_level *level,
                                                     const struct mod_pick_rest *rest) {
  const char *p = level->p;
  if (rest->each == '{') p = mod_pick_blanks(mod_pick_blanks(json_after_string(p, level->end)) + 1);
  level->p = json_locate_value(rest->goals, rest->count, e->states, e->found, p, level->end, e->flags, e->r->k->cpu);
  return &e->found[rest->goal];
}

/* The same with any grammar. NULL with the error in the scan, which is out of memory. */
static const struct json_slice *mod_pick_next_any(struct mod_pick_each *e, struct mod_pick_each_level *level,
                                                  const struct mod_pick_rest *rest) {
  struct json_pick *pick = &e->reading.pick;
  struct json_scan *j = &pick->scan;
  struct json_string name;
  const char *p = level->p;
  if (rest->each == '{') {
    p = *p == '"' ? json_read_string(j, p + 1, &name) : json_lenient_name(j, p, &name);
    if (!p || !(p = json_read_space(j, p)) || !(p = json_read_space(j, p + 1))) return NULL;
  }
  pick->goals = rest->goals;
  pick->count = rest->count;
  pick->found = e->found;
  if (!(level->p = json_pick(pick, p))) return NULL;
  return &e->found[rest->goal];
}

/* Skips what separates the values of a container. Returns whether another one follows, or -1 after an error. */
static int mod_pick_has_next(struct mod_pick_each *e, struct mod_pick_each_level *level) {
  struct json_scan *j = &e->reading.pick.scan;
  const char *p = level->p;
  if (!(p = e->is_strict ? mod_pick_blanks(p) : json_read_space(j, p))) return -1;
  if (*p == ',' && !(p = e->is_strict ? mod_pick_blanks(p + 1) : json_read_space(j, p + 1))) return -1;
  level->p = p;
  return *p != ']' && *p != '}';
}

/* Adds a value to the table. */
static int mod_pick_add(void *owner, const struct json_slice *value) {
  struct mod_pick_each *const e = (struct mod_pick_each *)owner;
  if (!mod_pick_push_value(e->r, value, e->place->depth, e->containers)) return 0;
  lua_rawseti(e->r->d.L, e->table, ++e->n);
  return 1;
}

/* Begins to go through a container. In strict JSON the items of an array to which no other wildcard belongs are read in
** one pass. Returns the number of levels, or 0 after an error with e->failed set. */
static uint32_t mod_pick_enter(struct mod_pick_each *e, const struct mod_pick_rest *rests, uint32_t depth,
                               const struct json_slice *s) {
  const struct mod_pick_rest *rest = &rests[depth];
  if (!s->begin || *s->begin != rest->each) return depth;
  if (e->is_strict && rest->each == '[' && depth + 1 == e->place->rests && !rest->counts_from_end) {
    e->failed = !json_locate_each(rest->whole, rest->count + 1, rest->goal + 1, e->states, e->found, s->begin, s->end,
                                  e->flags, e->r->k->cpu, mod_pick_add, e);
    return e->failed ? 0 : depth;
  }
  e->levels[depth].p = s->begin + 1;
  e->levels[depth].end = s->end;
  return depth + 1;
}

/* Goes through the containers, and adds the values to the table on top. */
static int mod_pick_add_each(struct mod_pick_each *e, const struct json_slice *whole) {
  const struct mod_pick_rest *const rests = e->r->k->rests + e->place->rest;
  uint32_t depth = mod_pick_enter(e, rests, 0, whole);
  while (depth > 0) {
    struct mod_pick_each_level *level = &e->levels[depth - 1];
    const struct mod_pick_rest *rest = &rests[depth - 1];
    const int has_next = mod_pick_has_next(e, level);
    if (has_next < 0) return 0;
    if (!has_next) {
      depth--;
      continue;
    }
    const struct json_slice *s = e->is_strict ? mod_pick_next_strict(e, level, rest)
                                              : mod_pick_next_any(e, level, rest);
    if (!s) return 0;
    const struct json_slice value = *s; /* the memory is that of the next level, too */
    if (depth < e->place->rests) depth = mod_pick_enter(e, rests, depth, &value);
    else if (value.begin && !mod_pick_add(e, &value)) return 0;
  }
  return !e->failed;
}

FL_PRIVATE int mod_pick_push_each(struct mod_pick_run *r, const struct mod_pick_place *place,
                                  const struct json_slice *s, unsigned char *containers) {
  lua_State *L = r->d.L;
  const struct mod_pick *k = r->k;
  struct mod_pick_each e;
  struct json_goal_state states[MOD_PICK_REST];
  struct json_slice found[MOD_PICK_REST];
  int64_t memory[MOD_PICK_REST_MEMORY / sizeof(int64_t)];
  const size_t length = (size_t)(r->d.end - r->d.begin);
  const uint32_t depth = length < r->d.o.max_depth ? (uint32_t)length : r->d.o.max_depth;
  if (s->begin && (!s->end || s->end <= s->begin)) return 0; /* the end of something invalid may be anywhere */
  e.r = r;
  e.place = place;
  e.containers = containers;
  e.n = e.failed = 0;
  e.flags = r->d.o.duplicates == JSON_TO_LUA_FIRST || k->is.read ? JSON_LOCATE_FIRST : 0;
  e.is_strict = r->strict;
  if (s->begin && !r->strict && !r->read) {
    e.is_strict = json_is_value(s, r->d.end, k->o.max_depth - place->depth, containers, k->cpu, r->d.state->utf8);
    if (!e.is_strict) return 0;
  }
  compat_need_stack(L, JSON_TO_LUA_MARGIN + 8);
  e.table = lua_gettop(L) + 1;
  lua_createtable(L, 0, 0);
  if (!s->begin) return 1;
  if (k->longest > MOD_PICK_REST) {
    e.states = (struct json_goal_state *)lua_newuserdata(L, k->longest * (sizeof *states + sizeof *found));
    e.found = (struct json_slice *)(void *)(e.states + k->longest);
  } else {
    e.states = states;
    e.found = found;
  }
  if (!e.is_strict) mod_pick_begin_reading(r, &e.reading, memory, sizeof memory, json_pick_bytes(k->longest, depth));
  const int fine = mod_pick_add_each(&e, s);
  if (!fine && !e.is_strict && !r->failed.error && e.reading.pick.scan.error) r->failed = e.reading.pick.scan;
  lua_settop(L, e.table);
  return fine;
}
