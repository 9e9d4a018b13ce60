/* SPDX-License-Identifier: MIT */
#include "walk.h"
#include "../../lua/exact.h"

FL_PRIVATE const char *api_sentinel(struct api_walk *a, const void *p) {
  if (!p) return "null";
  do {
    if (p == a->shared->sentinels.empty_array[0] || p == a->shared->sentinels.empty_array[1]) return "[]";
    if (p == a->shared->sentinels.null[0] || p == a->shared->sentinels.null[1]) return "null";
  } while (api_refresh(a));
  return NULL;
}

FL_PRIVATE size_t api_boxed_digits(lua_State *L) {
  size_t n, first, digits;
  const char *s = lua_tolstring(L, -1, &n);
  if (!s || n < 3 || n > 23) return 0;
  digits = first = s[0] == '-';
  while (s[digits] >= '0' && s[digits] <= '9') digits++;
  if (digits == first || (s[first] == '0' && digits > 1)) return 0; /* RFC 8259, section 6: no leading zeros */
  return strcmp(s + digits, "LL") == 0 || (strcmp(s + digits, "ULL") == 0 && !first) ? digits : 0;
}

/* Pushes the text of the cdata on top. Returns how many bytes of it are an integer, or 0 if it is not one, or the
** program's __tostring raised an error. */
static size_t api_cdata_integer(struct api_walk *a) {
  lua_State *L = a->L;
  if (!luaL_getmetafield(L, -1, "__tostring")) return lua_pushnil(L), 0;
  lua_pushvalue(L, -2);
  return api_call(a, 1, 1) ? api_boxed_digits(L) : 0;
}

/* Returns whether the value at `at` is that of the option null. */
static int api_is_null(const struct api_walk *a, int at) {
  const struct encode_policy *policy = a->walk->policy;
  return FL_UNLIKELY(policy->null != NULL) && lua_type(a->L, at) == policy->null_type &&
         lua_topointer(a->L, at) == policy->null_at;
}

/* Returns whether the text on top is that of a cdata null pointer. A host makes a new one each time it needs a null. */
static int api_is_null_pointer(const struct api_walk *a) {
  static const char end[] = ">: NULL";
  size_t n;
  const char *s = a->walk->policy->null ? lua_tolstring(a->L, -1, &n) : NULL;
  return s && a->walk->policy->null_type == API_TCDATA && n >= sizeof end && memcmp(s, "cdata<", 6) == 0 &&
         memcmp(s + n - (sizeof end - 1), end, sizeof end - 1) == 0;
}

/* Returns whether the cdata on top can be written. If __tostring raises an error that counts as yes, because it raises
** again when the value is written. */
static int api_cdata_is_supported(struct api_walk *a) {
  const int top = lua_gettop(a->L);
  int supported = api_cdata_integer(a) > 0 || api_is_null_pointer(a);
  if (a->walk->out.error) {
    a->walk->out.error = FL_ERROR_NONE;
    a->thrown = 0;
    supported = 1;
  }
  lua_settop(a->L, top);
  return supported;
}

