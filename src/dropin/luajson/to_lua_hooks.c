/* SPDX-License-Identifier: MIT */
#include "to_lua_hooks.h"

/* Calls the function on top for the text at p and replaces it by the value that it returns. NULL: it takes nothing,
** and a nil replaces it. */
static const char *luajson_match(struct json_to_lua *k, const struct luajson_reader *r, const char *p) {
  lua_State *L = k->L;
  const struct json_scan *j = &k->scan;
  lua_Number behind;
  lua_pushvalue(L, r->text);
  lua_pushinteger(L, (lua_Integer)(p - j->begin) + 1);
  lua_call(L, 2, 2);
  lua_insert(L, -2);
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 2);
    lua_pushnil(L);
    return NULL;
  }
  behind = lua_tonumber(L, -1) - 1;
  if (!(behind >= (lua_Number)(p - j->begin) && behind <= (lua_Number)(j->end - j->begin)))
    luaL_error(L, "invalid place in the text returned");
  lua_pop(L, 1);
  return j->begin + (size_t)behind;
}

/* The call at p of one of the names. Leaves its name and what to call on the stack; NULL: there is none, and nothing is
** left. */
static const char *luajson_defined_call(struct json_to_lua *k, const struct luajson_reader *r, const char *p,
                                        struct luajson_token *t) {
  lua_State *L = k->L;
  const int n = (int)lua_rawlen(L, r->defs);
  int i;
  json_to_lua_reserve(k, 2);
  for (i = 1; i < n; i += 2) {
    const char *q = NULL, *name;
    size_t length;
    lua_rawgeti(L, r->defs, i);
    if (lua_isfunction(L, -1)) {
      q = luajson_match(k, r, p);
    } else {
      name = lua_tolstring(L, -1, &length);
      if ((size_t)(k->scan.end - p) > length && memcmp(p, name, length) == 0 && p[length] == '(') q = p + length + 1;
    }
    if (q) {
      lua_rawgeti(L, r->defs, i + 1);
      t->kind = LUAJSON_CALL;
      t->string.s = NULL;
      return q;
    }
    lua_pop(L, 1);
  }
  return NULL;
}

/* Adds what the function at the index returns for the escape at p; NULL: nothing. */
static const char *luajson_match_escape(struct json_to_lua *k, const struct luajson_reader *r, int function,
                                        luaL_Buffer *b, const char *p) {
  const char *q;
  lua_pushvalue(k->L, function);
  if (!(q = luajson_match(k, r, p))) {
    lua_pop(k->L, 1);
    return NULL;
  }
  if (!lua_isstring(k->L, -1)) luaL_error(k->L, "invalid replacement value (a %s)", luaL_typename(k->L, -1));
  luaL_addvalue(b);
  return q;
}

/* Adds the character of the escape whose u is at p, followed by four digits. Returns the byte after it. */
static const char *luajson_hooked_unicode(struct json_to_lua *k, const struct luajson_reader *r, luaL_Buffer *b,
                                          const char *p) {
  lua_State *L = k->L;
  const int top = lua_gettop(L);
  char character[8];
  if (!r->unicode) {
    p--; /* the backslash's place */
    luaL_addlstring(b, character, (size_t)(json_unescape_unicode(&k->scan, character, &p) - character));
    return p;
  }
  lua_pushvalue(L, r->unicode);
  lua_pushlstring(L, p + 1, 2);
  lua_pushlstring(L, p + 3, 2);
  lua_call(L, 2, LUA_MULTRET);
  if (lua_gettop(L) == top) { /* as in a substitution of LPeg, the text remains */
    luaL_addlstring(b, p, 5);
    return p + 5;
  }
  lua_settop(L, top + 1);
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(b);
  return p + 5;
}

/* Adds what the escape means whose backslash is before p. Returns the byte after it; NULL: an error, which j->error
** tells, or it is not an escape. */
static const char *luajson_hooked_escape(struct json_to_lua *k, const struct luajson_reader *r, luaL_Buffer *b,
                                         const char *p) {
  struct json_scan *j = &k->scan;
  const char *q, *letter = p;
  char c;
  if (r->more && (q = luajson_match_escape(k, r, r->more, b, p)) != NULL) return q;
  if (r->check) {
    q = (letter = luajson_match_escape(k, r, r->check, b, p)) != NULL ? luajson_escape_letter(j, letter) : NULL;
    if (!q) return j->error ? NULL : json_scan_error(j, LUAJSON_ERROR_ESCAPE, p);
  } else if (!(q = luajson_escape(j, r->rules, p))) {
    return NULL;
  }
  if (*letter == 'u') return luajson_hooked_unicode(k, r, b, letter);
  if (*letter == 'x') c = luajson_hex_escape(letter + 1);
  else if (!luajson_short_escape(&c, *letter)) return q;
  luaL_addlstring(b, &c, 1);
  return q;
}

/* The string whose opening quote is at p, left on the stack. Returns the byte after it; NULL: an error. */
static const char *luajson_hooked_string(struct json_to_lua *k, const struct luajson_reader *r, const char *p,
                                         struct luajson_token *t) {
  struct json_scan *j = &k->scan;
  const char quote = *p, *open = p++;
  luaL_Buffer b;
  t->kind = LUAJSON_STRING;
  t->string.s = NULL;
  j->error = 0;
  json_to_lua_reserve(k, 1);
  compat_need_stack(k->L, LUA_MINSTACK + JSON_TO_LUA_MARGIN);
  luaL_buffinit(k->L, &b);
  while (p && p < j->end && *p != quote && !text_in_set(r->rules->bad, *p)) {
    const char *q = p;
    if (*p == '\\') {
      p = luajson_hooked_escape(k, r, &b, p + 1);
      continue;
    }
    while (p < j->end && *p != quote && *p != '\\' && !text_in_set(r->rules->bad, *p)) p++;
    luaL_addlstring(&b, q, (size_t)(p - q));
  }
  luaL_pushresult(&b);
  if (!p && j->error) return NULL;
  return p && p < j->end && *p == quote ? p + 1 : json_scan_error(j, LUAJSON_ERROR_UNEXPECTED, open);
}

FL_PRIVATE const char *luajson_next_token(struct json_to_lua *k, const struct luajson_reader *r, const char *p,
                                          struct luajson_token *t) {
  const char *q;
  if (r->rules->functions) {
    if ((q = luajson_mark(&k->scan, r->rules, p, t)) != NULL) return q;
    if (r->defs && (q = luajson_defined_call(k, r, p, t)) != NULL) return q;
    if ((r->unicode || r->check || r->more) && luajson_is_quote(r->rules, *p)) return luajson_hooked_string(k, r, p, t);
  }
  return luajson_token(&k->scan, r->rules, p, t);
}
