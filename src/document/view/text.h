/* SPDX-License-Identifier: MIT
** text.h -- views of JSON text. Values are found in the text itself. When much of it has been read like that, the text
** is converted to a document, and its views become views of that document.
** Must hold: the text was tested and is an array or object of strict JSON. Text views have their own first word and
** metatable, so that code for other views does not accept them; view_check and view_value_at convert them. The cost of
** all readings of a text is limited, so together they are linear in its size. The environment of a text view is the
** userdata of the whole; of the whole, its text (Lua 5.4 and later); or a table of both. A short text is copied into
** the userdata of the whole, which gets an environment only when a part needs one. Once converted they are like all
** views; the document keeps the owner of the text alive. */
#pragma once

#include "../../json/index/locate.h"
#include "../../json/index/members.h"
#include "read.h"

struct view_whole;

enum { VIEW_MEMBERS = 16 };

/* What is known about the members of a view's container. */
enum view_known {
  VIEW_KNOWN_NOTHING,
  VIEW_KNOWN_ALL,
  VIEW_KNOWN_SHORT, /* all, as json_short_member, of a whole text */
  VIEW_KNOWN_MANY   /* too many, names with escapes, or too long a text */
};

/* A view of the value with the text [begin, end). Its members follow the struct in the order of the text: there is room
** for VIEW_MEMBERS, or, if the whole's members were known when it was made, for those. */
struct view_text {
  union {
    struct mod_view view; /* after conversion, recognized by its first word */
    struct {
      const char *magic; /* &view_text_magic */
      const char *begin, *end;
    } text;
  } is;
  struct view_whole *whole;
  unsigned char known; /* a view_known */
  unsigned char plain; /* of the whole: its text has no escapes */
  unsigned char count; /* number of members */
};

/* The view of a whole text. Kept small, because there may be one for each short text. */
struct view_whole {
  struct view_text text;
  unsigned cpu : 16;       /* for json_locate */
  unsigned has_copy : 1;   /* the text is stored after the members */
  unsigned has_env : 1;    /* so have its parts */
  unsigned has_values : 1; /* its environment has a table of values */
  unsigned scalars : 8;    /* as in struct mod_doc */
  uint32_t max_depth;      /* its nesting is no deeper */
  const char *stop;        /* the byte after the text, which is 0 */
  size_t left;             /* bytes that may be read before it is converted */
};

/* The text is converted after it was read this often on average, plus this many bytes. Converting takes about as long
** as ten readings. */
enum { VIEW_TEXT_READINGS = 8, VIEW_TEXT_BYTES = 4096 };

/* Longest path that is followed in a text. */
enum { VIEW_TEXT_STEPS = 32 };

/* Tests the text at the index, and pushes a view of it with the depth limit max_depth. `values` and `scalars`: as in
** struct mod_binary. The running function has the upvalues of the module's functions. Returns 0 if it is not an array
** or object of strict JSON, or only the scanner can tell. */
FL_PRIVATE int view_push_text(lua_State *L, int index, uint32_t max_depth, struct mod_state *m, int values,
                              unsigned scalars);

/* Returns the unconverted text view at the index, or NULL. */
FL_INLINE struct view_text *view_test_text(lua_State *L, int index) {
  return (struct view_text *)mod_test_userdata(L, index, &view_text_magic, sizeof(struct view_text));
}

/* Returns whether a view is at the index, converted or not. */
FL_INLINE int view_is_at(lua_State *L, int index) { return view_test(L, index) || view_test_text(L, index); }

/* Reads the key at the index, a name or an index from 1, as a step. Returns 0 for other values. */
FL_INLINE int view_read_key(lua_State *L, int key, struct json_step *step) {
  const int type = lua_type(L, key);
  step->name = NULL;
  step->indexes = 0;
  step->each = 0;
  step->index = 0;
  if (FL_LIKELY(type == LUA_TSTRING)) {
    step->name = lua_tolstring(L, key, &step->n);
  } else if (type == LUA_TNUMBER) {
    const lua_Number i = lua_tonumber(L, key);
    if (!(i >= 1 && i < 9007199254740992.0) || i != (lua_Number)(int64_t)i) return 0;
    step->indexes = 1;
    step->index = (int64_t)i - 1;
  } else {
    return 0;
  }
  return 1;
}

/* view.name, view[i] for a text. Same upvalues as view_index. */
FL_PRIVATE int view_text_index(lua_State *L);

/* Pushes what the steps lead to from the text view at the index, or nil. Returns 0, and pushes nothing, if the view
** must be converted first. */
FL_PRIVATE int view_text_follow(lua_State *L, int index, const struct json_step *steps, size_t count);

/* Returns the number of items of the array at the index, or -1 if it is not an array or must be converted first. */
FL_PRIVATE int64_t view_text_count(lua_State *L, int index);

/* Returns the text of a view, or of a collection of a document made from a text. begin is NULL if there is none. */
FL_PRIVATE struct json_slice view_text_of(const struct mod_doc *owner, bin_value v);
