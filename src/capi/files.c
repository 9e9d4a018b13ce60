/* SPDX-License-Identifier: MIT
** files.c -- files with frames are opened.
** Must hold: what is after the last whole part of a file is never read from a mapping: a writer may cut it off. */
#include "documents.h"

enum { CAPI_FRAME_TRIES = 3 };

FL_PRIVATE int capi_walk_file(struct capi_file *f, FILE *file, fleece_error *error) {
  uint8_t head[BIN_FRAME_MAGIC];
  size_t n;
  int tries;
  const long size = append_size(file);
  memset(f, 0, sizeof *f);
  if (fseek(file, 0, SEEK_SET) != 0 || size <= 0) return errno = 0, 1;
  n = file_read(file, head, sizeof head);
  if (ferror(file)) return (void)capi_file_error(error, "cannot read the file"), 0;
  f->is_walked = 1;
  (void)append_identity(file, f->id);
  f->is_framed = bin_frame_begins(head, n);
  for (tries = 0; f->is_framed && tries < CAPI_FRAME_TRIES; tries++) {
    bin_frames_init(&f->frames, text_cpu());
    if (!append_read_frames(file, &f->frames, UINT64_MAX))
      return (void)capi_file_error(error, "cannot read the file"), 0;
    if (!f->frames.error) break;
  }
  return fseek(file, 0, SEEK_SET) == 0 || ((void)capi_file_error(error, "cannot read the file"), 0);
}

static int capi_frame_error(fleece_error *error, const struct bin_frames *f) {
  (void)capi_error(error, FLEECE_ERROR_BINARY, bin_frame_message(f->error), (size_t)f->where);
  return 0;
}

/* Tests the bytes of the parts. */
static void capi_test_frames(struct capi_file *f, const char *bytes, size_t n, int verify) {
  struct bin_frames found;
  size_t end = n;
  if (f->is_walked && f->frames.parts == 0) return;
  if (f->is_walked && f->frames.end < n) end = (size_t)f->frames.end;
  bin_frames_init(&found, text_cpu());
  (void)bin_frames_find(&found, bytes, end, verify);
  if (f->is_walked && !found.error && found.end == f->frames.end) return;
  if (f->is_walked && !found.error) found.error = BIN_FRAME_ERROR_CUT, found.where = n;
  f->frames = found;
}

/* Gives the document the shared keys whose names are in the file, or compares them with those of the caller. */
static int capi_load_names(struct capi_file *f, fleece_doc *d, const char *file, fleece_options *o,
                           fleece_error *error) {
  struct bin_doc names;
  struct bin_check c;
  unsigned i;
  if (f->frames.names_n == 0 || o->flags & FLEECE_CODES) return 1;
  memset(&names, 0, sizeof names);
  names.begin = (const uint8_t *)file + f->frames.names;
  names.end = names.begin + f->frames.names_n;
  memset(&c, 0, sizeof c);
  c.alloc = d->memory.alloc, c.alloc_ud = d->memory.ud;
  c.max_depth = o->max_depth;
  if (!bin_check(&c, &names)) return capi_binary_error(error, (int)c.error, (size_t)f->frames.names), 0;
  d->keys = (fleece_keys *)capi_new(&d->memory, sizeof *d->keys, error);
  if (!d->keys) return 0;
  bin_keys_init(&d->keys->keys);
  if (!bin_frame_load_names(&names, &d->keys->keys))
    return (void)capi_error(error, FLEECE_ERROR_BINARY, "the list of shared keys in the file is damaged",
                            (size_t)f->frames.names),
           0;
  for (i = 0; o->keys && i < d->keys->keys.count; i++) {
    const struct bin_key *k = &d->keys->keys.key[i];
    if (bin_keys_find(&o->keys->keys, k->text, k->length) != (int)i)
      return (void)capi_error(error, FLEECE_ERROR_KEYS, "the shared keys have other names than the file",
                              (size_t)f->frames.names),
             0;
  }
  d->stored_names = d->keys->keys.count;
  if (!o->keys) o->keys = d->keys;
  return 1;
}

FL_PRIVATE int capi_use_frames(struct capi_file *f, fleece_doc *d, const char **bytes, size_t *n, fleece_options *o,
                               fleece_error *error) {
  const char *file = *bytes;
  if (!f->is_walked) f->is_framed = bin_frame_begins(file, *n);
  if (!f->is_framed) {
    if (!(o->flags & FLEECE_FRAMED)) return 1;
    f->frames.error = BIN_FRAME_ERROR_NONE;
    return capi_frame_error(error, &f->frames);
  }
  capi_test_frames(f, file, *n, !(o->flags & FLEECE_UNVERIFIED));
  if (f->frames.parts == 0 || (f->frames.error && !(o->flags & FLEECE_RECOVER)))
    return capi_frame_error(error, &f->frames);
  d->stored.frames = f->frames;
  d->stored.id[0] = f->id[0], d->stored.id[1] = f->id[1];
  *bytes = file + f->frames.begin;
  *n = (size_t)(f->frames.end - f->frames.begin);
  return capi_load_names(f, d, file, o, error);
}
