/* SPDX-License-Identifier: MIT
** lossless.h -- decoding that remembers members' order and numbers' digits: order = true, numbers = "exact".
** May call: base, number, json, layout, convert, lua_*.
** Must hold: as api.h. It has scans of its own, so that other decodes do not ask whether something is to be
** remembered. */
#ifndef FLEECE_CONVERT_JSON_TO_LUA_LOSSLESS_H
#define FLEECE_CONVERT_JSON_TO_LUA_LOSSLESS_H

#include "api.h"

FL_PRIVATE_NOINLINE const char *json_to_lua_lossless_scan(struct json_to_lua *k, struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *json_to_lua_lossless_scan_part(struct json_to_lua *k, struct json_scan *j,
                                                               const char *p);
FL_PRIVATE void json_to_lua_lossless_pass(struct json_to_lua *k);
FL_PRIVATE int json_to_lua_lossless_flush(lua_State *L, int table, size_t done, size_t n);

/* The decoder with these scans, over the public API. */
static const struct json_to_lua_decoder json_to_lua_lossless_decoder = {
    json_to_lua_lossless_scan, json_to_lua_lossless_scan_part, json_to_lua_lossless_pass,
    json_to_lua_lossless_pass, json_to_lua_grow_scratch,       NULL,
    json_to_lua_lossless_flush};

#endif
