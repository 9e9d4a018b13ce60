/* SPDX-License-Identifier: MIT */
#include "json.h"
#include "text.h"

/* Depth of texts that are tested without allocating memory. */
enum { VIEW_JSON_DEPTH = 1024 };

FL_STATIC_ASSERT(sizeof((struct api_walk *)0)->inner >= (size_t)BINARY_TO_JSON_PATH, a_path_fits);

static char *view_write_value(struct api_walk *a, char *w, const struct bin_doc *doc, bin_value v) {
  struct json_out *out = &a->walk->out;
  struct binary_to_json k;
  binary_to_json_init(&k, out, doc);
  k.kinds = BINARY_TO_JSON_VALUES;
  k.indent = a->depth;
  k.max_depth = out->style->max_depth - a->depth;
  w = binary_to_json_write(&k, w, v);
  if (!w) memcpy(a->inner, k.path, a->inner_length = k.path_length);
  if (!w && out->error == FL_ERROR_DEPTH) {
    *num_write_u64(a->detail_room, out->style->max_depth) = 0;
    a->detail = a->detail_room;
  }
  return w;
}

/* Writes the mutable view on top by converting it to a document first. */
FL_NOINLINE char *view_write_mutable_(struct api_walk *a, char *w) {
  const struct buffer *b = &a->walk->out.buffer;
  struct bin_encoder e;
  struct bin_doc doc;
  bin_encoder_init(&e, b->alloc, b->alloc_ud, BIN_COMPATIBLE);
  bin_encoder_reset(&e);
  int error = view_put_value(a->L, &e);
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

/* Returns whether the nesting is surely no deeper than `depth`. */
static int view_text_is_within(const char *s, size_t n, size_t depth, unsigned cpu) {
  unsigned char containers[JSON_CONTAINERS(VIEW_JSON_DEPTH)];
  if (n / 2 <= depth) return 1;
  return depth <= VIEW_JSON_DEPTH && json_is_text(s, n, (uint32_t)depth, containers, cpu);
}

/* Writes a text unchanged. Returns NULL if out of memory, or if the text must be rewritten because it does not fit the
** options. */
static char *view_write_text(struct api_walk *a, char *w, struct json_slice text) {
  struct json_out *out = &a->walk->out;
  const size_t n = (size_t)(text.end - text.begin), left = out->style->max_depth - a->depth;
  if (!view_text_is_within(text.begin, n, left, out->cpu)) return NULL;
  if (!(w = json_reserve(out, w, n + JSON_TEXT_ROOM))) return NULL;
  memcpy(w, text.begin, n);
  return json_join_lines(out, w, w + n);
}

static int view_has_text(const struct mod_mutable *m) { return m->owner->places && m->layer->doc == &m->owner->doc; }

/* Writes a mutable view of a text, copying unchanged parts. NULL: as in view_write_text. */
FL_NOINLINE char *view_write_spliced_(struct api_walk *a, char **w, const struct mod_mutable *m) {
  struct json_out *out = &a->walk->out;
  const size_t left = out->style->max_depth - a->depth;
  char *end = view_splice(out, w, m, left);
  if (!end || !view_text_is_within(*w, (size_t)(end - *w), left, out->cpu)) return NULL;
  return json_join_lines(out, *w, end);
}

/* Returns the text of the view on top, not data; begin is NULL if it has none. */
static struct json_slice view_text_on_top(lua_State *L) {
  struct json_slice text = {NULL, NULL};
  const struct view_text *t = view_test_text(L, -1);
  const struct mod_view *v = view_test(L, -1);
  if (t) text.begin = t->is.text.begin, text.end = t->is.text.end;
  else if (v && v->owner->places) text = view_text_of(v->owner, v->value);
  return text;
}

FL_PRIVATE char *view_write_json(struct api_walk *a, char *w) {
  const struct mod_data *data = view_test_data(a->L, -1);
  const struct mod_mutable *m = view_test_mutable(a->L, -1);
  if (!data && json_style_keeps_text(a->walk->out.style)) {
    const struct json_slice text = view_text_on_top(a->L);
    char *end = NULL;
    if (text.begin) end = view_write_text(a, w, text);
    else if (m && m->owner->doc.begin && view_mutable_is_open(a->L, m) && view_has_text(m))
      end = m->layer->is_changed ? view_write_spliced_(a, &w, m)
                                 : view_write_text(a, w, view_text_of(m->owner, m->layer->source));
    if (end || a->walk->out.error) return end;
  }
  if (!view_settle_quietly(a->L)) return api_fail(a, FL_ERROR_MEMORY, NULL);
  const struct mod_view *v = view_test(a->L, -1);
  const struct mod_doc *owner = view_owner(a->L);
  if (data) return binary_to_json_put_base64(&a->walk->out, w, (const uint8_t *)(data + 1), data->n);
  if (!owner->doc.begin || (m && !view_mutable_is_open(a->L, m)))
    return api_fail(a, FL_ERROR_HOOK, "the document is closed");
  if (m) return view_write_mutable_(a, w);
  struct bin_doc doc = owner->doc;
  view_pin(owner); /* the sink may be a Lua function that closes the document */
  w = view_write_value(a, w, &doc, v ? v->value : doc.root);
  view_unpin(owner);
  return w;
}
