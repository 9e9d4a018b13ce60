/* SPDX-License-Identifier: MIT
** schema.h -- schema(schema [, options]): a JSON Schema compiled once, for tables, texts, documents and views.
** Must hold: all memory of a call is in userdata on the Lua stack, or freed before anything can raise. While a value is
** checked only these run Lua code: finalizers, a cdata's __tostring, and the user's checks. */
#pragma once

#include "../compile/compile.h"
#include "../run/report.h"
#include "../run/run.h"
#include "../../decode/face/decode.h"
#include "../../lua/parts.h"
#include "../../values/texts.h"

/* Upvalues of a schema's functions, after those that all functions have: the table of its program's names, and the
** table that keeps its memory. */
enum { MOD_SCHEMA_NAMES = MOD_UPVALUES + 1, MOD_SCHEMA_KEPT, MOD_SCHEMA_UPVALUES = MOD_SCHEMA_KEPT };

/* The index of the kept table of the pointers that failures had, before those of memory. */
enum { MOD_SCHEMA_POINTERS = 0 };

/* Default limits: steps of a call (a few seconds), and reported failures. */
enum {
  MOD_SCHEMA_STEPS = 100000000,
  MOD_SCHEMA_ERRORS = 1000,
  MOD_SCHEMA_MOST_ERRORS = INT32_MAX,
  MOD_SCHEMA_TRIES = 3
};

FL_IDENTITY mod_schema_magic = 0;

/* Options of schema that decode lacks. */
struct mod_schema_options {
  unsigned char draft; /* index of the option's word */
  unsigned char empty; /* an enum schema_empty */
  unsigned char strict;
  unsigned char hides_values; /* values = false */
  unsigned char asserts_contents;
  unsigned char asserts_formats;
  unsigned char any; /* handled elsewhere */
  unsigned max_errors;
};

struct mod_schema_chosen; /* fused_chosen.h */
enum { MOD_SCHEMA_CHOSEN = 64 };

struct mod_schema {
  const char *magic;
  struct mod_state *state; /* kept alive by an upvalue */
  struct json_to_lua_options o;
  struct json_style style; /* decides whether a table is an array */
  struct mod_schema_options own;
  uint64_t max_steps;
  int fuses, fuses_verdict; /* whether texts can be checked in one pass, with decoding and without */
  struct schema_program *program;
  /* From an object's key on, at the key and at the place after each member: the number + 1 of the property that came
  ** next the last time, a plain one, or 0.
  ** After all of these, for each name whether this tag came late, see fused_branches.h. */
  uint32_t *following;
  struct mod_schema_chosen *chosen; /* MOD_SCHEMA_CHOSEN of them, or NULL */
};

/* A value of a text that a unit checks later: an array, and not by a unit but for equal items, if that is
** MOD_SCHEMA_ONLY_UNIQUE. */
enum { MOD_SCHEMA_ONLY_UNIQUE = SCHEMA_UNIT_TRUE };

struct mod_schema_later {
  size_t at; /* offset of its first byte */
  uint32_t unit;
};

struct mod_schema_call {
  lua_State *L;
  const struct mod_schema *schema;
  struct schema_report *report; /* NULL: only a verdict */
  struct schema_run *run;       /* the current run */
  int values;                   /* of decoding: see MOD_VALUES */
  int null;                     /* stack index of the value for null, or 0 */
  int book;                     /* stack index of encode/order.h's book, or 0 */
  int blocks;                   /* first slot of the blocks, or 0; after them the slot of a check's message */
  const void *places, *frames;  /* the first blocks, C arrays */
  int names;                    /* stack index of the table of names */
  int kept;                     /* stack index of the table that keeps memory */
  int value;                    /* stack index of the value; values above it are dropped */
  int text;                     /* stack index of its original text, or 0 */
  int env;                      /* of a document: environment and metatable for views of it, */
  const struct mod_doc *owner;  /* and the document */
  int fills;                    /* the report lists missing members that have defaults */
  int is_valid;
  int pass;                 /* over the text by s(text): 1: has not decided; -1: has refused it; else 0 */
  size_t passed;            /* if it has refused it: values that end before this offset are valid; else 0 */
  struct schema_line place; /* where counting lines stopped */
  struct mod_schema own;    /* last: a copy of the schema with options of this call, if `schema` points to it */
};

