/* SPDX-License-Identifier: MIT */
#include "json.h"

/* Writes a value of a document inside the walk's output. */
static char *view_write_value(struct api_walk *a, char *w, const struct bin_doc *doc, bin_value v) {
  struct json_out *out = &a->walk->out;
  struct binary_to_json k;
  binary_to_json_init(&k, out, doc);
  k.kinds = BINARY_TO_JSON_VALUES;
  k.indent = a->depth;
  k.max_depth = out->style->max_depth - a->depth;
  w = binary_to_json_write(&k, w, v);
  if (!w && out->error == FL_ERROR_DEPTH) {
    *num_write_u64(a->detail_room, out->style->max_depth) = 0;
    a->detail = a->detail_room;
  }
  return w;
}

/* Writes the mutable view on top, which becomes a document first. */
FL_NOINLINE char *view_write_mutable_(struct api_walk *a, char *w) {
  const struct buffer *b = &a->walk->out.buffer;
  struct bin_encoder e;
  struct bin_doc doc;
  int error;
  bin_encoder_init(&e, b->alloc, b->alloc_ud, 0);
  bin_encoder_reset(&e);
  error = view_put_value(a->L, &e);
  if (!error && !bin_finish(&e)) error = (int)e.error;
  if (!error) {
    memset(&doc, 0, sizeof doc);
    doc.begin = (const uint8_t *)e.out.begin;
    doc.end = (const uint8_t *)e.w;
    w = view_write_value(a, w, &doc, bin_root(&doc));
  } else if (error == BIN_ERROR_MEMORY) {
    w = api_fail(a, FL_ERROR_MEMORY, NULL);
  } else {
    w = api_fail(a, FL_ERROR_HOOK, bin_message(error));
  }
  bin_encoder_free(&e);
  return w;
}

FL_PRIVATE char *view_write_json(struct api_walk *a, char *w) {
  const struct mod_data *data = view_test_data(a->L, -1);
  const struct mod_view *v = view_test(a->L, -1);
  const struct mod_mutable *m = view_test_mutable(a->L, -1);
  const struct mod_doc *owner = view_owner(a->L);
  struct bin_doc doc;
  if (data) return binary_to_json_put_base64(&a->walk->out, w, (const uint8_t *)(data + 1), data->n);
  if (!owner->doc.begin || (m && !view_mutable_is_open(a->L, m)))
    return api_fail(a, FL_ERROR_HOOK, "the document is closed");
  if (m) return view_write_mutable_(a, w);
  doc = owner->doc;
  view_pin(owner); /* a sink may be a function, which may close the document */
  w = view_write_value(a, w, &doc, v ? v->value : doc.root);
  view_unpin(owner);
  return w;
}
