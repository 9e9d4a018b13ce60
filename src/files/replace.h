/* SPDX-License-Identifier: MIT
** replace.h -- writes a file completely or not at all: beside its name, synced, then renamed; and a lock, so that one
** writer at a time does so.
** Must hold: it knows no Lua and raises nothing; the caller provides the memory. Whoever opened it commits or
** aborts. An existing file keeps its mode, and its owner and group if this process may give them away; who could not
** read it before cannot read it afterwards. What is not a plain file, such as a device or a pipe, is written in
** place. */
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

/* What must be on the disk before a call returns. */
enum { REPLACE_NO_SYNC, REPLACE_SYNC_ALL /* the file, then its name in the folder */, REPLACE_SYNC_FILE };

/* A temporary file's name: these, with twice REPLACE_RANDOM hexadecimal digits between them. */
#define REPLACE_BEFORE ".fleece-"
#define REPLACE_AFTER ".tmp"

struct replace {
  FILE *file;                   /* to write to; NULL if not open */
  unsigned mode;                /* permission bits of the new file, if its target does not exist when it is committed */
  int exists;                   /* the target was a plain file when it was looked up */
  int is_replaced;              /* the new file is written beside the target; 0: the target itself is written */
  size_t folder;                /* length of the folder in the target's name, with the slash */
  char target[REPLACE_PATH];    /* the name that the file gets, after all symbolic links */
  char temporary[REPLACE_PATH]; /* the name that it has until then; empty if it is written in place */
};

FL_PRIVATE void replace_remove(const char *path);

/* Finds out what to write, without creating anything. Returns 0 with errno set. */
FL_PRIVATE int replace_find(struct replace *r, const char *path);
FL_PRIVATE int replace_open(struct replace *r);

enum { REPLACE_WHY = REPLACE_PATH + 256 };

/* Returns the reason, from errno, why the file could not be written, for a message; `text` must have room for
** REPLACE_WHY bytes. */
FL_PRIVATE const char *replace_why(const struct replace *r, char *text);

/* Returns whether errno says that the file cannot be replaced, but could be written itself. */
FL_PRIVATE int replace_may_be_in_place(const struct replace *r);

/* Removes everything, and keeps errno. */
FL_PRIVATE void replace_abort(struct replace *r);

/* Gives the completely written file its name. `sync`: see above. Ends the replacement in any case; returns 0 with errno
** set if it failed, with everything removed. */
FL_PRIVATE int replace_commit(struct replace *r, int sync);

/* Returns whether a signal (EINTR) ended a call; if so, makes the file usable again. */
FL_PRIVATE int file_interrupted(FILE *file);

/* fread, fwrite and fopen that continue after a signal. The C library loses what is in a buffer when a signal
** interrupts its writing, so the file written to must be unbuffered. */
FL_PRIVATE size_t file_read(FILE *file, void *to, size_t n);
FL_PRIVATE int file_write(FILE *file, const void *bytes, size_t n);
FL_PRIVATE FILE *file_open(const char *path, const char *mode);

/* Writes the file's data, none of which is in a buffer, to the disk. */
FL_PRIVATE int replace_sync_file(FILE *file);

/* A lock on a file beside the one that is written, because that becomes another file when replaced. The system releases
** the lock when its owner dies; else the owner releases it, and removes its file. The lock's file contains the name of
** the temporary file that the owner writes: if the owner dies, the next one removes it. */
struct lock {
  int taken;
  unsigned waited; /* in milliseconds */
#if REPLACE_POSIX
  int fd;
#elif defined(_WIN32)
  HANDLE handle;
#endif
  char path[REPLACE_PATH];
};

/* Locks the file, after all symbolic links; waits up to so many milliseconds while another process has the lock.
** Returns 0 with errno set, to EAGAIN if another has it. */
FL_PRIVATE int lock_take(struct lock *l, const char *target, unsigned wait);

/* Records `temporary`, which is beside the file: the next owner removes it if this one dies. */
FL_PRIVATE int lock_note(struct lock *l, const char *temporary);

/* Releases the lock, and keeps errno. */
FL_PRIVATE void lock_release(struct lock *l);
