/* SPDX-License-Identifier: MIT
** lock.h -- one writer at a time for a file: a lock on a file beside it, which the system releases when its owner dies.
** Must hold: it knows no Lua and raises nothing; the memory is the caller's. Who has taken a lock releases it. The lock
** is beside the file, because a file that is replaced is another one afterwards. The lock's file is removed when it is
** released. It has the name of the temporary file that its owner writes: if the owner dies, the next one removes it. */
#pragma once

#include "replace.h"

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
