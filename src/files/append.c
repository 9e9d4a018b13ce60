/* SPDX-License-Identifier: MIT */
#include "append.h"
#include <limits.h>

#if REPLACE_POSIX

static int append_cut(FILE *file, long n) { return ftruncate(fileno(file), (off_t)n) == 0; }

FL_PRIVATE int append_identity(FILE *file, uint64_t id[2]) {
  struct stat about;
  id[0] = id[1] = 0;
  if (fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) return 0;
  id[0] = (uint64_t)about.st_dev;
  id[1] = (uint64_t)about.st_ino;
  return 1;
}

#elif defined(_WIN32)

static int append_cut(FILE *file, long n) { return _chsize(_fileno(file), n) == 0; }

FL_PRIVATE int append_identity(FILE *file, uint64_t id[2]) {
  const HANDLE handle = (HANDLE)_get_osfhandle(_fileno(file));
  BY_HANDLE_FILE_INFORMATION about;
  id[0] = id[1] = 0;
  if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &about)) return 0;
  id[0] = about.dwVolumeSerialNumber;
  id[1] = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
  return 1;
}

#else

static int append_cut(FILE *file, long n) { return (void)file, (void)n, 0; }
FL_PRIVATE int append_identity(FILE *file, uint64_t id[2]) { return (void)file, id[0] = id[1] = 0, 0; }
#endif

FL_PRIVATE FILE *append_open(const char *path) {
  FILE *file = file_open(path, "r+b");
  if (file) (void)setvbuf(file, NULL, _IONBF, 0);
  return file;
}

FL_PRIVATE long append_size(FILE *file) {
  if (fseek(file, 0, SEEK_END) != 0) return -1;
  const long n = ftell(file);
  return n == LONG_MAX ? -1 : n; /* LONG_MAX: a directory */
}

/* The size is read after the frame: a frame that counts has its whole body in the file by then. */
FL_PRIVATE int append_read_frames(FILE *file, struct bin_frames *f, uint64_t limit) {
  struct bin_part part;
  uint8_t head[BIN_FRAME_HEAD];
  for (;;) {
    if (f->end > LONG_MAX || fseek(file, (long)f->end, SEEK_SET) != 0) return errno ? 0 : (errno = EFBIG, 0);
    size_t n = file_read(file, head, sizeof head);
    if (ferror(file)) return 0;
    const long end = append_size(file);
    if (end < 0) return 0;
    uint64_t size = (uint64_t)end < limit ? (uint64_t)end : limit;
    if (size < f->end) size = f->end; /* a file that became shorter is noticed later */
    if (n > size - f->end) n = (size_t)(size - f->end);
    if (!bin_frame_read(f, &part, head, n, size) || !bin_frame_take(f, &part, NULL, 0)) return 1;
  }
}

FL_PRIVATE const char *append_find_change(FILE *file, const struct append_state *s) {
  struct bin_frames f = s->frames;
  uint8_t head[BIN_FRAME_HEAD];
  uint64_t id[2];
  errno = 0;
  if (!append_identity(file, id) || id[0] != s->id[0] || id[1] != s->id[1]) return "it is another file now";
  if (fseek(file, (long)s->frames.last, SEEK_SET) != 0) return "";
  if (file_read(file, head, sizeof head) != sizeof head) return ferror(file) ? "" : "it has become shorter";
  f.pending = 0;
  if (bin_checksum(f.cpu, 0, head, BIN_FRAME_HEAD - 4) != f.sum || head[0] != BIN_FRAME_FIRST)
    return "it was changed since it was opened";
  errno = 0;
  if (!append_read_frames(file, &f, UINT64_MAX)) return "";
  if (f.parts != s->frames.parts) return "it was changed since it was opened: open it again";
  if (f.error) return "the part after its last whole state is damaged";
  return NULL;
}

static int append_byte(FILE *file, long at, uint8_t byte) {
  return fseek(file, at, SEEK_SET) == 0 && file_write(file, &byte, 1);
}

/* Writes what follows the first byte, and as that byte one that says that the part is not finished. Older bytes of a
** killed writer are cut off, or, if the system refuses (Windows, while the file is mapped), end as such a part, too. */
static int append_body(FILE *file, long at, const uint8_t *frame, size_t frame_n, const void *body, size_t body_n) {
  const long size = append_size(file);
  const size_t n = frame_n + body_n;
  if (size < at) return errno = EIO, 0;
  if (size > at && !append_cut(file, at) && (size_t)(size - at) > n &&
      !append_byte(file, at + (long)n, BIN_FRAME_PENDING))
    return 0;
  return append_byte(file, at, BIN_FRAME_PENDING) && file_write(file, frame + 1, frame_n - 1) &&
         file_write(file, body, body_n);
}

/* Restores the old state. */
static int append_undo(FILE *file, long at) {
  const int saved = errno ? errno : EIO;
  clearerr(file);
  if (append_size(file) > at) {
    (void)append_byte(file, at, BIN_FRAME_PENDING);
    (void)append_cut(file, at);
  }
  errno = saved;
  return 0;
}

FL_PRIVATE int append_part(FILE *file, const struct bin_frames *f, const uint8_t *frame, size_t frame_n,
                           const void *body, size_t body_n, int sync) {
  const long at = (long)f->end;
  const size_t n = frame_n + body_n;
  FL_ASSERT(frame_n >= BIN_FRAME_HEAD && frame[0] == BIN_FRAME_FIRST);
  if (f->end > (uint64_t)LONG_MAX - n || n < body_n) return errno = EFBIG, 0;
  errno = 0;
  if (!append_body(file, at, frame, frame_n, body, body_n)) return append_undo(file, at);
  if (sync != REPLACE_NO_SYNC && !replace_sync_file(file)) return append_undo(file, at);
  if (!append_byte(file, at, frame[0])) return append_undo(file, at);
  if (sync != REPLACE_NO_SYNC && !replace_sync_file(file)) return append_undo(file, at);
  return 1;
}