/* On the C stack: enough for most values, and for most texts of requests. */
enum { SCHEMA_FEW_FRAMES = 8, SCHEMA_FEW_PLACES = 64 };

/* Reads the options of argument `arg`, a table. */
FL_PRIVATE void mod_schema_read_options(lua_State *L, int arg, struct mod_schema_options *o);

/* Reserves n stack slots. */
FL_FUNC void mod_schema_reserve(lua_State *L, int *first, int n) {
  compat_need_stack(L, n + LUA_MINSTACK);
  *first = lua_gettop(L) + 1;
  lua_settop(L, *first + n - 1);
}

/* Begins a run over the values of a form, which start with `walk`. If `memory` is NULL, memory is userdata on the Lua
** stack. */
FL_PRIVATE void mod_schema_begin(struct schema_run *r, struct value_walk *walk, struct mod_schema_call *call,
                                 value_memory memory, void *owner);

/* Begins a decode with the schema's options, and pushes the values for null and so on. `values`: see MOD_VALUES. */
FL_PRIVATE void mod_schema_begin_decode(struct mod_decode *d, lua_State *L, const struct mod_schema *s, int values);

/* Returns whether values/texts.h can read texts with these options. */
FL_PRIVATE int mod_schema_is_readable(const struct json_to_lua_options *o);

/* Indexes the text. Returns 0 if another form has to be tried. */
FL_PRIVATE int mod_schema_scan(struct value_texts *values, const struct mod_schema_call *call, int text);

/* Check the value at the index, and set call->is_valid. For a text, VALUE_ERROR_REDO: decode it first. For a table
** below the API, without a report, VALUE_ERROR_REDO: use the next function, which also takes scalars. For a view or
** document. */
FL_PRIVATE enum value_error mod_schema_text(struct mod_schema_call *call, int value);
FL_PRIVATE enum value_error mod_schema_report_text(struct mod_schema_call *call, int value);
FL_PRIVATE enum value_error mod_schema_raw(struct mod_schema_call *call, int value);
FL_PRIVATE enum value_error mod_schema_tables(struct mod_schema_call *call, int value);
#if PART_HAS_document
FL_PRIVATE int mod_schema_is_document(lua_State *L, int index);
FL_PRIVATE enum value_error mod_schema_documents(struct mod_schema_call *call, int value);
#else
#define mod_schema_is_document(L, index) 0
#define mod_schema_documents(call, value) VALUE_ERROR_REDO
#endif

/* Returns whether all these parts of the text at the index are valid; the rest was checked while decoding. */
FL_PRIVATE int mod_schema_text_later(struct mod_schema_call *call, int text, const struct mod_schema_later *later,
                                     size_t count);

/* Decodes and checks the text at index 2, and pushes the value. Returns 0, with the stack as before, if the text must
** be read again to find out what is wrong. */
FL_PRIVATE int mod_schema_decode_fused(struct mod_schema_call *call);

/* Returns 1 if the text at the index passes, as found in one pass; -1 if it most likely does not, with *passed as in
** mod_schema_call; 0 if this cannot decide it. What it pushes stays then. */
FL_PRIVATE int mod_schema_passes(lua_State *L, const struct mod_schema *s, int text, size_t *passed);

/* Does that, without options that change what a text may be. *parts: for parts of the text. */
struct mod_schema_texts;
FL_PRIVATE int mod_schema_check_fused(struct mod_schema_call *call, int text, struct mod_schema_texts *parts);

/* Checks a container of the text by `count` units; `scan` is at its bracket. Takes its steps from *walk. Returns its
** last byte, or NULL for one that is not valid, or that this cannot decide. */
FL_PRIVATE const char *mod_schema_text_part(struct mod_schema_texts *t, const struct json_scan *scan,
                                            const struct mod_schema_later *parts, size_t count,
                                            struct value_walk *walk);

/* Finds out what can be done in one pass. */
FL_PRIVATE void mod_schema_set_fuses(struct mod_schema *s);

