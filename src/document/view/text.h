/* SPDX-License-Identifier: MIT
** text.h -- views of a JSON text. What is asked for is found in the text; when much of it has been read that way, the
** text becomes a document, and its views become views of that document.
** Must hold: the text was tested, and is an array or object of strict JSON. A view of a text has a first word of its
** own, and metatable: what has not been written for texts does not take it for a view, and view_check and view_value_at
** settle it.
** Each reading of the text is counted, so all of them together are linear in it.
** The environment of a view of a text: the userdata of the whole, or for the whole its text (Lua 5.4 and later); or a
** table of both. A short text is copied into the userdata of the whole, which then gets an environment only when a part
** needs one. Once settled: as all views. The document keeps what has the text. */
#pragma once

#include "../state.h"
#include "../../json/index/locate.h"
#include "../../json/index/members.h"
#include "read.h"

struct view_whole;

enum { VIEW_MEMBERS = 16 };

/* What is known of the members of a view's container. */
enum view_known {
  VIEW_KNOWN_NOTHING,
  VIEW_KNOWN_ALL,
  VIEW_KNOWN_SHORT, /* the same, as json_short_member: of a whole text */
  VIEW_KNOWN_MANY   /* there are more, or names with escapes, or the text is too long */
};

/* A view of the value whose text is [begin, end). Its members follow the struct, in the order of the text: there is
** room for VIEW_MEMBERS, or for those of the whole if they were known when it was made. */
struct view_text {
  union {
    struct mod_view view; /* once it is settled; its first word tells */
    struct {
      const char *magic; /* &view_text_magic */
      const char *begin, *end;
    } text;
  } is;
  struct view_whole *whole;
  unsigned char known; /* a view_known */
  unsigned char plain; /* of the whole: there are no escapes in its text */
  unsigned char count; /* of members */
};

/* The view of the whole text. It is as small as can be: there may be one for each short text. */
struct view_whole {
  struct view_text text;
  unsigned cpu : 16;     /* see json_locate */
  unsigned has_copy : 1; /* the text follows the members */
  unsigned has_env : 1;  /* so do its parts */
  uint32_t max_depth;    /* its containers are nested no deeper */
  const char *stop;      /* the byte after the text, a 0 */
  size_t left;           /* bytes that may be read until it is settled */
};

/* How often the text may be read on average, and how many bytes more, until it is settled. To settle it takes about
** as long as ten readings. */
enum { VIEW_TEXT_READINGS = 8, VIEW_TEXT_BYTES = 4096 };

/* The longest way that is followed in a text. */
enum { VIEW_TEXT_STEPS = 32 };

/* Tests the text at the index, and pushes a view of it, for which any depth up to max_depth is right. `anchors`: the
** index of MOD_ANCHORS. False: it is no array or object of strict JSON, or one that only the scanner can tell. */
FL_PRIVATE int view_push_text(lua_State *L, int index, uint32_t max_depth, struct mod_state *m, int anchors);

/* The view of a text at the index that is not settled, or NULL. */
FL_INLINE struct view_text *view_test_text(lua_State *L, int index) {
  return (struct view_text *)mod_test_userdata(L, index, &view_text_magic, sizeof(struct view_text));
}

/* Is there a view at the index, settled or not? */
FL_INLINE int view_is_at(lua_State *L, int index) { return view_test(L, index) || view_test_text(L, index); }

/* The key at the index, a name or an index from 1, as a step; false: it is neither. */
FL_INLINE int view_read_key(lua_State *L, int key, struct json_step *step) {
  const int type = lua_type(L, key);
  step->name = NULL;
  step->indexes = 0;
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

/* view.name, view[i] of a text. Upvalues as view_index. */
FL_PRIVATE int view_text_index(lua_State *L);

/* Pushes what the steps lead to from the view of a text at the index; nil: there is nothing. False: nothing is pushed,
** the view must be settled. */
FL_PRIVATE int view_text_follow(lua_State *L, int index, const struct json_step *steps, size_t count);

/* How many values the array at the index has; -1: it is no array, or must be settled. */
FL_PRIVATE int64_t view_text_count(lua_State *L, int index);

/* The text of a view, or of a collection of a document that was read from a text; begin is NULL if there is none. */
FL_PRIVATE struct json_slice view_text_of(const struct mod_doc *owner, bin_value v);
