/* SPDX-License-Identifier: MIT
** A shape is a sequence of names, as in decode/shapes.h: number 0 is the empty one, every other has a
** parent and one more name. While an object is read its shape changes name by name. Each shape knows the name that
** followed last time, which is compared with the text instead of being scanned, hashed and looked up. The order of a
** shape's pairs is computed once (people: 350 -> 550 MB/s with both). */
#include "json_to_binary.h"

FL_PRIVATE void names_init(struct names_table *h) {
  memset(h, 0, offsetof(struct names_table, name));
  memset(h->shape, 0, 2 * sizeof *h->shape);
  h->shapes = NAMES_LOST + 1;
}

/* Returns the number of a name, added if new, or -1 if the table is full. */
static int names_find(struct names_table *h, const char *s, size_t n) {
  const uint32_t hash = n <= NAMES_NAME_BYTES ? bin_hash(s, n, 0) : 0;
  if (n > NAMES_NAME_BYTES) return -1;
  for (unsigned i = 0; i < NAMES_PROBES; i++) {
    uint16_t *slot = &h->name_slots[(hash + i) % (2 * NAMES_NAMES)];
    struct names_name *name = &h->name[*slot ? *slot - 1 : h->names];
    if (*slot) {
      if (name->hash == hash && name->length == n && memcmp(name->text, s, n) == 0) return *slot - 1;
      continue;
    }
    if (h->names == NAMES_NAMES) return -1;
    name->length = (uint32_t)n;
    name->hash = hash;
    name->known.place = BIN_UNKNOWN;
    memset(name->text, 0, 16);
    memcpy(name->text, s, n);
    name->text[n] = '"';
    memset(name->mask, 0, 16);
    memset(name->mask, 0xff, n + 1 < 16 ? n + 1 : 16);
    memcpy(name->word, name->text, 16);
    *slot = ++h->names;
    return *slot - 1;
  }
  return -1;
}

/* Returns the shape `parent` followed by `name`, added if new, or NAMES_LOST if the table is full. */
static unsigned names_next(struct names_table *h, unsigned parent, unsigned name) {
  const unsigned at = (parent * 0x9e3779b1u ^ name * 0x85ebca6bu) >> 8;
  FL_ASSERT(parent < h->shapes && parent != NAMES_LOST && name < h->names);
  for (unsigned i = 0; i < NAMES_PROBES; i++) {
    uint16_t *slot = &h->shape_slots[(at + i) % (2 * NAMES_SHAPES)];
    struct names_shape *s = &h->shape[*slot ? *slot - 1 : 0];
    if (*slot) {
      if (s->parent == parent && s->name == name) return *slot - 1u;
      continue;
    }
    if (h->shapes == NAMES_SHAPES || h->shape[parent].count == NAMES_LONGEST) break;
    s = &h->shape[h->shapes];
    memset(s, 0, sizeof *s);
    s->name = (uint16_t)name;
    s->parent = (uint16_t)parent;
    s->count = (uint16_t)(h->shape[parent].count + 1);
    *slot = (uint16_t)(h->shapes + 1);
    return h->shapes++;
  }
  return NAMES_LOST;
}

/* sorting pairs */

/* Compares in the order of bin_pair_order_: codes by number, then strings by bytes. */
static int names_compare(const struct names_name *a, const struct names_name *b) {
  const int ia = bin_is_code(a->known.place), ib = bin_is_code(b->known.place);
  if (ia || ib) return ia && ib ? (int)(a->known.place >> 16) - (int)(b->known.place >> 16) : ib - ia;
  return bin_compare_bytes(a->text, a->length, b->text, b->length);
}

