/* SPDX-License-Identifier: MIT
** read.h -- reads the documents of a text that may come in pieces, divided anywhere.
** Must hold: if a piece ends inside a document, reading goes back to the last value that ended and continues from there
** with the next piece. So only one string or number, and the brackets since then, must be kept. An error counts only if
** more text could not change it. */
#pragma once

#include "json_to_json.h"

/* Reads [p, scan.end). Returns how far: the text from there on must be passed again, with more after it if the caller
** has set k->more. NULL: an error, in scan or out. */
FL_PRIVATE const char *reformat_read(struct json_to_json *k, const char *p);

/* Reading has ended at p, and no more text will be passed, though there is more: is the rest right as far as it is
** there? False: the error is in the scan. */
FL_PRIVATE_NOINLINE int reformat_is_right(struct json_to_json *k, const char *p);
