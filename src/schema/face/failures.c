/* SPDX-License-Identifier: MIT
** failures.c -- makes Lua tables of failures.
** Must hold: as in schema.h. The report's memory is on the Lua stack. */
#include "schema.h"
#include "../../text/general.h"

FL_PRIVATE void mod_schema_push_words(lua_State *L, const char *s, size_t n) {
  static const struct text_style style = {0, 0, 0, 0, 0, TEXT_INVALID_REPLACE};
  if (FL_LIKELY(text_utf8_valid(s, n) == n)) {
    lua_pushlstring(L, s, n);
    return;
  }
  char *const room = (char *)lua_newuserdata(L, 3 * n);
  lua_pushlstring(L, room, (size_t)(text_mend(room, s, n, &style) - room));
  lua_remove(L, -2);
}

/* Pushes the pointer or absolute location of a failure's keyword, measured first and then written. */
static void mod_schema_make_pointer(lua_State *L, const struct schema_program *p, const struct schema_failure *x,
                                    int is_absolute) {
  const struct schema_unit *u = &p->units[x->unit];
  char room[512], *to = room;
  size_t n = sizeof room;
  int i;
  for (i = 0; i < 2; i++) {
    const size_t need = is_absolute ? schema_write_location(p, u, x->place, to, n)
                                    : schema_write_pointer(&p->sources[u->source]->texts, 0, x->place, 0, to, n);
    if (need <= n) {
      lua_pushlstring(L, to, need);
      break;
    }
    to = (char *)lua_newuserdata(L, n = need);
  }
  if (i) lua_remove(L, -2);
}

enum { MOD_SCHEMA_UNIT_BITS = 20 }; /* with a place, 32 bits, a Lua number can have them */

/* Pushes it as the schema keeps it from the first failure of the keyword on: two strings a keyword at most. */
static void mod_schema_push_pointer(struct mod_schema_call *call, const struct schema_failure *x, int is_absolute) {
  lua_State *L = call->L;
  const lua_Number key = (lua_Number)(((uint64_t)x->unit << 32 | x->place) << 1 | (unsigned)is_absolute);
  lua_rawgeti(L, call->kept, MOD_SCHEMA_POINTERS);
  lua_pushnumber(L, key);
  lua_rawget(L, -2);
  if (FL_UNLIKELY(lua_isnil(L, -1)) || FL_UNLIKELY(x->unit >> MOD_SCHEMA_UNIT_BITS)) {
    lua_pop(L, 1);
    mod_schema_make_pointer(L, call->schema->program, x, is_absolute);
    lua_pushnumber(L, key);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
  }
  lua_remove(L, -2);
}

FL_PRIVATE void mod_schema_set_place(struct mod_schema_call *call, uint64_t at) {
  lua_State *L = call->L;
  struct schema_line *last = &call->place;
  size_t n;
  const char *s = lua_tolstring(L, call->text, &n);
  if (at > n) return;
  schema_move_line(last, s, n, (size_t)at);
  lua_pushinteger(L, (lua_Integer)at + 1);
  lua_setfield(L, -2, "byte");
  lua_pushinteger(L, (lua_Integer)last->line + 1);
  lua_setfield(L, -2, "line");
  lua_pushinteger(L, (lua_Integer)last->column + 1);
  lua_setfield(L, -2, "column");
}

FL_PRIVATE void mod_schema_push_step(lua_State *L, const char *s, size_t n) {
  luaL_Buffer b;
  size_t i;
  luaL_buffinit(L, &b);
  for (i = 0; i < n; i++) {
    if (s[i] == '~') luaL_addchar(&b, s[++i] == '0' ? '~' : '/');
    else luaL_addchar(&b, s[i]);
  }
  luaL_pushresult(&b);
}

/* Returns the offset of the value that the JSON Pointer leads to; UINT64_MAX if not found. */
static uint64_t mod_schema_place_of(lua_State *L, struct value_texts *k, const char *s, size_t n) {
  const char *const end = s + n, *slash;
  uint32_t at = 0;
  while (s < end) {
    const char first = value_texts_first(k, at);
    const uint32_t count = k->places[at].n;
    size_t length;
    const char *step;
    int is_there = 0;
    s++;
    slash = (const char *)memchr(s, '/', (size_t)(end - s));
    if (!slash) slash = end;
    if (!value_spend(&k->walk, (uint64_t)count + 1)) return UINT64_MAX;
    if (first == '[') {
      uint64_t i = 0;
      for (; s < slash && i < count; s++) i = 10 * i + (unsigned char)(*s - '0');
      is_there = s == slash && i < count && value_texts_item(k, at, i, &at);
    } else if (first == '{') {
      mod_schema_push_step(L, s, (size_t)(slash - s));
      step = lua_tolstring(L, -1, &length);
      if (!value_texts_has_list(&k->places[at])) k->places[at].bytes = 0; /* not sorted: names may occur twice */
      is_there = value_texts_find_member(k, at, step, length, &at);
      lua_pop(L, 1);
    }
    if (!is_there) return UINT64_MAX;
    s = slash;
  }
  return k->places[at].begin;
}

