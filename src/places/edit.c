/* SPDX-License-Identifier: MIT
** edit.c -- edit(text, changes [, options]): changes some values of a JSON text, and nothing else.
** Must hold: as edit.h. */
#include "edit.h"

#include "../encode/names.h"
#include "../json/edit/names.h"
#include "../json/grammar/check.h"
#include "../json/index/steps.h"
#include "pick.h"

enum {
  MOD_EDIT_DEPTH = 1024, /* depth of a text that is tested with memory on the C stack */
  /* limits for changes whose places are found while the text is tested */
  MOD_EDIT_PATHS = 128,
  MOD_EDIT_STEPS = 512
};

/* The words of a change, in the order of json_edit_operation. */
static const char mod_edit_words[] = "set|insert|append|remove|discard";

/* json_edit's alloc: a block that a table on the stack keeps alive. */
static void *mod_edit_alloc(void *owner, size_t n) {
  struct mod_edit *f = (struct mod_edit *)owner;
  lua_State *L = f->d.L;
  if (f->blocks == 0) {
    lua_createtable(L, 4, 0);
    lua_replace(L, f->memory);
  }
  void *block = lua_newuserdata(L, n);
  lua_rawseti(L, f->memory, ++f->blocks);
  return block;
}

/* Raises an argument error: a change is invalid. */
static int mod_edit_bad_change(const struct mod_edit *f, const char *what) {
  return mod_argument_error(f->d.L, 2, lua_pushfstring(f->d.L, "change %d: %s", f->change, what));
}

/* Ends the call: puts the change and its path before the message on top. `at`: position in the text, or NULL. */
static int mod_edit_fail(const struct mod_edit *f, enum fl_kind kind, const char *at) {
  lua_State *L = f->d.L;
  static const char *const words[] = {"set", "insert", "append", "remove", "discard"};
  lua_pushfstring(L, "change %d (%s '", f->change, words[f->word]);
  mod_path_push_text(L, f->path_at);
  lua_pushliteral(L, "'): ");
  lua_pushvalue(L, -4);
  lua_concat(L, 4);
  return mod_raise_at(L, f->d.o.safe, kind,
                      at && at >= f->d.begin && at < f->d.end ? (size_t)(at - f->d.begin) + 1 : 0);
}

FL_PRIVATE void mod_edit_add_step(lua_State *L, const struct json_step *steps, size_t count, size_t at) {
  const struct json_step *step = &steps[at];
  if (at >= count || count < 2) return;
  lua_pushfstring(L, " at step %d, ", (int)(at < INT32_MAX ? at + 1 : 0));
  if (step->each) {
    lua_pushstring(L, step->each == '[' ? "[*]" : ".*");
  } else if (step->name) {
    lua_pushliteral(L, "'");
    lua_pushlstring(L, step->name, step->n < 100 ? step->n : 100);
    lua_pushliteral(L, "'");
    lua_concat(L, 3);
  } else {
    lua_pushfstring(L, "[%d]", (int)step->index);
  }
  lua_concat(L, 3);
}

static int mod_edit_refused(const struct mod_edit *f) {
  const struct json_edit *e = &f->e;
  if (e->error == JSON_EDIT_MEMORY) return mod_raise_memory_(f->d.L, f->d.o.safe);
  if (e->error == JSON_EDIT_TEXT) return mod_decode_error_(&f->d, e->scan.error, e->scan.at);
  lua_pushstring(f->d.L, json_edit_message(e->error));
  mod_edit_add_step(f->d.L, f->is.steps, f->is.count, e->step);
  return mod_edit_fail(f, json_edit_kind(e->error), e->at);
}

/* For mod_options: reports a value that cannot be encoded. Two results, even where errors are raised, because the
** caller adds to the message. */
static int mod_edit_no_value(struct mod_call *call, const struct api_walk *a, enum fl_error error) {
  (void)error;
  if (a->thrown) return lua_error(call->L);
  return mod_raise(call->L, 1);
}

/* Returns whether the text is strict JSON; if so, finds the goals, if there are some. */
static int mod_edit_is_strict(const struct mod_edit *f, const char *p, uint32_t depth, unsigned char *containers,
                              struct mod_edit_goals *known) {
  const size_t length = (size_t)(f->e.scan.end - p);
  struct json_reading how;
  if (known) {
    memset(&how, 0, sizeof how);
    how.flags = JSON_LOCATE_TEST | JSON_LOCATE_UNIQUE;
    how.cpu = f->e.cpu;
    how.max_depth = depth;
    how.containers = containers;
    known->done = json_locate(known->goals, known->count, known->states, known->found, p, length, &how);
    if (known->done) return 1;
  }
  return json_is_text(p, length, depth, containers, f->e.cpu);
}

