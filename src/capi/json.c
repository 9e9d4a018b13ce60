/* SPDX-License-Identifier: MIT
** json.c -- JSON text to binary and back.
** Must hold: as documents.h. */
#include "documents.h"
#include "text.h"

/* A text_utf8_fn for the compatible mode: the reference accepts any bytes. */
static size_t capi_accept_any_bytes(const char *s, size_t n) { return (void)s, n; }

/* Reads one value with white space around it, up to the end of the text. Returns 0 if the scan or the encoder
** failed. */
static int capi_scan(struct json_to_binary *k) {
  struct json_scan *j = &k->scan;
  const char *p = j->begin;
  if (FL_UNLIKELY(*p == '\xef') && j->end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
    if (!(j->grammar & JSON_BOM)) return json_scan_error(j, JSON_CHECK_BOM, p) != NULL;
    p += 3;
  }
  if (!(p = json_read_space(j, p))) return 0;
  if (FL_UNLIKELY(p == j->end)) return json_scan_error(j, JSON_CHECK_EMPTY, p) != NULL;
  if (!(p = json_to_binary_scan(k, j, p)) || !(p = json_read_space(j, p))) return 0;
  return FL_LIKELY(p == j->end) || json_scan_error(j, JSON_CHECK_AFTER, p) != NULL;
}

/* Reads a text with a 0 after it into an encoder without output. Returns the status. */
static int capi_read_text(struct bin_encoder *e, const char *text, size_t n, const fleece_options *o,
                          fleece_error *error) {
  struct json_to_binary k;
  FL_ASSERT(text[n] == 0 && e->count == 0 && e->depth == 0);
  json_to_binary_init(&k, e, text, text + n);
  k.reference = e->mode == BIN_COMPATIBLE;
  k.scan.grammar = capi_grammar(o->flags);
  k.scan.bad_text = o->flags & FLEECE_REPLACE_UTF8 ? JSON_BAD_REPLACE : JSON_BAD_ERROR;
  k.scan.utf8 = k.reference ? capi_accept_any_bytes : text_utf8_pick(capi_cpu(n));
  k.scan.max_depth = k.reference ? JSON_TO_BINARY_DEPTH_COMPATIBLE + 1 : o->max_depth;
  const int fine = capi_scan(&k);
  json_to_binary_free(&k);
  if (FL_LIKELY(fine && !e->error)) return capi_ok(error);
  if (e->error) return capi_binary_error(error, (int)e->error, FLEECE_NOWHERE);
  return capi_json_error(error, k.scan.error, text, text + n, k.scan.at);
}

FL_PRIVATE int capi_read_json(struct bin_encoder *e, const char *text, size_t n, const fleece_options *o,
                              fleece_error *error) {
  const struct buffer *b = &e->out;
  if (!text && n > 0) return capi_bad_argument(error, "there is no text");
  if (!text || n == 0) return capi_read_text(e, "", 0, o, error);
  if (o->flags & FLEECE_TERMINATED) {
    if (text[n] != 0) return capi_bad_argument(error, "the text must end with a zero byte");
    return capi_read_text(e, text, n, o, error);
  }
  if (n == SIZE_MAX) return capi_no_memory(error);
  char *copy = (char *)b->alloc(b->alloc_ud, NULL, 0, n + 1);
  if (!copy) return capi_no_memory(error);
  memcpy(copy, text, n);
  copy[n] = 0;
  const int status = capi_read_text(e, copy, n, o, error);
  b->alloc(b->alloc_ud, copy, n + 1, 0);
  return status;
}

FL_PRIVATE void capi_begin_document(struct bin_encoder *e, const fleece_options *o, enum bin_mode mode,
                                    fleece_bytes *out) {
  const fleece_allocator memory = capi_memory(&out->allocator);
  bin_encoder_init(e, memory.alloc, memory.ud, mode);
  e->keys = o->keys ? &o->keys->keys : NULL;
  capi_borrow_buffer(out, &e->out);
  bin_encoder_reset(e);
}

FL_PRIVATE int capi_return_document(struct bin_encoder *e, int status, fleece_bytes *out, fleece_error *error) {
  if (!capi_return_buffer(out, &e->out, status == FLEECE_OK ? e->w : NULL) && status == FLEECE_OK)
    status = capi_no_memory(error);
  bin_encoder_free(e);
  return status;
}

FL_PRIVATE int capi_end_document(struct bin_encoder *e, int status, fleece_bytes *out, fleece_error *error) {
  if (status == FLEECE_OK && !bin_finish(e)) status = capi_binary_error(error, (int)e->error, FLEECE_NOWHERE);
  return capi_return_document(e, status, out, error);
}

int fleece_from_json(const char *text, size_t n, const fleece_options *options, fleece_bytes *out,
                     fleece_error *error) {
  fleece_options o;
  struct bin_encoder e;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  capi_begin_document(&e, &o, capi_mode(o.flags), out);
  return capi_end_document(&e, capi_read_json(&e, text, n, &o, error), out, error);
}

