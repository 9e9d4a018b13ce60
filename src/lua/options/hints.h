/* SPDX-License-Identifier: MIT
** hints.h -- what error messages add to the grammar's: the option that would allow the text, its encoding, and the
** incomplete line of NDJSON.
** Must hold: reads only the text, in linear time. */
#pragma once

#include "../../json/grammar/split.h"
#include "../../json/grammar/where.h"
#include "../../text/utf16.h"
#include "options.h"

/* What the message says if several values follow where one is expected. */
enum mod_several { MOD_SEVERAL_NOTHING, MOD_SEVERAL_DOCUMENTS, MOD_SEVERAL_LINES };

/* What precedes a text: the last byte that is not white space, or 0; whether a line end follows it. */
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
  const struct mod_before *before; /* what precedes `begin` */
  int error;
  int in_pieces;    /* ignore bytes after that at `at`: they may not be there yet */
  const char *line; /* the last `kept` bytes of the line before `begin` */
  size_t kept;
  unsigned grammar;
  enum mod_taker of; /* MOD_OF_NOTHING: name no option */
  enum mod_several several;
};

/* Writes what to add to the error message, at most MOD_HINT bytes, usually nothing. Sets *option to the name of the
** option that it tells, or NULL. Returns the end. */
FL_PRIVATE char *mod_put_hint(char *w, const struct mod_fault *f, const char **option);

enum { MOD_HINT = 110 };

/* Updates `before` for the byte after [begin, at). */
FL_PRIVATE void mod_pass_before(struct mod_before *before, const char *begin, const char *at);

/* An error was found in a document of a stream, after the document's first line. Finds out whether the document was
** probably cut off at the end of that line: the next line must be a complete document of the same kind, and not an item
** of a list printed over several lines. Returns the end of the first line, or NULL if that is not likely, or both lines
** are longer than MOD_LINES_LONGEST. */
FL_PRIVATE const char *mod_cut_line(const char *document, const char *at, const char *end, unsigned grammar);

enum { MOD_LINES_LONGEST = 64 * 1024 };

/* Returns whether more text may change the result of mod_cut_line. */
FL_PRIVATE int mod_cut_line_is_open(const char *document, const char *at, const char *end);
