/* SPDX-License-Identifier: MIT
** body.h -- template: the loop of the raw encoder, for instances without vectors of 32 bytes; how it pauses, and finds
** out whether it may continue.
** Must hold: as open.h. Between a pause and the next step the tables may change in any way, but stay alive; all that
** the walk knew about them is looked up again.
** Parameter: LAYOUT, the prefix of the layout's readers. paste_body.h includes it once for each. */
#define LAY(name) FL_PASTE(LAYOUT, name)

/* The type of functions like encode_open in the instances of the loop: `shaped` is the shape's own function, or
** NULL. */
typedef enum encode_result (*LAY(encode_shaped))(struct encode_state *c, const char *t, struct encode_opened *f);

/* Reads the key at the position of a frame; sets *s to the text of a string. Returns 0 if it is not a string or
** number. */
FL_FUNC int LAY(encode_key_at)(const struct encode_frame *frame, struct encode_key *key, const char **s) {
  struct lay_value k;
  memset(key, 0, sizeof *key);
  if (frame->i == frame->list_start) return 1;
  k = LAY(node_key)(frame->base + frame->i - LAY(node_bytes));
  if (LAY(is_string)(k)) key->type = ENCODE_KEY_STRING, *s = LAY(string)(k, &key->length);
  else if (LAY(is_integer)(k)) key->type = ENCODE_KEY_INTEGER, key->integer = LAY(integer)(k);
  else if (LAY(is_float)(k)) key->type = ENCODE_KEY_FLOAT, key->number = LAY(number)(k);
  else return 0; /* skip_unsupported has left it out */
  return 1;
}

/* Returns the last power of two that is not above the depth. */
FL_NOINLINE FL_COLD size_t LAY(encode_tortoise_depth)(size_t depth) {
  size_t power = 1;
  while (2 * power <= depth) power *= 2;
  return power;
}

/* The sink has failed; or the buffer is full, before value `i` of table number `depth`: then the walk pauses. */
FL_NOINLINE FL_COLD enum encode_result LAY(encode_pause_)(struct encode_state *c, size_t depth, size_t i) {
  struct buffer *b = &c->out.buffer;
  struct encode_key key;
  const char *text = NULL;
  size_t k, bytes = 0;
  char *w;
  if (!b->full) return ENCODE_SINK;
  c->finish = b->begin + b->full;
  if (depth > c->pause_depth) return ENCODE_SINK;
  c->frames[depth - 1].i = i;
  for (k = 0; k < depth; k++) {
    if (c->frames[k].kind != ENCODE_NODES) continue;
    if (!LAY(encode_key_at)(&c->frames[k], &key, &text) || key.length > b->soft) return ENCODE_SINK;
    bytes += sizeof key + key.length;
    if (bytes > b->soft) return ENCODE_SINK;
  }
  w = buf_reserve(b, c->finish, bytes + 1); /* with 0 bytes it would refuse */
  if (!w) return ENCODE_MEMORY;
  c->finish = w;
  c->paused = depth;
  for (k = 0; k < depth; k++) {
    if (c->frames[k].kind != ENCODE_NODES) continue;
    (void)LAY(encode_key_at)(&c->frames[k], &key, &text);
    memcpy(w, &key, sizeof key);
    if (key.length) memcpy(w + sizeof key, text, key.length);
    w += sizeof key + key.length;
  }
  return ENCODE_PAUSED;
}

/* Returns whether the arrays and nodes of the open tables are where they were. */
FL_NOINLINE FL_COLD int LAY(encode_may_resume_)(const struct encode_state *c) {
  size_t k;
  for (k = 0; k < c->paused; k++) {
    const struct encode_frame *frame = &c->frames[k];
    if (frame->kind == ENCODE_ITEMS) {
      if (LAY(array)(frame->table) != frame->base || LAY(array_size)(frame->table) < frame->n) return 0;
    } else if (LAY(nodes)(frame->table) != frame->base || LAY(node_count)(frame->table) * LAY(node_bytes) != frame->n) {
      return 0;
    }
  }
  return 1;
}

#define ENCODE_BODY LAY(encode_body)
#define ENCODE_PUT_STRING json_put_string
#define ENCODE_TARGET
#define ENCODE_PUT_DOUBLE json_write_double
#define ENCODE_PUT_ROUNDED json_write_rounded
#include "loop.h"

#undef LAY
