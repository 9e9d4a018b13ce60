/* SPDX-License-Identifier: MIT
** decoding.h -- how JSON becomes Lua values: what the options of decode say.
** Must hold: plain data. */
#pragma once

#include "../../json/grammar/scan.h"

/* What becomes of numbers that Lua's numbers do not hold. ANY: as DOUBLE, and what rounds to infinity is infinity. */
enum json_to_lua_big {
  JSON_TO_LUA_BIG_DOUBLE,
  JSON_TO_LUA_BIG_STRING,
  JSON_TO_LUA_BIG_ERROR,
  JSON_TO_LUA_BIG_INT64,
  JSON_TO_LUA_BIG_ANY,
  JSON_TO_LUA_BIG_KEPT /* an exact number, whose metatable is `int64`, counted by `kept` */
};

enum json_to_lua_duplicates { JSON_TO_LUA_LAST, JSON_TO_LUA_FIRST, JSON_TO_LUA_UNIQUE };

/* Options of a decode. Indices are absolute stack indices or those of upvalues; 0: none. */
struct json_to_lua_options {
  unsigned grammar; /* of enum json_grammar */
  enum json_bad_text bad_text;
  enum json_to_lua_big big;
  enum json_to_lua_duplicates duplicates;
  uint32_t max_depth;
  size_t max_bytes;               /* 0: any */
  const struct json_rules *rules; /* with JSON_RULES in grammar */
  unsigned char numeric_keys;
  unsigned char force_api;    /* not below the API, for any reason */
  unsigned char layout_api;   /* layout = "api" */
  unsigned char lines;        /* of format and from_json: the text is any number of documents */
  unsigned char colors;       /* of format */
  unsigned char partial;      /* of decode: the text may be the beginning of one, */
  unsigned char unfinished;   /* and a string or number that it cuts counts */
  unsigned char raw;          /* of events: the text of the data */
  unsigned char closed;       /* of readers: a source that fails with the message "closed" has ended */
  unsigned char no_digits;    /* of tokens: digits = false */
  unsigned plain_objects : 1; /* empty ones get no mark */
  unsigned drop_null : 1;     /* null = "nil" */
  unsigned safe : 1;
  uint32_t max_steps;        /* of query; 0: its default */
  int null, arrays, objects; /* a value for null; metatables */
  int int64;                 /* a Lua function: text, double -> cdata */
  size_t *kept;
  int order; /* the book of encode/order.h: objects are remembered there */
  int exact; /* the metatable of lua/exact.h: numbers keep their digits */
};
