/* SPDX-License-Identifier: MIT
** saving.c -- files with frames: replaced completely or not at all, appended to, compacted.
** Must hold: the lock is taken before the old file is read. After an error the old file is unchanged, and no
** temporary one is left. */
#include "documents.h"

enum { CAPI_LOCK_WAIT = 10000 };

/* A file being written, and its lock. */
struct capi_saving {
  struct replace replace;
  struct lock lock;
};

/* A part of a file. Its frame is followed by the list of the names, if any. */
struct capi_part {
  uint8_t *frame;
  const void *body;
  size_t frame_n, body_n;
};

/* Locks the file and sets *s, NULL after an error; capi_unlock_file frees it. */
static int capi_lock_file(struct capi_saving **s, const fleece_allocator *memory, const char *path,
                          fleece_error *error) {
  *s = (struct capi_saving *)capi_new(memory, sizeof **s, error);
  if (!*s) return FLEECE_ERROR_MEMORY;
  errno = 0;
  if (replace_find(&(*s)->replace, path) &&
      (!(*s)->replace.temporary[0] || lock_take(&(*s)->lock, (*s)->replace.target, CAPI_LOCK_WAIT)))
    return FLEECE_OK;
  capi_file_error(error, errno == EAGAIN ? "another writer has locked the file" : "cannot write the file");
  capi_free(memory, *s, sizeof **s);
  *s = NULL;
  return FLEECE_ERROR_FILE;
}

/* Removes an unfinished file, and releases the lock. NULL is allowed. */
static void capi_unlock_file(const fleece_allocator *memory, struct capi_saving *s) {
  if (!s) return;
  replace_abort(&s->replace);
  lock_release(&s->lock);
  capi_free(memory, s, sizeof *s);
}

static int capi_write_names(const struct bin_keys *k, const fleece_options *o, fleece_bytes *names,
                            fleece_error *error) {
  fleece_options plain = *o;
  struct bin_encoder e;
  plain.keys = NULL;
  capi_begin_document(&e, &plain, BIN_COMPATIBLE, names);
  int fine = bin_begin(&e, 0);
  for (unsigned i = 0; i < k->count && fine; i++) fine = bin_put_string(&e, k->key[i].text, k->key[i].length);
  fine = fine && bin_end(&e) && bin_finish(&e);
  return capi_return_document(&e, fine ? FLEECE_OK : capi_binary_error(error, (int)e.error, FLEECE_NOWHERE), names,
                              error);
}

static int capi_replace_file(struct capi_saving *s, const struct capi_part *part, fleece_error *error) {
  struct replace *r = &s->replace;
  errno = 0;
  if ((!r->temporary[0] || lock_note(&s->lock, r->temporary)) && replace_open(r) &&
      setvbuf(r->file, NULL, _IONBF, 0) == 0 && file_write(r->file, part->frame, part->frame_n) &&
      file_write(r->file, part->body, part->body_n) && replace_commit(r, REPLACE_SYNC_ALL))
    return capi_ok(error);
  return capi_file_error(error,
                         errno == EBUSY || errno == EXDEV ? "the file is a mount point" : "cannot write the file");
}

/* Replaces the file, which is locked, by a document. `names`: of its shared keys. */
static int capi_replace_document(struct capi_saving *s, const fleece_allocator *memory, const fleece_bytes *names,
                                 const void *bytes, size_t n, fleece_error *error) {
  struct capi_part part;
  part.frame_n = bin_frame_size(names->size);
  part.frame = (uint8_t *)capi_new(memory, part.frame_n, error);
  if (!part.frame) return FLEECE_ERROR_MEMORY;
  part.body = bytes;
  part.body_n = n;
  if (names->size) memcpy(part.frame + BIN_FRAME_HEAD, names->data, names->size);
  bin_frame_write(text_cpu(), part.frame, names->size, bytes, n, NULL);
  const int status = capi_replace_file(s, &part, error);
  capi_free(memory, part.frame, part.frame_n);
  return status;
}

int fleece_save(const char *path, const void *bytes, size_t n, const fleece_options *options, fleece_error *error) {
  struct capi_saving *s = NULL;
  fleece_options o;
  fleece_bytes names = FLEECE_BYTES_INIT;
  if (!path) return capi_bad_argument(error, "there is no path");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  int status = o.flags & FLEECE_TRUSTED && n >= 2 && n % 2 == 0 ? FLEECE_OK : fleece_check(bytes, n, options, error);
  if (status != FLEECE_OK) return status;
  fleece_allocator memory = capi_memory(o.allocator);
  names.allocator = memory;
  if (o.keys && o.keys->keys.count > 0) status = capi_write_names(&o.keys->keys, &o, &names, error);
  if (!status) status = capi_lock_file(&s, &memory, path, error);
  if (!status) status = capi_replace_document(s, &memory, &names, bytes, n, error);
  capi_unlock_file(&memory, s);
  capi_free_bytes(&names);
  return status;
}

