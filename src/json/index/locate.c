/* SPDX-License-Identifier: MIT
** locate.c -- finds values in a strict JSON text in memory, and tests such a text, by vectors of 64 bytes.
** Must hold: as locate.h. */
#include "reader.h"

#include "members.h"
#include "quoted.h"
#include "scalar.h"

#include "../../text/blocks.h"
#include "../../text/utf8.h"
#include "../tokens/tokens.h"

/* Returns whether the \u escape at p, in a string that ends before `end`, is valid, including its surrogate pair. */
static int json_index_escape(const char *p, const char *end, const char **low_surrogate) {
  const int c = json_check_hex(p + 2, end);
  if (c < 0) return 0;
  if ((c & ~0x7ff) != 0xd800) return 1;
  if ((c & ~0x3ff) == 0xdc00) return p == *low_surrogate;
  p += 6;
  if (p[0] != '\\' || p[1] != 'u' || (json_check_hex(p + 2, end) & ~0x3ff) != 0xdc00) return 0;
  *low_surrogate = p;
  return 1;
}

#define JSON_I_BYTES TEXT_LEAST_VECTOR
#include "text_template.h"
#if FLEECE_WIDE
#define JSON_I_BYTES 32
#include "text_template.h"
#endif
#if FLEECE_WIDEST
#define JSON_I_BYTES 64
#include "text_template.h"
#endif

/* The functions for one CPU: see text_template.h. */
typedef const char *(*json_read_fn)(struct json_reader *r, const char *s, const char *stop);

struct json_index_functions {
  json_read_fn test, test_parts, pass, outline;
};

