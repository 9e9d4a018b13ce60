/* SPDX-License-Identifier: MIT
** parts.c -- two texts without what has the same bytes in both, so that only what differs becomes values.
** Must hold: as value.h. Each byte of a text is compared a bounded number of times, however deep the texts are: what is
** inside two values up to their first difference is not compared again. Names that occur twice, and all errors, are
** left to patch_read_text, which words them. */
#include "value.h"

#include "../json/index/quoted.h"
#include "../values/outline.h"

enum { PATCH_NAME_ROOM = 4 }; /* quotes, colon and comma */

struct patch_side {
  struct value_outline k;
  struct json_edit *e;
  void *blocks[VALUE_BLOCKS];
  int of_lua;
  int has_sizes, is_compact; /* see patch_is_compact */
};

/* Two objects: what is left of them, and the last members of that; their entries, and those of the next names. */
struct patch_pair {
  struct patch_pair *up;
  struct patch_value *v[2], *last[2];
  uint32_t of[2], at[2];
  int in_step; /* so far the names are the same, in the same order */
};

struct patch_parts {
  struct json_edit *e;
  struct patch_side sides[2];
  struct patch_pair *pair, *spare;
  /* The bytes of b in [from, differs) are those of a `shift` further; the next one differs. */
  uint32_t from, differs, shift;
  struct patch_value *roots[2];
};

static void *patch_side_memory(void *owner, unsigned block, size_t n, size_t used) {
  struct patch_side *side = (struct patch_side *)owner;
  void *to = json_edit_memory(side->e, n);
  if (to && used) memcpy(to, side->blocks[block], used);
  if (to) side->blocks[block] = to;
  return to;
}

static int patch_side_scan(struct patch_side *side, struct json_edit *e, const struct patch_text *text) {
  struct json_scan j = e->scan;
  side->e = e;
  side->of_lua = text->of_lua;
  memset(&side->k.walk, 0, sizeof side->k.walk);
  side->k.walk.memory = patch_side_memory;
  side->k.walk.owner = side;
  side->k.walk.left = UINT64_MAX;
  side->k.walk.max_depth = (uint32_t)j.max_depth;
  side->k.unique = 0;
  j.begin = text->begin;
  j.end = text->end;
  j.grammar = 0;
  const char *p = value_outline_scan(&side->k, &j, j.begin, 1, e->cpu);
  return p && json_read_space(&j, p) == j.end;
}

/* Returns whether there is no white space between the tokens: it would be one of the two bytes before a token, or the
** byte before a closing bracket. */
static int patch_is_compact(const struct value_outline *k) {
  const struct json_outline *o = &k->is;
  int blanks = 0;
  for (uint32_t i = 1; i < o->count; i++) {
    const char *const p = value_outline_text(k, i);
    blanks |= (p[-1] <= ' ') | (p[-1 - (i > 1)] <= ' '); /* no other byte there is below '"' */
  }
  for (uint32_t i = 0; i < o->container_count; i++) blanks |= o->text[o->containers[i].close - 1] <= ' ';
  return !blanks;
}

FL_INLINE uint32_t patch_begin_of(const struct patch_side *side, uint32_t entry) {
  return (uint32_t)(value_outline_text(&side->k, entry) - side->k.is.text);
}

/* Returns the end of a value in the container `of`, or of its token and what follows it. */
FL_INLINE uint32_t patch_end_of(const struct patch_side *side, uint32_t of, uint32_t entry) {
  const struct json_outline_container *const around = value_outline_container(&side->k, of);
  if (side->k.is.entries[entry] & JSON_OUTLINE_CONTAINER) return value_outline_container(&side->k, entry)->close + 1;
  return entry + 1 < around->end ? patch_begin_of(side, entry + 1) : around->close;
}

