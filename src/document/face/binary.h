/* SPDX-License-Identifier: MIT
** binary.h -- from_json, to_json, check, open, lazy.
** Must hold: as document/state.h. */
#pragma once

#include "../../binary/check/check.h"
#include "../../binary/encode/end.h"
#include "../to_json/binary_to_json.h"
#include "../from_json/json_to_binary.h"
#include "../document.h"
#include "../options.h"
#include "../state.h"
#include "../../decode/face/decode.h"
#include "../../files/file.h"
#include "unpack.h"
#include "../view/way.h"
#include "../view/read.h"

/* ------------------------------------------------------------------------------------- writing */

/* Why the writing of a document has failed. */
struct mod_write_failure {
  enum bin_error error;
  int json_error; /* of json/tokens/tokens.h */
  const char *at; /* the position of json_error */
};

/* Reads the JSON text of `d` into the encoder: one value, or with `lines` any number of them as items of the open
** array, or of a new one. False: see *failed. */
FL_PRIVATE int mod_scan_into(struct mod_decode *d, const struct mod_binary *b, struct bin_encoder *e,
                             struct mod_write_failure *failed);

/* The same, and ends the document. */
FL_PRIVATE int mod_scan_document(struct mod_decode *d, const struct mod_binary *b, struct bin_encoder *e,
                                 struct mod_write_failure *failed);

/* Raises or returns the error. */
FL_PRIVATE_NOINLINE int mod_write_error_(struct mod_decode *d, const struct mod_write_failure *failed);

/* Documents do not support the option `duplicates`; `arg`: the options. */
FL_FUNC void mod_check_duplicates(const struct mod_decode *d, int arg) {
  if (d->o.duplicates != JSON_TO_LUA_LAST) mod_unfit_option(d->L, arg, "duplicates", "\"last\"");
}

/* Makes a document of the string at the index, with the base and keys of the options. May push a value. */
FL_PRIVATE void mod_doc_of_string(lua_State *L, int index, const struct mod_binary *b, struct bin_doc *doc);

/* Checks the bytes of `doc`; its base and keys are set. */
FL_PRIVATE int mod_check_doc(lua_State *L, const struct mod_binary *b, struct bin_doc *doc, struct bin_check *c);

/* The document and value of argument `index`: a view, a document, or bytes, which are checked. 0: the error is pushed,
** in *results values. */
FL_PRIVATE int mod_binary_argument(lua_State *L, int index, const struct mod_binary *b, struct bin_doc *room,
                                   const struct bin_doc **doc, bin_value *value, int *results);

/* A value and its document, for functions that read it while something may collect. `pinned`: the document that could
** be closed meanwhile, or NULL. */
struct mod_operand {
  struct bin_doc doc, base;
  bin_value value;
  const struct mod_doc *pinned;
};

/* Reads argument `index` and pins its document; 0: as mod_binary_argument. */
FL_PRIVATE int mod_pin_operand(lua_State *L, int index, const struct mod_binary *b, struct mod_operand *o,
                               int *results);
FL_PRIVATE void mod_unpin_operand(const struct mod_operand *o);

/* ------------------------------------------------------------------------------------- documents */

/* Pushes the metatable of documents without finalizer. */
FL_FUNC void mod_push_doc_metatable(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(MOD_DOCUMENT));
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  view_push_metatable(L, &view_doc_key);
  lua_pushvalue(L, -1);
  lua_replace(L, lua_upvalueindex(MOD_DOCUMENT));
}

/* Pushes a new document without bytes, and its environment. */
FL_FUNC struct mod_doc *mod_push_doc(lua_State *L, enum mod_needs needs) {
  struct mod_doc *d = (struct mod_doc *)view_new_doc(L, sizeof *d, needs);
  memset(d, 0, sizeof *d);
  d->magic = &view_doc_magic;
  if (FL_LIKELY(needs != MOD_NEEDS_END)) mod_push_doc_metatable(L);
  else view_push_metatable(L, &view_doc_map_key);
  lua_setmetatable(L, -2);
  view_make_env(L);
  return d;
}

/* Sets the base and keys of the options for the document whose environment is on top. */
FL_PRIVATE_NOINLINE void mod_attach_base_and_keys_(lua_State *L, struct mod_doc *d, const struct mod_binary *b);

/* Checks the document, which is below its environment on top, and leaves it on the stack as the result. */
FL_PRIVATE int mod_finish_doc(lua_State *L, struct mod_doc *d, const struct mod_binary *b);
