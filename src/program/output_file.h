/* SPDX-License-Identifier: MIT
** output_file.h -- files that the program fleece writes, and their removal when a signal ends it.
** Must hold: only the program opens this (fleece.program). A signal handler can find unfinished files only through a
** static variable, the only one of this library. It calls only what POSIX allows there. The list is valid at every
** moment: a file enters it before it is created, and leaves it after it was removed or renamed. What functions of the
** library write is in it, too, with its lock. */
#pragma once

#include <signal.h>
#include "../layout/lua_compat/api.h"
#include "../files/saving.h"
#include "../encode/face/sink.h"

/* start(): must be called first. */
FL_PRIVATE int program_start(lua_State *L);

/* create(path) -> an output that writes the file; nil, reason */
FL_PRIVATE int program_create(lua_State *L);

/* ------------------------------------------------------------------------------------- standard streams */

/* is_terminal(number) -> boolean, of a standard stream */
FL_PRIVATE int program_is_terminal(lua_State *L);

/* finish(file) -> true; nil, reason. Was everything written to standard output stored? Some file systems report errors
** only when a file is closed, so this closes a copy. */
FL_PRIVATE int program_finish(lua_State *L);
FL_PRIVATE void program_push_metatable(lua_State *L);
