/* SPDX-License-Identifier: MIT
** peek.c -- the methods of a parser that look at a text before its end: peek and tail.
** Must hold: the tables that peek returns contain finished values, and one unfinished one, which is in its table
** until the next step begins. The incomplete token at the end of the text is the carried one, in the parser's
** memory; it is read there, with a quote and a 0 temporarily after it. */
#include "../decode/parts.h"
#include "parser.h"
#include "stream.h"

/* Makes the carried token a separate text; `saved` keeps the parser's scan. */
static void parser_begin_token(struct mod_parser *p, struct json_scan *saved, const char *end) {
  struct json_scan *j = &p->k.scan;
  *saved = *j;
  j->begin = p->carry;
  j->end = end;
  j->error = JSON_CHECK_OK;
  j->cut = j->whole = 0;
}

static void parser_end_token(struct mod_parser *p, const struct json_scan *saved) {
  struct json_scan *j = &p->k.scan;
  char *const scratch = j->scratch;
  const size_t room = j->room;
  *j = *saved;
  j->scratch = scratch;
  j->room = room;
}

/* Returns whether the carried token, or space before one, is where a value is expected. */
static int parser_expects_value(const struct mod_parser *p) {
  const struct json_scan *j = &p->k.scan;
  if (p->done || !p->length) return 0;
  return j->expected == JSON_EXPECT_VALUE || j->expected == JSON_EXPECT_FIRST_ITEM;
}

FL_INLINE int parser_is_quote(const struct mod_parser *p, char c) {
  return c == '"' || (c == '\'' && (p->o.grammar & JSON_JSON5));
}

/* Returns the carried text after a byte order mark, which is carried, too, where comments are allowed. */
static const char *parser_token(const struct mod_parser *p) {
  const int mark = !p->begun && (p->o.grammar & JSON_BOM) && p->length >= 3 && memcmp(p->carry, "\xef\xbb\xbf", 3) == 0;
  return p->carry + (mark ? 3 : 0);
}

/* Returns whether the carried text may be a complete value: in strict texts a word, which waits for the byte after
** it. */
static int parser_may_have_ended(const struct mod_parser *p) {
  if (parser_is_wide(p)) return p->part.in != PART_STRING && p->part.in != PART_ESCAPE;
  return *p->carry != '"' && *p->carry != '-' && !json_is_digit(*p->carry);
}

/* Pushes what there is of the string or number at `at` in the carried token. Returns 0 if that is nothing. */
static int parser_push_so_far(struct mod_parser *p, const char *at) {
  struct json_scan *j = &p->k.scan;
  const int is_string = parser_is_quote(p, *at);
  const int top = lua_gettop(p->k.L);
  char *end, after[2];
  if (is_string) end = (char *)(uintptr_t)json_string_so_far(at + 1, j->end, (j->grammar & JSON_JSON5) != 0);
  else end = (char *)(uintptr_t)json_number_so_far(at, j->end);
  if (end == at) return 0;
  FL_ASSERT((size_t)(end + 1 - p->carry) < p->room);
  memcpy(after, end, 2);
  if (is_string) *end = *at, end[1] = 0;
  else *end = 0;
  j->begin = at;
  j->end = j->stop = end + is_string;
  j->whole = 1;
  j->error = JSON_CHECK_OK;
  j->grammar = p->o.grammar;
  (void)json_to_lua_scan_part(&p->k, at);
  memcpy(end, after, 2);
  return lua_gettop(p->k.L) > top;
}

/* Pushes the value of the carried token. Returns 0 if it does not count. Errors are reported when the token is read. */
static int parser_push_token(struct mod_parser *p) {
  struct json_to_lua *k = &p->k;
  struct json_scan *j = &k->scan, saved;
  const int top = lua_gettop(k->L);
  p->ended = 0;
  if (!parser_expects_value(p) || !(p->unfinished || parser_may_have_ended(p))) return 0;
  parser_begin_token(p, &saved, p->carry + p->length);
  j->stop = j->end + 1;
  j->grammar |= JSON_OPEN_END;
  p->ended = json_to_lua_scan_part(k, parser_token(p)) != NULL;
  int pushed = !j->error && lua_gettop(k->L) == top + 1;
  if (!j->error && !pushed && p->unfinished && j->at < j->end) {
    j->expected = saved.expected;
    pushed = parser_push_so_far(p, j->at);
  }
  parser_end_token(p, &saved);
  if (!pushed) lua_settop(k->L, top);
  return pushed;
}

