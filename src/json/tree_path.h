/* SPDX-License-Identifier: MIT
** tree_path.h -- JSON Pointers (RFC 6901) into a tree; finding a value, and making one with all that leads to it.
** May call: json/tree.h, json/check_string.h, number/index.h, text/utf8.h.
** Must hold: what tree_create_room says is there before tree_create, which moves no block. */
#ifndef FLEECE_JSON_TREE_PATH_H
#define FLEECE_JSON_TREE_PATH_H

#include "../number/index.h"
#include "../text/utf8.h"
#include "check_string.h"
#include "tree.h"

#define TREE_NO_INDEX UINT32_MAX

enum { TREE_FILL_MOST = 1 << 24 }; /* values that one tree_create may make */

struct tree_token {
  const char *name;
  size_t n;
  uint32_t index; /* that the name is, or TREE_NO_INDEX */
};

/* ------------------------------------------------------------------------------------- pointers */

/* TREE_NO_INDEX: it is none. */
FL_FUNC uint32_t tree_index(const char *s, size_t n) {
  uint64_t index;
  return num_read_index(s, n, &index) && index < TREE_NO_INDEX ? (uint32_t)index : TREE_NO_INDEX;
}

/* The characters of a URI fragment that need no percent sign: "unreserved" of RFC 3986, section 2.3. */
FL_FUNC int tree_is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

