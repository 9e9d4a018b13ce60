/* SPDX-License-Identifier: MIT
** read.h -- JSON text to a tree: a sink of the scanner.
** Must hold: as json/grammar/scan.h. Values wait in a second block until their container ends, with offsets into the
** tree's block; then the items are copied there. */
#pragma once

#include "../../../json/grammar/scan.h"
#include "tree.h"

enum { TREE_BLOCK, TREE_WAITING, TREE_SCRATCH }; /* the blocks that a reader's `grow` allocates */

struct tree_reader {
  struct json_scan scan;
  struct tree tree;
  struct tree waiting; /* values; those of a container follow a note with its type and the outer note's offset */
  size_t open;         /* offset of the innermost note */
  tree_grow grow;
};

/* Call it before a scan, which then needs its own fields set; makes room for the root. Returns 0 if out of memory. */
FL_PRIVATE int tree_begin(struct tree_reader *k, tree_grow grow);

/* Reads the value at p. Returns the byte after it, or NULL with the error in scan.error. An instance of
** json/grammar/scan_template.h, which calls the functions tree_on_... of read.c. */
FL_PRIVATE_NOINLINE const char *tree_scan(struct tree_reader *k, struct json_scan *j, const char *p);

/* Call it after a scan that reached the end of the value: puts the root into the tree. Returns 0 after an error. */
FL_PRIVATE int tree_finish(struct tree_reader *k);
