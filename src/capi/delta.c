/* SPDX-License-Identifier: MIT
** delta.c -- makes and applies JSON deltas.
** Must hold: values belong to open documents; the output is not in their memory. */
#include "../binary/delta/apply.h"
#include "../document/to_json/delta.h"
#include "documents.h"
#include "json.h"

int fleece_diff(fleece_value from, fleece_value to, fleece_bytes *out, fleece_error *error) {
  struct json_style style;
  struct json_out text;
  struct bin_work work;
  fleece_options o;
  char *w;
  out->size = 0;
  if (!from.at || !to.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(NULL, &o, error) || !capi_style(&o, &style, error)) return FLEECE_ERROR_ARGUMENT;
  capi_init_out(&text, &style, capi_bytes(to.doc));
  capi_borrow_buffer(out, &text.buffer);
  bin_work_init(&work, text.buffer.alloc, text.buffer.alloc_ud,
                bin_doc_bytes(&from.doc->doc) + bin_doc_bytes(&to.doc->doc));
  w = delta_to_json(&work, &text, text.buffer.begin, &from.doc->doc, capi_at(from), &to.doc->doc, capi_at(to));
  if (!w) {
    (void)capi_return_buffer(out, &text.buffer, NULL);
    if (work.error) return capi_binary_error(error, work.error, FLEECE_NOWHERE);
    return capi_text_error(error, text.error ? text.error : FL_ERROR_MEMORY);
  }
  return capi_return_buffer(out, &text.buffer, w) ? capi_ok(error) : capi_no_memory(error);
}

static int capi_patch(fleece_value from, const struct bin_doc *delta_doc, bin_value delta, const fleece_options *o,
                      fleece_bytes *out, fleece_error *error) {
  struct bin_encoder e;
  struct bin_work work;
  struct bin_patch_place place;
  int status = FLEECE_OK;
  capi_begin_document(&e, o, capi_mode(o->flags), out);
  bin_work_init(&work, e.out.alloc, e.out.alloc_ud, bin_doc_bytes(&from.doc->doc) + bin_doc_bytes(delta_doc));
  if (bin_patch(&work, &e, &from.doc->doc, capi_at(from), delta_doc, delta, &place)) capi_ok(error);
  else status = capi_binary_error(error, work.error ? work.error : (int)e.error, FLEECE_NOWHERE);
  return capi_end_document(&e, status, out, error);
}

int fleece_patch(fleece_value from, fleece_value delta, const fleece_options *options, fleece_bytes *out,
                 fleece_error *error) {
  fleece_options o;
  out->size = 0;
  if (!from.at || !delta.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  return capi_patch(from, &delta.doc->doc, capi_at(delta), &o, out, error);
}

int fleece_patch_json(fleece_value from, const char *delta, size_t n, const fleece_options *options, fleece_bytes *out,
                      fleece_error *error) {
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  fleece_options o, reading;
  struct bin_doc doc;
  int status;
  out->size = 0;
  if (!from.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  reading = o;
  reading.keys = NULL; /* names of a delta are not shared keys of the document */
  reading.base = NULL;
  reading.flags &= ~(uint32_t)(FLEECE_COMPATIBLE | FLEECE_FAST);
  bytes.allocator = out->allocator;
  status = fleece_from_json(delta, n, &reading, &bytes, error);
  if (status == FLEECE_OK) {
    capi_set_doc(&doc, bytes.data, bytes.size, &reading);
    status = capi_patch(from, &doc, bin_root(&doc), &o, out, error);
  }
  capi_free_bytes(&bytes);
  return status;
}
