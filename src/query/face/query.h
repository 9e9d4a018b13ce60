/* SPDX-License-Identifier: MIT
** query.h -- query(text [, options]): a JSONPath query (RFC 9535) compiled once, for tables, texts and views.
** Must hold: all memory of a call is in userdata on the Lua stack. No Lua code runs while a query is evaluated,
** except finalizers, and the __tostring of a cdata that is not an integer: metamethods and hooks of tables are not
** called. */
#pragma once

#include "../program.h"
#include "../../decode/face/decode.h"
#include "../../lua/parts.h"

/* The upvalue of a query's functions, after those of all functions: a table of the names in its selectors. */
enum { MOD_QUERY_NAMES = MOD_UPVALUES + 1, MOD_QUERY_UPVALUES = MOD_QUERY_NAMES };

/* Default limit for the steps of a call: a few seconds. */
enum { MOD_QUERY_STEPS = 50000000 };

/* Limit for each of two blocks that stay between queries of texts. */
enum { MOD_QUERY_KEEP = MOD_KEEP / 2 };

/* raw.c: initial room for results and bytes of paths, and spare; limits for the room kept because the last call needed
** it; limit for results; attempts before using the public API. */
enum {
  MOD_QUERY_ROOM = 8,
  MOD_QUERY_TEXTS = 512,
  MOD_QUERY_GUESS = 1 << 20,
  MOD_QUERY_MOST = 1 << 26,
  MOD_QUERY_TRIES = 5
};

FL_IDENTITY mod_query_magic = 0;

/* A compiled query. The program follows it. */
struct mod_query {
  const char *magic;
  struct mod_state *state; /* kept alive by an upvalue */
  struct json_to_lua_options o;
  struct json_style style; /* decides whether a table is an array */
  uint64_t max_steps;
  int of_edit;          /* its options are those of edit: numbers of any size, a name on the way must be there once */
  uint32_t room, texts; /* of the last call: results, and bytes of paths; the next one begins with as much room */
  struct query_program *program;
};

/* What a call wants to know about the nodes found. */
enum mod_query_wants { MOD_QUERY_VALUES, MOD_QUERY_PATHS, MOD_QUERY_BOTH };

struct mod_query_call {
  lua_State *L;
  struct mod_query *query;
  enum mod_query_wants wants;
  int null;    /* stack index of the value that stands for null, like fleece.null, or 0 */
  int book;    /* with `order`: stack index of encode/order.h's book; 0: order of next */
  int blocks;  /* first slot of value_block and query_block */
  int names;   /* stack index of the table of names */
  int results; /* of the list of results */
  int count;
};

/* Begins a run over the form's values, which start with `walk`. `memory`: a value_memory with the owner `owner`, or
** NULL for userdata on the Lua stack. */
FL_PRIVATE void mod_query_begin(struct query_run *r, struct value_walk *walk, struct mod_query_call *call,
                                value_memory memory, void *owner);

/* Adds the value on top, which is popped, to the results, with the path in `r`. */
FL_PRIVATE int mod_query_add(struct query_run *r, struct mod_query_call *call);

/* Begins a decode with the query's options, and pushes the values for null and so on. */
FL_PRIVATE void mod_query_begin_decode(struct mod_decode *d, lua_State *L, const struct mod_query *q);

/* Find values and paths. For the text at `value`; VALUE_ERROR_REDO: decode it first. For the table there, below the
** API; VALUE_ERROR_REDO: use the next function, which also takes scalars. For the view or document. */
FL_PRIVATE enum value_error mod_query_text(struct mod_query_call *call, int value);
FL_PRIVATE enum value_error mod_query_raw(struct mod_query_call *call, int value);
FL_PRIVATE enum value_error mod_query_tables(struct mod_query_call *call, int value);
#if PART_HAS_document
/* Returns whether the userdata is a view or a document. */
FL_PRIVATE int mod_query_is_document(lua_State *L, int index);
FL_PRIVATE enum value_error mod_query_documents(struct mod_query_call *call, int value);
#else
#define mod_query_is_document(L, index) 0
#define mod_query_documents(call, value) VALUE_ERROR_REDO
#endif

/* query(text [, options]) -> q; q(value) -> list of values */
FL_PRIVATE int mod_query(lua_State *L);

/* q(value), q:each(value) -> an iterator over value, path; q:paths(value) -> list of paths. Argument errors name them
** so. */
FL_TABLE const luaL_Reg mod_query_methods[4];
