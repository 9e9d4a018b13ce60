/* SPDX-License-Identifier: MIT
** state.h -- the state of the raw encoder: open containers, collected pairs, metatables and what they mean.
** Must hold: no lua_* call between the first and the last step of a walk; memory belongs to the owner, reached
** through the allocator of `out`. */
#pragma once

#include "../json/write/write.h"
#include "../layout/value.h"
#include "order_slots.h"
#include "ranks.h"
#include "../lua/options/rules.h"

/* REDO: the public-API encoder has to do the whole value: it needs a call (a hook), or it is an error, which only that
** encoder words. No Lua code has run, so the restart costs nothing but time. What a sink got by then has to come again
** (encode/face/sink.h); that is why no raw walk writes to a sink itself where there is an on_error handler. PAUSED: the
** raw encoder may go on when the public API has written one value (face/mixed.h). CHANGED: done, and there are tables
** with other names than their order has; their owner calls order_update (order.h), since only Lua can store lists. */
enum encode_result { ENCODE_DONE, ENCODE_REDO, ENCODE_MEMORY, ENCODE_SINK, ENCODE_PAUSED, ENCODE_CHANGED };

/* How an instance writes doubles: shortest; rounded to the style's digits; like json_write_double_styled, with all
** options; like num_write_ecma. */
enum encode_numbers { ENCODE_NUM_SHORTEST, ENCODE_NUM_ROUNDED, ENCODE_NUM_STYLED, ENCODE_NUM_ECMA };

/* LuaJIT: whether the layout of boxed 64-bit integers is proven. While that is unknown, the first one ends the walk as
** MET; the owner then has it proven, and the walk begins again. */
enum encode_boxes { ENCODE_BOXES_UNKNOWN, ENCODE_BOXES_MET, ENCODE_BOXES_PROVEN, ENCODE_BOXES_OTHER };

enum encode_kind { ENCODE_ITEMS, ENCODE_NODES, ENCODE_LIST_ARRAY, ENCODE_LIST_OBJECT };

/* What a table turns out to be before anything of it is written. */
enum encode_filled { ENCODE_FILLED, ENCODE_EMPTY, ENCODE_IS_NULL };

struct encode_opened {
  enum encode_kind kind;
  const char *base; /* as in encode_frame */
  size_t i, n;
  enum encode_filled empty;
};

/* One open container: its table, what is iterated, the position. 64 bytes: with 72, twitter.json took 5 % longer. */
struct encode_frame {
  const char *table;
  const char *base;  /* ENCODE_ITEMS: the array part; ENCODE_NODES: the nodes */
  size_t i, n;       /* next and end: items; nodes in bytes from the first; indexes in encode_state.list */
  size_t list_start; /* lists: where this container's pairs begin */
  enum encode_kind kind;
  /* For the public-API encoder: where the raw encoder may go on, base is not NULL, and list_start its i in nodes. */
  int8_t is_array; /* that does not follow from its kinds */
  int8_t counted;  /* an array by the number of its pairs, of which only leaves were seen: a nil proves otherwise */
  int8_t pending;  /* 1: the next pair of lua_next is on the stack already; -1: there is none */
  unsigned calls;  /* api_calls.count at the last lua_next */
  size_t opened;   /* where its text begins, from the start of the buffer */
};

/* A pair of a container that cannot be iterated in place. */
struct encode_entry {
  struct lay_value key, value;
  uint64_t prefix; /* the first 8 bytes of the key's text as a big-endian number, enough to sort most pairs */
};

/* A key that is no longer where it was: its text follows it, unless it is a number, and then the next key. */
enum encode_key_type { ENCODE_KEY_NONE, ENCODE_KEY_STRING, ENCODE_KEY_INTEGER, ENCODE_KEY_FLOAT };

enum { ENCODE_KEY_MOST = 64 * 1024 }; /* bytes of a key that is stored */

struct encode_key {
  enum encode_key_type type; /* ENCODE_KEY_NONE: no pair of the table was written yet */
  size_t length;             /* of the text */
  const char *text;          /* where it was, for comparison */
  int64_t integer;
  double number;
};

/* Metatables known by address. The owner keeps them alive, so an address means one table only. */
enum { KNOWN_METATABLES = 7 };

struct known_metatables {
  const char *metatable[KNOWN_METATABLES];
  enum table_class mark[KNOWN_METATABLES];
};

/* Returns the class of a known metatable, or ENCODE_PLAIN. */
FL_PRIVATE enum table_class encode_class_of(const struct known_metatables *marks, const void *metatable);

enum { ENCODE_METATABLES = 8 };

/* A table whose names are not those of its order any more. */
struct encode_changed {
  const char *table;
  int recent; /* the item of order_state.recent with its new list, or 0 */
};

enum { ENCODE_LAYOUTS = 8, ENCODE_LAYOUT_NAMES = 32 };

/* Where the names of a list were among the nodes of a table: as a rule they are there in the next one with that list,
** too. Each use tests that, so anything may stand here. */
struct encode_layout {
  const char *list;
  size_t nodes;
  unsigned char at[ENCODE_LAYOUT_NAMES];
};

#define ENCODE_NO_RANK UINT64_MAX
enum { ENCODE_RANKED_FEW = 16 }; /* so many members of key_order at most are sorted by insertion */

