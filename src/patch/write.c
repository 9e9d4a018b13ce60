/* SPDX-License-Identifier: MIT
** write.c -- the text of a JSON Patch.
** Must hold: as texts.h. */
#include "../number/integer.h"
#include "texts.h"

#define PATCH_TEXT_OP "{\"op\":\""
#define PATCH_TEXT_PATH "\",\"path\":\""
#define PATCH_TEXT_VALUE ",\"value\":"

/* Length of an operation without its word, pointer and value: the two texts, quote, bracket and comma. */
enum { PATCH_OPERATION = sizeof PATCH_TEXT_OP + sizeof PATCH_TEXT_PATH - 2 + 3 };

/* The letter after the backslash of a control character; 'u': four digits follow. */
static const char patch_letters[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

FL_PRIVATE size_t patch_operation_size(enum patch_kind_of_operation is, const struct patch_step *at,
                                       const struct patch_value *value) {
  return PATCH_OPERATION + strlen(patch_words[is]) + (at ? at->length : 0) +
         (value ? sizeof PATCH_TEXT_VALUE - 1 + value->size : 0);
}

FL_PRIVATE size_t patch_escaped_length(const char *s, size_t n, int in_pointer) {
  size_t length = 0, i;
  for (i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (c < 0x20) length += patch_letters[c] == 'u' ? 6 : 2;
    else length += 1u + (c == '"' || c == '\\' || (in_pointer && (c == '~' || c == '/')));
  }
  return length;
}

static char *patch_write_escaped(char *w, const char *s, size_t n, int in_pointer) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (c < 0x20) {
      *w++ = '\\';
      *w++ = patch_letters[c];
      if (patch_letters[c] != 'u') continue;
      memcpy(w, "00", 2);
      w[2] = digits[c >> 4];
      w[3] = digits[c & 15];
      w += 4;
    } else if (in_pointer && (c == '~' || c == '/')) {
      *w++ = '~';
      *w++ = c == '~' ? '0' : '1';
    } else {
      if (c == '"' || c == '\\') *w++ = '\\';
      *w++ = (char)c;
    }
  }
  return w;
}

FL_PRIVATE char *patch_write_name(char *w, const char *s, size_t n) {
  *w++ = '"';
  w = patch_write_escaped(w, s, n, 0);
  *w++ = '"';
  return w;
}

FL_PRIVATE int patch_keep_name(struct json_edit *e, const char *s, size_t n, struct json_slice *to) {
  char *w = (char *)json_edit_memory(e, patch_escaped_length(s, n, 0) + 3);
  if (!w) return 0;
  *to = json_slice_of(w, patch_write_name(w, s, n));
  w[to->end - w] = 0;
  return 1;
}

FL_PRIVATE char *patch_write_value(char *w, const struct patch_value *v) {
  const char *p = v->begin, *end = v->end;
  if (!patch_is_container(v)) {
    memcpy(w, p, (size_t)(end - p));
    return w + (end - p);
  }
  while (p < end) {
    const char *from = p;
    if (json_is_blank(*p)) {
      p++;
      continue;
    }
    if (*p++ == '"') {
      while (*p != '"') p += 1 + (*p == '\\');
      p++;
    }
    memcpy(w, from, (size_t)(p - from));
    w += p - from;
  }
  return w;
}

/* Writes the pointer from its end to its beginning, since its length is known. */
static char *patch_write_pointer(char *w, const struct patch_step *at) {
  char *const end = w + (at ? at->length : 0);
  char digits[NUM_ROOM];
  for (; at; at = at->up) {
    char *to = w + (at->up ? at->up->length : 0);
    *to++ = '/';
    if (at->name) (void)patch_write_escaped(to, at->name, at->n, 1);
    else memcpy(to, digits, (size_t)(num_write_u64(digits, at->index) - digits));
  }
  return end;
}

FL_PRIVATE char *patch_write(const struct patch_diff *d, char *w) {
  *w++ = '[';
  for (const struct patch_change *c = d->changes.first; c; c = c->next) {
    const char *word = patch_words[c->is];
    memcpy(w, PATCH_TEXT_OP, sizeof PATCH_TEXT_OP - 1);
    w += sizeof PATCH_TEXT_OP - 1;
    while (*word) *w++ = *word++;
    memcpy(w, PATCH_TEXT_PATH, sizeof PATCH_TEXT_PATH - 1);
    w = patch_write_pointer(w + sizeof PATCH_TEXT_PATH - 1, c->at);
    *w++ = '"';
    if (c->value) {
      memcpy(w, PATCH_TEXT_VALUE, sizeof PATCH_TEXT_VALUE - 1);
      w = patch_write_value(w + sizeof PATCH_TEXT_VALUE - 1, c->value);
    }
    *w++ = '}';
    if (c->next) *w++ = ',';
  }
  *w++ = ']';
  return w;
}
