/* SPDX-License-Identifier: MIT
** reader.c -- handles the tokens of containers that are on the way to a reader's goals.
** Must hold: as reader.h. */
#include "reader.h"

#include "quoted.h"

/* Returns whether this pass looks for the item; those that count from the end are found once the length is known. */
FL_INLINE int json_reader_wants_item(const struct json_reader *r, const struct json_goal *child) {
  const int from_end = child->step.index < 0;
  return child->step.indexes && from_end == (r->states[r->goal].again == JSON_AGAIN_FROM_END);
}

/* Returns the number of the item that this pass looks for, as json_reader_wants_item said, from item `from` on if it
** looks for each, or a negative one if there is none. */
FL_INLINE int64_t json_reader_item(const struct json_reader *r, const struct json_goal *child, int64_t from) {
  if (child->step.each) return from;
  return child->step.index < 0 ? child->step.index + r->states[r->goal].length : child->step.index;
}

/* Moves *c to the next child before `end` that wants an item from `from` on. Returns that item. */
static int64_t json_reader_seek(const struct json_reader *r, uint32_t *c, uint32_t end, int64_t from) {
  for (; *c < end; ++*c) {
    const struct json_goal *child = &r->goals[*c];
    if (!json_reader_wants_item(r, child)) continue;
    const int64_t item = json_reader_item(r, child, from);
    if (item >= from && item < INT64_MAX) return item;
  }
  return INT64_MAX;
}

static int64_t json_reader_next_item(const struct json_reader *r, int64_t from) {
  const struct json_goal *g = &r->goals[r->goal];
  struct json_goal_state *state = &r->states[r->goal];
  const int64_t named = json_reader_seek(r, &state->named, state->first_plain, from);
  const int64_t plain = json_reader_seek(r, &state->plain, g->first + g->count, from);
  return named < plain ? named : plain;
}

/* Returns whether this pass looks for children of the goal in such a container. */
FL_INLINE int json_reader_wants(const struct json_reader *r, const struct json_goal *child, int is_object) {
  return is_object ? child->step.name != NULL : json_reader_wants_item(r, child);
}

/* Enters the container at p, the value of r->goal. */
static void json_reader_enter(struct json_reader *r, const char *p) {
  const struct json_goal *g = &r->goals[r->goal];
  struct json_goal_state *state = &r->states[r->goal];
  const int is_object = *p == '{';
  state->left = 0;
  state->items = is_object ? -1 : 0;
  state->named = state->first_plain = g->first;
  r->child = 0;
  r->expects = JSON_READER_FIRST;
  for (uint32_t c = g->first; c < g->first + g->count; c++) {
    const struct json_goal *child = &r->goals[c];
    if (child->step.name) state->first_plain = c + 1;
    if (json_reader_wants(r, child, is_object)) state->left++, r->found[c].begin = NULL;
    /* its number is known only at the end */
    else if (!is_object && child->step.indexes && child->step.index < 0) state->left++;
  }
  state->plain = state->first_plain;
  r->next = is_object ? INT64_MAX : json_reader_next_item(r, 0);
}

/* Returns to the parent of the current container, where the value was read or will be skipped. Returns 0 at the
** root. */
static int json_reader_leave(struct json_reader *r) {
  const uint32_t child = r->goal;
  if (child == r->root) {
    r->watched = JSON_READER_NOTHING;
    return 0;
  }
  r->goal = r->states[child].parent;
  r->child = child;
  r->watched--;
  r->expects = JSON_READER_NEXT;
  r->next = r->states[r->goal].items < 0 ? INT64_MAX : json_reader_next_item(r, r->states[r->goal].items + 1);
  return 1;
}

