/* SPDX-License-Identifier: MIT */
#include "state.h"

FL_PRIVATE enum table_class encode_class_of(const struct known_metatables *marks, const void *metatable) {
  for (int i = 0; i < KNOWN_METATABLES; i++)
    if ((const void *)marks->metatable[i] == metatable) return marks->mark[i];
  return ENCODE_PLAIN;
}

FL_PRIVATE_NOINLINE int encode_grow_(struct encode_state *c, void **array, size_t *room, size_t need, size_t first,
                                     size_t member) {
  const struct buffer *b = &c->out.buffer;
  size_t more = *room ? *room : first;
  FL_ASSERT(need > *room && (*array != NULL) == (*room != 0));
  while (more < need) {
    if (more > SIZE_MAX / 4 / member) return 0;
    more *= 2;
  }
  void *block = b->alloc(b->alloc_ud, *array, *room * member, more * member);
  if (!block) return 0;
  *array = block;
  *room = more;
  return 1;
}

FL_PRIVATE void encode_trim(struct encode_state *c, size_t buffer_keep) {
  struct buffer *b = &c->out.buffer;
  if (buf_capacity(b) > buffer_keep) buf_free(b);
  if (c->frame_room > (buffer_keep ? ENCODE_FRAMES_FIRST : 0)) {
    b->alloc(b->alloc_ud, c->frames, c->frame_room * sizeof *c->frames, 0);
    c->frames = NULL;
    c->frame_room = 0;
  }
  if (c->list_room > (buffer_keep ? ENCODE_LIST_FIRST : 0)) {
    b->alloc(b->alloc_ud, c->list, c->list_room * sizeof *c->list, 0);
    c->list = NULL;
    c->list_room = 0;
  }
  if (c->changed_room > (buffer_keep ? ENCODE_CHANGED_FIRST : 0)) {
    b->alloc(b->alloc_ud, c->changed, c->changed_room * sizeof *c->changed, 0);
    c->changed = NULL;
    c->changed_room = c->changed_length = 0;
  }
}

FL_PRIVATE enum table_class encode_field_class(const struct encode_field_rule *rule, const char *name, size_t n,
                                               const char *text, size_t text_length) {
  for (; rule->name; rule++) {
    if (n != rule->length || memcmp(name, rule->name, n) != 0) continue;
    if (!rule->value) return rule->is;
    if (!text) continue;
    if (!*rule->value || (strlen(rule->value) == text_length && memcmp(text, rule->value, text_length) == 0))
      return rule->is;
  }
  return ENCODE_PLAIN;
}

FL_PRIVATE const char *encode_message(enum fl_error error) {
  static const char *const messages[] = {
#define X(code, kind, message) message,
      FL_ERRORS(X)
#undef X
  };
  return messages[error];
}

FL_PRIVATE enum fl_kind encode_kind(enum fl_error error) {
  static const unsigned char kinds[] = {FL_ERRORS(FL_KIND_OF)};
  return (enum fl_kind)kinds[error];
}
