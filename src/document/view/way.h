/* SPDX-License-Identifier: MIT
** way.h -- selects a value of a document: compiled paths, and the options `path` and `pointer`.
** Must hold: preparing may run Lua code, so it comes before the document's bytes are read. */
#pragma once

#include "../../places/paths.h"
#include "../document.h"
#include "../options.h"

FL_IDENTITY view_path_key = 0;

FL_PRIVATE const struct mod_path *view_check_path(lua_State *L, int index);

/* Raises an error unless the text is a JSON pointer. */
FL_PRIVATE void mod_check_pointer(lua_State *L, const char *s, size_t n, int arg);

/* What the options select; empty if nothing. */
struct doc_selector {
  const struct mod_path *path;
  const char *pointer;
  size_t n;
  char *room;
};

/* Prepares the options `path` and `pointer`. Pushes at most three slots. */
FL_PRIVATE_NOINLINE void mod_prepare_way_(lua_State *L, const struct mod_binary *b, struct doc_selector *way);
FL_PRIVATE_NOINLINE bin_value mod_follow_way_(const struct doc_selector *way, const struct bin_doc *doc, bin_value v);
