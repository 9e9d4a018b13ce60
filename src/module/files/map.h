/* SPDX-License-Identifier: MIT
** map.h -- memory-mapped files, where the system has them.
** May call: stdio, the operating system.
** Must hold: the mapping is read-only. If another process shortens the file, reading the lost bytes ends the program
** (SIGBUS); Windows refuses to shorten a mapped file. Files that others may change are opened with map = false. */
#ifndef FLEECE_MODULE_FILES_MAP_H
#define FLEECE_MODULE_FILES_MAP_H

#include <stdio.h>
#include "../../base/def.h"

/* Maps the file, which may be closed afterwards. NULL with errno set: that failed. NULL with errno 0: the file has to
** be read instead, because it is empty, a pipe, or a file without a size (/proc); or this system maps none. */
FL_PRIVATE void *map_file(FILE *file, size_t *n);
FL_PRIVATE void map_free(void *map, size_t n);

#endif