/* Tests the text from p on like decode. Returns the end of its value, or NULL with the error in e.scan. */
static const char *mod_edit_test(struct mod_edit *f, const char *p, struct mod_edit_goals *known) {
  struct json_scan *j = &f->e.scan;
  struct json_checker k;
  const size_t length = (size_t)(j->end - p);
  const uint32_t depth = length < j->max_depth ? (uint32_t)length : j->max_depth;
  const size_t bytes = JSON_CONTAINERS(depth);
  unsigned char objects[JSON_CONTAINERS(MOD_EDIT_DEPTH)];
  k.objects = bytes <= sizeof objects ? objects : (unsigned char *)lua_newuserdata(f->d.L, bytes);
  if (mod_edit_is_strict(f, p, depth, k.objects, known)) {
    j->grammar = 0; /* the text was tested to be strict JSON, so read it as that */
    return json_edit_find_end(&f->e, p);
  }
  k.scan = *j;
  const char *end = json_check_value(&k, p);
  p = end ? json_read_space(&k.scan, end) : NULL;
  if (p && p != j->end) p = json_scan_error(&k.scan, JSON_CHECK_AFTER, p);
  *j = k.scan;
  return p ? end : NULL;
}

FL_PRIVATE void mod_edit_prepare(struct mod_edit *f) {
  lua_State *L = f->d.L;
  struct json_edit *e = &f->e;
  lua_pushnil(L);
  f->memory = lua_gettop(L);
  f->blocks = 0;
  lua_pushnil(L);
  mod_path_begin(&f->path, f->memory + 1, JSON_EDIT_AFTER_LAST);
  f->path.has_wildcards = 1;
  memset(&e->scan, 0, sizeof e->scan);
  e->scan.scratch = f->scratch;
  e->scan.room = sizeof f->scratch;
  e->alloc = mod_edit_alloc;
  e->owner = f;
  e->free = (char *)f->first;
  e->limit = (char *)f->first + sizeof f->first;
  e->block = 0;
  e->error = JSON_EDIT_OK;
  e->at = NULL;
  e->cpu = f->d.state->cpu;
}

FL_PRIVATE void mod_edit_settle(struct mod_edit *f) {
  mod_settle_options(&f->own);
  f->own.raise = mod_edit_no_value;
}

FL_PRIVATE void mod_edit_begin_scan(struct mod_edit *f) {
  struct json_scan *j = &f->e.scan;
  mod_set_scan(&f->d, j);
  j->grow = json_edit_grow_scratch;
  j->owner = &f->e;
}

FL_PRIVATE int mod_edit_begin(struct mod_edit *f, const struct mod_pick_flags *is, struct mod_edit_goals *known) {
  struct json_edit *e = &f->e;
  struct json_scan *j = &e->scan;
  const char *p, *end;
  mod_edit_begin_scan(f);
  e->cpu = f->d.state->cpu & ~is->avoid;
  if (!(p = mod_skip_counted(&f->d, j, f->d.begin))) return 0;
  if (known) known->done = 0;
  if (p == f->d.end) return json_scan_error(j, JSON_CHECK_EMPTY, p) != NULL;
  end = is->read ? json_edit_find_end(e, p) : mod_edit_test(f, p, known);
  if (!end) return 0;
  if (known && known->done) known->text = json_slice_of(p, end);
  else json_edit_begin(e, p, end);
  return 1;
}

FL_PRIVATE int mod_edit_place(struct mod_edit *f, const struct mod_edit_goals *known) {
  json_edit_begin(&f->e, known->text.begin, known->text.end);
  return json_edit_place(&f->e, known->goals, known->count, known->found);
}

FL_PRIVATE int mod_edit_make_goals(struct mod_edit *f, struct json_goal_path *paths, uint32_t n, size_t steps,
                                   struct mod_edit_goals *known) {
  struct json_goal *goals = (struct json_goal *)json_edit_memory(&f->e, (steps + 1) * sizeof *goals);
  known->states = (struct json_goal_state *)json_edit_memory(&f->e, (steps + 1) * sizeof *known->states);
  known->found = (struct json_slice *)json_edit_memory(&f->e, (steps + 1) * sizeof *known->found);
  if (!goals || !known->states || !known->found) return 0;
  known->count = json_build_goals(goals, paths, n);
  known->goals = goals;
  return 1;
}