/* Returns whether skip_unsupported keeps the value on top. */
static int api_supported(struct api_walk *a) {
  lua_State *L = a->L;
  int supported;
  if (api_is_null(a, -1)) return 1;
  switch (lua_type(L, -1)) {
  case LUA_TFUNCTION:
  case LUA_TTHREAD: return 0;
  case LUA_TUSERDATA:
    if (api_is_of_kind(a)) return 1;
    if (!lua_getmetatable(L, -1)) return 0;
    supported = lua_topointer(L, -1) == a->shared->raw_metatable || exact_test(L, -2);
    if (!supported && a->walk->policy->rules->hooks == ENCODE_HOOKS_ALL) {
      compat_get_field(L, -1, "__tojson");
      supported = !lua_isnil(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return supported;
  case LUA_TLIGHTUSERDATA: return api_sentinel(a, lua_touserdata(L, -1)) != NULL;
  case API_TCDATA: return a->walk->policy->rules->boxed_integers && api_cdata_is_supported(a);
  default: return 1;
  }
}

/* Returns the text of a number that is written as it is, or fails. */
static const char *api_allowed_number(struct api_walk *a, const char *text, size_t n) {
  if (json_number_is_safe(a->walk->out.style, text, text + n)) return text;
  api_fail(a, FL_ERROR_UNSAFE, "");
  return NULL;
}

FL_PRIVATE const char *api_other_text(struct api_walk *a, size_t *n) {
  lua_State *L = a->L;
  const struct encode_rules *rules = a->walk->policy->rules;
  const int at = lua_gettop(L);
  const struct exact_number *exact;
  const char *text;
  *n = 4;
  if (api_is_null(a, at)) return "null";
  switch (lua_type(L, at)) {
  case LUA_TLIGHTUSERDATA:
    if ((text = api_sentinel(a, lua_touserdata(L, at))) == NULL) {
      api_fail(a, FL_ERROR_TYPE, rules->errors == ENCODE_ERRORS_WITH_PATH ? "light userdata" : "userdata");
      return NULL;
    }
    *n = strlen(text);
    return text;
  case LUA_TUSERDATA:
    if ((exact = exact_test(L, at)) != NULL) {
      *n = exact->n;
      return api_allowed_number(a, exact->text, exact->n);
    }
    if (!lua_getmetatable(L, at)) break;
    if (lua_topointer(L, -1) == a->shared->raw_metatable) {
      *n = (size_t)lua_rawlen(L, at);
      return (const char *)lua_touserdata(L, at);
    }
    if (rules->hooks == ENCODE_HOOKS_ALL && api_meta_field(L, at + 1, "__tojson")) {
      lua_remove(L, at + 1);
      return api_call_tojson(a, n);
    }
    break;
  case API_TCDATA:
    if (!rules->boxed_integers) break;
    if ((*n = api_cdata_integer(a)) > 0) return api_allowed_number(a, lua_tostring(L, -1), *n);
    if (a->walk->out.error) return NULL;
    *n = 4;
    if (api_is_null_pointer(a)) return "null";
    break;
  default: break;
  }
  lua_settop(L, at);
  api_fail(a, FL_ERROR_TYPE, lua_typename(L, lua_type(L, at)));
  return NULL;
}

FL_PRIVATE int api_skips(struct api_walk *a, const struct encode_frame *frame, int slot) {
  const struct json_style *style = a->walk->out.style;
  const int supported = api_supported(a);
  if (frame->is_array) return !supported;
  const int key = api_current_key(a, frame, slot);
  const int type = lua_type(a->L, key);
  const int refused = style->skip_values_only && type == LUA_TNUMBER && !json_is_key(style, lua_tonumber(a->L, key));
  lua_settop(a->L, slot + 2);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) return !style->skip_values_only;
  return !supported && !refused;
}

/* Writes the text that stands for the value at `at`, which becomes the top. */
static char *api_write_text(struct api_walk *a, char *w, const char *s, size_t n, int at) {
  w = json_write_raw(&a->walk->out, w, s, n);
  if (w) lua_settop(a->L, at);
  return w;
}

/* Writes the userdata, light userdata or cdata on top, which stays. */
FL_NOINLINE char *api_write_other(struct api_walk *a, char *w) {
  lua_State *L = a->L;
  size_t n;
  if (FL_UNLIKELY(a->ops != NULL) && a->ops->write_other) return a->ops->write_other(a, w);
  if (lua_type(L, -1) == LUA_TUSERDATA && api_is_of_kind(a)) return a->shared->kind->write(a, w);
  const int at = lua_gettop(L);
  const char *text = api_other_text(a, &n);
  return text ? api_write_text(a, w, text, n, at) : NULL;
}

FL_PRIVATE char *api_begin_level(struct api_walk *a, char *w, const struct api_opened *f, int table, int *opened) {
  if (f->empty) {
    lua_settop(a->L, table);
    memcpy(w, api_brackets[f->is_array], 2);
    return w + 2;
  }
  api_push_level(a, f, table);
  struct encode_frame *frame = &a->walk->frames[a->depth - 1];
  frame->opened = (size_t)(w - a->walk->out.buffer.begin);
  if (a->callbacks->go_on && (f->kind == API_PAIRS || (f->kind == API_ITEMS && !f->counted)))
    frame->base = frame->table;
  *w++ = api_brackets[f->is_array][0];
  *opened = API_OPENED;
  return w;
}

/* Writes the table on top, or opens it as a level and sets *opened. After an error the table is where it was, with
** anything above it. */
FL_NOINLINE char *api_write_table(struct api_walk *a, char *w, int *opened) {
  const struct json_out *out = &a->walk->out;
  struct api_opened f;
  int table = lua_gettop(a->L);
  if (FL_UNLIKELY(a->ops != NULL)) return a->ops->write_table(a, w, opened);
  if (a->callbacks->try_raw && !a->tried) {
    const size_t place = (size_t)(w - out->buffer.begin);
    char *end = a->callbacks->try_raw(a, w, opened);
    if (end || out->error) return end;
    w = out->buffer.begin + place;
  }
  a->tried = 0;
  /* Starting over needs the text still there and the pair of the level before in its place; and a handler is asked
  ** once for each value. */
  if (out->buffer.drain || a->depth >= API_LEVELS - 1 || a->limit || a->on_error) a->visit_all_keys = 1;
  if (!api_open_table(a, table, &f)) return NULL;
  return f.text ? api_write_text(a, w, f.text, f.text_length, table) : api_begin_level(a, w, &f, table, opened);
}

/* Writes the value on top; it stays there, or becomes a level. JSON_TEXT_ROOM bytes must be reserved; more than the
** comma's are afterwards. `often`: where strings are many, all escapings are inline. */
FL_INLINE char *api_write_value(struct api_walk *a, char *w, int *opened, int often) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  size_t n;
  const char *s;
  switch (lua_type(L, -1)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, -1, &n);
    if (FL_LIKELY(out->style->escape == JSON_ESCAPE_JSON)) return json_write_string(out, w, s, n, JSON_ESCAPE_JSON);
    return often ? json_write_string(out, w, s, n, (int)out->style->escape)
                 : json_write_string_styled(out, w, s, n, (int)out->style->escape);
  case LUA_TNUMBER:
    if (compat_is_integer(L, -1)) return json_write_integer_styled(out, w, compat_to_integer(L, -1));
    return json_write_double_styled(out, w, lua_tonumber(L, -1));
  case LUA_TTABLE: return api_write_table(a, w, opened);
  case LUA_TBOOLEAN:
    if (lua_toboolean(L, -1)) {
      memcpy(w, "true", 4);
      return w + 4;
    }
    memcpy(w, "false", 5);
    return w + 5;
  case LUA_TNIL: memcpy(w, "null", 4); return w + 4;
  default: return api_write_other(a, w);
  }
}

