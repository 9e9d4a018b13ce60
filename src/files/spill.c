/* SPDX-License-Identifier: MIT
** The memory is used in windows. A full one is written to the file, which is then mapped in its place; its pages become
** those of the next window, because a new page costs more than writing it: the system clears it. */
#include "spill.h"
#include <errno.h>
#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum {
  SPILL_PIECE = 64 * 1024,        /* so are files' pages mapped together: one that is read again brings at most these */
  SPILL_WINDOW = 2 * 1024 * 1024, /* a multiple of all page sizes */
  SPILL_RELEASE = 2               /* windows after which the pages of stored ones leave this process */
};

FL_PRIVATE int spill_begin(struct spill *s, FILE *file, size_t most) {
  struct stat about;
  const int fd = fileno(file);
  s->size = (most / SPILL_WINDOW + 2) * SPILL_WINDOW;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size != 0) return 0;
  if ((fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR) return 0;
  void *map = mmap(NULL, s->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return 0;
  s->begin = (char *)map;
  s->stored = s->room = 0;
  s->fd = fd;
  s->reason = 0;
  return 1;
}

static int spill_write(struct spill *s, size_t end) {
  while (s->stored < end) {
    const size_t left = end - s->stored, piece = left < SPILL_PIECE ? left : SPILL_PIECE;
    const ssize_t n = pwrite(s->fd, s->begin + s->stored, piece, (off_t)s->stored);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      s->reason = n < 0 ? errno : ENOSPC;
      return 0;
    }
    s->stored += (size_t)n;
  }
  return 1;
}

/* Adds memory for a window after the last one: that of the window at `from`, which is stored, or new memory. */
static int spill_add(struct spill *s, char *from) {
  char *to = s->begin + s->room;
  void *map = MAP_FAILED;
  if (s->size - s->room < SPILL_WINDOW) return 0;
#ifdef MREMAP_FIXED
  if (from) map = mremap(from, SPILL_WINDOW, SPILL_WINDOW, MREMAP_MAYMOVE | MREMAP_FIXED, to);
#else
  (void)from;
#endif
  if (map == MAP_FAILED)
    map = mmap(to, SPILL_WINDOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (map == MAP_FAILED) return 0;
  s->room += SPILL_WINDOW;
  return 1;
}

FL_PRIVATE size_t spill_extend(void *ud, size_t used, size_t n) {
  struct spill *s = (struct spill *)ud;
  while (used - s->stored >= SPILL_WINDOW) {
    const size_t at = s->stored;
    char *window = s->begin + at;
    if (!spill_write(s, at + SPILL_WINDOW)) return 0;
#ifdef SYNC_FILE_RANGE_WRITE /* begins to write it to the disk, for which the file's end waits */
    (void)sync_file_range(s->fd, (off_t)at, SPILL_WINDOW, SYNC_FILE_RANGE_WRITE);
#endif
    if (s->room - used < n) (void)spill_add(s, window);
    if (mmap(window, SPILL_WINDOW, PROT_READ, MAP_SHARED | MAP_FIXED, s->fd, (off_t)at) == MAP_FAILED) {
      s->reason = errno;
      return 0; /* nothing may be read any more */
    }
#ifdef MADV_DONTNEED
    if (s->stored / SPILL_WINDOW % SPILL_RELEASE == 0) (void)madvise(s->begin, s->stored, MADV_DONTNEED);
#endif
  }
  while (s->room - used < n)
    if (!spill_add(s, NULL)) return 0;
  return s->room;
}

FL_PRIVATE int spill_finish(struct spill *s, size_t used) {
  if (spill_write(s, used)) return 1;
  errno = s->reason;
  return 0;
}

FL_PRIVATE void spill_free(struct spill *s) {
  if (s->begin) munmap(s->begin, s->size);
  s->begin = NULL;
}

#else

FL_PRIVATE int spill_begin(struct spill *s, FILE *file, size_t most) {
  (void)file, (void)most;
  s->begin = NULL;
  return 0;
}
FL_PRIVATE size_t spill_extend(void *ud, size_t used, size_t n) { return (void)ud, (void)used, (void)n, (size_t)0; }
FL_PRIVATE int spill_finish(struct spill *s, size_t used) { return (void)s, (void)used, 0; }
FL_PRIVATE void spill_free(struct spill *s) { (void)s; }
#endif
