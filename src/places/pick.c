/* SPDX-License-Identifier: MIT
** pick.c -- pick(path, ... [, options]): paths compiled once, for texts.
** Must hold: as pick.h. */
#include "pick.h"
#include "../lua/guard.h"
#include "paths.h"

/* Steps and bytes of the paths of one picker: their memory must not exceed a size_t, nor their number an int. */
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

/* ------------------------------------------------------------------------------------- paths to steps */

/* What the paths need of memory. */
struct mod_pick_size {
  size_t steps, bytes;
};

/* Reads argument `arg`, a path. */
static void mod_pick_read_path(lua_State *L, int arg, struct mod_path_steps *path) {
  const char *wrong;
  if (lua_type(L, arg) != LUA_TSTRING && !mod_path_test(L, arg)) mod_type_error(L, arg, "path");
  if ((wrong = mod_path_read(L, path, arg)) != NULL) mod_argument_error(L, arg, wrong);
}

/* Adds what the path of argument `arg` needs. */
static void mod_pick_measure(lua_State *L, int arg, const struct mod_path_steps *path, struct mod_pick_size *size) {
  size_t i;
  size->steps += path->count;
  for (i = 0; i < path->count; i++) size->bytes += path->steps[i].n;
  if (size->steps > MOD_PICK_MOST || size->bytes > MOD_PICK_MOST) mod_argument_error(L, arg, "paths too long");
}

/* Copies the steps. Their names are copied to w; returns the byte after them. */
static char *mod_pick_copy_steps(const struct mod_path_steps *path, struct json_step *steps, char *w) {
  size_t i;
  for (i = 0; i < path->count; i++) {
    steps[i] = path->steps[i];
    if (!steps[i].name) continue;
    memcpy(w, steps[i].name, steps[i].n);
    steps[i].name = w;
    w += steps[i].n;
  }
  return w;
}

/* Compiles arguments 1 to n. Pushes a userdata with the struct and what follows it. Each path is read twice, so that
** the memory of one path is enough. */
static struct mod_pick *mod_pick_compile(lua_State *L, int n) {
  struct mod_pick_size size = {0, 0};
  struct mod_path_steps path;
  struct mod_pick *k;
  struct json_goal_path *paths;
  struct json_step *steps;
  char *w;
  int i;
  lua_pushnil(L);
  mod_path_begin(&path, lua_gettop(L), 0);
  for (i = 1; i <= n; i++) {
    mod_pick_read_path(L, i, &path);
    mod_pick_measure(L, i, &path, &size);
  }
  k = (struct mod_pick *)lua_newuserdata(L, sizeof *k + (size.steps + 1) * sizeof *k->goals +
                                                (size_t)n * sizeof *k->places + size.bytes);
  paths = (struct json_goal_path *)lua_newuserdata(L, (size_t)n * sizeof *paths + size.steps * sizeof *steps + 1);
  steps = (struct json_step *)(void *)(paths + n);
  k->goals = (struct json_goal *)(void *)(k + 1);
  k->places = (struct mod_pick_place *)(void *)(k->goals + size.steps + 1);
  w = (char *)(k->places + n);
  for (i = 0; i < n; i++) {
    mod_pick_read_path(L, i + 1, &path);
    paths[i].steps = steps;
    paths[i].count = path.count;
    w = mod_pick_copy_steps(&path, steps, w);
    steps += path.count;
  }
  k->count = json_build_goals(k->goals, paths, (uint32_t)n);
  k->paths = (uint32_t)n;
  for (i = 0; i < n; i++) {
    k->places[i].goal = paths[i].goal;
    k->places[i].depth = (uint32_t)paths[i].count;
  }
  lua_pop(L, 1);
  lua_replace(L, path.slot);
  return k;
}

/* ------------------------------------------------------------------------------------- pick */

/* What follows from the options. */
static void mod_pick_settle(struct mod_pick *k) {
  const struct json_to_lua_options *o = &k->o;
  uint32_t i;
  const int inexact_fails = o->exact ? (o->grammar & JSON_JSON5) != 0 : o->big == JSON_TO_LUA_BIG_ERROR;
  k->decodes = !k->is.read && (o->duplicates == JSON_TO_LUA_UNIQUE || inexact_fails);
  k->any_size = o->exact || o->big == JSON_TO_LUA_BIG_STRING || o->big == JSON_TO_LUA_BIG_ANY;
  k->fast = !(o->grammar & ~(unsigned)JSON_BOM) && o->bad_text == JSON_BAD_ERROR;
  for (i = 0; i < k->paths; i++) k->fast &= k->places[i].depth <= o->max_depth;
}

FL_PRIVATE int mod_pick(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  struct json_to_lua_options o = codec->decode;
  struct mod_pick_flags is = codec->pick;
  int n = lua_gettop(L), options, values = lua_upvalueindex(MOD_VALUES), i;
  struct mod_pick *k;
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
  k = mod_pick_compile(L, n);
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
