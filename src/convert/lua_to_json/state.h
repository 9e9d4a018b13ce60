/* SPDX-License-Identifier: MIT
** state.h -- the state of a raw walk over Lua tables: open containers, collected pairs, known metatables.
** May call: base, json, layout.
** Must hold: no lua_* call from the first to the last step of a walk; memory is the owner's (module/),
** reached through the allocator of `out`. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_STATE_H
#define FLEECE_CONVERT_LUA_TO_JSON_STATE_H

#include "../../json/write/write.h"
#include "../../layout/value.h"

/* REDO: the public-API walker has to do the whole value: it needs a call (hook), or is an error that
** only that walker words. No Lua code has run, so the restart shows only in the time it takes; what went to a sink by
** then has to come again (module/json/sink.h), which is why an on_error handler allows no raw walk into one. */
enum encode_result { ENCODE_DONE, ENCODE_REDO, ENCODE_MEMORY, ENCODE_SINK };

/* Which instance of a raw walk: the one that knows all options; those without: dkjson's, rapidjson's, and rounding
** numbers or not. */
enum encode_speed { ENCODE_STYLED, ENCODE_DKJSON, ENCODE_RAPIDJSON, ENCODE_ROUNDED, ENCODE_FASTEST };

/* How a table's metatable bears on its encoding. */
enum table_class {
  ENCODE_PLAIN,
  ENCODE_ARRAY,
  ENCODE_OBJECT,
  ENCODE_LENGTH_ARRAY,
  ENCODE_EMPTY_ARRAY,
  ENCODE_EMPTY_OBJECT, /* dkjson: an object if it is empty */
  ENCODE_NULL,         /* dkjson's null */
  ENCODE_LUAJSON_ARRAY,
  ENCODE_LUAJSON_CALL,
  ENCODE_HOOK
};

/* How an unstyled instance writes numbers: the shortest text; cut to some digits; as Lua's tostring, and for dkjson;
** as RapidJSON, and for rapidjson. */
enum encode_numbers { ENCODE_NUM_SHORTEST, ENCODE_NUM_ROUNDED, ENCODE_NUM_DKJSON, ENCODE_NUM_RAPIDJSON };

/* LuaJIT: are boxed 64-bit integers proven to lie as the layout says? Where it was not asked yet, the first one that
** is met ends the walk as MET; the owner asks, and the walk begins again. */
enum encode_boxes { ENCODE_BOXES_UNKNOWN, ENCODE_BOXES_MET, ENCODE_BOXES_PROVEN, ENCODE_BOXES_OTHER };

enum encode_kind { ENCODE_ITEMS, ENCODE_NODES, ENCODE_LIST_ARRAY, ENCODE_LIST_OBJECT };

/* One open container: which table, what is iterated, and how far. 64 bytes: with 72, twitter.json took 5 % longer. */
struct encode_frame {
  const char *table;
  const char *base;  /* ENCODE_ITEMS: the array part; ENCODE_NODES: the nodes */
  size_t i, n;       /* next and end; of nodes in bytes from the first; for lists, places in walk.list */
  size_t list_start; /* lists: where this container's pairs begin */
  enum encode_kind kind;
  /* The public-API walk's: */
  int8_t is_array; /* its kinds do not tell */
  int8_t counted;  /* an array by the number of its pairs, and leaves so far: a nil in it proves otherwise */
  int8_t pending;  /* 1: the next pair of lua_next is on the stack already; -1: there is none */
  unsigned calls;  /* api_calls.count at the last lua_next */
  size_t opened;   /* where its text begins, from the start of the buffer */
};

/* A pair of a container that cannot be iterated in place. */
struct encode_entry {
  struct lay_value key, value;
  uint64_t prefix; /* the first 8 bytes of the key's text, first byte highest: sorts most pairs alone */
};

/* Metatables known by address. The owner keeps them alive, so an address means one table only. */
enum { KNOWN_METATABLES = 9 };
struct known_metatables {
  const char *metatable[KNOWN_METATABLES];
  enum table_class mark[KNOWN_METATABLES];
};

/* ENCODE_PLAIN: not a known one. */
FL_FUNC enum table_class encode_class_of(const struct known_metatables *marks, const void *metatable) {
  int i;
  for (i = 0; i < KNOWN_METATABLES; i++)
    if ((const void *)marks->metatable[i] == metatable) return marks->mark[i];
  return ENCODE_PLAIN;
}

enum { ENCODE_METATABLES = 8 };

struct encode_state {
  struct json_out out;
  char *finish;       /* ENCODE_DONE: the end of the text */
  uint64_t null_word; /* the payload of light userdata NULL in this runtime */
  enum encode_boxes boxes;
  const struct known_metatables *marks;
  int unknown_are_plain; /* an unknown empty metatable is plain: the marks were just brought up to date */
  int unknown_metatable; /* set with ENCODE_REDO: one was met while unknown_are_plain was off */
  struct encode_frame *frames;
  size_t frame_room;
  struct encode_entry *list;
  size_t list_length, list_room;
  /* Metatables judged in this walk; forgotten at its start (judges = 0), for Lua code may change them. */
  int judges;
  struct {
    const char *metatable;
    enum table_class mark;
  } judged[ENCODE_METATABLES];
};

enum { ENCODE_FRAMES_FIRST = 64, ENCODE_LIST_FIRST = 64 };

