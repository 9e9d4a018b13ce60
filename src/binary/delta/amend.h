/* SPDX-License-Identifier: MIT
** amend.h -- writes a mutable collection: as a complete document, or as a delta to append to its base.
** Must hold: an encoder with a base is in compatible mode, because compact mode cannot search a base for equal
** collections. Its output needs the base: it is appended to it, or, with is_extern, opened with that base. Unchanged
** values of the base become pointers. A changed dict of the base becomes a dict with a parent if that has fewer
** members than the full dict and not too many ancestors (docs/format.md). */
#pragma once

#include "../check/check.h"
#include "../encode/copy.h"
#include "mutable.h"

/* Returns the size of the value at v, rounded up to even. A value that would run past the end is really the second half
** of a wide pointer, with 2 bytes. */
FL_PRIVATE size_t bin_value_size(bin_value v, bin_value end);

/* Gives a new encoder a base, whose bytes must stay. Returns 0 with e->error set. */
FL_PRIVATE int bin_amend(struct bin_encoder *e, const struct bin_doc *base, int reuse_strings, int is_extern);

/* Inserts n zero bytes, an even number, between the base and the output. Returns 0 with e->error set. */
FL_PRIVATE int bin_amend_front(struct bin_encoder *e, size_t n);

/* Ends the output that follows the base. A pointer into the base counts for all values that it leads to, so a few bytes
** can hold more values than binary/check/check.h allows; but a few changes to a long document must not take the time to
** check it. The sources of layers that are not nested in each other hold at most the values of the base and `shared`,
** from the tree. Besides them there is at most one value for each byte written, and what long strings count that
** are written once and used again. If the first, times the nesting of layers, and the others are together within the
** limit, no check is needed. max_values: as in binary/check/check.h. Sets *values to an upper bound of the values of
** the changed document. */
FL_PRIVATE int bin_amend_finish(struct bin_encoder *e, const struct bin_doc *base, uint64_t shared, uint64_t max_values,
                                uint64_t *values);

/* Writes a layer as a value into an encoder. Returns 0 with w->error or e->error set. */
FL_PRIVATE int bin_write_layer(struct bin_work *w, struct bin_encoder *e, const struct bin_layer *l);
