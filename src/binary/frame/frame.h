/* SPDX-License-Identifier: MIT
** frame.h -- frames before the documents and amendments of a file: their lengths and checksums, so that a file that
** was cut or changed is recognised, and the last whole state is found (docs/format.md).
** Must hold: knows no files: the caller has the bytes. A frame is a multiple of 16 bytes, so values after it stay at
** even addresses. A file is a sequence of parts, each a frame and a body; each body but the first amends all before it.
**
** An amendment is written with a first byte of 0. When all of it is on the disk, this byte gets its value: so what a
** killed writer has left is recognised, and is no part of the document. */
#pragma once

#include "../read/read.h"
#include "checksum.h"

/* clang-format off */
enum {
  BIN_FRAME_HEAD = 48,     /* bytes of a frame without names */
  BIN_FRAME_UNIT = 16,
  BIN_FRAME_MAGIC = 8,     /* bytes that all frames begin with */
  BIN_FRAME_VERSION = 1,
  BIN_FRAME_FIRST = 0x8f,  /* the first of these bytes, */
  BIN_FRAME_PENDING = 0,   /* and what it is as long as an amendment is not whole */
  BIN_FRAME_AMENDS = 1,    /* a flag: the body amends what is before the frame */
  BIN_FRAME_NAMES_MOST = 65535 * BIN_FRAME_UNIT - BIN_FRAME_HEAD
};

/* clang-format on */

/* Messages fit the sentence "MESSAGE at byte N". */
#define BIN_FRAME_ERRORS(X)                                                     \
  X(FINE, "")                                                                   \
  X(NONE, "the file has no frame")                                              \
  X(CUT, "the file is cut off: its frame promises more bytes")                  \
  X(DAMAGED, "a frame of the file is damaged")                                  \
  X(NEWER, "a frame of a newer version")                                        \
  X(PLACE, "a frame that belongs to another file or another place")             \
  X(NAMES, "the names of the shared keys were changed: their checksum differs") \
  X(BODY, "the document was changed: its checksum differs")

enum bin_frame_error {
#define X(code, message) BIN_FRAME_ERROR_##code,
  BIN_FRAME_ERRORS(X)
#undef X
};

FL_PRIVATE const char *bin_frame_message(enum bin_frame_error error);

/* A part of a file. Positions count from the start of the file. */
struct bin_part {
  uint64_t at, body, body_n;    /* its frame; its document or amendment */
  uint64_t names_n;             /* bytes of the list of names, BIN_FRAME_HEAD after the frame's start; 0: none */
  uint32_t sum;                 /* of the frame's first bytes: the next frame has it, too */
  uint32_t names_sum, body_sum; /* names_sum: of what is between these bytes and the body */
};

/* What is known of a file. */
struct bin_frames {
  unsigned cpu;            /* for bin_checksum */
  size_t parts;            /* whole ones from the start on */
  uint64_t begin, end;     /* the document: from the first body to the end of the last whole part */
  uint64_t names, names_n; /* the last list of names; names_n is 0: there is none */
  uint64_t last;           /* where the last whole part begins, */
  uint32_t sum;            /* and the checksum of its frame's first bytes */
  uint64_t pending;        /* bytes after `end` that a writer has not finished */
  enum bin_frame_error error;
  uint64_t where; /* the position of the error */
};

FL_PRIVATE void bin_frames_init(struct bin_frames *f, unsigned cpu);

/* Is this the start of a file with frames? Of fewer than BIN_FRAME_MAGIC bytes: may it be one that was cut? No
** document without a frame that an encoder wrote begins so: the first two bytes are a pointer to before the start. A
** frame is recognised by these two or by the other six, so that it stays one if one of its bits has changed. */
FL_PRIVATE int bin_frame_begins(const void *bytes, size_t n);

/* Reads the frame at f->end: `head` has its first `n` bytes, BIN_FRAME_HEAD or all that the file has; `size` bytes are
** in the file. 0: there is no other whole part: the file ends, or f->error tells why. */
FL_PRIVATE int bin_frame_read(struct bin_frames *f, struct bin_part *part, const uint8_t *head, size_t n,
                              uint64_t size);

/* Counts the part. If its bytes are given, from its frame on, its names are tested, and with `verify` its body. 0: as
** above. */
FL_PRIVATE int bin_frame_take(struct bin_frames *f, const struct bin_part *part, const uint8_t *bytes, int verify);

/* Finds all parts of a file in memory. False: f->error; what f has are the parts before. */
FL_PRIVATE int bin_frames_find(struct bin_frames *f, const void *bytes, size_t n, int verify);

/* Adds the names of a list, a document that was checked: an array of strings in the order of their codes. False: it is
** no such list. */
FL_PRIVATE int bin_frame_load_names(const struct bin_doc *d, struct bin_keys *k);

/* ------------------------------------------------------------------------------------- writing */

/* The bytes of a frame with a list of names. */
FL_INLINE size_t bin_frame_size(size_t names_n) {
  return (BIN_FRAME_HEAD + names_n + BIN_FRAME_UNIT - 1) / BIN_FRAME_UNIT * BIN_FRAME_UNIT;
}

/* Completes a frame of bin_frame_size(names_n) bytes, whose names are in place and followed by zeros. For an
** amendment `before` is what the file has before it, or NULL. */
FL_PRIVATE void bin_frame_write(unsigned cpu, uint8_t *frame, size_t names_n, const void *body, size_t body_n,
                                const struct bin_frames *before);
