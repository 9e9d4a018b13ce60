/* SPDX-License-Identifier: MIT
** append.h -- adds an amendment to the end of a file, so that at every moment the file is the old one or the new one.
** Must hold: it knows no Lua and raises nothing. The caller has the lock of the file (lock_take). Bytes of a state of
** the file are never changed or cut off, so readers that have it mapped keep what they have. */
#pragma once

#include "../binary/frame/frame.h"
#include "replace.h"

/* The state of a file with frames in which it was opened, and which file it is: append_identity. */
struct append_state {
  struct bin_frames frames;
  uint64_t id[2];
};

/* Sets two numbers that tell the file from all others of the system; zeros where the system has none. */
FL_PRIVATE int append_identity(FILE *file, uint64_t id[2]);

/* Opens a file to append to it, without a buffer. NULL: errno tells. */
FL_PRIVATE FILE *append_open(const char *path);

/* The bytes of the file, or -1: it cannot tell, for instance a pipe. */
FL_PRIVATE long append_size(FILE *file);

/* Reads the frames of a file that can tell its size. False: errno tells of a failure to read. limit: the file ends
** there, as far as this call is concerned. */
FL_PRIVATE int append_read_frames(FILE *file, struct bin_frames *f, uint64_t limit);

/* Returns NULL if the file is in this state, else why not: an empty message if it cannot be read, with errno set. */
FL_PRIVATE const char *append_find_change(FILE *file, const struct append_state *s);

/* Adds a part at f->end, where f is what the file has: its frame and its body. The frame's first byte is written last,
** when all else is on the disk; from then on the part counts. False: errno tells, and the part is not there. */
FL_PRIVATE int append_part(FILE *file, const struct bin_frames *f, const uint8_t *frame, size_t frame_n,
                           const void *body, size_t body_n, int sync);