/* Returns whether the innermost container is an object without members so far, which has the metatable of empty
** ones. */
static int parser_is_in_empty(const struct mod_parser *p) {
  return p->k.frame->kind == SCAN_OBJECT && p->k.frame->flushed == 1;
}

/* Stores the value on top into its table, and keeps what was there. */
static void parser_place(struct mod_parser *p, lua_State *L, int env) {
  const int value = lua_gettop(L);
  p->placed = 1;
  if (p->k.frame == p->k.frames) {
    lua_rawseti(L, env, PARSER_BEFORE);
    return;
  }
  compat_need_stack(L, 6);
  json_to_lua_push_place(&p->k);
  compat_raw_get(L, value + 1, value + 2);
  lua_rawseti(L, env, PARSER_BEFORE);
  compat_set_item(L, env, PARSER_KEY, value + 2);
  compat_set_item(L, env, PARSER_PLACE, value + 1);
  if (parser_is_in_empty(p)) json_to_lua_unmark_empty(&p->k, value + 1);
  lua_pushvalue(L, value);
  lua_rawset(L, value + 1);
  lua_settop(L, value - 1);
}

FL_PRIVATE_NOINLINE void parser_take_back_(struct mod_parser *p, lua_State *L, int env) {
  lua_rawgeti(L, env, PARSER_PLACE);
  if (lua_istable(L, -1)) {
    lua_rawgeti(L, env, PARSER_KEY);
    lua_rawgeti(L, env, PARSER_BEFORE);
    lua_rawset(L, -3);
    if (parser_is_in_empty(p)) json_to_lua_set_result_metatable(&p->k, 0, 0);
  }
  lua_pop(L, 1);
  for (int i = PARSER_PLACE; i <= PARSER_BEFORE; i++) {
    lua_pushnil(L);
    lua_rawseti(L, env, i);
  }
  p->placed = 0;
}

static int parser_run_peek(lua_State *L) {
  struct mod_parser *p = parser_resume(L);
  struct json_to_lua *k = &p->k;
  if (!parser_read(p, L, 2, SIZE_MAX / 2)) return 0;
  json_to_lua_make_live(k);
  if (parser_push_token(p)) parser_place(p, L, 2);
  json_to_lua_park(k, 2);
  if (k->waiting > 0) {
    lua_rawgeti(L, 2, JSON_TO_LUA_STORE_SPILL);
    lua_rawgeti(L, -1, 1);
  } else {
    lua_rawgeti(L, 2, PARSER_BEFORE);
  }
  lua_pushstring(L, p->done || p->ended ? "complete" : "open");
  return 2;
}

#define MOD_PEEK_ROW(name, kind, member, takers) MOD_OPTION(name, struct mod_parser, member, takers, MOD_IS_##kind)
static const struct mod_option parser_peek_rows[] = {MOD_PEEK_OPTIONS(MOD_PEEK_ROW){0}};

FL_PRIVATE int parser_peek(lua_State *L) {
  struct mod_parser *p = parser_check(L);
  p->unfinished = 0;
  if (!lua_isnoneornil(L, 2)) mod_read_rows(L, 2, MOD_OF_PEEK, parser_peek_rows, p);
  if (p->flags.duplicates != JSON_TO_LUA_LAST || p->flags.order)
    return mod_argument_error(L, 1, "a parser with 'order' or 'duplicates' cannot show its tables before the end");
  if (p->steps.status != STEP_OPEN) return parser_raise_(p, L);
  return step_run(L, &p->steps, parser_run_peek, 2, PARSER_ERROR) ? 2 : parser_raise_(p, L);
}