/* Tests whether a string or number can be written before its first byte is written, so that a handler's replacement can
** take its place. */
static int api_scalar_holds(struct api_walk *a) {
  lua_State *L = a->L;
  const struct json_style *style = a->walk->out.style;
  size_t n;
  if (lua_type(L, -1) != LUA_TSTRING) return 1;
  if (style->escape != JSON_ESCAPE_JSON && style->escape != JSON_ESCAPE_GENERAL) return 1;
  const char *s = lua_tolstring(L, -1, &n);
  return json_utf8_holds(&a->walk->out, s, n);
}

/* Called after api_write_value failed, or instead of it if there is a handler. NULL: the message is on top. */
FL_NOINLINE char *api_write_guarded_(struct api_walk *a, char *w, int at, int *opened) {
  struct json_out *out = &a->walk->out;
  struct buffer *b = &out->buffer;
  int tries = 0;
  for (;;) {
    if (out->error == FL_ERROR_NONE) {
      w = json_reserve(out, w, JSON_TEXT_ROOM);
      if (w) {
        /* Most values fail before their first byte, but a view fails where its text cannot be written: nothing of it is
        ** passed on until it is complete, so that a replacement can take its place. */
        const size_t place = (size_t)(w - b->begin);
        const buf_drain drain = b->drain;
        if (lua_type(a->L, -1) == LUA_TUSERDATA) b->drain = NULL;
        char *end = api_scalar_holds(a) ? api_write_value(a, w, opened, 0) : NULL;
        b->drain = drain;
        if (end) return end;
        w = b->begin + place;
      }
    }
    const int asks = out->error != FL_ERROR_REPLACED;
    if (a->thrown || !api_replace(a, at, a->depth, tries)) return NULL;
    tries += asks;
  }
}

