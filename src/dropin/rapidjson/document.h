/* SPDX-License-Identifier: MIT
** document.h -- lua-rapidjson's Document: a JSON value that is read and changed by JSON Pointers.
** Must hold: a tree's block is a userdata that the document's environment or the stack keeps alive. Any allocation may
** run a finalizer that changes the document; so its tree is read again after each one. */
#pragma once

#include "../../lua/state.h"
#include "../../schema/tree/path.h"
#include "../../schema/tree/read.h"
#include "../../schema/tree/write.h"
#include "module.h"

FL_IDENTITY rapidjson_document_key = 0; /* its address is a key of the registry */

struct rapidjson_document {
  struct tree tree;
  size_t settled;
};

FL_PRIVATE struct tree_value *rapidjson_root(const struct rapidjson_document *doc);

/* Pops the block on top and makes it the block of the document at `index`. */
FL_PRIVATE void rapidjson_adopt(lua_State *L, int index, struct rapidjson_document *doc, const struct tree *tree);

/* Pushes the document's block, which keeps it alive. */
FL_PRIVATE void rapidjson_hold(lua_State *L, int index);

/* Pushes a block with the value null. */
FL_PRIVATE void rapidjson_push_null(lua_State *L, struct tree *tree);

/* Pushes a new document: null. */
FL_PRIVATE struct rapidjson_document *rapidjson_push_document(lua_State *L);

/* The object at `index`, which must have the metatable at `key`; `name` is for the error. */
FL_PRIVATE void *rapidjson_check(lua_State *L, int index, const void *key, const char *name);
FL_PRIVATE struct rapidjson_document *rapidjson_check_document(lua_State *L, int index);

/* ------------------------------------------------------------------------------------- parse */

/* Reads d's text into a tree. True: the tree's block is pushed. */
FL_PRIVATE int rapidjson_scan_tree(struct mod_decode *d, struct tree *tree);

/* Takes the text at `index` without its byte order mark; returns its first byte. */
FL_PRIVATE const char *rapidjson_set_text(struct mod_decode *d, int index);

/* document:parse(text) -> true; or nil, message */
FL_PRIVATE int rapidjson_parse(lua_State *L);

/* document:parseFile(path) -> true; or nil, message */
FL_PRIVATE int rapidjson_parse_file(lua_State *L);

/* Pushes the block of a tree with the Lua value at `value`: it is encoded, and the text is read. */
FL_PRIVATE void rapidjson_push_tree(lua_State *L, int value, struct tree *tree);

/* document:stringify([options]) -> text */
FL_PRIVATE int rapidjson_stringify(lua_State *L);

/* document:save(path [, options]) */
FL_PRIVATE int rapidjson_save(lua_State *L);

/* document:get(pointer [, default]) -> value */
FL_PRIVATE int rapidjson_get(lua_State *L);

/* document:set(pointer, value) */
FL_PRIVATE int rapidjson_set(lua_State *L);

/* ------------------------------------------------------------------------------------- the class */

FL_PRIVATE int rapidjson_document_tostring(lua_State *L);

/* Document([text or table]) -> document. It is null if the text is invalid. */
FL_PRIVATE int rapidjson_document(lua_State *L);

/* clang-format off */
static const luaL_Reg rapidjson_document_methods[] = {
    {"parse", rapidjson_parse}, {"parseFile", rapidjson_parse_file}, {"get", rapidjson_get}, {"set", rapidjson_set},
    {"stringify", rapidjson_stringify}, {"save", rapidjson_save}, {"__tostring", rapidjson_document_tostring},
    {NULL, NULL},
};

/* clang-format on */
