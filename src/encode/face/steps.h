/* SPDX-License-Identifier: MIT
** steps.h -- what parsers and writers share: userdata that do their work in steps, each of them protected.
** Must hold: what a step raises is the object's error from then on, kept in its environment; no step begins while
** another runs. */
#pragma once

#include "../../lua/state.h"

/* FAILED: an error in the data; THREW: another error was raised; COLLECTED: the finalizer of the object has run, maybe
** before those of other objects that still use it. */
enum step_status { STEP_OPEN, STEP_RUNNING, STEP_FAILED, STEP_THREW, STEP_FINISHED, STEP_COLLECTED };

/* The first member of such an object. */
struct mod_steps {
  const char *magic;
  enum step_status status;
};

/* Clears the environment of an object that has ended, except for the error. */
FL_PRIVATE void step_forget(lua_State *L, int error);

/* Runs a step, a function of the object at 1, and leaves its results; stores what it raises as item `error` of the
** environment. Returns 0 if the object has failed. If the step leaves it running, more is to be done. If out of memory,
** what was made so far is dropped at once: Lua's own buffers (lauxlib.c) do not make the collector run, and would fail
** next. */
FL_PRIVATE int step_run(lua_State *L, struct mod_steps *s, lua_CFunction step, int results, int error);

/* Pushes the error of an object that has failed. */
FL_PRIVATE void step_push_error(lua_State *L, int error);