/* Copies the steps of the path just read, with their names. Returns 0 if they do not suit: "/1" and ["1"], or [-1] and
** [2], would be two goals for one value. */
static int mod_edit_copy_path(struct mod_edit *f, struct json_goal_path *to) {
  const struct mod_path_steps *path = &f->path;
  size_t i, bytes = path->count * sizeof(struct json_step);
  struct json_step *steps;
  for (i = 0; i < path->count; i++) {
    if (path->steps[i].indexes && (path->steps[i].name || path->steps[i].index < 0)) return 0;
    if (path->steps[i].each) return 0;
    bytes += path->steps[i].n;
  }
  if (!(steps = (struct json_step *)json_edit_memory(&f->e, bytes + 1))) return 0;
  char *names = (char *)(steps + path->count);
  for (i = 0; i < path->count; i++) {
    steps[i] = path->steps[i];
    names = json_move_name(&steps[i], names);
  }
  to->steps = steps;
  to->count = path->count;
  return 1;
}

/* Returns the paths of the changes as goals, and in paths[i].goal that of change i. NULL if they are too many or do not
** suit; what is wrong with one is reported when its turn comes. */
static struct mod_edit_goals *mod_edit_read_goals(struct mod_edit *f, int count, struct json_goal_path *paths,
                                                  struct mod_edit_goals *known) {
  lua_State *L = f->d.L;
  const int top = lua_gettop(L);
  size_t steps = 0;
  if (count == 0 || count > MOD_EDIT_PATHS) return NULL;
  for (int i = 0; i < count; i++) {
    int fits;
    lua_rawgeti(L, 2, i + 1);
    if ((fits = lua_istable(L, -1))) {
      lua_rawgeti(L, -1, 2);
      fits = !mod_path_read(L, &f->path, top + 2) && mod_edit_copy_path(f, &paths[i]);
    }
    lua_settop(L, top);
    if (!fits || (steps += paths[i].count) > MOD_EDIT_STEPS) return NULL;
  }
  return mod_edit_make_goals(f, paths, (uint32_t)count, steps, known) ? known : NULL;
}

/* Most edits set values that exist to scalars: then the text is copied around them, without lists of pieces. */
struct mod_edit_swap {
  struct json_slice place;
  int value; /* stack index */
};

/* Pushes change i and its value. Returns 0 if it is another change. */
static int mod_edit_read_swap(const struct mod_edit *f, int i, struct json_slice place, struct mod_edit_swap *to) {
  lua_State *L = f->d.L;
  const int top = lua_gettop(L);
  lua_rawgeti(L, 2, i + 1);
  lua_rawgeti(L, top + 1, 3);
  lua_rawgeti(L, top + 1, 1);
  const int is_set = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "set") == 0;
  lua_settop(L, top + 2);
  to->value = top + 2;
  to->place = place;
  const int type = lua_type(L, to->value);
  return is_set && place.begin && (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN);
}

/* Reads the changes, and sorts them by their places, no two of which may overlap. */
static int mod_edit_read_swaps(const struct mod_edit *f, int count, const struct json_goal_path *paths,
                               const struct mod_edit_goals *known, struct mod_edit_swap *swaps) {
  int i, k;
  for (i = 0; i < count; i++) {
    struct mod_edit_swap one;
    if (!mod_edit_read_swap(f, i, known->found[paths[i].goal], &one)) return 0;
    for (k = i; k > 0 && swaps[k - 1].place.begin > one.place.begin; k--) swaps[k] = swaps[k - 1];
    swaps[k] = one;
  }
  for (i = 1; i < count && swaps[i].place.begin >= swaps[i - 1].place.end;) i++;
  return i == count;
}

FL_PRIVATE char *mod_edit_begin_text(struct mod_edit *f, const struct mod_options *o, struct mod_call *call,
                                     struct encode_state **c, size_t n) {
  char *w = NULL;
  mod_start_call(call, f->d.L, f->d.state, o, 1);
  *c = mod_encode_state_for_call(f->d.L, f->d.state);
  if (mod_make_ready(call, *c) && !(w = buf_reserve(&(*c)->out.buffer, (*c)->out.buffer.begin, n)))
    mod_free_encode_state(*c);
  return w;
}