struct encode_state {
  struct json_out out;
  char *finish;       /* ENCODE_DONE, ENCODE_PAUSED: the end of the text; ENCODE_REDO: how far it came, or not set */
  uint64_t null_word; /* the payload of light userdata NULL in this runtime */
  enum encode_boxes boxes;
  const struct encode_policy *policy;
  const struct known_metatables *marks;
  int unknown_are_plain; /* treat an unknown empty metatable as plain, because the known ones were just updated */
  int unknown_metatable; /* ENCODE_REDO because of an unknown metatable, while unknown_are_plain was off */
  struct encode_frame *frames;
  size_t frame_room;
  struct encode_entry *list;
  size_t list_length, list_room;
  /* Metatables that this call has classified, by address. Empty at its start (has_classes = 0), because Lua code may
  ** have changed them. */
  int has_classes;
  struct {
    const char *metatable;
    enum table_class is;
  } classes[ENCODE_METATABLES];
  const struct order_state *orders; /* of this Lua state: encode/order.h */
  struct encode_layout layouts[ENCODE_LAYOUTS];
  struct encode_changed *changed;
  size_t changed_length, changed_room; /* the length is 0 but between ENCODE_CHANGED and order_update */
  enum encode_speed speed;             /* for walks that pause */
  size_t start;                        /* where in the buffer the text begins */
  int pauses;                          /* is the owner prepared for ENCODE_PAUSED? */
  int stopped;                         /* ENCODE_PAUSED: in front of a value, whose key is written */
  size_t paused;                       /* ENCODE_PAUSED: how many tables are open */
  struct encode_key at;                /* the key that a walk without a root begins after; or, of a list of pairs: */
  const char *pairs;                   /* the Lua table k1, v1, k2, v2 ... */
  size_t pairs_at, pairs_most;         /* the first pair that is wanted, and how many at most */
  int more;                            /* there are more of them */
};

/* A raw walk pauses where it meets a value that needs the public API; and, into a buffer with a soft end
** (base/buffer.h), when that is full: between two values, while all open tables are iterated in place. Its owner may
** then call Lua. The open tables are frames[0 .. paused - 1].table, and after the end of the text lies an encode_key
** for each of the frames that is an object, in their order.
** To go on in an open table, the raw encoder is called without a root: paused is 1, frames[0] the table, `at` the key
** that it was at, and the byte before the text is a comma or the table's bracket. It returns ENCODE_REDO, and has
** written nothing, if the table is not as it was. Items that are nil by then become null, as in the public-API walk,
** and members that are gone are left out. If frames[0] is a list, its pairs are those of the Lua table `pairs`; the
** walk pauses after pairs_most of them. */

/* A table shape: classifies tables instead of the encoder's own rules. Each layout has its instances. */
struct encode_shape {
  enum encode_result (*open)(struct encode_state *c, const char *table, struct encode_opened *f); /* like encode_open */
  /* The instance with the shape's usual options as constants, for ENCODE_SHAPED, or NULL. */
  enum encode_result (*encode)(struct encode_state *c, const char *root);
};

enum { ENCODE_FRAMES_FIRST = 64, ENCODE_LIST_FIRST = 64, ENCODE_CHANGED_FIRST = 8 };

/* Returns whether a value that is not plain Lua data may be read as a boxed integer. */
FL_INLINE int encode_knows_boxes(struct encode_state *c, int is_box) {
  if (is_box && c->boxes == ENCODE_BOXES_UNKNOWN) c->boxes = ENCODE_BOXES_MET;
  return c->boxes == ENCODE_BOXES_PROVEN;
}

/* Moves the memory of a state, and its drain, to one that has none. */
FL_INLINE void encode_move(struct encode_state *to, struct encode_state *from) {
  FL_ASSERT(!to->out.buffer.begin && !to->frames && !to->list && !to->changed);
  to->out.buffer = from->out.buffer;
  to->frames = from->frames, to->frame_room = from->frame_room;
  to->list = from->list, to->list_room = from->list_room;
  to->changed = from->changed, to->changed_room = from->changed_room, to->changed_length = from->changed_length;
  from->out.buffer.begin = from->out.buffer.end = NULL;
  from->out.buffer.drain = NULL;
  from->frames = NULL, from->frame_room = 0;
  from->list = NULL, from->list_room = 0;
  from->changed = NULL, from->changed_room = from->changed_length = 0;
}

/* Makes room for `need` members in an array of the state by doubling. Returns 0 if out of memory. */
FL_PRIVATE_NOINLINE int encode_grow_(struct encode_state *c, void **array, size_t *room, size_t need, size_t first,
                                     size_t member);

FL_INLINE int encode_need_frames(struct encode_state *c, size_t need) {
  return FL_LIKELY(need <= c->frame_room) ||
         encode_grow_(c, (void **)&c->frames, &c->frame_room, need, ENCODE_FRAMES_FIRST, sizeof *c->frames);
}

FL_INLINE int encode_need_list(struct encode_state *c, size_t need) {
  return FL_LIKELY(need <= c->list_room) ||
         encode_grow_(c, (void **)&c->list, &c->list_room, need, ENCODE_LIST_FIRST, sizeof *c->list);
}

/* Frees all but `buffer_keep` bytes of output and the first small arrays. */
FL_PRIVATE void encode_trim(struct encode_state *c, size_t buffer_keep);

/* Returns what a field of a metatable means. `text`: its value if that is a string, else NULL. */
FL_PRIVATE enum table_class encode_field_class(const struct encode_field_rule *rule, const char *name, size_t n,
                                               const char *text, size_t text_length);

/* Returns the message for an error of encoding; %s is a detail. */
FL_PRIVATE const char *encode_message(enum fl_error error);
FL_PRIVATE enum fl_kind encode_kind(enum fl_error error);

enum { ENCODE_SLOTS_LEAST = 32 }; /* with fewer slots the following call does not pay */

/* raw/empty_slots.c: returns a number from i on, at most `size`, before which all slots from i on are nil; the caller
** tests the next ones. `cpu`: the TEXT_CPU_ bits to use. */
FL_PRIVATE size_t encode_skip_slots(const char *array, size_t i, size_t size, unsigned cpu);
