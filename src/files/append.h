/* SPDX-License-Identifier: MIT
** append.h -- appends an amendment to a file, so that at every moment the file is the old one or the new one.
** Must hold: it knows no Lua and raises nothing. The caller has locked the file (lock_take). Bytes of a state of the
** file are never changed or cut off, so readers that have it mapped keep what they have. */
#pragma once

#include "../binary/frame/frame.h"
#include "replace.h"

/* The state of a file with frames in which it was opened, and which file it is: append_identity. */
struct append_state {
  struct bin_frames frames;
  uint64_t id[2];
};

/* Sets two numbers that identify the file in this system; zeros if the system has none. */
FL_PRIVATE int append_identity(FILE *file, uint64_t id[2]);

/* Opens a file to append to it, unbuffered. NULL with errno set. */
FL_PRIVATE FILE *append_open(const char *path);

/* Returns the size of the file, or -1 if it has none, for instance a pipe. */
FL_PRIVATE long append_size(FILE *file);

/* Reads the frames of a file that has a size. Returns 0 with errno set if reading failed. limit: ignore what follows it
** in the file. */
FL_PRIVATE int append_read_frames(FILE *file, struct bin_frames *f, uint64_t limit);

/* Returns NULL if the file is in this state, else why not: an empty message if it cannot be read, with errno set. */
FL_PRIVATE const char *append_find_change(FILE *file, const struct append_state *s);

/* Appends a part at f->end, where f describes the file: its frame and its body. The frame's first byte is written last,
** when all else is on the disk; from then on the part counts. Returns 0 with errno set, and without the part in the
** file. */
FL_PRIVATE int append_part(FILE *file, const struct bin_frames *f, const uint8_t *frame, size_t frame_n,
                           const void *body, size_t body_n, int sync);
