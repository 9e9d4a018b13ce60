/* SPDX-License-Identifier: MIT
** paths.h -- paths of arguments as steps: JSON pointers, the text of key paths, compiled paths.
** Must hold: as document/view/way.h. The names of the steps are in the path, or in the memory of the steps. */
#pragma once

#include "../binary/read/path.h"
#include "../lua/state.h"
#include "../json/edit/edit.h"
#include "../layout/lua_compat/api.h"

FL_IDENTITY view_path_magic = 0;

/* A compiled path. The steps and their names follow the struct; the environment of the userdata holds the text. */
struct mod_path {
  const char *magic;
  size_t count, wildcards; /* how many of the steps are */
  struct bin_step steps[1];
};

/* Returns the path at the index, or NULL. */
FL_FUNC const struct mod_path *mod_path_test(lua_State *L, int index) {
  return (const struct mod_path *)mod_test_userdata(L, index, &view_path_magic, sizeof(struct mod_path));
}

enum { MOD_PATH_FIRST = 1024 }; /* bytes of steps without allocating memory */

struct mod_path_steps {
  const struct json_step *steps;
  size_t count;
  int64_t after;     /* the index that "-" of a JSON pointer means, or 0 if it is only a name */
  int has_wildcards; /* they are allowed */
  int slot;          /* stack index for longer memory */
  size_t room;
  void *block;
  struct json_step first[MOD_PATH_FIRST / sizeof(struct json_step)];
};

/* Prepares to read paths, without wildcards. `slot`: a stack slot, which must be nil. */
FL_PRIVATE void mod_path_begin(struct mod_path_steps *to, int slot, int64_t after);

/* Reads the path at the stack index. Returns NULL, or what is wrong, for a message, which may be on the stack. */
FL_PRIVATE const char *mod_path_read(lua_State *L, struct mod_path_steps *to, int path);

/* Pushes and returns the message about s[0..n), in which bin_path_compile found an error at `where`. */
FL_PRIVATE const char *mod_path_wrong(lua_State *L, const char *s, size_t n, size_t where);

/* Pushes the text of the path, or query, at the index, for a message; a long one is cut. */
FL_PRIVATE void mod_path_push_text(lua_State *L, int path);
