/* SPDX-License-Identifier: MIT
** schema.h -- schema(schema [, options]): a JSON Schema compiled once, for tables, texts, documents and views.
** Must hold: all memory of a call is in userdata on the Lua stack, or given back before anything can raise. No Lua code
** runs while a value is checked, except finalizers, a __tostring of cdata, and checks that the user gave. */
#pragma once

#include "../compile/compile.h"
#include "../run/report.h"
#include "../run/run.h"
#include "../../decode/face/decode.h"
#include "../../lua/parts.h"
#include "../../values/texts.h"

/* Upvalues of a schema's functions, after those of all functions: a table of the names in its program, and one that
** keeps its memory. */
enum { MOD_SCHEMA_NAMES = MOD_UPVALUES + 1, MOD_SCHEMA_KEPT, MOD_SCHEMA_UPVALUES = MOD_SCHEMA_KEPT };

/* Steps that a call may make by default, a few seconds; failures that are reported. */
enum {
  MOD_SCHEMA_STEPS = 100000000,
  MOD_SCHEMA_ERRORS = 1000,
  MOD_SCHEMA_MOST_ERRORS = INT32_MAX,
  MOD_SCHEMA_TRIES = 3
};

FL_IDENTITY mod_schema_magic = 0;

/* Options of schema that decode does not have. */
struct mod_schema_options {
  unsigned char draft; /* a word of the option */
  unsigned char empty; /* an enum schema_empty */
  unsigned char strict;
  unsigned char hides_values; /* values = false */
  unsigned char asserts_contents;
  unsigned char asserts_formats;
  unsigned char any; /* read elsewhere */
  unsigned max_errors;
};

/* A compiled schema. */
struct mod_schema {
  const char *magic;
  struct mod_state *state; /* an upvalue keeps it alive */
  struct json_to_lua_options o;
  struct json_style style; /* what decides whether a table is an array */
  struct mod_schema_options own;
  uint64_t max_steps;
  int fuses; /* texts can be decoded and checked in one pass */
  struct schema_program *program;
};

/* A place in a text, counted from 0. */
struct mod_schema_place {
  size_t at, line, column;
};

/* A value of a text that is to be checked by a unit. */
struct mod_schema_later {
  size_t at; /* its first byte */
  uint32_t unit;
};

/* One call. */
struct mod_schema_call {
  lua_State *L;
  const struct mod_schema *schema;
  struct schema_report *report; /* NULL: the verdict */
  struct schema_run *run;       /* the one that is going on */
  int null;                     /* stack index of what stands for null; 0: nothing */
  int book;                     /* of the book of encode/order.h; 0: none */
  int blocks;                   /* the first of the slots of blocks, after which is that of what a check said */
  const void *places, *frames;  /* the first of these blocks, which are in C */
  int names;                    /* stack index of the table of names */
  int kept;                     /* stack index of the table of what the schema keeps */
  int value;                    /* stack index of the value; what is above it goes */
  int text;                     /* of the text that it was; 0: it was none */
  int env;                      /* of a document: what views of it need, and their metatable; */
  const struct mod_doc *owner;  /* itself */
  int fills;                    /* the report is of what is missing */
  int is_valid;
  struct mod_schema_place place; /* the last one that was counted */
};

/* Reads the options of argument `arg`, a table. */
FL_PRIVATE void mod_schema_read_options(lua_State *L, int arg, struct mod_schema_options *o);

/* Begins a run over the form's values, which begin with `walk`. memory: NULL: userdata on the Lua stack. */
FL_PRIVATE void mod_schema_begin(struct schema_run *r, struct value_walk *walk, struct mod_schema_call *call,
                                 value_memory memory, void *owner);

/* Begins a decode with the schema's options, and pushes what they put in the place of null and so on. `values`: as
** MOD_VALUES. */
FL_PRIVATE void mod_schema_begin_decode(struct mod_decode *d, lua_State *L, const struct mod_schema *s, int values);

/* Can texts be read as values/texts.h does, with these options? */
FL_PRIVATE int mod_schema_is_readable(const struct json_to_lua_options *o);

/* Reads the text at the index. False: another form has to be tried. */
FL_PRIVATE int mod_schema_scan(struct value_texts *values, const struct mod_schema_call *call, int text);

/* Check the value at the index, and set call->is_valid: a text; VALUE_ERROR_REDO: it has to be decoded. A table below
** the API, without a report; VALUE_ERROR_REDO: the next one has to do it, for a table or scalar. A view or document. */
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