/* Leaves the containers with nothing left to find, except one whose end is needed. In an object the last of equal names
** may still come. */
static enum json_reader_says json_reader_finish(struct json_reader *r) {
  const int first = (r->flags & JSON_LOCATE_FIRST) != 0;
  for (;;) {
    const struct json_goal_state *state = &r->states[r->goal];
    const struct json_goal *g = &r->goals[r->goal];
    const int needs_end = !first || g->wanted || state->is_shared;
    if (state->left || (state->items < 0 && g->count && !first)) return JSON_READER_CONTINUE;
    if (!json_reader_leave(r)) return JSON_READER_DONE;
    if (needs_end) return JSON_READER_CONTINUE;
    r->child = 0;
  }
}

FL_PRIVATE enum json_reader_says json_reader_begin(struct json_reader *r, uint32_t root, const char *p) {
  FL_ASSERT(*p == '[' || *p == '{');
  r->root = r->goal = root;
  r->watched = 1;
  json_reader_enter(r, p);
  return json_reader_finish(r);
}

static void json_reader_take(struct json_reader *r, uint32_t c, const char *p) {
  struct json_goal_state *state = &r->states[c];
  if (!r->found[c].begin && !r->goals[c].step.each) r->states[r->goal].left--;
  r->found[c].begin = state->begin = p;
  r->found[c].end = NULL;
  state->again = JSON_AGAIN_NO;
  state->is_shared = r->child != 0;
  if (r->child) r->states[r->child].is_shared = 1;
  if (!r->child || !r->goals[r->child].count) r->child = c; /* if several goals share this value, follow one of them */
  else if (r->goals[c].count) state->again = JSON_AGAIN_SAME_VALUE;
}

/* Returns the value after a name, whose closing quote is before p, or NULL if no colon follows. Blanks end somewhere,
** because the text ends with a bracket. */
static const char *json_reader_value_of_name(const char *p) {
  while (json_is_blank(*p)) p++;
  if (*p != ':') return NULL;
  for (p++; json_is_blank(*p);) p++;
  return p;
}

/* Returns the first child from c on whose name the string s[0..n) with escapes means. Those are longer than what they
** mean. */
FL_NOINLINE uint32_t json_reader_escaped_(const struct json_reader *r, uint32_t c, const char *s, size_t n) {
  const struct json_goal *g = &r->goals[r->goal];
  for (; c < g->first + g->count; c++) {
    const struct json_step *step = &r->goals[c].step;
    if (step->name && n > step->n && json_step_is_name(step, s, n)) break;
  }
  return c;
}

/* Handles a name that begins with the quote at p. Returns 0 if it has no end or no colon, or if it must be unique and
** is not. */
static int json_reader_name(struct json_reader *r, const char *p, const struct json_tokens *t) {
  const struct json_goal *g = &r->goals[r->goal];
  const unsigned i = (unsigned)(p - t->block);
  const uint64_t after = ~UINT64_C(1) << i, ends = t->ends & after;
  const char *name = p + 1, *value = NULL;
  int has_escapes;
  size_t n;
  r->child = 0;
  if (FL_LIKELY(ends != 0)) {
    n = fl_trailing_zeros(ends) - i - 1;
    has_escapes = (t->backslashes & after & (ends ^ (ends - 1))) != 0;
  } else {
    p = json_after_string(p, r->end);
    if (p == r->end) return 0;
    n = (size_t)(p - name) - 1;
    has_escapes = memchr(name, '\\', n) != NULL;
  }
  if (FL_LIKELY(!has_escapes) && !(g->lengths >> n % 64 & 1)) return 1;
  uint32_t c = has_escapes ? json_reader_escaped_(r, g->first, name, n) : json_first_child(r->goals, g, name, n);
  for (; c < g->first + g->count;
       c = has_escapes ? json_reader_escaped_(r, c + 1, name, n) : json_next_child(r->goals, g, c, name, n)) {
    if ((r->flags & JSON_LOCATE_UNIQUE) && r->found[c].begin) return 0;
    if ((r->flags & JSON_LOCATE_FIRST) && r->found[c].begin) continue;
    if (!value) value = json_reader_value_of_name(name + n + 1);
    if (!value) return 0;
    json_reader_take(r, c, value);
  }
  return 1;
}