/* Returns whether the bytes [a, a_end) and [b, b_end) of the two texts are the same. */
static int patch_same_range(struct patch_parts *k, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end) {
  const uint32_t n = b_end - b;
  if (a_end - a != n) return 0;
  if (b >= k->from && b < k->differs && a - b == k->shift) return b_end <= k->differs;
  const uint32_t same = (uint32_t)patch_common(k->sides[0].k.is.text + a, k->sides[1].k.is.text + b, n);
  if (same < n) k->from = b, k->differs = b + same, k->shift = a - b;
  return same == n;
}

/* Returns whether two values have the same text; `names`: and the names before them. */
static int patch_same_values(struct patch_parts *k, const uint32_t of[2], uint32_t a, uint32_t b, uint32_t names) {
  return patch_same_range(k, patch_begin_of(&k->sides[0], a - names), patch_end_of(&k->sides[0], of[0], a),
                          patch_begin_of(&k->sides[1], b - names), patch_end_of(&k->sides[1], of[1], b));
}

/* Returns whether no name occurs twice in the objects of a that are at entries [from, to), which begin a value. */
static int patch_is_clear(struct patch_parts *k, uint32_t from, uint32_t to) {
  struct value_outline *a = &k->sides[0].k;
  struct json_outline_container *c = value_outline_container(a, from), *end = a->is.containers + a->is.container_count;
  for (; c < end && c->at < to; c++)
    if (!value_outline_is_clear(a, c)) return 0;
  return 1;
}

/* The same for one value. */
FL_INLINE int patch_is_clear_value(struct patch_parts *k, uint32_t v) {
  return !value_outline_is_collection(&k->sides[0].k, v) ||
         patch_is_clear(k, v, value_outline_after(&k->sides[0].k, v));
}

/* Appends a value to the last one of a container, or makes it the root. */
static void patch_append(struct patch_value **root, struct patch_value *up, struct patch_value **last,
                         struct patch_value *v) {
  v->up = up;
  if (!up) *root = v;
  else if (*last) (*last)->next = (*last)->after = v;
  else up->is.first = up->least = v;
  if (up) up->n++;
  *last = v;
}

/* Sets the name of a member to that at the entry. Returns 0 if out of memory. */
static int patch_set_name(struct patch_side *side, struct patch_value *v, uint32_t entry) {
  return value_outline_string(&side->k, entry, &v->name, &v->name_length);
}

/* Returns a container at the entry without children. */
static struct patch_value *patch_new_part(struct patch_side *side, uint32_t entry) {
  const struct json_outline_container *const of = value_outline_container(&side->k, entry);
  struct patch_value *v = (struct patch_value *)json_edit_memory(side->e, sizeof *v);
  if (!v) return NULL;
  memset(v, 0, sizeof *v);
  v->begin = value_outline_text(&side->k, entry);
  v->end = side->k.is.text + of->close + 1;
  v->kind = *v->begin == '{' ? PATCH_OBJECT : PATCH_ARRAY;
  return v;
}

/* Returns how many bytes of JSON text are not white space. */
static size_t patch_count_bytes(const char *p, const char *end) {
  size_t n = 0;
  while (p < end) {
    const char *from = p;
    if (json_is_blank(*p)) {
      p++;
      continue;
    }
    if (*p++ == '"') p = json_after_string(from, end);
    n += (size_t)(p - from);
  }
  return n;
}

/* Sets `size` of a container whose children have theirs. */
static void patch_set_size(const struct patch_side *side, struct patch_value *v) {
  const char *p = v->begin;
  if (!side->has_sizes) {
    v->size = 2;
    if (v->kind == PATCH_ARRAY) v->size = (size_t)(v->end - p); /* merge patches have whole arrays */
    for (const struct patch_value *child = v->is.first; child; child = child->next)
      v->size += PATCH_NAME_ROOM + 6 * child->name_length + child->size;
    return;
  }
  for (const struct patch_value *child = v->is.first; child && !side->is_compact; child = child->next) {
    v->size += patch_count_bytes(p, child->begin) + child->size;
    p = child->end;
  }
  v->size += side->is_compact ? (size_t)(v->end - p) : patch_count_bytes(p, v->end);
}

