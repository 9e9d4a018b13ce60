/* SPDX-License-Identifier: MIT
** state.h -- the state of the public-API walk, and the path to the value it is at.
** May call: lua_*, convert/lua_to_json/state.h, layout, json, number, text.
** Must hold: `walk` lies in a userdata on the stack that frees its memory; any lua_* call may raise. */
#ifndef FLEECE_CONVERT_LUA_TO_JSON_API_STATE_H
#define FLEECE_CONVERT_LUA_TO_JSON_API_STATE_H

#include "../../../layout/lua_compat/api.h"
#include "../state.h"

/* Hooks that encode that call hooks ...: each call takes C stack, and LuaJIT does not count them. */
enum { API_NESTING = 128 };

/* Each open table takes two stack slots, the table and an aux (the key of lua_next, or a list). Levels
** deeper than API_LEVELS share the last pair; what was there waits in the spill table. */
enum { API_LEVELS = 400, API_STACK = 2 * API_LEVELS + 40 };

enum api_kind {
  API_ITEMS = 16, /* table[1..n], raw */
  API_INDEX,      /* table[1..n] through __index */
  API_NEXT,       /* lua_next, aux is the key */
  API_PAIRS       /* aux is a list k1, v1, k2, v2 ... */
};

/* Calls of a program's code (hooks, handlers, sinks) by all walks of a Lua state. */
struct api_calls {
  int nesting;    /* that are under way */
  unsigned count; /* that were begun; wraps */
};

/* Light userdata of other libraries, known by address. */
struct api_sentinels {
  const void *empty_array[2]; /* lua-cjson's and our own */
  const void *null[2];
};

/* What dkjson's encode has of its own. Stack indices; 0: none. */
struct api_dkjson {
  int state;        /* its second argument, or a table in its place */
  int buffer;       /* a table of strings: what was written before the text in the walk's buffer */
  int tables;       /* the open tables, where a handler or the caller wants to know them all */
  int order;        /* the list of names that come first */
  int has_handler;  /* from the beginning; another may come later */
  int message;      /* an error's, once there is one */
  int buffer_given; /* the buffer is the caller's */
  size_t pieces;    /* strings in the buffer */
  size_t level;     /* of the root */
};

/* What LuaJSON's encode was given by a program. Stack indices; 0: none. */
struct api_luajson {
  int pre_process, is_array, processor;
  int null, undefined;     /* what is compared as by ==, for it may have an __eq */
  int own_arrays;          /* is_array, or nothing, is asked in place of IsArray */
  const char *booleans[2]; /* the words for false and true; NULL: such a value is an error */
  const char *types[2];    /* of null and undefined */
  int is_key;              /* the root is a name */
  /* Where a program writes the tables: its function `composite` makes of each what stands for it, and calls `encode`
  ** for what is in it; `state` is theirs. */
  int composite, encode, state;
  int *nothing; /* set if nothing stands for the root: what was to be written is elsewhere */
};

struct api_walk {
  lua_State *L;
  struct api_dkjson *dk;        /* NULL: another dialect */
  const struct api_luajson *lj; /* NULL: no functions or words of a program, or another dialect */
  struct encode_state *walk;
  int levels;             /* stack index of the root, and of the first pair */
  int spill;              /* stack index of the spill table (nil until it is needed) */
  int on_error;           /* stack index of the handler, or 0 */
  int order;              /* stack index of the table name -> rank of key_order, or 0 */
  int own_order;          /* stack index of the same for the __jsonorder of the table that is being opened */
  int guarded;            /* errors of hooks come back as errors with a path (safe mode, handler) */
  int pairs_honours_meta; /* this Lua's pairs asks __pairs, and its # __len */
  int thrown;             /* a hook raised: its error object is on top, to be raised again as it is */
  size_t depth;
  const void *raw_metatable;
  const struct api_sentinels *sentinels;
  int (*refresh)(lua_State *L, void *owner); /* brings marks and sentinels up to date; NULL: was done */
  void *refresh_owner;
  /* Values that only binary has, data and views of documents. Packing keeps them in the table at the stack index
  ** `kept` (else 0), and the text has a string in their place, the byte 0xff and their number. Otherwise their
  ** text is written. */
  int (*keeps)(lua_State *L); /* is the userdata on top one? */
  char *(*write_kept)(struct api_walk *a, char *w);
  int kept;
  int data; /* a string that is no UTF-8 is one */
  size_t kept_count;
  int visit_all_keys; /* the next table is to be opened by looking at every key */
  int guards;         /* a handler, data or LuaJSON's functions: each value is looked at before it is written */
  int bulk_scalars;   /* no option or handler looks at single values: scalars are written in runs */
  struct api_calls *calls;
  /* Walks in parts: parts.h. */
  size_t limit;  /* bytes of text at which the walk stops, 0: none; */
  int opened;    /* and behind a bracket, where no comma is wanted; */
  size_t stored; /* levels that are in the spill table */
  /* writes the table on top if its text is short; else NULL. NULL: none */
  char *(*try_short_table)(struct api_walk *a, char *w);
  void *short_table_owner;
  const char *detail; /* of the error: a type name, a number, a whole message */
  char detail_room[32];
};

