/* SPDX-License-Identifier: MIT */
#include "to_lua.h"

enum {
  LUAJSON_HAS_KEY = 1,
  LUAJSON_HAS_VALUE = 2,
  LUAJSON_HAS_ELEMENTS = 4,
  LUAJSON_HAS_NIL = 8,
  LUAJSON_HAS_NAN = 16 /* a name is */
};

/* Kinds of containers, besides SCAN_OBJECT. */
#define LUAJSON_KIND_ARRAY SCAN_OTHER
#define LUAJSON_KIND_CALL ((enum scan_container)(SCAN_OTHER + 1))

/* An error of the order of tokens, at p; the text from there on is read for errors of tokens. */
FL_NOINLINE const char *luajson_fail_(struct json_to_lua *k, const struct luajson_reader *r, int error, const char *p) {
  struct json_scan *j = &k->scan;
  struct luajson_token token;
  const char *at = p;
  const int top = lua_gettop(k->L);
  token.plain_until = NULL;
  while ((p = luajson_space(j, r->rules, p)) != j->end) {
    if (!(p = luajson_next_token(k, r, p, &token))) return NULL;
    if (lua_gettop(k->L) > top) lua_settop(k->L, top);
  }
  return json_scan_error(j, error, at);
}

static void luajson_push(struct json_to_lua *k, int index) {
  json_to_lua_reserve(k, 1);
  lua_pushvalue(k->L, index);
}

/* The value of an element is complete; if there is none, it is undefined or null where `empty` allows that. Returns an
** error number, or 0. */
static int luajson_take_value(struct json_to_lua *k, const struct luajson_reader *r, enum luajson_flag empty) {
  if (!(k->shape & LUAJSON_HAS_VALUE)) {
    if (!luajson_has(r->rules, empty)) return LUAJSON_ERROR_NO_VALUE;
    luajson_push(k, luajson_has(r->rules, LUAJSON_UNDEFINED) ? r->undefined : r->null);
  }
  if (lua_isnil(k->L, -1)) k->shape |= LUAJSON_HAS_NIL;
  k->shape |= LUAJSON_HAS_ELEMENTS;
  k->shape &= ~(uint32_t)(LUAJSON_HAS_VALUE | LUAJSON_HAS_KEY);
  return 0;
}

/* At a comma, or with `closes` at the end of the container. Returns an error number, or 0. */
static int luajson_end_element(struct json_to_lua *k, const struct luajson_reader *r, int closes) {
  const uint32_t has = k->shape & (LUAJSON_HAS_KEY | LUAJSON_HAS_VALUE);
  int error;
  if (closes && !(k->shape & ~(uint32_t)LUAJSON_HAS_NIL)) return 0;
  if (k->frame->kind == SCAN_ROOT) return LUAJSON_ERROR_COMMA;
  if (k->frame->kind != SCAN_OBJECT) {
    const int call = k->frame->kind == LUAJSON_KIND_CALL;
    if (closes && !has && luajson_has(r->rules, call ? LUAJSON_CALLS_COMMA : LUAJSON_ARRAY_COMMA)) return 0;
    return luajson_take_value(k, r, call ? LUAJSON_CALLS_EMPTY : LUAJSON_ARRAY_EMPTY);
  }
  if (closes && !has && luajson_has(r->rules, LUAJSON_OBJECT_COMMA)) return 0;
  if (!(has & LUAJSON_HAS_KEY)) return LUAJSON_ERROR_NO_KEY;
  if ((error = luajson_take_value(k, r, LUAJSON_OBJECT_EMPTY)) != 0) return error;
  return k->shape & LUAJSON_HAS_NAN && !r->set ? LUAJSON_ERROR_NAN_KEY : 0;
}

/* The value becomes a key. Returns an error number, or 0. */
static int luajson_take_key(struct json_to_lua *k, const struct luajson_reader *r) {
  const int numbers = luajson_has(r->rules, LUAJSON_NUMBER_KEYS);
  const int type = lua_type(k->L, -1);
  if (k->frame->kind != SCAN_OBJECT) return LUAJSON_ERROR_KEY_ON_ARRAY;
  if (!(k->shape & LUAJSON_HAS_VALUE)) return LUAJSON_ERROR_NO_VALUE;
  if (k->shape & LUAJSON_HAS_KEY) return LUAJSON_ERROR_COLON;
  if (type != LUA_TSTRING && !(numbers && type == LUA_TNUMBER))
    return numbers ? LUAJSON_ERROR_KEY_NUMBER : LUAJSON_ERROR_KEY_STRING;
  k->shape ^= LUAJSON_HAS_VALUE | LUAJSON_HAS_KEY;
  if (type == LUA_TNUMBER && lua_tonumber(k->L, -1) != lua_tonumber(k->L, -1)) k->shape |= LUAJSON_HAS_NAN;
  return 0;
}