static struct json_index_functions json_index_pick(unsigned cpu) {
#define JSON_INDEX_FUNCTIONS(test, bytes)                                                                         \
  {                                                                                                               \
    FL_PASTE(json_index_##test, bytes), FL_PASTE(json_index_test_parts, bytes), FL_PASTE(json_index_pass, bytes), \
        FL_PASTE(json_index_outline, bytes)                                                                       \
  }
#if FLEECE_WIDEST
  static const struct json_index_functions widest = JSON_INDEX_FUNCTIONS(test, 64);
#endif
#if FLEECE_WIDE
  static const struct json_index_functions wide = JSON_INDEX_FUNCTIONS(test, 32);
  /* CPUs from before 2015 need only one instance for all lengths. */
  static const struct json_index_functions least = JSON_INDEX_FUNCTIONS(test_parts, TEXT_LEAST_VECTOR);
#else
  static const struct json_index_functions least = JSON_INDEX_FUNCTIONS(test, TEXT_LEAST_VECTOR);
#endif
#undef JSON_INDEX_FUNCTIONS
#if FLEECE_WIDEST
  if (cpu & TEXT_CPU_WIDEST) return widest;
#endif
#if FLEECE_WIDE
  if (cpu & TEXT_CPU_WIDE) return wide;
#endif
  (void)cpu;
  return least;
}

enum { JSON_INDEX_WINDOW = 128 * 1024 };

/* Reads [s, r->end) in windows; sets r->continues to 0. */
FL_NOINLINE const char *json_index_read_long_(struct json_reader *r, json_read_fn read, const char *s,
                                              text_utf8_fn utf8, json_release_fn release) {
  struct json_carry carry;
  const char *is_utf8 = s; /* tested up to here; a character may continue in the next window */
  r->carry = &carry;
  do {
    const char *window = s, *stop = r->end - s > JSON_INDEX_WINDOW ? s + JSON_INDEX_WINDOW : r->end;
    if (utf8) {
      const size_t n = (size_t)(stop - is_utf8), valid = utf8(is_utf8, n);
      if (valid < n && (stop == r->end || n - valid > 3)) return NULL;
      is_utf8 += valid;
    }
    s = read(r, window, stop);
    if (release) release(window, stop);
  } while (r->continues);
  return s;
}

FL_INLINE int json_index_test(struct json_reader *r, const char *s, const char *end, const struct json_reading *how) {
  const struct json_index_functions functions = json_index_pick(how->cpu);
  const text_utf8_fn utf8 = text_utf8_pick(how->cpu);
  const size_t n = (size_t)(end - s);
  r->end = end;
  r->max_depth = how->max_depth;
  r->containers = how->containers;
  r->continues = 0;
  if (FL_UNLIKELY(n > JSON_INDEX_WINDOW))
    return json_index_read_long_(r, functions.test_parts, s, utf8, how->release) != NULL;
  return utf8(s, n) == n && functions.test(r, s, end);
}

/* Reads the value at s in a valid text that ends at `end`. Returns the byte after it, or s if the reader has found
** everything; NULL if the value has no end. */
FL_INLINE const char *json_index_pass(struct json_reader *r, const char *s, const char *end, unsigned cpu,
                                      json_release_fn release) {
  const json_read_fn read = json_index_pick(cpu).pass;
  r->end = end;
  r->continues = 0;
  if (FL_UNLIKELY(release != NULL) && end - s > JSON_INDEX_WINDOW)
    return json_index_read_long_(r, read, s, NULL, release);
  return read(r, s, end);
}

/* Sets *s and *end to the text without surrounding white space. Returns whether it begins and ends with a bracket. */
static int json_index_trim(const char **s, const char **end) {
  while (*s < *end && json_is_blank(**s)) ++*s;
  while (*end > *s && json_is_blank((*end)[-1])) --*end;
  return *end - *s >= 2 && (**s | 0x20) == '{' && ((*end)[-1] | 0x20) == '}';
}

FL_PRIVATE int json_is_text(const char *s, size_t n, uint32_t max_depth, unsigned char *containers, unsigned cpu) {
  const char *end = s + n;
  struct json_reader none;
  struct json_reading how;
  if (!json_index_trim(&s, &end)) return 0;
  none.watched = JSON_READER_NOTHING;
  how.cpu = cpu;
  how.max_depth = max_depth;
  how.containers = containers;
  how.release = NULL;
  return json_index_test(&none, s, end, &how);
}

FL_PRIVATE int json_make_outline(struct json_outline *o, const char *s, const char *end, uint32_t max_depth,
                                 unsigned char *containers, unsigned cpu) {
  struct json_reader r;
  r.watched = JSON_READER_NOTHING;
  r.end = end;
  r.max_depth = max_depth;
  r.containers = containers;
  r.outline = o;
  r.continues = 0;
  o->count = o->container_count = o->up = 0;
  return json_index_read_long_(&r, json_index_pick(cpu).outline, s, text_utf8_pick(cpu), NULL) != NULL;
}

FL_PRIVATE const char *json_after_value(const char *p, const char *end, unsigned cpu, json_release_fn release) {
  struct json_reader none;
  if (*p == '"') return json_after_string(p, end);
  if ((*p | 0x20) == '{') {
    none.watched = JSON_READER_NOTHING;
    p = json_index_pass(&none, p, end, cpu, release);
    return p ? p : end;
  }
  while (p < end && *p != ',' && (*p | 0x20) != '}' && !json_is_blank(*p)) p++;
  return p;
}

/* Returns whether a goal's place lies in the value of its parent that counts. */
static int json_index_counts(const struct json_slice *found, const struct json_slice *parent) {
  return parent->begin && found->begin >= parent->begin && found->end <= parent->end;
}

/* Members of a short text that is read in one pass: see json/index/members.h. */
enum { JSON_LOCATE_MEMBERS = 48 };

/* Takes member m of the whole text as the value of the goal c, whose children are found later. Returns 0 if the name
** must be unique, and is not. */
FL_INLINE int json_locate_take(struct json_reader *r, uint32_t c, const char *s, const struct json_member *m) {
  if ((r->flags & JSON_LOCATE_UNIQUE) && r->found[c].begin) return 0;
  if ((r->flags & JSON_LOCATE_FIRST) && r->found[c].begin) return 1;
  r->found[c].begin = s + m->begin;
  r->found[c].end = s + m->end;
  if (r->goals[c].count) r->states[c].again = JSON_AGAIN_SAME_VALUE;
  return 1;
}

/* Finds the children of the whole text among its members. Returns 0 as json_locate_take. */
FL_INLINE int json_locate_among(struct json_reader *r, const char *s, const struct json_members *k) {
  const struct json_goal *whole = &r->goals[0];
  const struct json_member *items = (const struct json_member *)k->items;
  const uint32_t end = whole->first + whole->count;
  uint32_t i, c;
  int is_right = 1;
  if (*s == '{') {
    for (i = 0; i < k->count; i++) {
      const struct json_member *m = &items[i];
      if (!(whole->lengths >> m->name_length % 64 & 1)) continue;
      c = json_first_child(r->goals, whole, s + m->name, m->name_length);
      for (; c < end; c = json_next_child(r->goals, whole, c, s + m->name, m->name_length))
        is_right &= json_locate_take(r, c, s, m);
    }
    return is_right;
  }
  for (c = whole->first; c < end; c++) {
    const struct json_step *step = &r->goals[c].step;
    const int64_t index = step->index < 0 ? step->index + k->count : step->index;
    if (step->indexes && index >= 0 && index < k->count) is_right &= json_locate_take(r, c, s, &items[index]);
  }
  return is_right;
}

/* Tests the short text [s, end), and finds what is in its members. Returns 0 if it must be read by vectors. */
FL_INLINE int json_locate_short(struct json_reader *r, const char *s, const char *end, const struct json_reading *how) {
  struct json_member items[JSON_LOCATE_MEMBERS];
  struct json_members k;
  if (end - s > JSON_MEMBERS_BYTES || how->cpu & JSON_INDEX_BLOCKS) return 0;
  k.items = items;
  k.room = JSON_LOCATE_MEMBERS;
  k.is_short = 0;
  if (!json_read_members(&k, s, end, how->max_depth, how->cpu) || k.lost) return 0;
  return json_locate_among(r, s, &k);
}

/* Prepares to find goals[0..count). */
FL_INLINE void json_locate_begin(struct json_reader *r, const struct json_goal *goals, uint32_t count,
                                 struct json_goal_state *states, struct json_slice *found, unsigned flags) {
  for (uint32_t g = 0; g < count; g++) {
    states[g].begin = found[g].begin = found[g].end = NULL;
    states[g].again = JSON_AGAIN_NO;
    states[g].is_shared = 0;
    for (uint32_t c = goals[g].first; c < goals[g].first + goals[g].count; c++) states[c].parent = g;
  }
  r->goals = goals;
  r->states = states;
  r->found = found;
  r->flags = flags;
  r->each = NULL;
}

/* Like json_index_pass, from p on, where the reader is in so many containers. */
static int json_index_resume(struct json_reader *r, const char *p, const char *end, uint32_t depth,
                             const struct json_reading *how) {
  const struct json_index_functions functions = json_index_pick(how->cpu);
  struct json_carry carry;
  memset(&carry, 0, sizeof carry);
  carry.depth = depth;
  r->carry = &carry;
  r->end = end;
  r->continues = 1;
  return functions.pass(r, p, end) != NULL;
}

enum { JSON_LOCATE_EARLY = 192, JSON_EARLY_LIST = 64 }; /* bytes that json_locate_early reads, in all and of a list */

/* Returns the first quote or backslash from p on; `stop` or beyond it if there is none. */
FL_INLINE const char *json_early_quote(const char *p, const char *stop) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  for (; !FLEECE_BIG_ENDIAN && stop - p >= 8; p += 8) {
    const uint64_t x = fl_load64(p) ^ ones * '"', y = fl_load64(p) ^ ones * '\\';
    const uint64_t zeros = (((x - ones) & ~x) | ((y - ones) & ~y)) & ones << 7;
    if (zeros) return p + fl_trailing_zeros(zeros) / 8;
  }
  while (p < stop && *p != '"' && *p != '\\') p++;
  return p;
}

