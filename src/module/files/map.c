/* SPDX-License-Identifier: MIT */
#include "map.h"
#include <errno.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <sys/stat.h>
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <io.h>
#include <windows.h>
#endif

#if defined(__unix__) || defined(__APPLE__)

FL_PRIVATE void *map_file(FILE *file, size_t *n) {
  struct stat about;
  void *map;
  errno = 0;
  if (fstat(fileno(file), &about) != 0) return NULL;
  if (S_ISDIR(about.st_mode)) return errno = EISDIR, (void *)NULL;
  if (!S_ISREG(about.st_mode) || about.st_size <= 0) return NULL;
  if ((uint64_t)about.st_size > SIZE_MAX) return errno = EFBIG, (void *)NULL;
  map = mmap(NULL, *n = (size_t)about.st_size, PROT_READ, MAP_SHARED, fileno(file), 0);
  return map == MAP_FAILED ? NULL : map;
}

FL_PRIVATE void map_free(void *map, size_t n) { munmap(map, n); }
#elif defined(_WIN32)
#undef near /* it makes macros of common words */
#undef far

/* The errno for an error of Windows. */
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
  HANDLE section;
  LARGE_INTEGER size;
  void *map = NULL;
  errno = 0;
  if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileSizeEx(handle, &size) || size.QuadPart == 0) return NULL;
  if ((uint64_t)size.QuadPart > SIZE_MAX) return errno = EFBIG, (void *)NULL;
  section = CreateFileMappingA(handle, NULL, PAGE_READONLY, (DWORD)size.HighPart, size.LowPart, NULL);
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
