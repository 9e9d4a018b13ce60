/* SPDX-License-Identifier: MIT
** program.c -- fleece.program; files that the program fleece writes, and their removal when a signal ends it.
** Must hold: only the program opens this. A signal handler can find unfinished files only through a static variable,
** the only one of this library. It calls only what POSIX allows there. The list is valid at every moment: a file
** enters it before it is created, and leaves it after it was removed or renamed. Files that functions of the library
** write are in it, too, with their locks. */
#include <signal.h>
#include "../document/face/builder.h"
#include "../encode/face/sink.h"
#include "../module/library.h"
#include "../text/cpu.h"
#include "program.h"

#define PROGRAM_OUTPUT "fleece.program.output"

enum { PROGRAM_TROUBLE = 2 }; /* the exit status of an error */

/* tests/check/object.sh permits this name. */
static struct mod_saving *volatile program_unfinished;

/* Removes unfinished files, and raises the signal again with its default action. */
static void program_on_signal(int number) {
  mod_saving_remove_all(program_unfinished);
#ifdef _WIN32
  signal(number, SIG_DFL);
#endif
  raise(number); /* under POSIX it is pending until this returns; SA_RESETHAND has restored its action */
}

#if REPLACE_POSIX

/* A mapped file was shortened, and the lost part was to be read: reports an ordinary error. */
static void program_on_bus_error(int number, siginfo_t *about, void *context) {
  static const char message[] = "fleece: the file has become shorter while it was read\n";
  (void)context;
  if (about->si_code != BUS_ADRERR) {
    program_on_signal(number);
    return;
  }
  mod_saving_remove_all(program_unfinished);
  if (write(2, message, sizeof message - 1) < 0) _exit(PROGRAM_TROUBLE);
  _exit(PROGRAM_TROUBLE);
}
#endif

static void program_take_signals(void) {
#if REPLACE_POSIX
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ};
  struct sigaction ours, before;
  size_t i;
  memset(&ours, 0, sizeof ours);
  ours.sa_handler = program_on_signal;
  ours.sa_flags = (int)SA_RESETHAND;
  sigfillset(&ours.sa_mask);
  for (i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(numbers[i], &ours, NULL);
  ours.sa_sigaction = program_on_bus_error;
  ours.sa_flags = (int)(SA_RESETHAND | SA_SIGINFO);
  sigaction(SIGBUS, &ours, NULL);
#elif defined(_WIN32)
  signal(SIGINT, program_on_signal);
  signal(SIGTERM, program_on_signal);
  signal(SIGBREAK, program_on_signal);
#endif
}

