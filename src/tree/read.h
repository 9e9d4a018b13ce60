/* SPDX-License-Identifier: MIT
** read.h -- JSON text to a tree: a sink of the one grammar.
** May call: base, json.
** Must hold: as json/grammar/scan.h. Values wait in a block of their own until their container ends, with offsets in
** the tree's block; there its items get their places. */
#ifndef FLEECE_TREE_READ_H
#define FLEECE_TREE_READ_H

#include "../json/grammar/scan.h"
#include "tree.h"

enum { TREE_BLOCK, TREE_WAITING, TREE_SCRATCH }; /* the blocks that a reader's `grow` makes */

struct tree_reader {
  struct json_scan scan;
  struct tree tree;
  struct tree waiting; /* of values; a container's first is a note of what it lies in */
  size_t open;         /* offset of the innermost note */
  tree_grow grow;
};

/* Before a scan: room for the root. False: no memory. The scan's own fields are the caller's. */
FL_PRIVATE int tree_begin(struct tree_reader *k, tree_grow grow);

/* Reads the value at p; returns the byte after it, or NULL: scan.error tells, or there is no memory. */
FL_PRIVATE_NOINLINE const char *tree_scan(struct tree_reader *k, struct json_scan *j, const char *p);

/* After one that came to the end of the value. */
FL_PRIVATE int tree_finish(struct tree_reader *k);

#endif
