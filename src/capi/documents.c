/* SPDX-License-Identifier: MIT
** documents.c -- checks, opens and closes documents, including files with frames; shared keys.
** Must hold: what follows the last whole part of a file is never read from a mapping, because a writer may truncate
** it. */
#include "documents.h"
#include <errno.h>
#include "../files/map.h"

enum { CAPI_FRAME_TRIES = 3 };

/* A file being opened. */
struct capi_file {
  struct bin_frames frames;
  uint64_t id[2];           /* of append_identity */
  int is_framed, is_walked; /* is_walked: its frames were read before its bytes; not for a pipe */
};

/* Reads the frames of a file. Returns 0 with *error set. */
static int capi_walk_file(struct capi_file *f, FILE *file, fleece_error *error) {
  uint8_t head[BIN_FRAME_MAGIC];
  const long size = append_size(file);
  memset(f, 0, sizeof *f);
  if (fseek(file, 0, SEEK_SET) != 0 || size <= 0) return errno = 0, 1;
  const size_t n = file_read(file, head, sizeof head);
  if (ferror(file)) return capi_file_error(error, "cannot read the file"), 0;
  f->is_walked = 1;
  (void)append_identity(file, f->id);
  f->is_framed = bin_frame_begins(head, n);
  for (int tries = 0; f->is_framed && tries < CAPI_FRAME_TRIES; tries++) {
    bin_frames_init(&f->frames, text_cpu());
    if (!append_read_frames(file, &f->frames, UINT64_MAX)) return capi_file_error(error, "cannot read the file"), 0;
    if (!f->frames.error) break;
  }
  return fseek(file, 0, SEEK_SET) == 0 || (capi_file_error(error, "cannot read the file"), 0);
}

static int capi_frame_error(fleece_error *error, const struct bin_frames *f) {
  capi_error(error, FLEECE_ERROR_BINARY, bin_frame_message(f->error), (size_t)f->where);
  return 0;
}

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

/* Gives the document the shared keys whose names are in the file, or compares them with the caller's. */
static int capi_load_names(struct capi_file *f, fleece_doc *d, const char *file, fleece_options *o,
                           fleece_error *error) {
  if (f->frames.names_n == 0 || o->flags & FLEECE_CODES) return 1;
  struct bin_doc names = {0};
  names.begin = (const uint8_t *)file + f->frames.names;
  names.end = names.begin + f->frames.names_n;
  struct bin_check c = {0};
  c.alloc = d->memory.alloc, c.alloc_ud = d->memory.ud;
  c.max_depth = o->max_depth;
  if (!bin_check(&c, &names)) return capi_binary_error(error, (int)c.error, (size_t)f->frames.names), 0;
  d->keys = (fleece_keys *)capi_new(&d->memory, sizeof *d->keys, error);
  if (!d->keys) return 0;
  bin_keys_init(&d->keys->keys);
  if (!bin_frame_load_names(&names, &d->keys->keys))
    return capi_error(error, FLEECE_ERROR_BINARY, "the list of shared keys in the file is damaged",
                      (size_t)f->frames.names),
           0;
  for (unsigned i = 0; o->keys && i < d->keys->keys.count; i++) {
    const struct bin_key *k = &d->keys->keys.key[i];
    if (bin_keys_find(&o->keys->keys, k->text, k->length) != (int)i)
      return capi_error(error, FLEECE_ERROR_KEYS, "the shared keys have other names than the file",
                        (size_t)f->frames.names),
             0;
  }
  d->stored_names = d->keys->keys.count;
  if (!o->keys) o->keys = d->keys;
  return 1;
}