/* The stack index of the innermost open table; its aux is the next slot. */
FL_INLINE int api_slot(const struct api_walk *a) {
  return a->levels + 2 * (int)((a->depth < API_LEVELS ? a->depth : API_LEVELS) - 1);
}

FL_INLINE char *api_fail(struct api_walk *a, enum fl_error error, const char *detail) {
  a->detail = detail;
  return json_fail(&a->walk->out, error);
}

/* Is `s` a name that the path may show as .name? */
FL_FUNC int api_is_name(const char *s, size_t n) {
  size_t i;
  if (n == 0 || n > 64) return 0;
  for (i = 0; i < n; i++) {
    char ch = s[i];
    int alpha = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
    if (!alpha && !(i > 0 && ch >= '0' && ch <= '9')) return 0;
  }
  return 1;
}

/* Something unknown was met: was the library that made it loaded since? True once, at the first call. */
FL_FUNC int api_refresh(struct api_walk *a) {
  if (!a->refresh) return 0;
  a->refresh(a->L, a->refresh_owner);
  a->refresh = NULL;
  return 1;
}

/* The text of the number at `at` as a key. */
FL_FUNC char *api_key_text(lua_State *L, int at, char *w) {
  if (compat_is_integer(L, at)) return num_write_i64(w, compat_to_integer(L, at));
  return json_write_key_text(w, lua_tonumber(L, at));
}

/* Turns the key on top into one step of a path: .name, ["other"] or [7]. */
FL_FUNC void api_key_to_step(lua_State *L) {
  char text[JSON_NUMBER_ROOM + 8], *end = text;
  size_t n;
  const char *s;
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    *end++ = '[';
    end = api_key_text(L, -1, end);
    *end++ = ']';
    lua_pushlstring(L, text, (size_t)(end - text));
    break;
  case LUA_TSTRING:
    s = lua_tolstring(L, -1, &n);
    if (api_is_name(s, n)) lua_pushfstring(L, ".%s", s);
    else {
      lua_pushliteral(L, "[\"");
      lua_pushlstring(L, s, n < 64 ? n : text_cut(s, n, 64));
      lua_pushstring(L, n < 64 ? "\"]" : "...\"]");
      lua_concat(L, 3);
    }
    break;
  default: lua_pushfstring(L, "[%s]", lua_typename(L, lua_type(L, -1)));
  }
  lua_remove(L, -2);
}

/* Pushes the key that leads from open table number `level` (from 1) to its child. */
FL_FUNC void api_push_key(struct api_walk *a, size_t level) {
  lua_State *L = a->L;
  const struct encode_frame *frame = &a->walk->frames[level - 1];
  if ((int)frame->kind == API_ITEMS || (int)frame->kind == API_INDEX) {
    lua_pushnumber(L, (lua_Number)frame->i);
    return;
  }
  if (level >= API_LEVELS && level < a->depth) lua_rawgeti(L, a->spill, (int)(2 * level));
  else lua_pushvalue(L, a->levels + 2 * (int)((level < API_LEVELS ? level : API_LEVELS) - 1) + 1);
  if ((int)frame->kind == API_PAIRS) {
    lua_rawgeti(L, -1, (int)(2 * frame->i - 1));
    lua_remove(L, -2);
  }
}

/* Pushes the path along `levels` open tables to the value being written: ".players[3].name". A long one is cut in
** the middle. */
FL_NOINLINE void api_push_path(struct api_walk *a, size_t levels) {
  enum { ENDS = 8 };
  lua_State *L = a->L;
  size_t level;
  int steps = 0;
  compat_need_stack(L, 2 * ENDS + 10);
  for (level = 1; level <= levels; level++) {
    if (levels > 2 * ENDS && level == ENDS + 1) {
      lua_pushliteral(L, "...");
      steps++;
      level = levels - ENDS + 1;
    }
    api_push_key(a, level);
    api_key_to_step(L);
    steps++;
  }
  if (steps == 0) lua_pushliteral(L, "the root");
  else lua_concat(L, steps);
}

/* Pushes the message of the error that stopped the walk; `path` is the stack index of its path, or 0. */
FL_NOINLINE void api_push_message(struct api_walk *a, int path) {
  static const char *const formats[] = {
#define X(code, message) message,
      FL_ERRORS(X)
#undef X
  };
  lua_State *L = a->L;
  const struct json_out *out = &a->walk->out;
  if (out->error == FL_ERROR_MEMORY || out->error == FL_ERROR_SINK) {
    lua_pushfstring(L, formats[out->error], a->detail);
    return;
  }
  lua_pushfstring(L, formats[out->error], a->detail);
  lua_pushliteral(L, " at ");
  lua_pushvalue(L, path);
  if (out->error == FL_ERROR_UTF8) {
    lua_pushfstring(L, " (byte %d)", (int)(out->error_at < INT32_MAX ? out->error_at + 1 : INT32_MAX));
    lua_concat(L, 4);
  } else {
    lua_concat(L, 3);
  }
}

#endif