/* Checks parts of the text at the index, which was decoded: are all valid? */
FL_PRIVATE int mod_schema_text_later(struct mod_schema_call *call, int text, const struct mod_schema_later *later,
                                     size_t count);

/* Decodes the text at index 2, and checks it meanwhile: the value is on top. False: it is to be read again, to find out
** why not; the stack is as before. */
FL_PRIVATE int mod_schema_decode_fused(struct mod_schema_call *call);

/* Can texts be decoded so, and is that of use? */
FL_PRIVATE int mod_schema_can_fuse(const struct schema_program *p);

/* What the value is. */
enum mod_schema_form { MOD_SCHEMA_TEXT, MOD_SCHEMA_TABLE, MOD_SCHEMA_VIEW, MOD_SCHEMA_WRONG_TEXT };

/* Prepares a call. `first`: it is s(value), whose value is its first argument. */
FL_PRIVATE void mod_schema_start(lua_State *L, struct mod_schema_call *call, enum mod_schema_form *form, int first);

/* Runs the schema over the value; a text may be decoded in its place. What it pushes stays. */
FL_PRIVATE enum value_error mod_schema_run(struct mod_schema_call *call, enum mod_schema_form *form);

/* Begins a report of at most so many failures. */
FL_PRIVATE void mod_schema_ask(struct mod_schema_call *call, struct schema_report *report, size_t wanted);

/* Pushes the message and the failure of a value that is not valid. Returns 2, or after an error -n, with n results. */
FL_PRIVATE int mod_schema_explain(struct mod_schema_call *call, enum mod_schema_form form);

/* Finds the places of the report's failures in the text of which the value was made, as far as max_steps allows. */
FL_PRIVATE void mod_schema_locate(struct mod_schema_call *call);

/* Pushes the failure number i of the report as a table, with its causes. */
FL_PRIVATE void mod_schema_push_failure(struct mod_schema_call *call, size_t i);

/* Pushes what a step of a JSON Pointer means. */
FL_PRIVATE void mod_schema_push_step(lua_State *L, const char *s, size_t n);

/* Sets byte, line and column of the byte, from 0, of the call's text in the table on top. */
FL_PRIVATE void mod_schema_set_place(struct mod_schema_call *call, uint64_t at);

/* Calls the user's check with that number in a list of what the schema keeps, for the value on top, which is popped.
** `op`: of a keyword, whose value the check is given, too; NULL: it is a format. */
FL_PRIVATE int mod_schema_call_check(struct mod_schema_call *call, const char *list, uint32_t number,
                                     const struct schema_op *op);

/* Pushes the text of a place in a source of the schema; what it is decoded to, nil if Lua has no such number. `values`:
** as MOD_VALUES. */
FL_PRIVATE void mod_schema_push_text_of(lua_State *L, const struct schema_program *p, uint32_t source, uint32_t place);
FL_PRIVATE void mod_schema_push_value_of(lua_State *L, const struct mod_schema *s, uint32_t source, uint32_t place,
                                         int values);

/* Raises the error of a call, or returns false or nil and its message. */
FL_PRIVATE int mod_schema_fail(const struct mod_schema_call *call, enum value_error error);

/* Pushes the schema of the arguments of schema(schema [, options]). is_lenient: as of the compiler, in draft 4. */
FL_PRIVATE int mod_schema_make(lua_State *L, int is_lenient);

/* schema(schema [, options]) -> s; s(value) -> true, or false, message, failure */
FL_PRIVATE int mod_schema(lua_State *L);

/* s(value); s:errors(value [, max]) -> list of failures; s:decode(text) -> value, or nil, message, failure. */
FL_PRIVATE int mod_schema_check(lua_State *L);
FL_PRIVATE int mod_schema_errors(lua_State *L);
FL_PRIVATE int mod_schema_decode(lua_State *L);

/* s:fill(value) -> the value with defaults, or nil, message, failure. */
FL_PRIVATE int mod_schema_fill(lua_State *L);

/* As errors of arguments name them. */
static const luaL_Reg mod_schema_methods[] = {{"schema", mod_schema_check},
                                              {"errors", mod_schema_errors},
                                              {"decode", mod_schema_decode},
                                              {"fill", mod_schema_fill},
                                              {NULL, NULL}};