FL_PRIVATE int capi_style(const fleece_options *o, struct json_style *s, fleece_error *error) {
  memset(s, 0, sizeof *s);
  s->text.slash = (o->flags & FLEECE_ESCAPE_SLASH) != 0;
  s->text.ascii = (o->flags & FLEECE_ASCII) != 0;
  s->text.html = (o->flags & FLEECE_HTML) != 0;
  s->text.invalid = o->flags & FLEECE_REPLACE_UTF8 ? TEXT_INVALID_REPLACE : TEXT_INVALID_ERROR;
  s->escape = JSON_ESCAPE_JSON;
  if (o->flags & (FLEECE_ESCAPE_SLASH | FLEECE_ASCII | FLEECE_HTML | FLEECE_REPLACE_UTF8))
    s->escape = JSON_ESCAPE_GENERAL;
  s->invalid_numbers = o->flags & FLEECE_NULL_NUMBERS ? JSON_NUMBERS_NULL : JSON_NUMBERS_ERROR;
  s->sort_keys = (o->flags & FLEECE_CANONICAL) != 0;
  s->indent = o->indent ? o->indent : "";
  while (s->indent_length < JSON_INDENT_LIMIT && s->indent[s->indent_length] &&
         strchr(" \t\n\r", s->indent[s->indent_length]))
    s->indent_length++;
  if (s->indent_length == JSON_INDENT_LIMIT || s->indent[s->indent_length])
    return capi_bad_argument(error, "indent is not white space, or too long"), 0;
  return 1;
}

FL_PRIVATE void capi_init_out(struct json_out *out, const struct json_style *style, size_t n) {
  memset(out, 0, sizeof *out);
  out->style = style;
  json_out_cpu(out, capi_cpu(n));
}

static char *capi_write_value(struct json_out *out, fleece_value v, uint32_t flags, size_t max_bytes) {
  struct binary_to_json k;
  binary_to_json_init(&k, out, &v.doc->doc);
  k.json5 = (flags & FLEECE_JSON5_NAMES) != 0;
  k.max_bytes = max_bytes;
  return binary_to_json_write(&k, out->buffer.begin, capi_at(v));
}

int fleece_to_json(fleece_value v, const fleece_options *options, fleece_bytes *out, fleece_error *error) {
  fleece_options o;
  struct json_style style;
  struct json_out j;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!v.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(options, &o, error) || !capi_style(&o, &style, error)) return FLEECE_ERROR_ARGUMENT;
  capi_init_out(&j, &style, capi_bytes(v.doc));
  capi_borrow_buffer(out, &j.buffer);
  if (!o.max_bytes) o.max_bytes = bin_default_bytes(bin_doc_bytes(&v.doc->doc));
  char *end = capi_write_value(&j, v, o.flags, o.max_bytes);
  if (FL_LIKELY(capi_return_buffer(out, &j.buffer, end))) return capi_ok(error);
  return capi_text_error(error, end ? FL_ERROR_MEMORY : j.error);
}

/* Adapts a writer to buf_drain. */
struct capi_drain {
  fleece_writer writer;
  void *ud;
  size_t left; /* bytes that may still be written */
  int full;    /* there were more */
};

static int capi_drain(void *ud, const char *bytes, size_t n) {
  struct capi_drain *d = (struct capi_drain *)ud;
  d->full = n > d->left;
  d->left -= n;
  return !d->full && d->writer(d->ud, bytes, n) != 0;
}

int fleece_write_json(fleece_value v, const fleece_options *options, fleece_writer writer, void *ud,
                      fleece_error *error) {
  fleece_options o;
  struct capi_drain drain;
  struct json_style style;
  struct json_out j;
  if (!v.at || !writer) return capi_bad_argument(error, v.at ? "there is no writer" : "there is no value");
  if (!capi_options(options, &o, error) || !capi_style(&o, &style, error)) return FLEECE_ERROR_ARGUMENT;
  fleece_allocator memory = capi_memory(o.allocator);
  drain.writer = writer, drain.ud = ud, drain.full = 0;
  drain.left = o.max_bytes ? o.max_bytes : SIZE_MAX;
  capi_init_out(&j, &style, capi_bytes(v.doc));
  buf_init(&j.buffer, memory.alloc, memory.ud);
  j.buffer.drain = capi_drain;
  j.buffer.drain_ud = &drain;
  char *end = capi_write_value(&j, v, o.flags, SIZE_MAX);
  if (end && !buf_flush(&j.buffer, end, 0)) j.error = FL_ERROR_SINK, end = NULL;
  buf_free(&j.buffer);
  return end ? capi_ok(error) : capi_text_error(error, drain.full ? FL_ERROR_BYTES : j.error);
}