FL_PRIVATE_NOINLINE void names_learn_(struct names_table *h, unsigned shape) {
  const struct names_name *name[NAMES_LONGEST];
  const unsigned n = h->shape[shape].count;
  uint8_t *order = h->orders + h->orders_used;
  unsigned i, j, up, moves = 0;
  if (!h->shape[shape].ended++ || h->shape[shape].repeats || n > NAMES_ORDERS - (unsigned)h->orders_used) return;
  for (i = n, up = shape; i-- > 0; up = h->shape[up].parent) name[i] = &h->name[h->shape[up].name];
  for (i = 0; i < n; i++) {
    for (j = i; j > 0 && names_compare(name[order[j - 1]], name[i]) >= 0; j--, moves++) {
      if (name[order[j - 1]] == name[i]) {
        h->shape[shape].repeats = 1;
        return;
      }
      order[j] = order[j - 1];
    }
    order[j] = (uint8_t)i;
  }
  h->shape[shape].order = moves ? (uint16_t)(h->orders_used + 1) : (uint16_t)NAMES_IN_ORDER;
  if (moves) h->orders_used = (uint16_t)(h->orders_used + n);
}

FL_PRIVATE char *json_to_binary_grow_scratch(void *owner, size_t n) {
  struct json_to_binary *k = (struct json_to_binary *)owner;
  const struct buffer *b = &k->e->out;
  char *block = (char *)b->alloc(b->alloc_ud, k->scratch_room ? k->scan.scratch : NULL, k->scratch_room, n);
  if (block) k->scan.scratch = block, k->scratch_room = n;
  return block;
}

/* The sink's functions: json_to_binary_EVENT for null, boolean, number, string, guess, name, open and close. Only
** json/grammar/scan_template.h calls them, as SCAN(event). */
FL_INLINE int json_to_binary_null(struct json_to_binary *k) { return bin_put_special(k->e, BIN_NULL); }

FL_INLINE int json_to_binary_boolean(struct json_to_binary *k, int b) {
  return bin_put_special(k->e, b ? BIN_TRUE : BIN_FALSE);
}

/* Only the reference writes -0 as an integer. */
FL_INLINE int json_to_binary_double(struct json_to_binary *k, double d) {
  if (FL_UNLIKELY(d == 0) && k->reference && k->scan.at[0] == '-' && k->scan.at[1] == '0' && k->scan.at[2] != '.' &&
      (k->scan.at[2] | 0x20) != 'e')
    return bin_put_signed(k->e, 0);
  if (FL_UNLIKELY(d != d)) return json_scan_error(&k->scan, JSON_CHECK_NAN, k->scan.at) != NULL;
  return bin_put_double(k->e, d);
}

/* Puts a number beyond int64, or beyond double; the latter is infinity for the reference, else an error. JSON5 has "+1"
** and "0x1". */
FL_NOINLINE int json_to_binary_big_(struct json_to_binary *k, const char *text, size_t n, const struct num_value *v) {
  const char *p = text + (*text == '+'), *end = text + n;
  unsigned base = 10;
  uint64_t u = 0;
  if (v->kind == NUM_HUGE && !k->reference) {
    json_scan_error(&k->scan, JSON_CHECK_HUGE, text);
    return 0;
  }
  if (*p == '0' && (p[1] | 0x20) == 'x') p += 2, base = 16;
  for (; p < end; p++) {
    const unsigned digit = (unsigned)text_hex_digit(*p); /* larger than any base if it is not a digit */
    if (digit >= base || u > (UINT64_MAX - digit) / base) return bin_put_double(k->e, v->d);
    u = base * u + digit;
  }
  return bin_put_unsigned(k->e, u);
}

FL_INLINE int json_to_binary_number(struct json_to_binary *k, const char *text, size_t n, const struct num_value *v) {
  if (FL_LIKELY(v->kind == NUM_INTEGER)) return bin_put_integer(k->e, v->i);
  return FL_LIKELY(v->kind == NUM_DOUBLE) ? json_to_binary_double(k, v->d) : json_to_binary_big_(k, text, n, v);
}

