/* SPDX-License-Identifier: MIT
** sequence.h -- what two sequences of numbers have in common, in order.
** Must hold: time is linear in both lengths, times a constant or log n, whatever the numbers are. If little differs,
** what is kept is as long as it can be. */
#pragma once

#include "../json/edit/state.h"

enum { PATCH_FAR = 1000 }; /* the most differences that are looked for one by one */

/* One element: where it stands, and its number. */
struct patch_element {
  uint32_t at, id;
};

struct patch_sequences {
  struct json_edit *e;
  uint32_t *counts[2];          /* by number: how often it occurs in a part of each sequence; 0 between two calls */
  int32_t *rows[PATCH_FAR + 1]; /* memory of patch_differences, made when it is needed */
  int64_t budget;
};

/* `count`: the highest number. False: an error. */
FL_PRIVATE int patch_begin_sequences(struct patch_sequences *s, struct json_edit *e, uint32_t count);

/* Compares a[0..n) with b[0..m). kept[0][i] and kept[1][j], which are 0 before, become 1 for elements that are kept: as
** many in both, and equal in their order. False: an error. */
FL_PRIVATE int patch_compare(struct patch_sequences *s, const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                             unsigned char *const kept[2]);
