/* SPDX-License-Identifier: MIT
** replace.h -- a file that appears whole or not at all: it is written beside its name, synced, and renamed; and a lock,
** so that one writer does so at a time.
** Must hold: it knows no Lua and raises nothing; the memory is the caller's. The one who opened it commits or aborts.
** A file that exists keeps its mode, and its owner and group where this process may give them away; who could not
** read it before cannot read it after. What is no plain file, such as a device or a pipe, is written in place. */
#pragma once

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../base/def.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#define REPLACE_POSIX 1
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
#endif

enum { REPLACE_PATH = 4096, REPLACE_RANDOM = 16, REPLACE_LINKS = 40 };

/* What is on the disk before a call returns. */
enum { REPLACE_NO_SYNC, REPLACE_SYNC_ALL /* the file, then its name in the folder */, REPLACE_SYNC_FILE };

/* The name of a temporary file: these, with twice REPLACE_RANDOM hexadecimal digits between them. */
#define REPLACE_BEFORE ".fleece-"
#define REPLACE_AFTER ".tmp"

struct replace {
  FILE *file;                   /* to write to; NULL: not open */
  unsigned mode;                /* permission bits of the new file, if its target is not there when it is committed */
  int exists;                   /* the target was a plain file when it was looked for */
  int is_replaced;              /* the new file is written beside the target; 0: the target is written itself */
  size_t folder;                /* bytes of the target's name that are its folder's, with the slash */
  char target[REPLACE_PATH];    /* the name that the file gets, after all symbolic links */
  char temporary[REPLACE_PATH]; /* the name that it has until then; empty: none, it is written in place */
};

FL_PRIVATE void replace_remove(const char *path);

/* Finds out what is to be written; nothing is made yet. False: errno tells. */
FL_PRIVATE int replace_find(struct replace *r, const char *path);
FL_PRIVATE int replace_open(struct replace *r);
FL_PRIVATE int replace_begin(struct replace *r, const char *path);

enum { REPLACE_WHY = REPLACE_PATH + 256 };

/* Returns why the file could not be written, from errno, for a message: `text` has room for REPLACE_WHY bytes. */
FL_PRIVATE const char *replace_why(const struct replace *r, char *text);

/* Returns whether errno is why the file cannot be replaced, though it could be written itself. */
FL_PRIVATE int replace_may_be_in_place(const struct replace *r);

/* Nothing of it stays. errno does. */
FL_PRIVATE void replace_abort(struct replace *r);

/* All is written: the file gets its name. `sync`: see above. Ends it in any case; false: nothing of it stays, and errno
** tells. */
FL_PRIVATE int replace_commit(struct replace *r, int sync);

/* Returns whether a signal (EINTR) ended a call; if so, makes the file usable again. */
FL_PRIVATE int file_interrupted(FILE *file);

/* fread, fwrite and fopen that go on after a signal. The C library forgets what is in a buffer when a signal interrupts
** its writing: the file written to has none. */
FL_PRIVATE size_t file_read(FILE *file, void *to, size_t n);
FL_PRIVATE int file_write(FILE *file, const void *bytes, size_t n);
FL_PRIVATE FILE *file_open(const char *path, const char *mode);

/* What was written to the file, and is in no buffer of it, gets on the disk. */
FL_PRIVATE int replace_sync_file(FILE *file);

/* A lock on a file beside the one that is written, which is another file once it was replaced. The system releases the
** lock when its owner dies. Who has taken a lock releases it; then its file is removed. That has the name of the
** temporary file that its owner writes: if the owner dies, the next one removes it. */
struct lock {
  int taken;
  unsigned waited; /* milliseconds */
#if REPLACE_POSIX
  int fd;
#elif defined(_WIN32)
  HANDLE handle;
#endif
  char path[REPLACE_PATH];
};

/* Takes the lock of the file, after all symbolic links; waits up to so many milliseconds while another has it. False:
** errno tells; EAGAIN: another has it. */
FL_PRIVATE int lock_take(struct lock *l, const char *target, unsigned wait);

/* `temporary` is beside the file and removed by the next owner if this one dies. */
FL_PRIVATE int lock_note(struct lock *l, const char *temporary);

/* Keeps errno. */
FL_PRIVATE void lock_release(struct lock *l);
