/* SPDX-License-Identifier: MIT
** compile.h -- compiles the text of a regular expression to the steps that regex.h follows.
** Must hold: the syntax is that of patterns in ECMA 262 (edition 5.1, 15.10.1; Annex B of later editions for characters
** that stand for themselves) over code points, without back references and look-around. An expression is read twice:
** the first time it is only measured. The steps of each part end with its last step, and jumps are relative, so that a
** part is repeated by copying its bytes. Open groups are an array of REGEX_DEPTH; there is no recursion. */
#pragma once

#include "characters.h"

/* ------------------------------------------------------------------------------------- for other syntaxes */

/* Begins with the expression s[0..n), and ends it: closes the outermost group. False: it is too large. */
FL_PRIVATE void regex_begin_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n);
FL_PRIVATE int regex_end_compile(struct regex_compiler *c);

/* Opens a group; ends its alternative and begins the next one; closes it, so that a quantifier may repeat it. */
FL_PRIVATE int regex_open(struct regex_compiler *c);
FL_PRIVATE int regex_next_alternative(struct regex_compiler *c);
FL_PRIVATE void regex_close(struct regex_compiler *c);

/* Reads * + ? {n} {n,} or {n,m}. False, and p has not moved: there is none. */
FL_PRIVATE int regex_take_quantifier(struct regex_compiler *c, uint32_t *least, uint32_t *most);

/* Applies a quantifier, which began at `at`, to the atom. */
FL_PRIVATE int regex_quantify(struct regex_compiler *c, const char *at, uint32_t least, uint32_t most);

/* ------------------------------------------------------------------------------------- ECMAScript */

/* Reads the expression s[0..n). With `to` NULL it is measured: c->size. Otherwise it is written to `to`, which has been
** set to that size. False: it is wrong or not supported, as c->error and c->at say. */
FL_PRIVATE int regex_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n);
