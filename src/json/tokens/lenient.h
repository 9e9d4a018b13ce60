/* SPDX-License-Identifier: MIT
** lenient.h -- white space and strings that some texts have beyond RFC 8259: comments, those of JSON5, bytes that are
** not UTF-8. Names and values: json5.h.
** Must hold: each json_lenient_x is called at the byte where the strict reader cannot continue. It returns the byte
** where reading continues, or NULL with the error; what the options do not allow is the error that the strict reader
** would give. The strings it reads are always in the scratch. */
#pragma once

#include "characters.h"
#include "unescape.h"

/* ------------------------------------------------------------------------------------- white space */

/* The length of the line end or white space of JSON5 at p that strict JSON does not have; 0: there is none. JSON5,
** section 8, takes those of ECMAScript 5.1: TAB VT FF SP NBSP BOM, Unicode's Zs, LF CR LS PS. */
FL_PRIVATE unsigned json5_space(const char *p, const char *end);

/* Is [p, end) the beginning of such white space, whose other bytes are missing? */
FL_PRIVATE int json5_is_cut_space(const char *p, const char *end);

/* Skips all white space and comments; the result is p itself if there are none. */
FL_PRIVATE_NOINLINE const char *json_lenient_space(struct json_scan *j, const char *p);

/* A string that is not strict JSON, from its first byte p on; p[-1] is its quote. */
FL_PRIVATE_NOINLINE const char *json_lenient_string(struct json_scan *j, const char *p, struct json_string *out);
