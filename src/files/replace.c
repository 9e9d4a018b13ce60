/* SPDX-License-Identifier: MIT
** Call replace_find, which chooses the name of the temporary file, replace_open, then fwrite to r->file, then
** replace_commit or replace_abort. After a failure errno has the reason. */
#include "replace.h"

#if defined(__unix__) || defined(__APPLE__)
#elif defined(_WIN32)
#undef near /* it makes macros of common words */
#undef far
#endif

FL_PRIVATE int file_interrupted(FILE *file) {
#ifdef EINTR
  if (ferror(file) && errno == EINTR) return clearerr(file), errno = 0, 1;
#endif
  return (void)file, 0;
}

FL_PRIVATE size_t file_read(FILE *file, void *to, size_t n) {
  size_t got = 0;
  do got += fread((char *)to + got, 1, n - got, file);
  while (got < n && file_interrupted(file));
  return got;
}

FL_PRIVATE int file_write(FILE *file, const void *bytes, size_t n) {
  size_t put = 0;
  do put += fwrite((const char *)bytes + put, 1, n - put, file);
  while (put < n && file_interrupted(file));
  return put == n;
}

FL_PRIVATE FILE *file_open(const char *path, const char *mode) {
  FILE *file;
  do file = fopen(path, mode);
  while (!file && errno == EINTR);
  return file;
}

/* Returns 0 if the name is empty or too long. */
static int replace_set_target(struct replace *r, const char *folder, size_t n, const char *name) {
  const size_t length = strlen(name);
  if (n + length >= REPLACE_PATH) return errno = ENAMETOOLONG, 0;
  if (n + length == 0) return errno = ENOENT, 0;
  if (n) memmove(r->target, folder, n);
  memcpy(r->target + n, name, length + 1);
  r->folder = n + length;
  while (r->folder > 0 && r->target[r->folder - 1] != '/') {
#ifdef _WIN32
    if (r->target[r->folder - 1] == '\\' || r->target[r->folder - 1] == ':') break;
#endif
    r->folder--;
  }
  return 1;
}

#if REPLACE_POSIX
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif

static int replace_random(unsigned char *bytes, size_t n) {
  const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  const int fine = fd >= 0 && read(fd, bytes, n) == (ssize_t)n;
  if (fd >= 0) close(fd);
  return fine;
}

/* Writes the folder's name to `to`, which has room for any. */
static void replace_folder(const struct replace *r, char *to) {
  memcpy(to, r->target, r->folder);
  if (r->folder == 0) to[0] = '.';
  to[r->folder ? r->folder : 1] = 0;
}

/* Returns whether the target is in a system folder whose names are this process's streams, like /dev/stderr. They count
** as no plain files, whatever they are open on, because a new file would not be the open one. */
static int replace_is_stream(const struct replace *r) {
  char folder[REPLACE_PATH], *real;
  replace_folder(r, folder);
  real = realpath(folder, NULL);
  if (!real) return 0;
  const int is_stream = strcmp(real, "/dev") == 0 || strcmp(real, "/dev/fd") == 0 || strncmp(real, "/proc/", 6) == 0;
  free(real);
  return is_stream;
}

/* Replaces the target by what the symbolic link points to. */
static int replace_follow_link(struct replace *r) {
  char link[REPLACE_PATH];
  const ssize_t n = readlink(r->target, link, sizeof link);
  if (n < 0) return 0;
  if ((size_t)n == sizeof link) return errno = ENAMETOOLONG, 0;
  link[n] = 0;
  return replace_set_target(r, r->target, link[0] == '/' ? 0 : r->folder, link);
}

/* Finds the name of the new file. Returns 1 if a temporary file beside it is written first, 0 if it is not a plain file
** and written in place, -1 after a failure. */
static int replace_resolve(struct replace *r) {
  struct stat about;
  for (int links = 0;; links++) {
    if (lstat(r->target, &about) != 0) {
      if (errno != ENOENT) return -1;
      if (r->target[r->folder] == 0) return errno = EISDIR, -1; /* "name/" */
      return replace_is_stream(r) ? 0 : 1;
    }
    if (replace_is_stream(r)) return 0;
    if (!S_ISLNK(about.st_mode)) break;
    if (links == REPLACE_LINKS) return errno = ELOOP, -1;
    if (!replace_follow_link(r)) return -1;
  }
  if (!S_ISREG(about.st_mode)) return 0;
  r->exists = 1;
  r->mode = about.st_mode & 07777;
  return 1;
}

