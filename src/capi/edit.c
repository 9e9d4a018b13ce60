/* SPDX-License-Identifier: MIT
** edit.c -- changes to documents, written as deltas to them or as separate documents; JSON deltas.
** Must hold: slots of the tree refer only to documents of the C interface, so their bin_doc is a fleece_doc. Values
** belong to open documents; the output is not in their memory. */
#include "../binary/delta/amend.h"
#include "../binary/delta/apply.h"
#include "../document/to_json/delta.h"
#include "documents.h"

struct fleece_edit {
  struct bin_tree tree;     /* first, so that test_library_write.c can read it */
  struct fleece_doc values; /* the document of values from fleece_edit_json */
  fleece_value source;
  struct bin_layer *root;
  fleece_allocator memory;
};

fleece_edit *fleece_edit_new(fleece_value v, const fleece_options *options, fleece_error *error) {
  fleece_options o;
  if (!capi_options(options, &o, error)) return NULL;
  if (!v.at || !bin_is_collection(capi_at(v))) return capi_bad_argument(error, "there is no collection"), NULL;
  fleece_allocator memory = capi_memory(o.allocator);
  fleece_edit *e = (fleece_edit *)capi_new(&memory, sizeof *e, error);
  if (!e) return NULL;
  e->memory = e->values.memory = memory;
  e->values.doc.keys = v.doc->doc.keys;
  e->source = v;
  bin_tree_init(&e->tree, memory.alloc, memory.ud, v.doc->doc.keys);
  e->root = bin_tree_root(&e->tree, &v.doc->doc, capi_at(v));
  if (!e->root) return fleece_edit_free(e), capi_no_memory(error), NULL;
  capi_ok(error);
  return e;
}

void fleece_edit_free(fleece_edit *e) {
  if (!e) return;
  fleece_allocator memory = e->memory;
  bin_tree_free(&e->tree);
  capi_free(&memory, e, sizeof *e);
}

FL_INLINE fleece_mutable capi_mutable(fleece_edit *e, struct bin_layer *l) {
  fleece_mutable m;
  m.edit = l ? e : NULL;
  m.layer = l;
  return m;
}

/* Returns the layer if it is of this kind, or NULL. */
FL_INLINE struct bin_layer *capi_layer(fleece_mutable m, int is_dict) {
  struct bin_layer *l = (struct bin_layer *)m.layer;
  return l && l->is_dict == is_dict ? l : NULL;
}

FL_INLINE fleece_value capi_slot_value(struct bin_slot s) {
  return capi_value((const fleece_doc *)(const void *)s.doc, bin_slot_value(s));
}

fleece_mutable fleece_edit_root(fleece_edit *e) { return capi_mutable(e, e ? e->root : NULL); }

int fleece_mutable_type(fleece_mutable m) {
  return !m.layer ? FLEECE_TYPE_NONE : capi_layer(m, 1) ? FLEECE_TYPE_DICT : FLEECE_TYPE_ARRAY;
}

size_t fleece_mutable_count(fleece_mutable m) { return capi_layer(m, 0) ? capi_layer(m, 0)->count : 0; }

fleece_value fleece_mutable_get(fleece_mutable m, const char *name, size_t n) {
  const struct bin_layer *l = capi_layer(m, 1);
  return l && (name || !n) ? capi_slot_value(bin_layer_get(&m.edit->tree, l, name ? name : "", n)) : capi_none();
}

fleece_value fleece_mutable_at(fleece_mutable m, size_t i) {
  const struct bin_layer *l = capi_layer(m, 0);
  return l ? capi_slot_value(bin_layer_get_at(l, i)) : capi_none();
}

fleece_mutable fleece_mutable_open(fleece_mutable m, const char *name, size_t n) {
  struct bin_layer *l = name || !n ? capi_layer(m, 1) : NULL;
  return capi_mutable(m.edit, l ? bin_layer_nested(&m.edit->tree, l, name ? name : "", n) : NULL);
}

fleece_mutable fleece_mutable_open_at(fleece_mutable m, size_t i) {
  struct bin_layer *l = capi_layer(m, 0);
  return capi_mutable(m.edit, l ? bin_layer_nested_at(&m.edit->tree, l, i) : NULL);
}

FL_INLINE int capi_change_status(int fine) { return fine ? FLEECE_OK : FLEECE_ERROR_MEMORY; }

int fleece_mutable_set(fleece_mutable m, const char *name, size_t n, fleece_value v) {
  struct bin_layer *l = capi_layer(m, 1);
  if (!l || (!name && n > 0) || !v.at) return FLEECE_ERROR_ARGUMENT;
  return capi_change_status(bin_layer_set(&m.edit->tree, l, name ? name : "", n, &v.doc->doc, capi_at(v)));
}

int fleece_mutable_remove(fleece_mutable m, const char *name, size_t n) {
  struct bin_layer *l = capi_layer(m, 1);
  if (!l || (!name && n > 0)) return FLEECE_ERROR_ARGUMENT;
  return capi_change_status(bin_layer_remove(&m.edit->tree, l, name ? name : "", n));
}

int fleece_mutable_set_at(fleece_mutable m, size_t i, fleece_value v) {
  struct bin_layer *l = capi_layer(m, 0);
  if (!l || i > l->count || !v.at) return FLEECE_ERROR_ARGUMENT;
  return capi_change_status(bin_layer_set_at(&m.edit->tree, l, i, &v.doc->doc, capi_at(v)));
}

int fleece_mutable_insert_at(fleece_mutable m, size_t i, fleece_value v) {
  struct bin_layer *l = capi_layer(m, 0);
  if (!l || i > l->count || !v.at) return FLEECE_ERROR_ARGUMENT;
  return capi_change_status(bin_layer_insert_at(&m.edit->tree, l, i, &v.doc->doc, capi_at(v)));
}

