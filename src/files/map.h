/* SPDX-License-Identifier: MIT
** map.h -- memory-mapped files, if the system has them.
** Must hold: the mapping is read-only. If another process shortens the file, reading the lost bytes ends the program
** (SIGBUS); Windows refuses to shorten a mapped file. Files that others may change are opened with map = false. */
#pragma once

#include <stdio.h>
#include "../base/def.h"

/* Maps the file, which may be closed afterwards. Returns NULL with errno set if that failed, or NULL with errno 0 if
** the file must be read instead: because it is empty, a pipe, or has no size (/proc), or because this system cannot map
** files. */
FL_PRIVATE void *map_file(FILE *file, size_t *n);
FL_PRIVATE void map_free(void *map, size_t n);

/* A mapped text, for a reader that needs a byte 0 after it. */
struct map_text {
  const char *s; /* s[n] is 0; or NULL */
  size_t n;
  void *map;     /* what was mapped, with memory around the text */
  size_t mapped; /* its size */
};

/* Maps the whole file as a text. Returns 0 if it cannot be mapped, with errno as set by map_file. */
FL_PRIVATE int map_text(FILE *file, struct map_text *t);
FL_PRIVATE void map_text_free(struct map_text *t);

/* Tells that [from, to) of a mapped text is not needed for now: its pages may leave this process, except for less than
** 2 MB. They come back when they are read. */
FL_PRIVATE void map_release(const char *from, const char *to);
