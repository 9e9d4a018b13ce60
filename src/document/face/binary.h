/* SPDX-License-Identifier: MIT
** binary.h -- from_json, to_json, check, open, lazy, open_file.
** Must hold: as document/state.h. */
#pragma once

#include "../../binary/check/check.h"
#include "../to_json/binary_to_json.h"
#include "../options.h"
#include "../../decode/face/decode.h"
#include "../../files/append.h"
#include "../../files/file.h"
#include "unpack.h"
#include "../view/read.h"

/* Why writing a document failed. */
struct mod_write_failure {
  enum bin_error error;
  int json_error; /* an error of json/tokens/tokens.h */
  const char *at; /* where json_error occurred */
};

/* Reads the JSON text of `d` into the encoder: one value, or with `lines` any number, as items of the open array or of
** a new one. Returns 0 after an error, with *failed set. */
FL_PRIVATE int mod_scan_into(struct mod_decode *d, const struct mod_binary *b, struct bin_encoder *e,
                             struct mod_write_failure *failed);

/* Like mod_scan_into, and ends the document. */
FL_PRIVATE int mod_scan_document(struct mod_decode *d, const struct mod_binary *b, struct bin_encoder *e,
                                 struct mod_write_failure *failed);

/* Raises the error, or returns nil and the error. */
FL_PRIVATE_NOINLINE int mod_write_error_(struct mod_decode *d, const struct mod_write_failure *failed);

/* Refuses the option `duplicates`, which documents do not support. `arg`: index of the options. */
FL_FUNC void mod_check_duplicates(const struct mod_decode *d, int arg) {
  if (d->o.duplicates != JSON_TO_LUA_LAST) mod_unfit_option(d->L, arg, "duplicates", "\"last\"");
}

/* Makes a document of the string at the index, with the base and keys of the options. May push a value that keeps it
** alive. */
FL_PRIVATE void mod_doc_of_string(lua_State *L, int index, const struct mod_binary *b, struct bin_doc *doc);

/* Checks the bytes of `doc`, whose base and keys must be set. */
FL_PRIVATE int mod_check_doc(lua_State *L, const struct mod_binary *b, struct bin_doc *doc, struct bin_check *c);

/* Finds the document and value of argument `index`: a view, a document, or bytes, which are checked. Returns 0 after an
** error, with *results values pushed. */
FL_PRIVATE int mod_binary_argument(lua_State *L, int index, const struct mod_binary *b, struct bin_doc *room,
                                   const struct bin_doc **doc, bin_value *value, int *results);

/* A value and its document, for functions that read it while the collector may run. `pinned`: the document that needs
** unpinning, or NULL. */
struct mod_operand {
  struct bin_doc doc, base;
  bin_value value;
  const struct mod_doc *pinned;
};

/* Reads argument `index` and pins its document. Returns 0 after an error, like mod_binary_argument. */
FL_PRIVATE int mod_pin_operand(lua_State *L, int index, const struct mod_binary *b, struct mod_operand *o,
                               int *results);
FL_PRIVATE void mod_unpin_operand(const struct mod_operand *o);

/* Pushes the metatable of documents without finalizer. */
FL_FUNC void mod_push_doc_metatable(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(MOD_DOCUMENT));
  if (FL_LIKELY(!lua_isnil(L, -1))) return;
  lua_pop(L, 1);
  view_push_metatable(L, &view_doc_key);
  compat_copy(L, -1, lua_upvalueindex(MOD_DOCUMENT));
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

/* Sets base and keys of the document whose environment is on top. */
FL_PRIVATE_NOINLINE void mod_attach_base_and_keys_(lua_State *L, struct mod_doc *d, const struct mod_binary *b);

/* Checks the document, which is below its environment on top. Leaves it on the stack and returns the number of
** results. */
FL_PRIVATE int mod_finish_doc(lua_State *L, struct mod_doc *d, const struct mod_binary *b);

/* What append needs to know about a document's file with frames; stored at VIEW_ENV_FILE. The file's name follows, with
** a 0. */
struct mod_stored {
  struct append_state at;
  unsigned names; /* number of shared keys in the file */
  int is_damaged; /* recover: invalid bytes follow in the file */
  int in_memory;  /* map = false */
};

/* Opens the stream `file`, which a userdata owns, up to `limit` bytes. Pushes the document or the results of an error,
** whose message does not name the file. Closes the stream. */
FL_PRIVATE int mod_open_stream(lua_State *L, const char *path, FILE **file, struct mod_binary *b, uint64_t limit);

/* Like mod_open_stream, for a file name. */
FL_PRIVATE int mod_open_named(lua_State *L, const char *path, struct mod_binary *b);