/* Like api_write_value for the value at `at`, the top; a handler may replace it. NULL: the message is on top. */
FL_INLINE char *api_write_guarded(struct api_walk *a, char *w, int at, int *opened, int often) {
  char *end = NULL;
  if (FL_LIKELY(!a->on_error)) {
    end = json_reserve(&a->walk->out, w, JSON_TEXT_ROOM);
    if (FL_LIKELY(end != NULL)) end = api_write_value(a, end, opened, often);
    if (FL_LIKELY(end != NULL)) return end;
  }
  return api_write_guarded_(a, w, at, opened);
}

/* Writes the key at index `key`, which stays, in quotes: the rare cases. NULL: the message is on top. */
FL_NOINLINE char *api_write_key_(struct api_walk *a, char *w, int key) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  const enum encode_keys keys = a->walk->policy->rules->keys;
  int at, tries = 0;
  lua_pushvalue(L, key);
  at = lua_gettop(L);
  for (;;) {
    char *end = NULL;
    if (out->error == FL_ERROR_NONE) {
      w = json_reserve(out, w, JSON_TEXT_ROOM);
      if (w && lua_type(L, at) == LUA_TSTRING) {
        size_t n;
        const char *s = lua_tolstring(L, at, &n);
        if (api_scalar_holds(a)) end = json_write_string_(out, w, s, n, (int)out->style->escape);
      } else if (w && lua_type(L, at) == LUA_TNUMBER && keys != ENCODE_KEYS_REFUSED) {
        *w = '"';
        end = compat_is_integer(L, at) ? num_write_i64(w + 1, compat_to_integer(L, at))
                                       : json_write_double_key(out, w + 1, lua_tonumber(L, at));
        if (end) *end++ = '"';
      } else if (w) {
        api_fail(a, FL_ERROR_KEY, luaL_typename(L, at));
      }
      if (end) {
        lua_settop(L, at - 1);
        return end;
      }
    }
    if (out->error == FL_ERROR_UTF8) out->error = FL_ERROR_KEY_UTF8;
    if (!api_replace(a, at, a->depth - 1, tries++)) return NULL;
  }
}

FL_INLINE char *api_write_key(struct api_walk *a, char *w, int key) {
  if (FL_LIKELY(lua_type(a->L, key) == LUA_TSTRING && !a->on_error)) {
    size_t n;
    const char *s = lua_tolstring(a->L, key, &n);
    char *end = json_write_string(&a->walk->out, w, s, n, (int)a->walk->out.style->escape);
    if (FL_LIKELY(end != NULL)) return end;
  }
  return api_write_key_(a, w, key);
}

/* Reports lack of memory, or a sink that refused, in a message without a path. */
FL_NOINLINE char *api_out_of_room(struct api_walk *a) {
  if (!a->thrown && a->walk->policy->rules->errors != ENCODE_ERRORS_BARE) api_push_message(a, 0);
  return NULL;
}

static char *api_close(struct api_walk *a, char *w, int lines) {
  struct json_out *out = &a->walk->out;
  const struct json_style *style = out->style;
  int is_array = a->walk->frames[a->depth - 1].is_array;
  if (w[-1] == ',') w--;
  /* with break_empty_objects, the previous byte may have been passed on already */
  if (lines && !(is_array && style->items_on_one_line) &&
      (style->break_empty_objects || (w[-1] != '[' && w[-1] != '{')))
    w = json_write_line(out, w, a->depth - 1);
  if (w) w = json_reserve(out, w, JSON_TEXT_ROOM);
  if (!w) return api_out_of_room(a);
  *w++ = api_brackets[is_array][1];
  if (FL_UNLIKELY(a->ops != NULL) && a->ops->close) a->ops->close(a, api_slot(a));
  api_pop_level(a);
  return w;
}

/* Returns whether there is enough text for this part. */
FL_INLINE int api_is_full(const struct api_walk *a, const char *w) {
  return (size_t)(w - a->walk->out.buffer.begin) > a->limit - 1; /* never if the limit is 0 */
}

/* Writes the number at the index without looking at options. NULL after an error. */
FL_INLINE char *api_write_number(lua_State *L, struct json_out *out, char *w, int at) {
  w = json_reserve(out, w, JSON_NUMBER_ROOM);
  if (FL_UNLIKELY(!w)) return NULL;
  return compat_is_integer(L, at) ? num_write_i64(w, compat_to_integer(L, at))
                                  : json_write_double(out, w, lua_tonumber(L, at));
}