static void json_reader_item_begins(struct json_reader *r, const char *p) {
  const struct json_goal *g = &r->goals[r->goal];
  const struct json_goal_state *state = &r->states[r->goal];
  const int64_t item = state->items;
  r->child = 0;
  if (item != r->next) return;
  if (state->named < state->first_plain && json_reader_item(r, &r->goals[state->named], item) == item)
    json_reader_take(r, state->named, p);
  if (state->plain < g->first + g->count && json_reader_item(r, &r->goals[state->plain], item) == item)
    json_reader_take(r, state->plain, p);
  r->next = json_reader_next_item(r, item + 1);
}

/* Passes on what was found in the item that has ended: not in an earlier one, and not in a member that a later one with
** the same name has replaced. */
FL_NOINLINE int json_reader_pass_on_(struct json_reader *r) {
  for (uint32_t g = r->each_goal; g != r->child; g = r->states[g].parent) {
    const struct json_slice *place = &r->found[g], *around = &r->found[r->states[g].parent];
    if (!place->begin || place->begin < around->begin) return 1;
    if (!(r->flags & JSON_LOCATE_FIRST) && place->end > around->end) return 1;
  }
  return r->each(r->owner, &r->found[r->each_goal]);
}

/* Ends the current value, before the blanks before p. Returns 0 if there is none. */
static int json_reader_value_ends(struct json_reader *r, const char *p) {
  const struct json_goal *g = &r->goals[r->goal];
  const char *begin = r->states[r->child].begin;
  while (p > begin && json_is_blank(p[-1])) p--;
  r->found[r->child].end = p;
  for (uint32_t c = g->first; r->states[r->child].is_shared && c < g->first + g->count; c++)
    if (r->found[c].begin == begin) r->found[c].end = p;
  if (FL_UNLIKELY(r->goals[r->child].step.each) && !json_reader_pass_on_(r)) return 0;
  r->child = 0;
  return p > begin;
}

static enum json_reader_says json_reader_close(struct json_reader *r, const char *p) {
  const struct json_goal *g = &r->goals[r->goal];
  struct json_goal_state *state = &r->states[r->goal];
  const int is_empty = r->expects == JSON_READER_FIRST;
  if (r->expects == JSON_READER_BEGIN || (*p == '}') != (state->items < 0)) return JSON_READER_WRONG;
  if (r->child && !json_reader_value_ends(r, p)) return JSON_READER_WRONG;
  if (state->items >= 0 && state->again != JSON_AGAIN_FROM_END) {
    state->length = is_empty ? 0 : state->items + 1;
    for (uint32_t c = g->first; c < g->first + g->count; c++)
      if (r->goals[c].step.indexes && r->goals[c].step.index < 0) state->again = JSON_AGAIN_FROM_END;
  }
  return json_reader_leave(r) ? JSON_READER_CONTINUE : JSON_READER_DONE;
}

/* Handles a container at p that is the value of r->child. */
static enum json_reader_says json_reader_open(struct json_reader *r, const char *p) {
  if (r->states[r->child].begin != p) return JSON_READER_WRONG;
  r->goal = r->child;
  r->watched++;
  json_reader_enter(r, p);
  return json_reader_finish(r);
}

/* Counts the items of an array up to the one looked for. Returns 0 if that item, or the end, is among these tokens. */
FL_INLINE int json_reader_counts(struct json_reader *r, const struct json_tokens *t, uint64_t here) {
  struct json_goal_state *state = &r->states[r->goal];
  const uint64_t others = (t->colons | t->strings | t->words | t->opens) & here;
  if (state->items < 0 || r->child || (t->closes & here)) return 0;
  const int64_t commas = (int64_t)fl_count_bits(t->commas & here);
  if (state->items + commas >= r->next) return 0;
  state->items += commas;
  if (commas || others) r->expects = (t->commas & here) > others ? JSON_READER_BEGIN : JSON_READER_NEXT;
  return 1;
}

