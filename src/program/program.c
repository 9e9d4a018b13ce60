/* SPDX-License-Identifier: MIT */
#include "program.h"
#include "../module/library.h"
#include "../text/cpu.h"

FL_PRIVATE void program_push_class(lua_State *L, const char *name, const luaL_Reg *methods) {
  if (!luaL_newmetatable(L, name)) return;
  compat_set_functions(L, methods);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
}

FLEECE_EXPORT int luaopen_fleece_program(lua_State *L);

/* require "fleece.program": for the program bin/fleece alone. It takes signals; no module of the library does. */
int luaopen_fleece_program(lua_State *L) {
  static const luaL_Reg functions[] = {{"start", program_start},
                                       {"create", program_create},
                                       {"is_terminal", program_is_terminal},
                                       {"finish", program_finish},
                                       {"text", program_text},
                                       {"read", program_read},
                                       {"map", program_map},
                                       {"is_strict", program_is_strict},
                                       {"find", program_find},
                                       {"get_lines", program_get_lines},
                                       {"next", program_next},
                                       {"counter", program_counter},
                                       {"foreign_form", program_foreign_form},
                                       {NULL, NULL}};
  const luaL_Reg *f;
  mod_check_host(L);
  program_push_output_class(L);
  program_push_text_class(L);
  lua_createtable(L, 0, (int)(sizeof functions / sizeof *functions));
  for (f = functions; f->name; f++) {
    lua_pushinteger(L, (lua_Integer)text_cpu());
    lua_pushcclosure(L, f->func, 1);
    lua_setfield(L, -2, f->name);
  }
  return 1;
}
