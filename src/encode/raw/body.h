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

/* Does a pause store the key that the frame is at? Indexes follow from the position. */
FL_INLINE int LAY(encode_has_key)(const struct encode_frame *frame) {
  return frame->kind == ENCODE_NODES || frame->kind == ENCODE_LIST_OBJECT;
}

/* Reads the key at the position of a frame. False: it is no string or number. */
FL_FUNC int LAY(encode_key_at)(const struct encode_state *c, const struct encode_frame *frame, struct encode_key *key) {
  struct lay_value k;
  memset(key, 0, sizeof *key);
  if (frame->i == frame->list_start) return 1;
  k = frame->kind == ENCODE_NODES ? LAY(node_key)(frame->base + frame->i - LAY(node_bytes)) : c->list[frame->i - 1].key;
  if (LAY(is_string)(k)) key->type = ENCODE_KEY_STRING, key->text = LAY(string)(k, &key->length);
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

/* Ends a step whose text ends at c->finish with `depth` open tables, each at its frame's i. ENCODE_SINK: the keys that
** lead to this place cannot be stored. */
FL_FUNC enum encode_result LAY(encode_leave)(struct encode_state *c, size_t depth) {
  struct buffer *b = &c->out.buffer;
  struct encode_key key;
  size_t k, bytes = 0;
  for (k = 0; k < depth; k++) {
    if (!LAY(encode_has_key)(&c->frames[k])) continue;
    if (!LAY(encode_key_at)(c, &c->frames[k], &key)) return ENCODE_SINK;
    bytes += sizeof key + key.length;
    if (key.length > ENCODE_KEY_MOST || (b->soft && bytes > b->soft)) return ENCODE_SINK;
  }
  char *w = buf_reserve(b, c->finish, bytes + 1); /* for 0 bytes it would refuse */
  if (!w) return b->refused ? ENCODE_SINK : ENCODE_MEMORY;
  c->finish = w;
  c->paused = depth;
  for (k = 0; k < depth; k++) {
    if (!LAY(encode_has_key)(&c->frames[k])) continue;
    (void)LAY(encode_key_at)(c, &c->frames[k], &key);
    memcpy(w, &key, sizeof key);
    if (key.length) memcpy(w + sizeof key, key.text, key.length);
    w += sizeof key + key.length;
  }
  return ENCODE_PAUSED;
}

/* The sink has failed; or the buffer is full, in front of value `i` of table number `depth`: then the walk pauses. */
FL_NOINLINE FL_COLD enum encode_result LAY(encode_pause_)(struct encode_state *c, size_t depth, size_t i) {
  struct buffer *b = &c->out.buffer;
  if (!b->full) return ENCODE_SINK;
  c->finish = b->begin + b->full;
  if (!c->pauses) return ENCODE_SINK;
  c->frames[depth - 1].i = i;
  c->stopped = 0;
  return LAY(encode_leave)(c, depth);
}

/* The value that table number `depth` is at needs the public API: the walk pauses in front of it if it may. */
FL_NOINLINE FL_COLD enum encode_result LAY(encode_stop_)(struct encode_state *c, size_t depth) {
  const struct encode_policy *policy = c->policy;
  char *const finish = c->finish;
  if (depth == 0 || !c->pauses || policy->ops || policy->rules->errors != ENCODE_ERRORS_WITH_PATH) return ENCODE_REDO;
  if (c->unknown_metatable || c->boxes == ENCODE_BOXES_MET) return ENCODE_REDO;
  for (size_t k = 0; k < depth; k++)
    if (c->frames[k].kind >= ENCODE_LIST_ARRAY && c->orders->used) return ENCODE_REDO;
  c->stopped = 1;
  if (LAY(encode_leave)(c, depth) == ENCODE_PAUSED) return ENCODE_PAUSED;
  c->finish = finish;
  return ENCODE_REDO;
}

/* After the last pair that was taken from c->pairs, which has more. */
FL_NOINLINE FL_COLD enum encode_result LAY(encode_pause_pairs_)(struct encode_state *c, char *w) {
  c->finish = w;
  c->frames[0].i = c->frames[0].n;
  c->stopped = 0;
  return LAY(encode_leave)(c, 1) == ENCODE_PAUSED ? ENCODE_PAUSED : ENCODE_REDO;
}

/* Takes the next pairs from c->pairs. */
FL_FUNC int LAY(encode_take_pairs)(struct encode_state *c) {
  struct encode_frame *frame = &c->frames[0];
  const size_t n = frame->n - c->pairs_at < c->pairs_most ? frame->n - c->pairs_at : c->pairs_most;
  const char *array = LAY(array)(c->pairs);
  if (LAY(array_size)(c->pairs) < 2 * (c->pairs_at + n) || !encode_need_list(c, n)) return 0;
  for (size_t i = 0; i < n; i++) {
    c->list[i].key = LAY(array_item)(array, 2 * (c->pairs_at + i));
    c->list[i].value = LAY(array_item)(array, 2 * (c->pairs_at + i) + 1);
  }
  c->more = frame->n - c->pairs_at > n;
  c->list_length = n;
  frame->list_start = frame->i = 0, frame->n = n;
  return 1;
}

/* Is a table that the walk was in as it was? Its array or nodes must lie where they did, and the key, which is alive,
** where the walk had met it: Lua moves a key to another node when a new one takes its place. An array without a base
** is one that the walk has not seen. */
FL_NOINLINE FL_COLD int LAY(encode_may_resume_)(struct encode_state *c) {
  struct encode_frame *frame = &c->frames[0];
  const struct encode_key *was = &c->at;
  struct encode_key key;
  FL_ASSERT(c->paused == 1);
  if (frame->kind == ENCODE_LIST_OBJECT) return LAY(encode_take_pairs)(c);
  if (frame->kind == ENCODE_ITEMS) {
    if (!frame->base) frame->base = LAY(array)(frame->table);
    return LAY(array)(frame->table) == frame->base && LAY(array_size)(frame->table) >= frame->n;
  }
  if (LAY(nodes)(frame->table) != frame->base || LAY(node_count)(frame->table) * LAY(node_bytes) != frame->n) return 0;
  if (was->type == ENCODE_KEY_NONE) return 1;
  if (LAY(node_is_nil)(frame->base + frame->i - LAY(node_bytes))) return 0; /* its key may be no object any more */
  return LAY(encode_key_at)(c, frame, &key) && key.type == was->type && key.text == was->text &&
         key.integer == was->integer && key.number == was->number;
}

#define ENCODE_BODY LAY(encode_body)
#define ENCODE_PUT_STRING json_put_string
#define ENCODE_TARGET
#define ENCODE_PUT_DOUBLE json_write_double
#define ENCODE_PUT_ROUNDED json_write_rounded
#include "loop.h"

#undef LAY
