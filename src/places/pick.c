/* SPDX-License-Identifier: MIT */
#include "pick.h"

#include "../json/index/quoted.h"
#include "../json/index/steps.h"
#include "../lua/guard.h"
#include "paths.h"

enum {
  MOD_PICK_FEW = 32,      /* goals without allocating memory, */
  MOD_PICK_DEPTH = 1024,  /* and levels */
  MOD_PICK_MEMORY = 2048, /* memory on the C stack for the reader of any grammar, in bytes */
  MOD_PICK_SLOTS = 8      /* results for which Lua's stack always has room */
};

static char *mod_pick_grow(void *owner, size_t n) {
  const struct mod_pick_reading *reading = (const struct mod_pick_reading *)owner;
  char *block = (char *)lua_newuserdata(reading->L, n);
  lua_replace(reading->L, reading->slot);
  return block;
}

FL_PRIVATE void mod_pick_begin_reading(struct mod_pick_run *r, struct mod_pick_reading *to, void *memory, size_t room,
                                       size_t bytes) {
  const struct mod_decode *d = &r->d;
  const struct mod_pick *k = r->k;
  struct json_scan *j = &to->pick.scan;
  memset(j, 0, sizeof *j);
  mod_set_scan(d, j);
  lua_pushnil(d->L);
  to->L = d->L;
  to->slot = lua_gettop(d->L);
  j->scratch = to->scratch;
  j->room = sizeof to->scratch;
  j->grow = mod_pick_grow;
  j->owner = to;
  to->pick.flags = (d->o.duplicates == JSON_TO_LUA_FIRST || k->is.read ? (unsigned)JSON_PICK_FIRST : 0) |
                   (k->any_size ? (unsigned)JSON_PICK_ANY_SIZE : 0);
  to->pick.memory = bytes <= room ? memory : lua_newuserdata(d->L, bytes);
}

/* Tests the text like decode, and finds the goals. With test = "read" it stops when everything is found. Returns 0 with
** an error in failed. */
FL_NOINLINE int mod_pick_read_(struct mod_pick_run *r) {
  struct mod_decode *d = &r->d;
  const struct mod_pick *k = r->k;
  const int stop = k->is.read;
  const size_t length = (size_t)(d->end - d->begin);
  const uint32_t depth = length < d->o.max_depth ? (uint32_t)length : d->o.max_depth;
  int64_t memory[MOD_PICK_MEMORY / sizeof(int64_t)];
  struct mod_pick_reading reading;
  struct json_scan *j = &reading.pick.scan;
  mod_pick_begin_reading(r, &reading, memory, sizeof memory, json_pick_bytes(k->count, depth));
  reading.pick.goals = k->goals;
  reading.pick.count = k->count;
  reading.pick.found = r->found;
  if (stop) reading.pick.flags |= JSON_PICK_STOP;
  const char *p = mod_skip_counted(d, j, d->begin);
  if (p && FL_UNLIKELY(p == d->end)) p = json_scan_error(j, JSON_CHECK_EMPTY, p);
  if (p) p = json_pick(&reading.pick, p);
  if (p && !stop) p = json_read_space(j, p);
  if (p && !stop && p != d->end) p = json_scan_error(j, JSON_CHECK_AFTER, p);
  if (!p) r->failed = *j;
  return r->read = p != NULL;
}