/* Keeps a value as a child of `up`. name: the entry of its name, or 0 for an item. Returns 0 after an error. */
static struct patch_value *patch_keep_part(struct patch_parts *k, int i, struct patch_value *up,
                                           struct patch_value **last, uint32_t entry, uint32_t name,
                                           struct patch_value *other) {
  struct patch_side *side = &k->sides[i];
  struct patch_value *v = patch_read_part(k->e, value_outline_text(&side->k, entry), side->k.is.text + side->k.length,
                                          side->of_lua, other);
  if (!v || (name && !patch_set_name(side, v, name))) return NULL;
  patch_append(&k->roots[i], up, last, v);
  return v;
}

static int patch_keep_member(struct patch_parts *k, int i, struct patch_pair *pair, uint32_t entry) {
  return patch_keep_part(k, i, pair->v[i], &pair->last[i], entry, entry - 1, NULL) != NULL;
}

/* Begins a pair with two objects. Returns 0 after an error. */
static int patch_enter_pair(struct patch_parts *k, uint32_t a, uint32_t b) {
  const uint32_t of[2] = {a, b};
  struct patch_pair *pair = k->spare;
  if (pair) k->spare = pair->up;
  else if (!(pair = (struct patch_pair *)json_edit_memory(k->e, sizeof *pair))) return 0;
  for (int i = 0; i < 2; i++) {
    struct patch_side *side = &k->sides[i];
    if (!(pair->v[i] = patch_new_part(side, of[i]))) return 0;
    if (k->pair && !patch_set_name(side, pair->v[i], of[i] - 1)) return 0;
    pair->last[i] = NULL;
    pair->of[i] = of[i];
    pair->at[i] = of[i] + 1;
  }
  pair->in_step = 1;
  pair->up = k->pair;
  k->pair = pair;
  return value_outline_is_clear(&k->sides[0].k, value_outline_container(&k->sides[0].k, a));
}

/* Returns whether two values are equal, whatever their texts, as patch_same_scalar; -1 after an error. */
static int patch_equal_parts(struct patch_parts *k, uint32_t a, uint32_t b) {
  const uint32_t entries[2] = {a, b};
  const struct patch_value *v[2];
  for (int i = 0; i < 2; i++) {
    const struct value_outline *side = &k->sides[i].k;
    v[i] = patch_read_part(k->e, value_outline_text(side, entries[i]), side->is.text + side->length, 0, NULL);
    if (!v[i]) return -1;
  }
  return patch_equal(v[0], v[1]);
}

FL_INLINE uint32_t patch_item(struct patch_parts *k, int i, uint32_t array, uint32_t index) {
  uint32_t item;
  (void)value_outline_item(&k->sides[i].k, array, index, &item);
  return item;
}

/* Returns whether two items have the same text; -1 if a name occurs twice in them. */
static int patch_same_items(struct patch_parts *k, const uint32_t of[2], uint32_t i, uint32_t j) {
  const uint32_t a = patch_item(k, 0, of[0], i);
  if (!patch_same_values(k, of, a, patch_item(k, 1, of[1], j), 0)) return 0;
  return patch_is_clear_value(k, a) ? 1 : -1;
}