/* Pushes the text after the changes, if all are such. Returns the number of results of the call, or 0: apply them one
** by one, which also words the errors of values. `o`: f->own, which is not set yet if it equals the codec's options. */
static int mod_edit_swap(struct mod_edit *f, const struct mod_options *o, int count, const struct json_goal_path *paths,
                         const struct mod_edit_goals *known) {
  struct mod_edit_swap swaps[MOD_EDIT_PATHS];
  struct mod_call call;
  struct encode_state *c;
  const char *p = f->d.begin;
  char *w;
  if (o->style.width || !mod_edit_read_swaps(f, count, paths, known, swaps)) return 0;
  if (!(w = mod_edit_begin_text(f, o, &call, &c, (size_t)(f->d.end - p)))) return 0;
  c->out.style = &o->style;
  c->out.error = FL_ERROR_NONE;
  for (int i = 0; w && i <= count; i++) {
    const size_t n = (size_t)((i < count ? swaps[i].place.begin : f->d.end) - p);
    if (!(w = json_reserve(&c->out, w, n))) break;
    memcpy(w, p, n);
    w += n;
    if (i == count) return mod_finish(&call, c, w);
    w = mod_write_scalar(f->d.L, swaps[i].value, lua_type(f->d.L, swaps[i].value), &c->out, w);
    p = swaps[i].place.end;
  }
  mod_free_encode_state(c);
  return 0;
}

/* Encodes the value at the index, and keeps its text. Returns 1, or 0 with *results set to the number of results of the
** call. */
static int mod_edit_encode(struct mod_edit *f, int value, struct json_slice *to, int *results) {
  struct mod_call call;
  size_t n;
  mod_start_call(&call, f->d.L, f->d.state, &f->own, value);
  if (mod_run_any(&call) != 1) return *results = mod_edit_fail(f, call.kind, NULL), 0;
  const char *s = lua_tolstring(f->d.L, -1, &n);
  if (!json_edit_keep(&f->e, s, n, to)) return *results = mod_edit_refused(f), 0;
  lua_settop(f->d.L, f->value_at);
  return 1;
}

/* Reads the path at f->path_at. */
static void mod_edit_read_path(struct mod_edit *f) {
  const char *wrong;
  size_t wildcards = 0;
  if ((wrong = mod_path_read(f->d.L, &f->path, f->path_at)) != NULL) mod_edit_bad_change(f, wrong);
  f->is.steps = f->path.steps;
  f->is.count = f->path.count;
  for (size_t i = 0; i < f->is.count; i++) wildcards += f->is.steps[i].each != 0;
  if (wildcards > JSON_EDIT_WILDCARDS) mod_edit_bad_change(f, "more than 16 wildcards");
  if (f->is.operation == JSON_EDIT_INSERT && f->is.count && f->is.steps[f->is.count - 1].each)
    mod_edit_bad_change(f, "a path that ends with a wildcard has no place for an insertion");
  f->has_wildcards = wildcards > 0;
}

/* Reads the change on top, which is a table: pushes its path and value. */
static void mod_edit_read_change(struct mod_edit *f) {
  lua_State *L = f->d.L;
  size_t n;
  int place = -1;
  f->top = lua_gettop(L);
  if (!lua_istable(L, f->top)) mod_edit_bad_change(f, "a table { operation, path, value } expected");
  lua_rawgeti(L, f->top, 1);
  const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &n) : NULL;
  if (word) place = mod_find_word(word, n, mod_edit_words);
  if (place < 0)
    mod_edit_bad_change(f, "its first item must be \"set\", \"insert\", \"append\", \"remove\" or \"discard\"");
  memset(&f->is, 0, sizeof f->is);
  f->is.operation = (enum json_edit_operation)place;
  f->word = place;
  lua_rawgeti(L, f->top, 2);
  f->path_at = lua_gettop(L);
  lua_rawgeti(L, f->top, 3);
  f->value_at = lua_gettop(L);
  f->was_found = 0;
  if (place < JSON_EDIT_REMOVE && lua_isnil(L, -1)) mod_edit_bad_change(f, "its value is nil; fleece.null writes null");
}