/* Writes strings and numbers in a row, which most arrays mainly contain: eight values for one lua_settop, without
** looking at options. Stops before another value, with a comma if anything was written. */
static char *api_write_run(struct api_walk *a, char *w, struct encode_frame *frame, int slot) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  int pushed = 0;
  for (; frame->i < frame->n; frame->i++) {
    if (pushed++ == 8) {
      lua_settop(L, slot + 1);
      if (FL_UNLIKELY(api_is_full(a, w))) break;
      pushed = 1;
    }
    const int type = api_push_item(L, slot, frame->i + 1);
    if (FL_LIKELY(type == LUA_TSTRING)) {
      size_t n;
      const char *s = lua_tolstring(L, -1, &n);
      w = json_write_string(out, w, s, n, JSON_ESCAPE_JSON);
    } else if (type == LUA_TNUMBER) {
      w = api_write_number(L, out, w, -1);
    } else {
      break;
    }
    if (FL_UNLIKELY(!w)) {
      frame->i++;
      api_replace(a, lua_gettop(L), a->depth, 1);
      return NULL;
    }
    *w++ = ',';
  }
  lua_settop(L, slot + 1);
  return w;
}

/* Like api_write_run, for the pairs of an object. Stops with the pair before another value pending, or at the end. */
static char *api_write_pairs(struct api_walk *a, char *w, struct encode_frame *frame, int slot) {
  lua_State *L = a->L;
  struct json_out *out = &a->walk->out;
  int more = 0;
  for (;;) {
    size_t n;
    if (!frame->pending) {
      lua_settop(L, slot + 1);
      more = api_next(a, frame, slot);
      if (more <= 0) break;
    }
    frame->pending = 1;
    const int type = lua_type(L, slot + 2);
    if (FL_UNLIKELY(type != LUA_TSTRING && type != LUA_TNUMBER) || lua_type(L, slot + 1) != LUA_TSTRING) return w;
    const char *s = lua_tolstring(L, slot + 1, &n);
    w = json_write_string(out, w, s, n, JSON_ESCAPE_JSON);
    if (FL_UNLIKELY(!w)) {
      if (out->error == FL_ERROR_UTF8) out->error = FL_ERROR_KEY_UTF8;
      api_replace(a, slot + 1, a->depth - 1, 1);
      return NULL;
    }
    *w++ = ':';
    if (FL_LIKELY(type == LUA_TSTRING)) {
      s = lua_tolstring(L, slot + 2, &n);
      w = json_write_string(out, w, s, n, JSON_ESCAPE_JSON);
    } else {
      w = api_write_number(L, out, w, slot + 2);
    }
    if (FL_UNLIKELY(!w)) {
      api_replace(a, slot + 2, a->depth, 1);
      return NULL;
    }
    *w++ = ',';
    frame->pending = 0;
    if (FL_UNLIKELY(api_is_full(a, w))) return w;
  }
  if (FL_UNLIKELY(more < 0) && !api_may_substitute(a, slot)) return NULL;
  frame->pending = -1;
  return w;
}

/* Returns whether the value contains no others and calls no hook. */
FL_INLINE int api_is_leaf(lua_State *L, int at) {
  const int type = lua_type(L, at);
  return type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN;
}

/* Returns whether all items from the frame's current one on, which is on top, exist. */
FL_NOINLINE int api_has_items(lua_State *L, const struct encode_frame *frame, int slot) {
  int type = lua_type(L, -1);
  size_t i;
  for (i = frame->i + 1; type != LUA_TNIL && i <= frame->n; i++) {
    if (lua_gettop(L) == slot + 9) lua_settop(L, slot + 2);
    type = api_push_item(L, slot, i);
  }
  return type != LUA_TNIL;
}

/* api_write_guarded for the root, and for tables whose writing begins again. */
FL_NOINLINE char *api_write_one(struct api_walk *a, char *w, int at, int *opened) {
  return api_write_guarded(a, w, at, opened, 0);
}

/* The innermost level was taken for an array by its count, but is not: makes its table the value again and removes its
** text, which has only strings, numbers and booleans. */
FL_NOINLINE char *api_reopen(struct api_walk *a, int slot, int *opened) {
  struct encode_state *c = a->walk;
  char *w = c->out.buffer.begin + c->frames[a->depth - 1].opened;
  lua_settop(a->L, slot);
  a->depth--;
  a->visit_all_keys = 1;
  return api_write_one(a, w, slot, opened);
}