/* Compares two arrays: items that are the same at their beginning and end are left out. Returns 0 after an error. */
static int patch_compare_arrays(struct patch_parts *k, uint32_t a, uint32_t b) {
  const uint32_t of[2] = {a, b};
  struct patch_pair *pair = k->pair;
  struct patch_value *v[2], *none[2] = {NULL, NULL};
  uint64_t n[2];
  uint32_t from = 0, kept[2];
  for (int i = 0; i < 2; i++) {
    if (!value_outline_length(&k->sides[i].k, of[i], &n[i])) return 0;
    kept[i] = (uint32_t)n[i];
  }
  for (; kept[0] && kept[1]; from++, kept[0]--, kept[1]--) {
    const int is_same = patch_same_items(k, of, from, from);
    if (is_same < 0) return 0;
    if (!is_same) break;
  }
  const uint32_t rest[2] = {kept[0], kept[1]};
  for (; kept[0] && kept[1]; kept[0]--, kept[1]--) {
    const int is_same = patch_same_items(k, of, from + kept[0] - 1, from + kept[1] - 1);
    if (is_same < 0) return 0;
    if (!is_same) break;
  }
  if (kept[0] < rest[0]) {
    /* The items that are equal at the beginning come first, even if their texts differ. */
    const int is_equal = patch_equal_parts(k, patch_item(k, 0, a, from), patch_item(k, 1, b, from));
    if (is_equal < 0) return 0;
    if (is_equal) kept[0] = rest[0], kept[1] = rest[1];
  }
  if (pair && kept[0] == 0 && kept[1] == 0) return 1;
  const int is_whole = 2 * (uint64_t)kept[0] > n[0] || 2 * (uint64_t)kept[1] > n[1];
  for (int i = 0; i < 2; i++) {
    struct patch_value *last = NULL, *other = i > 0 && !is_whole ? v[0]->is.first : i > 0 ? v[0] : NULL;
    struct patch_value *up = pair ? pair->v[i] : NULL, **after = pair ? &pair->last[i] : &none[i];
    if (is_whole) {
      if (!(v[i] = patch_keep_part(k, i, up, after, of[i], pair ? of[i] - 1 : 0, other))) return 0;
      continue;
    }
    if (!(v[i] = patch_new_part(&k->sides[i], of[i]))) return 0;
    if (pair && !patch_set_name(&k->sides[i], v[i], of[i] - 1)) return 0;
    v[i]->skipped = from;
    for (uint32_t j = 0; j < kept[i]; j++, other = other ? other->next : NULL)
      if (!patch_keep_part(k, i, v[i], &last, patch_item(k, i, of[i], from + j), 0, other)) return 0;
    patch_set_size(&k->sides[i], v[i]);
    patch_append(&k->roots[i], up, after, v[i]);
  }
  return 1;
}

/* Compares two members of the same name, or two roots. Returns 0 after an error. */
static int patch_compare_parts(struct patch_parts *k, uint32_t a, uint32_t b) {
  const char first = value_outline_first(&k->sides[0].k, a);
  if (first == value_outline_first(&k->sides[1].k, b)) {
    if (first == '{') return patch_enter_pair(k, a, b);
    if (first == '[') return patch_compare_arrays(k, a, b);
  }
  return k->pair && patch_keep_member(k, 0, k->pair, a) && patch_keep_member(k, 1, k->pair, b);
}

/* Finds the member of the pair's object on side i with the name at the entry of the other side. */
static int patch_find_twin(struct patch_parts *k, int i, uint32_t name, uint32_t *child) {
  const char *s;
  size_t n;
  return value_outline_string(&k->sides[1 - i].k, name, &s, &n) &&
         value_outline_find_member(&k->sides[i].k, k->pair->of[i], s, n, child);
}

/* From the next members on names are looked for: keeps the members of a that b lacks. Returns 0 after an error. */
static int patch_fall_out_of_step(struct patch_parts *k, struct patch_pair *pair) {
  struct value_outline *a = &k->sides[0].k, *b = &k->sides[1].k;
  const uint32_t end = value_outline_container(a, pair->of[0])->end;
  uint32_t child;
  pair->in_step = 0;
  if (!value_outline_is_clear(b, value_outline_container(b, pair->of[1]))) return 0;
  for (uint32_t at = pair->at[0]; at < end; at = value_outline_after(a, at + 1))
    if (!patch_find_twin(k, 1, at, &child) && (b->walk.error || !patch_keep_member(k, 0, pair, at + 1))) return 0;
  pair->at[0] = end;
  return 1;
}