/* Applies the change, whose path is read. Returns 1, or 0 with *results set to the number of results of the call. */
static int mod_edit_apply(struct mod_edit *f, int *results) {
  lua_State *L = f->d.L;
  const struct json_style *style = &f->own.style;
  if ((encode_mends(style) || (f->is.operation < JSON_EDIT_REMOVE && style->text.invalid == TEXT_INVALID_ERROR)) &&
      !json_edit_mend_names(&f->e, (struct json_step *)f->path.block, f->path.count, &style->text))
    return *results = mod_edit_refused(f), 0;
  const struct json_step *last = f->is.count > 0 ? &f->is.steps[f->is.count - 1] : NULL;
  if (last && last->name && (f->is.operation == JSON_EDIT_SET || f->is.operation == JSON_EDIT_INSERT)) {
    lua_pushlstring(L, last->name, last->n);
    if (!mod_edit_encode(f, lua_gettop(L), &f->is.name, results)) return 0;
  }
  if (f->has_wildcards ? json_edit_apply_each(&f->e, &f->is) : json_edit_apply(&f->e, &f->is)) return 1;
  if (f->was_found && json_edit_finds_nothing(&f->e)) return 1;
  return *results = mod_edit_refused(f), 0;
}

/* Pushes the text after the changes so far. Returns 0 if out of memory. */
static int mod_edit_push_text(struct mod_edit *f) {
  size_t n;
  if (f->change == 1) return lua_pushvalue(f->d.L, 1), 1;
  if (!json_edit_length(&f->e, &n)) return 0;
  char *const text = (char *)lua_newuserdata(f->d.L, n);
  (void)json_edit_write(&f->e, text);
  lua_pushlstring(f->d.L, text, n);
  lua_remove(f->d.L, -2);
  return 1;
}

/* Replaces the query at f->path_at by the list of the paths that it finds in the text. Returns 0 as mod_edit_apply. */
static int mod_edit_find_paths(struct mod_edit *f, int *results) {
  lua_State *L = f->d.L;
  if (!luaL_getmetafield(L, f->path_at, "__index")) mod_edit_bad_change(f, "path expected");
  lua_getfield(L, f->path_at, "paths");
  if (lua_type(L, -1) != LUA_TFUNCTION) mod_edit_bad_change(f, "path expected");
  lua_pushvalue(L, f->path_at);
  if (!mod_edit_push_text(f)) return *results = mod_raise_memory_(L, f->d.o.safe), 0;
  struct mod_query_of_edit *of = (struct mod_query_of_edit *)mod_new_userdata(L, sizeof *of);
  of->magic = &mod_query_of_edit_magic;
  of->o = &f->d.o;
  lua_call(L, 3, 3);
  if (!lua_istable(L, -3)) {
    if (lua_type(L, -2) != LUA_TSTRING) mod_edit_bad_change(f, "path expected");
    if (f->d.o.safe) return *results = 3, 0;
    lua_pop(L, 1);
    return *results = mod_raise(L, 0), 0;
  }
  lua_pop(L, 2);
  lua_replace(L, f->path_at);
  return 1;
}

/* Applies a change wherever a query leads. The last place comes first: removed items do not move those before them, and
** what is inside a place comes before it. What is gone by then needs no change. */
static int mod_edit_change_found(struct mod_edit *f, int *results) {
  lua_State *L = f->d.L;
  const int paths = f->path_at, top = lua_gettop(L);
  if (f->is.operation == JSON_EDIT_INSERT) mod_edit_bad_change(f, "a query finds no place for an insertion");
  if (!mod_edit_find_paths(f, results)) return 0;
  if (f->is.operation == JSON_EDIT_SET) f->is.operation = JSON_EDIT_REPLACE;
  if (f->is.operation == JSON_EDIT_REMOVE) f->is.operation = JSON_EDIT_DISCARD;
  f->was_found = 1;
  for (size_t i = (size_t)lua_rawlen(L, paths); i > 0; i--) {
    lua_rawgeti(L, paths, (int)i);
    f->path_at = lua_gettop(L);
    mod_edit_read_path(f);
    if (!mod_edit_apply(f, results)) return 0;
    lua_settop(L, top);
  }
  return 1;
}