/* Pushes the contents of a string in the carried token from byte `from`, which is not within a character or escape, up
** to `cut`, where a quote is put temporarily, or, if that is NULL, up to its own quote. Returns 0 if it is invalid,
** which is reported when the token is read. */
static int parser_push_part(struct mod_parser *p, char *from, char *cut) {
  struct json_to_lua *k = &p->k;
  struct json_scan *j = &k->scan, saved;
  struct json_string string;
  const char before = from[-1], *q;
  char after[2];
  from[-1] = p->quote;
  if (cut) memcpy(after, cut, 2), cut[0] = p->quote, cut[1] = 0;
  parser_begin_token(p, &saved, cut ? cut + 1 : p->carry + p->length);
  if (k->decoder) k->decoder->take(k); /* a scan may need more scratch */
  q = p->quote == '"' ? json_read_string(j, from, &string) : json_lenient_string(j, from, &string);
  if (k->decoder) k->decoder->give(k);
  if (q) lua_pushlstring(k->L, string.s, string.n);
  parser_end_token(p, &saved);
  from[-1] = before;
  if (cut) memcpy(cut, after, 2);
  return q != NULL;
}

FL_PRIVATE_NOINLINE void parser_keep_rest_(struct mod_parser *p, lua_State *L, int env) {
  compat_need_stack(L, 4);
  p->rest = parser_push_part(p, p->carry + p->told, NULL);
  if (p->rest) lua_rawseti(L, env, PARSER_REST);
  p->told = 0;
}

/* Finds the string that the carried token is. Returns 0 if it is not a string, or has ended. */
static int parser_find_string(struct mod_parser *p) {
  struct json_scan *j = &p->k.scan, saved;
  const char *at = parser_token(p);
  if (parser_is_wide(p)) {
    if (p->part.in != PART_STRING && p->part.in != PART_ESCAPE) return 0;
    parser_begin_token(p, &saved, p->carry + p->length);
    at = json_read_space(j, at);
    parser_end_token(p, &saved);
  }
  if (!at || !parser_is_quote(p, *at)) return 0;
  p->quote = *at;
  p->told = (size_t)(at + 1 - p->carry);
  return 1;
}

/* Stores what tail has not yet returned of the current string as the rest. */
static void parser_tell_new(struct mod_parser *p, lua_State *L, int env) {
  if (!parser_expects_value(p)) return;
  if (!p->told && !parser_find_string(p)) return;
  if (parser_is_wide(p) && p->part.in != PART_STRING && p->part.in != PART_ESCAPE) {
    parser_keep_rest_(p, L, env);
    return;
  }
  char *from = p->carry + p->told;
  char *to = (char *)(uintptr_t)json_string_so_far(from, p->carry + p->length, (p->o.grammar & JSON_JSON5) != 0);
  compat_need_stack(L, 4);
  if (!parser_push_part(p, from, to)) return;
  lua_rawseti(L, env, PARSER_REST);
  p->told = (size_t)(to - p->carry);
}

/* The step of tail: returns a string and whether it has ended, or nothing. */
static int parser_run_tail(lua_State *L) {
  struct mod_parser *p = parser_resume(L);
  if (!parser_read(p, L, 2, SIZE_MAX / 2)) return 0;
  if (!p->rest) parser_tell_new(p, L, 2);
  json_to_lua_park(&p->k, 2);
  lua_rawgeti(L, 2, PARSER_REST);
  if (lua_isnil(L, -1)) return 0;
  lua_pushnil(L);
  lua_rawseti(L, 2, PARSER_REST);
  lua_pushboolean(L, p->rest);
  p->rest = 0;
  return 2;
}

FL_PRIVATE int parser_tail(lua_State *L) {
  struct mod_parser *p = parser_check(L);
  if (p->steps.status != STEP_OPEN) return parser_raise_(p, L);
  return step_run(L, &p->steps, parser_run_tail, 2, PARSER_ERROR) ? 2 : parser_raise_(p, L);
}
