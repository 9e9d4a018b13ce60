/* SPDX-License-Identifier: MIT
** views.h -- the metatables of documents, views, paths, data and keys; fleece.data and fleece.keys.
** Must hold: all metatables are created once for each Lua state, when the first of them is needed, and kept in the
** registry. */
#pragma once

#include "delta.h"
#include "../../binary/encode/end.h"
#include "dump.h"
#include "binary.h"
#include "save.h"
#include "mutable.h"
#include "../view/walk.h"

/* doc:close(): frees the bytes at once. */
FL_PRIVATE int view_doc_close(lua_State *L);

/* ------------------------------------------------------------------------------------- data */

/* data(bytes) -> a value that is bytes, not text */
FL_PRIVATE int mod_data(lua_State *L);

/* Pushes an object for shared keys, without any. */
FL_PRIVATE struct mod_keys *view_push_keys(lua_State *L);

/* keys([state]) -> an object with the shared keys of documents; `state` is the result of its save() */
FL_PRIVATE int mod_new_keys(lua_State *L);

/* keys:save() -> the state, bytes */
FL_PRIVATE int view_keys_save(lua_State *L);

/* keys:code(name) -> the name's code, or nil; keys:name(code) -> its name, or nil */
FL_PRIVATE int view_keys_code(lua_State *L);
FL_PRIVATE int view_keys_name(lua_State *L);

/* keys:add(name) -> its code, a new one if the name is eligible; or nil */
FL_PRIVATE int view_keys_add(lua_State *L);

/* Metamethods that raise errors of their operands. */
static const luaL_Reg view_operators[] = {{"", mutable_set}, {"", mutable_get}, {NULL, NULL}};

/* The methods; module/module.h also finds the names of functions here. */
static const luaL_Reg mutable_methods[] = {
    {"insert", mutable_insert}, {"changed", mutable_changed}, {"totable", mutable_totable}, {NULL, NULL}};

static const luaL_Reg view_methods[] = {{"get", view_get},       {"pointer", view_pointer}, {"walk", view_walk},
                                        {"totable", mod_unpack}, {"mutable", view_mutable}, {NULL, NULL}};

static const luaL_Reg view_doc_methods[] = {
    {"close", view_doc_close}, {"get", view_get},           {"pointer", view_pointer},
    {"walk", view_walk},       {"totable", mod_unpack},     {"mutable", view_mutable},
    {"amend", view_doc_amend}, {"append", view_doc_append}, {NULL, NULL}};

static const luaL_Reg view_keys_methods[] = {
    {"save", view_keys_save}, {"code", view_keys_code}, {"name", view_keys_name}, {"add", view_keys_add}, {NULL, NULL}};

/* Stores view_make_metatables in the registry, unless it is there. The upvalues of the module's functions are on the
** stack, from `base` on. Methods raise, also where only fleece.safe is there. */
FL_PRIVATE void view_register_metatables(lua_State *L, int base);