/* Sets *bytes and *n to the file's document, and o->keys to its shared keys unless the caller has given some. The
** document owns the file's bytes. Returns 0 with *error set. */
static int capi_use_frames(struct capi_file *f, fleece_doc *d, const char **bytes, size_t *n, fleece_options *o,
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

FL_PRIVATE void capi_set_doc(struct bin_doc *d, const void *bytes, size_t n, const fleece_options *o) {
  memset(d, 0, sizeof *d);
  d->begin = (const uint8_t *)bytes;
  d->end = d->begin + n;
  d->base = o->base ? &o->base->doc : NULL;
  d->keys = o->keys ? &o->keys->keys : d->base ? d->base->keys : NULL;
}

static int capi_check(struct bin_doc *d, const fleece_options *o, const fleece_allocator *memory, fleece_error *error) {
  struct bin_check c;
  c.alloc = memory->alloc;
  c.alloc_ud = memory->ud;
  c.max_depth = o->max_depth;
  c.max_values = o->max_values;
  c.utf8 = (o->flags & FLEECE_CHECK_UTF8) != 0;
  c.codes = (o->flags & FLEECE_CODES) != 0;
  if (FL_LIKELY(bin_check(&c, d))) return capi_ok(error);
  return capi_binary_error(error, (int)c.error,
                           c.where >= d->begin && c.where <= d->end ? (size_t)(c.where - d->begin) : FLEECE_NOWHERE);
}

int fleece_check(const void *bytes, size_t n, const fleece_options *options, fleece_error *error) {
  fleece_options o;
  struct bin_doc d;
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  if (!bytes && n > 0) return capi_bad_argument(error, "there are no bytes");
  if (!bytes) bytes = "";
  fleece_allocator memory = capi_memory(o.allocator);
  capi_set_doc(&d, bytes, n, &o);
  return capi_check(&d, &o, &memory, error);
}

static fleece_doc *capi_new_doc(const fleece_options *options, fleece_options *o, fleece_error *error) {
  if (!capi_options(options, o, error)) return NULL;
  fleece_allocator memory = capi_memory(o->allocator);
  fleece_doc *d = (fleece_doc *)capi_new(&memory, sizeof *d, error);
  if (d) d->memory = memory;
  return d;
}

void fleece_close(fleece_doc *d) {
  if (!d) return;
  fleece_allocator memory = d->memory;
  capi_free(&memory, d->copy, d->copy_bytes);
  if (d->keys) capi_free(&memory, d->keys, sizeof *d->keys);
  if (d->map) map_free(d->map, d->map_bytes);
  capi_free(&memory, d, sizeof *d);
}

static fleece_doc *capi_close_failed(fleece_doc *d) {
  fleece_close(d);
  return NULL;
}

/* Opens a document with these bytes, or closes it if they are invalid. */
static fleece_doc *capi_open_bytes(fleece_doc *d, const void *bytes, size_t n, const fleece_options *o,
                                   fleece_error *error) {
  capi_set_doc(&d->doc, bytes, n, o);
  if (!(o->flags & FLEECE_TRUSTED) || n < 2 || n % 2)
    return capi_check(&d->doc, o, &d->memory, error) ? capi_close_failed(d) : d;
  d->doc.root = bin_root(&d->doc); /* trusted */
  capi_ok(error);
  return d;
}

fleece_doc *fleece_open(const void *bytes, size_t n, const fleece_options *options, fleece_error *error) {
  fleece_options o;
  if (!bytes && n > 0) return capi_bad_argument(error, "there are no bytes"), NULL;
  if (!bytes) bytes = "";
  fleece_doc *d = capi_new_doc(options, &o, error);
  if (!d) return NULL;
  if (n > 0 && (o.flags & FLEECE_COPY || (uintptr_t)bytes % 2)) {
    d->copy = d->memory.alloc(d->memory.ud, NULL, 0, n);
    if (!d->copy) return capi_no_memory(error), capi_close_failed(d);
    d->copy_bytes = n;
    bytes = memcpy(d->copy, bytes, n);
  }
  return capi_open_bytes(d, bytes, n, &o, error);
}

FL_PRIVATE int capi_file_error(fleece_error *error, const char *message) {
  const int system = errno;
  capi_error(error, FLEECE_ERROR_FILE, message, FLEECE_NOWHERE);
  if (error) error->system = system;
  return FLEECE_ERROR_FILE;
}

/* Reads the whole file into the document's memory. NULL with *error set. The system copies from the starts of pages;
** BUF_FRONT in base/buffer.h keeps the target at a distance that is fast. */
static const char *capi_read_file(fleece_doc *d, FILE *file, size_t *n, fleece_error *error) {
  enum { PIECE = 64 * 1024 };
  struct buffer b;
  char *w;
  size_t more = 1;
  buf_init(&b, d->memory.alloc, d->memory.ud);
  b.front = BUF_FRONT;
  errno = 0;
  for (w = NULL; more && (w = buf_reserve(&b, w, PIECE)) != NULL; w += more) more = file_read(file, w, PIECE);
  d->copy = buf_block(&b);
  d->copy_bytes = buf_capacity(&b);
  if (!w) return capi_no_memory(error), (const char *)NULL;
  if (ferror(file)) return capi_file_error(error, "cannot read the file"), (const char *)NULL;
  *n = (size_t)(w - b.begin);
  return b.begin;
}

/* Maps the file if the options allow it, or reads it. NULL with *error set. */
static const char *capi_load_file(fleece_doc *d, FILE *file, uint32_t flags, size_t *n, fleece_error *error) {
  if (flags & (FLEECE_READ | FLEECE_COPY)) return capi_read_file(d, file, n, error);
  d->map = map_file(file, n);
  if (!d->map && errno) return capi_file_error(error, "cannot open the file"), (const char *)NULL;
  if (!d->map) return capi_read_file(d, file, n, error);
  d->map_bytes = *n;
  return d->map;
}

fleece_doc *fleece_open_file(const char *path, const fleece_options *options, fleece_error *error) {
  fleece_options o;
  const char *bytes = NULL;
  struct capi_file f;
  size_t n = 0;
  if (!path) return capi_bad_argument(error, "there is no path"), NULL;
  fleece_doc *d = capi_new_doc(options, &o, error);
  if (!d) return NULL;
  FILE *file = file_open(path, "rb");
  if (!file) return capi_file_error(error, "cannot open the file"), capi_close_failed(d);
  (void)setvbuf(file, NULL, _IONBF, 0); /* unbuffered, because the frames must be current */
  if (capi_walk_file(&f, file, error)) bytes = capi_load_file(d, file, o.flags, &n, error);
  fclose(file);
  if (!bytes || !capi_use_frames(&f, d, &bytes, &n, &o, error)) return capi_close_failed(d);
  return capi_open_bytes(d, bytes, n, &o, error);
}

const void *fleece_doc_bytes(const fleece_doc *doc, size_t *n) {
  const int is_whole = doc && !doc->doc.base && !doc->doc.keys;
  if (n) *n = is_whole ? capi_bytes(doc) : 0;
  return is_whole ? doc->doc.begin : NULL;
}

fleece_value fleece_root(const fleece_doc *d) { return d ? capi_value(d, d->doc.root) : capi_none(); }

fleece_keys *fleece_keys_new(const fleece_allocator *allocator) {
  const fleece_allocator memory = capi_memory(allocator);
  fleece_keys *k = (fleece_keys *)memory.alloc(memory.ud, NULL, 0, sizeof *k);
  if (!k) return NULL;
  bin_keys_init(&k->keys);
  k->memory = memory;
  return k;
}

void fleece_keys_free(fleece_keys *k) {
  const fleece_allocator memory = capi_memory(k ? &k->memory : NULL);
  capi_free(&memory, k, sizeof *k);
}

size_t fleece_keys_count(const fleece_keys *k) { return k ? k->keys.count : 0; }

int fleece_keys_add(fleece_keys *k, const char *name, size_t n) {
  return k && (name || !n) ? bin_keys_add(&k->keys, name ? name : "", n) : -1;
}

int fleece_keys_find(const fleece_keys *k, const char *name, size_t n) {
  return k && (name || !n) ? bin_keys_find(&k->keys, name ? name : "", n) : -1;
}

const char *fleece_keys_name(const fleece_keys *k, size_t number, size_t *n) {
  size_t unused;
  if (!n) n = &unused;
  if (!k || number >= k->keys.count) return *n = 0, (const char *)NULL;
  *n = k->keys.key[number].length;
  return k->keys.key[number].text;
}
