/* SPDX-License-Identifier: MIT */
#include "map.h"
#include <errno.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
#endif

#if defined(__unix__) || defined(__APPLE__)

FL_PRIVATE void *map_file(FILE *file, size_t *n) {
  struct stat about;
  errno = 0;
  if (fstat(fileno(file), &about) != 0) return NULL;
  if (S_ISDIR(about.st_mode)) return errno = EISDIR, (void *)NULL;
  if (!S_ISREG(about.st_mode) || about.st_size <= 0) return NULL;
  if ((uint64_t)about.st_size > SIZE_MAX) return errno = EFBIG, (void *)NULL;
  void *map = mmap(NULL, *n = (size_t)about.st_size, PROT_READ, MAP_SHARED, fileno(file), 0);
  return map == MAP_FAILED ? NULL : map;
}

FL_PRIVATE void map_free(void *map, size_t n) { munmap(map, n); }

static size_t map_page_size(void) {
  const long size = sysconf(_SC_PAGESIZE);
  return size > 0 ? (size_t)size : 4096;
}

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

/* A page fault maps the file's pages around it: at most a folio of the page cache, which has this size and alignment or
** less. So texts begin at a multiple of it, and whole ones are released, so that no fault maps them again. */
#define MAP_GRANULE ((uintptr_t)2 * 1024 * 1024)

/* An empty page follows the file's last one: so a 0 follows the text even if it fills its pages, or if another process
** makes the file longer. */
FL_PRIVATE int map_text(FILE *file, struct map_text *t) {
  const size_t page = map_page_size();
  struct stat about;
  void *text;
  t->s = NULL;
  errno = 0;
  if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) return 0;
  if ((uint64_t)about.st_size > SIZE_MAX - 2 * page - MAP_GRANULE) return errno = EFBIG, 0;
  t->n = (size_t)about.st_size;
  t->mapped = (t->n + page - 1) / page * page + page + MAP_GRANULE;
  t->map = mmap(NULL, t->mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (t->map == MAP_FAILED) return 0;
  text = (void *)(((uintptr_t)t->map + MAP_GRANULE - 1) / MAP_GRANULE * MAP_GRANULE);
  t->s = (const char *)text;
  if (mmap(text, t->n, PROT_READ, MAP_SHARED | MAP_FIXED, fileno(file), 0) == MAP_FAILED) {
    const int saved = errno;
    map_text_free(t);
    return errno = saved, 0;
  }
#ifdef MADV_SEQUENTIAL
  (void)madvise(text, t->n, MADV_SEQUENTIAL);
#endif
  return 1;
}

FL_PRIVATE void map_text_free(struct map_text *t) {
  if (t->s) munmap(t->map, t->mapped);
  t->s = NULL;
}

FL_PRIVATE void map_release(const char *from, const char *to) {
#ifdef MADV_DONTNEED
  const uintptr_t begin = (uintptr_t)from / MAP_GRANULE * MAP_GRANULE, end = (uintptr_t)to / MAP_GRANULE * MAP_GRANULE;
  if (begin < end) (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
#else
  (void)from, (void)to;
#endif
}
#elif defined(_WIN32)
#undef near /* it makes macros of common words */
#undef far

/* Returns the errno for an error of Windows. */
static int map_reason(DWORD reason) {
  switch (reason) {
  case ERROR_ACCESS_DENIED:
  case ERROR_SHARING_VIOLATION: return EACCES;
  case ERROR_NOT_ENOUGH_MEMORY:
  case ERROR_COMMITMENT_LIMIT: return ENOMEM;
  default: return EIO;
  }
}

FL_PRIVATE void *map_file(FILE *file, size_t *n) {
  const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
  LARGE_INTEGER size;
  void *map = NULL;
  errno = 0;
  if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileSizeEx(handle, &size) || size.QuadPart == 0) return NULL;
  if ((uint64_t)size.QuadPart > SIZE_MAX) return errno = EFBIG, (void *)NULL;
  const HANDLE section = CreateFileMappingA(handle, NULL, PAGE_READONLY, (DWORD)size.HighPart, size.LowPart, NULL);
  if (section) map = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
  if (map) *n = (size_t)size.QuadPart;
  else errno = map_reason(GetLastError());
  if (section) CloseHandle(section);
  return map;
}

FL_PRIVATE void map_free(void *map, size_t n) { (void)n, UnmapViewOfFile(map); }
#else

FL_PRIVATE void *map_file(FILE *file, size_t *n) { return (void)file, (void)n, errno = 0, (void *)NULL; }
FL_PRIVATE void map_free(void *map, size_t n) { (void)map, (void)n; }
#endif

#if !defined(__unix__) && !defined(__APPLE__)
FL_PRIVATE int map_text(FILE *file, struct map_text *t) { return (void)file, t->s = NULL, errno = 0; }
FL_PRIVATE void map_text_free(struct map_text *t) { (void)t; }
FL_PRIVATE void map_release(const char *from, const char *to) { (void)from, (void)to; }
#endif
