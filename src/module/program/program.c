/* SPDX-License-Identifier: MIT */
#include "program.h"

/* Pushes the steps of the path or pointer at the index. */
static const struct json_step *program_push_steps(lua_State *L, int index, size_t *count) {
  const struct mod_path *path = view_test_path(L, index);
  struct json_step *steps;
  size_t i;
  if (path) {
    steps = (struct json_step *)lua_newuserdata(L, (path->count + 1) * sizeof *steps);
    for (i = 0; i < path->count; i++) {
      steps[i].name = path->steps[i].name;
      steps[i].n = path->steps[i].n;
      steps[i].index = path->steps[i].index;
      steps[i].indexes = !steps[i].name;
    }
    *count = path->count;
  } else {
    size_t n;
    const char *s = luaL_checklstring(L, index, &n), *end = s + n;
    char *w;
    if (!bin_pointer_is_valid(s, n) || n > JSON_POINTER_LONGEST) luaL_argerror(L, index, "not a JSON pointer");
    *count = json_pointer_tokens(s, n);
    steps = (struct json_step *)lua_newuserdata(L, (*count + 1) * sizeof *steps + n);
    w = (char *)(steps + *count + 1);
    for (i = 0; i < *count; i++) {
      const char *token = ++s;
      uint64_t number;
      while (s < end && *s != '/') s++;
      steps[i].name = w;
      steps[i].n = (size_t)bin_pointer_unescape(token, (size_t)(s - token), w);
      w += steps[i].n;
      steps[i].indexes = num_read_index(token, (size_t)(s - token), &number) && number <= INT64_MAX;
      steps[i].index = steps[i].indexes ? (int64_t)number : 0;
    }
  }
  return steps;
}

/* find(text, way) -> the text of the value there, or nil. The text has the form that format writes without `indent`;
** the way is a path, or a JSON pointer as a string. */
static int program_find(lua_State *L) {
  struct json_slice slice;
  const struct json_step *steps;
  size_t n, count;
  slice.begin = luaL_checklstring(L, 1, &n);
  slice.end = slice.begin + n;
  steps = program_push_steps(L, 2, &count);
  if (json_find(&slice, steps, count)) lua_pushlstring(L, slice.begin, (size_t)(slice.end - slice.begin));
  else lua_pushnil(L);
  return 1;
}

FL_PRIVATE int program_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"start", program_start},
                                       {"create", program_create},
                                       {"is_terminal", program_is_terminal},
                                       {"finish", program_finish},
                                       {"find", program_find},
                                       {"counter", program_counter},
                                       {NULL, NULL}};
  const luaL_Reg *f;
  program_push_metatable(L);
  lua_createtable(L, 0, (int)(sizeof functions / sizeof *functions));
  for (f = functions; f->name; f++) {
    lua_pushcfunction(L, f->func);
    lua_setfield(L, -2, f->name);
  }
  return 1;
}
