/* SPDX-License-Identifier: MIT
** ids.c -- numbers for values: two values with the same number are equal.
** Must hold: as value.h. */
#include "value.h"

#include "../number/parse.h"
#include "../number/scale.h"

enum {
  PATCH_COMPARED = 24, /* limit: values with the same hash that one is compared with, */
  PATCH_PROBES = 256,  /* and slots that are looked at */
  PATCH_DIGITS = 48    /* longest number that is hashed by value, in bytes */
};

static size_t patch_count(const struct patch_value *root) {
  const struct patch_value *v = root;
  size_t count = 0;
  for (; v; v = patch_has_children(v) ? v->is.first : patch_next(root, v)) count++;
  return count;
}

FL_PRIVATE int patch_begin_ids(struct patch_ids *t, struct json_edit *e, const struct patch_value *a,
                               const struct patch_value *b) {
  const size_t count = patch_count(a) + patch_count(b);
  size_t room = 16;
  if (count > SIZE_MAX / 64 || count >= UINT32_MAX) return json_edit_fail(e, JSON_EDIT_MEMORY, NULL) != NULL;
  while (room < 2 * count) room *= 2;
  t->slots = (struct patch_value **)json_edit_memory(e, room * sizeof(void *));
  if (!t->slots) return 0;
  memset(t->slots, 0, room * sizeof(void *));
  t->mask = room - 1;
  t->seed = (uint64_t)(uintptr_t)t->slots ^ UINT64_C(0x9e3779b97f4a7c15);
  t->count = 0;
  return 1;
}

/* Folded multiplication, as in wyhash: each bit of x affects all bits of the result. Doubles differ in their high
** bits. */
FL_INLINE uint64_t patch_mix(uint64_t h, uint64_t x) {
  const struct num_product product = num_mul(h ^ x, UINT64_C(0x9fb21c651e98df25));
  return product.lo ^ product.hi;
}

static uint64_t patch_hash_bytes(uint64_t h, const char *s, size_t n) {
  uint64_t x = 0;
  for (h = patch_mix(h, n); n >= 8; s += 8, n -= 8) h = patch_mix(h, fl_load64(s));
  if (n) memcpy(&x, s, n);
  return patch_mix(h, x);
}

/* Equal numbers have the same nearest double. Long ones are hashed as texts. */
static uint64_t patch_hash_number(uint64_t h, const struct patch_value *v) {
  struct num_value number = {0, 0, NUM_BAD};
  uint64_t bits;
  char digits[PATCH_DIGITS + 1]; /* parsing a number requires a 0 after it */
  const size_t n = (size_t)(v->end - v->begin);
  if (n > PATCH_DIGITS) return patch_hash_bytes(h, v->begin, n);
  memcpy(digits, v->begin, n);
  digits[n] = 0;
  (void)num_read(digits, digits + n, &number);
  if (number.kind == NUM_HUGE) return h;
  double d = (number.kind == NUM_INTEGER ? (double)number.i : number.d) + 0.0; /* -0 is 0 */
  memcpy(&bits, &d, sizeof bits);
  return patch_mix(h, bits);
}

/* Hashes a value; those in it must have their numbers. */
static uint64_t patch_hash(const struct patch_ids *t, const struct patch_value *v) {
  uint64_t h = patch_mix(t->seed, (uint64_t)v->kind);
  if (v->kind == PATCH_STRING) return patch_hash_bytes(h, v->is.s, v->n);
  if (v->kind == PATCH_NUMBER) return patch_hash_number(h, v);
  if (!patch_is_container(v)) return h;
  for (const struct patch_value *item = v->least; item; item = item->after) {
    if (item->name) h = patch_hash_bytes(h, item->name, item->name_length);
    h = patch_mix(h, item->id);
  }
  return h;
}

/* Returns whether two values are equal, by the numbers of the values in them. */
static int patch_same(const struct patch_value *a, const struct patch_value *b) {
  if (!patch_is_container(a)) return patch_same_scalar(a, b);
  if (a->kind != b->kind || a->n != b->n) return 0;
  for (a = a->least, b = b->least; a; a = a->after, b = b->after)
    if (a->id != b->id || (a->name && patch_compare_names(a, b) != 0)) return 0;
  return 1;
}

static void patch_number_one(struct patch_ids *t, struct patch_value *v) {
  if (v->same) {
    v->id = v->same->id;
    return;
  }
  const uint64_t h = patch_hash(t, v);
  size_t place = (size_t)h & t->mask;
  int probes, compared = 0;
  v->hash = (uint32_t)(h >> 32);
  for (probes = 0; probes < PATCH_PROBES && compared < PATCH_COMPARED; probes++, place = (place + 1) & t->mask) {
    const struct patch_value *other = t->slots[place];
    if (!other) {
      t->slots[place] = v;
      break;
    }
    if (other->hash != v->hash) continue;
    if (patch_same(other, v)) {
      v->id = other->id;
      return;
    }
    compared++;
  }
  v->id = ++t->count;
}

FL_PRIVATE void patch_number(struct patch_ids *t, struct patch_value *v) {
  const struct patch_value *const root = v;
  for (;;) {
    if (patch_has_children(v)) {
      v = v->is.first;
      continue;
    }
    patch_number_one(t, v);
    while (v != root && !v->next) {
      v = v->up;
      patch_number_one(t, v);
    }
    if (v == root) return;
    v = v->next;
  }
}