/* Returns the byte after the string or other scalar at p, or NULL if that is not before `stop`. */
FL_INLINE const char *json_early_scalar(const char *p, const char *stop) {
  const char *const from = p;
  if (*p == '"') {
    for (p = json_early_quote(p + 1, stop); p < stop && *p != '"';) p = json_early_quote(p + 2, stop);
    p++;
  } else {
    while (p < stop && (json_is_digit(*p) || json_is_letter(*p) || *p == '-' || *p == '.' || *p == '+')) p++;
  }
  return p > from && p < stop ? p : NULL;
}

/* The same of a short array or object. */
static const char *json_early_list(const char *p, const char *stop) {
  uint32_t depth = 0;
  if (stop - p > JSON_EARLY_LIST) stop = p + JSON_EARLY_LIST;
  for (; p < stop; p++) {
    if (*p == '"') {
      for (p = json_early_quote(p + 1, stop); p < stop && *p != '"';) p = json_early_quote(p + 2, stop);
    } else if ((*p | 0x20) == '{') {
      depth++;
    } else if ((*p | 0x20) == '}' && --depth == 0) {
      return p + 1 < stop ? p + 1 : NULL;
    } else if (*p == '\\') {
      return NULL;
    }
  }
  return NULL;
}

/* Returns the first byte from p on that is not blank, or `stop`: what is there may not be readable. */
FL_INLINE const char *json_early_space(const char *p, const char *stop) {
  while (p < stop && json_is_blank(*p)) p++;
  return p;
}