/* Returns the size of `chosen`, 0 if the program has nothing that an object may choose. */
FL_PRIVATE size_t mod_schema_chosen_size(const struct schema_program *p);

enum mod_schema_form { MOD_SCHEMA_TEXT, MOD_SCHEMA_TABLE, MOD_SCHEMA_VIEW, MOD_SCHEMA_WRONG_TEXT };

/* Prepares a call and finds the form of the value. `first`: the value is the first argument, as in s(value). */
FL_PRIVATE void mod_schema_start(lua_State *L, struct mod_schema_call *call, enum mod_schema_form *form, int first);

/* Runs the schema over the value; a text may be replaced by its decoded form. What it pushes stays. */
FL_PRIVATE enum value_error mod_schema_run(struct mod_schema_call *call, enum mod_schema_form *form);

/* Begins a report of at most `wanted` failures. */
FL_PRIVATE void mod_schema_ask(struct mod_schema_call *call, struct schema_report *report, size_t wanted);

/* Pushes the message and the failure of an invalid value and returns 2. After an error returns -n, with n results
** pushed. Returns 0 if a text that only one pass has refused is valid after all. */
FL_PRIVATE int mod_schema_explain(struct mod_schema_call *call, enum mod_schema_form form);

/* Finds the places of the report's failures in the text that the value was decoded from, within max_steps. */
FL_PRIVATE void mod_schema_locate(struct mod_schema_call *call);

/* Pushes words for people. They are UTF-8, so that they can be encoded: other bytes become U+FFFD. */
FL_PRIVATE void mod_schema_push_words(lua_State *L, const char *s, size_t n);

/* Pushes failure i of the report as a table, with its causes. */
FL_PRIVATE void mod_schema_push_failure(struct mod_schema_call *call, size_t i);

/* Pushes a decoded step of a JSON Pointer. */
FL_PRIVATE void mod_schema_push_step(lua_State *L, const char *s, size_t n);

/* Sets byte, line and column of offset `at` of the call's text in the table on top. */
FL_PRIVATE void mod_schema_set_place(struct mod_schema_call *call, uint64_t at);

/* Calls the user's check with this number in a kept list for the value on top, and pops the value. `op`: the keyword's
** operation, whose value is passed too; NULL for a format. */
FL_PRIVATE int mod_schema_call_check(struct mod_schema_call *call, const char *list, uint32_t number,
                                     const struct schema_op *op);

/* Push the text at a place in a source of the schema, or its decoded value (nil if Lua has no such number). `values`:
** see MOD_VALUES. */
FL_PRIVATE void mod_schema_push_text_of(lua_State *L, const struct schema_program *p, uint32_t source, uint32_t place);
FL_PRIVATE void mod_schema_push_value_of(lua_State *L, const struct mod_schema *s, uint32_t source, uint32_t place,
                                         int values);

/* Raises the error of a call, or returns the number of results pushed: false or nil, and a message. */
FL_PRIVATE int mod_schema_fail(const struct mod_schema_call *call, enum value_error error);

/* Pushes the schema made of the arguments of schema(schema [, options]). `is_lenient`: the compiler's setting, for
** draft 4. */
FL_PRIVATE int mod_schema_make(lua_State *L, int is_lenient);

/* schema(schema [, options]) -> s; s(value) -> true, or false, message, failure */
FL_PRIVATE int mod_schema(lua_State *L);

/* s(value); s:errors(value [, max]) -> list of failures; s:decode(text [, options]) -> value, or nil, message,
** failure. */
FL_PRIVATE int mod_schema_check(lua_State *L);
FL_PRIVATE int mod_schema_errors(lua_State *L);
FL_PRIVATE int mod_schema_decode(lua_State *L);

/* s:fill(value) -> the value with defaults, or nil, message, failure. */
FL_PRIVATE int mod_schema_fill(lua_State *L);

/* The names in argument errors. */
static const luaL_Reg mod_schema_methods[] = {{"schema", mod_schema_check},
                                              {"errors", mod_schema_errors},
                                              {"decode", mod_schema_decode},
                                              {"fill", mod_schema_fill},
                                              {NULL, NULL}};