FL_INLINE void encode_init(struct encode_state *c, fl_alloc alloc, void *alloc_ud, unsigned cpu) {
  memset(c, 0, sizeof *c);
  buf_init(&c->out.buffer, alloc, alloc_ud);
  json_out_cpu(&c->out, cpu);
}

/* A value that is no plain Lua data is met: can it be a boxed integer, and is that known? */
FL_INLINE int encode_knows_boxes(struct encode_state *c, int is_box) {
  if (is_box && c->boxes == ENCODE_BOXES_UNKNOWN) c->boxes = ENCODE_BOXES_MET;
  return c->boxes == ENCODE_BOXES_PROVEN;
}

/* Moves the memory of a walk, and where it drains, to one that has none. */
FL_INLINE void encode_move(struct encode_state *to, struct encode_state *from) {
  to->out.buffer = from->out.buffer;
  to->frames = from->frames, to->frame_room = from->frame_room;
  to->list = from->list, to->list_room = from->list_room;
  from->out.buffer.begin = from->out.buffer.end = NULL;
  from->out.buffer.drain = NULL;
  from->frames = NULL, from->frame_room = 0;
  from->list = NULL, from->list_room = 0;
}

/* Gives an array of the walk room for `need` members by doubling; false: out of memory. */
FL_NOINLINE int encode_grow_(struct encode_state *c, void **array, size_t *room, size_t need, size_t first,
                             size_t member) {
  const struct buffer *b = &c->out.buffer;
  size_t more = *room ? *room : first;
  void *block;
  while (more < need) {
    if (more > SIZE_MAX / 4 / member) return 0;
    more *= 2;
  }
  block = b->alloc(b->alloc_ud, *array, *room * member, more * member);
  if (!block) return 0;
  *array = block;
  *room = more;
  return 1;
}

FL_INLINE int encode_need_frames(struct encode_state *c, size_t need) {
  return FL_LIKELY(need <= c->frame_room) ||
         encode_grow_(c, (void **)&c->frames, &c->frame_room, need, ENCODE_FRAMES_FIRST, sizeof *c->frames);
}

FL_INLINE int encode_need_list(struct encode_state *c, size_t need) {
  return FL_LIKELY(need <= c->list_room) ||
         encode_grow_(c, (void **)&c->list, &c->list_room, need, ENCODE_LIST_FIRST, sizeof *c->list);
}

/* Gives back all but `buffer_keep` bytes of output and the first small arrays. */
FL_FUNC void encode_trim(struct encode_state *c, size_t buffer_keep) {
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
}

/* What a metatable known by address means in this style. */
FL_FUNC enum table_class encode_known_class(enum table_class mark, const struct json_style *style) {
  if (style->dialect == JSON_DKJSON)
    return mark == ENCODE_OBJECT ? ENCODE_EMPTY_OBJECT : mark == ENCODE_NULL ? mark : ENCODE_PLAIN;
  if (style->dialect == JSON_RXI) return ENCODE_PLAIN;
  if (style->dialect == JSON_LUAJSON)
    return mark == ENCODE_LUAJSON_ARRAY ? ENCODE_ARRAY : mark == ENCODE_LUAJSON_CALL ? ENCODE_HOOK : ENCODE_PLAIN;
  if (mark == ENCODE_LUAJSON_ARRAY || mark == ENCODE_LUAJSON_CALL) return ENCODE_PLAIN;
  if (style->dialect == JSON_JSON4LUA) return mark == ENCODE_ARRAY || mark == ENCODE_OBJECT ? mark : ENCODE_PLAIN;
  if (mark != ENCODE_NULL) return mark;
  return style->cjson || !style->metamethods ? ENCODE_PLAIN : ENCODE_HOOK;
}

/* One `__name` of a metatable, as a mark. `type` is the text of a string value, else NULL. */
FL_FUNC enum table_class encode_field_class(const char *name, size_t n, const char *type, size_t type_length,
                                            const struct json_style *style) {
#define IS(text) (n == sizeof text - 1 && memcmp(name, text, n) == 0)
  if (style->cjson) return IS("__len") ? ENCODE_HOOK : ENCODE_PLAIN;
  if (style->dialect == JSON_DKJSON) {
    if (IS("__tojson") || IS("__pairs") || IS("__jsonorder")) return ENCODE_HOOK;
    return IS("__jsontype") && type && type_length == 6 && memcmp(type, "object", 6) == 0 ? ENCODE_EMPTY_OBJECT
                                                                                          : ENCODE_PLAIN;
  }
  if (style->dialect == JSON_RXI) return IS("__pairs") || IS("__len") ? ENCODE_HOOK : ENCODE_PLAIN;
  if (style->dialect) return IS("__pairs") || IS("__len") || IS("__is_luajson_array") ? ENCODE_HOOK : ENCODE_PLAIN;
  if (IS("__tojson") || IS("__pairs") || IS("__len") || IS("__jsonorder")) return ENCODE_HOOK;
  if (IS("__jsontype")) {
    if (type && type_length == 5 && memcmp(type, "array", 5) == 0) return ENCODE_ARRAY;
    if (type && type_length == 6 && memcmp(type, "object", 6) == 0) return ENCODE_OBJECT;
    return ENCODE_HOOK;
  }
  return ENCODE_PLAIN;
#undef IS
}

#endif