/* Finds members at the beginning of an object, in which they follow scalars and short lists, without tokens of blocks.
** Returns 1 if everything is found; 0 if the reader was prepared to continue at *at, in *depth containers; -1 if the
** text must be read from its beginning. */
static int json_locate_early(struct json_reader *r, const char *s, const char *end, const char **at, uint32_t *depth) {
  const char *p = s, *const stop = end - s > JSON_LOCATE_EARLY ? s + JSON_LOCATE_EARLY : end;
  const struct json_goal *const goals = r->goals;
  uint32_t c = 0;
  if (*s != '{' || goals[0].wanted) return -1;
  r->root = r->goal = r->watched = 0;
  for (;;) {
    const struct json_goal *g = &goals[r->goal = c];
    struct json_goal_state *state = &r->states[c];
    *depth = ++r->watched;
    state->items = -1;
    state->left = 0;
    for (c = g->first; c < g->first + g->count; c++) state->left += goals[c].step.name != NULL;
    if (!state->left) return -1;
    c = 0;
    for (p = json_early_space(p + 1, stop); !c; p = json_early_space(p + 1, stop)) {
      const char *const name = p + 1;
      r->child = 0;
      r->next = INT64_MAX;
      r->expects = JSON_READER_BEGIN;
      *at = p;
      if (p >= stop) return 0;
      if (*p != '"') return -1;
      if ((p = json_early_quote(name, stop)) >= stop || *p != '"') return 0;
      const size_t n = (size_t)(p - name);
      p = json_early_space(p + 1, stop);
      if (p >= stop) return 0;
      if (*p != ':') return -1;
      p = json_early_space(p + 1, stop);
      if (p >= stop) return 0;
      if (g->lengths >> n % 64 & 1) {
        c = json_first_child(goals, g, name, n);
        if (c == g->first + g->count || r->found[c].begin) c = 0;
        else if (json_next_child(goals, g, c, name, n) < g->first + g->count) return 0;
      }
      if (c && goals[c].count && (*p | 0x20) == '{') {
        if (*p == '[' || goals[c].wanted) return 0;
        state->left--;
        r->found[c].begin = r->states[c].begin = p;
        break;
      }
      const char *const value = p;
      p = (*p | 0x20) == '{' ? json_early_list(p, stop) : json_early_scalar(p, stop);
      if (!p) return 0;
      if (c) {
        state->left--;
        r->found[c].begin = value;
        r->found[c].end = p;
        c = 0;
      }
      p = json_early_space(p, stop);
      while (p < stop && *p == '}' && state->left) { /* what is missing is not there */
        if (r->goal == 0) return 1;
        r->goal = r->states[r->goal].parent;
        *depth = --r->watched;
        g = &goals[r->goal];
        state = &r->states[r->goal];
        p = json_early_space(p + 1, stop);
      }
      if (p >= stop || (*p != ',' && *p != '}')) return -1;
      if (!state->left) {
        r->expects = JSON_READER_NEXT;
        *at = p;
        for (; !r->states[r->goal].left; r->watched--) {
          if (r->goal == 0) return 1;
          r->goal = r->states[r->goal].parent;
        }
        return 0;
      }
    }
  }
}

