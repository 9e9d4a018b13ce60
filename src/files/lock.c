/* SPDX-License-Identifier: MIT
** lock.c -- lets one writer at a time change a file.
** Must hold: as replace.h. */
#include "replace.h"

#if REPLACE_POSIX
#include <sys/file.h>
#ifndef O_NOFOLLOW
#define O_NOFOLLOW 0
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#endif

enum { LOCK_STEP = 5 }; /* milliseconds between two attempts */

static int lock_name(struct lock *l, const char *target) {
  static const char after[] = ".lock";
  const size_t n = strlen(target);
  if (n + sizeof after > REPLACE_PATH) return errno = ENAMETOOLONG, 0;
  memcpy(l->path, target, n);
  memcpy(l->path + n, after, sizeof after);
  return 1;
}

#if REPLACE_POSIX || defined(_WIN32)

/* Returns whether it is a name that replace.c gives; nothing else is ever removed. */
static int lock_is_temporary(const char *name, size_t n) {
  static const char before[] = REPLACE_BEFORE, after[] = REPLACE_AFTER;
  const size_t first = sizeof before - 1, last = sizeof after - 1;
  if (n != first + (size_t)2 * REPLACE_RANDOM + last || memcmp(name, before, first) != 0) return 0;
  for (size_t i = first; i < n - last; i++)
    if (!((name[i] >= '0' && name[i] <= '9') || (name[i] >= 'a' && name[i] <= 'f'))) return 0;
  return memcmp(name + n - last, after, last) == 0;
}

/* Returns the length of the path's folder, with the slash. */
static size_t lock_folder(const char *path) {
  size_t n = strlen(path);
  while (n > 0 && path[n - 1] != '/') {
#ifdef _WIN32
    if (path[n - 1] == '\\' || path[n - 1] == ':') break;
#endif
    n--;
  }
  return n;
}

/* Removes the temporary file of an owner that died; `name` is the contents of the lock's file. */
static void lock_clear(const struct lock *l, const char *name, size_t n) {
  const size_t folder = lock_folder(l->path);
  char path[REPLACE_PATH];
  if (!lock_is_temporary(name, n) || folder + n >= sizeof path) return;
  memcpy(path, l->path, folder);
  memcpy(path + folder, name, n);
  path[folder + n] = 0;
  replace_remove(path);
}
#endif

#if REPLACE_POSIX

/* Returns 1 if the lock was taken, 0 after a failure, -1 if another process has it, -2 if it was removed meanwhile, so
** it can be tried again at once. */
static int lock_try(struct lock *l) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  struct stat own, there;
  l->fd = open(l->path, flags | O_CREAT | O_EXCL, 0666);
  const int is_new = l->fd >= 0;
  if (!is_new && errno == EEXIST) {
    l->fd = open(l->path, flags);
    if (l->fd < 0 && errno == ENOENT) return -2;
  }
  if (l->fd < 0) return errno == EINTR ? -2 : 0;
  if (flock(l->fd, LOCK_EX | LOCK_NB) != 0) {
    const int saved = errno;
    if (is_new && saved != EWOULDBLOCK && saved != EINTR) (void)unlink(l->path); /* there are no locks here */
    close(l->fd);
    errno = saved;
    return saved == EWOULDBLOCK ? -1 : saved == EINTR ? -2 : 0;
  }
  const int got = fstat(l->fd, &own) == 0 && lstat(l->path, &there) == 0 && own.st_dev == there.st_dev &&
                  own.st_ino == there.st_ino;
  if (!got) close(l->fd);
  return got ? 1 : -2;
}

static void lock_begin(struct lock *l) {
  char name[64];
  const ssize_t n = read(l->fd, name, sizeof name);
  if (n <= 0) return;
  lock_clear(l, name, (size_t)n);
  if (ftruncate(l->fd, 0) != 0) return; /* what is left names a file that is gone */
}

static void lock_sleep(unsigned milliseconds) {
  struct timespec t;
  t.tv_sec = 0;
  t.tv_nsec = (long)milliseconds * 1000000;
  while (nanosleep(&t, &t) != 0 && errno == EINTR) {}
}

static int lock_write(struct lock *l, const char *name, size_t n) {
  return lseek(l->fd, 0, SEEK_SET) == 0 && write(l->fd, name, n) == (ssize_t)n;
}

static void lock_end(struct lock *l) {
  (void)unlink(l->path); /* before the release: a new owner sees that it has a file without a name */
  close(l->fd);
}

#elif defined(_WIN32)

/* Returns as above. The file is shared with nobody. */
static int lock_try(struct lock *l) {
  l->handle = CreateFileA(l->path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
  if (l->handle != INVALID_HANDLE_VALUE) return 1;
  const DWORD reason = GetLastError();
  errno = reason == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
  return reason == ERROR_SHARING_VIOLATION ? -1 : 0;
}

static void lock_begin(struct lock *l) {
  char name[64];
  DWORD n = 0;
  if (!ReadFile(l->handle, name, sizeof name, &n, NULL) || n == 0) return;
  lock_clear(l, name, n);
  (void)SetFilePointer(l->handle, 0, NULL, FILE_BEGIN);
  (void)SetEndOfFile(l->handle);
}

static void lock_sleep(unsigned milliseconds) { Sleep(milliseconds); }

static int lock_write(struct lock *l, const char *name, size_t n) {
  DWORD written = 0;
  (void)SetFilePointer(l->handle, 0, NULL, FILE_BEGIN);
  if (WriteFile(l->handle, name, (DWORD)n, &written, NULL) && written == n) return 1;
  return errno = EIO, 0;
}

static void lock_end(struct lock *l) {
  CloseHandle(l->handle);
  (void)DeleteFileA(l->path); /* fails if another process has it already */
}

#else /* plain C has no locks: files are replaced in place there, and nothing is appended */
static int lock_try(struct lock *l) { return (void)l, 1; }
static void lock_begin(struct lock *l) { (void)l; }
static void lock_sleep(unsigned milliseconds) { (void)milliseconds; }
static int lock_write(struct lock *l, const char *name, size_t n) { return (void)l, (void)name, (void)n, 1; }
static void lock_end(struct lock *l) { (void)l; }
static size_t lock_folder(const char *path) { return strlen(path); }
#endif

FL_PRIVATE int lock_take(struct lock *l, const char *target, unsigned wait) {
  int got;
  l->taken = 0;
  l->waited = 0;
  if (!lock_name(l, target)) return 0;
  while ((got = lock_try(l)) < 0) {
    if (got == -2) continue;
    if (l->waited >= wait) return errno = EAGAIN, 0;
    lock_sleep(LOCK_STEP);
    l->waited += LOCK_STEP;
  }
  if (!got) return 0;
  l->taken = 1;
  lock_begin(l);
  return 1;
}

FL_PRIVATE int lock_note(struct lock *l, const char *temporary) {
  const char *name = temporary + lock_folder(temporary);
  return lock_write(l, name, strlen(name));
}

FL_PRIVATE void lock_release(struct lock *l) {
  const int saved = errno;
  if (l->taken) lock_end(l);
  l->taken = 0;
  errno = saved;
}
