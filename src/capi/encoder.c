/* SPDX-License-Identifier: MIT
** encoder.c -- writes documents value by value.
** Must hold: the encoder keeps its first error, so that a caller may test for it once, at the end. */
#include "../binary/encode/copy.h"
#include "../binary/encode/checked.h"
#include "documents.h"

struct fleece_encoder {
  struct bin_encoder e;
  fleece_allocator memory;
  int has_key; /* see binary/encode/checked.h */
};

fleece_encoder *fleece_encoder_new(const fleece_options *options, fleece_error *error) {
  fleece_options o;
  if (!capi_options(options, &o, error)) return NULL;
  fleece_allocator memory = capi_memory(o.allocator);
  fleece_encoder *e = (fleece_encoder *)capi_new(&memory, sizeof *e, error);
  if (!e) return NULL;
  e->memory = memory;
  bin_encoder_init(&e->e, memory.alloc, memory.ud, capi_mode(o.flags));
  e->e.keys = o.keys ? &o.keys->keys : NULL;
  bin_encoder_reset(&e->e);
  capi_ok(error);
  return e;
}

void fleece_encoder_free(fleece_encoder *e) {
  if (!e) return;
  fleece_allocator memory = e->memory;
  bin_encoder_free(&e->e);
  capi_free(&memory, e, sizeof *e);
}

void fleece_encoder_reset(fleece_encoder *e) {
  if (!e) return;
  bin_encoder_reset(&e->e);
  e->has_key = 0;
}

/* Returns whether bin_may_put or a relative allowed the call; if not, sets its error in the encoder. */
FL_INLINE int capi_may(fleece_encoder *e, enum bin_error error) {
  return FL_LIKELY(error == BIN_ERROR_NONE) || bin_fail(&e->e, error);
}

/* Returns the status of a call; afterwards the last item is a key if `is_key`. */
FL_INLINE int capi_put_status(fleece_encoder *e, int done, int is_key) {
  if (FL_UNLIKELY(!done)) return capi_binary_status((int)e->e.error);
  return e->has_key = is_key, FLEECE_OK;
}

/* Puts a value if one is allowed now. `put` calls the encoder's own function. */
#define CAPI_PUT(e, put)                     \
  (FL_UNLIKELY(!(e)) ? FLEECE_ERROR_ARGUMENT \
                     : capi_put_status(e, capi_may(e, bin_may_put(&(e)->e, (e)->has_key)) && (put), 0))

int fleece_put_null(fleece_encoder *e) { return CAPI_PUT(e, bin_put_special(&e->e, BIN_NULL)); }
int fleece_put_undefined(fleece_encoder *e) { return CAPI_PUT(e, bin_put_special(&e->e, BIN_UNDEFINED)); }
int fleece_put_boolean(fleece_encoder *e, int b) {
  return CAPI_PUT(e, bin_put_special(&e->e, b ? BIN_TRUE : BIN_FALSE));
}
int fleece_put_int64(fleece_encoder *e, int64_t i) { return CAPI_PUT(e, bin_put_integer(&e->e, i)); }
int fleece_put_uint64(fleece_encoder *e, uint64_t u) { return CAPI_PUT(e, bin_put_unsigned(&e->e, u)); }
int fleece_put_double(fleece_encoder *e, double d) { return CAPI_PUT(e, bin_put_double(&e->e, d)); }
int fleece_put_float(fleece_encoder *e, float f) { return CAPI_PUT(e, bin_put_float(&e->e, f)); }
int fleece_put_array(fleece_encoder *e) { return CAPI_PUT(e, bin_begin(&e->e, 0)); }
int fleece_put_dict(fleece_encoder *e) { return CAPI_PUT(e, bin_begin(&e->e, 1)); }

int fleece_put_string(fleece_encoder *e, const char *s, size_t n) {
  if (FL_UNLIKELY(!s && n > 0)) return FLEECE_ERROR_ARGUMENT;
  return CAPI_PUT(e, bin_put_string(&e->e, n ? s : "", n));
}

