/* SPDX-License-Identifier: MIT
** paths.h -- paths of arguments as steps: JSON pointers, the text of key paths, compiled paths.
** Must hold: as document/view/way.h. The names of the steps are in the path, or in the memory of the steps. */
#pragma once

#include "../json/edit/edit.h"
#include "../layout/lua_compat/api.h"

enum { MOD_PATH_FIRST = 1024 }; /* bytes of steps for which no memory is allocated */

/* One path at a time. */
struct mod_path_steps {
  const struct json_step *steps;
  size_t count;
  int64_t after; /* the index that "-" of a JSON pointer means; 0: it is only a name */
  int slot;      /* stack index for longer memory */
  size_t room;
  void *block;
  struct json_step first[MOD_PATH_FIRST / sizeof(struct json_step)];
};

/* `slot`: of the stack, which is nil. */
FL_PRIVATE void mod_path_begin(struct mod_path_steps *to, int slot, int64_t after);

/* Reads the path at the stack index. NULL: it is one; else what is wrong, for a message, which may be on the stack. */
FL_PRIVATE const char *mod_path_read(lua_State *L, struct mod_path_steps *to, int path);

/* Pushes the text of the path at the index, for a message: a long one is cut. */
FL_PRIVATE void mod_path_push_text(lua_State *L, int path);