FL_PRIVATE void mod_schema_locate(struct mod_schema_call *call) {
  struct schema_report *report = call->report;
  struct schema_run r;
  struct value_texts k;
  size_t i;
  memset(&k, 0, sizeof k);
  mod_schema_begin(&r, &k.walk, call, NULL, NULL);
  if (!mod_schema_scan(&k, call, call->text)) return;
  compat_need_stack(call->L, 8);
  for (i = 0; i < report->count; i++) {
    struct schema_failure *x = &report->failures[i];
    x->at = mod_schema_place_of(call->L, &k, report->text + x->told, x->told_length);
  }
}

/* Pushes the failure without its causes. */
static void mod_schema_push_one(struct mod_schema_call *call, const struct schema_failure *x) {
  lua_State *L = call->L;
  const struct schema_report *r = call->report;
  const struct schema_program *p = call->schema->program;
  lua_createtable(L, 0, 9);
  lua_pushliteral(L, "invalid");
  lua_setfield(L, -2, "kind");
  mod_schema_push_words(L, r->text + x->path, x->path_length);
  lua_setfield(L, -2, "instance");
  if (x->op != SCHEMA_NONE && p->ops[x->op].code == SCHEMA_OP_CUSTOM) {
    const struct value_texts *texts = &p->sources[p->ops[x->op].b]->texts;
    const struct value_place *place = &texts->places[x->place];
    lua_pushlstring(L, value_texts_bytes(texts, place->name), place->name_length);
  } else if (x->keyword == SCHEMA_KEYWORD_FALSE) lua_pushliteral(L, "false");
  else lua_pushstring(L, schema_keyword_row((enum schema_keyword)x->keyword)->name);
  lua_setfield(L, -2, "keyword");
  mod_schema_push_words(L, r->text + x->message, x->message_length);
  lua_setfield(L, -2, "message");
  mod_schema_push_pointer(call, x, 0);
  lua_setfield(L, -2, "schema");
  mod_schema_push_pointer(call, x, 1);
  lua_setfield(L, -2, "absolute");
  if (call->text && x->at != UINT64_MAX) mod_schema_set_place(call, x->at);
}

/* Causes stand before their failure, each after its own causes, and are read from the end of the report: the lists of
** causes still to be filled are on the Lua stack, and a failure is appended to the innermost. */
FL_PRIVATE void mod_schema_push_failure(struct mod_schema_call *call, size_t i) {
  lua_State *L = call->L;
  const struct schema_failure *failures = call->report->failures;
  const int top = lua_gettop(L);
  size_t first = i - failures[i].causes, at = i;
  mod_schema_push_one(call, &failures[i]);
  lua_pushvalue(L, top + 1); /* stack: the result, then pairs: a failure, and the index of its first cause */
  lua_pushnumber(L, (lua_Number)first);
  while (lua_gettop(L) > top + 1) {
    const size_t end = (size_t)lua_tonumber(L, -1);
    int n, j;
    if (at > end) {
      const struct schema_failure *x = &failures[--at];
      compat_need_stack(L, 12);
      mod_schema_push_one(call, x);
      lua_getfield(L, -3, "causes");
      if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setfield(L, -5, "causes");
      }
      lua_pushvalue(L, -2);
      lua_rawseti(L, -2, (int)lua_rawlen(L, -2) + 1);
      lua_pop(L, 1);
      lua_pushnumber(L, (lua_Number)(at - x->causes));
      continue;
    }
    /* all its causes are there, in reverse */
    lua_getfield(L, -2, "causes");
    n = lua_isnil(L, -1) ? 0 : (int)lua_rawlen(L, -1);
    for (j = 1; j < n + 1 - j; j++) {
      lua_rawgeti(L, -1, j);
      lua_rawgeti(L, -2, n + 1 - j);
      lua_rawseti(L, -3, j);
      lua_rawseti(L, -2, n + 1 - j);
    }
    lua_pop(L, 3);
  }
}
