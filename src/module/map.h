/* SPDX-License-Identifier: MIT
** map.h -- a file's bytes in memory, without reading them: memory mapping where the system has it.
** May call: the operating system.
** Must hold: the mapping is for reading. A file that another process makes shorter takes its bytes away under the map: the system
** then ends the program (SIGBUS). Files that others change are opened with map = false. */
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
#else
#define FLEECE_MAP 0
static void *map_file(const char *path, size_t *n) { return (void)path, *n = 0, errno = 0, (void *)NULL; }
static void map_free(void *map, size_t n) { (void)map, (void)n; }
#endif

#endif