/* Appends a part to the file, which is locked and must be in the state `at`. */
static int capi_append_part(const struct capi_saving *s, const struct append_state *at, const struct capi_part *part,
                            fleece_error *error) {
  const char *wrong = "";
  errno = 0;
  FILE *file = append_open(s->replace.target);
  if (file) wrong = append_find_change(file, at);
  if (file && !wrong &&
      !append_part(file, &at->frames, part->frame, part->frame_n, part->body, part->body_n, REPLACE_SYNC_ALL))
    wrong = "";
  if (wrong && *wrong) capi_error(error, FLEECE_ERROR_FILE, wrong, FLEECE_NOWHERE);
  else if (wrong) capi_file_error(error, "cannot append to the file");
  if (file) fclose(file);
  return wrong ? FLEECE_ERROR_FILE : capi_ok(error);
}

/* Writes the changes with room for a frame before them, and the names of the keys if the file lacks some. Writing may
** add names, so it is repeated until no name is new. */
static int capi_write_addition(fleece_edit *edit, const fleece_options *o, fleece_bytes *names, fleece_bytes *bytes,
                               fleece_error *error) {
  const fleece_doc *d = capi_edited(edit);
  const struct bin_keys *keys = d->doc.keys;
  unsigned count;
  int status;
  do {
    count = keys ? keys->count : 0;
    names->size = 0;
    status = count > d->stored_names ? capi_write_names(keys, o, names, error) : FLEECE_OK;
    if (!status) status = capi_write_edit(edit, o, bin_frame_size(names->size), bytes, error);
  } while (!status && keys && keys->count > count);
  return status;
}

int fleece_append(fleece_edit *edit, const char *path, const fleece_options *options, fleece_error *error) {
  const fleece_doc *d = edit ? capi_edited(edit) : NULL;
  struct capi_saving *s;
  struct capi_part part;
  fleece_options o;
  fleece_bytes names = FLEECE_BYTES_INIT, bytes = FLEECE_BYTES_INIT;
  if (!path || !d) return capi_bad_argument(error, !path ? "there is no path" : "there is no edit");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  if (d->stored.frames.parts == 0)
    return capi_bad_argument(error, "the document was not opened from a file with a frame");
  if (o.flags & (FLEECE_EXTERN | FLEECE_WHOLE))
    return capi_bad_argument(error, "FLEECE_EXTERN and FLEECE_WHOLE do not apply: a delta is appended");
  fleece_allocator memory = capi_memory(o.allocator);
  names.allocator = bytes.allocator = memory;
  int status = capi_write_addition(edit, &o, &names, &bytes, error);
  if (!status) {
    part.frame = (uint8_t *)bytes.data;
    part.frame_n = bin_frame_size(names.size);
    part.body = part.frame + part.frame_n;
    part.body_n = bytes.size - part.frame_n;
    if (names.size) memcpy(part.frame + BIN_FRAME_HEAD, names.data, names.size);
    bin_frame_write(text_cpu(), part.frame, names.size, part.body, part.body_n, &d->stored.frames);
    status = capi_lock_file(&s, &memory, path, error);
    if (!status) status = capi_append_part(s, &d->stored, &part, error);
    capi_unlock_file(&memory, s);
  }
  capi_free_bytes(&bytes);
  capi_free_bytes(&names);
  return status;
}

/* Writes the document of a file, which is locked, anew. */
static int capi_compact_file(struct capi_saving *s, fleece_doc **doc, const fleece_options *o, fleece_error *error) {
  fleece_bytes names = FLEECE_BYTES_INIT, bytes = FLEECE_BYTES_INIT;
  fleece_options to = *o;
  struct bin_encoder e;
  const struct bin_keys *keys = (*doc)->doc.keys;
  names.allocator = bytes.allocator = (*doc)->memory;
  to.keys = (fleece_keys *)(uintptr_t)keys; /* its first member */
  to.base = NULL;
  capi_begin_document(&e, &to, capi_mode(o->flags), &bytes);
  int status = capi_copy(&e, fleece_root(*doc)) && bin_finish(&e)
                   ? FLEECE_OK
                   : capi_binary_error(error, (int)e.error, FLEECE_NOWHERE);
  status = capi_return_document(&e, status, &bytes, error);
  if (!status && keys && keys->count > 0) status = capi_write_names(keys, o, &names, error);
  if (!status) {
    const fleece_allocator memory = (*doc)->memory;
    fleece_close(*doc); /* Windows cannot replace a mapped file */
    *doc = NULL;
    status = capi_replace_document(s, &memory, &names, bytes.data, bytes.size, error);
  }
  capi_free_bytes(&bytes);
  capi_free_bytes(&names);
  return status;
}

int fleece_compact(const char *path, const fleece_options *options, fleece_error *error) {
  struct capi_saving *s;
  fleece_options o;
  fleece_doc *d;
  if (!path) return capi_bad_argument(error, "there is no path");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  fleece_allocator memory = capi_memory(o.allocator);
  int status = capi_lock_file(&s, &memory, path, error);
  if (status) return status;
  if (s->replace.temporary[0]) {
    fleece_error own;
    d = fleece_open_file(s->replace.target, &o, error ? error : &own);
    status = d ? capi_compact_file(s, &d, &o, error) : error ? error->status : own.status;
    fleece_close(d);
  } else {
    errno = EINVAL; /* a device */
    status = capi_file_error(error, "it must be a plain file");
  }
  capi_unlock_file(&memory, s);
  return status;
}
