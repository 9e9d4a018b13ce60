/* SPDX-License-Identifier: MIT
** option_names.h -- which options each function knows, and the error for an unknown one.
** Must hold: a name is in the list of a function only if it has an effect there. fleece.new knows all names, because
** its options apply to all functions. */
#pragma once

#include "arguments.h"

/* Lists of words, "a|b|c". Strings in C99 may have 4095 characters. */
#define MOD_NAMES_GRAMMAR "comments|trailing_commas|json5|bom|invalid_numbers|invalid_utf8|max_depth|max_bytes"
#define MOD_NAMES_DECODE \
  MOD_NAMES_GRAMMAR "|null|arrays|objects|big_numbers|duplicates|numeric_keys|order|numbers|layout"
#define MOD_NAMES_ENCODE                                                                                              \
  "indent|width|sort_keys|canonical|key_order|empty_table|sparse|sparse_ratio|precision|on_error|escape_slash|ascii|" \
  "html|one_line|"                                                                                                    \
  "skip_unsupported|metamethods|float_integers|invalid_numbers|invalid_utf8|max_depth|layout"
/* The texts of patches and differences are strict JSON: what a codec's options allow there. */
static const char mod_names_patch_text[] = "bom|invalid_utf8|max_depth|max_bytes";
#define MOD_NAMES_OPEN "trusted|keys|base|check_utf8|max_depth|max_values"

static const char mod_names_decode[] = MOD_NAMES_DECODE;
static const char mod_names_documents[] = MOD_NAMES_DECODE "|closed";         /* items */
static const char mod_names_whole[] = MOD_NAMES_DECODE "|partial|unfinished"; /* decode */
static const char mod_names_events[] = MOD_NAMES_DECODE "|partial|unfinished|raw|done|closed";
static const char mod_names_pick[] = MOD_NAMES_DECODE "|raw|test";
static const char mod_names_query[] = MOD_NAMES_DECODE "|max_steps";
static const char mod_names_encode[] = MOD_NAMES_ENCODE;
static const char mod_names_builder[] = MOD_NAMES_ENCODE "|duplicates";
static const char mod_names_tokens[] = MOD_NAMES_GRAMMAR "|digits|closed";
#define MOD_NAMES_FORMAT MOD_NAMES_GRAMMAR "|indent|width|sort_keys|canonical|lines|colors"
static const char mod_names_format[] = MOD_NAMES_FORMAT;
static const char mod_names_format_stream[] = MOD_NAMES_FORMAT "|closed";
static const char mod_names_edit[] = MOD_NAMES_GRAMMAR "|" MOD_NAMES_ENCODE "|test";
#define MOD_NAMES_LAZY MOD_NAMES_GRAMMAR "|duplicates|lines|mode"
static const char mod_names_lazy[] = MOD_NAMES_LAZY;
static const char mod_names_from_json[] = MOD_NAMES_LAZY "|keys"; /* encoder */
static const char mod_names_to_json[] = MOD_NAMES_OPEN "|canonical|json5|path|pointer|max_bytes|indent|width|sort_keys|"
                                                       "ascii|html|escape_slash|invalid_numbers|invalid_utf8";
static const char mod_names_unpack[] = MOD_NAMES_OPEN
    "|null|arrays|objects|big_numbers|duplicates|numeric_keys|max_bytes|layout";
static const char mod_names_open[] = MOD_NAMES_OPEN; /* check, diff, dump */
static const char mod_names_open_file[] = MOD_NAMES_OPEN "|map|frame|verify|recover";
static const char mod_names_patch[] = MOD_NAMES_GRAMMAR "|duplicates|mode|" MOD_NAMES_OPEN;
#define MOD_NAMES_PACK \
  "mode|keys|invalid_utf8|max_depth|sparse|sparse_ratio|empty_table|metamethods|skip_unsupported|on_error|layout"
#define MOD_NAMES_REPLACE "sync|wait"
#define MOD_NAMES_BYTES "trusted|check_utf8|max_values"
static const char mod_names_pack[] = MOD_NAMES_PACK;
static const char mod_names_save[] = MOD_NAMES_PACK "|" MOD_NAMES_BYTES "|" MOD_NAMES_REPLACE;
static const char mod_names_write_file[] = MOD_NAMES_ENCODE "|in_place|" MOD_NAMES_REPLACE;
static const char mod_names_compact[] = "mode|keys|max_depth|map|frame|verify|recover|" MOD_NAMES_BYTES
                                        "|" MOD_NAMES_REPLACE;
static const char mod_names_walk[] = "max_values";
static const char mod_names_amend[] = "reuse_strings|extern|max_depth|max_values";
static const char mod_names_append[] = "reuse_strings|max_depth|max_values|" MOD_NAMES_REPLACE;
static const char mod_names_new[] = MOD_NAMES_ENCODE
    "|" MOD_NAMES_DECODE
    "|partial|unfinished|raw|closed|done|digits|max_steps|test|lines|colors|mode|trusted|check_utf8|"
    "max_values|map|keys|base|path|pointer|frame|verify|recover|in_place|" MOD_NAMES_REPLACE;

/* ------------------------------------------------------------------------------------- words */

/* The position of a word in a list; -1: it is not in the list. */
FL_PRIVATE int mod_find_word(const char *value, size_t n, const char *words);

FL_INLINE int mod_is_word(const char *value, const char *words) {
  return mod_find_word(value, strlen(value), words) >= 0;
}

/* Raises an error: the options in argument `arg` have one that is not in `names`. */
FL_PRIVATE_NOINLINE int mod_unknown_option_(lua_State *L, int arg, const char *name, const char *names);

/* The usual reason for a number or a string instead of options: f(g(x)), where g has two results. */
#define MOD_SEVERAL_RESULTS "a function that returns several values gives all of them: put its call in parentheses"

/* Raises an error: argument `arg`, the options, is not a table. */
FL_PRIVATE_NOINLINE int mod_no_options_(lua_State *L, int arg);

FL_INLINE void mod_check_options(lua_State *L, int arg) {
  if (FL_UNLIKELY(lua_type(L, arg) != LUA_TTABLE)) mod_no_options_(L, arg);
}
