/* SPDX-License-Identifier: MIT
** map.h -- a file's bytes in memory, without reading them: memory mapping where the system has it.
** May call: the operating system.
** Must hold: the mapping is for reading. A file that another process makes shorter takes its bytes away under the
** map: the system then ends the program (SIGBUS); Windows refuses to shorten it. Files that others change are
** opened with map = false. */
#ifndef FLEECE_MODULE_MAP_H
#define FLEECE_MODULE_MAP_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__unix__) || defined(__APPLE__)
#define FLEECE_MAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps the file; NULL with errno set: it could not be. An empty file has no map: *n is 0 and errno too. */
static void *map_file(const char *path, size_t *n) {
  struct stat about;
  void *map = NULL;
  int saved, file = open(path, O_RDONLY | O_CLOEXEC);
  *n = 0;
  if (file < 0) return NULL;
  if (fstat(file, &about) == 0) {
    errno = 0;
    if (S_ISDIR(about.st_mode)) errno = EISDIR;
    else if ((uint64_t)about.st_size > SIZE_MAX) errno = EFBIG;
    else if (about.st_size > 0) map = mmap(NULL, *n = (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) map = NULL;
  }
  saved = errno;
  close(file);
  errno = saved;
  return map;
}

static void map_free(void *map, size_t n) { munmap(map, n); }
#elif defined(_WIN32)
#define FLEECE_MAP 1
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef near /* it makes macros of common words */
#undef far

/* What the C library would have said of it. */
static int map_reason(DWORD reason) {
  switch (reason) {
    case ERROR_FILE_NOT_FOUND: case ERROR_PATH_NOT_FOUND: case ERROR_INVALID_NAME: return ENOENT;
    case ERROR_ACCESS_DENIED: case ERROR_SHARING_VIOLATION: return EACCES; /* a directory is the first */
    case ERROR_NOT_ENOUGH_MEMORY: case ERROR_COMMITMENT_LIMIT: return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    default: return EIO;
  }
}

/* As above. The view keeps the section and the file open, so their handles are closed at once. */
static void *map_file(const char *path, size_t *n) {
  HANDLE section, file;
  LARGE_INTEGER size;
  void *map = NULL;
  *n = 0;
  file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                     FILE_ATTRIBUTE_NORMAL, NULL);
  if (file == INVALID_HANDLE_VALUE) return errno = map_reason(GetLastError()), (void *)NULL;
  if (!GetFileSizeEx(file, &size)) errno = map_reason(GetLastError());
  else if ((uint64_t)size.QuadPart > SIZE_MAX) errno = EFBIG;
  else if (size.QuadPart == 0) errno = 0;
  else {
    section = CreateFileMappingA(file, NULL, PAGE_READONLY, (DWORD)size.HighPart, size.LowPart, NULL);
    if (section) map = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    if (map) *n = (size_t)size.QuadPart;
    else errno = map_reason(GetLastError());
    if (section) CloseHandle(section);
  }
  CloseHandle(file);
  return map;
}

static void map_free(void *map, size_t n) { (void)n, UnmapViewOfFile(map); }
#else
#define FLEECE_MAP 0
static void *map_file(const char *path, size_t *n) { return (void)path, *n = 0, errno = 0, (void *)NULL; }
static void map_free(void *map, size_t n) { (void)map, (void)n; }
#endif

#endif