int fleece_mutable_remove_at(fleece_mutable m, size_t i) {
  struct bin_layer *l = capi_layer(m, 0);
  if (!l || i >= l->count) return FLEECE_ERROR_ARGUMENT;
  return capi_change_status(bin_layer_remove_at(&m.edit->tree, l, i));
}

fleece_value fleece_edit_json(fleece_edit *e, const char *text, size_t n, const fleece_options *options,
                              fleece_error *error) {
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  fleece_options o;
  bin_value v = NULL;
  if (!capi_options(options, &o, error)) return capi_none();
  if (!e) return capi_bad_argument(error, "there is no edit"), capi_none();
  o.flags &= ~(uint32_t)(FLEECE_COMPATIBLE | FLEECE_FAST);
  o.keys = (fleece_keys *)(uintptr_t)e->values.doc.keys; /* its first member */
  bytes.allocator = e->memory;
  if (fleece_from_json(text, n, &o, &bytes, error) == FLEECE_OK) {
    v = bin_tree_value(&e->tree, bytes.data, bytes.size);
    if (v) e->values.doc.loose_bytes += bytes.size;
    else capi_no_memory(error);
  }
  capi_free_bytes(&bytes);
  return capi_value(&e->values, v);
}

/* Writes a delta to the document. Returns 0 with w->error or e->error set. */
static int capi_amend(const fleece_edit *edit, struct bin_work *w, struct bin_encoder *e, const fleece_options *o,
                      size_t front) {
  const struct bin_doc *d = &edit->source.doc->doc;
  uint64_t values;
  FL_ASSERT(edit->source.at == d->root && edit->root != NULL);
  e->keys = (struct bin_keys *)(uintptr_t)d->keys;
  return bin_amend(e, d, (o->flags & FLEECE_REUSE_STRINGS) != 0, (o->flags & FLEECE_EXTERN) != 0) &&
         bin_amend_front(e, front) && bin_write_layer(w, e, edit->root) &&
         bin_amend_finish(e, d, edit->tree.shared, o->max_values, &values);
}

FL_PRIVATE const fleece_doc *capi_edited(const fleece_edit *edit) { return edit->source.doc; }

FL_PRIVATE int capi_write_edit(fleece_edit *edit, const fleece_options *options, size_t front, fleece_bytes *out,
                               fleece_error *error) {
  struct bin_encoder e;
  struct bin_work work;
  fleece_options o;
  int whole, status = FLEECE_OK;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!edit) return capi_bad_argument(error, "there is no edit");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  whole = (o.flags & FLEECE_WHOLE) != 0;
  if (!whole && edit->source.at != edit->source.doc->doc.root)
    return capi_bad_argument(error, "a delta is to the root of a document");
  capi_begin_document(&e, &o, whole ? capi_mode(o.flags) : BIN_COMPATIBLE, out);
  bin_work_init(&work, e.out.alloc, e.out.alloc_ud, bin_doc_bytes(&edit->source.doc->doc) + edit->tree.put);
  if (whole ? bin_write_layer(&work, &e, edit->root) && bin_finish(&e) : capi_amend(edit, &work, &e, &o, front))
    capi_ok(error);
  else status = capi_binary_error(error, work.error ? work.error : (int)e.error, FLEECE_NOWHERE);
  return capi_return_document(&e, status, out, error);
}

int fleece_edit_write(fleece_edit *edit, const fleece_options *options, fleece_bytes *out, fleece_error *error) {
  return capi_write_edit(edit, options, 0, out, error);
}

int fleece_diff(fleece_value from, fleece_value to, fleece_bytes *out, fleece_error *error) {
  struct json_style style;
  struct json_out text;
  struct bin_work work;
  fleece_options o;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!from.at || !to.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(NULL, &o, error) || !capi_style(&o, &style, error)) return FLEECE_ERROR_ARGUMENT;
  capi_init_out(&text, &style, capi_bytes(to.doc));
  capi_borrow_buffer(out, &text.buffer);
  bin_work_init(&work, text.buffer.alloc, text.buffer.alloc_ud,
                bin_doc_bytes(&from.doc->doc) + bin_doc_bytes(&to.doc->doc));
  char *w = delta_to_json(&work, &text, text.buffer.begin, &from.doc->doc, capi_at(from), &to.doc->doc, capi_at(to));
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
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!from.at || !delta.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  return capi_patch(from, &delta.doc->doc, capi_at(delta), &o, out, error);
}

int fleece_patch_json(fleece_value from, const char *delta, size_t n, const fleece_options *options, fleece_bytes *out,
                      fleece_error *error) {
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  fleece_options o, reading;
  struct bin_doc doc;
  if (!capi_begin_out(out, error)) return FLEECE_ERROR_ARGUMENT;
  if (!from.at) return capi_bad_argument(error, "there is no value");
  if (!capi_options(options, &o, error)) return FLEECE_ERROR_ARGUMENT;
  reading = o;
  reading.keys = NULL; /* names of a delta are not shared keys of the document */
  reading.base = NULL;
  reading.flags &= ~(uint32_t)(FLEECE_COMPATIBLE | FLEECE_FAST);
  bytes.allocator = out->allocator;
  int status = fleece_from_json(delta, n, &reading, &bytes, error);
  if (status == FLEECE_OK) {
    capi_set_doc(&doc, bytes.data, bytes.size, &reading);
    status = capi_patch(from, &doc, bin_root(&doc), &o, out, error);
  }
  capi_free_bytes(&bytes);
  return status;
}
