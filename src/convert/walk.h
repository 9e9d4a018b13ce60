/* SPDX-License-Identifier: MIT
** walk.h -- the state of a raw walk over Lua tables: open containers, collected pairs, known metatables.
** May call: base, json, layout.
** Must hold: no lua_* call from the first to the last step of a walk; memory is the owner's (module/),
** reached through the allocator of `out`. */
#ifndef FLEECE_CONVERT_WALK_H
#define FLEECE_CONVERT_WALK_H

#include "../json/write.h"
#include "../layout/value.h"

/* REDO: the public-API walker has to do the whole value: it needs a call (hook), or is an error that
** only that walker words. No Lua code has run, so the restart shows only in the time it takes; what went to a sink by
** then has to come again (sink.h), which is why an on_error handler allows no raw walk into one. */
enum walk_result { WALK_DONE, WALK_REDO, WALK_MEMORY, WALK_SINK };

/* Which instance of a raw walk: the one that knows all options; those without: dkjson's, rapidjson's, and rounding
** numbers or not. */
enum walk_speed { WALK_STYLED, WALK_DKJSON, WALK_RAPIDJSON, WALK_ROUNDED, WALK_FASTEST };

/* How a table's metatable bears on its encoding. */
enum walk_mark {
  WALK_PLAIN,
  WALK_ARRAY,
  WALK_OBJECT,
  WALK_LENGTH_ARRAY,
  WALK_EMPTY_ARRAY,
  WALK_EMPTY_OBJECT, /* dkjson: an object if it is empty */
  WALK_NULL,         /* dkjson's null */
  WALK_LUAJSON_ARRAY,
  WALK_LUAJSON_CALL,
  WALK_HOOK
};

/* How an unstyled instance writes numbers: the shortest text; cut to some digits; as Lua's tostring, and for dkjson;
** as RapidJSON, and for rapidjson. */
enum walk_numbers { WALK_NUM_SHORTEST, WALK_NUM_ROUNDED, WALK_NUM_DKJSON, WALK_NUM_RAPIDJSON };

/* LuaJIT: are boxed 64-bit integers proven to lie as the layout says? Where it was not asked yet, the first one that
** is met ends the walk as MET; the owner asks, and the walk begins again. */
enum walk_boxes { WALK_BOXES_UNKNOWN, WALK_BOXES_MET, WALK_BOXES_PROVEN, WALK_BOXES_OTHER };

enum walk_kind { WALK_ITEMS, WALK_NODES, WALK_LIST_ARRAY, WALK_LIST_OBJECT };

/* One open container: which table, what is iterated, and how far. 64 bytes: with 72, twitter.json took 5 % longer. */
struct walk_frame {
  const char *table;
  const char *base;  /* WALK_ITEMS: the array part; WALK_NODES: the nodes */
  size_t i, n;       /* next and end; of nodes in bytes from the first; for lists, places in walk.list */
  size_t list_start; /* lists: where this container's pairs begin */
  enum walk_kind kind;
  /* The public-API walk's: */
  int8_t is_array; /* its kinds do not tell */
  int8_t counted;  /* an array by the number of its pairs, and leaves so far: a nil in it proves otherwise */
  int8_t pending;  /* 1: the next pair of lua_next is on the stack already; -1: there is none */
  unsigned calls;  /* api_calls.count at the last lua_next */
  size_t opened;   /* where its text begins, from the start of the buffer */
};

/* A pair of a container that cannot be iterated in place. */
struct walk_entry {
  struct lay_value key, value;
  uint64_t prefix; /* the first 8 bytes of the key's text, first byte highest: sorts most pairs alone */
};

/* Metatables known by address. The owner keeps them alive, so an address means one table only. */
enum { WALK_MARKS = 9 };
struct walk_marks {
  const char *metatable[WALK_MARKS];
  enum walk_mark mark[WALK_MARKS];
};

/* WALK_PLAIN: not a known one. */
FL_FUNC enum walk_mark walk_mark_of(const struct walk_marks *marks, const void *metatable) {
  int i;
  for (i = 0; i < WALK_MARKS; i++)
    if ((const void *)marks->metatable[i] == metatable) return marks->mark[i];
  return WALK_PLAIN;
}

enum { WALK_METATABLES = 8 };

struct walk {
  struct json_out out;
  char *finish;       /* WALK_DONE: the end of the text */
  uint64_t null_word; /* the payload of light userdata NULL in this runtime */
  enum walk_boxes boxes;
  const struct walk_marks *marks;
  int strangers_known; /* an unknown empty metatable is plain: the marks were just brought up to date */
  int stranger;        /* set with WALK_REDO: one was met while strangers_known was off */
  struct walk_frame *frames;
  size_t frame_room;
  struct walk_entry *list;
  size_t list_length, list_room;
  /* Metatables judged in this walk; forgotten at its start (judges = 0), for Lua code may change them. */
  int judges;
  struct {
    const char *metatable;
    enum walk_mark mark;
  } judged[WALK_METATABLES];
};

enum { WALK_FRAMES_FIRST = 64, WALK_LIST_FIRST = 64 };

