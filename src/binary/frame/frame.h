/* SPDX-License-Identifier: MIT
** frame.h -- frames before the documents and amendments of a file: lengths and checksums, by which truncated or changed
** files are recognised and the last whole state is found (docs/format.md).
** Must hold: knows no files: the caller has the bytes. A frame is a multiple of 16 bytes, so values after it stay at
** even addresses. A file is a sequence of parts, each a frame and a body; each body but the first amends all before it.
** An amendment is first written with 0 as its first byte, which gets its value when all of it is on the disk: so
** what a killed writer has left is recognised, and does not belong to the document. */
#pragma once

#include "../../text/cpu.h"
#include "../read/read.h"

/* clang-format off */
enum {
  BIN_FRAME_HEAD = 48,     /* bytes of a frame without names */
  BIN_FRAME_UNIT = 16,
  BIN_FRAME_MAGIC = 8,     /* bytes that all frames begin with */
  BIN_FRAME_VERSION = 1,
  BIN_FRAME_FIRST = 0x8f,  /* the first of these bytes, */
  BIN_FRAME_PENDING = 0,   /* and its value while an amendment is incomplete */
  BIN_FRAME_AMENDS = 1,    /* flag: the body amends what is before the frame */
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
  uint64_t at, body, body_n;    /* offsets of its frame and of its document or amendment; the latter's length */
  uint64_t names_n;             /* length of the list of names at BIN_FRAME_HEAD, or 0 */
  uint32_t sum;                 /* of the frame's first bytes; the next frame repeats it */
  uint32_t names_sum, body_sum; /* names_sum: of what is between those bytes and the body */
};

/* What is known about a file. */
struct bin_frames {
  unsigned cpu;            /* for bin_checksum */
  size_t parts;            /* whole parts from the start on */
  uint64_t begin, end;     /* the document: from the first body to the end of the last whole part */
  uint64_t names, names_n; /* the last list of names; names_n is 0 if there is none */
  uint64_t last;           /* where the last whole part begins, */
  uint32_t sum;            /* and the checksum of its frame's first bytes */
  uint64_t pending;        /* bytes after `end` of an unfinished amendment */
  enum bin_frame_error error;
  uint64_t where; /* position of the error */
};

FL_PRIVATE void bin_frames_init(struct bin_frames *f, unsigned cpu);

/* Returns whether a file with frames begins like this; of fewer than BIN_FRAME_MAGIC bytes, whether it may be a
** truncated one. No encoder writes a document that begins so: the first two bytes are a pointer to before the start. A
** frame is recognised by these two or by the other six bytes, so even with one bit changed. */
FL_PRIVATE int bin_frame_begins(const void *bytes, size_t n);

/* Reads the frame at f->end. `head`: its first `n` bytes, BIN_FRAME_HEAD or all that the file has; `size`: the file's.
** Returns 0 if no other whole part follows: the file ends, or f->error tells why. */
FL_PRIVATE int bin_frame_read(struct bin_frames *f, struct bin_part *part, const uint8_t *head, size_t n,
                              uint64_t size);

/* Adds the part. If `bytes`, from its frame on, is not NULL, tests its names, and with `verify` its body. Returns 0 as
** bin_frame_read. */
FL_PRIVATE int bin_frame_take(struct bin_frames *f, const struct bin_part *part, const uint8_t *bytes, int verify);

/* Finds all parts of a file in memory. Returns 0 with f->error set and the parts before the error in f. */
FL_PRIVATE int bin_frames_find(struct bin_frames *f, const void *bytes, size_t n, int verify);

/* Adds the names of a list, a checked document: an array of strings in the order of their codes. Returns 0 if it is not
** such a list. */
FL_PRIVATE int bin_frame_load_names(const struct bin_doc *d, struct bin_keys *k);

/* Returns the size of a frame with a list of names. */
FL_INLINE size_t bin_frame_size(size_t names_n) {
  return (BIN_FRAME_HEAD + names_n + BIN_FRAME_UNIT - 1) / BIN_FRAME_UNIT * BIN_FRAME_UNIT;
}

/* Completes a frame of bin_frame_size(names_n) bytes, in which the names are in place, followed by zeros. `before`: for
** an amendment, what the file has before it, else NULL. */
FL_PRIVATE void bin_frame_write(unsigned cpu, uint8_t *frame, size_t names_n, const void *body, size_t body_n,
                                const struct bin_frames *before);

/* Returns the CRC-32C (Castagnoli's polynomial, as in iSCSI, RFC 3720) after n more bytes; `sum`: of those before, 0 at
** the beginning. cpu: the TEXT_CPU_ bits of this CPU. It finds missing and changed bytes, but no deliberate changes. */
FL_PRIVATE uint32_t bin_checksum(unsigned cpu, uint32_t sum, const void *bytes, size_t n);
