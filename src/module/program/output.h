/* SPDX-License-Identifier: MIT
** output.h -- files that the program fleece writes, and what becomes of them when a signal ends it.
** May call: lua_*, stdio, the operating system, module/core/replace.h, module/json/sink.h.
** Must hold: only the program opens this (fleece.program). A signal is the process's: its handler can be told of
** unfinished files by a static alone, the one that this library has. The handler calls only what POSIX allows there.
** What the list leads to is whole at each moment: files enter it before they are made, and leave it when they are
** gone or have got their name. */
#ifndef FLEECE_MODULE_PROGRAM_OUTPUT_H
#define FLEECE_MODULE_PROGRAM_OUTPUT_H

#include <signal.h>

#include "../../layout/lua_compat/api.h"
#include "../core/replace.h"
#include "../json/sink.h"

#define PROGRAM_OUTPUT "fleece.program.output"

struct program_output {
  struct program_output *volatile next; /* in the list, of those that began before */
  struct replace file;
};

/* tests/check/object.sh knows it by its name. */
static struct program_output *volatile program_unfinished;

#if defined(__GNUC__)
#define PROGRAM_FENCE() __asm__ volatile("" ::: "memory") /* nothing is moved past it */
#else
#define PROGRAM_FENCE() ((void)0)
#endif

/* ------------------------------------------------------------------------------------- signals */

/* Removes what is unfinished, and ends as the signal would have ended the program. */
static void program_on_signal(int number) {
  struct program_output *o;
  for (o = program_unfinished; o; o = o->next) {
#ifdef _WIN32 /* where an open file cannot be removed */
    if (o->file.file) _close(_fileno(o->file.file));
#endif
    if (o->file.temporary[0]) replace_remove(o->file.temporary);
  }
#ifdef _WIN32
  signal(number, SIG_DFL);
#endif
  raise(number); /* under POSIX it waits until this returns; its action is the default one again */
}

FL_FUNC void program_take_signals(void) {
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
#elif defined(_WIN32)
  signal(SIGINT, program_on_signal);
  signal(SIGTERM, program_on_signal);
  signal(SIGBREAK, program_on_signal);
#endif
}

/* A standard stream that is closed becomes one that fails: else the next file that is opened would take its place, and
** what is said there would end up in that. */
FL_FUNC void program_fill_streams(void) {
#if REPLACE_POSIX
  int fd;
  for (fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0) return;
#endif
}

/* start(): before all else. */
FL_FUNC int program_start(lua_State *L) {
  (void)L;
  program_fill_streams();
  program_take_signals();
  return 0;
}

/* ------------------------------------------------------------------------------------- files */

FL_FUNC int program_failed(lua_State *L) {
  const char *reason = errno ? strerror(errno) : "unknown reason";
  lua_pushnil(L);
  lua_pushstring(L, reason);
  return 2;
}

FL_FUNC void program_remember(struct program_output *o) {
  o->next = program_unfinished;
  PROGRAM_FENCE();
  program_unfinished = o;
  PROGRAM_FENCE();
}

FL_FUNC void program_forget(struct program_output *o) {
  struct program_output *at = program_unfinished;
  PROGRAM_FENCE();
  if (at == o) program_unfinished = o->next;
  for (; at; at = at->next)
    if (at->next == o) at->next = o->next;
  PROGRAM_FENCE();
}

/* create(path) -> what the file is written with; nil, reason */
FL_FUNC int program_create(lua_State *L) {
  size_t n;
  const char *path = luaL_checklstring(L, 1, &n);
  struct program_output *o;
  if (strlen(path) != n) luaL_argerror(L, 1, "a file name with a byte 0 in it");
  o = (struct program_output *)lua_newuserdata(L, sizeof *o);
  o->next = NULL;
  o->file.file = NULL;
  luaL_getmetatable(L, PROGRAM_OUTPUT);
  lua_setmetatable(L, -2);
  errno = 0;
  if (!replace_find(&o->file, path)) return program_failed(L);
  program_remember(o);
  if (replace_open(&o->file)) return 1;
  program_forget(o);
  return program_failed(L);
}

FL_FUNC struct program_output *program_check_output(lua_State *L) {
  struct program_output *o = (struct program_output *)luaL_checkudata(L, 1, PROGRAM_OUTPUT);
  if (!o->file.file) luaL_argerror(L, 1, "the output is closed");
  return o;
}

/* output:write(text) -> output; nil, reason */
FL_FUNC int program_write(lua_State *L) {
  struct program_output *o = program_check_output(L);
  size_t n;
  const char *text = luaL_checklstring(L, 2, &n);
  errno = 0;
  if (fwrite(text, 1, n, o->file.file) != n) return program_failed(L);
  lua_settop(L, 1);
  return 1;
}

FL_FUNC int program_flush(lua_State *L) {
  struct program_output *o = program_check_output(L);
  errno = 0;
  if (fflush(o->file.file) != 0) return program_failed(L);
  lua_settop(L, 1);
  return 1;
}

/* output:commit() -> true; nil, reason. All is written: the file gets its name. */
FL_FUNC int program_commit(lua_State *L) {
  struct program_output *o = program_check_output(L);
  const int fine = replace_commit(&o->file, 1);
  program_forget(o);
  if (!fine) return program_failed(L);
  lua_pushboolean(L, 1);
  return 1;
}

/* output:abort(): nothing of it stays. Its finalizer, too. */
FL_FUNC int program_abort(lua_State *L) {
  struct program_output *o = (struct program_output *)luaL_checkudata(L, 1, PROGRAM_OUTPUT);
  if (!o->file.file) return 0;
  replace_abort(&o->file);
  program_forget(o);
  return 0;
}

/* ------------------------------------------------------------------------------------- standard streams */

/* is_terminal(number) -> boolean, of a standard stream */
FL_FUNC int program_is_terminal(lua_State *L) {
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

/* finish(file) -> true; nil, reason. Has all come through that was written to it, standard output? Some file systems
** tell only when it is closed; a copy will do for that. */
FL_FUNC int program_finish(lua_State *L) {
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
  if (!fine) return program_failed(L);
  lua_pushboolean(L, 1);
  return 1;
}

FL_FUNC void program_push_metatable(lua_State *L) {
  static const luaL_Reg methods[] = {{"write", program_write}, {"flush", program_flush}, {"commit", program_commit},
                                     {"abort", program_abort}, {"__gc", program_abort},  {NULL, NULL}};
  const luaL_Reg *f;
  if (!luaL_newmetatable(L, PROGRAM_OUTPUT)) return;
  for (f = methods; f->name; f++) {
    lua_pushcfunction(L, f->func);
    lua_setfield(L, -2, f->name);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
}

#endif