FL_INLINE void walk_init(struct walk *c, fl_alloc alloc, void *alloc_ud, unsigned cpu) {
  memset(c, 0, sizeof *c);
  buf_init(&c->out.buffer, alloc, alloc_ud);
  json_out_cpu(&c->out, cpu);
}

/* A value that is no plain Lua data is met: can it be a boxed integer, and is that known? */
FL_INLINE int walk_knows_boxes(struct walk *c, int is_box) {
  if (is_box && c->boxes == WALK_BOXES_UNKNOWN) c->boxes = WALK_BOXES_MET;
  return c->boxes == WALK_BOXES_PROVEN;
}

/* Moves the memory of a walk, and where it drains, to one that has none. */
FL_INLINE void walk_move(struct walk *to, struct walk *from) {
  to->out.buffer = from->out.buffer;
  to->frames = from->frames, to->frame_room = from->frame_room;
  to->list = from->list, to->list_room = from->list_room;
  from->out.buffer.begin = from->out.buffer.end = NULL;
  from->out.buffer.drain = NULL;
  from->frames = NULL, from->frame_room = 0;
  from->list = NULL, from->list_room = 0;
}

/* Gives an array of the walk room for `need` members by doubling; false: out of memory. */
FL_NOINLINE int walk_grow_(struct walk *c, void **array, size_t *room, size_t need, size_t first, size_t member) {
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

FL_INLINE int walk_need_frames(struct walk *c, size_t need) {
  return FL_LIKELY(need <= c->frame_room) ||
         walk_grow_(c, (void **)&c->frames, &c->frame_room, need, WALK_FRAMES_FIRST, sizeof *c->frames);
}

FL_INLINE int walk_need_list(struct walk *c, size_t need) {
  return FL_LIKELY(need <= c->list_room) ||
         walk_grow_(c, (void **)&c->list, &c->list_room, need, WALK_LIST_FIRST, sizeof *c->list);
}

/* Gives back all but `buffer_keep` bytes of output and the first small arrays. */
FL_FUNC void walk_trim(struct walk *c, size_t buffer_keep) {
  struct buffer *b = &c->out.buffer;
  if (buf_capacity(b) > buffer_keep) buf_free(b);
  if (c->frame_room > (buffer_keep ? WALK_FRAMES_FIRST : 0)) {
    b->alloc(b->alloc_ud, c->frames, c->frame_room * sizeof *c->frames, 0);
    c->frames = NULL;
    c->frame_room = 0;
  }
  if (c->list_room > (buffer_keep ? WALK_LIST_FIRST : 0)) {
    b->alloc(b->alloc_ud, c->list, c->list_room * sizeof *c->list, 0);
    c->list = NULL;
    c->list_room = 0;
  }
}

/* What a metatable known by address means in this style. */
FL_FUNC enum walk_mark walk_known_mark(enum walk_mark mark, const struct json_style *style) {
  if (style->dialect == JSON_DKJSON)
    return mark == WALK_OBJECT ? WALK_EMPTY_OBJECT : mark == WALK_NULL ? mark : WALK_PLAIN;
  if (style->dialect == JSON_RXI) return WALK_PLAIN;
  if (style->dialect == JSON_LUAJSON)
    return mark == WALK_LUAJSON_ARRAY ? WALK_ARRAY : mark == WALK_LUAJSON_CALL ? WALK_HOOK : WALK_PLAIN;
  if (mark == WALK_LUAJSON_ARRAY || mark == WALK_LUAJSON_CALL) return WALK_PLAIN;
  if (style->dialect == JSON_JSON4LUA) return mark == WALK_ARRAY || mark == WALK_OBJECT ? mark : WALK_PLAIN;
  if (mark != WALK_NULL) return mark;
  return style->cjson || !style->metamethods ? WALK_PLAIN : WALK_HOOK;
}

/* One `__name` of a metatable, as a mark. `type` is the text of a string value, else NULL. */
FL_FUNC enum walk_mark walk_judge_field(const char *name, size_t n, const char *type, size_t type_length,
                                        const struct json_style *style) {
#define IS(text) (n == sizeof text - 1 && memcmp(name, text, n) == 0)
  if (style->cjson) return IS("__len") ? WALK_HOOK : WALK_PLAIN;
  if (style->dialect == JSON_DKJSON) {
    if (IS("__tojson") || IS("__pairs") || IS("__jsonorder")) return WALK_HOOK;
    return IS("__jsontype") && type && type_length == 6 && memcmp(type, "object", 6) == 0 ? WALK_EMPTY_OBJECT
                                                                                          : WALK_PLAIN;
  }
  if (style->dialect == JSON_RXI) return IS("__pairs") || IS("__len") ? WALK_HOOK : WALK_PLAIN;
  if (style->dialect) return IS("__pairs") || IS("__len") || IS("__is_luajson_array") ? WALK_HOOK : WALK_PLAIN;
  if (IS("__tojson") || IS("__pairs") || IS("__len") || IS("__jsonorder")) return WALK_HOOK;
  if (IS("__jsontype")) {
    if (type && type_length == 5 && memcmp(type, "array", 5) == 0) return WALK_ARRAY;
    if (type && type_length == 6 && memcmp(type, "object", 6) == 0) return WALK_OBJECT;
    return WALK_HOOK;
  }
  return WALK_PLAIN;
#undef IS
}

#endif