/* ------------------------------------------------------------------------------------- tables */

/* Ends an array. If items are nil, its length depends on how it is filled: in LuaJSON's order. */
static void luajson_build_array(struct json_to_lua *k, const struct luajson_reader *r) {
  lua_State *L = k->L;
  const size_t start = k->frame->start, n = k->spilled + json_to_lua_on_stack(k) - start;
  const int odd = r->init || k->shape & LUAJSON_HAS_NIL;
  int table;
  size_t i;
  lua_createtable(L, odd ? 0 : json_to_lua_count(n), 0);
  table = lua_gettop(L);
  if (r->init) {
    lua_pushvalue(L, r->init);
    lua_pushvalue(L, table);
    lua_call(L, 1, 1);
    if (lua_toboolean(L, -1)) lua_replace(L, table);
    lua_settop(L, table);
    luaL_checktype(L, table, LUA_TTABLE);
  } else {
    json_to_lua_set_result_metatable(k, 1, n);
  }
  for (i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + i);
    lua_rawseti(L, table, (int)i + 1);
  }
  if (odd && lua_rawlen(L, table) != n) {
    lua_pushliteral(L, "n");
    lua_pushinteger(L, (lua_Integer)n);
    lua_rawset(L, table);
  }
  json_to_lua_collapse(k, start);
}

static void luajson_build_object(struct json_to_lua *k, const struct luajson_reader *r) {
  lua_State *L = k->L;
  const size_t start = k->frame->start, n = (k->spilled + json_to_lua_on_stack(k) - start) / 2;
  size_t i;
  lua_createtable(L, 0, json_to_lua_count(n));
  for (i = 0; i < n; i++) {
    if (r->set) {
      lua_pushvalue(L, r->set);
      lua_pushvalue(L, -2);
    }
    json_to_lua_push_waiting(k, start + 2 * i);
    json_to_lua_push_waiting(k, start + 2 * i + 1);
    if (r->set) lua_call(L, 3, 0);
    else lua_rawset(L, -3);
  }
  json_to_lua_collapse(k, start);
}

/* Ends a call: its name, its function and the arguments wait. */
static void luajson_build_call(struct json_to_lua *k, const struct luajson_reader *r) {
  lua_State *L = k->L;
  const size_t start = k->frame->start, n = k->spilled + json_to_lua_on_stack(k) - start;
  size_t i;
  if (n > INT_MAX / 2 || !lua_checkstack(L, (int)n + JSON_TO_LUA_MARGIN)) luaL_error(L, "too many results to unpack");
  json_to_lua_push_waiting(k, start + 1);
  if (lua_isboolean(L, -1)) {
    lua_pop(L, 1);
    lua_pushvalue(L, r->build_call);
  }
  json_to_lua_push_waiting(k, start);
  for (i = 2; i < n; i++) json_to_lua_push_waiting(k, start + i);
  lua_call(L, (int)n - 1, 1);
  json_to_lua_collapse(k, start);
}

/* ------------------------------------------------------------------------------------- the text */

/* At the parenthesis of a call. Returns an error number, or 0. */
static int luajson_begin_call(struct json_to_lua *k, const struct luajson_reader *r, const struct luajson_token *t) {
  struct json_scan *j = &k->scan;
  if (k->shape & LUAJSON_HAS_VALUE) return LUAJSON_ERROR_TWICE;
  if (j->depth == j->max_depth) return JSON_CHECK_DEPTH;
  if (t->string.s) { /* of any name */
    json_to_lua_api_string(k, t->string.s, t->string.n);
    json_to_lua_api_boolean(k, 1);
  } else if (lua_isboolean(k->L, -1) && !lua_toboolean(k->L, -1)) {
    lua_pop(k->L, 1);
    lua_replace(k->L, r->denied);
    return LUAJSON_ERROR_DENIED;
  }
  j->depth++;
  json_to_lua_open(k, LUAJSON_KIND_CALL, k->spilled + json_to_lua_on_stack(k) - 2, 0);
  return 0;
}