/* Applies the change on top. Returns as mod_edit_apply. */
static int mod_edit_change(struct mod_edit *f, int *results) {
  lua_State *L = f->d.L;
  mod_edit_read_change(f);
  const int is_query = lua_type(L, f->path_at) == LUA_TUSERDATA && !mod_path_test(L, f->path_at);
  if (!is_query) mod_edit_read_path(f);
  if (f->is.operation < JSON_EDIT_REMOVE) {
    if (!mod_edit_encode(f, f->value_at, &f->is.value, results)) return 0;
    f->is.indented = 1;
  }
  if (is_query ? !mod_edit_change_found(f, results) : !mod_edit_apply(f, results)) return 0;
  lua_settop(L, f->top - 1);
  return 1;
}

/* Tests the text on top like the original one, because its depth is not known. Returns the number of results of the
** call. */
static int mod_edit_test_result(struct mod_edit *f) {
  struct json_scan *const j = &f->e.scan;
  mod_set_text(&f->d, lua_gettop(f->d.L));
  mod_edit_begin_scan(f);
  if (mod_edit_test(f, mod_skip_first(&f->d, j, f->d.begin), NULL)) return 1;
  struct mod_failure failure;
  mod_push_decode_error_(&f->d, j->error, j->at, &failure);
  lua_pushliteral(f->d.L, "the result: ");
  lua_insert(f->d.L, -2);
  lua_concat(f->d.L, 2);
  return mod_raise_failure(f->d.L, f->d.o.safe, &failure);
}

FL_PRIVATE int mod_edit_result(struct mod_edit *f) {
  lua_State *L = f->d.L;
  struct mod_call call;
  struct encode_state *c;
  size_t n;
  char *w;
  if (!json_edit_length(&f->e, &n) || !(w = mod_edit_begin_text(f, &f->own, &call, &c, n)))
    return mod_raise_memory_(L, f->d.o.safe);
  w = json_edit_write(&f->e, w);
  FL_ASSERT(w == c->out.buffer.begin + n);
  const int results = mod_finish(&call, c, w);
  return f->e.is_unsure && lua_type(L, -1) == LUA_TSTRING && results == 1 ? mod_edit_test_result(f) : results;
}

/* Refuses a table of names in place of an empty list, which would be a mistake. */
static void mod_edit_check_list(lua_State *L) {
  lua_pushnil(L);
  if (lua_next(L, 2)) mod_type_error(L, 2, "a list of changes");
}

FL_PRIVATE int mod_edit(lua_State *L) {
  const struct mod_codec *codec = (const struct mod_codec *)lua_touserdata(L, lua_upvalueindex(MOD_CODEC));
  const struct mod_options *options = &codec->encode;
  struct mod_edit f;
  struct mod_pick_flags is = codec->pick;
  struct json_goal_path paths[MOD_EDIT_PATHS];
  struct mod_edit_goals room, *known;
  int results = 0, count, top;
  size_t n;
  if (lua_type(L, 1) != LUA_TSTRING) mod_check_string(L, 1, &n);
  mod_check_type(L, 2, LUA_TTABLE);
  lua_settop(L, 3);
  compat_need_stack(L, 32 + 2 * MOD_EDIT_PATHS);
  mod_begin_decode(&f.d, L, 3, MOD_OF_EDIT);
  mod_set_text(&f.d, 1);
  if (FL_UNLIKELY(!lua_isnil(L, 3))) {
    mod_pick_read_options(L, 3, &is, MOD_OF_EDIT);
    f.own = codec->encode;
    mod_read_options(L, 3, &f.own, MOD_OF_EDIT);
    options = &f.own;
  }
  mod_edit_prepare(&f);
  count = (int)lua_rawlen(L, 2);
  known = is.read ? NULL : mod_edit_read_goals(&f, count, paths, &room);
  if (!mod_edit_begin(&f, &is, known)) return mod_decode_error_(&f.d, f.e.scan.error, f.e.scan.at);
  if (known && known->done) {
    top = lua_gettop(L);
    if ((results = mod_edit_swap(&f, options, count, paths, known)) != 0) return results;
    lua_settop(L, top);
    if (!mod_edit_place(&f, known)) return mod_edit_refused(&f);
  }
  if (options != &f.own) f.own = *options;
  mod_edit_settle(&f);
  if (count == 0) mod_edit_check_list(L);
  for (f.change = 1; f.change <= count; f.change++) {
    lua_rawgeti(L, 2, f.change);
    if (!mod_edit_change(&f, &results)) return results;
  }
  return mod_edit_result(&f);
}