int fleece_put_data(fleece_encoder *e, const void *s, size_t n) {
  if (FL_UNLIKELY(!s && n > 0)) return FLEECE_ERROR_ARGUMENT;
  return CAPI_PUT(e, bin_put_data(&e->e, n ? (const char *)s : "", n));
}

int fleece_put_key(fleece_encoder *e, const char *name, size_t n) {
  if (FL_UNLIKELY(!e || (!name && n > 0))) return FLEECE_ERROR_ARGUMENT;
  const int allowed = capi_may(e, bin_may_put_key(&e->e, e->has_key));
  return capi_put_status(e, allowed && bin_put_key(&e->e, n ? name : "", n), 1);
}

int fleece_put_end(fleece_encoder *e) {
  if (FL_UNLIKELY(!e)) return FLEECE_ERROR_ARGUMENT;
  return capi_put_status(e, capi_may(e, bin_may_end(&e->e, e->has_key, -1)) && bin_end(&e->e), 0);
}

FL_PRIVATE int capi_copy(struct bin_encoder *e, fleece_value v) {
  struct bin_work work;
  struct bin_copier c;
  if (!v.at) return bin_fail(e, BIN_ERROR_STATE_EMPTY);
  bin_work_init(&work, e->out.alloc, e->out.alloc_ud, bin_doc_bytes(&v.doc->doc));
  bin_copier_init(&c, &work, e);
  const int fine = bin_copy(&c, &v.doc->doc, capi_at(v));
  bin_copier_free(&c);
  return fine || bin_fail(e, (enum bin_error)work.error);
}

int fleece_put_value(fleece_encoder *e, fleece_value v) { return CAPI_PUT(e, capi_copy(&e->e, v)); }

int fleece_put_json(fleece_encoder *e, const char *text, size_t n, const fleece_options *options, fleece_error *error) {
  fleece_options o;
  if (!e) return capi_bad_argument(error, "there is no encoder");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  if (e->e.error) return capi_binary_error(error, (int)e->e.error, FLEECE_NOWHERE);
  if (e->e.depth || e->e.count) {
    bin_fail(&e->e, BIN_ERROR_STATE_TWO);
    return capi_binary_error(error, BIN_ERROR_STATE_TWO, FLEECE_NOWHERE);
  }
  const int status = capi_read_json(&e->e, text, n, &o, error);
  if (status) fleece_encoder_reset(e);
  return status;
}

/* Moves the encoder's bytes into `out`; the encoder continues with the memory of `out`. */
static int capi_swap_output(struct bin_encoder *e, fleece_bytes *out) {
  const fleece_allocator memory = capi_memory(&out->allocator);
  struct buffer written = e->out, spare, copy;
  if (memory.alloc == written.alloc && memory.ud == written.alloc_ud) {
    capi_borrow_buffer(out, &spare);
    const int fine = capi_return_buffer(out, &written, e->w);
    e->out = spare;
    return fine;
  }
  capi_borrow_buffer(out, &copy);
  char *w = buf_reserve(&copy, copy.begin, (size_t)(e->w - written.begin) + 1);
  if (w) memcpy(w, written.begin, (size_t)(e->w - written.begin)), w += e->w - written.begin;
  return capi_return_buffer(out, &copy, w);
}

int fleece_finish(fleece_encoder *e, fleece_bytes *out, fleece_error *error) {
  int status;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!e) return capi_bad_argument(error, "there is no encoder");
  if (!e->e.error && e->has_key) bin_fail(&e->e, BIN_ERROR_STATE_NO_VALUE);
  if (e->e.error || !bin_finish(&e->e)) status = capi_binary_error(error, (int)e->e.error, FLEECE_NOWHERE);
  else status = capi_swap_output(&e->e, out) ? capi_ok(error) : capi_no_memory(error);
  fleece_encoder_reset(e);
  return status;
}