/* Creates the temporary file, which only its owner can read until it is complete. The system chooses the mode of a new
** file (umask, the folder's defaults), so the mode is taken from one that it creates. */
static FILE *replace_create(struct replace *r) {
  const int fd = open(r->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, r->exists ? 0600 : 0666);
  struct stat about;
  if (fd < 0) return NULL;
  if (!r->exists && fstat(fd, &about) == 0) {
    r->mode = about.st_mode & 07777;
    (void)fchmod(fd, 0600);
  }
  FILE *file = fdopen(fd, "wb");
  if (!file) {
    const int saved = errno;
    close(fd);
    unlink(r->temporary);
    errno = saved;
  }
  return file;
}

/* Gives the file the mode and owner of the one that it replaces. If it cannot have that owner or group, it loses the
** permissions of those. */
static int replace_keep_mode(const struct replace *r, int fd) {
  struct stat old, own;
  mode_t mode = (mode_t)r->mode;
  if (fstat(fd, &own) != 0) return 0;
  if (lstat(r->target, &old) == 0 && S_ISREG(old.st_mode)) {
    mode = old.st_mode & 07777;
    if ((old.st_uid != own.st_uid || old.st_gid != own.st_gid) && fchown(fd, old.st_uid, old.st_gid) != 0) {
      if (old.st_uid != own.st_uid) mode &= (mode_t)~S_ISUID;
      if (old.st_gid != own.st_gid && fchown(fd, (uid_t)-1, old.st_gid) != 0)
        mode = (mode & (mode_t) ~(S_ISGID | S_IRWXG)) | (mode & (mode & S_IRWXO) << 3);
    }
  }
  return (own.st_mode & 07777) == mode || fchmod(fd, mode) == 0;
}

FL_PRIVATE int replace_sync_file(FILE *file) {
  const int fd = fileno(file);
#ifdef F_FULLFSYNC /* else the data may still be in the drive's own memory */
  if (fcntl(fd, F_FULLFSYNC) == 0) return 1;
#endif
  while (fsync(fd) != 0)
    if (errno != EINTR) return errno == EINVAL; /* EINVAL: the file system does not support it */
  return 1;
}

static int replace_finish(struct replace *r, int sync) {
  const int fd = fileno(r->file);
  return replace_keep_mode(r, fd) && (!sync || replace_sync_file(r->file));
}