/* Replaces a closed standard stream by one that fails. Else the next file that is opened would get its number, and
** messages would be written into that file. */
static void program_fill_streams(void) {
#if REPLACE_POSIX
  int fd;
  for (fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
#endif
}

/* start(): must be called first. */
static int program_start(lua_State *L) {
  mod_saving_set_list(L, &program_unfinished);
  program_fill_streams();
  program_take_signals();
  return 0;
}

FL_PRIVATE int program_failed(lua_State *L, const struct replace *file) {
  char text[REPLACE_WHY];
  const char *reason = file ? replace_why(file, text) : errno ? strerror(errno) : "unknown reason";
  lua_pushnil(L);
  lua_pushstring(L, reason);
  return 2;
}

/* create(path) -> an output that writes the file; nil, reason */
static int program_create(lua_State *L) {
  size_t n;
  const char *path = luaL_checklstring(L, 1, &n);
  if (strlen(path) != n) luaL_argerror(L, 1, "a file name with a byte 0 in it");
  struct mod_saving *o = (struct mod_saving *)lua_newuserdata(L, sizeof *o);
  memset(o, 0, sizeof *o);
  luaL_getmetatable(L, PROGRAM_OUTPUT);
  lua_setmetatable(L, -2);
  errno = 0;
  if (!replace_find(&o->file, path)) return program_failed(L, &o->file);
  mod_saving_enlist(o, &program_unfinished);
  if (replace_open(&o->file) && setvbuf(o->file.file, NULL, _IONBF, 0) == 0) return 1;
  replace_abort(&o->file);
  mod_saving_delist(o);
  return program_failed(L, &o->file);
}

static struct mod_saving *program_check_output(lua_State *L) {
  struct mod_saving *o = (struct mod_saving *)luaL_checkudata(L, 1, PROGRAM_OUTPUT);
  if (!o->file.file) luaL_argerror(L, 1, "the output is closed");
  return o;
}

/* output:write(text) -> output; nil, reason */
static int program_write(lua_State *L) {
  struct mod_saving *o = program_check_output(L);
  size_t n;
  const char *text = luaL_checklstring(L, 2, &n);
  errno = 0;
  if (!file_write(o->file.file, text, n)) return program_failed(L, &o->file);
  lua_settop(L, 1);
  return 1;
}

static int program_flush(lua_State *L) {
  struct mod_saving *o = program_check_output(L);
  errno = 0;
  if (fflush(o->file.file) != 0) return program_failed(L, &o->file);
  lua_settop(L, 1);
  return 1;
}

/* output:spill(encoder): lets the encoder write to the output while it encodes, if that is possible */
static int program_spill(lua_State *L) {
  struct mod_saving *o = program_check_output(L);
  lua_remove(L, 1);
  if (o->file.is_replaced) (void)builder_spill(L, o->file.file);
  return 0;
}

/* store(encoder, file or output) -> the encoder; nil, message, failure; or nil, reason if it could not be written */
static int program_store(lua_State *L) {
  const struct mod_saving *o;
  FILE *file = mod_to_file(L, 2);
  if (!file) {
    o = (const struct mod_saving *)luaL_checkudata(L, 2, PROGRAM_OUTPUT);
    file = o->file.file;
  }
  if (!file) luaL_argerror(L, 2, "the output is closed");
  return builder_store(L, file);
}

/* output:name() -> the name that the file has now */
static int program_name(lua_State *L) {
  const struct mod_saving *o = program_check_output(L);
  lua_pushstring(L, *o->file.temporary ? o->file.temporary : o->file.target);
  return 1;
}

/* output:commit() -> true; nil, reason. Gives the finished file its name. */
static int program_commit(lua_State *L) {
  struct mod_saving *o = program_check_output(L);
  const int fine = replace_commit(&o->file, REPLACE_SYNC_ALL);
  mod_saving_delist(o);
  if (!fine) return program_failed(L, &o->file);
  lua_pushboolean(L, 1);
  return 1;
}

/* output:abort(): removes the file. Also the finalizer. */
static int program_abort(lua_State *L) {
  struct mod_saving *o = (struct mod_saving *)luaL_checkudata(L, 1, PROGRAM_OUTPUT);
  if (!o->file.file) return 0;
  replace_abort(&o->file);
  mod_saving_delist(o);
  return 0;
}

/* is_terminal(number) -> boolean, of a standard stream */
static int program_is_terminal(lua_State *L) {
  const int number = (int)luaL_checkinteger(L, 1);
#if REPLACE_POSIX
  lua_pushboolean(L, isatty(number));
#elif defined(_WIN32)
  lua_pushboolean(L, _isatty(number));
#else
  lua_pushboolean(L, number < 0);
#endif
  return 1;
}

/* finish(file) -> true; nil, reason. Tests whether everything written to standard output was stored. Some file systems
** report errors only when a file is closed, so this closes a copy. */
static int program_finish(lua_State *L) {
  FILE *file = mod_to_file(L, 1);
  int fine;
  if (!file) luaL_argerror(L, 1, "a file expected");
  errno = 0;
  fine = fflush(file) == 0 && !ferror(file);
#if REPLACE_POSIX
  if (fine) {
    const int copy = dup(fileno(file));
    fine = copy < 0 || close(copy) == 0;
  }
#endif
  if (!fine && !errno) errno = EIO;
  if (!fine) return program_failed(L, NULL);
  lua_pushboolean(L, 1);
  return 1;
}

FL_PRIVATE void program_push_class(lua_State *L, const char *name, const luaL_Reg *methods) {
  if (!luaL_newmetatable(L, name)) return;
  compat_set_functions(L, methods);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
}

FLEECE_EXPORT int luaopen_fleece_program(lua_State *L);

/* require "fleece.program": only for the program bin/fleece. It handles signals, which no module of the library
** does. */
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
                                       {"keys", program_keys},
                                       {"pick_lines", program_pick_lines},
                                       {"pack", program_pack},
                                       {"store", program_store},
                                       {"next", program_next},
                                       {"item_lines", program_item_lines},
                                       {"order", program_order},
                                       {"sorter", program_sorter},
                                       {"sort_key", program_sort_key},
                                       {"count_lines", program_count_lines},
                                       {"counter", program_counter},
                                       {"foreign_form", program_foreign_form},
                                       {NULL, NULL}};
  static const luaL_Reg outputs[] = {
      {"write", program_write},   {"flush", program_flush}, {"spill", program_spill}, {"name", program_name},
      {"commit", program_commit}, {"abort", program_abort}, {"__gc", program_abort},  {NULL, NULL}};
  mod_check_host(L);
  program_push_class(L, PROGRAM_OUTPUT, outputs);
  program_push_text_class(L);
  program_push_sorter_class(L);
  lua_createtable(L, 0, (int)(sizeof functions / sizeof *functions));
  for (const luaL_Reg *f = functions; f->name; f++) {
    lua_pushinteger(L, (lua_Integer)text_cpu());
    lua_pushcclosure(L, f->func, 1);
    lua_setfield(L, -2, f->name);
  }
  return 1;
}