/* Returns whether the names at the entries are the same. */
static int patch_same_names(struct patch_parts *k, uint32_t a, uint32_t b) {
  const char *s;
  size_t n;
  return value_outline_string(&k->sides[0].k, a, &s, &n) && value_outline_is_name(&k->sides[1].k, b, s, n);
}

/* Handles the next member of b, or, as long as they are in step, of both. Returns 0 after an error. */
static int patch_compare_members(struct patch_parts *k, struct patch_pair *pair) {
  struct value_outline *a = &k->sides[0].k, *b = &k->sides[1].k;
  const uint32_t x = pair->at[0], y = pair->at[1];
  uint32_t child;
  if (pair->in_step) {
    const int both = x < value_outline_container(a, pair->of[0])->end &&
                     y < value_outline_container(b, pair->of[1])->end;
    const int is_same = both && patch_same_values(k, pair->of, x + 1, y + 1, 1);
    if (!is_same && !(both && patch_same_names(k, x, y))) return patch_fall_out_of_step(k, pair);
    pair->at[0] = value_outline_after(a, x + 1);
    pair->at[1] = value_outline_after(b, y + 1);
    return is_same ? patch_is_clear_value(k, x + 1) : patch_compare_parts(k, x + 1, y + 1);
  }
  pair->at[1] = value_outline_after(b, y + 1);
  if (!patch_find_twin(k, 0, y, &child)) return !a->walk.error && patch_keep_member(k, 1, pair, y + 1);
  if (patch_same_values(k, pair->of, child, y + 1, 0)) return patch_is_clear_value(k, child);
  return patch_compare_parts(k, child, y + 1);
}

/* Ends the innermost pair. What is left of it is kept, unless nothing is. Returns 0 after an error. */
static int patch_leave_pair(struct patch_parts *k) {
  struct patch_pair *pair = k->pair, *up = pair->up;
  k->pair = up;
  pair->up = k->spare;
  k->spare = pair;
  if (up && pair->v[0]->n == 0 && pair->v[1]->n == 0) return 1;
  for (int i = 0; i < 2; i++) {
    struct patch_value *none = NULL;
    patch_set_size(&k->sides[i], pair->v[i]);
    if (!patch_sort_members(k->e, pair->v[i])) return 0;
    patch_append(&k->roots[i], up ? up->v[i] : NULL, up ? &up->last[i] : &none, pair->v[i]);
  }
  return 1;
}

FL_PRIVATE int patch_read_parts(struct json_edit *e, const struct patch_text texts[2], int sizes,
                                struct patch_value *v[2]) {
  struct patch_parts k;
  k.e = e;
  k.pair = k.spare = NULL;
  k.from = k.differs = k.shift = 0;
  for (int i = 0; i < 2; i++) {
    k.roots[i] = NULL;
    k.sides[i].has_sizes = i >= 2 - sizes;
    if (!patch_side_scan(&k.sides[i], e, &texts[i])) goto failed;
    k.sides[i].is_compact = k.sides[i].has_sizes && patch_is_compact(&k.sides[i].k);
  }
  if (sizes > 1 && !k.sides[0].is_compact) goto failed; /* children may be in another order */
  if (!patch_compare_parts(&k, 0, 0)) goto failed;
  while (k.pair) {
    const struct patch_pair *pair = k.pair;
    int done = 1;
    for (int i = 0; i < 2; i++) done &= pair->at[i] == value_outline_container(&k.sides[i].k, pair->of[i])->end;
    if (done ? !patch_leave_pair(&k) : !patch_compare_members(&k, k.pair)) goto failed;
  }
  v[0] = k.roots[0];
  v[1] = k.roots[1];
  return 1;
failed:
  e->error = JSON_EDIT_OK;
  return 0;
}