FL_INLINE int json_to_binary_string(struct json_to_binary *k, const char *s, size_t n) {
  return bin_put_string(k->e, s, n);
}

/* Puts a known name as the key of the next value. */
FL_INLINE int json_to_binary_known_name(struct json_to_binary *k, struct names_name *name) {
  return bin_put_known(k->e, name->text, name->length, &name->known);
}

/* Makes this the shape of the innermost object. */
FL_INLINE void json_to_binary_enter_shape(struct json_to_binary *k, unsigned shape) {
  FL_ASSERT(shape < k->names->shapes && k->e->depth > k->root);
  k->e->open[k->e->depth - 1].mark = (uint16_t)shape;
  k->likely = &k->names->shape[shape].likely;
}

/* Compares the text with the name that followed last time. Returns the byte after it, or NULL. */
FL_INLINE const char *json_to_binary_guess(struct json_to_binary *k, const char *p) {
  const unsigned to = *k->likely;
  if (to == 0 || FL_UNLIKELY(k->scan.end - p < 16)) return NULL;
  struct names_name *name = &k->names->name[k->names->shape[to].name];
  if (FL_UNLIKELY(!names_is_at(name, p, k->scan.end)) || FL_UNLIKELY(!json_to_binary_known_name(k, name))) return NULL;
  json_to_binary_enter_shape(k, to);
  return p + name->length + 1;
}

/* Puts a name that was not guessed, and remembers it as the next guess. */
FL_NOINLINE int json_to_binary_new_name_(struct json_to_binary *k, struct json_string name, int plain) {
  if (k->e->error) return 0; /* opening the object may have failed */
  const unsigned from = k->e->open[k->e->depth - 1].mark;
  const int number = plain && from != NAMES_LOST ? names_find(k->names, name.s, name.n) : -1;
  const unsigned to = number < 0 ? (unsigned)NAMES_LOST : names_next(k->names, from, (unsigned)number);
  if (to != NAMES_LOST) *k->likely = (uint16_t)to;
  json_to_binary_enter_shape(k, to);
  return number < 0 ? bin_put_key(k->e, name.s, name.n) : json_to_binary_known_name(k, &k->names->name[number]);
}

FL_INLINE int json_to_binary_name(struct json_to_binary *k, struct json_string name, const char *p, int plain) {
  (void)p;
  return k->names ? json_to_binary_new_name_(k, name, plain) : bin_put_key(k->e, name.s, name.n);
}

FL_PRIVATE void json_to_binary_free_places(struct bin_encoder *e, struct json_to_binary_places *places) {
  const struct buffer *b = &e->out;
  if (places->items) b->alloc(b->alloc_ud, places->items, places->room * sizeof *places->items, 0);
  if (places->open) b->alloc(b->alloc_ud, (void *)places->open, places->open_room * sizeof *places->open, 0);
  memset(places, 0, sizeof *places);
}

/* Records where a collection begins in the text. */
FL_NOINLINE int json_to_binary_note_begin_(struct json_to_binary *k) {
  struct json_to_binary_places *places = k->places;
  if (places->depth == places->open_room &&
      !bin_grow_(k->e, (void **)&places->open, &places->open_room, places->depth + 1, sizeof *places->open))
    return 0;
  places->open[places->depth++] = k->scan.at;
  return 1;
}

/* Records the place of the collection that was just ended and written. */
FL_NOINLINE int json_to_binary_note_end_(struct json_to_binary *k) {
  struct json_to_binary_places *places = k->places;
  FL_ASSERT(places->depth > 0);
  if (places->count == places->room &&
      !bin_grow_(k->e, (void **)&places->items, &places->room, places->count + 1, sizeof *places->items))
    return 0;
  struct json_to_binary_place *place = &places->items[places->count++];
  place->position = k->e->newest - 1;
  place->begin = places->open[--places->depth];
  place->end = k->ended;
  return 1;
}