/* At a bracket, colon or comma. Returns an error number, or 0. */
static int luajson_read_mark(struct json_to_lua *k, const struct luajson_reader *r, char mark) {
  struct json_scan *j = &k->scan;
  const enum scan_container kind = mark == '{' || mark == '}' ? SCAN_OBJECT
                                   : mark == ')'              ? LUAJSON_KIND_CALL
                                                              : LUAJSON_KIND_ARRAY;
  int error;
  switch (mark) {
  case '[':
  case '{':
    if (k->shape & LUAJSON_HAS_VALUE) return LUAJSON_ERROR_TWICE;
    if (j->depth == j->max_depth) return JSON_CHECK_DEPTH;
    j->depth++;
    json_to_lua_begin_container(k, kind, 0);
    return 0;
  case ']':
  case '}':
  case ')':
    if (k->frame->kind != kind) return LUAJSON_ERROR_BRACKET;
    if ((error = luajson_end_element(k, r, 1)) != 0) return error;
    if (kind == SCAN_OBJECT) luajson_build_object(k, r);
    else if (kind == LUAJSON_KIND_CALL) luajson_build_call(k, r);
    else luajson_build_array(k, r);
    (void)json_to_lua_close(k);
    j->depth--;
    k->shape |= LUAJSON_HAS_VALUE;
    return 0;
  case ':': return luajson_take_key(k, r);
  default: return luajson_end_element(k, r, 0);
  }
}

/* Pushes the value of a token, whose text is [p, behind). Returns an error number, or 0. */
static int luajson_push_value(struct json_to_lua *k, const struct luajson_reader *r, const struct luajson_token *t,
                              const char *p, const char *behind) {
  if (k->shape & LUAJSON_HAS_VALUE) return LUAJSON_ERROR_TWICE;
  k->shape |= LUAJSON_HAS_VALUE;
  if (t->kind == LUAJSON_NUMBER) {
    json_to_lua_api_parsed(k, p, (size_t)(behind - p), &t->number);
  } else if (t->kind != LUAJSON_WORD) {
    if (t->string.s) json_to_lua_api_string(k, t->string.s, t->string.n);
    return t->kind == LUAJSON_NAME ? luajson_take_key(k, r) : 0;
  } else if (t->word == JSON_LITERAL_NULL || t->word == JSON_LITERAL_UNDEFINED) {
    luajson_push(k, t->word == JSON_LITERAL_NULL ? r->null : r->undefined);
  } else {
    json_to_lua_api_boolean(k, t->word == JSON_LITERAL_TRUE);
  }
  return 0;
}

FL_PRIVATE_NOINLINE const char *luajson_scan_(struct json_to_lua *k, const struct luajson_reader *r, const char *p) {
  struct json_scan *j = &k->scan;
  struct luajson_token token;
  int is_table = 0, error; /* has a table been read last? */
  k->shape = 0;
  token.plain_until = NULL;
  while ((p = luajson_space(j, r->rules, p)) != j->end) {
    const char *q = luajson_next_token(k, r, p, &token);
    if (!q) return NULL;
    if (token.kind == LUAJSON_MARK) {
      error = luajson_read_mark(k, r, token.mark);
      if (strchr("[]{})", token.mark)) is_table = token.mark != '[' && token.mark != '{' && lua_istable(k->L, -1);
    } else if (token.kind == LUAJSON_CALL) {
      error = luajson_begin_call(k, r, &token);
      is_table = 0;
    } else {
      error = luajson_push_value(k, r, &token, p, q);
      is_table = lua_istable(k->L, -1);
    }
    if (error) return luajson_fail_(k, r, error, p);
    p = q;
  }
  if (luajson_has(r->rules, LUAJSON_INITIAL_OBJECT) && !is_table) return json_scan_error(j, LUAJSON_ERROR_INITIAL, p);
  if (k->frame->kind != SCAN_ROOT) return json_scan_error(j, LUAJSON_ERROR_UNCLOSED, p);
  return k->shape & LUAJSON_HAS_VALUE ? p : json_scan_error(j, LUAJSON_ERROR_EMPTY, p);
}
