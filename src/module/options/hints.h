/* SPDX-License-Identifier: MIT
** hints.h -- what error messages add to the grammar's: the option that would allow the text, and the line of NDJSON
** that is incomplete.
** May call: base, json.
** Must hold: reads nothing but the text, in linear time. */
#ifndef FLEECE_MODULE_OPTIONS_HINTS_H
#define FLEECE_MODULE_OPTIONS_HINTS_H

#include "../../json/grammar/split.h"

/* What the message says if several values follow where one is expected. */
enum mod_several { MOD_SEVERAL_NOTHING, MOD_SEVERAL_DOCUMENTS, MOD_SEVERAL_LINES };

/* What is before a text: the last byte that is no white space, or 0, and is a line end after that? */
struct mod_before {
  char byte;
  int has_line_end;
};

/* What to add to an error message at `at` of [begin, end); usually "". */
FL_PRIVATE const char *mod_hint(unsigned grammar, enum mod_several several, int error, const struct mod_before *before,
                                const char *begin, const char *at, const char *end);

/* The text before the next byte was [begin, at), after what it was. */
FL_PRIVATE void mod_pass_before(struct mod_before *before, const char *begin, const char *at);

/* An error was found in a document of a stream, after the document's first line. Was the document cut off at the end of
** that line? That is likely if the next line is a complete document of the same kind, and not an item of a list that is
** printed over several lines. Returns the end of the first line; NULL: it is not likely, or both lines are longer than
** MOD_LINES_LONGEST. */
FL_PRIVATE const char *mod_cut_line(const char *document, const char *at, const char *end, unsigned grammar);

enum { MOD_LINES_LONGEST = 64 * 1024 };

/* May the answer of mod_cut_line change with more text? */
FL_PRIVATE int mod_cut_line_is_open(const char *document, const char *at, const char *end);

#endif