FL_NOINLINE void json_to_binary_due_(struct json_to_binary *k, const char *p) {
  k->ended = p;
  if (!k->pass) return;
  k->pass->to(k->pass->ud, p);
  if (!k->places) k->due = k->scan.end - p > JSON_TO_BINARY_STEP ? p + JSON_TO_BINARY_STEP : k->scan.end;
}

FL_INLINE void json_to_binary_ends(struct json_to_binary *k, const char *p) {
  if (FL_UNLIKELY(p >= k->due)) json_to_binary_due_(k, p);
}

/* Opens a container. The shapes of an object are kept by the name of the object, or of the array around it. */
FL_INLINE void json_to_binary_open(struct json_to_binary *k, enum scan_container kind) {
  struct bin_encoder *e = k->e;
  const unsigned under = e->depth ? e->open[e->depth - 1].mark : 0;
  if (FL_UNLIKELY(!bin_begin(e, kind == SCAN_OBJECT))) return;
  if (FL_UNLIKELY(k->places != NULL) && !json_to_binary_note_begin_(k)) return;
  if (!k->names) return;
  if (kind == SCAN_OBJECT) k->likely = &k->names->shape[under].inside;
  else e->open[e->depth - 1].mark = (uint16_t)under;
}

FL_INLINE enum scan_container json_to_binary_close(struct json_to_binary *k, enum scan_container kind) {
  struct bin_encoder *e = k->e;
  int sorted = 0;
  if (FL_UNLIKELY(e->error)) return SCAN_STOP;
  FL_ASSERT(e->depth > k->root);
  const struct bin_open *o = &e->open[e->depth - 1];
  if (FL_UNLIKELY(k->reference && e->depth - k->root > JSON_TO_BINARY_DEPTH_COMPATIBLE && e->count > o->first)) {
    json_scan_error(&k->scan, JSON_CHECK_DEPTH, k->scan.at);
    return SCAN_STOP;
  }
  if (kind == SCAN_OBJECT && k->names && o->mark > NAMES_LOST)
    sorted = names_sort(k->names, o->mark, e->items + o->first);
  if (FL_UNLIKELY(k->places != NULL) && e->count == o->first ? !bin_end_empty(e) : !bin_end_collection(e, sorted))
    return SCAN_STOP;
  if (FL_UNLIKELY(k->places != NULL) && !json_to_binary_note_end_(k)) return SCAN_STOP;
  if (e->depth == k->root) return SCAN_ROOT;
  o = &e->open[e->depth - 1];
  if (!o->is_dict) return SCAN_ARRAY;
  if (k->names) k->likely = &k->names->shape[o->mark].likely;
  return SCAN_OBJECT;
}

#define SCAN_NAME json_to_binary_scan
#define SCAN_SINK struct json_to_binary
#define SCAN_ENDS
#define SCAN_GUESSES
#define SCAN(event) json_to_binary_##event
#include "../../json/grammar/scan_template.h"

/* Returns whether p can follow a number or word without white space. */
FL_INLINE int json_to_binary_is_separated(const struct json_to_binary *k, const char *p) {
  return *p == '[' || *p == '{' || *p == '"' || (*p == '\'' && k->scan.grammar & JSON_JSON5);
}

FL_PRIVATE const char *json_to_binary_scan_lines(struct json_to_binary *k, const char *p) {
  const char *after_word = NULL; /* the end of the last number or word, which needs a separator after it */
  for (;;) {
    while ((p = json_read_space(&k->scan, p)) != NULL && *p == 0x1e) p++;
    if (!p || p == k->scan.end) return p;
    if (p == after_word && !json_to_binary_is_separated(k, p)) return json_scan_error(&k->scan, JSON_CHECK_AFTER, p);
    k->document = p;
    if (!(p = json_to_binary_scan(k, &k->scan, p))) return NULL;
    after_word = json_value_is_closed(p) ? NULL : p;
  }
}
