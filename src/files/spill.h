/* SPDX-License-Identifier: MIT
** spill.h -- a block of memory that grows in place, and whose beginning is stored in a file and mapped from there: for
** output larger than memory, whose earlier bytes are still read.
** Must hold: what is before `stored` does not change any more. Only systems that can map files have it. The caller owns
** the file, which nobody else writes. */
#pragma once

#include <stdio.h>
#include "../base/def.h"

struct spill {
  char *begin;   /* NULL: not in use */
  size_t size;   /* reserved addresses */
  size_t stored; /* bytes in the file */
  size_t room;   /* bytes up to the end of the memory that can be written */
  int fd;
  int reason; /* errno of the write that failed, or 0 */
};

/* Reserves addresses for at most `most` bytes. Returns 0 if this system, or what the file is, does not allow it. The
** file must be a plain one, empty, and open for reading and writing without a buffer. */
FL_PRIVATE int spill_begin(struct spill *s, FILE *file, size_t most);

/* A buf_extend. */
FL_PRIVATE size_t spill_extend(void *ud, size_t used, size_t n);

/* Stores the rest of the `used` bytes. Returns 0 with errno set. */
FL_PRIVATE int spill_finish(struct spill *s, size_t used);
FL_PRIVATE void spill_free(struct spill *s);
