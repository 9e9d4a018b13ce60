/* SPDX-License-Identifier: MIT
** places.c -- places in texts of schemas as JSON Pointers (RFC 6901) and URIs.
** Must hold: linear in the text. */
#include "../../../json/pointer.h"
#include "../../../number/integer.h"
#include "../compile.h"

/* Counts all bytes, and writes those for which there is room. */
struct schema_writer {
  char *to;
  size_t room, n;
};

static void schema_write(struct schema_writer *w, const char *s, size_t n) {
  if (w->n < w->room && n > 0) memcpy(w->to + w->n, s, w->room - w->n < n ? w->room - w->n : n);
  w->n += n;
}

/* Characters that RFC 3986 allows unencoded in a fragment. */
static int schema_fits_fragment(char c) { return json_is_unreserved(c) || (c != 0 && strchr("!$&'()*+,;=:@/?", c)); }

static void schema_write_name(struct schema_writer *w, const char *s, size_t n, int is_fragment) {
  static const char digits[] = "0123456789ABCDEF";
  size_t i;
  for (i = 0; i < n; i++) {
    if (s[i] == '~' || s[i] == '/') {
      schema_write(w, s[i] == '~' ? "~0" : "~1", 2);
    } else if (is_fragment && !schema_fits_fragment(s[i])) {
      char escape[3];
      escape[0] = '%';
      escape[1] = digits[(unsigned char)s[i] >> 4];
      escape[2] = digits[s[i] & 15];
      schema_write(w, escape, 3);
    } else {
      schema_write(w, s + i, 1);
    }
  }
}

static void schema_write_path(struct schema_writer *w, const struct value_texts *k, uint32_t from, uint32_t place,
                              int is_fragment) {
  while (from != place) {
    uint32_t child = from + 1, i = 0;
    FL_ASSERT(place > from && place < k->places[from].next);
    for (; k->places[child].next <= place; i++) child = k->places[child].next;
    schema_write(w, "/", 1);
    if (value_texts_first(k, from) == '[') {
      char room[NUM_ROOM];
      schema_write(w, room, (size_t)(num_write_u64(room, i) - room));
    } else {
      schema_write_name(w, value_texts_bytes(k, k->places[child].name), k->places[child].name_length, is_fragment);
    }
    from = child;
  }
}

FL_PRIVATE size_t schema_write_pointer(const struct value_texts *texts, uint32_t from, uint32_t place, int is_fragment,
                                       char *to, size_t room) {
  struct schema_writer w = {to, room, 0};
  schema_write_path(&w, texts, from, place, is_fragment);
  return w.n;
}

FL_PRIVATE size_t schema_write_location(const struct schema_program *p, const struct schema_unit *unit, uint32_t place,
                                        char *to, size_t room) {
  const struct schema_resource *r = &p->resources[unit->resource];
  struct schema_writer w = {to, room, 0};
  schema_write(&w, p->bytes + r->uri, r->uri_length);
  schema_write(&w, "#", 1);
  schema_write_path(&w, &p->sources[unit->source]->texts, r->place, place, 1);
  return w.n;
}