/* Handles the token `bit` at p, where a name or an item begins or an empty container ends. */
FL_INLINE enum json_reader_says json_reader_begins(struct json_reader *r, const struct json_tokens *t, uint64_t bit,
                                                   const char *p) {
  if (FL_UNLIKELY(t->closes & bit)) return json_reader_close(r, p);
  if (FL_UNLIKELY((t->commas | t->colons) & bit)) return JSON_READER_WRONG;
  r->expects = JSON_READER_NEXT;
  if (r->states[r->goal].items >= 0) json_reader_item_begins(r, p);
  else if (!(t->strings & bit) || !json_reader_name(r, p, t)) return JSON_READER_WRONG;
  return JSON_READER_CONTINUE;
}

/* Handles the tokens in `left`, which belong to the watched container. */
static enum json_reader_says json_reader_tokens(struct json_reader *r, const struct json_tokens *t, uint64_t left) {
  const uint32_t watched = r->watched;
  uint64_t bits, bit;
  if (json_reader_counts(r, t, left)) return JSON_READER_CONTINUE;
  for (;;) {
    enum json_reader_says says = JSON_READER_CONTINUE;
    if (r->expects != JSON_READER_NEXT) {
      bits = (t->commas | t->colons | t->strings | t->words | t->opens | t->closes) & left;
      if (!bits) return JSON_READER_CONTINUE;
      bit = bits & (0 - bits);
      says = json_reader_begins(r, t, bit, t->block + fl_trailing_zeros(bit));
      if (FL_UNLIKELY(says != JSON_READER_CONTINUE) || r->watched != watched) return says;
      left &= 0 - bit; /* a container that is an item begins with this token, so keep it */
    }
    bits = (t->commas | t->opens | t->closes) & left;
    if (!bits) return JSON_READER_CONTINUE;
    bit = bits & (0 - bits);
    if (t->opens & bit) {
      if (!r->child || !r->goals[r->child].count) return JSON_READER_CONTINUE;
      return json_reader_open(r, t->block + fl_trailing_zeros(bit));
    }
    if (t->closes & bit) return json_reader_close(r, t->block + fl_trailing_zeros(bit));
    if (r->child && !json_reader_value_ends(r, t->block + fl_trailing_zeros(bit))) return JSON_READER_WRONG;
    if (r->states[r->goal].items >= 0) r->states[r->goal].items++;
    r->expects = JSON_READER_BEGIN;
    if (r->states[r->goal].left == 0) says = json_reader_finish(r);
    /* The remaining tokens may be in a container that is no longer watched. */
    if (FL_UNLIKELY(says != JSON_READER_CONTINUE) || r->watched != watched) return says;
    left &= (0 - bit) ^ bit;
  }
}

FL_PRIVATE_NOINLINE enum json_reader_says json_reader_block(struct json_reader *r, const struct json_tokens *t,
                                                            uint32_t depth, const char **after) {
  uint64_t brackets = t->opens | t->closes, left = ~UINT64_C(0);
  for (;; brackets &= brackets - 1) {
    /* All tokens between two brackets, and the second bracket, belong to the same container. */
    const uint64_t here = brackets ? left & (brackets ^ (brackets - 1)) : left;
    if (depth && depth == r->watched) {
      const enum json_reader_says says = json_reader_tokens(r, t, here);
      if (says != JSON_READER_CONTINUE) return says;
    }
    if (!brackets) return JSON_READER_CONTINUE;
    depth = t->opens & here ? depth + 1 : depth - 1;
    if (depth == 0) {
      *after = t->block + fl_trailing_zeros(brackets) + 1;
      return JSON_READER_CLOSED;
    }
    left ^= here;
  }
}