/* The byte at *p, behind which *p goes; -1: it may not stand there. */
FL_FUNC int tree_pointer_byte(const char **p, const char *end, int fragment) {
  const char *at = *p;
  int high, low;
  *p = at + 1;
  if (!fragment || tree_is_unreserved(*at)) return (unsigned char)*at;
  if (*at != '%' || end - at < 3) return -1;
  high = json_check_hex_digit(at[1]);
  low = json_check_hex_digit(at[2]);
  *p = at + 3;
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

/* How many tokens a pointer has at most. */
FL_FUNC size_t tree_pointer_tokens(const char *s, size_t n) {
  size_t i, count = 0;
  for (i = 0; i < n; i++) count += s[i] == '/';
  return count;
}

/* Reads a pointer, as text or, with a # in front, as a URI fragment: its tokens, whose names go to `w`, which has
** room for n bytes. False: it is none. */
FL_FUNC int tree_read_pointer(const char *s, size_t n, struct tree_token *tokens, char *w, size_t *count) {
  const char *p = s, *end = s + n;
  const int fragment = n > 0 && *p == '#';
  p += fragment;
  *count = 0;
  if (p < end && *p != '/') return 0;
  while (p < end) {
    struct tree_token *t = &tokens[(*count)++];
    t->name = w;
    for (p++; p < end && *p != '/';) {
      int c = tree_pointer_byte(&p, end, fragment);
      if (c == '~') {
        c = p < end ? tree_pointer_byte(&p, end, fragment) : -1;
        c = c == '0' ? '~' : c == '1' ? '/' : -1;
      }
      if (c < 0) return 0;
      *w++ = (char)c;
    }
    t->n = (size_t)(w - t->name);
    if (fragment && text_utf8_valid(t->name, t->n) < t->n) return 0; /* a percent sign stands for a byte of UTF-8 */
    t->index = tree_index(t->name, t->n);
  }
  return 1;
}

/* ------------------------------------------------------------------------------------- values */

/* The value that one token leads to, or NULL. */
FL_FUNC struct tree_value *tree_step(const struct tree_value *v, const struct tree_token *t) {
  if (tree_type(v) == TREE_OBJECT) return tree_member(v, t->name, t->n);
  return tree_type(v) == TREE_ARRAY && t->index < tree_length(v) ? tree_items(v) + t->index : NULL;
}

/* The value that the tokens lead to, or NULL. */
FL_FUNC struct tree_value *tree_find(struct tree_value *v, const struct tree_token *t, size_t count) {
  for (; v && count > 0; t++, count--) v = tree_step(v, t);
  return v;
}

/* What must be done where a token leads to nothing yet. */
enum tree_making { TREE_APPEND_ITEM, TREE_APPEND_MEMBER, TREE_FILL_ARRAY, TREE_NEW_OBJECT, TREE_NEW_ARRAY };

/* NULL: a value that is to be made. */
FL_FUNC enum tree_making tree_making(const struct tree_value *v, const struct tree_token *t) {
  if (v && tree_type(v) == TREE_ARRAY && t->n == 1 && *t->name == '-') return TREE_APPEND_ITEM;
  if (v && tree_type(v) == TREE_OBJECT) return TREE_APPEND_MEMBER;
  if (t->index == TREE_NO_INDEX) return TREE_NEW_OBJECT;
  return v && tree_type(v) == TREE_ARRAY ? TREE_FILL_ARRAY : TREE_NEW_ARRAY;
}

/* How many values the items of a container have room for: it is written before them. */
FL_FUNC size_t tree_capacity(const struct tree_value *v) {
  return (size_t)((const uint64_t *)(const void *)tree_items(v))[-1];
}

/* The capacity that a container gets which is to have `count` values. */
FL_FUNC size_t tree_wider(size_t capacity, size_t count) {
  if (count <= capacity) return capacity;
  return count > 2 * capacity ? (count > 4 ? count : 4) : 2 * capacity;
}

/* How many values it is to have, where `old` are. */
FL_FUNC size_t tree_wanted(enum tree_making making, const struct tree_token *t, size_t old) {
  switch (making) {
  case TREE_APPEND_ITEM: return old + 1;
  case TREE_APPEND_MEMBER: return old + 2;
  case TREE_NEW_OBJECT: return 2;
  default: return (size_t)t->index + 1;
  }
}

/* The bytes that tree_create takes at most; SIZE_MAX: that would be too many values. */
FL_FUNC size_t tree_create_room(struct tree_value *v, const struct tree_token *t, size_t count) {
  size_t need = 0, made = 0;
  for (; count > 0; t++, count--) {
    struct tree_value *next = v ? tree_step(v, t) : NULL;
    if (!next) {
      const enum tree_making making = tree_making(v, t);
      const int is_new = making >= TREE_NEW_OBJECT;
      const size_t old = is_new ? 0 : tree_count(v), wanted = tree_wanted(making, t, old);
      const size_t capacity = tree_wider(is_new ? 0 : tree_capacity(v), wanted);
      made += wanted - old;
      if (made > TREE_FILL_MOST || capacity > SIZE_MAX / 64 || need > SIZE_MAX / 4) return SIZE_MAX;
      need += sizeof(uint64_t) + capacity * TREE_VALUE + tree_rounded(t->n);
    }
    v = next;
  }
  return need;
}

/* Gives a container of `old` values room for `count`. */
FL_FUNC void tree_widen(struct tree *tree, struct tree_value *v, int is_new, size_t old, size_t count) {
  const size_t now = is_new ? 0 : tree_capacity(v), capacity = tree_wider(now, count);
  struct tree_value *from, *to;
  size_t i;
  if (!is_new && capacity == now) return;
  from = is_new ? NULL : tree_items(v);
  *(uint64_t *)(void *)tree_take(tree, sizeof(uint64_t)) = capacity;
  to = (struct tree_value *)(void *)tree_take(tree, capacity * TREE_VALUE);
  for (i = 0; i < old; i++) tree_move(&to[i], &from[i]);
  tree_point(v, to);
}

/* Makes what the token leads to, which is not there yet: null. What is no container that may have it becomes one. */
FL_FUNC struct tree_value *tree_make(struct tree *tree, struct tree_value *v, const struct tree_token *t) {
  const enum tree_making making = tree_making(v, t);
  const int is_new = making >= TREE_NEW_OBJECT;
  const int is_object = making == TREE_NEW_OBJECT || making == TREE_APPEND_MEMBER;
  size_t old = is_new ? 0 : tree_count(v), count = tree_wanted(making, t, old);
  struct tree_value *items;
  tree_widen(tree, v, is_new, old, count);
  tree_set_head(v, is_object ? TREE_OBJECT : TREE_ARRAY, is_object ? count / 2 : count);
  items = tree_items(v);
  for (; old < count; old++) tree_set_head(&items[old], TREE_NULL, 0);
  if (is_object) tree_put_string(tree, &items[count - 2], t->name, t->n);
  return &items[count - 1];
}

FL_FUNC struct tree_value *tree_create(struct tree *tree, const struct tree_token *t, size_t count) {
  struct tree_value *v = (struct tree_value *)(void *)tree->begin;
  for (; count > 0; t++, count--) {
    struct tree_value *next = tree_step(v, t);
    v = next ? next : tree_make(tree, v, t);
  }
  return v;
}

#endif