/* Stops because the text of this part is full; the walk can continue from its levels alone. */
FL_NOINLINE char *api_pause(struct api_walk *a, char *w, int opened) {
  struct encode_frame *frame = &a->walk->frames[a->depth - 1];
  const int slot = api_slot(a);
  a->opened = opened;
  if (frame->pending) { /* it was just opened, so it begins again */
    lua_settop(a->L, slot);
    lua_pushnil(a->L);
    frame->pending = 0;
  }
  lua_settop(a->L, slot + 1);
  return w;
}

FL_PRIVATE char *api_write_levels(struct api_walk *a, char *w, int opened) {
  lua_State *L = a->L;
  struct encode_state *c = a->walk;
  const struct json_style *style = c->out.style;
  const int lines = style->indent_length != 0;
  while (w && a->depth > 0) {
    struct encode_frame *frame = &c->frames[a->depth - 1];
    int slot = api_slot(a), more;
    if (FL_UNLIKELY(opened == API_VALUE)) {
      opened = API_AFTER_VALUE;
      w = api_write_one(a, w, slot + 2, &opened);
      continue;
    }
    if (FL_UNLIKELY(frame->base != NULL)) {
      w = a->callbacks->go_on(a, w, &opened);
      if (!w || opened == API_VALUE || !a->tried) continue;
    }
    if (FL_UNLIKELY(api_is_full(a, w))) return api_pause(a, w, opened);
    if (opened) opened = 0;
    else *w++ = ',';
    if (a->bulk_scalars && (int)frame->kind <= API_NEXT) {
      w = (int)frame->kind == API_NEXT    ? api_write_pairs(a, w, frame, slot)
          : (int)frame->kind == API_ITEMS ? api_write_run(a, w, frame, slot)
                                          : w;
      if (FL_UNLIKELY(!w)) return NULL;
    }
    more = api_next_value(a, frame, slot);
    if (FL_UNLIKELY(more < 0)) return NULL;
    if (more == 0) {
      w = api_close(a, w, lines);
      continue;
    }
    if (frame->counted && FL_LIKELY(!api_is_leaf(L, slot + 2))) {
      if (FL_UNLIKELY(!api_has_items(L, frame, slot))) {
        w = api_reopen(a, slot, &opened);
        continue;
      }
      lua_settop(L, slot + 2);
      frame->counted = 0;
    }
    if (lines && !(frame->is_array && style->items_on_one_line) && !(w = json_write_line(&c->out, w, a->depth)))
      return api_out_of_room(a);
    if (!frame->is_array) {
      w = api_write_key(a, w, api_current_key(a, frame, slot));
      if (FL_UNLIKELY(!w)) return NULL;
      if ((int)frame->kind == API_PAIRS) lua_settop(L, slot + 2);
      *w++ = ':';
      if (lines && !style->no_space) *w++ = ' ';
    }
    w = api_write_guarded(a, w, slot + 2, &opened, 1);
  }
  return w;
}

FL_PRIVATE char *api_write(struct api_walk *a, char *w) {
  int opened = 0;
  w = api_write_one(a, w, a->levels, &opened);
  return api_write_levels(a, w, opened);
}

FL_INLINE size_t api_levels_on_stack(const struct api_walk *a) { return a->depth < API_LEVELS ? a->depth : API_LEVELS; }

/* Returns the number of the level whose pair is the n-th on the stack. */
FL_INLINE size_t api_level_at(const struct api_walk *a, size_t n) { return n < API_LEVELS ? n : a->depth; }

FL_PRIVATE void api_park(struct api_walk *a) {
  for (size_t n = 1; n <= api_levels_on_stack(a); n++) api_spill_pair(a, api_slot_of(a, n), api_level_at(a, n));
  for (size_t i = 2 * a->depth + 1; i <= 2 * a->stored; i++) { /* closed since */
    lua_pushnil(a->L);
    lua_rawseti(a->L, a->spill, (int)i);
  }
  a->stored = a->depth;
  lua_settop(a->L, a->levels - 1);
}

FL_PRIVATE void api_unpark(struct api_walk *a) {
  a->shared->calls.count++; /* the tables may have changed meanwhile */
  for (size_t n = 1; n <= api_levels_on_stack(a); n++) api_push_spilled(a, api_level_at(a, n));
}
