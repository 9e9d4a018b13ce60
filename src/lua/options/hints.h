/* SPDX-License-Identifier: MIT
** hints.h -- what error messages add to the grammar's: the option that would allow the text, its encoding, and the line
** of NDJSON that is incomplete.
** Must hold: reads nothing but the text, in linear time. */
#pragma once

#include "../../json/grammar/split.h"
#include "../../json/grammar/where.h"
#include "../../json/tokens/lenient.h"
#include "../../text/utf16.h"
#include "options.h"

/* What the message says if several values follow where one is expected. */
enum mod_several { MOD_SEVERAL_NOTHING, MOD_SEVERAL_DOCUMENTS, MOD_SEVERAL_LINES };

/* What is before a text: the last byte that is no white space, or 0, and is a line end after that? */
struct mod_before {
  char byte;
  int has_line_end;
};

/* Returns the grammar with what JSON5 includes. */
FL_INLINE unsigned mod_settle_grammar(unsigned grammar) {
  return grammar & JSON_JSON5 ? grammar | JSON_COMMENTS | JSON_TRAILING_COMMAS | JSON_NAN_LITERALS | JSON_BOM : grammar;
}

/* An error at `at` of the text [begin, end). */
struct mod_fault {
  const char *begin, *at, *end;
  const struct mod_before *before; /* what is before `begin` */
  int error;
  int in_pieces;    /* no byte after that at `at` counts: it may not be there yet */
  const char *line; /* of the line before `begin` the last bytes, `kept` */
  size_t kept;
  unsigned grammar;
  enum mod_taker of; /* MOD_OF_NOTHING: no option is named */
  enum mod_several several;
};

/* Writes what to add to the error message, at most MOD_HINT bytes, usually none. Returns the byte after it. */
FL_PRIVATE char *mod_put_hint(char *w, const struct mod_fault *f);

enum { MOD_HINT = 110 };

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