/* Finds the goals by vectors. Returns 0 if this reader cannot read the text. */
FL_FUNC int mod_pick_locate(struct mod_pick_run *r, struct json_goal_state *states, unsigned char *containers) {
  const struct mod_decode *d = &r->d;
  const struct mod_pick *k = r->k;
  const int read = k->is.read, first = read || d->o.duplicates == JSON_TO_LUA_FIRST;
  const char *p = d->begin;
  struct json_reading how;
  if (FL_UNLIKELY(!k->fast) && read) return 0;
  if (FL_UNLIKELY(d->o.max_values || (d->o.max_bytes && (size_t)(d->end - p) > d->o.max_bytes))) return 0;
  if (FL_UNLIKELY(*p == '\xef') && d->o.grammar & JSON_BOM && d->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
    p += 3;
  r->strict = !read;
  how.flags = (read ? 0 : (unsigned)JSON_LOCATE_TEST) | (first ? (unsigned)JSON_LOCATE_FIRST : 0);
  how.cpu = k->cpu;
  how.max_depth = d->o.max_depth;
  how.containers = containers;
  how.release = r->release;
  return json_locate(k->goals, k->count, states, r->found, p, (size_t)(d->end - p), &how);
}

/* Finds the goals. Returns 0 with an error in failed. */
FL_FUNC int mod_pick_find(struct mod_pick_run *r, struct json_goal_state *states, unsigned char *containers) {
  if (FL_LIKELY(mod_pick_locate(r, states, containers))) return 1;
  r->strict = 0;
  return mod_pick_read_(r);
}

/* Decodes the text, because options make decode refuse more than the grammar does. */
FL_NOINLINE int mod_pick_decode_(struct mod_pick_run *r) {
  const int top = lua_gettop(r->d.L), fine = mod_scan_whole(&r->d, &r->failed);
  lua_settop(r->d.L, top);
  return fine;
}

FL_NOINLINE const char *mod_pick_value_(struct mod_pick_run *r, const char *p, uint32_t depth) {
  FL_ASSERT(depth <= r->k->o.max_depth);
  r->d.o.max_depth = r->k->o.max_depth - depth;
  p = mod_decode_value(&r->d, p, &r->failed);
  r->d.o.max_depth = r->k->o.max_depth;
  return p;
}

/* Pushes the value at p, and returns the byte after it. NULL with an error in failed. */
FL_FUNC const char *mod_pick_value(struct mod_pick_run *r, const char *p, uint32_t depth) {
  const char *q = mod_decode_simple(&r->d, p, r->strict);
  return FL_LIKELY(q != NULL) ? q : mod_pick_value_(r, p, depth);
}

/* Pushes the text of a value. Returns its end, or NULL if it is invalid, or not known to be valid. */
FL_FUNC const char *mod_pick_raw(struct mod_pick_run *r, const struct json_slice *s, uint32_t depth,
                                 unsigned char *containers) {
  int is = 1;
  if (!r->strict && !r->read)
    is = json_is_value(s, r->d.end, r->k->o.max_depth - depth, containers, r->k->cpu, r->d.state->utf8);
  if (is < 0) {
    struct num_value v;
    is = num_parse(s->begin, r->d.end, &v) == s->end && v.kind != NUM_BAD && v.kind != NUM_HUGE;
  }
  if (FL_UNLIKELY(!is)) return NULL;
  lua_pushlstring(r->d.L, s->begin, (size_t)(s->end - s->begin));
  return s->end;
}

FL_PRIVATE int mod_pick_push_value(struct mod_pick_run *r, const struct json_slice *s, uint32_t depth,
                                   unsigned char *containers) {
  /* the end of something invalid may be anywhere */
  if (FL_UNLIKELY(!s->end || s->end <= s->begin)) return 0;
  const char *end = r->k->is.raw ? mod_pick_raw(r, s, depth, containers) : mod_pick_value(r, s->begin, depth);
  FL_ASSERT(end == s->end || r->failed.error || !(r->read || r->strict));
  return end == s->end;
}

/* Pushes the results. Returns 0 with an error in failed, or without one if untested text is invalid. */
FL_FUNC int mod_pick_push(struct mod_pick_run *r, unsigned char *containers) {
  const struct mod_pick *k = r->k;
  r->failed.error = JSON_CHECK_OK;
  for (uint32_t i = 0; i < k->paths; i++) {
    const struct mod_pick_place *place = &k->places[i];
    const struct json_slice *s = &r->found[place->goal];
    int fine = 1;
    if (FL_UNLIKELY(place->rests > 0)) fine = mod_pick_push_each(r, place, s, containers);
    else if (!s->begin) lua_pushnil(r->d.L);
    else fine = mod_pick_push_value(r, s, place->depth, containers);
    if (FL_UNLIKELY(!fine)) return 0;
  }
  return 1;
}

static int mod_pick_fail(struct mod_pick_run *r) {
  const struct json_scan *j = &r->failed;
  struct mod_failure failure;
  mod_push_decode_error_(&r->d, j->error, j->at, &failure);
  if (!r->d.o.safe) return mod_raise(r->d.L, 0);
  lua_pushboolean(r->d.L, 0);
  lua_insert(r->d.L, -2);
  mod_push_failure(r->d.L, &failure);
  return 3;
}

/* The fast reader has found something invalid in an untested text: tests the whole text, and takes the results of the
** other reader if it finds no error. */
FL_NOINLINE int mod_pick_again_(struct mod_pick_run *r, unsigned char *containers) {
  if (r->failed.error) return 0;
  lua_settop(r->d.L, r->top);
  if (!mod_pick_read_(r)) return 0;
  if (r->d.o.safe) lua_pushboolean(r->d.L, 1);
  return mod_pick_push(r, containers);
}

FL_FUNC int mod_pick_run(struct mod_pick_run *r, struct json_goal_state *states, unsigned char *containers) {
  lua_State *L = r->d.L;
  const struct mod_pick *k = r->k;
  const int slots = (int)k->paths;
  if (FL_UNLIKELY(k->decodes) && !mod_pick_decode_(r)) return mod_pick_fail(r);
  if (!mod_pick_find(r, states, containers)) return mod_pick_fail(r);
  r->top = lua_gettop(L);
  if (r->d.o.safe) lua_pushboolean(L, 1);
  if (slots > MOD_PICK_SLOTS) compat_need_stack(L, slots + JSON_TO_LUA_MARGIN);
  if (FL_UNLIKELY(!mod_pick_push(r, containers)) && !mod_pick_again_(r, containers)) return mod_pick_fail(r);
  return slots + (int)r->d.o.safe;
}

/* Runs with memory from Lua, for many paths, or if the text may be nested deep. */
FL_NOINLINE int mod_pick_large_(struct mod_pick_run *r) {
  const struct mod_pick *k = r->k;
  struct json_goal_state *states = (struct json_goal_state *)lua_newuserdata(
      r->d.L, k->count * (sizeof *states + sizeof *r->found) + JSON_CONTAINERS(k->o.max_depth));
  r->found = (struct json_slice *)(void *)(states + k->count);
  return mod_pick_run(r, states, (unsigned char *)(r->found + k->count));
}

FL_FUNC void mod_pick_begin(struct mod_pick_run *r, lua_State *L, const struct mod_pick *k) {
  r->k = k;
  r->strict = r->read = 0;
  r->release = NULL;
  mod_start_decode(&r->d, L, k->state, &k->o, MOD_OF_PICK);
}

/* picker(text) -> values */
static int mod_pick_call(lua_State *L) {
  const struct mod_pick *k = (const struct mod_pick *)lua_touserdata(L, lua_upvalueindex(MOD_PICK_PATHS));
  struct mod_pick_run r;
  struct json_slice found[MOD_PICK_FEW];
  struct json_goal_state states[MOD_PICK_FEW];
  unsigned char containers[JSON_CONTAINERS(MOD_PICK_DEPTH)];
  mod_pick_begin(&r, L, k);
  mod_set_text(&r.d, 1);
  lua_settop(L, 1);
  mod_settle_decode(&r.d, lua_upvalueindex(MOD_VALUES));
  if (FL_UNLIKELY(k->count > MOD_PICK_FEW) || FL_UNLIKELY(k->o.max_depth > MOD_PICK_DEPTH)) return mod_pick_large_(&r);
  r.found = found;
  return mod_pick_run(&r, states, containers);
}

FL_PRIVATE const luaL_Reg mod_pick_calls[] = {{"picker", mod_pick_call}, {NULL, NULL}};

FL_PRIVATE const struct mod_pick *mod_pick_check(lua_State *L, int picker) {
  if (mod_push_unguarded(L, picker) != mod_pick_call) mod_type_error(L, picker, "picker");
  lua_getupvalue(L, -1, MOD_PICK_PATHS);
  const struct mod_pick *k = (const struct mod_pick *)lua_touserdata(L, -1);
  lua_pop(L, 2);
  if (k->is.read || k->decodes) mod_argument_error(L, picker, "a picker without test and duplicates expected");
  if (k->longest) mod_argument_error(L, picker, "a picker without wildcards expected");
  if (k->paths > INT32_MAX / 4) mod_argument_error(L, picker, "too many paths");
  return k;
}

FL_PRIVATE void *mod_pick_push_memory(lua_State *L, const struct mod_pick *k) {
  return lua_newuserdata(L, k->count * (sizeof(struct json_goal_state) + sizeof(struct json_slice)) +
                                JSON_CONTAINERS(k->o.max_depth));
}

/* Begins with a text of which only places are wanted, in memory of mod_pick_push_memory. Returns where the kinds of
** containers are in it. */
static unsigned char *mod_pick_begin_places(struct mod_pick_run *r, lua_State *L, const struct mod_pick *k,
                                            struct json_goal_state *states, const struct mod_pick_text *t) {
  mod_pick_begin(r, L, k);
  r->d.o.safe = 1;
  r->d.o.null = r->d.o.arrays = r->d.o.objects = 0;
  r->d.o.int64 = 0;
  r->d.begin = t->s;
  r->d.end = t->s + t->n;
  r->release = t->release;
  mod_settle_decode(&r->d, 0);
  r->found = (struct json_slice *)(void *)(states + k->count);
  return (unsigned char *)(r->found + k->count);
}

FL_PRIVATE const struct json_slice *mod_pick_places(lua_State *L, const struct mod_pick *k, void *memory,
                                                    const struct mod_pick_text *t) {
  struct mod_pick_run r;
  struct json_goal_state *states = (struct json_goal_state *)memory;
  unsigned char *containers = mod_pick_begin_places(&r, L, k, states, t);
  if (FL_LIKELY(mod_pick_find(&r, states, containers))) return r.found;
  (void)mod_pick_fail(&r);
  return NULL;
}

FL_PRIVATE const struct json_slice *mod_pick_push_simple(lua_State *L, const struct mod_pick *k, void *memory,
                                                         const struct mod_pick_text *t, uint32_t *others) {
  struct mod_pick_run r;
  struct json_goal_state *states = (struct json_goal_state *)memory;
  unsigned char *containers = mod_pick_begin_places(&r, L, k, states, t);
  *others = 0;
  if (!mod_pick_locate(&r, states, containers)) return NULL;
  for (uint32_t i = 0; i < k->paths; i++) {
    const struct json_slice *s = &r.found[k->places[i].goal];
    const int top = lua_gettop(L);
    if (s->begin && *s->begin != '{' && *s->begin != '[' && mod_decode_simple(&r.d, s->begin, r.strict) == s->end)
      continue;
    lua_settop(L, top);
    lua_pushnil(L);
    if (s->begin) *others |= i < 32 ? UINT32_C(1) << i : 0;
  }
  return r.found;
}

FL_PRIVATE int mod_pick_is_strict(lua_State *L, const struct mod_pick *k, void *memory, const struct mod_pick_text *t) {
  struct mod_pick_run r;
  struct json_goal_state *states = (struct json_goal_state *)memory;
  unsigned char *containers = mod_pick_begin_places(&r, L, k, states, t);
  return mod_pick_locate(&r, states, containers);
}

/* Limit for steps and bytes of the paths of one picker: their memory must fit a size_t, and their number an int. */
#define MOD_PICK_MOST (SIZE_MAX / 256 < INT32_MAX ? SIZE_MAX / 256 : INT32_MAX)

static void mod_pick_read_test(struct mod_reader *r) {
  struct mod_pick_flags *const is = r->into;
  if (r->of == MOD_OF_NEW && lua_isboolean(r->L, -1)) is->tests = (unsigned)lua_toboolean(r->L, -1) & 1u;
  else is->read = (unsigned char)mod_read_word(r, "all|read");
}

static void mod_pick_read_layout(struct mod_reader *r) {
  ((struct mod_pick_flags *)r->into)->avoid = mod_layout_avoids(mod_read_word(r, MOD_LAYOUTS));
}

#define MOD_PICK_ROW(name, kind, member, takers) MOD_OPTION(name, struct mod_pick_flags, member, takers, MOD_IS_##kind)
static const struct mod_option mod_pick_rows[] = {MOD_PICK_OPTIONS(MOD_PICK_ROW){0}};

FL_PRIVATE void mod_pick_read_options(lua_State *L, int arg, struct mod_pick_flags *is, enum mod_taker of) {
  mod_read_rows(L, arg, of, mod_pick_rows, is);
}

/* The memory that the paths need. */
struct mod_pick_size {
  size_t steps, bytes, wildcards;
};

static void mod_pick_read_path(lua_State *L, int arg, struct mod_path_steps *path) {
  const char *wrong;
  if (lua_type(L, arg) != LUA_TSTRING && !mod_path_test(L, arg)) mod_type_error(L, arg, "path");
  if ((wrong = mod_path_read(L, path, arg)) != NULL) mod_argument_error(L, arg, wrong);
}

/* Adds what the path of argument `arg` needs. */
static void mod_pick_measure(lua_State *L, int arg, const struct mod_path_steps *path, struct mod_pick_size *size) {
  size->steps += path->count;
  size_t wildcards = 0;
  for (size_t i = 0; i < path->count; i++) size->bytes += path->steps[i].n, wildcards += path->steps[i].each != 0;
  if (wildcards > MOD_PICK_WILDCARDS) mod_argument_error(L, arg, "more than 16 wildcards");
  size->wildcards += wildcards;
  if (size->steps > MOD_PICK_MOST || size->bytes > MOD_PICK_MOST) mod_argument_error(L, arg, "paths too long");
}

/* Copies the steps, and their names to w. Returns the byte after the names. */
static char *mod_pick_copy_steps(const struct mod_path_steps *path, struct json_step *steps, char *w) {
  for (size_t i = 0; i < path->count; i++) {
    steps[i] = path->steps[i];
    if (steps[i].each) steps[i].indexes = 1; /* for json_locate_each */
    w = json_move_name(&steps[i], w);
  }
  return w;
}

/* Returns the steps from steps[i] on to the next wildcard, or the end. */
static size_t mod_pick_part(const struct json_step *steps, size_t i, size_t count) {
  size_t n = 0;
  while (i + n < count && !steps[i + n].each) n++;
  return n;
}

/* Compiles the wildcards of a path: number `at` of all, whose goals follow the others. Returns how many they are. */
static uint32_t mod_pick_compile_rests(struct mod_pick *k, uint32_t at, const struct json_step *steps, size_t count,
                                       struct json_goal **goals) {
  uint32_t rests = 0;
  for (size_t i = mod_pick_part(steps, 0, count); i < count; rests++) {
    struct mod_pick_rest *rest = &k->rests[at + rests];
    struct json_goal_path path;
    rest->each = steps[i++].each;
    path.steps = steps + i;
    path.count = mod_pick_part(steps, i, count);
    i += path.count;
    rest->goals = *goals;
    rest->count = json_build_goals(*goals, &path, 1);
    rest->goal = path.goal;
    *goals += rest->count;
    rest->whole = *goals;
    path.steps--, path.count++;
    *goals += json_build_goals(*goals, &path, 1);
    (*goals)[-(int)rest->count].wanted = 1;
    rest->counts_from_end = 0;
    for (size_t at_step = i - path.count + 1; at_step < i; at_step++) rest->counts_from_end |= steps[at_step].index < 0;
    if (rest->count + 1 > k->longest) k->longest = rest->count + 1;
  }
  return rests;
}

/* Compiles arguments 1 to n. Pushes a userdata with the struct and what follows it. Each path is read twice, so that
** the memory of one path is enough. */
static struct mod_pick *mod_pick_compile(lua_State *L, int n) {
  struct mod_pick_size size = {0, 0, 0};
  struct mod_path_steps path;
  struct json_goal_path *paths;
  struct json_step *steps;
  lua_pushnil(L);
  mod_path_begin(&path, lua_gettop(L), 0);
  path.has_wildcards = 1;
  for (int i = 1; i <= n; i++) {
    mod_pick_read_path(L, i, &path);
    mod_pick_measure(L, i, &path, &size);
  }
  /* The steps after a wildcard are goals twice, from the value and from the container on. */
  const size_t all = 2 * size.steps + size.wildcards + 1;
  const size_t slots = size.steps > JSON_GOAL_FEW ? JSON_GOAL_SLOTS * (size.steps + 1) : 0;
  struct mod_pick *k = (struct mod_pick *)lua_newuserdata(
      L, sizeof *k + all * sizeof *k->goals + size.wildcards * sizeof *k->rests + (size_t)n * sizeof *k->places +
             slots * sizeof(uint32_t) + size.bytes);
  paths = (struct json_goal_path *)lua_newuserdata(L, (size_t)n * sizeof *paths + size.steps * sizeof *steps + 1);
  steps = (struct json_step *)(void *)(paths + n);
  k->goals = (struct json_goal *)(void *)(k + 1);
  k->rests = (struct mod_pick_rest *)(void *)(k->goals + all);
  k->places = (struct mod_pick_place *)(void *)(k->rests + size.wildcards);
  k->longest = 0;
  char *w = (char *)(k->places + n) + slots * sizeof(uint32_t);
  for (int i = 0; i < n; i++) {
    mod_pick_read_path(L, i + 1, &path);
    paths[i].steps = steps;
    w = mod_pick_copy_steps(&path, steps, w);
    paths[i].count = mod_pick_part(steps, 0, path.count);
    k->places[i].depth = (uint32_t)path.count;
    steps += path.count;
  }
  k->count = json_build_goals(k->goals, paths, (uint32_t)n);
  if (slots) json_hash_goals(k->goals, k->count, (uint32_t *)(void *)(k->places + n));
  k->paths = (uint32_t)n;
  struct json_goal *goals = k->goals + k->count;
  uint32_t rests = 0;
  for (int i = 0; i < n; i++) {
    struct mod_pick_place *place = &k->places[i];
    place->goal = paths[i].goal;
    place->rest = rests;
    rests += place->rests = mod_pick_compile_rests(k, rests, paths[i].steps, place->depth, &goals);
    place->depth -= place->rests ? place->depth - (uint32_t)paths[i].count : 0;
  }
  lua_pop(L, 1);
  lua_replace(L, path.slot);
  return k;
}

/* Computes what follows from the options. */
static void mod_pick_settle(struct mod_pick *k) {
  const struct json_to_lua_options *o = &k->o;
  const int inexact_fails = o->exact ? (o->grammar & JSON_JSON5) != 0 : o->big == JSON_TO_LUA_BIG_ERROR;
  k->decodes = !k->is.read && (o->duplicates == JSON_TO_LUA_UNIQUE || inexact_fails);
  k->any_size = o->exact || o->big == JSON_TO_LUA_BIG_STRING || o->big == JSON_TO_LUA_BIG_ANY;
  k->fast = !(o->grammar & ~(unsigned)JSON_BOM) && o->bad_text == JSON_BAD_ERROR;
  for (uint32_t i = 0; i < k->paths; i++) k->fast &= k->places[i].depth <= o->max_depth;
}

FL_PRIVATE int mod_pick(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options o = codec->decode;
  struct mod_pick_flags is = codec->pick;
  int n = lua_gettop(L), options, values = lua_upvalueindex(MOD_VALUES), i;
  if (n > 1 && lua_isnil(L, n)) n--;
  lua_settop(L, n);
  options = n + 1;
  if (n > 1 && lua_istable(L, n)) {
    options = n--;
    values = mod_read_decode_options(L, options, &o, MOD_OF_PICK);
    mod_pick_read_options(L, options, &is, MOD_OF_PICK);
  }
  if (n == 0 || lua_istable(L, 1)) return mod_type_error(L, 1, "path");
  if (is.read && o.duplicates == JSON_TO_LUA_UNIQUE)
    return mod_unfit_option(L, options, "duplicates", "\"last\" or \"first\" with test = \"read\"");
  compat_need_stack(L, MOD_PICK_UPVALUES + 8);
  struct mod_pick *k = mod_pick_compile(L, n);
  k->state = codec->state;
  k->o = o;
  k->is = is;
  k->cpu = codec->state->cpu & ~is.avoid;
  mod_pick_settle(k);
  for (i = 1; i <= MOD_UPVALUES; i++) lua_pushvalue(L, i == MOD_VALUES ? values : lua_upvalueindex(i));
  lua_pushvalue(L, -MOD_UPVALUES - 1);
  lua_pushcclosure(L, mod_pick_call, MOD_PICK_UPVALUES);
  if (o.safe) lua_pushboolean(L, 0), mod_guard_function(L);
  return 1;
}
