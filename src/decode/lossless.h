/* SPDX-License-Identifier: MIT
** lossless.h -- decoding that remembers members' order and numbers' digits: order = true, numbers = "exact".
** Must hold: as api.h. It has its own scans, so that other decodes do not test whether to remember something: below
** the API for each layout (raw.h), and one over it, which reads a whole text as a part that has no end.
** The names of a shape make one list, which all objects of that shape share. */
#pragma once

#include "../lua/exact.h"
#include "../encode/order_slots.h"
#include "api.h"

/* Index of the table of the shapes' lists in the table with the shapes' names and memory. It is created on first
** use. */
FL_INLINE int json_to_lua_shape_lists(const struct json_to_lua *k) { return (int)k->shapes->room + 2; }

FL_PRIVATE_NOINLINE const char *json_to_lua_lossless_scan(struct json_to_lua *k, struct json_scan *j, const char *p);
FL_PRIVATE_NOINLINE const char *json_to_lua_lossless_scan_part(struct json_to_lua *k, struct json_scan *j,
                                                               const char *p);
FL_PRIVATE void json_to_lua_lossless_pass(struct json_to_lua *k);
FL_PRIVATE int json_to_lua_lossless_flush(lua_State *L, int table, size_t done, size_t n);

/* The decoder with this scan, over the public API. */
static const struct json_to_lua_decoder json_to_lua_lossless_decoder = {json_to_lua_lossless_scan,
                                                                        json_to_lua_lossless_scan_part,
                                                                        json_to_lua_lossless_pass,
                                                                        json_to_lua_lossless_pass,
                                                                        json_to_lua_grow_scratch,
                                                                        json_to_lua_lossless_flush,
                                                                        NULL};

/* Prepares a scan in parts whose part is a whole text. */
FL_INLINE void json_to_lua_begin_whole(struct json_scan *j) {
  j->whole = 1;
  j->cut = 0;
  j->expected = JSON_EXPECT_VALUE;
  j->in = SCAN_ROOT;
  j->stop = j->end + 1;
}

/* Like num_parse: see SCAN_NUMBER of the template. */
FL_INLINE const char *json_to_lua_lossless_parse(const struct json_to_lua *k, const char *p, const char *end,
                                                 struct num_value *v) {
  return exact_parse(p, end, v, k->o->exact);
}

/* The events that differ, over the public API. */
FL_PRIVATE int json_to_lua_lossless_number(struct json_to_lua *k, const char *text, size_t n,
                                           const struct num_value *v);
FL_PRIVATE enum scan_container json_to_lua_lossless_close(struct json_to_lua *k, enum scan_container kind);

/* Before a scan: finds `orders` and `shape_lists`, if orders are to be remembered. */
FL_PRIVATE void json_to_lua_take_lists(struct json_to_lua *k);

/* Remembers the order of the members of the table on top, which stays and has this shape. */
FL_PRIVATE void json_to_lua_remember_order(struct json_to_lua *k, unsigned shape);
