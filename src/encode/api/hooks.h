/* SPDX-License-Identifier: MIT
** hooks.h -- metatables in the public-API walk: which hook a table has, and the calls of __tojson, __pairs and __len.
** Must hold: a hook may do anything, encode included; after each call nothing but the stack is believed. */
#pragma once

#include "../../json/grammar/check.h"
#include "errors.h"

enum { API_CHECK_DEPTH = 1000 }; /* of text that hooks return and fleece.raw takes */

enum api_hook { API_HOOK_NONE, API_HOOK_TOJSON, API_HOOK_PAIRS, API_HOOK_LEN };

struct api_meta {
  enum table_class mark;
  enum api_hook hook; /* its function was pushed */
  int has_order;      /* the list of __jsonorder was put into the slot own_order */
};

/* Pushes metatable[name] (of the metatable on top of the stack) if it is not nil. */
FL_INLINE int api_meta_field(lua_State *L, int metatable, const char *name) {
  compat_get_field(L, metatable, name);
  if (!lua_isnil(L, -1)) return 1;
  lua_pop(L, 1);
  return 0;
}

/* Classifies the metatable of the table on top; pushes the function of a hook, nothing else. */
FL_PRIVATE void api_classify_metatable(struct api_walk *a, struct api_meta *meta);

/* Calls __tojson(value, state); the value and the function are on top. The text that it returns, which stays on top,
** and its length; NULL: an error. */
FL_PRIVATE const char *api_call_tojson(struct api_walk *a, size_t *n);

/* Runs __pairs and replaces its function on top by a list k1, v1, k2, v2 ...; `table` is below. The number
** of pairs, or -1. */
FL_PRIVATE int api_list_pairs(struct api_walk *a, int table);

/* Calls __len for the table below the function on top, which is popped; -1 and an error if it is no length. */
FL_PRIVATE int api_hook_length(struct api_walk *a, int table);
