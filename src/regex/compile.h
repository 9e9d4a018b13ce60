/* SPDX-License-Identifier: MIT
** compile.h -- from the text of a regular expression to the steps that regex.h follows.
** May call: characters.h.
** Must hold: the syntax is that of patterns in ECMA 262 (edition 5.1, 15.10.1; Annex B of later editions for what
** stands for itself) over code points, without back references and look-around. The same functions read it twice: the
** first time nothing is written, it is measured. Each part is left at its end, and its ways are relative, so that
** copies of it are copies of its bytes. Groups are a list of REGEX_DEPTH, no recursion. */
#ifndef FLEECE_REGEX_COMPILE_H
#define FLEECE_REGEX_COMPILE_H

#include "characters.h"

/* Reads the expression s[0..n): c->size is what it takes. With `to`, which begins with that size, it is written
** there. False: it is wrong, or not supported; then c->error and c->at say why. */
FL_PRIVATE int regex_compile(struct regex_compiler *c, struct regex *to, const char *s, size_t n);

#endif