static int replace_move(const struct replace *r, int sync) {
  char folder[REPLACE_PATH];
  if (rename(r->temporary, r->target) != 0) return 0;
  if (sync != REPLACE_SYNC_ALL) return 1;
  replace_folder(r, folder); /* so that the new name survives a power failure, too; not all systems can do that */
  const int fd = open(folder, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 1;
  (void)fsync(fd);
  close(fd);
  return 1;
}

FL_PRIVATE void replace_remove(const char *path) { (void)unlink(path); }

#elif defined(_WIN32)

static int replace_random(unsigned char *bytes, size_t n) {
  typedef BOOLEAN(APIENTRY * random_fn)(PVOID, ULONG);
  const HMODULE library = LoadLibraryA("advapi32.dll");
  random_fn random = NULL;
  const FARPROC function = library ? GetProcAddress(library, "SystemFunction036") : NULL; /* RtlGenRandom */
  int fine;
  memcpy(&random, &function, sizeof random);
  fine = random && random(bytes, (ULONG)n);
  if (library) FreeLibrary(library);
  return fine;
}

/* Finds the name as above. The system follows a symbolic link, if its target exists. */
static int replace_resolve(struct replace *r) {
  const DWORD attributes = GetFileAttributesA(r->target);
  HANDLE handle;
  DWORD type, n = 0;
  char name[REPLACE_PATH];
  if (attributes == INVALID_FILE_ATTRIBUTES) return r->target[r->folder] == 0 ? (errno = EISDIR, -1) : 1;
  if (attributes & FILE_ATTRIBUTE_DIRECTORY) return errno = EISDIR, -1;
  handle = CreateFileA(r->target, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0,
                       NULL);
  if (handle == INVALID_HANDLE_VALUE) return 0; /* opening it will say why */
  type = GetFileType(handle);
  if (attributes & FILE_ATTRIBUTE_REPARSE_POINT) n = GetFinalPathNameByHandleA(handle, name, sizeof name, 0);
  CloseHandle(handle);
  if (type != FILE_TYPE_DISK) return 0;
  if (n > 0 && n < sizeof name && !replace_set_target(r, NULL, 0, name)) return -1;
  r->exists = 1;
  return 1;
}

static FILE *replace_create(struct replace *r) {
  const int fd = _open(r->temporary, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
  FILE *file = fd < 0 ? NULL : _fdopen(fd, "wb");
  if (fd >= 0 && !file) {
    const int saved = errno;
    _close(fd);
    _unlink(r->temporary);
    errno = saved;
  }
  return file;
}

FL_PRIVATE int replace_sync_file(FILE *file) { return _commit(_fileno(file)) == 0; }
static int replace_finish(struct replace *r, int sync) { return !sync || replace_sync_file(r->file); }

/* ReplaceFile keeps what belongs to the name: attributes, access rights, streams. Wine's fails unless the old file gets
** a name (Wine 8.0, with an arbitrary error). */
static int replace_exchange(const struct replace *r) {
  char old[REPLACE_PATH];
  const size_t n = strlen(r->temporary);
  if (ReplaceFileA(r->target, r->temporary, NULL, REPLACEFILE_IGNORE_MERGE_ERRORS, NULL, NULL)) return 1;
  if (GetLastError() == ERROR_FILE_NOT_FOUND) return 0;
  memcpy(old, r->temporary, n + 1);
  old[n - 1] = '~';
  if (!ReplaceFileA(r->target, r->temporary, old, REPLACEFILE_IGNORE_MERGE_ERRORS, NULL, NULL)) return 0;
  (void)DeleteFileA(old);
  return 1;
}

static int replace_move(const struct replace *r, int sync) {
  const DWORD flags = MOVEFILE_REPLACE_EXISTING | (sync ? MOVEFILE_WRITE_THROUGH : 0u);
  if (replace_exchange(r)) return 1;
  if (GetLastError() == ERROR_FILE_NOT_FOUND && MoveFileExA(r->temporary, r->target, flags)) return 1;
  errno = GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
  return 0;
}

FL_PRIVATE void replace_remove(const char *path) { (void)_unlink(path); }

#else /* plain C can only write in place */
static int replace_random(unsigned char *bytes, size_t n) { return (void)bytes, (void)n, 0; }
static int replace_resolve(struct replace *r) { return (void)r, 0; }
static FILE *replace_create(struct replace *r) { return (void)r, NULL; }
FL_PRIVATE int replace_sync_file(FILE *file) { return (void)file, 1; }
static int replace_finish(struct replace *r, int sync) { return (void)r, (void)sync, 1; }
static int replace_move(const struct replace *r, int sync) { return (void)r, (void)sync, 0; }
FL_PRIVATE void replace_remove(const char *path) { (void)remove(path); }
#endif

/* Gives the temporary file a name that nobody can guess, or, if the system has no random numbers, one that is only new:
** an existing file is never opened. */
static int replace_name(struct replace *r) {
  static const char hex[] = "0123456789abcdef", before[] = REPLACE_BEFORE, after[] = REPLACE_AFTER;
  unsigned char random[REPLACE_RANDOM];
  char *w = r->temporary + r->folder;
  if (r->folder + sizeof before + 2 * sizeof random + sizeof after > REPLACE_PATH) return errno = ENAMETOOLONG, 0;
  if (!replace_random(random, sizeof random)) {
    uint64_t x = (uint64_t)time(NULL) << 32 ^ (uint64_t)clock() ^ (uint64_t)(uintptr_t)r << 8;
    for (size_t i = 0; i < sizeof random; i++) {
      x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      random[i] = (unsigned char)(x >> 56);
    }
  }
  memcpy(w, before, sizeof before - 1);
  w += sizeof before - 1;
  for (size_t i = 0; i < sizeof random; i++) *w++ = hex[random[i] >> 4], *w++ = hex[random[i] & 15];
  memcpy(w, after, sizeof after);
  memcpy(r->temporary, r->target, r->folder); /* last, because until now the name was empty */
  return 1;
}

FL_PRIVATE int replace_find(struct replace *r, const char *path) {
  r->file = NULL;
  r->mode = 0600;
  r->exists = r->is_replaced = 0;
  r->temporary[0] = 0;
  if (!replace_set_target(r, NULL, 0, path)) return 0;
  const int kind = replace_resolve(r);
  r->is_replaced = kind > 0;
  return kind == 0 || (kind > 0 && replace_name(r));
}

#if REPLACE_POSIX
/* Writes s from w on, as much as fits before end, and a 0. Returns where the 0 is. */
static char *replace_put(char *w, const char *end, const char *s) {
  size_t n = strlen(s);
  if (n > (size_t)(end - w) - 1) n = (size_t)(end - w) - 1;
  memcpy(w, s, n);
  w[n] = 0;
  return w + n;
}
#endif

FL_PRIVATE const char *replace_why(const struct replace *r, char *text) {
  const char *reason = errno == EINVAL && !r->is_replaced ? "it must be a plain file"
                       : errno                            ? strerror(errno)
                                                          : "unknown reason";
#if REPLACE_POSIX
  const int saved = errno;
  char folder[REPLACE_PATH], *w;
  const char *end;
  if (!r->is_replaced) return reason;
  if (saved == EBUSY || saved == EXDEV)
    return "it is a mount point, so no new file can replace it; mount its folder instead";
  if (saved != EACCES && saved != EROFS && saved != EPERM) return reason;
  replace_folder(r, folder);
  if (access(folder, W_OK) == 0) return reason; /* another cause: the file is immutable, or the folder is sticky */
  end = text + REPLACE_WHY;
  w = replace_put(replace_put(text, end, "no file can be made in its folder '"), end, folder);
  (void)replace_put(replace_put(w, end, "': "), end, strerror(saved));
  return text;
#else
  (void)r, (void)text;
  return reason;
#endif
}

FL_PRIVATE int replace_may_be_in_place(const struct replace *r) {
#if REPLACE_POSIX
  const int saved = errno;
  const int fixed = saved == EBUSY || saved == EXDEV || saved == EACCES || saved == EROFS || saved == EPERM;
  const int fine = fixed && r->is_replaced && r->exists && access(r->target, W_OK) == 0;
  errno = saved;
  return fine;
#else
  (void)r;
  return 0;
#endif
}

FL_PRIVATE int replace_open(struct replace *r) {
  r->file = r->temporary[0] ? replace_create(r) : file_open(r->target, "wb");
  return r->file != NULL;
}

FL_PRIVATE void replace_abort(struct replace *r) {
  const int saved = errno;
  if (r->file) {
    fclose(r->file);
    if (r->temporary[0]) replace_remove(r->temporary);
  }
  r->file = NULL;
  r->temporary[0] = 0;
  errno = saved;
}

FL_PRIVATE int replace_commit(struct replace *r, int sync) {
  FILE *file = r->file;
  errno = 0;
  if (!file) return errno = EBADF, 0;
  int fine = fflush(file) == 0 && !ferror(file) && (!r->temporary[0] || replace_finish(r, sync));
  if (!fine) {
    if (!errno) errno = EIO;
    replace_abort(r);
    return 0;
  }
  r->file = NULL;
  fine = fclose(file) == 0 && (!r->temporary[0] || replace_move(r, sync));
  if (!fine && r->temporary[0]) {
    const int saved = errno;
    replace_remove(r->temporary);
    errno = saved;
  }
  r->temporary[0] = 0;
  return fine;
}