/* Reads values again: for items counted from the end, and for goals that share a value with another. Parents come
** before their children. Returns 0 if the text is invalid. */
FL_INLINE int json_locate_again(struct json_reader *r, uint32_t count, unsigned cpu, json_release_fn release) {
  struct json_goal_state *const states = r->states;
  struct json_slice *const found = r->found;
  for (uint32_t g = 0; g < count; g++) {
    if (g && !(r->flags & JSON_LOCATE_FIRST) && found[g].begin &&
        !json_index_counts(&found[g], &found[states[g].parent]))
      found[g].begin = NULL;
    while (found[g].begin && states[g].again != JSON_AGAIN_NO) {
      const uint32_t why = states[g].again;
      if ((*found[g].begin | 0x20) != '{') break;
      if (json_reader_begin(r, g, found[g].begin) != JSON_READER_DONE &&
          !json_index_pass(r, found[g].begin, found[g].end, cpu, release))
        return 0;
      if (states[g].again == why) states[g].again = JSON_AGAIN_NO;
    }
  }
  return 1;
}

FL_PRIVATE int json_locate(const struct json_goal *goals, uint32_t count, struct json_goal_state *states,
                           struct json_slice *found, const char *s, size_t n, const struct json_reading *how) {
  const char *end = s + n;
  struct json_reader r;
  if (!json_index_trim(&s, &end)) return 0;
  json_locate_begin(&r, goals, count, states, found, how->flags);
  found[0].begin = s;
  found[0].end = end;
  if (!(how->flags & JSON_LOCATE_TEST)) {
    if ((how->flags & JSON_LOCATE_FIRST) && !how->release && !(how->cpu & JSON_INDEX_BLOCKS)) {
      const char *at;
      uint32_t depth;
      const int is_found = json_locate_early(&r, s, end, &at, &depth);
      if (is_found > 0) return 1;
      if (is_found == 0)
        return json_index_resume(&r, at, end, depth, how) && json_locate_again(&r, count, how->cpu, how->release);
      json_locate_begin(&r, goals, count, states, found, how->flags);
      found[0].begin = s;
      found[0].end = end;
    }
    if (json_reader_begin(&r, 0, s) != JSON_READER_DONE && !json_index_pass(&r, s, end, how->cpu, how->release))
      return 0;
  } else if (!json_locate_short(&r, s, end, how)) {
    (void)json_reader_begin(&r, 0, s);
    if (!json_index_test(&r, s, end, how)) return 0;
  }
  return json_locate_again(&r, count, how->cpu, how->release);
}

FL_PRIVATE const char *json_locate_value(const struct json_goal *goals, uint32_t count, struct json_goal_state *states,
                                         struct json_slice *found, const char *p, const char *end, unsigned flags,
                                         unsigned cpu) {
  const char *after = p;
  struct json_reader r;
  json_locate_begin(&r, goals, count, states, found, flags);
  if ((*p | 0x20) == '{' && json_reader_begin(&r, 0, p) != JSON_READER_DONE &&
      !(after = json_index_pass(&r, p, end, cpu, NULL)))
    return end;
  if (after == p) after = json_after_value(p, end, cpu, NULL);
  found[0].begin = p;
  found[0].end = after;
  (void)json_locate_again(&r, count, cpu, NULL);
  return after;
}

FL_PRIVATE int json_locate_each(const struct json_goal *goals, uint32_t count, uint32_t goal,
                                struct json_goal_state *states, struct json_slice *found, const char *s,
                                const char *end, unsigned flags, unsigned cpu, json_each_fn each, void *owner) {
  struct json_reader r;
  json_locate_begin(&r, goals, count, states, found, flags);
  r.each = each;
  r.owner = owner;
  r.each_goal = goal;
  found[0].begin = s;
  found[0].end = end;
  (void)json_reader_begin(&r, 0, s);
  return json_index_pass(&r, s, end, cpu, NULL) != NULL;
}
